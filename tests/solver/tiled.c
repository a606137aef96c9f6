/* The tiled copy in half precision: its entries are those of the plain copy, products, one halo too large, failing
 * memory. */
#include "tests/testing.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/memory.h"
#include "algebra/mat_format.h"
#include "algebra/formats/tiled.h"
#include "algebra/formats/tiled_rows.h"
#include "tests/solver/problems.h"

static Exec *exec;

typedef struct Copies {
  Problem p;
  Mat *a, *plain, *tiled;
  double *ones; /* on the Exec */
  int64_t n;
} Copies;

static void begin(int nx, int ny, int nz, Copies *c) {
  *c = (Copies){0};
  problem_grid(nx, ny, nz, 1, 10, &c->p);
  const MatParams params = {.format = "sbell", .window = 1};
  assert_ok(mat_create(exec, &params, c->p.pattern, &c->a));
  problem_fill(&c->p, c->a);
  c->n = mat_rows(c->a);
  double *host = problem_host(c->n);
  for (int64_t i = 0; i < c->n; ++i) host[i] = 0.5 + 0.001 * (double)(i % 97);
  c->ones = problem_vector(exec, c->n, host);
  FREE(host);
  assert_true(tiled_allows(c->a));
  assert_ok(mat_create_like(c->a, PRECISION_HALF, &c->plain));
  assert_ok(tiled_create(c->a, &c->tiled));
  assert_ok(mat_scale(c->a, c->ones, c->plain));
  assert_ok(mat_scale(c->a, c->ones, c->tiled));
}

static void end(Copies *c) {
  mat_destroy(&c->tiled);
  mat_destroy(&c->plain);
  mat_destroy(&c->a);
  EXEC_RELEASE(exec, c->ones, c->n);
  problem_release(&c->p);
}

static void *fetch(const void *from, size_t bytes) {
  unsigned char *to = NULL;
  assert_ok(mem_alloc((int64_t)bytes, 1, "a copy", (void **)&to));
  assert_ok(exec_download(exec, to, from, bytes));
  return to;
}

static const int SIZES[][3] = {{3, 3, 3}, {16, 8, 8}, {13, 12, 11}, {30, 21, 11}};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

/* Which entry of the pattern is at (i, j). */
static int64_t find(const Pattern *q, int32_t i, int64_t j) {
  for (int64_t e = q->start[i]; e < q->start[i + 1]; ++e)
    if (q->column[e] == j) return e;
  fail_msg("row %d has no column %lld", (int)i, (long long)j);
  return -1;
}

/* The last tile is short, and columns behind its last row are rows of other ranks: no block has them but in its halo. */
static void columns_behind_the_rows(void **state) {
  (void)state;
  const int32_t order[] = {0, 1, 4}, halo[] = {40, 3, 40, 62};
  const MatView m = {.n = 40, .slice = 32, .order = order, .length = halo};
  const struct {
    int64_t tile, column;
    uint32_t place;
  } known[] = {{0, 5, 5}, {0, 40, 32}, {1, 39, 7}, {1, 3, 32}, {1, 40, 33}, {1, 62, 34}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    assert_int_equal(tiled_place(&m, known[k].tile, known[k].column), known[k].place);
    assert_int_equal(tiled_column(&m, known[k].tile, (int32_t)known[k].place), known[k].column);
  }
}

/* Lanes are the rows of their tile, longest first; each record has the value of the plain copy, and its place stands
 * for the column of the pattern; every entry is there once. */
