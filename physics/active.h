/* What muscle adds to the stress of a body along its fibres, axis 1, f before and F f after the deformation, stretch l = |F f|, with the
 * tension T at the end of the step. Two forms are in use, and a number of T belongs to one of them:
 *   stretch    P = T/l (F f) (x) f: T is the force per area of the body as it was, of the energy T (l - 1)
 *   invariant  P = T (F f) (x) f: of the energy T (l^2 - 1)/2
 * T is given, or that of a model whose step is part of this one, with the stretch at its end: where the fibre is longer T is another
 * one, and the tangent has dT/dl: below 0 where quick shortening makes cross-bridges push, above it in short steps, to which runs cut.
 * A model's states are followed by ACTIVE_STATES more, the stretch at the end of the step, and tension and strain there. Where all of the model's
 * are 0 it has not begun, and begins with the stretch that is there; while no time goes by they stay 0. */
#pragma once
#include "physics/material_kernels.h"
#include "physics/tension_kernels.h"
#include "physics/tension_program.h"

/* A step of the model. That of a file is apart, so that others keep their registers. */
MATERIAL_CALL void active_program(const PointActive *active, const TensionIn *in, TensionOut *out) {
  tension_program_step(&active->program, active->n_state, in, out);
}
HD void active_step(const PointActive *active, const TensionIn *in, TensionOut *out) {
  if (active->program.n_step) active_program(active, in, out);
  else tension_step(active->model, active->value, in, out);
}
HD void active_begin(const PointActive *active, const double drive, const double stretch, double *state) {
  for (int32_t k = 0; active->program.n_step && k < active->n_state; ++k) state[k] = active->value[k];
  if (!active->program.n_step) tension_begin(active->model, active->value, drive, stretch, state);
}

/* The tension at a stretch, and its derivative. */
HD double active_tension(const PointActive *active, const PointIn *in, const double stretch, double *state,
                         double *slope) {
  double old[TENSION_STATES], now[TENSION_STATES];
  *slope = 0;
  if (active->model < 0) return in->active;
  const int32_t n = active->n_state;
  const double last = in->old[active->state + n];
  bool begun = false;
  for (int32_t k = 0; k < n; ++k) {
    old[k] = in->old[active->state + k];
    begun = begun || old[k] != 0;
  }
  const bool waits = !begun && in->dt == 0;
  const double from = waits ? stretch : last > 0 ? last : 1;
  if (!begun) active_begin(active, in->drive, from, old);
  const TensionIn at = {in->dt, in->drive, from, stretch, old};
  TensionOut out;
  out.state = now;
  active_step(active, &at, &out);
  for (int32_t k = 0; k < n; ++k) state[active->state + k] = waits ? 0 : now[k];
  state[active->state + n] = stretch;
  state[active->state + n + 1] = out.tension;
  state[active->state + n + 2] = (stretch - 1) * (stretch + 1) / 2;
  *slope = out.slope;
  return out.tension;
}

/* Adds to what the material has answered. */
HD void active_add(const PointActive *active, const PointIn *in, PointOut *out) {
  const double *f = in->axes;
  double Ff[3], rise = 0, slope; /* rise: l^2 - 1 */
  for (int i = 0; i < 3; ++i) {
    const double d = in->H[3 * i] * f[0] + in->H[3 * i + 1] * f[1] + in->H[3 * i + 2] * f[2];
    rise += d * (2 * f[i] + d);
    Ff[i] = f[i] + d;
  }
  const double stretch = sqrt(1 + rise), T = active_tension(active, in, stretch, out->state, &slope);
  const bool by_stretch = active->form == ACTIVE_STRETCH;
  const double S = by_stretch ? T / stretch : T, gain = slope / (by_stretch ? stretch : 1);
  const double second = (gain - (by_stretch ? S / stretch : 0)) / stretch;
  out->energy += T * (by_stretch ? rise / (1 + stretch) : rise / 2);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) out->P[3 * i + k] += S * Ff[i] * f[k];
  for (int m = 0; out->A && m < 9; ++m)
    for (int n = 0; n < 9; ++n)
      out->A[9 * m + n] += f[m % 3] * f[n % 3] * ((m / 3 == n / 3 ? S : 0) + second * Ff[m / 3] * Ff[n / 3]);
}

/* The answer of a material with muscle in it, as material_point. A material without fibres has these alone as PART_FIBRES. */
MATERIAL_CALL int active_point(const ElasticConstants *c, const double *law, const PointIn *in, PointOut *out) {
  const int failed = material_point(c->kind, law, in, out);
  if (in->part == PART_FIBRES && !out->fibres) point_clear(out);
  out->fibres = true;
  if (in->part != PART_MATRIX) active_add(&c->active, in, out);
  return failed;
}
