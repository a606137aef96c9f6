/* Graphs of the products of p-multigrid, found once: products on the Exec, the interpolation on the host. */
#pragma once
#include "algebra/graph/block_graph.h"
#include "solver/multigrid/pmg_share.h"

#include <stdbool.h>

/* P has a row for every node here, own ones first; A and A P those of the own ones, the latter those of others too that
 * P^T A P reads; P^T and P^T A P have a row for each own node of lower order. Columns are numbers here, in the order of
 * the whole; those of A P that nothing reads may be -1. */
typedef struct PmgGraphs {
  ExecGraph on_a, on_ap, on_next; /* of A, A P, P^T A P, on the Exec; whoever takes one empties it */
  BlockGraph p, transposed, next; /* owned, but for a view of p */
  bool p_is_view;
  int64_t *source; /* owned, the block of P of each one of P^T */
  double *map;     /* the interpolation, on the Exec, [n_map]; whoever takes it sets NULL */
  int64_t n_map;
} PmgGraphs;
void pmg_graphs_release(Exec *exec, PmgGraphs *g);
/* share->ap is made here. Collective. ERR_MEMORY, ERR_GPU; whatever comes, pmg_graphs_release follows. */
Status pmg_graphs_find(const Precond *m, const NodeMap *up, PmgShare *share, PmgGraphs *out);
