/* bench multilevel: the cube that is made without a mesh is the one with a mesh, its part runs, unknown parts are
 * refused, all is freed after a failure. */
#include "bench/bench.h"
#include "bench/multilevel/large_box.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;

static double *on_host(const double *from, int64_t n) {
  double *out = NULL;
  assert_ok(mem_alloc(n, sizeof *out, "vector", (void **)&out));
  assert_ok(exec_download(exec, out, from, (size_t)n * sizeof *out));
  return out;
}

/* A times a vector of many lengths. */
static double *product(const Mat *a) {
  const int64_t n = mat_rows(a);
  double *x = NULL, *on_exec = NULL, *y = NULL;
  assert_ok(mem_alloc(n, sizeof *x, "vector", (void **)&x));
  for (int64_t i = 0; i < n; ++i) x[i] = sin(0.1 * (double)(i * i % 1009));
  assert_ok(exec_alloc_upload(exec, n, sizeof *x, x, "vector", (void **)&on_exec));
  FREE(x);
  assert_ok(exec_alloc(exec, n, sizeof *y, "vector", (void **)&y));
  assert_ok(mat_apply(a, on_exec, y));
  x = on_host(y, n);
  EXEC_RELEASE(exec, on_exec, n);
  EXEC_RELEASE(exec, y, n);
  return x;
}

static void same_as_with_a_mesh(void **state) {
  (void)state;
  enum { CELLS = 7, N = 3 * (CELLS + 1) * (CELLS + 1) * (CELLS + 1) };
  LargeBox box;
  BenchProblem p;
  Mat *a = NULL;
  double seconds, *u = NULL, *b = NULL;
  assert_ok(large_box_create(exec, CELLS, &box));
  assert_ok(problem_create(exec, 1, 13, &p)); /* 54 cells, 13 per cent: 7 */
  assert_ok(problem_matrix(exec, &p, "sbell", &a, &seconds));
  assert_true(box.n == N && mat_rows(a) == N && mat_rows(box.a) == N);
  assert_int_equal(box.unknowns, elasticity_unknowns(p.elasticity));
  assert_ok(exec_alloc(exec, N, sizeof *u, "displacement", (void **)&u));
  assert_ok(exec_alloc(exec, N, sizeof *b, "loads", (void **)&b));
  assert_ok(elasticity_initial(p.elasticity, u));
  assert_ok(elasticity_residual(p.elasticity, u, b));
  double *got = product(box.a), *wanted = product(a), *load = on_host(box.b, N), *weight = on_host(b, N),
         *motions = NULL;
  assert_ok(mem_alloc(6 * N, sizeof *motions, "motions", (void **)&motions));
  assert_ok(elasticity_rigid_motions(p.elasticity, motions));
  for (int64_t i = 0; i < N; ++i) {
    assert_true(fabs(got[i] - wanted[i]) <= 1e-11 * 210);
    assert_true(fabs(load[i] - weight[i]) <= 1e-14);
  }
  for (int64_t i = 0; i < N; ++i) /* of held scalars nobody asks */
    for (int k = 0; k < 6 && i / 3 % (CELLS + 1) > 0; ++k)
      assert_true(fabs(box.motions[k * N + i] - motions[k * N + i]) <= 1e-14);
  EXEC_RELEASE(exec, u, N);
  EXEC_RELEASE(exec, b, N);
  FREE(got);
  FREE(wanted);
  FREE(load);
  FREE(weight);
  FREE(motions);
  mat_destroy(&a);
  problem_release(&p);
  large_box_release(&box);
}

static Status run(const char *part, const char *only, int32_t percent, char *said, size_t size) {
  FILE *out = tmpfile();
  assert_non_null(out);
  const BenchParams params = {.percent = percent, .part = part, .only = only, .version = "test", .commit = "test"};
  const Status status = bench_multilevel(exec, &params, out);
  rewind(out);
  said[fread(said, 1, size - 1, out)] = '\0';
  fclose(out);
  return status;
}

static void the_part_runs(void **state) {
  (void)state;
  char said[4000];
  assert_ok(run("large", "hex", 20, said, sizeof said));
  assert_non_null(strstr(said, "hex        3630  amg            mixed"));
  assert_non_null(strstr(said, "B/unknown all in all"));
  assert_fails(run("larger", "hex", 20, said, sizeof said), ERR_USAGE, "allowed: choice, growth, large");
}

/* The solve of a bidomain, launch by launch, as it is and in half; no other part has it. */
static void potential_by_launches(void **state) {
  (void)state;
  char said[8000];
  assert_ok(run("cycle", "potential", 12, said, sizeof said));
  assert_non_null(strstr(said, "potential, float: 936 unknowns"));
  assert_non_null(strstr(said, "potential, half: 936 unknowns"));
  assert_non_null(strstr(said, "pcg_direction_f                    936      1.00"));
  assert_fails(run("large", "potential", 8, said, sizeof said), ERR_USAGE, "allowed: quad, hex, tet, tri");
}

static void nothing_is_left(void **state) {
  (void)state;
  char said[4000];
  const int64_t at[] = {1, 1, 40, 40, 90, 90, 120, 120};
  for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
    const size_t before = mem_in_use(), on_exec = exec->in_use;
    mem_fail_nth(at[k]);
    const Status status = run(k % 2 ? "cycle" : "large", k % 2 ? "potential" : "hex", 8, said, sizeof said);
    mem_fail_nth(0);
    if (status != OK) assert_out_of_memory(status);
    assert_int_equal(exec->in_use, on_exec);
    assert_int_equal(mem_in_use(), before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_with_a_mesh), cmocka_unit_test(the_part_runs),
                                     cmocka_unit_test(potential_by_launches), cmocka_unit_test(nothing_is_left)};
  return testing_run("bench/multilevel", tests, exec);
}
