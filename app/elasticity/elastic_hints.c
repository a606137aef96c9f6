#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/elastic_system.h"
#include "assembly/elasticity/augmented.h"
#include "core/comm.h"
#include "core/memory.h"
#include "solver/precond/precond.h"

Status elastic_hints_create(Exec *exec, Elasticity *elasticity, const Mat *a, LinearParams *linear, ElasticHints *out) {
  Status status = OK;
  *out = (ElasticHints){0};
  linear->pattern = elasticity_pattern(elasticity);
  linear->has_modes = true;
  double order = elasticity_order(elasticity); /* of what is here */
  TRY(comm_most(exec->comm, &order));
  linear->order = (int32_t)order;
  if (elasticity_keeps_volume(elasticity)) elastic_prefer_hierarchy(elasticity, a, linear);
  const PrecondType *type = precond_named(linear_choice(exec, linear, a));
  if (!type || !(type->needs & PRECOND_NEAR_NULL)) return OK;
  TRY(elasticity_rigid_places(elasticity, &linear->places));
  if (linear->places.x && !(type->needs & PRECOND_ORDERS)) return OK;
  linear->n_near_null = elasticity_rigid_count(elasticity);
  ALLOC_DONE(out->motions, linear->n_near_null * elasticity_dofs(elasticity), "rigid motions");
  TRY_DONE(elasticity_rigid_motions(elasticity, out->motions));
  linear->near_null = out->motions;
  if (type->needs & PRECOND_ORDERS) TRY_DONE(elasticity_order_transfers(elasticity, &out->lower));
  linear->lower = out->lower.level;
  linear->n_lower = out->lower.n;
done:
  if (status != OK) elastic_hints_release(linear, out);
  return status;
}

void elastic_hints_release(LinearParams *linear, ElasticHints *hints) {
  linear->near_null = NULL;
  linear->places.x = NULL, linear->places.part = NULL;
  linear->lower = NULL;
  order_transfers_release(&hints->lower);
  FREE(hints->motions);
}
