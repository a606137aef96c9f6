/* The blocks that run a loop together: how they wait for each other and add sums. A barrier makes what any thread wrote
 * visible to all; the next operation must read it with loads that see it (not __ldg). */
#pragma once
#include "gpu/persistent/persist.h"
#include "gpu/reduce.cuh"
#include "algebra/krylov_scalars.h"

/* What a team works with in each block, in shared memory. */
struct alignas(16) PersistShared {
  double warp[PERSIST_CLUSTER_BLOCKS * PERSIST_WARPS *
              ROW_SUMS];                             /* sums of the warps; of all blocks in a cluster's first */
  double row[PERSIST_BLOCK * 3];                     /* parts of rows */
  double block[2][ROW_SUMS][PERSIST_CLUSTER_BLOCKS]; /* sums of all blocks, in turn, where all have them */
  Krylov scalars;                                    /* of PersistRun.scalars */
  uint8_t idle[PERSIST_OPS + 1];                     /* persist_heart.cu */
};
static_assert(sizeof(Krylov) % 8 == 0, "copied by words");

/* The sums of a thread, by value: an array that is passed by its address would lie in memory, which a barrier makes
 * slow. */
struct PersistSum {
  double k[ROW_SUMS];
};

/* Adds sum[n_sum] over a warp, the result is in lane 0. Two at a time, so that their steps overlap. */
__device__ __forceinline__ void persist_warp_sums(double *sum, int32_t n_sum) {
#pragma unroll
  for (int k = 0; k < ROW_SUMS; k += 2)
    if (k < n_sum)
#pragma unroll
      for (int offset = 16; offset > 0; offset /= 2) {
        sum[k] += __shfl_down_sync(0xffffffffu, sum[k], offset);
        sum[k + 1] += __shfl_down_sync(0xffffffffu, sum[k + 1], offset);
      }
}

/* One thread block cluster. */
struct PersistClusterTeam {
  enum { KEEPS_SCALARS = true };
  bool everywhere; /* each block has its own scalars, and calls `finish` */
  int odd;         /* which half of PersistShared.block is next: a block may be ahead of another by one sum */

  __device__ PersistClusterTeam(void *, double *, bool keeps) : everywhere(keeps), odd(0) {}

  __device__ __forceinline__ void barrier() {
    __syncthreads();
    meet();
  }
  /* Adds the sums of all threads; one warp calls `fetch` early, one thread `finish` with them, everybody goes on after
   * that. */
  template <typename FETCH, typename FINISH>
  __device__ __forceinline__ void sums(PersistSum part, int32_t n_sum, PersistShared &shared, const FETCH &fetch,
                                       const FINISH &finish) {
    double *sum = part.k;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    persist_warp_sums(sum, n_sum);
    if (everywhere) return sums_everywhere(part, n_sum, shared, finish);
#pragma unroll
    for (int k = 0; k < ROW_SUMS; ++k)
      if (k < n_sum && lane == 0) store_in_block(0, &shared.warp[k * ALL + blockIdx.x * PERSIST_WARPS + warp], sum[k]);
    barrier();
    if (blockIdx.x == 0 && warp == 0) {
      fetch();
#pragma unroll
      for (int k = 0; k < ROW_SUMS; ++k) {
        sum[k] = 0;
        if (k < n_sum)
#pragma unroll
          for (int w = 0; w < ALL; w += 32) sum[k] += shared.warp[k * ALL + w + lane];
      }
      persist_warp_sums(sum, n_sum);
      if (lane == 0) finish(part);
    }
    meet();
  }

private:
  enum { ALL = PERSIST_CLUSTER_BLOCKS * PERSIST_WARPS };
  /* One fence by the first thread is for all: the others' writes come before it by a barrier of the block (or there are
   * none). A fence by each warp, which is what arriving with .release does, waits for memory as many times. */
  __device__ __forceinline__ void meet() {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x == 0) asm volatile("fence.acq_rel.cluster;" ::: "memory");
    __syncwarp();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
  }
  /* Sums of warps in `part` of the first lanes: of blocks, by the first warp, which tells all blocks; these add and
   * finish each for itself, in the same order. */
  template <typename FINISH>
  __device__ __forceinline__ void sums_everywhere(PersistSum &part, int32_t n_sum, PersistShared &shared,
                                                  const FINISH &finish) {
    double *sum = part.k;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double(*block)[PERSIST_CLUSTER_BLOCKS] = shared.block[odd];
#pragma unroll
    for (int k = 0; k < ROW_SUMS; ++k)
      if (k < n_sum && lane == 0) shared.warp[k * PERSIST_WARPS + warp] = sum[k];
    __syncthreads();
    if (warp == 0) {
#pragma unroll
      for (int k = 0; k < ROW_SUMS; ++k) sum[k] = k < n_sum ? shared.warp[k * PERSIST_WARPS + lane % PERSIST_WARPS] : 0;
      half_warp_sums(sum, n_sum);
#pragma unroll
      for (int k = 0; k < ROW_SUMS; ++k)
        if (k < n_sum && lane < PERSIST_CLUSTER_BLOCKS) store_in_block(lane, &block[k][blockIdx.x], sum[k]);
      __syncwarp();
    }
    meet();
    if (warp == 0) {
#pragma unroll
      for (int k = 0; k < ROW_SUMS; ++k) sum[k] = k < n_sum ? block[k][lane % PERSIST_CLUSTER_BLOCKS] : 0;
      half_warp_sums(sum, n_sum);
      if (lane == 0) finish(part);
    }
    odd ^= 1;
    __syncthreads();
  }
  /* The sum over 16 lanes in each of them. */
  static __device__ __forceinline__ void half_warp_sums(double *sum, int32_t n_sum) {
    static_assert(PERSIST_WARPS == 16 && PERSIST_CLUSTER_BLOCKS == 16, "half a warp");
#pragma unroll
    for (int k = 0; k < ROW_SUMS; k += 2)
      if (k < n_sum)
#pragma unroll
        for (int offset = 8; offset > 0; offset /= 2) {
          sum[k] += __shfl_xor_sync(0xffffffffu, sum[k], offset);
          sum[k + 1] += __shfl_xor_sync(0xffffffffu, sum[k + 1], offset);
        }
  }
  /* *p = x in the shared memory of a block */
  static __device__ __forceinline__ void store_in_block(unsigned rank, double *p, double x) {
#if __CUDA_ARCH__ >= 900
    unsigned remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(rank));
    asm volatile("st.shared::cluster.f64 [%0], %1;" ::"r"(remote), "d"(x) : "memory");
