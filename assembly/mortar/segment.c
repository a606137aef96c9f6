/* Outlines of facets in a plane, what they have in common as triangles, some with a bent side; places in the plane become
 * places of both facets by Newton. */
#include "assembly/mortar/segment.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const double BULGE = 0.25;    /* of its size: how far a facet of order 2 may be out of the box of its nodes */
static const double WIDER = 1e-3;    /* of its size: what is looked for beside it */
static const double NOTHING = 1e-14; /* of the area of a facet */
static const double AFFINE = 1e-12;  /* of a facet's size: how far it may be from a linear map */
static const double EXACT = 1e-15;   /* of the reference: what a step of Newton's method leaves */
enum { NEWTON = 25 };

Status segment_rules_create(SegmentRules *out) {
  for (int32_t d = 0; d < SEGMENT_DEGREES; ++d) {
    TRY(quadrature_create(SHAPE_LINE, d, &out->line[d]));
    TRY(quadrature_create(SHAPE_TRIANGLE, d, &out->triangle[d]));
  }
  return OK;
}

void segment_basis(const ElementType *type, bool axisymmetric, double *N) {
  const int32_t *edge;
  for (int32_t e = 0; (edge = facet_edge(type, axisymmetric, e)); ++e) {
    N[edge[0]] += FACET_SHARE * N[edge[2]];
    N[edge[1]] += FACET_SHARE * N[edge[2]];
    N[edge[2]] *= 1 - 2 * FACET_SHARE;
  }
}

static void center_of(const ElementType *type, double xi[3]) {
  xi[0] = xi[1] = type->shape == SHAPE_TRIANGLE ? 1.0 / 3 : 0, xi[2] = 0;
}

double segment_size(const Facet *f) {
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    double low = f->x[0][k], high = low;
    for (int32_t a = 1; a < f->type->n_vertex; ++a) low = fmin(low, f->x[a][k]), high = fmax(high, f->x[a][k]);
    size = fmax(size, high - low);
  }
  return size;
}

void segment_plane(const Facet *f, SegmentPlane *out) {
  double xi[3], N[ELEMENT_MAX_NODES];
  center_of(f->type, xi);
  f->type->values(xi, N);
  facet_point(f, N, out->origin);
  facet_normal(f, xi, out->normal);
  vec3_normalize(out->normal);
  vec3_minus(f->x[1], f->x[0], out->along[0]);
  const double off = vec3_dot(out->along[0], out->normal);
  for (int k = 0; k < 3; ++k) out->along[0][k] -= off * out->normal[k];
  vec3_normalize(out->along[0]);
  vec3_cross(out->normal, out->along[0], out->along[1]);
}

static void go_around(SegmentShadow *s) {
  const ElementType *t = s->facet->type;
  double area = 0;
  for (int32_t f = 0; f < t->n_face; ++f) {
    const double *a = s->q[f], *b = s->q[(f + 1) % t->n_vertex];
    area += a[0] * b[1] - b[0] * a[1];
  }
  s->edges.n = t->n_face;
  for (int32_t f = 0; f < t->n_face; ++f) {
    const int32_t *node = t->face[f].nodes;
    const double *a = s->q[node[area < 0]], *b = s->q[node[area >= 0]];
    const double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    s->edges.arc[area < 0 ? t->n_face - 1 - f : f] = arc_over(a, t->order == 2 ? s->q[node[2]] : middle, b);
  }
}

/* Nodes against those of the linear map of its first vertices. */
static double bent_by(const SegmentShadow *s) {
  const ElementType *t = s->facet->type;
  const int32_t third = t->shape == SHAPE_TRIANGLE ? 2 : 3;
  double most = 0;
  for (int32_t a = 0; a < t->n_node; ++a) {
    double u = t->node[a][0], v = t->dim == 2 ? t->node[a][1] : 0, away = 0;
    if (t->shape != SHAPE_TRIANGLE) u = 0.5 * (1 + u), v = t->dim == 2 ? 0.5 * (1 + v) : 0;
    for (int k = 0; k < t->dim; ++k) {
      const double d = s->q[a][k] - s->q[0][k] - u * (s->q[1][k] - s->q[0][k]);
      away += fabs(t->dim == 2 ? d - v * (s->q[third][k] - s->q[0][k]) : d);
    }
    most = fmax(most, away);
  }
  return most / s->size;
}

