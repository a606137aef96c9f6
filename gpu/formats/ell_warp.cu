/* ELL-WARP on the GPU (layout in algebra/formats/ell_warp.c): a warp per warp of the format, so that values and columns
 * are read in whole lines; values pass by the caches (__ldcs), x is gathered through them. Lanes that share a row add
 * their parts by shuffles, the far half to the near one, in a fixed order; how many steps that takes is the same for
 * the whole warp. */
#include "gpu/formats/spmv.cuh"

#define REAL double
#define NAMED(name) name##_d
#include "algebra/formats/ell_warp_visit.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/formats/ell_warp_visit.tmpl.h"
#undef REAL
#undef NAMED

/* Any block up to WARP_LARGEST keeps within 64 registers: 32 warps a processor. */
enum { WARP_BLOCK = 128, WARP_LARGEST = 256, WARP_RESIDENT = 4, WARP_AHEAD = 4 };

/* Adds the next `left` entries of the lane, at most WARP_AHEAD: all columns and values are asked for, then all of x, so
 * that the warp waits twice for as many. Behind the end it reads its first entry again, without branches. */
template <typename T>
__device__ __forceinline__ double ell_warp_add(const T *__restrict__ value, const int32_t *__restrict__ column,
                                               const T *__restrict__ v, int32_t left, double s) {
  int32_t j[WARP_AHEAD];
  T a[WARP_AHEAD], x[WARP_AHEAD];
#pragma unroll
  for (int u = 0; u < WARP_AHEAD; ++u) j[u] = __ldg(column + (u < left ? 32 * u : 0));
#pragma unroll
  for (int u = 0; u < WARP_AHEAD; ++u) a[u] = __ldcs(value + (u < left ? 32 * u : 0));
#pragma unroll
  for (int u = 0; u < WARP_AHEAD; ++u) x[u] = __ldg(v + j[u]);
#pragma unroll
  for (int u = 0; u < WARP_AHEAD; ++u) s += u < left ? (double)a[u] * (double)x[u] : 0;
  return s;
}

/* The sum of the lane's entries. */
template <typename T>
__device__ __forceinline__ double ell_warp_sum(const MatView &m, const T *__restrict__ v, int64_t start, int64_t end) {
  const int lane = threadIdx.x % 32;
  const T *__restrict__ value = (const T *)m.value + start + lane;
  const int32_t *__restrict__ column = m.column + start + lane;
  int32_t left = (int32_t)((end - start) / 32);
  double s = 0;
#pragma unroll 1
  for (; left >= WARP_AHEAD; left -= WARP_AHEAD, value += 32 * WARP_AHEAD, column += 32 * WARP_AHEAD)
    s = ell_warp_add(value, column, v, WARP_AHEAD, s);
  return left ? ell_warp_add(value, column, v, left, s) : s;
}

/* One warp of the matrix; all 32 threads come here. */
template <typename T, MatOp OP>
__device__ __forceinline__ void ell_warp_one(const ProductArgs &a, int64_t w, double *sum) {
  constexpr bool visits = OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F;
  const MatView &m = a.a;
  const int lane = threadIdx.x % 32;
  const int64_t start = __ldg(m.start + w), end = __ldg(m.start + w + 1);
  const int32_t first = __ldg(m.order + w), count = __ldg(m.order + w + 1) - first;
  int64_t row = first + lane; /* whose sum this lane will have */
  if (m.row && lane < count) row = __ldg(m.row + row);
  double s;
  if constexpr (visits) {
    const int r = lane & ((count > 1 ? 1 << (32 - __clz(count - 1)) : 1) - 1); /* rows: a power of two from count on */
    const int64_t i = r >= count ? -1 : m.row ? m.row[first + r] : first + r;
    if (i < 0) s = 0;
    else if constexpr (sizeof(T) == sizeof(double)) s = ell_warp_visit_d(&a, start, end, lane, i, OP);
    else s = ell_warp_visit_f(&a, start, end, lane, i, OP);
  } else {
    s = ell_warp_sum<T>(m, (const T *)a.v, start, end);
  }
  if constexpr (OP != MAT_SCALE_D && OP != MAT_SCALE_F) {
    for (int offset = 16; offset >= count; offset /= 2) s += __shfl_down_sync(0xffffffffu, s, offset);
    if (lane < count) spmv_row<T>(&a, OP, row, s, sum);
  }
}

template <typename T, MatOp OP, int SUMS>
__global__ void __launch_bounds__(WARP_LARGEST, WARP_RESIDENT)
    ell_warp_rows(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t w = launch_first() / 32; w < n / 32; w += launch_step() / 32) ell_warp_one<T, OP>(a, w, sum);
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename T, MatOp OP, int SUMS>
static cudaError_t ell_warp_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  const int block = a.a.slice ? a.a.slice : WARP_BLOCK;
  ell_warp_rows<T, OP, SUMS><<<spmv_blocks<SUMS>(n, block), block, 0, stream>>>(a, n, *scratch);
  return cudaGetLastError();
}

#define WARP_1D(OP, NAME, SUMS) {"ell_warp_" #NAME "_1d", sizeof(ProductArgs), ell_warp_launch<double, OP, SUMS>},
#define WARP_1F(OP, NAME, SUMS) {"ell_warp_" #NAME "_1f", sizeof(ProductArgs), ell_warp_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_ell_warp[] = {MAT_OPS(WARP_1D) MAT_OPS(WARP_1F){nullptr, 0, nullptr}};
