/* What only the CUDA executor does; the rest of it is tested by tests/core with SINEW_TEST_BACKEND=cuda. Without a GPU
 * the refusal is tested and the rest skipped. */
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/vec.h"
#include "gpu/exec/cuda_exec.h"

static Exec *exec; /* NULL without a GPU */

#define NEED_GPU()                                                                                                     \
  do {                                                                                                                 \
    if (!exec) skip();                                                                                                 \
  } while (0)

static void test_usable_or_why_not(void **state) {
  (void)state;
  char why[256] = "old";
  Exec *made = NULL;
  if (cuda_usable(why, sizeof why)) {
    assert_string_equal(why, "");
    assert_ok(exec_create_cuda(&made));
    assert_false(exec_is_host(made));
    size_t free_bytes = 0, total_bytes = 0;
    assert_ok(cuda_memory(&free_bytes, &total_bytes));
    assert_true(free_bytes > 0 && free_bytes <= total_bytes);
    exec_destroy(&made);
    return;
  }
  print_message("no GPU here: %s\n", why);
  assert_true(strlen(why) > 10);
  assert_fails(exec_create_cuda(&made), ERR_GPU, why);
  assert_null(made);
  size_t free_bytes = 1, total_bytes = 1;
  assert_int_equal(cuda_memory(&free_bytes, &total_bytes), ERR_GPU);
  assert_int_equal(free_bytes + total_bytes, 0);
}

static void test_memory_short(void **state) {
  (void)state;
  NEED_GPU();
  void *p = NULL;
  assert_fails(exec_alloc(exec, (int64_t)1 << 47, 8, "the moon", &p), ERR_GPU,
               "not enough GPU memory for the moon: 1125899.9 GB were asked for, ");
  assert_non_null(strstr(status_message(), "on the GPU are free"));
  assert_null(p);
  assert_int_equal(exec->in_use, 0);
  assert_ok(exec_alloc(exec, 1, 8, "a number", &p)); /* and goes on */
  assert_ok(vec_fill(exec, 1, 3, p));
  assert_ok(exec_sync(exec));
  exec_release(exec, 1, 8, &p);
}

static void test_no_launcher(void **state) {
  (void)state;
  NEED_GPU();
  RowKernel unknown = vec_fill_kernel, other = vec_fill_kernel;
  unknown.name = "no_such_kernel";
  other.args_size += 8;
  const VecFillArgs args = {NULL, 0};
  assert_fails(exec_rows(exec, &unknown, &args, 1), ERR_BUG, "row kernel 'no_such_kernel' has no GPU launcher");
  assert_fails(exec_rows(exec, &other, &args, 1), ERR_BUG, "row kernel 'vec_fill' has arguments of 24 bytes");
}

typedef struct Body {
  int32_t *left, *stop;
  void *release;
  bool unknown;
} Body;

static Status body(Exec *on, void *context) {
  Body *b = context;
  RowKernel unknown = vec_fill_kernel;
  unknown.name = "no_such_kernel";
  const VecFillArgs args = {NULL, 0};
  TRY(vec_countdown(on, b->left, b->stop));
  if (b->unknown) TRY(exec_rows(on, &unknown, &args, 1));
  if (b->release) exec_release(on, 1, 8, &b->release);
  return OK;
}

