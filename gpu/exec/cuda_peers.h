/* What the CUDA executor keeps for several ranks: memory that all of them reach. */
#pragma once
#include "gpu/exec/cuda_private.h"
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
  PeerArena arena;    /* flags and board */
  PeerState *state;   /* on the device */
  PeerMirror *mirror; /* on the host */
};

/* Entries of the ExecTable. */
Status cuda_join(Exec *exec);
Status cuda_halo_open(Halo *halo);
void cuda_halo_close(Halo *halo);
Status cuda_parts_open(SumParts *parts);
void cuda_parts_close(SumParts *parts);
Status cuda_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes);

void cuda_peers_destroy(CudaExec *cuda);
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
