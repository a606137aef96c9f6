/* Halo: rows that a rank reads and another owns. A vector has the own rows first, then the halo rows by owner; an
 * exchange brings these up to date (exec_exchange). */
#pragma once
#include "core/comm.h"
#include "core/exec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who needs what, on the host. Rows are those of a numbering, such as nodes, not the scalars at them. */
typedef struct HaloLists {
  int32_t n_own, n_halo;
  int32_t n_peer;            /* symmetric: who lists a rank is listed by it; both lists may be empty */
  const int32_t *peer;       /* [n_peer], ascending */
  const int64_t *send_start; /* [n_peer + 1] into send_row */
  const int32_t *send_row;   /* own rows, as they lie in the peer's halo */
  const int64_t *recv_start; /* [n_peer + 1]: the rows of peer p are n_own + recv_start[p] and on; the last is n_halo */
} HaloLists;

struct Halo {
  Exec *exec;
  int32_t n_own, n_halo, n_peer;
  size_t most;         /* bytes a row for which there is room */
  int64_t *send_start; /* [n_peer + 1] */
  int64_t *recv_start; /* [n_peer + 1] */
  CommPeer *peer;      /* [n_peer]; sizes and places change with each exchange */
  int32_t *send_row;   /* [send_start[n_peer]] on the Exec */
  char *room;          /* [send_start[n_peer]][most] on the Exec; NULL where it packs by itself */
  void *device;        /* what the Exec keeps for it */
};

/* `lists` is borrowed during the call; rows are exchanged with 1 to `most` bytes each. Collective over the ranks of the
 * Exec; ERR_BUG on all of them where the lists of two ranks do not fit. */
Status halo_create(Exec *exec, const HaloLists *lists, size_t most, Halo **out);
/* Accepts NULL, sets NULL. */
void halo_destroy(Halo **halo);
/* Packs the rows that others need into the room, recorded or not. */
Status halo_pack(const Halo *halo, const void *v, size_t bytes);
/* Swaps with all peers: `packed` as halo_pack leaves it; `arrived` [n_halo][bytes]. Host memory. */
Status halo_swap(const Halo *halo, const void *packed, void *arrived, size_t bytes);

#ifdef __cplusplus
}
#endif
