/* SBELL times K interleaved vectors on the GPU, slices of 32. A block row belongs to G threads next to each other, each
 * with N of the K columns: a warp reads the values of 32 / G rows side by side, once per N columns, and for each of its
 * columns N numbers of x in one load. */
#include "gpu/formats/many.cuh"

enum { SBELL_MANY_BLOCK = 128 };

template <typename T, int B, MatOp OP, int SUMS, int K>
__global__ void __launch_bounds__(SBELL_MANY_BLOCK, 5)
    sbell_many(const __grid_constant__ ManyProduct a, const int64_t n, const LaunchScratch scratch) {
  constexpr int N = ManyShare<K>::N, G = ManyShare<K>::G;
  double sum[N] = {};
  if (!product_skips(&a.product)) {
    const MatView &m = a.product.a;
    const int g = threadIdx.x % G;
    for (int64_t lane = launch_first() / G; lane < n; lane += launch_step() / G) {
      const int64_t slice = lane / 32, begin = __ldg(m.start + slice);
      const int32_t width = (int32_t)(__ldg(m.start + slice + 1) - begin), in = (int32_t)(lane % 32);
      const int32_t *__restrict__ column = m.column + begin + in;
      const T *__restrict__ value = (const T *)m.value + begin * (B * B) + in;
      const T *__restrict__ v = (const T *)a.product.v + g * N;
      double s[B][N] = {};
      for (int32_t k = 0; k < width; k += 32, column += 32, value += 32 * B * B) {
        const T *x = v + (int64_t)__ldg(column) * (B * K);
#pragma unroll
        for (int c = 0; c < B; ++c) {
          double xc[N];
          many_load<N>(x + c * K, xc);
#pragma unroll
          for (int r = 0; r < B; ++r) {
            const double t = (double)__ldg(value + (r * B + c) * 32);
#pragma unroll
            for (int q = 0; q < N; ++q) s[r][q] += t * xc[q];
          }
        }
      }
      const int64_t i = m.row ? (int64_t)__ldg(m.row + lane) : lane;
#pragma unroll
      for (int r = 0; r < B; ++r) many_row<T, N>(a.product, OP, (i * B + r) * K + g * N, s[r], sum);
    }
  }
  many_finish<G, N, SUMS>(a, sum, scratch);
}

template <typename T, int B, MatOp OP, int SUMS, int K>
static cudaError_t sbell_many_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const int64_t threads = n * ManyShare<K>::G;
  sbell_many<T, B, OP, SUMS, K>
      <<<launch_blocks_limited(threads, SBELL_MANY_BLOCK, SUMS > 0 ? MANY_MAX_BLOCKS : INT32_MAX), SBELL_MANY_BLOCK, 0,
         stream>>>(*(const ManyProduct *)args, n, *scratch);
  return cudaGetLastError();
}

#define SBELL_1D(OP, NAME, SUMS) MANY_ALL(sbell, 1, d, double, OP, NAME, SUMS)
#define SBELL_2D(OP, NAME, SUMS) MANY_ALL(sbell, 2, d, double, OP, NAME, SUMS)
#define SBELL_3D(OP, NAME, SUMS) MANY_ALL(sbell, 3, d, double, OP, NAME, SUMS)
#define SBELL_1F(OP, NAME, SUMS) MANY_ALL(sbell, 1, f, float, OP, NAME, SUMS)
#define SBELL_2F(OP, NAME, SUMS) MANY_ALL(sbell, 2, f, float, OP, NAME, SUMS)
#define SBELL_3F(OP, NAME, SUMS) MANY_ALL(sbell, 3, f, float, OP, NAME, SUMS)
extern "C" const CudaKernel cuda_kernels_formats_many_sbell[] = {
    MANY_OPS_DOUBLE(SBELL_1D) MANY_OPS_DOUBLE(SBELL_2D) MANY_OPS_DOUBLE(SBELL_3D) MANY_OPS_BOTH(SBELL_1D)
        MANY_OPS_BOTH(SBELL_2D) MANY_OPS_BOTH(SBELL_3D) MANY_OPS_BOTH(SBELL_1F) MANY_OPS_BOTH(SBELL_2F)
            MANY_OPS_BOTH(SBELL_3F){nullptr, 0, nullptr}};
