/* Kernels of several ranks wait for each other, and sums by parts: a block has rows of one part, the last block of the
 * grid adds up the blocks of each part and then, when those of all ranks are there, all parts. Each addition is a fixed
 * tree, which knows the parts but not who has them. */
#pragma once
#include "gpu/share.h"

/* Where the host carries the parts of sums between the ranks, a kernel stops before that, and one block begins behind. */
static inline unsigned share_blocks(const LaunchScratch &scratch) {
  return scratch.stage == SHARE_TOTALS ? 1 : (unsigned)(scratch.parts * scratch.cells);
}

/* The rows of a thread of a block that steps through its part with the other blocks of it. */
template <typename ROWS
> __device__ __forceinline__ ROWS
share_rows_of(const LaunchScratch &scratch) {
  if (scratch.stage == SHARE_TOTALS) return {0, 0, 1};
  const unsigned cells = scratch.cells, part = blockIdx.x / cells, cell = blockIdx.x - part * cells;
  return {scratch.start[part] * scratch.factor + (int64_t)cell * blockDim.x + threadIdx.x,
          scratch.start[part + 1] * scratch.factor, (int64_t)cells * blockDim.x};
}

__device__ __forceinline__ void word_put(PeerWord *to, PeerCount data, PeerCount turn) {
  asm volatile("{\n\t.reg .b128 w;\n\tmov.b128 w, {%1, %2};\n\tst.relaxed.sys.global.b128 [%0], w;\n\t}" ::"l"(to),
               "l"(data), "l"(turn)
               : "memory");
}

__device__ __forceinline__ PeerWord word_poll(const PeerWord *from) {
  PeerWord word;
  asm volatile("{\n\t.reg .b128 w;\n\tld.relaxed.sys.global.b128 w, [%2];\n\tmov.b128 {%0, %1}, w;\n\t}"
               : "=l"(word.data), "=l"(word.turn)
               : "l"(from)
               : "memory");
  return word;
}

/* Whether to wait no longer: another wait was given up, the host says so, or the patience since `begin` is over. The
 * host's memory is asked by one thread in a while: when all of them do, launches come through to the GPU a hundred
 * times slower. */
static __device__ __noinline__ bool peer_gone(PeerState *state, const int32_t *rank, PeerCount begin, PeerCount now) {
  enum { POLL_NS = 100000 };
  if (*(volatile int32_t *)&state->failed) return true;
  if (now - begin > state->patience) {
    *(volatile int32_t *)&state->mirror->late_rank = *rank + 1;
  } else {
    const PeerCount polled = *(volatile PeerCount *)&state->polled;
    if ((long long)(now - polled) < POLL_NS || atomicCAS(&state->polled, polled, now) != polled) return false;
    if (!*(volatile int32_t *)&state->mirror->give_up) return false;
  }
  *(volatile int32_t *)&state->failed = 1;
  __threadfence_system();
  return true;
}

/* Until the word, in memory of this GPU and looked at before, is that of `turn`; *rank writes it. */
__device__ __forceinline__ void word_wait(PeerWord &word, const PeerWord *from, PeerCount turn, PeerState *state,
                                          const int32_t *rank) {
  PeerCount begin = 0, now;
  for (unsigned asked = 1; word.turn != turn; ++asked) {
    if (asked > 32) __nanosleep(100); /* this will take longer */
    word = word_poll(from);
    if (asked % 64) continue;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (!begin) begin = now;
    if (peer_gone(state, rank, begin, now)) return;
  }
}

/* Adds over a warp; the sum is in its first thread. */
__device__ __forceinline__ double warp_total(double t) {
  for (int offset = 16; offset > 0; offset /= 2) t += __shfl_down_sync(0xffffffffu, t, offset);
  return t;
}

/* Which half of the boards a sum goes to. */
__device__ __forceinline__ size_t share_half(const LaunchScratch &scratch, PeerCount turn) {
  return scratch.stage ? 0 : turn % 2 * (size_t)SHARE_BOARD;
}

/* Sums of this rank's parts, a warp for each, go to the boards of all. What is read is on its way at once. */
__device__ __forceinline__ void share_tell(const LaunchScratch &scratch, int n, PeerCount turn) {
  enum { AHEAD = 2 }; /* parts of a warp at a time */
  const SumShare &share = *scratch.share;
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32, cells = scratch.cells, n_own = scratch.parts;
  const int first = share.first;
  PeerWord *board = lane < share.n_rank ? share.board[lane] : nullptr;
  for (int p = threadIdx.x / 32; p < n_own; p += AHEAD * warps)
    for (int k = 0; k < n; ++k) {
      double t[AHEAD] = {};
      for (int c = lane; c < cells; c += 32)
#pragma unroll
        for (int u = 0; u < AHEAD; ++u)
          if (p + u * warps < n_own)
            t[u] += __ldcg(scratch.partial + ((size_t)(p + u * warps) * cells + c) * ROW_SUMS + k);
#pragma unroll
      for (int u = 0; u < AHEAD; ++u) {
        const double all = __shfl_sync(0xffffffffu, warp_total(t[u]), 0);
        if (board && p + u * warps < n_own)
          word_put(board + share_half(scratch, turn) + (size_t)(first + p + u * warps) * ROW_SUMS + k,
                   (PeerCount)__double_as_longlong(all), turn);
      }
    }
}

/* One of the sums over all parts, by a warp, in its first thread. */
__device__ __forceinline__ double share_add(const LaunchScratch &scratch, int k, PeerCount turn) {
  enum { AHEAD = 2 };
  const SumShare &share = *scratch.share;
  const int n_part = share.n_part;
  const PeerWord *board = share.own + share_half(scratch, turn) + k;
  double t = 0;
  for (int p = threadIdx.x % 32; p < n_part; p += 32 * AHEAD) {
    PeerWord word[AHEAD];
#pragma unroll
    for (int u = 0; u < AHEAD; ++u)
      word[u] = word_poll(board + (size_t)(p + 32 * u < n_part ? p + 32 * u : p) * ROW_SUMS);
#pragma unroll
    for (int u = 0; u < AHEAD; ++u) {
      if (p + 32 * u >= n_part) continue;
      word_wait(word[u], board + (size_t)(p + 32 * u) * ROW_SUMS, turn, scratch.state, share.owner + p + 32 * u);
      t += __longlong_as_double((long long)word[u].data);
    }
  }
  return warp_total(t);
}

/* In the block that finishes last, all of its threads: total[n] in the first one. False where the host goes on. */
static __device__ __noinline__ bool share_totals(const LaunchScratch &scratch, int n, double *total) {
  __shared__ double all[ROW_SUMS];
  const int warp = threadIdx.x / 32;
  const PeerCount turn = scratch.state->sums + 1;
  if (scratch.stage != SHARE_TOTALS) share_tell(scratch, n, turn);
  if (scratch.stage != SHARE_PARTIAL && warp < n) {
    const double t = share_add(scratch, warp, turn);
    if (threadIdx.x % 32 == 0) all[warp] = t;
  }
  __syncthreads();
  if (threadIdx.x != 0) return false;
  *scratch.ticket = 0;
  if (scratch.stage == SHARE_PARTIAL) return false;
  for (int k = 0; k < ROW_SUMS; ++k) total[k] = k < n ? all[k] : 0;
  scratch.state->sums = turn;
  return true;
}
