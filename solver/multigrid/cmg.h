/* Inside of the preconditioner `cmg`: combinatorial multigrid. cmg.c is the PrecondType and explains the method,
 * cmg_forest.c finds clusters of nodes, cmg_quotient.c makes graphs from matrices and from clusters. All on the
 * host. */
#pragma once
#include "core/status.h"

#include <stdint.h>

/* A symmetric diagonally dominant matrix without positive couplings as a graph with a ground:
 *   A_ij = -weight of the edge ij,   A_ii = ground_i + sum of the weights of i = diagonal_i
 * Weights are positive, and of ij and ji the same bits; there are no loops. ground_i >= 0 is the edge to the ground. */
typedef struct CmgGraph {
  int32_t n;
  int64_t *start;   /* owned, [n + 1] */
  int32_t *column;  /* owned, [start[n]], ascending in a row */
  double *weight;   /* owned, [start[n]] */
  double *ground;   /* owned, [n] */
  double *diagonal; /* owned, [n] */
} CmgGraph;
void cmg_graph_release(CmgGraph *graph);

/* A matrix of `n` rows, columns ascending and the diagonal there, value[place[k]] for entry k; the diagonal is
 * positive. Positive couplings are lumped: both diagonals grow by them, which only adds to the matrix. ERR_INPUT where
 * rows are not dominant after that (diagonal less than -sum of the negative couplings): how many, and what to use. */
Status cmg_graph_create(int32_t n, const int64_t *start, const int32_t *column, const double *value,
                        const int64_t *place, CmgGraph *out);
/* Clusters of a graph's nodes, on the host. */
typedef struct CmgClusters {
  int32_t n, n_node;
  int32_t *of;     /* owned, [n_node]: cluster of a node, -1: the ground's */
  double *inner;   /* owned, [n_node]: resistance along the tree to the root of the cluster */
  int64_t *first;  /* owned, [n + 1]: where the members of a cluster begin */
  int32_t *member; /* owned, [first[n]], ascending in a cluster */
} CmgClusters;
/* At least one, all of them nonempty and numbered by their first nodes. *out is owned by the caller, also after a
 * failure. */
Status cmg_clusters_create(const CmgGraph *graph, CmgClusters *out);
void cmg_clusters_release(CmgClusters *clusters);
/* R A R^T; with `series` > 0 an edge that leaves a cluster at node i has the resistance series inner[i] more, at both
 * ends: a cluster is no short circuit. */
Status cmg_graph_quotient(const CmgGraph *graph, const CmgClusters *clusters, double series, CmgGraph *out);

typedef struct Precond Precond;
/* Levels after a setup, the dense one included, and entries of all matrices in units of those of the first one. */
void cmg_size(const Precond *m, int32_t *n_level, double *complexity);
