/* Vector kernels of the symmetric scaling and of the bound of the spectrum. */
#pragma once
#include "algebra/krylov_scalars.h"

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

/* A number in [-1, 1] that depends on i only (splitmix64, Steele, Lea and Flood 2014). */
HD double lanczos_random(int64_t i) {
  uint64_t z = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return (double)(z >> 11) * (2.0 / 9007199254740992.0) - 1;
}
