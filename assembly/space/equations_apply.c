/* Linear equations on the Exec. */
#include "assembly/space/equation_says.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

static int32_t solver_unknown(const Space *s, int32_t unknown) {
  const int32_t b = s->n_component;
  return numbering_rank(&s->numbering, unknown / b) * b + unknown % b;
}

/* Host lists of EquationRows. */
typedef struct Lists {
  int32_t n;
  int64_t n_term;
  int32_t *row, *column; /* owned, as all */
  int64_t *start;
  double *factor;
} Lists;

static void lists_release(Lists *l) {
  FREE(l->row);
  FREE(l->column);
  FREE(l->start);
  FREE(l->factor);
}

static Status lists_upload(Exec *exec, const Lists *l, EquationRows *out) {
  static const char what[] = "constraints";
  TRY(exec_alloc_upload(exec, l->n, sizeof *l->row, l->row, what, (void **)&out->row));
  TRY(exec_alloc_upload(exec, l->n + 1, sizeof *l->start, l->start, what, (void **)&out->start));
  TRY(exec_alloc_upload(exec, l->n_term, sizeof *l->column, l->column, what, (void **)&out->column));
  return exec_alloc_upload(exec, l->n_term, sizeof *l->factor, l->factor, what, (void **)&out->factor);
}

static Status follow_lists(const Space *s, const Equations *e, Lists *out) {
  out->n = e->n, out->n_term = e->start[e->n];
  ALLOC(out->row, out->n, "constraints");
  ALLOC(out->start, (int64_t)out->n + 1, "constraints");
  ALLOC(out->column, out->n_term, "constraints");
  ALLOC(out->factor, out->n_term, "constraints");
  for (int32_t i = 0; i < e->n; ++i) out->row[i] = solver_unknown(s, e->row[i]), out->start[i + 1] = e->start[i + 1];
  for (int64_t k = 0; k < out->n_term; ++k)
    out->column[k] = solver_unknown(s, e->column[k]), out->factor[k] = e->factor[k];
  return OK;
}

/* What unknowns get of the forces on those that depend on them by these factors, in `follow` those that are 0 left out; *place,
 * unless NULL: where terms of follow have gone. */
static Status gather_lists(const Space *s, const Lists *follow, Lists *out, int64_t **place) {
  const int64_t n_unknown = s->n_read;
  Status status = OK;
  int32_t *number = NULL; /* 1 + row of the list */
  ALLOC_DONE(number, n_unknown, "constraints");
  if (place) ALLOC_DONE(*place, follow->n_term, "constraints");
  for (int64_t k = 0; k < follow->n_term; ++k) {
    if (follow->factor[k] == 0) continue;
    if (!number[follow->column[k]]) number[follow->column[k]] = ++out->n;
    ++out->n_term;
  }
  ALLOC_DONE(out->row, out->n, "constraints");
  ALLOC_DONE(out->start, (int64_t)out->n + 2, "constraints");
  ALLOC_DONE(out->column, out->n_term, "constraints");
  ALLOC_DONE(out->factor, out->n_term, "constraints");
  for (int64_t k = 0; k < follow->n_term; ++k) {
    if (follow->factor[k] == 0) continue;
    out->row[number[follow->column[k]] - 1] = follow->column[k];
    ++out->start[number[follow->column[k]] + 1];
  }
  for (int32_t r = 0; r < out->n; ++r) out->start[r + 2] += out->start[r + 1];
  for (int32_t i = 0; i < follow->n; ++i)
    for (int64_t k = follow->start[i]; k < follow->start[i + 1]; ++k) {
      const int32_t at = number[follow->column[k]];
      if (place) (*place)[k] = -1;
      if (follow->factor[k] == 0) continue;
      const int64_t to = out->start[at]++;
      if (place) (*place)[k] = to;
      out->column[to] = follow->row[i], out->factor[to] = follow->factor[k];
    }
done:
  FREE(number);
  return status;
}

Status equations_hand_on(const Space *s, const double *factor, Equations *e) {
  Lists follow = {0}, pass = {0};
  Status status = OK;
  TRY_DONE(follow_lists(s, e, &follow));
  for (int64_t k = 0; k < follow.n_term; ++k) follow.factor[k] = factor[k];
  TRY_DONE(gather_lists(s, &follow, &pass, equations_vary(e) ? &e->pass_at : NULL));
  e->n_pass = pass.n, e->n_pass_term = pass.n_term;
  TRY_DONE(lists_upload(s->exec, &pass, &e->pass));
  e->pass.keep = 1;
done:
  lists_release(&follow);
  lists_release(&pass);
  return status;
}

