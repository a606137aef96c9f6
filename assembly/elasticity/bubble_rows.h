/* Element kernels of incompatible modes (bubble_element.h), for C and CUDA. Pair blocks are those of the plain element, by
 * element_rows.h or point_rows.h, from which these take what the bubbles give way: W of some elements at a time, then
 * K_ab -= W_a^T W_b. */
#pragma once
#include "assembly/elasticity/bubble_element.h"

/* Elements whose W is there at a time: 28 MB of hex8. */
enum { BUBBLE_SLICE = 16384 };

typedef struct BubbleArgs {
  PointArgs p;
  double *W; /* scalar k of component j at node a of element e at W[((k n_node + a) dim + j) W_k + e W_e] */
  int64_t W_k, W_e;
  int64_t first; /* of the elements that W is of */
} BubbleArgs;

HD int64_t bubble_place(const int n, const int dim, const BubbleArgs *s, const int k, const int a, const int j,
                        const int64_t e) {
  return ((int64_t)(k * n + a) * dim + j) * s->W_k + e * s->W_e;
}

/* D, and R of nodes from `first` on. */
typedef struct BubbleSums {
  int first;
  double D[BUBBLE_PAIRS][9], R[3 * BUBBLE_NODES][9];
} BubbleSums;

/* Of count nodes; once is a constant, as count is. */
HD void bubble_sums(const int n, const int dim, const int count, const bool once, const PointArgs *s,
                    const BubbleElement *b, const int64_t e, BubbleSums *to) {
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    bubble_point(n, dim, s, b, q, &p);
    const double *law = once ? NULL : bubble_law(s, b, e, q);
    bubble_add_pairs(n, dim, law, once, &p, to->D);
    for (int a = 0; a < count; ++a)
      for (int m = 0; m < dim; ++m)
        bubble_add(dim, law, once, p.g + (n + m) * dim, p.g + (to->first + a) * dim,
                   point_hoop(n, dim, s, &p, to->first + a), p.dV, to->R[a * dim + m]);
  }
}

/* W = L^-1 R of count nodes of element e, of which b is. */
HD void bubble_couple_sums(const int n, const int dim, const int count, const BubbleArgs *args, const BubbleElement *b,
                           const int64_t e, BubbleSums *sums) {
  const int columns = count * dim, size = dim * dim, first = sums->first;
  double L[BUBBLE_SCALARS][BUBBLE_SCALARS], w[BUBBLE_SCALARS][3 * BUBBLE_NODES];
  (void)bubble_factor(dim, &args->p, b, e, sums->D, L);
  for (int a = 0; a < count; ++a)
    for (int m = 0; m < dim; ++m) {
      double block[9];
      bubble_block(dim, &args->p, b, e, sums->R[a * dim + m], block);
      for (int c = 0; c < size; ++c) w[m * dim + c / dim][a * dim + c % dim] = block[c];
    }
  for (int i = 0; i < size; ++i) { /* all columns at once */
    for (int k = 0; k < i; ++k)
      for (int c = 0; c < columns; ++c) w[i][c] -= L[i][k] * w[k][c];
    for (int c = 0; c < columns; ++c) w[i][c] *= L[i][i];
  }
  for (int k = 0; k < size; ++k)
    for (int c = 0; c < columns; ++c)
      args->W[bubble_place(n, dim, args, k, first + c / dim, c % dim, e - args->first)] = w[k][c];
}

/* W of nodes [first, first + count) of element e; count is a constant. */
HD void bubble_couple(const int n, const int dim, const int count, const BubbleArgs *args, const int64_t e,
                      const int first) {
  const PointArgs *s = &args->p;
  BubbleElement b;
  BubbleSums sums = {first, {{0}}, {{0}}};
  bubble_begin(n, dim, s, e, &b);
  if (b.once) bubble_sums(n, dim, count, true, s, &b, e, &sums);
  else bubble_sums(n, dim, count, false, s, &b, e, &sums);
  bubble_couple_sums(n, dim, count, args, &b, e, &sums);
}

/* K_ab -= W_a^T W_b of all b >= a. */
HD void bubble_condense(const int n, const int dim, const BubbleArgs *args, const int64_t e, const int a) {
  const ElementArgs *s = &args->p.e;
  double w[BUBBLE_SCALARS * 3];
  for (int k = 0; k < dim * dim; ++k)
    for (int j = 0; j < dim; ++j) w[k * dim + j] = args->W[bubble_place(n, dim, args, k, a, j, e)];
  for (int b = a; b < n; ++b) {
    const int64_t pair = point_pairs_before(n, a) + b - a;
    double *K = s->K + (s->pair_first + pair * s->pair_p + e * s->pair_e) * s->block_step, less[9] = {0};
    for (int k = 0; k < dim * dim; ++k)
      for (int j = 0; j < dim; ++j) {
        const double other = args->W[bubble_place(n, dim, args, k, b, j, e)];
        for (int i = 0; i < dim; ++i) less[i * dim + j] += w[k * dim + i] * other;
      }
    for (int k = 0; k < dim * dim; ++k) K[k * s->scalar_step] -= less[k];
  }
}

