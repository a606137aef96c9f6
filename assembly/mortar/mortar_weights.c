/* Nodes are sorted with where they are on facets; then each row is counted, merged and written. */
#include "assembly/mortar/mortar_weights.h"
#include "assembly/mortar/rows.h"
#include "core/memory.h"

static const char WHAT[] = "weights of a tie";

/* Room of rows while they are merged: from slot on, as much as is counted; how much of it is found. */
typedef struct Room {
  int64_t n, *slot;
  int32_t *count, *found, *column;
  double *value;
} Room;

/* All on the Exec. */
typedef struct Rows {
  MortarPairs *p;
  Exec *exec;
  ExecPack of_touches, of_rows, of_room, of_mixed; /* hold what follows */
  int64_t n_touch, n_other;                        /* places of nodes on facets of both sides */
  uint32_t *touch, *key, *other_key, *other_order;
  int32_t *is_first, *row;
  int64_t *before_touch;
  int32_t n; /* rows, */
  int64_t n_kept;
  int32_t *node, *corner, *keeps, *length;
  int64_t *start, *place, *before;
  double *area, *full;
  CoverTotals *totals;
  Room raw, mixed, near;
  WeightArgs a;
} Rows;

static void rows_release(Rows *r) {
  exec_pack_release(&r->of_touches);
  exec_pack_release(&r->of_rows);
  exec_pack_release(&r->of_room);
  exec_pack_release(&r->of_mixed);
}

/* Nodes of facets, ascending, with their places. */
static Status nodes_sort(const Rows *r, const FacetSide *side, uint32_t *key, uint32_t *order) {
  const int64_t n = (int64_t)side->n * side->width;
  const uint32_t end = (uint32_t)r->p->params->mesh->n_node;
  int bits = 1;
  while (bits < 32 && end >> bits) ++bits;
  TRY(exec_rows(r->exec, &node_key_kernel, &(NodeKeyArgs){side->node, end, key, order}, n));
  return exec_sort(r->exec, n, key, sizeof *key, bits, order);
}

static Status rows_alloc(Rows *r) {
  const int64_t n = r->n;
  const ExecArray array[] = {
      EXEC_ARRAY(r->node, n),          EXEC_ARRAY(r->start, n + 1),    EXEC_ARRAY(r->area, n),
      EXEC_ARRAY(r->full, n),          EXEC_ARRAY(r->corner, 2 * n),   EXEC_ARRAY(r->keeps, n),
      EXEC_ARRAY(r->place, n + 1),     EXEC_ARRAY(r->length, n),       EXEC_ARRAY(r->before, n + 1),
      EXEC_ARRAY(r->totals, 2),        EXEC_ARRAY(r->raw.slot, n + 1), EXEC_ARRAY(r->raw.count, n),
      EXEC_ARRAY(r->raw.found, n),     EXEC_ARRAY(r->near.count, n),   EXEC_ARRAY(r->near.found, n),
      EXEC_ARRAY(r->near.slot, n + 1), EXEC_ARRAY(r->mixed.count, n),  EXEC_ARRAY(r->mixed.found, n),
      EXEC_ARRAY(r->mixed.slot, n + 1)};
  return exec_pack_create(r->exec, sizeof array / sizeof *array, array, WHAT, &r->of_rows);
}

