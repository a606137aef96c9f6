/* Memory of a GPU that other ranks map. */
#pragma once
#include "gpu/exec/cuda_peers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `bytes` of zeros of its own, not part of a larger allocation. */
Status peer_arena_alloc(Exec *exec, size_t bytes, PeerArena *arena);
/* Collective: opens those of the ranks in rank[n] (NULL: of all). ERR_GPU on all where one cannot. */
Status peer_arena_open(Exec *exec, PeerArena *arena, const int32_t *rank, int n);
/* Accepts what is half made. */
void peer_arena_close(Exec *exec, PeerArena *arena);

#ifdef __cplusplus
}
#endif
