/* Facets with springs, dashpots, or with convection, as blocks of one kind of element each. */
#pragma once
#include "assembly/space/element_set.h"

struct LoadPoint;

/* Springs on facets of one kind: kappa[n][pairs][dim] = int k_c N_a N_b dA, times thickness in 2D. */
typedef struct SpringBlock {
  const ElementType *type;
  int32_t n;
  int32_t *nodes;    /* owned, [n][n_node] */
  double *kappa;     /* owned, [n][n_node (n_node + 1) / 2][dim]; NULL: a block with points */
  double *viscosity; /* the same of dashpots, by velocities; NULL: there are none */
  /* Of pressure that follows its facets, whose forces and matrices are made elsewhere: */
  int32_t n_q;
  struct LoadPoint *point; /* owned, [n][n_q] */
} SpringBlock;

/* Room for count[kind] facets of each kind with dim numbers per pair, n = 0: a block per kind that there is, from
 * block[0] on. ERR_MEMORY; whatever comes, spring_blocks_release puts it away. */
Status spring_blocks_create(const int64_t count[N_ELEMENT_KINDS], int32_t dim, bool viscous, const char *what,
                            SpringBlock *block, int32_t *n_block);
void spring_blocks_release(SpringBlock *block, int32_t *n_block);
