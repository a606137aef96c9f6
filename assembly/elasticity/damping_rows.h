/* Element kernels of damping in proportion to the stiffness of the material at rest, for C and CUDA: C(u) v = int B^T C B v dV, where
 * B v is the rate of the Green-Lagrange strain, sym(F^T grad v), so that a body that turns as a whole is not damped. The viscous part
 * of the second Piola-Kirchhoff stress is that modulus times that rate (Kelvin and Voigt's solid; Bonet and Wood, Nonlinear Continuum
 * Mechanics for Finite Element Analysis, 2008, section 4.13, for the rate).
 *
 * Elements of mean dilatation (mean_element.h) have the mean rate of their volume there too: B gets the third of
 * (sum_m phi_m q_am / theta - b_a) of the metric F^T F, b_a = F^-T grad N_a. Laws are linear ones (linear_law.h). */
#pragma once
#include "assembly/elasticity/mean_element.h"

typedef struct DampingArgs {
  PointArgs p;     /* u NULL: F is 1; K and f are what is made */
  const double *v; /* [n_node][dim], global frame; of forces */
} DampingArgs;

/* Of one element. */
typedef struct DampingElement {
  double x[27 * 3], u[27 * 3], side[MEAN_MODES][27 * 3]; /* q_am */
  MeanElement m;
} DampingElement;

/* Point q: grad N, F, and b, which is 1 where F has no inverse. */
HD void damping_gradient(const int n, const int dim, const PointArgs *s, const DampingElement *el, const int q,
                         const double thickness, PointGeometry *p, Dilatation *d) {
  const double still[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  double H[9];
  point_geometry(n, dim, s, el->x, q, thickness, p);
  point_gradient(n, dim, s, el->u, p, H);
  if (!dilatation_begin(s->finite, H, 0, d)) (void)dilatation_begin(false, still, 0, d);
}

HD void damping_begin(const int n, const int dim, const PointArgs *s, const int64_t e, DampingElement *el) {
  const double thickness = s->e.constants[s->e.material[e]].thickness;
  for (int k = 0; k < 27 * 3; ++k) el->x[k] = el->u[k] = 0;
  element_coordinates(n, dim, &s->e, e, el->x);
  if (s->e.u) point_displacement(n, dim, &s->e, e, el->u);
  if (!s->mean_modes) return;
  el->m.x = el->x;
  el->m.u = el->u;
  el->m.thickness = thickness;
  mean_begin(n, dim, s, e, &el->m);
  for (int m = 0; m < el->m.n; ++m)
    for (int k = 0; k < n * dim; ++k) el->side[m][k] = 0;
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    Dilatation d;
    double phi[MEAN_MODES];
    damping_gradient(n, dim, s, el, q, thickness, &p, &d);
    mean_functions(n, dim, s, &el->m, q, phi);
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < dim; ++i) {
        double t = i == 0 ? d.b[8] * point_hoop(n, dim, s, &p, a) : 0;
        for (int j = 0; j < dim; ++j) t += d.b[3 * i + j] * p.g[a * dim + j];
        for (int m = 0; m < el->m.n; ++m) el->side[m][a * dim + i] += phi[m] * d.J * p.dV * t;
      }
  }
}

/* Adds `factor` times the tensor x (x) y + y (x) x, halved, as a strain. */
HD void damping_add(const double factor, const double x[3], const double y[3], double strain[6]) {
  for (int k = 0; k < 3; ++k) strain[k] += factor * x[k] * y[k];
  strain[3] += factor * (x[0] * y[1] + x[1] * y[0]);
  strain[4] += factor * (x[1] * y[2] + x[2] * y[1]);
  strain[5] += factor * (x[0] * y[2] + x[2] * y[0]);
}

