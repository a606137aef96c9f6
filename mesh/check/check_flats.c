/* What linear elements leave out of a curved body, or add to it at a hole. A mesh of linear elements holds no geometry, so
 * that this is an estimate. Where facets of the boundary meet at less than BEND they share a normal, the mean of theirs by
 * angle. Along an edge the surface leaves its facet by the slopes against the normals of its ends; the volume between a
 * facet of area A and the surface is then A / 24 times the sum of (n_j - n_i) . (x_j - x_i) over its edges, exact for
 * quadratic surfaces, and L / 12 times that on an edge in the plane. An edge counts where the surface bends alike at both
 * of its ends, and along an edge that goes on from it. So three bends in a row are a curve, and a chamfer is none. */
#include "core/disjoint.h"
#include "core/memory.h"
#include "core/parts.h"
#include "core/percent.h"
#include "core/vec3.h"
#include "mesh/check/check.h"
#include "mesh/outer_faces.h"
#include "mesh/same_nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double BEND = 0.6428; /* cos 50 degrees: facets that meet at more are drawn so */
static const double ONWARD = -0.7; /* cosine between an edge, or the turn of its normal, and one that goes on from it */
static const double LEAST_SLOPE = 1e-3;
static const double ALIKE = 3;    /* slopes at the ends of an edge, at most */
static const double GRADED = 4;   /* lengths of edges that go on, at most */
static const double TOLD = 0.005; /* of the volume */

/* An edge of a facet: from one corner to the next. */
typedef struct Rib {
  int32_t end[2]; /* corners that share a normal, by the lowest; -1: there is no such edge */
  double along[3], length, slope[2];
  double turn[3], turned, reach; /* of the normal; how far the edge goes in that direction, below 0 in hollows */
  bool open[2];                  /* nothing goes on from that end */
  bool even, curved;
} Rib;

typedef struct Flats {
  const Mesh *mesh;
  int32_t n, width, n_rib; /* facets; room for the corners and the edges of one */
  int32_t *node;           /* owned, [n][width] (outer_faces.h) */
  double (*area)[3];       /* owned, [n], along the normal */
  int32_t *corner;         /* owned, [n][width], the lowest corner of those that share a normal */
  double (*normal)[3];     /* owned, [n][width], at the lowest corners */
  Rib *rib;                /* owned, [n][n_rib] */
  int32_t *begin, *around; /* owned: edges at a corner, twice the edge plus its end there */
} Flats;

static void flats_release(Flats *s) {
  FREE(s->node);
  FREE(s->area);
  FREE(s->corner);
  FREE(s->normal);
  FREE(s->rib);
  FREE(s->begin);
  FREE(s->around);
}

static int32_t flats_corners(const Flats *s, int32_t f) {
  return outer_face_corners(s->width, s->node + (int64_t)f * s->width);
}

static void flats_difference(const Flats *s, int32_t a, int32_t b, double out[3]) {
  for (int d = 0; d < 3; ++d) out[d] = s->mesh->x[b][d] - s->mesh->x[a][d];
}

/* Areas along the normals; gives the volume that the boundary holds. */
static double flats_areas(Flats *s) {
  double volume = 0;
  for (int32_t f = 0; f < s->n; ++f) {
    const int32_t *v = s->node + (int64_t)f * s->width, n = flats_corners(s, f);
    double a[3], b[3], *area = s->area[f];
    flats_difference(s, v[0], v[n == 4 ? 2 : 1], a);
    flats_difference(s, v[n == 4 ? 1 : 0], v[n - 1], b);
    if (n == 2) {
      area[0] = a[1], area[1] = -a[0];
    } else {
      for (int d = 0; d < 3; ++d) area[d] = (a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3]) / 2;
    }
    for (int32_t k = 0; k < n; ++k) {
      flats_difference(s, s->node[0], v[k], a);
      volume += vec3_dot(a, area) / (n * s->mesh->dim);
    }
  }
  return volume;
}

/* Corners of facets f and g at one node share a normal. */
static void flats_join(Flats *s, int32_t f, int32_t g, int32_t node) {
  int32_t at[2] = {-1, -1};
  for (int32_t k = 0; k < s->width; ++k) {
    if (at[0] < 0 && s->node[f * s->width + k] == node) at[0] = f * s->width + k;
    if (at[1] < 0 && s->node[g * s->width + k] == node) at[1] = g * s->width + k;
  }
  disjoint_join(s->corner, at[0], at[1]);
}

