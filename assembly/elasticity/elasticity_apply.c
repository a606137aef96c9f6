/* Residual and tangent as sequences of row kernels; those that take no time may be recorded.
 * Bytes of one tangent (hex8, n elements): element matrices 2592 n written and read, entries 256 n, values once. */
#include "assembly/elasticity/bolts.h"
#include "assembly/elasticity/bubble.h"
#include "assembly/elasticity/cavity.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/point_kernels.h"
#include "assembly/elasticity/recovery.h"
#include "assembly/elasticity/timed.h"
#include "core/vec.h"

#include <math.h>

#define PICK stiffness
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK force
#include "assembly/space/pick_kernel.tmpl.h"

ElementArgs elasticity_block_args(const Elasticity *p, const SetBlock *b, int32_t k, int64_t first, const double *u) {
  const Space *s = p->space;
  return (ElementArgs){
      .n_elem = b->n,
      .n_q = s->block[k].stiffness.n_q,
      .nodes = s->block[k].nodes + first * b->node_e,
      .node_a = b->node_a,
      .node_e = b->node_e,
      .x = s->x,
      .dN = s->block[k].stiffness.dN,
      .weight = s->block[k].stiffness.weight,
      .material = p->block_material[k] + first,
      .constants = p->exec_constants,
      .K = s->K,
      .pair_first = b->pair_first,
      .pair_p = b->pair_p,
      .pair_e = b->pair_e,
      .block_step = s->block_step,
      .scalar_step = s->scalar_step,
      .u = u,
      .f = s->f,
      .force_first = b->force_first,
      .force_a = b->force_a,
      .force_e = b->force_e,
      .entry_step = s->entry_step,
      .component_step = s->component_step,
  };
}

ElementArgs elasticity_element_args(const Elasticity *p, int32_t k, const double *u) {
  return elasticity_block_args(p, &p->space->set.block[k], k, 0, u);
}

/* What the stress of the elements leaves at their nodes, to s->f; known: a recovery that has found it, or NULL. */
Status elasticity_element_forces(Elasticity *p, const double *u_global, const ElasticRecovery *known) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const ElementType *type = s->set.block[k].type;
    const ElementArgs args = elasticity_element_args(p, k, u_global);
    const bool bubbles = p->points.bubbles[k];
    PointArgs points = points_args(&p->points, k, 0, &args, s->block[k].stiffness.N);
    if (bubbles && known && !p->points.any_row) /* else the stress has a part of heat, which is a load here */
      points.stress = known->point + 6 * known->first_point[k], points.element = known->block[k].element;
    if (p->points.by_block[k] && !bubbles)
      TRY(exec_rows(s->exec, force_kernel(type->kind), &args, (int64_t)args.n_elem * force_chunks(type->n_node)));
    if (p->points.by_point[k] || bubbles) TRY(point_kernels_force(s->exec, type->kind, &points));
  }
  return OK;
}

Status elasticity_heated_forces(Elasticity *p, const double *u_global) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const ElementArgs element = elasticity_element_args(p, k, u_global);
    const PointArgs args = points_heated_args(&p->points, k, &element, s->block[k].stiffness.N);
    TRY(point_kernels_force(s->exec, s->set.block[k].type->kind, &args));
  }
  return OK;
}

Status elasticity_force_balance(Elasticity *p, const double *u_global, const ElasticRecovery *known, double *raw,
                                const uint8_t *fixed) {
  const Space *s = p->space;
  const double *external = p->external;
  TRY(space_need_forces(p->space));
  TRY(elasticity_element_forces(p, u_global, known));
  TRY(space_facet_forces(s, u_global, NULL));
  TRY(followers_force(p, u_global));
  TRY(lateral_force(p, u_global, &external));
  TRY(space_gather_forces(s, external, fixed, raw));
  return lids_force(p, -1, 1, u_global, NULL, fixed, raw);
}

Status elasticity_prescribed_at_time(Elasticity *p, double time, double *u) {
  TRY(supports_at_time(p->space, &p->supports, time, u));
  return contacts_begin(p, time, u);
}

Status elasticity_load_at_time(Elasticity *p, double time) {
  p->external = p->loads.n_point ? p->timed_load : p->loads.exec_force;
  TRY(followers_at_time(p, time));
  if (p->loads.n_point) TRY(loads_at_time(p->space, &p->loads, time, p->timed_load));
  p->applied = p->external;
  if (p->equations.groups.n) TRY(rigid_groups_at_time(&p->equations.groups, time, &p->external));
  bool turned;
  TRY(bolts_begin(p, time, &turned));
  timed_begin(p, time, &turned);
  if (turned) TRY(contacts_hold(p));
  return contacts_load(p);
}

