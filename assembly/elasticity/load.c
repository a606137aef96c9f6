/* Consistent nodal forces of tractions, pressures, total forces and gravity, and spring matrices, by quadrature with
 * the mass rule of each element. */
#include "assembly/elasticity/load.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

static const char *const LOAD_NAME[] = {"traction", "pressure", "force", "spring", "gravity"};
static const char *const DIMENSION[4] = {"point", "curve", "surface", "volume"};

typedef struct LoadWork {
  const ElasticityParams *params;
  const ElementSet *set;
  const Incidence *incidence;
  const Load *load;
  int32_t index;
  Loads *out;
  Quadrature rule; /* of the facets now at hand */
  const ElementType *type;
  double N[ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES];
} LoadWork;

static Status use_type(LoadWork *w, const ElementType *type) {
  if (w->type == type) return OK;
  if (type->dim == 0) {
    w->rule = (Quadrature){.n = 1, .weight = {1}};
    w->N[0] = 1;
  } else {
    TRY(element_mass_quadrature(type, &w->rule));
    element_tabulate(type, &w->rule, w->N, NULL);
  }
  w->type = type;
  return OK;
}

static double measure_at(const LoadWork *w, const Facet *facet, int32_t q) {
  double J[3][3];
  if (w->type->dim == 0) return 1;
  return fabs(element_jacobian(w->type, (const double(*)[3])facet->x, w->rule.xi[q], J, false)) * w->rule.weight[q];
}

static Status value_at(const LoadWork *w, int32_t c, const double x[3], double *out) {
  char text[64];
  *out = expr_value(&w->load->value[c], x, w->params->time);
  CHECK(isfinite(*out), ERR_INPUT, "%s: %s is %s at (%g, %g, %g), must be finite", load_place(w->load, w->index, text),
        LOAD_NAME[w->load->kind], isnan(*out) ? "not a number" : "infinite", x[0], x[1], x[2]);
  if (*out != 0 && w->load->kind != LOAD_SPRING) w->out->any = true;
  return OK;
}

/* The load's vector at x times a factor; z = 0 in 2D. */
static Status vector_at(const LoadWork *w, const double x[3], double factor, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int32_t c = 0; c < w->set->dim; ++c) {
    TRY(value_at(w, c, x, &out[c]));
    out[c] *= factor;
  }
  return OK;
}

/* force at the nodes += N_a density; density [dim] at point q, measure included. */
static void add_force(LoadWork *w, const Facet *facet, int32_t q, const double *density) {
  const int32_t dim = w->set->dim == 3 ? 3 : 2, n = w->type->n_node;
  for (int32_t a = 0; a < n; ++a)
    for (int32_t c = 0; c < dim; ++c)
      w->out->force[(int64_t)facet->nodes[a] * dim + c] += w->N[(int64_t)q * n + a] * density[c];
}

static Status add_traction(LoadWork *w, const Facet *facet) {
  for (int32_t q = 0; q < w->rule.n; ++q) {
    double x[3], density[3];
    facet_point(facet, w->N + (int64_t)q * w->type->n_node, x);
    TRY(vector_at(w, x, measure_at(w, facet, q) * facet->thickness, density));
    add_force(w, facet, q, density);
  }
  return OK;
}

static Status add_pressure(LoadWork *w, const Facet *facet) {
  char text[64];
  const double *p = facet->x[0];
  CHECK(facet->n_side == 1, ERR_INPUT,
        "%s: pressure on group '%s' lies between two elements near (%g, %g, %g), where outward is not defined; use "
        "traction, or put the pressure on the outside of the body",
        load_place(w->load, w->index, text), w->load->on->name, p[0], p[1], p[2]);
  for (int32_t q = 0; q < w->rule.n; ++q) {
    double x[3], normal[3], pressure;
    facet_point(facet, w->N + (int64_t)q * w->type->n_node, x);
    TRY(value_at(w, 0, x, &pressure));
    facet_normal(facet, w->rule.xi[q], normal);
    for (int i = 0; i < 3; ++i) normal[i] *= -pressure * facet->outward * w->rule.weight[q] * facet->thickness;
    add_force(w, facet, q, normal);
  }
  return OK;
}

