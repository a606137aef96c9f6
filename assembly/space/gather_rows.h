/* Row kernels that add element results into matrix slots and node vectors, and apply the supports.
 *
 * A gather map is a sparse matrix of ones in ELL-WARP form (K1): rows sorted by count, longest first; 32 consecutive
 * rows share a width and store their entries column-major, so that the lanes of a warp read side by side. Every row
 * adds its entries in a fixed order: no atomics, the same bits every time. */
#pragma once
#include "core/hd.h"

#define GATHER_NONE 0xFFFFFFFFu       /* padding behind a row's last entry */
#define GATHER_TRANSPOSED 0x80000000u /* top bit of an entry: add the transposed block */
#define GATHER_INDEX 0x7FFFFFFFu

/* Rows are the blocks of the pattern. A warp's entries are entry[start[w] .. start[w + 1]), w = row / 32. */
typedef struct BlockGatherArgs {
  const int64_t *start;
  const uint32_t *entry; /* index of an element pair block, GATHER_TRANSPOSED where the block is (b, a) */
  const double *K;       /* scalar c of block k: K[k * block_step + c * scalar_step] */
  int64_t block_step, scalar_step;
  double *values;          /* of the matrix format */
  const int64_t *slot;     /* of the row's scalar (0, 0); per_scalar: [n_row] for each scalar in turn */
  const int64_t *row_step; /* [n_row]; NULL: step[0] for all */
  int64_t n_row, step, column_step;
  int32_t per_scalar;
  int32_t add; /* to the values: they hold the sums of the elements before */
} BlockGatherArgs;

HD void gather_block(const int size, const BlockGatherArgs *s, const int64_t row) {
  const int64_t warp = row >> 5, end = s->start[warp + 1];
  const int64_t slot = s->per_scalar ? 0 : s->slot[row]; /* asked for now, needed at the end */
  const int64_t step = s->row_step ? s->row_step[row] : s->step;
  double sum[9] = {0};
  for (int c = 0; s->add && c < size * size; ++c)
    sum[c] =
        s->values[s->per_scalar ? s->slot[c * s->n_row + row] : slot + c / size * step + c % size * s->column_step];
  int64_t k = s->start[warp] + (row & 31);
  uint32_t next = k < end ? s->entry[k] : GATHER_NONE;
  while (next != GATHER_NONE) { /* the next entry is asked for before this one's block is waited for */
    const uint32_t entry = next;
    k += 32;
    next = k < end ? s->entry[k] : GATHER_NONE;
    const double *from = s->K + (int64_t)(entry & GATHER_INDEX) * s->block_step;
    const int64_t down = (entry & GATHER_TRANSPOSED) ? s->scalar_step : size * s->scalar_step;
    const int64_t right = (entry & GATHER_TRANSPOSED) ? size * s->scalar_step : s->scalar_step;
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c) sum[r * size + c] += from[r * down + c * right];
  }
  if (s->per_scalar) {
    for (int c = 0; c < size * size; ++c) s->values[s->slot[c * s->n_row + row]] = sum[c];
    return;
  }
  double *to = s->values + slot;
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) to[r * step + c * s->column_step] = sum[r * size + c];
}

/* The same for more than three components, to six. */
typedef struct LargeGatherArgs {
  BlockGatherArgs gather;
  int32_t size; /* components */
} LargeGatherArgs;

