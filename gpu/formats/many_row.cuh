/* What a thread does with N of K interleaved vectors (algebra/many.h): loads of N numbers side by side, and the end of a
 * row, whose floats go in whole words too. */
#pragma once
#include "algebra/many.h"

/* Columns of one thread: more would not leave registers enough for the loads under way. */
template <int K> struct ManyShare { static constexpr int N = K < 4 ? K : 4, G = K / N; };

/* N numbers that lie side by side, N 2 or 4: whole loads, through the caches. */
template <int N> __device__ __forceinline__ void many_load(const double *__restrict__ v, double *x) {
#pragma unroll
  for (int q = 0; q < N; q += 2) {
    const double2 two = __ldg((const double2 *)(v + q));
    x[q] = two.x;
    x[q + 1] = two.y;
  }
}
template <int N> __device__ __forceinline__ void many_load(const float *__restrict__ v, float *x) {
  if constexpr (N == 4) {
    const float4 four = __ldg((const float4 *)v);
    x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
  } else {
    const float2 two = __ldg((const float2 *)v);
    x[0] = two.x, x[1] = two.y;
  }
}
template <int N> __device__ __forceinline__ void many_load(const float *__restrict__ v, double *x) {
  float low[N];
  many_load<N>(v, low);
#pragma unroll
  for (int q = 0; q < N; ++q) x[q] = (double)low[q];
}

/* N bytes of an array as a word. */
template <int N> __device__ __forceinline__ uint32_t many_bytes(const int8_t *v) {
  if constexpr (N == 4) return *(const uint32_t *)v;
  else return *(const uint16_t *)v;
}

/* Own values of vectors that this kernel may write. */
template <int N> __device__ __forceinline__ void many_own(const void *v, const int8_t *extra, int64_t at, double *x) {
  float low[N];
  if constexpr (N == 4) {
    const float4 four = *(const float4 *)((const float *)v + at);
    low[0] = four.x, low[1] = four.y, low[2] = four.z, low[3] = four.w;
  } else {
    const float2 two = *(const float2 *)((const float *)v + at);
    low[0] = two.x, low[1] = two.y;
  }
  const uint32_t more = extra ? many_bytes<N>(extra + at) : 0;
#pragma unroll
  for (int q = 0; q < N; ++q) x[q] = extra ? extra_join(low[q], (int8_t)(more >> (8 * q))) : (double)low[q];
}

/* x becomes what reading will give. */
template <int N> __device__ __forceinline__ void many_keep(void *v, int8_t *extra, int64_t at, double *x) {
  float low[N];
  uint32_t more = 0;
#pragma unroll
  for (int q = 0; q < N; ++q) {
    low[q] = (float)x[q];
    const int8_t n = extra ? extra_split(x[q], low[q]) : 0;
    more |= (uint32_t)(uint8_t)n << (8 * q);
    x[q] = extra ? extra_join(low[q], n) : (double)low[q];
  }
  if constexpr (N == 4) *(float4 *)((float *)v + at) = make_float4(low[0], low[1], low[2], low[3]);
  else *(float2 *)((float *)v + at) = make_float2(low[0], low[1]);
  if (!extra) return;
  if constexpr (N == 4) *(uint32_t *)(extra + at) = more;
  else *(uint16_t *)(extra + at) = (uint16_t)more;
}

/* product_row of MAT_COMBINE and MAT_COMBINE_DOT for N floats side by side. */
template <int N>
__device__ __forceinline__ void many_combine(const ProductArgs &a, MatOp op, int64_t at, const double *s, double *sum) {
  double v[N], u[N] = {}, b[N] = {}, t[N], z[N] = {};
  many_own<N>(a.v, a.v_extra, at, v);
  if (a.u) many_own<N>(a.u, a.u_extra, at, u);
  if (product_has_b(&a, op)) many_load<N>(a.b + at, b);
  if (a.z && a.e0 != 0) many_own<N>(a.z, a.z_extra, at, z);
#pragma unroll
  for (int q = 0; q < N; ++q) {
    t[q] = product_w(&a, s[q], v[q], u[q], b[q]);
    const double y = product_z(&a, t[q], v[q], u[q], b[q]);
    z[q] = a.e0 != 0 ? y + a.e0 * z[q] : y;
  }
  if (a.w) many_keep<N>(a.w, a.w_extra, at, t);
  if (!a.z) return;
  many_keep<N>(a.z, a.z_extra, at, z);
#pragma unroll
  for (int q = 0; q < N; ++q)
    if (op == MAT_COMBINE_DOT) sum[q] += b[q] * z[q];
}

/* Row sums s of the N entries from `at` on; T says how vectors are stored. */
template <typename T, int N>
__device__ __forceinline__ void many_row(const ProductArgs &a, MatOp op, int64_t at, const double *s, double *sum) {
  if constexpr (sizeof(T) == sizeof(float)) {
    if (op == MAT_COMBINE || op == MAT_COMBINE_DOT) many_combine<N>(a, op, at, s, sum);
  } else {
#pragma unroll
    for (int q = 0; q < N; ++q) many_end_d(&a, op, at + q, s[q], sum + q);
  }
}
