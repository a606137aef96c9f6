/* See mesh_sample.h. */
#include "app/setup/mesh_sample.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 65536, ROWS = 4096 };

static bool block_is_solved(const Mesh *mesh, const ElementBlock *block) {
  return block->n > 0 && element_type(block->kind)->dim == mesh->dim;
}

static int64_t count_solved(const Mesh *mesh) {
  int64_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) n += block_is_solved(mesh, &mesh->block[b]) ? mesh->block[b].n : 0;
  return n;
}

static void element_center(const Mesh *mesh, const ElementBlock *block, int64_t e, double out[3]) {
  const ElementType *type = element_type(block->kind);
  const int32_t *nodes = block->nodes + e * type->n_node;
  for (int k = 0; k < 3; ++k) out[k] = 0;
  for (int32_t a = 0; a < type->n_vertex; ++a)
    for (int k = 0; k < 3; ++k) out[k] += mesh->x[nodes[a]][k] / type->n_vertex;
}

/* In the largest direction from the element in the middle of the block; returns the largest. */
static double find_distances(const Mesh *mesh, const ElementBlock *block, float *distance) {
  double center[3], most = 0;
  element_center(mesh, block, block->n / 2, center);
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int64_t e = 0; e < block->n; ++e) {
    double x[3], d = 0;
    element_center(mesh, block, e, x);
    for (int k = 0; k < 3; ++k) d = fmax(d, fabs(x[k] - center[k]));
    distance[e] = (float)d;
    most = fmax(most, d);
  }
  return most;
}

/* Marks the n nearest elements of a block: whole bins, and of the last one as many as are missing. */
static Status mark_nearest(const Mesh *mesh, const ElementBlock *block, int64_t n, uint8_t *marked) {
  Status status = OK;
  float *distance = NULL;
  int64_t *bin = NULL;
  ALLOC_DONE(distance, block->n, "distances of elements");
  ALLOC_DONE(bin, BINS + 1, "distances of elements");
  const double most = find_distances(mesh, block, distance), scale = most > 0 ? BINS / (most * (1 + 1e-6)) : 0;
  for (int64_t e = 0; e < block->n; ++e) ++bin[(int32_t)((double)distance[e] * scale)];
  int32_t last = 0;
  while (last < BINS && n > bin[last]) n -= bin[last++];
  for (int64_t e = 0; e < block->n; ++e) {
    const int32_t at = (int32_t)((double)distance[e] * scale);
    marked[e] = at < last || (at == last && n-- > 0);
  }
done:
  FREE(distance);
  FREE(bin);
  return status;
}

/* New numbers of the nodes of marked elements, -1 of others. */
static Status number_nodes(const Mesh *whole, const uint8_t *marked, int32_t *number, MeshSample *s) {
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < whole->n_node; ++i) number[i] = -1;
  for (int32_t b = 0; b < whole->n_block; ++b) {
    const ElementBlock *block = &whole->block[b];
    const int32_t n = element_type(block->kind)->n_node;
    for (int64_t e = 0; e < block->n; ++e)
      for (int32_t a = 0; marked[block->first + e] && a < n; ++a) number[block->nodes[e * n + a]] = 0;
  }
  int32_t count = 0;
  for (int32_t i = 0; i < whole->n_node; ++i)
    if (number[i] == 0) number[i] = count++;
  s->mesh->n_node = count;
  ALLOC(s->node, count, "nodes of a sample");
  ALLOC(s->mesh->x, count, "nodes of a sample");
  ALLOC(s->mesh->node_tag, count, "nodes of a sample");
  for (int32_t i = 0; i < whole->n_node; ++i) {
    if (number[i] < 0) continue;
    s->node[number[i]] = i;
    s->mesh->node_tag[number[i]] = whole->node_tag[i];
    memcpy(s->mesh->x[number[i]], whole->x[i], sizeof *whole->x);
  }
  return OK;
}

static Status copy_block(const ElementBlock *from, const uint8_t *marked, const int32_t *number, MeshSample *s) {
  const int32_t n = element_type(from->kind)->n_node;
  int32_t count = 0;
  for (int64_t e = 0; e < from->n; ++e) count += marked[from->first + e];
  if (!count) return OK;
  ElementBlock *to = &s->mesh->block[s->mesh->n_block++];
  *to = (ElementBlock){.kind = from->kind, .n = count, .first = s->mesh->n_element};
  ALLOC(to->nodes, (int64_t)n * count, "elements of a sample");
  ALLOC(to->tag, count, "elements of a sample");
  int32_t k = 0;
  for (int32_t e = 0; e < from->n; ++e) {
    if (!marked[from->first + e]) continue;
    s->element[to->first + k] = from->first + e;
    to->tag[k] = from->tag[e];
    for (int32_t a = 0; a < n; ++a) to->nodes[(int64_t)k * n + a] = number[from->nodes[(int64_t)e * n + a]];
    ++k;
  }
  s->mesh->n_element += count;
  return OK;
}

