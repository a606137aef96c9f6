#include "core/memory.h"
#include "algebra/graph/exec_graph.h"
#include "solver/multigrid/multigrid.h"
#include "solver/multigrid/rows.h"

/* Of P, with rows of other ranks; of P^T, which has the own ones. */
static int64_t n_value(const MgTransfer *t) { return t->p.n_entry * t->fine * t->coarse; }
static int64_t n_transposed(const MgTransfer *t) { return t->transposed.n_entry * t->fine * t->coarse; }
static int64_t n_pieces(const MgTransfer *t) { return t->pieces ? t->pieces->n_piece : t->transposed.n_row; }

void mg_transfer_destroy(MgTransfer **transfer) {
  MgTransfer *t = *transfer;
  if (!t) return;
  EXEC_RELEASE(t->exec, t->source, t->transposed.n_entry);
  EXEC_RELEASE(t->exec, t->segment, t->n_segment + 1);
  EXEC_RELEASE(t->exec, t->row_segment, n_pieces(t) + 1);
  if (t->pieces) EXEC_RELEASE(t->exec, t->parcel, (int64_t)t->pieces->n_all * t->coarse);
  mg_pieces_destroy(&t->pieces);
  EXEC_RELEASE(t->exec, t->partial, t->n_segment * t->coarse);
  exec_release(t->exec, n_value(t), precision_bytes(t->precision), &t->value);
  exec_release(t->exec, n_transposed(t), precision_bytes(t->precision), &t->transposed_value);
  exec_graph_release(t->exec, &t->p);
  exec_graph_release(t->exec, &t->transposed);
  FREE(*transfer);
}

/* Rows of P^T, or their pieces, in segments of MG_SEGMENT blocks. */
static Status find_segments(MgTransfer *t, int32_t **count) {
  const int64_t n = n_pieces(t);
  const char *what = "segments of a transfer";
  EXEC_ALLOC(t->exec, *count, n, what);
  EXEC_ALLOC(t->exec, t->row_segment, n + 1, what);
  MgSplitArgs args = {.start = t->pieces ? t->pieces->start : t->transposed.start,
                      .count = *count,
                      .row_segment = t->row_segment,
                      .n = n};
  TRY(exec_rows(t->exec, &mg_split_count_kernel, &args, n));
  TRY(exec_scan(t->exec, *count, sizeof **count, n, t->row_segment, &t->n_segment));
  TRY(exec_alloc(t->exec, t->n_segment + 1, sizeof *t->segment, what, (void **)&t->segment));
  args.segment = t->segment;
  return exec_rows(t->exec, &mg_split_kernel, &args, n + 1);
}

/* All but the graphs. */
static Status alloc_values(MgTransfer *t) {
  const size_t size = precision_bytes(t->precision);
  EXEC_ALLOC(t->exec, t->partial, t->n_segment * t->coarse, "sums of a transfer");
  if (t->pieces) EXEC_ALLOC(t->exec, t->parcel, (int64_t)t->pieces->n_all * t->coarse, "sums of a transfer");
  TRY(exec_alloc(t->exec, n_value(t), size, "values of a transfer", &t->value));
  return exec_zero(t->exec, t->value, (size_t)n_value(t) * size);
}

static Status alloc_transposed(MgTransfer *t) {
  if (t->transposed_value) return OK;
  const size_t size = precision_bytes(t->precision);
  TRY(exec_alloc(t->exec, n_transposed(t), size, "values of a transfer", &t->transposed_value));
  return exec_zero(t->exec, t->transposed_value, (size_t)n_transposed(t) * size);
}

/* Behind the graphs. */
static Status multigrid_transfer_end(MgTransfer *t) {
  int32_t *count = NULL;
  const Status status = find_segments(t, &count);
  EXEC_RELEASE(t->exec, count, n_pieces(t));
  TRY(status);
  return alloc_values(t);
}

static Status multigrid_transfer_build(MgTransfer *t, const MgTransferShape *shape) {
  ExecGraph own = t->p;
  own.n_row -= shape->n_ghost_row;
  own.n_entry -= shape->n_ghost;
  TRY(exec_graph_transpose(t->exec, &own, shape->n_coarse, &t->transposed, &t->source));
  if (shape->parts) TRY(mg_pieces_create(t->exec, shape->parts, &t->transposed, &t->pieces));
  return multigrid_transfer_end(t);
}

Status mg_transfer_take(Exec *exec, const MgTransferShape *shape, ExecGraph *p, MgTransfer **out) {
  *out = NULL;
  MgTransfer *t = NULL;
  ALLOC(t, 1, "a transfer between levels");
  *t = (MgTransfer){.exec = exec, .precision = shape->precision, .fine = shape->fine, .coarse = shape->coarse, .p = *p};
  *p = (ExecGraph){0};
  const Status status = multigrid_transfer_build(t, shape);
  if (status != OK) mg_transfer_destroy(&t);
  *out = t;
  return status;
}

Status mg_transfer_create(Exec *exec, Precision precision, ExecGraph *p, ExecGraph *transposed, int64_t **source,
                          int32_t size, MgTransfer **out) {
  MgTransfer *t = NULL;
  *out = NULL;
  ALLOC(t, 1, "a transfer between levels");
  *t = (MgTransfer){.exec = exec, .precision = precision, .fine = size, .coarse = size};
  t->p = *p, t->transposed = *transposed, t->source = *source;
  *p = *transposed = (ExecGraph){0};
  *source = NULL;
  Status status = multigrid_transfer_end(t);
  if (status == OK) status = alloc_transposed(t);
  if (status != OK) mg_transfer_destroy(&t);
  *out = t;
  return status;
}

/* values NULL: those of P are there. */
static Status multigrid_transfer_fill(MgTransfer *t, const double *values) {
  TRY(alloc_transposed(t));
  const int64_t n = t->transposed.n_entry, n_p = values ? t->p.n_entry : 0;
  const MgFillArgs args = {values, t->source, t->value, t->transposed_value, n_p, n, t->fine, t->coarse};
  return exec_rows(t->exec, t->precision == PRECISION_FLOAT ? &mg_fill_f_kernel : &mg_fill_d_kernel, &args,
                   n > n_p ? n : n_p);
}

Status mg_transfer_fill(MgTransfer *t, const double *values) { return multigrid_transfer_fill(t, values); }

Status mg_transfer_mirror(MgTransfer *t) { return multigrid_transfer_fill(t, NULL); }
