/* hex8: 8-node hexahedron, trilinear. Vertices of [-1,1]^3: the bottom counter-clockwise seen from above, then the top.
 */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double hex8_node[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const int32_t hex8_vtk[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static const ElementFace hex8_face[6] = {
    {ELEMENT_QUAD4, {0, 3, 2, 1}}, {ELEMENT_QUAD4, {0, 1, 5, 4}}, {ELEMENT_QUAD4, {0, 4, 7, 3}},
    {ELEMENT_QUAD4, {1, 2, 6, 5}}, {ELEMENT_QUAD4, {2, 3, 7, 6}}, {ELEMENT_QUAD4, {4, 5, 6, 7}},
};

static void hex8_values(const double xi[3], double *N) { basis_tensor(1, 3, 8, hex8_node, xi, N); }
static void hex8_gradients(const double xi[3], double *dN) { basis_tensor_gradient(1, 3, 8, hex8_node, xi, dN); }

static const ElementType ELEMENT_TYPE_hex8 = {
    .name = "hex8",
    .meaning = "8-node hexahedron, trilinear",
    .kind = ELEMENT_HEX8,
    .linear = ELEMENT_HEX8,
    .shape = SHAPE_HEXAHEDRON,
    .dim = 3,
    .n_node = 8,
    .n_vertex = 8,
    .order = 1,
    .gmsh_type = 5,
    .vtk_type = 12,
    .xdmf_type = 9,
    .xdmf_name = "Hexahedron",
    .vtk_order = hex8_vtk,
    .node = hex8_node,
    .n_face = 6,
    .face = hex8_face,
    .stiffness_degree = 3,
    .mass_degree = 3,
    .mean_modes = 1,
    .bubbles = true,
    .values = hex8_values,
    .gradients = hex8_gradients,
};
