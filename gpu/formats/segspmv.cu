/* segSpMV on the GPU (layout in algebra/formats/segspmv.c): a block per tile of rows. Its warps sum the segments, 32 /
 * T at a time, which lie so that values and columns are read in whole lines whether a thread has a segment of its own
 * or T share one; values pass by the caches (__ldcs), x is gathered through them. The sums meet in shared memory, where
 * a thread per row adds those of its row in order. A tile of one row is added by all threads as a tree. */
#include "gpu/formats/spmv.cuh"
#include "algebra/formats/segspmv_place.h"

#define REAL double
#define NAMED(name) name##_d
#include "algebra/formats/segspmv_visit.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/formats/segspmv_visit.tmpl.h"
#undef REAL
#undef NAMED

/* 10 blocks per processor: up to 48 registers, which all variants fit without spilling, and 40 warps to hide
 * latency. */
enum { SEGSPMV_RESIDENT = 10, SEGSPMV_WARPS = SEGSPMV_TILE / 32, SEGSPMV_SUM_BLOCKS = 4 * SEGSPMV_RESIDENT * 132 };

/* The part of this thread of the 32 / T segments that lie from `at` on. */
template <typename T>
__device__ __forceinline__ double segspmv_sum(const MatView &m, const T *__restrict__ v, int64_t at, int32_t turns) {
  const T *__restrict__ value = (const T *)m.value + at + threadIdx.x % 32;
  const int32_t *__restrict__ column = m.column + at + threadIdx.x % 32;
  double s = 0;
#pragma unroll 4
  for (int32_t k = 0; k < turns; ++k, value += 32, column += 32)
    s += (double)__ldcs(value) * (double)__ldg(v + __ldg(column));
  return s;
}

/* One tile; all threads of the block come here. part [SEGSPMV_TILE] is shared and free again afterwards. */
template <typename T, MatOp OP>
__device__ __forceinline__ void segspmv_tile(const ProductArgs &a, int32_t first, int32_t last, double *part,
                                             double *sum) {
  const MatView &m = a.a;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int32_t side = 32 / m.threads, turns = m.threshold / m.threads;
  const int64_t begin = __ldg(m.start + first), end = __ldg(m.start + last);
  const bool alone = last - first == 1;
  double all = 0;
  for (int64_t q = begin + warp * side; q < end; q += SEGSPMV_WARPS * side) {
    double s = segspmv_sum<T>(m, (const T *)a.v, q * m.threshold, turns);
    all += s;
    if (alone) continue;
    for (int32_t offset = m.threads / 2; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffffu, s, offset);
    if (lane % m.threads == 0) part[q - begin + lane / m.threads] = s;
  }
  if (alone) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) all += __shfl_down_sync(0xffffffffu, all, offset);
    if (lane == 0) part[warp] = all;
  }
  __syncthreads();
  const int32_t i = first + (int32_t)threadIdx.x;
  if (i < last) { /* a tile has a thread for each of its rows */
    const int32_t from = alone ? 0 : (int32_t)(__ldg(m.start + i) - begin);
    const int32_t to = alone ? (int32_t)SEGSPMV_WARPS : (int32_t)(__ldg(m.start + i + 1) - begin);
    double s = 0;
    for (int32_t q = from; q < to; ++q) s += part[q];
    spmv_row<T>(&a, OP, i, s, sum);
  }
  __syncthreads();
}

template <typename T, MatOp OP, int SUMS>
__global__ void __launch_bounds__(SEGSPMV_TILE, SEGSPMV_RESIDENT)
    segspmv_tiles(const __grid_constant__ ProductArgs a, const int32_t n_tile, const LaunchScratch scratch) {
  __shared__ double part[SEGSPMV_TILE];
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t tile = blockIdx.x; tile < n_tile; tile += gridDim.x)
      segspmv_tile<T, OP>(a, __ldg(a.a.order + tile), __ldg(a.a.order + tile + 1), part, sum);
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename T, MatOp OP>
__global__ void segspmv_visits(const __grid_constant__ ProductArgs a, const int32_t n_tile) {
  if (!product_skips(&a))
    for (int64_t tile = blockIdx.x; tile < n_tile; tile += gridDim.x) {
      const int32_t i = __ldg(a.a.order + tile) + (int32_t)threadIdx.x;
      if (i >= __ldg(a.a.order + tile + 1)) continue;
      if constexpr (sizeof(T) == sizeof(double)) segspmv_visit_d(&a, i, OP);
      else segspmv_visit_f(&a, i, OP);
    }
}

template <typename T, MatOp OP, int SUMS>
static cudaError_t segspmv_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  const int32_t n_tile = (int32_t)(n / SEGSPMV_WARP);
  if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F) {
    segspmv_visits<T, OP><<<launch_blocks(n_tile, 1), SEGSPMV_TILE, 0, stream>>>(a, n_tile);
  } else {
    /* blocks that share the tiles evenly; with sums few enough that adding their partial sums is cheap */
    const int64_t turns = SUMS > 0 ? (n_tile + (int64_t)SEGSPMV_SUM_BLOCKS - 1) / SEGSPMV_SUM_BLOCKS : 1;
    segspmv_tiles<T, OP, SUMS>
        <<<launch_blocks(n_tile, turns > 0 ? turns : 1), SEGSPMV_TILE, 0, stream>>>(a, n_tile, *scratch);
  }
  return cudaGetLastError();
}

#define SEGSPMV_1D(OP, NAME, SUMS) {"segspmv_" #NAME "_1d", sizeof(ProductArgs), segspmv_launch<double, OP, SUMS>},
#define SEGSPMV_1F(OP, NAME, SUMS) {"segspmv_" #NAME "_1f", sizeof(ProductArgs), segspmv_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_segspmv[] = {MAT_OPS(SEGSPMV_1D)
                                                                  MAT_OPS(SEGSPMV_1F){nullptr, 0, nullptr}};
