/* Facets with springs, dashpots, or with convection, as blocks of one kind of element each. */
#pragma once
#include "assembly/space/element_set.h"

struct LoadPoint;

/* What is stored of the block of a pair of nodes: its diagonal; where springs go along normals or lines, what is off it too, of r < c
 * number size + r + c - 1, of a symmetric block; or all of it by rows, of the pair (a, b) with a <= b. */
typedef enum SpringForm { SPRING_DIAGONAL, SPRING_SYMMETRIC, SPRING_WHOLE } SpringForm;
static inline int32_t spring_numbers(int32_t size, SpringForm form) {
  return form == SPRING_WHOLE ? size * size : size + (form == SPRING_SYMMETRIC ? size * (size - 1) / 2 : 0);
}

/* Springs on facets of one kind: kappa[n][pairs][spring_numbers(dim, form)] = int k_c N_a N_b dA on the diagonal, or int k n_r n_c N_a N_b
 * dA of those along the normal n, times thickness in 2D. */
typedef struct SpringBlock {
  const ElementType *type;
  int32_t n;
  SpringForm form;
  bool between;      /* springs between two nodes, which hold neither of them on their own */
  int32_t *nodes;    /* owned, [n][n_node] */
  double *kappa;     /* owned; NULL: a block with points */
  double *viscosity; /* the same of dashpots, by velocities; NULL: there are none */
  double *inertia;   /* the same of masses, by accelerations; NULL: there are none */
  /* Of pressure that follows its facets, whose forces and matrices are made elsewhere: */
  int32_t n_q;
  struct LoadPoint *point; /* owned, [n][n_q] */
} SpringBlock;

typedef struct SpringNumbers {
  SpringForm form;
  bool viscous, inert;
} SpringNumbers;
/* Room for count[kind] facets of each kind with dim directions, n = 0: a block per kind that there is, from
 * block[0] on. ERR_MEMORY; whatever comes, spring_blocks_release puts it away. */
Status spring_blocks_create(const int64_t count[N_ELEMENT_KINDS], int32_t dim, SpringNumbers numbers, const char *what,
                            SpringBlock *block, int32_t *n_block);
/* Does node a of facet e resist along row r of its block? Then d is the direction of that row. */
bool spring_direction(const SpringBlock *block, int64_t e, int64_t a, int32_t dim, int32_t r, double d[3]);
void spring_blocks_release(SpringBlock *block, int32_t *n_block);
