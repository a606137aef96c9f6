/* `sinew tune`: a strip with the diffusivity that it prints runs at the velocity that was asked for. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const STRIP =
    "version: 1\nmesh: {grid: [%d, 2], size: [60, 0.5]}\nphysics: monodomain\n"
    "tissue: [{on: body, ionic: %s, diffusivity: %s, fibers: {direction: [1, 0]}}]\nstimuli: [{on: {box: {min: [0, 0], "
    "max: [3, 1]}}, duration: 2, "
    "amplitude: 50}]\ntime: {end: %g, step: %g}\nreaction: %s\noutput: {every: %g, probes: [{name: a, at: [20, 0]}, "
    "{name: "
    "b, at: [50, 0]}], velocity: [{name: v, from: a, to: b}]}\n";

/* Wanted and got, mm/ms. */
static void tuned(const char *cell, const char *reaction, int nodes, double step, double velocity) {
  char *folder = scratch_create(), text[2048], wanted[32], diffusivity[32] = "";
  const double end = 70 / velocity;
  snprintf(text, sizeof text, STRIP, nodes, cell, "1", end, step, reaction, end);
  scratch_write(folder, "case.yaml", text);
  snprintf(wanted, sizeof wanted, "%g", velocity);
  Said said = app_says("tune", scratch_path(folder, "case.yaml"), "--velocity", wanted, NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  const char *line = strstr(said.out, "diffusivity: ");
  assert_non_null(line);
  assert_int_equal(sscanf(line, "diffusivity: %31s", diffusivity), 1);
  said_release(&said);
  snprintf(text, sizeof text, STRIP, nodes, cell, diffusivity, end, step, reaction, end);
  app_runs(folder, text);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double got = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  print_message("%s, %s, %d nodes, %g ms: %s mm2/ms runs at %.5f, wanted %g\n", cell, reaction, nodes, step,
                diffusivity, got, velocity);
  assert_relative(got, velocity, 3e-3);
  scratch_remove(&folder);
}

static void strips(void **state) {
  (void)state;
  tuned("aliev-panfilov", "nodal", 121, 0.2, 0.5);
  tuned("aliev-panfilov", "gauss", 61, 0.5, 0.5);
  if (testing_checks()) return;
  tuned("ten-tusscher", "nodal", 301, 0.05, 0.6);
  tuned("ten-tusscher", "nodal\nmass: 0.5", 201, 0.02, 0.6);
}

/* The limit against the exact speed of the excitation alone, 0.54571 sqrt(D) (cases/planar-wave). */
static void limit(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double D = 0;
  snprintf(text, sizeof text, STRIP, 61, "aliev-panfilov", "1", 100.0, 0.1, "nodal", 100.0);
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("tune", scratch_path(folder, "case.yaml"), "--velocity", "0.8", "--size", "0.3", NULL);
  const char *at = strstr(said.out, "fine elements and steps ");
  assert_non_null(at);
  assert_int_equal(sscanf(at, "fine elements and steps %lf", &D), 1);
  assert_relative(D, 0.8 * 0.8 / (0.54571 * 0.54571), 6e-3); /* of D: twice that of the velocity */
  said_release(&said);
  scratch_remove(&folder);
}

/* Of a case with conductivities: what they are multiplied by makes the same diffusivity. */
static void conductivities(void **state) {
  (void)state;
  char *folder = scratch_create();
  double along, across, times, times_across;
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [41, 11], size: [20, 5]}\nphysics: monodomain\ntissue:\n  - on: body\n"
                "    ionic: aliev-panfilov\n    conductivity: {intra: [3, 1], extra: [6, 4], surface-to-volume: 140}\n"
                "    fibers: {direction: [1, 0]}\ntime: {end: 1, step: 0.1}\n");
  Said said = app_says("tune", scratch_path(folder, "case.yaml"), "--velocity", "0.6,0.4", NULL);
  const char *line = strstr(said.out, "diffusivity: {"),
             *factors = strstr(said.out, "conductivity: intra and extra times");
  assert_true(said.code == 0 && line && factors);
  assert_int_equal(sscanf(line, "diffusivity: {along: %lf, across: %lf}", &along, &across), 2);
  assert_int_equal(sscanf(factors, "conductivity: intra and extra times %lf along, %lf across", &times, &times_across),
                   2);
  assert_relative(times * 2 / 1.4, along, 1e-4);
  assert_relative(times_across * 0.8 / 1.4, across, 1e-4);
  said_release(&said);
  scratch_remove(&folder);
}

static void fails(const char *folder, int code, const char *part, const char *more, const char *velocity) {
  Said said = app_says("tune", scratch_path(folder, "case.yaml"), "--velocity", velocity, more, NULL);
  if (said.code != code || !strstr(said.err, part)) fail_msg("exit code %d: %s", said.code, said.err);
  said_release(&said);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  snprintf(text, sizeof text, STRIP, 61, "aliev-panfilov", "1", 100.0, 0.1, "nodal", 100.0);
  scratch_write(folder, "case.yaml", text);
  fails(folder, 2, "--velocity '0' is not ALONG,ACROSS,NORMAL", NULL, "0");
  fails(folder, 2, "one to three, each > 0", NULL, "1,2,3,4");
  fails(folder, 2, "one to three, each > 0", NULL, "fast");
  fails(folder, 3, "3 velocities for tissue 'body', which has fibres and no sheets", NULL, "0.6,0.3,0.2");
  snprintf(text, sizeof text, STRIP, 61, "pathmanathan-gray", "1", 100.0, 0.1, "nodal", 100.0);
  scratch_write(folder, "case.yaml", text);
  fails(folder, 3, "cells of pathmanathan-gray have no threshold", NULL, "0.6");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strips), cmocka_unit_test(limit),
                                     cmocka_unit_test(conductivities), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
