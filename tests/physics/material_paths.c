/* Every material of the registry that is not linear, with parameters drawn from its own table, along a path of steps that starts
 * from its own initial states: P = dW/dH and A = dP/dH at held old states, what rest, rotations and the next step must see. A row
 * in material_samples.h is not needed for that. */
#include "physics/material.h"
#include "physics/material_kernels.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN = 24, TRIES = 4000, STEPS = 6, POINTS = 4, NUMBERS = PARAM_MOST + PARAM_CURVES };

typedef struct Drawn {
  int kind;
  bool finite;
  double law[LAW_SIZE + PARAM_CURVES], R[9], temperature, swell;
} Drawn;

static uint64_t seed;
static double uniform(double from, double to) { return draw_between(&seed, from, to); }

static double norm(const double *v, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += v[k] * v[k];
  return sqrt(sum);
}

/* Within the range of the table, words included. */
static double draw(const Param *p) {
  if (strchr(p->unit, '|')) return floor(uniform(p->min, p->max + 1));
  if (strncmp(p->unit, "stress", 6) == 0) return pow(10, uniform(0, 2));
  if (strncmp(p->unit, "1/temperature", 13) == 0) return uniform(-1e-3, 1e-3);
  if (isfinite(p->min) && isfinite(p->max)) return uniform(p->min, p->max);
  return isfinite(p->min) ? p->min + uniform(0.2, 5) : uniform(-3, 3);
}

/* Points that ascend, behind `to`; what is behind them. */
static double *draw_points(const Param *p, double *to) {
  double x = 0, y = draw(p);
  *to = param_is_pairs(p) ? 3 : POINTS;
  if (param_is_pairs(p)) x = strstr(p->unit, "with stress") ? pow(10, uniform(0, 2)) : uniform(0.05, 0.3);
  for (int i = 0, n = (int)*to++; i < n; ++i, x += uniform(0.001, 0.05), y += uniform(0, 5)) *to++ = x, *to++ = y;
  return to;
}

/* A curve, or tables of three temperatures. value[k] and what stands at `end` of the numbers. */
static void draw_curve(const Param *p, double *value, int k, int *end) {
  double *to = value + *end, heat = uniform(-60, -20);
  value[k] = *end;
  if (!param_is_tables(p) || uniform(0, 1) < 0.5) to = draw_points(p, to);
  else
    for (int i = (*to++ = -3, 0); i < 3; ++i, heat += uniform(5, 40)) *to++ = heat, to = draw_points(p, to);
  *end = (int)(to - value);
}

/* A number over three temperatures. */
static void draw_warm(const Param *p, double *value, int k, int *end) {
  double *to = value + *end, heat = uniform(-60, -20);
  value[k] = -*end;
  *to++ = 3;
  for (int i = 0; i < 3; ++i, heat += uniform(5, 40)) *to++ = heat, *to++ = draw(p);
  *end = (int)(to - value);
}

/* A law that the material's own check takes; false: none of many. */
static bool draw_law(int kind, Drawn *s) {
  const MaterialType *type = material_type(kind);
  const double row[6] = {0.3, -0.8, 0.5, 0.4, 0.1, -0.9};
  double value[NUMBERS] = {0};
  for (int tried = 0; tried < TRIES; ++tried) {
    for (int i = 0, end = PARAM_MOST; i < type->n_param; ++i) {
      const Param *p = &type->param[i];
      value[i] = p->required || uniform(0, 1) < 0.6 ? draw(p) : p->value;
      if (param_is_curve(p) && value[i] != p->value) draw_curve(p, value, i, &end);
      if (param_is_warm(p) && value[i] != p->value && uniform(0, 1) < 0.5) draw_warm(p, value, i, &end);
    }
    if (material_check(kind, value) != OK) continue;
    memcpy(s->R, row, sizeof row);
    assert_true(axes_complete(s->R));
    material_law(kind, MODEL_SOLID, value, s->R, s->law);
    material_law_curves(kind, value, LAW_SIZE, s->law);
    memcpy(s->law + LAW_SIZE, value + PARAM_MOST, PARAM_CURVES * sizeof *value);
    s->kind = kind;
    s->temperature = uniform(-50, 50);
    if (s->law[LAW_SWELL] > -LAW_SIZE && s->law[LAW_SWELL] != 0)
      s->temperature = uniform(-0.05, 0.05) / s->law[LAW_SWELL];
    s->swell = property_at(s->law, LAW_SWELL, s->temperature) * s->temperature;
    if (fabs(s->swell) > 0.05) continue;
    return true;
  }
  return false;
}

