/* What a solution gives. All of it is computed on the Exec, in the mesh's order, into the room of one snapshot, of which
 * the host gets what was asked for: displacement and reactions here, stresses and energies in recover_stress.c. */
#include "assembly/elasticity/recovery.h"
#include "core/memory.h"

Status recovery_alloc(ElasticRecovery *r, int64_t n, size_t size, const char *what, void **out) {
  CHECK(r->n_array < RECOVERY_ARRAYS, ERR_BUG, "more than %d arrays for recovery", RECOVERY_ARRAYS);
  TRY(exec_alloc(r->exec, n, size, what, out));
  r->array[r->n_array++] = (RecoveryArray){*out, n * (int64_t)size};
  return OK;
}

Status recovery_upload(ElasticRecovery *r, int64_t n, size_t size, const void *from, const char *what, void **out) {
  TRY(recovery_alloc(r, n, size, what, out));
  return exec_upload(r->exec, *out, from, (size_t)n * size);
}

static void recovery_release(ElasticRecovery **recovery) {
  ElasticRecovery *r = *recovery;
  if (!r) return;
  exec_snapshot_destroy(&r->snapshot);
  while (r->n_array > 0) {
    RecoveryArray *array = &r->array[--r->n_array];
    exec_release(r->exec, array->bytes, 1, &array->p);
  }
  FREE(*recovery);
}

int64_t recovery_numbers(const Elasticity *p, const ElasticRecovery *r, int32_t k) {
  const FieldType *f = &elastic_field[k];
  const int32_t width = elastic_is_states(k) ? p->n_chosen : f->width;
  return width * (f->where == WHERE_POINTS     ? r->n_point
                  : f->where == WHERE_ELEMENTS ? p->space->set.n_solved
                                               : (int64_t)p->space->n_node);
}

/* The snapshot: fields that were asked for, then the totals. */
static Status snapshot_fill(const Elasticity *p, FieldBits which, ElasticRecovery *r) {
  int64_t n = RECOVERY_TOTALS;
  FOR_ELASTIC_FIELDS(k) n += which >> k & 1 ? recovery_numbers(p, r, k) : 0;
  r->bytes = (size_t)n * sizeof(double);
  TRY(exec_snapshot_create(r->exec, r->bytes, "result fields", &r->snapshot));
  double *room = exec_snapshot_room(r->snapshot), *host = r->snapshot->host;
  int64_t at = 0;
  FOR_ELASTIC_FIELDS(k) {
    if (!(which >> k & 1)) continue;
    r->field[k] = room + at, r->host[k] = host + at;
    at += recovery_numbers(p, r, k);
  }
  r->totals = room + at, r->host_totals = host + at;
  return p->space->n_dof < p->space->n_read ? exec_zero(r->exec, room, r->bytes) : OK; /* the halo stays so */
}

static Status recovery_create(const Elasticity *p, FieldBits which, bool stays, ElasticFields *out) {
  const Numbering *numbering = &p->space->numbering;
  ElasticRecovery *r = NULL;
  ALLOC(r, 1, "recovery of stress");
  out->own = r;
  r->exec = p->space->exec;
  r->which = which;
  r->unstressed = stays && which == FIELD_DISPLACEMENT;
  out->error = -1;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    r->first_point[k] = r->n_point;
    r->n_point += (int64_t)p->space->set.block[k].n * p->space->block[k].stiffness.n_q;
  }
  TRY(snapshot_fill(p, which, r));
  if (numbering->rank)
    TRY(recovery_upload(r, p->space->n_node, sizeof *r->to, numbering->node, "numbering of the nodes",
                        (void **)&r->to));
  if (which & (FIELD_REACTION | FIELD_INTERNAL_FORCE))
    TRY(recovery_alloc(r, p->space->n_read, sizeof *r->raw, "unbalanced forces", (void **)&r->raw));
  if (!r->unstressed) TRY(recovery_stress_create(p, r));
  FOR_ELASTIC_FIELDS(k) elastic_field_put(out, k, r->host[k]);
  out->material = p->material;
  return which & FIELD_POINTS ? recovery_point_start(p, out) : OK;
}

