/* Uniform refinement: line 2, triangle and quad 4, tetrahedron, hexahedron and wedge 8 children, pyramid 6 and 4
 * tetrahedra; a point stays.
 *
 * Quadratic elements get children of their own kind whose nodes lie on the parent's curved geometry (its shape
 * functions are evaluated there). A tetrahedron has four children at its vertices; the octahedron between them is cut
 * along its shortest diagonal, which keeps the shapes from degenerating (Zhang 1995), the first one where lengths are
 * equal.
 *
 * Node fields are interpolated with the parent's shape functions; fields named fiber, fibre or sheet
 * (mesh/fibers/axis.h) hold axes, whose sign means nothing, so the dyad is averaged and its principal direction taken.
 * Element fields are inherited by all children. */
#include "core/memory.h"
#include "mesh/elements/halved.h"
#include "mesh/make/derive.h"
#include "mesh/make/halve.h"

#include <math.h>
#include <string.h>

/* The middle of vertices i and j of a parent, in reference coordinates. */
static void refine_middle(const ElementType *type, int32_t i, int32_t j, double out[3]) {
  for (int32_t k = 0; k < 3; k++) out[k] = 0.5 * (type->node[i][k] + type->node[j][k]);
}

/* Lines, quads, hexes: child c is the parent shrunk to half its size towards vertex c. Points: themselves. */
static int32_t shrunk_children(const ElementType *type, const ElementType *kind, SplitChild *child) {
  for (int32_t c = 0; c < type->n_vertex; c++) {
    child[c].type = kind;
    for (int32_t v = 0; v < type->n_vertex; v++) refine_middle(type, c, v, child[c].corner[v]);
  }
  return type->n_vertex;
}

/* Triangle: three at the vertices, then the inner one, turned by half a turn. */
static int32_t triangle_children(const ElementType *type, const ElementType *kind, SplitChild *child) {
  shrunk_children(type, kind, child);
  child[3].type = kind;
  for (int32_t v = 0; v < 3; v++) refine_middle(type, v, (v + 1) % 3, child[3].corner[v]);
  return 4;
}

/* Wedge: a triangle's children in two layers. */
static int32_t wedge_children(const ElementType *type, const ElementType *kind, SplitChild *child) {
  shrunk_children(type, kind, child);
  for (int32_t layer = 0; layer < 2; layer++) {
    child[6 + layer].type = kind;
    for (int32_t v = 0; v < 6; v++) {
      refine_middle(type, v % 3, (v + 1) % 3, child[6 + layer].corner[v]);
      child[6 + layer].corner[v][2] = (double)(layer + v / 3 - 1);
    }
  }
  return 8;
}

/* The inner octahedron's diagonals join the middles of opposite edges; the other four edges go round each of them. */
typedef struct Diagonal {
  int32_t from[2], to[2], ring[4][2];
} Diagonal;
static const Diagonal diagonals[DERIVE_VARIANTS] = {
    {{0, 1}, {2, 3}, {{0, 2}, {1, 2}, {1, 3}, {0, 3}}},
    {{1, 2}, {0, 3}, {{0, 1}, {1, 3}, {2, 3}, {0, 2}}},
    {{0, 2}, {1, 3}, {{0, 1}, {0, 3}, {2, 3}, {1, 2}}},
};

static double refine_orientation(const double (*x)[3]) {
  double e[3][3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) e[i][k] = x[i + 1][k] - x[0][k];
  }
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/* A tetrahedron between four points, in the order that makes its volume positive. */
static void set_tetrahedron(const ElementType *type, double point[4][3], SplitChild *child) {
  const bool turn = refine_orientation((const double(*)[3])point) <= 0.0;
  child->type = type;
  for (int32_t v = 0; v < 4; v++) memcpy(child->corner[turn && v > 1 ? 5 - v : v], point[v], sizeof point[v]);
}

static int32_t tetrahedron_children(const ElementType *type, const ElementType *kind, const Diagonal *diagonal,
                                    SplitChild *child) {
  shrunk_children(type, kind, child);
  for (int32_t r = 0; r < 4; r++) {
    const int32_t *here = diagonal->ring[r], *next = diagonal->ring[(r + 1) % 4];
    double point[4][3];
    refine_middle(type, diagonal->from[0], diagonal->from[1], point[0]);
    refine_middle(type, diagonal->to[0], diagonal->to[1], point[1]);
    refine_middle(type, here[0], here[1], point[2]);
    refine_middle(type, next[0], next[1], point[3]);
    set_tetrahedron(kind, point, &child[4 + r]);
  }
  return 8;
}

