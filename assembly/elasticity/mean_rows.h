/* Element kernels of mean dilatation (mean_element.h), for C and CUDA: forces, pair blocks and what a solution gives. One
 * kernel each for all kinds of elements, as in nonlinear_rows.h. */
#pragma once
#include "assembly/elasticity/mean_element.h"
#include "assembly/elasticity/nonlinear_rows.h"

/* One quadrature point. */
typedef struct MeanPoint {
  PointGeometry p;
  Dilatation d;
  double H[9]; /* as it is */
  double phi[MEAN_MODES], old[POINT_MAX_STATES];
} MeanPoint;

/* What the material answers at point q without its fibres; H and functions are there. */
HD int mean_ask(const PointArgs *s, const int64_t e, const MeanElement *m, const int q, MeanPoint *at, PointOut *out) {
  Dilatation *d = &at->d;
  const bool good = dilatation_begin(s->finite, at->H, mean_sum(m, m->theta, at->phi), d);
  if (!good) {
    const double still[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    (void)dilatation_begin(false, still, 0, d);
    d->J = point_determinant(at->H);
    for (int k = 0; k < 9; k += 4) d->H[k] = -2; /* no material answers to that */
  }
  return point_answer(true, PART_MATRIX, s, e, q, mean_sum(m, m->heat, at->phi), d->H, at->old, out) | !good;
}

/* Point q, and that. */
HD int mean_answer(const int n, const int dim, const PointArgs *s, const int64_t e, const MeanElement *m, const int q,
                   MeanPoint *at, PointOut *out) {
  point_geometry(n, dim, s, m->x, q, m->thickness, &at->p);
  point_gradient(n, dim, s, m->u, &at->p, at->H);
  mean_functions(n, dim, s, m, q, at->phi);
  return mean_ask(s, e, m, q, at, out);
}

/* P and, where it is asked for, A as the element has them: with what sees F itself. */
HD int mean_add_local(const PointArgs *s, const int64_t e, const int q, const MeanElement *m, MeanPoint *at,
                      PointOut *out) {
  int failed = 0;
  for (int k = 0; m->local > 0 && k < 9; ++k) out->P[k] *= 1 - m->local;
  for (int k = 0; m->local > 0 && out->A && k < 81; ++k) out->A[k] *= 1 - m->local;
  if (out->fibres) failed |= mean_add_part(s, PART_FIBRES, e, q, 1, at->H, out);
  if (m->local > 0) failed |= mean_add_part(s, PART_MATRIX, e, q, m->local, at->H, out);
  return failed;
}

/* As point_force. */
HD void mean_force(const int n, const int dim, const PointArgs *s, const int64_t e) {
  double x[27 * 3], u[27 * 3], f[1][27 * 3] = {{0}}, side[MEAN_MODES][27 * 3];
  double state[POINT_MAX_STATES], lowest = (double)INFINITY;
  int failed = 0;
  if (s->law_row[e] == LAW_NONE) return;
  MeanElement m;
  mean_place(n, dim, s, e, x, u, &m);
  mean_hold(s, e, &m);
  MeanElement one = m; /* the function 1, as it is */
  one.n = 1;
  mean_zero(n, dim, m.n, side);
  for (int q = 0; q < s->e.n_q; ++q) {
    MeanPoint at;
    PointOut out;
    const double unit = 1;
    out.A = NULL;
    out.state = state;
    failed |= mean_answer(n, dim, s, e, &m, q, &at, &out);
    lowest = fmin(lowest, at.d.J);
    const double pressure = (1 - m.local) * dilatation_pressure(&at.d, out.P);
    for (int k = 0; k < m.n; ++k) m.p[k] += at.phi[k] * pressure * at.p.dV;
    dilatation_stress(&at.d, 0, out.P);
    failed |= mean_add_local(s, e, q, &m, &at, &out);
    mean_add(n, dim, s, &one, &at.p, &unit, 1, out.P, f);
    mean_add(n, dim, s, &m, &at.p, at.phi, at.d.J, at.d.b, side);
    for (int k = 0; k < s->n_state; ++k) s->state[k * s->n_point + s->point_first + q * s->point_q + e] = state[k];
  }
  if (s->failed) s->failed[e] = (uint8_t)failed;
  if (s->finite) s->lowest[e] = lowest;
  for (int a = 0; a < n; ++a) {
    double *to = s->e.f + (s->e.force_first + a * s->e.force_a + e * s->e.force_e) * s->e.entry_step;
    for (int i = 0; i < dim; ++i) {
      double t = f[0][a * dim + i];
      for (int k = 0; k < m.n; ++k) t += m.p[k] * side[k][a * dim + i];
      to[i * s->e.component_step] = t;
    }
  }
}

/* The pressure of an element at finite strain; under small strains no tangent asks for it. */
MATERIAL_CALL void mean_pressure(const int n, const int dim, const PointArgs *s, const int64_t e, MeanElement *m) {
  double state[POINT_MAX_STATES];
  for (int q = 0; q < s->e.n_q && s->finite; ++q) {
    MeanPoint at;
    PointOut out;
    out.A = NULL;
    out.state = state;
    (void)mean_answer(n, dim, s, e, m, q, &at, &out);
    const double pressure = dilatation_pressure(&at.d, out.P);
    for (int k = 0; k < m->n; ++k) m->p[k] += at.phi[k] * pressure * at.p.dV;
  }
}

/* K[b - a] += r_a q_b + q_a r_b + c q_a q_b. */
HD void mean_add_modes(const int n, const int dim, const MeanElement *m, const int a, double side[MEAN_MODES][27 * 3],
                       double cross[MEAN_MODES][27 * 3], double c[MEAN_MODES][MEAN_MODES], double *K) {
  for (int k = 0; k < m->n; ++k)
    for (int i = 0; i < dim; ++i) {
      const double q = side[k][a * dim + i];
      double r = cross[k][a * dim + i];
      for (int l = 0; l < m->n; ++l) r += m->share * c[k][l] * side[l][a * dim + i];
      for (int b = a; b < n; ++b)
        for (int j = 0; j < dim; ++j)
          K[((b - a) * dim + i) * dim + j] += r * side[k][b * dim + j] + q * cross[k][b * dim + j];
    }
}

/* Pair blocks of element e; K [pairs][dim][dim] is room for them. On a GPU: mean_tangent_rows.h. */
HD void mean_pairs(const int n, const int dim, const PointArgs *s, const int64_t e, double *K) {
  double x[27 * 3], u[27 * 3], side[MEAN_MODES][27 * 3], cross[MEAN_MODES][27 * 3];
  double state[POINT_MAX_STATES], A[81], c[MEAN_MODES][MEAN_MODES] = {{0}};
  const int square = dim * dim, n_pair = point_pairs_before(n, n);
  if (s->law_row[e] == LAW_NONE) return;
  MeanElement m;
  for (int k = 0; k < n_pair * square; ++k) K[k] = 0;
  mean_place(n, dim, s, e, x, u, &m);
  mean_hold(s, e, &m);
  mean_pressure(n, dim, s, e, &m);
  mean_zero(n, dim, m.n, side);
  mean_zero(n, dim, m.n, cross);
  for (int q = 0; q < s->e.n_q; ++q) {
    MeanPoint at;
    PointOut out;
    double both[9], pressure = 0;
    const double *phi = at.phi;
    out.A = A;
    out.state = state;
    (void)mean_answer(n, dim, s, e, &m, q, &at, &out);
    for (int k = 0; k < m.n; ++k) pressure += m.p[k] * phi[k];
    const double curve = (1 - m.local) * dilatation_tangent(&at.d, pressure, out.P, A, both);
    (void)mean_add_local(s, e, q, &m, &at, &out);
    for (int a = 0; a < n; ++a) point_add_pairs(n, dim, s, &at.p, a, A, K + point_pairs_before(n, a) * square);
    mean_add(n, dim, s, &m, &at.p, phi, at.d.J, at.d.b, side);
    mean_add(n, dim, s, &m, &at.p, phi, 1 - m.local, both, cross);
    for (int k = 0; k < m.n; ++k)
      for (int l = 0; l < m.n; ++l) c[k][l] += phi[k] * phi[l] * curve * at.p.dV;
  }
  for (int a = 0; a < n; ++a) mean_add_modes(n, dim, &m, a, side, cross, c, K + point_pairs_before(n, a) * square);
  for (int pair = 0; pair < n_pair; ++pair) {
    double *to = s->e.K + (s->e.pair_first + pair * s->e.pair_p + e * s->e.pair_e) * s->e.block_step;
    for (int k = 0; k < square; ++k) to[k * s->e.scalar_step] = K[pair * square + k];
  }
}

/* ---- augmented Lagrangian ---- */

/* kept = old kept + add theta(u), or with the share of each element for `add`, and what is left for `old`. */
typedef struct MeanKeepArgs {
  PointArgs p; /* kept and share are written, not used */
  double old, add;
  bool by_share;
} MeanKeepArgs;

HD void mean_keep(const int n, const int dim, const MeanKeepArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  double x[27 * 3], u[27 * 3];
  if (s->law_row[e] == LAW_NONE) return;
  MeanElement m;
  mean_place(n, dim, s, e, x, u, &m);
  const double add = args->by_share ? s->share[e] : args->add, old = args->by_share ? 1 - add : args->old;
  for (int k = 0; k < m.n; ++k) {
    double *kept = s->kept + k * s->kept_m + e;
    *kept = (old == 0 ? 0 : old * *kept) + add * m.theta[k];
  }
}

/* The share of an element: so much of c that it is MEAN_AUGMENTED times the shear modulus, a tenth of the trace of
 * d2 psi/dF2 where that is isotropic. */
HD void mean_weigh(const int n, const int dim, const PointArgs *s, const int64_t e) {
  double x[27 * 3], u[27 * 3], state[POINT_MAX_STATES], A[81], shear = 0, bulk = 0;
  int failed = 0;
  if (s->law_row[e] == LAW_NONE) return;
  MeanElement m;
  mean_place(n, dim, s, e, x, u, &m);
  for (int q = 0; q < s->e.n_q; ++q) {
    MeanPoint at;
    PointOut out;
    double both[9];
    out.A = A;
    out.state = state;
    failed |= mean_answer(n, dim, s, e, &m, q, &at, &out);
    bulk += (1 - m.local) * dilatation_tangent(&at.d, 0, out.P, A, both) * at.p.dV;
    failed |= mean_add_local(s, e, q, &m, &at, &out);
    for (int k = 0; k < 81; k += 10) shear += 0.1 * A[k] * at.p.dV;
  }
  s->share[e] = !failed && shear > 0 && bulk > MEAN_AUGMENTED * shear ? MEAN_AUGMENTED * shear / bulk : 1;
}

/* What the matrix does not have: (1 - s) sum_mn c_mn q_am q_bn. Component i of node a and function m of element e at
 * q[((m n_node + a) dim + i) n_elem + e], (1 - s) c_mn at c[(m n_function + n) n_elem + e]. */
typedef struct MeanCoupleArgs {
  PointArgs p;
  double *q, *c;
} MeanCoupleArgs;

HD void mean_couple(const int n, const int dim, const MeanCoupleArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  double x[27 * 3], u[27 * 3], state[POINT_MAX_STATES], A[81], side[MEAN_MODES][27 * 3];
  double c[MEAN_MODES][MEAN_MODES] = {{0}};
  if (s->law_row[e] == LAW_NONE) return;
  MeanElement m;
  mean_place(n, dim, s, e, x, u, &m);
  mean_hold(s, e, &m);
  mean_zero(n, dim, m.n, side);
  for (int q = 0; q < s->e.n_q; ++q) {
    MeanPoint at;
    PointOut out;
    double both[9];
    out.A = A;
    out.state = state;
    (void)mean_answer(n, dim, s, e, &m, q, &at, &out);
    const double curve = (1 - m.local) * dilatation_tangent(&at.d, 0, out.P, A, both);
    mean_add(n, dim, s, &m, &at.p, at.phi, at.d.J, at.d.b, side);
    for (int k = 0; k < m.n; ++k)
      for (int l = 0; l < m.n; ++l) c[k][l] += at.phi[k] * at.phi[l] * curve * at.p.dV;
  }
  for (int k = 0; k < m.n; ++k) {
    for (int a = 0; a < n * dim; ++a) args->q[((int64_t)k * n * dim + a) * s->e.n_elem + e] = side[k][a];
    for (int l = 0; l < m.n; ++l) args->c[((int64_t)k * m.n + l) * s->e.n_elem + e] = (1 - m.share) * c[k][l];
  }
}

/* With these, `kept` goes towards q.u by the share of the element, and the forces are those of the change. */
typedef struct MeanTurnArgs {
  ElementArgs e;
  int32_t n_node, dim, n_mode;
  const double *q, *c, *share;
  double *kept; /* as in PointArgs, of all elements of the block */
} MeanTurnArgs;

HD void mean_turn(const MeanTurnArgs *s, const int64_t e) {
  const int64_t step = s->e.n_elem;
  double theta[MEAN_MODES] = {0}, change[MEAN_MODES], p[MEAN_MODES] = {0};
  for (int a = 0; a < s->n_node; ++a) {
    const double *u = s->e.u + (int64_t)s->dim * s->e.nodes[a * s->e.node_a + e * s->e.node_e];
    for (int k = 0; k < s->n_mode; ++k)
      for (int i = 0; i < s->dim; ++i) theta[k] += s->q[((k * s->n_node + a) * s->dim + i) * step + e] * u[i];
  }
  for (int k = 0; k < s->n_mode; ++k) {
    double *kept = s->kept + k * step + e;
    change[k] = s->share[e] * (theta[k] - *kept);
    *kept += change[k];
  }
  for (int k = 0; k < s->n_mode; ++k)
    for (int l = 0; l < s->n_mode; ++l) p[k] += s->c[(k * s->n_mode + l) * step + e] * change[l];
  for (int a = 0; a < s->n_node; ++a) {
    double *to = s->e.f + (s->e.force_first + a * s->e.force_a + e * s->e.force_e) * s->e.entry_step;
    for (int i = 0; i < s->dim; ++i) {
      double f = 0;
      for (int k = 0; k < s->n_mode; ++k) f += p[k] * s->q[((k * s->n_node + a) * s->dim + i) * step + e];
      to[i * s->e.component_step] = f;
    }
  }
}

/* ---- one kernel each for all kinds, rows as in nonlinear_rows.h ---- */
MATERIAL_CALL void mean_force_2(const PointArgs *s, const int64_t e) { mean_force(s->n_node, 2, s, e); }
MATERIAL_CALL void mean_force_3(const PointArgs *s, const int64_t e) { mean_force(s->n_node, 3, s, e); }

HD void mean_force_body(const PointArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->dim == 2) mean_force_2(s, e);
  else mean_force_3(s, e);
}
HD void mean_recover_body(const RecoverArgs *s, int64_t e, double *sum) {
  (void)sum;
  recover_points(s->p.n_node, s->p.dim, true, true, s, e);
}
HD void mean_keep_body(const MeanKeepArgs *s, int64_t e, double *sum) {
  (void)sum;
  mean_keep(s->p.n_node, s->p.dim, s, e);
}
HD void mean_weigh_body(const PointArgs *s, int64_t e, double *sum) {
  (void)sum;
  mean_weigh(s->n_node, s->dim, s, e);
}
HD void mean_couple_body(const MeanCoupleArgs *s, int64_t e, double *sum) {
  (void)sum;
  mean_couple(s->p.n_node, s->p.dim, s, e);
}
HD void mean_turn_body(const MeanTurnArgs *s, int64_t e, double *sum) {
  (void)sum;
  mean_turn(s, e);
}
