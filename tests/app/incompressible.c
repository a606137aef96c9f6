/* Materials that keep their volume nearly, by the augmented Lagrangian of mean dilatation: linear solves take as many turns as
 * those of softer ones, answers are the closed forms, and a step that fails leaves nothing behind. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(mesh, model) "version: 1\nmesh: " mesh "\nphysics: elasticity\nmodel: " model "\nstrain: finite\n"
#define RUBBER "materials: [{on: body, type: neo-hooke, shear: 80.194, bulk: 400889.8, volumetric: quadratic}]\n"

static void runs(const char *folder, const char *text) {
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--output",
                       scratch_path(folder, "results"), NULL);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
}

/* The row of a time in probes.csv. */
static void row_at(const char *folder, double time, int n, double *value) {
  char *rows = scratch_read(folder, "results/probes.csv");
  bool found = false;
  for (char *at = strchr(rows, '\n'); at && at[1] && !found; at = strchr(at, '\n')) {
    found = fabs(strtod(at + 1, &at) - time) < 1e-9;
    for (int k = 0; k < n && found; ++k) value[k] = strtod(at + 1, &at);
  }
  free(rows);
  assert_true(found);
}

/* Turns of conjugate gradients for each linear solve, and of all; *newton: Newton steps. */
static double turns(const char *folder, const char *element, double poisson, double *newton, double *all) {
  char text[1024];
  snprintf(text, sizeof text,
           HEAD("{grid: [7, 5, 5], size: [2, 1, 1], %s}",
                "3d") "formulation: mean-dilatation\nmaterials: [{on: body, type: neo-hooke, young: 3, poisson: "
                      "%.9g}]\nboundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: 0.2, y: 0, z: 0}}\n"
                      "solver: {preconditioner: amg}\ntime: {end: 1, step: 1}\n",
           element, poisson);
  runs(folder, text);
  assert_true(scratch_reported(folder, "true_residual") <= 1e-8);
  *newton = scratch_reported(folder, "newton_iterations");
  *all = scratch_reported(folder, "iterations");
  return *all / scratch_reported(folder, "linear_solves");
}

/* The mark: at 0.49999 at most 1.5 times as many turns as at 0.45, and 40; in one or two Newton steps more. */
static void takes_as_many_turns(void **state) {
  (void)state;
  static const char *const element[] = {"element: hex8", "element: tet4, order: 2"};
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    double few, many, least, most;
    const double soft = turns(folder, element[k], 0.45, &few, &least);
    const double stiff = turns(folder, element[k], 0.49999, &many, &most);
    if (stiff > 1.5 * soft || stiff > 40 || many > few + 2 || most > 4 * least)
      fail_msg("%s: %g turns in a solve, %g in all, %g Newton steps; at 0.45 %g, %g and %g", element[k], stiff, most,
               many, soft, least, few);
  }
  scratch_remove(&folder);
}

/* What is not asked for becomes a hierarchy here, in meshes as well that are small enough for a diagonal elsewhere. */
static void has_levels(void **state) {
  (void)state;
  static const char *const element[] = {"quad4", "quad4, order: 2"}, *const becomes[] = {"amg", "pmg"};
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 4; ++k) {
    snprintf(text, sizeof text,
             HEAD("{grid: [9, 9], size: [1, 1], element: %s}",
                  "plane-strain") "formulation: mean-dilatation\nmaterials: [{on: body, type: neo-hooke, young: 3, "
                                  "poisson: %g}]\nboundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: 0.05, y: 0}}\n"
                                  "time: {end: 1, step: 1}\nsolver: {method: iterative}\n",
             element[k % 2], k < 2 ? 0.4999 : 0.4);
    runs(folder, text);
    char *report = scratch_read(folder, "results/report.json"), word[64];
    snprintf(word, sizeof word, "\"preconditioner\": \"%s\"", k < 2 ? becomes[k] : "jacobi");
    if (!strstr(report, word)) fail_msg("%s: no %s in %s", element[k % 2], word, report);
    free(report);
  }
  scratch_remove(&folder);
}

/* A bar pulled to 1.5 of its length with kappa = 5000 mu. */
static void pulled(void **state) {
  (void)state;
  static const char *const mesh[] = {"{grid: [3, 3, 3], size: [1, 1, 1]}",
                                     "{grid: [3, 3, 3], size: [1, 1, 1], element: tet4, order: 2}"};
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 2; ++k) {
    double value[2] = {0};
    snprintf(text, sizeof text,
             HEAD("%s", "3d") RUBBER
             "boundary:\n- {on: x0, fix: {x: 0}}\n- {on: y0, fix: {y: 0}}\n- {on: z0, fix: {z: 0}}\n"
             "- {on: x1, fix: {x: 0.5}}\nsolver: {rtol: 1e-10}\ntime: {end: 1, step: 0.5}\n"
             "output: {probes: [{name: a, at: [1, 1, 1], field: displacement-y}, {name: s, at: [0.3, 0.4, 0.5], "
             "field: stress-xx}]}\n",
             mesh[k]);
    runs(folder, text);
    row_at(folder, 1, 2, value);
    assert_within(value[0], 0.8165396718 - 1, 1e-8);
    assert_relative(value[1], 126.945857, 1e-7);
  }
  scratch_remove(&folder);
}

