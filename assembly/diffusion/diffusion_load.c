/* Flux, convection and sources as consistent nodal loads and convection matrices, by quadrature with the mass rule of
 * each facet or element; what depends on t is kept as points (diffusion_timed.c). */
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

#include <math.h>

static const char *const LOAD_NAME[] = {"flux", "convection", "source"};
static const char *const DIMENSION[4] = {"point", "curve", "surface", "volume"};

typedef struct LoadWork {
  const DiffusionParams *params;
  const ElementSet *set;
  const Incidence *incidence;
  const DiffusionLoad *load;
  int32_t index;
  bool timed;
  DiffusionLoads *out;
  Quadrature rule; /* of the facets now at hand */
  const ElementType *type;
  double N[ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES];
} LoadWork;

static const char *place(const LoadWork *w, char text[64]) {
  return diffusion_place(w->load->where, "load", w->index, text);
}

static Status use_type(LoadWork *w, const ElementType *type) {
  if (w->type == type) return OK;
  TRY(element_mass_quadrature(type, &w->rule));
  element_tabulate(type, &w->rule, w->N, NULL);
  w->type = type;
  return OK;
}

/* Film coefficient at x. */
static Status film_at(const LoadWork *w, const double x[3], double *h) {
  char text[64];
  *h = expr_value(&w->load->value, x, w->params->time);
  TRY(diffusion_finite(w->load, w->index, "the film coefficient", *h, x, w->params->time));
  CHECK(*h >= 0, ERR_INPUT, "%s: the film coefficient is %g at (%g, %g, %g), must be >= 0", place(w, text), *h, x[0],
        x[1], x[2]);
  return OK;
}

static void add_film(LoadWork *w, const double *N, double factor) {
  SpringBlock *block = &w->out->film[0];
  while (block->type != w->type) ++block;
  const int32_t n = w->type->n_node;
  double *kappa = block->kappa + block->n * (pair_number(n, n - 1, n - 1) + 1);
  for (int32_t a = 0; a < n; ++a)
    for (int32_t b = a; b < n; ++b) kappa[pair_number(n, a, b)] += factor * N[a] * N[b];
}

/* What point q of a facet or element, of measure dA, gives to the nodes. */
static Status add_point(LoadWork *w, const Facet *facet, int32_t q, double dA) {
  const double *N = w->N + (int64_t)q * w->type->n_node;
  const bool film = w->load->kind == DIFFUSION_CONVECTION;
  double x[3], factor = 1;
  facet_point(facet, N, x);
  if (film) {
    TRY(film_at(w, x, &factor));
    add_film(w, N, factor * dA);
  }
  const double value = expr_value(film ? &w->load->ambient : &w->load->value, x, w->params->time);
  TRY(diffusion_finite(w->load, w->index, film ? "ambient" : LOAD_NAME[w->load->kind], value, x, w->params->time));
  if (w->timed) {
    CHECK(w->out->n_point < INT32_MAX, ERR_INPUT, "loads that depend on t are evaluated at too many points");
    TRY(timed_point_add(w->out, (TimedPoint){{x[0], x[1], x[2]}, factor, w->index}));
  }
  for (int32_t a = 0; a < w->type->n_node; ++a) {
    if (w->timed) TRY(timed_share_add(w->out, (TimedShare){facet->nodes[a], (int32_t)w->out->n_point - 1, N[a] * dA}));
    else w->out->force[facet->nodes[a]] += factor * value * N[a] * dA;
  }
  return OK;
}

/* The facet (or element) id with its thickness. */
static Status read_loaded(const LoadWork *w, int32_t id, Facet *facet) {
  const double *thickness = w->params->thickness;
  if (w->load->kind == DIFFUSION_SOURCE) {
    facet_read(w->params->mesh, id, facet);
    if (thickness) facet->thickness = thickness[space_element_index(w->set, id)];
    return OK;
  }
  facet_sides(w->params->mesh, w->set, w->incidence, id, facet);
  if (facet->n_side) {
    if (thickness) facet->thickness = thickness[space_element_index(w->set, facet->side[0])];
    return OK;
  }
  char text[64];
  const ElementBlock *block = mesh_block_of(w->params->mesh, id);
  return FAIL(ERR_INPUT,
              "%s: element %lld of group '%s', near (%g, %g, %g), is not on the surface of the body: %s there acts on "
              "nothing; give the group on facets of the solved elements",
              place(w, text), (long long)block->tag[id - block->first], w->load->on->name, facet->x[0][0],
              facet->x[0][1], facet->x[0][2], LOAD_NAME[w->load->kind]);
}

