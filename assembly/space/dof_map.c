/* Builds patterns on an Exec: two passes over the nodes, counting, then filling; each row depends on its node alone. */
#include "assembly/space/dof_map.h"
#include "assembly/space/meeting.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

static const char *const WHAT = "matrix pattern";

/* On the Exec while it is made. */
typedef struct Draft {
  Meetings meetings;
  int32_t *count;
  int64_t *start, n_column;
  int32_t *column;
} Draft;

static Status pattern_fill(Exec *exec, Pattern *p, Draft *d) {
  const int64_t n = p->n;
  TRY(exec_alloc(exec, n, sizeof *d->count, WHAT, (void **)&d->count));
  TRY(exec_alloc(exec, n + 1, sizeof *d->start, WHAT, (void **)&d->start));
  MeetPatternArgs args = {d->meetings, pattern_is_square(p), d->count, d->start, NULL};
  TRY(exec_rows(exec, &meet_count_kernel, &args, n));
  TRY(exec_scan(exec, d->count, sizeof *d->count, n, d->start, &d->n_column));
  TRY(exec_alloc(exec, d->n_column, sizeof *d->column, WHAT, (void **)&d->column));
  args.column = d->column;
  TRY(exec_rows(exec, &meet_fill_kernel, &args, n));
  TRY(exec_fetch(exec, n + 1, sizeof *d->start, WHAT, (void **)&d->start, (void **)&p->start));
  return exec_fetch(exec, d->n_column, sizeof *d->column, WHAT, (void **)&d->column, (void **)&p->column);
}

static Status pattern_new(Exec *exec, const ElementSet *row, const Incidence *incidence, const ElementSet *column,
                          const Pattern *shape, Pattern **out) {
  Status status = OK;
  Pattern *p = NULL;
  Draft d = {0};
  *out = NULL;
  ALLOC(p, 1, WHAT);
  *p = *shape;
  TRY_DONE(meetings_create(exec, row, incidence, column, &d.meetings));
  TRY_DONE(pattern_fill(exec, p, &d));
done:
  meetings_release(exec, &d.meetings);
  EXEC_RELEASE(exec, d.count, p->n);
  EXEC_RELEASE(exec, d.start, (int64_t)p->n + 1);
  EXEC_RELEASE(exec, d.column, d.n_column);
  if (status != OK) pattern_destroy(&p);
  *out = p;
  return status;
}

Status pattern_create(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out) {
  const Pattern shape = {.n = set->n_node, .block = block};
  return pattern_new(exec, set, incidence, set, &shape, out);
}

Status pattern_create_between(Exec *exec, const ElementSet *row, const Incidence *incidence, int32_t block,
                              const ElementSet *column, int32_t column_block, Pattern **out) {
  const Pattern shape = {.n = row->n_node, .block = block, .n_column = column->n_node, .column_block = column_block};
  return pattern_new(exec, row, incidence, column, &shape, out);
}