/* Failures in the middle of a recording leave the stream usable. */
static void test_recording_fails(void **state) {
  (void)state;
  NEED_GPU();
  const int32_t numbers[2] = {3, 0};
  int32_t *device = NULL;
  assert_ok(exec_alloc_upload(exec, 2, sizeof *device, numbers, "numbers", (void **)&device));
  Body b = {device, device + 1, NULL, true};
  ExecLoop *loop = NULL;
  assert_ok(exec_loop_create(exec, body, &b, b.stop, &loop));
  assert_fails(exec_loop_run(loop, 5, NULL, NULL), ERR_BUG, "no_such_kernel");
  b.unknown = false;
  assert_ok(exec_upload(exec, device, numbers, sizeof numbers));
  assert_ok(exec_loop_run(loop, 5, NULL, NULL));
  int32_t after[2];
  assert_ok(exec_download(exec, after, device, sizeof after));
  assert_int_equal(after[0], 0);
  assert_int_equal(after[1], 1);
  exec_loop_destroy(&loop);
  /* releasing is refused; the memory is kept, so that it can be put away here */
  void *kept = NULL;
  assert_ok(exec_alloc(exec, 1, 8, "kept", &kept));
  b.release = kept;
  assert_ok(exec_loop_create(exec, body, &b, b.stop, &loop));
  assert_ok(exec_upload(exec, device, numbers, sizeof numbers));
  assert_fails(exec_loop_run(loop, 5, NULL, NULL), ERR_BUG, "releasing is not allowed");
  exec_loop_destroy(&loop);
  exec->table->release(exec, kept, 8);
  exec_release(exec, 2, sizeof *device, (void **)&device);
  assert_int_equal(exec->in_use, 0);
}

/* Two executors, one used before: the same bits. */
static void test_same_bits_on_a_fresh_executor(void **state) {
  (void)state;
  NEED_GPU();
  enum { N = 777777 };
  double *x = NULL, result[2];
  assert_ok(mem_alloc(N, sizeof *x, "x", (void **)&x));
  for (int i = 0; i < N; ++i) x[i] = 1.0 / (1 + (i * 7919LL) % 10007);
  for (int k = 0; k < 2; ++k) {
    Exec *fresh = NULL;
    double *dx = NULL, *out = NULL;
    assert_ok(exec_create_cuda(&fresh));
    assert_ok(exec_alloc_upload(fresh, N, sizeof *x, x, "x", (void **)&dx));
    assert_ok(exec_alloc(fresh, 1, sizeof *out, "out", (void **)&out));
    for (int again = 0; again <= 3 * k; ++again) assert_ok(vec_dot(fresh, N - 1000 * again, dx, dx, out));
    assert_ok(vec_dot(fresh, N, dx, dx, out));
    assert_ok(exec_download(fresh, &result[k], out, sizeof *out));
    exec_release(fresh, N, sizeof *dx, (void **)&dx);
    exec_release(fresh, 1, sizeof *out, (void **)&out);
    exec_destroy(&fresh);
  }
  assert_memory_equal(&result[0], &result[1], sizeof result[0]);
  mem_free((void **)&x);
}

/* Sums over any number of blocks, one after the other: each finds what it needs as the one before it found it. NaN of
 * every kind, that by which a missing sum is told among them, is a number like others. */
static void test_sums_in_a_row(void **state) {
  (void)state;
  NEED_GPU();
  enum { N = 1 << 21 };
  static const int64_t sizes[] = {0, 1, 2, 511, 512, 513, 1025, 100000, 202752, 202753, N};
  static const uint64_t nan_bits[] = {UINT64_MAX, 0x7ff8000000000000u, 0xfff0000000000001u};
  double *x = NULL, *one = NULL, *nan = NULL, *out = NULL, *host = NULL, sum;
  assert_ok(mem_alloc(N, sizeof *host, "x", (void **)&host));
  for (int i = 0; i < N; ++i) host[i] = 1 + i % 3;
  assert_ok(exec_alloc_upload(exec, N, sizeof *x, host, "x", (void **)&x));
  for (int i = 0; i < N; ++i) host[i] = 1;
  assert_ok(exec_alloc_upload(exec, N, sizeof *one, host, "one", (void **)&one));
  assert_ok(exec_alloc(exec, 1, sizeof *nan, "nan", (void **)&nan));
  assert_ok(exec_alloc(exec, 1, sizeof *out, "out", (void **)&out));
  for (size_t i = 0; i < 3 * sizeof sizes / sizeof *sizes; ++i) {
    const int64_t n = sizes[i / 3];
    assert_ok(exec_upload(exec, nan, &nan_bits[i % 3], sizeof *nan));
    assert_ok(vec_dot(exec, 1, nan, one, out));
    assert_ok(exec_download(exec, &sum, out, sizeof sum));
    assert_true(sum != sum);
    const int64_t at = n > 0 ? n - 1 : 0; /* in the last row, and in the first of as many as there are */
    assert_ok(exec_copy(exec, x + at, nan, sizeof *nan));
    for (int k = 0; k < 2; ++k) {
      assert_ok(vec_dot(exec, k ? N : n, x, one, out));
      assert_ok(exec_download(exec, &sum, out, sizeof sum));
      if (!k && n == 0) assert_true(sum == 0);
      else assert_true(sum != sum);
    }
    const double back = (double)(1 + at % 3);
    assert_ok(exec_upload(exec, x + at, &back, sizeof back));
    assert_ok(vec_dot(exec, n, x, one, out));
    assert_ok(exec_download(exec, &sum, out, sizeof sum));
    assert_true(sum == (double)(2 * n - (n % 3 == 1) - (n % 3 == 2 ? 1 : 0)));
  }
  exec_release(exec, N, sizeof *x, (void **)&x);
  exec_release(exec, N, sizeof *one, (void **)&one);
  exec_release(exec, 1, sizeof *nan, (void **)&nan);
  exec_release(exec, 1, sizeof *out, (void **)&out);
  mem_free((void **)&host);
}

