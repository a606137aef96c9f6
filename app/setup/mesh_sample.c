/* See mesh_sample.h. */
#include "app/setup/mesh_sample.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/parts.h"

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

static inline void element_center(const Mesh *mesh, const int32_t *nodes, int32_t n_vertex, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = 0;
  for (int32_t a = 0; a < n_vertex; ++a)
    for (int k = 0; k < 3; ++k) out[k] += mesh->x[nodes[a]][k];
  for (int k = 0; k < 3; ++k) out[k] /= n_vertex;
}

/* In the largest direction from the element in the middle of the block; returns the largest. */
static double find_distances(const Mesh *mesh, const ElementBlock *block, float *distance) {
  const ElementType *type = element_type(block->kind);
  const int32_t n_node = type->n_node, n_vertex = type->n_vertex;
  double center[3], most = 0;
  element_center(mesh, block->nodes + (int64_t)(block->n / 2) * n_node, n_vertex, center);
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n)) reduction(max : most)
  for (int64_t e = 0; e < block->n; ++e) {
    double x[3], d = 0;
    element_center(mesh, block->nodes + e * n_node, n_vertex, x);
    for (int k = 0; k < 3; ++k) d = fabs(x[k] - center[k]) > d ? fabs(x[k] - center[k]) : d;
    distance[e] = (float)d;
    most = d > most ? d : most;
  }
  return most;
}

/* Elements of a block by their distance, in parts that threads look at. */
typedef struct Nearest {
  const float *distance;
  double scale;
  int64_t n, *bin;      /* [parts][BINS + 1], how many of each part are there */
  int64_t (*before)[2]; /* [parts], those in lower bins and in the last one of the parts before */
  int32_t parts, last;  /* all of the bins below `last` are taken */
  int64_t of_last;      /* and so many of it */
} Nearest;

static inline int32_t bin_of(const Nearest *w, int64_t e) { return (int32_t)((double)w->distance[e] * w->scale); }

static void fill_bins(const Nearest *w) {
#pragma omp parallel for schedule(static) num_threads(w->parts)
  for (int p = 0; p < w->parts; ++p)
    for (int64_t e = part_begin(w->n, p, w->parts); e < part_begin(w->n, p + 1, w->parts); ++e)
      ++w->bin[(int64_t)p * (BINS + 1) + bin_of(w, e)];
}

/* What n elements are: whole bins, and of the last one as many as are missing. */
static void cut_bins(Nearest *w, int64_t n) {
  int64_t here = 0;
  for (w->last = 0; w->last <= BINS; ++w->last, n -= here) {
    here = 0;
    for (int p = 0; p < w->parts; ++p) here += w->bin[(int64_t)p * (BINS + 1) + w->last];
    if (n <= here) break;
  }
  w->of_last = n;
  for (int p = 0; p + 1 < w->parts; ++p) {
    const int64_t *bin = w->bin + (int64_t)p * (BINS + 1);
    int64_t lower = 0;
    for (int32_t k = 0; k < w->last && k <= BINS; ++k) lower += bin[k];
    w->before[p + 1][0] = w->before[p][0] + lower;
    w->before[p + 1][1] = w->before[p][1] + (w->last <= BINS ? bin[w->last] : 0);
  }
}

/* The ids of those that are taken, ascending; their number. */
static int32_t list_nearest(const Nearest *w, int32_t first, int32_t *list) {
  int64_t n = 0;
#pragma omp parallel for schedule(static) num_threads(w->parts) reduction(max : n)
  for (int p = 0; p < w->parts; ++p) {
    int64_t in_last = w->before[p][1], at = w->before[p][0] + (in_last < w->of_last ? in_last : w->of_last);
    for (int64_t e = part_begin(w->n, p, w->parts); e < part_begin(w->n, p + 1, w->parts); ++e) {
      const int32_t bin = bin_of(w, e);
      if (bin < w->last || (bin == w->last && in_last++ < w->of_last)) list[at++] = first + (int32_t)e;
    }
    n = at;
  }
  return (int32_t)n;
}

/* The n nearest elements of a block. */
static Status find_nearest(const Mesh *mesh, const ElementBlock *block, int64_t n, int32_t *list, int32_t *count) {
  Status status = OK;
  float *distance = NULL;
  Nearest w = {.n = block->n, .parts = parts_of(block->n)};
  ALLOC_DONE(distance, block->n, "distances of elements");
  ALLOC_DONE(w.bin, (int64_t)w.parts * (BINS + 1), "distances of elements");
  status = mem_alloc(w.parts, sizeof *w.before, "distances of elements", (void **)(void *)&w.before);
  if (status != OK) goto done;
  const double most = find_distances(mesh, block, distance);
  w.distance = distance;
  w.scale = most > 0 ? BINS / (most * (1 + 1e-6)) : 0;
  fill_bins(&w);
  cut_bins(&w, n);
  *count = list_nearest(&w, block->first, list);
done:
  FREE(distance);
  FREE(w.bin);
  mem_free((void **)(void *)&w.before);
  return status;
}

