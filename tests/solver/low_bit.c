/* Copies in half and 8 bits: what is stored against what should be, to the bit; products against what is stored;
 * symmetry; columns beyond 16 bits; failures. The numbers themselves are tested in low_bit_numbers.c, outer iterations
 * are counted in cantilever.c. */
#include "tests/solver/operations.h"
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "algebra/low_bit_rows.h"
#include "algebra/mat_format.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;
enum { N_LOW = 3 };
static const Precision LOW[N_LOW] = {PRECISION_HALF, PRECISION_INT8, PRECISION_BFLOAT16};

enum { ZOO = 8 };
/* 1 x 1, partial slices, rows that get sorted, blocks 1 to 3, contrast, several chunks. */
static void zoo(int which, Problem *p) {
  switch (which) {
  case 0: problem_random(1, 1, 1, p); break;
  case 1: problem_random(32, 2, 3, p); break;
  case 2: problem_random(33, 1, 4, p); break;
  case 3: problem_random(211, 3, 6, p); break;
  case 4: problem_grid(40, 70, 1, 2, 1, p); break;
  case 5: problem_grid(17, 11, 9, 3, 1e3, p); break;
  case 6: problem_grid(9, 9, 3, 1, 10, p); break;
  default: problem_random(333, 2, 5, p); break;
  }
}

/* Every entry of A below the diagonal moves by a rounding, as assembly in another order would move it. */
static void disturb(Problem *p) {
  const int B = p->pattern->block;
  for (int32_t i = 0; i < p->pattern->n; ++i)
    for (int64_t k = p->pattern->start[i]; k < p->pattern->start[i + 1]; ++k)
      for (int e = 0; e < B * B; ++e)
        if (p->pattern->column[k] * B + e % B < i * B + e / B)
          p->value[k * B * B + e] = nextafter(p->value[k * B * B + e], k % 2 ? -10 : 10);
}

/* A matrix, its scaled copy in low precision, and that copy's values in the order of the pattern. */
typedef struct Copy {
  const Problem *p;
  Mat *a, *low;
  double *scale;  /* host [n] */
  double *stored; /* [n_block][block^2] */
  int64_t n, wide;
} Copy;

static void decode(Copy *c) {
  const Pattern *q = c->p->pattern;
  const int B = q->block, precision = mat_precision(c->low);
  const int bits = precision == PRECISION_HALF ? LOW_HALF : precision == PRECISION_INT8 ? LOW_INT8 : LOW_BFLOAT;
  const int64_t n_slice = (q->n + LOW_LANES - 1) / LOW_LANES;
  char *value = NULL;
  int32_t *base = NULL, *lane_of = NULL, *row = NULL;
  assert_ok(mem_alloc((int64_t)c->low->value_bytes, 1, "records", (void **)&value));
  assert_ok(mem_alloc(n_slice, sizeof *base, "bases", (void **)&base));
  assert_ok(mem_alloc(q->n, sizeof *lane_of, "places", (void **)&lane_of));
  assert_ok(mem_alloc(q->n, sizeof *row, "rows", (void **)&row));
  assert_ok(exec_download(exec, value, mat_values(c->low), c->low->value_bytes));
  assert_ok(exec_download(exec, base, c->low->view.order, (size_t)n_slice * sizeof *base));
  if (c->a->view.row) assert_ok(exec_download(exec, row, c->a->view.row, (size_t)q->n * sizeof *row));
  for (int32_t lane = 0; lane < q->n; ++lane) lane_of[c->a->view.row ? row[lane] : lane] = lane;
  assert_ok(mem_alloc(q->start[q->n] * B * B, sizeof *c->stored, "stored values", (void **)&c->stored));
  c->wide = 0;
  assert_ok(slot_map_fetch(mat_slots(c->a)));
  for (int64_t s = 0; s < n_slice; ++s) c->wide += base[s] < 0;
  for (int32_t i = 0; i < q->n; ++i)
    for (int64_t k = q->start[i]; k < q->start[i + 1]; ++k) {
      const int64_t slot = mat_slots(c->a)->slot[k], square = LOW_LANES * B * B;
      const char *entry = value + slot / square * LOW_LANES * low_bit_bytes(bits, B);
      const int32_t l = (int32_t)(slot % square), from = base[lane_of[i] / LOW_LANES];
      assert_int_equal(l, lane_of[i] % LOW_LANES);
      if (from >= 0) assert_int_equal(from + (int32_t)low_bit_column(entry, l, bits, B), q->column[k]);
      for (int e = 0; e < B * B; ++e)
        c->stored[k * B * B + e] = (double)(low_bit_scale(entry, l, bits, B) * low_bit_value(entry, l, bits, B, e));
    }
  FREE(value);
  FREE(base);
  FREE(lane_of);
  FREE(row);
}

