/* Which rank owns which nodes. Nodes are known by their numbers in the solver's order of the whole mesh, which is the
 * same for any number of ranks, and that order is cut in contiguous ranges: the curve through the nodes, or the order of
 * the file where that keeps neighbours near, makes each of them compact, and a run alone has the numbering it always
 * had.
 *
 * Parts are fixed by the number of nodes alone and begin at multiples of ROW_CHUNK; a rank owns a run of whole parts. A
 * sum that is found part by part, and over the parts in order, then has the same bits for any number of ranks. */
#pragma once
#include "core/status.h"
#include "mesh/mesh.h"

#include <stdint.h>

enum { PARTITION_PARTS = 64 };

/* Nodes that equations join: sets [n], that have no node in common. */
typedef struct LinkedNodes {
  int32_t n;
  int64_t *start; /* owned, [n + 1] */
  int32_t *node;  /* owned, ascending in each set */
} LinkedNodes;
void linked_nodes_release(LinkedNodes *linked);

typedef struct Partition {
  int32_t n_node, n_part, n_rank;
  int32_t part[PARTITION_PARTS + 1]; /* part p has the numbers part[p] .. part[p + 1) */
  int32_t own[PARTITION_PARTS + 1];  /* rank r owns the numbers own[r] .. own[r + 1) */
  int32_t n_pair;
  const int32_t (
      *pair)[2]; /* borrowed, [n_pair], nodes that belong together as those of an element do; _create: none */
  const LinkedNodes *linked; /* borrowed, likewise; NULL: none */
} Partition;

/* ERR_INPUT: more ranks than parts. */
Status partition_create(int32_t n_node, int32_t n_rank, Partition *out);
/* The rank that owns a number, and the part that it lies in. */
int32_t partition_owner(const Partition *partition, int32_t number);
int32_t partition_part(const Partition *partition, int32_t number);

/* What each rank has where nodes are linked, by node, bit r: rank r. A row of T^T K T (assembly/space/equations.h) needs
 * the rows of K of all nodes that depend on its own, which are whole where all elements at them are here, and what the
 * unknowns of these elements depend on. */
typedef struct PartitionReach {
  uint64_t *around; /* owned, [n_node]: all elements at it, with their nodes; its own, and sets that have one of them */
  uint64_t *has;    /* owned, [n_node]: the node; those of these elements, and sets that have one of them */
} PartitionReach;
/* ERR_MEMORY; whatever comes, partition_reach_release puts it away. */
Status partition_reach(const Partition *partition, const Mesh *mesh, const int32_t *number, PartitionReach *out);
void partition_reach_release(PartitionReach *reach);

/* What a rank has to do with. */
typedef struct PartitionShare {
  int32_t n_own, n_halo; /* nodes; halo: of others, in elements and pairs with own nodes */
  int32_t n_element;     /* solved elements with own nodes */
  int32_t n_peer;        /* ranks that own halo nodes */
} PartitionShare;
/* share[n_rank]; number[n_node]: the solver's number of each node, NULL: the mesh's own. ERR_MEMORY. */
Status partition_shares(const Partition *partition, const Mesh *mesh, const int32_t *number, PartitionShare *share);
