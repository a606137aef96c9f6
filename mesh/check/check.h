/* The pieces of mesh_check. */
#pragma once
#include "mesh/mesh.h"

enum { CHECK_SHOWN = 5 };

/* What the determinants and vertices of the solved elements say. */
typedef struct ShapeReport {
  int64_t n_solved;
  int64_t n_bad;      /* determinant of the Jacobian not above zero at a vertex or quadrature point */
  int64_t n_mirrored; /* of these: below zero at all of them */
  double worst;       /* lowest determinant */
  int32_t worst_element;
  int32_t bad[CHECK_SHOWN]; /* ids of the first ones */
  MeshQuality quality;
} ShapeReport;

/* Solved elements of a 3D mesh by volume, of a 2D mesh by signed area in the xy plane, of surfaces in space by the area that
 * each shows along its own mean normal. */
void check_shapes(const Mesh *mesh, ShapeReport *out);
/* ERR_MESH for inverted, mirrored and flat elements. */
Status check_shape_errors(const Mesh *mesh, const ShapeReport *report);
/* mesh_check, and what it saw of the elements; touch: parts may touch through duplicate nodes. */
Status mesh_check_report(const Mesh *mesh, bool touch, ShapeReport *report);
/* Two solved elements, or two elements of one group, on the same nodes. */
Status check_repeated_elements(const Mesh *mesh);
/* Edges of surfaces in space with more than two elements. */
Status check_edges(const Mesh *mesh);
/* Parts that only touch through duplicate nodes. */
Status check_parts(const Mesh *mesh);

/* What flats of linear elements leave out of a body whose boundary looks curved, and what they add at hollows, as parts of
 * its volume. ERR_MEMORY. */
Status check_flats_measure(const Mesh *mesh, double *lacking, double *surplus);
/* A warning where they do. */
Status check_flats(const Mesh *mesh);

/* ERR_MESH for a mesh so large or small that volumes, their squares and what is divided by them leave the range of
 * numbers; scale is what its coordinates were multiplied by. */
Status check_extent(const Mesh *mesh, double scale);

/* "element 42 (tet4) of group 'body' around (1, 2, 3)": the number in the file, the centroid of its vertices. */
void check_describe_element(const Mesh *mesh, int32_t e, char *text, int size);
