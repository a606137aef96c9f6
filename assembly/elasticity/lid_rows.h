/* Lids over rims of cavities that nothing else closes, for C and CUDA. From a point c of the lid to the edge x(s) of the rim, seen so that
 * the cavity lies to the left of it, y = x - c, the lid is c + eta y, and what it has of the volume and what that changes by are
 *   V = 1/2 D (c - x0) . A + 1/3 oint D y . (y x y') ds,   A = oint y x y' ds,   w = D (x - x0), div w = 1 (cavity.h)
 *   dV = 1/3 oint dx . (y x y') ds + 1/6 dc . A,
 * whatever the shape of the rim: c is the mean of the ends of its edges, and follows them. */
#pragma once
#include "core/hd.h"

#include <stdbool.h>

enum { LID_POINTS = 3 };

typedef struct LidMoments {
  double c[3], dc[3], A[3], volume; /* dc, and A where there is a v: of the change along v */
} LidMoments;

typedef struct LidArgs {
  const int32_t *row;           /* [n_own]: the place of an own node in the lists, and 1; 0: it is not on the rim */
  const double *weight;         /* [n] of the lists: what c has of the node */
  const int32_t *start, *entry; /* [n + 1], 3 edge + place of edges at it */
  const int32_t *edge;          /* [n_edge][3]: ends and middle, -1: straight */
  int32_t held;                 /* bit i: c_i is x0_i, in a plane of symmetry that the rim ends on */
  double x0[3], along[3];
  const double *x, *u, *v; /* [n_node][3]; v: changes are asked for along it; NULL: they are not */
  LidMoments *moments;
  double *f;    /* [n_edge][3][3]: of dx of its nodes */
  double *part; /* [n_edge][4]: of A and of the volume */
} LidArgs;

HD double lid_place(const LidArgs *s, const int64_t node, const int i) {
  return s->x[3 * node + i] + s->u[3 * node + i];
}

/* Rows are own nodes: c, and dc. */
HD void lid_mean_body(const LidArgs *s, int64_t k, double *sum) {
  for (int i = 0; i < 3 && s->row[k]; ++i) sum[i] += s->weight[s->row[k] - 1] * lid_place(s, k, i);
}
HD void lid_mean_finish(const LidArgs *s, const double sum[]) {
  for (int i = 0; i < 3; ++i) {
    s->moments->c[i] = s->held >> i & 1 ? s->x0[i] : sum[i];
    s->moments->dc[i] = 0;
  }
}
HD void lid_shift_body(const LidArgs *s, int64_t k, double *sum) {
  for (int i = 0; i < 3 && s->row[k]; ++i) sum[i] += s->weight[s->row[k] - 1] * s->v[3 * k + i];
}
HD void lid_shift_finish(const LidArgs *s, const double sum[]) {
  for (int i = 0; i < 3; ++i) s->moments->dc[i] = s->held >> i & 1 ? 0 : sum[i];
}

/* N and dN/ds of the ends and the middle at point q of an edge; the weight of the point. */
HD double lid_point(const int q, const bool straight, double N[3], double dN[3]) {
  const double s = (q - 1) * 0.77459666924148337704;
  N[0] = straight ? 0.5 * (1 - s) : 0.5 * s * (s - 1), dN[0] = straight ? -0.5 : s - 0.5;
  N[1] = straight ? 0.5 * (1 + s) : 0.5 * s * (s + 1), dN[1] = straight ? 0.5 : s + 0.5;
  N[2] = straight ? 0 : 1 - s * s, dN[2] = straight ? 0 : -2 * s;
  return q == 1 ? 8. / 9 : 5. / 9;
}

HD void lid_add_cross(const double a[3], const double b[3], double n[3]) {
  for (int i = 0; i < 3; ++i) n[i] += a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Rows are edges. */
HD void lid_edge_body(const LidArgs *s, int64_t e, double *sum) {
  const int32_t *node = s->edge + 3 * e;
  const LidMoments *m = s->moments;
  double f[9] = {0}, part[4] = {0};
  (void)sum;
  for (int q = 0; q < LID_POINTS; ++q) {
    double N[3], dN[3], y[3], t[3] = {0}, dy[3], dt[3] = {0}, n[3] = {0};
    const double w = lid_point(q, node[2] < 0, N, dN);
    for (int i = 0; i < 3; ++i) {
      y[i] = -m->c[i], dy[i] = -m->dc[i];
      for (int a = 0; a < 3 && node[a] >= 0; ++a) {
        y[i] += N[a] * lid_place(s, node[a], i);
        t[i] += dN[a] * lid_place(s, node[a], i);
        if (s->v) dy[i] += N[a] * s->v[3 * (int64_t)node[a] + i], dt[i] += dN[a] * s->v[3 * (int64_t)node[a] + i];
      }
    }
    if (s->v) lid_add_cross(dy, t, n), lid_add_cross(y, dt, n);
    else lid_add_cross(y, t, n);
    for (int i = 0; i < 3; ++i) {
      part[i] += w * n[i];
      part[3] += w / 3 * s->along[i] * y[i] * n[i];
      for (int a = 0; a < 3; ++a) f[3 * a + i] += w / 3 * N[a] * n[i];
    }
  }
  for (int k = 0; k < 9; ++k) s->f[9 * e + k] = f[k];
  for (int k = 0; k < 4; ++k) s->part[4 * e + k] = part[k];
}

/* Rows are own nodes: those of the edges that begin there. */
HD void lid_total_body(const LidArgs *s, int64_t i, double *sum) {
  const int32_t row = s->row[i] - 1;
  for (int32_t k = row < 0 ? 0 : s->start[row]; row >= 0 && k < s->start[row + 1]; ++k)
    for (int c = 0; c < 4 && s->entry[k] % 3 == 0; ++c) sum[c] += s->part[4 * (int64_t)(s->entry[k] / 3) + c];
}
HD void lid_total_finish(const LidArgs *s, const double sum[]) {
  LidMoments *m = s->moments;
  m->volume = sum[3];
  for (int i = 0; i < 3; ++i) {
    m->A[i] = sum[i];
    m->volume += 0.5 * s->along[i] * (m->c[i] - s->x0[i]) * sum[i];
  }
}

/* Rows are nodes of the rim: out += factor times what the volume, or its derivative along v, changes by with them. */
typedef struct LidNodeArgs {
  const int32_t *node, *start, *entry; /* [n], [n + 1], 3 edge + place */
  const double *weight;                /* [n]: what c has of the node */
  int32_t held;
  const LidMoments *moments;
  const double *f;
  double factor;
  const uint8_t *fixed; /* out of a node stays along axes whose bit is 1; NULL: nowhere */
  double *out;          /* [n_node][3] */
} LidNodeArgs;
HD void lid_node_body(const LidNodeArgs *s, int64_t row, double *sum) {
  (void)sum;
  for (int i = 0; i < 3; ++i) {
    const int64_t to = 3 * (int64_t)s->node[row] + i;
    double force = s->held >> i & 1 ? 0 : s->weight[row] * s->moments->A[i] / 6;
    for (int32_t k = s->start[row]; k < s->start[row + 1]; ++k) force += s->f[3 * (int64_t)s->entry[k] + i];
    if (!s->fixed || !(s->fixed[s->node[row]] >> i & 1)) s->out[to] += s->factor * force;
  }
}