Status elasticity_initial(Elasticity *p, double *u) {
  TRY(exec_zero(p->space->exec, u, (size_t)p->space->n_read * sizeof *u));
  return supports_at_time(p->space, &p->supports, p->time, u);
}

/* What unknowns of groups that turn are: by how far these have turned at u; by the factors that there are; as the vector says. */
typedef enum Turned { TURNED_BY_U, TURNED_ALONG, TURNED_SAID } Turned;

/* With so much of the gaps of equations. */
static Status to_global(Elasticity *p, double gap, Turned turned, const double **u) {
  TRY(space_bring_halo(p->space, *u));
  if (!p->supports.n_frame && !elasticity_has_equations(p)) return OK;
  TRY(exec_copy(p->space->exec, p->work, *u, (size_t)p->space->n_read * sizeof **u));
  *u = p->work;
  if (turned == TURNED_BY_U) TRY(equations_follow_turning(&p->equations, gap, p->work));
  else if (turned == TURNED_ALONG) TRY(equations_follow(&p->equations, gap, p->work));
  else TRY(equations_follow_others(&p->equations, gap, p->work));
  return supports_to_global(&p->supports, p->work);
}

Status elasticity_global_frame(Elasticity *p, const double **u) { return to_global(p, p->gap, TURNED_BY_U, u); }
Status elasticity_rate_frame(Elasticity *p, const double **v) { return to_global(p, 0, TURNED_ALONG, v); }
Status elasticity_motion_frame(Elasticity *p, bool rate, const double **v) {
  const Turned turned = rate ? TURNED_ALONG : TURNED_BY_U;
  return to_global(p, rate ? 0 : p->gap, p->equations.groups.kept ? TURNED_SAID : turned, v);
}

Status elasticity_residual(Elasticity *p, const double *u, double *r) {
  TRY(elasticity_global_frame(p, &u));
  TRY(elasticity_force_balance(p, u, NULL, r, p->supports.exec_fixed));
  return elasticity_reduce(p, r);
}

Status elasticity_load(Elasticity *p, double *r) {
  const Space *s = p->space;
  const MassFixedArgs fixed = {p->supports.exec_fixed, r, p->dim};
  TRY(exec_copy(s->exec, r, p->external, (size_t)s->n_dof * sizeof *r));
  TRY(exec_rows(s->exec, &mass_fixed_kernel, &fixed, s->n_dof / s->n_component));
  return elasticity_reduce(p, r);
}

Status elasticity_stress_forces(Elasticity *p, const double *u_global, const ElasticRecovery *known, double *r) {
  const Space *s = p->space;
  TRY(space_need_forces(p->space));
  TRY(exec_zero(s->exec, s->f, (size_t)(s->set.n_force * s->n_component) * sizeof *s->f)); /* of facets */
  TRY(p->points.any_row ? elasticity_heated_forces(p, u_global) : elasticity_element_forces(p, u_global, known));
  return space_gather_forces(s, NULL, NULL, r);
}

Status elasticity_internal_force(Elasticity *p, const double *u, double *r) {
  TRY(elasticity_global_frame(p, &u));
  return elasticity_stress_forces(p, u, NULL, r);
}

Status elasticity_moved(Elasticity *p, const double *u, double *out) {
  TRY(elasticity_global_frame(p, &u));
  return exec_copy(p->space->exec, out, u, (size_t)p->space->n_dof * sizeof *out);
}

Status elasticity_reduce(Elasticity *p, double *r) {
  TRY(supports_to_local(&p->supports, r));
  return equations_reduce(&p->equations, r);
}

Status elasticity_norm(const Elasticity *p, const double *v, double *out) {
  TRY(vec_norm(p->space->exec, p->space->n_dof, v, p->norm));
  return exec_download(p->space->exec, out, p->norm, sizeof *out);
}

Status elasticity_dot(const Elasticity *p, const double *x, const double *y, double *out) {
  TRY(vec_dot(p->space->exec, p->space->n_dof, x, y, p->norm));
  return exec_download(p->space->exec, out, p->norm, sizeof *out);
}

Status elasticity_size_inputs(Elasticity *p) {
  Exec *exec = p->space->exec;
  const int64_t n = p->space->n_read;
  double *at_rest = NULL;
  Status status = OK;
  if (!p->balance) return OK;
  TRY(space_need_forces(p->space));
  TRY_DONE(exec_alloc(exec, n, sizeof *at_rest, "displacement at rest", (void **)&at_rest));
  TRY_DONE(exec_zero(exec, at_rest, (size_t)n * sizeof *at_rest));
  TRY_DONE(elasticity_element_forces(p, at_rest, NULL));
  TRY_DONE(space_facet_forces(p->space, at_rest, NULL));
  TRY_DONE(followers_force(p, at_rest));
  TRY_DONE(space_gather_forces(p->space, NULL, NULL, p->balance));
  status = elasticity_norm(p, p->balance, &p->input_size);
done:
  EXEC_RELEASE(exec, at_rest, n);
  return status;
}

