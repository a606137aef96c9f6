/* What a diffusion problem adds to its space on the Exec: tensors, loads, supports. */
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

/* Of block k, whose first element is number `first` of the solved ones. */
static Status upload_solved(Diffusion *p, int32_t k, int32_t first, const DiffusionParams *params) {
  const Space *s = p->space;
  DiffusionTables *t = &p->table[k];
  t->lumping = s->set.block[k].type->order == 1 ? LUMPING_ROW_SUM : LUMPING_SCALED;
  const int32_t n = s->set.block[k].n, *order = s->numbering.element[k];
  const double *capacity = params->capacity, *thickness = params->thickness;
  TRY(element_upload(s->exec, order, n, sizeof *params->tensor, params->tensor[first], "tensors", (void **)&t->tensor));
  if (capacity)
    TRY(element_upload(s->exec, order, n, sizeof *capacity, capacity + first, "capacities", (void **)&t->capacity));
  if (thickness)
    TRY(element_upload(s->exec, order, n, sizeof *thickness, thickness + first, "thicknesses", (void **)&t->thickness));
  return OK;
}

/* Solver's numbers of the nodes that values are put to. */
static Status upload_scatter(Diffusion *p) {
  Status status = OK;
  const DiffusionSupports *s = &p->supports;
  const DiffusionLoads *l = &p->loads;
  const Numbering *numbering = &p->space->numbering;
  Exec *exec = p->space->exec;
  int32_t *node = NULL;
  ALLOC_DONE(node, s->n > l->n_touched ? s->n : l->n_touched, "prescribed values");
  for (int32_t j = 0; j < s->n; ++j) node[j] = numbering_rank(numbering, s->node[j]);
  TRY_DONE(exec_alloc_upload(exec, s->n, sizeof *node, node, "prescribed values", (void **)&p->support_node));
  for (int32_t j = 0; j < l->n_touched; ++j) node[j] = numbering_rank(numbering, l->share[l->start[j]].node);
  TRY_DONE(exec_alloc_upload(exec, l->n_touched, sizeof *node, node, "loads that depend on time",
                             (void **)&p->touched_node));
  TRY_DONE(exec_alloc_upload(exec, s->n, sizeof(double), s->value, "prescribed values", (void **)&p->support_value));
  TRY_DONE(exec_alloc(exec, l->n_touched, sizeof(double), "loads that depend on time", (void **)&p->touched_value));
done:
  FREE(node);
  return status;
}

Status diffusion_upload(Diffusion *p, const DiffusionParams *params) {
  const Space *s = p->space;
  TRY(numbering_upload(s->exec, &s->numbering, 1, sizeof(double), p->loads.force, "loads", (void **)&p->force));
  TRY(numbering_upload(s->exec, &s->numbering, 1, 1, p->supports.fixed, "prescribed values", (void **)&p->fixed));
  for (int32_t k = 0, first = 0; k < s->set.n_solved_block; first += s->set.block[k++].n)
    TRY(upload_solved(p, k, first, params));
  return upload_scatter(p);
}

void diffusion_release_tables(Diffusion *p) {
  const Space *s = p->space;
  if (!s) return;
  EXEC_RELEASE(s->exec, p->force, s->n_node);
  EXEC_RELEASE(s->exec, p->fixed, s->n_node);
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const int32_t n = s->set.block[k].n;
    EXEC_RELEASE(s->exec, p->table[k].tensor, 6 * (int64_t)n);
    EXEC_RELEASE(s->exec, p->table[k].capacity, n);
    EXEC_RELEASE(s->exec, p->table[k].thickness, n);
  }
  EXEC_RELEASE(s->exec, p->support_node, p->supports.n);
  EXEC_RELEASE(s->exec, p->support_value, p->supports.n);
  EXEC_RELEASE(s->exec, p->touched_node, p->loads.n_touched);
  EXEC_RELEASE(s->exec, p->touched_value, p->loads.n_touched);
}
