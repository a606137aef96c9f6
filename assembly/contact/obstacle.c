/* Distances from rigid obstacles. */
#include "assembly/contact/obstacle.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

const ContactPhase *obstacle_phase(const Obstacle *o, double time) {
  static const double EDGE = 1e-12; /* of the time: rounding */
  int32_t k = o->n_phase - 1;
  while (k > 0 && !(time > o->phase[k].after * (1 + EDGE))) --k;
  return &o->phase[k];
}

bool obstacle_rubs(const Obstacle *o) {
  bool rubs = false;
  for (int32_t k = 0; k < o->n_phase; ++k) rubs |= expr_acts(&o->phase[k].friction);
  return rubs;
}

void obstacle_shift(const Obstacle *o, double time, double shift[3]) {
  static const double ORIGIN[3] = {0};
  for (int k = 0; k < 3; ++k) shift[k] = expr_value(&o->move[k], ORIGIN, time);
}

double obstacle_rotation(const Obstacle *o, double time) {
  static const double ORIGIN[3] = {0};
  return expr_value(&o->rotation, ORIGIN, time);
}

void obstacle_arm(const Obstacle *o, double time, const double x[3], double arm[3]) {
  obstacle_shift(o, time, arm);
  for (int k = 0; k < 3; ++k) arm[k] = x[k] - o->at[k] - arm[k];
}

bool obstacle_swings(const Obstacle *o) {
  static const double ALONG = 1e-12;
  double across[3];
  vec3_cross(o->about, o->axis, across);
  return o->kind != OBSTACLE_SPHERE && expr_acts(&o->rotation) && vec3_dot(across, across) > ALONG * ALONG;
}

/* v turned by an angle about a unit vector. */
static void rotate(const double a[3], double angle, double v[3]) {
  const double along = vec3_dot(a, v), s = sin(angle), c = cos(angle);
  double cross[3];
  vec3_cross(a, v, cross);
  for (int k = 0; k < 3; ++k) v[k] = c * v[k] + s * cross[k] + (1 - c) * along * a[k];
}

void obstacle_carry(const Obstacle *o, double time, double found, const double arm[3], double shift[3]) {
  const double angle = obstacle_rotation(o, time);
  double way[3];
  obstacle_shift(o, time, shift);
  if (!expr_acts(&o->rotation)) return;
  memcpy(way, arm, sizeof way);
  if (o->slides) rotate(o->about, angle - obstacle_rotation(o, found), way);
  else vec3_cross(o->about, arm, way);
  for (int k = 0; k < 3; ++k) shift[k] += o->slides ? way[k] - arm[k] : angle * way[k];
}

void obstacle_rates(const Obstacle *o, double time, double span, double velocity[3], double acceleration[3]) {
  static const double FIRST = 1e-6, SECOND = 1e-4; /* what differences and rounding leave is as much */
  double at[5][3];
  const double h = FIRST * span, k = SECOND * span, when[5] = {time, time - h, time + h, time - k, time + k};
  for (int i = 0; i < 5; ++i) obstacle_shift(o, when[i], at[i]);
  for (int c = 0; c < 3; ++c) {
    velocity[c] = (at[2][c] - at[1][c]) / (2 * h);
    acceleration[c] = (at[4][c] - at[0][c] - (at[0][c] - at[3][c])) / (k * k);
  }
}

bool obstacle_is_flat(const Obstacle *o) { return o->kind == OBSTACLE_PLANE; }

Status obstacle_check(const Obstacle *o, double time) {
  static const double ORIGIN[3] = {0};
  for (int k = 0; k < 3; ++k)
    CHECK(
        isfinite(expr_value(&o->move[k], ORIGIN, time)), ERR_INPUT,
        "%s: entry %d of 'move' is not finite at time %g\n  allowed: expressions that have a value at all times of the "
        "run\n  remedy: look for divisions by 0 and roots and logarithms of what is negative",
        o->where, k + 1, time);
  CHECK(isfinite(obstacle_rotation(o, time)), ERR_INPUT,
        "%s: the angle of 'rotate' is not finite at time %g\n  allowed: an expression that has a value at all times of "
        "the run\n  remedy: look for divisions by 0 and roots and logarithms of what is negative",
        o->where, time);
  return OK;
}

/* Away from the tip where that is nearest, else square to the surface. */
static double cone_distance(const Obstacle *o, const double d[3], double g[3]) {
  double across[3];
  const double along = vec3_dot(d, o->axis), sine = sin(o->angle), cosine = cos(o->angle);
  for (int k = 0; k < 3; ++k) across[k] = d[k] - along * o->axis[k];
  const double r = vec3_normalize(across);
  if (along * cosine + r * sine <= 0) {
    memcpy(g, d, 3 * sizeof *g);
    return vec3_normalize(g);
  }
  for (int k = 0; k < 3; ++k) g[k] = cosine * across[k] - sine * o->axis[k];
  return r * cosine - along * sine;
}

/* At d from `at`, of the obstacle before it turned. */
static double distance_bare(const Obstacle *o, const double d[3], double g[3]) {
  if (o->kind == OBSTACLE_CONE) return cone_distance(o, d, g);
  if (o->kind == OBSTACLE_PLANE) {
    memcpy(g, o->axis, 3 * sizeof *g);
    return vec3_dot(d, g);
  }
  const double along = o->kind == OBSTACLE_CYLINDER ? vec3_dot(d, o->axis) : 0;
  for (int k = 0; k < 3; ++k) g[k] = d[k] - along * o->axis[k];
  return vec3_normalize(g) - o->radius;
}

double obstacle_distance(const Obstacle *o, double time, const double x[3], double g[3]) {
  const double angle = obstacle_swings(o) ? obstacle_rotation(o, time) : 0;
  double d[3];
  obstacle_arm(o, time, x, d);
  if (angle != 0) rotate(o->about, -angle, d);
  const double distance = distance_bare(o, d, g);
  if (angle != 0) rotate(o->about, angle, g);
  return distance;
}

/* Newton's method along the line. */
double obstacle_gap(const Obstacle *o, double time, const double x[3], const double n[3]) {
  static const double FLAT = 0.05, EXACT = 1e-14; /* FLAT: the line passes by */
  enum { MOST = 60 };
  double gap = 0, g[3], y[3];
  for (int turn = 0; turn < MOST; ++turn) {
    for (int k = 0; k < 3; ++k) y[k] = x[k] + gap * n[k];
    const double distance = obstacle_distance(o, time, y, g), slope = vec3_dot(g, n);
    if (turn > 0 && fabs(distance) <= EXACT * (fabs(gap) + sqrt(vec3_dot(x, x)))) return gap; /* at a tip, too */
    if (!(fabs(slope) > FLAT)) return (double)INFINITY;
    const double step = -distance / slope;
    gap += step;
    if (fabs(step) <= EXACT * (fabs(gap) + sqrt(vec3_dot(x, x)))) return gap;
    if (obstacle_is_flat(o)) return gap;
  }
  return gap;
}
