/* Generated boxes: counts, measures, orientation of the sides, distortion, limits. */
#include "tests/mesh/derived_mesh.h"

static void sizes_and_groups(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    for (int distorted = 0; distorted < 2; distorted++) {
      const BoxParams params = {
          .kind = type->kind, .n = {3, 2, 4}, .size = {1.0, 2.0, 3.0}, .distort = distorted ? 0.3 : 0.0};
      Mesh *mesh = NULL;
      assert_ok(mesh_box(&params, &mesh));
      testing_check_mesh(mesh);
      const bool flat = type->dim == 2;
      assert_int_equal(mesh->dim, type->dim);
      assert_int_equal(mesh->block[mesh->n_block - 1].kind, type->kind);
      const int cells = flat ? 6 : 24;
      const int pieces = type->shape == SHAPE_TRIANGLE      ? 2
                         : type->shape == SHAPE_TETRAHEDRON ? 6
                         : type->shape == SHAPE_WEDGE       ? 2
                         : type->shape == SHAPE_PYRAMID     ? 3
                                                            : 1;
      assert_int_equal(mesh_group(mesh, "body")->n, cells * pieces);
      assert_int_equal(mesh->n_group, 1 + 2 * type->dim);
      assert_near(testing_measure(mesh, "body"), flat ? 2.0 : 6.0, 1e-13);
      assert_near(testing_measure(mesh, "x0"), flat ? 2.0 : 6.0, 1e-13);
      assert_near(testing_measure(mesh, "x1"), flat ? 2.0 : 6.0, 1e-13);
      assert_near(testing_measure(mesh, "y0"), flat ? 1.0 : 3.0, 1e-13);
      assert_near(testing_measure(mesh, "y1"), flat ? 1.0 : 3.0, 1e-13);
      if (!flat) assert_near(testing_measure(mesh, "z0"), 2.0, 1e-13);
      if (!flat) assert_near(testing_measure(mesh, "z1"), 2.0, 1e-13);
      assert_true(testing_worst_jacobian(mesh) > 0.0);
      for (int32_t i = 0; i < mesh->n_node; i++) assert_int_equal(mesh->node_tag[i], i + 1);
      mesh_destroy(&mesh);
    }
  }
}

/* Node counts of the lattices: (n + 1) per direction, (2 n + 1) when quadratic, without the centres when serendipity.
 */
static void node_counts(void **state) {
  (void)state;
  const struct {
    const char *name;
    int n_node;
  } wanted[] = {{"tri3", 12}, {"quad4", 12}, {"tri6", 35},   {"quad9", 35},  {"quad8", 29},
                {"tet4", 60}, {"hex8", 60},  {"tet10", 315}, {"hex27", 315}, {"hex20", 193}};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    const BoxParams params = {.kind = element_by_name(wanted[i].name)->kind, .n = {3, 2, 4}, .size = {1, 1, 1}};
    Mesh *mesh = NULL;
    assert_ok(mesh_box(&params, &mesh));
    assert_int_equal(mesh->n_node, wanted[i].n_node);
    mesh_destroy(&mesh);
  }
}

/* Facets of side s lie on it and their normals point out of the box. */
static void sides_point_outward(void **state) {
  (void)state;
  static const char *const side[] = {"x0", "x1", "y0", "y1", "z0", "z1"};
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_box(type->kind, 2, 0.2);
    for (int s = 0; s < 2 * type->dim; s++) {
      const Group *group = mesh_group(mesh, side[s]);
      const double size[] = {1.0, 2.0, 3.0}, at = s % 2 ? size[s / 2] : 0.0;
      for (int32_t i = 0; i < group->n; i++) {
        const ElementType *facet = element_type(mesh_block_of(mesh, group->element[i])->kind);
        const int32_t *nodes = mesh_nodes_of(mesh, group->element[i]);
        double x[ELEMENT_MAX_NODES][3], J[3][3], normal[3];
        for (int a = 0; a < facet->n_node; a++) {
          memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
          assert_near(x[a][s / 2], at, 1e-15);
        }
        element_jacobian(facet, (const double(*)[3])x,
                         facet->dim == 1 ? (const double[]){0, 0, 0} : (const double[]){.3, .3, 0}, J, false);
        if (facet->dim == 1) {
          normal[0] = J[1][0], normal[1] = -J[0][0], normal[2] = 0.0;
        } else {
          for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] = J[u][0] * J[v][1] - J[v][0] * J[u][1];
          }
        }
        assert_true((s % 2 ? 1.0 : -1.0) * normal[s / 2] > 0.0);
      }
    }
    mesh_destroy(&mesh);
  }
}

