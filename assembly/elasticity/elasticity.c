/* Elasticity on an Exec: the object and what it is made of. The arithmetic is in element_rows.h and gather_rows.h, its
 * order in elasticity_apply.c. */
#include "assembly/space/dof_map.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/supported.h"
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
  ALLOC(p->material, p->set.n_solved, "element materials");
  int32_t *to = p->material, *first = NULL;
  ALLOC(first, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m) first[m] = first_equal(params, m);
  for (int32_t k = 0; k < p->set.n_solved_block; ++k)
    for (int32_t e = 0; e < p->set.block[k].n; ++e)
      *to++ = first[params->element_material[p->set.block[k].first_id + e]];
  FREE(first);
  return OK;
}

static Status number(Elasticity *p, const int32_t *rank) {
  TRY(numbering_create(&p->set, rank, &p->numbering));
  p->solver_set = rank ? &p->numbering.set : &p->set;
  p->solver_incidence = rank ? &p->numbering.incidence : &p->incidence;
  return OK;
}

static Status make_supports(Elasticity *p, const ElasticityParams *params) {
  Status status = OK;
  uint8_t *used = NULL;
  ALLOC_DONE(used, p->set.n_node, "nodes of the body");
  for (int32_t i = 0; i < p->set.n_node; ++i) used[i] = p->incidence.start[i + 1] > p->incidence.start[i];
  TRY_DONE(supports_create(params, p->dim, used, &p->supports));
done:
  FREE(used);
  return status;
}

static Status fill(Elasticity *p, const ElasticityParams *params) {
  TRY(elasticity_check_params(params));
  element_set_create(p->mesh, p->dim, exec_is_host(p->exec), &p->set);
  TRY(elasticity_check_elements(p->mesh, &p->set));
  TRY(copy_materials(p, params));
  TRY(incidence_create(&p->set, &p->incidence));
  TRY(make_supports(p, params));
  TRY(loads_create(params, &p->set, &p->incidence, &p->loads));
  TRY(body_parts_create(p->mesh, &p->set, &p->incidence, &p->supports, &p->loads, &p->parts));
  if (!params->allow_free_motion) {
    TRY(body_parts_check(&p->parts));
    body_parts_warn(&p->parts);
  }
  if (!p->loads.any && !p->supports.moved)
    status_warn(
        "there is no load: no traction, pressure, force or gravity and no prescribed displacement other than 0, so "
        "all displacements will be 0");
  TRY(spring_blocks_add(p->loads.spring, p->loads.n_spring, exec_is_host(p->exec), &p->set, &p->incidence));
  TRY(number(p, params->node_rank));
  TRY(pattern_create(p->solver_set, p->solver_incidence, p->dim, &p->pattern));
  return elasticity_upload(p);
}

Status elasticity_create(Exec *exec, const ElasticityParams *params, Elasticity **out) {
  Elasticity *p = NULL;
  *out = NULL;
  ALLOC(p, 1, "elasticity");
  p->exec = exec;
  p->mesh = params->mesh;
  p->model = params->model;
  p->dim = params->model == MODEL_SOLID ? 3 : 2;
  p->n_dof = (int64_t)params->mesh->n_node * p->dim;
  const Status status = fill(p, params);
  if (status != OK) elasticity_destroy(&p);
  *out = p;
  return status;
}

static void release_bound(Elasticity *p) {
  gather_release(p->exec, &p->blocks);
  EXEC_RELEASE(p->exec, p->K, p->set.n_pair * p->dim * p->dim);
  EXEC_RELEASE(p->exec, p->supported, p->n_supported);
}

void elasticity_destroy(Elasticity **elasticity) {
  Elasticity *p = *elasticity;
  if (!p) return;
  release_bound(p);
  elasticity_release_tables(p);
  pattern_destroy(&p->pattern);
  numbering_release(&p->numbering);
  incidence_release(&p->incidence);
  supports_release(&p->supports);
  loads_release(&p->loads);
  body_parts_release(&p->parts);
  FREE(p->constants);
  FREE(p->material);
  FREE(*elasticity);
}

const Pattern *elasticity_pattern(const Elasticity *p) { return p->pattern; }
int64_t elasticity_unknowns(const Elasticity *p) { return p->supports.n_free; }
int64_t elasticity_dofs(const Elasticity *p) { return p->n_dof; }
int32_t elasticity_node(const Elasticity *p, int64_t row) {
  return numbering_node(&p->numbering, (int32_t)(row / p->dim));
}
int32_t elasticity_part_count(const Elasticity *p) { return p->parts.n; }
const BodyPart *elasticity_part(const Elasticity *p, int32_t i) { return &p->parts.item[i]; }

Status elasticity_total_load(const Elasticity *p, double force[3]) {
  for (int c = 0; c < 3; ++c) force[c] = 0;
  for (int64_t i = 0; i < p->n_dof; ++i) force[i % p->dim] += p->loads.force[i];
  return OK;
}

static Status bind_parts(Elasticity *p, const SlotMap *slots) {
  TRY(gather_create_blocks(p->exec, p->solver_set, p->solver_incidence, p->pattern, slots, &p->blocks));
  const SupportedNodes nodes = {p->supports.fixed, p->supports.frame_of, "blocks at supports"};
  TRY(supported_list(p->exec, &nodes, p->pattern, &p->numbering, slots, &p->supported, &p->n_supported));
  EXEC_ALLOC(p->exec, p->K, p->set.n_pair * p->dim * p->dim, "element matrices");
  return OK;
}

Status elasticity_bind(Elasticity *p, const SlotMap *slots) {
  release_bound(p);
  const Status status = bind_parts(p, slots);
  if (status != OK) release_bound(p);
  return status;
}
