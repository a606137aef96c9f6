/* Loads by quadrature with the load rule of each facet or element; what depends on t is kept as points
 * (load_points.c). */
#include "assembly/space/load_work.h"
#include "assembly/space/space.h"
#include "assembly/space/support.h"
#include "core/memory.h"

#include <math.h>

enum { MANY = 2000 }; /* elements of a load for which threads are worth it */
static const char *const DIMENSION[4] = {"point", "curve", "surface", "volume"};

static const LoadType LOAD_TYPE[] = {
#define LOAD(kind, ...) [LOAD_##kind] = {__VA_ARGS__},
#include "assembly/space/loads.def"
#undef LOAD
};

const char *load_name(LoadKind kind) { return LOAD_TYPE[kind].name; }
bool load_is_coefficient(LoadKind kind) { return LOAD_TYPE[kind].coefficient; }

/* What the measure of an element's points is multiplied with. */
typedef struct Weight {
  double density, thickness;
} Weight;

static const char *load_place(const LoadWork *w, char text[64]) {
  return item_place(w->load->where, "load", w->index, text);
}

static double element_number(ElementNumber number, int32_t e) {
  return number.value ? number.value[number.index ? number.index[e] : e] : 1;
}

static Status use_shape(LoadWork *w, const ElementType *shape) {
  if (w->shape == shape) return OK;
  if (shape->dim == 0) {
    w->rule = (Quadrature){.n = 1, .weight = {1}};
    w->N[0] = 1;
  } else {
    TRY(element_load_quadrature(shape, &w->rule));
    element_tabulate(shape, &w->rule, w->N, NULL);
  }
  w->shape = shape;
  return OK;
}

static double measure_at(const LoadWork *w, const Facet *facet, int32_t q) {
  double J[3][3];
  if (w->shape->dim == 0) return 1;
  return fabs(element_jacobian(w->shape, (const double(*)[3])facet->x, w->rule.xi[q], J, false)) * w->rule.weight[q];
}

/* The circle that a point at x stands for around the axis x = 0; 1 for a point group, which is a ring whose force is given
 * in total. */
static double circle_at(const LoadWork *w, const double x[3]) {
  return w->params->axisymmetric && w->shape->dim > 0 ? 2 * acos(-1) * x[0] : 1;
}

/* What runs in it: t or f. */
static const char *running(const Load *load) {
  for (int c = 0; c < 3; ++c)
    if (expr_is_timed(&load->value[c])) return expr_running(&load->value[c]);
  return expr_running(&load->ambient[0]);
}

static Status check_finite(const Load *load, int32_t index, const char *what, double value, const double x[3],
                           double time) {
  char text[64];
  CHECK(isfinite(value), ERR_INPUT, "%s: %s is %s at (%g, %g, %g), %s = %g, must be finite",
        item_place(load->where, "load", index, text), what, isnan(value) ? "not a number" : "infinite", x[0], x[1],
        x[2], running(load), time);
  return OK;
}

double load_expression(const Loads *loads, int32_t index, int32_t c, const double x[3], double time) {
  const Load *load = &loads->item[index];
  const LoadType *type = &LOAD_TYPE[load->kind];
  return expr_value(type->coefficient ? &load->ambient[c] : &load->value[type->normal ? 0 : c], x, time);
}

Status load_value(const Loads *loads, int32_t index, int32_t c, const double x[3], double time, double *out) {
  const Load *load = &loads->item[index];
  const LoadType *type = &LOAD_TYPE[load->kind];
  *out = load_expression(loads, index, c, x, time);
  return check_finite(load, index, type->coefficient ? "ambient" : type->name, *out, x, time);
}

/* direction[c] (value[c] factor) of a point. */
static Status point_density(LoadWork *w, const LoadPoint *point, double density[3]) {
  for (int32_t c = 0; c < w->out->n_component; ++c) {
    TRY(load_value(w->out, w->index, c, point->x, w->params->time, &density[c]));
    w->any |= w->timed || density[c] != 0;
    density[c] = point->direction[c] * (density[c] * point->factor);
  }
  return OK;
}

bool load_is_own(const LoadWork *w, int32_t node) {
  const LocalMesh *local = w->params->local;
  return !local || local->solver[node] < local->n_own;
}

