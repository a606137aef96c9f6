/* Ranks: what each sends arrives, and nobody waits for one that failed. With ranks as threads; under mpirun the same
 * functions with those of MPI, and with the argument "fail" a rank that gives up. */
#include "core/comm.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Comm *world; /* under mpirun; NULL: threads */

static void ranks_run(Status (*fn)(Comm *, void *), void *context) {
  static const int sizes[] = {1, 2, 3, 5};
  if (world) assert_ok(fn(world, context));
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !world; ++k)
    assert_ok(comm_threads_run(sizes[k], fn, context));
}

#define HOLDS(condition) CHECK((condition), ERR_NUMERIC, "%s:%d: rank %d", __FILE__, __LINE__, comm->rank)

static Status ranks_gather(Comm *comm, void *context) {
  const int64_t big = *(const int64_t *)context;
  const int n = comm->n_rank;
  HOLDS(comm->rank >= 0 && comm->rank < n && comm->n_local <= n && comm->local_rank < comm->n_local);
  for (int64_t size = 0; size <= big; size = size ? size * 50 : 1) {
    char *in = NULL, *out = NULL;
    ALLOC(in, size + 1, "numbers");
    ALLOC(out, n * size + 1, "numbers");
    for (int64_t i = 0; i < size; ++i) in[i] = (char)(comm->rank * 31 + i % 101);
    TRY(comm_gather(comm, in, size, out));
    for (int64_t i = 0; i < n * size; ++i) HOLDS(out[i] == (char)(i / size * 31 + i % size % 101));
    FREE(in);
    FREE(out);
  }
  return OK;
}

static void test_gather(void **state) {
  (void)state;
  int64_t big = 200000;
  ranks_run(ranks_gather, &big);
}

/* Rank r has r % 3 numbers: some none. */
static Status ranks_gather_parts(Comm *comm, void *context) {
  (void)context;
  int64_t start[33] = {0};
  double in[2] = {comm->rank, -comm->rank}, out[64];
  for (int r = 0; r < comm->n_rank; ++r) start[r + 1] = start[r] + (r % 3) * (int64_t)sizeof(double);
  TRY(comm_gather_parts(comm, in, start, out));
  for (int r = 0; r < comm->n_rank; ++r)
    for (int k = 0; k < r % 3; ++k) HOLDS(out[start[r] / 8 + k] == (k ? -r : r));
  return comm_barrier(comm);
}

static void test_gather_parts(void **state) {
  (void)state;
  ranks_run(ranks_gather_parts, NULL);
}

static Status ranks_broadcast(Comm *comm, void *context) {
  (void)context;
  for (int root = 0; root < comm->n_rank; ++root) {
    int64_t data[3] = {comm->rank, comm->rank, comm->rank};
    TRY(comm_broadcast(comm, root, data, sizeof data));
    HOLDS(data[0] == root && data[2] == root);
  }
  return OK;
}

static void test_broadcast(void **state) {
  (void)state;
  ranks_run(ranks_broadcast, NULL);
}

/* From rank a to rank b go (3 a + 5 b) % 7 numbers, several times over with growing sizes. */
static int64_t pair_count(int a, int b, int round) { return (3 * a + 5 * b) % 7 * (round ? 4000 : 1); }

static Status ranks_exchange(Comm *comm, void *context) {
  (void)context;
  const int n = comm->n_rank, me = comm->rank;
  for (int round = 0; round < 2; ++round) {
    int64_t count[32], there[32], send_start[33] = {0}, recv_start[33] = {0};
    for (int r = 0; r < n; ++r) count[r] = pair_count(me, r, round);
    TRY(comm_counts(comm, count, there));
    for (int r = 0; r < n; ++r) {
      HOLDS(there[r] == pair_count(r, me, round));
      send_start[r + 1] = send_start[r] + 4 * count[r];
      recv_start[r + 1] = recv_start[r] + 4 * there[r];
    }
    int32_t *send = NULL, *recv = NULL;
    ALLOC(send, send_start[n], "numbers");
    ALLOC(recv, recv_start[n], "numbers");
    for (int r = 0; r < n; ++r)
      for (int64_t k = 0; k < count[r]; ++k) send[send_start[r] / 4 + k] = (int32_t)(1000000 * me + 10000 * r + k);
    TRY(comm_exchange(comm, send, send_start, recv, recv_start));
    for (int r = 0; r < n; ++r)
      for (int64_t k = 0; k < there[r]; ++k) HOLDS(recv[recv_start[r] / 4 + k] == 1000000 * r + 10000 * me + k);
    FREE(send);
    FREE(recv);
  }
  return OK;
}

