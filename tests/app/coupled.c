/* Cells and muscle in one run: a body whose cells all do the same against one cell and one fibre alone, a strip that is paced at one end, the
 * same bits after a stop, and what is refused. */
#include "app/app.h"
#include "app/monodomain/single_cell.h"
#include "physics/tension.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEART "type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 1e3"
#define CELLS(more) "tissue: [{on: body, ionic: ten-tusscher, diffusivity: {along: 0.15, across: 0.05}" more "}]\n"
#define ALONG ", fibers: {direction: [1, 0, 0]}"
#define PACED(on) "stimuli: [{on: " on ", duration: 1, amplitude: 52}]\n"
#define SOLVED(grid, solver, tissue, tension)                                                                          \
  "version: 1\nmesh: {grid: " grid "}\nphysics: electromechanics\nsolver: " solver "\n" tissue                         \
  "muscle: [{on: body, " HEART ", tension: " tension "}]\n"
#define RTOL "{rtol: 1e-10}"
#define BODY(grid, tissue, tension) SOLVED(grid, RTOL, tissue, tension)
#define ROLLS "boundary:\n  - {on: x0, symmetry: true}\n  - {on: y0, symmetry: true}\n  - {on: z0, symmetry: true}\n"
#define CUBE "[2, 2, 2], size: [1, 1, 1]"

enum { STEPS = 60 };
typedef struct Alone {
  int n;
  double drive[STEPS + 1];
  int state; /* -1: the potential */
} Alone;

static void see(void *context, double t, const SingleCell *cell) {
  Alone *alone = context;
  (void)t;
  if (alone->n <= STEPS) alone->drive[alone->n++] = alone->state < 0 ? cell->V : 1000 * cell->s[alone->state];
}

/* The tension of a fibre that is held, at the end of steps of 1 ms, of a cell paced as the body's. */
static void fibre_alone(int tension, double T[STEPS + 1]) {
  const TensionType *type = tension_type(tension);
  IonicConstants constants = {.kind = ionic_by_name("ten-tusscher")};
  const IonicType *ionic = ionic_type(constants.kind);
  memcpy(constants.value, ionic->preset[0].value, sizeof(double) * (size_t)ionic->n_param);
  Alone alone = {.state = type->shape.drive == TENSION_BY_CALCIUM ? ionic_state(constants.kind, "ca-i") : -1};
  const CellPacing pacing = {.amplitude = 52, .duration = 1, .step = 0.01};
  const CellWatch watch = {see, &alone, 1};
  double old[TENSION_STATES], now[TENSION_STATES];
  SingleCell cell;
  CellBeat beat;
  TensionOut out = {.state = now};
  single_cell_start(&constants, &cell);
  assert_int_equal(single_cell_beat(&cell, &pacing, STEPS + 1, &watch, &beat), OK);
  assert_true(alone.n > STEPS);
  type->begin(type->preset[0].value, alone.drive[1], 1, old);
  for (int i = 1; i <= STEPS; ++i) {
    const TensionIn in = {1, alone.drive[i], 1, 1, old};
    type->step(type->preset[0].value, &in, &out);
    memcpy(old, now, sizeof old);
    T[i] = out.tension;
  }
}

/* All of the body pulls with that, for each model of tension. */
static void held_body(void **state) {
  (void)state;
  static const char *const model[] = {"land", "goektepe-kuhl", "nash-panfilov"};
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof model / sizeof *model; ++k) {
    double T[STEPS + 1], most = 0, worst = 0;
    int rows = 0;
    snprintf(text, sizeof text,
             BODY(CUBE, CELLS(ALONG) PACED("body"), "{model: %s}") ROLLS
             "  - {on: x1, fix: {x: 0}}\ntime: {end: 60, step: 1, cells: {step: 0.02}}\n"
             "output: {every: 1, sums: [{name: pull, on: x1, field: reaction}]}\n",
             model[k]);
    app_runs(folder, text);
    fibre_alone(tension_by_name(model[k]), T);
    char *table = scratch_read(folder, "results/probes.csv"), *line = strchr(table, '\n');
    for (; line && line[1]; line = strchr(line + 1, '\n'), ++rows) {
      const double pull = strtod(strchr(line + 1, ',') + 1, NULL);
      assert_true(rows <= STEPS);
      if (!rows) continue;
      most = fmax(most, fabs(T[rows]));
      worst = fmax(worst, fabs(pull - T[rows]));
    }
    assert_int_equal(rows, STEPS + 1);
    free(table);
    if (!(most > 1) || worst > 0.01 * most) fail_msg("%s: off by %g of %g kPa", model[k], worst, most);
  }
  assert_true(scratch_reported(folder, "newton_iterations") < 60 * 4);
  scratch_remove(&folder);
}

