/* The numbers of a hierarchy whose structure is there: row kernels only, so that it is the Exec that computes them. */
#include "core/memory.h"
#include "solver/multigrid/amg.h"
#include "algebra/graph/exec_graph.h"
#include "algebra/mat_format.h"
#include "solver/multigrid/rows.h"

static int64_t n_value(const AmgLevel *v) { return v->a.n_entry * v->s * v->s; }
static int64_t n_modes(const Amg *p, const AmgLevel *v) { return (int64_t)v->n_node * v->s * p->m; }

static Status alloc_value(Precond *m, AmgLevel *v) {
  if (!v->value && !v->a.borrowed) EXEC_ALLOC(m->exec, v->value, n_value(v), "numbers of a level");
  return OK;
}

static Status alloc_modes(Precond *m, AmgLevel *v) {
  if (!v->modes) EXEC_ALLOC(m->exec, v->modes, n_modes(m->own, v), "modes of a level");
  return OK;
}

static void release_numbers(Precond *m, int32_t l) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  EXEC_RELEASE(m->exec, v->value, n_value(v));
  EXEC_RELEASE(m->exec, v->modes, n_modes(p, v));
}

Status amg_copy(Precond *m) {
  Amg *p = m->own;
  MgLevel *v = &p->mg.level[0];
  if (v->a) return OK;
  TRY(mat_create_like(m->a, m->precision, &v->a));
  return precond_scale(m, v->a);
}

Status amg_numeric_begin(Precond *m) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[0];
  if (p->mg.level[0].a) TRY(precond_scale(m, p->mg.level[0].a));
  TRY(amg_copy(m));
  TRY(alloc_value(m, v));
  TRY(alloc_modes(m, v));
  if (!v->a.borrowed) {
    const AmgFetchArgs fetch = {mat_values(m->a), v->places.view, m->scale, m->blocks,
                                v->a.start,       v->a.column,    v->value, v->s};
    TRY(exec_rows(m->exec, &amg_fetch_kernel, &fetch, v->n));
  }
  const AmgModesArgs modes = {p->near_null, m->places, m->scale,
                              m->blocks,    v->modes,  mat_columns(m->a),
                              v->s,         p->m,      m->precision == PRECISION_FLOAT};
  return exec_rows(m->exec, &amg_modes_kernel, &modes, v->n_node);
}

static Status amg_numeric_store(Precond *m, int32_t l) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  Mat *to = p->mg.level[l].a;
  const AmgStoreArgs args = {v->a.start,
                             v->value,
                             v->places.view,
                             mat_values(to),
                             v->s,
                             mat_block(to),
                             mat_precision(to) == PRECISION_FLOAT,
                             to->view.start};
  if (!v->places.slot) return exec_rows(m->exec, &amg_store_lanes_kernel, &args, to->view.n);
  return exec_rows(m->exec, &amg_store_kernel, &args, v->n);
}

/* A matrix whose numbers are read where they are is not scaled: P is, until P^T A P is there (amg_product_rows.h). */
static const double *scale_of(const Precond *m, const AmgLevel *v) { return v->a.borrowed ? m->scale : NULL; }

/* Modes become T, and R those of the next level. */
static Status amg_numeric_orthonormal(Precond *m, int32_t l, double *g) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  if (p->mg.level[l].transfer->pieces) return amg_pieces_orthonormal(m, l, g);
  AmgGramArgs gram = {
      v->aggregates.member.start, v->aggregates.member.column, v->live, v->modes, g, v[1].modes, v->s, p->m, false};
  const AmgOrthonormalArgs orthonormal = {v->aggregates.of, v->live, g, v->modes, v->s, p->m};
  for (; gram.again < 2; gram.again += 1) {
    TRY(exec_rows(m->exec, &amg_gram_kernel, &gram, v->aggregates.n));
    TRY(exec_rows(m->exec, &amg_orthonormal_kernel, &orthonormal, v->n));
  }
  return OK;
}

/* T, then P = (1 - 4 / (3 lambda) A) T. g: a block for each node of the next level. */
static Status amg_numeric_prolongator(Precond *m, int32_t l, double *g) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  const MgTransfer *t = p->mg.level[l].transfer;
  const size_t size = precision_bytes(t->precision);
  TRY(amg_numeric_orthonormal(m, l, g));
  const AmgSmoothArgs smooth = {.a = amg_blocks(m, l, false),
                                .of = v->aggregates.of,
                                .modes = v->modes,
                                .scale = scale_of(m, v),
                                .blocks = m->blocks,
                                .p_start = t->p.start,
                                .p_row = t->p.row,
                                .p_column = t->p.column,
                                .p = t->value,
                                .omega = 4 / (3 * p->mg.level[l].bound),
                                .s = v->s,
                                .m = p->m,
                                .p_float = t->precision == PRECISION_FLOAT};
  TRY(exec_rows(m->exec, &amg_smooth_kernel, &smooth, t->transposed.n_entry));
  EXEC_RELEASE(m->exec, v->modes, n_modes(p, v));
  return v->p_rows.entries ? exec_exchange(m->exec, v->p_rows.entries, t->value, (size_t)(v->s * p->m) * size) : OK;
}

