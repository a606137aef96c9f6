/* What bench/rival/petsc_heart.c reads: the file of `sinew bench heart --dump` (bench/heart/heart_dump.c has its layout). */
#pragma once
#include <stdint.h>

enum { NODAL, GAUSS, SCHEMES };
enum { ALPHA, GAMMA, B, C, MU1, MU2, REST, AMPLITUDE, TIME, CELL_PARAMS };

typedef struct Input {
  int64_t n_node, n_elem, n_stimulated;
  double dt, rtol, reference, amplitude, duration, cell[CELL_PARAMS];
  double (*x)[3], (*D)[6]; /* xx yy zz xy yz xz */
  int32_t (*tet)[4], *stimulated;
  int64_t warm[SCHEMES], steps[SCHEMES]; /* steps 0: Sinew has not run it */
  double *V[SCHEMES];                    /* [n_node], after the last step */
} Input;

/* 1, or 0 where the file is not whole. Arrays are malloc's. */
int read_input(const char *path, Input *in);
