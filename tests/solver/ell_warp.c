/* ELL-WARP in all its variants against CSR, with vectors in the numbering that the matrix publishes; its layout, the
 * paper's example of renumbered columns, the choice of a threshold, failures. */
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "algebra/mat_format.h"
#include "tests/solver/operations.h"
#include "tests/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;

static const char *const VARIANT[] = {"k1", "k1r", "k1rs", "k2", "k2r", "k2rs"};
enum { N_VARIANT = 6 };

static int *lengths(int n) {
  int *length = NULL;
  assert_ok(mem_alloc(n, sizeof *length, "lengths", (void **)&length));
  return length;
}

enum { ZOO = 8 };
static void zoo(int which, Problem *p) {
  int *length = NULL;
  switch (which) {
  case 0: problem_random(1, 1, 1, p); break;
  case 1: problem_random(33, 1, 2, p); break;
  case 2: problem_grid(13, 9, 1, 2, 1, p); break;
  case 3: problem_grid(9, 8, 7, 3, 10, p); break;
  case 4: /* one row of 10,000, the others of one or none at all */
    length = lengths(10007);
    for (int i = 0; i < 10007; ++i) length[i] = i == 5000 ? 10000 : i % 5 != 3;
    problem_rows(10007, 1, length, p);
    break;
  case 5: /* lengths from 1 to 700, most of them short */
    length = lengths(1501);
    for (int i = 0; i < 1501; ++i) length[i] = 1 + 6 * i / 1501 + (i % 97 ? 0 : i % 693);
    problem_rows(1501, 1, length, p);
    break;
  case 6: /* uneven blocks, empty ones among them */
    length = lengths(211);
    for (int i = 0; i < 211; ++i) length[i] = i % 31 ? i % 7 : 150;
    problem_rows(211, 3, length, p);
    break;
  default: /* no entries at all in 40 rows */ length = lengths(40); problem_rows(40, 2, length, p);
  }
  FREE(length);
}

static Mat *create_windowed(const Problem *p, const char *variant, int32_t threshold, int32_t window,
                            Precision precision) {
  Mat *a = NULL;
  const MatParams params = {"ell-warp", precision, .variant = variant, .threshold = variant[1] == '2' ? threshold : 0,
                            .window = window}; /* k1 splits no rows */
  assert_ok(mat_create(exec, &params, p->pattern, &a));
  problem_fill(p, a);
  return a;
}

static Mat *create(const Problem *p, const char *variant, int32_t threshold, Precision precision) {
  return create_windowed(p, variant, threshold, 0, precision);
}

static void variants_against_csr(void **state) {
  (void)state;
  static const int32_t threshold[] = {0, 1, 2, 3, 7, 16, 100, 20000};
  const size_t before = mem_in_use();
  for (int z = 0; z < ZOO; ++z) {
    Problem p;
    zoo(z, &p);
    const int64_t n = (int64_t)p.pattern->n * p.pattern->block;
    double *x = numbers(n, 3), *size = numbers(n, 0), *wanted = numbers(n, 0), *y = numbers(n, 0);
    problem_apply_abs(&p, x, size);
    Mat *csr = problem_mat(exec, &p, "csr");
    natural_apply(csr, x, wanted);
    mat_destroy(&csr);
    for (int v = 0; v < N_VARIANT; ++v)
      for (size_t t = 0; t < (v < 3 ? 1 : sizeof threshold / sizeof *threshold); ++t)
        for (int f = 0; f < 2; ++f) {
          Mat *a = create(&p, VARIANT[v], threshold[t], f ? PRECISION_FLOAT : PRECISION_DOUBLE);
          assert_true(!mat_numbering(a) == !strchr(VARIANT[v], 'r'));
          natural_apply(a, x, y);
          for (int64_t i = 0; i < n; ++i)
            if (!(fabs(y[i] - wanted[i]) <= (f ? 3e-7 : 1e-14) * size[i]))
              fail_msg("%s, threshold %d, problem %d, %s: row %lld is %.17g, csr gives %.17g", VARIANT[v], threshold[t],
                       z, f ? "float" : "double", (long long)i, y[i], wanted[i]);
          mat_destroy(&a);
        }
    FREE(x);
    FREE(size);
    FREE(wanted);
    FREE(y);
    problem_release(&p);
  }
  assert_int_equal(mem_in_use(), before);
}

/* Rows sorted inside windows of 1 (a warp at least), 50 and all block rows: the same products, and no row leaves its
 * window. */
