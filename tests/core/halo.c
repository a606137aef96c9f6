/* Rows that ranks share, and sums over all of them: random sharing, ranks without rows or neighbours, any size of row;
 * sums have the bits of one rank alone. Under mpirun with the ranks of MPI. */
#include "core/halo.h"
#include "core/memory.h"
#include "core/sum_parts.h"
#include "core/vec.h"
#include "tests/testing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 5, ROWS = 300, PARTS = 7 };

static Comm *world; /* under mpirun; NULL: threads */
static const int sizes[] = {1, 2, 3, 5};

static uint32_t random_next(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

#define HOLDS(condition) CHECK((condition), ERR_NUMERIC, "%s:%d: rank %d", __FILE__, __LINE__, comm->rank)

/* Who owns what and who reads what, the same on all ranks. */
typedef struct Sharing {
  int32_t first[RANKS + 1]; /* rows of each rank */
  bool reads[RANKS][ROWS];
} Sharing;

static void sharing_make(int n, uint32_t seed, Sharing *s) {
  memset(s, 0, sizeof *s);
  s->first[n] = ROWS;
  for (int r = 1; r < n; ++r) { /* some ranks have no rows */
    const int32_t left =
        s->first[r - 1] + (int32_t)(random_next(&seed) % (2 * ROWS / n)) * (random_next(&seed) % 4 > 0);
    s->first[r] = left < ROWS
    ? left : ROWS;
  }
  for (int r = 0; r < n; ++r)
    for (int q = 0; q < n; ++q) {
      const uint32_t rare = random_next(&seed) % 3 ? 1 + random_next(&seed) % 9 : 0; /* 0: q is no neighbour of r */
      for (int32_t i = s->first[q]; i < s->first[q + 1] && r != q && rare; ++i)
        s->reads[r][i] = random_next(&seed) % rare == 0;
    }
}

typedef struct Share { /* of one rank */
  HaloLists lists;
  int32_t peer[RANKS], send_row[RANKS * ROWS], global[ROWS]; /* of halo rows */
  int64_t send_start[RANKS + 1], recv_start[RANKS + 1];
} Share;

static void share_make(const Sharing *s, int n, int me, Share *own) {
  memset(own, 0, sizeof *own);
  int32_t n_peer = 0, n_send = 0, n_recv = 0;
  for (int r = 0; r < n; ++r) {
    const int32_t send_before = n_send, recv_before = n_recv;
    for (int32_t i = s->first[me]; i < s->first[me + 1] && r != me; ++i)
      if (s->reads[r][i]) own->send_row[n_send++] = i - s->first[me];
    for (int32_t i = s->first[r]; i < s->first[r + 1] && r != me; ++i)
      if (s->reads[me][i]) own->global[n_recv++] = i;
    if (n_send == send_before && n_recv == recv_before) continue;
    own->peer[n_peer++] = r;
    own->send_start[n_peer] = n_send;
    own->recv_start[n_peer] = n_recv;
  }
  own->lists = (HaloLists){
      s->first[me + 1] - s->first[me], n_recv, n_peer, own->peer, own->send_start, own->send_row, own->recv_start};
}

static unsigned char byte_of(int32_t global, size_t k, int turn) {
  return (unsigned char)(global * 7 + (int)k * 13 + turn * 101);
}

/* Own rows filled in, halo rows wrong. */
static void rows_fill(const Sharing *s, const Share *own, int me, size_t size, int turn, unsigned char *v) {
  for (int32_t i = 0; i < own->lists.n_own; ++i)
    for (size_t k = 0; k < size; ++k) v[(size_t)i * size + k] = byte_of(s->first[me] + i, k, turn);
  memset(v + (size_t)own->lists.n_own * size, 0xee, (size_t)own->lists.n_halo * size);
}

static Status rows_check(const Comm *comm, const Share *own, size_t size, int turn, const unsigned char *v) {
  const unsigned char *halo = v + (size_t)own->lists.n_own * size;
  for (int32_t i = 0; i < own->lists.n_halo; ++i)
    for (size_t k = 0; k < size; ++k) HOLDS(halo[(size_t)i * size + k] == byte_of(own->global[i], k, turn));
  return OK;
}

static Status exchanges_run(Exec *exec, const Sharing *s, const Share *own, const Halo *halo) {
  static const size_t bytes[] = {1, 2, 3, 4, 8, 12, 24};
  const Comm *comm = exec->comm;
  for (int turn = 0; turn < 14; ++turn) {
    const size_t size = bytes[turn % 7];
    const int64_t n = own->lists.n_own + own->lists.n_halo;
    unsigned char *host = NULL, *v = NULL;
    ALLOC(host, n * (int64_t)size, "rows");
    rows_fill(s, own, comm_rank(comm), size, turn, host);
    TRY(exec_alloc_upload(exec, n, size, host, "rows", (void **)&v));
    TRY(comm_barrier(exec->comm)); /* ranks that are threads: one GPU frees nothing while a kernel of another waits */
    TRY(exec_exchange(exec, halo, v, size));
    TRY(exec_download(exec, host, v, (size_t)n * size));
    if (comm) TRY(rows_check(comm, own, size, turn, host));
    TRY(comm_barrier(exec->comm));
    exec_release(exec, n, size, (void **)&v);
    FREE(host);
  }
  return OK;
}

static Status ranks_exchange(Comm *comm, void *context) {
  Exec *exec = NULL;
  Halo *halo = NULL;
  Share *own = NULL;
  Sharing *s = NULL;
  TRY(testing_rank_exec(comm, 1, &exec));
  ALLOC(own, 1, "a share");
  ALLOC(s, 1, "a sharing");
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    sharing_make(comm->n_rank, seed + *(uint32_t *)context, s);
    share_make(s, comm->n_rank, comm->rank, own);
    TRY(halo_create(exec, &own->lists, 24, &halo));
    TRY(exchanges_run(exec, s, own, halo));
    TRY(comm_barrier(comm));
    halo_destroy(&halo);
  }
  FREE(s);
  FREE(own);
  HOLDS(exec->in_use == 0);
  exec_destroy(&exec);
  return OK;
}

