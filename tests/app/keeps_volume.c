/* Bodies that keep their volume nearly, by defaults, under small strains: elements do not lock, solvers converge, and answers
 * are those of closed forms or of better elements, in every analysis. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last row of a file of results, from column `first` on. */
static void last_row(const char *folder, const char *file, int first, int n, double *value) {
  char *rows = scratch_read(folder, file), *last = rows;
  for (char *at = strchr(rows, '\n'); at && at[1]; at = strchr(at + 1, '\n')) last = at + 1;
  for (int k = 0; k < first + n; ++k, last += *last == ',') {
    const double number = strtod(last, &last);
    if (k >= first) value[k - first] = number;
  }
  free(rows);
}

/* ---- a thick ring ---- */

enum { ACROSS = 6, AROUND = 8 };
typedef struct Kind {
  const char *name;
  int type, order, n; /* Gmsh's number, ..., nodes; of n = 6 two to a cell */
  double close;
} Kind;
static const Kind KINDS[] = {
    {"quad4", 3, 1, 4, 1e-2}, {"tri6", 9, 2, 6, 1e-3}, {"quad8", 16, 2, 8, 1e-3}, {"quad9", 10, 2, 9, 1e-3}};

static int cell(char *to, const Kind *kind, int *n, int i, int j) {
  static const int corner[9][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}, {1, 1}};
  static const int half[2][6] = {{0, 1, 2, 4, 5, 8}, {0, 2, 3, 8, 6, 7}};
  const int row = kind->order * ACROSS + 1, two = kind->n == 6;
  int used = 0;
  for (int part = 0; part <= two; ++part) {
    used += sprintf(to + used, "%d %d 2 1 1", ++*n, kind->type);
    for (int a = 0; a < kind->n; ++a) {
      const int *at = corner[two ? half[part][a] : a];
      used +=
          sprintf(to + used, " %d",
                  1 + kind->order * i + at[0] * kind->order / 2 + row * (kind->order * j + at[1] * kind->order / 2));
    }
    used += sprintf(to + used, "\n");
  }
  return used;
}

static void write_ring(const char *folder, const Kind *kind) {
  static char text[65536];
  const int order = kind->order, row = order * ACROSS + 1, rows = order * AROUND + 1, edge = order == 1 ? 1 : 8;
  int n = 0, used = sprintf(text,
                            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n2 1 \"body\"\n1 2 \"inner\"\n"
                            "1 3 \"bottom\"\n1 4 \"left\"\n$EndPhysicalNames\n$Nodes\n%d\n",
                            row * rows);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < row; ++i) {
      const double r = 1 + i / (double)(row - 1), a = acos(-1) / 2 * j / (rows - 1);
      used += sprintf(text + used, "%d %.17g %.17g 0\n", 1 + i + row * j, r * cos(a), r * sin(a));
    }
  used += sprintf(text + used, "$EndNodes\n$Elements\n%d\n",
                  ACROSS * AROUND * (kind->n == 6 ? 2 : 1) + AROUND + 2 * ACROSS);
  for (int j = 0; j < AROUND; ++j)
    for (int i = 0; i < ACROSS; ++i) used += cell(text + used, kind, &n, i, j);
  for (int k = 0; k < AROUND + 2 * ACROSS; ++k) {
    const bool inner = k < AROUND, left = k >= AROUND + ACROSS;
    const int step = inner ? row : 1,
              at = inner ? k * order * row : (k - AROUND - left * ACROSS) * order + left * row * (rows - 1);
    used += sprintf(text + used, "%d %d 2 %d %d %d %d", ++n, edge,
                    inner  ? 2
                    : left ? 4
                           : 3,
                    1, 1 + at, 1 + at + order * step);
    used += order == 1 ? sprintf(text + used, "\n") : sprintf(text + used, " %d\n", 1 + at + step);
  }
  sprintf(text + used, "$EndElements\n");
  scratch_write(folder, "ring.msh", text);
}

/* Radial displacement at the inner radius 1 of a ring to 2 under a pressure of 1, in plane strain, E = 1000. */
static double ring_of(double nu) { return (1 + nu) / 1000 / 3 * ((1 - 2 * nu) + 4); }

/* The ring in statics and as two load cases. */
static void ring(void **state) {
  (void)state;
  static const double poisson[] = {0.4915, 0.49973, 0.4999991};
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; ++k)
    for (int p = 0; p < 3; ++p)
      for (int cases = 0; cases < (p < 2 ? 2 : 1); ++cases) {
        double u[2];
        write_ring(folder, &KINDS[k]);
        snprintf(text, sizeof text,
                 "version: 1\nmesh: ring.msh\nphysics: elasticity\nmodel: plane-strain\n"
                 "materials: [{on: body, young: 1000, poisson: %.9g}]\n"
                 "boundary:\n- {on: bottom, symmetry: true}\n- {on: left, symmetry: true}\n%s"
                 "output: {probes: [{name: u, at: [1, 0], field: displacement-x}]}\n",
                 poisson[p],
                 cases ? "load-cases:\n- {name: a, boundary: [{on: inner, pressure: 3}]}\n"
                         "- {name: b, boundary: [{on: inner, pressure: 1}]}\n"
                       : "- {on: inner, pressure: 1}\n");
        app_runs(folder, text);
        last_row(folder, "results/probes.csv", 1, 1, u);
        if (!(fabs(u[0] - ring_of(poisson[p])) <= KINDS[k].close * ring_of(poisson[p])))
          fail_msg("%s, %g: %.9g for %.9g", KINDS[k].name, poisson[p], u[0], ring_of(poisson[p]));
        if (!cases && scratch_reported(folder, "iterations") > 300)
          fail_msg("%s, %g: %g iterations", KINDS[k].name, poisson[p], scratch_reported(folder, "iterations"));
      }
  scratch_remove(&folder);
}

