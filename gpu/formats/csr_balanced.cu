/* Load-balanced CSR on the GPU (layout in algebra/formats/csr_balanced.c): a block per tile. Its threads multiply the
 * entries side by side, the products meet in shared memory, and as many threads to a row as there are enough for add
 * those of each row; rows much longer than the others of a warp are added by the whole warp. A tile with one long row,
 * or a part of one, is added by the block. Parts of a row go through memory: the block that is done last with the row
 * (with sums: last of all, so that each sum has its place) adds them in order. */
#include "gpu/formats/spmv.cuh"
#include "algebra/formats/csr_balanced.h"

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

enum {
  BALANCED_BITS = 7,
  BALANCED_BLOCK = 1 << BALANCED_BITS,
  BALANCED_CARVEOUT = 45, /* per cent of the first cache that are shared memory: room for all blocks */
  BALANCED_RESIDENT = 8,  /* blocks on a processor: up to 64 registers */
  BALANCED_SUM_BLOCKS = 4 * BALANCED_RESIDENT * 132,
  BALANCED_AHEAD = BALANCED_ENTRIES / BALANCED_BLOCK,       /* entries that a thread has under way */
  BALANCED_TURNS = BALANCED_ENTRIES / 2 / BALANCED_BLOCK,   /* most rows of a tile over its threads */
  BALANCED_ROOM = BALANCED_ENTRIES + BALANCED_ENTRIES / 16, /* products as balanced_place has them */
  BALANCED_ALONE = 16                                       /* entries that a thread adds by itself */
};

typedef struct BalancedShared {
  double product[BALANCED_ROOM];
  uint16_t end[BALANCED_ENTRIES / 2];
  bool last;
} BalancedShared;

/* Rows of 8 and 16 entries would meet in the same banks. */
__device__ __forceinline__ int balanced_place(int k) { return k + k / 16; }

__device__ __forceinline__ double warp_sum(double s) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) s += __shfl_xor_sync(0xffffffffu, s, offset);
  return s;
}

/* Products of this thread with entries k, k + 128, ... of the `size` at value and column; 0 past them. */
template <int N, typename T>
__device__ __forceinline__ void balanced_products(const T *__restrict__ value, const int32_t *__restrict__ column,
                                                  const T *__restrict__ v, int k, int size, double *product) {
  int32_t j[N];
  T t[N];
#pragma unroll
  for (int u = 0; u < N; ++u) {
    const bool in = k + u * BALANCED_BLOCK < size;
    j[u] = in ? __ldcs(column + k + u * BALANCED_BLOCK) : -1;
    t[u] = in ? __ldcs(value + k + u * BALANCED_BLOCK) : 0;
  }
#pragma unroll
  for (int u = 0; u < N; ++u) product[u] = j[u] >= 0 ? (double)t[u] * (double)__ldg(v + j[u]) : 0;
}

/* The same of a whole tile into shared memory. */
template <int N, typename T>
__device__ __forceinline__ void balanced_fill(const T *value, const int32_t *column, const T *v, int size,
                                              double *shared) {
  double product[N];
  balanced_products<N>(value, column, v, threadIdx.x, size, product);
#pragma unroll
  for (int u = 0; u < N; ++u) {
    const int k = threadIdx.x + u * BALANCED_BLOCK;
    if (k < size) shared[balanced_place(k)] = product[u];
  }
}

/* The sum of one row's entries, or of a part of them, in thread 0. */
template <typename T>
__device__ __forceinline__ double balanced_whole(const MatView &m, const T *v, const BalancedTile &tile,
                                                 double *shared) {
  const T *value = (const T *)m.value + tile.begin;
  const int32_t *column = m.column + tile.begin;
  const int size = (int)(tile.end - tile.begin);
  double s[1] = {0};
  for (int k = threadIdx.x; k < size; k += BALANCED_AHEAD * BALANCED_BLOCK) {
    double product[BALANCED_AHEAD];
    balanced_products<BALANCED_AHEAD>(value, column, v, k, size, product);
#pragma unroll
    for (int u = 0; u < BALANCED_AHEAD; ++u) s[0] += product[u];
  }
  block_sums<1>(s, shared);
  return s[0];
}

/* Entries [from, to) of the tile by each team of 1 << shift threads, complete in its first one. */
__device__ __forceinline__ double balanced_team_sum(const double *product, int from, int to, int shift) {
  const int lane = threadIdx.x % 32, team = 1 << shift, n = to - from;
  int alone = BALANCED_ALONE << shift;
  unsigned late = __ballot_sync(0xffffffffu, n > alone);
  /* the warp together takes about an eighth of the time of a thread, and one row at a time */
  while (8 * __popc(late) > alone) {
    alone *= 2;
    late = __ballot_sync(0xffffffffu, n > alone);
  }
  double s = 0;
  if (n <= alone) {
#pragma unroll 4
    for (int k = from + (lane & (team - 1)); k < to; k += team) s += product[balanced_place(k)];
  }
  for (int offset = team / 2; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffffu, s, offset);
  while (late) {
    const int leader = __ffs(late) - 1;
    const int begin = __shfl_sync(0xffffffffu, from, leader), end = __shfl_sync(0xffffffffu, to, leader);
    double part = 0;
    for (int k = begin + lane; k < end; k += 32) part += product[balanced_place(k)];
    part = warp_sum(part);
    if (lane == leader) s = part;
    late &= ~((team == 32 ? 0xffffffffu : (1u << team) - 1) << leader);
  }
  return s;
}

