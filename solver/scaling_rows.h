/* Vector kernels of the symmetric scaling and of the bound of the spectrum. */
#pragma once
#include "solver/krylov.h"

#include <math.h>

/* s = 1 / sqrt(d), or 1 when `unit`; sums: entries of d that are not positive and finite (s = 1 there), sum of s */
typedef struct ScalingArgs {
  const double *d;
  double *s;
  int32_t unit;
  Krylov *k;
} ScalingArgs;
HD void scaling_body(const ScalingArgs *a, int64_t i, double sum[]) {
  const double d = a->d[i];
  const int good = d > 0 && d - d == 0;
  const double s = good && !a->unit ? 1 / sqrt(d) : 1;
  a->s[i] = s;
  sum[0] += good ? 0 : 1;
  sum[1] += s;
}
HD void scaling_finish(const ScalingArgs *a, const double sum[]) { krylov_step(a->k, KRYLOV_STORE, sum); }

/* s *= c */
typedef struct TimesArgs {
  double *s;
  double c;
} TimesArgs;
HD void times_body(const TimesArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->s[i] *= a->c;
}

/* out_i = largest of v_i, v_(i+m), v_(i+2m) ...; NaN counts as infinite */
typedef struct FoldArgs {
  const void *v;
  double *out;
  int64_t n, m;
} FoldArgs;
HD double fold_larger(double largest, double v) { return v <= largest ? largest : v == v ? v : HUGE_VAL; }
HD void fold_d_body(const FoldArgs *a, int64_t i, double sum[]) {
  (void)sum;
  double largest = 0;
  for (int64_t j = i; j < a->n; j += a->m) largest = fold_larger(largest, ((const double *)a->v)[j]);
  a->out[i] = largest;
}
HD void fold_f_body(const FoldArgs *a, int64_t i, double sum[]) {
  (void)sum;
  double largest = 0;
  for (int64_t j = i; j < a->n; j += a->m) largest = fold_larger(largest, (double)((const float *)a->v)[j]);
  a->out[i] = largest;
}

/* Lanczos: t is the present vector, not normalised, last the one before (becomes the next one), w = A t. */
typedef struct LanczosArgs {
  void *last;
  const void *t, *w;
  Krylov *k;
} LanczosArgs;

/* A number in [-1, 1] that depends on i only (splitmix64, Steele, Lea and Flood 2014). */
HD double lanczos_random(int64_t i) {
  uint64_t z = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return (double)(z >> 11) * (2.0 / 9007199254740992.0) - 1;
}
/* Start: t random (in `last`), its norm. */
HD void lanczos_start_finish(const LanczosArgs *a, const double sum[]) {
  a->k->lanczos_n = 0;
  a->k->lanczos_last = 1;
  a->k->lanczos_norm = sqrt(sum[0]);
}
HD void lanczos_start_d_body(const LanczosArgs *a, int64_t i, double sum[]) {
  const double t = lanczos_random(i);
  ((double *)a->last)[i] = t;
  sum[0] += t * t;
}
HD void lanczos_start_f_body(const LanczosArgs *a, int64_t i, double sum[]) {
  const float t = (float)lanczos_random(i);
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
