/* A region is clipped by one arc after the other (Sutherland and Hodgman, Reentrant polygon clipping, 1974), each with straight lines
 * before and behind it, which is the graph of a function over its chord. Where the region's edges cross it is found from polynomials in
 * Bernstein's form, whose coefficients tell how many zeros there are (Lane and Riesenfeld, Bounds on a polynomial, 1981). */
#include "assembly/mortar/outline.h"

#include <math.h>
#include <string.h>

static const double STRAIGHT = 1e-10; /* of an edge: how far its middle may lie off it */
static const double SAME = 1e-13;     /* of an edge: so near is on it */
enum { HALVINGS = 52, CHORDS = 160, CROSSINGS = 16, CORNERS = 24 };

Arc arc_over(const double a[2], const double middle[2], const double b[2]) {
  Arc arc;
  const double x = b[0] - a[0], y = b[1] - a[1];
  arc.bent = fabs(x * (middle[1] - a[1]) - y * (middle[0] - a[0])) > STRAIGHT * (x * x + y * y);
  for (int k = 0; k < 2; ++k) {
    arc.p[0][k] = a[k], arc.p[2][k] = b[k];
    arc.p[1][k] = arc.bent ? 2 * middle[k] - 0.5 * (a[k] + b[k]) : 0.5 * (a[k] + b[k]);
  }
  return arc;
}

void arc_at(const Arc *arc, double r, double x[2], double slope[2]) {
  for (int k = 0; k < 2; ++k) {
    const double a = arc->p[0][k], b = arc->p[1][k], c = arc->p[2][k];
    x[k] = (1 - r) * (1 - r) * a + 2 * r * (1 - r) * b + r * r * c;
    if (slope) slope[k] = 2 * ((1 - r) * (b - a) + r * (c - b));
  }
}

/* The part of it from r to s, which may be less. */
static Arc arc_part(const Arc *arc, double r, double s) {
  Arc out = {.bent = arc->bent};
  arc_at(arc, r, out.p[0], NULL);
  arc_at(arc, s, out.p[2], NULL);
  for (int k = 0; k < 2; ++k)
    out.p[1][k] = (1 - r) * (1 - s) * arc->p[0][k] + ((1 - r) * s + r * (1 - s)) * arc->p[1][k] + r * s * arc->p[2][k];
  return out;
}

/* An arc that clips: x along its chord, y to the left; over x its middle is `ahead` before that of the chord, and `high`. */
typedef struct Edge {
  const Arc *arc;
  double length, along[2], ahead, high;
} Edge;

static void to_edge(const Edge *e, const double p[2], double out[2]) {
  const double x = p[0] - e->arc->p[0][0], y = p[1] - e->arc->p[0][1];
  out[0] = e->along[0] * x + e->along[1] * y, out[1] = e->along[0] * y - e->along[1] * x;
}

static void edge_of(const Arc *arc, Edge *e) {
  const double x = arc->p[2][0] - arc->p[0][0], y = arc->p[2][1] - arc->p[0][1];
  double middle[2], at[2];
  *e = (Edge){.arc = arc, .length = sqrt(x * x + y * y)};
  e->along[0] = x / e->length, e->along[1] = y / e->length;
  arc_at(arc, 0.5, middle, NULL);
  to_edge(e, middle, at);
  e->ahead = at[0] - 0.5 * e->length, e->high = arc->bent ? at[1] : 0;
}

/* r of the arc over x: x = (length + 4 ahead) r - 4 ahead r^2. */
static double edge_place(const Edge *e, double x) {
  const double b = e->length + 4 * e->ahead;
  return 2 * x / (b + sqrt(fmax(b * b - 16 * e->ahead * x, 0)));
}

static bool edge_bends_at(const Edge *e, double x) { return e->arc->bent && x > 0 && x < e->length; }

static double value_at(int n, const double *c, double t) {
  double work[5];
  memcpy(work, c, (size_t)(n + 1) * sizeof *c);
  for (int k = n; k > 0; --k)
    for (int i = 0; i < k; ++i) work[i] += t * (work[i + 1] - work[i]);
  return work[0];
}

/* The only zero in (0, 1), between ends of different signs: by chords, where an end that stays counts half (Dowell and Jarratt, A modified
 * regula falsi method, BIT 11, 1971), and each third time by the middle. */
