/* Shape functions of an element at a point of its rule, on the host, for tables. */
#pragma once
#include "mesh/mesh.h"

/* Rows of grad N in the place, dV in front of the thickness. */
typedef struct PointShape {
  double dN[ELEMENT_MAX_NODES][3], dV;
} PointShape;

/* x: of the element's nodes; xi, weight: of the point in the reference element. */
void point_shape(const ElementType *type, const double (*x)[3], const double xi[3], double weight, PointShape *out);
/* Of a surface in space: rows of its gradient along it. */
void point_shape_in_space(const ElementType *type, const double (*x)[3], const double xi[3], double weight,
                          PointShape *out);
/* The radius at a point, and into `ring` N_a over it: the strain around the axis. */
double point_ring(const ElementType *type, const double (*x)[3], const double xi[3], double ring[ELEMENT_MAX_NODES]);
/* Where the points of solved element e = 0 ... begin, [n_solved + 1]; owned by the caller. */
Status point_starts(const Mesh *mesh, int32_t first_solved, int64_t **start);
