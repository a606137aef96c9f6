/* bench heat: each size and solver makes its row, --part and --only choose among them, wrong words are told. */
#include "bench/bench.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static Exec *exec;

static int rows(BenchParams params, const char *part) {
  char text[8192];
  FILE *out = tmpfile();
  int n = 0;
  assert_non_null(out);
  params.percent = 2;
  params.repeat = 2;
  assert_ok(bench_heat(exec, &params, out));
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = 0;
  fclose(out);
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) ++n;
  return n;
}

static void choices(void **state) {
  (void)state;
  assert_int_equal(rows((BenchParams){.only = "512"}, "steps/s"), 3); /* paper, default, polynomial */
  assert_int_equal(rows((BenchParams){.only = "512", .part = "default"}, "default  sbell  jacobi"), 1);
  assert_int_equal(rows((BenchParams){.only = "4096", .part = "paper,polynomial"}, "81^2"), 2);
  assert_int_equal(rows((BenchParams){.part = "polynomial"}, "least-squares"), exec_is_host(exec) ? 3 : 5);
}

static void wrong_words(void **state) {
  (void)state;
  FILE *out = tmpfile();
  assert_non_null(out);
  assert_fails(bench_heat(exec, &(BenchParams){.part = "default,poly"}, out), ERR_USAGE, "has no part 'poly'");
  assert_fails(bench_heat(exec, &(BenchParams){.part = ""}, out), ERR_USAGE, "has no part ''");
  assert_fails(bench_heat(exec, &(BenchParams){.only = "1000"}, out), ERR_USAGE, "no size of 'heat' is called '1000'");
  fclose(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(choices), cmocka_unit_test(wrong_words)};
  return testing_run("bench/heat", tests, exec);
}
