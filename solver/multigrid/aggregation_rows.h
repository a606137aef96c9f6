/* Row kernels of aggregation.c: who is tied to whom, where the balls are, and who joins which. A row is a node. */
#pragma once
#include "algebra/graph/graph_rows.h"

/* Rows of the nodes from n_own on, which other ranks have: where they begin, numbers in the whole and weights of their
 * entries. */
typedef struct AggregationOthers {
  const int64_t *start;
  const int32_t *number; /* NULL: there are no others */
  const float *weight;
  int32_t n_own, first; /* own nodes, and the number of the first */
} AggregationOthers;

typedef struct AggregationArgs {
  GraphRows rows;
  const int32_t *column;
  const float *weight; /* [entry] */
  const uint8_t *in;   /* [node] */
  float limit;
  AggregationOthers others;
  uint8_t *tied;       /* [entry]: of tie, 1 where the two are tied strongly */
  const int32_t *ball; /* [node] of join: aggregates before, -1: free */
  int32_t *of;         /* and after */
  int64_t *joined;     /* how many did */
} AggregationArgs;

/* Whether row j says so of i; j is a node of another rank. */
HD int aggregation_tied_there(const AggregationOthers *o, float limit, int64_t i, int32_t j) {
  for (int64_t e = o->start[j - o->n_own]; e < o->start[j - o->n_own + 1]; ++e)
    if (o->number[e] == o->first + i && o->weight[e] > limit) return 1;
  return 0;
}

/* The same from both sides, also where the two weights are rounded to either side of the limit. */
HD int aggregation_tied(const AggregationArgs *a, int64_t i, int64_t k) {
  const int32_t j = a->column[k];
  const float near = 1e-5f * a->limit;
  if (j == i || !a->in[i] || !a->in[j] || a->weight[k] < a->limit - near) return 0;
  if (a->weight[k] > a->limit + near) return 1;
  if (a->others.number && j >= a->others.n_own)
    return a->weight[k] > a->limit || aggregation_tied_there(&a->others, a->limit, i, j);
  for (GraphSpan e = graph_span(&a->rows, j); e.at < e.end; e.at += e.step)
    if (a->column[e.at] == i && a->weight[e.at] > a->limit) return 1;
  return a->weight[k] > a->limit;
}

HD void aggregation_tie_body(const AggregationArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (GraphSpan k = graph_span(&a->rows, i); k.at < k.end; k.at += k.step)
    a->tied[k.at] = (uint8_t)aggregation_tied(a, i, k.at);
}

/* To the ball with the largest sum of weights; ties go to the first. */
HD int32_t aggregation_best(const AggregationArgs *a, int64_t i) {
  const GraphSpan row = graph_span(&a->rows, i);
  int32_t best = -1;
  double most = 0;
  for (int64_t k = row.at; k < row.end; k += row.step) {
    const int32_t g = aggregation_tied(a, i, k) ? a->ball[a->column[k]] : -1;
    double sum = 0;
    if (g < 0 || g == best) continue;
    for (int64_t e = row.at; e < row.end; e += row.step)
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

/* Balls: a node is the middle of one when no node of lower number is that has a neighbour, or itself, in common with
 * it. A round decides all nodes about which enough is known: that is the same as one node after the other in natural
 * order. */
enum { AGGREGATION_OPEN, AGGREGATION_MIDDLE, AGGREGATION_NONE, AGGREGATION_NOBODY = INT32_MAX };
typedef struct AggregationBallArgs {
  GraphRows rows;
  const int32_t *column;
  const uint8_t *tied; /* [entry] */
  uint8_t *state;      /* [node], AGGREGATION_OPEN first */
  uint8_t *next;       /* [node]: what decide finds and settle takes */
  uint8_t *beside;     /* [node]: 1 when one that it is tied to is in a ball */
  uint8_t *told;       /* [node]: 1 when those tied to it know that it is in a ball */
  /* [node]: lowest open one of it and those tied to it, AGGREGATION_NOBODY, a round behind at most: its number in the
   * whole, and which that is here */
  int32_t *low, *low_at;
  int32_t *wait; /* [node]: whose `low` is to grow before; first itself */
  int32_t *of;   /* [node]: middle of the ball that it is in; -1 */
  int32_t *rank; /* [node] of middle: 1 where one is; of number: how many before */
  int64_t *start_of_rank;
  int64_t *left; /* how many are open */
  /* Of several ranks; rows are the own nodes, those from n_own on are of others, who tell of `next`, `of`, `beside` and
   * `low` there. */
  const int32_t *number; /* [node] in the whole; NULL: all are here */
  uint8_t *edge;         /* [node]: tied to one of another rank */
  int32_t n_own;
  int64_t before; /* balls of the ranks before */
} AggregationBallArgs;

/* The number in the whole. */
HD int32_t aggregation_place(const AggregationBallArgs *a, int64_t i) { return a->number ? a->number[i] : (int32_t)i; }

/* The loop has no exit on the way, so that all it reads is asked for at once. */
HD uint8_t aggregation_decision(const AggregationBallArgs *a, int64_t i) {
  const GraphSpan row = graph_span(&a->rows, i);
  const int32_t place = aggregation_place(a, i);
  int32_t neighbours = 0, wait = a->low[i] < place ? (int32_t)i : -1;
  for (int64_t k = row.at; k < row.end; k += row.step) {
    neighbours += a->tied[k];
    if (a->tied[k] && a->low[a->column[k]] < place) wait = a->column[k];
  }
  if (!neighbours) return AGGREGATION_NONE;
  if (wait < 0) return AGGREGATION_MIDDLE;
  a->wait[i] = wait;
  return AGGREGATION_OPEN;
}
HD void aggregation_decide_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  if (a->state[i] != AGGREGATION_OPEN) return;
  uint8_t next = AGGREGATION_OPEN;
  if (a->of[i] >= 0 || a->beside[i]) next = AGGREGATION_NONE;
  else if (a->low[a->wait[i]] >= aggregation_place(a, i)) next = aggregation_decision(a, i);
  if (next != AGGREGATION_OPEN) a->next[i] = next;
  sum[0] += next == AGGREGATION_OPEN;
}
HD void aggregation_decide_finish(const AggregationBallArgs *a, const double sum[]) { *a->left = (int64_t)sum[0]; }

/* Whether a node of another rank that i is tied to is in a ball. */
HD int aggregation_beside_others(const AggregationBallArgs *a, int64_t i) {
  for (GraphSpan k = graph_span(&a->rows, i); k.at < k.end; k.at += k.step)
    if (a->tied[k.at] && a->column[k.at] >= a->n_own && a->of[a->column[k.at]] >= 0) return 1;
  return 0;
}

/* After settle: who has come into a ball tells all tied to it. */
HD void aggregation_spread_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->number && a->edge[i] && aggregation_beside_others(a, i)) hd_mark(&a->beside[i]);
  if (a->of[i] < 0 || a->told[i]) return;
  a->told[i] = 1;
  for (GraphSpan k = graph_span(&a->rows, i); k.at < k.end; k.at += k.step)
    if (a->tied[k.at]) hd_mark(&a->beside[a->column[k.at]]);
}

