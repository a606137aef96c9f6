/* The kernel by which ranks on GPUs that reach each other's memory exchange rows. */
#pragma once
#include "gpu/share.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_BLOCKS = 64, PEER_BLOCK = 512 };

/* One neighbour, rows of `unit` bytes times `units`. */
typedef struct PeerRows {
  const int32_t *send_row; /* [n_send] */
  int64_t n_send, n_recv;
  char *to[2];           /* in its memory, where its halo rows of this rank go in turns of even and odd number */
  const char *from[2];   /* the same here */
  char *halo;            /* where they go in the vector */
  PeerCount *tell;       /* [blocks] in its memory */
  const PeerCount *told; /* [blocks] here */
  int32_t rank;
} PeerRows;

/* Block b of a rank and block b of its neighbours wait for each other; others do not. */
typedef struct PeerExchangeArgs {
  const char *v;
  int32_t n_peer, unit, units;
  PeerCount *turn; /* [blocks]: exchanges done */
  PeerState *state;
  PeerRows peer[SHARE_RANKS];
} PeerExchangeArgs;
/* n is how many blocks take part, the same on all ranks, PEER_BLOCKS at most. */
extern const CudaKernel peer_exchange;

#ifdef __cplusplus
}
#endif
