/* Elements of the reduced rule with inertia: motion in time by the full mass, which damping by the stiffness needs too;
 * modes by the reduced mass, as CalculiX has them. And rubber pulled by its end, where their softness counts. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROBES = 5, MOST = 65536 };

/* The number of a node on the lattice of half elements, of which 20-node hexahedra have those with at most one odd
 * coordinate. */
static int node_of(const int n[3], const int at[3]) {
  int id = 0;
  for (int k = 0; k <= at[2]; ++k)
    for (int j = 0; j <= (k < at[2] ? 2 * n[1] : at[1]); ++j)
      for (int i = 0; i <= (k < at[2] || j < at[1] ? 2 * n[0] : at[0]); ++i) id += i % 2 + j % 2 + k % 2 <= 1;
  return id;
}

/* A bar of 1 x 0.3 x 0.2 with the groups ALL, X0 and BODY; twisted: its edges stay straight. */
static int write_nodes(const int n[3], double twist, char *text) {
  int size = sprintf(text, "*NODE,NSET=ALL\n");
  for (int k = 0; k <= 2 * n[2]; ++k)
    for (int j = 0; j <= 2 * n[1]; ++j)
      for (int i = 0; i <= 2 * n[0]; ++i)
        if (i % 2 + j % 2 + k % 2 <= 1) {
          const double x = i / (2. * n[0]), y = 0.3 * j / (2 * n[1]), z = 0.2 * k / (2 * n[2]);
          size += sprintf(text + size, "%d,%.15g,%.15g,%.15g\n", node_of(n, (int[3]){i, j, k}), x + 3 * twist * y * z,
                          y * (1 + twist * x), z * (1 - twist * x) + twist * x * y);
        }
  size += sprintf(text + size, "*NSET,NSET=X0\n");
  for (int k = 0; k <= 2 * n[2]; ++k)
    for (int j = 0; j <= 2 * n[1]; ++j)
      if (j % 2 + k % 2 <= 1) size += sprintf(text + size, "%d,\n", node_of(n, (int[3]){0, j, k}));
  return size;
}

