/* Incompatible modes, for C and CUDA: the displacement of a quad4 or hex8 has beside that of its nodes the bubbles sum_m
 * a_m (1 - xi_m^2), which are its own, so that it bends as a beam does (Taylor, Beresford and Wilson, A non-conforming
 * element for stress analysis, Int. J. Numer. Methods Eng. 10, 1976, 1211-1219). A bubble is one more node: at a point
 *   grad M_m = (j0 / j) J0^-T dM_m / dxi,  j dxi = dV,  0: at the centre,
 * which gives int grad M_m dV = 0, so that constant stresses do no work on it and the element passes the patch test. Around
 * an axis dV = 2 pi r dr dz; the hoop has no part in it (Simo and Rifai, A class of mixed assumed strain methods and the
 * method of incompatible modes, Int. J. Numer. Methods Eng. 29, 1990, 1595-1638).
 *
 * The amplitudes a follow from the nodes, D a = -(R u + h) with D = K_mm, R = K_ma and h what heat does. The matrix is
 * K_ab - W_a^T W_b, W = L^-1 R, D = L L^T: symmetric, with the same pattern. Here for linear laws under small strains; bubble_any_rows.h: for all others. */
#pragma once
#include "assembly/elasticity/recover_rows.h"

/* Nodes and bubbles of an element, and the scalars of these: of quad4 and hex8 alone. */
enum { BUBBLE_NODES = 8, BUBBLE_SCALARS = 9, BUBBLE_PAIRS = 6 };
HD int bubble_nodes(const int dim) { return 1 << dim; }

/* Of one element. */
typedef struct BubbleElement {
  double x[BUBBLE_NODES * 3], inverse[9]; /* of its nodes; of the Jacobian at its centre */
  double density, thickness;              /* dV / dxi there, without the thickness */
  bool own, once; /* a pair block of its own (material_block); one law for all points: blocks are linear in dyads */
} BubbleElement;

HD bool bubble_is_own(const PointArgs *s, const int64_t e) { return !s->law_row || s->law_row[e] == LAW_NONE; }

HD void bubble_begin(const int n, const int dim, const PointArgs *s, const int64_t e, BubbleElement *b) {
  const double *centre = s->bubble + s->e.n_q * dim;
  double r = 0;
  element_coordinates(n, dim, &s->e, e, b->x);
  b->density = element_inverse(n, dim, b->x, centre, b->inverse);
  b->thickness = s->e.constants[s->e.material[e]].thickness;
  b->own = bubble_is_own(s, e);
  b->once = b->own || (s->law_row[e] >= 0 && !s->N);
  if (dim == 3 || !s->N) return;
  for (int a = 0; a < n; ++a) r += b->x[a * dim] / n;
  b->density *= 6.283185307179586476925286766559 * r;
}

/* Point q, with the gradients of the bubbles behind those of the nodes. */
HD void bubble_point(const int n, const int dim, const PointArgs *s, const BubbleElement *b, const int q,
                     PointGeometry *p) {
  point_geometry(n, dim, s, b->x, q, b->thickness, p);
  const double scale = b->density * b->thickness * s->e.weight[q] / p->dV;
  for (int m = 0; m < dim; ++m)
    for (int i = 0; i < dim; ++i) p->g[(n + m) * dim + i] = scale * s->bubble[q * dim + m] * b->inverse[m * dim + i];
}

/* The moduli of a law at a point, which is no material of material_block. */
HD const double *bubble_law(const PointArgs *s, const BubbleElement *b, const int64_t e, const int q) {
  return b->own ? NULL : point_law(s, e, q);
}

/* Adds what becomes K_mb of a bubble and a node or bubble (hoop 0): the dyad, or the block itself. */
HD void bubble_add(const int dim, const double *law, const bool once, const double *gm, const double *gb,
                   const double hoop, const double dV, double *K) {
  if (once) {
    add_dyad(dim, gm, gb, dV, K);
    return;
  }
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k < dim; ++k) {
      double t = 0;
      for (int j = 0; j < dim; ++j) {
        const int I = linear_voigt(i, j);
        double stress = k == 0 ? law[linear_index(I, 2)] * hoop : 0;
        for (int l = 0; l < dim; ++l) stress += law[linear_index(I, linear_voigt(k, l))] * gb[l];
        t += gm[j] * stress;
      }
      K[i * dim + k] += t * dV;
    }
}

/* A finished block of that. */
HD void bubble_block(const int dim, const PointArgs *s, const BubbleElement *b, const int64_t e, const double *sum,
                     double *block) {
  if (b->own) material_block(dim, s->e.constants + s->e.material[e], sum, block);
  else if (b->once) linear_block(dim, point_law(s, e, 0), sum, block);
  else
    for (int k = 0; k < dim * dim; ++k) block[k] = sum[k];
}

/* D += at a point, pairs of bubbles m <= n. */
HD void bubble_add_pairs(const int n, const int dim, const double *law, const bool once, const PointGeometry *p,
                         double D[BUBBLE_PAIRS][9]) {
  int pair = 0;
  UNROLL
  for (int m = 0; m < dim; ++m) {
    UNROLL
    for (int k = m; k < dim; ++k, ++pair)
      bubble_add(dim, law, once, p->g + (n + m) * dim, p->g + (n + k) * dim, 0, p->dV, D[pair]);
  }
}

