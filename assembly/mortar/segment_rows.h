/* What two facets have in common, seen along the normal of the first one: integrals over that part of it, one row for each pair. Outlines of
 * facets in a plane, what they have in common as triangles, some with a bent side; places in the plane become places of both facets by
 * Newton. docs/theory/mortar.md. */
#pragma once
#include "assembly/mortar/outline_rows.h"

enum {
  SEGMENT_DEGREES = 16,
  SEGMENT_NEWTON = 25,
  SEGMENT_WARPED = 1, /* a place was not found on one of the facets */
  SEGMENT_FOUND = 2   /* there are integrals */
};

/* What all pairs share: kinds of facets and rules of all degrees. */
typedef struct SegmentTables {
  FacetTerms facet[FACET_KINDS];
  Quadrature line[SEGMENT_DEGREES], triangle[SEGMENT_DEGREES], quad; /* quad: of degree 6 */
} SegmentTables;

/* Facets of a surface. */
typedef struct FacetSide {
  int32_t n, width;    /* nodes of the kind that has most */
  const double *x;     /* [mesh nodes][3] */
  const int32_t *node; /* [n][width] */
  const uint8_t *kind; /* [n] */
  double *size;        /* [n]: the largest extent of their vertices */
  double *normal;      /* [n][3]: unit, in their middle */
} FacetSide;

/* A plane through the middle of a facet, across its normal axis[2]; of a flat model a chord in place of the plane. */
typedef struct SegmentPlane {
  double origin[3], axis[3][3];
} SegmentPlane;

/* A facet in that plane. */
typedef struct SegmentShadow {
  double q[FACET_NODES][2], g[3][FACET_TERMS]; /* its nodes; place and height over the plane as sums of products */
  double size, low[2], high[2];                /* a box around it */
  double back[2][2], first[2]; /* the reference's coordinates of q[0] + d, by its first vertices: first + back d */
  double bent;                 /* how far its places are from that linear map, of its size */
} SegmentShadow;

/* Integrals over the common part, by the area of the first facet (times x in a body of revolution), N' its functions with
 * which corners of quadratic faces have a share of the area (mortar.h). */
typedef struct SegmentArgs {
  const SegmentTables *tables;
  FacetSide on, to;
  const SegmentPlane *plane;                     /* [on.n] */
  const int32_t *of, *other;                     /* [pairs]: facets of each */
  int32_t axisymmetric, first_kind, second_kind; /* rows of other kinds do nothing */
  int32_t n_square, n_mixed;                     /* room of a pair */
  double *area, *gap;                            /* [pairs]: gap: the largest distance */
  double *square;                                /* [pairs][n_square]: [a][b <= a] of N'_a N'_b */
  double *mixed;                                 /* [pairs][n_mixed]: [a][k] of N'_a N_k, N of the second facet */
  uint8_t *state;                                /* [pairs] SEGMENT_ */
} SegmentArgs;

typedef struct SegmentSums {
  double area, gap, square[FACET_NODES * (FACET_NODES + 1) / 2], mixed[FACET_NODES * FACET_NODES];
  int32_t warped;
} SegmentSums;

/* Numbers of a kind, which compilers may know. */
typedef struct FacetShape {
  int32_t dim, n, n_term, n_edge, triangle;
} FacetShape;

/* Two facets, apart from what is known of their kinds: where places are looked up in shadows, these stay out of registers. */
typedef struct SegmentPair {
  const SegmentTables *tables;
  const FacetTerms *terms, *other_terms;
  const SegmentPlane *plane;
  const SegmentShadow *one, *two;
  FacetShape shape, other;
  int32_t axisymmetric;
} SegmentPair;

/* Of a kind; n > 0: one of so many nodes whose products are as many. */
HD FacetShape facet_shape(const FacetTerms *t, const int32_t dim, const int32_t n) {
  FacetShape s;
  s.dim = dim, s.n = n ? n : t->n_node, s.n_term = n ? n : t->n_term, s.n_edge = n ? (n % 4 ? 3 : 4) : t->n_edge;
  s.triangle = n ? n % 4 != 0 : t->triangle;
  return s;
}

