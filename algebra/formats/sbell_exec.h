/* SBELL made where its graph is: on the Exec, by row kernels, with nothing taken to the host but the number of
 * slots. */
#pragma once
#include "algebra/graph/block_graph.h"
#include "algebra/mat.h"

/* A matrix with blocks of `block` from a graph whose nodes are `parts` block rows each, in natural order, in slices of
 * 32. Values are zero. Slots are not listed, so that nothing can be assembled into it; see amg_store_lanes. *out NULL:
 * padding would take more than a tenth of it, and rows want to be sorted (mat_create). ERR_MEMORY, ERR_GPU. */
Status sbell_create_on_exec(Exec *exec, const ExecGraph *graph, int32_t parts, int32_t block, Precision precision,
                            Mat **out);
