/* Dashpots, and materials that resist strain rates, in steps without inertia: velocities are differences over the step, as backward Euler takes them. */
#include "app/electromechanics/pump.h"
#include "core/memory.h"
#include "core/vec.h"

Status pump_dashpots_begin(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  PumpRun *o = pump_own(w);
  if (!elasticity_is_viscous(w->elasticity)) return OK;
  EXEC_ALLOC(exec, o->before, w->n, "displacement before a step");
  EXEC_ALLOC(exec, o->velocity, w->n, "velocities of dashpots");
  EXEC_ALLOC(exec, o->force, w->n, "forces of dashpots");
  TRY(exec_zero(exec, o->velocity, (size_t)w->n * sizeof(double)));
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &o->C));
  return elasticity_viscous_matrix(w->elasticity, NULL, mat_values(o->C));
}

void pump_dashpots_release(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  PumpRun *o = pump_own(w);
  mat_destroy(&o->C);
  if (!exec) return;
  EXEC_RELEASE(exec, o->before, w->n);
  EXEC_RELEASE(exec, o->velocity, w->n);
  EXEC_RELEASE(exec, o->force, w->n);
}

static Status find_velocity(ElasticRun *w, double dt, const double *u) {
  Exec *exec = w->run->device.exec;
  PumpRun *o = pump_own(w);
  const int64_t n = elasticity_rows(w->elasticity);
  TRY(exec_zero(exec, o->velocity, (size_t)n * sizeof(double)));
  TRY(vec_axpy(exec, n, 1 / dt, u, o->velocity));
  return vec_axpy(exec, n, -1 / dt, o->before, o->velocity);
}

/* C is that of the body as it was, where nothing but dashpots is in it. */
static const double *place_of(const ElasticRun *w, const double *u) {
  return elasticity_viscosity_varies(w->elasticity) ? u : NULL;
}

static Status viscous_force(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  ElasticRun *w = context;
  PumpRun *o = pump_own(w);
  TRY(o->base.force(context, stage, u, r, slope));
  TRY(find_velocity(w, stage->dt, u));
  TRY(elasticity_viscous_residual(w->elasticity, place_of(w, u), o->velocity, o->force));
  return vec_axpy(w->run->device.exec, elasticity_rows(w->elasticity), 1, o->force, r);
}

static Status viscous_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  ElasticRun *w = context;
  PumpRun *o = pump_own(w);
  double *values = mat_values(a);
  Stage base = *stage;
  base.again &= !elasticity_viscosity_varies(w->elasticity); /* whose matrices lie where those of the tangent did */
  TRY(o->base.tangent(context, &base, u, a));
  if (elasticity_viscosity_varies(w->elasticity)) TRY(elasticity_viscous_matrix(w->elasticity, u, mat_values(o->C)));
  return elasticity_combine(w->run->device.exec, mat_slots(a)->n_value, 1, values, 1 / stage->dt, mat_values(o->C),
                            values);
}

void pump_dashpots_problem(ElasticRun *w, Problem *problem) {
  if (pump_own(w)->C) problem->force = viscous_force, problem->tangent = viscous_tangent;
}

Status pump_dashpots_start(ElasticRun *w, const double *u) {
  const PumpRun *o = pump_own(w);
  const int64_t n = elasticity_rows(w->elasticity);
  return o->C ? exec_copy(w->run->device.exec, o->before, u, (size_t)n * sizeof *u) : OK;
}

/* What supports bear has the dashpots in it. */
Status pump_dashpots_store(ElasticRun *w) {
  const PumpRun *o = pump_own(w);
  const double *external = elasticity_external(w->elasticity);
  if (!o->C) return finite_store(w);
  TRY(elasticity_viscous_force(w->elasticity, place_of(w, w->u), o->velocity, o->force));
  TRY(vec_axpy(w->run->device.exec, elasticity_rows(w->elasticity), 1, external, o->force));
  elasticity_set_external(w->elasticity, o->force);
  const Status status = finite_store(w);
  elasticity_set_external(w->elasticity, external);
  return status;
}
