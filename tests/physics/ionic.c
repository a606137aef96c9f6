/* Every ionic model of the registry: parameters and presets, rest, implicit state against Newton's method on the rate,
 * tangents against differences; what Aliev-Panfilov does outside its range. */
#include "physics/ionic.h"
#include "physics/ionic_kernels.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

/* Runs `check` for every preset of every model. */
static void for_all(void (*check)(const IonicType *type, const IonicConstants *c)) {
  for (int kind = 0; kind < ionic_count(); ++kind)
    for (int preset = 0; preset < ionic_type(kind)->n_preset; ++preset) {
      const IonicConstants c = ionic_constants(kind, preset);
      check(ionic_type(kind), &c);
    }
}

static void check_tables(const IonicType *type, const IonicConstants *c) {
  assert_ok(ionic_check(c));
  assert_true(strlen(type->meaning) > 10 && type->n_state >= 1 && type->n_state <= IONIC_STATES);
  for (int j = 0; j < type->n_state; ++j) {
    assert_true(strlen(type->state[j].meaning) > 5 && strlen(type->state[j].name) > 0);
    assert_int_equal(ionic_state(c->kind, type->state[j].name), j); /* no name twice */
  }
  assert_int_equal(ionic_by_name(type->name), c->kind);
  assert_true(type->n_param <= IONIC_PARAMS && type->n_preset > 0);
  for (int i = 0; i < type->n_param; ++i) {
    assert_true(strlen(type->param[i].unit) > 0 && strlen(type->param[i].meaning) > 0);
    assert_int_equal(ionic_parameter(c->kind, type->param[i].name), i);
    assert_ok(param_check(&type->param[i], type->param[i].value));
    assert_true(type->preset[0].value[i] == type->param[i].value); /* the first preset is the default */
  }
  for (int i = 0; i < type->n_preset; ++i) assert_int_equal(ionic_preset(c->kind, type->preset[i].name), i);
  assert_int_equal(ionic_parameter(c->kind, "colour"), -1);
  assert_int_equal(ionic_preset(c->kind, "colour"), -1);
}
static void tables(void **state) {
  (void)state;
  for_all(check_tables);
  assert_null(ionic_type(-1));
  assert_null(ionic_type(ionic_count()));
  assert_int_equal(ionic_by_name("hodgkin"), -1);
  assert_int_equal(ionic_preset(ionic_by_name("aliev-panfilov"), "goktepe-kuhl"), 0);
}

static void ranges(void **state) {
  (void)state;
  const int kind = ionic_by_name("aliev-panfilov");
  IonicConstants c = ionic_constants(kind, 0), d = c;
  c.value[ionic_parameter(kind, "alpha")] = 0.5;
  assert_fails(ionic_check(&c), ERR_INPUT, "alpha is 0.5, must lie in (0, 0.5)");
  assert_false(ionic_same(&c, &d));
  assert_true(ionic_same(&d, &d));
  c = d;
  c.value[ionic_parameter(kind, "mu2")] = 0;
  assert_fails(ionic_check(&c), ERR_INPUT, "mu2 is 0, must be > 0");
  c.value[ionic_parameter(kind, "mu2")] = NAN;
  assert_fails(ionic_check(&c), ERR_INPUT, "mu2 is ");
  c = ionic_constants(ionic_by_name("mitchell-schaeffer"), 0);
  assert_false(ionic_same(&c, &d));
  c.value[5] = 0;
  assert_fails(ionic_check(&c), ERR_INPUT, "gate-width is 0, must lie in [0.0001, 0.1]");
  c.kind = 99;
  assert_fails(ionic_check(&c), ERR_BUG, "99");
}

