/* What closes a cavity: nothing has to where its surface has no rim, else planes at right angles to axes in which the
 * nodes of the rim are held. */
#include "assembly/elasticity/cavity.h"
#include "assembly/space/rim.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct Planes {
  const Elasticity *p;
  const Load *load;
  Rim rim;
  bool set[3], dropped[3]; /* there is a plane across this axis; there are two */
  double at[3];
  Cavity *out;
  RimEdge *open; /* those that a lid closes, [n_open] */
  int64_t n_open;
} Planes;

/* The first direction of a node, all of which are there by node. */
static int64_t first_direction(const Supports *s, int32_t node) {
  int64_t low = 0, high = s->list.n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (s->list.item[middle].node < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int compare_rows(const void *a, const void *b) {
  return *(const int32_t *)a < *(const int32_t *)b ? -1 : *(const int32_t *)a > *(const int32_t *)b;
}

/* The support's value of a node along an axis is always 0. */
static bool stays(const Supports *s, int32_t node, int32_t axis) {
  const double origin[3] = {0};
  const int32_t row = node * s->n_component + axis;
  if (!s->list.item) {
    const int32_t *at = bsearch(&row, s->row, (size_t)s->n_value, sizeof row, compare_rows);
    return !at || s->value[at - s->row] == 0;
  }
  for (int64_t k = first_direction(s, node); k < s->list.n && s->list.item[k].node == node; ++k) {
    const Direction *d = &s->list.item[k];
    if (d->component != axis || d->support == s->n_item) continue;
    const Expr *value = &s->item[d->support].value[axis];
    if (!expr_is_constant(value) || expr_value(value, origin, 0) != 0) return false;
  }
  return true;
}

static bool held(const Supports *s, int32_t node, int32_t axis) {
  double d[3];
  for (int32_t c = 0; c < s->n_component; ++c)
    if (supports_direction(s, node, c, d) && fabs(d[axis]) > 1 - 1e-9)
      return s->frame_of[node] >= 0 || stays(s, node, axis);
  return false;
}

/* Axes across which a plane may lie that holds this edge. */
static unsigned planes_of(const Planes *of, const RimEdge *e) {
  const Elasticity *p = of->p;
  const double(*x)[3] = (const double(*)[3])p->space->mesh->x;
  unsigned planes = 0;
  for (int32_t i = p->model == MODEL_AXISYMMETRIC; i < p->dim; ++i) {
    if (fabs(x[e->a][i] - x[e->b][i]) > of->rim.tolerance) continue;
    if (held(&p->supports, e->a, i) && held(&p->supports, e->b, i)) planes |= 1u << i;
  }
  return planes;
}

/* True: the edge lies in this plane, or it is the first one across the axis. */
static bool take_plane(Planes *of, const RimEdge *e, int32_t axis) {
  const double at = of->p->space->mesh->x[e->a][axis];
  if (!of->set[axis]) of->at[axis] = at;
  of->set[axis] = true;
  return fabs(of->at[axis] - at) <= of->rim.tolerance;
}

/* Edges with one plane first, then those that may be in several: in one that is there, else in a new one. */
static Status rim_planes(Planes *of) {
  int64_t open = 0, first = 0;
  for (int turn = 0; turn < 2; ++turn)
    for (int64_t k = 0; k < of->rim.n; ++k) {
      const RimEdge *e = &of->rim.edge[k];
      const unsigned planes = planes_of(of, e);
      const bool one = (planes & (planes - 1)) == 0;
      bool in = false;
      if (turn == 0 && planes == 0 && open++ == 0) first = k;
      if (turn == 0 && planes == 0 && of->load->lid) of->open[of->n_open++] = *e;
      if (planes == 0 || one != (turn == 0)) continue;
      for (int32_t i = 0; i < 3; ++i) in = in || ((planes >> i & 1) && of->set[i] && take_plane(of, e, i));
      for (int32_t i = 0; i < 3 && !in; ++i) in = (planes >> i & 1) && !of->set[i] && take_plane(of, e, i);
      for (int32_t i = 0; i < 3 && !in; ++i)
        if (planes >> i & 1) in = of->dropped[i] = true;
    }
  const double *x = of->p->space->mesh->x[of->rim.edge ? of->rim.edge[first].a : 0];
  CHECK(
      open == 0 || of->load->lid, ERR_INPUT,
      "%s: the surface '%s' encloses no volume: %lld of its edges are open, the first near (%g, %g, %g)\n  allowed: a "
      "closed surface, or one whose rim lies in planes at right angles to axes and is held there along them at 0, as "
      "by 'symmetry'\n  remedy: add the facets that are missing to the group, hold its rim, or 'lid: carries'",
      of->load->where, of->load->on->name, (long long)open, x[0], x[1], x[2]);
  CHECK(open > 0 || !of->load->lid, ERR_INPUT,
        "%s: a lid over '%s', of which no edge is open\n  remedy: leave 'lid' out", of->load->where,
        of->load->on->name);
  return OK;
}

static Status close_by(const Planes *of, CavityClosure *to) {
  const Elasticity *p = of->p;
  double sum = 0;
  for (int32_t i = 0; i < p->dim; ++i) {
    to->x0[i] = of->set[i] ? of->at[i] : 0;
    to->planes |= (unsigned)(of->set[i] && !of->dropped[i]) << i;
    to->along[i] = of->dropped[i] ? 0 : 1;
    sum += to->along[i] * (i == 0 && p->model == MODEL_AXISYMMETRIC ? 2 : 1); /* the divergence of a radius is 2 */
  }
  CHECK(
      sum > 0, ERR_INPUT,
      "%s: planes on all sides close the volume of '%s', two of them across each axis\n  remedy: a larger part of the "
      "cavity, whose surface ends on fewer planes",
      of->load->where, of->load->on->name);
  for (int32_t i = 0; i < p->dim; ++i) to->along[i] /= sum;
  return OK;
}

static Status cavity_close(Elasticity *p, int32_t i) {
  const Load *load = loads_cavity(&p->loads, i);
  Planes of = {.p = p, .load = load};
  CHECK(!load->lid || p->dim == 3, ERR_INPUT,
        "%s: a lid over '%s' of a flat or axisymmetric model\n  allowed: bodies in space\n  remedy: leave 'lid' out, "
        "and hold the rim",
        load->where, load->on->name);
  Status status = rim_create(p->space->mesh, p->model == MODEL_AXISYMMETRIC, 1, &load->on, &of.rim);
  if (status == OK && load->lid) status = mem_alloc(of.rim.n, sizeof *of.open, "edges of a rim", (void **)&of.open);
  if (status == OK) status = rim_planes(&of);
  if (status == OK) status = close_by(&of, &p->cavity[i].closed);
  if (status == OK) status = lids_find(p, i, of.n_open, of.open);
  rim_release(&of.rim);
  FREE(of.open);
  return status;
}

/* No facet of a cavity has another pressure. */
static Status check_alone(const Elasticity *p) {
  const Loads *loads = &p->loads;
  int32_t *of = NULL;
  Status status = OK;
  ALLOC(of, p->space->mesh->n_element, "facets of cavities"); /* number of the load and 1 */
  for (int32_t l = 0; l < loads->n_item && status == OK; ++l) {
    const Load *load = &loads->item[l];
    for (int32_t k = 0; load->kind == LOAD_CAVITY && k < load->on->n && status == OK; ++k) {
      int32_t *at = &of[load->on->element[k]];
      if (*at && *at != l + 1)
        status = FAIL(ERR_INPUT, "%s: '%s' shares facets with the volume of %s", load->where, load->on->name,
                      loads->item[*at - 1].where);
      *at = l + 1;
    }
  }
  for (int32_t l = 0; l < loads->n_item && status == OK; ++l) {
    const Load *load = &loads->item[l];
    const bool presses = load->kind == LOAD_PRESSURE || load->kind == LOAD_FOLLOWER;
    for (int32_t k = 0; presses && k < load->on->n && status == OK; ++k)
      if (of[load->on->element[k]])
        status = FAIL(ERR_INPUT,
                      "%s: pressure on '%s', where %s prescribes the volume and the pressure is a result\n  allowed: "
                      "one of the two\n  remedy: leave the pressure out, or the volume",
                      load->where, load->on->name, loads->item[of[load->on->element[k]] - 1].where);
  }
  FREE(of);
  return status;
}

Status cavities_close(Elasticity *p, const ElasticityParams *params) {
  p->n_cavity = loads_cavities(&p->loads);
  if (!p->n_cavity) return OK;
  CHECK(p->n_cavity <= ELASTIC_CAVITIES, ERR_INPUT, "%d volumes are prescribed, at most %d", (int)p->n_cavity,
        ELASTIC_CAVITIES);
  TRY(check_alone(p));
  for (int32_t i = 0; i < p->n_cavity; ++i) p->cavity[i].closed = params->closure[i];
  if (params->share) return lids_take(p, &params->rims);
  for (int32_t i = 0; i < p->n_cavity; ++i) TRY(cavity_close(p, i));
  return OK;
}