#endif
  }
};

/* All blocks of a cooperative launch. They count themselves in; where there are sums, the last one to come adds them,
 * finishes, and lets the others go. */
struct PersistGridTeam {
  unsigned *arrived, *released; /* 128 bytes apart, 0 before a run */
  double *partial;              /* [gridDim][ROW_SUMS] */
  unsigned goal;                /* blocks that have come when the next barrier opens; wraps around */
  enum { KEEPS_SCALARS = false };

  __device__ PersistGridTeam(void *sync, double *scratch, bool)
      : arrived((unsigned *)sync), released((unsigned *)sync + 32), partial(scratch), goal(0) {}

  __device__ __forceinline__ void barrier() {
    goal += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
      while ((int)(seen(arrived) - goal) < 0) {}
    }
    __syncthreads();
  }
  template <typename FETCH, typename FINISH>
  __device__ __forceinline__ void sums(PersistSum part, int32_t n_sum, PersistShared &shared, const FETCH &fetch,
                                       const FINISH &finish) {
    goal += gridDim.x;
    double *sum = part.k;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    persist_warp_sums(sum, n_sum);
#pragma unroll
    for (int k = 0; k < ROW_SUMS; ++k)
      if (k < n_sum && lane == 0) shared.warp[k * PERSIST_WARPS + warp] = sum[k];
    __syncthreads();
    if (warp == 0) {
#pragma unroll
      for (int k = 0; k < ROW_SUMS; ++k)
        sum[k] = k < n_sum && lane < PERSIST_WARPS ? shared.warp[k * PERSIST_WARPS + lane] : 0;
      persist_warp_sums(sum, n_sum);
      meet(part, n_sum, fetch, finish);
    }
    __syncthreads();
  }

private:
  static __device__ __forceinline__ unsigned seen(const unsigned *p) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
  }
  /* The first warp of each block. */
  template <typename FETCH, typename FINISH>
  __device__ __forceinline__ void meet(PersistSum &part, int32_t n_sum, const FETCH &fetch, const FINISH &finish) {
    double *sum = part.k;
    unsigned count = 0;
    if (threadIdx.x == 0) {
#pragma unroll
      for (int k = 0; k < ROW_SUMS; ++k)
        if (k < n_sum) __stcg(partial + blockIdx.x * ROW_SUMS + k, sum[k]);
      asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(count) : "l"(arrived) : "memory");
    }
    if (__shfl_sync(0xffffffffu, count, 0) + 1 != goal) {
      if (threadIdx.x == 0)
        while (seen(released) != goal) {}
      return;
    }
    __threadfence();
    fetch();
#pragma unroll
    for (int k = 0; k < ROW_SUMS; ++k) {
      sum[k] = 0;
      if (k < n_sum)
        for (unsigned b = threadIdx.x; b < gridDim.x; b += 32) sum[k] += __ldcg(partial + b * ROW_SUMS + k);
    }
    persist_warp_sums(sum, n_sum);
    if (threadIdx.x == 0) {
      finish(part);
      asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(released), "r"(goal) : "memory");
    }
  }
};
