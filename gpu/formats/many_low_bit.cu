/* Copies in 16 and 8 bits times K interleaved vectors of floats on the GPU: SBELL's slices of 32 as in many_sbell.cu, a
 * block row for G threads next to each other with N of the K columns each, which read its records together. As in
 * low_bit.cu each thread reads the records of several entries before it asks for their x. A record is 12 to 20 bytes, the
 * x of its column 4 B K: with 8 vectors most bytes come through the caches, not from memory.
 * Where rows are too few to fill the GPU (coarse levels of a hierarchy) SPLIT parts of a block share the entries of a
 * slice, and their sums meet in shared memory in the order of the parts. */
#include "gpu/formats/low_bit.cuh"
#include "gpu/formats/many.cuh"

enum {
  LOW_MANY_BLOCK = 128,
  LOW_MANY_SPLIT = 4,
  LOW_MANY_WIDTH = 12,     /* entries of a row from which it is split, */
  LOW_MANY_ROWS = 1 << 17, /* and rows up to which */
  LOW_MANY_AHEAD = 2       /* entries under way in a thread */
};

/* What a thread works on: the block row in lane `in` of a slice; v begins at its N columns. */
struct LowManyRow {
  const char *__restrict__ value;
  const int32_t *__restrict__ column;
  const float *__restrict__ v;
  int32_t base, width, in;
};

/* s[r][q] = part of the sums: every SPLITth entry, beginning with entry `part`. */
template <int BITS, int B, int N, int K, int SPLIT, typename SUM>
__device__ __forceinline__ void low_many_entries(const LowManyRow &row, int part, SUM (*s)[N]) {
  typedef LowRecord<BITS, B> Record;
  for (int32_t k = part; k < row.width; k += SPLIT * LOW_MANY_AHEAD) {
    Record record[LOW_MANY_AHEAD];
    float x[LOW_MANY_AHEAD][B][N];
#pragma unroll
    for (int u = 0; u < LOW_MANY_AHEAD; ++u) {
      const int32_t at = k + u * SPLIT;
      if (at < row.width) record[u].load(row.value + (int64_t)at * (LOW_LANES * Record::BYTES), row.in);
      else record[u].clear();
    }
#pragma unroll
    for (int u = 0; u < LOW_MANY_AHEAD; ++u) {
      const int32_t at = k + u * SPLIT;
      int64_t j = row.base + (int64_t)record[u].column;
      if (row.base < 0) j = at < row.width ? __ldg(row.column + at * LOW_LANES) : 0; /* columns of 32 bits */
#pragma unroll
      for (int c = 0; c < B; ++c) many_load<N>(row.v + (j * B + c) * K, x[u][c]);
    }
#pragma unroll
    for (int u = 0; u < LOW_MANY_AHEAD; ++u) {
      const float scale = record[u].scale();
#pragma unroll
      for (int r = 0; r < B; ++r) {
        float t[N] = {};
#pragma unroll
        for (int c = 0; c < B; ++c) {
          const float value = record[u].value(r * B + c);
#pragma unroll
          for (int q = 0; q < N; ++q) t[q] += value * x[u][c][q];
        }
#pragma unroll
        for (int q = 0; q < N; ++q) s[r][q] += (SUM)(scale * t[q]);
      }
    }
  }
}

template <int BITS, int B, int N, int K, int SPLIT, typename SUM>
__device__ __forceinline__ void low_many_sum(const ProductArgs &a, int64_t slice, int in, int g, int part,
                                             SUM (*s)[N]) {
  const MatView &m = a.a;
  const int64_t begin = __ldg(m.start + slice), end = __ldg(m.start + slice + 1);
  const int32_t base = __ldg(m.order + slice);
  const LowManyRow row = {(const char *)m.value + begin * LowRecord<BITS, B>::BYTES,
                          m.column + begin + in,
                          (const float *)a.v + g * N,
                          base,
                          (int32_t)(end - begin) / LOW_LANES,
                          in};
  low_many_entries<BITS, B, N, K, SPLIT>(row, part, s);
}

template <int B, int N, int K, MatOp OP, typename SUM>
__device__ __forceinline__ void low_many_end(const ProductArgs &a, int64_t lane, int g, const SUM (*s)[N],
                                             double *sum) {
  const int64_t i = a.a.row ? (int64_t)__ldg(a.a.row + lane) : lane;
#pragma unroll
  for (int r = 0; r < B; ++r) {
    double t[N];
#pragma unroll
    for (int q = 0; q < N; ++q) t[q] = (double)s[r][q];
    many_row<float, N>(a, OP, (i * B + r) * K + g * N, t, sum);
  }
}

template <int BITS, int B, MatOp OP, int SUMS, int K, typename SUM>
__global__ void __launch_bounds__(LOW_MANY_BLOCK, 5)
    low_many_alone(const __grid_constant__ ManyProduct a, const int64_t n, const LaunchScratch scratch) {
  constexpr int N = ManyShare<K>::N, G = ManyShare<K>::G;
  double sum[N] = {};
  const int g = threadIdx.x % G;
  if (!product_skips(&a.product))
    for (int64_t lane = launch_first() / G; lane < n; lane += launch_step() / G) {
      SUM s[B][N] = {};
      low_many_sum<BITS, B, N, K, 1>(a.product, lane / LOW_LANES, (int)(lane % LOW_LANES), g, 0, s);
      low_many_end<B, N, K, OP>(a.product, lane, g, s, sum);
    }
  many_finish<G, N, SUMS>(a, sum, scratch);
}

