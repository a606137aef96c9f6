/* bench pmg: runs on tiny meshes, counts memory and levels as they are, refuses unknown meshes, frees all after a
 * failure. */
#include "bench/bench.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static Exec *exec;

static Status run(const char *only, char *said, size_t size) {
  FILE *out = tmpfile();
  assert_non_null(out);
  const BenchParams params = {.percent = 9, .only = only, .version = "test", .commit = "test"};
  const Status status = bench_pmg(exec, &params, out);
  rewind(out);
  said[fread(said, 1, size - 1, out)] = '\0';
  fclose(out);
  return status;
}

static void two_and_three_levels(void **state) {
  (void)state;
  static char said[20000];
  assert_ok(run("tet10", said, sizeof said)); /* 3 cubes in each direction */
  assert_non_null(strstr(said, "tet10: 1029 rows"));
  assert_non_null(strstr(said, "2 orders, 192 rows of linear elements (1 in 5.36)"));
  assert_non_null(strstr(said, "ELLPACK-R"));
  assert_non_null(strstr(said, "weighted Jacobi, double"));
  assert_null(strstr(said, "hex20:"));
  assert_ok(run("tet20", said, sizeof said)); /* 2 cubes */
  assert_non_null(strstr(said, "tet20: 1029 rows"));
  assert_non_null(strstr(said, "3 orders, 81 rows of linear elements"));
}

static void unknown_mesh(void **state) {
  (void)state;
  char said[2000];
  assert_fails(run("tet4", said, sizeof said), ERR_USAGE, "no mesh of 'pmg' is called 'tet4'");
}

static void nothing_is_left(void **state) {
  (void)state;
  static char said[20000];
  const int64_t at[] = {1, 60, 180};
  for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
    const size_t before = mem_in_use(), on_exec = exec->in_use;
    mem_fail_nth(at[k]);
    const Status status = run("tet10", said, sizeof said);
    mem_fail_nth(0);
    if (status != OK)
      assert_out_of_memory(status); /* what JSON could not hold is told by saving it, which nobody asked for */
    assert_int_equal(exec->in_use, on_exec);
    assert_int_equal(mem_in_use(), before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_and_three_levels), cmocka_unit_test(unknown_mesh),
                                     cmocka_unit_test(nothing_is_left)};
  return testing_run("bench/pmg", tests, exec);
}