/* Threads that each of so many rows can have, 1 to 32, as a power of two. */
__device__ __forceinline__ int balanced_shift(int rows) {
  return rows > BALANCED_BLOCK / 2 ? 0 : rows <= BALANCED_BLOCK / 32 ? 5 : BALANCED_BITS - (32 - __clz(rows - 1));
}

/* A tile of whole rows of at most `threshold` entries together. */
template <typename T, MatOp OP>
__device__ __forceinline__ void balanced_rows(const ProductArgs &a, const BalancedTile &tile, BalancedShared &shared,
                                              double *sum) {
  const T *value = (const T *)a.a.value + tile.begin;
  const int32_t *column = a.a.column + tile.begin;
  const int rows = tile.last - tile.first, size = (int)(tile.end - tile.begin), shift = balanced_shift(rows);
  uint16_t end[BALANCED_TURNS]; /* read before the entries are waited for, stored after that */
#pragma unroll
  for (int u = 0; u < BALANCED_TURNS; ++u) {
    const int i = threadIdx.x + u * BALANCED_BLOCK;
    end[u] = i < rows && rows > 1 ? __ldg(a.a.end + tile.first + i) : (uint16_t)size;
  }
  if (size <= BALANCED_AHEAD / 2 * BALANCED_BLOCK)
    balanced_fill<BALANCED_AHEAD / 2>(value, column, (const T *)a.v, size, shared.product);
  else balanced_fill<BALANCED_AHEAD>(value, column, (const T *)a.v, size, shared.product);
#pragma unroll
  for (int u = 0; u < BALANCED_TURNS; ++u)
    if ((int)threadIdx.x + u * BALANCED_BLOCK < rows) shared.end[threadIdx.x + u * BALANCED_BLOCK] = end[u];
  __syncthreads();
  for (int first = 0; first < rows; first += BALANCED_BLOCK >> shift) {
    const int i = first + ((int)threadIdx.x >> shift);
    const int to = i < rows ? shared.end[i] : 0, from = i < rows && i > 0 ? shared.end[i - 1] : 0;
    const double s = balanced_team_sum(shared.product, from, to, shift);
    if (i < rows && (threadIdx.x & ((1u << shift) - 1)) == 0) spmv_row<T>(&a, OP, tile.first + i, s, sum);
  }
}

/* Adds the parts of a row that is split; a warp. */
template <typename T, MatOp OP>
__device__ __forceinline__ void balanced_join(const ProductArgs &a, int32_t head, int32_t parts, double *sum) {
  double s = 0;
  for (int32_t p = threadIdx.x % 32; p < parts; p += 32) s += __ldcg(a.a.work + head + p);
  s = warp_sum(s);
  if (threadIdx.x % 32 == 0) spmv_row<T>(&a, OP, __ldg(a.a.order + head), s, sum);
}

/* Leaves the sum s of part t, and goes on with the row if it was the last part that was missing. */
template <typename T, MatOp OP, int SUMS>
__device__ __forceinline__ void balanced_part(const ProductArgs &a, int64_t t, const BalancedTile &tile, double s,
                                              bool *last) {
  if (threadIdx.x == 0) __stcg(a.a.work + t, s);
  if constexpr (SUMS == 0) {
    unsigned *done = (unsigned *)(a.a.work + a.a.n / BALANCED_WARP) + tile.head;
    if (threadIdx.x == 0) {
      __threadfence();
      *last = atomicAdd(done, 1u) == (unsigned)tile.parts - 1;
      if (*last) *done = 0;
    }
    __syncthreads();
    if (!*last || threadIdx.x >= 32) return;
    __threadfence();
    balanced_join<T, OP>(a, tile.head, tile.parts, nullptr);
  }
}

/* In the block that ends last: all rows that are split, a warp to each, in an order that does not change. */
template <typename T, MatOp OP> struct BalancedJoins {
  const ProductArgs &a;
  __device__ __forceinline__ void operator()(double *sum) const {
    if (product_skips(&a)) return;
    const int32_t *split = balanced_split(&a.a);
    for (int r = threadIdx.x / 32; r < a.a.slice; r += BALANCED_BLOCK / 32)
      balanced_join<T, OP>(a, __ldg(split + 2 * r), __ldg(split + 2 * r + 1), sum);
  }
};

