/* Beats of a body until they repeat: where the run ends, what it says, and that a stopped run ends there too. */
#include "app/app.h"
#include "tests/app/scratch.h"
#include "tests/cli/small_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALL(until) WALL_WITH(until, "")
#define WALL_WITH(until, more)                                                                                         \
  "version: 1\nmesh: {file: wall.msh}\nphysics: electromechanics\nmodel: plane-strain\n"                               \
  "muscle:\n  - {on: body, type: neo-hooke, shear: 4, bulk: 4, fibers: {direction: [1, 0]}, tension: {value: "         \
  "\"20*sin(pi*t/400)^2\", form: stretch}}\n"                                                                          \
  "boundary:\n  - {on: [low, up], symmetry: true}\n  - {on: out, fix: all}\n"                                          \
  "cavities: [{name: lv, on: endo, pressure: 0.6}]\n"                                                                  \
  "circulation:\n  cycle: 400\n  lv:\n    from: {pressure: 0.6, valve: {open: 80}}\n"                                  \
  "    to: {valve: {open: 80}, windkessel: {zc: 400, r: 3000, c: 0.1, pressure: 1}}\n"                                 \
  "time: {end: 8000, step: 25, until: " until "}\noutput: {every: 400, checkpoint: 100}\n" more

/* Time and volume of the last row of loops.csv, and the largest change of the volume over each whole beat, [beats]. */
static int read_loops(const char *folder, const char *output, double *end, double *change) {
  char *text = scratch_read(folder, output), *row = strchr(text, '\n');
  double before = 0;
  int n = 0;
  for (; row && row[1]; row = strchr(row + 1, '\n')) {
    char *at = row + 1;
    *end = strtod(at, &at);
    const double volume = strtod(at + 1, &at);
    if (fmod(*end, 400) > 1e-6) continue;
    if (*end > 0) change[n++] = fabs(volume - before);
    before = volume;
  }
  free(text);
  return n;
}

/* The body holds what has flowed, as far as Newton's method says. */
static void check_volume_error(const char *folder) {
  char *report = scratch_read(folder, "results/report.json"), *at = strstr(report, "\"values\":");
  double error = -1;
  at = at ? strstr(at, "lv-volume-error\"") : NULL;
  assert_non_null(at);
  assert_int_equal(sscanf(strchr(at, ':') + 1, "%lf", &error), 1);
  assert_true(error >= 0 && error < 1e-6);
  free(report);
}

static void ends_with_a_beat(void **state) {
  (void)state;
  double end, change[20];
  char *folder = scratch_create();
  scratch_write(folder, "wall.msh", WALL_MESH);
  app_runs(folder, WALL("{periodic: 0.001}"));
  const int n = read_loops(folder, "results/loops.csv", &end, change);
  assert_true(n > 2 && n < 15);
  assert_within(end, 400 * n, 1e-6);
  assert_true(change[n - 1] < 0.001 * 2);
  assert_true(change[n - 2] > 0 || n == 2);
  char *picture = scratch_read(folder, "results/loops.svg"), last[32];
  snprintf(last, sizeof last, "lv, beat %d", n);
  assert_non_null(strstr(picture, "lv, beat 1"));
  assert_non_null(strstr(picture, last));
  free(picture);
  app_runs(folder, WALL("{periodic: 1e-9, beats: 3}"));
  assert_int_equal(read_loops(folder, "results/loops.csv", &end, change), 3);
  assert_within(end, 1200, 1e-6);
  check_volume_error(folder);
  scratch_remove(&folder);
}

/* Beats of 400 ms with steps of 30, which do not make one up: beats end with steps all the same, and the numbers are those of rows
 * from 800 to 1200 ms. */