/* L of D, lower triangle row by row; its diagonal is inverted. False: D is not positive. */
HD bool bubble_factor(const int dim, const PointArgs *s, const BubbleElement *b, const int64_t e,
                      double D[BUBBLE_PAIRS][9], double L[BUBBLE_SCALARS][BUBBLE_SCALARS]) {
  const int size = dim * dim;
  int pair = 0;
  bool positive = true;
  UNROLL
  for (int m = 0; m < dim; ++m) {
    UNROLL
    for (int k = m; k < dim; ++k, ++pair) {
      double block[9];
      bubble_block(dim, s, b, e, D[pair], block);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) L[k * dim + j][m * dim + i] = block[i * dim + j];
    }
  }
  UNROLL
  for (int i = 0; i < size; ++i) {
    UNROLL
    for (int j = 0; j <= i; ++j) {
      double sum = L[i][j];
      UNROLL
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      if (i == j) positive &= sum > 0;
      L[i][j] = i == j ? 1 / sqrt(sum) : sum * L[j][j];
    }
  }
  return positive;
}

/* v <- L^-1 v, and L^-T v. */
HD void bubble_forward(const int size, double L[BUBBLE_SCALARS][BUBBLE_SCALARS], double *v) {
  UNROLL
  for (int i = 0; i < size; ++i) {
    UNROLL
    for (int k = 0; k < i; ++k) v[i] -= L[i][k] * v[k];
    v[i] *= L[i][i];
  }
}
HD void bubble_back(const int size, double L[BUBBLE_SCALARS][BUBBLE_SCALARS], double *v) {
  for (int i = size - 1; i >= 0; --i) {
    for (int k = i + 1; k < size; ++k) v[i] -= L[k][i] * v[k];
    v[i] *= L[i][i];
  }
}

/* What a material answers at a point. */
typedef struct BubbleStress {
  double strain[6], stress[6], energy;
} BubbleStress;

/* a: amplitudes of the bubbles. */
HD void bubble_stress(const int n, const int dim, const PointArgs *s, const BubbleElement *b, const PointGeometry *p,
                      const int64_t e, const double *u, const double *a, BubbleStress *out) {
  double H[9], elastic[6];
  point_gradient(n, dim, s, u, p, H);
  for (int m = 0; m < dim; ++m)
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) H[3 * i + j] += a[m * dim + i] * p->g[(n + m) * dim + j];
  elastic_strain(3, H, out->strain);
  const double *law = bubble_law(s, b, e, p->q);
  const double heat = law ? point_heat(s, e, p->q) : 0; /* without a law of its own nothing expands */
  for (int k = 0; k < 6; ++k) {
    elastic[k] = out->strain[k] + (law ? law[LAW_INITIAL + k] : 0);
    if (heat != 0) elastic[k] -= law[LAW_EXPANSION + k] * heat;
  }
  if (law) linear_stress(law, elastic, out->stress);
  else material_stress(s->e.constants + s->e.material[e], elastic, out->stress);
  out->energy = 0.5 * elastic_work(out->stress, elastic);
}

/* The force on the bubbles of an element whose nodes alone have moved, and D; once is a constant. */
HD void bubble_balance_as(const int n, const int dim, const bool once, const PointArgs *s, const BubbleElement *b,
                          const int64_t e, const double *u, double D[BUBBLE_PAIRS][9], double f[BUBBLE_SCALARS]) {
  const double none[BUBBLE_SCALARS] = {0};
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    BubbleStress at;
    bubble_point(n, dim, s, b, q, &p);
    bubble_stress(n, dim, s, b, &p, e, u, none, &at);
    bubble_add_pairs(n, dim, once ? NULL : bubble_law(s, b, e, q), once, &p, D);
    for (int m = 0; m < dim; ++m) elastic_node_force(dim, at.stress, p.g + (n + m) * dim, -p.dV, f + m * dim);
  }
}

HD void bubble_balance(const int n, const int dim, const PointArgs *s, const BubbleElement *b, const int64_t e,
                       const double *u, double D[BUBBLE_PAIRS][9], double f[BUBBLE_SCALARS]) {
  if (b->once) bubble_balance_as(n, dim, true, s, b, e, u, D, f);
  else bubble_balance_as(n, dim, false, s, b, e, u, D, f);
}

/* The amplitudes that go with u: those at which the stress does no work on any bubble. */
HD void bubble_solve(const int n, const int dim, const PointArgs *s, const BubbleElement *b, const int64_t e,
                     const double *u, double *a) {
  double D[BUBBLE_PAIRS][9] = {{0}}, L[BUBBLE_SCALARS][BUBBLE_SCALARS], f[BUBBLE_SCALARS] = {0};
  bubble_balance(n, dim, s, b, e, u, D, f);
  (void)bubble_factor(dim, s, b, e, D, L);
  bubble_forward(dim * dim, L, f);
  bubble_back(dim * dim, L, f);
  for (int k = 0; k < dim * dim; ++k) a[k] = f[k];
}

/* An element at the displacement that the arguments have. */
typedef struct BubbleState {
  BubbleElement b;
  double u[BUBBLE_NODES * 3], a[BUBBLE_SCALARS];
} BubbleState;

HD void bubble_state(const int n, const int dim, const PointArgs *s, const int64_t e, BubbleState *to) {
  bubble_begin(n, dim, s, e, &to->b);
  point_displacement(n, dim, &s->e, e, to->u);
  bubble_solve(n, dim, s, &to->b, e, to->u, to->a);
}

HD void bubble_state_at(const int n, const int dim, const PointArgs *s, const int64_t e, const BubbleState *from,
                        const int q, PointGeometry *p, BubbleStress *out) {
  bubble_point(n, dim, s, &from->b, q, p);
  bubble_stress(n, dim, s, &from->b, p, e, from->u, from->a, out);
}