Box segment_box(const Facet *f) {
  const double bulge = f->type->order > 1 ? BULGE * segment_size(f) : 0;
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = box.high[k] = f->x[0][k];
    for (int32_t a = 1; a < f->type->n_node; ++a) {
      box.low[k] = fmin(box.low[k], f->x[a][k]);
      box.high[k] = fmax(box.high[k], f->x[a][k]);
    }
    box.low[k] -= bulge, box.high[k] += bulge;
  }
  return box;
}

Box segment_opposite(const Facet *f, double reach) {
  const double size = segment_size(f), along = reach > size ? reach : size;
  Box box = segment_box(f);
  SegmentPlane plane;
  segment_plane(f, &plane);
  for (int k = 0; k < 3; ++k) {
    const double more = along * fabs(plane.normal[k]) + WIDER * size;
    box.low[k] -= more, box.high[k] += more;
  }
  return box;
}

/* The map of its first vertices to the reference's coordinates; infinite where they lie on a line. */
static void map_back(SegmentShadow *s) {
  const ElementType *t = s->facet->type;
  const int32_t third = t->shape == SHAPE_TRIANGLE ? 2 : 3;
  const double scale = t->shape == SHAPE_TRIANGLE ? 1 : 2;
  const double a[2] = {s->q[1][0] - s->q[0][0], s->q[1][1] - s->q[0][1]};
  const double b[2] = {t->dim == 2 ? s->q[third][0] - s->q[0][0] : -a[1],
                       t->dim == 2 ? s->q[third][1] - s->q[0][1] : a[0]};
  const double by = scale / (a[0] * b[1] - a[1] * b[0]);
  s->back[0][0] = by * b[1], s->back[0][1] = -by * b[0];
  s->back[1][0] = t->dim == 2 ? -by * a[1] : 0, s->back[1][1] = t->dim == 2 ? by * a[0] : 0;
  s->first[0] = 1 - scale, s->first[1] = t->dim == 2 ? 1 - scale : 0;
}

void segment_cast(const Facet *f, const SegmentPlane *p, SegmentShadow *s) {
  s->facet = f, s->size = segment_size(f), s->edges.n = 0; /* its room for arcs is large */
  for (int32_t a = 0; a < f->type->n_node; ++a) {
    double d[3];
    vec3_minus(f->x[a], p->origin, d);
    for (int k = 0; k < 2; ++k) s->q[a][k] = vec3_dot(d, p->along[k]);
  }
  if (f->type->dim == 2) go_around(s);
  s->bent = bent_by(s);
  map_back(s);
  for (int k = 0; k < 2; ++k) {
    s->low[k] = s->high[k] = s->q[0][k];
    for (int32_t a = 1; f->type->dim == 1 && a < f->type->n_node; ++a)
      s->low[k] = fmin(s->low[k], s->q[a][k]), s->high[k] = fmax(s->high[k], s->q[a][k]);
    for (int32_t i = 0; i < 3 * s->edges.n; ++i) {
      const double at = s->edges.arc[i / 3].p[i % 3][k];
      s->low[k] = fmin(s->low[k], at), s->high[k] = fmax(s->high[k], at);
    }
  }
}

static bool are_apart(const SegmentShadow *a, const SegmentShadow *b) {
  for (int k = 0; k < a->facet->type->dim; ++k)
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return true;
  return false;
}

