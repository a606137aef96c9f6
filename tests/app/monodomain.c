/* The heart from case files to results, on the Exec under test: speed of a wave, maps, probes, the ECG, trains, both
 * schemes. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A strip of 20 mm, paced at its left end; the wave needs 28 ms for it. */
#define STRIP(more)                                                                                                    \
  "version: 1\nmesh: {grid: [41, 2], size: [20, 0.5]}\nphysics: monodomain\n"                                          \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"                                                      \
  "stimuli: [{name: s, on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50}]\n" more

/* Twice as long, so that the ends do not matter to the speed between 15 and 30 mm. */
#define LONG_STRIP                                                                                                     \
  "version: 1\nmesh: {grid: [81, 2], size: [40, 0.5]}\nphysics: monodomain\n"                                          \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"                                                      \
  "stimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50}]\n"

enum { COLUMNS = 8 };
/* The columns of the last row of probes.csv, time first; *rows counts them. */
static void last_row(const char *folder, int n, double value[COLUMNS], int *rows) {
  char *text = scratch_read(folder, "results/probes.csv"), *line = strchr(text, '\n') + 1, *last = line;
  for (*rows = 0; *line; line = strchr(line, '\n') + 1, ++*rows) last = line;
  for (int k = 0; k < n; ++k) {
    value[k] = strtod(last, &last);
    if (k + 1 < n) assert_int_equal(*last, ',');
    ++last;
  }
  free(text);
}

static double speed_of(const char *folder, const char *scheme) {
  char text[2048];
  double value[COLUMNS];
  int rows;
  snprintf(text, sizeof text,
           LONG_STRIP "time: {end: 72, %s\noutput: {every: 36, probes: [{name: a, at: [15, 0.25]}, {name: b, "
                      "at: [30, 0.25]}], velocity: [{name: v, from: a, to: b}]}\n",
           scheme);
  app_runs(folder, text);
  last_row(folder, 4, value, &rows);
  assert_int_equal(rows, 3);
  print_message("%s %.5f mm/ms\n", scheme, value[3]);
  return value[3];
}

/* VERIFICATION: exact 0.54571; backward Euler at dt 0.5 and h 0.5 between 0.5650 and 0.5680. */
static void speed_of_a_wave(void **state) {
  (void)state;
  char *folder = scratch_create();
  assert_within(speed_of(folder, "step: 0.5, scheme: backward-euler}"), 0.5659, 2e-3);
  assert_within(speed_of(folder, "step: 0.5, scheme: backward-euler}\nreaction: gauss"), 0.5670, 2e-3);
  assert_within(speed_of(folder, "step: 0.5}"), 0.5457, 4e-3); /* BDF2 unless given */
  assert_within(speed_of(folder, "step: 0.25, scheme: bdf2}"), 0.5457, 4e-3);
  assert_within(speed_of(folder, "step: 0.25, scheme: crank-nicolson}\nreaction: gauss"), 0.5457, 4e-3);
  assert_within(speed_of(folder, "step: 0.25, scheme: bdf2, adaptive: {tolerance: 1e-4, max: 1}}"), 0.5457, 4e-3);
  scratch_remove(&folder);
}

/* What solved, and how often it iterated, is that of the scheme: a product is no iteration. */
static void report_names_the_solver(void **state) {
  (void)state;
  char *folder = scratch_create();
  static const char *const given[] = {"", "solver: {preconditioner: amg}\n"}, *const said[] = {"\"jacobi\"", "\"amg\""};
  for (int k = 0; k < 2; ++k) {
    char text[1024];
    snprintf(text, sizeof text, STRIP("time: {end: 5, step: 0.5}\nreaction: gauss\noutput: {every: 5}\n%s"), given[k]);
    app_runs(folder, text);
    char *report = scratch_read(folder, "results/report.json");
    assert_non_null(strstr(report, said[k]));
    const double iterations = strtod(strstr(report, "\"iterations\": ") + 14, NULL),
                 products = strtod(strstr(report, "\"products\": ") + 12, NULL),
                 cg = strtod(strstr(report, "\"cg_iterations\": ") + 17, NULL);
    assert_true(iterations > 0 && iterations < products && cg == iterations);
    free(report);
  }
  scratch_remove(&folder);
}

/* Maps, fields and probes of one run agree with each other. */
static void maps_and_fields(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[COLUMNS];
  int rows;
  app_runs(
      folder,
      STRIP(
          "time: {end: 450, step: 1}\n"
          "output: {every: 50, fields: [potential, recovery], maps: [activation, repolarization, apd], probes: [{name: "
          "u, "
          "at: [10, 0]}, {name: r, at: [10, 0], field: recovery}, {name: t, at: [10, 0], field: activation}, {name: e, "
          "at: [10, 0], field: repolarization}, {name: d, at: [10.1, 0.1], field: apd}]}\n"));
  last_row(folder, 6, value, &rows);
  assert_int_equal(rows, 10);
  assert_near(value[0], 450, 1e-9);
  Result *result = NULL;
  double field[82];
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_int_equal(result->n_step, 10);
  assert_int_equal(result->n_node, 82);
  const char *const names[] = {"potential", "recovery", "activation", "repolarization"};
  for (int k = 0; k < 4; ++k) {
    const ResultField *f = result_field(result, names[k], false);
    assert_non_null(f);
    assert_int_equal(f->once, k > 1);
    assert_ok(result_read(result, f, -1, field));
    assert_near(field[20], value[k + 1], 1e-12);
    for (int i = 1; k == 2 && i < 41; ++i) assert_true(field[i] > field[i - 1]); /* later with distance */
  }
  assert_ok(result_read(result, result_field(result, "apd", false), -1, field));
  for (int i = 0; i < 41; ++i)
    assert_true(field[i] > 350 && field[i] < 420); /* VERIFICATION: 383.5 in a cable with other ends */
  assert_within(value[5], field[20], 0.2);
  assert_ok(result_read(result, result_field(result, "potential", false), 0, field));
  for (int i = 0; i < 82; ++i) assert_near(field[i], -80, 1e-12);
  result_close(&result);
  scratch_remove(&folder);
}

