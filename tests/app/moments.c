/* Sums of moments: what supports bear about a point, against the loads. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>

#define HEAD "version: 1\nphysics: elasticity\nsolver: {rtol: 1e-10}\n"
#define SOLID                                                                                                          \
  HEAD "mesh: {grid: [5, 3, 3], size: [2, 0.2, 0.4]}\nmodel: 3d\nmaterials: [{on: body, young: 1000, poisson: 0.3}]\n"
#define FLAT                                                                                                           \
  HEAD "mesh: {grid: [5, 3], size: [2, 0.2]}\nmodel: plane-stress\nmaterials: [{on: body, young: 1000, poisson: 0.3, " \
       "thickness: 0.5}]\n"
#define SUMS(about) "output: {sums: [{name: m, on: x0, field: moment, about: " about "}]}\n"

static void assert_columns(const char *folder, int n, const double *wanted, double tolerance) {
  double v[8];
  scratch_row(folder, n, v);
  for (int k = 0; k < n; ++k) assert_near(v[k], wanted[k], tolerance);
}

/* The force 0.08 (1, 2, 3) at the middle of the end, less r x F. */
static void of_a_clamped_bar(void **state) {
  (void)state;
  static const double F[3] = {0.08, 0.16, 0.24}, about[2][3] = {{0, 0, 0}, {1, -2, 3}};
  char *folder = scratch_create();
  for (int i = 0; i < 2; ++i) {
    const double r[3] = {2 - about[i][0], 0.1 - about[i][1], 0.2 - about[i][2]};
    const double M[3] = {-(r[1] * F[2] - r[2] * F[1]), -(r[2] * F[0] - r[0] * F[2]), -(r[0] * F[1] - r[1] * F[0])};
    app_runs(folder, i ? SOLID "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2, 3]}]\n" SUMS("[1, -2, 3]")
                       : SOLID "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2, 3]}]\n" SUMS("[0, 0, 0]"));
    assert_columns(folder, 3, M, 1e-8);
  }
  app_runs(folder, FLAT "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2]}]\n" SUMS("[0, 0.3]"));
  assert_columns(folder, 1, &(double){-(2 * 0.2 + 0.2 * 0.1)}, 1e-8);
  scratch_remove(&folder);
}

/* A rigid end bears the moment that is put on the other one. */
static void of_a_rigid_group(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           FLAT "boundary: [{on: x0, rigid: {at: [7, 7], fix: all}}, {on: x1, rigid: {at: [2, 0.1], force: [3, 0],"
                " moment: 0.25}}]\n" SUMS("[0, 0.3]"));
  assert_columns(folder, 1, &(double){-(0.25 + 0.2 * 3)}, 1e-8);
  scratch_remove(&folder);
}

/* A group that is turned and may go where it likes: E I angle / length at both ends, of linear statics and in time. */
static void of_a_turned_group(void **state) {
  (void)state;
  static const char *const in_time[] = {"", "time: {end: 1, step: 0.5}\n"};
  char *folder = scratch_create(), text[1024];
  for (int i = 0; i < 2; ++i) {
    double v[3];
    (void)snprintf(text, sizeof text,
                   HEAD
                   "mesh: {grid: [5, 3], size: [2, 0.2]}\nmodel: plane-stress\nmaterials: [{on: body, young: 1000, "
                   "poisson: 0, thickness: 0.5}]\nboundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.1], fix: "
                   "{rz: %s}}}]\n%soutput: {sums: [{name: m, on: x0, field: moment, about: [0, 0]}, "
                   "{name: n, on: x1, field: moment, about: [5, 1]}]}\n",
                   i ? "0.01*t" : "0.01", in_time[i]);
    app_runs(folder, text);
    scratch_last_row(folder, 3, v);
    const double wanted = 1000 * 0.5 * 0.2 * 0.2 * 0.2 / 12 * 0.01 / 2;
    assert_near(v[1], -wanted, 1e-8);
    assert_near(v[2], wanted, 1e-8);
  }
  scratch_remove(&folder);
}

static void of_load_cases(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[2];
  app_runs(folder,
           FLAT "boundary: [{on: x0, fix: all}]\nload-cases: [{name: a, boundary: [{on: x1, traction: [0, 1]}]},"
                " {name: b, boundary: [{on: x1, traction: [1, 0]}]}]\n"
                "combinations: [{name: both, factors: {a: 2, b: 10}}]\n" SUMS("[0, 0]"));
  scratch_row(folder, 1, v);
  assert_near(v[0], -0.2, 1e-8);
  scratch_last_row(folder, 2, v);
  assert_near(v[1], -0.4 + 0.1, 1e-8);
  scratch_remove(&folder);
}

/* Bent by 40 degrees: the force has the lever that it has come to. */
static void where_nodes_have_gone_to(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[3];
  app_runs(folder,
           FLAT "strain: finite\nboundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.1], force: [0, -0.3]}}]\n"
                "time: {end: 1, step: 0.25}\n"
                "output: {probes: [{name: u, at: [2, 0.1], field: displacement-x}, {name: w, at: [2, 0.1], field: "
                "displacement-y}], sums: [{name: m, on: x0, field: moment, about: [0, 0]}]}\n");
  double row[4];
  scratch_last_row(folder, 4, row);
  v[0] = row[1], v[1] = row[2], v[2] = row[3];
  assert_true(v[0] < -0.02 && v[1] < -0.2);
  assert_near(v[2], 0.3 * (2 + v[0]), 1e-6);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
#define HELD "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2]}]\n"
  app_refuses(folder, FLAT HELD "output: {sums: [{name: m, on: x0, field: moment}]}\n", "needs the key 'about'",
              "[0, 0]");
  app_refuses(folder, FLAT HELD SUMS("[0, 0, 1]"), "about has 3 entries", "2 directions");
  app_refuses(folder, FLAT HELD "output: {sums: [{name: m, on: x0, field: reaction, about: [0, 0]}]}\n", "'about'",
              "'reaction' has none");
  app_refuses(folder,
              HEAD
              "mesh: {grid: [3, 3], size: [1, 1]}\nmodel: axisymmetric\nmaterials: [{on: body, young: 1000, poisson: "
              "0.3}]\nboundary: [{on: y0, fix: all}, {on: y1, traction: [0, 1]}]\noutput: {sums: [{name: m, on: y0, "
              "field: moment, about: [0, 0]}]}\n",
              "axisymmetric", "add up to 0");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_clamped_bar),         cmocka_unit_test(of_a_rigid_group),
                                     cmocka_unit_test(of_a_turned_group),        cmocka_unit_test(of_load_cases),
                                     cmocka_unit_test(where_nodes_have_gone_to), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
