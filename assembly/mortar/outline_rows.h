/* Regions of the plane whose edges are straight or parabolas, as those of facets of order 2 are, and what two have in common. A region is
 * clipped by one arc after the other (Sutherland and Hodgman, Reentrant polygon clipping, 1974), each with straight lines before and behind
 * it, which is the graph of a function over its chord. Where the region's edges cross it is found from polynomials in Bernstein's form,
 * whose coefficients tell how many zeros there are (Lane and Riesenfeld, Bounds on a polynomial, 1981). */
#pragma once
#include "assembly/mortar/facet_terms.h"

#include <math.h>

enum {
  OUTLINE_ARCS = 24,      /* of what is in common */
  OUTLINE_CORNERS = 24,   /* of polygons */
  OUTLINE_HALVINGS = 52,  /* of the interval of a zero */
  OUTLINE_CHORDS = 160,   /* steps to a zero */
  OUTLINE_CROSSINGS = 16, /* of an arc with an edge and its ends */
  OUTLINE_DEGREE = 4      /* of polynomials */
};

/* (1 - r)^2 p0 + 2 r (1 - r) p1 + r^2 p2 for r from 0 to 1. */
typedef struct Arc {
  double p[3][2];
  int32_t bent; /* else p1 is the middle of p0 and p2 */
} Arc;

/* Arcs one behind the other, the region on their left. Where parts of a region hang together by an edge that is gone to and fro,
 * integrals along the arcs are still those of the region. */
typedef struct Outline {
  int32_t n;
  Arc arc[OUTLINE_ARCS];
} Outline;

/* The edges of a facet. */
typedef struct Edges {
  int32_t n;
  Arc arc[FACET_EDGES];
} Edges;

/* From a to b, over `middle` at r = 1/2; straight where that lies near to the chord. */
HD void arc_over(const double a[2], const double middle[2], const double b[2], Arc *out) {
  const double STRAIGHT = 1e-10; /* of an edge: how far its middle may lie off it */
  const double x = b[0] - a[0], y = b[1] - a[1];
  out->bent = fabs(x * (middle[1] - a[1]) - y * (middle[0] - a[0])) > STRAIGHT * (x * x + y * y);
  for (int k = 0; k < 2; ++k) {
    out->p[0][k] = a[k], out->p[2][k] = b[k];
    out->p[1][k] = out->bent ? 2 * middle[k] - 0.5 * (a[k] + b[k]) : 0.5 * (a[k] + b[k]);
  }
}

HD void arc_at(const Arc *arc, const double r, double x[2]) {
  for (int k = 0; k < 2; ++k)
    x[k] = (1 - r) * (1 - r) * arc->p[0][k] + 2 * r * (1 - r) * arc->p[1][k] + r * r * arc->p[2][k];
}

/* The part of it from r to s, which may be less. */
HD void arc_part(const Arc *arc, const double r, const double s, Arc *out) {
  out->bent = arc->bent;
  arc_at(arc, r, out->p[0]);
  arc_at(arc, s, out->p[2]);
  for (int k = 0; k < 2; ++k)
    out->p[1][k] = (1 - r) * (1 - s) * arc->p[0][k] + ((1 - r) * s + r * (1 - s)) * arc->p[1][k] + r * s * arc->p[2][k];
}

/* An arc that clips: x along its chord, y to the left; over x its middle is `ahead` before that of the chord, and `high`. */
typedef struct Clipper {
  Arc arc;
  double length, along[2], ahead, high;
} Clipper;

HD void clipper_sees(const Clipper *e, const double p[2], double out[2]) {
  const double x = p[0] - e->arc.p[0][0], y = p[1] - e->arc.p[0][1];
  out[0] = e->along[0] * x + e->along[1] * y, out[1] = e->along[0] * y - e->along[1] * x;
}

HD void clipper_of(const Arc *arc, Clipper *e) {
  const double x = arc->p[2][0] - arc->p[0][0], y = arc->p[2][1] - arc->p[0][1];
  double middle[2], at[2];
  e->arc = *arc;
  e->length = sqrt(x * x + y * y);
  e->along[0] = x / e->length, e->along[1] = y / e->length;
  arc_at(arc, 0.5, middle);
  clipper_sees(e, middle, at);
  e->ahead = at[0] - 0.5 * e->length, e->high = arc->bent ? at[1] : 0;
}