template <typename T, MatOp OP, int SUMS>
__global__ void __launch_bounds__(BALANCED_BLOCK, BALANCED_RESIDENT)
    balanced_tiles(const __grid_constant__ ProductArgs a, const int32_t n_tile, const LaunchScratch scratch) {
  __shared__ BalancedShared shared;
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t t = blockIdx.x; t < n_tile; t += gridDim.x) {
      const BalancedTile tile = balanced_tile(&a.a, t);
      if (tile.parts || tile.end - tile.begin > a.a.threshold) {
        const double s = balanced_whole(a.a, (const T *)a.v, tile, shared.product);
        if (tile.parts) balanced_part<T, OP, SUMS>(a, t, tile, s, &shared.last);
        else if (threadIdx.x == 0) spmv_row<T>(&a, OP, tile.first, s, sum);
      } else {
        balanced_rows<T, OP>(a, tile, shared, sum);
      }
      if constexpr (SUMS > 0) __syncthreads(); /* a block without sums has one tile */
    }
  if constexpr (SUMS > 0) {
    double total[ROW_SUMS];
    if (launch_sums<SUMS>(sum, scratch, total, BalancedJoins<T, OP>{a})) product_finish(&a, total);
  }
}

template <typename T>
__device__ __forceinline__ T balanced_visit_entries(const ProductArgs &a, int32_t i, int64_t begin, int64_t end,
                                                    int step, MatOp op) {
  if constexpr (sizeof(T) == sizeof(double)) return csr_visit_entries_d(&a, i, begin, end, step, op);
  else return csr_visit_entries_f(&a, i, begin, end, step, op);
}

/* What is done once per matrix: a row that is split is the work of the block that has its first part. */
template <typename T, MatOp OP>
__global__ void balanced_visits(const __grid_constant__ ProductArgs a, const int32_t n_tile) {
  __shared__ double shared[BALANCED_BLOCK / 32];
  const int64_t t = blockIdx.x;
  if (product_skips(&a) || t >= n_tile) return;
  const BalancedTile tile = balanced_tile(&a.a, t);
  constexpr bool sums = OP == MAT_DIAGONAL || OP == MAT_ABS;
  if (tile.last - tile.first > 1) {
    for (int32_t i = tile.first + threadIdx.x; i < tile.last; i += BALANCED_BLOCK) {
      const int64_t from = i > tile.first ? balanced_row_end(&a.a, &tile, i - 1) : tile.begin;
      const T s = balanced_visit_entries<T>(a, i, from, balanced_row_end(&a.a, &tile, i), 1, OP);
      if (sums) ((T *)a.w)[i] = s;
    }
    return;
  }
  if (tile.parts && t != tile.head) return;
  const int64_t end = tile.parts ? a.a.start[t + tile.parts] : tile.end;
  double s[1] = {(double)balanced_visit_entries<T>(a, tile.first, tile.begin + threadIdx.x, end, BALANCED_BLOCK, OP)};
  if constexpr (sums) {
    block_sums<1>(s, shared);
    if (threadIdx.x == 0) ((T *)a.w)[tile.first] = (T)s[0];
  }
}

template <typename T, MatOp OP, int SUMS>
static cudaError_t balanced_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  const int32_t n_tile = (int32_t)(n / BALANCED_WARP);
  if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL || OP == MAT_SCALE_D || OP == MAT_SCALE_F) {
    balanced_visits<T, OP><<<launch_blocks(n_tile, 1), BALANCED_BLOCK, 0, stream>>>(a, n_tile);
  } else {
    /* once for each kernel; a hint, so that its failure is none */
    static const cudaError_t hint = cudaFuncSetAttribute(
        balanced_tiles<T, OP, SUMS>, cudaFuncAttributePreferredSharedMemoryCarveout, BALANCED_CARVEOUT);
    (void)hint;
    /* blocks that share the tiles evenly; with sums few enough that adding their partial sums is cheap */
    const int64_t turns = SUMS > 0 ? (n_tile + (int64_t)BALANCED_SUM_BLOCKS - 1) / BALANCED_SUM_BLOCKS : 1;
    balanced_tiles<T, OP, SUMS>
        <<<launch_blocks(n_tile, turns > 0 ? turns : 1), BALANCED_BLOCK, 0, stream>>>(a, n_tile, *scratch);
  }
  return cudaGetLastError();
}

#define BALANCED_1D(OP, NAME, SUMS)                                                                                    \
  {"csr_balanced_" #NAME "_1d", sizeof(ProductArgs), balanced_launch<double, OP, SUMS>},
#define BALANCED_1F(OP, NAME, SUMS)                                                                                    \
  {"csr_balanced_" #NAME "_1f", sizeof(ProductArgs), balanced_launch<float, OP, SUMS>},
extern "C" const CudaKernel cuda_kernels_formats_csr_balanced[] = {MAT_OPS(BALANCED_1D)
                                                                       MAT_OPS(BALANCED_1F){nullptr, 0, nullptr}};