HD double segment_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

HD void segment_cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

HD void segment_cast(const FacetTerms *t, const FacetShape h, const FacetSide *side, const int32_t facet,
                     const SegmentPlane *plane, SegmentShadow *s) {
  const int32_t *node = side->node + (int64_t)facet * side->width;
  const int32_t dim = h.dim, third = h.triangle || dim == 1 ? 2 : 3; /* of lines none */
  const double scale = h.triangle ? 1 : 2;
  double away = 0, most = 0;
  s->size = side->size[facet];
  for (int k = 0; k < 3; ++k)
    for (int32_t m = 0; m < h.n_term; ++m) s->g[k][m] = 0;
  for (int32_t a = 0; a < h.n; ++a) {
    const double *x = side->x + 3 * (int64_t)node[a];
    const double d[3] = {x[0] - plane->origin[0], x[1] - plane->origin[1], x[2] - plane->origin[2]};
    for (int k = 0; k < 3; ++k) {
      const double at = segment_dot(d, plane->axis[k]);
      if (k < 2) s->q[a][k] = at;
      for (int32_t m = 0; m < h.n_term; ++m) s->g[k][m] += at * t->N[a][m];
    }
  }
  const double a[2] = {s->q[1][0] - s->q[0][0], s->q[1][1] - s->q[0][1]};
  double b[2] = {-a[1], a[0]};
  if (dim == 2) b[0] = s->q[third][0] - s->q[0][0], b[1] = s->q[third][1] - s->q[0][1];
  const double by = scale / (a[0] * b[1] - a[1] * b[0]);
  s->back[0][0] = by * b[1], s->back[0][1] = -by * b[0];
  s->back[1][0] = dim == 2 ? -by * a[1] : 0, s->back[1][1] = dim == 2 ? by * a[0] : 0;
  s->first[0] = 1 - scale, s->first[1] = dim == 2 ? 1 - scale : 0;
  for (int32_t e = 0; e < h.n; ++e, most = fmax(most, away), away = 0) { /* nodes against those of the linear map */
    double u = t->node[e][0], v = t->node[e][1];
    if (!h.triangle) u = 0.5 * (1 + u), v = dim == 2 ? 0.5 * (1 + v) : 0;
    for (int k = 0; k < dim; ++k) {
      const double d = s->q[e][k] - s->q[0][k] - u * a[k];
      away += fabs(dim == 2 ? d - v * b[k] : d);
    }
  }
  s->bent = most / s->size;
  for (int k = 0; k < 2; ++k) {
    s->low[k] = s->high[k] = s->q[0][k];
    for (int32_t e = 1; e < (dim == 2 ? h.n_edge : h.n); ++e)
      s->low[k] = fmin(s->low[k], s->q[e][k]), s->high[k] = fmax(s->high[k], s->q[e][k]);
  }
}

HD int segment_apart(const SegmentShadow *a, const SegmentShadow *b, const int32_t dim) {
  for (int k = 0; k < dim; ++k)
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return 1;
  return 0;
}

/* Where the plane's point p lies on the facet: from where its first vertices say, which is off by how far it is bent, by their map once more,
 * which leaves the square of that, and by Newton, whose error is squared in each step. */
