/* NCCL, found when the program runs: what goes between GPUs that do not reach each other's memory, over the network too,
 * ordered in the stream. Nothing is added by it, it only moves what was added here, so its order does not enter. */
#include "gpu/exec/cuda_nccl.h"

#include "core/comm.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/sum_parts.h"

#include <dlfcn.h>
#include <nccl.h>

#define NCCL_CALLS(CALL)                                                                                               \
  CALL(ncclGetUniqueId)                                                                                                \
  CALL(ncclCommInitRank)                                                                                               \
  CALL(ncclCommAbort)                                                                                                  \
  CALL(ncclCommDestroy)                                                                                                \
  CALL(ncclSend)                                                                                                       \
  CALL(ncclRecv)                                                                                                       \
  CALL(ncclBroadcast)                                                                                                  \
  CALL(ncclGroupStart)                                                                                                 \
  CALL(ncclGroupEnd)                                                                                                   \
  CALL(ncclGetErrorString)

struct CudaNccl {
  void *library;   /* stays loaded: it has threads of its own */
  ncclComm_t comm; /* owned; NULL: aborted, or never made */
#define CALL(name) __typeof__(&name) name;
  NCCL_CALLS(CALL)
#undef CALL
};

static Status nccl_check(const CudaNccl *nccl, ncclResult_t result, const char *what) {
  if (result == ncclSuccess) return OK;
  cudaGetLastError();
  return FAIL(ERR_GPU, "%s by NCCL failed: %s", what, nccl->ncclGetErrorString(result));
}
#define NCCL_TRY(nccl, call, what) TRY(nccl_check((nccl), (nccl)->call, (what)))

static Status nccl_load(CudaNccl *nccl) {
  nccl->library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  CHECK(nccl->library, ERR_GPU, "there is no libnccl.so.2 here");
#define CALL(name)                                                                                                     \
  *(void **)&nccl->name = dlsym(nccl->library, #name);                                                                 \
  CHECK(nccl->name, ERR_GPU, "libnccl.so.2 has no %s", #name);
  NCCL_CALLS(CALL)
#undef CALL
  return OK;
}

static Status nccl_meet(CudaNccl *nccl, Comm *comm) {
  ncclUniqueId id = {{0}};
  Status status = nccl_load(nccl);
  if (status == OK && comm->rank == 0) status = nccl_check(nccl, nccl->ncclGetUniqueId(&id), "meeting");
  TRY(comm_agree(comm, status));
  TRY(comm_broadcast(comm, 0, &id, sizeof id));
  return comm_agree(comm,
                    nccl_check(nccl, nccl->ncclCommInitRank(&nccl->comm, comm->n_rank, id, comm->rank), "meeting"));
}

Status cuda_nccl_create(Comm *comm, CudaNccl **out) {
  *out = NULL;
  CudaNccl *nccl = NULL;
  TRY(comm_agree(comm, mem_alloc(1, sizeof *nccl, "NCCL", (void **)&nccl)));
  const Status status = nccl_meet(nccl, comm);
  if (status == OK) *out = nccl;
  else cuda_nccl_destroy(&nccl);
  return status;
}

void cuda_nccl_abort(CudaNccl *nccl) {
  if (nccl && nccl->comm) nccl->ncclCommAbort(nccl->comm);
  if (nccl) nccl->comm = NULL;
}

void cuda_nccl_destroy(CudaNccl **nccl) {
  if (!*nccl) return;
  if ((*nccl)->comm) (*nccl)->ncclCommDestroy((*nccl)->comm);
  FREE(*nccl);
}

/* Begun operations of a group are ended in any case. */
static Status nccl_end(const CudaNccl *nccl, Status status) {
  const ncclResult_t result = nccl->ncclGroupEnd();
  return status == OK ? nccl_check(nccl, result, "an exchange") : status;
}

static Status rows_begin(const CudaNccl *nccl, const Halo *halo, char *arrived, size_t bytes, cudaStream_t stream) {
  const int64_t size = (int64_t)bytes;
  for (int32_t p = 0; p < halo->n_peer; ++p) {
    const int64_t *send = halo->send_start + p, *recv = halo->recv_start + p;
    if (send[1] > send[0])
      NCCL_TRY(nccl,
               ncclSend(halo->room + send[0] * size, (size_t)((send[1] - send[0]) * size), ncclChar, halo->peer[p].rank,
                        nccl->comm, stream),
               "sending");
    if (recv[1] > recv[0])
      NCCL_TRY(nccl,
               ncclRecv(arrived + recv[0] * size, (size_t)((recv[1] - recv[0]) * size), ncclChar, halo->peer[p].rank,
                        nccl->comm, stream),
               "receiving");
  }
  return OK;
}

Status cuda_nccl_rows(const CudaNccl *nccl, const Halo *halo, void *v, size_t bytes) {
  CHECK(nccl->comm, ERR_GPU, "the ranks no longer work together");
  NCCL_TRY(nccl, ncclGroupStart(), "an exchange");
  char *arrived = (char *)v + (size_t)halo->n_own * bytes;
  return nccl_end(nccl, rows_begin(nccl, halo, arrived, bytes, ((CudaExec *)halo->exec)->stream));
}

static Status parts_begin(const CudaNccl *nccl, const int64_t *start, int n_rank, char *board, cudaStream_t stream) {
  for (int r = 0; r < n_rank; ++r)
    if (start[r + 1] > start[r])
      NCCL_TRY(nccl,
               ncclBroadcast(board + start[r], board + start[r], (size_t)(start[r + 1] - start[r]), ncclChar, r,
                             nccl->comm, stream),
               "a sum");
  return OK;
}

Status cuda_nccl_parts(const CudaNccl *nccl, const CudaExec *cuda, const int64_t *start, char *board) {
  CHECK(nccl->comm, ERR_GPU, "the ranks no longer work together");
  NCCL_TRY(nccl, ncclGroupStart(), "a sum");
  return nccl_end(nccl, parts_begin(nccl, start, comm_size(cuda->base.comm), board, cuda->stream));
}
