/* Increments of a problem with multipliers that follow u (MultiplierPart.eliminate): the linear system of both in a step of Newton's
 * method, solved with the tangent that holds multipliers fixed (outer.h), and multipliers along the step. Vectors as in problem.h. */
#pragma once
#include "solver/time/problem.h"

typedef struct Multipliers Multipliers;
/* All is borrowed: of a border (linear_set_border) the vectors g too. Takes all memory. */
Status multipliers_create(Exec *exec, const Problem *problem, const Mat *a, LinearSolver *solver, double *const *g,
                          Multipliers **out);
void multipliers_destroy(Multipliers **multipliers);
/* du [mat_columns] in: where to begin, out: the increment; r: the residual there. With the tangent at u; gap and factor as in outer_solve.
 * ERR_NUMERIC: none that leaves less than r; one that leaves more than rtol of it, since A is not positive definite for all steps, is OK. */
Status multipliers_increment(Multipliers *multipliers, double rtol, const double *u, const double *r, const double *gap,
                             double *du, double *factor, LinearReport *report);
/* From what they are now multipliers go so much of the last increment; `start`: from now on that is where they are. */
Status multipliers_start(Multipliers *multipliers);
Status multipliers_go(Multipliers *multipliers, double length);
