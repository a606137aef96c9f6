/* Who has which parts of a sum. */
#include "core/sum_parts.h"
#include "core/memory.h"

#include <string.h>

static Status starts_check(int32_t n, const int64_t *start) {
  CHECK(n >= 0 && start[0] == 0, ERR_BUG, "%d parts of sums that begin with row %lld", n, (long long)start[0]);
  for (int32_t p = 0; p < n; ++p) CHECK(start[p + 1] >= start[p], ERR_BUG, "part %d of sums ends before it begins", p);
  return OK;
}

typedef struct PartCount {
  int64_t n, most; /* parts, rows of the largest */
} PartCount;

/* first [n_rank + 1]: parts before those of each rank. */
static Status ranks_gather(SumParts *parts, PartCount *count, int32_t *first) {
  Comm *comm = parts->exec->comm;
  const int n_rank = comm_size(comm);
  PartCount own = {parts->n_own, 0};
  for (int32_t p = 0; p < parts->n_own; ++p)
    if (parts->start[p + 1] - parts->start[p] > own.most) own.most = parts->start[p + 1] - parts->start[p];
  TRY(comm_gather(comm, &own, sizeof own, count));
  for (int r = 0; r < n_rank; ++r) {
    first[r + 1] = first[r] + (int32_t)count[r].n;
    if (count[r].most > parts->most) parts->most = count[r].most;
  }
  parts->n_part = first[n_rank];
  parts->first = first[comm_rank(comm)];
  ALLOC(parts->gather_start, ROW_SUMS_MOST * (n_rank + 1), "parts of sums");
  ALLOC(parts->part, (int64_t)parts->n_part * ROW_SUMS_MOST, "parts of sums");
  for (int k = 0; k < ROW_SUMS_MOST; ++k)
    for (int r = 0; r <= n_rank; ++r)
      parts->gather_start[k * (n_rank + 1) + r] = first[r] * (k + 1) * (int64_t)sizeof(double);
  return OK;
}

Status sum_parts_create(Exec *exec, int32_t n, const int64_t *start, SumParts **out) {
  *out = NULL;
  SumParts *parts = NULL;
  int32_t *first = NULL;
  PartCount *count = NULL;
  Status status = starts_check(n, start);
  if (status != OK) return status;
  ALLOC(parts, 1, "parts of sums");
  *parts = (SumParts){.exec = exec, .n_own = n, .n_row = start[n]};
  ALLOC_DONE(first, comm_size(exec->comm) + 1, "parts of sums");
  ALLOC_DONE(count, comm_size(exec->comm), "parts of sums");
  ALLOC_DONE(parts->start, n + 1, "parts of sums");
  memcpy(parts->start, start, (size_t)(n + 1) * sizeof *start);
  TRY_DONE(ranks_gather(parts, count, first));
  if (exec->table->parts_open) TRY_DONE(exec->table->parts_open(parts));
  *out = parts;
  parts = NULL;
done:
  FREE(count);
  FREE(first);
  sum_parts_destroy(&parts);
  return status;
}

void sum_parts_destroy(SumParts **parts) {
  if (!*parts) return;
  if ((*parts)->device) (*parts)->exec->table->parts_close(*parts);
  FREE((*parts)->part);
  FREE((*parts)->gather_start);
  FREE((*parts)->start);
  FREE(*parts);
}
