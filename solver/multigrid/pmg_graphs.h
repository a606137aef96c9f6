/* Graphs of the products of p-multigrid, found once on the Exec. */
#pragma once
#include "algebra/graph/block_graph.h"
#include "solver/multigrid/pmg_share.h"

/* P has a row for every node here, own ones first; A and A P those of the own ones, the latter those of others too that
 * P^T A P reads; P^T and P^T A P have a row for each own node of lower order. Columns are numbers here, in the order of
 * the whole; those of A P that nothing reads may be -1. */
typedef struct PmgGraphs {
  ExecGraph on_p, on_transposed, on_a, on_ap, on_next; /* of P, P^T, A, A P, P^T A P; whoever takes one empties it */
  BlockGraph next;                                     /* on_next on the host, owned */
  int64_t *source; /* on the Exec, [n_source], the block of P of each one of P^T; whoever takes it sets NULL */
  double *map;     /* the interpolation, on the Exec, [n_map]; the same */
  int64_t n_source, n_map;
} PmgGraphs;
void pmg_graphs_release(Exec *exec, PmgGraphs *g);
/* share->ap is made here. Collective. ERR_MEMORY, ERR_GPU; whatever comes, pmg_graphs_release follows. */
Status pmg_graphs_find(const Precond *m, const NodeMap *up, PmgShare *share, PmgGraphs *out);