/* What rows [first, end) of A P give to P^T A P, or to its pieces. */
static Status galerkin_rows(Precond *m, int32_t l, const ExecGraph *graph, int64_t first, int64_t end, double *to) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  const MgTransfer *t = p->mg.level[l].transfer;
  const ExecGraph *next = t->pieces ? &v->upper : &v[1].a;
  const int32_t p_float = t->precision == PRECISION_FLOAT;
  const int64_t n_ap = graph->n_entry * v->s * p->m;
  double *ap = NULL;
  EXEC_ALLOC(m->exec, ap, n_ap, "matrix times prolongator");
  const AmgTimesArgs times = {amg_blocks(m, l, true), t->p.start, t->p.column, t->value, graph->start, graph->row,
                              graph->column,          ap,         first,       v->s,     p->m,         p_float};
  Status status = exec_rows(m->exec, &amg_times_kernel, &times, graph->n_entry);
  const AmgGalerkinArgs product = {.t_start = t->pieces ? t->pieces->start : t->transposed.start,
                                   .t_column = t->transposed.column,
                                   .t_source = t->source,
                                   .p = t->value,
                                   .ap_start = graph->start,
                                   .ap_column = graph->column,
                                   .ap = ap,
                                   .start = next->start,
                                   .row = next->row,
                                   .column = next->column,
                                   .first = t->pieces ? t->pieces->first : NULL,
                                   .value = to,
                                   .first_row = first,
                                   .end_row = end,
                                   .s = v->s,
                                   .m = p->m,
                                   .p_float = p_float};
  if (status == OK) status = exec_rows(m->exec, &amg_galerkin_kernel, &product, t->pieces ? v->n_upper : next->n_entry);
  EXEC_RELEASE(m->exec, ap, n_ap);
  return status;
}

/* The same with its graph found for the occasion; `first` begins a slice. */
static Status galerkin_part(Precond *m, int32_t l, int64_t first, int64_t end, double *to) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  ExecGraph rows = v->a, graph;
  rows.n_row = (int32_t)(end - first);
  if (rows.lane) rows.lane += first;
  else rows.start += first >> rows.shift;
  const GraphUnion both = {
      .a = &rows, .b = &p->mg.level[l].transfer->p, .row_in = v->live + first, .n_column = v->aggregates.n};
  Status status = exec_graph_union(m->exec, &both, true, &graph);
  if (status == OK) status = galerkin_rows(m, l, &graph, first, end, to);
  exec_graph_release(m->exec, &graph);
  return status;
}

/* Where the rows from `first` on end that make a part of A P: a multiple of all slices, and whole parts of sums. */
static int64_t part_end(const Amg *p, int32_t l, int64_t first) {
  enum { WHOLE = 1024 };
  const AmgLevel *v = &p->level[l];
  const int64_t step = (v->n + v->n_part - 1) / v->n_part;
  if (l > 0 || !p->parts) return first + (step + WHOLE - 1) / WHOLE * WHOLE;
  int32_t k = 0;
  while (k < p->parts->n_own && p->parts->start[k] < first + step) ++k;
  return k > 1 && p->parts->start[k - 1] > first && p->parts->start[k] > first + step ? p->parts->start[k - 1]
                                                                                      : p->parts->start[k];
}

static Status galerkin_parts(Precond *m, int32_t l, double *to) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  if (v->n_part == 1) return galerkin_rows(m, l, &v->ap, 0, v->n, to);
  for (int64_t first = 0, end; first < v->n; first = end) {
    end = part_end(p, l, first) < v->n ? part_end(p, l, first) : v->n;
    TRY(galerkin_part(m, l, first, end, to));
  }
  return OK;
}

/* P^T A P into the next level. */
static Status amg_numeric_galerkin(Precond *m, int32_t l) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l], *next = v + 1;
  const int64_t n_piece = v->upper.n_entry * p->m * p->m;
  double *piece = NULL;
  if (!p->mg.level[l].transfer->pieces) {
    TRY(alloc_value(m, next));
    TRY(exec_zero(m->exec, next->value, (size_t)n_value(next) * sizeof *next->value));
    return galerkin_parts(m, l, next->value);
  }
  EXEC_ALLOC(m->exec, piece, n_piece, "pieces of a level");
  Status status = exec_zero(m->exec, piece, (size_t)n_piece * sizeof *piece);
  if (status == OK) status = galerkin_parts(m, l, piece);
  if (status == OK) status = alloc_value(m, next);
  if (status == OK) return amg_pieces_join(m, l, &piece);
  EXEC_RELEASE(m->exec, piece, n_piece);
  return status;
}

