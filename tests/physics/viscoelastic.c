/* Shear that relaxes by a Prony series: steps, ramps and cycles of strain against the integral, which a step of any length has
 * exactly where the strain is straight over it. */
#include "physics/material.h"
#include "physics/material_kernels.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static const double g[2] = {0.3, 0.2}, tau[2] = {1, 10}, G = 80;
static double law[LAW_SIZE + PARAM_CURVES], old[POINT_MAX_STATES], now[POINT_MAX_STATES];

static void begin(void) {
  double value[PARAM_MOST + PARAM_CURVES] = {0};
  const double series[] = {2, g[0], tau[0], g[1], tau[1]}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const int kind = MATERIAL_KIND_viscoelastic;
  value[VISCOELASTIC_YOUNG] = 2 * 1.3 * G, value[VISCOELASTIC_POISSON] = 0.3, value[VISCOELASTIC_THICKNESS] = 1;
  value[VISCOELASTIC_PRONY] = PARAM_MOST;
  memcpy(value + PARAM_MOST, series, sizeof series);
  assert_int_equal(material_check(kind, value), OK);
  assert_int_equal(material_states(kind, value), 19);
  material_law(kind, MODEL_SOLID, value, axes, law);
  material_law_curves(kind, value, LAW_SIZE, law);
  memcpy(law + LAW_SIZE, series, sizeof series);
  memset(old, 0, sizeof old);
}

/* Shear stress over G after a step of dt to the shear strain gamma. */
static double step(double dt, double gamma, double *A) {
  const double H[9] = {0, gamma};
  const PointIn in = {.H = H, .old = old, .dt = dt};
  PointOut out = {.state = now, .A = A};
  assert_int_equal(viscoelastic_point(law, &in, &out), 0);
  memcpy(old, now, sizeof old);
  return out.P[1] / G;
}

static void near(const char *what, double found, double wanted, double within) {
  if (!(fabs(found - wanted) <= within)) fail_msg("%s is %.12g, not %.12g", what, found, wanted);
}

/* G(t)/G at 1, 5 and 20, whatever the steps. */
static void relaxes(void **state) {
  (void)state;
  const double at[3] = {1, 5, 20}, wanted[3] = {0.791331, 0.623328, 0.527067};
  for (int k = 0; k < 3; ++k)
    for (int n = 1; n < 8; n += 3) {
      double s = 0;
      begin();
      near("the stress at once", step(0, 1, NULL), 1, 1e-14);
      for (int i = 0; i < n; ++i) s = step(at[k] / n, 1, NULL);
      near("G(t)/G", s, wanted[k], 6e-7);
    }
}

/* A strain that rises by 1 a time, in drawn steps. */
static void ramps(void **state) {
  (void)state;
  uint64_t seed = 71;
  for (int sample = 0; sample < 20; ++sample) {
    double t = 0, s = 0;
    begin();
    while (t < 5) {
      const double end = t < 1 ? 1 : 5, dt = fmin(draw_between(&seed, 0.01, 3), end - t);
      t = dt < end - t ? t + dt : end;
      s = step(dt, t, NULL);
      near("the stress of a ramp", s, 0.5 * t + 0.3 * -expm1(-t) + 2 * -expm1(-t / 10), 1e-13);
      if (t == 1) near("the stress of a ramp at 1", s, 0.879961, 6e-7);
    }
    near("the stress of a ramp at 5", s, 3.584917, 6e-7);
  }
}

/* What relaxes takes h : h / (2 G g tau) a time, by Simpson's rule over drawn steps. */
static void relaxing_takes(void **state) {
  (void)state;
  enum { PARTS = 2000 };
  uint64_t seed = 73;
  double gamma = 0, taken = 0, h[2] = {0};
  begin();
  for (int n = 0; n < 12; ++n) {
    const double dt = draw_between(&seed, 0.05, 8), next = draw_between(&seed, -0.1, 0.1),
                 rate = G * (next - gamma) / dt;
    for (int i = 0; i < 2; ++i) {
      const double start = h[i], ramp = g[i] * rate * tau[i];
      for (int k = 0; k <= PARTS; ++k) {
        const double fades = exp(-k * dt / PARTS / tau[i]), weight = k % PARTS == 0 ? 1 : k % 2 ? 4 : 2;
        h[i] = fades * start + ramp * (1 - fades);
        taken += weight * dt / (3 * PARTS) * h[i] * h[i] / (G * g[i] * tau[i]);
      }
    }
    step(dt, gamma = next, NULL);
    for (int i = 0; i < 2; ++i) near("a term", old[VISCOELASTIC_H + 6 * i + 3], h[i], 1e-12 * G);
    near("what is taken", old[VISCOELASTIC_WORK], taken, 1e-9 * taken);
  }
}

/* The tangent is what the strain of the end changes of the stress, to the last digits: the law is linear. */
static void tangent(void **state) {
  (void)state;
  double A[81], two[2], kept[POINT_MAX_STATES];
  begin();
  step(0.7, 0.02, NULL);
  memcpy(kept, old, sizeof old);
  two[0] = step(2.5, 0.05, A);
  memcpy(old, kept, sizeof old);
  two[1] = step(2.5, 0.06, NULL);
  near("A", A[9 + 1], G * (two[1] - two[0]) / 0.01, 1e-12 * G);
  near("A by the series", A[9 + 1], G * (0.5 + 0.3 * -expm1(-2.5) / 2.5 + 0.2 * -expm1(-0.25) / 0.25), 1e-13 * G);
}

/* Under plane stress the strain across is a part of it however large both are, such as those of a first guess. */
static void small_strains_have_no_bound(void **state) {
  (void)state;
  const double E = 2 * 1.3 * G, nu = 0.3;
  uint64_t seed = 72;
  begin();
  for (int sample = 0; sample < 50; ++sample) {
    const double by = sample % 2 ? 1e-3 : 30;
    const double x = draw_between(&seed, -by, by), y = draw_between(&seed, -by, by), xy = draw_between(&seed, -by, by);
    const double H[9] = {x, xy, 0, 0, y};
    const PointIn in = {.H = H, .old = old, .plane_stress = true};
    double A[81];
    PointOut out = {.state = now, .A = A};
    assert_int_equal(material_point(MATERIAL_KIND_viscoelastic, law, &in, &out), 0);
    near("xx", out.P[0], E / (1 - nu * nu) * (x + nu * y), 1e-13 * E * by);
    near("yy", out.P[4], E / (1 - nu * nu) * (y + nu * x), 1e-13 * E * by);
    near("xy", out.P[1], G * xy, 1e-13 * E * by);
    near("across", out.H33, -nu / (1 - nu) * (x + y), 1e-13 * by);
    near("A", A[0], E / (1 - nu * nu), 1e-13 * E);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(relaxes), cmocka_unit_test(ramps),
                                     cmocka_unit_test(relaxing_takes), cmocka_unit_test(tangent),
                                     cmocka_unit_test(small_strains_have_no_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
