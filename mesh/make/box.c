/* Generated boxes for benches and tests. Linear kinds are written straight away; others are elevated.
 *
 * Squares are cut into 2 triangles and cubes into 6 tetrahedra along the main diagonal (Kuhn's triangulation: one per
 * order of the axes) or into 2 wedges, which fit their neighbours whatever the number of cells; or into 3 pyramids from
 * the corner that has even numbers in all directions, where cells are mirror images of their neighbours. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

enum { MAX_PIECES = 6 };

/* Corners of a cell are numbered by bits: bit k set means the far end in direction k. */
typedef struct Cell {
  int32_t n_piece;
  bool mirrored;                 /* in each direction where the number of the cell is odd */
  int32_t corner[MAX_PIECES][8]; /* of each element in the cell, in the element's node order */
} Cell;

static const Cell quad_cell = {1, false, {{0, 1, 3, 2}}};
static const Cell triangle_cell = {2, false, {{0, 1, 3}, {0, 3, 2}}};
static const Cell hex_cell = {1, false, {{0, 1, 3, 2, 4, 5, 7, 6}}};
static const Cell tetrahedron_cell = {
    6, false, {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 2, 7, 3}, {0, 1, 7, 5}, {0, 4, 7, 6}}};
static const Cell wedge_cell = {2, false, {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}}};
static const Cell pyramid_cell = {3, true, {{1, 5, 7, 3, 0}, {2, 3, 7, 6, 0}, {4, 6, 7, 5, 0}}};

static const Cell *cell_of(ElementShape shape) {
  switch (shape) {
  case SHAPE_TRIANGLE: return &triangle_cell;
  case SHAPE_QUAD: return &quad_cell;
  case SHAPE_TETRAHEDRON: return &tetrahedron_cell;
  case SHAPE_WEDGE: return &wedge_cell;
  case SHAPE_PYRAMID: return &pyramid_cell;
  default: return &hex_cell;
  }
}

/* Facets of a side of the box: all of one kind, as many on each cell. */
typedef struct Side {
  const ElementType *type; /* linear */
  int32_t per_cell;
  int64_t n;
} Side;

/* What a box of linear elements is made of. */
typedef struct Box {
  const BoxParams *params;
  const ElementType *type; /* linear */
  const Cell *cell;
  int32_t dim;
  int32_t n[3], nodes[3]; /* cells and nodes per direction; 0 and 1 beyond dim */
  int64_t n_node, n_body;
  Side side[6]; /* x0 x1 y0 y1 z0 z1 */
} Box;

static const char *const side_name[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};

