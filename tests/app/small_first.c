/* Steps of small strains before those of finite ones, with metals and rigid groups: each as it is alone, and states go on. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 4 };
/* probes.csv of a time: ROW numbers behind it. */
static void row_at(const char *folder, const char *text, double time, double value[ROW]) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  char *rows = scratch_read(folder, "results/probes.csv");
  bool found = false;
  for (char *at = strchr(rows, '\n'); at && at[1] && !found; at = strchr(at, '\n')) {
    found = fabs(strtod(at + 1, &at) - time) < 1e-9;
    for (int k = 0; k < ROW && found; ++k) value[k] = strtod(at + 1, &at);
  }
  free(rows);
  assert_true(found);
}

#define BAR                                                                                                            \
  "version: 1\nmesh: {grid: [3, 2, 2], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: %s\nsolver: {rtol: "  \
  "1e-11}\n"                                                                                                           \
  "materials: [{on: body, type: plastic, young: 2e5, poisson: 0.3, %s}]\n"                                             \
  "boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}, {on: x1, fix: {x: %g}}]\n"          \
  "steps: [{name: a, %send: 1, step: 0.1}, {name: b, end: 2, step: 0.05, boundary: [{on: x1, fix: {x: %g}}]}]\n"       \
  "output: {probes: [{name: p, at: [1, 0.5, 0.5], field: plastic-strain}, {name: w, at: [1, 1, 1], field: "            \
  "displacement-y}], sums: "                                                                                           \
  "[{name: r, on: x1, field: reaction}]}\n"

/* A bar that is drawn along its axis by 1.5 % and then by 10 %: what a linear step leaves is the strain that the logarithm goes on from. Its
 * force is the true stress of the curve times the area. */
static void bars_are_drawn(void **state) {
  (void)state;
  static const char *const laws[] = {"yield: [[0, 200], [1, 2200]]", "yield: 200, backstress: [[2000, 0]]"};
  char *folder = scratch_create(), text[2048];
  for (int k = 0; k < 2; ++k) {
    const double E = 2e5, H = 2000, e = log(1.1), small = E * (200 + H * 0.015) / (E + H);
    double p = e, stress = 0, J = 1;
    for (int i = 0; i < 50; ++i) stress = 200 + H * p, p = e - J * stress / E, J = exp((1 - 0.6) * J * stress / E);
    double first[ROW], last[ROW], alone[ROW];
    snprintf(text, sizeof text, BAR, "finite", laws[k], 0.03, "strain: small, ", 0.2);
    row_at(folder, text, 1, first);
    row_at(folder, text, 2, last);
    snprintf(text, sizeof text, BAR, "small", laws[k], 0.03, "", 0.2);
    row_at(folder, text, 1, alone);
    for (int i = 0; i < ROW; ++i) assert_within(first[i], alone[i], 1e-9 * (1 + fabs(alone[i])));
    assert_relative(first[2], small, 1e-8);
    assert_relative(last[0], p, 1e-7);
    assert_relative(last[2], stress * J / 1.1, 1e-7);
  }
  scratch_remove(&folder);
}

#define BLOCK                                                                                                          \
  "version: 1\nmesh: {grid: [3, 2, 2], size: [4, 1, 1], order: %d}\nphysics: elasticity\nmodel: 3d\nstrain: "          \
  "%s\nsolver: {rtol: 1e-10}\n"                                                                                        \
  "formulation: displacement\nmaterials: [{on: body, %s}]\nboundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [4.5, " \
  "0.3, 0.5]%s}}]\n"                                                                                                   \
  "steps: [{name: a, %send: 1, step: 0.5, boundary: [{on: x1, rigid: {at: [4.5, 0.3, 0.5], %s}}]}, {name: b, end: "    \
  "2, step: "                                                                                                          \
  "0.25, boundary: [{on: x1, rigid: {at: [4.5, 0.3, 0.5], %s}}]}]\n"                                                   \
  "output: {checkpoint: 0.25, probes: [{name: u, at: [4, 1, 1], field: displacement-z}, {name: v, at: [4, 1, 1], "     \
  "field: displacement-x}, {name: "                                                                                    \
  "s, at: [4, 0, 1], field: displacement-z}, {name: t, at: [2, 0.3, 0.6], field: displacement-y}]}\n"

