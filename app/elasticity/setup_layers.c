/* Bodies one element thick, which some formulations bend wrongly: mean dilatation with a constant pressure, since the pressure
 * of bending is linear through the thickness, and incompatible modes of elements that are not parallelograms (MacNeal 1987).
 * docs/case-file.md (formulation) has figures. */
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
enum { LOOKED_AT = 1024 };
static bool is_looked_at(const Mesh *mesh, int32_t element, bool all) {
  return all || tag_map_mix((uint64_t)element) % ((uint64_t)mesh->n_element / LOOKED_AT + 1) == 0;
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
        if (pass == 0 && !is_looked_at(mesh, block->first + e, all)) continue;
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
  enum { TAPERED_LOOKED_AT = 4096 };
  int64_t n = 0, found = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    const int32_t step = mesh->block[b].n / TAPERED_LOOKED_AT + 1;
    for (int32_t e = 0; e < mesh->block[b].n && type->bubbles; e += step, ++n)
      found += tapered(mesh, mesh_nodes_of(mesh, mesh->block[b].first + e), type->shape);
  }
  return (double)found > 0.5 * THIN_SHARE * (double)n;
}

/* Elements whose corners all are on the free surface, and elements at all, of those that are looked at. */
static void count_thin(const Mesh *mesh, const Setup *setup, bool mean, bool all, double *share, int64_t *thin,
                       int64_t *n) {
  static const double SURFACE = 0.95; /* of the whole angle; edges of curved elements are taken as straight */
  *n = *thin = 0;
  find_free_surface(mesh, setup, all, share);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    for (int32_t e = 0; e < mesh->block[b].n && type->dim == mesh->dim; ++e) {
      const int32_t *node = mesh_nodes_of(mesh, mesh->block[b].first + e);
      if (!is_looked_at(mesh, mesh->block[b].first + e, all)) continue;
      ++*n;
      bool free = mean ? type->mean_modes == 1 : type->bubbles;
      for (int a = 0; a < type->n_vertex && free; ++a) free = share[node[a]] < SURFACE;
      *thin += free && (mean || tapered(mesh, node, type->shape));
    }
  }
}

Status setup_layers(const Mesh *mesh, const Setup *setup) {
  const ElasticFormulation formulation = elastic_setup(setup)->params.formulation;
  const bool mean = formulation == FORMULATION_MEAN_DILATATION;
  int64_t n = 0, thin = 0;
  double *share = NULL;
  char count[32];
  if (!mean && (formulation != FORMULATION_INCOMPATIBLE_MODES || !often_tapered(mesh))) return OK;
  ALLOC(share, mesh->n_node, "angles around nodes");
  count_thin(mesh, setup, mean, false, share, &thin, &n);
  if ((double)thin > 0.5 * THIN_SHARE * (double)n) count_thin(mesh, setup, mean, true, share, &thin, &n);
  else thin = 0;
  FREE(share);
  if (!((double)thin >= THIN_SHARE * (double)n) || thin == 0) return OK;
  if (mean)
    status_warn("%s: %s elements reach through the body from surface to surface, and have one pressure each (mean "
                "dilatation): where the body bends, displacements come out too large, up to 1.7 times\n  remedy: more "
                "elements through the thickness, or quad9 and hex27, which 'order: 2' makes of quad4 and hex8",
                mesh->path, count_text(thin, count));
  else
    status_warn(
        "%s: %s elements reach through the body from surface to surface and are no parallelograms: where the body "
        "bends, they are too stiff, several times where they are long\n  remedy: mesh: {order: 2}",
        mesh->path, count_text(thin, count));
  return OK;
}
