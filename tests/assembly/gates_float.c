/* Gates in float as the kernel of a heart steps them, on a GPU and on a CPU (SINEW_TEST_BACKEND), against the cell by itself on the
 * host, in float and in double. */
#include "assembly/monodomain/monodomain_rows.h"
#include "assembly/monodomain/rows.h"
#include "core/memory.h"
#include "physics/ionic.h"
#include "tests/testing.h"

#include <math.h>

enum { CELLS = 1003, STEPS = 400 };
static Exec *exec;
static const double STEP = 0.05;

static double potential(int64_t k) { return -120 + 180. * (double)k / (CELLS - 1); }

/* States after STEPS steps, each cell at a potential of its own, [n_state][CELLS], then force and slope. */
static void stepped(const RowKernel *kernel, const IonicConstants *c, double *out) {
  const IonicType *type = ionic_type(c->kind);
  const int64_t set = (int64_t)type->n_state * CELLS;
  const double numbers[] = {0.5, 1 / STEP, 0, STEP};
  double *host = calloc((size_t)(2 * CELLS + set), 8), s[IONIC_STATES];
  double *at, *state, *known;
  IonicConstants *constants;
  int32_t *turn;
  (void)type->rest(c, s);
  for (int64_t k = 0; k < CELLS; ++k) {
    host[k] = potential(k);
    for (int j = 0; j < type->n_state; ++j) host[2 * CELLS + j * CELLS + k] = s[j];
  }
  assert_ok(exec_alloc(exec, 4 * CELLS, sizeof *at, "test", (void **)&at));
  assert_ok(exec_alloc(exec, 2 * set, sizeof *state, "test", (void **)&state));
  assert_ok(exec_alloc(exec, 4, sizeof *known, "test", (void **)&known));
  assert_ok(exec_alloc(exec, 1, sizeof *constants, "test", (void **)&constants));
  assert_ok(exec_alloc(exec, 1, sizeof *turn, "test", (void **)&turn));
  assert_ok(exec_upload(exec, at, host, 2 * CELLS * sizeof *at));
  assert_ok(exec_upload(exec, state, host + 2 * CELLS, (size_t)set * sizeof *state));
  assert_ok(exec_upload(exec, known, numbers, sizeof numbers));
  assert_ok(exec_upload(exec, constants, c, sizeof *c));
  assert_ok(exec_zero(exec, turn, sizeof *turn));
  const MonodomainFirstArgs args = {
      .cells = {.constants = constants, .state = state, .stride = CELLS, .numbers = known, .turn = turn, .size = set},
      .V = at,
      .current = at + CELLS,
      .force = at + 2 * CELLS,
      .gradient = at + 3 * CELLS};
  const MonodomainTurnArgs other = {NULL, turn};
  for (int i = 0; i < STEPS; ++i) {
    assert_ok(exec_rows(exec, kernel, &args, CELLS));
    assert_ok(exec_rows(exec, &monodomain_turn_kernel, &other, 1));
  }
  assert_ok(exec_download(exec, out, state, (size_t)set * sizeof *out));
  assert_ok(exec_download(exec, out + set, at + 2 * CELLS, 2 * CELLS * sizeof *out));
  EXEC_RELEASE(exec, at, 4 * CELLS);
  EXEC_RELEASE(exec, state, 2 * set);
  EXEC_RELEASE(exec, known, 4);
  EXEC_RELEASE(exec, constants, 1);
  EXEC_RELEASE(exec, turn, 1);
  free(host);
}

/* Largest difference to the host's cell of this kind: of gates, which are up to 1, of other states as a part of them, and of f. */
typedef struct Apart {
  double gates, others, force;
} Apart;
static Apart against(const double *found, int kind, int preset) {
  const IonicType *type = ionic_type(kind);
  const IonicConstants c = ionic_constants(kind, preset);
  Apart most = {0, 0, 0};
  for (int64_t k = 0; k < CELLS; ++k) {
    double s[IONIC_STATES], f = 0, by_V = 0;
    (void)type->rest(&c, s);
    for (int i = 0; i < STEPS; ++i) f = type->first(&c, potential(k), 0, STEP, s, &by_V);
    const double line = f - 0.5 * by_V * potential(k), *at = found + k;
    for (int j = 0; j < type->n_gate; ++j) most.gates = fmax(most.gates, fabs(at[j * CELLS] - s[j]));
    for (int j = type->n_gate; j < type->n_state; ++j) most.others = fmax(most.others, fabs(at[j * CELLS] / s[j] - 1));
    most.force = fmax(most.force, fabs(at[type->n_state * CELLS] - line) / (1 + fabs(line)));
  }
  return most;
}
static void within(const char *what, Apart a, double gates, double others, double force) {
  print_message("  %s: gates %.1e, concentrations %.1e, f %.1e\n", what, a.gates, a.others, a.force);
  assert_true(a.gates < gates && a.others < others && a.force < force);
}

/* At a potential that stays a gate is off by its target's and its rate's error, some 6e-7 (tests/physics/gates_float.c), times x
 * exp(-x) < 0.37 of the latter. A GPU's powers and reciprocals are two units of the last digit off, 2.4e-7, and at most three of
 * them make a rate or target; so it and the host are within 1e-6, and two gates follow calcium. Calcium releases itself from its
 * store at some potentials, where an error is ten times what it was; f has it, and m to the third power. */
static void same_cells(void **state) {
  (void)state;
  static const struct Row {
    const char *model;
    const RowKernel *kernel, *in_float;
  } row[] = {{"ten-tusscher", &monodomain_first_ten_tusscher_kernel, &monodomain_first_ten_tusscher_float_kernel},
             {"courtemanche", &monodomain_first_courtemanche_kernel, &monodomain_first_courtemanche_float_kernel},
             {"stewart", &monodomain_first_stewart_kernel, &monodomain_first_stewart_float_kernel}};
  for (size_t r = 0; r < sizeof row / sizeof *row; ++r) {
    const int kind = ionic_by_name(row[r].model), twin = ionic_in_float(kind);
    double *found = calloc((size_t)(ionic_type(kind)->n_state + 2) * CELLS, 8);
    for (int preset = 0; preset < ionic_type(kind)->n_preset; ++preset) {
      const IonicConstants c = ionic_constants(twin, preset), in_double = ionic_constants(kind, preset);
      print_message("%s %s\n", row[r].model, ionic_type(kind)->preset[preset].name);
      stepped(row[r].in_float, &c, found);
      within("float", against(found, twin, preset), 2e-6, 1e-4, 3e-5);
      within("float from double", against(found, kind, preset), 2e-6, 1e-4, 3e-5);
      stepped(row[r].kernel, &in_double, found);
      within("double", against(found, kind, preset), 1e-10, 1e-9, 1e-9);
    }
    free(found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_cells)};
  return testing_run("assembly/gates_float", tests, exec);
}
