/* Ranks as processes that a launcher started: MPI, which nothing but this file knows. Nothing here waits inside MPI:
 * operations are begun and asked for, so that a failure elsewhere, which comes as a message of its own, ends the waiting,
 * and so that waiting ranks leave their core to others when there are more ranks than cores. */
#include "core/clock.h"
#include "core/comm.h"
#include "core/memory.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* PIECE: counts of MPI are 32 bits. SMALL: gathered by MPI itself. BUSY: asks before the core is left to others, CROWDED where
 * a host has more ranks than cores.
 * NAP: nanoseconds by which each sleep is longer than the last, up to LONGEST. */
enum {
  PIECE = 1 << 30,
  SMALL = 1 << 14,
  BUSY = 2000,
  CROWDED = 16,
  NAP = 50,
  LONGEST = 200000,
  TAG_SWAP = 1,
  TAG_FAILURE = 2
};
/* Seconds for which a rank with a failure waits for the others; the environment variable SINEW_RANKS_PATIENCE gives
 * another number, for tests on busy machines. */
static const double PATIENCE = 3;

typedef struct Failure {
  int32_t status, rank;
  char message[COMM_MESSAGE];
} Failure;

typedef struct MpiComm {
  Comm base;
  MPI_Comm work, failures; /* failures travel beside the work */
  MPI_Request *request;    /* [capacity] */
  int capacity, busy;
  Failure failure;  /* OK: none */
  bool left, heard; /* mpi_heard was asked, and its answer */
} MpiComm;

static Status mpi_check(int code, const char *what) {
  return code == MPI_SUCCESS ? OK : FAIL(ERR_IO, "%s between the ranks failed: MPI's error %d", what, code);
}
#define MPI_TRY(call, what) TRY(mpi_check((call), (what)))

static Status mpi_failed(const MpiComm *mpi) {
  return comm_failed((Status)mpi->failure.status, mpi->failure.message, mpi->failure.rank, mpi->base.n_rank);
}

/* Whether another rank has said that it failed; the first one counts. */
static bool failure_came(MpiComm *mpi) {
  static Failure other;
  int there = 0;
  MPI_Status from;
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_FAILURE, mpi->failures, &there, &from) != MPI_SUCCESS || !there) return false;
  MPI_Recv(&other, sizeof other, MPI_BYTE, from.MPI_SOURCE, TAG_FAILURE, mpi->failures, MPI_STATUS_IGNORE);
  if (mpi->failure.status == OK) mpi->failure = other;
  return true;
}

/* Backs off by sleeping, longer each time. sched_yield would lose a whole time slice on a busy machine; a process that wakes up
 * runs next. */
static void core_leave(int64_t late) {
  const int64_t nap = late * NAP;
  if (nap > 0) nanosleep(&(struct timespec){0, nap < LONGEST ? nap : LONGEST}, NULL);
}

static Status requests_wait(MpiComm *mpi, int n) {
  double begin = 0;
  for (int64_t asked = 0;; ++asked) {
    int done = 0;
    MPI_TRY(MPI_Testall(n, mpi->request, &done, MPI_STATUSES_IGNORE), "waiting");
    if (done && asked) mpi->base.waited += clock_seconds() - begin;
    if (done) return OK;
    if (asked == 0) begin = clock_seconds();
    if (asked % 64 == 63 && failure_came(mpi)) return mpi_failed(mpi);
    core_leave(asked - mpi->busy);
  }
}

static Status request_room(MpiComm *mpi, int64_t n) {
  if (mpi->failure.status != OK) return mpi_failed(mpi);
  if (n <= mpi->capacity) return OK;
  const Status status = mem_resize(n, sizeof *mpi->request, "messages between ranks", (void **)&mpi->request);
  if (status == OK) mpi->capacity = (int)n;
  comm_fail(&mpi->base, status);
  return status;
}

static Status mpi_barrier(Comm *comm) {
  MpiComm *mpi = (MpiComm *)comm;
  TRY(request_room(mpi, 1));
  MPI_TRY(MPI_Ibarrier(mpi->work, mpi->request), "a barrier");
  return requests_wait(mpi, 1);
}

static int64_t pieces_of(int64_t bytes) { return (bytes + PIECE - 1) / PIECE; }

static int piece_length(int64_t bytes, int64_t at) { return (int)(bytes - at < PIECE ? bytes - at : PIECE); }

static Status mpi_swap(Comm *comm, const CommPeer *peer, int n_peer) {
  MpiComm *mpi = (MpiComm *)comm;
  int64_t most = 1;
  for (int p = 0; p < n_peer; ++p) most += pieces_of(peer[p].send_bytes) + pieces_of(peer[p].recv_bytes);
  TRY(request_room(mpi, most));
  int n = 0;
  for (int p = 0; p < n_peer; ++p)
    for (int64_t at = 0; at < peer[p].recv_bytes; at += PIECE)
      MPI_TRY(MPI_Irecv((char *)peer[p].recv + at, piece_length(peer[p].recv_bytes, at), MPI_BYTE, peer[p].rank,
                        TAG_SWAP, mpi->work, &mpi->request[n++]),
              "receiving");
  for (int p = 0; p < n_peer; ++p)
    for (int64_t at = 0; at < peer[p].send_bytes; at += PIECE)
      MPI_TRY(MPI_Isend((const char *)peer[p].send + at, piece_length(peer[p].send_bytes, at), MPI_BYTE, peer[p].rank,
                        TAG_SWAP, mpi->work, &mpi->request[n++]),
              "sending");
  for (int p = 0; p < n_peer; ++p) comm->sent += peer[p].send_bytes;
  return requests_wait(mpi, n);
}

