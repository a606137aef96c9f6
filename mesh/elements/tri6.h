/* tri6: 6-node triangle, quadratic. Vertices, then the middles of edges 01 12 20. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double tri6_node[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}};
static const int32_t tri6_vtk[6] = {0, 1, 2, 3, 4, 5};
static const ElementFace tri6_face[3] = {
    {ELEMENT_LINE3, {0, 1, 3}},
    {ELEMENT_LINE3, {1, 2, 4}},
    {ELEMENT_LINE3, {2, 0, 5}},
};
static const int32_t tri6_edge[3][2] = {{0, 1}, {1, 2}, {2, 0}};

static void tri6_values(const double xi[3], double *N) { basis_simplex2(2, 3, tri6_edge, xi, N); }
static void tri6_gradients(const double xi[3], double *dN) { basis_simplex2_gradient(2, 3, tri6_edge, xi, dN); }

/* With rules of these degrees; r grad N . grad N of a body of revolution has the degree 2 p - 1, r N N 2 p + 1. */
#define TRI6_TYPE(stiffness, mass, round)                                                                              \
  {                                                                                                                    \
    .name = "tri6", .meaning = "6-node triangle, quadratic", .kind = ELEMENT_TRI6, .linear = ELEMENT_TRI3,             \
    .shape = SHAPE_TRIANGLE, .dim = 2, .n_node = 6, .n_vertex = 3, .order = 2, .gmsh_type = 9, .vtk_type = 22,         \
    .xdmf_type = 36, .xdmf_name = "Triangle_6", .vtk_order = tri6_vtk, .node = tri6_node, .n_face = 3,                 \
    .face = tri6_face, .stiffness_degree = stiffness, .mass_degree = mass, .of_revolution = round, .mean_modes = 1,    \
    .values = tri6_values, .gradients = tri6_gradients,                                                                \
  }

static const ElementType tri6_of_revolution = TRI6_TYPE(3, 5, NULL);
static const ElementType ELEMENT_TYPE_tri6 = TRI6_TYPE(2, 4, &tri6_of_revolution);
