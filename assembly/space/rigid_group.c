/* Rigid groups on the Exec. */
#include "assembly/space/rigid_group.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

#include <math.h>

static const char WHAT[] = "rigid groups";

int32_t rigid_slot(const RigidGroup *g, int32_t unknown) {
  int32_t j = 0;
  while (j < g->n_slot && g->slot[j] != unknown) ++j;
  return j < g->n_slot ? j : -1;
}

static int32_t solver_unknown(const Space *s, int32_t unknown) {
  const int32_t b = s->n_component;
  return numbering_rank(&s->numbering, unknown / b) * b + unknown % b;
}

static Status groups_of_solver(const Space *s, const RigidGroups *r, RigidGroup **out) {
  ALLOC(*out, r->n, WHAT);
  for (int32_t g = 0; g < r->n; ++g) {
    RigidGroup *group = *out + g;
    *group = r->item[g].group;
    group->small = group->small || r->small;
    for (int32_t j = 0; j < group->n_slot; ++j) group->slot[j] = solver_unknown(s, group->slot[j]);
  }
  return OK;
}

static Status groups_upload(const Space *s, RigidGroups *out) {
  RigidGroup *group = NULL;
  RigidPlace *place = NULL;
  Status status = OK;
  TRY_DONE(groups_of_solver(s, out, &group));
  ALLOC_DONE(place, out->n, WHAT);
  for (int32_t g = 0; g < out->n; ++g) out->loaded |= out->item[g].n_load > 0;
  TRY_DONE(exec_alloc_upload(s->exec, out->n, sizeof *group, group, WHAT, (void **)&out->group));
  TRY_DONE(exec_alloc_upload(s->exec, out->n, sizeof *place, place, WHAT, (void **)&out->place));
done:
  FREE(group);
  FREE(place);
  return status;
}

Status rigid_groups_renew(const Space *s, RigidGroups *r) {
  RigidGroup *group = NULL;
  if (!r->n) return OK;
  TRY(groups_of_solver(s, r, &group));
  const Status status = exec_upload(r->exec, r->group, group, (size_t)r->n * sizeof *group);
  FREE(group);
  return status;
}

static Status hubs_upload(const Space *s, RigidGroups *out) {
  RigidHub *hub = NULL;
  ALLOC(hub, out->n, WHAT);
  for (int32_t g = 0; g < out->n; ++g)
    for (int32_t h = 0; h < out->item[g].group.dim; ++h) {
      const int32_t node = out->item[g].hub[h];
      hub[g].first[h] = solver_unknown(s, node * s->n_component);
      for (int k = 0; k < 3; ++k) hub[g].x[h][k] = s->mesh->x[node][k];
    }
  const Status status = exec_alloc_upload(s->exec, out->n, sizeof *hub, hub, WHAT, (void **)&out->hub);
  FREE(hub);
  return status;
}

static Status rows_upload(const Space *s, const RigidRow *row, RigidGroups *out) {
  ALLOC(out->row_start, (int64_t)out->n + 1, WHAT);
  for (int32_t i = 0; i < out->n_row; ++i) out->row_start[row[i].group + 1] = i + 1;
  for (int32_t g = 0; g < out->n; ++g)
    if (out->row_start[g + 1] == 0) out->row_start[g + 1] = out->row_start[g];
  RigidRow *of_solver = NULL;
  ALLOC(of_solver, out->n_row, WHAT);
  for (int32_t i = 0; i < out->n_row; ++i)
    of_solver[i] = row[i], of_solver[i].unknown = solver_unknown(s, row[i].unknown);
  const Status status = exec_alloc_upload(s->exec, out->n_row, sizeof *row, of_solver, WHAT, (void **)&out->row);
  FREE(of_solver);
  return status;
}

