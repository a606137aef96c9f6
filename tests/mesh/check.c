/* mesh_check on meshes with one thing wrong each, word for word, and the quality measures on shapes known by hand. */
#include "core/memory.h"
#include "mesh/check/check.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"plate\"\n$EndPhysicalNames\n"
#define SQUARE_NODES "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 2 1 0\n$EndNodes\n"

static Status check_text(const char *text) {
  Mesh *mesh = mesh_of(text);
  const size_t before = mem_in_use();
  const Status status = mesh_check(mesh);
  assert_int_equal(mem_in_use(), before);
  mesh_destroy(&mesh);
  return status;
}

static void assert_refused(const char *text, const char *message) {
  char want[2000];
  snprintf(want, sizeof want, "%s%s", temporary_path("text.msh"), message);
  const Status status = check_text(text);
  if (status != ERR_MESH || strcmp(status_message(), want)) fail_msg("wanted %s\n  got %s", want, status_message());
}

static void right_ones_pass(void **state) {
  (void)state;
  assert_ok(check_text(HEAD SQUARE_NODES "$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 2 5 6 3\n$EndElements\n"));
  assert_int_equal(status_warning_count(), 0);
}

static void inverted(void **state) {
  (void)state;
  assert_refused(
      HEAD SQUARE_NODES "$Elements\n2\n1 3 2 1 1 1 2 3 4\n21 3 2 1 1 2 3 6 5\n$EndElements\n",
      ": 1 element is inverted or without area (determinant of the Jacobian not above 0): worst -0.25 in element 21 "
      "(quad4) of group 'plate' around (1.5, 0.5, 0)\n  elements 21\n"
      "  mesh again or repair these: reverse their node order if they were numbered in reverse order");
  /* a dart: its determinant is negative at one corner only */
  assert_refused(
      HEAD
      "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0.25 0.25 0\n4 0 1 0\n$EndNodes\n$Elements\n1\n5 3 0 1 2 3 4\n$EndElements\n",
      ": 1 element is inverted or without area (determinant of the Jacobian not above 0): worst -0.125 in element 5 "
      "(quad4) of no group around (0.3125, 0.3125, 0)\n  elements 5\n"
      "  mesh again or repair these: reverse their node order if they were numbered in reverse order");
}

static void without_volume(void **state) {
  (void)state;
  assert_refused(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.3 0.3 0\n5 0 0 1\n$EndNodes\n"
      "$Elements\n2\n1 4 2 7 1 1 2 3 4\n2 4 2 7 1 1 2 3 5\n$EndElements\n",
      ": 1 element is inverted or without volume (determinant of the Jacobian not above 0): worst 0 in element 1 "
      "(tet4) "
      "of group '7' around (0.325, 0.325, 0)\n  elements 1\n"
      "  mesh again or repair these: reverse their node order if they were numbered in reverse order");
}

static void all_mirrored(void **state) {
  (void)state;
  assert_refused(HEAD SQUARE_NODES "$Elements\n2\n1 3 2 1 1 1 4 3 2\n2 3 2 1 1 2 3 6 5\n$EndElements\n",
                 ": all 2 elements are mirrored (negative area): the nodes go round the wrong way\n"
                 "  turn the surface over, so that its normal is +z (in Gmsh: reverse its Curve Loop or 'ReverseMesh "
                 "Surface{:};'), "
                 "or mirror the coordinates back");
  assert_refused(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n"
      "1 4 0 1 3 2 4\n$EndElements\n",
      ": the only element is mirrored (negative volume): the nodes go round the wrong way\n"
      "  reverse the node order of every element, or mirror the coordinates back");
}

/* A curved triangle that folds over: all vertices right, one mid-node pulled far inside. */
static void curved_fold(void **state) {
  (void)state;
  assert_refused("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.5 0.6 0\n5 0.5 0.5 "
                 "0\n6 0 0.5 0\n"
                 "$EndNodes\n$Elements\n1\n1 9 0 1 2 3 4 5 6\n$EndElements\n",
                 ": 1 element is inverted or without area (determinant of the Jacobian not above 0): worst -1.4 in "
                 "element 1 (tri6) of "
                 "no group around (0.333333, 0.333333, 0)\n  elements 1\n"
                 "  curved elements that fold over: refine there, mesh again (gmsh -optimize_ho), or use order: 1");
}

static void wrong_dimension(void **state) {
  (void)state;
  assert_refused(HEAD SQUARE_NODES "$Elements\n1\n1 1 0 1 2\n$EndElements\n",
                 ": there are no surface or volume elements, only 1 of dimension 1\n"
                 "  mesh in 2D or 3D (gmsh -2, gmsh -3); where a .geo has physical groups, only those are saved: add "
                 "the surface or "
                 "volume to one");
}

