/* Equations of nodes of a surface of contact: along it they change nothing of what the nodes bear, across it the nodes leave that to
 * their neighbours, which is told. */
#include "core/vec3.h"
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 65536, N_PROBE = 3 };

static const struct Blocks {
  ElementKind kind;
  int32_t order;
} blocks[] = {{ELEMENT_QUAD4, 1}, {ELEMENT_QUAD4, 2}, {ELEMENT_HEX8, 1}, {ELEMENT_TET4, 2}};

__attribute__((format(printf, 2, 3))) static void add(char text[TEXT], const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, TEXT - used, format, args);
  va_end(args);
}

static void add_vector(char text[TEXT], int32_t dim, const double x[3]) {
  for (int32_t d = 0; d < dim; ++d) add(text, "%s%.17g", d ? ", " : "", x[d]);
}

/* Along the axes first to last of the unturned blocks, node `node` goes with one that is held, but for a value. */
static void add_equations(char text[TEXT], const Mesh *mesh, double angle, const int32_t node, int32_t held,
                          const int32_t axis[2], double value) {
  static const char *const axes[] = {"x, y", "x, y, z"};
  for (int32_t a = axis[0]; a < axis[1]; ++a) {
    double t[3] = {a == 0, a == 1, a == 2}; /* the last is the normal */
    two_blocks_turn(angle, mesh->dim, t);
    add(text, "  - {nodes: [");
    for (int32_t k = 0; k < 2 * mesh->dim; ++k)
      add(text, "%s%lld", k ? ", " : "", (long long)mesh->node_tag[k < mesh->dim ? node : held]);
    add(text, "], components: [%s, %s], factors: [", axes[mesh->dim - 2], axes[mesh->dim - 2]);
    add_vector(text, mesh->dim, t);
    for (int32_t d = 0; d < mesh->dim; ++d) add(text, ", %.17g", -t[d]);
    add(text, "], value: %.17g}\n", value);
  }
}

static Mesh *begin(const char *folder, char text[TEXT], int k, double angle, const char *held) {
  const TwoBlocks q = {
      .kind = {blocks[k].kind, blocks[k].kind}, .n = {{3, 2, 1}, {2, 2, 2}}, .order = blocks[k].order, .angle = angle};
  Mesh *mesh = two_blocks(&q);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  *text = 0;
  add(text,
      "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nsolver: {rtol: 1e-12}\nmaterials: [{on: body, "
      "young: 1000, poisson: 0.3}]\nboundary: [{on: bottom, fix: all}, {on: top, pressure: 5}, {on: x1, pressure: "
      "3}%s]\ncontact: [{on: b, against: a}]\noutput: {probes: [",
      mesh->dim == 3 ? "3d" : "plane-strain", held);
  for (int p = 0; p < N_PROBE; ++p) {
    double x[3] = {0.25 * p + 0.1, mesh->dim == 3 ? 0.25 : 0, 0};
    two_blocks_turn(angle, mesh->dim, x);
    add(text, "%s{name: p%d, field: contact-pressure, at: [", p ? ", " : "", p);
    add_vector(text, mesh->dim, x);
    add(text, "]}");
  }
  add(text, "]}\n");
  return mesh;
}

/* What nodes of a are moved to by equations, and by supports. */
static const double MOVED[2] = {0.01, 0.02};
static const char MOVES[] = "\"t*(0.01 + 0.02*x)\"";

/* Equations of the first n_first nodes of a group with the first one of the bottom, along these axes of the unturned blocks. */
static void add_joined(char text[TEXT], const Mesh *mesh, double angle, const char *group, int32_t n_first,
                       const int32_t axis[2], bool moved) {
  static uint8_t done[4096];
  const Group *b = mesh_group(mesh, group);
  const int32_t held = mesh_nodes_of(mesh, mesh_group(mesh, "bottom")->element[0])[0];
  int32_t n = 0;
  assert_true(mesh->n_node <= 4096);
  memset(done, 0, sizeof done);
  add(text, "equations:\n");
  for (int32_t i = 0; i < b->n; ++i)
    for (int32_t k = 0; k < element_type(mesh_block_of(mesh, b->element[i])->kind)->n_node; ++k) {
      const int32_t node = mesh_nodes_of(mesh, b->element[i])[k];
      if (done[node] || n == n_first) continue;
      done[node] = 1, ++n;
      double x[3] = {1};
      two_blocks_turn(angle, mesh->dim, x);
      add_equations(text, mesh, angle, node, held, axis, moved ? MOVED[0] + MOVED[1] * vec3_dot(x, mesh->x[node]) : 0);
    }
}

