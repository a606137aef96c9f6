/* Sums through a cut: force and moment of one part on the other, against the loads and reactions of a part. */
#include "tests/app/scratch.h"
#include "app/setup/point_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "version: 1\nphysics: elasticity\nsolver: {rtol: 1e-10}\n"
#define STEEL "materials: [{on: body, young: 1000, poisson: 0.3}]\n"
#define HELD "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2, 3]}]\n"
/* At x = 0.77 of 2, along a slanted plane, about (0.77, 0, 0): between nodes of all meshes here. */
#define SLANTED "{at: [0.77, 0, 0], normal: [1, 0.3, -0.2]}"
#define SUMS(on, cut)                                                                                                  \
  "output: {sums: [{name: f, on: " on ", field: section-force, cut: " cut "}, {name: m, on: " on                       \
  ", field: section-moment, cut: " cut "}]}\n"

static void assert_row(const char *folder, int n, const double *wanted, double tolerance) {
  double v[8];
  scratch_row(folder, n, v);
  for (int k = 0; k < n; ++k) assert_within(v[k], wanted[k], tolerance);
}

/* F = 0.08 (1, 2, 3) at (2, 0.1, 0.2): what lies ahead of any plane passes it on, M = r x F. On all elements, of order 1
 * and 2, with and without mean dilatation. */
static void of_any_elements(void **state) {
  (void)state;
  static const char *const mesh[] = {
      "grid: [5, 3, 3], size: [2, 0.2, 0.4]", "grid: [4, 2, 2], size: [2, 0.2, 0.4], element: tet4, order: 2",
      "grid: [5, 3, 3], size: [2, 0.2, 0.4], element: tet4", "grid: [4, 2, 2], size: [2, 0.2, 0.4], order: 2"};
  static const char *const more[] = {"", "formulation: displacement\n"};
  static const double F[3] = {0.08, 0.16, 0.24}, r[3] = {2 - 0.77, 0.1, 0.2};
  const double wanted[6] = {
      F[0], F[1], F[2], r[1] * F[2] - r[2] * F[1], r[2] * F[0] - r[0] * F[2], r[0] * F[1] - r[1] * F[0]};
  char *folder = scratch_create(), text[1024];
  for (size_t i = 0; i < sizeof mesh / sizeof *mesh; ++i)
    for (int k = 0; k < 2; ++k) {
      snprintf(text, sizeof text, HEAD "mesh: {%s}\nmodel: 3d\n%s" STEEL HELD SUMS("body", SLANTED), mesh[i], more[k]);
      app_runs(folder, text);
      assert_row(folder, 6, wanted, 1e-8);
    }
  scratch_remove(&folder);
}

/* Of half the section the normal stress of a bent strip is known: sigma_xx = M y/I, so N = M h^2/(8 I) b. The nodes of the cut lie on it. */
static void of_a_part(void **state) {
  (void)state;
  static const double M = 0.3, h = 0.2, b = 0.5;
  char *folder = scratch_create();
  double v[3];
  scratch_write(
      folder, "halves.geo",
      "h = 0.05; Point(1) = {0, -0.1, 0}; Point(2) = {2, -0.1, 0}; Point(3) = {2, 0, 0}; Point(4) = {2, 0.1, 0};\n"
      "Point(5) = {0, 0.1, 0}; Point(6) = {0, 0, 0}; Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4};\n"
      "Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1}; Line(7) = {6, 3};\n"
      "Curve Loop(1) = {1, 2, -7, 6}; Plane Surface(1) = {1}; Curve Loop(2) = {7, 3, 4, 5};\n"
      "Plane Surface(2) = {2}; Physical Surface(\"lower\") = {1}; Physical Surface(\"upper\") = {2};\n"
      "Physical Curve(\"x0\") = {5, 6}; Physical Curve(\"x1\") = {2, 3}; MeshSize {:} = h;\n");
  Said said = app_run_says(
      folder, HEAD "mesh: {file: halves.geo, order: 2}\nmodel: plane-stress\n"
                   "materials: [{on: [lower, upper], young: 1000, poisson: 0.3, thickness: 0.5}]\n"
                   "boundary: [{on: x0, fix: all}, {on: x1, distribute: {at: [2, 0], moment: 0.3}}]\n"
                   "output: {sums: [{name: f, on: upper, field: section-force, cut: {at: [1.01, 0], normal: [1, 0]}},"
                   " {name: m, on: [lower, upper], field: section-moment, cut: {at: [1.01, 0], normal: [2, 0]}}]}\n");
  if (said.code == 4) testing_missing("no gmsh");
  else {
    assert_int_equal(said.code, 0);
    scratch_row(folder, 3, v);
    assert_within(v[0], -M / (b * h * h * h / 12) * h * h / 8 * b, 0.02 * 2.25);
    assert_within(v[2], M, 1e-8);
  }
  said_release(&said);
  scratch_remove(&folder);
}

