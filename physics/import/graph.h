/* Formulas worked out to a graph: what is alike is there once, numbers are folded, x + 0 is x. Nodes are numbers in the
 * order in which they were made, so that operands come first. */
#pragma once
#include "physics/ionic_program.h"
#include "core/status.h"

#include <stdbool.h>

/* What a graph begins with: IONIC_OP_V, IONIC_OP_STIMULUS, IONIC_OP_STATE (index in a), and numbers, IONIC_OP_SET. */
typedef struct GraphNode {
  uint8_t op;
  int32_t a, b, c; /* operands; -1: none */
  double number;   /* of IONIC_OP_SET */
} GraphNode;

typedef struct Graph {
  GraphNode *node; /* owned, [n] */
  int32_t *bucket; /* owned, [n_bucket] last node of a hash */
  int32_t *before; /* owned, [n] the one of the same hash before */
  int32_t n, capacity, n_bucket;
  Status status; /* of the first failure; then nodes are 0 */
} Graph;

/* States that are none: a of IONIC_OP_STATE. Parameter k is GRAPH_PARAMETER + k. */
enum { GRAPH_PACE = 1000000, GRAPH_TIME, GRAPH_PARAMETER };

Status graph_create(Graph *graph);
void graph_release(Graph *graph);
int32_t graph_number(Graph *graph, double value);
int32_t graph_leaf(Graph *graph, int op, int32_t index);
/* b, c -1 where the operation has fewer. */
int32_t graph_op(Graph *graph, int op, int32_t a, int32_t b, int32_t c);
bool graph_is(const Graph *graph, int32_t node, double value);
int graph_operands(int op); /* 0 of a leaf */
/* Does a node need the leaf? mark: [graph.n], which this call clears. */
bool graph_needs(const Graph *graph, int32_t node, int32_t leaf, uint8_t *mark);
/* The derivative by a leaf. map: [GRAPH_MAP(graph)] filled with -1, which may be kept for further nodes and the same leaf. */
int32_t graph_derivative(Graph *graph, int32_t node, int32_t leaf, int32_t *map);
/* The node with others in place of leaves: map[leaf] says which, -1: itself; map is filled in on the way. */
int32_t graph_replace(Graph *graph, int32_t node, int32_t *map);
/* Maps have as many entries as the graph has nodes when they are made; nodes that come later are no operands of those. */
