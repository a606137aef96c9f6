/* pyramid13: 13-node pyramid, rational serendipity. Vertices, then the middles of edges 01 03 04 12 14 23 24 34. VTK
 * goes round the base, then up to the apex. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis_pyramid.h"

static const double pyramid13_node[13][3] = {
    {-1, -1, 0},       {1, -1, 0}, {1, 1, 0},        {-1, 1, 0}, {0, 0, 1},       {0, -1, 0},      {-1, 0, 0},
    {-0.5, -0.5, 0.5}, {1, 0, 0},  {0.5, -0.5, 0.5}, {0, 1, 0},  {0.5, 0.5, 0.5}, {-0.5, 0.5, 0.5}};
static const int32_t pyramid13_vtk[13] = {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12};
static const ElementFace pyramid13_face[5] = {
    {ELEMENT_QUAD8, {0, 3, 2, 1, 6, 10, 8, 5}}, {ELEMENT_TRI6, {0, 1, 4, 5, 9, 7}},
    {ELEMENT_TRI6, {1, 2, 4, 8, 11, 9}},        {ELEMENT_TRI6, {2, 3, 4, 10, 12, 11}},
    {ELEMENT_TRI6, {3, 0, 4, 6, 7, 12}},
};

static void pyramid13_values(const double xi[3], double *N) { basis_pyramid2(pyramid13_node, xi, N); }
static void pyramid13_gradients(const double xi[3], double *dN) { basis_pyramid2_gradient(pyramid13_node, xi, dN); }

static const ElementType ELEMENT_TYPE_pyramid13 = {
    .name = "pyramid13",
    .meaning = "13-node pyramid, quadratic serendipity (rational)",
    .kind = ELEMENT_PYRAMID13,
    .linear = ELEMENT_PYRAMID5,
    .shape = SHAPE_PYRAMID,
    .dim = 3,
    .n_node = 13,
    .n_vertex = 5,
    .order = 2,
    .gmsh_type = 19,
    .vtk_type = 27,
    .xdmf_type = 39,
    .xdmf_name = "Pyramid_13",
    .vtk_order = pyramid13_vtk,
    .node = pyramid13_node,
    .n_face = 5,
    .face = pyramid13_face,
    .stiffness_degree = 5,
    .mass_degree = 5,
    .mean_modes = 1,
    .values = pyramid13_values,
    .gradients = pyramid13_gradients,
};
