/* What formats make of a pattern, entry by entry against plain loops, and the same integers on every Exec, for any number
 * of threads and where the pattern is on a GPU alone. */
#include "algebra/mat_format.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <string.h>

enum { ROWS = 4001, LONGEST = 23, LANES = 32 };

static Exec *exec;

/* Rows of 1 to LONGEST blocks, some empty, in no order. */
static Pattern *pattern_make(int32_t n, int32_t block) {
  Pattern *p = NULL;
  uint32_t random = 7;
  assert_ok(mem_alloc(1, sizeof *p, "a test", (void **)&p));
  *p = (Pattern){.n = n, .block = block};
  assert_ok(mem_alloc(n + 1, sizeof *p->start, "a test", (void **)&p->start));
  assert_ok(mem_alloc((int64_t)n * LONGEST, sizeof *p->column, "a test", (void **)&p->column));
  for (int32_t i = 0; i < n; ++i) {
    random = random * 1664525u + 1013904223u;
    const int32_t length = (random >> 16) % 7 ? (int32_t)(random >> 16) % 9 : (int32_t)(random >> 20) % LONGEST;
    const int32_t most = length < n ? length : n, first = i + most <= n ? i : n - most;
    for (int32_t k = 0; k < most; ++k) p->column[p->start[i] + k] = first + k;
    p->start[i + 1] = p->start[i] + most;
  }
  return p;
}

/* The same where only a GPU has it. */
static void pattern_move(Exec *to, const Pattern *from, Pattern *out) {
  *out = (Pattern){.n = from->n, .block = from->block, .exec = to, .n_entry = pattern_entries(from)};
  assert_ok(exec_alloc_upload(to, (int64_t)from->n + 1, sizeof *from->start, from->start, "a test",
                              (void **)&out->exec_start));
  assert_ok(
      exec_alloc_upload(to, out->n_entry, sizeof *from->column, from->column, "a test", (void **)&out->exec_column));
}

static void *download(Exec *on, const void *from, int64_t n, size_t size) {
  void *to = NULL;
  assert_ok(mem_alloc(n, size, "a test", &to));
  assert_ok(exec_download(on, to, from, (size_t)n * size));
  return to;
}

/* The arrays of a sliced matrix on the host. */
typedef struct Layout {
  int64_t lanes, n_slice, slice, team;
  int32_t split; /* lanes per block row */
  int64_t *start;
  int32_t *column, *row, *length; /* NULL: natural order, no lengths */
} Layout;

static void layout_take(const Mat *a, int32_t split, Layout *l) {
  const MatView *v = &a->view;
  *l = (Layout){.lanes = v->n, .slice = v->slice, .team = v->threads ? v->threads : 1, .split = split};
  l->n_slice = (l->lanes + l->slice - 1) / l->slice;
  l->start = download(a->exec, v->start, l->n_slice + 1, sizeof *l->start);
  l->column = download(a->exec, v->column, l->start[l->n_slice], sizeof *l->column);
  if (v->row) l->row = download(a->exec, v->row, l->lanes, sizeof *l->row);
  if (v->length) l->length = download(a->exec, v->length, l->lanes, sizeof *l->length);
}
static void layout_release(Layout *l) {
  FREE(l->start);
  FREE(l->column);
  FREE(l->row);
  FREE(l->length);
}

static int64_t layout_place(const Layout *l, int64_t lane, int64_t e) {
  return l->start[lane / l->slice] + (e / l->team * l->slice + lane % l->slice) * l->team + e % l->team;
}

static int64_t slot_of(const SlotMap *s, int64_t B, int64_t i, int64_t k, int64_t r, int64_t c) {
  if (s->per_scalar) return s->slot[(k * B + r) * B + c];
  return s->slot[k] + r * s->row_step[s->same_step ? 0 : i] + c * s->column_step;
}

static void check_lane(const Layout *l, const Pattern *p, const SlotMap *slots, int64_t lane) {
  const int64_t split = l->split, B = p->block, side = B / split, row = l->row ? l->row[lane] : lane, i = row / split;
  const int64_t begin = p->start[i], length = (p->start[i + 1] - begin) * split, s = lane / l->slice;
  const int64_t width = (l->start[s + 1] - l->start[s]) / l->slice;
  assert_true(length <= width);
  if (l->length) assert_int_equal(l->length[lane], (length + l->team - 1) / l->team);
  for (int64_t e = 0; e < width; ++e) {
    const int64_t at = layout_place(l, lane, e), k = begin + e / split;
    if (e >= length) {
      assert_int_equal(l->column[at], row);
      continue;
    }
    assert_int_equal(l->column[at], p->column[k] * split + e % split);
    for (int64_t rc = 0; rc < side * side; ++rc) {
      const int64_t r = split > 1 ? row % split : rc / side, c = split > 1 ? e % split : rc % side;
      const int64_t own = lane % l->slice, first = at - own * l->team - at % l->team * (l->team > 1);
      const int64_t wanted = side > 1 ? first * side * side + rc * l->slice + own : at;
      assert_int_equal(slot_of(slots, B, i, k, r, c), wanted);
    }
  }
}

