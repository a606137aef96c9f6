/* Muscle in a material: its stress is the derivative of its energy where the tension is given, its tangent that of the stress, with
 * the step of a model in it; what parts of it are; what a model remembers. */
#include "physics/active.h"
#include "physics/material.h"
#include "physics/tension.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

typedef struct Muscle {
  ElasticConstants c;
  double law[LAW_SIZE], old[POINT_MAX_STATES];
  PointIn in;
} Muscle;

static double drawn(uint64_t *seed, double size) { return draw_between(seed, -size, size); }

static void muscle_draw(uint64_t *seed, const char *material, int form, int model, Muscle *m) {
  double value[PARAM_MOST + PARAM_CURVES] = {0}, R[9];
  const int kind = material_by_name(material);
  const MaterialType *type = material_type(kind);
  for (int k = 0; k < type->n_param; ++k) value[k] = type->param[k].value;
  if (!strcmp(material, "guccione")) value[0] = 2, value[1] = 8, value[2] = 2, value[3] = 4, value[4] = 50;
  else value[material_parameter(kind, "shear")] = 4, value[material_parameter(kind, "bulk")] = 40;
  assert_ok(material_check(kind, value));
  for (int k = 0; k < 6; ++k) R[k] = drawn(seed, 1);
  assert_true(axes_complete(R));
  material_law(kind, MODEL_SOLID, value, R, m->law);
  m->c = material_constants(kind, MODEL_SOLID, value);
  m->c.active = (PointActive){.form = form, .model = model, .state = type->shape.n_state};
  if (model >= 0) m->c.active.n_state = tension_type(model)->n_state;
  memset(m->old, 0, sizeof m->old);
  for (int k = 0; model >= 0 && k < m->c.active.n_state; ++k) m->old[k] = draw_between(seed, 0.05, 0.25);
  if (model >= 0) {
    m->old[m->c.active.n_state] = draw_between(seed, 0.9, 1.1); /* stretch before */
    memcpy(m->c.active.value, tension_type(model)->preset[0].value, sizeof m->c.active.value);
  }
  m->in = (PointIn){.axes = m->law + LAW_AXES,
                    .finite = true,
                    .dt = draw_between(seed, 0.1, 2),
                    .old = m->old,
                    .active = draw_between(seed, 1, 60),
                    .drive = 0.6};
}

static double answer(const Muscle *m, const double *H, double *P, double *A) {
  double state[POINT_MAX_STATES];
  PointIn in = m->in;
  PointOut out = {.A = A, .state = state};
  in.H = H;
  assert_int_equal(active_point(&m->c, m->law, &in, &out), 0);
  memcpy(P, out.P, sizeof out.P);
  return out.energy;
}

/* dT/dl of the model at H. */
static double slope_at(const Muscle *m, const double *H) {
  const double *f = m->in.axes;
  double state[POINT_MAX_STATES], square = 0, slope;
  for (int i = 0; i < 3; ++i) {
    const double Ff = f[i] + H[3 * i] * f[0] + H[3 * i + 1] * f[1] + H[3 * i + 2] * f[2];
    square += Ff * Ff;
  }
  (void)active_tension(&m->c.active, &m->in, sqrt(square), state, &slope);
  return slope;
}

/* Central differences of sixth order of the answers along H[m]. */
static void difference(const Muscle *muscle, const double *given, int m, double h, double *energy, double *P) {
  static const double weight[3] = {45. / 60, -9. / 60, 1. / 60};
  double H[9], low[9], high[9];
  *energy = 0;
  for (int k = 0; k < 9; ++k) P[k] = 0, H[k] = given[k];
  for (int s = 1; s <= 3; ++s) {
    H[m] = given[m] + s * h;
    const double above = answer(muscle, H, high, NULL);
    H[m] = given[m] - s * h;
    *energy += weight[s - 1] * (above - answer(muscle, H, low, NULL)) / h;
    for (int k = 0; k < 9; ++k) P[k] += weight[s - 1] * (high[k] - low[k]) / h;
  }
}

