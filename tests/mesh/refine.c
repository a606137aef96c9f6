/* Uniform refinement of every kind of element: conforming, same geometry, groups and fields carried. */
#include "mesh/elements/halved.h"
#include "mesh/make/halve.h"
#include "tests/draw.h"
#include "tests/mesh/derived_mesh.h"

static Mesh *refined(const Mesh *mesh) {
  Mesh *out = NULL;
  assert_ok(mesh_refine(mesh, &out));
  return out;
}

/* Children of a kind: a pyramid has tetrahedra too. */
static int children_of(const ElementType *type, const ElementType *child) {
  const bool pyramid = type->shape == SHAPE_PYRAMID;
  if (pyramid && child->shape == SHAPE_TETRAHEDRON) return 4;
  return type != child ? 0 : pyramid ? 6 : type->shape == SHAPE_TRIANGLE ? 4 : 1 << type->dim;
}

static void check_fields(const Mesh *old, const Mesh *mesh) {
  const MeshField *linear = mesh_field(mesh, "linear", true), *triple = mesh_field(mesh, "triple", true);
  const MeshField *parent = mesh_field(mesh, "parent", false), *before = mesh_field(old, "parent", false);
  const MeshField *fiber = mesh_field(mesh, "fiber", true);
  int32_t at = 0;
  for (int32_t i = 0; i < mesh->n_node; i++) {
    const double *x = mesh->x[i], wanted = 1.0 + 2.0 * x[0] - 3.0 * x[1] + x[2];
    assert_near(linear->value[i], wanted, 1e-13);
    for (int k = 0; k < 3; k++) assert_near(triple->value[3 * i + k], (k - 1.0) * wanted, 1e-13);
    const double *f = fiber->value + 3 * i;
    assert_near(fabs(0.6 * f[0] - 0.8 * f[2]), 1.0, 1e-13);
    assert_near(f[0] * f[0] + f[1] * f[1] + f[2] * f[2], 1.0, 1e-13);
  }
  for (int32_t b = 0; b < mesh->n_block; b++) { /* children follow their parents in order */
    const ElementType *child = element_type(mesh->block[b].kind);
    for (int32_t p = 0; p < old->n_block; p++) {
      const int n_child = children_of(element_type(old->block[p].kind), child);
      for (int32_t i = 0; i < old->block[p].n * n_child; i++, at++) {
        assert_true(parent->value[at] == before->value[old->block[p].first + i / n_child]);
      }
    }
    assert_int_equal(at, mesh->block[b].first + mesh->block[b].n);
  }
  assert_int_equal(at, mesh->n_element);
}

static void check_refined(const Mesh *old, const Mesh *mesh) {
  testing_check_mesh(mesh);
  assert_true(testing_worst_jacobian(mesh) > 0.0);
  assert_int_equal(mesh->dim, old->dim);
  assert_int_equal(mesh->n_group, old->n_group);
  assert_string_equal(mesh->path, old->path);
  for (int32_t b = 0; b < mesh->n_block; b++) {
    for (int32_t i = 0; i < mesh->block[b].n; i++)
      assert_int_equal(mesh->block[b].tag[i], mesh->block[b].first + i + 1);
  }
  for (int32_t g = 0; g < mesh->n_group; g++) {
    double before, after;
    assert_string_equal(mesh->group[g].name, old->group[g].name);
    assert_int_equal(mesh->group[g].dim, old->group[g].dim);
    assert_int_equal(mesh->group[g].number, old->group[g].number);
    assert_ok(mesh_group_measure(old, &old->group[g], &before));
    assert_ok(mesh_group_measure(mesh, &mesh->group[g], &after));
    assert_near(after, before, 1e-13);
  }
  int64_t highest = 0;
  for (int32_t i = 0; i < old->n_node; i++) {
    assert_memory_equal(mesh->x[i], old->x[i], sizeof old->x[i]);
    assert_int_equal(mesh->node_tag[i], old->node_tag[i]);
    if (old->node_tag[i] > highest) highest = old->node_tag[i];
  }
  for (int32_t i = old->n_node; i < mesh->n_node; i++)
    assert_int_equal(mesh->node_tag[i], highest + 1 + i - old->n_node);
  check_fields(old, mesh);
}

