/* Memory that does not suffice: of the address space (`ulimit -v`) 7 with a sentence, whoever it is that gets none, the program,
 * HDF5, OpenMP; of a GPU of `auto` a run on the CPU. And what a summary says of several ranks. */
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

/* A grid is counted before it is made. */
static void large_grid(void **state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__)
  skip(); /* needs terabytes of address space */
#endif
  char *folder = folder_create();
  put_text(folder, "large.yaml",
           "version: 1\nmesh: {grid: [2001, 2001], refine: 1}\nphysics: elasticity\nmodel: plane-stress\n"
           "materials: [{on: body, young: 70, poisson: 0.3, thickness: 1}]\nboundary: [{on: x0, fix: all}]\n");
  Run run = limited(folder, 1500000, "check large.yaml");
  assert_code(&run, 7);
  assert_said(&run, "# a large grid, by its counts");
  assert_said(&run, "mesh: a grid of 1.602e+07 nodes and 1.6e+07 elements takes about 2.7 GB of memory");
  assert_said(&run, "remedy: a smaller 'grid' or 'refine'");
  run_release(&run);
  folder_remove(&folder);
}

static const char plate[] =
    "version: 1\nmesh: {grid: [131, 101], size: [3, 2]}\nphysics: elasticity\nmodel: plane-stress\n"
    "materials: [{on: body, young: 70, poisson: 0.3, thickness: 1}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [0.1, 0.02]}]\n"
    "expect: [{quantity: strain-energy, value: 1, rtol: 1e9}]\n";

/* As if a GPU had so much room: `auto` goes to the CPU and says so, and the result is that of the CPU, to the byte. */
static void no_room_on_the_gpu(void **state) {
  static const char *const cases[] = {"plate.yaml", "heart.yaml"};
  (void)state;
  char *folder = folder_create(), script[512];
  put_text(folder, "plate.yaml", plate);
  put_text(folder, "heart.yaml", heart);
  Run gpu = run_sinew(folder, "check", "plate.yaml", "-q", "--backend", "cuda", NULL);
  const bool real = gpu.code == 0; /* "auto" leaves that alone for so small a case */
  run_release(&gpu);
  if (real) {
    print_message("skipped: a GPU is here, and a played one stands in for none\n");
    folder_remove(&folder);
    skip();
  }
  for (int k = 0; k < 2; ++k) {
    Run run = run_sinew(folder, "run", cases[k], "-q", "--backend", "cpu", "--output", "cpu", "--overwrite", NULL);
    assert_code(&run, 0);
    run_release(&run);
    for (int room = 3000; room < 300000000; room *= 90) {
      snprintf(script, sizeof script, "SINEW_GPU_ROOM=%d exec '%s' run %s -q --output auto --overwrite", room,
               SINEW_PROGRAM, cases[k]);
      run = run_program(folder, "sh", (const char *const[]){"-c", script, NULL});
      assert_code(&run, 0);
      if (room == 3000) assert_said(&run, "this run uses the CPU, because the GPU has too little memory for it");
      if (room > 100000000) assert_not_said(&run, "no room");
      const bool on_cpu = strstr(run.err, "no room") != NULL;
      run_release(&run);
      if (!on_cpu) continue;
      run = run_program(folder, "cmp", (const char *const[]){"auto/probes.csv", "cpu/probes.csv", NULL});
      assert_code(&run, 0);
      run_release(&run);
    }
  }
  folder_remove(&folder);
}

/* The summary says that several ranks have done it. */
static void ranks_are_told(void **state) {
  (void)state;
  char *folder = folder_create(), script[512];
  put_text(folder, "plate.yaml", plate);
  for (int n = 1; n < 4; ++n) {
    snprintf(script, sizeof script, "SINEW_RANKS_AS_THREADS=%d exec '%s' run plate.yaml --backend cpu --overwrite", n,
             SINEW_PROGRAM);
    Run run = run_program(folder, "sh", (const char *const[]){"-c", script, NULL});
    assert_code(&run, 0);
    snprintf(script, sizeof script, "\nranks        %d, of ", n);
    if (n > 1) assert_said(&run, script);
    else assert_not_said(&run, "\nranks ");
    run_release(&run);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(told), cmocka_unit_test(large_grid),
                                     cmocka_unit_test(no_room_on_the_gpu), cmocka_unit_test(ranks_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
