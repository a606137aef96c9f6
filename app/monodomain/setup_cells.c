/* Parameters of cells that vary from node to node: each different set of values becomes a region of its own, which stands
 * at its nodes for that of the tissue (MonodomainParams.node_region). With cells at integration points they vary from
 * element to element, by its middle (element_region). Where there are too many, values are rounded to levels between the
 * least and the largest. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_MOST = 4096, VARYING_MOST = 6, LEVELS_MOST = 4096 };

/* A node, or an element, and its values. */
typedef struct NodeValues {
  int32_t node; /* or the element's id */
  double value[VARYING_MOST];
} NodeValues;

typedef struct Varying {
  const Case *c;
  const Mesh *mesh;
  Setup *setup;
  int32_t tissue, n, n_node;
  bool by_element; /* in the place of nodes */
  int parameter[VARYING_MOST];
  NodeValues *at; /* owned, [n_node]: nodes of the tissue's elements, or those */
} Varying;

static const VaryingValue *varying_of(const Varying *v, int k) {
  return &heart_tissue(v->c, v->tissue)->ionic.varying[v->parameter[k]];
}

static const Param *param_of(const Varying *v, int k) {
  return &ionic_type(heart_setup(v->setup)->ionic[v->tissue].kind)->param[v->parameter[k]];
}

/* Parameters that are words, as 'layer', have no values between. */
static double value_near(const Varying *v, int k, double value) {
  char word[32];
  const Param *param = param_of(v, k);
  return param_word(param, param->min, word, sizeof word) ? floor(value + 0.5) : value;
}

