/* See filaments.h. */
#include "app/monodomain/filaments.h"
#include "assembly/eikonal/simplices.h"
#include "core/memory.h"
#include "core/parts.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 6.283185307179586;

/* The short way from a to b; from b to a it is the same with the other sign, to the last bit. */
static double short_way(double a, double b) {
  const double d = b - a;
  return d - TURN * round(d / TURN);
}

/* How often the phase winds around a triangle: -1, 0 or 1. */
static int winding(const double *phase, const int32_t node[3]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += short_way(phase[node[k]], phase[node[(k + 1) % 3]]);
  return (int)round(sum / TURN);
}

/* Where in the triangle: unit vectors of the phase, linear between the corners, vanish there. */
static void zero_of(const Mesh *mesh, const double *phase, const int32_t node[3], double x[3]) {
  double weight[3], sum = 0;
  for (int k = 0; k < 3; ++k) sum += weight[k] = sin(short_way(phase[node[(k + 1) % 3]], phase[node[(k + 2) % 3]]));
  for (int i = 0; i < 3; ++i) {
    x[i] = 0;
    for (int k = 0; k < 3; ++k) x[i] += (fabs(sum) > 1e-12 ? weight[k] / sum : 1.0 / 3) * mesh->x[node[k]][i];
  }
}

/* Flat: does the triangle turn counter-clockwise? */
static int turn_of(const Mesh *mesh, const int32_t node[3]) {
  const double *a = mesh->x[node[0]], *b = mesh->x[node[1]], *c = mesh->x[node[2]];
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0 ? -1 : 1;
}

/* Faces of a tetrahedron, all of which turn the same way seen from outside. */
enum { FACES = 4 };
static const int face_corner[FACES][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void face_nodes(const int32_t *nodes, const int32_t corner[SIMPLEX_CORNERS], int f, int32_t out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = nodes[corner[face_corner[f][k]]];
}

static double element_mark(const Mesh *mesh, const ElementType *type, const int32_t *nodes, const double *phase) {
  int32_t corner[SIMPLICES_MOST][SIMPLEX_CORNERS], triangle[3];
  const int32_t n = element_simplices(type, nodes, corner);
  int turn = 0;
  for (int32_t s = 0; s < n; ++s) {
    if (type->dim == 2) {
      for (int k = 0; k < 3; ++k) triangle[k] = nodes[corner[s][k]];
      turn += winding(phase, triangle) * turn_of(mesh, triangle);
      continue;
    }
    for (int f = 0; f < FACES; ++f) {
      face_nodes(nodes, corner[s], f, triangle);
      if (winding(phase, triangle)) return 1;
    }
  }
  return turn;
}

void filaments_mark(const Mesh *mesh, const double *phase, double *mark) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
    for (int32_t e = 0; e < block->n; ++e)
      mark[e] = element_mark(mesh, type, block->nodes + (int64_t)e * type->n_node, phase);
    mark += block->n;
  }
}

/* A piece of a filament within a triangle or tetrahedron. */
typedef struct Segment {
  int32_t cell;
  int32_t turn;
  double end[2][3];
  int32_t face[2][3]; /* nodes of the faces that it ends at, ascending */
  double length; /* its share of the line through the middles of pieces, which is smoother than that of their ends */
  int32_t root;  /* of those that are joined: one of them, the lowest at the end */
} Segment;

typedef struct Segments {
  int64_t n, room;
  Segment *item; /* owned */
} Segments;

static Status segment_add(Segments *s, Segment **out) {
  if (s->n == s->room) {
    const int64_t room = s->room ? 2 * s->room : 64;
    TRY(mem_resize(room, sizeof *s->item, "pieces of filaments", (void **)&s->item));
    s->room = room;
  }
  *out = &s->item[s->n];
  **out = (Segment){.root = (int32_t)s->n++};
  return OK;
}

static void sort_three(int32_t v[3]) {
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2 - i; ++k)
      if (v[k] > v[k + 1]) {
        const int32_t swap = v[k];
        v[k] = v[k + 1], v[k + 1] = swap;
      }
}

/* In by one face and out by another; twice where all four are met. */
static Status tetrahedron_segments(const Mesh *mesh, const double *phase, const int32_t *nodes,
                                   const int32_t corner[SIMPLEX_CORNERS], int32_t cell, Segments *out) {
  int32_t way[2][FACES], n_way[2] = {0}, triangle[3];
  for (int f = 0; f < FACES; ++f) {
    face_nodes(nodes, corner, f, triangle);
    const int turns = winding(phase, triangle);
    if (turns) way[turns > 0][n_way[turns > 0]++] = f;
  }
  for (int32_t k = 0; k < n_way[0] && k < n_way[1]; ++k) {
    Segment *s;
    TRY(segment_add(out, &s));
    s->cell = cell;
    for (int e = 0; e < 2; ++e) {
      face_nodes(nodes, corner, way[e][k], s->face[e]);
      zero_of(mesh, phase, s->face[e], s->end[e]);
      sort_three(s->face[e]);
    }
  }
  return OK;
}