static void copy_begin(const Problem *p, Precision precision, Copy *c) {
  const int B = p->pattern->block;
  *c = (Copy){.p = p, .a = problem_mat(exec, p, "sbell")};
  c->n = mat_rows(c->a);
  assert_ok(mem_alloc(c->n, sizeof *c->scale, "scaling", (void **)&c->scale));
  for (int32_t i = 0; i < p->pattern->n; ++i)
    for (int r = 0; r < B; ++r) c->scale[i * B + r] = 1 / sqrt(*problem_entry(p, i, i, r, r));
  double *s = problem_vector(exec, c->n, c->scale);
  assert_ok(mat_create_like(c->a, precision, &c->low));
  assert_ok(mat_scale(c->a, s, c->low));
  EXEC_RELEASE(exec, s, c->n);
  decode(c);
}

static void copy_end(Copy *c) {
  mat_destroy(&c->low);
  mat_destroy(&c->a);
  FREE(c->scale);
  FREE(c->stored);
}

/* The entries are the nearest halves, or the nearest of 8 bits within their block, of S A S. */
static void check_stored(const Copy *c) {
  const Pattern *q = c->p->pattern;
  const int B = q->block;
  const Precision precision = mat_precision(c->low);
  for (int32_t i = 0; i < q->n; ++i)
    for (int64_t k = q->start[i]; k < q->start[i + 1]; ++k) {
      double wanted[9], largest = 0;
      for (int e = 0; e < B * B; ++e) {
        wanted[e] = c->scale[i * B + e / B] * c->p->value[k * B * B + e] * c->scale[q->column[k] * B + e % B];
        largest = fmax(largest, fabs(wanted[e]));
      }
      for (int e = 0; e < B * B; ++e) {
        const double bound = precision == PRECISION_HALF       ? fmax(fabs(wanted[e]) / 2048, 0x1p-25)
                             : precision == PRECISION_BFLOAT16 ? fabs(wanted[e]) / 256
                                                               : largest / 127;
        assert_true(fabs(c->stored[k * B * B + e] - wanted[e]) <= 1.0000001 * bound + 1e-300);
      }
    }
}

static void check_symmetric(const Copy *c) {
  const Pattern *q = c->p->pattern;
  const int B = q->block;
  for (int32_t i = 0; i < q->n; ++i)
    for (int64_t k = q->start[i]; k < q->start[i + 1]; ++k) {
      int64_t m = q->start[q->column[k]];
      while (q->column[m] != i) ++m;
      for (int e = 0; e < B * B; ++e)
        assert_memory_equal(&c->stored[k * B * B + e], &c->stored[m * B * B + e % B * B + e / B], sizeof(double));
    }
}

static float *vector_float(int64_t n, int64_t by, double **host) {
  float *f = NULL, *out = NULL;
  assert_ok(mem_alloc(n, sizeof *f, "vector", (void **)&f));
  assert_ok(mem_alloc(n, sizeof **host, "vector", (void **)host));
  for (int64_t i = 0; i < n; ++i) {
    f[i] = (float)problem_number(i + by);
    (*host)[i] = (double)f[i];
  }
  assert_ok(exec_alloc_upload(exec, n, sizeof *f, f, "vector", (void **)&out));
  FREE(f);
  return out;
}

