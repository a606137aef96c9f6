/* quad4: 4-node quadrilateral, bilinear. Vertices of [-1,1]^2, counter-clockwise. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double quad4_node[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const int32_t quad4_vtk[4] = {0, 1, 2, 3};
static const ElementFace quad4_face[4] = {
    {ELEMENT_LINE2, {0, 1}},
    {ELEMENT_LINE2, {1, 2}},
    {ELEMENT_LINE2, {2, 3}},
    {ELEMENT_LINE2, {3, 0}},
};

static void quad4_values(const double xi[3], double *N) { basis_tensor(1, 2, 4, quad4_node, xi, N); }
static void quad4_gradients(const double xi[3], double *dN) { basis_tensor_gradient(1, 2, 4, quad4_node, xi, dN); }

static const ElementType ELEMENT_TYPE_quad4 = {
    .name = "quad4",
    .meaning = "4-node quadrilateral, bilinear",
    .kind = ELEMENT_QUAD4,
    .linear = ELEMENT_QUAD4,
    .shape = SHAPE_QUAD,
    .dim = 2,
    .n_node = 4,
    .n_vertex = 4,
    .order = 1,
    .gmsh_type = 3,
    .vtk_type = 9,
    .xdmf_type = 5,
    .xdmf_name = "Quadrilateral",
    .vtk_order = quad4_vtk,
    .node = quad4_node,
    .n_face = 4,
    .face = quad4_face,
    .stiffness_degree = 3,
    .mass_degree = 3,
    .mean_modes = 1,
    .bubbles = true,
    .values = quad4_values,
    .gradients = quad4_gradients,
};
