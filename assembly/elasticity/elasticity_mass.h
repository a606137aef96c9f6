/* The mass matrix of elasticity, M_ab = int rho N_a N_b dV I (consistent, by the mass rule of the element; in 2D times
 * thickness): Zienkiewicz and Taylor, The Finite Element Method, volume 1, chapter on dynamics.
 * docs/theory/harmonic.md. */
#pragma once
#include "assembly/elasticity/elasticity.h"

typedef struct ElasticityMass ElasticityMass;

/* density [n_material of the elasticity], mass per volume; where that of a material varies, the elasticity has it. The
 * elasticity is borrowed and outlives it. */
Status elasticity_mass_create(Elasticity *elasticity, const double *density, ElasticityMass **out);
/* From now on elements with a reduced rule (hex20r, quad8r) have their mass by that too: what deforms them without
 * energy has no mass either, and so no frequency, but nor has M full rank. Vibrations are found with it, motion in time
 * without, which needs the acceleration of every unknown. */
void elasticity_mass_reduce(ElasticityMass *mass);
/* Accepts NULL, sets NULL. */
void elasticity_mass_destroy(ElasticityMass **mass);
/* values <- M in the slots of elasticity_bind, rows and columns of supported unknowns zero, their diagonal too. ERR_BUG
 * before that. Recordable. */
Status elasticity_mass_matrix(ElasticityMass *mass, double *values);
/* r = -M u at all nodes, also where fixed, in the global frame (elasticity_reduce). Recordable. */
Status elasticity_mass_force(ElasticityMass *mass, const double *u, double *r);
/* The same of velocities of all nodes in the global frame, whatever holds them. */
Status elasticity_mass_force_global(ElasticityMass *mass, const double *u, double *r);
/* v . M v / 2 with all of v; r, as of elasticity_mass_force, is written. Not recordable. */
Status elasticity_kinetic_energy(ElasticityMass *mass, const double *v, double *r, double *out);
/* The same of velocities of all nodes in the global frame, whatever holds them. */
Status elasticity_kinetic_energy_global(ElasticityMass *mass, const double *v, double *r, double *out);
/* r = -M u with all of u, zero at supported unknowns; vectors as in elasticity_residual. Recordable. */
Status elasticity_mass_residual(ElasticityMass *mass, const double *u, double *r);
/* values <- the geometric stiffness of the stress at the integration points, which the fields were recovered with
 * (FIELD_POINT_STRESS): K_ab = int grad N_a . sigma grad N_b dV I by the stiffness rule; rows and columns of supported
 * unknowns zero. Not around an axis. Zienkiewicz and Taylor, volume 2, chapter on stability. Not recordable. */
Status elasticity_geometric_matrix(ElasticityMass *mass, const ElasticFields *fields, double *values);
/* Whether a centrifugal load acts. */
bool elasticity_rotates(const Elasticity *elasticity);
/* values <- what centrifugal loads grow by as the body moves away from their axes, K_ab = int rho Omega^2 N_a N_b dV (I - a a^T)
 * over the groups of each at the time, less than which the body is stiff ("spin softening"; Geradin and Rixen, Mechanical Vibrations); rows and
 * columns of supported unknowns zero. Not recordable. */
Status elasticity_turning_matrix(ElasticityMass *mass, double time, double *values);
/* force += that times u, at all nodes in the global frame, without masses that are not elements'; r is written. Not recordable. */
Status elasticity_turning_forces(ElasticityMass *mass, double time, const double *u, double *r, double *force);
/* to = stiffness K + mass M of arrays with n entries on the Exec. Recordable. */
Status elasticity_combine(Exec *exec, int64_t n, double stiffness, const double *K, double mass, const double *M,
                          double *to);
/* int rho dV: what the body weighs, from the geometry of the elements; of several ranks, what own nodes do. */
Status elasticity_mass_total(ElasticityMass *mass, double *out);
