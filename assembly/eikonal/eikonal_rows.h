/* Sweeps of the eikonal equation in the manner of Jacobi: each node takes the earliest time that a simplex at it offers,
 * from the times of the sweep before. Times only fall, so a simplex none of whose corners fell in that sweep has nothing
 * new, and a block of nodes is passed over where neither it nor a neighbour fell: the active set of the fast iterative
 * method (Jeong and Whitaker 2008, SIAM Journal on Scientific Computing 30, 2512-2534) with an order of its own, so that
 * any number of threads, and a GPU, goes through the same times. A fall is told to neighbours when the front is there: times
 * behind a limit, which each sweep moves on, are kept back, since most of them fall again (as in delta-stepping, Meyer and
 * Sanders 2003, Journal of Algorithms 49, 114-152). Blocks only say where to look, so that several ranks, whose blocks are
 * others, go through the same times too.
 *
 * Bytes of a node of a block that is looked at: about 14 times 8; where it has news beside it, of tetrahedra, 24 times 28, and 72
 * more of those that have the news. */
#pragma once
#include "assembly/eikonal/eikonal_local.h"

enum { EIKONAL_BLOCK = 64 }; /* nodes */

typedef struct EikonalState {
  int32_t sweep; /* this one, from 1 on */
  int32_t stop;
  double limit, step, width; /* of the times that are told; how far the last sweep moved it, and the least */
} EikonalState;
enum { EIKONAL_NEVER = -1, EIKONAL_KEPT = -2 };

typedef struct EikonalArgs {
  int32_t n_corner;      /* 3 or 4 */
  int64_t n_node, n_own; /* n_own: the first ones; behind them those of other ranks, which tell what they are */
  const double *square;  /* [n_simplex][3 or 6]: of the time along edges 01 02 12, 01 02 03 12 13 23 */
  const int32_t *start;  /* [n_node + 1] */
  const int32_t *corner; /* [start[n_node]][n_corner], of each simplex at a node: its other nodes in their order, and
                                     * n_corner simplex + the node's position, ascending */
  const int32_t *link_start, *link; /* [n_node + 1]: other nodes that share a simplex with a node */
  const int32_t *near_start, *near; /* [n_block + 1]: other blocks that share a simplex with a block */
  double *time, *next;              /* [n_node] */
  int32_t *fell;  /* [n_node]: the sweep that told its last fall, EIKONAL_NEVER, or EIKONAL_KEPT back */
  int32_t *moved; /* [n_block]: the last sweep that told one of its nodes */
  int32_t *kept;  /* [n_block]: is the fall of any of its nodes kept back? */
  int32_t *hot;   /* [n_block]: the sweep in which it was last looked at */
  EikonalState *state;
} EikonalArgs;

HD void eikonal_wake_body(const EikonalArgs *a, int64_t b, double *sum) {
  const int32_t before = a->state->sweep - 1;
  bool any = a->moved[b] == before;
  (void)sum;
  for (int32_t k = a->near_start[b]; !any && k < a->near_start[b + 1]; ++k) any = a->moved[a->near[k]] == before;
  if (any) a->hot[b] = before + 1;
}

/* The square of edge (p, q) of a tetrahedron, p < q. */
HD double eikonal_edge(const double *square, int p, int q) { return square[p == 0 ? q - 1 : p + q]; }
HD double eikonal_between(const double *square, int p, int q) {
  return p < q ? eikonal_edge(square, p, q) : eikonal_edge(square, q, p);
}

/* What a tetrahedron offers a corner: at[4] of the list of that. */
HD double eikonal_from_three(const EikonalArgs *a, const int32_t *at, double now) {
  const int32_t before = a->state->sweep - 1;
  const bool news = a->fell[at[0]] == before || a->fell[at[1]] == before || a->fell[at[2]] == before;
  if (!news) return now;
  const double t[3] = {a->time[at[0]], a->time[at[1]], a->time[at[2]]};
  if (t[0] >= now && t[1] >= now && t[2] >= now) return now;
  const double *square = a->square + 6 * (int64_t)(at[3] / 4);
  const int p = at[3] % 4, o[3] = {p == 0, p < 2 ? 2 : 1, p < 3 ? 3 : 2}; /* the other corners */
  const double length[6] = {eikonal_between(square, p, o[0]),    eikonal_between(square, p, o[1]),
                            eikonal_between(square, p, o[2]),    eikonal_between(square, o[0], o[1]),
                            eikonal_between(square, o[0], o[2]), eikonal_between(square, o[1], o[2])};
  const double offer = eikonal_three(t, length, now);
  return offer < now ? offer : now;
}

