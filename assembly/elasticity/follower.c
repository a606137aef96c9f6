/* Pressure that follows its facets: blocks of facets behind the springs', and what is on the Exec for them. */
#include "assembly/elasticity/cavity.h"
#include "assembly/elasticity/following.h"
#include "core/memory.h"

/* Of follower k. */
static const SpringBlock *block_of(const Elasticity *p, int32_t k) { return &p->loads.spring[p->loads.n_spring + k]; }
static int64_t point_count(const SpringBlock *b) { return (int64_t)b->n * b->n_q; }

Status followers_create(Elasticity *p, bool free_rim, bool small_first) {
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const SpringBlock *b = block_of(p, k);
    CHECK(b->type->n_node <= FOLLOWER_NODES, ERR_BUG, "facets of %d nodes under pressure", b->type->n_node);
    EXEC_ALLOC(p->space->exec, p->pressure[k], point_count(b), "pressure on facets");
    if (free_rim && !p->n_cavity) EXEC_ALLOC(p->space->exec, p->pushed[k], point_count(b), "pressure on facets");
  }
  if (free_rim) EXEC_ALLOC(p->space->exec, p->bent, p->space->n_read, "where a tangent is");
  if (small_first && p->followed) {
    EXEC_ALLOC(p->space->exec, p->still, p->space->n_read, "the body as it was");
    TRY(exec_zero(p->space->exec, p->still, (size_t)p->space->n_read * sizeof *p->still));
  }
  return cavities_create(p);
}

void followers_release(Elasticity *p) {
  EXEC_RELEASE(p->space->exec, p->bent, p->space->n_read);
  EXEC_RELEASE(p->space->exec, p->still, p->space->n_read);
  cavities_release(p);
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    EXEC_RELEASE(p->space->exec, p->pressure[k], point_count(block_of(p, k)));
    EXEC_RELEASE(p->space->exec, p->pushed[k], point_count(block_of(p, k)));
  }
}

void elasticity_follow_all(Elasticity *p) {
  for (int32_t k = 0; k < p->loads.n_follower; ++k)
    EXEC_RELEASE(p->space->exec, p->pushed[k], point_count(block_of(p, k)));
}

/* Without what pulls. */
static Status upload_pushed(const Elasticity *p, int32_t k, double *pressure) {
  const SpringBlock *b = block_of(p, k);
  const int64_t n = point_count(b);
  if (!p->pushed[k]) return OK;
  for (int64_t i = 0; i < n; ++i)
    if (pressure[i] * b->point[i].factor < 0) pressure[i] = 0;
  return exec_upload(p->space->exec, p->pushed[k], pressure, (size_t)n * sizeof *pressure);
}

Status followers_at_time(Elasticity *p, double time) {
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const int64_t n = point_count(block_of(p, k));
    double *host = NULL;
    ALLOC(host, n, "pressure on facets");
    Status status = loads_follow(&p->loads, k, time, host);
    double *to = p->n_cavity ? p->known_pressure[k] : p->pressure[k];
    if (status == OK) status = exec_upload(p->space->exec, to, host, (size_t)n * sizeof *host);
    if (status == OK) status = upload_pushed(p, k, host);
    FREE(host);
    TRY(status);
  }
  return cavities_press(p);
}

FollowerArgs follower_args(const Elasticity *p, const SetBlock *b, int32_t k, int64_t first, const double *u) {
  const Space *s = p->space;
  const SpaceBlock *tables = &s->block[s->set.n_solved_block + p->loads.n_spring + k];
  return (FollowerArgs){.n_elem = b->n,
                        .n_q = tables->mass.n_q,
                        .n_node = b->type->n_node,
                        .dim = p->dim,
                        .axisymmetric = p->model == MODEL_AXISYMMETRIC,
                        .nodes = tables->nodes + first * b->node_e,
                        .node_a = b->node_a,
                        .node_e = b->node_e,
                        .x = s->x,
                        .u = u,
                        .N = tables->mass.N,
                        .dN = tables->mass.dN,
                        .pressure = p->pressure[k] + first * tables->mass.n_q,
                        .K = s->K,
                        .f = s->f,
                        .pair_first = b->pair_first,
                        .pair_p = b->pair_p,
                        .pair_e = b->pair_e,
                        .block_step = s->block_step,
                        .scalar_step = s->scalar_step,
                        .force_first = b->force_first,
                        .force_a = b->force_a,
                        .force_e = b->force_e,
                        .entry_step = s->entry_step,
                        .component_step = s->component_step};
}

