/* Patterns in another order, and putting them and slot maps away; patterns are built in assembly/space/dof_map.c. */
#include "algebra/pattern.h"
#include "core/memory.h"

void pattern_destroy(Pattern **pattern) {
  if (!*pattern) return;
  pattern_leave_exec(*pattern);
  FREE((*pattern)->start);
  FREE((*pattern)->column);
  FREE(*pattern);
}

void pattern_leave_exec(Pattern *p) {
  if (!p->exec) return;
  EXEC_RELEASE(p->exec, p->exec_start, (int64_t)p->n + 1);
  EXEC_RELEASE(p->exec, p->exec_column, p->start[p->n]);
  p->exec = NULL;
}

Status matrix_lend(Exec *exec, const Pattern *p, const SlotMap *slots, MatrixLoan *l) {
  const char *what = "pattern and slots of the matrix";
  *l = (MatrixLoan){.slots = *slots, .n_start = (int64_t)p->n + 1, .n_column = p->start[p->n]};
  l->slots.slot = l->slots.row_step = NULL;
  l->n_slot = l->n_column * (slots->per_scalar ? p->block * pattern_column_block(p) : 1);
  l->n_row_step = slots->per_scalar ? 0 : slots->same_step ? 1 : p->n;
  l->uploaded = p->exec != exec;
  if (!l->uploaded) {
    l->start = p->exec_start;
    l->column = p->exec_column;
  } else {
    TRY(exec_lend(exec, l->n_start, sizeof *l->start, p->start, what, (const void **)&l->start));
    TRY(exec_lend(exec, l->n_column, sizeof *l->column, p->column, what, (const void **)&l->column));
  }
  TRY(exec_lend(exec, l->n_slot, sizeof *slots->slot, slots->slot, what, (const void **)&l->slots.slot));
  return l->n_row_step ? exec_lend(exec, l->n_row_step, sizeof *slots->row_step, slots->row_step, what,
                                   (const void **)&l->slots.row_step)
                       : OK;
}

void matrix_loan_end(Exec *exec, MatrixLoan *l) {
  if (l->uploaded) {
    exec_lend_end(exec, l->n_start, sizeof *l->start, (const void **)&l->start);
    exec_lend_end(exec, l->n_column, sizeof *l->column, (const void **)&l->column);
  }
  exec_lend_end(exec, l->n_slot, sizeof *l->slots.slot, (const void **)&l->slots.slot);
  exec_lend_end(exec, l->n_row_step, sizeof *l->slots.row_step, (const void **)&l->slots.row_step);
}

void slot_map_release(SlotMap *slots) {
  FREE(slots->slot);
  FREE(slots->row_step);
}

/* The rows of every column, in any order: row[start[j] .. start[j + 1]), in the new numbering. Arrays owned. */
typedef struct Columns {
  int64_t *start, *cursor; /* [n + 1], [n] */
  int32_t *row;
} Columns;

static Status columns_create(const Pattern *from, const int32_t *rank, Columns *c) {
  const int32_t n = from->n;
  ALLOC(c->start, (int64_t)n + 1, "matrix pattern in another order");
  ALLOC(c->cursor, n, "matrix pattern in another order");
  ALLOC(c->row, from->start[n], "matrix pattern in another order");
  for (int64_t k = 0; k < from->start[n]; ++k) ++c->start[rank[from->column[k]] + 1];
  for (int32_t j = 0; j < n; ++j) {
    c->start[j + 1] += c->start[j];
    c->cursor[j] = c->start[j];
  }
  for (int32_t i = 0; i < n; ++i)
    for (int64_t k = from->start[i]; k < from->start[i + 1]; ++k) c->row[c->cursor[rank[from->column[k]]]++] = rank[i];
  return OK;
}

/* Columns are handed out to their rows in ascending order, so every row comes out sorted. */
static Status permute_pattern(const Pattern *from, const int32_t *rank, Columns *c, Pattern *to) {
  const int32_t n = from->n;
  CHECK(pattern_is_square(from), ERR_BUG, "a rectangular pattern has two orders");
  CHECK(from->share.n_halo == 0, ERR_BUG, "rows that couple with those of other ranks keep their order");
  to->n = n;
  to->block = from->block;
  ALLOC(to->start, (int64_t)n + 1, "matrix pattern in another order");
  ALLOC(to->column, from->start[n], "matrix pattern in another order");
  for (int32_t i = 0; i < n; ++i) {
    const int32_t at = rank[i];
    CHECK(at >= 0 && at < n && to->start[at + 1] == 0, ERR_BUG, "rank[%d] = %d is no permutation of %d block rows", i,
          at, n);
    to->start[at + 1] = from->start[i + 1] - from->start[i] + 1; /* marked, also where the row is empty */
  }
  for (int32_t i = 0; i < n; ++i) to->start[i + 1] += to->start[i] - 1;
  TRY(columns_create(from, rank, c));
  for (int32_t i = 0; i < n; ++i) c->cursor[i] = to->start[i];
  for (int32_t j = 0; j < n; ++j)
    for (int64_t k = c->start[j]; k < c->start[j + 1]; ++k) to->column[c->cursor[c->row[k]]++] = j;
  return OK;
}

Status pattern_permute(const Pattern *pattern, const int32_t *rank, Pattern **out) {
  Status status = OK;
  Pattern *p = NULL;
  Columns columns = {0};
  *out = NULL;
  ALLOC_DONE(p, 1, "matrix pattern in another order");
  TRY_DONE(permute_pattern(pattern, rank, &columns, p));
  *out = p;
  p = NULL;
done:
  FREE(columns.start);
  FREE(columns.cursor);
  FREE(columns.row);
  pattern_destroy(&p);
  return status;
}
