/* A vector of floats with 8 more bits an entry in an array of their own: gathered like any float, exact to 2^-32 where
 * an entry's own value is needed. Vectors inside a polynomial need that, docs/theory/precision.md. Without the second
 * array (NULL) it is a vector of floats. Compiled by gcc and nvcc. */
#pragma once
#include "core/hd.h"

#include <string.h>

/* 2^e of a float with exponent field e, or 2^-e; 0 for zero, subnormal and not finite ones, and where 2^-e is
 * subnormal. */
HD float extra_power(float x, int inverse) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= 0x7f800000u;
  const int odd = bits == 0 || bits >= 0x7f000000u;
  bits = odd ? 0 : inverse ? 0x7f000000u - bits : bits;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A float and its 8 bits more as one number, and back. */
HD double extra_join(float x, int8_t more) {
  return (double)x + (double)more * (1.0 / 2147483648.0) * (double)extra_power(x, 0);
}
HD int8_t extra_split(double x, float high) {
  const double t = (x - (double)high) * 2147483648.0 * (double)extra_power(high, 1);
  return (int8_t)(t >= 127 ? 127 : t <= -127 ? -127 : t == t ? (int32_t)(t < 0 ? t - 0.5 : t + 0.5) : 0);
}

HD double extra_read_f(const float *v, const int8_t *extra, int64_t i) {
  const float x = v[i];
  return extra ? extra_join(x, extra[i]) : (double)x;
}
/* What reading will give. */
HD double extra_write_f(float *v, int8_t *extra, int64_t i, double x) {
  const float high = (float)x;
  v[i] = high;
  if (!extra) return (double)high;
  extra[i] = extra_split(x, high);
  return extra_join(high, extra[i]);
}

/* Doubles need none. */
HD double extra_read_d(const double *v, const int8_t *extra, int64_t i) {
  (void)extra;
  return v[i];
}
HD double extra_write_d(double *v, int8_t *extra, int64_t i, double x) {
  (void)extra;
  return v[i] = x;
}
