/* Large copies between pageable host memory and the GPU: through pinned buffers that all threads of the host fill or
 * empty, while the copy engine works on the one before. The runtime's own copies of pageable memory have one thread, which
 * is a sixth of the speed of the bus. */
#include "core/memory.h"
#include "gpu/exec/cuda_private.h"

#include <string.h>

enum { STAGE_PIECE = 1 << 18 }; /* what a thread copies at a time */

static void copy_by_threads(void *to, const void *from, size_t bytes) {
  const int64_t n = (int64_t)((bytes + STAGE_PIECE - 1) / STAGE_PIECE);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    const size_t at = (size_t)i * STAGE_PIECE, rest = bytes - at;
    memcpy((char *)to + at, (const char *)from + at, rest < STAGE_PIECE ? rest : STAGE_PIECE);
  }
}

void cuda_stage_destroy(CudaExec *cuda) {
  for (int i = 0; i < STAGE_BUFFERS; ++i) {
    if (cuda->stage.done[i]) cudaEventDestroy(cuda->stage.done[i]);
    if (cuda->stage.buffer[i]) {
      cudaFreeHost(cuda->stage.buffer[i]);
      mem_count_bytes(0, STAGE_BYTES);
    }
    cuda->stage.done[i] = NULL;
    cuda->stage.buffer[i] = NULL;
  }
}

/* Whether there are buffers; without them copies are the runtime's. */
static bool stage_made(CudaExec *cuda) {
  if (cuda->stage.buffer[STAGE_BUFFERS - 1]) return true;
  for (int i = 0; i < STAGE_BUFFERS; ++i) {
    if (cudaHostAlloc(&cuda->stage.buffer[i], STAGE_BYTES, cudaHostAllocDefault) != cudaSuccess) {
      cuda->stage.buffer[i] = NULL;
      break;
    }
    mem_count_bytes(STAGE_BYTES, 0);
    if (cudaEventCreateWithFlags(&cuda->stage.done[i], cudaEventDisableTiming) != cudaSuccess) break;
    if (i + 1 == STAGE_BUFFERS) return true;
  }
  cudaGetLastError();
  cuda_stage_destroy(cuda);
  return false;
}

static size_t stage_length(size_t bytes, size_t at) { return bytes - at < STAGE_BYTES ? bytes - at : STAGE_BYTES; }

Status cuda_stage_upload(CudaExec *cuda, void *to, const void *from, size_t bytes, bool *done) {
  static const char what[] = "copying to the GPU failed";
  *done = bytes >= STAGE_LEAST && stage_made(cuda);
  for (size_t at = 0, i = 0; *done && at < bytes; at += STAGE_BYTES, i = (i + 1) % STAGE_BUFFERS) {
    const size_t n = stage_length(bytes, at);
    CUDA_TRY(cudaEventSynchronize(cuda->stage.done[i]), what); /* one that was never recorded is done */
    copy_by_threads(cuda->stage.buffer[i], (const char *)from + at, n);
    CUDA_TRY(cudaMemcpyAsync((char *)to + at, cuda->stage.buffer[i], n, cudaMemcpyHostToDevice, cuda->stream), what);
    CUDA_TRY(cudaEventRecord(cuda->stage.done[i], cuda->stream), what);
  }
  return OK;
}

/* Asks for the piece at `at` into its buffer. */
static Status stage_ask(CudaExec *cuda, const void *from, size_t bytes, size_t at) {
  static const char what[] = "copying from the GPU failed";
  const size_t i = at / STAGE_BYTES % STAGE_BUFFERS;
  if (at >= bytes) return OK;
  CUDA_TRY(cudaMemcpyAsync(cuda->stage.buffer[i], (const char *)from + at, stage_length(bytes, at),
                           cudaMemcpyDeviceToHost, cuda->stream),
           what);
  return cuda_check(cudaEventRecord(cuda->stage.done[i], cuda->stream), what);
}

Status cuda_stage_download(CudaExec *cuda, void *to, const void *from, size_t bytes, bool *done) {
  *done = bytes >= STAGE_LEAST && stage_made(cuda);
  if (!*done) return OK;
  for (size_t i = 0; i < STAGE_BUFFERS; ++i) TRY(stage_ask(cuda, from, bytes, i * STAGE_BYTES));
  for (size_t at = 0; at < bytes; at += STAGE_BYTES) {
    const size_t i = at / STAGE_BYTES % STAGE_BUFFERS;
    CUDA_TRY(cudaEventSynchronize(cuda->stage.done[i]), "copying from the GPU failed");
    copy_by_threads((char *)to + at, cuda->stage.buffer[i], stage_length(bytes, at));
    TRY(stage_ask(cuda, from, bytes, at + STAGE_BUFFERS * STAGE_BYTES));
  }
  return OK;
}