/* A tube whose volume is prescribed, mu = 1 and kappa = 1e6: inner stretches of 1.25, 1.5 and 2 (closed form of a material
 * that keeps its volume, as in cavity.c). */
static void tube(void **state) {
  (void)state;
  static const double closed[3][2] = {{0.25, 0.2757115368}, {0.5, 0.4282284091}, {1, 0.5740535723}};
  char *folder = scratch_create(), text[4096];
  int used = sprintf(text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"body\"\n1 2 \"inner\"\n"
                           "1 3 \"ends\"\n$EndPhysicalNames\n$Nodes\n4\n1 1 0 0\n2 2 0 0\n3 1 0.4 0\n4 2 0.4 0\n");
  snprintf(text + used, sizeof text - (size_t)used,
           "$EndNodes\n$Elements\n4\n1 3 2 1 1 1 2 4 3\n2 1 2 2 2 1 3\n3 1 2 3 3 1 2\n4 1 2 3 3 3 4\n$EndElements\n");
  scratch_write(folder, "tube.msh", text);
  runs(folder, HEAD("{file: tube.msh, order: 2, refine: 2}", "axisymmetric") "materials: [{on: body, type: neo-hooke, "
                                                                             "shear: 1, bulk: 1e6}]\nboundary:\n"
                                                                             "- {on: ends, symmetry: true}\n- {on: "
                                                                             "inner, volume: 'V0*(1 + t)^2'}\n"
                                                                             "time: {end: 1, step: 0.125}\noutput: "
                                                                             "{sums: [{name: p, on: inner, field: "
                                                                             "pressure}, {name: v, on: inner, field: "
                                                                             "volume}]}\n");
  for (int k = 0; k < 3; ++k) {
    double value[2];
    row_at(folder, closed[k][0], 2, value);
    assert_relative(value[0], closed[k][1], 5e-4);
  }
  scratch_remove(&folder);
}

#define PRESSED(time)                                                                                                  \
  HEAD("{grid: [4, 4, 4], size: [1, 1, 1]}", "3d")                                                                     \
  RUBBER "boundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: '-0.45*t', y: '0.2*t', z: 0}}\ntime: " time             \
         "\noutput: {probes: [{name: s, at: [0.5, 0.5, 0.5], field: stress-xx}], sums: [{name: f, on: x1, field: "     \
         "reaction}]}\n"

/* Steps too long at first, and steps that all are solved. */
static void cut_back(void **state) {
  (void)state;
  char *folder = scratch_create();
  double steady[4], cut[4];
  runs(folder, PRESSED("{end: 1, step: 0.1}"));
  row_at(folder, 1, 4, steady);
  runs(folder, PRESSED("{end: 1, step: 1, adaptive: {min: 1e-3, max: 1}}"));
  assert_true(scratch_reported(folder, "failed") > 0); /* in the first load step */
  row_at(folder, 1, 4, cut);
  assert_relative(cut[0], steady[0], 1e-4); /* a pressure, of which forces hardly tell */
  for (int k = 1; k < 4; ++k) assert_within(cut[k], steady[k], 1e-6 * fabs(steady[1]));
  scratch_remove(&folder);
}

#define LINEAR "version: 1\nphysics: elasticity\nformulation: mean-dilatation\n"

/* Turns of conjugate gradients under small strains; value: a displacement, a stress and a force. `three`: in space. */
static double small_strain(const char *folder, const char *mesh, bool three, double poisson, const char *preconditioner,
                           double rtol, double value[3]) {
  char text[1024];
  snprintf(
      text, sizeof text,
      LINEAR "mesh: {%s}\nmodel: %s\nmaterials: [{on: body, type: isotropic, young: 3, poisson: %.9g}]\nboundary:\n"
             "- {on: x0, fix: all}\n- {on: x1, fix: {x: -0.1, y: 0.02}}\nsolver: {preconditioner: %s, rtol: %g}\n"
             "output: {probes: [{name: u, at: [0.4, 0.3%s], field: displacement-y}, {name: s, at: [0.4, 0.3%s], "
             "field: stress-xx}], sums: [{name: f, on: x1, field: reaction}]}\n",
      mesh, three ? "3d" : "plane-strain", poisson, preconditioner, rtol, three ? ", 0.3" : "", three ? ", 0.3" : "");
  runs(folder, text);
  assert_true(scratch_reported(folder, "true_residual") <= rtol);
  row_at(folder, 0, 3, value);
  return scratch_reported(folder, "iterations");
}

