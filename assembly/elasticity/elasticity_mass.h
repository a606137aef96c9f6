/* The mass matrix of elasticity, M_ab = int rho N_a N_b dV I (consistent, by the mass rule of the element; in 2D times
 * thickness): Zienkiewicz and Taylor, The Finite Element Method, volume 1, chapter on dynamics.
 * docs/theory/harmonic.md. */
#pragma once
#include "assembly/elasticity/elasticity.h"

typedef struct ElasticityMass ElasticityMass;

/* density [n_material of the elasticity], mass per volume; where that of a material varies, the elasticity has it. The
 * elasticity is borrowed and outlives it. */
Status elasticity_mass_create(Elasticity *elasticity, const double *density, ElasticityMass **out);
/* Accepts NULL, sets NULL. */
void elasticity_mass_destroy(ElasticityMass **mass);
/* values <- M in the slots of elasticity_bind, rows and columns of supported unknowns zero, their diagonal too. ERR_BUG
 * before that. Recordable. */
Status elasticity_mass_matrix(ElasticityMass *mass, double *values);
/* r = -M u with all of u, zero at supported unknowns; vectors as in elasticity_residual. Recordable. */
Status elasticity_mass_residual(ElasticityMass *mass, const double *u, double *r);
/* to = stiffness K + mass M of arrays with n entries on the Exec. Recordable. */
Status elasticity_combine(Exec *exec, int64_t n, double stiffness, const double *K, double mass, const double *M,
                          double *to);
/* int rho dV: what the body weighs, from the geometry of the elements. */
Status elasticity_mass_total(ElasticityMass *mass, double *out);
