/* What ranks on GPUs have in common: words on the device by which kernels wait for each other where GPUs reach each
 * other's memory, and where the sums of all of them meet. */
#pragma once
#include "gpu/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long long PeerCount;

/* What goes to another rank: 16 bytes that are written and read at once, 8 of data and the number of the exchange that
 * they are of. Who needs them asks until that number is there: no fence, no flag, one way between the GPUs. */
typedef struct PeerWord {
  PeerCount data, turn;
} PeerWord;

/* SHARE_CELLS: blocks with sums over all parts of all ranks, about; those of 2 GPUs at once. Measured on two H200, us of
 * a sum over 0.5 M / 4 M / 16 M rows each with 384, 768, 1536: 7.0 / 13.6 / 73.8, 7.2 / 10.8 / 46.4, 9.3 / 14.1 / 47.7,
 * without parts and ranks 4.5 / 8.1 / 41.4. */
enum { SHARE_RANKS = 16, SHARE_PARTS = 1024, SHARE_CELLS = 768, SHARE_BOARD = SHARE_PARTS * ROW_SUMS /* one half */ };

/* Host memory that the device reads and writes while it waits. */
typedef struct PeerMirror {
  int32_t give_up;   /* of the host: nobody shall wait any longer */
  int32_t late_rank; /* of the device: who did not come in time, and one more; 0: nobody */
} PeerMirror;

/* How to wait, on the device. */
struct PeerState {
  PeerCount sums;     /* sums that have met so far */
  PeerCount patience; /* ns */
  PeerMirror *mirror;
  PeerCount polled; /* ns, when somebody looked at the mirror */
  int32_t failed;   /* a wait was given up: no other lasts */
};

/* On the device. Sum number `sums` goes to half `sums` % 2 of the boards: who writes the next but one has read this one
 * of all others, so they had read the one before. A rank without parts has one without rows behind the last, so that
 * the others hear of it too. */
struct SumShare {
  int32_t n_part, first, n_own; /* as in SumParts, with those parts */
  int32_t n_rank;               /* boards to write to */
  PeerWord *own;                /* this rank's board, one of those below */
  PeerWord *board[SHARE_RANKS]; /* those of all: [2][SHARE_BOARD], [SHARE_PARTS][ROW_SUMS] */
  int32_t owner[SHARE_PARTS];   /* of each part */
};

/* Blocks of one part of `most` rows or fewer, the same on all ranks. */
static inline int32_t share_cells(int64_t most, int32_t n_part) {
  const int64_t wanted = (most + LAUNCH_SUM_BLOCK - 1) / LAUNCH_SUM_BLOCK, room = SHARE_CELLS / (n_part ? n_part : 1);
  return wanted <= 1 || room <= 1 ? 1 : (int32_t)(wanted < room ? wanted : room);
}

#ifdef __cplusplus
}
#endif
