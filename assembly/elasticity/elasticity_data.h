/* What an Elasticity object holds. For the files of assembly/ only. */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "assembly/space/element_set.h"
#include "assembly/elasticity/free_motion.h"
#include "assembly/space/gather.h"
#include "assembly/elasticity/load.h"
#include "assembly/space/numbering.h"
#include "assembly/space/rows.h"
#include "assembly/elasticity/rows.h"
#include "assembly/elasticity/support.h"

/* Tables of one element block on the Exec, owned. */
typedef struct BlockTables {
  int32_t n_q;
  int32_t *nodes;    /* node a of element e at a node_a + e node_e (SetBlock) */
  double *dN;        /* [n_q][n_node][dim]; NULL for springs */
  double *weight;    /* [n_q]; NULL for springs */
  int32_t *material; /* [n]; NULL for springs */
  double *kappa;     /* springs only: [n][pairs][dim] */
} BlockTables;

struct Elasticity {
  Exec *exec;       /* borrowed */
  const Mesh *mesh; /* borrowed */
  ElasticModel model;
  int32_t dim;
  int64_t n_dof; /* mesh nodes * dim */
  /* host, owned; nodes and elements in the mesh's order except in numbering and pattern */
  ElementSet set;
  Incidence incidence;
  Numbering numbering;
  const ElementSet *solver_set;      /* view: that of the numbering, or the one above */
  const Incidence *solver_incidence; /* view */
  Pattern *pattern;
  Supports supports;
  Loads loads;
  BodyParts parts;
  int32_t n_material;
  ElasticConstants *constants; /* [n_material] */
  int32_t *material;           /* [n_solved], of equal materials the first */
  /* on the Exec, owned; all in the solver's order */
  BlockTables table[ELEMENT_SET_BLOCKS];
  double *x;                        /* [n_node][3] */
  ElasticConstants *exec_constants; /* [n_material] */
  double *external;                 /* [n_node][dim], global frame */
  double *f;                        /* [set.n_force] entries of dim components */
  double *work;                     /* [n_dof]; NULL where no node has a frame of its own */
  uint8_t *fixed;                   /* [n_node]; 0 at nodes with frames of their own */
  int32_t *frame_node;              /* [n_frame] */
  double *frame;                    /* [n_frame][3][3] */
  uint8_t *frame_fixed;             /* [n_frame] */
  Gather nodes;
  /* from elasticity_bind, on the Exec, owned; K is NULL before */
  Gather blocks;
  double *K; /* [set.n_pair] blocks of dim^2 */
  int64_t n_supported;
  SupportedBlock *supported; /* [n_supported] */
};

/* ---- elasticity_check.c ---- */
/* ERR_MESH: the mesh does not fit the model, inverted elements; ERR_INPUT: elements without material. */
Status elasticity_check_params(const ElasticityParams *params);
Status elasticity_check_elements(const Mesh *mesh, const ElementSet *set);
/* ---- elasticity_tables.c ---- */
Status elasticity_upload(Elasticity *p);
void elasticity_release_tables(Elasticity *p);
/* Reference gradients dN[n_q][n_node][dim] of a rule, in the way kernels read them; *dN is allocated on the host. */
Status reference_gradients(const ElementType *type, const Quadrature *rule, double **dN);
/* ---- elasticity_apply.c ---- */
/* raw[n_dof] = f_ext - f_int(u) with nothing set to zero, u and raw in the global frame. */
Status elasticity_force_balance(Elasticity *p, const double *u_global, double *raw, const uint8_t *fixed);
/* ---- recover_stress.c ---- */
/* Fills the stress fields asked for from u[n_node][dim] (host, global frame). */
Status recover_stress(const Elasticity *p, const double *u, unsigned which, ElasticFields *out);