/* Prescribed unknowns have no rows. */
static void drop_fixed(const Supports *s, const Equations *e, Lists *follow) {
  const int32_t b = e->n_component;
  for (int64_t k = 0; k < follow->n_term; ++k)
    if (s->fixed[e->column[k] / b] >> (e->column[k] % b) & 1) follow->factor[k] = 0;
}

int64_t equations_own(const Space *s, const Equations *e) {
  int64_t n = 0;
  for (int32_t i = 0; i < e->n; ++i) n += solver_unknown(s, e->row[i]) < s->n_dof;
  return n;
}

/* Own unknowns that depend. */
static Status clear_upload(const Space *s, Equations *e) {
  static const char what[] = "constraints";
  Status status = OK;
  int64_t *none = NULL;
  int32_t *row = NULL;
  e->n_clear = (int32_t)equations_own(s, e);
  ALLOC_DONE(row, e->n_clear, what);
  ALLOC_DONE(none, (int64_t)e->n_clear + 1, what);
  for (int32_t i = 0, k = 0; i < e->n; ++i)
    if (solver_unknown(s, e->row[i]) < s->n_dof) row[k++] = solver_unknown(s, e->row[i]);
  TRY_DONE(exec_alloc_upload(s->exec, e->n_clear, sizeof *row, row, what, (void **)&e->clear.row));
  status = exec_alloc_upload(s->exec, e->n_clear + 1, sizeof *none, none, what, (void **)&e->clear.start);
done:
  FREE(none);
  FREE(row);
  return status;
}

static Status reach_create(const Space *s, Equations *e) {
  e->halo = e->shared ? s->pattern->share.halo : NULL;
  e->n_own = s->n_dof, e->n_read = s->n_read;
  return e->halo ? exec_alloc(s->exec, e->n_read, sizeof *e->reach, "forces of constraints", (void **)&e->reach) : OK;
}

Status equations_upload(const Space *s, const Supports *supports, Equations *e) {
  Lists follow = {0}, gather = {0};
  Status status = OK;
  if (!e->n && !e->shared) return OK;
  e->exec = s->exec;
  TRY_DONE(reach_create(s, e));
  TRY_DONE(follow_lists(s, e, &follow));
  TRY_DONE(lists_upload(s->exec, &follow, &e->follow));
  drop_fixed(supports, e, &follow);
  TRY_DONE(gather_lists(s, &follow, &gather, equations_vary(e) ? &e->gather_at : NULL));
  e->n_gather = gather.n, e->n_follow_term = follow.n_term, e->n_gather_term = gather.n_term;
  TRY_DONE(lists_upload(s->exec, &gather, &e->gather));
  TRY_DONE(exec_alloc_upload(s->exec, e->n, sizeof *e->gap, e->gap, "constraints", (void **)&e->follow.gap));
  TRY_DONE(clear_upload(s, e));
  e->gather.keep = 1;
  TRY_DONE(equations_bear(s, supports, e));
done:
  lists_release(&follow);
  lists_release(&gather);
  return status;
}

static void rows_release(Exec *exec, EquationRows *r, int32_t n, int64_t n_term) {
  EXEC_RELEASE(exec, r->row, n);
  EXEC_RELEASE(exec, r->gap, n);
  EXEC_RELEASE(exec, r->start, n + 1);
  EXEC_RELEASE(exec, r->column, n_term);
  EXEC_RELEASE(exec, r->factor, n_term);
}

