/* Diffusion on an Exec: the object and what it is made of. The arithmetic is in diffusion_rows.h and gather_rows.h, its
 * order in diffusion_apply.c. */
#include "assembly/diffusion/diffusion_data.h"
#include "assembly/space/revolution.h"
#include "core/memory.h"

static Status make_supports(Diffusion *p, const DiffusionParams *params) {
  static const char *const NAME[] = {"prescribed value"};
  const SupportParams supports = {.mesh = params->mesh,
                                  .incidence = &p->space->incidence,
                                  .local = params->share ? params->share->local : NULL,
                                  .dim = p->space->dim,
                                  .n_component = 1,
                                  .name = NAME,
                                  .n = params->n_support,
                                  .item = params->support,
                                  .time = params->time,
                                  .end = params->end,
                                  .in_time = !params->steady};
  return supports_create(&supports, &p->supports);
}

static Status make_loads(Diffusion *p, const DiffusionParams *params) {
  const LoadParams loads = {.mesh = params->mesh,
                            .set = &p->space->set,
                            .local = params->share ? params->share->local : NULL,
                            .incidence = &p->space->incidence,
                            .n_component = 1,
                            .n = params->n_load,
                            .item = params->load,
                            .thickness = {params->thickness, NULL},
                            .axisymmetric = params->axisymmetric,
                            .time = params->time};
  return loads_create(&loads, &p->loads);
}

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

static Status diffusion_fill(Diffusion *p, Exec *exec, const DiffusionParams *params) {
  TRY(diffusion_check_mesh(params->mesh, p->axisymmetric));
  TRY(space_create(exec, params->mesh, params->mesh->dim, 1, &p->space));
  if (p->axisymmetric) space_of_revolution(p->space);
  const ElementSet *set = &p->space->set;
  TRY(diffusion_check_params(params, set));
  TRY(diffusion_links_create(p, params)); /* first: their nodes may have no elements, and are free */
  TRY(make_supports(p, params));
  TRY(make_loads(p, params));
  if (params->steady && !params->share) TRY(diffusion_check_held(p));
  if (params->inspect_only) return OK;
  TRY(space_finish(p->space, p->n_link ? p->link : p->loads.spring, p->n_link + p->loads.n_spring, params->node_rank,
                   params->share));
  for (int32_t k = 0, first = 0; k < set->n_solved_block; first += set->block[k++].n)
    TRY(upload_solved(p, k, first, params));
  TRY(supports_upload(p->space, &p->supports));
  return loads_upload(p->space, &p->loads);
}

Status diffusion_create(Exec *exec, const DiffusionParams *params, Diffusion **out) {
  Diffusion *p = NULL;
  *out = NULL;
  ALLOC(p, 1, "diffusion");
  p->lumped = params->lumped;
  p->axisymmetric = params->axisymmetric;
  p->time = params->time;
  const Status status = diffusion_fill(p, exec, params);
  if (status != OK) diffusion_destroy(&p);
  *out = p;
  return status;
}

void diffusion_destroy(Diffusion **diffusion) {
  Diffusion *p = *diffusion;
  if (!p) return;
  for (int32_t k = 0; p->space && k < p->space->set.n_solved_block; ++k) {
    const int32_t n = p->space->set.block[k].n;
    EXEC_RELEASE(p->space->exec, p->table[k].tensor, 6 * (int64_t)n);
    EXEC_RELEASE(p->space->exec, p->table[k].capacity, n);
    EXEC_RELEASE(p->space->exec, p->table[k].thickness, n);
  }
  if (p->space) diffusion_recovery_release(p);
  supports_release(&p->supports);
  loads_release(&p->loads);
  spring_blocks_release(p->link, &p->n_link);
  space_destroy(&p->space);
  FREE(*diffusion);
}

const Pattern *diffusion_pattern(const Diffusion *p) { return p->space->pattern; }
int64_t diffusion_unknowns(const Diffusion *p) { return p->supports.n_free; }
int64_t diffusion_dofs(const Diffusion *p) { return p->space->n_read; }
int64_t diffusion_rows(const Diffusion *p) { return p->space->n_dof; }
int32_t diffusion_solved(const Diffusion *p) { return p->space->set.n_solved; }
int32_t diffusion_node(const Diffusion *p, int64_t row) { return space_mesh_node(p->space, row); }
const uint8_t *diffusion_fixed(const Diffusion *p) { return p->supports.exec_fixed; }
bool diffusion_load_varies(const Diffusion *p) { return p->loads.n_point > 0; }
bool diffusion_prescribed_varies(const Diffusion *p) { return p->supports.varies; }

Status diffusion_bind(Diffusion *p, const SlotMap *slots) {
  return space_bind(p->space, slots, &(PrescribedNodes){p->supports.fixed, NULL}, false);
}

Status diffusion_order_transfers(const Diffusion *p, OrderTransfers *out) {
  return space_order_transfers(p->space, NULL, NULL, out);
}
