/* From the numbers of one level to the structure of the next, once, kept when only values change: row kernels, but for
 * lists of members, and the formats of coarse matrices whose rows are of very different lengths, which are made on the
 * host. */
#include "core/memory.h"
#include "solver/multigrid/amg.h"
#include "algebra/graph/exec_graph.h"
#include "solver/multigrid/rows.h"
#include "algebra/formats/sbell_exec.h"

#include <math.h>

/* A level that keeps more than this part of its scalars is not worth having. */
static const double LEAST_COARSENING = 0.75;

Status amg_places_upload(Exec *exec, const Mat *mat, int64_t n_entry, AmgPlaces *out) {
  const SlotMap *slots = mat_slots(mat);
  const int64_t square = (int64_t)mat_block(mat) * mat_block(mat);
  *out = (AmgPlaces){.n_slot = slots->per_scalar ? n_entry * square : n_entry,
                     .n_row_step = slots->per_scalar  ? 0
                                   : slots->same_step ? 1
                                                      : mat_rows(mat) / mat_block(mat)};
  const char *what = "where the matrix entries are";
  const bool there = slots->exec == exec; /* a GPU that listed them */
  const size_t bytes = (size_t)out->n_slot * sizeof *out->slot, steps = (size_t)out->n_row_step * sizeof *out->row_step;
  if (!there) TRY(slot_map_fetch(slots));
  TRY(exec_alloc(exec, out->n_slot, sizeof *out->slot, what, (void **)&out->slot));
  TRY(there ? exec_copy(exec, out->slot, slots->exec_slot, bytes) : exec_upload(exec, out->slot, slots->slot, bytes));
  if (out->n_row_step) {
    TRY(exec_alloc(exec, out->n_row_step, sizeof *out->row_step, what, (void **)&out->row_step));
    TRY(there && slots->exec_row_step ? exec_copy(exec, out->row_step, slots->exec_row_step, steps)
                                      : exec_upload(exec, out->row_step, slots->row_step, steps));
  }
  out->view = (AmgSlots){out->slot, out->row_step, slots->column_step, slots->per_scalar, slots->same_step};
  return OK;
}

void amg_level_release(Exec *exec, AmgLevel *v, int32_t m) {
  EXEC_RELEASE(exec, v->value, v->a.n_entry * v->s * v->s);
  EXEC_RELEASE(exec, v->modes, (int64_t)v->n_node * v->s * m);
  EXEC_RELEASE(exec, v->places.slot, v->places.n_slot);
  EXEC_RELEASE(exec, v->places.row_step, v->places.n_row_step);
  aggregates_release(exec, &v->aggregates);
  EXEC_RELEASE(exec, v->live, v->n_node);
  EXEC_RELEASE(exec, v->part, v->n);
  graph_halo_release(exec, &v->p_rows);
  exec_graph_release(exec, &v->ap);
  exec_graph_release(exec, &v->upper);
  graph_halo_release(exec, &v->upper_rows);
  exec_graph_release(exec, &v->a);
}

/* What one coarsening finds, on the Exec. */
typedef struct Coarsening {
  float *weight; /* owned, as is all: norms of the blocks of A */
  int64_t n_weight;
  ExecGraph p, part, next;
  GraphHalo rows; /* of A that other ranks have */
} Coarsening;

static void put_away(Exec *exec, Coarsening *c) {
  EXEC_RELEASE(exec, c->weight, c->n_weight);
  exec_graph_release(exec, &c->p);
  exec_graph_release(exec, &c->part);
  exec_graph_release(exec, &c->next);
  graph_halo_release(exec, &c->rows);
}

/* Aggregates of two parts would move them along each other, where they slide. */
static const int32_t *level_parts(const Precond *m, int32_t l) {
  return l > 0 ? ((const Amg *)m->own)->level[l].part : amg_halo(m, l) ? NULL : m->places.part;
}

/* Norms of the blocks, and which scalars are coupled. */
static Status amg_coarsen_weigh(const Precond *m, int32_t l, Coarsening *c) {
  AmgLevel *v = &((Amg *)m->own)->level[l];
  const Halo *halo = amg_halo(m, l);
  if (halo) TRY(graph_halo_create(m->exec, halo, &v->a, sizeof *c->weight, &c->rows));
  c->n_weight = v->a.n_entry + c->rows.n_entry;
  EXEC_ALLOC(m->exec, c->weight, c->n_weight, "norms of the matrix blocks");
  EXEC_ALLOC(m->exec, v->live, v->n_node, "nodes that are coupled");
  const AmgNormArgs args = {amg_blocks(m, l, false), level_parts(m, l), c->weight, v->live, v->s};
  TRY(exec_rows(m->exec, &amg_norm_kernel, &args, v->n));
  if (!halo) return OK;
  TRY(exec_exchange(m->exec, halo, v->live, sizeof *v->live));
  return exec_exchange(m->exec, c->rows.entries, c->weight, sizeof *c->weight);
}