static Status check_params(const BoxParams *params, const ElementType *type) {
  CHECK(type != NULL && type->dim >= 2, ERR_INPUT, "a box of %s: only elements of two or three dimensions",
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

/* The vertices of piece p of the cell at c, as corners of the cell. */
static void piece_corners(const Box *box, const int32_t c[3], int32_t p, int32_t corner[8]) {
  int32_t mirror = 0;
  bool odd = false;
  for (int32_t k = 0; k < box->dim && box->cell->mirrored; k++) {
    mirror |= (c[k] & 1) << k;
    odd = odd != (c[k] & 1);
  }
  for (int32_t v = 0; v < box->type->n_vertex; v++) {
    const int32_t from = odd && v % 2 == 1 ? 4 - v : v; /* the base in reverse */
    corner[v] = box->cell->corner[p][from] ^ mirror;
  }
}

static bool face_on_side(const ElementFace *face, const int32_t *corner, int32_t s) {
  const int32_t bit = 1 << s / 2, wanted = s % 2 ? bit : 0;
  for (int32_t v = 0; v < element_type(face->kind)->n_vertex; v++) {
    if ((corner[face->nodes[v]] & bit) != wanted) return false;
  }
  return true;
}

static void plan_side(const Box *box, int32_t s, Side *side) {
  int32_t c[3] = {0}, corner[8];
  c[s / 2] = s % 2 ? box->n[s / 2] - 1 : 0;
  for (int32_t p = 0; p < box->cell->n_piece; p++) {
    piece_corners(box, c, p, corner);
    for (int32_t f = 0; f < box->type->n_face; f++) {
      const ElementFace *face = &box->type->face[f];
      if (!face_on_side(face, corner, s)) continue;
      side->type = element_type(face->kind);
      side->per_cell++;
    }
  }
}

static Status box_plan(const BoxParams *params, Box *box) {
  const ElementType *type = element_type(params->kind);
  double n_node = 1.0, n_cell = 1.0, n_facet = 0.0;
  TRY(check_params(params, type));
  box->params = params;
  box->dim = type->dim;
  box->type = element_type(type->linear);
  box->cell = cell_of(type->shape);
  for (int32_t k = 0; k < 3; k++) {
    box->n[k] = k < box->dim ? params->n[k] : 0;
    box->nodes[k] = k < box->dim && params->n[k] < INT32_MAX ? params->n[k] + 1 : 1;
    n_node *= k < box->dim ? params->n[k] + 1.0 : 1.0;
    n_cell *= k < box->dim ? params->n[k] : 1.0;
  }
  for (int32_t s = 0; s < 2 * box->dim; s++) {
    plan_side(box, s, &box->side[s]);
    n_facet += box->side[s].per_cell * n_cell / params->n[s / 2];
  }
  CHECK(n_node <= INT32_MAX && n_cell * box->cell->n_piece + n_facet <= INT32_MAX, ERR_INPUT,
        "a box with %.4g nodes and %.4g elements, at most %d of each are possible", n_node,
        n_cell * box->cell->n_piece + n_facet, INT32_MAX);
  const int64_t cells = (int64_t)box->n[0] * box->n[1] * (box->dim > 2 ? box->n[2] : 1);
  box->n_node = (int64_t)box->nodes[0] * box->nodes[1] * box->nodes[2];
  box->n_body = cells * box->cell->n_piece;
  for (int32_t s = 0; s < 2 * box->dim; s++) box->side[s].n = cells / box->n[s / 2] * box->side[s].per_cell;
  return OK;
}

/* A number in [-1, 1] that depends on the node and direction alone (SplitMix64: Steele, Lea and Flood 2014). */
static double box_noise(int64_t node, int32_t direction) {
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
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; i++) {
    int32_t at[3] = {i % box->nodes[0], i / box->nodes[0] % box->nodes[1], i / box->nodes[0] / box->nodes[1]};
    bool inner = true;
    for (int32_t k = 0; k < box->dim; k++) inner = inner && at[k] > 0 && at[k] < box->n[k];
    for (int32_t k = 0; k < box->dim; k++) {
      const double offset = inner ? share * box_noise(i, k) : 0.0;
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

static void fill_body(const Box *box, const ElementBlock *block) {
  const int32_t pieces = box->cell->n_piece, n_vertex = box->type->n_vertex;
  const int32_t n_cell = (int32_t)(box->n_body / pieces);
#pragma omp parallel for schedule(static) num_threads(parts_of(n_cell))
  for (int32_t cell = 0; cell < n_cell; cell++) {
    const int32_t c[3] = {cell % box->n[0], cell / box->n[0] % box->n[1], cell / box->n[0] / box->n[1]};
    int32_t *to = block->nodes + (int64_t)cell * pieces * n_vertex;
    for (int32_t p = 0; p < pieces; p++) {
      int32_t corner[8];
      piece_corners(box, c, p, corner);
      for (int32_t v = 0; v < n_vertex; v++) *to++ = corner_node(box, c, corner[v]);
    }
  }
}

/* Facets of one cell on side s, appended at *to: the faces of its pieces with all vertices on that side. */
static int32_t *fill_cell_side(const Box *box, const int32_t c[3], int32_t s, int32_t *to) {
  int32_t corner[8];
  for (int32_t p = 0; p < box->cell->n_piece; p++) {
    piece_corners(box, c, p, corner);
    for (int32_t f = 0; f < box->type->n_face; f++) {
      const ElementFace *face = &box->type->face[f];
      if (!face_on_side(face, corner, s)) continue;
      for (int32_t v = 0; v < box->side[s].type->n_vertex; v++) *to++ = corner_node(box, c, corner[face->nodes[v]]);
    }
  }
  return to;
}

static void fill_side(const Box *box, int32_t s, int32_t *to) {
  const int32_t k = s / 2, u = k == 0 ? 1 : 0, w = k == 2 ? 1 : 2; /* the other two directions */
  const int32_t n_row = w < box->dim ? box->n[w] : 1;
  const int64_t per_row = (int64_t)box->n[u] * box->side[s].per_cell * box->side[s].type->n_vertex;
#pragma omp parallel for schedule(static) if (per_row * n_row > PART_WORTH)
  for (int32_t j = 0; j < n_row; j++) {
    int32_t c[3] = {0}, *at = to + j * per_row;
    c[k] = s % 2 ? box->n[k] - 1 : 0;
    for (int32_t i = 0; i < box->n[u]; i++) {
      if (w < box->dim) c[w] = j;
      c[u] = i;
      at = fill_cell_side(box, c, s, at);
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
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
  for (int32_t i = 0; i < block->n; i++) block->tag[i] = (int64_t)block->first + i + 1;
  mesh->n_element += block->n;
  return OK;
}

static Status make_group(const char *name, int32_t dim, int32_t first, int64_t n, Mesh *mesh) {
  Group *group = &mesh->group[mesh->n_group++];
  group->dim = dim;
  group->number = mesh->n_group;
  TRY(mem_text(name, "group name", &group->name));
  ALLOC(group->element, n, "elements of a group");
  group->n = (int32_t)n;
#pragma omp parallel for schedule(static) num_threads(parts_of(group->n))
  for (int32_t i = 0; i < group->n; i++) group->element[i] = first + i;
  return OK;
}

/* A block for each kind of facet, in order of kind, with its sides one after another; first[s]: the first element of
 * side s. */
static Status fill_sides(const Box *box, Mesh *mesh, int32_t first[6]) {
  for (int kind = 0; kind < N_ELEMENT_KINDS; kind++) {
    int64_t n = 0;
    for (int32_t s = 0; s < 2 * box->dim; s++) {
      if ((int)box->side[s].type->kind != kind) continue;
      first[s] = mesh->n_element + (int32_t)n;
      n += box->side[s].n;
    }
    if (n == 0) continue;
    const ElementBlock *block = &mesh->block[mesh->n_block];
    TRY(make_block((ElementKind)kind, n, mesh));
    for (int32_t s = 0; s < 2 * box->dim; s++) {
      const ElementType *type = box->side[s].type;
      if ((int)type->kind == kind) fill_side(box, s, block->nodes + (int64_t)(first[s] - block->first) * type->n_node);
    }
  }
  return OK;
}

static Status fill_mesh(const Box *box, Mesh *mesh) {
  static const char path[] = "generated box";
  int32_t first[6] = {0};
  mesh->dim = box->dim;
  mesh->n_node = (int32_t)box->n_node;
  ALLOC(mesh->path, sizeof path, "path of the mesh");
  memcpy(mesh->path, path, sizeof path);
  ALLOC(mesh->x, mesh->n_node, "node coordinates");
  ALLOC(mesh->node_tag, mesh->n_node, "node tags");
  ALLOC(mesh->block, 3, "element blocks");
  ALLOC(mesh->group, 7, "groups");
  TRY(fill_sides(box, mesh, first));
  TRY(make_block(box->type->kind, box->n_body, mesh));
  const ElementBlock *body = &mesh->block[mesh->n_block - 1];
  TRY(make_group("body", box->dim, body->first, box->n_body, mesh));
  for (int32_t s = 0; s < 2 * box->dim; s++)
    TRY(make_group(side_name[s], box->dim - 1, first[s], box->side[s].n, mesh));
  place_nodes(box, mesh);
  fill_body(box, body);
  return OK;
}

/* Elements that differ from those of the mesh by their rule alone: they, and their faces. */
static void change_rule(ElementKind kind, Mesh *mesh) {
  const ElementType *type = element_type(kind);
  const ElementKind facet = type->face[0].kind;
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const ElementType *now = element_type(mesh->block[b].kind),
                      *then = element_type(now->dim == type->dim ? kind : facet);
    if (now->dim >= type->dim - 1 && now->linear == then->linear && now->n_node == then->n_node)
      mesh->block[b].kind = then->kind;
  }
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
    if (status == OK) change_rule(params->kind, mesh);
  }
  if (status != OK) {
    mesh_destroy(&mesh);
    return status;
  }
  *out = mesh;
  return OK;
}
