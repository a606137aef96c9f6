/* See eikonal.h: what lies on the Exec, and the loop of sweeps. */
#include "assembly/eikonal/eikonal.h"
#include "assembly/eikonal/eikonal_graph.h"
#include "assembly/eikonal/rows.h"
#include "core/memory.h"

#include <math.h>

struct Eikonal {
  Exec *exec; /* borrowed */
  int32_t n_node, n_block, n_simplex, n_corner;
  int64_t n_near;
  int32_t *rank; /* owned, host, [n_node]; NULL: the mesh's order */
  /* owned, on the Exec, as in EikonalArgs */
  int32_t *node, *start, *corner, *near_start, *near;
  double *square, *time, *next;
  int32_t *fell, *moved, *hot;
  EikonalState *state;
  ExecLoop *loop;
};

static EikonalArgs args_of(const Eikonal *e) {
  return (EikonalArgs){.n_corner = e->n_corner,
                       .n_node = e->n_node,
                       .node = e->node,
                       .square = e->square,
                       .start = e->start,
                       .corner = e->corner,
                       .near_start = e->near_start,
                       .near = e->near,
                       .time = e->time,
                       .next = e->next,
                       .fell = e->fell,
                       .moved = e->moved,
                       .hot = e->hot,
                       .state = e->state};
}

static Status record_sweep(Exec *exec, void *context) {
  const Eikonal *e = context;
  const EikonalArgs args = args_of(e);
  TRY(exec_rows(exec, &eikonal_wake_kernel, &args, e->n_block));
  TRY(exec_rows(exec, &eikonal_fall_kernel, &args, e->n_node));
  TRY(exec_rows(exec, &eikonal_take_kernel, &args, e->n_node));
  return exec_rows(exec, &eikonal_mark_kernel, &args, e->n_block);
}

#define SEND(to, from, n, what) TRY(exec_alloc_upload(e->exec, (n), sizeof *(from), (from), (what), (void **)&(to)))

static Status send_all(Eikonal *e, const Simplices *s, const EikonalGraph *g) {
  static const char what[] = "an eikonal problem";
  e->n_block = g->n_block, e->n_simplex = s->n, e->n_corner = s->n_corner;
  e->n_near = g->near_start[g->n_block];
  SEND(e->node, s->node, (int64_t)s->n * s->n_corner, what);
  SEND(e->square, s->square, (int64_t)s->n * (s->n_corner == 3 ? 3 : 6), what);
  SEND(e->start, g->start, e->n_node + 1, what);
  SEND(e->corner, g->corner, (int64_t)s->n * s->n_corner, what);
  SEND(e->near_start, g->near_start, e->n_block + 1, what);
  if (e->n_near) SEND(e->near, g->near, e->n_near, what);
  EXEC_ALLOC(e->exec, e->time, e->n_node, what);
  EXEC_ALLOC(e->exec, e->next, e->n_node, what);
  EXEC_ALLOC(e->exec, e->fell, e->n_node, what);
  EXEC_ALLOC(e->exec, e->moved, e->n_block, what);
  EXEC_ALLOC(e->exec, e->hot, e->n_block, what);
  EXEC_ALLOC(e->exec, e->state, 1, what);
  return exec_loop_create(e->exec, record_sweep, e, &e->state->stop, &e->loop);
}

static Status eikonal_build(Eikonal *e, const EikonalParams *p) {
  Simplices s = {0};
  EikonalGraph g = {0};
  Status status = OK;
  if (p->node_rank) {
    ALLOC(e->rank, e->n_node, "an eikonal problem");
    for (int32_t i = 0; i < e->n_node; ++i) e->rank[i] = p->node_rank[i];
  }
  TRY_DONE(simplices_create(p->mesh, p->tensor, e->rank, &s));
  TRY_DONE(eikonal_graph_create(&s, e->n_node, &g));
  status = send_all(e, &s, &g);
done:
  eikonal_graph_release(&g);
  simplices_release(&s);
  return status;
}

Status eikonal_create(Exec *exec, const EikonalParams *params, Eikonal **out) {
  Eikonal *e = NULL;
  *out = NULL;
  ALLOC(e, 1, "an eikonal problem");
  e->exec = exec;
  e->n_node = params->mesh->n_node;
  const Status status = eikonal_build(e, params);
  if (status != OK) eikonal_destroy(&e);
  *out = e;
  return status;
}