static void entries(void **state) {
  (void)state;
  for (int k = 0; k < N_SIZES; ++k) {
    Copies c;
    begin(SIZES[k][0], SIZES[k][1], SIZES[k][2], &c);
    const Pattern *q = c.p.pattern;
    MatView view = c.tiled->view;
    const int64_t n_tile = (c.n + view.slice - 1) / view.slice, n_slice = (c.n + LOW_LANES - 1) / LOW_LANES;
    uint32_t *plain = fetch(mat_values(c.plain), c.plain->value_bytes),
             *tiled = fetch(mat_values(c.tiled), c.tiled->value_bytes);
    int32_t *halo_start = fetch(view.order, (size_t)(n_tile + 1) * sizeof *halo_start);
    int32_t *halo = fetch(view.length, (size_t)halo_start[n_tile] * sizeof *halo),
            *row = fetch(view.row, (size_t)c.n * sizeof *row);
    int64_t *start = fetch(view.start, (size_t)(n_slice + 1) * sizeof *start), n_entry = 0;
    char *seen = NULL;
    assert_ok(mem_alloc(c.n, 1, "rows that were seen", (void **)&seen));
    view.order = halo_start, view.length = halo;
    assert_int_equal(view.slice, tiled_rows(c.n));
    assert_ok(slot_map_fetch(mat_slots(c.a)));
    assert_true(view.slice % LOW_LANES == 0 && view.slice <= TILED_ROWS);
    int32_t most = 0;
    for (int64_t t = 0; t < n_tile; ++t) {
      most = halo_start[t + 1] - halo_start[t] > most ? halo_start[t + 1] - halo_start[t] : most;
      for (int32_t h = halo_start[t]; h < halo_start[t + 1]; ++h)
        assert_true(halo[h] / view.slice != t && (h == halo_start[t] || halo[h] > halo[h - 1]));
    }
    assert_int_equal(view.threads, most);
    for (int64_t lane = 0; lane < c.n; ++lane) {
      const int32_t i = row[lane];
      const int64_t tile = lane / view.slice, length = q->start[i + 1] - q->start[i];
      assert_true(i / view.slice == tile && !seen[i]++);
      if (lane % view.slice) assert_true(length <= q->start[row[lane - 1] + 1] - q->start[row[lane - 1]]);
      int64_t at = start[lane / LOW_LANES] + lane % LOW_LANES;
      for (int64_t e = 0; e < length; ++e, at += LOW_LANES, ++n_entry) {
        const int64_t entry = find(q, i, tiled_column(&view, tile, (int32_t)(tiled[at] >> 16)));
        assert_int_equal(tiled[at] & 0xffff, plain[mat_slots(c.a)->slot[entry]] & 0xffff);
        assert_int_equal(entry, q->start[i] + e);
      }
      for (; at < start[lane / LOW_LANES + 1]; at += LOW_LANES) assert_int_equal(tiled[at] & 0xffff, 0);
    }
    assert_int_equal(n_entry, q->start[q->n]);
    FREE(seen);
    FREE(plain);
    FREE(tiled);
    FREE(start);
    FREE(halo_start);
    FREE(halo);
    FREE(row);
    end(&c);
  }
}

/* The sum of |a_ij| |v_j - v_i| over each row. */
static double *moved_by(const Copies *c, const double *v) {
  const Pattern *q = c->p.pattern;
  double *sum = problem_host(c->n);
  for (int64_t i = 0; i < c->n; ++i) {
    sum[i] = 0;
    for (int64_t e = q->start[i]; e < q->start[i + 1]; ++e) sum[i] += fabs(c->p.value[e] * (v[q->column[e]] - v[i]));
  }
  return sum;
}

/* Of differences: the products of the matrix, of which a number that all nodes share takes no digit away; its diagonal and its
 * row sums in float. */
