/* Surfaces of different meshes that move as one: weights of the dual mortar method (Wohlmuth, A mortar finite element
 * method using dual spaces for the Lagrange multiplier, SIAM Journal on Numerical Analysis 38, 2000). Each node of the one
 * surface gets an equation in nodes of the other one, such that a constant pressure passes exactly. docs/theory/mortar.md. */
#pragma once
#include "core/exec.h"
#include "mesh/mesh.h"
#include "mesh/tie_reach.h"

typedef struct MortarParams {
  Exec *exec; /* where it works; NULL: on the CPU, with all threads */
  const Mesh *mesh;
  const Group *on, *to; /* of facets; nodes of the first one come to depend */
  bool axisymmetric;
  double reach; /* the largest distance between the two, 0: TIE_REACH of the size of the facets */
  /* of surfaces that touch: */
  const double *outward[2]; /* [on->n], [to->n] of their facets (Facet.outward): only facets that look at each other are
                               opposite; NULL: all are */
  bool dual; /* rows of functions N' that corners of quadratic faces have a share of, in place of those of nodes */
} MortarParams;

/* u(node[i]) = sum over k in start[i] ... start[i + 1) of weight[k] u(master[k]); weights of a row add up to 1. A master is a
 * node of the other surface, or one of the same that is not tied. */
typedef struct MortarTie {
  int32_t n;
  int32_t *node;            /* owned, [n] ascending, nodes of the mesh, as are all here */
  double *area;             /* owned: of a pressure of 1 the force that passes through the equation */
  double (*offset)[3];      /* owned, from where its masters say that it lies to where it lies */
  uint8_t *shared;          /* owned: a node of the other surface too, whose place needs no equation */
  int64_t *start;           /* owned, [n + 1] */
  int32_t *master;          /* owned, ascending in a row */
  double *weight;           /* owned */
  int64_t *near_start;      /* owned, [n + 1]: of other items on the same facets, */
  int32_t *near;            /* owned */
  int32_t (*corner)[2];     /* owned: of a row of N' in the middle of an edge its ends, else -1; NULL unless `dual` */
  double *opposite;         /* owned, [facets of `on`]: area with something opposite, of their own area 1 */
  double size;              /* mean of the facets of `on` */
  double other_size;        /* and of `to` */
  int32_t n_node;           /* nodes of `on` */
  int64_t n_pair;           /* pairs of facets with an area in common */
  int32_t n_loose, loose;   /* those with nothing opposite, and one of them */
  int32_t n_far, far;       /* facets too far away, and a node of the farthest */
  double gap, allowed;      /* its distance, and what would do */
  int32_t n_folded, folded; /* facets with several layers of the other side opposite, and a node */
  int32_t n_warped, warped; /* facets that could not be projected, and a node */
} MortarTie;
Status mortar_create(const MortarParams *params, MortarTie *out);
void mortar_release(MortarTie *tie);