static void ranks_run(Status (*fn)(Comm *, void *), void *context) {
  if (world) assert_ok(fn(world, context));
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !world; ++k)
    assert_ok(comm_threads_run(sizes[k], fn, context));
}

static void test_exchange(void **state) {
  (void)state;
  uint32_t seed = 100;
  ranks_run(ranks_exchange, &seed);
}

/* ---- in a loop: each rank has one row and reads that of the rank before; after n turns all have seen all ---- */
typedef struct RingNumbers {
  double v[2], sum; /* own row, halo row */
  int32_t left, stop, never;
} RingNumbers;
typedef struct Ring {
  Halo *halo;
  RingNumbers *on; /* the Exec */
} Ring;

static Status ring_turn(Exec *exec, void *context) {
  const Ring *g = context;
  RingNumbers *on = g->on;
  TRY(exec_exchange(exec, g->halo, on->v, sizeof *on->v));
  TRY(exec_copy(exec, on->v, on->v + 1, sizeof *on->v));
  TRY(exec_exchange_unless(exec, g->halo, on->v, sizeof *on->v, &on->never));
  TRY(vec_dot(exec, 1, on->v, on->v, &on->sum));
  return vec_countdown(exec, &on->left, &on->stop);
}

static Status ring_loop(Exec *exec, Comm *comm, Ring *g) {
  const int n = comm->n_rank;
  RingNumbers numbers = {.v = {comm->rank + 1, 0}, .never = 1};
  ExecLoop *loop = NULL;
  TRY(exec_loop_create(exec, ring_turn, g, &g->on->stop, &loop));
  for (int run = 0; run < 3; ++run) {
    numbers.left = 3 * n;
    numbers.stop = 0;
    TRY(exec_upload(exec, g->on, &numbers, sizeof numbers));
    TRY(exec_loop_run(loop, 1000, NULL, NULL));
    TRY(exec_download(exec, &numbers, g->on, sizeof numbers));
    HOLDS(numbers.v[0] == comm->rank + 1 && numbers.left == 0);
    HOLDS(numbers.v[1] == numbers.v[0]); /* the row that a flag kept from being brought */
    HOLDS(numbers.sum == n * (n + 1) * (2 * n + 1) / 6);
  }
  TRY(comm_barrier(comm));
  exec_loop_destroy(&loop);
  return OK;
}

