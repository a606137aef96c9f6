/* Loads at a time: the points where expressions in t are evaluated, and the shares of nodes in them, so that the vector
 * at another time is one pass over the points and one over the nodes, in an order that never changes. */
#include "assembly/space/load.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>

Status load_point_add(Loads *loads, LoadPoint point) {
  CHECK(loads->n_point < INT32_MAX, ERR_INPUT, "loads that depend on t are evaluated at too many points");
  if (loads->n_point == loads->point_capacity) {
    const int64_t more = loads->point_capacity ? 2 * loads->point_capacity : 256;
    RESIZE(loads->point, more, "points of loads");
    loads->point_capacity = more;
  }
  loads->point[loads->n_point++] = point;
  return OK;
}

Status load_share_add(Loads *loads, LoadShare share) {
  if (loads->n_share == loads->share_capacity) {
    const int64_t more = loads->share_capacity ? 2 * loads->share_capacity : 1024;
    RESIZE(loads->share, more, "points of loads");
    loads->share_capacity = more;
  }
  loads->share[loads->n_share++] = share;
  return OK;
}

/* Each thread looks at all shares for those of its own nodes: counts them behind their node, or puts them there. */
static void walk_shares(const Loads *loads, int32_t n_node, LoadShare *sorted, int64_t *cursor) {
  const int parts = parts_of(loads->n_share);
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    const int64_t begin = part_begin(n_node, p, parts), end = part_begin(n_node, p + 1, parts);
    for (int64_t k = 0; k < loads->n_share; ++k) {
      const int32_t node = loads->share[k].node;
      if (node < begin || node >= end) continue;
      if (sorted) sorted[cursor[node]++] = loads->share[k];
      else ++cursor[node];
    }
  }
}

/* Stable by node; start[] gets where each node that has shares begins. */
static Status sort_shares(Loads *loads, int32_t n_node) {
  Status status = OK;
  LoadShare *sorted = NULL;
  int64_t *cursor = NULL, before = 0;
  ALLOC_DONE(sorted, loads->n_share, "points of loads");
  ALLOC_DONE(cursor, n_node, "points of loads");
  walk_shares(loads, n_node, NULL, cursor);
  for (int32_t i = 0; i < n_node; ++i) loads->n_touched += cursor[i] > 0;
  ALLOC_DONE(loads->start, (int64_t)loads->n_touched + 1, "points of loads");
  for (int32_t i = 0, j = 0; i < n_node; ++i) {
    const int64_t here = cursor[i];
    cursor[i] = before;
    before += here;
    if (here) loads->start[++j] = before;
  }
  walk_shares(loads, n_node, sorted, cursor);
  LoadShare *old = loads->share;
  loads->share = sorted;
  loads->share_capacity = loads->n_share;
  sorted = old;
done:
  FREE(sorted);
  FREE(cursor);
  return status;
}

Status load_points_finish(Loads *loads, int32_t n_node) {
  TRY(sort_shares(loads, n_node));
  ALLOC(loads->at_point, loads->n_point * loads->n_component, "points of loads");
  ALLOC(loads->at_node, (int64_t)loads->n_touched * loads->n_component, "loads that depend on time");
  return OK;
}

/* Whether all values at a point are finite: direction[c] (value[c] factor) goes to at_point. */
static bool point_evaluate(Loads *loads, int64_t k, double time) {
  const LoadPoint *p = &loads->point[k];
  const int32_t m = loads->n_component;
  bool finite = true;
  for (int32_t c = 0; c < m; ++c) {
    const double value = load_expression(loads, p->load, c, p->x, time);
    loads->at_point[k * m + c] = p->direction[c] * (value * p->factor);
    finite = finite && isfinite(value);
  }
  return finite;
}

Status loads_evaluate(Loads *loads, double time) {
  const int32_t m = loads->n_component;
  int64_t bad = INT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (int64_t k = 0; k < loads->n_point; ++k)
    if (!point_evaluate(loads, k, time) && k < bad) bad = k;
  for (int32_t c = 0; c < m && bad < INT64_MAX; ++c) {
    double ignored;
    TRY(load_value(loads, loads->point[bad].load, c, loads->point[bad].x, time, &ignored));
  }
#pragma omp parallel for schedule(static)
  for (int32_t j = 0; j < loads->n_touched; ++j)
    for (int32_t c = 0; c < m; ++c) {
      double sum = 0;
      for (int64_t k = loads->start[j]; k < loads->start[j + 1]; ++k)
        sum += loads->share[k].weight * loads->at_point[(int64_t)loads->share[k].point * m + c];
      loads->at_node[(int64_t)j * m + c] = sum;
    }
  return OK;
}

Status loads_upload(const Space *space, Loads *l) {
  int32_t *row = NULL;
  const int64_t n = (int64_t)l->n_touched * l->n_component;
  l->exec = space->exec;
  l->n_row = space->n_read;
  TRY(numbering_upload(l->exec, &space->numbering, l->n_component, sizeof(double), l->force, "loads",
                       (void **)&l->exec_force));
  ALLOC(row, n, "loads that depend on time");
  for (int64_t j = 0; j < n; ++j)
    row[j] = l->share[l->start[j / l->n_component]].node * l->n_component + (int32_t)(j % l->n_component);
  const Status status = row_values_create(space, n, row, "loads that depend on time", &l->timed);
  FREE(row);
  return status;
}

Status loads_at_time(const Space *space, Loads *l, double time, double *f) {
  TRY(exec_copy(l->exec, f, l->exec_force, (size_t)space->n_dof * sizeof *f));
  if (l->n_point == 0) return OK;
  TRY(loads_evaluate(l, time));
  return row_values_put(space, &l->timed, l->at_node, true, f);
}

void loads_total(const Loads *loads, int32_t n_node, double total[3]) {
  const int32_t m = loads->n_component;
  for (int c = 0; c < 3; ++c) total[c] = 0;
  for (int64_t i = 0; i < n_node; ++i)
    for (int c = 0; c < m; ++c) total[c] += loads->force[i * m + c];
  for (int64_t j = 0; j < (int64_t)loads->n_touched * m; ++j) total[j % m] += loads->at_node[j];
}
