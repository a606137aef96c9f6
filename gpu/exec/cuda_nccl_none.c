/* Built without NCCL. */
#include "gpu/exec/cuda_nccl.h"

Status cuda_nccl_create(Comm *comm, CudaNccl **out) {
  (void)comm;
  *out = NULL;
  return FAIL(ERR_GPU, "this Sinew was built without NCCL");
}

void cuda_nccl_destroy(CudaNccl **nccl) { (void)nccl; }
void cuda_nccl_abort(CudaNccl *nccl) { (void)nccl; }

Status cuda_nccl_rows(const CudaNccl *nccl, const Halo *halo, void *v, size_t bytes) {
  (void)nccl, (void)halo, (void)v, (void)bytes;
  return FAIL(ERR_BUG, "there is no NCCL");
}

Status cuda_nccl_parts(const CudaNccl *nccl, const CudaExec *cuda, const int64_t *start, char *board) {
  (void)nccl, (void)cuda, (void)start, (void)board;
  return FAIL(ERR_BUG, "there is no NCCL");
}
