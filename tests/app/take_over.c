/* A heart begins with the state of another run: a later end comes out as in one long run, within the error of a start; other
 * protocols; what is refused. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NX = 31, NY = 3 };

static const char *in_time = ""; /* more of `time:` */

static void case_write(const char *folder, const char *ionic, double end, const char *stimuli) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [%d, %d], size: [15, 1]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: %s, diffusivity: 1}]\n"
           "stimuli:\n- {on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50}\n%s"
           "time: {end: %g, step: 0.1%s}\noutput: {every: 4, checkpoint: 10, maps: [activation]}\n",
           NX, NY, ionic, stimuli, end, in_time);
  scratch_write(folder, "case.yaml", text);
}

static Said runs(const char *folder, const char *into, const char *from, const char *at) {
  const char *words[16] = {
      "run",    scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, into), "--backend", app_backend(),
      "--quiet"};
  int n = 7;
  if (from) words[n++] = "--from", words[n++] = scratch_path(folder, from);
  if (at) words[n++] = "--at", words[n++] = at;
  return app_says_words(n, words);
}

static void must_run(const char *folder, const char *into, const char *from, const char *at) {
  Said said = runs(folder, into, from, at);
  if (said.code) print_message("%s", said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
}

static Result *result_of(const char *folder, const char *into) {
  char path[64];
  Result *result = NULL;
  snprintf(path, sizeof path, "%s/results.hdf", into);
  assert_ok(result_open(scratch_path(folder, path), &result));
  return result;
}

static void last_potential(const char *folder, const char *into, double value[NX * NY]) {
  Result *result = result_of(folder, into);
  assert_ok(result_read(result, result_field(result, "potential", false), -1, value));
  result_close(&result);
}

static void later_end(void **state) {
  (void)state;
  static const char *const models[] = {"aliev-panfilov", "ten-tusscher", "ten-tusscher"};
  static const char *const schemes[] = {"", "", ", scheme: rush-larsen-chebyshev"};
  static const double most[] = {0.5, 1.5, 0.1}; /* mV, of fronts that are 100 mV high */
  for (int k = 0; k < 3; ++k) {
    in_time = schemes[k];
    char *folder = scratch_create();
    double whole[NX * NY], parts[NX * NY], largest = 0;
    case_write(folder, models[k], 24, "");
    must_run(folder, "whole", NULL, NULL);
    case_write(folder, models[k], 12, "");
    must_run(folder, "first", NULL, NULL);
    case_write(folder, models[k], 24, "");
    must_run(folder, "second", "first", NULL);
    last_potential(folder, "whole", whole);
    last_potential(folder, "second", parts);
    for (int i = 0; i < NX * NY; ++i) largest = fmax(largest, fabs(whole[i] - parts[i]));
    Result *result = result_of(folder, "second");
    print_message("%s: from t = %g to %g in %d stored times, %.3g mV from one run\n", models[k], result->time[0],
                  result->time[result->n_step - 1], (int)result->n_step, largest);
    assert_near(result->time[0], 12, 1e-9);
    assert_near(result->time[1], 16, 1e-9);
    assert_near(result->time[result->n_step - 1], 24, 1e-9);
    result_close(&result);
    assert_true(largest < most[k]);
    in_time = "";
    scratch_remove(&folder);
  }
}

/* From the older of the two states, with a stimulus that the first run did not have, to a wave from the other end. */
static void other_protocol(void **state) {
  (void)state;
  char *folder = scratch_create();
  double with[NX * NY], without[NX * NY];
  case_write(folder, "aliev-panfilov", 15, "");
  must_run(folder, "first", NULL, NULL);
  case_write(folder, "aliev-panfilov", 18, "");
  must_run(folder, "plain", "first", "11");
  Said said = runs(folder, "told", "first", "11");
  assert_non_null(strstr(said.err, "has no state of t = 11 ms; the one next to it is of 10 ms"));
  said_release(&said);
  said = runs(folder, "asked", "first", "10");
  assert_null(strstr(said.err, "has no state"));
  said_release(&said);
  case_write(folder, "aliev-panfilov", 18,
             "- {on: {box: {min: [12, 0], max: [15, 1]}}, start: 12, duration: 3, amplitude: 60}\n");
  must_run(folder, "other", "first", "11");
  last_potential(folder, "plain", without);
  last_potential(folder, "other", with);
  assert_true(with[NX - 1] > 0 && without[NX - 1] < -60);
  assert_within(with[0], without[0], 0.1); /* steps differ: they end at the edges of stimuli */
  said = app_says("run", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, "past"), "--from",
                  scratch_path(folder, "first"), "--set", "stimuli.1.start=3", "--backend", app_backend(), NULL);
  assert_non_null(strstr(said.out, "stimuli      none is left from t = 15 ms on"));
  said_release(&said);
  Result *result = result_of(folder, "other");
  assert_near(result->time[0], 10, 1e-9);
  result_close(&result);
  scratch_remove(&folder);
}