static void download_float(int64_t n, const float *from, double *to) {
  float *f = NULL;
  assert_ok(mem_alloc(n, sizeof *f, "vector", (void **)&f));
  assert_ok(exec_download(exec, f, from, (size_t)n * sizeof *f));
  for (int64_t i = 0; i < n; ++i) to[i] = (double)f[i];
  FREE(f);
}

/* y = |stored| |x| (sign 0) or stored x (sign 1). */
static void reference(const Copy *c, const double *x, int sign, double *y) {
  const Pattern *q = c->p->pattern;
  const int B = q->block;
  for (int64_t i = 0; i < c->n; ++i) {
    y[i] = 0;
    for (int64_t k = q->start[i / B]; k < q->start[i / B + 1]; ++k)
      for (int e = 0; e < B; ++e) {
        const double t = c->stored[(k * B + i % B) * B + e] * x[q->column[k] * B + e];
        y[i] += sign ? t : fabs(t);
      }
  }
}

/* Products against the values that are stored: float sums, then double ones, which leave the rounding inside a
 * block. */
static void check_products(Copy *c) {
  const int64_t n = c->n;
  double *hv = NULL, *hw = NULL, *wanted = NULL, *size = NULL;
  float *v = vector_float(n, 17, &hv), *w = vector_float(n, 3, &hw);
  assert_ok(mem_alloc(n, sizeof *wanted, "reference", (void **)&wanted));
  assert_ok(mem_alloc(n, sizeof *size, "reference", (void **)&size));
  reference(c, hv, 1, wanted);
  reference(c, hv, 0, size);
  for (int exact = 0; exact < 2; ++exact) {
    mat_sum_in_double(c->low, exact);
    assert_ok(mat_apply(c->low, v, w));
    download_float(n, w, hw);
    for (int64_t i = 0; i < n; ++i)
      if (!(fabs(hw[i] - wanted[i]) <= (exact ? 3e-7 : 2e-6) * size[i] + 1e-12))
        fail_msg("row %lld: %.9g, %.9g wanted, sums in %s", (long long)i, hw[i], wanted[i], exact ? "double" : "float");
  }
  mat_sum_in_double(c->low, false);
  /* row sums of absolute values and the diagonal */
  assert_ok(mat_product(c->low, MAT_ABS, &(ProductArgs){.w = w}));
  download_float(n, w, hw);
  for (int64_t i = 0; i < n; ++i) hv[i] = 1;
  reference(c, hv, 0, size);
  for (int64_t i = 0; i < n; ++i) assert_true(fabs(hw[i] - size[i]) <= 1e-7 * size[i]);
  assert_ok(mat_product(c->low, MAT_DIAGONAL, &(ProductArgs){.w = w}));
  download_float(n, w, hw);
  for (int64_t i = 0; i < n; ++i) assert_true(fabs(hw[i] - 1) <= 0.01);
  double *host[] = {hv, hw, wanted, size};
  for (int i = 0; i < 4; ++i) FREE(host[i]);
  EXEC_RELEASE(exec, v, n);
  EXEC_RELEASE(exec, w, n);
}

