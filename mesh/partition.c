#include "mesh/partition.h"
#include "core/exec.h"
#include "core/memory.h"
#include "core/parts.h"

#include <string.h>

Status partition_create(int32_t n_node, int32_t n_rank, Partition *out) {
  const int64_t n_chunk = ((int64_t)n_node + ROW_CHUNK - 1) / ROW_CHUNK;
  Partition p = {.n_node = n_node, .n_rank = n_rank};
  p.n_part = n_chunk < 1 ? 1 : n_chunk < PARTITION_PARTS ? (int32_t)n_chunk : PARTITION_PARTS;
  CHECK(n_rank >= 1, ERR_BUG, "%d ranks", n_rank);
  CHECK(n_rank <= p.n_part, ERR_INPUT,
        "%d ranks for a mesh of %d nodes, must be at most %d: one for each %d nodes, and no more than %d; start fewer",
        n_rank, n_node, p.n_part, ROW_CHUNK, PARTITION_PARTS);
  for (int32_t k = 0; k < p.n_part; ++k) p.part[k] = (int32_t)(k * n_chunk / p.n_part * ROW_CHUNK);
  p.part[p.n_part] = n_node;
  for (int32_t r = 0; r <= n_rank; ++r) p.own[r] = p.part[(int64_t)r * p.n_part / n_rank];
  *out = p;
  return OK;
}

/* The last of start[n] that is not beyond. */
static int32_t range_of(const int32_t *start, int32_t n, int32_t number) {
  int32_t low = 0, high = n;
  while (high - low > 1) {
    const int32_t middle = (low + high) / 2;
    if (start[middle] <= number) low = middle;
    else high = middle;
  }
  return low;
}

int32_t partition_owner(const Partition *p, int32_t number) { return range_of(p->own, p->n_rank, number); }
int32_t partition_part(const Partition *p, int32_t number) { return range_of(p->part, p->n_part, number); }

/* ---- shares ---- */

/* A node and a rank that has it in its halo, as one number; an element may name them again. */
typedef struct HaloPairs {
  uint64_t *key; /* owned, [capacity] */
  int64_t n, capacity;
} HaloPairs;

/* Ranks of an element's nodes, each once, to rank[]; how many. */
static int ranks_of(const Partition *p, const int32_t *number, const int32_t *nodes, int n_node, int32_t *rank) {
  int n = 0;
  for (int a = 0; a < n_node; ++a) {
    const int32_t owner = partition_owner(p, number ? number[nodes[a]] : nodes[a]);
    int k = 0;
    while (k < n && rank[k] != owner) ++k;
    if (k == n) rank[n++] = owner;
  }
  return n;
}

static Status pairs_of_element(const Partition *p, const int32_t *number, const int32_t *nodes, int n_node,
                               const int32_t *rank, int n_rank, HaloPairs *pairs) {
  if (pairs->n + (int64_t)n_node * n_rank > pairs->capacity) {
    const int64_t more = 2 * pairs->capacity + 1024;
    RESIZE(pairs->key, more, "nodes at the borders of ranks");
    pairs->capacity = more;
  }
  for (int a = 0; a < n_node; ++a) {
    const int32_t at = number ? number[nodes[a]] : nodes[a], owner = partition_owner(p, at);
    for (int k = 0; k < n_rank; ++k)
      if (rank[k] != owner) pairs->key[pairs->n++] = (uint64_t)rank[k] << 32 | (uint32_t)at;
  }
  return OK;
}

static Status shares_of_block(const Partition *p, const ElementBlock *block, bool solved, const int32_t *number,
                              PartitionShare *share, HaloPairs *pairs) {
  const int n_node = element_type(block->kind)->n_node;
  int32_t rank[ELEMENT_MAX_NODES];
  for (int32_t e = 0; e < block->n; ++e) {
    const int32_t *nodes = block->nodes + (int64_t)e * n_node;
    const int n = ranks_of(p, number, nodes, n_node, rank);
    for (int k = 0; k < n; ++k) share[rank[k]].n_element += solved;
    if (n > 1) TRY(pairs_of_element(p, number, nodes, n_node, rank, n, pairs));
  }
  return OK;
}

/* Sorted by rank and number, so that those of one owner follow each other. */
static Status count_pairs(const Partition *p, HaloPairs *pairs, PartitionShare *share) {
  Status status = OK;
  Exec *exec = NULL;
  uint32_t *payload = NULL;
  int32_t before = -1; /* owner */
  ALLOC_DONE(payload, pairs->n, "nodes at the borders of ranks");
  TRY_DONE(exec_create_cpu(0, &exec));
  TRY_DONE(exec_sort(exec, pairs->n, pairs->key, sizeof *pairs->key, 40, payload));
  for (int64_t k = 0; k < pairs->n; ++k) {
    const uint64_t key = pairs->key[k];
    if (k && key == pairs->key[k - 1]) continue;
    if (!k || key >> 32 != pairs->key[k - 1] >> 32) before = -1;
    const int32_t owner = partition_owner(p, (int32_t)(key & UINT32_MAX));
    PartitionShare *s = &share[key >> 32];
    ++s->n_halo;
    s->n_peer += owner != before;
    before = owner;
  }
done:
  exec_destroy(&exec);
  FREE(payload);
  return status;
}

/* Nodes and elements beyond the own ones that linked nodes bring, in the order of the numbers. */
static Status shares_linked(const Partition *p, const Mesh *mesh, const int32_t *number, PartitionShare *share) {
  PartitionReach reach;
  uint64_t peers[PARTITION_PARTS] = {0};
  const Status status = partition_reach(p, mesh, number, &reach);
  for (int32_t b = 0; b < mesh->n_block && status == OK; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const int n_node = element_type(block->kind)->n_node;
    for (int32_t e = 0; e < block->n && element_type(block->kind)->dim == mesh->dim; ++e) {
      uint64_t all = 0;
      for (int a = 0; a < n_node; ++a) all |= reach.around[block->nodes[(int64_t)e * n_node + a]];
      for (int32_t r = 0; r < p->n_rank; ++r) share[r].n_element += (int32_t)(all >> r & 1);
    }
  }
  for (int32_t i = 0; i < mesh->n_node && status == OK; ++i) {
    const int32_t owner = partition_owner(p, number ? number[i] : i);
    for (int32_t r = 0; r < p->n_rank; ++r) {
      const bool halo = r != owner && reach.has[i] >> r & 1;
      share[r].n_halo += halo;
      if (halo) peers[r] |= UINT64_C(1) << owner;
    }
  }
  for (int32_t r = 0; r < p->n_rank; ++r) share[r].n_peer = __builtin_popcountll(peers[r]);
  partition_reach_release(&reach);
  return status;
}

Status partition_shares(const Partition *p, const Mesh *mesh, const int32_t *number, PartitionShare *share) {
  Status status = OK;
  HaloPairs pairs = {0};
  for (int32_t r = 0; r < p->n_rank; ++r) share[r] = (PartitionShare){.n_own = p->own[r + 1] - p->own[r]};
  if (p->linked && p->linked->n) return shares_linked(p, mesh, number, share);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    TRY_DONE(shares_of_block(p, block, element_type(block->kind)->dim == mesh->dim, number, share, &pairs));
  }
  for (int32_t k = 0; k < p->n_pair; ++k) {
    int32_t rank[2];
    const int n = ranks_of(p, number, p->pair[k], 2, rank);
    if (n > 1) TRY_DONE(pairs_of_element(p, number, p->pair[k], 2, rank, n, &pairs));
  }
  status = count_pairs(p, &pairs, share);
done:
  FREE(pairs.key);
  return status;
}
