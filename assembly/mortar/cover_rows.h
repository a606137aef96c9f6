/* Facets that depend, one row each: how much of them is opposite to something, and integrals of dual functions out of those of pairs. */
#pragma once
#include "assembly/mortar/segment_rows.h"
#include "assembly/space/cholesky_rows.h"

typedef struct Cover {
  double whole, part, far, gap, allowed; /* areas: its own, what is tied, what is too far, by how much */
  double full[FACET_NODES];              /* of N' over all of it */
  double share[FACET_NODES];             /* and over the part that is tied */
  int32_t n_pair;                        /* facets that it has an area in common with */
  int32_t warped;
} Cover;

typedef struct CoverArgs {
  SegmentArgs
      pairs; /* of those that are not tied SEGMENT_FOUND is taken back; `mixed` becomes that of dual functions */
  const int64_t *first; /* [on.n + 1]: pairs of a facet */
  double reach, part;   /* part: in place of a reach of 0, of the size of the facets */
  Cover *cover;         /* [on.n] */
} CoverArgs;

/* Its area, and those of its functions. */
HD void cover_measure(const CoverArgs *a, const FacetTerms *t, const int32_t facet, Cover *c) {
  const SegmentTables *tables = a->pairs.tables;
  const Quadrature *rule = t->dim == 1 ? &tables->line[6] : t->triangle ? &tables->triangle[6] : &tables->quad;
  const SegmentPlane *plane = &a->pairs.plane[facet];
  SegmentShadow s;
  segment_cast(t, facet_shape(t, t->dim, 0), &a->pairs.on, facet, plane, &s);
  for (int32_t q = 0; q < rule->n; ++q) {
    double w[FACET_TERMS], slope[2], along[2][3], normal[3];
    const double u = rule->xi[q][0], v = rule->xi[q][1];
    facet_powers(t->n_term, u, v, w);
    for (int k = 0; k < 3; ++k) {
      facet_slope(t->n_term, s.g[k], u, v, slope);
      for (int d = 0; d < 2; ++d) along[d][k] = d < t->dim ? slope[d] : k == 1;
    }
    segment_cross(along[0], along[1], normal);
    double weight = rule->weight[q] * sqrt(segment_dot(normal, normal)), x = plane->origin[0];
    for (int k = 0; k < 3; ++k) x += facet_sum(t->n_term, s.g[k], w) * plane->axis[k][0];
    if (a->pairs.axisymmetric) weight *= x;
    c->whole += weight;
    for (int32_t b = 0; b < t->n_node; ++b) c->full[b] += weight * facet_sum(t->n_term, t->dual[b], w);
  }
}

/* L L^T of square, scaled to 1 on its diagonal by d; 0: singular. */
HD int cover_factor(const int32_t n, const double *square, double *d, double (*L)[CHOLESKY_MOST]) {
  const double SINGULAR = 1e-10; /* pivots, of the largest one */
  for (int32_t i = 0; i < n; ++i) {
    const double on = square[i * (i + 1) / 2 + i];
    if (!(on > 0)) return 0;
    d[i] = 1 / sqrt(on);
  }
  for (int32_t i = 0; i < n; ++i)
    for (int32_t k = 0; k <= i; ++k) L[i][k] = square[i * (i + 1) / 2 + k] * d[i] * d[k];
  return cholesky_factor(n, L, SINGULAR);
}

/* Numbers of its pairs are then integrals of dual functions. */
HD void cover_dual(const CoverArgs *a, const int32_t n, const int64_t i, const double *square, Cover *c) {
  const double NO_PART = 1e-6; /* of a facet, that is opposite to something: then nothing is */
  double d[FACET_NODES], L[FACET_NODES][CHOLESKY_MOST];
  const int holds = c->part >= NO_PART * c->whole && cover_factor(n, square, d, L);
  if (!holds) c->part = 0;
  for (int32_t b = 0; b < n && !holds; ++b) c->share[b] = 0;
  for (int64_t p = a->first[i]; p < a->first[i + 1]; ++p) {
    const int32_t m = a->pairs.tables->facet[a->pairs.to.kind[a->pairs.other[p]]].n_node;
    double *value = a->pairs.mixed + p * a->pairs.n_mixed;
    if (!holds) a->pairs.state[p] = 0;
    if (!(a->pairs.state[p] & SEGMENT_FOUND)) continue;
    for (int32_t k = 0; k < n * m; ++k) value[k] *= d[k / m];
    cholesky_backsolve(n, (const double(*)[CHOLESKY_MOST])L, m, value);
    for (int32_t k = 0; k < n * m; ++k) value[k] = c->share[k / m] * (value[k] * d[k / m]);
  }
}

/* What its pairs have in common with it, of those that are near enough. */
HD void cover_add(const CoverArgs *a, const int32_t n, const int64_t i, const int64_t p, double *square, Cover *c) {
  const double SLIVER = 1e-10; /* of a facet: what less of it has is round-off */
  const int32_t k = a->pairs.other[p], m = a->pairs.tables->facet[a->pairs.to.kind[k]].n_node;
  const double reach = a->reach > 0 ? a->reach : a->part * fmax(a->pairs.on.size[i], a->pairs.to.size[k]);
  c->warped |= a->pairs.state[p] & SEGMENT_WARPED;
  if (!(a->pairs.state[p] & SEGMENT_FOUND)) return;
  if (a->pairs.gap[p] > reach) {
    c->far += a->pairs.area[p];
    if (!(c->gap > 0) || a->pairs.gap[p] < c->gap) c->gap = a->pairs.gap[p], c->allowed = reach;
    a->pairs.state[p] = 0;
    return;
  }
  c->part += a->pairs.area[p];
  c->n_pair += a->pairs.area[p] > SLIVER * c->whole;
  for (int32_t b = 0; b < n * (n + 1) / 2; ++b) square[b] += a->pairs.square[p * a->pairs.n_square + b];
  for (int32_t b = 0; b < n * m; ++b) c->share[b / m] += a->pairs.mixed[p * a->pairs.n_mixed + b];
}

HD void cover_body(const CoverArgs *a, int64_t i, double sum[]) {
  const FacetTerms *t = &a->pairs.tables->facet[a->pairs.on.kind[i]];
  double square[FACET_NODES * (FACET_NODES + 1) / 2];
  Cover c;
  (void)sum;
  c.whole = c.part = c.far = c.gap = c.allowed = 0, c.n_pair = c.warped = 0;
  for (int32_t b = 0; b < FACET_NODES; ++b) c.full[b] = c.share[b] = 0;
  for (int32_t b = 0; b < t->n_node * (t->n_node + 1) / 2; ++b) square[b] = 0;
  cover_measure(a, t, (int32_t)i, &c);
  for (int64_t p = a->first[i]; p < a->first[i + 1]; ++p) cover_add(a, t->n_node, i, p, square, &c);
  cover_dual(a, t->n_node, i, square, &c);
  a->cover[i] = c;
}
