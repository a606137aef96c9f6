/* One of several ranks fails: all come back with its message and its exit code, and lose nothing. As threads; processes
 * are tests/faults/ranks.sh. */
#include "app/commands/commands.h"
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds in which nothing here may hang. */
enum { HUNG = 400 };

static struct {
  int rank; /* whose allocations fail */
  int64_t nth;
  _Atomic int64_t count; /* of that rank */
  _Atomic size_t lost;   /* of all ranks */
} victim;

static Status victim_runs(const Options *options, Guard guard) {
  const bool is = comm_rank(options->comm) == victim.rank;
  const size_t before = mem_in_use();
  if (is) mem_fail_nth(victim.nth);
  const Status status = command_run(options, guard);
  if (is) victim.count = mem_count();
  if (is) mem_fail_nth(0);
  victim.lost += mem_in_use() - before;
  return status;
}

static const char heat[] = "version: 1\nmesh: {grid: [61, 61], size: [2, 1]}\nphysics: heat\n"
                           "materials: [{on: body, conductivity: 1, capacity: 1.5}]\n"
                           "boundary:\n- {on: y0, temperature: '1+sin(9*t)*x'}\n- {on: x1, flux: 1}\n"
                           "time: {end: 0.2, step: 0.1}\nsolver: {preconditioner: chebyshev}\n"
                           "output:\n  checkpoint: 0.1\n  fields: [temperature, flux]\n"
                           "  probes: [{name: a, at: [1.1, 0.3]}]\n  sums: [{name: q, on: y0, field: heat-flow}]\n";
static const char elastic[] = "version: 1\nmesh: {grid: [7, 21, 23]}\nphysics: elasticity\nmodel: 3d\n"
                              "materials: [{on: body, young: 100, poisson: 0.3}]\n"
                              "boundary:\n- {on: x0, symmetry: true}\n- {on: y0, fix: all}\n- {on: z1, pressure: x}\n"
                              "solver: {rtol: 0.1, preconditioner: jacobi}\n"
                              "output: {fields: [displacement, stress, element-stress]}\n";

static int say(const char *n, const char *folder, char *said, size_t room) {
  char path[512], errors[512];
  snprintf(path, sizeof path, "%s", scratch_path(folder, "case.yaml"));
  snprintf(errors, sizeof errors, "%s", scratch_path(folder, "said"));
  char *words[] = {(char *)"sinew",   (char *)"run",         path,
                   (char *)"--quiet", (char *)"--overwrite", (char *)"--threads",
                   (char *)"1",       (char *)"--backend",   (char *)"cpu"};
  fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  assert_non_null(freopen(errors, "w", stderr));
  setenv("SINEW_RANKS_AS_THREADS", n, 1);
  victim.lost = 0;
  const int code = app_line(9, words, NULL, victim_runs);
  unsetenv("SINEW_RANKS_AS_THREADS");
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  char *text = scratch_read(folder, "said");
  snprintf(said, room, "%s", text);
  free(text);
  return code;
}

/* What rank 0 says of rank `rank`. True: the run did without, as without the measurement of the machine's bandwidth. */
static bool fails_alone(const char *folder, int rank, int64_t nth) {
  char said[4096], whose[32];
  snprintf(whose, sizeof whose, "on rank %d of 3", rank);
  victim.rank = rank, victim.nth = nth;
  const int code = say("3", folder, said, sizeof said);
  const bool reached = victim.count >= nth;
  if (code == 0 && reached && !*said && !victim.lost) return true;
  if (reached ? code != 7 : code != 0) fail_msg("rank %d, allocation %d: exit code %d: %s", rank, (int)nth, code, said);
  const char *at = strstr(said, "not enough memory");
  if (reached && (!at || strstr(at + 1, "not enough memory")))
    fail_msg("rank %d, allocation %d: nothing of memory, or twice: %s", rank, (int)nth, said);
  if (reached && rank && !strstr(said, whose)) fail_msg("allocation %d: not '%s': %s", (int)nth, whose, said);
  if (victim.lost) fail_msg("rank %d, allocation %d: %d bytes are lost", rank, (int)nth, (int)victim.lost);
  return false;
}

static void memory_runs_short(const char *text) {
  const char *every = getenv("SINEW_TEST_EVERY"); /* 1: all allocations, which takes minutes */
  char said[4096];
  for (int rank = 0; rank < 3; ++rank) {
    char *folder = scratch_create();
    scratch_write(folder, "case.yaml", text);
    int without = 0;
    victim.rank = rank, victim.nth = 0;
    assert_int_equal(say("3", folder, said, sizeof said), 0);
    const int64_t total = victim.count;
    const int64_t step = every ? strtoll(every, NULL, 10) : total / 9 + 1;
    for (int64_t nth = 1 + rank; nth <= total; nth += step) without += fails_alone(folder, rank, nth);
    assert_true(without <= 3);
    print_message("rank %d of 3: %d allocations\n", rank, (int)total);
    scratch_remove(&folder);
  }
}

static void heat_in_time(void **state) {
  (void)state;
  memory_runs_short(heat);
}

static void elasticity(void **state) {
  (void)state;
  memory_runs_short(elastic);
}

