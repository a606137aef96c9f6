/* Builds gather maps in ELL-WARP form, in parallel over the nodes; every list has the order of the incidence, whatever
 * the number of threads. */
#include "assembly/space/gather.h"
#include "assembly/space/dof_map.h"
#include "core/memory.h"

#include <string.h>

enum { WARP = 32, DIGIT = 11 };

void slot_places(const SlotMap *slots, const Pattern *pattern, int32_t i, int64_t k, int64_t *place) {
  const int64_t height = pattern->block, width = pattern_column_block(pattern);
  for (int64_t r = 0; r < height; ++r)
    for (int64_t c = 0; c < width; ++c)
      place[r * width + c] =
          slots->per_scalar ? slots->slot[(k * height + r) * width + c]
                            : slots->slot[k] + r * slots->row_step[slots->same_step ? 0 : i] + c * slots->column_step;
}

/* Sorts order[n] by key[order[i]], stable, least digit first; leaves it alone where it is ascending already. */
static Status sort_by_place(int64_t n, const int64_t *key, int64_t stride, uint32_t *order) {
  Status status = OK;
  uint32_t *other = NULL;
  int64_t count[1 << DIGIT], most = 0;
  bool sorted = true;
  for (int64_t i = 0; i < n; ++i) {
    if (i && key[i * stride] < key[(i - 1) * stride]) sorted = false;
    if (key[i * stride] > most) most = key[i * stride];
  }
  if (sorted) return OK;
  ALLOC_DONE(other, n, "order of the gather map");
  uint32_t *from = order, *to = other;
  for (int shift = 0; shift < 63 && most >> shift; shift += DIGIT) {
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < n; ++i) ++count[key[i * stride] >> shift & ((1 << DIGIT) - 1)];
    for (int64_t sum = 0, d = 0; d < 1 << DIGIT; ++d) {
      const int64_t here = count[d];
      count[d] = sum;
      sum += here;
    }
    for (int64_t i = 0; i < n; ++i) to[count[key[(int64_t)from[i] * stride] >> shift & ((1 << DIGIT) - 1)]++] = from[i];
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != order) memcpy(order, from, (size_t)n * sizeof *order);
done:
  FREE(other);
  return status;
}

/* Sorts order[n] by count, most first, stable. */
static Status sort_by_count(int64_t n, const int32_t *count, uint32_t *order) {
  Status status = OK;
  uint32_t *sorted = NULL;
  int64_t *cursor = NULL;
  int32_t most = 0;
  for (int64_t i = 0; i < n; ++i) most = count[i] > most ? count[i] : most;
  ALLOC_DONE(sorted, n, "order of the gather map");
  ALLOC_DONE(cursor, (int64_t)most + 2, "order of the gather map");
  for (int64_t i = 0; i < n; ++i) ++cursor[most - count[i] + 1];
  for (int32_t c = 0; c <= most; ++c) cursor[c + 1] += cursor[c];
  for (int64_t i = 0; i < n; ++i) sorted[cursor[most - count[order[i]]]++] = order[i];
  memcpy(order, sorted, (size_t)n * sizeof *order);
done:
  FREE(sorted);
  FREE(cursor);
  return status;
}

/* The host side of a gather map while it is made. */
typedef struct Draft {
  int64_t n_row, n_warp;
  int32_t *count;   /* owned, [n_row] entries of each target; later how many are written */
  uint32_t *order;  /* owned, [n_row]: target of each gather row */
  uint32_t *row_of; /* owned, [n_row]: gather row of each target */
  int64_t *start;   /* owned, [n_warp + 1] */
  uint32_t *entry;  /* owned, [start[n_warp]] */
} Draft;

static void draft_release(Draft *d) {
  FREE(d->count);
  FREE(d->order);
  FREE(d->row_of);
  FREE(d->start);
  FREE(d->entry);
}

static Status draft_create(int64_t n_row, Draft *d) {
  *d = (Draft){.n_row = n_row, .n_warp = (n_row + WARP - 1) / WARP};
  ALLOC(d->count, n_row, "gather map");
  ALLOC(d->order, n_row, "gather map");
  ALLOC(d->row_of, n_row, "gather map");
  ALLOC(d->start, d->n_warp + 1, "gather map");
  for (int64_t i = 0; i < n_row; ++i) d->order[i] = (uint32_t)i;
  return OK;
}

