/* CSR on the GPU (layout in algebra/formats/csr.c): a team of 1, 2, 4 ... 32 threads shares a scalar row, so that they
 * read its entries side by side (gpu/formats/csr.cuh). */
#include "gpu/formats/csr.cuh"

#define REAL double
#define NAMED(name) name##_d
#include "algebra/formats/csr_visit.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/formats/csr_visit.tmpl.h"
#undef REAL
#undef NAMED

enum { CSR_BLOCK = 128 };

template <typename T, MatOp OP, int SUMS, int TEAM>
__global__ void __launch_bounds__(CSR_BLOCK)
    csr_rows(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a)) {
    const int member = threadIdx.x % TEAM;
    const int64_t team = launch_first() / TEAM, teams = launch_step() / TEAM;
    /* whole warps stay in the loop together, as the shuffles ask for */
    const int64_t warp_first = team - team % (32 / TEAM);
    for (int64_t w = warp_first; w < n; w += teams) {
      const int64_t i = w + team - warp_first;
      const double s = csr_sum<T, LoadFrozen>(a.a, (const T *)a.v, i, n, TEAM, member);
      if (member == 0 && i < n) spmv_row<T>(&a, OP, i, s, sum);
    }
  }
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename T, MatOp OP> __global__ void csr_visits(const __grid_constant__ ProductArgs a, const int64_t n) {
  if (!product_skips(&a))
    for (int64_t i = launch_first(); i < n; i += launch_step()) {
      if constexpr (sizeof(T) == sizeof(double)) csr_visit_d(&a, i, a.a.start[i], a.a.start[i + 1], OP);
      else csr_visit_f(&a, i, a.a.start[i], a.a.start[i + 1], OP);
    }
}

template <typename T, MatOp OP, int SUMS, int TEAM>
static void csr_start(cudaStream_t stream, const ProductArgs &a, int64_t n, const LaunchScratch &scratch) {
  csr_rows<T, OP, SUMS, TEAM><<<spmv_blocks<SUMS>(n * TEAM, CSR_BLOCK), CSR_BLOCK, 0, stream>>>(a, n, scratch);
}

template <typename T, MatOp OP, int SUMS>
static cudaError_t csr_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F) {
    csr_visits<T, OP><<<launch_blocks(n, LAUNCH_BLOCK), LAUNCH_BLOCK, 0, stream>>>(a, n);
  } else {
    switch (a.a.threads) {
    case 1: csr_start<T, OP, SUMS, 1>(stream, a, n, *scratch); break;
    case 2: csr_start<T, OP, SUMS, 2>(stream, a, n, *scratch); break;
    case 4: csr_start<T, OP, SUMS, 4>(stream, a, n, *scratch); break;
    case 8: csr_start<T, OP, SUMS, 8>(stream, a, n, *scratch); break;
    case 16: csr_start<T, OP, SUMS, 16>(stream, a, n, *scratch); break;
    default: csr_start<T, OP, SUMS, 32>(stream, a, n, *scratch);
    }
  }
  return cudaGetLastError();
}

#define CSR_1D(OP, NAME, SUMS) {"csr_" #NAME "_1d", sizeof(ProductArgs), csr_launch<double, OP, SUMS>},
#define CSR_1F(OP, NAME, SUMS) {"csr_" #NAME "_1f", sizeof(ProductArgs), csr_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_csr[] = {MAT_OPS(CSR_1D) MAT_OPS(CSR_1F){nullptr, 0, nullptr}};
