/* CSR on the GPU (layout in solver/csr.c): 8 threads share a scalar row, so that they read its entries side by side, and
 * add their parts by shuffles in a fixed order. Rows of finite elements have 7 to 81 entries: 8 wastes little on short
 * ones and still reads whole sectors. */
#include "gpu/spmv.cuh"

#define REAL double
#define NAMED(name) name##_d
#include "solver/csr_visit.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "solver/csr_visit.h"
#undef REAL
#undef NAMED

enum { CSR_BLOCK = 128, CSR_TEAM = 8 };

/* The sum of row i, complete in the team's first thread. Rows from n on are empty, for teams that only keep company. */
template <typename T>
__device__ __forceinline__ double csr_sum(const MatView &m, const T *__restrict__ v, int64_t i, int64_t n, int member) {
  const T *__restrict__ value = (const T *)m.value;
  double s = 0;
  if (i < n) {
    const int64_t end = __ldg(m.start + i + 1);
#pragma unroll 4
    for (int64_t k = __ldg(m.start + i) + member; k < end; k += CSR_TEAM)
      s += (double)__ldg(value + k) * (double)__ldg(v + __ldg(m.column + k));
  }
#pragma unroll
  for (int offset = CSR_TEAM / 2; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffffu, s, offset, CSR_TEAM);
  return s;
}

template <typename T, MatOp OP>
__device__ __forceinline__ void csr_product(const ProductArgs &a, int64_t n, double *sum) {
  const int member = threadIdx.x % CSR_TEAM;
  const int64_t team = launch_first() / CSR_TEAM, teams = launch_step() / CSR_TEAM;
  /* whole warps stay in the loop together, as the shuffles ask for */
  const int64_t warp_first = team - team % (32 / CSR_TEAM);
  for (int64_t w = warp_first; w < n; w += teams) {
    const int64_t i = w + team - warp_first;
    const double s = csr_sum<T>(a.a, (const T *)a.v, i, n, member);
    if (member == 0 && i < n) spmv_row<T>(&a, OP, i, s, sum);
  }
}

template <typename T, MatOp OP, int SUMS>
__global__ void __launch_bounds__(CSR_BLOCK)
    csr_rows(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a)) {
    if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F) {
      for (int64_t i = launch_first(); i < n; i += launch_step()) {
        if constexpr (sizeof(T) == sizeof(double)) csr_visit_d(&a, i, OP);
        else csr_visit_f(&a, i, OP);
      }
    } else {
      csr_product<T, OP>(a, n, sum);
    }
  }
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename T, MatOp OP, int SUMS>
static cudaError_t csr_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  csr_rows<T, OP, SUMS><<<spmv_blocks<SUMS>(n * CSR_TEAM, CSR_BLOCK), CSR_BLOCK, 0, stream>>>(
      *(const ProductArgs *)args, n, *scratch);
  return cudaGetLastError();
}

#define CSR_1D(OP, NAME, SUMS) {"csr_" #NAME "_1d", sizeof(ProductArgs), csr_launch<double, OP, SUMS>},
#define CSR_1F(OP, NAME, SUMS) {"csr_" #NAME "_1f", sizeof(ProductArgs), csr_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_format_csr[] = {MAT_OPS(CSR_1D) MAT_OPS(CSR_1F){nullptr, 0, nullptr}};
