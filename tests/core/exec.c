/* Memory, copies, rows, marks and mirrors of an Exec: the same on every backend. */
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/vec.h"

static Exec *exec;

static void test_memory(void **state) {
  (void)state;
  double *x = NULL;
  const size_t before = exec->in_use;
  assert_ok(exec_alloc(exec, 100, sizeof *x, "a vector", (void **)&x));
  assert_int_equal(exec->in_use, before + 800);
  assert_true(exec->peak >= before + 800);
  double in[100], out[100];
  for (int i = 0; i < 100; ++i) in[i] = 1.5 * i;
  assert_ok(exec_upload(exec, x, in, sizeof in));
  assert_ok(exec_download(exec, out, x, sizeof out));
  assert_memory_equal(in, out, sizeof in);
  assert_ok(exec_zero(exec, x + 10, 5 * sizeof *x));
  assert_ok(exec_copy(exec, x + 50, x + 20, 10 * sizeof *x));
  assert_ok(exec_copy(exec, x, x, 0));
  assert_ok(exec_zero(exec, x, 0));
  assert_ok(exec_download(exec, out, x, sizeof out));
  for (int i = 0; i < 100; ++i) assert_true(out[i] == (i >= 10 && i < 15 ? 0 : i >= 50 && i < 60 ? in[i - 30] : in[i]));
  exec_release(exec, 100, sizeof *x, (void **)&x);
  assert_null(x);
  exec_release(exec, 100, sizeof *x, (void **)&x);
  assert_int_equal(exec->in_use, before);
  assert_ok(exec_alloc(exec, 0, sizeof *x, "nothing", (void **)&x));
  assert_non_null(x);
  exec_release(exec, 0, sizeof *x, (void **)&x);
  assert_ok(exec_alloc_upload(exec, 100, sizeof *x, in, "a vector", (void **)&x));
  assert_ok(exec_download(exec, out, x, sizeof out));
  assert_memory_equal(in, out, sizeof in);
  exec_release(exec, 100, sizeof *x, (void **)&x);
  assert_fails(exec_alloc(exec, -1, 8, "a vector", (void **)&x), ERR_MEMORY,
               "not enough memory for a vector: -1 items");
  assert_fails(exec_alloc(exec, INT64_MAX, 8, "a vector", (void **)&x), ERR_MEMORY, "a vector");
  assert_null(x);
  assert_int_equal(exec->in_use, before);
}

/* Lent memory is read where the Exec works, fetched memory is the host's; nothing stays. */
static void test_lend_and_fetch(void **state) {
  (void)state;
  enum { N = 50 };
  double in[N], out[N], *x = NULL, *host = NULL;
  const double *lent = NULL;
  const size_t before = exec->in_use, host_before = mem_in_use();
  for (int i = 0; i < N; ++i) in[i] = 3 * i;
  assert_ok(exec_lend(exec, N, sizeof *in, in, "numbers", (const void **)&lent));
  assert_int_equal(lent == in, exec_is_host(exec));
  assert_ok(exec_alloc(exec, N, sizeof *x, "numbers", (void **)&x));
  assert_ok(exec_copy(exec, x, lent, sizeof in));
  exec_lend_end(exec, N, sizeof *in, (const void **)&lent);
  assert_null(lent);
  assert_ok(exec_fetch(exec, N, sizeof *x, "numbers", (void **)&x, (void **)&host));
  assert_memory_equal(host, in, sizeof in);
  assert_int_equal(x == NULL, exec_is_host(exec));
  if (x) {
    assert_ok(exec_download(exec, out, x, sizeof out));
    assert_memory_equal(out, in, sizeof in);
  }
  exec_release(exec, N, sizeof *x, (void **)&x);
  FREE(host);
  assert_int_equal(exec->in_use, before);
  assert_int_equal(mem_in_use(), host_before);
}

/* Every row is done once, none beyond the last. */
static void test_rows(void **state) {
  (void)state;
  const int64_t sizes[] = {0, 1, 2, 31, 255, 256, 257, 1151, 1152, 1153, 5000, 1000000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    const int64_t n = sizes[s];
    double *one = NULL, *x = NULL, *host = NULL;
    assert_ok(exec_alloc(exec, n + 3, sizeof *x, "x", (void **)&x));
    assert_ok(exec_alloc(exec, n + 3, sizeof *x, "one", (void **)&one));
    assert_ok(mem_alloc(n + 3, sizeof *x, "host", (void **)&host));
    assert_ok(vec_fill(exec, n + 3, 1, one));
    assert_ok(vec_fill(exec, n + 3, -5, x));
    assert_ok(vec_axpy(exec, n, 2, one, x));
    assert_ok(exec_download(exec, host, x, (size_t)(n + 3) * sizeof *x));
    for (int64_t i = 0; i < n + 3; ++i)
      if (host[i] != (i < n ? -3 : -5)) fail_msg("row %lld of %lld is %g", (long long)i, (long long)n, host[i]);
    mem_free((void **)&host);
    exec_release(exec, n + 3, sizeof *x, (void **)&x);
    exec_release(exec, n + 3, sizeof *x, (void **)&one);
  }
  assert_fails(exec_rows(exec, &vec_fill_kernel, NULL, -1), ERR_BUG, "row kernel 'vec_fill' was asked for -1 rows");
  assert_ok(exec_sync(exec));
}

