/* No run spoils the result of another, and none says that a result is there which is not. */
#include "tests/cli/run_program.h"
#include "tests/cli/small_mesh.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Goes on until it is stopped. */
static const char longer[] =
    "version: 1\nmesh: {grid: [21, 3], size: [10, 1]}\nphysics: monodomain\n"
    "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
    "stimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50}]\n"
    "time: {end: 1e5, step: 0.05}\noutput: {every: 1000, checkpoint: 10000, probes: [{name: a, at: [5, 0]}]}\n";

static char *new_folder(void) {
  char *folder = folder_create();
  put_text(folder, "case.yaml", SQUARE_CASE);
  put_text(folder, "square.msh", SQUARE_MESH);
  put_text(folder, "longer.yaml", longer);
  return folder;
}

static pid_t start(const char *folder, const char *file) {
  const pid_t child = fork();
  if (child) return child;
  if (chdir(folder)) _exit(126);
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, 1);
  dup2(null, 2);
  execl(SINEW_PROGRAM, "sinew", "run", file, "--quiet", "--backend", "cpu", "--threads", "1", "--output", "results",
        NULL);
  _exit(127);
}

static void nap(int milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000L};
  nanosleep(&time, NULL);
}

static void wait_until_there(const char *folder, const char *name) {
  for (int turn = 0; turn < 1000 && !is_there(folder, name); ++turn) nap(10);
  expect_that(is_there(folder, name), "no %s after 10 s", name);
}

static int ended(pid_t child) {
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Refused at once, whatever is asked for, and the first run goes on as if nothing had been. */
static void second_run_is_refused(void **state) {
  (void)state;
  char *folder = new_folder();
  const pid_t first = start(folder, "longer.yaml");
  wait_until_there(folder, "results/results.hdf");
  static const char *const more[] = {"--overwrite", "--resume"};
  for (int k = 0; k < 2; ++k) {
    Run run = run_sinew(folder, "run", "longer.yaml", "--output", "results", more[k], NULL);
    assert_code(&run, 5);
    assert_said(&run, "is in use by another run (process ");
    run_release(&run);
    run = run_sinew(folder, "run", "case.yaml", more[k], NULL);
    assert_code(&run, 5);
    run_release(&run);
  }
  kill(first, SIGTERM);
  assert_int_equal(ended(first), 10);
  expect_that(is_there(folder, "results/checkpoint-1.hdf"), "no checkpoint");
  expect_that(!is_there(folder, "results/.sinew-lock"), "the lock is left");
  folder_remove(&folder);
}

static void compare(const char *folder, char *before[3]) {
  static const char *const names[] = {"results/results.xdmf", "results/probes.csv", "results/report.json"};
  for (int i = 0; i < 3; ++i) {
    char *now = get_text(folder, names[i]);
    if (before[i]) assert_string_equal(now, before[i]);
    if (before[i]) free(now);
    else before[i] = now;
  }
}

/* What fails before the new result is whole leaves every file of the old one. */
static void failed_overwrite_keeps_all(void **state) {
  (void)state;
  char *folder = new_folder(), *before[3] = {NULL};
  Run run = run_sinew(folder, "run", "case.yaml", NULL);
  assert_code(&run, 0);
  run_release(&run);
  compare(folder, before);
  for (int blocks = 1; blocks < 48; blocks += 3) {
    char command[256];
    snprintf(command, sizeof command,
             "trap '' XFSZ; ulimit -f %d; exec \"$0\" run case.yaml --overwrite --set materials.0.young=500", blocks);
    run = run_program(folder, "sh", (const char *[]){"-c", command, SINEW_PROGRAM, NULL});
    if (run.code == 0) break;
    assert_code(&run, 9);
    assert_said(&run, "results.hdf' is untouched");
    run_release(&run);
    compare(folder, before);
  }
  run_release(&run);
  run = run_sinew(folder, "run", "case.yaml", "--overwrite", "--set", "solver.max-iterations=1", "--set",
                  "solver.rtol=1e-14", "--set", "solver.preconditioner.type=jacobi", NULL);
  assert_code(&run, 6);
  assert_said(&run, "is untouched");
  run_release(&run);
  for (int i = 0; i < 3; ++i) free(before[i]);
  folder_remove(&folder);
}

static void closed_standard_files(void **state) {
  (void)state;
  char *folder = new_folder();
  Run run = run_program(
      folder, "sh", (const char *[]){"-c", "exec \"$0\" run case.yaml --verbose <&- >&- 2>&-", SINEW_PROGRAM, NULL});
  assert_code(&run, 0);
  run_release(&run);
  run = run_sinew(folder, "info", "results/results.hdf", NULL);
  assert_code(&run, 0);
  assert_said(&run, "a result of Sinew");
  run_release(&run);
  folder_remove(&folder);
}

static void removed_during_the_run(void **state) {
  (void)state;
  static const char *const commands[] = {"rm -rf results", "rm results/results.hdf", "rm results/probes.csv",
                                         "mv results other"};
  for (int k = 0; k < 4; ++k) {
    char *folder = new_folder();
    const pid_t child = start(folder, "longer.yaml");
    wait_until_there(folder, "results/report.json");
    wait_until_there(folder, "results/results.xdmf");
    Run run = run_program(folder, "sh", (const char *[]){"-c", commands[k], NULL});
    assert_code(&run, 0);
    run_release(&run);
    kill(child, SIGTERM);
    assert_int_equal(ended(child), 9);
    folder_remove(&folder);
  }
}

/* A shell takes the line as it stands. */
static void way_on_repeats_options(void **state) {
  (void)state;
  char *folder = new_folder();
  Run run = run_program(
      folder, "sh",
      (const char *[]){"-c",
                       "\"$0\" run longer.yaml --overwrite --set \"title=it's so\" --threads 1 --output 'my results' "
                       "--backend=cpu --quiet & until [ -e 'my results/results.hdf' ]; do sleep 0.05; done; "
                       "kill -TERM $!; wait $!; test $? = 10",
                       SINEW_PROGRAM, NULL});
  assert_code(&run, 0);
  static const char *const parts[] = {"go on with: ",
                                      "run longer.yaml ",
                                      " --set 'title=it'\\''s so'",
                                      " --threads 1",
                                      " --output 'my results'",
                                      " --backend cpu",
                                      " --quiet",
                                      " --resume\n"};
  for (int i = 0; i < 8; ++i) assert_said(&run, parts[i]);
  expect_that(is_there(folder, "my results/checkpoint-1.hdf"), "no checkpoint");
  run_release(&run);
  folder_remove(&folder);
}

/* Nothing is left of a static run that was stopped while it solved. */
static void failed_run_leaves_no_folder(void **state) {
  (void)state;
  char *folder = new_folder();
  Run run = run_sinew(folder, "run", "case.yaml", "--output", "a/b/c", "--set", "boundary=[]", NULL);
  expect_that(run.code != 0, "a body that nothing holds was solved");
  run_release(&run);
  expect_that(!is_there(folder, "a"), "an error left an output folder");
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(second_run_is_refused),  cmocka_unit_test(failed_overwrite_keeps_all),
      cmocka_unit_test(closed_standard_files),  cmocka_unit_test(removed_during_the_run),
      cmocka_unit_test(way_on_repeats_options), cmocka_unit_test(failed_run_leaves_no_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
