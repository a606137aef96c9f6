/* Snapshots (core/exec.h): a copy to pinned host memory on a stream of its own, behind an event of the executor's
 * stream, so that the copy engine works beside the kernels that follow. */
#include "core/memory.h"
#include "gpu/exec/cuda_private.h"

typedef struct CudaSnapshot {
  ExecSnapshot base;
  cudaEvent_t filled, there; /* on the executor's stream; on that of the copies */
} CudaSnapshot;

/* Waiting sleeps: the thread that waits shall not take a core from others. */
static Status take(Exec *exec, CudaSnapshot *s, size_t bytes, const char *what) {
  CudaExec *cuda = (CudaExec *)exec;
  if (!cuda->copies)
    CUDA_TRY(cudaStreamCreateWithFlags(&cuda->copies, cudaStreamNonBlocking), "a stream for copies could not be made");
  TRY(exec_alloc(exec, (int64_t)bytes, 1, what, &s->base.room));
  TRY(cuda_pinned_alloc(bytes, what, &s->base.host));
  CUDA_TRY(cudaEventCreateWithFlags(&s->filled, cudaEventDisableTiming), "creating an event failed");
  CUDA_TRY(cudaEventCreateWithFlags(&s->there, cudaEventDisableTiming | cudaEventBlockingSync),
           "creating an event failed");
  return OK;
}

Status cuda_snapshot_create(Exec *exec, size_t bytes, const char *what, ExecSnapshot **out) {
  CudaSnapshot *s = NULL;
  ALLOC(s, 1, what);
  s->base.exec = exec, s->base.bytes = bytes;
  const Status status = take(exec, s, bytes, what);
  if (status != OK) cuda_snapshot_destroy(&s->base);
  else *out = &s->base;
  return status;
}

/* Also one that is only half made. */
void cuda_snapshot_destroy(ExecSnapshot *base) {
  CudaSnapshot *s = (CudaSnapshot *)base;
  if (s->there) {
    cudaEventSynchronize(s->there);
    cudaEventDestroy(s->there);
  }
  if (s->filled) cudaEventDestroy(s->filled);
  cuda_pinned_release(base->bytes, &base->host);
  exec_release(base->exec, (int64_t)base->bytes, 1, &base->room);
  cudaGetLastError();
  FREE(s);
}

Status cuda_snapshot_send(ExecSnapshot *base, size_t bytes) {
  static const char what[] = "sending results to the host failed";
  CudaSnapshot *s = (CudaSnapshot *)base;
  CudaExec *cuda = (CudaExec *)base->exec;
  CUDA_TRY(cudaEventRecord(s->filled, cuda->stream), what);
  CUDA_TRY(cudaStreamWaitEvent(cuda->copies, s->filled, 0), what);
  CUDA_TRY(cudaMemcpyAsync(base->host, base->room, bytes, cudaMemcpyDeviceToHost, cuda->copies), what);
  return cuda_check(cudaEventRecord(s->there, cuda->copies), what);
}

Status cuda_snapshot_wait(ExecSnapshot *base) {
  return cuda_check(cudaEventSynchronize(((CudaSnapshot *)base)->there), "results did not reach the host");
}
