/* Between local.c and local_carry.c. */
#pragma once
#include "mesh/local.h"

/* Peers and their lists, by what all ranks have, NULL: as elements and pairs say; number[n_node - n_own]: those of the halo in the whole, in the solver's order; at[node of the whole]: the
 * one here, or -1. */
Status local_peers(const Partition *partition, LocalMesh *local, const int32_t *number, const int32_t *at,
                   const PartitionReach *reach);
/* Names, groups and fields of the whole; nodes and elements are there. */
Status local_carry(const Mesh *from, LocalMesh *local);