Status equations_rigid(const Space *s, Equations *e) {
  RigidRow *row = NULL;
  RigidTerm *term = NULL;
  Status status = OK;
  int32_t *at = NULL, n_row = 0; /* the next row of each group */
  int64_t n_term = 0;
  TRY(bent_upload(s, e));
  if (!e->n_rigid) return OK;
  ALLOC_DONE(row, e->n, "rigid groups");
  ALLOC_DONE(term, e->start[e->n], "rigid groups");
  ALLOC_DONE(at, (int64_t)e->n_rigid + 1, "rigid groups");
  for (int32_t i = 0; i < e->n; ++i)
    if (e->rigid_of[i] >= 0) ++at[e->rigid_of[i] + 1], ++n_row;
  for (int32_t g = 0; g < e->n_rigid; ++g) at[g + 1] += at[g];
  for (int32_t i = 0; i < e->n; ++i) {
    const int32_t g = e->rigid_of[i], node = e->row[i] / e->n_component;
    const double *x = s->mesh->x[node];
    if (g < 0) continue;
    for (int64_t k = e->start[i]; k < e->start[i + 1]; ++k)
      term[n_term++] = (RigidTerm){
          at[g], rigid_slot(&e->rigid[g].group, e->column[k]), k, e->gather_at[k], e->pass_at[k], e->weight_at[k]};
    row[at[g]++] = (RigidRow){g, e->row[i] % e->n_component, e->row[i], {x[0], x[1], x[2]}};
  }
  TRY_DONE(rigid_groups_create(s, e->n_rigid, e->rigid, n_row, row, n_term, term, &e->groups));
  status = rigid_groups_pairs(s, e->pattern, &e->groups);
done:
  FREE(row);
  FREE(term);
  FREE(at);
  return status;
}

void equations_release(Equations *e) {
  const int64_t n_entry = e->pattern ? e->pattern->n_entry : 0, square = (int64_t)e->n_component * e->n_component;
  if (e->exec) {
    EXEC_RELEASE(e->exec, e->reach, e->n_read);
    rows_release(e->exec, &e->follow, e->n, e->n_follow_term);
    rows_release(e->exec, &e->gather, e->n_gather, e->n_gather_term);
    rows_release(e->exec, &e->clear, e->n_clear, 0);
    rows_release(e->exec, &e->pass, e->n_pass, e->n_pass_term);
    EXEC_RELEASE(e->exec, e->bears, e->n_node);
    EXEC_RELEASE(e->exec, e->frame_bears, e->n_frame);
    EXEC_RELEASE(e->exec, e->frame_free, e->n_frame);
    EXEC_RELEASE(e->exec, e->values, e->slots.n_value);
    EXEC_RELEASE(e->exec, e->half.start, e->n_half + 1);
    EXEC_RELEASE(e->exec, e->half.piece, e->n_half_piece);
    EXEC_RELEASE(e->exec, e->half.values, e->n_half * square);
    EXEC_RELEASE(e->exec, e->blocks.start, n_entry + 1);
    EXEC_RELEASE(e->exec, e->blocks.piece, e->n_piece);
    EXEC_RELEASE(e->exec, e->blocks.diagonal, n_entry);
    EXEC_RELEASE(e->exec, e->blocks.weight, e->n_weight);
    EXEC_RELEASE(e->exec, e->target, n_entry * square);
  }
  switches_release(e->exec, &e->switches);
  FREE(e->switch_of);
  slot_map_release(&e->slots);
  pattern_destroy(&e->pattern);
  rigid_groups_release(&e->groups);
  bent_release(&e->bents);
  FREE(e->bent_of);
  FREE(e->rigid_of);
  FREE(e->held);
  FREE(e->gather_at);
  FREE(e->pass_at);
  FREE(e->weight_at);
  FREE(e->row);
  FREE(e->gap);
  FREE(e->start);
  FREE(e->column);
  FREE(e->factor);
  *e = (Equations){0};
}

Status equations_bind(Equations *e, const SlotMap *slots) {
  const Pattern *p = e->pattern;
  const int64_t n = p->n_entry * p->block * p->block;
  MatrixLoan loan = {0};
  Status status = OK;
  EXEC_RELEASE(e->exec, e->target, n);
  TRY(exec_alloc(e->exec, n, sizeof *e->target, "slots of the matrix", (void **)&e->target));
  TRY_DONE(matrix_lend(e->exec, p, slots, &loan));
  const EquationTargets args = {p->block, loan.start, loan.slots, e->target};
  TRY_DONE(exec_rows(e->exec, &equation_target_kernel, &args, p->n));
  TRY_DONE(exec_sync(e->exec));
  if (!e->values)
    status = exec_alloc(e->exec, e->slots.n_value, sizeof *e->values, "stiffness matrix without constraints",
                        (void **)&e->values);
done:
  matrix_loan_end(e->exec, &loan);
  return status;
}