/* u.Av = v.Au, and the epilogues that a polynomial takes. */
static void check_epilogues(const Copy *c) {
  const int64_t n = c->n;
  double *hv = NULL, *hu = NULL, *hw = NULL, *av = NULL;
  float *v = vector_float(n, 1, &hv), *u = vector_float(n, 500, &hu), *w = vector_float(n, 3, &hw);
  double *b = problem_vector(exec, n, hu);
  Krylov *k = NULL;
  const Krylov fresh = {.from_unit = 1};
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&k));
  assert_ok(mem_alloc(n, sizeof *av, "reference", (void **)&av));
  reference(c, hv, 1, av);
  double uav = 0, vav = 0, norm = 0;
  for (int64_t i = 0; i < n; ++i) {
    vav += hv[i] * av[i];
    uav += hu[i] * av[i];
    norm += fabs(av[i]);
  }
  const ProductArgs dot = {.v = v, .w = w, .step = KRYLOV_STORE, .krylov = k};
  assert_ok(mat_product(c->low, MAT_DOT, &dot));
  assert_true(fabs(krylov_on_host(exec, k).sum[0] - vav) <= 1e-6 * norm);
  /* b is u: z = A v gives u.Av; then v is u and b is v */
  ProductArgs combine = {.v = v, .u = u, .z = w, .b = b, .c0 = 1, .e3 = 1, .step = KRYLOV_STORE, .krylov = k};
  assert_ok(mat_product(c->low, MAT_COMBINE_DOT, &combine));
  const double one = krylov_on_host(exec, k).sum[0];
  assert_true(fabs(one - uav) <= 1e-6 * norm);
  assert_ok(exec_upload(exec, b, hv, (size_t)n * sizeof *b));
  combine.v = u;
  assert_ok(mat_product(c->low, MAT_COMBINE_DOT, &combine));
  assert_true(fabs(krylov_on_host(exec, k).sum[0] - one) <= 1e-6 * norm);
  assert_ok(
      mat_product(c->low, MAT_RESIDUAL, &(ProductArgs){.v = v, .w = w, .b = b, .step = KRYLOV_STORE, .krylov = k}));
  download_float(n, w, hw);
  for (int64_t i = 0; i < n; ++i) assert_true(fabs(hw[i] - (hv[i] - av[i])) <= 1e-5);
  assert_ok(mat_product(c->low, MAT_COMBINE, &(ProductArgs){.v = v, .u = u, .w = u, .c0 = -0.5, .c1 = 2, .c2 = 3}));
  download_float(n, u, hw);
  for (int64_t i = 0; i < n; ++i) assert_true(fabs(hw[i] - (-0.5 * av[i] + 2 * hv[i] + 3 * hu[i])) <= 1e-5);
  /* nothing happens after stop */
  const Krylov stopped = {.stop = KRYLOV_CONVERGED};
  assert_ok(exec_upload(exec, k, &stopped, sizeof stopped));
  assert_ok(mat_product(c->low, MAT_COMBINE, &(ProductArgs){.v = v, .w = u, .stop = &k->stop, .krylov = k}));
  download_float(n, u, av);
  assert_memory_equal(av, hw, (size_t)n * sizeof *av);
  double *host[] = {hv, hu, hw, av};
  for (int i = 0; i < 4; ++i) FREE(host[i]);
  EXEC_RELEASE(exec, v, n);
  EXEC_RELEASE(exec, u, n);
  EXEC_RELEASE(exec, w, n);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, k, 1);
}

/* Whether its rows were moved. */
static bool check_copy(int which, Precision precision) {
  Problem p;
  zoo(which, &p);
  disturb(&p);
  Copy c;
  copy_begin(&p, precision, &c);
  const bool sorted = c.a->view.row != NULL;
  assert_int_equal(c.wide, 0);
  check_stored(&c);
  check_symmetric(&c);
  check_products(&c);
  check_epilogues(&c);
  copy_end(&c);
  problem_release(&p);
  return sorted;
}

static void copies_of_the_zoo(void **state) {
  (void)state;
  check_copy(4, PRECISION_HALF); /* the Exec keeps room for as many partial sums as it needed once */
  const size_t before = mem_in_use(), on_exec = exec->in_use;
  int sorted = 0;
  for (int which = 0; which < ZOO; ++which)
    for (int k = 0; k < N_LOW; ++k) sorted += check_copy(which, LOW[k]);
  assert_true(sorted > 0);
  assert_int_equal(mem_in_use(), before);
  assert_int_equal(exec->in_use, on_exec);
}

