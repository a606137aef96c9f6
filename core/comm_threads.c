/* Ranks as threads of one process: what one gives lies where it is, and the others copy it between two barriers. A rank
 * that fails breaks the barrier for all. */
#include "core/clock.h"
#include "core/comm.h"
#include "core/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct RankTeam {
  int n_rank;
  pthread_mutex_t mutex;
  pthread_cond_t passed;
  /* under the mutex */
  int arrived;
  int64_t round; /* of the barrier */
  Status broken;
  int broken_by;
  char message[COMM_MESSAGE];
  /* of each rank, written before a barrier and read behind it */
  const void **given;
  int *n_given;
} RankTeam;

typedef struct RankThread {
  Comm base;
  RankTeam *team;
  Status (*fn)(Comm *comm, void *context);
  void *context;
  pthread_t thread;
} RankThread;

static RankTeam *team_of(Comm *comm) { return ((RankThread *)comm)->team; }

/* Of those that fail the first one is told of. */
static void team_break(RankTeam *team, int rank, Status status) {
  pthread_mutex_lock(&team->mutex);
  if (team->broken == OK) {
    team->broken = status;
    team->broken_by = rank;
    snprintf(team->message, sizeof team->message, "%s", status_message());
  }
  pthread_cond_broadcast(&team->passed);
  pthread_mutex_unlock(&team->mutex);
}

static Status rank_barrier(Comm *comm) {
  RankTeam *team = team_of(comm);
  pthread_mutex_lock(&team->mutex);
  const int64_t round = team->round;
  if (team->broken == OK && ++team->arrived == team->n_rank) { /* of a broken one not all will come */
    team->arrived = 0;
    ++team->round;
    pthread_cond_broadcast(&team->passed);
  }
  const double begin = team->round == round ? clock_seconds() : 0;
  while (team->round == round && team->broken == OK) pthread_cond_wait(&team->passed, &team->mutex);
  if (begin > 0) comm->waited += clock_seconds() - begin;
  const bool broken = team->round == round;
  pthread_mutex_unlock(&team->mutex);
  return broken ? comm_failed(team->broken, team->message, team->broken_by, team->n_rank) : OK;
}

static Status rank_gather(Comm *comm, const void *in, int64_t bytes, void *out) {
  RankTeam *team = team_of(comm);
  team->given[comm->rank] = in;
  TRY(rank_barrier(comm));
  for (int r = 0; r < team->n_rank; ++r)
    if (bytes) memcpy((char *)out + r * bytes, team->given[r], (size_t)bytes);
  comm->sent += bytes * (team->n_rank - 1);
  return rank_barrier(comm);
}

/* Where rank `from` has what is for `rank`; NULL where it has nothing. */
static const CommPeer *peer_entry(const RankTeam *team, int from, int rank) {
  const CommPeer *peer = team->given[from];
  for (int p = 0; p < team->n_given[from]; ++p)
    if (peer[p].rank == rank) return &peer[p];
  return NULL;
}

static Status rank_swap(Comm *comm, const CommPeer *peer, int n_peer) {
  RankTeam *team = team_of(comm);
  team->given[comm->rank] = peer;
  team->n_given[comm->rank] = n_peer;
  TRY(rank_barrier(comm));
  int wrong = -1;
  for (int p = 0; p < n_peer; ++p) comm->sent += peer[p].send_bytes;
  for (int p = 0; p < n_peer; ++p) {
    const CommPeer *other = peer_entry(team, peer[p].rank, comm->rank);
    if (!other || other->send_bytes != peer[p].recv_bytes) wrong = p;
    else if (other->send_bytes) memcpy(peer[p].recv, other->send, (size_t)other->send_bytes);
  }
  TRY(rank_barrier(comm));
  CHECK(wrong < 0, ERR_BUG, "rank %d expects %lld bytes of rank %d, which sends another size", comm->rank,
        (long long)peer[wrong].recv_bytes, peer[wrong].rank);
  return OK;
}

static void rank_fail(Comm *comm, Status status) { team_break(team_of(comm), comm->rank, status); }

static Status rank_check(Comm *comm) {
  RankTeam *team = team_of(comm);
  pthread_mutex_lock(&team->mutex);
  const bool broken = team->broken != OK;
  pthread_mutex_unlock(&team->mutex);
  return broken ? comm_failed(team->broken, team->message, team->broken_by, team->n_rank) : OK;
}

/* The thread's own, of comm_threads_run. */
static void rank_destroy(Comm *comm) { (void)comm; }

/* Nobody waits without being told. */
static bool rank_heard(Comm *comm) {
  (void)comm;
  return true;
}

static const CommTable THREADS = {"threads", rank_destroy, rank_barrier, rank_gather,
                                  rank_swap, rank_fail,    rank_check,   rank_heard};

static void *rank_thread(void *context) {
  RankThread *rank = context;
  const Status status = rank->fn(&rank->base, rank->context);
  if (status != OK) team_break(rank->team, rank->base.rank, status);
  status_warnings_clear();
  return NULL;
}

/* Starts them all, or says so to those that were started. */
static void team_run(RankTeam *team, RankThread *rank) {
  int started = 0;
  for (; started < team->n_rank; ++started)
    if (pthread_create(&rank[started].thread, NULL, rank_thread, &rank[started])) break;
  if (started < team->n_rank) {
    const Status status = FAIL(ERR_MEMORY, "no thread could be started for rank %d of %d", started, team->n_rank);
    team_break(team, started, status);
  }
  for (int r = 0; r < started; ++r) pthread_join(rank[r].thread, NULL);
}

Status comm_threads_run(int n_rank, Status (*fn)(Comm *comm, void *context), void *context) {
  CHECK(n_rank >= 1, ERR_BUG, "%d ranks", n_rank);
  RankTeam *team = NULL;
  RankThread *rank = NULL;
  Status status = OK;
  ALLOC(team, 1, "ranks as threads");
  ALLOC_DONE(rank, n_rank, "ranks as threads");
  ALLOC_DONE(team->given, n_rank, "ranks as threads");
  ALLOC_DONE(team->n_given, n_rank, "ranks as threads");
  team->n_rank = n_rank;
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->passed, NULL);
  for (int r = 0; r < n_rank; ++r)
    rank[r] = (RankThread){.base = {&THREADS, r, n_rank, r, n_rank, 0, 0}, .team = team, .fn = fn, .context = context};
  team_run(team, rank);
  pthread_cond_destroy(&team->passed);
  pthread_mutex_destroy(&team->mutex);
  status = team->broken;
  if (status != OK) {
    status_clear();
    status_context(status, "%s", team->message);
  }
done:
  FREE(team->n_given);
  FREE(team->given);
  FREE(rank);
  FREE(team);
  return status;
}
