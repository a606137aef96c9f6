/* line2: 2-node line, linear. Two nodes at -1 and 1. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double line2_node[2][3] = {{-1, 0, 0}, {1, 0, 0}};
static const int32_t line2_vtk[2] = {0, 1};
static const ElementFace line2_face[2] = {
    {ELEMENT_POINT1, {0}},
    {ELEMENT_POINT1, {1}},
};

static void line2_values(const double xi[3], double *N) { basis_tensor(1, 1, 2, line2_node, xi, N); }
static void line2_gradients(const double xi[3], double *dN) { basis_tensor_gradient(1, 1, 2, line2_node, xi, dN); }

static const ElementType ELEMENT_TYPE_line2 = {
    .name = "line2",
    .meaning = "2-node line, linear",
    .kind = ELEMENT_LINE2,
    .linear = ELEMENT_LINE2,
    .shape = SHAPE_LINE,
    .dim = 1,
    .n_node = 2,
    .n_vertex = 2,
    .order = 1,
    .gmsh_type = 1,
    .vtk_type = 3,
    .xdmf_type = 2,
    .xdmf_name = "Polyline",
    .vtk_order = line2_vtk,
    .node = line2_node,
    .n_face = 2,
    .face = line2_face,
    .stiffness_degree = 1,
    .mass_degree = 3,
    .values = line2_values,
    .gradients = line2_gradients,
};
