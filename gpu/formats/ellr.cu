/* ELLPACK-R on the GPU (layout in algebra/formats/ellr.c): one thread per scalar row, which ends at the row's own
 * length; a warp reads as far as the longest of its 32 rows (gpu/formats/lanes.cuh). */
#include "gpu/formats/lanes.cuh"

template <typename T, MatOp OP, int SUMS>
static cudaError_t ellr_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  return lanes_launch<T, 1, OP, SUMS, LanesOwnLength, 0>(stream, *(const ProductArgs *)args, n, *scratch);
}

#define ELLR_1D(OP, NAME, SUMS) {"ellr_" #NAME "_1d", sizeof(ProductArgs), ellr_launch<double, OP, SUMS>},
#define ELLR_1F(OP, NAME, SUMS) {"ellr_" #NAME "_1f", sizeof(ProductArgs), ellr_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_ellr[] = {MAT_OPS(ELLR_1D) MAT_OPS(ELLR_1F){nullptr, 0, nullptr}};
