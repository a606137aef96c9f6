/* Heart and torso as a conductor at rest: div(sigma grad phi) = -div(sigma_i grad V) with sigma_i + sigma_e in the heart,
 * the conductivity of its groups in the torso, no current through the surface (Potse et al. 2006, IEEE Transactions on
 * Biomedical Engineering 53, 2425-2435, eq. 5: the elliptic part of the bidomain equations). Without a torso, of the heart
 * alone. */
#pragma once
#include "app/monodomain/setup_heart.h"
#include "solver/krylov/linear_many.h"
#include "solver/krylov/warm.h"

typedef struct Conductor Conductor;
/* Of a heart alone, without a torso, electrodes and trees, whose ranks work on it together: mesh and setup are those of a rank, vectors
 * [rows of the rank], with its halo where they are read, and sums go over the parts. With one rank, nodes NULL, too: the same bits. */
typedef struct ConductorShare {
  const NodeShare *nodes;
  const SumParts *parts;
  int32_t held; /* the node that all ranks hold, in this mesh; -1: it is not there */
} ConductorShare;
/* Assembled, with its solver set up for about n_solve solves; the conductivities of all tissues are given, their tensors
 * are made. mesh and setup outlive it. share NULL: nobody shares it. */
Status conductor_create(Exec *exec, const Case *c, const Mesh *mesh, const Setup *setup, int32_t n_solve,
                        const ConductorShare *share, Conductor **out);
/* conductor_tensors.c: tensors of all elements of the body, inside and outside of the cells together, and inside of those of the
 * heart, both owned by the caller whatever comes. ERR_MESH, ERR_INPUT: fibres of a torso, as fiber_tensors. */
Status conductor_tensors(const Case *c, const HeartSetup *own, const Mesh *heart, const Mesh *body,
                         double (**tensor)[6], double (**intra)[6]);
/* From now on each solve for a potential of the heart begins at what the last ones say (warm.h), which is kept in *warm, of the
 * conductor, by *n rows, without any yet: a run that goes on has the same bits once its state is as it was. ratio: of conductivities
 * inside of the cells and in all; where it is one everywhere the potential is -ratio V. */
Status conductor_continue(Conductor *conductor, double ratio, Warm **warm, int64_t *n);
/* The mean of the potential is 0 over the heart from now on, in place of heart and torso. */
Status conductor_mean_over_heart(Conductor *conductor);
/* A copy of a matrix of the heart as accurate as the solves are, with fewer bytes (tiled.h); *out NULL: none pays. */
Status conductor_near(const Conductor *conductor, const Mat *a, Mat **out);
/* Electrodes are on or off as in the moment after this time, ms. */
Status conductor_set_time(Conductor *conductor, double time);
void conductor_destroy(Conductor **conductor);
/* Solves and iterations so far. */
void conductor_work(const Conductor *conductor, int64_t *solves, int64_t *iterations);
/* A current of 1 that goes in at one electrode and out at the other; negative NULL: where the potential is 0 by `reference`, over which it is
 * spread where that is a mean. */
typedef struct ConductorPair {
  const Electrode *positive, *negative;
} ConductorPair;
/* weight[n_pair][n_node of the heart], mesh order: the potential between the electrodes is sum_a weight_a V_a, in the unit of
 * V, with weight = -K_i z, K z = the current (reciprocity), and shock[n_pair][HeartSetup.n_shock] that an electrode of the bidomain adds while
 * it is on, mV. ERR_NUMERIC: not converged. */
Status conductor_leads(Conductor *conductor, int32_t n_pair, const ConductorPair *pair, double *weight, double *shock);
/* phi of V and of the electrodes that are on, both on the Exec by rows of the heart's system; where no electrode holds it, it is 0 at
 * the node of `reference`, or its mean by volume over heart and torso. ERR_NUMERIC: not converged. */
Status conductor_potential(Conductor *conductor, const double *V, double *phi);
/* The same as a part of a loop on the Exec, which no host looks at. Before the loop, not recorded; *made is another number where what was
 * recorded before is void: */
bool conductor_can_record(const Conductor *conductor);
Status conductor_record_prepare(Conductor *conductor, int32_t *made);
/* Recordable: where it does not converge, *stop becomes `end` if it is 0, and conductor_failed() on the Exec is not 0. */
Status conductor_record(Conductor *conductor, const double *V, double *phi, int32_t *stop, int32_t end);
const int32_t *conductor_failed(const Conductor *conductor);
/* Behind the loop: where the last solve did not converge, phi by the ordinary way, and *mended. */
Status conductor_recorded(Conductor *conductor, double *phi, bool *mended);
/* The same on the host, at all nodes of heart and torso: V [n_node of the heart] and phi [n_node of both], mesh order. */
Status conductor_body(Conductor *conductor, const double *V, double *phi);
