/* tet20: 20-node tetrahedron, cubic. Vertices, the thirds of edges 01 12 20 30 32 31, each from its first vertex, the
 * middles of faces 012 013 023 123. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double tet20_node[20][3] = {{0, 0, 0},
                                         {1, 0, 0},
                                         {0, 1, 0},
                                         {0, 0, 1},
                                         {1.0 / 3, 0, 0},
                                         {2.0 / 3, 0, 0},
                                         {2.0 / 3, 1.0 / 3, 0},
                                         {1.0 / 3, 2.0 / 3, 0},
                                         {0, 2.0 / 3, 0},
                                         {0, 1.0 / 3, 0},
                                         {0, 0, 2.0 / 3},
                                         {0, 0, 1.0 / 3},
                                         {0, 1.0 / 3, 2.0 / 3},
                                         {0, 2.0 / 3, 1.0 / 3},
                                         {1.0 / 3, 0, 2.0 / 3},
                                         {2.0 / 3, 0, 1.0 / 3},
                                         {1.0 / 3, 1.0 / 3, 0},
                                         {1.0 / 3, 0, 1.0 / 3},
                                         {0, 1.0 / 3, 1.0 / 3},
                                         {1.0 / 3, 1.0 / 3, 1.0 / 3}};
static const int32_t tet20_vtk[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10, 15, 14, 13, 12, 17, 19, 18, 16};
static const ElementFace tet20_face[4] = {
    {ELEMENT_TRI10, {0, 2, 1, 9, 8, 7, 6, 5, 4, 16}},
    {ELEMENT_TRI10, {0, 1, 3, 4, 5, 15, 14, 10, 11, 17}},
    {ELEMENT_TRI10, {0, 3, 2, 11, 10, 12, 13, 8, 9, 18}},
    {ELEMENT_TRI10, {3, 1, 2, 14, 15, 6, 7, 13, 12, 19}},
};

static void tet20_values(const double xi[3], double *N) { basis_simplex3(3, 20, tet20_node, xi, N); }
static void tet20_gradients(const double xi[3], double *dN) { basis_simplex3_gradient(3, 20, tet20_node, xi, dN); }

static const ElementType ELEMENT_TYPE_tet20 = {
    .name = "tet20",
    .meaning = "20-node tetrahedron, cubic",
    .kind = ELEMENT_TET20,
    .linear = ELEMENT_TET4,
    .shape = SHAPE_TETRAHEDRON,
    .dim = 3,
    .n_node = 20,
    .n_vertex = 4,
    .order = 3,
    .gmsh_type = 29,
    .vtk_type = 71,
    .xdmf_type = 6,
    .xdmf_name = "Tetrahedron",
    .vtk_order = tet20_vtk,
    .node = tet20_node,
    .n_face = 4,
    .face = tet20_face,
    .stiffness_degree = 4,
    .mass_degree = 6,
    .mean_modes = 4,
    .values = tet20_values,
    .gradients = tet20_gradients,
};
