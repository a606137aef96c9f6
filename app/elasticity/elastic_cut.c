/* Elasticity on a part of the mesh: the same materials; a sample has no loads and one fixed element. */
#include "app/elasticity/elastic.h"
#include "core/memory.h"

#include <string.h>

/* What a source says of the sample's nodes or elements. */
static Status cut_source(const MeshSample *sample, ElasticSetup *to, ScalarSource *source) {
  const int32_t n = source->node ? sample->mesh->n_node : sample->mesh->n_element;
  const double *from = source->node ? source->node : source->element;
  const int32_t *place = source->node ? sample->node : sample->element;
  double *value;
  if (!from) return OK;
  TRY(elastic_numbers(to, n, "what varies in the materials", &value));
  for (int32_t i = 0; i < n; ++i) value[i] = from[place[i]];
  *(source->node ? &source->node : &source->element) = value;
  return OK;
}

static Status cut_initial(const MeshSample *sample, ElasticSetup *to, int32_t m) {
  MaterialInitial *initial = &to->initial[m];
  if (!to->material[m].initial) return OK;
  *initial = *to->material[m].initial;
  to->material[m].initial = initial;
  const int32_t n = sample->mesh->n_element, width = initial->n_point;
  for (int k = 0; k < 6; ++k) {
    double *value;
    TRY(cut_source(sample, to, &initial->stress[k]));
    if (!initial->points[k]) continue;
    TRY(elastic_numbers(to, (int64_t)n * width, "initial stress", &value));
    for (int32_t e = 0; e < n; ++e)
      memcpy(value + (int64_t)e * width, initial->points[k] + (int64_t)sample->element[e] * width,
             (size_t)width * sizeof *value);
    initial->points[k] = value;
  }
  return OK;
}

static Status cut_varying(const MeshSample *sample, const ElasticSetup *from, ElasticSetup *to) {
  const int64_t n = from->params.n_material * (int64_t)MATERIAL_MAX_PARAMS;
  ALLOC(to->varying, n, "parameters of the materials");
  ALLOC(to->density, from->params.n_material, "densities of the materials");
  ALLOC(to->initial, from->params.n_material, "initial stress");
  for (int32_t m = 0; m < from->params.n_material; ++m) {
    MaterialValues *material = &to->material[m];
    MaterialVarying *varying = to->varying + m * MATERIAL_MAX_PARAMS;
    for (int32_t i = 0; i < material->n_varying; ++i) {
      varying[i] = material->varying[i];
      TRY(cut_source(sample, to, &varying[i].source));
    }
    material->varying = varying;
    TRY(cut_initial(sample, to, m));
    if (!material->density) continue;
    to->density[m] = *material->density;
    material->density = &to->density[m];
    TRY(cut_source(sample, to, &to->density[m]));
  }
  if (!from->params.temperature) return OK;
  to->temperature = from->temperature;
  to->params.temperature = &to->temperature;
  TRY(cut_source(sample, to, &to->temperature));
  ALLOC(to->heat, from->n_heat, "temperatures of steps");
  for (int32_t k = 0; k < from->n_heat; ++k) {
    to->heat[to->n_heat] = from->heat[k];
    TRY(cut_source(sample, to, &to->heat[to->n_heat++].source));
  }
  return OK;
}

static Status cut_materials(const Setup *whole, const MeshSample *sample, Setup *part) {
  const ElasticSetup *from = elastic_setup(whole);
  ElasticSetup *to = elastic_setup(part);
  const int32_t n = from->params.n_material;
  ALLOC(to->material, n, "materials");
  memcpy(to->material, from->material, (size_t)n * sizeof *to->material);
  TRY(mem_alloc(n, sizeof *to->axes, "axes of the materials", (void **)(void *)&to->axes));
  for (int32_t m = 0; m < n; ++m) {
    MaterialAxes *axes = &to->material[m].axes;
    TRY(setup_cut_elements(sample, axes->first, sizeof *to->axes[m], axes->element, "axes of the materials",
                           (void **)(void *)&to->axes[m]));
    axes->element = (const double(*)[9])to->axes[m];
    if (axes->first) axes->first = setup_first_solved(sample->mesh);
  }
  to->params.material = to->material;
  return cut_varying(sample, from, to);
}

/* So that there is something to solve. */
static Status hold_sample(const MeshSample *sample, ElasticSetup *to) {
  const Expr held = expr_constant(1);
  to->params.n_load = 0;
  to->params.n_support = 1;
  ALLOC(to->support, 1, "supports");
  to->support[0] = (Support){.on = &sample->mesh->group[0], .value = {held, held, held}, .where = "a sample"};
  return OK;
}

static Status cut_boundary(const ElasticSetup *from, const MeshSample *sample, Setup *part) {
  ElasticSetup *to = elastic_setup(part);
  const ElasticityParams *p = &from->params;
  TRY(setup_cut_supports(sample, p->n_support, p->support, part, &to->support, &to->params.n_support));
  return setup_cut_loads(sample, p->mesh, p->model == MODEL_AXISYMMETRIC, p->n_load, p->load, part, &to->load,
                         &to->params.n_load);
}

static Status cut_velocity(const ElasticSetup *from, const MeshSample *sample, ElasticSetup *to) {
  if (!from->velocity) return OK;
  ALLOC(to->velocity, sample->mesh->n_node, "initial velocity");
  for (int32_t i = 0; i < sample->mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) to->velocity[i][k] = from->velocity[sample->node[i]][k];
  return OK;
}

/* As many load cases; of a sample with nothing in them. */
static Status cut_load_cases(const ElasticSetup *from, const MeshSample *sample, Setup *part) {
  ElasticSetup *to = elastic_setup(part);
  const ElasticityParams *p = &from->params;
  ALLOC(to->act, from->n_act, "load cases");
  to->n_act = from->n_act;
  for (int32_t i = 0; i < to->n_act; ++i) {
    const ElasticActs *act = &from->act[i];
    ElasticActs *cut = &to->act[i];
    cut->name = act->name;
    cut->heated = act->heated, cut->temperature = act->temperature;
    TRY(cut_source(sample, to, &cut->temperature));
    if (!sample->number) continue;
    if (act->support)
      TRY(setup_cut_supports(sample, act->n_support, act->support, part, &cut->support, &cut->n_support));
    TRY(setup_cut_loads(sample, p->mesh, p->model == MODEL_AXISYMMETRIC, act->n_load, act->load, part, &cut->load,
                        &cut->n_load));
  }
  return OK;
}

Status elastic_cut(const Setup *whole, const MeshSample *sample, Setup *part) {
  TRY(setup_take_own(part, sizeof(ElasticSetup), elastic_setup_release));
  ElasticSetup *to = elastic_setup(part);
  to->params = elastic_setup(whole)->params;
  to->params.mesh = sample->mesh;
  to->params.node_rank = part->node_rank;
  to->params.element_material = part->element_material;
  to->params.allow_free_motion = true;
  to->params.load_needed = NULL;
  TRY(sample->number ? cut_boundary(elastic_setup(whole), sample, part) : hold_sample(sample, to));
  to->params.support = to->support;
  to->params.load = to->load;
  to->params.equations = NULL;
  to->params.n_obstacle = 0;
  to->params.n_body = to->params.n_joint = 0;
  TRY(cut_load_cases(elastic_setup(whole), sample, part));
  TRY(cut_velocity(elastic_setup(whole), sample, to));
  return cut_materials(whole, sample, part);
}