HD void gather_block_any_body(const LargeGatherArgs *r, int64_t row, double *unused) {
  (void)unused;
  const BlockGatherArgs *s = &r->gather;
  const int64_t warp = row >> 5, end = s->start[warp + 1], n = r->size * r->size;
  double sum[36] = {0};
  const int64_t slot = s->per_scalar ? 0 : s->slot[row], step = s->row_step ? s->row_step[row] : s->step;
  for (int64_t c = 0; s->add && c < n; ++c)
    sum[c] = s->values[s->per_scalar ? s->slot[c * s->n_row + row]
                                     : slot + c / r->size * step + c % r->size * s->column_step];
  for (int64_t k = s->start[warp] + (row & 31); k < end; k += 32) {
    const uint32_t entry = s->entry[k];
    if (entry == GATHER_NONE) break;
    const double *from = s->K + (int64_t)(entry & GATHER_INDEX) * s->block_step;
    const int turned = (entry & GATHER_TRANSPOSED) != 0;
    for (int i = 0; i < r->size; ++i)
      for (int j = 0; j < r->size; ++j)
        sum[i * r->size + j] += from[(turned ? j * r->size + i : i * r->size + j) * s->scalar_step];
  }
  if (s->per_scalar) {
    for (int64_t c = 0; c < n; ++c) s->values[s->slot[c * s->n_row + row]] = sum[c];
    return;
  }
  double *to = s->values + slot;
  for (int i = 0; i < r->size; ++i)
    for (int j = 0; j < r->size; ++j) to[i * step + j * s->column_step] = sum[i * r->size + j];
}

/* A block of the pattern with a prescribed component, or of a node that belongs to no element. Stored frames are
 * R[3][3], columns = the directions of the node's own components: u_global = R u. */
typedef struct PrescribedBlock {
  int32_t frame[2]; /* of the row and the column node; -1: the global one */
  uint8_t fixed[2]; /* bit c: component c of the row and the column node is prescribed */
  uint8_t diagonal;
} PrescribedBlock;

typedef struct PrescribedArgs {
  const PrescribedBlock *block;
  const int64_t *slot; /* [n][size^2], of each scalar of the blocks */
  const double *frame; /* [n][3][3] */
  double *values;
  double diagonal; /* of a prescribed component: 1, or 0 in a mass matrix */
  int32_t size;    /* scalars of a node */
} PrescribedArgs;

/* Rotates a block into the frames of its nodes, R_i^T K R_j, and eliminates: zero rows and columns, given diagonal. */
HD void prescribed_block(const int size, const PrescribedArgs *s, const int64_t row) {
  const PrescribedBlock *block = s->block + row;
  const int64_t *slot = s->slot + row * size * size;
  double K[9], T[9];
  for (int k = 0; k < size * size; ++k) K[k] = s->values[slot[k]];
  if (block->frame[0] >= 0) {
    const double *R = s->frame + 9 * (int64_t)block->frame[0];
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        T[i * size + j] = 0;
        for (int k = 0; k < size; ++k) T[i * size + j] += R[3 * k + i] * K[k * size + j];
      }
    for (int k = 0; k < size * size; ++k) K[k] = T[k];
  }
  if (block->frame[1] >= 0) {
    const double *R = s->frame + 9 * (int64_t)block->frame[1];
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        T[i * size + j] = 0;
        for (int k = 0; k < size; ++k) T[i * size + j] += K[i * size + k] * R[3 * k + j];
      }
    for (int k = 0; k < size * size; ++k) K[k] = T[k];
  }
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int fixed = (block->fixed[0] >> i & 1) | (block->fixed[1] >> j & 1);
      s->values[slot[i * size + j]] = !fixed ? K[i * size + j] : block->diagonal && i == j ? s->diagonal : 0;
    }
}

/* The same for any size, without frames. */
HD void prescribed_block_any_body(const PrescribedArgs *s, int64_t row, double *sum) {
  (void)sum;
  const PrescribedBlock *block = s->block + row;
  const int64_t *slot = s->slot + row * s->size * s->size;
  for (int i = 0; i < s->size; ++i)
    for (int j = 0; j < s->size; ++j) {
      const int fixed = (block->fixed[0] >> i & 1) | (block->fixed[1] >> j & 1);
      if (fixed) s->values[slot[i * s->size + j]] = block->diagonal && i == j ? s->diagonal : 0;
    }
}

/* Rows are nodes: out = sign * (external - sum of element forces), zero at fixed components. */
typedef struct VectorGatherArgs {
  const int64_t *start;
  const uint32_t *entry; /* index of an element node */
  const int32_t *node;   /* [n_row] of the gather row */
  const double *f;       /* component c of entry k: f[k * entry_step + c * component_step] */
  int64_t entry_step, component_step;
  const double *external; /* [n_node][size]; NULL: 0 */
  const uint8_t *fixed;   /* [n_node] bits; NULL: nothing is set to zero */
  double *out;            /* [n_node][size] */
} VectorGatherArgs;

