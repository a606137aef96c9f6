#include "assembly/space/meeting.h"
#include "assembly/space/rows.h"

static Status block_sort(Exec *exec, const SetBlock *b, int64_t first, Meetings *m) {
  MeetSortArgs args = {NULL, (int32_t *)m->node + first, (uint8_t *)m->local + first, b->type->n_node, m->order};
  TRY(block_nodes_lend(exec, b, &args.from));
  const Status status = exec_rows(exec, &meet_sort_kernel, &args, b->n);
  block_nodes_lend_end(exec, b, &args.from);
  return status;
}

Status meetings_create(Exec *exec, const ElementSet *set, const Incidence *incidence, Meetings *m) {
  const char *what = "elements at nodes";
  *m = (Meetings){.order = set->order};
  for (int32_t k = 0; k < set->n_block; ++k) {
    m->first[k] = m->n_all;
    m->stride[k] = set->block[k].type->n_node + 1;
    m->n_all += (int64_t)set->block[k].n * m->stride[k];
  }
  TRY(incidence_lend(exec, incidence, &m->start, &m->touch));
  TRY(exec_alloc(exec, m->n_all, sizeof *m->node, what, (void **)&m->node));
  TRY(exec_alloc(exec, m->n_all, sizeof *m->local, what, (void **)&m->local));
  for (int32_t k = 0; k < set->n_block; ++k) TRY(block_sort(exec, &set->block[k], m->first[k], m));
  return OK;
}

void meetings_release(Exec *exec, const Incidence *incidence, Meetings *m) {
  incidence_lend_end(exec, incidence, &m->start, &m->touch);
  exec_release(exec, m->n_all, sizeof *m->node, (void **)&m->node);
  exec_release(exec, m->n_all, sizeof *m->local, (void **)&m->local);
}
