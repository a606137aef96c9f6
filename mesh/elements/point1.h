/* point1: point. A point: the end of a line, a concentrated load, a probe. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double point1_node[1][3] = {{0, 0, 0}};
static const int32_t point1_vtk[1] = {0};

static void point1_values(const double xi[3], double *N) {
  (void)xi;
  N[0] = 1.0;
}
static void point1_gradients(const double xi[3], double *dN) {
  (void)xi;
  (void)dN;
}

static const ElementType ELEMENT_TYPE_point1 = {
    .name = "point1",
    .meaning = "point",
    .kind = ELEMENT_POINT1,
    .linear = ELEMENT_POINT1,
    .shape = SHAPE_POINT,
    .dim = 0,
    .n_node = 1,
    .n_vertex = 1,
    .order = 1,
    .gmsh_type = 15,
    .vtk_type = 1,
    .xdmf_type = 1,
    .xdmf_name = "Polyvertex",
    .vtk_order = point1_vtk,
    .node = point1_node,
    .n_face = 0,
    .face = NULL,
    .stiffness_degree = 0,
    .mass_degree = 0,
    .values = point1_values,
    .gradients = point1_gradients,
};
