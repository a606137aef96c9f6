/* Iterative refinement with a factorisation of an indefinite matrix (Higham, Accuracy and Stability of Numerical Algorithms,
 * 2002, chapter 12), where conjugate gradients are not defined. Bytes of a step: the matrix once, the factor twice. */
#include "solver/krylov/linear_solver.h"

enum { MOST = 30 };
/* A factor without exchange of pivots may be poor: what a step must gain. */
static const double GAINED = 0.5;

Status linear_refine(LinearSolver *s, const double *b, double *x, LinearReport *report) {
  if (s->pcg.n_border) return linear_failure(s, LINEAR_INDEFINITE, b, report);
  for (int k = 0; k < MOST; ++k) {
    const double last = report->true_residual;
    TRY(pcg_correct(&s->pcg, x));
    report->iterations = ++s->pcg.host.iteration;
    report->products += 1;
    TRY(linear_true_residual(s, b, x, &report->true_residual, &report->norm_b));
    report->recursive_residual = report->true_residual;
    if (report->true_residual <= s->params.rtol) {
      report->reason = LINEAR_CONVERGED;
      return OK;
    }
    if (!(report->true_residual <= GAINED * last)) break;
  }
  return linear_stagnated(s, b, x, report);
}