static Status ranks_loop(Comm *comm, void *context) {
  (void)context;
  const int n = comm->n_rank, up = (comm->rank + 1) % n, down = (comm->rank + n - 1) % n;
  const int32_t peer[2] = {up < down ? up : down, up < down ? down : up}, row[1] = {0};
  const int64_t send[3] = {0, n == 2 || peer[0] == up, 1}, recv[3] = {0, n == 2 || peer[0] == down, 1};
  const int64_t start[2] = {0, 1};
  const HaloLists lists = {1, 1, n == 2 ? 1 : 2, peer, send, row, recv};
  SumParts *parts = NULL;
  Exec *exec = NULL;
  Ring g = {NULL, NULL};
  if (n == 1) return OK;
  TRY(testing_rank_exec(comm, 1, &exec));
  TRY(exec_alloc(exec, 1, sizeof *g.on, "numbers", (void **)&g.on));
  TRY(halo_create(exec, &lists, sizeof(double), &g.halo));
  TRY(sum_parts_create(exec, 1, start, &parts));
  HOLDS(parts->n_part == n && parts->first == comm->rank && parts->n_row == 1);
  HOLDS(exec_sum_over(exec, parts) == NULL);
  TRY(ring_loop(exec, comm, &g));
  HOLDS(exec_sum_over(exec, NULL) == parts);
  sum_parts_destroy(&parts);
  halo_destroy(&g.halo);
  exec_release(exec, 1, sizeof *g.on, (void **)&g.on);
  exec_destroy(&exec);
  return OK;
}

static void test_loop(void **state) {
  (void)state;
  ranks_run(ranks_loop, NULL);
}

/* ---- sums ---- */
/* PARTS parts of a numbering, in rows; a rank has those of [PARTS r / n, PARTS (r + 1) / n). One is empty, one is not of
 * whole chunks. */
static const int64_t part_rows[PARTS] = {1152, 5 * 1152, 0, 700, 2304, 1152, 31};
enum { SUM_ROWS = 1152 + 5 * 1152 + 700 + 2304 + 1152 + 31 };

static double entry(int64_t i) { return (i % 7 - 3.3) * 1.7e3 / (double)(1 + i % 1013) + 1e-3 * (double)i; }

enum { AGAIN = 40 }; /* sums one behind the other, without a look at them */

/* The same sums in a loop, where small ones stay on a GPU in one kernel, which knows no parts. */
typedef struct SumTurn {
  int64_t n;
  const double *x, *y;
  double *out;
  int32_t *left; /* and stop behind it */
} SumTurn;

static Status sum_turn(Exec *exec, void *context) {
  const SumTurn *t = context;
  TRY(vec_dot(exec, t->n, t->x, t->y, t->out));
  return vec_countdown(exec, t->left, t->left + 1);
}

static Status sums_loop(Exec *exec, SumTurn *t, double wanted) {
  const int32_t turns[2] = {5, 0};
  ExecLoop *loop = NULL;
  double sum = 0;
  TRY(exec_upload(exec, t->left, turns, sizeof turns));
  TRY(exec_loop_create(exec, sum_turn, t, t->left + 1, &loop));
  TRY(exec_loop_run(loop, 100, NULL, NULL));
  TRY(exec_download(exec, &sum, t->out, sizeof sum));
  TRY(comm_barrier(exec->comm));
  exec_loop_destroy(&loop);
  TRY(comm_barrier(exec->comm)); /* nothing is freed while a kernel of another rank waits */
  CHECK(sum == wanted, ERR_NUMERIC, "in a loop %.17g, outside %.17g", sum, wanted);
  return OK;
}

