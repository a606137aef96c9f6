/* Probes, and heat through boundaries and in elements. */
#include "app/heat/heat_columns.h"
#include "app/run/result_stream.h"
#include "assembly/elasticity/reaction_share.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <string.h>

FieldPart heat_probe(const Case *c, int32_t i) {
  return field_part(heat_field, N_HEAT_FIELDS, case_probe(c, i)->field.text);
}

unsigned heat_fields_needed(const Case *c) {
  unsigned which = 1u << HEAT_TEMPERATURE;
  for (int32_t k = 0; k < N_HEAT_FIELDS; ++k) which |= (unsigned)words_have(&c->output.fields, k) << k;
  for (int32_t i = 0; i < c->output.probes.n; ++i) which |= 1u << heat_probe(c, i).row;
  for (int32_t i = 0; i < c->output.sums.n; ++i)
    if (case_sum(c, i)->field.value == HEAT_SUM_FLOW) which |= 1u << HEAT_REACTION;
  return which;
}

/* What is integrated over the elements of a group. */
typedef struct Integrand {
  const Load *load; /* NULL: the temperature itself */
  const HeatState *state;
  bool axisymmetric;
} Integrand;

static double integrand_at(const Integrand *f, const double x[3], double temperature) {
  if (!f->load) return temperature;
  const double value = expr_value(&f->load->value[0], x, f->state->time);
  if (f->load->kind != LOAD_CONVECTION) return value;
  return value * (expr_value(&f->load->ambient[0], x, f->state->time) - temperature);
}

static Status heat_columns_integrate(const Mesh *mesh, int32_t e, const Integrand *f, double *out) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  Quadrature rule;
  double corner[ELEMENT_MAX_NODES][3];
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(corner[a], mesh->x[nodes[a]], sizeof corner[a]);
  if (type->dim == 0) {
    *out = integrand_at(f, corner[0], f->state->value[HEAT_TEMPERATURE][nodes[0]]);
    return OK;
  }
  TRY(element_load_quadrature(type, &rule));
  *out = 0;
  for (int32_t q = 0; q < rule.n; ++q) {
    double N[ELEMENT_MAX_NODES], J[3][3], x[3] = {0}, temperature = 0;
    type->values(rule.xi[q], N);
    for (int32_t a = 0; a < type->n_node; ++a) {
      temperature += N[a] * f->state->value[HEAT_TEMPERATURE][nodes[a]];
      for (int k = 0; k < 3; ++k) x[k] += N[a] * corner[a][k];
    }
    const double circle = f->axisymmetric ? 2 * acos(-1) * x[0] : 1;
    *out += rule.weight[q] * element_jacobian(type, (const double(*)[3])corner, rule.xi[q], J, false) *
            integrand_at(f, x, temperature) * circle;
  }
  return OK;
}

/* The reactions of the group's own supports (reaction_share.h). */
static Status through_supports(const Mesh *mesh, const Setup *setup, const Group *on, const double *reaction,
                               double *sum) {
  const int32_t n = heat_setup(setup)->diffusion.n_support;
  SupportedGroup *held = NULL;
  ALLOC(held, n, "parts of reactions");
  for (int32_t k = 0; k < n; ++k) held[k] = (SupportedGroup){.on = heat_setup(setup)->held[k].on, .components = 1};
  const Status status = reaction_share_sum(mesh, n, held, on, 1, reaction, NULL, sum);
  FREE(held);
  return status;
}

/* Of a total power 1 over the measure of its group, in which the thickness has no part; of all else 1. */
static Status load_factor(const Mesh *mesh, const Setup *setup, const Load *load, double *out) {
  *out = 1;
  if (load->kind != LOAD_FORCE) return OK;
  if (load->total > 0) *out = load->total;
  else TRY(load_total(mesh, load, heat_setup(setup)->diffusion.axisymmetric, out));
  *out = 1 / *out;
  return OK;
}

/* Through supports: their reactions. Through facets of the group that carry flux, power or convection: its
 * integral. All else is insulated. */
static Status heat_flow(const Mesh *mesh, const Setup *setup, const Group *on, const HeatState *state, double *sum) {
  TRY(through_supports(mesh, setup, on, state->value[HEAT_REACTION], sum));
  for (int32_t l = 0; l < heat_setup(setup)->diffusion.n_load; ++l) {
    const Load *load = &heat_setup(setup)->heating[l];
    const Integrand f = {load, state, heat_setup(setup)->diffusion.axisymmetric};
    const double *thickness = load->kind == LOAD_FORCE ? NULL : heat_setup(setup)->facet_thickness;
    double factor;
    if (load->kind == LOAD_SOURCE || load->on->dim != on->dim) continue;
    TRY(load_factor(mesh, setup, load, &factor));
    for (int32_t i = 0; i < load->on->n; ++i) {
      double part = 0;
      if (ascending_find(on->n, on->element, load->on->element[i]) < 0) continue;
      TRY(heat_columns_integrate(mesh, load->on->element[i], &f, &part));
      *sum += part * factor * (thickness ? thickness[load->on->element[i]] : 1);
    }
  }
  return OK;
}

/* int capacity u dV, from temperature 0. */
static Status heat_content(const Mesh *mesh, const Setup *setup, const Group *on, const HeatState *state, double *sum) {
  const Integrand f = {NULL, state, heat_setup(setup)->diffusion.axisymmetric};
  *sum = 0;
  for (int32_t i = 0; i < on->n; ++i) {
    const int32_t e = on->element[i] - setup_first_solved(mesh);
    double part = 0;
    TRY(heat_columns_integrate(mesh, on->element[i], &f, &part));
    *sum += part * heat_setup(setup)->capacity[e] * (mesh->dim == 2 ? heat_setup(setup)->thickness[e] : 1);
  }
  return OK;
}

Status heat_columns_fill(const Case *c, const Mesh *mesh, const Setup *setup, const HeatState *state, double *value) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const FieldPart part = heat_probe(c, i);
    *value++ = field_at(mesh, &setup->probe[i], &heat_field[part.row], part.component, state->value[part.row]);
  }
  for (int32_t i = 0; i < c->output.sums.n; ++i, ++value)
    if (case_sum(c, i)->field.value == HEAT_SUM_FLOW) TRY(heat_flow(mesh, setup, setup->sum[i], state, value));
    else TRY(heat_content(mesh, setup, setup->sum[i], state, value));
  return OK;
}
