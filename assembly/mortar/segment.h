/* What two facets have in common, seen along the normal of the first one: integrals over that part of it. */
#pragma once
#include "assembly/mortar/mortar_tree.h"
#include "assembly/mortar/outline.h"
#include "assembly/space/facet.h"

#include <stdbool.h>

enum { SIDE_NODES = ELEMENT_MAX_FACE_NODES, SEGMENT_DEGREES = 16 };

/* Rules of all degrees, made once. */
typedef struct SegmentRules {
  Quadrature line[SEGMENT_DEGREES], triangle[SEGMENT_DEGREES];
} SegmentRules;
Status segment_rules_create(SegmentRules *out);

/* A facet of the surface that depends, with the plane through its middle; of a flat model a chord in place of the plane. */
typedef struct SegmentPlane {
  double origin[3], normal[3], along[2][3];
} SegmentPlane;
void segment_plane(const Facet *facet, SegmentPlane *out);
/* The largest extent of its vertices. */
double segment_size(const Facet *facet);

/* A facet in that plane: its nodes, and its edges anticlockwise. */
typedef struct SegmentShadow {
  const Facet *facet; /* borrowed */
  double q[SIDE_NODES][2], size;
  double low[2], high[2];      /* a box around it */
  double back[2][2], first[2]; /* the reference's coordinates of q[0] + d, by its first vertices: first + back d */
  double bent;                 /* how far its places are from that linear map, of its size */
  Outline edges;
} SegmentShadow;
void segment_cast(const Facet *facet, const SegmentPlane *plane, SegmentShadow *out);

Box segment_box(const Facet *facet);
/* Around what lies before and behind it, up to `reach` or its size. */
Box segment_opposite(const Facet *facet, double reach);

/* Integrals over the common part, by the area of the first facet (times x in a body of revolution), N' its functions with
 * which corners of quadratic faces have a share of the area (mortar.h). */
typedef struct Segment {
  double area;
  double square[SIDE_NODES * SIDE_NODES]; /* [a][b] of N'_a N'_b */
  double mixed[SIDE_NODES * SIDE_NODES];  /* [a][k] of N'_a N_k, N of the second facet */
  double gap;                             /* the largest distance */
  bool warped;                            /* a place was not found on one of the facets */
} Segment;
void segment_integrate(const SegmentRules *rules, const SegmentPlane *plane, const SegmentShadow *one, const Facet *two,
                       bool axisymmetric, Segment *out);

/* N becomes N' (FACET_SHARE). */
void segment_basis(const ElementType *type, bool axisymmetric, double *N);