static Status amg_coarsen_aggregate(Precond *m, int32_t l, const Coarsening *c) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  const double strength = ldexp(m->value[AMG_STRENGTH], -l);
  const TieShare share = {amg_halo(m, l), &c->rows, p->parts, (int32_t)(mat_first(m->a) / v->s)};
  const Ties ties = {&v->a, c->weight, v->live, (float)(strength * strength * v->s), 0, share.halo ? &share : NULL};
  return aggregates_create(m->exec, &ties, &v->aggregates);
}

/* P = (1 - omega A) T: own rows, and behind them those of other ranks. */
static Status find_prolongator(Precond *m, int32_t l, Coarsening *c) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  const Halo *halo = amg_halo(m, l);
  MgTransferShape shape = {.precision = p->mg.precision,
                           .n_coarse = v->aggregates.n,
                           .fine = v->s,
                           .coarse = p->m,
                           .n_ghost_row = v->n_node - v->n,
                           .parts = l == 0 ? p->parts : NULL};
  const GraphUnion smoothed = {.a = &v->a, .of = v->aggregates.of, .row_in = v->live, .n_column = shape.n_coarse};
  TRY(exec_graph_union(m->exec, &smoothed, !halo, &c->p));
  if (halo) {
    TRY(graph_halo_create(m->exec, halo, &c->p, (size_t)(v->s * p->m) * sizeof(double), &v->p_rows));
    TRY(graph_halo_append(m->exec, &v->p_rows, &c->p));
    TRY(exec_graph_rows(m->exec, &c->p));
    shape.n_ghost = v->p_rows.n_entry;
  }
  return mg_transfer_take(m->exec, &shape, &c->p, &p->mg.level[l].transfer);
}

/* Graphs of P, with P^T, and of A P. */
static Status find_graphs(Precond *m, int32_t l, Coarsening *c) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  TRY(find_prolongator(m, l, c));
  const MgTransfer *t = p->mg.level[l].transfer;
  const GraphUnion product = {.a = &v->a, .b = &t->p, .row_in = v->live, .n_column = v->aggregates.n};
  TRY(exec_graph_union(m->exec, &product, true, &v->ap));
  return t->pieces ? OK : aggregates_list(m->exec, &v->aggregates);
}

/* Graph of P^T A P. Rows of P^T are few and long: first what each of their segments gives, then all segments of a
 * row. */
static Status find_next(Exec *exec, const AmgLevel *v, const MgTransfer *t, Coarsening *c) {
  const int32_t n = v->aggregates.n;
  CHECK(t->n_segment < INT32_MAX, ERR_INPUT, "the matrix is too large for preconditioner 'amg': %lld segments of rows",
        (long long)t->n_segment);
  const ExecGraph nodes = {.n_row = (int32_t)t->n_segment,
                           .n_entry = t->transposed.n_entry,
                           .start = t->segment,
                           .column = t->transposed.column},
                  segments = {.n_row = n, .n_entry = t->n_segment, .start = t->row_segment};
  TRY(exec_graph_union(exec, &(GraphUnion){.a = &nodes, .b = &v->ap, .n_column = n}, false, &c->part));
  return exec_graph_union(exec, &(GraphUnion){.a = &segments, .b = &c->part, .n_column = n}, true, &c->next);
}

/* Pattern of a Mat with blocks of B: every node is `parts` block rows. */
static Status split_pattern(const BlockGraph *graph, int32_t parts, int32_t B, Pattern *out) {
  *out = (Pattern){.n = graph->n_row * parts, .block = B};
  ALLOC(out->start, (int64_t)out->n + 1, "rows of a level");
  ALLOC(out->column, graph->start[graph->n_row] * parts * parts, "columns of a level");
  int64_t at = 0;
  for (int32_t i = 0; i < graph->n_row; ++i)
    for (int32_t r = 0; r < parts; ++r) {
      for (int64_t k = graph->start[i]; k < graph->start[i + 1]; ++k)
        for (int32_t c = 0; c < parts; ++c) out->column[at++] = graph->column[k] * parts + c;
      out->start[(int64_t)i * parts + r + 1] = at;
    }
  return OK;
}

