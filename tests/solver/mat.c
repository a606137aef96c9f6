/* Every format in the registry, by iteration: products against a reference, slots, padding, epilogues, failures. */
#include "tests/solver/operations.h"
#include "core/memory.h"
#include "core/sum_parts.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;

enum { ZOO = 9 };
/* 1 x 1, full and partial slices, one long row, blocks 1 to 3, grids, enough rows for several chunks. */
static void zoo(int which, Problem *p) {
  switch (which) {
  case 0: problem_random(1, 1, 1, p); break;
  case 1: problem_random(1, 3, 2, p); break;
  case 2: problem_random(32, 2, 3, p); break;
  case 3: problem_random(33, 1, 4, p); break;
  case 4: problem_random(333, 2, 5, p); break;
  case 5: problem_random(211, 3, 6, p); break;
  case 6: problem_grid(40, 70, 1, 2, 1, p); break;
  case 7: problem_grid(17, 11, 9, 3, 1e3, p); break;
  default: problem_grid(3001, 1, 1, 1, 10, p); break;
  }
}

static void download(int64_t n, const void *from, size_t size, void **out) {
  assert_ok(mem_alloc(n, size, "copy", out));
  assert_ok(exec_download(exec, *out, from, (size_t)n * size));
}

/* Largest difference to the reference, measured against |A| |x| row by row (the rounding of a sum allows no better). */
static double product_error(const Problem *p, const double *x, const double *y) {
  const int B = p->pattern->block;
  const int64_t n = (int64_t)p->pattern->n * B;
  double *wanted = NULL, worst = 0;
  assert_ok(mem_alloc(n, sizeof *wanted, "reference", (void **)&wanted));
  problem_apply(p, x, wanted);
  for (int64_t i = 0; i < n; ++i) {
    double size = 0;
    for (int64_t k = p->pattern->start[i / B]; k < p->pattern->start[i / B + 1]; ++k)
      for (int c = 0; c < B; ++c) size += fabs(p->value[(k * B + i % B) * B + c] * x[p->pattern->column[k] * B + c]);
    const double error = fabs(y[i] - wanted[i]);
    if (!(error <= worst * size)) worst = size > 0 ? error / size : error;
  }
  FREE(wanted);
  return worst;
}

static void check_product(const Problem *p, const char *format, int32_t slice) {
  const int64_t n = (int64_t)p->pattern->n * p->pattern->block;
  Mat *a = NULL, *f = NULL;
  assert_ok(mat_create(exec, &(MatParams){.format = format, .slice = slice}, p->pattern, &a));
  problem_fill(p, a);
  assert_int_equal(mat_rows(a), n);
  double *x = problem_vector(exec, n, NULL), *y = problem_vector(exec, n, NULL), *host = NULL, *hx = NULL;
  assert_ok(mat_apply(a, x, y));
  download(n, y, sizeof *y, (void **)&host);
  download(n, x, sizeof *x, (void **)&hx);
  const double error = product_error(p, hx, host);
  if (!(error <= 1e-14)) fail_msg("%s, n %lld, block %d: error %g", format, (long long)n, p->pattern->block, error);

  assert_ok(
      mat_create(exec, &(MatParams){.format = format, .slice = slice, .precision = PRECISION_FLOAT}, p->pattern, &f));
  problem_fill(p, f);
  float *xf = NULL, *yf = NULL, *hf = NULL;
  assert_ok(mem_alloc(n, sizeof *hf, "float vector", (void **)&hf));
  for (int64_t i = 0; i < n; ++i) hf[i] = (float)hx[i];
  assert_ok(exec_alloc_upload(exec, n, sizeof *hf, hf, "x", (void **)&xf));
  assert_ok(exec_alloc_upload(exec, n, sizeof *hf, hf, "y", (void **)&yf));
  assert_ok(mat_apply(f, xf, yf));
  assert_ok(exec_download(exec, hf, yf, (size_t)n * sizeof *hf));
  for (int64_t i = 0; i < n; ++i) host[i] = (double)hf[i];
  /* long rows gather rounding: about sqrt(entries) half ulps */
  int64_t longest = 0;
  for (int64_t i = 0; i < p->pattern->n; ++i)
    longest = (int64_t)fmax((double)longest, (double)(p->pattern->start[i + 1] - p->pattern->start[i]));
  assert_true(product_error(p, hx, host) <= fmax(1e-6, 1e-7 * sqrt((double)(longest * p->pattern->block))));
  FREE(hf);
  FREE(host);
  FREE(hx);
  EXEC_RELEASE(exec, xf, n);
  EXEC_RELEASE(exec, yf, n);
  EXEC_RELEASE(exec, x, n);
  EXEC_RELEASE(exec, y, n);
  mat_destroy(&a);
  mat_destroy(&f);
}

