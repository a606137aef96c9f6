/* Surfaces of contact with sharp edges: rows of the mortar method for each side of an edge. */
#pragma once
#include "mesh/mesh.h"

#define SIDES_COSINE 0.766 /* of 40 degrees: facets at a node that turn by more are on two sides of an edge */

/* Of one pair of surfaces. */
typedef struct Sides {
  Mesh
      mesh; /* with nodes of their own for the sides of edges, behind those of the mesh; x and blocks owned where n_more > 0 */
  int32_t n_more, *real; /* [n_more] owned: which nodes these are */
  double (*normal)[3],
      (*facing)[3]; /* owned, of rows: of own facets, and of what is opposite; the latter where n_more > 0 */
  double *thick;    /* owned, of rows: thickness, or the circle at radius 1 */
  /* of rows, once functions at edges were given to neighbours (contact_shares.c); NULL: none was */
  double *scale, *given; /* owned: factor of the node itself; part of the area that was given to it */
  int64_t *start;        /* owned: nodes of the same surface that a row has, corners of its edge among them, */
  int32_t *own;          /* owned, ascending in a row */
  double *weight;        /* owned */
} Sides;

static inline int32_t sides_node(const Sides *s, int32_t node) {
  const int32_t more = node - (s->mesh.n_node - s->n_more);
  return more < 0 ? node : s->real[more];
}
/* outward: of facets of both groups (Facet.outward). Whatever comes, sides_release follows. */
Status sides_create(const Mesh *mesh, const Group *const group[2], double *const outward[2], Sides *out);
void sides_release(Sides *sides);