/* kappa of one facet, [pairs][dim]. */
static Status add_spring(LoadWork *w, const Facet *facet) {
  SpringBlock *block = &w->out->spring[0];
  while (block->type != w->type) ++block;
  const int32_t n = w->type->n_node, dim = w->set->dim;
  const int64_t pairs = pair_number(n, n - 1, n - 1) + 1;
  double *kappa = block->kappa + block->n * pairs * dim;
  for (int32_t a = 0; a < n; ++a) block->nodes[(int64_t)block->n * n + a] = facet->nodes[a];
  for (int32_t q = 0; q < w->rule.n; ++q) {
    const double dA = measure_at(w, facet, q) * facet->thickness, *N = w->N + (int64_t)q * n;
    double x[3], k;
    facet_point(facet, N, x);
    for (int32_t c = 0; c < dim; ++c) {
      char text[64];
      TRY(value_at(w, c, x, &k));
      CHECK(k >= 0, ERR_INPUT, "%s: spring is %g at (%g, %g, %g), must be >= 0", load_place(w->load, w->index, text), k,
            x[0], x[1], x[2]);
      for (int32_t a = 0; a < n; ++a)
        for (int32_t b = a; b < n; ++b) kappa[pair_number(n, a, b) * dim + c] += k * N[a] * N[b] * dA;
    }
  }
  ++block->n;
  return OK;
}

static Status add_gravity(LoadWork *w, const Facet *element) {
  const int32_t m = w->params->element_material[element->id];
  CHECK(m >= 0, ERR_BUG, "solved element %d has no material", (int)element->id);
  const MaterialValues *material = &w->params->material[m];
  const ElasticConstants constants = material_constants(material->kind, w->params->model, material->value);
  char text[64];
  CHECK(constants.density > 0, ERR_INPUT,
        "%s: gravity on group '%s' needs the density of its material, which is 0: add 'density:' to the material",
        load_place(w->load, w->index, text), w->load->on->name);
  for (int32_t q = 0; q < w->rule.n; ++q) {
    double x[3], density[3];
    facet_point(element, w->N + (int64_t)q * w->type->n_node, x);
    TRY(vector_at(w, x, measure_at(w, element, q) * constants.density * constants.thickness, density));
    add_force(w, element, q, density);
  }
  return OK;
}

/* A total force, spread evenly over the group's measure. */
static Status add_total(LoadWork *w) {
  const Group *group = w->load->on;
  double total = 0;
  Facet facet;
  for (int32_t k = 0; k < group->n; ++k) {
    facet_read(w->params->mesh, group->element[k], &facet);
    TRY(use_type(w, facet.type));
    for (int32_t q = 0; q < w->rule.n; ++q) total += measure_at(w, &facet, q);
  }
  char text[64];
  CHECK(total > 0, ERR_INPUT, "%s: force on group '%s', which has no elements or no size to spread it over",
        load_place(w->load, w->index, text), group->name);
  for (int32_t k = 0; k < group->n; ++k) {
    facet_read(w->params->mesh, group->element[k], &facet);
    TRY(use_type(w, facet.type));
    for (int32_t a = 0; a < facet.type->n_node; ++a) {
      const int32_t i = facet.nodes[a];
      CHECK(w->incidence->start[i + 1] > w->incidence->start[i], ERR_INPUT,
            "%s: force on group '%s' acts at (%g, %g, %g), which is not on the body",
            load_place(w->load, w->index, text), group->name, facet.x[a][0], facet.x[a][1], facet.x[a][2]);
    }
    for (int32_t q = 0; q < w->rule.n; ++q) {
      double x[3], density[3];
      facet_point(&facet, w->N + (int64_t)q * w->type->n_node, x);
      TRY(vector_at(w, x, measure_at(w, &facet, q) / total, density));
      add_force(w, &facet, q, density);
    }
  }
  return OK;
}

