/* Graphs for combinatorial multigrid: from a matrix, and the quotient R A R^T by clusters. */
#include "core/ascending.h"
#include "core/memory.h"
#include "core/percent.h"
#include "solver/multigrid/cmg.h"

#include <math.h>

/* A row sum below this part of the diagonal is no rounding. */
static const double ROUNDING = 1e-9;
enum { PARTS = 8, MANY_CLUSTERS = 4096 /* worth sharing out among threads */ };

void cmg_graph_release(CmgGraph *g) {
  FREE(g->start);
  FREE(g->column);
  FREE(g->weight);
  FREE(g->ground);
  FREE(g->diagonal);
}

static Status alloc_nodes(int32_t n, CmgGraph *g) {
  *g = (CmgGraph){.n = n};
  ALLOC(g->start, (int64_t)n + 1, "rows of a graph");
  ALLOC(g->ground, n, "ground of a graph");
  ALLOC(g->diagonal, n, "diagonal of a graph");
  return OK;
}

/* After start[i + 1] has the length of row i. */
static Status alloc_edges(CmgGraph *g) {
  for (int32_t i = 0; i < g->n; ++i) g->start[i + 1] += g->start[i];
  ALLOC(g->column, g->start[g->n], "edges of a graph");
  ALLOC(g->weight, g->start[g->n], "weights of a graph");
  return OK;
}

/* Both ends of an edge get the number of the first one (sums in another order differ in the last bit), then
 * diagonals. */
static void make_even(CmgGraph *g) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i)
    for (int64_t k = g->start[i]; k < g->start[i + 1] && g->column[k] < i; ++k) {
      const int64_t first = g->start[g->column[k]], end = g->start[g->column[k] + 1];
      const int64_t other = ascending_find(end - first, g->column + first, i);
      if (other >= 0) g->weight[k] = g->weight[first + other];
    }
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    double sum = g->ground[i];
    for (int64_t k = g->start[i]; k < g->start[i + 1]; ++k) sum += g->weight[k];
    g->diagonal[i] = sum;
  }
}

/* A matrix on the host, as cmg_graph_create takes it. Half of ij and ji: which of them is an edge is one question. */
typedef struct Entries {
  const int64_t *start, *place;
  const int32_t *column;
  const double *value;
} Entries;

static double entry_of_pair(const Entries *e, int32_t i, int64_t k) {
  const int32_t j = e->column[k];
  const int64_t first = e->start[j], at = j >= i ? -1 : ascending_find(e->start[j + 1] - first, e->column + first, i);
  return e->value[e->place[at < 0 ? k : first + at]];
}

/* Row i: its length, or also its edges from `at` on (-1: only the length), and what goes to the ground. */
static int64_t take_row(const Entries *e, int32_t i, int64_t at, CmgGraph *g, double *diagonal) {
  int64_t n = 0;
  double sum = 0;
  for (int64_t k = e->start[i]; k < e->start[i + 1]; ++k) {
    const double v = entry_of_pair(e, i, k);
    sum += v; /* positive couplings stay in: they are lumped into the diagonal */
    if (e->column[k] == i) *diagonal = v;
    if (e->column[k] == i || !(v < 0)) continue;
    if (at >= 0) {
      g->column[at + n] = e->column[k];
      g->weight[at + n] = -v;
    }
    ++n;
  }
  g->ground[i] = sum;
  return n;
}

Status cmg_graph_create(int32_t n, const int64_t *start, const int32_t *column, const double *value,
                        const int64_t *place, CmgGraph *out) {
  const Entries e = {start, place, column, value};
  int64_t n_bad = 0;
  char share[32];
  TRY(alloc_nodes(n, out));
#pragma omp parallel for schedule(static) reduction(+ : n_bad)
  for (int32_t i = 0; i < n; ++i) {
    double diagonal = 0;
    out->start[i + 1] = take_row(&e, i, -1, out, &diagonal);
    if (!(out->ground[i] >= -ROUNDING * diagonal)) ++n_bad;
  }
  CHECK(n_bad == 0, ERR_INPUT,
        "preconditioner 'cmg' needs a diagonally dominant matrix; %lld of %d rows (%s) have negative couplings that "
        "outweigh their diagonal\n  use preconditioner 'amg', or 'least-squares'",
        (long long)n_bad, n, percent_text((double)n_bad / n, share));
  TRY(alloc_edges(out));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    double diagonal = 0;
    take_row(&e, i, out->start[i], out, &diagonal);
    if (fabs(out->ground[i]) <= 1e-14 * diagonal || out->ground[i] < 0) out->ground[i] = 0;
  }
  make_even(out);
  return OK;
}

