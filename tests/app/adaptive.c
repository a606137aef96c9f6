/* The tolerance of adaptive steps against the error that a run then has: within a factor of 3 for all schemes, in heat
 * and hearts, which is what docs/case-file.md promises. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 5, TIMES = 21 };
static const char *const SCHEMES[] = {"backward-euler", "crank-nicolson", "bdf2"};

/* cos(pi x) decays; or the temperature of one end swings. Rows of probes.csv. */
static int heat(const char *folder, bool swings, const char *time, double value[TIMES][POINTS]) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [33, 3], size: [1, 0.0625]}\nphysics: heat\n"
           "materials: [{on: body, conductivity: 1, capacity: 1}]\n%stime: {end: %g, %s}\nsolver: {rtol: 1e-10}\n"
           "output: {every: %g, probes: [{name: a, at: [0.125, 0]}, {name: b, at: [0.25, 0]}, {name: c, at: [0.5, 0]}, "
           "{name: d, at: [0.75, 0]}, {name: e, at: [1, 0]}]}\n",
           swings ? "boundary: [{on: x0, temperature: \"sin(10*pi*t)\"}]\n" : "initial: \"cos(pi*x)\"\n",
           swings ? 1.0 : 4.0, time, swings ? 0.05 : 0.2);
  app_runs(folder, text);
  char *csv = scratch_read(folder, "results/probes.csv"), *at = strchr(csv, '\n') + 1;
  int n = 0;
  for (; n < TIMES && *at; ++n, at = strchr(at, '\n') + 1) {
    strtod(at, &at);
    for (int k = 0; k < POINTS; ++k) value[n][k] = strtod(at + 1, &at);
  }
  free(csv);
  return n;
}

static void heat_keeps_its_tolerance(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int swings = 0; swings < 2; ++swings) {
    double known[TIMES][POINTS], got[TIMES][POINTS];
    const int n = heat(folder, swings, "step: 0.001, scheme: crank-nicolson, adaptive: {tolerance: 1e-6}", known);
    for (int k = 0; k < 3; ++k)
      for (double tolerance = 1e-3; tolerance > (k ? 5e-6 : 5e-4); tolerance *= 0.1) {
        char time[128];
        snprintf(time, sizeof time, "step: 0.001, scheme: %s, adaptive: {tolerance: %g}", SCHEMES[k], tolerance);
        assert_int_equal(heat(folder, swings, time, got), n);
        double worst = 0;
        for (int i = 0; i < n; ++i) {
          double sum = 0;
          for (int p = 0; p < POINTS; ++p) sum += (got[i][p] - known[i][p]) * (got[i][p] - known[i][p]);
          worst = fmax(worst, sqrt(sum / POINTS));
        }
        print_message("%s, %s, tolerance %g: error %.2f times that\n", swings ? "swings" : "decays", SCHEMES[k],
                      tolerance, worst / tolerance);
        assert_true(worst < 3 * tolerance && worst > tolerance / 3);
      }
  }
  scratch_remove(&folder);
}

static double speed(const char *folder, const char *ionic, const char *scheme, double tolerance, bool *warned) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [81, 2], size: [24, 0.3]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: %s, diffusivity: 0.3}]\n"
           "stimuli: [{on: {box: {min: [0, 0], max: [1.5, 1]}}, duration: 2, amplitude: 50}]\n"
           "time: {end: 100, step: 0.5, scheme: %s, adaptive: {tolerance: %g%s}}\n"
           "output: {every: 100, maps: [activation], velocity: [{name: v, from: a, to: b}], probes: [\n"
           "  {name: a, at: [6, 0], field: activation}, {name: b, at: [21, 0], field: activation}]}\n",
           ionic, scheme, tolerance, warned ? ", min: 0.3" : "");
  scratch_write(folder, "case.yaml", text);
  Said said =
      app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--backend", app_backend(), NULL);
  assert_int_equal(said.code, 0);
  if (warned) *warned = strstr(said.err, "the shortest one allowed, min 0.3, was too long for the tolerance") != NULL;
  said_release(&said);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double v = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  return v;
}

static void hearts_keep_their_tolerance(void **state) {
  (void)state;
  if (testing_checks()) skip();
  static const char *const models[] = {"aliev-panfilov", "mitchell-schaeffer"};
  char *folder = scratch_create();
  for (int m = 0; m < 2; ++m) {
    const double known = speed(folder, models[m], "crank-nicolson", 5e-5, NULL);
    for (int k = 0; k < 3; ++k) {
      const double tolerance = k ? 1e-3 : 1e-2,
                   error = speed(folder, models[m], SCHEMES[k], tolerance, NULL) / known - 1;
      print_message("%s, %s, tolerance %g: velocity wrong by %.2f times that\n", models[m], SCHEMES[k], tolerance,
                    error / tolerance);
      assert_true(fabs(error) < 3 * tolerance && fabs(error) > tolerance / 3);
    }
  }
  bool warned = false;
  speed(folder, "aliev-panfilov", "bdf2", 1e-4, &warned);
  assert_true(warned);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(heat_keeps_its_tolerance),
                                     cmocka_unit_test(hearts_keep_their_tolerance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
