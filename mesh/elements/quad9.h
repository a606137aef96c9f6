/* quad9: 9-node quadrilateral, biquadratic. Vertices, then the middles of edges 01 12 23 30, then the centre. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double quad9_node[9][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0},  {-1, 1, 0}, {0, -1, 0},
                                        {1, 0, 0},   {0, 1, 0},  {-1, 0, 0}, {0, 0, 0}};
static const int32_t quad9_vtk[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const ElementFace quad9_face[4] = {
    {ELEMENT_LINE3, {0, 1, 4}},
    {ELEMENT_LINE3, {1, 2, 5}},
    {ELEMENT_LINE3, {2, 3, 6}},
    {ELEMENT_LINE3, {3, 0, 7}},
};

static void quad9_values(const double xi[3], double *N) { basis_tensor(2, 2, 9, quad9_node, xi, N); }
static void quad9_gradients(const double xi[3], double *dN) { basis_tensor_gradient(2, 2, 9, quad9_node, xi, dN); }

static const ElementType ELEMENT_TYPE_quad9 = {
    .name = "quad9",
    .meaning = "9-node quadrilateral, biquadratic",
    .kind = ELEMENT_QUAD9,
    .linear = ELEMENT_QUAD4,
    .shape = SHAPE_QUAD,
    .dim = 2,
    .n_node = 9,
    .n_vertex = 4,
    .order = 2,
    .gmsh_type = 10,
    .vtk_type = 28,
    .xdmf_type = 35,
    .xdmf_name = "Quadrilateral_9",
    .vtk_order = quad9_vtk,
    .node = quad9_node,
    .n_face = 4,
    .face = quad9_face,
    .stiffness_degree = 5,
    .mass_degree = 5,
    .mean_modes = 3,
    .values = quad9_values,
    .gradients = quad9_gradients,
};
