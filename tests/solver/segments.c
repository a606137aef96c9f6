/* CSR, balanced CSR, Sliced ELLR-T and segSpMV with all their variants, threads and lengths against the definition of the product:
 * a row of 10,000, very uneven and empty rows, 1 x 1, blocks of 1, 2, 3; all operations, bits that repeat, wishes that
 * cannot be served, failures. */
#include "core/memory.h"
#include "algebra/formats/csr_balanced.h"
#include "algebra/mat_format.h"
#include "tests/solver/operations.h"
#include "tests/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;

static const MatParams CHOICE[] = {
    {.format = "csr"},
    {.format = "csr", .variant = "scalar"},
    {.format = "csr", .variant = "vector"},
    {.format = "csr", .variant = "vector", .threads = 4},
    {.format = "csr", .threads = 1},
    {.format = "csr", .threads = 2},
    {.format = "csr", .threads = 8},
    {.format = "csr", .threads = 16},
    {.format = "csr-balanced"},
    {.format = "csr-balanced", .threshold = 128},
    {.format = "csr-balanced", .threshold = 256},
    {.format = "csr-balanced", .threshold = 1024},
    {.format = "sliced-ellr-t"},
    {.format = "sliced-ellr-t", .threads = 1},
    {.format = "sliced-ellr-t", .threads = 2},
    {.format = "sliced-ellr-t", .threads = 4},
    {.format = "sliced-ellr-t", .threads = 8},
    {.format = "sliced-ellr-t", .threads = 8, .slice = 96},
    {.format = "sliced-ellr-t", .threads = 16},
    {.format = "sliced-ellr-t", .threads = 1, .slice = 64},
    {.format = "segspmv"},
    {.format = "segspmv", .threshold = 1},
    {.format = "segspmv", .threshold = 2},
    {.format = "segspmv", .threshold = 8},
    {.format = "segspmv", .threshold = 32},
    {.format = "segspmv", .variant = "r"},
    {.format = "segspmv", .variant = "r", .threshold = 1},
    {.format = "segspmv", .variant = "r", .threshold = 2},
    {.format = "segspmv", .variant = "r", .threshold = 16},
    {.format = "segspmv", .variant = "r", .threshold = 16, .threads = 16},
    {.format = "segspmv", .variant = "r", .threshold = 32, .threads = 32},
    {.format = "segspmv", .variant = "r", .threshold = 32, .threads = 2},
};
enum { N_CHOICE = sizeof CHOICE / sizeof *CHOICE };

/* Lengths in blocks of the rows of problem `which`; 0: the row is empty. */
static int length_of(int which, int i) {
  switch (which) {
  case 0: return 1;                                         /* 1 x 1 */
  case 1: return i == 5000 ? 10000 : i % 5 != 3;            /* one row of 10,000 */
  case 2: return 1 + 6 * i / 1501 + (i % 97 ? 0 : i % 693); /* most of them short */
  case 3: return i % 31 ? i % 7 : 150;
  case 4: return i % 31 ? i % 7 : 150;
  case 5: return i % 3 ? 9 : 7 + i % 40;
  default: return 0;
  }
}
enum { ZOO = 7 };
static const int ROWS
[ZOO] = {1, 10007, 1501, 211, 211, 977, 40}, BLOCKS[ZOO] = {1, 1, 1, 2, 3, 3, 2};

static void zoo(int which, Problem *out) {
  int length[10007];
  for (int i = 0; i < ROWS[which]; ++i) length[i] = length_of(which, i);
  problem_rows(ROWS[which], BLOCKS[which], length, out);
}

static Mat *create(const Problem *p, int c, Precision precision) {
  MatParams params = CHOICE[c];
  params.precision = precision;
  Mat *a = NULL;
  assert_ok(mat_create(exec, &params, p->pattern, &a));
  problem_fill(p, a);
  return a;
}