static void products_of_all_formats(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  for (int w = 0; w < ZOO; ++w) {
    Problem p;
    zoo(w, &p);
    for (int32_t i = 0; i < mat_format_count(); ++i) {
      check_product(&p, mat_format_name(i), 0);
      if (!strcmp(mat_format_name(i), "sbell")) check_product(&p, "sbell", 96);
    }
    problem_release(&p);
  }
  assert_int_equal(mem_in_use(), before);
}

static int64_t place(const SlotMap *s, int B, int64_t i, int64_t k, int e) {
  if (s->per_scalar) return s->slot[k * B * B + e];
  return s->slot[k] + e / B * s->row_step[s->same_step ? 0 : i] + e % B * s->column_step;
}

/* Each scalar entry has a place of its own inside the array; what no entry owns is padding and zero, also in a copy. */
static void slots_are_injective_and_padding_is_zero(void **state) {
  (void)state;
  for (int w = 0; w < ZOO; ++w) {
    Problem p;
    zoo(w, &p);
    const int B = p.pattern->block;
    for (int32_t f = 0; f < mat_format_count(); ++f) {
      Mat *a = problem_mat(exec, &p, mat_format_name(f)), *copy = NULL;
      const SlotMap *s = mat_slots(a);
      assert_ok(slot_map_fetch(s));
      assert_int_equal(mat_entries(a), p.pattern->start[p.pattern->n] * B * B);
      assert_true(s->n_value >= mat_entries(a));
      assert_true(mat_bytes(a) > (size_t)s->n_value * sizeof(double));
      unsigned char *taken = NULL;
      assert_ok(mem_alloc(s->n_value, 1, "marks", (void **)&taken));
      for (int64_t i = 0; i < p.pattern->n; ++i)
        for (int64_t k = p.pattern->start[i]; k < p.pattern->start[i + 1]; ++k)
          for (int e = 0; e < B * B; ++e) {
            const int64_t at = place(s, B, i, k, e);
            assert_true(at >= 0 && at < s->n_value);
            assert_int_equal(taken[at]++, 0);
          }
      double *scale = problem_vector(exec, mat_rows(a), NULL), *value = NULL, *scaled = NULL;
      assert_ok(mat_create_like(a, PRECISION_DOUBLE, &copy));
      assert_ok(mat_scale(a, scale, copy));
      download(s->n_value, mat_values(a), sizeof *value, (void **)&value);
      download(s->n_value, mat_values(copy), sizeof *scaled, (void **)&scaled);
      for (int64_t at = 0; at < s->n_value; ++at)
        if (!taken[at]) assert_true(value[at] == 0 && scaled[at] == 0);
      FREE(value);
      FREE(scaled);
      FREE(taken);
      EXEC_RELEASE(exec, scale, mat_rows(a));
      mat_destroy(&copy);
      mat_destroy(&a);
    }
    problem_release(&p);
  }
}

typedef struct Vectors {
  double *v, *u, *b, *w, *hv, *hu, *hb, *hw, *av;
} Vectors;

