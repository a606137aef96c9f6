/* The changes of volume that elements keep where the matrix has a part of the bulk modulus only (mean_element.h). */
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/mean.h"
#include "core/memory.h"
#include "physics/material.h"

/* Pressure and shape have nothing to do with each other then: whatever part of c there is, the matrix stays definite. */
static bool all_isotropic(const ElasticityParams *params) {
  bool all = true;
  for (int32_t m = 0; m < params->n_material; ++m) all &= material_type(params->material[m].kind)->constants != NULL;
  return all;
}

double elasticity_bulk_ratio(const MaterialValues *m) {
  double value[MATERIAL_NUMBERS];
  for (int i = 0; i < MATERIAL_NUMBERS; ++i) value[i] = m->value[i];
  for (int32_t i = 0; i < m->n_varying; ++i) {
    if (m->varying[i].parameter == material_parameter(m->kind, "poisson")) return 0;
    value[m->varying[i].parameter] = 1;
  }
  return material_bulk_ratio(m->kind, value);
}

/* Is there a material far enough from giving way in volume? One whose parameters vary may be. */
static bool wanted(const Elasticity *p, const ElasticityParams *params) {
  bool mean = false, stiff = false;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) mean |= p->points.mean_modes[k] && p->points.n_elem[k] > 0;
  for (int32_t m = 0; m < params->n_material; ++m) {
    const MaterialValues *of = &params->material[m];
    if (params->finite) stiff |= of->n_varying > 0 || material_bulk_ratio(of->kind, of->value) > MEAN_AUGMENTED;
    else stiff |= elasticity_bulk_ratio(of) > MEAN_AUGMENTED_LINEAR;
  }
  return params->augmented && mean && stiff && (params->finite || all_isotropic(params));
}

/* Of an element of block k. */
static int64_t couple_size(const ElasticityPoints *points, int32_t k) {
  return (int64_t)points->mean_modes[k] * (points->n_node[k] * points->dim[k] + points->mean_modes[k]);
}

/* Where the c of the block begin behind its q. */
static int64_t couple_c(const ElasticityPoints *points, int32_t k) {
  return (int64_t)points->mean_modes[k] * points->n_node[k] * points->dim[k] * points->n_elem[k];
}

static Status couple_create(Elasticity *p) {
  ElasticityPoints *points = &p->points;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    points->first_couple[k] = points->n_couple;
    points->n_couple += couple_size(points, k) * points->n_elem[k];
  }
  EXEC_ALLOC(p->space->exec, points->couple, points->n_couple, "changes of volume that the matrix lacks");
  return exec_zero(p->space->exec, points->couple, (size_t)points->n_couple * sizeof(double));
}

static Status left_create(Elasticity *p) {
  ElasticityPoints *points = &p->points;
  Exec *exec = p->space->exec;
  EXEC_ALLOC(exec, points->lag, points->n_kept, "changes of volume of elements");
  points->n_rest = p->space->n_read;
  EXEC_ALLOC(exec, points->rest, points->n_rest, "no displacement");
  return exec_zero(exec, points->rest, (size_t)points->n_rest * sizeof(double));
}

Status augmented_create(Elasticity *p, const ElasticityParams *params) {
  ElasticityPoints *points = &p->points;
  Exec *exec = p->space->exec;
  points->augmented = wanted(p, params);
  TRY(elasticity_is_anywhere(p, &points->augmented));
  for (int32_t k = 0; points->augmented && k < p->space->set.n_solved_block; ++k) {
    points->first_kept[k] = points->n_kept;
    points->n_kept += points->mean_modes[k] * points->n_elem[k];
  }
  if (!points->n_kept) return OK;
  EXEC_ALLOC(exec, points->kept, points->n_kept, "changes of volume of elements");
  EXEC_ALLOC(exec, points->accepted, points->n_kept, "changes of volume of elements");
  EXEC_ALLOC(exec, points->share, p->space->set.n_solved, "parts of the bulk moduli of elements");
  TRY(exec_zero(exec, points->share, (size_t)p->space->set.n_solved * sizeof(double)));
  TRY(exec_zero(exec, points->kept, (size_t)points->n_kept * sizeof(double)));
  TRY(couple_create(p));
  if (points->finite) TRY(left_create(p));
  return exec_zero(exec, points->accepted, (size_t)points->n_kept * sizeof(double));
}

bool elasticity_keeps_volume(const Elasticity *p) { return p->bulk_ratio > MEAN_FROM; }
double elasticity_largest_bulk_ratio(const Elasticity *p) { return p->bulk_ratio; }
bool elasticity_is_augmented(const Elasticity *p) { return p->points.augmented; }
double *elasticity_kept(const Elasticity *p, int64_t *n) {
  *n = p->points.n_kept;
  return p->points.kept;
}

/* Of solved block k at u, in the global frame; kept NULL: it keeps nothing. */
static PointArgs block_args(const Elasticity *p, int32_t k, const double *u) {
  const ElementArgs element = elasticity_element_args(p, k, u);
  return points_args(&p->points, k, 0, &element, p->space->block[k].stiffness.N);
}

