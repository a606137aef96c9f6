/* What all kinds of Comm share: everything made of a gather and a swap, one rank alone, and agreement. */
#include "core/comm.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static void alone_destroy(Comm *comm) { FREE(comm); }

static Status alone_barrier(Comm *comm) {
  (void)comm;
  return OK;
}

static Status alone_gather(Comm *comm, const void *in, int64_t bytes, void *out) {
  (void)comm;
  if (bytes) memmove(out, in, (size_t)bytes);
  return OK;
}

static Status alone_swap(Comm *comm, const CommPeer *peer, int n_peer) {
  (void)comm, (void)peer, (void)n_peer;
  return OK;
}

static void alone_fail(Comm *comm, Status status) { (void)comm, (void)status; }

static bool alone_heard(Comm *comm) {
  (void)comm;
  return true;
}

static const CommTable ALONE = {"alone",    alone_destroy, alone_barrier, alone_gather,
                                alone_swap, alone_fail,    alone_barrier, alone_heard};

Status comm_create_alone(Comm **out) {
  *out = NULL;
  Comm *comm = NULL;
  ALLOC(comm, 1, "the only rank");
  *comm = (Comm){.table = &ALONE, .n_rank = 1, .n_local = 1};
  *out = comm;
  return OK;
}

/* A launcher says in the environment how many it started: to ask it costs nothing, starting MPI alone half a second. */
static bool launcher_there(void) {
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const char *value = getenv(sizes[i]);
    if (value && strtol(value, NULL, 10) > 1) return true;
  }
  const char *tasks = getenv("SLURM_STEP_NUM_TASKS"); /* of srun; a batch script has none */
  return tasks && strtol(tasks, NULL, 10) > 1 && (getenv("PMIX_RANK") || getenv("PMI_RANK"));
}

Status comm_create(Comm **out) { return launcher_there() ? comm_create_mpi(out) : comm_create_alone(out); }

void comm_destroy(Comm **comm) {
  if (*comm) (*comm)->table->destroy(*comm);
  *comm = NULL;
}

Status comm_barrier(Comm *comm) { return comm ? comm->table->barrier(comm) : OK; }

Status comm_gather(Comm *comm, const void *in, int64_t bytes, void *out) {
  return comm ? comm->table->gather(comm, in, bytes, out) : alone_gather(comm, in, bytes, out);
}

static void piece_move(void *to, int64_t at, const void *from, int64_t first, int64_t bytes) {
  if (bytes) memmove((char *)to + at, (const char *)from + first, (size_t)bytes);
}

Status comm_swap(Comm *comm, const CommPeer *peer, int n_peer) {
  for (int p = 0; p < n_peer; ++p)
    CHECK(peer[p].rank >= 0 && peer[p].rank < comm_size(comm) && peer[p].rank != comm_rank(comm), ERR_BUG,
          "rank %d of %d swaps with rank %d", comm_rank(comm), comm_size(comm), peer[p].rank);
  return comm ? comm->table->swap(comm, peer, n_peer) : OK;
}

Status comm_exchange(Comm *comm, const void *send, const int64_t *send_start, void *recv, const int64_t *recv_start) {
  const int me = comm_rank(comm), n = comm_size(comm);
  const int64_t own = send_start[me + 1] - send_start[me];
  CHECK(own == recv_start[me + 1] - recv_start[me], ERR_BUG, "rank %d sends itself another size than it expects", me);
  piece_move(recv, recv_start[me], send, send_start[me], own);
  if (n == 1) return OK;
  CommPeer *peer = NULL;
  COMM_ROOM(comm, peer, n, "the ranks of an exchange");
  for (int k = 1; k < n; ++k) { /* each begins with another one */
    const int r = (me + k) % n;
    peer[k - 1] = (CommPeer){r, (const char *)send + send_start[r], (char *)recv + recv_start[r],
                             send_start[r + 1] - send_start[r], recv_start[r + 1] - recv_start[r]};
  }
  const Status status = comm_swap(comm, peer, n - 1);
  FREE(peer);
  return status;
}

