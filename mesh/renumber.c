/* Renumbering of nodes, and the reverse Cuthill-McKee order. */
#include "mesh/renumber.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- applying an order ---- */

static Status check_permutation(const int32_t *rank, int32_t n, uint8_t *seen) {
  for (int32_t i = 0; i < n; i++) {
    CHECK(rank[i] >= 0 && rank[i] < n && !seen[rank[i]], ERR_BUG, "rank[%d] = %d is no permutation of %d nodes", i,
          rank[i], n);
    seen[rank[i]] = 1;
  }
  return OK;
}

/* Moves items of `bytes` bytes to their new places by way of `room`. */
static void permute(void *items, size_t bytes, const int32_t *rank, int32_t n, unsigned char *room) {
  memcpy(room, items, (size_t)n * bytes);
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
  permute(mesh->x, sizeof *mesh->x, rank, mesh->n_node, room);
  permute(mesh->node_tag, sizeof *mesh->node_tag, rank, mesh->n_node, room);
  for (int32_t f = 0; f < mesh->n_field; f++) {
    const MeshField *field = &mesh->field[f];
    if (field->on_nodes) {
      permute(field->value, (size_t)field->n_component * sizeof(double), rank, mesh->n_node, room);
    }
  }
  FREE(room);
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const int64_t n = (int64_t)mesh->block[b].n * element_type(mesh->block[b].kind)->n_node;
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

/* Elements at every node, and what the search through the graph needs. All arrays owned. */
typedef struct Search {
  const Mesh *mesh;
  int64_t *start;   /* [n_node + 1] into element */
  int32_t *element; /* ids */
  int32_t *degree;  /* [n_node] neighbours */
  int32_t *mark;    /* [n_node] stamp of the last visit */
  int32_t *level;   /* [n_node] distance from the root of the last search */
  int32_t *order;   /* [n_node] queue; first the nodes that are done for good */
  uint8_t *done;    /* [n_node] numbered for good */
  int32_t stamp;
} Search;

static void search_release(Search *s) {
  FREE(s->start);
  FREE(s->element);
  FREE(s->degree);
  FREE(s->mark);
  FREE(s->level);
  FREE(s->order);
  FREE(s->done);
}

/* Elements at each node, by counting and filling; element ids ascend at every node. */
static Status collect_elements(Search *s) {
  const Mesh *mesh = s->mesh;
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t b = 0; b < mesh->n_block; b++) {
      const int32_t n_node = element_type(mesh->block[b].kind)->n_node;
      for (int32_t i = 0; i < mesh->block[b].n; i++) {
        for (int32_t a = 0; a < n_node; a++) {
          const int32_t node = mesh->block[b].nodes[(int64_t)i * n_node + a];
          if (pass == 0)
            s->start[node + 1]++;
          else
            s->element[s->start[node]++] = mesh->block[b].first + i;
        }
      }
    }
    if (pass == 0) {
      for (int32_t i = 0; i < mesh->n_node; i++) s->start[i + 1] += s->start[i];
      ALLOC(s->element, s->start[mesh->n_node], "elements at nodes");
    }
  }
  for (int32_t i = mesh->n_node; i > 0; i--) s->start[i] = s->start[i - 1];
  s->start[0] = 0;
  return OK;
}

/* Appends the neighbours of node i that carry another stamp to list and stamps them; returns how many. */
static int32_t new_neighbours(Search *s, int32_t i, int32_t *list) {
  int32_t n = 0;
  for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
    const ElementBlock *block = mesh_block_of(s->mesh, s->element[k]);
    const int32_t n_node = element_type(block->kind)->n_node;
    const int32_t *nodes = block->nodes + (int64_t)(s->element[k] - block->first) * n_node;
    for (int32_t a = 0; a < n_node; a++) {
      if (s->mark[nodes[a]] == s->stamp) continue;
      s->mark[nodes[a]] = s->stamp;
      list[n++] = nodes[a];
    }
  }
  return n;
}

static void count_degrees(Search *s) {
  for (int32_t i = 0; i < s->mesh->n_node; i++) {
    s->stamp = i + 1;
    s->mark[i] = s->stamp;
    s->degree[i] = new_neighbours(s, i, s->order); /* order is not in use yet */
  }
  memset(s->mark, 0, (size_t)s->mesh->n_node * sizeof *s->mark);
  s->stamp = 0;
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
  s->stamp++;
  s->mark[root] = s->stamp;
  s->level[root] = 0;
  s->order[first] = root;
  for (int32_t at = first; at < end; at++) {
    const int32_t node = s->order[at];
    const int32_t n = new_neighbours(s, node, s->order + end);
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

static Status rcm(Search *s, int32_t *rank) {
  const int32_t n = s->mesh->n_node;
  ALLOC(s->start, (int64_t)n + 1, "elements at nodes");
  ALLOC(s->degree, n, "node degrees");
  ALLOC(s->mark, n, "marks of nodes");
  ALLOC(s->level, n, "levels of nodes");
  ALLOC(s->order, n, "order of nodes");
  ALLOC(s->done, n, "marks of nodes");
  TRY(collect_elements(s));
  count_degrees(s);
  for (int32_t i = 0, first = 0; i < n; i++) {
    if (!s->done[i]) first += number_part(s, i, first);
  }
  for (int32_t i = 0; i < n; i++) rank[s->order[i]] = n - 1 - i;
  return OK;
}

Status mesh_rcm(const Mesh *mesh, int32_t *rank) {
  Search search = {.mesh = mesh};
  const Status status = rcm(&search, rank);
  search_release(&search);
  return status;
}
