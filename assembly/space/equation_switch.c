/* Equations that hold or not: which terms a row has follows from the rows that are on. */
#include "assembly/space/equation_says.h"
#include "assembly/space/rows.h"
#include "core/ascending.h"
#include "core/memory.h"

static const char WHAT[] = "constraints of contact";

static void add(const Equations *e, int32_t row, int32_t column, double factor) {
  const int64_t first = e->start[row];
  e->factor[first + ascending_find((int32_t)(e->start[row + 1] - first), e->column + first, column)] += factor;
}

/* Its constant, where it holds. */
static double constant(const EquationSwitches *s, int32_t k) {
  return (s->value[k] + s->grown * s->moved[k]) / s->pivot[k];
}

/* Row of equation k on the host. */
static void row_fill(const Equations *e, int32_t k) {
  const EquationSwitches *s = &e->switches;
  const int32_t row = s->row[k];
  for (int64_t t = e->start[row]; t < e->start[row + 1]; ++t) e->factor[t] = 0;
  e->gap[row] = s->on[k] ? constant(s, k) : 0;
  for (int64_t t = s->start[k]; s->on[k] && t < s->start[k + 1]; ++t) {
    const int32_t other = s->of[t];
    if (other < 0 || !s->on[other]) {
      add(e, row, s->column[t], s->factor[t]);
      continue;
    }
    e->gap[row] += s->factor[t] * constant(s, other);
    for (int64_t i = s->start[other]; i < s->start[other + 1]; ++i)
      add(e, row, s->column[i], s->factor[t] * s->factor[i]);
  }
}

void equations_settle(Equations *e) {
  for (int32_t k = 0; k < e->switches.n; ++k) row_fill(e, k);
}

/* Numbers of the rows one after the other. */
static Status numbers_upload(Equations *e) {
  EquationSwitches *s = &e->switches;
  double *number = NULL, *gap = NULL;
  int64_t at = 0;
  Status status = OK;
  ALLOC_DONE(number, s->n_term, WHAT);
  ALLOC_DONE(gap, s->n, WHAT);
  for (int32_t k = 0; k < s->n; ++k) {
    for (int64_t t = e->start[s->row[k]]; t < e->start[s->row[k] + 1]; ++t) number[at++] = e->factor[t];
    gap[k] = e->gap[s->row[k]];
  }
  TRY_DONE(exec_upload(e->exec, s->exec_factor, number, (size_t)s->n_term * sizeof *number));
  TRY_DONE(exec_upload(e->exec, s->exec_gap, gap, (size_t)s->n * sizeof *gap));
  status = exec_upload(e->exec, s->exec_on, s->on, (size_t)s->n);
done:
  FREE(number);
  FREE(gap);
  return status;
}

Status equations_switch(Equations *e, const uint8_t *on, const double *value, double grown) {
  EquationSwitches *s = &e->switches;
  s->grown = grown;
  for (int32_t k = 0; k < s->n; ++k) s->on[k] = on[k] != 0, s->value[k] = value[k];
  if (!s->term) return OK; /* until then rows have all terms that they may have */
  equations_settle(e);
  const SwitchArgs args = {.term = s->term,
                           .row = s->exec_row,
                           .factor = s->exec_factor,
                           .value = s->exec_gap,
                           .on = s->exec_on,
                           .follow = e->follow.factor,
                           .gather = e->gather.factor,
                           .pass = e->pass.factor,
                           .weight = e->blocks.weight,
                           .gap = e->follow.gap,
                           .off = s->off,
                           .diagonal = e->blocks.diagonal};
  TRY(numbers_upload(e));
  TRY(exec_rows(e->exec, &switch_term_kernel, &args, s->n_term));
  return exec_rows(e->exec, &switch_row_kernel, &args, s->n);
}

/* Room for flags of rates behind those that there are. */
static Status rates_room(Equations *e) {
  EquationSwitches *s = &e->switches;
  uint8_t *both = NULL;
  if (equations_say_any(e)) return OK;
  TRY(exec_alloc(e->exec, 2 * (int64_t)e->n, 1, WHAT, (void **)&both));
  const Status status = exec_copy(e->exec, both, s->off, (size_t)e->n);
  EXEC_RELEASE(e->exec, s->off, s->n_off);
  s->off = both, s->n_off = 2 * e->n;
  e->follow.off = e->clear.off = s->off;
  return status;
}

