/* Solves that are many and alike, as one in each step in time: residual, conjugate gradients and the true residual go one into the next
 * on the Exec, and the host looks once, where an ordinary solve looks at the first residual, at each check of the true
 * residual, and at the end. What does not converge so goes to the ordinary solve from where it is, which knows what to do. */
#include "solver/krylov/linear_solver.h"

#include <math.h>

static bool can(const LinearSolver *s) {
  return s->params.at_once && !s->renumbered.place && s->border.n == 0 && !s->poll && !s->m->refines && !s->n_bad &&
         s->iterations_before == 0;
}

Status linear_once(LinearSolver *s, const double *b, double *x, LinearReport *report, bool *done) {
  Pcg *pcg = &s->pcg;
  const double rtol = s->params.rtol;
  *done = false;
  if (!can(s)) return OK;
  PcgRun run = linear_run(s, rtol, 1, true);
  run.check_drop = 0, run.check_every = 0;
  TRY(pcg_run_once(pcg, b, x, &run, rtol, linear_range));
  const Krylov *k = &pcg->host;
  report->iterations = k->iteration;
  report->products += k->iteration * (1 + s->m->products) + s->m->products + 1;
  report->norm_b = sqrt(k->sum[1]);
  report->recursive_residual = linear_relative(k->rr, k->sum[1]);
  report->true_residual = linear_relative(k->sum[0], k->sum[1]);
  *done = k->stop == KRYLOV_CONVERGED && report->true_residual <= rtol;
  if (*done) report->reason = LINEAR_CONVERGED;
  if (*done || report->true_residual <= 1) return OK;
  return exec_zero(s->exec, x, (size_t)pcg->n * sizeof *x); /* worth nothing */
}
