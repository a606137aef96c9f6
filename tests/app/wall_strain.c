/* Strains in directions of the wall of a cavity, as fields: a thick cylinder of rubber under pressure against its closed form, and what is refused. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THROUGH = 4, AROUND = 12, LAYERS = 1, BYTES = 1 << 18 };
static const double INNER = 20, OUTER = 30, HEIGHT = 5, SHEAR = 4, PRESSURE = 0.4;

static int node(int i, int j, int k) { return 1 + (k * (AROUND + 1) + j) * (THROUGH + 1) + i; }

typedef struct Writer {
  char *text;
  int n, id;
} Writer;

static void quad(Writer *w, int group, const int at[4]) {
  w->n += snprintf(w->text + w->n, BYTES - (size_t)w->n, "%d 3 2 %d %d %d %d %d %d\n", ++w->id, group, group, at[0],
                   at[1], at[2], at[3]);
}

/* A quarter of a cylinder of hexahedra: endo, epi, x0, y0, z (both ends), wall. */
static char *cylinder_mesh(void) {
  Writer w = {malloc(BYTES), 0, 0};
  const int n_element = AROUND * THROUGH * LAYERS + 2 * AROUND * LAYERS + 2 * THROUGH * LAYERS + 2 * AROUND * THROUGH;
  w.n = snprintf(
      w.text, BYTES,
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n2 1 \"endo\"\n2 2 \"epi\"\n2 3 \"y0\"\n2 4 \"x0\"\n2 5 "
      "\"z\"\n3 6 \"wall\"\n$EndPhysicalNames\n$Nodes\n%d\n",
      (THROUGH + 1) * (AROUND + 1) * (LAYERS + 1));
  for (int k = 0; k <= LAYERS; ++k)
    for (int j = 0; j <= AROUND; ++j)
      for (int i = 0; i <= THROUGH; ++i) {
        const double r = INNER + (OUTER - INNER) * i / THROUGH, a = asin(1) * j / AROUND;
        w.n += snprintf(w.text + w.n, BYTES - (size_t)w.n, "%d %.17g %.17g %.17g\n", node(i, j, k),
                        j == AROUND ? 0 : r * cos(a), j == 0 ? 0 : r * sin(a), HEIGHT * k / LAYERS);
      }
  w.n += snprintf(w.text + w.n, BYTES - (size_t)w.n, "$EndNodes\n$Elements\n%d\n", n_element);
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < LAYERS; ++k)
      for (int j = 0; j < AROUND; ++j) {
        const int i = side * THROUGH;
        quad(&w, 1 + side, (int[]){node(i, j, k), node(i, j + 1, k), node(i, j + 1, k + 1), node(i, j, k + 1)});
      }
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < LAYERS; ++k)
      for (int i = 0; i < THROUGH; ++i) {
        const int j = side * AROUND;
        quad(&w, 3 + side, (int[]){node(i, j, k), node(i + 1, j, k), node(i + 1, j, k + 1), node(i, j, k + 1)});
      }
  for (int side = 0; side < 2; ++side)
    for (int j = 0; j < AROUND; ++j)
      for (int i = 0; i < THROUGH; ++i) {
        const int k = side * LAYERS;
        quad(&w, 5, (int[]){node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k)});
      }
  for (int k = 0; k < LAYERS; ++k)
    for (int j = 0; j < AROUND; ++j)
      for (int i = 0; i < THROUGH; ++i)
        w.n += snprintf(w.text + w.n, BYTES - (size_t)w.n, "%d 5 2 6 6 %d %d %d %d %d %d %d %d\n", ++w.id,
                        node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k), node(i, j, k + 1),
                        node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1));
  snprintf(w.text + w.n, BYTES - (size_t)w.n, "$EndElements\n");
  return w.text;
}

#define PROBES(name, x, y)                                                                                             \
  "{name: " name "c, at: [" x ", " y ", 0], field: strain-circumferential}, {name: " name "l, at: [" x ", " y          \
  ", 0], field: strain-longitudinal}, {name: " name "r, at: [" x ", " y ", 0], field: strain-radial}"
#define CYLINDER(wall, axis, fields)                                                                                   \
  "version: 1\nmesh: {file: cylinder.msh, order: 2}\nphysics: electromechanics\n"                                      \
  "muscle: [{on: wall, type: neo-hooke, shear: 4, bulk: 4e3}]\nboundary: [{on: [x0, y0, z], symmetry: true}]\n"        \
  "cavities: [{name: lv, on: endo, pressure: \"0.4*t\"" wall axis "}]\ntime: {end: 1, step: 0.5}\noutput: {" fields    \
  "every: 1, probes: [" PROBES("i", "20", "0") ", " PROBES("m", "0", "25") ", " PROBES("o", "30", "0") "]}\n"

/* The square of r is that of R and c, by p = mu (ln(B/A) - (ln(b2/a2) + c (1/b2 - 1/a2))/2). */
static double growth(void) {
  double low = 0, high = 1000;
  for (int k = 0; k < 200; ++k) {
    const double c = (low + high) / 2, a2 = INNER * INNER + c, b2 = OUTER * OUTER + c;
    const double p = SHEAR * (log(OUTER / INNER) - (log(b2 / a2) + c * (1 / b2 - 1 / a2)) / 2);
    if (p < PRESSURE) low = c;
    else high = c;
  }
  return low;
}

static void cylinder(void **state) {
  (void)state;
  static const double R[] = {20, 25, 30};
  char *folder = scratch_create(), *mesh = cylinder_mesh();
  scratch_write(folder, "cylinder.msh", mesh);
  const double c = growth();
  double value[10];
  assert_true(c > 50 && c < 400);
  app_runs(folder, CYLINDER(", wall: epi", "", "fields: [displacement, strain-radial, strain-circumferential], "));
  scratch_last_row(folder, 10, value);
  for (int k = 0; k < 3; ++k) {
    const double l2 = 1 + c / (R[k] * R[k]), around = (l2 - 1) / 2, across = (1 / l2 - 1) / 2;
    /* sides of 24 in a circle, and strains of nodes are means of elements: at the inside of one alone */
    assert_within(value[1 + 3 * k], around, 0.02 * around);
    assert_within(value[2 + 3 * k], 0, 1e-4 * around);
    assert_within(value[3 + 3 * k], across, 0.02 * around);
  }
  app_runs(folder, CYLINDER(", wall: {on: epi, axis: [1, 0, 0]}", "", ""));
  scratch_last_row(folder, 10, value);
  assert_within(value[1], 0, 1e-12); /* the axis goes across the wall there */
  assert_within(value[2], 0, 1e-12);
  const double l2 = 1 + c / (25 * 25); /* and around the circle at its top */
  assert_within(value[4], 0, 1e-4);
  assert_within(value[5], (l2 - 1) / 2, 0.02 * (l2 - 1) / 2);
  app_refuses(folder, CYLINDER("", "", ""), "no cavity says what its wall is", "wall: epi");
  free(mesh);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cylinder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