/* Whether its law is for nonlinear_rows.h and bubble_any_rows.h. */
HD bool bubble_is_any(const PointArgs *s, const int64_t e) {
  return s->nonlinear && s->law_row && s->law_row[e] != LAW_NONE;
}

/* As point_force; by the stress of a recovery, which has found the modes. */
HD void bubble_force(const int n, const int dim, const PointArgs *s, const int64_t e) {
  const int64_t number = s->element ? s->element[e] : e;
  double f[BUBBLE_NODES * 3] = {0};
  BubbleState state;
  if (bubble_is_any(s, e)) return;
  if (!s->stress && bubble_is_own(s, e) && element_rests(n, dim, &s->e, e)) {
    element_put_force(n, dim, &s->e, e, f);
    return;
  }
  state.b.own = state.b.once = true; /* beside s->stress */
  if (s->stress) element_coordinates(n, dim, &s->e, e, state.b.x);
  else bubble_state(n, dim, s, e, &state);
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    BubbleStress at;
    if (s->stress) {
      point_geometry(n, dim, s, state.b.x, q, s->e.constants[s->e.material[e]].thickness, &p);
      for (int k = 0; k < 6; ++k) at.stress[k] = s->stress[6 * (number * s->e.n_q + q) + k];
    } else {
      bubble_state_at(n, dim, s, e, &state, q, &p, &at);
    }
    for (int c = 0; c < n; ++c) {
      elastic_node_force(dim, at.stress, p.g + c * dim, p.dV, f + c * dim);
      f[c * dim] += at.stress[2] * point_hoop(n, dim, s, &p, c) * p.dV;
    }
  }
  element_put_force(n, dim, &s->e, e, f);
}

/* As recover_points. */
HD void bubble_recover(const int n, const int dim, const RecoverArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  const int64_t at = recover_number(args, e);
  ElementSums sums = {0, 0, {0}, 0};
  BubbleState state;
  if (bubble_is_any(s, e)) return;
  bubble_state(n, dim, s, e, &state);
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    BubbleStress point;
    bubble_state_at(n, dim, s, e, &state, q, &p, &point);
    recover_strain(args, point.strain, at, q);
    for (int k = 0; k < 6; ++k) args->point[6 * (at * s->e.n_q + q) + k] = point.stress[k];
    recover_density(args, point.energy, at, q);
    element_sums_add(&sums, point.stress, point.energy, p.dV);
  }
  element_sums_store(args, &sums, at);
}

/* Rows of pairs are a * n_elem + e, those of forces and of results elements. */
#define BUBBLE_KERNELS(dim, n)                                                                                         \
  HD void bubble_couple_##dim##_body(const BubbleArgs *s, int64_t i, double *sum) {                                    \
    (void)sum;                                                                                                         \
    const int32_t a = (int32_t)((uint32_t)i / (uint32_t)s->p.e.n_elem);                                                \
    bubble_couple(n, dim, 1, s, i - (int64_t)a * s->p.e.n_elem, a);                                                    \
  }                                                                                                                    \
  HD void bubble_condense_##dim##_body(const BubbleArgs *s, int64_t i, double *sum) {                                  \
    (void)sum;                                                                                                         \
    const int32_t a = (int32_t)((uint32_t)i / (uint32_t)s->p.e.n_elem);                                                \
    bubble_condense(n, dim, s, i - (int64_t)a * s->p.e.n_elem, a);                                                     \
  }                                                                                                                    \
  HD void bubble_force_##dim##_body(const PointArgs *s, int64_t e, double *sum) {                                      \
    (void)sum;                                                                                                         \
    bubble_force(n, dim, s, e);                                                                                        \
  }                                                                                                                    \
  HD void bubble_recover_##dim##_body(const RecoverArgs *s, int64_t e, double *sum) {                                  \
    (void)sum;                                                                                                         \
    bubble_recover(n, dim, s, e);                                                                                      \
  }
BUBBLE_KERNELS(2, 4)
BUBBLE_KERNELS(3, 8)
#undef BUBBLE_KERNELS
