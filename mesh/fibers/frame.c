/* Frames of axes; see frame.h. Quaternions are q[4] = w x y z. */
#include "mesh/fibers/frame.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Length 1; false when there is no direction. Scaled first: gradients may be tiny. */
static bool frame_normalize(double v[3]) {
  const double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
  if (!(most > 0 && isfinite(most)) || !isfinite(v[0] + v[1] + v[2])) return false;
  for (int k = 0; k < 3; ++k) v[k] /= most;
  const double length = sqrt(vec3_dot(v, v));
  for (int k = 0; k < 3; ++k) v[k] /= length;
  return true;
}

bool frame_of(const double apicobasal[3], const double transmural[3], Frame *out) {
  double e0[3], e1[3], e2[3];
  memcpy(e1, apicobasal, sizeof e1);
  memcpy(e2, transmural, sizeof e2);
  if (!frame_normalize(e1) || !frame_normalize(e2)) return false;
  for (int turn = 0; turn < 2; ++turn) { /* again, for what rounding left */
    const double along = vec3_dot(e1, e2);
    for (int k = 0; k < 3; ++k) e2[k] -= along * e1[k];
    if (turn == 0 && vec3_dot(e2, e2) < 1e-12) return false;
    frame_normalize(e2);
  }
  vec3_cross(e1, e2, e0);
  memcpy(out->axis[0], e0, sizeof e0);
  memcpy(out->axis[1], e1, sizeof e1);
  memcpy(out->axis[2], e2, sizeof e2);
  return true;
}

Frame frame_any(const double apicobasal[3]) {
  Frame frame;
  double e1[3] = {apicobasal[0], apicobasal[1], apicobasal[2]}, e2[3] = {0};
  if (!frame_normalize(e1)) memcpy(e1, (double[3]){1, 0, 0}, sizeof e1);
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (fabs(e1[k]) < fabs(e1[least])) least = k;
  e2[least] = 1;
  frame_of(e1, e2, &frame);
  return frame;
}

/* a <- c a + s b, b <- c b - s a */
static void turn_pair(double a[3], double b[3], double angle) {
  const double c = cos(angle * M_PI / 180), s = sin(angle * M_PI / 180);
  for (int k = 0; k < 3; ++k) {
    const double u = a[k], v = b[k];
    a[k] = c * u + s * v;
    b[k] = c * v - s * u;
  }
}

Frame frame_turn(const Frame *frame, double alpha, double beta) {
  Frame f = *frame;
  turn_pair(f.axis[0], f.axis[1], alpha);
  turn_pair(f.axis[2], f.axis[1], beta);
  return f;
}

/* Of the rotation whose matrix has the axes as columns; the largest of w x y z is found first (Shepperd 1978). */
static void to_quaternion(const Frame *f, double q[4]) {
  const double trace = f->axis[0][0] + f->axis[1][1] + f->axis[2][2];
  int most = -1;
  double best = trace;
  for (int k = 0; k < 3; ++k)
    if (f->axis[k][k] > best) best = f->axis[k][k], most = k;
  if (most < 0) {
    q[0] = 0.5 * sqrt(fmax(1 + trace, 0));
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      q[1 + k] = (f->axis[i][j] - f->axis[j][i]) / (4 * q[0]);
    }
    return;
  }
  const int i = (most + 1) % 3, j = (most + 2) % 3;
  q[1 + most] = 0.5 * sqrt(fmax(1 + f->axis[most][most] - f->axis[i][i] - f->axis[j][j], 0));
  q[0] = (f->axis[i][j] - f->axis[j][i]) / (4 * q[1 + most]);
  q[1 + i] = (f->axis[most][i] + f->axis[i][most]) / (4 * q[1 + most]);
  q[1 + j] = (f->axis[most][j] + f->axis[j][most]) / (4 * q[1 + most]);
}

static Frame from_quaternion(const double q[4]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return (Frame){{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                  {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                  {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
}

static double frame_dot4(const double a[4], const double b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Frame frame_blend(const Frame *a, const Frame *b, double t) {
  double qa[4], qb[4], q[4], near[4] = {0};
  to_quaternion(a, qa);
  to_quaternion(b, qb);
  const double w = qa[0], x = qa[1], y = qa[2], z = qa[3];
  /* qa, and qa times i, j, k: two of its axes in reverse */
  const double same[4][4] = {{w, x, y, z}, {-x, w, z, -y}, {-y, -z, w, x}, {-z, y, -x, w}};
  double best = -1;
  for (int k = 0; k < 4; ++k) {
    const double c = frame_dot4(same[k], qb);
    if (fabs(c) <= best) continue;
    best = fabs(c);
    for (int i = 0; i < 4; ++i) near[i] = c < 0 ? -same[k][i] : same[k][i];
  }
  const double angle = acos(fmin(best, 1)), sine = sin(angle); /* best >= 1/2: the four are at right angles */
  const double from = sine > 1e-8 ? sin((1 - t) * angle) / sine : 1 - t, to = sine > 1e-8 ? sin(t * angle) / sine : t;
  for (int i = 0; i < 4; ++i) q[i] = from * near[i] + to * qb[i];
  const double length = sqrt(frame_dot4(q, q));
  for (int i = 0; i < 4; ++i) q[i] /= length;
  return from_quaternion(q);
}