static Status copy_text(const char *from, char **out) {
  ALLOC(*out, strlen(from) + 1, "the name of a sample");
  memcpy(*out, from, strlen(from) + 1);
  return OK;
}

static Status fill_sample(const Mesh *whole, const uint8_t *marked, int32_t *number, MeshSample *s) {
  Mesh *m = s->mesh;
  m->dim = whole->dim;
  TRY(copy_text(whole->path ? whole->path : "", &m->path));
  TRY(number_nodes(whole, marked, number, s));
  ALLOC(m->block, whole->n_block, "elements of a sample");
  for (int32_t b = 0; b < whole->n_block; ++b) TRY(copy_block(&whole->block[b], marked, number, s));
  ALLOC(m->group, 1, "the group of a sample");
  m->n_group = 1;
  m->group[0] = (Group){.dim = m->dim, .number = 1, .n = 1};
  TRY(copy_text("held", &m->group[0].name));
  ALLOC(m->group[0].element, 1, "the group of a sample");
  return OK;
}

Status mesh_sample_create(const Mesh *whole, int64_t n_node, MeshSample *out) {
  const double share = fmin((double)n_node / whole->n_node, 1);
  int32_t *number = NULL;
  uint8_t *marked = NULL;
  Status status;
  *out = (MeshSample){0};
  ALLOC_DONE(out->mesh, 1, "a sample of the mesh");
  ALLOC_DONE(out->element, (int64_t)(share * (double)count_solved(whole)) + whole->n_block + 1, "elements of a sample");
  ALLOC_DONE(number, whole->n_node, "nodes of a sample");
  ALLOC_DONE(marked, whole->n_element, "elements of a sample");
  for (int32_t b = 0; b < whole->n_block; ++b) {
    const ElementBlock *block = &whole->block[b];
    if (!block_is_solved(whole, block)) continue;
    TRY_DONE(mark_nearest(whole, block, (int64_t)ceil(share * block->n), marked + block->first));
  }
  TRY_DONE(fill_sample(whole, marked, number, out));
done:
  FREE(number);
  FREE(marked);
  if (status != OK) mesh_sample_release(out);
  return status;
}

void mesh_sample_release(MeshSample *sample) {
  mesh_destroy(&sample->mesh);
  FREE(sample->element);
  FREE(sample->node);
}

static int by_number(const void *left, const void *right) {
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

/* Pairs of a marked node and one that it shares an element with, (node << 32) + other; to `pair` where it is there. */
static int64_t list_pairs(const ElementBlock *block, const uint8_t *marked, int64_t at, int64_t *pair) {
  const int32_t n = element_type(block->kind)->n_node;
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < block->n; ++e) {
    const int32_t *nodes = block->nodes + e * n;
    for (int32_t a = 0; a < n; ++a) {
      if (!marked[nodes[a]]) continue;
      int64_t mine;
#pragma omp atomic capture
      {
        mine = at;
        at += n;
      }
      for (int32_t b = 0; pair && b < n; ++b) pair[mine + b] = ((int64_t)nodes[a] << 32) + nodes[b];
    }
  }
  return at;
}

Status mesh_count(const Mesh *mesh, MeshCounts *out) {
  const double golden = 0.6180339887498949;
  const int32_t n_row = mesh->n_node < ROWS
  ? mesh->n_node : ROWS;
  int64_t *pair = NULL, count = 0, different = 0, rows = 0;
  uint8_t *marked = NULL;
  Status status = OK;
  ALLOC_DONE(marked, mesh->n_node, "rows of a sample");
  for (int32_t k = 0; k < n_row; ++k) /* evenly, but in step with no grid */
    marked[n_row < ROWS ? k : (int32_t)(fmod(k * golden, 1) * mesh->n_node)] = 1;
  for (int turn = 0; turn < 2; ++turn) {
    if (turn) ALLOC_DONE(pair, count, "rows of a sample");
    count = 0;
    for (int32_t b = 0; b < mesh->n_block; ++b)
      if (block_is_solved(mesh, &mesh->block[b])) count = list_pairs(&mesh->block[b], marked, count, pair);
  }
  if (count) qsort(pair, (size_t)count, sizeof *pair, by_number);
  for (int64_t k = 0; k < count; ++k) different += k == 0 || pair[k] != pair[k - 1];
  for (int32_t i = 0; i < mesh->n_node; ++i) rows += marked[i];
  *out = (MeshCounts){.elements = (double)count_solved(mesh), .nodes = mesh->n_node};
  out->entries = out->nodes * (double)different / (double)(rows > 0 ? rows : 1);
  out->finest = pow(out->elements, -1.0 / (mesh->dim > 0 ? mesh->dim : 1));
done:
  FREE(pair);
  FREE(marked);
  return status;
}
