/* Elasticity on a part of the mesh: the same materials; a sample has no loads and one fixed element. */
#include "app/elasticity/elastic.h"
#include "core/memory.h"

#include <stdlib.h>
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

static int by_node(const void *left, const void *right) {
  const int32_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/* The node of the part that a node of the whole is, or -1. */
static int32_t node_here(const MeshSample *sample, int32_t node) {
  const int32_t *at = bsearch(&node, sample->node, (size_t)sample->mesh->n_node, sizeof *sample->node, by_node);
  return at ? (int32_t)(at - sample->node) : -1;
}

/* Nodes of periodic pairs, which are linked. */
static Status cut_images(const EquationList *from, const MeshSample *sample, ElasticSetup *to) {
  ALLOC(to->image, from->n_image, "nodes of periodic pairs");
  for (int32_t i = 0; i < from->n_image; ++i) {
    SupportImage *image = &to->image[to->n_image];
    *image = from->image[i];
    for (int one = 0; one < 2; ++one) image->node[one] = node_here(sample, from->image[i].node[one]);
    to->n_image += image->node[0] >= 0 && image->node[1] >= 0;
  }
  to->equations.n_image = to->n_image, to->equations.image = to->image;
  return OK;
}

static Status copy_array(int64_t n, size_t size, const void *from, void **out) {
  TRY(mem_alloc(n, size, "ties", out));
  if (n) memcpy(*out, from, (size_t)n * size);
  return OK;
}

/* Of a tie that is here, whose equations begin at `first`: numbers of its own, since the whole is given back. */
static Status cut_tie(const EquationTie *from, int32_t first, ElasticSetup *to) {
  MortarTie *own = &to->mortar[to->n_tie];
  const int64_t n = from->n, n_near = from->near_start[n];
  EquationTie *tie = &to->tie[to->n_tie++];
  TRY(copy_array(n, sizeof *own->area, from->area, (void **)&own->area));
  TRY(copy_array(n, sizeof *own->shared, from->shared, (void **)&own->shared));
  TRY(copy_array(n + 1, sizeof *own->near_start, from->near_start, (void **)&own->near_start));
  TRY(copy_array(n_near, sizeof *own->near, from->near, (void **)&own->near));
  *tie = (EquationTie){first, from->n, own->area, own->shared, own->near_start, own->near};
  to->equations.n_tie = to->n_tie;
  return OK;
}

/* Of a rigid group that is here, whose equations begin at `first`. */
static Status cut_turning(const RigidParams *from, int32_t first, const MeshSample *sample, ElasticSetup *to) {
  RigidParams *p = &to->turning[to->n_turning++];
  const int32_t dim = from->group.dim;
  *p = *from;
  p->first = first, p->load = NULL;
  TRY(mem_alloc(from->n_load, sizeof *p->load, "loads of rigid groups", (void **)&p->load));
  if (from->n_load) memcpy(p->load, from->load, (size_t)from->n_load * sizeof *p->load);
  for (int32_t h = 0; h < dim; ++h) p->hub[h] = node_here(sample, from->hub[h]);
  for (int32_t j = 0; j < p->group.n_slot; ++j)
    p->group.slot[j] = node_here(sample, from->group.slot[j] / dim) * dim + from->group.slot[j] % dim;
  to->equations.n_rigid = to->n_turning, to->equations.rigid = to->turning;
  return OK;
}

/* Equations whose nodes are here: with linked nodes (partition.h) all that they have are, or none. */
static Status cut_equation_list(const EquationList *from, const MeshSample *sample, ElasticSetup *to) {
  int64_t n_term = 0;
  int32_t tie = 0, turning = 0;
  for (int32_t i = 0; i < from->n; ++i) n_term += from->item[i].n;
  ALLOC(to->equation, from->n, "constraints");
  ALLOC(to->term, n_term, "constraints");
  ALLOC(to->tie, from->n_tie, "ties");
  ALLOC(to->mortar, from->n_tie, "ties");
  ALLOC(to->turning, from->n_rigid, "rigid groups");
  n_term = 0;
  to->equations = (EquationList){.item = to->equation,
                                 .term = to->term,
                                 .tie = to->tie,
                                 .n_rigid_all = from->n_rigid_all,
                                 .any_goes_along = from->any_goes_along};
  for (int32_t i = 0; i < from->n; ++i) {
    const Equation *item = &from->item[i];
    const EquationTerm *term = from->term + item->first;
    const bool begins = tie < from->n_tie && from->tie[tie].first == i;
    const bool rotates = turning < from->n_rigid && from->rigid[turning].first == i;
    tie += begins, turning += rotates;
    if (item->n && node_here(sample, term->node) < 0) continue;
    if (begins) TRY(cut_tie(&from->tie[tie - 1], to->equations.n, to));
    if (rotates) TRY(cut_turning(&from->rigid[turning - 1], to->equations.n, sample, to));
    to->equation[to->equations.n] = *item;
    to->equation[to->equations.n++].first = n_term;
    for (int32_t k = 0; k < item->n; ++k) {
      to->term[n_term] = term[k];
      to->term[n_term].node = node_here(sample, term[k].node);
      CHECK(to->term[n_term++].node >= 0, ERR_BUG, "%s: a rank has a part of the nodes of a constraint", item->where);
    }
  }
  to->equations.shared = true;
  to->params.equations = &to->equations;
  return cut_images(from, sample, to);
}

/* Springs between nodes and masses of groups, in the order of the whole, whose nodes are here (Setup.pair). */
static Status cut_joints(const ElasticityParams *from, const MeshSample *sample, ElasticSetup *to) {
  ElasticityParams *p = &to->params;
  p->n_joint = p->n_body = 0;
  if (!sample->number) return OK;
  ALLOC(to->joint, from->n_joint, "springs");
  ALLOC(to->body, from->n_body, "masses of rigid groups");
  p->joint = to->joint, p->body = to->body;
  for (int32_t i = 0; i < from->n_joint; ++i) {
    Joint *joint = &to->joint[p->n_joint];
    bool here = true;
    *joint = from->joint[i];
    for (int a = 0; a < 2 && from->joint[i].node[a] >= 0; ++a)
      here &= (joint->node[a] = node_here(sample, from->joint[i].node[a])) >= 0;
    p->n_joint += here;
  }
  for (int32_t i = 0; i < from->n_body; ++i) {
    MassBody *body = &to->body[p->n_body];
    bool here = true;
    *body = from->body[i];
    for (int32_t a = 0; a < body->n_node; ++a) here &= (body->node[a] = node_here(sample, body->node[a])) >= 0;
    p->n_body += here;
  }
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

/* What says how modes of a sector move the whole; without the groups. */
static Status cut_sector(const ElasticSetup *from, ElasticSetup *to) {
  ALLOC(to->cut, from->n_cut, "cuts of a sector");
  to->n_cut = from->n_cut;
  for (int32_t k = 0; k < to->n_cut; ++k) {
    to->cut[k] = from->cut[k];
    to->cut[k].on = to->cut[k].to = NULL;
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
  if (sample->number && elastic_setup(whole)->params.equations)
    TRY(cut_equation_list(elastic_setup(whole)->params.equations, sample, to));
  to->params.n_obstacle = 0;
  TRY(cut_joints(&elastic_setup(whole)->params, sample, to));
  TRY(cut_load_cases(elastic_setup(whole), sample, part));
  TRY(cut_velocity(elastic_setup(whole), sample, to));
  TRY(cut_sector(elastic_setup(whole), to));
  return cut_materials(whole, sample, part);
}
