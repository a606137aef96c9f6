/* Mean dilatation, for C and CUDA: the change of volume theta of an element is what its displacement gives, projected
 * onto constants or, in elements with a node in their middle, onto linear functions (physics/dilatation.h). Elements of
 * linear functions then do not lock where a material keeps its volume (mean_rows.h has the kernels).
 *
 * With functions phi_m that are orthonormal over the element, theta = sum_m theta_m phi_m, theta_m = int phi_m J dV,
 * q_am = d theta_m / du_a = int phi_m J b grad N_a dV, and the pressure p = sum_m p_m phi_m, p_m = int phi_m d psi/d theta:
 *   f_a = int (d psi/dF + p J b) grad N_a dV
 *   K_ab = int grad N_a (d2 psi/dF2 + p d2J/dF2) grad N_b dV + sum_m (r_am q_bm + q_am r_bm) + sum_mn c_mn q_am q_bn
 * with r_am = int phi_m d2 psi/(dF dtheta) grad N_a and c_mn = int phi_m phi_n d2 psi/dtheta2. A few terms per element
 * more, and the matrix has the same pattern. Fibres (PointPart) answer to F itself: what is stiff along them alone has no part in
 * r, so that K stays definite whatever part of c it has.
 *
 * Where c is far above the stiffness against changes of shape, solvers meet the share s c of it only, s < 1: the material
 * is asked at theta = (1 - s) kept + s theta(u), where `kept`, an unknown of the element, follows theta(u) from one step
 * of Newton's method to the next (mean_keep_body). In the end both are the same: the augmented Lagrangian of the three fields
 * of Simo, Taylor and Pister, whose multiplier is the pressure at `kept` (Glowinski and Le Tallec, Augmented Lagrangian and
 * Operator-Splitting Methods in Nonlinear Mechanics, 1989, chapter 3). */
#pragma once
#include "assembly/elasticity/point_rows.h"
#include "physics/dilatation.h"

enum { MEAN_MODES = 4 };
/* Times its shear modulus, what of an element's bulk modulus the matrix has at most. */
#define MEAN_AUGMENTED 10.0
/* Times its shear modulus, what of a bulk modulus the points of an element of order 2 see. */
#define MEAN_LOCAL 1.0
/* From which ratio of bulk and shear modulus on this is faster under small strains: measured (bench/RESULTS.md). */
#define MEAN_AUGMENTED_LINEAR 1000.0

/* Of one element. */
typedef struct MeanElement {
  const double *x, *u; /* of its nodes */
  double thickness;
  int n;                                   /* of the functions */
  double to[MEAN_MODES][MEAN_MODES];       /* phi = to times (1, x, y, z), lower triangle */
  double centre[3], scale;                 /* x, y, z from there, divided by it */
  double theta[MEAN_MODES], p[MEAN_MODES]; /* of theta - 1, and of the pressure */
  double heat[MEAN_MODES];                 /* of the temperature, which stretches what theta is held against */
  double share;                            /* of c that the matrix has */
  double local;                            /* part of the energy at F itself */
} MeanElement;

/* 1, x, y, z at a place. */
HD void mean_term(const int dim, const MeanElement *m, const double *at, double *to) {
  to[0] = 1;
  for (int i = 0; i < dim && m->n > 1; ++i) to[1 + i] = (at[i] - m->centre[i]) * m->scale;
}
/* At a point. */
HD void mean_terms(const int n, const int dim, const PointArgs *s, const MeanElement *m, const int q, double *to) {
  double at[3] = {0, 0, 0};
  for (int i = 0; i < dim && m->n > 1; ++i)
    for (int a = 0; a < n; ++a) at[i] += s->shape[q * n + a] * m->x[a * dim + i];
  mean_term(dim, m, at, to);
}

HD void mean_functions(const int n, const int dim, const PointArgs *s, const MeanElement *m, const int q, double *phi) {
  double term[MEAN_MODES] = {0};
  mean_terms(n, dim, s, m, q, term);
  for (int i = 0; i < m->n; ++i) {
    phi[i] = 0;
    for (int k = 0; k <= i; ++k) phi[i] += m->to[i][k] * term[k];
  }
}

/* Orthonormal functions: the inverse of the Cholesky factor of int (1, x, y, z) (x) (1, x, y, z) dV. */
HD void mean_orthonormal(const double gram[MEAN_MODES][MEAN_MODES], MeanElement *m) {
  double L[MEAN_MODES][MEAN_MODES];
  for (int i = 0; i < m->n; ++i)
    for (int k = 0; k <= i; ++k) {
      double sum = gram[i][k];
      for (int l = 0; l < k; ++l) sum -= L[i][l] * L[k][l];
      L[i][k] = i == k ? sqrt(sum) : sum / L[k][k];
    }
  for (int k = 0; k < m->n; ++k)
    for (int i = k; i < m->n; ++i) {
      double sum = i == k ? 1 : 0;
      for (int l = k; l < i; ++l) sum -= L[i][l] * m->to[l][k];
      m->to[i][k] = sum / L[i][i];
    }
}

