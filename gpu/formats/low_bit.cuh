/* Records of SBELL in 16 and 8 bits (layout in algebra/formats/low_bit.c) as a thread reads them. */
#pragma once
#include <cuda_fp16.h>

#include "algebra/low_bit_rows.h"

/* Past L1, with no wish to leave L2 early. */
__device__ __forceinline__ uint32_t low_bit_stream(const uint32_t *p) {
  uint32_t w;
  asm("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(w) : "l"(p));
  return w;
}
__device__ __forceinline__ uint32_t low_bit_stream(const uint16_t *p) {
  uint16_t w;
  asm("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=h"(w) : "l"(p));
  return w;
}

template <int BITS, int B> struct LowRecord {
  static constexpr int BYTES = BITS >= LOW_HALF ? (B == 1 ? 4 : B == 2 ? 10 : 20) : 4 * B, WORDS = BYTES / 4;
  uint32_t word[WORDS], column;

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int w = 0; w < WORDS; ++w) word[w] = 0;
    column = 0;
  }
  /* `entry` is where the 32 records of an entry begin */
  __device__ __forceinline__ void load(const char *__restrict__ entry, int in) {
#pragma unroll
    for (int w = 0; w < WORDS; ++w) word[w] = low_bit_stream((const uint32_t *)entry + w * LOW_LANES + in);
    if constexpr (BYTES % 4 != 0) column = low_bit_stream((const uint16_t *)(entry + WORDS * 4 * LOW_LANES) + in);
    else column = word[WORDS - 1] >> 16;
  }
  /* Without the scale. 8 bits, taken as q + 128, become the last bits of 2^23 + 128 + q: exact. */
  __device__ __forceinline__ float value(int e) const {
    if constexpr (BITS == LOW_HALF)
      return __half2float(__ushort_as_half((unsigned short)(word[e / 2] >> (16 * (e % 2)))));
    else if constexpr (BITS == LOW_BFLOAT)
      return __uint_as_float(e % 2 ? word[e / 2] & 0xffff0000u : word[e / 2] << 16);
    else
      return __uint_as_float(__byte_perm(word[e / 4] ^ 0x80808080u, 0x4b000000u, 0x7440u | (unsigned)(e % 4))) -
             8388736.0f;
  }
  __device__ __forceinline__ float scale() const {
    if constexpr (BITS >= LOW_HALF) return 1.0f;
    else return __uint_as_float((word[WORDS - 1] >> 8 & 0xff) << 23);
  }
};
