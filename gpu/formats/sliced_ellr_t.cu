/* Sliced ELLR-T on the GPU (layout in algebra/formats/sliced_ellr_t.c): T threads share a row, a warp 32 / T rows next
 * to each other, so that values and columns are read in whole lines whatever T is; values pass by the caches (__ldcs),
 * x is gathered through them. A row's threads end with the row and add their parts by shuffles in a fixed order. */
#include "gpu/formats/spmv.cuh"

#define REAL double
#define NAMED(name) name##_d
#include "algebra/formats/sliced_ellr_t_visit.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/formats/sliced_ellr_t_visit.tmpl.h"
#undef REAL
#undef NAMED

/* 10 blocks per processor: up to 48 registers, which all variants fit without spilling, and 40 warps to hide
 * latency. */
enum { ELLRT_BLOCK = 128, ELLRT_RESIDENT = 10 };

/* The part of thread `member` of the row in a lane. */
template <typename T, int TEAM>
__device__ __forceinline__ double ellrt_sum(const MatView &m, const T *__restrict__ v, int32_t lane, int32_t member) {
  const int32_t slice = lane / m.slice, step = m.slice * TEAM, turns = __ldg(m.length + lane);
  const int64_t at = __ldg(m.start + slice) + (lane - slice * m.slice) * TEAM + member;
  const T *__restrict__ value = (const T *)m.value + at;
  const int32_t *__restrict__ column = m.column + at;
  double s = 0;
#pragma unroll 4
  for (int32_t k = 0; k < turns; ++k, value += step, column += step)
    s += (double)__ldcs(value) * (double)__ldg(v + __ldg(column));
  return s;
}

template <typename T, MatOp OP, int SUMS, int TEAM>
__global__ void __launch_bounds__(ELLRT_BLOCK, ELLRT_RESIDENT)
    ellrt_rows(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a)) {
    const int member = threadIdx.x % TEAM, in_warp = threadIdx.x % 32 / TEAM;
    /* whole warps stay in the loop together, as the shuffles ask for */
    for (int64_t first = launch_first() / 32 * (32 / TEAM); first < n; first += launch_step() / TEAM) {
      const int64_t lane = first + in_warp;
      double s = lane < n ? ellrt_sum<T, TEAM>(a.a, (const T *)a.v, (int32_t)lane, member) : 0;
#pragma unroll
      for (int offset = TEAM / 2; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffffu, s, offset, TEAM);
      if (member == 0 && lane < n) spmv_row<T>(&a, OP, a.a.row ? (int64_t)__ldg(a.a.row + lane) : lane, s, sum);
    }
  }
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename T, MatOp OP> __global__ void ellrt_visits(const __grid_constant__ ProductArgs a, const int64_t n) {
  if (!product_skips(&a))
    for (int64_t lane = launch_first(); lane < n; lane += launch_step()) {
      const int64_t i = a.a.row ? (int64_t)__ldg(a.a.row + lane) : lane;
      if constexpr (sizeof(T) == sizeof(double)) sliced_ellr_t_visit_d(&a, lane, i, OP);
      else sliced_ellr_t_visit_f(&a, lane, i, OP);
    }
}

template <typename T, MatOp OP, int SUMS, int TEAM>
static void ellrt_start(cudaStream_t stream, const ProductArgs &a, int64_t n, const LaunchScratch &scratch) {
  ellrt_rows<T, OP, SUMS, TEAM><<<spmv_blocks<SUMS>(n * TEAM, ELLRT_BLOCK), ELLRT_BLOCK, 0, stream>>>(a, n, scratch);
}

template <typename T, MatOp OP, int SUMS>
static cudaError_t ellrt_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F) {
    ellrt_visits<T, OP><<<launch_blocks(n, LAUNCH_BLOCK), LAUNCH_BLOCK, 0, stream>>>(a, n);
  } else {
    switch (a.a.threads) {
    case 1: ellrt_start<T, OP, SUMS, 1>(stream, a, n, *scratch); break;
    case 2: ellrt_start<T, OP, SUMS, 2>(stream, a, n, *scratch); break;
    case 4: ellrt_start<T, OP, SUMS, 4>(stream, a, n, *scratch); break;
    case 8: ellrt_start<T, OP, SUMS, 8>(stream, a, n, *scratch); break;
    default: ellrt_start<T, OP, SUMS, 16>(stream, a, n, *scratch);
    }
  }
  return cudaGetLastError();
}

#define ELLRT_1D(OP, NAME, SUMS) {"sliced_ellr_t_" #NAME "_1d", sizeof(ProductArgs), ellrt_launch<double, OP, SUMS>},
#define ELLRT_1F(OP, NAME, SUMS) {"sliced_ellr_t_" #NAME "_1f", sizeof(ProductArgs), ellrt_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_sliced_ellr_t[] = {MAT_OPS(ELLRT_1D)
                                                                        MAT_OPS(ELLRT_1F){nullptr, 0, nullptr}};
