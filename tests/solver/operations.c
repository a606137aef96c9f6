#include "tests/solver/operations.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>

static int ascending(const void *a, const void *b) {
  return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

void problem_rows(int n, int block, const int *length, Problem *out) {
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

double *numbers(int64_t n, int64_t shift) {
  double *x = NULL;
  assert_ok(mem_alloc(n, sizeof *x, "vector", (void **)&x));
  for (int64_t i = 0; i < n; ++i) x[i] = problem_number(i + shift);
  return x;
}

int64_t natural_place(const Mat *a, int64_t i) { return mat_numbering(a) ? mat_numbering(a)[i] : i; }

void *natural_sent(const Mat *a, const double *x) {
  const int64_t n = mat_rows(a);
  const bool is_float = mat_precision(a) == PRECISION_FLOAT;
  void *moved = NULL;
  assert_ok(mem_alloc(n, sizeof(double), "vector", &moved));
  for (int64_t i = 0; i < n; ++i) {
    if (is_float) ((float *)moved)[natural_place(a, i)] = (float)x[i];
    else ((double *)moved)[natural_place(a, i)] = x[i];
  }
  void *out = NULL;
  assert_ok(exec_alloc_upload(mat_exec(a), n, is_float ? sizeof(float) : sizeof(double), moved, "vector", &out));
  mem_free(&moved);
  return out;
}

void natural_fetch(const Mat *a, void *from, double *x) {
  const int64_t n = mat_rows(a);
  const bool is_float = mat_precision(a) == PRECISION_FLOAT;
  const size_t size = is_float ? sizeof(float) : sizeof(double);
  void *moved = NULL;
  assert_ok(mem_alloc(n, size, "vector", &moved));
  assert_ok(exec_download(mat_exec(a), moved, from, (size_t)n * size));
  for (int64_t i = 0; i < n; ++i)
    x[i] = is_float ? (double)((float *)moved)[natural_place(a, i)] : ((double *)moved)[natural_place(a, i)];
  mem_free(&moved);
  exec_release(mat_exec(a), n, size, &from);
}

void natural_apply(const Mat *a, const double *x, double *y) {
  const int64_t n = mat_rows(a);
  const bool is_float = mat_precision(a) == PRECISION_FLOAT;
  void *v = natural_sent(a, x), *w = natural_sent(a, x);
  assert_ok(mat_apply(a, v, w));
  natural_fetch(a, w, y);
  exec_release(mat_exec(a), n, is_float ? sizeof(float) : sizeof(double), &v);
}

void problem_apply_abs(const Problem *p, const double *x, double *y) {
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

Krylov krylov_on_host(Exec *exec, const Krylov *k) {
  Krylov host;
  assert_ok(exec_download(exec, &host, k, sizeof host));
  return host;
}

void check_operations(const Problem *p, const Mat *a) {
  Exec *exec = mat_exec(a);
  const int64_t n = mat_rows(a);
  double *hv = numbers(n, 1), *hu = numbers(n, 5000), *hb = numbers(n, 90000), *av = numbers(n, 0), *y = numbers(n, 0);
  const Krylov fresh = {.from_unit = 1};
  Krylov *k = NULL;
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&k));
  double *v = natural_sent(a, hv), *u = natural_sent(a, hu), *b = natural_sent(a, hb), *w = natural_sent(a, hv),
         *w2 = natural_sent(a, hv);
  problem_apply(p, hv, av);
  double dot = 0, rr = 0, bt = 0, size = 1;
  for (int64_t i = 0; i < n; ++i) {
    const double r = hb[i] - av[i];
    dot += hv[i] * av[i];
    rr += r * r;
    bt += hb[i] * (-0.5 * av[i] + 2 * hv[i] + 3 * hu[i]);
    size = fmax(size, fabs(av[i]));
  }
  assert_ok(mat_product(a, MAT_DOT, &(ProductArgs){.v = v, .w = w, .step = KRYLOV_STORE, .krylov = k}));
  assert_near(krylov_on_host(exec, k).sum[0] / (size * (double)n), dot / (size * (double)n), 1e-14);
  assert_ok(mat_product(a, MAT_RESIDUAL, &(ProductArgs){.v = v, .w = w, .b = b, .step = KRYLOV_STORE, .krylov = k}));
  assert_true(fabs(krylov_on_host(exec, k).sum[0] - rr) <= 1e-12 * rr);
  natural_fetch(a, w, y);
  for (int64_t i = 0; i < n; ++i) assert_near(y[i] / size, (hb[i] - av[i]) / size, 1e-14);
  assert_ok(mat_product(a, MAT_COMBINE, &(ProductArgs){.v = v, .w = w2, .u = u, .c0 = -0.5, .c1 = 2, .c2 = 3}));
  natural_fetch(a, w2, y);
  for (int64_t i = 0; i < n; ++i) assert_near(y[i] / size, (-0.5 * av[i] + 2 * hv[i] + 3 * hu[i]) / size, 1e-14);
  w2 = natural_sent(a, hv);
  assert_ok(mat_product(a, MAT_COMBINE_DOT,
                        &(ProductArgs){.v = v,
                                       .w = w2,
                                       .u = u,
                                       .b = b,
                                       .z = u,
                                       .c0 = -0.5,
                                       .c1 = 2,
                                       .c2 = 3,
                                       .e3 = 1,
                                       .step = KRYLOV_STORE,
                                       .krylov = k}));
  assert_near(krylov_on_host(exec, k).sum[0] / (size * (double)n), bt / (size * (double)n), 1e-13);
  natural_fetch(a, w2, y);
  for (int64_t i = 0; i < n; ++i) assert_near(y[i] / size, (-0.5 * av[i] + 2 * hv[i] + 3 * hu[i]) / size, 1e-14);
  EXEC_RELEASE(exec, v, n);
  EXEC_RELEASE(exec, u, n);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, k, 1);
  double *host[] = {hv, hu, hb, av, y};
  for (int i = 0; i < 5; ++i) FREE(host[i]);
}

