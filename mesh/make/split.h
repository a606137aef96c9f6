/* Split: where the nodes of an element's children lie in the element, computed from the registry alone, so that a new
 * kind of element is refined and elevated without a line of code. The same table serves mesh_refine (several children,
 * of the parent's kind but for a pyramid's tetrahedra) and mesh_elevate (one child of higher order).
 *
 * A point is known to the neighbours by its multilinear position between the parent's vertices: on a shared face or
 * edge only the vertices of that face or edge have a share, and both sides compute the same shares. */
#pragma once
#include "mesh/elements/element.h"

/* 5^3 points of a hex27 that becomes 8. */
enum { SPLIT_MAX_POINTS = 125, SPLIT_MAX_CHILDREN = 10, SPLIT_MAX_VERTICES = 8, SPLIT_SHARES = 64 };

typedef struct SplitPoint {
  int32_t node;                       /* the parent's own node there, or -1 */
  int32_t n_vertex;                   /* vertices with a share; all of them: a point inside the parent */
  int32_t vertex[SPLIT_MAX_VERTICES]; /* local */
  uint8_t share[SPLIT_MAX_VERTICES];  /* in 1 / SPLIT_SHARES, rounded: tells points apart, is no weight */
  int32_t n_source;                   /* parent nodes that are not zero there */
  int32_t source[ELEMENT_MAX_NODES];  /* local */
  double weight[ELEMENT_MAX_NODES];   /* the parent's shape functions, [n_source] */
} SplitPoint;

typedef struct Split {
  const ElementType *parent;
  int32_t n_point, n_child;
  const ElementType *child[SPLIT_MAX_CHILDREN];
  SplitPoint point[SPLIT_MAX_POINTS];
  int32_t child_node[SPLIT_MAX_CHILDREN][ELEMENT_MAX_NODES]; /* indices into point */
} Split;

/* A child is the (multi)linear image of its own reference domain. */
typedef struct SplitChild {
  const ElementType *type;
  double corner[SPLIT_MAX_VERTICES][3]; /* its vertices in the parent's reference coordinates */
} SplitChild;

/* ERR_BUG when a table is too small. */
Status split_create(const ElementType *parent, int32_t n_child, const SplitChild *child, Split **out);
void split_destroy(Split **split);
