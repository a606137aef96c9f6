/* What two facets have in common, seen along the normal of the first one: integrals over that part of it, one row for each pair. Outlines of
 * facets in a plane, what they have in common as triangles, some with a bent side; places in the plane become places of both facets by
 * Newton. docs/theory/mortar.md. */
#pragma once
#include "assembly/mortar/moment_rows.h"
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
  Moments moments;
  double gap;
  int32_t warped;
} SegmentSums;

/* Two facets, apart from what is known of their kinds: where places are looked up in shadows, these stay out of registers. */
typedef struct SegmentPair {
  const SegmentTables *tables;
  const FacetTerms *terms, *other_terms;
  const SegmentPlane *plane;
  const SegmentShadow *one, *two;
  FacetShape shape, other;
  int32_t axisymmetric;
} SegmentPair;

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
    double w[FACET_TERMS], r[2], J[2][2];
    facet_powers(h.n_term, xi[0], xi[1], w);
    for (int k = 0; k < 2; ++k) r[k] = p[k] - facet_sum(h.n_term, s->g[k], w);
    if (step < 0) {
      for (int k = 0; k < 2; ++k) xi[k] += s->back[k][0] * r[0] + s->back[k][1] * r[1];
      continue;
    }
    for (int k = 0; k < 2; ++k) facet_slope(h.n_term, s->g[k], xi[0], xi[1], J[k]);
    if (h.dim == 1) r[1] = 0, J[0][1] = J[1][0] = 0, J[1][1] = 1;
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    if (!(fabs(det) > 0)) return 0;
    const double d0 = (r[0] * J[1][1] - r[1] * J[0][1]) / det, d1 = (J[0][0] * r[1] - J[1][0] * r[0]) / det;
    xi[0] += d0, xi[1] += d1;
    if (s->bent * (d0 * d0 + d1 * d1) < EXACT) return 1;
  }
  return 0;
}

/* Area for area of the plane, both across the facet's normal at a place. */
HD double segment_slant(const SegmentShadow *s, const FacetShape h, const double xi[2]) {
  double along[2][3], slope[2], normal[3];
  for (int k = 0; k < 3; ++k) {
    facet_slope(h.n_term, s->g[k], xi[0], xi[1], slope);
    along[0][k] = slope[0], along[1][k] = h.dim == 2 ? slope[1] : k == 1;
  }
  segment_cross(along[0], along[1], normal);
  return sqrt(segment_dot(normal, normal)) / fabs(normal[2]);
}

