/* When a front arrives that runs with a velocity v(n) in direction n: (grad T)^T D grad T = 1, where D has the squares of
 * the velocities along its axes, so that v(n)^2 is 1 / (n^T D^-1 n). One object per mesh and D; a solve starts where and
 * when it is told. The scheme (eikonal_local.h) takes the earliest time over straight ways within the elements at a
 * node, which is of first order in their size, and comes out the same for any number of threads. */
#pragma once
#include "core/exec.h"
#include "mesh/mesh.h"

typedef struct EikonalParams {
  const Mesh *mesh;          /* borrowed, as is all here, during _create only */
  const double (*tensor)[6]; /* [n_solved] D, xx yy zz xy yz xz, symmetric positive definite */
  const int32_t *node_rank;  /* [n_node] order in which nodes lie in memory; NULL: the mesh's */
  const Halo
      *halo; /* of several ranks: the mesh is this rank's, own nodes lie first; outlives the object. NULL: alone */
} EikonalParams;

typedef struct EikonalReport {
  int64_t sweeps;
  int64_t n_unreached; /* nodes of elements that no way leads to */
  double last;         /* the latest time; 0 where none is reached */
} EikonalReport;

typedef struct Eikonal Eikonal;
/* ERR_INPUT: elements that are not linear. ERR_MESH: too many. Collective, as _solve. */
Status eikonal_create(Exec *exec, const EikonalParams *params, Eikonal **out);
/* Other tensors on the same mesh in the same order. */
Status eikonal_renew(Eikonal *eikonal, const EikonalParams *params);
void eikonal_destroy(Eikonal **eikonal);
/* start[n_node], host, mesh order: when a front starts there, INFINITY: it does not; finite ones >= 0. time[n_node],
 * likewise: when it arrives, at most start; -1: never. The report is of all ranks. */
Status eikonal_solve(Eikonal *eikonal, const double *start, double *time, EikonalReport *report);
