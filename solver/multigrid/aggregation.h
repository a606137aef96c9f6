/* Aggregates of nodes: the unknowns of the next coarser level in smoothed aggregation. */
#pragma once
#include "algebra/graph/graph_halo.h"
#include "core/sum_parts.h"

/* Where ranks share the nodes: aggregates are those of one rank, and go over borders. */
typedef struct TieShare {
  const Halo *halo;      /* of the nodes */
  const GraphHalo *rows; /* of their entries */
  const SumParts *parts;
  int32_t first; /* the first own node in the whole */
} TieShare;

/* Nodes i and j are tied strongly when weight[k] > limit for the entry k of (i, j); the diagonal does not count. */
typedef struct Ties {
  const ExecGraph *a;  /* on the Exec, as is all below */
  const float *weight; /* [entry, then those of the rows of other ranks] */
  const uint8_t *in;   /* [node]: 0 for those that stay out */
  float limit;
  int32_t rounds; /* most rounds on the Exec before the host takes over; 0: chosen (aggregation.c), -1: none. Not looked
                     at where ranks share */
  const TieShare *share; /* NULL: all nodes are here */
} Ties;

typedef struct Aggregates {
  int32_t n, n_node; /* aggregates of all ranks; nodes, those of others among them */
  int32_t *of;       /* owned, on the Exec, [n_node]; -1: in none */
  ExecGraph
      member; /* owned: nodes of each aggregate, ascending, and behind the last one those in none; aggregates_list */
} Aggregates;

/* Nodes that are not in[] stay out, as do those without strong neighbours. *out is owned by the caller, also after a
 * failure. Deterministic: the same whatever `rounds` is. ERR_MEMORY, ERR_GPU. */
Status aggregates_create(Exec *exec, const Ties *ties, Aggregates *out);
/* Who is in each, where that is not known. */
Status aggregates_list(Exec *exec, Aggregates *a);
void aggregates_release(Exec *exec, Aggregates *a);
