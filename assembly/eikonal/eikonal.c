/* See eikonal.h: what lies on the Exec, and the loop of sweeps. */
#include "assembly/eikonal/eikonal.h"
#include "assembly/eikonal/eikonal_graph.h"
#include "assembly/eikonal/rows.h"
#include "core/comm.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/sum_parts.h"

#include <math.h>

struct Eikonal {
  Exec *exec;       /* borrowed */
  const Halo *halo; /* borrowed; NULL: alone, also where other ranks solve for the whole too */
  Comm *comm;       /* borrowed; NULL: alone */
  SumParts *parts;  /* owned, of the blocks of each rank; NULL: alone */
  int32_t n_own, n_own_block;
  int32_t n_node, n_block, n_simplex, n_end, n_corner;
  int64_t n_near, n_link;
  int32_t *rank; /* owned, host, [n_node]; NULL: the mesh's order */
  /* owned, on the Exec, as in EikonalArgs */
  int32_t *start, *corner, *link_start, *link, *near_start, *near;
  double width, *square, *time, *next;
  int32_t *fell, *moved, *kept, *hot;
  EikonalState *state;
  ExecLoop *loop;
};

static EikonalArgs args_of(const Eikonal *e) {
  return (EikonalArgs){.n_corner = e->n_corner,
                       .n_node = e->n_node,
                       .n_own = e->n_own,
                       .square = e->square,
                       .start = e->start,
                       .corner = e->corner,
                       .link_start = e->link_start,
                       .link = e->link,
                       .near_start = e->near_start,
                       .near = e->near,
                       .time = e->time,
                       .next = e->next,
                       .fell = e->fell,
                       .moved = e->moved,
                       .kept = e->kept,
                       .hot = e->hot,
                       .state = e->state};
}

static Status record_sweep(Exec *exec, void *context) {
  const Eikonal *e = context;
  const EikonalArgs args = args_of(e);
  TRY(exec_rows(exec, &eikonal_wake_kernel, &args, e->n_own_block));
  TRY(exec_rows(exec, &eikonal_fall_kernel, &args, e->n_own));
  TRY(exec_rows(exec, &eikonal_take_kernel, &args, e->n_own));
  const SumParts *before = exec_sum_over(exec, e->parts);
  const Status status = exec_rows(exec, &eikonal_tell_kernel, &args, e->n_own_block);
  exec_sum_over(exec, before);
  if (status != OK || !e->halo) return status;
  TRY(exec_exchange(exec, e->halo, e->time, sizeof *e->time));
  TRY(exec_exchange(exec, e->halo, e->fell, sizeof *e->fell));
  return exec_rows(exec, &eikonal_hear_kernel, &args, e->n_block);
}

#define SEND(to, from, n, what) TRY(exec_alloc_upload(e->exec, (n), sizeof *(from), (from), (what), (void **)&(to)))

static Status send_squares(Eikonal *e, const Simplices *s) {
  e->n_simplex = s->n, e->n_end = s->n_end, e->n_corner = s->n_corner;
  SEND(e->square, s->square, (int64_t)s->n * (s->n_corner == 3 ? 3 : 6), "an eikonal problem");
  return OK;
}

/* What is large goes once it is there. */
static Status send_graph(Eikonal *e, EikonalGraph *g) {
  static const char what[] = "an eikonal problem";
  e->n_block = g->n_block;
  e->n_near = g->near_start[g->n_block], e->n_link = g->link_start[g->n_node];
  SEND(e->start, g->start, e->n_node + 1, what);
  SEND(e->corner, g->corner, (int64_t)e->n_end * e->n_corner, what);
  FREE(g->corner);
  SEND(e->link_start, g->link_start, e->n_node + 1, what);
  if (e->n_link) SEND(e->link, g->link, e->n_link, what);
  FREE(g->link);
  SEND(e->near_start, g->near_start, e->n_block + 1, what);
  if (e->n_near) SEND(e->near, g->near, e->n_near, what);
  EXEC_ALLOC(e->exec, e->time, e->n_node, what);
  EXEC_ALLOC(e->exec, e->next, e->n_node, what);
  EXEC_ALLOC(e->exec, e->fell, e->n_node, what);
  EXEC_ALLOC(e->exec, e->moved, e->n_block, what);
  EXEC_ALLOC(e->exec, e->kept, e->n_block, what);
  EXEC_ALLOC(e->exec, e->hot, e->n_block, what);
  EXEC_ALLOC(e->exec, e->state, 1, what);
  return exec_loop_create(e->exec, record_sweep, e, &e->state->stop, &e->loop);
}

/* A part of the time along the shortest edges of simplices, in the mean: of ventricles with 27,000 nodes a tenth to a half takes
 * 1.07 to 1.5 million local solutions and 400 to 90 sweeps; without a limit 6.8 million and 70. */
static Status mean_width(Eikonal *e, const Simplices *s) {
  static const double PART = 0.35;
  const int n = s->n_corner == 3 ? 3 : 6;
  double sum = 0, count = 0;
  for (int64_t k = 0; k < s->n; ++k) {
    double least = s->square[k * n];
    if (s->node[k * s->n_corner] >= e->n_own) continue; /* it counts where its first node is */
    for (int j = 1; j < n; ++j) least = fmin(least, s->square[k * n + j]);
    sum += sqrt(least), count += 1;
  }
  TRY(comm_total(e->comm, &sum));
  TRY(comm_total(e->comm, &count));
  e->width = (float)(PART * sum / count); /* so that it is the same however sums are cut */
  return OK;
}

