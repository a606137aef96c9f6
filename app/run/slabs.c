/* See slabs.h. What comes to a slab lies by rank, and of each rank in the order of the mesh; where each item belongs is
 * told once. */
#include "app/run/slabs.h"
#include "core/exec.h"
#include "core/memory.h"

#include <string.h>

static const char *const WHAT = "results on their way to the file";

typedef struct SlabList {
  int32_t first, n;         /* the slab of this rank */
  int32_t n_own;            /* items that it has */
  const int32_t *own;       /* [n_own], view */
  int64_t *n_send, *n_recv; /* owned, [n_rank], items */
  int32_t *place;           /* owned, [n], in the slab, of what comes */
} SlabList;

struct Slabs {
  Comm *comm;
  SlabList list[2];
};

/* Chunks are whole, for sums. */
static int32_t slab_begin(int32_t n_whole, int n_rank, int rank) {
  const int64_t chunks = (n_whole + (int64_t)ROW_CHUNK - 1) / ROW_CHUNK, begin = chunks * rank / n_rank * ROW_CHUNK;
  return begin < n_whole ? (int32_t)begin : n_whole;
}

/* From counts of items to where their bytes begin, [n_rank + 1]. */
static void starts_fill(int n_rank, const int64_t *count, size_t bytes, int64_t *start) {
  start[0] = 0;
  for (int r = 0; r < n_rank; ++r) start[r + 1] = start[r] + count[r] * (int64_t)bytes;
}

/* In bytes; the two are the caller's, as one. */
static Status starts_alloc(const Slabs *s, const SlabList *list, size_t bytes, int64_t **send, int64_t **recv) {
  const int n = comm_size(s->comm);
  ALLOC(*send, 2 * (n + 1), WHAT);
  *recv = *send + n + 1;
  starts_fill(n, list->n_send, bytes, *send);
  starts_fill(n, list->n_recv, bytes, *recv);
  return OK;
}

/* Where what comes belongs, from the places in the whole that senders tell. */
static Status list_places(const Slabs *s, const Collector *c, CollectorItems of, SlabList *list) {
  Status status = OK;
  int64_t *send = NULL, *recv = NULL;
  int32_t *told = NULL;
  ALLOC_DONE(told, list->n_own, WHAT);
  ALLOC_DONE(list->place, list->n, WHAT);
  for (int32_t k = 0; k < list->n_own; ++k) told[k] = collector_whole(c, of, k);
  TRY_DONE(starts_alloc(s, list, sizeof *told, &send, &recv));
  TRY_DONE(comm_exchange(s->comm, told, send, list->place, recv));
  for (int32_t k = 0; k < list->n; ++k) list->place[k] -= list->first;
done:
  FREE(send);
  FREE(told);
  return status;
}

static Status list_fill(const Slabs *s, const Collector *c, CollectorItems of, SlabList *list) {
  const int n = comm_size(s->comm), me = comm_rank(s->comm);
  const int32_t n_whole = collector_items(c, of);
  int64_t total = 0;
  list->first = slab_begin(n_whole, n, me);
  list->n = slab_begin(n_whole, n, me + 1) - list->first;
  list->n_own = collector_own(c, of, &list->own);
  ALLOC(list->n_send, n, WHAT);
  ALLOC(list->n_recv, n, WHAT);
  int r = 0;
  for (int32_t k = 0; k < list->n_own; ++k) { /* ascending in the whole */
    while (collector_whole(c, of, k) >= slab_begin(n_whole, n, r + 1)) ++r;
    ++list->n_send[r];
  }
  TRY(comm_counts(s->comm, list->n_send, list->n_recv));
  for (r = 0; r < n; ++r) total += list->n_recv[r];
  CHECK(total == list->n, ERR_BUG, "%lld items come to a slab of %d", (long long)total, list->n);
  return list_places(s, c, of, list);
}

Status slabs_create(Comm *comm, const Collector *collector, Slabs **out) {
  Slabs *s = NULL;
  Status status = OK;
  *out = NULL;
  ALLOC(s, 1, WHAT);
  s->comm = comm;
  for (int of = 0; of < 2 && status == OK; ++of) status = list_fill(s, collector, (CollectorItems)of, &s->list[of]);
  if (status != OK) slabs_destroy(&s);
  *out = s;
  return status;
}

void slabs_destroy(Slabs **slabs) {
  if (!*slabs) return;
  for (int of = 0; of < 2; ++of) {
    SlabList *list = &(*slabs)->list[of];
    FREE(list->n_send);
    FREE(list->n_recv);
    FREE(list->place);
  }
  FREE(*slabs);
}

int32_t slabs_items(const Slabs *slabs, CollectorItems of, int32_t *first) {
  *first = slabs->list[of].first;
  return slabs->list[of].n;
}

Status slabs_take(const Slabs *s, CollectorItems of, size_t bytes, const void *local, void *slab) {
  const SlabList *list = &s->list[of];
  const int64_t size = (int64_t)bytes;
  Status status = OK;
  int64_t *send = NULL, *recv = NULL;
  char *packed = NULL, *come = NULL;
  ALLOC_DONE(packed, list->n_own * size, WHAT);
  ALLOC_DONE(come, list->n * size, WHAT);
  TRY_DONE(starts_alloc(s, list, bytes, &send, &recv));
#pragma omp parallel for schedule(static)
  for (int32_t k = 0; k < list->n_own; ++k) memcpy(packed + k * size, (const char *)local + list->own[k] * size, bytes);
  TRY_DONE(comm_exchange(s->comm, packed, send, come, recv));
#pragma omp parallel for schedule(static)
  for (int32_t k = 0; k < list->n; ++k) memcpy((char *)slab + list->place[k] * size, come + k * size, bytes);
done:
  FREE(come);
  FREE(packed);
  FREE(send);
  return status;
}

static int64_t chunks_of(int64_t n) { return (n + ROW_CHUNK - 1) / ROW_CHUNK; }

/* Sums of the chunks of all slabs, one behind the other. */
static Status totals_add(Comm *comm, const double *own, int64_t n_own, double *total) {
  const int n = comm_size(comm);
  Status status = OK;
  int64_t *count = NULL;
  double *all = NULL;
  ALLOC_DONE(count, 2 * n + 1, WHAT);
  int64_t *start = count + n;
  TRY_DONE(comm_gather(comm, &n_own, sizeof n_own, count));
  for (int r = 0; r < n; ++r) start[r + 1] = start[r] + count[r] * (int64_t)sizeof *own;
  ALLOC_DONE(all, start[n] / (int64_t)sizeof *own, WHAT);
  TRY_DONE(comm_gather_parts(comm, own, start, all));
  *total = 0;
  for (int64_t k = 0; k < start[n] / (int64_t)sizeof *own; ++k) *total += all[k];
done:
  FREE(all);
  FREE(count);
  return status;
}

Status slabs_total(const Slabs *s, CollectorItems of, const double *local, double *total) {
  const int32_t n = s->list[of].n;
  const int64_t n_chunk = chunks_of(n);
  Status status = OK;
  double *slab = NULL, *sum = NULL;
  ALLOC_DONE(slab, n, WHAT);
  ALLOC_DONE(sum, n_chunk, WHAT);
  TRY_DONE(slabs_take(s, of, sizeof *slab, local, slab));
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < n_chunk; ++k)
    for (int64_t i = k * ROW_CHUNK; i < n && i < (k + 1) * ROW_CHUNK; ++i) sum[k] += slab[i];
  TRY_DONE(totals_add(s->comm, sum, n_chunk, total));
done:
  FREE(sum);
  FREE(slab);
  return status;
}
