/* Facets of a surface alone: size, normal, plane and box. */
#pragma once
#include "assembly/mortar/segment_rows.h"

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
  double w[FACET_TERMS], slope[2], along[2][3] = {{0}};
  facet_powers(t->n_term, center, t->dim == 2 ? center : 0, w);
  for (int k = 0; k < 3; ++k) out->origin[k] = 0;
  for (int32_t a = 0; a < t->n_node; ++a) {
    const double *x = side->x + 3 * (int64_t)node[a], N = facet_sum(t->n_term, t->N[a], w);
    for (int k = 0; k < 3; ++k) out->origin[k] += N * x[k];
    facet_slope(t->n_term, t->N[a], center, t->dim == 2 ? center : 0, slope);
    for (int c = 0; c < t->dim; ++c)
      for (int k = 0; k < 3; ++k) along[c][k] += slope[c] * x[k];
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
