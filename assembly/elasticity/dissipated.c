/* What materials have taken, by their states (MaterialShape.dissipated), over the elements. */
#include "assembly/elasticity/dissipated.h"

#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/point_rows.h"
#include "assembly/space/space.h"
#include "core/memory.h"
#include "physics/material.h"

bool elasticity_tells_dissipated(const ElasticityParams *params) {
  bool any = false, all = true;
  for (int32_t m = 0; m < params->n_material; ++m) {
    const MaterialShape *shape = &material_type(params->material[m].kind)->shape;
    if (shape->n_state == 0) continue;
    any = true, all = all && shape->dissipated;
  }
  return any && all;
}

static double thickness_of(const MaterialValues *m) {
  const int thickness = material_parameter(m->kind, "thickness");
  return thickness < 0 ? 1 : m->value[thickness];
}

/* Elements of block k. */
static Status block_taken(const Elasticity *p, const ElasticityParams *params, int32_t k, const double *state,
                          double *each) {
  const SetBlock *b = &p->space->set.block[k];
  const ElasticityPoints *points = &p->points;
  const int n = b->type->n_node, dim = b->type->dim;
  const int32_t *order = p->space->numbering.element[k];
  double *N = NULL, *dN, x[27 * 3];
  Quadrature rule;
  TRY(element_stiffness_quadrature(b->type, &rule));
  ALLOC(N, ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES * 4, "shape functions");
  dN = N + ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES;
  element_tabulate(b->type, &rule, N, dN);
  const PointArgs args = {.e = {.dN = dN, .weight = rule.weight}, .N = points->axisymmetric ? N : NULL};
  for (int32_t s = 0; s < b->n; ++s) {
    const int32_t e = order ? order[s] : s;
    const MaterialValues *m = &params->material[params->element_material[b->first_id + e]];
    const MaterialShape *shape = &material_type(m->kind)->shape;
    double *to = &each[points->first_element[k] + e];
    *to = 0;
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < dim; ++i) x[a * dim + i] = params->mesh->x[b->nodes[(int64_t)e * n + a]][i];
    for (int q = 0; shape->dissipated && q < rule.n; ++q) {
      PointGeometry point;
      point_geometry(n, dim, &args, x, q, p->model == MODEL_SOLID || points->axisymmetric ? 1 : thickness_of(m),
                     &point);
      *to += point.dV *
             shape->dissipated(m->value, state + points->first_point[k] + q * points->n_elem[k] + s, points->n_point);
    }
  }
  FREE(N);
  return OK;
}

Status elasticity_dissipated(const Elasticity *p, const ElasticityParams *params, double *each) {
  const PointState *of = &p->points.state;
  const int64_t n = of->n_state * p->points.n_point;
  Status status = OK;
  double *state = NULL;
  for (int32_t e = 0; e < p->space->set.n_solved; ++e) each[e] = 0;
  if (!of->old || n == 0) return OK;
  ALLOC(state, n, "states of the materials");
  TRY_DONE(exec_download(of->exec, state, of->old, (size_t)n * sizeof *state));
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) TRY_DONE(block_taken(p, params, k, state, each));
done:
  FREE(state);
  return status;
}
