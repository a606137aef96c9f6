/* Metals that flow with backstresses at finite strain, in the logarithmic strain E = 1/2 ln C (Miehe, Apel and Lambrecht, Comput.
 * Methods Appl. Mech. Eng. 191, 2002, 5383-5425): E is elastic plus plastic, and the return of small strains holds as it is
 * (physics/plastic_return.h), with the stress T that works on E. Where the principal axes of all tensors stay, T is Kirchhoff's
 * stress, and the law that of physics/plastic.h. The yield stress and the backstresses count times J. */
#pragma once
#include "physics/plastic_return.h"

#define PLASTIC_LONGEST 0.5 /* of the flow of a step: a return beyond is too far from the path */

/* The states of `from` along the principal stretches. */
HD void plastic_along(const double *axis, const PlasticStart *from, double *old) {
  const int first[6] = {0, 4, 8, 1, 5, 2};
  double x[9], y[9];
  old[PLASTIC_P] = from->old[PLASTIC_P];
  if (plastic_warm_backs(from->law)) old[PLASTIC_HEAT] = from->old[PLASTIC_HEAT];
  for (int i = -1; i < from->n_back; ++i) {
    const int at = i < 0 ? 0 : PLASTIC_A + 6 * i;
    for (int k = 0; k < 9; ++k) x[k] = from->old[at + plastic_voigt(k)] - (at == 0 ? plastic_initial(from->law, k) : 0);
    log_turn(axis, false, x, y);
    for (int k = 0; k < 6; ++k) old[at + k] = y[first[k]];
  }
}

/* D = dT/dE where the stretch J multiplies yield stress and backstresses too, of which d dp/d ln J = rise:
 * dT = .. - 2 G Z tr dE,  Z = rise n + dp (3/(2 q) x - n (n : x)/q),  x = rise turn - J sum theta A; the symmetric part. */
HD void plastic_log_tangent(const PlasticStart *a, const PlasticFlow *flow, double *D) {
  plastic_tangent(a, flow, D);
  if (!(flow->dp > 0)) return;
  double x[9], along = 0, slope, resists = plastic_yield(a, a->old[PLASTIC_P] + flow->dp, &slope) + flow->over;
  for (int k = 0; k < 9; ++k) x[k] = 0;
  for (int i = 0; i < a->n_back; ++i) {
    const double theta = 1 / (1 + plastic_pair(&a->backs, i, 1) * flow->dp), kept = theta * plastic_kept(a, i);
    resists += plastic_pair(&a->backs, i, 0) * theta * flow->dp;
    for (int k = 0; k < 9; ++k) x[k] -= kept * a->old[PLASTIC_A + 6 * i + plastic_voigt(k)];
  }
  for (int k = 0; k < 9; ++k) resists -= flow->n[k] * x[k];
  const double rise = a->stretch * resists / flow->slope, per = flow->dp / flow->q;
  for (int k = 0; k < 9; ++k) {
    x[k] = rise * flow->turn[k] + a->stretch * x[k];
    along += flow->n[k] * x[k];
  }
  for (int k = 0; k < 9; ++k) x[k] = rise * flow->n[k] + per * (1.5 * x[k] - flow->n[k] * along);
  for (int k = 0; k < 9; ++k)
    for (int l = 0; l < 9; ++l) D[9 * k + l] -= a->shear * ((l % 4 == 0 ? x[k] : 0) + (k % 4 == 0 ? x[l] : 0));
}

HD int plastic_logarithmic(const double *law, const PointIn *in, PointOut *out) {
  FiniteStrain f;
  PlasticFlow flow;
  double e[3], axis[9], s[9], T[9], old[PLASTIC_STATES], D[81], n[9], square = 0;
  if (finite_strain(in->H, &f) || log_stretches(&f, e, axis)) return 1;
  PlasticStart start = plastic_start(law, in, f.J);
  const double G = start.shear, K = start.bulk, trace = e[0] + e[1] + e[2],
               mean = K * (trace + plastic_initial_volume(law));
  plastic_along(axis, &start, old);
  start.old = old;
  for (int k = 0; k < 9; ++k) s[k] = 2 * G * ((k % 4 == 0 ? e[k / 4] - trace / 3 : 0) - old[plastic_voigt(k)]);
  if (plastic_return(&start, s, &flow) || flow.dp > PLASTIC_LONGEST) return 1;
  for (int k = 0; k < 9; ++k) {
    const double left = s[k] - 2 * G * flow.dp * flow.n[k];
    square += left * left;
    T[k] = left + (k % 4 == 0 ? mean : 0);
  }
  if (out->A) plastic_log_tangent(&start, &flow, D);
  log_pull(e, axis, f.F, T, D, out->P, out->A);
  start.old = in->old;
  for (int k = 0; k < 9; ++k) n[k] = flow.n[k];
  log_turn(axis, true, n, flow.n);
  plastic_accept(&start, &flow, out->state);
  out->flow[FLOW_STRAIN] = flow.dp;
  out->state[PLASTIC_WORK] = in->old[PLASTIC_WORK] + f.J * (out->state[PLASTIC_WORK] - in->old[PLASTIC_WORK]);
  out->energy = mean * mean / (2 * K) + square / (4 * G) +
                f.J * (plastic_potential(&start, &flow) + plastic_stored(&start.backs, start.n_back, out->state, 1));
  return 0;
}