/* Diagonal blocks of the next level become 1, and P goes with them. */
static Status amg_numeric_scale(Precond *m, int32_t l, double *g) {
  Amg *p = m->own;
  const AmgLevel *v = &p->level[l], *next = v + 1;
  const MgTransfer *t = p->mg.level[l].transfer;
  const AmgFactorArgs factor = {next->a.start, next->a.column, next->value, g, next->modes, p->dropped + l, p->m};
  TRY(exec_rows(m->exec, &amg_factor_kernel, &factor, next->n));
  const AmgScaleArgs both = {next->a.row, next->a.column, next->value, g, p->m, p->m};
  TRY(exec_rows(m->exec, &amg_scale_kernel, &both, next->a.n_entry));
  const AmgFinishArgs finish = {
      t->p.row, t->p.column, t->value, g, scale_of(m, v), m->blocks, v->s, p->m, t->precision == PRECISION_FLOAT};
  return exec_rows(m->exec, &amg_finish_kernel, &finish, t->transposed.n_entry);
}

static Status next_level(Precond *m, int32_t l, double *g) {
  Amg *p = m->own;
  MgTransfer *t = p->mg.level[l].transfer;
  TRY(amg_numeric_prolongator(m, l, g));
  if (p->level[l].a.borrowed && p->level[l].n_part > 1) mat_destroy(&p->mg.level[l].a);
  TRY(amg_numeric_galerkin(m, l));
  TRY(amg_numeric_scale(m, l, g));
  release_numbers(m, l);
  return t->transposed.n_entry * t->fine * t->coarse <= p->most_mirrored ? mg_transfer_mirror(t) : OK;
}

Status amg_numeric_next(Precond *m, int32_t l) {
  Amg *p = m->own;
  const int64_t n_g = (int64_t)p->level[l + 1].n * p->m * p->m;
  double *g = NULL;
  if (l > 0) TRY(amg_numeric_store(m, l));
  const SumParts *before = exec_sum_over(m->exec, l == 0 ? p->parts : NULL);
  const Status found = mg_find_bound(m, &p->mg.level[l], p->fold);
  exec_sum_over(m->exec, before);
  TRY(found);
  TRY(alloc_modes(m, &p->level[l + 1]));
  EXEC_ALLOC(m->exec, g, n_g, "blocks of aggregates");
  const Status status = next_level(m, l, g);
  EXEC_RELEASE(m->exec, g, n_g);
  return status;
}

Status amg_numeric_end(Precond *m) {
  Amg *p = m->own;
  const int32_t l = p->n_level - 1;
  AmgLevel *v = &p->level[l];
  const int64_t n = (int64_t)v->n * v->s, s = v->s;
  double *value = NULL, *dense = NULL, dropped[MG_LEVELS];
  int64_t *start = NULL;
  int32_t *column = NULL, n_bad = 0;
  Status status;
  ALLOC_DONE(value, n_value(v), "numbers of the last level");
  ALLOC_DONE(dense, n * n, "matrix of the last level");
  ALLOC_DONE(start, (int64_t)v->n + 1, "rows of the last level");
  ALLOC_DONE(column, v->a.n_entry, "columns of the last level");
  TRY_DONE(exec_download(m->exec, value, v->value, (size_t)n_value(v) * sizeof *value));
  TRY_DONE(exec_download(m->exec, start, v->a.start, ((size_t)v->n + 1) * sizeof *start));
  TRY_DONE(exec_download(m->exec, column, v->a.column, (size_t)v->a.n_entry * sizeof *column));
  for (int32_t i = 0; i < v->n; ++i)
    for (int64_t k = start[i]; k < start[i + 1]; ++k)
      for (int64_t e = 0; e < s * s; ++e) dense[(i * s + e / s) * n + column[k] * s + e % s] = value[k * s * s + e];
  TRY_DONE(mg_bottom(&p->mg, dense, &n_bad));
  TRY_DONE(exec_download(m->exec, dropped, p->dropped, sizeof dropped));
  for (int32_t k = 0; k < l; ++k) p->n_dropped += (int32_t)dropped[k];
  p->n_dropped += n_bad;
  release_numbers(m, l);
done:
  FREE(value);
  FREE(dense);
  FREE(start);
  FREE(column);
  return status;
}
