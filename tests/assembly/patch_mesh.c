/* The distorted patches of MacNeal and Harder (1985) as meshes of their elements and of tetrahedra; of wedges and
 * pyramids distorted boxes. */
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <string.h>

static const double QUAD_X[8][3] = {{0, 0, 0},       {0.24, 0, 0},    {0.24, 0.12, 0}, {0, 0.12, 0},
                                    {0.04, 0.02, 0}, {0.18, 0.03, 0}, {0.16, 0.08, 0}, {0.08, 0.08, 0}};
static const int32_t QUADS[5][4] = {{4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
static const int32_t EDGES[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
static const double HEX_X[16][3] = {{0, 0, 0},          {1, 0, 0},          {1, 1, 0},          {0, 1, 0},
                                    {0, 0, 1},          {1, 0, 1},          {1, 1, 1},          {0, 1, 1},
                                    {.249, .342, .192}, {.826, .288, .288}, {.850, .649, .263}, {.273, .750, .230},
                                    {.320, .186, .643}, {.677, .305, .683}, {.788, .693, .644}, {.165, .745, .702}};
static const int32_t HEXES[7][8] = {{8, 9, 10, 11, 12, 13, 14, 15}, {0, 1, 2, 3, 8, 9, 10, 11},
                                    {12, 13, 14, 15, 4, 5, 6, 7},   {0, 1, 9, 8, 4, 5, 13, 12},
                                    {1, 2, 10, 9, 5, 6, 14, 13},    {2, 3, 11, 10, 6, 7, 15, 14},
                                    {3, 0, 8, 11, 7, 4, 12, 15}};
static const int32_t SIDES[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static void *take(int64_t n, size_t size) {
  void *p = NULL;
  assert_ok(mem_alloc(n, size, "test", &p));
  return p;
}

static void set_block(Mesh *mesh, int b, ElementKind kind, int32_t n, const int32_t *nodes) {
  const int32_t n_node = element_type(kind)->n_node;
  ElementBlock *block = &mesh->block[b];
  *block = (ElementBlock){.kind = kind, .n = n, .first = b ? mesh->block[0].n : 0};
  block->nodes = take((int64_t)n * n_node, sizeof *block->nodes);
  block->tag = take(n, sizeof *block->tag);
  memcpy(block->nodes, nodes, (size_t)(n * n_node) * sizeof *nodes);
  for (int32_t e = 0; e < n; ++e) block->tag[e] = block->first + e + 1;
  Group *group = &mesh->group[b];
  *group = (Group){.dim = element_type(kind)->dim, .number = b + 1, .n = n};
  const char *name = b ? "body" : "skin";
  group->name = take((int64_t)strlen(name) + 1, 1);
  strcpy(group->name, name);
  group->element = take(n, sizeof *group->element);
  for (int32_t e = 0; e < n; ++e) group->element[e] = block->first + e;
}

static Mesh *make(int32_t n_node, const double (*x)[3], int dim, ElementKind facet, int32_t n_facet,
                  const int32_t *facets, ElementKind kind, int32_t n, const int32_t *elements) {
  Mesh *mesh = take(1, sizeof *mesh);
  mesh->n_node = n_node;
  mesh->dim = dim;
  mesh->n_block = mesh->n_group = 2;
  mesh->n_element = n + n_facet;
  mesh->x = take(n_node, sizeof *mesh->x);
  mesh->node_tag = take(n_node, sizeof *mesh->node_tag);
  memcpy(mesh->x, x, (size_t)n_node * sizeof *x);
  for (int32_t i = 0; i < n_node; ++i) mesh->node_tag[i] = i + 1;
  mesh->block = take(2, sizeof *mesh->block);
  mesh->group = take(2, sizeof *mesh->group);
  mesh->path = take(6, 1);
  strcpy(mesh->path, "patch");
  set_block(mesh, 0, facet, n_facet, facets);
  set_block(mesh, 1, kind, n, elements);
  return mesh;
}

/* Each hex becomes 24 tetrahedra between an edge, the middle of a face and the middle of the hex. */
static Mesh *tetrahedra(void) {
  double x[16 + 7 + 42][3];
  int32_t n = 16, middle[42], face[42][4], n_face = 0, tets[7 * 24][4], n_tet = 0, skin[6 * 4][3], n_skin = 0;
  memcpy(x, HEX_X, sizeof HEX_X);
  for (int h = 0; h < 7; ++h) {
    const int32_t center = n++;
    for (int i = 0; i < 3; ++i) x[center][i] = 0;
    for (int a = 0; a < 8; ++a)
      for (int i = 0; i < 3; ++i) x[center][i] += x[HEXES[h][a]][i] / 8;
    for (int s = 0; s < 6; ++s) {
      int32_t v[4], f = 0;
      int64_t key = 0, other = 0;
      for (int k = 0; k < 4; ++k) key |= 1 << (v[k] = HEXES[h][SIDES[s][k]]);
      for (; f < n_face; ++f) { /* a face of a hex before? */
        for (int k = other = 0; k < 4; ++k) other |= 1 << face[f][k];
        if (other == key) break;
      }
      if (f == n_face) {
        memcpy(face[n_face], v, sizeof v);
        middle[n_face++] = n++;
        for (int i = 0; i < 3; ++i) x[middle[f]][i] = (x[v[0]][i] + x[v[1]][i] + x[v[2]][i] + x[v[3]][i]) / 4;
      }
      for (int k = 0; k < 4; ++k, ++n_tet) {
        const int32_t tet[4] = {v[(k + 1) % 4], v[k], middle[f], center};
        memcpy(tets[n_tet], tet, sizeof tet);
        if (v[0] > 7 || v[1] > 7 || v[2] > 7 || v[3] > 7) continue;
        memcpy(skin[n_skin++], tet, sizeof skin[0]);
      }
    }
  }
  return make(n, (const double(*)[3])x, 3, ELEMENT_TRI3, n_skin, skin[0], ELEMENT_TET4, n_tet, tets[0]);
}

/* A distorted box, whose facets are the skin. */
static Mesh *distorted_box(ElementKind kind) {
  const BoxParams box = {.kind = kind, .n = {2, 3, 2}, .size = {1, 1.2, 0.9}, .distort = 0.3};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&box, &mesh));
  assert_ok(mem_resize(mesh->n_group + 1, sizeof *mesh->group, "test", (void **)&mesh->group));
  Group *skin = &mesh->group[mesh->n_group++];
  *skin = (Group){.dim = 2, .number = mesh->n_group, .n = mesh->block[mesh->n_block - 1].first};
  skin->name = take(5, 1);
  strcpy(skin->name, "skin");
  skin->element = take(skin->n, sizeof *skin->element);
  for (int32_t e = 0; e < skin->n; ++e) skin->element[e] = e;
  return mesh;
}

Mesh *patch_mesh(ElementKind kind) {
  const ElementType *type = element_type(kind);
  Mesh *mesh = NULL, *elevated = NULL;
  if (type->shape == SHAPE_WEDGE || type->shape == SHAPE_PYRAMID) return distorted_box(kind);
  if (type->linear == ELEMENT_QUAD4) mesh = make(8, QUAD_X, 2, ELEMENT_LINE2, 4, EDGES[0], ELEMENT_QUAD4, 5, QUADS[0]);
  if (type->linear == ELEMENT_HEX8) mesh = make(16, HEX_X, 3, ELEMENT_QUAD4, 6, SIDES[0], ELEMENT_HEX8, 7, HEXES[0]);
  if (type->linear == ELEMENT_TET4) mesh = tetrahedra();
  if (type->linear == ELEMENT_TRI3) {
    int32_t triangles[10][3];
    for (int q = 0; q < 5; ++q) {
      const int32_t two[2][3] = {{QUADS[q][0], QUADS[q][1], QUADS[q][2]}, {QUADS[q][0], QUADS[q][2], QUADS[q][3]}};
      memcpy(triangles[2 * q], two, sizeof two);
    }
    mesh = make(8, QUAD_X, 2, ELEMENT_LINE2, 4, EDGES[0], ELEMENT_TRI3, 10, triangles[0]);
  }
  if (type->order == 1) return mesh;
  assert_ok(
      mesh_elevate_to(mesh, element_type(kind)->order, kind == ELEMENT_QUAD8 || kind == ELEMENT_HEX20, &elevated));
  mesh_destroy(&mesh);
  return elevated;
}

void add_group(Mesh *mesh, const char *name, ElementKind kind, int32_t n, const int32_t *nodes) {
  const int32_t n_node = element_type(kind)->n_node;
  assert_ok(mem_resize(mesh->n_block + 1, sizeof *mesh->block, "test", (void **)&mesh->block));
  assert_ok(mem_resize(mesh->n_group + 1, sizeof *mesh->group, "test", (void **)&mesh->group));
  for (int32_t b = mesh->n_block; b > 0; --b) { /* in front: kinds are in order, and all ids move up */
    mesh->block[b] = mesh->block[b - 1];
    mesh->block[b].first += n;
  }
  for (int32_t g = 0; g < mesh->n_group; ++g)
    for (int32_t k = 0; k < mesh->group[g].n; ++k) mesh->group[g].element[k] += n;
  ElementBlock *block = &mesh->block[0];
  *block = (ElementBlock){.kind = kind, .n = n};
  block->nodes = take((int64_t)n * n_node, sizeof *block->nodes);
  block->tag = take(n, sizeof *block->tag);
  memcpy(block->nodes, nodes, (size_t)(n * n_node) * sizeof *nodes);
  Group *group = &mesh->group[mesh->n_group++];
  *group = (Group){.dim = element_type(kind)->dim, .number = 100 + mesh->n_group, .n = n};
  group->name = take((int64_t)strlen(name) + 1, 1);
  strcpy(group->name, name);
  group->element = take(n, sizeof *group->element);
  for (int32_t e = 0; e < n; ++e) {
    group->element[e] = e;
    block->tag[e] = 1000 + e;
  }
  ++mesh->n_block;
  mesh->n_element += n;
}