Status elasticity_force_scale(Elasticity *p, double *scale) {
  double external, balance, pressure = 0;
  CHECK(p->balance, ERR_BUG, "elasticity_force_scale without load steps");
  TRY(space_gather_forces(p->space, p->external, NULL, p->balance)); /* of the element forces that are there */
  TRY(elasticity_norm(p, p->external, &external));
  TRY(elasticity_norm(p, p->balance, &balance));
  if (p->followed) TRY(followers_size(p, p->balance));
  if (p->followed) TRY(elasticity_norm(p, p->balance, &pressure));
  *scale = external + balance + pressure + p->input_size;
  return OK;
}

Status elasticity_local_frame(Elasticity *p, double *v) { return supports_to_local(&p->supports, v); }
Status elasticity_local_frame_whole(Elasticity *p, double *v) { return supports_to_local_whole(&p->supports, v); }

Status elasticity_free_only(Elasticity *p, double *v) {
  const Space *s = p->space;
  const MassFixedArgs fixed = {p->supports.exec_fixed, v, p->dim};
  TRY(supports_to_global(&p->supports, v));
  TRY(exec_rows(s->exec, &mass_fixed_kernel, &fixed, s->n_dof / s->n_component));
  TRY(supports_to_local(&p->supports, v));
  return equations_clear(&p->equations, v);
}

Status elasticity_independent_only(Elasticity *p, double *v) { return equations_clear(&p->equations, v); }

bool elasticity_linear(const Elasticity *p) { return !p->points.nonlinear; }
void elasticity_set_step(Elasticity *p, double dt) { p->points.dt = dt; }
Status elasticity_set_strain(Elasticity *p, bool large) {
  p->points.finite = large;
  return rigid_groups_set_small(p->space, !large, &p->equations.groups);
}
void elasticity_set_kink(Elasticity *p, double width) { p->points.kink = width; }
Status elasticity_commit(Elasticity *p) {
  TRY(augmented_commit(p));
  timed_commit(p);
  TRY(contacts_commit(p));
  return point_state_commit(&p->points.state);
}
int64_t elasticity_state_bytes(const Elasticity *p) {
  return point_state_bytes(&p->points.state) + contacts_bytes(p) + bolts_bytes(p) + timed_bytes(p);
}
Status elasticity_state_save(const Elasticity *p, void *host) {
  PointBlock block[ELEMENT_SET_BLOCKS];
  points_blocks(&p->points, block);
  uint8_t *to = (uint8_t *)host + point_state_bytes(&p->points.state);
  if (elasticity_touches(p)) contacts_save(p, to);
  bolts_save(p, to + contacts_bytes(p));
  timed_save(p, to + contacts_bytes(p) + bolts_bytes(p));
  return point_state_save(&p->points.state, p->space, p->points.local, block, host);
}
Status elasticity_state_restore(Elasticity *p, const void *host) {
  PointBlock block[ELEMENT_SET_BLOCKS];
  points_blocks(&p->points, block);
  const uint8_t *from = (const uint8_t *)host + point_state_bytes(&p->points.state);
  bolts_restore(p, from + contacts_bytes(p));
  timed_restore(p, from + contacts_bytes(p) + bolts_bytes(p));
  TRY(contacts_restore(p, from));
  return point_state_restore(&p->points.state, p->space, p->points.local, block, host);
}
Status elasticity_check_answer(Elasticity *p) {
  return points_check_answer(p->space->exec, &p->points, p->space->mesh, &p->space->set, &p->space->numbering);
}

/* A tangent under way: SpaceMatrices. */
typedef struct ElasticityTangent {
  Elasticity *p;
  const double *u; /* global frame; NULL where the material is linear */
  bool pressed;    /* K has the matrices of elements already */
} ElasticityTangent;

static Status tangent_matrices(void *context, const SpaceBatch *batch) {
  const ElasticityTangent *t = context;
  Elasticity *p = t->p;
  const Space *s = p->space;
  for (int32_t k = 0; !t->pressed && k < s->set.n_solved_block; ++k) {
    const ElementType *type = s->set.block[k].type;
    const ElementArgs args = elasticity_block_args(p, &batch->set.block[k], k, batch->first[k], t->u);
    const PointArgs points = points_args(&p->points, k, batch->first[k], &args, s->block[k].stiffness.N);
    if (p->points.by_block[k]) /* linear: the same at every u */
      TRY(exec_rows(s->exec, stiffness_kernel(type->kind), &args,
                    (int64_t)args.n_elem * pair_chunks(type->n_node, p->dim)));
    if (p->points.by_point[k]) TRY(point_kernels_pairs(s->exec, type->kind, &points));
    if (p->points.bubbles[k]) TRY(bubbles_pairs(s->exec, &p->points, &points));
  }
  return followers_tangent(p, batch, t->u);
}

