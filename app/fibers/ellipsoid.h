/* Fibres between two ellipsoids of revolution with one centre and one axis, by formula, as benchmarks of the left ventricle have them
 * (Land et al., Proc. R. Soc. A 471:20150641, 2015): radius and half length change linearly with the depth from one to the other,
 * and so does the angle alpha of the fibre from the direction around the axis towards the base. */
#pragma once
#include "app/fibers/ldrb.h"

typedef struct EllipsoidParams {
  double inner[2], outer[2]; /* radius, half length along the axis */
  double center[3], axis[3]; /* axis: from apex to base, of any length */
  double alpha_endo, alpha_epi, beta_endo,
      beta_epi; /* beta: of the sheet about the fibre, from the direction across the wall */
} EllipsoidParams;
EllipsoidParams ellipsoid_params_default(void); /* 60, -60 degrees, z; the rest zero */

/* 0 inside, 1 outside, and beyond on the other side of each; on the line of the axis too. */
double ellipsoid_depth(const EllipsoidParams *params, const double x[3]);
/* Rows of a frame at x: fibre, and sheet; the third is open. Beyond both ellipsoids angles are those of the nearer one. On the line of
 * the axis, where all directions are around it, one of them is taken. `params` is EllipsoidParams. */
void ellipsoid_at(const void *params, const double x[3], double R[9]);
/* As ldrb_create: at the nodes. */
Status ellipsoid_create(const EllipsoidParams *params, const Mesh *mesh, LdrbFields *out);
