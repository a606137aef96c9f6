/* Elasticity on an Exec: the object and what it is made of. The arithmetic is in element_rows.h and gather_rows.h, its
 * order in elasticity_apply.c. */
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/bolts.h"
#include "assembly/elasticity/cavity.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/tangent.h"
#include "assembly/elasticity/timed.h"
#include "core/comm.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

static bool same_strength(const Strength *a, const Strength *b) {
  bool same = a->criterion == b->criterion;
  for (int i = 0; i < N_STRENGTHS; ++i) same = same && a->value[i] == b->value[i];
  return same;
}

/* The first material with this type and these parameters: however many entries of a case name it, it is one. Those
 * with axes of their own, or that vary, are told apart. */
static int32_t first_equal(const ElasticityParams *params, int32_t m) {
  const MaterialType *type = material_type(params->material[m].kind);
  for (int32_t k = 0; k < m; ++k) {
    bool equal = params->material[k].kind == params->material[m].kind && params->material[k].axes.kind == AXES_GLOBAL &&
                 params->material[m].axes.kind == AXES_GLOBAL && params->material[k].n_varying == 0 &&
                 params->material[m].n_varying == 0 && !params->material[k].density && !params->material[m].density &&
                 !params->material[k].initial && !params->material[m].initial;
    equal = equal && same_strength(&params->material[k].strength, &params->material[m].strength);
    equal = equal && !params->material[k].active.point.form && !params->material[m].active.point.form;
    for (int i = 0; equal && i < type->n_param; ++i)
      equal = params->material[k].value[i] == params->material[m].value[i];
    if (equal) return k;
  }
  return m;
}

/* So much of the energy that points see MEAN_LOCAL times the shear modulus of its change of volume. */
static double local_part(double ratio) { return ratio > 0 ? fmin(1, MEAN_LOCAL / ratio) : 0; }

/* Energy of a stress s in material m: square s : s - trace tr(s)^2, of all directions the mean; where a modulus varies, the
 * norm of the stress stands for it in all materials. */
static Status find_compliance(Elasticity *p, const ElasticityParams *params) {
  bool known = true;
  ALLOC(p->compliance, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m) {
    const MaterialValues *material = &params->material[m];
    double bulk = 0, shear = 0;
    known = known && !material->n_varying && material_mean_moduli(material->kind, material->value, &bulk, &shear) &&
            bulk > 0 && shear > 0;
    if (known) p->compliance[m] = (StressEnergy){1 / (4 * shear), 1 / (12 * shear) - 1 / (18 * bulk)};
  }
  for (int32_t m = 0; m < p->n_material && !known; ++m) p->compliance[m] = (StressEnergy){1, 0};
  return OK;
}

static Status copy_materials(Elasticity *p, const ElasticityParams *params) {
  p->n_material = params->n_material;
  ALLOC(p->constants, p->n_material, "materials");
  ALLOC(p->axes, p->n_material, "materials");
  ALLOC(p->strength, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m)
    p->axes[m] = params->material[m].axes, p->strength[m] = params->material[m].strength;
  for (int32_t m = 0; m < p->n_material; ++m)
    p->constants[m] = material_constants(params->material[m].kind, params->model, params->material[m].value);
  for (int32_t m = 0; m < p->n_material; ++m) {
    p->constants[m].active = params->material[m].active.point;
    p->constants[m].active.program = (IonicProgram){0}; /* upload_programs */
    p->constants[m].active.state = material_type(params->material[m].kind)->shape.n_state;
  }
  for (int32_t m = 0; m < p->n_material; ++m) {
    const double ratio = elasticity_bulk_ratio(&params->material[m]);
    p->constants[m].local = local_part(ratio);
    if (params->model != MODEL_PLANE_STRESS && ratio > p->bulk_ratio) p->bulk_ratio = ratio;
  }
  const ElementSet *set = &p->space->set;
  ALLOC(p->material, set->n_solved, "element materials");
  int32_t *to = p->material, *first = NULL;
  ALLOC(first, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m) first[m] = first_equal(params, m);
  for (int32_t k = 0; k < set->n_solved_block; to += set->block[k++].n) {
    const int32_t *from = params->element_material + set->block[k].first_id;
#pragma omp parallel for schedule(static)
    for (int32_t e = 0; e < set->block[k].n; ++e) to[e] = first[from[e]];
  }
  FREE(first);
  TRY(find_compliance(p, params));
  return elasticity_find_density(p, params);
}

