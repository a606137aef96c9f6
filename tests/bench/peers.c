/* bench peers: a row for each figure, exchanges where there are ranks, which are threads here; rank 0 alone speaks. */
#include "bench/bench.h"
#include "core/comm.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[8192];

static Status rank_run(Comm *comm, void *context) {
  const BenchParams params = {.percent = 1, .repeat = 2, .comm = comm};
  FILE *out = comm_rank(comm) ? tmpfile() : context;
  Exec *exec = NULL;
  CHECK(out, ERR_IO, "no file");
  TRY(testing_rank_exec(NULL, 1, &exec));
  const Status status = bench_peers(exec, &params, out);
  exec_destroy(&exec);
  const bool silent = comm_rank(comm) == 0 || ftell(out) == 0;
  if (comm_rank(comm)) fclose(out);
  return status == OK && !silent ? FAIL(ERR_NUMERIC, "rank %d speaks", comm_rank(comm)) : status;
}

static int count(const char *part) {
  int n = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) ++n;
  return n;
}

static void ranks_say(int n_rank) {
  FILE *out = tmpfile();
  assert_non_null(out);
  assert_ok(n_rank > 1 ? comm_threads_run(n_rank, rank_run, out) : rank_run(NULL, out));
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = 0;
  fclose(out);
}

static void figures(void **state) {
  (void)state;
  const char *backend = getenv("SINEW_TEST_BACKEND");
  const bool gpu = backend && !strcmp(backend, "cuda");
  ranks_say(1);
  assert_int_equal(count("no exchanges"), 1);
  assert_int_equal(count("exchange of n doubles"), 0);
  assert_int_equal(count("sum over all ranks' n rows"), gpu ? 4 : 1);
  assert_int_equal(count("not by parts"), gpu ? 4 : 1);
  if (gpu) return; /* ranks on GPUs are processes */
  for (int n = 2; n <= 3; ++n) {
    ranks_say(n);
    assert_int_equal(count("exchange of n doubles"), 3);
    assert_int_equal(count("sum over all ranks' n rows"), 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(figures)};
  Exec *exec = testing_exec(); /* ends here where there is none */
  exec_destroy(&exec);
  return cmocka_run_group_tests_name("bench/peers", tests, NULL, NULL);
}
