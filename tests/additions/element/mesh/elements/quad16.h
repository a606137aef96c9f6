/* quad16: 16-node quadrangle, bicubic. Vertices, two nodes on each edge 01 12 23 30 in its direction, then the four
 * inside in the order of the vertices. VTK's (Lagrange) edges 2 and 3 go the other way, and the inner nodes row by row. */
#pragma once
#include "mesh/elements/element.h"

static const double quad16_node[16][3] = {{-1, -1, 0},
                                          {1, -1, 0},
                                          {1, 1, 0},
                                          {-1, 1, 0},
                                          {-1.0 / 3, -1, 0},
                                          {1.0 / 3, -1, 0},
                                          {1, -1.0 / 3, 0},
                                          {1, 1.0 / 3, 0},
                                          {1.0 / 3, 1, 0},
                                          {-1.0 / 3, 1, 0},
                                          {-1, 1.0 / 3, 0},
                                          {-1, -1.0 / 3, 0},
                                          {-1.0 / 3, -1.0 / 3, 0},
                                          {1.0 / 3, -1.0 / 3, 0},
                                          {1.0 / 3, 1.0 / 3, 0},
                                          {-1.0 / 3, 1.0 / 3, 0}};
static const int32_t quad16_vtk[16] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 11, 10, 12, 13, 15, 14};
static const ElementFace quad16_face[4] = {{ELEMENT_LINE4, {0, 1, 4, 5}},
                                           {ELEMENT_LINE4, {1, 2, 6, 7}},
                                           {ELEMENT_LINE4, {2, 3, 8, 9}},
                                           {ELEMENT_LINE4, {3, 0, 10, 11}}};

/* The cubic Lagrange polynomial of the node at c among -1, -1/3, 1/3, 1, and its slope, at s. */
static double quad16_line(double c, double s, double *slope) {
  double value = 1.0;
  *slope = 0.0;
  for (int k = 0; k < 4; k++) {
    const double other = -1.0 + 2.0 * k / 3.0, gap = c - other;
    if (gap * gap < 0.1) continue;
    *slope = (*slope * (s - other) + value) / gap;
    value *= (s - other) / gap;
  }
  return value;
}

static void quad16_values(const double xi[3], double *N) {
  double slope;
  for (int32_t a = 0; a < 16; a++)
    N[a] = quad16_line(quad16_node[a][0], xi[0], &slope) * quad16_line(quad16_node[a][1], xi[1], &slope);
}
static void quad16_gradients(const double xi[3], double *dN) {
  for (int32_t a = 0; a < 16; a++) {
    double slope[2];
    const double x = quad16_line(quad16_node[a][0], xi[0], &slope[0]);
    const double y = quad16_line(quad16_node[a][1], xi[1], &slope[1]);
    dN[2 * a] = slope[0] * y;
    dN[2 * a + 1] = x * slope[1];
  }
}

static const ElementType ELEMENT_TYPE_quad16 = {
    .name = "quad16",
    .meaning = "16-node quadrangle, bicubic",
    .kind = ELEMENT_QUAD16,
    .linear = ELEMENT_QUAD4,
    .shape = SHAPE_QUAD,
    .dim = 2,
    .n_node = 16,
    .n_vertex = 4,
    .order = 3,
    .gmsh_type = 36,
    .vtk_type = 70,
    .xdmf_type = 5,
    .xdmf_name = "Quadrilateral",
    .vtk_order = quad16_vtk,
    .node = quad16_node,
    .n_face = 4,
    .face = quad16_face,
    .stiffness_degree = 7,
    .mass_degree = 7,
    .values = quad16_values,
    .gradients = quad16_gradients,
};
