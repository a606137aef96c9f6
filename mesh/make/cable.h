/* Trees of lines beside a mesh, such as Purkinje fibres on an endocardium: taken from lines of a mesh, or grown on a surface,
 * and added to the mesh that they belong to. They have nodes of their own. */
#pragma once
#include "mesh/mesh.h"

typedef struct Cable {
  int32_t n_node, n_line, root; /* root: a node */
  double (*x)[3];               /* owned, [n_node] */
  int32_t (*line)[2];           /* owned, [n_line] */
} Cable;
void cable_release(Cable *cable);

/* The lines of a group, or where that is NULL all elements of a mesh, which are lines then; those on the same nodes are
 * one. root[3]: the node nearest to it is the root; NULL: the first node of the first line. ERR_MESH: elements that are not
 * lines of two nodes, or none; a line of length zero; lines that do not hang together, with a place of each part. */
Status cable_of_lines(const Mesh *mesh, const Group *group, const double *root, Cable *out);
/* Cuts lines into equal pieces no longer than `size`. */
Status cable_split(Cable *cable, double size);
double cable_length(const Cable *cable);

/* Growth by the rule of F. Sahli Costabal, D. E. Hurtado and E. Kuhl, Generating Purkinje networks in the human heart,
 * J. Biomech. 49 (2016) 2455-2465: a branch grows segment by segment, each in the direction of the one before, turned away from
 * the nearest other branch and moved back to the surface; at its end it parts into two; it stops where it comes to another
 * branch or to the edge of the surface. */
typedef struct GrowParams {
  const Group *surface; /* of triangles or quadrilaterals, whose corners are taken as joined by straight lines */
  double root[3];       /* moved to the surface */
  double direction[3];  /* of the first branch; made a tangent of the surface */
  double length;        /* of the first branch */
  double branch_length; /* mean of the others: each is of the mean times 0.8 to 1.2, evenly spread */
  double segment;
  double angle;        /* radians, of either of two branches to the one that they come from */
  double repulsion;    /* 0: branches go straight */
  int32_t generations; /* of branches after the first; at most GROW_GENERATIONS */
  uint64_t seed;       /* of the order in which branches grow and of their lengths: the same seed, the same tree */
} GrowParams;
enum { GROW_GENERATIONS = 24, GROW_NODES = 100000 };
/* ERR_MESH: a group that has no surfaces; the root farther from it than a segment, with the nearest point; a direction normal to
 * it; no room for one segment; more than GROW_NODES. */
Status cable_grow(const Mesh *mesh, const GrowParams *params, Cable *out);

/* Adds it to a mesh: its nodes behind those of the mesh, its lines as elements (Mesh.first_cable) and groups: NAME of the lines,
 * NAME-root and NAME-ends, points, the ends without the root; values of fields there are NaN. ERR_MESH: the mesh has a group of one
 * of these names. */
Status mesh_attach(Mesh *mesh, const char *name, const Cable *cable);
/* Lines that join nodes of an attached tree to others, the group NAME-junctions, so that who deals out the mesh sees them; ahead of
 * those that are solved. Nothing where n is 0. */
Status mesh_attach_junctions(Mesh *mesh, const char *name, int32_t n, const int32_t (*pair)[2]);