/* Where the plane's point p lies on the facet: by Newton from where its first vertices say, whose error is squared in each step. */
static bool find_place(const SegmentShadow *s, const double p[2], double xi[3]) {
  const ElementType *t = s->facet->type;
  double N[ELEMENT_MAX_NODES], dN[3 * ELEMENT_MAX_NODES];
  for (int k = 0; k < 2; ++k)
    xi[k] = s->first[k] + s->back[k][0] * (p[0] - s->q[0][0]) + s->back[k][1] * (p[1] - s->q[0][1]);
  if (!isfinite(xi[0]) || !isfinite(xi[1])) return false;
  if (s->bent < AFFINE) return true;
  for (int step = 0; step < NEWTON; ++step) {
    double J[2][2] = {{0}}, r[2] = {p[0], p[1]};
    t->values(xi, N);
    t->gradients(xi, dN);
    for (int32_t a = 0; a < t->n_node; ++a)
      for (int k = 0; k < t->dim; ++k) {
        r[k] -= N[a] * s->q[a][k];
        for (int c = 0; c < t->dim; ++c) J[k][c] += s->q[a][k] * dN[a * t->dim + c];
      }
    const double det = t->dim == 2 ? J[0][0] * J[1][1] - J[0][1] * J[1][0] : J[0][0];
    if (!(fabs(det) > 0)) return false;
    const double d0 = t->dim == 2 ? (r[0] * J[1][1] - r[1] * J[0][1]) / det : r[0] / det;
    const double d1 = t->dim == 2 ? (J[0][0] * r[1] - J[1][0] * r[0]) / det : 0;
    xi[0] += d0, xi[1] += d1;
    if (s->bent * (d0 * d0 + d1 * d1) < EXACT) return true;
  }
  return false;
}

typedef struct Pair {
  const SegmentRules *rules;
  const SegmentShadow *one, *two;
  const SegmentPlane *plane;
  bool axisymmetric;
  Segment *out;
} Pair;

static void add_point(Pair *g, const double p[2], double weight) {
  const Facet *one = g->one->facet, *two = g->two->facet;
  const int32_t n = one->type->n_node, m = two->type->n_node;
  double N[ELEMENT_MAX_NODES], M[ELEMENT_MAX_NODES], x[3], y[3], normal[3], xi[2][3] = {{0}};
  Segment *out = g->out;
  if (!find_place(g->one, p, xi[0]) || !find_place(g->two, p, xi[1])) {
    out->warped = true;
    return;
  }
  one->type->values(xi[0], N);
  two->type->values(xi[1], M);
  facet_point(one, N, x);
  facet_point(two, M, y);
  facet_normal(one, xi[0], normal);
  weight *= sqrt(vec3_dot(normal, normal)) / fabs(vec3_dot(normal, g->plane->normal));
  if (g->axisymmetric) weight *= x[0];
  segment_basis(one->type, g->axisymmetric, N);
  vec3_minus(y, x, y);
  out->gap = fmax(out->gap, fabs(vec3_dot(y, g->plane->normal)));
  out->area += weight;
  for (int32_t a = 0; a < n; ++a) {
    for (int32_t b = 0; b < n; ++b) out->square[a * n + b] += weight * N[a] * N[b];
    for (int32_t k = 0; k < m; ++k) out->mixed[a * m + k] += weight * N[a] * M[k];
  }
}

static int32_t up_to(int32_t degree) { return degree < SEGMENT_DEGREES ? degree : SEGMENT_DEGREES - 1; }

/* Powers of what is bent by that much fall with it, and a rule that is exact to one degree has a small part of the next. */
static int32_t degree_of_bend(double bent) {
  static const double ERROR = -18; /* logarithm */
  return bent > 1e-9 ? (int32_t)ceil(ERROR / log(fmin(bent, 0.3))) : 0;
}

/* How far its middle is off that of its chord, of the chord. */
static double arc_bend(const Arc *arc) {
  double off = 0, chord = 0;
  for (int k = 0; k < 2; ++k) {
    const double x = arc->p[1][k] - 0.5 * (arc->p[0][k] + arc->p[2][k]), l = arc->p[2][k] - arc->p[0][k];
    off += x * x, chord += l * l;
  }
  return chord > 0 ? sqrt(off / chord) : 1;
}

