/* Address space that does not suffice (`ulimit -v`): 7 with a sentence, whoever it is that gets none: the program,
 * HDF5, OpenMP. */
#include "tests/cli/run_program.h"

#include <stdio.h>
#include <string.h>

static const char heart[] = "version: 1\nmesh: {grid: [101, 51], size: [50, 25]}\nphysics: monodomain\n"
                            "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
                            "stimuli: [{on: {box: {min: [0, 0], max: [2, 25]}}, duration: 2, amplitude: 50}]\n"
                            "time: {end: 2, step: 0.5}\noutput: {every: 1, checkpoint: 1}\n";

enum { STEP_KB = 4000, LARGEST_KB = 4000000 };

/* A run of `sinew` below a limit. */
static Run limited(const char *folder, int kilobytes, const char *words) {
  char script[1024];
  snprintf(script, sizeof script, "(ulimit -v %d; exec '%s' %s); exit $?", kilobytes, SINEW_PROGRAM, words);
  return run_program(folder, "sh", (const char *const[]){"-c", script, NULL});
}

/* The smallest limit below which the program can be loaded at all. */
static int smallest(const char *folder) {
  for (int limit = STEP_KB; limit < LARGEST_KB; limit += STEP_KB) {
    Run run = limited(folder, limit, "--version 2>/dev/null");
    const bool works = run.code == 0;
    run_release(&run);
    if (works) return limit;
  }
  skip();
  return 0;
}

static void told(void **state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__)
  skip(); /* needs terabytes of address space */
#endif
  char *folder = folder_create();
  put_text(folder, "heart.yaml", heart);
  setenv("GOMP_SPINCOUNT", "1000", 1);
  const int least = smallest(folder);
  int refused = 0;
  for (int limit = least, good = 0; good < 3; limit += STEP_KB) {
    Run run = limited(folder, limit, "run heart.yaml --overwrite --quiet --backend cpu --threads 4");
    if (run.code != 0 && run.code != 7) fail_msg("ulimit -v %d: exit code %d\n%s", limit, run.code, run.err);
    if (run.code == 7 && !strstr(run.err, "memory"))
      fail_msg("ulimit -v %d: nothing about memory in\n%s", limit, run.err);
    refused += run.code == 7;
    good = run.code == 0 ? good + 1 : 0;
    run_release(&run);
    if (limit > LARGEST_KB) fail_msg("no limit suffices");
  }
  print_message("7 at %d limits from %d kB on\n", refused, least);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
