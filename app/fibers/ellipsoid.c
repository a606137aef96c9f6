/* Places are (r, z): from the axis, and along it. At depth t an ellipsoid has the radius a(t) and the half length c(t):
 * (r/a)^2 + (z/c)^2 = 1. */
#include "app/fibers/ellipsoid.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <string.h>

enum { STEPS = 60 };
static const double EXACT = 1e-14;

EllipsoidParams ellipsoid_params_default(void) {
  return (EllipsoidParams){.axis = {0, 0, 1}, .alpha_endo = 60, .alpha_epi = -60};
}

static double at_depth(const double inner, const double outer, double t) { return inner + t * (outer - inner); }

/* Unit vectors along the axis and away from it, and how far x is along both. */
static void meridian(const EllipsoidParams *p, const double x[3], double up[3], double out[3], double at[2]) {
  double length = 0, r = 0;
  at[1] = 0;
  for (int k = 0; k < 3; ++k) length += p->axis[k] * p->axis[k];
  for (int k = 0; k < 3; ++k) up[k] = p->axis[k] / sqrt(length), at[1] += up[k] * (x[k] - p->center[k]);
  for (int k = 0; k < 3; ++k) out[k] = x[k] - p->center[k] - at[1] * up[k], r += out[k] * out[k];
  at[0] = sqrt(r);
  if (at[0] <= EXACT * (fabs(at[1]) + p->outer[0])) { /* any */
    const int k = fabs(up[0]) < 0.9 ? 0 : 1;
    for (int j = 0; j < 3; ++j) out[j] = (j == k) - up[k] * up[j];
    r = 1 - up[k] * up[k];
  }
  for (int k = 0; k < 3; ++k) out[k] /= sqrt(r);
}

/* Newton's method on sqrt((r/a)^2 + (z/c)^2) = 1, which falls with t and is convex. */
static double depth_at(const EllipsoidParams *p, const double at[2]) {
  double t = 0;
  for (int k = 0; k < STEPS; ++k) {
    const double a = at_depth(p->inner[0], p->outer[0], t), c = at_depth(p->inner[1], p->outer[1], t);
    const double r = at[0] / a, z = at[1] / c, size = sqrt(r * r + z * z);
    if (!(size > 0)) break; /* the centre */
    const double slope = -(r * r * (p->outer[0] - p->inner[0]) / a + z * z * (p->outer[1] - p->inner[1]) / c) / size;
    const double step = (1 - size) / slope;
    t = fmax(t + step,
             -0.5 * fmin(p->inner[0] / (p->outer[0] - p->inner[0]), p->inner[1] / (p->outer[1] - p->inner[1])));
    if (fabs(step) < EXACT) break;
  }
  return t;
}

double ellipsoid_depth(const EllipsoidParams *p, const double x[3]) {
  double up[3], out[3], at[2];
  meridian(p, x, up, out, at);
  return depth_at(p, at);
}

void ellipsoid_at(const void *params, const double x[3], double R[9]) {
  const EllipsoidParams *p = params;
  double up[3], out[3], at[2];
  meridian(p, x, up, out, at);
  const double t = depth_at(p, at), within = fmin(fmax(t, 0), 1);
  const double angle = at_depth(p->alpha_endo, p->alpha_epi, within) * acos(-1) / 180;
  const double a = at_depth(p->inner[0], p->outer[0], t), c = at_depth(p->inner[1], p->outer[1], t);
  const double r = at[0] / a, z = at[1] / c; /* sine and minus cosine of the angle from the apex */
  const double along = hypot(a * z, c * r), across = hypot(r / a, z / c);
  const double around[3] = {up[1] * out[2] - up[2] * out[1], up[2] * out[0] - up[0] * out[2],
                            up[0] * out[1] - up[1] * out[0]};
  const double turn = at_depth(p->beta_endo, p->beta_epi, within) * acos(-1) / 180;
  for (int k = 0; k < 3; ++k) {
    const double to_base = (-a * z * out[k] + c * r * up[k]) / along;
    R[k] = sin(angle) * to_base + cos(angle) * around[k];
    R[3 + k] = cos(turn) * (r / a * out[k] + z / c * up[k]) / across +
               sin(turn) * (sin(angle) * around[k] - cos(angle) * to_base);
  }
}

/* From 0 at the apex to 1 at the top of the nodes. */
static void scale_to_base(double *apicobasal, int32_t n) {
  double least = INFINITY, most = -INFINITY;
  for (int32_t i = 0; i < n; ++i) least = fmin(least, apicobasal[i]), most = fmax(most, apicobasal[i]);
  for (int32_t i = 0; i < n; ++i) apicobasal[i] = most > least ? (apicobasal[i] - least) / (most - least) : 0;
}

Status ellipsoid_create(const EllipsoidParams *p, const Mesh *mesh, LdrbFields *out) {
  *out = (LdrbFields){0};
  ALLOC(out->fiber, mesh->n_node, "fibres by rule");
  ALLOC(out->sheet, mesh->n_node, "sheets by rule");
  ALLOC(out->transmural, mesh->n_node, "transmural coordinate");
  ALLOC(out->apicobasal, mesh->n_node, "apicobasal coordinate");
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double R[9], up[3], away[3], at[2];
    ellipsoid_at(p, mesh->x[i], R);
    meridian(p, mesh->x[i], up, away, at);
    memcpy(out->fiber[i], R, sizeof out->fiber[i]);
    memcpy(out->sheet[i], R + 3, sizeof out->sheet[i]);
    out->transmural[i] = fmin(fmax(depth_at(p, at), 0), 1);
    out->apicobasal[i] = at[1];
  }
  scale_to_base(out->apicobasal, mesh->n_node);
  return OK;
}
