/* What changes by more in a step than Newton's method bears at once goes there by parts: equations by easier problems, and what jumps by
 * steps that are cut. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
       "steps: [{name: a, end: 1, step: 1, adaptive: false}, {name: b, end: 2, step: 0.125, adaptive: false}]\n"},
      {"equations: [{nodes: [125], components: [x], factors: [1], value: -0.35, from: 1}]\n"
       "steps: [{name: a, end: 1, step: 1, adaptive: false}, {name: b, end: 2, step: 1, adaptive: false}]\n",
       "equations: [{nodes: [125], components: [x], factors: [1], value: -0.35, from: 1}]\n"
       "steps: [{name: a, end: 1, step: 1, adaptive: false}, {name: b, end: 2, step: 0.5}]\n"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rests / sizeof *rests; ++k) {
    const double one = moved(folder, rests[k][0]), eight = moved(folder, rests[k][1]);
    assert_true(eight < -0.2);
    assert_within(one, eight, 1e-7);
  }
  scratch_remove(&folder);
}

static const char *const METAL =
    "version: 1\nmesh: {grid: [9, 4, 3], size: [20, 6, 4]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "materials: [{on: body, type: plastic, young: 2e5, poisson: 0.3, yield: [[0, 250], [0.1, 300]]}]\n"
    "output: {sums: [{name: r, on: x1, field: reaction}]}\n";

static double drawn(const char *folder, const char *rest, double *cuts) {
  char text[2000];
  double row[2];
  snprintf(text, sizeof text, "%s%s", METAL, rest);
  app_runs(folder, text);
  scratch_last_row(folder, 2, row);
  *cuts = scratch_reported(folder, "failed_steps");
  return row[1];
}

/* A bar of metal that is drawn by a tenth at once, beside a load that has t, at the start and in a step: as if it were drawn over the first
 * load step, in which it is cut. */
static void jumps_are_made_over_a_load_step(void **state) {
  (void)state;
#define CASE(fix)                                                                                                      \
  "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: " fix                                                              \
  "}}, {on: y1, pressure: \"10*t\"}]\ntime: {end: 0.5, step: 0.25}\n"
#define CHAIN(fix)                                                                                                     \
  "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: 0.1}}]\nsteps: [{name: a, end: 1, step: 1}, {name: b, end: 1.5, "  \
  "step: 0.25, boundary: [{on: x1, fix: {x: " fix "}}]}]\n"
  static const char *const rests[][2] = {
      {CASE("2"), CASE("\"2*min(1, t/0.25)\"")},
      {CHAIN("\"0.6 - 0.1*(t - 1)\""), CHAIN("\"0.1 + min(1, (t - 1)/0.25)*(0.5 - 0.1*(t - 1))\"")}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rests / sizeof *rests; ++k) {
    double cuts[2];
    const double at_once = drawn(folder, rests[k][0], &cuts[0]), over = drawn(folder, rests[k][1], &cuts[1]);
    if (!(over > 400 && cuts[0] > 0)) fail_msg("%g after %g cuts", over, cuts[0]);
    assert_within(cuts[0], cuts[1], 0);
    assert_relative(at_once, over, 1e-6);
  }
  scratch_remove(&folder);
}

/* What jumps on its way, where no step is short enough. */
static void jumps_on_the_way_are_told(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2000];
  snprintf(text, sizeof text,
           "%sfunctions: [{name: g, points: [{at: 0, value: 0}, {at: 0.5, value: 0.1}, {at: 0.50000001, value: 6}, "
           "{at: 1, value: 6}]}]\n"
           "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: \"g(t)\"}}]\ntime: {end: 1, step: 0.25}\n",
           METAL);
  Said said = app_run_says(folder, text);
  assert_int_equal(said.code, 6);
  if (!strstr(said.err, "what is prescribed goes from 0.1 to 6 at once at t = 0.5") ||
      !strstr(said.err, "goes there over a step"))
    fail_msg("%s", said.err);
  said_release(&said);
  scratch_remove(&folder);
}

/* A support that follows an expression of its own in each of eight steps. */
static void many_steps_have_expressions(void **state) {
  (void)state;
  enum { N = 8 };
  char *folder = scratch_create(), text[4000] = "", *end = text;
  end += sprintf(
      end,
      "version: 1\nmesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-strain\nmaterials: [{on: body, young: 7, "
      "poisson: 0.2}]\nboundary: [{on: x0, fix: all}, {on: x1, fix: {x: 0}}]\noutput: {probes: [{name: u, at: [1, 1], "
      "field: displacement-x}]}\nsteps:\n");
  for (int k = 0; k < N; ++k)
    end += sprintf(end, "- {name: s%d, end: %d, step: 1, boundary: [{on: x1, fix: {x: \"0.01*sin(%d*t)\"}}]}\n", k,
                   k + 1, k + 1);
  end += sprintf(end, "expect:\n");
  for (int k = 0; k < N; ++k)
    end += sprintf(end, "- {probe: u, time: %d, value: %.15g, rtol: 1e-9}\n", k + 1, 0.01 * sin((k + 1.) * (k + 1)));
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
  if (said.code) fail_msg("%s\n%s", said.out, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_step_is_eight), cmocka_unit_test(jumps_are_made_over_a_load_step),
      cmocka_unit_test(jumps_on_the_way_are_told), cmocka_unit_test(many_steps_have_expressions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
