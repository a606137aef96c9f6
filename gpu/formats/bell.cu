/* BELLPACK on the GPU (layout in algebra/formats/bell.c): a thread per block row, four where rows are long
 * (gpu/formats/lanes.cuh). */
#include "gpu/formats/lanes.cuh"

enum { BELL_SHARED_WIDTH = 12 };

template <typename T, int B, MatOp OP, int SUMS>
static cudaError_t bell_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  return lanes_launch<T, B, OP, SUMS, LanesWhole, BELL_SHARED_WIDTH>(stream, *(const ProductArgs *)args, n, *scratch);
}

#define BELL_1D(OP, NAME, SUMS) {"bell_" #NAME "_1d", sizeof(ProductArgs), bell_launch<double, 1, OP, SUMS>},
#define BELL_2D(OP, NAME, SUMS) {"bell_" #NAME "_2d", sizeof(ProductArgs), bell_launch<double, 2, OP, SUMS>},
#define BELL_3D(OP, NAME, SUMS) {"bell_" #NAME "_3d", sizeof(ProductArgs), bell_launch<double, 3, OP, SUMS>},
#define BELL_1F(OP, NAME, SUMS) {"bell_" #NAME "_1f", sizeof(ProductArgs), bell_launch<float, 1, OP, SUMS>},
#define BELL_2F(OP, NAME, SUMS) {"bell_" #NAME "_2f", sizeof(ProductArgs), bell_launch<float, 2, OP, SUMS>},
#define BELL_3F(OP, NAME, SUMS) {"bell_" #NAME "_3f", sizeof(ProductArgs), bell_launch<float, 3, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_bell[] = {MAT_OPS(BELL_1D) MAT_OPS(BELL_2D) MAT_OPS(BELL_3D) MAT_OPS(
    BELL_1F) MAT_OPS(BELL_2F) MAT_OPS(BELL_3F){nullptr, 0, nullptr}};
