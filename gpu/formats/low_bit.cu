/* SBELL in 16 and 8 bits on the GPU (layout in algebra/formats/low_bit.c). A record is at most 20 bytes, so it is not
 * only the bytes but the wait for them that costs: each thread reads the records of several entries before it asks for
 * their x, and those before it computes; in 16 bits long rows are shared by 4 warps of a block, of which warp p takes
 * entries p, p + 4, ..., and their sums meet in shared memory in the order of the warps.
 * Records pass by L1, which is for x, and stay in L2 where they fit: a polynomial reads the matrix again at once.
 * Bytes of one product (records, starts and bases, x and y in float) on 54^3 hex8, 58^3 tet4, 400^2 quad4, 727^2 tri3:
 *   half 94 68 17 47 MB, 8 bits 58 43 14 39 MB; at 4.25 TB/s 22 16 4.0 11 and 14 10 3.3 9 us, less out of L2.
 * Entries under way, warps per row and blocks per processor (LowShape) are the best of about 20 each, measured alone on
 * an H200: half 23.3 17.1 4.9 12.2 us, 8 bits 17.1 13.2 4.5 11.2 us. Without gain there: x padded to four floats,
 * records brought into shared memory by bulk copies (2 or 3 stages), more than 4 warps per row. What helped: the test
 * for wide columns outside the loop, 8-bit integers turned into floats by a byte permutation (their conversion has a
 * quarter of the arithmetic's rate), x of 2 x 2 blocks in one load. */
#include "gpu/formats/low_bit.cuh"
#include "gpu/formats/spmv.cuh"
#include "algebra/formats/low_bit_visit.h"

enum { LOW_BLOCK = 128, LOW_SHARED_WIDTH = 12, LOW_LONG_WIDTH = 20, LOW_SUM_BLOCKS = 4 * 8 * 132 };
/* Coarse levels of a hierarchy have long rows and fewer slices than there are processors: 16 warps in place of 4 take
 * 10.5 us where those took 19.4 (30 slices); with 400 slices and more they are slower. */
enum { LOW_MANY_WARPS = 16, LOW_MANY_WIDTH = 40, LOW_FEW_SLICES = 132 };

/* AHEAD entries under way in a thread, RESIDENT blocks of LOW_BLOCK threads on a processor: rows of one thread. */
template <int BITS, int B> struct LowShape {
  static constexpr int AHEAD = BITS >= LOW_HALF && B == 2   ? 9
                               : BITS >= LOW_HALF && B == 3 ? 5
                               : B == 1                     ? 4
                                                            : 3,
                       RESIDENT = BITS >= LOW_HALF && B > 1 ? 8
                                  : B == 2                  ? 16
                                                            : 12;
};

template <int B> __device__ __forceinline__ void low_bit_x(const float *__restrict__ v, int32_t j, float *x) {
  if constexpr (B == 2) {
    const float2 both = __ldg((const float2 *)v + j);
    x[0] = both.x;
    x[1] = both.y;
  } else {
#pragma unroll
    for (int c = 0; c < B; ++c) x[c] = __ldg(v + j * B + c);
  }
}

/* s[r] = part of scalar row r of the block row in lane `in` of `slice`: every SPLITth entry, beginning with entry
 * `part`. SUM says what sums are kept in; the products of one block are float. WIDE: columns of 32 bits. Entries behind
 * the last one are zeros at the base column, which exists. */
template <int BITS, int B, int SPLIT, int AHEAD, bool WIDE, typename SUM>
__device__ __forceinline__ void low_bit_entries(const char *__restrict__ value, const int32_t *__restrict__ column,
                                                int32_t base, int32_t width, const float *__restrict__ v, int in,
                                                int part, SUM *s) {
  typedef LowRecord<BITS, B> Record;
  for (int32_t k = part; k < width; k += SPLIT * AHEAD) {
    Record record[AHEAD];
    float x[AHEAD][B];
#pragma unroll
    for (int u = 0; u < AHEAD; ++u) {
      const int32_t at = k + u * SPLIT;
      if (at < width) record[u].load(value + (int64_t)at * (LOW_LANES * Record::BYTES), in);
      else record[u].clear();
    }
#pragma unroll
    for (int u = 0; u < AHEAD; ++u) {
      const int32_t at = k + u * SPLIT;
      if constexpr (WIDE) low_bit_x<B>(v, at < width ? __ldg(column + at * LOW_LANES) : 0, x[u]);
      else low_bit_x<B>(v, base + (int32_t)record[u].column, x[u]);
    }
#pragma unroll
    for (int u = 0; u < AHEAD; ++u) {
      const float scale = record[u].scale();
#pragma unroll
      for (int r = 0; r < B; ++r) {
        float t = 0;
#pragma unroll
        for (int c = 0; c < B; ++c) t += record[u].value(r * B + c) * x[u][c];
        s[r] += (SUM)(scale * t);
      }
    }
  }
}

