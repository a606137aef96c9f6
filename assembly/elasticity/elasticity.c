/* Elasticity on an Exec: the object and what it is made of. The arithmetic is in element_rows.h and gather_rows.h, its
 * order in elasticity_apply.c. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "physics/material.h"

/* The first material with this type and these parameters: however many entries of a case name it, it is one. */
static int32_t first_equal(const ElasticityParams *params, int32_t m) {
  const MaterialType *type = material_type(params->material[m].kind);
  for (int32_t k = 0; k < m; ++k) {
    bool equal = params->material[k].kind == params->material[m].kind;
    for (int i = 0; equal && i < type->n_param; ++i)
      equal = params->material[k].value[i] == params->material[m].value[i];
    if (equal) return k;
  }
  return m;
}

static Status copy_materials(Elasticity *p, const ElasticityParams *params) {
  p->n_material = params->n_material;
  ALLOC(p->constants, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m)
    p->constants[m] = material_constants(params->material[m].kind, params->model, params->material[m].value);
  const ElementSet *set = &p->space->set;
  ALLOC(p->material, set->n_solved, "element materials");
  int32_t *to = p->material, *first = NULL;
  ALLOC(first, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m) first[m] = first_equal(params, m);
  for (int32_t k = 0; k < set->n_solved_block; ++k)
    for (int32_t e = 0; e < set->block[k].n; ++e) *to++ = first[params->element_material[set->block[k].first_id + e]];
  FREE(first);
  return OK;
}

static Status make_supports(Elasticity *p, const ElasticityParams *params) {
  Status status = OK;
  uint8_t *used = NULL;
  const Incidence *incidence = &p->space->incidence;
  const int32_t n_node = p->space->n_node;
  ALLOC_DONE(used, n_node, "nodes of the body");
  for (int32_t i = 0; i < n_node; ++i) used[i] = incidence->start[i + 1] > incidence->start[i];
  TRY_DONE(supports_create(params, p->dim, used, &p->supports));
done:
  FREE(used);
  return status;
}

static Status find_parts(Elasticity *p, const ElasticityParams *params) {
  const Space *s = p->space;
  TRY(body_parts_create(s->mesh, &s->set, &s->incidence, &p->supports, &p->loads, &p->parts));
  if (!params->allow_free_motion) {
    TRY(body_parts_check(&p->parts));
    body_parts_warn(&p->parts);
  }
  if (!p->loads.any && !p->supports.moved)
    status_warn(
        "there is no load: no traction, pressure, force or gravity and no prescribed displacement other than 0, so "
        "all displacements will be 0");
  return OK;
}

static Status elasticity_fill(Elasticity *p, Exec *exec, const ElasticityParams *params) {
  TRY(elasticity_check_params(params));
  TRY(space_create(exec, params->mesh, p->dim, p->dim, &p->space));
  TRY(copy_materials(p, params));
  TRY(make_supports(p, params));
  TRY(loads_create(params, &p->space->set, &p->space->incidence, &p->loads));
  TRY(find_parts(p, params));
  TRY(space_finish(p->space, p->loads.spring, p->loads.n_spring, params->node_rank));
  return elasticity_upload(p);
}

Status elasticity_create(Exec *exec, const ElasticityParams *params, Elasticity **out) {
  Elasticity *p = NULL;
  *out = NULL;
  ALLOC(p, 1, "elasticity");
  p->model = params->model;
  p->dim = params->model == MODEL_SOLID ? 3 : 2;
  const Status status = elasticity_fill(p, exec, params);
  if (status != OK) elasticity_destroy(&p);
  *out = p;
  return status;
}

void elasticity_destroy(Elasticity **elasticity) {
  Elasticity *p = *elasticity;
  if (!p) return;
  elasticity_release_tables(p);
  supports_release(&p->supports);
  loads_release(&p->loads);
  body_parts_release(&p->parts);
  FREE(p->constants);
  FREE(p->material);
  space_destroy(&p->space);
  FREE(*elasticity);
}

const Pattern *elasticity_pattern(const Elasticity *p) { return p->space->pattern; }
int64_t elasticity_unknowns(const Elasticity *p) { return p->supports.n_free; }
int64_t elasticity_dofs(const Elasticity *p) { return p->space->n_dof; }
int32_t elasticity_node(const Elasticity *p, int64_t row) { return space_mesh_node(p->space, row); }
int32_t elasticity_order(const Elasticity *p) { return space_order(p->space); }
int32_t elasticity_part_count(const Elasticity *p) { return p->parts.n; }
const BodyPart *elasticity_part(const Elasticity *p, int32_t i) { return &p->parts.item[i]; }

Status elasticity_total_load(const Elasticity *p, double force[3]) {
  for (int c = 0; c < 3; ++c) force[c] = 0;
  for (int64_t i = 0; i < p->space->n_dof; ++i) force[i % p->dim] += p->loads.force[i];
  return OK;
}

/* Where nodes have frames of their own, NULL: none does. */
static const int32_t *frames_of(const Elasticity *p) { return p->supports.n_frame ? p->supports.frame_of : NULL; }

Status elasticity_bind(Elasticity *p, const SlotMap *slots) {
  return space_bind(p->space, slots, &(PrescribedNodes){p->supports.fixed, frames_of(p)});
}

Status elasticity_order_transfers(const Elasticity *p, OrderTransfers *out) {
  return space_order_transfers(p->space, frames_of(p), p->supports.frame, out);
}

Status elasticity_spectrum_bound(Elasticity *p, bool blocks, double *bound) {
  CHECK(p->space->K, ERR_BUG, "elasticity_spectrum_bound before elasticity_tangent");
  return space_spectrum_bound(p->space, blocks, frames_of(p), p->frame, bound);
}

int64_t elasticity_bound_bytes(const Elasticity *p) { return space_bound_bytes(p->space, p->supports.n_frame > 0); }