static void fail_at(int z, int c, const char *what, int64_t i, double got, double wanted) {
  const MatParams *m = &CHOICE[c];
  fail_msg("%s %s, %d threads, slice %d, threshold %d, problem %d, %s: row %lld is %.17g, should be %.17g", m->format,
           m->variant ? m->variant : "", m->threads, m->slice, m->threshold, z, what, (long long)i, got, wanted);
}

static void products_of_all_variants(void **state) {
  (void)state;
  const size_t before = mem_in_use(), used = exec->in_use;
  for (int z = 0; z < ZOO; ++z) {
    Problem p;
    zoo(z, &p);
    const int64_t n = (int64_t)p.pattern->n * p.pattern->block;
    double *x = numbers(n, 3), *size = numbers(n, 0), *wanted = numbers(n, 0), *y = numbers(n, 0),
           *again = numbers(n, 0);
    problem_apply_abs(&p, x, size);
    problem_apply(&p, x, wanted);
    for (int c = 0; c < N_CHOICE; ++c)
      for (int f = 0; f < 2; ++f) {
        Mat *a = create(&p, c, f ? PRECISION_FLOAT : PRECISION_DOUBLE);
        assert_null(mat_numbering(a));
        natural_apply(a, x, y);
        for (int64_t i = 0; i < n; ++i)
          if (!(fabs(y[i] - wanted[i]) <= (f ? 3e-7 : 1e-14) * size[i]))
            fail_at(z, c, f ? "float" : "double", i, y[i], wanted[i]);
        natural_apply(a, x, again);
        assert_memory_equal(y, again, (size_t)n * sizeof *y);
        mat_destroy(&a);
      }
    double *host[] = {x, size, wanted, y, again};
    for (int i = 0; i < 5; ++i) FREE(host[i]);
    problem_release(&p);
  }
  assert_int_equal(mem_in_use(), before);
  assert_int_equal(exec->in_use, used);
}

static void operations_of_all_variants(void **state) {
  (void)state;
  for (int z = 0; z < ZOO; ++z) {
    Problem p;
    zoo(z, &p);
    for (int c = 0; c < N_CHOICE; ++c) {
      Mat *a = create(&p, c, PRECISION_DOUBLE);
      check_operations(&p, a);
      check_visits(&p, a);
      mat_destroy(&a);
    }
    problem_release(&p);
  }
}

/* What is stored is what the definitions say: rows padded to a multiple of T, whole segments and no more than a tile's
 * warp beyond them. */
static void padding_is_as_defined(void **state) {
  (void)state;
  Problem p;
  problem_grid(40, 40, 1, 1, 1, &p); /* 9 entries inside, 6 and 4 at the border */
  for (int c = 0; c < N_CHOICE; ++c) {
    Mat *a = create(&p, c, PRECISION_DOUBLE);
    const int64_t stored = mat_slots(a)->n_value, entries = mat_entries(a);
    const MatParams *m = &CHOICE[c];
    if (!strncmp(m->format, "csr", 3)) assert_int_equal(stored, entries);
    if (!strcmp(m->format, "sliced-ellr-t")) {
      const int64_t team = m->threads ? m->threads : 1, slice = m->slice ? m->slice : 32,
                    n = (1600 + slice - 1) / slice;
      assert_true(stored <= n * slice * ((9 + team - 1) / team * team) && stored % (slice * team) == 0);
    }
    if (!strcmp(m->format, "segspmv") && !m->threads && !m->variant) {
      const int64_t length = m->threshold ? m->threshold : 16; /* the mean is 8.7 */
      int64_t segments = 0;
      for (int i = 0; i < 1600; ++i) segments += (p.pattern->start[i + 1] - p.pattern->start[i] + length - 1) / length;
      assert_true(stored >= segments * length && stored % (32 * length) == 0);
      assert_true((double)stored <= 1.12 * (double)(segments * length) + 32.0 * (double)length);
    }
    mat_destroy(&a);
  }
  problem_release(&p);
}