HD int segment_place(const SegmentShadow *s, const FacetShape h, const double p[2], double xi[2]) {
  const double AFFINE = 1e-12; /* of a facet's size: how far it may be from a linear map */
  const double LITTLE = 1e-2;
  const double EXACT = 1e-15; /* of the reference: what a step of Newton's method leaves */
  const double d[2] = {p[0] - s->q[0][0], p[1] - s->q[0][1]};
  for (int k = 0; k < 2; ++k) xi[k] = s->first[k] + s->back[k][0] * d[0] + s->back[k][1] * d[1];
  if (!(xi[0] - xi[0] == 0 && xi[1] - xi[1] == 0)) return 0; /* not finite */
  if (h.n_term == 3 || s->bent < AFFINE) return 1;
  for (int step = s->bent < LITTLE ? -1 : 0; step < SEGMENT_NEWTON; ++step) {
    double w[FACET_TERMS], by_u[FACET_TERMS], by_v[FACET_TERMS], r[2], J[2][2];
    facet_powers(h.n_term, xi[0], xi[1], w);
    for (int k = 0; k < 2; ++k) r[k] = p[k] - facet_sum(h.n_term, s->g[k], w);
    if (step < 0) {
      for (int k = 0; k < 2; ++k) xi[k] += s->back[k][0] * r[0] + s->back[k][1] * r[1];
      continue;
    }
    facet_slopes(h.n_term, xi[0], xi[1], by_u, by_v);
    for (int k = 0; k < 2; ++k)
      J[k][0] = facet_sum(h.n_term, s->g[k], by_u), J[k][1] = facet_sum(h.n_term, s->g[k], by_v);
    if (h.dim == 1) r[1] = 0, J[0][1] = J[1][0] = 0, J[1][1] = 1;
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    if (!(fabs(det) > 0)) return 0;
    const double d0 = (r[0] * J[1][1] - r[1] * J[0][1]) / det, d1 = (J[0][0] * r[1] - J[1][0] * r[0]) / det;
    xi[0] += d0, xi[1] += d1;
    if (s->bent * (d0 * d0 + d1 * d1) < EXACT) return 1;
  }
  return 0;
}

HD void segment_point(const SegmentPair *g, const double p[2], const double part, SegmentSums *out) {
  const SegmentShadow *one = g->one, *two = g->two;
  double xi[2][2], w[FACET_TERMS], by[2][FACET_TERMS], along[2][3], normal[3], N[FACET_NODES];
  if (!segment_place(one, g->shape, p, xi[0]) || !segment_place(two, g->other, p, xi[1])) {
    out->warped = 1;
    return;
  }
  facet_powers(g->shape.n_term, xi[0][0], xi[0][1], w);
  facet_slopes(g->shape.n_term, xi[0][0], xi[0][1], by[0], by[1]);
  for (int c = 0; c < 2; ++c)
    for (int k = 0; k < 3; ++k) along[c][k] = c < g->shape.dim ? facet_sum(g->shape.n_term, one->g[k], by[c]) : k == 1;
  segment_cross(along[0], along[1], normal);
  double weight = part * sqrt(segment_dot(normal, normal)) / fabs(normal[2]);
  const double high = facet_sum(g->shape.n_term, one->g[2], w);
  if (g->axisymmetric) {
    double x = g->plane->origin[0] + high * g->plane->axis[2][0];
    for (int k = 0; k < 2; ++k) x += facet_sum(g->shape.n_term, one->g[k], w) * g->plane->axis[k][0];
    weight *= x;
  }
  for (int32_t a = 0; a < g->shape.n; ++a) N[a] = facet_sum(g->shape.n_term, g->terms->dual[a], w);
  facet_powers(g->other.n_term, xi[1][0], xi[1][1], w);
  out->gap = fmax(out->gap, fabs(facet_sum(g->other.n_term, two->g[2], w) - high));
  out->area += weight;
  for (int32_t a = 0; a < g->shape.n; ++a)
    for (int32_t b = 0; b <= a; ++b) out->square[a * (a + 1) / 2 + b] += weight * N[a] * N[b];
  for (int32_t k = 0; k < g->other.n; ++k) {
    const double M = weight * facet_sum(g->other.n_term, g->other_terms->N[k], w);
    for (int32_t a = 0; a < g->shape.n; ++a) out->mixed[a * g->other.n + k] += N[a] * M;
  }
}