static int order_values(const void *left, const void *right) {
  const NodeValues *a = left, *b = right;
  for (int k = 0; k < VARYING_MOST; ++k)
    if (a->value[k] != b->value[k]) return a->value[k] < b->value[k] ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static bool same_values(const NodeValues *a, const NodeValues *b) {
  return memcmp(a->value, b->value, sizeof a->value) == 0;
}

static Status list_elements(Varying *v) {
  for (int32_t e = setup_first_solved(v->mesh); e < v->mesh->n_element; ++e)
    v->n_node += v->setup->element_material[e] == v->tissue;
  TRY(mem_alloc(v->n_node, sizeof *v->at, "parameters of cells", (void **)&v->at));
  for (int32_t e = setup_first_solved(v->mesh), n = 0; e < v->mesh->n_element; ++e)
    if (v->setup->element_material[e] == v->tissue) v->at[n++].node = e;
  return OK;
}

/* Which nodes the tissue has. */
static Status list_nodes(Varying *v) {
  const int32_t first = setup_first_solved(v->mesh);
  uint8_t *inside = NULL;
  ALLOC(inside, v->mesh->n_node, "nodes of a tissue");
  for (int32_t e = first; e < v->mesh->n_element; ++e) {
    if (v->setup->element_material[e] != v->tissue) continue;
    const int32_t *nodes = mesh_nodes_of(v->mesh, e), n = element_type(mesh_block_of(v->mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) inside[nodes[a]] = 1;
  }
  for (int32_t i = 0; i < v->mesh->n_node; ++i) v->n_node += inside[i];
  const Status status = mem_alloc(v->n_node, sizeof *v->at, "parameters of cells", (void **)&v->at);
  for (int32_t i = 0, n = 0; status == OK && i < v->mesh->n_node; ++i)
    if (inside[i]) v->at[n++].node = i;
  FREE(inside);
  return status;
}

/* Of data of elements, the mean of those of the tissue at a node, which is their value to the bit where all are equal: mean[n_node],
 * count[n_node]. */
static void add_elements(const Varying *v, const double *value, double *mean, double *count) {
  for (int32_t e = setup_first_solved(v->mesh); e < v->mesh->n_element; ++e) {
    if (v->setup->element_material[e] != v->tissue) continue;
    const int32_t *nodes = mesh_nodes_of(v->mesh, e), n = element_type(mesh_block_of(v->mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) mean[nodes[a]] += (value[e] - mean[nodes[a]]) / ++count[nodes[a]];
  }
}

static Status means_at_nodes(Varying *v, int k, const double *value) {
  double *mean = NULL, *count = NULL;
  Status status = OK;
  ALLOC_DONE(mean, v->mesh->n_node, "parameters of cells");
  ALLOC_DONE(count, v->mesh->n_node, "parameters of cells");
  add_elements(v, value, mean, count);
  for (int32_t i = 0; i < v->n_node; ++i) v->at[i].value[k] = value_near(v, k, mean[v->at[i].node]);
done:
  FREE(mean);
  FREE(count);
  return status;
}

/* Where item i is, for messages; its number in the mesh's file. */
static long long place_of(const Varying *v, int32_t i, double x[3]) {
  const int32_t at = v->at[i].node;
  if (v->by_element) {
    const ElementBlock *block = mesh_block_of(v->mesh, at);
    (void)setup_source_element(v->mesh, &(ScalarSource){0}, at, x);
    return (long long)block->tag[at - block->first];
  }
  memcpy(x, v->mesh->x[at], sizeof v->mesh->x[at]);
  return (long long)v->mesh->node_tag[at];
}

static double value_at(const Varying *v, const ScalarSource *source, int32_t at) {
  double x[3];
  if (v->by_element) return setup_source_element(v->mesh, source, at, x);
  return source->node ? source->node[at] : expr_value(source->expr, v->mesh->x[at], 0);
}

static Status values_of(Varying *v, int k, Diagnostics *out) {
  const VaryingValue *given = varying_of(v, k);
  const Param *param = param_of(v, k);
  const double preset = heart_tissue(v->c, v->tissue)->ionic.value[v->parameter[k]].value; /* as long as it varies */
  const double times = given->relative ? preset : 1;
  const int before = out->n;
  ScalarSource source;
  TRY(setup_source(v->c, v->mesh, v->setup, v->tissue, given, param->name, param->name, &source, out));
  if (out->n > before) return OK;
  if (source.element && !v->by_element) TRY(means_at_nodes(v, k, source.element));
  for (int32_t i = 0; i < v->n_node; ++i) {
    double x[3];
    if (!source.element || v->by_element) v->at[i].value[k] = times * value_at(v, &source, v->at[i].node);
    if (param_check(param, v->at[i].value[k]) == OK) continue;
    const long long tag = place_of(v, i, x);
    report_error(out, given->place, "%s %lld, (%g, %g, %g): %s", v->by_element ? "in element" : "at node", tag, x[0],
                 x[1], x[2], status_message());
    status_clear();
    return OK;
  }
  return OK;
}

static int32_t count_sets(Varying *v) {
  int32_t n = v->n_node > 0;
  qsort(v->at, (size_t)v->n_node, sizeof *v->at, order_values);
  for (int32_t i = 1; i < v->n_node; ++i) n += !same_values(&v->at[i], &v->at[i - 1]);
  return n;
}

/* Values of parameter k to `levels` of them. */
static void round_values(Varying *v, int k, int32_t levels) {
  double low = INFINITY, high = -INFINITY;
  for (int32_t i = 0; i < v->n_node; ++i) {
    low = fmin(low, v->at[i].value[k]);
    high = fmax(high, v->at[i].value[k]);
  }
  const double step = (high - low) / (levels - 1);
  for (int32_t i = 0; i < v->n_node && step > 0; ++i)
    v->at[i].value[k] = value_near(v, k, low + step * round((v->at[i].value[k] - low) / step));
}

/* No more than SETS_MOST different ones: all are rounded, to as many levels as can be. */
static int32_t make_sets(Varying *v) {
  int32_t n = count_sets(v);
  for (int32_t levels = LEVELS_MOST; n > SETS_MOST && levels > 2; levels /= 2) {
    for (int k = 0; k < v->n; ++k) round_values(v, k, levels);
    n = count_sets(v);
  }
  return n;
}

/* The longest step depends on the parameters. */
static void check_longest(const Varying *v, const IonicConstants *constants, Diagnostics *out) {
  const CaseTime *time = &v->c->time;
  const NumberValue *step = place_given(time->adaptive.place) ? &time->adaptive.max : &time->step;
  const double bound = ionic_largest_step(constants, 1);
  if (step->value >= bound && !error_reported_at(out, step->place))
    report_error(
        out, step->place,
        "%s is %g ms, must be < %.4g ms with the parameters that some %s have: beyond it the matrix of a step is "
        "not positive definite",
        place_given(time->adaptive.place) ? "max" : "step", step->value, bound, v->by_element ? "elements" : "nodes");
}

/* The sets behind the regions that there are; the tissue's own gets the mean, for what is said of it before the run. */
static Status add_sets(Varying *v, int32_t n, Diagnostics *out) {
  HeartSetup *own = heart_setup(v->setup);
  const int32_t first = own->n_region;
  RESIZE(own->ionic, first + n, "ionic models of the tissue");
  own->n_region += n;
  const int32_t shift = v->by_element ? setup_first_solved(v->mesh) : 0;
  int32_t *const region = v->by_element ? own->point_region : own->node_region[v->tissue];
  for (int32_t i = 0, set = first - 1; i < v->n_node; ++i) {
    if (i == 0 || !same_values(&v->at[i], &v->at[i - 1])) {
      IonicConstants *constants = &own->ionic[++set];
      *constants = own->ionic[v->tissue];
      for (int k = 0; k < v->n; ++k) constants->value[v->parameter[k]] = v->at[i].value[k];
      check_longest(v, constants, out);
    }
    region[v->at[i].node - shift] = set;
  }
  for (int k = 0; k < v->n; ++k) {
    double sum = 0;
    for (int32_t i = 0; i < v->n_node; ++i) sum += v->at[i].value[k];
    if (v->n_node) own->ionic[v->tissue].value[v->parameter[k]] = value_near(v, k, sum / v->n_node);
  }
  return OK;
}

/* Where sets of parameters are told, which are those of the tissue at first. */
static Status make_regions(const Varying *v) {
  HeartSetup *own = heart_setup(v->setup);
  const int32_t first = setup_first_solved(v->mesh), n = v->mesh->n_element - first;
  if (v->by_element) {
    if (own->point_region) return OK;
    ALLOC(own->point_region, n, "cells that vary");
    memcpy(own->point_region, v->setup->element_material + first, (size_t)n * sizeof *own->point_region);
    return OK;
  }
  ALLOC(own->node_region[v->tissue], v->mesh->n_node, "cells that vary");
  for (int32_t i = 0; i < v->mesh->n_node; ++i) own->node_region[v->tissue][i] = v->tissue;
  return OK;
}

static Status vary_tissue(Varying *v, Diagnostics *out) {
  const CaseTissue *tissue = heart_tissue(v->c, v->tissue);
  const IonicType *type = ionic_type(tissue->ionic.model.value);
  const int32_t before = out->n;
  for (int p = 0; p < type->n_param; ++p) {
    if (!place_given(tissue->ionic.varying[p].place)) continue;
    if (v->n == VARYING_MOST) {
      report_error(out, tissue->ionic.varying[p].place, "more than %d parameters vary with the place", VARYING_MOST);
      return OK;
    }
    v->parameter[v->n++] = p;
  }
  TRY(v->by_element ? list_elements(v) : list_nodes(v));
  for (int k = 0; k < v->n; ++k) TRY(values_of(v, k, out));
  TRY(make_regions(v));
  return out->n == before ? add_sets(v, make_sets(v), out) : OK;
}

Status setup_cells(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  HeartSetup *own = heart_setup(setup);
  own->n_node = mesh->n_node;
  own->n_region = c->materials.n;
  TRY(mem_alloc(c->materials.n, sizeof *own->node_region, "cells that vary", (void **)(void *)&own->node_region));
  bool any = false;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    Varying v = {.c = c, .mesh = mesh, .setup = setup, .tissue = t, .by_element = c->reaction.value > 0};
    if (!ionic_varies(&heart_tissue(c, t)->ionic)) continue;
    const Status status = vary_tissue(&v, out);
    FREE(v.at);
    TRY(status);
    any |= !v.by_element;
  }
  own->monodomain.n_region = own->n_region;
  own->monodomain.region = own->ionic;
  own->monodomain.node_region = any ? (const int32_t *const *)own->node_region : NULL;
  return OK;
}
