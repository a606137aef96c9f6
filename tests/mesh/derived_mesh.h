/* Meshes to derive from and what must hold of any mesh, for the tests of box, refine, elevate, locate and renumber. */
#pragma once
#include "tests/testing.h"

#include "core/memory.h"
#include "mesh/mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FOR_SOLVED_TYPES(type)                                                                                         \
  for (int k_##type = 0; k_##type < N_ELEMENT_KINDS; k_##type++)                                                       \
    for (const ElementType *type = element_type((ElementKind)k_##type); type != NULL && type->dim >= 2; type = NULL)

static inline Mesh *testing_box(ElementKind kind, int n, double distort) {
  const BoxParams params = {.kind = kind, .n = {n, n + 1, n}, .size = {1.0, 2.0, 3.0}, .distort = distort};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

static inline char *testing_text(const char *text) {
  char *copy = NULL;
  assert_ok(mem_alloc((int64_t)strlen(text) + 1, 1, "text", (void **)&copy));
  memcpy(copy, text, strlen(text) + 1);
  return copy;
}

static inline void *testing_array(int64_t n, size_t size) {
  void *array = NULL;
  assert_ok(mem_alloc(n, size, "array", &array));
  return array;
}

static inline void testing_add_group(Mesh *mesh, const char *name, int dim, int n, const int32_t *element) {
  assert_ok(mem_resize(mesh->n_group + 1, sizeof(Group), "groups", (void **)&mesh->group));
  Group *group = &mesh->group[mesh->n_group++];
  *group = (Group){.name = testing_text(name), .dim = dim, .number = 100 + mesh->n_group, .n = n};
  group->element = testing_array(n, sizeof(int32_t));
  memcpy(group->element, element, sizeof(int32_t) * (size_t)n);
}

static inline MeshField *testing_add_field(Mesh *mesh, const char *name, bool on_nodes, int n_component) {
  assert_ok(mem_resize(mesh->n_field + 1, sizeof(MeshField), "fields", (void **)&mesh->field));
  MeshField *field = &mesh->field[mesh->n_field++];
  *field = (MeshField){.name = testing_text(name), .on_nodes = on_nodes, .n_component = n_component};
  field->value = testing_array((int64_t)(on_nodes ? mesh->n_node : mesh->n_element) * n_component, sizeof(double));
  return field;
}

static inline ElementBlock testing_block(ElementKind kind, int n, int first, const int32_t *nodes) {
  const int64_t n_id = (int64_t)n * element_type(kind)->n_node;
  ElementBlock block = {.kind = kind, .n = n, .first = first};
  block.nodes = testing_array(n_id, sizeof(int32_t));
  block.tag = testing_array(n, sizeof(int64_t));
  memcpy(block.nodes, nodes, sizeof(int32_t) * (size_t)n_id);
  return block;
}

/* Puts a point at node 0 and, in 3D, lines along the z axis before the blocks of a linear box. Returns the lines. */
static inline int testing_add_low_blocks(Mesh *mesh) {
  int32_t pair[64], n_line = 0, last = 0;
  for (int32_t i = 1; i < mesh->n_node && mesh->dim == 3; i++) { /* nodes come in rising z */
    if (mesh->x[i][0] != 0.0 || mesh->x[i][1] != 0.0) continue;
    pair[2 * n_line] = last;
    pair[2 * n_line++ + 1] = last = i;
  }
  ElementBlock *old = mesh->block;
  const int32_t added = n_line > 0 ? 2 : 1;
  mesh->block = testing_array(mesh->n_block + added, sizeof *mesh->block);
  memcpy(mesh->block + added, old, sizeof *old * (size_t)mesh->n_block);
  FREE(old);
  mesh->block[0] = testing_block(ELEMENT_POINT1, 1, 0, (const int32_t[]){0});
  if (n_line > 0) mesh->block[1] = testing_block(ELEMENT_LINE2, n_line, 1, pair);
  mesh->n_block += added;
  mesh->n_element += 1 + n_line;
  for (int32_t b = added; b < mesh->n_block; b++) mesh->block[b].first += 1 + n_line;
  for (int32_t g = 0; g < mesh->n_group; g++) {
    for (int32_t i = 0; i < mesh->group[g].n; i++) mesh->group[g].element[i] += 1 + n_line;
  }
  return n_line;
}

/* "linear" is 1 + 2x - 3y + z, "triple" -1, 0 and 1 times it, "parent" the element's id, "fiber" one axis with changing
 * signs. */
static inline void testing_add_fields(Mesh *mesh) {
  double *linear = testing_add_field(mesh, "linear", true, 1)->value;
  double *triple = testing_add_field(mesh, "triple", true, 3)->value;
  double *parent = testing_add_field(mesh, "parent", false, 1)->value;
  double *fiber = testing_add_field(mesh, "fiber", true, 3)->value;
  for (int32_t i = 0; i < mesh->n_node; i++) {
    const double *x = mesh->x[i], sign = i * 7 % 3 == 0 ? -1.0 : 1.0;
    linear[i] = 1.0 + 2.0 * x[0] - 3.0 * x[1] + x[2];
    for (int k = 0; k < 3; k++) triple[3 * i + k] = (k - 1.0) * linear[i];
    fiber[3 * i] = sign * 0.6;
    fiber[3 * i + 2] = sign * -0.8;
  }
  for (int32_t e = 0; e < mesh->n_element; e++) parent[e] = e;
}

/* A box that also has a point, lines along the z axis (3D), an element in two groups, an empty group, the fields above,
 * and tags with gaps. */
static inline Mesh *testing_decorated(ElementKind kind, int n, double distort) {
  const ElementType *type = element_type(kind);
  Mesh *mesh = testing_box(type->linear, n, distort);
  const int n_line = testing_add_low_blocks(mesh);
  const int32_t body = mesh->block[mesh->n_block - 1].first;
  testing_add_group(mesh, "twice", mesh->dim, 2, (const int32_t[]){body, body + 2});
  testing_add_group(mesh, "corner", 0, 1, (const int32_t[]){0});
  testing_add_group(mesh, "nothing", 2, 0, (const int32_t[]){0});
  if (n_line >= 2) testing_add_group(mesh, "axis", 1, 2, (const int32_t[]){1, 2});
  testing_add_fields(mesh);
  for (int32_t i = 0; i < mesh->n_node; i++) mesh->node_tag[i] = 5 * i + 3;
  for (int32_t b = 0; b < mesh->n_block; b++) {
    for (int32_t i = 0; i < mesh->block[b].n; i++) mesh->block[b].tag[i] = 10 * (mesh->block[b].first + i) + 7;
  }
  if (type->order == 1) return mesh;
  Mesh *elevated = NULL;
  assert_ok(mesh_elevate_to(mesh, type->order, element_of_order(type->linear, type->order, false) != type, &elevated));
  mesh_destroy(&mesh);
  return elevated;
}

static inline double testing_measure(const Mesh *mesh, const char *name) {
  double measure = 0.0;
  const Group *group = mesh_group(mesh, name);
  assert_non_null(group);
  assert_ok(mesh_group_measure(mesh, group, &measure));
  return measure;
}

/* Smallest signed Jacobian density at the mass rule's points over all solved elements. */
static inline double testing_worst_jacobian(const Mesh *mesh) {
  double worst = INFINITY;
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const ElementType *type = element_type(mesh->block[b].kind);
    Quadrature rule;
    if (type->dim != mesh->dim) continue;
    assert_ok(element_mass_quadrature(type, &rule));
    for (int32_t i = 0; i < mesh->block[b].n; i++) {
      double x[ELEMENT_MAX_NODES][3], J[3][3];
      for (int32_t a = 0; a < type->n_node; a++) {
        memcpy(x[a], mesh->x[mesh->block[b].nodes[(int64_t)i * type->n_node + a]], sizeof x[a]);
      }
      for (int32_t q = 0; q < rule.n; q++) {
        worst = fmin(worst, element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, true));
      }
    }
  }
  return worst;
}

/* ---- facets: nodes in ascending order, so that both sides agree ---- */
typedef struct TestingFacet {
  int32_t nodes[ELEMENT_MAX_FACE_NODES];
  int32_t solved; /* from a solved element, or an element of dimension dim - 1 */
} TestingFacet;

static inline int testing_compare_ids(const void *a, const void *b) {
  return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}
static inline int testing_compare_facets(const void *a, const void *b) {
  return memcmp(a, b, sizeof(int32_t) * ELEMENT_MAX_FACE_NODES);
}
static inline TestingFacet testing_facet(const int32_t *nodes, const int32_t *local, int n, int solved) {
  TestingFacet facet = {.solved = solved};
  for (int a = 0; a < ELEMENT_MAX_FACE_NODES; a++) facet.nodes[a] = a < n ? nodes[local ? local[a] : a] : -1;
  qsort(facet.nodes, (size_t)n, sizeof(int32_t), testing_compare_ids);
  return facet;
}

/* Structure: indices in range, blocks in order of kind, ids running on, groups ascending and of their dimension, no
 * node without an element, and facets of solved elements shared by two or, when by one, there as elements of their own.
 */
static inline void testing_check_mesh(const Mesh *mesh) {
  int32_t next = 0, n_facet = 0;
  bool *used = testing_array(mesh->n_node, sizeof(bool));
  TestingFacet *facet = testing_array((int64_t)mesh->n_element * ELEMENT_MAX_FACES, sizeof *facet);
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    assert_int_equal(block->first, next);
    if (b > 0) assert_true(block->kind > mesh->block[b - 1].kind);
    next += block->n;
    for (int32_t i = 0; i < block->n; i++) {
      const int32_t *nodes = block->nodes + (int64_t)i * type->n_node;
      for (int32_t a = 0; a < type->n_node; a++) {
        assert_in_range(nodes[a], 0, mesh->n_node - 1);
        used[nodes[a]] = true;
      }
      if (type->dim == mesh->dim - 1) facet[n_facet++] = testing_facet(nodes, NULL, type->n_node, 0);
      for (int32_t f = 0; type->dim == mesh->dim && f < type->n_face; f++) {
        const ElementType *face = element_type(type->face[f].kind);
        facet[n_facet++] = testing_facet(nodes, type->face[f].nodes, face->n_node, 1);
      }
    }
  }
  assert_int_equal(next, mesh->n_element);
  for (int32_t i = 0; i < mesh->n_node; i++) assert_true(used[i]);
  qsort(facet, (size_t)n_facet, sizeof *facet, testing_compare_facets);
  for (int32_t i = 0, end; i < n_facet; i = end) {
    int solved = 0, own = 0;
    for (end = i; end < n_facet && testing_compare_facets(&facet[i], &facet[end]) == 0; end++) {
      facet[end].solved ? solved++ : own++;
    }
    assert_true((solved == 2 && own == 0) || (solved == 1 && own == 1));
  }
  for (int32_t g = 0; g < mesh->n_group; g++) {
    const Group *group = &mesh->group[g];
    for (int32_t i = 0; i < group->n; i++) {
      assert_in_range(group->element[i], 0, mesh->n_element - 1);
      assert_int_equal(element_type(mesh_block_of(mesh, group->element[i])->kind)->dim, group->dim);
      if (i > 0) assert_true(group->element[i] > group->element[i - 1]);
    }
  }
  FREE(facet);
  FREE(used);
}

/* Fails every allocation of `make` once: ERR_MEMORY each time, nothing kept, and it works again after. */
static inline void testing_fail_allocations(Status (*make)(void *context, Mesh **out), void *context) {
  Mesh *mesh = NULL;
  const int64_t n = testing_fail_each_of(make(context, &mesh), {
    assert_true(!mesh || !failed);
    mesh_destroy(&mesh);
  });
  assert_true(n > 5);
}
