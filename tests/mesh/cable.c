/* Trees of lines: grown on surfaces by a seed, cut into pieces, and added to a mesh with ids and groups that stay right. */
#include "core/memory.h"
#include "mesh/make/cable.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Mesh *box(ElementKind kind) {
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = kind, .n = {5, 5, 5}, .size = {20, 20, 20}}, &mesh));
  return mesh;
}

static GrowParams params_of(const Mesh *mesh) {
  return (GrowParams){.surface = mesh_group_dim(mesh, "z1", 2),
                      .root = {1, 10, 20.1},
                      .direction = {1, 0, 0.3},
                      .length = 4,
                      .branch_length = 3,
                      .segment = 0.4,
                      .angle = 0.3,
                      .repulsion = 0.1,
                      .generations = 6,
                      .seed = 3};
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Nodes on the surface, segments of their length, no node of more than three lines, one more node than lines: a tree. */
static void look_at(const Cable *c) {
  int32_t degree[GROW_NODES] = {0}, ends = 0, forks = 0;
  assert_int_equal(c->n_node, c->n_line + 1);
  for (int32_t i = 0; i < c->n_line; ++i) {
    const double length = distance(c->x[c->line[i][0]], c->x[c->line[i][1]]);
    assert_true(length > 0.1 && length < 0.4 + 1e-9);
    ++degree[c->line[i][0]], ++degree[c->line[i][1]];
  }
  for (int32_t i = 0; i < c->n_node; ++i) {
    assert_within(c->x[i][2], 20, 1e-12);
    for (int k = 0; k < 2; ++k) assert_true(c->x[i][k] >= -1e-12 && c->x[i][k] <= 20 + 1e-12);
    assert_true(degree[i] >= 1 && degree[i] <= 3);
    ends += degree[i] == 1, forks += degree[i] == 3;
  }
  print_message("%d lines, %.4g mm, %d ends, %d forks\n", (int)c->n_line, cable_length(c), (int)ends, (int)forks);
  assert_int_equal(ends, forks + 2); /* the root is one of them */
  assert_true(forks > 10);
}

static void grows(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_HEX8, ELEMENT_TET4};
  Cable known = {0}, cable;
  for (int k = 0; k < 2; ++k) {
    Mesh *mesh = box(kinds[k]);
    GrowParams params = params_of(mesh);
    assert_ok(cable_grow(mesh, &params, &cable));
    look_at(&cable);
    if (k) { /* on a plane the elements do not matter, but for rounding */
      assert_int_equal(cable.n_node, known.n_node);
      for (int32_t i = 0; i < cable.n_node; ++i) assert_true(distance(cable.x[i], known.x[i]) < 1e-6);
      cable_release(&known);
    }
    known = cable;
    assert_ok(cable_grow(mesh, &params, &cable)); /* to the bit */
    assert_memory_equal(cable.x, known.x, (size_t)known.n_node * sizeof *known.x);
    cable_release(&cable);
    params.seed = 4;
    assert_ok(cable_grow(mesh, &params, &cable));
    look_at(&cable);
    assert_true(cable.n_node != known.n_node || memcmp(cable.x, known.x, (size_t)known.n_node * sizeof *known.x) != 0);
    cable_release(&cable);
    mesh_destroy(&mesh);
  }
  cable_release(&known);
}

/* Two branches of a straight tree: at the angle, and with none in their way as long as they should be. */
static void angles(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_HEX8);
  GrowParams params = params_of(mesh);
  Cable cable;
  params.generations = 1;
  params.repulsion = 0;
  assert_ok(cable_grow(mesh, &params, &cable));
  assert_true(cable.n_line > 10 + 2 * 5 && cable.n_line <= 10 + 2 * 9);
  assert_within(cable.x[10][0], 5, 1e-9);
  const double *a = cable.x[11], *fork = cable.x[10];
  assert_within(fabs(atan2(a[1] - fork[1], a[0] - fork[0])), 0.3, 1e-9);
  const double before = cable_length(&cable);
  const int32_t n = cable.n_line;
  assert_ok(cable_split(&cable, 0.15));
  assert_int_equal(cable.n_line, 3 * n);
  assert_int_equal(cable.n_node, 3 * n + 1);
  assert_within(cable_length(&cable), before, 1e-9);
  cable_release(&cable);
  mesh_destroy(&mesh);
}

/* Groups have the elements that they had, by tags, and fields their values. */
static void joins(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_TET4), *known = box(ELEMENT_TET4);
  GrowParams params = params_of(mesh);
  Cable cable;
  mem_alloc(1, sizeof *mesh->field, "a field", (void **)&mesh->field);
  mesh->n_field = 1;
  MeshField *field = mesh->field;
  field->n_component = 1;
  assert_ok(mem_alloc(2, 1, "a field", (void **)&field->name));
  assert_ok(mem_alloc(mesh->n_element, sizeof(double), "a field", (void **)&field->value));
  for (int32_t e = 0; e < mesh->n_element; ++e) field->value[e] = e;
  assert_ok(cable_grow(mesh, &params, &cable));
  for (int twice = 0; twice < 2; ++twice) assert_ok(mesh_attach(mesh, twice ? "two" : "one", &cable));
  assert_int_equal(mesh->n_cable, 2 * cable.n_line);
  assert_int_equal(mesh->n_node, known->n_node + 2 * cable.n_node);
  for (int32_t g = 0; g < known->n_group; ++g) {
    const Group *was = &known->group[g], *is = mesh_group_dim(mesh, was->name, was->dim);
    assert_int_equal(is->n, was->n);
    for (int32_t i = 0; i < was->n; ++i) {
      const int32_t e = is->element[i];
      assert_int_equal(mesh_block_of(mesh, e)->kind, mesh_block_of(known, was->element[i])->kind);
      assert_memory_equal(mesh_nodes_of(mesh, e), mesh_nodes_of(known, was->element[i]), 3 * sizeof(int32_t));
      assert_true(mesh->field[0].value[e] == was->element[i]);
    }
  }
  const Group *lines = mesh_group_dim(mesh, "two", 1), *root = mesh_group_dim(mesh, "two-root", 0);
  assert_int_equal(mesh->first_cable + mesh->n_cable, lines->element[lines->n - 1] + 1);
  assert_int_equal(mesh_nodes_of(mesh, root->element[0])[0], known->n_node + cable.n_node + cable.root);
  assert_true(isnan(mesh->field[0].value[lines->element[0]]));
  assert_non_null(mesh_group_dim(mesh, "one-ends", 0));
  assert_fails(mesh_attach(mesh, "two", &cable), ERR_MESH, "has a group 'two' already");
  assert_ok(mesh_check(mesh));
  cable_release(&cable);
  mesh_destroy(&mesh);
  mesh_destroy(&known);
}

/* Each allocation fails once; nothing is lost. */
static void without_memory(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_HEX8);
  GrowParams params = params_of(mesh);
  params.generations = 2;
  Cable cable;
  testing_fail_each_of(cable_grow(mesh, &params, &cable), cable_release(&cable));
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grows), cmocka_unit_test(angles), cmocka_unit_test(joins),
                                     cmocka_unit_test(without_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
