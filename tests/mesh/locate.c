/* Finding points: in every kind of element, at nodes, on boundaries, outside with the distance, beside curves. */
#include "tests/mesh/derived_mesh.h"

static uint64_t random_state = 88172645463325252u;
static double uniform(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) / 9007199254740992.0;
}

static void random_xi(const ElementType *type, double xi[3]) {
  do {
    for (int k = 0; k < 3; k++) xi[k] = k >= type->dim ? 0.0 : 2.0 * uniform() - 1.0;
  } while (!shape_holds(type->shape, xi, 0.0));
}

static void place(const Mesh *mesh, int32_t e, const double xi[3], double x[3]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double N[ELEMENT_MAX_NODES];
  type->values(xi, N);
  memset(x, 0, 3 * sizeof *x);
  for (int a = 0; a < type->n_node; a++) {
    for (int k = 0; k < 3; k++) x[k] += N[a] * mesh->x[nodes[a]][k];
  }
}

/* Found: the element's map takes the reference coordinates back to the point. */
static void assert_found(const Mesh *mesh, const double x[3], Location *at) {
  double back[3];
  assert_ok(mesh_locate(mesh, x, at));
  assert_in_range(at->element, 0, mesh->n_element - 1);
  assert_true(at->distance == 0.0);
  assert_int_equal(element_type(mesh_block_of(mesh, at->element)->kind)->dim, mesh->dim);
  place(mesh, at->element, at->xi, back);
  for (int k = 0; k < 3; k++) assert_near(back[k], x[k], 3e-9);
}

static void bend(Mesh *mesh) {
  for (int32_t i = 0; i < mesh->n_node; i++) {
    const double x = mesh->x[i][0], y = mesh->x[i][1];
    mesh->x[i][0] = x + 0.05 * y * y;
    mesh->x[i][1] = y + 0.07 * x * x;
    if (mesh->dim == 3) mesh->x[i][2] -= 0.06 * x * y;
  }
}

static void inside_every_kind(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_decorated(type->kind, 3, 0.2);
    bend(mesh);
    const ElementBlock *block = &mesh->block[mesh->n_block - 1];
    for (int trial = 0; trial < 200; trial++) {
      const int32_t e = block->first + (int32_t)(uniform() * block->n);
      double xi[3], x[3];
      Location at;
      random_xi(type, xi);
      place(mesh, e, xi, x);
      assert_found(mesh, x, &at);
      assert_int_equal(at.element, e);
      assert_int_equal(at.node, -1);
      for (int k = 0; k < 3; k++) assert_near(at.xi[k], xi[k], 1e-8);
    }
    mesh_destroy(&mesh);
  }
}

static void nodes_are_found_as_nodes(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_decorated(type->kind, 2, 0.2);
    for (int32_t i = 0; i < mesh->n_node; i++) {
      double x[3] = {mesh->x[i][0], mesh->x[i][1], mesh->x[i][2]};
      Location at;
      x[i % 2] += 1.5e-9; /* the size is 3, so 3e-9 is near enough */
      assert_found(mesh, x, &at);
      assert_int_equal(at.node, i);
      const int32_t *nodes = mesh_nodes_of(mesh, at.element);
      int found = 0;
      for (int a = 0; a < type->n_node; a++) {
        if (nodes[a] != i) continue;
        found++;
        for (int k = 0; k < type->dim; k++) assert_near(at.xi[k], type->node[a][k], 0.0);
      }
      assert_int_equal(found, 1);
    }
    mesh_destroy(&mesh);
  }
}

/* On facets of the body, and a hair outside: still in. A little more: outside, by that distance. */
static void boundary_belongs_to_the_mesh(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_box(type->kind, 2, 0.2);
    for (int trial = 0; trial < 50; trial++) {
      double x[3] = {uniform(), 2.0 * uniform(), type->dim == 3 ? 3.0 * uniform() : 0.0};
      const int k = trial % type->dim;
      const double size[] = {1.0, 2.0, 3.0}, tolerance = 1e-9 * (type->dim == 3 ? 3.0 : 2.0);
      x[k] = trial % 4 < 2 ? 0.0 : size[k];
      Location at;
      assert_found(mesh, x, &at);
      x[k] += (trial % 4 < 2 ? -0.9 : 0.9) * tolerance;
      assert_found(mesh, x, &at);
      x[k] += (trial % 4 < 2 ? -1.0 : 1.0) * tolerance;
      assert_ok(mesh_locate(mesh, x, &at));
      assert_int_equal(at.element, -1);
      assert_within(at.distance / tolerance, 1.9, 1e-4);
    }
    mesh_destroy(&mesh);
  }
}

