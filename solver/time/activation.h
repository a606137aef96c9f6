/* Maps of waves: when u first rises through a threshold, when it next falls through another one or has lost a share of
 * its local amplitude, at every unknown, by linear interpolation within the step; then the next rise, for as many beats as
 * are asked for. Kept on the Exec while a run goes on. */
#pragma once
#include "core/exec.h"
#include "solver/time/activation_rows.h"

typedef struct ActivationParams {
  double up, down; /* thresholds in the unit of u */
  double
      /* in (0, 1): the fall ends when u has lost this share of peak minus lowest value before the rise; 0: at down */
      share;
  int32_t n_beat; /* 0: 1 */
} ActivationParams;

typedef struct Activation Activation;
Status activation_create(Exec *exec, int64_t n, const ActivationParams *params, Activation **out);
void activation_destroy(Activation **activation);
/* From the initial values u[n] on the Exec: unknowns that are above `up` already are active since the clock's time. */
Status activation_start(Activation *activation, const EvolutionClock *clock, const double *u);
/* For Problem.commit. Recordable. */
Status activation_step(Activation *activation, const EvolutionClock *clock, const int32_t *when, const double *u,
                       const double *before);
/* The same inside a row kernel that makes u, activation_pass of activation_rows.h; `maps` may be NULL: no nodes. */
ActivationArgs activation_args(const Activation *maps, const EvolutionClock *clock, const int32_t *when);
/* On the Exec, [n]: times of a beat, from 0; -1 where it has not happened. */
const double *activation_times(const Activation *activation, int32_t beat);
const double *activation_ends(const Activation *activation, int32_t beat);
/* For checkpoints: all that later maps depend on, host memory of activation_state_size doubles. Of several ranks that of
 * all, as save and restore of StatePart have it. */
int64_t activation_state_size(const Activation *activation);
Status activation_save(const Activation *activation, double *host);
Status activation_restore(Activation *activation, const double *host);
