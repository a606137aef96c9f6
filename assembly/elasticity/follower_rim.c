/* Where pressure that follows its facets has no potential: with t along the rim the skew half of its tangent is
 *   1/2 oint p (du x dv) . t ds
 * (Bonet and Wood 2008, section 9.3), which is nothing where the rim is held, or held across a plane that it lies in. */
#include "assembly/elasticity/elasticity.h"
#include "assembly/space/rim.h"
#include "core/memory.h"

#include <math.h>

/* Bits of a node: the axes along which it is held, and whether along a normal. */
enum { ALONG_NORMAL = 8 };

static void hold_nodes(const ElasticityParams *p, const Support *s, uint8_t *held) {
  unsigned bits = s->symmetry ? ALONG_NORMAL : 0;
  for (int i = 0; i < 3; ++i) bits |= expr_given(&s->value[i]) ? 1u << i : 0;
  for (int32_t k = 0; k < s->on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(p->mesh, s->on->element[k]);
    const ElementType *type = element_type(mesh_block_of(p->mesh, s->on->element[k])->kind);
    for (int32_t a = 0; a < type->n_node; ++a) held[nodes[a]] |= (uint8_t)bits;
  }
}

static bool edge_is_free(const ElasticityParams *p, const Rim *rim, const RimEdge *e, const uint8_t *held) {
  const unsigned both = held[e->a] & held[e->b], dim = (unsigned)elastic_model_dim(p->model), all = (1u << dim) - 1;
  if ((both & ALONG_NORMAL) || (both & all) == all || (e->a == e->b && both)) return false;
  for (unsigned i = 0; i < dim; ++i)
    if ((both >> i & 1) && fabs(p->mesh->x[e->a][i] - p->mesh->x[e->b][i]) <= rim->tolerance) return false;
  return true;
}

static Status surfaces_of(const ElasticityParams *p, const Group **on, Rim *out) {
  int32_t n = 0;
  for (int32_t l = 0; l < p->n_load; ++l)
    if (p->load[l].kind == LOAD_FOLLOWER || p->load[l].kind == LOAD_CAVITY) on[n++] = p->load[l].on;
  return rim_create(p->mesh, p->model == MODEL_AXISYMMETRIC, n, on, out);
}

Status elasticity_free_rim(const ElasticityParams *p, bool *out) {
  const Group **on = NULL;
  uint8_t *held = NULL;
  Rim rim = {.n = 0};
  *out = false;
  ALLOC(on, p->n_load, "surfaces under pressure");
  Status status = mem_alloc(p->mesh->n_node, sizeof *held, "nodes that are held", (void **)(void *)&held);
  if (status == OK) status = surfaces_of(p, on, &rim);
  for (int32_t i = 0; i < p->n_support && status == OK; ++i) hold_nodes(p, &p->support[i], held);
  for (int64_t k = 0; k < rim.n && status == OK && !*out; ++k) *out = edge_is_free(p, &rim, &rim.edge[k], held);
  rim_release(&rim);
  FREE(on), FREE(held);
  return status;
}
