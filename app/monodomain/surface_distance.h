/* How far nodes are from a group of surfaces (curves of a flat mesh, points of a line). */
#pragma once
#include "mesh/mesh.h"

/* From p to facet e, whose corners are taken as joined by straight lines; a quadrilateral is two triangles. */
double facet_distance(const Mesh *mesh, int32_t e, const double p[3]);
/* The facets of a group, for surface_distances. Destroyed also where creating it failed. */
typedef struct FacetTree FacetTree;
Status facet_tree_create(const Mesh *mesh, const Group *group, FacetTree **out);
void facet_tree_destroy(FacetTree **tree);
/* distance[i] of each node to the nearest of the facets where it is at most reach[i], else infinite; where reach[i] < 0,
 * it is left alone. To the bit the least of facet_distance over all facets, for any number of threads. */
void surface_distances(const Mesh *mesh, const FacetTree *tree, const double *reach, double *distance);
/* The facet nearest to p, with its distance; -1: none is within reach. Of equals one, the same for any number of threads. */
int32_t facet_nearest(const Mesh *mesh, const FacetTree *tree, double reach, const double p[3], double *distance);