/* Joins corners over what two facets share, nodes in the plane and else edges, where they meet at less than BEND. */
static Status flats_patches(Flats *s) {
  const int32_t dim = s->mesh->dim, n = s->n * s->width, n_key = dim - 1;
  int32_t *key = NULL, *same = NULL, *second = NULL;
  Status status = OK;
  ALLOC_DONE(key, (int64_t)n * n_key, "edges of the boundary");
  ALLOC_DONE(same, n, "edges by their nodes");
  ALLOC_DONE(second, n, "pairs of facets");
  for (int32_t i = 0; i < n; ++i) {
    const int32_t *v = s->node + (int64_t)(i / s->width) * s->width, k = i % s->width;
    key[(int64_t)i * n_key] = v[k];
    if (dim == 3)
      key[2 * (int64_t)i + 1] = k < flats_corners(s, i / s->width) ? v[(k + 1) % flats_corners(s, i / s->width)] : v[k];
    s->corner[i] = i;
  }
  TRY_DONE(same_nodes_find(key, n, n_key, same));
  for (int32_t i = 0; i < n; ++i) /* -1: more than two meet there */
    if (same[i] != i) second[same[i]] = second[same[i]] == 0 ? i : -1;
  for (int32_t i = 0; i < n; ++i) {
    if (second[i] <= 0 || (dim == 3 && key[2 * (int64_t)i] == key[2 * (int64_t)i + 1])) continue;
    const int32_t f = i / s->width, g = second[i] / s->width;
    const double size = sqrt(vec3_dot(s->area[f], s->area[f]) * vec3_dot(s->area[g], s->area[g]));
    if (vec3_dot(s->area[f], s->area[g]) <= BEND * size) continue;
    for (int32_t k = 0; k < n_key; ++k) flats_join(s, f, g, key[(int64_t)i * n_key + k]);
  }
  for (int32_t i = 0; i < n; ++i) s->corner[i] = disjoint_root(s->corner, i);
done:
  FREE(key);
  FREE(same);
  FREE(second);
  return status;
}

static double flats_angle(const Flats *s, const int32_t *v, int32_t k, int32_t n) {
  if (n == 2) return 1;
  double a[3], b[3];
  flats_difference(s, v[k], v[(k + 1) % n], a);
  flats_difference(s, v[k], v[(k + n - 1) % n], b);
  return acos(fmax(-1, fmin(1, vec3_dot(a, b) / sqrt(vec3_dot(a, a) * vec3_dot(b, b)))));
}

static void flats_normals(Flats *s) {
  for (int32_t f = 0; f < s->n; ++f) {
    const int32_t *v = s->node + (int64_t)f * s->width, n = flats_corners(s, f);
    double unit[3] = {s->area[f][0], s->area[f][1], s->area[f][2]};
    vec3_normalize(unit);
    for (int32_t k = 0; k < n; ++k) {
      const double angle = flats_angle(s, v, k, n);
      for (int d = 0; d < 3; ++d) s->normal[s->corner[f * s->width + k]][d] += angle * unit[d];
    }
  }
  for (int32_t i = 0; i < s->n * s->width; ++i) vec3_normalize(s->normal[i]);
}

static void flats_ribs(Flats *s) {
  for (int32_t r = 0; r < s->n * s->n_rib; ++r) {
    const int32_t f = r / s->n_rib, k = r % s->n_rib, n = flats_corners(s, f);
    const int32_t *v = s->node + (int64_t)f * s->width;
    Rib *rib = &s->rib[r];
    rib->end[0] = rib->end[1] = -1;
    if (k >= n) continue;
    flats_difference(s, v[k], v[(k + 1) % n], rib->along);
    rib->length = sqrt(vec3_dot(rib->along, rib->along));
    vec3_normalize(rib->along);
    for (int e = 0; e < 2; ++e) {
      rib->end[e] = s->corner[f * s->width + (k + e) % n];
      rib->slope[e] = (e ? 1 : -1) * vec3_dot(s->normal[rib->end[e]], rib->along);
      ++s->begin[rib->end[e] + 1];
    }
    for (int d = 0; d < 3; ++d) rib->turn[d] = s->normal[rib->end[1]][d] - s->normal[rib->end[0]][d];
    rib->turned = sqrt(vec3_dot(rib->turn, rib->turn));
    rib->reach = rib->turned > 0 ? (rib->slope[0] + rib->slope[1]) * rib->length / rib->turned : 0;
  }
  for (int32_t i = 0; i < s->n * s->width; ++i) s->begin[i + 1] += s->begin[i];
  for (int32_t r = 0; r < s->n * s->n_rib; ++r) /* begin[i] goes up from where corner i begins to where it ends */
    for (int e = 0; e < 2 && s->rib[r].end[e] >= 0; ++e) s->around[s->begin[s->rib[r].end[e]]++] = 2 * r + e;
}

/* Of one sign, and within that factor of each other. */
static bool flats_alike(double a, double b, double factor) {
  return a * b > 0 && fabs(a) < factor * fabs(b) && fabs(b) < factor * fabs(a);
}

static bool flats_slopes_alike(double a, double b) { return fabs(a) > LEAST_SLOPE && flats_alike(a, b, ALIKE); }

/* Whether an edge is there, and the surface leaves it: all others count for nothing, and most are flat. */
static bool flats_bends(const Rib *rib) {
  return rib->end[0] >= 0 && (fabs(rib->slope[0]) > LEAST_SLOPE || fabs(rib->slope[1]) > LEAST_SLOPE);
}

/* The slope at an end; at an open one that of the other. */
static double flats_slope(const Rib *rib, int e) { return rib->slope[rib->open[e] ? 1 - e : e]; }

typedef enum Onward { ANY, EVEN, CURVED } Onward;