static void every_kind_twice(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_decorated(type->kind, type->dim == 2 ? 3 : 2, 0.2);
    for (int pass = 0; pass < 2; pass++) {
      Mesh *finer = refined(mesh);
      check_refined(mesh, finer);
      mesh_destroy(&mesh);
      mesh = finer;
    }
    mesh_destroy(&mesh);
  }
}

/* Children are inside their parent: each child's nodes, in the parent's reference domain, for an affine parent. */
static void children_cover_their_parent(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_box(type->kind, 2, 0.0), *finer = refined(mesh);
    const ElementBlock *coarse = &mesh->block[mesh->n_block - 1], *fine = &finer->block[finer->n_block - 1];
    const int n_child = children_of(type, type);
    for (int32_t i = 0; i < coarse->n; i++) {
      double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
      for (int a = 0; a < type->n_node; a++) {
        for (int k = 0; k < 3; k++) {
          low[k] = fmin(low[k], mesh->x[coarse->nodes[i * type->n_node + a]][k]);
          high[k] = fmax(high[k], mesh->x[coarse->nodes[i * type->n_node + a]][k]);
        }
      }
      for (int a = 0; a < n_child * type->n_node; a++) {
        const double *x = finer->x[fine->nodes[(int64_t)i * n_child * type->n_node + a]];
        for (int k = 0; k < 3; k++) assert_true(x[k] >= low[k] - 1e-14 && x[k] <= high[k] + 1e-14);
      }
    }
    mesh_destroy(&mesh);
    mesh_destroy(&finer);
  }
}

static void bend(Mesh *mesh) {
  for (int32_t i = 0; i < mesh->n_node; i++) {
    const double x = mesh->x[i][0], y = mesh->x[i][1], z = mesh->x[i][2];
    mesh->x[i][0] = x + 0.05 * y * y - 0.03 * y * z;
    mesh->x[i][1] = y + 0.04 * x * x + 0.02 * x * z;
    if (mesh->dim == 3) mesh->x[i][2] = z - 0.06 * x * y + 0.03 * x * x;
  }
}

/* A quadratic map of the plane or space is in the span of every quadratic kind on boxes: bending and refining commute.
 */
static void curved_geometry_is_kept(void **state) {
  (void)state;
  FOR_SOLVED_TYPES(type) {
    if (type->order == 1) continue;
    Mesh *straight = testing_box(type->kind, 2, 0.0), *bent = testing_box(type->kind, 2, 0.0);
    Mesh *fine_straight = refined(straight);
    bend(bent);
    bend(fine_straight);
    Mesh *fine_bent = refined(bent);
    assert_int_equal(fine_bent->n_node, fine_straight->n_node);
    testing_check_mesh(fine_bent);
    /* tetrahedra may cut their inner octahedra differently: compared by measure alone */
    for (int32_t i = 0; type->shape != SHAPE_TETRAHEDRON && i < fine_bent->n_node; i++) {
      double nearest = INFINITY;
      for (int32_t j = 0; j < fine_straight->n_node; j++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) square += pow(fine_bent->x[i][k] - fine_straight->x[j][k], 2);
        nearest = fmin(nearest, square);
      }
      assert_true(nearest < 1e-26);
    }
    assert_near(testing_measure(fine_bent, "body"), testing_measure(bent, "body"),
                type->shape == SHAPE_HEXAHEDRON ? 1e-9 : 1e-12);
    assert_near(testing_measure(fine_bent, "x1"), testing_measure(fine_straight, "x1"), 1e-13);
    Mesh *meshes[] = {straight, bent, fine_straight, fine_bent};
    for (int i = 0; i < 4; i++) mesh_destroy(&meshes[i]);
  }
}

