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

static const char *const WHAT = "pattern and slots of the matrix";

/* Where the lists are changes, what they say does not. */
static Pattern *pattern_of(const Pattern *pattern) { return (Pattern *)(uintptr_t)pattern; }
static SlotMap *slots_of(const SlotMap *slots) { return (SlotMap *)(uintptr_t)slots; }

void pattern_leave_exec(const Pattern *pattern) {
  Pattern *p = pattern_of(pattern);
  if (!p->exec) return;
  EXEC_RELEASE(p->exec, p->exec_start, (int64_t)p->n + 1);
  EXEC_RELEASE(p->exec, p->exec_column, p->n_entry);
  p->exec = NULL;
}

Status pattern_fetch(const Pattern *pattern) {
  Pattern *p = pattern_of(pattern);
  if (p->column || (!p->exec && p->start)) return OK; /* all of it, or one without any column */
  CHECK(p->exec, ERR_BUG, "a pattern that was left on a GPU is asked for");
  if (!p->start)
    TRY(exec_fetch(p->exec, (int64_t)p->n + 1, sizeof *p->start, WHAT, (void **)&p->exec_start, (void **)&p->start));
  return exec_fetch(p->exec, p->n_entry, sizeof *p->column, WHAT, (void **)&p->exec_column, (void **)&p->column);
}

Status slot_map_begin(Exec *exec, int64_t n_slot, int64_t n_row_step, SlotMap *s) {
  s->exec = exec;
  s->n_slot = n_slot;
  s->n_row_step = n_row_step;
  TRY(exec_alloc(exec, n_slot, sizeof *s->exec_slot, "slots of the matrix entries", (void **)&s->exec_slot));
  return n_row_step ? exec_alloc(exec, n_row_step, sizeof *s->exec_row_step, "row steps of the matrix entries",
                                 (void **)&s->exec_row_step)
                    : OK;
}

void slot_map_leave_exec(const SlotMap *slots) {
  SlotMap *s = slots_of(slots);
  if (!s->exec) return;
  EXEC_RELEASE(s->exec, s->exec_slot, s->n_slot);
  EXEC_RELEASE(s->exec, s->exec_row_step, s->n_row_step);
  s->exec = NULL;
}

Status slot_map_fetch(const SlotMap *slots) {
  SlotMap *s = slots_of(slots);
  if (s->slot) return OK;
  CHECK(s->exec, ERR_BUG, "slots that were left on a GPU are asked for");
  if (s->n_row_step && !s->row_step)
    TRY(exec_fetch(s->exec, s->n_row_step, sizeof *s->row_step, WHAT, (void **)&s->exec_row_step,
                   (void **)&s->row_step));
  return exec_fetch(s->exec, s->n_slot, sizeof *s->slot, WHAT, (void **)&s->exec_slot, (void **)&s->slot);
}

Status slot_map_listed(SlotMap *s) {
  if (!exec_is_host(s->exec)) return OK;
  const Status status = slot_map_fetch(s);
  s->exec = NULL;
  return status;
}

Status pattern_lend(Exec *exec, const Pattern *p, MatrixLoan *l) {
  *l = (MatrixLoan){.n_start = (int64_t)p->n + 1};
  if (p->exec == exec) {
    l->start = p->exec_start;
    l->column = p->exec_column;
    return OK;
  }
  CHECK(p->start, ERR_BUG, "a pattern that was left on a GPU is asked for");
  l->n_column = pattern_entries(p);
  l->uploaded = true;
  TRY(exec_lend(exec, l->n_start, sizeof *l->start, p->start, WHAT, (const void **)&l->start));
  return exec_lend(exec, l->n_column, sizeof *l->column, p->column, WHAT, (const void **)&l->column);
}

/* Slots that the host has. */
static Status slots_lend(Exec *exec, const Pattern *p, const SlotMap *slots, MatrixLoan *l) {
  CHECK(slots->slot, ERR_BUG, "slots that were left on a GPU are asked for");
  l->n_slot = pattern_entries(p) * (slots->per_scalar ? p->block * p->block : 1);
  return exec_lend(exec, l->n_slot, sizeof *slots->slot, slots->slot, WHAT, (const void **)&l->slots.slot);
}

Status matrix_lend(Exec *exec, const Pattern *p, const SlotMap *slots, MatrixLoan *l) {
  TRY(pattern_lend(exec, p, l));
  l->slots = *slots;
  l->listed = slots->exec == exec;
  l->slots.slot = l->listed ? slots->exec_slot : NULL;
  l->slots.row_step = l->listed ? slots->exec_row_step : NULL;
  if (!l->listed) TRY(slots_lend(exec, p, slots, l));
  l->n_row_step = slots->per_scalar || l->slots.row_step ? 0 : slots->same_step ? 1 : p->n;
  return l->n_row_step ? exec_lend(exec, l->n_row_step, sizeof *slots->row_step, slots->row_step, WHAT,
                                   (const void **)&l->slots.row_step)
                       : OK;
}

void matrix_loan_end(Exec *exec, MatrixLoan *l) {
  if (l->uploaded) {
    exec_lend_end(exec, l->n_start, sizeof *l->start, (const void **)&l->start);
    exec_lend_end(exec, l->n_column, sizeof *l->column, (const void **)&l->column);
  }
  if (!l->listed) exec_lend_end(exec, l->n_slot, sizeof *l->slots.slot, (const void **)&l->slots.slot);
  if (l->n_row_step) exec_lend_end(exec, l->n_row_step, sizeof *l->slots.row_step, (const void **)&l->slots.row_step);
}

void slot_map_release(SlotMap *slots) {
  slot_map_leave_exec(slots);
  FREE(slots->slot);
  FREE(slots->row_step);
}
