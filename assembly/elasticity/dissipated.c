/* What materials have taken, by their states (MaterialShape.dissipated), over the elements. */
#include "assembly/elasticity/dissipated.h"

#include "assembly/elasticity/point_rows.h"
#include "assembly/elasticity/recovery.h"
#include "assembly/space/space.h"
#include "core/memory.h"
#include "core/vec.h"
#include "physics/material.h"

bool elasticity_remembers(const Elasticity *p) { return point_state_bytes(&p->points.state) > 0; }

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

/* Elements of block k: of each, and per volume at their points, [n_elem][n_q] each (NULL: not asked for). */
static Status block_taken(const Elasticity *p, const ElasticityParams *params, int32_t k, const double *state,
                          double *each, double *density) {
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
      const double taken =
          shape->dissipated(m->value, state + points->first_point[k] + q * points->n_elem[k] + s, points->n_point);
      if (density) density[(int64_t)e * rule.n + q] = taken;
      *to += point.dV * taken;
    }
  }
  FREE(N);
  return OK;
}

/* first: where the points of each block begin in `density`. */
static Status taken(const Elasticity *p, const ElasticityParams *params, const int64_t *first, double *each,
                    double *density) {
  const PointState *of = &p->points.state;
  const int64_t n = of->n_state * p->points.n_point;
  Status status = OK;
  double *state = NULL;
  for (int32_t e = 0; e < p->space->set.n_solved; ++e) each[e] = 0;
  if (!of->old || n == 0) return OK;
  ALLOC(state, n, "states of the materials");
  TRY_DONE(exec_download(of->exec, state, of->old, (size_t)n * sizeof *state));
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k)
    TRY_DONE(block_taken(p, params, k, state, each, density ? density + first[k] : NULL));
done:
  FREE(state);
  return status;
}

Status elasticity_dissipated(const Elasticity *p, const ElasticityParams *params, double *each) {
  return taken(p, params, NULL, each, NULL);
}

/* to[n] += more[n]; NULL: not asked for. */
static Status add_to(const ElasticRecovery *r, int64_t n, const double *more, double *to) {
  double *here = NULL;
  if (!to) return OK;
  TRY(exec_alloc_upload(r->exec, n, sizeof *here, more, "dissipated energy", (void **)(void *)&here));
  const Status status = vec_axpy(r->exec, n, 1, here, to);
  EXEC_RELEASE(r->exec, here, n);
  return status;
}

Status elasticity_add_dissipated(const Elasticity *p, const ElasticityParams *params, const ElasticFields *fields) {
  const ElasticRecovery *r = fields->own;
  double *const point = r->field[ELASTIC_POINT_WORK], *const element = r->field[ELASTIC_ELEMENT_WORK];
  const int32_t n_solved = p->space->set.n_solved;
  double *each = NULL, *density = NULL;
  Status status = OK;
  if (!point && !element) return OK;
  ALLOC_DONE(each, n_solved, "dissipated energy of the elements");
  ALLOC_DONE(density, r->n_point, "dissipated energy at points");
  TRY_DONE(taken(p, params, r->first_point, each, density));
  TRY_DONE(add_to(r, r->n_point, density, point));
  TRY_DONE(add_to(r, n_solved, each, element));
done:
  FREE(density);
  FREE(each);
  return status;
}
