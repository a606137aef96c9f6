/* How ELL-WARP packs rows: what its warps hold, the paper's example of renumbered columns, the threshold that it
 * chooses by itself, wishes that it refuses. */
#include "core/memory.h"
#include "algebra/mat_format.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <stdlib.h>
#include <string.h>

static Exec *exec;

/* Row i has its diagonal and length[i] - 1 entries that follow it, around the end. Values 1, 2, 3, ... */
static void band(int n, const int *length, Problem *out) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  p->n = n;
  p->block = 1;
  assert_ok(mem_alloc(n + 1, sizeof *p->start, "starts", (void **)&p->start));
  for (int i = 0; i < n; ++i) p->start[i + 1] = p->start[i] + length[i];
  assert_ok(mem_alloc(p->start[n], sizeof *p->column, "columns", (void **)&p->column));
  for (int i = 0; i < n; ++i) {
    const int around = i + length[i] > n ? i + length[i] - n : 0;
    for (int k = 0; k < length[i]; ++k) p->column[p->start[i] + k] = k < around ? k : i + k - around;
  }
  out->pattern = p;
  assert_ok(mem_alloc(p->start[n], sizeof *out->value, "values", (void **)&out->value));
  for (int64_t e = 0; e < p->start[n]; ++e) out->value[e] = (double)(e + 1);
}

static Mat *create(const Problem *p, const char *variant, int32_t threshold) {
  Mat *a = NULL;
  const int32_t split = variant && variant[1] == '1' ? 0 : threshold; /* k1 splits no rows */
  assert_ok(
      mat_create(exec, &(MatParams){.format = "ell-warp", .variant = variant, .threshold = split}, p->pattern, &a));
  problem_fill(p, a);
  return a;
}

typedef struct Layout {
  int64_t n_warp, *start;
  int32_t *order, *column;
  double *value;
} Layout;

static void *copy_of(const void *from, int64_t n, size_t size) {
  void *out = NULL;
  assert_ok(mem_alloc(n, size, "copy", &out));
  assert_ok(exec_download(exec, out, from, (size_t)n * size));
  return out;
}

static Layout layout_of(const Mat *a) {
  const int64_t n_warp = a->view.n / 32, n_value = mat_slots(a)->n_value;
  return (Layout){n_warp, copy_of(a->view.start, n_warp + 1, sizeof(int64_t)),
                  copy_of(a->view.order, n_warp + 1, sizeof(int32_t)),
                  copy_of(a->view.column, n_value, sizeof(int32_t)), copy_of(mat_values(a), n_value, sizeof(double))};
}

static void layout_release(Layout *l) {
  FREE(l->start);
  FREE(l->order);
  FREE(l->column);
  FREE(l->value);
}

/* Wong, Kuhl and Darve 2015, sections 5.2 and 5.3: rows of such lengths that P = (2 5 7 3 1 4 6); the first row has
 * values 7 8 9 10 2 in columns 1 2 4 5 6. All seven rows share one warp, laid out for eight. */
static void columns_of_the_paper(void **state) {
  (void)state;
  const int length[] = {5, 7, 6, 4, 7, 4, 7};
  Problem p;
  band(7, length, &p);
  const double first_row[] = {7, 8, 9, 10, 2};
  const int32_t columns[] = {0, 1, 3, 4, 5};
  memcpy(p.pattern->column, columns, sizeof columns);
  memcpy(p.value, first_row, sizeof first_row);
  const int32_t position[] = {4, 0, 3, 5, 1, 6, 2}; /* of rows 1 to 7 in P */
  const int32_t renumbered[2][5] = {{5, 1, 6, 2, 7}, {1, 2, 5, 6, 7}};
  const double moved[2][5] = {{7, 8, 9, 10, 2}, {8, 10, 7, 9, 2}};
  const char *const variant[] = {"k1r", "k1rs"};
  for (int v = 0; v < 2; ++v) {
    Mat *a = create(&p, variant[v], 0);
    assert_memory_equal(mat_numbering(a), position, sizeof position);
    Layout l = layout_of(a);
    assert_int_equal(l.n_warp, 1);
    for (int e = 0; e < 5; ++e) {
      assert_int_equal(l.column[e * 8 + 4] + 1, renumbered[v][e]);
      assert_true(l.value[e * 8 + 4] == moved[v][e]);
    }
    layout_release(&l);
    mat_destroy(&a);
  }
  problem_release(&p);
}

/* Lanes that share a row of w warp-wide steps hold at most the threshold each, unless one row takes a whole warp; rows
 * become shorter; all of them are there; columns ascend in rs. */
