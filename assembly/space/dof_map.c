/* Builds patterns on an Exec: two passes over the nodes, counting, then filling; each row depends on its node alone. */
#include "assembly/space/dof_map.h"
#include "assembly/space/meeting.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

static const char *const WHAT = "matrix pattern";

static Status pattern_fill(Exec *exec, Pattern *p, const Meetings *meetings, int32_t *count) {
  const int64_t n = p->n;
  MeetPatternArgs args = {*meetings, pattern_is_square(p), count, NULL, NULL};
  TRY(exec_alloc(exec, n + 1, sizeof *p->exec_start, WHAT, (void **)&p->exec_start));
  TRY(exec_rows(exec, &meet_count_kernel, &args, n));
  TRY(exec_scan(exec, count, sizeof *count, n, p->exec_start, &p->n_entry));
  TRY(exec_alloc(exec, p->n_entry, sizeof *p->exec_column, WHAT, (void **)&p->exec_column));
  args.start = p->exec_start;
  args.column = p->exec_column;
  TRY(exec_rows(exec, &meet_fill_kernel, &args, n));
  if (!exec_is_host(exec)) return OK;
  TRY(pattern_fetch(p));
  p->exec = NULL;
  return OK;
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
  p->exec = exec;
  TRY_DONE(meetings_create(exec, row, incidence, column, &meetings));
  TRY_DONE(exec_alloc(exec, p->n, sizeof *count, WHAT, (void **)&count));
  TRY_DONE(pattern_fill(exec, p, &meetings, count));
done:
  meetings_release(exec, incidence, &meetings);
  EXEC_RELEASE(exec, count, p->n);
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
