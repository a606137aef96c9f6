/* Row kernels of the mass matrix of elasticity. An element's pair of nodes has one number, m_ab = int rho N_a N_b dV,
 * by the kernels of diffusion (diffusion_rows.h); here it becomes the block m_ab I of the matrix. Compiled by gcc and
 * nvcc. */
#pragma once
#include "assembly/space/gather_rows.h"

/* As gather_block, with one scalar per pair, which is its own transpose. */
HD void mass_gather(const int size, const BlockGatherArgs *s, const int64_t row) {
  const int64_t warp = row >> 5, end = s->start[warp + 1];
  double sum = 0;
  for (int64_t k = s->start[warp] + (row & 31); k < end; k += 32) {
    const uint32_t entry = s->entry[k];
    if (entry == GATHER_NONE) break;
    sum += s->K[entry & GATHER_INDEX];
  }
  if (s->per_scalar) {
    for (int c = 0; c < size * size; ++c) s->values[s->slot[c * s->n_row + row]] = c % (size + 1) == 0 ? sum : 0;
    return;
  }
  const int64_t step = s->row_step ? s->row_step[row] : s->step;
  double *to = s->values + s->slot[row];
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) to[r * step + c * s->column_step] = r == c ? sum : 0;
}
HD void mass_gather_2_body(const BlockGatherArgs *s, int64_t i, double *sum) {
  (void)sum;
  mass_gather(2, s, i);
}
HD void mass_gather_3_body(const BlockGatherArgs *s, int64_t i, double *sum) {
  (void)sum;
  mass_gather(3, s, i);
}

/* One component of a vector by itself, and back. Rows are nodes. */
typedef struct MassComponentArgs {
  const double *from;
  double *to;
  int32_t size, component;
} MassComponentArgs;
HD void mass_take_body(const MassComponentArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->to[i] = s->from[i * s->size + s->component];
}
HD void mass_put_body(const MassComponentArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->to[i * s->size + s->component] = s->from[i];
}

/* to = stiffness K + mass M, slot by slot or row by row. */
typedef struct MassCombineArgs {
  double stiffness, mass;
  const double *K, *M;
  double *to;
} MassCombineArgs;
HD void mass_combine_body(const MassCombineArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->to[i] = s->stiffness * s->K[i] + s->mass * s->M[i];
}

/* Components with a support become 0. Rows are nodes. */
typedef struct MassFixedArgs {
  const uint8_t *fixed;
  double *v;
  int32_t size;
} MassFixedArgs;
HD void mass_fixed_body(const MassFixedArgs *s, int64_t i, double *sum) {
  (void)sum;
  for (int c = 0; c < s->size; ++c)
    if (s->fixed[i] >> c & 1) s->v[i * s->size + c] = 0;
}