static Status eikonal_build(Eikonal *e, const EikonalParams *p) {
  Simplices s = {0};
  EikonalGraph g = {0};
  Status status = OK;
  if (p->node_rank) {
    ALLOC(e->rank, e->n_node, "an eikonal problem");
    for (int32_t i = 0; i < e->n_node; ++i) e->rank[i] = p->node_rank[i];
  }
  TRY_DONE(comm_agree(e->comm, simplices_create(p->mesh, p->tensor, e->rank, &s)));
  TRY_DONE(mean_width(e, &s));
  TRY_DONE(send_squares(e, &s));
  FREE(s.square);
  TRY_DONE(eikonal_graph_create(&s, e->n_node, &g));
  simplices_release(&s);
  status = send_graph(e, &g);
done:
  eikonal_graph_release(&g);
  simplices_release(&s);
  return status;
}

Status eikonal_renew(Eikonal *e, const EikonalParams *p) {
  Simplices s = {0};
  Status status = simplices_create(p->mesh, p->tensor, e->rank, &s);
  if (status == OK) status = mean_width(e, &s);
  if (status == OK)
    status =
        exec_upload(e->exec, e->square, s.square, (size_t)s.n * (size_t)(s.n_corner == 3 ? 3 : 6) * sizeof *s.square);
  simplices_release(&s);
  return status;
}

Status eikonal_create(Exec *exec, const EikonalParams *params, Eikonal **out) {
  Eikonal *e = NULL;
  *out = NULL;
  ALLOC(e, 1, "an eikonal problem");
  e->exec = exec;
  e->n_node = params->mesh->n_node;
  e->halo = params->halo;
  e->comm = e->halo ? exec->comm : NULL;
  e->n_own = e->halo ? e->halo->n_own : e->n_node;
  e->n_own_block = (e->n_own + EIKONAL_BLOCK - 1) / EIKONAL_BLOCK;
  const int64_t blocks[2] = {0, e->n_own_block};
  Status status = e->halo ? sum_parts_create(exec, 1, blocks, &e->parts) : OK;
  if (status == OK) status = eikonal_build(e, params);
  if (status != OK) eikonal_destroy(&e);
  *out = e;
  return status;
}

void eikonal_destroy(Eikonal **eikonal) {
  Eikonal *e = *eikonal;
  if (!e) return;
  exec_loop_destroy(&e->loop);
  sum_parts_destroy(&e->parts);
  EXEC_RELEASE(e->exec, e->square, (int64_t)e->n_simplex * (e->n_corner == 3 ? 3 : 6));
  EXEC_RELEASE(e->exec, e->start, e->n_node + 1);
  EXEC_RELEASE(e->exec, e->corner, (int64_t)e->n_end * e->n_corner);
  EXEC_RELEASE(e->exec, e->link_start, e->n_node + 1);
  EXEC_RELEASE(e->exec, e->link, e->n_link);
  EXEC_RELEASE(e->exec, e->near_start, e->n_block + 1);
  EXEC_RELEASE(e->exec, e->near, e->n_near);
  EXEC_RELEASE(e->exec, e->time, e->n_node);
  EXEC_RELEASE(e->exec, e->next, e->n_node);
  EXEC_RELEASE(e->exec, e->fell, e->n_node);
  EXEC_RELEASE(e->exec, e->moved, e->n_block);
  EXEC_RELEASE(e->exec, e->kept, e->n_block);
  EXEC_RELEASE(e->exec, e->hot, e->n_block);
  EXEC_RELEASE(e->exec, e->state, 1);
  FREE(e->rank);
  FREE(*eikonal);
}

static int32_t place_of(const Eikonal *e, int32_t i) { return e->rank ? e->rank[i] : i; }

/* Times before the first sweep, which tells the first of them. */
static Status put_start(Eikonal *e, const double *start) {
  EikonalState first = {.sweep = 1, .limit = INFINITY, .step = e->width, .width = e->width};
  double *time = NULL;
  int32_t *fell = NULL, *kept = NULL;
  Status status = OK;
  ALLOC_DONE(time, e->n_node, "times of a start");
  ALLOC_DONE(fell, e->n_node, "times of a start");
  ALLOC_DONE(kept, e->n_block, "times of a start");
  for (int32_t i = 0; i < e->n_node; ++i) {
    const int32_t at = place_of(e, i);
    time[at] = start[i];
    fell[at] = eikonal_known(start[i]) ? EIKONAL_KEPT : EIKONAL_NEVER;
    if (fell[at] == EIKONAL_KEPT) kept[at / EIKONAL_BLOCK] = 1;
    if (start[i] < first.limit) first.limit = start[i];
  }
  double early = -first.limit; /* of all ranks */
  TRY_DONE(comm_most(e->comm, &early));
  first.limit = -early;
  TRY_DONE(exec_upload(e->exec, e->time, time, (size_t)e->n_node * sizeof *time));
  TRY_DONE(exec_upload(e->exec, e->fell, fell, (size_t)e->n_node * sizeof *fell));
  TRY_DONE(exec_upload(e->exec, e->kept, kept, (size_t)e->n_block * sizeof *kept));
  TRY_DONE(exec_zero(e->exec, e->moved, (size_t)e->n_block * sizeof *kept));
  TRY_DONE(exec_zero(e->exec, e->hot, (size_t)e->n_block * sizeof *kept));
  status = exec_upload(e->exec, e->state, &first, sizeof first);
done:
  FREE(time);
  FREE(fell);
  FREE(kept);
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
    report->n_unreached += at < e->n_own && there && !reached;
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
  TRY(take_times(e, time, report));
  double unreached = (double)report->n_unreached;
  TRY(comm_total(e->comm, &unreached));
  report->n_unreached = (int64_t)unreached;
  return comm_most(e->comm, &report->last);
}
