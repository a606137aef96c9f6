/* *TIE: each node of one surface moves with the nearest point of the other surface, by the shape functions of the face
 * there. Meshes need not match. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the size of the face at a node: what lies nearer is tied, unless POSITION TOLERANCE= says else. */
static const double NEAR = 0.025;
enum { STEPS = 40 };

typedef struct Facet {
  const ElementType *type;
  int32_t node[ELEMENT_MAX_FACE_NODES];
  double x[ELEMENT_MAX_FACE_NODES][3], low[3], high[3], size;
} Facet;

typedef struct Nearest {
  int32_t facet;
  double distance, xi[3];
} Nearest;

static double clamp(double v, double low, double high) { return v < low ? low : v > high ? high : v; }

static void into_domain(const ElementType *type, double xi[3]) {
  const bool simplex = type->shape == SHAPE_TRIANGLE;
  for (int k = 0; k < type->dim; ++k) xi[k] = clamp(xi[k], simplex ? 0 : -1, 1);
  const double over = simplex ? xi[0] + xi[1] - 1 : 0;
  if (over <= 0) return;
  xi[0] = clamp(xi[0] - over / 2, 0, 1);
  xi[1] = 1 - xi[0];
}

/* From the place xi of a facet to the point p. */
static double way_to(const Facet *f, const double xi[3], const double p[3], double way[3]) {
  double N[ELEMENT_MAX_NODES], square = 0;
  f->type->values(xi, N);
  for (int k = 0; k < 3; ++k) {
    way[k] = p[k];
    for (int32_t a = 0; a < f->type->n_node; ++a) way[k] -= N[a] * f->x[a][k];
    square += way[k] * way[k];
  }
  return sqrt(square);
}

/* The place of a facet nearest to p, by Gauss and Newton, held inside. */
static double project(const Facet *f, const double p[3], double xi[3]) {
  double way[3], J[3][3];
  const int dim = f->type->dim;
  xi[0] = xi[1] = f->type->shape == SHAPE_TRIANGLE ? 1. / 3 : 0, xi[2] = 0;
  for (int step = 0; step < STEPS; ++step) {
    double A[2][2] = {{0}}, b[2] = {0}, before[2] = {xi[0], xi[1]}, d[2] = {0};
    way_to(f, xi, p, way);
    element_jacobian(f->type, (const double(*)[3])f->x, xi, J, false);
    for (int i = 0; i < dim; ++i)
      for (int k = 0; k < 3; ++k) {
        b[i] += J[k][i] * way[k];
        for (int j = 0; j < dim; ++j) A[i][j] += J[k][i] * J[k][j];
      }
    const double det = dim == 2 ? A[0][0] * A[1][1] - A[0][1] * A[1][0] : A[0][0];
    if (!(det > 0)) break;
    d[0] = dim == 2 ? (b[0] * A[1][1] - b[1] * A[0][1]) / det : b[0] / det;
    if (dim == 2) d[1] = (A[0][0] * b[1] - A[1][0] * b[0]) / det;
    for (int i = 0; i < dim; ++i) xi[i] += d[i];
    into_domain(f->type, xi);
    if (fabs(xi[0] - before[0]) + fabs(xi[1] - before[1]) < 1e-14) break;
  }
  return way_to(f, xi, p, way);
}

static void facet_fill(const Deck *d, const InpFacet *from, Facet *to) {
  const ElementFace *face = &element_type(inp_kind_of(d->inp, from->element))->face[from->face];
  const int32_t *nodes = inp_nodes_of(d->inp, from->element);
  to->type = element_type(face->kind);
  to->size = 0;
  for (int32_t a = 0; a < to->type->n_node; ++a) {
    to->node[a] = nodes[face->nodes[a]];
    memcpy(to->x[a], d->inp->x[to->node[a]], sizeof to->x[a]);
  }
  for (int k = 0; k < 3; ++k) {
    to->low[k] = to->high[k] = to->x[0][k];
    for (int32_t a = 1; a < to->type->n_node; ++a) {
      to->low[k] = fmin(to->low[k], to->x[a][k]);
      to->high[k] = fmax(to->high[k], to->x[a][k]);
    }
    to->size = fmax(to->size, to->high[k] - to->low[k]);
  }
}

/* Whether a facet may come nearer to p than `distance`; a curved one may bulge out of the box of its nodes. */
static bool may_be_nearer(const Facet *f, const double p[3], double distance) {
  for (int k = 0; k < 3; ++k)
    if (p[k] < f->low[k] - distance - 0.25 * f->size || p[k] > f->high[k] + distance + 0.25 * f->size) return false;
  return true;
}

static Nearest find_nearest(const Facet *facet, int32_t n, const double p[3]) {
  Nearest best = {-1, DBL_MAX, {0}};
  for (int32_t i = 0; i < n; ++i) {
    double xi[3];
    if (!may_be_nearer(&facet[i], p, best.distance)) continue;
    const double distance = project(&facet[i], p, xi);
    if (distance >= best.distance) continue;
    best.facet = i, best.distance = distance;
    memcpy(best.xi, xi, sizeof xi);
  }
  return best;
}

static bool has_node(const Facet *f, int32_t node) {
  bool has = false;
  for (int32_t a = 0; a < f->type->n_node; ++a) has |= f->node[a] == node;
  return has;
}