/* At supports f_int - f_ext in the directions that are held, with what equations hand on; elsewhere 0; springs added. */
static Status recover_reaction(Elasticity *p, const ElasticRecovery *r, const double *u) {
  const Space *s = p->space;
  double *out = r->field[ELASTIC_REACTION];
  const int32_t follower = s->set.n_solved_block + p->loads.n_spring;
  TRY(space_need_forces(p->space));
  const RecoverReactionArgs args = {.gather = {.start = s->nodes.start,
                                               .entry = s->nodes.entry,
                                               .node = s->nodes.node,
                                               .f = s->f,
                                               .entry_step = s->entry_step,
                                               .component_step = s->component_step},
                                    .n_entry = recovery_entries(s),
                                    .end_entry = p->loads.n_follower ? (uint32_t)s->set.block[follower].force_first
                                                                     : GATHER_NONE,
                                    .dim = p->dim,
                                    .to = r->to,
                                    .fixed = p->equations.n ? p->equations.bears : p->supports.exec_fixed,
                                    .raw = r->raw,
                                    .out = out};
  const RecoverFrameArgs frames = {{p->supports.exec_frame_node, p->supports.exec_frame,
                                    p->equations.n ? p->equations.frame_bears : p->supports.exec_frame_fixed, NULL,
                                    r->raw, p->dim},
                                   r->to,
                                   out};
  TRY(elasticity_force_balance(p, u, r, r->raw, NULL));
  TRY(rigid_groups_bear(&p->equations.groups, r->raw));
  TRY(equations_bear_now(s, &p->supports, p->n_timed, &p->equations));
  if (elasticity_has_equations(p)) TRY(equations_pass(&p->equations, &p->supports, r->raw));
  TRY(exec_rows(s->exec, &recover_reaction_kernel, &args, s->nodes.n_row));
  return exec_rows(s->exec, &recover_frames_kernel, &frames, p->supports.n_own_frame);
}

/* How many numbers of each field at nodes are not finite. */
static Status count_not_finite(const Elasticity *p, const ElasticRecovery *r) {
  FOR_ELASTIC_FIELDS(k) {
    const RecoverTotalArgs args = {r->field[k], r->totals + RECOVERY_NOT_FINITE + k};
    if (!r->field[k] || !field_at_nodes(&elastic_field[k])) continue;
    TRY(exec_rows(r->exec, &recover_not_finite_kernel, &args, recovery_numbers(p, r, k)));
  }
  return OK;
}

/* Of the numbers of all nodes; out may be NULL. */
static Status recover_vector(const Elasticity *p, const ElasticRecovery *r, double factor, const double *v,
                             double *out) {
  const RecoverVectorArgs args = {p->dim, factor, r->to, v, out};
  return out ? exec_rows(r->exec, &recover_displacement_kernel, &args, p->space->n_node) : OK;
}

static Status recover_fields(Elasticity *p, const double *u, ElasticFields *out) {
  ElasticRecovery *r = out->own;
  TRY(r->unstressed ? elasticity_motion_frame(p, false, &u) : elasticity_global_frame(p, &u)); /* rates too */
  TRY(recover_vector(p, r, 1, u, r->field[ELASTIC_DISPLACEMENT]));
  if (r->unstressed) return OK;
  TRY(recover_stress(p, r, u));
  if (r->field[ELASTIC_REACTION]) TRY(recover_reaction(p, r, u));
  if (r->field[ELASTIC_INTERNAL_FORCE]) TRY(elasticity_stress_forces(p, u, r, r->raw));
  TRY(recover_vector(p, r, -1, r->raw, r->field[ELASTIC_INTERNAL_FORCE]));
  TRY(contacts_recover(p, r, u));
  TRY(recover_states(p, r, u));
  TRY(stress_error_find(p, r));
  return count_not_finite(p, r);
}

