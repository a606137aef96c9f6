/* Products with several interleaved vectors, by iteration over the registry of formats and the precisions of each: every
 * column is what the product with that vector alone gives, for SBELL on the CPU to the bit. */
#include "algebra/many_product.h"
#include "algebra/mat_format.h"
#include "core/memory.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

enum { V, U, W, Z, N_VECTOR, ZOO = 4 };

/* 1 x 1, partial slices, blocks 1 to 3, several chunks. */
static void zoo(int which, Problem *p) {
  switch (which) {
  case 0: problem_random(1, 1, 1, p); break;
  case 1: problem_random(333, 2, 5, p); break;
  case 2: problem_grid(17, 11, 9, 3, 10, p); break;
  default: problem_grid(70, 67, 1, 1, 1, p); break;
  }
}

/* K columns of floats or doubles with 8 bits more, and b and sums, on the Exec. */
typedef struct Columns {
  int64_t n; /* of all columns */
  size_t size;
  void *v[N_VECTOR];
  int8_t *extra[N_VECTOR];
  double *b;
} Columns;

/* Column c of K from the numbers of all; K 1 and c -1: all of them. */
static void columns_begin(int64_t n, int32_t K, int32_t c, bool is_double, Columns *t) {
  *t = (Columns){.n = c < 0 ? n * K : n, .size = is_double ? sizeof(double) : sizeof(float)};
  double *host = problem_host(t->n);
  float *low = NULL;
  int8_t *extra = NULL;
  assert_ok(mem_alloc(t->n, sizeof *low, "vector", (void **)&low));
  assert_ok(mem_alloc(t->n, sizeof *extra, "vector", (void **)&extra));
  for (int k = 0; k <= N_VECTOR; ++k) {
    for (int64_t i = 0; i < t->n; ++i) {
      const int64_t at = c < 0 ? i : i * K + c;
      host[i] = problem_number(at + 7919 * k);
      low[i] = (float)host[i];
      extra[i] = (int8_t)(100 * problem_number(at + 104729 * k));
    }
    if (k == N_VECTOR) break;
    assert_ok(exec_alloc_upload(exec, t->n, t->size, is_double ? (void *)host : (void *)low, "vector", &t->v[k]));
    if (!is_double) assert_ok(exec_alloc_upload(exec, t->n, 1, extra, "vector", (void **)&t->extra[k]));
  }
  t->b = problem_vector(exec, t->n, host);
  FREE(host);
  FREE(low);
  FREE(extra);
}

static void columns_end(Columns *t) {
  for (int k = 0; k < N_VECTOR; ++k) {
    exec_release(exec, t->n, t->size, &t->v[k]);
    EXEC_RELEASE(exec, t->extra[k], t->n);
  }
  EXEC_RELEASE(exec, t->b, t->n);
}

static ProductArgs args_of(const Columns *t) {
  return (ProductArgs){.v = t->v[V],
                       .u = t->v[U],
                       .w = t->v[W],
                       .z = t->v[Z],
                       .b = t->b,
                       .v_extra = t->extra[V],
                       .u_extra = t->extra[U],
                       .w_extra = t->extra[W],
                       .z_extra = t->extra[Z],
                       .c0 = -0.7,
                       .c1 = 1.3,
                       .c2 = -0.2,
                       .c3 = 0.4,
                       .e0 = 1,
                       .e1 = 0.3,
                       .e2 = -0.6,
                       .e3 = 1.1,
                       .e4 = 0.2,
                       .step = KRYLOV_STORE};
}

/* Value i of vector k with its more bits, as one reads it. */
static double *columns_fetch(const Columns *t, int k) {
  double *out = problem_host(t->n);
  char *raw = NULL;
  int8_t *extra = NULL;
  assert_ok(mem_alloc(t->n, t->size, "vector", (void **)&raw));
  assert_ok(mem_alloc(t->n, sizeof *extra, "vector", (void **)&extra));
  assert_ok(exec_download(exec, raw, t->v[k], (size_t)t->n * t->size));
  if (t->extra[k]) assert_ok(exec_download(exec, extra, t->extra[k], (size_t)t->n));
  for (int64_t i = 0; i < t->n; ++i)
    out[i] = t->extra[k] ? extra_read_f((const float *)(void *)raw, extra, i) : ((const double *)(void *)raw)[i];
  FREE(raw);
  FREE(extra);
  return out;
}

typedef struct Check {
  const Mat *a;
  MatOp op;
  int32_t K;
  double tolerance; /* 0: to the bit */
} Check;