/* All nodes of `on` are held along the surface: by supports, or by equations with a node that is held, in blocks that are turned. */
static void along_the_surface_they_bear(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  for (int k = 0; k < 4; ++k) {
    double v[2][1 + N_PROBE];
    for (int way = 0; way < 2; ++way) {
      Mesh *mesh = begin(folder, text, k, way ? 0.7 : 0,
                         way                               ? ""
                         : blocks[k].kind == ELEMENT_QUAD4 ? ", {on: b, fix: {x: 0}}"
                                                           : ", {on: b, fix: {x: 0, y: 0}}");
      if (way) add_joined(text, mesh, 0.7, "b", mesh->n_node, (int32_t[]){0, mesh->dim - 1}, false);
      mesh_destroy(&mesh);
      Said said = app_run_says(folder, text);
      if (said.code || strstr(said.err, "leave what they would bear")) fail_msg("%s\n%s", text, said.err);
      said_release(&said);
      scratch_last_row(folder, 1 + N_PROBE, v[way]);
    }
    for (int p = 1; p <= N_PROBE; ++p)
      if (!(fabs(v[1][p] - v[0][p]) <= 1e-8))
        fail_msg("blocks %d: pressure %d is %.12g, and %.12g", k, p, v[1][p], v[0][p]);
    assert_true(fabs(v[0][3] - v[0][1]) > 0.1);
  }
  scratch_remove(&folder);
}

/* Nodes of the other body are moved across the surface, unevenly: by supports, or by values of equations. */
static void values_move_the_other_body(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  for (int k = 0; k < 4; ++k) {
    double v[2][1 + N_PROBE];
    for (int way = 0; way < 2; ++way) {
      char held[96];
      snprintf(held, sizeof held, ", {on: top, spring: 10}, {on: a, fix: {%s: %s}}",
               blocks[k].kind == ELEMENT_QUAD4 ? "y" : "z", MOVES);
      Mesh *mesh = begin(folder, text, k, way ? 0.7 : 0, way ? ", {on: top, spring: 10}" : held);
      if (way) add_joined(text, mesh, 0.7, "a", mesh->n_node, (int32_t[]){mesh->dim - 1, mesh->dim}, true);
      mesh_destroy(&mesh);
      add(text, "time: {end: 1, step: 0.5}\n");
      app_runs(folder, text);
      scratch_last_row(folder, 1 + N_PROBE, v[way]);
    }
    for (int p = 1; p <= N_PROBE; ++p)
      if (!(fabs(v[1][p] - v[0][p]) <= 1e-7))
        fail_msg("blocks %d: pressure %d is %.12g, and %.12g", k, p, v[1][p], v[0][p]);
  }
  scratch_remove(&folder);
}

static void across_it_they_leave(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  Mesh *mesh = begin(folder, text, 0, 0.7, "");
  add_joined(text, mesh, 0.7, "b", 1, (int32_t[]){0, mesh->dim}, false);
  mesh_destroy(&mesh);
  Said said = app_run_says(folder, text);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.err, "1 nodes of 'b', the first at ("));
  assert_non_null(strstr(said.err, "leave what they would bear to those beside them, and may go into 'a'"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(along_the_surface_they_bear),
                                     cmocka_unit_test(values_move_the_other_body),
                                     cmocka_unit_test(across_it_they_leave)};
  return cmocka_run_group_tests_name("app/contact_equations", tests, NULL, NULL);
}
