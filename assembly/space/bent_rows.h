/* Row kernels of conditions that bend (bent.h): the value of one and its derivatives where its nodes are, and the unknown that
 * depends, by Newton's method. */
#pragma once
#include "core/hd.h"

#include <math.h>

typedef enum BentKind {
  BENT_PLANE,    /* ((b - a) x (c - a)) . (p - a) = 0 of p, a, b, c */
  BENT_LINE,     /* (p - a)_across (b - a)_along = (p - a)_along (b - a)_across of p, a, b */
  BENT_DISTANCE, /* (|p - a|^2 - that of the start) / 2 = 0 of p, a */
  BENT_ROTATION  /* the mean angle about the axis, of all nodes seen from their middle */
} BentKind;
enum { BENT_ITERATIONS = 40 };

typedef struct BentNode {
  double x[3];     /* where it was */
  int64_t unknown; /* its first one, in the solver's order */
} BentNode;
typedef struct BentRow {
  int32_t kind, dim, n;
  int64_t first;             /* nodes [first, first + n) */
  int32_t node, component;   /* the unknown that depends: of which of these */
  int32_t across, along;     /* components, of a line */
  double axis[3], middle[3]; /* of a rotation: a unit vector, and the middle of the nodes at the start */
  double value, size;        /* what it becomes; a length of the nodes */
} BentRow;
/* Its factor of an unknown, and where that goes; -1: nowhere. */
typedef struct BentTerm {
  int32_t row, node, component;
  int64_t follow, gather, pass, weight;
} BentTerm;
typedef struct BentArgs {
  const BentRow *row;
  const BentNode *node;
  const BentTerm *term;
  double gap; /* share of the value, and of what is not 0 at the start */
  double *u;
  double *follow, *gather, *pass, *weight;
} BentArgs;

/* Where a node is; u NULL: where it was. */
HD void bent_place(const BentRow *r, const BentNode *node, const double *u, double *out) {
  for (int k = 0; k < 3; ++k) out[k] = node->x[k] + (u && k < r->dim ? u[node->unknown + k] : 0);
}

HD void bent_between(const BentRow *r, const BentNode *node, const double *u, int from, int to, double *out) {
  double a[3], b[3];
  bent_place(r, node + from, u, a);
  bent_place(r, node + to, u, b);
  for (int k = 0; k < 3; ++k) out[k] = b[k] - a[k];
}

HD void bent_cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

HD double bent_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The middle of all nodes. */
HD void bent_middle(const BentRow *r, const BentNode *node, const double *u, double *out) {
  double x[3];
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < r->n; ++i) {
    bent_place(r, node + i, u, x);
    for (int k = 0; k < 3; ++k) out[k] += x[k] / r->n;
  }
}

/* Across the axis, the way from the middle to x. */
HD void bent_arm(const BentRow *r, const double *middle, const double *x, double *out) {
  double along = 0;
  for (int k = 0; k < 3; ++k) out[k] = x[k] - middle[k], along += r->axis[k] * out[k];
  for (int k = 0; k < 3; ++k) out[k] -= along * r->axis[k];
}

/* The angle of node i, and how fast it turns with its way from the middle: axis x arm / |arm|^2; nodes on the axis, as far as
 * coordinates of six digits tell, have neither. */
HD double bent_angle(const BentRow *r, const BentNode *node, const double *u, const double *middle, int i,
                     double *rate) {
  const double ON_AXIS = 1e-6;
  double x[3], before[3], now[3], cross[3];
  bent_arm(r, r->middle, node[i].x, before);
  bent_place(r, node + i, u, x);
  bent_arm(r, middle, x, now);
  const double square = bent_dot(now, now);
  rate[0] = rate[1] = rate[2] = 0;
  if (!(bent_dot(before, before) > ON_AXIS * ON_AXIS * r->size * r->size)) return 0;
  bent_cross(r->axis, now, cross);
  for (int k = 0; k < 3; ++k) rate[k] = cross[k] / square;
  bent_cross(before, now, cross);
  return atan2(bent_dot(r->axis, cross), bent_dot(before, now));
}

HD double bent_value(const BentRow *r, const BentNode *node, const double *u) {
  double ap[3], ab[3], ac[3], normal[3], middle[3], sum = 0;
  if (r->kind == BENT_ROTATION) {
    bent_middle(r, node, u, middle);
    for (int i = 0; i < r->n; ++i) sum += bent_angle(r, node, u, middle, i, normal) / r->n;
    return sum;
  }
  bent_between(r, node, u, 1, 0, ap);
  if (r->kind == BENT_DISTANCE) {
    bent_between(r, node, 0, 1, 0, ab);
    return 0.5 * (bent_dot(ap, ap) - bent_dot(ab, ab));
  }
  bent_between(r, node, u, 1, 2, ab);
  if (r->kind == BENT_LINE) return ap[r->across] * ab[r->along] - ap[r->along] * ab[r->across];
  bent_between(r, node, u, 1, 3, ac);
  bent_cross(ab, ac, normal);
  return bent_dot(normal, ap);
}

