/* Incompatible modes of laws that are not linear and at finite strain, for C and CUDA: F is that of the nodes and of the
 * bubbles (bubble_element.h), whose gradients are those in the undeformed element, and the amplitudes a are where the
 * first Piola-Kirchhoff stress does no work on any bubble,
 *   f_m(u, a) = int P(F) grad M_m dV = 0,
 * found in each element by Newton's method from a = 0 on, so that an element remembers no more than its points do
 * (Simo and Armero, Geometrically non-linear enhanced strain mixed methods and the method of incompatible modes, Int. J.
 * Numer. Methods Eng. 33, 1992, 1413-1449, where they are unknowns of their own). nonlinear_rows.h takes what they add to F from
 * PointArgs.modes, and K_ab - W_a^T W_b is the derivative of the forces of nodes at these amplitudes. */
#pragma once
#include "assembly/elasticity/bubble_rows.h"

enum { BUBBLE_TURNS = 50 };
/* Of the stress and of a strain of 1e-6, what is left of forces on bubbles before the last step of Newton's method. */
#define BUBBLE_SETTLED 1e-8
#define BUBBLE_SLIGHT 1e-6
/* Where forces along a step of Newton's method turn to more than this part of what they were, it is too long. */
#define BUBBLE_TURNED 0.8

/* a_m (x) J0^-T dM_m / dxi j0 of all, as PointArgs.modes has them. */
HD void bubble_modes_keep(const int dim, const PointArgs *s, const BubbleElement *b, const double *a, const bool found,
                          const int64_t e) {
  for (int k = 0; k < dim * dim * dim; ++k)
    s->modes[k * s->modes_k + e] = b->density * a[k / dim] * b->inverse[k / (dim * dim) * dim + k % dim];
  s->modes[(point_modes_numbers(dim) - 1) * s->modes_k + e] = found ? 0 : 1;
}

/* K_mb += of a bubble and a node or bubble (hoop 0) by the tangent A of a point. */
HD void bubble_add_any(const int dim, const double *A, const double *gm, const double *gb, const double hoop,
                       const double dV, double *K) {
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k < dim; ++k) {
      double t = 0;
      for (int j = 0; j < dim; ++j) {
        const double *of = A + 9 * (3 * i + j);
        double stress = k == 0 ? of[8] * hoop : 0;
        for (int l = 0; l < dim; ++l) stress += of[3 * k + l] * gb[l];
        t += gm[j] * stress;
      }
      K[i * dim + k] += t * dV;
    }
}

/* As bubble_balance, at the amplitudes a (NULL: 0); handed back is what forces are held against. */
HD double bubble_balance_any(const int n, const int dim, const PointArgs *s, const BubbleElement *b, const int64_t e,
                             const double *u, const double *a, double D[BUBBLE_PAIRS][9], double f[BUBBLE_SCALARS]) {
  double H[9], old[POINT_MAX_STATES], state[POINT_MAX_STATES], A[81], size = 0;
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    PointOut out;
    double stress = 0, stiff = 0, slope = 0;
    out.A = A;
    out.state = state;
    bubble_point(n, dim, s, b, q, &p);
    point_gradient(n, dim, s, u, &p, H);
    for (int k = 0; a && k < dim * dim * dim; ++k)
      H[3 * (k / dim % dim) + k % dim] += a[k / dim] * p.g[(n + k / (dim * dim)) * dim + k % dim];
    (void)point_answer(true, PART_ALL, s, e, q, point_heat(s, e, q), H, old, &out);
    for (int m = 0, pair = 0; m < dim; ++m) {
      const double *g = p.g + (n + m) * dim;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) f[m * dim + i] -= out.P[3 * i + j] * g[j] * p.dV;
      for (int k = m; k < dim; ++k, ++pair) bubble_add_any(dim, A, g, p.g + (n + k) * dim, 0, p.dV, D[pair]);
      for (int j = 0; j < dim; ++j) slope = fmax(slope, fabs(g[j]));
    }
    for (int k = 0; k < 9; ++k) stress = fmax(stress, fabs(out.P[k]));
    for (int k = 0; k < 9; ++k) stiff = fmax(stiff, fabs(A[10 * k]));
    size += (stress + BUBBLE_SLIGHT * stiff) * slope * p.dV;
  }
  return size;
}