/* The matrix of a level in the fastest format that can hold it, with rows in another order than the natural one. */
static Status create_sorted(Amg *p, Exec *exec, int32_t l, int32_t B) {
  AmgLevel *v = &p->level[l];
  Pattern pattern = {0};
  BlockGraph graph = {0};
  MatParams params = {.format = mat_format_with(MAT_SLICED_BLOCKS), .precision = p->mg.precision};
  Status status;
  TRY_DONE(exec_graph_download(exec, &v->a, v->n, &graph));
  TRY_DONE(split_pattern(&graph, v->s / B, B, &pattern));
  status = mat_create(exec, &params, &pattern, &p->mg.level[l].a);
  if (status == ERR_INPUT) { /* a row so long that slices cannot be padded to it */
    status_clear();
    params.format = mat_format_with(MAT_ANY_ROWS);
    status = mat_create(exec, &params, &pattern, &p->mg.level[l].a);
  }
  if (status == OK) status = amg_places_upload(exec, p->mg.level[l].a, pattern.start[pattern.n], &v->places);
done:
  block_graph_release(&graph);
  FREE(pattern.start);
  FREE(pattern.column);
  return status;
}

static Status create_matrix(Amg *p, Exec *exec, int32_t l) {
  const AmgLevel *v = &p->level[l];
  const int32_t B = v->s % 3 == 0 ? 3 : v->s % 2 == 0 ? 2 : 1;
  TRY(sbell_create_on_exec(exec, &v->a, v->s / B, B, p->mg.precision, &p->mg.level[l].a));
  return p->mg.level[l].a ? OK : create_sorted(p, exec, l, B);
}

/* In how many parts A P is made, on all ranks the same. */
static Status plan_parts(const Precond *m, AmgLevel *v) {
  const Amg *p = m->own;
  double bytes = (double)v->ap.n_entry * v->s * p->m * sizeof(double);
  TRY(comm_most(m->exec->comm, &bytes));
  v->n_part = (int32_t)fmin(fmax(ceil(bytes / p->part_bytes), 1), 256);
  return OK;
}

static Status put_parts(Precond *m, int32_t l) {
  AmgLevel *v = &((Amg *)m->own)->level[l], *next = v + 1;
  TRY(aggregates_list(m->exec, &v->aggregates));
  EXEC_ALLOC(m->exec, next->part, next->n, "parts of the body");
  const AmgPartArgs args = {exec_graph_places(&v->aggregates.member), v->aggregates.member.column, level_parts(m, l),
                            next->part};
  return exec_rows(m->exec, &amg_part_kernel, &args, next->n);
}

/* Everything of level l + 1 but its matrix, which the last level does without, and numbers. */
static Status put_next(Precond *m, int32_t l, Coarsening *c) {
  Amg *p = m->own;
  Exec *exec = m->exec;
  AmgLevel *v = &p->level[l], *next = v + 1;
  const MgTransfer *t = p->mg.level[l].transfer;
  TRY(t->pieces ? amg_pieces_graph(m, l, &c->next) : find_next(exec, v, t, c));
  next->n = next->n_node = v->aggregates.n;
  next->n_whole = next->n;
  next->s = p->m;
  next->a = c->next;
  c->next = (ExecGraph){0};
  p->n_level = l + 2;
  if (level_parts(m, l)) TRY(put_parts(m, l));
  TRY(mg_level_create(&p->mg, l + 1, (int64_t)next->n * next->s));
  p->mg.level[l + 1].visits = p->mg.level[l].visits;
  p->mg.level[l + 1].whole = true;
  TRY(plan_parts(m, v));
  if (v->n_part > 1) exec_graph_release(exec, &v->ap);
  return OK;
}

Status amg_coarsen(Precond *m, int32_t l, bool *coarser) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  Coarsening c = {0};
  Status status;
  *coarser = false;
  TRY_DONE(amg_coarsen_weigh(m, l, &c));
  TRY_DONE(amg_coarsen_aggregate(m, l, &c));
  EXEC_RELEASE(m->exec, c.weight, c.n_weight);
  if (v->aggregates.n > 0 && (double)v->aggregates.n * p->m < LEAST_COARSENING * (double)v->n_whole * v->s) {
    TRY_DONE(find_graphs(m, l, &c));
    TRY_DONE(put_next(m, l, &c));
    if (l > 0) TRY_DONE(create_matrix(p, m->exec, l));
    *coarser = true;
  }
done:
  put_away(m->exec, &c);
  if (!*coarser) {
    EXEC_RELEASE(m->exec, v->live, v->n_node);
    aggregates_release(m->exec, &v->aggregates);
    exec_graph_release(m->exec, &v->ap);
  }
  return status;
}