/* Weight: what hangs below the cut. On the end face the cut has the whole reaction. A ring: 2 pi r counts. */
static void of_weight_and_rings(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           HEAD "mesh: {grid: [3, 9], size: [1, 4]}\nmodel: plane-strain\n"
                "materials: [{on: body, young: 1000, poisson: 0.3, density: 2, thickness: 0.5}]\n"
                "boundary: [{on: y1, fix: all}]\nbody: [{on: body, gravity: [0, -10]}]\n"
                "output: {sums: [{name: f, on: body, field: section-force, cut: {at: [0, 4], normal: [0, 1]}}]}\n");
  assert_row(folder, 2, (double[]){0, 40 - 40.0 / 16}, 1e-8); /* the nodes at the support bear 1/16 of it themselves */
  app_runs(folder,
           HEAD "mesh: {grid: [3, 9], size: [1, 4]}\nmodel: axisymmetric\n" STEEL
                "boundary: [{on: y0, fix: all}, {on: y1, traction: [0, 2]}]\n"
                "output: {sums: [{name: f, on: body, field: section-force, cut: {at: [0, 1.3], normal: [0, 1]}}]}\n");
  assert_row(folder, 1, &(double){2 * 3.14159265358979323846}, 1e-7);
  scratch_remove(&folder);
}

/* Load cases and what they add up to; load steps of a metal that flows; heat that a body is held against. */
static void of_other_analyses(void **state) {
  (void)state;
#define FLAT HEAD "mesh: {grid: [5, 3], size: [2, 0.2]}\nmodel: plane-stress\n"
#define CUT SUMS("body", "{at: [1.1, 0], normal: [1, 0]}")
  char *folder = scratch_create();
  double v[4];
  app_runs(folder,
           FLAT STEEL "boundary: [{on: x0, fix: all}]\nload-cases: [{name: a, boundary: [{on: x1, traction: [0, 1]}]},"
                      " {name: b, boundary: [{on: x1, traction: [1, 0]}]}]\n"
                      "combinations: [{name: both, factors: {a: 2, b: 10}}]\n" CUT);
  assert_row(folder, 3, (double[]){0, 0.2, 0.2 * 0.9}, 1e-8);
  scratch_last_row(folder, 4, v);
  assert_within(v[1], 2, 1e-8);
  assert_within(v[2], 0.4, 1e-8);
  assert_within(v[3], 0.4 * 0.9 - 0.1 * 2, 1e-8);
  app_runs(folder,
           FLAT "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, yield: [[0, 1], [1, 101]]}]\n"
                "boundary: [{on: x0, fix: all}, {on: x1, traction: [1.5, 0.05]}]\ntime: {end: 1, step: 0.25}\n" CUT);
  scratch_last_row(folder, 4, v);
  assert_within(v[1], 0.3, 1e-5);
  assert_within(v[2], 0.01, 1e-5);
  assert_within(v[3], 0.01 * 0.9 - 0.1 * 0.3, 1e-5);
  app_runs(folder, FLAT "materials: [{on: body, young: 1000, poisson: 0, expansion: 1e-3}]\n"
                        "thermal: {temperature: 10}\nboundary: [{on: x0, fix: {x: 0}}, {on: x1, fix: {x: 0}}, {on: y0,"
                        " fix: {y: 0}}]\n" CUT);
  assert_row(folder, 3, (double[]){-1000 * 1e-3 * 10 * 0.2, 0, 0.1 * 1000 * 1e-3 * 10 * 0.2}, 1e-8);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
#define PULLED FLAT STEEL "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 2]}]\n"
#define ONE(rest) "output: {sums: [{name: m, on: body, " rest "}]}\n"
  app_refuses(folder, PULLED ONE("field: section-force"), "needs the key 'cut'", "normal: [1, 0]");
  app_refuses(folder, PULLED ONE("field: strain-energy, cut: {at: [1, 0], normal: [1, 0]}"), "'cut' is the plane",
              "'strain-energy' has none");
  app_refuses(folder, PULLED ONE("field: section-force, cut: {at: [1, 0], normal: [0, 0]}"), "no length", "[1, 0]");
  app_refuses(folder, PULLED ONE("field: section-force, cut: {at: [1, 0, 0], normal: [1, 0]}"), "at has 3 entries",
              "2 directions");
  app_refuses(folder, PULLED ONE("field: section-force, cut: {at: [5, 0], normal: [1, 0]}"),
              "through no element of 'body'", "from -5 to -3");
  app_refuses(folder,
              PULLED "output: {sums: [{name: m, on: x1, field: section-force, cut: {at: [1, 0], normal: [1, 0]}}]}\n",
              "x1", "section-force");
  app_refuses(folder, PULLED "strain: finite\ntime: {end: 1, step: 1}\n" ONE("field: section-force"), "section-force",
              "static");
  app_refuses(folder,
              FLAT "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, yield: 1}]\n"
                   "boundary: [{on: x0, fix: all}]\ntime: {end: 1, step: 1}\n" ONE("field: moment"),
              "needs the key 'about'", "[0, 0]");
  scratch_remove(&folder);
}

/* The gradients that forces are made with: none across a flat element, whatever was in memory. */
static void flat_elements_have_no_third_gradient(void **state) {
  (void)state;
  const ElementType *type = element_by_name("quad4");
  const double x[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}}, xi[3] = {0.1, -0.2, 0};
  PointShape p;
  memset(&p, 0xff, sizeof p); /* nan */
  point_shape(type, x, xi, 1, &p);
  for (int a = 0; a < 4; ++a) assert_true(p.dN[a][2] == 0);
  assert_relative(p.dN[1][0], 0.5 * (1 + 0.2) / 2, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_any_elements),
                                     cmocka_unit_test(of_a_part),
                                     cmocka_unit_test(of_weight_and_rings),
                                     cmocka_unit_test(of_other_analyses),
                                     cmocka_unit_test(flat_elements_have_no_third_gradient),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
