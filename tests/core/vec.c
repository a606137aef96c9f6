/* Row kernels of vectors, and the promise about sums: the same bits for any number of threads and every time. */
#include "tests/testing.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/vec.h"
#include "core/vec3.h"

enum { N_SIZES = 9, LARGEST = 1000000 };
static const int64_t SIZES[N_SIZES] = {0, 1, 2, 255, 257, 1151, 1152, 1153, LARGEST};

/* Numbers of mixed sign and size (a linear congruence), so that every change of order changes the bits of a sum. */
static void numbers(int64_t n, uint64_t seed, double *x) {
  for (int64_t i = 0; i < n; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x[i] = ldexp((double)(int64_t)seed, -63) * (double)(1 + i % 7);
  }
}

static double on_exec(Exec *exec, int64_t n, const double *x, const double *y, bool norm) {
  double *dx = NULL, *dy = NULL, *out = NULL, result = -1;
  const double garbage = 1e30;
  assert_ok(exec_alloc_upload(exec, n, sizeof *x, x, "x", (void **)&dx));
  assert_ok(exec_alloc_upload(exec, n, sizeof *y, y, "y", (void **)&dy));
  assert_ok(exec_alloc_upload(exec, 1, sizeof *out, &garbage, "out", (void **)&out));
  assert_ok(norm ? vec_norm(exec, n, dx, out) : vec_dot(exec, n, dx, dy, out));
  assert_ok(exec_download(exec, &result, out, sizeof result));
  exec_release(exec, n, sizeof *dx, (void **)&dx);
  exec_release(exec, n, sizeof *dy, (void **)&dy);
  exec_release(exec, 1, sizeof *out, (void **)&out);
  return result;
}

static void test_sums(void **state) {
  (void)state;
  Exec *exec = testing_exec();
  double *x = NULL, *y = NULL;
  assert_ok(mem_alloc(LARGEST, sizeof *x, "x", (void **)&x));
  assert_ok(mem_alloc(LARGEST, sizeof *y, "y", (void **)&y));
  numbers(LARGEST, 1, x);
  numbers(LARGEST, 2, y);
  for (int s = 0; s < N_SIZES; ++s) {
    const int64_t n = SIZES[s];
    long double dot = 0, square = 0, scale = 0;
    for (int64_t i = 0; i < n; ++i) {
      dot += (long double)x[i] * y[i];
      scale += fabsl((long double)x[i] * y[i]);
      square += (long double)x[i] * x[i];
    }
    const double got = on_exec(exec, n, x, y, false), norm = on_exec(exec, n, x, y, true);
    assert_true(fabsl(got - dot) <= 1e-14L * scale);
    assert_true(fabsl(norm - sqrtl(square)) <= 1e-14L * sqrtl(square));
    if (n == 0) assert_true(got == 0 && norm == 0); /* the finish runs without rows */
    for (int again = 0; again < 5; ++again) {
      const double same = on_exec(exec, n, x, y, false);
      assert_memory_equal(&same, &got, sizeof got);
    }
    const int threads[] = {1, 2, 3, 7};
    double first = 0;
    for (int k = 0; k < 4; ++k) {
      Exec *cpu = NULL;
      assert_ok(exec_create_cpu(threads[k], &cpu));
      const double other = on_exec(cpu, n, x, y, false);
      if (k == 0) first = other;
      assert_memory_equal(&other, &first, sizeof first);
      exec_destroy(&cpu);
    }
    if (exec_is_host(exec)) assert_memory_equal(&got, &first, sizeof first);
  }
  mem_free((void **)&x);
  mem_free((void **)&y);
  exec_destroy(&exec);
}

static void test_convert_and_axpy(void **state) {
  (void)state;
  enum { N = 3000 };
  Exec *exec = testing_exec();
  static double x[N], back[N], y[N];
  static float narrow[N];
  numbers(N, 3, x);
  x[0] = 1e300; /* becomes infinite */
  x[1] = 1e-300;
  x[2] = -0.0;
  double *dx = NULL, *dy = NULL;
  float *df = NULL;
  assert_ok(exec_alloc_upload(exec, N, sizeof *x, x, "x", (void **)&dx));
  assert_ok(exec_alloc(exec, N, sizeof *y, "y", (void **)&dy));
  assert_ok(exec_alloc(exec, N, sizeof *df, "f", (void **)&df));
  assert_ok(vec_narrow(exec, N, dx, df));
  assert_ok(vec_widen(exec, N, df, dy));
  assert_ok(exec_download(exec, narrow, df, sizeof narrow));
  assert_ok(exec_download(exec, back, dy, sizeof back));
  assert_true(isinf(narrow[0]) && narrow[1] == 0 && signbit(narrow[2]));
  for (int i = 1; i < N; ++i) assert_true(narrow[i] == (float)x[i] && back[i] == (double)(float)x[i]);
  assert_ok(vec_fill(exec, N, 0.25, dy));
  assert_ok(vec_axpy(exec, N, -0.5, dx, dy)); /* exact in binary, whether fused or not, up to one rounding */
  assert_ok(exec_download(exec, y, dy, sizeof y));
  for (int i = 0; i < N; ++i) assert_true(y[i] == 0.25 - 0.5 * x[i]);
  exec_release(exec, N, sizeof *dx, (void **)&dx);
  exec_release(exec, N, sizeof *dy, (void **)&dy);
  exec_release(exec, N, sizeof *df, (void **)&df);
  assert_int_equal(exec->in_use, 0);
  exec_destroy(&exec);
}

/* In space: what points and triangles are measured by. */
static void test_vec3(void **state) {
  (void)state;
  const double a[3] = {1, 2, -2}, b[3] = {3, -1, 0.5};
  double out[3];
  assert_true(vec3_dot(a, b) == 0);
  vec3_cross(a, b, out);
  assert_true(out[0] == -1 && out[1] == -6.5 && out[2] == -7);
  vec3_minus(a, b, out);
  assert_true(out[0] == -2 && out[1] == 3 && out[2] == -2.5);
  assert_true(vec3_distance(a, b) == sqrt(19.25));
  double v[3] = {2, 4, -4}, none[3] = {0};
  assert_true(vec3_normalize(v) == 6 && v[0] == 2.0 / 6 && v[1] == 4.0 / 6 && v[2] == -4.0 / 6);
  assert_true(vec3_normalize(none) == 0 && none[0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vec3), cmocka_unit_test(test_sums),
                                     cmocka_unit_test(test_convert_and_axpy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
