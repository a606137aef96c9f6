/* SELL on the GPU (layout in algebra/formats/sell.c): a thread per scalar row, four where rows are long
 * (gpu/formats/lanes.cuh). The slice that is taken when none is asked for, and the one that keeps 3 x 3 blocks whole,
 * are known to the compiler. */
#include "gpu/formats/lanes.cuh"

enum { SELL_SHARED_WIDTH = 36 };

template <typename T, MatOp OP, int SUMS>
static cudaError_t sell_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  if (a.a.slice == 32) return lanes_launch<T, 1, OP, SUMS, LanesSliced<32>, SELL_SHARED_WIDTH>(stream, a, n, *scratch);
  if (a.a.slice == 96) return lanes_launch<T, 1, OP, SUMS, LanesSliced<96>, SELL_SHARED_WIDTH>(stream, a, n, *scratch);
  return lanes_launch<T, 1, OP, SUMS, LanesSliced<0>, SELL_SHARED_WIDTH>(stream, a, n, *scratch);
}

#define SELL_1D(OP, NAME, SUMS) {"sell_" #NAME "_1d", sizeof(ProductArgs), sell_launch<double, OP, SUMS>},
#define SELL_1F(OP, NAME, SUMS) {"sell_" #NAME "_1f", sizeof(ProductArgs), sell_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_sell[] = {MAT_OPS(SELL_1D) MAT_OPS(SELL_1F){nullptr, 0, nullptr}};