HD void gather_node(const int size, const VectorGatherArgs *s, const int64_t row) {
  const int64_t warp = row >> 5, end = s->start[warp + 1], node = s->node[row];
  double sum[6] = {0};
  for (int64_t k = s->start[warp] + (row & 31); k < end; k += 32) {
    const uint32_t entry = s->entry[k];
    if (entry == GATHER_NONE) break;
    for (int c = 0; c < size; ++c) sum[c] += s->f[entry * s->entry_step + c * s->component_step];
  }
  const int fixed = s->fixed ? s->fixed[node] : 0;
  for (int c = 0; c < size; ++c)
    s->out[node * size + c] = fixed >> c & 1 ? 0 : (s->external ? s->external[node * size + c] : 0) - sum[c];
}

/* Rows are the nodes with frames of their own. */
typedef struct FramesArgs {
  const int32_t *node;  /* [n] */
  const double *frame;  /* [n][3][3] */
  const uint8_t *fixed; /* [n] bits in the node's own frame */
  const uint8_t *whole; /* [n] bits of those that stay as they are all the same; NULL: none */
  double *v;            /* [n_node][size], changed in place */
  int32_t size;
} FramesArgs;

/* v = R v: from the node's frame to the global one. */
HD void frames_to_global_body(const FramesArgs *s, int64_t row, double *sum) {
  (void)sum;
  double *v = s->v + (int64_t)s->node[row] * s->size, t[3] = {0};
  const double *R = s->frame + 9 * row;
  for (int i = 0; i < s->size; ++i)
    for (int k = 0; k < s->size; ++k) t[i] += R[3 * i + k] * v[k];
  for (int i = 0; i < s->size; ++i) v[i] = t[i];
}

/* v = R^T v, then zero at fixed components. */
HD void frames_to_local_body(const FramesArgs *s, int64_t row, double *sum) {
  (void)sum;
  double *v = s->v + (int64_t)s->node[row] * s->size, t[3] = {0};
  const double *R = s->frame + 9 * row;
  for (int i = 0; i < s->size; ++i)
    for (int k = 0; k < s->size; ++k) t[i] += R[3 * k + i] * v[k];
  for (int i = 0; i < s->size; ++i) v[i] = (s->fixed[row] & ~(s->whole ? s->whole[row] : 0)) >> i & 1 ? 0 : t[i];
}

/* Springs, dashpots and convection: a facet pair's block is factor kappa + rate_factor viscosity, both [e][pair][numbers], computed
 * once on the host in the form that their number says (SpringForm). Forces are kappa u + viscosity rate. */
typedef struct SpringArgs {
  int32_t n_elem, n_facet_node, size, numbers;
  double factor, rate_factor;
  const int32_t *nodes; /* node a of facet e: nodes[a * node_a + e * node_e] */
  int64_t node_a, node_e;
  const double *kappa, *viscosity; /* viscosity NULL: 0 */
  double *K;                       /* as in ElementArgs */
  int64_t pair_first, pair_p, pair_e, block_step, scalar_step;
  const double *u, *rate; /* NULL: 0 */
  int32_t unit_rate;      /* rate is 1 */
  double *f;
  int64_t force_first, force_a, force_e, entry_step, component_step;
} SpringArgs;

/* Entry (r, c) of a pair's block among its numbers; -1: 0. */
HD int spring_entry(const SpringArgs *s, int r, int c) {
  if (s->numbers == s->size * s->size) return r * s->size + c;
  if (r == c) return r;
  return s->numbers > s->size ? s->size + r + c - 1 : -1;
}