/* Models of tension from files: their programs where kernels run. */
static Status upload_programs(Elasticity *p, const ElasticityParams *params) {
  for (int32_t m = 0; m < p->n_material; ++m) {
    const IonicProgram *from = &params->material[m].active.point.program;
    IonicProgram *to = &p->constants[m].active.program;
    if (!from->n_step) continue;
    to->n_step = from->n_step, to->n_constant = from->n_constant;
    TRY(exec_alloc_upload(p->space->exec, from->n_step, sizeof *from->step, from->step, "a model of tension",
                          (void **)(uintptr_t)&to->step));
    TRY(exec_alloc_upload(p->space->exec, from->n_constant, sizeof *from->constant, from->constant,
                          "a model of tension", (void **)(uintptr_t)&to->constant));
  }
  return OK;
}

static Status upload_materials(Elasticity *p, const ElasticityParams *params) {
  const Space *s = p->space;
  const int32_t *material = p->material;
  TRY(upload_programs(p, params));
  TRY(exec_alloc_upload(s->exec, p->n_material, sizeof *p->constants, p->constants, "materials",
                        (void **)&p->exec_constants));
  for (int32_t k = 0; k < s->set.n_solved_block; material += s->set.block[k++].n)
    TRY(element_upload(s->exec, s->numbering.element[k], s->set.block[k].n, sizeof *material, material,
                       "element materials", (void **)&p->block_material[k]));
  return OK;
}

Status elasticity_make_supports(Elasticity *p, const ElasticityParams *params, Supports *out) {
  static const char *const NAME[] = {"prescribed displacement x", "prescribed displacement y",
                                     "prescribed displacement z"};
  const SupportParams supports = {.mesh = params->mesh,
                                  .incidence = &p->space->incidence,
                                  .local = params->share ? params->share->local : NULL,
                                  .dim = p->dim,
                                  .n_component = p->dim,
                                  .name = NAME,
                                  .n = params->n_support,
                                  .item = params->support,
                                  .n_image = params->equations ? params->equations->n_image : 0,
                                  .image = params->equations ? params->equations->image : NULL,
                                  .time = params->time,
                                  .end = params->end,
                                  .in_time = params->end > params->time,
                                  .axisymmetric = p->model == MODEL_AXISYMMETRIC,
                                  .toggles = p->contact.nodes.n ? &p->contact.nodes : NULL};
  return supports_create(&supports, out);
}

/* Of each material, owned by the caller. */
static Status thickness_of(const Elasticity *p, double **out) {
  ALLOC(*out, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m) (*out)[m] = p->constants[m].thickness;
  return OK;
}

Status elasticity_make_loads(const Elasticity *p, const ElasticityParams *params, Inertia *inertia, Loads *out) {
  Status status = OK;
  double *thickness = NULL, *density = NULL;
  TRY_DONE(thickness_of(p, &thickness));
  ALLOC_DONE(density, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m) density[m] = p->constants[m].density;
  const LoadParams loads = {.mesh = params->mesh,
                            .set = &p->space->set,
                            .local = params->share ? params->share->local : NULL,
                            .incidence = &p->space->incidence,
                            .n_component = p->dim,
                            .n = params->n_load,
                            .item = params->load,
                            .thickness = {thickness, p->material},
                            .density = {p->density ? p->density : density, p->density ? NULL : p->material},
                            .axisymmetric = p->model == MODEL_AXISYMMETRIC,
                            .time = params->time,
                            .inertia = inertia,
                            .n_body = params->n_body,
                            .n_joint = params->n_joint,
                            .body = params->body,
                            .joint = params->joint};
  TRY_DONE(loads_create(&loads, out));
done:
  FREE(thickness);
  FREE(density);
  return status;
}

/* What contact alone holds has to touch its obstacle at the start. */
static Status check_held(const Elasticity *p) {
  const Status status = body_parts_check(&p->parts);
  if (status == OK || !p->contact.nodes.n) return status;
  return status_context(status, "contact holds a body only where it is closed at the start\n  remedy: an obstacle that "
                                "touches it then, a prescribed displacement in place of a force, or a weak 'spring'");
}

