/* Equations whose values grow by more in a step than one unknown can bear at its first guess: the way there goes by parts of it. */
#include "tests/app/scratch.h"

#include <stdio.h>

static const char *const BLOCK =
    "version: 1\nmesh: {grid: [5, 5, 5], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "materials: [{on: body, type: neo-hooke, young: 100, poisson: 0.3}]\nboundary: [{on: x0, fix: all}]\n"
    "solver: {rtol: 1e-9}\noutput: {probes: [{name: p, at: [1, 1, 1], field: displacement-x}]}\n";

static double moved(const char *folder, const char *rest) {
  char text[2000];
  double row[2];
  snprintf(text, sizeof text, "%s%s", BLOCK, rest);
  app_runs(folder, text);
  scratch_last_row(folder, 2, row);
  return row[1];
}

/* One step comes to what eight do: rubber forgets the way. */
static void one_step_is_eight(void **state) {
  (void)state;
  static const char *const rests[][2] = {
      {"equations: [{nodes: [125, 25], components: [x, y], factors: [1, 1], value: -0.5}]\n"
       "time: {end: 1, step: 1, adaptive: false}\n",
       "equations: [{nodes: [125, 25], components: [x, y], factors: [1, 1], value: -0.5}]\n"
       "time: {end: 1, step: 0.125, adaptive: false}\n"},
      {"equations: [{nodes: [125], components: [x], factors: [1], value: -0.35, from: 1, begin: ramp}]\n"
       "steps: [{name: a, end: 1, step: 1, adaptive: false}, {name: b, end: 2, step: 1, adaptive: false}]\n",
       "equations: [{nodes: [125], components: [x], factors: [1], value: -0.35, from: 1, begin: ramp}]\n"
       "steps: [{name: a, end: 1, step: 1, adaptive: false}, {name: b, end: 2, step: 0.125, adaptive: false}]\n"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rests / sizeof *rests; ++k) {
    const double one = moved(folder, rests[k][0]), eight = moved(folder, rests[k][1]);
    assert_true(eight < -0.2);
    assert_within(one, eight, 1e-7);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_step_is_eight)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
