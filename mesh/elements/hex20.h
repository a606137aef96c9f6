/* hex20: 20-node hexahedron, serendipity. Vertices, then the middles of edges 01 03 04 12 15 23 26 37 45 47 56 67. VTK
 * goes round the bottom, round the top, then up the sides. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double hex20_node[20][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                         {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, -1, -1}, {-1, 0, -1},
                                         {-1, -1, 0},  {1, 0, -1},  {1, -1, 0}, {0, 1, -1},  {1, 1, 0},
                                         {-1, 1, 0},   {0, -1, 1},  {-1, 0, 1}, {1, 0, 1},   {0, 1, 1}};
static const int32_t hex20_vtk[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15};
static const ElementFace hex20_face[6] = {
    {ELEMENT_QUAD8, {0, 3, 2, 1, 9, 13, 11, 8}},   {ELEMENT_QUAD8, {0, 1, 5, 4, 8, 12, 16, 10}},
    {ELEMENT_QUAD8, {0, 4, 7, 3, 10, 17, 15, 9}},  {ELEMENT_QUAD8, {1, 2, 6, 5, 11, 14, 18, 12}},
    {ELEMENT_QUAD8, {2, 3, 7, 6, 13, 15, 19, 14}}, {ELEMENT_QUAD8, {4, 5, 6, 7, 16, 18, 19, 17}},
};

static void hex20_values(const double xi[3], double *N) { basis_serendipity(3, 20, hex20_node, xi, N); }
static void hex20_gradients(const double xi[3], double *dN) { basis_serendipity_gradient(3, 20, hex20_node, xi, dN); }

static const ElementType ELEMENT_TYPE_hex20 = {
    .name = "hex20",
    .meaning = "20-node hexahedron, serendipity",
    .kind = ELEMENT_HEX20,
    .linear = ELEMENT_HEX8,
    .shape = SHAPE_HEXAHEDRON,
    .dim = 3,
    .n_node = 20,
    .n_vertex = 8,
    .order = 2,
    .gmsh_type = 17,
    .vtk_type = 25,
    .xdmf_type = 48,
    .xdmf_name = "Hexahedron_20",
    .vtk_order = hex20_vtk,
    .node = hex20_node,
    .n_face = 6,
    .face = hex20_face,
    .stiffness_degree = 5,
    .mass_degree = 5,
    .mean_modes = 1,
    .values = hex20_values,
    .gradients = hex20_gradients,
};
