/* Graphs of products and transposes on the host, row by row: what those of an Exec must be. */
#pragma once
#include "algebra/graph/block_graph.h"

/* Row i of the result holds all columns of the rows of b that row i of a names: the graph of a product. Rows i with
 * skip[i] are empty; skip may be NULL. */
Status block_graph_times(const BlockGraph *a, const BlockGraph *b, const uint8_t *skip, BlockGraph *out);
/* source[k]: which entry of the graph entry k of its transpose is; owned by the caller, also after a failure. */
Status block_graph_transpose(const BlockGraph *a, BlockGraph *out, int64_t **source);