static double only_zero(int n, const double *c) {
  double a = 0, b = 1, at_a = c[0], at_b = c[n];
  for (int step = 0, stayed = 0; step < CHORDS && b - a > 2e-16; ++step) {
    const bool halves = step % 3 == 2 || at_a == 0 || at_b == 0;
    const double t = halves ? 0.5 * (a + b) : (a * at_b - b * at_a) / (at_b - at_a);
    const double at_t = value_at(n, c, t);
    if (at_t == 0 && !halves) return t;
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

/* Zeros in (low, high) of the polynomial with Bernstein coefficients c[n + 1] there: as many as changes of their sign, or fewer by 2. */
static void find_zeros(int n, const double *c, double low, double high, int depth, int32_t *m, double *zero) {
  double work[5], left[5], right[5];
  int changes = 0;
  for (int i = 0; i < n; ++i) changes += (c[i] < 0) != (c[i + 1] < 0);
  if (!changes || *m >= CROSSINGS) return;
  const double middle = 0.5 * (low + high);
  if (changes == 1 || depth == HALVINGS) {
    zero[(*m)++] = changes == 1 ? low + (high - low) * only_zero(n, c) : middle;
    return;
  }
  memcpy(work, c, (size_t)(n + 1) * sizeof *c);
  for (int k = 0; k <= n; ++k) {
    left[k] = work[0], right[n - k] = work[n - k];
    for (int i = 0; i < n - k; ++i) work[i] = 0.5 * (work[i] + work[i + 1]);
  }
  find_zeros(n, left, low, middle, depth + 1, m, zero);
  find_zeros(n, right, middle, high, depth + 1, m, zero);
}

/* As find_zeros in (0, 1); one that is 0 to `same` has none. */
static void add_zeros(int n, const double *c, double same, int32_t *m, double *zero) {
  double most = 0;
  for (int i = 0; i <= n; ++i) most = fmax(most, fabs(c[i]));
  if (most > same) find_zeros(n, c, 0, 1, 0, m, zero);
}

/* Where an arc, seen from the edge, may go from one side to the other: 0, ..., 1, ascending.
 * On the edge's own parabola s = high x - ahead y = high length r and y = 4 high r (1 - r). */
static int32_t find_crossings(const Edge *e, const Arc *seen, double *r) {
  const double(*q)[2] = (const double(*)[2])seen->p;
  const double l = e->length, h = e->high, y[3] = {q[0][1], q[1][1], q[2][1]};
  int32_t m = 0;
  r[m++] = 0;
  if (!seen->bent && !e->arc->bent) {
    if ((y[0] < 0) != (y[2] < 0)) r[m++] = y[0] / (y[0] - y[2]);
    r[m++] = 1;
    return m;
  }
  add_zeros(2, y, SAME * l, &m, r);
  if (e->arc->bent) {
    double first[3], last[3], s[3], c[5];
    for (int k = 0; k < 3; ++k) first[k] = q[k][0], last[k] = q[k][0] - l, s[k] = h * q[k][0] - e->ahead * y[k];
    add_zeros(2, first, SAME * l, &m, r);
    add_zeros(2, last, SAME * l, &m, r);
    double linear[3]; /* and 4 s^2 */
    for (int k = 0; k < 3; ++k) linear[k] = h * l * l * y[k] - 4 * h * l * s[k];
    c[0] = linear[0] + 4 * s[0] * s[0];
    c[1] = 0.5 * (linear[0] + linear[1]) + 4 * s[0] * s[1];
    c[2] = (linear[0] + 4 * linear[1] + linear[2]) / 6 + 4 * (s[0] * s[2] + 2 * s[1] * s[1]) / 3;
    c[3] = 0.5 * (linear[1] + linear[2]) + 4 * s[1] * s[2];
    c[4] = linear[2] + 4 * s[2] * s[2];
    add_zeros(4, c, SAME * l * l * l * fabs(h), &m, r);
  }
  for (int32_t i = 1; i < m; ++i)
    for (int32_t k = i; k > 1 && r[k] < r[k - 1]; --k) {
      const double t = r[k];
      r[k] = r[k - 1], r[k - 1] = t;
    }
  r[m++] = 1;
  return m;
}

/* Whether the arc is left of the edge at r. */
static bool is_left(const Edge *e, const Arc *seen, double r) {
  double p[2];
  arc_at(seen, r, p, NULL);
  if (!edge_bends_at(e, p[0])) return p[1] >= 0;
  const double t = edge_place(e, p[0]);
  return p[1] >= 4 * e->high * t * (1 - t);
}

static bool add_arc(Outline *out, const Arc *arc) {
  if (out->n == OUTLINE_ARCS) return false;
  out->arc[out->n++] = *arc;
  return true;
}

/* Along the edge from x to y, which may be less, there as on the lines before and behind it. */
static bool follow(const Edge *e, double x, double y, Outline *out) {
  const double stop[2] = {x < y ? 0 : e->length, x < y ? e->length : 0};
  double at = x;
  for (int part = 0; part < 3; ++part) {
    const double end = part == 2 ? y : x < y ? fmin(fmax(stop[part], at), y) : fmax(fmin(stop[part], at), y);
    if (fabs(end - at) <= 0) continue;
    Arc arc = {.bent = false};
    if (edge_bends_at(e, 0.5 * (at + end))) arc = arc_part(e->arc, edge_place(e, at), edge_place(e, end));
    else
      for (int k = 0; k < 2; ++k) {
        const double a = e->arc->p[0][k] + at * e->along[k], b = e->arc->p[0][k] + end * e->along[k];
        arc.p[0][k] = a, arc.p[1][k] = 0.5 * (a + b), arc.p[2][k] = b;
      }
    if (!add_arc(out, &arc)) return false;
    at = end;
  }
  return true;
}

/* Before arc `next` of those that are kept, where others were dropped behind arc `last`. */
static bool close_gap(const Edge *e, const Arc *last, const Arc *next, Outline *out) {
  double from[2], to[2];
  to_edge(e, last->p[2], from);
  to_edge(e, next->p[0], to);
  return follow(e, from[0], to[0], out);
}

/* What of the region lies left of the arc and of the straight lines before and behind it. */
static bool clip(const Outline *region, const Arc *by, Outline *out) {
  Edge e;
  bool dropped = false, begins_dropped = false;
  out->n = 0;
  edge_of(by, &e);
  for (int32_t i = 0; i < region->n; ++i) {
    double r[CROSSINGS + 2];
    Arc seen = region->arc[i];
    for (int k = 0; k < 3; ++k) to_edge(&e, region->arc[i].p[k], seen.p[k]);
    const int32_t m = find_crossings(&e, &seen, r);
    for (int32_t k = 0, next; k + 1 < m; k = next) {
      const bool left = is_left(&e, &seen, 0.5 * (r[k] + r[k + 1]));
      for (next = k + 1; next + 1 < m && is_left(&e, &seen, 0.5 * (r[next] + r[next + 1])) == left;) ++next;
      if (!left) {
        dropped = true;
        continue;
      }
      const Arc part = arc_part(&region->arc[i], r[k], r[next]);
      if (out->n == 0) begins_dropped = dropped;
      else if (dropped && !close_gap(&e, &out->arc[out->n - 1], &part, out)) return false;
      if (!add_arc(out, &part)) return false;
      dropped = false;
    }
  }
  if (out->n == 0 || !(dropped || begins_dropped)) return true;
  const Arc last = out->arc[out->n - 1], first = out->arc[0];
  return close_gap(&e, &last, &first, out);
}

static void outline_copy(const Outline *from, Outline *to) {
  to->n = from->n;
  memcpy(to->arc, from->arc, (size_t)from->n * sizeof *to->arc);
}

static bool is_straight(const Outline *o) {
  for (int32_t i = 0; i < o->n; ++i)
    if (o->arc[i].bent) return false;
  return true;
}

/* As `clip` of corners p[n] by the straight line from a to b. */
static int32_t clip_corners(int32_t n, const double (*p)[2], const double a[2], const double b[2], double (*out)[2]) {
  int32_t m = 0;
  double before = 0;
  for (int32_t i = 0; i <= n; ++i) {
    const double *at = p[i % n], *last = p[i ? i - 1 : 0];
    const double side = (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
    if (i && (side < 0) != (before < 0)) {
      const double r = before / (before - side);
      for (int k = 0; k < 2; ++k) out[m][k] = last[k] + r * (at[k] - last[k]);
      ++m;
    }
    if (i < n && side >= 0) memcpy(out[m++], at, sizeof *out);
    before = side;
  }
  return m;
}

static void polygons_common(const Outline *region, const Outline *by, Outline *out) {
  double room[2][CORNERS][2];
  int32_t n = region->n;
  for (int32_t i = 0; i < n; ++i) memcpy(room[0][i], region->arc[i].p[0], sizeof *room[0]);
  for (int32_t i = 0; n && i < by->n; ++i)
    n = clip_corners(n, (const double(*)[2])room[i % 2], by->arc[i].p[0], by->arc[i].p[2], room[(i + 1) % 2]);
  out->n = n;
  for (int32_t i = 0; i < n; ++i) {
    const double *a = room[by->n % 2][i], *b = room[by->n % 2][(i + 1) % n],
                 middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    out->arc[i] = arc_over(a, middle, b);
  }
}

bool outline_common(const Outline *region, const Outline *by, Outline *out) {
  Outline other;
  bool fits = true;
  if (2 * region->n + 2 * by->n <= CORNERS && is_straight(region) && is_straight(by)) {
    polygons_common(region, by, out);
    return true;
  }
  outline_copy(region, out);
  outline_copy(region, &other);
  for (int32_t i = 0; fits && out->n && i < by->n; ++i) {
    Outline *const to = i % 2 ? &other : out, *const from = i % 2 ? out : &other;
    fits = clip(from, &by->arc[i], to);
    if (to == &other && i + 1 == by->n) outline_copy(&other, out);
    if (fits && to->n == 0) out->n = 0;
  }
  return fits;
}