static void check_epilogues(const Problem *p, const Mat *a) {
  const int64_t n = mat_rows(a);
  double *hv = numbers(n, 1), *hu = numbers(n, 5000), *hb = numbers(n, 90000), *hw = numbers(n, 3), *av = numbers(n, 0);
  double *v = problem_vector(exec, n, hv), *u = problem_vector(exec, n, hu), *b = problem_vector(exec, n, hb);
  Krylov *k = NULL;
  const Krylov fresh = {.from_unit = 1};
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&k));
  problem_apply(p, hv, av);
  double dot = 0, rr = 0, bb = 0, size = 1;
  for (int64_t i = 0; i < n; ++i) {
    dot += hv[i] * av[i];
    rr += (hb[i] - av[i]) * (hb[i] - av[i]);
    bb += hb[i] * hb[i];
    size = fmax(size, fabs(av[i]));
  }
  double *w = problem_vector(exec, n, hw);
  assert_ok(mat_product(a, MAT_DOT, &(ProductArgs){.v = v, .w = w, .step = KRYLOV_STORE, .krylov = k}));
  assert_near(krylov_on_host(exec, k).sum[0] / (size * (double)n), dot / (size * (double)n), 1e-14);
  assert_ok(mat_product(a, MAT_RESIDUAL, &(ProductArgs){.v = v, .w = w, .b = b, .step = KRYLOV_STORE, .krylov = k}));
  assert_true(fabs(krylov_on_host(exec, k).sum[0] - rr) <= 1e-12 * rr);
  assert_true(fabs(krylov_on_host(exec, k).sum[1] - bb) <= 1e-12 * bb);
  assert_ok(exec_download(exec, hw, w, (size_t)n * sizeof *hw));
  for (int64_t i = 0; i < n; ++i) assert_near(hw[i] / size, (hb[i] - av[i]) / size, 1e-14);
  /* over u, and a second result z with its dot */
  double *z = problem_vector(exec, n, hw), *hz = NULL;
  assert_ok(mem_alloc(n, sizeof *hz, "z", (void **)&hz));
  assert_ok(mat_product(a, MAT_COMBINE_DOT,
                        &(ProductArgs){.v = v,
                                       .w = u,
                                       .u = u,
                                       .b = b,
                                       .z = z,
                                       .c0 = -0.5,
                                       .c1 = 2,
                                       .c2 = 3,
                                       .c3 = 4,
                                       .e0 = 5,
                                       .e1 = 7,
                                       .e2 = 11,
                                       .e3 = 13,
                                       .e4 = 17,
                                       .step = KRYLOV_STORE,
                                       .krylov = k}));
  assert_ok(exec_download(exec, hz, z, (size_t)n * sizeof *hz));
  double bz = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double wanted = -0.5 * av[i] + 2 * hv[i] + 3 * hu[i] + 4 * hb[i];
    bz += hb[i] * hz[i];
    assert_near(hz[i] / size, (5 * hw[i] + 7 * hu[i] + 11 * hv[i] + 13 * wanted + 17 * hb[i]) / size, 1e-13);
    hw[i] = wanted;
  }
  assert_near(krylov_on_host(exec, k).sum[0] / (size * (double)n), bz / (size * (double)n), 1e-12);
  /* w not stored, u and b absent, z not read */
  assert_ok(mat_product(a, MAT_COMBINE, &(ProductArgs){.v = v, .z = z, .c0 = 1, .c1 = 1, .e2 = 2, .e3 = 1}));
  assert_ok(exec_download(exec, hz, z, (size_t)n * sizeof *hz));
  for (int64_t i = 0; i < n; ++i) assert_near(hz[i] / size, (av[i] + 3 * hv[i]) / size, 1e-14);
  EXEC_RELEASE(exec, z, n);
  FREE(hz);
  assert_ok(exec_download(exec, hu, u, (size_t)n * sizeof *hu));
  for (int64_t i = 0; i < n; ++i) {
    assert_near(hu[i] / size, hw[i] / size, 1e-14);
    hw[i] = hu[i];
  }
  /* nothing happens after stop */
  const Krylov stopped = {.stop = KRYLOV_CONVERGED};
  assert_ok(exec_upload(exec, k, &stopped, sizeof stopped));
  assert_ok(mat_product(a, MAT_COMBINE, &(ProductArgs){.v = v, .w = u, .stop = &k->stop, .krylov = k}));
  assert_ok(
      mat_product(a, MAT_DOT, &(ProductArgs){.v = v, .w = u, .stop = &k->stop, .step = KRYLOV_STORE, .krylov = k}));
  assert_ok(exec_download(exec, hv, u, (size_t)n * sizeof *hw));
  assert_memory_equal(hv, hw, (size_t)n * sizeof *hw);
  assert_true(krylov_on_host(exec, k).sum[0] == 0);
  double *host[] = {hv, hu, hb, hw, av}, *device[] = {v, u, b, w};
  for (int i = 0; i < 5; ++i) FREE(host[i]);
  for (int i = 0; i < 4; ++i) EXEC_RELEASE(exec, device[i], n);
  EXEC_RELEASE(exec, k, 1);
}

