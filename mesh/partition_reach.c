/* What ranks have of nodes that equations join: found for all of them at once, by masks, so that each knows what others
 * want of it. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/partition.h"

static const char *const WHAT = "linked nodes of all ranks";

_Static_assert(PARTITION_PARTS <= 64, "a bit for each rank");

void linked_nodes_release(LinkedNodes *linked) {
  FREE(linked->start);
  FREE(linked->node);
  *linked = (LinkedNodes){0};
}

void partition_reach_release(PartitionReach *reach) {
  FREE(reach->around);
  FREE(reach->has);
}

/* A set has what any of its nodes has. */
static void unite_sets(const LinkedNodes *linked, uint64_t *mask) {
#pragma omp parallel for schedule(static) num_threads(parts_of(linked->n))
  for (int32_t s = 0; s < linked->n; ++s) {
    uint64_t all = 0;
    for (int64_t k = linked->start[s]; k < linked->start[s + 1]; ++k) all |= mask[linked->node[k]];
    for (int64_t k = linked->start[s]; k < linked->start[s + 1]; ++k) mask[linked->node[k]] = all;
  }
}

/* Ranks that have any of n nodes have all of them. */
static void reach_together(const uint64_t *from, const int32_t *nodes, int n, uint64_t *to) {
  uint64_t all = 0;
  for (int a = 0; a < n; ++a) all |= from[nodes[a]];
  for (int a = 0; a < n; ++a) __atomic_fetch_or(&to[nodes[a]], all, __ATOMIC_RELAXED);
}

Status partition_reach(const Partition *p, const Mesh *mesh, const int32_t *number, PartitionReach *out) {
  *out = (PartitionReach){0};
  ALLOC(out->around, mesh->n_node, WHAT);
  ALLOC(out->has, mesh->n_node, WHAT);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i) out->around[i] = UINT64_C(1) << partition_owner(p, number ? number[i] : i);
  if (p->linked) unite_sets(p->linked, out->around);
  for (int32_t k = 0; k < p->n_pair; ++k) reach_together(out->around, p->pair[k], 2, out->has);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const int n = element_type(block->kind)->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
    for (int32_t e = 0; e < block->n; ++e) reach_together(out->around, block->nodes + (int64_t)e * n, n, out->has);
  }
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i) out->has[i] |= out->around[i];
  if (p->linked) unite_sets(p->linked, out->has);
  return OK;
}
