/* Row kernels of how far the points of a step flow, for C and CUDA: by the largest of them the accuracy of a step is judged. The
 * states are still those at its start. */
#pragma once
#include "assembly/elasticity/nonlinear_rows.h"

typedef struct FlowArgs {
  PointArgs p;          /* e.u: at the end of the step, and */
  const double *before; /* at its start, both in the global frame */
  const double *modes;  /* as PointArgs.modes, at its start */
  double *most;         /* [FLOW_PARTS][n], largest PointOut.flow of the points of each element */
  int64_t n;
} FlowArgs;

/* What the law is asked for `u`; H33 is found in plane stress. */
HD int flow_ask(const int dim, const FlowArgs *s, const int64_t e, const double *u, const double *modes,
                const PointGeometry *p, const double *before, double *H, PointOut *out) {
  const PointArgs *a = &s->p;
  double old[POINT_MAX_STATES], state[POINT_MAX_STATES];
  const int64_t at = a->point_first + p->q * a->point_q + e;
  const double *law = point_law(a, e, p->q);
  point_gradient(a->n_node, dim, a, u, p, H);
  point_add_modes(dim, a, modes, e, p->q, p->shrink, H);
  for (int k = 0; k < a->n_state; ++k) state[k] = old[k] = a->old[k * a->n_point + at];
  PointIn in = point_in(true, PART_ALL, a, e, p->q, H);
  in.old = old;
  in.before = before;
  out->A = NULL;
  out->state = state;
  for (int k = 0; k < FLOW_PARTS; ++k) out->flow[k] = 0;
  const int failed = material_point(a->e.constants[a->e.material[e]].kind, law, &in, out);
  if (a->plane_stress) H[8] = out->H33;
  return failed;
}

HD void flow_element(const int dim, const FlowArgs *s, const int64_t e) {
  const PointArgs *a = &s->p;
  ElementArgs old = a->e;
  old.u = s->before;
  double x[27 * 3], u[27 * 3], before[27 * 3], most[FLOW_PARTS] = {0};
  for (int k = 0; k < FLOW_PARTS; ++k) s->most[k * s->n + e] = 0;
  if (a->law_row[e] == LAW_NONE) return;
  element_coordinates(a->n_node, dim, &a->e, e, x);
  point_displacement(a->n_node, dim, &a->e, e, u);
  point_displacement(a->n_node, dim, &old, e, before);
  for (int q = 0; q < a->e.n_q; ++q) {
    PointGeometry p;
    PointOut out;
    double H[9], B[9];
    point_geometry(a->n_node, dim, a, x, q, 1, &p);
    if (a->plane_stress) (void)flow_ask(dim, s, e, before, s->modes, &p, NULL, B, &out);
    else point_gradient(a->n_node, dim, a, before, &p, B);
    if (!a->plane_stress) point_add_modes(dim, a, s->modes, e, p.q, p.shrink, B);
    if (flow_ask(dim, s, e, u, a->modes, &p, B, H, &out)) continue;
    for (int k = 0; k < FLOW_PARTS; ++k) most[k] = fmax(most[k], out.flow[k]);
  }
  for (int k = 0; k < FLOW_PARTS; ++k) s->most[k * s->n + e] = most[k];
}
MATERIAL_CALL void flow_2(const FlowArgs *s, const int64_t e) { flow_element(2, s, e); }
MATERIAL_CALL void flow_3(const FlowArgs *s, const int64_t e) { flow_element(3, s, e); }
HD void flow_body(const FlowArgs *s, int64_t e, double *sum) {
  (void)sum;
  if (s->p.dim == 2) flow_2(s, e);
  else flow_3(s, e);
}

/* to[k rows + i] = the largest of v[k n + i], v[k n + i + rows], ...; row k rows + i. */
typedef struct FlowMostArgs {
  const double *v;
  int64_t n, rows;
  double *to;
} FlowMostArgs;
HD void flow_most_body(const FlowMostArgs *s, int64_t row, double *sum) {
  (void)sum;
  const int64_t k = row / s->rows;
  double most = 0;
  for (int64_t i = row % s->rows; i < s->n; i += s->rows) most = fmax(most, s->v[k * s->n + i]);
  s->to[row] = most;
}
