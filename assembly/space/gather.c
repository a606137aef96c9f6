/* Builds gather maps in ELL-WARP form on an Exec, by row kernels and a sort; every list has the order of the incidence,
 * whoever works it out. */
#include "assembly/space/gather.h"
#include "assembly/space/meeting.h"
#include "assembly/space/prescribed_rows.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

enum { WARP = 32 };
static const char *const WHAT = "gather map";

void slot_places(const SlotMap *slots, const Pattern *pattern, int32_t i, int64_t k, int64_t *place) {
  slot_list(slots, pattern->block, pattern->block, i, k, place);
}

/* A gather map while it is made, on the Exec. */
typedef struct Draft {
  int64_t n_row, n_warp;
  int32_t *count;   /* [n_row] entries of each target */
  uint32_t *order;  /* [n_row]: target of each gather row */
  uint32_t *row_of; /* [n_row]: gather row of each target */
  uint64_t *key;    /* [n_row] */
  int32_t *width;   /* [n_warp] */
} Draft;

static void draft_release(Exec *exec, Draft *d) {
  EXEC_RELEASE(exec, d->count, d->n_row);
  EXEC_RELEASE(exec, d->order, d->n_row);
  EXEC_RELEASE(exec, d->row_of, d->n_row);
  EXEC_RELEASE(exec, d->key, d->n_row);
  EXEC_RELEASE(exec, d->width, d->n_warp);
}

static Status draft_create(Exec *exec, int64_t n_row, Draft *d) {
  *d = (Draft){.n_row = n_row, .n_warp = (n_row + WARP - 1) / WARP};
  return exec_alloc(exec, n_row, sizeof *d->count, WHAT, (void **)&d->count);
}

static int32_t bits_of(uint64_t most) {
  int32_t bits = 0;
  while (bits < 64 && most >> bits) ++bits;
  return bits;
}

/* The largest count. */
static Status draft_most(Exec *exec, const ArrangeArgs *from, int32_t *most) {
  Status status = OK;
  const int64_t n_chunk = (from->n_row + ARRANGE_CHUNK - 1) / ARRANGE_CHUNK;
  ArrangeArgs args = *from;
  int32_t *part = NULL;
  *most = 0;
  ALLOC(part, n_chunk, WHAT);
  TRY_DONE(exec_alloc(exec, n_chunk, sizeof *args.most, WHAT, (void **)&args.most));
  TRY_DONE(exec_rows(exec, &arrange_most_kernel, &args, n_chunk));
  TRY_DONE(exec_download(exec, part, args.most, (size_t)n_chunk * sizeof *part));
  for (int64_t chunk = 0; chunk < n_chunk; ++chunk) *most = part[chunk] > *most ? part[chunk] : *most;
done:
  EXEC_RELEASE(exec, args.most, n_chunk);
  FREE(part);
  return status;
}

/* Where targets lie: as in ArrangeArgs, below n. */
typedef struct DraftPlaces {
  const int64_t *place;
  const uint32_t *block;
  int64_t stride, n;
} DraftPlaces;

/* From the counts: rows by count, most first, then by place. */
static Status draft_order(Exec *exec, Draft *d, const DraftPlaces *at) {
  ArrangeArgs args = {
      .n_row = d->n_row, .count = d->count, .place = at->place, .block = at->block, .stride = at->stride};
  TRY(draft_most(exec, &args, &args.count_most));
  TRY(exec_alloc(exec, d->n_row, sizeof *d->order, WHAT, (void **)&d->order));
  TRY(exec_alloc(exec, d->n_row, sizeof *d->key, WHAT, (void **)&d->key));
  args.key = d->key;
  args.order = d->order;
  args.place_bits = bits_of((uint64_t)at->n);
  TRY(exec_rows(exec, &arrange_key_kernel, &args, d->n_row));
  TRY(exec_sort(exec, d->n_row, d->key, sizeof *d->key, args.place_bits + bits_of((uint64_t)args.count_most),
                d->order));
  EXEC_RELEASE(exec, d->key, d->n_row);
  return OK;
}

/* From the order: the gather row of each target, and room for the entries. */
static Status draft_arrange(Exec *exec, Draft *d, Gather *out) {
  ArrangeArgs args = {.n_row = d->n_row, .count = d->count, .order = d->order};
  out->n_row = d->n_row;
  out->n_warp = d->n_warp;
  TRY(exec_alloc(exec, d->n_row, sizeof *d->row_of, WHAT, (void **)&d->row_of));
  TRY(exec_alloc(exec, d->n_warp, sizeof *d->width, WHAT, (void **)&d->width));
  TRY(exec_alloc(exec, d->n_warp + 1, sizeof *out->start, WHAT, (void **)&out->start));
  args.row_of = d->row_of;
  args.width = d->width;
  TRY(exec_rows(exec, &arrange_row_kernel, &args, d->n_row));
  TRY(exec_rows(exec, &arrange_width_kernel, &args, d->n_warp));
  int64_t n_entry = 0;
  TRY(exec_scan(exec, d->width, sizeof *d->width, d->n_warp, out->start, &n_entry));
  TRY(exec_alloc(exec, n_entry, sizeof *out->entry, "entries of the gather map", (void **)&out->entry));
  out->n_entry = n_entry;
  args.start = out->start;
  args.entry = out->entry;
  return exec_rows(exec, &arrange_tail_kernel, &args, WARP * d->n_warp - d->n_row);
}

