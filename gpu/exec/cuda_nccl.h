/* NCCL for what goes between ranks on GPUs that do not reach each other's memory. Built without nccl.h all of it is
 * refused (gpu/exec/cuda_nccl_none.c). */
#pragma once
#include "gpu/exec/cuda_private.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CudaNccl CudaNccl;

/* Collective, the same answer on all ranks. ERR_GPU where it is not there, or cannot (two ranks on one GPU). */
Status cuda_nccl_create(Comm *comm, CudaNccl **out);
/* Accepts NULL, sets NULL. */
void cuda_nccl_destroy(CudaNccl **nccl);
/* What waits for another rank on the GPU ends; nothing works any more. Accepts NULL. */
void cuda_nccl_abort(CudaNccl *nccl);
/* Ordered in the stream: rows packed in halo->room go to the neighbours, theirs come to the halo of v; bytes
 * [start[r], start[r + 1]) of the board come from rank r. */
Status cuda_nccl_rows(const CudaNccl *nccl, const Halo *halo, void *v, size_t bytes);
Status cuda_nccl_parts(const CudaNccl *nccl, const CudaExec *cuda, const int64_t *start, char *board);

#ifdef __cplusplus
}
#endif