static void beats_end_with_steps(void **state) {
  (void)state;
  double end, change[20], most = 0, least = INFINITY, value = 0;
  char *folder = scratch_create(), text[4096], *step;
  scratch_write(folder, "wall.msh", WALL_MESH);
  snprintf(text, sizeof text, "%s", WALL("{periodic: 1e-9, beats: 3}"));
  step = strstr(text, "step: 25");
  assert_non_null(step);
  memcpy(step, "step: 30", strlen("step: 30"));
  app_runs(folder, text);
  assert_int_equal(read_loops(folder, "results/loops.csv", &end, change), 3);
  assert_within(end, 1200, 1e-9);
  char *rows = scratch_read(folder, "results/loops.csv"), *report = scratch_read(folder, "results/report.json");
  for (char *row = strchr(rows, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
    char *at = row + 1;
    const double t = strtod(at, &at), volume = strtod(at + 1, &at);
    if (t > 800 - 1e-6) most = fmax(most, volume), least = fmin(least, volume);
  }
  char *at = strstr(strstr(report, "\"values\":"), "lv-stroke-volume\"");
  assert_non_null(at);
  assert_int_equal(sscanf(strchr(at, ':') + 1, "%lf", &value), 1);
  assert_within(value, most - least, 1e-9 * most);
  free(rows), free(report);
  scratch_remove(&folder);
}

/* Volumes of all rows. */
static int read_volumes(const char *folder, double *volume) {
  char *text = scratch_read(folder, "results/loops.csv");
  int n = 0;
  for (char *row = strchr(text, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
    char *at = row + 1;
    strtod(at, &at);
    volume[n++] = strtod(at + 1, NULL);
  }
  free(text);
  return n;
}

/* The middle of the wall moves as its ends do, which an equation says once more; then four fifths as far, which takes volume off. */
static void with_equations(void **state) {
  (void)state;
#define RATIO(factor)                                                                                                  \
  WALL_WITH("{periodic: 1e-9, beats: 2}",                                                                              \
            "equations: [{nodes: [4, 1], components: [x, x], factors: [1, -" factor "]}]\nsolver: {rtol: 1e-10}\n")
  static const char *const text[] = {WALL_WITH("{periodic: 1e-9, beats: 2}", "solver: {rtol: 1e-10}\n"), RATIO("1"),
                                     RATIO("0.8")};
  double volume[3][40];
  char *folder = scratch_create();
  int n = 0;
  scratch_write(folder, "wall.msh", WALL_MESH);
  for (int k = 0; k < 3; ++k) {
    app_runs(folder, text[k]);
    n = read_volumes(folder, volume[k]);
    assert_int_equal(n, 33);
  }
  for (int i = 0; i < n; ++i) assert_relative(volume[1][i], volume[0][i], 1e-8);
  assert_true(fabs(volume[2][8] - volume[0][8]) > 1e-4 * volume[0][8]);
  scratch_remove(&folder);
}

/* Stopped in a later beat, and gone on with: the same bytes, and the same end. */
static void goes_on(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "wall.msh", WALL_MESH);
  scratch_write(folder, "case.yaml", WALL("{periodic: 0.001}"));
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, 30), 10);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  char *whole = scratch_read(folder, "whole/loops.csv"), *again = scratch_read(folder, "parts/loops.csv");
  assert_string_equal(whole, again);
  free(whole), free(again);
  char text[4096], *r = NULL; /* another circuit: refused */
  snprintf(text, sizeof text, "%s", WALL("{periodic: 0.001}"));
  r = strstr(text, "r: 3000");
  assert_non_null(r);
  r[3] = '4';
  scratch_write(folder, "case.yaml", text);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 5);
  scratch_remove(&folder);
}

/* What it empties into sucks the wall through the other side of the cavity, which nothing but a word can stop. */
static void emptied_is_told(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "wall.msh", WALL_MESH);
  Said said = app_run_says(
      folder, "version: 1\nmesh: {file: wall.msh}\nphysics: electromechanics\nmodel: plane-strain\n"
              "muscle: [{on: body, type: neo-hooke, shear: 4, bulk: 4}]\n"
              "boundary:\n  - {on: [low, up], symmetry: true}\n  - {on: out, fix: all}\n  - {on: endo, fix: {y: 0}}\n"
              "cavities: [{name: lv, on: endo, pressure: 0.6}]\ncirculation:\n  cycle: 200\n"
              "  lv: {from: {pressure: 0.6, valve: {open: 80}}, to: {valve: {open: 80}, pressure: -80}}\n"
              "time: {end: 200, step: 20}\noutput: {every: 200}\n");
  if (said.code) fail_msg("exit code %d:\n%s", said.code, said.err);
  assert_non_null(strstr(said.err, "'lv' was emptied: it came to -"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_with_a_beat), cmocka_unit_test(beats_end_with_steps),
                                     cmocka_unit_test(with_equations), cmocka_unit_test(emptied_is_told),
                                     cmocka_unit_test(goes_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
