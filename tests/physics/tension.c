/* Models of active tension: against the classical Runge-Kutta method on their equations while the muscle moves, their derivatives
 * against differences, steady tensions, and shares that stay shares. */
#include "physics/tension.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

/* Land et al. 2017 as printed, equation by equation: XS XW B C zs zw. */
typedef struct Plain {
  const double *v;
  double period, swing; /* of the stretch, ms and 1 */
} Plain;

/* uM, as high as the set of parameters needs it. */
static double plain_calcium(const Plain *m, double t) {
  return m->v[0] / 0.8 * (0.14 + 0.8 * fmax(0, exp(-t / 110) - exp(-t / 20)));
}
static double plain_stretch(const Plain *m, double t) { return 1.05 + m->swing * sin(2 * M_PI * t / m->period); }

static void plain_rate(const Plain *m, double t, const double y[6], double rate[6]) {
  const double ca50 = m->v[0], kuw = m->v[2], kws = m->v[3], ku = m->v[4], n = m->v[5], rs = m->v[6], rw = m->v[7];
  const double speed = m->swing * 2 * M_PI / m->period * cos(2 * M_PI * t / m->period);
  const double l = fmin(1.2, plain_stretch(m, t)), free_ = 1 - y[0] - y[1] - y[2];
  const double A = m->v[16] * rs / ((1 - rs) * rw + rs), lost = y[4] > 0 ? y[4] : y[4] < -1 ? -y[4] - 1 : 0;
  const double ksu = kws * rw * (1 / rs - 1), kwu = kuw * (1 / rw - 1) - kws;
  const double kb = ku * pow(m->v[12], n) / (1 - rs - (1 - rs) * rw);
  rate[0] = kws * y[1] - ksu * y[0] - m->v[13] * lost * y[0];
  rate[1] = kuw * free_ - kwu * y[1] - kws * y[1] - m->v[14] * fabs(y[5]) * y[1];
  rate[2] = kb * fmin(100, pow(y[3], -n / 2)) * free_ - ku * pow(y[3], n / 2) * y[2];
  rate[3] = m->v[10] * (pow(plain_calcium(m, t) / (ca50 + m->v[9] * (l - 1)), m->v[11]) * (1 - y[3]) - y[3]);
  rate[4] = A * speed - m->v[15] * kws * (1 - rs) * rw / rs * y[4];
  rate[5] = A * speed - m->v[15] * kuw * (1 - rw) / rw * y[5];
}

static double plain_tension(const Plain *m, double t, const double y[6]) {
  const double l = fmin(1.2, plain_stretch(m, t));
  const double h = fmax(0, 1 + m->v[8] * (l + fmin(l, 0.87) - 1.87));
  return h * m->v[1] / m->v[6] * ((y[4] + 1) * y[0] + y[5] * y[1]);
}

static void plain_step(const Plain *m, double t, double dt, double y[6]) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double k[6] = {0}, sum[6] = {0}, x[6];
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 6; ++i) x[i] = y[i] + at[s] * dt * k[i];
    plain_rate(m, t + at[s] * dt, x, k);
    for (int i = 0; i < 6; ++i) sum[i] += weight[s] * k[i];
  }
  for (int i = 0; i < 6; ++i) y[i] += dt / 6 * sum[i];
}

/* While the muscle moves: of first order, and within 0.1 % of the largest tension at 0.01 ms. */
static void land_is_its_equations(void **state) {
  (void)state;
  const TensionType *type = tension_type(tension_by_name("land"));
  uint64_t seed = 11;
  for (int p = 0; p < type->n_preset; ++p) {
    const Plain m = {type->preset[p].value, draw_between(&seed, 150, 300), draw_between(&seed, 0.02, 0.08)};
    double y[6], old[6], now[6], error[2], most = 0;
    type->begin(m.v, plain_calcium(&m, 0), 1, y);
    type->begin(m.v, plain_calcium(&m, 0), 1, old);
    for (int halved = 0; halved < 2; ++halved) {
      const double dt = 0.02 / (1 << halved);
      double x[6];
      memcpy(x, y, sizeof x), memcpy(old, y, sizeof old);
      error[halved] = 0;
      for (int i = 0; i < 200 / dt; ++i) {
        const double t = (i + 1) * dt;
        const TensionIn in = {dt, plain_calcium(&m, t), plain_stretch(&m, i * dt), plain_stretch(&m, t), old};
        TensionOut out = {.state = now};
        type->step(m.v, &in, &out);
        memcpy(old, now, sizeof old);
        plain_step(&m, i * dt, dt, x);
        error[halved] = fmax(error[halved], fabs(out.tension - plain_tension(&m, t, x)));
        most = fmax(most, out.tension);
      }
    }
    assert_true(most > 1);
    if (error[1] > 1e-3 * most) fail_msg("%s: off by %g of %g kPa", type->preset[p].name, error[1], most);
    if (error[1] > 0.6 * error[0]) fail_msg("%s: errors %g, %g", type->preset[p].name, error[0], error[1]);
  }
}

