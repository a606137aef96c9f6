/* quad8: 8-node quadrilateral, serendipity. Vertices, then the middles of edges 01 12 23 30. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double quad8_node[8][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0},
                                        {0, -1, 0},  {1, 0, 0},  {0, 1, 0}, {-1, 0, 0}};
static const int32_t quad8_vtk[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static const ElementFace quad8_face[4] = {
    {ELEMENT_LINE3, {0, 1, 4}},
    {ELEMENT_LINE3, {1, 2, 5}},
    {ELEMENT_LINE3, {2, 3, 6}},
    {ELEMENT_LINE3, {3, 0, 7}},
};

static void quad8_values(const double xi[3], double *N) { basis_serendipity(2, 8, quad8_node, xi, N); }
static void quad8_gradients(const double xi[3], double *dN) { basis_serendipity_gradient(2, 8, quad8_node, xi, dN); }

static const ElementType ELEMENT_TYPE_quad8 = {
    .name = "quad8",
    .meaning = "8-node quadrilateral, serendipity",
    .kind = ELEMENT_QUAD8,
    .linear = ELEMENT_QUAD4,
    .shape = SHAPE_QUAD,
    .dim = 2,
    .n_node = 8,
    .n_vertex = 4,
    .order = 2,
    .gmsh_type = 16,
    .vtk_type = 23,
    .xdmf_type = 37,
    .xdmf_name = "Quadrilateral_8",
    .vtk_order = quad8_vtk,
    .node = quad8_node,
    .n_face = 4,
    .face = quad8_face,
    .stiffness_degree = 5,
    .mass_degree = 5,
    .mean_modes = 1,
    .values = quad8_values,
    .gradients = quad8_gradients,
};