static void epilogues_of_all_formats(void **state) {
  (void)state;
  for (int w = 0; w < ZOO; ++w)
    for (int32_t f = 0; f < mat_format_count(); ++f) {
      Problem p;
      zoo(w, &p);
      Mat *a = problem_mat(exec, &p, mat_format_name(f));
      check_epilogues(&p, a);
      const int64_t n = mat_rows(a), start[3] = {0, n / 3, n};
      SumParts *parts = NULL; /* as over several ranks, where sums come behind the product */
      assert_ok(sum_parts_create(exec, 2, start, &parts));
      exec_sum_over(exec, parts);
      check_epilogues(&p, a);
      exec_sum_over(exec, NULL);
      sum_parts_destroy(&parts);
      mat_destroy(&a);
      problem_release(&p);
    }
}

/* A step of a semi-iteration against the same numbers on the host; then none, where it is told to stop. */
static void check_semi(Mat *a) {
  static const double f[] = {0.25, 1.5, 0.75};
  const int64_t n = mat_rows(a);
  double *hv = NULL, *hu = NULL, *hw = NULL, *hz = NULL, *hd = NULL, *av = NULL, *got = NULL, *numbers = NULL;
  int32_t *stop = NULL;
  double *v = problem_vector(exec, n, NULL), *u = problem_vector(exec, n, NULL), *z = problem_vector(exec, n, NULL);
  double *d = problem_vector(exec, n, NULL), *w = problem_vector(exec, n, NULL);
  assert_ok(mat_apply(a, v, w));
  download(n, w, sizeof *av, (void **)&av);
  assert_ok(mat_diagonal(a, d));
  assert_ok(exec_copy(exec, w, u, (size_t)n * sizeof *w));
  download(n, v, sizeof *hv, (void **)&hv);
  download(n, u, sizeof *hu, (void **)&hu);
  download(n, w, sizeof *hw, (void **)&hw);
  download(n, z, sizeof *hz, (void **)&hz);
  download(n, d, sizeof *hd, (void **)&hd);
  assert_ok(exec_alloc_upload(exec, 3, sizeof *f, f, "numbers", (void **)&numbers));
  assert_ok(exec_alloc_upload(exec, 1, sizeof *stop, &(int32_t){0}, "flag", (void **)&stop));
  const ProductArgs args = {.v = v, .w = w, .u = u, .z = z, .diagonal = d, .f = numbers, .stop = stop};
  for (int turn = 0; turn < 2; ++turn) {
    assert_ok(mat_product(a, MAT_SEMI, &args));
    download(n, w, sizeof *got, (void **)&got);
    for (int64_t i = 0; i < n; ++i) {
      const double slope = hz[i] + f[2] * hd[i];
      const double wanted = hv[i] + f[0] * (hv[i] - hw[i]) + f[1] * (hu[i] - hz[i] * hv[i] - f[2] * av[i]) / slope;
      const double size = fabs(hv[i]) + fabs(hw[i]) + (fabs(hu[i]) + fabs(hz[i] * hv[i]) + fabs(av[i])) / fabs(slope);
      assert_true(fabs(got[i] - wanted) <= 1e-13 * (1 + size));
    }
    FREE(got);
    assert_ok(exec_upload(exec, stop, &(int32_t){1}, sizeof *stop));
  }
  double *host[] = {hv, hu, hw, hz, hd, av}, *device[] = {v, u, z, d, w};
  for (int i = 0; i < 6; ++i) FREE(host[i]);
  for (int i = 0; i < 5; ++i) EXEC_RELEASE(exec, device[i], n);
  EXEC_RELEASE(exec, numbers, 3);
  EXEC_RELEASE(exec, stop, 1);
}

