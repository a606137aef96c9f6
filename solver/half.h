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

/* Exact. Without branches: loops over it become vectors. */
HD float half_to_float(uint16_t h) {
  const uint32_t magnitude = h & 0x7fffu, sign = (uint32_t)(h & 0x8000u) << 16;
  const uint32_t special = magnitude >= 0x7c00u ? 0x70000000u : 0x38000000u;
  const uint32_t normal = (magnitude << 13) + special;
  float subnormal = (float)(int32_t)magnitude * 0x1p-24f, result;
  uint32_t small, bits;
  memcpy(&small, &subnormal, sizeof small);
  bits = sign | (magnitude < 0x400u ? small : normal);
  memcpy(&result, &bits, sizeof result);
  return result;
}
