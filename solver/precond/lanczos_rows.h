/* Row kernels of the Lanczos iteration (eigenvalue_bound.h). */
#pragma once
#include "algebra/scaling_rows.h"

/* Lanczos: t is the present vector, not normalised, last the one before (becomes the next one), w = A t. */
typedef struct LanczosArgs {
  void *last;
  const void *t, *w;
  Krylov *k;
  int64_t first; /* row of the whole that the first one is */
} LanczosArgs;

/* Start: t random (in `last`), its norm. */
HD void lanczos_start_finish(const LanczosArgs *a, const double sum[]) {
  a->k->lanczos_n = 0;
  a->k->lanczos_last = 1;
  a->k->lanczos_norm = sqrt(sum[0]);
}
HD void lanczos_start_d_body(const LanczosArgs *a, int64_t i, double sum[]) {
  const double t = lanczos_random(a->first + i);
  ((double *)a->last)[i] = t;
  sum[0] += t * t;
}
HD void lanczos_start_f_body(const LanczosArgs *a, int64_t i, double sum[]) {
  const float t = (float)lanczos_random(a->first + i);
  ((float *)a->last)[i] = t;
  sum[0] += (double)t * (double)t;
}
HD void lanczos_start_d_finish(const LanczosArgs *a, const double sum[]) { lanczos_start_finish(a, sum); }
HD void lanczos_start_f_finish(const LanczosArgs *a, const double sum[]) { lanczos_start_finish(a, sum); }

/* Next: last <- w / |t| - alpha t / |t| - (|t| / |last|) last; without `last` in the first step. */
HD double lanczos_row(const Krylov *k, double t, double w, double last) {
  const double next = (w - k->lanczos_alpha[k->lanczos_n] * t) / k->lanczos_norm;
  return k->lanczos_n == 0 ? next : next - k->lanczos_norm / k->lanczos_last * last;
}
HD int lanczos_over(const Krylov *k) { return k->lanczos_n >= LANCZOS_MAX; }
HD void lanczos_next_d_body(const LanczosArgs *a, int64_t i, double sum[]) {
  if (lanczos_over(a->k)) return;
  double *last = (double *)a->last;
  const double next = lanczos_row(a->k, ((const double *)a->t)[i], ((const double *)a->w)[i], last[i]);
  last[i] = next;
  sum[0] += next * next;
}
HD void lanczos_next_f_body(const LanczosArgs *a, int64_t i, double sum[]) {
  if (lanczos_over(a->k)) return;
  float *last = (float *)a->last;
  const float next =
      (float)lanczos_row(a->k, (double)((const float *)a->t)[i], (double)((const float *)a->w)[i], (double)last[i]);
  last[i] = next;
  sum[0] += (double)next * (double)next;
}
/* The vectors change places afterwards. A next vector of no length ends the process (an invariant subspace). */
HD void lanczos_next_finish(const LanczosArgs *a, const double sum[]) {
  Krylov *k = a->k;
  if (lanczos_over(k)) return;
  const double norm = sqrt(sum[0]);
  k->lanczos_beta[k->lanczos_n] = norm;
  k->lanczos_n += 1;
  k->lanczos_last = k->lanczos_norm;
  k->lanczos_norm = norm;
  if (!(norm > 1e-6 * fabs(k->lanczos_alpha[0]))) k->lanczos_n += LANCZOS_OVER;
}
HD void lanczos_next_d_finish(const LanczosArgs *a, const double sum[]) { lanczos_next_finish(a, sum); }
HD void lanczos_next_f_finish(const LanczosArgs *a, const double sum[]) { lanczos_next_finish(a, sum); }
