/* Row kernels of a step by stages of Runge, Kutta and Chebyshev (stepper_stages.c), a row per unknown, in the variables of
 * evolution_rows.h: x = u - u_n = s y and K'' = s K s. With J = M^(-1) (dR/du - K) and F_0 = M^(-1) (R - K u_n) + I the stages are
 *   x = b T_s(w0) y_s,  y_k: Chebyshev's semi-iteration, k steps from 0 on, for -dt J y = dt F_0,
 * (docs/theory/evolution.md), in which a row is divided by P_i = w_i alone and not by its diagonal:
 *   Z_i = -w_i dt (dR/du)_i / M_i,  share = dt/tau0,  and in place of the diagonal of K'' (w_i - Z_i)/share. */
#pragma once
#include "solver/time/activation_rows.h"
#include "solver/time/evolution_rows.h"

/* One row: the scalars of a loop, which come with the launch, and its first pulses. */
typedef struct StageStartArgs {
  EvolutionArgs step;
  EvolutionScalars value;
} StageStartArgs;
HD void stage_start_body(const StageStartArgs *args, int64_t i, double sum[]) {
  const EvolutionArgs *a = &args->step;
  (void)i, (void)sum;
  *a->s = args->value;
  for (int32_t k = 0; k < a->n_pulse; ++k) a->switches[k] = evolution_switch(&a->s->clock, &a->pulse[k]);
}

/* Right-hand side, Z, and the first iterate; u_n is kept. Bytes of a row: u, K u, R and its slope, I, M, 8 each, u_n 8, s, w and
 * five of 4. */
HD void stage_begin_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  const EvolutionScalars *s = a->s;
  a->before[i] = a->u[i];
  a->y[1][i] = 0;
  if (evolution_is_fixed(a, i)) {
    a->rho[i] = a->y[0][i] = a->unscaled[i] = 0;
    a->shift[i] = 1;
    return;
  }
  const double m = s->clock.mass, mass = a->mass[i], weight = (double)a->weight[i], most = s->stage_slope;
  const double own = (double)a->own[i];
  const double reaction = a->line ? a->line[i] + a->line_slope[i] * a->u[i] : a->R[i] / mass;
  const double rate = reaction - own * a->Ku[i] / mass + evolution_current(a, i) + (a->lag ? a->lag[i] : 0);
  double slope = (a->line ? -a->line_slope[i] : a->diagonal[i] / mass) / m;
  slope = slope > most ? most : slope < -most ? -most : slope;
  const double right = (double)a->scale[i] * mass / (own * a->tau0) * (rate / m);
  a->rho[i] = (float)right;
  a->shift[i] = (float)(weight * slope);
  a->unscaled[i] = (float)(weight * (1 - slope) / s->semi[0][2]);
  a->y[0][i] = (float)(s->semi[0][1] * right / weight);
}

typedef struct StageEndArgs {
  EvolutionArgs step;
  ActivationArgs maps; /* n 0: none */
} StageEndArgs;

/* The new u, what maps see of it, and with a share of consistent mass q of this step; sum of M (u - u_n)^2. Bytes of a row: u_n, M,
 * 8 each, s and y, 4 each, u 8, and of the maps 24. */
HD void stage_end_body(const StageEndArgs *args, int64_t i, double sum[]) {
  const EvolutionArgs *a = &args->step;
  if (!evolution_runs(a)) return;
  const EvolutionScalars *s = a->s;
  const ActivationArgs *maps = &args->maps;
  const ActivationNode none_yet = {0, 0, 0, 0, 0}, node = maps->n ? activation_node(maps, i) : none_yet;
  const double x = s->stage_part * (double)a->scale[i] * (double)a->y[(s->n_inner + 1) % 2][i], mass = a->mass[i];
  const double before = a->before[i], u = before + x;
  a->u[i] = u;
  sum[0] += mass * x * x;
  if (maps->n) activation_pass(maps, i, &node, before, u);
  if (!a->lag) return;
  const int none = evolution_is_fixed(a, i) || !(mass > 0);
  a->q_before[i] = a->q[i];
  a->q[i] = none ? 0 : s->clock.mass * x - (a->R[i] - 0.5 * a->diagonal[i] * x) / mass - evolution_current(a, i);
}
HD void stage_end_finish(const StageEndArgs *args, const double sum[]) {
  EvolutionScalars *s = args->step.s;
  s->sample = 0; /* in turns behind the stop too */
  if (!evolution_runs(&args->step)) return;
  s->change = sum[0];
  const int bad = !(sum[0] - sum[0] == 0);
  if (!bad && sum[0] <= s->limit) return;
  evolution_end(s, bad ? EVOLUTION_NAN : EVOLUTION_DIVERGED);
  s->pulses_switch = 0;
}

/* One row: the step is accepted, and the next one begins, with its pulses, or the loop ends. */
HD void stage_next_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)i, (void)sum;
  if (!evolution_runs(a)) return;
  EvolutionScalars *s = a->s;
  s->sample = s->samples[s->steps];
  s->sample_row = s->n_sample;
  s->n_sample += s->sample;
  s->steps += 1;
  s->products += s->n_inner;
  if (s->steps >= s->max_steps) {
    evolution_end(s, EVOLUTION_DONE);
    s->pulses_switch = 0;
    return;
  }
  s->clock.time = s->clock.target;
  s->clock.target = s->target[s->steps];
  int32_t switched = 0;
  for (int32_t k = 0; k < a->n_pulse; ++k) {
    const double on = evolution_switch(&s->clock, &a->pulse[k]);
    switched |= on != a->switches[k];
    a->switches[k] = on;
  }
  s->pulses_switch = switched;
}