/* Tiles have about as many entries each, and a row of half of all entries is the work of many. */
static void long_rows_are_dealt_out(void **state) {
  (void)state;
  Problem p;
  zoo(1, &p);
  Mat *a = NULL;
  assert_ok(mat_create(exec, &(MatParams){.format = "csr-balanced", .threshold = 128}, p.pattern, &a));
  const int64_t n_tile = a->view.n / BALANCED_WARP, entries = mat_entries(a);
  assert_int_equal(a->view.slice, 1);
  int64_t *start = NULL;
  int32_t *first = NULL, *length = NULL;
  assert_ok(mem_alloc(n_tile + 1, sizeof *start, "starts", (void **)&start));
  assert_ok(mem_alloc(n_tile + 1, sizeof *first, "rows", (void **)&first));
  assert_ok(mem_alloc(2 * (n_tile + 1), sizeof *length, "parts", (void **)&length));
  assert_ok(exec_download(exec, start, a->view.start, (size_t)(n_tile + 1) * sizeof *start));
  assert_ok(exec_download(exec, first, a->view.order, (size_t)(n_tile + 1) * sizeof *first));
  assert_ok(exec_download(exec, length, a->view.length, (size_t)(2 * n_tile + 2) * sizeof *length));
  int64_t parts = 0;
  for (int64_t t = 0; t < n_tile; ++t) {
    assert_true(start[t + 1] > start[t] && start[t + 1] - start[t] <= 128);
    assert_true(length[2 * t + 1] > 0 ? first[t] == 5000 : first[t + 1] - first[t] <= 64);
    parts += length[2 * t + 1] > 0;
  }
  assert_int_equal(parts, (10000 + 127) / 128);
  assert_int_equal(length[2 * n_tile + 1], parts);
  assert_int_equal(first[length[2 * n_tile]], 5000);
  assert_true(start[0] == 0 && start[n_tile] == entries && first[n_tile] == mat_rows(a));
  FREE(start);
  FREE(first);
  FREE(length);
  mat_destroy(&a);
  problem_release(&p);
}

/* Product and sums have the same bits for any number of threads. */
static void threads_do_not_matter(void **state) {
  (void)state;
  static const int threads[] = {1, 2, 3, 5};
  if (!exec_is_host(exec)) skip();
  Exec *before = exec;
  Problem p;
  zoo(1, &p);
  const int64_t n = p.pattern->n;
  double *x = numbers(n, 3), *first = numbers(n, 0), *y = numbers(n, 0), dot = 0;
  for (int t = 0; t < 4; ++t) {
    assert_ok(exec_create_cpu(threads[t], &exec));
    Mat *a = NULL;
    assert_ok(mat_create(exec, &(MatParams){.format = "csr-balanced", .threshold = 128}, p.pattern, &a));
    problem_fill(&p, a);
    Krylov k = {.from_unit = 1};
    assert_ok(mat_product(a, MAT_DOT, &(ProductArgs){.v = x, .w = y, .step = KRYLOV_STORE, .krylov = &k}));
    if (t == 0) {
      memcpy(first, y, (size_t)n * sizeof *y);
      dot = k.sum[0];
    }
    assert_memory_equal(y, first, (size_t)n * sizeof *y);
    assert_memory_equal(&k.sum[0], &dot, sizeof dot);
    mat_destroy(&a);
    exec_destroy(&exec);
  }
  exec = before;
  double *host[] = {x, first, y};
  for (int i = 0; i < 3; ++i) FREE(host[i]);
  problem_release(&p);
}