/* c [4]: x.y with 0, 1, 2, 3 scalars a row; x and y have `rows` rows of this rank, from row `before` on. */
static Status sums_take(Exec *exec, const SumParts *parts, int64_t before, int64_t rows, double c[4]) {
  double *x = NULL, *y = NULL, *on[3] = {NULL, NULL, NULL}, all[AGAIN];
  ALLOC(x, 3 * rows, "a vector");
  ALLOC(y, 3 * rows, "a vector");
  for (int k = 0; k < 3; ++k) TRY(exec_alloc(exec, 3 * rows + AGAIN, sizeof *x, "a vector", (void **)&on[k]));
  TRY(comm_barrier(exec->comm));
  for (int k = 0; k < 4; ++k) {
    const size_t bytes = (size_t)(k * rows) * sizeof *x;
    for (int64_t i = 0; i < k * rows; ++i) x[i] = entry(k * before + i), y[i] = entry(11 + 3 * (k * before + i));
    TRY(exec_upload(exec, on[0], x, bytes));
    TRY(exec_upload(exec, on[1], y, bytes));
    exec_sum_over(exec, parts);
    for (int i = 0; i < AGAIN; ++i) TRY(vec_dot(exec, k * rows, on[0], on[1], on[2] + i));
    TRY(exec_download(exec, all, on[2], sizeof all));
    c[k] = all[0];
    SumTurn turn = {k * rows, on[0], on[1], on[2], (int32_t *)(void *)(on[2] + 1)};
    if (k == 2) TRY(sums_loop(exec, &turn, c[k]));
    exec_sum_over(exec, NULL);
    for (int i = 1; i < AGAIN; ++i) CHECK(all[i] == c[k], ERR_NUMERIC, "sum %d is another one than the first", i);
  }
  double alone = 0;
  if (rows) TRY(vec_dot(exec, 1, on[1], on[1], on[2]));
  if (rows) TRY(exec_download(exec, &alone, on[2], sizeof alone));
  CHECK(rows == 0 || alone == y[0] * y[0], ERR_NUMERIC, "a sum of this rank alone");
  TRY(comm_barrier(exec->comm));
  for (int k = 0; k < 3; ++k) exec_release(exec, 3 * rows + AGAIN, sizeof *x, (void **)&on[k]);
  FREE(x);
  FREE(y);
  return OK;
}

/* idle: the first rank has no parts. */
static Status sums_run(Comm *comm, int threads, bool idle, double c[4]) {
  const int skipped = idle && comm_size(comm) > 1, n = comm_size(comm) - skipped, me = comm_rank(comm) - skipped;
  const int begin = me < 0 ? 0 : PARTS * me / n, end = me < 0 ? 0 : PARTS * (me + 1) / n;
  int64_t start[PARTS + 1] = {0}, before = 0;
  Exec *exec = NULL;
  SumParts *parts = NULL;
  for (int p = 0; p < begin; ++p) before += part_rows[p];
  for (int p = begin; p < end; ++p) start[p - begin + 1] = start[p - begin] + part_rows[p];
  TRY(testing_rank_exec(comm, threads, &exec));
  TRY(sum_parts_create(exec, end - begin, start, &parts));
  TRY(sums_take(exec, parts, before, start[end - begin], c));
  sum_parts_destroy(&parts);
  exec_destroy(&exec);
  return OK;
}

