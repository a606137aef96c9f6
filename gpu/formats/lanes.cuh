/* Products of formats that keep rows side by side in lanes (layout in algebra/formats/sliced.h), on the GPU. The 32
 * lanes of a warp are rows next to each other, so that values and columns are read in whole lines; values pass by the
 * caches (__ldcs), x is gathered through them. A PLACE type says where the entries of a lane lie; format files choose
 * one. The habits are those measured in format_sbell.cu. */
#pragma once
#include "gpu/formats/spmv.cuh"

#define REAL double
#define NAMED(name) name##_d
#include "algebra/formats/sbell_visit.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/formats/sbell_visit.tmpl.h"
#undef REAL
#undef NAMED

/* 8 blocks per processor: up to 64 registers, which all variants fit without spilling, and 32 warps to hide latency;
 * with one scalar a lane 12, since a thread then has less under way. */
enum { LANES_BLOCK = 128, LANES_RESIDENT = 8, LANES_RESIDENT_SCALAR = 12 };

/* The entries of a lane: at begin + in, one every `step`, before begin + in + width. */
template <typename STEP> struct LanePlace {
  int64_t begin;
  int32_t in;
  STEP width, step;
};
/* One slice of all rows: its offsets need 64 bits. */
struct LanesWhole {
  template <typename LOAD> static __device__ __forceinline__ LanePlace<int64_t> place(const MatView &m, int32_t lane) {
    return {0, lane, (int64_t)m.width * m.slice, m.slice};
  }
};
/* Same, each lane with its own length. */
struct LanesOwnLength {
  template <typename LOAD> static __device__ __forceinline__ LanePlace<int64_t> place(const MatView &m, int32_t lane) {
    return {0, lane, (int64_t)LOAD::again(m.length + lane) * m.slice, m.slice};
  }
};
/* Slices of SLICE lanes, of m.slice where SLICE is 0: when it is known, all values of a block lie at fixed offsets. */
template <int SLICE> struct LanesSliced {
  template <typename LOAD> static __device__ __forceinline__ LanePlace<int32_t> place(const MatView &m, int32_t lane) {
    const int32_t step = SLICE ? SLICE : m.slice, slice = lane / step;
    const int64_t begin = LOAD::again(m.start + slice);
    return {begin, lane - slice * step, (int32_t)(LOAD::again(m.start + slice + 1) - begin), step};
  }
};

/* s[r] += scalar row r of every `split`th entry of a lane, beginning with entry `part`. */
template <typename T, int B, typename LOAD, typename STEP>
__device__ __forceinline__ void lane_sum(const MatView &m, const T *__restrict__ v, const LanePlace<STEP> &p,
                                         const int32_t split, int32_t part, double *s) {
  const STEP step = p.step;
  const int32_t *__restrict__ column = m.column + p.begin + p.in;
  const T *__restrict__ value = (const T *)m.value + p.begin * (B * B) + p.in;
  column += part * step;
  value += part * step * (B * B);
#pragma unroll(B == 1 ? 4 : 2)
  for (STEP k = part * step; k < p.width; k += split * step, column += split * step, value += split * step * (B * B)) {
    const int32_t j = LOAD::again(column) * B;
    T x[B];
#pragma unroll
    for (int c = 0; c < B; ++c) x[c] = LOAD::again(v + j + c);
#pragma unroll
    for (int e = 0; e < B * B; ++e) s[e / B] += (double)LOAD::once(value + e * step) * (double)x[e % B];
  }
}

template <typename LOAD> static __device__ __forceinline__ int64_t lane_row(const MatView &m, int64_t lane) {
  return m.row ? (int64_t)LOAD::again(m.row + lane) : lane;
}

template <typename T, int B, MatOp OP>
__device__ __forceinline__ void lane_end(const ProductArgs &a, int64_t lane, const double *s, double *sum) {
  const int64_t i = lane_row<LoadFrozen>(a.a, lane);
#pragma unroll
  for (int r = 0; r < B; ++r) spmv_row<T>(&a, OP, i * B + r, s[r], sum);
}

