/* pyramid5: 5-node pyramid, rational. The base [-1,1]^2 at zeta = 0 counter-clockwise seen from the
 * apex at (0, 0, 1), then the apex. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis_pyramid.h"

static const double pyramid5_node[5][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}};
static const int32_t pyramid5_vtk[5] = {0, 1, 2, 3, 4};
static const ElementFace pyramid5_face[5] = {
    {ELEMENT_QUAD4, {0, 3, 2, 1}}, {ELEMENT_TRI3, {0, 1, 4}}, {ELEMENT_TRI3, {1, 2, 4}},
    {ELEMENT_TRI3, {2, 3, 4}},     {ELEMENT_TRI3, {3, 0, 4}},
};

static void pyramid5_values(const double xi[3], double *N) { basis_pyramid1(pyramid5_node, xi, N); }
static void pyramid5_gradients(const double xi[3], double *dN) { basis_pyramid1_gradient(pyramid5_node, xi, dN); }

static const ElementType ELEMENT_TYPE_pyramid5 = {
    .name = "pyramid5",
    .meaning = "5-node pyramid, linear (rational)",
    .kind = ELEMENT_PYRAMID5,
    .linear = ELEMENT_PYRAMID5,
    .shape = SHAPE_PYRAMID,
    .dim = 3,
    .n_node = 5,
    .n_vertex = 5,
    .order = 1,
    .gmsh_type = 7,
    .vtk_type = 14,
    .xdmf_type = 7,
    .xdmf_name = "Pyramid",
    .vtk_order = pyramid5_vtk,
    .node = pyramid5_node,
    .n_face = 5,
    .face = pyramid5_face,
    .stiffness_degree = 3,
    .mass_degree = 3,
    .values = pyramid5_values,
    .gradients = pyramid5_gradients,
};
