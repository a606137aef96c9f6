/* Solves (A + i B) x = b with real symmetric matrices A and B on an Exec by conjugate orthogonal conjugate gradients
 * (COCG: van der Vorst and Melissen 1990); the whole iteration is recorded once and no number comes to the host inside.
 * A may be indefinite. The preconditioner is a real one, of a positive definite matrix P near |A + i B|, applied to the
 * real and to the imaginary part. Only the true residual, formed in double at the end, says that a solution is one.
 * docs/theory/harmonic.md. */
#pragma once
#include "solver/krylov/linear.h"

typedef struct CocgSolver CocgSolver;

/* All three in double, of one structure (mat_create_like), borrowed; imaginary NULL: B = 0. Of the params the precision
 * `auto` is float here. Unknown preconditioner: ERR_INPUT with the list. */
Status cocg_create(Exec *exec, const LinearParams *params, const Mat *real, const Mat *imaginary, const Mat *positive,
                   CocgSolver **out);
/* Accepts NULL, sets NULL. */
void cocg_destroy(CocgSolver **solver);
/* After the values of the matrices changed. */
Status cocg_setup(CocgSolver *solver);
/* b[2], x[2] [mat_columns]: real and imaginary part, double on the Exec, b is kept; x in: first guess, out: solution. ERR_NUMERIC
 * with reason and remedy when it does not converge, LINEAR_BREAKDOWN where the recurrences divide by 0; the report is
 * filled in either way, residuals over both parts. b = 0 gives x = 0. */
Status cocg_solve(CocgSolver *solver, const double *const b[2], double *const x[2], LinearReport *report);
void cocg_set_poll(CocgSolver *solver, LinearPoll poll, void *context);
