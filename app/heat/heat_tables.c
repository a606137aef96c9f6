/* output.tables of heat: the temperature, the flux -k grad T at integration points, and what it needs at the nodes, int grad N
 * . k grad T dV: the heat that goes into a node of a steady body. On the host, from the temperature. */
#include "app/heat/heat_columns.h"
#include "app/run/tables.h"
#include "app/setup/point_shape.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Owned. */
typedef struct HeatPoints {
  int64_t *start;    /* [n_solved + 1] */
  double (*flux)[3]; /* [points] */
  double *flow;      /* [n_node] */
} HeatPoints;

static void heat_points_release(HeatPoints *p) {
  FREE(p->start);
  FREE(p->flux);
  FREE(p->flow);
}

static Status heat_points_of(const Run *run, const Setup *setup, int32_t e, const double *temperature,
                             HeatPoints *out) {
  static const int pair[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; /* of xx yy zz xy yz xz */
  const Mesh *mesh = run->mesh;
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e), at = e - setup_first_solved(mesh),
                space = mesh->in_space ? 3 : type->dim;
  const double *k = heat_setup(setup)->tensor[at], thickness = mesh->dim == 2 ? heat_setup(setup)->thickness[at] : 1;
  double x[ELEMENT_MAX_NODES][3], ring[ELEMENT_MAX_NODES];
  PointShape p;
  Quadrature rule;
  TRY(element_stiffness_quadrature(type, &rule));
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  for (int32_t q = 0; q < rule.n; ++q) {
    double slope[3] = {0}, *flux = out->flux[out->start[at] + q];
    (mesh->in_space ? point_shape_in_space : point_shape)(type, (const double(*)[3])x, rule.xi[q], rule.weight[q], &p);
    p.dV *=
        case_axisymmetric(run->c) ? 2 * M_PI * point_ring(type, (const double(*)[3])x, rule.xi[q], ring) : thickness;
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int32_t i = 0; i < space; ++i) slope[i] += p.dN[a][i] * temperature[nodes[a]];
    for (int32_t i = 0; i < space; ++i)
      for (int32_t j = 0; j < space; ++j) flux[i] -= k[pair[i][j]] * slope[j];
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int32_t i = 0; i < space; ++i) out->flow[nodes[a]] -= p.dN[a][i] * flux[i] * p.dV;
  }
  return OK;
}

static Status heat_points_find(const Run *run, const Setup *setup, const double *temperature, HeatPoints *out) {
  const Mesh *mesh = run->mesh;
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  TRY(point_starts(mesh, first, &out->start));
  ALLOC(out->flow, mesh->n_node, "heat at nodes");
  ALLOC(out->flux, out->start[n], "flux at integration points");
  for (int32_t e = first; e < mesh->n_element; ++e) TRY(heat_points_of(run, setup, e, temperature, out));
  return OK;
}

Status heat_tables_add(const Run *run, const Setup *setup, double time, const double *temperature, Text *out) {
  HeatPoints points = {0};
  Status status = OK;
  for (int32_t i = 0; i < run->c->output.tables.n && status == OK; ++i) {
    const int32_t word = case_table(run->c, i)->field.value;
    if (word != HEAT_TABLE_TEMPERATURE && !points.start) status = heat_points_find(run, setup, temperature, &points);
    const TableValues of[N_HEAT_TABLES] = {
        [HEAT_TABLE_TEMPERATURE] = {.head = " temperatures", .width = 1, .stride = 1, .value = temperature},
        [HEAT_TABLE_FLUX] = {.head = " heat flux (elem, integ.pnt.,qx,qy,qz)",
                             .width = 3,
                             .stride = 3,
                             .value = (const double *)points.flux,
                             .start = points.start},
        [HEAT_TABLE_FLOW] = {.head = " heat generation", .width = 1, .stride = 1, .value = points.flow}};
    if (status == OK) status = table_add(run, setup, i, time, &of[word], out);
  }
  heat_points_release(&points);
  return status;
}
