/* HD marks a function that the C compiler and nvcc both compile from the same text. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __CUDACC__
#define HD static __host__ __device__ __forceinline__
#else
#define HD static inline __attribute__((always_inline, unused))
#endif

/* A number among those that are float or double, as a matrix or a vector stores them. */
HD double hd_load(const void *from, int64_t at, int is_float) {
  return is_float ? (double)((const float *)from)[at] : ((const double *)from)[at];
}
HD void hd_store(void *to, int64_t at, double v, int is_float) {
  if (is_float) ((float *)to)[at] = (float)v;
  else ((double *)to)[at] = v;
}

/* Several rows may write the same 1. */
HD void hd_mark(uint8_t *mark) {
#ifdef __CUDA_ARCH__
  *mark = 1;
#else
  __atomic_store_n(mark, 1, __ATOMIC_RELAXED);
#endif
}