static Status rows_number(Rows *r) {
  Exec *exec = r->exec;
  int64_t n = 0;
  const ExecArray array[] = {EXEC_ARRAY(r->touch, r->n_touch),           EXEC_ARRAY(r->key, r->n_touch),
                             EXEC_ARRAY(r->other_key, r->n_other),       EXEC_ARRAY(r->other_order, r->n_other),
                             EXEC_ARRAY(r->is_first, r->n_touch),        EXEC_ARRAY(r->row, r->n_touch),
                             EXEC_ARRAY(r->before_touch, r->n_touch + 1)};
  TRY(exec_pack_create(exec, sizeof array / sizeof *array, array, WHAT, &r->of_touches));
  TRY(nodes_sort(r, &r->p->to.side, r->other_key, r->other_order));
  TRY(nodes_sort(r, &r->p->on.side, r->key, r->touch));
  NodeRowArgs a = {.n = r->n_touch,
                   .key = r->key,
                   .order = r->touch,
                   .end = (uint32_t)r->p->params->mesh->n_node,
                   .is_first = r->is_first,
                   .before = r->before_touch,
                   .row = r->row};
  TRY(exec_rows(exec, &node_first_kernel, &a, a.n));
  TRY(exec_scan(exec, r->is_first, sizeof *r->is_first, a.n, r->before_touch, &n));
  r->n = (int32_t)n;
  TRY(rows_alloc(r));
  a.node = r->node, a.start = r->start;
  return exec_rows(exec, &node_row_kernel, &a, a.n + 1);
}

static void room_use(const Room *m, WeightArgs *a) {
  a->room = m->count, a->found = m->found, a->slot = m->slot, a->column = m->column, a->value = m->value;
}