static void differences(void **state) {
  (void)state;
  static const double SHARED[] = {0, 1e6};
  for (int k = 0; k < N_SIZES * 4; ++k) {
    Copies c;
    Mat *exact;
    begin(SIZES[k / 4][0], SIZES[k / 4][1], SIZES[k / 4][2], &c);
    assert_ok(k / 2 % 2 ? tiled_near(c.a, &exact) : tiled_differences(c.a, c.tiled, &exact));
    assert_non_null(exact);
    assert_int_equal(mat_precision(exact), PRECISION_DOUBLE);
    double *host = problem_host(c.n), *wanted[3], *got[3];
    for (int64_t i = 0; i < c.n; ++i) host[i] = SHARED[k % 2] + sin(0.1 * (double)i);
    double *moved = moved_by(&c, host);
    double *x = problem_vector(exec, c.n, host), *y = problem_vector(exec, c.n, host);
    FREE(host);
    const MatOp op[] = {MAT_APPLY, MAT_DIAGONAL, MAT_ABS};
    for (int o = 0; o < 3; ++o) {
      assert_ok(mat_product(c.a, op[o], &(ProductArgs){.v = x, .w = y}));
      wanted[o] = fetch(y, (size_t)c.n * sizeof *y);
      assert_ok(mat_product(exact, op[o], &(ProductArgs){.v = x, .w = y}));
      got[o] = fetch(y, (size_t)c.n * sizeof *y);
    }
    for (int64_t i = 0; i < c.n; ++i) {
      assert_true(fabs(got[0][i] - wanted[0][i]) <= 6e-8 * moved[i] + 1e-14 * (1 + SHARED[k % 2]) * wanted[2][i]);
      for (int o = 1; o < 3; ++o) assert_true(fabs(got[o][i] - wanted[o][i]) <= 6e-8 * wanted[2][i]);
    }
    for (int o = 0; o < 3; ++o) {
      FREE(got[o]);
      FREE(wanted[o]);
    }
    FREE(moved);
    EXEC_RELEASE(exec, x, c.n);
    EXEC_RELEASE(exec, y, c.n);
    mat_destroy(&exact);
    end(&c);
  }
}

/* Each processor of a GPU gets one tile while they can hold it; larger matrices fill the places for tiles. */
static void sizes(void **state) {
  (void)state;
  static const int64_t rows[] = {1, 32, 4224, 4225, 30065, 63885, 67584, 67585, 215305, 486940, 1623025, 100000000};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const int64_t rows_of = tiled_rows(rows[k]), n = (rows[k] + rows_of - 1) / rows_of;
    assert_true(rows_of % 32 == 0 && rows_of >= 32 && rows_of <= TILED_ROWS);
    if (rows[k] <= TILED_PROCESSORS * TILED_ROWS) assert_true(n <= TILED_PROCESSORS);
    else assert_true((double)n / ((double)((n + TILED_PLACES - 1) / TILED_PLACES) * TILED_PLACES) > 0.75);
  }
}

/* All operations that both copies have give the same but for rounding. */
static void products(void **state) {
  (void)state;
  static const MatOp ops[] = {MAT_APPLY, MAT_ABS, MAT_DIAGONAL, MAT_SEMI, MAT_COMBINE};
  static const double numbers[3] = {0.3, 0.7, 0.9};
  for (int k = 0; k < N_SIZES; ++k) {
    Copies c;
    begin(SIZES[k][0], SIZES[k][1], SIZES[k][2], &c);
    const size_t bytes = (size_t)c.n * sizeof(float);
    float *vector[5] = {NULL}, *first = NULL, *host = NULL;
    double *f = NULL;
    assert_ok(mem_alloc(c.n, sizeof *host, "values", (void **)&host));
    for (int v = 0; v < 5; ++v) {
      for (int64_t i = 0; i < c.n; ++i) host[i] = (float)problem_number(i * 5 + v) + (v == 3 ? 3.0f : 0.0f);
      assert_ok(exec_alloc_upload(exec, c.n, sizeof(float), host, "vector", (void **)&vector[v]));
    }
    assert_ok(exec_alloc_upload(exec, 3, sizeof *f, numbers, "numbers", (void **)&f));
    for (size_t o = 0; o < sizeof ops / sizeof *ops; ++o)
      for (int t = 0; t < 2; ++t) {
        for (int64_t i = 0; i < c.n; ++i) host[i] = (float)problem_number(i * 5 + 1);
        assert_ok(exec_upload(exec, vector[1], host, bytes));
        const ProductArgs args = {.v = vector[0],
                                  .w = vector[1],
                                  .u = vector[2],
                                  .z = ops[o] == MAT_SEMI ? vector[3] : NULL,
                                  .diagonal = vector[4],
                                  .f = f,
                                  .c0 = 1.5,
                                  .c1 = 0.25};
        assert_ok(mat_product(t ? c.tiled : c.plain, ops[o], &args));
        float *w = fetch(vector[1], bytes);
        if (t == 0) {
          first = w;
          continue;
        }
        for (int64_t i = 0; i < c.n; ++i) assert_within((double)w[i], (double)first[i], 3e-5);
        FREE(w);
        FREE(first);
      }
    FREE(host);
    for (int v = 0; v < 5; ++v) EXEC_RELEASE(exec, vector[v], c.n);
    EXEC_RELEASE(exec, f, 3);
    end(&c);
  }
}

