#include "assembly/space/meeting.h"
#include "assembly/space/rows.h"

static Status block_sort(Exec *exec, const SetBlock *b, int64_t first, Meetings *m) {
  const int64_t n = (int64_t)b->n * b->type->n_node;
  const void *from = NULL;
  TRY(exec_lend(exec, n, sizeof *b->nodes, b->nodes, "element nodes", &from));
  const MeetSortArgs args = {from, (int32_t *)m->node + first, (uint8_t *)m->local + first, b->type->n_node};
  const Status status = exec_rows(exec, &meet_sort_kernel, &args, b->n);
  exec_lend_end(exec, n, sizeof *b->nodes, &from);
  return status;
}

Status meetings_create(Exec *exec, const ElementSet *row, const Incidence *incidence, const ElementSet *column,
                       Meetings *m) {
  const char *what = "elements at nodes";
  const int32_t n_block = row == column ? column->n_block : column->n_solved_block;
  *m = (Meetings){.n_row = row->n_node, .n_touch = row->n_force};
  for (int32_t k = 0; k < n_block; ++k) {
    m->first[k] = m->n_all;
    m->stride[k] = column->block[k].type->n_node + 1;
    m->n_all += (int64_t)column->block[k].n * m->stride[k];
  }
  for (int32_t k = n_block; k < row->n_block; ++k) m->first[k] = m->n_all - 1; /* an end */
  TRY(exec_lend(exec, m->n_row + 1, sizeof *m->start, incidence->start, what, (const void **)&m->start));
  TRY(exec_lend(exec, m->n_touch, sizeof *m->touch, incidence->touch, what, (const void **)&m->touch));
  TRY(exec_alloc(exec, m->n_all, sizeof *m->node, what, (void **)&m->node));
  TRY(exec_alloc(exec, m->n_all, sizeof *m->local, what, (void **)&m->local));
  for (int32_t k = 0; k < n_block; ++k) TRY(block_sort(exec, &column->block[k], m->first[k], m));
  return OK;
}

void meetings_release(Exec *exec, Meetings *m) {
  exec_lend_end(exec, m->n_row + 1, sizeof *m->start, (const void **)&m->start);
  exec_lend_end(exec, m->n_touch, sizeof *m->touch, (const void **)&m->touch);
  exec_release(exec, m->n_all, sizeof *m->node, (void **)&m->node);
  exec_release(exec, m->n_all, sizeof *m->local, (void **)&m->local);
}