static void windows_against_csr(void **state) {
  (void)state;
  static const int32_t window[] = {1, 50, INT32_MAX};
  for (int z = 0; z < ZOO; ++z) {
    Problem p;
    zoo(z, &p);
    const int32_t B = p.pattern->block;
    const int64_t n = (int64_t)p.pattern->n * B;
    double *x = numbers(n, 3), *size = numbers(n, 0), *wanted = numbers(n, 0), *y = numbers(n, 0);
    problem_apply_abs(&p, x, size);
    problem_apply(&p, x, wanted);
    for (int k = 0; k < 3 * N_VARIANT; ++k) {
      const int32_t asked = window[k / N_VARIANT];
      const int64_t whole = ((int64_t)asked * B + 31) / 32 * 32;
      Mat *a = create_windowed(&p, VARIANT[k % N_VARIANT], k % 2 ? 3 : 0, asked, PRECISION_DOUBLE);
      natural_apply(a, x, y);
      for (int64_t i = 0; i < n; ++i) {
        if (!(fabs(y[i] - wanted[i]) <= 1e-14 * size[i]))
          fail_msg("%s, window %d, problem %d: row %lld is %.17g, must be %.17g", VARIANT[k % N_VARIANT], asked, z,
                   (long long)i, y[i], wanted[i]);
        assert_int_equal(natural_place(a, i) / whole, i / whole);
      }
      mat_destroy(&a);
    }
    FREE(x);
    FREE(size);
    FREE(wanted);
    FREE(y);
    problem_release(&p);
  }
}

/* Renumbering alone moves no entry: the same sums to the bit. */
static void renumbered_variants_add_in_the_same_order(void **state) {
  (void)state;
  for (int z = 0; z < ZOO; ++z) {
    Problem p;
    zoo(z, &p);
    const int64_t n = (int64_t)p.pattern->n * p.pattern->block;
    double *x = numbers(n, 3), *y = numbers(n, 0), *yr = numbers(n, 0);
    for (int v = 0; v < N_VARIANT; v += 3) {
      Mat *a = create(&p, VARIANT[v], 5, PRECISION_DOUBLE), *r = create(&p, VARIANT[v + 1], 5, PRECISION_DOUBLE);
      natural_apply(a, x, y);
      natural_apply(r, x, yr);
      assert_memory_equal(y, yr, (size_t)n * sizeof *y);
      assert_int_equal(mat_slots(a)->n_value, mat_slots(r)->n_value);
      mat_destroy(&a);
      mat_destroy(&r);
    }
    FREE(x);
    FREE(y);
    FREE(yr);
    problem_release(&p);
  }
}

static void operations_of_all_variants(void **state) {
  (void)state;
  for (int z = 0; z < ZOO; ++z) {
    Problem p;
    zoo(z, &p);
    for (int v = 0; v < N_VARIANT; ++v) {
      Mat *a = create(&p, VARIANT[v], z == 3 ? 20 : 4, PRECISION_DOUBLE);
      check_operations(&p, a);
      check_visits(&p, a);
      mat_destroy(&a);
    }
    problem_release(&p);
  }
}

/* The same bits from any number of threads, and twice from the Exec under test. */
static void sums_repeat_to_the_bit(void **state) {
  (void)state;
  static const int n_thread[] = {0, 0, 1, 2, 3, 7}; /* 0: the Exec under test */
  Exec *const under_test = exec;
  Problem p;
  zoo(4, &p);
  const int64_t n = p.pattern->n;
  for (int v = 0; v < N_VARIANT; ++v) {
    double *x = numbers(n, 8), first = 0;
    for (int t = 0; t < 6; ++t) {
      if (n_thread[t]) assert_ok(exec_create_cpu(n_thread[t], &exec));
      Mat *a = create(&p, VARIANT[v], 3, PRECISION_DOUBLE);
      const Krylov fresh = {.from_unit = 1};
      Krylov *k = NULL;
      assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&k));
      double *in = natural_sent(a, x), *out = natural_sent(a, x);
      assert_ok(mat_product(a, MAT_DOT, &(ProductArgs){.v = in, .w = out, .step = KRYLOV_STORE, .krylov = k}));
      const double sum = krylov_on_host(exec, k).sum[0];
      if (t == 0 || t == 2) first = sum; /* the CPU may differ from a GPU */
      assert_memory_equal(&sum, &first, sizeof sum);
      EXEC_RELEASE(exec, in, n);
      EXEC_RELEASE(exec, out, n);
      EXEC_RELEASE(exec, k, 1);
      mat_destroy(&a);
      if (n_thread[t]) exec_destroy(&exec);
      exec = under_test;
    }
    FREE(x);
  }
  problem_release(&p);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  problem_random(70, 2, 3, &p);
  for (int v = 0; v < N_VARIANT; ++v)
    problem_mat_fails(exec, &(MatParams){.format = "ell-warp", .variant = VARIANT[v]}, &p, false);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variants_against_csr),         cmocka_unit_test(renumbered_variants_add_in_the_same_order),
      cmocka_unit_test(operations_of_all_variants),   cmocka_unit_test(sums_repeat_to_the_bit),
      cmocka_unit_test(every_allocation_failed_once), cmocka_unit_test(windows_against_csr),
  };
  return testing_run("solver/ell_warp", tests, exec);
}