/* A row that is tied to all: the tile that it is in has too large a halo. */
static void large_halo(void **state) {
  (void)state;
  Problem p;
  Mat *a = NULL, *copy = NULL;
  problem_random(TILED_ROWS + TILED_HALO + 40, 1, 5, &p);
  assert_ok(mat_create(exec, &(MatParams){.format = "sbell", .window = 1}, p.pattern, &a));
  assert_ok(tiled_create(a, &copy));
  assert_ptr_equal(copy->low, a->low);
  mat_destroy(&copy);
  assert_ok(tiled_near(a, &copy));
  assert_null(copy);
  mat_destroy(&a);
  problem_release(&p);
}

static void refused(void **state) {
  (void)state;
  Problem p;
  Mat *a = NULL, *out = NULL;
  static const MatParams params[] = {{.format = "csr"},
                                     {.format = "sbell", .slice = 64, .window = 1},
                                     {.format = "sbell", .window = 1, .precision = PRECISION_FLOAT}};
  problem_grid(4, 3, 3, 1, 1, &p);
  for (int k = 0; k < 3; ++k) {
    assert_ok(mat_create(exec, &params[k], p.pattern, &a));
    assert_false(tiled_allows(a));
    assert_fails(tiled_create(a, &out), ERR_BUG, "tiled_allows");
    mat_destroy(&a);
  }
  problem_release(&p);
}

/* The same for any number of threads: order of rows, starts, halos. */
static void threads_agree(void **state) {
  (void)state;
#ifdef _OPENMP
  static const int THREADS[] = {1, 2, 3, 5};
  const int before = omp_get_max_threads();
  void *want[4] = {NULL};
  for (int t = 0; t < 4; ++t) {
    Copies c;
    omp_set_num_threads(THREADS[t]);
    begin(30, 21, 17, &c);
    const MatView *view = &c.tiled->view;
    const int64_t n_tile = (c.n + view->slice - 1) / view->slice, n_slice = (c.n + LOW_LANES - 1) / LOW_LANES;
    int32_t *halo_start = fetch(view->order, (size_t)(n_tile + 1) * sizeof *halo_start);
    const size_t bytes[4] = {(size_t)c.n * 4, (size_t)(n_slice + 1) * 8, (size_t)(n_tile + 1) * 4,
                             (size_t)halo_start[n_tile] * 4};
    void *const found[4] = {fetch(view->row, bytes[0]), fetch(view->start, bytes[1]), halo_start,
                            fetch(view->length, bytes[3])};
    assert_true(n_tile > 2);
    for (int k = 0; k < 4; ++k) {
      if (t) assert_memory_equal(found[k], want[k], bytes[k]);
      void *old = want[k];
      want[k] = found[k];
      FREE(old);
    }
    end(&c);
  }
  for (int k = 0; k < 4; ++k) FREE(want[k]);
  omp_set_num_threads(before);
#endif
}

static Status attempt(void *a) {
  Mat *mat = NULL;
  const Status status = tiled_create(a, &mat);
  mat_destroy(&mat);
  return status;
}
static Status attempt_near(void *a) {
  Mat *mat = NULL;
  const Status status = tiled_near(a, &mat);
  mat_destroy(&mat);
  return status;
}
static void memory_fails(void **state) {
  (void)state;
  Copies c;
  begin(13, 12, 11, &c);
  assert_true(testing_fail_each(exec, attempt, c.a) > 6);
  assert_true(testing_fail_each(exec, attempt_near, c.a) > 8);
  end(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_behind_the_rows),
                                     cmocka_unit_test(entries),
                                     cmocka_unit_test(differences),
                                     cmocka_unit_test(sizes),
                                     cmocka_unit_test(products),
                                     cmocka_unit_test(large_halo),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(memory_fails),
                                     cmocka_unit_test(threads_agree)};
  return testing_run("solver/tiled", tests, exec);
}
