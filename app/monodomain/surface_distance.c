/* The nearest facet by a tree of boxes: each halves its facets across its longest side, and a box that is further away
 * than a facet that was already seen, or out of reach, is not opened. */
#include "app/monodomain/surface_distance.h"
#include "core/memory.h"
#include "core/parts.h"
#include "core/vec3.h"

#include <math.h>

/* Facets of a leaf, and levels of a tree of all that an int32_t counts. */
enum { LEAF_FACETS = 4, MOST_LEVELS = 31 };

typedef struct Box {
  double low[3], high[3];
} Box;

typedef struct BoxedFacet {
  Box box;
  int32_t element;
} BoxedFacet;

struct FacetTree {
  BoxedFacet *facet; /* owned, [n], those of a box side by side */
  Box *box;          /* owned, [2 << levels]: 1 the root, 2 b and 2 b + 1 the halves of b */
  int64_t n;
  int levels;   /* below the root */
  double slack; /* rounding of a distance to a facet, from above */
};

static double surface_least(double a, double b) { return a < b ? a : b; }
/* Squares of distances: the root of the least square is the least root, to the bit. */
static double to_segment(const double p[3], const double a[3], const double b[3]) {
  double ab[3], ap[3], rest[3];
  vec3_minus(b, a, ab);
  vec3_minus(p, a, ap);
  const double length = vec3_dot(ab, ab), along = length > 0 ? vec3_dot(ap, ab) / length : 0,
               t = along > 0 ? along < 1 ? along : 1 : 0;
  for (int k = 0; k < 3; ++k) rest[k] = ap[k] - t * ab[k];
  return vec3_dot(rest, rest);
}

/* From the plane where its nearest point is in the triangle, else from the edges. */
static double to_triangle(const double p[3], const double a[3], const double b[3], const double c[3]) {
  double ab[3], ac[3], ap[3];
  vec3_minus(b, a, ab);
  vec3_minus(c, a, ac);
  vec3_minus(p, a, ap);
  const double g11 = vec3_dot(ab, ab), g12 = vec3_dot(ab, ac), g22 = vec3_dot(ac, ac), r1 = vec3_dot(ap, ab),
               r2 = vec3_dot(ap, ac);
  const double det = g11 * g22 - g12 * g12, s = (g22 * r1 - g12 * r2) / det, t = (g11 * r2 - g12 * r1) / det;
  if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
    double rest[3];
    for (int k = 0; k < 3; ++k) rest[k] = ap[k] - s * ab[k] - t * ac[k];
    return vec3_dot(rest, rest);
  }
  return surface_least(surface_least(to_segment(p, a, b), to_segment(p, b, c)), to_segment(p, c, a));
}

static double to_facet(const Mesh *mesh, int32_t e, const double p[3]) {
  const int32_t *n = mesh_nodes_of(mesh, e);
  const int32_t corners = element_type(mesh_block_of(mesh, e)->kind)->n_vertex;
  if (corners == 1) return to_segment(p, mesh->x[n[0]], mesh->x[n[0]]);
  if (corners == 2) return to_segment(p, mesh->x[n[0]], mesh->x[n[1]]);
  const double first = to_triangle(p, mesh->x[n[0]], mesh->x[n[1]], mesh->x[n[2]]);
  return corners < 4 ? first : surface_least(first, to_triangle(p, mesh->x[n[0]], mesh->x[n[2]], mesh->x[n[3]]));
}

double facet_distance(const Mesh *mesh, int32_t e, const double p[3]) { return sqrt(to_facet(mesh, e, p)); }

/* ---- the tree ---- */

static void box_add(Box *box, const double low[3], const double high[3]) {
  for (int k = 0; k < 3; ++k) {
    box->low[k] = low[k] < box->low[k] ? low[k] : box->low[k];
    box->high[k] = high[k] > box->high[k] ? high[k] : box->high[k];
  }
}

static int longest_side(const Box *box) {
  int side = 0;
  for (int k = 1; k < 3; ++k)
    if (box->high[k] - box->low[k] > box->high[side] - box->low[side]) side = k;
  return side;
}

static double box_square(const Box *box, const double p[3]) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double below = box->low[k] - p[k], above = p[k] - box->high[k];
    const double outside = below > above ? below : above, gap = outside > 0 ? outside : 0;
    square += gap * gap;
  }
  return square;
}

/* Where the facets of box b of a level begin; its halves begin there and half-way to the next. */
static int64_t facets_begin(const FacetTree *tree, int64_t b, int level) { return tree->n * b >> level; }

