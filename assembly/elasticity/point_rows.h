/* Element kernels for any material (physics/point_material.h), for C and CUDA: internal forces, pair blocks and state,
 * integrated point by point. element_rows.h is the faster way of materials with a pair block of their own; what this
 * file is for are all other materials, and every material where the model is axisymmetric. `nonlinear` is a constant:
 * the kernels made here know linear laws under small strains only, those of nonlinear_rows.h all others.
 *
 * f_a = int P grad N_a dV and K_ab,ik = int N_a,j A_ijkl N_b,l dV (Bonet and Wood, Nonlinear Continuum Mechanics for
 * Finite Element Analysis, 2008, sections 9.2 and 9.4, in the reference configuration). Around an axis dV = 2 pi r dr
 * dz, and the hoop adds H_33 = u_r / r: component 33 of P and A meets N_a / r in the direction of r. A linear law that
 * is constant in the element contracts G_ab = int grad N_a (x) grad N_b dV once.
 *
 * Rows of forces are elements, rows of pairs (node a, element): all pairs a <= b. On the CPU rows of pairs stand for whole
 * elements (point_kernels.c). */
#pragma once
#include "assembly/elasticity/element_rows.h"
#include "assembly/space/point_input_rows.h"
#include "physics/active.h"

/* An element's first row of the table of laws: one for all its points, or -1 - row where each point has its own; none
 * where the element belongs to element_rows.h. */
#define LAW_NONE INT32_MIN

/* What points are told from outside. */
typedef struct PointViews {
#define POINT_INPUT(NAME, member, word, unit, meaning) PointInputView member;
#include "physics/point_inputs.def"
} PointViews;

typedef struct PointArgs {
  ElementArgs e;
  const double *N;        /* [n_q][nodes per element]; NULL unless axisymmetric */
  const double *law;      /* [row][LAW_SIZE] */
  const int32_t *law_row; /* [n_elem] */
  const double *old;      /* state k of point q of element e: old[k n_point + point_first + q point_q + e] */
  double *state;          /* the same at the end of the step */
  int64_t n_point, point_first, point_q;
  uint8_t *failed; /* [n_elem], 1: a point has no answer; NULL where no material can fail */
  int32_t n_state; /* of the material that has most */
  double dt, kink; /* PointIn.kink */
  PointViews input;
  int32_t n_node, dim;
  bool nonlinear; /* a law that is not linear, or finite: the kernels of nonlinear_rows.h */
  bool plane_stress;
  bool finite;          /* large displacement gradients: linear laws are of the Green-Lagrange strain, and */
  double *lowest;       /* [n_elem] the least det F of the element's points, which has to be > 0 */
  int32_t mean_modes;   /* functions of the change of volume (mean_element.h); 0: each point has its own */
  const double *shape;  /* N in all models, for these */
  const double *bubble; /* incompatible modes (bubble_element.h): [n_q][dim] dM_m / dxi_m, [n_node][dim] dN at the
                           centre; NULL: without */
  /* Of these, where laws are not linear (bubble_any_rows.h): number k of element e at modes[k modes_k + e]; NULL: without */
  double *modes;
  int64_t modes_k;
  /* Stress at its points [..][n_q][6] of element e, number element[e] there (NULL: e), which a recovery found: NULL: to be found */
  const double *stress;
  const int32_t *element;
  /* Augmented Lagrangian (mean_element.h): component m of element e at kept[m kept_m + e], share[e]; NULL: without. */
  double *kept, *share;
  int64_t kept_m;
  double *room; /* [n_room], for element matrices in parts (tangent_rows.h); NULL: at once */
  int64_t n_room;
  double *head; /* [mean_head_numbers][n_elem], of each element as a whole (mean_element.h); NULL: found on the way */
} PointArgs;

/* One quadrature point of an element. */
typedef struct PointGeometry {
  int q;
  double dV, radius; /* radius 0: not axisymmetric */
  double shrink;     /* the weight over dV, without the thickness */
  double g[27 * 3];  /* grad N_a */
} PointGeometry;

