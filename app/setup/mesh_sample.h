/* A part of a mesh that is like the whole, for forecasts, and the counts by which the two are compared. */
#pragma once
#include "mesh/mesh.h"

typedef struct MeshSample {
  Mesh *mesh;       /* owned: solved elements alone, and one group, "held", of the first of them */
  int32_t *element; /* owned, [mesh->n_element], ids in the whole mesh, ascending */
  int32_t *node;    /* owned, [mesh->n_node], likewise */
  /* Of a rank's share (mesh/local.h), of which nothing is owned: the solver's number of each node. Loads and supports
   * come along. NULL: a sample. */
  const int32_t *number;
} MeshSample;

/* About n_node nodes: of every kind of solved elements its share, those nearest to one in the middle of its block. */
Status mesh_sample_create(const Mesh *whole, int64_t n_node, MeshSample *out);
void mesh_sample_release(MeshSample *sample);

typedef struct MeshCounts {
  double elements, nodes;
  double entries; /* of a matrix: pairs of nodes that share a solved element, from some thousand rows */
  double finest;  /* elements^(-1/dim): what falls with the share of the surface */
} MeshCounts;
Status mesh_count(const Mesh *mesh, MeshCounts *out);
