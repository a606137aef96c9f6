/* Diffusion on an Exec: the object and what it is made of. The arithmetic is in diffusion_rows.h and gather_rows.h, its
 * order in diffusion_apply.c. */
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

static Status diffusion_fill(Diffusion *p, Exec *exec, const DiffusionParams *params) {
  TRY(diffusion_check_mesh(params->mesh));
  TRY(space_create(exec, params->mesh, params->mesh->dim, 1, &p->space));
  const Space *s = p->space;
  TRY(diffusion_check_params(params, &s->set));
  TRY(diffusion_supports_create(params, &s->incidence, &p->supports));
  TRY(diffusion_loads_create(params, &s->set, &s->incidence, &p->loads));
  TRY(timed_evaluate(&p->loads, params->time));
  if (params->steady) TRY(diffusion_check_held(p));
  TRY(space_finish(p->space, p->loads.film, p->loads.n_film, params->node_rank));
  return diffusion_upload(p, params);
}

Status diffusion_create(Exec *exec, const DiffusionParams *params, Diffusion **out) {
  Diffusion *p = NULL;
  *out = NULL;
  ALLOC(p, 1, "diffusion");
  p->lumped = params->lumped;
  p->time = params->time;
  const Status status = diffusion_fill(p, exec, params);
  if (status != OK) diffusion_destroy(&p);
  *out = p;
  return status;
}

void diffusion_destroy(Diffusion **diffusion) {
  Diffusion *p = *diffusion;
  if (!p) return;
  diffusion_release_tables(p);
  diffusion_supports_release(&p->supports);
  diffusion_loads_release(&p->loads);
  space_destroy(&p->space);
  FREE(*diffusion);
}

const Pattern *diffusion_pattern(const Diffusion *p) { return p->space->pattern; }
int64_t diffusion_unknowns(const Diffusion *p) { return p->supports.n_free; }
int64_t diffusion_dofs(const Diffusion *p) { return p->space->n_dof; }
int32_t diffusion_solved(const Diffusion *p) { return p->space->set.n_solved; }
int32_t diffusion_node(const Diffusion *p, int64_t row) { return space_mesh_node(p->space, row); }
const uint8_t *diffusion_fixed(const Diffusion *p) { return p->fixed; }
bool diffusion_load_varies(const Diffusion *p) { return p->loads.n_point > 0; }
bool diffusion_prescribed_varies(const Diffusion *p) { return p->supports.n_varying > 0; }

Status diffusion_bind(Diffusion *p, const SlotMap *slots) {
  return space_bind(p->space, slots, &(PrescribedNodes){p->supports.fixed, NULL});
}

Status diffusion_order_transfers(const Diffusion *p, OrderTransfers *out) {
  return space_order_transfers(p->space, NULL, NULL, out);
}