/* What is watched may differ: maps of more beats, phases, frequencies, that the first run did not have. */
static void other_maps(void **state) {
  (void)state;
  char *folder = scratch_create();
  double plain[NX * NY], more[NX * NY];
  case_write(folder, "aliev-panfilov", 10, "");
  must_run(folder, "first", NULL, NULL);
  case_write(folder, "aliev-panfilov", 18, "");
  must_run(folder, "plain", "first", NULL);
  char *text = scratch_read(folder, "case.yaml"), edited[1024];
  snprintf(edited, sizeof edited, "%.*s%s", (int)(strstr(text, "every: 4") - text), text,
           "every: 4, fields: [potential, filament], maps: [{name: activation, beats: 3}, {name: dominant-frequency, "
           "to: 300}], sample: 0.4}\n");
  scratch_write(folder, "case.yaml", edited);
  must_run(folder, "more", "first", NULL);
  last_potential(folder, "plain", plain);
  last_potential(folder, "more", more);
  for (int i = 0; i < NX * NY; ++i) assert_within(more[i], plain[i], 0.1);
  Result *result = result_of(folder, "more");
  assert_non_null(result_field(result, "activation-3", false));
  assert_non_null(result_field(result, "dominant-frequency", false));
  result_close(&result);
  free(text);
  scratch_remove(&folder);
}

/* Stopped after the state of its end was written, before it was said that it is finished: the same values again. */
static void end_again(void **state) {
  (void)state;
  char *folder = scratch_create(), path[512];
  case_write(folder, "aliev-panfilov", 15, "");
  char *text = scratch_read(folder, "case.yaml"), edited[1024];
  snprintf(edited, sizeof edited, "%.*sprobes: [{name: v, at: [3, 0.5]}], %s", (int)(strstr(text, "every: 4") - text),
           text, strstr(text, "every: 4"));
  scratch_write(folder, "case.yaml", edited);
  must_run(folder, "first", NULL, NULL);
  char *whole = scratch_read(folder, "first/report.json"), *csv = scratch_read(folder, "first/probes.csv");
  snprintf(path, sizeof path, "%s", scratch_path(folder, "first/report.json"));
  assert_int_equal(unlink(path), 0);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, "first"), "--backend",
                       app_backend(), "--resume", NULL);
  if (said.code || !strstr(said.out, "resumed      at t = 15 ms")) fail_msg("%s%s", said.out, said.err);
  said_release(&said);
  char *again = scratch_read(folder, "first/report.json"), *row = scratch_read(folder, "first/probes.csv");
  char *values = strstr(whole, "\"values\"");
  assert_non_null(values);
  *strchr(values, '}') = 0;
  assert_non_null(strstr(again, values));
  assert_string_equal(csv, row);
  free(whole), free(again), free(csv), free(row), free(text);
  scratch_remove(&folder);
}

/* A run from a state goes on after its last checkpoint but one as if nothing had happened, also where nobody says again which
 * state that was, and where it is no longer there. */
