/* Modified sparse rows on the GPU: a thread per row, the text of the CPU. */
#include "gpu/formats/spmv.cuh"

#define REAL double
#define NAMED(name) name##_d
#include "algebra/formats/msr_range.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/formats/msr_range.tmpl.h"
#undef REAL
#undef NAMED

enum { MSR_BLOCK = 128 };

template <typename T, MatOp OP, int SUMS>
__global__ void __launch_bounds__(MSR_BLOCK)
    msr_rows(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t i = launch_first(); i < n; i += launch_step()) {
      if constexpr (sizeof(T) == sizeof(double)) msr_row_d(&a, i, sum, OP);
      else msr_row_f(&a, i, sum, OP);
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename T, MatOp OP, int SUMS>
static cudaError_t msr_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  msr_rows<T, OP, SUMS>
      <<<spmv_blocks<SUMS>(n, MSR_BLOCK), MSR_BLOCK, 0, stream>>>(*(const ProductArgs *)args, n, *scratch);
  return cudaGetLastError();
}

#define MSR_1D(OP, NAME, SUMS) {"msr_" #NAME "_1d", sizeof(ProductArgs), msr_launch<double, OP, SUMS>},
#define MSR_1F(OP, NAME, SUMS) {"msr_" #NAME "_1f", sizeof(ProductArgs), msr_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_format_msr[] = {MAT_OPS(MSR_1D) MAT_OPS(MSR_1F){nullptr, 0, nullptr}};