Status elasticity_make_contact(Elasticity *p, const ElasticityParams *params) {
  Status status = OK;
  double *thickness = NULL, *shear = NULL;
  if (!params->n_obstacle) return OK;
  TRY(thickness_of(p, &thickness));
  ALLOC_DONE(shear, p->n_material, "materials");
  for (int32_t m = 0; m < p->n_material; ++m) {
    double bulk = 0;
    const MaterialValues *material = &params->material[m];
    if (!material_mean_moduli(material->kind, material->value, &bulk, &shear[m])) shear[m] = 0;
  }
  status = contacts_create(p, params, thickness, shear);
done:
  FREE(thickness);
  FREE(shear);
  return status;
}

Status elasticity_make_held(Elasticity *p, const ElasticityParams *params) {
  bool again = false;
  FREE(p->contact_leave);
  TRY(elasticity_make_contact(p, params));
  TRY(elasticity_make_supports(p, params, &p->supports));
  if (p->contact.nodes.n) TRY(contacts_leave(p, params->equations, &again));
  if (!again) return OK;
  contact_release(&p->contact);
  supports_release(&p->supports);
  TRY(elasticity_make_contact(p, params));
  return elasticity_make_supports(p, params, &p->supports);
}

static Status find_parts(Elasticity *p, const ElasticityParams *params) {
  const Space *s = p->space;
  if (params->share) return params->parts.n ? body_parts_copy(&params->parts, s->mesh->n_node, &p->parts) : OK;
  TRY(body_parts_create(s->mesh, &s->set, &s->incidence, &p->supports, &p->loads, &p->parts));
  if (!params->allow_free_motion && !elasticity_joined(p)) { /* parts may hold each other */
    TRY(check_held(p));
    body_parts_warn(&p->parts);
  }
  const ScalarSource *heat = params->temperature;
  const bool heated = params->heated_by_cases ||
                      (heat && (heat->value != 0 || scalar_source_varies(heat)) && elasticity_expands(params));
  bool loaded = elasticity_has_load(p) || heated || p->contact.nodes.n || p->bolts;
  for (int32_t m = 0; m < params->n_material; ++m)
    loaded = loaded || params->material[m].active.point.form || params->material[m].initial;
  CHECK(loaded || !params->load_needed, ERR_INPUT,
        "%s: nothing acts on the body: there is no traction, pressure, force, gravity, heat or prescribed displacement "
        "other than 0, and this analysis needs one\n  remedy: a load in 'boundary' or 'body', or 'type: modal' without "
        "prestress, which needs none",
        params->load_needed);
  if (!params->no_load && !loaded)
    status_warn(
        "there is no load: no traction, pressure, force or gravity and no prescribed displacement other than 0, so "
        "all displacements will be 0");
  return OK;
}

/* An inverted element, which space_finish finds, is told before what else is wrong. */
static Status elasticity_constrain(Elasticity *p, const ElasticityParams *params) {
  Status status = elasticity_make_held(p, params);
  if (status == OK) status = contacts_check(p, params);
  if (status == OK) status = bolts_create(p, params);
  if (status == OK && !params->share) status = contacts_equations(p, params->equations);
  if (status == OK) status = elasticity_make_loads(p, params, NULL, &p->loads);
  for (int32_t k = 0; k < p->loads.n_spring; ++k) p->tethered |= p->loads.spring[k].between;
  if (status == OK) status = cavities_close(p, params);
  if (status == OK) {
    contacts_mark(p, true);
    status = find_parts(p, params);
    contacts_mark(p, false);
  }
  if (status != OK) TRY(space_check_elements(params->mesh, &p->space->set));
  return status;
}

Status elasticity_is_anywhere(const Elasticity *p, bool *here) {
  double any = *here;
  TRY(comm_most(p->space->exec->comm, &any));
  *here = any > 0;
  return OK;
}

/* Collective: dashpots, springs between nodes, followers and elements that are not linear may lie on one rank alone. */
static Status find_shared(Elasticity *p) {
  for (int32_t k = 0; k < p->loads.n_spring; ++k) p->viscous |= p->loads.spring[k].viscosity != NULL;
  p->viscous |= p->damping.there;
  p->followed = p->loads.n_follower > 0;
  TRY(elasticity_is_anywhere(p, &p->viscous));
  TRY(elasticity_is_anywhere(p, &p->tethered));
  TRY(elasticity_is_anywhere(p, &p->followed));
  return elasticity_is_anywhere(p, &p->points.nonlinear);
}

