/* What flow has taken of the work in load steps, for the report. */
#include "app/elasticity/finite.h"
#include "app/run/ranks.h"
#include "assembly/elasticity/dissipated.h"
#include "core/exec.h"
#include "core/memory.h"

Status finite_dissipated(ElasticRun *w) {
  const ElasticityParams *params = elastic_run_params(w);
  RunReport *report = w->run->report;
  Status status = OK;
  double *each = NULL;
  const int32_t n = run_mesh(w->run)->n_element - setup_first_solved(run_mesh(w->run));
  if (elastic_has(w->run->c, HAS_INERTIA) || !elasticity_tells_dissipated(params)) return OK;
  ALLOC(each, n, "dissipated energy of the elements");
  TRY_DONE(elasticity_dissipated(w->elasticity, params, each));
  report->energies.dissipated = 0;
  for (int32_t first = 0; first < n; first += ROW_CHUNK) { /* in the order of slabs_total */
    double sum = 0;
    for (int32_t e = first; e < n && e < first + ROW_CHUNK; ++e) sum += each[e];
    report->energies.dissipated += sum;
  }
  if (w->run->share) TRY_DONE(elastic_total(w->run, each, &report->energies.dissipated));
  report->has_energies = true;
done:
  FREE(each);
  return status;
}