static void test_exchange(void **state) {
  (void)state;
  ranks_run(ranks_exchange, NULL);
}

/* A ring: neighbours only, the size 0 in one direction; a rank without neighbours comes too. */
static Status ranks_swap(Comm *comm, void *context) {
  (void)context;
  const int n = comm->n_rank, me = comm->rank, up = (me + 1) % n, down = (me + n - 1) % n;
  double mine = me + 0.5, theirs = -1;
  for (int turn = 0; turn < 100; ++turn) {
    const CommPeer peer[2] = {{up, &mine, NULL, sizeof mine, 0}, {down, NULL, &theirs, 0, sizeof theirs}};
    const CommPeer both = {up, &mine, &theirs, sizeof mine, sizeof theirs};
    if (n == 1) TRY(comm_swap(comm, NULL, 0));
    else if (n == 2) TRY(comm_swap(comm, &both, 1));
    else TRY(comm_swap(comm, peer, 2));
    HOLDS(n == 1 || theirs == down + 0.5 + turn);
    mine += 1;
  }
  const CommPeer self = {me, &mine, &theirs, sizeof mine, sizeof mine};
  HOLDS(comm_swap(comm, &self, 1) == ERR_BUG);
  return OK;
}

static void test_swap(void **state) {
  (void)state;
  ranks_run(ranks_swap, NULL);
}

/* What one rank says all of them have; what all say alike has no rank in it. */
static Status ranks_agree(Comm *comm, void *context) {
  (void)context;
  const int n = comm->n_rank, last = n - 1;
  HOLDS(comm_agree(comm, OK) == OK);
  Status mine = comm->rank == last ? FAIL(ERR_MESH, "element %d is inverted", 7) : OK;
  HOLDS(comm_agree(comm, mine) == ERR_MESH && strstr(status_message(), "element 7 is inverted"));
  char rank[64];
  snprintf(rank, sizeof rank, "on rank %d of %d", last, n);
  HOLDS((strstr(status_message(), rank) != NULL) == (n > 1));
  mine = FAIL(comm->rank == 0 ? ERR_STOPPED : ERR_IO, "rank %d's own", comm->rank);
  HOLDS(comm_agree(comm, mine) == (n > 1 ? ERR_IO : ERR_STOPPED));
  HOLDS(strstr(status_message(), n > 1 ? "rank 1's own" : "rank 0's own"));
  mine = FAIL(ERR_INPUT, "the same");
  HOLDS(comm_agree(comm, mine) == ERR_INPUT && !strcmp(status_message(), "the same"));
  mine = FAIL(ERR_BUG, "once");
  HOLDS(comm_agree(comm, mine) == ERR_BUG && !strncmp(status_message(), "core/comm.c:", 12));
  HOLDS(!strstr(status_message() + 1, "core/comm.c"));
  status_clear();
  return OK;
}

static void test_agree(void **state) {
  (void)state;
  ranks_run(ranks_agree, NULL);
}

/* The last rank gives up at `where`; the others wait in one thing or another. */
typedef struct Giving {
  int where, told[5];
} Giving;

static Status ranks_give_up(Comm *comm, void *context) {
  Giving *g = context;
  double x = 1, all[5];
  int64_t count[5] = {0}, there[5];
  if (comm->rank == comm->n_rank - 1) return FAIL(ERR_MEMORY, "no memory at %d", g->where);
  Status status = OK;
  switch (g->where) {
  case 0: status = comm_barrier(comm); break;
  case 1: status = comm_gather(comm, &x, sizeof x, all); break;
  case 2: status = comm_broadcast(comm, comm->n_rank - 1, &x, sizeof x); break;
  case 3: status = comm_counts(comm, count, there); break;
  default: status = comm_agree(comm, OK);
  }
  char text[64];
  snprintf(text, sizeof text, "no memory at %d\n  on rank %d of %d", g->where, comm->n_rank - 1, comm->n_rank);
  g->told[comm->rank] = status == ERR_MEMORY && !strcmp(status_message(), text);
  return status;
}

