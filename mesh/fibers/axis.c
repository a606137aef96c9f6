/* Means of directions without a sign; see axis.h. */
#include "mesh/fibers/axis.h"

#include <math.h>
#include <string.h>
#include <strings.h>

bool axis_field(const char *name) {
  return strncasecmp(name, "fiber", 5) == 0 || strncasecmp(name, "fibre", 5) == 0 || strncasecmp(name, "sheet", 5) == 0;
}

/* adj(A) v: where A is singular, along its null vector. */
static void axis_adjoint(const double A[3][3], const double v[3], double out[3]) {
  const double xx = A[1][1] * A[2][2] - A[1][2] * A[1][2], yy = A[0][0] * A[2][2] - A[0][2] * A[0][2],
               zz = A[0][0] * A[1][1] - A[0][1] * A[0][1], xy = A[0][2] * A[1][2] - A[0][1] * A[2][2],
               xz = A[0][1] * A[1][2] - A[0][2] * A[1][1], yz = A[0][1] * A[0][2] - A[0][0] * A[1][2];
  out[0] = xx * v[0] + xy * v[1] + xz * v[2];
  out[1] = xy * v[0] + yy * v[1] + yz * v[2];
  out[2] = xz * v[0] + yz * v[1] + zz * v[2];
}

/* The Rayleigh quotient of v. */
static double axis_quotient(const double A[3][3], const double v[3]) {
  double above = 0, below = 0;
  for (int j = 0; j < 3; j++) {
    above += v[j] * (A[j][0] * v[0] + A[j][1] * v[1] + A[j][2] * v[2]);
    below += v[j] * v[j];
  }
  return above / below;
}

/* Rayleigh quotient iteration (Parlett, The Symmetric Eigenvalue Problem, 4.6), whose errors are cubed each time: from the
 * column with the largest diagonal four are enough where one eigenvalue dominates. False: none does. */
static bool axis_dominant(const double A[3][3], double out[3], double *gap) {
  static const double SHARE = 0.9; /* of the sum of the squares: the others are below a third of it */
  enum { TURNS = 4 };
  int best = 0;
  double squares = 0, v[3], value = 0;
  for (int j = 0; j < 3; j++) {
    if (A[j][j] > A[best][best]) best = j;
    for (int k = 0; k < 3; k++) squares += A[j][k] * A[j][k];
  }
  for (int k = 0; k < 3; k++) v[k] = A[k][best];
  for (int turn = 0; turn < TURNS; turn++) {
    double shifted[3][3];
    value = axis_quotient(A, v);
    if (!(value > 0) || !(value * value > SHARE * squares)) return false;
    memcpy(shifted, A, sizeof shifted);
    for (int k = 0; k < 3; k++) shifted[k][k] -= value;
    axis_adjoint((const double(*)[3])shifted, v, out);
    const double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    if (!(length > 0)) return false;
    for (int k = 0; k < 3; k++) v[k] = out[k] /= length;
  }
  const double sum = A[0][0] + A[1][1] + A[2][2] - value, rest = squares - value * value;
  *gap = value - 0.5 * sum - sqrt(fmax(0.5 * rest - 0.25 * sum * sum, 0));
  return true;
}

/* One Jacobi rotation that makes A[p][q] zero; V collects the eigenvectors as columns (Golub and Van Loan, 8.5). */
static void axis_rotate(double A[3][3], double V[3][3], int p, int q) {
  if (A[p][q] == 0.0) return;
  const double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
  const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double a = A[k][p], b = A[k][q];
    A[k][p] = c * a - s * b;
    A[k][q] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = A[p][k], b = A[q][k];
    A[p][k] = c * a - s * b;
    A[q][k] = s * a + c * b;
  }
  for (int k = 0; k < 3; k++) {
    const double a = V[k][p], b = V[k][q];
    V[k][p] = c * a - s * b;
    V[k][q] = s * a + c * b;
  }
}

/* By Jacobi rotations, whatever the eigenvalues are. */
static double axis_rotated(double A[3][3], double out[3]) {
  double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double nothing =
      1e-20 * (fabs(A[0][0]) + fabs(A[1][1]) + fabs(A[2][2])); /* below a rounding of any eigenvalue */
  for (int sweep = 0; sweep < 12; sweep++) {
    if (fabs(A[0][1]) + fabs(A[0][2]) + fabs(A[1][2]) <= nothing) break;
    axis_rotate(A, V, 0, 1);
    axis_rotate(A, V, 0, 2);
    axis_rotate(A, V, 1, 2);
  }
  int best = 0;
  for (int k = 1; k < 3; k++) {
    if (A[k][k] > A[best][best]) best = k;
  }
  for (int k = 0; k < 3; k++) out[k] = V[k][best];
  return A[best][best] - fmax(A[(best + 1) % 3][(best + 1) % 3], A[(best + 2) % 3][(best + 2) % 3]);
}

double axis_principal(double A[3][3], double out[3]) {
  double gap;
  return axis_dominant((const double(*)[3])A, out, &gap) ? gap : axis_rotated(A, out);
}

void axis_mean(int32_t n, const double *weight, const double (*v)[3], double out[3]) {
  double A[3][3] = {{0}}, direction[3], length = 0.0;
  int32_t first = -1;
  for (int32_t i = 0; i < n; i++) {
    const double square = v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2];
    length += weight[i] * sqrt(square);
    if (square == 0.0) continue;
    if (first < 0) first = i;
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) A[j][k] += weight[i] * v[i][j] * v[i][k] / square;
    }
  }
  if (first < 0 || isnan(length)) {
    for (int k = 0; k < 3; k++) out[k] = length; /* 0 or NaN */
    return;
  }
  axis_principal(A, direction);
  const double side = direction[0] * v[first][0] + direction[1] * v[first][1] + direction[2] * v[first][2];
  for (int k = 0; k < 3; k++) out[k] = (side < 0.0 ? -length : length) * direction[k];
}