/* Powers of what is bent by that much fall with it, and a rule that is exact to one degree has a small part of the next. */
HD int32_t segment_degree_of_bend(const double bent) {
  return bent > 1e-9 ? (int32_t)ceil(-18 / log(fmin(bent, 0.3))) : 0;
}

HD int32_t segment_up_to(const int32_t degree) { return degree < SEGMENT_DEGREES ? degree : SEGMENT_DEGREES - 1; }

/* Of polynomials on affine facets exact; those that are not have functions that are no polynomials in the plane. */
HD int32_t segment_degree(const SegmentPair *g) {
  const double bent = fmax(g->one->bent, g->two->bent);
  const int32_t own = g->terms->degree, other = g->other_terms->degree;
  return segment_up_to(g->axisymmetric + own + (other > own ? other : own) + segment_degree_of_bend(bent));
}

/* Twice the area of triangles that count as none. */
HD double segment_least(const SegmentPair *g) {
  const double size = fmin(g->one->size, g->two->size);
  return 1e-14 * size * size;
}

/* Corners of a facet with straight edges, anticlockwise. */
HD int32_t segment_corners(const SegmentShadow *s, const int32_t n, double (*out)[2]) {
  double area = 0;
  for (int32_t e = 0; e < n; ++e) {
    const double *a = s->q[e], *b = s->q[e + 1 < n ? e + 1 : 0];
    area += a[0] * b[1] - b[0] * a[1];
  }
  for (int32_t e = 0; e < n; ++e) {
    const double *a = area < 0 ? s->q[e > 0 ? n - e : 0] : s->q[e];
    out[e][0] = a[0], out[e][1] = a[1];
  }
  return n;
}

/* By fans from a corner. */
HD void segment_polygon(const SegmentPair *g, SegmentSums *out) {
  const int32_t n_by = g->other.n_edge;
  double room[2][OUTLINE_CORNERS][2], by[FACET_EDGES][2];
  const double least = segment_least(g);
  const Quadrature *rule = &g->tables->triangle[segment_degree(g)];
  int32_t n = segment_corners(g->one, g->shape.n_edge, room[0]);
  segment_corners(g->two, n_by, by);
  for (int32_t i = 0; i < n_by; ++i)
    n = polygon_clip(n, (const double(*)[2])room[i % 2], by[i], by[i + 1 < n_by ? i + 1 : 0], room[(i + 1) % 2]);
  const double(*p)[2] = (const double(*)[2])room[n_by % 2];
  for (int32_t i = 1; i + 1 < n; ++i) {
    const double a[2] = {p[i][0] - p[0][0], p[i][1] - p[0][1]}, b[2] = {p[i + 1][0] - p[0][0], p[i + 1][1] - p[0][1]};
    const double twice = a[0] * b[1] - a[1] * b[0];
    for (int32_t q = 0; fabs(twice) > least && q < rule->n; ++q) {
      const double *xi = rule->xi[q];
      const double at[2] = {p[0][0] + xi[0] * a[0] + xi[1] * b[0], p[0][1] + xi[0] * a[1] + xi[1] * b[1]};
      segment_point(g, at, rule->weight[q] * twice, out);
    }
  }
}

/* Its edges, anticlockwise, around which its box grows. */
HD int segment_edges(SegmentShadow *s, const FacetTerms *t, Edges *out) {
  double corner[FACET_EDGES][2];
  int bent = 0;
  out->n = segment_corners(s, t->n_edge, corner);
  const int turned = corner[1][0] != s->q[1][0] || corner[1][1] != s->q[1][1];
  for (int32_t e = 0; e < out->n; ++e) {
    const double *a = corner[e], *b = corner[e + 1 < out->n ? e + 1 : 0];
    const int32_t node = t->edge[turned ? out->n - 1 - e : e];
    double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    if (node >= 0) middle[0] = s->q[node][0], middle[1] = s->q[node][1];
    arc_over(a, middle, b, &out->arc[e]);
    bent |= out->arc[e].bent;
    for (int k = 0; k < 2; ++k) {
      s->low[k] = fmin(s->low[k], out->arc[e].p[1][k]);
      s->high[k] = fmax(s->high[k], out->arc[e].p[1][k]);
    }
  }
  return bent;
}

