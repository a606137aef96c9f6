/* Energies of load steps, for the report: what loads and supports have done, what materials have taken, and whether the two balance
 * with the strain energy. */
#include "app/elasticity/finite.h"
#include "app/run/adapt.h"
#include "app/run/ranks.h"
#include "assembly/elasticity/dissipated.h"
#include "core/exec.h"
#include "core/memory.h"
#include "core/vec.h"
#include "output/wording.h"
#include "physics/material.h"

#include <math.h>

static FiniteRun *own(const ElasticRun *w) { return w->own; }

/* Displacement of all nodes, and forces of the stress that the step ended with there. */
static Status work_find(ElasticRun *w, int at) {
  FiniteRun *o = own(w);
  elasticity_set_step(w->elasticity, 0);
  TRY(elasticity_moved(w->elasticity, w->u, o->place[at]));
  return elasticity_internal_force(w->elasticity, w->u, o->force[at]);
}

Status finite_work_begin(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  FiniteRun *o = own(w);
  if (o->force[0]) return OK;
  for (int k = 0; k < 2; ++k) EXEC_ALLOC(exec, o->force[k], w->n, "forces of the stress");
  for (int k = 0; k < 2; ++k) EXEC_ALLOC(exec, o->place[k], w->n, "displacement at both ends of a step");
  return work_find(w, 0);
}

Status finite_work_add(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  FiniteRun *o = own(w);
  const int64_t n = elasticity_rows(w->elasticity);
  double *way = o->place[0], *force = o->force[0], sum;
  TRY(work_find(w, 1));
  TRY(vec_axpy(exec, n, -1, o->place[1], way));
  TRY(vec_axpy(exec, n, 1, o->force[1], force));
  TRY(elasticity_dot(w->elasticity, force, way, &sum));
  o->most_work = fmax(o->most_work, fabs(stepper_work(w->stepper, 0.5 * sum)));
  o->place[0] = o->place[1], o->place[1] = way;
  o->force[0] = o->force[1], o->force[1] = force;
  return OK;
}

void finite_work_release(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  FiniteRun *o = own(w);
  for (int k = 0; exec && k < 2; ++k) {
    EXEC_RELEASE(exec, o->force[k], w->n);
    EXEC_RELEASE(exec, o->place[k], w->n);
  }
}

Status finite_dissipated(ElasticRun *w, double *out) {
  const ElasticityParams *params = elastic_run_params(w);
  Status status = OK;
  double *each = NULL;
  const int32_t n = run_mesh(w->run)->n_element - setup_first_solved(run_mesh(w->run));
  *out = 0;
  ALLOC(each, n, "dissipated energy of the elements");
  TRY_DONE(elasticity_dissipated(w->elasticity, params, each));
  for (int32_t first = 0; first < n; first += ROW_CHUNK) { /* in the order of slabs_total */
    double sum = 0;
    for (int32_t e = first; e < n && e < first + ROW_CHUNK; ++e) sum += each[e];
    *out += sum;
  }
  if (w->run->share) TRY_DONE(elastic_total(w->run, each, out));
done:
  FREE(each);
  return status;
}

/* Heat, muscles and what a body begins with bring energy of their own. */
static bool is_closed(ElasticRun *w) {
  const ElasticityParams *params = elastic_run_params(w);
  bool closed = !params->heat_in_steps;
  for (int32_t m = 0; m < params->n_material; ++m)
    closed = closed && !material_type(params->material[m].kind)->shape.reads && !params->material[m].initial;
  return closed;
}

Status finite_energies(ElasticRun *w) {
  static const double DRIFT = 0.05,
                      NOTHING = 1e-6; /* of the largest of them; of the most work that was in the body before */
  const RunEnergies *now = &w->run->report->energies;
  const double strain = w->run->report->energy;
  if (elasticity_tells_dissipated(elastic_run_params(w))) {
    TRY(finite_dissipated(w, &w->run->report->energies.dissipated));
    w->run->report->has_energies = true;
  }
  w->run->report->energies.external = stepper_work(w->stepper, 0);
  const double off = strain + now->dissipated - now->external,
               most = fmax(strain + now->dissipated, fabs(now->external));
  if (fabs(off) <= NOTHING * own(w)->most_work) return OK; /* all is as it was at the start, but for rounding */
  if (!w->run->report->has_energies || !is_closed(w) || !run_is_root(w->run) || fabs(off) <= DRIFT * most) return OK;
  status_warn(
      "the energies do not balance: loads and supports have done %.4g, and there are %.4g of strain and %.4g that "
      "is dissipated\n  likely: load steps too long for the path: the work is that of forces which change straight "
      "from step to step\n  remedy: a shorter 'step', or 'adaptive: {strain: 2e-3}' in 'time:'",
      now->external, strain, now->dissipated);
  return OK;
}

/* A body that has expanded freely has no energy but that of round-off, which says nothing of how it bends. */
Status finite_at_rest(ElasticRun *w, bool *rest) {
  *rest = false;
  if (!elastic_run_params(w)->heat_in_steps) return OK;
  return elastic_at_rest(w->run, w->elasticity, w->run->report->energy, rest);
}

static bool has_passes(const ElasticRun *w) { return w->run->params->adapt && !w->run->rehearsed; }

Status finite_see_energy(ElasticRun *w) {
  ElasticFields fields = {0};
  if (!has_passes(w)) return OK;
  TRY(elasticity_recover(w->elasticity, w->u, FIELD_STRAIN_ENERGY, &fields));
  own(w)->most_energy = fmax(own(w)->most_energy, fields.energy);
  elastic_fields_release(&fields);
  return OK;
}

Status finite_errors(ElasticRun *w, double energy) {
  static const double NOTHING = 1e-16; /* rounding */
  ElasticFields fields = {0};
  if (!has_passes(w)) return OK;
  const bool left = energy > NOTHING * own(w)->most_energy;
  TRY(elasticity_recover(w->elasticity, w->u, FIELD_STRESS | FIELD_VON_MISES | FIELD_STRESS_ERROR, &fields));
  Status status = elastic_error_shares(w->elasticity, &fields);
  const int64_t n = w->run->mesh->n_element - setup_first_solved(w->run->mesh);
  for (int64_t i = 0; status == OK && !left && i < n; ++i) fields.error_share[i] = fields.error_square[i] = 0;
  if (status == OK) status = adapt_add(w->run, n, fields.error_share, fields.error_square);
  elastic_fields_release(&fields);
  return status;
}
