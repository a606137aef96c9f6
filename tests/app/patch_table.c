/* Patch tests of ties and of contact for each kind of element, on an interface that is flat, slopes by 30 degrees, is askew to all axes, and
 * is curved: largest errors of the stress beside it, as a table that docs/theory/mortar.md has too. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 65536, POINTS = 8 };

static const struct Kind {
  const char *name;
  ElementKind linear;
  int32_t order;
  bool reduced;
} kinds[] = {
    {"hex8", ELEMENT_HEX8, 1, false},      {"tet4", ELEMENT_TET4, 1, false},   {"wedge6", ELEMENT_WEDGE6, 1, false},
    {"hex20", ELEMENT_HEX8, 2, false},     {"hex20r", ELEMENT_HEX8, 2, true},  {"tet10", ELEMENT_TET4, 2, false},
    {"wedge15", ELEMENT_WEDGE6, 2, false}, {"quad4", ELEMENT_QUAD4, 1, false}, {"tri3", ELEMENT_TRI3, 1, false},
    {"quad8", ELEMENT_QUAD4, 2, false},    {"tri6", ELEMENT_TRI3, 2, false}};
enum { N_KIND = sizeof kinds / sizeof *kinds };

static const struct Shape {
  const char *name;
  double tilt, angle, bulge;
} shapes[] = {
    {"flat", 0, 0, 0}, {"30 degrees", 0.57735026918962576, 0, 0}, {"askew", 0.3, 0.7, 0}, {"curved", 0, 0, 0.05}};
enum { N_SHAPE = sizeof shapes / sizeof *shapes };

/* Of flat interfaces; of the curved one, which 3 and 4 facets to the side follow, by order, of ties and of contact. */
static const double FLAT = 1e-10, CURVED[2][2] = {{3e-3, 5e-3}, {1.5e-3, 1e-2}};

__attribute__((format(printf, 2, 3))) static void add(char text[TEXT], const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, TEXT - used, format, args);
  va_end(args);
}

/* Nodes in the middle of edges lie on the curve, too. */
static void curve(Mesh *mesh, double bulge) {
  for (int side = 0; side < 2; ++side) {
    const Group *g = mesh_group(mesh, side ? "b" : "a");
    for (int32_t i = 0; i < g->n; ++i)
      for (int32_t k = 0; k < element_type(mesh_block_of(mesh, g->element[i])->kind)->n_node; ++k) {
        double *x = mesh->x[mesh_nodes_of(mesh, g->element[i])[k]];
        x[mesh->dim - 1] = bulge * cos(3 * x[0]);
      }
  }
}

static int32_t write_mesh(const char *folder, const struct Kind *kind, const struct Shape *shape) {
  const TwoBlocks q = {.kind = {kind->linear, kind->linear},
                       .n = {{3, 3, 2}, {4, 4, 2}},
                       .order = kind->order,
                       .tilt = shape->tilt,
                       .angle = shape->angle,
                       .bulge = shape->bulge};
  Mesh *mesh = two_blocks(&q);
  const int32_t dim = mesh->dim;
  for (int32_t b = 0; b < mesh->n_block && kind->reduced; ++b)
    if (mesh->block[b].kind == ELEMENT_HEX20) mesh->block[b].kind = ELEMENT_HEX20R;
  if (shape->bulge > 0) curve(mesh, shape->bulge);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  return dim;
}

/* Under pressure 5 all around, between planes of symmetry, stresses are -5: the largest error over 5 at points on both sides. */
static double error_of(const char *folder, const struct Kind *kind, const struct Shape *shape, bool tied) {
  static const char *const component[2][6] = {{"xx", "yy", "xy"}, {"xx", "yy", "zz", "xy", "yz", "xz"}};
  static char text[TEXT];
  double v[1 + 6 * POINTS], most = 0;
  const int32_t dim = write_mesh(folder, kind, shape), n = 3 * (dim - 1);
  *text = 0;
  add(text,
      "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nformulation: displacement\nsolver: {rtol: "
      "1e-13}\n"
      "materials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: bottom, symmetry: true}, {on: x0, symmetry: "
      "true}, %s%s{on: outer, pressure: 5}]\n%soutput: {probes: [",
      dim == 3 ? "3d" : "plane-strain", dim == 3 ? "{on: y0, symmetry: true}, " : "",
      tied ? "{on: b, tie: a, reach: 0.1}, " : "", tied ? "" : "contact: [{on: b, against: a, interference: 0}]\n");
  for (int p = 0; p < POINTS; ++p)
    for (int c = 0; c < n; ++c) {
      double x[3] = {0.17 + 0.09 * p, 0.31 + 0.05 * p, 0};
      x[dim - 1] = (p % 2 ? 0.12 : -0.12) + 0.88 * shape->tilt * (x[0] - 0.5);
      two_blocks_turn(shape->angle, dim, x);
      add(text, "%s{name: p%d-%d, field: stress-%s, at: [%.17g, %.17g", p + c ? ", " : "", p, c, component[dim - 2][c],
          x[0], x[1]);
      add(text, dim == 3 ? ", %.17g]}" : "]}", x[2]);
    }
  add(text, "]}\n");
  app_runs(folder, text);
  scratch_last_row(folder, 1 + n * POINTS, v);
  for (int i = 0; i < n * POINTS; ++i) most = fmax(most, fabs(v[1 + i] + (i % n < dim ? 5 : 0)) / 5);
  return most;
}

static void constant_stress_passes(void **state) {
  (void)state;
  char *folder = scratch_create();
  print_message("| element | ");
  for (int s = 0; s < N_SHAPE; ++s) print_message("%s: tie | contact | ", shapes[s].name);
  for (int k = 0; k < N_KIND; ++k) {
    print_message("\n| `%s` | ", kinds[k].name);
    for (int s = 0; s < N_SHAPE; ++s)
      for (int way = 0; way < 2; ++way) {
        const double error = error_of(folder, &kinds[k], &shapes[s], way == 0);
        print_message("%.0e | ", error);
        if (!(error <= (shapes[s].bulge > 0 ? CURVED[kinds[k].order - 1][way] : FLAT)))
          fail_msg("%s, %s, %s: %.3g", kinds[k].name, shapes[s].name, way ? "contact" : "tie", error);
      }
  }
  print_message("\n");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constant_stress_passes)};
  return cmocka_run_group_tests_name("app/patch_table", tests, NULL, NULL);
}
