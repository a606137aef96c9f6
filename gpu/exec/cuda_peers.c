/* Ranks on GPUs that reach each other's memory: each opens that of the others (CUDA IPC between processes of a host, the
 * pointer itself within one), and kernels do the rest (gpu/share.cuh, gpu/exec/peer_kernels.cu). Where one does not, the
 * hosts have it carried (gpu/exec/cuda_carry.c). */
#include "gpu/exec/cuda_peers.h"

#include "core/comm.h"
#include "core/memory.h"
#include "core/sum_parts.h"
#include "gpu/exec/peer_arena.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds that kernels wait for another rank: as long as its host may be at work alone; one that gave up or was killed is
 * known at once. */
static const double PATIENCE = 60;

static double patience_seconds(void) {
  const char *text = getenv("SINEW_GPU_PATIENCE");
  const double seconds = text ? strtod(text, NULL) : 0;
  return seconds > 0 ? seconds : PATIENCE;
}

void cuda_peers_destroy(CudaExec *cuda) {
  CudaPeers *peers = cuda->peers;
  if (!peers) return;
  cuda_nccl_destroy(&peers->nccl);
  peer_arena_close(&cuda->base, &peers->arena);
  if (peers->state) cudaFree(peers->state);
  if (peers->mirror) cudaFreeHost(peers->mirror);
  cudaGetLastError();
  FREE(peers->words);
  FREE(cuda->peers);
}

static Status peers_fill(CudaExec *cuda) {
  CudaPeers *peers = cuda->peers;
  void *host, *device, *p;
  TRY(cuda->base.table->mirror_alloc(&cuda->base, sizeof *peers->mirror, &host, &device));
  peers->mirror = host;
  TRY(cuda->base.table->alloc(&cuda->base, sizeof *peers->state, "the state of ranks", &p));
  peers->state = p;
  const PeerState state = {.patience = (PeerCount)(1e9 * patience_seconds()), .mirror = device};
  TRY(cuda->base.table->upload(&cuda->base, peers->state, &state, sizeof state));
  return peer_arena_alloc(&cuda->base, 2 * SHARE_BOARD * sizeof(PeerWord), &peers->arena);
}

static Status peers_make(CudaExec *cuda) {
  ALLOC(cuda->peers, 1, "what ranks share");
  TRY(peers_fill(cuda));
  cuda->peers->arena.of[0] = cuda->peers->arena.own; /* alone */
  return OK;
}

/* ---- the way between the GPUs ---- */
typedef enum PeersWay { WAY_ANY, WAY_PEER, WAY_NCCL, WAY_HOST } PeersWay;

/* The environment variable SINEW_GPU_PEERS: else the first that works. */
static Status way_wanted(PeersWay *out) {
  static const char *const names[] = {"auto", "peer", "nccl", "host"};
  const char *text = getenv("SINEW_GPU_PEERS");
  *out = WAY_ANY;
  if (!text || !*text) return OK;
  for (PeersWay way = WAY_ANY; way <= WAY_HOST; ++way)
    if (!strcmp(text, names[way])) {
      *out = way;
      return OK;
    }
  return FAIL(ERR_INPUT, "SINEW_GPU_PEERS is '%s', must be auto, peer, nccl or host", text);
}

static Status way_by_peers(CudaExec *cuda) {
  const int n_rank = cuda->base.comm->n_rank;
  CHECK(n_rank <= SHARE_RANKS, ERR_GPU, "%d ranks, of which %d at most can reach each other's memory", n_rank,
        SHARE_RANKS);
  return peer_arena_open(&cuda->base, &cuda->peers->arena, NULL, n_rank);
}

/* The host has it carried. */
static Status way_by_host(CudaExec *cuda, bool nccl) {
  if (nccl) TRY(cuda_nccl_create(cuda->base.comm, &cuda->peers->nccl));
  cuda->peers->by_host = true;
  return mem_alloc(SHARE_BOARD, sizeof *cuda->peers->words, "sums of all ranks", (void **)&cuda->peers->words);
}

/* The same on all ranks: each way fails on all or on none. */
static Status way_choose(CudaExec *cuda, PeersWay wanted) {
  char why[1024];
  if (wanted == WAY_HOST) return way_by_host(cuda, false);
  Status status = wanted == WAY_NCCL ? ERR_GPU : way_by_peers(cuda);
  if (wanted == WAY_PEER || status != ERR_GPU) return status;
  snprintf(why, sizeof why, "%s", wanted == WAY_NCCL ? "" : status_message());
  status_clear();
  status = way_by_host(cuda, true);
  if (wanted == WAY_NCCL || status != ERR_GPU) return status;
  status_warn("the GPUs work together through the hosts' memory, which is slow: %s; %s", why, status_message());
  status_clear();
  return way_by_host(cuda, false);
}

/* The processes of this host that are ranks, as far as they can be seen from here. */
static Status processes_meet(CudaExec *cuda) {
  Comm *comm = cuda->base.comm;
  typedef struct RankPlace {
    char host[64];
    int64_t process;
  } RankPlace;
  RankPlace own = {.process = getpid()}, *all = NULL;
  gethostname(own.host, sizeof own.host - 1);
  ALLOC(all, comm->n_rank, "where ranks are");
  const Status status = comm_gather(comm, &own, sizeof own, all);
  for (int r = 0; r < comm->n_rank && r < SHARE_RANKS && status == OK; ++r)
    if (all[r].process != own.process && !strcmp(all[r].host, own.host) && kill((pid_t)all[r].process, 0) == 0)
      cuda->peers->process[r] = all[r].process;
  FREE(all);
  return status;
}

