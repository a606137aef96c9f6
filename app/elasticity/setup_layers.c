/* Bodies one element thick, which some formulations bend wrongly: mean dilatation with a constant pressure, since the pressure
 * of bending is linear through the thickness, and incompatible modes of elements that are not parallelograms (MacNeal 1987).
 * docs/reference/elasticity.md (formulation) has figures. */
#include "app/elasticity/elastic.h"
#include "app/elasticity/setup_traps.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/corner_share.h"
#include "mesh/tag_map.h"
#include "output/wording.h"

#include <math.h>

static const double THIN_SHARE = 0.3; /* of the elements: from here on it is said */
static const double TAPERED = 10;     /* degrees between edges that are parallel in a parallelogram */

static void between(const Mesh *mesh, int32_t from, int32_t to, double out[3]) {
  for (int d = 0; d < 3; ++d) out[d] = mesh->x[to][d] - mesh->x[from][d];
}

/* All elements, or about so many of them. */
enum { CHECKED = 1024 };
static bool is_checked(const Mesh *mesh, int32_t element, bool all) {
  return all || tag_map_mix((uint64_t)element) % ((uint64_t)mesh->n_element / CHECKED + 1) == 0;
}

/* Nodes of these elements on the surface that no support holds: what is left of the whole angle around them. */
static void find_free_surface(const Mesh *mesh, const Setup *setup, bool all, double *share) {
  static const double UNASKED = 2;
  const ElasticityParams *params = &elastic_setup(setup)->params;
  for (int32_t i = 0; i < mesh->n_node; ++i) share[i] = UNASKED;
  for (int pass = 0; pass < 2; ++pass) /* which nodes, then their angles by all elements */
    for (int32_t b = 0; b < mesh->n_block; ++b) {
      const ElementBlock *block = &mesh->block[b];
      const ElementType *type = element_type(block->kind);
      for (int32_t e = 0; e < block->n && type->dim == mesh->dim; ++e) {
        if (pass == 0 && !is_checked(mesh, block->first + e, all)) continue;
        const int32_t *node = block->nodes + (int64_t)e * type->n_node;
        for (int a = 0; a < type->n_vertex; ++a)
          if (pass == 0) share[node[a]] = 0;
          else if (share[node[a]] < UNASKED) share[node[a]] += corner_share(mesh, type, node, a);
      }
    }
  for (int32_t k = 0; k < params->n_support; ++k) {
    const Group *on = params->support[k].on;
    for (int32_t i = 0; i < on->n; ++i) {
      const ElementType *type = element_type(mesh_block_of(mesh, on->element[i])->kind);
      const int32_t *node = mesh_nodes_of(mesh, on->element[i]);
      for (int a = 0; a < type->n_node; ++a) share[node[a]] = 1;
    }
  }
}

static bool tapered(const Mesh *mesh, const int32_t *node, ElementShape shape) {
  static const int edges[3][4][2] = {
      {{0, 1}, {3, 2}, {4, 5}, {7, 6}}, {{1, 2}, {0, 3}, {5, 6}, {4, 7}}, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}};
  const int axes = shape == SHAPE_QUAD ? 2 : 3, n = shape == SHAPE_QUAD ? 2 : 4;
  for (int a = 0; a < axes; ++a)
    for (int k = 1; k < n; ++k) {
      double first[3], other[3];
      between(mesh, node[edges[a][0][0]], node[edges[a][0][1]], first);
      between(mesh, node[edges[a][k][0]], node[edges[a][k][1]], other);
      if (vec3_dot(first, other) < cos(TAPERED * M_PI / 180) * sqrt(vec3_dot(first, first) * vec3_dot(other, other)))
        return true;
    }
  return false;
}

/* Whether so many elements may be tapered, from a few thousand of them. */
static bool often_tapered(const Mesh *mesh) {
  enum { TAPERED_CHECKED = 4096 };
  int64_t n = 0, found = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    const int32_t step = mesh->block[b].n / TAPERED_CHECKED + 1;
    for (int32_t e = 0; e < mesh->block[b].n && type->bubbles; e += step, ++n)
      found += tapered(mesh, mesh_nodes_of(mesh, mesh->block[b].first + e), type->shape);
  }
  return (double)found > 0.5 * THIN_SHARE * (double)n;
}