#define LEADS                                                                                                          \
  "ecg: [{name: ends, positive: [6, 0, 0], negative: [-2, 1, 1]}], electrodes: {RA: [-5, 0, 5], LA: [5, 0, 5], LL: "   \
  "[0, 0, -5], V1: [0, 3, 0], V2: [1, 3, 0], V3: [2, 3, 0], V4: [3, 3, 0], V5: [4, 3, 0], V6: [6, 3, 1]}"
#define STRIP(grid, solver, more)                                                                                      \
  SOLVED(grid, solver, CELLS(ALONG) PACED("x0, depth: 0.5"), "{model: land}")                                          \
  ROLLS                                                                                                                \
  "  - {on: x1, traction: [\"5*min(1, t/10)\", 0, 0]}\ntime: {end: %s, step: 1, cells: {step: 0.05" more "}}\n"        \
  "output: {every: 2, checkpoint: %s, fields: [displacement, potential, calcium, tension, fiber-stretch], maps: "      \
  "[activation], probes: [{name: a, at: [3, 0, 0], field: displacement-x}, {name: b, at: [3, 0, 0], field: "           \
  "potential}, {name: c, at: [3, 0, 0], field: calcium}, {name: d, at: [3, 0, 0], field: tension}, {name: e, "         \
  "at: [3, 0, 0], field: fiber-stretch}, {name: f, at: [3, 0, 0], field: activation}, {name: g, at: [0, 0, 0], "       \
  "field: activation}, {name: h, at: [3, 0, 0], field: fiber-strain}], " LEADS "}\n"

/* The wave comes from the left, calcium rises, and the strip becomes shorter than its load has made it. */
static void paced_strip(void **state) {
  (void)state;
  char *folder = scratch_create(), text[4096];
  double first[8], value[9];
  snprintf(text, sizeof text, STRIP("[7, 2, 2], size: [3, 0.5, 0.5]", RTOL, ""), "60", "100");
  app_runs(folder, text);
  scratch_row(folder, 7, first);
  scratch_last_row(folder, 9, value);
  assert_within(first[4], 1, 1e-12); /* no fibre is stretched at first */
  assert_within(first[5], -1, 0);
  assert_true(value[2] > -20 && value[3] > 0.5 && value[3] < 2 && value[4] > 1);
  assert_within(value[5], 1 + value[1] / 3, 0.05);
  assert_within(value[8], (value[5] * value[5] - 1) / 2, 1e-3);
  assert_true(value[8] < -0.005); /* shorter than at rest */
  assert_true(value[7] > 0 && value[7] < 2 && value[6] > value[7] + 3);
  assert_true(scratch_reported(folder, "failed_steps") < 1);
  scratch_remove(&folder);
}

