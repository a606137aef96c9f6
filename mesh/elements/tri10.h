/* tri10: 10-node triangle, cubic. Vertices, the thirds of edges 01 12 20, the middle. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double tri10_node[10][3] = {{0, 0, 0},
                                         {1, 0, 0},
                                         {0, 1, 0},
                                         {1.0 / 3, 0, 0},
                                         {2.0 / 3, 0, 0},
                                         {2.0 / 3, 1.0 / 3, 0},
                                         {1.0 / 3, 2.0 / 3, 0},
                                         {0, 2.0 / 3, 0},
                                         {0, 1.0 / 3, 0},
                                         {1.0 / 3, 1.0 / 3, 0}};
static const int32_t tri10_vtk[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const ElementFace tri10_face[3] = {
    {ELEMENT_LINE4, {0, 1, 3, 4}},
    {ELEMENT_LINE4, {1, 2, 5, 6}},
    {ELEMENT_LINE4, {2, 0, 7, 8}},
};

static void tri10_values(const double xi[3], double *N) { basis_simplex3(2, 10, tri10_node, xi, N); }
static void tri10_gradients(const double xi[3], double *dN) { basis_simplex3_gradient(2, 10, tri10_node, xi, dN); }

/* With rules of these degrees; r grad N . grad N of a body of revolution has the degree 2 p - 1, r N N 2 p + 1. */
#define TRI10_TYPE(stiffness, mass, round)                                                                             \
  {                                                                                                                    \
    .name = "tri10", .meaning = "10-node triangle, cubic", .kind = ELEMENT_TRI10, .linear = ELEMENT_TRI3,              \
    .shape = SHAPE_TRIANGLE, .dim = 2, .n_node = 10, .n_vertex = 3, .order = 3, .gmsh_type = 21, .vtk_type = 69,       \
    .xdmf_type = 4, .xdmf_name = "Triangle", .vtk_order = tri10_vtk, .node = tri10_node, .n_face = 3,                  \
    .face = tri10_face, .stiffness_degree = stiffness, .mass_degree = mass, .of_revolution = round, .mean_modes = 3,   \
    .values = tri10_values, .gradients = tri10_gradients,                                                              \
  }

static const ElementType tri10_of_revolution = TRI10_TYPE(5, 7, NULL);
static const ElementType ELEMENT_TYPE_tri10 = TRI10_TYPE(4, 6, &tri10_of_revolution);
