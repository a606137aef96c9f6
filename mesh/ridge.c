#include "mesh/ridge.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes whose elements are looked at, ascending; marks let most other elements be passed over. */
enum { NODES_MOST = 4096, MARKS = 1 << 14, SIDES = 4 };
typedef struct Nodes {
  int32_t n, id[NODES_MOST];
  bool mark[MARKS];
} Nodes;

/* A face of an element that no other one has. */
typedef struct Facet {
  const ElementType *type;
  int32_t node[ELEMENT_MAX_FACE_NODES], vertex[4]; /* vertices ascending, behind them -1 */
  int32_t ridge[SIDES];                            /* by its sides; -1: the surface ends there, or is not looked at */
  double inside[3];                                /* of the element */
  bool twice;
} Facet;

/* Where facets meet: its two vertices, in 2D one twice. */
typedef struct Side {
  int32_t node[2], facet, side;
} Side;

typedef struct Fold {
  int32_t facet[2];
  const int32_t *node; /* [2], view */
  double along[3], angle;
} Fold;

typedef struct Surface {
  const Mesh *mesh;
  Facet *facet; /* owned, [n] */
  Side *side;   /* owned, [n_side] */
  Fold *fold;   /* owned, [n_fold] */
  int32_t n, room, n_side, n_fold;
} Surface;

static int by_vertices(const void *a, const void *b) {
  const Facet *x = a, *y = b;
  for (int k = 0; k < 4; ++k)
    if (x->vertex[k] != y->vertex[k]) return x->vertex[k] < y->vertex[k] ? -1 : 1;
  return 0;
}

static int by_nodes(const void *a, const void *b) {
  const Side *x = a, *y = b;
  for (int k = 0; k < 2; ++k)
    if (x->node[k] != y->node[k]) return x->node[k] < y->node[k] ? -1 : 1;
  return (x->facet > y->facet) - (x->facet < y->facet);
}

static bool nodes_have(const Nodes *nodes, int32_t node) {
  return nodes->mark[node % MARKS] && bsearch(&node, nodes->id, (size_t)nodes->n, sizeof node, ascending_int32);
}

static void nodes_add(Nodes *nodes, int32_t node) {
  if (nodes->n < NODES_MOST) nodes->mark[node % MARKS] = true, nodes->id[nodes->n++] = node;
}

static void nodes_sort(Nodes *nodes) {
  int32_t n = 0;
  qsort(nodes->id, (size_t)nodes->n, sizeof *nodes->id, ascending_int32);
  for (int32_t i = 0; i < nodes->n; ++i)
    if (n == 0 || nodes->id[n - 1] != nodes->id[i]) nodes->id[n++] = nodes->id[i];
  nodes->n = n;
}

/* Elements of a block that have one of the nodes, ascending. */
typedef struct Hits {
  int32_t n, room, *id; /* owned */
} Hits;

static Status hits_find(const ElementBlock *block, const Nodes *nodes, Hits *out) {
  const int32_t n_node = element_type(block->kind)->n_node;
  bool full = false;
  do {
    if (full) RESIZE(out->id, out->room *= 4, "elements at the largest stress");
    full = false;
    out->n = 0;
#pragma omp parallel for schedule(static)
    for (int32_t e = 0; e < block->n; ++e) {
      const int32_t *of = block->nodes + (int64_t)e * n_node;
      bool near = false;
      for (int32_t a = 0; a < n_node && !near; ++a) near = nodes_have(nodes, of[a]);
      if (!near) continue;
#pragma omp critical(ridge_hits)
      if (out->n < out->room) out->id[out->n++] = e;
      else full = true;
    }
  } while (full);
  qsort(out->id, (size_t)out->n, sizeof *out->id, ascending_int32);
  return OK;
}

/* ---- facets ---- */

static Status add_faces(Surface *s, const ElementType *type, const int32_t *of, const Nodes *near) {
  double inside[3] = {0};
  for (int32_t a = 0; a < type->n_vertex; ++a)
    for (int c = 0; c < 3; ++c) inside[c] += s->mesh->x[of[a]][c] / type->n_vertex;
  for (int32_t k = 0; k < type->n_face; ++k) {
    Facet f = {.type = element_type(type->face[k].kind), .vertex = {-1, -1, -1, -1}, .ridge = {-1, -1, -1, -1}};
    bool any = false;
    for (int32_t a = 0; a < f.type->n_node; ++a) {
      f.node[a] = of[type->face[k].nodes[a]];
      if (a < f.type->n_vertex) f.vertex[a] = f.node[a];
      any |= nodes_have(near, f.node[a]);
    }
    if (!any) continue;
    qsort(f.vertex, (size_t)f.type->n_vertex, sizeof *f.vertex, ascending_int32);
    memcpy(f.inside, inside, sizeof inside);
    if (s->n == s->room) {
      s->room = 2 * s->room + 256;
      RESIZE(s->facet, s->room, "facets at the largest stress");
    }
    s->facet[s->n++] = f;
  }
  return OK;
}

