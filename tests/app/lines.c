/* Probes of lines through walls: membrane, bending and peak stress. */
#include "tests/app/scratch.h"

#include <math.h>

#define HEAD "version: 1\nphysics: elasticity\nsolver: {rtol: 1e-10}\n"
#define STRIP                                                                                                          \
  HEAD "mesh: {grid: [21, 5], size: [2, 0.2], order: 2}\nmodel: plane-stress\n"                                        \
       "materials: [{on: body, young: 1e6, poisson: 0.3, thickness: 0.5}]\n"
#define ACROSS "at: [1.02, 0], to: [1.02, 0.2]"

/* A strip under N and M: N/A and -+ M/W, and nothing left. The other way round the bending changes its sign. */
static void of_a_bent_strip(void **state) {
  (void)state;
  static const double A = 0.1, W = 0.5 * 0.2 * 0.2 / 6, N = 3, M = 0.4;
  char *folder = scratch_create();
  double v[6];
  app_runs(folder,
           STRIP "boundary: [{on: x0, fix: all}, {on: x1, distribute: {at: [2, 0.1], force: [3, 0], moment: 0.4}}]\n"
                 "output: {probes: [{name: m, " ACROSS ", take: membrane, field: stress-xx},"
                 " {name: b, " ACROSS ", take: bending, field: stress-xx},"
                 " {name: mb, " ACROSS ", take: membrane-bending, field: von-mises},"
                 " {name: p, " ACROSS ", take: peak, field: stress-xx},"
                 " {name: back, at: [1.02, 0.2], to: [1.02, 0], take: bending, field: stress-xx},"
                 " {name: least, " ACROSS ", take: bending, field: principal-3}]}\n");
  scratch_row(folder, 6, v);
  assert_relative(v[0], N / A, 1e-4);
  assert_relative(v[1], M / W, 1e-4);
  assert_relative(v[2], N / A + M / W, 1e-4);
  assert_within(v[3], 0, 1e-3);
  assert_relative(v[4], -M / W, 1e-4);
  assert_within(v[5], 0, 1e-3);
  scratch_remove(&folder);
}

/* Lame's cylinder, a = 1, b = 2, under p = 3 from inside: hoop stress k (1 + b^2/r^2), k = p a^2/(b^2 - a^2) = 1. Its mean is
 * p a/(b - a) = 3; 6 int_0^1 (1 + 4/(1 + s)^2) (1/2 - s) ds = 6 (3 - 4 ln 2) bends; 5 at the bore. */
static void of_a_thick_cylinder(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[3];
  static const double bending = 6 * (3 - 4 * 0.69314718055994531);
  scratch_write(folder, "wall.geo",
                "Point(1) = {1, 0, 0}; Point(2) = {2, 0, 0}; Line(1) = {1, 2}; Transfinite Curve {1} = 41;\n"
                "out[] = Extrude {0, 0.1, 0} { Curve{1}; Layers{2}; Recombine; };\n"
                "Physical Surface(\"body\") = {out[1]}; Physical Curve(\"y0\") = {1};\n"
                "Physical Curve(\"y1\") = {out[0]}; Physical Curve(\"x0\") = {-out[3]};\n");
  Said said = app_run_says(
      folder, HEAD "mesh: {file: wall.geo, order: 2}\nmodel: axisymmetric\n"
                   "materials: [{on: body, young: 1000, poisson: 0.3}]\n"
                   "boundary: [{on: y0, symmetry: true}, {on: y1, symmetry: true}, {on: x0, pressure: 3}]\n"
                   "output: {probes: [{name: m, at: [1, 0.03], to: [2, 0.03], take: membrane, field: stress-zz},"
                   " {name: b, at: [1, 0.03], to: [2, 0.03], take: bending, field: stress-zz},"
                   " {name: p, at: [1, 0.03], to: [2, 0.03], take: peak, field: stress-zz}]}\n");
  if (said.code == 4) testing_missing("no gmsh");
  else {
    assert_int_equal(said.code, 0);
    scratch_row(folder, 3, v);
    assert_relative(v[0], 3, 1e-3);
    assert_relative(v[1], bending, 2e-3);
    assert_within(v[2], 5 - 3 - bending, 0.01);
  }
  said_release(&said);
  scratch_remove(&folder);
}

/* Linear in the load cases: a combination has what its cases add up to. */
static void of_load_cases(void **state) {
  (void)state;
  char *folder = scratch_create();
  double first[1], last[2];
  app_runs(folder,
           STRIP "boundary: [{on: x0, fix: all}]\nload-cases: [{name: a, boundary: [{on: x1, traction: [30, 0]}]},"
                 " {name: b, boundary: [{on: x1, traction: [0, 1]}]}]\n"
                 "combinations: [{name: both, factors: {a: 2, b: 1}}]\n"
                 "output: {probes: [{name: m, " ACROSS ", take: membrane, field: stress-xx}]}\n");
  scratch_row(folder, 1, first);
  scratch_last_row(folder, 2, last);
  assert_relative(first[0], 30, 1e-3);
  assert_relative(last[1], 60, 1e-3);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
#define PULLED STRIP "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2]}]\n"
#define ONE(rest) "output: {probes: [{name: m, " rest "}]}\n"
  app_refuses(folder, PULLED ONE("at: [1, 0], to: [1, 0.2], field: von-mises"), "'take'", "'to' alone");
  app_refuses(folder, PULLED ONE("at: [1, 0], take: peak, field: von-mises"), "'to'", "'take' alone");
  app_refuses(folder, PULLED ONE("at: [1, 0], to: [1, 0], take: peak, field: von-mises"), "no length", "'at'");
  app_refuses(folder, PULLED ONE("at: [1, 0], to: [1, 0.2, 3], take: peak, field: von-mises"), "to has 3 entries", "2");
  app_refuses(folder, PULLED ONE("at: [1, 0], to: [1, 0.2], take: peak, field: displacement-x"), "displacement-x",
              "not linearised");
  app_refuses(folder, PULLED ONE("at: [1, 0], to: [1, 0.5], take: peak, field: von-mises"), "leaves the mesh", "'m'");
  app_refuses(folder,
              PULLED "strain: finite\ntime: {end: 1, step: 1}\n" ONE("at: [1, 0], to: [1, 0.2], take: peak, field: "
                                                                     "von-mises"),
              "to", "static");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_bent_strip), cmocka_unit_test(of_a_thick_cylinder),
                                     cmocka_unit_test(of_load_cases), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
