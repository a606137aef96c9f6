/* Balls over several ranks: the rounds of aggregation.c with the states of the neighbours' nodes exchanged on the way, so
 * that each decides what one rank alone would. */
#include "solver/multigrid/aggregation_share.h"
#include "core/memory.h"
#include "solver/multigrid/rows.h"

Status aggregation_share_create(Exec *exec, const Ties *ties, AggregationShare *out) {
  const TieShare *s = ties->share;
  *out = (AggregationShare){.ties = s};
  if (!s) return OK;
  out->n_node = (int64_t)s->halo->n_own + s->halo->n_halo;
  out->n_entry = ties->a->n_entry + s->rows->n_entry;
  EXEC_ALLOC(exec, out->number, out->n_node, "numbers of nodes");
  EXEC_ALLOC(exec, out->entry, out->n_entry, "numbers of nodes");
  const AggregationWholeArgs args = {ties->a->column, out->number, out->entry, s->first};
  TRY(exec_rows(exec, &aggregation_whole_kernel, &args, s->halo->n_own));
  TRY(exec_exchange(exec, s->halo, out->number, sizeof *out->number));
  TRY(exec_rows(exec, &aggregation_entry_kernel, &args, ties->a->n_entry));
  return exec_exchange(exec, s->rows->entries, out->entry, sizeof *out->entry);
}

void aggregation_share_release(Exec *exec, AggregationShare *share) {
  EXEC_RELEASE(exec, share->number, share->n_node);
  EXEC_RELEASE(exec, share->entry, share->n_entry);
}

AggregationOthers aggregation_others(const AggregationShare *share, const Ties *ties) {
  const int64_t n = ties->a->n_entry;
  if (!share->ties) return (AggregationOthers){.n_own = ties->a->n_row};
  return (AggregationOthers){share->ties->rows->start, share->entry + n, ties->weight + n, ties->a->n_row,
                             share->ties->first};
}

Status aggregation_share_bring(Exec *exec, const AggregationShare *share, void *v, size_t bytes) {
  return share->ties ? exec_exchange(exec, share->ties->halo, v, bytes) : OK;
}

Status aggregation_share_round(Exec *exec, const AggregationShare *share, const AggregationBallArgs *args) {
  const int64_t n = args->n_own;
  const SumParts *before = exec_sum_over(exec, share->ties ? share->ties->parts : NULL);
  const Status status = exec_rows(exec, &aggregation_decide_kernel, args, n);
  exec_sum_over(exec, before);
  TRY(status);
  TRY(aggregation_share_bring(exec, share, args->next, sizeof *args->next));
  TRY(exec_rows(exec, &aggregation_settle_kernel, args, n));
  TRY(aggregation_share_bring(exec, share, args->of, sizeof *args->of));
  TRY(exec_rows(exec, &aggregation_spread_kernel, args, n));
  TRY(aggregation_share_bring(exec, share, args->beside, sizeof *args->beside));
  TRY(exec_rows(exec, &aggregation_follow_kernel, args, n));
  return aggregation_share_bring(exec, share, args->low, sizeof *args->low);
}

Status aggregation_share_count(Exec *exec, int64_t own, int64_t *before, int64_t *all) {
  Comm *comm = exec->comm;
  int64_t *count = NULL;
  *before = 0;
  *all = own;
  if (comm_size(comm) == 1) return OK;
  ALLOC(count, comm_size(comm), "aggregates of all ranks");
  const Status status = comm_gather(comm, &own, sizeof own, count);
  *all = 0;
  for (int r = 0; r < comm_size(comm); ++r) {
    if (r < comm_rank(comm)) *before += count[r];
    *all += count[r];
  }
  FREE(count);
  return status;
}