template <int BITS, int B, int SPLIT, int AHEAD, typename SUM>
__device__ __forceinline__ void low_bit_sum(const MatView &m, const float *__restrict__ v, int32_t slice, int in,
                                            int part, SUM *s) {
  const int64_t begin = __ldg(m.start + slice), end = __ldg(m.start + slice + 1);
  const int32_t base = __ldg(m.order + slice), width = (int32_t)(end - begin) / LOW_LANES;
  const char *__restrict__ value = (const char *)m.value + begin * LowRecord<BITS, B>::BYTES;
  const int32_t *__restrict__ column = m.column + begin + in;
  if (base >= 0) low_bit_entries<BITS, B, SPLIT, AHEAD, false>(value, column, base, width, v, in, part, s);
  else low_bit_entries < BITS, B, SPLIT, AHEAD<4 ? AHEAD : 4, true>(value, column, 0, width, v, in, part, s);
}

template <int B, MatOp OP, typename SUM>
__device__ __forceinline__ void low_bit_end(const ProductArgs &a, int64_t lane, const SUM *s, double *sum) {
  const int64_t i = a.a.row ? (int64_t)__ldg(a.a.row + lane) : lane;
#pragma unroll
  for (int r = 0; r < B; ++r) spmv_row<float>(&a, OP, i * B + r, (double)s[r], sum);
}

/* One thread per block row. */
template <int BITS, int B, MatOp OP, int SUMS, typename SUM>
__global__ void __launch_bounds__(LOW_BLOCK, (LowShape<BITS, B>::RESIDENT))
    low_bit_alone(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t lane = launch_first(); lane < n; lane += launch_step()) {
      SUM s[B] = {};
      low_bit_sum<BITS, B, 1, LowShape<BITS, B>::AHEAD, SUM>(a.a, (const float *)a.v, (int32_t)(lane / LOW_LANES),
                                                             threadIdx.x % LOW_LANES, 0, s);
      low_bit_end<B, OP>(a, lane, s, sum);
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

/* SPLIT warps, a whole block, per slice. Lanes behind the last row have records of zeros. */
template <int BITS, int B, MatOp OP, int SUMS, int SPLIT, int AHEAD, int RESIDENT, typename SUM>
__global__ void __launch_bounds__(SPLIT *LOW_LANES, RESIDENT)
    low_bit_shared(const __grid_constant__ ProductArgs a, const int64_t n, const LaunchScratch scratch) {
  __shared__ SUM shared[SPLIT - 1][B][LOW_LANES];
  const int in = threadIdx.x % LOW_LANES, part = threadIdx.x / LOW_LANES;
  double sum[2] = {0, 0};
  if (!product_skips(&a))
    for (int64_t first = blockIdx.x * (int64_t)LOW_LANES; first < n; first += gridDim.x * (int64_t)LOW_LANES) {
      const int64_t lane = first + in;
      SUM s[B] = {};
      low_bit_sum<BITS, B, SPLIT, AHEAD, SUM>(a.a, (const float *)a.v, (int32_t)(first / LOW_LANES), in, part, s);
      if (part > 0)
#pragma unroll
        for (int r = 0; r < B; ++r) shared[part - 1][r][in] = s[r];
      __syncthreads();
      if (part == 0 && lane < n) {
#pragma unroll
        for (int p = 0; p < SPLIT - 1; ++p)
#pragma unroll
          for (int r = 0; r < B; ++r) s[r] += shared[p][r][in];
        low_bit_end<B, OP>(a, lane, s, sum);
      }
      __syncthreads();
    }
  spmv_finish<SUMS>(a, sum, scratch);
}

template <int BITS, int B, MatOp OP>
__global__ void low_bit_visits(const __grid_constant__ ProductArgs a, const int64_t n) {
  if (!product_skips(&a))
    for (int64_t lane = launch_first(); lane < n; lane += launch_step())
      low_bit_visit(&a, lane, a.a.row ? (int64_t)a.a.row[lane] : lane, B, OP, BITS);
}

/* Blocks that share the slices evenly; with sums few enough that adding their partial sums is cheap. */
template <int SUMS> static inline unsigned low_bit_blocks(int64_t slices) {
  const int64_t turns = SUMS > 0 ? (slices + LOW_SUM_BLOCKS - 1) / LOW_SUM_BLOCKS : 1;
  return launch_blocks(slices, turns > 0 ? turns : 1);
}

/* Rows shared by warps are made for what preconditioners ask for, which is no p.Ap and no residual: each shape takes
 * seconds of compilation. */
template <int BITS, int B, MatOp OP, int SUMS, typename SUM>
static cudaError_t low_bit_launch_sum(cudaStream_t stream, const ProductArgs &a, int64_t n,
                                      const LaunchScratch *scratch) {
  if constexpr (BITS >= LOW_HALF && OP != MAT_DOT && OP != MAT_RESIDUAL) {
    const int64_t slices = (n + LOW_LANES - 1) / LOW_LANES;
    const unsigned blocks = low_bit_blocks<SUMS>(slices);
    constexpr int WARPS = LOW_BLOCK / LOW_LANES;
    if constexpr (BITS == LOW_HALF && sizeof(SUM) == sizeof(float)) /* what hierarchies take */
      if (a.a.width >= LOW_MANY_WIDTH && slices <= LOW_FEW_SLICES) {
        low_bit_shared<BITS, B, OP, SUMS, LOW_MANY_WARPS, 3, 2, SUM>
            <<<blocks, LOW_MANY_WARPS * LOW_LANES, 0, stream>>>(a, n, *scratch);
        return cudaGetLastError();
      }
    if (a.a.width >= LOW_LONG_WIDTH) {
      low_bit_shared<BITS, B, OP, SUMS, WARPS, 7, 8, SUM><<<blocks, LOW_BLOCK, 0, stream>>>(a, n, *scratch);
      return cudaGetLastError();
    }
    if (a.a.width >= LOW_SHARED_WIDTH) {
      low_bit_shared<BITS, B, OP, SUMS, WARPS, 4, 10, SUM><<<blocks, LOW_BLOCK, 0, stream>>>(a, n, *scratch);
      return cudaGetLastError();
    }
  }
  low_bit_alone<BITS, B, OP, SUMS, SUM><<<spmv_blocks<SUMS>(n, LOW_BLOCK), LOW_BLOCK, 0, stream>>>(a, n, *scratch);
  return cudaGetLastError();
}

template <int BITS, int B, MatOp OP, int SUMS>
static cudaError_t low_bit_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
  const ProductArgs &a = *(const ProductArgs *)args;
  if constexpr (OP == MAT_ABS || OP == MAT_DIAGONAL) {
    low_bit_visits<BITS, B, OP><<<launch_blocks(n, LAUNCH_BLOCK), LAUNCH_BLOCK, 0, stream>>>(a, n);
    return cudaGetLastError();
  } else { /* sums in double are what polynomials ask for */
    return a.a.threshold ? low_bit_launch_sum<BITS, B, OP, SUMS, double>(stream, a, n, scratch)
                         : low_bit_launch_sum<BITS, B, OP, SUMS, float>(stream, a, n, scratch);
  }
}