/* Sums are of this rank: over elements and over all nodes that are here. */
Status elasticity_recover_here(Elasticity *p, const double *u, ElasticFields *out) {
  const SumParts *over = exec_sum_over(p->space->exec, NULL);
  p->over = over;
  const Status status = recover_fields(p, u, out);
  p->over = NULL;
  exec_sum_over(p->space->exec, over);
  return status;
}

Status elastic_fields_send(ElasticFields *fields) {
  return exec_snapshot_send(fields->own->snapshot, fields->own->bytes);
}

Status elasticity_recover_again(Elasticity *p, const double *u, ElasticFields *out) {
  TRY(elasticity_recover_here(p, u, out));
  return elastic_fields_send(out);
}

Status elasticity_recover_begin(Elasticity *p, const double *u, FieldBits which, ElasticFields *out) {
  *out = (ElasticFields){0};
  Status status = recovery_create(p, which, true, out);
  if (status == OK) status = elasticity_recover_here(p, u, out);
  if (status != OK) elastic_fields_release(out);
  return status;
}

Status elastic_fields_take(const Elasticity *p, const ElasticFields *fields, int32_t field, double *room) {
  const ElasticRecovery *r = fields->own;
  const int32_t k = elastic_field[field].of;
  CHECK(r->field[k], ERR_BUG, "%s was not recovered", elastic_field[field].word);
  return exec_copy(r->exec, room, r->field[k], (size_t)recovery_numbers(p, r, k) * sizeof *room);
}

Status elasticity_recover_start(Elasticity *p, const double *u, FieldBits which, ElasticFields *out) {
  *out = (ElasticFields){0};
  if (which & FIELD_STRESS_ERROR) which |= FIELD_STRESS;
  Status status = recovery_create(p, which, false, out);
  if (status == OK) status = stress_error_create(p, out->own);
  if (status == OK) status = elasticity_recover_again(p, u, out);
  if (status != OK) elastic_fields_release(out);
  return status;
}

Status elastic_fields_wait(const Elasticity *p, ElasticFields *out) {
  const void *host;
  ElasticRecovery *r = out->own;
  TRY(exec_snapshot_wait(r->snapshot, &host));
  out->energy = r->host_totals[RECOVERY_ENERGY];
  out->finite = true;
  FOR_ELASTIC_FIELDS(k)
  if (r->field[k] && field_at_nodes(&elastic_field[k])) out->finite &= r->host_totals[RECOVERY_NOT_FINITE + k] == 0;
  TRY(stress_error_fetch(p, r, out));
  return recovery_others(p, r, out);
}

Status elastic_fields_find_other(const Elasticity *p, ElasticFields *fields) {
  return recovery_others(p, fields->own, fields);
}

Status elasticity_recover(Elasticity *p, const double *u, FieldBits which, ElasticFields *out) {
  TRY(elasticity_recover_start(p, u, which, out));
  const Status status = elastic_fields_wait(p, out);
  if (status != OK) elastic_fields_release(out);
  return status;
}

void elastic_fields_release(ElasticFields *f) {
  recovery_release(&f->own);
  FREE(f->point_start);
  FREE(f->other);
  FREE(f->error_share);
  FREE(f->error_square);
  *f = (ElasticFields){0};
}

int64_t elastic_fields_other(const ElasticFields *f, int32_t node, int32_t material) {
  int64_t low = 0, high = f->n_other;
  while (low < high) {
    const int64_t at = low + (high - low) / 2;
    const OtherStress *o = &f->other[at];
    if (o->node < node || (o->node == node && o->material < material)) low = at + 1;
    else high = at;
  }
  const bool found = low < f->n_other && f->other[low].node == node && f->other[low].material == material;
  return found ? low : -1;
}