/* What a point gives to its nodes: N_a times its density, now or when the time is known. */
static Status add_vector(LoadWork *w, const Facet *facet, int32_t q, LoadPoint point) {
  const int32_t dim = w->out->n_component, n = w->shape->n_node;
  const double *N = w->N + (int64_t)q * n;
  double density[3];
  point.load = w->index;
  TRY(point_density(w, &point, density));
  if (w->timed) TRY(load_point_add(w->out, point));
  for (int32_t a = 0; a < n; ++a) {
    if (w->timed && load_is_own(w, facet->nodes[a]))
      TRY(load_share_add(w->out, (LoadShare){facet->nodes[a], (int32_t)w->out->n_point - 1, N[a]}));
    for (int32_t c = 0; c < dim && !w->timed; ++c)
      w->out->force[(int64_t)facet->nodes[a] * dim + c] += N[a] * density[c];
  }
  return OK;
}

/* Value c of a coefficient at x. */
static Status coefficient_at(const LoadWork *w, int32_t c, const double x[3], double *out) {
  char text[64];
  *out = expr_value(&w->load->value[c], x, w->params->time);
  TRY(check_finite(w->load, w->index, w->type->coefficient, *out, x, w->params->time));
  CHECK(*out >= 0, ERR_INPUT, "%s: %s is %g at (%g, %g, %g), must be >= 0", load_place(w, text), w->type->coefficient,
        *out, x[0], x[1], x[2]);
  return OK;
}

/* Point q of a facet with springs or dashpots along its normal. */
static Status add_along_normal(LoadWork *w, const Facet *facet, int32_t q, const LoadPoint *point, int32_t size,
                               double *to) {
  const int32_t n = w->shape->n_node, dim = w->out->n_component;
  const double *N = w->N + (int64_t)q * n;
  double k, normal[3], length = 0;
  TRY(coefficient_at(w, 0, point->x, &k));
  facet_normal(facet, w->rule.xi[q], normal);
  for (int32_t c = 0; c < dim; ++c) length += normal[c] * normal[c];
  k *= point->factor / length;
  for (int32_t a = 0; a < n; ++a)
    for (int32_t b = a; b < n; ++b)
      for (int32_t r = 0; r < dim; ++r)
        for (int32_t c = r; c < dim; ++c)
          to[pair_number(n, a, b) * size + (r == c ? c : dim + r + c - 1)] += k * normal[r] * normal[c] * N[a] * N[b];
  return OK;
}

/* Point q of a facet with springs or convection: to its matrix, and what the ambient value gives. */
static Status add_coefficients(LoadWork *w, const Facet *facet, int32_t q, LoadPoint point) {
  SpringBlock *block = &w->out->spring[0];
  while (block->type != w->shape) ++block;
  const int32_t n = w->shape->n_node, dim = w->out->n_component, size = spring_numbers(dim, block->form);
  const double *N = w->N + (int64_t)q * n;
  double *to = (w->type->inert     ? block->inertia
                : w->type->viscous ? block->viscosity
                                   : block->kappa) +
               (block->n - 1) * (pair_number(n, n - 1, n - 1) + 1) * size;
  bool given = false;
  if (w->load->along_normal) return add_along_normal(w, facet, q, &point, size, to);
  for (int32_t c = 0; c < dim; ++c) {
    double k;
    TRY(coefficient_at(w, w->type->inert ? 0 : c, point.x, &k));
    for (int32_t a = 0; a < n; ++a)
      for (int32_t b = a; b < n; ++b) to[pair_number(n, a, b) * size + c] += k * N[a] * N[b] * point.factor;
    point.direction[c] = k;
    given |= expr_given(&w->load->ambient[c]);
  }
  return given ? add_vector(w, facet, q, point) : OK;
}

/* Its nodes become the next facet of its block. */
static void begin_coefficients(LoadWork *w, const Facet *facet) {
  SpringBlock *block = &w->out->spring[0];
  while (block->type != w->shape) ++block;
  const int32_t n = w->shape->n_node;
  for (int32_t a = 0; a < n; ++a) block->nodes[(int64_t)block->n * n + a] = facet->nodes[a];
  ++block->n;
}