/* One linear system: the answer is that of a single solve with all of the bulk modulus, which preconditioners without
 * levels are left with, and turns do not grow with it. */
static void one_system(void **state) {
  (void)state;
  static const struct {
    const char *mesh;
    bool three;
  } of[] = {{"grid: [8, 8], size: [1, 1], element: quad4", false},
            {"grid: [6, 6], size: [1, 1], element: tri3, order: 2", false},
            {"grid: [5, 5], size: [1, 1], element: quad4, order: 2", false},
            {"grid: [6, 6, 6], size: [1, 1, 1], element: hex8", true},
            {"grid: [3, 3, 3], size: [1, 1, 1], element: tet4, order: 2", true},
            {"grid: [2, 2, 2], size: [1, 1, 1], element: hex8, order: 2", true}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
    double whole[3], turned[3], other[3];
    (void)small_strain(folder, of[k].mesh, of[k].three, 0.4999, "jacobi", 1e-12, whole);
    (void)small_strain(folder, of[k].mesh, of[k].three, 0.4999, "auto", 1e-11, turned);
    assert_relative(turned[0], whole[0], 1e-8);
    assert_relative(turned[1], whole[1], 1e-7); /* a pressure, of which the single solve loses digits */
    assert_relative(turned[2], whole[2], 1e-8);
    const double soft = small_strain(folder, of[k].mesh, of[k].three, 0.45, "amg", 1e-8, other);
    const double stiff = small_strain(folder, of[k].mesh, of[k].three, 0.49999, "amg", 1e-8, other);
    const double stiffest = small_strain(folder, of[k].mesh, of[k].three, 0.4999999, "amg", 1e-8, other);
    if (stiff > 5 * soft || stiffest > 1.2 * stiff + 2)
      fail_msg("%s: %g turns, %g at 0.45, %g at 0.4999999", of[k].mesh, stiff, soft, stiffest);
    printf("%s: %g turns at 0.45, %g at 0.49999, %g at 0.4999999\n", of[k].mesh, soft, stiff, stiffest);
  }
  scratch_remove(&folder);
}

/* A modulus that varies, springs, symmetry and a traction. */
static void one_system_of_all_kinds(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double value[2][3];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             LINEAR "mesh: {grid: [6, 4, 4], size: [2, 1, 1]}\nmodel: 3d\nmaterials:\n"
                    "- {on: body, type: isotropic, young: '1 + x^2', poisson: 0.4999, density: 1}\nboundary:\n"
                    "- {on: x0, fix: all}\n- {on: y0, spring: 0.5}\n- {on: x1, traction: [0.01, 0.02, 0]}\n"
                    "- {on: z0, symmetry: true}\n"
                    "solver: {preconditioner: %s, rtol: 1e-10}\n"
                    "output: {probes: [{name: u, at: [1.4, 0.3, 0.3], field: displacement-y}, {name: s, at: [0.5, "
                    "0.3, 0.3], field: stress-xx}], sums: [{name: f, on: x0, field: reaction}]}\n",
             k ? "amg" : "jacobi");
    runs(folder, text);
    row_at(folder, 0, 3, value[k]);
  }
  for (int k = 0; k < 3; ++k) assert_relative(value[1][k], value[0][k], 1e-7);
  scratch_remove(&folder);
}

/* Heat, whose strain nearly all changes volume: the answer of a single solve, loads are of the size of the bulk modulus. */
static void one_system_heated(void **state) {
  (void)state;
  static const char *const mesh[] = {"grid: [9, 9, 9], size: [1, 1, 1]",
                                     "grid: [4, 4, 4], size: [1, 1, 1], element: tet4, order: 2",
                                     "grid: [3, 3, 3], size: [1, 1, 1], order: 2"};
  static const char *const solver[] = {"{preconditioner: jacobi, rtol: 1e-13}", "{preconditioner: pmg, rtol: 1e-12}",
                                       "{preconditioner: pmg, rtol: 1e-8}"};
  char *folder = scratch_create(), text[2048];
  for (int m = 0; m < 3; ++m) {
    double value[3][3], turns = 0;
    for (int k = 0; k < 3; ++k) {
      snprintf(text, sizeof text,
               LINEAR
               "mesh: {%s}\nmodel: 3d\nmaterials: [{on: body, type: isotropic, young: 3, poisson: 0.4999, "
               "expansion: 1e-4}]\nthermal: {temperature: '20 + 10*x*y + 5*sin(4*x)'}\nboundary:\n"
               "- {on: x0, fix: all}\n- {on: x1, fix: all}\nsolver: %s\n"
               "output: {probes: [{name: u, at: [0.7, 0.9, 0.3], field: displacement-y}, {name: s, at: [0.4, 0.3, "
               "0.3], field: stress-xx}], sums: [{name: f, on: x0, field: reaction}]}\n",
               mesh[m], solver[k]);
      runs(folder, text);
      row_at(folder, 0, 3, value[k]);
      turns = scratch_reported(folder, "iterations");
    }
    for (int i = 0; i < 3; ++i) assert_relative(value[1][i], value[0][i], 1e-6);
    printf("%s, heated: %g turns\n", mesh[m], turns);
    assert_true(turns <= 90);
  }
  scratch_remove(&folder);
}