static void derivatives(void **state) {
  (void)state;
  uint64_t seed = 77;
  int held = 0, falls = 0;
  for (int i = 0; i < 120; ++i) {
    Muscle m;
    const int model = i % 3 == 2 ? 0 : -1;
    double H[9], P[9], A[81], by[9], by_energy, size = 0, worst = 0;
    muscle_draw(&seed, i % 2 ? "guccione" : "neo-hooke", i / 2 % 2 ? ACTIVE_STRETCH : ACTIVE_INVARIANT, model, &m);
    for (int k = 0; k < 9; ++k) H[k] = drawn(&seed, 0.1);
    if (i % 6 == 5)
      m.old[4] = draw_between(&seed, -2, -1.2), m.old[5] = -0.2, m.old[6] = 1.25, m.in.dt = 2; /* Land's, that pushes */
    answer(&m, H, P, A);
    for (int k = 0; k < 81; ++k) size = fmax(size, fabs(A[k]));
    for (int k = 0; k < 9; ++k) {
      difference(&m, H, k, model < 0 ? 1e-3 : 1e-4, &by_energy, by);
      if (model < 0) assert_within(P[k], by_energy, 1e-10 * size);
      for (int n = 0; n < 9; ++n) worst = fmax(worst, fabs(A[9 * n + k] - by[n]));
    }
    for (int k = 0; k < 9; ++k)
      for (int n = 0; n < 9; ++n) assert_within(A[9 * k + n], A[9 * n + k], 1e-12 * size);
    if (model >= 0 && worst > 1e-8 * size) continue; /* a kink of the model */
    if (worst > (model < 0 ? 1e-10 : 1e-8) * size) fail_msg("%d: off by %g of %g", i, worst, size);
    held += model >= 0, falls += model >= 0 && slope_at(&m, H) < -1;
  }
  assert_true(held > 35 && falls > 5); /* of 40 */
}

/* What parts of the energy are, of a material with fibres and of one without. */
static void parts(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 4; ++i) {
    Muscle m;
    double H[9], P[3][9], passive[9], states[POINT_MAX_STATES];
    PointOut out = {.state = states};
    muscle_draw(&seed, i % 2 ? "guccione" : "neo-hooke", ACTIVE_STRETCH, -1, &m);
    for (int k = 0; k < 9; ++k) H[k] = drawn(&seed, 0.1);
    for (int part = PART_ALL; part <= PART_FIBRES; ++part) {
      m.in.part = (PointPart)part;
      answer(&m, H, P[part], NULL);
    }
    m.in.part = PART_MATRIX, m.in.H = H;
    out.fibres = false;
    assert_int_equal(material_point(m.c.kind, m.law, &m.in, &out), 0);
    memcpy(passive, out.P, sizeof passive);
    for (int k = 0; k < 9; ++k) {
      assert_within(P[PART_MATRIX][k], passive[k], 0);
      assert_within(P[PART_MATRIX][k] + P[PART_FIBRES][k], P[PART_ALL][k], 1e-12 * 100);
    }
  }
}

/* Steps of a muscle that is held are those of the model alone; it begins at rest. */
static void model_steps(void **state) {
  (void)state;
  uint64_t seed = 9;
  Muscle m;
  const TensionType *type = tension_type(0);
  double H[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, now[POINT_MAX_STATES], own[TENSION_STATES], next[TENSION_STATES];
  muscle_draw(&seed, "neo-hooke", ACTIVE_INVARIANT, 0, &m);
  memset(m.old, 0, sizeof m.old);
  m.old[type->n_state] = 1; /* the stretch that points begin with */
  type->begin(type->preset[0].value, 0.6, 1, own);
  for (int i = 0; i < 30; ++i) {
    PointOut out = {.state = now};
    m.in.H = H;
    assert_int_equal(active_point(&m.c, m.law, &m.in, &out), 0);
    const TensionIn in = {m.in.dt, 0.6, i ? 1.1 : 1, 1.1, own};
    TensionOut alone = {.state = next};
    type->step(type->preset[0].value, &in, &alone);
    memcpy(own, next, sizeof own);
    for (int k = 0; k < type->n_state; ++k) assert_within(now[k], own[k], 1e-12);
    assert_within(now[type->n_state], 1.1, 1e-14);
    assert_within(now[type->n_state + 1], alone.tension, 1e-12);
    assert_within(now[type->n_state + 2], (1.1 * 1.1 - 1) / 2, 1e-14);
    memcpy(m.old, now, sizeof now);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(parts),
                                     cmocka_unit_test(model_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
