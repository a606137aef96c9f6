/* Densities that vary over the body: the mean of each element, so that its mass is that of the field. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

/* What is needed of a block. */
typedef struct DensityRule {
  Quadrature rule; /* of its mass */
  double N[ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES];
  bool axisymmetric;
} DensityRule;

/* The mean over element e of a block; false where a value is negative or not finite, which x and *value
 * then name. */
static bool density_mean(const Mesh *mesh, const SetBlock *b, const ScalarSource *source, int32_t e,
                         const DensityRule *r, double x[3], double *value) {
  const int32_t n = b->type->n_node, *nodes = b->nodes + (int64_t)e * n;
  double corner[ELEMENT_MAX_NODES][3], J[3][3], sum = 0, volume = 0;
  for (int32_t a = 0; a < n; ++a)
    for (int i = 0; i < 3; ++i) corner[a][i] = mesh->x[nodes[a]][i];
  for (int32_t q = 0; q < r->rule.n; ++q) {
    const double *at = r->N + (int64_t)q * n;
    double dV = fabs(element_jacobian(b->type, (const double(*)[3])corner, r->rule.xi[q], J, false));
    for (int i = 0; i < 3; ++i) x[i] = 0;
    for (int32_t a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) x[i] += at[a] * corner[a][i];
    dV *= r->rule.weight[q] * (r->axisymmetric ? x[0] : 1);
    *value = scalar_source_at(source, b->first_id + e, n, nodes, at, x);
    if (!(*value >= 0 && isfinite(*value))) return false;
    sum += *value * dV;
    volume += dV;
  }
  *value = sum / volume;
  return true;
}

static Status densities_of_block(Elasticity *p, const ElasticityParams *params, const SetBlock *b, double *out) {
  Status status = OK;
  DensityRule *rule = NULL;
  double x[3], value;
  int32_t bad = INT32_MAX;
  ALLOC_DONE(rule, 1, "densities");
  rule->axisymmetric = p->model == MODEL_AXISYMMETRIC;
  TRY_DONE(element_mass_quadrature(b->type, &rule->rule));
  element_tabulate(b->type, &rule->rule, rule->N, NULL);
#pragma omp parallel for schedule(static) reduction(min : bad) private(x, value)
  for (int32_t e = 0; e < b->n; ++e) {
    const MaterialValues *m = &params->material[params->element_material[b->first_id + e]];
    out[e] = p->constants[m - params->material].density;
    if (m->density && !density_mean(params->mesh, b, m->density, e, rule, x, &value)) bad = e < bad ? e : bad;
    else if (m->density) out[e] = value;
  }
  if (bad == INT32_MAX) goto done;
  const ScalarSource *source = params->material[params->element_material[b->first_id + bad]].density;
  (void)density_mean(params->mesh, b, source, bad, rule, x, &value);
  status = FAIL(ERR_INPUT, "%s%sdensity is %g at (%g, %g, %g), must be >= 0 and finite",
                source->where ? source->where : "", source->where ? ": " : "", value, x[0], x[1], x[2]);
done:
  FREE(rule);
  return status;
}

Status elasticity_find_density(Elasticity *p, const ElasticityParams *params) {
  const ElementSet *set = &p->space->set;
  bool any = false;
  for (int32_t m = 0; m < params->n_material; ++m) any |= params->material[m].density != NULL;
  if (!any) return OK;
  ALLOC(p->density, set->n_solved, "densities");
  for (int32_t k = 0, first = 0; k < set->n_solved_block; first += set->block[k++].n)
    TRY(densities_of_block(p, params, &set->block[k], p->density + first));
  return OK;
}
