/* See simplices.h. */
#include "assembly/eikonal/simplices.h"
#include "core/memory.h"
#include "core/parts.h"

#include <string.h>

enum { CORNERS = SIMPLEX_CORNERS, MOST = SIMPLICES_MOST, WAYS_MOST = 56 /* simplices of a hexahedron */ };

/* Simplices of an element, and at which of their positions ways end. */
typedef struct Ways {
  int32_t n, n_end;
  int32_t corner[WAYS_MOST][CORNERS]; /* ascending */
  bool ends[WAYS_MOST][CORNERS];
} Ways;

int32_t element_simplices(const ElementType *type, const int32_t *nodes, int32_t out[MOST][CORNERS]) {
  int32_t apex = 0, n = 0;
  for (int32_t v = 1; v < type->n_vertex; ++v)
    if (nodes[v] < nodes[apex]) apex = v;
  for (int32_t f = 0; f < type->n_face; ++f) {
    const int32_t *face = type->face[f].nodes, n_vertex = element_type(type->face[f].kind)->n_vertex;
    int32_t low = 0;
    bool touches = false;
    for (int32_t v = 0; v < n_vertex; ++v) {
      touches |= face[v] == apex;
      if (nodes[face[v]] < nodes[face[low]]) low = v;
    }
    if (touches) continue;
    for (int32_t v = 1; v + 1 < n_vertex || (type->dim == 2 && v < n_vertex); ++v, ++n) {
      const int32_t corner[CORNERS] = {apex, face[low], face[(low + v) % n_vertex], face[(low + v + 1) % n_vertex]};
      for (int k = 0; k < CORNERS; ++k) out[n][k] = corner[k];
    }
  }
  return n;
}

/* To a vertex from a part of a face, of n_part vertices. */
static void add_way(Ways *ways, int32_t vertex, const int32_t *part, int32_t n_part) {
  int32_t corner[CORNERS] = {0}, at = n_part, k = 0;
  for (int32_t i = 0; i < n_part; ++i) {
    int32_t j = i;
    for (; j > 0 && corner[j - 1] > part[i]; --j) corner[j] = corner[j - 1];
    corner[j] = part[i];
  }
  for (; at > 0 && corner[at - 1] > vertex; --at) corner[at] = corner[at - 1];
  corner[at] = vertex;
  while (k < ways->n && memcmp(ways->corner[k], corner, sizeof corner) != 0) ++k;
  if (k == ways->n) memcpy(ways->corner[ways->n++], corner, sizeof corner);
  ways->ends[k][at] = true;
  ++ways->n_end;
}

static Ways ways_of(const ElementType *type) {
  Ways ways = {0};
  for (int32_t f = 0; f < type->n_face; ++f) {
    const int32_t *face = type->face[f].nodes, n = element_type(type->face[f].kind)->n_vertex;
    for (int32_t v = 0; v < type->n_vertex; ++v) {
      bool on = false;
      for (int32_t k = 0; k < n; ++k) on |= face[k] == v;
      for (int32_t k = 0; !on && k < (n == 4 ? 4 : 1); ++k) {
        const int32_t part[3] = {face[k], face[(k + 1) % n], face[(k + 2) % n]};
        add_way(&ways, v, part, type->dim);
      }
    }
  }
  return ways;
}

/* D^-1, as D. */
static void invert(const double D[6], double M[6]) {
  const double a = D[1] * D[2] - D[4] * D[4], b = D[4] * D[5] - D[3] * D[2], c = D[3] * D[4] - D[1] * D[5];
  const double part = 1 / (D[0] * a + D[3] * b + D[5] * c);
  M[0] = a * part, M[1] = (D[0] * D[2] - D[5] * D[5]) * part, M[2] = (D[0] * D[1] - D[3] * D[3]) * part;
  M[3] = b * part, M[4] = (D[3] * D[5] - D[0] * D[4]) * part, M[5] = c * part;
}

