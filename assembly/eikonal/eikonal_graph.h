/* What the sweeps go along: the simplices whose ways end at each node, the blocks of nodes beside each block. */
#pragma once
#include "assembly/eikonal/simplices.h"

typedef struct EikonalGraph {
  int32_t n_node, n_block;
  int32_t *start, *corner;    /* owned, [n_node + 1], [start[n_node]][n_corner]; as in EikonalArgs */
  int32_t *link_start, *link; /* owned, [n_node + 1], [link_start[n_node]] */
  int32_t *near_start, *near; /* owned, [n_block + 1], [near_start[n_block]] */
} EikonalGraph;

Status eikonal_graph_create(const Simplices *simplices, int32_t n_node, EikonalGraph *out);
void eikonal_graph_release(EikonalGraph *graph);