static void semi_of_all_formats(void **state) {
  (void)state;
  for (int w = 0; w < ZOO; ++w)
    for (int32_t f = 0; f < mat_format_count(); ++f) {
      Problem p;
      zoo(w, &p);
      Mat *a = problem_mat(exec, &p, mat_format_name(f));
      check_semi(a);
      mat_destroy(&a);
      problem_release(&p);
    }
}

static void visits_of_all_formats(void **state) {
  (void)state;
  for (int w = 0; w < ZOO; ++w)
    for (int32_t f = 0; f < mat_format_count(); ++f) {
      Problem p;
      zoo(w, &p);
      const int B = p.pattern->block;
      Mat *a = problem_mat(exec, &p, mat_format_name(f)), *copy = NULL;
      const int64_t n = mat_rows(a);
      double *s = problem_vector(exec, n, NULL), *host = NULL;
      assert_ok(mat_diagonal(a, s));
      download(n, s, sizeof *s, (void **)&host);
      for (int64_t i = 0; i < n; ++i)
        assert_true(host[i] == *problem_entry(&p, (int)(i / B), (int)(i / B), (int)(i % B), (int)(i % B)));
      FREE(host);
      assert_ok(mat_product(a, MAT_ABS, &(ProductArgs){.w = s}));
      download(n, s, sizeof *s, (void **)&host);
      for (int64_t i = 0; i < n; ++i) {
        double sum = 0;
        for (int64_t k = p.pattern->start[i / B]; k < p.pattern->start[i / B + 1]; ++k)
          for (int c = 0; c < B; ++c) sum += fabs(p.value[(k * B + i % B) * B + c]);
        assert_true(fabs(host[i] - sum) <= 1e-13 * sum);
        host[i] = problem_number(i);
      }
      /* S A S in float against the reference with scaled values */
      assert_ok(exec_upload(exec, s, host, (size_t)n * sizeof *host));
      assert_ok(mat_create_like(a, PRECISION_FLOAT, &copy));
      assert_ok(mat_scale(a, s, copy));
      float *value = NULL;
      const SlotMap *slots = mat_slots(a);
      assert_ok(slot_map_fetch(slots));
      download(slots->n_value, mat_values(copy), sizeof *value, (void **)&value);
      for (int64_t i = 0; i < p.pattern->n; ++i)
        for (int64_t k = p.pattern->start[i]; k < p.pattern->start[i + 1]; ++k)
          for (int e = 0; e < B * B; ++e) {
            const int64_t at = place(slots, B, i, k, e);
            const double wanted = host[i * B + e / B] * p.value[k * B * B + e] * host[p.pattern->column[k] * B + e % B];
            assert_true(fabs((double)value[at] - wanted) <= 6e-8 * fabs(wanted));
          }
      FREE(value);
      FREE(host);
      EXEC_RELEASE(exec, s, n);
      mat_destroy(&copy);
      mat_destroy(&a);
      problem_release(&p);
    }
}

/* Bytes of structure when rows are not moved: starts of the slices and a column per block entry. */
static size_t natural_bytes(const Mat *a, int64_t n_slice) {
  const size_t n_value = (size_t)mat_slots(a)->n_value, square = (size_t)(mat_block(a) * mat_block(a));
  return n_value * sizeof(double) + n_value / square * sizeof(int32_t) + (size_t)(n_slice + 1) * sizeof(int64_t);
}

