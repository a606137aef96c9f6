/* line3: 3-node line, quadratic. Nodes at -1, 1 and the middle. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double line3_node[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}};
static const int32_t line3_vtk[3] = {0, 1, 2};
static const ElementFace line3_face[2] = {
    {ELEMENT_POINT1, {0}},
    {ELEMENT_POINT1, {1}},
};

static void line3_values(const double xi[3], double *N) { basis_tensor(2, 1, 3, line3_node, xi, N); }
static void line3_gradients(const double xi[3], double *dN) { basis_tensor_gradient(2, 1, 3, line3_node, xi, dN); }

static const ElementType ELEMENT_TYPE_line3 = {
    .name = "line3",
    .meaning = "3-node line, quadratic",
    .kind = ELEMENT_LINE3,
    .linear = ELEMENT_LINE2,
    .shape = SHAPE_LINE,
    .dim = 1,
    .n_node = 3,
    .n_vertex = 2,
    .order = 2,
    .gmsh_type = 8,
    .vtk_type = 21,
    .xdmf_type = 34,
    .xdmf_name = "Edge_3",
    .vtk_order = line3_vtk,
    .node = line3_node,
    .n_face = 2,
    .face = line3_face,
    .stiffness_degree = 3,
    .mass_degree = 5,
    .values = line3_values,
    .gradients = line3_gradients,
};