/* r of the arc over x: x = (length + 4 ahead) r - 4 ahead r^2. */
HD double clipper_place(const Clipper *e, const double x) {
  const double b = e->length + 4 * e->ahead;
  return 2 * x / (b + sqrt(fmax(b * b - 16 * e->ahead * x, 0.0)));
}

HD int clipper_bends_at(const Clipper *e, const double x) { return e->arc.bent && x > 0 && x < e->length; }

/* Whether the arc, as the clipper sees it, is left of it at r. */
HD int clipper_has(const Clipper *e, const Arc *seen, const double r) {
  double p[2];
  arc_at(seen, r, p);
  if (!clipper_bends_at(e, p[0])) return p[1] >= 0;
  const double t = clipper_place(e, p[0]);
  return p[1] >= 4 * e->high * t * (1 - t);
}

/* A polynomial by Bernstein coefficients c[n + 1]. */
HD double bernstein_value(const int n, const double c[], const double t) {
  double work[OUTLINE_DEGREE + 1];
  for (int i = 0; i <= n; ++i) work[i] = c[i];
  for (int k = n; k > 0; --k)
    for (int i = 0; i < k; ++i) work[i] += t * (work[i + 1] - work[i]);
  return work[0];
}

/* Its coefficients between `low` and `high`. */
HD void bernstein_part(const int n, const double c[], const double low, const double high, double out[]) {
  double work[OUTLINE_DEGREE + 1];
  for (int i = 0; i <= n; ++i) work[i] = c[i];
  for (int k = 0; k <= n; ++k) { /* up to `high` */
    out[k] = work[0];
    for (int i = 0; i < n - k; ++i) work[i] += high * (work[i + 1] - work[i]);
  }
  for (int i = 0; i <= n; ++i) work[i] = out[i];
  for (int k = 0; k <= n; ++k) { /* of that from `low` on */
    out[n - k] = work[n - k];
    for (int i = 0; i < n - k; ++i) work[i] += low / high * (work[i + 1] - work[i]);
  }
}

HD int bernstein_changes(const int n, const double c[]) {
  int changes = 0;
  for (int i = 0; i < n; ++i) changes += (c[i] < 0) != (c[i + 1] < 0);
  return changes;
}

/* The only zero in (0, 1), between ends of different signs: by chords, where an end that stays counts half (Dowell and Jarratt, A modified
 * regula falsi method, BIT 11, 1971), and each third time by the middle. Where an end is 0 but for round-off, as where arcs begin at the
 * same corner, values beside it say nothing: then by the middle each time. */
HD double bernstein_zero(const int n, const double c[]) {
  const double ROUNDING = 2e-16, SURE = 1e-10; /* of the largest coefficient */
  double a = 0, b = 1, at_a = c[0], at_b = c[n], most = 0;
  for (int i = 0; i <= n; ++i) most = fmax(most, fabs(c[i]));
  const int sure = fmin(fabs(at_a), fabs(at_b)) > SURE * most;
  for (int step = 0, stayed = 0; step < OUTLINE_CHORDS && b - a > 2e-16; ++step) {
    const double t = step % 3 == 2 || !sure ? 0.5 * (a + b) : (a * at_b - b * at_a) / (at_b - at_a);
    const double at_t = bernstein_value(n, c, t);
    if (sure && fabs(at_t) <= ROUNDING * most) return t;
    if ((at_t < 0) == (at_b < 0)) {
      b = t, at_b = at_t;
      if (stayed == 1) at_a *= 0.5;
      stayed = 1;
    } else {
      a = t, at_a = at_t;
      if (stayed == -1) at_b *= 0.5;
      stayed = -1;
    }
  }
  return 0.5 * (a + b);
}

/* Zeros in (0, 1), ascending behind the m that there are: an interval, the part `at` of 2^depth, has as many as changes of the signs of its
 * coefficients, or fewer by 2, and is halved while that may be more than one. */
