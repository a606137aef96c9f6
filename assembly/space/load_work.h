/* What load.c and load_batch.c share: a load on its way through its facets or elements. */
#pragma once
#include "assembly/space/facet.h"
#include "assembly/space/load.h"

/* What a kind of load is made of. */
typedef struct LoadType {
  const char *name, *coefficient; /* coefficient: of the matrix that it brings, NULL: none */
  bool body, anywhere;            /* on solved elements, on any group; else on facets */
  bool normal, total, weighted;   /* along the outward normal; spread over the group's measure; times density */
  bool viscous, follows;          /* of velocities; its facets: it is a matrix too */
  bool inert;                     /* of accelerations: one value in all directions */
} LoadType;

typedef struct LoadWork {
  const LoadParams *params;
  const Load *load;
  const LoadType *type;
  int32_t index;
  bool timed, any; /* any: a value is not 0 */
  double total;    /* measure of the group where the load is spread over it, else 1 */
  Loads *out;
  Quadrature rule; /* of the facets now at hand */
  const ElementType *shape;
  double N[ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES];
} LoadWork;

/* ---- inertia.c ---- */
/* Gravity and the like, on the masses that lie on the elements of its group. ERR_INPUT: a value that is not finite. */
Status inertia_load(LoadWork *work);
/* ---- load_follow.c ---- */
/* Room for the facets of loads that follow them, a block per kind and load. */
Status follow_count(const LoadParams *params, Loads *out);
/* Facet at hand becomes the next of its block, with these points [n_q]. ERR_INPUT: a value that is not finite. */
Status follow_add(LoadWork *work, const Facet *facet, const LoadPoint *point);
/* Elements [begin, end) of the load's group one after the other. */
Status load_add(LoadWork *work, int32_t begin, int32_t end);
/* Is the node this rank's? The force at others is theirs. */
bool load_is_own(const LoadWork *work, int32_t node);
/* One of them: its nodes, and density [q][n_component] at its points, which become those at hand. */
Status load_densities(LoadWork *work, int32_t k, int32_t *nodes, double *density);
/* Makes the shape of one of them that at hand. */
Status load_shape(LoadWork *work, int32_t k);
/* One of them, of a load that depends on t: its points, and the shares of its nodes, where the first point is `first`. */
Status load_points(LoadWork *work, int32_t k, int64_t first, LoadPoint *point, LoadShare *share);
/* All of them by all threads, for loads without coefficients: the same sums and points in the same order, and the same
 * first failure, as load_add. ERR_MEMORY too. */
Status load_add_batches(LoadWork *work);
