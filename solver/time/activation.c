/* A few vectors and two kernels. */
#include "solver/time/activation.h"
#include "core/collect.h"
#include "core/memory.h"
#include "solver/time/rows.h"

#include <math.h>

struct Activation {
  Exec *exec; /* borrowed */
  int64_t n;
  RankRun run; /* the unknowns of this rank among those of all */
  ActivationParams params;
  int32_t n_vector;
  double *
      data; /* owned, on the Exec, [n_vector][n]: activation of all beats, repolarization, low, peak, which beat it is */
};

Status activation_create(Exec *exec, int64_t n, const ActivationParams *params, Activation **out) {
  *out = NULL;
  CHECK(isfinite(params->up) && isfinite(params->down) && params->share >= 0 && params->share < 1, ERR_INPUT,
        "activation needs finite thresholds and a share in [0, 1)");
  Activation *a = NULL;
  ALLOC(a, 1, "maps of activation");
  a->exec = exec, a->n = n, a->params = *params;
  if (a->params.n_beat < 1) a->params.n_beat = 1;
  a->n_vector = 2 * a->params.n_beat + (a->params.n_beat > 1 ? 3 : 2);
  Status status = exec_alloc(exec, a->n_vector * n, sizeof *a->data, "maps of activation", (void **)&a->data);
  if (status == OK) status = rank_run_find(exec->comm, n, &a->run);
  if (status != OK) activation_destroy(&a);
  *out = a;
  return status;
}

void activation_destroy(Activation **activation) {
  Activation *a = *activation;
  if (!a) return;
  EXEC_RELEASE(a->exec, a->data, a->n_vector * a->n);
  FREE(*activation);
}

static ActivationArgs args_of(const Activation *a, const EvolutionClock *clock, const int32_t *when, const double *u,
                              const double *before) {
  const int64_t n_beat = a->params.n_beat;
  return (ActivationArgs){.clock = clock,
                          .when = when,
                          .u = u,
                          .before = before,
                          .n = a->n,
                          .n_beat = a->params.n_beat,
                          .activation = a->data,
                          .repolarization = a->data + n_beat * a->n,
                          .low = a->data + 2 * n_beat * a->n,
                          .peak = a->data + (2 * n_beat + 1) * a->n,
                          .beat = n_beat > 1 ? a->data + (2 * n_beat + 2) * a->n : NULL,
                          .up = a->params.up,
                          .down = a->params.down,
                          .share = a->params.share};
}

Status activation_start(Activation *a, const EvolutionClock *clock, const double *u) {
  const ActivationArgs args = args_of(a, clock, NULL, u, NULL);
  return exec_rows(a->exec, &activation_start_kernel, &args, a->n);
}

Status activation_step(Activation *a, const EvolutionClock *clock, const int32_t *when, const double *u,
                       const double *before) {
  const ActivationArgs args = args_of(a, clock, when, u, before);
  return exec_rows(a->exec, &activation_step_kernel, &args, a->n);
}

ActivationArgs activation_args(const Activation *a, const EvolutionClock *clock, const int32_t *when) {
  return a ? args_of(a, clock, when, NULL, NULL) : (ActivationArgs){.n = 0};
}

const double *activation_times(const Activation *a, int32_t beat) { return a->data + beat * a->n; }
const double *activation_ends(const Activation *a, int32_t beat) {
  return a->data + ((int64_t)a->params.n_beat + beat) * a->n;
}
int64_t activation_state_size(const Activation *a) { return a->n_vector * a->run.all; }

Status activation_save(const Activation *a, double *host) {
  for (int32_t k = 0; k < a->n_vector; ++k)
    TRY(exec_collect(a->exec, &a->run, sizeof *host, a->data + k * a->n, host ? host + k * a->run.all : NULL));
  return OK;
}
Status activation_restore(Activation *a, const double *host) {
  for (int32_t k = 0; k < a->n_vector; ++k)
    TRY(exec_deal(a->exec, &a->run, sizeof *host, host + k * a->run.all, a->data + k * a->n));
  return OK;
}
