/* Rigid groups that turn, of a body in motion (rigid_group.h). Their nodes go on paths that are bent, so that velocities, accelerations
 * and forces of these nodes are none of a few unknowns: vectors say them at all nodes of groups. docs/theory/dynamics.md. */
#pragma once
#include "assembly/elasticity/elasticity.h"

/* Are there some? */
bool elasticity_has_turning(const Elasticity *elasticity);
/* From now on vectors of elasticity_mass_force, elasticity_viscous_force and their like say all of these nodes. ERR_MEMORY. */
Status elasticity_keep_turning(Elasticity *elasticity);
/* What acts on groups, from now on that of a time, and their loads as they were. ERR_INPUT: it is not finite. */
Status elasticity_rotate_at_time(Elasticity *elasticity, double time);
/* u of unknowns that depend, by the others and what acts on groups now; and d, of small changes
 * from there. */
Status elasticity_rotate(Elasticity *elasticity, double *u);
Status elasticity_rotate_along(Elasticity *elasticity, double *d);
/* r = T^T r of the u last asked for; and raw forces in the global frame, to the solver's, with those of supports as
 * they are, and those of groups after elasticity_keep_turning. */
Status elasticity_rotate_reduce(Elasticity *elasticity, double *r);
Status elasticity_reduce_others(Elasticity *elasticity, double *r);
/* to = from at all nodes of groups. */
Status elasticity_rotate_take(const Elasticity *elasticity, const double *from, double *to);
/* Where groups are at a time and u, which becomes that everywhere. */
Status elasticity_rotated_places(Elasticity *elasticity, double time, double *u, RigidPlace *place);
/* Bases of groups are others; and so are slots, and with them equations and the pattern: elasticity_bind and
 * elasticity_load_at_time come next. Not beside contact that slides. */
Status elasticity_rotate_renew(Elasticity *elasticity);
Status elasticity_rotate_again(Elasticity *elasticity, const ElasticityParams *params);
/* The group whose turn is found from displacements that has turned farthest from its base, in degrees, when last asked for; NULL: there
 * is none. */
Status elasticity_turned_most(const Elasticity *elasticity, double *degrees, const char **where);
