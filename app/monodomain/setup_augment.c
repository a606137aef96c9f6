/* The augmented monodomain (Bishop and Plank, IEEE Transactions on Biomedical Engineering 58 (2011) 1066-1075): a bath takes up current
 * that comes back from a front, which runs faster along it. Tissue within a depth of the bath has its conductivity in parallel to
 * the space outside of the cells, so that a monodomain's front is bent there as a bidomain's is. */
#include "app/monodomain/case_monodomain.h"
#include "mesh/near_nodes.h"
#include "app/monodomain/setup_heart.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "output/wording.h"

#include <math.h>

static const char WHAT[] = "tissue beside a bath";

/* Nodes of the tissue that elements of bath i have: border[n_node], and near[n]. */
static Status find_border(const Case *c, const Mesh *mesh, const int32_t *region, int32_t i, uint8_t *border,
                          NearNode *near, int32_t *n) {
  const Mesh *whole = mesh->whole;
  uint8_t *wet = NULL;
  ALLOC(wet, whole->n_node, WHAT);
  for (int32_t e = setup_first_solved(whole); e < whole->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(whole, e), m = element_type(mesh_block_of(whole, e)->kind)->n_node;
    for (int32_t a = 0; a < m && region[e] == c->materials.n + i; ++a) wet[nodes[a]] = 1;
  }
  *n = 0;
  for (int32_t k = 0; k < mesh->n_node; ++k) {
    border[k] = mesh->whole_node[k] >= 0 && wet[mesh->whole_node[k]];
    if (border[k]) near[(*n)++] = (NearNode){mesh->x[k][0], k};
  }
  near_nodes_sort(near, *n);
  FREE(wet);
  return OK;
}

/* Where it is more than what another bath has made. */
static bool augment(const CaseConductivity *s, double bath, TissueNumbers *number) {
  bool any = false;
  for (int k = 0; k < s->intra.n; ++k) {
    const double in = number->intra[k], around = number->extra[k] + bath;
    const double D = in / (in + around) * around / (s->surface.value * s->capacitance.value);
    any |= D > number->D[k];
    number->D[k] = fmax(number->D[k], D);
  }
  return any;
}

/* Elements with a side at the bath, however long they are, and those whose middle is near. */
static void beside(const Case *c, const Mesh *mesh, Setup *setup, int32_t i, const uint8_t *border,
                   const NearNode *near, int32_t n) {
  HeartSetup *own = heart_setup(setup);
  const int32_t first = setup_first_solved(mesh);
  const double depth = case_torso(c, i)->depth.value, bath = case_torso(c, i)->conductivity.value[0];
  int32_t count = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : count)
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e), m = element_type(mesh_block_of(mesh, e)->kind)->n_vertex;
    double x[3] = {0};
    int32_t at_bath = 0;
    for (int32_t a = 0; a < m; ++a) at_bath += border[nodes[a]];
    for (int32_t a = 0; a < m; ++a)
      for (int d = 0; d < 3; ++d) x[d] += mesh->x[nodes[a]][d] / m;
    const int32_t at = near_nodes_find(mesh, near, n, x);
    if (at < 0 || (at_bath < mesh->dim && vec3_square(mesh->x[at], x) > depth * depth)) continue;
    count += augment(&heart_tissue(c, setup->element_material[e])->conductivity, bath, &own->number[e - first]);
  }
  own->n_augmented += count;
}

Status setup_augment(const Case *c, const Mesh *mesh, Setup *setup) {
  HeartSetup *own = heart_setup(setup);
  const int32_t first = setup_first_solved(mesh);
  int32_t *region = NULL;
  NearNode *near = NULL;
  uint8_t *border = NULL;
  Status status = OK;
  if (!heart_is_augmented(c) || !mesh->whole) return OK;
  if (!own->number) {
    ALLOC(own->number, mesh->n_element - first, WHAT);
    for (int32_t e = first; e < mesh->n_element; ++e) own->number[e - first] = own->mean[setup->element_material[e]];
  }
  ALLOC_DONE(border, mesh->n_node, WHAT);
  ALLOC_DONE(near, mesh->n_node, WHAT);
  TRY_DONE(setup_torso_regions(c, mesh->whole, &region));
  for (int32_t i = 0; i < c->torso.n; ++i) {
    int32_t n;
    TRY_DONE(find_border(c, mesh, region, i, border, near, &n));
    beside(c, mesh, setup, i, border, near, n);
  }
done:
  FREE(region);
  FREE(near);
  FREE(border);
  return status;
}

void augment_text(const Case *c, const Setup *setup, Text *out) {
  char count[32];
  const int32_t n = heart_setup(setup)->n_augmented;
  if (!heart_is_augmented(c) || !heart_setup(setup)->number) return;
  if (n == 0) status_warn("no element of the tissue is within 'depth' of a bath: model: augmented has no effect");
  text_add(out, "augmented    %s elements of tissue beside the bath conduct better\n", count_text(n, count));
}