static void sort_edges(int32_t *column, double *weight, int64_t n) {
  for (int64_t gap = n / 2; gap > 0; gap = gap > 1 && gap < 5 ? 1 : gap * 5 / 11)
    for (int64_t k = gap; k < n; ++k) {
      const int32_t c = column[k];
      const double w = weight[k];
      int64_t at = k;
      for (; at >= gap && column[at - gap] > c; at -= gap) column[at] = column[at - gap], weight[at] = weight[at - gap];
      column[at] = c;
      weight[at] = w;
    }
}

/* A weight with resistances in series. */
static double in_series(double weight, double resistance) { return weight / (1 + weight * resistance); }

typedef struct Quotient {
  const CmgGraph *g;
  const CmgClusters *c;
  double series;
  int64_t *room; /* owned, as is all below, [n_cluster + 1]: before a row, entries of the rows of all clusters before */
  int32_t *place;  /* [n_part][n_cluster]: where in the row at hand a column is, or was in another row */
  int32_t *column; /* rows with room between them, as in weight */
  double *weight;
  int32_t n_part;
} Quotient;

static void quotient_release(Quotient *q) {
  FREE(q->room);
  FREE(q->place);
  FREE(q->column);
  FREE(q->weight);
}

/* Edges of cluster c; returns how many. */
static int64_t sum_cluster(const Quotient *q, int32_t c, int32_t *place, double *ground) {
  const CmgGraph *g = q->g;
  const int32_t *of = q->c->of;
  const double *inner = q->c->inner;
  int32_t *column = q->column + q->room[c], n = 0;
  double *weight = q->weight + q->room[c];
  *ground = 0;
  for (int64_t m = q->c->first[c]; m < q->c->first[c + 1]; ++m) {
    const int32_t i = q->c->member[m];
    const double own = q->series * inner[i];
    *ground += in_series(g->ground[i], own);
    for (int64_t k = g->start[i]; k < g->start[i + 1]; ++k) {
      const int32_t d = of[g->column[k]];
      if (d == c) continue;
      if (d < 0) {
        *ground += in_series(g->weight[k], own);
        continue;
      }
      if (place[d] >= n || column[place[d]] != d) {
        place[d] = n;
        column[n] = d;
        weight[n++] = 0;
      }
      weight[place[d]] += in_series(g->weight[k], own + q->series * inner[g->column[k]]);
    }
  }
  sort_edges(column, weight, n);
  return n;
}

static Status cmg_quotient_prepare(Quotient *q, int32_t n_cluster) {
  const CmgGraph *g = q->g;
  const CmgClusters *c = q->c;
  ALLOC(q->room, (int64_t)n_cluster + 1, "edges of clusters");
#pragma omp parallel for schedule(static)
  for (int32_t k = 0; k < n_cluster; ++k)
    for (int64_t m = c->first[k]; m < c->first[k + 1]; ++m)
      q->room[k + 1] += g->start[c->member[m] + 1] - g->start[c->member[m]];
  for (int32_t k = 0; k < n_cluster; ++k) q->room[k + 1] += q->room[k];
  ALLOC(q->place, n_cluster * (int64_t)q->n_part, "edges of clusters");
  ALLOC(q->column, q->room[n_cluster], "edges of a graph");
  ALLOC(q->weight, q->room[n_cluster], "weights of a graph");
  return OK;
}

static void sum_clusters(const Quotient *q, CmgGraph *out) {
#pragma omp parallel for schedule(static)
  for (int32_t part = 0; part < q->n_part; ++part) {
    const int64_t n = out->n, from = n * part / q->n_part, to = n * (part + 1) / q->n_part;
    for (int64_t c = from; c < to; ++c)
      out->start[c + 1] = sum_cluster(q, (int32_t)c, q->place + n * part, &out->ground[c]);
  }
}

static Status cmg_quotient_pack(const Quotient *q, CmgGraph *out) {
  TRY(alloc_edges(out));
#pragma omp parallel for schedule(static)
  for (int32_t c = 0; c < out->n; ++c)
    for (int64_t k = out->start[c]; k < out->start[c + 1]; ++k) {
      out->column[k] = q->column[q->room[c] + k - out->start[c]];
      out->weight[k] = q->weight[q->room[c] + k - out->start[c]];
    }
  return OK;
}

Status cmg_graph_quotient(const CmgGraph *g, const CmgClusters *clusters, double series, CmgGraph *out) {
  Quotient q = {.g = g, .c = clusters, .series = series, .n_part = clusters->n < MANY_CLUSTERS ? 1 : PARTS};
  TRY(alloc_nodes(clusters->n, out));
  Status status = cmg_quotient_prepare(&q, clusters->n);
  if (status == OK) {
    sum_clusters(&q, out);
    status = cmg_quotient_pack(&q, out);
  }
  quotient_release(&q);
  TRY(status);
  make_even(out);
  return OK;
}
