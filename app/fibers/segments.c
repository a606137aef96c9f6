#include "app/fibers/segments.h"
#include "core/memory.h"
#include "core/parts.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "segments of the left ventricle";
static const double NEAR_BASE = 0.05; /* of the way from apex to base */

int32_t aha_segment(double height, double angle) {
  const double degrees = angle * 180 / M_PI;
  if (height < 0) return 17;
  if (height < 1.0 / 3) return 13 + ((int32_t)floor((degrees + 135) / 90) + 4) % 4;
  return (height < 2.0 / 3 ? 7 : 1) + ((int32_t)floor((degrees + 120) / 60) + 6) % 6;
}

/* A frame at the apex of the cavity. */
typedef struct Axes {
  double apex[3], axis[3];    /* from there to the base, so long */
  double zero[3], quarter[3]; /* of length 1, across it: where the angle is 0 and 90 degrees */
} Axes;

typedef struct Middle {
  double x[3];
  int32_t n;
} Middle;

static void add_to(Middle *m, const double x[3]) {
  for (int k = 0; k < 3; ++k) m->x[k] = (m->x[k] * m->n + x[k]) / (m->n + 1);
  ++m->n;
}

static bool find_axes(const LdrbParams *p, const LdrbSurfaces *s, const double *apicobasal, Axes *out) {
  const Mesh *mesh = p->mesh;
  Middle rim = {0}, high = {0}, left = {0}, right = {0};
  double most = -1, across[3], top = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (s->across[i] == LDRB_LV && s->in_body[i]) top = fmax(top, apicobasal[i]);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (s->across[i] == LDRB_RV) add_to(&right, mesh->x[i]);
    if (s->across[i] != LDRB_LV || !s->in_body[i]) continue;
    add_to(&left, mesh->x[i]);
    if (s->rim[i]) add_to(&rim, mesh->x[i]);
    if (apicobasal[i] >= top - NEAR_BASE) add_to(&high, mesh->x[i]);
  }
  if (rim.n == 0) rim = high;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (s->across[i] != LDRB_LV || !s->in_body[i] || vec3_square(mesh->x[i], rim.x) <= most) continue;
    most = vec3_square(mesh->x[i], rim.x);
    memcpy(out->apex, mesh->x[i], sizeof out->apex);
  }
  if (rim.n == 0 || !(most > 0)) return false;
  vec3_minus(rim.x, out->apex, out->axis);
  if (vec3_dot(p->septum, p->septum) > 0) memcpy(across, p->septum, sizeof across);
  else vec3_minus(right.x, left.x, across);
  const double along = vec3_dot(across, out->axis) / vec3_dot(out->axis, out->axis);
  for (int k = 0; k < 3; ++k) across[k] -= along * out->axis[k];
  const double length = sqrt(vec3_dot(across, across));
  for (int k = 0; k < 3; ++k) out->zero[k] = across[k] / length;
  vec3_cross(out->zero, out->axis, out->quarter); /* about the axis turned around: counter-clockwise from the apex */
  const double size = sqrt(vec3_dot(out->quarter, out->quarter));
  for (int k = 0; k < 3; ++k) out->quarter[k] /= size;
  return length > 0;
}

/* Of the right ventricle's free wall the left endocardium sees nothing; of the septum both see as much. */
static bool is_left(const double to_lv[3], const double to_rv[3]) {
  return vec3_dot(to_lv, to_lv) > 0.25 * vec3_dot(to_rv, to_rv);
}

Status segments_create(const LdrbParams *p, const LdrbSurfaces *surfaces, const double *apicobasal,
                       const double (*to_lv)[3], const double (*to_rv)[3], LdrbFields *out) {
  Axes axes = {0};
  if (!p->rv && vec3_dot(p->septum, p->septum) == 0) return OK;
  CHECK(find_axes(p, surfaces, apicobasal, &axes), ERR_INPUT,
        "fibres by rule: the septum cannot lie along the long axis of the left ventricle, (%g, %g, %g)\n  remedy: "
        "another direction for 'septum'",
        axes.axis[0], axes.axis[1], axes.axis[2]);
  ALLOC(out->rotational, p->mesh->n_node, WHAT);
  ALLOC(out->segment, p->mesh->n_node, WHAT);
#pragma omp parallel for schedule(static) num_threads(parts_of(p->mesh->n_node))
  for (int32_t i = 0; i < p->mesh->n_node; ++i) {
    double from[3];
    if (!surfaces->in_body[i]) continue;
    vec3_minus(p->mesh->x[i], axes.apex, from);
    const double angle = atan2(vec3_dot(from, axes.quarter), vec3_dot(from, axes.zero));
    out->rotational[i] = angle;
    if (!to_rv || is_left(to_lv[i], to_rv[i]))
      out->segment[i] = aha_segment(vec3_dot(from, axes.axis) / vec3_dot(axes.axis, axes.axis), angle);
  }
  return OK;
}
