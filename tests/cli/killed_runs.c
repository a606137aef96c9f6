/* A heart that is killed again and again: each --resume goes on from the last checkpoint, and in the end the results
 * are those of an undisturbed run. SIGTERM and SIGINT write one first and answer 10. */
#include "tests/cli/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char heart[] =
    "version: 1\nmesh: {grid: [161, 9], size: [40, 2]}\nphysics: monodomain\n"
    "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
    "stimuli: [{on: {box: {min: [0, 0], max: [1, 2]}}, duration: 2, amplitude: 50, period: 20}]\n"
    "time: {end: 40, step: 0.05, scheme: bdf2}\n"
    "output: {every: 1, maps: [activation], checkpoint: 0.5, probes: [{name: a, at: [10, 1]}, {name: t, at: [9.9, 1], "
    "field: activation}]}\n";

static char *folder;

static void path_of(const char *name, char out[512]) { snprintf(out, 512, "%s/%s", folder, name); }

static pid_t start(const char *output) {
  char path[512], into[512];
  path_of("case.yaml", path);
  path_of(output, into);
  const pid_t child = fork();
  if (child) return child;
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, 1);
  dup2(null, 2);
  execl(SINEW_PROGRAM, "sinew", "run", path, "--output", into, "--resume", "--quiet", "--backend", "cpu", "--threads",
        "1", NULL);
  _exit(127);
}

static int wait_for(pid_t child) {
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void nap(int milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

static void as_whole(const char *output) {
  char path[512];
  snprintf(path, sizeof path, "%s/probes.csv", output);
  char *whole = get_text(folder, "whole/probes.csv"), *parts = get_text(folder, path);
  assert_string_equal(whole, parts);
  free(whole);
  free(parts);
}

static void killed(void **state) {
  (void)state;
  int kills = 0, code = -SIGKILL;
  srand(7);
  for (int turn = 0; code != 0; ++turn) {
    const pid_t child = start("killed");
    nap(15 + rand() % 60 + (turn > 40 ? 10 * turn : 0)); /* surely to an end on a busy machine */
    kill(child, SIGKILL);
    code = wait_for(child);
    assert_true(code == 0 || code == -SIGKILL);
    kills += code != 0;
    assert_true(turn < 400);
  }
  print_message("killed %d times\n", kills);
  as_whole("killed");
}

static void stopped(int signal_number, const char *output) {
  int stops = 0, code = 10;
  for (int turn = 0; code != 0; ++turn) {
    const pid_t child = start(output);
    nap(60 + 20 * turn);
    kill(child, signal_number);
    code = wait_for(child);
    assert_true(code == 0 || code == 10 || code == -signal_number); /* the last: before main */
    stops += code != 0;
  }
  print_message("stopped %d times\n", stops);
  as_whole(output);
}
static void terminated(void **state) {
  (void)state;
  stopped(SIGTERM, "terminated");
}
static void interrupted(void **state) {
  (void)state;
  stopped(SIGINT, "interrupted");
}

static int begin(void **state) {
  (void)state;
  folder = folder_create();
  put_text(folder, "case.yaml", heart);
  return wait_for(start("whole"));
}
static int end(void **state) {
  (void)state;
  folder_remove(&folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(killed), cmocka_unit_test(terminated),
                                     cmocka_unit_test(interrupted)};
  return cmocka_run_group_tests(tests, begin, end);
}