static void wishes_that_cannot_be_served(void **state) {
  (void)state;
  static const struct {
    MatParams params;
    const char *message;
  } wrong[] = {
      {{.format = "csr", .variant = "k2"}, "variants: scalar, vector"},
      {{.format = "csr", .threads = 3}, "power of two from 1 to 32"},
      {{.format = "csr", .threads = 64}, "power of two from 1 to 32"},
      {{.format = "csr", .threads = -2}, "power of two from 1 to 32"},
      {{.format = "csr", .variant = "scalar", .threads = 8}, "one thread per row, 8 were asked for"},
      {{.format = "csr-balanced", .variant = "r"}, "format 'csr-balanced' has no variant, 'r' was asked for"},
      {{.format = "csr-balanced", .threads = 8}, "remedy: leave it out, or use format csr, sliced-ellr-t, segspmv"},
      {{.format = "csr-balanced", .slice = 64}, "has no slice, '64' was asked for\n  allowed: threshold"},
      {{.format = "csr", .slice = 64}, "has no slice"},
      {{.format = "csr", .threshold = 8}, "has no threshold"},
      {{.format = "csr", .window = 8}, "use format sbell, ell-warp, sell, sliced-ellr-t"},
      {{.format = "ell", .slice = 64}, "has no slice, '64' was asked for\n  allowed: none"},
      {{.threads = 2}, "format 'sbell' has no threads"},
      {{.format = "sell", .threshold = 8}, "has no threshold"},
      {{.format = "sliced-ellr-t", .threshold = 8}, "has no threshold"},
      {{.format = "ell-warp", .threads = 4}, "allowed: variant, threshold, window"},
      {{.format = "ell-warp", .variant = "k1", .threshold = 4}, "splits no rows, a threshold of 4"},
      {{.format = "segspmv", .window = 4}, "has no window"},
      {{.format = "auto", .slice = 64}, "format 'auto' chooses its parameters itself, and takes no slice"},
      {{.format = "csr-balanced", .threshold = 64}, "must be a power of two from 128 to 1024"},
      {{.format = "csr-balanced", .threshold = 384}, "must be a power of two from 128 to 1024"},
      {{.format = "sliced-ellr-t", .threads = 32}, "power of two from 1 to 16"},
      {{.format = "sliced-ellr-t", .threads = 6}, "threads is 6, must be a power of two"},
      {{.format = "sliced-ellr-t", .slice = 31}, "slice is 31, must be a multiple of 32"},
      {{.format = "sliced-ellr-t", .variant = "r"}, "has no variant"},
      {{.format = "segspmv", .threshold = 24}, "must be a power of two from 1 to"},
      {{.format = "segspmv", .threshold = -8}, "must be a power of two from 1 to"},
      {{.format = "segspmv", .variant = "scalar"}, "variants: r"},
      {{.format = "segspmv", .threads = 4}, "use variant 'r'"},
      {{.format = "segspmv", .variant = "r", .threshold = 8, .threads = 16}, "power of two from 1 to 8"},
      {{.format = "segspmv", .threshold = 1 << 18}, "use a smaller threshold"},
  };
  Problem p;
  problem_grid(9, 9, 1, 2, 1, &p);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    Mat *a = NULL;
    const size_t before = mem_in_use(), used = exec->in_use;
    assert_fails(mat_create(exec, &wrong[i].params, p.pattern, &a), ERR_INPUT, wrong[i].message);
    assert_null(a);
    assert_int_equal(mem_in_use(), before);
    assert_int_equal(exec->in_use, used);
  }
  problem_release(&p);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  problem_random(70, 3, 3, &p);
  for (int c = 0; c < N_CHOICE; ++c) problem_mat_fails(exec, &CHOICE[c], &p, false);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_of_all_variants),     cmocka_unit_test(operations_of_all_variants),
      cmocka_unit_test(padding_is_as_defined),        cmocka_unit_test(wishes_that_cannot_be_served),
      cmocka_unit_test(every_allocation_failed_once), cmocka_unit_test(long_rows_are_dealt_out),
      cmocka_unit_test(threads_do_not_matter),
  };
  return testing_run("solver/segments", tests, exec);
}