static Status keep(Elasticity *p, const double *u, MeanKeepArgs args) {
  TRY(elasticity_global_frame(p, &u));
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    args.p = block_args(p, k, u);
    if (!args.p.kept) continue;
    TRY(mean_heads(p->space->exec, &args.p));
    TRY(exec_rows(p->space->exec, &mean_keep_kernel, &args, args.p.e.n_elem));
  }
  return OK;
}

static Status weigh(Elasticity *p, const double *u) {
  TRY(elasticity_global_frame(p, &u));
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const PointArgs args = block_args(p, k, u);
    if (!args.kept) continue;
    TRY(mean_heads(p->space->exec, &args));
    TRY(exec_rows(p->space->exec, &mean_weigh_kernel, &args, args.e.n_elem));
  }
  return OK;
}

Status elasticity_augment_start(Elasticity *p, int n, const double *const *at, const double *weight) {
  if (!p->points.augmented) return OK;
  TRY(weigh(p, at[0]));
  for (int k = 0; k < n; ++k) TRY(keep(p, at[k], (MeanKeepArgs){.old = k > 0, .add = weight[k]}));
  return OK;
}

Status elasticity_augment(Elasticity *p, const double *u) {
  return p->points.augmented ? keep(p, u, (MeanKeepArgs){.by_share = true}) : OK;
}

static Status copy(const Elasticity *p, double *to, const double *from) {
  const ElasticityPoints *points = &p->points;
  return points->n_kept ? exec_copy(p->space->exec, to, from, (size_t)points->n_kept * sizeof *to) : OK;
}
Status augmented_commit(Elasticity *p) { return copy(p, p->points.accepted, p->points.kept); }
Status elasticity_augment_back(Elasticity *p) { return copy(p, p->points.kept, p->points.accepted); }

/* u in the global frame. */
static Status couple(Elasticity *p, const double *u) {
  const ElasticityPoints *points = &p->points;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    double *q = points->couple + points->first_couple[k];
    const MeanCoupleArgs args = {block_args(p, k, u), q, q + couple_c(points, k)};
    if (!args.p.kept) continue;
    TRY(mean_heads(p->space->exec, &args.p));
    TRY(exec_rows(p->space->exec, &mean_couple_kernel, &args, args.p.e.n_elem));
  }
  return OK;
}

Status elasticity_augment_linear(Elasticity *p, const double *u) {
  if (!p->points.augmented) return OK;
  TRY(weigh(p, u));
  TRY(elasticity_global_frame(p, &u));
  return couple(p, u);
}

Status elasticity_augment_couple(Elasticity *p, const double *u, double *lag) {
  double *kept = p->points.kept;
  const double *at = u;
  if (!p->points.augmented) return OK;
  TRY(elasticity_global_frame(p, &at));
  TRY(couple(p, at));
  TRY(copy(p, lag, kept));
  p->points.kept = lag; /* as if it were what elements keep */
  const Status status = keep(p, u, (MeanKeepArgs){.old = 1, .add = -1});
  p->points.kept = kept;
  return status;
}

Status elasticity_augment_end(Elasticity *p) {
  p->points.augmented = false;
  return OK;
}

Status elasticity_augment_eliminate(Elasticity *p, const double *u, double *kept, bool everywhere, double *change) {
  const ElasticityPoints *points = &p->points;
  const Space *s = p->space;
  if (!points->augmented) return exec_zero(s->exec, change, (size_t)s->n_dof * sizeof *change);
  TRY(points->finite ? elasticity_rate_frame(p, &u) : elasticity_global_frame(p, &u));
  TRY(space_need_forces(p->space));
  TRY(exec_zero(s->exec, s->f, (size_t)(s->set.n_force * s->n_component) * sizeof *s->f)); /* of all else */
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    double *q = points->couple + points->first_couple[k];
    const PointArgs args = block_args(p, k, u);
    const MeanTurnArgs turn = {args.e,     args.n_node,
                               args.dim,   args.mean_modes,
                               q,          q + couple_c(points, k),
                               args.share, kept + points->first_kept[k]};
    if (args.kept) TRY(exec_rows(s->exec, &mean_turn_kernel, &turn, args.e.n_elem));
  }
  TRY(space_gather_forces(s, NULL, everywhere ? NULL : p->supports.exec_fixed, change));
  if (everywhere) return OK;
  TRY(supports_to_local(&p->supports, change));
  return equations_reduce(&p->equations, change);
}

Status elasticity_augment_left(Elasticity *p, const double *u, double *left) {
  const ElasticityPoints *points = &p->points;
  *left = 0;
  if (!points->augmented) return OK;
  CHECK(p->balance, ERR_BUG, "elasticity_augment_left under small strains");
  TRY(elasticity_augment_couple(p, u, points->lag));
  TRY(elasticity_augment_eliminate(p, points->rest, points->lag, true, p->balance));
  return elasticity_norm(p, p->balance, left);
}
