/* See collect.h. */
#include "core/collect.h"
#include "core/memory.h"

#include <string.h>

static const char *const WHAT = "an array of all ranks on its way";

Status rank_run_find(Comm *comm, int64_t n, RankRun *out) {
  const int n_rank = comm_size(comm), rank = comm_rank(comm);
  int64_t *all = NULL;
  *out = (RankRun){0, n, n};
  if (n_rank == 1) return OK;
  ALLOC(all, n_rank, WHAT);
  const Status status = comm_gather(comm, &n, sizeof n, all);
  out->all = 0;
  for (int r = 0; r < n_rank; ++r) {
    out->first += r < rank ? all[r] : 0;
    out->all += all[r];
  }
  FREE(all);
  return status;
}

Status rank_collect(Comm *comm, const RankRun *run, size_t bytes, const void *own, void *host) {
  const int n = comm_size(comm), rank = comm_rank(comm);
  const int64_t mine = run->n * (int64_t)bytes;
  int64_t *size = NULL;
  if (n == 1) {
    if (mine) memcpy(host, own, (size_t)mine);
    return OK;
  }
  ALLOC(size, 3 * (int64_t)n + 2, WHAT);
  int64_t *send = size + n, *recv = send + n + 1;
  Status status = comm_gather(comm, &mine, sizeof mine, size);
  for (int r = 0; r < n; ++r) {
    send[r + 1] = mine; /* all to rank 0 */
    recv[r + 1] = recv[r] + (rank == 0 ? size[r] : 0);
  }
  if (status == OK) status = comm_exchange(comm, own, send, host, recv);
  FREE(size);
  return status;
}

Status exec_collect(Exec *exec, const RankRun *run, size_t bytes, const void *items, void *host) {
  char *own = NULL;
  const size_t size = (size_t)run->n * bytes;
  if (comm_size(exec->comm) == 1) return size ? exec_download(exec, host, items, size) : OK;
  ALLOC(own, size, WHAT);
  Status status = size ? exec_download(exec, own, items, size) : OK;
  if (status == OK) status = rank_collect(exec->comm, run, bytes, own, host);
  FREE(own);
  return status;
}

Status exec_deal(Exec *exec, const RankRun *run, size_t bytes, const void *host, void *items) {
  const size_t size = (size_t)run->n * bytes;
  return size ? exec_upload(exec, items, (const char *)host + (size_t)run->first * bytes, size) : OK;
}