/* Those that two elements have lie inside. */
static void drop_inside(Surface *s) {
  int32_t n = 0;
  if (s->n == 0) return;
  qsort(s->facet, (size_t)s->n, sizeof *s->facet, by_vertices);
  for (int32_t i = 0; i + 1 < s->n; ++i)
    if (by_vertices(&s->facet[i], &s->facet[i + 1]) == 0) s->facet[i].twice = s->facet[i + 1].twice = true;
  for (int32_t i = 0; i < s->n; ++i)
    if (!s->facet[i].twice) s->facet[n++] = s->facet[i];
  s->n = n;
}

static Status find_facets(Surface *s, const Nodes *near) {
  Hits hits = {.room = 1024};
  Status status = OK;
  s->n = 0;
  ALLOC(hits.id, hits.room, "elements at the largest stress");
  for (int32_t b = 0; b < s->mesh->n_block && status == OK; ++b) {
    const ElementBlock *block = &s->mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != s->mesh->dim) continue;
    status = hits_find(block, near, &hits);
    for (int32_t h = 0; h < hits.n && status == OK; ++h)
      status = add_faces(s, type, block->nodes + (int64_t)hits.id[h] * type->n_node, near);
  }
  FREE(hits.id);
  drop_inside(s);
  return status;
}

/* ---- ridges ---- */

/* At a side of a facet: along it, from it into the facet, and out of the body; each of length 1 and square to the others. */
static void side_frame(const Mesh *mesh, const Facet *f, int32_t side, double along[3], double into[3], double out[3]) {
  const ElementType *type = f->type;
  double x[ELEMENT_MAX_NODES][3], at[3] = {0}, to[3] = {0}, end[3] = {0}, J[3][3] = {{0}}, from[3] = {0};
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[f->node[a]], sizeof x[a]);
  for (int c = 0; c < type->dim; ++c) {
    const int32_t *end_of = type->dim == 2 ? type->face[side].nodes : (const int32_t[]){side, side};
    at[c] = (type->node[end_of[0]][c] + type->node[end_of[1]][c]) / 2;
    end[c] = type->node[end_of[1]][c] - at[c];
    for (int32_t a = 0; a < type->n_vertex; ++a) to[c] += (type->node[a][c]) / type->n_vertex;
    to[c] -= at[c];
  }
  (void)element_jacobian(type, (const double(*)[3])x, at, J, false);
  for (int i = 0; i < 3; ++i) {
    along[i] = type->dim == 1 && i == 2, into[i] = 0;
    for (int c = 0; c < type->dim; ++c) into[i] += J[i][c] * to[c], along[i] += J[i][c] * end[c];
    for (int32_t a = 0; a < type->n_vertex; ++a) from[i] += (x[a][i] - f->inside[i]) / type->n_vertex;
  }
  vec3_normalize(along);
  const double part = vec3_dot(into, along);
  for (int i = 0; i < 3; ++i) into[i] -= part * along[i];
  vec3_normalize(into);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = along[j] * into[k] - along[k] * into[j];
  }
  const double sense = vec3_dot(out, from) < 0 ? -1 : 1;
  for (int i = 0; i < 3; ++i) out[i] *= sense;
}

static Fold fold_between(Surface *s, const Side *a, const Side *b) {
  Fold fold = {.facet = {a->facet, b->facet}, .node = a->node};
  double other[3], into[2][3], out[2][3];
  side_frame(s->mesh, &s->facet[a->facet], a->side, fold.along, into[0], out[0]);
  side_frame(s->mesh, &s->facet[b->facet], b->side, other, into[1], out[1]);
  const double angle = acos(fmax(-1, fmin(1, -vec3_dot(into[0], into[1]))));
  fold.angle = vec3_dot(into[1], out[0]) + vec3_dot(into[0], out[1]) > 0 ? angle : -angle;
  return fold;
}

static Status find_folds(Surface *s) {
  s->n_side = s->n_fold = 0;
  RESIZE(s->side, (int64_t)s->n * SIDES + 1, "facets at the largest stress");
  RESIZE(s->fold, (int64_t)s->n * SIDES + 1, "facets at the largest stress");
  for (int32_t i = 0; i < s->n; ++i) {
    const Facet *f = &s->facet[i];
    const int32_t sides = f->type->dim == 2 ? f->type->n_face : f->type->n_vertex;
    for (int32_t k = 0; k < sides; ++k) {
      const int32_t *of = f->type->dim == 2 ? f->type->face[k].nodes : (const int32_t[]){k, k};
      const int32_t a = f->node[of[0]], b = f->node[of[1]];
      s->side[s->n_side++] = (Side){{a < b ? a : b, a < b ? b : a}, i, k};
    }
  }
  qsort(s->side, (size_t)s->n_side, sizeof *s->side, by_nodes);
  for (int32_t k = 0, n; k < s->n_side; k += n) {
    const Side *a = &s->side[k];
    for (n = 1; k + n < s->n_side && !memcmp(a[n].node, a->node, sizeof a->node);) ++n;
    if (n != 2) continue;
    s->facet[a[0].facet].ridge[a[0].side] = s->facet[a[1].facet].ridge[a[1].side] = s->n_fold;
    s->fold[s->n_fold++] = fold_between(s, &a[0], &a[1]);
  }
  return OK;
}