#define LOW_BIT(NAME, OP, SUMS, BITS, P)                                                                               \
  {"low_bit_" #NAME "_1" #P, sizeof(ProductArgs), low_bit_launch<BITS, 1, OP, SUMS>},                                  \
      {"low_bit_" #NAME "_2" #P, sizeof(ProductArgs), low_bit_launch<BITS, 2, OP, SUMS>},                              \
      {"low_bit_" #NAME "_3" #P, sizeof(ProductArgs), low_bit_launch<BITS, 3, OP, SUMS>},
/* All of MAT_OPS but the scaled copies, which are made of double matrices only. */
#define LOW_BIT_OPS(BITS, P)                                                                                           \
  LOW_BIT(apply, MAT_APPLY, 0, BITS, P)                                                                                \
  LOW_BIT(dot, MAT_DOT, 1, BITS, P)                                                                                    \
  LOW_BIT(combine, MAT_COMBINE, 0, BITS, P)                                                                            \
  LOW_BIT(combine_dot, MAT_COMBINE_DOT, 1, BITS, P)                                                                    \
  LOW_BIT(semi, MAT_SEMI, 0, BITS, P)                                                                                  \
  LOW_BIT(residual, MAT_RESIDUAL, 2, BITS, P)                                                                          \
  LOW_BIT(abs, MAT_ABS, 0, BITS, P)                                                                                    \
  LOW_BIT(diagonal, MAT_DIAGONAL, 0, BITS, P)
extern "C" const CudaKernel cuda_kernels_formats_low_bit[] = {LOW_BIT_OPS(LOW_HALF, h) LOW_BIT_OPS(LOW_BFLOAT, w)
                                                                  LOW_BIT_OPS(LOW_INT8, b){nullptr, 0, nullptr}};