/* 12 (3 V)^(2/3) / sum of squared edges: 1 for the regular tetrahedron (Liu and Joe 1994). */
static double worst_mean_ratio(const Mesh *mesh) {
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  double worst = 1.0;
  for (int32_t i = 0; i < block->n; i++) {
    double x[4][3], J[3][3], sum = 0.0;
    for (int a = 0; a < 4; a++) memcpy(x[a], mesh->x[block->nodes[4 * i + a]], sizeof x[a]);
    const double det = element_jacobian(element_type(ELEMENT_TET4), (const double(*)[3])x, x[0], J, false);
    for (int a = 0; a < 4; a++) {
      for (int b = a + 1; b < 4; b++) {
        for (int k = 0; k < 3; k++) sum += pow(x[a][k] - x[b][k], 2);
      }
    }
    worst = fmin(worst, 12.0 * cbrt(pow(det / 2.0, 2)) / sum);
  }
  return worst;
}

static void quality_does_not_collapse(void **state) {
  (void)state;
  const BoxParams params = {.kind = ELEMENT_TET4, .n = {2, 2, 2}, .size = {1.0, 0.7, 0.4}, .distort = 0.3};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  const double first = worst_mean_ratio(mesh);
  for (int pass = 0; pass < 4; pass++) {
    Mesh *finer = refined(mesh);
    mesh_destroy(&mesh);
    mesh = finer;
    assert_true(worst_mean_ratio(mesh) > 0.7 * first);
  }
  assert_int_equal(mesh->block[1].n, 48 * 4096);
  mesh_destroy(&mesh);
}

/* Where the middle lies on a field with unknown values: only nodes next to the unknown one become unknown. */
static void unknown_values_stay_local(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_QUAD9, 2, 0.0);
  MeshField *field = testing_add_field(mesh, "some", true, 1);
  for (int32_t i = 0; i < mesh->n_node; i++) field->value[i] = mesh->x[i][0] == 1.0 ? NAN : 1.0;
  Mesh *finer = refined(mesh);
  for (int32_t i = 0; i < finer->n_node; i++) {
    const double value = mesh_field(finer, "some", true)->value[i];
    if (finer->x[i][0] <= 0.5) assert_true(value == 1.0);
    if (finer->x[i][0] == 1.0) assert_true(isnan(value));
  }
  mesh_destroy(&mesh);
  mesh_destroy(&finer);
}

/* A lens: two quadratic triangles whose edges between the same two vertices bulge to different sides are no neighbours
 * there, and their new nodes must not be taken for one another. */
static void curved_edges_between_the_same_vertices(void **state) {
  (void)state;
  const double x[10][3] = {{-1, 0, 0},    {1, 0, 0},      {0, 3, 0},    {0, -3, 0},      {0, 0.5, 0},
                           {0.5, 1.5, 0}, {-0.5, 1.5, 0}, {0, -0.5, 0}, {-0.5, -1.5, 0}, {0.5, -1.5, 0}};
  const int32_t nodes[12] = {0, 1, 2, 4, 5, 6, 1, 0, 3, 7, 8, 9};
  Mesh *mesh = testing_array(1, sizeof *mesh);
  mesh->n_node = 10;
  mesh->n_element = 2;
  mesh->dim = 2;
  mesh->x = testing_array(10, sizeof *mesh->x);
  memcpy(mesh->x, x, sizeof x);
  mesh->node_tag = testing_array(10, sizeof(int64_t));
  mesh->block = testing_array(1, sizeof *mesh->block);
  mesh->n_block = 1;
  mesh->block[0] = (ElementBlock){.kind = ELEMENT_TRI6, .n = 2};
  mesh->block[0].nodes = testing_array(12, sizeof(int32_t));
  mesh->block[0].tag = testing_array(2, sizeof(int64_t));
  memcpy(mesh->block[0].nodes, nodes, sizeof nodes);
  Mesh *finer = refined(mesh);
  assert_int_equal(finer->n_node, 28); /* 15 points of each triangle, the two vertices shared */
  assert_true(testing_worst_jacobian(finer) > 0.0);
  mesh_destroy(&mesh);
  mesh_destroy(&finer);
}