/* A block to a slice. Lanes behind the last row have records of zeros. */
template <int BITS, int B, MatOp OP, int SUMS, int K, int SPLIT, typename SUM>
__global__ void __launch_bounds__(SPLIT *LOW_LANES *ManyShare<K>::G, 2)
    low_many_shared(const __grid_constant__ ManyProduct a, const int64_t n, const LaunchScratch scratch) {
  constexpr int N = ManyShare<K>::N, G = ManyShare<K>::G, TEAM = LOW_LANES * G;
  __shared__ SUM shared[SPLIT - 1][B][N][TEAM];
  double sum[N] = {};
  const int member = threadIdx.x % TEAM, part = threadIdx.x / TEAM, g = member % G, in = member / G;
  if (!product_skips(&a.product))
    for (int64_t first = blockIdx.x * (int64_t)LOW_LANES; first < n; first += gridDim.x * (int64_t)LOW_LANES) {
      const int64_t lane = first + in;
      SUM s[B][N] = {};
      low_many_sum<BITS, B, N, K, SPLIT>(a.product, first / LOW_LANES, in, g, part, s);
      if (part > 0)
#pragma unroll
        for (int e = 0; e < B * N; ++e) shared[part - 1][e / N][e % N][member] = s[e / N][e % N];
      __syncthreads();
      if (part == 0 && lane < n) {
#pragma unroll
        for (int p = 0; p < SPLIT - 1; ++p)
#pragma unroll
          for (int e = 0; e < B * N; ++e) s[e / N][e % N] += shared[p][e / N][e % N][member];
        low_many_end<B, N, K, OP>(a.product, lane, g, s, sum);
      }
      __syncthreads();
    }
  many_finish<G, N, SUMS>(a, sum, scratch);
}

template <int BITS, int B, MatOp OP, int SUMS, int K, typename SUM>
static cudaError_t low_many_launch_alone(cudaStream_t stream, const ManyProduct &a, int64_t n,
                                         const LaunchScratch *scratch) {
  constexpr int most = SUMS > 0 ? (int)MANY_MAX_BLOCKS : INT32_MAX;
  low_many_alone<BITS, B, OP, SUMS, K, SUM>
      <<<launch_blocks_limited(n * ManyShare<K>::G, LOW_MANY_BLOCK, most), LOW_MANY_BLOCK, 0, stream>>>(a, n, *scratch);
  return cudaGetLastError();
}

/* P, the precision in a kernel's name, says what the bits are. */
enum { LOW_MANY_h = LOW_HALF, LOW_MANY_w = LOW_BFLOAT, LOW_MANY_b = LOW_INT8 };
/* Sums in float are what hierarchies take, whose copies are in half and 8 bits; others are in double, which is no worse.
 * Shapes are few, as each takes a second of compilation. */
template <int BITS, int B, MatOp OP, int SUMS, int K>
static cudaError_t low_bit_many_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ManyProduct &a = *(const ManyProduct *)args;
  constexpr int most = SUMS > 0 ? (int)MANY_MAX_BLOCKS : INT32_MAX, SPLIT = LOW_MANY_SPLIT;
  if constexpr (BITS == LOW_HALF)
    if (!a.product.a.threshold && a.product.a.width >= LOW_MANY_WIDTH && n <= LOW_MANY_ROWS) {
      low_many_shared<BITS, B, OP, SUMS, K, SPLIT, float>
          <<<launch_blocks_limited(n, LOW_LANES, most), SPLIT * LOW_LANES * ManyShare<K>::G, 0, stream>>>(a, n,
                                                                                                          *scratch);
      return cudaGetLastError();
    }
  if constexpr (BITS != LOW_BFLOAT)
    if (!a.product.a.threshold) return low_many_launch_alone<BITS, B, OP, SUMS, K, float>(stream, a, n, scratch);
  return low_many_launch_alone<BITS, B, OP, SUMS, K, double>(stream, a, n, scratch);
}

#define LOW_MANY_ONE(B, P, K, OP, NAME, SUMS)                                                                          \
  {"low_bit_many_" #NAME "_" #B #P "_" #K, sizeof(ManyProduct), low_bit_many_launch<LOW_MANY_##P, B, OP, SUMS, K>},
#define LOW_MANY_ALL(B, P, OP, NAME, SUMS)                                                                             \
  LOW_MANY_ONE(B, P, 2, OP, NAME, SUMS)                                                                                \
  LOW_MANY_ONE(B, P, 4, OP, NAME, SUMS) LOW_MANY_ONE(B, P, 8, OP, NAME, SUMS)
#define LOW_MANY_OPS(P)                                                                                                \
  LOW_MANY_ALL(1, P, MAT_COMBINE, combine, 0)                                                                          \
  LOW_MANY_ALL(2, P, MAT_COMBINE, combine, 0)                                                                          \
  LOW_MANY_ALL(3, P, MAT_COMBINE, combine, 0)                                                                          \
  LOW_MANY_ALL(1, P, MAT_COMBINE_DOT, combine_dot, 1)                                                                  \
  LOW_MANY_ALL(2, P, MAT_COMBINE_DOT, combine_dot, 1) LOW_MANY_ALL(3, P, MAT_COMBINE_DOT, combine_dot, 1)
extern "C" const CudaKernel cuda_kernels_formats_many_low_bit[] = {LOW_MANY_OPS(h) LOW_MANY_OPS(w)
                                                                       LOW_MANY_OPS(b){nullptr, 0, nullptr}};
