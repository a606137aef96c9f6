/* A ring of vectors and a kernel. */
#include "solver/time/wave_phase.h"
#include "core/collect.h"
#include "core/memory.h"
#include "solver/time/rows.h"

struct WavePhase {
  Exec *exec; /* borrowed */
  int64_t n;
  RankRun run; /* the unknowns of this rank among those of all */
  int32_t lag;
  double center;
  int64_t n_kept; /* so far; the last of them is slot (n_kept - 1) % (lag + 1) */
  double *data;   /* owned, on the Exec, [lag + 1][n] */
};

Status wave_phase_create(Exec *exec, int64_t n, int32_t lag, double center, WavePhase **out) {
  *out = NULL;
  WavePhase *p = NULL;
  ALLOC(p, 1, "phases");
  p->exec = exec, p->n = n, p->lag = lag, p->center = center;
  Status status = exec_alloc(exec, (lag + 1) * n, sizeof *p->data, "potentials of the last while", (void **)&p->data);
  if (status == OK) status = rank_run_find(exec->comm, n, &p->run);
  if (status != OK) wave_phase_destroy(&p);
  *out = p;
  return status;
}

void wave_phase_destroy(WavePhase **phase) {
  WavePhase *p = *phase;
  if (!p) return;
  EXEC_RELEASE(p->exec, p->data, (p->lag + 1) * p->n);
  FREE(*phase);
}

static double *slot(const WavePhase *p, int64_t k) { return p->data + k % (p->lag + 1) * p->n; }

Status wave_phase_keep(WavePhase *p, const double *u) {
  return exec_copy(p->exec, slot(p, p->n_kept++), u, (size_t)p->n * sizeof *u);
}

Status wave_phase_of(Exec *exec, int64_t n, const double *u, const double *past, double center, double *angle) {
  const WavePhaseArgs args = {.u = u, .past = past, .center = center, .angle = angle};
  return exec_rows(exec, &wave_phase_angle_kernel, &args, n);
}

Status wave_phase_angle(WavePhase *p, double *angle) {
  const int64_t last = p->n_kept - 1;
  return wave_phase_of(p->exec, p->n, slot(p, last), slot(p, last < p->lag ? 0 : last - p->lag), p->center, angle);
}

int64_t wave_phase_state_size(const WavePhase *p) { return (p->lag + 1) * p->run.all + 1; }

Status wave_phase_save(const WavePhase *p, double *host) {
  for (int32_t k = 0; k <= p->lag; ++k)
    TRY(exec_collect(p->exec, &p->run, sizeof *host, slot(p, k), host ? host + k * p->run.all : NULL));
  if (host) host[wave_phase_state_size(p) - 1] = (double)p->n_kept;
  return OK;
}

Status wave_phase_restore(WavePhase *p, const double *host) {
  for (int32_t k = 0; k <= p->lag; ++k)
    TRY(exec_deal(p->exec, &p->run, sizeof *host, host + k * p->run.all, slot(p, k)));
  p->n_kept = (int64_t)host[wave_phase_state_size(p) - 1];
  return OK;
}