/* A point of an element without the gradients of its shape functions, for which a GPU has no registers: dV times the thickness,
 * and H[9]. As point_geometry and point_gradient. */
HD double mean_change(const int n, const int dim, const PointArgs *s, const MeanElement *m, const int q, double *H) {
  const double *dN = s->e.dN + (int64_t)q * n * dim, *N = dim == 2 && s->N ? s->N + (int64_t)q * n : NULL;
  double inverse[9], dV = element_inverse(n, dim, m->x, dN, inverse) * s->e.weight[q] * m->thickness, radial = 0;
  for (int k = 0; k < 9; ++k) H[k] = 0;
  for (int i = 0; i < dim; ++i) {
    double along[3] = {0, 0, 0}; /* du_i / dxi */
    for (int a = 0; a < n; ++a)
      for (int j = 0; j < dim; ++j) along[j] += m->u[a * dim + i] * dN[a * dim + j];
    element_gradient(dim, along, inverse, H + 3 * i);
  }
  if (!N) return dV;
  const double circle = element_circle(n, dim, m->x, N);
  for (int a = 0; a < n; ++a) radial += m->u[a * dim] * N[a];
  H[8] = 6.283185307179586476925286766559 * radial / circle;
  return dV * circle;
}

/* Sums over the points of an element that its functions, theta and heat are made of. */
typedef struct MeanMoments {
  double gram[MEAN_MODES][MEAN_MODES], moment[MEAN_MODES], heat[MEAN_MODES];
} MeanMoments;

/* m has the coordinates where it is to have more than one function. */
HD void mean_moments_begin(const int n, const int dim, const PointArgs *s, const int64_t e, MeanElement *m,
                           MeanMoments *to) {
  double size = 0;
  m->n = s->mean_modes;
  m->share = 1;
  m->local = m->n == 1 && n > 1 << dim ? s->e.constants[s->e.material[e]].local : 0;
  for (int i = 0; i < 3; ++i) m->centre[i] = 0;
  for (int i = 0; i < dim && m->n > 1; ++i) {
    for (int a = 0; a < n; ++a) m->centre[i] += m->x[a * dim + i] / n;
    for (int a = 0; a < n; ++a) size = fmax(size, fabs(m->x[a * dim + i] - m->centre[i]));
  }
  m->scale = m->n > 1 ? 1 / size : 1;
  for (int i = 0; i < m->n; ++i) {
    to->moment[i] = to->heat[i] = 0;
    for (int k = 0; k <= i; ++k) to->gram[i][k] = 0;
  }
}
HD void mean_moments_add(const MeanElement *m, const double *term, const double dV, const double grows,
                         const double heat, MeanMoments *to) {
  for (int i = 0; i < m->n; ++i) {
    to->moment[i] += term[i] * grows * dV;
    to->heat[i] += term[i] * heat * dV;
    for (int k = 0; k <= i; ++k) to->gram[i][k] += term[i] * term[k] * dV;
  }
}
HD void mean_moments_end(const MeanMoments *from, MeanElement *m) {
  mean_orthonormal(from->gram, m);
  for (int i = 0; i < m->n; ++i) {
    m->theta[i] = m->p[i] = m->heat[i] = 0;
    for (int k = 0; k <= i; ++k) m->theta[i] += m->to[i][k] * from->moment[k];
    for (int k = 0; k <= i; ++k) m->heat[i] += m->to[i][k] * from->heat[k];
  }
}
/* det F - 1, under small strains tr H. */
HD double mean_growth(const bool finite, const double *H) {
  const double first = H[0] + H[4] + H[8];
  return finite ? first + finite_minors(H) + finite_determinant(H) : first;
}

/* The functions and theta of an element, of which m has the coordinates and displacements. */
MATERIAL_CALL void mean_begin(const int n, const int dim, const PointArgs *s, const int64_t e, MeanElement *m) {
  MeanMoments moments;
  mean_moments_begin(n, dim, s, e, m, &moments);
  for (int q = 0; q < s->e.n_q; ++q) {
    double H[9], term[MEAN_MODES] = {0};
    const double dV = mean_change(n, dim, s, m, q, H);
    mean_terms(n, dim, s, m, q, term);
    mean_moments_add(m, term, dV, mean_growth(s->finite, H), point_heat(s, e, q), &moments);
  }
  mean_moments_end(&moments, m);
}

/* Numbers of PointArgs.head, of `modes` functions; where it has the part of the energy that sees F itself, and room for the pressure
 * of function k. */