static void rows_are_sorted_only_where_it_pays(void **state) {
  (void)state;
  Problem p;
  problem_grid(64, 8, 8, 3, 1, &p); /* lines of equal rows, two shorter ones in each: 1 % cannot be gained */
  Mat *a = problem_mat(exec, &p, "sbell");
  assert_int_equal(mat_bytes(a), natural_bytes(a, 128));
  mat_destroy(&a);
  problem_release(&p);
  /* every 16th row has 20 entries, all others one: sorted, nothing is padded; in natural order it would be 9 times
   * more */
  Pattern *q = NULL;
  const int n = 4096;
  assert_ok(mem_alloc(1, sizeof *q, "pattern", (void **)&q));
  q->n = n;
  q->block = 1;
  assert_ok(mem_alloc(n + 1, sizeof *q->start, "starts", (void **)&q->start));
  for (int i = 0; i < n; ++i) q->start[i + 1] = q->start[i] + (i % 16 ? 1 : 20);
  assert_ok(mem_alloc(q->start[n], sizeof *q->column, "columns", (void **)&q->column));
  for (int i = 0; i < n; ++i)
    for (int64_t k = q->start[i]; k < q->start[i + 1]; ++k)
      q->column[k] = (int32_t)((i % 16 ? i : i > n - 20 ? n - 20 : i) + k - q->start[i]);
  assert_ok(mat_create(exec, &(MatParams){.format = "sbell"}, q, &a));
  assert_true((double)mat_slots(a)->n_value <= 1.01 * (double)mat_entries(a));
  assert_int_equal(mat_bytes(a), natural_bytes(a, n / 32) + (size_t)n * sizeof(int32_t));
  mat_destroy(&a);
  pattern_destroy(&q);
}

static void wrong_parameters(void **state) {
  (void)state;
  Problem p;
  problem_random(5, 2, 1, &p);
  Mat *a = NULL;
  assert_fails(mat_create(exec, &(MatParams){.format = "sbel"}, p.pattern, &a), ERR_INPUT, "did you mean 'sbell'?");
  assert_fails(mat_create(exec, &(MatParams){.format = "nothing"}, p.pattern, &a), ERR_INPUT, "formats: sbell, csr");
  assert_fails(mat_create(exec, &(MatParams){.slice = 31}, p.pattern, &a), ERR_INPUT, "slice is 31");
  assert_fails(mat_create(exec, &(MatParams){.slice = 512}, p.pattern, &a), ERR_INPUT, "slice is 512");
  assert_null(a);
  mat_destroy(&a);
  problem_release(&p);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  problem_random(70, 2, 3, &p);
  for (int32_t f = 0; f < mat_format_count(); ++f)
    problem_mat_fails(exec, &(MatParams){.format = mat_format_name(f)}, &p, true);
  problem_release(&p);
}

/* The promise: a format is one file here, one in gpu/, one line. */
static void a_format_is_two_files_and_a_line(void **state) {
  (void)state;
  for (int32_t f = 0; f < mat_format_count(); ++f) {
    char path[512], id[64]; /* identifiers have _ where names have - */
    snprintf(id, sizeof id, "%s", mat_format_name(f));
    for (char *c = id; *c; ++c) *c = *c == '-' ? '_' : *c;
    const char *const file[] = {"%s/algebra/formats/%s.c", "%s/gpu/formats/%s.cu"};
    for (int i = 0; i < 2; ++i) {
      snprintf(path, sizeof path, file[i], SINEW_SOURCE_DIR, id);
      FILE *stream = fopen(path, "r");
      if (!stream) fail_msg("%s is missing", path);
      fclose(stream);
    }
    assert_true(strlen(mat_format_meaning(f)) > 10);
    /* nothing else knows it by name */
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && grep -rlw '%s_format' --include=*.[ch] --include=*.def --include=*.cu* algebra solver gpu "
             "2>/dev/null | "
             "grep -v '/%s\\.c$' | grep -v '/%s\\.cu$'",
             SINEW_SOURCE_DIR, id, id, id);
    FILE *found = popen(command, "r");
    char line[512] = "";
    if (fgets(line, sizeof line, found)) fail_msg("format '%s' is also known to %s", mat_format_name(f), line);
    pclose(found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_of_all_formats),
      cmocka_unit_test(slots_are_injective_and_padding_is_zero),
      cmocka_unit_test(epilogues_of_all_formats),
      cmocka_unit_test(semi_of_all_formats),
      cmocka_unit_test(visits_of_all_formats),
      cmocka_unit_test(rows_are_sorted_only_where_it_pays),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(every_allocation_failed_once),
      cmocka_unit_test(a_format_is_two_files_and_a_line),
  };
  return testing_run("solver/mat", tests, exec);
}