void check_visits(const Problem *p, const Mat *a) {
  Exec *exec = mat_exec(a);
  const int64_t n = mat_rows(a);
  const int B = p->pattern->block;
  double *one = numbers(n, 0), *y = numbers(n, 0), *wanted = numbers(n, 0), *s = numbers(n, 17), *size = numbers(n, 0);
  double *d = natural_sent(a, one);
  assert_ok(mat_diagonal(a, d));
  natural_fetch(a, d, y);
  for (int i = 0; i < n; ++i) {
    const double *entry = problem_entry(p, i / B, i / B, i % B, i % B);
    assert_true(y[i] == (entry ? *entry : 0));
  }
  d = natural_sent(a, one);
  assert_ok(mat_product(a, MAT_ABS, &(ProductArgs){.w = d}));
  natural_fetch(a, d, y);
  for (int64_t i = 0; i < n; ++i) one[i] = 1;
  problem_apply_abs(p, one, wanted);
  for (int64_t i = 0; i < n; ++i) assert_true(fabs(y[i] - wanted[i]) <= 1e-13 * wanted[i]);
  problem_apply(p, s, wanted);
  problem_apply_abs(p, s, size);
  double *scale = natural_sent(a, s);
  for (int f = 0; f < 2; ++f) {
    Mat *copy = NULL;
    assert_ok(mat_create_like(a, f ? PRECISION_FLOAT : PRECISION_DOUBLE, &copy));
    assert_ok(mat_scale(a, scale, copy));
    natural_apply(copy, one, y);
    for (int64_t i = 0; i < n; ++i)
      assert_true(fabs(y[i] - s[i] * wanted[i]) <= (f ? 3e-7 : 1e-13) * fabs(s[i]) * size[i]);
    mat_destroy(&copy);
  }
  EXEC_RELEASE(exec, scale, n);
  double *host[] = {one, y, wanted, s, size};
  for (int i = 0; i < 5; ++i) FREE(host[i]);
}