static void check_column(const Check *t, const Columns *all, int32_t c, double sum) {
  const bool is_double = all->size == sizeof(double);
  const int64_t n = mat_rows(t->a);
  Columns one;
  Krylov *krylov = NULL, host = {.from_unit = 1, .to_unit = 1};
  columns_begin(n, t->K, c, is_double, &one);
  assert_ok(exec_alloc_upload(exec, 1, sizeof host, &host, "scalars", (void **)&krylov));
  ProductArgs args = args_of(&one);
  args.krylov = krylov;
  assert_ok(mat_product(t->a, t->op, &args));
  assert_ok(exec_download(exec, &host, krylov, sizeof host));
  if (t->op == MAT_COMBINE_DOT) assert_true(fabs(sum - host.sum[0]) <= 1e-12 * (double)n + t->tolerance * (double)n);
  for (int k = W; k <= Z; ++k) {
    double *wanted = columns_fetch(&one, k), *got = columns_fetch(all, k), size = 0;
    for (int64_t i = 0; i < n; ++i) size = fmax(size, fabs(wanted[i]));
    for (int64_t i = 0; i < n; ++i)
      if (!(fabs(got[i * t->K + c] - wanted[i]) <= t->tolerance * size))
        fail_msg("format '%s' in %s, operation %d, vector %d of %d, row %lld: %.17g, alone %.17g", mat_format(t->a),
                 precision_name(mat_precision(t->a)), t->op, c, t->K, (long long)i, got[i * t->K + c], wanted[i]);
    FREE(wanted);
    FREE(got);
  }
  EXEC_RELEASE(exec, krylov, 1);
  columns_end(&one);
}

static void check(const Check *t) {
  Columns all;
  KrylovMany *many = NULL, host = {.columns = t->K};
  columns_begin(mat_rows(t->a), t->K, -1, mat_precision(t->a) == PRECISION_DOUBLE, &all);
  for (int32_t c = 0; c < t->K; ++c) host.column[c] = (Krylov){.from_unit = 1, .to_unit = 1};
  assert_ok(exec_alloc_upload(exec, 1, sizeof host, &host, "scalars", (void **)&many));
  const ManyProduct args = {args_of(&all), many};
  assert_ok(mat_product_many(t->a, t->op, t->K, &args));
  assert_ok(exec_download(exec, &host, many, sizeof host));
  for (int32_t c = 0; c < t->K; ++c) check_column(t, &all, c, host.column[c].sum[0]);
  EXEC_RELEASE(exec, many, 1);
  columns_end(&all);
}

/* Counts the pairs of operation and K that were there. */
static int check_copy(Mat *a, bool to_the_bit, int32_t first, int32_t last) {
  const double rounding = mat_precision(a) == PRECISION_DOUBLE ? 1e-13 : 1e-5;
  int n = 0;
  if (!mat_allows_many(a)) return 0;
  for (int exact = 0; exact < (precision_is_low(mat_precision(a)) ? 2 : 1); ++exact) {
    mat_sum_in_double(a, exact);
    for (int32_t K = first; K <= last; K *= 2)
      for (int dot = 0; dot < 2; ++dot, ++n)
        check(&(Check){a, dot ? MAT_COMBINE_DOT : MAT_COMBINE, K, to_the_bit ? 0 : rounding});
  }
  return n;
}

/* 1 / the root of the diagonal, so that half holds the numbers. */
static double *scaling_of(const Problem *p, int64_t n) {
  const int32_t B = p->pattern->block;
  double *host = problem_host(n);
  for (int32_t i = 0; i < n; ++i) host[i] = 1 / sqrt(*problem_entry(p, i / B, i / B, i % B, i % B));
  double *scale = problem_vector(exec, n, host);
  FREE(host);
  return scale;
}

static int check_copies(const Problem *p, Mat *a, bool to_the_bit, int32_t first, int32_t last) {
  const int64_t size = mat_rows(a);
  double *scale = scaling_of(p, size);
  int n = 0;
  for (int precision = PRECISION_FLOAT; precision <= PRECISION_BFLOAT16; ++precision) {
    Mat *copy = NULL;
    if (!mat_allows(a, (Precision)precision)) continue;
    assert_ok(mat_create_like(a, (Precision)precision, &copy));
    assert_ok(mat_scale(a, scale, copy));
    n += check_copy(copy, to_the_bit, first, last);
    mat_destroy(&copy);
  }
  EXEC_RELEASE(exec, scale, size);
  return n;
}

static int check_format(const Problem *p, const char *format, int32_t first, int32_t last) {
  const bool to_the_bit = exec_is_host(exec) && !strcmp(format, "sbell");
  Mat *a = NULL;
  if (mat_create(exec, &(MatParams){.format = format}, p->pattern, &a) != OK) return 0; /* rows too different */
  problem_fill(p, a);
  const int n = check_copy(a, to_the_bit, first, last) + check_copies(p, a, to_the_bit, first, last);
  mat_destroy(&a);
  return n;
}

static void each_column_as_if_alone(void **state) {
  (void)state;
  for (int which = 0; which < ZOO; ++which) {
    Problem p;
    int n = 0;
    zoo(which, &p);
    for (int32_t f = 0; f < mat_format_count(); ++f) n += check_format(&p, mat_format_name(f), 2, 8);
    assert_true(n >= 6 * (2 + 2 + 2 * 3)); /* csr and sbell in double and float, sbell in three of fewer bits */
    problem_release(&p);
  }
}

static void columns_beyond_sixteen_bits(void **state) {
  (void)state;
  for (int32_t block = 1; block <= 3; ++block) {
    Problem p;
    problem_far(66000, block, &p);
    assert_true(check_format(&p, "sbell", 2, 2) == 2 * (2 + 2 * 3));
    problem_release(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_column_as_if_alone),
                                     cmocka_unit_test(columns_beyond_sixteen_bits)};
  return testing_run("solver/mat_many", tests, exec);
}