HD void point_geometry(const int n, const int dim, const PointArgs *s, const double *x, const int q,
                       const double thickness, PointGeometry *out) {
  const double *dN = s->e.dN + (int64_t)q * n * dim;
  double inverse[9];
  out->q = q;
  out->dV = element_inverse(n, dim, x, dN, inverse) * s->e.weight[q] * thickness;
  out->radius = 0;
  for (int a = 0; a < n; ++a) element_gradient(dim, dN + a * dim, inverse, out->g + a * dim);
  out->shrink = s->e.weight[q] * thickness / out->dV;
  if (dim == 3 || !s->N) return;
  const double circle = element_circle(n, dim, x, s->N + (int64_t)q * n);
  out->radius = circle / 6.283185307179586476925286766559;
  out->dV *= circle;
  out->shrink /= circle;
}

/* N_a / r, what the hoop adds to a radial displacement; 0 without an axis. */
HD double point_hoop(const int n, const int dim, const PointArgs *s, const PointGeometry *p, const int a) {
  return dim == 2 && s->N ? s->N[p->q * n + a] / p->radius : 0;
}

/* H[9] = sum_a u_a (x) grad N_a. */
HD void point_gradient(const int n, const int dim, const PointArgs *s, const double *u, const PointGeometry *p,
                       double *H) {
  for (int k = 0; k < 9; ++k) H[k] = 0;
  for (int a = 0; a < n; ++a) {
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) H[3 * i + j] += u[a * dim + i] * p->g[a * dim + j];
    H[8] += u[a * dim] * point_hoop(n, dim, s, p, a);
  }
}

/* H += what incompatible modes add. */
HD void point_add_modes(const int dim, const PointArgs *s, const double *modes, const int64_t e, const int q,
                        const double shrink, double *H) {
  for (int m = 0; modes && m < dim; ++m) {
    const double slope = shrink * s->bubble[q * dim + m];
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) H[3 * i + j] += slope * modes[((m * dim + i) * dim + j) * s->modes_k + e];
  }
}
/* Numbers of PointArgs.modes; the last one is 1 where there are none that forces balance at. */
HD int point_modes_numbers(const int dim) { return dim * dim * dim + 1; }

HD const double *point_law(const PointArgs *s, const int64_t e, const int q) {
  const int32_t row = s->law_row[e];
  return s->law + (int64_t)LAW_SIZE * (row < 0 ? -1 - row + q : row);
}

/* What point q is above the reference. */
HD double point_heat(const PointArgs *s, const int64_t e, const int q) {
  return point_input_at(&s->input.temperature, e, q);
}

/* What the material is asked at H, except for `old`. */
HD PointIn point_in(const bool nonlinear, const PointPart part, const PointArgs *s, const int64_t e, const int q,
                    const double *H) {
  PointIn in = {.H = H, .axes = point_law(s, e, q) + LAW_AXES, .dt = s->dt, .part = part, .kink = s->kink};
  in.finite = nonlinear && s->finite;
  in.plane_stress = nonlinear && s->plane_stress;
#define POINT_INPUT(NAME, member, word, unit, meaning) in.member = point_input_at(&s->input.member, e, q);
#include "physics/point_inputs.def"
  return in;
}

/* The material's answer at a point, or a part of it; `old` and `state` [POINT_MAX_STATES]. Under plane stress H33 becomes
 * what it is. */
HD int point_answer(const bool nonlinear, const PointPart part, const PointArgs *s, const int64_t e, const int q,
                    const double heat, double *H, double *old, PointOut *out) {
  const double *law = point_law(s, e, q);
  const int64_t at = s->point_first + q * s->point_q + e;
  for (int k = 0; k < s->n_state; ++k) out->state[k] = old[k] = s->old[k * s->n_point + at];
  PointIn in = point_in(nonlinear, part, s, e, q, H);
  in.old = old;
  in.temperature = heat;
  out->fibres = false;
  for (int k = 0; k < 9; ++k) out->P[k] = 0; /* what a point without an answer gives */
  for (int k = 0; out->A && k < 81; ++k) out->A[k] = 0;
  if (!nonlinear) return linear_point(law, &in, out);
  const ElasticConstants *c = s->e.constants + s->e.material[e];
  const int failed = c->active.form ? active_point(c, law, &in, out) : material_point(c->kind, law, &in, out);
  if (s->plane_stress) H[8] = out->H33;
  return failed;
}