/* Surfaces in space: in any plane and any way round; what folds over or branches is refused with its place. */
#define IN_SPACE "$Nodes\n6\n1 0 0 0\n2 0 1 0\n3 0 1 1\n4 0 0 1\n5 1 0 1\n6 -1 0 0.5\n$EndNodes\n$Elements\n"
static Status check_in_space(const char *text) {
  Mesh *mesh = mesh_of(text);
  mesh->in_space = mesh_leaves_plane(mesh);
  assert_true(mesh->in_space);
  const Status status = mesh_check(mesh);
  mesh_destroy(&mesh);
  return status;
}

static void surfaces_in_space(void **state) {
  (void)state;
  assert_ok(check_in_space(HEAD IN_SPACE "1\n1 3 0 1 2 3 4\n$EndElements\n"));
  assert_ok(check_in_space(HEAD IN_SPACE "2\n1 3 0 1 4 3 2\n2 2 0 1 4 5\n$EndElements\n"));
  assert_fails(check_in_space(HEAD IN_SPACE "1\n7 3 0 1 2 4 3\n$EndElements\n"), ERR_MESH,
               "1 element is inverted or without area (determinant of the Jacobian not above 0)");
  assert_fails(
      check_in_space(HEAD IN_SPACE "3\n1 3 0 1 2 3 4\n2 2 0 1 5 4\n9 2 0 1 4 6\n$EndElements\n"), ERR_MESH,
      "3 elements meet at the edge from node 1 at (0, 0, 0) to node 4 at (0, 0, 1): 2, 9, 1; a surface has one "
      "or two at each edge, and here 1 edge has more");
}

static void repeated(void **state) {
  (void)state;
  assert_refused(HEAD SQUARE_NODES
                 "$Elements\n3\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 2 5 6 3\n30 3 2 1 1 3 2 5 6\n$EndElements\n",
                 ": 1 element lies on the same nodes as another one: 2 and 30\n"
                 "  the first is element 2 (quad4) of group 'plate' around (1.5, 0.5, 0)\n"
                 "  remove the duplicates (in Gmsh: 'Coherence Mesh;', or mesh again without overlapping volumes)");
  /* edges: twice in one group would load them twice; in two groups or none is nobody's harm */
  assert_refused(HEAD SQUARE_NODES "$Elements\n3\n1 3 2 1 1 1 2 3 4\n2 1 2 5 1 1 2\n3 1 2 5 1 2 1\n$EndElements\n",
                 ": 1 element lies on the same nodes as another one of its group: 2 and 3\n"
                 "  the first is element 2 (line2) of group '5' around (0.5, 0, 0)\n"
                 "  remove the duplicates (in Gmsh: 'Coherence Mesh;', or mesh again without overlapping volumes)");
  assert_ok(
      check_text(HEAD SQUARE_NODES "$Elements\n3\n1 3 2 1 1 1 2 3 4\n2 1 2 0 1 1 2\n3 1 2 0 1 2 1\n$EndElements\n"));
}

#define APART(x)                                                                                                       \
  HEAD "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n15 " x " 0 0\n16 3 0 0\n17 3 1 0\n18 " x " 1 0\n$EndNodes\n"    \
       "$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 15 16 17 18\n$EndElements\n"

static void parts(void **state) {
  (void)state;
  assert_ok(check_text(APART("1.5")));        /* apart: no matter of the mesh */
  assert_ok(check_text(APART("1.00000002"))); /* near, but not within 1e-9 of the size */
  assert_int_equal(check_text(APART("1.000000002")), ERR_MESH);
  assert_int_equal(check_text(APART("0.999999998")), ERR_MESH);
  assert_refused(APART("1"), ": of the 2 parts of the mesh some only touch through duplicate nodes, 2 pairs in one "
                             "place: 2 and 15 at (1, 0, 0), "
                             "3 and 18 at (1, 1, 0)\n"
                             "  they are not joined: merge the duplicate nodes in Gmsh (before meshing 'Coherence;' or "
                             "BooleanFragments, after it "
                             "'Coherence Mesh;')");
}

