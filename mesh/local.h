/* What a rank has of a mesh: its own nodes, all elements that have one of them, and the other nodes of those
 * and of pairs (partition.h), its halo.
 * Each element at an own node is here, so rows of own nodes are assembled without a word to other ranks, and
 * since nodes and elements keep the order they have in the whole, every sum over them has its terms in the same order.
 *
 * The solver numbers own nodes first, then the halo, each ascending in the numbers of the whole; halo nodes of one owner
 * follow each other. */
#pragma once
#include "core/halo.h"
#include "mesh/mesh.h"
#include "mesh/partition.h"

typedef struct LocalMesh {
  Mesh *mesh; /* owned: groups, fields, numbers of the file and blocks as in the whole, any of them maybe empty */
  int32_t rank;
  bool sorted;            /* the solver has a numbering of its own in the whole, not the mesh's */
  int32_t n_whole, first; /* nodes of the whole, and the number there of the first own one */
  int32_t n_own;          /* own nodes; the halo is the rest of mesh->n_node */
  int32_t n_low;          /* halo nodes whose numbers in the whole are below those of own nodes */
  int32_t *solver;        /* owned, [n_node], the solver's number here of each node */
  int32_t *node;          /* owned, [n_node], the node of the whole that each is, ascending */
  int32_t *element;       /* owned, [n_element], the element of the whole that each is, ascending in each block */
  int32_t *block_first; /* owned, [n_block + 1], the element of the whole that each block begins with there, and all */
  int32_t n_peer;       /* ranks with nodes in this halo, which have nodes of this rank in theirs */
  int32_t *peer;        /* owned, [n_peer], ascending */
  int64_t *send_start;  /* owned, [n_peer + 1] */
  int32_t *send;        /* owned, solver's numbers of own nodes that peer k has in its halo, in its order */
  int64_t *recv_start;  /* owned, [n_peer + 1]: the halo of peer k is n_own + recv_start[k] .. recv_start[k + 1) */
} LocalMesh;

/* number[n_node]: the solver's number of each node in the whole, NULL: the mesh's own. ERR_MEMORY; whatever comes,
 * local_mesh_release puts it away. */
Status local_mesh_create(const Mesh *mesh, const Partition *partition, const int32_t *number, int32_t rank,
                         LocalMesh *out);
void local_mesh_release(LocalMesh *local);
/* The elements with keep[n_element] and their nodes as a mesh of its own, in their order, without blocks and groups that
 * are empty then; the whole becomes its `whole`, and *mesh, which owned it, the part. ERR_MEMORY: *mesh is the whole. */
Status mesh_keep(Mesh **mesh, const uint8_t *keep);
/* For halo_create: views. */
static inline HaloLists local_mesh_lists(const LocalMesh *l) {
  return (HaloLists){l->n_own, l->mesh->n_node - l->n_own, l->n_peer, l->peer, l->send_start, l->send, l->recv_start};
}
