/* Halos on GPUs: each has memory of its own that the neighbours write into, or room on the host. */
#include "core/halo.h"
#include "core/comm.h"
#include "core/memory.h"
#include "gpu/exec/peer_arena.h"
#include "gpu/exec/peer_kernels.h"

#include <string.h>

/* PIECE_BYTES: rows of a neighbour that go in one exchange of the kernel; more of them, which set-ups alone have, go in
 * several, since words for all at once would take four times their bytes. */
enum { COUNT_BYTES = PEER_RESIDENT * 8, PIECE_BYTES = 16 << 20 };

/* Of a rank's arena: its turns, two halves of words. */
typedef struct CudaHalo {
  PeerArena arena;
  int32_t blocks;
  int64_t n_piece;       /* exchanges for all rows: the same on all ranks, since each counts them */
  PeerExchangeArgs args; /* all but v, sizes and rows */
  void *host;            /* by way of the host: rows to send, and behind them those that arrived */
  size_t host_bytes;
} CudaHalo;

/* Where a neighbour writes: in bytes from the begin of the arena. */
typedef struct HaloPlace {
  int64_t rows, half;
} HaloPlace;

/* Of a neighbour, in one exchange. */
static int64_t piece_rows(const Halo *halo) {
  const int64_t most = (int64_t)halo->most;
  return most < PIECE_BYTES ? PIECE_BYTES / most : 1;
}

/* Of n rows from the first-th on. */
static int64_t rows_left(const Halo *halo, int64_t n, int64_t first) {
  const int64_t left = n - first, piece = piece_rows(halo);
  return left < 0 ? 0 : left < piece ? left : piece;
}

/* Words of as many of so many rows as one exchange has, one at least. */
static int64_t words_of(const Halo *halo, int64_t rows) {
  return (rows_left(halo, rows, 0) * (int64_t)halo->most + 7) / 8 + 1;
}

/* Words before those of neighbour p in a half. */
static int64_t words_before(const Halo *halo, int32_t p) {
  int64_t n = 0;
  for (int32_t q = 0; q < p; ++q) n += words_of(halo, halo->recv_start[q + 1] - halo->recv_start[q]);
  return n;
}

static int64_t half_bytes(const Halo *halo) { return words_before(halo, halo->n_peer) * (int64_t)sizeof(PeerWord); }

static int64_t place_of(const Halo *halo, int32_t p) {
  return COUNT_BYTES + words_before(halo, p) * (int64_t)sizeof(PeerWord);
}

/* For each neighbour. */
static int32_t blocks_for(const Halo *halo) {
  const int64_t send = halo->send_start[halo->n_peer], rows = send > halo->n_halo ? send : halo->n_halo;
  const int64_t wanted = halo->n_peer ? rows_left(halo, rows / halo->n_peer, 0) * (int64_t)halo->most / PEER_PIECE : 1;
  const int64_t room = halo->n_peer ? PEER_RESIDENT / halo->n_peer : 1, most = room < PEER_BLOCKS ? room : PEER_BLOCKS;
  return wanted < 1 ? 1 : wanted < most ? (int32_t)wanted : (int32_t)most;
}

