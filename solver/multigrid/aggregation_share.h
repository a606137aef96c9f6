/* What aggregation.c needs to know of nodes that other ranks own. */
#pragma once
#include "solver/multigrid/aggregation.h"
#include "solver/multigrid/aggregation_rows.h"

/* On the Exec. */
typedef struct AggregationShare {
  const TieShare *ties;
  int32_t *number; /* [node] in the whole */
  int32_t *entry;  /* [entry] number of the column, then those of the rows of others */
  int64_t n_node, n_entry;
} AggregationShare;

/* Also after a failure aggregation_share_release follows. */
Status aggregation_share_create(Exec *exec, const Ties *ties, AggregationShare *out);
void aggregation_share_release(Exec *exec, AggregationShare *share);
AggregationOthers aggregation_others(const AggregationShare *share, const Ties *ties);
/* [node][bytes]: what others have of theirs comes; nothing where share->ties is NULL. */
Status aggregation_share_bring(Exec *exec, const AggregationShare *share, void *v, size_t bytes);
/* One round over all ranks: what each kernel finds out goes to the others before the next. */
Status aggregation_share_round(Exec *exec, const AggregationShare *share, const AggregationBallArgs *args);
/* *before: how many those of lower rank have of what this one has `own`; *all: all together. */
Status aggregation_share_count(Exec *exec, int64_t own, int64_t *before, int64_t *all);
