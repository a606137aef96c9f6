/* Integration points of solved elements: where a rank keeps them, and where they are among those of the whole mesh. There they
 * follow the elements of the mesh, so that what is kept at points in that order suits any number of ranks. */
#pragma once
#include "assembly/space/space.h"

/* Point q of element e of a solved block, elements in the solver's order, is first + q step_q + e step_e. */
typedef struct PointBlock {
  int32_t n_q;
  int64_t first, step_q, step_e;
} PointBlock;

typedef struct PointPlaces {
  int64_t n;
  int64_t *here, *place; /* owned, [n]: of this rank's points, in the rank's arrays and in those of the whole */
} PointPlaces;

/* Points of the solved elements of the whole mesh, with the rule of the stiffness. local NULL: the mesh is the whole. */
Status point_places_whole(const Mesh *mesh, const LocalMesh *local, int64_t *n);
/* Room for n places, none of which is filled in. */
Status point_places_alloc(int64_t n, PointPlaces *out);
/* block[k] of solved block k; own: of the elements whose first node is this rank's, of which each has one rank. */
Status point_places_find(const Space *space, const LocalMesh *local, const PointBlock *block, bool own,
                         PointPlaces *out);
void point_places_release(PointPlaces *places);
/* here [n_array][n_here] of each rank, on the host, to whole [n_array][n_whole] of rank 0; elsewhere that is not looked at.
 * Collective. */
Status point_places_collect(Comm *comm, const PointPlaces *places, int64_t n_array, int64_t n_here, const double *here,
                            int64_t n_whole, double *whole);
/* The other way, from the same `whole` on each rank. */
void point_places_deal(const PointPlaces *places, int64_t n_array, int64_t n_here, double *here, int64_t n_whole,
                       const double *whole);