static void distortion_moves_inner_nodes_only(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *straight = testing_box(type->kind, 3, 0.0), *moved = testing_box(type->kind, 3, 0.25);
    Mesh *again = testing_box(type->kind, 3, 0.25);
    const double size[] = {1.0, 2.0, 3.0}, cell[] = {1.0 / 3.0, 0.5, 1.0};
    bool any = false;
    assert_true(mesh_hash(moved) == mesh_hash(again));
    assert_true(mesh_hash(moved) != mesh_hash(straight));
    for (int32_t i = 0; i < straight->n_node; i++) {
      for (int k = 0; k < 3; k++) {
        const double gap = fabs(moved->x[i][k] - straight->x[i][k]);
        const double at = straight->x[i][k];
        if (k >= type->dim || at == 0.0 || at == size[k]) assert_true(gap == 0.0);
        if (k < type->dim) assert_true(gap <= 0.25 * cell[k]);
        any = any || gap > 0.0;
      }
    }
    assert_true(any);
    mesh_destroy(&straight);
    mesh_destroy(&moved);
    mesh_destroy(&again);
  }
}

/* The worst distortion that is allowed leaves every element the right way round. */
static void strongest_distortion_is_valid(void **state) {
  (void)state;
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    const ElementType *type = element_type((ElementKind)k);
    if (type->dim < 2 || type->order > 1) continue;
    const BoxParams params = {.kind = type->kind, .n = {20, 21, 22}, .size = {20, 21, 22}, .distort = 0.3};
    Mesh *mesh = NULL;
    assert_ok(mesh_box(&params, &mesh));
    assert_true(testing_worst_jacobian(mesh) > 0.0);
    mesh_destroy(&mesh);
  }
}

static void wrong_parameters(void **state) {
  (void)state;
  Mesh *mesh = NULL;
  const BoxParams good = {.kind = ELEMENT_HEX8, .n = {2, 2, 2}, .size = {1, 1, 1}};
  BoxParams bad = good;
  bad.n[1] = 0;
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "0 cells in direction y");
  bad = good;
  bad.size[2] = -1.0;
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "size -1 in direction z");
  bad.size[2] = NAN;
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "direction z");
  bad = good;
  bad.distort = 0.31;
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "[0, 0.3]");
  bad = good;
  bad.kind = ELEMENT_LINE2;
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "line2");
  bad = good;
  for (int k = 0; k < 3; k++) bad.n[k] = 1290; /* 2.147e9 elements, nodes beyond 2^31 */
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "at most");
  for (int k = 0; k < 3; k++) bad.n[k] = INT32_MAX;
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "at most");
  bad.kind = ELEMENT_TET4;
  for (int k = 0; k < 3; k++) bad.n[k] = 800; /* nodes fit, elements do not */
  assert_fails(mesh_box(&bad, &mesh), ERR_INPUT, "at most");
  assert_null(mesh);
  assert_int_equal(mem_in_use(), 0);
}

static Status make(void *context, Mesh **out) { return mesh_box(context, out); }

static void every_allocation_fails_once(void **state) {
  (void)state;
  BoxParams linear = {.kind = ELEMENT_TET4, .n = {2, 2, 2}, .size = {1, 1, 1}}, curved = linear;
  curved.kind = ELEMENT_HEX20;
  testing_fail_allocations(make, &linear);
  testing_fail_allocations(make, &curved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_and_groups),
      cmocka_unit_test(node_counts),
      cmocka_unit_test(sides_point_outward),
      cmocka_unit_test(distortion_moves_inner_nodes_only),
      cmocka_unit_test(strongest_distortion_is_valid),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