/* A block with a rigid face that a force and a moment bend, or a rotation does: the first step as at small strains, the last as if all had been at finite
 * ones, where the body is elastic. */
static void rigid_faces_turn(void **state) {
  (void)state;
  static const char *const elastic = "young: 1000, poisson: 0.3";
  static const char *const acts[][3] = {
      {"", "force: [1, 0.2, -0.3], moment: [3, 2, 1]", "force: [-2, 1, -2], moment: [10, 9, -3]"},
      {", fix: {rx: 0, ry: 0, rz: 0}", "fix: {rx: 0.1, ry: 0.05, rz: 0}", "fix: {rx: 1, ry: -0.3, rz: 0.4}"},
      {", fix: {ry: 0}", "fix: {ry: 0.1}, moment: [1, 0, 2]", "fix: {ry: 0.7}, moment: [10, 0, -20]"}};
  char *folder = scratch_create(), text[2048];
  for (int k = 0; k < 3; ++k) {
    double first[ROW], last[ROW], small[ROW], finite[ROW];
    const int order = 1 + (k == 0);
    snprintf(text, sizeof text, BLOCK, order, "finite", elastic, acts[k][0], "strain: small, ", acts[k][1], acts[k][2]);
    row_at(folder, text, 1, first);
    row_at(folder, text, 2, last);
    snprintf(text, sizeof text, BLOCK, order, "small", elastic, acts[k][0], "", acts[k][1], acts[k][2]);
    row_at(folder, text, 1, small);
    snprintf(text, sizeof text, BLOCK, order, "finite", elastic, acts[k][0], "", acts[k][1], acts[k][2]);
    row_at(folder, text, 2, finite);
    for (int i = 0; i < ROW; ++i) {
      assert_within(first[i], small[i], 1e-6 * (1e-2 + fabs(small[i])));
      assert_within(last[i], finite[i], 1e-5 * (1e-1 + fabs(finite[i])));
    }
    assert_true(fabs(finite[0] - 3 * small[0]) > 1e-2);
  }
  scratch_remove(&folder);
}

#define TOUCHES                                                                                                        \
  "version: 1\nmesh: {grid: [7, 3], size: [3, 1]}\nphysics: elasticity\nmodel: plane-strain\nstrain: "                 \
  "%s\nformulation: displacement\nsolver: {rtol: 1e-10}\n"                                                             \
  "materials: [{on: body, young: 100, poisson: 0.3}]\nboundary: [{on: x0, fix: {x: 0}}]\n"                             \
  "contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}}]\n"                                              \
  "steps: [{name: a, %send: 1, step: 0.5, boundary: [{on: y1, pressure: '1+x'}]}, {name: b, end: 2, step: 0.25, "      \
  "boundary: [{on: y1, pressure: '6+3*x'}]}]\n"                                                                        \
  "output: {probes: [{name: v, at: [2, 1], field: displacement-y}, {name: u, at: [3, 1], field: displacement-x}], "    \
  "sums: [{name: f, on: y0, field: contact-force}]}\n"

/* A block on a table under a pressure, which follows in the second step alone. */
static void tables_bear(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double first[ROW], last[ROW], small[ROW], finite[ROW];
  snprintf(text, sizeof text, TOUCHES, "finite", "strain: small, ");
  row_at(folder, text, 1, first);
  row_at(folder, text, 2, last);
  snprintf(text, sizeof text, TOUCHES, "small", "");
  row_at(folder, text, 1, small);
  snprintf(text, sizeof text, TOUCHES, "finite", "");
  row_at(folder, text, 2, finite);
  assert_true(small[3] > 0.1 && finite[3] > 1);
  for (int i = 0; i < ROW; ++i) assert_within(first[i], small[i], 1e-6 * (1e-2 + fabs(small[i])));
  for (int i = 0; i < ROW; ++i) assert_within(last[i], finite[i], 1e-5 * (1e-1 + fabs(finite[i])));
  scratch_remove(&folder);
}