static void test_creation_fails(void **state) {
  (void)state;
  NEED_GPU();
  const size_t before = mem_in_use();
  for (int64_t nth = 1;; ++nth) {
    assert_true(nth < 20);
    Exec *fresh = NULL;
    mem_fail_nth(nth);
    const Status status = exec_create_cuda(&fresh);
    mem_fail_nth(0);
    if (status != OK) {
      assert_non_null(strstr(status_message(), "not enough"));
      assert_null(fresh);
      assert_int_equal(mem_in_use(), before);
      continue;
    }
    assert_true(nth > 3);
    exec_destroy(&fresh);
    break;
  }
  assert_int_equal(mem_in_use(), before);
}

/* Through the pinned buffers, around their size and over several turns of them. */
static void test_large_copies(void **state) {
  (void)state;
  NEED_GPU();
  const int64_t most = 30000001, lengths[] = {2097151, 2097152, 4194305, 12582912, most};
  int32_t *from = NULL, *back = NULL;
  void *p = NULL;
  assert_ok(mem_alloc(most, sizeof *from, "numbers", (void **)&from));
  assert_ok(mem_alloc(most, sizeof *back, "numbers", (void **)&back));
  assert_ok(exec_alloc(exec, most, sizeof *from, "numbers", &p));
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k) {
    const size_t bytes = (size_t)lengths[k] * sizeof *from;
    for (int64_t i = 0; i < lengths[k]; ++i) from[i] = (int32_t)(i * 2654435761 + (int64_t)k);
    assert_ok(exec_upload(exec, p, from, bytes));
    memset(from, 0, bytes); /* it has been read */
    assert_ok(exec_download(exec, back, p, bytes));
    for (int64_t i = 0; i < lengths[k]; ++i)
      if (back[i] != (int32_t)(i * 2654435761 + (int64_t)k))
        fail_msg("number %lld of %lld", (long long)i, (long long)lengths[k]);
  }
  exec_release(exec, most, sizeof *from, &p);
  FREE(from);
  FREE(back);
}

static int set_up(void **state) {
  (void)state;
  char why[256];
  return cuda_usable(why, sizeof why) ? exec_create_cuda(&exec) != OK : 0;
}
static int tear_down(void **state) {
  (void)state;
  exec_destroy(&exec);
  return mem_in_use() != 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_usable_or_why_not),
      cmocka_unit_test(test_memory_short),
      cmocka_unit_test(test_no_launcher),
      cmocka_unit_test(test_recording_fails),
      cmocka_unit_test(test_same_bits_on_a_fresh_executor),
      cmocka_unit_test(test_sums_in_a_row),
      cmocka_unit_test(test_creation_fails),
      cmocka_unit_test(test_large_copies),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
