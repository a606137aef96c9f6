/* What a Diffusion object holds. For the files of assembly/ only. */
#pragma once
#include "assembly/diffusion/diffusion.h"
#include "assembly/diffusion/rows.h"

/* What diffusion adds to a block of solved elements on the Exec, owned. */
typedef struct DiffusionTables {
  int32_t lumping;   /* what `lumped` means in this element */
  double *tensor;    /* [n][6] */
  double *capacity;  /* [n]; NULL: 1 */
  double *thickness; /* [n]; NULL: 1 */
} DiffusionTables;

struct Diffusion {
  Space *space; /* owned, one component */
  bool lumped, axisymmetric;
  double time; /* of diffusion_initial */
  /* host, owned, in the mesh's order */
  Supports supports;
  Loads loads;
  int32_t n_link; /* 0, or 1: */
  SpringBlock link[1];
  /* on the Exec, owned; all in the solver's order */
  DiffusionTables table[ELEMENT_SET_BLOCKS];
  /* from the first recovery on: numbers of nodes and elements in the mesh, NULL where they are the same; work */
  bool recovers;
  int32_t *mesh_node, *mesh_element[ELEMENT_SET_BLOCKS];
  double *loads_now, *unbalanced; /* [n_node] */
};

/* ---- diffusion_link.c ---- */
/* The links as a facet block of the space. ERR_INPUT. */
Status diffusion_links_create(Diffusion *p, const DiffusionParams *params);
/* ---- diffusion_check.c ---- */
Status diffusion_check_mesh(const Mesh *mesh, bool axisymmetric);
Status diffusion_check_params(const DiffusionParams *params, const ElementSet *set);
/* ERR_INPUT: a part of the body without support and convection. */
Status diffusion_check_held(const Diffusion *p);
/* ---- diffusion_apply.c ---- */
/* Block k of a space for kernels of one scalar per node: geometry, mass rule, and where vectors lie. */
DiffusionArgs diffusion_space_args(const Space *space, int32_t k);
/* f = -(lumped mass). */
Status diffusion_loads_of_mass(Diffusion *p, double *f);
/* The same with all that a diffusion problem has. */
DiffusionArgs diffusion_args(const Diffusion *p, int32_t k);
/* ---- diffusion_recover.c ---- */
void diffusion_recovery_release(Diffusion *p);
