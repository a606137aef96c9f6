/* Four vectors and two kernels. */
#include "solver/time/activation.h"
#include "core/collect.h"
#include "core/memory.h"
#include "solver/time/rows.h"

#include <math.h>

enum { VECTORS = 4 }; /* activation, repolarization, low, peak, one after the other */

struct Activation {
  Exec *exec; /* borrowed */
  int64_t n;
  RankRun run; /* the unknowns of this rank among those of all */
  ActivationParams params;
  double *data; /* owned, on the Exec, [VECTORS][n] */
};

Status activation_create(Exec *exec, int64_t n, const ActivationParams *params, Activation **out) {
  *out = NULL;
  CHECK(isfinite(params->up) && isfinite(params->down) && params->share >= 0 && params->share < 1, ERR_INPUT,
        "activation needs finite thresholds and a share in [0, 1)");
  Activation *a = NULL;
  ALLOC(a, 1, "maps of activation");
  a->exec = exec, a->n = n, a->params = *params;
  Status status = exec_alloc(exec, VECTORS * n, sizeof *a->data, "maps of activation", (void **)&a->data);
  if (status == OK) status = rank_run_find(exec->comm, n, &a->run);
  if (status != OK) activation_destroy(&a);
  *out = a;
  return status;
}

void activation_destroy(Activation **activation) {
  Activation *a = *activation;
  if (!a) return;
  EXEC_RELEASE(a->exec, a->data, VECTORS * a->n);
  FREE(*activation);
}

static ActivationArgs args_of(const Activation *a, const EvolutionClock *clock, const int32_t *when, const double *u,
                              const double *before) {
  return (ActivationArgs){.clock = clock,
                          .when = when,
                          .u = u,
                          .before = before,
                          .activation = a->data,
                          .repolarization = a->data + a->n,
                          .low = a->data + 2 * a->n,
                          .peak = a->data + 3 * a->n,
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

const double *activation_times(const Activation *a) { return a->data; }
const double *activation_ends(const Activation *a) { return a->data + a->n; }
int64_t activation_state_size(const Activation *a) { return VECTORS * a->run.all; }

Status activation_save(const Activation *a, double *host) {
  for (int k = 0; k < VECTORS; ++k)
    TRY(exec_collect(a->exec, &a->run, sizeof *host, a->data + k * a->n, host ? host + k * a->run.all : NULL));
  return OK;
}
Status activation_restore(Activation *a, const double *host) {
  for (int k = 0; k < VECTORS; ++k)
    TRY(exec_deal(a->exec, &a->run, sizeof *host, host + k * a->run.all, a->data + k * a->n));
  return OK;
}
