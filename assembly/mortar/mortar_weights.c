/* Nodes are sorted with where they are on facets; then each row is counted, merged and written. */
#include "assembly/mortar/mortar_weights.h"
#include "assembly/mortar/rows.h"
#include "core/memory.h"

static const char WHAT[] = "weights of a tie";

/* On the Exec, owned. */
typedef struct Rows {
  MortarPairs *p;
  Exec *exec;
  WeightArgs a;
  int64_t n_touch; /* places on facets that depend, and on the others */
  uint32_t *touch, *key, *other_key;
  int64_t n_other;
  int32_t *node, *row, *corner, *keeps; /* and what of `a` is written */
  int64_t *start, *place;
  double *area, *full;
  int32_t n; /* rows, */
  int64_t n_kept;
} Rows;

/* Entries of rows while they are merged. */
typedef struct Room {
  int64_t n;
  int64_t *slot;
  int32_t *count, *found, *column;
  double *value;
} Room;

static void room_release(const Rows *r, Room *m) {
  EXEC_RELEASE(r->exec, m->slot, (int64_t)r->n + 1);
  EXEC_RELEASE(r->exec, m->count, r->n);
  EXEC_RELEASE(r->exec, m->found, r->n);
  EXEC_RELEASE(r->exec, m->column, m->n);
  EXEC_RELEASE(r->exec, m->value, m->n);
}

static void rows_release(Rows *r) {
  Exec *exec = r->exec;
  EXEC_RELEASE(exec, r->touch, r->n_touch);
  EXEC_RELEASE(exec, r->key, r->n_touch);
  EXEC_RELEASE(exec, r->other_key, r->n_other);
  EXEC_RELEASE(exec, r->node, r->n);
  EXEC_RELEASE(exec, r->row, r->n_touch);
  EXEC_RELEASE(exec, r->corner, 2 * (int64_t)r->n);
  EXEC_RELEASE(exec, r->keeps, r->n);
  EXEC_RELEASE(exec, r->start, (int64_t)r->n + 1);
  EXEC_RELEASE(exec, r->place, (int64_t)r->n + 1);
  EXEC_RELEASE(exec, r->area, r->n);
  EXEC_RELEASE(exec, r->full, r->n);
}

/* Nodes of facets, ascending, with their places. */
static Status nodes_sort(const Rows *r, const FacetSide *side, uint32_t **key, uint32_t **order) {
  Exec *exec = r->exec;
  const int64_t n = (int64_t)side->n * side->width;
  const uint32_t end = (uint32_t)r->p->params->mesh->n_node;
  int bits = 1;
  while (bits < 32 && end >> bits) ++bits;
  EXEC_ALLOC(exec, *key, n, WHAT);
  EXEC_ALLOC(exec, *order, n, WHAT);
  TRY(exec_rows(exec, &node_key_kernel, &(NodeKeyArgs){side->node, end, *key, *order}, n));
  return exec_sort(exec, n, *key, sizeof **key, bits, *order);
}

static Status rows_number(Rows *r) {
  Exec *exec = r->exec;
  int32_t *is_first = NULL;
  int64_t *before = NULL, n = 0;
  uint32_t *order = NULL;
  Status status;
  TRY_DONE(nodes_sort(r, &r->p->to.side, &r->other_key, &order));
  TRY_DONE(nodes_sort(r, &r->p->on.side, &r->key, &r->touch));
  TRY_DONE(exec_alloc(exec, r->n_touch, sizeof *is_first, WHAT, (void **)&is_first));
  TRY_DONE(exec_alloc(exec, r->n_touch + 1, sizeof *before, WHAT, (void **)&before));
  TRY_DONE(exec_alloc(exec, r->n_touch, sizeof *r->row, WHAT, (void **)&r->row));
  NodeRowArgs a = {.n = r->n_touch,
                   .key = r->key,
                   .order = r->touch,
                   .end = (uint32_t)r->p->params->mesh->n_node,
                   .is_first = is_first,
                   .before = before,
                   .row = r->row};
  TRY_DONE(exec_rows(exec, &node_first_kernel, &a, a.n));
  TRY_DONE(exec_scan(exec, is_first, sizeof *is_first, a.n, before, &n));
  r->n = (int32_t)n;
  TRY_DONE(exec_alloc(exec, n, sizeof *r->node, WHAT, (void **)&r->node));
  TRY_DONE(exec_alloc(exec, n + 1, sizeof *r->start, WHAT, (void **)&r->start));
  a.node = r->node, a.start = r->start;
  status = exec_rows(exec, &node_row_kernel, &a, a.n + 1);
done:
  EXEC_RELEASE(exec, order, r->n_other);
  EXEC_RELEASE(exec, is_first, r->n_touch);
  EXEC_RELEASE(exec, before, r->n_touch + 1);
  return status;
}