/* Each tells its neighbours where they write. */
static Status places_swap(const Halo *halo, HaloPlace *there) {
  HaloPlace *here = NULL;
  CommPeer *peer = NULL;
  Status status = OK;
  ALLOC_DONE(here, halo->n_peer, "places of a halo");
  ALLOC_DONE(peer, halo->n_peer, "places of a halo");
  for (int32_t p = 0; p < halo->n_peer; ++p) {
    here[p] = (HaloPlace){place_of(halo, p), half_bytes(halo)};
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
  a->count = (PeerCount *)(void *)base;
  a->state = ((CudaExec *)halo->exec)->peers->state;
  for (int32_t p = 0; p < halo->n_peer; ++p) {
    PeerRows *rows = &a->peer[p];
    rows->rank = halo->peer[p].rank;
    char *other = own->arena.of[rows->rank];
    for (int half = 0; half < 2; ++half) {
      rows->to[half] = (PeerWord *)(void *)(other + there[p].rows + half * there[p].half);
      rows->from[half] = (const PeerWord *)(void *)(base + place_of(halo, p) + half * half_bytes(halo));
    }
  }
}

/* Piece k: which rows, and where they go. */
static void args_piece(const Halo *halo, int64_t k, char *v, size_t bytes, PeerExchangeArgs *a) {
  const int64_t first = k * piece_rows(halo);
  for (int32_t p = 0; p < a->n_peer; ++p) {
    PeerRows *rows = &a->peer[p];
    rows->send_row = halo->send_row + halo->send_start[p] + first;
    rows->n_send = (int32_t)rows_left(halo, halo->send_start[p + 1] - halo->send_start[p], first);
    rows->n_recv = (int32_t)rows_left(halo, halo->recv_start[p + 1] - halo->recv_start[p], first);
    rows->halo = v + (halo->n_own + halo->recv_start[p] + first) * (int64_t)bytes;
  }
}

/* Exchanges that the largest of all neighbours' rows take. Collective. */
static Status cuda_pieces_count(const Halo *halo, int64_t *n_piece) {
  int64_t rows = 0;
  for (int32_t p = 0; p < halo->n_peer; ++p) {
    const int64_t recv = halo->recv_start[p + 1] - halo->recv_start[p];
    if (recv > rows) rows = recv;
  }
  double n = (double)((rows + piece_rows(halo) - 1) / piece_rows(halo));
  TRY(comm_most(halo->exec->comm, &n));
  *n_piece = n < 1 ? 1 : (int64_t)n;
  return OK;
}

static Status halo_prepare(Halo *halo, CudaHalo **out) {
  CudaHalo *own = NULL;
  ALLOC(own, 1, "a halo");
  *out = own;
  if (!cuda_peers_carry((const CudaExec *)halo->exec))
    return peer_arena_alloc(halo->exec, (size_t)(COUNT_BYTES + 2 * half_bytes(halo)), &own->arena);
  const int64_t send = halo->send_start[halo->n_peer];
  TRY(exec_alloc(halo->exec, send, halo->most, "rows for other ranks", (void **)&halo->room));
  if (((CudaExec *)halo->exec)->peers->nccl) return OK;
  own->host_bytes = (size_t)(send + halo->n_halo) * halo->most;
  return cuda_pinned_alloc(own->host_bytes, "rows for other ranks", &own->host);
}

static Status halo_connect(Halo *halo, CudaHalo *own, int32_t *rank, HaloPlace *there) {
  for (int32_t p = 0; p < halo->n_peer; ++p) rank[p] = halo->peer[p].rank;
  TRY(peer_arena_open(halo->exec, &own->arena, rank, halo->n_peer));
  TRY(places_swap(halo, there));
  TRY(cuda_pieces_count(halo, &own->n_piece));
  own->blocks = blocks_for(halo);
  args_fill(halo, there, own);
  return OK;
}

Status cuda_halo_open(Halo *halo) {
  CudaHalo *own = NULL;
  int32_t rank[SHARE_RANKS];
  HaloPlace there[SHARE_RANKS];
  const Status status = comm_agree(halo->exec->comm, halo_prepare(halo, &own));
  halo->device = own;
  if (status != OK || cuda_peers_carry((const CudaExec *)halo->exec)) return status;
  return halo_connect(halo, own, rank, there);
}

void cuda_halo_close(Halo *halo) {
  CudaHalo *own = halo->device;
  cudaStreamSynchronize(((CudaExec *)halo->exec)->stream);
  peer_arena_close(halo->exec, &own->arena);
  cuda_pinned_release(own->host_bytes, &own->host);
  FREE(own);
  halo->device = NULL;
}

Status cuda_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes, const int32_t *stop) {
  const CudaHalo *own = halo->device;
  if (!own) return OK;
  if (cuda_peers_carry((const CudaExec *)exec)) {
    int32_t stopped = 0;
    if (stop) TRY(exec->table->download(exec, &stopped, stop, sizeof stopped));
    return stopped ? OK : cuda_carry_rows(halo, own->host, v, bytes);
  }
  if (!halo->n_peer) return OK;
  PeerExchangeArgs a = own->args;
  a.v = v;
  a.stop = stop;
  a.unit = bytes % 8 == 0 && (uintptr_t)v % 8 == 0 ? 8 : bytes % 4 == 0 && (uintptr_t)v % 4 == 0 ? 4 : 1;
  a.units = (int32_t)bytes / a.unit;
  for (int64_t k = 0; k < own->n_piece; ++k) {
    args_piece(halo, k, v, bytes, &a);
    TRY(cuda_launch_any((CudaExec *)exec, &peer_exchange, &a, own->blocks, &((CudaExec *)exec)->scratch));
  }
  return OK;
}
