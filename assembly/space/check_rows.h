/* Row kernel that finds inverted elements; rows are the elements of a block. */
#pragma once
#include "core/hd.h"

typedef struct CheckInvertedArgs {
  int32_t n_node, dim, n_q, in_space; /* in_space: surfaces, of which those without area are bad */
  const int32_t *nodes;               /* as in SpaceBlock */
  int64_t node_a, node_e;
  const double *x;  /* [n_node of the space][3] */
  const double *dN; /* [n_q][n_node][dim] */
  double *n;        /* [1]: how many have a point where det J is not positive */
} CheckInvertedArgs;

/* The area of the two columns of J, squared. */
HD double check_area(const double J[3][3]) {
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double part = J[j][0] * J[k][1] - J[k][0] * J[j][1];
    square += part * part;
  }
  return square;
}

HD void check_inverted_body(const CheckInvertedArgs *s, int64_t e, double sum[]) {
  int bad = 0;
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * s->n_node * s->dim;
    double J[3][3] = {{0}};
    for (int a = 0; a < s->n_node; ++a) {
      const double *x = s->x + 3 * (int64_t)s->nodes[a * s->node_a + e * s->node_e];
      for (int i = 0; i < s->dim + s->in_space; ++i)
        for (int j = 0; j < s->dim; ++j) J[i][j] += x[i] * dN[a * s->dim + j];
    }
    const double det = s->in_space   ? check_area(J)
                       : s->dim == 2 ? J[0][0] * J[1][1] - J[0][1] * J[1][0]
                                     : J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) +
                                           J[0][1] * (J[1][2] * J[2][0] - J[1][0] * J[2][2]) +
                                           J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
    if (!(det > 0)) bad = 1;
  }
  sum[0] += bad;
}
HD void check_inverted_finish(const CheckInvertedArgs *s, const double sum[]) { *s->n = sum[0]; }
