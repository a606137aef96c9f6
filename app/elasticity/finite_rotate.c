/* Rigid groups that turn by any angle: their turn is found from displacements of a few of their nodes, which say it up to some 60 degrees
 * from a base. Between steps that base goes along, and where others say better how the group turns on from there, equations, matrix and
 * solver are made anew with these. docs/theory/finite-strain.md. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/turning.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Radians from the base beyond which slots are looked at, and beyond which it goes along. */
static const double NEAR = 0.1, FAR = 0.5;

static FiniteRun *own(const ElasticRun *w) { return w->own; }
static ElasticSetup *setup_of(const ElasticRun *w) { return elastic_setup(run_setup(w->run, &w->setup)); }

/* On any rank. */
static bool any_goes_along(const ElasticRun *w) {
  return setup_of(w)->equations.any_goes_along && elasticity_has_turning(w->elasticity) &&
         !elasticity_slides(w->elasticity);
}

/* Of a rotation, less I, that many products have made. */
static void make_orthonormal(double R[9]) {
  for (int k = 0; k < 9; k += 4) R[k] += 1;
  for (int k = 0; k < 2; ++k) {
    const double along = k ? vec3_dot(R + 3, R) : 0;
    for (int i = 0; i < 3; ++i) R[3 * k + i] -= along * R[i];
    (void)vec3_normalize(R + 3 * k);
  }
  vec3_cross(R, R + 3, R + 6);
  for (int k = 0; k < 9; k += 4) R[k] -= 1;
}

/* All that has the pattern, once slots are others. */
static Status make_again(ElasticRun *w) {
  TRY(finite_let_go(w));
  TRY(elasticity_rotate_again(w->elasticity, elastic_run_params(w)));
  TRY(finite_take_up(w));
  return elasticity_load_at_time(w->elasticity, w->run->report->time);
}

/* Bases of groups that have turned far, or that other slots say better; whether there are some, and whether they have these. */
static void bases_move(ElasticRun *w, RigidPlace *place, bool *moved, bool *others) {
  ElasticSetup *setup = setup_of(w);
  for (int32_t g = 0; g < setup->n_turning; ++g) {
    RigidParams *p = &setup->turning[g];
    const RigidGroup before = p->group;
    const double way = vec3_distance(place[g].vector, before.from);
    if (!rigid_goes_along(&before) || !(way > NEAR)) continue;
    make_orthonormal(place[g].rotation);
    rigid_base(&p->group, place[g].rotation, place[g].vector);
    if (rigid_choose_slots(run_mesh(w->run), p)) {
      rigid_bind_slots(run_mesh(w->run), &before, p, setup->equation, setup->term);
      *others = true;
    } else if (way < FAR) {
      p->group = before;
      continue;
    }
    *moved = true;
  }
}

Status finite_rotate(ElasticRun *w) {
  FiniteRun *o = own(w);
  double *vector[STEPPER_KEPT];
  bool moved = false, others = false;
  RigidPlace *place = NULL;
  const Case *c = w->run->c;
  if (!any_goes_along(w) || (case_small_first(c) && case_small_at(c, w->run->report->time))) return OK;
  (void)stepper_vectors(w->stepper, vector);
  ALLOC(place, setup_of(w)->n_turning, "rigid groups");
  Status status = elasticity_rotated_places(w->elasticity, w->run->report->time, vector[0], place);
  if (status == OK) bases_move(w, place, &moved, &others);
  FREE(place);
  TRY(status);
  TRY(ranks_any(w->run, moved, &moved));
  TRY(ranks_any(w->run, others, &others));
  TRY(exec_copy(w->run->device.exec, w->u, vector[0], (size_t)w->n * sizeof *w->u));
  o->loaded = (double)NAN;
  o->renewals += others;
  if (others) return make_again(w);
  if (moved) TRY(elasticity_rotate_renew(w->elasticity));
  /* a run that goes on has no other solver than that of its first step, and no other levels */
  if (!o->renewals && !(elastic_has(w->run->c, HAS_INERTIA) && finite_has_levels(w))) return OK;
  TRY(finite_solver_let_go(w));
  return finite_solver_take_up(w);
}

/* What a checkpoint keeps of a group; slots by nodes of the whole mesh. */
typedef struct RotationKept {
  int64_t renewals, here;
  int32_t slot[RIGID_FREEDOMS], component[RIGID_FREEDOMS];
  double x[RIGID_FREEDOMS][3], base[9], from[3];
} RotationKept;

