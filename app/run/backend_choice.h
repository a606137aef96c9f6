/* Whether `--backend auto` leaves a GPU alone, since a small case is done on the CPU before a GPU has started. */
#pragma once
#include "app/input/physics.h"
#include "app/run/backend.h"

/* Seconds that a case is expected to take on each; see Physics.cost. */
typedef struct BackendCost {
  double cpu, gpu;
} BackendCost;
BackendCost backend_cost(const Case *c, int64_t n_node, int threads);
/* Is the GPU left alone? A direct solve does so with `auto`, whatever it costs. Asked for nothing but the CPU it is, with `auto` where one is likely to be there and the cost
 * (out, else zero) says so. */
bool backend_leaves_gpu(Backend backend, const Case *c, int64_t n_node, int threads, BackendCost *cost);
/* About the nodes of a mesh that has not been read, from the size of its file; INT64_MAX: not known. */
int64_t backend_guess_nodes(const Case *c);