static void test_give_up(void **state) {
  (void)state;
  if (world) return;
  for (int n = 1; n <= 5; ++n)
    for (int where = 0; where < 5; ++where) {
      Giving g = {where, {0}};
      char text[64];
      snprintf(text, sizeof text, "no memory at %d", where);
      assert_fails(comm_threads_run(n, ranks_give_up, &g), ERR_MEMORY, text);
      for (int r = 0; r < n - 1; ++r) assert_true(g.told[r]);
    }
}

static Status ranks_wrong_size(Comm *comm, void *context) {
  (void)context;
  double x[3] = {0}, y[3];
  const CommPeer peer = {1 - comm->rank, x, y, 8 + 8 * comm->rank, 8};
  return comm_swap(comm, &peer, 1);
}

/* Each allocation of a start fails once; no thread and no byte stays. */
static void test_refusals(void **state) {
  (void)state;
  if (world) return;
  assert_fails(comm_threads_run(2, ranks_wrong_size, NULL), ERR_BUG, "rank 0 expects 8 bytes of rank 1");
  assert_fails(comm_threads_run(0, ranks_agree, NULL), ERR_BUG, "0 ranks");
  const size_t before = mem_in_use();
  for (int64_t nth = 1; nth <= 4; ++nth) {
    mem_fail_nth(nth);
    assert_out_of_memory(comm_threads_run(2, ranks_swap, NULL));
    mem_fail_nth(0);
    assert_int_equal(mem_in_use(), before);
  }
}

/* NULL is a rank alone, as is what comm_create makes without a launcher. */
static void test_alone(void **state) {
  (void)state;
  if (world) return;
  assert_int_equal(comm_rank(NULL), 0);
  assert_int_equal(comm_size(NULL), 1);
  int64_t big = 100;
  Comm *comm = NULL;
  assert_ok(comm_create(&comm));
  assert_string_equal(comm->table->name, "alone");
  assert_ok(ranks_gather(comm, &big));
  assert_ok(ranks_gather_parts(comm, NULL));
  assert_ok(ranks_broadcast(comm, NULL));
  assert_ok(ranks_exchange(comm, NULL));
  assert_ok(ranks_agree(comm, NULL));
  comm_fail(comm, FAIL(ERR_IO, "nobody hears it"));
  comm_destroy(&comm);
  assert_null(comm);
  comm_destroy(&comm);
  double x = 2, y = 0;
  const int64_t start[2] = {0, sizeof x};
  assert_ok(comm_exchange(NULL, &x, start, &y, start));
  assert_true(y == 2);
  assert_ok(comm_barrier(NULL));
  assert_int_equal(comm_agree(NULL, FAIL(ERR_IO, "it stays")), ERR_IO);
}

/* Under mpirun: the last rank gives up while the others wait for it; 0 where this rank had its message. */
static int give_up(Comm *comm) {
  const int last = comm->n_rank - 1;
  Status status;
  if (comm->rank == last) comm_fail(comm, status = FAIL(ERR_MESH, "a bad part"));
  else {
    status = comm_barrier(comm);
    if (status == ERR_MESH) status = comm_barrier(comm); /* and from then on */
  }
  const bool told = status == ERR_MESH && strstr(status_message(), "a bad part");
  printf("rank %d: %s: %s\n", comm->rank, told ? "told" : "NOT TOLD", status_message());
  comm_destroy(&comm);
  return !told;
}

/* Under mpirun: the last rank gives up while the others work and ask nobody: all are ended, and it has to say why. */
static int give_up_unheard(Comm *comm) {
  const bool last = comm->rank == comm->n_rank - 1;
  if (!last) return sleep(60) != 0;
  comm_fail(comm, FAIL(ERR_MESH, "a bad part"));
  if (!comm_heard(comm)) fprintf(stderr, "rank %d: %s\n", comm->rank, status_message());
  comm_destroy(&comm);
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gather),   cmocka_unit_test(test_gather_parts), cmocka_unit_test(test_broadcast),
      cmocka_unit_test(test_exchange), cmocka_unit_test(test_swap),         cmocka_unit_test(test_agree),
      cmocka_unit_test(test_give_up),  cmocka_unit_test(test_refusals),     cmocka_unit_test(test_alone)};
  Comm *comm = NULL;
  if (comm_create(&comm) != OK) {
    fprintf(stderr, "%s\n", status_message());
    return 1;
  }
  if (argc > 1 && !strcmp(argv[1], "fail")) return give_up(comm);
  if (argc > 1 && !strcmp(argv[1], "busy")) return give_up_unheard(comm);
  if (comm->n_rank > 1) world = comm;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  comm_destroy(&comm);
  return failed;
}
