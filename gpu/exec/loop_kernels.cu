/* Counting iterations and deciding about the next one on the device. */
#include "gpu/exec/loop_kernels.h"

static __global__ void reset_kernel(LoopIterations *iterations, int64_t max) {
  iterations->done = 0;
  iterations->max = max;
}

static __global__ void begin_kernel(cudaGraphConditionalHandle handle, LoopIterations *iterations, int64_t max) {
  iterations->done = 0;
  iterations->max = max;
  cudaGraphSetConditional(handle, 1);
}

static __global__ void count_kernel(cudaGraphConditionalHandle handle, const int32_t *stop, const PeerState *state,
                                    LoopIterations *iterations, int32_t more) {
  const int64_t done = iterations->done += more;
  const bool failed = state && state->failed;
  cudaGraphSetConditional(handle, *stop == 0 && done < iterations->max && !failed ? 1 : 0);
}

cudaError_t loop_iterations_reset(cudaStream_t stream, LoopIterations *iterations, int64_t max) {
  reset_kernel<<<1, 1, 0, stream>>>(iterations, max);
  return cudaGetLastError();
}

cudaError_t loop_iterations_begin(cudaStream_t stream, cudaGraphConditionalHandle handle, LoopIterations *iterations,
                                  int64_t max) {
  begin_kernel<<<1, 1, 0, stream>>>(handle, iterations, max);
  return cudaGetLastError();
}

cudaError_t loop_iterations_count(cudaStream_t stream, cudaGraphConditionalHandle handle, const int32_t *stop,
                                  const PeerState *state, LoopIterations *iterations, int32_t more) {
  count_kernel<<<1, 1, 0, stream>>>(handle, stop, state, iterations, more);
  return cudaGetLastError();
}

bool loop_kernels_follow(void) {
  /* of the code and of the GPU: what was compiled for older ones does not wait by itself; the first driver that it was tried with */
  enum { LEAST = 90, LEAST_DRIVER = 13000 };
  cudaFuncAttributes attributes;
  int driver = 0;
  if (cudaFuncGetAttributes(&attributes, count_kernel) == cudaSuccess && cudaDriverGetVersion(&driver) == cudaSuccess)
    return attributes.ptxVersion >= LEAST && attributes.binaryVersion >= LEAST && driver >= LEAST_DRIVER;
  cudaGetLastError();
  return false;
}

cudaError_t loop_kernels_fit(void) {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, count_kernel);
}
