/* Nested dissection by METIS_NodeND (Karypis and Kumar 1998) on the graph of nodes that share an element.
 * METIS is called with at least one edge only: 5.1 is not made for graphs without any. */
#include "core/memory.h"
#include "mesh/order/order_graph.h"

#include <metis.h>

/* The graph as METIS takes it, without loops. Arrays owned. */
typedef struct Adjacency {
  idx_t *start, *node; /* [n + 1], [start[n]] */
  int32_t *list;       /* [n], room for neighbours */
  idx_t *order;        /* [n], old by new; METIS fills both */
} Adjacency;

static void adjacency_release(Adjacency *a) {
  FREE(a->start);
  FREE(a->node);
  FREE(a->list);
  FREE(a->order);
}

static Status adjacency_fill(NodeGraph *graph, Adjacency *a) {
  const int32_t n = graph->mesh->n_node;
  int64_t total = 0;
  ALLOC(a->list, n, "neighbours of nodes");
  ALLOC(a->start, (int64_t)n + 1, "graph of the nodes");
  for (int pass = 0; pass < 2; pass++) {
    total = 0;
    for (int32_t i = 0; i < n; i++) {
      graph->stamp++;
      graph->mark[i] = graph->stamp; /* no loop */
      const int32_t found = node_graph_new(graph, i, a->list);
      for (int32_t k = 0; k < found && pass == 1; k++) a->node[total + k] = a->list[k];
      total += found;
      CHECK(total <= INT32_MAX, ERR_MESH,
            "the nodes have more than %d neighbours in all, which METIS cannot hold; use 'hilbert'", INT32_MAX);
      a->start[i + 1] = (idx_t)total;
    }
    if (pass == 0) ALLOC(a->node, total, "graph of the nodes");
    graph->stamp = 0;
    for (int32_t i = 0; i < n; i++) graph->mark[i] = 0;
  }
  return OK;
}

static Status check_rank(const int32_t *rank, int32_t n, int32_t *seen) {
  for (int32_t i = 0; i < n; i++) seen[i] = 0;
  for (int32_t i = 0; i < n; i++) {
    CHECK(rank[i] >= 0 && rank[i] < n && !seen[rank[i]]++, ERR_BUG, "METIS gives node %d the number %d of %d", (int)i,
          (int)rank[i], (int)n);
  }
  return OK;
}

static Status order_metis_dissect(Adjacency *a, int32_t n_node, int32_t *rank) {
  idx_t n = n_node, options[METIS_NOPTIONS];
  _Static_assert(sizeof(idx_t) == sizeof *rank, "METIS with 32-bit indices");
  ALLOC(a->order, n_node, "order of nodes");
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = 1; /* the same order every time */
  const int answer = METIS_NodeND(&n, a->start, a->node, NULL, options, a->order, rank);
  CHECK(answer != METIS_ERROR_MEMORY, ERR_MEMORY, "not enough memory for METIS on %d nodes", (int)n_node);
  CHECK(answer == METIS_OK, ERR_BUG, "METIS_NodeND returned %d for %d nodes", answer, (int)n_node);
  return check_rank(rank, n_node, a->list);
}

Status order_metis(const Mesh *mesh, int32_t *rank) {
  Status status = OK;
  NodeGraph graph = {0};
  Adjacency a = {0};
  TRY_DONE(order_natural(mesh, rank)); /* stays where nothing is connected */
  TRY_DONE(node_graph_create(mesh, &graph));
  TRY_DONE(adjacency_fill(&graph, &a));
  if (mesh->n_node > 1 && a.start[mesh->n_node] > 0) TRY_DONE(order_metis_dissect(&a, mesh->n_node, rank));
done:
  adjacency_release(&a);
  node_graph_release(&graph);
  return status;
}