/* Row i = pair * n_elem + e: the tangent block of a pair. */
HD void spring_stiffness_body(const SpringArgs *s, int64_t i, double *sum) {
  (void)sum;
  const int64_t pair = i / s->n_elem, e = i % s->n_elem;
  const int64_t n_pair = (int64_t)s->n_facet_node * (s->n_facet_node + 1) / 2;
  double *K = s->K + (s->pair_first + pair * s->pair_p + e * s->pair_e) * s->block_step;
  for (int r = 0; r < s->size; ++r)
    for (int c = 0; c < s->size; ++c) {
      const int entry = spring_entry(s, r, c);
      const int64_t at = (e * n_pair + pair) * s->numbers + entry;
      double value = entry >= 0 ? s->factor * s->kappa[at] : 0;
      if (entry >= 0 && s->viscosity) value += s->rate_factor * s->viscosity[at];
      K[(r * s->size + c) * s->scalar_step] = value;
    }
}

/* Row i = a * n_elem + e: the force that moving the springs takes, f_a = sum_b kappa_ab u_b + viscosity_ab rate_b. */
HD void spring_force_body(const SpringArgs *s, int64_t i, double *sum) {
  (void)sum;
  const int64_t a = i / s->n_elem, e = i % s->n_elem, n = s->n_facet_node;
  const int64_t first = e * (n * (n + 1) / 2) * s->numbers;
  const int moves = s->viscosity && (s->rate || s->unit_rate);
  double f[6] = {0};
  for (int64_t b = 0; b < n; ++b) {
    const int64_t low = a < b ? a : b, high = a < b ? b : a, pair = low * n - low * (low - 1) / 2 + high - low;
    const int64_t at = first + pair * s->numbers, node = (int64_t)s->nodes[b * s->node_a + e * s->node_e] * s->size;
    for (int c = 0; c < s->size && s->u; ++c) f[c] += s->kappa[at + spring_entry(s, c, c)] * s->u[node + c];
    for (int c = 0; c < s->size && moves; ++c)
      f[c] += s->viscosity[at + spring_entry(s, c, c)] * (s->unit_rate ? 1 : s->rate[node + c]);
    for (int r = 0; s->numbers > s->size && r < s->size; ++r)
      for (int c = 0; c < s->size; ++c) {
        const int64_t off = at + (a > b ? spring_entry(s, c, r) : spring_entry(s, r, c));
        if (r == c) continue;
        if (s->u) f[r] += s->kappa[off] * s->u[node + c];
        if (moves) f[r] += s->viscosity[off] * (s->unit_rate ? 1 : s->rate[node + c]);
      }
  }
  double *to = s->f + (s->force_first + a * s->force_a + e * s->force_e) * s->entry_step;
  for (int c = 0; c < s->size; ++c) to[c * s->component_step] = f[c];
}

/* v[row[j]] = value[j], or added to it; rows differ. */
typedef struct ScatterArgs {
  const int32_t *row;
  const double *value;
  double *v;
  int32_t add;
} ScatterArgs;
HD void scatter_body(const ScatterArgs *s, int64_t j, double *sum) {
  (void)sum;
  const int32_t i = s->row[j];
  s->v[i] = s->value[j] + (s->add ? s->v[i] : 0);
}

/* gather_block_1_body, prescribed_block_1_body, gather_node_1_body and so on. */
#define GATHER_NODE(size)                                                                                              \
  HD void gather_node_##size##_body(const VectorGatherArgs *s, int64_t i, double *sum) {                               \
    (void)sum;                                                                                                         \
    gather_node(size, s, i);                                                                                           \
  }
#define GATHER_SIZE(size)                                                                                              \
  GATHER_NODE(size)                                                                                                    \
  HD void gather_block_##size##_body(const BlockGatherArgs *s, int64_t i, double *sum) {                               \
    (void)sum;                                                                                                         \
    gather_block(size, s, i);                                                                                          \
  }                                                                                                                    \
  HD void prescribed_block_##size##_body(const PrescribedArgs *s, int64_t i, double *sum) {                            \
    (void)sum;                                                                                                         \
    prescribed_block(size, s, i);                                                                                      \
  }
GATHER_SIZE(1)
GATHER_SIZE(2)
GATHER_SIZE(3)
GATHER_NODE(4)
GATHER_NODE(5)
GATHER_NODE(6)
#undef GATHER_SIZE
#undef GATHER_NODE
