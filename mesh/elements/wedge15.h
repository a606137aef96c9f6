/* wedge15: 15-node wedge, serendipity. Vertices, then the middles of edges 01 02 03 12 14 25 34 35 45. VTK has the
 * triangles in reverse, and goes round the bottom, round the top, up the sides. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis_wedge.h"

static const double wedge15_node[15][3] = {{0, 0, -1}, {1, 0, -1},   {0, 1, -1},   {0, 0, 1},   {1, 0, 1},
                                           {0, 1, 1},  {0.5, 0, -1}, {0, 0.5, -1}, {0, 0, 0},   {0.5, 0.5, -1},
                                           {1, 0, 0},  {0, 1, 0},    {0.5, 0, 1},  {0, 0.5, 1}, {0.5, 0.5, 1}};
static const int32_t wedge15_vtk[15] = {0, 2, 1, 3, 5, 4, 7, 9, 6, 13, 14, 12, 8, 11, 10};
static const ElementFace wedge15_face[5] = {
    {ELEMENT_TRI6, {0, 2, 1, 7, 9, 6}},          {ELEMENT_TRI6, {3, 4, 5, 12, 14, 13}},
    {ELEMENT_QUAD8, {0, 1, 4, 3, 6, 10, 12, 8}}, {ELEMENT_QUAD8, {1, 2, 5, 4, 9, 11, 14, 10}},
    {ELEMENT_QUAD8, {2, 0, 3, 5, 7, 8, 13, 11}},
};

static void wedge15_values(const double xi[3], double *N) { basis_wedge2(wedge15_node, xi, N); }
static void wedge15_gradients(const double xi[3], double *dN) { basis_wedge2_gradient(wedge15_node, xi, dN); }

static const ElementType ELEMENT_TYPE_wedge15 = {
    .name = "wedge15",
    .meaning = "15-node wedge (triangular prism), quadratic serendipity",
    .kind = ELEMENT_WEDGE15,
    .linear = ELEMENT_WEDGE6,
    .shape = SHAPE_WEDGE,
    .dim = 3,
    .n_node = 15,
    .n_vertex = 6,
    .order = 2,
    .gmsh_type = 18,
    .vtk_type = 26,
    .xdmf_type = 40,
    .xdmf_name = "Wedge_15",
    .vtk_order = wedge15_vtk,
    .node = wedge15_node,
    .n_face = 5,
    .face = wedge15_face,
    .stiffness_degree = 4,
    .mass_degree = 4,
    .mean_modes = 1,
    .values = wedge15_values,
    .gradients = wedge15_gradients,
};
