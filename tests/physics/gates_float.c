/* Gates in float against gates in double: rates and targets, the factor of a step, durations of beats, and a hundred of them. */
#include "physics/ionic.h"
#include "physics/courtemanche.h"
#include "physics/stewart.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

enum { N = 18, N_GATE = 13 };

static const double start[N] = {0.00172, 0.7444, 0.7045, 0.00621, 0.4712,   0.0095, 2.42e-8, 0.999998, 3.373e-5,
                                0.7888,  0.9755, 0.9953, 0.9073,  0.000126, 3.64,   0.00036, 8.604,    136.89};

static double off(double found, double exact) { return fabs(found / exact - 1); }

typedef void Gates(const IonicConstants *c, double V, const double *s, double *rate, double *target);
typedef void GatesFloat(const IonicConstants *c, double V, const double *s, float *rate, float *target);

/* With calcium from rest to releases: concentrations are multiplied by 1 to 300. */
static void rates_of(const char *model, int ca_ss, Gates *gates, GatesFloat *gates_float) {
  const IonicType *type = ionic_type(ionic_by_name(model));
  double worst[2][IONIC_STATES] = {{0}};
  for (int preset = 0; preset < (type->n_preset < 3 ? type->n_preset : 3); ++preset) {
    const IonicConstants c = ionic_constants(ionic_by_name(model), preset);
    for (int k = 0; k <= 36000; ++k) {
      double s[IONIC_STATES], rate[IONIC_STATES], target[IONIC_STATES];
      float rate_float[IONIC_STATES], target_float[IONIC_STATES];
      (void)type->rest(&c, s);
      s[ca_ss] *= pow(300, 1e-3 * (k % 1000));
      gates(&c, -120 + 5e-3 * k, s, rate, target);
      gates_float(&c, -120 + 5e-3 * k, s, rate_float, target_float);
      for (int j = 0; j < type->n_gate; ++j) {
        worst[0][j] = fmax(worst[0][j], off((double)rate_float[j], rate[j]));
        if (target[j] > 1e-37) worst[1][j] = fmax(worst[1][j], off((double)target_float[j], target[j]));
        else assert_true(target_float[j] >= 0 && target_float[j] < 2e-37f);
      }
    }
  }
  for (int j = 0; j < type->n_gate; ++j) {
    print_message("%s %s: rate %.1e, target %.1e\n", model, type->state[j].name, worst[0][j], worst[1][j]);
    assert_true(worst[0][j] < 1e-6 && worst[1][j] < 1e-6);
  }
}

static void rates(void **state) {
  (void)state;
  rates_of("ten-tusscher", TEN_TUSSCHER_IS_CASS, ten_tusscher_gates, ten_tusscher_gates_float);
  rates_of("courtemanche", COURTEMANCHE_IS_CAI, courtemanche_gates, courtemanche_gates_float);
  rates_of("stewart", STEWART_IS_REST + TEN_TUSSCHER_IS_CASS, stewart_gates, stewart_gates_float);
}

/* The factor of a step, of the slowest gates too; and no trap beyond all potentials. */
static void factor(void **state) {
  (void)state;
  const IonicConstants c = ionic_constants(ionic_by_name("ten-tusscher"), 0);
  double worst = 0;
  for (double x = 1e-12; x < 1e4; x *= 1.0001)
    worst = fmax(worst, off((double)ionic_way_float((float)x), -expm1(-(double)(float)x)));
  print_message("factor %.1e\n", worst);
  assert_true(worst < 2.5e-7 && ionic_way_float(0) == 0 && ionic_way_float(INFINITY) == 1);
  for (double V = -2000; V <= 2000; V += 0.37) {
    float rate[N_GATE], target[N_GATE];
    ten_tusscher_gates_float(&c, V, start, rate, target);
    for (int j = 0; j < N_GATE; ++j) assert_true(isfinite(rate[j]) && rate[j] >= 0 && target[j] >= 0 && target[j] <= 1);
  }
  float rate[N_GATE], target[N_GATE];
  ten_tusscher_gates_float(&c, (double)NAN, start, rate, target);
  assert_true(isnan(target[TEN_TUSSCHER_IS_M]));
}

typedef struct Cell {
  const IonicConstants c;
  double V, s[IONIC_STATES], apd90;
} Cell;

