/* See eikonal_graph.h. Each thread has a range of nodes and looks through all simplices, so that lists ascend for any
 * number of threads. */
#include "assembly/eikonal/eikonal_graph.h"
#include "assembly/eikonal/eikonal_rows.h"
#include "core/memory.h"
#include "core/parts.h"

static Status list_corners(const Simplices *s, EikonalGraph *g) {
  const int parts = parts_of(g->n_node);
  const int32_t n = s->n * s->n_corner;
  int32_t *at = NULL;
  ALLOC(g->start, g->n_node + 1, "tetrahedra at nodes");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    const int64_t low = part_begin(g->n_node, p, parts), high = part_begin(g->n_node, p + 1, parts);
    for (int32_t k = 0; k < n; ++k)
      if (s->node[k] >= low && s->node[k] < high) ++g->start[s->node[k] + 1];
  }
  for (int32_t i = 0; i < g->n_node; ++i) g->start[i + 1] += g->start[i];
  ALLOC(g->corner, n, "tetrahedra at nodes");
  ALLOC(at, g->n_node, "tetrahedra at nodes");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    const int64_t low = part_begin(g->n_node, p, parts), high = part_begin(g->n_node, p + 1, parts);
    for (int32_t k = 0; k < n; ++k) {
      const int32_t i = s->node[k];
      if (i >= low && i < high) g->corner[g->start[i] + at[i]++] = k;
    }
  }
  FREE(at);
  return OK;
}

/* The other blocks that a simplex at a node of block b has nodes in; to `list` where it is given. mark[n_block]: the
 * block for which one was last seen. */
static int32_t find_neighbours(const Simplices *s, const EikonalGraph *g, int32_t b, int32_t *mark, int32_t *list) {
  const int32_t first = b * EIKONAL_BLOCK, room = g->n_node - first;
  const int32_t last = room > EIKONAL_BLOCK ? first + EIKONAL_BLOCK : g->n_node;
  int32_t n = 0;
  for (int32_t k = g->start[first]; k < g->start[last]; ++k) {
    const int32_t *node = s->node + (int64_t)(g->corner[k] / s->n_corner) * s->n_corner;
    for (int32_t v = 0; v < s->n_corner; ++v) {
      const int32_t other = node[v] / EIKONAL_BLOCK;
      if (other == b || mark[other] == b) continue;
      mark[other] = b;
      if (list) list[n] = other;
      ++n;
    }
  }
  return n;
}

/* Of all blocks: how many are beside each, or which they are. */
static Status find_neighbours_of_blocks(const Simplices *s, EikonalGraph *g) {
  const int parts = parts_of(g->n_node);
  int32_t *mark = NULL;
  ALLOC(mark, (int64_t)parts * g->n_block, "blocks of nodes");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    int32_t *own = mark + (int64_t)p * g->n_block;
    for (int32_t b = 0; b < g->n_block; ++b) own[b] = -1;
    for (int64_t b = part_begin(g->n_block, p, parts); b < part_begin(g->n_block, p + 1, parts); ++b)
      if (!g->near) g->near_start[b + 1] = find_neighbours(s, g, (int32_t)b, own, NULL);
      else find_neighbours(s, g, (int32_t)b, own, g->near + g->near_start[b]);
  }
  FREE(mark);
  return OK;
}

static Status list_blocks(const Simplices *s, EikonalGraph *g) {
  ALLOC(g->near_start, g->n_block + 1, "blocks of nodes");
  TRY(find_neighbours_of_blocks(s, g));
  for (int32_t b = 0; b < g->n_block; ++b) g->near_start[b + 1] += g->near_start[b];
  ALLOC(g->near, g->near_start[g->n_block], "blocks of nodes");
  return g->near ? find_neighbours_of_blocks(s, g) : OK;
}

Status eikonal_graph_create(const Simplices *s, int32_t n_node, EikonalGraph *out) {
  *out = (EikonalGraph){.n_node = n_node, .n_block = (n_node + EIKONAL_BLOCK - 1) / EIKONAL_BLOCK};
  Status status = list_corners(s, out);
  if (status == OK) status = list_blocks(s, out);
  if (status != OK) eikonal_graph_release(out);
  return status;
}

void eikonal_graph_release(EikonalGraph *g) {
  FREE(g->start);
  FREE(g->corner);
  FREE(g->near_start);
  FREE(g->near);
}