Status equations_say(Equations *e, const uint8_t *says) {
  EquationSwitches *s = &e->switches;
  uint8_t *off = NULL;
  if (!s->term) return OK;
  TRY(rates_room(e));
  ALLOC(off, e->n, WHAT);
  for (int32_t k = 0; k < s->n; ++k) off[s->row[k]] = s->on[k] && !says[k] ? ROW_ON : ROW_OFF;
  const Status status = exec_upload(e->exec, s->off + e->n, off, (size_t)e->n);
  FREE(off);
  return status;
}

Status switches_hand_on(Equations *e, const double *factor) {
  EquationSwitches *s = &e->switches;
  double *number = NULL;
  int64_t at = 0;
  const SwitchArgs args = {.term = s->term, .factor = s->exec_factor, .pass = e->pass.factor};
  if (!s->term) return OK;
  ALLOC(number, s->n_term, WHAT);
  for (int32_t k = 0; k < s->n; ++k)
    for (int64_t t = e->start[s->row[k]]; t < e->start[s->row[k] + 1]; ++t) number[at++] = factor[t];
  const Status status = exec_upload(e->exec, s->exec_factor, number, (size_t)s->n_term * sizeof *number);
  FREE(number);
  return status == OK ? exec_rows(e->exec, &switch_term_kernel, &args, s->n_term) : status;
}

static void places(const Equations *e, SwitchTerm *term) {
  int64_t at = 0;
  for (int32_t k = 0; k < e->switches.n; ++k)
    for (int64_t t = e->start[e->switches.row[k]]; t < e->start[e->switches.row[k] + 1]; ++t)
      term[at++] = (SwitchTerm){t, e->gather_at[t], e->pass_at[t], e->weight_at[t]};
}

Status switches_upload(const Space *space, const int64_t *own, const int64_t *diagonal, Equations *e) {
  EquationSwitches *s = &e->switches;
  SwitchTerm *term = NULL;
  SwitchRow *row = NULL;
  Exec *exec = space->exec;
  Status status = OK;
  for (int32_t k = 0; k < s->n; ++k) s->n_term += e->start[s->row[k] + 1] - e->start[s->row[k]];
  ALLOC_DONE(term, s->n_term, WHAT);
  ALLOC_DONE(row, s->n, WHAT);
  places(e, term);
  for (int32_t k = s->n - 1, n = 0; k >= 0; --k) {
    const bool first = k == 0 || diagonal[k - 1] != diagonal[k];
    ++n;
    row[k] = (SwitchRow){s->row[k], e->row[s->row[k]] % e->n_component, first ? n : 0, own[k], diagonal[k]};
    if (first) n = 0;
  }
  TRY_DONE(exec_alloc_upload(exec, s->n_term, sizeof *term, term, WHAT, (void **)&s->term));
  TRY_DONE(exec_alloc_upload(exec, s->n, sizeof *row, row, WHAT, (void **)&s->exec_row));
  TRY_DONE(exec_alloc(exec, s->n_term, sizeof(double), WHAT, (void **)&s->exec_factor));
  TRY_DONE(exec_alloc(exec, s->n, sizeof(double), WHAT, (void **)&s->exec_gap));
  TRY_DONE(exec_alloc(exec, s->n, 1, WHAT, (void **)&s->exec_on));
  TRY_DONE(exec_alloc(exec, e->n, 1, WHAT, (void **)&s->off));
  s->n_off = e->n;
  TRY_DONE(exec_zero(exec, s->off, (size_t)e->n));
  e->follow.off = e->clear.off = s->off;
  status = equations_switch(e, s->on, s->value, s->grown);
done:
  FREE(term);
  FREE(row);
  return status;
}

void switches_release(Exec *exec, EquationSwitches *s) {
  if (exec) {
    EXEC_RELEASE(exec, s->term, s->n_term);
    EXEC_RELEASE(exec, s->exec_row, s->n);
    EXEC_RELEASE(exec, s->exec_factor, s->n_term);
    EXEC_RELEASE(exec, s->exec_gap, s->n);
    EXEC_RELEASE(exec, s->exec_on, s->n);
    EXEC_RELEASE(exec, s->off, s->n_off);
  }
  FREE(s->on);
  FREE(s->value);
  FREE(s->row);
  FREE(s->pivot);
  FREE(s->moved);
  FREE(s->start);
  FREE(s->column);
  FREE(s->factor);
  FREE(s->of);
}
