/* `scheme: rush-larsen-chebyshev` from case file to report: what it cannot do is said in the words of the case file, before anything
 * runs; a run tells its stages and nothing of a solve; it goes where rush-larsen goes, nearer to the limit. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE(ionic, diffusivity, time, more)                                                                           \
  "version: 1\nmesh: {grid: [41, 3], size: [8, 0.4]}\nphysics: monodomain\n"                                           \
  "tissue: [{on: body, ionic: " ionic ", diffusivity: " diffusivity "}]\n"                                             \
  "stimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, duration: 1, amplitude: 80}]\n"                                   \
  "time: {end: 20, " time "}\n" more "output: {every: 20, probes: [{name: a, at: [7, 0], field: activation}]}\n"
#define STAGES "scheme: rush-larsen-chebyshev"

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said, *remedy;
  } wrong[] = {
      {CASE("ten-tusscher", "0.1", "step: 0.05, " STAGES, "reaction: gauss\n"),
       "case.yaml:7:11: reaction is gauss, but the explicit stages of 'scheme: rush-larsen-chebyshev' need 'reaction: "
       "nodal'",
       "remedy: leave 'reaction' out, or 'scheme: rush-larsen' under 'time:'"},
      {CASE("aliev-panfilov", "0.1", "step: 0.05, " STAGES ", adaptive: {tolerance: 1e-3}", ""),
       "adaptive steps are not possible with 'scheme: rush-larsen-chebyshev', whose steps have one length",
       "remedy: leave 'adaptive' out, or 'scheme: rush-larsen'"},
      {CASE("ten-tusscher", "100", "step: 5, " STAGES, ""), "a step of 5 needs more than 48 explicit stages",
       "at most under 'time:', or 'scheme: rush-larsen'"},
      {CASE("aliev-panfilov", "0.1", "step: 50, " STAGES, ""), "ms: beyond it no step can follow the reaction",
       "step is 50 ms"},
      {CASE("ten-tusscher", "0.1", "step: 0.05, scheme: bdf2", ""), "which cannot step the ionic model 'ten-tusscher'",
       "allowed: rush-larsen, rush-larsen-chebyshev"}};
  static const char *const commands[] = {"check", "run"};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    for (int run = 0; run < 2; ++run) {
      scratch_write(folder, "case.yaml", wrong[k].text);
      Said said = app_says(commands[run], scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
      if (said.code != 3 || !strstr(said.err, wrong[k].said) || !strstr(said.err, wrong[k].remedy))
        fail_msg("%s: exit code %d\n%s", commands[run], said.code, said.err);
      said_release(&said);
    }
  scratch_remove(&folder);
}

/* The step that the message names is one that can be done. */
static void named_step(void **state) {
  (void)state;
  char *folder = scratch_create(), time[64], text[1024];
  scratch_write(folder, "case.yaml", CASE("ten-tusscher", "100", "step: 5, " STAGES, ""));
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
  const char *at = strstr(said.err, "explicit stages on this mesh");
  const double step = at ? strtod(strstr(at, "step: ") + 6, NULL) : 0;
  said_release(&said);
  for (int longer = 0; longer < 2; ++longer) {
    snprintf(time, sizeof time, "step: %g, " STAGES, step * (longer ? 1.2 : 1));
    const char *const whole = CASE("ten-tusscher", "100", "TIME", ""), *const cut = strstr(whole, "TIME");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(cut - whole), whole, time, cut + 4);
    scratch_write(folder, "case.yaml", text);
    said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), NULL);
    if (said.code != (longer ? 3 : 0)) fail_msg("a step of %g: exit code %d\n%s", step, said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

static void told(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", CASE("ten-tusscher", "0.1", "step: 0.05, " STAGES, ""));
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "solver       explicit, 2 stages a step, "));
  assert_non_null(strstr(said.out, "; nothing is solved\n"));
  assert_non_null(strstr(said.out, "time         20 ms after 400 steps; "));
  assert_null(strstr(said.out, "Newton"));
  assert_null(strstr(said.out, "residual"));
  assert_null(strstr(said.out, "poor elements")); /* there are none */
  said_release(&said);
  char *json = scratch_read(folder, "results/report.json");
  static const char *const wanted[] = {"\"true_residual\": 0,",
                                       "\"iterations\": 800,",
                                       "\"stages\": 2,",
                                       "\"newton_iterations\": 0,",
                                       "\"raised_nodes\": 0,",
                                       "\"added_mass\": 0,",
                                       "\"scheme\": \"rush-larsen-chebyshev\","};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k)
    if (!strstr(json, wanted[k])) fail_msg("report.json without '%s':\n%s", wanted[k], json);
  free(json);
  said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--set",
                  "model=bidomain", "--set",
                  "tissue=[{on: body, ionic: ten-tusscher, conductivity: {intra: 0.2, extra: 0.4, "
                  "surface-to-volume: 140}}]",
                  NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "; the potential outside takes 401 solves\n")); /* that of t = 0 too */
  said_release(&said);
  scratch_remove(&folder);
}

