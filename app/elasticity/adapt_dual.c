/* The error of a probe of a displacement: a second solution whose load is the probe itself, on the same matrix, and the errors of both
 * (app/run/adapt.h). */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"
#include "app/elasticity/adapt_dual.h"
#include "app/run/adapt.h"
#include "assembly/elasticity/augmented.h"
#include "algebra/mat.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <string.h>

/* Its nodes and their weights; 0: this probe has no dual load. */
static int32_t probe_nodes(const ElasticRun *w, int32_t probe, int32_t *nodes, double *weight) {
  const Mesh *mesh = w->run->mesh;
  const ElasticSetup *own = elastic_setup(&w->setup);
  if (own->line && own->line[probe]) return 0;
  if (own->probe[probe].row != ELASTIC_DISPLACEMENT || own->probe[probe].component >= mesh->dim) return 0;
  return mesh_location_nodes(mesh, &w->setup.probe[probe], nodes, weight);
}

static Status dual_load(const ElasticRun *w, int32_t n, const int32_t *nodes, const double *weight, int component,
                        double *b) {
  const int32_t block = mat_block(w->a);
  const int64_t rows = elasticity_rows(w->elasticity);
  double *host = NULL;
  ALLOC(host, w->n, "load of a probe");
  for (int64_t row = 0; row < rows; row += block)
    for (int32_t k = 0; k < n; ++k)
      if (elasticity_node(w->elasticity, row) == nodes[k]) host[row + component] += weight[k];
  const Status status = exec_upload(w->run->device.exec, b, host, (size_t)w->n * sizeof *b);
  FREE(host);
  TRY(status);
  TRY(elasticity_reduce(w->elasticity, b));
  return elasticity_free_only(w->elasticity, b);
}

Status elastic_dual_solve(ElasticRun *w, ElasticDual *d) {
  Exec *exec = w->run->device.exec;
  int32_t probe, nodes[ELEMENT_MAX_NODES];
  double weight[ELEMENT_MAX_NODES], *b = NULL;
  LinearReport report = {0};
  Status status = OK;
  if (!adapt_wants_goal(w->run, &probe) || !elasticity_linear(w->elasticity) || elasticity_is_augmented(w->elasticity))
    return OK;
  const int32_t n = probe_nodes(w, probe, nodes, weight);
  if (n == 0) return OK;
  d->n = w->n;
  EXEC_ALLOC(exec, d->z, w->n, "solution of a probe");
  EXEC_ALLOC(exec, b, w->n + 1, "load of a probe");
  TRY_DONE(dual_load(w, n, nodes, weight, elastic_setup(&w->setup)->probe[probe].component, b));
  TRY_DONE(exec_zero(exec, d->z, (size_t)w->n * sizeof *d->z)); /* a solve goes on from there */
  TRY_DONE(linear_solve(w->solver, b, d->z, &report));
  TRY_DONE(vec_dot(exec, w->n, b, d->z, b + w->n));
  TRY_DONE(exec_download(exec, &d->goal, b + w->n, sizeof d->goal));
done:
  EXEC_RELEASE(exec, b, w->n + 1);
  return status;
}

/* Errors of u + factor z, by element. */
static Status errors_of(ElasticRun *w, const ElasticDual *d, double factor, double *v, int64_t n, double *share) {
  Exec *exec = w->run->device.exec;
  TRY(exec_copy(exec, v, w->u, (size_t)w->n * sizeof *v));
  TRY(vec_axpy(exec, w->n, factor, d->z, v));
  TRY(elasticity_recover_again(w->elasticity, v, &w->fields));
  TRY(elastic_fields_wait(w->elasticity, &w->fields));
  TRY(elastic_error_shares(w->elasticity, &w->fields));
  memcpy(share, w->fields.error_share, (size_t)n * sizeof *share);
  return OK;
}

Status elastic_dual_errors(ElasticRun *w, const ElasticDual *d) {
  Exec *exec = w->run->device.exec;
  double *v = NULL, *share = NULL;
  Status status = OK;
  if (!d->z || !(d->goal > 0 && w->fields.energy > 0)) return OK;
  const int64_t n = w->run->mesh->n_element - setup_first_solved(w->run->mesh);
  const double scale = sqrt(2 * w->fields.energy / d->goal); /* both of one energy */
  EXEC_ALLOC(exec, v, w->n, "solution of a probe");
  ALLOC_DONE(share, 3 * n, "errors of elements");
  TRY_DONE(errors_of(w, d, scale, v, n, share + n));
  TRY_DONE(errors_of(w, d, -scale, v, n, share + 2 * n));
  TRY_DONE(errors_of(w, d, 0, v, n, share));
  /* a share is an energy, half of the product of stress and strain */
  adapt_add_goal(w->run, n, &(AdaptGoal){share, share + n, share + 2 * n, scale / 2});
done:
  FREE(share);
  EXEC_RELEASE(exec, v, w->n);
  return status;
}

void elastic_dual_release(ElasticRun *w, ElasticDual *d) {
  if (d->z) EXEC_RELEASE(w->run->device.exec, d->z, d->n); /* else there may be no Exec */
}
