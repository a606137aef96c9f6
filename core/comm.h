/* Comm: the ranks of a run, which all go through the same program, and bytes between their hosts. One rank alone, ranks
 * as threads of one process (core/comm_threads.c, for tests), or processes that a launcher started (core/comm_mpi.c, the
 * only file that knows MPI).
 *
 * Every function that moves bytes is collective: all ranks call the same ones in the same order. A rank that fails
 * alone either comes to comm_agree, or says comm_fail: whoever waits for it, now or later, then comes back with its
 * status and message. So nobody waits for ever for a rank that gave up; one that was killed is the launcher's to notice.
 * Sizes are bytes. A Comm of NULL is a rank alone. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Comm Comm;

/* What goes to another rank and comes from it at once. */
typedef struct CommPeer {
  int rank;
  const void *send;
  void *recv;
  int64_t send_bytes, recv_bytes;
} CommPeer;

typedef struct CommTable {
  const char *name; /* "alone", "threads", "mpi" */
  void (*destroy)(Comm *comm);
  Status (*barrier)(Comm *comm);
  Status (*gather)(Comm *comm, const void *in, int64_t bytes, void *out);
  Status (*swap)(Comm *comm, const CommPeer *peer, int n_peer); /* other ranks only */
  void (*fail)(Comm *comm, Status status);
  Status (*check)(Comm *comm);
  bool (*heard)(Comm *comm);
} CommTable;

/* Implementations embed this first. */
struct Comm {
  const CommTable *table;
  int rank, n_rank;
  int local_rank, n_local; /* among the ranks of this host */
  double waited;           /* seconds, for other ranks; where a GPU waits it is not counted */
  int64_t sent;            /* bytes, to other ranks; what GPUs send each other is not counted */
};

/* Alone, or the ranks of the launcher (mpirun, srun) that started this program. ERR_USAGE when one did and this program
 * was built without MPI. */
Status comm_create(Comm **out);
Status comm_create_alone(Comm **out);
/* Accepts NULL, sets NULL. Collective, but for a rank that saw a failure: it waits for the others a few seconds only and
 * then ends them. */
void comm_destroy(Comm **comm);
/* n ranks as threads: fn on each with its own Comm. The status and the message of the first that failed. */
Status comm_threads_run(int n_rank, Status (*fn)(Comm *comm, void *context), void *context);

static inline int comm_rank(const Comm *comm) { return comm ? comm->rank : 0; }
static inline int comm_size(const Comm *comm) { return comm ? comm->n_rank : 1; }

Status comm_barrier(Comm *comm);
/* The same size from each to all: out [n_rank][bytes]. */
Status comm_gather(Comm *comm, const void *in, int64_t bytes, void *out);
/* From rank r start[r + 1] - start[r] bytes, to all: out [start[n_rank]]; start [n_rank + 1] is the same everywhere. */
Status comm_gather_parts(Comm *comm, const void *in, const int64_t *start, void *out);
/* The largest of all ranks' numbers. */
Status comm_most(Comm *comm, double *value);
/* Their sum, in the order of the ranks. */
Status comm_total(Comm *comm, double *value);
Status comm_broadcast(Comm *comm, int root, void *data, int64_t bytes);
/* Bytes [send_start[r], send_start[r + 1]) of send go to rank r, whose own come to the same place of recv; both starts
 * [n_rank + 1] fit those of the others (comm_counts). */
Status comm_exchange(Comm *comm, const void *send, const int64_t *send_start, void *recv, const int64_t *recv_start);
/* One number for each rank from each: recv[r] is what rank r has in send[this rank]. */
Status comm_counts(Comm *comm, const int64_t *send, int64_t *recv);
/* With some other ranks only, each once: who lists one is listed by it, sizes (0 is allowed) fit. */
Status comm_swap(Comm *comm, const CommPeer *peer, int n_peer);
/* The worst status of all ranks, its message with it, on every rank: the highest code, but for ERR_STOPPED, which any
 * other goes before; of equal ones that of the lowest rank. */
Status comm_agree(Comm *comm, Status mine);
/* This rank gives up, with the message that it has. It must take part in nothing but comm_destroy afterwards. */
void comm_fail(Comm *comm, Status mine);
/* Waits a few seconds for the others to hear of a failure. False: one did not, which works and asks nobody, and this
 * rank is the one that failed: comm_destroy ends them all, so that its message has to be said here. */
bool comm_heard(Comm *comm);

/* Whether another rank has given up, without waiting; not collective. For who waits for something else, a GPU. */
Status comm_check(Comm *comm);

/* For implementations: the message of a failure elsewhere, and whose it is, becomes this thread's. */
enum { COMM_MESSAGE = 16384 };
Status comm_failed(Status status, const char *message, int rank, int n_rank);
/* Room inside of a function in which others wait for this rank: where there is none they hear of it at once, since what
 * this rank asks next need not be what they are in. */
#define COMM_ROOM(comm, pointer, n, what)                                                                              \
  do {                                                                                                                 \
    const Status room_ = mem_alloc((n), sizeof *(pointer), (what), (void **)&(pointer));                               \
    comm_fail((comm), room_);                                                                                          \
    TRY(room_);                                                                                                        \
  } while (0)
/* core/comm_mpi.c; without MPI core/comm_mpi_none.c. */
Status comm_create_mpi(Comm **out);

#ifdef __cplusplus
}
#endif