static void check_sliced(const Mat *a, const Pattern *p, int32_t split) {
  Layout l;
  layout_take(a, split, &l);
  assert_int_equal(l.lanes, (int64_t)p->n * split);
  assert_ok(slot_map_fetch(mat_slots(a)));
  for (int64_t s = 0; s < l.n_slice; ++s) {
    int64_t most = 0;
    for (int64_t lane = s * l.slice; lane < (s + 1) * l.slice && lane < l.lanes; ++lane) {
      const int64_t i = (l.row ? l.row[lane] : lane) / split, length = (p->start[i + 1] - p->start[i]) * split;
      most = length > most ? length : most;
    }
    assert_int_equal(l.start[s + 1] - l.start[s], (most + l.team - 1) / l.team * l.team * l.slice);
  }
  for (int64_t lane = 0; lane < l.lanes; ++lane) check_lane(&l, p, mat_slots(a), lane);
  for (int64_t lane = l.lanes; lane < l.n_slice * l.slice; ++lane) /* behind the last row */
    for (int64_t e = 0; e < (l.start[l.n_slice] - l.start[l.n_slice - 1]) / l.slice; ++e)
      assert_int_equal(l.column[layout_place(&l, lane, e)], 0);
  layout_release(&l);
}

static const MatParams SLICED[] = {{.format = "sbell"},
                                   {.format = "sbell", .window = 64},
                                   {.format = "sbell", .window = INT32_MAX},
                                   {.format = "bell"},
                                   {.format = "sell"},
                                   {.format = "sell", .slice = 96, .window = 1},
                                   {.format = "ell"},
                                   {.format = "ellr"},
                                   {.format = "sliced-ellr-t", .threads = 1},
                                   {.format = "sliced-ellr-t", .threads = 4, .window = 100},
                                   {.format = "sliced-ellr-t", .threads = 2, .slice = 96}};

static void entry_by_entry(void **state) {
  (void)state;
  const size_t host = mem_in_use(), device = exec->in_use;
  for (int32_t block = 1; block <= 3; ++block)
    for (int32_t n = block; n <= ROWS; n = n < LANES ? LANES + block : n + ROWS - LANES - block) {
      Pattern *p = pattern_make(n, block);
      for (size_t k = 0; k < sizeof SLICED / sizeof *SLICED; ++k) {
        Mat *a = NULL;
        assert_ok(mat_create(exec, &SLICED[k], p, &a));
        check_sliced(a, p, strcmp(SLICED[k].format + 1, "bell") && strcmp(SLICED[k].format, "bell") ? block : 1);
        mat_destroy(&a);
      }
      pattern_destroy(&p);
    }
  assert_int_equal(mem_in_use(), host);
  assert_int_equal(exec->in_use, device);
}

/* Rows one after another. */
static void csr_entry_by_entry(void **state) {
  (void)state;
  for (int64_t B = 1; B <= 3; ++B) {
    Pattern *p = pattern_make(ROWS, (int32_t)B);
    Mat *a = NULL;
    assert_ok(mat_create(exec, &(MatParams){.format = "csr"}, p, &a));
    assert_ok(slot_map_fetch(mat_slots(a)));
    int64_t *start = download(exec, a->view.start, ROWS * B + 1, sizeof *start), at = 0;
    int32_t *column = download(exec, a->view.column, mat_entries(a), sizeof *column);
    for (int64_t row = 0; row < ROWS * B; ++row) {
      assert_int_equal(start[row], at);
      for (int64_t k = p->start[row / B]; k < p->start[row / B + 1]; ++k)
        for (int64_t c = 0; c < B; ++c, ++at) {
          assert_int_equal(column[at], p->column[k] * B + c);
          assert_int_equal(slot_of(mat_slots(a), B, row / B, k, row % B, c), at);
        }
    }
    assert_int_equal(start[ROWS * B], at);
    FREE(start);
    FREE(column);
    mat_destroy(&a);
    pattern_destroy(&p);
  }
}

