/* quad8r: a quad8 with the reduced rule, 2 x 2 points for all but the mass of motion in time (CPS8R of Abaqus and
 * CalculiX; face of hex20r). */
#pragma once
#include "mesh/elements/quad8.h"

static const ElementType ELEMENT_TYPE_quad8r = {
    .name = "quad8r",
    .meaning = "8-node quadrilateral, serendipity, reduced integration",
    .kind = ELEMENT_QUAD8R,
    .linear = ELEMENT_QUAD4,
    .shape = SHAPE_QUAD,
    .dim = 2,
    .n_node = 8,
    .n_vertex = 4,
    .order = 2,
    .gmsh_type = 0,
    .vtk_type = 23,
    .xdmf_type = 37,
    .xdmf_name = "Quadrilateral_8",
    .vtk_order = quad8_vtk,
    .node = quad8_node,
    .n_face = 4,
    .face = quad8_face,
    .stiffness_degree = 3,
    .mass_degree = 5,
    .load_degree = 3,
    .values = quad8_values,
    .gradients = quad8_gradients,
};