/* Pyramid: five at the vertices, one upside down from the middles of the upright edges to that of the base, and on each
 * edge of the base a tetrahedron between them. */
static int32_t pyramid_children(const ElementType *type, const ElementType *as, SplitChild *child) {
  const ElementType *tetrahedron = NULL;
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    const ElementType *kind = element_type((ElementKind)k);
    if (kind->shape == SHAPE_TETRAHEDRON && kind->order == as->order) tetrahedron = kind;
  }
  shrunk_children(type, as, child);
  child[5].type = as;
  for (int32_t v = 0; v < 4; v++) refine_middle(type, 3 - v, 4, child[5].corner[v]);
  refine_middle(type, 0, 2, child[5].corner[4]);
  for (int32_t v = 0; v < 4; v++) {
    double point[4][3];
    refine_middle(type, v, (v + 1) % 4, point[0]);
    refine_middle(type, 0, 2, point[1]);
    refine_middle(type, v, 4, point[2]);
    refine_middle(type, (v + 1) % 4, 4, point[3]);
    set_tetrahedron(tetrahedron, point, &child[6 + v]);
  }
  return 10;
}

/* The variant of a tetrahedron: its shortest inner diagonal, measured between the straight edges' middles. */
static int32_t shortest_diagonal(const ElementType *type, const double (*x)[3], const int32_t *nodes) {
  int32_t best = 0;
  double shortest = 0.0;
  (void)type;
  for (int32_t d = 0; d < DERIVE_VARIANTS; d++) {
    const Diagonal *diagonal = &diagonals[d];
    double square = 0.0;
    for (int32_t k = 0; k < 3; k++) {
      const double gap = x[nodes[diagonal->from[0]]][k] + x[nodes[diagonal->from[1]]][k] -
                         x[nodes[diagonal->to[0]]][k] - x[nodes[diagonal->to[1]]][k];
      square += gap * gap;
    }
    if (d > 0 && square >= shortest * (1.0 - 1e-9)) continue; /* equal but for rounding: the first one */
    best = d;
    shortest = square;
  }
  return best;
}

/* Children of a kind on its vertices. */
static Status plan_kind(const ElementType *type, const ElementType *kind, Split **variant) {
  SplitChild child[SPLIT_MAX_CHILDREN] = {{0}};
  int32_t n = 0;
  if (type->shape == SHAPE_TETRAHEDRON) {
    for (int32_t d = 0; d < DERIVE_VARIANTS; d++) {
      n = tetrahedron_children(type, kind, &diagonals[d], child);
      TRY(split_create(type, n, child, &variant[d]));
    }
    return OK;
  }
  switch (type->shape) {
  case SHAPE_TRIANGLE: n = triangle_children(type, kind, child); break;
  case SHAPE_WEDGE: n = wedge_children(type, kind, child); break;
  case SHAPE_PYRAMID: n = pyramid_children(type, kind, child); break;
  default: n = shrunk_children(type, kind, child);
  }
  return split_create(type, n, child, &variant[0]);
}

static Status derive_children(const Mesh *mesh, bool linear, NodeSources *sources, Mesh **out) {
  DerivePlan plan = {.choose = shortest_diagonal, .sources = sources};
  Status status = OK;
  *out = NULL;
  for (int32_t b = 0; b < mesh->n_block && status == OK; b++) {
    const ElementType *type = element_type(mesh->block[b].kind);
    status = plan_kind(type, linear ? element_type(type->linear) : type, plan.split[type->kind]);
  }
  if (status == OK) status = mesh_derive(mesh, &plan, out);
  derive_plan_release(&plan);
  return status;
}

Status mesh_refine(const Mesh *mesh, Mesh **out) { return mesh_refine_from(mesh, NULL, out); }

Status mesh_refine_from(const Mesh *mesh, NodeSources *sources, Mesh **out) {
  TRY_CONTEXT(derive_children(mesh, false, sources, out), "while refining the mesh");
  return OK;
}

Status mesh_halve(const Mesh *mesh, Mesh **out) {
  *out = NULL;
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const ElementType *type = element_type(mesh->block[b].kind);
    CHECK(type->dim == 0 || mesh->block[b].n == 0 || element_halves(type), ERR_MESH,
          "%s has no linear elements on its nodes alone", type->name);
  }
  TRY_CONTEXT(derive_children(mesh, true, NULL, out), "while elements are made linear ones");
  return OK;
}
