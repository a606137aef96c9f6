/* What a body does to its cells: channels that stretch opens, against one cell in a plain program; conduction in space, against a body that has that
 * length without stretch; the same bits after a stop, and what is refused. */
#include "app/app.h"
#include "physics/ionic.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEART "type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 1e4"
#define STIFF "type: guccione, c: 200, bf: 8, bt: 2, bfs: 4, bulk: 1e6" /* nothing pulls the strip out of shape */
#define ALONG ", fibers: {direction: [1, 0, 0]}"
#define ROLLS "boundary:\n  - {on: x0, symmetry: true}\n  - {on: y0, symmetry: true}\n  - {on: z0, symmetry: true}\n"
#define TISSUE(ionic, more)                                                                                            \
  "tissue: [{on: body, ionic: " ionic ", diffusivity: {along: 0.15, across: 0.05}" ALONG more "}]\n"
#define CASE(grid, top, tissue, tension) CASE_OF(grid, top, tissue, HEART, tension)
#define CASE_OF(grid, top, tissue, material, tension)                                                                  \
  "version: 1\nmesh: {grid: " grid "}\nphysics: electromechanics\nsolver: {rtol: 1e-10}\n" top tissue                  \
  "muscle: [{on: body, " material ", tension: {model: " tension "}}]\n"

/* ---- stretch opens channels ---- */
enum { TIMES = 80 };
static const double CONDUCTANCE = 0.6, REVERSAL = -20, STRETCH = 0.15, RISE = 5;

/* V at whole ms of a cell by explicit steps, whose channels are open as the body was at the last of them. */
static void cell_alone(const char *model, double V_of[TIMES + 1]) {
  const double dt = 0.001;
  IonicConstants constants = {.kind = ionic_by_name(model)};
  const IonicType *type = ionic_type(constants.kind);
  double s[IONIC_STATES], slope;
  memcpy(constants.value, type->preset[0].value, sizeof(double) * (size_t)type->n_param);
  double V = type->rest(&constants, s);
  V_of[0] = V;
  for (int ms = 0; ms < TIMES; ++ms) {
    const double open = CONDUCTANCE * STRETCH * fmin(1, ms / RISE);
    for (int k = 0; k < 1000; ++k) {
      const double f = type->first(&constants, V, 0, dt, s, &slope);
      V += dt * (f + open * (REVERSAL - V));
    }
    V_of[ms + 1] = V;
  }
}

/* The cells of a body that is stretched fire, with no other stimulus; largest difference of potentials, apart from those within
 * a ms of the upstroke. */
static double against_cell(const char *folder, const char *text, const char *model) {
  double V[TIMES + 1], worst = 0, least = HUGE_VAL, most = -HUGE_VAL;
  int rows = 0;
  cell_alone(model, V);
  app_runs(folder, text);
  char *table = scratch_read(folder, "results/probes.csv"), *line = strchr(table, '\n');
  for (; line && line[1] && rows <= TIMES; line = strchr(line + 1, '\n'), ++rows) {
    const double here = strtod(strchr(line + 1, ',') + 1, NULL);
    const bool steep = (rows && fabs(V[rows] - V[rows - 1]) > 8) || (rows < TIMES && fabs(V[rows + 1] - V[rows]) > 8);
    if (!steep) worst = fmax(worst, fabs(here - V[rows]));
    least = fmin(least, here), most = fmax(most, here);
  }
  free(table);
  assert_int_equal(rows, TIMES + 1);
  assert_true(least < -75 && most > 10); /* at rest, then excited */
  return worst;
}

#define STRETCHED(ionic, tension, scheme)                                                                              \
  CASE("[2, 2, 2], size: [1, 1, 1]", "", TISSUE(ionic, ", stretch-current: {conductance: 0.6, reversal: -20}"),        \
       tension)                                                                                                        \
  ROLLS "  - {on: x1, fix: {x: \"0.15*min(1, t/5)\"}}\ntime: {end: 80, step: 1, cells: {step: 0.005" scheme            \
        "}}\noutput: {every: 1, probes: [{name: V, at: [0.5, 0.5, 0.5], field: potential}]}\n"

static void stretch_opens(void **state) {
  (void)state;
  char *folder = scratch_create();
  /* cells in steps of 0.005 ms err by some 0.06 mV, those of 0.02 ms by 0.23: first order */
  assert_within(against_cell(folder, STRETCHED("ten-tusscher", "land", ""), "ten-tusscher"), 0, 0.1);
  assert_within(against_cell(folder, STRETCHED("ten-tusscher", "land", ", scheme: rush-larsen"), "ten-tusscher"), 0,
                0.1);
  assert_within(against_cell(folder, STRETCHED("aliev-panfilov", "goektepe-kuhl", ", scheme: bdf2"), "aliev-panfilov"),
                0, 0.1);
  scratch_remove(&folder);
}

/* ---- conduction in space ---- */
/* When the wave is at the end and in the middle of a strip of 30 elements. */
#define STRIP(length, way, top, tissue, tension, cells)                                                                \
  CASE_OF("[31, 2, 2], size: [" length ", 0.3, 0.3]", top, tissue, STIFF, tension)                                     \
  "stimuli: [{on: x0, duration: 4, start: 6, amplitude: 200}]\n" ROLLS "  - {on: x1, fix: {x: \"" way                  \
  "*min(1, t/4)\"}}\ntime: {end: 22, step: 1, cells: {step: 0.05" cells                                                \
  "}}\noutput: {every: 22, probes: [{name: a, at: [" length ", 0, 0], field: activation}]}\n"

static double arrival(const char *folder, const char *text) {
  double value[2];
  app_runs(folder, text);
  scratch_last_row(folder, 2, value);
  return value[1];
}

