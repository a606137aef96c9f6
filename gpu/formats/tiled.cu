/* Products with a tiled copy in half precision, or of differences in double (algebra/formats/tiled.c). A block works through a
 * tile: it asks for the first records of its slices, then for what the tile needs of x, which it keeps in shared memory, and so
 * no record waits for x. A warp has a slice of 32 lanes. Sums go through shared memory into natural order, in which the
 * epilogue reads and writes whole sectors. Records pass by L1 and stay in L2 where they fit. */
#include <cuda_fp16.h>

#include "gpu/follow.cuh"
#include "gpu/formats/spmv.cuh"
#include "algebra/formats/tiled.h"
#include "algebra/formats/tiled_rows.h"

enum {
  TILED_BLOCK = TILED_ROWS,                         /* a thread for each row of a tile */
  TILED_AHEAD = 8,                                  /* records asked for before x, and at once */
  TILED_RESIDENT = TILED_PLACES / TILED_PROCESSORS, /* blocks on a processor; sums need more registers */
  TILED_RESIDENT_SUMS = 3,
  /* rabbit refined, a step of 0.01 ms with one such product, us: 4 at once and 4 blocks 149, 6 and 3 150, 8 and 3 151, 4 and 3 152,
   * 8 and 2 153; entries in double, 4 and 3, 158 */
  TILED_AHEAD_DOUBLE = 4,
  TILED_RESIDENT_DOUBLE = 4
};

__device__ __forceinline__ uint32_t tiled_record(const uint32_t *p) {
  uint32_t w;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(w) : "l"(p));
  return w;
}
__device__ __forceinline__ float tiled_value(uint32_t record) {
  return __half2float(__ushort_as_half((unsigned short)record));
}

/* What an entry holds, as it comes; and vectors as they lie in shared memory. */
struct TiledHalf {
  using Vector = float;
  static constexpr bool differences = false;
  static constexpr int resident = TILED_RESIDENT, ahead = TILED_AHEAD;
  uint32_t record;
  __device__ __forceinline__ void ask(const MatView &m, uint32_t k) {
    record = tiled_record((const uint32_t *)m.value + k);
  }
  __device__ __forceinline__ void none() { record = 0; }
  __device__ __forceinline__ float value() const { return tiled_value(record); }
  __device__ __forceinline__ uint32_t place() const { return record >> 16; }
};
struct TiledDifferences {
  using Vector = double;
  static constexpr bool differences = true;
  static constexpr int resident = TILED_RESIDENT_DOUBLE, ahead = TILED_AHEAD_DOUBLE;
  float number;
  uint16_t at;
  __device__ __forceinline__ void ask(const MatView &m, uint32_t k) {
    asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(number) : "l"((const float *)m.value + k));
    asm volatile("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=h"(at) : "l"(m.end + k));
  }
  __device__ __forceinline__ void none() { number = 0, at = 0; }
  __device__ __forceinline__ double value() const { return (double)number; }
  __device__ __forceinline__ uint32_t place() const { return at; }
};

template <typename ENTRY> struct TiledSlice {
  uint32_t begin; /* the first entry of this lane */
  int32_t width;
  int32_t halo, n_halo, far; /* of the tile: where its halo begins and its length; this thread's first row of it */
  double row_sum;            /* of differences */
  ENTRY ahead[ENTRY::ahead];
};

template <typename ENTRY>
__device__ __forceinline__ void tiled_ask(const MatView &m, const TiledSlice<ENTRY> &s, int32_t first, ENTRY *to) {
#pragma unroll
  for (int k = 0; k < ENTRY::ahead; ++k) {
    if (first + k < s.width) to[k].ask(m, s.begin + (first + k) * LOW_LANES);
    else to[k].none();
  }
}

template <typename ENTRY>
__device__ __forceinline__ void tiled_begin(const MatView &m, int32_t slice, TiledSlice<ENTRY> *s) {
  const int64_t begin = __ldg(m.start + slice), end = __ldg(m.start + slice + 1);
  s->begin = (uint32_t)begin + threadIdx.x % LOW_LANES;
  s->width = (int32_t)(end - begin) / LOW_LANES;
  tiled_ask(m, *s, 0, s->ahead);
  if (ENTRY::differences) s->row_sum = __ldg(m.work + slice * LOW_LANES + threadIdx.x % LOW_LANES);
}

