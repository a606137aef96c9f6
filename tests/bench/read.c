/* bench read: a row for each file, --only chooses among them, a wrong word is told. */
#include "bench/bench.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static Exec *exec;

static int rows(const char *only) {
  char text[4096];
  FILE *out = tmpfile();
  int n = 0;
  assert_non_null(out);
  assert_ok(bench_read(exec, &(BenchParams){.only = only, .percent = 6, .repeat = 2}, out));
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = 0;
  fclose(out);
  for (const char *at = strstr(text, "bytes alone"); at; at = strstr(at + 1, "bytes alone")) ++n;
  return n;
}

static void choices(void **state) {
  (void)state;
  assert_int_equal(rows(NULL), 3);
  assert_int_equal(rows("inp-tet10"), 1);
}

static void wrong_word(void **state) {
  (void)state;
  FILE *out = tmpfile();
  assert_non_null(out);
  assert_fails(bench_read(exec, &(BenchParams){.only = "inp"}, out), ERR_USAGE, "no file of 'read' is called 'inp'");
  fclose(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(choices), cmocka_unit_test(wrong_word)};
  return testing_run("bench/read", tests, exec);
}
