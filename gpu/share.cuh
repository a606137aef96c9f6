/* Kernels of several ranks wait for each other, and sums by parts: a block has rows of one part, the last block of the
 * grid adds up the blocks of each part and then, when those of all ranks are there, all parts. Each addition is a fixed
 * tree, which knows the parts but not who has them. */
#pragma once
#include "gpu/share.h"

static inline unsigned share_blocks(const LaunchScratch &scratch) {
  return scratch.parts ? (unsigned)(scratch.parts * scratch.cells) : 1;
}

/* The rows of a thread of a block that steps through its part with the other blocks of it. */
template <typename ROWS
> __device__ __forceinline__ ROWS
share_rows_of(int64_t n, const SumShare &share, int cells) {
  if (!share.n_own || !share.n_row) return {0, 0, 1};
  const int64_t factor = n / share.n_row;
  const int part = (int)blockIdx.x / cells, cell = (int)blockIdx.x % cells;
  return {share.start[part] * factor + cell * (int64_t)blockDim.x + threadIdx.x, share.start[part + 1] * factor,
          cells * (int64_t)blockDim.x};
}

__device__ __forceinline__ PeerCount peer_look(const PeerCount *flag) {
  PeerCount value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(flag) : "memory");
  return value;
}

/* All that the threads before the last barrier of the block wrote is there for who sees it. */
__device__ __forceinline__ void peer_tell(PeerCount *flag, PeerCount value) {
  __threadfence_system();
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
}

/* Until the flag, in memory of this GPU, has come to `value`. Gives up when the host says so or after the patience;
 * then all later waits are none. */
static __device__ __noinline__ void peer_wait(const PeerCount *flag, PeerCount value, PeerState *state, int rank) {
  PeerCount begin = 0, now;
  for (unsigned asked = 1; peer_look(flag) < value; ++asked) {
    if (asked % 256 != 1) continue;
    if (*(volatile int32_t *)&state->failed) return;
    if (asked == 1) continue;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (!begin) begin = now;
    const bool late = now - begin > state->patience;
    if (late) *(volatile int32_t *)&state->mirror->late_rank = rank + 1;
    if (late || *(volatile int32_t *)&state->mirror->give_up) {
      *(volatile int32_t *)&state->failed = 1;
      __threadfence_system();
      return;
    }
  }
}

/* Adds over a warp; the sum is in its first thread. */
__device__ __forceinline__ double warp_total(double t) {
  for (int offset = 16; offset > 0; offset /= 2) t += __shfl_down_sync(0xffffffffu, t, offset);
  return t;
}

/* In the block that finishes last, all of its threads: total[n] in the first one. */
static __device__ __noinline__ void share_totals(const SumShare &share, int n, int cells, const double *partial,
                                                 unsigned *ticket, double *total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const PeerCount turn = share.state->sums + 1;
  const size_t half = (turn % 2) * (size_t)SHARE_PARTS * ROW_SUMS;
  for (int p = warp; p < share.n_own; p += warps)
    for (int k = 0; k < n; ++k) {
      double t = 0;
      for (int c = lane; c < cells; c += 32) t += __ldcg(partial + ((size_t)p * cells + c) * ROW_SUMS + k);
      t = warp_total(t);
      const size_t at = half + (size_t)(share.first + p) * ROW_SUMS + k;
      if (lane == 0)
        for (int r = 0; r < share.n_rank; ++r) share.board[r][at] = t;
    }
  __syncthreads();
  const int other = threadIdx.x;
  if (other < share.n_rank && other != share.rank) {
    peer_tell(share.flag[other] + share.rank, turn);
    peer_wait(share.flag[share.rank] + other, turn, share.state, other);
  }
  __syncthreads();
  if (warp == 0)
    for (int k = 0; k < n; ++k) {
      double t = 0;
      for (int p = lane; p < share.n_part; p += 32)
        t += __ldcg(share.board[share.rank] + half + (size_t)p * ROW_SUMS + k);
      total[k] = warp_total(t);
    }
  if (threadIdx.x != 0) return;
  for (int k = n; k < ROW_SUMS; ++k) total[k] = 0;
  share.state->sums = turn;
  *ticket = 0;
}