/* L of D; where that is not positive, of what is by a multiple of 1, which leads downhill all the same. Handed back: whether it is. */
HD bool bubble_downhill(const int dim, const PointArgs *s, const BubbleElement *b, const int64_t e,
                        double D[BUBBLE_PAIRS][9], double L[BUBBLE_SCALARS][BUBBLE_SCALARS]) {
  double most = 0, shift = 0.1;
  if (bubble_factor(dim, s, b, e, D, L)) return true;
  for (int m = 0, pair = 0; m < dim; pair += dim - m, ++m)
    for (int k = 0; k < dim; ++k) most = fmax(most, fabs(D[pair][k * (dim + 1)]));
  for (int turn = 0; turn < 4; ++turn, shift *= 3) {
    for (int m = 0, pair = 0; m < dim; pair += dim - m, ++m)
      for (int k = 0; k < dim; ++k) D[pair][k * (dim + 1)] += shift * most;
    if (bubble_factor(dim, s, b, e, D, L)) return false;
  }
  return false;
}

/* Part of a step that is too long, of which the forces along it are known at both ends. */
HD double bubble_shorter(const double at_begin, const double at_end) {
  return isfinite(at_end) ? fmax(0.1, at_begin / (at_begin - at_end)) : 0.5;
}

/* As bubble_solve. False: there are none, or none that are stable. */
HD bool bubble_solve_any(const int n, const int dim, const PointArgs *s, const BubbleElement *b, const int64_t e,
                         const double *u, double *a) {
  const int size = dim * dim;
  double from[BUBBLE_SCALARS], step[BUBBLE_SCALARS] = {0}, begin = 0, part = 1;
  for (int k = 0; k < size; ++k) a[k] = from[k] = 0;
  for (int turn = 0; turn < BUBBLE_TURNS; ++turn) {
    double D[BUBBLE_PAIRS][9] = {{0}}, L[BUBBLE_SCALARS][BUBBLE_SCALARS], f[BUBBLE_SCALARS] = {0}, most = 0, along = 0;
    const double settled = BUBBLE_SETTLED * bubble_balance_any(n, dim, s, b, e, u, a, D, f);
    for (int k = 0; k < size; ++k) {
      most = fmax(most, fabs(f[k]));
      along += f[k] * step[k];
    }
    if (!(along >= -BUBBLE_TURNED * begin) && !(most <= settled)) {
      part *= bubble_shorter(begin, along);
      for (int k = 0; k < size; ++k) a[k] = from[k] + part * step[k];
      continue;
    }
    const bool positive = bubble_downhill(dim, s, b, e, D, L);
    for (int k = 0; k < size; ++k) step[k] = f[k];
    bubble_forward(size, L, step);
    begin = 0;
    for (int k = 0; k < size; ++k) begin += step[k] * step[k];
    bubble_back(size, L, step);
    for (int k = 0; k < size; ++k) {
      from[k] = a[k];
      a[k] += step[k];
    }
    part = 1;
    if (most <= settled) return positive;
  }
  return false;
}

/* Modes of element e. */
HD void bubble_modes(const int n, const int dim, const PointArgs *s, const int64_t e) {
  double u[BUBBLE_NODES * 3], a[BUBBLE_SCALARS];
  BubbleElement b;
  if (!bubble_is_any(s, e)) return;
  bubble_begin(n, dim, s, e, &b);
  b.once = false;
  point_displacement(n, dim, &s->e, e, u);
  const bool found = bubble_solve_any(n, dim, s, &b, e, u, a);
  for (int k = 0; k < dim * dim && !found; ++k) a[k] = 0;
  bubble_modes_keep(dim, s, &b, a, found, e);
}