/* Point q of a facet or element. */
static LoadPoint point_at(const LoadWork *w, const Facet *facet, Weight weight, int32_t q) {
  LoadPoint point = {.direction = {1, 1, 1}};
  facet_point(facet, w->N + (int64_t)q * w->shape->n_node, point.x);
  if (w->type->normal) {
    facet_normal(facet, w->rule.xi[q], point.direction);
    point.factor = -facet->outward * w->rule.weight[q] * weight.thickness * circle_at(w, point.x);
  } else {
    point.factor = measure_at(w, facet, q) / w->total * weight.density * weight.thickness * circle_at(w, point.x);
  }
  return point;
}

/* The circle of a point that moves is found where it is. */
static Status add_follower(LoadWork *w, const Facet *facet, Weight weight) {
  LoadPoint point[ELEMENT_MAX_QUADRATURE];
  for (int32_t q = 0; q < w->rule.n; ++q) {
    point[q] = point_at(w, facet, weight, q);
    point[q].factor = facet->outward * w->rule.weight[q] * weight.thickness;
  }
  return follow_add(w, facet, point);
}

/* All points of a facet or element. */
static Status add_facet(LoadWork *w, const Facet *facet, Weight weight) {
  if (w->type->follows) return add_follower(w, facet, weight);
  if (w->type->coefficient) begin_coefficients(w, facet);
  for (int32_t q = 0; q < w->rule.n; ++q) {
    const LoadPoint point = point_at(w, facet, weight, q);
    TRY(w->type->coefficient ? add_coefficients(w, facet, q, point) : add_vector(w, facet, q, point));
  }
  return OK;
}

static Status find_total(LoadWork *w) {
  const Group *group = w->load->on;
  Facet facet;
  w->total = 0;
  for (int32_t k = 0; k < group->n; ++k) {
    facet_read(w->params->mesh, group->element[k], &facet);
    TRY(use_shape(w, facet.type));
    for (int32_t q = 0; q < w->rule.n; ++q) {
      double x[3];
      facet_point(&facet, w->N + (int64_t)q * w->shape->n_node, x);
      w->total += measure_at(w, &facet, q) * circle_at(w, x);
    }
  }
  return OK;
}

Status load_total(const Mesh *mesh, const Load *load, bool axisymmetric, double *out) {
  const LoadParams params = {.mesh = mesh, .axisymmetric = axisymmetric};
  LoadWork *w = NULL;
  ALLOC(w, 1, "the measure of a group");
  w->params = &params, w->load = load;
  const Status status = LOAD_TYPE[load->kind].total ? find_total(w) : OK;
  *out = w->total;
  FREE(w);
  return status;
}

/* A group that the load is spread over: its measure, and that all of it is on the body. */
static Status measure_group(LoadWork *w) {
  const Group *group = w->load->on;
  Facet facet;
  char text[64];
  for (int32_t k = 0; k < group->n; ++k) {
    facet_read(w->params->mesh, group->element[k], &facet);
    for (int32_t a = 0; a < facet.type->n_node; ++a) {
      const int64_t *start = w->params->incidence->start + facet.nodes[a];
      CHECK(start[1] > start[0], ERR_INPUT, "%s: %s on group '%s' acts at (%g, %g, %g), which is not on the body",
            load_place(w, text), w->type->name, group->name, facet.x[a][0], facet.x[a][1], facet.x[a][2]);
    }
  }
  if (w->load->total > 0) w->total = w->load->total;
  else TRY(find_total(w));
  CHECK(w->total > 0, ERR_INPUT, "%s: %s on group '%s', which has no elements or no size to spread it over",
        load_place(w, text), w->type->name, group->name);
  return OK;
}

/* A facet beside a solved element, which `index` becomes. */
static Status read_facet(const LoadWork *w, int32_t id, Facet *facet, int32_t *index) {
  char text[64];
  const ElementBlock *block = mesh_block_of(w->params->mesh, id);
  facet_sides(w->params->mesh, w->params->set, w->params->incidence, id, facet);
  const double *x = facet->x[0];
  CHECK(facet->n_side > 0, ERR_INPUT,
        "%s: element %lld of group '%s', near (%g, %g, %g), is not on the surface of the body: %s there acts on "
        "nothing; give the group on facets of the solved elements",
        load_place(w, text), (long long)block->tag[id - block->first], w->load->on->name, x[0], x[1], x[2],
        w->type->name);
  CHECK(!w->type->normal || facet->n_side == 1, ERR_INPUT,
        "%s: %s on group '%s' lies between two elements near (%g, %g, %g), where outward is not defined; use traction, "
        "or put the pressure on the outside of the body",
        load_place(w, text), w->type->name, w->load->on->name, x[0], x[1], x[2]);
  *index = space_element_index(w->params->set, facet->side[0]);
  return OK;
}