/* What is tried of a model: potentials above rest, states, and steps to this one. */
typedef struct Range {
  double V[2], s[2], step;
} Range;
static Range range_of(const IonicType *type) {
  const Range cells = {{-8, 125}, {0, 2.5}, 2.01}, gates = {{-8, 125}, {0, 1.2}, 0.3},
              verification = {{-1, 1}, {0.4, 1}, 0.13};
  if (strcmp(type->name, "bueno-orovio") == 0) return gates;
  return strcmp(type->name, "pathmanathan-gray") == 0 ? verification : cells;
}
/* Parts of the range: the first state runs through it, each further one is a golden section ahead. */
static void states_at(const IonicType *type, double part, double *s) {
  const Range r = range_of(type);
  for (int j = 0; j < type->n_state; ++j) s[j] = r.s[0] + (r.s[1] - r.s[0]) * fmod(part + 0.618 * j, 1.0000001);
}
/* The reaction after an implicit step as the kernels take it. */
static double implicit(const IonicConstants *c, double V, const double *known, double step, double *slope) {
  double s[IONIC_STATES];
  memcpy(s, known, sizeof s);
  const IonicCell cell = {.state = s, .stride = 1};
  return ionic_implicit(IONIC_STATES, c, V, &cell, step, slope);
}

/* Nothing happens to a cell at rest, which a small push does not change. */
static void check_rest(const IonicType *type, const IonicConstants *c) {
  double s[IONIC_STATES] = {0}, g[IONIC_STATES], next[IONIC_STATES], by_V[IONIC_STATES], f_by_V, slope;
  const double V = type->rest(c, s);
  if (type->n_gate) { /* paced, and so never quite at rest */
    assert_within(type->reaction(c, V, s, &f_by_V, by_V), 0, 2e-3);
    assert_true(f_by_V < 0);
    return;
  }
  assert_near(type->reaction(c, V, s, &f_by_V, by_V), 0, 1e-15);
  type->rate(c, V, s, g);
  type->implicit(c, V, s, 0.5, next, by_V);
  for (int j = 0; j < type->n_state; ++j) {
    assert_near(g[j], 0, 1e-15);
    assert_near(next[j], s[j], 1e-15);
  }
  assert_near(implicit(c, V, s, 0.5, &slope), 0, 1e-15);
  if (strcmp(type->name, "pathmanathan-gray") == 0) return; /* grows where nothing diffuses: beta < 0 */
  assert_true(slope < 0);                                   /* stable */
  assert_true(implicit(c, V + 0.1, s, 0.5, &slope) < 0);
}
static void rest(void **state) {
  (void)state;
  for_all(check_rest);
}

/* x of A x = b, both overwritten, with the largest pivots. */
static void solve(int n, double A[IONIC_STATES][IONIC_STATES], double *b) {
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k; i < n; ++i) p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
    for (int j = 0; j < n; ++j) {
      const double swap = A[k][j];
      A[k][j] = A[p][j], A[p][j] = swap;
    }
    const double swap = b[k];
    b[k] = b[p], b[p] = swap;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = 0; k < n; ++k) b[k] /= A[k][k];
}

/* The paper's local iteration: s - known - step g(V, s) = 0 by Newton's method, derivatives by differences. */
static void local_newton(const IonicType *type, const IonicConstants *c, double V, const double *known, double step,
                         double *s) {
  const int n = type->n_state;
  memcpy(s, known, (size_t)n * sizeof *s);
  for (int iteration = 0; iteration < 50; ++iteration) {
    double A[IONIC_STATES][IONIC_STATES] = {{0}}, g[IONIC_STATES], up[IONIC_STATES], down[IONIC_STATES], most = 0;
    type->rate(c, V, s, g);
    for (int j = 0; j < n; ++j) {
      const double at = s[j], h = 1e-6 * (1 + fabs(at));
      s[j] = at + h, type->rate(c, V, s, up);
      s[j] = at - h, type->rate(c, V, s, down);
      s[j] = at;
      for (int i = 0; i < n; ++i) A[i][j] = (i == j) - step * (up[i] - down[i]) / (2 * h);
    }
    for (int j = 0; j < n; ++j) {
      g[j] = known[j] + step * g[j] - s[j];
      most = fmax(most, fabs(g[j]));
    }
    solve(n, A, g);
    for (int j = 0; j < n; ++j) s[j] += g[j];
    if (most < 1e-15) break;
  }
}
static void check_state(const IonicType *type, const IonicConstants *c) {
  if (!type->implicit) return;
  int seen = 0;
  double rest_state[IONIC_STATES];
  const Range r = range_of(type);
  const double V0 = type->rest(c, rest_state);
  for (double V = V0 + r.V[0]; V <= V0 + r.V[1]; V += 0.0278 * (r.V[1] - r.V[0]))
    for (double part = 0; part <= 1; part += 0.05)
      for (double step = 0; step <= r.step; step = step > 0 ? 2 * step : r.step / 16.08) {
        double known[IONIC_STATES] = {0}, s[IONIC_STATES], by_V[IONIC_STATES], by_hand[IONIC_STATES], g[IONIC_STATES],
               slope, f_by_V, f_by_s[IONIC_STATES];
        states_at(type, part, known);
        type->implicit(c, V, known, step, s, by_V);
        local_newton(type, c, V, known, step, by_hand);
        type->rate(c, V, s, g);
        for (int j = 0; j < type->n_state; ++j) {
          assert_near(s[j], by_hand[j], 1e-12);
          assert_near(s[j] - known[j] - step * g[j], 0, 1e-14);
        }
        const double f = type->reaction(c, V, s, &f_by_V, f_by_s);
        for (int j = 0; j < type->n_state; ++j) f_by_V += f_by_s[j] * by_V[j];
        assert_near(implicit(c, V, known, step, &slope), f, 1e-13); /* a compiler may round one of the two otherwise */
        assert_near(slope, f_by_V, 1e-13);
        ++seen;
      }
  assert_true(seen > 3000);
}
static void implicit_state(void **state) {
  (void)state;
  for_all(check_state);
}

