/* What the gates of ionic models are made of (physics/ionic_shapes.h), in float: relative errors of some 1e-7. Exponents that
 * are large are not rounded to float before they are reduced: a potential is kept in two parts, of which the first has so few
 * digits that products with the first part of a constant are exact, with fused multiplications and without. A GPU takes
 * powers, reciprocals and roots from its units for them. Polynomials: near-minimax, by Chebyshev interpolation of
 * (2^f - 1)/f on |f| <= 1/2 and of (exp(r) - 1 - r)/r^2 on |r| <= 0.35. */
#pragma once
#include "physics/ionic_shapes.h"

typedef union IonicBits_float {
  float number;
  uint32_t bits;
} IonicBits_float;

#define IONIC_ROUNDS_FLOAT 0x1.8p23f /* added and taken away: the nearest whole number */
#define IONIC_LOG2E 1.4426950408889634

/* mV, a multiple of 1/16 and what is left, at most 1/32. */
typedef struct IonicNear_float {
  float high, low;
} IonicNear_float;

/* x, or `most` if that is less; by bits, as gcc makes branches of conditions with constants. */
HD float ionic_least_float(const float x, const float most) {
#ifdef __CUDA_ARCH__
  return fminf(x, most);
#else
  const uint32_t above = -(uint32_t)(x > most);
  const IonicBits_float high = {most};
  IonicBits_float y = {x};
  y.bits = (y.bits & ~above) | (high.bits & above);
  return y.number;
#endif
}

/* a b + c, rounded once where that costs nothing. */
HD float ionic_fused(const float a, const float b, const float c) {
#ifdef __CUDA_ARCH__
  return fmaf(a, b, c);
#else
  return a * b + c;
#endif
}
HD float ionic_inverse_float(const float x) {
#ifdef __CUDA_ARCH__
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return 1 / x;
#endif
}
HD float ionic_root_float(const float x) {
#ifdef __CUDA_ARCH__
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return sqrtf(x);
#endif
}

/* 2^n of n that IONIC_ROUNDS_FLOAT was added to, -126 to 127. */
HD float ionic_power_float(const float rounded) {
  IonicBits_float n = {rounded};
  n.bits = (n.bits + 127) << 23;
  return n.number;
}
/* 2^f, |f| <= 0.51 */
HD float ionic_part_float(const float f) {
#ifdef __CUDA_ARCH__
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(f));
  return y;
#else
  float q = 0.000154531629451f;
  q = q * f + 0.00133908633647f;
  q = q * f + 0.00961808255728f;
  q = q * f + 0.0555035711422f;
  q = q * f + 0.240226507606f;
  q = q * f + 0.693147188026f;
  return 1 + q * f;
#endif
}

/* The first 11 digits of a constant. */
HD float ionic_short(const double x) {
  const double wide = x * (0x1p42 + 1);
  return (float)(wide - (wide - x));
}

/* Beyond 200 mV gates are those of there. */
HD IonicNear_float ionic_near_float(const double potential) {
  const double V = ionic_within(potential, 200), high = (V + 0x1.8p48) - 0x1.8p48;
  const IonicNear_float near = {(float)high, (float)(V - high)};
  return near;
}
/* V + shift */
HD float ionic_number_float(const IonicNear_float V, const double shift) {
  const double high = (shift + 0x1.8p48) - 0x1.8p48;
  return (V.high + (float)high) + (V.low + (float)(shift - high));
}
/* Here and below `at` and `middle` are multiples of 1/16. */
HD float ionic_is_below_float(const IonicNear_float V, const double at) {
  return (V.high - (float)at) + V.low < 0 ? 1.f : 0.f;
}
HD IonicNear_float ionic_below_float(const IonicNear_float V, const double at) {
  const float low = ionic_is_below_float(V, at);
  const IonicNear_float near = {(float)at + low * (V.high - (float)at), low * V.low};
  return near;
}

/* exp(by V), |by V| <= 86 */
HD float ionic_exp_of_float(const IonicNear_float V, const double by) {
  const float first = ionic_short(by * IONIC_LOG2E), second = (float)(by * IONIC_LOG2E - (double)first);
  const float rounded = ionic_fused(V.high, first, IONIC_ROUNDS_FLOAT), whole = rounded - IONIC_ROUNDS_FLOAT;
  const float f = ionic_fused(V.high, second, ionic_fused(V.high, first, -whole));
  return ionic_part_float(ionic_fused(V.low, first + second, f)) * ionic_power_float(rounded);
}
HD float ionic_exp_from_float(IonicNear_float V, const double shift, const double by) {
  V.high += (float)shift;
  return ionic_exp_of_float(V, by);
}
HD float ionic_bell_of_float(const IonicNear_float V, const double middle, const double square) {
  const float by = (float)(-IONIC_LOG2E / square), d = V.high - (float)middle;
  const float t = -ionic_least_float(-by * (d * d), 120), more = ionic_fused(2, d, V.low) * V.low;
  const float rounded = t + IONIC_ROUNDS_FLOAT, whole = rounded - IONIC_ROUNDS_FLOAT;
  return ionic_part_float(ionic_fused(more, by, t - whole)) * ionic_power_float(rounded);
}
HD float ionic_rise_float(const float e, const double middle, const double width) {
  return ionic_inverse_float(1 + (float)ionic_exp_near(middle * (1 / width)) * e);
}
HD float ionic_fall_float(const float e, const double middle, const double width) {
  return e * ionic_inverse_float(e + (float)ionic_exp_near(middle * (1 / width)));
}