/* From the counts and the order: rows of equal count together, room for the entries, all of it padding so far. */
static Status draft_arrange(Draft *d) {
  TRY(sort_by_count(d->n_row, d->count, d->order));
  for (int64_t row = 0; row < d->n_row; ++row) d->row_of[d->order[row]] = (uint32_t)row;
  for (int64_t w = 0; w < d->n_warp; ++w) d->start[w + 1] = d->start[w] + (int64_t)WARP * d->count[d->order[w * WARP]];
  ALLOC(d->entry, d->start[d->n_warp], "entries of the gather map");
  memset(d->entry, 0xFF, (size_t)d->start[d->n_warp] * sizeof *d->entry);
  memset(d->count, 0, (size_t)d->n_row * sizeof *d->count);
  return OK;
}

static void draft_put(Draft *d, int64_t target, uint32_t value) {
  const int64_t row = d->row_of[target];
  d->entry[d->start[row / WARP] + (int64_t)WARP * d->count[target]++ + row % WARP] = value;
}

PairNumbers pair_numbers(const ElementSet *row, const ElementSet *column, bool by_element) {
  PairNumbers out = {0};
  for (int32_t k = 0; k < row->n_solved_block; ++k) {
    const int64_t n = row->block[k].n, pairs = (int64_t)row->block[k].type->n_node * column->block[k].type->n_node;
    out.first[k] = out.n_pair;
    out.step_p[k] = by_element ? 1 : n;
    out.step_e[k] = by_element ? pairs : 1;
    out.n_pair += n * pairs;
  }
  return out;
}

/* The gather entry of local node a of the row and b of the column in an element. */
static uint32_t pair_entry(const GatherParams *p, ElementRef touch, int32_t a, int32_t b) {
  const SetBlock *row = &p->row->block[touch.block];
  const int32_t n = row->type->n_node;
  if (p->pairs) {
    const int64_t pair =
        p->transposed ? (int64_t)b * n + a : (int64_t)a * p->column->block[touch.block].type->n_node + b;
    const int64_t index = p->pairs->first[touch.block] + pair * p->pairs->step_p[touch.block] +
                          touch.element * p->pairs->step_e[touch.block];
    return (uint32_t)index | (p->transposed ? GATHER_TRANSPOSED : 0);
  }
  const int64_t pair = a <= b ? pair_number(n, a, b) : pair_number(n, b, a);
  const int64_t index = row->pair_first + pair * row->pair_p + touch.element * row->pair_e;
  return (uint32_t)index | (a <= b ? 0 : GATHER_TRANSPOSED);
}

/* Walks all contributions to the block row of node i: counts them, or puts them once arranged. */
static void walk_row(const GatherParams *p, int32_t i, Draft *d) {
  for (int64_t t = p->incidence->start[i]; t < p->incidence->start[i + 1]; ++t) {
    const ElementRef touch = p->incidence->touch[t];
    if (p->pairs && touch.block >= p->row->n_solved_block) continue;
    const SetBlock *b = &p->column->block[touch.block];
    const int32_t *nodes = b->nodes + (int64_t)touch.element * b->type->n_node;
    for (int32_t k = 0; k < b->type->n_node; ++k) {
      const int64_t target = pattern_find(p->pattern, i, nodes[k]);
      if (d->entry) draft_put(d, target, pair_entry(p, touch, touch.local, k));
      else ++d->count[target];
    }
  }
}

static Status upload_common(Exec *exec, const Draft *d, Gather *out) {
  out->n_row = d->n_row;
  out->n_warp = d->n_warp;
  out->n_entry = d->start[d->n_warp];
  TRY(exec_alloc_upload(exec, d->n_warp + 1, sizeof *d->start, d->start, "gather map", (void **)&out->start));
  return exec_alloc_upload(exec, out->n_entry, sizeof *d->entry, d->entry, "gather map", (void **)&out->entry);
}

