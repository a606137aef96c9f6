/* Fibres between two ellipsoids by formula: at points that are drawn by depth and angles, on an axis that is drawn, they are what
 * differences of the surface's own parameters say. */
#include "app/fibers/ellipsoid.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

enum { DRAWN = 500 };
static const double DEGREE = 3.14159265358979323846 / 180;
static uint64_t seed = 36;
static double drawn(double from, double to) { return draw_between(&seed, from, to); }

/* A right-handed frame whose third row is the axis. */
static void draw_frame(double R[9]) {
  const double a = drawn(0, 6), b = drawn(0.3, 2.8), c = drawn(0, 6);
  const double z[3] = {sin(b) * cos(a), sin(b) * sin(a), cos(b)}, x[3] = {cos(b) * cos(a), cos(b) * sin(a), -sin(b)};
  const double y[3] = {-sin(a), cos(a), 0};
  for (int k = 0; k < 3; ++k)
    R[k] = cos(c) * x[k] + sin(c) * y[k], R[3 + k] = -sin(c) * x[k] + cos(c) * y[k], R[6 + k] = z[k];
}

/* `from_apex` and `around` in radians. */
static void place(const EllipsoidParams *p, const double R[9], double t, double from_apex, double around, double x[3]) {
  const double a = p->inner[0] + t * (p->outer[0] - p->inner[0]), c = p->inner[1] + t * (p->outer[1] - p->inner[1]);
  const double at[3] = {a * sin(from_apex) * cos(around), a * sin(from_apex) * sin(around), -c * cos(from_apex)};
  for (int k = 0; k < 3; ++k) x[k] = p->center[k] + at[0] * R[k] + at[1] * R[3 + k] + at[2] * R[6 + k];
}

static void unit_between(const double from[3], const double to[3], double out[3]) {
  double length = 0;
  for (int k = 0; k < 3; ++k) out[k] = to[k] - from[k], length += out[k] * out[k];
  for (int k = 0; k < 3; ++k) out[k] /= sqrt(length);
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void one_place(void) {
  EllipsoidParams p = ellipsoid_params_default();
  double R[9], x[3], low[3], high[3], to_base[3], around[3], at[9];
  const double h = 1e-6, t = drawn(0, 1), u = drawn(0.05, 2), v = drawn(0, 6.28), length = drawn(0.1, 5);
  draw_frame(R);
  for (int k = 0; k < 2; ++k) p.inner[k] = drawn(5, 30), p.outer[k] = p.inner[k] + drawn(1, 10);
  for (int k = 0; k < 3; ++k) p.center[k] = drawn(-50, 50), p.axis[k] = length * R[6 + k];
  p.alpha_endo = drawn(-90, 90), p.alpha_epi = drawn(-90, 90);
  place(&p, R, t, u, v, x);
  assert_within(ellipsoid_depth(&p, x), t, 1e-10);
  place(&p, R, t, u - h, v, low), place(&p, R, t, u + h, v, high), unit_between(low, high, to_base);
  place(&p, R, t, u, v - h, low), place(&p, R, t, u, v + h, high), unit_between(low, high, around);
  const double angle = (p.alpha_endo + t * (p.alpha_epi - p.alpha_endo)) * DEGREE;
  ellipsoid_at(&p, x, at);
  for (int k = 0; k < 3; ++k) assert_within(at[k], sin(angle) * to_base[k] + cos(angle) * around[k], 1e-7);
  assert_within(dot(at + 3, at + 3), 1, 1e-12);
  assert_within(dot(at + 3, to_base), 0, 1e-7);
  assert_within(dot(at + 3, around), 0, 1e-7);
  place(&p, R, t + 1e-3, u, v, high);
  for (int k = 0; k < 3; ++k) high[k] -= x[k];
  assert_true(dot(at + 3, high) > 0); /* outwards */
  double turned[9];
  p.beta_endo = drawn(-90, 90), p.beta_epi = drawn(-90, 90);
  const double turn = (p.beta_endo + t * (p.beta_epi - p.beta_endo)) * DEGREE;
  ellipsoid_at(&p, x, turned);
  for (int k = 0; k < 3; ++k) {
    const double beside = sin(angle) * around[k] - cos(angle) * to_base[k]; /* the fibre times the way outwards */
    assert_within(turned[k], at[k], 1e-12);
    assert_within(turned[3 + k], cos(turn) * at[3 + k] + sin(turn) * beside, 1e-7);
  }
}

static void is_the_formula(void **state) {
  (void)state;
  for (int k = 0; k < DRAWN; ++k) one_place();
}

/* Beyond both surfaces and on the line of the axis there is an answer too. */
static void is_everywhere(void **state) {
  (void)state;
  EllipsoidParams p = ellipsoid_params_default();
  double R[9];
  memcpy(p.inner, (double[]){7, 17}, sizeof p.inner);
  memcpy(p.outer, (double[]){10, 20}, sizeof p.outer);
  assert_within(ellipsoid_depth(&p, (double[]){0, 0, -18.5}), 0.5, 1e-12);
  assert_within(ellipsoid_depth(&p, (double[]){10.3, 0, 0}), 1.1, 1e-12);
  assert_within(ellipsoid_depth(&p, (double[]){0, 6.7, 0}), -0.1, 1e-12);
  const double x[][3] = {{0, 0, -18.5}, {0, 0, 20}, {30, 40, 50}};
  for (size_t k = 0; k < sizeof x / sizeof *x; ++k) {
    ellipsoid_at(&p, x[k], R);
    assert_within(dot(R, R), 1, 1e-9);
  }
  double wall[9]; /* angles do not go on beyond a surface */
  p.beta_endo = 20, p.beta_epi = 70;
  ellipsoid_at(&p, (double[]){10, 0, 0}, wall), ellipsoid_at(&p, (double[]){14, 0, 0}, R);
  for (int k = 0; k < 6; ++k) assert_within(R[k], wall[k], 1e-12);
  ellipsoid_at(&p, (double[]){7, 0, 0}, wall), ellipsoid_at(&p, (double[]){6, 0, 0}, R);
  for (int k = 0; k < 6; ++k) assert_within(R[k], wall[k], 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_the_formula), cmocka_unit_test(is_everywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