static void assert_same(const Mat *a, const Mat *b) {
  const SlotMap *s = mat_slots(a), *t = mat_slots(b);
  const int64_t B = a->block, blocks = a->entries / (B * B), n = s->per_scalar ? a->entries : blocks;
  assert_int_equal(a->n_part, b->n_part);
  for (int32_t k = 0; k < a->n_part; ++k) {
    void *x = download(a->exec, a->part[k].p, a->part[k].n, a->part[k].size);
    void *y = download(b->exec, b->part[k].p, b->part[k].n, b->part[k].size);
    assert_int_equal(a->part[k].n, b->part[k].n);
    assert_memory_equal(x, y, (size_t)a->part[k].n * a->part[k].size);
    mem_free(&x);
    mem_free(&y);
  }
  assert_int_equal(mat_bytes(a), mat_bytes(b));
  assert_true(s->n_value == t->n_value && s->per_scalar == t->per_scalar && s->same_step == t->same_step);
  assert_int_equal(s->column_step, t->column_step);
  assert_ok(slot_map_fetch(s));
  assert_ok(slot_map_fetch(t));
  assert_memory_equal(s->slot, t->slot, (size_t)n * sizeof *s->slot);
  if (!s->per_scalar)
    assert_memory_equal(s->row_step, t->row_step, (size_t)(s->same_step ? 1 : a->n_block) * sizeof *s->row_step);
}

/* All formats on `on` against one thread. */
static void check_exec(Exec *on) {
  Exec *one = NULL;
  assert_ok(exec_create_cpu(1, &one));
  for (int32_t block = 1; block <= 3; ++block) {
    Pattern *p = pattern_make(ROWS, block);
    for (int32_t f = 0; f <= mat_format_count(); ++f) {
      const MatParams params = {.format = f < mat_format_count() ? mat_format_name(f) : "auto"};
      Mat *a = NULL, *b = NULL;
      Pattern there = {0};
      assert_ok(mat_create(one, &params, p, &a));
      if (!exec_is_host(on)) pattern_move(on, p, &there);
      assert_ok(mat_create(on, &params, exec_is_host(on) ? p : &there, &b));
      if (strcmp(params.format, "auto") || exec_is_host(on)) assert_same(a, b);
      mat_destroy(&a);
      mat_destroy(&b);
      pattern_leave_exec(&there);
      FREE(there.start);
      FREE(there.column);
    }
    pattern_destroy(&p);
  }
  exec_destroy(&one);
}

static void for_any_threads(void **state) {
  (void)state;
  static const int THREADS[] = {2, 3, 5};
  for (size_t k = 0; k < sizeof THREADS / sizeof *THREADS; ++k) {
    Exec *own = NULL;
    assert_ok(exec_create_cpu(THREADS[k], &own));
    check_exec(own);
    assert_int_equal(own->in_use, 0);
    exec_destroy(&own);
  }
  check_exec(exec);
}

/* The CPU in the guise of a GPU: nothing comes to the host unless it is fetched, and what is dropped is gone. */
static void apart_from_the_host(void **state) {
  (void)state;
  Exec *own = NULL;
  Mat *a = NULL, *like = NULL;
  Pattern there, *p = pattern_make(ROWS, 3);
  const size_t before = mem_in_use();
  assert_ok(exec_create_cpu(2, &own));
  const ExecTable *cpu = own->table;
  ExecTable other = *cpu;
  other.name = "other";
  own->table = &other;
  check_exec(own);
  pattern_move(own, p, &there);
  assert_ok(mat_create(own, &(MatParams){0}, &there, &a));
  assert_null(there.start);
  assert_null(mat_slots(a)->slot);
  assert_ok(mat_create_like(a, PRECISION_FLOAT, &like));
  assert_ptr_equal(mat_slots(like), mat_slots(a));
  MatrixLoan loan;
  assert_ok(matrix_lend(own, &there, mat_slots(a), &loan));
  assert_ptr_equal(loan.slots.slot, mat_slots(a)->exec_slot);
  assert_ptr_equal(loan.column, there.exec_column);
  matrix_loan_end(own, &loan);
  slot_map_leave_exec(mat_slots(a));
  pattern_leave_exec(&there);
  assert_int_equal(pattern_entries(&there), pattern_entries(p));
  assert_fails(slot_map_fetch(mat_slots(a)), ERR_BUG, "left on a GPU");
  assert_fails(pattern_fetch(&there), ERR_BUG, "left on a GPU");
  assert_fails(matrix_lend(own, &there, mat_slots(a), &loan), ERR_BUG, "left on a GPU");
  matrix_loan_end(own, &loan);
  mat_destroy(&like);
  mat_destroy(&a);
  assert_int_equal(own->in_use, 0);
  own->table = cpu;
  exec_destroy(&own);
  assert_int_equal(mem_in_use(), before);
  pattern_destroy(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(entry_by_entry), cmocka_unit_test(csr_entry_by_entry),
                                     cmocka_unit_test(for_any_threads), cmocka_unit_test(apart_from_the_host)};
  return testing_run("solver/layout", tests, exec);
}
