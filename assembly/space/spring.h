/* Facets with springs, dashpots, or with convection, as blocks of one kind of element each. */
#pragma once
#include "assembly/space/element_set.h"

struct LoadPoint;

/* Numbers of a pair of nodes: the diagonal of its block and, where springs go along normals (full), what is off it: of r < c number
 * size + r + c - 1. */
static inline int32_t spring_numbers(int32_t size, bool full) { return size + (full ? size * (size - 1) / 2 : 0); }

/* Springs on facets of one kind: kappa[n][pairs][spring_numbers(dim, full)] = int k_c N_a N_b dA on the diagonal, or int k n_r n_c N_a N_b
 * dA of those along the normal n, times thickness in 2D. */
typedef struct SpringBlock {
  const ElementType *type;
  int32_t n;
  bool full;
  int32_t *nodes;    /* owned, [n][n_node] */
  double *kappa;     /* owned; NULL: a block with points */
  double *viscosity; /* the same of dashpots, by velocities; NULL: there are none */
  /* Of pressure that follows its facets, whose forces and matrices are made elsewhere: */
  int32_t n_q;
  struct LoadPoint *point; /* owned, [n][n_q] */
} SpringBlock;

/* Room for count[kind] facets of each kind with dim directions, n = 0: a block per kind that there is, from
 * block[0] on. ERR_MEMORY; whatever comes, spring_blocks_release puts it away. */
Status spring_blocks_create(const int64_t count[N_ELEMENT_KINDS], int32_t dim, bool full, bool viscous,
                            const char *what, SpringBlock *block, int32_t *n_block);
/* Does node a of facet e resist along row r of its block? Then d is the direction of that row. */
bool spring_direction(const SpringBlock *block, int64_t e, int64_t a, int32_t dim, int32_t r, double d[3]);
void spring_blocks_release(SpringBlock *block, int32_t *n_block);
