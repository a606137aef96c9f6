#include "core/memory.h"
#include "algebra/graph/exec_graph.h"
#include "solver/multigrid/multigrid.h"
#include "solver/multigrid/rows.h"

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

/* Rows of P^T in pieces of MG_SEGMENT blocks. start: of P^T, host. */
static Status upload_segments(MgTransfer *t, const int64_t *start) {
  int64_t *segment = NULL, *row = NULL, n = 0;
  const int32_t n_row = t->transposed.n_row;
  Status status;
  for (int32_t i = 0; i < n_row; ++i) n += (start[i + 1] - start[i] + MG_SEGMENT - 1) / MG_SEGMENT;
  t->n_segment = n;
  ALLOC_DONE(segment, n + 1, "segments of a transfer");
  ALLOC_DONE(row, (int64_t)n_row + 1, "segments of a transfer");
  n = 0;
  for (int32_t i = 0; i < n_row; ++i) {
    row[i] = n;
    for (int64_t k = start[i]; k < start[i + 1]; k += MG_SEGMENT) segment[n++] = k;
  }
  row[n_row] = n;
  segment[n] = start[n_row];
  TRY_DONE(exec_alloc_upload(t->exec, n + 1, sizeof *segment, segment, "segments of a transfer", (void **)&t->segment));
  TRY_DONE(exec_alloc_upload(t->exec, (int64_t)n_row + 1, sizeof *row, row, "segments of a transfer",
                             (void **)&t->row_segment));
done:
  FREE(segment);
  FREE(row);
  return status;
}

/* All but the graphs. */
static Status alloc_values(MgTransfer *t) {
  const size_t size = scalar_size(t->precision);
  EXEC_ALLOC(t->exec, t->partial, t->n_segment * t->coarse, "sums of a transfer");
  TRY(exec_alloc(t->exec, n_value(t), size, "values of a transfer", &t->value));
  return exec_zero(t->exec, t->value, (size_t)n_value(t) * size);
}

static Status alloc_transposed(MgTransfer *t) {
  if (t->transposed_value) return OK;
  const size_t size = scalar_size(t->precision);
  TRY(exec_alloc(t->exec, n_value(t), size, "values of a transfer", &t->transposed_value));
  return exec_zero(t->exec, t->transposed_value, (size_t)n_value(t) * size);
}

static Status multigrid_transfer_build(MgTransfer *t, const BlockGraph *p) {
  BlockGraph transposed;
  int64_t *source = NULL;
  Status status;
  TRY_DONE(block_graph_transpose(p, &transposed, &source));
  TRY_DONE(exec_graph_upload(t->exec, p, "rows of a transfer", &t->p));
  TRY_DONE(exec_graph_upload(t->exec, &transposed, "rows of a transfer", &t->transposed));
  TRY_DONE(exec_alloc_upload(t->exec, t->p.n_entry, sizeof *source, source, "rows of a transfer", (void **)&t->source));
  TRY_DONE(upload_segments(t, transposed.start));
  TRY_DONE(alloc_values(t));
  status = alloc_transposed(t);
done:
  block_graph_release(&transposed);
  FREE(source);
  return status;
}

static Status multigrid_transfer_take(MgTransfer *t) {
  int64_t *start = NULL;
  Status status;
  CHECK(t->transposed.n_entry == t->p.n_entry, ERR_BUG, "the graph of the matrix is not symmetric");
  ALLOC(start, (int64_t)t->transposed.n_row + 1, "rows of a transfer");
  TRY_DONE(exec_graph_source(t->exec, &t->p, &t->transposed, &t->source));
  TRY_DONE(exec_download(t->exec, start, t->transposed.start, ((size_t)t->transposed.n_row + 1) * sizeof *start));
  TRY_DONE(upload_segments(t, start));
  status = alloc_values(t);
done:
  FREE(start);
  return status;
}

Status mg_transfer_take(Exec *exec, Precision precision, ExecGraph *p, ExecGraph *transposed, int32_t fine,
                        int32_t coarse, MgTransfer **out) {
  *out = NULL;
  MgTransfer *t = NULL;
  ALLOC(t, 1, "a transfer between levels");
  *t = (MgTransfer){
      .exec = exec, .precision = precision, .fine = fine, .coarse = coarse, .p = *p, .transposed = *transposed};
  *p = *transposed = (ExecGraph){0};
  const Status status = multigrid_transfer_take(t);
  if (status != OK) mg_transfer_destroy(&t);
  *out = t;
  return status;
}

Status mg_transfer_create(Exec *exec, Precision precision, const BlockGraph *p, int32_t fine, int32_t coarse,
                          MgTransfer **out) {
  *out = NULL;
  MgTransfer *t = NULL;
  ALLOC(t, 1, "a transfer between levels");
  *t = (MgTransfer){.exec = exec, .precision = precision, .fine = fine, .coarse = coarse};
  const Status status = multigrid_transfer_build(t, p);
  if (status != OK) mg_transfer_destroy(&t);
  *out = t;
  return status;
}

/* values NULL: those of P are there. */
static Status multigrid_transfer_fill(MgTransfer *t, const double *values) {
  TRY(alloc_transposed(t));
  const MgFillArgs args = {values, t->source, t->value, t->transposed_value, t->fine, t->coarse};
  return exec_rows(t->exec, t->precision == PRECISION_FLOAT ? &mg_fill_f_kernel : &mg_fill_d_kernel, &args,
                   t->p.n_entry);
}

Status mg_transfer_fill(MgTransfer *t, const double *values) { return multigrid_transfer_fill(t, values); }

Status mg_transfer_mirror(MgTransfer *t) { return multigrid_transfer_fill(t, NULL); }
