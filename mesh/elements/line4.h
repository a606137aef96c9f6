/* line4: 4-node line, cubic. Nodes at -1, 1, -1/3 and 1/3. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double line4_node[4][3] = {{-1, 0, 0}, {1, 0, 0}, {-1.0 / 3, 0, 0}, {1.0 / 3, 0, 0}};
static const double line4_third[4][3] = {{0, 0, 0}, {1, 0, 0}, {1.0 / 3, 0, 0}, {2.0 / 3, 0, 0}}; /* on [0, 1] */
static const int32_t line4_vtk[4] = {0, 1, 2, 3};
static const ElementFace line4_face[2] = {
    {ELEMENT_POINT1, {0}},
    {ELEMENT_POINT1, {1}},
};

static void line4_values(const double xi[3], double *N) {
  const double L[3] = {0.5 * (1.0 + xi[0])};
  basis_simplex3(1, 4, line4_third, L, N);
}
static void line4_gradients(const double xi[3], double *dN) {
  const double L[3] = {0.5 * (1.0 + xi[0])};
  basis_simplex3_gradient(1, 4, line4_third, L, dN);
  for (int32_t a = 0; a < 4; a++) dN[a] *= 0.5;
}

static const ElementType ELEMENT_TYPE_line4 = {
    .name = "line4",
    .meaning = "4-node line, cubic",
    .kind = ELEMENT_LINE4,
    .linear = ELEMENT_LINE2,
    .shape = SHAPE_LINE,
    .dim = 1,
    .n_node = 4,
    .n_vertex = 2,
    .order = 3,
    .gmsh_type = 26,
    .vtk_type = 68,
    .xdmf_type = 2,
    .xdmf_name = "Polyline",
    .vtk_order = line4_vtk,
    .node = line4_node,
    .n_face = 2,
    .face = line4_face,
    .stiffness_degree = 5,
    .mass_degree = 7,
    .values = line4_values,
    .gradients = line4_gradients,
};
