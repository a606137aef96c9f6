/* Inside of Elasticity: cavities behind facets that pressure follows. The volume behind facets with the normal n that
 * points out of the body is, by the divergence theorem,
 *   V = -int w . n,   w_i = along_i (x_i - x0_i),   div w = 1,
 * where w is tangential to the planes that close the surface, so that they take no part; dV/du is then the force of a
 * pressure of 1 (Bonet and Wood 2008, section 9.3). */
#pragma once
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/rim.h"

/* ---- cavity.c ---- */
Status cavities_create(Elasticity *p);
void cavities_release(Elasticity *p);
/* Pressures on all facets from those that are known and those in cavities. */
Status cavities_press(Elasticity *p);
/* ---- lid.c ---- */
/* Adds the lids of cavity i, over these edges, sorted: p->rims. ERR_INPUT: there are too many of them. */
Status lids_find(Elasticity *p, int32_t i, int64_t n, const RimEdge *open);
/* p->rims become these. */
Status lids_take(Elasticity *p, const LidRims *rims);
Status lids_create(Elasticity *p);
void lids_release(Elasticity *p);
/* What lids have of the volume of a cavity, added; u in the global frame, as below. */
Status lids_volume(const Elasticity *p, int32_t cavity, const double *u, double *volume);
/* out += factor times the derivative of that; of all cavities (-1) times their pressures. v: of what that changes by along v; NULL: of itself.
 * out stays where fixed. */
Status lids_force(const Elasticity *p, int32_t cavity, double factor, const double *u, const double *v,
                  const uint8_t *fixed, double *out);
/* ---- cavity_rim.c ---- */
/* What closes each of them: p->cavity; where ranks share, as `params` says. ERR_INPUT: nothing does; a facet that another pressure or
 * volume acts on. */
Status cavities_close(Elasticity *p, const ElasticityParams *params);
