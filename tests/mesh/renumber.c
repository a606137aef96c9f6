/* Orders of the nodes: what a permutation must not change, and what reverse Cuthill-McKee must make small. */
#include "mesh/order/renumber.h"
#include "tests/mesh/derived_mesh.h"

/* A permutation that scatters neighbours: i -> i * step mod n with a step prime to n. */
static int32_t *scattered(int32_t n) {
  int32_t *rank = testing_array(n, sizeof *rank);
  int32_t step = n / 2 + 1, a, b, rest;
  for (;; step++) {
    for (a = n, b = step; b != 0; rest = a % b, a = b, b = rest) continue;
    if (a == 1) break;
  }
  for (int64_t i = 0; i < n; i++) rank[i] = (int32_t)((i * step + 5) % n);
  return rank;
}

static void nothing_but_the_order_changes(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_decorated(type->kind, 2, 0.2), *moved = testing_decorated(type->kind, 2, 0.2);
    int32_t *rank = scattered(mesh->n_node);
    assert_ok(mesh_renumber(moved, rank));
    testing_check_mesh(moved);
    for (int32_t i = 0; i < mesh->n_node; i++) {
      assert_memory_equal(moved->x[rank[i]], mesh->x[i], sizeof mesh->x[i]);
      assert_int_equal(moved->node_tag[rank[i]], mesh->node_tag[i]);
      for (int32_t f = 0; f < mesh->n_field; f++) {
        const int n = mesh->field[f].n_component;
        if (!mesh->field[f].on_nodes) continue;
        assert_memory_equal(moved->field[f].value + rank[i] * n, mesh->field[f].value + i * n,
                            sizeof(double) * (size_t)n);
      }
    }
    for (int32_t e = 0; e < mesh->n_element; e++) {
      const int32_t *before = mesh_nodes_of(mesh, e), *after = mesh_nodes_of(moved, e);
      for (int a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_node; a++) {
        assert_int_equal(after[a], rank[before[a]]);
      }
    }
    int32_t *back = testing_array(mesh->n_node, sizeof *back);
    for (int32_t i = 0; i < mesh->n_node; i++) back[rank[i]] = i;
    assert_ok(mesh_renumber(moved, back));
    assert_true(mesh_hash(moved) == mesh_hash(mesh));
    FREE(rank);
    FREE(back);
    mesh_destroy(&mesh);
    mesh_destroy(&moved);
  }
}

static void no_permutation_is_a_bug(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_QUAD4, 2, 0.0);
  const uint64_t before = mesh_hash(mesh);
  int32_t rank[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10};
  assert_int_equal(mesh->n_node, 12);
  assert_fails(mesh_renumber(mesh, rank), ERR_BUG, "rank[11] = 10");
  rank[11] = 12;
  assert_fails(mesh_renumber(mesh, rank), ERR_BUG, "rank[11] = 12");
  rank[11] = -1;
  assert_fails(mesh_renumber(mesh, rank), ERR_BUG, "rank[11] = -1");
  mem_fail_nth(1);
  assert_int_equal(mesh_renumber(mesh, rank), ERR_MEMORY);
  mem_fail_nth(0);
  assert_true(mesh_hash(mesh) == before);
  mesh_destroy(&mesh);
}

static void bandwidth_of_a_long_strip(void **state) {
  (void)state;
  const BoxParams params = {.kind = ELEMENT_QUAD4, .n = {100, 4, 1}, .size = {100.0, 4.0, 1.0}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  int32_t *rank = scattered(mesh->n_node);
  assert_int_equal(mesh_bandwidth(mesh, NULL), 102); /* rows of 101 */
  assert_true(mesh_bandwidth(mesh, rank) > 102);
  assert_ok(mesh_renumber(mesh, rank));
  assert_ok(mesh_rcm(mesh, rank));
  assert_true(mesh_bandwidth(mesh, rank) <= 12); /* columns of 5: 6 is the least, levels are up to 9 wide */
  assert_ok(mesh_renumber(mesh, rank));
  assert_true(mesh_bandwidth(mesh, NULL) <= 12);
  FREE(rank);
  mesh_destroy(&mesh);
}

/* Several parts and nodes without elements get numbers too, each once. */
static void parts_and_lonely_nodes(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TRI3, 3, 0.0);
  const int32_t n = mesh->n_node + 3;
  assert_ok(mem_resize(n, sizeof *mesh->x, "x", (void **)&mesh->x));
  assert_ok(mem_resize(n, sizeof *mesh->node_tag, "tags", (void **)&mesh->node_tag));
  mesh->n_node = n;
  mesh->block[mesh->n_block - 1].n = 1; /* the rest hangs together by the edges at the sides only */
  int32_t *rank = testing_array(n, sizeof *rank);
  assert_ok(mesh_rcm(mesh, rank));
  assert_ok(mesh_renumber(mesh, rank)); /* refuses what is not a permutation */
  FREE(rank);
  mesh_destroy(&mesh);
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_TET4, 2, 0.0);
  int32_t *rank = testing_array(mesh->n_node, sizeof *rank);
  assert_int_equal(testing_fail_each_of(mesh_rcm(mesh, rank), (void)0), 8);
  FREE(rank);
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_but_the_order_changes), cmocka_unit_test(no_permutation_is_a_bug),
      cmocka_unit_test(bandwidth_of_a_long_strip),     cmocka_unit_test(parts_and_lonely_nodes),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