static void write_twisted(const char *folder, const char *name, const char *type, const int n[3], double twist,
                          const char *more) {
  static const int place[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                   {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                   {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
  static char text[MOST];
  int size = write_nodes(n, twist, text);
  size += sprintf(text + size, "*ELEMENT,TYPE=%s,ELSET=BODY\n", type);
  for (int e = 0; e < n[0] * n[1] * n[2]; ++e) {
    const int at[3] = {2 * (e % n[0]), 2 * (e / n[0] % n[1]), 2 * (e / n[0] / n[1])};
    size += sprintf(text + size, "%d", e + 1);
    for (int a = 0; a < 20; ++a) {
      const int here[3] = {at[0] + place[a][0], at[1] + place[a][1], at[2] + place[a][2]};
      size += sprintf(text + size, ",%s%d", a == 15 ? "\n" : "", node_of(n, here));
    }
    size += sprintf(text + size, "\n");
  }
  size += sprintf(text + size, "%s", more);
  assert_true(size < MOST);
  scratch_write(folder, name, text);
}

static void write_bar(const char *folder, const char *name, const char *type, const int n[3], const char *more) {
  write_twisted(folder, name, type, n, 0, more);
}

static void last_row(const char *folder, double value[PROBES]) {
  char *text = scratch_read(folder, "results/probes.csv");
  text[strlen(text) - 1] = 0;
  char *at = strrchr(text, '\n');
  for (int i = 0; i < PROBES; ++i) {
    at = strchr(at, ',') + 1;
    assert_int_equal(sscanf(at, "%lf", &value[i]), 1);
  }
  free(text);
}

/* What moves along x alone is integrated exactly by both rules of the stiffness, so the masses must be equal too. */
static void moves_as_full(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[2][PROBES];
  for (int reduced = 0; reduced < 2; ++reduced) {
    write_bar(folder, "bar.inp", reduced ? "C3D20R" : "C3D20", (int[3]){3, 1, 1}, "");
    app_runs(folder,
             "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: bar.inp\nsolver: {rtol: 1e-12}\n"
             "analysis: {type: transient, damping: {alpha: 0.1, beta: 1e-3}}\ntime: {end: 0.4, step: 0.01}\n"
             "materials: [{on: BODY, young: 200, poisson: 0, density: 3}]\n"
             "boundary: [{on: X0, fix: {x: 0}}, {on: ALL, fix: {y: 0, z: 0}}]\n"
             "initial: {velocity: [\"x\", 0, 0]}\n"
             "output: {every: 0.1, probes: [{name: a, at: [1, 0.3, 0.2], field: displacement-x}, "
             "{name: b, at: [0.5, 0, 0], field: displacement-x}, {name: c, at: [1, 0.15, 0], field: velocity-x}, "
             "{name: d, at: [1, 0.15, 0], field: acceleration-x}, {name: e, at: [0.7, 0.1, 0.1], field: "
             "acceleration-x}]}\n");
    last_row(folder, value[reduced]);
  }
  for (int i = 0; i < PROBES; ++i) assert_relative(value[1][i], value[0][i], 1e-8);
  scratch_remove(&folder);
}

enum { MODES = 6 };

static const char *const STEEL =
    "*MATERIAL,NAME=M\n*ELASTIC\n200.,0.3\n*DENSITY\n3.\n*SOLID SECTION,ELSET=BODY,MATERIAL=M\n";

/* The deck's modes are those of CalculiX 2.20 on the same mesh, to its 7 digits. */
static void has_modes(const char *folder, const char *deck, int n, const double eigenvalue[MODES]) {
  char results[512];
  snprintf(results, sizeof results, "%s/results", folder);
  Said said = app_says("run", scratch_path(folder, deck), "--output", results, "--overwrite", "--backend",
                       app_backend(), "--quiet", NULL);
  if (said.code) print_message("%s\n", said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
  char *text = scratch_read(folder, "results/modes.csv"), *line = text;
  for (int k = 0; k < n; ++k) {
    double f;
    line = strchr(line, '\n') + 1;
    assert_int_equal(sscanf(line, "%*d,%lf", &f), 1);
    assert_relative(4 * M_PI * M_PI * f * f, eigenvalue[k], 3e-7);
  }
  free(text);
}

static void modes_of_calculix(void **state) {
  (void)state;
  static const double eigenvalue[MODES] = {2.693014, 5.614294, 48.25307, 79.00222, 128.6019, 167.1565};
  char *folder = scratch_create(), more[400];
  snprintf(more, sizeof more, "%s*BOUNDARY\nX0,1,3\n*STEP\n*FREQUENCY\n6\n*END STEP\n", STEEL);
  write_bar(folder, "bar.inp", "C3D20R", (int[3]){4, 2, 2}, more);
  has_modes(folder, "bar.inp", 6, eigenvalue);
  scratch_remove(&folder);
}

/* A row of single elements, twisted, held and free: soft inside of each element, where the mass is as small. */
static void row_of_elements(void **state) {
  (void)state;
  static const double held[MODES] = {2.543644, 3.639090, 8.612351, 50.98335, 77.81828},
                      loose[MODES] = {0.02416668, 39.77326, 44.94838, 216.1617, 262.9971};
  char *folder = scratch_create(), more[400];
  for (int fixed = 0; fixed < 2; ++fixed) {
    snprintf(more, sizeof more, "%s%s*STEP\n*FREQUENCY\n5\n*END STEP\n", STEEL, fixed ? "*BOUNDARY\nX0,1,3\n" : "");
    write_twisted(folder, "row.inp", "C3D20R", (int[3]){5, 1, 1}, 0.6, more);
    has_modes(folder, "row.inp", 5, fixed ? held : loose);
  }
  scratch_remove(&folder);
}

/* A bar of rubber that a pressure pulls by an end whose rim is free, in one step: the closed form of a uniform state. The
 * tangent is not symmetric, and iterations that solve its symmetric part to a few digits lead nowhere. */
static void pulled(void **state) {
  (void)state;
  if (strcmp(app_backend(), "cpu")) skip(); /* a direct solver, which needs the CPU */
  static const int n[3] = {8, 2, 2};
  char *folder = scratch_create(), more[1000];
  double value[PROBES];
  int size = snprintf(more, sizeof more, "*NSET,NSET=ORIGIN\n1\n*NSET,NSET=BESIDE\n%d\n*SURFACE,NAME=END\n",
                      node_of(n, (int[3]){0, 4, 0}));
  for (int e = 1; e <= 4; ++e) size += snprintf(more + size, sizeof more - (size_t)size, "%d,S4\n", 8 * e);
  write_bar(folder, "bar.inp", "C3D20R", n, more);
  app_runs(folder,
           "version: 1\nphysics: elasticity\nmodel: 3d\nstrain: finite\nmesh: bar.inp\n"
           "materials: [{on: BODY, type: neo-hooke, shear: 3.8501, bulk: 76.92307692307692, volumetric: "
           "quadratic}]\n"
           "boundary: [{on: X0, fix: {x: 0}}, {on: ORIGIN, fix: {y: 0, z: 0}}, {on: BESIDE, fix: {z: 0}}, {on: "
           "END, pressure: -2}]\ntime: {end: 1, step: 1}\n"
           "output: {probes: [{name: a, at: [1, 0.3, 0.2], field: displacement-x}, {name: b, at: [1, 0.3, 0.2], "
           "field: displacement-y}, {name: c, at: [1, 0.3, 0.2], field: displacement-z}, {name: d, at: [1, 0, "
           "0], field: displacement-x}, {name: e, at: [0.5, 0.3, 0], field: displacement-y}]}\n");
  last_row(folder, value);
  assert_relative(value[0], 1.4124804 / 8, 1e-6);
  assert_relative(value[1], -0.0740942 * 0.3, 1e-5);
  assert_relative(value[2], -0.0740942 * 0.2, 1e-5);
  assert_relative(value[3], 1.4124804 / 8, 1e-6);
  assert_relative(value[4], -0.0740942 * 0.3, 1e-5);
  char *report = scratch_read(folder, "results/report.json");
  assert_non_null(strstr(report, "\"preconditioner\": \"direct\""));
  free(report);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves_as_full), cmocka_unit_test(modes_of_calculix),
                                     cmocka_unit_test(row_of_elements), cmocka_unit_test(pulled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
