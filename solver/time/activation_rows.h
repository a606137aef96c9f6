/* When waves pass each node: row kernels over nodes, run where a step is accepted. Bytes per node: u, before, activation,
 * repolarization, low and peak, 8 each, little of it written. Of several beats each node counts its own. */
#pragma once
#include "solver/time/evolution_clock.h"

typedef struct ActivationArgs {
  const EvolutionClock *clock;
  const int32_t *when;
  const double *u, *before; /* at target and at time */
  int64_t n;                /* nodes */
  int32_t n_beat;
  double *activation, *repolarization; /* [n_beat][n] times, -1 where not yet */
  double *beat;                        /* [n] that goes on, from 0; NULL of a single one */
  double *low, *peak;                  /* lowest u before the activation; highest since */
  double up, down;                     /* thresholds */
  double share;                        /* of the amplitude peak - low that is gone at the end; 0: u < down ends it */
} ActivationArgs;

/* When the straight line from (0, a) to (1, b) is at level, a != b. */
HD double activation_crossing(const EvolutionClock *clock, double a, double b, double level) {
  return clock->time + clock->dt * ((level - a) / (b - a));
}

/* A node that is above the threshold from the start is active from then on. */
HD void activation_start_body(const ActivationArgs *a, int64_t i, double *sum) {
  (void)sum;
  const double u = a->u[i];
  for (int32_t b = 0; b < a->n_beat; ++b) a->activation[b * a->n + i] = a->repolarization[b * a->n + i] = -1;
  if (u >= a->up) a->activation[i] = a->clock->time;
  if (a->beat) a->beat[i] = 0;
  a->low[i] = a->peak[i] = u;
}

/* What there is of a node's beat: read at once, before anything is written, since no read then waits for another. */
typedef struct ActivationNode {
  int32_t beat;
  double activation, repolarization, low, peak;
} ActivationNode;
HD ActivationNode activation_node(const ActivationArgs *a, int64_t i) {
  const int32_t beat = a->beat ? (int32_t)a->beat[i] : 0;
  const int64_t at = beat * a->n + i;
  const ActivationNode node = {beat, a->activation[at], a->repolarization[at], a->low[i], a->peak[i]};
  return node;
}

/* Node i, whose u was `before`. */
HD void activation_pass(const ActivationArgs *a, int64_t i, const ActivationNode *node, const double before,
                        const double u) {
  if (node->repolarization >= 0) return;
  if (node->activation < 0) {
    if (before < a->up && u >= a->up) {
      a->activation[node->beat * a->n + i] = activation_crossing(a->clock, before, u, a->up);
      a->peak[i] = u;
    } else if (u < node->low) {
      a->low[i] = u;
    }
    return;
  }
  const double peak = u > node->peak ? u : node->peak;
  if (u > node->peak) a->peak[i] = u;
  const double level = a->share > 0 ? peak - a->share * (peak - node->low) : a->down;
  if (!(before >= level && u < level)) return;
  a->repolarization[node->beat * a->n + i] = activation_crossing(a->clock, before, u, level);
  if (node->beat + 1 == a->n_beat) return;
  a->beat[i] = node->beat + 1;
  a->low[i] = u;
}

HD void activation_step_body(const ActivationArgs *a, int64_t i, double *sum) {
  (void)sum;
  if (*a->when == 0) return;
  const ActivationNode node = activation_node(a, i);
  activation_pass(a, i, &node, a->before[i], a->u[i]);
}
