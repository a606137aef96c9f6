/* Temperature and turning bodies from case files to results, against closed forms; a heat run feeds an elastic one. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELASTIC "version: 1\nphysics: elasticity\nsolver: {rtol: 1e-10}\n"
#define HEAT                                                                                                           \
  "version: 1\nmesh: {grid: [5, 3], size: [1, 0.2], order: 2}\nphysics: heat\n"                                        \
  "materials: [{on: body, conductivity: 1, capacity: 1}]\n"                                                            \
  "boundary: [{on: x0, temperature: 20}, {on: x1, temperature: 120}]\n"
/* A strip that is free to expand: T - 20 = 100 x. */
#define STRIP(thermal)                                                                                                 \
  ELASTIC "mesh: {grid: [5, 3], size: [1, 0.2], order: 2}\nmodel: plane-stress\n"                                      \
          "materials: [{on: body, young: 1000, poisson: 0.3, expansion: 1e-4}]\n"                                      \
          "boundary: [{on: x0, fix: {x: \"-50*1e-4*y^2\"}}, {on: y0, fix: {y: 0}}]\n"                                  \
          "thermal: {reference: 20, temperature: " thermal "}\n"                                                       \
          "output: {probes: [{name: u, at: [1, 0], field: displacement-x},"                                            \
          " {name: s, at: [0.6, 0.1], field: stress-xx}, {name: v, at: [1, 0.2], field: displacement-y}]}\n"

/* How many estimates of an error of stress the report has. */
static int errors_told(const char *folder) {
  int n = 0;
  char *report = scratch_read(folder, "results/report.json");
  for (const char *at = report; (at = strstr(at, "\"stress_error\"")); ++at) ++n;
  free(report);
  return n;
}

static void expands_freely(const char *folder, const char *text) {
  double value[3];
  app_runs(folder, text);
  scratch_row(folder, 3, value);
  assert_near(value[0], 100 * 1e-4 / 2, 1e-10);
  assert_within(value[1], 0, 1e-7);
  assert_near(value[2], 100 * 1e-4 * 0.2, 1e-10);
  assert_int_equal(errors_told(folder), 0); /* of rounding */
}

static void by_expression(void **state) {
  (void)state;
  char *folder = scratch_create();
  expands_freely(folder, STRIP("\"20 + 100*x\""));
  scratch_remove(&folder);
}

/* A steady heat run, and one in time whose last step is as good as steady. */
static void by_results(void **state) {
  (void)state;
  char *folder = scratch_create(), *heat = scratch_create(), text[2048];
  app_runs(heat, HEAT "solver: {rtol: 1e-13}\n");
  snprintf(text, sizeof text, STRIP("{results: \"%s/results\"}"), heat);
  expands_freely(folder, text);
  app_runs(heat, HEAT "initial: 20\ntime: {end: 8, step: 0.5}\nsolver: {rtol: 1e-13}\noutput: {every: 4}\n");
  snprintf(text, sizeof text, STRIP("{results: \"%s/results\", time: 8}"), heat);
  expands_freely(folder, text);
  snprintf(text, sizeof text, STRIP("{results: \"%s/results\", time: 5}"), heat);
  app_refuses(folder, text, "has no time 5", "stored there: 0, 4, 8");
  snprintf(text, sizeof text, STRIP("{results: \"%s\"}"), heat);
  app_refuses(folder, text, "results.hdf", "results must name the folder of a heat run");
  snprintf(text, sizeof text, STRIP("{results: \"%s/results\"}"), heat);
  memcpy(strstr(text, "[5, 3]"), "[3, 3]", 6);
  app_refuses(folder, text, "is of another mesh (45 nodes, hash ", "this case (25 nodes, hash ");
  app_runs(heat, STRIP("30"));
  snprintf(text, sizeof text, STRIP("{results: \"%s/results\"}"), heat);
  app_refuses(folder, text, "has no temperature at nodes", "'physics: heat'");
  scratch_remove(&heat);
  scratch_remove(&folder);
}

