/* A X = B for several right-hand sides at once (load cases, unit loads, columns of an inverse): K = 2, 4 or 8 conjugate
 * gradients side by side, each with its own alpha, beta, residual and end, on vectors that are interleaved so that the
 * matrix, and the polynomial's, is read once for all of them. What LinearSolver promises for one column holds for each.
 * More than 8 columns go in groups of 8. */
#pragma once
#include "solver/krylov/linear.h"

enum { LINEAR_MANY = 8 };

typedef struct LinearMany LinearMany;
/* For a solver that is set up, which it borrows and works with; takes the workspaces of k columns at once (LINEAR_MANY
 * at most, about 8 to 13 vectors each), none where columns go one after another: for k = 1, cmg, K-cycles and ssor,
 * and formats other than csr and sbell. */
Status linear_many_create(LinearSolver *solver, int32_t k, LinearMany **out);
void linear_many_destroy(LinearMany **many);
/* A sentence where columns go one after another, and why. NULL: nothing to say. */
const char *linear_many_note(const LinearMany *many);
/* b [k][mat_rows] and x [k][mat_columns] on the Exec, column after column; x in: first guess, out: solution. k is any number; report [k] is
 * filled in for each, solve_seconds and bytes_per_iteration with its share. A column with b = 0 gives x = 0; one that
 * has converged is written no more, whatever becomes of the others; one that the common loop cannot finish (a bound of
 * the spectrum that is none, a stall) is finished by linear_solve.
 * ERR_NUMERIC, as from linear_solve, for the first column that turns out to have no solution: *failed, else -1. Columns
 * that are not done then have reason LINEAR_MAX_ITERATIONS and what x is there. One column alone is linear_solve to the
 * bit. */
Status linear_solve_many(LinearMany *many, const double *b, double *x, int32_t k, LinearReport *report,
                         int32_t *failed);