static int32_t n_kept(const ElasticRun *w) { return any_goes_along(w) ? setup_of(w)->equations.n_rigid_all : 0; }
int64_t finite_rotate_bytes(const ElasticRun *w) { return n_kept(w) * (int64_t)sizeof(RotationKept); }

/* The unknown of the whole mesh that one of this rank's is, and back. */
static int32_t whole_unknown(const ElasticRun *w, int32_t dim, int32_t unknown) {
  return w->run->share ? w->run->share->local.node[unknown / dim] * dim + unknown % dim : unknown;
}
static int32_t own_unknown(const ElasticRun *w, int32_t dim, int32_t unknown) {
  if (!w->run->share) return unknown;
  const LocalMesh *local = &w->run->share->local;
  return (int32_t)ascending_find(local->mesh->n_node, local->node, unknown / dim) * dim + unknown % dim;
}

static void kept_fill(const ElasticRun *w, RotationKept *all) {
  for (int32_t g = 0; g < setup_of(w)->n_turning; ++g) {
    const RigidParams *p = &setup_of(w)->turning[g];
    const RigidGroup *group = &p->group;
    RotationKept *kept = &all[p->number];
    kept->renewals = own(w)->renewals, kept->here = 1;
    memcpy(kept->slot, group->slot, sizeof kept->slot);
    for (int32_t j = 0; j < group->n_slot; ++j) kept->slot[j] = whole_unknown(w, group->dim, group->slot[j]);
    memcpy(kept->component, group->component, sizeof kept->component);
    memcpy(kept->x, group->x, sizeof kept->x);
    memcpy(kept->base, group->base, sizeof kept->base);
    memcpy(kept->from, group->from, sizeof kept->from);
  }
}

/* Of each group from the first rank that has it. */
Status finite_rotate_save(const ElasticRun *w, void *host) {
  const int32_t n = n_kept(w), n_rank = comm_size(w->run->params->comm);
  const int64_t bytes = finite_rotate_bytes(w);
  RotationKept *own_groups = NULL, *all = NULL;
  Status status = OK;
  if (!n) return OK;
  ALLOC_DONE(own_groups, n, "rigid groups");
  ALLOC_DONE(all, (int64_t)n * n_rank, "rigid groups");
  kept_fill(w, own_groups);
  TRY_DONE(comm_gather(w->run->params->comm, own_groups, bytes, all));
  for (int32_t g = 0; g < n && run_is_root(w->run); ++g) {
    int32_t r = 0;
    while (r + 1 < n_rank && !all[(int64_t)r * n + g].here) ++r;
    memcpy((char *)host + elasticity_state_bytes(w->elasticity) + (size_t)g * sizeof *all, &all[(int64_t)r * n + g],
           sizeof *all);
  }
done:
  FREE(own_groups);
  FREE(all);
  return status;
}

Status finite_rotate_back(ElasticRun *w, const void *host) {
  ElasticSetup *setup = setup_of(w);
  bool others = false;
  if (!finite_rotate_bytes(w)) return OK;
  const char *from = (const char *)host + elasticity_state_bytes(w->elasticity);
  for (int32_t g = 0; g < setup->n_turning; ++g) {
    RigidParams *p = &setup->turning[g];
    const RigidGroup before = p->group;
    RotationKept kept;
    memcpy(&kept, from + (size_t)p->number * sizeof kept, sizeof kept);
    memcpy(p->group.slot, kept.slot, sizeof kept.slot);
    for (int32_t j = 0; j < p->group.n_slot; ++j) p->group.slot[j] = own_unknown(w, p->group.dim, kept.slot[j]);
    memcpy(p->group.component, kept.component, sizeof kept.component);
    memcpy(p->group.x, kept.x, sizeof kept.x);
    memcpy(p->group.base, kept.base, sizeof kept.base);
    memcpy(p->group.from, kept.from, sizeof kept.from);
    if (!rigid_goes_along(&before)) continue;
    others = others || memcmp(before.slot, p->group.slot, sizeof before.slot) != 0;
    rigid_bind_slots(run_mesh(w->run), &before, p, setup->equation, setup->term);
  }
  RotationKept first;
  memcpy(&first, from, sizeof first);
  own(w)->renewals = first.renewals;
  own(w)->loaded = (double)NAN;
  TRY(ranks_any(w->run, others, &others));
  return others ? make_again(w) : elasticity_rotate_renew(w->elasticity);
}
