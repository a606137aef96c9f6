/* Ranks on GPUs that reach each other's memory: each opens that of the others (CUDA IPC between processes of a host, the
 * pointer itself within one), and kernels do the rest (gpu/share.cuh, gpu/exec/peer_kernels.cu). */
#include "gpu/exec/cuda_peers.h"

#include "core/comm.h"
#include "core/memory.h"
#include "core/sum_parts.h"
#include "gpu/exec/peer_arena.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of the common arena: flags of sums, then the board. Seconds that kernels wait for another rank: as long as its host
 * may be at work alone; one that gave up is known at once. */
enum { BOARD_AT = 4096, BOARD_BYTES = 2 * SHARE_PARTS * ROW_SUMS * 8 };
static const double PATIENCE = 60;

static double patience_seconds(void) {
  const char *text = getenv("SINEW_GPU_PATIENCE");
  const double seconds = text ? strtod(text, NULL) : 0;
  return seconds > 0 ? seconds : PATIENCE;
}

void cuda_peers_destroy(CudaExec *cuda) {
  CudaPeers *peers = cuda->peers;
  if (!peers) return;
  peer_arena_close(&cuda->base, &peers->arena);
  if (peers->state) cudaFree(peers->state);
  if (peers->mirror) cudaFreeHost(peers->mirror);
  cudaGetLastError();
  FREE(cuda->peers);
}

static Status peers_fill(CudaExec *cuda) {
  CudaPeers *peers = cuda->peers;
  void *host, *device, *p;
  TRY(cuda->base.table->mirror_alloc(&cuda->base, sizeof *peers->mirror, &host, &device));
  peers->mirror = host;
  TRY(cuda->base.table->alloc(&cuda->base, sizeof *peers->state, "the state of ranks", &p));
  peers->state = p;
  const PeerState state = {0, (PeerCount)(1e9 * patience_seconds()), device, 0};
  TRY(cuda->base.table->upload(&cuda->base, peers->state, &state, sizeof state));
  return peer_arena_alloc(&cuda->base, BOARD_AT + BOARD_BYTES, &peers->arena);
}

static Status peers_make(CudaExec *cuda) {
  ALLOC(cuda->peers, 1, "what ranks share");
  return peers_fill(cuda);
}

Status cuda_join(Exec *exec) {
  CudaExec *cuda = (CudaExec *)exec;
  Status status = OK;
  if (exec->comm->n_rank > SHARE_RANKS)
    status = FAIL(ERR_GPU, "%d ranks on GPUs, at most %d can work together", exec->comm->n_rank, SHARE_RANKS);
  else status = peers_make(cuda);
  TRY(comm_agree(exec->comm, status));
  return peer_arena_open(exec, &cuda->peers->arena, NULL, exec->comm->n_rank);
}

/* ---- sums ---- */
typedef struct CudaParts {
  SumShare *share; /* on the device */
  int64_t *start;
  int32_t cells_most;
} CudaParts;

static Status parts_fill(CudaExec *cuda, const SumParts *parts, CudaParts *own) {
  Exec *exec = &cuda->base;
  const int n_rank = comm_size(exec->comm);
  CHECK(parts->n_part <= SHARE_PARTS, ERR_GPU, "%d parts of sums, at most %d can be on GPUs", parts->n_part,
        SHARE_PARTS);
  void *p;
  const size_t bytes = (size_t)(parts->n_own + 1) * sizeof *parts->start;
  TRY(exec->table->alloc(exec, bytes, "parts of sums", &p));
  own->start = p;
  TRY(exec->table->upload(exec, p, parts->start, bytes));
  SumShare share = {parts->n_part, parts->first, parts->n_own,       n_rank, comm_rank(exec->comm),
                    parts->n_row,  own->start,   cuda->peers->state, {NULL}, {NULL}};
  for (int r = 0; r < n_rank; ++r) {
    share.flag[r] = (PeerCount *)(void *)cuda->peers->arena.of[r];
    share.board[r] = (double *)(void *)(cuda->peers->arena.of[r] + BOARD_AT);
  }
  TRY(exec->table->alloc(exec, sizeof share, "parts of sums", &p));
  own->share = p;
  return exec->table->upload(exec, p, &share, sizeof share);
}

Status cuda_parts_open(SumParts *parts) {
  CudaExec *cuda = (CudaExec *)parts->exec;
  CudaParts *own = NULL;
  if (!cuda->peers) { /* alone, in parts */
    TRY(peers_make(cuda));
    cuda->peers->arena.of[0] = cuda->peers->arena.own;
  }
  ALLOC(own, 1, "parts of sums");
  parts->device = own;
  return parts_fill(cuda, parts, own);
}

void cuda_parts_close(SumParts *parts) {
  CudaParts *own = parts->device;
  cudaFree(own->share);
  cudaFree(own->start);
  cudaGetLastError();
  FREE(own);
  parts->device = NULL;
}

Status cuda_peers_scratch(CudaExec *cuda, const RowKernel *kernel, const CudaKernel *found, int64_t n,
                          LaunchScratch *scratch) {
  const SumParts *parts = cuda->base.parts;
  *scratch = cuda->scratch;
  if (!parts || !kernel->n_sum) return OK;
  CHECK(found->by_parts, ERR_GPU, "row kernel '%s' adds up the rows of one rank only: run on one GPU", kernel->name);
  const int64_t factor = parts->n_row ? n / parts->n_row : 1;
  scratch->share = ((const CudaParts *)parts->device)->share;
  scratch->parts = parts->n_own;
  scratch->cells = share_cells(parts->most * factor, parts->n_part);
  return OK;
}

/* ---- waiting ---- */
const PeerState *cuda_peers_state(const CudaExec *cuda) {
  return cuda->peers && cuda->base.comm ? cuda->peers->state : NULL;
}

Status cuda_peers_check(CudaExec *cuda) {
  if (!cuda->peers || !cuda->base.comm) return OK;
  const int32_t late = *(volatile int32_t *)&cuda->peers->mirror->late_rank;
  const Status status = comm_check(cuda->base.comm);
  if (status != OK) {
    *(volatile int32_t *)&cuda->peers->mirror->give_up = 1;
    return status;
  }
  CHECK(!late, ERR_GPU, "rank %d did not come to an exchange between GPUs within %g s", late - 1, patience_seconds());
  return OK;
}

Status cuda_peers_wait(CudaExec *cuda, const char *what) {
  if (!cuda->peers || !cuda->base.comm) return cuda_check(cudaStreamSynchronize(cuda->stream), what);
  Status status = OK;
  for (int64_t asked = 1;; ++asked) {
    const cudaError_t error = cudaStreamQuery(cuda->stream);
    if (error != cudaErrorNotReady) {
      if (error == cudaSuccess) cudaGetLastError();
      if (status == OK) status = cuda_check(error, what);
      return status == OK ? cuda_peers_check(cuda) : status;
    }
    if (status == OK && asked % 1000 == 0) status = cuda_peers_check(cuda);
    if (asked > 20000) nanosleep(&(struct timespec){0, 20000}, NULL);
  }
}
