/* tangent_rows.h for mean dilatation (mean_rows.h), for C and CUDA: the points of an element, and what its nodes do to its change
 * of volume. */
#pragma once
#include "assembly/elasticity/force_rows.h"
#include "assembly/elasticity/mean_rows.h"

/* Point q of element `element`, where a material is asked, from what the element has as a whole. */
HD void mean_find(const int dim, const PointArgs *s, const int64_t element, const int q, PointPlace *p, MeanElement *m,
                  MeanPoint *at) {
  m->n = s->mean_modes;
  mean_head_read(s->head + element, s->e.n_elem, m);
  mean_hold(s, element, m);
  place_find(s->n_node, dim, s, element, q, p);
  place_gradient(s->n_node, dim, s, element, q, p, s->e.u, at->H);
  place_functions(dim, m, p, at->phi);
}

/* Point q of element e of the part. The pressure is not known yet: tangent_turn. */
HD void mean_tangent_point(const int dim, const TangentArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->p;
  const int n = s->n_node;
  const int64_t element = args->first + e;
  double A[81], both[9], state[POINT_MAX_STATES];
  PointPlace p;
  MeanElement m;
  MeanPoint at;
  PointOut out;
  if (e >= args->n || s->law_row[element] == LAW_NONE) return;
  mean_find(dim, s, element, q, &p, &m, &at);
  out.A = A;
  out.state = state;
  (void)mean_ask(s, element, &m, q, &at, &out);
  const double pressure = s->finite ? dilatation_pressure(&at.d, out.P) : 0,
               curve = (1 - m.local) * dilatation_tangent(&at.d, 0, out.P, A, both);
  (void)mean_add_local(s, element, q, &m, &at, &out);
  for (int k = 0; k < 9; ++k) both[k] *= 1 - m.local;
  double *to = tangent_of_point(n, dim, args, e, q);
  tangent_keep(n, dim, args, q, &p, A, to);
  const TangentVolume volume = {&at.d, at.phi, both, curve, pressure};
  tangent_keep_volume(n, dim, args, &p, &volume, to);
}

/* As mean_force, of point q of element e of the part. */
HD void mean_stress(const int dim, const ForceArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->t.p;
  const int64_t element = args->t.first + e, step = args->t.n;
  double state[POINT_MAX_STATES];
  PointPlace p;
  MeanElement m;
  MeanPoint at;
  PointOut out;
  if (e >= step || s->law_row[element] == LAW_NONE) return;
  mean_find(dim, s, element, q, &p, &m, &at);
  out.A = NULL;
  out.state = state;
  int failed = mean_ask(s, element, &m, q, &at, &out);
  const double pressure = (1 - m.local) * dilatation_pressure(&at.d, out.P);
  dilatation_stress(&at.d, 0, out.P);
  failed |= mean_add_local(s, element, q, &m, &at, &out);
  double *to = args->t.room + (int64_t)q * args->each * step + e;
  force_keep(dim, &p, p.dV, out.P, step, to);
  to[force_checks(dim) * step] = at.d.J;
  to[(force_checks(dim) + 1) * step] = failed;
  force_keep_volume(dim, &p, &at.d, &m, at.phi, pressure, step, to);
  for (int k = 0; k < s->n_state; ++k) s->state[k * s->n_point + s->point_first + q * s->point_q + element] = state[k];
}

/* What an element has as a whole, in parts: point q of element e of the part, dV and how much it grows, heat, where it is. */
enum { MEAN_HEAD_POINT = 6 };
HD void mean_head_point(const int dim, const TangentArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->p;
  const int64_t element = args->first + e, step = args->n;
  double H[9];
  PointPlace p;
  if (e >= step || s->law_row[element] == LAW_NONE) return;
  place_find(s->n_node, dim, s, element, q, &p);
  place_gradient(s->n_node, dim, s, element, q, &p, s->e.u, H);
  double *to = args->room + (int64_t)q * MEAN_HEAD_POINT * step + e;
  to[0] = p.dV;
  to[step] = mean_growth(s->finite, H);
  to[2 * step] = point_heat(s, element, q);
  for (int i = 0; i < dim; ++i) to[(3 + i) * step] = p.at[i];
}
HD void mean_head_element(const int dim, const TangentArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  const int n = s->n_node;
  const int64_t element = args->first + e, step = args->n;
  double x[27 * 3], term[MEAN_MODES] = {0};
  const double *point = args->room + e;
  MeanElement m;
  MeanMoments moments;
  if (s->law_row[element] == LAW_NONE) return;
  if (s->mean_modes > 1) element_coordinates(n, dim, &s->e, element, x);
  m.x = x;
  mean_moments_begin(n, dim, s, element, &m, &moments);
  for (int q = 0; q < s->e.n_q; ++q, point += MEAN_HEAD_POINT * step) {
    const double at[3] = {point[3 * step], point[4 * step], dim == 3 ? point[5 * step] : 0};
    mean_term(dim, &m, at, term);
    mean_moments_add(&m, term, point[0], point[step], point[2 * step], &moments);
  }
  mean_moments_end(&moments, &m);
  mean_head_keep(&m, s->head + element, s->e.n_elem);
}