static Status mpi_gather(Comm *comm, const void *in, int64_t bytes, void *out) {
  MpiComm *mpi = (MpiComm *)comm;
  const int n = comm->n_rank;
  if (bytes > SMALL) {
    int64_t *start = NULL;
    COMM_ROOM(comm, start, n + 1, "sizes for each rank");
    for (int r = 0; r <= n; ++r) start[r] = r * bytes;
    const Status status = comm_gather_parts(comm, in, start, out);
    FREE(start);
    return status;
  }
  TRY(request_room(mpi, 1));
  comm->sent += bytes * (n - 1);
  MPI_TRY(MPI_Iallgather(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, mpi->work, mpi->request), "gathering");
  return requests_wait(mpi, 1);
}

/* To all others, who find it while they wait. */
static void mpi_fail(Comm *comm, Status status) {
  MpiComm *mpi = (MpiComm *)comm;
  if (mpi->failure.status != OK) return; /* that of another rank, or told already */
  mpi->failure.status = status;
  mpi->failure.rank = comm->rank;
  snprintf(mpi->failure.message, sizeof mpi->failure.message, "%s", status_message());
  for (int r = 0; r < comm->n_rank; ++r) {
    MPI_Request request; /* nobody waits for it: what it sends stays as long as the Comm */
    if (r == comm->rank) continue;
    if (MPI_Isend(&mpi->failure, sizeof mpi->failure, MPI_BYTE, r, TAG_FAILURE, mpi->failures, &request) == MPI_SUCCESS)
      MPI_Request_free(&request);
  }
}

static Status mpi_poll(Comm *comm) {
  MpiComm *mpi = (MpiComm *)comm;
  return mpi->failure.status != OK || failure_came(mpi) ? mpi_failed(mpi) : OK;
}

/* After a failure: whether all ranks came here in time. */
static bool failure_known_to_all(MpiComm *mpi) {
  MPI_Request request;
  int done = 0;
  if (MPI_Ibarrier(mpi->failures, &request) != MPI_SUCCESS) return false;
  const char *text = getenv("SINEW_RANKS_PATIENCE");
  const double patience = text && strtod(text, NULL) > 0 ? strtod(text, NULL) : PATIENCE;
  for (const double begin = clock_seconds(); !done && clock_seconds() - begin < patience;) {
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    failure_came(mpi); /* of two that fail at once each has to take what the other sends */
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  return done;
}

static bool mpi_heard(Comm *comm) {
  MpiComm *mpi = (MpiComm *)comm;
  if (!mpi->left) mpi->heard = mpi->failure.status == OK || failure_known_to_all(mpi);
  mpi->left = true;
  return mpi->heard || mpi->failure.rank != comm->rank;
}

static void mpi_destroy(Comm *comm) {
  MpiComm *mpi = (MpiComm *)comm;
  mpi_heard(comm);
  if (!mpi->heard) MPI_Abort(MPI_COMM_WORLD, mpi->failure.status);
  MPI_Finalize();
  FREE(mpi->request);
  FREE(mpi);
}

static const CommTable MPI_RANKS = {"mpi",    mpi_destroy, mpi_barrier, mpi_gather,
                                    mpi_swap, mpi_fail,    mpi_poll,    mpi_heard};

/* Which of this host's ranks this is. */
static Status mpi_host(MpiComm *mpi) {
  MPI_Comm host;
  MPI_TRY(MPI_Comm_split_type(mpi->work, MPI_COMM_TYPE_SHARED, mpi->base.rank, MPI_INFO_NULL, &host), "meeting");
  MPI_Comm_rank(host, &mpi->base.local_rank);
  MPI_Comm_size(host, &mpi->base.n_local);
  mpi->busy = mpi->base.n_local > sysconf(_SC_NPROCESSORS_ONLN) ? CROWDED : BUSY;
  return mpi_check(MPI_Comm_free(&host), "meeting");
}

static Status mpi_begin(MpiComm *mpi) {
  MPI_TRY(MPI_Comm_dup(MPI_COMM_WORLD, &mpi->work), "meeting");
  MPI_TRY(MPI_Comm_dup(MPI_COMM_WORLD, &mpi->failures), "meeting");
  MPI_Comm_set_errhandler(mpi->work, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(mpi->failures, MPI_ERRORS_RETURN);
  MPI_Comm_rank(mpi->work, &mpi->base.rank);
  MPI_Comm_size(mpi->work, &mpi->base.n_rank);
  return mpi_host(mpi);
}

Status comm_create_mpi(Comm **out) {
  *out = NULL;
  int given = 0;
  MpiComm *mpi = NULL;
  ALLOC(mpi, 1, "the ranks of MPI");
  mpi->base.table = &MPI_RANKS;
  setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0); /* see core_leave */
  prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL,
        0UL); /* the system may make a nap so many nanoseconds longer; it is 50000 */
  Status status = mpi_check(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given), "starting MPI");
  if (status == OK) status = mpi_begin(mpi);
  if (status == OK) *out = &mpi->base;
  else FREE(mpi);
  return status;
}
