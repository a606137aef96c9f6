/* Rows of a bad-input table as tests, see table.h. */
#include "tests/cli/table.h"
#include "tests/cli/small_mesh.h"

#include <stdio.h>
#include <string.h>

static char *edit_all(const char *text, const char *const edits[ROW_EDITS][2]) {
  char *now = strdup(text);
  for (int i = 0; i < ROW_EDITS && edits[i][0]; ++i) {
    char *next = edited(now, edits[i][0], edits[i][1]);
    free(now);
    now = next;
  }
  return now;
}

static void row_write(const Row *row, const char *folder) {
  const bool cube = row->case_text && strstr(row->case_text, "cube.msh");
  const char *mesh = row->mesh ? row->mesh : cube ? CUBE_MESH : SQUARE_MESH;
  char *text = edit_all(row->case_text ? row->case_text : SQUARE_CASE, row->edit);
  put_text(folder, "case.yaml", text);
  free(text);
  if (!*mesh) return;
  text = edit_all(mesh, row->mesh_edit);
  put_text(folder, cube ? "cube.msh" : "square.msh", text);
  free(text);
}

static void row_hold(const Row *row, const Run *run, const char *command) {
  if (row->code == 0 && run->code != 0)
    fail_msg("'%s' should pass, exit code %d\n---- stderr\n%s", command, run->code, run->err);
  if (run->code != row->code)
    fail_msg("'%s': exit code %d expected, got %d\n---- stderr\n%s---- stdout\n%s", command, row->code, run->code,
             run->err, run->out);
  for (int i = 0; i < ROW_PARTS && row->said[i]; ++i)
    if (!strstr(run->err, row->said[i]))
      fail_msg("'%s': stderr should hold \"%s\"\n---- stderr\n%s", command, row->said[i], run->err);
  if (row->not_said && strstr(run->err, row->not_said))
    fail_msg("'%s': stderr should not hold \"%s\"\n---- stderr\n%s", command, row->not_said, run->err);
}

static void row_test(void **state) {
  const Row *row = *state;
  char *folder = folder_create();
  row_write(row, folder);
  if (!row->solving) {
    Run check = run_sinew(folder, "check", "case.yaml", NULL);
    row_hold(row, &check, "check");
    expect_that(!is_there(folder, "results"), "'check' left an output folder");
    run_release(&check);
  }
  Run run = run_sinew(folder, "run", "case.yaml", NULL);
  row_hold(row, &run, "run");
  if (row->code == 0) expect_that(is_there(folder, "results/results.hdf"), "no result");
  if (row->code && !row->solving) expect_that(!is_there(folder, "results"), "an input error left an output folder");
  run_release(&run);
  folder_remove(&folder);
}

int table_run(const char *name, const Row *rows, int n) {
  struct CMUnitTest *tests = calloc((size_t)n, sizeof *tests);
  for (int i = 0; i < n; ++i)
    tests[i] =
        (struct CMUnitTest){.name = rows[i].name, .test_func = row_test, .initial_state = (void *)(uintptr_t)&rows[i]};
  const int failed = testing_result(_cmocka_run_group_tests(name, tests, (size_t)n, NULL, NULL));
  free(tests);
  return failed;
}
