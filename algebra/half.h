/* IEEE 754 binary16 ("half") as bits, for compilers with and without a type of that name. Compiled by gcc and nvcc. */
#pragma once
#include "core/hd.h"

#include <string.h>

/* To nearest, ties to even, straight from double (by way of float, ties would be rounded twice). Beyond 65504 infinity,
 * below 2^-25 zero with its sign, NaN stays a NaN. */
HD uint16_t half_from_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint32_t sign = (uint32_t)(bits >> 48) & 0x8000u;
  const uint64_t fraction = bits & 0xfffffffffffffULL;
  const int32_t exponent = (int32_t)(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) return (uint16_t)(sign | 0x7c00u | (fraction ? 0x200u : 0));
  if (exponent > 15) return (uint16_t)(sign | 0x7c00u);
  if (exponent < -25) return (uint16_t)sign;
  /* subnormal halves lose a bit for each power below 2^-14 */
  const int32_t drop = exponent < -14 ? 42 + (-14 - exponent) : 42;
  const uint64_t whole = fraction | 0x10000000000000ULL, half = 1ULL << (drop - 1);
  uint64_t kept = whole >> drop;
  const uint64_t rest = whole & ((1ULL << drop) - 1);
  if (rest > half || (rest == half && (kept & 1))) kept += 1;
  /* the leading one of a normal half adds 1 to its exponent field; so does a carry, up to infinity */
  const uint32_t field = exponent < -14 ? 0 : (uint32_t)(exponent + 14) << 10;
  return (uint16_t)(sign | (field + (uint32_t)kept));
}

/* Exact. A normal half moves its exponent by 112; a subnormal one becomes the fraction of 2^-14, which is taken off
 * again. Without branches: loops over it become vectors. */
HD float half_to_float(uint16_t h) {
  const uint32_t magnitude = h & 0x7fffu, sign = (uint32_t)(h & 0x8000u) << 16;
  const uint32_t up = magnitude >= 0x7c00u ? 0x70000000u : magnitude < 0x400u ? 0x38800000u : 0x38000000u;
  const uint32_t off_bits = magnitude < 0x400u ? 0x38800000u : 0;
  uint32_t bits = (magnitude << 13) + up;
  float value, off;
  memcpy(&value, &bits, sizeof value);
  memcpy(&off, &off_bits, sizeof off);
  value -= off;
  memcpy(&bits, &value, sizeof bits);
  bits |= sign;
  memcpy(&value, &bits, sizeof value);
  return value;
}
