/* Volumes of elements, on the host, for tables. */
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
