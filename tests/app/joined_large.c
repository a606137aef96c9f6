/* Ties, periodic pairs and equations at finite strain: against a body in one piece, several cells of a periodic one, and
 * closed forms. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(mesh, model) "version: 1\nmesh: " mesh "\nphysics: elasticity\nmodel: " model "\nstrain: finite\n"
#define RUBBER                                                                                                         \
  "materials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\nsolver: {rtol: 1e-11}\ntime: {end: 1, step: "    \
  "0.25}\n"

/* The last row of probes.csv. */
static void answers(const char *folder, const char *text, int n, double *value) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  char *rows = scratch_read(folder, "results/probes.csv"), *at = rows + strlen(rows) - 1;
  while (at > rows && at[-1] != '\n') --at;
  strtod(at, &at);
  for (int k = 0; k < n; ++k) value[k] = strtod(at + 1, &at);
  free(rows);
}

/* Two squares with nodes of their own where they meet. */
#define TWO                                                                                                            \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n2 1 \"body\"\n1 2 \"x0\"\n1 3 \"x1\"\n1 4 \"a\"\n1 5 "     \
  "\"b\"\n$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 1 0 0\n6 2 0 0\n7 2 1 0\n8 1 1 0\n"      \
  "$EndNodes\n$Elements\n6\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 5 6 7 8\n3 1 2 2 2 4 1\n4 1 2 3 3 6 7\n5 1 2 4 4 2 3\n6 1 2 " \
  "5 5 8 5\n$EndElements\n"
#define BENT(tie)                                                                                                      \
  RUBBER "boundary:\n- {on: x0, fix: all}\n- {on: x1, traction: [0, 0.3]}\n" tie                                       \
         "output: {fields: [displacement, cauchy], probes: [{name: u, at: [2, 1], field: displacement-x}, {name: v, "  \
         "at: [2, 1], field: displacement-y}, {name: w, at: [1, 0.5], field: displacement-y}]}\n"

static void tied(void **state) {
  (void)state;
  char *folder = scratch_create();
  double two[3], one[3];
  scratch_write(folder, "two.msh", TWO);
  answers(folder, HEAD("{file: two.msh, refine: 2}", "plane-strain") BENT("- {on: a, tie: b}\n"), 3, two);
  answers(folder, HEAD("{grid: [9, 5], size: [2, 1]}", "plane-strain") BENT(""), 3, one);
  assert_true(one[1] > 0.5); /* large */
  for (int k = 0; k < 3; ++k) assert_within(two[k], one[k], 1e-9);
  scratch_remove(&folder);
}

/* Of a strip whose stiffness repeats, one cell with periodic sides and three of them side by side. */
static void periodic(void **state) {
  (void)state;
#define CELLS(n, size)                                                                                                 \
  HEAD("{grid: [" n ", 5], size: [" size ", 1]}", "plane-strain")                                                      \
  "materials: [{on: body, type: neo-hooke, young: '10 + 5*cos(6.283185307179586*x)', poisson: 0.3}]\nsolver: {rtol: "  \
  "1e-11}\ntime: {end: 1, step: 0.25}\nboundary:\n- {on: y0, fix: all}\n- {on: y1, fix: {x: '0.6*t', y: '-0.1*t'}}\n"  \
  "- {on: x0, periodic: x1}\n"
#define AT(x)                                                                                                          \
  "output: {probes: [{name: u, at: [" x ", 0.5], field: displacement-x}, {name: v, at: [" x ", 0.5], field: "          \
  "displacement-y}]}\n"
  char *folder = scratch_create();
  double one[2], three[2];
  answers(folder, CELLS("9", "1") AT("0.25"), 2, one);
  answers(folder, CELLS("25", "3") AT("1.25"), 2, three);
  assert_true(fabs(one[1] + 0.05) > 1e-3); /* not as of one stiffness */
  for (int k = 0; k < 2; ++k) assert_within(one[k], three[k], 1e-9);
  scratch_remove(&folder);
}

/* A square whose upper corners are 1 farther away from the lower ones: the closed form of a bar pulled to twice its length,
 * in steps. */
static void pulled(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[3];
  answers(
      folder,
      HEAD("{grid: [2, 2], size: [1, 1]}", "plane-stress") RUBBER
      "boundary:\n- {on: y0, fix: {y: 0}}\n- {on: x0, fix: {x: 0}}\n"
      "equations:\n- {nodes: [3, 1], components: [y, y], factors: [1, -1], value: 1}\n"
      "- {nodes: [4, 2], components: [y, y], factors: [1, -1], value: 1}\n"
      "output: {probes: [{name: u, at: [1, 1], field: displacement-x}, {name: s, at: [0.5, 0.5], field: stress-yy}, "
      "{name: v, at: [1, 1], field: displacement-y}]}\n",
      3, value);
  assert_within(value[0], 0.7980775445 - 1, 1e-9);
  assert_within(value[1], 10.1541288288, 1e-8);
  assert_within(value[2], 1, 1e-12);
  char *rows = scratch_read(folder, "results/probes.csv");
  assert_non_null(strstr(rows, "\n0,0,0,0\n")); /* nothing at first */
  free(rows);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tied), cmocka_unit_test(periodic), cmocka_unit_test(pulled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
