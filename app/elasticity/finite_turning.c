/* Centrifugal loads at finite strain act where the body has gone to: beside what they are of the body as it was, which loads have,
 * they grow by omega^2 (1 - a a^T) u rho (docs/theory/finite-strain.md#turning-bodies). */
#include "app/elasticity/finite.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "core/vec.h"

static FiniteTurning *own(const ElasticRun *w) { return &((FiniteRun *)w->own)->turning; }

/* Strains are small in the first steps of some chains. */
static bool grows(const ElasticRun *w, double time) {
  return own(w)->mass && !(case_small_first(w->run->c) && case_small_at(w->run->c, time));
}

bool finite_has_turning(const ElasticityParams *params) {
  bool any = false;
  for (int32_t i = 0; i < params->n_load; ++i) any |= params->load[i].kind == LOAD_CENTRIFUGAL;
  return any && params->finite;
}

Status finite_turning_begin(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  FiniteTurning *t = own(w);
  if (!finite_has_turning(elastic_run_params(w))) return OK;
  TRY(elastic_mass(w->run->c, w->elasticity, false, &t->mass));
  for (int k = 0; k < 2; ++k) EXEC_ALLOC(exec, t->force[k], w->n, "centrifugal forces");
  return OK;
}

void finite_turning_loaded(ElasticRun *w) { own(w)->at_rest = elasticity_external(w->elasticity); }

Status finite_turning_load(ElasticRun *w, double time, const double *u) {
  FiniteTurning *t = own(w);
  if (!t->mass) return OK;
  elasticity_set_external(w->elasticity, t->at_rest);
  if (!grows(w, time)) return OK;
  TRY(exec_copy(w->run->device.exec, t->force[0], t->at_rest,
                (size_t)elasticity_rows(w->elasticity) * sizeof *t->at_rest));
  TRY(elasticity_turning_forces(t->mass, time, u, t->force[1], t->force[0]));
  elasticity_set_external(w->elasticity, t->force[0]);
  return OK;
}

Status finite_turning_tangent(ElasticRun *w, double time, Mat *a) {
  return grows(w, time) ? elastic_turning_subtract(own(w)->mass, time, a) : OK;
}

void finite_turning_release(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  elasticity_mass_destroy(&own(w)->mass);
  for (int k = 0; exec && k < 2; ++k) EXEC_RELEASE(exec, own(w)->force[k], w->n);
}
