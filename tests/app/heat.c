/* Heat from case files to results: exact solutions in space and time on the Exec under test, stored times, the
 * image. */
#include "core/memory.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* sin(pi x) sin(pi y) falls by exp(-2 pi^2 t); %s: end of time:, output: */
#define DECAY(n, time, output)                                                                                         \
  "version: 1\nmesh: {grid: [" n ", " n "]}\nphysics: heat\n"                                                          \
  "materials: [{on: body, conductivity: 1, capacity: 1}]\n"                                                            \
  "boundary: [{on: [x0, x1, y0, y1], temperature: 0}]\ninitial: sin(pi*x)*sin(pi*y)\n"                                 \
  "time: {end: 0.1, " time "}\nsolver: {rtol: 1e-10}\n"                                                                \
  "output: {" output "probes: [{name: p, at: [0.5, 0.5]}]}\n"

/* Row k of probes.csv (0: the first time), -1 the last; returns how many rows there are. */
static int row(const char *folder, int k, double *time, double *value) {
  char *text = scratch_read(folder, "results/probes.csv");
  int n = 0;
  char *line = strchr(text, '\n') + 1;
  for (; *line; line = strchr(line, '\n') + 1, ++n)
    if (k < 0 || n == k) assert_int_equal(sscanf(line, "%lf,%lf", time, value), 2);
  free(text);
  return n;
}

static double error_of(const char *folder, const char *text) {
  double time, value;
  app_runs(folder, text);
  row(folder, -1, &time, &value);
  assert_near(time, 0.1, 1e-12);
  return value / exp(-2 * M_PI * M_PI * 0.1) - 1;
}

/* Halving h and the step: order 2 in both for Crank-Nicolson and BDF2, 1 for backward Euler's dominant error. */
static void orders(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double cn = error_of(folder, DECAY("9", "step: 0.01, scheme: crank-nicolson", "")) /
                    error_of(folder, DECAY("17", "step: 0.005, scheme: crank-nicolson", ""));
  const double bdf2 = error_of(folder, DECAY("9", "step: 0.005, scheme: bdf2", "")) /
                      error_of(folder, DECAY("17", "step: 0.0025, scheme: bdf2", ""));
  const double euler =
      error_of(folder, DECAY("33", "step: 0.01", "")) / error_of(folder, DECAY("33", "step: 0.005", ""));
  print_message("ratios: %g %g %g\n", cn, bdf2, euler);
  assert_true(cn > 3.2 && cn < 5.5);
  assert_true(bdf2 > 3 && bdf2 < 5.5);
  assert_true(euler > 1.8 && euler < 2.4);
  scratch_remove(&folder);
}

static void stored_times(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double wanted[] = {0, 0.03, 0.06, 0.09, 0.1};
  app_runs(folder, DECAY("9", "step: 0.01", "every: 0.03, "));
  char *json = scratch_read(folder, "results/report.json");
  assert_non_null(strstr(json, "\"scheme\": \"backward-euler\","));
  free(json);
  for (int k = 0; k < 5; ++k) {
    double time, value;
    assert_int_equal(row(folder, k, &time, &value), 5);
    assert_near(time, wanted[k], 1e-12);
  }
  Result *result = NULL;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_int_equal(result->n_step, 5);
  for (int k = 0; k < 5; ++k) assert_near(result->time[k], wanted[k], 1e-12);
  double u[81];
  assert_int_equal(result->n_node, 81);
  assert_ok(result_read(result, result_field(result, "temperature", false), 0, u));
  assert_near(u[40], 1, 1e-12); /* the middle at the start */
  result_close(&result);
  scratch_remove(&folder);
}

static void adaptive_steps(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double error = error_of(folder, DECAY("65", "step: 0.001, scheme: bdf2, adaptive: {tolerance: 1e-5}", ""));
  assert_true(fabs(error) < 3e-3);
  scratch_remove(&folder);
}