/* What node a does at a point: its volume's change, J dV b g, and what crosses. */
HD void mean_node_at(const int dim, const double *g, const double *turned, const double *cross, const double size,
                     const int64_t step, double *q, double *r) {
  UNROLL
  for (int i = 0; i < dim; ++i) {
    q[i] = turned[i * step];
    r[i] = 0;
    UNROLL
    for (int j = 0; j < dim; ++j) r[i] += cross[(dim * i + j) * step] * g[j * step];
  }
  if (dim == 2) {
    q[0] += turned[2 * step];
    r[0] += cross[4 * step] * g[2 * step];
  }
  UNROLL
  for (int i = 0; i < dim; ++i) q[i] *= size;
}

/* q and r = what crosses + share / 2 times c q of node a of element e of the part, for each function; node 0 adds up the pressure. */
HD void mean_tangent_side(const int modes, const int dim, const TangentArgs *args, const int64_t e, const int a) {
  const PointArgs *s = &args->p;
  const int n = s->n_node;
  const int64_t step = args->n, element = args->first + e;
  double side[MEAN_MODES * 3] = {0}, cross[MEAN_MODES * 3] = {0}, c[MEAN_MODES * MEAN_MODES] = {0};
  double p[MEAN_MODES] = {0};
  if (e >= step || s->law_row[element] == LAW_NONE) return;
  const double *point = args->room + e + tangent_points_at(n, dim, modes) * step,
               share = s->kept ? s->share[element] : 1;
  for (int q = 0; q < s->e.n_q; ++q, point += tangent_point(n, dim, modes) * step) {
    const double *f = point + tangent_functions(n, dim) * step, curve = f[(modes + 1) * step];
    double t[3], r[3];
    mean_node_at(dim, point + (tangent_gradients(dim) + 3 * a) * step, point + (tangent_volume(n, dim) + 3 * a) * step,
                 point + tangent_cross(n, dim) * step, f[modes * step], step, t, r);
    UNROLL
    for (int k = 0; k < modes; ++k) {
      const double phi = f[k * step];
      UNROLL
      for (int i = 0; i < dim; ++i) {
        side[3 * k + i] += phi * t[i];
        cross[3 * k + i] += phi * r[i];
      }
      UNROLL
      for (int l = 0; l < modes; ++l) c[MEAN_MODES * k + l] += phi * f[l * step] * curve;
      p[k] += phi * f[(modes + 2) * step];
    }
  }
  double *to = args->room + e + a * dim * step;
  UNROLL
  for (int k = 0; k < modes; ++k, to += 2 * (int64_t)n * dim * step) {
    if (a == 0) s->head[mean_head_pressure(k) * s->e.n_elem + element] = p[k];
    UNROLL
    for (int i = 0; i < dim; ++i) {
      double r = cross[3 * k + i];
      UNROLL
      for (int l = 0; l < modes; ++l) r += share / 2 * c[MEAN_MODES * k + l] * side[3 * l + i];
      to[i * step] = side[3 * k + i];
      to[(n * dim + i) * step] = r;
    }
  }
}

MATERIAL_CALL void mean_points_2(const TangentArgs *s, const int64_t e, const int q) { mean_tangent_point(2, s, e, q); }
MATERIAL_CALL void mean_points_3(const TangentArgs *s, const int64_t e, const int q) { mean_tangent_point(3, s, e, q); }
HD void mean_tangent_body(const TangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->p.e.n_q, &q);
  if (s->p.dim == 2) mean_points_2(s, e, q);
  else mean_points_3(s, e, q);
}
MATERIAL_CALL void mean_stress_2(const ForceArgs *s, const int64_t e, const int q) { mean_stress(2, s, e, q); }
MATERIAL_CALL void mean_stress_3(const ForceArgs *s, const int64_t e, const int q) { mean_stress(3, s, e, q); }
HD void mean_stress_body(const ForceArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->t.p.e.n_q, &q);
  if (s->t.p.dim == 2) mean_stress_2(s, e, q);
  else mean_stress_3(s, e, q);
}
HD void mean_head_points_body(const TangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->p.e.n_q, &q);
  if (s->p.dim == 2) mean_head_point(2, s, e, q);
  else mean_head_point(3, s, e, q);
}
HD void mean_head_body(const TangentArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->p.dim == 2) mean_head_element(2, s, e);
  else mean_head_element(3, s, e);
}
HD void mean_sides_body(const TangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  int a;
  const int64_t e = tangent_row(i, s->p.n_node, &a);
  if (s->p.mean_modes == 1 && s->p.dim == 3) mean_tangent_side(1, 3, s, e, a);
  else if (s->p.mean_modes == 1) mean_tangent_side(1, 2, s, e, a);
  else if (s->p.dim == 3) mean_tangent_side(4, 3, s, e, a);
  else mean_tangent_side(3, 2, s, e, a);
}