/* Of a plane, by nodes p, a, b, c. */
HD void bent_plane_rate(const double *ap, const double *ab, const double *ac, int i, double *out) {
  double side[3];
  bent_cross(ab, ac, out);
  if (i == 0) return;
  if (i == 2) bent_cross(ac, ap, out);
  if (i == 3) bent_cross(ap, ab, out);
  if (i > 1) return;
  for (int k = 0; k < 3; ++k) out[k] = -out[k];
  bent_cross(ac, ap, side);
  for (int k = 0; k < 3; ++k) out[k] -= side[k];
  bent_cross(ap, ab, side);
  for (int k = 0; k < 3; ++k) out[k] -= side[k];
}

/* Derivatives of the value by the displacement of node i. */
HD void bent_rate(const BentRow *r, const BentNode *node, const double *u, int i, double *out) {
  double ap[3], ab[3], ac[3], rate[3], middle[3];
  out[0] = out[1] = out[2] = 0;
  if (r->kind == BENT_ROTATION) {
    bent_middle(r, node, u, middle);
    for (int j = 0; j < r->n; ++j) {
      (void)bent_angle(r, node, u, middle, j, rate);
      for (int k = 0; k < 3; ++k) out[k] += ((j == i) - 1.0 / r->n) * rate[k] / r->n;
    }
    return;
  }
  bent_between(r, node, u, 1, 0, ap);
  if (r->kind == BENT_DISTANCE) {
    for (int k = 0; k < 3; ++k) out[k] = i == 0 ? ap[k] : -ap[k];
    return;
  }
  bent_between(r, node, u, 1, 2, ab);
  if (r->kind == BENT_LINE) {
    if (i == 0) out[r->across] = ab[r->along], out[r->along] = -ab[r->across];
    if (i == 1) out[r->across] = ap[r->along] - ab[r->along], out[r->along] = ab[r->across] - ap[r->across];
    if (i == 2) out[r->across] = -ap[r->along], out[r->along] = ap[r->across];
    return;
  }
  bent_between(r, node, u, 1, 3, ac);
  bent_plane_rate(ap, ab, ac, i, out);
}

/* Whether the condition may change with component c. */
HD int bent_has(const BentRow *r, int c) { return r->kind != BENT_LINE || c == r->across || c == r->along; }

/* What is left of the condition. */
HD double bent_off(const BentRow *r, const BentNode *node, const double *u, double gap) {
  return bent_value(r, node, u) - (1 - gap) * bent_value(r, node, 0) - gap * r->value;
}

/* The unknown that depends; not a number where it is lost: the condition hardly changes with it any more. */
HD void bent_row_body(const BentArgs *a, int64_t index, double sum[]) {
  const double ENOUGH = 1e-14, LEAST = 1e-3, FARTHEST = 0.2;
  const BentRow *r = &a->row[index];
  const BentNode *node = a->node + r->first;
  double *own = a->u + node[r->node].unknown + r->component, rate[3] = {0, 0, 0}, change = r->size;
  (void)sum;
  for (int k = 0; k < BENT_ITERATIONS && change > ENOUGH * r->size; ++k) {
    bent_rate(r, node, a->u, r->node, rate);
    const double full = -bent_off(r, node, a->u, a->gap) / rate[r->component];
    const double step = r->kind != BENT_ROTATION ? full : fmin(fmax(full, -FARTHEST * r->size), FARTHEST * r->size);
    *own += step;
    change = fabs(step);
  }
  const double whole = sqrt(bent_dot(rate, rate));
  if (!(change <= 1000 * ENOUGH * r->size) || !(fabs(rate[r->component]) > LEAST * whole)) *own = (double)NAN;
}

HD void bent_factor_body(const BentArgs *a, int64_t index, double sum[]) {
  const BentTerm *t = &a->term[index];
  const BentRow *r = &a->row[t->row];
  const BentNode *node = a->node + r->first;
  double own[3], other[3];
  (void)sum;
  bent_rate(r, node, a->u, r->node, own);
  bent_rate(r, node, a->u, t->node, other);
  const double factor = -other[t->component] / own[r->component];
  a->follow[t->follow] = factor;
  if (t->gather >= 0) a->gather[t->gather] = factor;
  if (t->pass >= 0) a->pass[t->pass] = factor;
  if (t->weight >= 0) a->weight[t->weight] = factor;
}