Status comm_gather_parts(Comm *comm, const void *in, const int64_t *start, void *out) {
  const int me = comm_rank(comm), n = comm_size(comm);
  const int64_t own = start[me + 1] - start[me];
  piece_move(out, start[me], in, 0, own);
  if (n == 1) return OK;
  CommPeer *peer = NULL;
  COMM_ROOM(comm, peer, n, "the ranks of an exchange");
  for (int k = 1; k < n; ++k) {
    const int r = (me + k) % n;
    peer[k - 1] = (CommPeer){r, in, (char *)out + start[r], own, start[r + 1] - start[r]};
  }
  const Status status = comm_swap(comm, peer, n - 1);
  FREE(peer);
  return status;
}

Status comm_broadcast(Comm *comm, int root, void *data, int64_t bytes) {
  const int me = comm_rank(comm), n = comm_size(comm);
  CHECK(root >= 0 && root < n, ERR_BUG, "rank %d of %d is asked to send to all", root, n);
  if (n == 1) return OK;
  if (me != root) return comm_swap(comm, &(CommPeer){root, NULL, data, 0, bytes}, 1);
  CommPeer *peer = NULL;
  COMM_ROOM(comm, peer, n, "the ranks of a broadcast");
  for (int k = 1; k < n; ++k) peer[k - 1] = (CommPeer){(me + k) % n, data, NULL, bytes, 0};
  const Status status = comm_swap(comm, peer, n - 1);
  FREE(peer);
  return status;
}

Status comm_counts(Comm *comm, const int64_t *send, int64_t *recv) {
  const int n = comm_size(comm);
  int64_t *start = NULL;
  COMM_ROOM(comm, start, n + 1, "counts for each rank");
  for (int r = 0; r <= n; ++r) start[r] = r * (int64_t)sizeof *send;
  const Status status = comm_exchange(comm, send, start, recv, start);
  FREE(start);
  return status;
}

Status comm_failed(Status status, const char *message, int rank, int n_rank) {
  status_clear();
  status_context(status, "%s", message);
  return status_context(status, "on rank %d of %d", rank, n_rank);
}

static Status numbers_fold(Comm *comm, bool add, double *value) {
  const int n = comm_size(comm);
  if (n == 1) return OK;
  double *all = NULL, own = *value;
  COMM_ROOM(comm, all, n, "numbers of all ranks");
  const Status status = comm_gather(comm, &own, sizeof own, all);
  *value = status == OK && add ? 0 : own;
  for (int r = 0; r < n && status == OK; ++r)
    if (add) *value += all[r];
    else if (all[r] > *value) *value = all[r];
  FREE(all);
  return status;
}

Status comm_most(Comm *comm, double *value) { return numbers_fold(comm, false, value); }

Status comm_total(Comm *comm, double *value) { return numbers_fold(comm, true, value); }

static int status_rank(int32_t status) { return status == ERR_STOPPED ? 1 : status ? status + 1 : 0; }

Status comm_agree(Comm *comm, Status mine) {
  const int n = comm_size(comm);
  if (n == 1) return mine;
  int32_t *all = NULL, own = mine;
  int worst = 0;
  bool same = true;
  COMM_ROOM(comm, all, n, "the states of all ranks");
  Status status = comm_gather(comm, &own, sizeof own, all);
  for (int r = 1; r < n && status == OK; ++r) {
    same = same && all[r] == all[0];
    if (status_rank(all[r]) > status_rank(all[worst])) worst = r;
  }
  const Status agreed = (Status)all[worst];
  FREE(all);
  if (status != OK || agreed == OK) return status;
  char *text = NULL;
  COMM_ROOM(comm, text, COMM_MESSAGE, "the message of a rank");
  if (worst == comm->rank) strncpy(text, status_message(), COMM_MESSAGE - 1);
  status = comm_broadcast(comm, worst, text, COMM_MESSAGE);
  if (status == OK) {
    status = comm_failed(agreed, text, worst, n);
    if (same) { /* what all of them saw is not one's own */
      status_clear();
      status_context(agreed, "%s", text);
    }
  }
  FREE(text);
  return status;
}

void comm_fail(Comm *comm, Status mine) {
  if (comm && mine != OK) comm->table->fail(comm, mine);
}

Status comm_check(Comm *comm) { return comm ? comm->table->check(comm) : OK; }

bool comm_heard(Comm *comm) { return !comm || comm->table->heard(comm); }
