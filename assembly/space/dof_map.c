/* Builds patterns on an Exec: two passes over the nodes, counting, then filling; each row depends on its node alone. */
#include "assembly/space/dof_map.h"
#include "assembly/space/meeting.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

static const char *const WHAT = "matrix pattern";

static Status pattern_fill(Exec *exec, Pattern *p, const Meetings *meetings, int32_t *count) {
  const int64_t n = p->n;
  int64_t n_column = 0;
  MeetPatternArgs args = {*meetings, pattern_is_square(p), count, p->exec_start, NULL};
  TRY(exec_rows(exec, &meet_count_kernel, &args, n));
  TRY(exec_scan(exec, count, sizeof *count, n, p->exec_start, &n_column));
  TRY(exec_alloc(exec, n_column, sizeof *args.column, WHAT, (void **)&args.column));
  Status status = exec_rows(exec, &meet_fill_kernel, &args, n);
  if (status == OK)
    status = exec_fetch(exec, n + 1, sizeof *p->start, WHAT, (void **)&p->exec_start, (void **)&p->start);
  if (status == OK)
    status = exec_fetch(exec, n_column, sizeof *p->column, WHAT, (void **)&args.column, (void **)&p->column);
  if (status == OK && args.column) {
    p->exec = exec;
    p->exec_column = args.column;
    return OK;
  }
  EXEC_RELEASE(exec, args.column, n_column);
  return status;
}

static Status pattern_new(Exec *exec, const ElementSet *row, const Incidence *incidence, const ElementSet *column,
                          const Pattern *shape, Pattern **out) {
  Status status = OK;
  Pattern *p = NULL;
  Meetings meetings = {0};
  int32_t *count = NULL;
  *out = NULL;
  ALLOC(p, 1, WHAT);
  *p = *shape;
  TRY_DONE(meetings_create(exec, row, incidence, column, &meetings));
  TRY_DONE(exec_alloc(exec, p->n, sizeof *count, WHAT, (void **)&count));
  TRY_DONE(exec_alloc(exec, (int64_t)p->n + 1, sizeof *p->exec_start, WHAT, (void **)&p->exec_start));
  TRY_DONE(pattern_fill(exec, p, &meetings, count));
done:
  meetings_release(exec, incidence, &meetings);
  EXEC_RELEASE(exec, count, p->n);
  if (!p->exec) EXEC_RELEASE(exec, p->exec_start, (int64_t)p->n + 1);
  if (status != OK) pattern_destroy(&p);
  *out = p;
  return status;
}

Status pattern_create(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out) {
  const int32_t n = element_set_rows(set);
  const Pattern shape = {.n = n, .block = block, .share = {.n_halo = set->n_node - n, .n_low = set->order.n_low}};
  return pattern_new(exec, set, incidence, set, &shape, out);
}

Status pattern_create_between(Exec *exec, const ElementSet *row, const Incidence *incidence, int32_t block,
                              const ElementSet *column, int32_t column_block, Pattern **out) {
  const Pattern shape = {
      .n = element_set_rows(row), .block = block, .n_column = column->n_node, .column_block = column_block};
  return pattern_new(exec, row, incidence, column, &shape, out);
}
