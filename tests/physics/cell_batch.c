/* One cell alone, by rows of operations, against the program as it is. */
#include "core/memory.h"
#include "physics/import/cell_batch.h"
#include "physics/import/cell_program.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 4000 };
static const char ten_tusscher[] = SINEW_SOURCE_DIR "/cases/imported-cells/ten-tusscher.mmt";

#define HEAD "[[model]]\nc.V = -80\nc.w = 0.5\n[e]\ntime = 0 bind time\npace = 0 bind pace\n[c]\n"

/* Steps of all states and of none by their decay, rates, decays; from states off the initial ones. */
static void same_as_program(const CellModel *model, bool fits) {
  static const bool none[IONIC_IMPORTED_STATES];
  static const struct {
    CellProgramKind kind;
    const bool *stiff;
  } row[] = {{CELL_STEP, NULL}, {CELL_STEP, none}, {CELL_RATE, NULL}, {CELL_DECAY, NULL}};
  const CellGraphParams params = {0};
  CellGraph *graph;
  assert_ok(cell_graph_create(model, &params, &graph));
  for (size_t r = 0; r < sizeof row / sizeof *row; ++r) {
    double s[IONIC_IMPORTED_STATES], wanted[IONIC_IMPORTED_STATES] = {0}, slope, by_V = 0;
    const int n = graph->n_state;
    IonicProgram program;
    CellBatch batch;
    assert_ok(cell_program_create(graph, row[r].kind, row[r].stiff, &program));
    assert_ok(cell_batch_create(&program, n, &batch));
    if (row[r].kind != CELL_DECAY) assert_int_equal(batch.n_row > 0, fits);
    for (int i = 0; i < 50; ++i) {
      const double V = graph->V + 2.3 * i;
      for (int j = 0; j < n; ++j) s[j] = graph->initial[j] * (1 + 0.02 * sin(V + j));
      const double f = cell_program_run(&program, s, wanted, V, i, 0.02, &slope);
      assert_within(cell_batch_run(&batch, s, s, V, i, 0.02, &by_V), f, 1e-12 * fmax(1, fabs(f)));
      if (row[r].kind != CELL_DECAY) assert_within(by_V, slope, 1e-12 * fmax(1, fabs(slope)));
      for (int j = 0; j < n; ++j) assert_within(s[j], wanted[j], 1e-12 * fabs(wanted[j]));
    }
    cell_batch_release(&batch);
    cell_program_release(&program);
  }
  cell_graph_destroy(&graph);
}

static void of_human_cell(void **state) {
  (void)state;
  CellModel *model;
  assert_ok(cell_model_load(ten_tusscher, &model));
  same_as_program(model, true);
  cell_model_destroy(&model);
}

/* What that cell has not, more than once so that rows are filled up to different widths. */
static void of_all_operations(void **state) {
  (void)state;
  CellModel *model;
  char text[4096];
  snprintf(
      text, sizeof text, "%s%s", HEAD,
      "dot(V) = -w * (V + 80) + x + 0.1 * y * V\n    label membrane_potential\ndot(w) = 0.1 * (V + 80) / 100 - w^2\n"
      "u = w + 2\n"
      "x = sin(u) + cos(u) + tan(w) + asin(w / 2) + acos(w / 3) + atan(u) + floor(7 * w) + ceil(V) + abs(V)"
      " + sin(2 * u) + log10(u) + log10(u + 1) + u^1.7 + u^w + 2^w + log(u) + sqrt(u) + 7 // u + (V + 200) % 3\n"
      "y = if(V > 0 and w < 2 or not (V == -80), w^3, u^4) + if(V >= 1, u, w) + if(V <= 2, u, w) + if(w != u, 1, 2)\n");
  assert_ok(cell_model_parse("text.mmt", text, &model));
  same_as_program(model, true);
  cell_model_destroy(&model);
}

/* More values than there is room for. */
static void of_very_many(void **state) {
  (void)state;
  CellModel *model;
  char *text = NULL;
  size_t at;
  assert_ok(mem_alloc(64 * MANY, 1, "a text", (void **)&text));
  at = (size_t)snprintf(text, 1024,
                        "%sdot(V) = -w * (V + 80)\n    label membrane_potential\ndot(w) = -w + b / 1e6\n"
                        "b = a999 + a1999 + a2999 + a3999\na0 = V / 100\n",
                        HEAD);
  for (int k = 1; k < MANY; ++k)
    at += (size_t)snprintf(text + at, 64, "a%d = a%d * a0 + %d.5\n", k, k % 1000 ? k - 1 : 0, k);
  assert_ok(cell_model_parse("text.mmt", text, &model));
  same_as_program(model, false);
  cell_model_destroy(&model);
  mem_free((void **)&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_human_cell), cmocka_unit_test(of_all_operations),
                                     cmocka_unit_test(of_very_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
