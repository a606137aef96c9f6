/* Regions of the plane whose edges are straight or parabolas, as those of facets of order 2 are, and what two have in common. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { OUTLINE_ARCS = 96 };

/* (1 - r)^2 p0 + 2 r (1 - r) p1 + r^2 p2 for r from 0 to 1. */
typedef struct Arc {
  double p[3][2];
  bool bent; /* else p1 is the middle of p0 and p2 */
} Arc;

/* From a to b, over `middle` at r = 1/2; straight where that lies within 1e-10 of its length of the chord. */
Arc arc_over(const double a[2], const double middle[2], const double b[2]);
void arc_at(const Arc *arc, double r, double x[2], double slope[2]);

/* Arcs one behind the other, the region on their left. Where parts of a region hang together by an edge that is gone to and fro,
 * integrals along the arcs are still those of the region. */
typedef struct Outline {
  int32_t n;
  Arc arc[OUTLINE_ARCS];
} Outline;

/* What of the region lies left of each arc of `by`, whose corners have to be convex; n is 0 when there is nothing. false: it has more
 * arcs than there is room for. */
bool outline_common(const Outline *region, const Outline *by, Outline *out);
