/* Products with a sparse matrix on the GPU: what the kernels of all formats share. A format's file (gpu/formats/<name>.cu)
 * says how one thread, or several, sum a row; the epilogues are algebra/product_row.tmpl.h, the text that the CPU runs. */
#pragma once
#include "gpu/reduce.cuh"
#include "algebra/product.h"

/* How a kernel reads what it does not write: a LOAD type. Frozen: nothing writes it while the kernel runs, so it may
 * come through the cache that no other processor's writes reach. Living: the same kernel has written it, or will, as in
 * a loop that stays on the GPU (persist.cu). `once` is for what is read once. */
struct LoadFrozen {
  template <typename T> static __device__ __forceinline__ T again(const T *p) { return __ldg(p); }
  template <typename T> static __device__ __forceinline__ T once(const T *p) { return __ldcs(p); }
};
struct LoadLiving {
  template <typename T> static __device__ __forceinline__ T again(const T *p) { return *p; }
  template <typename T> static __device__ __forceinline__ T once(const T *p) { return *p; }
};

/* T says how vectors are stored. */
template <typename T>
__device__ __forceinline__ void spmv_row(const ProductArgs *a, MatOp op, int64_t i, double s, double *sum) {
  if constexpr (sizeof(T) == sizeof(double)) product_row_d(a, op, i, s, sum);
  else product_row_f(a, op, i, s, sum);
}

/* Ends a kernel: adds the sums of all threads (which must all come here) and takes the step of the Krylov method. */
template <int SUMS>
__device__ __forceinline__ void spmv_finish(const ProductArgs &a, double *sum, const LaunchScratch &scratch) {
  if constexpr (SUMS > 0) {
    double total[ROW_SUMS];
    if (launch_sums<SUMS>(sum, scratch, total)) product_finish(&a, total);
  }
}

/* Blocks for `threads` threads; with sums the number depends on nothing else. */
template <int SUMS> static inline unsigned spmv_blocks(int64_t threads, int64_t block) {
  return SUMS > 0 ? launch_blocks_limited(threads, block, LAUNCH_MAX_PARTIALS) : launch_blocks(threads, block);
}
