/* Row kernels of components that are prescribed or not (toggle.h); a row is one of them. */
#pragma once
#include "assembly/space/gather_rows.h"

typedef struct ToggleArgs {
  const int32_t *frame; /* [n], of the node */
  const uint8_t *bit;   /* of the component */
  const uint8_t *on;
  uint8_t *fixed; /* of nodes with frames of their own */
} ToggleArgs;
HD void toggle_body(const ToggleArgs *a, int64_t i, double sum[]) {
  (void)sum;
  uint8_t *at = a->fixed + a->frame[i];
  *at = (uint8_t)(a->on[i] ? *at | a->bit[i] : *at & ~a->bit[i]);
}

/* What the blocks of the matrix take out: nodes with frames of their own may have changed. */
typedef struct PrescribedRenewArgs {
  PrescribedBlock *block;
  const uint8_t *fixed; /* as above */
} PrescribedRenewArgs;
HD void prescribed_renew_body(const PrescribedRenewArgs *a, int64_t l, double sum[]) {
  (void)sum;
  PrescribedBlock *b = a->block + l;
  for (int e = 0; e < 2; ++e)
    if (b->frame[e] >= 0) b->fixed[e] = a->fixed[b->frame[e]];
}

/* out[i][2]: u along direction i, less what others do (Toggles.scale), and, f NULL or not, what f has in the component; across[i]: the
 * rest of u. u in the nodes' own frames is moved until it is `goal` along the direction. u and f in the global frame; all
 * [n_node][dim]. */
typedef struct ToggleSeeArgs {
  const int32_t *node;
  const double *d, *component; /* [n][3] */
  const double *scale, *weight;
  const int64_t *start;
  const int32_t *other;
  const double *u, *f;
  double *out, *across; /* [n][2], [n][3] */
  int32_t dim;
} ToggleSeeArgs;
HD void toggle_see_body(const ToggleSeeArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int64_t at = (int64_t)a->node[i] * a->dim;
  double along = 0, force = 0, v[3] = {0, 0, 0};
  for (int c = 0; c < a->dim; ++c) {
    v[c] = a->scale[i] * a->u[at + c];
    for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k)
      v[c] -= a->weight[k] * a->u[(int64_t)a->other[k] * a->dim + c];
    along += a->d[3 * i + c] * v[c];
  }
  for (int c = 0; c < 3; ++c) a->across[3 * i + c] = v[c] - along * a->d[3 * i + c];
  for (int c = 0; c < a->dim && a->f; ++c) force += a->component[3 * i + c] * a->f[at + c];
  a->out[2 * i] = along;
  a->out[2 * i + 1] = force;
}

typedef struct ToggleMoveArgs {
  const int32_t *row; /* of the component, in the solver's order */
  const uint8_t *on;
  const double *seen, *goal, *along; /* as out above; [n]; how much of the direction a unit of the component is */
  double *u;
  const double *rate; /* [2][n], */
  int64_t n;
  double first, second; /* and how much of these two */
} ToggleMoveArgs;
HD void toggle_move_body(const ToggleMoveArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->on[i]) a->u[a->row[i]] += (a->goal[i] - a->seen[2 * i]) / a->along[i];
}

/* The same with rates, whatever was seen. */
HD void toggle_stop_body(const ToggleMoveArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->on[i]) a->u[a->row[i]] = (a->first * a->rate[i] + a->second * a->rate[a->n + i]) / a->along[i];
}

/* Springs between what toggles see: spring i pulls by out[i] = stiffness (d . u - at), with u of toggle `of` as above. */
typedef struct ToggleSpring {
  int32_t of;
  double stiffness, at, d[3];
} ToggleSpring;
typedef struct TogglePullArgs {
  const ToggleSpring *spring;
  const int32_t *node; /* as ToggleSeeArgs */
  const double *scale, *weight;
  const int64_t *start;
  const int32_t *other;
  const double *u;
  double *out;
  int32_t dim;
} TogglePullArgs;
HD void toggle_pull_body(const TogglePullArgs *a, int64_t i, double sum[]) {
  const ToggleSpring *s = a->spring + i;
  double way = -s->at;
  (void)sum;
  for (int c = 0; c < a->dim; ++c) {
    double v = a->scale[s->of] * a->u[(int64_t)a->node[s->of] * a->dim + c];
    for (int64_t k = a->start[s->of]; k < a->start[s->of + 1]; ++k)
      v -= a->weight[k] * a->u[(int64_t)a->other[k] * a->dim + c];
    way += s->d[c] * v;
  }
  a->out[i] = s->stiffness * way;
}

/* What springs do to nodes, taken off their forces f [n_node][dim]: node[i] has part `factor` of those in start[i] ... start[i + 1). */
typedef struct TogglePart {
  int32_t spring;
  double factor;
} TogglePart;
typedef struct TogglePassArgs {
  const ToggleSpring *spring;
  const int32_t *node;
  const int64_t *start;
  const TogglePart *part;
  const double *pull;
  double *f;
  int32_t dim;
} TogglePassArgs;
HD void toggle_pass_body(const TogglePassArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int32_t s = a->part[k].spring;
    for (int c = 0; c < a->dim; ++c)
      a->f[(int64_t)a->node[i] * a->dim + c] -= a->part[k].factor * a->pull[s] * a->spring[s].d[c];
  }
}

typedef struct ToggleForceArgs {
  const int32_t *node;
  const double *f;
  double *out; /* [n][3] */
  int32_t dim;
} ToggleForceArgs;
HD void toggle_force_body(const ToggleForceArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int c = 0; c < 3; ++c) a->out[3 * i + c] = c < a->dim ? a->f[(int64_t)a->node[i] * a->dim + c] : 0;
}