Status equations_reduce_matrix(const Equations *e, double diagonal, double *values) {
  EquationHalf half = e->half;
  EquationBlocks args = e->blocks;
  half.from = e->values;
  TRY(exec_rows(e->exec, &equation_half_kernel, &half, e->n_half));
  args.target = e->target;
  args.from = e->values;
  args.values = values;
  args.unit = diagonal;
  return exec_rows(e->exec, &equation_block_kernel, &args, e->pattern->n_entry);
}

Status equations_follow(const Equations *e, double gap, double *u) {
  EquationRows args = e->follow;
  args.scale = gap, args.whole = gap != 0, args.v = u;
  if (gap == 0 && equations_say_any(e)) args.off = e->switches.off + e->n;
  return e->n ? exec_rows(e->exec, &equation_row_kernel, &args, e->n) : OK;
}

Status equations_follow_switched(const Equations *e, double *u) {
  EquationRows args = e->follow;
  args.scale = 0, args.whole = 1, args.v = u;
  return e->n ? exec_rows(e->exec, &equation_row_kernel, &args, e->n) : OK;
}

/* Unknowns of conditions that bend, and their factors there; what depends linearly comes between the two. */
static BentArgs bent_args(const Equations *e, double gap, double *u) {
  return (BentArgs){e->bents.row,     e->bents.node,  e->bents.term,   gap, u, e->follow.factor,
                    e->gather.factor, e->pass.factor, e->blocks.weight};
}

Status equations_follow_turning(const Equations *e, double gap, double *u) {
  const BentEquations *bents = &e->bents;
  const BentArgs bent = bent_args(e, gap, u);
  const RigidGroups *g = &e->groups;
  const RigidArgs args = {.group = g->group,
                          .acts = g->exec_acts,
                          .place = g->place,
                          .row = g->row,
                          .term = g->term,
                          .u = u,
                          .follow = e->follow.factor,
                          .gather = e->gather.factor,
                          .pass = e->pass.factor,
                          .weight = e->blocks.weight,
                          .base = g->base,
                          .external = g->external};
  if (g->n) TRY(exec_rows(e->exec, &rigid_motion_kernel, &args, g->n));
  if (g->n) TRY(exec_rows(e->exec, &rigid_factor_kernel, &args, g->n_term));
  if (bents->n) TRY(exec_rows(e->exec, &bent_row_kernel, &bent, bents->n));
  if (bents->n) TRY(exec_rows(e->exec, &bent_factor_kernel, &bent, bents->n_term));
  TRY(equations_follow(e, gap, u));
  if (bents->n) TRY(exec_rows(e->exec, &bent_row_kernel, &bent, bents->n));
  return g->n ? exec_rows(e->exec, &rigid_row_kernel, &args, g->n_row) : OK;
}

/* Forces on unknowns of other ranks' nodes that depend on own ones come from there. */
static Status reduce_shared(const Equations *e, double *r) {
  const size_t bytes = (size_t)e->n_own * sizeof *r;
  EquationRows gather = e->gather;
  TRY(exec_copy(e->exec, e->reach, r, bytes));
  TRY(exec_exchange(e->exec, e->halo, e->reach, (size_t)e->n_component * sizeof *r));
  gather.v = e->reach;
  TRY(exec_rows(e->exec, &equation_row_kernel, &gather, e->n_gather));
  return exec_copy(e->exec, r, e->reach, bytes);
}

Status equations_reduce(const Equations *e, double *r) {
  EquationRows gather = e->gather;
  if (!e->n && !e->halo) return OK;
  gather.v = r;
  TRY(e->halo ? reduce_shared(e, r) : exec_rows(e->exec, &equation_row_kernel, &gather, e->n_gather));
  return equations_clear(e, r);
}

Status equations_follow_others(const Equations *e, double gap, double *v) {
  if (e->groups.kept) TRY(rigid_groups_take(&e->groups, v, e->groups.kept));
  TRY(equations_follow(e, gap, v));
  return e->groups.kept ? rigid_groups_take(&e->groups, e->groups.kept, v) : OK;
}

Status equations_reduce_others(const Equations *e, double *r) {
  if (e->groups.kept) TRY(rigid_groups_take(&e->groups, r, e->groups.kept));
  TRY(equations_reduce(e, r));
  return e->groups.kept ? rigid_groups_take(&e->groups, e->groups.kept, r) : OK;
}

Status equations_clear(const Equations *e, double *v) {
  EquationRows clear = e->clear;
  clear.v = v;
  return e->n ? exec_rows(e->exec, &equation_row_kernel, &clear, e->n_clear) : OK;
}