/* A triangle likewise: at[3]. */
HD double eikonal_from_two(const EikonalArgs *a, const int32_t *at, double now) {
  const int32_t before = a->state->sweep - 1;
  const double *square = a->square + 3 * (int64_t)(at[2] / 3); /* 01 02 12 */
  const int p = at[2] % 3, o = p == 0, q = p < 2 ? 2 : 1;
  if (a->fell[at[0]] != before && a->fell[at[1]] != before) return now;
  const double offer =
      eikonal_two(a->time[at[0]], a->time[at[1]], square[p + o - 1], square[p + q - 1], square[o + q - 1]);
  return offer < now ? offer : now;
}

HD void eikonal_fall_body(const EikonalArgs *a, int64_t i, double *sum) {
  (void)sum;
  if (a->hot[i / EIKONAL_BLOCK] != a->state->sweep) return;
  bool any = false;
  for (int32_t k = a->link_start[i]; !any && k < a->link_start[i + 1]; ++k)
    any = a->fell[a->link[k]] == a->state->sweep - 1;
  double now = a->time[i];
  for (int64_t k = a->start[i]; any && k < a->start[i + 1]; ++k)
    now =
        a->n_corner == 4 ? eikonal_from_three(a, a->corner + 4 * k, now) : eikonal_from_two(a, a->corner + 3 * k, now);
  a->next[i] = now;
}

/* Falls that rounding makes are none. */
HD void eikonal_take_body(const EikonalArgs *a, int64_t i, double *sum) {
  (void)sum;
  if (a->hot[i / EIKONAL_BLOCK] != a->state->sweep) return;
  const double now = a->time[i], next = a->next[i];
  if (!(next < now * (1 - 1e-13))) return;
  a->time[i] = next;
  a->fell[i] = EIKONAL_KEPT;
}

/* What the next sweep hears of. */
HD void eikonal_tell_body(const EikonalArgs *a, int64_t b, double *sum) {
  const int32_t sweep = a->state->sweep;
  if (a->hot[b] != sweep && !a->kept[b]) return;
  const int64_t first = b * EIKONAL_BLOCK, last = first + EIKONAL_BLOCK < a->n_own ? first + EIKONAL_BLOCK : a->n_own;
  bool any = false, left = false;
  for (int64_t i = first; i < last; ++i) {
    if (a->fell[i] != EIKONAL_KEPT) continue;
    if (a->time[i] <= a->state->limit) a->fell[i] = sweep, any = true;
    else left = true;
  }
  if (any) a->moved[b] = sweep;
  a->kept[b] = left;
  sum[0] += any, sum[1] += left;
}
/* What other ranks have told in the sweep that has just ended, by nodes that are known by now. */
HD void eikonal_hear_body(const EikonalArgs *a, int64_t b, double *sum) {
  const int32_t before = a->state->sweep - 1;
  const int64_t first = b * EIKONAL_BLOCK, last = first + EIKONAL_BLOCK < a->n_node ? first + EIKONAL_BLOCK : a->n_node;
  (void)sum;
  for (int64_t i = first > a->n_own ? first : a->n_own; i < last; ++i)
    if (a->fell[i] == before) a->moved[b] = before;
}
/* Where there is nothing for a while the limit hurries, since velocities may differ by much. */
HD void eikonal_tell_finish(const EikonalArgs *a, const double *sum) {
  EikonalState *state = a->state;
  state->stop = sum[0] == 0 && sum[1] == 0;
  state->sweep += 1;
  state->step = sum[0] > 0 ? state->width : 2 * state->step;
  state->limit += state->step;
}
