/* What ranks on GPUs that reach each other's memory have in common: words on the device by which kernels wait for each
 * other, and where the sums of all of them meet. */
#pragma once
#include "gpu/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long long PeerCount;

/* SHARE_CELLS: blocks with sums over all parts of all ranks, about; those of 4 GPUs at once. */
enum { SHARE_RANKS = 16, SHARE_PARTS = 1024, SHARE_CELLS = 1536 };

/* Host memory that the device reads and writes while it waits. */
typedef struct PeerMirror {
  int32_t give_up;   /* of the host: nobody shall wait any longer */
  int32_t late_rank; /* of the device: who did not come in time, and one more; 0: nobody */
} PeerMirror;

/* How to wait, on the device. */
typedef struct PeerState {
  PeerCount sums;     /* sums that have met so far */
  PeerCount patience; /* ns */
  PeerMirror *mirror;
  int32_t failed; /* a wait was given up: no other begins */
} PeerState;

/* On the device. Sum number `sums` goes to half `sums` % 2 of the boards: who writes the next but one has read this one
 * of all others, so they had read the one before. */
struct SumShare {
  int32_t n_part, first, n_own; /* as in SumParts */
  int32_t n_rank, rank;
  int64_t n_row;
  const int64_t *start; /* [n_own + 1] */
  PeerState *state;
  double *board[SHARE_RANKS];   /* of each rank: [2][SHARE_PARTS][ROW_SUMS] */
  PeerCount *flag[SHARE_RANKS]; /* of each rank, [n_rank]: the last sum that a rank has written there */
};

/* Blocks of one part of `most` rows or fewer, the same on all ranks. */
static inline int32_t share_cells(int64_t most, int32_t n_part) {
  const int64_t wanted = (most + LAUNCH_SUM_BLOCK - 1) / LAUNCH_SUM_BLOCK, room = SHARE_CELLS / (n_part ? n_part : 1);
  return wanted <= 1 || room <= 1 ? 1 : (int32_t)(wanted < room ? wanted : room);
}

#ifdef __cplusplus
}
#endif
