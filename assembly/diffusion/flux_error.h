/* The error of a steady solution of diffusion, estimated by how far the flux of an element is from the smoother one that averages
 * at its nodes give (Zienkiewicz and Zhu, International Journal for Numerical Methods in Engineering 24, 1987, 337-357), in the norm
 * of the energy, int q . D^-1 q dV with q = -D grad u. Averages are of one material, since the flux along an interface jumps. */
#pragma once
#include "assembly/diffusion/diffusion.h"

typedef struct FluxErrorParams {
  const Mesh *mesh;          /* not a surface in space */
  const double (*tensor)[6]; /* [n_solved] as in DiffusionParams, as the next two */
  const double *thickness;   /* NULL: 1 */
  bool axisymmetric;
  const int32_t *material; /* [n_solved], from 0 on */
  int32_t n_material;
  const double *u; /* [n_node], in the mesh's order */
} FluxErrorParams;

/* share[n_solved]: the energy of the error by element, multiplied by what the true error was found to be of it (docs/adapt.md);
 * square: that of the flux. Host only. ERR_MEMORY. */
Status flux_error(const FluxErrorParams *params, double *share, double *square);
