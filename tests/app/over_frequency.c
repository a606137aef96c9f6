/* Loads and motions of supports that vary with the frequency: a rod's closed forms, direct and by modes, and a body of which
 * each frequency is solved by itself with the numbers that its expressions have there. */
#include "tests/app/scratch.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8 };

/* Row k of probes.csv. */
static void row(const char *folder, int k, double *value) {
  char *text = scratch_read(folder, "results/probes.csv"), *line = text;
  for (int i = 0; i <= k; ++i) {
    line = strchr(line, '\n');
    assert_non_null(line++);
  }
  for (int c = 0; c < COLUMNS && *line && *line != '\n'; ++c, line += *line == ',') value[c] = strtod(line, &line);
  free(text);
}

static const char *const METHOD[] = {"", "method: modes, modes: 20, ", "method: modes, modes: 97, remainder: none, "};

/* The rod has E 2, density 3, length 1; omega = 2 pi f. Damping makes both numbers complex. */
#define ROD                                                                                                            \
  "version: 1\nmesh: {grid: [33, 2], size: [1, 0.1]}\nphysics: elasticity\nmodel: plane-stress\n"                      \
  "analysis: {type: harmonic, frequency: [0.1, 0.2, 0.3, 0.5], %s"                                                     \
  "damping: {loss-factor: 0.04, alpha: 0.2, beta: 0.01}}\n"                                                            \
  "materials: [{on: body, young: 2, poisson: 0, density: 3, thickness: 0.5}]\nsolver: {rtol: 1e-11}\n"                 \
  "functions: [{name: s, points: [{at: 0.1, value: 1}, {at: 0.2, value: -2}, {at: 0.4, value: 0.5}]}]\n"               \
  "boundary: [%s, {on: y0, fix: {y: 0}}]\n"                                                                            \
  "output: {probes: [{name: re, at: [1, 0.1], field: displacement-x, part: real}, {name: im, at: [1, 0.1], field: "    \
  "displacement-x, part: imaginary}]}\n"
static const double FREQUENCY[] = {0.1, 0.2, 0.3, 0.5}, SPECTRUM[] = {1, -2, -0.75, 0.5};

static double complex rod_pulled(double f) {
  const double omega = 2 * M_PI * f;
  const double complex E = 2 * (1 + I * (0.04 + omega * 0.01)), k = omega * csqrt(3 * (1 - I * 0.2 / omega) / E);
  return ctan(k) / (E * k);
}
/* Its end moves by 1. */
static double complex rod_shaken(double f) {
  const double omega = 2 * M_PI * f;
  const double complex E = 2 * (1 + I * (0.04 + omega * 0.01)), k = omega * csqrt(3 * (1 - I * 0.2 / omega) / E);
  return 1 / ccos(k);
}

static void rod(void **state) {
  (void)state;
  static const char *const load[] = {
      "{on: x0, fix: {x: 0}}, {on: x1, traction: ['2*s(f) + f', 0]}",
      "{on: x0, fix: {x: '-s(f)/(2*pi*f)^2'}}", /* the acceleration of the base */
  };
  char *folder = scratch_create(), text[2048];
  for (int which = 0; which < 2; ++which)
    for (int by = 0; by < 3; ++by) {
      snprintf(text, sizeof text, ROD, METHOD[by], load[which]);
      app_runs(folder, text);
      for (int k = 0; k < 4; ++k) {
        double value[COLUMNS];
        const double f = FREQUENCY[k], omega = 2 * M_PI * f;
        const double complex exact =
            which ? -SPECTRUM[k] / (omega * omega) * rod_shaken(f) : (2 * SPECTRUM[k] + f) * rod_pulled(f);
        row(folder, k, value);
        assert_near(value[0], f, 1e-12);
        const double error = cabs(value[1] + I * value[2] - exact) / cabs(exact);
        if (!(error < 8e-3)) fail_msg("load %d, method %d, %g Hz: error %g", which, by, f, error);
      }
    }
  scratch_remove(&folder);
}

/* %s: method, frequency; then what the expressions are. */
#define BLOCK                                                                                                          \
  "version: 1\nmesh: {grid: [4, 3, 3], size: [1.5, 1, 0.8]}\nphysics: elasticity\nmodel: 3d\n"                         \
  "analysis: {type: harmonic, %sfrequency: %s, damping: {loss-factor: 0.05, alpha: 0.1, beta: 0.02}}\n"                \
  "materials: [{on: body, young: 4, poisson: 0.25, density: 3}]\n"                                                     \
  "boundary: [{on: x0, fix: {x: '%s', y: '%s', z: 0}}, {on: x1, traction: [0, '%s', '%s'], phase: 30}, "               \
  "{on: y1, spring: 0.6, pressure: '%s'}]\nbody: [{on: body, gravity: ['%s', 0, 0]}]\nsolver: {rtol: 1e-12}\n"         \
  "output: {probes: [{name: a, at: [1.5, 1, 0.8], field: displacement-x, part: real}, {name: b, at: [1.5, 1, 0.8], "   \
  "field: displacement-z, part: imaginary}, {name: c, at: [0.5, 0.5, 0.4], field: displacement-y, part: real}, "       \
  "{name: d, at: [0.5, 0.5, 0.4], field: stress-xy, part: imaginary}]}\n"

/* More loads than by modes are remembered: the traction has a shape of its own at each frequency. */
static void as_one_by_one(void **state) {
  (void)state;
  enum { N = 10 };
  char *folder = scratch_create(), text[4096], list[400] = "[", y[32], pressure[32], wave[64], gravity[32], one[32];
  double exact[N][COLUMNS], value[COLUMNS];
  for (int k = 0; k < N; ++k) {
    const double f = 0.05 * (k + 1);
    snprintf(one, sizeof one, "%.17g", f);
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", one);
    snprintf(y, sizeof y, "%.17g*z", 0.1 / f);
    snprintf(wave, sizeof wave, "sin(%.17g*y)", 5 * f);
    snprintf(pressure, sizeof pressure, "%.17g", f);
    snprintf(gravity, sizeof gravity, "%.17g", f - 0.2);
    snprintf(text, sizeof text, BLOCK, "", one, "0.3", y, wave, "0.2", pressure, gravity);
    app_runs(folder, text);
    row(folder, 0, exact[k]);
  }
  strcat(list, "]");
  for (int by = 0; by < 2; ++by) { /* all modes there are */
    snprintf(text, sizeof text, BLOCK, by ? "method: modes, modes: 81, " : "", list, "0.3", "0.1*z/f", "sin(5*f*y)",
             "0.2", "f", "f - 0.2");
    app_runs(folder, text);
    for (int k = 0; k < N; ++k) {
      row(folder, k, value);
      for (int c = 1; c <= 4; ++c)
        if (!(fabs(value[c] - exact[k][c]) < 1e-7 * (1 + fabs(exact[k][c]))))
          fail_msg("method %d, frequency %d, probe %d: %.12g, alone %.12g", by, k, c, value[c], exact[k][c]);
    }
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rod), cmocka_unit_test(as_one_by_one)};
  return cmocka_run_group_tests_name("app/over_frequency", tests, NULL, NULL);
}
