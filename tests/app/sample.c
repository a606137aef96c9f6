/* `sample:`: rows of probes.csv between stored times, the same values as where all of them are stored, and the same bytes
 * after a run was stopped. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const CASE = "version: 1\nmesh: {grid: [31, 3], size: [15, 1]}\nphysics: monodomain\n"
                                "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
                                "stimuli:\n- {on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50}\n"
                                "time: {end: %s}\n"
                                "output: {%s, checkpoint: 8, probes: [{name: a, at: [5, 0]},\n"
                                "  {name: r, at: [3.3, 0.2], field: recovery}, {name: t, at: [3, 0.5], field: "
                                "activation}], ecg: [{name: I, positive: [20, 5, 5]}]}\n"
                                "expect: [{probe: a, value: 0, atol: 1e9, time: 7.25}]\n";

static char *write_case(const char *folder, const char *time, const char *output) {
  char text[1024];
  snprintf(text, sizeof text, CASE, time, output);
  scratch_write(folder, "case.yaml", text);
  return NULL;
}

static char *rows_of(const char *folder, const char *time, const char *output, const char *into) {
  write_case(folder, time, output);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, into), "--backend",
                       app_backend(), "--quiet", NULL);
  if (said.code) print_message("%s", said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
  char csv[100];
  snprintf(csv, sizeof csv, "%s/probes.csv", into);
  return scratch_read(folder, csv);
}

static int count(const char *text) {
  int n = 0;
  for (; *text; ++text) n += *text == '\n';
  return n;
}

typedef struct Rows {
  const char *time, *all, *some;
  int n_row, n_stored;
} Rows;

/* Explicit stages take samples inside their loops, of up to 64 steps. */
#define STAGES "24, step: 0.25, scheme: rush-larsen-chebyshev"
static void rows(void **state) {
  (void)state;
  static const Rows cases[] = {
      {"24, step: 0.25", "every: 0.5", "every: 8, sample: 0.5", 49, 4},
      {"24, step: 0.25, scheme: rush-larsen", "every: 0.5", "every: 8, sample: 0.5", 49, 4},
      {"24, step: 0.25", "every: 0.5", "sample: 0.5", 49, 49},
      {"24, step: 0.25, adaptive: {tolerance: 1e-3, max: 1}", "every: 0.5", "every: 8, sample: 0.5", 49, 4},
      {STAGES, "every: 0.5", "every: 8, sample: 0.5", 49, 4},
      {STAGES, "every: 0.25", "every: 24, sample: 0.25", 97, 2},
      {STAGES, "every: 0.3", "every: 12, sample: 0.3", 81, 3}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char *folder = scratch_create();
    char *all = rows_of(folder, cases[k].time, cases[k].all, "all"),
         *some = rows_of(folder, cases[k].time, cases[k].some, "some");
    assert_int_equal(count(all), 1 + cases[k].n_row);
    assert_string_equal(all, some);
    Result *result = NULL;
    assert_ok(result_open(scratch_path(folder, "some/results.hdf"), &result));
    assert_int_equal(result->n_step, cases[k].n_stored);
    result_close(&result);
    free(all);
    free(some);
    scratch_remove(&folder);
  }
}

/* From a checkpoint in the middle of the samples: the rows behind it are written again. */
static void resumed_of(const char *time) {
  char *folder = scratch_create();
  char *whole = rows_of(folder, time, "every: 12, sample: 0.5", "whole");
  free(rows_of(folder, time, "every: 12, sample: 0.5", "parts"));
  remove(scratch_path(folder, "parts/report.json"));
  remove(scratch_path(folder, "parts/checkpoint-1.hdf")); /* the run goes on from the one before */
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, "parts"), "--backend",
                       app_backend(), "--quiet", "--resume", NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  char *again = scratch_read(folder, "parts/probes.csv");
  assert_string_equal(again, whole);
  free(again);
  free(whole);
  scratch_remove(&folder);
}
static void resumed(void **state) {
  (void)state;
  resumed_of("24, step: 0.25");
  resumed_of(STAGES);
}

static void refused(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"every: 1, sample: 0.3", "sample is 0.3 ms, but 'every', 1 ms, must be a multiple"},
      {"every: 1, sample: 2", "must be a multiple"},
      {"sample: 25", "sample is 25 ms, longer than the whole time, 24 ms"},
      {"every: 1, sample: -1", "sample is -1"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    write_case(folder, "24, step: 0.25", wrong[k][0]);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    assert_int_equal(said.code, 3);
    if (!strstr(said.err, wrong[k][1])) fail_msg("no '%s' in: %s", wrong[k][1], said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(resumed), cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