Status rigid_groups_create(const Space *s, int32_t n, const RigidParams *item, int32_t n_row, const RigidRow *row,
                           int64_t n_term, const RigidTerm *term, RigidGroups *out) {
  *out = (RigidGroups){
      .n = n, .n_row = n_row, .n_term = n_term, .item = item, .exec = s->exec, .n_dof = s->n_dof, .n_read = s->n_read};
  TRY(groups_upload(s, out));
  TRY(rows_upload(s, row, out));
  TRY(exec_alloc_upload(s->exec, n_term, sizeof *term, term, WHAT, (void **)&out->term));
  ALLOC(out->acts, n, WHAT);
  EXEC_ALLOC(s->exec, out->exec_acts, n, WHAT);
  if (!out->loaded) return OK;
  EXEC_ALLOC(s->exec, out->external, out->n_read, "loads of rigid groups");
  EXEC_ALLOC(s->exec, out->rest, out->n_read, "loads of rigid groups");
  TRY(exec_zero(s->exec, out->rest, (size_t)out->n_read * sizeof *out->rest));
  return hubs_upload(s, out);
}

void rigid_groups_release(RigidGroups *r) {
  if (r->exec) {
    EXEC_RELEASE(r->exec, r->group, r->n);
    EXEC_RELEASE(r->exec, r->place, r->n);
    EXEC_RELEASE(r->exec, r->row, r->n_row);
    EXEC_RELEASE(r->exec, r->term, r->n_term);
    EXEC_RELEASE(r->exec, r->exec_acts, r->n);
    EXEC_RELEASE(r->exec, r->hub, r->n);
    EXEC_RELEASE(r->exec, r->external, r->n_read);
    EXEC_RELEASE(r->exec, r->rest, r->n_read);
    EXEC_RELEASE(r->exec, r->kept, r->n_read);
    EXEC_RELEASE(r->exec, r->pair, r->n_pair);
    EXEC_RELEASE(r->exec, r->bend, r->n);
  }
  FREE(r->acts);
  FREE(r->row_start);
  *r = (RigidGroups){0};
}

Status rigid_groups_pairs(const Space *s, const Pattern *pattern, RigidGroups *r) {
  const int32_t b = s->n_component;
  RigidPair *pair = NULL;
  Status status = OK;
  ALLOC_DONE(pair, (int64_t)r->n * RIGID_FREEDOMS * RIGID_FREEDOMS, WHAT);
  for (int32_t g = 0; g < r->n; ++g) {
    const RigidGroup *group = &r->item[g].group;
    if (!rigid_goes_along(group)) continue;
    for (int32_t i = 0; i < group->n_slot; ++i)
      for (int32_t j = 0; j < group->n_slot; ++j) {
        const int32_t x = solver_unknown(s, group->slot[i]), y = solver_unknown(s, group->slot[j]);
        if (x / b >= pattern->n) continue; /* the row of another rank */
        int64_t k = pattern->start[x / b];
        while (k < pattern->start[x / b + 1] && pattern->column[k] != y / b) ++k;
        if (k == pattern->start[x / b + 1]) {
          status = FAIL(ERR_BUG, "the matrix has no room for two displacements of a rigid group");
          goto done;
        }
        pair[r->n_pair++] = (RigidPair){g, i, j, k * b * b + x % b * b + y % b};
      }
  }
  TRY_DONE(exec_alloc_upload(s->exec, r->n_pair, sizeof *pair, pair, WHAT, (void **)&r->pair));
  status = exec_alloc(s->exec, r->n, sizeof *r->bend, WHAT, (void **)(void *)&r->bend);
done:
  FREE(pair);
  return status;
}

Status rigid_groups_set_small(const Space *s, bool small, RigidGroups *r) {
  if (!r->n || r->small == small) return OK;
  r->small = small;
  return rigid_groups_renew(s, r);
}