/* Partial derivatives of the reaction by the states against differences. */
static void check_partial(const IonicType *type, const IonicConstants *c, double V, const double *known) {
  const bool steps = strcmp(type->name, "bueno-orovio") == 0; /* which are narrow */
  const double h_V = steps ? 2e-6 : 1e-4, h = 1e-4;
  double f_by_V, f_by_s[IONIC_STATES], ignored, ignored_too[IONIC_STATES], s[IONIC_STATES];
  (void)type->reaction(c, V, known, &f_by_V, f_by_s);
  const double by_V = (type->reaction(c, V + h_V, known, &ignored, ignored_too) -
                       type->reaction(c, V - h_V, known, &ignored, ignored_too)) /
                      (2 * h_V);
  assert_near(f_by_V, by_V, steps ? 1e-7 : 1e-8);
  for (int j = 0; j < type->n_state; ++j) {
    memcpy(s, known, sizeof s);
    s[j] = known[j] + h;
    const double plus = type->reaction(c, V, s, &ignored, ignored_too);
    s[j] = known[j] - h;
    const double minus = type->reaction(c, V, s, &ignored, ignored_too);
    assert_near(f_by_s[j], (plus - minus) / (2 * h), 1e-8);
  }
}

static void check_tangent(const IonicType *type, const IonicConstants *given) {
  if (!type->implicit) return;
  IonicConstants wide = *given; /* steps that the differences resolve */
  const IonicConstants *const c = &wide;
  const int width = ionic_parameter(given->kind, "gate-width");
  if (width >= 0) wide.value[width] = fmax(wide.value[width], 0.005);
  const Range r = range_of(type);
  const double h = 1e-7 * (r.V[1] - r.V[0]);
  double at_rest[IONIC_STATES] = {0}, most = 0;
  const double V0 = type->rest(c, at_rest);
  for (double V = V0 + r.V[0]; V <= V0 + r.V[1]; V += 0.0073 * (r.V[1] - r.V[0]))
    for (double part = 0; part < 1; part += 0.12)
      for (double step = r.step / 16.08; step <= r.step; step *= 4) {
        double known[IONIC_STATES] = {0}, slope, ignored, f_by_V, f_by_s[IONIC_STATES];
        states_at(type, part, known);
        const double plus = implicit(c, V + h, known, step, &ignored),
                     minus = implicit(c, V - h, known, step, &ignored);
        (void)implicit(c, V, known, step, &slope);
        assert_near(slope, (plus - minus) / (2 * h), 2e-7);
        double up[IONIC_STATES], down[IONIC_STATES], s[IONIC_STATES], by_V[IONIC_STATES], unused[IONIC_STATES];
        type->implicit(c, V + h, known, step, up, unused);
        type->implicit(c, V - h, known, step, down, unused);
        type->implicit(c, V, known, step, s, by_V);
        for (int j = 0; j < type->n_state; ++j) assert_near(by_V[j], (up[j] - down[j]) / (2 * h), 2e-8);
        check_partial(type, c, V, known);
        (void)type->reaction(c, V, at_rest, &f_by_V, f_by_s);
        most = fmax(most, f_by_V);
      }
  assert_true(most <= type->max_slope(c) * (1 + 1e-12));
}
static void tangents(void **state) {
  (void)state;
  for_all(check_tangent);
}

