/* Runs that cannot be solved: exit code 6 with the step, what happened, the likely cause and what to do; no result
 * file. */
#include "tests/cli/json.h"
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

#include <string.h>

static const Row rows[] = {
    {"too few iterations", .edit = {{"solver: {rtol: 1e-10}", "solver: {max-iterations: 1}"}}, .code = 6,
     .solving = true, .said = {"1 iteration", "1.00e-08", "likely", "remedy"}},
    {"tolerance out of reach", .edit = {{"rtol: 1e-10", "rtol: 1e-30"}}, .code = 6, .solving = true,
     .said = {"stagnate", "1.00e-30", "rtol"}},
    {"overflowing load", .edit = {{"traction: [10, 0]", "traction: [1e308, 0]"}}, .code = 6, .solving = true,
     .said = {"not a number"}},
    {"overflowing displacement", .edit = {{"fix: {x: 0}", "fix: {x: 1e308}"}}, .code = 6, .solving = true,
     .said = {"not a number"}},
};

/* The report says so for machines, and a later run needs no --overwrite. */
static void failure_is_reported(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(SQUARE_CASE, "rtol: 1e-10", "max-iterations: 1");
  put_text(folder, "case.yaml", text);
  put_text(folder, "square.msh", SQUARE_MESH);
  Run run = run_sinew(folder, "run", "case.yaml", NULL);
  assert_code(&run, 6);
  run_release(&run);
  expect_that(!is_there(folder, "results/results.hdf") && !is_there(folder, "results/probes.csv"),
              "a result of a failed solve");
  char *report = get_text(folder, "results/report.json");
  expect_that(json_valid(report), "report.json is no JSON: %s", report);
  expect_that(json_find(report, "status") && strncmp(json_find(report, "status"), "\"converged\"", 11), "status: %s",
              report);
  run = run_sinew(folder, "run", "case.yaml", "--set", "solver.max-iterations=1000", NULL);
  assert_code(&run, 0);
  run_release(&run);
  free(report), free(text);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(failure_is_reported)};
  const int failed = table_run("solver errors", rows, (int)(sizeof rows / sizeof *rows));
  return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
