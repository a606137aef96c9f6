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

/* Rows of P^T in pieces of MG_SEGMENT blocks. */
static Status find_segments(MgTransfer *t, int32_t **count) {
  const int64_t n = t->transposed.n_row;
  const char *what = "segments of a transfer";
  EXEC_ALLOC(t->exec, *count, n, what);
  EXEC_ALLOC(t->exec, t->row_segment, n + 1, what);
  MgSplitArgs args = {.start = t->transposed.start, .count = *count, .row_segment = t->row_segment, .n = n};
  TRY(exec_rows(t->exec, &mg_split_count_kernel, &args, n));
  TRY(exec_scan(t->exec, *count, sizeof **count, n, t->row_segment, &t->n_segment));
  TRY(exec_alloc(t->exec, t->n_segment + 1, sizeof *t->segment, what, (void **)&t->segment));
  args.segment = t->segment;
  return exec_rows(t->exec, &mg_split_kernel, &args, n + 1);
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

static Status multigrid_transfer_build(MgTransfer *t, int32_t n_coarse) {
  TRY(exec_graph_transpose(t->exec, &t->p, n_coarse, &t->transposed, &t->source));
  int32_t *count = NULL;
  const Status status = find_segments(t, &count);
  EXEC_RELEASE(t->exec, count, n_coarse);
  TRY(status);
  return alloc_values(t);
}

Status mg_transfer_take(Exec *exec, Precision precision, ExecGraph *p, int32_t n_coarse, int32_t fine, int32_t coarse,
                        MgTransfer **out) {
  *out = NULL;
  MgTransfer *t = NULL;
  ALLOC(t, 1, "a transfer between levels");
  *t = (MgTransfer){.exec = exec, .precision = precision, .fine = fine, .coarse = coarse, .p = *p};
  *p = (ExecGraph){0};
  const Status status = multigrid_transfer_build(t, n_coarse);
  if (status != OK) mg_transfer_destroy(&t);
  *out = t;
  return status;
}

Status mg_transfer_create(Exec *exec, Precision precision, const BlockGraph *p, int32_t fine, int32_t coarse,
                          MgTransfer **out) {
  ExecGraph graph;
  *out = NULL;
  Status status = exec_graph_upload(exec, p, "rows of a transfer", &graph);
  if (status == OK) status = mg_transfer_take(exec, precision, &graph, p->n_column, fine, coarse, out);
  exec_graph_release(exec, &graph);
  if (status == OK) status = alloc_transposed(*out);
  if (status != OK) mg_transfer_destroy(out);
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
