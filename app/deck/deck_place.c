/* Where surfaces of a pair lie: how far nodes of the one are from the other, and those that ADJUST moves onto it. */
#include "app/deck/deck_private.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Of a node and the other surface. */
typedef struct Near {
  double square, at[3], normal[3]; /* of the nearest place, and not of length 1 */
} Near;

static void near_edge(const double *x, const double *a, const double *b, const double normal[3], Near *best) {
  double ab[3], ax[3], at[3];
  vec3_minus(b, a, ab);
  vec3_minus(x, a, ax);
  const double t = fmin(fmax(vec3_dot(ax, ab) / vec3_dot(ab, ab), 0), 1);
  for (int k = 0; k < 3; ++k) at[k] = a[k] + t * ab[k];
  const double square = vec3_square(x, at);
  if (!(square < best->square)) return;
  best->square = square;
  memcpy(best->at, at, sizeof at);
  memcpy(best->normal, normal, sizeof best->normal);
}

static void near_triangle(const double *x, const double *const v[3], const double normal[3], Near *best) {
  double n[3], d[3], at[3], c[3], w[3];
  for (int k = 0; k < 3; ++k) near_edge(x, v[k], v[(k + 1) % 3], normal, best);
  memcpy(n, normal, sizeof n);
  if (vec3_normalize(n) == 0) return;
  vec3_minus(x, v[0], d);
  const double height = vec3_dot(d, n);
  for (int k = 0; k < 3; ++k) at[k] = x[k] - height * n[k];
  for (int k = 0, side = 0; k < 3; ++k) {
    vec3_minus(v[(k + 1) % 3], v[k], d);
    vec3_minus(at, v[k], w);
    vec3_cross(d, w, c);
    const int now = vec3_dot(c, n) < 0 ? -1 : 1;
    if (side && now != side) return;
    side = now;
  }
  if (!(height * height < best->square)) return;
  best->square = height * height;
  memcpy(best->at, at, sizeof at);
  memcpy(best->normal, n, sizeof n);
}

/* The normal of an edge of corners 0 and 1 or a triangle of 0, 1 and 2, away from the middle of its element. */
static void outward(const Deck *d, int32_t element, int32_t n, const double *const v[3], double out[3]) {
  const ElementType *type = element_type(inp_kind_of(d->inp, element));
  double middle[3] = {0, 0, 0}, a[3], b[3] = {0, 0, 1};
  for (int32_t i = 0; i < type->n_vertex; ++i)
    for (int k = 0; k < 3; ++k) middle[k] += d->inp->x[inp_nodes_of(d->inp, element)[i]][k] / type->n_vertex;
  vec3_minus(v[1], v[0], a);
  if (n == 3) vec3_minus(v[2], v[0], b);
  vec3_cross(a, b, out);
  vec3_minus(v[0], middle, a);
  for (int k = 0; k < 3 && vec3_dot(a, out) < 0; ++k) out[k] = -out[k];
}

static void near_facet(const Deck *d, const InpFacet *facet, const double *x, Near *best) {
  const ElementType *type = element_type(inp_kind_of(d->inp, facet->element));
  const int32_t *nodes = inp_nodes_of(d->inp, facet->element), *local = type->face[facet->face].nodes;
  const int32_t n = element_type(type->face[facet->face].kind)->n_vertex;
  const double *v[4] = {NULL, NULL, NULL, NULL};
  double normal[3], extent = 0;
  for (int32_t a = 0; a < n && a < 4; ++a) {
    v[a] = d->inp->x[nodes[local[a]]];
    extent = fmax(extent, vec3_distance(v[0], v[a]));
  }
  if (vec3_distance(x, v[0]) - extent > sqrt(best->square)) return;
  if (n == 2) {
    outward(d, facet->element, 2, v, normal);
    near_edge(x, v[0], v[1], normal, best);
  }
  for (int32_t a = 2; a < n; ++a) {
    const double *const triangle[3] = {v[0], v[a - 1], v[a]};
    outward(d, facet->element, 3, triangle, normal);
    near_triangle(x, triangle, normal, best);
  }
}

/* From the nearest place by corners to that of the face itself, where it is of order 2 (Gauss and Newton). */
static void near_bent(const Deck *d, const InpFacet *facet, const double *x, Near *best) {
  static const double BESIDE = 1e-2; /* in the reference's coordinates */
  const ElementFace *face = &element_type(inp_kind_of(d->inp, facet->element))->face[facet->face];
  const ElementType *type = element_type(face->kind);
  const int32_t *nodes = inp_nodes_of(d->inp, facet->element);
  double xi[3] = {type->shape == SHAPE_TRIANGLE ? 1.0 / 3 : 0, type->shape == SHAPE_TRIANGLE ? 1.0 / 3 : 0, 0};
  double N[ELEMENT_MAX_NODES], dN[3 * ELEMENT_MAX_NODES], at[3] = {0}, away[3] = {0};
  for (int step = 0; type->order == 2 && step < 30; ++step) {
    double t[2][3] = {{0}}, A[3] = {0}, r[2] = {0};
    memset(at, 0, sizeof at);
    type->values(xi, N);
    type->gradients(xi, dN);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int k = 0; k < 3; ++k) {
        at[k] += N[a] * d->inp->x[nodes[face->nodes[a]]][k];
        for (int c = 0; c < type->dim; ++c) t[c][k] += dN[a * type->dim + c] * d->inp->x[nodes[face->nodes[a]]][k];
      }
    vec3_minus(x, at, away);
    A[0] = vec3_dot(t[0], t[0]), r[0] = vec3_dot(t[0], away);
    if (type->dim == 2) A[1] = vec3_dot(t[0], t[1]), A[2] = vec3_dot(t[1], t[1]), r[1] = vec3_dot(t[1], away);
    else A[2] = 1;
    const double det = A[0] * A[2] - A[1] * A[1];
    if (!(det > 0)) return;
    xi[0] += (A[2] * r[0] - A[1] * r[1]) / det, xi[1] += (A[0] * r[1] - A[1] * r[0]) / det;
  }
  if (type->order < 2 || !shape_holds(type->shape, xi, BESIDE)) return;
  best->square = vec3_dot(away, away);
  memcpy(best->at, at, sizeof at);
}

