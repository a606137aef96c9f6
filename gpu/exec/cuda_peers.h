/* What the CUDA executor keeps for several ranks: memory that all of them reach, or room on the host. */
#pragma once
#include "gpu/exec/cuda_nccl.h"
#include "gpu/share.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of this rank that others map, and theirs. */
typedef struct PeerArena {
  char *own;
  size_t bytes;
  char *of[SHARE_RANKS]; /* of each rank that was opened, own at this rank's place; NULL: not opened */
  bool mapped[SHARE_RANKS];
} PeerArena;

struct CudaPeers {
  PeerArena arena;    /* the board */
  PeerState *state;   /* on the device */
  PeerMirror *mirror; /* on the host */
  bool by_host;       /* GPUs do not reach each other's memory: the host has what goes between them carried, */
  CudaNccl *nccl;     /* by NCCL, owned, or NULL by itself: */
  PeerWord *words;    /* the board on the host, one half */
  int64_t process[SHARE_RANKS]; /* of each rank; 0: own, or not to be seen from here */
};

/* Parts of sums, for kernels. */
typedef struct CudaParts {
  SumShare *share; /* on the device */
  int64_t *start;  /* on the device, [n + 1] */
  int32_t n;       /* of this rank, at least 1 */
} CudaParts;

/* Entries of the ExecTable. */
Status cuda_join(Exec *exec);
Status cuda_halo_open(Halo *halo);
void cuda_halo_close(Halo *halo);
Status cuda_parts_open(SumParts *parts);
void cuda_parts_close(SumParts *parts);
Status cuda_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes, const int32_t *stop);

void cuda_peers_destroy(CudaExec *cuda);
/* Whether the host carries what goes between the ranks: nothing can be recorded then. */
bool cuda_peers_carry(const CudaExec *cuda);
/* Whether it has it carried in the stream, without waiting. */
bool cuda_peers_streams(const CudaExec *cuda);
/* gpu/exec/cuda_carry.c: a kernel with sums over parts, and rows of a halo, by way of the host. */
Status cuda_carry_sums(CudaExec *cuda, const CudaKernel *found, const void *args, int64_t n, LaunchScratch scratch);
Status cuda_carry_rows(const Halo *halo, void *host, void *v, size_t bytes);
/* Sets the scratch for sums of `kernel` over the Exec's parts, or over this rank. */
Status cuda_peers_scratch(CudaExec *cuda, const RowKernel *kernel, const CudaKernel *found, int64_t n,
                          LaunchScratch *scratch);
/* Waits for the stream. With several ranks one that gave up, or did not come, ends the waiting of the kernels too. */
Status cuda_peers_wait(CudaExec *cuda, const char *what);
/* On the device; NULL with one rank. */
const PeerState *cuda_peers_state(const CudaExec *cuda);
/* What went wrong between the ranks by now. */
Status cuda_peers_check(CudaExec *cuda);

#ifdef __cplusplus
}
#endif
