/* Where the nodes of a refined mesh come from, for fields that change while a run goes on. */
#pragma once
#include "mesh/mesh.h"

/* Node first + i lies at the sum of weight times the nodes of [start[i], start[i + 1]), all of them less than first. */
typedef struct NodeSources {
  int32_t first, n;
  int32_t *start, *node; /* owned, [n + 1], [start[n]] */
  double *weight;        /* owned, [start[n]] */
} NodeSources;

/* As mesh_refine, and the sources of its new nodes, to be released whatever comes. */
Status mesh_refine_from(const Mesh *mesh, NodeSources *sources, Mesh **out);
void node_sources_release(NodeSources *sources);
