/* Element kernels of damping in proportion to the stiffness of the material at rest, for C and CUDA: C(u) v = int B^T C B v dV, where
 * B v is the rate of the Green-Lagrange strain, sym(F^T grad v), so that a body that turns as a whole is not damped. The viscous part
 * of the second Piola-Kirchhoff stress is that modulus times that rate (Kelvin and Voigt's solid; Bonet and Wood, Nonlinear Continuum
 * Mechanics for Finite Element Analysis, 2008, section 4.13, for the rate).
 *
 * Elements of mean dilatation (mean_element.h) have the mean rate of their volume there too: B gets the third of
 * (sum_m phi_m q_am / theta - b_a) of the metric F^T F, b_a = F^-T grad N_a. Laws are linear ones (linear_law.h). */
#pragma once
#include "assembly/elasticity/tangent_rows.h"

typedef struct DampingArgs {
  PointArgs p;     /* u NULL: F is 1; f is what is made */
  const double *v; /* [n_node][dim], global frame */
} DampingArgs;

/* Point q: grad N, F and b, which are 1 where F has no inverse. */
HD void damping_gradient(const int n, const int dim, const PointArgs *s, const MeanElement *m, const int q,
                         PointGeometry *p, Dilatation *d) {
  const double still[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  double H[9];
  point_geometry(n, dim, s, m->x, q, m->thickness, p);
  point_gradient(n, dim, s, m->u, p, H);
  if (!dilatation_begin(s->finite, H, 0, d)) (void)dilatation_begin(false, still, 0, d);
}

/* Element e, of which x and u [n dim] become the coordinates and displacements. */
HD void damping_place(const int n, const int dim, const PointArgs *s, const int64_t e, double *x, double *u,
                      MeanElement *m) {
  m->n = 0;
  if (s->mean_modes) {
    mean_place(n, dim, s, e, x, u, m);
    return;
  }
  element_coordinates(n, dim, &s->e, e, x);
  for (int k = 0; k < n * dim; ++k) u[k] = 0;
  if (s->e.u) point_displacement(n, dim, &s->e, e, u);
  m->x = x;
  m->u = u;
  m->thickness = s->e.constants[s->e.material[e]].thickness;
}

/* Adds `factor` times the tensor x (x) y + y (x) x, halved, as a strain. */
HD void damping_add(const double factor, const double x[3], const double y[3], double strain[6]) {
  for (int k = 0; k < 3; ++k) strain[k] += factor * x[k] * y[k];
  strain[3] += factor * (x[0] * y[1] + x[1] * y[0]);
  strain[4] += factor * (x[1] * y[2] + x[2] * y[1]);
  strain[5] += factor * (x[0] * y[2] + x[2] * y[0]);
}

/* At a point: theta, and the metric F^T F as a strain. */
HD double damping_volume(const PointArgs *s, const MeanElement *m, const double *phi, const Dilatation *d,
                         double metric[6]) {
  for (int k = 0; k < 6; ++k) metric[k] = 0;
  for (int i = 0; i < 3; ++i) damping_add(1, d->F + 3 * i, d->F + 3 * i, metric);
  return s->finite ? 1 + mean_sum(m, m->theta, phi) : 1;
}

/* The rate of strain that a gradient of velocity L[9] is by itself. */
HD void damping_strain(const bool smooth, const Dilatation *d, const double *L, const double metric[6],
                       double strain[6]) {
  double grows = 0;
  for (int k = 0; k < 6; ++k) strain[k] = 0;
  for (int i = 0; i < 3; ++i) damping_add(1, d->F + 3 * i, L + 3 * i, strain);
  if (!smooth) return;
  for (int k = 0; k < 9; ++k) grows += d->b[k] * L[k];
  for (int k = 0; k < 6; ++k) strain[k] -= grows / 3 * metric[k];
}

/* f = C(u) v of element e. */
MATERIAL_CALL void damping_force(const int dim, const DampingArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  const int n = s->n_node;
  const bool smooth = s->mean_modes > 0;
  double x[27 * 3], u[27 * 3], v[27 * 3], f[1][27 * 3], side[MEAN_MODES][27 * 3];
  double grows[MEAN_MODES] = {0}, pressure[MEAN_MODES] = {0}, phi[MEAN_MODES] = {0};
  const double unit = 1;
  PointGeometry p;
  Dilatation d;
  ElementArgs rate = s->e;
  MeanElement m;
  rate.u = args->v;
  point_displacement(n, dim, &rate, e, v);
  damping_place(n, dim, s, e, x, u, &m);
  MeanElement one = m;
  one.n = 1;
  mean_zero(n, dim, 1, f);
  mean_zero(n, dim, m.n, side);
  for (int q = 0; q < s->e.n_q && smooth; ++q) {
    double L[9], t = 0;
    damping_gradient(n, dim, s, &m, q, &p, &d);
    point_gradient(n, dim, s, v, &p, L);
    mean_functions(n, dim, s, &m, q, phi);
    for (int k = 0; k < 9; ++k) t += d.b[k] * L[k];
    for (int k = 0; k < m.n; ++k) grows[k] += phi[k] * d.J * p.dV * t;
  }
  for (int q = 0; q < s->e.n_q; ++q) {
    double L[9], P[9], strain[6], stress[6], metric[6], mean = 0;
    damping_gradient(n, dim, s, &m, q, &p, &d);
    point_gradient(n, dim, s, v, &p, L);
    if (smooth) mean_functions(n, dim, s, &m, q, phi);
    const double theta = damping_volume(s, &m, phi, &d, metric);
    damping_strain(smooth, &d, L, metric, strain);
    for (int k = 0; k < 6 && smooth; ++k) strain[k] += mean_sum(&m, grows, phi) / (3 * theta) * metric[k];
    linear_stress(point_law(s, e, q), strain, stress);
    const double S[9] = {stress[0], stress[3], stress[5], stress[3], stress[1],
                         stress[4], stress[5], stress[4], stress[2]};
    if (smooth) mean = elastic_work(stress, metric) / 3;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        P[3 * i + j] = smooth ? -mean * d.b[3 * i + j] : 0;
        for (int k = 0; k < 3; ++k) P[3 * i + j] += S[3 * j + k] * d.F[3 * i + k];
      }
    mean_add(n, dim, s, &one, &p, &unit, 1, P, f);
    mean_add(n, dim, s, &m, &p, phi, d.J, d.b, side);
    for (int k = 0; k < m.n; ++k) pressure[k] += phi[k] * mean / theta * p.dV;
  }
  for (int a = 0; a < n; ++a) {
    double *to = s->e.f + (s->e.force_first + a * s->e.force_a + e * s->e.force_e) * s->e.entry_step;
    for (int i = 0; i < dim; ++i) {
      double t = f[0][a * dim + i];
      for (int k = 0; k < m.n; ++k) t += pressure[k] * side[k][a * dim + i];
      to[i * s->e.component_step] = t;
    }
  }
}