/* The rows of the pattern that are gathered, on the Exec: all of them, or those that a range of elements touches. */
typedef struct GatherRows {
  int64_t n;                /* rows */
  int64_t n_target;         /* blocks of the pattern in them */
  int64_t *row, *first;     /* [n], [n + 1]; NULL: all */
  uint32_t *block;          /* [n_target] */
  const GatherRange *range; /* NULL: all */
  Meetings meetings;        /* view */
} GatherRows;

static void gather_rows_release(Exec *exec, GatherRows *r) {
  EXEC_RELEASE(exec, r->row, r->n);
  EXEC_RELEASE(exec, r->first, r->n + 1);
  EXEC_RELEASE(exec, r->block, r->n_target);
}

/* The meetings of the range. */
static Meetings range_meetings(const GatherParams *p, const Meetings *all, const GatherRange *range) {
  Meetings m = *all;
  bool begun = false;
  int64_t before = 0;
  for (int32_t k = 0; k < p->set->n_block; before += p->set->block[k++].n) {
    m.before[k] = before;
    if (range->set->block[k].n == 0) continue;
    if (!begun) m.from = before + range->first[k];
    m.until = before + range->first[k] + range->set->block[k].n;
    begun = true;
  }
  return m;
}

static Status gather_rows_find(Exec *exec, const GatherParams *p, GatherRows *out) {
  Status status = OK;
  const int32_t n = p->pattern->n;
  MeetRangeArgs args = {.start = p->loan->start};
  uint8_t *touched = NULL;
  int32_t *length = NULL;
  int64_t n_row = 0;
  out->n = n;
  out->n_target = pattern_entries(p->pattern);
  if (!out->range) return OK;
  out->n = out->n_target = 0;
  args.meetings = out->meetings = range_meetings(p, &out->meetings, out->range);
  TRY_DONE(exec_alloc(exec, n, 1, WHAT, (void **)&touched));
  args.touched = touched;
  TRY_DONE(exec_rows(exec, &meet_touched_kernel, &args, n));
  TRY_DONE(exec_compact(exec, touched, n, WHAT, &out->row, &n_row));
  out->n = n_row;
  TRY_DONE(exec_alloc(exec, n_row, sizeof *length, WHAT, (void **)&length));
  TRY_DONE(exec_alloc(exec, n_row + 1, sizeof *out->first, WHAT, (void **)&out->first));
  args.row = out->row;
  args.length = length;
  TRY_DONE(exec_rows(exec, &meet_length_kernel, &args, n_row));
  TRY_DONE(exec_scan(exec, length, sizeof *length, n_row, out->first, &out->n_target));
  TRY_DONE(exec_alloc(exec, out->n_target, sizeof *out->block, WHAT, (void **)&out->block));
  args.first = out->first;
  args.block = out->block;
  status = exec_rows(exec, &meet_blocks_kernel, &args, n_row);
done:
  EXEC_RELEASE(exec, touched, n);
  EXEC_RELEASE(exec, length, n_row);
  return status;
}

/* How the element blocks are numbered. */
static MeetPairArgs pair_args(const GatherParams *p, const GatherRows *rows) {
  MeetPairArgs args = {.meetings = rows->meetings,
                       .start = p->loan->start,
                       .column = p->loan->column,
                       .row = rows->row,
                       .row_first = rows->first};
  for (int32_t k = 0; k < p->set->n_block; ++k) {
    const SetBlock *b = rows->range ? &rows->range->set->block[k] : &p->set->block[k];
    args.first[k] = b->pair_first - (rows->range ? rows->range->first[k] * b->pair_e : 0);
    args.step_p[k] = b->pair_p;
    args.step_e[k] = b->pair_e;
    args.n_node[k] = b->type->n_node;
  }
  return args;
}

/* Slots in the order of gather rows. */
static Status draft_slots(Exec *exec, const Draft *d, const GatherParams *p, const GatherRows *rows, Gather *out) {
  const SlotMap *slots = p->slots;
  ArrangeSlotsArgs args = {
      .order = d->order, .row_of = d->row_of, .block = rows->block, .from = p->loan->slots.slot, .n_row = d->n_row};
  out->per_scalar = slots->per_scalar;
  out->column_step = slots->column_step;
  out->step = slots->same_step ? slots->row_step[0] : 0;
  args.square = slots->per_scalar ? p->pattern->block * p->pattern->block : 1;
  TRY(exec_alloc(exec, d->n_row * args.square, sizeof *out->slot, "slots of the gather map", (void **)&out->slot));
  out->n_slot = d->n_row * args.square;
  args.slot = out->slot;
  TRY(exec_rows(exec, &arrange_slots_kernel, &args, d->n_row));
  if (slots->per_scalar || slots->same_step) return OK;
  TRY(exec_alloc(exec, d->n_row, sizeof *out->row_step, "slots of the gather map", (void **)&out->row_step));
  args.row_step = out->row_step;
  args.pattern_start = p->loan->start;
  args.from_step = p->loan->slots.row_step;
  args.pattern_row = rows->row;
  args.row_first = rows->first;
  return exec_rows(exec, &arrange_steps_kernel, &args, rows->n);
}

