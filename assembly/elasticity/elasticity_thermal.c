/* Thermal strain: temperatures at integration points, and the load that they are. The force of a body at u = 0 whose
 * points are heated is f = - int B^T C a T dV; minus that is the load of a linear problem (Hughes, The Finite Element
 * Method, 2000, section 2.7; initial strain), and recovery takes the same laws at the same temperatures. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/point_kernels.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

bool elasticity_expands(const ElasticityParams *params) {
  for (int32_t m = 0; m < params->n_material; ++m) {
    const MaterialValues *v = &params->material[m];
    const int expansion = material_parameter(v->kind, "expansion");
    for (int i = 0; expansion >= 0 && i < 3; ++i)
      if (v->value[expansion + i] != 0) return true;
    for (int32_t i = 0; expansion >= 0 && i < v->n_varying; ++i)
      if (v->varying[i].parameter >= expansion && v->varying[i].parameter < expansion + 3) return true;
  }
  return false;
}

/* T of element e at the point where the shape functions are N. */
static double heat_at(const PointHeat *heat, const SetBlock *b, int32_t e, const double *N, double x[3]) {
  const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node;
  double sum = 0;
  for (int i = 0; i < 3; ++i) x[i] = 0;
  for (int32_t a = 0; a < b->type->n_node; ++a)
    for (int i = 0; i < 3; ++i) x[i] += N[a] * heat->mesh->x[nodes[a]][i];
  for (int32_t i = 0; i < heat->n; ++i)
    sum += (heat->factor ? heat->factor[i] : 1) *
           scalar_source_at(heat->source[i], b->first_id + e, b->type->n_node, nodes, N, x);
  return sum;
}

/* value[n][n_q] of a block's first n elements. */
static Status heat_block(const PointHeat *heat, const SetBlock *b, int32_t n, int32_t n_q, const double *N,
                         double *value) {
  int32_t bad = INT32_MAX;
  double x[3];
#pragma omp parallel for schedule(static) reduction(min : bad) private(x)
  for (int32_t e = 0; e < n; ++e)
    for (int32_t q = 0; q < n_q; ++q) {
      double *t = &value[(int64_t)e * n_q + q];
      *t = heat_at(heat, b, e, N + (int64_t)q * b->type->n_node, x);
      if (!isfinite(*t) && e < bad) bad = e;
    }
  for (int32_t q = 0; bad < INT32_MAX && q < n_q; ++q) {
    const char *where = heat->source[0]->where;
    const double t = heat_at(heat, b, bad, N + (int64_t)q * b->type->n_node, x);
    CHECK(isfinite(t), ERR_INPUT, "%s%sthe temperature is %s at (%g, %g, %g), in %s element %lld; it must be finite",
          where ? where : "", where ? ": " : "", isnan(t) ? "not a number" : "infinite", x[0], x[1], x[2],
          b->type->name, (long long)mesh_block_of(heat->mesh, b->first_id)->tag[bad]);
  }
  return OK;
}

/* As many numbers as the sources have: one, one per element, or one per point. */
static Status heat_upload(Exec *exec, const PointHeat *heat, const ElementSet *set, const Numbering *numbering,
                          int32_t k, ElasticityPoints *out) {
  Status status = OK;
  const SetBlock *b = &set->block[k];
  bool by_point = false, one = true;
  for (int32_t i = 0; i < heat->n; ++i) {
    by_point = by_point || scalar_source_by_point(heat->source[i]);
    one = one && !scalar_source_varies(heat->source[i]);
  }
  const int32_t n_q = by_point ? out->n_q[k] : 1, n = one && b->n > 0 ? 1 : b->n;
  double *N = NULL, *value = NULL;
  Quadrature rule;
  ALLOC_DONE(N, ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES, "shape functions");
  ALLOC_DONE(value, (int64_t)n * n_q, "temperature");
  TRY_DONE(element_stiffness_quadrature(b->type, &rule));
  element_tabulate(b->type, &rule, N, NULL);
  TRY_DONE(heat_block(heat, b, n, n_q, N, value));
  EXEC_RELEASE(exec, out->temperature[k], out->n_temperature[k]);
  out->n_temperature[k] = (int64_t)n * n_q;
  out->temperature_e[k] = one ? 0 : n_q;
  out->temperature_q[k] = by_point;
  if (one) TRY_DONE(exec_alloc_upload(exec, n, sizeof *value, value, "temperature", (void **)&out->temperature[k]));
  else
    TRY_DONE(element_upload(exec, numbering->element[k], n, (size_t)n_q * sizeof *value, value, "temperature",
                            (void **)&out->temperature[k]));
done:
  FREE(N);
  FREE(value);
  return status;
}

Status points_heat(Exec *exec, const PointHeat *heat, const ElementSet *set, const Numbering *numbering,
                   ElasticityPoints *out) {
  for (int32_t k = 0; k < set->n_solved_block; ++k) TRY(heat_upload(exec, heat, set, numbering, k, out));
  return OK;
}

Status elasticity_heat(Elasticity *p, int32_t n, const ScalarSource *const *source, const double *factor) {
  const PointHeat heat = {p->space->mesh, n, source, factor};
  if (!p->points.any_row) return OK;
  return points_heat(p->space->exec, &heat, &p->space->set, &p->space->numbering, &p->points);
}

static Status heated_forces(Elasticity *p, const double *at_rest, double *sum) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const ElementArgs element = elasticity_element_args(p, k, at_rest);
    const PointArgs args = points_heated_args(&p->points, k, &element, s->block[k].stiffness.N);
    TRY(point_kernels_force(s->exec, s->set.block[k].type->kind, &args));
  }
  TRY(space_facet_forces(s, at_rest, NULL));
  TRY(space_gather_forces(s, p->loads.exec_force, NULL, sum));
  return exec_copy(s->exec, p->loads.exec_force, sum, (size_t)s->n_dof * sizeof *sum);
}

Status elasticity_thermal_load(Elasticity *p) {
  Status status = OK;
  Exec *exec = p->space->exec;
  double *at_rest = NULL, *sum = NULL;
  const int64_t n = p->space->n_read;
  TRY(space_need_forces(p->space));
  TRY_DONE(exec_alloc(exec, n, sizeof *sum, "thermal load", (void **)&sum));
  TRY_DONE(exec_alloc(exec, n, sizeof *sum, "thermal load", (void **)&at_rest));
  TRY_DONE(exec_zero(exec, at_rest, (size_t)n * sizeof *sum));
  TRY_DONE(heated_forces(p, at_rest, sum));
done:
  EXEC_RELEASE(exec, sum, n);
  EXEC_RELEASE(exec, at_rest, n);
  return status;
}
