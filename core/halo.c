/* Halos: lists that fit on both sides, rows packed where they lie. */
#include "core/halo.h"
#include "core/halo_rows.h"
#include "core/memory.h"
#include "core/vec.h"

#include <string.h>

static Status lists_check(const HaloLists *l) {
  CHECK(l->send_start[0] == 0 && l->recv_start[0] == 0 && l->recv_start[l->n_peer] == l->n_halo, ERR_BUG,
        "the lists of a halo of %d rows do not cover it", l->n_halo);
  for (int32_t p = 0; p < l->n_peer; ++p)
    CHECK(l->send_start[p] <= l->send_start[p + 1] && l->recv_start[p] <= l->recv_start[p + 1] &&
              (p == 0 || l->peer[p - 1] < l->peer[p]),
          ERR_BUG, "the lists of a halo are not in order at peer %d", p);
  for (int64_t k = 0; k < l->send_start[l->n_peer]; ++k)
    CHECK(l->send_row[k] >= 0 && l->send_row[k] < l->n_own, ERR_BUG, "a halo sends row %d of %d", l->send_row[k],
          l->n_own);
  return OK;
}

/* count[0][r]: rows for rank r, -1 where it is no peer; count[1][r]: what rank r has there for this one. */
static Status counts_fit(Comm *comm, const HaloLists *l, int64_t *count) {
  const int n = comm_size(comm);
  for (int r = 0; r < n; ++r) count[r] = -1;
  for (int32_t p = 0; p < l->n_peer; ++p) {
    CHECK(l->peer[p] >= 0 && l->peer[p] < n && l->peer[p] != comm_rank(comm), ERR_BUG,
          "rank %d has rank %d of %d in its halo", comm_rank(comm), l->peer[p], n);
    count[l->peer[p]] = l->send_start[p + 1] - l->send_start[p];
  }
  TRY(comm_counts(comm, count, count + n));
  int64_t *given = count + n;
  for (int32_t p = 0; p < l->n_peer; ++p) {
    const int64_t wanted = l->recv_start[p + 1] - l->recv_start[p], got = given[l->peer[p]];
    CHECK(got >= 0, ERR_BUG, "rank %d has rank %d in its halo, but not the other way round", comm_rank(comm),
          l->peer[p]);
    CHECK(got == wanted, ERR_BUG, "rank %d has %lld rows for the halo of rank %d, which has room for %lld", l->peer[p],
          (long long)got, comm_rank(comm), (long long)wanted);
    given[l->peer[p]] = -1;
  }
  for (int r = 0; r < n; ++r)
    CHECK(r == comm_rank(comm) || given[r] < 0, ERR_BUG, "rank %d has rank %d in its halo, but not the other way round",
          r, comm_rank(comm));
  return OK;
}

static Status lists_fit(Comm *comm, const HaloLists *lists) {
  int64_t *count = NULL;
  ALLOC(count, 2 * comm_size(comm), "rows for each rank");
  const Status status = counts_fit(comm, lists, count);
  FREE(count);
  return comm_agree(comm, status);
}

static Status halo_fill(Halo *halo, const HaloLists *lists) {
  const int32_t n = lists->n_peer;
  const int64_t n_send = lists->send_start[n];
  ALLOC(halo->send_start, n + 1, "a halo");
  ALLOC(halo->recv_start, n + 1, "a halo");
  ALLOC(halo->peer, n, "a halo");
  memcpy(halo->send_start, lists->send_start, (size_t)(n + 1) * sizeof *halo->send_start);
  memcpy(halo->recv_start, lists->recv_start, (size_t)(n + 1) * sizeof *halo->recv_start);
  for (int32_t p = 0; p < n; ++p) halo->peer[p].rank = lists->peer[p];
  TRY(exec_alloc_upload(halo->exec, n_send, sizeof *halo->send_row, lists->send_row, "a halo",
                        (void **)&halo->send_row));
  if (halo->exec->table->halo_open) return OK; /* it has its own way */
  return exec_alloc(halo->exec, n_send, halo->most, "rows for other ranks", (void **)&halo->room);
}

Status halo_create(Exec *exec, const HaloLists *lists, size_t most, Halo **out) {
  *out = NULL;
  Halo *halo = NULL;
  TRY(comm_agree(exec->comm, lists_check(lists)));
  TRY(lists_fit(exec->comm, lists));
  Status status = mem_alloc(1, sizeof *halo, "a halo", (void **)&halo);
  if (status == OK) {
    *halo = (Halo){.exec = exec, .n_own = lists->n_own, .n_halo = lists->n_halo, .n_peer = lists->n_peer, .most = most};
    status = halo_fill(halo, lists);
  }
  status = comm_agree(exec->comm, status);
  if (status == OK && exec->comm && exec->table->halo_open)
    status = comm_agree(exec->comm, exec->table->halo_open(halo));
  if (status != OK) halo_destroy(&halo);
  *out = halo;
  return status;
}

void halo_destroy(Halo **halo) {
  Halo *h = *halo;
  if (!h) return;
  const int64_t n_send = h->send_start ? h->send_start[h->n_peer] : 0;
  if (h->device) h->exec->table->halo_close(h);
  exec_release(h->exec, n_send, h->most, (void **)&h->room);
  EXEC_RELEASE(h->exec, h->send_row, n_send);
  FREE(h->peer);
  FREE(h->recv_start);
  FREE(h->send_start);
  FREE(*halo);
}

Status halo_pack(const Halo *halo, const void *v, size_t bytes) {
  const HaloPackArgs args = {halo->send_row, v, halo->room, (int64_t)bytes};
  return exec_rows(halo->exec, &halo_pack_kernel, &args, halo->send_start[halo->n_peer]);
}

Status halo_swap(const Halo *halo, const void *packed, void *arrived, size_t bytes) {
  const int64_t size = (int64_t)bytes;
  for (int32_t p = 0; p < halo->n_peer; ++p) {
    CommPeer *peer = &halo->peer[p];
    peer->send = (const char *)packed + halo->send_start[p] * size;
    peer->recv = (char *)arrived + halo->recv_start[p] * size;
    peer->send_bytes = (halo->send_start[p + 1] - halo->send_start[p]) * size;
    peer->recv_bytes = (halo->recv_start[p + 1] - halo->recv_start[p]) * size;
  }
  return comm_swap(halo->exec->comm, halo->peer, halo->n_peer);
}

Status exec_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes) {
  return exec_exchange_unless(exec, halo, v, bytes, NULL);
}

Status exec_exchange_unless(Exec *exec, const Halo *halo, void *v, size_t bytes, const int32_t *stop) {
  CHECK(bytes >= 1 && bytes <= halo->most, ERR_BUG, "a halo with room for %zu bytes a row is asked to exchange %zu",
        halo->most, bytes);
  return exec->table->exchange(exec, halo, v, bytes, stop);
}