/* Stopped twice, and gone on with: the same bytes. */
static void stops_and_goes_on(const char *strip) {
  char *folder = scratch_create(), text[4096];
  snprintf(text, sizeof text, strip, "20", "100");
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
static void goes_on(void **state) {
  (void)state;
  stops_and_goes_on(STRIP("[7, 2, 2], size: [3, 0.5, 0.5]", RTOL, ""));
  stops_and_goes_on(STRIP("[4, 2, 2], size: [3, 0.5, 0.5], order: 2", "{rtol: 1e-10, numbering: hilbert}", ""));
  stops_and_goes_on(STRIP("[4, 2, 2], size: [3, 0.5, 0.5]", RTOL, ", refine: 1"));
}

/* Cells of a body of order 2, and those of its elements split, are those of linear elements on these nodes, whatever the numbering: potential,
 * calcium and activation at the end. */
static void order_2(void **state) {
  (void)state;
#define GRID "[7, 2, 2], size: [3, 0.5, 0.5]"
#define TURNED "{rtol: 1e-10, numbering: hilbert}"
  static const char *const strip[] = {STRIP(GRID ", refine: 1", RTOL, ""), STRIP(GRID ", order: 2", RTOL, ""),
                                      STRIP(GRID ", order: 2", TURNED, ""), STRIP(GRID, RTOL, ", refine: 1"),
                                      STRIP(GRID, TURNED, ", refine: 1")};
  char *folder = scratch_create(), text[4096];
  double value[sizeof strip / sizeof *strip][8];
  for (size_t k = 0; k < sizeof strip / sizeof *strip; ++k) {
    snprintf(text, sizeof text, strip[k], "60", "100");
    app_runs(folder, text);
    scratch_last_row(folder, 8, value[k]);
    for (int i = 0; i < 8; ++i) {
      const bool cells = i == 2 || i == 3 || i > 5;
      assert_within(value[k][i], value[0][i], cells ? 1e-7 : 0.03 * fmax(1, fabs(value[0][i])));
    }
  }
  assert_true(value[0][3] > 0.5 && value[0][6] > 3);
  scratch_remove(&folder);
}

/* Leads see the potential in the body as the mesh has it: those of the same cells without muscle, while the body shortens. */
static void leads(void **state) {
  (void)state;
  enum { COLUMNS = 1 + 8 + 13 };
  static const char *const strip[] = {STRIP(GRID ", order: 2", RTOL, ""), STRIP(GRID, TURNED, ", refine: 1")};
  char *folder = scratch_create(), text[4096];
  double alone[COLUMNS], value[COLUMNS];
  app_runs(folder,
           "version: 1\nmesh: {grid: " GRID ", refine: 1}\nphysics: monodomain\n" CELLS(ALONG)
               PACED("x0, depth: 0.5") "time: {end: 6, step: 0.05}\noutput: {every: 6, probes: [{name: c, at: [3, "
                                       "0, 0]}], " LEADS "}\n");
  scratch_last_row(folder, COLUMNS - 7, alone);
  for (size_t k = 0; k < sizeof strip / sizeof *strip; ++k) {
    snprintf(text, sizeof text, strip[k], "6", "100");
    app_runs(folder, text);
    scratch_last_row(folder, COLUMNS, value);
    /* Steps of cells end at 1e-8 of their right-hand sides, elsewhere than these do on a GPU. */
    assert_within(value[2], alone[1], 1e-7);
    for (int i = 0; i < 13; ++i) assert_within(value[9 + i], alone[2 + i], 1e-7 * fabs(alone[2]));
  }
  assert_true(fabs(alone[2]) > 1e-3 && fabs(value[1]) > 1e-4);
  scratch_remove(&folder);
}

/* A line of Purkinje fibres beside the strip, which it starts at its other end. */
static void write_line(const char *folder) {
  enum { LINES = 20 };
  char mesh[4096];
  int used = sprintf(mesh, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", LINES + 1);
  for (int i = 0; i <= LINES; ++i)
    used += sprintf(mesh + used, "%d %.9g %.9g 0\n", i + 1, 3. * i / LINES, -1 + 0.9 * i / LINES);
  used += sprintf(mesh + used, "$EndNodes\n$Elements\n%d\n", LINES);
  for (int i = 1; i <= LINES; ++i) used += sprintf(mesh + used, "%d 1 2 1 1 %d %d\n", i, i, i + 1);
  sprintf(mesh + used, "$EndElements\n");
  scratch_write(folder, "tree.msh", mesh);
}

#define TREE                                                                                                           \
  "purkinje: [{name: tree, file: tree.msh, ionic: stewart, diffusivity: 2, radius: 0.3, junction: {resistance: 0.5, "  \
  "radius: 0.6}}]\nstimuli: [{on: tree-root, duration: 2, amplitude: 400}]\n"
#define STARTED(grid, cells, every)                                                                                    \
  SOLVED(grid, RTOL, CELLS(ALONG) TREE, "{model: land}")                                                               \
  ROLLS "time: {end: 10, step: 1, cells: {step: 0.05" cells "}}\noutput: {every: " every                               \
        ", probes: [{name: v, at: [3, 0, 0], field: potential}, {name: a, at: [0, 0, 0], field: activation}]}\n"

/* Cells of a body that a tree starts are those of a heart alone, on meshes that the cells share with the body and not; the same bytes behind a
 * stop; and what is refused. */
static void trees(void **state) {
  (void)state;
  static const char *const strip[] = {STARTED(GRID, "", "10"), STARTED(GRID ", order: 2", "", "10"),
                                      STARTED(GRID, ", refine: 1", "10")};
  char *folder = scratch_create(), text[4096];
  double alone[2][3], value[3];
  write_line(folder);
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: " GRID ", refine: %d}\nphysics: monodomain\n" CELLS(ALONG) TREE
             "time: {end: 10, step: 0.05}\noutput: {every: 10, probes: [{name: v, at: [3, 0, 0]}, {name: a, at: "
             "[0, 0, 0], field: activation}]}\n",
             k);
    app_runs(folder, text);
    scratch_last_row(folder, 3, alone[k]);
  }
  for (size_t k = 0; k < sizeof strip / sizeof *strip; ++k) {
    app_runs(folder, strip[k]);
    scratch_last_row(folder, 3, value);
    for (int i = 1; i < 3; ++i) assert_within(value[i], alone[k > 0][i], 1e-6);
  }
  assert_true(alone[0][2] > 3 && alone[1][2] > 3);
  scratch_write(folder, "case.yaml", STARTED(GRID, "", "1"));
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, 4), 10);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  char *whole = scratch_read(folder, "whole/probes.csv"), *again = scratch_read(folder, "parts/probes.csv");
  assert_string_equal(whole, again);
  free(whole), free(again);
  app_refuses(folder, STARTED(GRID, "", "1") "conduction: in-space\n", "trees are not told", "leave 'purkinje' out");
  scratch_remove(&folder);
}

