/* Sums of K columns over a grid (algebra/many.h): like reduce.cuh, but a thread adds for N columns of its own, and
 * thread t holds columns (t % G) N ... of K = G N. All in a fixed order: for a given grid the sums have the same bits
 * every time. */
#pragma once
#include "gpu/reduce.cuh"
#include "gpu/formats/many_row.cuh"
#include "gpu/formats/spmv.cuh"

enum { MANY_BLOCK = 256, MANY_SUM_BLOCKS = 660 /* of MANY_BLOCK threads: 5 on each of 132 processors */ };
static_assert(LAUNCH_MAX_PARTIALS * ROW_SUMS / MANY_MOST >= 4096, "room for the partial sums of 4096 blocks");
enum { MANY_MAX_BLOCKS = 4096 };

/* Thread t < K gets the block's sum of column t. `shared` holds 32 K doubles, free again after a __syncthreads(). */
template <int G, int N> __device__ __forceinline__ double many_block_sums(double *sum, double *shared) {
  constexpr int K = G * N;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int k = 0; k < N; ++k) {
#pragma unroll
    for (int offset = 16; offset >= G; offset /= 2) sum[k] += __shfl_down_sync(0xffffffffu, sum[k], offset);
    if (lane < G) shared[warp * K + lane * N + k] = sum[k];
  }
  __syncthreads();
  double total = 0;
  if (threadIdx.x < K)
    for (unsigned w = 0; w < blockDim.x / 32; ++w) total += shared[w * K + threadIdx.x];
  return total;
}

/* True in the threads t < K of the block that finishes last, with the sum of column t over the grid in *total. All
 * threads of all blocks must come here, once; `many_sums_end` follows in all threads of that block. */
template <int G, int N>
__device__ __forceinline__ bool many_sums(double *sum, const LaunchScratch &scratch, double *total, bool *is_last) {
  constexpr int K = G * N;
  __shared__ double shared[32 * K];
  __shared__ bool last;
  const double mine = many_block_sums<G, N>(sum, shared);
  if (threadIdx.x < K) {
    __stcg(scratch.partial + (size_t)blockIdx.x * K + threadIdx.x, mine);
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence(); /* with the barriers it covers what the other threads of the block wrote */
    last = atomicAdd(scratch.ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  *is_last = last;
  if (!last) return false;
  __threadfence();
  double part = 0;
  for (unsigned b = threadIdx.x / K; b < gridDim.x; b += blockDim.x / K)
    part += __ldcg(scratch.partial + (size_t)b * K + threadIdx.x % K);
  *total = many_block_sums<K, 1>(&part, shared);
  if (threadIdx.x == 0) *scratch.ticket = 0;
  return threadIdx.x < K;
}

/* Ends a product: the sums of all threads, and the step of each column. */
template <int G, int N, int SUMS>
__device__ __forceinline__ void many_finish(const ManyProduct &a, double *sum, const LaunchScratch &scratch) {
  if constexpr (SUMS > 0) {
    double total;
    bool last;
    if (many_sums<G, N>(sum, scratch, &total, &last) && !product_skips(&a.product))
      many_column(a.many, (int32_t)threadIdx.x, a.product.step, total);
    if (!last) return;
    const bool skips = product_skips(&a.product);
    __syncthreads();
    if (threadIdx.x == 0 && !skips) many_close(a.many);
  }
}

/* FORMAT_many_OP_BP_K for K = 2, 4, 8: LAUNCH<T, B, OP, SUMS, K>. */
#define MANY_ONE(FORMAT, B, P, T, K, OP, NAME, SUMS)                                                                   \
  {#FORMAT "_many_" #NAME "_" #B #P "_" #K, sizeof(ManyProduct), FORMAT##_many_launch<T, B, OP, SUMS, K>},
#define MANY_ALL(FORMAT, B, P, T, OP, NAME, SUMS)                                                                      \
  MANY_ONE(FORMAT, B, P, T, 2, OP, NAME, SUMS)                                                                         \
  MANY_ONE(FORMAT, B, P, T, 4, OP, NAME, SUMS) MANY_ONE(FORMAT, B, P, T, 8, OP, NAME, SUMS)