/* A beat of 1000 ms: stimulus of 52 mV/ms for 1 ms; states first, V by forward Euler. */
static void beat(Cell *cell, double dt) {
  static double trace[50001];
  const IonicType *type = ionic_type(cell->c.kind);
  const double rest = cell->V;
  const int n = (int)lround(1000 / dt);
  double up = NAN, peak = -100, by_V;
  for (int i = 0; i < n; ++i) {
    const double stimulus = i * dt < 1 ? 52 : 0, before = cell->V;
    trace[i] = before;
    cell->V += dt * (type->first(&cell->c, before, stimulus, dt, cell->s, &by_V) + stimulus);
    peak = fmax(peak, cell->V);
    if (isnan(up) && cell->V >= -40) up = i * dt + dt * (-40 - before) / (cell->V - before);
  }
  const double level = peak - 0.9 * (peak - rest);
  int i = n - 2;
  while (i > 0 && !(trace[i] >= level && trace[i + 1] < level)) --i;
  cell->apd90 = i * dt + dt * (level - trace[i]) / (trace[i + 1] - trace[i]) - up;
}

/* Epicardium, endocardium and mid: the tenth beat, and the hundredth, where an error of each would have grown. */
static void beats(void **state) {
  (void)state;
  const int kind = ionic_by_name("ten-tusscher");
  for (int preset = 0; preset < 3; ++preset) {
    Cell cell[2] = {{.c = ionic_constants(kind, preset), .V = -85.23},
                    {.c = ionic_constants(ionic_in_float(kind), preset), .V = -85.23}};
    for (int k = 0; k < 2; ++k) memcpy(cell[k].s, start, sizeof start);
    for (int i = 1; i <= 100; ++i) {
      double apart = 0;
      for (int k = 0; k < 2; ++k) beat(&cell[k], 0.02);
      for (int j = 0; j < N; ++j) apart = fmax(apart, off(cell[1].s[j], cell[0].s[j]));
      if (i == 1 || i == 10 || i == 100)
        print_message("%s, beat %d: APD90 %.5f, %.5f ms; rest %.2e mV apart, states %.1e\n",
                      ionic_type(kind)->preset[preset].name, i, cell[0].apd90, cell[1].apd90,
                      fabs(cell[1].V - cell[0].V), apart);
      assert_within(cell[1].apd90, cell[0].apd90, 0.01);
      assert_within(cell[1].V, cell[0].V, 1e-4);
      assert_true(apart < 1e-4);
    }
    assert_false(cell[0].apd90 <= cell[1].apd90 && cell[0].apd90 >= cell[1].apd90); /* it is another build */
  }
}

/* The other models, from where their presets begin. */
static void other_cells(void **state) {
  (void)state;
  static const char *const model[] = {"courtemanche", "stewart"};
  for (int m = 0; m < 2; ++m) {
    const int kind = ionic_by_name(model[m]);
    Cell cell[2] = {{.c = ionic_constants(kind, 0)}, {.c = ionic_constants(ionic_in_float(kind), 0)}};
    for (int k = 0; k < 2; ++k) cell[k].V = ionic_type(kind)->rest(&cell[k].c, cell[k].s);
    for (int i = 1; i <= 10; ++i)
      for (int k = 0; k < 2; ++k) beat(&cell[k], 0.02);
    print_message("%s, beat 10: APD90 %.5f, %.5f ms; rest %.2e mV apart\n", model[m], cell[0].apd90, cell[1].apd90,
                  fabs(cell[1].V - cell[0].V));
    assert_true(cell[0].apd90 > 100);
    assert_within(cell[1].apd90, cell[0].apd90, 0.01);
    assert_within(cell[1].V, cell[0].V, 1e-3);
  }
}

/* All that a case sees of it is that of the model. */
static void kinds(void **state) {
  (void)state;
  const int kind = ionic_by_name("ten-tusscher"), twin = ionic_in_float(kind);
  assert_int_equal(ionic_in_double(twin), kind);
  assert_int_equal(ionic_in_double(kind), kind);
  const IonicType *a = ionic_type(kind), *b = ionic_type(twin);
  assert_true(kind < ionic_listed() && twin >= ionic_listed() && twin < ionic_count());
  assert_true(a->param == b->param && a->preset == b->preset && a->state == b->state && a->n_gate == b->n_gate);
  assert_true(a->n_param == b->n_param && a->n_preset == b->n_preset && a->n_state == b->n_state);
  assert_true(a->first != b->first && a->abreast != b->abreast && strcmp(a->name, b->name) != 0);
  assert_int_equal(ionic_in_float(ionic_by_name("aliev-panfilov")), -1);
  assert_int_equal(ionic_in_float(twin), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rates), cmocka_unit_test(factor), cmocka_unit_test(beats),
                                     cmocka_unit_test(other_cells), cmocka_unit_test(kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
