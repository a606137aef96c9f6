/* hex27: 27-node hexahedron, triquadratic. Vertices, then the middles of edges 01 03 04 12 15 23 26 37 45 47 56 67,
 * then of faces z- y- x- x+ y+ z+, then the centre. VTK goes round the bottom, round the top, up the sides, then x- x+
 * y- y+ z- z+. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double hex27_node[27][3] = {
    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},  {-1, 1, 1}, {0, -1, -1},
    {-1, 0, -1},  {-1, -1, 0}, {1, 0, -1}, {1, -1, 0},  {0, 1, -1},  {1, 1, 0},  {-1, 1, 0}, {0, -1, 1}, {-1, 0, 1},
    {1, 0, 1},    {0, 1, 1},   {0, 0, -1}, {0, -1, 0},  {-1, 0, 0},  {1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {0, 0, 0}};
static const int32_t hex27_vtk[27] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  11, 13, 9,  16, 18,
                                      19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};
static const ElementFace hex27_face[6] = {
    {ELEMENT_QUAD9, {0, 3, 2, 1, 9, 13, 11, 8, 20}},   {ELEMENT_QUAD9, {0, 1, 5, 4, 8, 12, 16, 10, 21}},
    {ELEMENT_QUAD9, {0, 4, 7, 3, 10, 17, 15, 9, 22}},  {ELEMENT_QUAD9, {1, 2, 6, 5, 11, 14, 18, 12, 23}},
    {ELEMENT_QUAD9, {2, 3, 7, 6, 13, 15, 19, 14, 24}}, {ELEMENT_QUAD9, {4, 5, 6, 7, 16, 18, 19, 17, 25}},
};

static void hex27_values(const double xi[3], double *N) { basis_tensor(2, 3, 27, hex27_node, xi, N); }
static void hex27_gradients(const double xi[3], double *dN) { basis_tensor_gradient(2, 3, 27, hex27_node, xi, dN); }

static const ElementType ELEMENT_TYPE_hex27 = {
    .name = "hex27",
    .meaning = "27-node hexahedron, triquadratic",
    .kind = ELEMENT_HEX27,
    .linear = ELEMENT_HEX8,
    .shape = SHAPE_HEXAHEDRON,
    .dim = 3,
    .n_node = 27,
    .n_vertex = 8,
    .order = 2,
    .gmsh_type = 12,
    .vtk_type = 29,
    .xdmf_type = 50,
    .xdmf_name = "Hexahedron_27",
    .vtk_order = hex27_vtk,
    .node = hex27_node,
    .n_face = 6,
    .face = hex27_face,
    .stiffness_degree = 5,
    .mass_degree = 5,
    .mean_modes = 4,
    .values = hex27_values,
    .gradients = hex27_gradients,
};
