/* Strains at integration points and volumes of elements, on the host, for tables. */
#include "app/elasticity/elastic.h"
#include "app/setup/point_shape.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

double element_thickness(const Mesh *mesh, const Setup *setup, int32_t e) {
  const int32_t m = setup->element_material[e];
  const MaterialValues *material = m >= 0 ? &elastic_setup(setup)->material[m] : NULL;
  const int at = material && mesh->dim == 2 ? material_parameter(material->kind, "thickness") : -1;
  return at >= 0 ? material->value[at] : 1;
}

/* Of one element at its points. */
static Status element_strains(const Case *c, const Mesh *mesh, int32_t e, const double (*u)[3], double (*strain)[6]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], ring[ELEMENT_MAX_NODES];
  PointShape p;
  Quadrature rule;
  TRY(element_stiffness_quadrature(type, &rule));
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  for (int32_t q = 0; q < rule.n; ++q) {
    double H[3][3] = {{0}};
    point_shape(type, (const double(*)[3])x, rule.xi[q], rule.weight[q], &p);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int32_t i = 0; i < type->dim; ++i)
        for (int32_t k = 0; k < type->dim; ++k) H[i][k] += u[nodes[a]][i] * p.dN[a][k];
    if (case_axisymmetric(c)) point_ring(type, (const double(*)[3])x, rule.xi[q], ring);
    for (int32_t a = 0; case_axisymmetric(c) && a < type->n_node; ++a) H[2][2] += ring[a] * u[nodes[a]][0];
    for (int k = 0; k < 3; ++k) strain[q][k] = H[k][k];
    strain[q][3] = (H[0][1] + H[1][0]) / 2;
    strain[q][4] = (H[1][2] + H[2][1]) / 2;
    strain[q][5] = (H[0][2] + H[2][0]) / 2;
  }
  return OK;
}

Status point_strains(const Case *c, const Mesh *mesh, const ElasticFields *fields, double (**out)[6]) {
  const int32_t first = setup_first_solved(mesh);
  double(*strain)[6] = NULL;
  Status status = OK;
  ALLOC(strain, fields->point_start[mesh->n_element - first], "strain at integration points");
  for (int32_t e = first; status == OK && e < mesh->n_element; ++e)
    status =
        element_strains(c, mesh, e, (const double(*)[3])fields->displacement, strain + fields->point_start[e - first]);
  if (status != OK) FREE(strain);
  *out = strain;
  return status;
}

Status element_volumes(const Case *c, const Mesh *mesh, const Setup *setup, double **out) {
  const int32_t first = setup_first_solved(mesh);
  double x[ELEMENT_MAX_NODES][3], ring[ELEMENT_MAX_NODES];
  PointShape p;
  Quadrature rule;
  ALLOC(*out, mesh->n_element - first, "volumes of elements");
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    TRY(element_stiffness_quadrature(type, &rule));
    for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[mesh_nodes_of(mesh, e)[a]], sizeof x[a]);
    for (int32_t q = 0; q < rule.n; ++q) {
      point_shape(type, (const double(*)[3])x, rule.xi[q], rule.weight[q], &p);
      (*out)[e - first] +=
          p.dV * (case_axisymmetric(c) ? 2 * M_PI * point_ring(type, (const double(*)[3])x, rule.xi[q], ring)
                                       : element_thickness(mesh, setup, e));
    }
  }
  return OK;
}