/* Counts what rows may have and finds room for it; `args` ends up with both. */
static Status room_create(Rows *r, const RowKernel *count, const void *args, WeightArgs *a, Room *m, bool values) {
  Exec *exec = r->exec;
  EXEC_ALLOC(exec, m->count, r->n, WHAT);
  EXEC_ALLOC(exec, m->found, r->n, WHAT);
  EXEC_ALLOC(exec, m->slot, (int64_t)r->n + 1, WHAT);
  a->room = m->count, a->found = m->found, a->slot = m->slot;
  TRY(exec_rows(exec, count, args, r->n));
  TRY(exec_scan(exec, m->count, sizeof *m->count, r->n, m->slot, &m->n));
  EXEC_ALLOC(exec, m->column, m->n, WHAT);
  if (values) EXEC_ALLOC(exec, m->value, m->n, WHAT);
  a->column = m->column, a->value = m->value;
  return OK;
}

static Status rows_merge(Rows *r, Room *m) {
  Exec *exec = r->exec;
  const MortarPairs *p = r->p;
  EXEC_ALLOC(exec, r->area, r->n, WHAT);
  EXEC_ALLOC(exec, r->full, r->n, WHAT);
  EXEC_ALLOC(exec, r->corner, 2 * (int64_t)r->n, WHAT);
  EXEC_ALLOC(exec, r->keeps, r->n, WHAT);
  EXEC_ALLOC(exec, r->place, (int64_t)r->n + 1, WHAT);
  r->a = (WeightArgs){.tables = p->tables,
                      .on = p->on.side,
                      .to = p->to.side,
                      .first = p->first,
                      .other = p->other,
                      .state = p->state,
                      .mixed = p->mixed,
                      .cover = p->cover,
                      .n_mixed = p->n_mixed,
                      .dual = p->params->dual,
                      .n = r->n,
                      .node = r->node,
                      .row = r->row,
                      .touch_start = r->start,
                      .touch = r->touch,
                      .area = r->area,
                      .full = r->full,
                      .corner = r->corner,
                      .keeps = r->keeps,
                      .place = r->place};
  TRY(room_create(r, &weight_count_kernel, &r->a, &r->a, m, true));
  TRY(exec_rows(exec, &weight_merge_kernel, &r->a, r->n));
  return exec_scan(exec, r->keeps, sizeof *r->keeps, r->n, r->place, &r->n_kept);
}

/* Rows of nodes in place of those of N'. */
static Status rows_mix(Rows *r, const Room *raw, Room *m) {
  r->a.raw_found = raw->found, r->a.raw_slot = raw->slot;
  r->a.raw_column = raw->column, r->a.raw_value = raw->value;
  TRY(room_create(r, &mix_count_kernel, &r->a, &r->a, m, true));
  return exec_rows(r->exec, &mix_merge_kernel, &r->a, r->n);
}

/* What is written, on its way to the host. */
typedef struct Written {
  int64_t *before, n_weight;
  int32_t *length;
  WeightOutArgs a;
} Written;