Status cuda_join(Exec *exec) {
  CudaExec *cuda = (CudaExec *)exec;
  PeersWay way;
  Status status = way_wanted(&way);
  if (status == OK) status = peers_make(cuda);
  TRY(comm_agree(exec->comm, status));
  double any = way; /* hosts may have other environments */
  TRY(comm_most(exec->comm, &any));
  TRY(comm_agree(exec->comm, way_choose(cuda, (PeersWay)any)));
  return processes_meet(cuda);
}

bool cuda_peers_carry(const CudaExec *cuda) { return cuda->peers && cuda->peers->by_host; }
bool cuda_peers_streams(const CudaExec *cuda) { return cuda_peers_carry(cuda) && cuda->peers->nccl; }

/* ---- sums ---- */
/* Who has which part, on the host. A rank without parts gets one behind the last, which has no rows. */
static void share_owners(const CudaExec *cuda, const SumParts *parts, SumShare *share) {
  const int n_rank = comm_size(cuda->base.comm), me = comm_rank(cuda->base.comm);
  const int64_t *start = parts->gather_start; /* of one sum, in bytes */
  share->n_part = parts->n_part;
  share->first = parts->first;
  share->n_own = parts->n_own;
  for (int r = 0; r < n_rank; ++r) {
    const int32_t first = (int32_t)(start[r] / (int64_t)sizeof(double)),
                  end = (int32_t)(start[r + 1] / (int64_t)sizeof(double));
    for (int32_t p = first; p < end; ++p) share->owner[p] = r;
    if (first < end) continue;
    share->owner[share->n_part] = r;
    if (r == me) share->first = share->n_part, share->n_own = 1;
    ++share->n_part;
  }
  if (!cuda->peers->by_host) return;
  share->n_part = parts->n_part; /* nobody asks for more */
}

static Status share_upload(CudaExec *cuda, const SumParts *parts, CudaParts *own, SumShare *share) {
  Exec *exec = &cuda->base;
  const CudaPeers *peers = cuda->peers;
  const int64_t none[2] = {0, 0};
  void *p;
  share_owners(cuda, parts, share);
  share->n_rank = peers->by_host ? 1 : comm_size(exec->comm);
  share->own = (PeerWord *)(void *)peers->arena.own;
  for (int r = 0; r < share->n_rank; ++r)
    share->board[r] = peers->by_host ? share->own : (PeerWord *)(void *)peers->arena.of[r];
  own->n = share->n_own;
  const size_t bytes = (size_t)(own->n + 1) * sizeof *parts->start;
  TRY(exec->table->alloc(exec, bytes, "parts of sums", &p));
  own->start = p;
  TRY(exec->table->upload(exec, p, parts->n_own ? parts->start : none, bytes));
  TRY(exec->table->alloc(exec, sizeof *share, "parts of sums", &p));
  own->share = p;
  return exec->table->upload(exec, p, share, sizeof *share);
}

static Status parts_fill(CudaExec *cuda, const SumParts *parts, CudaParts *own) {
  const int64_t most = (int64_t)parts->n_part + comm_size(cuda->base.comm);
  SumShare *share = NULL;
  CHECK(most <= SHARE_PARTS, ERR_GPU, "%d parts of sums, at most %d can be on GPUs", parts->n_part,
        SHARE_PARTS - comm_size(cuda->base.comm));
  ALLOC(share, 1, "parts of sums");
  const Status status = share_upload(cuda, parts, own, share);
  FREE(share);
  return status;
}

Status cuda_parts_open(SumParts *parts) {
  CudaExec *cuda = (CudaExec *)parts->exec;
  CudaParts *own = NULL;
  if (!cuda->peers) TRY(peers_make(cuda)); /* alone, in parts */
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
  const CudaParts *own = parts->device;
  scratch->share = own->share;
  scratch->state = cuda->peers->state;
  scratch->start = own->start;
  scratch->parts = own->n;
  scratch->factor = parts->n_row ? n / parts->n_row : 0;
  scratch->cells = share_cells(parts->most * (parts->n_row ? scratch->factor : 1), parts->n_part);
  return OK;
}

/* ---- waiting ---- */
/* A rank that was killed says nothing, but its process is gone. */
static Status processes_live(const CudaPeers *peers) {
  for (int r = 0; r < SHARE_RANKS; ++r)
    CHECK(!peers->process[r] || kill((pid_t)peers->process[r], 0) == 0 || errno != ESRCH, ERR_GPU,
          "rank %d is gone: it was killed, or crashed", r);
  return OK;
}

const PeerState *cuda_peers_state(const CudaExec *cuda) {
  return cuda->peers && cuda->base.comm ? cuda->peers->state : NULL;
}

Status cuda_peers_check(CudaExec *cuda) {
  if (!cuda->peers || !cuda->base.comm) return OK;
  const int32_t late = *(volatile int32_t *)&cuda->peers->mirror->late_rank;
  Status status = comm_check(cuda->base.comm);
  if (status == OK) status = processes_live(cuda->peers);
  if (status != OK) {
    *(volatile int32_t *)&cuda->peers->mirror->give_up = 1;
    cuda_nccl_abort(cuda->peers->nccl);
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
