/* Facets as convex polygons in a plane, clipped (Sutherland and Hodgman, Reentrant polygon clipping, 1974), in triangles;
 * places in the plane become places of both facets by Newton. */
#include "assembly/mortar/segment.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const double STRAIGHT = 1e-7; /* of an edge: how far its middle may lie off it */
static const double NOTHING = 1e-14; /* of the area of a facet */
static const double FACING = 0.2;    /* cosine of the angle between facets that see each other */
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

/* A facet in the plane of the first one: its nodes, and the convex pieces that it is made of there. */
typedef struct Shadow {
  const Facet *facet;
  double q[SIDE_NODES][2], size;
  int32_t n_piece, n[SEGMENT_PIECES];
  double piece[SEGMENT_PIECES][4][2];
  double bent; /* how far its places are from a linear function of the reference's, of its size */
} Shadow;

/* Whether edges of a quadratic facet are bent in the plane. */
static bool is_curved(const Shadow *s) {
  const ElementType *t = s->facet->type;
  for (int32_t f = 0; t->order == 2 && t->dim == 2 && f < t->n_face; ++f) {
    const double *a = s->q[t->face[f].nodes[0]], *b = s->q[t->face[f].nodes[1]], *m = s->q[t->face[f].nodes[2]];
    const double x = b[0] - a[0], y = b[1] - a[1];
    if (fabs(x * (m[1] - a[1]) - y * (m[0] - a[0])) > STRAIGHT * (x * x + y * y)) return true;
  }
  return false;
}

static void add_piece(Shadow *s, int32_t n, const int32_t *node) {
  double area = 0, (*v)[2] = s->piece[s->n_piece];
  for (int32_t a = 0; a < n; ++a) memcpy(v[a], s->q[node[a]], sizeof *v);
  for (int32_t a = 0; a < n; ++a) area += v[a][0] * v[(a + 1) % n][1] - v[(a + 1) % n][0] * v[a][1];
  for (int32_t a = 0; area < 0 && a < n; ++a) memcpy(v[a], s->q[node[n - 1 - a]], sizeof *v);
  s->n[s->n_piece++] = n;
}

static void cut_in_pieces(Shadow *s) {
  static const int32_t whole[4] = {0, 1, 2, 3}, triangle[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
  static const int32_t corner[4][3] = {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}}, middle[4] = {4, 5, 6, 7};
  s->n_piece = 0;
  if (!is_curved(s)) add_piece(s, s->facet->type->n_vertex, whole);
  else if (s->facet->type->shape == SHAPE_TRIANGLE)
    for (int k = 0; k < 4; ++k) add_piece(s, 3, triangle[k]);
  else {
    for (int k = 0; k < 4; ++k) add_piece(s, 3, corner[k]);
    add_piece(s, 4, middle);
  }
}

/* Nodes against those of the linear map of its first vertices. */
static double bent_by(const Shadow *s) {
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

static void cast(const Facet *f, const SegmentPlane *p, Shadow *s) {
  *s = (Shadow){.facet = f, .size = segment_size(f)};
  for (int32_t a = 0; a < f->type->n_node; ++a) {
    double d[3];
    vec3_minus(f->x[a], p->origin, d);
    for (int k = 0; k < 2; ++k) s->q[a][k] = vec3_dot(d, p->along[k]);
  }
  if (f->type->dim == 2) cut_in_pieces(s);
  s->bent = bent_by(s);
}

/* What of polygon v lies left of the edge from a to b. */
static int32_t clip_edge(int32_t n, const double (*v)[2], const double a[2], const double b[2], double (*out)[2]) {
  double side[PIECE_VERTICES];
  int32_t m = 0;
  for (int32_t i = 0; i < n; ++i) side[i] = (b[0] - a[0]) * (v[i][1] - a[1]) - (b[1] - a[1]) * (v[i][0] - a[0]);
  for (int32_t i = 0; i < n; ++i) {
    const int32_t j = (i + 1) % n;
    if (side[i] >= 0) memcpy(out[m++], v[i], sizeof *out);
    if ((side[i] < 0) == (side[j] < 0)) continue;
    const double t = side[i] / (side[i] - side[j]);
    for (int k = 0; k < 2; ++k) out[m][k] = v[i][k] + t * (v[j][k] - v[i][k]);
    ++m;
  }
  return m;
}

static int32_t clip(int32_t n, const double (*v)[2], int32_t n_by, const double (*by)[2], double (*out)[2]) {
  double work[2][PIECE_VERTICES][2];
  memcpy(work[0], v, (size_t)n * sizeof *v);
  for (int32_t e = 0; e < n_by; ++e)
    n = clip_edge(n, (const double(*)[2])work[e % 2], by[e], by[(e + 1) % n_by], work[(e + 1) % 2]);
  memcpy(out, work[n_by % 2], (size_t)n * sizeof *out);
  return n;
}

/* Where the plane's point p lies on the facet; *density: the plane's area for the reference's. */
static bool find_place(const Shadow *s, const double p[2], double xi[3], double *density) {
  const ElementType *t = s->facet->type;
  double N[ELEMENT_MAX_NODES], dN[3 * ELEMENT_MAX_NODES];
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
    *density = fabs(det);
    if (!(*density > 0)) return false;
    const double d0 = t->dim == 2 ? (r[0] * J[1][1] - r[1] * J[0][1]) / det : r[0] / det;
    const double d1 = t->dim == 2 ? (J[0][0] * r[1] - J[1][0] * r[0]) / det : 0;
    xi[0] += d0, xi[1] += d1;
    if (fabs(d0) + fabs(d1) < 1e-13) return true;
    if (step > 8 && fabs(d0) + fabs(d1) < 1e-10) return true;
  }
  return false;
}

