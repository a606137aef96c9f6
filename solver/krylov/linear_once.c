/* Solves that are many and alike, as one in each step in time: residual, conjugate gradients and the true residual go one into the next
 * on the Exec, and the host looks once, where an ordinary solve looks at the first residual, at each check of the true
 * residual, and at the end. What does not converge so goes to the ordinary solve from where it is, which knows what to do. */
#include "algebra/formats/tiled.h"
#include "solver/krylov/linear_record.h"
#include "solver/krylov/linear_solver.h"
#include "solver/krylov/rows.h"

#include <math.h>

bool linear_can_record(const LinearSolver *s) {
  return s->params.at_once && !s->renumbered.place && s->border.n == 0 && !s->poll && !s->m->refines && !s->n_bad &&
         s->iterations_before == 0;
}

static PcgRun run_of(const LinearSolver *s) {
  PcgRun run = linear_run(s, s->params.rtol, 1, true);
  run.check_drop = 0, run.check_every = 0;
  return run;
}

Status linear_record_prepare(LinearSolver *s, double *x, int32_t *made) {
  TRY(pcg_once_prepare(&s->pcg, x));
  *made = s->pcg.made;
  return OK;
}

Status linear_record(LinearSolver *s, const double *b, PcgTally *tally, int32_t *stop, int32_t end) {
  const PcgRun run = run_of(s);
  const PcgTallyArgs args = {s->krylov, s->params.rtol, tally, stop, end};
  TRY(pcg_once(&s->pcg, b, &run, s->params.rtol, linear_range));
  return exec_rows(s->exec, &pcg_tally_kernel, &args, 1);
}

const Mat *linear_recorded_matrix(const LinearSolver *s) { return s->pcg.near ? s->pcg.near : s->a; }

Status linear_record_near(const LinearSolver *s, const Mat *other, Mat **out) {
  *out = NULL;
  return s->pcg.near ? tiled_near(other, out) : OK;
}

bool linear_tiles_pay(const Mat *a) { return tiled_pays(a); }

const double *linear_recorded_residual(const LinearSolver *s) { return s->pcg.q; }

Status linear_form_residual(LinearSolver *s, const double *b, const double *x) { return pcg_check(&s->pcg, b, x); }

Status linear_once(LinearSolver *s, const double *b, double *x, LinearReport *report) {
  Pcg *pcg = &s->pcg;
  const double rtol = s->params.rtol;
  s->tried = 0;
  if (!linear_can_record(s)) return OK;
  const PcgRun run = run_of(s);
  TRY(pcg_run_once(pcg, b, x, &run, rtol, linear_range));
  const Krylov *k = &pcg->host;
  report->products += k->iteration * (1 + s->m->products) + s->m->products + 1;
  report->norm_b = sqrt(k->sum[1]);
  report->recursive_residual = linear_relative(k->rr, k->sum[1]);
  report->true_residual = linear_relative(k->sum[0], k->sum[1]);
  const bool done = k->stop == KRYLOV_CONVERGED && report->true_residual <= rtol;
  s->tried = done ? -1 : k->iteration;
  if (done) report->iterations = k->iteration, report->reason = LINEAR_CONVERGED;
  if (done || report->true_residual <= 1) return OK;
  return exec_zero(s->exec, x, (size_t)pcg->n * sizeof *x); /* worth nothing */
}