/* Point q of element e of a part, for the blocks of pairs (tangent_rows.h): B = D grad N_a + metric / (3 theta) sum_m phi_m q_am, so that
 * A = D^T C D, what crosses is D^T C metric / (3 theta), and the curvature metric C metric / (3 theta)^2. */
MATERIAL_CALL void damping_point(const int dim, const TangentArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->p;
  const int n = s->n_node;
  const bool smooth = s->mean_modes > 0;
  double x[27 * 3], u[27 * 3], A[81], D[9][6], both[9], phi[MEAN_MODES] = {0}, metric[6], stress[6], curve = 0;
  PointGeometry p;
  Dilatation d;
  MeanElement m;
  if (e >= args->n) return;
  const double *law = point_law(s, args->first + e, q);
  damping_place(n, dim, s, args->first + e, x, u, &m);
  damping_gradient(n, dim, s, &m, q, &p, &d);
  if (smooth) mean_functions(n, dim, s, &m, q, phi);
  const double share = 1 / (3 * damping_volume(s, &m, phi, &d, metric));
  for (int c = 0; c < 9; ++c) {
    double L[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    L[c] = 1;
    damping_strain(smooth, &d, L, metric, D[c]);
  }
  for (int c = 0; c < 9; ++c) {
    linear_stress(law, D[c], stress);
    for (int k = 0; k < 9; ++k) A[9 * c + k] = elastic_work(stress, D[k]);
    if (smooth) both[c] = share * elastic_work(stress, metric);
  }
  if (smooth) linear_stress(law, metric, stress);
  if (smooth) curve = share * share * elastic_work(stress, metric);
  double *to = tangent_of_point(n, dim, args, e, q);
  tangent_keep(n, dim, args, &p, A, to);
  if (smooth) tangent_keep_volume(n, dim, args, &p, &d, &m, phi, both, curve, 0, to);
}

HD void damping_force_body(const DampingArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->p.dim == 2) damping_force(2, s, e);
  else damping_force(3, s, e);
}
HD void damping_tangent_body(const TangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->p.e.n_q, &q);
  if (s->p.dim == 2) damping_point(2, s, e, q);
  else damping_point(3, s, e, q);
}