static void too_many_elements(void **state) {
  (void)state;
  ElementBlock block = {.kind = ELEMENT_HEX8, .n = 300000000};
  Mesh mesh = {.n_block = 1, .n_element = 300000000, .dim = 3, .block = &block}, *out = NULL;
  assert_fails(mesh_refine(&mesh, &out), ERR_MESH, "2400000000 elements");
  assert_null(out);
}

static Status make(void *context, Mesh **out) { return mesh_refine(context, out); }

static void every_allocation_fails_once(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TET4, ELEMENT_TRI6, ELEMENT_HEX27};
  for (int k = 0; k < 3; k++) {
    Mesh *mesh = testing_decorated(kinds[k], 2, 0.1);
    testing_fail_allocations(make, mesh);
    mesh_destroy(&mesh);
  }
  assert_int_equal(mem_in_use(), 0);
}

/* Elements of order 2 become linear ones on the same nodes; others are refused. */
static void linear_on_the_same_nodes(void **state) {
  (void)state;
  int halved = 0;
  FOR_SOLVED_TYPES(type) {
    Mesh *mesh = testing_decorated(type->kind, type->dim == 2 ? 3 : 2, 0.2), *out = NULL;
    if (!element_halves(type)) {
      assert_fails(mesh_halve(mesh, &out), ERR_MESH, "has no linear elements on its nodes alone");
    } else {
      assert_ok(mesh_halve(mesh, &out));
      testing_check_mesh(out);
      assert_true(testing_worst_jacobian(out) > 0.0);
      assert_int_equal(out->n_node, mesh->n_node);
      assert_memory_equal(out->x, mesh->x, (size_t)mesh->n_node * sizeof *mesh->x);
      for (int32_t g = 0; g < mesh->n_group; g++) {
        double before, after;
        assert_ok(mesh_group_measure(mesh, &mesh->group[g], &before));
        assert_ok(mesh_group_measure(out, &out->group[g], &after));
        assert_near(after, before, 1e-13);
      }
      for (int32_t b = 0; b < out->n_block; b++) {
        const ElementType *child = element_type(out->block[b].kind), *parent = element_type(mesh->block[b].kind);
        assert_int_equal(child->kind, parent->linear);
        assert_int_equal(out->block[b].n, mesh->block[b].n * (1 << parent->dim));
      }
      ++halved;
    }
    mesh_destroy(&mesh);
    mesh_destroy(&out);
  }
  assert_int_equal(halved, 4);
}

/* Between nodes: shares of those of one linear element, by which a linear function is itself. */
static void halved_values(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    const ElementType *type = element_type((ElementKind)k);
    double N[ELEMENT_MAX_NODES];
    if (!element_halves(type)) continue;
    for (int32_t a = 0; a < type->n_node; a++) {
      element_halved_values(type, type->node[a], N);
      for (int32_t b = 0; b < type->n_node; b++) assert_near(N[b], a == b, 1e-15);
    }
    for (int turn = 0; turn < 200; turn++) {
      double xi[3] = {0}, sum = 0, at[3] = {0};
      int n = 0;
      do
        for (int i = 0; i < type->dim; i++) xi[i] = draw_between(&seed, -1, 1);
      while (!shape_holds(type->shape, xi, 0));
      element_halved_values(type, xi, N);
      for (int32_t a = 0; a < type->n_node; a++) {
        assert_true(N[a] >= 0);
        n += N[a] > 1e-14;
        sum += N[a];
        for (int i = 0; i < 3; i++) at[i] += N[a] * type->node[a][i];
      }
      assert_near(sum, 1, 1e-14);
      for (int i = 0; i < 3; i++) assert_near(at[i], xi[i], 1e-14);
      assert_true(n <= type->n_vertex);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_twice),          cmocka_unit_test(children_cover_their_parent),
      cmocka_unit_test(curved_geometry_is_kept),   cmocka_unit_test(quality_does_not_collapse),
      cmocka_unit_test(unknown_values_stay_local), cmocka_unit_test(curved_edges_between_the_same_vertices),
      cmocka_unit_test(too_many_elements),         cmocka_unit_test(every_allocation_fails_once),
      cmocka_unit_test(linear_on_the_same_nodes),  cmocka_unit_test(halved_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
