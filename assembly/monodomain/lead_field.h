/* Pseudo-ECG: what an electrode far from the heart sees of the currents in it, without solving for the body around. */
#pragma once
#include "mesh/mesh.h"

/* The potential at `electrode` of the sources -D grad V in an unbounded homogeneous medium (Gima and Rudy 2002,
 * Circulation Research 90, 889-896, eq. 1, where the conductivities are left out),
 *   phi = -1/(4 pi) int D grad V . grad (1/r) dV = sum_a weight[a] V_a,   r = |x - electrode|
 * positive while a front comes nearer. Adds factor times its weights to weight[n_node], mesh order. tensor[n_solved] and
 * thickness[n_solved] (NULL: 1) as in DiffusionParams. ERR_INPUT: the electrode is at an integration point of the tissue. */
Status lead_field_add(const Mesh *mesh, const double (*tensor)[6], const double *thickness, const double electrode[3],
                      double factor, double *weight);
