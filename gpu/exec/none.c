/* What stands in for the CUDA executor where Sinew is built without it. */
#include "gpu/exec/cuda_exec.h"

#include <stdio.h>

#define REASON "this Sinew was built without CUDA; install the CUDA toolkit (12.4 or later) and build again"

Status exec_create_cuda(Exec **out) {
  *out = NULL;
  return FAIL(ERR_GPU, REASON);
}

Status cuda_choose(int k) {
  (void)k;
  return FAIL(ERR_GPU, REASON);
}

bool cuda_usable(char *why, int size) {
  if (size > 0) snprintf(why, (size_t)size, "%s", REASON);
  return false;
}

Status cuda_memory(size_t *free_bytes, size_t *total_bytes) {
  *free_bytes = *total_bytes = 0;
  return FAIL(ERR_GPU, REASON);
}