static Status written_alloc(const Rows *r, Written *w) {
  Exec *exec = r->exec;
  EXEC_ALLOC(exec, w->a.node, r->n_kept, WHAT);
  EXEC_ALLOC(exec, w->a.area, r->n_kept, WHAT);
  EXEC_ALLOC(exec, w->a.offset, 3 * r->n_kept, WHAT);
  EXEC_ALLOC(exec, w->a.shared, r->n_kept, WHAT);
  EXEC_ALLOC(exec, w->a.start, r->n_kept + 1, WHAT);
  EXEC_ALLOC(exec, w->a.master, w->n_weight, WHAT);
  EXEC_ALLOC(exec, w->a.weight, w->n_weight, WHAT);
  if (r->a.dual) EXEC_ALLOC(exec, w->a.corner, 2 * r->n_kept, WHAT);
  return OK;
}

static void written_release(const Rows *r, Written *w) {
  Exec *exec = r->exec;
  EXEC_RELEASE(exec, w->before, (int64_t)r->n + 1);
  EXEC_RELEASE(exec, w->length, r->n);
  EXEC_RELEASE(exec, w->a.node, r->n_kept);
  EXEC_RELEASE(exec, w->a.area, r->n_kept);
  EXEC_RELEASE(exec, w->a.offset, 3 * r->n_kept);
  EXEC_RELEASE(exec, w->a.shared, r->n_kept);
  EXEC_RELEASE(exec, w->a.start, r->n_kept + 1);
  EXEC_RELEASE(exec, w->a.master, w->n_weight);
  EXEC_RELEASE(exec, w->a.weight, w->n_weight);
  EXEC_RELEASE(exec, w->a.corner, 2 * r->n_kept);
}

#define FETCH(exec, n, from, to)                                                                                       \
  TRY(exec_fetch((exec), (n), sizeof *(from), WHAT, (void **)&(from), (void **)(void *)&(to)))

static Status written_fetch(const Rows *r, Written *w, MortarTie *out) {
  Exec *exec = r->exec;
  FETCH(exec, r->n_kept, w->a.node, out->node);
  FETCH(exec, r->n_kept, w->a.area, out->area);
  FETCH(exec, 3 * r->n_kept, w->a.offset, out->offset);
  FETCH(exec, r->n_kept, w->a.shared, out->shared);
  FETCH(exec, r->n_kept + 1, w->a.start, out->start);
  FETCH(exec, w->n_weight, w->a.master, out->master);
  FETCH(exec, w->n_weight, w->a.weight, out->weight);
  if (r->a.dual) FETCH(exec, 2 * r->n_kept, w->a.corner, out->corner);
  return OK;
}

static Status rows_write(const Rows *r, MortarTie *out) {
  Exec *exec = r->exec;
  Written w = {.a = {.rows = r->a, .key = r->other_key, .n_key = r->n_other}};
  Status status;
  TRY_DONE(exec_alloc(exec, r->n, sizeof *w.length, WHAT, (void **)&w.length));
  TRY_DONE(exec_alloc(exec, (int64_t)r->n + 1, sizeof *w.before, WHAT, (void **)&w.before));
  w.a.length = w.length, w.a.before = w.before;
  TRY_DONE(exec_rows(exec, &weight_length_kernel, &w.a, r->n));
  TRY_DONE(exec_scan(exec, w.length, sizeof *w.length, r->n, w.before, &w.n_weight));
  TRY_DONE(written_alloc(r, &w));
  TRY_DONE(exec_rows(exec, &weight_write_kernel, &w.a, (int64_t)r->n + 1));
  status = written_fetch(r, &w, out);
done:
  written_release(r, &w);
  return status;
}

/* Other rows on the same facets. */
static Status rows_near(Rows *r, MortarTie *out) {
  Exec *exec = r->exec;
  NearArgs a = {.rows = r->a};
  Room m = {0};
  int64_t *before = NULL, n = 0;
  Status status;
  a.rows.room = NULL;
  TRY_DONE(exec_alloc(exec, (int64_t)r->n + 1, sizeof *before, WHAT, (void **)&before));
  a.before = before;
  TRY_DONE(room_create(r, &near_count_kernel, &a, &a.rows, &m, false));
  TRY_DONE(exec_rows(exec, &near_merge_kernel, &a, r->n));
  TRY_DONE(exec_scan(exec, m.found, sizeof *m.found, r->n, before, &n));
  TRY_DONE(exec_alloc(exec, r->n_kept + 1, sizeof *a.start, WHAT, (void **)&a.start));
  TRY_DONE(exec_alloc(exec, n, sizeof *a.near, WHAT, (void **)&a.near));
  TRY_DONE(exec_rows(exec, &near_write_kernel, &a, (int64_t)r->n + 1));
  TRY_DONE(exec_fetch(exec, r->n_kept + 1, sizeof *a.start, WHAT, (void **)&a.start, (void **)&out->near_start));
  status = exec_fetch(exec, n, sizeof *a.near, WHAT, (void **)&a.near, (void **)&out->near);
done:
  EXEC_RELEASE(exec, before, (int64_t)r->n + 1);
  EXEC_RELEASE(exec, a.start, r->n_kept + 1);
  EXEC_RELEASE(exec, a.near, n);
  room_release(r, &m);
  return status;
}