static void conducts_in_space(void **state) {
  (void)state;
#define HUMAN TISSUE("{model: ten-tusscher, preset: epi}", "")
#define RABBIT "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: {along: 1, across: 0.3}" ALONG "}]\n"
  static const struct {
    const char *longer, *stretched;
  } row[] = {
      {STRIP("5.4", "0", "", HUMAN, "land", ""), STRIP("4.5", "0.9", "conduction: in-space\n", HUMAN, "land", "")},
      {STRIP("5.4", "0", "", HUMAN, "land", ", scheme: rush-larsen"),
       STRIP("4.5", "0.9", "conduction: in-space\n", HUMAN, "land", ", scheme: rush-larsen")},
      {STRIP("5.4", "0", "", RABBIT, "goektepe-kuhl", ", scheme: bdf2"),
       STRIP("4.5", "0.9", "conduction: in-space\n", RABBIT, "goektepe-kuhl", ", scheme: bdf2")},
      {STRIP("5.4", "0", "", RABBIT, "goektepe-kuhl", ", scheme: crank-nicolson"),
       STRIP("4.5", "0.9", "conduction: in-space\n", RABBIT, "goektepe-kuhl", ", scheme: crank-nicolson")},
  };
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const double longer = arrival(folder, row[k].longer), stretched = arrival(folder, row[k].stretched);
    assert_true(longer > 10 && longer < 22);
    /* J is 1 to some 1e-4; the tension by the potential pulls behind the wave already, which is 0.2 ms in a body of a hundredth of the stiffness */
    assert_within(stretched, longer, 3e-3);
  }
  scratch_remove(&folder);
}

/* ---- with all the rest ---- */
#define BOTH(grid, cells) BOTH_OF(grid, "", cells)
#define BOTH_OF(grid, order, cells)                                                                                    \
  CASE("[" grid "], size: [3, 0.5, 0.5]" order, "conduction: in-space\n",                                              \
       TISSUE("ten-tusscher", ", stretch-current: 0.05"), "land")                                                      \
  "stimuli: [{on: x0, depth: 0.5, duration: 1, amplitude: 52}]\n" ROLLS                                                \
  "  - {on: x1, traction: [\"5*min(1, t/10)\", 0, 0]}\ntime: {end: %s, step: 1, cells: {step: 0.05" cells "}}\n"       \
  "output: {every: 2, checkpoint: 100, probes: [{name: a, at: [3, 0, 0], field: displacement-x}, {name: b, at: "       \
  "[3, 0, 0], field: potential}, {name: c, at: [3, 0, 0], field: tension}, {name: d, at: [3, 0, 0], field: "           \
  "activation}]}\n"

static void goes_on(void **state) {
  (void)state;
  static const char *const strip[] = {BOTH("7, 2, 2", ""), BOTH("4, 2, 2", ", refine: 1"),
                                      BOTH("4, 2, 2", ", scheme: rush-larsen")};
  for (size_t k = 0; k < sizeof strip / sizeof *strip; ++k) {
    char *folder = scratch_create(), text[4096];
    snprintf(text, sizeof text, strip[k], "20");
    scratch_write(folder, "case.yaml", text);
    assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
    assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, 6), 10);
    assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 7), 10);
    assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
    char *whole = scratch_read(folder, "whole/probes.csv"), *again = scratch_read(folder, "parts/probes.csv");
    assert_string_equal(whole, again);
    free(whole), free(again);
    scratch_remove(&folder);
  }
}

/* Cells of elements of order 2, and of split ones, feel what those of linear elements on the same nodes do. */
static void order_2(void **state) {
  (void)state;
  static const char *const strip[] = {BOTH("7, 3, 3", ""), BOTH_OF("4, 2, 2", ", order: 2", ""),
                                      BOTH("4, 2, 2", ", refine: 1")};
  char *folder = scratch_create(), text[4096];
  double value[3][5];
  for (size_t k = 0; k < sizeof strip / sizeof *strip; ++k) {
    snprintf(text, sizeof text, strip[k], "30");
    app_runs(folder, text);
    scratch_last_row(folder, 5, value[k]);
  }
  for (size_t k = 1; k < sizeof strip / sizeof *strip; ++k) {
    assert_within(value[k][4], value[0][4], 0.05);
    assert_within(value[k][1], value[0][1], 0.02);
  }
  assert_true(value[0][4] > 3);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
#define CUBE "[2, 2, 2], size: [1, 1, 1]"
#define TIMES_OF "time: {end: 10, step: 1, cells: {step: 0.05}}\n"
  static const struct {
    const char *text, *said, *more;
  } row[] = {
      {CASE(CUBE, "", "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 0.1, stretch-current: 0.02}]\n", "land")
           TIMES_OF,
       "goes by the stretch of fibres, and this tissue has none", "'fibers' beside it"},
      {CASE(CUBE, "", TISSUE("ten-tusscher", ", stretch-current: {conductance: -1}"), "land") TIMES_OF,
       "conductance is -1", ":"},
      {CASE(CUBE, "conduction: in-spcae\n", TISSUE("ten-tusscher", ""), "land") TIMES_OF, "in-spcae",
       "did you mean 'in-space'"},
      {"version: 1\nmesh: {grid: " CUBE
       "}\nphysics: monodomain\n" TISSUE("ten-tusscher", ", stretch-current: 0.02") "time: {end: 1, step: 0.05}\n",
       "stretch-current", ":"},
  };
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) app_refuses(folder, row[k].text, row[k].said, row[k].more);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stretch_opens), cmocka_unit_test(conducts_in_space),
                                     cmocka_unit_test(goes_on), cmocka_unit_test(order_2), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
