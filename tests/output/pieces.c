/* Linear pieces fill a cubic cell: as many as it has, all of one size and of the cell's orientation, no two alike,
 * every node in use. What ParaView makes of them is in paraview.c. */
#include "output/pieces.h"
#include "tests/testing.h"

static double size_of(const ElementType *type, const int32_t *node) {
  double e[3][3] = {{0}};
  for (int k = 0; k < type->dim; ++k)
    for (int c = 0; c < 3; ++c) e[k][c] = type->node[node[k + 1]][c] - type->node[node[0]][c];
  if (type->dim == 2) return e[0][0] * e[1][1] - e[0][1] * e[1][0];
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static void fill(const char *name, int n) {
  const ElementType *type = element_by_name(name);
  int32_t node[PIECES_MAX][PIECE_VERTICES];
  bool used[ELEMENT_MAX_NODES] = {0};
  assert_int_equal(pieces_count(type), n);
  pieces_nodes(type, node);
  uint32_t seen[PIECES_MAX];
  for (int p = 0; p < n; ++p) {
    assert_near(n * size_of(type, node[p]), 1, 1e-14);
    seen[p] = 0;
    for (int k = 0; k <= type->dim; ++k) used[node[p][k]] = true, seen[p] |= 1u << node[p][k];
    for (int q = 0; q < p; ++q) assert_true(seen[q] != seen[p]);
  }
  for (int a = 0; a < type->n_node; ++a) assert_true(used[a]);
}

static void cubic(void **state) {
  (void)state;
  fill("tri10", 9);
  fill("tet20", 27);
}

static void others_stay_whole(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type((ElementKind)kind);
    if (type->order < 3 || type->dim < 2) assert_int_equal(pieces_count(type), 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cubic), cmocka_unit_test(others_stay_whole)};
  return cmocka_run_group_tests_name("output/pieces", tests, NULL, NULL);
}