/* Two boxes that share a face geometrically: every node of it is found, wherever it lies in the grid of cells. */
static void parts_of_boxes(void **state) {
  (void)state;
  for (int shift = 0; shift < 20; ++shift) {
    Mesh *m;
    assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_HEX8, .n = {6, 7, 8}, .size = {1, 1.1, 1.3}}, &m));
    /* cut it: the upper half of the elements gets nodes of its own, within half the tolerance of the old ones */
    int32_t *copy = calloc((size_t)m->n_node, sizeof *copy), n = m->n_node;
    ElementBlock *block = (ElementBlock *)(uintptr_t)mesh_block_of(m, m->n_element - 1);
    assert_int_equal(block->kind, ELEMENT_HEX8);
    assert_ok(mem_resize(2 * n, sizeof *m->x, "test", (void **)&m->x));
    assert_ok(mem_resize(2 * n, sizeof *m->node_tag, "test", (void **)&m->node_tag));
    for (int32_t i = 0; i < block->n; ++i) {
      double top = 0;
      for (int a = 0; a < 8; ++a) top = fmax(top, m->x[block->nodes[8 * i + a]][2]);
      for (int a = 0; a < 8 && top > 0.66; ++a) {
        int32_t *node = &block->nodes[8 * i + a];
        if (*node >= m->n_node) continue;
        if (!copy[*node]) {
          copy[*node] = n;
          for (int d = 0; d < 3; ++d) m->x[n][d] = m->x[*node][d] + 0.6e-9 * sin(shift + 3 * *node + d);
          m->node_tag[n] = n + 1;
          ++n;
        }
        *node = copy[*node];
      }
    }
    m->n_node = n;
    free(copy);
    assert_fails(check_parts(m), ERR_MESH,
                 "of the 2 parts of the mesh some only touch through duplicate nodes, 56 pairs in one place");
    mesh_destroy(&m);
  }
}

static double measure_of(const Mesh *m, int32_t e) {
  const ElementType *type = element_type(mesh_block_of(m, e)->kind);
  double x[ELEMENT_MAX_NODES][3], J[3][3], sum = 0;
  Quadrature rule;
  assert_ok(element_mass_quadrature(type, &rule));
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], m->x[mesh_nodes_of(m, e)[a]], sizeof x[a]);
  for (int32_t q = 0; q < rule.n; ++q)
    sum += rule.weight[q] * element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false);
  return sum;
}

static double quality_of(const char *nodes, const char *element) {
  char text[1000];
  snprintf(text, sizeof text,
           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%s$EndNodes\n$Elements\n1\n%s\n$EndElements\n", nodes,
           element);
  Mesh *m = mesh_of(text);
  MeshQuality quality;
  mesh_quality(m, &quality);
  assert_int_equal(quality.worst_element, 0);
  assert_near(quality.mean, quality.worst, 0);
  assert_int_equal(quality.n_sliver, quality.worst < 0.1);
  mesh_destroy(&m);
  return quality.worst;
}

static void qualities(void **state) {
  (void)state;
  assert_near(quality_of("3\n1 0 0 0\n2 1 0 0\n3 0.5 0.8660254037844386 0\n", "1 2 0 1 2 3"), 1, 1e-14);
  assert_near(quality_of("3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n", "1 2 0 1 2 3"), sqrt(3) / 2, 1e-14); /* 4 sqrt(3) / 2 / 4 */
  assert_near(quality_of("3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n", "1 2 0 1 3 2"), -sqrt(3) / 2, 1e-14);
  assert_near(quality_of("4\n1 0 0 0\n2 1 1 0\n3 0 1 1\n4 1 0 1\n", "1 4 0 1 2 3 4"), 1, 1e-14); /* regular */
  assert_near(quality_of("4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 4 0 1 2 3 4"), 12 * pow(0.5, 2.0 / 3) / 9,
              1e-14);
  assert_near(quality_of("4\n1 0 0 0\n2 2 0 0\n3 2 2 0\n4 0 2 0\n", "1 3 0 1 2 3 4"), 1, 1e-14);
  assert_near(quality_of("4\n1 0 0 0\n2 3 0 0\n3 3 1 0\n4 0 1 0\n", "1 3 0 1 2 3 4"), 0.6, 1e-14); /* 2 3 / (9 + 1) */
  assert_near(quality_of("8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n",
                         "1 5 0 1 2 3 4 5 6 7 8"),
              1, 1e-14);
  assert_near(quality_of("8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 8\n6 1 0 8\n7 1 1 8\n8 0 1 8\n",
                         "1 5 0 1 2 3 4 5 6 7 8"),
              3 * 4 / 66.0, 1e-14);
  /* quadratic with straight edges: as linear */
  assert_near(quality_of("6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.5 0 0\n5 0.5 0.5 0\n6 0 0.5 0\n", "1 9 0 1 2 3 4 5 6"),
              sqrt(3) / 2, 1e-14);
  /* folded: not above zero */
  assert_true(quality_of("6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.5 0.6 0\n5 0.5 0.5 0\n6 0 0.5 0\n", "1 9 0 1 2 3 4 5 6") <
              0);
}

