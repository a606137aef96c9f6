/* Aggregates as Vanek, Mandel and Brezina (1996, algorithm 5.1) make them: first balls of a node and all its strong
 * neighbours that do not touch each other, then whoever is left joins the ball that it is tied to most. On structured
 * grids in natural order the balls are packed without gaps: 3 x 3 x 3 nodes of hexahedra. Serial, a few reads per entry of the
 * graph: the result does not depend on the number of threads. */
#include "solver/aggregation.h"
#include "core/memory.h"

void aggregates_release(Aggregates *a) {
  FREE(a->of);
  FREE(a->start);
  FREE(a->member);
}

typedef struct Work {
  const BlockGraph *graph;
  const float *weight;
  float limit;
  const uint8_t *in;
  int32_t *of;     /* -1: free */
  int32_t n;
} Work;

static bool strong(const Work *w, int32_t i, int64_t k) {
  const int32_t j = w->graph->column[k];
  return j != i && w->in[j] && w->weight[k] > w->limit;
}

/* A new ball about i, if all of it is free. */
static bool try_ball(Work *w, int32_t i) {
  const int64_t begin = w->graph->start[i], end = w->graph->start[i + 1];
  int64_t neighbours = 0;
  if (!w->in[i] || w->of[i] >= 0) return false;
  for (int64_t k = begin; k < end; ++k) {
    if (!strong(w, i, k)) continue;
    if (w->of[w->graph->column[k]] >= 0) return false;
    ++neighbours;
  }
  if (!neighbours) return false;
  w->of[i] = w->n;
  for (int64_t k = begin; k < end; ++k)
    if (strong(w, i, k)) w->of[w->graph->column[k]] = w->n;
  w->n += 1;
  return true;
}

/* Balls, in natural order. */
static void make_balls(Work *w) {
  for (int32_t i = 0; i < w->graph->n_row; ++i) try_ball(w, i);
}

/* To the ball with the largest sum of weights; ties go to the first. ball[] is the state before anyone joined. */
static int32_t best_ball(const Work *w, int32_t i, const int32_t *ball) {
  int32_t best = -1;
  double most = 0;
  for (int64_t k = w->graph->start[i]; k < w->graph->start[i + 1]; ++k) {
    const int32_t a = strong(w, i, k) ? ball[w->graph->column[k]] : -1;
    if (a < 0 || a == best) continue;
    double sum = 0;
    for (int64_t e = w->graph->start[i]; e < w->graph->start[i + 1]; ++e)
      if (strong(w, i, e) && ball[w->graph->column[e]] == a) sum += (double)w->weight[e];
    if (sum > most) {
      most = sum;
      best = a;
    }
  }
  return best;
}

static Status join_rest(Work *w) {
  int32_t *ball = NULL;
  const int32_t n = w->graph->n_row;
  ALLOC(ball, n, "aggregates");
  for (bool more = true; more;) { /* twice at most, unless the graph is not symmetric */
    more = false;
    for (int32_t i = 0; i < n; ++i) ball[i] = w->of[i];
    for (int32_t i = 0; i < n; ++i) {
      if (!w->in[i] || w->of[i] >= 0) continue;
      w->of[i] = best_ball(w, i, ball);
      more = more || w->of[i] >= 0;
    }
  }
  FREE(ball);
  return OK;
}

static Status list_members(Aggregates *out, int32_t n_node) {
  ALLOC(out->start, (int64_t)out->n + 1, "aggregates");
  for (int32_t i = 0; i < n_node; ++i)
    if (out->of[i] >= 0) out->start[out->of[i] + 1] += 1;
  for (int32_t a = 0; a < out->n; ++a) out->start[a + 1] += out->start[a];
  out->n_member = out->start[out->n];
  ALLOC(out->member, out->n_member, "aggregates");
  for (int32_t i = 0; i < n_node; ++i)
    if (out->of[i] >= 0) out->member[out->start[out->of[i]]++] = i;
  for (int32_t a = out->n; a > 0; --a) out->start[a] = out->start[a - 1];
  out->start[0] = 0;
  return OK;
}

static Status build(Work *w, Aggregates *out) {
  const int32_t n = w->graph->n_row;
  ALLOC(out->of, n, "aggregates");
  for (int32_t i = 0; i < n; ++i) out->of[i] = -1;
  w->of = out->of;
  make_balls(w);
  TRY(join_rest(w));
  out->n = w->n;
  return list_members(out, n);
}

Status aggregates_create(const BlockGraph *graph, const float *weight, float limit, const uint8_t *in, Aggregates *out) {
  *out = (Aggregates){0};
  Work w = {.graph = graph, .weight = weight, .limit = limit, .in = in};
  const Status status = build(&w, out);
  if (status != OK) aggregates_release(out);
  return status;
}
