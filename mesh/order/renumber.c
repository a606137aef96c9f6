/* Renumbering of nodes, and the reverse Cuthill-McKee order. */
#include "mesh/order/renumber.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/order/order_graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- applying an order ---- */

static Status check_permutation(const int32_t *rank, int32_t n, uint8_t *seen) {
  int64_t times = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(+ : times)
  for (int32_t i = 0; i < n; i++)
    times += rank[i] >= 0 && rank[i] < n && !__atomic_exchange_n(&seen[rank[i]], 1, __ATOMIC_RELAXED);
  if (times == n) return OK;
  memset(seen, 0, (size_t)n);
  for (int32_t i = 0; i < n; i++) {
    CHECK(rank[i] >= 0 && rank[i] < n && !seen[rank[i]], ERR_BUG, "rank[%d] = %d is not a permutation of %d nodes", i,
          rank[i], n);
    seen[rank[i]] = 1;
  }
  return OK;
}

/* Moves items of `bytes` bytes to their new places by way of `room`. */
static void renumber_permute(void *items, size_t bytes, const int32_t *rank, int32_t n, unsigned char *room) {
  const int parts = parts_of(n);
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; p++) {
    const size_t from = (size_t)part_begin(n, p, parts) * bytes, to = (size_t)part_begin(n, p + 1, parts) * bytes;
    memcpy(room + from, (unsigned char *)items + from, to - from);
  }
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; i++)
    memcpy((unsigned char *)items + (size_t)rank[i] * bytes, room + (size_t)i * bytes, bytes);
}

Status mesh_renumber(Mesh *mesh, const int32_t *rank) {
  size_t widest = sizeof *mesh->x;
  unsigned char *room = NULL; /* all memory is taken before anything moves */
  for (int32_t f = 0; f < mesh->n_field; f++) {
    const size_t bytes = (size_t)mesh->field[f].n_component * sizeof(double);
    if (mesh->field[f].on_nodes && bytes > widest) widest = bytes;
  }
  TRY(mem_alloc(mesh->n_node, widest, "renumbering of nodes", (void **)&room));
  const Status status = check_permutation(rank, mesh->n_node, room);
  if (status != OK) {
    FREE(room);
    return status;
  }
  renumber_permute(mesh->x, sizeof *mesh->x, rank, mesh->n_node, room);
  renumber_permute(mesh->node_tag, sizeof *mesh->node_tag, rank, mesh->n_node, room);
  for (int32_t f = 0; f < mesh->n_field; f++) {
    const MeshField *field = &mesh->field[f];
    if (field->on_nodes) {
      renumber_permute(field->value, (size_t)field->n_component * sizeof(double), rank, mesh->n_node, room);
    }
  }
  FREE(room);
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const int64_t n = (int64_t)mesh->block[b].n * element_type(mesh->block[b].kind)->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
    for (int64_t i = 0; i < n; i++) mesh->block[b].nodes[i] = rank[mesh->block[b].nodes[i]];
  }
  return OK;
}

int32_t mesh_bandwidth(const Mesh *mesh, const int32_t *rank) {
  int32_t widest = 0;
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const int32_t n_node = element_type(mesh->block[b].kind)->n_node;
    for (int32_t i = 0; i < mesh->block[b].n; i++) {
      int32_t low = INT32_MAX, high = 0;
      for (int32_t a = 0; a < n_node; a++) {
        const int32_t node = mesh->block[b].nodes[(int64_t)i * n_node + a];
        const int32_t at = rank == NULL ? node : rank[node];
        if (at < low) low = at;
        if (at > high) high = at;
      }
      if (high - low > widest) widest = high - low;
    }
  }
  return widest;
}

/* ---- reverse Cuthill-McKee ---- */

/* What the search through the graph needs. All arrays owned. */
typedef struct Search {
  NodeGraph graph;
  int32_t *degree; /* [n_node] neighbours */
  int32_t *level;  /* [n_node] distance from the root of the last search */
  int32_t *order;  /* [n_node] queue; first the nodes that are done for good */
  uint8_t *done;   /* [n_node] numbered for good */
} Search;

static void search_release(Search *s) {
  node_graph_release(&s->graph);
  FREE(s->degree);
  FREE(s->level);
  FREE(s->order);
  FREE(s->done);
}

static void count_degrees(Search *s) {
  NodeGraph *graph = &s->graph;
  const int32_t n = graph->mesh->n_node;
  for (int32_t i = 0; i < n; i++) {
    graph->stamp = i + 1;
    graph->mark[i] = graph->stamp;
    s->degree[i] = node_graph_new(graph, i, s->order); /* order is not in use yet */
  }
  memset(graph->mark, 0, (size_t)n * sizeof *graph->mark);
  graph->stamp = 0;
}

/* Ascending degree, then index. Short lists. */
static void sort_by_degree(const Search *s, int32_t *list, int32_t n) {
  for (int32_t i = 1; i < n; i++) {
    const int32_t node = list[i];
    int32_t at = i;
    for (; at > 0; at--) {
      const int32_t before = list[at - 1];
      if (s->degree[before] < s->degree[node] || (s->degree[before] == s->degree[node] && before < node)) break;
      list[at] = before;
    }
    list[at] = node;
  }
}

/* Breadth first from root into order[first ...]; returns the number of nodes of the part, *depth its levels. */
static int32_t search_from(Search *s, int32_t root, int32_t first, int32_t *depth) {
  int32_t end = first + 1;
  s->graph.stamp++;
  s->graph.mark[root] = s->graph.stamp;
  s->level[root] = 0;
  s->order[first] = root;
  for (int32_t at = first; at < end; at++) {
    const int32_t node = s->order[at];
    const int32_t n = node_graph_new(&s->graph, node, s->order + end);
    sort_by_degree(s, s->order + end, n);
    for (int32_t i = end; i < end + n; i++) s->level[s->order[i]] = s->level[node] + 1;
    end += n;
  }
  *depth = s->level[s->order[end - 1]];
  return end - first;
}

/* Numbers the part of `root` from order[first] on: search again from a node of least degree in the last level as long
 * as that makes the search deeper. */
static int32_t number_part(Search *s, int32_t root, int32_t first) {
  int32_t depth, n = search_from(s, root, first, &depth);
  for (;;) {
    int32_t far = s->order[first + n - 1], deeper;
    for (int32_t i = first + n - 1; i >= first && s->level[s->order[i]] == depth; i--) {
      if (s->degree[s->order[i]] <= s->degree[far]) far = s->order[i];
    }
    n = search_from(s, far, first, &deeper);
    if (deeper <= depth) break;
    depth = deeper;
  }
  for (int32_t i = first; i < first + n; i++) s->done[s->order[i]] = 1;
  return n;
}

static Status renumber_rcm(const Mesh *mesh, Search *s, int32_t *rank) {
  const int32_t n = mesh->n_node;
  TRY(node_graph_create(mesh, &s->graph));
  ALLOC(s->degree, n, "node degrees");
  ALLOC(s->level, n, "levels of nodes");
  ALLOC(s->order, n, "order of nodes");
  ALLOC(s->done, n, "marks of nodes");
  count_degrees(s);
  for (int32_t i = 0, first = 0; i < n; i++) {
    if (!s->done[i]) first += number_part(s, i, first);
  }
  for (int32_t i = 0; i < n; i++) rank[s->order[i]] = n - 1 - i;
  return OK;
}

Status mesh_rcm(const Mesh *mesh, int32_t *rank) {
  Search search = {0};
  const Status status = renumber_rcm(mesh, &search, rank);
  search_release(&search);
  return status;
}