/* By batches as one by one: groups of every dimension, and one whose elements have gaps. */
static void measures(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const BoxParams box = {.kind = (ElementKind)kind, .n = {3, 4, 5}, .size = {1, 1.5, 2}, .distort = 0.2};
    Mesh *m;
    if (element_type((ElementKind)kind)->dim < 2) continue;
    assert_ok(mesh_box(&box, &m));
    Group *body = (Group *)(uintptr_t)mesh_group(m, "body");
    for (int32_t i = body->n / 2; i < body->n; ++i)
      body->element[body->n / 2 + (i - body->n / 2) / 2] = body->element[i];
    body->n = body->n / 2 + (body->n - body->n / 2) / 2;
    for (int32_t g = 0; g < m->n_group; ++g) {
      double measure, want = 0;
      assert_ok(mesh_group_measure(m, &m->group[g], &measure));
      for (int32_t i = 0; i < m->group[g].n; ++i) want += measure_of(m, m->group[g].element[i]);
      assert_relative(measure, want, 1e-14);
    }
    mesh_destroy(&m);
  }
}

/* Every solved kind: a distorted box is right, its mirror image all wrong, one turned element the only one. */
static void every_kind(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type((ElementKind)kind);
    if (type->dim < 2) continue;
    Mesh *m;
    assert_ok(
        mesh_box(&(BoxParams){.kind = (ElementKind)kind, .n = {3, 3, 3}, .size = {1, 1.5, 2}, .distort = 0.2}, &m));
    assert_ok(mesh_check(m));
    MeshQuality quality;
    mesh_quality(m, &quality);
    assert_true(quality.worst > 0.1 && quality.mean <= 1 && quality.mean >= quality.worst);
    for (int32_t i = 0; i < m->n_node; ++i) m->x[i][0] = -m->x[i][0];
    assert_fails(mesh_check(m), ERR_MESH, "elements are mirrored");
    mesh_quality(m, &quality);
    assert_true(quality.worst < 0 && quality.n_sliver > 0);
    for (int32_t i = 0; i < m->n_node; ++i) m->x[i][0] = -m->x[i][0];
    ElementBlock *block = (ElementBlock *)(uintptr_t)mesh_block_of(m, m->n_element - 2);
    int32_t *nodes = block->nodes + (int64_t)(m->n_element - 2 - block->first) * type->n_node, first = nodes[0];
    nodes[0] = nodes[2], nodes[2] = first;
    char want[100];
    snprintf(want, sizeof want, " in element %lld (%s)", (long long)block->tag[m->n_element - 2 - block->first],
             type->name);
    assert_fails(mesh_check(m), ERR_MESH, want);
    assert_fails(mesh_check(m), ERR_MESH, ": 1 element is inverted or without ");
    mesh_destroy(&m);
  }
}

static void slivers_warn(void **state) {
  (void)state;
  status_warnings_clear();
  assert_ok(check_text(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.3 0.3 0.001\n$EndNodes\n"
      "$Elements\n1\n77 4 2 7 1 1 2 3 4\n$EndElements\n"));
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "text.msh: 1 sliver among 1 elements (quality below 0.1 of 1): worst 0.0"));
  assert_non_null(strstr(status_warning(0),
                         " in element 77 (tet4) of group '7' around (0.325, 0.325, 0.00025); results near it may be "
                         "poor and the solver slow: optimise the mesh (gmsh -optimize) or refine there"));
  status_warnings_clear();
}

static void each_allocation_may_fail(void **state) {
  (void)state;
  Mesh *m = mesh_of(APART("1.5"));
  assert_true(testing_fail_each_of(mesh_check(m), (void)0) > 3);
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_ones_pass),   cmocka_unit_test(inverted),     cmocka_unit_test(without_volume),
      cmocka_unit_test(all_mirrored),      cmocka_unit_test(curved_fold),  cmocka_unit_test(wrong_dimension),
      cmocka_unit_test(surfaces_in_space), cmocka_unit_test(repeated),     cmocka_unit_test(parts),
      cmocka_unit_test(parts_of_boxes),    cmocka_unit_test(qualities),    cmocka_unit_test(measures),
      cmocka_unit_test(every_kind),        cmocka_unit_test(slivers_warn), cmocka_unit_test(each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, temporary_remove);
}