/* Sums over facets, and how much of each is covered. */
static Status facets_sum(const Rows *r, MortarTie *out, bool *faults) {
  Exec *exec = r->exec;
  const MortarPairs *p = r->p;
  CoverTotals *totals = NULL, host[2];
  const SumParts *parts = exec->parts;
  CoverSumArgs a = {.n = p->to.side.n, .size = p->to.side.size};
  Status status;
  TRY_DONE(exec_alloc(exec, 2, sizeof *totals, WHAT, (void **)&totals));
  TRY_DONE(exec_alloc(exec, p->on.side.n, sizeof *a.opposite, WHAT, (void **)&a.opposite));
  a.totals = totals + 1;
  parts = exec_sum_over(exec, NULL);
  TRY_DONE(exec_rows(exec, &cover_sum_kernel, &a, a.n));
  a.n = p->on.side.n, a.size = p->on.side.size, a.cover = p->cover, a.totals = totals;
  TRY_DONE(exec_rows(exec, &cover_sum_kernel, &a, a.n));
  TRY_DONE(exec_download(exec, host, totals, sizeof host));
  out->size = host[0].size, out->other_size = host[1].size, out->n_pair = (int64_t)host[0].n_pair;
  *faults = host[0].n_fault > 0;
  status = exec_fetch(exec, p->on.side.n, sizeof *a.opposite, WHAT, (void **)&a.opposite, (void **)&out->opposite);
done:
  (void)exec_sum_over(exec, parts);
  EXEC_RELEASE(exec, totals, 2);
  EXEC_RELEASE(exec, a.opposite, p->on.side.n);
  return status;
}

/* How many nodes have no row, and the first one of them. */
static Status loose_find(const Rows *r, MortarTie *out) {
  const int64_t n = r->n;
  int32_t *keeps = NULL, *node = NULL;
  Status status = OK;
  out->n = (int32_t)r->n_kept, out->n_node = r->n, out->n_loose = r->n - out->n;
  if (!out->n_loose) return OK;
  ALLOC_DONE(keeps, n, WHAT);
  ALLOC_DONE(node, n, WHAT);
  TRY_DONE(exec_download(r->exec, keeps, r->keeps, (size_t)n * sizeof *keeps));
  TRY_DONE(exec_download(r->exec, node, r->node, (size_t)n * sizeof *node));
  for (int64_t j = n - 1; j >= 0; --j)
    if (!keeps[j]) out->loose = node[j];
done:
  FREE(keeps);
  FREE(node);
  return status;
}

Status mortar_weights(MortarPairs *p, MortarTie *out, bool *faults) {
  Rows r = {.p = p,
            .exec = p->exec,
            .n_touch = (int64_t)p->on.side.n * p->on.side.width,
            .n_other = (int64_t)p->to.side.n * p->to.side.width};
  Room raw = {0}, mixed = {0};
  Status status;
  TRY_DONE(rows_number(&r));
  TRY_DONE(rows_merge(&r, &raw));
  TRY_DONE(loose_find(&r, out));
  if (!p->params->dual) TRY_DONE(rows_mix(&r, &raw, &mixed));
  TRY_DONE(rows_write(&r, out));
  TRY_DONE(rows_near(&r, out));
  status = facets_sum(&r, out, faults);
done:
  room_release(&r, &raw);
  room_release(&r, &mixed);
  rows_release(&r);
  return status;
}
