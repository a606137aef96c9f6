/* Diffusion on an Exec: the object and what it is made of. The arithmetic is in diffusion_rows.h and gather_rows.h, its
 * order in diffusion_apply.c. */
#include "assembly/diffusion/diffusion_data.h"
#include "assembly/space/dof_map.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/supported.h"
#include "core/memory.h"

static Status fill(Diffusion *p, const DiffusionParams *params) {
  TRY(diffusion_check_mesh(p->mesh));
  element_set_create(p->mesh, p->dim, exec_is_host(p->exec), &p->set);
  TRY(elasticity_check_elements(p->mesh, &p->set));
  TRY(diffusion_check_params(params, &p->set));
  TRY(incidence_create(&p->set, &p->incidence));
  TRY(diffusion_supports_create(params, &p->incidence, &p->supports));
  TRY(diffusion_loads_create(params, &p->set, &p->incidence, &p->loads));
  TRY(timed_evaluate(&p->loads, params->time));
  if (params->steady) TRY(diffusion_check_held(p));
  TRY(spring_blocks_add(p->loads.film, p->loads.n_film, exec_is_host(p->exec), &p->set, &p->incidence));
  TRY(numbering_create(&p->set, params->node_rank, &p->numbering));
  p->solver_set = params->node_rank ? &p->numbering.set : &p->set;
  p->solver_incidence = params->node_rank ? &p->numbering.incidence : &p->incidence;
  TRY(pattern_create(p->solver_set, p->solver_incidence, 1, &p->pattern));
  return diffusion_upload(p, params);
}

Status diffusion_create(Exec *exec, const DiffusionParams *params, Diffusion **out) {
  Diffusion *p = NULL;
  *out = NULL;
  ALLOC(p, 1, "diffusion");
  p->exec = exec;
  p->mesh = params->mesh;
  p->dim = params->mesh->dim;
  p->n_node = params->mesh->n_node;
  p->lumped = params->lumped;
  p->time = params->time;
  const Status status = fill(p, params);
  if (status != OK) diffusion_destroy(&p);
  *out = p;
  return status;
}

static void release_bound(Diffusion *p) {
  gather_release(p->exec, &p->blocks);
  EXEC_RELEASE(p->exec, p->K, p->set.n_pair);
  EXEC_RELEASE(p->exec, p->supported, p->n_supported);
}

void diffusion_destroy(Diffusion **diffusion) {
  Diffusion *p = *diffusion;
  if (!p) return;
  release_bound(p);
  diffusion_release_tables(p);
  pattern_destroy(&p->pattern);
  numbering_release(&p->numbering);
  incidence_release(&p->incidence);
  diffusion_supports_release(&p->supports);
  diffusion_loads_release(&p->loads);
  FREE(*diffusion);
}

const Pattern *diffusion_pattern(const Diffusion *p) { return p->pattern; }
int64_t diffusion_unknowns(const Diffusion *p) { return p->supports.n_free; }
int64_t diffusion_dofs(const Diffusion *p) { return p->n_node; }
int32_t diffusion_solved(const Diffusion *p) { return p->set.n_solved; }
int32_t diffusion_node(const Diffusion *p, int64_t row) { return numbering_node(&p->numbering, (int32_t)row); }
const uint8_t *diffusion_fixed(const Diffusion *p) { return p->fixed; }
bool diffusion_load_varies(const Diffusion *p) { return p->loads.n_point > 0; }
bool diffusion_prescribed_varies(const Diffusion *p) { return p->supports.n_varying > 0; }

static Status bind_parts(Diffusion *p, const SlotMap *slots) {
  TRY(gather_create_blocks(p->exec, p->solver_set, p->solver_incidence, p->pattern, slots, &p->blocks));
  const SupportedNodes nodes = {p->supports.fixed, NULL, "entries at prescribed values"};
  TRY(supported_list(p->exec, &nodes, p->pattern, &p->numbering, slots, &p->supported, &p->n_supported));
  p->n_value = slots->n_value;
  EXEC_ALLOC(p->exec, p->K, p->set.n_pair, "element matrices");
  return OK;
}

Status diffusion_bind(Diffusion *p, const SlotMap *slots) {
  release_bound(p);
  const Status status = bind_parts(p, slots);
  if (status != OK) release_bound(p);
  return status;
}
