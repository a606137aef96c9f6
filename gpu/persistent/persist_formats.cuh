/* Sparse products inside a persistent kernel, where many threads share a row, since there are few rows. Formats that
 * keep rows in lanes: a block takes op.lanes of them at a time, op.parts threads each; their parts meet in shared
 * memory, where a thread per scalar row adds them in order and does the epilogue. CSR: op.parts threads of a warp per
 * row. Each product is a function of its own, which keeps registers and code apart. */
#pragma once
#include "gpu/formats/csr.cuh"
#include "gpu/formats/lanes.cuh"
#include "gpu/persistent/persist_formats.h"
#include "gpu/persistent/persist_team.cuh"
#include "algebra/formats/low_bit_visit.h"

/* A block's rows of a matrix in shared memory, entries as in a slice of `lanes` rows. */
struct PersistHeld {
  int32_t lanes;
  char *area;

  enum { HEAD = 16 };
  __device__ __forceinline__ int32_t &width() const { return *(int32_t *)area; } /* of the longest row; -1: not held */
  __device__ __forceinline__ int32_t *row() const { return (int32_t *)(area + HEAD); } /* [lanes] */
  __device__ __forceinline__ int32_t *length() const { return row() + lanes; }         /* [lanes] */
  __device__ __forceinline__ int32_t *column() const { return length() + lanes; }      /* [width][lanes] */
  __device__ __forceinline__ char *value() const {
    return (char *)(column() + width() * lanes);
  } /* [width][B * B][lanes] */
};

struct PersistProduct {
  const ProductArgs *a;
  const PersistOp *op;
  double *row; /* shared, [PERSIST_BLOCK * 3] */
  const unsigned char *program;
};

/* Sums of the entries part, part + parts ... of a lane, s[B]. */
template <typename T, int B, typename PLACE> struct PersistLanes {
  typedef T Vector;
  enum { HOLDS = true };
  static __device__ __forceinline__ void add_held(const PersistHeld &held, const T *v, int32_t in, int32_t parts,
                                                  int32_t part, double *s) {
    const int32_t lanes = held.lanes, length = held.length()[in];
    const int32_t *column = held.column() + in;
    const T *value = (const T *)held.value() + in;
#pragma unroll(B == 1 ? 4 : 3)
    for (int32_t k = part; k < length; k += parts) {
      const T *x = v + column[k * lanes] * B, *a = value + k * lanes * (B * B);
      T own[B];
#pragma unroll
      for (int c = 0; c < B; ++c) own[c] = x[c];
#pragma unroll
      for (int e = 0; e < B * B; ++e) s[e / B] += (double)a[e * lanes] * (double)own[e % B];
    }
  }
  /* All threads of the block: copies its rows in, if there is room. */
  static __device__ __forceinline__ void hold(const MatView &m, const PersistOp *op, const PersistHeld &held) {
    const int32_t lanes = held.lanes, first = blockIdx.x * lanes, n = (int32_t)op->n;
    if (threadIdx.x == 0) held.width() = 0;
    __syncthreads();
    for (int32_t in = threadIdx.x; in < lanes; in += PERSIST_BLOCK) {
      const bool there = first + in < n;
      int32_t length = 0;
      if (there) {
        const auto p = PLACE::template place<LoadLiving>(m, first + in);
        length = (int32_t)(p.width / p.step);
      }
      held.row()[in] = there ? (int32_t)lane_row<LoadLiving>(m, first + in) : 0;
      held.length()[in] = length;
      atomicMax(&held.width(), length);
    }
    __syncthreads();
    const int32_t width = held.width();
    const int64_t bytes = PersistHeld::HEAD + (int64_t)lanes * (8 + (int64_t)width * (4 + B * B * (int)sizeof(T)));
    const bool fits = bytes <= op->room;
    for (int32_t e = threadIdx.x; fits && e < width * lanes; e += PERSIST_BLOCK) {
      const int32_t k = e / lanes, in = e - k * lanes;
      if (k >= held.length()[in]) continue;
      const auto p = PLACE::template place<LoadLiving>(m, first + in);
      const int64_t at = p.begin + p.in + (int64_t)k * p.step,
                    from = p.begin * (B * B) + p.in + (int64_t)k * p.step * (B * B);
      held.column()[e] = m.column[at];
#pragma unroll
      for (int c = 0; c < B * B; ++c)
        ((T *)held.value())[(k * (B * B) + c) * lanes + in] = ((const T *)m.value)[from + (int64_t)c * p.step];
    }
    __syncthreads();
    if (threadIdx.x == 0 && !fits) held.width() = -1;
    __syncthreads();
  }
  static __device__ __forceinline__ void add(const ProductArgs *a, int32_t lane, int32_t parts, int32_t part,
                                             double *s) {
    lane_sum<T, B, LoadLiving>(a->a, (const T *)a->v, PLACE::template place<LoadLiving>(a->a, lane), parts, part, s);
  }
};
template <int BITS, int B> struct PersistLow {
  typedef float Vector;
  enum { HOLDS = false };
  static __device__ __forceinline__ void add(const ProductArgs *a, int32_t lane, int32_t parts, int32_t part,
                                             double *s) {
    const MatView &m = a->a;
    const int32_t slice = lane / LOW_LANES, l = lane % LOW_LANES, base = m.order[slice];
    const float *v = (const float *)a->v;
    const int64_t begin = m.start[slice], width = (m.start[slice + 1] - begin) / LOW_LANES;
#pragma unroll 2
    for (int64_t k = part; k < width; k += parts) {
      const int64_t at = begin + k * LOW_LANES;
      const char *entry = (const char *)m.value + at * low_bit_bytes(BITS, B);
      const int64_t j = (base < 0 ? m.column[at + l] : base + (int64_t)low_bit_column(entry, l, BITS, B)) * B;
      float x[B], u[B] = {};
#pragma unroll
      for (int c = 0; c < B; ++c) x[c] = v[j + c];
#pragma unroll
      for (int e = 0; e < B * B; ++e) u[e / B] += low_bit_value(entry, l, BITS, B, e) * x[e % B];
      const float scale = BITS == 8 ? low_bit_scale(entry, l, BITS, B) : 1;
#pragma unroll
      for (int r = 0; r < B; ++r) s[r] += (double)(u[r] * scale);
    }
  }
};