static Status ranks_sum(Comm *comm, void *context) {
  const double *wanted = context;
  for (int threads = 1; threads <= 3; ++threads) {
    double c[4];
    TRY(sums_run(comm, threads % 2 + 1, threads == 3, c));
    for (int k = 0; k < 4; ++k) HOLDS(c[k] == wanted[k]);
  }
  return OK;
}

static void test_sums(void **state) {
  (void)state;
  double c[4];
  assert_ok(sums_run(NULL, 1, false, c));
  assert_true(c[0] == 0);
  for (int k = 1; k < 4; ++k) {
    long double sum = 0;
    for (int64_t i = 0; i < k * SUM_ROWS; ++i) sum += (long double)entry(i) * entry(11 + 3 * i);
    assert_relative(c[k], (double)sum, 1e-13);
  }
  ranks_run(ranks_sum, c);
}

/* One part is what a sum is without any: the same bits. */
static void test_one_part(void **state) {
  (void)state;
  enum { N = 10 * ROW_CHUNK + 5 };
  static double x[N];
  for (int i = 0; i < N; ++i) x[i] = entry(i);
  const int64_t start[2] = {0, N / 5};
  Exec *exec = NULL;
  SumParts *parts = NULL;
  double before, with;
  assert_ok(exec_create_cpu(2, &exec));
  assert_ok(sum_parts_create(exec, 1, start, &parts));
  assert_ok(vec_dot(exec, N, x, x, &before));
  exec_sum_over(exec, parts);
  assert_ok(vec_dot(exec, N, x, x, &with));
  assert_true(before == with);
  assert_fails(vec_dot(exec, N - 1, x, x, &with), ERR_BUG,
               "'vec_dot' adds up 11524 rows, but the parts of sums have 2305");
  assert_ok(vec_fill(exec, N - 1, 0, x)); /* no sum: any number */
  sum_parts_destroy(&parts);
  const int64_t back[3] = {0, 5, 4};
  assert_fails(sum_parts_create(exec, 2, back, &parts), ERR_BUG, "part 1 of sums ends before it begins");
  exec_destroy(&exec);
}

/* ---- a rank that does not come: the kernels of the others do not wait for ever ---- */
static Status ranks_late(Comm *comm, void *context) {
  (void)context;
  const int32_t peer[1] = {1 - comm->rank}, row[1] = {0};
  const int64_t send[2] = {0, 1};
  const HaloLists lists = {1, 1, 1, peer, send, row, send};
  Exec *exec = NULL;
  Halo *halo = NULL;
  double *v = NULL;
  TRY(testing_rank_exec(comm, 1, &exec));
  TRY(halo_create(exec, &lists, 8, &halo));
  TRY(exec_alloc(exec, 2, sizeof *v, "rows", (void **)&v));
  Status status = OK;
  if (comm->rank == 0) {
    TRY(exec_exchange(exec, halo, v, 8));
    status = exec_sync(exec);
    HOLDS(status == ERR_GPU && strstr(status_message(), "rank 1 did not come to an exchange between GPUs within 1 s"));
  }
  TRY(comm_barrier(comm));
  exec_release(exec, 2, sizeof *v, (void **)&v);
  halo_destroy(&halo);
  exec_destroy(&exec);
  return OK;
}

static void test_late(void **state) {
  (void)state;
  const char *backend = getenv("SINEW_TEST_BACKEND");
  if (!backend || strcmp(backend, "cuda") || (world && world->n_rank != 2) || getenv("SINEW_GPU_PEERS")) return;
  setenv("SINEW_GPU_PATIENCE", "1", 1);
  if (world) assert_ok(ranks_late(world, NULL));
  else assert_ok(comm_threads_run(2, ranks_late, NULL));
  unsetenv("SINEW_GPU_PATIENCE");
}

