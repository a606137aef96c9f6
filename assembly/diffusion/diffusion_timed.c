/* Loads that depend on t: the points where their expressions are evaluated, and the shares of nodes in them, so that
 * the load vector at another time is one pass over the points and one over the nodes, in an order that never
 * changes. */
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

const char *diffusion_place(const char *where, const char *kind, int32_t index, char text[64]) {
  if (where) return where;
  snprintf(text, 64, "%s %d", kind, (int)index + 1);
  return text;
}

Status diffusion_finite(const DiffusionLoad *load, int32_t index, const char *what, double value, const double x[3],
                        double time) {
  char text[64];
  CHECK(isfinite(value), ERR_INPUT, "%s: %s is %s at (%g, %g, %g), t = %g, must be finite",
        diffusion_place(load->where, "load", index, text), what, isnan(value) ? "not a number" : "infinite", x[0], x[1],
        x[2], time);
  return OK;
}

Status timed_point_add(DiffusionLoads *loads, TimedPoint point) {
  if (loads->n_point == loads->point_capacity) {
    const int64_t more = loads->point_capacity ? 2 * loads->point_capacity : 256;
    RESIZE(loads->point, more, "points of loads");
    loads->point_capacity = more;
  }
  loads->point[loads->n_point++] = point;
  return OK;
}

Status timed_share_add(DiffusionLoads *loads, TimedShare share) {
  if (loads->n_share == loads->share_capacity) {
    const int64_t more = loads->share_capacity ? 2 * loads->share_capacity : 1024;
    RESIZE(loads->share, more, "points of loads");
    loads->share_capacity = more;
  }
  loads->share[loads->n_share++] = share;
  return OK;
}

/* Stable by node; start[] gets where each node that has shares begins. */
static Status sort_shares(DiffusionLoads *loads, int32_t n_node) {
  Status status = OK;
  TimedShare *sorted = NULL;
  int64_t *cursor = NULL;
  ALLOC_DONE(sorted, loads->n_share, "points of loads");
  ALLOC_DONE(cursor, (int64_t)n_node + 1, "points of loads");
  for (int64_t k = 0; k < loads->n_share; ++k) ++cursor[loads->share[k].node + 1];
  for (int32_t i = 0; i < n_node; ++i) {
    loads->n_touched += cursor[i + 1] > 0;
    cursor[i + 1] += cursor[i];
  }
  ALLOC_DONE(loads->start, (int64_t)loads->n_touched + 1, "points of loads");
  for (int32_t i = 0, j = 0; i < n_node; ++i)
    if (cursor[i + 1] > cursor[i]) loads->start[++j] = cursor[i + 1];
  for (int64_t k = 0; k < loads->n_share; ++k) sorted[cursor[loads->share[k].node]++] = loads->share[k];
  TimedShare *old = loads->share;
  loads->share = sorted;
  loads->share_capacity = loads->n_share;
  sorted = old;
done:
  FREE(sorted);
  FREE(cursor);
  return status;
}

Status timed_finish(DiffusionLoads *loads, int32_t n_node) {
  TRY(sort_shares(loads, n_node));
  ALLOC(loads->at_point, loads->n_point, "points of loads");
  ALLOC(loads->at_node, loads->n_touched, "loads that depend on time");
  return OK;
}

static const char *const VARIES[] = {"flux", "ambient", "source"};

Status timed_evaluate(DiffusionLoads *loads, double time) {
  int64_t bad = INT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (int64_t k = 0; k < loads->n_point; ++k) {
    const TimedPoint *p = &loads->point[k];
    const DiffusionLoad *load = &loads->item[p->load];
    loads->at_point[k] =
        p->factor * expr_value(load->kind == DIFFUSION_CONVECTION ? &load->ambient : &load->value, p->x, time);
    if (!isfinite(loads->at_point[k]) && k < bad) bad = k;
  }
  if (bad < INT64_MAX) {
    const TimedPoint *p = &loads->point[bad];
    const DiffusionLoad *load = &loads->item[p->load];
    return diffusion_finite(load, p->load, VARIES[load->kind], loads->at_point[bad], p->x, time);
  }
#pragma omp parallel for schedule(static)
  for (int32_t j = 0; j < loads->n_touched; ++j) {
    double sum = 0;
    for (int64_t k = loads->start[j]; k < loads->start[j + 1]; ++k)
      sum += loads->share[k].weight * loads->at_point[loads->share[k].point];
    loads->at_node[j] = sum;
  }
  return OK;
}