static int answer(const Drawn *s, const double *H, const double *old, double dt, double *now, double *P, double *A,
                  double *W) {
  const PointIn in = {.H = H, .axes = s->R, .old = old, .dt = dt, .finite = s->finite, .temperature = s->temperature};
  PointOut out = {.A = A, .state = now};
  const int failed = material_point(s->kind, s->law, &in, &out);
  memcpy(P, out.P, sizeof out.P);
  if (W) *W = out.energy;
  return failed;
}

static void fail_at(const Drawn *s, const char *what, double found, double wanted) {
  fail_msg("material '%s', %s strains: %s is %.15g, not %.15g", material_type(s->kind)->name,
           s->finite ? "finite" : "small", what, found, wanted);
}
static void near(const Drawn *s, const char *what, double found, double wanted, double within) {
  if (!(fabs(found - wanted) <= within)) fail_at(s, what, found, wanted);
}

/* Central differences of fourth order, with old states held; steps of H that are small beside any yield strain. */
static void check_derivatives(const Drawn *s, const double *at, const double *old, double dt) {
  static const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  double H[9], P[9], A[81], now[POINT_MAX_STATES], one[9], W;
  const double h = 1e-5;
  assert_int_equal(answer(s, at, old, dt, now, P, A, &W), 0);
  const double stiff = norm(A, 81), size = norm(P, 9) + 1e-3 * stiff;
  const bool flows = material_type(s->kind)->shape.flows;
  memcpy(H, at, sizeof H);
  double slopes[81];
  for (int m = 0; m < 9; ++m) {
    double slope[10] = {0};
    for (int k = 0; k < 4; ++k) {
      H[m] = at[m] + offset[k] * h;
      assert_int_equal(answer(s, H, old, dt, now, one, NULL, &W), 0);
      for (int i = 0; i < 9; ++i) slope[i] += weight[k] * one[i] / (12 * h);
      slope[9] += weight[k] * W / (12 * h);
    }
    H[m] = at[m];
    if (!flows) near(s, "dW/dH beside P", slope[9], P[m], 1e-6 * size);
    for (int i = 0; i < 9; ++i) slopes[9 * i + m] = slope[i];
  }
  for (int m = 0; m < 81; ++m) {
    const double wanted = flows ? 0.5 * (slopes[m] + slopes[m % 9 * 9 + m / 9]) : slopes[m];
    near(s, "dP/dH beside A", wanted, A[m], 1e-5 * stiff);
  }
  for (int m = 0; material_type(s->kind)->shape.symmetric && m < 81; ++m)
    near(s, "A of a symmetric material, across its diagonal,", A[m], A[m % 9 * 9 + m / 9], 1e-12 * stiff);
}

/* H of a body that has expanded freely. */
static void expanded(const Drawn *s, double *H) {
  for (int i = 0; i < 9; ++i) H[i] = i % 4 == 0 ? s->swell : 0;
}

/* Without strain there is no stress, and any strain costs energy: a law of the wrong sign has good derivatives, too. */
static void check_rest(const Drawn *s, const double *old) {
  double still[9], P[9], A[81], H[9], now[POINT_MAX_STATES], W[2];
  expanded(s, still);
  assert_int_equal(answer(s, still, old, 0.1, now, P, A, &W[0]), 0);
  for (int i = 0; i < 9; ++i) near(s, "P at rest", P[i], 0, 1e-14 * norm(A, 81));
  for (int k = 0; k < 50; ++k) {
    double work = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) H[3 * i + j] = H[3 * j + i] = still[3 * i + j] + uniform(-1e-4, 1e-4);
    assert_int_equal(answer(s, H, old, 0.1, now, P, NULL, &W[1]), 0);
    for (int i = 0; i < 9; ++i) work += P[i] * (H[i] - still[i]);
    if (!(work > 0 && W[1] > W[0])) fail_at(s, "the work of a small strain", work, fabs(work));
  }
}

