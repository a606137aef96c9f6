/* Linear to quadratic: straight mid-nodes shared by all dimensions, tags, groups and fields carried. */
#include "tests/mesh/derived_mesh.h"

static void check_elevated(const Mesh *old, const Mesh *mesh, int order, bool serendipity) {
  testing_check_mesh(mesh);
  assert_int_equal(mesh->n_block, old->n_block);
  assert_int_equal(mesh->n_element, old->n_element);
  for (int32_t b = 0; b < old->n_block; b++) {
    const ElementType *from = element_type(old->block[b].kind), *to = element_type(mesh->block[b].kind);
    assert_ptr_equal(to, from->dim == 0 ? from : element_of_order(from->kind, order, serendipity));
    assert_int_equal(mesh->block[b].n, old->block[b].n);
    for (int32_t i = 0; i < old->block[b].n; i++) {
      const int32_t *low = old->block[b].nodes + (int64_t)i * from->n_node;
      const int32_t *high = mesh->block[b].nodes + (int64_t)i * to->n_node;
      assert_int_equal(mesh->block[b].tag[i], old->block[b].tag[i]);
      for (int a = 0; a < to->n_node; a++) { /* straight: where the linear element has that point */
        double N[ELEMENT_MAX_NODES], x[3] = {0};
        from->values(to->node[a], N);
        for (int v = 0; v < from->n_node; v++) {
          for (int k = 0; k < 3; k++) x[k] += N[v] * old->x[low[v]][k];
        }
        for (int k = 0; k < 3; k++) assert_near(mesh->x[high[a]][k], x[k], 1e-15);
        if (a < from->n_node) assert_int_equal(high[a], low[a]);
      }
    }
  }
  for (int32_t g = 0; g < old->n_group; g++) {
    assert_string_equal(mesh->group[g].name, old->group[g].name);
    assert_int_equal(mesh->group[g].n, old->group[g].n);
    for (int32_t i = 0; i < old->group[g].n; i++) assert_int_equal(mesh->group[g].element[i], old->group[g].element[i]);
  }
  const MeshField *linear = mesh_field(mesh, "linear", true), *parent = mesh_field(mesh, "parent", false);
  for (int32_t i = 0; i < mesh->n_node; i++) {
    assert_near(linear->value[i], 1.0 + 2.0 * mesh->x[i][0] - 3.0 * mesh->x[i][1] + mesh->x[i][2], 1e-13);
  }
  for (int32_t e = 0; e < mesh->n_element; e++) assert_true(parent->value[e] == e);
}

static void every_linear_kind(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    for (int serendipity = 0; serendipity < 2 && type->order == 1; serendipity++) {
      Mesh *mesh = testing_decorated(type->kind, 2, 0.2), *curved = NULL, *same = NULL;
      assert_ok(mesh_elevate(mesh, serendipity, &curved));
      const bool bare = type->shape == SHAPE_WEDGE || type->shape == SHAPE_PYRAMID; /* kinds of their faces too */
      check_elevated(mesh, curved, 2, serendipity || bare);
      assert_ok(mesh_elevate(curved, !serendipity, &same)); /* already quadratic: a copy */
      assert_true(mesh_hash(same) == mesh_hash(curved));
      mesh_destroy(&mesh);
      mesh_destroy(&curved);
      mesh_destroy(&same);
    }
  }
}

static void cubic(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    if (type->order != 1) continue;
    Mesh *mesh = testing_decorated(type->kind, 2, 0.2), *curved = NULL;
    if (element_of_order(type->kind, 3, false)) {
      assert_ok(mesh_elevate_to(mesh, 3, false, &curved));
      check_elevated(mesh, curved, 3, false);
    } else {
      assert_fails(mesh_elevate_to(mesh, 3, false, &curved), ERR_MESH, "no elements of order 3");
      assert_null(curved);
    }
    mesh_destroy(&mesh);
    mesh_destroy(&curved);
  }
}

/* One edge shared by a triangle and a square gets one mid-node. */
static void kinds_side_by_side(void **state) {
  (void)state;
  const double x[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0.5, 0}};
  Mesh *mesh = testing_array(1, sizeof *mesh), *curved = NULL;
  mesh->n_node = 5;
  mesh->dim = 2;
  mesh->x = testing_array(5, sizeof *mesh->x);
  memcpy(mesh->x, x, sizeof x);
  mesh->node_tag = testing_array(5, sizeof(int64_t));
  mesh->block = testing_array(2, sizeof *mesh->block);
  mesh->block[0] = testing_block(ELEMENT_TRI3, 1, 0, (const int32_t[]){1, 4, 2});
  mesh->block[1] = testing_block(ELEMENT_QUAD4, 1, 1, (const int32_t[]){0, 1, 2, 3});
  mesh->n_block = mesh->n_element = 2;
  assert_ok(mesh_elevate(mesh, false, &curved));
  assert_int_equal(curved->n_node, 5 + 6 + 1);
  assert_int_equal(curved->block[0].nodes[5], curved->block[1].nodes[5]);
  mesh_destroy(&curved);
  mesh->block[0].kind = ELEMENT_LINE3; /* quadratic beside linear */
  assert_fails(mesh_elevate(mesh, false, &curved), ERR_MESH, "mixes quad4 and line3");
  assert_null(curved);
  mesh_destroy(&mesh);
}

static Status make(void *context, Mesh **out) { return mesh_elevate(context, true, out); }

static void every_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = testing_decorated(ELEMENT_HEX8, 2, 0.1);
  testing_fail_allocations(make, mesh);
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_linear_kind),
      cmocka_unit_test(cubic),
      cmocka_unit_test(kinds_side_by_side),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
