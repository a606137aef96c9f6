/* SBELL on the GPU (layout in solver/sbell.c). The 32 lanes of a warp are 32 block rows next to each other, so that
 * values and columns are read in whole lines; values pass by the caches (__ldcs), x is gathered through them. Long rows
 * are shared by 4 warps of a block, of which warp p takes entries p, p + 4, ...; their sums meet in shared memory in the
 * order of the warps. Measured on an H200 (copy 4270 GB/s; us on 54^3 hex8, 58^3 tet4, 400^2 quad4, 727^2 tri3):
 *   one warp   double 80.9 59.4 13.8 35.0   float 42.2 29.2 7.1 19.1
 *   four warps double 75.6 53.4 14.6 35.1   float 38.5 27.2 8.9 19.8   (106 % of the copy on hex and tet)
 *   values through the caches, one warp: 93.2 61.5 16.4 41.2 and 54.8 36.3 6.9 26.0 */
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

/* 8 blocks per processor: up to 64 registers, which all variants fit without spilling, and 32 warps to hide latency. */
enum { SBELL_BLOCK = 128, SBELL_RESIDENT = 8, SBELL_SHARED_WIDTH = 12, SBELL_SUM_BLOCKS = 4 * SBELL_RESIDENT * 132 };

/* s[r] = part of scalar row r of the block row at `lane`: every `SPLIT`th entry, beginning with entry `part`. SLICE is
 * the slice size, 0 when known at run time only: with 32 known all values of a block lie at fixed offsets, which in
 * float, where fewer bytes hide the arithmetic of addresses, is a fifth of the time. */
template <typename T, int B, int SPLIT, int SLICE>
__device__ __forceinline__ void sbell_sum(const MatView &m, const T *__restrict__ v, int32_t lane, int32_t part,
                                          double *s) {
  const int32_t step = SLICE ? SLICE : m.slice, slice = lane / step, in_slice = lane - slice * step;
  const int64_t begin = __ldg(m.start + slice);
  const int32_t width = (int32_t)(__ldg(m.start + slice + 1) - begin);
  const int32_t *__restrict__ column = m.column + begin + in_slice;
  const T *__restrict__ value = (const T *)m.value + begin * (B * B) + in_slice;
  column += part * step;
  value += part * step * (B * B);
#pragma unroll 2
  for (int32_t k = part * step; k < width; k += SPLIT * step, column += SPLIT * step, value += SPLIT * step * (B * B)) {
    const int32_t j = __ldg(column) * B;
    T x[B];
#pragma unroll
    for (int c = 0; c < B; ++c) x[c] = __ldg(v + j + c);
#pragma unroll
    for (int e = 0; e < B * B; ++e) s[e / B] += (double)__ldcs(value + e * step) * (double)x[e % B];
  }
}

template <typename T, int B, MatOp OP>
__device__ __forceinline__ void sbell_rows_end(const ProductArgs &a, int64_t lane, const double *s, double *sum) {
  const int64_t i = a.a.row ? (int64_t)__ldg(a.a.row + lane) : lane;
#pragma unroll
  for (int r = 0; r < B; ++r) spmv_row<T>(&a, OP, i * B + r, s[r], sum);
}

/* One thread per block row. */
template <typename T, int B, MatOp OP, int SUMS, int SLICE>
__global__ void __launch_bounds__(SBELL_BLOCK, SBELL_RESIDENT)
    sbell_rows(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t lane = launch_first(); lane < n; lane += launch_step()) {
      if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F) {
        const int64_t i = a.a.row ? (int64_t)__ldg(a.a.row + lane) : lane;
        if constexpr (sizeof(T) == sizeof(double)) sbell_visit_d(&a, lane, i, B, OP);
        else sbell_visit_f(&a, lane, i, B, OP);
      } else {
        double s[B] = {};
        sbell_sum<T, B, 1, SLICE>(a.a, (const T *)a.v, (int32_t)lane, 0, s);
        sbell_rows_end<T, B, OP>(a, lane, s, sum);
      }
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

/* Four warps per 32 block rows. */
template <typename T, int B, MatOp OP, int SUMS, int SLICE>
__global__ void __launch_bounds__(SBELL_BLOCK, SBELL_RESIDENT)
    sbell_shared(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  constexpr int SPLIT = SBELL_BLOCK / 32;
  __shared__ double shared[SPLIT - 1][B][32];
  const int in = threadIdx.x % 32, part = threadIdx.x / 32;
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t first = blockIdx.x * (int64_t)32; first < n; first += gridDim.x * (int64_t)32) {
      const int64_t lane = first + in;
      double s[B] = {};
      if (lane < n) sbell_sum<T, B, SPLIT, SLICE>(a.a, (const T *)a.v, (int32_t)lane, part, s);
      if (part > 0)
#pragma unroll
        for (int r = 0; r < B; ++r) shared[part - 1][r][in] = s[r];
      __syncthreads();
      if (part == 0 && lane < n) {
#pragma unroll
        for (int p = 0; p < SPLIT - 1; ++p)
#pragma unroll
          for (int r = 0; r < B; ++r) s[r] += shared[p][r][in];
        sbell_rows_end<T, B, OP>(a, lane, s, sum);
      }
      __syncthreads();
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

/* Blocks that share `groups` evenly; with sums few enough that adding their partial sums is cheap. */
template <int SUMS> static inline unsigned sbell_shared_blocks(int64_t groups) {
  const int64_t turns = SUMS > 0 ? (groups + SBELL_SUM_BLOCKS - 1) / SBELL_SUM_BLOCKS : 1;
  return launch_blocks(groups, turns > 0 ? turns : 1);
}

template <typename T, int B, MatOp OP, int SUMS, int SLICE>
static void sbell_start(cudaStream_t stream, const ProductArgs &a, int64_t n, const LaunchScratch &scratch) {
  constexpr bool visits = OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F;
  if constexpr (!visits)
    if (a.a.width >= SBELL_SHARED_WIDTH) {
      sbell_shared<T, B, OP, SUMS, SLICE>
          <<<sbell_shared_blocks<SUMS>((n + 31) / 32), SBELL_BLOCK, 0, stream>>>(a, n, scratch);
      return;
    }
  sbell_rows<T, B, OP, SUMS, SLICE><<<spmv_blocks<SUMS>(n, SBELL_BLOCK), SBELL_BLOCK, 0, stream>>>(a, n, scratch);
}

template <typename T, int B, MatOp OP, int SUMS>
static cudaError_t sbell_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  if (a.a.slice == 32) sbell_start<T, B, OP, SUMS, 32>(stream, a, n, *scratch);
  else sbell_start<T, B, OP, SUMS, 0>(stream, a, n, *scratch);
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
