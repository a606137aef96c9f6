/* Pieces by joining elements over the nodes that they share; one pass over the nodes by all threads, in which elements
 * that are joined already are not looked at again. The root of a piece is its first element (core/disjoint.h). */
#include "assembly/elasticity/pieces.h"
#include "core/disjoint.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

static const double IN_LINE = 1e-6; /* sine of the angle below which three nodes count as in line */

typedef struct Work {
  const Mesh *mesh;
  const ElementSet *set;
  const Incidence *incidence;
  int32_t first[ELEMENT_SET_BLOCKS]; /* solved index of a block's first element */
  int32_t *parent;                   /* [n_solved] */
} Work;

static const int32_t *nodes_of(const Work *w, ElementRef touch) {
  const SetBlock *b = &w->set->block[touch.block];
  return b->nodes + (int64_t)touch.element * b->type->n_node;
}

static int32_t index_of(const Work *w, ElementRef touch) { return w->first[touch.block] + touch.element; }

/* Whether node c is off the line through a and b (b NULL: off the point a). */
static bool pieces_apart(const double *a, const double *b, const double *c) {
  const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const double length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  if (!b) return length > 0;
  const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  return n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > IN_LINE * IN_LINE * square * length;
}

/* Whether the nodes that two elements share besides `node` hold them together. */
static bool held_together(const Work *w, int32_t node, ElementRef s, ElementRef t) {
  const int32_t *a = nodes_of(w, s), *b = nodes_of(w, t);
  const int32_t n = w->set->block[s.block].type->n_node, m = w->set->block[t.block].type->n_node;
  const double *x = w->mesh->x[node], *second = NULL;
  for (int32_t i = 0; i < n; ++i) {
    if (a[i] == node) continue;
    for (int32_t j = 0; j < m; ++j) {
      if (a[i] != b[j]) continue;
      if (!pieces_apart(x, second, w->mesh->x[a[i]])) break;
      if (second || w->set->dim == 2) return true;
      second = w->mesh->x[a[i]];
      break;
    }
  }
  return false;
}

/* Whether a node is a corner of no element: whoever shares it shares corners too. */
static bool is_inner(const Work *w, int32_t node) {
  for (int64_t t = w->incidence->start[node]; t < w->incidence->start[node + 1]; ++t) {
    const ElementRef touch = w->incidence->touch[t];
    if (touch.local < w->set->block[touch.block].type->n_vertex) return false;
  }
  return true;
}

/* Each element with those before it, the next one first: in most numberings that is a neighbour. As long as those before are
 * one piece, the first that holds it is enough. */
static void join_at(Work *w, int32_t node) {
  const ElementRef *touch = w->incidence->touch + w->incidence->start[node];
  const int64_t n = w->incidence->start[node + 1] - w->incidence->start[node];
  bool one = true;
  for (int64_t t = 1; t < n; ++t) {
    int32_t own = disjoint_root(w->parent, index_of(w, touch[t]));
    bool joined = false;
    for (int64_t s = t - 1; s >= 0 && !(one && joined); --s) {
      const int32_t other = disjoint_root(w->parent, index_of(w, touch[s]));
      const bool same = other == own;
      if (!same && !held_together(w, node, touch[s], touch[t])) continue;
      if (!same) own = disjoint_join(w->parent, own, other);
      joined = true;
    }
    one &= joined;
  }
}

/* The pieces at a node but the first, ascending; *first is the lowest. Their number. */
static int32_t others_at(const Work *w, const Pieces *pieces, int32_t node, int32_t *first, int32_t *other) {
  const int64_t start = w->incidence->start[node], end = w->incidence->start[node + 1];
  int32_t n = 0;
  for (int64_t t = start; t < end; ++t) {
    const int32_t piece = pieces->of_element[index_of(w, w->incidence->touch[t])];
    int32_t at = 0;
    while (at < n && other[at] < piece) ++at;
    if (at < n && other[at] == piece) continue;
    for (int32_t k = n++; k > at; --k) other[k] = other[k - 1];
    other[at] = piece;
  }
  *first = n ? other[0] : -1;
  return n > 1 ? n - 1 : 0;
}

static int by_pieces(const void *x, const void *y) {
  const PieceJoint *a = x, *b = y;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  if (a->b != b->b) return a->b < b->b ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static Status list_joints(const Work *w, Pieces *out) {
  Status status = OK;
  int32_t *other = NULL, first;
  int64_t most = 0;
  if (out->n < 2) return OK;
  for (int32_t i = 0; i < w->set->n_node; ++i) {
    const int64_t here = w->incidence->start[i + 1] - w->incidence->start[i];
    most = here > most ? here : most;
  }
  ALLOC_DONE(other, most, "pieces at a node");
  for (int pass = 0; pass < 2; ++pass) {
    int32_t n = 0;
    for (int32_t i = 0; i < w->set->n_node; ++i) {
      const int32_t here = others_at(w, out, i, &first, other);
      for (int32_t k = 0; k < here && pass; ++k) out->joint[n + k] = (PieceJoint){i, first, other[k + 1]};
      n += here;
    }
    if (!pass) ALLOC_DONE(out->joint, n, "hinges");
    out->n_joint = n;
  }
  if (out->n_joint) qsort(out->joint, (size_t)out->n_joint, sizeof *out->joint, by_pieces);
done:
  FREE(other);
  return status;
}

static Status number_pieces(const Work *w, Pieces *out) {
  const int32_t n = w->set->n_solved;
  int32_t n_root = 0;
  ALLOC(out->of_element, n, "pieces of the body");
#pragma omp parallel for schedule(static) reduction(+ : n_root)
  for (int32_t e = 0; e < n; ++e) n_root += (out->of_element[e] = disjoint_root(w->parent, e)) == e;
  for (int32_t e = 0; n_root > 1 && e < n; ++e) { /* a root is the first element of its piece */
    const int32_t root = out->of_element[e];
    out->of_element[e] = root == e ? out->n++ : out->of_element[root];
  }
  if (n_root == 1) out->n = 1; /* whose root is element 0 */
  return OK;
}

Status pieces_create(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, Pieces *out) {
  Status status = OK;
  Work w = {.mesh = mesh, .set = set, .incidence = incidence};
  *out = (Pieces){0};
  for (int32_t k = 1; k < set->n_solved_block; ++k) w.first[k] = w.first[k - 1] + set->block[k - 1].n;
  ALLOC_DONE(w.parent, set->n_solved, "pieces of the body");
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < set->n_solved; ++e) w.parent[e] = e;
#pragma omp parallel for schedule(dynamic, 1024)
  for (int32_t i = 0; i < set->n_node; ++i)
    if (!is_inner(&w, i)) join_at(&w, i);
  TRY_DONE(number_pieces(&w, out));
  TRY_DONE(list_joints(&w, out));
done:
  FREE(w.parent);
  if (status != OK) pieces_release(out);
  return status;
}

void pieces_release(Pieces *pieces) {
  FREE(pieces->of_element);
  FREE(pieces->joint);
}