template <MatOp OP, int B, typename SUM>
__device__ __forceinline__ void persist_lanes(const PersistProduct &p, double *sum) {
  typedef typename SUM::Vector T;
  const ProductArgs *a = p.a;
  if (product_skips(a)) return;
  const int32_t lanes = p.op->lanes, parts = p.op->parts, n = (int32_t)p.op->n;
  const PersistHeld held = {lanes, (char *)p.program + p.op->held};
  const bool holds = SUM::HOLDS && p.op->room > 0 && held.width() >= 0;
  const int32_t part = threadIdx.x / lanes, in = threadIdx.x - part * lanes;
  for (int32_t first = blockIdx.x * lanes; first < n; first += gridDim.x * lanes) {
    const int32_t lane = first + in;
    double s[B] = {};
    if (part < parts && lane < n) {
      if constexpr (SUM::HOLDS) {
        if (holds) SUM::add_held(held, (const T *)a->v, in, parts, part, s);
        else SUM::add(a, lane, parts, part, s);
      } else {
        SUM::add(a, lane, parts, part, s);
      }
    }
    if (parts == 1) {
      if (part == 0 && lane < n) {
        const int64_t i = holds ? held.row()[in] : lane_row<LoadLiving>(a->a, lane);
#pragma unroll
        for (int r = 0; r < B; ++r) spmv_row<T>(a, OP, i * B + r, s[r], sum);
      }
      continue;
    }
    if (part < parts)
#pragma unroll
      for (int r = 0; r < B; ++r) p.row[(part * lanes + in) * B + r] = s[r];
    __syncthreads();
    for (int32_t t = threadIdx.x; t < lanes * B && first + t / B < n; t += PERSIST_BLOCK) {
      const int64_t i = (holds ? held.row()[t / B] : lane_row<LoadLiving>(a->a, first + t / B)) * B + t % B;
      double all = p.row[t];
#pragma unroll 4
      for (int32_t q = 1; q < parts; ++q) all += p.row[q * lanes * B + t];
      spmv_row<T>(a, OP, i, all, sum);
    }
    __syncthreads();
  }
}

template <MatOp OP, typename T> __device__ __forceinline__ void persist_csr(const PersistProduct &p, double *sum) {
  const ProductArgs *a = p.a;
  if (product_skips(a)) return;
  const int32_t team = p.op->parts, member = threadIdx.x % team, in = threadIdx.x % 32 / team, rows = 32 / team;
  const int64_t n = p.op->n;
  for (int64_t first = (int64_t)(threadIdx.x / 32 * gridDim.x + blockIdx.x) * rows; first < n;
       first += (int64_t)gridDim.x * (PERSIST_BLOCK / 32) * rows) {
    const double s = csr_sum<T, LoadLiving>(a->a, (const T *)a->v, first + in, n, team, member);
    if (member == 0 && first + in < n) spmv_row<T>(a, OP, first + in, s, sum);
  }
}
