/* Generated boxes for benches and tests. Linear kinds are written straight away; others are elevated.
 *
 * Squares are cut into 2 triangles and cubes into 6 tetrahedra along the main diagonal (Kuhn's triangulation: one per
 * order of the axes), which fit their neighbours whatever the number of cells. */
#include "core/memory.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

enum { MAX_PIECES = 6 };

/* Corners of a cell are numbered by bits: bit k set means the far end in direction k. */
typedef struct Cell {
  int32_t n_piece;
  int32_t corner[MAX_PIECES][8]; /* of each element in the cell, in the element's node order */
} Cell;

static const Cell quad_cell = {1, {{0, 1, 3, 2}}};
static const Cell triangle_cell = {2, {{0, 1, 3}, {0, 3, 2}}};
static const Cell hex_cell = {1, {{0, 1, 3, 2, 4, 5, 7, 6}}};
static const Cell tetrahedron_cell = {
    6, {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 2, 7, 3}, {0, 1, 7, 5}, {0, 4, 7, 6}}};

/* What a box of linear elements is made of. */
typedef struct Box {
  const BoxParams *params;
  const ElementType *type, *facet; /* linear */
  const Cell *cell;
  int32_t dim;
  int32_t n[3], nodes[3]; /* cells and nodes per direction; 0 and 1 beyond dim */
  int64_t n_node, n_body;
  int64_t n_side[6]; /* facets of x0 x1 y0 y1 z0 z1 */
} Box;

static const char *const side_name[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};

static Status check_params(const BoxParams *params, const ElementType *type) {
  CHECK(type != NULL && type->dim >= 2, ERR_INPUT, "a box of %s: only triangles, quads, tetrahedra and hexahedra",
        type == NULL ? "unknown elements" : type->name);
  for (int32_t k = 0; k < type->dim; k++) {
    CHECK(params->n[k] >= 1, ERR_INPUT, "a box with %d cells in direction %c, at least 1 is needed", params->n[k],
          "xyz"[k]);
    CHECK(params->size[k] > 0.0 && params->size[k] <= 1e300, ERR_INPUT,
          "a box with size %g in direction %c, must be positive", params->size[k], "xyz"[k]);
  }
  CHECK(params->distort >= 0.0 && params->distort <= 0.3, ERR_INPUT, "a box distorted by %g, must lie in [0, 0.3]",
        params->distort);
  return OK;
}

static Status box_plan(const BoxParams *params, Box *box) {
  const ElementType *type = element_type(params->kind);
  double n_node = 1.0, n_cell = 1.0, n_facet = 0.0;
  TRY(check_params(params, type));
  box->params = params;
  box->dim = type->dim;
  box->type = element_type(type->linear);
  box->facet = element_type(box->type->face[0].kind);
  box->cell = type->shape == SHAPE_TRIANGLE      ? &triangle_cell
              : type->shape == SHAPE_QUAD        ? &quad_cell
              : type->shape == SHAPE_TETRAHEDRON ? &tetrahedron_cell
                                                 : &hex_cell;
  for (int32_t k = 0; k < 3; k++) {
    box->n[k] = k < box->dim ? params->n[k] : 0;
    box->nodes[k] = k < box->dim && params->n[k] < INT32_MAX ? params->n[k] + 1 : 1;
    n_node *= k < box->dim ? params->n[k] + 1.0 : 1.0;
    n_cell *= k < box->dim ? params->n[k] : 1.0;
  }
  const double per_face = type->shape == SHAPE_TETRAHEDRON ? 2.0 : 1.0;
  for (int32_t k = 0; k < box->dim; k++) n_facet += 2.0 * per_face * n_cell / params->n[k];
  CHECK(n_node <= INT32_MAX && n_cell * box->cell->n_piece + n_facet <= INT32_MAX, ERR_INPUT,
        "a box with %.4g nodes and %.4g elements, at most %d of each are possible", n_node,
        n_cell * box->cell->n_piece + n_facet, INT32_MAX);
  const int64_t cells = (int64_t)box->n[0] * box->n[1] * (box->dim > 2 ? box->n[2] : 1);
  box->n_node = (int64_t)box->nodes[0] * box->nodes[1] * box->nodes[2];
  box->n_body = cells * box->cell->n_piece;
  for (int32_t s = 0; s < 2 * box->dim; s++) box->n_side[s] = cells / box->n[s / 2] * (int64_t)per_face;
  return OK;
}