static Status tie_node(Deck *d, int32_t row, int32_t node, const Facet *f, const double xi[3]) {
  double N[ELEMENT_MAX_NODES];
  f->type->values(xi, N);
  if (has_node(f, node)) return OK; /* of both surfaces */
  for (int c = 0; c < deck_dim(d); ++c) {
    TRY(deck_equation(d, row, 0));
    TRY(deck_term_global(d, node, c, 1));
    for (int32_t a = 0; a < f->type->n_node; ++a)
      if (fabs(N[a]) > 1e-10) TRY(deck_term_global(d, f->node[a], c, -N[a]));
  }
  return OK;
}

/* Nodes of the surface that depends, each once, ascending. */
static Status nodes_of_surface(const Deck *d, const InpSurface *s, int32_t **out, int32_t *n) {
  uint8_t *mark = NULL;
  Status status = OK;
  *n = 0;
  ALLOC(mark, d->inp->n_node, "nodes of a surface");
  for (int32_t i = 0; i < s->n; ++i) {
    if (!s->facet) {
      mark[s->node[i]] = 1;
      continue;
    }
    const ElementFace *face = &element_type(inp_kind_of(d->inp, s->facet[i].element))->face[s->facet[i].face];
    const int32_t *nodes = inp_nodes_of(d->inp, s->facet[i].element);
    for (int32_t a = 0; a < element_type(face->kind)->n_node; ++a) mark[nodes[face->nodes[a]]] = 1;
  }
  status = mem_alloc(d->inp->n_node, sizeof **out, "nodes of a surface", (void **)out);
  for (int32_t i = 0; status == OK && i < d->inp->n_node; ++i)
    if (mark[i]) (*out)[(*n)++] = i;
  FREE(mark);
  return status;
}

static Status tie_surfaces(Deck *d, const InpLine *line, const InpSurface *one, const Facet *facet, int32_t n_facet,
                           double tolerance) {
  int32_t *node = NULL, n = 0, row, far = 0, worst = -1, shared = 0;
  double gap = 0, allowed = 0;
  Nearest *near = NULL;
  Status status = OK;
  TRY(deck_row(d, line, &row));
  TRY_DONE(nodes_of_surface(d, one, &node, &n));
  ALLOC_DONE(near, n, "nodes of a surface");
#pragma omp parallel for schedule(dynamic, 64)
  for (int32_t i = 0; i < n; ++i) near[i] = find_nearest(facet, n_facet, d->inp->x[node[i]]);
  for (int32_t i = 0; i < n; ++i) {
    const Facet *f = &facet[near[i].facet];
    const double reach = tolerance > 0 ? tolerance : NEAR * f->size;
    far += near[i].distance > reach;
    shared += has_node(f, node[i]);
    if (near[i].distance > reach && near[i].distance > gap) gap = near[i].distance, allowed = reach, worst = node[i];
    TRY_DONE(tie_node(d, row, node[i], f, near[i].xi));
  }
  if (far)
    status =
        inp_line_fail(d->inp, d->card, line,
                      "%d of %d nodes of '%.60s' do not lie on the other surface: the largest gap is %.4g, at node "
                      "%lld; allowed: %.3g (POSITION TOLERANCE=)",
                      far, n, one->name, gap, (long long)d->inp->node_tag[worst], allowed);
  else if (shared == n)
    status = inp_line_fail(d->inp, d->card, line,
                           "ties nothing: all %d nodes of '%.60s' are nodes of the other surface too; its second "
                           "surface is another one, over nodes of its own",
                           n, one->name);
done:
  FREE(near);
  FREE(node);
  return status;
}

static Status tie_line(Deck *d, const InpLine *line, double tolerance) {
  const InpSurface *side[2];
  Facet *facet = NULL;
  for (int k = 0; k < 2; ++k) {
    side[k] = k < line->n ? inp_surface(d->inp, line->field[k]) : NULL;
    if (!side[k])
      return inp_line_fail(d->inp, d->card, line, "there is no surface '%.80s'", k < line->n ? line->field[k] : "");
  }
  if (!side[1]->facet || !side[1]->n)
    return inp_line_fail(d->inp, d->card, line, "'%.80s', the second surface, must be one of faces", side[1]->name);
  ALLOC(facet, side[1]->n, "faces of a tie");
  for (int32_t i = 0; i < side[1]->n; ++i) facet_fill(d, &side[1]->facet[i], &facet[i]);
  const Status status = tie_surfaces(d, line, side[0], facet, side[1]->n, tolerance);
  FREE(facet);
  return status;
}

Status deck_card_tie(Deck *d) {
  const char *reach = inp_parameter(d->card, "POSITIONTOLERANCE");
  double tolerance = 0;
  InpCursor cursor = {0};
  InpLine line;
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "of temperatures is not understood");
  if (reach) {
    const char *end = source_number(reach, &tolerance);
    if (!end || *end || !(tolerance > 0))
      return inp_fail(d->inp, d->card, "POSITION TOLERANCE=%.40s is not a number > 0", reach);
  }
  while (inp_next(d->inp, d->card, &cursor, &line)) TRY(tie_line(d, &line, tolerance));
  return OK;
}
