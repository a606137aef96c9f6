/* Motion in time by modes: u = u0 + sum of q_k x_k and what the others do at rest, each q_k followed exactly where loads
 * and supports go straight over a step. docs/theory/dynamics.md. */
#pragma once
#include "app/run/run.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "solver/time/problem.h"

typedef struct TransientModes TransientModes;
typedef struct TransientModesParams {
  Elasticity *elasticity; /* borrowed, as all */
  ElasticityMass *mass;
  Mat *k; /* K and M with their values */
  const Mat *m;
  const double *u, *velocity; /* on the Exec, at the start; NULL: 0 */
} TransientModesParams;
/* *out is there for transient_modes_destroy also after an error. */
Status transient_modes_create(Run *run, const TransientModesParams *params, LinearParams *linear, TransientModes **out);
/* Accepts NULL, sets NULL. */
void transient_modes_destroy(TransientModes **modes);
/* Finds the modes; begin, advance, states and their saving into a problem. */
Status transient_modes_solve(TransientModes *modes, Problem *problem);
/* Motion at the time reached, on the Exec. At the start u is as given. */
Status transient_modes_fill(TransientModes *modes, double *u, double *velocity, double *acceleration);
