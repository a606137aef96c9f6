/* Row kernels of channels that something beside the potential opens, such as the stretch of fibres, for C and CUDA. */
#pragma once
#include "assembly/monodomain/monodomain_rows.h"

/* Channels that are open at a node, 1/ms, and that times their potential, mV/ms: dV/dt has level - open V more. Rows are cells, behind
 * those of their models, on whose line it comes. */
typedef struct MonodomainOpenFirstArgs {
  const int32_t *when;
  const double *numbers;
  const int32_t *node; /* as MonodomainFirstArgs */
  const double *open, *level, *V;
  double *force, *gradient;
} MonodomainOpenFirstArgs;
HD void monodomain_open_first_body(const MonodomainOpenFirstArgs *s, int64_t k, double *sum) {
  (void)sum;
  if (monodomain_idle(s->when)) return;
  const int64_t i = s->node ? s->node[k] : k;
  s->force[k] += s->level[i] - (1 - s->numbers[0]) * s->open[i] * s->V[i];
  s->gradient[k] -= s->open[i];
}
/* The same of states that are eliminated; rows are nodes. */
typedef struct MonodomainOpenArgs {
  const int32_t *when;
  const double *numbers, *mass;
  const int32_t *next; /* as MonodomainNodeArgs */
  const uint8_t *fixed;
  const double *open, *level, *V;
  double *r, *diagonal;
} MonodomainOpenArgs;
HD void monodomain_open_node_body(const MonodomainOpenArgs *s, int64_t i, double *sum) {
  double mass = 0;
  (void)sum;
  if (monodomain_idle(s->when) || s->fixed[i]) return;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) mass += s->numbers[0] * s->mass[k];
  s->r[i] += mass * (s->level[i] - s->open[i] * s->V[i]);
  s->diagonal[i] += mass * s->open[i];
}
