/* ELL-WARP in all its variants against CSR, with vectors in the numbering that the matrix publishes; its layout, the
 * paper's example of renumbered columns, the choice of a threshold, failures. */
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "algebra/mat_format.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;

static const char *const VARIANT[] = {"k1", "k1r", "k1rs", "k2", "k2r", "k2rs"};
enum { N_VARIANT = 6 };

static int ascending(const void *a, const void *b) {
  return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

/* Rows of these lengths (in blocks, 0 allowed): the diagonal first, then columns spread over all. */
static void rows_of_length(int n, int block, const int *length, Problem *out) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  p->n = n;
  p->block = block;
  assert_ok(mem_alloc(n + 1, sizeof *p->start, "starts", (void **)&p->start));
  for (int i = 0; i < n; ++i) p->start[i + 1] = p->start[i] + length[i];
  assert_ok(mem_alloc(p->start[n], sizeof *p->column, "columns", (void **)&p->column));
  int step = 7919;
  while (n % step == 0) step += 2;
  for (int i = 0; i < n; ++i) {
    int32_t *column = p->column + p->start[i];
    for (int k = 0; k < length[i]; ++k) column[k] = (int32_t)((i + (int64_t)k * step) % n);
    qsort(column, (size_t)length[i], sizeof *column, ascending);
  }
  out->pattern = p;
  assert_ok(mem_alloc(p->start[n] * block * block, sizeof *out->value, "values", (void **)&out->value));
  for (int64_t e = 0; e < p->start[n] * block * block; ++e) out->value[e] = problem_number(e + n);
}

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
    rows_of_length(10007, 1, length, p);
    break;
  case 5: /* lengths from 1 to 700, most of them short */
    length = lengths(1501);
    for (int i = 0; i < 1501; ++i) length[i] = 1 + 6 * i / 1501 + (i % 97 ? 0 : i % 693);
    rows_of_length(1501, 1, length, p);
    break;
  case 6: /* uneven blocks, empty ones among them */
    length = lengths(211);
    for (int i = 0; i < 211; ++i) length[i] = i % 31 ? i % 7 : 150;
    rows_of_length(211, 3, length, p);
    break;
  default: /* no entries at all in 40 rows */ length = lengths(40); rows_of_length(40, 2, length, p);
  }
  FREE(length);
}

static Mat *create_windowed(const Problem *p, const char *variant, int32_t threshold, int32_t window,
                            Precision precision) {
  Mat *a = NULL;
  assert_ok(mat_create(
      exec, &(MatParams){"ell-warp", precision, .variant = variant, .threshold = threshold, .window = window},
      p->pattern, &a));
  problem_fill(p, a);
  return a;
}

static Mat *create(const Problem *p, const char *variant, int32_t threshold, Precision precision) {
  return create_windowed(p, variant, threshold, 0, precision);
}

static void *on_exec(int64_t n, size_t size, const void *host) {
  void *out = NULL;
  assert_ok(exec_alloc_upload(exec, n, size, host, "vector", &out));
  return out;
}

static double *numbers(int64_t n, int64_t shift) {
  double *x = NULL;
  assert_ok(mem_alloc(n, sizeof *x, "vector", (void **)&x));
  for (int64_t i = 0; i < n; ++i) x[i] = problem_number(i + shift);
  return x;
}

static int64_t place(const Mat *a, int64_t i) { return mat_numbering(a) ? mat_numbering(a)[i] : i; }

/* Into the matrix' numbering and its precision, on the Exec. */
static void *sent(const Mat *a, const double *x) {
  const int64_t n = mat_rows(a);
  const bool is_float = mat_precision(a) == PRECISION_FLOAT;
  void *moved = NULL;
  assert_ok(mem_alloc(n, sizeof(double), "vector", &moved));
  for (int64_t i = 0; i < n; ++i) {
    if (is_float) ((float *)moved)[place(a, i)] = (float)x[i];
    else ((double *)moved)[place(a, i)] = x[i];
  }
  void *out = on_exec(n, is_float ? sizeof(float) : sizeof(double), moved);
  mem_free(&moved);
  return out;
}

