/* Fibres by rule: the Laplace-Dirichlet rule-based algorithm (Bayer, Blake, Plank, Trayanova, Ann. Biomed. Eng. 40,
 * 2243-2254, 2012), for the left ventricle alone and for both. Solutions of Laplace's equation between the surfaces, by
 * our own diffusion and solver, give an apicobasal and a transmural direction at every node. With the depth in the wall
 * the fibre turns linearly from alpha_endo to alpha_epi about the transmural direction, the sheet from beta_endo to
 * beta_epi about the fibre; ldrb.c says where that is not the paper to the letter. */
#pragma once
#include "core/exec.h"
#include "mesh/mesh.h"

/* Groups are surfaces of a volume mesh. Angles in degrees; alpha is that from the direction around the ventricle
 * (counter- clockwise seen from the base) towards the base, beta that from the outward direction of the wall. */
typedef struct LdrbParams {
  const Mesh *mesh;      /* borrowed */
  const Group *lv, *epi; /* endocardium of the left ventricle; epicardium */
  const Group *rv;       /* endocardium of the right ventricle; NULL: the left one alone */
  const Group *base;     /* where the ventricles are cut off; NULL: `axis` must be given */
  const Group *apex;     /* of any dimension; NULL: the node of epi that is farthest from the middle of the base */
  double axis[3];        /* from apex to base; used instead of the apicobasal solution where `base` is NULL: faces of
                            * epi that look along it, within 45 degrees, then count as base, not as epicardium */
  double alpha_endo, alpha_epi, beta_endo, beta_epi;
  double septum
      [3]; /* from the middle of the left ventricle; zero: towards the endocardium of the right one, if there is one */
} LdrbParams;
LdrbParams ldrb_params_default(void); /* 60, -60, -65, 25 degrees; the rest zero */

/* On the host, [n_node], owned. Zero at nodes without a solved element. */
typedef struct LdrbFields {
  double (*fiber)[3], (*sheet)[3]; /* unit, at right angles; the sheet lies across the wall where beta is 0 */
  double *transmural;              /* 0 at the endocardia, 1 at the epicardium */
  double *apicobasal;              /* 0 at the apex, 1 at the base */
  double *rotational, *segment;    /* segments.h; NULL: it is not known where the septum is */
} LdrbFields;

/* Works on `exec`; on a CPU Exec the same bits for any number of threads. ERR_INPUT: groups of the wrong dimension,
 * empty, or off the body; a surface none of whose nodes is left to it; neither base nor axis, or both; a part of the
 * body that touches no surface. ERR_MESH: no volume mesh. ERR_NUMERIC: a solve that does not converge. ERR_MEMORY.
 * Nodes that an endocardium shares with the epicardium belong to the endocardium; faces of `epi` whose nodes are all on
 * the base count as base. */
Status ldrb_create(Exec *exec, const LdrbParams *params, LdrbFields *out);
void ldrb_release(LdrbFields *fields);
/* The same fields of n_node nodes. */
Status ldrb_copy(const LdrbFields *from, int64_t n_node, LdrbFields *out);