static double activation(const char *folder, const char *text) {
  app_runs(folder, text);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double time = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  return time;
}

static void nearer_to_the_limit(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double limit = activation(folder, CASE("ten-tusscher", "0.1", "step: 0.002, " STAGES, "")),
               same = activation(folder, CASE("ten-tusscher", "0.1", "step: 0.002, scheme: rush-larsen", "")),
               solved = activation(folder, CASE("ten-tusscher", "0.1", "step: 0.05, scheme: rush-larsen", "")),
               stages = activation(folder, CASE("ten-tusscher", "0.1", "step: 0.05, " STAGES, ""));
  print_message("activated at %g ms by stages and %g ms by rush-larsen; with steps of 0.002 ms %g and %g ms\n", stages,
                solved, limit, same);
  assert_true(limit > 5 && limit < 20);
  assert_relative(same, limit, 1e-4);
  assert_true(fabs(stages - limit) < 0.8 * fabs(solved - limit) && fabs(stages - limit) < 0.01 * limit);
  scratch_remove(&folder);
}

/* A step that goes wrong between samples is the end: no row of a time that was not reached. Loops that are not waited for tell it later. */
static void no_rows_beyond(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [21, 3], size: [4, 0.4]}\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 0.1}]\n"
                "stimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, start: 1, duration: 1, amplitude: 1e9}]\n"
                "time: {end: 20, step: 0.05}\n"
                "output: {every: 20, sample: 0.1, probes: [{name: a, at: [3, 0]}]}\n");
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", "cpu", NULL);
  assert_int_equal(said.code, 6);
  assert_non_null(strstr(said.err, "the step from t = 1: "));
  assert_non_null(strstr(said.err, "in the step from t = 1 ms"));
  said_release(&said);
  char *csv = scratch_read(folder, "results/probes.csv"), *json = scratch_read(folder, "results/report.json");
  assert_null(strstr(csv, "\n1.1"));
  assert_non_null(strstr(csv, "\n1,"));
  assert_non_null(strstr(json, "\"time\": 1,"));
  assert_non_null(strstr(json, "\"steps\": 20,"));
  free(csv);
  free(json);
  scratch_remove(&folder);
}

static int times_said(const char *text, const char *word) {
  int n = 0;
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) ++n;
  return n;
}

/* Where the mesh makes stages too many another scheme is taken: check says that this may be, the run that it is, with the warning of
 * steps by that scheme alone, and report.json has its name. Steps of 0.3 ms: more stages than there is room for. */
static void taken_back(void **state) {
  (void)state;
  static const char *const step[] = {"0.1", "0.3"}, *const slow[] = {"3.7", "20"};
  char *folder = scratch_create(), text[512], wanted[128];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [%s, 2], size: [4, 0.1]}\nphysics: monodomain\n"
             "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 0.1}]\n"
             "time: {end: 0.6, step: %s}\noutput: {every: 0.6}\n",
             k ? "1601" : "401", step[k]);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    assert_int_equal(said.code, 0);
    assert_non_null(strstr(said.out,
                           "scheme       explicit stages; or, where a step would need more than 12 of them on "
                           "this mesh, rush-larsen\n"));
    said_release(&said);
    said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), NULL);
    assert_int_equal(said.code, 0);
    assert_non_null(strstr(said.out, "scheme       rush-larsen: explicit stages would be more than 12"));
    snprintf(wanted, sizeof wanted, "with rush-larsen conduction will be some %s %% too slow", slow[k]);
    if (!strstr(said.err, wanted) || times_said(said.err, "warning: steps of") != 1)
      fail_msg("'%s' alone is wanted:\n%s", wanted, said.err);
    said_release(&said);
    char *json = scratch_read(folder, "results/report.json");
    assert_non_null(strstr(json, "\"scheme\": \"rush-larsen\","));
    assert_null(strstr(json, "\"stages\""));
    free(json);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refused),        cmocka_unit_test(named_step),
                                     cmocka_unit_test(told),           cmocka_unit_test(nearer_to_the_limit),
                                     cmocka_unit_test(no_rows_beyond), cmocka_unit_test(taken_back)};
  return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
