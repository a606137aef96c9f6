/* hex20r: a hex20 with the reduced rule, 2 x 2 x 2 points for all but the mass of motion in time (C3D20R of CalculiX, and of
 * Abaqus): softer where thin bodies bend. Alone it has six deformations without energy, which its neighbours or supports
 * as a rule hold, and by the reduced rule no mass. */
#pragma once
#include "mesh/elements/hex20.h"

static const ElementFace hex20r_face[6] = {
    {ELEMENT_QUAD8R, {0, 3, 2, 1, 9, 13, 11, 8}},   {ELEMENT_QUAD8R, {0, 1, 5, 4, 8, 12, 16, 10}},
    {ELEMENT_QUAD8R, {0, 4, 7, 3, 10, 17, 15, 9}},  {ELEMENT_QUAD8R, {1, 2, 6, 5, 11, 14, 18, 12}},
    {ELEMENT_QUAD8R, {2, 3, 7, 6, 13, 15, 19, 14}}, {ELEMENT_QUAD8R, {4, 5, 6, 7, 16, 18, 19, 17}},
};

static const ElementType ELEMENT_TYPE_hex20r = {
    .name = "hex20r",
    .meaning = "20-node hexahedron, serendipity, reduced integration",
    .kind = ELEMENT_HEX20R,
    .linear = ELEMENT_HEX8,
    .shape = SHAPE_HEXAHEDRON,
    .dim = 3,
    .n_node = 20,
    .n_vertex = 8,
    .order = 2,
    .gmsh_type = 0,
    .vtk_type = 25,
    .xdmf_type = 48,
    .xdmf_name = "Hexahedron_20",
    .vtk_order = hex20_vtk,
    .node = hex20_node,
    .n_face = 6,
    .face = hex20r_face,
    .stiffness_degree = 3,
    .mass_degree = 5,
    .load_degree = 3,
    .values = hex20_values,
    .gradients = hex20_gradients,
};