/* P(Q F) = Q P(F) from the same old states, which are those of the body before it turns. */
static void check_turned(const Drawn *s, const double *H, const double *old, double dt) {
  double Q[9] = {0.1, 0.7, -0.4, 0.9, -0.2, 0.3}, QH[9], P[9], there[9], now[POINT_MAX_STATES], A[81];
  assert_true(axes_complete(Q));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      QH[3 * i + j] = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) QH[3 * i + j] += Q[3 * i + k] * (H[3 * k + j] + (k == j));
    }
  assert_int_equal(answer(s, H, old, dt, now, P, A, NULL), 0);
  assert_int_equal(answer(s, QH, old, dt, now, there, NULL, NULL), 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double wanted = 0;
      for (int k = 0; k < 3; ++k) wanted += Q[3 * i + k] * P[3 * k + j];
      near(s, "P of the body turned", there[3 * i + j], wanted, 1e-12 * (norm(P, 9) + norm(A, 81)));
    }
}

/* Steps with commits. A step of no time from the states that one ended with has its stress. How many steps left other states
 * than they found. */
static int check_path(const Drawn *s, double strain) {
  double H[9] = {0}, P[9], again[9], old[POINT_MAX_STATES], now[POINT_MAX_STATES], kept[POINT_MAX_STATES], A[81];
  int changed = 0;
  material_initial(s->kind, old);
  expanded(s, H);
  memcpy(now, old, sizeof now);
  check_rest(s, old);
  for (int step = 0; step < STEPS; ++step) {
    const double dt = uniform(0.05, 0.5);
    for (int i = 0; i < 9; ++i) H[i] += uniform(-strain, strain);
    check_derivatives(s, H, old, dt);
    if (s->finite) check_turned(s, H, old, dt);
    assert_int_equal(answer(s, H, old, dt, now, P, A, NULL), 0);
    assert_int_equal(answer(s, H, now, 0, kept, again, NULL, NULL), 0);
    for (int i = 0; i < 9; ++i) near(s, "P when no time passes after a step", again[i], P[i], 1e-11 * norm(A, 81));
    changed += memcmp(old, now, sizeof old) != 0;
    memcpy(old, now, sizeof old);
  }
  return changed;
}

/* A law with a parameter that has a meaning under small strains only has no answer at finite strain. */
static bool refuses(const Drawn *s) {
  const char *name = material_type(s->kind)->shape.small;
  const int k = name ? material_parameter(s->kind, name) : -1;
  const double H[9] = {1e-3};
  double old[POINT_MAX_STATES], now[POINT_MAX_STATES], P[9];
  if (k < 0 || s->law[k] == material_type(s->kind)->param[k].value) return false;
  material_initial(s->kind, old);
  if (!answer(s, H, old, 0, now, P, NULL, NULL)) fail_at(s, "what a law of small strains answers", 0, 1);
  return true;
}

/* Under small strains materials for large displacement gradients are not asked. Large strains are for what remembers. */
static void check_kind(int kind) {
  const MaterialShape *shape = &material_type(kind)->shape;
  int changed = 0;
  seed = 20251;
  for (int k = 0; k < DRAWN; ++k) {
    Drawn s;
    if (!draw_law(kind, &s))
      fail_msg("material '%s' takes no parameters drawn from its table", material_type(kind)->name);
    for (int finite = shape->finite; finite < 2; ++finite) {
      s.finite = finite;
      if (finite && refuses(&s)) continue;
      changed += check_path(&s, 0.02);
      if (shape->n_state) changed += check_path(&s, 0.15);
    }
  }
  if (shape->n_state && !changed) fail_msg("no path changes a state of material '%s'", material_type(kind)->name);
}

static void paths(void **state) {
  (void)state;
  int n = 0;
  for (int kind = 0; kind < material_count(); ++kind)
    if (!material_type(kind)->shape.linear) check_kind(kind), ++n;
  assert_true(n >= 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