/* Half of the amplitude is gone earlier than all of it down to -70 mV. */
static void duration_at_a_share(void **state) {
  (void)state;
  char *folder = scratch_create();
  double half[COLUMNS], most[COLUMNS];
  int rows;
  for (int k = 0; k < 2; ++k) {
    char text[2048];
    snprintf(text, sizeof text,
             STRIP("time: {end: 430, step: 1}\noutput: {every: 430, apd: %d, probes: [{name: d, at: [10, 0], "
                   "field: apd}]}\n"),
             k ? 90 : 50);
    app_runs(folder, text);
    last_row(folder, 2, k ? most : half, &rows);
  }
  assert_true(half[1] > 300 && most[1] > half[1] + 10 && most[1] < 420);
  scratch_remove(&folder);
}

/* Nothing stimulated: everything rests, nothing is activated, the ECG is silent. A velocity is not known. */
static void at_rest(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[COLUMNS];
  int rows;
  app_runs(folder, "version: 1\nmesh: {grid: [9, 9], size: [4, 4]}\nphysics: monodomain\n"
                   "tissue: [{on: body, ionic: mitchell-schaeffer, diffusivity: {along: 1, across: 0.2}, fibers: "
                   "{direction: ['1', 'x']}}]\n"
                   "time: {end: 20, step: 0.5}\noutput: {every: 10, maps: [activation], probes: [{name: a, at: [1, 1], "
                   "field: activation}, "
                   "{name: b, at: [3, 3]}], ecg: [{name: I, positive: [9, 0, 5], negative: [-9, 0, 5]}], "
                   "velocity: [{name: v, from: a, to: b}]}\n");
  last_row(folder, 5, value, &rows);
  assert_near(value[1], -1, 0);
  assert_near(value[2], -80, 1e-9);
  assert_near(value[3], 0, 1e-12);
  assert_true(isnan(value[4]));
  scratch_remove(&folder);
}

/* Positive while the front comes nearer, the negative of it from the other side. */
static void electrodes(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[COLUMNS];
  int rows;
  app_runs(folder, STRIP("time: {end: 15, step: 0.5}\noutput: {every: 15, ecg: [{name: p, positive: [60, 0.25, 0]}, "
                         "{name: q, positive: "
                         "[-60, 0.25, 0]}, {name: d, positive: [60, 0.25, 0], negative: [-60, 0.25, 0]}]}\n"));
  last_row(folder, 4, value, &rows);
  assert_true(value[1] > 0 && value[2] < 0);
  assert_near(value[3], value[1] - value[2], 1e-12);
  scratch_remove(&folder);
}

/* A second pulse finds tissue that has recovered, and gives a second action potential: potentials at its end say so. */
static void trains(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[COLUMNS], once[COLUMNS];
  int rows;
#define PACED(train)                                                                                                   \
  "version: 1\nmesh: {grid: [3, 2], size: [1, 0.5]}\nphysics: monodomain\n"                                            \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"                                                      \
  "stimuli: [{on: body, duration: 2, amplitude: 50" train "}]\ntime: {end: 620, step: 1}\noutput: {every: 620, "       \
  "probes: [{name: u, at: [0.5, 0]}]}\n"
  app_runs(folder, PACED(", period: 600, count: 2"));
  last_row(folder, 2, value, &rows);
  app_runs(folder, PACED(""));
  last_row(folder, 2, once, &rows);
  assert_true(value[1] > 0);
  assert_true(once[1] < -75);
  scratch_remove(&folder);
}

/* The same bits for any number of threads. */
static void threads(void **state) {
  (void)state;
  char *folder = scratch_create(), *first = NULL;
  scratch_write(folder, "case.yaml",
                STRIP("time: {end: 20, step: 0.5}\noutput: {every: 1, probes: [{name: a, at: [3, 0.1]}], ecg: "
                      "[{name: I, positive: [30, 5, 5]}]}\n"));
  for (int k = 0; k < 3; ++k) {
    const char *const n[] = {"1", "2", "3"};
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--backend", app_backend(),
                         "--threads", n[k], NULL);
    assert_int_equal(said.code, 0);
    said_release(&said);
    char *text = scratch_read(folder, "results/probes.csv");
    if (first) assert_string_equal(text, first);
    if (first) free(text);
    else first = text;
  }
  free(first);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(speed_of_a_wave), cmocka_unit_test(report_names_the_solver),
                                     cmocka_unit_test(maps_and_fields), cmocka_unit_test(duration_at_a_share),
                                     cmocka_unit_test(at_rest),         cmocka_unit_test(electrodes),
                                     cmocka_unit_test(trains),          cmocka_unit_test(threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