/* What each rank has taken when a step is at its end. */
static _Atomic size_t in_use[3];
static _Thread_local int this_rank;
static int note_memory(int on) {
  if (on) in_use[this_rank] = mem_in_use();
  return 0;
}

static Status rank_runs(const Options *options, Guard guard) {
  this_rank = comm_rank(options->comm);
  return command_run(options, guard);
}

/* Other ranks than the first keep nothing of the whole. */
static void the_whole_is_given_back(void **state) {
  (void)state;
  char path[512];
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [16, 16, 90], size: [1, 1, 6]}\nphysics: heat\n"
                "materials: [{on: body, conductivity: 1, capacity: 1}]\nboundary: [{on: x0, temperature: 1}]\n"
                "time: {end: 0.1, step: 0.1}\nsolver: {preconditioner: jacobi, rtol: 0.1}\n");
  snprintf(path, sizeof path, "%s", scratch_path(folder, "case.yaml"));
  char *words[] = {(char *)"sinew", (char *)"run",       path,         (char *)"--quiet", (char *)"--threads",
                   (char *)"1",     (char *)"--backend", (char *)"cpu"};
  setenv("SINEW_RANKS_AS_THREADS", "3", 1);
  assert_int_equal(app_line(8, words, note_memory, rank_runs), 0);
  unsetenv("SINEW_RANKS_AS_THREADS");
  const size_t whole = 1000000; /* and more: mesh, numbers of nodes, what the elements are made of */
  for (int r = 1; r < 3; ++r)
    if (in_use[r] + whole > in_use[0]) fail_msg("rank %d has %zu bytes, rank 0 %zu", r, in_use[r], in_use[0]);
  scratch_remove(&folder);
}

/* Nodes of no element, more than two ranks have, before those of a square of triangles. */
static void write_lonely(const char *folder) {
  enum { LONE = 2500, N = 41 };
  FILE *file = fopen(scratch_path(folder, "lone.msh"), "w");
  assert_non_null(file);
  fprintf(file,
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"left\"\n2 2 \"body\"\n$EndPhysicalNames\n"
          "$Nodes\n%d\n",
          LONE + N * N);
  for (int i = 0; i < LONE; ++i) fprintf(file, "%d %g 7 0\n", i + 1, 5 + 0.001 * i);
  for (int i = 0; i < N * N; ++i) fprintf(file, "%d %d %d 0\n", LONE + i + 1, i % N, i / N);
  fprintf(file, "$EndNodes\n$Elements\n%d\n", N * (N - 1));
  int k = 0;
  for (int j = 0; j < N - 1; ++j) {
    const int first = LONE + j * N + 1;
    fprintf(file, "%d 1 2 1 1 %d %d\n", ++k, first, first + N);
    for (int i = first; i < first + N - 1; ++i)
      fprintf(file, "%d 3 2 2 1 %d %d %d %d\n", ++k, i, i + 1, i + N + 1, i + N);
  }
  fprintf(file, "$EndElements\n");
  fclose(file);
}

static void a_part_may_have_no_elements(void **state) {
  (void)state;
  static const char *const ranks[] = {"1", "3"};
  char said[4096], *rows[2];
  char *folder = scratch_create();
  write_lonely(folder);
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: lone.msh\nphysics: heat\nmaterials: [{on: body, conductivity: 2}]\n"
                "boundary: [{on: left, temperature: 'sin(y)'}]\nsource: [{on: body, value: x}]\n"
                "solver: {preconditioner: chebyshev}\noutput: {sums: [{name: q, on: left, field: heat-flow}]}\n");
  for (int k = 0; k < 2; ++k) {
    victim.nth = 0;
    assert_int_equal(say(ranks[k], folder, said, sizeof said), 0);
    rows[k] = scratch_read(folder, "results/probes.csv");
  }
  char *report = scratch_read(folder, "results/report.json");
  assert_non_null(strstr(report, "\"elements\": 0"));
  assert_string_equal(rows[0], rows[1]);
  free(report);
  free(rows[0]);
  free(rows[1]);
  scratch_remove(&folder);
}

/* The equation and the node are those of the whole, whichever rank has them. */
static void a_failing_solve_names_the_node(void **state) {
  (void)state;
  char alone[4096], together[4096];
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [41, 61], size: [2, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
                "formulation: displacement\nmaterials: [{on: body, young: '1e-200+max(0,0.8-y)', poisson: 0.3}]\n"
                "boundary: [{on: y0, fix: all}, {on: y1, traction: [1, 0]}]\nsolver: {preconditioner: none}\n");
  victim.nth = 0;
  assert_int_equal(say("1", folder, alone, sizeof alone), 6);
  assert_int_equal(say("2", folder, together, sizeof together), 6);
  assert_non_null(strstr(alone, "at node 2461 of grid, (0, 1, 0)"));
  assert_string_equal(alone, together);
  scratch_remove(&folder);
}

int main(void) {
  alarm(getenv("SINEW_TEST_EVERY") ? 0 : HUNG);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heat_in_time), cmocka_unit_test(elasticity), cmocka_unit_test(the_whole_is_given_back),
      cmocka_unit_test(a_part_may_have_no_elements), cmocka_unit_test(a_failing_solve_names_the_node)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
