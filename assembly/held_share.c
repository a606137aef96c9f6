#include "assembly/held_share.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* A facet so turned from the direction does not hold it. */
static const double TURNED = 1e-6;

typedef struct Work {
  const Mesh *mesh;
  double *weight; /* [n_element] */
  double *all;    /* [n_node] weights of the held facets at the node */
  const Group *group;
} Work;

/* Area, and area times normal, of a facet; a point has area 1. */
static Status facet_area(const Mesh *mesh, int32_t e, double *area, double normal[3]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3];
  Quadrature rule;
  *area = type->dim == 0;
  normal[0] = normal[1] = normal[2] = 0;
  if (type->dim == 0) return OK;
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  TRY(element_stiffness_quadrature(type, &rule));
  for (int32_t q = 0; q < rule.n; ++q) {
    double J[3][3];
    *area += rule.weight[q] * fabs(element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false));
    if (type->dim == 1) {
      normal[0] += rule.weight[q] * J[1][0];
      normal[1] -= rule.weight[q] * J[0][0];
    }
    for (int i = 0; i < 3 && type->dim == 2; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      normal[i] += rule.weight[q] * (J[j][0] * J[k][1] - J[k][0] * J[j][1]);
    }
  }
  return OK;
}

/* The largest weight that a support gives to each of its facets. */
static Status weigh(Work *w, const HeldGroup *held, int c) {
  if (held->on->dim != w->group->dim || !(held->normal || held->components >> c & 1)) return OK;
  for (int32_t k = 0; k < held->on->n; ++k) {
    const int32_t e = held->on->element[k];
    double area, normal[3];
    TRY(facet_area(w->mesh, e, &area, normal));
    const double part = held->components >> c & 1 ? area : fabs(normal[c]);
    if (part > TURNED * area && part > w->weight[e]) w->weight[e] = part;
  }
  return OK;
}

static void spread(const Mesh *mesh, int32_t e, double weight, double *to) {
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
  for (int32_t a = 0; a < n; ++a) to[nodes[a]] += weight;
}

static void divide(const Work *w, double *share) {
  for (int32_t e = 0; e < w->mesh->n_element; ++e)
    if (w->weight[e] > 0) spread(w->mesh, e, w->weight[e], w->all);
  for (int32_t k = 0; k < w->group->n; ++k) spread(w->mesh, w->group->element[k], w->weight[w->group->element[k]], share);
  for (int32_t k = 0; k < w->group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(w->mesh, w->group->element[k]);
    const int32_t n = element_type(mesh_block_of(w->mesh, w->group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      double *all = &w->all[nodes[a]];
      if (*all < 0) continue; /* done */
      share[nodes[a]] = *all > 0 ? share[nodes[a]] / *all : 1;
      *all = -1;
    }
  }
}

Status held_share(const Mesh *mesh, int32_t n_held, const HeldGroup *held, const Group *group, int c, double *share) {
  Work w = {.mesh = mesh, .group = group};
  Status status = OK;
  memset(share, 0, (size_t)mesh->n_node * sizeof *share);
  ALLOC_DONE(w.weight, mesh->n_element, "shares of reactions");
  ALLOC_DONE(w.all, mesh->n_node, "shares of reactions");
  for (int32_t k = 0; k < n_held; ++k) TRY_DONE(weigh(&w, &held[k], c));
  divide(&w, share);
done:
  FREE(w.weight);
  FREE(w.all);
  return status;
}