/* A facet or element of the group, and its weight. */
static Status read_loaded(const LoadWork *w, int32_t id, Facet *facet, Weight *weight) {
  char text[64];
  int32_t index = 0;
  *weight = (Weight){1, 1};
  if (w->type->body || w->type->anywhere) facet_read(w->params->mesh, id, facet);
  if (w->type->anywhere) return OK;
  if (w->type->body) index = space_element_index(w->params->set, id);
  else TRY(read_facet(w, id, facet, &index));
  weight->thickness = element_number(w->params->thickness, index);
  if (!w->type->weighted) return OK;
  weight->density = element_number(w->params->density, index);
  CHECK(weight->density > 0, ERR_INPUT,
        "%s: %s on group '%s' needs the density of its material, which is 0: add 'density:' to the material",
        load_place(w, text), w->type->name, w->load->on->name);
  return OK;
}

/* ERR_INPUT where the kind of load does not fit the dimension of its group, or its coefficient depends on t. */
static Status check_load(const LoadWork *w) {
  const Group *group = w->load->on;
  const int32_t dim = w->params->set->dim, wanted = w->type->body ? dim : dim - 1;
  char text[64];
  for (int c = 0; c < w->out->n_component && w->type->coefficient; ++c)
    CHECK(!expr_is_timed(&w->load->value[c]), ERR_INPUT,
          "%s: %s depends on %s, but it is part of the matrix, which stays the same%s", load_place(w, text),
          w->type->coefficient, running(w->load),
          w->load->kind == LOAD_CONVECTION ? "; let the ambient value depend on t instead" : "");
  if (w->type->anywhere) {
    CHECK(group->dim <= dim, ERR_INPUT, "%s: %s on group '%s' of a %s in 2D", load_place(w, text), w->type->name,
          group->name, DIMENSION[group->dim & 3]);
    return OK;
  }
  CHECK(group->dim == wanted, ERR_INPUT,
        "%s: %s on group '%s', a %s group of %d elements: in %s it acts on %s groups only%s", load_place(w, text),
        w->type->name, group->name, DIMENSION[group->dim & 3], (int)group->n, dim == 3 ? "3D" : "2D", DIMENSION[wanted],
        w->type->body || w->out->n_component == 1 ? "" : "; use 'force' for a total spread over any group");
  return OK;
}

static bool is_timed(const LoadWork *w) {
  const Expr *expr = w->type->coefficient ? w->load->ambient : w->load->value;
  for (int c = 0; c < w->out->n_component; ++c)
    if (expr_is_timed(&expr[c])) return true;
  return false;
}

Status load_add(LoadWork *w, int32_t begin, int32_t end) {
  for (int32_t k = begin; k < end; ++k) {
    Facet facet;
    Weight weight;
    TRY(read_loaded(w, w->load->on->element[k], &facet, &weight));
    TRY(use_shape(w, facet.type));
    TRY(add_facet(w, &facet, weight));
  }
  return OK;
}

Status load_densities(LoadWork *w, int32_t k, int32_t *nodes, double *density) {
  Facet facet;
  Weight weight;
  TRY(read_loaded(w, w->load->on->element[k], &facet, &weight));
  TRY(use_shape(w, facet.type));
  for (int32_t a = 0; a < w->shape->n_node; ++a) nodes[a] = facet.nodes[a];
  for (int32_t q = 0; q < w->rule.n; ++q) {
    const LoadPoint point = point_at(w, &facet, weight, q);
    TRY(point_density(w, &point, density + (int64_t)q * w->out->n_component));
  }
  return OK;
}

Status load_shape(LoadWork *w, int32_t k) {
  return use_shape(w, element_type(mesh_block_of(w->params->mesh, w->load->on->element[k])->kind));
}

