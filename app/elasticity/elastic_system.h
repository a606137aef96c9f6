/* What the runs of elasticity have in common between setup and solve: the equation on what a rank has, its matrices and
 * its solver. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "assembly/elasticity/elasticity_mass.h"

/* Rank 0 checks the whole, then each rank makes the equation on its share from what the setup's params say. */
Status elastic_equation(Run *run, Setup *whole, Elasticity **out);
/* A matrix as the case wants it, to which the equation is bound; the report gets its size and format. */
Status elastic_matrix(Run *run, Elasticity *elasticity, Mat **out);
/* *parts are those of sums in the solve. */
Status elastic_solver(Run *run, Elasticity *elasticity, Mat *a, LinearParams *linear, const SumParts **parts,
                      LinearSolver **out);
/* The same, or a direct solver where `method: auto` takes one, on the CPU: for thin bodies, and where pressure follows a
 * surface whose rim is free. */
Status elastic_solver_or_direct(Run *run, Elasticity *elasticity, Mat *a, LinearParams *linear, bool free_rim,
                                const SumParts **parts, LinearSolver **out);
/* A hierarchy where nothing is asked for: what grows with the mesh is paid for each vector in each turn. */
void elastic_prefer_hierarchy(const Elasticity *elasticity, const Mat *a, LinearParams *linear);
/* amg whose last level, which is solved exactly, is all there is; false, and nothing: there are too many rows for that. */
bool elastic_solve_exactly(LinearParams *linear, int64_t rows);
/* Up to as many rows as amg allows, for where all else has failed. */
bool elastic_solve_exactly_at_last(LinearParams *linear, int64_t rows);
/* The same for modes, which take a stronger one where the body keeps its volume nearly. */
void elastic_prefer_for_modes(const Elasticity *elasticity, const Mat *a, LinearParams *linear);
/* Whether the preconditioner is one with levels, or may become one by that. */
bool elastic_may_have_levels(const LinearParams *linear);
/* By the densities of the case; uniform: all are 1, as buckling needs, where mass says which unknowns are free. */
Status elastic_mass(const Case *c, Elasticity *elasticity, bool uniform, ElasticityMass **out);
/* modal_prestress.c: to -= what centrifugal loads grow by at the time. */
Status elastic_turning_subtract(ElasticityMass *mass, double time, Mat *to);

/* Stiffness, mass and dashpots, which are combined in a matrix. */
typedef struct ElasticOperators {
  ElasticityMass *mass; /* owned, as are the next */
  int64_t n_value;
  Mat *K, *M, *C; /* 0 at first; C of dashpots, NULL: there are none on any rank */
} ElasticOperators;
/* For a matrix that the equation is bound to. Whatever comes, release follows. */
Status elastic_operators_create(Run *run, Elasticity *elasticity, const Mat *a, ElasticOperators *out);
/* Fills them; u is the displacement, on the Exec. */
Status elastic_operators_assemble(Elasticity *elasticity, const double *u, const ElasticOperators *of);
/* to = stiffness K + mass M + viscous C. */
Status elastic_operators_combine(const ElasticOperators *of, double stiffness, double mass, double viscous, Mat *to);
void elastic_operators_release(ElasticOperators *of);