/* The place of the other surface that is nearest to x; how far it is away, below 0 behind it. */
static double gap_of(const Deck *d, const InpSurface *to, const double *x, Near *best) {
  double away[3];
  int32_t nearest = -1;
  *best = (Near){.square = (double)INFINITY};
  for (int32_t f = 0; f < to->n; ++f) {
    const double before = best->square;
    near_facet(d, &to->facet[f], x, best);
    if (best->square < before) nearest = f;
  }
  if (nearest >= 0) near_bent(d, &to->facet[nearest], x, best);
  vec3_minus(x, best->at, away);
  return vec3_dot(away, best->normal) < 0 ? -sqrt(best->square) : sqrt(best->square);
}

/* The nodes of a surface, marked. */
static void mark_nodes(const Deck *d, const InpSurface *on, uint8_t *mark) {
  for (int32_t i = 0; i < on->n; ++i) {
    if (!on->facet) {
      mark[on->node[i]] = 1;
      continue;
    }
    const ElementType *type = element_type(inp_kind_of(d->inp, on->facet[i].element));
    const int32_t *nodes = inp_nodes_of(d->inp, on->facet[i].element);
    for (int32_t a = 0; a < element_type(type->face[on->facet[i].face].kind)->n_node; ++a)
      mark[nodes[type->face[on->facet[i].face].nodes[a]]] = 1;
  }
}

/* Whether x is off the place along the normal there, not beside the surface. */
static bool is_opposite(const double *x, const Near *place) {
  static const double ALONG = 0.9; /* cosine */
  double away[3], normal[3];
  vec3_minus(x, place->at, away);
  memcpy(normal, place->normal, sizeof normal);
  (void)vec3_normalize(normal);
  return fabs(vec3_dot(away, normal)) >= ALONG * sqrt(place->square);
}

Status deck_adjust(const Deck *d, const DeckPair *pair, DeckGap *gap) {
  const InpSet *set = pair->adjusted;
  uint8_t *mark = NULL;
  *gap = (DeckGap){INFINITY, -INFINITY, 0, 0};
  ALLOC(mark, d->inp->n_node, "nodes of a contact pair");
  mark_nodes(d, pair->side[0], mark);
  for (int32_t i = 0, k = 0; i < d->inp->n_node; ++i) {
    Near place;
    if (!mark[i]) continue;
    while (set && k < set->n && set->item[k] < i) ++k;
    double now = gap_of(d, pair->side[1], d->inp->x[i], &place);
    bool moves = set ? k < set->n && set->item[k] == i : pair->adjusts && now <= pair->adjust;
    if (pair->tie) moves = pair->adjusts && fabs(now) <= pair->adjust && is_opposite(d->inp->x[i], &place);
    if (moves) {
      if (fabs(now) > 0) ++gap->n_moved, gap->moved = fmax(gap->moved, fabs(now));
      memcpy(d->inp->x[i], place.at, sizeof place.at), now = 0;
    }
    gap->least = fmin(gap->least, now), gap->most = fmax(gap->most, now);
  }
  FREE(mark);
  return OK;
}

double deck_size(const Deck *d) {
  const InpDeck *inp = d->inp;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int32_t i = 0; i < inp->n_node; ++i)
    for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], inp->x[i][k]), high[k] = fmax(high[k], inp->x[i][k]);
  return vec3_distance(low, high);
}

double deck_facet_size(const Deck *d, const InpSurface *s) {
  double size = 0;
  for (int32_t i = 0; s->facet && i < s->n; ++i) {
    const ElementFace *face = &element_type(inp_kind_of(d->inp, s->facet[i].element))->face[s->facet[i].face];
    const int32_t *nodes = inp_nodes_of(d->inp, s->facet[i].element);
    double low[3], high[3];
    memcpy(low, d->inp->x[nodes[face->nodes[0]]], sizeof low);
    memcpy(high, low, sizeof high);
    for (int32_t a = 1; a < element_type(face->kind)->n_vertex; ++a)
      for (int k = 0; k < 3; ++k) {
        const double x = d->inp->x[nodes[face->nodes[a]]][k];
        low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
        size = fmax(size, high[k] - low[k]);
      }
  }
  return size;
}
