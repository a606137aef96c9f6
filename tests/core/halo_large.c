/* Rows that others own, more of them than GPUs exchange at once: rank r has (r + 1) LARGE of them, which the next rank
 * reads. Under mpirun with the ranks of MPI. */
#include "core/halo.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>

#define HOLDS(condition) CHECK((condition), ERR_NUMERIC, "%s:%d: rank %d", __FILE__, __LINE__, comm->rank)

static Comm *world; /* under mpirun; NULL: threads */

enum { LARGE = 60000, LARGE_BYTES = 200 };

static unsigned char large_byte(int rank, int64_t i, int turn) {
  return (unsigned char)(i * 7 + rank * 31 + turn * 101);
}

static Status large_exchanges(Exec *exec, const Halo *halo, int from, unsigned char *host, unsigned char *v) {
  const Comm *comm = exec->comm;
  const int64_t own = halo->n_own * (int64_t)LARGE_BYTES, all = own + halo->n_halo * (int64_t)LARGE_BYTES;
  for (int turn = 0; turn < 3; ++turn) {
    for (int64_t i = 0; i < all; ++i) host[i] = i < own ? large_byte(comm->rank, i, turn) : 0xee;
    TRY(exec_upload(exec, v, host, (size_t)all));
    TRY(comm_barrier(exec->comm));
    TRY(exec_exchange(exec, halo, v, LARGE_BYTES));
    TRY(exec_download(exec, host, v, (size_t)all));
    for (int64_t i = own; i < all; ++i) HOLDS(host[i] == large_byte(from, i - own, turn));
    TRY(comm_barrier(exec->comm));
  }
  return OK;
}

static Status ranks_large(Comm *comm, void *context) {
  (void)context;
  const int n = comm->n_rank, up = (comm->rank + 1) % n, down = (comm->rank + n - 1) % n;
  const int32_t n_own = (comm->rank + 1) * LARGE, n_halo = (down + 1) * LARGE;
  const int32_t peer[2] = {up < down ? up : down, up < down ? down : up};
  const int64_t send[3] = {0, n == 2 || peer[0] == up ? n_own : 0, n_own};
  const int64_t recv[3] = {0, n == 2 || peer[0] == down ? n_halo : 0, n_halo};
  const int64_t bytes = (n_own + (int64_t)n_halo) * LARGE_BYTES;
  unsigned char *host = NULL, *v = NULL;
  int32_t *row = NULL;
  Halo *halo = NULL;
  Exec *exec = NULL;
  TRY(testing_rank_exec(comm, 1, &exec));
  ALLOC(row, n_own, "rows");
  ALLOC(host, bytes, "rows");
  TRY(exec_alloc(exec, bytes, 1, "rows", (void **)&v));
  for (int32_t i = 0; i < n_own; ++i) row[i] = i;
  const HaloLists lists = {n_own, n_halo, n == 2 ? 1 : 2, peer, send, row, recv};
  TRY(halo_create(exec, &lists, LARGE_BYTES, &halo));
  TRY(large_exchanges(exec, halo, down, host, v));
  halo_destroy(&halo);
  TRY(comm_barrier(comm));
  exec_release(exec, bytes, 1, (void **)&v);
  FREE(host);
  FREE(row);
  exec_destroy(&exec);
  return OK;
}

static void rows_come_in_several_pieces(void **state) {
  (void)state;
  if (world) assert_ok(ranks_large(world, NULL));
  for (int n = 2; n <= 3 && !world; ++n) assert_ok(comm_threads_run(n, ranks_large, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_come_in_several_pieces)};
  Comm *comm = NULL;
  if (comm_create(&comm) != OK) {
    fprintf(stderr, "%s\n", status_message());
    return 1;
  }
  if (comm->n_rank > 1) world = comm;
  Exec *exec = testing_exec(); /* ends here where there is none */
  exec_destroy(&exec);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  comm_destroy(&comm);
  return failed;
}
