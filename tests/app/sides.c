/* Probes within elements beside an interface have the stress of their own material, whatever the analysis: a bar of two materials
 * that is stretched evenly by STRAIN, whose lateral contraction is none. */
#include "tests/app/scratch.h"

#include <stdio.h>

#define STRAIN "1e-6"

/* Elements end at x = 1, where the materials meet; nodes there have the stress of `body`. */
static void stretch(const char *more, const char *fixed) {
  char *folder = scratch_create(), text[2048];
  snprintf(text, sizeof text,
           "version: 1\nphysics: elasticity\nmodel: plane-strain\nformulation: displacement\n"
           "mesh: {grid: [5, 3], size: [2, 1], regions: [{name: right, within: body, share: 'step(x - 1)'}]}\n"
           "materials: [{on: body, young: 1e6, poisson: 0, density: 1}, {on: right, young: 3e6, poisson: 0, density: "
           "1}]\nboundary: [{on: [body, right], fix: {x: \"%s*x\", y: 0}}]\n%s"
           "output: {probes: [{name: a, at: [0.8, 0.4], field: stress-xx}, {name: b, at: [1.2, 0.4], field: stress-xx},"
           " {name: c, at: [1.2, 0.7], field: von-mises}, {name: n, at: [1, 0.5], field: stress-xx}]}\n"
           "expect: [{probe: a, value: 1, rtol: 1e-5}, {probe: b, value: 3, rtol: 1e-5}, {probe: c, value: 3, rtol: "
           "1e-5}, {probe: n, value: 1, rtol: 1e-5}]\n",
           fixed, more);
  app_verifies(folder, text);
  scratch_remove(&folder);
}

static void see_their_side(void **state) {
  (void)state;
  stretch("", STRAIN);
  stretch("time: {end: 2, step: 1}\n", STRAIN);
  stretch("steps: [{name: a, end: 1, step: 0.5}, {name: b, end: 2, step: 1}]\n", STRAIN);
  stretch("strain: finite\ntime: {end: 1, step: 1}\n", STRAIN);
  stretch("analysis: {type: transient}\ntime: {end: 1, step: 0.5}\n", STRAIN "*t");
  stretch("analysis: {type: transient}\nsteps: [{name: a, end: 1, step: 0.5}]\n", STRAIN "*t");
  stretch("analysis: {type: transient}\nstrain: finite\ntime: {end: 1, step: 0.5}\n", STRAIN "*t");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(see_their_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
