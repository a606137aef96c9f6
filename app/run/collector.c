/* See collector.h. Every rank sends its items in the order of the whole; rank 0, which knows the owner of each, puts them
 * one after another where they belong. */
#include "app/run/collector.h"
#include "core/memory.h"

#include <string.h>

static const char *const WHAT = "results of all ranks on their way";

/* Nodes, or solved elements. */
typedef struct CollectorList {
  int32_t n, n_whole;
  int32_t *own;   /* owned, [n], own items here, ascending */
  uint8_t *owner; /* owned, [n_whole], of rank 0 */
} CollectorList;

struct Collector {
  Comm *comm;
  CollectorList list[2];
};

_Static_assert(PARTITION_PARTS <= UINT8_MAX, "a byte for each rank");

static int32_t number_of(const int32_t *number, int32_t node) { return number ? number[node] : node; }

static int32_t first_solved(const Mesh *mesh) {
  int32_t first = mesh->n_element;
  for (int32_t b = mesh->n_block - 1; b >= 0 && element_type(mesh->block[b].kind)->dim == mesh->dim; --b)
    first = mesh->block[b].first;
  return first;
}

static Status list_own(const LocalMesh *local, Collector *c) {
  const Mesh *m = local->mesh;
  CollectorList *nodes = &c->list[OF_NODES], *elements = &c->list[OF_ELEMENTS];
  ALLOC(nodes->own, local->n_own, WHAT);
  for (int32_t i = 0; i < m->n_node; ++i)
    if (local->solver[i] < local->n_own) nodes->own[nodes->n++] = i;
  const int32_t first = first_solved(m);
  ALLOC(elements->own, m->n_element - first, WHAT);
  for (int32_t e = first; e < m->n_element; ++e)
    if (local->solver[mesh_nodes_of(m, e)[0]] < local->n_own) elements->own[elements->n++] = e - first;
  return OK;
}

static Status list_owners(const Mesh *whole, const Partition *partition, const int32_t *number, Collector *c) {
  CollectorList *nodes = &c->list[OF_NODES], *elements = &c->list[OF_ELEMENTS];
  const int32_t first = first_solved(whole);
  nodes->n_whole = whole->n_node;
  elements->n_whole = whole->n_element - first;
  ALLOC(nodes->owner, nodes->n_whole, WHAT);
  ALLOC(elements->owner, elements->n_whole, WHAT);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < whole->n_node; ++i)
    nodes->owner[i] = (uint8_t)partition_owner(partition, number_of(number, i));
#pragma omp parallel for schedule(static)
  for (int32_t e = first; e < whole->n_element; ++e)
    elements->owner[e - first] = nodes->owner[mesh_nodes_of(whole, e)[0]];
  return OK;
}

Status collector_create(Comm *comm, const Mesh *whole, const Partition *partition, const int32_t *number,
                        const LocalMesh *local, Collector **out) {
  Collector *c = NULL;
  *out = NULL;
  ALLOC(c, 1, WHAT);
  c->comm = comm;
  Status status = list_own(local, c);
  if (status == OK && comm_rank(comm) == 0) status = list_owners(whole, partition, number, c);
  if (status != OK) collector_destroy(&c);
  *out = c;
  return status;
}

void collector_destroy(Collector **collector) {
  Collector *c = *collector;
  if (!c) return;
  for (int of = 0; of < 2; ++of) {
    FREE(c->list[of].own);
    FREE(c->list[of].owner);
  }
  FREE(*collector);
}

/* Where item i begins, and how long it is; start NULL: all are of one size. */
static int64_t begin_of(const int64_t *start, size_t bytes, int32_t i) {
  return (start ? start[i] : i) * (int64_t)bytes;
}

/* What this rank has, one after another; *packed is the caller's. */
static Status items_pack(const CollectorList *list, size_t bytes, const int64_t *start, const char *local,
                         char **packed, int64_t *n) {
  *n = 0;
  for (int32_t k = 0; k < list->n; ++k)
    *n += begin_of(start, bytes, list->own[k] + 1) - begin_of(start, bytes, list->own[k]);
  ALLOC(*packed, *n, WHAT);
  char *to = *packed;
  for (int32_t k = 0; k < list->n; ++k) {
    const int64_t at = begin_of(start, bytes, list->own[k]), end = begin_of(start, bytes, list->own[k] + 1);
    if (end > at) memcpy(to, local + at, (size_t)(end - at));
    to += end - at;
  }
  return OK;
}

/* next[rank]: where the items of a rank begin. */
static void items_place(const CollectorList *list, size_t bytes, const int64_t *start, const char *packed,
                        int64_t *next, char *whole) {
  for (int32_t i = 0; i < list->n_whole; ++i) {
    const int64_t at = begin_of(start, bytes, i), size = begin_of(start, bytes, i + 1) - at;
    if (size > 0) memcpy(whole + at, packed + next[list->owner[i]], (size_t)size);
    next[list->owner[i]] += size;
  }
}

/* start [n_rank + 1] of what rank 0 gets from each, and of what this rank sends to each. */
static void collect_starts(const Collector *c, const int64_t *size, int64_t *recv, int64_t *send) {
  const int n = comm_size(c->comm), me = comm_rank(c->comm);
  recv[0] = send[0] = 0;
  for (int r = 0; r < n; ++r) {
    recv[r + 1] = recv[r] + (me == 0 ? size[r] : 0);
    send[r + 1] = size[me];
  }
}

Status collect_pieces(const Collector *c, CollectorItems of, size_t bytes, const int64_t *start, const void *local,
                      const int64_t *whole_start, void *whole) {
  const CollectorList *list = &c->list[of];
  const int n = comm_size(c->comm);
  Status status = OK;
  char *packed = NULL, *all = NULL;
  int64_t n_byte = 0, *size = NULL;
  ALLOC_DONE(size, 3 * (int64_t)n + 2, WHAT);
  int64_t *recv = size + n, *send = recv + n + 1;
  TRY_DONE(items_pack(list, bytes, start, local, &packed, &n_byte));
  TRY_DONE(comm_gather(c->comm, &n_byte, sizeof n_byte, size));
  collect_starts(c, size, recv, send);
  ALLOC_DONE(all, recv[n], WHAT);
  TRY_DONE(comm_exchange(c->comm, packed, send, all, recv));
  if (comm_rank(c->comm) == 0) items_place(list, bytes, whole_start, all, recv, whole);
done:
  FREE(all);
  FREE(packed);
  FREE(size);
  return status;
}

Status collect(const Collector *c, CollectorItems of, size_t bytes, const void *local, void *whole) {
  return collect_pieces(c, of, bytes, NULL, local, NULL, whole);
}
