/* SBELL on the GPU (layout in algebra/formats/sbell.c), through the loop that it shares with the ELLPACK family: the
 * lanes of a warp are block rows next to each other, values pass by the caches, x is gathered through them, and long
 * rows are shared by 4 warps. Measured on an H200 (copy 4270 GB/s; us on 54^3 hex8, 58^3 tet4, 400^2 quad4, 727^2
 * tri3):
 *   one warp   double 80.9 59.4 13.8 35.0   float 42.2 29.2 7.1 19.1
 *   four warps double 75.6 53.4 14.6 35.1   float 38.5 27.2 8.9 19.8   (106 % of the copy on hex and tet)
 *   values through the caches, one warp: 93.2 61.5 16.4 41.2 and 54.8 36.3 6.9 26.0 */
#include "gpu/formats/lanes.cuh"

enum { SBELL_SHARED_WIDTH = 12 };

template <typename T, int B, MatOp OP, int SUMS>
static cudaError_t sbell_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  if (a.a.slice == 32) return lanes_launch<T, B, OP, SUMS, LanesSliced<32>, SBELL_SHARED_WIDTH>(stream, a, n, *scratch);
  return lanes_launch<T, B, OP, SUMS, LanesSliced<0>, SBELL_SHARED_WIDTH>(stream, a, n, *scratch);
}

#define SBELL_1D(OP, NAME, SUMS) {"sbell_" #NAME "_1d", sizeof(ProductArgs), sbell_launch<double, 1, OP, SUMS>},
#define SBELL_2D(OP, NAME, SUMS) {"sbell_" #NAME "_2d", sizeof(ProductArgs), sbell_launch<double, 2, OP, SUMS>},
#define SBELL_3D(OP, NAME, SUMS) {"sbell_" #NAME "_3d", sizeof(ProductArgs), sbell_launch<double, 3, OP, SUMS>},
#define SBELL_1F(OP, NAME, SUMS) {"sbell_" #NAME "_1f", sizeof(ProductArgs), sbell_launch<float, 1, OP, SUMS>},
#define SBELL_2F(OP, NAME, SUMS) {"sbell_" #NAME "_2f", sizeof(ProductArgs), sbell_launch<float, 2, OP, SUMS>},
#define SBELL_3F(OP, NAME, SUMS) {"sbell_" #NAME "_3f", sizeof(ProductArgs), sbell_launch<float, 3, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_sbell[] = {MAT_OPS(SBELL_1D) MAT_OPS(SBELL_2D) MAT_OPS(
    SBELL_3D) MAT_OPS(SBELL_1F) MAT_OPS(SBELL_2F) MAT_OPS(SBELL_3F){nullptr, 0, nullptr}};