static void check_layout(const Problem *p, const char *variant, int32_t threshold) {
  Mat *a = create(p, variant, threshold);
  Layout l = layout_of(a);
  const int32_t n = p->pattern->n, *numbering = mat_numbering(a);
  const bool split = variant[1] == '2';
  int32_t *row = NULL; /* at each position */
  assert_ok(mem_alloc(n, sizeof *row, "rows", (void **)&row));
  if (!numbering && a->view.row) assert_ok(exec_download(exec, row, a->view.row, (size_t)n * sizeof *row));
  else
    for (int32_t i = 0; i < n; ++i) row[numbering ? numbering[i] : i] = i;
  assert_int_equal(l.order[0], 0);
  assert_int_equal(l.order[l.n_warp], n);
  assert_int_equal(l.start[l.n_warp], mat_slots(a)->n_value);
  for (int64_t w = 0; w < l.n_warp; ++w) {
    const int32_t count = l.order[w + 1] - l.order[w];
    int32_t rows = 1;
    while (rows < count) rows *= 2;
    const int64_t width = (l.start[w + 1] - l.start[w]) / rows, parts = 32 / rows;
    assert_true(count >= 1 && count <= 32);
    if (!split && w + 1 < l.n_warp) assert_int_equal(count, 32);
    if (split && rows > 1) assert_true(width / parts <= threshold);
    for (int32_t r = 0; r < count; ++r) {
      const int32_t at = l.order[w] + r, i = row[at];
      const int64_t length = p->pattern->start[i + 1] - p->pattern->start[i];
      if (at > 0) assert_true(length <= p->pattern->start[row[at - 1] + 1] - p->pattern->start[row[at - 1]]);
      if (r == 0)
        assert_int_equal(width, (length + parts - 1) / parts * parts); /* no wider than its longest row needs */
      /* halved no further than the threshold asks, but for the last warp */
      if (split && r == 0 && parts > 1 && w + 1 < l.n_warp) assert_true(length > threshold * parts / 2);
      for (int64_t e = 0; e < width; ++e) {
        const int64_t entry = l.start[w] + e * rows + r;
        if (e >= length) assert_true(l.value[entry] == 0 && l.column[entry] == (numbering ? at : i));
        else if (e > 0 && strstr(variant, "rs")) assert_true(l.column[entry] > l.column[entry - rows]);
      }
    }
  }
  FREE(row);
  layout_release(&l);
  mat_destroy(&a);
}

static void warps_are_packed_by_the_threshold(void **state) {
  (void)state;
  enum { N = 1201 };
  int length[N];
  for (int i = 0; i < N; ++i) length[i] = i % 100 == 7 ? 1 + i : 1 + (i * 37) % 23;
  Problem p;
  band(N, length, &p);
  const char *const variant[] = {"k1", "k1r", "k1rs", "k2", "k2r", "k2rs"};
  const int32_t threshold[] = {1, 2, 5, 12, 13, 60, 5000};
  for (int v = 0; v < 6; ++v)
    for (int t = 0; t < 7; ++t) check_layout(&p, variant[v], threshold[t]);
  problem_release(&p);
}

/* Equal rows of a length; the threshold that k2 takes and the lanes' share of a row that follows. */
static void check_choice(int n, int each, int32_t threshold) {
  int *length = NULL;
  assert_ok(mem_alloc(n, sizeof *length, "lengths", (void **)&length));
  for (int i = 0; i < n; ++i) length[i] = each;
  Problem p;
  band(n, length, &p);
  Mat *a = create(&p, NULL, 0);
  assert_int_equal(a->view.threshold, threshold);
  assert_null(mat_numbering(a));
  mat_destroy(&a);
  problem_release(&p);
  FREE(length);
}

static void threshold_is_chosen_from_the_lengths(void **state) {
  (void)state;
  check_choice(320, 14, 8);  /* halves of 7: nothing padded */
  check_choice(320, 81, 24); /* quarters of 21 pad 84 to 81, eighths of 11 would pad 88 */
  check_choice(320, 5, 8);
  check_choice(131072, 18, 24); /* many warps anyway: one lane per row */
  int length[4001];
  for (int i = 0; i < 4001; ++i) length[i] = i == 0 ? 4001 : 4;
  Problem p;
  band(4001, length, &p);
  Mat *k1 = create(&p, "k1", 0), *k2 = create(&p, "k2", 0);
  assert_true(mat_slots(k1)->n_value > 7 * mat_entries(k1)); /* the long row pads 31 others */
  assert_true((double)mat_slots(k2)->n_value < 1.01 * (double)mat_entries(k2));
  assert_true(mat_bytes(k2) > (size_t)mat_slots(k2)->n_value * (sizeof(double) + sizeof(int32_t)));
  mat_destroy(&k1);
  mat_destroy(&k2);
  problem_release(&p);
}

static void wrong_wishes(void **state) {
  (void)state;
  Problem p;
  problem_random(40, 2, 1, &p);
  Mat *a = NULL;
  MatParams params = {.format = "ell-warp", .variant = "k3"};
  assert_fails(mat_create(exec, &params, p.pattern, &a), ERR_INPUT, "variants: k1, k1r, k1rs, k2, k2r, k2rs");
  params = (MatParams){.format = "ell-warp", .threshold = -1};
  assert_fails(mat_create(exec, &params, p.pattern, &a), ERR_INPUT, "threshold is -1");
  params = (MatParams){.format = "ell-warp", .gpu_block = 100};
  assert_fails(mat_create(exec, &params, p.pattern, &a), ERR_INPUT, "gpu_block is 100");
  params.gpu_block = 288;
  assert_fails(mat_create(exec, &params, p.pattern, &a), ERR_INPUT, "gpu_block is 288");
  assert_null(a);
  params = (MatParams){.format = "ell-warp", .variant = "k2rs", .gpu_block = 96};
  assert_ok(mat_create(exec, &params, p.pattern, &a));
  assert_string_equal(mat_natural_variant(a), "k2");
  mat_destroy(&a);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_of_the_paper),
      cmocka_unit_test(warps_are_packed_by_the_threshold),
      cmocka_unit_test(threshold_is_chosen_from_the_lengths),
      cmocka_unit_test(wrong_wishes),
  };
  return testing_run("solver/ell_warp_layout", tests, exec);
}