static WeightArgs weight_args(const Rows *r) {
  const MortarPairs *p = r->p;
  return (WeightArgs){.tables = p->tables,
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
}

/* Rows as they come from dual functions, and which are kept. */
static Status rows_merge(Rows *r) {
  Exec *exec = r->exec;
  Room *raw = &r->raw, *near = &r->near;
  WeightArgs beside = r->a = weight_args(r);
  room_use(raw, &r->a), room_use(near, &beside);
  TRY(exec_rows(exec, &weight_count_kernel, &r->a, r->n));
  TRY(exec_rows(exec, &near_count_kernel, &beside, r->n));
  TRY(exec_scan(exec, raw->count, sizeof *raw->count, r->n, raw->slot, &raw->n));
  TRY(exec_scan(exec, near->count, sizeof *near->count, r->n, near->slot, &near->n));
  const ExecArray array[] = {EXEC_ARRAY(raw->column, raw->n), EXEC_ARRAY(raw->value, raw->n),
                             EXEC_ARRAY(near->column, near->n)};
  TRY(exec_pack_create(exec, 3, array, WHAT, &r->of_room));
  room_use(raw, &r->a);
  TRY(exec_rows(exec, &weight_merge_kernel, &r->a, r->n));
  return exec_scan(exec, r->keeps, sizeof *r->keeps, r->n, r->place, &r->n_kept);
}

/* Rows of nodes in place of those of N'. */
static Status rows_mix(Rows *r) {
  Exec *exec = r->exec;
  Room *m = &r->mixed;
  r->a.raw_found = r->raw.found, r->a.raw_slot = r->raw.slot;
  r->a.raw_column = r->raw.column, r->a.raw_value = r->raw.value;
  room_use(m, &r->a);
  TRY(exec_rows(exec, &mix_count_kernel, &r->a, r->n));
  TRY(exec_scan(exec, m->count, sizeof *m->count, r->n, m->slot, &m->n));
  const ExecArray array[] = {EXEC_ARRAY(m->column, m->n), EXEC_ARRAY(m->value, m->n)};
  TRY(exec_pack_create(exec, 2, array, WHAT, &r->of_mixed));
  room_use(m, &r->a);
  return exec_rows(exec, &mix_merge_kernel, &r->a, r->n);
}

/* Arrays go to the host one after the other. */
static Status all_fetch(ExecPack *arrays, void **const *host) {
  for (int i = 0; i < arrays->n; ++i) TRY(exec_pack_fetch(arrays, i, WHAT, host[i]));
  return OK;
}

static Status rows_write(const Rows *r, MortarTie *out) {
  Exec *exec = r->exec;
  const int64_t n = r->n_kept;
  int64_t n_weight = 0;
  WeightOutArgs a = {.rows = r->a, .length = r->length, .before = r->before, .key = r->other_key, .n_key = r->n_other};
  ExecPack arrays;
  TRY(exec_rows(exec, &weight_length_kernel, &a, r->n));
  TRY(exec_scan(exec, r->length, sizeof *r->length, r->n, r->before, &n_weight));
  const ExecArray array[] = {EXEC_ARRAY(a.node, n),          EXEC_ARRAY(a.area, n),      EXEC_ARRAY(a.offset, 3 * n),
                             EXEC_ARRAY(a.shared, n),        EXEC_ARRAY(a.start, n + 1), EXEC_ARRAY(a.master, n_weight),
                             EXEC_ARRAY(a.weight, n_weight), EXEC_ARRAY(a.corner, 2 * n)};
  void **const host[] = {(void **)&out->node,   (void **)&out->area,          (void **)(void *)&out->offset,
                         (void **)&out->shared, (void **)&out->start,         (void **)&out->master,
                         (void **)&out->weight, (void **)(void *)&out->corner};
  TRY(exec_pack_create(exec, r->a.dual ? 8 : 7, array, WHAT, &arrays));
  Status status = exec_rows(exec, &weight_write_kernel, &a, (int64_t)r->n + 1);
  if (status == OK) status = all_fetch(&arrays, host);
  exec_pack_release(&arrays);
  return status;
}

/* Other rows on the same facets. */
static Status rows_near(const Rows *r, MortarTie *out) {
  Exec *exec = r->exec;
  NearArgs a = {.rows = weight_args(r), .before = r->before};
  int64_t n = 0;
  ExecPack arrays;
  room_use(&r->near, &a.rows);
  TRY(exec_rows(exec, &near_merge_kernel, &a.rows, r->n));
  TRY(exec_scan(exec, r->near.found, sizeof *r->near.found, r->n, r->before, &n));
  const ExecArray array[] = {EXEC_ARRAY(a.start, r->n_kept + 1), EXEC_ARRAY(a.near, n)};
  void **const host[] = {(void **)&out->near_start, (void **)&out->near};
  TRY(exec_pack_create(exec, 2, array, WHAT, &arrays));
  Status status = exec_rows(exec, &near_write_kernel, &a, (int64_t)r->n + 1);
  if (status == OK) status = all_fetch(&arrays, host);
  exec_pack_release(&arrays);
  return status;
}

/* Sums over facets, and how much of each is covered. */
static Status facets_sum(const Rows *r, MortarTie *out, bool *faults) {
  Exec *exec = r->exec;
  const MortarPairs *p = r->p;
  const SumParts *parts = exec_sum_over(exec, NULL);
  CoverTotals host[2];
  CoverSumArgs a = {.n = p->to.side.n, .size = p->to.side.size, .totals = r->totals + 1};
  Status status;
  TRY_DONE(exec_rows(exec, &cover_sum_kernel, &a, a.n));
  a.n = p->on.side.n, a.size = p->on.side.size, a.cover = p->cover, a.totals = r->totals;
  TRY_DONE(exec_alloc(exec, a.n, sizeof *a.opposite, WHAT, (void **)&a.opposite));
  TRY_DONE(exec_rows(exec, &cover_sum_kernel, &a, a.n));
  TRY_DONE(exec_download(exec, host, r->totals, sizeof host));
  out->size = host[0].size, out->other_size = host[1].size, out->n_pair = (int64_t)host[0].n_pair;
  *faults = host[0].n_fault > 0;
  status = exec_fetch(exec, a.n, sizeof *a.opposite, WHAT, (void **)&a.opposite, (void **)&out->opposite);
done:
  (void)exec_sum_over(exec, parts);
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
  Status status;
  TRY_DONE(rows_number(&r));
  TRY_DONE(rows_merge(&r));
  TRY_DONE(loose_find(&r, out));
  if (!p->params->dual) TRY_DONE(rows_mix(&r));
  TRY_DONE(rows_write(&r, out));
  TRY_DONE(rows_near(&r, out));
  status = facets_sum(&r, out, faults);
done:
  rows_release(&r);
  return status;
}
