/* bench cmg: every solver on tiny grids, one part of it, the dump for PETSc, wrong names, all freed after a failure. */
#include "bench/bench.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Exec *exec;

static Status run(BenchParams params, char *said, size_t size) {
  FILE *out = tmpfile();
  assert_non_null(out);
  params.percent = 15;
  params.version = params.commit = "test";
  const Status status = bench_cmg(exec, &params, out);
  rewind(out);
  said[fread(said, 1, size - 1, out)] = '\0';
  fclose(out);
  return status;
}

static int32_t count(const char *said, const char *what) {
  int32_t n = 0;
  for (; (said = strstr(said, what)) != NULL; ++said) ++n;
  return n;
}

static void every_solver_or_one(void **state) {
  (void)state;
  static char said[20000];
  assert_ok(run((BenchParams){.only = "hard1"}, said, sizeof said));
  assert_int_equal(count(said, "\nhard1 "), 4);
  assert_int_equal(count(said, "levels (thesis 5)"), 3);
  assert_non_null(strstr(said, "jacobi  double"));
  assert_non_null(strstr(said, "thesis  double"));
  assert_non_null(strstr(said, "cmg     mixed"));
  assert_non_null(strstr(said, "ibmpg1: CPU 7.60 s"));
  assert_ok(run((BenchParams){.only = "pg2", .part = "cmg"}, said, sizeof said));
  assert_int_equal(count(said, "\npg2 "), 2);
}

/* A vector of block size and number of near-null vectors, then a square matrix: big-endian, PETSc's marks. */
static void dump_for_petsc(void **state) {
  (void)state;
  static char said[20000];
  char path[] = "/tmp/sinew-cmg-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_ok(run((BenchParams){.only = "pg1", .part = "cmg", .dump = path}, said, sizeof said));
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  uint32_t head[6], matrix[4];
  assert_int_equal(fread(head, 4, 6, f), 6);
  assert_int_equal(fread(matrix, 4, 4, f), 4);
  assert_int_equal(be32toh(head[0]), 1211214);
  assert_int_equal(be32toh(head[1]), 2);
  assert_int_equal((uint64_t)be32toh(head[2]) << 32 | be32toh(head[3]), 0x3ff0000000000000u); /* 1 */
  assert_true(head[4] == 0 && head[5] == 0);
  assert_int_equal(be32toh(matrix[0]), 1211216);
  assert_int_equal(matrix[1], matrix[2]);
  const int64_t n = be32toh(matrix[1]), entries = be32toh(matrix[3]);
  fseek(f, 0, SEEK_END);
  assert_int_equal(ftell(f), 24 + 16 + 4 * n + 12 * entries + 8 + 8 * n); /* and the right-hand side, no more */
  fclose(f);
  remove(path);
}

static void wrong_names(void **state) {
  (void)state;
  char said[2000];
  assert_fails(run((BenchParams){.only = "pg9"}, said, sizeof said), ERR_USAGE, "no grid of 'cmg' is called 'pg9'");
  assert_fails(run((BenchParams){.part = "amg"}, said, sizeof said), ERR_USAGE, "'cmg' has no part 'amg'");
}

static void nothing_is_left(void **state) {
  (void)state;
  static char said[20000];
  const int64_t at[] = {1, 30, 60, 120};
  for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
    const size_t before = mem_in_use(), on_exec = exec->in_use;
    mem_fail_nth(at[k]);
    const Status status = run((BenchParams){.only = "pg1", .part = "cmg"}, said, sizeof said);
    mem_fail_nth(0);
    if (status != OK)
      assert_out_of_memory(status); /* what JSON could not hold is told by saving it, which nobody asked for */
    assert_int_equal(exec->in_use, on_exec);
    assert_int_equal(mem_in_use(), before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_solver_or_one), cmocka_unit_test(dump_for_petsc),
                                     cmocka_unit_test(wrong_names), cmocka_unit_test(nothing_is_left)};
  return testing_run("bench/cmg", tests, exec);
}