/* A number in [-1, 1] that depends on the node and direction alone (SplitMix64: Steele, Lea and Flood 2014). */
static double noise(int64_t node, int32_t direction) {
  uint64_t z = ((uint64_t)node * 3 + (uint64_t)direction + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) / 4503599627370496.0 - 1.0;
}

/* Inner nodes move by at most `distort` of the cell in all (dim components of distort / sqrt(dim)): no cell turns over.
 */
static void place_nodes(const Box *box, Mesh *mesh) {
  const BoxParams *params = box->params;
  const double share = params->distort / sqrt((double)box->dim);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < mesh->n_node; i++) {
    int32_t at[3] = {i % box->nodes[0], i / box->nodes[0] % box->nodes[1], i / box->nodes[0] / box->nodes[1]};
    bool inner = true;
    for (int32_t k = 0; k < box->dim; k++) inner = inner && at[k] > 0 && at[k] < box->n[k];
    for (int32_t k = 0; k < box->dim; k++) {
      const double offset = inner ? share * noise(i, k) : 0.0;
      mesh->x[i][k] = at[k] == box->n[k] ? params->size[k] : params->size[k] * ((at[k] + offset) / box->n[k]);
    }
    mesh->node_tag[i] = (int64_t)i + 1;
  }
}

/* Node at corner `bits` of the cell at c. */
static int32_t corner_node(const Box *box, const int32_t c[3], int32_t bits) {
  const int32_t i = c[0] + (bits & 1), j = c[1] + (bits >> 1 & 1), k = c[2] + (bits >> 2 & 1);
  return i + box->nodes[0] * (j + box->nodes[1] * k);
}

static void fill_body(const Box *box, ElementBlock *block) {
  const int32_t pieces = box->cell->n_piece, n_vertex = box->type->n_vertex;
  const int32_t n_cell = (int32_t)(box->n_body / pieces);
#pragma omp parallel for schedule(static)
  for (int32_t cell = 0; cell < n_cell; cell++) {
    const int32_t c[3] = {cell % box->n[0], cell / box->n[0] % box->n[1], cell / box->n[0] / box->n[1]};
    int32_t *to = block->nodes + (int64_t)cell * pieces * n_vertex;
    for (int32_t p = 0; p < pieces; p++) {
      for (int32_t v = 0; v < n_vertex; v++) *to++ = corner_node(box, c, box->cell->corner[p][v]);
    }
  }
}

/* Facets of one cell on side s, appended at *to: the faces of its pieces with all vertices on that side. */
static int32_t *fill_cell_side(const Box *box, const int32_t c[3], int32_t s, int32_t *to) {
  const int32_t bit = 1 << s / 2, wanted = s % 2 ? bit : 0;
  for (int32_t p = 0; p < box->cell->n_piece; p++) {
    const int32_t *corner = box->cell->corner[p];
    for (int32_t f = 0; f < box->type->n_face; f++) {
      const int32_t *local = box->type->face[f].nodes;
      bool on_side = true;
      for (int32_t v = 0; v < box->facet->n_vertex; v++) on_side = on_side && (corner[local[v]] & bit) == wanted;
      if (!on_side) continue;
      for (int32_t v = 0; v < box->facet->n_vertex; v++) *to++ = corner_node(box, c, corner[local[v]]);
    }
  }
  return to;
}