static Status blocks_fill(Exec *exec, const GatherParams *p, const GatherRows *rows, Draft *d, Gather *out) {
  MeetPairArgs pairs = pair_args(p, rows);
  TRY(draft_create(exec, rows->n_target, d));
  pairs.count = d->count;
  TRY(exec_rows(exec, &meet_pair_count_kernel, &pairs, rows->n));
  const int64_t stride = p->slots->per_scalar ? p->pattern->block * p->pattern->block : 1;
  TRY(draft_order(exec, d, &(DraftPlaces){p->loan->slots.slot, rows->block, stride, p->slots->n_value}));
  TRY(draft_arrange(exec, d, out));
  pairs.row_of = d->row_of;
  pairs.warp_start = out->start;
  pairs.entry = out->entry;
  TRY(exec_rows(exec, &meet_pair_entry_kernel, &pairs, rows->n));
  return draft_slots(exec, d, p, rows, out);
}

static Status range_gather(Exec *exec, const GatherParams *p, const Meetings *meetings, const GatherRange *range,
                           Gather *out) {
  Status status = OK;
  Draft d = {0};
  GatherRows rows = {.range = range, .meetings = *meetings};
  *out = (Gather){0};
  TRY_DONE(gather_rows_find(exec, p, &rows));
  TRY_DONE(blocks_fill(exec, p, &rows, &d, out));
done:
  draft_release(exec, &d);
  gather_rows_release(exec, &rows);
  if (status != OK) gather_release(exec, out);
  return status;
}

Status gather_create_ranges(Exec *exec, const GatherParams *p, int32_t n, const GatherRange *range) {
  Meetings meetings = {0};
  const int64_t n_row = pattern_entries(p->pattern);
  CHECK(n_row <= UINT32_MAX, ERR_INPUT, "the mesh couples %lld pairs of nodes, at most %u fit one device",
        (long long)n_row, UINT32_MAX);
  Status status = meetings_create(exec, p->set, p->incidence, &meetings);
  for (int32_t k = 0; status == OK && k < n; ++k) status = range_gather(exec, p, &meetings, &range[k], range[k].out);
  meetings_release(exec, p->incidence, &meetings);
  return status;
}

Status gather_create_blocks(Exec *exec, const GatherParams *p, Gather *out) {
  Meetings meetings = {0};
  *out = (Gather){0};
  const int64_t n_row = pattern_entries(p->pattern), n_pair = p->set->n_pair;
  CHECK(n_pair <= GATHER_INDEX && n_row <= UINT32_MAX, ERR_INPUT,
        "the mesh gives %lld node pairs in elements, at most %u fit one device: use a coarser mesh", (long long)n_pair,
        GATHER_INDEX);
  Status status = meetings_create(exec, p->set, p->incidence, &meetings);
  if (status == OK) status = range_gather(exec, p, &meetings, NULL, out);
  meetings_release(exec, p->incidence, &meetings);
  return status;
}

static Status nodes_fill(Exec *exec, const ElementSet *set, ArrangeNodesArgs *args, Draft *d, Gather *out) {
  for (int32_t k = 0; k < set->n_block; ++k) {
    args->first[k] = set->block[k].force_first;
    args->step_a[k] = set->block[k].force_a;
    args->step_e[k] = set->block[k].force_e;
  }
  args->count = d->count;
  TRY(exec_rows(exec, &arrange_nodes_count_kernel, args, d->n_row));
  TRY(draft_order(exec, d, &(DraftPlaces){0}));
  TRY(draft_arrange(exec, d, out));
  args->row_of = d->row_of;
  args->start = out->start;
  args->entry = out->entry;
  TRY(exec_rows(exec, &arrange_nodes_kernel, args, d->n_row));
  out->node = (int32_t *)d->order; /* below 2^31 */
  d->order = NULL;
  return OK;
}

Status gather_create_nodes(Exec *exec, const ElementSet *set, const Incidence *incidence, Gather *out) {
  Status status = OK;
  Draft d = {0};
  ArrangeNodesArgs args = {0};
  *out = (Gather){0};
  TRY_DONE(incidence_lend(exec, incidence, &args.node_start, &args.touch));
  TRY_DONE(draft_create(exec, element_set_rows(set), &d));
  TRY_DONE(nodes_fill(exec, set, &args, &d, out));
done:
  draft_release(exec, &d);
  incidence_lend_end(exec, incidence, &args.node_start, &args.touch);
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
