/* Sums over a grid, added in a fixed order: threads of a warp as a tree, warps in order or as a tree, blocks in order
 * by the block that finishes last (an integer ticket says which). For a given grid the result has the same bits every
 * time.
 *   __global__ void dot_kernel(const __grid_constant__ DotArgs a, int64_t n, LaunchScratch scratch) {
 *     double sum[1] = {0};
 *     for (int64_t i = launch_first(); i < n; i += launch_step()) ... sum[0] += ...;
 *     double total[ROW_SUMS];
 *     if (launch_sums<1>(sum, scratch, total)) dot_finish(&a, total);
 *   }
 * Blocks are one-dimensional, of a multiple of 32 threads, and ALL their threads must reach launch_sums, once. */
#pragma once
#include "gpu/share.cuh"

__device__ __forceinline__ int64_t launch_first() { return blockIdx.x * (int64_t)blockDim.x + threadIdx.x; }
__device__ __forceinline__ int64_t launch_step() { return gridDim.x * (int64_t)blockDim.x; }

/* The rows of a thread: from first, every `step`, before end. With parts each block has rows of one of them. */
struct LaunchRows {
  int64_t first, end, step;
};
__device__ __forceinline__ LaunchRows launch_rows(int64_t n, const LaunchScratch &scratch) {
  if (!scratch.share) return {launch_first(), n, launch_step()};
  return share_rows_of<LaunchRows>(scratch);
}

/* One after the other takes longer than a tree from so many warps on. */
enum { BLOCK_SUMS_IN_TURN = 4 };

/* Adds sum[N] over the block; the result is in thread 0's sum. `shared` holds 32 N doubles and may be used again after
 * a __syncthreads(). */
template <int N> __device__ __forceinline__ void block_sums(double *sum, double *shared) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    for (int offset = 16; offset > 0; offset /= 2) sum[k] += __shfl_down_sync(0xffffffffu, sum[k], offset);
    if (lane == 0) shared[warp * N + k] = sum[k];
  }
  __syncthreads();
  const unsigned warps = blockDim.x / 32;
  if (warps > BLOCK_SUMS_IN_TURN) { /* a tree again */
    if (warp == 0)
#pragma unroll
      for (int k = 0; k < N; ++k) {
        sum[k] = lane < warps ? shared[lane * N + k] : 0;
        for (int offset = 16; offset > 0; offset /= 2) sum[k] += __shfl_down_sync(0xffffffffu, sum[k], offset);
      }
  } else if (threadIdx.x == 0) {
    for (unsigned w = 1; w < warps; ++w)
#pragma unroll
      for (int k = 0; k < N; ++k) sum[k] += shared[w * N + k];
  }
}

/* What is added besides by the block that comes last: nothing. */
struct LaunchNoMore {
  __device__ __forceinline__ void operator()(double *) const {}
};

/* True in exactly one thread of the grid, the last to come, with the sums over all threads in total[ROW_SUMS] (zeros
 * from N on), or total[N] where N is more: then there are at most LAUNCH_SUM_BLOCKS blocks. Everything that any thread of the grid wrote before is visible to that thread. `sum` is used up.
 * `more(sum)` is called by all threads of the last block, to which it is visible too, to add to the sums. PARTS: where
 * the scratch has parts, the sums are those of all ranks. */
template <int N, bool PARTS = false, typename MORE = LaunchNoMore>
__device__ __forceinline__ bool launch_sums(double *sum, const LaunchScratch &scratch, double *total,
                                            const MORE &more = MORE()) {
  constexpr int EACH = N > ROW_SUMS ? N : ROW_SUMS; /* doubles of a block, and in total */
  static_assert(N >= 1 && N <= ROW_SUMS_MOST && !(PARTS && N > ROW_SUMS), "a row kernel has at most ROW_SUMS sums");
  __shared__ double shared[32 * N];
  __shared__ bool last;
  block_sums<N>(sum, shared);
  if (threadIdx.x == 0) {
#pragma unroll
    for (int k = 0; k < N; ++k) __stcg(scratch.partial + (size_t)blockIdx.x * EACH + k, sum[k]);
    __threadfence(); /* with the barrier in block_sums it covers what the other threads of the block wrote */
    last = atomicAdd(scratch.ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return false;
  __threadfence();
  if constexpr (PARTS) {
    if (scratch.share) return share_totals(scratch, N, total);
  }
#pragma unroll
  for (int k = 0; k < N; ++k) sum[k] = 0;
  more(sum);
  enum { AHEAD = N < 8 ? 8 / N : 1 }; /* loads under way at once; they are added in order all the same */
  for (unsigned first = threadIdx.x; first < gridDim.x; first += AHEAD * blockDim.x) {
    double part[AHEAD][N];
#pragma unroll
    for (unsigned u = 0; u < AHEAD; ++u) {
      const unsigned b = first + u * blockDim.x;
#pragma unroll
      for (int k = 0; k < N; ++k) part[u][k] = b < gridDim.x ? __ldcg(scratch.partial + (size_t)b * EACH + k) : 0;
    }
#pragma unroll
    for (unsigned u = 0; u < AHEAD; ++u)
#pragma unroll
      for (int k = 0; k < N; ++k) sum[k] += part[u][k];
  }
  block_sums<N>(sum, shared);
  if (threadIdx.x != 0) return false;
  *scratch.ticket = 0;
#pragma unroll
  for (int k = 0; k < EACH; ++k) total[k] = k < N ? sum[k] : 0;
  return true;
}