static void goes_on(void **state) {
  (void)state;
  char *folder = scratch_create();
  double whole[NX * NY], again[NX * NY];
  case_write(folder, "aliev-panfilov", 15, "");
  must_run(folder, "first", NULL, NULL);
  case_write(folder, "aliev-panfilov", 30,
             "- {on: {box: {min: [12, 0], max: [15, 1]}}, start: 17, duration: 3, amplitude: 60}\n");
  char *text = scratch_read(folder, "case.yaml"), edited[1024];
  snprintf(edited, sizeof edited, "%.*sprobes: [{name: v, at: [3, 0.5]}], sample: 0.8, %s",
           (int)(strstr(text, "every: 4") - text), text, strstr(text, "every: 4"));
  scratch_write(folder, "case.yaml", edited);
  must_run(folder, "second", "first", NULL);
  last_potential(folder, "second", whole);
  char *csv = scratch_read(folder, "second/probes.csv");
  for (int k = 0; k < 3; ++k) {
    static const char *const lost[] = {"second/report.json", "second/checkpoint-1.hdf", "first/checkpoint-1.hdf"};
    assert_int_equal(unlink(scratch_path(folder, lost[k])), 0);
  }
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, "second"),
                       "--backend", app_backend(), "--resume", NULL);
  if (said.code || !strstr(said.out, "resumed      at t = 20 ms")) fail_msg("%s%s", said.out, said.err);
  said_release(&said);
  last_potential(folder, "second", again);
  assert_memory_equal(whole, again, sizeof whole);
  char *rows = scratch_read(folder, "second/probes.csv");
  assert_string_equal(csv, rows);
  Result *result = result_of(folder, "second");
  assert_near(result->time[2], 23, 1e-9);
  result_close(&result);
  free(csv), free(rows), free(text);
  scratch_remove(&folder);
}

static void is_refused(const char *folder, const char *from, const char *at, int code, const char *part) {
  Said said = runs(folder, "refused", from, at);
  if (!strstr(said.err, part)) fail_msg("no '%s' in: %s", part, said.err);
  assert_int_equal(said.code, code);
  said_release(&said);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
  case_write(folder, "aliev-panfilov", 12, "");
  must_run(folder, "first", NULL, NULL);
  is_refused(folder, "nowhere", NULL, 5, "holds no checkpoint to begin from");
  is_refused(folder, NULL, "11", 2, "--from is missing");
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--output", scratch_path(folder, "first"), "--resume",
                       "--set", "time.end=24", "--backend", app_backend(), NULL);
  assert_int_equal(said.code, 5);
  assert_non_null(strstr(said.err, "for a later end or another protocol use '--from "));
  said_release(&said);
  case_write(folder, "aliev-panfilov", 8, "");
  is_refused(folder, "first", NULL, 3, "is of t = 12 ms, and the run ends at 8 ms");
  case_write(folder, "bueno-orovio", 24, "");
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [31, 3], size: [15, 1]}\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: bueno-orovio, diffusivity: 1}]\ntime: {end: 24, step: 0.02}\n");
  is_refused(folder, "first", NULL, 5, "must be those of the run that it is from");
  case_write(folder, "mitchell-schaeffer", 24, ""); /* with as many states as the cells of that run */
  is_refused(folder, "first", NULL, 5, "comes from other cells or another scheme");
  in_time = ", scheme: crank-nicolson"; /* keeps a rate where that run kept an increment */
  case_write(folder, "aliev-panfilov", 24, "");
  is_refused(folder, "first", NULL, 5, "comes from other cells or another scheme");
  in_time = "";
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [21, 3], size: [15, 1]}\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\ntime: {end: 24, step: 0.1}\n");
  is_refused(folder, "first", NULL, 5, "is of another mesh");
  scratch_write(
      folder, "case.yaml",
      "version: 1\nmesh: {grid: [5, 3], size: [4, 2]}\nphysics: heat\n"
      "materials: [{on: body, conductivity: 1, capacity: 1}]\nboundary: [{on: x0, temperature: 1}]\ntime: {end: 1, "
      "step: 0.1}\n");
  is_refused(folder, "first", NULL, 2, "takes over the state of a heart; this case is of heat");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(later_end),  cmocka_unit_test(other_protocol),
                                     cmocka_unit_test(other_maps), cmocka_unit_test(end_again),
                                     cmocka_unit_test(goes_on),    cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("take_over", tests, NULL, NULL);
}
