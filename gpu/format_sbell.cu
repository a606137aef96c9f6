/* SBELL on the GPU (layout in solver/sbell.c): one thread per block row, so that the 32 lanes of a warp read values and
 * columns in whole lines. x is gathered through the read-only cache. Blocks of 128 threads: on an H200 a product of
 * this shape ran at the bandwidth of a copy with 64 and with 128 (54^3 hex8: 78.3 us, limit 78.4). */
#include "gpu/spmv.cuh"

#define REAL double
#define NAMED(name) name##_d
#include "solver/sbell_visit.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "solver/sbell_visit.h"
#undef REAL
#undef NAMED

/* 8 blocks per processor: up to 64 registers, which all variants fit without spilling (asked for nothing, ptxas spills at
 * 32) and 32 warps to hide latency. */
enum { SBELL_BLOCK = 128, SBELL_RESIDENT = 8 };

/* s[r] = scalar row r of the block row at `lane`. The next column is fetched before the present block is used, since
 * the gather waits for it. */
template <typename T, int B>
__device__ __forceinline__ void sbell_sum(const MatView &m, const T *__restrict__ v, int32_t lane, T *s) {
  const int32_t slice = lane / m.slice, in_slice = lane - slice * m.slice, step = m.slice;
  const int64_t begin = __ldg(m.start + slice);
  const int32_t width = (int32_t)(__ldg(m.start + slice + 1) - begin);
  const int32_t *__restrict__ column = m.column + begin + in_slice;
  const T *__restrict__ value = (const T *)m.value + begin * (B * B) + in_slice;
#pragma unroll
  for (int r = 0; r < B; ++r) s[r] = 0;
  int32_t next = width > 0 ? __ldg(column) : 0;
#pragma unroll(B == 3 ? 2 : 4)
  for (int32_t k = 0; k < width; k += step) {
    const int32_t j = next * B;
    column += step;
    if (k + step < width) next = __ldg(column);
    T a[B * B], x[B];
#pragma unroll
    for (int e = 0; e < B * B; ++e) a[e] = __ldg(value + e * step);
#pragma unroll
    for (int c = 0; c < B; ++c) x[c] = __ldg(v + j + c);
    value += B * B * step;
#pragma unroll
    for (int e = 0; e < B * B; ++e) s[e / B] += a[e] * x[e % B];
  }
}

template <typename T, int B, MatOp OP, int SUMS>
__global__ void __launch_bounds__(SBELL_BLOCK, SBELL_RESIDENT)
    sbell_rows(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t lane = launch_first(); lane < n; lane += launch_step()) {
      const int64_t i = a.a.row ? (int64_t)__ldg(a.a.row + lane) : lane;
      if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F) {
        if constexpr (sizeof(T) == sizeof(double)) sbell_visit_d(&a, lane, i, B, OP);
        else sbell_visit_f(&a, lane, i, B, OP);
      } else {
        T s[B];
        sbell_sum<T, B>(a.a, (const T *)a.v, (int32_t)lane, s);
#pragma unroll
        for (int r = 0; r < B; ++r) spmv_row(&a, OP, i * B + r, s[r], sum);
      }
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename T, int B, MatOp OP, int SUMS>
static cudaError_t sbell_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  sbell_rows<T, B, OP, SUMS>
      <<<spmv_blocks<SUMS>(n, SBELL_BLOCK), SBELL_BLOCK, 0, stream>>>(*(const ProductArgs *)args, n, *scratch);
  return cudaGetLastError();
}

#define SBELL_1D(OP, NAME, SUMS) {"sbell_" #NAME "_1d", sizeof(ProductArgs), sbell_launch<double, 1, OP, SUMS>},
#define SBELL_2D(OP, NAME, SUMS) {"sbell_" #NAME "_2d", sizeof(ProductArgs), sbell_launch<double, 2, OP, SUMS>},
#define SBELL_3D(OP, NAME, SUMS) {"sbell_" #NAME "_3d", sizeof(ProductArgs), sbell_launch<double, 3, OP, SUMS>},
#define SBELL_1F(OP, NAME, SUMS) {"sbell_" #NAME "_1f", sizeof(ProductArgs), sbell_launch<float, 1, OP, SUMS>},
#define SBELL_2F(OP, NAME, SUMS) {"sbell_" #NAME "_2f", sizeof(ProductArgs), sbell_launch<float, 2, OP, SUMS>},
#define SBELL_3F(OP, NAME, SUMS) {"sbell_" #NAME "_3f", sizeof(ProductArgs), sbell_launch<float, 3, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_format_sbell[] = {MAT_OPS(SBELL_1D) MAT_OPS(SBELL_2D) MAT_OPS(SBELL_3D)
                                                               MAT_OPS(SBELL_1F) MAT_OPS(SBELL_2F) MAT_OPS(SBELL_3F){
                                                                   nullptr, 0, nullptr}};