static double square_of(const double M[6], const double *x, const double *y) {
  const double e[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
  return M[0] * e[0] * e[0] + M[1] * e[1] * e[1] + M[2] * e[2] * e[2] +
         2 * (M[3] * e[0] * e[1] + M[4] * e[1] * e[2] + M[5] * e[0] * e[2]);
}

/* Element k of a block, whose simplices begin at `at`, and whose ends at `at_end`. */
static void add_element(const Mesh *mesh, const ElementBlock *block, int32_t k, const double D[6], const int32_t *rank,
                        const Ways *ways, const int64_t at[2], Simplices *out) {
  const int32_t *nodes = block->nodes + (int64_t)k * element_type(block->kind)->n_node, c = out->n_corner;
  int32_t *end = out->end + at[1];
  double M[6];
  invert(D, M);
  for (int32_t s = 0; s < ways->n; ++s) {
    const int32_t *corner = ways->corner[s];
    int32_t *to = out->node + (at[0] + s) * c;
    double *square = out->square + (at[0] + s) * (c == 3 ? 3 : 6);
    for (int32_t p = 0; p < c; ++p) {
      const int32_t node = nodes[corner[p]];
      to[p] = rank ? rank[node] : node;
      if (ways->ends[s][p]) *end++ = (int32_t)(at[0] + s) * c + p;
      for (int32_t q = 0; q < p; ++q) /* edges in the order of p and q, q < p */
        square[c == 3 ? p + q - 1 : q == 0 ? p - 1 : p + q] = square_of(M, mesh->x[node], mesh->x[nodes[corner[q]]]);
    }
  }
}

/* Of all solved elements, n[2]: simplices and ends. */
static Status count(const Mesh *mesh, int64_t n[2]) {
  n[0] = n[1] = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim || !block->n) continue;
    CHECK(type->order == 1, ERR_INPUT,
          "'%s' has elements of type %s; an eikonal case takes linear elements\n  remedy: a mesh of order 1",
          mesh->path, type->name);
    const Ways ways = ways_of(type);
    n[0] += (int64_t)block->n * ways.n;
    n[1] += (int64_t)block->n * ways.n_end;
  }
  CHECK(n[0] < INT32_MAX / CORNERS && n[1] < INT32_MAX, ERR_MESH,
        "'%s' makes %lld tetrahedra, an eikonal case takes at most %d\n  remedy: a coarser mesh, or one of tetrahedra",
        mesh->path, (long long)n[0], INT32_MAX / CORNERS);
  return OK;
}

Status simplices_create(const Mesh *mesh, const double (*tensor)[6], const int32_t *rank, Simplices *out) {
  int64_t n[2], at[2] = {0, 0}, solved = 0;
  TRY(count(mesh, n));
  *out = (Simplices){.n = (int32_t)n[0], .n_end = (int32_t)n[1], .n_corner = mesh->dim + 1};
  ALLOC(out->node, n[0] * out->n_corner, "the tetrahedra of an eikonal case");
  ALLOC(out->end, n[1], "the tetrahedra of an eikonal case");
  ALLOC(out->square, n[0] * (out->n_corner == 3 ? 3 : 6), "the tetrahedra of an eikonal case");
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (element_type(block->kind)->dim != mesh->dim) continue;
    const Ways ways = ways_of(element_type(block->kind));
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
    for (int32_t k = 0; k < block->n; ++k) {
      const int64_t from[2] = {at[0] + (int64_t)k * ways.n, at[1] + (int64_t)k * ways.n_end};
      add_element(mesh, block, k, tensor[solved + k], rank, &ways, from, out);
    }
    at[0] += (int64_t)block->n * ways.n;
    at[1] += (int64_t)block->n * ways.n_end;
    solved += block->n;
  }
  return OK;
}

void simplices_release(Simplices *s) {
  FREE(s->node);
  FREE(s->end);
  FREE(s->square);
}