HD void segment_point(const SegmentPair *g, const double p[2], const double part, SegmentSums *out) {
  const SegmentShadow *one = g->one, *two = g->two;
  double xi[2][2], w[FACET_TERMS], z[FACET_TERMS];
  if (!segment_place(one, g->shape, p, xi[0]) || !segment_place(two, g->other, p, xi[1])) {
    out->warped = 1;
    return;
  }
  double weight = part * segment_slant(one, g->shape, xi[0]);
  facet_powers(g->shape.n_term, xi[0][0], xi[0][1], w);
  const double high = facet_sum(g->shape.n_term, one->g[2], w);
  if (g->axisymmetric) {
    double x = g->plane->origin[0] + high * g->plane->axis[2][0];
    for (int k = 0; k < 2; ++k) x += facet_sum(g->shape.n_term, one->g[k], w) * g->plane->axis[k][0];
    weight *= x;
  }
  facet_powers(g->other.n_term, xi[1][0], xi[1][1], z);
  out->gap = fmax(out->gap, fabs(facet_sum(g->other.n_term, two->g[2], z) - high));
  moments_add(g->shape, g->other, weight, xi[0], w, z, &out->moments);
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

/* Where it is not empty, what two facets have in common: corners, and the arcs from each to the next one where some are bent. */
typedef struct SegmentRegion {
  int32_t n;
  const double *corner; /* [n][step] */
  int32_t step;
  const Arc *arc; /* [n] or NULL */
} SegmentRegion;

HD SegmentRegion segment_polygon(const SegmentPair *g, double (*room)[OUTLINE_CORNERS][2]) {
  const int32_t n_by = g->other.n_edge;
  double by[FACET_EDGES][2];
  SegmentRegion r;
  r.n = segment_corners(g->one, g->shape.n_edge, room[0]);
  segment_corners(g->two, n_by, by);
  for (int32_t i = 0; i < n_by; ++i)
    r.n = polygon_clip(r.n, (const double(*)[2])room[i % 2], by[i], by[i + 1 < n_by ? i + 1 : 0], room[(i + 1) % 2]);
  r.corner = room[n_by % 2][0], r.step = 2, r.arc = NULL;
  return r;
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

HD SegmentRegion segment_outline(const Edges edges[2], Outline room[2], SegmentSums *out) {
  SegmentRegion r;
  if (!outline_common(&edges[0], &edges[1], &room[0], &room[1])) out->warped = 1;
  r.n = room[1].n, r.corner = room[1].arc[0].p[0], r.step = sizeof(Arc) / sizeof(double), r.arc = room[1].arc;
  return r;
}

/* Its points of quadrature one after the other, as one loop over all of them adds up. */
typedef struct SegmentWalk {
  SegmentRegion region;
  int32_t degree, piece, n_piece, at, n; /* the next piece, the next of its n points */
  int32_t fans;                          /* of arcs; else triangles, and what lies between arcs and chords */
  double least, twice, middle[2];
  double tip[2], c[2], a[2], b[2]; /* of the piece, see segment_next */
  const Quadrature *rule, *across; /* across: of an arc */
} SegmentWalk;

/* A triangle. */
HD void segment_walk_triangle(SegmentWalk *w, const SegmentTables *tables, const double tip[2], const double p[2],
                              const double q[2]) {
  for (int k = 0; k < 2; ++k) w->tip[k] = tip[k], w->a[k] = p[k] - tip[k], w->b[k] = q[k] - tip[k];
  w->twice = w->a[0] * w->b[1] - w->a[1] * w->b[0];
  w->rule = &tables->triangle[w->degree], w->across = NULL;
  w->n = fabs(w->twice) > w->least ? w->rule->n : 0;
}

/* What lies between an arc and the middle, or its chord: there all is a power smaller in how bent it is. */
HD void segment_walk_arc(SegmentWalk *w, const SegmentTables *tables, const Arc *arc) {
  const int32_t bend = segment_degree_of_bend(segment_bend(arc)), across = bend > 1 ? bend - 1 : 0;
  for (int k = 0; k < 2; ++k) {
    w->tip[k] = w->fans ? w->middle[k] : arc->p[0][k], w->c[k] = arc->p[0][k] - w->tip[k];
    w->a[k] = arc->p[2][k] - arc->p[0][k], w->b[k] = 2 * arc->p[1][k] - (arc->p[0][k] + arc->p[2][k]);
  }
  w->rule = &tables->line[segment_up_to(w->degree + 1 + bend)];
  w->across = &tables->line[segment_up_to(w->fans ? w->degree + 1 : across)];
  w->n = w->rule->n * w->across->n;
}

HD void segment_walk_piece(SegmentWalk *w, const SegmentTables *tables) {
  const SegmentRegion *r = &w->region;
  const int32_t arc = w->fans ? w->piece : w->piece - (r->n - 2);
  const double *p = r->corner + r->step * (arc < 0 ? w->piece + 1 : arc), *q = p + r->step;
  if (arc < 0) segment_walk_triangle(w, tables, r->corner, p, q);
  else if (r->arc[arc].bent) segment_walk_arc(w, tables, r->arc + arc);
  else if (w->fans) segment_walk_triangle(w, tables, w->middle, p, r->arc[arc].p[2]);
  else w->n = 0;
}

/* Triangles are tip + r a + t b; between an arc and its chord x = tip + r a + t r (1 - r) b; the fan of an arc is
 * x = tip + t (c + r a + r (1 - r) b). */
HD int segment_next(SegmentWalk *w, const SegmentTables *tables, double p[2], double *weight) {
  for (; w->at >= w->n; w->at = 0, ++w->piece) {
    if (w->piece >= w->n_piece) return 0;
    segment_walk_piece(w, tables);
  }
  if (!w->across) {
    const double *xi = w->rule->xi[w->at];
    for (int k = 0; k < 2; ++k) p[k] = w->tip[k] + xi[0] * w->a[k] + xi[1] * w->b[k];
    *weight = w->rule->weight[w->at] * w->twice;
  } else {
    const int32_t i = w->at / w->across->n, k = w->at % w->across->n;
    const double r = 0.5 * (1 + w->rule->xi[i][0]), t = 0.5 * (1 + w->across->xi[k][0]), part = r * (1 - r);
    double by[2][2]; /* slopes along and across */
    for (int d = 0; d < 2; ++d) {
      const double to = w->c[d] + r * w->a[d] + part * w->b[d], along = w->a[d] + (1 - 2 * r) * w->b[d];
      p[d] = w->tip[d] + (w->fans ? t * to : r * w->a[d] + t * part * w->b[d]);
      by[0][d] = w->fans ? t * along : w->a[d], by[1][d] = w->fans ? to : part * w->b[d];
    }
    *weight = 0.25 * w->rule->weight[i] * w->across->weight[k] * (by[1][0] * by[0][1] - by[1][1] * by[0][0]);
  }
  ++w->at;
  return 1;
}

/* Little bent: triangles from its first corner, which are fewer. Else fans from the middle of all corners, which take more points but have no
 * large part that is not the region's. */
HD void segment_region(const SegmentPair *g, const SegmentRegion r, SegmentSums *out) {
  const double LITTLE = 0.02;
  SegmentWalk w = {.region = r, .degree = segment_degree(g), .least = segment_least(g)};
  double p[2], weight, bend = 0;
  for (int32_t i = 0; r.arc && i < r.n; ++i) {
    if (r.arc[i].bent) bend = fmax(bend, segment_bend(&r.arc[i]));
    for (int k = 0; k < 2; ++k) w.middle[k] += r.arc[i].p[0][k] / r.n;
  }
  w.fans = bend > LITTLE;
  w.n_piece = w.fans ? r.n : r.arc ? 2 * r.n - 2 : r.n - 2;
  while (segment_next(&w, g->tables, p, &weight)) segment_point(g, p, weight, out);
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
  a->area[p] = s->moments.own[0][0], a->gap[p] = s->gap;
  a->state[p] = (uint8_t)(SEGMENT_FOUND | (s->warped ? SEGMENT_WARPED : 0));
  moments_square(g->terms, g->shape, &s->moments, a->square + p * a->n_square);
  moments_mixed(g->terms, g->other_terms, g->shape, g->other, &s->moments, a->mixed + p * a->n_mixed);
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
  Outline room[2];
  double corner[2][OUTLINE_CORNERS][2];
  int bent = 0;
  segment_cast(one_terms, shape, &a->on, i, g.plane, &one);
  segment_cast(two_terms, other, &a->to, k, g.plane, &two);
  if (dim == 2 && n != 3 && n != 4)
    bent = segment_edges(&one, one_terms, &edges[0]) | segment_edges(&two, two_terms, &edges[1]);
  a->state[p] = 0;
  if (segment_apart(&one, &two, dim)) return;
  s.gap = 0, s.warped = 0;
  moments_clear(&s.moments);
  if (dim == 1) segment_chord(&g, &s);
  else segment_region(&g, bent ? segment_outline(edges, room, &s) : segment_polygon(&g, corner), &s);
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