/* How far its middle is off that of its chord, of the chord. */
HD double segment_bend(const Arc *arc) {
  double off = 0, chord = 0;
  for (int k = 0; k < 2; ++k) {
    const double x = arc->p[1][k] - 0.5 * (arc->p[0][k] + arc->p[2][k]), l = arc->p[2][k] - arc->p[0][k];
    off += x * x, chord += l * l;
  }
  return chord > 0 ? sqrt(off / chord) : 1;
}

/* What lies between the arc and `tip`: on a straight one a triangle, else x = tip + t (arc(r) - tip). */
HD void segment_fan(const SegmentPair *g, const int32_t degree, const double tip[2], const Arc *arc, SegmentSums *out) {
  const double least = segment_least(g);
  const double a[2] = {arc->p[0][0] - tip[0], arc->p[0][1] - tip[1]};
  const double b[2] = {arc->p[2][0] - tip[0], arc->p[2][1] - tip[1]};
  const double twice = a[0] * b[1] - a[1] * b[0];
  const Quadrature *triangle = &g->tables->triangle[degree], *ray = &g->tables->line[segment_up_to(degree + 1)];
  const Quadrature *line =
      &g->tables->line[segment_up_to(degree + 1 + (arc->bent ? segment_degree_of_bend(segment_bend(arc)) : 0))];
  const int32_t n = arc->bent ? line->n * ray->n : fabs(twice) > least ? triangle->n : 0;
  for (int32_t i = 0; i < n; ++i) {
    double p[2], weight;
    if (arc->bent) {
      const int32_t q = i / ray->n, k = i % ray->n;
      const double r = 0.5 * (1 + line->xi[q][0]), t = 0.5 * (1 + ray->xi[k][0]);
      double x[2], slope[2];
      arc_at(arc, r, x);
      for (int c = 0; c < 2; ++c) {
        slope[c] = 2 * ((1 - r) * (arc->p[1][c] - arc->p[0][c]) + r * (arc->p[2][c] - arc->p[1][c]));
        x[c] -= tip[c], p[c] = tip[c] + t * x[c];
      }
      weight = 0.25 * line->weight[q] * ray->weight[k] * t * (x[0] * slope[1] - x[1] * slope[0]);
    } else {
      const double *xi = triangle->xi[i];
      for (int c = 0; c < 2; ++c) p[c] = tip[c] + xi[0] * a[c] + xi[1] * b[c];
      weight = triangle->weight[i] * twice;
    }
    segment_point(g, p, weight, out);
  }
}

/* By fans from the middle of it, so that no point is far from both facets, or from a corner where all edges are straight. */
HD void segment_outline(const SegmentPair *g, const Edges edges[2], SegmentSums *out) {
  const int32_t degree = segment_degree(g);
  Outline room, common;
  double tip[2] = {0, 0};
  int bent = 0;
  if (!outline_common(&edges[0], &edges[1], &room, &common)) out->warped = 1;
  for (int32_t i = 0; i < common.n; ++i) bent |= common.arc[i].bent;
  for (int32_t i = 0; i < common.n; ++i)
    for (int k = 0; k < 2 && (bent || i == 0); ++k) tip[k] += common.arc[i].p[0][k] / (bent ? common.n : 1);
  for (int32_t i = 0; i < common.n; ++i) segment_fan(g, degree, tip, &common.arc[i], out);
}

