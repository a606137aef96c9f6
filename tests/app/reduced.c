/* Elements of the reduced rule with inertia: motion in time by the full mass, which damping by the stiffness needs too;
 * modes by the reduced mass, as CalculiX has them. */
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

/* A bar of 1 x 0.3 x 0.2 with the groups ALL, X0 and BODY. */
static int write_nodes(const int n[3], char *text) {
  int size = sprintf(text, "*NODE,NSET=ALL\n");
  for (int k = 0; k <= 2 * n[2]; ++k)
    for (int j = 0; j <= 2 * n[1]; ++j)
      for (int i = 0; i <= 2 * n[0]; ++i)
        if (i % 2 + j % 2 + k % 2 <= 1)
          size += sprintf(text + size, "%d,%.15g,%.15g,%.15g\n", node_of(n, (int[3]){i, j, k}), i / (2. * n[0]),
                          0.3 * j / (2 * n[1]), 0.2 * k / (2 * n[2]));
  size += sprintf(text + size, "*NSET,NSET=X0\n");
  for (int k = 0; k <= 2 * n[2]; ++k)
    for (int j = 0; j <= 2 * n[1]; ++j)
      if (j % 2 + k % 2 <= 1) size += sprintf(text + size, "%d,\n", node_of(n, (int[3]){0, j, k}));
  return size;
}

static void write_bar(const char *folder, const char *name, const char *type, const int n[3], const char *more) {
  static const int place[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                   {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                   {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
  static char text[MOST];
  int size = write_nodes(n, text);
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

/* *FREQUENCY of CalculiX 2.20 on the same mesh, to its 7 digits. */
static void modes_of_calculix(void **state) {
  (void)state;
  static const double eigenvalue[] = {2.693014, 5.614294, 48.25307, 79.00222, 128.6019, 167.1565};
  char *folder = scratch_create();
  write_bar(folder, "bar.inp", "C3D20R", (int[3]){4, 2, 2},
            "*MATERIAL,NAME=M\n*ELASTIC\n200.,0.3\n*DENSITY\n3.\n*SOLID SECTION,ELSET=BODY,MATERIAL=M\n"
            "*BOUNDARY\nX0,1,3\n*STEP\n*FREQUENCY\n6\n*END STEP\n");
  char results[512];
  snprintf(results, sizeof results, "%s/results", folder);
  Said said = app_says("run", scratch_path(folder, "bar.inp"), "--output", results, "--backend", app_backend(),
                       "--quiet", NULL);
  if (said.code) print_message("%s\n", said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
  char *text = scratch_read(folder, "results/modes.csv"), *line = text;
  for (int k = 0; k < 6; ++k) {
    double f;
    line = strchr(line, '\n') + 1;
    assert_int_equal(sscanf(line, "%*d,%lf", &f), 1);
    assert_relative(4 * M_PI * M_PI * f * f, eigenvalue[k], 3e-7);
  }
  free(text);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves_as_full), cmocka_unit_test(modes_of_calculix)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