HD int mean_head_numbers(const int modes) { return modes == 0 ? 0 : modes * (modes + 1) / 2 + 3 * modes + 5; }
HD int mean_head_pressure(const int k) { return 6 + 3 * k; }
enum { MEAN_HEAD_LOCAL = 4 };

/* What an element has as a whole, to its head and from there. */
HD void mean_head_keep(const MeanElement *m, double *to, const int64_t step) {
  const double own[5] = {m->centre[0], m->centre[1], m->centre[2], m->scale, m->local};
  for (int k = 0; k < 5; ++k, to += step) *to = own[k];
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
  m->local = from[4 * step];
  m->share = 1;
  from += 5 * step;
  for (int i = 0; i < m->n; ++i, from += 3 * step) {
    m->theta[i] = from[0];
    m->p[i] = 0;
    m->heat[i] = from[2 * step];
  }
  for (int i = 0; i < m->n; ++i)
    for (int k = 0; k <= i; ++k, from += step) m->to[i][k] = *from;
}

/* Coordinates and displacements of an element, which m points to, and what it has as a whole: from its head where there is one. */
HD void mean_place(const int n, const int dim, const PointArgs *s, const int64_t e, double *x, double *u,
                   MeanElement *m) {
  element_coordinates(n, dim, &s->e, e, x);
  for (int k = 0; k < n * dim; ++k) u[k] = 0;
  if (s->e.u) point_displacement(n, dim, &s->e, e, u);
  m->x = x;
  m->u = u;
  m->n = s->mean_modes;
  m->thickness = s->e.constants[s->e.material[e]].thickness;
  if (s->head) mean_head_read(s->head + e, s->e.n_elem, m);
  else mean_begin(n, dim, s, e, m);
}

/* theta becomes what the material is asked at. */
HD void mean_hold(const PointArgs *s, const int64_t e, MeanElement *m) {
  if (!s->kept) return;
  m->share = s->share[e];
  for (int k = 0; k < m->n; ++k) {
    const double kept = s->kept[k * s->kept_m + e];
    m->theta[k] = kept + m->share * (m->theta[k] - kept);
  }
}

/* At a point: theta - 1, or what else has these parts. */
HD double mean_sum(const MeanElement *m, const double *part, const double *phi) {
  double sum = 0;
  for (int i = 0; i < m->n; ++i) sum += part[i] * phi[i];
  return sum;
}

/* to[m][a] += phi_m factor v grad N_a dV. */
HD void mean_add(const int n, const int dim, const PointArgs *s, const MeanElement *m, const PointGeometry *p,
                 const double *phi, const double factor, const double *v, double to[][27 * 3]) {
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < dim; ++i) {
      double t = i == 0 ? v[8] * point_hoop(n, dim, s, p, a) : 0;
      for (int j = 0; j < dim; ++j) t += v[3 * i + j] * p->g[a * dim + j];
      for (int k = 0; k < m->n; ++k) to[k][a * dim + i] += phi[k] * factor * p->dV * t;
    }
}

/* Zeros for the nodes of an element: no more, which in local memory of a GPU costs as much as a point. */
HD void mean_zero(const int n, const int dim, const int modes, double to[][27 * 3]) {
  for (int k = 0; k < modes; ++k)
    for (int a = 0; a < n * dim; ++a) to[k][a] = 0;
}

/* H and the temperature become what the material is asked; handed back is how many times as large F is then. */
HD double mean_gradient(const int n, const int dim, const PointArgs *s, const MeanElement *m, const int q, double *H,
                        double *heat) {
  double phi[MEAN_MODES];
  Dilatation d;
  mean_functions(n, dim, s, m, q, phi);
  *heat = mean_sum(m, m->heat, phi);
  if (!dilatation_begin(s->finite, H, mean_sum(m, m->theta, phi), &d)) return 1;
  for (int k = 0; k < 9; ++k) H[k] = d.H[k];
  return d.s;
}

/* Adds `factor` times what a part of the material answers to H, the displacement gradient as it is. */
HD int mean_add_part(const PointArgs *s, const PointPart part, const int64_t e, const int q, const double factor,
                     double *H, PointOut *out) {
  double A[81], old[POINT_MAX_STATES], state[POINT_MAX_STATES];
  PointOut own;
  own.A = out->A ? A : NULL;
  own.state = state;
  own.energy = 0;
  const int failed = point_answer(true, part, s, e, q, point_heat(s, e, q), H, old, &own);
  const PointActive *active = &s->e.constants[s->e.material[e]].active;
  for (int k = active->state; part == PART_FIBRES && active->form && k < s->n_state; ++k) out->state[k] = state[k];
  out->energy += factor * own.energy;
  for (int k = 0; k < 9; ++k) out->P[k] += factor * own.P[k];
  for (int k = 0; out->A && k < 81; ++k) out->A[k] += factor * A[k];
  return failed;
}