/* Of lines of a flat model, along the chord of the first. */
HD void segment_chord(const SegmentPair *g, SegmentSums *out) {
  const Quadrature *rule = &g->tables->line[segment_degree(g)];
  const double(*a)[2] = (const double(*)[2])g->one->q, (*b)[2] = (const double(*)[2])g->two->q;
  const double low = fmax(fmin(a[0][0], a[1][0]), fmin(b[0][0], b[1][0]));
  const double high = fmin(fmax(a[0][0], a[1][0]), fmax(b[0][0], b[1][0]));
  const double least = 1e-12 * fmin(g->one->size, g->two->size);
  for (int32_t q = 0; high - low > least && q < rule->n; ++q) {
    const double p[2] = {low + 0.5 * (1 + rule->xi[q][0]) * (high - low), 0};
    segment_point(g, p, rule->weight[q] * 0.5 * (high - low), out);
  }
}

HD void segment_store(const SegmentArgs *a, const int64_t p, const SegmentPair *g, const SegmentSums *s) {
  const int32_t n_square = g->shape.n * (g->shape.n + 1) / 2, n_mixed = g->shape.n * g->other.n;
  a->area[p] = s->area, a->gap[p] = s->gap;
  a->state[p] = (uint8_t)(SEGMENT_FOUND | (s->warped ? SEGMENT_WARPED : 0));
  for (int32_t k = 0; k < n_square; ++k) a->square[p * a->n_square + k] = s->square[k];
  for (int32_t k = 0; k < n_mixed; ++k) a->mixed[p * a->n_mixed + k] = s->mixed[k];
}

/* Pair p of facets of these numbers of nodes and products; 0: those of their kinds. */
HD void segment_pair(const SegmentArgs *a, const int64_t p, const int32_t dim, const int32_t n, const int32_t m) {
  const int32_t i = a->of[p], k = a->other[p];
  if (a->on.kind[i] != a->first_kind || a->to.kind[k] != a->second_kind) return;
  const FacetTerms *one_terms = &a->tables->facet[a->first_kind], *two_terms = &a->tables->facet[a->second_kind];
  const FacetShape shape = facet_shape(one_terms, dim, n), other = facet_shape(two_terms, dim, m);
  SegmentShadow one, two;
  const SegmentPair g = {a->tables, one_terms, two_terms, a->plane + i, &one, &two, shape, other, a->axisymmetric};
  SegmentSums s;
  Edges edges[2];
  int bent = 0;
  segment_cast(one_terms, shape, &a->on, i, g.plane, &one);
  segment_cast(two_terms, other, &a->to, k, g.plane, &two);
  if (dim == 2 && n != 3 && n != 4)
    bent = segment_edges(&one, one_terms, &edges[0]) | segment_edges(&two, two_terms, &edges[1]);
  a->state[p] = 0;
  if (segment_apart(&one, &two, dim)) return;
  s.area = s.gap = 0, s.warped = 0;
  for (int32_t c = 0; c < shape.n * (shape.n + 1) / 2; ++c) s.square[c] = 0;
  for (int32_t c = 0; c < shape.n * other.n; ++c) s.mixed[c] = 0;
  if (dim == 1) segment_chord(&g, &s);
  else if (bent) segment_outline(&g, edges, &s);
  else segment_polygon(&g, &s);
  segment_store(a, p, &g, &s);
}

/* Lines; triangles and quadrilaterals whose products are as many as their nodes; all others. */
HD void segment_line_body(const SegmentArgs *a, int64_t p, double sum[]) {
  (void)sum;
  segment_pair(a, p, 1, 0, 0);
}
HD void segment_tri3_body(const SegmentArgs *a, int64_t p, double sum[]) {
  (void)sum;
  segment_pair(a, p, 2, 3, 3);
}
HD void segment_quad4_body(const SegmentArgs *a, int64_t p, double sum[]) {
  (void)sum;
  segment_pair(a, p, 2, 4, 4);
}
HD void segment_tri6_body(const SegmentArgs *a, int64_t p, double sum[]) {
  (void)sum;
  segment_pair(a, p, 2, 6, 6);
}
HD void segment_quad8_body(const SegmentArgs *a, int64_t p, double sum[]) {
  (void)sum;
  segment_pair(a, p, 2, 8, 8);
}
HD void segment_any_body(const SegmentArgs *a, int64_t p, double sum[]) {
  (void)sum;
  segment_pair(a, p, 2, 0, 0);
}

