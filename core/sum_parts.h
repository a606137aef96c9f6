/* SumParts: what the sums of row kernels are made of, so that they have the same bits for any number of ranks. The rows
 * of a numbering (nodes, coarse nodes) lie in fixed parts, one behind the other; a part is added up in chunks of
 * ROW_CHUNK rows, and a sum is that of all parts in their order, on every rank. A rank has a run of whole parts. */
#pragma once
#include "core/comm.h"
#include "core/exec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SumParts {
  Exec *exec;
  int32_t n_part;        /* of all ranks */
  int32_t first, n_own;  /* this rank has parts [first, first + n_own) */
  int64_t n_row;         /* of this rank */
  int64_t most;          /* rows of the largest part of all ranks */
  int64_t *start;        /* [n_own + 1]: own rows where they begin, 0 to n_row */
  int64_t *gather_start; /* [ROW_SUMS_MOST][n_rank + 1]: for 1, 2 ... sums, where the parts of each rank begin, bytes */
  double *part;          /* [n_part][ROW_SUMS_MOST]: room for sums on their way */
  void *device;          /* what the Exec keeps for it */
} SumParts;

/* start [n + 1]: of this rank's parts only; borrowed during the call. They may be empty, and n be 0. Inner boundaries are
 * multiples of ROW_CHUNK where matrix formats have slices. Collective over the ranks of the Exec. */
Status sum_parts_create(Exec *exec, int32_t n, const int64_t *start, SumParts **out);
/* Accepts NULL, sets NULL. */
void sum_parts_destroy(SumParts **parts);

#ifdef __cplusplus
}
#endif