template <typename ENTRY>
__device__ __forceinline__ typename ENTRY::Vector tiled_sum(const MatView &m, const TiledSlice<ENTRY> &s,
                                                            const typename ENTRY::Vector *x, int32_t row) {
  const typename ENTRY::Vector own = ENTRY::differences ? x[row] : 0;
  typename ENTRY::Vector sum = 0;
#pragma unroll
  for (int k = 0; k < ENTRY::ahead; ++k) sum += s.ahead[k].value() * (x[s.ahead[k].place()] - own);
  for (int32_t k = ENTRY::ahead; k < s.width; k += ENTRY::ahead) {
    ENTRY next[ENTRY::ahead];
    tiled_ask(m, s, k, next);
#pragma unroll
    for (int u = 0; u < ENTRY::ahead; ++u) sum += next[u].value() * (x[next[u].place()] - own);
  }
  return ENTRY::differences ? sum + s.row_sum * own : sum;
}

/* The first records of this thread's slice in a tile, if there is such a tile and slice. */
template <typename ENTRY>
__device__ __forceinline__ void tiled_first(const MatView &m, int32_t tile, int32_t n_tile, int32_t all,
                                            TiledSlice<ENTRY> *s) {
  const int32_t lane = tile * m.slice + (int32_t)threadIdx.x, slice = lane / LOW_LANES;
  const bool mine = tile < n_tile && (int32_t)threadIdx.x < m.slice && slice * LOW_LANES < all;
  *s = {};
  if (tile < n_tile) {
    s->halo = __ldg(m.order + tile), s->n_halo = __ldg(m.order + tile + 1) - s->halo;
    if ((int32_t)threadIdx.x < s->n_halo) s->far = __ldg(m.length + s->halo + threadIdx.x);
  }
  if (mine) tiled_begin(m, slice, s);
}

/* Whether the product will be skipped, asked while what decides it may still be under way: worth asking for records? */
__device__ __forceinline__ bool tiled_may_skip(const ProductArgs &a) {
  return a.stop && *(const volatile int32_t *)a.stop != 0;
}

/* Asks for a word and does not wait for it: what is read of its line later is near then. */
__device__ __forceinline__ void tiled_near(const void *p) {
  asm volatile("{\n\t.reg .u32 word;\n\tld.global.u32 word, [%0];\n\t}" ::"l"(p));
}
/* What the end of a row reads, on its way while the row is summed. */
__device__ __forceinline__ void tiled_near_row(const ProductArgs &a, int32_t i) {
  tiled_near((const float *)a.w + i);
  tiled_near((const float *)a.v + i);
  tiled_near((const float *)a.u + i);
  tiled_near((const float *)a.z + i);
  tiled_near((const float *)a.diagonal + i);
  tiled_near(a.f);
}

/* x is written by the kernel before, which may be under way when this one begins: it is read behind that only. What is early, the
 * halo's rows among it, and what is near take a step of a heart of 487 thousand nodes (four products) from 219 us to 200.
 * Rejected: the row kernel behind a product in it, a thread a row (2 or 3 blocks on a processor): a step of 204 us takes 202 to 220. */