/* ---- facets alone ---- */

/* Rows are the facets of a side: their size, normal, plane (NULL: not asked for) and box [n][6], low and high. */
typedef struct FacetExtentArgs {
  const SegmentTables *tables;
  FacetSide side;
  SegmentPlane *plane;
  double *box;
  double reach;     /* the box of what lies before and behind it, up to this or its size, */
  int32_t opposite; /* else of itself */
} FacetExtentArgs;

HD void facet_unit(double v[3]) {
  const double length = sqrt(segment_dot(v, v));
  for (int k = 0; k < 3 && length > 0; ++k) v[k] /= length;
}

HD void facet_plane(const FacetTerms *t, const FacetSide *side, const int32_t *node, SegmentPlane *out) {
  const double center = t->triangle ? 1.0 / 3 : 0;
  double w[FACET_TERMS], by[2][FACET_TERMS], along[2][3] = {{0}};
  facet_powers(t->n_term, center, t->dim == 2 ? center : 0, w);
  facet_slopes(t->n_term, center, t->dim == 2 ? center : 0, by[0], by[1]);
  for (int k = 0; k < 3; ++k) out->origin[k] = 0;
  for (int32_t a = 0; a < t->n_node; ++a) {
    const double *x = side->x + 3 * (int64_t)node[a], N = facet_sum(t->n_term, t->N[a], w);
    for (int k = 0; k < 3; ++k) out->origin[k] += N * x[k];
    for (int c = 0; c < t->dim; ++c) {
      const double slope = facet_sum(t->n_term, t->N[a], by[c]);
      for (int k = 0; k < 3; ++k) along[c][k] += slope * x[k];
    }
  }
  if (t->dim == 1) along[1][2] = 1;
  segment_cross(along[0], along[1], out->axis[2]);
  facet_unit(out->axis[2]);
  const double *a = side->x + 3 * (int64_t)node[0], *b = side->x + 3 * (int64_t)node[1];
  for (int k = 0; k < 3; ++k) out->axis[0][k] = b[k] - a[k];
  const double off = segment_dot(out->axis[0], out->axis[2]);
  for (int k = 0; k < 3; ++k) out->axis[0][k] -= off * out->axis[2][k];
  facet_unit(out->axis[0]);
  segment_cross(out->axis[2], out->axis[0], out->axis[1]);
}

HD void facet_extent_body(const FacetExtentArgs *a, int64_t i, double sum[]) {
  const double BULGE = 0.25; /* of its size: how far a facet of order 2 may be out of the box of its nodes */
  const double WIDER = 1e-3; /* of its size: what is looked for beside it */
  const FacetTerms *t = &a->tables->facet[a->side.kind[i]];
  const int32_t *node = a->side.node + i * a->side.width, n_vertex = t->dim == 2 ? t->n_edge : 2;
  double low[3], high[3], size = 0;
  SegmentPlane plane;
  (void)sum;
  facet_plane(t, &a->side, node, &plane);
  for (int k = 0; k < 3; ++k) {
    low[k] = high[k] = a->side.x[3 * (int64_t)node[0] + k];
    for (int32_t c = 1; c < t->n_node; ++c) {
      const double x = a->side.x[3 * (int64_t)node[c] + k];
      low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
      if (c + 1 == n_vertex) size = fmax(size, high[k] - low[k]);
    }
  }
  for (int k = 0; k < 3; ++k) {
    double more = t->n_node > n_vertex ? BULGE * size : 0;
    if (a->opposite) more += fmax(a->reach, size) * fabs(plane.axis[2][k]) + WIDER * size;
    a->box[6 * i + k] = low[k] - more, a->box[6 * i + 3 + k] = high[k] + more;
    a->side.normal[3 * i + k] = plane.axis[2][k];
  }
  a->side.size[i] = size;
  if (a->plane) a->plane[i] = plane;
}
