/* The kernel by which ranks on GPUs that reach each other's memory exchange rows. */
#pragma once
#include "gpu/share.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PEER_PIECE: bytes of rows that a block has, where there are not more of them than PEER_BLOCKS for a neighbour and
 * PEER_RESIDENT for all: they wait for each other's, so all of them must be on the GPU at once. */
enum { PEER_BLOCK = 512, PEER_PIECE = 4096, PEER_BLOCKS = 64, PEER_RESIDENT = 256 };

/* One neighbour; its rows of `unit` bytes times `units` make words of 8 bytes, and no rows make one. */
typedef struct PeerRows {
  const int32_t *send_row; /* [n_send] */
  int32_t n_send, n_recv;
  PeerWord *to[2];         /* in its memory, where what this rank sends goes in turns of even and odd number */
  const PeerWord *from[2]; /* the same here */
  char *halo;              /* where its rows go in the vector */
  int32_t rank;
} PeerRows;

typedef struct PeerExchangeArgs {
  const char *v;
  int32_t n_peer, unit, units;
  PeerCount *count; /* [n_peer][blocks]: exchanges done, of each block the same */
  PeerState *state;
  const int32_t *stop; /* nothing where it is not 0, on all ranks alike; NULL: 0 */
  PeerRows peer[SHARE_RANKS];
} PeerExchangeArgs;
/* n is how many blocks take part for each neighbour. */
extern const CudaKernel peer_exchange;

#ifdef __cplusplus
}
#endif
