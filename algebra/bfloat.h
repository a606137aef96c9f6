/* bfloat16 as bits: the upper half of a float, 8 bits of fraction with the hidden one. Compiled by gcc and nvcc. */
#pragma once
#include "core/hd.h"

#include <string.h>

/* To nearest, ties to even, straight from double (by way of float, ties would be rounded twice). Beyond the largest
 * bfloat16 (3.39e38) infinity, below 2^-134 zero with its sign, NaN stays a NaN. */
HD uint16_t bfloat_from_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint32_t sign = (uint32_t)(bits >> 48) & 0x8000u;
  const uint64_t fraction = bits & 0xfffffffffffffULL;
  const int32_t exponent = (int32_t)(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) return (uint16_t)(sign | 0x7f80u | (fraction ? 0x40u : 0));
  if (exponent > 127) return (uint16_t)(sign | 0x7f80u);
  if (exponent < -134) return (uint16_t)sign;
  /* subnormal ones lose a bit for each power below 2^-126 */
  const int32_t drop = exponent < -126 ? 45 + (-126 - exponent) : 45;
  const uint64_t whole = fraction | 0x10000000000000ULL, half = 1ULL << (drop - 1);
  uint64_t kept = whole >> drop;
  const uint64_t rest = whole & ((1ULL << drop) - 1);
  if (rest > half || (rest == half && (kept & 1))) kept += 1;
  /* the leading one of a normal number adds 1 to its exponent field; so does a carry, up to infinity */
  const uint32_t field = exponent < -126 ? 0 : (uint32_t)(exponent + 126) << 7;
  return (uint16_t)(sign | (field + (uint32_t)kept));
}

/* Exact. */
HD float bfloat_to_float(uint16_t h) {
  const uint32_t bits = (uint32_t)h << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
