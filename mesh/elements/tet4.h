/* tet4: 4-node tetrahedron, linear (constant strain). Vertices of the unit tetrahedron. */
#pragma once
#include "mesh/elements/element.h"
#include "mesh/elements/basis.h"

static const double tet4_node[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t tet4_vtk[4] = {0, 1, 2, 3};
static const ElementFace tet4_face[4] = {
    {ELEMENT_TRI3, {0, 2, 1}},
    {ELEMENT_TRI3, {0, 1, 3}},
    {ELEMENT_TRI3, {0, 3, 2}},
    {ELEMENT_TRI3, {3, 1, 2}},
};

static void tet4_values(const double xi[3], double *N) { basis_simplex1(3, xi, N); }
static void tet4_gradients(const double xi[3], double *dN) {
  (void)xi;
  basis_simplex1_gradient(3, dN);
}

static const ElementType ELEMENT_TYPE_tet4 = {
    .name = "tet4",
    .meaning = "4-node tetrahedron, linear (constant strain)",
    .kind = ELEMENT_TET4,
    .linear = ELEMENT_TET4,
    .shape = SHAPE_TETRAHEDRON,
    .dim = 3,
    .n_node = 4,
    .n_vertex = 4,
    .order = 1,
    .gmsh_type = 4,
    .vtk_type = 10,
    .xdmf_type = 6,
    .xdmf_name = "Tetrahedron",
    .vtk_order = tet4_vtk,
    .node = tet4_node,
    .n_face = 4,
    .face = tet4_face,
    .stiffness_degree = 1,
    .mass_degree = 2,
    .values = tet4_values,
    .gradients = tet4_gradients,
};