HD void bernstein_zeros(const int n, const double c[], int32_t *m, double zero[]) {
  int depth = 0;
  uint64_t at = 0;
  while (*m < OUTLINE_CROSSINGS) {
    double part[OUTLINE_DEGREE + 1];
    const double width = 1 / (double)((uint64_t)1 << depth), low = (double)at * width;
    for (int i = 0; i <= n && depth == 0; ++i) part[i] = c[i];
    if (depth) bernstein_part(n, c, low, low + width, part);
    const int changes = bernstein_changes(n, part);
    if (changes > 1 && depth < OUTLINE_HALVINGS) {
      ++depth, at *= 2;
      continue;
    }
    if (changes) zero[(*m)++] = low + width * (changes == 1 ? bernstein_zero(n, part) : 0.5);
    for (++at; at % 2 == 0 && depth > 0; --depth) at /= 2;
    if (depth == 0) return;
  }
}

/* On the clipper's own parabola s = high x - ahead y = high length r and y = 4 high r (1 - r): where that is of an arc with these
 * points q. */
HD void clipper_meets(const Clipper *e, const double (*q)[2], double c[OUTLINE_DEGREE + 1]) {
  const double l = e->length, h = e->high;
  double s[3], linear[3]; /* and 4 s^2 */
  for (int k = 0; k < 3; ++k) {
    s[k] = h * q[k][0] - e->ahead * q[k][1];
    linear[k] = h * l * l * q[k][1] - 4 * h * l * s[k];
  }
  c[0] = linear[0] + 4 * s[0] * s[0];
  c[1] = 0.5 * (linear[0] + linear[1]) + 4 * s[0] * s[1];
  c[2] = (linear[0] + 4 * linear[1] + linear[2]) / 6 + 4 * (s[0] * s[2] + 2 * s[1] * s[1]) / 3;
  c[3] = 0.5 * (linear[1] + linear[2]) + 4 * s[1] * s[2];
  c[4] = linear[2] + 4 * s[2] * s[2];
}

/* Where an arc, as the clipper sees it, may go from one side to the other: 0, ..., 1, ascending. */
HD int32_t clipper_crossings(const Clipper *e, const Arc *seen, double r[]) {
  const double SAME = 1e-13; /* of an edge: so near is on it */
  const double(*q)[2] = (const double(*)[2])seen->p;
  const double l = e->length;
  int32_t m = 1;
  r[0] = 0;
  if (!seen->bent && !e->arc.bent) {
    if ((q[0][1] < 0) != (q[2][1] < 0)) r[m++] = q[0][1] / (q[0][1] - q[2][1]);
    r[m++] = 1;
    return m;
  }
  const double low = fmin(fmin(q[0][1], q[1][1]), q[2][1]), top = fmax(fmax(q[0][1], q[1][1]), q[2][1]);
  if (low > fmax(e->high, 0.0) || top < fmin(e->high, 0.0)) { /* all of it on one side */
    r[m++] = 1;
    return m;
  }
  for (int which = 0; which < (e->arc.bent ? 4 : 1); ++which) { /* the line, both ends, the parabola */
    double c[OUTLINE_DEGREE + 1], most = 0;
    const int n = which == 3 ? 4 : 2;
    for (int k = 0; k < 3; ++k) c[k] = which == 0 ? q[k][1] : which == 1 ? q[k][0] : q[k][0] - l;
    if (which == 3) clipper_meets(e, q, c);
    for (int k = 0; k <= n; ++k) most = fmax(most, fabs(c[k]));
    if (most > SAME * l * (which == 3 ? l * l * fabs(e->high) : 1)) bernstein_zeros(n, c, &m, r);
  }
  for (int32_t i = 1; i < m; ++i)
    for (int32_t k = i; k > 1 && r[k] < r[k - 1]; --k) {
      const double t = r[k];
      r[k] = r[k - 1], r[k - 1] = t;
    }
  r[m++] = 1;
  return m;
}

HD int outline_add(Outline *out, const Arc *arc) {
  if (out->n == OUTLINE_ARCS) return 0;
  out->arc[out->n++] = *arc;
  return 1;
}