HD double point_determinant(const double *H) {
  double F[9];
  for (int k = 0; k < 9; ++k) F[k] = H[k] + (k % 4 == 0);
  return F[0] * (F[4] * F[8] - F[5] * F[7]) + F[1] * (F[5] * F[6] - F[3] * F[8]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
}

HD void point_displacement(const int n, const int dim, const ElementArgs *s, const int64_t e, double *u) {
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < dim; ++i) u[a * dim + i] = s->u[(int64_t)s->nodes[a * s->node_a + e * s->node_e] * dim + i];
}

/* Internal force of element e, and the state that the step ends with. */
HD void point_force(const int n, const int dim, const bool nonlinear, const PointArgs *s, const int64_t e) {
  double x[27 * 3], u[27 * 3], f[27 * 3] = {0}, old[POINT_MAX_STATES], state[POINT_MAX_STATES];
  if (s->law_row[e] == LAW_NONE) return;
  const double thickness = s->e.constants[s->e.material[e]].thickness;
  int failed = 0;
  double lowest = (double)INFINITY;
  element_coordinates(n, dim, &s->e, e, x);
  point_displacement(n, dim, &s->e, e, u);
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    PointOut out;
    double H[9];
    point_geometry(n, dim, s, x, q, thickness, &p);
    point_gradient(n, dim, s, u, &p, H);
    if (nonlinear) point_add_modes(dim, s, s->modes, e, p.q, p.shrink, H);
    out.A = NULL;
    out.state = state;
    failed |= point_answer(nonlinear, PART_ALL, s, e, q, point_heat(s, e, q), H, old, &out);
    if (nonlinear && s->finite) {
      const double J = point_determinant(H);
      if (!(J > 0)) failed = 1;
      if (!(J >= lowest)) lowest = J;
    }
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < dim; ++i) {
        double t = i == 0 ? out.P[8] * point_hoop(n, dim, s, &p, a) : 0;
        for (int j = 0; j < dim; ++j) t += out.P[3 * i + j] * p.g[a * dim + j];
        f[a * dim + i] += p.dV * t;
      }
    for (int k = 0; k < s->n_state; ++k) s->state[k * s->n_point + s->point_first + q * s->point_q + e] = state[k];
  }
  if (nonlinear && s->modes && s->modes[(point_modes_numbers(dim) - 1) * s->modes_k + e] != 0) failed = 1;
  if (s->failed) s->failed[e] = (uint8_t)failed;
  if (nonlinear && s->finite) s->lowest[e] = lowest;
  for (int a = 0; a < n; ++a) {
    double *to = s->e.f + (s->e.force_first + a * s->e.force_a + e * s->e.force_e) * s->e.entry_step;
    for (int i = 0; i < dim; ++i) to[i * s->e.component_step] = f[a * dim + i];
  }
}

/* Pair blocks of node a with nodes b >= a by the tangent A of one point: K[b - a] += S g_b dV, S_i = g_a A_i. */
HD void point_add_pairs(const int n, const int dim, const PointArgs *s, const PointGeometry *p, const int a,
                        const double *A, double *K) {
  const double hoop = point_hoop(n, dim, s, p, a);
  for (int i = 0; i < dim; ++i) {
    double S[9];
    for (int m = 0; m < 9; ++m) {
      double t = i == 0 ? hoop * A[72 + m] : 0;
      for (int j = 0; j < dim; ++j) t += p->g[a * dim + j] * A[9 * (3 * i + j) + m];
      S[m] = t * p->dV;
    }
    for (int b = a; b < n; ++b)
      for (int k = 0; k < dim; ++k) {
        double t = k == 0 ? S[8] * point_hoop(n, dim, s, p, b) : 0;
        for (int l = 0; l < dim; ++l) t += S[3 * k + l] * p->g[b * dim + l];
        K[((b - a) * dim + i) * dim + k] += t;
      }
  }
}

/* Pairs of node a with nodes b >= a, and those of all nodes before a. */
HD int point_pairs_before(const int n, const int a) { return a * n - a * (a - 1) / 2; }