/* B[n dim][6] of point q, and its dV. */
HD double damping_point(const int n, const int dim, const PointArgs *s, const int64_t e, const DampingElement *el,
                        const int q, double (*B)[6]) {
  PointGeometry p;
  Dilatation d;
  double phi[MEAN_MODES] = {0, 0, 0, 0}, theta = 1, metric[6] = {0, 0, 0, 0, 0, 0};
  damping_gradient(n, dim, s, el, q, s->e.constants[s->e.material[e]].thickness, &p, &d);
  if (s->mean_modes) mean_functions(n, dim, s, &el->m, q, phi);
  if (s->mean_modes && s->finite) theta += mean_sum(&el->m, el->m.theta, phi);
  for (int i = 0; i < 3 && s->mean_modes; ++i) damping_add(1, d.F + 3 * i, d.F + 3 * i, metric);
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < dim; ++i) {
      const double hoop = i == 0 ? point_hoop(n, dim, s, &p, a) : 0, along[3] = {0, 0, hoop};
      const double g[3] = {p.g[a * dim], p.g[a * dim + 1], dim == 3 ? p.g[a * dim + 2] : 0};
      double *to = B[a * dim + i], add = 0;
      for (int k = 0; k < 6; ++k) to[k] = 0;
      damping_add(1, d.F + 3 * i, g, to);
      if (hoop != 0) damping_add(1, d.F + 6, along, to);
      if (!s->mean_modes) continue;
      for (int m = 0; m < el->m.n; ++m) add += phi[m] * el->side[m][a * dim + i] / theta;
      for (int j = 0; j < 3; ++j) add -= d.b[3 * i + j] * g[j];
      add -= d.b[8] * hoop;
      for (int k = 0; k < 6; ++k) to[k] += add / 3 * metric[k];
    }
  return p.dV;
}

/* f = C(u) v of element e. */
MATERIAL_CALL void damping_force(const int dim, const DampingArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  const int n = s->n_node;
  double B[27 * 3][6], f[27 * 3], v[27 * 3];
  DampingElement el;
  ElementArgs rate = s->e;
  rate.u = args->v;
  point_displacement(n, dim, &rate, e, v);
  damping_begin(n, dim, s, e, &el);
  for (int k = 0; k < n * dim; ++k) f[k] = 0;
  for (int q = 0; q < s->e.n_q; ++q) {
    const double dV = damping_point(n, dim, s, e, &el, q, B);
    double strain[6] = {0, 0, 0, 0, 0, 0}, stress[6];
    for (int k = 0; k < n * dim; ++k)
      for (int I = 0; I < 6; ++I) strain[I] += B[k][I] * v[k];
    linear_stress(point_law(s, e, q), strain, stress);
    for (int k = 0; k < n * dim; ++k) f[k] += dV * elastic_work(stress, B[k]);
  }
  for (int a = 0; a < n; ++a) {
    double *to = s->e.f + (s->e.force_first + a * s->e.force_a + e * s->e.force_e) * s->e.entry_step;
    for (int i = 0; i < dim; ++i) to[i * s->e.component_step] = f[a * dim + i];
  }
}

/* Row i = a * n_elem + e: pair blocks of node a with nodes b >= a. */
MATERIAL_CALL void damping_pairs(const int dim, const DampingArgs *args, const int64_t i) {
  const PointArgs *s = &args->p;
  const int n = s->n_node, a = (int)((uint32_t)i / (uint32_t)s->e.n_elem), before = point_pairs_before(n, a);
  const int64_t e = i - (int64_t)a * s->e.n_elem;
  double B[27 * 3][6], K[27 * 9];
  DampingElement el;
  damping_begin(n, dim, s, e, &el);
  for (int k = 0; k < (n - a) * dim * dim; ++k) K[k] = 0;
  for (int q = 0; q < s->e.n_q; ++q) {
    const double dV = damping_point(n, dim, s, e, &el, q, B);
    for (int c = 0; c < dim; ++c) {
      double stress[6];
      linear_stress(point_law(s, e, q), B[a * dim + c], stress);
      for (int b = a; b < n; ++b)
        for (int k = 0; k < dim; ++k) K[((b - a) * dim + c) * dim + k] += dV * elastic_work(stress, B[b * dim + k]);
    }
  }
  for (int b = a; b < n; ++b) {
    double *to =
        s->e.K + (s->e.pair_first + (int64_t)(before + b - a) * s->e.pair_p + e * s->e.pair_e) * s->e.block_step;
    for (int k = 0; k < dim * dim; ++k) to[k * s->e.scalar_step] = K[(b - a) * dim * dim + k];
  }
}

HD void damping_force_body(const DampingArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->p.dim == 2) damping_force(2, s, e);
  else damping_force(3, s, e);
}
HD void damping_pairs_body(const DampingArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (s->p.dim == 2) damping_pairs(2, s, i);
  else damping_pairs(3, s, i);
}
