/* tet10: 10-node tetrahedron, quadratic. Vertices, then the middles of edges 01 12 20 30 23 13 (VTK has the last two
 * in reverse). */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double tet10_node[10][3] = {{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                                         {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0, 0.5, 0.5}, {0.5, 0, 0.5}};
static const int32_t tet10_vtk[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const ElementFace tet10_face[4] = {
    {ELEMENT_TRI6, {0, 2, 1, 6, 5, 4}},
    {ELEMENT_TRI6, {0, 1, 3, 4, 9, 7}},
    {ELEMENT_TRI6, {0, 3, 2, 7, 8, 6}},
    {ELEMENT_TRI6, {3, 1, 2, 9, 5, 8}},
};
static const int32_t tet10_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}};

static void tet10_values(const double xi[3], double *N) { basis_simplex2(3, 6, tet10_edge, xi, N); }
static void tet10_gradients(const double xi[3], double *dN) { basis_simplex2_gradient(3, 6, tet10_edge, xi, dN); }

static const ElementType ELEMENT_TYPE_tet10 = {
    .name = "tet10",
    .meaning = "10-node tetrahedron, quadratic",
    .kind = ELEMENT_TET10,
    .linear = ELEMENT_TET4,
    .shape = SHAPE_TETRAHEDRON,
    .dim = 3,
    .n_node = 10,
    .n_vertex = 4,
    .order = 2,
    .gmsh_type = 11,
    .vtk_type = 24,
    .xdmf_type = 38,
    .xdmf_name = "Tetrahedron_10",
    .vtk_order = tet10_vtk,
    .node = tet10_node,
    .n_face = 4,
    .face = tet10_face,
    .stiffness_degree = 2,
    .mass_degree = 4,
    .mean_modes = 1,
    .values = tet10_values,
    .gradients = tet10_gradients,
};