Status followers_force(const Elasticity *p, const double *u) {
  const Space *s = p->space;
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const SetBlock *b = &s->set.block[s->set.n_solved_block + p->loads.n_spring + k];
    const FollowerArgs args = follower_args(p, b, k, 0, p->points.finite ? u : p->still);
    TRY(exec_rows(s->exec, &follower_force_kernel, &args, b->n));
  }
  return OK;
}

Status followers_tangent(const Elasticity *p, const SpaceBatch *batch, const double *u) {
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const int32_t at = p->space->set.n_solved_block + p->loads.n_spring + k;
    const SetBlock *b = &batch->set.block[at];
    FollowerArgs args = follower_args(p, b, k, batch->first[at], u);
    if (!p->points.finite) args.pressure = NULL; /* the body stays where it is */
    else if (p->pushed[k]) args.pressure = p->pushed[k] + batch->first[at] * p->space->block[at].mass.n_q;
    TRY(exec_rows(p->space->exec, &follower_pairs_kernel, &args, (int64_t)b->n * b->type->n_node));
  }
  return OK;
}

Status followers_size(const Elasticity *p, double *out) {
  const Space *s = p->space;
  const int32_t first = s->set.n_solved_block + p->loads.n_spring;
  const FollowerSizeArgs args = {.gather = space_node_gather(s, out),
                                 .first_entry =
                                     p->loads.n_follower ? (uint32_t)s->set.block[first].force_first : GATHER_NONE,
                                 .dim = p->dim};
  return exec_rows(s->exec, &follower_size_kernel, &args, s->nodes.n_row);
}

Status followers_gather_all(const Elasticity *p, double *out) {
  const Space *s = p->space;
  const int32_t first = s->set.n_solved_block + p->loads.n_spring;
  TRY(exec_zero(s->exec, out, (size_t)s->n_dof * sizeof *out));
  const FollowerGatherArgs args = {.gather = space_node_gather(s, out),
                                   .first_entry =
                                       p->loads.n_follower ? (uint32_t)s->set.block[first].force_first : GATHER_NONE,
                                   .dim = p->dim};
  return exec_rows(s->exec, &follower_gather_kernel, &args, s->nodes.n_row);
}

Status followers_gather(Elasticity *p, double *out) {
  const Space *s = p->space;
  const MassFixedArgs fixed = {p->supports.exec_fixed, out, p->dim};
  TRY(followers_gather_all(p, out));
  return exec_rows(s->exec, &mass_fixed_kernel, &fixed, s->n_dof / s->n_component);
}

Status elasticity_beyond_at(Elasticity *p, const double *u) {
  TRY(elasticity_global_frame(p, &u));
  return exec_copy(p->space->exec, p->bent, u, (size_t)p->space->n_read * sizeof *u);
}

Status elasticity_beyond(Elasticity *p, const double *x, double *change) {
  const Space *s = p->space;
  if (!p->points.finite) return exec_zero(s->exec, change, (size_t)s->n_dof * sizeof *change);
  TRY(elasticity_rate_frame(p, &x));
  TRY(space_need_forces(p->space));
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const SetBlock *b = &s->set.block[s->set.n_solved_block + p->loads.n_spring + k];
    const FollowerBeyondArgs args = {follower_args(p, b, k, 0, p->bent), p->pushed[k] ? p->pushed[k] : p->pressure[k],
                                     x};
    TRY(exec_rows(s->exec, &follower_beyond_kernel, &args, b->n));
  }
  TRY(followers_gather(p, change));
  TRY(lids_force(p, -1, 1, p->bent, x, p->supports.exec_fixed, change));
  return elasticity_reduce(p, change);
}
