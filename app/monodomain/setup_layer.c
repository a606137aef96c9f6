/* What a stimulus on a group of surfaces (curves of a flat mesh) gives to each node: of a layer of a depth, the part of
 * the node's own layer that lies in it; of a current per area, the integral of its shape function. Both converge as the
 * mesh is refined. */
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/surface_distance.h"
#include "assembly/space/facet.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <string.h>

static double square_between(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
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

/* The square of the longest distance between corners of a solved element; wide[i]: of that from node i to those that it
 * shares an element with. */
static double find_widths(const Mesh *mesh, double *wide) {
  const int32_t first = setup_first_solved(mesh);
  double longest = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first)) reduction(max : longest)
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    double most[ELEMENT_MAX_NODES] = {0};
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int32_t b = 0; b < a; ++b) {
        const double square = square_between(mesh->x[nodes[a]], mesh->x[nodes[b]]);
        most[a] = square > most[a] ? square : most[a];
        most[b] = square > most[b] ? square : most[b];
        longest = square > longest && a < type->n_vertex ? square : longest;
      }
    for (int32_t a = 0; a < type->n_node; ++a) keep_largest(&wide[nodes[a]], most[a]);
  }
  return longest;
}

/* Nodes that share an element with one whose distance is known are to be looked at too. */
static void reach_further(const Mesh *mesh, const uint8_t *solved, const double *distance, double far, double *reach) {
  const int32_t first = setup_first_solved(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first))
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    bool known = false;
    for (int32_t a = 0; a < n; ++a) known |= isfinite(distance[nodes[a]]);
    for (int32_t a = 0; a < n && known; ++a)
      if (solved[nodes[a]] && !isfinite(distance[nodes[a]])) __atomic_store(&reach[nodes[a]], &far, __ATOMIC_RELAXED);
  }
}

/* Distances of the nodes whose layers begin within depth, which is at most half of the way to another node below their
 * own, and of all that share an element with these; others are infinite. reach and wide: room, zeroed. */
static Status find_distances(const Mesh *mesh, const Group *group, double depth, const uint8_t *solved, double *reach,
                             double *wide, double *distance) {
  FacetTree *tree = NULL;
  const double far = depth + 2.01 * sqrt(find_widths(mesh, wide));
  const Status status = facet_tree_create(mesh, group, &tree);
  if (status == OK) {
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
    for (int32_t i = 0; i < mesh->n_node; ++i) {
      reach[i] = solved[i] ? fmin(depth + 0.51 * sqrt(wide[i]), far) : -1;
      distance[i] = HUGE_VAL;
    }
    surface_distances(mesh, tree, reach, distance);
    for (int32_t i = 0; i < mesh->n_node; ++i) reach[i] = -1;
    reach_further(mesh, solved, distance, far, reach);
    surface_distances(mesh, tree, reach, distance);
  }
  facet_tree_destroy(&tree);
  return status;
}

/* A node's layer goes half of the way to the nearest and the farthest of its elements' nodes. */
static void find_layers(const Mesh *mesh, const double *distance, double *low, double *high) {
  const int32_t first = setup_first_solved(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first))
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    double nearest = HUGE_VAL, farthest = -HUGE_VAL;
    for (int32_t a = 0; a < n; ++a) {
      const double here = distance[nodes[a]];
      if (!isfinite(here)) continue;
      nearest = here < nearest ? here : nearest;
      farthest = here > farthest ? here : farthest;
    }
    for (int32_t a = 0; a < n; ++a) {
      const double here = distance[nodes[a]];
      if (!isfinite(here)) continue;
      keep_least(&low[nodes[a]], 0.5 * (here + nearest));
      keep_largest(&high[nodes[a]], 0.5 * (here + farthest));
    }
  }
}

Status setup_layer(const Mesh *mesh, const Group *group, double depth, const uint8_t *solved, double *share) {
  double *distance = NULL, *low = NULL, *high = NULL;
  Status status = OK;
  ALLOC_DONE(distance, mesh->n_node, "distance to a stimulated surface");
  ALLOC_DONE(low, mesh->n_node, "layers of the nodes near a stimulus");
  ALLOC_DONE(high, mesh->n_node, "layers of the nodes near a stimulus");
  TRY_DONE(find_distances(mesh, group, depth, solved, low, high, distance));
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

/* Adds int N_a dA times the thickness, of an element's nodes, to share; lumped: int N_a^2 dA by a factor that keeps the sum, since of order 2 the
 * others may be negative. */
static Status add_areas(const Facet *facet, double thickness, bool lumped, double *share) {
  Quadrature rule;
  double N[ELEMENT_MAX_NODES], m[ELEMENT_MAX_NODES] = {0}, area = 0, sum = 0;
  const int32_t n = facet->type->n_node;
  TRY(element_mass_quadrature(facet->type, &rule));
  for (int32_t q = 0; q < rule.n; ++q) {
    double J[3][3];
    const double dA = thickness * rule.weight[q] *
                      fabs(element_jacobian(facet->type, (const double(*)[3])facet->x, rule.xi[q], J, false));
    facet->type->values(rule.xi[q], N);
    area += dA;
    for (int32_t a = 0; a < n; ++a) m[a] += dA * N[a] * (lumped ? N[a] : 1);
  }
  for (int32_t a = 0; a < n; ++a) sum += m[a];
  for (int32_t a = 0; a < n; ++a) share[facet->nodes[a]] += m[a] * (lumped ? area / sum : 1);
  return OK;
}

Status setup_areas(const Mesh *mesh, const Group *group, const HeartSetup *own, const uint8_t *solved, double *share,
                   int32_t *bad) {
  *bad = -1;
  for (int32_t i = 0; i < group->n; ++i) {
    Facet facet;
    facet_read(mesh, group->element[i], &facet);
    for (int32_t a = 0; a < facet.type->n_node; ++a)
      if (solved && !solved[facet.nodes[a]]) *bad = group->element[i];
    if (*bad < 0) TRY(add_areas(&facet, heart_thickness(own, group->element[i]), false, share));
  }
  return OK;
}

Status setup_volumes(const Mesh *mesh, const HeartSetup *own, double *share) {
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e) {
    Facet facet;
    facet_read(mesh, e, &facet);
    TRY(add_areas(&facet, heart_thickness(own, e), facet.type->order > 1, share));
  }
  return OK;
}
