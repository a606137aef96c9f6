/* What the files of the CUDA executor share. */
#pragma once
#include "gpu/persistent/persist.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pinned memory through which large arrays go (cuda_stage.c); made when the first one does. */
enum { STAGE_BUFFERS = 3, STAGE_BYTES = 4 << 20, STAGE_LEAST = 8 << 20 };
typedef struct CudaStage {
  void *buffer[STAGE_BUFFERS];
  cudaEvent_t done[STAGE_BUFFERS];
} CudaStage;

typedef struct CudaPeers CudaPeers; /* gpu/exec/cuda_peers.h */

typedef struct CudaExec {
  Exec base;
  cudaStream_t stream; /* everything is ordered on it */
  cudaStream_t copies; /* but for snapshots on their way to the host; NULL before the first */
  CudaRegistry *registry;
  LaunchScratch scratch;
  cudaEvent_t mark[EXEC_MARKS];
  CudaStage stage;
  CudaPeers *peers;  /* owned; NULL: one rank, and sums without parts */
  bool lets_follow;  /* kernels may begin early (gpu/follow.cuh); not where several ranks wait for each other in them */
  bool capturing;    /* a loop is recorded: launches go into a list or a graph */
  PersistList *list; /* the list; NULL: launches go to the stream, which may be captured */
} CudaExec;

/* OK, or ERR_GPU with "what: the runtime's reason". Clears the runtime's error where that is possible. */
Status cuda_check(cudaError_t error, const char *what);
#define CUDA_TRY(call, what) TRY(cuda_check((call), (what)))

/* Launches on the stream; the message of a failure has the kernel's name. */
Status cuda_launch(CudaExec *cuda, const CudaKernel *found, const void *args, int64_t n, const LaunchScratch *scratch);
/* Launches now, or into the list of a loop that is recorded. */
Status cuda_launch_any(CudaExec *cuda, const CudaKernel *found, const void *args, int64_t n,
                       const LaunchScratch *scratch);
/* Entries of the ExecTable, gpu/exec/cuda_loop.c */
Status cuda_loop_create(Exec *exec, LoopBody body, void *context, const int32_t *stop, ExecLoop **out);
Status cuda_loop_run(ExecLoop *loop, int64_t max, LoopPoll poll, void *poll_context);
void cuda_loop_destroy(ExecLoop *loop);

/* Host memory that the GPU's copy engine reaches by itself; counted as host memory. */
Status cuda_pinned_alloc(size_t bytes, const char *what, void **out);
void cuda_pinned_release(size_t bytes, void **p);
/* gpu/exec/cuda_stage.c: *done false where the array is small or there is no pinned memory, and nothing was copied. An
 * upload has read from[] when it returns; a download is complete. */
Status cuda_stage_upload(CudaExec *cuda, void *to, const void *from, size_t bytes, bool *done);
Status cuda_stage_download(CudaExec *cuda, void *to, const void *from, size_t bytes, bool *done);
void cuda_stage_destroy(CudaExec *cuda);
/* Entries of the ExecTable, gpu/exec/cuda_snapshot.c */
Status cuda_snapshot_create(Exec *exec, size_t bytes, const char *what, ExecSnapshot **out);
void cuda_snapshot_destroy(ExecSnapshot *snapshot);
Status cuda_snapshot_send(ExecSnapshot *snapshot, size_t bytes);
Status cuda_snapshot_wait(ExecSnapshot *snapshot);
/* Entries of the ExecTable, gpu/exec/cuda_sort.cu */
Status cuda_scan(Exec *exec, const void *count, size_t size, int64_t n, int64_t *start);
Status cuda_sort(Exec *exec, ExecSort *sort);

#ifdef __cplusplus
}
#endif
