/* What a stimulus on a group of surfaces (curves of a flat mesh) gives to each node: of a layer of a depth, the part of
 * the node's own layer that lies in it; of a current per area, the integral of its shape function. Both converge as the
 * mesh is refined. */
#include "app/monodomain/setup_heart.h"
#include "assembly/space/facet.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <string.h>

/* Cells of the grid by which facets near a point are found. */
enum { MOST_CELLS = 1 << 21 };

/* A grid over the facets; each cell lists those that are within reach of it. */
typedef struct FacetGrid {
  double low[3], size;
  int32_t n[3];
  int64_t *start; /* owned, [cells + 1] */
  int32_t *facet; /* owned: positions in the group */
} FacetGrid;

static double setup_layer_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void setup_layer_minus(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}

static double to_segment(const double p[3], const double a[3], const double b[3]) {
  double ab[3], ap[3], rest[3];
  setup_layer_minus(b, a, ab);
  setup_layer_minus(p, a, ap);
  const double length = setup_layer_dot(ab, ab),
               t = length > 0 ? fmin(fmax(setup_layer_dot(ap, ab) / length, 0), 1) : 0;
  for (int k = 0; k < 3; ++k) rest[k] = ap[k] - t * ab[k];
  return sqrt(setup_layer_dot(rest, rest));
}

/* From the plane where its nearest point is in the triangle, else from the edges. */
static double to_triangle(const double p[3], const double a[3], const double b[3], const double c[3]) {
  double ab[3], ac[3], ap[3];
  setup_layer_minus(b, a, ab);
  setup_layer_minus(c, a, ac);
  setup_layer_minus(p, a, ap);
  const double g11 = setup_layer_dot(ab, ab), g12 = setup_layer_dot(ab, ac), g22 = setup_layer_dot(ac, ac),
               r1 = setup_layer_dot(ap, ab), r2 = setup_layer_dot(ap, ac);
  const double det = g11 * g22 - g12 * g12, s = (g22 * r1 - g12 * r2) / det, t = (g11 * r2 - g12 * r1) / det;
  if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
    double rest[3];
    for (int k = 0; k < 3; ++k) rest[k] = ap[k] - s * ab[k] - t * ac[k];
    return sqrt(setup_layer_dot(rest, rest));
  }
  return fmin(fmin(to_segment(p, a, b), to_segment(p, b, c)), to_segment(p, c, a));
}

static double to_facet(const Mesh *mesh, int32_t e, const double p[3]) {
  const int32_t *n = mesh_nodes_of(mesh, e);
  const int32_t corners = element_type(mesh_block_of(mesh, e)->kind)->n_vertex;
  if (corners == 1) return to_segment(p, mesh->x[n[0]], mesh->x[n[0]]);
  if (corners == 2) return to_segment(p, mesh->x[n[0]], mesh->x[n[1]]);
  const double first = to_triangle(p, mesh->x[n[0]], mesh->x[n[1]], mesh->x[n[2]]);
  return corners < 4 ? first : fmin(first, to_triangle(p, mesh->x[n[0]], mesh->x[n[2]], mesh->x[n[3]]));
}

/* Cells that a facet is within reach of: first and last along each direction. */
static void cells_of(const Mesh *mesh, const FacetGrid *grid, int32_t e, double reach, int32_t from[3], int32_t to[3]) {
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_vertex; ++a) {
      low = fmin(low, mesh->x[nodes[a]][k]);
      high = fmax(high, mesh->x[nodes[a]][k]);
    }
    from[k] = (int32_t)fmax(floor((low - reach - grid->low[k]) / grid->size), 0);
    to[k] = (int32_t)fmin(floor((high + reach - grid->low[k]) / grid->size), grid->n[k] - 1);
  }
}

static void setup_layer_span(const Mesh *mesh, const Group *group, double reach, FacetGrid *grid) {
  double high[3];
  for (int k = 0; k < 3; ++k) grid->low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[i]);
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, group->element[i])->kind)->n_vertex; ++a)
      for (int k = 0; k < 3; ++k) {
        grid->low[k] = fmin(grid->low[k], mesh->x[nodes[a]][k] - reach);
        high[k] = fmax(high[k], mesh->x[nodes[a]][k] + reach);
      }
  }
  for (grid->size = reach;; grid->size *= 1.5) {
    double cells = 1;
    for (int k = 0; k < 3; ++k) {
      const double n = floor((high[k] - grid->low[k]) / grid->size) + 1;
      cells *= n;
      grid->n[k] = (int32_t)fmin(n, MOST_CELLS);
    }
    if (cells <= MOST_CELLS) return;
  }
}

static Status grid_create(const Mesh *mesh, const Group *group, double reach, FacetGrid *grid) {
  *grid = (FacetGrid){0};
  setup_layer_span(mesh, group, reach, grid);
  const int64_t cells = (int64_t)grid->n[0] * grid->n[1] * grid->n[2];
  ALLOC(grid->start, cells + 2, "facets near a stimulus");
  for (int pass = 0; pass < 2; ++pass) {
    for (int32_t i = 0; i < group->n; ++i) {
      int32_t from[3], to[3];
      cells_of(mesh, grid, group->element[i], reach, from, to);
      for (int32_t z = from[2]; z <= to[2]; ++z)
        for (int32_t y = from[1]; y <= to[1]; ++y)
          for (int32_t x = from[0]; x <= to[0]; ++x) {
            int64_t *count = &grid->start[((int64_t)z * grid->n[1] + y) * grid->n[0] + x + (pass ? 1 : 2)];
            if (pass) grid->facet[*count] = i;
            ++*count;
          }
    }
    if (pass) break; /* start[c + 1] has become the end of cell c, which is where cell c + 1 begins */
    for (int64_t c = 2; c < cells + 2; ++c) grid->start[c] += grid->start[c - 1];
    ALLOC(grid->facet, grid->start[cells + 1], "facets near a stimulus");
  }
  return OK;
}

