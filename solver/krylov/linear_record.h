/* A solve as a part of a loop on an Exec, as of the steps of a run in time: recorded, with no number of it on the host. */
#pragma once
#include "solver/krylov/linear.h"
#include "solver/krylov/pcg_rows.h"

/* Whether that can be: LinearParams.at_once, and no numbering, border or refinement of its own. */
bool linear_can_record(const LinearSolver *solver);
/* Not recorded, before each run of what is recorded: the iteration of solves into x. *made: how often it was made; where that is another
 * number than at the recording, this is void. */
Status linear_record_prepare(LinearSolver *solver, double *x, int32_t *made);
/* Recordable: A x = b from where x is, with the true residual at its end, all of it added to *tally on the Exec. Where that is more than
 * rtol, *stop becomes `end` if it is 0; x and b are then what linear_solve may go on with. */
Status linear_record(LinearSolver *solver, const double *b, PcgTally *tally, int32_t *stop, int32_t end);
/* A as products inside of the solve take it, off by no more than what that allows (pcg_draw_near). */
const Mat *linear_recorded_matrix(const LinearSolver *solver);
/* Another matrix in the same way, for as long as it lives; *out NULL: as it is. */
Status linear_record_near(const LinearSolver *solver, const Mat *other, Mat **out);
/* LinearParams.tiles: whether they make solves with this matrix faster. */
bool linear_tiles_pay(const Mat *a);
/* b - A x of the solve that was recorded last, [rows] on the Exec until the next one. */
const double *linear_recorded_residual(const LinearSolver *solver);
/* The same of any x behind a solve, not recorded: put there. */
Status linear_form_residual(LinearSolver *solver, const double *b, const double *x);
