/* Device memory that was given back and waits for the next allocation of about its size. cudaFree waits for the GPU and unmaps pages:
 * a fifth of a run of 3 M unknowns of order 2. One pool for the process; all executors take from it. */
#pragma once
#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
/* *out of at least `bytes` on the current GPU, not cleared. `owner` is the executor on whose stream it is used: what it gave back is
 * ordered behind its work, so that no one waits. Where the GPU is full, what waits is freed first. */
cudaError_t cuda_pool_take(const void *owner, size_t bytes, void **out);
/* NULL is allowed. */
void cuda_pool_give(const void *owner, void *p);
/* The work of `owner` has ended: what it gave back is for all. */
void cuda_pool_leave(const void *owner);
/* Bytes that wait on the current GPU for anybody, which cudaMemGetInfo counts as used. */
size_t cuda_pool_idle(void);
#ifdef __cplusplus
}
#endif