/* Whether an edge goes on from that end of an edge: in its direction, or as the surface bends. */
static bool flats_goes_on(const Flats *s, int32_t r, int e, Onward which) {
  const Rib *rib = &s->rib[r];
  const int32_t i = rib->end[e];
  for (int32_t k = i ? s->begin[i - 1] : 0; k < s->begin[i]; ++k) {
    const Rib *next = &s->rib[s->around[k] / 2];
    const double sign = e == s->around[k] % 2 ? 1 : -1;
    if (next == rib) continue;
    if (which == ANY) {
      if (sign * vec3_dot(rib->along, next->along) < ONWARD) return true;
      continue;
    }
    if ((which == EVEN ? next->even : next->curved) && flats_alike(rib->turned, next->turned, ALIKE) &&
        flats_alike(rib->reach, next->reach, GRADED) &&
        sign * vec3_dot(rib->turn, next->turn) < ONWARD * rib->turned * next->turned)
      return true;
  }
  return false;
}

/* Volume that the boundary leaves out and that it has too much. */
static void flats_sum(Flats *s, double *lacking, double *surplus) {
  const int32_t n = s->n * s->n_rib;
#define EACH_BEND                                                                                                      \
  _Pragma("omp parallel for schedule(static) num_threads(parts_of(n))") for (int32_t r = 0; r < n;                     \
                                                                             ++r) if (flats_bends(&s->rib[r]))
  EACH_BEND for (int e = 0; e < 2; ++e) s->rib[r].open[e] = !flats_goes_on(s, r, e, ANY);
  EACH_BEND s->rib[r].even =
      !s->rib[r].open[0] && !s->rib[r].open[1] && flats_slopes_alike(s->rib[r].slope[0], s->rib[r].slope[1]);
  EACH_BEND s->rib[r].curved = s->rib[r].even && (flats_goes_on(s, r, 0, EVEN) || flats_goes_on(s, r, 1, EVEN));
#undef EACH_BEND
  *lacking = *surplus = 0;
  for (int32_t f = 0; f < s->n; ++f) {
    double volume = 0;
    for (int32_t r = f * s->n_rib; r < (f + 1) * s->n_rib; ++r) {
      const Rib *rib = &s->rib[r];
      if (!flats_bends(rib)) continue;
      const double a = flats_slope(rib, 0), b = flats_slope(rib, 1);
      if (rib->curved ||
          (flats_slopes_alike(a, b) && (flats_goes_on(s, r, 0, CURVED) || flats_goes_on(s, r, 1, CURVED))))
        volume += (a + b) * rib->length;
    }
    volume *= sqrt(vec3_dot(s->area[f], s->area[f])) / (s->mesh->dim == 2 ? 12 : 24);
    *(volume > 0 ? lacking : surplus) += fabs(volume);
  }
}

Status check_flats_measure(const Mesh *mesh, double *lacking, double *surplus) {
  Flats s = {.mesh = mesh, .width = outer_face_width(mesh), .n_rib = mesh->dim == 2 ? 1 : 4};
  double volume = 0;
  Status status = OK;
  *lacking = *surplus = 0;
  TRY_DONE(outer_faces_find(mesh, &s.n, &s.node));
  const int64_t n_corner = (int64_t)s.n * s.width, n_rib = (int64_t)s.n * s.n_rib;
  ALLOC_DONE(s.area, s.n, "areas of the boundary");
  ALLOC_DONE(s.corner, n_corner, "corners of the boundary");
  ALLOC_DONE(s.normal, n_corner, "normals of the boundary");
  ALLOC_DONE(s.rib, n_rib, "edges of the boundary");
  ALLOC_DONE(s.begin, n_corner + 1, "edges at corners");
  ALLOC_DONE(s.around, 2 * n_rib, "edges at corners");
  volume = flats_areas(&s);
  TRY_DONE(flats_patches(&s));
  flats_normals(&s);
  flats_ribs(&s);
  flats_sum(&s, lacking, surplus);
  if (volume > 0) *lacking /= volume, *surplus /= volume;
done:
  flats_release(&s);
  return status;
}

Status check_flats(const Mesh *mesh) {
  double lacking, surplus;
  TRY(check_flats_measure(mesh, &lacking, &surplus));
  if (!(lacking + surplus > TOLD)) return OK;
  char text[160], less[32], more[32];
  percent_text(lacking, less), percent_text(surplus, more);
  if (surplus < 0.1 * lacking) snprintf(text, sizeof text, "about %s of the volume is missing", less);
  else if (lacking < 0.1 * surplus) snprintf(text, sizeof text, "the volume is about %s too large at hollows", more);
  else snprintf(text, sizeof text, "about %s of the volume is missing, and hollows add %s", less, more);
  status_warn("%s: its linear elements approximate a boundary that looks curved: %s, and 'order' and 'refine' keep its "
              "flat facets, since a mesh file holds no geometry\n  remedy: mesh the geometry (.geo, CAD) with 'order: "
              "2', or use a mesh that "
              "is "
              "quadratic (gmsh -order 2) or finer there",
              mesh->path, text);
  return OK;
}