/* ERR_INPUT where the kind of load does not fit the dimension of its group. */
static Status check_dimension(const LoadWork *w) {
  const Group *group = w->load->on;
  const int32_t dim = w->set->dim, wanted = w->load->kind == LOAD_GRAVITY ? dim : dim - 1;
  char text[64];
  if (w->load->kind == LOAD_FORCE) {
    CHECK(group->dim <= dim, ERR_INPUT, "%s: force on group '%s' of a %s in a plane model",
          load_place(w->load, w->index, text), group->name, DIMENSION[group->dim & 3]);
    return OK;
  }
  CHECK(group->dim == wanted, ERR_INPUT,
        "%s: %s on group '%s', a %s group of %d elements: in %s it acts on %s groups only%s",
        load_place(w->load, w->index, text), LOAD_NAME[w->load->kind], group->name, DIMENSION[group->dim & 3],
        (int)group->n, dim == 3 ? "3D" : "a plane model", DIMENSION[wanted],
        w->load->kind == LOAD_GRAVITY ? "" : "; use 'force' for a total spread over any group");
  return OK;
}

static Status one_load(LoadWork *w) {
  TRY(check_dimension(w));
  if (w->load->kind == LOAD_FORCE) return add_total(w);
  const Group *group = w->load->on;
  for (int32_t k = 0; k < group->n; ++k) {
    Facet facet;
    if (w->load->kind == LOAD_GRAVITY) facet_read(w->params->mesh, group->element[k], &facet);
    else TRY(facet_on_body(w->params, w->set, w->incidence, w->load, w->index, group->element[k], &facet));
    TRY(use_type(w, facet.type));
    switch (w->load->kind) {
    case LOAD_TRACTION: TRY(add_traction(w, &facet)); break;
    case LOAD_PRESSURE: TRY(add_pressure(w, &facet)); break;
    case LOAD_SPRING: TRY(add_spring(w, &facet)); break;
    case LOAD_GRAVITY: TRY(add_gravity(w, &facet)); break;
    case LOAD_FORCE: break;
    }
  }
  return OK;
}

/* Room for the spring facets, a block per kind. */
static Status count_springs(const ElasticityParams *params, int32_t dim, Loads *out) {
  int64_t count[N_ELEMENT_KINDS] = {0};
  for (int32_t l = 0; l < params->n_load; ++l) {
    const Load *load = &params->load[l];
    if (load->kind != LOAD_SPRING || load->on->dim != dim - 1) continue;
    for (int32_t k = 0; k < load->on->n; ++k) ++count[mesh_block_of(params->mesh, load->on->element[k])->kind];
  }
  return spring_blocks_create(count, dim, "springs", out->spring, &out->n_spring);
}

Status loads_create(const ElasticityParams *params, const ElementSet *set, const Incidence *incidence, Loads *out) {
  Status status = OK;
  *out = (Loads){0};
  LoadWork *w = NULL;
  ALLOC_DONE(w, 1, "work space of loads");
  *w = (LoadWork){.params = params, .set = set, .incidence = incidence, .out = out};
  ALLOC_DONE(out->force, (int64_t)set->n_node * set->dim, "external forces");
  TRY_DONE(count_springs(params, set->dim, out));
  for (w->index = 0; w->index < params->n_load; ++w->index) {
    w->load = &params->load[w->index];
    TRY_DONE(one_load(w));
  }
done:
  FREE(w);
  if (status != OK) loads_release(out);
  return status;
}

void loads_release(Loads *loads) {
  FREE(loads->force);
  spring_blocks_release(loads->spring, &loads->n_spring);
}