/* Along the clipper from the point x to the point y, which may lie before it, there as on the lines before and behind it. */
HD int clipper_follow(const Clipper *e, const double from[2], const double to[2], Outline *out) {
  double begin[2], stop[2];
  clipper_sees(e, from, begin);
  clipper_sees(e, to, stop);
  const double x = begin[0], y = stop[0], corner[2] = {x < y ? 0 : e->length, x < y ? e->length : 0};
  double at = x;
  for (int part = 0; part < 3; ++part) {
    const double end = part == 2 ? y : x < y ? fmin(fmax(corner[part], at), y) : fmax(fmin(corner[part], at), y);
    Arc arc = {.bent = 0};
    if (fabs(end - at) <= 0) continue;
    if (clipper_bends_at(e, 0.5 * (at + end))) arc_part(&e->arc, clipper_place(e, at), clipper_place(e, end), &arc);
    else
      for (int k = 0; k < 2; ++k) {
        const double a = e->arc.p[0][k] + at * e->along[k], b = e->arc.p[0][k] + end * e->along[k];
        arc.p[0][k] = a, arc.p[1][k] = 0.5 * (a + b), arc.p[2][k] = b;
      }
    if (!outline_add(out, &arc)) return 0;
    at = end;
  }
  return 1;
}

/* What of the region lies left of the arc and of the straight lines before and behind it; 0: it has more arcs than there is room for. */
HD int outline_clip(const Outline *region, const Arc *by, Outline *out) {
  Clipper e;
  int dropped = 0, begins_dropped = 0;
  out->n = 0;
  clipper_of(by, &e);
  for (int32_t i = 0; i < region->n; ++i) {
    double r[OUTLINE_CROSSINGS + 2];
    Arc seen = region->arc[i];
    for (int k = 0; k < 3; ++k) clipper_sees(&e, region->arc[i].p[k], seen.p[k]);
    const int32_t m = clipper_crossings(&e, &seen, r);
    for (int32_t k = 0, next = 0; k + 1 < m; k = next) {
      const int left = clipper_has(&e, &seen, 0.5 * (r[k] + r[k + 1]));
      for (next = k + 1; next + 1 < m && clipper_has(&e, &seen, 0.5 * (r[next] + r[next + 1])) == left;) ++next;
      if (!left) {
        dropped = 1;
        continue;
      }
      Arc part;
      arc_part(&region->arc[i], r[k], r[next], &part);
      if (out->n == 0) begins_dropped = dropped;
      else if (dropped && !clipper_follow(&e, out->arc[out->n - 1].p[2], part.p[0], out)) return 0;
      if (!outline_add(out, &part)) return 0;
      dropped = 0;
    }
  }
  if (out->n == 0 || !(dropped || begins_dropped)) return 1;
  return clipper_follow(&e, out->arc[out->n - 1].p[2], out->arc[0].p[0], out);
}

/* What two regions have in common, to out; those of `by` have to have convex corners. out->n is 0 where there is nothing. 0: it has more
 * arcs than there is room for. */
HD int outline_common(const Edges *region, const Edges *by, Outline *room, Outline *out) {
  Outline *from = by->n % 2 ? room : out, *to = by->n % 2 ? out : room;
  from->n = region->n;
  for (int32_t i = 0; i < region->n; ++i) from->arc[i] = region->arc[i];
  for (int32_t i = 0; i < by->n; ++i) {
    Outline *const last = from;
    if (!outline_clip(from, &by->arc[i], to)) return 0;
    from = to, to = last;
  }
  return 1;
}

/* As outline_clip of corners p[n] by the straight line from a to b. On which side the first corner lies is found once: compilers may round the
 * same product in two ways where they peel a loop, and a corner on the line that is outside at first and inside at last would be lost. */
HD int32_t polygon_clip(const int32_t n, const double (*p)[2], const double a[2], const double b[2], double (*out)[2]) {
  int32_t m = 0;
  double before = 0, first = 0;
  for (int32_t i = 0; i <= n && n > 0; ++i) {
    const double *at = p[i < n ? i : 0], *last = p[i > 0 ? i - 1 : 0];
    const double side = i < n ? (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]) : first;
    if (i == 0) first = side;
    if (i > 0 && (side < 0) != (before < 0) && m < OUTLINE_CORNERS) {
      const double r = before / (before - side);
      for (int k = 0; k < 2; ++k) out[m][k] = last[k] + r * (at[k] - last[k]);
      ++m;
    }
    if (i < n && side >= 0 && m < OUTLINE_CORNERS) {
      out[m][0] = at[0], out[m][1] = at[1];
      ++m;
    }
    before = side;
  }
  return m;
}
