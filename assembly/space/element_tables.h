/* Tables per element block on an Exec, as elasticity and diffusion both have them. */
#pragma once
#include "assembly/space/numbering.h"

/* Nodes of a block: node a of element e at a node_a + e node_e. New memory of the Exec, [n_node n]; ERR_MEMORY. */
Status element_upload_nodes(Exec *exec, const SetBlock *block, int32_t **out);
/* n items of `size` bytes, one per element; order[e] (Numbering.element) is the item that comes as number e, NULL: e.
 * New memory of the Exec; ERR_MEMORY. */
Status element_upload(Exec *exec, const int32_t *order, int32_t n, size_t size, const void *from, const char *what,
                      void **out);
/* Numbers of a block's table of pairs of nodes (kappa), n_component per pair. */
int64_t element_pair_size(const SetBlock *block, int32_t n_component);
