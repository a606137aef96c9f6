/* Elements with the same set of nodes, whatever their order. */
#pragma once
#include "core/status.h"

#include <stdint.h>

/* first[i] (out, [n]) is the lowest element whose n_node nodes are the same set as those of element i, i itself when it
 * is the first. nodes [n][n_node], n_node at most ELEMENT_MAX_NODES. ERR_MEMORY. */
Status same_nodes_find(const int32_t *nodes, int32_t n, int32_t n_node, int32_t *first);
