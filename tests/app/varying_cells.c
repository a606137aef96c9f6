/* Parameters of cells that vary from node to node: each node has the cell that it has in a case of its own. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 9, NY = 3 };

/* A sheet whose cells hardly know of each other, all stimulated at once. */
static Result *ran(const char *folder, const char *into, const char *ionic, const char *more) {
  char text[1024], path[64];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [%d, %d], size: [8, 2]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: {%s}, diffusivity: 1e-3}]\n"
           "stimuli: [{on: {box: {min: [-1, -1], max: [9, 3]}}, duration: 2, amplitude: 40}]\n"
           "time: {end: 40, step: 0.1%s}\noutput: {every: 10}\n",
           NX, NY, ionic, more);
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, into), "--backend",
                       app_backend(), "--quiet", NULL);
  if (said.code) print_message("%s", said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
  snprintf(path, sizeof path, "%s/results.hdf", into);
  Result *result = NULL;
  assert_ok(result_open(scratch_path(folder, path), &result));
  return result;
}

static void last_potential(Result *result, double value[NX * NY]) {
  assert_int_equal(result->n_node, NX * NY);
  assert_ok(result_read(result, result_field(result, "potential", false), -1, value));
  result_close(&result);
}

/* Column by column against runs with numbers. */
static void each_node_its_own(void **state) {
  (void)state;
  static const char *const schemes[] = {"", ", scheme: rush-larsen", ", scheme: crank-nicolson"};
  for (int k = 0; k < 3; ++k) {
    char *folder = scratch_create();
    double varied[NX * NY], plain[NX * NY], spread = 0;
    last_potential(ran(folder, "varied", "model: mitchell-schaeffer, tau-out: '6*(1 + x/10)'", schemes[k]), varied);
    for (int i = 0; i < NX; i += 4) {
      char ionic[100], into[20];
      snprintf(ionic, sizeof ionic, "model: mitchell-schaeffer, tau-out: %.17g", 6 * (1 + i / 10.0));
      snprintf(into, sizeof into, "plain-%d", i);
      last_potential(ran(folder, into, ionic, schemes[k]), plain);
      for (int j = 0; j < NY; ++j) assert_within(varied[j * NX + i], plain[j * NX + i], 0.3);
      spread = fmax(spread, fabs(varied[i] - varied[0]));
    }
    print_message("%s: %.2f mV between the ends\n", schemes[k], spread);
    assert_true(spread > 2);
    scratch_remove(&folder);
  }
}

/* A constant expression is a number; so many different ones that they are rounded change little. */
static void constants_and_many(void **state) {
  (void)state;
  char *folder = scratch_create();
  double a[NX * NY], b[NX * NY];
  last_potential(ran(folder, "a", "model: mitchell-schaeffer, tau-out: '3 + 3'", ""), a);
  last_potential(ran(folder, "b", "model: mitchell-schaeffer, tau-out: 6", ""), b);
  for (int i = 0; i < NX * NY; ++i) assert_true(a[i] == b[i]);
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [91, 81], size: [8, 2]}\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: {model: mitchell-schaeffer, tau-out: '6 + 0.01*x + 0.02*y', tau-in: '0.3 + "
                "0.001*y'}, diffusivity: 0.1}]\ntime: {end: 1, step: 0.1}\n");
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--quiet", NULL);
  if (said.code) print_message("%s", said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
  scratch_remove(&folder);
}