/* Slots in the order of gather rows. */
static Status upload_slots(Exec *exec, const Draft *d, const Pattern *pattern, const SlotMap *slots, Gather *out) {
  Status status = OK;
  int64_t *place = NULL, *step = NULL;
  const int64_t square = (int64_t)pattern->block * pattern_column_block(pattern), n = d->n_row;
  out->per_scalar = slots->per_scalar;
  out->column_step = slots->column_step;
  out->step = slots->per_scalar ? 0 : slots->row_step[0];
  out->n_slot = slots->per_scalar ? n * square : n;
  ALLOC_DONE(place, out->n_slot, "slots of the gather map");
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < n; ++row) {
    const int64_t k = d->order[row];
    if (!slots->per_scalar) place[row] = slots->slot[k];
    else
      for (int64_t c = 0; c < square; ++c) place[c * n + row] = slots->slot[k * square + c];
  }
  TRY_DONE(exec_alloc_upload(exec, out->n_slot, sizeof *place, place, "slots of the gather map", (void **)&out->slot));
  if (slots->per_scalar || slots->same_step) goto done;
  ALLOC_DONE(step, n, "slots of the gather map");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k) step[d->row_of[k]] = slots->row_step[i];
  TRY_DONE(exec_alloc_upload(exec, n, sizeof *step, step, "slots of the gather map", (void **)&out->row_step));
done:
  FREE(place);
  FREE(step);
  return status;
}

Status gather_create_blocks(Exec *exec, const GatherParams *p, Gather *out) {
  Status status = OK;
  Draft d = {0};
  *out = (Gather){0};
  const Pattern *pattern = p->pattern;
  const int64_t n_row = pattern->start[pattern->n], n_pair = p->pairs ? p->pairs->n_pair : p->row->n_pair,
                stride = p->slots->per_scalar ? pattern->block * pattern_column_block(pattern) : 1;
  CHECK(n_pair <= GATHER_INDEX && n_row <= UINT32_MAX, ERR_INPUT,
        "the mesh gives %lld node pairs in elements, at most %u fit one device: use a coarser mesh", (long long)n_pair,
        GATHER_INDEX);
  TRY_DONE(draft_create(n_row, &d));
  TRY_DONE(sort_by_place(n_row, p->slots->slot, stride, d.order));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < pattern->n; ++i) walk_row(p, i, &d);
  TRY_DONE(draft_arrange(&d));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < pattern->n; ++i) walk_row(p, i, &d);
  TRY_DONE(upload_common(exec, &d, out));
  TRY_DONE(upload_slots(exec, &d, pattern, p->slots, out));
done:
  draft_release(&d);
  if (status != OK) gather_release(exec, out);
  return status;
}

Status gather_create_nodes(Exec *exec, const ElementSet *set, const Incidence *incidence, Gather *out) {
  Status status = OK;
  Draft d = {0};
  *out = (Gather){0};
  CHECK(set->n_force < GATHER_NONE, ERR_INPUT, "the elements have %lld nodes in all, at most %u fit one device",
        (long long)set->n_force, GATHER_NONE - 1);
  TRY_DONE(draft_create(set->n_node, &d));
  for (int32_t i = 0; i < set->n_node; ++i) d.count[i] = (int32_t)(incidence->start[i + 1] - incidence->start[i]);
  TRY_DONE(draft_arrange(&d));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < set->n_node; ++i)
    for (int64_t t = incidence->start[i]; t < incidence->start[i + 1]; ++t) {
      const ElementRef touch = incidence->touch[t];
      const SetBlock *b = &set->block[touch.block];
      draft_put(&d, i, (uint32_t)(b->force_first + touch.local * b->force_a + touch.element * b->force_e));
    }
  TRY_DONE(upload_common(exec, &d, out));
  TRY_DONE(exec_alloc_upload(exec, d.n_row, sizeof *d.order, d.order, "gather map", (void **)&out->node));
done:
  draft_release(&d);
  if (status != OK) gather_release(exec, out);
  return status;
}

BlockGatherArgs gather_block_args(const Gather *blocks, const double *K, int64_t block_step, int64_t scalar_step,
                                  double *values) {
  return (BlockGatherArgs){
      .start = blocks->start,
      .entry = blocks->entry,
      .K = K,
      .block_step = block_step,
      .scalar_step = scalar_step,
      .values = values,
      .slot = blocks->slot,
      .row_step = blocks->row_step,
      .n_row = blocks->n_row,
      .step = blocks->step,
      .column_step = blocks->column_step,
      .per_scalar = blocks->per_scalar,
  };
}

void gather_release(Exec *exec, Gather *gather) {
  EXEC_RELEASE(exec, gather->start, gather->n_warp + 1);
  EXEC_RELEASE(exec, gather->entry, gather->n_entry);
  EXEC_RELEASE(exec, gather->slot, gather->n_slot);
  EXEC_RELEASE(exec, gather->row_step, gather->n_row);
  EXEC_RELEASE(exec, gather->node, gather->n_row);
}
