/* Steps of a bidomain by explicit stages are taken together, with the solve for the potential outside in their loop: the bits of steps
 * taken one by one, whatever ends a loop (samples, switches of electrodes, a stop), on any number of threads. And maps of tissue and bath. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In loops of up to 60 steps, or of one step each: all of them are stored. */
#define SHEET(every, more)                                                                                             \
  "version: 1\nmesh: {grid: [29, 13], size: [7, 3], element: tri3}\nphysics: monodomain\nmodel: bidomain\n"            \
  "tissue: [{on: body, ionic: {model: ten-tusscher, preset: epi}, conductivity: {intra: [0.17, 0.019], extra: "        \
  "[0.62, 0.24], surface-to-volume: 140, capacitance: 0.01}, fibers: {direction: [1, 0.3]}}]\n"                        \
  "stimuli: [{on: {box: {min: [0, 0], max: [1.5, 1.5]}}, duration: 2, amplitude: 40}]\n" more                          \
  "time: {end: 3, step: 0.05}\nsolver: {rtol: 1e-6}\noutput: {every: " every                                           \
  ", checkpoint: 3, fields: [potential, extracellular], probes: [{name: a, at: [2, 0.4]}, {name: b, at: [2.2, 0.4], "  \
  "field: extracellular}, {name: c, at: [6, 2], field: extracellular}]}\n"
#define SHOCK(times) "electrodes: [{name: in, on: x1, density: 2, " times "}, {name: out, on: x0, balances: in}]\n"
#define EVEN SHOCK("start: 0.9, duration: 0.75")
#define ODD SHOCK("start: 0.93, duration: 0.8") /* steps have other lengths there */

static void same_bits(const double *a, const double *b) { assert_memory_equal(a, b, 4 * sizeof *a); }

static void loops_of_any_length(void **state) {
  (void)state;
  static const char *const together[] = {SHEET("3", ""), SHEET("3", EVEN)};
  static const char *const one_by_one[] = {SHEET("0.05", ""), SHEET("0.05", EVEN)};
  static const char *const sampled[] = {SHEET("3, sample: 0.05", ""), SHEET("3, sample: 0.05", EVEN)};
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    double value[4], other[4], solves;
    app_runs(folder, together[k]);
    scratch_last_row(folder, 4, value);
    solves = scratch_reported(folder, "extracellular_solves");
    assert_true(solves == 61);
    print_message("%g iterations in %g solves\n", scratch_reported(folder, "extracellular_iterations"), solves);
    assert_true(value[1] > -60 && value[2] < -0.5);
    app_runs(folder, one_by_one[k]);
    scratch_last_row(folder, 4, other);
    same_bits(value, other);
    app_runs(folder, sampled[k]);
    scratch_last_row(folder, 4, other);
    same_bits(value, other);
  }
  scratch_remove(&folder);
}

/* Of steps that choose their lengths, one by one. */
#define ADAPTIVE                                                                                                       \
  "version: 1\nmesh: {grid: [21, 9], size: [7, 3]}\nphysics: monodomain\nmodel: bidomain\ntissue: [{on: body, ionic: " \
  "aliev-panfilov, conductivity: {intra: [0.17, 0.019], extra: [0.62, 0.24], surface-to-volume: 140}, fibers: "        \
  "{direction: [1, 0.3]}}]\nstimuli: [{on: {box: {min: [0, 0], max: [1.5, 1.5]}}, duration: 2, amplitude: 40}]\n" ODD  \
  "time: {end: 3, step: 0.05, adaptive: {tolerance: 1e-3, max: 0.2}}\nsolver: {rtol: 1e-6}\noutput: {every: 0.5, "     \
  "checkpoint: 1, probes: [{name: a, at: [2, 0.4]}, {name: c, at: [6, 2], field: extracellular}]}\n"

static void threads_and_stops_of(const char *text) {
  static const char *const threads[] = {"1", "2", "3", "7"};
  char *folder = scratch_create(), *whole = NULL;
  scratch_write(folder, "case.yaml", text);
  for (int t = 0; t < 4; ++t) {
    assert_int_equal(app_run_until(folder, "whole", "--overwrite", threads[t], 0), 0);
    char *rows = scratch_read(folder, "whole/probes.csv");
    if (whole) assert_string_equal(rows, whole);
    if (whole) free(rows);
    else whole = rows;
  }
  const int calls = app_guard_calls;
  for (int stop = 2; stop < calls; stop += 1 + calls / 4) {
    if (app_run_until(folder, "parts", "--overwrite", NULL, stop) != 10) continue;
    assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
    char *rows = scratch_read(folder, "parts/probes.csv");
    assert_string_equal(rows, whole);
    free(rows);
  }
  free(whole);
  scratch_remove(&folder);
}
static void threads_and_stops(void **state) {
  (void)state;
  threads_and_stops_of(SHEET("1", ODD));
  threads_and_stops_of(ADAPTIVE);
}

static double *read_outside(const char *folder, const char *name, int64_t *n) {
  Result *result;
  assert_ok(result_open(scratch_path(folder, name), &result));
  double *value = calloc((size_t)(*n = result->n_node), sizeof *value);
  assert_non_null(value);
  assert_ok(result_read(result, result_field(result, "extracellular", false), -1, value));
  result_close(&result);
  return value;
}

/* Maps of tissue and bath have the constant of the run: six rows of nodes are the tissue's, nine are there. */
static void map_with_a_bath(void **state) {
  (void)state;
  static const char *const mean[] = {"tissue", "all"};
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 2; ++k) {
    int64_t n, all;
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [16, 9], size: [15, 8], regions: [{name: blood, share: 'max(0, min(1, (y - "
        "5)*1e6))'}]}\n"
        "physics: monodomain\nmodel: bidomain\nreference: %s\ntissue: [{on: body, ionic: aliev-panfilov, conductivity: "
        "{intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\nbath: [{on: blood, conductivity: 1}]\n"
        "initial: {potential: '2*x*y-80'}\ntime: {end: 0.2, step: 0.1}\nsolver: {rtol: 1e-10}\n"
        "output: {every: 0.2, fields: [potential, extracellular], torso: true}\n",
        mean[k]);
    app_runs(folder, text);
    double *heart = read_outside(folder, "results/results.hdf", &n),
           *body = read_outside(folder, "results/torso/results.hdf", &all), most = 0;
    assert_int_equal(n, 16 * 6);
    assert_int_equal(all, 16 * 9);
    for (int64_t i = 0; i < n; ++i) {
      assert_true(fabs(heart[i] - body[i]) < 1e-6);
      most = fmax(most, fabs(heart[i]));
    }
    assert_true(most > 1);
    free(heart), free(body);
    strcpy(strstr(text, ", torso: true"), ", probes: [{name: wet, at: [3, 7.2], field: extracellular}]}\n");
    app_refuses(folder, text, "probe 'wet' at (3, 7.2) lies in the body around the tissue, 2.2 away",
                "'ecg: [{name: wet");
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_of_any_length), cmocka_unit_test(threads_and_stops),
                                     cmocka_unit_test(map_with_a_bath)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
