/* What a rank's share of a mesh carries along, and who its neighbours are. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/local_private.h"

#include <string.h>

static const char *const WHAT = "a rank's share of the mesh";

/* ---- neighbours ---- */

/* Of nodes that belong together, the own ones with the peers of the others. */
static void mark_together(const LocalMesh *l, const uint8_t *peer_of, const int32_t *nodes, int n_node,
                          uint64_t *mark) {
  uint64_t all = 0;
  for (int a = 0; a < n_node; ++a)
    if (l->solver[nodes[a]] >= l->n_own) all |= 1ull << peer_of[l->solver[nodes[a]] - l->n_own];
  for (int a = 0; a < n_node && all; ++a)
    if (l->solver[nodes[a]] < l->n_own) mark[l->solver[nodes[a]]] |= all;
}

/* Own nodes with peers that have them in their halo: bit k, peer k. */
static void mark_peers(const Partition *p, const LocalMesh *l, const uint8_t *peer_of, const int32_t *at,
                       uint64_t *mark) {
  for (int32_t b = 0; b < l->mesh->n_block; ++b) {
    const ElementBlock *block = &l->mesh->block[b];
    const int n_node = element_type(block->kind)->n_node;
    for (int32_t e = 0; e < block->n; ++e) mark_together(l, peer_of, block->nodes + (int64_t)e * n_node, n_node, mark);
  }
  for (int32_t k = 0; k < p->n_pair; ++k) {
    const int32_t node[2] = {at[p->pair[k][0]], at[p->pair[k][1]]};
    if (node[0] >= 0 && node[1] >= 0) mark_together(l, peer_of, node, 2, mark);
  }
}

_Static_assert(PARTITION_PARTS <= 64, "a bit for each peer");

/* The same of linked nodes. */
static void mark_reach(const LocalMesh *l, const PartitionReach *reach, uint64_t *mark) {
  for (int32_t i = 0; i < l->mesh->n_node; ++i)
    for (int32_t k = 0; k < l->n_peer && l->solver[i] < l->n_own; ++k)
      mark[l->solver[i]] |= (reach->has[l->node[i]] >> l->peer[k] & 1) << k;
}

static Status send_lists(const Partition *p, LocalMesh *l, const uint8_t *peer_of, const int32_t *at_whole,
                         const PartitionReach *reach) {
  Status status = OK;
  uint64_t *mark = NULL;
  ALLOC_DONE(mark, l->n_own, WHAT);
  ALLOC_DONE(l->send_start, (int64_t)l->n_peer + 1, WHAT);
  if (reach) mark_reach(l, reach, mark);
  else mark_peers(p, l, peer_of, at_whole, mark);
  for (int32_t i = 0; i < l->n_own; ++i)
    for (int32_t k = 0; k < l->n_peer && mark[i]; ++k) l->send_start[k + 1] += (int64_t)(mark[i] >> k & 1);
  for (int32_t k = 0; k < l->n_peer; ++k) l->send_start[k + 1] += l->send_start[k];
  ALLOC_DONE(l->send, l->send_start[l->n_peer], WHAT);
  for (int32_t k = 0; k < l->n_peer; ++k)
    for (int64_t i = 0, at = l->send_start[k]; at < l->send_start[k + 1]; ++i)
      if (mark[i] >> k & 1) l->send[at++] = (int32_t)i;
done:
  FREE(mark);
  return status;
}

Status local_peers(const Partition *p, LocalMesh *l, const int32_t *number, const int32_t *at,
                   const PartitionReach *reach) {
  const int32_t n_halo = l->mesh->n_node - l->n_own;
  uint8_t *peer_of = NULL;
  ALLOC(peer_of, n_halo, WHAT);
  Status status = OK;
  ALLOC_DONE(l->peer, p->n_rank, WHAT);
  ALLOC_DONE(l->recv_start, (int64_t)p->n_rank + 1, WHAT);
  for (int32_t k = 0; k < n_halo; ++k) {
    const int32_t owner = partition_owner(p, number[k]);
    if (l->n_peer == 0 || l->peer[l->n_peer - 1] != owner) l->peer[l->n_peer++] = owner;
    l->recv_start[l->n_peer] = k + 1;
    peer_of[k] = (uint8_t)(l->n_peer - 1);
  }
  status = send_lists(p, l, peer_of, at, reach);
done:
  FREE(peer_of);
  return status;
}

/* ---- groups and fields ---- */

/* here[element of the whole]: the one that it is, or -1. Ids ascend as before, since blocks and elements keep their
 * order. */
static Status carry_group(const Group *from, const int32_t *here, Group *to) {
  to->dim = from->dim;
  to->number = from->number;
  TRY(mem_text(from->name, WHAT, &to->name));
  for (int32_t k = 0; k < from->n; ++k) to->n += here[from->element[k]] >= 0;
  ALLOC(to->element, to->n, WHAT);
  for (int32_t k = 0, at = 0; k < from->n; ++k)
    if (here[from->element[k]] >= 0) to->element[at++] = here[from->element[k]];
  return OK;
}

static Status carry_groups(const Mesh *from, const LocalMesh *l, int32_t *here) {
  Mesh *m = l->mesh;
  memset(here, 0xff, (size_t)from->n_element * sizeof *here);
#pragma omp parallel for schedule(static) num_threads(parts_of(m->n_element))
  for (int32_t e = 0; e < m->n_element; ++e) here[l->element[e]] = e;
  ALLOC(m->group, from->n_group, WHAT);
  m->n_group = from->n_group;
  for (int32_t g = 0; g < from->n_group; ++g) TRY(carry_group(&from->group[g], here, &m->group[g]));
  return OK;
}

static Status carry_field(const MeshField *from, const LocalMesh *l, MeshField *to) {
  const int32_t *which = from->on_nodes ? l->node : l->element;
  const int32_t n = from->on_nodes ? l->mesh->n_node : l->mesh->n_element;
  const size_t bytes = (size_t)from->n_component * sizeof *from->value;
  to->on_nodes = from->on_nodes;
  to->n_component = from->n_component;
  TRY(mem_text(from->name, WHAT, &to->name));
  ALLOC(to->value, (int64_t)n * from->n_component, WHAT);
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i)
    memcpy(to->value + (int64_t)i * from->n_component, from->value + (int64_t)which[i] * from->n_component, bytes);
  return OK;
}

Status local_carry(const Mesh *from, LocalMesh *l) {
  Mesh *m = l->mesh;
  int32_t *here = NULL;
  TRY(mem_text(from->path, WHAT, &m->path));
  TRY(mem_text(from->outline, WHAT, &m->outline));
  ALLOC(here, from->n_element, WHAT);
  const Status status = carry_groups(from, l, here);
  FREE(here);
  if (status != OK) return status;
  ALLOC(m->field, from->n_field, WHAT);
  m->n_field = from->n_field;
  for (int32_t f = 0; f < from->n_field; ++f) TRY(carry_field(&from->field[f], l, &m->field[f]));
  return OK;
}