static Status elasticity_fill(Elasticity *p, Exec *exec, const ElasticityParams *params) {
  TRY(elasticity_check_params(params));
  for (int32_t m = 0; m < params->n_material; ++m) p->begins |= params->material[m].initial != NULL;
  TRY(space_create(exec, params->mesh, p->dim, p->dim, &p->space));
  TRY(copy_materials(p, params));
  TRY(elasticity_constrain(p, params));
  if (params->inspect_only) equations_settle(&p->equations);
  if (params->inspect_only) return points_create(exec, params, &p->space->set, &p->space->numbering, &p->points);
  TRY(damping_of_springs(&p->loads, params->damping));
  TRY(space_finish(p->space, p->loads.spring, p->loads.n_spring + p->loads.n_follower, params->node_rank,
                   params->share));
  TRY(upload_materials(p, params));
  TRY(images_create(p, params));
  TRY(points_create(exec, params, &p->space->set, &p->space->numbering, &p->points));
  TRY(damping_create(p, params));
  TRY(find_shared(p));
  TRY(tangents_make_room(exec, &p->space->set, false, &p->points));
  TRY(augmented_create(p, params));
  TRY(supports_upload(p->space, &p->supports));
  if (params->share) TRY(contacts_equations(p, params->equations)); /* behind the supports of the halo */
  TRY(loads_upload(p->space, &p->loads));
  if (params->temperature && !params->heat_in_steps) TRY(elasticity_thermal_load(p));
  TRY(equations_upload(p->space, &p->supports, &p->equations));
  if (elasticity_has_equations(p)) TRY(equations_pattern(p->space, &p->supports, &p->equations));
  TRY(contacts_upload(p));
  TRY(contacts_slide_create(p));
  TRY(equations_rigid(p->space, &p->equations));
  const bool turns = p->supports.n_frame || elasticity_has_equations(p); /* also by what nodes of the halo have */
  if (turns) EXEC_ALLOC(exec, p->work, p->space->n_read, "displacement in the global frame");
  if (turns && p->damping.there) EXEC_ALLOC(exec, p->damping.u, p->space->n_read, "displacement in the global frame");
  TRY(flow_create(p, params));
  TRY(followers_create(p, params->free_rim, params->small_first));
  const bool in_steps = params->finite || params->in_load_steps; /* what elasticity_force_scale needs */
  if (in_steps) EXEC_ALLOC(exec, p->balance, p->space->n_read, "forces at supports");
  if (in_steps) EXEC_ALLOC(exec, p->norm, 1, "norm of forces");
  if (p->loads.n_point) EXEC_ALLOC(exec, p->timed_load, p->space->n_dof, "forces that depend on time");
  if (p->begins) TRY(elasticity_size_inputs(p));
  return elasticity_load_at_time(p, params->time);
}

Status elasticity_create(Exec *exec, const ElasticityParams *params, Elasticity **out) {
  Elasticity *p = NULL;
  *out = NULL;
  ALLOC(p, 1, "elasticity");
  p->model = params->model;
  p->time = params->time;
  p->dim = elastic_model_dim(params->model);
  p->in_batches = params->in_batches;
  p->gap = 1;
  p->inspect_only = params->inspect_only;
  const Status status = elasticity_fill(p, exec, params);
  if (status != OK) elasticity_destroy(&p);
  *out = p;
  return status;
}

static void release_tables(Elasticity *p) {
  const Space *s = p->space;
  if (!s) return;
  for (int32_t m = 0; p->constants && m < p->n_material; ++m) {
    IonicProgram *program = &p->constants[m].active.program;
    exec_release(s->exec, program->n_step, sizeof *program->step, (void **)(uintptr_t)&program->step);
    exec_release(s->exec, program->n_constant, sizeof *program->constant, (void **)(uintptr_t)&program->constant);
  }
  EXEC_RELEASE(s->exec, p->exec_constants, p->n_material);
  points_release(s->exec, &s->set, &p->points);
  damping_release(p);
  images_release(p);
  EXEC_RELEASE(s->exec, p->chosen, p->n_chosen * (int64_t)p->n_material);
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) EXEC_RELEASE(s->exec, p->block_material[k], s->set.block[k].n);
  followers_release(p);
  EXEC_RELEASE(s->exec, p->timed_load, s->n_dof);
  EXEC_RELEASE(s->exec, p->work, s->n_read);
  EXEC_RELEASE(s->exec, p->flow, p->n_flow);
  EXEC_RELEASE(s->exec, p->before, s->n_read);
  EXEC_RELEASE(s->exec, p->modes_before, p->points.n_modes);
  EXEC_RELEASE(s->exec, p->balance, s->n_read);
  EXEC_RELEASE(s->exec, p->norm, 1);
}