HD IonicNear_float ionic_from_float(const double V) { return ionic_near_float(V); }
HD float ionic_sigmoid_of_float(const IonicNear_float V, const double middle, const double width) {
  return ionic_rise_float(ionic_exp_of_float(V, -1 / width), middle, width);
}
HD float ionic_sigmoid_down_float(const IonicNear_float V, const double middle, const double width) {
  return ionic_inverse_float(1 + (float)ionic_exp_near(middle * (1 / width)) * ionic_exp_of_float(V, 1 / width));
}
HD float ionic_bell_from_float(const IonicNear_float V, const double middle, const double square) {
  return ionic_bell_of_float(V, middle, square);
}
HD float ionic_exp_of_line_float(const IonicNear_float V, const double at, const double by) {
  return (float)ionic_exp_near(at) * ionic_exp_of_float(V, by);
}

/* exp(r) - 1, |r| <= 0.35 */
HD float ionic_less_one_float(const float r) {
  float q = 0.0013926926614f;
  q = ionic_fused(q, r, 0.00836377387441f);
  q = ionic_fused(q, r, 0.0416665501103f);
  q = ionic_fused(q, r, 0.166665733819f);
  q = ionic_fused(q, r, 0.5f);
  return ionic_fused(r * r, q, r);
}
/* The exponent reduced as ionic_exp_of_float does, so that it is the same above and below. */
HD float ionic_flux_by_float(const IonicNear_float V, const double shift, const double by) {
  const float first = ionic_short(by * IONIC_LOG2E), second = (float)(by * IONIC_LOG2E - (double)first);
  const double sixteenths = (shift + 0x1.8p48) - 0x1.8p48;
  const float high = V.high + (float)sixteenths, low = V.low + (float)(shift - sixteenths);
  const float rounded = ionic_fused(high, first, IONIC_ROUNDS_FLOAT), whole = rounded - IONIC_ROUNDS_FLOAT;
  const float f = ionic_fused(low, first + second, ionic_fused(high, second, ionic_fused(high, first, -whole)));
  const float z = (whole + f) * 0.693147181f, power = ionic_power_float(rounded);
  const float near = fabsf(z) < 1e-4f ? 1.f : 0.f;
  const float grown = ionic_fused(ionic_less_one_float(f * 0.693147181f), power, power - 1);
  return near * (1 - 0.5f * z) + (1 - near) * z * ionic_inverse_float(grown + near);
}
HD float ionic_flux_up_float(const IonicNear_float V, const double shift, const double width) {
  return ionic_flux_by_float(V, shift, 1 / width);
}
HD float ionic_flux_down_float(const IonicNear_float V, const double shift, const double width) {
  return ionic_flux_by_float(V, shift, -1 / width);
}
HD float ionic_exp_far_float(const IonicNear_float V, const double by) { return ionic_exp_of_float(V, by); }
HD float ionic_exp_line_float(const IonicNear_float V, const double shift, const double by) {
  return (float)ionic_exp_near(shift * by) * ionic_exp_of_float(V, by);
}
HD float ionic_exp_down_float(const IonicNear_float V, const double shift, const double width) {
  return ionic_exp_line_float(V, shift, -1 / width);
}
HD float ionic_ratio_float(const float a, const float b) { return a * ionic_inverse_float(b); }
HD float ionic_over_float(const float a, const double constant) { return a * (float)(1 / constant); }

/* 1 - exp(-x), x >= 0, to relative accuracy: slow gates lose nothing. */
HD float ionic_way_float(const float x) {
  const float most = ionic_least_float(x, 80), rounded = ionic_fused(most, (float)-IONIC_LOG2E, IONIC_ROUNDS_FLOAT);
  const float r = -ionic_fused(rounded - IONIC_ROUNDS_FLOAT, 0.693147181f, most), power = ionic_power_float(rounded);
  return (1 - power) - ionic_less_one_float(r) * power;
}
/* A gate of a rate and target after dt, by a factor in float: what is stored is double. */
HD double ionic_gate_float(const double s, const float rate, const float target, const double dt) {
  return s + ((double)target - s) * (double)ionic_way_float(rate * (float)dt);
}
