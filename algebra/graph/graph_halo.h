/* Rows of a graph that other ranks own, those of the nodes in a halo: as much of a neighbour's matrix or prolongator as a
 * product with the own rows reads. */
#pragma once
#include "algebra/graph/block_graph.h"
#include "core/halo.h"

/* Entries of the own rows, padding included, then those of the halo's rows, one row after the other. */
typedef struct GraphHalo {
  Halo *entries;   /* owned: brings what belongs to entries */
  int32_t n_row;   /* of others */
  int64_t n_entry; /* of those */
  int64_t *start;  /* owned, on the Exec, [n_row + 1], from 0 */
} GraphHalo;

/* rows: a halo of the graph's rows; an entry has up to `most` bytes. Collective. *out is owned by the caller, also after a
 * failure. ERR_INPUT: more than 2^31 entries. */
Status graph_halo_create(Exec *exec, const Halo *rows, const ExecGraph *own, size_t most, GraphHalo *out);
void graph_halo_release(Exec *exec, GraphHalo *halo);
/* The graph, of consecutive rows, with those of others behind its own; columns have the same meaning on all ranks. Drops
 * graph->row. Collective. */
Status graph_halo_append(Exec *exec, const GraphHalo *halo, ExecGraph *graph);
