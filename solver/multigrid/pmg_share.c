#include "solver/multigrid/pmg_share.h"
#include "core/memory.h"
#include "solver/precond/precond.h"

static const char *const WHAT = "nodes of lower order on several ranks";
/* Of a node: three unknowns in double, or the frame of one. */
enum { NODE_BYTES = 9 * sizeof(double) };

void pmg_share_release(Exec *exec, PmgShare *share) {
  graph_halo_release(exec, &share->ap);
  halo_destroy(&share->halo);
  sum_parts_destroy(&share->parts);
  FREE(share->stands);
  *share = (PmgShare){0};
}

/* The lists of a halo of this order, without the nodes that stand for none: those of the lower one. */
static Status lower_lists(const Halo *fine, const int32_t *number, int32_t *send, HaloLists *lists) {
  int64_t *send_start, *recv_start;
  int32_t *peer, *to = send + fine->send_start[fine->n_peer];
  Status status = mem_alloc(2 * ((int64_t)fine->n_peer + 1), sizeof *send_start, WHAT, (void **)&send_start);
  if (status != OK) return status;
  recv_start = send_start + fine->n_peer + 1;
  peer = to + fine->send_start[fine->n_peer];
  int64_t n = 0, from = 0;
  for (int32_t p = 0; p < fine->n_peer; ++p) {
    peer[p] = fine->peer[p].rank;
    for (int64_t k = fine->send_start[p]; k < fine->send_start[p + 1]; ++k)
      if (number[send[k]] >= 0) to[n++] = number[send[k]];
    for (int64_t k = fine->recv_start[p]; k < fine->recv_start[p + 1]; ++k) from += number[fine->n_own + k] >= 0;
    send_start[p + 1] = n, recv_start[p + 1] = from;
  }
  lists->n_peer = fine->n_peer, lists->peer = peer;
  lists->send_start = send_start, lists->send_row = to, lists->recv_start = recv_start;
  return OK;
}

static Status share_halo(Exec *exec, const Halo *fine, const int32_t *number, PmgShare *share) {
  const int64_t n_send = fine->send_start[fine->n_peer];
  HaloLists lists = {.n_own = share->n_own, .n_halo = share->n_read - share->n_own};
  int32_t *send = NULL; /* of this order, of the lower one, peers */
  Status status = OK;
  ALLOC_DONE(send, 2 * n_send + fine->n_peer, WHAT);
  TRY_DONE(exec_download(exec, send, fine->send_row, (size_t)n_send * sizeof *send));
  TRY_DONE(lower_lists(fine, number, send, &lists));
  status = halo_create(exec, &lists, NODE_BYTES, &share->halo);
done:
  mem_free((void **)(void *)&lists.send_start);
  FREE(send);
  return status;
}

/* Where the own ones lie in the whole. A rank may have none: meshes often have all corners first. */
static Status share_first(Comm *comm, PmgShare *share) {
  const int n = comm_size(comm);
  const int64_t mine = share->n_own;
  int64_t *all = NULL;
  ALLOC(all, n, WHAT);
  const Status status = comm_gather(comm, &mine, sizeof mine, all);
  for (int r = 0; r < n; ++r) {
    if (r < comm_rank(comm)) share->rows.first += (int32_t)all[r];
    share->rows.n_whole += (int32_t)all[r];
  }
  FREE(all);
  return status;
}

static Status share_list(const Precond *m, const int32_t *number, int64_t n_number, PmgShare *share) {
  const Pattern *fine = m->pattern;
  ALLOC(share->stands, (int64_t)fine->n + 1, WHAT);
  for (int32_t i = 0; i < fine->n; ++i) share->stands[i + 1] = share->stands[i] + (number[i] >= 0);
  share->n_own = share->n_read = share->stands[fine->n];
  for (int64_t i = fine->n; i < n_number; ++i) share->n_read += number[i] >= 0;
  if (!fine->share.n_whole) return OK;
  CHECK(fine->share.halo && n_number == pattern_columns(fine), ERR_BUG, "orders of %lld nodes where a rank has %d",
        (long long)n_number, pattern_columns(fine));
  for (int32_t i = 0; i < fine->share.n_low; ++i) share->order.n_low += number[fine->n + i] >= 0;
  share->order.n_own = share->n_own;
  TRY(share_first(m->exec->comm, share));
  TRY(share_halo(m->exec, fine->share.halo, number, share));
  share->rows.n_halo = share->n_read - share->n_own;
  share->rows.n_low = share->order.n_low;
  share->rows.halo = share->halo;
  return OK;
}

Status pmg_share_create(const Precond *m, const int32_t *number, int64_t n_number, PmgShare *out) {
  *out = (PmgShare){0};
  const Status status = share_list(m, number, n_number, out);
  if (status != OK) pmg_share_release(m->exec, out);
  return status;
}

Status pmg_share_parts(const Precond *m, PmgShare *share) {
  const SumParts *fine = m->exec->parts;
  int64_t *start = NULL;
  if (!fine || share->parts || fine->n_row * mat_block(m->a) != m->n) return OK;
  ALLOC(start, (int64_t)fine->n_own + 1, WHAT);
  for (int32_t p = 0; p <= fine->n_own; ++p) start[p] = share->stands[fine->start[p]];
  const Status status = sum_parts_create(m->exec, fine->n_own, start, &share->parts);
  FREE(start);
  return status;
}

Status pmg_share_bring(Exec *exec, const PmgShare *share, void *v, size_t bytes) {
  return share->halo ? exec_exchange(exec, share->halo, v, bytes) : OK;
}

Status pmg_share_places(Exec *exec, const PmgShare *share, int32_t **out) {
  Status status = OK;
  int32_t *number = NULL, *on_exec = NULL;
  ALLOC_DONE(*out, share->n_read, WHAT);
  ALLOC_DONE(number, share->n_read, WHAT);
  for (int32_t g = 0; g < share->n_own; ++g) number[g] = share->rows.first + g;
  TRY_DONE(exec_alloc_upload(exec, share->n_read, sizeof *number, number, WHAT, (void **)&on_exec));
  TRY_DONE(pmg_share_bring(exec, share, on_exec, sizeof *number));
  TRY_DONE(exec_download(exec, number, on_exec, (size_t)share->n_read * sizeof *number));
  for (int32_t g = 0; g < share->n_read; ++g) (*out)[halo_place(share->order, g)] = number[g];
done:
  EXEC_RELEASE(exec, on_exec, share->n_read);
  FREE(number);
  return status;
}