/* One hexahedron with 20 nodes, whose halves need more. */
static void other_nodes(void **state) {
  (void)state;
  static const int corner[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                   {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}},
                   edge[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                  {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  char *folder = scratch_create(), mesh[4096];
  int used = sprintf(
      mesh, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 2 \"base\"\n3 1 \"body\"\n$EndPhysicalNames\n"
            "$Nodes\n20\n");
  for (int i = 0; i < 20; ++i) {
    used += sprintf(mesh + used, "%d", i + 1);
    for (int k = 0; k < 3; ++k)
      used += sprintf(mesh + used, " %g",
                      i < 8 ? corner[i][k] / 2. : (corner[edge[i - 8][0]][k] + corner[edge[i - 8][1]][k]) / 4.);
    used += sprintf(mesh + used, "\n");
  }
  used += sprintf(mesh + used, "$EndNodes\n$Elements\n2\n1 16 2 2 2 1 4 3 2 10 14 12 9\n2 17 2 1 1");
  for (int i = 0; i < 20; ++i) used += sprintf(mesh + used, " %d", i + 1);
  sprintf(mesh + used, "\n$EndElements\n");
  scratch_write(folder, "one.msh", mesh);
  app_refuses(folder,
              "version: 1\nmesh: {file: one.msh}\nphysics: electromechanics\n" CELLS(
                  ALONG) "muscle: [{on: body, " HEART ", tension: {model: land}}]\nboundary: [{on: base, fix: all}]\n"
                         "time: {end: 10, step: 1, cells: {step: 0.05}}\n",
              "the mesh has hex20", "allowed: linear elements, tet10, hex27");
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
#define TIMES(body, cells) "time: {end: 10, step: " body ", cells: {step: " cells "}}\n"
  static const struct {
    const char *text, *said, *more;
  } row[] = {
      {BODY(CUBE, CELLS(ALONG), "{model: land}") TIMES("1", "0.03"), "is not a multiple of it", "such as: 0.0294118"},
      {BODY(CUBE, CELLS(ALONG), "{model: land}") TIMES("1", "0.05") "output: {every: 2.5}\n",
       "must be a multiple of the step of the body", ":"},
      {BODY(CUBE, CELLS(ALONG), "{model: land, calcium: 0.1}") TIMES("1", "0.05"), "that of the cells of 'tissue'",
       "leave it out"},
      {BODY(CUBE, CELLS(ALONG), "{value: 5, form: stretch}") TIMES("1", "0.05"), "nothing goes by these cells",
       "tension: {model: land}"},
      {BODY(CUBE, CELLS(""), "{model: land}") TIMES("1", "0.05"), "fibers", ":"},
      {BODY(CUBE, "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.1" ALONG "}]\n", "{model: land}")
           TIMES("1", "0.05"),
       "aliev-panfilov has no calcium", "model: goektepe-kuhl"},
      {BODY(CUBE, CELLS(ALONG), "{model: land}") "time: {end: 10, step: 1}\n", "needs the key 'cells'", ":"},
      {BODY(CUBE, CELLS(ALONG), "{model: land}") "model: axisymmetric\n" TIMES("1", "0.05"), "cells around an axis",
       "remedy"},
      {BODY(CUBE, CELLS(ALONG), "{model: land}") "torso: [{on: body, conductivity: 1}]\n" TIMES("1", "0.05"),
       "belongs to cells alone", "physics: monodomain"},
      {BODY(CUBE, CELLS(ALONG), "{model: land}") TIMES("1", "0.05") "output: {torso: true}\n",
       "leads are those of an infinite medium", "physics: monodomain"},
      {BODY(CUBE, CELLS(ALONG), "{model: land}")
           ROLLS TIMES("1", "0.05") "output: {ecg: [{name: a, positive: [0, 0, 0]}]}\n",
       "lies in the heart", "a 'probe' looks inside"},
      {BODY(CUBE, CELLS(ALONG), "{model: land}") "time: {end: 10, step: 1, cells: {step: 0.05}, adaptive: {max: 2}}\n",
       "have one length", "leave 'adaptive' out"},
  };
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) app_refuses(folder, row[k].text, row[k].said, row[k].more);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(held_body),   cmocka_unit_test(paced_strip),
                                     cmocka_unit_test(goes_on),     cmocka_unit_test(order_2),
                                     cmocka_unit_test(leads),       cmocka_unit_test(trees),
                                     cmocka_unit_test(other_nodes), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
