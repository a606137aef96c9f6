/* Contact that begins, ends or gets another friction within a step of a motion. */
#include "tests/app/scratch.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 3000, ROW = 5 };

#define BLOCK                                                                                                          \
  "version: 1\nmesh: {grid: [3, 3], size: [1, 1]}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"         \
  "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.8}\nsolver: {rtol: 1e-10}\n"                 \
  "materials: [{on: body, young: %s, poisson: 0.3, density: 1}]\nbody: [{on: body, gravity: [0, -10]}]\n"              \
  "output: {checkpoint: 0.02, probes: [{name: y, at: [0.5, 0.5], field: displacement-y}, {name: v, at: [0.5, 0.5], "   \
  "field: velocity-%s}], sums: [{name: f, on: y0, field: contact-force}]}\n"
#define PLANE(y, more) "{on: y0, against: {plane: {at: [0, " y "], normal: [0, 1]}}" more "}"

static char *rows_of(const char *folder, const char *text) {
  app_runs(folder, text);
  return scratch_read(folder, "results/probes.csv");
}

/* A block that falls: until it arrives nothing tells whether the table is there. */
static void tables_may_come_late(void **state) {
  (void)state;
  static const char *const more[] = {"", ", sliding: finite", ", friction: 0.3"};
  uint64_t seed = 88;
  char *folder = scratch_create(), text[TEXT];
  for (int k = 0; k < 3; ++k) {
    const double late = 0.01 * draw_whole(&seed, 1, 8); /* it arrives at 0.1 */
    char *rows[2], table[200];
    snprintf(table, sizeof table, "contact: [" PLANE("-0.05", "%s") "]", more[k]);
    for (int i = 0; i < 2; ++i) {
      snprintf(text, sizeof text,
               BLOCK "boundary: [{on: x0, symmetry: true}]\n%s\nsteps: [{name: a, end: %g, step: 0.01}, {name: b, end: "
                     "0.2, step: 0.01%s%s}]\n",
               "1e3", "y", i ? "" : table, late, i ? ", " : "", i ? table : "");
      rows[i] = rows_of(folder, text);
    }
    assert_string_equal(rows[0], rows[1]);
    free(rows[0]);
    free(rows[1]);
  }
  scratch_remove(&folder);
}

/* A block that rests on a table which is taken away falls with g from then on. */
static void tables_are_taken_away(void **state) {
  (void)state;
  static const char *const more[] = {"", ", sliding: finite", ", friction: 0.3"};
  char *folder = scratch_create(), text[TEXT];
  for (int k = 0; k < 3; ++k) {
    double v[ROW];
    snprintf(text, sizeof text,
             BLOCK "boundary: [{on: x0, symmetry: true}]\ncontact: [" PLANE(
                 "0", "%s") "]\nsteps: [{name: r, end: 1, step: "
                            "0.5, inertia: false}, {name: a, end: 1.05, step: 0.01}, {name: b, end: 1.2, step: 0.01, "
                            "contact: [" PLANE("0", ", active: false") "]}]\n",
             "1e8", "y", more[k]);
    free(rows_of(folder, text));
    scratch_last_row(folder, ROW, v);
    assert_within(v[1], -5 * 0.15 * 0.15, 1e-6); /* and what it was pressed by, 5e-8 */
    assert_within(v[2], -10 * 0.15, 5e-3);       /* and waves of a strain of 1e-7, as fast as 1e4 */
    assert_within(v[4], 0, 0);
  }
  scratch_remove(&folder);
}

/* A block that slides on a table which gets slippery, stopped on the way. */
static void tables_get_slippery(void **state) {
  (void)state;
  char *folder = scratch_create(), text[TEXT];
  snprintf(text, sizeof text,
           BLOCK "contact: [" PLANE(
               "0", ", friction: 0.4") "]\ninitial: {velocity: [1, 0]}\nsteps: [{name: a, end: 0.03, "
                                       "step: 0.002}, {name: b, end: 0.05, step: 0.002, contact: [" PLANE(
                                           "0", ", friction: 0.1") "]}]\n",
           "1e4", "x");
  scratch_write(folder, "case.yaml", text);
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  const int calls = app_guard_calls;
  char *whole = scratch_read(folder, "whole/probes.csv"), *end = strchr(whole, '\n');
  double most = 0;
  while (end && end[1]) {
    double v[ROW];
    for (int k = 0; k < ROW; ++k) v[k] = strtod(end + 1, &end);
    const double mu = v[0] < 0.031 ? 0.4 : 0.1;
    most = fmax(most, v[4]);
    if (v[0] > 0.003 && fabs(v[3] + mu * v[4]) > 0.05 * mu * v[4]) /* once it has begun to slide */
      fail_msg("at %g: %g beside %g", v[0], v[3], v[4]);
    end = strchr(end, '\n');
  }
  assert_true(most > 5);
  for (int k = 1; k < 4; k += 2) {
    assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, k * calls / 4), 10);
    assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
    char *parts = scratch_read(folder, "parts/probes.csv");
    assert_string_equal(whole, parts);
    free(parts);
  }
  free(whole);
  scratch_remove(&folder);
}

static void tables_inside_are_refused(void **state) {
  (void)state;
  static const char *const more[] = {"", ", sliding: finite", ", friction: 0.3"};
  char *folder = scratch_create(), text[TEXT];
  for (int k = 0; k < 3; ++k) {
    snprintf(text, sizeof text,
             BLOCK "boundary: [{on: x0, symmetry: true}]\nsteps: [{name: a, end: 0.2, step: 0.01}, {name: b, end: 0.3, "
                   "step: 0.01, contact: [" PLANE("-0.15", "%s") "]}]\n",
             "1e3", "y", more[k]);
    Said said = app_run_says(folder, text);
    if (said.code != 6 ||
        !strstr(said.err, "begins in motion where 3 of its nodes are behind what they are to touch, by "
                          "up to 0.05"))
      fail_msg("%d: %s", said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Those of a motion that begins, in their place or moved there by a number. */
static void tables_inside_at_the_start(void **state) {
  (void)state;
  static const char *const place[] = {"[0, 0.05], normal: [0, 1]", "[0, 0], normal: [0, 1], move: [0, 0.05]"};
  char *folder = scratch_create(), text[TEXT];
  for (int k = 0; k < 4; ++k) {
    snprintf(text, sizeof text,
             BLOCK "contact: [{on: y0, against: {plane: {at: %s}}%s}]\ntime: {end: 0.1, step: 0.01}\n", "1e3", "y",
             place[k % 2], k / 2 ? ", sliding: finite" : "");
    Said said = app_run_says(folder, text);
    if (said.code != 6 ||
        !strstr(said.err, "begins in motion where 3 of its nodes are behind what they are to touch, by "
                          "up to 0.05"))
      fail_msg("%d: %s", said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_may_come_late), cmocka_unit_test(tables_are_taken_away),
                                     cmocka_unit_test(tables_get_slippery), cmocka_unit_test(tables_inside_are_refused),
                                     cmocka_unit_test(tables_inside_at_the_start)};
  return cmocka_run_group_tests_name("app/impact_begins", tests, NULL, NULL);
}
