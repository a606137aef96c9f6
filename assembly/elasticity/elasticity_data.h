/* What an Elasticity object holds. For the files of assembly/ only. */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "assembly/elasticity/rows.h"
#include "assembly/elasticity/free_motion.h"
#include "assembly/elasticity/load.h"
#include "assembly/space/space.h"
#include "assembly/elasticity/support.h"

struct Elasticity {
  Space *space; /* owned, dim components */
  ElasticModel model;
  int32_t dim;
  /* host, owned, in the mesh's order */
  Supports supports;
  Loads loads;
  BodyParts parts;
  int32_t n_material;
  ElasticConstants *constants; /* [n_material] */
  int32_t *material;           /* [n_solved], of equal materials the first */
  /* on the Exec, owned; all in the solver's order */
  int32_t *block_material[ELEMENT_SET_BLOCKS]; /* [n] of each solved block */
  ElasticConstants *exec_constants;            /* [n_material] */
  double *external;                            /* [n_node][dim], global frame */
  double *work;                                /* [n_dof]; NULL where no node has a frame of its own */
  uint8_t *fixed;                              /* [n_node]; 0 at nodes with frames of their own */
  int32_t *frame_node;                         /* [n_frame] */
  double *frame;                               /* [n_frame][3][3] */
  uint8_t *frame_fixed;                        /* [n_frame] */
};

/* ---- elasticity_check.c ---- */
/* ERR_MESH: the mesh does not fit the model; ERR_INPUT: elements without material. */
Status elasticity_check_params(const ElasticityParams *params);
/* ---- elasticity_tables.c ---- */
Status elasticity_upload(Elasticity *p);
void elasticity_release_tables(Elasticity *p);
/* ---- elasticity_apply.c ---- */
/* raw[n_dof] = f_ext - f_int(u) with nothing set to zero, u and raw in the global frame. */
Status elasticity_force_balance(Elasticity *p, const double *u_global, double *raw, const uint8_t *fixed);
/* Vectors between the global frame and those of the nodes that have one, in place; to_local: zero at supports there. */
Status elasticity_to_global(const Elasticity *p, double *v);
Status elasticity_to_local(const Elasticity *p, double *v);
/* ---- recover_stress.c ---- */
/* Fills the stress fields asked for from u[n_node][dim] (host, global frame). */
Status recover_stress(const Elasticity *p, const double *u, unsigned which, ElasticFields *out);
