/* Thermal strain: temperatures at integration points, and the load that they are. The force of a body at u = 0 whose
 * points are heated is f = - int B^T C a T dV; minus that is the load of a linear problem (Hughes, The Finite Element
 * Method, 2000, section 2.7; initial strain), and recovery takes the same laws at the same temperatures. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/point_kernels.h"
#include "core/memory.h"
#include "core/vec.h"
#include "physics/material.h"
#include "physics/tension.h"

#include <math.h>

static unsigned active_reads(const PointActive *active) {
  if (active->form == ACTIVE_NONE) return 0;
  return active->model < 0 ? POINT_INPUT_BIT(ACTIVE) : POINT_INPUT_BIT(DRIVE);
}

unsigned elasticity_reads(const MaterialValues *v) {
  const MaterialType *type = material_type(v->kind);
  const int expansion = material_parameter(v->kind, "expansion");
  const int n = expansion < 0 ? 0 : param_list(type->param, type->n_param, expansion);
  bool warm = material_over_temperature(v->kind, v->value);
  for (int i = 0; i < n; ++i) warm = warm || v->value[expansion + i] != 0;
  for (int32_t i = 0; i < v->n_varying; ++i)
    warm = warm || (v->varying[i].parameter >= expansion && v->varying[i].parameter < expansion + n);
  return type->shape.reads | (warm ? POINT_INPUT_BIT(TEMPERATURE) : 0) | active_reads(&v->active.point);
}

bool elasticity_expands(const ElasticityParams *params) {
  bool any = false;
  for (int32_t m = 0; m < params->n_material; ++m)
    any = any || elasticity_reads(&params->material[m]) & POINT_INPUT_BIT(TEMPERATURE);
  return any;
}

Status elasticity_heat(Elasticity *p, int32_t n, const ScalarSource *const *source, const double *factor) {
  const PointSum heat = {.what = "temperature", .mesh = p->space->mesh, .n = n, .source = source, .factor = factor};
  if (!p->points.any_row) return OK;
  return point_input_sum(p->space->exec, &heat, &p->space->set, &p->space->numbering,
                         &p->points.input[POINT_TEMPERATURE]);
}

static const char *const INPUT_WORD[] = {
#define POINT_INPUT(NAME, member, word, unit, meaning) word,
#include "physics/point_inputs.def"
};

Status elasticity_renew(Elasticity *p, PointInputKind kind, const ScalarSource *source, double time, double factor) {
  if (!(p->points.reads & p->points.renewed & 1u << kind)) return OK;
  TRY(point_input_renew(p->space, INPUT_WORD[kind], source, time, factor, &p->points.input[kind]));
  return elasticity_size_inputs(p);
}

Status elasticity_renew_heat(Elasticity *p, int32_t n, const ScalarSource *const *source, const double *factor,
                             const double *time) {
  const PointSum heat = {.what = INPUT_WORD[POINT_TEMPERATURE],
                         .mesh = p->space->mesh,
                         .n = n,
                         .source = source,
                         .factor = factor,
                         .times = time};
  if (!(p->points.reads & p->points.renewed & POINT_INPUT_BIT(TEMPERATURE))) return OK;
  TRY(point_input_sum(p->space->exec, &heat, &p->space->set, &p->space->numbering,
                      &p->points.input[POINT_TEMPERATURE]));
  return elasticity_size_inputs(p);
}

/* What all muscles are told that read this input; 0 elsewhere. Nothing where no muscle has a source: it is told otherwise. */
static Status activate(Elasticity *p, const ElasticityParams *params, PointInputKind kind, double time) {
  static const ScalarSource none = {0};
  const ScalarSource **source = NULL;
  double *least = NULL;
  bool any = false;
  Status status;
  for (int32_t m = 0; m < params->n_material; ++m) any = any || params->material[m].active.source.expr;
  if (!any || !(p->points.reads & 1u << kind)) return OK;
  ALLOC_DONE(source, params->n_material, "muscles");
  ALLOC_DONE(least, params->n_material, "muscles");
  for (int32_t m = 0; m < params->n_material; ++m) {
    const PointActive *active = &params->material[m].active.point;
    const bool reads = active_reads(active) & 1u << kind;
    const bool amount =
        reads && (kind == POINT_ACTIVE || tension_type(active->model)->shape.drive == TENSION_BY_CALCIUM);
    source[m] = reads ? &params->material[m].active.source : &none;
    least[m] = amount ? 0 : -(double)INFINITY; /* muscle pulls, and calcium is a concentration */
  }
  const PointSum sum = {.what = INPUT_WORD[kind],
                        .mesh = p->space->mesh,
                        .n = params->n_material,
                        .source = source,
                        .time = time,
                        .least = least,
                        .of = params->element_material};
  status = point_input_sum(p->space->exec, &sum, &p->space->set, &p->space->numbering, &p->points.input[kind]);
done:
  FREE(least);
  mem_free((void **)(void *)&source);
  return status;
}

Status elasticity_drive(Elasticity *p, const double *nodal, double factor) {
  if (!(p->points.reads & POINT_INPUT_BIT(DRIVE))) return OK;
  TRY(point_input_nodal(p->space, nodal, factor, &p->points.input[POINT_DRIVE]));
  return elasticity_size_inputs(p);
}

Status elasticity_activate(Elasticity *p, const ElasticityParams *params, double time, double factor) {
  TRY(activate(p, params, POINT_ACTIVE, time));
  TRY(activate(p, params, POINT_DRIVE, time));
  p->points.input[POINT_ACTIVE].factor = factor;
  return elasticity_size_inputs(p);
}

static Status heated_forces(Elasticity *p, const double *at_rest, double *sum) {
  const Space *s = p->space;
  TRY(elasticity_heated_forces(p, at_rest));
  TRY(space_facet_forces(s, at_rest, NULL));
  TRY(space_gather_forces(s, p->loads.exec_force, NULL, sum));
  TRY(exec_copy(s->exec, p->loads.exec_force, sum, (size_t)s->n_dof * sizeof *sum));
  if (!p->begins) return OK;
  TRY(elasticity_element_forces(p, at_rest, NULL)); /* a residual has these itself */
  TRY(space_gather_forces(s, NULL, NULL, sum));
  return vec_axpy(s->exec, s->n_dof, -1, sum, p->loads.exec_force);
}

Status elasticity_forget_initial(Elasticity *p) {
  ElasticityPoints *points = &p->points;
  if (!p->begins || !points->law) return OK;
  for (int64_t i = 0; i < points->n_law; ++i)
    for (int k = 0; k < 6; ++k) points->law[i * LAW_SIZE + LAW_INITIAL + k] = 0;
  return exec_upload(p->space->exec, points->exec_law, points->law, (size_t)points->n_law_number * sizeof *points->law);
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
