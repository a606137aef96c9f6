/* Row kernels around aggregation.c: who is tied to whom, and who joins which ball. A row is a node. */
#pragma once
#include "core/hd.h"

typedef struct AggregationArgs {
  const int64_t *start;
  const int32_t *column;
  const float *weight; /* [entry] */
  const uint8_t *in;   /* [node] */
  float limit;
  uint8_t *tied;       /* [entry]: of tie, 1 where the two are tied strongly */
  const int32_t *ball; /* [node] of join: aggregates before, -1: free */
  int32_t *of;         /* and after */
  int64_t *joined;     /* how many did */
} AggregationArgs;

HD int aggregation_tied(const AggregationArgs *a, int64_t i, int64_t k) {
  const int32_t j = a->column[k];
  return j != i && a->in[i] && a->in[j] && a->weight[k] > a->limit;
}

HD void aggregation_tie_body(const AggregationArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) a->tied[k] = (uint8_t)aggregation_tied(a, i, k);
}

/* To the ball with the largest sum of weights; ties go to the first. */
HD int32_t aggregation_best(const AggregationArgs *a, int64_t i) {
  int32_t best = -1;
  double most = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int32_t g = aggregation_tied(a, i, k) ? a->ball[a->column[k]] : -1;
    double sum = 0;
    if (g < 0 || g == best) continue;
    for (int64_t e = a->start[i]; e < a->start[i + 1]; ++e)
      if (a->ball[a->column[e]] == g && aggregation_tied(a, i, e)) sum += (double)a->weight[e];
    if (sum > most) {
      most = sum;
      best = g;
    }
  }
  return best;
}
HD void aggregation_join_body(const AggregationArgs *a, int64_t i, double sum[]) {
  a->of[i] = a->ball[i];
  if (!a->in[i] || a->ball[i] >= 0) return;
  a->of[i] = aggregation_best(a, i);
  sum[0] += a->of[i] >= 0;
}
HD void aggregation_join_finish(const AggregationArgs *a, const double sum[]) { *a->joined = (int64_t)sum[0]; }
