/* Memory of GPUs between ranks: CUDA IPC between processes of a host, the pointer itself between threads of one. */
#include "gpu/exec/peer_arena.h"

#include "core/comm.h"
#include "core/memory.h"

#include <string.h>
#include <unistd.h>

/* What is allocated in whole pieces of this size lies alone, which a handle for other processes asks for. */
enum { ARENA_PIECE = 2 << 20 };

/* What a rank says of its arena. */
typedef struct ArenaTicket {
  cudaIpcMemHandle_t handle;
  char *pointer;
  int64_t process;
  char host[64], bus[32]; /* where the GPU is */
} ArenaTicket;

Status peer_arena_alloc(Exec *exec, size_t bytes, PeerArena *arena) {
  void *p;
  arena->bytes = (bytes + ARENA_PIECE - 1) / ARENA_PIECE * ARENA_PIECE;
  TRY(exec->table->alloc(exec, arena->bytes, "what ranks share", &p));
  arena->own = p;
  TRY(exec->table->zero(exec, p, arena->bytes));
  return exec->table->sync(exec);
}

static Status ticket_fill(const PeerArena *arena, ArenaTicket *ticket) {
  int device = 0;
  memset(ticket, 0, sizeof *ticket);
  ticket->pointer = arena->own;
  ticket->process = (int64_t)getpid();
  gethostname(ticket->host, sizeof ticket->host - 1);
  CUDA_TRY(cudaGetDevice(&device), "asking for the GPU failed");
  CUDA_TRY(cudaDeviceGetPCIBusId(ticket->bus, sizeof ticket->bus, device), "asking for the GPU failed");
  return cuda_check(cudaIpcGetMemHandle(&ticket->handle, arena->own), "GPU memory cannot be shared between processes");
}

/* What is mapped of others. */
static void arena_unmap(PeerArena *arena) {
  for (int r = 0; r < SHARE_RANKS; ++r) {
    if (arena->mapped[r]) cudaIpcCloseMemHandle(arena->of[r]);
    arena->mapped[r] = false;
  }
  cudaGetLastError();
}

static Status ticket_open(const ArenaTicket *own, const ArenaTicket *other, int rank, PeerArena *arena) {
  if (other->process == own->process && !strcmp(other->host, own->host)) {
    CHECK(!strcmp(other->bus, own->bus), ERR_GPU, "two ranks of one process have different GPUs");
    arena->of[rank] = other->pointer;
    return OK;
  }
  CHECK(!strcmp(other->host, own->host), ERR_GPU, "rank %d is on host '%s', this one on '%s'", rank, other->host,
        own->host);
  void *p = NULL;
  const cudaError_t error = cudaIpcOpenMemHandle(&p, other->handle, cudaIpcMemLazyEnablePeerAccess);
  if (error != cudaSuccess) {
    cudaGetLastError();
    return FAIL(ERR_GPU, "this GPU (%s) cannot reach the memory of rank %d's (%s): %s; see 'nvidia-smi topo -m'",
                own->bus, rank, other->bus, cudaGetErrorString(error));
  }
  arena->of[rank] = p;
  arena->mapped[rank] = true;
  return OK;
}

Status peer_arena_open(Exec *exec, PeerArena *arena, const int32_t *rank, int n) {
  const int n_rank = exec->comm->n_rank, me = exec->comm->rank;
  ArenaTicket own, *all = NULL;
  ALLOC(all, n_rank, "what ranks share");
  Status status = comm_agree(exec->comm, ticket_fill(arena, &own));
  if (status == OK) status = comm_gather(exec->comm, &own, sizeof own, all);
  for (int k = 0; k < n && status == OK; ++k) {
    const int r = rank ? rank[k] : k;
    if (r != me) status = ticket_open(&own, &all[r], r, arena);
  }
  arena->of[me] = arena->own;
  FREE(all);
  status = comm_agree(exec->comm, status);
  if (status != OK) arena_unmap(arena);
  return status;
}

void peer_arena_close(Exec *exec, PeerArena *arena) {
  (void)exec;
  arena_unmap(arena);
  if (arena->own) cudaFree(arena->own);
  cudaGetLastError();
  memset(arena, 0, sizeof *arena);
}
