/* Sweeps of the eikonal equation in the manner of Jacobi: each node takes the earliest time that a simplex at it offers,
 * from the times of the sweep before. Times only fall, so a simplex none of whose corners fell in that sweep has nothing
 * new, and a block of nodes is passed over where neither it nor a neighbour fell: the active set of the fast iterative
 * method (Jeong and Whitaker 2008, SIAM Journal on Scientific Computing 30, 2512-2534) with an order of its own, so that
 * any number of threads, and a GPU, goes through the same times.
 *
 * Bytes of a node that is swept, tetrahedra: about 24 times 4 + 16, and 48 + 3 x 12 for those that have news. */
#pragma once
#include "assembly/eikonal/eikonal_local.h"

enum { EIKONAL_BLOCK = 64 }; /* nodes */

typedef struct EikonalState {
  int32_t sweep; /* this one, from 1 on */
  int32_t stop;
} EikonalState;

typedef struct EikonalArgs {
  int32_t n_corner; /* 3 or 4 */
  int64_t n_node;
  const int32_t *node;              /* [n_simplex][n_corner] */
  const double *square;             /* [n_simplex][3 or 6]: of the time along edges 01 02 12, 01 02 03 12 13 23 */
  const int32_t *start;             /* [n_node + 1] */
  const int32_t *corner;            /* of each node: n_corner simplex + position there, ascending */
  const int32_t *near_start, *near; /* [n_block + 1]: other blocks that share a simplex with a block */
  double *time, *next;              /* [n_node] */
  int32_t *fell;                    /* [n_node]: the sweep in which its time last fell, -1: never */
  int32_t *moved;                   /* [n_block]: likewise of any of its nodes */
  int32_t *hot;                     /* [n_block]: the sweep in which it was last looked at */
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

/* What a tetrahedron offers its corner p. */
HD double eikonal_from_three(const EikonalArgs *a, int64_t s, int p, double now) {
  const int32_t before = a->state->sweep - 1;
  const int32_t *node = a->node + 4 * s;
  const double *square = a->square + 6 * s;
  const int o[3] = {p == 0, p < 2 ? 2 : 1, p < 3 ? 3 : 2}; /* the other corners */
  const bool news = a->fell[node[o[0]]] == before || a->fell[node[o[1]]] == before || a->fell[node[o[2]]] == before;
  if (!news) return now;
  const double t[3] = {a->time[node[o[0]]], a->time[node[o[1]]], a->time[node[o[2]]]};
  if (t[0] >= now && t[1] >= now && t[2] >= now) return now;
  const double length[6] = {eikonal_between(square, p, o[0]),    eikonal_between(square, p, o[1]),
                            eikonal_between(square, p, o[2]),    eikonal_between(square, o[0], o[1]),
                            eikonal_between(square, o[0], o[2]), eikonal_between(square, o[1], o[2])};
  const double offer = eikonal_three(t, length);
  return offer < now ? offer : now;
}

/* A triangle likewise. */
HD double eikonal_from_two(const EikonalArgs *a, int64_t s, int p, double now) {
  const int32_t before = a->state->sweep - 1;
  const int32_t *node = a->node + 3 * s;
  const double *square = a->square + 3 * s; /* 01 02 12 */
  const int o = p == 0, q = p < 2 ? 2 : 1;
  if (a->fell[node[o]] != before && a->fell[node[q]] != before) return now;
  const double offer =
      eikonal_two(a->time[node[o]], a->time[node[q]], square[p + o - 1], square[p + q - 1], square[o + q - 1]);
  return offer < now ? offer : now;
}

HD void eikonal_fall_body(const EikonalArgs *a, int64_t i, double *sum) {
  (void)sum;
  if (a->hot[i / EIKONAL_BLOCK] != a->state->sweep) return;
  double now = a->time[i];
  for (int32_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int32_t at = a->corner[k];
    now = a->n_corner == 4 ? eikonal_from_three(a, at / 4, at % 4, now) : eikonal_from_two(a, at / 3, at % 3, now);
  }
  a->next[i] = now;
}

/* Falls that rounding makes are none. */
HD void eikonal_take_body(const EikonalArgs *a, int64_t i, double *sum) {
  if (a->hot[i / EIKONAL_BLOCK] != a->state->sweep) return;
  const double now = a->time[i], next = a->next[i];
  if (!(next < now * (1 - 1e-13))) return;
  a->time[i] = next;
  a->fell[i] = a->state->sweep;
  sum[0] += 1;
}
HD void eikonal_take_finish(const EikonalArgs *a, const double *sum) {
  a->state->stop = sum[0] == 0;
  a->state->sweep += 1;
}

HD void eikonal_mark_body(const EikonalArgs *a, int64_t b, double *sum) {
  const int32_t sweep = a->state->sweep - 1;
  (void)sum;
  if (a->hot[b] != sweep) return;
  const int64_t first = b * EIKONAL_BLOCK, last = first + EIKONAL_BLOCK < a->n_node ? first + EIKONAL_BLOCK : a->n_node;
  bool any = false;
  for (int64_t i = first; !any && i < last; ++i) any = a->fell[i] == sweep;
  if (any) a->moved[b] = sweep;
}
