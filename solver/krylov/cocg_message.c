/* What a user reads when the complex solver gives up: the reason, what is likely behind it, what to do. */
#include "core/memory.h"
#include "solver/krylov/cocg_solver.h"

#include <math.h>

#define RESONANCE                                                                                                      \
  "likely: little or no damping at or near a natural frequency\n  remedy: add damping, move the frequency, or %s"

/* The first entry of the diagonal of P that is not positive; -1: none. */
static Status bad_equation(const CocgSolver *s, int64_t *equation, double *value) {
  double *d = NULL;
  Status status;
  ALLOC_DONE(d, s->n, "the search for the cause");
  TRY_DONE(mat_diagonal(s->positive, s->q[0]));
  TRY_DONE(exec_download(s->exec, d, s->q[0], (size_t)s->n * sizeof *d));
  for (int64_t i = 0; i < s->n && *equation < 0; ++i)
    if (!(d[i] > 0 && isfinite(d[i]))) *equation = i, *value = d[i];
  *equation = renumbered_row(s->positive, *equation);
done:
  FREE(d);
  return status;
}

static Status not_positive(CocgSolver *s, LinearReport *report) {
  double value = 0;
  if (s->n_bad == 0)
    return FAIL(ERR_NUMERIC,
                "the preconditioner '%s' is not positive at iteration %lld although the bound of its spectrum "
                "was raised to %g\n  remedy: preconditioner {type: jacobi}, or precision: double",
                s->m->name, (long long)s->host.k.iteration, s->m->bound);
  TRY(bad_equation(s, &report->equation, &value));
  CHECK(isfinite(value), ERR_NUMERIC,
        "the stiffness plus the weighted mass is not a number in equation %lld: it is beyond 1.8e308\n  likely: a "
        "frequency, "
        "a density or a modulus in other units than the rest",
        (long long)report->equation);
  return FAIL(
      ERR_NUMERIC,
      "the stiffness plus the weighted mass is not positive definite: %lld of its diagonal entries or "
      "blocks, the first in equation %lld (%g)\n  likely: an inverted element, a material that is negative or in "
      "other units than the rest\n  remedy: `sinew check` lists element quality",
      (long long)s->n_bad, (long long)report->equation, value);
}

Status cocg_failure(CocgSolver *s, LinearReason reason, LinearReport *report) {
  const long long iteration = (long long)report->iterations;
  report->reason = reason;
  switch (reason) {
  case LINEAR_INDEFINITE: return not_positive(s, report);
  case LINEAR_NAN:
    return FAIL(ERR_NUMERIC,
                "the matrix, the load or the solution is not a number (iteration %lld)\n  likely: an element of "
                "zero or infinite size, a load or a material that overflows\n  remedy: `sinew check` lists the element "
                "quality; mind consistent units",
                iteration);
  case LINEAR_BREAKDOWN:
    return FAIL(ERR_NUMERIC,
                "conjugate orthogonal conjugate gradients broke down at iteration %lld: %s vanishes, relative "
                "residual %.2e, asked for %.2e\n  " RESONANCE,
                iteration, s->host.breakdown ? "r.z" : "p.Ap", report->true_residual, s->rtol, precond_stronger(s->m));
  case LINEAR_MAX_ITERATIONS:
    return FAIL(ERR_NUMERIC,
                "conjugate orthogonal conjugate gradients (%s) did not converge in %lld iterations: relative "
                "residual %.2e, asked for %.2e\n  " RESONANCE ", raise max-iterations",
                s->m->name, iteration, report->true_residual, s->rtol, precond_stronger(s->m));
  default:
    return FAIL(
        ERR_NUMERIC,
        "conjugate orthogonal conjugate gradients (%s) stagnate after %lld iterations: the true relative "
        "residual stays at %.2e (recursive %.2e), asked for %.2e\n  " RESONANCE "\n  or: rtol is below what double "
        "precision can reach so near a natural frequency, or for so thin a body; relax rtol",
        s->m->name, iteration, report->true_residual, report->recursive_residual, s->rtol, precond_stronger(s->m));
  }
}