/* ---- a block, clamped at one end ---- */

typedef struct Block {
  const char *name, *mesh, *model;
  double close; /* to the best one of its model, which comes first */
} Block;
static const Block BLOCKS[] = {
    {"hex27", "grid: [5, 3, 3], size: [2, 1, 1], order: 2", "3d", 0},
    {"hex8", "grid: [9, 5, 5], size: [2, 1, 1]", "3d", 0.05},
    {"hex8, refined", "grid: [3, 2, 2], size: [2, 1, 1], refine: 1", "3d", 0.25},
    {"tet10", "grid: [5, 3, 3], size: [2, 1, 1], element: tet4, order: 2", "3d", 0.035},
    {"tet20", "grid: [3, 2, 2], size: [2, 1, 1], element: tet4, order: 3", "3d", 0.05},
    {"quad9", "grid: [9, 5], size: [2, 1], order: 2", "plane-strain", 0},
    {"quad4", "grid: [13, 7], size: [2, 1]", "plane-strain", 0.03},
    {"tri6", "grid: [9, 5], size: [2, 1], element: tri3, order: 2", "plane-strain", 0.03},
    {"quad9 around", "grid: [5, 9], size: [1, 2], order: 2", "axisymmetric", 0},
    {"quad4 around", "grid: [7, 13], size: [1, 2]", "axisymmetric", 0.06},
    {"tri6 around", "grid: [5, 9], size: [1, 2], element: tri3, order: 2", "axisymmetric", 0.06}};

typedef struct Analysis {
  const char *name, *keys, *load; /* on the free end */
  const char *file;
  int column;
} Analysis;
static const Analysis ANALYSES[] = {
    {"static", "", "traction: [0, 0.01%s]", "results/probes.csv", 1},
    {"heated", "thermal: {temperature: 8*x*y + 3, reference: 1}\n", "traction: [0, 0.01%s]", "results/probes.csv", 1},
    {"modes", "analysis: {type: modal, modes: 3}\n", NULL, "results/modes.csv", 1},
    {"buckling", "analysis: {type: buckling, modes: 1}\n", "traction: [-0.01, 0%s]", "results/modes.csv", 1},
    {"vibration", "analysis: {type: harmonic, frequency: 0.03, damping: {loss-factor: 0.1}}\n", "traction: [0, 0.01%s]",
     "results/probes.csv", 1},
    {"by modes", "analysis: {type: harmonic, frequency: 0.03, method: modes, modes: 8, damping: {loss-factor: 0.1}}\n",
     "traction: [0, 0.01%s]", "results/probes.csv", 1},
    {"motion", "analysis: {type: transient}\ntime: {end: 4, step: 0.5}\n", "traction: [0, 0.01%s]",
     "results/probes.csv", 1}};

static double answer(const char *folder, const Block *b, const Analysis *a, double poisson) {
  const bool around = !strcmp(b->model, "axisymmetric"), space = !strcmp(b->model, "3d");
  char text[2048], load[128] = "";
  double value;
  if (a->load) {
    const int used = sprintf(load, "- {on: %s, ", around ? "y1" : "x1");
    const int more = sprintf(load + used, a->load, space ? ", 0.003" : "");
    strcpy(load + used + more, "}\n");
  }
  snprintf(text, sizeof text,
           "version: 1\nmesh: {%s}\nphysics: elasticity\nmodel: %s\nmaterials: [{on: body, young: 3, poisson: %.9g, "
           "density: 1%s}]\nboundary:\n- {on: %s, fix: all}\n%s%s%s",
           b->mesh, b->model, poisson, strstr(a->keys, "thermal") ? ", expansion: 2e-4" : "", around ? "y0" : "x0",
           load, a->keys,
           strstr(a->file, "modes") ? ""
           : around                 ? "output: {probes: [{name: u, at: [0.5, 2], field: displacement-y}]}\n"
           : space                  ? "output: {probes: [{name: u, at: [2, 0.5, 0.5], field: displacement-y}]}\n"
                                    : "output: {probes: [{name: u, at: [2, 0.5], field: displacement-y}]}\n");
  app_runs(folder, text);
  last_row(folder, a->file, a->column, 1, &value);
  return value;
}

static void analyses(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof ANALYSES / sizeof *ANALYSES; ++k) {
    double best = 0;
    for (size_t b = 0; b < sizeof BLOCKS / sizeof *BLOCKS; ++b) {
      if (!strcmp(BLOCKS[b].model, "axisymmetric") && !strcmp(ANALYSES[k].name, "buckling")) continue;
      const double value = answer(folder, &BLOCKS[b], &ANALYSES[k], 0.49987);
      if (BLOCKS[b].close == 0) best = value;
      printf("%s, %s: %.9g\n", ANALYSES[k].name, BLOCKS[b].name, value);
      if (!(fabs(value - best) <= BLOCKS[b].close * fabs(best)))
        fail_msg("%s, %s: %.9g for %.9g", ANALYSES[k].name, BLOCKS[b].name, value, best);
    }
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ring), cmocka_unit_test(analyses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