static void columns_beyond_sixteen_bits(void **state) {
  (void)state;
  const int32_t n = 66000;
  for (int32_t block = 1; block <= 3; ++block)
    for (int k = 0; k < N_LOW; ++k) {
      Problem p;
      problem_far(n, block, &p);
      Copy c;
      copy_begin(&p, LOW[k], &c);
      assert_in_range(c.wide, 4, 40);
      check_symmetric(&c);
      check_stored(&c);
      check_products(&c);
      copy_end(&c);
      problem_release(&p);
    }
}

/* The product with the copy against the one in double, in the norm of row sums: what METHODS expects of either. */
static void error_of_a_product(void **state) {
  (void)state;
  for (int k = 0; k < N_LOW; ++k) {
    Problem p;
    problem_grid(12, 12, 12, 3, 100, &p);
    Copy c;
    copy_begin(&p, LOW[k], &c);
    double *v = NULL, *exact = NULL, *rounded = NULL, *turned = NULL, worst = 0, square = 0;
    assert_ok(mem_alloc(c.n, sizeof *v, "vector", (void **)&v));
    assert_ok(mem_alloc(c.n, sizeof *exact, "vector", (void **)&exact));
    assert_ok(mem_alloc(c.n, sizeof *rounded, "vector", (void **)&rounded));
    assert_ok(mem_alloc(c.n, sizeof *turned, "vector", (void **)&turned));
    for (int64_t i = 0; i < c.n; ++i) {
      v[i] = problem_number(i);
      turned[i] = c.scale[i] * v[i];
    }
    problem_apply(&p, turned, exact);
    reference(&c, v, 1, rounded);
    reference(&c, v, 0, turned);
    for (int64_t i = 0; i < c.n; ++i) {
      const double error = fabs(c.scale[i] * exact[i] - rounded[i]) / turned[i];
      worst = fmax(worst, error);
      square += error * error / (double)c.n;
    }
    print_message("%s: error %.1e of the row sums, at most %.1e\n", precision_name(LOW[k]), sqrt(square), worst);
    const bool half = LOW[k] == PRECISION_HALF;
    assert_true(sqrt(square) <= (half ? 2e-4 : 1e-2) && worst <= (half ? 5e-4 : 3e-2) && worst > 1e-6);
    double *host[] = {v, exact, rounded, turned};
    for (int i = 0; i < 4; ++i) FREE(host[i]);
    copy_end(&c);
    problem_release(&p);
  }
}

static void bytes_of_a_product(void **state) {
  (void)state;
  static const int bytes[N_LOW][3] = {{4, 10, 20}, {4, 8, 12}, {4, 10, 20}};
  for (int block = 1; block <= 3; ++block)
    for (int k = 0; k < N_LOW; ++k) {
      Problem p;
      problem_grid(64, 32, 1, block, 1, &p);
      Copy c;
      copy_begin(&p, LOW[k], &c);
      const size_t entries = (size_t)mat_slots(c.a)->n_value / (size_t)(block * block), rows = c.a->view.row ? 2048 : 0;
      assert_int_equal(mat_bytes(c.low), entries * (size_t)bytes[k][block - 1] + 65 * 8 + 64 * 4 + rows * 4);
      assert_string_equal(mat_format(c.low), "sbell");
      copy_end(&c);
      problem_release(&p);
    }
}

static void what_cannot_be_copied(void **state) {
  (void)state;
  Problem p;
  problem_random(200, 2, 1, &p);
  Mat *a = NULL, *low = NULL;
  assert_fails(mat_create(exec, &(MatParams){.precision = PRECISION_INT8}, p.pattern, &a), ERR_INPUT, "not in int8");
  assert_null(a);
  a = problem_mat(exec, &p, "csr");
  assert_fails(mat_create_like(a, PRECISION_HALF, &low), ERR_INPUT, "format 'csr' cannot store values in half; use");
  LinearSolver *s = NULL;
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  params.inner = LINEAR_INNER_INT8;
  assert_fails(linear_create(exec, &params, a, &s), ERR_INPUT, "use format 'sbell'");
  assert_null(s);
  mat_destroy(&a);
  assert_ok(mat_create(exec, &(MatParams){.format = "sbell", .slice = 96}, p.pattern, &a));
  assert_fails(mat_create_like(a, PRECISION_HALF, &low), ERR_INPUT, "slices of 96 rows");
  assert_null(low);
  mat_destroy(&a);
  problem_release(&p);
}

