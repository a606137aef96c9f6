/* Linear motion: where no support moves, forces are products with the matrices; where one does, sums over the elements. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>

#define BODY(mesh, model, support, more)                                                                               \
  "version: 1\nmesh: " mesh "\nphysics: elasticity\nmodel: " model                                                     \
  "\nanalysis: {type: transient, rho-infinity: 0.8, damping: {alpha: 0.3, beta: 0.02}}\n"                              \
  "materials: [{on: body, young: 7, poisson: 0.3, density: 2}]\nboundary:\n"                                           \
  "- {on: y0, fix: {y: " support "}}\n" more "time: {end: 3, step: 0.2}\nsolver: {rtol: 1e-12}\n"

#define PLATE(support, more)                                                                                           \
  BODY("{grid: [7, 5], size: [3, 2]}", "plane-stress", support,                                                        \
       "- {on: x0, fix: {x: 0}}\n- {on: x1, traction: [\"sin(t)\", 0.1]}\n" more)                                      \
  "output: {probes: [{name: a, at: [3, 2], field: displacement-x}, {name: b, at: [2.1, 0.7], field: velocity-y}, "     \
  "{name: c, at: [1, 1.5], field: acceleration-x}]}\n"
#define BLOCK(support, more)                                                                                           \
  BODY("{grid: [4, 3, 5], size: [3, 2, 2]}", "3d", support,                                                            \
       "- {on: x0, fix: {x: 0, z: 0}}\n- {on: x1, traction: [\"sin(t)\", 0.1, t]}\n" more)                             \
  "output: {probes: [{name: a, at: [3, 2, 1], field: displacement-x}, {name: b, at: [2.1, 0.7, 1], field: "            \
  "velocity-z}, {name: c, at: [1, 1.5, 0.3], field: acceleration-y}]}\n"

/* A support that stays, and the same that could move. */
static void products_are_sums_over_elements(void **state) {
#define BOTH(body, more)                                                                                               \
  { body("0.02", more), body("0.02 + 0*t", more) }
  static const char *const cases[][2] = {
      BOTH(PLATE, ""),
      BOTH(PLATE, "- {on: y1, spring: 3}\n- {on: x1, dashpot: 0.4}\n"),
      BOTH(PLATE, "equations: [{nodes: [12, 24], components: [x, y], factors: [1, -0.5], value: 0.01}]\n"),
      BOTH(PLATE, "- {on: y1, distribute: {at: [1.5, 3], force: [0.2, 0.3], moment: 0.4}}\n"),
      BOTH(BLOCK, "initial: {velocity: [0, 0.1, \"0.2*x\"]}\n"),
      BOTH(BLOCK, "- {on: z1, dashpot: [0.1, 0.2, 0.3]}\nbody: [{on: body, gravity: [0, 0, -1]}]\n"),
  };
  (void)state;
  enum { N = 4 };
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    double row[2][N];
    for (int way = 0; way < 2; ++way) {
      app_runs(folder, cases[k][way]);
      scratch_last_row(folder, N, row[way]);
    }
    for (int i = 1; i < N; ++i)
      if (!(fabs(row[0][i] - row[1][i]) <= 1e-9 * fabs(row[1][i])))
        fail_msg("%s: %.15g by products, %.15g by elements", cases[k][0], row[0][i], row[1][i]);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_sums_over_elements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