static Status element_segments(const Mesh *mesh, const double *phase, const ElementType *type, const int32_t *nodes,
                               int32_t cell, Segments *out) {
  int32_t corner[SIMPLICES_MOST][SIMPLEX_CORNERS], triangle[3];
  const int32_t n = element_simplices(type, nodes, corner);
  for (int32_t t = 0; t < n; ++t) {
    if (type->dim == 3) {
      TRY(tetrahedron_segments(mesh, phase, nodes, corner[t], cell, out));
      continue;
    }
    for (int k = 0; k < 3; ++k) triangle[k] = nodes[corner[t][k]];
    const int turn = winding(phase, triangle) * turn_of(mesh, triangle);
    Segment *s;
    if (turn == 0) continue;
    TRY(segment_add(out, &s));
    s->cell = cell, s->turn = turn;
    zero_of(mesh, phase, triangle, s->end[0]);
    memcpy(s->end[1], s->end[0], sizeof s->end[0]);
  }
  return OK;
}

static int32_t root_of(const Segments *s, int32_t k) {
  while (s->item[k].root != k) k = s->item[k].root;
  return k;
}

/* An end of a segment at a face. */
typedef struct End {
  int32_t face[3], segment;
} End;

static int by_face(const void *a, const void *b) {
  const End *p = a, *q = b;
  for (int k = 0; k < 3; ++k)
    if (p->face[k] != q->face[k]) return p->face[k] < q->face[k] ? -1 : 1;
  return p->segment < q->segment ? -1 : p->segment > q->segment;
}

static bool meet(const End *a, const End *b) { return !memcmp(a->face, b->face, sizeof a->face); }

static void middle_of(const Segment *s, double x[3]) {
  for (int i = 0; i < 3; ++i) x[i] = 0.5 * (s->end[0][i] + s->end[1][i]);
}

/* Segments that meet at a face are of one filament; n_end[segment] counts the ends that meet none. */
static Status join(Segments *s, int32_t *n_end) {
  End *end = NULL;
  ALLOC(end, 2 * s->n, "ends of filaments");
  for (int64_t k = 0; k < 2 * s->n; ++k) {
    memcpy(end[k].face, s->item[k / 2].face[k % 2], sizeof end[k].face);
    end[k].segment = (int32_t)(k / 2);
  }
  qsort(end, (size_t)(2 * s->n), sizeof *end, by_face);
  for (int64_t k = 0; k < 2 * s->n; ++k) {
    Segment *this = &s->item[end[k].segment], *next;
    double here[3], there[3];
    middle_of(this, here);
    if (k + 1 == 2 * s->n || !meet(&end[k], &end[k + 1])) {
      ++n_end[end[k].segment];
      this->length += vec3_distance(here, this->end[memcmp(this->face[0], end[k].face, sizeof end[k].face) != 0]);
      continue;
    }
    next = &s->item[end[k + 1].segment];
    middle_of(next, there);
    this->length += 0.5 * vec3_distance(here, there), next->length += 0.5 * vec3_distance(here, there);
    const int32_t a = root_of(s, end[k].segment), b = root_of(s, end[k + 1].segment);
    s->item[a > b ? a : b].root = a > b ? b : a;
    ++k;
  }
  FREE(end);
  return OK;
}

static void filament_add(Filament *f, const Segment *s, int32_t n_end, bool new_cell) {
  const double all = f->length + s->length;
  double middle[3];
  middle_of(s, middle);
  for (int i = 0; i < 3; ++i) {
    if (all > 0) f->at[i] += s->length / all * (middle[i] - f->at[i]);
    else f->at[i] = middle[i];
  }
  f->length = all;
  f->n_end += n_end;
  f->n_cell += new_cell;
  f->turn = s->turn;
}

/* Numbers them by their first segments. */
static Status collect_filaments(Segments *s, const int32_t *n_end, Filaments *out) {
  int32_t *number = NULL, *cell = NULL;
  Status status = OK;
  ALLOC_DONE(number, s->n, "filaments");
  ALLOC_DONE(cell, s->n, "filaments");
  ALLOC_DONE(out->filament, s->n, "filaments");
  for (int32_t k = 0; k < s->n; ++k) {
    const int32_t root = root_of(s, k);
    if (root == k) cell[out->n] = -1, number[k] = out->n++;
    const int32_t f = number[root];
    filament_add(&out->filament[f], &s->item[k], n_end[k], cell[f] != s->item[k].cell);
    cell[f] = s->item[k].cell;
  }
done:
  FREE(cell);
  FREE(number);
  return status;
}

Status filaments_find(const Mesh *mesh, const double *phase, Filaments *out) {
  Segments segments = {0};
  int32_t *n_end = NULL, cell = 0;
  Status status = OK;
  *out = (Filaments){0};
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
    for (int32_t e = 0; e < block->n; ++e, ++cell)
      TRY_DONE(element_segments(mesh, phase, type, block->nodes + (int64_t)e * type->n_node, cell, &segments));
  }
  ALLOC_DONE(n_end, segments.n, "ends of filaments");
  if (mesh->dim == 3) TRY_DONE(join(&segments, n_end));
  status = collect_filaments(&segments, n_end, out);
done:
  if (status != OK) filaments_release(out);
  FREE(n_end);
  FREE(segments.item);
  return status;
}

void filaments_release(Filaments *f) {
  FREE(f->filament);
  f->n = 0;
}
