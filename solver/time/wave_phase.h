/* Phase of something that beats, by delay embedding (Gray, Pertsov and Jalife, Nature 392, 1998): the angle of the point
 * (u(t) - c, u(t - delay) - c), in (-pi, pi], which grows as u rises. u is kept on the Exec at even times, of which the
 * delay is a multiple. */
#pragma once
#include "core/exec.h"

typedef struct WavePhase WavePhase;
/* Vectors of n; the delay is `lag` >= 1 times that are kept. ERR_MEMORY. */
Status wave_phase_create(Exec *exec, int64_t n, int32_t lag, double center, WavePhase **out);
void wave_phase_destroy(WavePhase **phase);
/* u[n] of now, on the Exec. */
Status wave_phase_keep(WavePhase *phase, const double *u);
/* angle[n] of what was kept last; as long as nothing is that old, the first stands for what was before. */
Status wave_phase_angle(WavePhase *phase, double *angle);
/* The same of any two vectors [n] on the Exec: u, and one that lags behind it. */
Status wave_phase_of(Exec *exec, int64_t n, const double *u, const double *past, double center, double *angle);
/* For checkpoints, as activation_save has it. */
int64_t wave_phase_state_size(const WavePhase *phase); /* doubles */
Status wave_phase_save(const WavePhase *phase, double *host);
Status wave_phase_restore(WavePhase *phase, const double *host);
