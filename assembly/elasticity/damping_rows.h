/* Element kernels of damping in proportion to the stiffness of the material at rest, for C and CUDA: C(u) v = int B^T C B v dV, where
 * B v is the rate of the Green-Lagrange strain, sym(F^T grad v), so that a body that turns as a whole is not damped. The viscous part
 * of the second Piola-Kirchhoff stress is that modulus times that rate (Kelvin and Voigt's solid; Bonet and Wood, Nonlinear Continuum
 * Mechanics for Finite Element Analysis, 2008, section 4.13, for the rate).
 *
 * Elements of mean dilatation (mean_element.h) have the mean rate of their volume there too: B gets the third of
 * (sum_m phi_m q_am / theta - b_a) of the metric F^T F, b_a = F^-T grad N_a. Laws are linear ones (linear_law.h). */
#pragma once
#include "assembly/elasticity/force_rows.h"

/* F and b, which are 1 where F has no inverse. */
HD void damping_change(const PointArgs *s, const double *H, Dilatation *d) {
  const double still[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (!dilatation_begin(s->finite, H, 0, d)) (void)dilatation_begin(false, still, 0, d);
}

/* Point q of an element, and what it has as a whole where its changes of volume are smooth; F and b. */
HD void damping_find(const int dim, const PointArgs *s, const int64_t element, const int q, PointPlace *p,
                     MeanElement *m, double *phi, Dilatation *d) {
  double H[9];
  m->n = s->mean_modes;
  if (m->n) mean_head_read(s->head + element, s->e.n_elem, m);
  place_find(s->n_node, dim, s, element, q, p);
  place_gradient(s->n_node, dim, s, element, q, p, s->e.u, H);
  damping_change(s, H, d);
  if (m->n) place_functions(dim, m, p, phi);
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

/* S F of a stress S, less the part `mean` of b. */
HD void damping_stress(const Dilatation *d, const double stress[6], const double mean, double *P) {
  const double S[9] = {stress[0], stress[3], stress[5], stress[3], stress[1],
                       stress[4], stress[5], stress[4], stress[2]};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      P[3 * i + j] = -mean * d->b[3 * i + j];
      for (int k = 0; k < 3; ++k) P[3 * i + j] += S[3 * j + k] * d->F[3 * i + k];
    }
}

/* Behind the numbers of a point that all forces have, where changes of volume are smooth: how fast its volume grows times dV, 1 / (3 theta),
 * what one of a growth adds to its pressure, and its T. */
enum { DAMPING_RATE, DAMPING_SHARE, DAMPING_HEAVY, DAMPING_STRESS };
HD int damping_more(const int dim) { return DAMPING_STRESS + tangent_components(dim); }
HD int damping_point_numbers(const int dim, const int modes) {
  return force_point(dim, modes) + (modes ? damping_more(dim) : 0);
}

/* Point q of element e of the part, without the growth of the element's volume: f = C(u) v. */
HD void damping_force_point(const int dim, const ForceArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->t.p;
  const int modes = s->mean_modes;
  const int64_t element = args->t.first + e, step = args->t.n;
  double L[9], P[9], strain[6], stress[6], metric[6], phi[MEAN_MODES] = {0}, grows = 0;
  PointPlace p;
  Dilatation d;
  MeanElement m;
  if (e >= step) return;
  damping_find(dim, s, element, q, &p, &m, phi, &d);
  place_gradient(s->n_node, dim, s, element, q, &p, args->v, L);
  const double theta = damping_volume(s, &m, phi, &d, metric), *law = point_law(s, element, q);
  damping_strain(modes > 0, &d, L, metric, strain);
  linear_stress(law, strain, stress);
  const double mean = modes ? elastic_work(stress, metric) / 3 : 0;
  double *to = args->t.room + (int64_t)q * args->each * step + e;
  damping_stress(&d, stress, mean, P);
  force_keep(dim, &p, p.dV, P, step, to);
  if (!modes) return;
  force_keep_volume(dim, &p, &d, &m, phi, mean / theta, step, to);
  to += force_point(dim, modes) * step;
  for (int k = 0; k < 9; ++k) grows += d.b[k] * L[k];
  linear_stress(law, metric, stress);
  const double heavy = elastic_work(stress, metric) / 3;
  damping_stress(&d, stress, heavy, P);
  to[DAMPING_RATE * step] = grows * d.J * p.dV;
  to[DAMPING_SHARE * step] = 1 / (3 * theta);
  to[DAMPING_HEAVY * step] = heavy / theta * p.dV;
  force_keep(dim, &p, p.dV, P, step, to + DAMPING_STRESS * step);
}

/* And with it. */
HD void damping_grow(const int dim, const ForceArgs *args, const int64_t e, const int q) {
  const int modes = args->t.p.mean_modes, last = force_point(dim, modes) - 1;
  const int64_t step = args->t.n;
  if (e >= step) return;
  const double *first = args->t.room + e;
  double *to = args->t.room + (int64_t)q * args->each * step + e, *more = to + (last + 1) * step, grows[MEAN_MODES];
  force_pressures(dim, modes, args->t.p.e.n_q, first, args->each, 1 + DAMPING_RATE, step, grows);
  const double c = force_pressure(dim, modes, to, step, grows) * more[DAMPING_SHARE * step];
  for (int k = 0; k < tangent_components(dim); ++k) to[k * step] += c * more[(DAMPING_STRESS + k) * step];
  to[last * step] += c * more[DAMPING_HEAVY * step];
}

/* Point q of element e of a part, for the blocks of pairs (tangent_rows.h): B = D grad N_a + metric / (3 theta) sum_m phi_m q_am, so that
 * A = D^T C D, what crosses is D^T C metric / (3 theta), and the curvature metric C metric / (3 theta)^2. */
HD void damping_point(const int dim, const TangentArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->p;
  const int n = s->n_node;
  const bool smooth = s->mean_modes > 0;
  double A[81], D[9][6], both[9], phi[MEAN_MODES] = {0}, metric[6], stress[6], curve = 0;
  PointPlace p;
  Dilatation d;
  MeanElement m;
  if (e >= args->n) return;
  const double *law = point_law(s, args->first + e, q);
  damping_find(dim, s, args->first + e, q, &p, &m, phi, &d);
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
  tangent_keep(n, dim, args, q, &p, A, to);
  const TangentVolume volume = {&d, phi, both, curve, 0};
  if (smooth) tangent_keep_volume(n, dim, args, &p, &volume, to);
}

MATERIAL_CALL void damping_force_2(const ForceArgs *s, const int64_t e, const int q) {
  damping_force_point(2, s, e, q);
}
MATERIAL_CALL void damping_force_3(const ForceArgs *s, const int64_t e, const int q) {
  damping_force_point(3, s, e, q);
}
MATERIAL_CALL void damping_point_2(const TangentArgs *s, const int64_t e, const int q) { damping_point(2, s, e, q); }
MATERIAL_CALL void damping_point_3(const TangentArgs *s, const int64_t e, const int q) { damping_point(3, s, e, q); }
HD void damping_force_body(const ForceArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->t.p.e.n_q, &q);
  if (s->t.p.dim == 2) damping_force_2(s, e, q);
  else damping_force_3(s, e, q);
}
HD void damping_grow_body(const ForceArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->t.p.e.n_q, &q);
  if (s->t.p.dim == 2) damping_grow(2, s, e, q);
  else damping_grow(3, s, e, q);
}
HD void damping_tangent_body(const TangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->p.e.n_q, &q);
  if (s->p.dim == 2) damping_point_2(s, e, q);
  else damping_point_3(s, e, q);
}
