#include "core/memory.h"
#include "solver/multigrid.h"
#include "solver/rows.h"

static size_t scalar_size(Precision precision) { return precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double); }

static int64_t n_value(const MgTransfer *t) { return t->p.n_entry * t->fine * t->coarse; }

void mg_transfer_destroy(MgTransfer **transfer) {
  MgTransfer *t = *transfer;
  if (!t) return;
  EXEC_RELEASE(t->exec, t->source, t->p.n_entry);
  EXEC_RELEASE(t->exec, t->segment, t->n_segment + 1);
  EXEC_RELEASE(t->exec, t->row_segment, (int64_t)t->transposed.n_row + 1);
  EXEC_RELEASE(t->exec, t->partial, t->n_segment * t->coarse);
  exec_release(t->exec, n_value(t), scalar_size(t->precision), &t->value);
  exec_release(t->exec, n_value(t), scalar_size(t->precision), &t->transposed_value);
  exec_graph_release(t->exec, &t->p);
  exec_graph_release(t->exec, &t->transposed);
  FREE(*transfer);
}

/* Rows of P^T in pieces of MG_SEGMENT blocks. */
static Status upload_segments(MgTransfer *t, const BlockGraph *transposed) {
  int64_t *segment = NULL, *row = NULL, n = 0;
  Status status;
  for (int32_t i = 0; i < transposed->n_row; ++i)
    n += (transposed->start[i + 1] - transposed->start[i] + MG_SEGMENT - 1) / MG_SEGMENT;
  t->n_segment = n;
  ALLOC_DONE(segment, n + 1, "segments of a transfer");
  ALLOC_DONE(row, (int64_t)transposed->n_row + 1, "segments of a transfer");
  n = 0;
  for (int32_t i = 0; i < transposed->n_row; ++i) {
    row[i] = n;
    for (int64_t k = transposed->start[i]; k < transposed->start[i + 1]; k += MG_SEGMENT) segment[n++] = k;
  }
  row[transposed->n_row] = n;
  segment[n] = transposed->start[transposed->n_row];
  TRY_DONE(exec_alloc_upload(t->exec, n + 1, sizeof *segment, segment, "segments of a transfer", (void **)&t->segment));
  TRY_DONE(exec_alloc_upload(t->exec, (int64_t)transposed->n_row + 1, sizeof *row, row, "segments of a transfer",
                             (void **)&t->row_segment));
done:
  FREE(segment);
  FREE(row);
  return status;
}

static Status build(MgTransfer *t, const BlockGraph *p) {
  BlockGraph transposed;
  int64_t *source = NULL;
  Status status;
  TRY_DONE(block_graph_transpose(p, &transposed, &source));
  TRY_DONE(exec_graph_upload(t->exec, p, "rows of a transfer", &t->p));
  TRY_DONE(exec_graph_upload(t->exec, &transposed, "rows of a transfer", &t->transposed));
  TRY_DONE(exec_alloc_upload(t->exec, t->p.n_entry, sizeof *source, source, "rows of a transfer", (void **)&t->source));
  TRY_DONE(upload_segments(t, &transposed));
  TRY_DONE(exec_alloc(t->exec, t->n_segment * t->coarse, sizeof *t->partial, "sums of a transfer", (void **)&t->partial));
  TRY_DONE(exec_alloc(t->exec, n_value(t), scalar_size(t->precision), "values of a transfer", &t->value));
  TRY_DONE(exec_alloc(t->exec, n_value(t), scalar_size(t->precision), "values of a transfer", &t->transposed_value));
  TRY_DONE(exec_zero(t->exec, t->value, (size_t)n_value(t) * scalar_size(t->precision)));
  TRY_DONE(exec_zero(t->exec, t->transposed_value, (size_t)n_value(t) * scalar_size(t->precision)));
done:
  block_graph_release(&transposed);
  FREE(source);
  return status;
}

Status mg_transfer_create(Exec *exec, Precision precision, const BlockGraph *p, int32_t fine, int32_t coarse,
                          MgTransfer **out) {
  *out = NULL;
  MgTransfer *t = NULL;
  ALLOC(t, 1, "a transfer between levels");
  *t = (MgTransfer){.exec = exec, .precision = precision, .fine = fine, .coarse = coarse};
  const Status status = build(t, p);
  if (status != OK) mg_transfer_destroy(&t);
  *out = t;
  return status;
}

Status mg_transfer_fill(MgTransfer *t, const double *values) {
  const MgFillArgs args = {values, t->source, t->value, t->transposed_value, t->fine, t->coarse};
  return exec_rows(t->exec, t->precision == PRECISION_FLOAT ? &mg_fill_f_kernel : &mg_fill_d_kernel, &args, t->p.n_entry);
}