/* W of all nodes of an element, at the modes that there are. */
HD void bubble_couple_any(const int n, const int dim, const BubbleArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  double u[BUBBLE_NODES * 3], A[81], H[9], old[POINT_MAX_STATES], state[POINT_MAX_STATES];
  BubbleElement b;
  BubbleSums sums = {0, {{0}}, {{0}}};
  if (!bubble_is_any(s, e)) {
    bubble_couple(n, dim, n, args, e, 0);
    return;
  }
  bubble_begin(n, dim, s, e, &b);
  b.once = false;
  for (int k = 0; k < n * dim; ++k) u[k] = 0;
  if (s->e.u) point_displacement(n, dim, &s->e, e, u);
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    PointOut out;
    out.A = A;
    out.state = state;
    bubble_point(n, dim, s, &b, q, &p);
    point_gradient(n, dim, s, u, &p, H);
    point_add_modes(dim, s, s->modes, e, p.q, p.shrink, H);
    (void)point_answer(true, PART_ALL, s, e, q, point_heat(s, e, q), H, old, &out);
    for (int m = 0, pair = 0; m < dim; ++m) {
      const double *g = p.g + (n + m) * dim;
      for (int k = m; k < dim; ++k, ++pair) bubble_add_any(dim, A, g, p.g + (n + k) * dim, 0, p.dV, sums.D[pair]);
      for (int c = 0; c < n; ++c)
        bubble_add_any(dim, A, g, p.g + c * dim, point_hoop(n, dim, s, &p, c), p.dV, sums.R[c * dim + m]);
    }
  }
  bubble_couple_sums(n, dim, n, args, &b, e, &sums);
}

/* ---- what plain elements lack ---- */

/* The energy that bubbles would take from a plain element at its displacement, to second order. */
typedef struct BubbleGainArgs {
  PointArgs p;
  double *gain; /* [n_elem] */
} BubbleGainArgs;

HD void bubble_gain(const int n, const int dim, const BubbleGainArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  double u[BUBBLE_NODES * 3], D[BUBBLE_PAIRS][9] = {{0}}, f[BUBBLE_SCALARS] = {0}, gain = 0;
  double L[BUBBLE_SCALARS][BUBBLE_SCALARS];
  BubbleElement b;
  bubble_begin(n, dim, s, e, &b);
  point_displacement(n, dim, &s->e, e, u);
  const bool any = bubble_is_any(s, e);
  if (any) b.once = false;
  if (any) (void)bubble_balance_any(n, dim, s, &b, e, u, NULL, D, f);
  else bubble_balance(n, dim, s, &b, e, u, D, f);
  (void)bubble_factor(dim, s, &b, e, D, L);
  bubble_forward(dim * dim, L, f);
  for (int k = 0; k < dim * dim; ++k) gain += 0.5 * f[k] * f[k];
  args->gain[e] = gain > 0 && isfinite(gain) ? gain : 0; /* D need not be positive at finite strain */
}

MATERIAL_CALL void bubble_modes_of_2(const PointArgs *s, const int64_t e) { bubble_modes(4, 2, s, e); }
MATERIAL_CALL void bubble_modes_of_3(const PointArgs *s, const int64_t e) { bubble_modes(8, 3, s, e); }
MATERIAL_CALL void bubble_couple_of_2(const BubbleArgs *s, const int64_t e) { bubble_couple_any(4, 2, s, e); }
MATERIAL_CALL void bubble_couple_of_3(const BubbleArgs *s, const int64_t e) { bubble_couple_any(8, 3, s, e); }

/* Rows are elements; of W from `first` on. */
HD void bubble_modes_body(const PointArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->dim == 2) bubble_modes_of_2(s, e);
  else bubble_modes_of_3(s, e);
}
HD void bubble_couple_any_body(const BubbleArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (s->p.dim == 2) bubble_couple_of_2(s, s->first + i);
  else bubble_couple_of_3(s, s->first + i);
}
HD void bubble_gain_2_body(const BubbleGainArgs *s, int64_t e, double *sum) {
  (void)sum;
  bubble_gain(4, 2, s, e);
}
HD void bubble_gain_3_body(const BubbleGainArgs *s, int64_t e, double *sum) {
  (void)sum;
  bubble_gain(8, 3, s, e);
}
