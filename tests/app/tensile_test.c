/* The curve of a metal from the file of a tensile test: drawn true curves written as elongation and force, as true strain and as plastic
 * strain, against the same `yield` in the case. */
#include "tests/app/scratch.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 5, KINDS = 3, TEXT = 2048 };
static const double YOUNG = 210e3;

/* Drawn plastic strains and true stresses, the first at 0. */
static void draw_curve(uint64_t *seed, double p[POINTS], double s[POINTS]) {
  p[0] = 0, s[0] = draw_between(seed, 200, 300);
  for (int i = 1; i < POINTS; ++i) {
    p[i] = p[i - 1] + draw_between(seed, 0.005, 0.02);
    s[i] = s[i - 1] + draw_between(seed, 20, 60); /* by more than the section shrinks: no neck before the end */
  }
}

/* As the machine writes it, with the elastic part, and with a neck behind the largest force where it is of force. */
static void write_test(const char *folder, int kind, const double p[POINTS], const double s[POINTS]) {
  char text[TEXT];
  int n = snprintf(text, sizeof text, "strain, stress  # of a test\n");
  if (kind < 2) n += snprintf(text + n, sizeof text - (size_t)n, "0, 0\n%.15g, %.15g\n", 50 / YOUNG, 50.0);
  for (int i = 0; i < POINTS; ++i) {
    const double e = p[i] + s[i] / YOUNG;
    const double row[KINDS][2] = {{expm1(e), s[i] / exp(e)}, {e, s[i]}, {p[i], s[i]}};
    n += snprintf(text + n, sizeof text - (size_t)n, "%.15g, %.15g\n", row[kind][0], row[kind][1]);
  }
  if (kind == 0) snprintf(text + n, sizeof text - (size_t)n, "0.4, 150\n0.5, 100\n");
  scratch_write(folder, "test.csv", text);
}

static void pull(const char *folder, const char *metal, double value[3]) {
  char text[TEXT];
  snprintf(text, sizeof text,
           "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {grid: [2, 2, 2]}\n"
           "materials: [{on: body, type: plastic, young: %g, poisson: 0.3, %s}]\n"
           "boundary: [{on: x0, symmetry: true}, {on: y0, symmetry: true}, {on: z0, symmetry: true}, {on: x1, fix: {x: "
           "0.05}}]\ntime: {end: 1, step: 0.1}\nsolver: {rtol: 1e-10}\n"
           "output: {probes: [{name: s, at: [1, 1, 1], field: stress-xx}, {name: p, at: [1, 1, 1], field: "
           "plastic-strain}]}\n",
           YOUNG, metal);
  app_runs(folder, text);
  scratch_last_row(folder, 3, value);
}

static void files_of_tests(void **state) {
  (void)state;
  static const char *const kind[KINDS] = {"engineering", "true", "plastic"};
  uint64_t seed = 20261128;
  char *folder = scratch_create(), metal[TEXT];
  for (int draw = 0; draw < 2; ++draw) {
    double p[POINTS], s[POINTS], right[3], value[3];
    draw_curve(&seed, p, s);
    int n = snprintf(metal, sizeof metal, "yield: [");
    for (int i = 0; i < POINTS; ++i) n += snprintf(metal + n, sizeof metal - (size_t)n, "[%.15g, %.15g], ", p[i], s[i]);
    snprintf(metal + n - 2, sizeof metal - (size_t)n, "]");
    pull(folder, metal, right);
    for (int k = 0; k < KINDS; ++k) {
      write_test(folder, k, p, s);
      snprintf(metal, sizeof metal, "curve: {file: test.csv, of: %s}", kind[k]);
      pull(folder, metal, value);
      assert_relative(value[1], right[1], 1e-8);
      assert_relative(value[2], right[2], 1e-8);
    }
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_of_tests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