#define SLIDES                                                                                                         \
  "version: 1\nmesh: {grid: [12, 4], size: [2, 0.5]}\nphysics: elasticity\nmodel: plane-strain\nstrain: "              \
  "%s\nformulation: displacement\nsolver: {rtol: 1e-10}\nmaterials: [{on: body, young: 100, poisson: 0.3}]\n"          \
  "boundary: [{on: y0, fix: all}]\ncontact: [{on: y1, against: {cylinder: {at: [0.6, 1.001], radius: 0.5, move: "      \
  "['0.5*max(0, t - 1)', '-0.01*min(t, 1) - 0.05*max(0, t - 1)']}}, friction: 0.2%s}]\n"                               \
  "steps: [{name: a, %send: 1, step: 0.25}, {name: b, end: 2, step: 0.05}]\noutput: {every: 0.25, checkpoint: 0.25, "  \
  "probes: [{name: v, at: [1, 0.5], field: displacement-y}, {name: u, at: [1, 0.5], field: displacement-x}], sums: "   \
  "[{name: f, on: y1, field: contact-force}]}\n"

/* A roller that is pressed on a strip and then drawn along it: surfaces are found anew from the step of finite strains on. */
static void rollers_slide(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double first[ROW], last[ROW], small[ROW], finite[ROW];
  snprintf(text, sizeof text, SLIDES, "finite", ", sliding: finite", "strain: small, ");
  row_at(folder, text, 1, first);
  row_at(folder, text, 2, last);
  snprintf(text, sizeof text, SLIDES, "finite", ", sliding: finite", "");
  row_at(folder, text, 2, finite);
  char *at = strstr(text, ", {name: b");
  snprintf(text, sizeof text, SLIDES, "small", "", "");
  at = strstr(text, ", {name: b");
  memcpy(at, "]\n", 2); /* of the first step alone */
  memmove(at + 2, strstr(at, "]\noutput") + 1, strlen(strstr(at, "]\noutput")));
  row_at(folder, text, 1, small);
  print_message("%g %g, %g %g\n", first[3], small[3], last[3], finite[3]);
  for (int i = 0; i < ROW; ++i) assert_within(first[i], small[i], 1e-6 * (1e-2 + fabs(small[i])));
  for (int i = 0; i < ROW; ++i)
    assert_within(last[i], finite[i], 2e-3 * (1e-1 + fabs(finite[i]))); /* by where it stuck */
  scratch_remove(&folder);
}

/* A metal with a rigid face, and a roller, stopped in either strain. */
static void runs_go_on(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  snprintf(text, sizeof text, BLOCK, 1, "finite", "type: plastic, young: 1000, poisson: 0.3, yield: [[0, 10], [1, 40]]",
           "", "strain: small, ", "moment: [1, 1.5, 2]", "moment: [2, 4, -1]");
  for (int slides = 0; slides < 2; ++slides) {
    if (slides) snprintf(text, sizeof text, SLIDES, "finite", ", sliding: finite", "strain: small, ");
    scratch_write(folder, "case.yaml", text);
    assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
    const int calls = app_guard_calls;
    char *whole = scratch_read(folder, "whole/probes.csv");
    for (int k = 1; k <= 3; k += 2) {
      assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, k * calls / (slides ? 10 : 4)), 10);
      assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
      char *parts = scratch_read(folder, "parts/probes.csv");
      assert_string_equal(whole, parts);
      free(parts);
    }
    free(whole);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bars_are_drawn), cmocka_unit_test(rigid_faces_turn),
                                     cmocka_unit_test(tables_bear), cmocka_unit_test(rollers_slide),
                                     cmocka_unit_test(runs_go_on)};
  return cmocka_run_group_tests_name("app/small_first", tests, NULL, NULL);
}
