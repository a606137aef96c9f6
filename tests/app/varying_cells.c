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

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *ionic, *more, *said;
  } wrong[] = {{"tau-out: '6 - 10*x'", "", "tau-out"},
               {"tau-out: '6 + t'", "", "tau-out depends on t"},
               {"tau-out: {field: scar}", "", "scar"},
               {"tau-out: '6*(1 + x)'", "reaction: gauss\n", "'reaction: nodal'"},
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
  assert_non_null(strstr(said.err, "vary with the place"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_node_its_own), cmocka_unit_test(constants_and_many),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("varying_cells", tests, NULL, NULL);
}