Status load_points(LoadWork *w, int32_t k, int64_t first, LoadPoint *point, LoadShare *share) {
  Facet facet;
  Weight weight;
  double density[3];
  TRY(read_loaded(w, w->load->on->element[k], &facet, &weight));
  TRY(use_shape(w, facet.type));
  for (int32_t q = 0; q < w->rule.n; ++q) {
    point[q] = point_at(w, &facet, weight, q);
    point[q].load = w->index;
    TRY(point_density(w, &point[q], density));
    for (int32_t a = 0; a < w->shape->n_node; ++a, ++share)
      *share = (LoadShare){facet.nodes[a], (int32_t)(first + q), w->N[(int64_t)q * w->shape->n_node + a]};
  }
  return OK;
}

static Status one_load(LoadWork *w) {
  const Group *group = w->load->on;
  TRY(check_load(w));
  w->timed = is_timed(w);
  w->any = false;
  w->total = 1;
  if (w->type->total) TRY(measure_group(w));
  TRY(group->n < MANY || w->type->coefficient || w->type->follows ? load_add(w, 0, group->n) : load_add_batches(w));
  w->out->any |= w->any;
  return w->type->weighted ? inertia_load(w) : OK;
}

/* Room for the facets with coefficients, a block per kind. */
static Status count_springs(const LoadParams *params, Loads *out) {
  int64_t count[N_ELEMENT_KINDS] = {0};
  SpringNumbers has = {0};
  for (int32_t l = 0; l < params->n; ++l) {
    const Load *load = &params->item[l];
    const LoadType *type = &LOAD_TYPE[load->kind];
    if (load->along_normal) has.form = SPRING_SYMMETRIC;
    has.viscous = has.viscous || type->viscous;
    has.inert = has.inert || type->inert;
    if (!type->coefficient || (!type->anywhere && load->on->dim != params->set->dim - 1)) continue;
    for (int32_t k = 0; k < load->on->n; ++k) ++count[mesh_block_of(params->mesh, load->on->element[k])->kind];
  }
  return spring_blocks_create(count, params->n_component, has, "springs and convection", out->spring, &out->n_spring);
}

/* Masses, or all others. */
static Status add_loads(LoadWork *w, bool inert) {
  for (w->index = 0; w->index < w->params->n; ++w->index) {
    w->load = &w->out->item[w->index];
    w->type = &LOAD_TYPE[w->load->kind];
    if (w->type->inert == inert) TRY(one_load(w));
  }
  return OK;
}

Status loads_create(const LoadParams *params, Loads *out) {
  Status status = OK;
  LoadWork *w = NULL;
  *out = (Loads){.n_component = params->n_component, .n_item = params->n};
  if (params->inertia) out->inertia = *params->inertia, *params->inertia = (Inertia){0};
  ALLOC_DONE(w, 1, "work space of loads");
  *w = (LoadWork){.params = params, .out = out};
  ALLOC_DONE(out->force, (int64_t)params->set->n_node * params->n_component, "loads");
  ALLOC_DONE(out->item, params->n, "loads");
  TRY_DONE(count_springs(params, out));
  if (!params->inertia) TRY_DONE(joints_create(params, out));
  TRY_DONE(follow_count(params, out));
  for (int32_t l = 0; l < params->n; ++l) out->item[l] = params->item[l];
  TRY_DONE(add_loads(w, true));
  TRY_DONE(inertia_create(params, out));
  TRY_DONE(add_loads(w, false));
  TRY_DONE(load_points_finish(out, params->set->n_node));
  TRY_DONE(loads_evaluate(out, params->time));
done:
  FREE(w);
  if (status != OK) loads_release(out);
  return status;
}

void loads_release(Loads *loads) {
  if (loads->exec) row_values_release(loads->exec, &loads->timed);
  if (loads->exec) EXEC_RELEASE(loads->exec, loads->exec_force, loads->n_row);
  FREE(loads->item);
  FREE(loads->inertia.pair);
  FREE(loads->inertia.body);
  FREE(loads->force);
  FREE(loads->point);
  FREE(loads->share);
  FREE(loads->at_point);
  FREE(loads->start);
  FREE(loads->at_node);
  loads->n_spring += loads->n_follower;
  spring_blocks_release(loads->spring, &loads->n_spring);
}
