/* ELLPACK on the GPU (layout in algebra/formats/ell.c): one thread per scalar row (gpu/formats/lanes.cuh). */
#include "gpu/formats/lanes.cuh"

template <typename T, MatOp OP, int SUMS>
static cudaError_t ell_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  return lanes_launch<T, 1, OP, SUMS, LanesWhole, 0>(stream, *(const ProductArgs *)args, n, *scratch);
}

#define ELL_1D(OP, NAME, SUMS) {"ell_" #NAME "_1d", sizeof(ProductArgs), ell_launch<double, OP, SUMS>},
#define ELL_1F(OP, NAME, SUMS) {"ell_" #NAME "_1f", sizeof(ProductArgs), ell_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_ell[] = {MAT_OPS(ELL_1D) MAT_OPS(ELL_1F){nullptr, 0, nullptr}};
