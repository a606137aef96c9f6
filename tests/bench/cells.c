/* bench cells: a row for each ionic model, with a time. */
#include "bench/bench.h"
#include "physics/ionic.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static void a_row_each(void **state) {
  (void)state;
  static char text[8192];
  const BenchParams params = {.repeat = 1};
  FILE *out = tmpfile();
  Exec *exec = testing_exec();
  assert_non_null(out);
  assert_ok(bench_cells(exec, &params, out));
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = 0;
  fclose(out);
  for (int kind = 0; kind < ionic_count(); ++kind) {
    int states;
    double together, alone;
    const char *row = strstr(text, ionic_type(kind)->name);
    assert_non_null(row);
    assert_int_equal(sscanf(row + strlen(ionic_type(kind)->name), "%d %lf %lf", &states, &together, &alone), 3);
    assert_int_equal(states, ionic_type(kind)->n_state);
    assert_true(together > 0 && alone > 0);
  }
  assert_fails(bench_cells(exec, &(BenchParams){.only = "nobody"}, stdout), ERR_USAGE,
               "'--only nobody' is no ionic model");
  exec_destroy(&exec);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
