/* Kernels on K interleaved vectors that have sums (algebra/many.def), and the products of CSR. A thread keeps to one
 * column, since the grid's step is a multiple of K: the loads of a warp lie side by side and each thread has one
 * sum. */
#include "gpu/formats/many.cuh"
#include "algebra/many/many_rows.h"

#define MANY(NAME)                                                                                                     \
  struct NAME##_code {                                                                                                 \
    static __device__ __forceinline__ void item(const ManyVectors *a, int64_t at, int64_t i, int32_t c, double *sum) { \
      NAME##_item(a, at, i, c, sum);                                                                                   \
    }                                                                                                                  \
    static __device__ __forceinline__ void column(const ManyVectors *a, int32_t c, double sum) {                       \
      NAME##_column(a, c, sum);                                                                                        \
    }                                                                                                                  \
  };
#include "algebra/many.def"
#undef MANY

template <typename CODE, int K>
__global__ void __launch_bounds__(MANY_BLOCK, 5)
    many_rows(const __grid_constant__ ManyVectors a, const int64_t n, const LaunchScratch scratch) {
  double sum[1] = {0}, total;
  bool last;
  const int32_t c = (int32_t)(threadIdx.x % K);
  for (int64_t at = launch_first(); at < n * K; at += launch_step()) CODE::item(&a, at, at / K, c, sum);
  if (many_sums<K, 1>(sum, scratch, &total, &last)) CODE::column(&a, (int32_t)threadIdx.x, total);
  if (!last) return;
  __syncthreads();
  if (threadIdx.x == 0) many_close(a.many);
}

template <typename CODE, int K>
static cudaError_t many_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  many_rows<CODE, K><<<launch_blocks_limited(n * K, MANY_BLOCK, MANY_SUM_BLOCKS), MANY_BLOCK, 0, stream>>>(
      *(const ManyVectors *)args, n, *scratch);
  return cudaGetLastError();
}

enum { CSR_MANY_ENTRIES = 8 /* entries of a row that a team reads side by side: whole sectors */ };

/* A team of CSR_MANY_ENTRIES G threads to a row: its thread (e, g) takes every CSR_MANY_ENTRIESth entry for N
 * columns. */
template <typename T, MatOp OP, int SUMS, int K>
__global__ void __launch_bounds__(MANY_BLOCK)
    csr_many(const __grid_constant__ ManyProduct a, const int64_t n, const LaunchScratch scratch) {
  constexpr int N = ManyShare<K>::N, G = ManyShare<K>::G, TEAM = CSR_MANY_ENTRIES * G;
  double sum[N] = {};
  if (!product_skips(&a.product)) {
    const MatView &m = a.product.a;
    const T *__restrict__ value = (const T *)m.value, *__restrict__ v = (const T *)a.product.v;
    const int member = threadIdx.x % TEAM, g = member % G, e = member / G;
    const int64_t team = launch_first() / TEAM, teams = launch_step() / TEAM;
    /* whole warps stay in the loop together, as the shuffles ask for */
    const int64_t warp_first = team - team % (32 / TEAM);
    for (int64_t w = warp_first; w < n; w += teams) {
      const int64_t i = w + team - warp_first;
      double s[N] = {};
      if (i < n) {
        const int64_t end = __ldg(m.start + i + 1);
        for (int64_t k = __ldg(m.start + i) + e; k < end; k += CSR_MANY_ENTRIES) {
          double x[N];
          many_load<N>(v + (int64_t)__ldg(m.column + k) * K + g * N, x);
          const double t = (double)__ldg(value + k);
#pragma unroll
          for (int q = 0; q < N; ++q) s[q] += t * x[q];
        }
      }
#pragma unroll
      for (int q = 0; q < N; ++q)
#pragma unroll
        for (int offset = TEAM / 2; offset >= G; offset /= 2) s[q] += __shfl_down_sync(0xffffffffu, s[q], offset, TEAM);
      if (e == 0 && i < n) many_row<T, N>(a.product, OP, i * K + g * N, s, sum);
    }
  }
  many_finish<G, N, SUMS>(a, sum, scratch);
}

template <typename T, int B, MatOp OP, int SUMS, int K>
static cudaError_t csr_many_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const int64_t threads = n * CSR_MANY_ENTRIES * ManyShare<K>::G;
  csr_many<T, OP, SUMS, K>
      <<<launch_blocks_limited(threads, MANY_BLOCK, SUMS > 0 ? MANY_MAX_BLOCKS : INT32_MAX), MANY_BLOCK, 0, stream>>>(
          *(const ManyProduct *)args, n, *scratch);
  return cudaGetLastError();
}

#define CSR_D(OP, NAME, SUMS) MANY_ALL(csr, 1, d, double, OP, NAME, SUMS)
#define CSR_F(OP, NAME, SUMS) MANY_ALL(csr, 1, f, float, OP, NAME, SUMS)
#define MANY(NAME)                                                                                                     \
  {#NAME "_2", sizeof(ManyVectors), many_launch<NAME##_code, 2>},                                                      \
      {#NAME "_4", sizeof(ManyVectors), many_launch<NAME##_code, 4>},                                                  \
      {#NAME "_8", sizeof(ManyVectors), many_launch<NAME##_code, 8>},
extern "C" const CudaKernel cuda_kernels_formats_many[] = {
#include "algebra/many.def"
    MANY_OPS_DOUBLE(CSR_D) MANY_OPS_BOTH(CSR_D) MANY_OPS_BOTH(CSR_F){nullptr, 0, nullptr}};