/* Longer in one direction than in another, by so much that a linear element with one pressure bends too stiffly. */
static bool is_long(const Mesh *mesh, const int32_t *node, const ElementType *type) {
  static const double LONG = 1.8; /* measured with two elements through bars: 7 % at 1.25, a third at 2.5 */
  static const int end[3] = {1, 3, 4};
  double least = INFINITY, most = 0;
  for (int a = 0; a < type->dim; ++a) {
    const double length = vec3_distance(mesh->x[node[0]], mesh->x[node[end[a]]]);
    least = fmin(least, length), most = fmax(most, length);
  }
  return type->order == 1 && most > LONG * least;
}

/* Of the elements that are looked at: those whose corners all are on the free surface, and long ones of which any is. */
typedef struct Layers {
  int64_t n, thin, low;
} Layers;

static void count_thin(const Mesh *mesh, const Setup *setup, bool mean, bool all, double *share, Layers *out) {
  static const double SURFACE = 0.95; /* of the whole angle; edges of curved elements are taken as straight */
  *out = (Layers){0};
  find_free_surface(mesh, setup, all, share);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    for (int32_t e = 0; e < mesh->block[b].n && type->dim == mesh->dim; ++e) {
      const int32_t *node = mesh_nodes_of(mesh, mesh->block[b].first + e);
      if (!is_checked(mesh, mesh->block[b].first + e, all)) continue;
      ++out->n;
      const bool counts = mean ? type->mean_modes == 1 : type->bubbles;
      int free = 0;
      for (int a = 0; a < type->n_vertex && counts; ++a) free += share[node[a]] < SURFACE;
      out->thin += counts && free == type->n_vertex && (mean || tapered(mesh, node, type->shape));
      out->low += mean && free && is_long(mesh, node, type);
    }
  }
}

Status setup_layers(const Mesh *mesh, const Setup *setup) {
  const ElasticFormulation formulation = elastic_setup(setup)->params.formulation;
  const bool mean = formulation == FORMULATION_MEAN_DILATATION;
  /* Of elements at the surface, with four through the thickness: a half in the plane, three quarters in space. */
  const double low_share = mesh->dim == 2 ? 0.45 : 0.7;
  Layers at = {0};
  double *share = NULL;
  char count[32];
  if (!mean && (formulation != FORMULATION_INCOMPATIBLE_MODES || !often_tapered(mesh))) return OK;
  ALLOC(share, mesh->n_node, "angles around nodes");
  count_thin(mesh, setup, mean, false, share, &at);
  const double n = (double)at.n;
  if ((double)at.thin > 0.5 * THIN_SHARE * n || (double)at.low > 0.5 * low_share * n)
    count_thin(mesh, setup, mean, true, share, &at);
  else at = (Layers){0};
  FREE(share);
  const bool thin = at.thin && (double)at.thin >= THIN_SHARE * (double)at.n;
  if (thin && mean)
    status_warn("%s: %s elements span the body from surface to surface, and have one pressure each (mean "
                "dilatation): where the body bends, displacements come out too large, up to 1.7 times\n  remedy: more "
                "elements through the thickness, or quad9 and hex27, which 'order: 2' makes of quad4 and hex8",
                mesh->path, count_text(at.thin, count));
  else if (thin)
    status_warn("%s: %s elements span the body from surface to surface and are no parallelograms: where the body "
                "bends, they are too stiff, several times where they are long\n  remedy: mesh: {order: 2}",
                mesh->path, count_text(at.thin, count));
  else if (at.low && (double)at.low >= low_share * (double)at.n)
    status_warn(
        "%s: %s long linear elements, few through the thickness, have one pressure each (mean dilatation): "
        "where the body bends, displacements come out too small, by a tenth to a third\n  remedy: mesh: {order: "
        "2}, or elements as long as high",
        mesh->path, count_text(at.low, count));
  return OK;
}
