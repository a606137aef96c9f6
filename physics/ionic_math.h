/* exp, log, expm1 and 1/x of ionic models, in double, to two units of the last digit: without branches and calls, so
 * that C compilers make vectors of them, and in a third of the instructions of CUDA's. Polynomials: near-minimax, by Chebyshev
 * interpolation of (exp(r) - 1 - r)/r^2 on |r| <= log(2)/2 and of (log((1 + s)/(1 - s))/s - 2)/s^2 on |s| <= 3 - 2 sqrt(2). */
#pragma once
#include "core/hd.h"

#include <math.h>

/* Before loops of fixed length: they are written out before compilers look for vectors of cells. */
#ifdef __CUDACC__
#define IONIC_UNROLL _Pragma("unroll")
#else
#define IONIC_UNROLL _Pragma("GCC unroll 64")
#endif

typedef union IonicBits {
  double number;
  uint64_t bits;
} IonicBits;

#define IONIC_ROUNDS 0x1.8p52 /* added and taken away: the nearest whole number */
#define IONIC_LN2_HIGH 0x1.62e42fefap-1
#define IONIC_LN2_LOW 0x1.cf79abc9e3b3ap-40

/* x of ordinary size. */
HD double ionic_inverse(const double x) {
#ifdef __CUDA_ARCH__
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y = fma(y, fma(-x, y, 1.0), y);
  return fma(y, fma(-x, y, 1.0), y);
#else
  return 1 / x;
#endif
}

/* (exp(r) - 1 - r)/r^2: the coefficient of the highest power, and the others. */
#define IONIC_EXP_FIRST 2.510134692835034e-08
#define IONIC_EXP_PART(NEXT)                                                                                           \
  NEXT(2.7621338669142925e-07)                                                                                         \
  NEXT(2.75572664186123e-06)                                                                                           \
  NEXT(2.4801518641395993e-05)                                                                                         \
  NEXT(0.00019841269864380513)                                                                                         \
  NEXT(0.0013888888918939168) NEXT(0.008333333333329793) NEXT(0.04166666666662064) NEXT(0.16666666666666669) NEXT(0.5)
HD double ionic_exp_part(const double r) {
  double q = IONIC_EXP_FIRST;
#define NEXT(coefficient) q = q * r + coefficient;
  IONIC_EXP_PART(NEXT)
#undef NEXT
  return q;
}

/* x, or the nearer of -most and most; on a CPU by bits, as gcc makes branches of conditions with constants. */
HD double ionic_within(const double x, const double most) {
#ifdef __CUDA_ARCH__
  return x < -most ? -most : x > most ? most : x;
#else
  const uint64_t below = -(uint64_t)(x < -most), above = -(uint64_t)(x > most);
  const IonicBits low = {-most}, high = {most};
  IonicBits y = {x};
  y.bits = (y.bits & ~(below | above)) | (low.bits & below) | (high.bits & above);
  return y.number;
#endif
}
HD double ionic_in_range(const double x) { return ionic_within(x, 708); }

/* x = n log(2) + r: r, and 2^n. |x| <= 708 */
HD double ionic_reduce_near(const double x, IonicBits *power) {
  IonicBits n;
  n.number = x * 1.4426950408889634 + IONIC_ROUNDS;
  const double whole = n.number - IONIC_ROUNDS;
  power->bits = (n.bits + 1023) << 52;
  return (x - whole * IONIC_LN2_HIGH) - whole * IONIC_LN2_LOW;
}
HD double ionic_reduce(const double x, IonicBits *power) { return ionic_reduce_near(ionic_in_range(x), power); }

HD double ionic_exp(const double x) {
  IonicBits power;
  const double r = ionic_reduce(x, &power);
  return (1 + (r + r * r * ionic_exp_part(r))) * power.number;
}

HD double ionic_expm1(const double x) {
  IonicBits power;
  const double r = ionic_reduce(x, &power);
  return (r + r * r * ionic_exp_part(r)) * power.number + (power.number - 1);
}

/* x > 0 and normal; NaN of others. */
HD double ionic_log(const double x) {
  IonicBits m, e;
  m.number = x;
  const uint64_t above = m.bits + (UINT64_C(0x3ff0000000000000) - UINT64_C(0x3fe6a09e667f3bcd));
  e.bits = (above >> 52) | UINT64_C(0x4330000000000000); /* 2^52 + exponent */
  m.bits = (above & UINT64_C(0x000fffffffffffff)) + UINT64_C(0x3fe6a09e667f3bcd);
  const double whole = e.number - (0x1p52 + 1023), s = (m.number - 1) * ionic_inverse(m.number + 1), z = s * s;
  double q = 0.1310072138350349;
  q = q * z + 0.13267418596474884;
  q = q * z + 0.15386290534658992;
  q = q * z + 0.181817947008978;
  q = q * z + 0.2222222240054776;
  q = q * z + 0.2857142857076445;
  q = q * z + 0.4000000000000094;
  q = q * z + 0.6666666666666666;
  const double y = whole * IONIC_LN2_HIGH + (2 * s + (s * z * q + whole * IONIC_LN2_LOW));
  return x > 0 ? y : (double)NAN;
}

/* exp of a number that all cells of a model share: gcc takes exp itself out of their loop. */
HD double ionic_exp_shared(const double x) {
#ifdef __CUDA_ARCH__
  return ionic_exp(x);
#else
  return exp(x);
#endif
}

/* Functions of the C library. A GPU calls them, so that what runs a program of a model (ionic_program.h) has the registers
 * that they would take. */
#ifdef __CUDACC__
#define IONIC_CALL static __host__ __device__ __noinline__ __attribute__((unused)) double
#else
#define IONIC_CALL static inline __attribute__((unused)) double
#endif
IONIC_CALL ionic_pow(const double a, const double b) { return pow(a, b); }
IONIC_CALL ionic_log10(const double a) { return log10(a); }
IONIC_CALL ionic_sin(const double a) { return sin(a); }
IONIC_CALL ionic_cos(const double a) { return cos(a); }
IONIC_CALL ionic_tan(const double a) { return tan(a); }
IONIC_CALL ionic_asin(const double a) { return asin(a); }
IONIC_CALL ionic_acos(const double a) { return acos(a); }
IONIC_CALL ionic_atan(const double a) { return atan(a); }
IONIC_CALL ionic_sinh(const double a) { return sinh(a); }
IONIC_CALL ionic_cosh(const double a) { return cosh(a); }
IONIC_CALL ionic_tanh(const double a) { return tanh(a); }
#undef IONIC_CALL
