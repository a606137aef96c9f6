/* Aggregates of nodes: the unknowns of the next coarser level in smoothed aggregation. */
#pragma once
#include "solver/block_graph.h"

typedef struct Aggregates {
  int32_t n;            /* aggregates */
  int32_t *of;          /* owned, [n_node]; -1: in none */
  int32_t *start, *member; /* owned, nodes of each aggregate: member[start[a] .. start[a + 1]), ascending */
  int64_t n_member;
} Aggregates;

/* Nodes i and j are tied strongly when weight[k] > limit for the entry k of (i, j), the diagonal does not count. Nodes that
 * are not in[] stay out, as do those without strong neighbours. Deterministic and serial. ERR_MEMORY. */
Status aggregates_create(const BlockGraph *graph, const float *weight, float limit, const uint8_t *in, Aggregates *out);
void aggregates_release(Aggregates *a);