static void fill_sides(const Box *box, ElementBlock *block) {
  int32_t *to = block->nodes;
  for (int32_t s = 0; s < 2 * box->dim; s++) {
    const int32_t k = s / 2, u = k == 0 ? 1 : 0, w = k == 2 ? 1 : 2; /* the other two directions */
    int32_t c[3] = {0};
    c[k] = s % 2 ? box->n[k] - 1 : 0;
    for (int32_t j = 0; j < (w < box->dim ? box->n[w] : 1); j++) {
      for (int32_t i = 0; i < box->n[u]; i++) {
        if (w < box->dim) c[w] = j;
        c[u] = i;
        to = fill_cell_side(box, c, s, to);
      }
    }
  }
}

static Status make_block(ElementKind kind, int64_t n, Mesh *mesh) {
  ElementBlock *block = &mesh->block[mesh->n_block++];
  block->kind = kind;
  block->n = (int32_t)n;
  block->first = mesh->n_element;
  ALLOC(block->nodes, n * element_type(kind)->n_node, "connectivity");
  ALLOC(block->tag, n, "element tags");
  for (int32_t i = 0; i < block->n; i++) block->tag[i] = (int64_t)block->first + i + 1;
  mesh->n_element += block->n;
  return OK;
}

static Status make_group(const char *name, int32_t dim, int32_t first, int64_t n, Mesh *mesh) {
  Group *group = &mesh->group[mesh->n_group++];
  group->dim = dim;
  group->number = mesh->n_group;
  ALLOC(group->name, strlen(name) + 1, "group name");
  memcpy(group->name, name, strlen(name) + 1);
  ALLOC(group->element, n, "elements of a group");
  group->n = (int32_t)n;
  for (int32_t i = 0; i < group->n; i++) group->element[i] = first + i;
  return OK;
}

static Status fill_mesh(const Box *box, Mesh *mesh) {
  static const char path[] = "generated box";
  int64_t n_facet = 0;
  for (int32_t s = 0; s < 2 * box->dim; s++) n_facet += box->n_side[s];
  mesh->dim = box->dim;
  mesh->n_node = (int32_t)box->n_node;
  ALLOC(mesh->path, sizeof path, "path of the mesh");
  memcpy(mesh->path, path, sizeof path);
  ALLOC(mesh->x, mesh->n_node, "node coordinates");
  ALLOC(mesh->node_tag, mesh->n_node, "node tags");
  ALLOC(mesh->block, 2, "element blocks");
  ALLOC(mesh->group, 7, "groups");
  TRY(make_block(box->facet->kind, n_facet, mesh));
  TRY(make_block(box->type->kind, box->n_body, mesh));
  TRY(make_group("body", box->dim, mesh->block[1].first, box->n_body, mesh));
  int32_t first = 0;
  for (int32_t s = 0; s < 2 * box->dim; s++) {
    TRY(make_group(side_name[s], box->dim - 1, first, box->n_side[s], mesh));
    first += (int32_t)box->n_side[s];
  }
  place_nodes(box, mesh);
  fill_body(box, &mesh->block[1]);
  fill_sides(box, &mesh->block[0]);
  return OK;
}

Status mesh_box(const BoxParams *params, Mesh **out) {
  Box box = {0};
  Mesh *mesh = NULL;
  *out = NULL;
  TRY(box_plan(params, &box));
  ALLOC(mesh, 1, "mesh");
  Status status = fill_mesh(&box, mesh);
  if (status == OK && params->kind != box.type->kind) {
    const int32_t order = element_type(params->kind)->order;
    const bool serendipity = element_of_order(box.type->kind, order, false)->kind != params->kind;
    Mesh *elevated = NULL;
    status = mesh_elevate_to(mesh, order, serendipity, &elevated);
    mesh_destroy(&mesh);
    mesh = elevated;
  }
  if (status != OK) {
    mesh_destroy(&mesh);
    return status;
  }
  *out = mesh;
  return OK;
}
