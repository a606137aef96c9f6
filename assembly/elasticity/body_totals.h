/* What a body weighs and where: volume, mass, centre and inertia of all solved elements together. */
#pragma once
#include "assembly/elasticity/elasticity.h"

typedef struct BodyTotals {
  double volume, mass; /* a flat model times its thickness; an axisymmetric one all the way around */
  double center[3];    /* of mass; of volume where there is no mass */
  double inertia[6];   /* about the centre, xx yy zz xy yz xz: the integral of |d|^2 delta_ij - d_i d_j over the mass, d
                          from the centre; 0 without mass */
} BodyTotals;

/* By the rule of the mass matrix, in fixed order. ERR_MEMORY. */
Status elasticity_body_totals(const Elasticity *elasticity, BodyTotals *out);