void eikonal_destroy(Eikonal **eikonal) {
  Eikonal *e = *eikonal;
  if (!e) return;
  const int64_t n_corner = (int64_t)e->n_simplex * e->n_corner;
  exec_loop_destroy(&e->loop);
  EXEC_RELEASE(e->exec, e->node, n_corner);
  EXEC_RELEASE(e->exec, e->square, (int64_t)e->n_simplex * (e->n_corner == 3 ? 3 : 6));
  EXEC_RELEASE(e->exec, e->start, e->n_node + 1);
  EXEC_RELEASE(e->exec, e->corner, n_corner);
  EXEC_RELEASE(e->exec, e->near_start, e->n_block + 1);
  EXEC_RELEASE(e->exec, e->near, e->n_near);
  EXEC_RELEASE(e->exec, e->time, e->n_node);
  EXEC_RELEASE(e->exec, e->next, e->n_node);
  EXEC_RELEASE(e->exec, e->fell, e->n_node);
  EXEC_RELEASE(e->exec, e->moved, e->n_block);
  EXEC_RELEASE(e->exec, e->hot, e->n_block);
  EXEC_RELEASE(e->exec, e->state, 1);
  FREE(e->rank);
  FREE(*eikonal);
}

static int32_t place_of(const Eikonal *e, int32_t i) { return e->rank ? e->rank[i] : i; }

/* Times before the first sweep, and who has news. */
static Status put_start(Eikonal *e, const double *start) {
  const EikonalState first = {.sweep = 1};
  double *time = NULL;
  int32_t *fell = NULL, *moved = NULL;
  Status status = OK;
  ALLOC_DONE(time, e->n_node, "times of a start");
  ALLOC_DONE(fell, e->n_node, "times of a start");
  ALLOC_DONE(moved, e->n_block, "times of a start");
  for (int32_t b = 0; b < e->n_block; ++b) moved[b] = -1;
  for (int32_t i = 0; i < e->n_node; ++i) {
    const int32_t at = place_of(e, i);
    time[at] = start[i];
    fell[at] = eikonal_known(start[i]) ? 0 : -1;
    if (fell[at] == 0) moved[at / EIKONAL_BLOCK] = 0;
  }
  TRY_DONE(exec_upload(e->exec, e->time, time, (size_t)e->n_node * sizeof *time));
  TRY_DONE(exec_upload(e->exec, e->fell, fell, (size_t)e->n_node * sizeof *fell));
  TRY_DONE(exec_upload(e->exec, e->moved, moved, (size_t)e->n_block * sizeof *moved));
  TRY_DONE(exec_zero(e->exec, e->hot, (size_t)e->n_block * sizeof *moved));
  status = exec_upload(e->exec, e->state, &first, sizeof first);
done:
  FREE(time);
  FREE(fell);
  FREE(moved);
  return status;
}

static Status take_times(Eikonal *e, double *time, EikonalReport *report) {
  double *own = NULL;
  int32_t *start = NULL;
  Status status = OK;
  ALLOC_DONE(own, e->n_node, "times of arrival");
  ALLOC_DONE(start, e->n_node + 1, "times of arrival");
  TRY_DONE(exec_download(e->exec, own, e->time, (size_t)e->n_node * sizeof *own));
  TRY_DONE(exec_download(e->exec, start, e->start, (size_t)(e->n_node + 1) * sizeof *start));
  for (int32_t i = 0; i < e->n_node; ++i) {
    const int32_t at = place_of(e, i);
    const bool there = start[at] < start[at + 1], reached = there && eikonal_known(own[at]);
    time[i] = reached ? own[at] : -1;
    report->n_unreached += there && !reached;
    if (time[i] > report->last) report->last = time[i];
  }
done:
  FREE(own);
  FREE(start);
  return status;
}

Status eikonal_solve(Eikonal *e, const double *start, double *time, EikonalReport *report) {
  EikonalState state;
  *report = (EikonalReport){0};
  TRY(put_start(e, start));
  TRY(exec_loop_run(e->loop, INT32_MAX / 2, NULL, NULL));
  TRY(exec_download(e->exec, &state, e->state, sizeof state));
  report->sweeps = state.sweep - 1;
  return take_times(e, time, report);
}