template <typename ENTRY, MatOp OP, int SUMS>
__global__ void __launch_bounds__(TILED_BLOCK, SUMS > 0 && ENTRY::resident > TILED_RESIDENT_SUMS ? TILED_RESIDENT_SUMS
                                                                                                 : ENTRY::resident)
    tiled_product(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  using Vector = typename ENTRY::Vector;
  __shared__ Vector row[TILED_ROWS];
  extern __shared__ double tiled_room[];
  Vector *tiled_x = (Vector *)tiled_room;
  const MatView &m = a.a;
  const Vector *v = (const Vector *)a.v;
  const int32_t rows = m.slice, all = (int32_t)n, n_tile = (all + rows - 1) / rows;
  double sum[2] = {0, 0};
  TiledSlice<ENTRY> s;
  const bool early = !tiled_may_skip(a);
  if (early) tiled_first(m, blockIdx.x, n_tile, all, &s);
  follow_wait();
  follow_let();
  const bool skips = product_skips(&a);
  if (!early && !skips) tiled_first(m, blockIdx.x, n_tile, all, &s);
  for (int32_t tile = blockIdx.x; tile < n_tile && !skips; tile += gridDim.x) {
    const int32_t in = threadIdx.x, first = tile * rows, own = all - first < rows ? all - first : rows;
    if (in < s.n_halo) tiled_x[rows + in] = __ldcg(v + s.far);
    for (int32_t k = in + TILED_BLOCK; k < s.n_halo; k += TILED_BLOCK)
      tiled_x[rows + k] = __ldcg(v + __ldg(m.length + s.halo + k));
    if (in < own) tiled_x[in] = __ldcg(v + first + in);
    const int32_t to = in < own ? __ldg(m.row + first + in) - first : 0;
    if (OP == MAT_SEMI && in < own) tiled_near_row(a, first + in);
    __syncthreads();
    const Vector t = tiled_sum(m, s, tiled_x, to);
    if (in < own) row[to] = t;
    __syncthreads();
    if (in < own) spmv_row<Vector>(&a, OP, first + in, (double)row[in], sum);
    __syncthreads();
    tiled_first(m, tile + gridDim.x, n_tile, all, &s);
  }
  spmv_finish<SUMS>(a, sum, scratch);
}

template <typename ENTRY, MatOp OP>
__global__ void tiled_visits(const __grid_constant__ ProductArgs a, const int64_t n) {
  const MatView &m = a.a;
  for (int64_t lane = launch_first(); lane < n && !product_skips(&a); lane += launch_step()) {
    const int64_t i = m.row[lane], begin = m.start[lane / LOW_LANES] + lane % LOW_LANES;
    double sum = 0;
    for (int64_t k = begin; k < m.start[lane / LOW_LANES + 1]; k += LOW_LANES) {
      ENTRY entry;
      entry.ask(m, (uint32_t)k);
      if (OP == MAT_ABS || tiled_column(&m, lane / m.slice, (int32_t)entry.place()) == i) {
        const double t = (double)entry.value();
        sum += OP == MAT_ABS ? fabs(t) : t;
      }
    }
    ((typename ENTRY::Vector *)a.w)[i] = (typename ENTRY::Vector)sum;
  }
}

template <typename ENTRY, MatOp OP, int SUMS>
static cudaError_t tiled_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL) {
    tiled_visits<ENTRY, OP><<<launch_blocks(n, LAUNCH_BLOCK), LAUNCH_BLOCK, 0, stream>>>(a, n);
  } else {
    const unsigned blocks = launch_blocks_limited(n, a.a.slice, SUMS > 0 ? LAUNCH_MAX_PARTIALS : INT32_MAX);
    const size_t bytes = (size_t)(a.a.slice + a.a.threads) * sizeof(typename ENTRY::Vector);
    return follow_launch(tiled_product<ENTRY, OP, SUMS>, blocks, TILED_BLOCK, bytes, stream, *scratch, a, n, *scratch);
  }
  return cudaGetLastError();
}
static_assert((2 * TILED_ROWS + TILED_HALO) * sizeof(float) <= 48 << 10, "shared memory that needs no asking");
static_assert((2 * TILED_ROWS + TILED_DOUBLE_HALO) * sizeof(double) <= 48 << 10, "shared memory that needs no asking");

/* All of MAT_OPS but the scaled copies, which are made of double matrices only. */
#define TILED(NAME, OP, SUMS)                                                                                          \
  {"tiled_" #NAME "_1h", sizeof(ProductArgs), tiled_launch<TiledHalf, OP, SUMS>, 0, 1},                                \
      {"tiled_" #NAME "_1d", sizeof(ProductArgs), tiled_launch<TiledDifferences, OP, SUMS>, 0, 1},
extern "C" const CudaKernel cuda_kernels_formats_tiled[] = {
    TILED(apply, MAT_APPLY, 0) TILED(dot, MAT_DOT, 1) TILED(combine, MAT_COMBINE, 0)
        TILED(combine_dot, MAT_COMBINE_DOT, 1) TILED(semi, MAT_SEMI, 0) TILED(residual, MAT_RESIDUAL, 2)
            TILED(abs, MAT_ABS, 0) TILED(diagonal, MAT_DIAGONAL, 0){nullptr, 0, nullptr}};