/* A wall between 0 and a prescribed flux and power, together 6 on its area: T = q x / k, in the corner element too; what flows in flows out. */
static void steady_wall(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [5, 3], size: [2, 1], element: tri3}\nphysics: heat\n"
           "materials: [{on: body, conductivity: [4, 1], thickness: 0.5}]\n"
           "boundary:\n- {on: x0, temperature: 1}\n- {on: x1, flux: 4}\n- {on: x1, power: 1}\n"
           "output: {fields: [temperature, flux], probes: [{name: end, at: [2, 0.5]}, {name: q, at: [1.1, 0.3], "
           "field: flux-x}], sums: [{name: in, on: x1, field: heat-flow}, {name: out, on: x0, field: heat-flow}]}\n");
  char *text = scratch_read(folder, "results/probes.csv");
  double time, end, q, in, out;
  assert_int_equal(sscanf(strchr(text, '\n') + 1, "%lf,%lf,%lf,%lf,%lf", &time, &end, &q, &in, &out), 5);
  assert_near(end, 1 + 6 * 2 / 4.0, 1e-7);
  assert_near(q, -6, 1e-6);
  assert_near(in, 3, 1e-9);
  assert_near(out, -3, 1e-6);
  free(text);
  scratch_remove(&folder);
}

/* Each node of a grid has its pixel, the first row at the top. */
static void image_on_its_grid(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "i.pgm", "P2 3 2 4  0 1 2  3 4 0\n");
  app_runs(folder,
           "version: 1\nmesh: {image: i.pgm}\nphysics: heat\nmaterials: [{on: body, conductivity: 1, capacity: 1}]\n"
           "initial: {image: i.pgm, low: 10, high: 14}\ntime: {end: 1e-9, step: 1e-9}\n");
  Result *result = NULL;
  double u[6];
  const double wanted[] = {13, 14, 10, 10, 11, 12}; /* nodes go up */
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_int_equal(result->n_node, 6);
  assert_ok(result_read(result, result_field(result, "temperature", false), 0, u));
  for (int i = 0; i < 6; ++i) assert_near(u[i], wanted[i], 1e-12);
  result_close(&result);
  scratch_remove(&folder);
}

/* The resolved case reads back to itself. */
static void check_echoes(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", DECAY("9", "step: 0.01", ""));
  Said said = app_says("check", scratch_path(folder, "case.yaml"), "--backend", "cpu", NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "unknowns: 49"));
  assert_non_null(strstr(said.out, "steps in time: 10"));
  said_release(&said);
  scratch_remove(&folder);
}

/* No allocation that fails leaves anything behind, whatever the exit code. */
static void allocations(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", DECAY("3", "step: 0.1", ""));
  const char *path = scratch_path(folder, "case.yaml");
  int code = 1;
  for (int64_t nth = 1; code && nth < 3000; nth += 1 + nth / 40) {
    const size_t before = mem_in_use();
    mem_fail_nth(nth);
    Said said = app_says("run", path, "--overwrite", "--quiet", "--backend", "cpu", NULL);
    mem_fail_nth(0);
    code = said.code;
    if (code && code != ERR_MEMORY) fail_msg("allocation %d: exit code %d, %s", (int)nth, code, said.err);
    said_release(&said);
    assert_int_equal(mem_in_use(), before);
  }
  assert_int_equal(code, 0);
  scratch_remove(&folder);
}

/* Around an axis u = 1 - r^p is exact in triangles of order p, whose integrals have r as a factor. */
static void powers_of_the_radius(void **state) {
  (void)state;
  static const char *const source[] = {"4", "'9*x'"};
  char *folder = scratch_create();
  for (int p = 2; p <= 3; ++p) {
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [5, 4], size: [1, 0.6], element: tri3, order: %d}\nphysics: heat\nmodel: "
             "axisymmetric\nmaterials: [{on: body, conductivity: 1}]\nboundary: [{on: x1, temperature: 0}]\nsource: "
             "[{on: body, value: %s}]\nsolver: {rtol: 1e-12}\noutput: {probes: [{name: axis, at: [0, 0.2], field: "
             "temperature}, {name: near, at: [0.3, 0.25], field: temperature}]}\nexpect:\n- {probe: axis, value: 1, "
             "rtol: 1e-10}\n- {probe: near, value: %.15g, rtol: 1e-10}\n",
             p, source[p - 2], 1 - pow(0.3, p));
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
    if (said.code) fail_msg("%s\n%s", said.out, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders),      cmocka_unit_test(stored_times),        cmocka_unit_test(adaptive_steps),
      cmocka_unit_test(steady_wall), cmocka_unit_test(image_on_its_grid),   cmocka_unit_test(check_echoes),
      cmocka_unit_test(allocations), cmocka_unit_test(powers_of_the_radius)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