typedef struct Likeness {
  const Mat *of;
  Precision precision;
} Likeness;

static Status try_like(void *context) {
  const Likeness *t = context;
  Mat *low = NULL;
  const Status status = mat_create_like(t->of, t->precision, &low);
  mat_destroy(&low);
  return status;
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  for (int which = 0; which < 2; ++which)
    for (int k = 0; k < N_LOW; ++k) {
      Problem p;
      if (which) problem_far(4096, 1, &p);
      else problem_random(333, 2, 5, &p);
      Mat *a = problem_mat(exec, &p, "sbell");
      testing_fail_each(exec, try_like, &(Likeness){a, LOW[k]});
      mat_destroy(&a);
      problem_release(&p);
    }
}

/* A solve with low precision inside gives the answer of one in double, in about as many iterations. */
static void solves_with_low_precision_inside(void **state) {
  (void)state;
  for (int which = 0; which < 3; ++which) {
    Problem p;
    if (which == 0) problem_grid(300, 3, 1, 1, 10, &p);
    else if (which == 1) problem_grid(31, 17, 1, 2, 100, &p);
    else problem_grid(12, 9, 8, 3, 1, &p);
    Mat *a = problem_mat(exec, &p, "sbell");
    const int64_t n = mat_rows(a);
    double *b = problem_vector(exec, n, NULL), *x = problem_vector(exec, n, NULL);
    LinearReport report[5];
    for (int inner = LINEAR_INNER_DOUBLE; inner <= LINEAR_INNER_BFLOAT16; ++inner) {
      LinearParams params = linear_params_default();
      params.preconditioner = "least-squares";
      params.inner = (LinearInner)inner;
      LinearSolver *s = NULL;
      LinearReport *r = &report[inner - LINEAR_INNER_DOUBLE];
      assert_ok(linear_create(exec, &params, a, &s));
      assert_ok(linear_setup(s));
      assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
      assert_ok(linear_solve(s, b, x, r));
      assert_true(r->true_residual <= 1e-8);
      if (inner > LINEAR_INNER_DOUBLE && inner <= LINEAR_INNER_INT8)
        assert_true(r->bytes_per_iteration < r[-1].bytes_per_iteration || which == 0);
      linear_destroy(&s);
    }
    print_message("block %d: %lld %lld %lld %lld %lld iterations in double, float, half, int8, bfloat16\n", which + 1,
                  (long long)report[0].iterations, (long long)report[1].iterations, (long long)report[2].iterations,
                  (long long)report[3].iterations, (long long)report[4].iterations);
    /* the mark of 5 % is for elements (cantilever.c); the chain of block 1 has 1e-4 as its smallest eigenvalue */
    for (int k = 1; k < 5; ++k) assert_true((double)report[k].iterations <= ceil(1.1 * (double)report[0].iterations));
    EXEC_RELEASE(exec, b, n);
    EXEC_RELEASE(exec, x, n);
    mat_destroy(&a);
    problem_release(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_the_zoo),
      cmocka_unit_test(columns_beyond_sixteen_bits),
      cmocka_unit_test(error_of_a_product),
      cmocka_unit_test(bytes_of_a_product),
      cmocka_unit_test(what_cannot_be_copied),
      cmocka_unit_test(every_allocation_failed_once),
      cmocka_unit_test(solves_with_low_precision_inside),
  };
  return testing_run("solver/low_bit", tests, exec);
}
