/* Builds patterns on an Exec: two passes over the nodes, counting, then filling; each row depends on its node alone. */
#include "assembly/space/dof_map.h"
#include "assembly/space/meeting.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

static const char *const WHAT = "matrix pattern";

static Status pattern_fill(Exec *exec, Pattern *p, const Meetings *meetings, int32_t *count) {
  const int64_t n = p->n;
  MeetPatternArgs args = {*meetings, count, NULL, NULL};
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

/* Of the first n nodes. */
static Status pattern_of(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, int32_t n,
                         Pattern **out) {
  Status status = OK;
  Pattern *p = NULL;
  Meetings meetings = {0};
  int32_t *count = NULL;
  *out = NULL;
  ALLOC(p, 1, WHAT);
  *p = (Pattern){.n = n, .block = block, .share = {.n_halo = set->n_node - n}, .exec = exec};
  if (p->share.n_halo) p->share.n_low = set->order.n_low;
  TRY_DONE(meetings_create(exec, set, incidence, &meetings));
  TRY_DONE(exec_alloc(exec, n, sizeof *count, WHAT, (void **)&count));
  TRY_DONE(pattern_fill(exec, p, &meetings, count));
done:
  meetings_release(exec, incidence, &meetings);
  EXEC_RELEASE(exec, count, n);
  if (status != OK) pattern_destroy(&p);
  *out = p;
  return status;
}

Status pattern_create(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out) {
  return pattern_of(exec, set, incidence, block, element_set_rows(set), out);
}

Status pattern_create_all(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out) {
  return pattern_of(exec, set, incidence, block, set->n_node, out);
}