/* Supports enclose the body: its pressure is the bulk modulus times what they leave, and turns of it get nowhere. */
static void enclosed(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[3];
  runs(folder,
       LINEAR "mesh: {grid: [5, 5, 5], size: [1, 1, 1]}\nmodel: 3d\nmaterials:\n"
              "- {on: body, type: isotropic, young: 3, poisson: 0.4999}\nboundary:\n- {on: x0, fix: all}\n"
              "- {on: x1, fix: {x: -0.001}}\n- {on: y0, symmetry: true}\n- {on: y1, symmetry: true}\n"
              "- {on: z0, symmetry: true}\n- {on: z1, symmetry: true}\nsolver: {preconditioner: amg}\n"
              "output: {probes: [{name: u, at: [0.4, 0.3, 0.3], field: displacement-x}, {name: s, at: [0.5, 0.3, "
              "0.3], field: stress-xx}], sums: [{name: f, on: x0, field: reaction}]}\n");
  row_at(folder, 0, 3, value);
  printf("enclosed: %g turns\n", scratch_reported(folder, "iterations"));
  assert_true(scratch_reported(folder, "iterations") <= 60);                    /* what turns have found stays */
  const double closed = 3 * (1 - 0.4999) / (1.4999 * (1 - 2 * 0.4999)) * 0.001; /* (lambda + 2 mu) times the strain */
  assert_relative(value[0], -0.0004, 1e-5);
  assert_relative(value[1], -closed, 1e-5);
  assert_relative(value[2], closed, 1e-5);
  scratch_remove(&folder);
}

/* The same at finite strain, with levels and without, against displacements that are what they are here in any formulation: forces say
 * nothing of the pressure, and periodic faces enclose as supports do. */
static void enclosed_finite(void **state) {
  (void)state;
  static const char *const held[] = {
      "- {on: x0, fix: all}\n- {on: x1, fix: {x: '-0.002*t'}}\n- {on: [y0, y1, z0, z1], symmetry: true}\n",
      "- {on: x0, fix: all}\n- {on: x1, fix: {x: '-0.002*t', y: 0, z: 0}}\n- {on: y0, periodic: y1}\n- {on: z0, "
      "periodic: z1}\n"};
  static const char *const how[] = {"formulation: displacement\n", "solver: {preconditioner: amg}\n",
                                    "solver: {preconditioner: jacobi}\n"};
  char *folder = scratch_create(), text[2048];
  for (int h = 0; h < 2; ++h) {
    double value[3][2];
    for (int k = 0; k < 3; ++k) {
      snprintf(text, sizeof text,
               HEAD("{grid: [5, 5, 5], size: [1, 1, 1]}", "3d") "%smaterials: [{on: body, type: neo-hooke, young: 3, "
                                                                "poisson: 0.49999}]\nboundary:\n%stime: {end: 1, step: "
                                                                "0.5}\noutput: {sums: [{name: f, on: x1, field: "
                                                                "reaction}]}\n",
               how[k], held[h]);
      runs(folder, text);
      row_at(folder, 0.5, 1, &value[k][0]);
      row_at(folder, 1, 1, &value[k][1]);
    }
    assert_true(value[0][0] < -49); /* the bulk modulus times 0.001 */
    for (int k = 1; k < 3; ++k)
      for (int i = 0; i < 2; ++i) assert_relative(value[k][i], value[0][i], 1e-6);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(takes_as_many_turns),
                                     cmocka_unit_test(has_levels),
                                     cmocka_unit_test(pulled),
                                     cmocka_unit_test(tube),
                                     cmocka_unit_test(cut_back),
                                     cmocka_unit_test(one_system),
                                     cmocka_unit_test(one_system_of_all_kinds),
                                     cmocka_unit_test(one_system_heated),
                                     cmocka_unit_test(enclosed),
                                     cmocka_unit_test(enclosed_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