static void test_marks(void **state) {
  (void)state;
  double *x = NULL, seconds = -1;
  Exec *fresh = testing_exec();
  assert_ok(exec_alloc(fresh, 100000, sizeof *x, "x", (void **)&x));
  assert_fails(exec_elapsed(fresh, 0, 1, &seconds), ERR_BUG, "time mark 0 was never set");
  assert_ok(exec_mark(fresh, 0));
  assert_fails(exec_elapsed(fresh, 0, 31, &seconds), ERR_BUG, "time mark 31 was never set");
  for (int k = 0; k < 20; ++k) assert_ok(vec_fill(fresh, 100000, k, x));
  assert_ok(exec_mark(fresh, 31));
  assert_ok(exec_elapsed(fresh, 0, 31, &seconds));
  assert_true(seconds > 0 && seconds < 10);
  assert_fails(exec_mark(fresh, -1), ERR_BUG, "time mark -1 is outside 0 to 31");
  assert_fails(exec_mark(fresh, EXEC_MARKS), ERR_BUG, "time mark 32 is outside");
  assert_fails(exec_elapsed(fresh, 0, 99, &seconds), ERR_BUG, "time mark 99");
  exec_release(fresh, 100000, sizeof *x, (void **)&x);
  exec_destroy(&fresh);
  assert_null(fresh);
  exec_destroy(&fresh);
}

static void test_mirror(void **state) {
  (void)state;
  double *host = NULL, *device = NULL;
  assert_ok(exec_mirror_alloc(exec, 4 * sizeof *host, (void **)&host, (void **)&device));
  for (int i = 0; i < 4; ++i) assert_true(host[i] == 0);
  assert_ok(vec_fill(exec, 3, 2.5, device));
  assert_ok(exec_sync(exec));
  for (int i = 0; i < 4; ++i) assert_true(host[i] == (i < 3 ? 2.5 : 0));
  exec_mirror_release(exec, (void **)&host);
  assert_null(host);
  exec_mirror_release(exec, (void **)&host);
}

static void test_names(void **state) {
  (void)state;
  assert_true(exec_is_host(exec) == !strcmp(exec->table->name, "cpu"));
  assert_true(exec->device[0] != 0);
  Exec *three = NULL;
  assert_ok(exec_create_cpu(3, &three));
#ifdef _OPENMP
  assert_string_equal(three->device, "CPU, 3 threads");
#endif
  exec_destroy(&three);
}

/* Allocates all that an Exec can allocate; what it returns must be put away. */
static Status take_all(void) {
  enum { N = 2000 };
  double *x = NULL, *host = NULL, *device = NULL;
  const double number = 1;
  Status status = OK;
  TRY_DONE(exec_alloc(exec, N, sizeof *x, "x", (void **)&x));
  TRY_DONE(exec_mirror_alloc(exec, 8, (void **)&host, (void **)&device));
  TRY_DONE(exec_upload(exec, x, &number, 8));
  TRY_DONE(vec_fill(exec, N, 2, x));
  TRY_DONE(vec_norm(exec, N, x, device));
  TRY_DONE(exec_sync(exec));
done:
  exec_mirror_release(exec, (void **)&host);
  exec_release(exec, N, sizeof *x, (void **)&x);
  return status;
}

static void test_every_allocation_fails_once(void **state) {
  (void)state;
  assert_ok(take_all());
  const size_t device_before = exec->in_use, host_before = mem_in_use();
  Exec *const shared = exec;
  for (int64_t nth = 1;; ++nth) {
    assert_true(nth < 100);
    mem_fail_nth(nth);
    Exec *own = NULL;
    Status status = exec_is_host(shared) ? exec_create_cpu(2, &own) : OK;
    if (own) exec = own;
    if (status == OK) status = take_all();
    mem_fail_nth(0);
    exec = shared;
    exec_destroy(&own);
    assert_int_equal(mem_in_use(), host_before);
    assert_int_equal(exec->in_use, device_before);
    if (status == OK) break;
    assert_out_of_memory(status);
    assert_non_null(strstr(status_message(), "not enough"));
  }
  assert_ok(take_all());
}

static int set_up(void **state) {
  (void)state;
  exec = testing_exec();
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  exec_destroy(&exec);
  return mem_in_use() != 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_lend_and_fetch),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_marks),
      cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_every_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