/* And back; the vector on the Exec is released. */
static void fetch(const Mat *a, void *from, double *x) {
  const int64_t n = mat_rows(a);
  const bool is_float = mat_precision(a) == PRECISION_FLOAT;
  const size_t size = is_float ? sizeof(float) : sizeof(double);
  void *moved = NULL;
  assert_ok(mem_alloc(n, size, "vector", &moved));
  assert_ok(exec_download(exec, moved, from, (size_t)n * size));
  for (int64_t i = 0; i < n; ++i)
    x[i] = is_float ? (double)((float *)moved)[place(a, i)] : ((double *)moved)[place(a, i)];
  mem_free(&moved);
  exec_release(exec, n, size, &from);
}

/* y = A x with x and y in natural order. */
static void apply(const Mat *a, const double *x, double *y) {
  const int64_t n = mat_rows(a);
  const bool is_float = mat_precision(a) == PRECISION_FLOAT;
  void *v = sent(a, x), *w = sent(a, x);
  assert_ok(mat_apply(a, v, w));
  fetch(a, w, y);
  exec_release(exec, n, is_float ? sizeof(float) : sizeof(double), &v);
}

/* |A| |x| row by row, what rounding is measured against. */
static void apply_abs(const Problem *p, const double *x, double *y) {
  Problem q = {p->pattern, NULL};
  const int64_t B = p->pattern->block, n = p->pattern->n * B, n_value = p->pattern->start[p->pattern->n] * B * B;
  double *ax = numbers(n, 0);
  assert_ok(mem_alloc(n_value, sizeof *q.value, "values", (void **)&q.value));
  for (int64_t e = 0; e < n_value; ++e) q.value[e] = fabs(p->value[e]);
  for (int64_t i = 0; i < n; ++i) ax[i] = fabs(x[i]);
  problem_apply(&q, ax, y);
  FREE(ax);
  FREE(q.value);
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
    apply_abs(&p, x, size);
    Mat *csr = problem_mat(exec, &p, "csr");
    apply(csr, x, wanted);
    mat_destroy(&csr);
    for (int v = 0; v < N_VARIANT; ++v)
      for (size_t t = 0; t < (v < 3 ? 1 : sizeof threshold / sizeof *threshold); ++t)
        for (int f = 0; f < 2; ++f) {
          Mat *a = create(&p, VARIANT[v], threshold[t], f ? PRECISION_FLOAT : PRECISION_DOUBLE);
          assert_true(!mat_numbering(a) == !strchr(VARIANT[v], 'r'));
          apply(a, x, y);
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
    apply_abs(&p, x, size);
    problem_apply(&p, x, wanted);
    for (int k = 0; k < 3 * N_VARIANT; ++k) {
      const int32_t asked = window[k / N_VARIANT];
      const int64_t whole = ((int64_t)asked * B + 31) / 32 * 32;
      Mat *a = create_windowed(&p, VARIANT[k % N_VARIANT], k % 2 ? 3 : 0, asked, PRECISION_DOUBLE);
      apply(a, x, y);
      for (int64_t i = 0; i < n; ++i) {
        if (!(fabs(y[i] - wanted[i]) <= 1e-14 * size[i]))
          fail_msg("%s, window %d, problem %d: row %lld is %.17g, must be %.17g", VARIANT[k % N_VARIANT], asked, z,
                   (long long)i, y[i], wanted[i]);
        assert_int_equal(place(a, i) / whole, i / whole);
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
      apply(a, x, y);
      apply(r, x, yr);
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

static Krylov krylov_on_host(const Krylov *k) {
  Krylov host;
  assert_ok(exec_download(exec, &host, k, sizeof host));
  return host;
}

/* Dot, residual and combination: vectors of any numbering give the same sums. */
static void check_epilogues(const Problem *p, const Mat *a) {
  const int64_t n = mat_rows(a);
  double *hv = numbers(n, 1), *hu = numbers(n, 5000), *hb = numbers(n, 90000), *av = numbers(n, 0), *y = numbers(n, 0);
  const Krylov fresh = {.from_unit = 1};
  Krylov *k = on_exec(1, sizeof fresh, &fresh);
  double *v = sent(a, hv), *u = sent(a, hu), *b = sent(a, hb), *w = sent(a, hv), *w2 = sent(a, hv);
  problem_apply(p, hv, av);
  double dot = 0, rr = 0, size = 1;
  for (int64_t i = 0; i < n; ++i) {
    dot += hv[i] * av[i];
    rr += (hb[i] - av[i]) * (hb[i] - av[i]);
    size = fmax(size, fabs(av[i]));
  }
  assert_ok(mat_product(a, MAT_DOT, &(ProductArgs){.v = v, .w = w, .step = KRYLOV_STORE, .krylov = k}));
  assert_near(krylov_on_host(k).sum[0] / (size * (double)n), dot / (size * (double)n), 1e-14);
  assert_ok(mat_product(a, MAT_RESIDUAL, &(ProductArgs){.v = v, .w = w, .b = b, .step = KRYLOV_STORE, .krylov = k}));
  assert_true(fabs(krylov_on_host(k).sum[0] - rr) <= 1e-12 * rr);
  fetch(a, w, y);
  for (int64_t i = 0; i < n; ++i) assert_near(y[i] / size, (hb[i] - av[i]) / size, 1e-14);
  assert_ok(mat_product(a, MAT_COMBINE, &(ProductArgs){.v = v, .w = w2, .u = u, .c0 = -0.5, .c1 = 2, .c2 = 3}));
  fetch(a, w2, y);
  for (int64_t i = 0; i < n; ++i) assert_near(y[i] / size, (-0.5 * av[i] + 2 * hv[i] + 3 * hu[i]) / size, 1e-14);
  EXEC_RELEASE(exec, v, n);
  EXEC_RELEASE(exec, u, n);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, k, 1);
  double *host[] = {hv, hu, hb, av, y};
  for (int i = 0; i < 5; ++i) FREE(host[i]);
}

/* Diagonal, row sums, and the product with a scaled copy in double and float. */
static void check_visits(const Problem *p, const Mat *a) {
  const int64_t n = mat_rows(a), B = p->pattern->block;
  double *one = numbers(n, 0), *y = numbers(n, 0), *wanted = numbers(n, 0), *s = numbers(n, 17), *size = numbers(n, 0);
  double *d = sent(a, one);
  assert_ok(mat_diagonal(a, d));
  fetch(a, d, y);
  for (int i = 0; i < n; ++i) {
    const double *entry = problem_entry(p, i / (int)B, i / (int)B, i % (int)B, i % (int)B);
    assert_true(y[i] == (entry ? *entry : 0));
  }
  d = sent(a, one);
  assert_ok(mat_product(a, MAT_ABS, &(ProductArgs){.w = d}));
  fetch(a, d, y);
  for (int64_t i = 0; i < n; ++i) one[i] = 1;
  apply_abs(p, one, wanted);
  for (int64_t i = 0; i < n; ++i) assert_true(fabs(y[i] - wanted[i]) <= 1e-13 * wanted[i]);
  /* S A S 1 = S A s */
  problem_apply(p, s, wanted);
  apply_abs(p, s, size);
  double *scale = sent(a, s);
  for (int f = 0; f < 2; ++f) {
    Mat *copy = NULL;
    assert_ok(mat_create_like(a, f ? PRECISION_FLOAT : PRECISION_DOUBLE, &copy));
    assert_ptr_equal(mat_numbering(copy), mat_numbering(a));
    assert_ok(mat_scale(a, scale, copy));
    apply(copy, one, y);
    for (int64_t i = 0; i < n; ++i)
      assert_true(fabs(y[i] - s[i] * wanted[i]) <= (f ? 3e-7 : 1e-13) * fabs(s[i]) * size[i]);
    mat_destroy(&copy);
  }
  EXEC_RELEASE(exec, scale, n);
  double *host[] = {one, y, wanted, s, size};
  for (int i = 0; i < 5; ++i) FREE(host[i]);
}

static void operations_of_all_variants(void **state) {
  (void)state;
  for (int z = 0; z < ZOO; ++z) {
    Problem p;
    zoo(z, &p);
    for (int v = 0; v < N_VARIANT; ++v) {
      Mat *a = create(&p, VARIANT[v], z == 3 ? 20 : 4, PRECISION_DOUBLE);
      check_epilogues(&p, a);
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
      Krylov *k = on_exec(1, sizeof fresh, &fresh);
      double *in = sent(a, x), *out = sent(a, x);
      assert_ok(mat_product(a, MAT_DOT, &(ProductArgs){.v = in, .w = out, .step = KRYLOV_STORE, .krylov = k}));
      const double sum = krylov_on_host(k).sum[0];
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
