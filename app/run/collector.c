/* See collector.h. Every rank sends its items in the order of the whole; rank 0, which knows the owner of each, puts them
 * one after another where they belong. */
#include "app/run/collector.h"
#include "core/memory.h"

#include <string.h>

static const char *const WHAT = "results of all ranks on their way";

/* Nodes, or solved elements. */
typedef struct CollectorList {
  int32_t n, n_whole;
  int32_t *own; /* owned, [n], own items here, ascending */
  /* of rank 0, owned, [n_whole] */
  uint8_t *owner;
  int32_t *turn; /* which of its owner's items it is */
  int32_t *item; /* its index in the whole; NULL: these are all */
} CollectorList;

struct Collector {
  Comm *comm;
  const LocalMesh *local; /* borrowed */
  int32_t here, first;    /* the first solved element, here and in the whole */
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
  int32_t solved = m->n_block;
  while (solved > 0 && element_type(m->block[solved - 1].kind)->dim == m->dim) --solved;
  c->here = first_solved(m), c->first = local->block_first[solved];
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

/* turn[] from owner[]. */
static Status list_turns(int n_rank, CollectorList *list) {
  int32_t *next = NULL;
  ALLOC(list->turn, list->n_whole, WHAT);
  ALLOC(next, n_rank, WHAT);
  for (int32_t k = 0; k < list->n_whole; ++k) list->turn[k] = next[list->owner[k]]++;
  FREE(next);
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
  TRY(list_turns(comm_size(c->comm), nodes));
  return list_turns(comm_size(c->comm), elements);
}

Status collector_create(Comm *comm, const Mesh *whole, const Partition *partition, const int32_t *number,
                        const LocalMesh *local, Collector **out) {
  Collector *c = NULL;
  *out = NULL;
  ALLOC(c, 1, WHAT);
  c->comm = comm, c->local = local;
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
    FREE(c->list[of].turn);
    FREE(c->list[of].item);
  }
  FREE(*collector);
}

int32_t collector_own(const Collector *c, CollectorItems of, const int32_t **own) {
  *own = c->list[of].own;
  return c->list[of].n;
}

int32_t collector_whole(const Collector *c, CollectorItems of, int32_t k) {
  const int32_t here = c->list[of].own[k];
  return of == OF_NODES ? c->local->node[here] : c->local->element[c->here + here] - c->first;
}

int32_t collector_items(const Collector *c, CollectorItems of) {
  const LocalMesh *l = c->local;
  return of == OF_NODES ? l->n_whole : l->block_first[l->mesh->n_block] - c->first;
}

/* Those of own items that are listed. */
static Status pick_own(const Collector *c, CollectorItems of, int32_t n, const int32_t *item, CollectorList *out) {
  const CollectorList *list = &c->list[of];
  int32_t at = 0;
  ALLOC(out->own, n < list->n ? n : list->n, WHAT);
  for (int32_t k = 0; k < list->n && at < n; ++k) {
    const int32_t whole = collector_whole(c, of, k);
    while (at < n && item[at] < whole) ++at;
    if (at < n && item[at] == whole) out->own[out->n++] = list->own[k];
  }
  return OK;
}

static Status pick_owners(const Collector *c, CollectorItems of, int32_t n, const int32_t *item, CollectorList *out) {
  ALLOC(out->owner, n, WHAT);
  ALLOC(out->item, n, WHAT);
  out->n_whole = n;
  for (int32_t k = 0; k < n; ++k) {
    out->item[k] = item[k];
    out->owner[k] = c->list[of].owner[item[k]];
  }
  return list_turns(comm_size(c->comm), out);
}

/* `item` is looked at on rank 0. */
static Status pick_list(const Collector *c, CollectorItems of, int32_t n, const int32_t *item, CollectorList *out) {
  int32_t *heard = NULL;
  ALLOC(heard, n, WHAT);
  if (comm_rank(c->comm) == 0 && n > 0) memcpy(heard, item, (size_t)n * sizeof *heard);
  Status status = comm_broadcast(c->comm, 0, heard, n * (int64_t)sizeof *heard);
  if (status == OK) status = pick_own(c, of, n, heard, out);
  if (status == OK && comm_rank(c->comm) == 0) status = pick_owners(c, of, n, heard, out);
  FREE(heard);
  return status;
}

Status collector_pick(const Collector *c, const int32_t *n, int32_t *const *item, Collector **out) {
  const bool root = comm_rank(c->comm) == 0;
  int32_t count[2] = {root ? n[0] : 0, root ? n[1] : 0};
  Collector *few = NULL;
  *out = NULL;
  ALLOC(few, 1, WHAT);
  *few = (Collector){.comm = c->comm, .local = c->local, .here = c->here, .first = c->first};
  Status status = comm_broadcast(c->comm, 0, count, sizeof count);
  for (int of = 0; of < 2 && status == OK; ++of)
    status = pick_list(c, (CollectorItems)of, count[of], root ? item[of] : NULL, &few->list[of]);
  if (status != OK) collector_destroy(&few);
  *out = few;
  return status;
}

/* Where item i begins, and how long it is; start NULL: all are of one size. */
static int64_t begin_of(const int64_t *start, size_t bytes, int32_t i) {
  return (start ? start[i] : i) * (int64_t)bytes;
}

/* What this rank has, one after another; *packed is the caller's. */
static Status items_pack(const CollectorList *list, size_t bytes, const int64_t *start, const char *local,
                         char **packed, int64_t *n) {
  *n = start ? 0 : list->n * (int64_t)bytes;
  for (int32_t k = 0; start && k < list->n; ++k)
    *n += begin_of(start, bytes, list->own[k] + 1) - begin_of(start, bytes, list->own[k]);
  ALLOC(*packed, *n, WHAT);
  char *to = *packed;
#pragma omp parallel for schedule(static) if (!start)
  for (int32_t k = 0; k < (start ? 0 : list->n); ++k)
    memcpy(to + k * (int64_t)bytes, local + list->own[k] * (int64_t)bytes, bytes);
  if (!start) return OK;
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
#pragma omp parallel for schedule(static) if (!start)
  for (int32_t k = 0; k < (start ? 0 : list->n_whole); ++k)
    memcpy(whole + (list->item ? list->item[k] : k) * (int64_t)bytes,
           packed + next[list->owner[k]] + list->turn[k] * (int64_t)bytes, bytes);
  for (int32_t k = 0; start && k < list->n_whole; ++k) {
    const int32_t i = list->item ? list->item[k] : k;
    const int64_t at = begin_of(start, bytes, i), size = begin_of(start, bytes, i + 1) - at;
    if (size > 0) memcpy(whole + at, packed + next[list->owner[k]], (size_t)size);
    next[list->owner[k]] += size;
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