/* ---- corner or curve ---- */

static bool facet_has(const Facet *f, int32_t node) {
  for (int32_t a = 0; a < f->type->n_node; ++a)
    if (f->node[a] == node) return true;
  return false;
}

/* Whether the surface, flat from that facet on, folds again beside the ridge as the ridge does: of facets that touch it. */
static bool folds_again(const Surface *s, const Fold *e, int32_t start) {
  static const double FLAT = 0.25, LIKE = 0.4, PARALLEL = 0.4, HALF = 0.2;
  enum { MOST = 64 };
  int32_t patch[MOST] = {start}, n = 1;
  for (int32_t i = 0; i < n; ++i)
    for (int k = 0; k < SIDES; ++k) {
      const int32_t r = s->facet[patch[i]].ridge[k];
      const Fold *fold = r < 0 ? NULL : &s->fold[r];
      if (!fold || fold == e) continue;
      const bool parallel = fabs(vec3_dot(fold->along, e->along)) > PARALLEL;
      if (parallel && fold->angle > LIKE * e->angle && fold->angle < e->angle / LIKE) return true;
      /* a plane of symmetry, beyond which the curve goes on */
      if (parallel && fabs(fold->angle + M_PI / 2 - e->angle / 2) < HALF * e->angle) return true;
      const int32_t next = fold->facet[fold->facet[0] == patch[i]];
      bool known = !(fabs(fold->angle) < FLAT * e->angle) || n == MOST ||
                   !(facet_has(&s->facet[next], e->node[0]) || facet_has(&s->facet[next], e->node[1]));
      for (int32_t j = 0; j < n && !known; ++j) known = patch[j] == next;
      if (!known) patch[n++] = next;
    }
  return false;
}

static void find_sharpest(const Surface *s, int32_t node, const Nodes *near, double least, double most, Ridge *out) {
  for (int32_t k = 0; k < s->n_fold; ++k) {
    const Fold *fold = &s->fold[k];
    const bool at = facet_has(&s->facet[fold->facet[0]], node) && facet_has(&s->facet[fold->facet[1]], node);
    if (!(fold->angle > least) || !(nodes_have(near, fold->node[0]) || nodes_have(near, fold->node[1]))) continue;
    if (out->at_node > at || (out->at_node == at && out->angle >= fold->angle)) continue;
    if (fold->angle < most && (folds_again(s, fold, fold->facet[0]) || folds_again(s, fold, fold->facet[1]))) continue;
    *out = (Ridge){true, at, fold->angle};
  }
}

/* The corners of the elements that have the node. */
static Status find_near(const Mesh *mesh, int32_t node, Nodes *near) {
  Hits hits = {.room = 1024};
  Nodes *self = NULL;
  Status status = OK;
  ALLOC_DONE(self, 1, "the place of the largest stress");
  ALLOC_DONE(hits.id, hits.room, "elements at the largest stress");
  nodes_add(self, node);
  nodes_add(near, node);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
    TRY_DONE(hits_find(block, self, &hits));
    for (int32_t h = 0; h < hits.n; ++h)
      for (int32_t a = 0; a < type->n_vertex; ++a)
        nodes_add(near, block->nodes[(int64_t)hits.id[h] * type->n_node + a]);
  }
  nodes_sort(near);
done:
  FREE(hits.id);
  FREE(self);
  return status;
}

/* First the ridges at hand, then, where one is sharp, with the facets that follow them. */
Status ridge_reentrant(const Mesh *mesh, int32_t node, double least, double most, Ridge *out) {
  Surface s = {.mesh = mesh};
  Nodes *near = NULL, *wide = NULL;
  Status status = OK;
  *out = (Ridge){0};
  ALLOC_DONE(near, 2, "the place of the largest stress");
  wide = near + 1;
  TRY_DONE(find_near(mesh, node, near));
  TRY_DONE(find_facets(&s, near));
  TRY_DONE(find_folds(&s));
  find_sharpest(&s, node, near, least, 0, out);
  if (!out->found || out->angle >= most) goto done;
  for (int32_t i = 0; i < s.n; ++i)
    for (int32_t a = 0; a < s.facet[i].type->n_vertex; ++a) nodes_add(wide, s.facet[i].node[a]);
  nodes_sort(wide);
  TRY_DONE(find_facets(&s, wide));
  TRY_DONE(find_folds(&s));
  *out = (Ridge){0};
  find_sharpest(&s, node, near, least, most, out);
done:
  FREE(s.facet);
  FREE(s.side);
  FREE(s.fold);
  FREE(near);
  return status;
}