static Status groups_bend(const RigidGroups *r, const double *f) {
  for (int32_t g = 0; g < r->n; ++g) {
    const RigidGroup *group = &r->item[g].group;
    const int32_t parts =
        rigid_rotations_held(group) > 0 ? RIGID_BEND_PARTS : RIGID_BEND_PARTS - 1; /* moments count there alone */
    for (int32_t part = 0; part < parts && rigid_goes_along(group); ++part) {
      const int32_t first = r->row_start[g], n = r->row_start[g + 1] - first;
      const RigidBendArgs one = {n, g, part, r->group, r->place, r->row + first, f, r->bend};
      TRY(exec_rows(r->exec, &rigid_bend_kernel, &one, n + group->n_slot));
    }
  }
  return OK;
}

/* A rank that has a node of a group has all of it: sums are its own. */
Status rigid_groups_bend(const RigidGroups *r, const double *f, const int64_t *target, double *values) {
  if (r->small || !r->n) return OK;
  const RigidPairArgs args = {r->pair,      r->group, r->place, (const double(*)[RIGID_BENDS])r->bend,
                              r->exec_acts, target,   values};
  const SumParts *before = exec_sum_over(r->exec, NULL);
  const Status status = groups_bend(r, f);
  exec_sum_over(r->exec, before);
  return status == OK ? exec_rows(r->exec, &rigid_pair_kernel, &args, r->n_pair) : status;
}

static Status acts_find(const RigidParams *p, double time, RigidActs *out) {
  const double origin[3] = {0};
  *out = (RigidActs){0};
  for (int i = 0; i < 6; ++i) {
    out->value[i] = expr_value(&p->value[i], origin, time);
    for (int32_t l = 0; l < p->n_load; ++l)
      out->force[i] += p->load[l].force[i] * expr_value(&p->load[l].share, origin, time);
    CHECK(isfinite(out->value[i]) && isfinite(out->force[i]), ERR_INPUT,
          "%s: what acts on the rigid group is no finite number at time %g", p->where, time);
  }
  return OK;
}

Status rigid_group_force(const RigidParams *p, double time, double force[3]) {
  RigidActs acts;
  TRY(acts_find(p, time, &acts));
  for (int k = 0; k < 3; ++k) force[k] += acts.force[k];
  return OK;
}

Status rigid_groups_at_time(RigidGroups *r, double time, const double **external) {
  if (!r->n) return OK;
  for (int32_t g = 0; g < r->n; ++g) TRY(acts_find(&r->item[g], time, &r->acts[g]));
  TRY(exec_upload(r->exec, r->exec_acts, r->acts, (size_t)r->n * sizeof *r->acts));
  return external ? rigid_groups_load(r, external) : OK;
}

Status rigid_groups_load(RigidGroups *r, const double **external) {
  if (!r->loaded) return OK;
  r->base = r->rest;
  TRY(exec_copy(r->exec, r->rest, *external, (size_t)r->n_dof * sizeof *r->rest));
  TRY(exec_copy(r->exec, r->external, r->rest, (size_t)r->n_read * sizeof *r->rest));
  *external = r->external;
  return OK;
}

Status rigid_groups_bear(const RigidGroups *r, double *raw) {
  const RigidBearArgs args = {r->group, r->exec_acts, r->place, r->hub, raw};
  return r->loaded ? exec_rows(r->exec, &rigid_bear_kernel, &args, r->n) : OK;
}

Status rigid_groups_keep(RigidGroups *r) {
  r->keeps = true;
  if (!r->n || r->kept) return OK;
  EXEC_ALLOC(r->exec, r->kept, r->n_read, WHAT);
  return exec_zero(r->exec, r->kept, (size_t)r->n_read * sizeof *r->kept);
}

Status rigid_groups_take(const RigidGroups *r, const double *from, double *to) {
  const RigidTakeArgs args = {r->n_row, r->group, r->row, from, to};
  return r->n ? exec_rows(r->exec, &rigid_take_kernel, &args, r->n_row + r->n) : OK;
}

bool rigid_group_acts(const RigidParams *p) {
  bool any = false;
  for (int i = 0; i < 6; ++i) {
    any = any || expr_acts(&p->value[i]);
    for (int32_t l = 0; l < p->n_load; ++l) any = any || p->load[l].force[i] != 0;
  }
  return any;
}