static void grid_release(FacetGrid *grid) {
  FREE(grid->start);
  FREE(grid->facet);
}

/* Distance of each solved node to the group, where it is at most `reach`; else infinite. */
static Status setup_layer_distances(const Mesh *mesh, const Group *group, const uint8_t *solved, double reach,
                                    double *distance) {
  FacetGrid grid;
  const Status status = grid_create(mesh, group, reach, &grid);
  const int32_t n_node = status == OK ? mesh->n_node : 0;
#pragma omp parallel for schedule(dynamic, 1024) if (n_node > PART_WORTH)
  for (int32_t i = 0; i < n_node; ++i) {
    int64_t cell = 0;
    distance[i] = HUGE_VAL;
    bool inside = solved[i];
    for (int k = 2; k >= 0 && inside; --k) {
      const double at = floor((mesh->x[i][k] - grid.low[k]) / grid.size);
      inside = at >= 0 && at < grid.n[k];
      cell = inside ? cell * grid.n[k] + (int64_t)at : 0;
    }
    for (int64_t f = inside ? grid.start[cell] : 0; inside && f < grid.start[cell + 1]; ++f)
      distance[i] = fmin(distance[i], to_facet(mesh, group->element[grid.facet[f]], mesh->x[i]));
    if (distance[i] > reach) distance[i] = HUGE_VAL;
  }
  grid_release(&grid);
  return status;
}

static double length_between(const double a[3], const double b[3]) {
  double d[3];
  setup_layer_minus(a, b, d);
  return sqrt(setup_layer_dot(d, d));
}

/* The longest distance between corners of a solved element. */
static double longest_edge(const Mesh *mesh) {
  const int32_t first = setup_first_solved(mesh);
  double longest = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first)) reduction(max : longest)
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_vertex;
    for (int32_t a = 0; a < n; ++a)
      for (int32_t b = 0; b < a; ++b) longest = fmax(longest, length_between(mesh->x[nodes[a]], mesh->x[nodes[b]]));
  }
  return longest;
}

/* The least and the largest, whichever thread comes first. */
static void keep_least(double *at, double value) {
  double here;
  __atomic_load(at, &here, __ATOMIC_RELAXED);
  while (value < here && !__atomic_compare_exchange(at, &here, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}
static void keep_largest(double *at, double value) {
  double here;
  __atomic_load(at, &here, __ATOMIC_RELAXED);
  while (value > here && !__atomic_compare_exchange(at, &here, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* A node's layer goes half of the way to the nearest and the farthest of its elements' nodes. */
static void find_layers(const Mesh *mesh, const double *distance, double *low, double *high) {
  const int32_t first = setup_first_solved(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first))
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a)
      for (int32_t b = 0; b < n; ++b) {
        const double other = distance[nodes[b]], middle = 0.5 * (distance[nodes[a]] + other);
        if (!isfinite(other)) continue;
        keep_least(&low[nodes[a]], middle);
        keep_largest(&high[nodes[a]], middle);
      }
  }
}

Status setup_layer(const Mesh *mesh, const Group *group, double depth, const uint8_t *solved, double *share) {
  double *distance = NULL, *low = NULL, *high = NULL;
  Status status = OK;
  ALLOC_DONE(distance, mesh->n_node, "distance to a stimulated surface");
  ALLOC_DONE(low, mesh->n_node, "layers of the nodes near a stimulus");
  ALLOC_DONE(high, mesh->n_node, "layers of the nodes near a stimulus");
  /* a node may be an edge further away than the layer, and its neighbours another one */
  TRY_DONE(setup_layer_distances(mesh, group, solved, depth + 2.01 * longest_edge(mesh), distance));
  for (int32_t i = 0; i < mesh->n_node; ++i) low[i] = high[i] = distance[i];
  find_layers(mesh, distance, low, high);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (isfinite(distance[i]) && low[i] < depth)
      share[i] = fmax(share[i], high[i] > low[i] ? fmin((depth - low[i]) / (high[i] - low[i]), 1) : 1);
done:
  FREE(distance);
  FREE(low);
  FREE(high);
  return status;
}

Status setup_areas(const Mesh *mesh, const Group *group, const uint8_t *solved, double *share, int32_t *bad) {
  *bad = -1;
  for (int32_t i = 0; i < group->n; ++i) {
    Facet facet;
    Quadrature rule;
    double N[ELEMENT_MAX_NODES];
    facet_read(mesh, group->element[i], &facet);
    for (int32_t a = 0; a < facet.type->n_node; ++a)
      if (!solved[facet.nodes[a]]) *bad = group->element[i];
    TRY(element_mass_quadrature(facet.type, &rule));
    for (int32_t q = 0; q < rule.n && *bad < 0; ++q) {
      double J[3][3];
      const double area =
          rule.weight[q] * fabs(element_jacobian(facet.type, (const double(*)[3])facet.x, rule.xi[q], J, false));
      facet.type->values(rule.xi[q], N);
      for (int32_t a = 0; a < facet.type->n_node; ++a) share[facet.nodes[a]] += area * N[a];
    }
  }
  return OK;
}