/* What lies between the arc and `tip`: on a straight one a triangle, else x = tip + t (arc(r) - tip). */
static void add_fan(Pair *g, int32_t degree, const double tip[2], const Arc *arc, double least) {
  const double a[2] = {arc->p[0][0] - tip[0], arc->p[0][1] - tip[1]},
               b[2] = {arc->p[2][0] - tip[0], arc->p[2][1] - tip[1]};
  const double twice = a[0] * b[1] - a[1] * b[0];
  const Quadrature *triangle = &g->rules->triangle[degree], *out = &g->rules->line[up_to(degree + 1)];
  const Quadrature *line = &g->rules->line[up_to(degree + 1 + degree_of_bend(arc_bend(arc)))];
  for (int32_t q = 0; !arc->bent && fabs(twice) > least && q < triangle->n; ++q) {
    const double *xi = triangle->xi[q];
    const double p[2] = {tip[0] + xi[0] * a[0] + xi[1] * b[0], tip[1] + xi[0] * a[1] + xi[1] * b[1]};
    add_point(g, p, triangle->weight[q] * twice);
  }
  for (int32_t q = 0; arc->bent && q < line->n; ++q) {
    double x[2], slope[2];
    arc_at(arc, 0.5 * (1 + line->xi[q][0]), x, slope);
    x[0] -= tip[0], x[1] -= tip[1];
    const double area = x[0] * slope[1] - x[1] * slope[0];
    for (int32_t k = 0; k < out->n; ++k) {
      const double t = 0.5 * (1 + out->xi[k][0]), p[2] = {tip[0] + t * x[0], tip[1] + t * x[1]};
      add_point(g, p, 0.25 * line->weight[q] * out->weight[k] * t * area);
    }
  }
}

/* By fans from a vertex of it, or where edges are bent from its middle, so that no point is far from both facets. */
static void add_outline(Pair *g, int32_t degree, const Outline *part, double least) {
  double tip[2] = {0};
  bool bent = false;
  for (int32_t i = 0; i < part->n; ++i) bent |= part->arc[i].bent;
  for (int32_t i = 0; i < (bent ? part->n : 1); ++i)
    for (int k = 0; k < 2; ++k) tip[k] += part->arc[i].p[0][k] / (bent ? part->n : 1);
  for (int32_t i = 0; i < part->n; ++i) add_fan(g, degree, tip, &part->arc[i], least);
}

static void add_chord(Pair *g, int32_t degree, double least) {
  const Quadrature *rule = &g->rules->line[degree];
  const double(*a)[2] = (const double(*)[2])g->one->q, (*b)[2] = (const double(*)[2])g->two->q;
  const double low = fmax(fmin(a[0][0], a[1][0]), fmin(b[0][0], b[1][0]));
  const double high = fmin(fmax(a[0][0], a[1][0]), fmax(b[0][0], b[1][0]));
  for (int32_t q = 0; high - low > least && q < rule->n; ++q) {
    const double p[2] = {low + 0.5 * (1 + rule->xi[q][0]) * (high - low), 0};
    add_point(g, p, rule->weight[q] * 0.5 * (high - low));
  }
}

/* Of polynomials on affine facets exact; those that are not have functions that are no polynomials in the plane. */
static int32_t degree_of(const SegmentShadow *a, const SegmentShadow *b, bool axisymmetric) {
  int32_t degree = axisymmetric;
  for (int k = 0; k < 2; ++k) {
    const ElementType *t = (k ? b : a)->facet->type;
    degree += t->shape == SHAPE_QUAD ? (t->n_node == 8 ? 3 : 2 * t->order) : t->order;
  }
  return up_to(degree + degree_of_bend(fmax(a->bent, b->bent)));
}

void segment_integrate(const SegmentRules *rules, const SegmentPlane *plane, const SegmentShadow *one, const Facet *two,
                       bool axisymmetric, Segment *out) {
  SegmentShadow other;
  Outline common;
  Pair g = {.rules = rules, .one = one, .two = &other, .plane = plane, .axisymmetric = axisymmetric, .out = out};
  *out = (Segment){0};
  segment_cast(two, plane, &other);
  if (are_apart(one, &other)) return;
  const double size = fmin(one->size, other.size);
  const int32_t degree = degree_of(one, &other, axisymmetric);
  if (two->type->dim == 1) {
    add_chord(&g, degree, 1e-12 * size);
    return;
  }
  out->warped |= !outline_common(&one->edges, &other.edges, &common);
  add_outline(&g, degree, &common, NOTHING * size * size);
}