/* Hoare, Algorithm 65: find (CACM 1961): no facet before `middle` lies beyond it along k, and none after it before. */
static void split_facets(BoxedFacet *f, int64_t low, int64_t high, int64_t middle, int k) {
  while (low < high) {
    const double pivot = f[middle].box.low[k] + f[middle].box.high[k];
    int64_t i = low, j = high;
    while (i <= j) {
      while (f[i].box.low[k] + f[i].box.high[k] < pivot) ++i;
      while (f[j].box.low[k] + f[j].box.high[k] > pivot) --j;
      if (i > j) break;
      const BoxedFacet moved = f[i];
      f[i++] = f[j];
      f[j--] = moved;
    }
    if (j < middle) low = i;
    if (i > middle) high = j;
  }
}

static double box_facets(const Mesh *mesh, const Group *group, BoxedFacet *facet) {
  double longest = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(group->n)) reduction(max : longest)
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t e = group->element[i], *nodes = mesh_nodes_of(mesh, e);
    Box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_vertex; ++a)
      box_add(&box, mesh->x[nodes[a]], mesh->x[nodes[a]]);
    const int side = longest_side(&box);
    longest = fmax(longest, box.high[side] - box.low[side]);
    facet[i] = (BoxedFacet){box, e};
  }
  return longest;
}

Status facet_tree_create(const Mesh *mesh, const Group *group, FacetTree **out) {
  FacetTree *tree;
  ALLOC(*out, 1, "facets near a stimulus");
  tree = *out;
  tree->n = group->n;
  while (tree->n > (int64_t)LEAF_FACETS << tree->levels) ++tree->levels;
  ALLOC(tree->facet, tree->n, "facets near a stimulus");
  ALLOC(tree->box, (int64_t)2 << tree->levels, "facets near a stimulus");
  tree->slack = 1e-12 * box_facets(mesh, group, tree->facet);
  for (int level = 0; level <= tree->levels; ++level) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(parts_of(tree->n))
    for (int64_t b = 0; b < (int64_t)1 << level; ++b) {
      const int64_t begin = facets_begin(tree, b, level), end = facets_begin(tree, b + 1, level);
      Box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
      for (int64_t i = begin; i < end; ++i) box_add(&box, tree->facet[i].box.low, tree->facet[i].box.high);
      tree->box[((int64_t)1 << level) + b] = box;
      if (level < tree->levels)
        split_facets(tree->facet, begin, end - 1, facets_begin(tree, 2 * b + 1, level + 1), longest_side(&box));
    }
  }
  return OK;
}

void facet_tree_destroy(FacetTree **tree) {
  if (!*tree) return;
  FREE((*tree)->facet);
  FREE((*tree)->box);
  FREE(*tree);
}

/* The square of what a box must be nearer than to be opened: rounding takes no facet away. */
static double square_within(const FacetTree *tree, double square) {
  const double d = sqrt(square) * (1 + 1e-12) + tree->slack;
  return d * d;
}

/* *element: the nearest facet; untouched where none is within reach. */
static double tree_distance(const Mesh *mesh, const FacetTree *tree, double reach, const double p[3],
                            int32_t *element) {
  struct {
    int64_t box;
    double square;
  } stack[MOST_LEVELS + 1];
  const int64_t leaf = (int64_t)1 << tree->levels;
  double best = HUGE_VAL, within = square_within(tree, reach * reach);
  int n = 0;
  stack[n].box = 1, stack[n++].square = box_square(&tree->box[1], p);
  while (n > 0) {
    int64_t b = stack[--n].box;
    double square = stack[n].square;
    while (b < leaf && square <= within) {
      const double one = box_square(&tree->box[2 * b], p), other = box_square(&tree->box[2 * b + 1], p);
      const int far = one <= other;
      stack[n].box = 2 * b + far, stack[n++].square = far ? other : one;
      b = 2 * b + !far, square = far ? one : other;
    }
    if (square > within) continue;
    for (int64_t i = facets_begin(tree, b - leaf, tree->levels); i < facets_begin(tree, b - leaf + 1, tree->levels);
         ++i) {
      if (box_square(&tree->facet[i].box, p) > within) continue;
      const double here = to_facet(mesh, tree->facet[i].element, p);
      if (!(here < best)) continue;
      best = here;
      *element = tree->facet[i].element;
      within = surface_least(within, square_within(tree, best));
    }
  }
  best = sqrt(best);
  return best <= reach ? best : HUGE_VAL;
}

void surface_distances(const Mesh *mesh, const FacetTree *tree, const double *reach, double *distance) {
#pragma omp parallel for schedule(dynamic, 1024) if (mesh->n_node > PART_WORTH)
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    int32_t nearest;
    if (reach[i] >= 0) distance[i] = tree_distance(mesh, tree, reach[i], mesh->x[i], &nearest);
  }
}

int32_t facet_nearest(const Mesh *mesh, const FacetTree *tree, double reach, const double p[3], double *distance) {
  int32_t element = -1;
  *distance = tree_distance(mesh, tree, reach, p, &element);
  return isfinite(*distance) ? element : -1;
}
