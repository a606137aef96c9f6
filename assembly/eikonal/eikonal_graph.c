/* See eikonal_graph.h. Each thread has a range of nodes and looks through all simplices, so that lists ascend for any
 * number of threads. */
#include "assembly/eikonal/eikonal_graph.h"
#include "assembly/eikonal/eikonal_rows.h"
#include "core/memory.h"
#include "core/parts.h"

/* Entry k of all corners, in the list of its node: a way that ends there. */
static void put_corner(const Simplices *s, int32_t k, int32_t *to) {
  const int32_t *node = s->node + (int64_t)(k / s->n_corner) * s->n_corner;
  for (int32_t v = 0; v < s->n_corner; ++v)
    if (v != k % s->n_corner) *to++ = node[v];
  *to = k;
}

static Status list_corners(const Simplices *s, EikonalGraph *g) {
  const int parts = parts_of(g->n_node);
  int32_t *at = NULL;
  ALLOC(g->start, g->n_node + 1, "tetrahedra at nodes");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    const int64_t low = part_begin(g->n_node, p, parts), high = part_begin(g->n_node, p + 1, parts);
    for (int32_t k = 0; k < s->n_end; ++k) {
      const int32_t i = s->node[s->end[k]];
      if (i >= low && i < high) ++g->start[i + 1];
    }
  }
  for (int32_t i = 0; i < g->n_node; ++i) g->start[i + 1] += g->start[i];
  ALLOC(g->corner, (int64_t)s->n_end * s->n_corner, "tetrahedra at nodes");
  ALLOC(at, g->n_node, "tetrahedra at nodes");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    const int64_t low = part_begin(g->n_node, p, parts), high = part_begin(g->n_node, p + 1, parts);
    for (int32_t k = 0; k < s->n_end; ++k) {
      const int32_t i = s->node[s->end[k]];
      if (i >= low && i < high) put_corner(s, s->end[k], g->corner + (g->start[i] + (int64_t)at[i]++) * s->n_corner);
    }
  }
  FREE(at);
  return OK;
}

/* The other nodes of simplices whose ways end at node i; to `list` where it is given, ascending. mark[n_node]: the node for which one was last
 * seen. */
static int32_t find_links(const Simplices *s, const EikonalGraph *g, int32_t i, int32_t *mark, int32_t *list) {
  int32_t n = 0;
  mark[i] = i;
  for (int32_t k = g->start[i]; k < g->start[i + 1]; ++k) {
    const int32_t *other = g->corner + (int64_t)k * s->n_corner;
    for (int32_t v = 0; v + 1 < s->n_corner; ++v) {
      if (mark[other[v]] == i) continue;
      mark[other[v]] = i;
      if (list) list[n] = other[v];
      ++n;
    }
  }
  return n;
}

/* Of all nodes: how many are linked to each, or which they are. */
static Status find_links_of_nodes(const Simplices *s, EikonalGraph *g) {
  const int parts = parts_of(g->n_node);
  int32_t *mark = NULL;
  ALLOC(mark, (int64_t)parts * g->n_node, "links of nodes");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    int32_t *own = mark + (int64_t)p * g->n_node;
    for (int32_t i = 0; i < g->n_node; ++i) own[i] = -1;
    for (int64_t i = part_begin(g->n_node, p, parts); i < part_begin(g->n_node, p + 1, parts); ++i)
      if (!g->link) g->link_start[i + 1] = find_links(s, g, (int32_t)i, own, NULL);
      else find_links(s, g, (int32_t)i, own, g->link + g->link_start[i]);
  }
  FREE(mark);
  return OK;
}

static Status list_links(const Simplices *s, EikonalGraph *g) {
  ALLOC(g->link_start, g->n_node + 1, "links of nodes");
  TRY(find_links_of_nodes(s, g));
  for (int32_t i = 0; i < g->n_node; ++i) g->link_start[i + 1] += g->link_start[i];
  ALLOC(g->link, g->link_start[g->n_node], "links of nodes");
  return g->link ? find_links_of_nodes(s, g) : OK;
}

/* The blocks of nodes that nodes of block b are linked to; to `list` where it is given. mark[n_block]: the block for which one was last
 * seen. */
static int32_t find_neighbours(const EikonalGraph *g, int32_t b, int32_t *mark, int32_t *list) {
  const int32_t first = b * EIKONAL_BLOCK, room = g->n_node - first;
  const int32_t last = room > EIKONAL_BLOCK ? first + EIKONAL_BLOCK : g->n_node;
  int32_t n = 0;
  mark[b] = b;
  for (int32_t k = g->link_start[first]; k < g->link_start[last]; ++k) {
    const int32_t other = g->link[k] / EIKONAL_BLOCK;
    if (mark[other] == b) continue;
    mark[other] = b;
    if (list) list[n] = other;
    ++n;
  }
  return n;
}

/* Of all blocks: how many are beside each, or which they are. */
static Status find_neighbours_of_blocks(EikonalGraph *g) {
  int32_t *mark = NULL;
  ALLOC(mark, g->n_block, "blocks of nodes");
  for (int32_t b = 0; b < g->n_block; ++b) mark[b] = -1;
  for (int32_t b = 0; b < g->n_block; ++b)
    if (!g->near) g->near_start[b + 1] = find_neighbours(g, b, mark, NULL);
    else find_neighbours(g, b, mark, g->near + g->near_start[b]);
  FREE(mark);
  return OK;
}

static Status list_blocks(EikonalGraph *g) {
  ALLOC(g->near_start, g->n_block + 1, "blocks of nodes");
  TRY(find_neighbours_of_blocks(g));
  for (int32_t b = 0; b < g->n_block; ++b) g->near_start[b + 1] += g->near_start[b];
  ALLOC(g->near, g->near_start[g->n_block], "blocks of nodes");
  return g->near ? find_neighbours_of_blocks(g) : OK;
}

Status eikonal_graph_create(const Simplices *s, int32_t n_node, EikonalGraph *out) {
  *out = (EikonalGraph){.n_node = n_node, .n_block = (n_node + EIKONAL_BLOCK - 1) / EIKONAL_BLOCK};
  Status status = list_corners(s, out);
  if (status == OK) status = list_links(s, out);
  if (status == OK) status = list_blocks(out);
  if (status != OK) eikonal_graph_release(out);
  return status;
}

void eikonal_graph_release(EikonalGraph *g) {
  FREE(g->start);
  FREE(g->corner);
  FREE(g->link_start);
  FREE(g->link);
  FREE(g->near_start);
  FREE(g->near);
}
