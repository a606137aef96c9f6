/* HD marks a function that the C compiler and nvcc both compile from the same text. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __CUDACC__
#define HD static __host__ __device__ __forceinline__
#else
#define HD static inline __attribute__((always_inline, unused))
#endif
