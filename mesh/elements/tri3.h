/* tri3: 3-node triangle, linear (constant strain). Vertices of the unit triangle. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double tri3_node[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const int32_t tri3_vtk[3] = {0, 1, 2};
static const ElementFace tri3_face[3] = {
    {ELEMENT_LINE2, {0, 1}},
    {ELEMENT_LINE2, {1, 2}},
    {ELEMENT_LINE2, {2, 0}},
};

static void tri3_values(const double xi[3], double *N) { basis_simplex1(2, xi, N); }
static void tri3_gradients(const double xi[3], double *dN) {
  (void)xi;
  basis_simplex1_gradient(2, dN);
}

static const ElementType ELEMENT_TYPE_tri3 = {
    .name = "tri3",
    .meaning = "3-node triangle, linear (constant strain)",
    .kind = ELEMENT_TRI3,
    .linear = ELEMENT_TRI3,
    .shape = SHAPE_TRIANGLE,
    .dim = 2,
    .n_node = 3,
    .n_vertex = 3,
    .order = 1,
    .gmsh_type = 2,
    .vtk_type = 5,
    .xdmf_type = 4,
    .xdmf_name = "Triangle",
    .vtk_order = tri3_vtk,
    .node = tri3_node,
    .n_face = 3,
    .face = tri3_face,
    .stiffness_degree = 1,
    .mass_degree = 2,
    .values = tri3_values,
    .gradients = tri3_gradients,
};