/* A rod without contraction that turns about its end: u(L) = rho w^2 L^3 / (3 E). */
static void turning_rod(void **state) {
  (void)state;
  static const char *const model[] = {
      "mesh: {grid: [9, 3], size: [2, 0.1], order: 2}\nmodel: plane-stress\nboundary: [{on: x0, fix: all}]\n"
      "body: [{on: body, centrifugal: {origin: [0, 0.05], speed: 5}}]\n"
      "output: {probes: [{name: u, at: [2, 0.05], field: displacement-x}]}\n",
      "mesh: {grid: [9, 3, 3], size: [2, 0.1, 0.1], order: 2}\nmodel: 3d\nboundary: [{on: x0, fix: all}]\n"
      "body: [{on: body, centrifugal: {origin: [0, 0.05, 0.05], axis: [0, 0, -3], speed: 5}}]\n"
      "output: {probes: [{name: u, at: [2, 0.05, 0.05], field: displacement-x}]}\n"};
  char *folder = scratch_create(), text[2048];
  for (int k = 0; k < 2; ++k) {
    double u;
    snprintf(text, sizeof text, ELASTIC "materials: [{on: body, young: 1e4, poisson: 0, density: 3}]\n%s", model[k]);
    app_runs(folder, text);
    scratch_row(folder, 1, &u);
    assert_relative(u, 3 * 25 * 8.0 / 3e4, 1e-5);
  }
  scratch_remove(&folder);
}

/* A turning disc of revolution: the keys say what the expression of gravity says. */
static void turning_disc(void **state) {
  (void)state;
  static const char *const body[] = {"centrifugal: {origin: [0, 3], speed: 5}", "gravity: [\"25*x\", 0]"};
  char *folder = scratch_create(), text[2048];
  double u[2];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             ELASTIC
             "mesh: {grid: [9, 3], size: [2, 0.1], order: 2}\nmodel: axisymmetric\n"
             "materials: [{on: body, young: 1e4, poisson: 0.3, density: 3}]\nboundary: [{on: y0, fix: {y: 0}}]\n"
             "body: [{on: body, %s}]\noutput: {probes: [{name: u, at: [2, 0.05], field: displacement-x}]}\n",
             body[k]);
    app_runs(folder, text);
    scratch_row(folder, 1, &u[k]);
  }
  assert_relative(u[0], u[1], 1e-8);
  scratch_remove(&folder);
}

/* What varies is written back as it was read. */
static void echo(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                ELASTIC "mesh: {grid: [3, 3]}\nmodel: plane-stress\n"
                        "materials: [{on: body, type: orthotropic, young: [\"1000*(1+x)\", 1000, \"500*2\"],"
                        " poisson: [0.3, 0.3, 0.3], shear: [300, 300, 300], expansion: \"1e-5*x\"}]\n"
                        "boundary: [{on: x0, fix: all}]\nthermal: {temperature: 5}\n");
  Said said = app_says("check", scratch_path(folder, "case.yaml"), "--verbose", NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "young: [\"1000*(1+x)\", 1000, 1000]\n"));
  assert_non_null(strstr(said.out, "expansion: [\"1e-5*x\", \"1e-5*x\", \"1e-5*x\"]\n"));
  said_release(&said);
  scratch_remove(&folder);
}

/* Of the load cases that one has an error that has a stress. */
static void rounding_has_no_error(void **state) {
  (void)state;
  char *folder = scratch_create();
#define FREE                                                                                                           \
  ELASTIC "mesh: {grid: [5, 5]}\nmodel: plane-stress\n"                                                                \
          "materials: [{on: body, young: 1000, poisson: 0.3, expansion: 1e-4}]\n"                                      \
          "boundary: [{on: [x0, y0], symmetry: true}]\n"
  app_runs(folder, FREE "thermal: {reference: 20, temperature: 120}\n");
  assert_int_equal(errors_told(folder), 0);
  app_runs(folder, FREE "thermal: {reference: 20, temperature: \"120 + 50*x*y\"}\n");
  assert_int_equal(errors_told(folder), 1);
  app_runs(folder, FREE "load-cases:\n- {name: warm, thermal: {reference: 20, temperature: 120}}\n"
                        "- {name: pulled, boundary: [{on: x1, traction: [\"y\", 0]}]}\n"
                        "- {name: both, thermal: {reference: 20, temperature: 120}, boundary: [{on: x1, traction: "
                        "[\"y\", 0]}]}\n");
  assert_int_equal(errors_told(folder), 2);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_expression), cmocka_unit_test(by_results),
                                     cmocka_unit_test(turning_rod),   cmocka_unit_test(turning_disc),
                                     cmocka_unit_test(echo),          cmocka_unit_test(rounding_has_no_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