/* The nodes of all elements of the sample, ascending. */
static Status list_nodes(const Mesh *whole, MeshSample *s) {
  int64_t room = 0, n = 0;
  Mesh *m = s->mesh;
  for (int32_t b = 0; b < m->n_block; ++b) room += (int64_t)m->block[b].n * element_type(m->block[b].kind)->n_node;
  ALLOC(s->node, room, "nodes of a sample");
  for (int32_t b = 0; b < m->n_block; ++b) {
    const ElementBlock *to = &m->block[b];
    const ElementBlock *from = mesh_block_of(whole, s->element[to->first]);
    const int32_t n_node = element_type(to->kind)->n_node;
    for (int32_t e = 0; e < to->n; ++e, n += n_node)
      memcpy(s->node + n, from->nodes + (int64_t)(s->element[to->first + e] - from->first) * n_node,
             (size_t)n_node * sizeof *s->node);
  }
  if (n) qsort(s->node, (size_t)n, sizeof *s->node, ascending_int32);
  for (int64_t k = 0; k < n; ++k)
    if (k == 0 || s->node[k] != s->node[k - 1]) s->node[m->n_node++] = s->node[k];
  ALLOC(m->x, m->n_node, "nodes of a sample");
  ALLOC(m->node_tag, m->n_node, "nodes of a sample");
  for (int32_t i = 0; i < m->n_node; ++i) {
    m->node_tag[i] = whole->node_tag[s->node[i]];
    memcpy(m->x[i], whole->x[s->node[i]], sizeof *m->x);
  }
  return OK;
}

static int32_t place_in(const int32_t *list, int32_t n, int32_t id) {
  int32_t low = 0;
  while (n > 1) {
    const int32_t half = n / 2;
    if (list[low + half] <= id) low += half;
    n -= half;
  }
  return low;
}

static Status fill_block(const Mesh *whole, const MeshSample *s, ElementBlock *to) {
  const ElementBlock *from = mesh_block_of(whole, s->element[to->first]);
  const int32_t n = element_type(to->kind)->n_node;
  ALLOC(to->nodes, (int64_t)n * to->n, "elements of a sample");
  ALLOC(to->tag, to->n, "elements of a sample");
  for (int32_t e = 0; e < to->n; ++e) {
    const int64_t old = s->element[to->first + e] - from->first;
    to->tag[e] = from->tag[old];
    for (int32_t a = 0; a < n; ++a)
      to->nodes[(int64_t)e * n + a] = place_in(s->node, s->mesh->n_node, from->nodes[old * n + a]);
  }
  return OK;
}

static Status find_elements(const Mesh *whole, double share, MeshSample *s) {
  Mesh *m = s->mesh;
  ALLOC(m->block, whole->n_block, "elements of a sample");
  for (int32_t b = 0; b < whole->n_block; ++b) {
    const ElementBlock *from = &whole->block[b];
    int32_t n = 0;
    if (!block_is_solved(whole, from)) continue;
    TRY(find_nearest(whole, from, (int64_t)ceil(share * from->n), s->element + m->n_element, &n));
    m->block[m->n_block++] = (ElementBlock){.kind = from->kind, .n = n, .first = m->n_element};
    m->n_element += n;
  }
  return OK;
}

static Status fill_sample(const Mesh *whole, double share, MeshSample *s) {
  Mesh *m = s->mesh;
  m->dim = whole->dim;
  m->in_space = whole->in_space;
  TRY(mem_text(whole->path ? whole->path : "", "the name of a sample", &m->path));
  TRY(find_elements(whole, share, s));
  TRY(list_nodes(whole, s));
  for (int32_t b = 0; b < m->n_block; ++b) TRY(fill_block(whole, s, &m->block[b]));
  ALLOC(m->group, 1, "the group of a sample");
  m->n_group = 1;
  m->group[0] = (Group){.dim = m->dim, .number = 1, .n = 1};
  TRY(mem_text("held", "the name of a sample", &m->group[0].name));
  ALLOC(m->group[0].element, 1, "the group of a sample");
  return OK;
}

Status mesh_sample_create(const Mesh *whole, int64_t n_node, MeshSample *out) {
  const double share = fmin((double)n_node / whole->n_node, 1);
  Status status;
  *out = (MeshSample){0};
  ALLOC_DONE(out->mesh, 1, "a sample of the mesh");
  ALLOC_DONE(out->element, (int64_t)(share * (double)count_solved(whole)) + whole->n_block + 1, "elements of a sample");
  status = fill_sample(whole, share, out);
done:
  if (status != OK) mesh_sample_release(out);
  return status;
}

void mesh_sample_release(MeshSample *sample) {
  mesh_destroy(&sample->mesh);
  FREE(sample->element);
  FREE(sample->node);
}

/* Pairs of a marked node and one that it shares an element with, (node << 32) + other; to `pair` where it is there. */
static int64_t list_pairs(const ElementBlock *block, const uint8_t *marked, int64_t at, int64_t *pair) {
  const int32_t n = element_type(block->kind)->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
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
  if (count) qsort(pair, (size_t)count, sizeof *pair, ascending_int64);
  for (int64_t k = 0; k < count; ++k) different += k == 0 || pair[k] != pair[k - 1];
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node)) reduction(+ : rows)
  for (int32_t i = 0; i < mesh->n_node; ++i) rows += marked[i];
  *out = (MeshCounts){.elements = (double)count_solved(mesh), .nodes = mesh->n_node};
  out->entries = out->nodes * (double)different / (double)(rows > 0 ? rows : 1);
  out->finest = pow(out->elements, -1.0 / (mesh->dim > 0 ? mesh->dim : 1));
done:
  FREE(pair);
  FREE(marked);
  return status;
}
