/* The nearest of some nodes of a mesh. */
#pragma once
#include "mesh/mesh.h"

/* Nodes along x, so that a search goes no farther that way than the nearest so far. */
typedef struct NearNode {
  double x;
  int32_t node;
} NearNode;
void near_nodes_sort(NearNode *list, int32_t n);
/* The first that is not below x; n: none. */
int32_t near_nodes_from(const NearNode *list, int32_t n, double x);
/* The nearest to x, the lower number of equals; -1: the list is empty. */
int32_t near_nodes_find(const Mesh *mesh, const NearNode *list, int32_t n, const double x[3]);