Status elasticity_spectrum_bound(Elasticity *p, bool blocks, double *bound) {
  CHECK(p->space->n_batch, ERR_BUG, "elasticity_spectrum_bound before elasticity_tangent");
  ElasticityTangent tangent = {p, p->tangent_at, false};
  if (elasticity_has_equations(p)) {
    *bound = (double)INFINITY; /* unknowns that depend may take part in many elements */
    return OK;
  }
  const bool there = p->space->K != NULL;
  TRY(space_need_matrices(p->space));
  const Status status = space_spectrum_bound(p->space,
                                             &(SpaceBoundParams){.blocks = blocks,
                                                                 .matrices = tangent_matrices,
                                                                 .context = &tangent,
                                                                 .facet = 1,
                                                                 .frame_of = elasticity_frames(p),
                                                                 .frame = p->supports.exec_frame},
                                             bound);
  if (!there) space_release_matrices(p->space);
  return status;
}

/* How moments on groups change as these turn, by the forces of the last residual; in motion inertia is much more than that. */
static Status turning_tangent(Elasticity *p, double *values) {
  const RigidGroups *g = &p->equations.groups;
  if (!p->equations.n_rigid_all || g->keeps || !p->balance) return OK;
  TRY(space_gather_forces(p->space, g->base ? g->base : p->external, NULL, p->balance));
  TRY(space_bring_halo(p->space, p->balance));
  return rigid_groups_bend(g, p->balance, p->equations.target, values);
}

static Status tangent_at(Elasticity *p, const double *u, bool pressed, double *values) {
  const Space *s = p->space;
  if (p->points.nonlinear) TRY(elasticity_global_frame(p, &u));
  p->tangent_at = u;
  double *K = elasticity_has_equations(p) ? p->equations.values : values;
  TRY(space_assemble(s, tangent_matrices, &(ElasticityTangent){p, u, pressed}, 1, K));
  TRY(space_eliminate(s, p->supports.exec_frame, 1, K));
  if (!elasticity_has_equations(p)) return OK;
  TRY(equations_reduce_matrix(&p->equations, 1, values));
  TRY(turning_tangent(p, values));
  return lateral_tangent(p, values);
}

Status elasticity_tangent(Elasticity *p, const double *u, double *values) { return tangent_at(p, u, false, values); }
Status elasticity_tangent_pressed(Elasticity *p, const double *u, double *values) {
  return tangent_at(p, u, p->space->n_batch == 1, values);
}

bool elasticity_is_viscous(const Elasticity *p) { return p->viscous; }

static Status viscous_matrices(void *context, const SpaceBatch *batch) {
  const ElasticityTangent *t = context;
  return damping_matrices(t->p, batch, t->u);
}

Status elasticity_viscous_matrix(Elasticity *p, const double *u, double *values) {
  double *C = elasticity_has_equations(p) ? p->equations.values : values;
  if (u && p->damping.there) TRY(elasticity_global_frame(p, &u));
  TRY(space_assemble_viscosity(p->space, p->damping.there ? viscous_matrices : NULL, &(ElasticityTangent){p, u, false},
                               C));
  TRY(space_eliminate(p->space, p->supports.exec_frame, 0, C));
  return elasticity_has_equations(p) ? equations_reduce_matrix(&p->equations, 0, values) : OK;
}

/* u goes out of the way of v, where both are turned in the same place. */
static Status viscous_place(Elasticity *p, const double **u) {
  if (!*u || !p->damping.there) return OK;
  TRY(elasticity_motion_frame(p, false, u));
  if (*u != p->work) return OK;
  TRY(exec_copy(p->space->exec, p->damping.u, *u, (size_t)p->space->n_read * sizeof **u));
  *u = p->damping.u;
  return OK;
}

static Status viscous_force(Elasticity *p, const double *u, const double *v, const uint8_t *fixed, double *r) {
  TRY(viscous_place(p, &u));
  TRY(elasticity_motion_frame(p, true, &v));
  TRY(space_need_forces(p->space));
  TRY(space_viscous_forces(p->space, v));
  if (p->damping.there) TRY(damping_forces(p, u, v));
  return space_gather_forces(p->space, NULL, fixed, r);
}

Status elasticity_viscous_force(Elasticity *p, const double *u, const double *v, double *r) {
  return viscous_force(p, u, v, NULL, r);
}

Status elasticity_viscous_residual(Elasticity *p, const double *u, const double *v, double *r) {
  TRY(viscous_force(p, u, v, p->supports.exec_fixed, r));
  return elasticity_reduce(p, r);
}
