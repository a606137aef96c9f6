/* The two one-thread kernels of a loop on the device. */
#pragma once
#include "gpu/share.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On the device: iterations done and allowed in this run. */
typedef struct LoopIterations {
  int64_t done, max;
} LoopIterations;

/* Before a run: nothing done, `max` allowed. Passed as a launch argument, so that no host memory has to stay put. */
cudaError_t loop_iterations_reset(cudaStream_t stream, LoopIterations *iterations, int64_t max);
/* The same inside of another loop, whose WHILE node goes by `handle`. */
cudaError_t loop_iterations_begin(cudaStream_t stream, cudaGraphConditionalHandle handle, LoopIterations *iterations,
                                  int64_t max);
/* At the end of the body: counts its iterations, `more`; others follow while *stop is 0, fewer than max are done and no wait
 * for another rank was given up (`state`; NULL: one rank). */
cudaError_t loop_iterations_count(cudaStream_t stream, cudaGraphConditionalHandle handle, const int32_t *stop,
                                  const PeerState *state, LoopIterations *iterations, int32_t more);
/* Whether kernels of this program can begin before the one before them has ended (gpu/follow.cuh) on the current GPU. */
bool loop_kernels_follow(void);
/* An error when this program holds no code for the current GPU. */
cudaError_t loop_kernels_fit(void);

#ifdef __cplusplus
}
#endif
