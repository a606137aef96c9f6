/* Where `solver: {method: auto}` may take a direct solver, at first or when conjugate gradients fail (LinearParams.spare). */
#pragma once
#include "algebra/mat.h"
#include "algebra/pattern.h"
#include "app/run/run.h"

/* Nothing in the case speaks for or against it, and it would work. */
bool run_may_factor(const Run *run, const Mat *a, const LinearParams *linear);
/* The solver of this matrix is given what a factor needs; the pattern lives as long as it does. Nothing where the case names the most
 * iterations, which are the end then. For a matrix that run_may_factor allows. */
void run_spare(const Run *run, const Pattern *pattern, LinearParams *linear);
