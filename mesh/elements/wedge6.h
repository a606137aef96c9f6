/* wedge6: 6-node wedge (triangular prism), linear times linear. Vertices of the unit triangle at zeta = -1, then at
 * zeta = 1. VTK has the triangles in reverse: its faces look outward only so. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis_wedge.h"

static const double wedge6_node[6][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
static const int32_t wedge6_vtk[6] = {0, 2, 1, 3, 5, 4};
static const ElementFace wedge6_face[5] = {
    {ELEMENT_TRI3, {0, 2, 1}},     {ELEMENT_TRI3, {3, 4, 5}},     {ELEMENT_QUAD4, {0, 1, 4, 3}},
    {ELEMENT_QUAD4, {1, 2, 5, 4}}, {ELEMENT_QUAD4, {2, 0, 3, 5}},
};

static void wedge6_values(const double xi[3], double *N) { basis_wedge1(wedge6_node, xi, N); }
static void wedge6_gradients(const double xi[3], double *dN) { basis_wedge1_gradient(wedge6_node, xi, dN); }

static const ElementType ELEMENT_TYPE_wedge6 = {
    .name = "wedge6",
    .meaning = "6-node wedge (triangular prism), linear",
    .kind = ELEMENT_WEDGE6,
    .linear = ELEMENT_WEDGE6,
    .shape = SHAPE_WEDGE,
    .dim = 3,
    .n_node = 6,
    .n_vertex = 6,
    .order = 1,
    .gmsh_type = 6,
    .vtk_type = 13,
    .xdmf_type = 8,
    .xdmf_name = "Wedge",
    .vtk_order = wedge6_vtk,
    .node = wedge6_node,
    .n_face = 5,
    .face = wedge6_face,
    .stiffness_degree = 2,
    .mass_degree = 2,
    .values = wedge6_values,
    .gradients = wedge6_gradients,
};