static Status check_load(const LoadWork *w) {
  const Group *group = w->load->on;
  const int32_t dim = w->set->dim, wanted = w->load->kind == DIFFUSION_SOURCE ? dim : dim - 1;
  char text[64];
  CHECK(group->dim == wanted, ERR_INPUT,
        "%s: %s on group '%s', a %s group of %d elements: here it acts on %s groups only", place(w, text),
        LOAD_NAME[w->load->kind], group->name, DIMENSION[group->dim & 3], (int)group->n, DIMENSION[wanted]);
  CHECK(w->load->kind != DIFFUSION_CONVECTION || !expr_is_timed(&w->load->value), ERR_INPUT,
        "%s: the film coefficient of convection depends on t, but it is part of the matrix, which stays the same; let "
        "the ambient value depend on t instead",
        place(w, text));
  return OK;
}

static Status one_load(LoadWork *w) {
  TRY(check_load(w));
  const Group *group = w->load->on;
  w->timed = expr_is_timed(w->load->kind == DIFFUSION_CONVECTION ? &w->load->ambient : &w->load->value);
  for (int32_t k = 0; k < group->n; ++k) {
    Facet facet;
    TRY(read_loaded(w, group->element[k], &facet));
    TRY(use_type(w, facet.type));
    for (int32_t q = 0; q < w->rule.n; ++q) {
      double J[3][3];
      const double measure = fabs(element_jacobian(w->type, (const double(*)[3])facet.x, w->rule.xi[q], J, false));
      TRY(add_point(w, &facet, q, measure * w->rule.weight[q] * facet.thickness));
    }
    if (w->load->kind != DIFFUSION_CONVECTION) continue;
    SpringBlock *block = &w->out->film[0];
    while (block->type != w->type) ++block;
    for (int32_t a = 0; a < w->type->n_node; ++a)
      block->nodes[(int64_t)block->n * w->type->n_node + a] = facet.nodes[a];
    ++block->n;
  }
  return OK;
}

/* Room for the facets with convection, a block per kind. */
static Status count_films(const DiffusionParams *params, int32_t dim, DiffusionLoads *out) {
  int64_t count[N_ELEMENT_KINDS] = {0};
  for (int32_t l = 0; l < params->n_load; ++l) {
    const DiffusionLoad *load = &params->load[l];
    if (load->kind != DIFFUSION_CONVECTION || load->on->dim != dim - 1) continue;
    for (int32_t k = 0; k < load->on->n; ++k) ++count[mesh_block_of(params->mesh, load->on->element[k])->kind];
  }
  return spring_blocks_create(count, 1, "convection", out->film, &out->n_film);
}

Status diffusion_loads_create(const DiffusionParams *params, const ElementSet *set, const Incidence *incidence,
                              DiffusionLoads *out) {
  Status status = OK;
  LoadWork *w = NULL;
  *out = (DiffusionLoads){.n_item = params->n_load};
  ALLOC_DONE(w, 1, "work space of loads");
  *w = (LoadWork){.params = params, .set = set, .incidence = incidence, .out = out};
  ALLOC_DONE(out->force, set->n_node, "loads");
  ALLOC_DONE(out->item, params->n_load, "loads");
  TRY_DONE(count_films(params, set->dim, out));
  for (w->index = 0; w->index < params->n_load; ++w->index) {
    w->load = &params->load[w->index];
    out->item[w->index] = *w->load;
    TRY_DONE(one_load(w));
  }
  TRY_DONE(timed_finish(out, set->n_node));
done:
  FREE(w);
  if (status != OK) diffusion_loads_release(out);
  return status;
}

void diffusion_loads_release(DiffusionLoads *loads) {
  FREE(loads->force);
  FREE(loads->point);
  FREE(loads->share);
  FREE(loads->at_point);
  FREE(loads->start);
  FREE(loads->at_node);
  FREE(loads->item);
  spring_blocks_release(loads->film, &loads->n_film);
}
