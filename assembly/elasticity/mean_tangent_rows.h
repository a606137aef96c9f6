/* tangent_rows.h for mean dilatation (mean_rows.h), for C and CUDA: an element's functions and pressure, its points, and what
 * its nodes do to its change of volume. */
#pragma once
#include "assembly/elasticity/mean_rows.h"
#include "assembly/elasticity/tangent_rows.h"

/* MeanElement to and from room for it, but for what its coordinates and displacements say. */
HD void mean_head_keep(const MeanElement *m, double *to, const int64_t step) {
  const double own[6] = {m->centre[0], m->centre[1], m->centre[2], m->scale, m->share, m->local};
  for (int k = 0; k < 6; ++k, to += step) *to = own[k];
  for (int i = 0; i < m->n; ++i, to += 3 * step) {
    to[0] = m->theta[i];
    to[step] = m->p[i];
    to[2 * step] = m->heat[i];
  }
  for (int i = 0; i < m->n; ++i)
    for (int k = 0; k <= i; ++k, to += step) *to = m->to[i][k];
}
HD void mean_head_read(const double *from, const int64_t step, MeanElement *m) {
  for (int k = 0; k < 3; ++k) m->centre[k] = from[k * step];
  m->scale = from[3 * step];
  m->share = from[4 * step];
  m->local = from[5 * step];
  from += 6 * step;
  for (int i = 0; i < m->n; ++i, from += 3 * step) {
    m->theta[i] = from[0];
    m->p[i] = from[step];
    m->heat[i] = from[2 * step];
  }
  for (int i = 0; i < m->n; ++i)
    for (int k = 0; k <= i; ++k, from += step) m->to[i][k] = *from;
}

/* Coordinates and displacements of an element, which m points to. */
HD void mean_place(const int n, const int dim, const PointArgs *s, const int64_t element, double *x, double *u,
                   MeanElement *m) {
  element_coordinates(n, dim, &s->e, element, x);
  for (int k = 0; k < n * dim; ++k) u[k] = 0;
  if (s->e.u) point_displacement(n, dim, &s->e, element, u);
  m->x = x;
  m->u = u;
  m->n = s->mean_modes;
  m->thickness = s->e.constants[s->e.material[element]].thickness;
}

/* Element e of the part. */
HD void mean_tangent_head(const int n, const int dim, const TangentArgs *args, const int64_t e) {
  const PointArgs *s = &args->p;
  const int64_t element = args->first + e;
  double x[27 * 3], u[27 * 3];
  MeanElement m;
  if (s->law_row[element] == LAW_NONE) return;
  mean_place(n, dim, s, element, x, u, &m);
  mean_begin(n, dim, s, element, x, u, &m);
  mean_hold(s, element, &m);
  mean_head_keep(&m, args->room + e, args->n);
}

/* Point q of element e of the part. The pressure is not known yet: tangent_turn. */
HD void mean_tangent_point(const int n, const int dim, const TangentArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->p;
  const int64_t element = args->first + e, step = args->n;
  double x[27 * 3], u[27 * 3], A[81], both[9], state[POINT_MAX_STATES];
  MeanElement m;
  MeanPoint at;
  PointOut out;
  if (e >= step || s->law_row[element] == LAW_NONE) return;
  mean_place(n, dim, s, element, x, u, &m);
  mean_head_read(args->room + e, step, &m);
  out.A = A;
  out.state = state;
  (void)mean_answer(n, dim, s, element, &m, q, &at, &out);
  const double pressure = s->finite ? dilatation_pressure(&at.d, out.P) : 0,
               curve = (1 - m.local) * dilatation_tangent(&at.d, 0, out.P, A, both);
  (void)mean_add_local(s, element, q, &m, &at, &out);
  double *to = args->room + (tangent_points_at(n, dim, m.n) + (int64_t)q * tangent_point(n, dim, m.n)) * step + e;
  tangent_keep(n, dim, args, &at.p, A, to);
  to += tangent_volume(n, dim) * step;
  for (int a = 0; a < n; ++a, to += 3 * step) {
    for (int i = 0; i < dim; ++i) {
      double t = 0;
      for (int j = 0; j < dim; ++j) t += at.d.b[3 * i + j] * at.p.g[a * dim + j];
      to[i * step] = t;
    }
    if (dim == 2) to[2 * step] = at.d.b[8] * point_hoop(n, dim, s, &at.p, a);
  }
  for (int k = 0; k < tangent_components(dim); ++k, to += step)
    *to = (1 - m.local) * both[tangent_component(dim, k)] * at.p.dV;
  for (int k = 0; k < m.n; ++k, to += step) *to = at.phi[k];
  to[0] = at.d.J * at.p.dV;
  to[step] = curve * at.p.dV;
  to[2 * step] = pressure * at.p.dV;
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
  const int n = args->p.n_node;
  const int64_t step = args->n;
  double side[MEAN_MODES * 3] = {0}, cross[MEAN_MODES * 3] = {0}, c[MEAN_MODES * MEAN_MODES] = {0};
  double p[MEAN_MODES] = {0};
  if (e >= step || args->p.law_row[args->first + e] == LAW_NONE) return;
  double *head = args->room + e;
  const double *point = head + tangent_points_at(n, dim, modes) * step;
  for (int q = 0; q < args->p.e.n_q; ++q, point += tangent_point(n, dim, modes) * step) {
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
  double *to = head + (tangent_head(modes) + a * dim) * step;
  UNROLL
  for (int k = 0; k < modes; ++k, to += 2 * (int64_t)n * dim * step) {
    if (a == 0) head[tangent_pressure(k) * step] = p[k];
    UNROLL
    for (int i = 0; i < dim; ++i) {
      double r = cross[3 * k + i];
      UNROLL
      for (int l = 0; l < modes; ++l) r += head[TANGENT_SHARE * step] / 2 * c[MEAN_MODES * k + l] * side[3 * l + i];
      to[i * step] = side[3 * k + i];
      to[(n * dim + i) * step] = r;
    }
  }
}

MATERIAL_CALL void mean_head_2(const TangentArgs *s, const int64_t e) { mean_tangent_head(s->p.n_node, 2, s, e); }
MATERIAL_CALL void mean_head_3(const TangentArgs *s, const int64_t e) { mean_tangent_head(s->p.n_node, 3, s, e); }
MATERIAL_CALL void mean_points_2(const TangentArgs *s, const int64_t e, const int q) {
  mean_tangent_point(s->p.n_node, 2, s, e, q);
}
MATERIAL_CALL void mean_points_3(const TangentArgs *s, const int64_t e, const int q) {
  mean_tangent_point(s->p.n_node, 3, s, e, q);
}
HD void mean_head_body(const TangentArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->p.dim == 2) mean_head_2(s, e);
  else mean_head_3(s, e);
}
HD void mean_tangent_body(const TangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->p.e.n_q, &q);
  if (s->p.dim == 2) mean_points_2(s, e, q);
  else mean_points_3(s, e, q);
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