typedef struct Pair {
  const Shadow *one, *two;
  const SegmentPlane *plane;
  bool axisymmetric;
  double xi[2][3]; /* where Newton begins, the place before */
  Segment *out;
} Pair;

static void add_point(Pair *g, const double p[2], double weight) {
  const Facet *one = g->one->facet, *two = g->two->facet;
  const int32_t n = one->type->n_node, m = two->type->n_node;
  double N[ELEMENT_MAX_NODES], M[ELEMENT_MAX_NODES], x[3], y[3], normal[3], density, other;
  Segment *out = g->out;
  for (int k = 0; k < 2; ++k)
    if (!find_place(k ? g->two : g->one, p, g->xi[k], k ? &other : &density)) {
      out->warped = true;
      center_of(k ? two->type : one->type, g->xi[k]);
      return;
    }
  one->type->values(g->xi[0], N);
  two->type->values(g->xi[1], M);
  facet_point(one, N, x);
  facet_point(two, M, y);
  facet_normal(one, g->xi[0], normal);
  weight *= sqrt(vec3_dot(normal, normal)) / density;
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

/* By triangles from the first vertex. */
static void add_polygon(Pair *g, const Quadrature *rule, int32_t n, const double (*v)[2], double least) {
  for (int32_t i = 1; i + 1 < n; ++i) {
    const double a[2] = {v[i][0] - v[0][0], v[i][1] - v[0][1]}, b[2] = {v[i + 1][0] - v[0][0], v[i + 1][1] - v[0][1]};
    const double twice = a[0] * b[1] - a[1] * b[0];
    for (int32_t q = 0; twice > least && q < rule->n; ++q) {
      const double *xi = rule->xi[q];
      const double p[2] = {v[0][0] + xi[0] * a[0] + xi[1] * b[0], v[0][1] + xi[0] * a[1] + xi[1] * b[1]};
      add_point(g, p, rule->weight[q] * twice);
    }
  }
}

static void add_chord(Pair *g, const Quadrature *rule, double least) {
  const double(*a)[2] = (const double(*)[2])g->one->q, (*b)[2] = (const double(*)[2])g->two->q;
  const double low = fmax(fmin(a[0][0], a[1][0]), fmin(b[0][0], b[1][0]));
  const double high = fmin(fmax(a[0][0], a[1][0]), fmax(b[0][0], b[1][0]));
  for (int32_t q = 0; high - low > least && q < rule->n; ++q) {
    const double p[2] = {low + 0.5 * (1 + rule->xi[q][0]) * (high - low), 0};
    add_point(g, p, rule->weight[q] * 0.5 * (high - low));
  }
}

/* Of polynomials on affine facets exact; those that are not have functions that are no polynomials in the plane, whose
 * powers fall with how much they are bent. */
static int32_t degree_of(const Shadow *a, const Shadow *b) {
  static const double ERROR = -25; /* logarithm */
  int32_t degree = 0;
  const double bent = fmax(a->bent, b->bent);
  for (int k = 0; k < 2; ++k) {
    const ElementType *t = (k ? b : a)->facet->type;
    degree += t->shape == SHAPE_QUAD ? (t->n_node == 8 ? 3 : 2 * t->order) : t->order;
  }
  if (bent > 1e-9) degree += (int32_t)ceil(ERROR / log(fmin(bent, 0.3)));
  return degree < SEGMENT_DEGREES ? degree : SEGMENT_DEGREES - 1;
}

void segment_integrate(const SegmentRules *rules, const Facet *one, const SegmentPlane *plane, const Facet *two,
                       bool axisymmetric, Segment *out) {
  Shadow a, b;
  SegmentPlane other;
  double v[PIECE_VERTICES][2];
  Pair g = {.one = &a, .two = &b, .plane = plane, .axisymmetric = axisymmetric, .out = out};
  *out = (Segment){0};
  segment_plane(two, &other);
  if (fabs(vec3_dot(plane->normal, other.normal)) < FACING) return;
  cast(one, plane, &a);
  cast(two, plane, &b);
  for (int k = 0; k < 2; ++k) center_of(k ? two->type : one->type, g.xi[k]);
  const double size = fmin(a.size, b.size);
  int32_t degree = degree_of(&a, &b) + axisymmetric;
  if (degree >= SEGMENT_DEGREES) degree = SEGMENT_DEGREES - 1;
  if (one->type->dim == 1) add_chord(&g, &rules->line[degree], 1e-12 * size);
  for (int32_t i = 0; i < a.n_piece; ++i)
    for (int32_t k = 0; k < b.n_piece; ++k) {
      const int32_t n = clip(a.n[i], (const double(*)[2])a.piece[i], b.n[k], (const double(*)[2])b.piece[k], v);
      if (n > 2) add_polygon(&g, &rules->triangle[degree], n, (const double(*)[2])v, NOTHING * size * size);
    }
}
