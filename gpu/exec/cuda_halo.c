/* Halos on GPUs: each has staging of its own that the neighbours write into. */
#include "core/halo.h"
#include "core/comm.h"
#include "core/memory.h"
#include "gpu/exec/peer_arena.h"
#include "gpu/exec/peer_kernels.h"

#include <string.h>

/* Rows of a block at least, in bytes; and where the flags of neighbour p lie, PEER_BLOCKS each. */
enum { PIECE_BYTES = 16 << 10, FLAG_BYTES = PEER_BLOCKS * 8 };

/* Of a rank's arena: its turns, flags of each neighbour, two halves of staging. */
typedef struct CudaHalo {
  PeerArena arena;
  int32_t blocks;
  PeerExchangeArgs args; /* all but v, halo and sizes */
} CudaHalo;

/* Where a neighbour writes: in bytes from the begin of the arena. */
typedef struct HaloPlace {
  int64_t flags, rows, half;
} HaloPlace;

static int64_t row_room(const Halo *halo) { return ((int64_t)halo->most + 15) / 16 * 16; }

static int64_t staging_at(const Halo *halo) { return (int64_t)(halo->n_peer + 1) * FLAG_BYTES; }

/* The same on all ranks. */
static Status blocks_agree(const Halo *halo, int32_t *out) {
  Comm *comm = halo->exec->comm;
  const int64_t send = halo->send_start[halo->n_peer], rows = send > halo->n_halo ? send : halo->n_halo;
  int64_t bytes = rows * (int64_t)halo->most, *all = NULL;
  ALLOC(all, comm->n_rank, "sizes of halos");
  const Status status = comm_gather(comm, &bytes, sizeof bytes, all);
  for (int r = 0; r < comm->n_rank && status == OK; ++r)
    if (all[r] > bytes) bytes = all[r];
  FREE(all);
  const int64_t blocks = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
  *out = blocks < 1 ? 1 : blocks > PEER_BLOCKS ? PEER_BLOCKS : (int32_t)blocks;
  return status;
}

/* Each tells its neighbours where they write. */
static Status places_swap(const Halo *halo, HaloPlace *there) {
  HaloPlace *here = NULL;
  CommPeer *peer = NULL;
  Status status = OK;
  ALLOC_DONE(here, halo->n_peer, "places of a halo");
  ALLOC_DONE(peer, halo->n_peer, "places of a halo");
  for (int32_t p = 0; p < halo->n_peer; ++p) {
    here[p] = (HaloPlace){(p + 1) * (int64_t)FLAG_BYTES, staging_at(halo) + halo->recv_start[p] * row_room(halo),
                          halo->n_halo * row_room(halo)};
    peer[p] = (CommPeer){halo->peer[p].rank, &here[p], &there[p], sizeof *here, sizeof *here};
  }
  status = comm_swap(halo->exec->comm, peer, halo->n_peer);
done:
  FREE(peer);
  FREE(here);
  return status;
}

static void args_fill(const Halo *halo, const HaloPlace *there, CudaHalo *own) {
  PeerExchangeArgs *a = &own->args;
  char *base = own->arena.own;
  a->n_peer = halo->n_peer;
  a->turn = (PeerCount *)(void *)base;
  a->state = ((CudaExec *)halo->exec)->peers->state;
  for (int32_t p = 0; p < halo->n_peer; ++p) {
    PeerRows *rows = &a->peer[p];
    rows->rank = halo->peer[p].rank;
    char *other = own->arena.of[rows->rank];
    rows->send_row = halo->send_row + halo->send_start[p];
    rows->n_send = halo->send_start[p + 1] - halo->send_start[p];
    rows->n_recv = halo->recv_start[p + 1] - halo->recv_start[p];
    rows->tell = (PeerCount *)(void *)(other + there[p].flags);
    rows->told = (const PeerCount *)(const void *)(base + (p + 1) * (int64_t)FLAG_BYTES);
    for (int half = 0; half < 2; ++half) {
      rows->to[half] = other + there[p].rows + half * there[p].half;
      rows->from[half] =
          base + staging_at(halo) + (half * (int64_t)halo->n_halo + halo->recv_start[p]) * row_room(halo);
    }
  }
}

static Status halo_prepare(Halo *halo, CudaHalo **out) {
  CudaHalo *own = NULL;
  ALLOC(own, 1, "a halo");
  *out = own;
  const int64_t bytes = staging_at(halo) + 2 * (int64_t)halo->n_halo * row_room(halo);
  return peer_arena_alloc(halo->exec, (size_t)bytes, &own->arena);
}

static Status halo_connect(Halo *halo, CudaHalo *own, int32_t *rank, HaloPlace *there) {
  for (int32_t p = 0; p < halo->n_peer; ++p) rank[p] = halo->peer[p].rank;
  TRY(peer_arena_open(halo->exec, &own->arena, rank, halo->n_peer));
  TRY(places_swap(halo, there));
  TRY(blocks_agree(halo, &own->blocks));
  args_fill(halo, there, own);
  return OK;
}

Status cuda_halo_open(Halo *halo) {
  CudaHalo *own = NULL;
  int32_t rank[SHARE_RANKS];
  HaloPlace there[SHARE_RANKS];
  const Status status = comm_agree(halo->exec->comm, halo_prepare(halo, &own));
  halo->device = own;
  return status == OK ? halo_connect(halo, own, rank, there) : status;
}

void cuda_halo_close(Halo *halo) {
  CudaHalo *own = halo->device;
  cudaStreamSynchronize(((CudaExec *)halo->exec)->stream);
  peer_arena_close(halo->exec, &own->arena);
  FREE(own);
  halo->device = NULL;
}

Status cuda_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes) {
  const CudaHalo *own = halo->device;
  if (!own || !halo->n_peer) return OK;
  PeerExchangeArgs a = own->args;
  a.v = v;
  a.unit = bytes % 8 == 0 && (uintptr_t)v % 8 == 0 ? 8 : bytes % 4 == 0 && (uintptr_t)v % 4 == 0 ? 4 : 1;
  a.units = (int32_t)bytes / a.unit;
  for (int32_t p = 0; p < a.n_peer; ++p)
    a.peer[p].halo = (char *)v + ((int64_t)halo->n_own + halo->recv_start[p]) * (int64_t)bytes;
  return cuda_launch_any((CudaExec *)exec, &peer_exchange, &a, own->blocks, &((CudaExec *)exec)->scratch);
}
