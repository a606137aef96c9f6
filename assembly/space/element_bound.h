/* A strict upper bound of the spectrum from element matrices (Fried 1972; Irons and Treharne 1971; Wathen 1987): with
 * A = sum A_e, D = sum D_e and D_e the diagonal of A_e, or its diagonal blocks, lambda_max(D^-1 A) is at most the
 * largest lambda_max(D_e^-1 A_e) of all elements. Supports only take rows and columns away, which makes no eigenvalue
 * larger. Whatever the contrast of materials, an element is compared with itself. */
#pragma once
#include "assembly/space/element_set.h"
#include "core/exec.h"

/* Element matrices as elasticity and diffusion hold them on their Exec, and how they are scaled. */
typedef struct ElementMatrices {
  const ElementSet *set;
  const double *K; /* scalar c of pair block k: K[k block_step + c scalar_step] */
  int64_t block_step, scalar_step;
  int32_t size;                       /* scalars of a node */
  bool blocks;                        /* scaled by the diagonal blocks of nodes, else by the diagonal */
  int32_t *nodes[ELEMENT_SET_BLOCKS]; /* of the set's blocks on the Exec; read with frames only */
  const int32_t *frame_of;            /* on the Exec, [n_node of the set]: frame of a node or -1; NULL: none has one */
  const double *frame;                /* on the Exec, [n][3][3], columns = the node's own directions */
} ElementMatrices;

/* One number to the host: the largest bound of all elements, each within 3 % above its own largest eigenvalue, but at
 * least 1. INFINITY where an element has a diagonal that is not positive (zero is: a direction without stiffness) or
 * NaN. Takes memory of the Exec for the while; not recordable. ERR_MEMORY, ERR_GPU. */
Status element_bound(Exec *exec, const ElementMatrices *matrices, double *bound);