/* After spread: who is in a ball, or beside one, is no middle, although the next round only says so. */
HD int aggregation_open(const AggregationBallArgs *a, int64_t i) {
  return a->next[i] == AGGREGATION_OPEN && a->of[i] < 0 && !a->beside[i];
}
/* low of row i from what `open` says: of all nodes at first. */
HD void aggregation_lowest(const AggregationBallArgs *a, int64_t i, int any) {
  int32_t at = any || aggregation_open(a, i) ? (int32_t)i : -1;
  int32_t low = at < 0 ? AGGREGATION_NOBODY : aggregation_place(a, i);
  for (GraphSpan k = graph_span(&a->rows, i); k.at < k.end; k.at += k.step) {
    const int32_t j = a->column[k.at];
    if (!a->tied[k.at] || !(any || aggregation_open(a, j)) || aggregation_place(a, j) >= low) continue;
    at = j;
    low = aggregation_place(a, j);
  }
  a->low[i] = low;
  a->low_at[i] = low == AGGREGATION_NOBODY ? low : at;
}
HD void aggregation_follow_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->low[i] == AGGREGATION_NOBODY || aggregation_open(a, a->low_at[i])) return;
  aggregation_lowest(a, i, 0);
}

/* Middles of another rank's balls that i is in: it comes to know by what that rank tells. */
HD void aggregation_settle_others(const AggregationBallArgs *a, int64_t i) {
  for (GraphSpan k = graph_span(&a->rows, i); k.at < k.end; k.at += k.step) {
    const int32_t j = a->column[k.at];
    if (a->tied[k.at] && j >= a->n_own && a->next[j] == AGGREGATION_MIDDLE) a->of[i] = j;
  }
}

/* Balls have no node in common, so no other row writes where this row does. */
HD void aggregation_settle_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->number && a->edge[i]) aggregation_settle_others(a, i);
  if (a->state[i] != AGGREGATION_OPEN || a->next[i] == AGGREGATION_OPEN) return;
  a->state[i] = a->next[i];
  if (a->next[i] != AGGREGATION_MIDDLE) return;
  a->of[i] = (int32_t)i;
  for (GraphSpan k = graph_span(&a->rows, i); k.at < k.end; k.at += k.step)
    if (a->tied[k.at]) a->of[a->column[k.at]] = (int32_t)i;
}

HD void aggregation_begin_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->state[i] = a->next[i] = AGGREGATION_OPEN;
  a->beside[i] = a->told[i] = 0;
  a->wait[i] = (int32_t)i;
  a->of[i] = -1;
  aggregation_lowest(a, i, 1);
  if (!a->number) return;
  a->edge[i] = 0;
  for (GraphSpan k = graph_span(&a->rows, i); k.at < k.end; k.at += k.step)
    if (a->tied[k.at] && a->column[k.at] >= a->n_own) a->edge[i] = 1;
}
HD void aggregation_middle_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->rank[i] = a->of[i] == i;
}
/* Balls of the ranks before come first. */
HD void aggregation_after_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->start_of_rank[i] += a->before;
}
HD void aggregation_number_body(const AggregationBallArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->of[i] >= 0) a->of[i] = (int32_t)a->start_of_rank[a->of[i]];
}

/* Numbers in the whole, of own nodes and of the entries of their rows. */
typedef struct AggregationWholeArgs {
  const int32_t *column;
  int32_t *number, *entry;
  int32_t first;
} AggregationWholeArgs;
HD void aggregation_whole_body(const AggregationWholeArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->number[i] = a->first + (int32_t)i;
}
HD void aggregation_entry_body(const AggregationWholeArgs *a, int64_t k, double sum[]) {
  (void)sum;
  a->entry[k] = a->number[a->column[k]];
}
