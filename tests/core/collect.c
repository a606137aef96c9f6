/* Runs of several ranks one behind the other: to rank 0 and back, empty runs among them. */
#include "core/collect.h"
#include "core/memory.h"
#include "tests/testing.h"

enum { MOST = 7 };

static int32_t item(int64_t i) { return (int32_t)(3 * i + 1); }

static Status there_and_back(Exec *exec, const RankRun *run) {
  Status status = OK;
  const bool has = comm_rank(exec->comm) == 0;
  int32_t *own = NULL, *host = NULL, *v = NULL;
  ALLOC_DONE(own, run->n, "a test");
  ALLOC_DONE(host, run->all, "a test");
  for (int64_t i = 0; i < run->n; ++i) own[i] = item(run->first + i);
  TRY_DONE(exec_alloc_upload(exec, run->n, sizeof *v, own, "a test", (void **)&v));
  TRY_DONE(exec_collect(exec, run, sizeof *v, v, has ? host : NULL));
  for (int64_t i = 0; i < run->all; ++i) {
    if (has && host[i] != item(i)) TRY_DONE(FAIL(ERR_NUMERIC, "item %d is %d", (int)i, host[i]));
    host[i] = -item(i);
  }
  TRY_DONE(exec_deal(exec, run, sizeof *v, host, v));
  TRY_DONE(exec_download(exec, own, v, (size_t)run->n * sizeof *v));
  for (int64_t i = 0; i < run->n; ++i)
    if (own[i] != -item(run->first + i)) TRY_DONE(FAIL(ERR_NUMERIC, "own item %d is %d", (int)i, own[i]));
done:
  EXEC_RELEASE(exec, v, run->n);
  FREE(host);
  FREE(own);
  return status;
}

static Status ranks_collect(Comm *comm, void *context) {
  Exec *exec = NULL;
  RankRun run;
  (void)context;
  TRY(exec_create_cpu(1, &exec));
  TRY(exec_join(exec, comm));
  TRY(rank_run_find(exec->comm, (comm->rank * 5 + 2) % MOST, &run));
  const Status status = there_and_back(exec, &run);
  exec_destroy(&exec);
  return status;
}

static void all_runs_come_in_order(void **state) {
  (void)state;
  static const int ranks[] = {1, 2, 3, 5};
  const size_t before = mem_in_use();
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; ++k) assert_ok(comm_threads_run(ranks[k], ranks_collect, NULL));
  assert_int_equal(mem_in_use(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_runs_come_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