static void derivatives_are_differences(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int kind = 0; kind < tension_count(); ++kind) {
    const TensionType *type = tension_type(kind);
    for (int i = 0; i < 400; ++i) {
      double old[TENSION_STATES] = {0}, state_now[TENSION_STATES];
      const double *v = type->preset[i % type->n_preset].value, h = 1e-5;
      for (int j = 0; j < type->n_state; ++j) old[j] = draw_between(&seed, 0.01, 0.3) * (j >= 4 && i % 2 ? -4 : 1);
      const double from = draw_between(&seed, 0.75, 1.25), to = from + draw_between(&seed, -0.05, 0.05);
      TensionIn in = {draw_between(&seed, 0.01, 4), type->shape.drive == TENSION_BY_CALCIUM ? 0.5 : 10, from, to, old};
      TensionOut at = {.state = state_now}, low = at, high = at;
      if (fabs(to - 1.2) < 2 * h || fabs(to - 0.87) < 2 * h) continue; /* kinks */
      type->step(v, &in, &at);
      in.stretch = to - h, type->step(v, &in, &low);
      in.stretch = to + h, type->step(v, &in, &high);
      const double difference = (high.tension - low.tension) / (2 * h);
      const double near_kink = fabs(at.slope) * 1e-6 + 1e-6;
      if (fabs(at.slope - difference) > near_kink)
        fail_msg("%s %d: slope %.10g, difference %.10g", type->name, i, at.slope, difference);
    }
  }
}

/* Of a muscle that is held for long: the published equations at rest, solved by Newton's method elsewhere. */
static void steady_tensions(void **state) {
  (void)state;
  static const double calcium[] = {0.3, 0.5, 0.6, 0.7, 0.8, 1, 1.5, 3, 10};
  static const struct {
    const char *preset;
    double tension[9];
  } row[] = {{"whole-organ", {1.1749, 28.9778, 63.0241, 88.5667, 102.2665, 112.7979, 117.8066, 119.1143, 119.3526}},
             {"margara", {12.5574, 46.2656, 61.2323, 72.4701, 80.5400, 90.4853, 100.2106, 105.6436, 107.1890}}};
  const TensionType *type = tension_type(0);
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < 9; ++i) {
      const double *v = type->preset[tension_preset(0, row[r].preset)].value;
      double old[TENSION_STATES], now[TENSION_STATES];
      TensionOut out = {.state = now};
      type->begin(v, 0.14, 1, old);
      for (int k = 0; k < 400; ++k) {
        const TensionIn in = {1000, calcium[i], 1, 1, old};
        type->step(v, &in, &out);
        memcpy(old, now, sizeof old);
      }
      assert_within(out.tension, row[r].tension[i], 1e-4);
    }
}

static void shares_stay_shares(void **state) {
  (void)state;
  uint64_t seed = 3;
  const TensionType *type = tension_type(0);
  double old[TENSION_STATES], now[TENSION_STATES];
  type->begin(type->preset[0].value, 0, 1, old); /* no calcium at all */
  for (int i = 0; i < 2000; ++i) {
    const TensionIn in = {pow(10, draw_between(&seed, -3, 4)), draw_between(&seed, 0, 3), draw_between(&seed, 0.6, 1.4),
                          draw_between(&seed, 0.6, 1.4), old};
    TensionOut out = {.state = now};
    type->step(type->preset[i / 500].value, &in, &out);
    double sum = 0;
    for (int j = 0; j < 4; ++j) {
      assert_true(now[j] >= 0 && now[j] <= 1);
      sum += j < 3 ? now[j] : 0;
    }
    assert_true(sum <= 1 + 1e-14 && isfinite(out.tension) && isfinite(out.slope));
    memcpy(old, now, sizeof old);
  }
}

/* No time, no motion: the step that ended there again. */
static void no_time_changes_nothing(void **state) {
  (void)state;
  for (int kind = 0; kind < tension_count(); ++kind) {
    const TensionType *type = tension_type(kind);
    double old[TENSION_STATES] = {0.2, 0.1, 0.3, 0.4, 0.05, -0.02}, now[TENSION_STATES];
    const TensionIn in = {0, 0.5, 1.1, 1.1, old};
    TensionOut out = {.state = now};
    type->step(type->preset[0].value, &in, &out);
    for (int j = 0; j < type->n_state; ++j) assert_within(now[j], old[j], 1e-15);
  }
}

static void ranges(void **state) {
  (void)state;
  double v[TENSION_PARAMS];
  for (int kind = 0; kind < tension_count(); ++kind)
    for (int p = 0; p < tension_type(kind)->n_preset; ++p) {
      assert_int_equal(tension_check(kind, tension_type(kind)->preset[p].value), OK);
      for (int i = 0; p == 0 && i < tension_type(kind)->n_param; ++i)
        assert_within(tension_type(kind)->preset[0].value[i], tension_type(kind)->param[i].value, 0);
    }
  memcpy(v, tension_type(0)->preset[0].value, sizeof v);
  v[3] = 0.5; /* k-ws */
  assert_int_equal(tension_check(0, v), ERR_INPUT);
  assert_non_null(strstr(status_message(), "k-ws"));
  v[3] = 0.01, v[9] = -5; /* beta-1 */
  assert_int_equal(tension_check(0, v), ERR_INPUT);
  assert_non_null(strstr(status_message(), "beta-1"));
  v[9] = -2, v[6] = 1; /* r-s */
  assert_int_equal(tension_check(0, v), ERR_INPUT);
  assert_non_null(strstr(status_message(), "r-s is 1"));
  assert_int_equal(tension_by_name("lande"), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(land_is_its_equations),   cmocka_unit_test(derivatives_are_differences),
      cmocka_unit_test(steady_tensions),         cmocka_unit_test(shares_stay_shares),
      cmocka_unit_test(no_time_changes_nothing), cmocka_unit_test(ranges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
