/* Internal forces in parts, for C and CUDA: what a law answers at each integration point, and of that the force of each node. A thread
 * of a GPU that does an element at once has what belongs to its nodes in local memory, which takes longer than any law.
 *
 * A part goes through the room of tangent_rows.h, with the same order of rows. In coordinates of the reference element the force of node a
 * is f_a = sum_q T_q dN_a, T_q = dV P J^-T; around an axis the hoop adds dV P_33 N_a / r. Where changes of volume are smooth
 * (mean_element.h) each point has beside T what a pressure does, its functions and what it adds to the pressures. */
#pragma once
#include "assembly/elasticity/tangent_rows.h"

/* Numbers of a point: T, the least det F and whether the law fails there; of smooth changes of volume the T of a pressure, the functions,
 * and the pressure times dV. */
HD int force_checks(const int dim) { return tangent_components(dim); }
HD int force_pressed(const int dim) { return force_checks(dim) + 2; }
HD int force_functions(const int dim) { return force_pressed(dim) + tangent_components(dim); }
HD int force_point(const int dim, const int modes) {
  return modes == 0 ? force_pressed(dim) : force_functions(dim) + modes + 1;
}

/* T of `factor` times a stress P [9]. */
HD void force_keep(const int dim, const PointPlace *p, const double factor, const double *P, const int64_t step,
                   double *to) {
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k < dim; ++k, to += step) {
      double t = 0;
      for (int j = 0; j < dim; ++j) t += P[3 * i + j] * p->inverse[k * dim + j];
      *to = factor * t;
    }
  if (dim == 2) *to = factor * P[8] * p->curl;
}

/* What smooth changes of volume add to a point: the stress that a pressure is, J b, and what the point adds to the pressures. */
HD void force_keep_volume(const int dim, const PointPlace *p, const Dilatation *d, const MeanElement *m,
                          const double *phi, const double pressure, const int64_t step, double *to) {
  force_keep(dim, p, d->J * p->dV, d->b, step, to + force_pressed(dim) * step);
  to += force_functions(dim) * step;
  for (int k = 0; k < m->n; ++k, to += step) *to = phi[k];
  *to = pressure * p->dV;
}

/* Sum over the points of an element of what they add to each of its pressures: number `which` behind their functions. */
HD void force_pressures(const int dim, const int modes, const int n_q, const double *point, const int each,
                        const int which, const int64_t step, double *p) {
  for (int k = 0; k < modes; ++k) p[k] = 0;
  for (int q = 0; q < n_q; ++q, point += each * step) {
    const double *phi = point + force_functions(dim) * step;
    for (int k = 0; k < modes; ++k) p[k] += phi[k * step] * phi[(modes + which) * step];
  }
}
HD double force_pressure(const int dim, const int modes, const double *point, const int64_t step, const double *p) {
  const double *phi = point + force_functions(dim) * step;
  double sum = 0;
  for (int k = 0; k < modes; ++k) sum += p[k] * phi[k * step];
  return sum;
}

/* The room of a part whose points have `each` numbers: what a kernel of forces by nodes has. */
typedef struct ForceArgs {
  TangentArgs t;
  const double *v; /* of damping: velocities as u */
  int32_t each;
  int32_t checks; /* laws may fail here */
} ForceArgs;

/* Force of node a of element e of the part; node 0 tells whether a law fails. */
HD void force_node(const int dim, const ForceArgs *args, const int64_t e, const int a) {
  const PointArgs *s = &args->t.p;
  const int n = s->n_node, modes = s->mean_modes;
  const int64_t element = args->t.first + e, step = args->t.n;
  if (e >= step || s->law_row[element] == LAW_NONE) return;
  const double *point = args->t.room + e;
  double p[MEAN_MODES], f[3] = {0}, lowest = (double)INFINITY, failed = 0;
  force_pressures(dim, modes, s->e.n_q, point, args->each, 0, step, p);
  for (int q = 0; q < s->e.n_q; ++q, point += args->each * step) {
    const double *T = point, *more = point + force_pressed(dim) * step;
    const double pressure = force_pressure(dim, modes, point, step, p);
    for (int i = 0; i < dim; ++i)
      for (int k = 0; k < dim; ++k, T += step, more += step)
        f[i] += (modes ? *T + pressure * *more : *T) * s->e.dN[((int64_t)q * n + a) * dim + k];
    if (dim == 2) f[0] += (modes ? *T + pressure * *more : *T) * s->shape[(int64_t)q * n + a];
    if (a > 0 || !args->checks) continue;
    lowest = fmin(lowest, point[force_checks(dim) * step]);
    failed += point[(force_checks(dim) + 1) * step];
  }
  if (a == 0 && args->checks && s->failed) s->failed[element] = failed > 0;
  if (a == 0 && args->checks && s->finite) s->lowest[element] = lowest;
  double *to = s->e.f + (s->e.force_first + a * s->e.force_a + element * s->e.force_e) * s->e.entry_step;
  for (int i = 0; i < dim; ++i) to[i * s->e.component_step] = f[i];
}
HD void force_nodes_body(const ForceArgs *s, int64_t i, double *sum) {
  (void)sum;
  int a;
  const int64_t e = tangent_row(i, s->t.p.n_node, &a);
  if (s->t.p.dim == 2) force_node(2, s, e, a);
  else force_node(3, s, e, a);
}
