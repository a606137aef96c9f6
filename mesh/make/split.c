/* Tables of the points where children have nodes; see split.h. */
#include "mesh/make/split.h"
#include "core/memory.h"

#include <math.h>

/* Shape functions that are zero at a lattice point come out as zero or as rounding of it. */
static const double ZERO_WEIGHT = 1e-13;

static void fill_point(const ElementType *parent, const double xi[3], SplitPoint *point) {
  double N[ELEMENT_MAX_NODES];
  element_type(parent->linear)->values(xi, N);
  for (int32_t v = 0; v < parent->n_vertex; v++) {
    if (fabs(N[v]) < ZERO_WEIGHT) continue;
    point->vertex[point->n_vertex] = v;
    point->share[point->n_vertex++] = (uint8_t)lround(N[v] * SPLIT_SHARES);
  }
  parent->values(xi, N);
  for (int32_t a = 0; a < parent->n_node; a++) {
    if (fabs(N[a]) < ZERO_WEIGHT) continue;
    point->source[point->n_source] = a;
    point->weight[point->n_source++] = N[a];
  }
  const bool own = point->n_source == 1 && fabs(point->weight[0] - 1.0) < ZERO_WEIGHT;
  point->node = own ? point->source[0] : -1;
}

/* Index of the point at xi, added when it is new; -1 when the table is full. at[] keeps the coordinates. */
static int32_t find_point(Split *split, double (*at)[3], const double xi[3]) {
  for (int32_t p = 0; p < split->n_point; p++) {
    if (fabs(at[p][0] - xi[0]) + fabs(at[p][1] - xi[1]) + fabs(at[p][2] - xi[2]) < 1e-9) return p;
  }
  if (split->n_point == SPLIT_MAX_POINTS) return -1;
  const int32_t p = split->n_point++;
  for (int32_t k = 0; k < 3; k++) at[p][k] = xi[k];
  fill_point(split->parent, xi, &split->point[p]);
  return p;
}

/* Child c: its kind, and its nodes among the points. */
static Status split_fill(Split *split, int32_t c, const SplitChild *from, double (*at)[3]) {
  const ElementType *type = from->type, *vertices = element_type(type->linear);
  CHECK(type->n_vertex <= SPLIT_MAX_VERTICES, ERR_BUG, "a split of %s into %s", split->parent->name, type->name);
  split->child[c] = type;
  for (int32_t a = 0; a < type->n_node; a++) {
    double N[ELEMENT_MAX_NODES], xi[3] = {0};
    vertices->values(type->node[a], N);
    for (int32_t v = 0; v < type->n_vertex; v++) {
      for (int32_t k = 0; k < 3; k++) xi[k] += N[v] * from->corner[v][k];
    }
    const int32_t p = find_point(split, at, xi);
    CHECK(p >= 0, ERR_BUG, "a split of %s needs more than %d points", split->parent->name, SPLIT_MAX_POINTS);
    split->child_node[c][a] = p;
  }
  return OK;
}

Status split_create(const ElementType *parent, int32_t n_child, const SplitChild *child, Split **out) {
  double at[SPLIT_MAX_POINTS][3];
  Status status = OK;
  *out = NULL;
  CHECK(n_child <= SPLIT_MAX_CHILDREN, ERR_BUG, "a split of %s into %d elements", parent->name, n_child);
  Split *split = NULL;
  ALLOC(split, 1, "table of an element's children");
  split->parent = parent;
  split->n_child = n_child;
  for (int32_t c = 0; c < n_child && status == OK; c++) status = split_fill(split, c, &child[c], at);
  if (status == OK) *out = split;
  else FREE(split);
  return status;
}

void split_destroy(Split **split) { FREE(*split); }