/* One thread per lane. */
template <typename T, int B, MatOp OP, int SUMS, typename PLACE>
__global__ void __launch_bounds__(LANES_BLOCK, B == 1 ? LANES_RESIDENT_SCALAR : LANES_RESIDENT)
    lanes_alone(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t lane = launch_first(); lane < n; lane += launch_step()) {
      double s[B] = {};
      lane_sum<T, B, LoadFrozen>(a.a, (const T *)a.v, PLACE::template place<LoadFrozen>(a.a, (int32_t)lane), 1, 0, s);
      lane_end<T, B, OP>(a, lane, s, sum);
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

/* Four warps per 32 lanes: warp p takes entries p, p + 4, ...; their sums meet in shared memory in the order of the
 * warps. For long rows, of which too few are under way at once otherwise. */
template <typename T, int B, MatOp OP, int SUMS, typename PLACE>
__global__ void __launch_bounds__(LANES_BLOCK, B == 1 ? LANES_RESIDENT_SCALAR : LANES_RESIDENT)
    lanes_shared(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  constexpr int SPLIT = LANES_BLOCK / 32;
  __shared__ double shared[SPLIT - 1][B][32];
  const int in = threadIdx.x % 32, part = threadIdx.x / 32;
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t first = blockIdx.x * (int64_t)32; first < n; first += gridDim.x * (int64_t)32) {
      const int64_t lane = first + in;
      double s[B] = {};
      if (lane < n)
        lane_sum<T, B, LoadFrozen>(a.a, (const T *)a.v, PLACE::template place<LoadFrozen>(a.a, (int32_t)lane), SPLIT,
                                   part, s);
      if (part > 0)
#pragma unroll
        for (int r = 0; r < B; ++r) shared[part - 1][r][in] = s[r];
      __syncthreads();
      if (part == 0 && lane < n) {
#pragma unroll
        for (int p = 0; p < SPLIT - 1; ++p)
#pragma unroll
          for (int r = 0; r < B; ++r) s[r] += shared[p][r][in];
        lane_end<T, B, OP>(a, lane, s, sum);
      }
      __syncthreads();
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

/* What is done once per matrix; here each precision and block size needs one kernel only. */
template <typename T, int B, MatOp OP>
__global__ void lanes_visit(const __grid_constant__ ProductArgs a, const int64_t n) {
  if (!product_skips(&a))
    for (int64_t lane = launch_first(); lane < n; lane += launch_step()) {
      if constexpr (sizeof(T) == sizeof(double)) sbell_visit_d(&a, lane, lane_row<LoadFrozen>(a.a, lane), B, OP);
      else sbell_visit_f(&a, lane, lane_row<LoadFrozen>(a.a, lane), B, OP);
    }
}

/* Blocks that share `groups` of 32 lanes evenly; with sums few enough that adding their partial sums is cheap. */
template <int SUMS> static inline unsigned lanes_shared_blocks(int64_t groups) {
  constexpr int64_t most = 4 * LANES_RESIDENT * 132;
  const int64_t turns = SUMS > 0 ? (groups + most - 1) / most : 1;
  return launch_blocks(groups, turns > 0 ? turns : 1);
}

/* Four warps share a row where the rows have SHARED_WIDTH entries or more on average (0: never). */
template <typename T, int B, MatOp OP, int SUMS, typename PLACE, int SHARED_WIDTH>
static inline cudaError_t lanes_launch(cudaStream_t stream, const ProductArgs &a, int64_t n,
                                       const LaunchScratch &scratch) {
  constexpr bool visits = OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F;
  if constexpr (visits) {
    lanes_visit<T, B, OP><<<launch_blocks(n, LAUNCH_BLOCK), LAUNCH_BLOCK, 0, stream>>>(a, n);
  } else {
    bool shared = false;
    if constexpr (SHARED_WIDTH > 0) {
      shared = a.a.width >= SHARED_WIDTH;
      if (shared)
        lanes_shared<T, B, OP, SUMS, PLACE>
            <<<lanes_shared_blocks<SUMS>((n + 31) / 32), LANES_BLOCK, 0, stream>>>(a, n, scratch);
    }
    if (!shared)
      lanes_alone<T, B, OP, SUMS, PLACE><<<spmv_blocks<SUMS>(n, LANES_BLOCK), LANES_BLOCK, 0, stream>>>(a, n, scratch);
  }
  return cudaGetLastError();
}
