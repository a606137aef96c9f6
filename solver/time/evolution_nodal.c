/* Nodal problems: a whole step, or several, as one loop on the Exec. Its turns are Newton steps; what belongs to the
 * beginning or the end of a step does nothing in the other turns. The linear solve is Chebyshev's iteration, of a
 * length that follows from the residual, and so without sums (evolution_inner.c); all its products but the last one are
 * a launch each, with the update of the iterate in it. The last one is a true product in double with the new u.
 *
 * Bytes of a step with N Newton steps of k products, K'' = bytes of K in few bits or float, n nodes, degree 3 of the
 * first guess: first guess 80 n, residual (N + 1) 80 n, N (k - 1) (K'' + 24 n), N (K in double and 40 n), the end 64 n,
 * and the problem's reaction N + 1 times. */
#include "solver/time/evolution_private.h"
#include "solver/time/rows.h"

static Status record_source(Evolution *e, EvolutionPhase phase) {
  const EvolutionArgs args = evolution_args(e, phase);
  const EvolutionProblem *p = &e->problem;
  TRY(p->reaction(p->context, &e->scalars->clock, args.when, e->u, e->R, e->diagonal));
  return exec_rows(e->exec, &evolution_residual_kernel, &args, e->n);
}

static Status record_start(Evolution *e) {
  const EvolutionArgs args = evolution_args(e, EVOLUTION_START);
  const EvolutionProblem *p = &e->problem;
  EvolutionArgs interval = args;
  interval.when = &e->scalars->stale;
  TRY(exec_rows(e->exec, &evolution_interval_kernel, &interval, 1));
  TRY(exec_rows(e->exec, &evolution_switches_kernel, &args, e->params.n_pulse));
  if (p->current) TRY(p->current(p->context, &e->scalars->clock, args.when, e->switches, e->current));
  TRY(exec_rows(e->exec, &evolution_guess_kernel, &args, e->n));
  return record_source(e, EVOLUTION_START);
}

static Status record_newton(Evolution *e) {
  const EvolutionArgs args = evolution_args(e, EVOLUTION_NEWTON);
  for (int32_t k = 0; k + 1 < e->params.inner; ++k)
    TRY(mat_product(e->scaled, MAT_SEMI,
                    &(ProductArgs){.v = e->y[k % 2],
                                   .w = e->y[(k + 1) % 2],
                                   .u = e->rho,
                                   .z = e->shift,
                                   .diagonal = e->K_diagonal,
                                   .f = e->scalars->semi[k + 1],
                                   .stop = &e->scalars->skip_inner[k]}));
  return exec_rows(e->exec, &evolution_correct_kernel, &args, e->n);
}

static Status record_end(Evolution *e) {
  const EvolutionArgs commit = evolution_args(e, EVOLUTION_COMMIT);
  const EvolutionProblem *p = &e->problem;
  TRY(mat_product(p->stiffness, MAT_APPLY, &(ProductArgs){.v = e->u, .w = e->Ku, .stop = &e->scalars->skip_product}));
  TRY(record_source(e, EVOLUTION_VERIFY));
  TRY(p->commit(p->context, &e->scalars->clock, commit.when, e->u, e->before));
  return exec_rows(e->exec, &evolution_accept_kernel, &commit, e->n);
}

static Status record_turn(Exec *exec, void *context) {
  (void)exec;
  Evolution *e = context;
  TRY(record_start(e));
  TRY(record_newton(e));
  return record_end(e);
}

Status evolution_nodal_run(Evolution *e) {
  if (!e->loop) TRY(exec_loop_create(e->exec, record_turn, e, &e->scalars->stop, &e->loop));
  /* a step has at most max_newton turns and one that starts it */
  TRY(exec_loop_run(e->loop, e->host.max_steps * (e->host.max_newton + 2), NULL, NULL));
  TRY(evolution_fetch(e));
  CHECK(e->host.stop != EVOLUTION_GOES_ON, ERR_BUG, "a loop of time steps ended without a reason");
  return OK;
}