/* ---- two processes, one of which is killed: the other says so, although it shall not be asked to end ---- */
static int one_is_killed(void) {
  const int32_t peer[1] = {1 - world->rank}, row[1] = {0};
  const int64_t send[2] = {0, 1};
  const HaloLists lists = {1, 1, 1, peer, send, row, send};
  Exec *exec = NULL;
  Halo *halo = NULL;
  double *v = NULL;
  signal(SIGTERM, SIG_IGN);
  Status status = testing_rank_exec(world, 1, &exec);
  if (status == OK) status = halo_create(exec, &lists, 8, &halo);
  if (status == OK) status = exec_alloc(exec, 2, sizeof *v, "rows", (void **)&v);
  if (status == OK) status = comm_barrier(world);
  if (status == OK && world->rank) raise(SIGKILL);
  if (status == OK) status = exec_exchange(exec, halo, v, 8);
  if (status == OK) status = exec_sync(exec);
  fprintf(stderr, "%s\n", status_message());
  _exit(1);
}

/* ---- lists that do not fit ---- */
static Status ranks_misfit(Comm *comm, void *context) {
  const int what = *(const int *)context, me = comm->rank;
  const int32_t peer[1] = {1 - me}, row[1] = {what == 2 ? 4 : 0};
  const int64_t send[2] = {0, 1}, recv[2] = {0, what == 0 && me == 1 ? 2 : 1};
  const HaloLists lists = {4, (int32_t)recv[what != 1 || me], what != 1 || me, peer, send, row, recv};
  Exec *exec = NULL;
  Halo *halo = NULL;
  TRY(exec_create_cpu(1, &exec));
  TRY(exec_join(exec, comm));
  const Status status = halo_create(exec, &lists, 8, &halo);
  exec_destroy(&exec);
  HOLDS(status == ERR_BUG && halo == NULL);
  return status;
}

static void test_misfits(void **state) {
  (void)state;
  static const char *const words[] = {"rank 0 has 1 rows for the halo of rank 1, which has room for 2",
                                      "rank 1 has rank 0 in its halo, but not the other way round",
                                      "a halo sends row 4 of 4"};
  for (int what = 0; what < 3 && !world; ++what)
    assert_fails(comm_threads_run(2, ranks_misfit, &what), ERR_BUG, words[what]);
}

/* Alone with an empty halo nothing happens; too large rows are refused; no byte stays when memory is refused. */
static Exec *one;
static Status empty_halo(void *context) {
  (void)context;
  const int64_t none[1] = {0};
  const HaloLists lists = {3, 0, 0, NULL, none, NULL, none};
  Halo *halo = NULL;
  TRY(halo_create(one, &lists, 8, &halo));
  double v[3] = {1, 2, 3};
  Status status = exec_exchange(one, halo, v, 8);
  if (status == OK && exec_exchange(one, halo, v, 9) != ERR_BUG) status = FAIL(ERR_NUMERIC, "9 bytes went");
  halo_destroy(&halo);
  return status;
}

static void test_empty(void **state) {
  (void)state;
  assert_ok(exec_create_cpu(1, &one));
  testing_fail_each(one, empty_halo, NULL);
  exec_destroy(&one);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_exchange), cmocka_unit_test(test_loop),
                                     cmocka_unit_test(test_sums),     cmocka_unit_test(test_one_part),
                                     cmocka_unit_test(test_late),     cmocka_unit_test(test_misfits),
                                     cmocka_unit_test(test_empty)};
  Comm *comm = NULL;
  if (comm_create(&comm) != OK) {
    fprintf(stderr, "%s\n", status_message());
    return 1;
  }
  if (comm->n_rank > 1) world = comm;
  Exec *exec = testing_exec(); /* ends here where there is none */
  exec_destroy(&exec);
  if (world && testing_rank_exec(world, 1, &exec) == ERR_GPU) { /* two ranks on one GPU have no NCCL */
    fprintf(stderr, "skipped: %s\n", status_message());
    comm_destroy(&comm);
    return 77;
  }
  exec_destroy(&exec);
  if (argc > 1 && !strcmp(argv[1], "killed") && world) return one_is_killed();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  comm_destroy(&comm);
  return failed;
}