static void distance_of_points_outside(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_box(type->kind, 2, 0.2);
    const double size[] = {1.0, 2.0, type->dim == 3 ? 3.0 : 0.0};
    for (int trial = 0; trial < 60; trial++) {
      double x[3], square = 0.0;
      for (int k = 0; k < 3; k++) {
        x[k] = 6.0 * uniform() - 2.0;
        const double gap = fmax(fmax(-x[k], x[k] - size[k]), 0.0);
        square += gap * gap;
      }
      Location at;
      if (square == 0.0) continue;
      assert_ok(mesh_locate(mesh, x, &at));
      assert_int_equal(at.element, -1);
      assert_int_equal(at.node, -1);
      assert_near(at.distance, sqrt(square), 1e-12);
    }
    Location far;
    assert_ok(mesh_locate(mesh, (const double[3]){0.5, -1e308, 0}, &far));
    assert_int_equal(far.element, -1);
    assert_true(far.distance > 1e100 && isfinite(far.distance));
    mesh_destroy(&mesh);
  }
}

/* A quarter ring between radii 1 and 2 from a box, `cells` along the arc. */
static Mesh *quarter_ring(ElementKind kind, int cells) {
  const BoxParams params = {.kind = kind, .n = {2, cells, 1}, .size = {1.0, 1.0, 1.0}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  for (int32_t i = 0; i < mesh->n_node; i++) {
    const double r = 1.0 + mesh->x[i][0], angle = 0.5 * acos(-1.0) * mesh->x[i][1];
    mesh->x[i][0] = r * cos(angle);
    mesh->x[i][1] = r * sin(angle);
  }
  return mesh;
}

/* The middle of an arc is outside the chords, by the height of the arc; curved elements come much closer. */
static void middle_of_an_arc(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD4, ELEMENT_TRI6, ELEMENT_QUAD8, ELEMENT_QUAD9};
  for (int k = 0; k < 5; k++) {
    Mesh *mesh = quarter_ring(kinds[k], 4);
    const double angle = acos(-1.0) / 16.0, x[3] = {2.0 * cos(angle), 2.0 * sin(angle), 0.0};
    Location at;
    assert_ok(mesh_locate(mesh, x, &at));
    if (element_type(kinds[k])->order == 1) {
      assert_int_equal(at.element, -1);
      assert_near(at.distance, 2.0 - 2.0 * cos(angle), 1e-12);
    } else {
      assert_true(at.node >= 0);
    }
    const double half = angle / 2.0, quarter[3] = {2.01 * cos(half), 2.01 * sin(half), 0.0};
    assert_ok(mesh_locate(mesh, quarter, &at));
    assert_int_equal(at.element, -1);
    if (element_type(kinds[k])->order == 2) assert_within(at.distance, 0.01, 2e-4); /* of the arc: 0.01 +- its error */
    mesh_destroy(&mesh);
  }
}

static void wrong_points_and_meshes(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TRI3, 1, 0.0);
  Location at;
  assert_fails(mesh_locate(mesh, (const double[]){0.0, NAN, 0.0}, &at), ERR_INPUT, "not finite");
  assert_int_equal(at.element, -1);
  mesh->block[1].n = 0;
  assert_fails(mesh_locate(mesh, (const double[]){0.0, 0.0, 0.0}, &at), ERR_MESH, "no solved elements");
  mesh_destroy(&mesh);
}

static void takes_no_memory(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_HEX27, 1, 0.0);
  Location at;
  mem_fail_nth(1);
  assert_ok(mesh_locate(mesh, (const double[]){0.3, 0.4, 0.5}, &at));
  assert_int_equal(mem_count(), 0);
  mem_fail_nth(0);
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inside_every_kind),
      cmocka_unit_test(nodes_are_found_as_nodes),
      cmocka_unit_test(boundary_belongs_to_the_mesh),
      cmocka_unit_test(distance_of_points_outside),
      cmocka_unit_test(middle_of_an_arc),
      cmocka_unit_test(wrong_points_and_meshes),
      cmocka_unit_test(takes_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