/* Kernels: what is known comes from state and history, a step goes on to the implicit states and keeps rates or growth;
 * where models of one state alone are meant, others are left alone. */
static void check_cells(const IonicType *type, const IonicConstants *c) {
  if (!type->implicit) return;
  enum { CELLS = 3 };
  const int n = type->n_state;
  double rest_state[IONIC_STATES];
  const double V = type->rest(c, rest_state) + 0.3, step = 0.1, carry = 0.25;
  for (int keeps_rate = 0; keeps_rate < 2; ++keeps_rate) {
    double state[IONIC_STATES * CELLS], history[IONIC_STATES * CELLS],
        s[IONIC_STATES] = {0}, known[IONIC_STATES] = {0}, next[IONIC_STATES], by_V[IONIC_STATES], g[IONIC_STATES],
        slope, wanted;
    for (int k = 0; k < IONIC_STATES * CELLS; ++k) state[k] = history[k] = 77;
    states_at(type, 0.3, s);
    for (int j = 0; j < n; ++j) {
      state[j * CELLS + 1] = s[j], history[j * CELLS + 1] = 0.1 * (j + 1);
      known[j] = s[j] + carry * history[j * CELLS + 1];
    }
    const IonicCell cell = {.state = state + 1, .history = history + 1, .stride = CELLS, .carry = carry};
    const double f = ionic_implicit(IONIC_STATES, c, V, &cell, step, &slope);
    assert_near(f, implicit(c, V, known, step, &wanted), 1e-14);
    assert_near(slope, wanted, 1e-13);
    if (n > 1) {
      assert_true(ionic_implicit(1, c, V, &cell, step, &slope) == 0 && slope == 0);
      ionic_advance(1, c, V, &cell, step, keeps_rate);
      ionic_begin(1, c, V, &cell);
      assert_true(state[1] == s[0] && history[1] == 0.1);
    }
    type->implicit(c, V, known, step, next, by_V);
    ionic_advance(IONIC_STATES, c, V, &cell, step, keeps_rate);
    type->rate(c, V, next, g);
    for (int j = 0; j < n; ++j) {
      assert_near(state[j * CELLS + 1], next[j], 1e-14);
      assert_near(history[j * CELLS + 1], keeps_rate ? g[j] : next[j] - s[j], 1e-13);
    }
    ionic_begin(IONIC_STATES, c, V, &cell);
    for (int j = 0; j < n; ++j) assert_near(history[j * CELLS + 1], g[j], 1e-13);
    for (int k = 0; k < IONIC_STATES * CELLS; ++k) /* no other cell's */
      if (k % CELLS != 1 || k / CELLS >= n) assert_true(state[k] == 77 && history[k] == 77);
  }
}
static void cells(void **state) {
  (void)state;
  for_all(check_cells);
}

