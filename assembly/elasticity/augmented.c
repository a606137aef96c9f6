/* The changes of volume that elements keep where the matrix has a part of the bulk modulus only (mean_element.h). */
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/mean.h"
#include "core/memory.h"
#include "physics/material.h"

/* Is there a material far from giving way in volume? One whose parameters vary may be. */
static bool wanted(const Elasticity *p, const ElasticityParams *params) {
  bool mean = false, stiff = false;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) mean |= p->points.mean_modes[k] && p->points.n_elem[k] > 0;
  for (int32_t m = 0; m < params->n_material; ++m)
    stiff |= params->material[m].n_varying > 0 ||
             material_bulk_ratio(params->material[m].kind, params->material[m].value) > MEAN_AUGMENTED;
  return params->augmented && params->finite && mean && stiff;
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
  TRY(exec_zero(exec, points->kept, (size_t)points->n_kept * sizeof(double)));
  return exec_zero(exec, points->accepted, (size_t)points->n_kept * sizeof(double));
}

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
    if (args.p.kept) TRY(exec_rows(p->space->exec, &mean_keep_kernel, &args, args.p.e.n_elem));
  }
  return OK;
}

static Status weigh(Elasticity *p, const double *u) {
  TRY(elasticity_global_frame(p, &u));
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const PointArgs args = block_args(p, k, u);
    if (args.kept) TRY(exec_rows(p->space->exec, &mean_weigh_kernel, &args, args.e.n_elem));
  }
  return OK;
}

Status elasticity_augment_start(Elasticity *p, const double *before, const double *last, double factor) {
  if (!p->points.augmented) return OK;
  TRY(weigh(p, before));
  TRY(keep(p, before, (MeanKeepArgs){.old = 0, .add = last ? 1 + factor : 1}));
  return last ? keep(p, last, (MeanKeepArgs){.old = 1, .add = -factor}) : OK;
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
