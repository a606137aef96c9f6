/* Problems whose residual and tangent are assembled: Newton's method from the host, which reads the scalars once per
 * Newton step. The linear solve is no more exact than Newton's method can use (Eisenstat and Walker 1996, choice 2):
 * its tolerance falls with the square of what the last Newton step gained, and ends where the goal of the whole step
 * does. */
#include "core/vec.h"
#include "solver/time/evolution_private.h"
#include "solver/krylov/linear_solver.h"
#include "solver/time/rows.h"

#include <math.h>

static const double FIRST = 1e-2, LARGEST = 0.1, GAIN = 0.9, OF_GOAL = 0.3;

/* Relative tolerance of the next linear solve. */
static double forcing(const EvolutionScalars *s, double last) {
  const double gained = last > 0 ? GAIN * s->residual / last : FIRST; /* residuals are squares here */
  return fmax(fmin(gained, LARGEST), fmin(0.5, OF_GOAL * sqrt(s->limit / s->residual)));
}

/* Reaction, products, residual of u; scalars come back. `guessed`: K u is there, extrapolated from true products. */
static Status residual(Evolution *e, bool guessed) {
  const EvolutionArgs args = evolution_args(e, EVOLUTION_NEWTON);
  const EvolutionProblem *p = &e->problem;
  TRY(p->reaction(p->context, &e->scalars->clock, args.when, e->u, e->R, NULL));
  TRY(exec_rows(e->exec, &evolution_balance_kernel, &args, e->n));
  if (!guessed) TRY(mat_apply(p->stiffness, e->u, e->Ku));
  TRY(mat_apply(p->mass_matrix, e->v, e->Mv));
  TRY(exec_rows(e->exec, &evolution_gauss_kernel, &args, e->n));
  EvolutionScalars now;
  TRY(exec_download(e->exec, &now, e->scalars, sizeof now));
  e->host.residual = now.residual;
  e->host.error = now.error;
  e->host.change = now.change;
  e->host.products += guessed ? 1 : 2;
  return OK;
}

/* u += (mass M + theta (K - dR/du))^-1 r. Where the linear solve fails, so has Newton's method. */
static Status newton_step(Evolution *e, double last) {
  const EvolutionProblem *p = &e->problem;
  TRY(p->tangent(p->context, &e->scalars->clock, mat_values(e->a)));
  TRY(linear_setup(e->solver));
  e->solver->params.rtol = forcing(&e->host, last);
  TRY(exec_zero(e->exec, e->du, (size_t)e->n * sizeof(double)));
  LinearReport linear = {0};
  const Status status = linear_solve(e->solver, e->r, e->du, &linear);
  e->host.newton += 1;
  e->host.products += linear.products;
  e->iterations += linear.iterations;
  if (status == ERR_NUMERIC && linear.reason != LINEAR_UNDERFLOW) {
    e->host.stop = linear.reason == LINEAR_NAN ? EVOLUTION_NAN : EVOLUTION_DIVERGED;
    status_clear();
    return OK;
  }
  if (status == ERR_NUMERIC) status_clear(); /* what changes so little is there to the last digit */
  else TRY(status);
  return vec_axpy(e->exec, e->n, 1, e->du, e->u);
}

static Status newton(Evolution *e) {
  double last = 0;
  for (int32_t k = 0;; ++k) {
    const EvolutionScalars *s = &e->host;
    TRY(residual(e, k == 0));
    if (k == 0 && s->residual <= s->limit) TRY(residual(e, false)); /* only a true product says that a step is solved */
    if (!isfinite(s->residual) || !isfinite(s->error)) e->host.stop = EVOLUTION_NAN;
    else if (s->residual <= s->limit)
      e->host.stop = evolution_exact_enough(s, s->error, s->change) ? EVOLUTION_DONE : EVOLUTION_REJECTED;
    else if (k == e->params.max_newton) e->host.stop = EVOLUTION_STUCK;
    else if (k > 1 && s->residual > 1e8 * e->host.first) e->host.stop = EVOLUTION_DIVERGED;
    if (k == 0) e->host.first = s->residual;
    if (e->host.stop != EVOLUTION_GOES_ON) return OK;
    const double now = s->residual;
    TRY(newton_step(e, last));
    if (e->host.stop != EVOLUTION_GOES_ON) return OK;
    last = now;
  }
}

Status evolution_gauss_run(Evolution *e) {
  e->iterations = 0;
  const EvolutionArgs start = evolution_args(e, EVOLUTION_START), commit = evolution_args(e, EVOLUTION_COMMIT);
  const EvolutionProblem *p = &e->problem;
  TRY(exec_rows(e->exec, &evolution_switches_kernel, &start, e->params.n_pulse));
  if (p->current) TRY(p->current(p->context, &e->scalars->clock, start.when, e->switches, e->current));
  TRY(exec_rows(e->exec, &evolution_guess_kernel, &start, e->n));
  TRY(newton(e));
  if (e->host.stop != EVOLUTION_DONE) return OK;
  e->host.steps = 1;
  TRY(p->commit(p->context, &e->scalars->clock, commit.when, e->u, e->before));
  return exec_rows(e->exec, &evolution_accept_kernel, &commit, e->n);
}
