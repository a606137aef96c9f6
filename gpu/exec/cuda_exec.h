/* The CUDA executor. Built without CUDA, exec_create_cuda answers ERR_GPU and says so. */
#pragma once
#include "core/exec.h"

#ifdef __cplusplus
extern "C" {
#endif
/* ERR_GPU with the reason: not built in, no driver, no device, driver too old. */
Status exec_create_cuda(Exec **out);
/* Which GPU this thread's next Exec is on: that of the k-th rank of a host, which take them in turns. */
Status cuda_choose(int k);
/* True when a usable GPU is there; why[size] says why not. */
bool cuda_usable(char *why, int size);
/* Free and total device memory in bytes. */
Status cuda_memory(size_t *free_bytes, size_t *total_bytes);
#ifdef __cplusplus
}
#endif