/* Pair blocks of nodes [first, end) of element e with those that follow; K has room for all of them. What a law answers
 * serves all these nodes. */
HD void point_pairs(const int n, const int dim, const bool nonlinear, const PointArgs *s, const int64_t e,
                    const int first, const int end, double *K) {
  double x[27 * 3], u[27 * 3] = {0}, old[POINT_MAX_STATES], state[POINT_MAX_STATES], A[81];
  const int square = dim * dim, before = point_pairs_before(n, first), last = point_pairs_before(n, end);
  if (s->law_row[e] == LAW_NONE) return;
  const ElasticConstants *c = s->e.constants + s->e.material[e];
  const bool linear = !nonlinear || (!s->finite && material_is_linear(c->kind)),
             once = linear && s->law_row[e] >= 0 && !s->N;
  element_coordinates(n, dim, &s->e, e, x);
  if (!linear) point_displacement(n, dim, &s->e, e, u);
  for (int k = 0; k < (last - before) * square; ++k) K[k] = 0;
  for (int q = 0; q < s->e.n_q; ++q) {
    PointGeometry p;
    PointOut out;
    double H[9] = {0};
    point_geometry(n, dim, s, x, q, c->thickness, &p);
    if (!linear) point_gradient(n, dim, s, u, &p, H);
    if (!linear) point_add_modes(dim, s, s->modes, e, p.q, p.shrink, H);
    out.A = A;
    out.state = state;
    if (!once) (void)point_answer(nonlinear, PART_ALL, s, e, q, point_heat(s, e, q), H, old, &out);
    for (int a = first; a < end; ++a) {
      double *to = K + (point_pairs_before(n, a) - before) * square;
      if (!once) point_add_pairs(n, dim, s, &p, a, A, to);
      else
        for (int b = a; b < n; ++b) add_dyad(dim, p.g + a * dim, p.g + b * dim, p.dV, to + (b - a) * square);
    }
  }
  for (int pair = before; pair < last; ++pair) {
    double block[9], *from = K + (pair - before) * square;
    double *to = s->e.K + (s->e.pair_first + (int64_t)pair * s->e.pair_p + e * s->e.pair_e) * s->e.block_step;
    if (once) linear_block(dim, point_law(s, e, 0), from, block);
    for (int k = 0; k < square; ++k) to[k * s->e.scalar_step] = once ? block[k] : from[k];
  }
}

/* Row i = a * n_elem + e. */
HD void point_pairs_of_node(const int n, const int dim, const PointArgs *s, const int64_t i) {
  double K[27 * 9];
  const int a = (int)((uint32_t)i / (uint32_t)s->e.n_elem);
  point_pairs(n, dim, false, s, i - (int64_t)a * s->e.n_elem, a, a + 1, K);
}

/* *out = how many elements have a point without an answer. */
typedef struct PointFailedArgs {
  const uint8_t *failed;
  double *out;
} PointFailedArgs;
HD void point_failed_body(const PointFailedArgs *s, int64_t i, double sum[]) { sum[0] += s->failed[i]; }
HD void point_failed_finish(const PointFailedArgs *s, const double sum[]) { *s->out = sum[0]; }

/* point_pairs_hex8_body, point_force_hex8_body, ... */
#define ELEMENT_KERNELS_0(name, n_node)
#define ELEMENT_KERNELS_1(name, n_node)
#define ELEMENT_KERNELS_2(name, n_node) ELEMENT_KERNELS(name, n_node, 2)
#define ELEMENT_KERNELS_3(name, n_node) ELEMENT_KERNELS(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) ELEMENT_KERNELS_##dim(name, n_node)
#define ELEMENT_KERNELS(name, n_node, dim)                                                                             \
  HD void point_pairs_##name##_body(const PointArgs *s, int64_t i, double *sum) {                                      \
    (void)sum;                                                                                                         \
    point_pairs_of_node(n_node, dim, s, i);                                                                            \
  }                                                                                                                    \
  HD void point_force_##name##_body(const PointArgs *s, int64_t i, double *sum) {                                      \
    (void)sum;                                                                                                         \
    point_force(n_node, dim, false, s, i);                                                                             \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef ELEMENT_KERNELS