/* Cells at integration points: elements of one tissue with two values are those of two tissues. */
static void elements_their_own(void **state) {
  (void)state;
#define TWO(tissue, more)                                                                                              \
  "version: 1\nmesh: mesh.msh\nphysics: monodomain\nreaction: gauss\ntissue:\n" tissue                                 \
  "stimuli: [{on: {box: {min: [-1, -1], max: [1, 3]}}, duration: 2, amplitude: 40}]\n" more                            \
  "time: {end: 20, step: 0.1, scheme: bdf2}\noutput: {every: 10}\n"
  static const char *const text[] = {
      TWO("- {on: left, ionic: {model: mitchell-schaeffer, tau-out: 6}, diffusivity: 0.5}\n"
          "- {on: right, ionic: {model: mitchell-schaeffer, tau-out: 9}, diffusivity: 0.5}\n",
          ""),
      TWO("- {on: [left, right], ionic: {model: mitchell-schaeffer, tau-out: '6 + 1.5*(1 + (x-2)/abs(x-2))'}, "
          "diffusivity: 0.5}\n",
          ""),
      TWO("- {on: left, ionic: {model: mitchell-schaeffer, tau-out: 6}, diffusivity: 0.5}\n"
          "- {on: right, ionic: {model: mitchell-schaeffer, tau-out: '9 + 0*x'}, diffusivity: 0.5}\n",
          "prepace: {cycle: 300, beats: 1}\n"),
      TWO("- {on: left, ionic: {model: mitchell-schaeffer, tau-out: 6}, diffusivity: 0.5}\n"
          "- {on: right, ionic: {model: mitchell-schaeffer, tau-out: 9}, diffusivity: 0.5}\n",
          "prepace: {cycle: 300, beats: 1}\n")};
  static double value[4][15];
  char *folder = scratch_create(), mesh[2048], *at = mesh;
  at += sprintf(at, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n2 2 \"right\"\n"
                    "$EndPhysicalNames\n$Nodes\n15\n");
  for (int k = 0; k < 15; ++k) at += sprintf(at, "%d %d %d 0\n", k + 1, k % 5, k / 5);
  at += sprintf(at, "$EndNodes\n$Elements\n8\n");
  for (int k = 0, a = 1; k < 8; ++k, a = k / 4 * 5 + k % 4 + 1)
    at += sprintf(at, "%d 3 2 %d 1 %d %d %d %d\n", k + 1, 1 + k % 4 / 2, a, a + 1, a + 6, a + 5);
  sprintf(at, "$EndElements\n");
  scratch_write(folder, "mesh.msh", mesh);
  for (int k = 0; k < 4; ++k) {
    Result *result = NULL;
    app_runs(folder, text[k]);
    assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
    assert_int_equal(result->n_node, 15);
    assert_ok(result_read(result, result_field(result, "potential", false), -1, value[k]));
    result_close(&result);
  }
  assert_memory_equal(value[0], value[1], sizeof value[0]);
  assert_memory_equal(value[2], value[3], sizeof value[0]);
  assert_true(fabs(value[0][0] - value[0][4]) > 1 && value[0][0] != value[2][0]);
  scratch_remove(&folder);
}

/* A layer of the wall is one of three, by number or word; nothing lies between them, nor is their mean anything. */
static void layers_of_a_wall(void **state) {
  (void)state;
  static const struct {
    const char *layer, *said; /* NULL: it runs */
  } row[] = {{"endo", NULL},
             {"1", NULL},
             {"'step(x - 2)'", NULL},
             {"0.5", "layer is 0.5, must be one of: epi, endo, mid"},
             {"'0.5*x'", "layer is 0.5, must be one of: epi, endo, mid"}};
  char *folder = scratch_create(), text[512];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [5, 3], size: [4, 2]}\nphysics: monodomain\n"
             "tissue: [{on: body, ionic: {model: ten-tusscher, layer: %s}, diffusivity: 0.1}]\n"
             "time: {end: 0.1, step: 0.05}\n",
             row[k].layer);
    scratch_write(folder, "case.yaml", text);
    Said said =
        app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--quiet", NULL);
    assert_int_equal(said.code, row[k].said ? 3 : 0);
    if (row[k].said) assert_non_null(strstr(said.err, row[k].said));
    said_release(&said);
  }
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *ionic, *more, *said;
  } wrong[] = {{"tau-out: '6 - 10*x'", "", "tau-out"},
               {"tau-out: '6 + t'", "", "tau-out depends on t"},
               {"tau-out: {field: scar}", "", "scar"},
               {"tau-out: '6 - 10*x'", "reaction: gauss\n", "in element 14, (1.5, 0.5, 0): tau-out"},
               {"tau-in: '0.3/(1 + 100*x)'", "reaction: gauss\n", "with the parameters that some elements have"},
               {"tau-in: '0.3/(1 + 100*x)'", "", "with the parameters that some nodes have"}};
  char *folder = scratch_create(), text[512];
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [5, 3], size: [4, 2]}\nphysics: monodomain\n"
        "tissue: [{on: body, ionic: {model: mitchell-schaeffer, %s}, diffusivity: 1}]\n%stime: {end: 1, step: 0.1}\n",
        wrong[k].ionic, wrong[k].more);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    print_message("%s", said.err);
    assert_int_equal(said.code, 3);
    assert_non_null(strstr(said.err, wrong[k].said));
    said_release(&said);
  }
  scratch_write(
      folder, "case.yaml",
      "version: 1\nmesh: {grid: [5, 3], size: [4, 2]}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: {model: mitchell-schaeffer, tau-out: '6 + x'}, diffusivity: 1}]\ntime: {end: 1, "
      "step: 0.1}\n");
  Said said = app_says("cell", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "vary in space"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_node_its_own), cmocka_unit_test(constants_and_many),
                                     cmocka_unit_test(elements_their_own), cmocka_unit_test(layers_of_a_wall),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("varying_cells", tests, NULL, NULL);
}