/* States first: the states follow their rates, and the slope is that of f with the states fixed. */
static void check_first(const IonicType *type, const IonicConstants *c) {
  const Range r = range_of(type);
  double start[IONIC_STATES] = {0}, g[IONIC_STATES], by_s[IONIC_STATES], by_V, ignored;
  const double V0 = type->rest(c, start), longest = type->n_gate ? 1e-6 : 1e-4; /* fast gates */
  for (double V = V0 + r.V[0]; V <= V0 + r.V[1]; V += 0.093 * (r.V[1] - r.V[0])) {
    if (!type->n_gate) states_at(type, 0.4, start);
    type->rate(c, V, start, g);
    double error[2] = {0}, most = 0, s[IONIC_STATES];
    for (int k = 0; k < 2; ++k) {
      const double dt = longest / (1 + k);
      memcpy(s, start, sizeof s);
      (void)type->first(c, V, 0, dt, s, &by_V);
      for (int j = 0; j < type->n_state; ++j) {
        error[k] = fmax(error[k], fabs((s[j] - start[j]) / dt - g[j]));
        most = fmax(most, fabs(g[j]));
      }
    }
    assert_true(error[0] <= 0.02 * most && (error[1] < 0.52 * error[0] || error[0] < 1e-9 * (1 + most)));
    const double f = type->reaction(c, V, s, &ignored, by_s);
    memcpy(s, start, sizeof s);
    assert_near(type->first(c, V, 0, 0.5 * longest, s, &by_V), f, type->n_gate ? 1e-9 : 1e-12);
    assert_near(by_V, ignored, type->n_gate ? 1e-9 : 1e-12);
  }
}
static void states_first(void **state) {
  (void)state;
  for_all(check_first);
}

/* A local iteration that finds nothing says so: no real u2 solves its cubic here. */
static void not_found(void **state) {
  (void)state;
  const IonicConstants c = ionic_constants(ionic_by_name("pathmanathan-gray"), 0);
  const double known[3] = {40, 3, 0};
  double s[3], by_V[3];
  ionic_type(c.kind)->implicit(&c, 0, known, 50, s, by_V);
  assert_true(isnan(s[0]) && isnan(s[1]));
}

static double steepness(const IonicConstants *c, double V, double s) {
  double by_V, by_s;
  (void)ionic_type(c->kind)->reaction(c, V, &s, &by_V, &by_s);
  return by_V;
}

/* The bound is attained; Aliev-Panfilov's is the one that METHODS states, 4.9 ms. */
static void largest_step(void **state) {
  (void)state;
  const IonicConstants ap = ionic_constants(ionic_by_name("aliev-panfilov"), 0),
                       ms = ionic_constants(ionic_by_name("mitchell-schaeffer"), 0);
  assert_near(ionic_largest_step(&ap, 1), 12.9 / (8 * (1.01 * 1.01 / 3 - 0.01)), 1e-12);
  assert_within(ionic_largest_step(&ap, 1), 4.9, 0.05);
  assert_near(ionic_largest_step(&ap, 2) / ionic_largest_step(&ap, 1), 2, 1e-14);
  assert_near(steepness(&ap, -80 + 101.0 / 3, 0), 1 / ionic_largest_step(&ap, 1), 1e-14);
  assert_near(steepness(&ms, -80 + 100.0 / 3, 1), 1 / ionic_largest_step(&ms, 1), 1e-14);
}

/* phi <= -mu2 and states far from any that occur: finite, continuous, and the tangent still that of the function. */
static void guards(void **state) {
  (void)state;
  const IonicConstants c = ionic_constants(ionic_by_name("aliev-panfilov"), 0);
  const double one = 1;
  double before, after, by_V;
  ionic_type(c.kind)->implicit(&c, -107.0 + 1e-9, &one, 0.5, &before, &by_V);
  ionic_type(c.kind)->implicit(&c, -107.0 - 1e-9, &one, 0.5, &after, &by_V);
  assert_near(before, after, 1e-7);
  for (double V = -500; V < 600; V += 7.3)
    for (double known_state = -2; known_state <= 4; known_state += 0.5) {
      const double known[IONIC_STATES] = {known_state};
      double slope, ignored;
      const double f = implicit(&c, V, known, 2, &slope), h = 1e-3;
      const double difference =
          (implicit(&c, V + h, known, 2, &ignored) - implicit(&c, V - h, known, 2, &ignored)) / (2 * h);
      assert_true(isfinite(f) && isfinite(slope));
      if (known_state >= 0 && fabs(V + 107) > 1) assert_near(slope, difference, 1e-7);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables),       cmocka_unit_test(ranges),
                                     cmocka_unit_test(rest),         cmocka_unit_test(implicit_state),
                                     cmocka_unit_test(tangents),     cmocka_unit_test(largest_step),
                                     cmocka_unit_test(guards),       cmocka_unit_test(cells),
                                     cmocka_unit_test(states_first), cmocka_unit_test(not_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