void elasticity_destroy(Elasticity **elasticity) {
  Elasticity *p = *elasticity;
  if (!p) return;
  release_tables(p);
  contacts_release(p);
  contacts_slide_release(p);
  bolts_release(p);
  timed_release(p);
  equations_release(&p->equations);
  supports_release(&p->supports);
  loads_release(&p->loads);
  body_parts_release(&p->parts);
  FREE(p->constants);
  FREE(p->compliance);
  FREE(p->material);
  FREE(p->axes);
  FREE(p->strength);
  FREE(p->density);
  space_destroy(&p->space);
  FREE(*elasticity);
}

const Pattern *elasticity_pattern(const Elasticity *p) {
  return elasticity_has_equations(p) ? p->equations.pattern : p->space->pattern;
}
int64_t elasticity_unknowns(const Elasticity *p) {
  return p->supports.n_free - (equations_own(p->space, &p->equations) - p->equations.switches.n) - bolts_equations(p) +
         elasticity_bolts(p);
}
Status elasticity_unknowns_now(const Elasticity *p, int64_t *out) {
  const EquationSwitches *s = &p->equations.switches;
  double n = (double)(p->supports.n_free - (equations_own(p->space, &p->equations) - s->n) - contacts_closed(p));
  for (int32_t i = 0; i < s->n; ++i) n -= s->on[i];
  TRY(comm_total(p->space->exec->comm, &n));
  *out = (int64_t)n;
  return OK;
}
int64_t elasticity_dofs(const Elasticity *p) { return p->space->n_read; }
int64_t elasticity_rows(const Elasticity *p) { return p->space->n_dof; }
int32_t elasticity_node(const Elasticity *p, int64_t row) { return space_mesh_node(p->space, row); }
int32_t elasticity_order(const Elasticity *p) { return p->equations.shared ? 1 : space_order(p->space); }

bool elasticity_reduced(const Elasticity *p) {
  bool any = false;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) any |= p->space->set.block[k].type->load_degree > 0;
  return any;
}

int32_t elasticity_part_count(const Elasticity *p) { return p->parts.n; }
const BodyPart *elasticity_part(const Elasticity *p, int32_t i) { return &p->parts.item[i]; }
const int32_t *elasticity_part_of_node(const Elasticity *p) { return p->parts.of_node; }

bool elasticity_prescribed_varies(const Elasticity *p) {
  return p->supports.varies || elasticity_touches(p) || p->bolts || p->n_timed;
}
bool elasticity_load_varies(const Elasticity *p) { return p->loads.n_point > 0 || p->loads.follower_timed; }

Status elasticity_total_load(const Elasticity *p, double force[3]) {
  loads_total(&p->loads, p->space->n_node, force);
  return OK;
}

Status elasticity_total_load_at(Elasticity *p, double time, double force[3], bool *followed) {
  *followed = p->loads.n_follower > 0;
  if (p->loads.n_point) TRY(loads_evaluate(&p->loads, time));
  TRY(elasticity_total_load(p, force));
  for (int32_t g = 0; g < p->equations.n_rigid; ++g) TRY(rigid_group_force(&p->equations.rigid[g], time, force));
  return OK;
}

/* Where nodes have frames of their own, NULL: none does. */
const int32_t *elasticity_frames(const Elasticity *p) { return p->supports.n_frame ? p->supports.frame_of : NULL; }

Status elasticity_bind(Elasticity *p, const SlotMap *slots) {
  if (elasticity_has_equations(p)) {
    TRY(equations_bind(&p->equations, slots));
    slots = &p->equations.slots;
  }
  if (p->contact.nodes.n) return contacts_bind(p, slots);
  return space_bind(p->space, slots, &(PrescribedNodes){p->supports.fixed, elasticity_frames(p)}, p->in_batches);
}

void elasticity_release_gathers(Elasticity *p) { space_release_gathers(p->space); }

Status elasticity_order_transfers(const Elasticity *p, OrderTransfers *out) {
  TRY(space_order_transfers(p->space, elasticity_frames(p), p->supports.frame, out));
  if (!elasticity_has_equations(p) || out->n != 1) return OK;
  const Status status = equations_transfer(p->space, &p->supports, &p->equations, &out->level[0]);
  if (status != OK) order_transfers_release(out);
  return status;
}
