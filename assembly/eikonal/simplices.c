/* See simplices.h. */
#include "assembly/eikonal/simplices.h"
#include "core/memory.h"
#include "core/parts.h"

enum { CORNERS = SIMPLEX_CORNERS, MOST = SIMPLICES_MOST };

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

/* Element k of a block, whose simplices begin at `at`. */
static void add_element(const Mesh *mesh, const ElementBlock *block, int32_t k, const double D[6], const int32_t *rank,
                        int64_t at, Simplices *out) {
  const ElementType *type = element_type(block->kind);
  const int32_t *nodes = block->nodes + (int64_t)k * type->n_node, c = out->n_corner;
  int32_t corner[MOST][CORNERS];
  const int32_t n = element_simplices(type, nodes, corner);
  double M[6];
  invert(D, M);
  for (int32_t s = 0; s < n; ++s) {
    int32_t *to = out->node + (at + s) * c;
    double *square = out->square + (at + s) * (c == 3 ? 3 : 6);
    for (int32_t p = 0; p < c; ++p) {
      const int32_t node = nodes[corner[s][p]];
      to[p] = rank ? rank[node] : node;
      for (int32_t q = 0; q < p; ++q) /* edges in the order of p and q, q < p */
        square[c == 3 ? p + q - 1 : q == 0 ? p - 1 : p + q] = square_of(M, mesh->x[node], mesh->x[nodes[corner[s][q]]]);
    }
  }
}

static Status count(const Mesh *mesh, int64_t *n, int32_t per[N_ELEMENT_KINDS]) {
  *n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    int32_t corner[MOST][CORNERS];
    per[block->kind] = 0;
    if (type->dim != mesh->dim || !block->n) continue;
    CHECK(type->order == 1, ERR_INPUT,
          "'%s' has elements of type %s; an eikonal case takes linear elements\n  remedy: a mesh of order 1",
          mesh->path, type->name);
    per[block->kind] = element_simplices(type, block->nodes, corner);
    *n += (int64_t)block->n * per[block->kind];
  }
  CHECK(*n < INT32_MAX / CORNERS, ERR_MESH,
        "'%s' makes %lld tetrahedra, an eikonal case takes at most %d\n  remedy: a coarser mesh", mesh->path,
        (long long)*n, INT32_MAX / CORNERS);
  return OK;
}

Status simplices_create(const Mesh *mesh, const double (*tensor)[6], const int32_t *rank, Simplices *out) {
  int32_t per[N_ELEMENT_KINDS];
  int64_t n, at = 0, solved = 0;
  TRY(count(mesh, &n, per));
  *out = (Simplices){.n = (int32_t)n, .n_corner = mesh->dim + 1};
  ALLOC(out->node, n * out->n_corner, "the tetrahedra of an eikonal case");
  ALLOC(out->square, n * (out->n_corner == 3 ? 3 : 6), "the tetrahedra of an eikonal case");
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (element_type(block->kind)->dim != mesh->dim) continue;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
    for (int32_t k = 0; k < block->n; ++k)
      add_element(mesh, block, k, tensor[solved + k], rank, at + (int64_t)k * per[block->kind], out);
    at += (int64_t)block->n * per[block->kind];
    solved += block->n;
  }
  return OK;
}

void simplices_release(Simplices *s) {
  FREE(s->node);
  FREE(s->square);
}
