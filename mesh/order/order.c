/* The registry of node orders, and measures of locality. */
#include "mesh/order/order.h"
#include "core/parts.h"
#include "mesh/order/order_graph.h"
#include "mesh/order/renumber.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
  Status (*order)(const Mesh *mesh, int32_t *rank);
  const char *name, *meaning;
} Entry;

static const Entry ENTRY[N_MESH_ORDERS] = {
#define ORDER(ID, function, name, meaning) [ORDER_##ID] = {function, name, meaning},
#include "mesh/order/orders.def"
#undef ORDER
};

Status order_natural(const Mesh *mesh, int32_t *rank) {
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; i++) rank[i] = i;
  return OK;
}

Status mesh_order(const Mesh *mesh, MeshOrder kind, int32_t *rank) {
  CHECK((int)kind >= 0 && kind < N_MESH_ORDERS, ERR_BUG, "there is no node order %d", (int)kind);
  TRY_CONTEXT(ENTRY[kind].order(mesh, rank), "while numbering the nodes of %s by '%s'",
              mesh->path ? mesh->path : "the mesh", ENTRY[kind].name);
  return OK;
}

static bool order_matters(const Mesh *mesh, int32_t n_component) {
  enum { FIRST_CACHE = 32768 /* doubles */, RESIDENT_HALO = 2048 /* PERSIST_OWN_HALO of gpu/persistent/persist.h */ };
  return (int64_t)mesh->n_node * n_component > (n_component > 1 ? FIRST_CACHE : RESIDENT_HALO);
}

/* How many times the distances along the curve the mesh's own must be. */
static double order_gain(int32_t n_component) { return n_component > 1 ? 4 : 1.5; }

/* Whether a sample says which order it is without doubt. */
static Status order_is_clear(const Mesh *mesh, int32_t n_component, bool *clear, MeshOrder *out) {
  static const double DOUBT = 2;
  double own, curve;
  *clear = false;
  if (mesh->n_node < ORDER_SAMPLED) return OK;
  TRY(order_sample(mesh, &own, &curve));
  const double gain = order_gain(n_component) * curve;
  *clear = own > DOUBT * gain || own * DOUBT < gain;
  *out = own > gain ? ORDER_HILBERT : ORDER_NATURAL;
  return OK;
}

Status mesh_order_choose(const Mesh *mesh, int32_t n_component, int32_t *rank, MeshOrder *out) {
  bool clear = true;
  *out = ORDER_NATURAL;
  if (order_matters(mesh, n_component)) TRY(order_is_clear(mesh, n_component, &clear, out));
  if (clear) return mesh_order(mesh, *out, rank);
  TRY(mesh_order(mesh, ORDER_HILBERT, rank));
  if (mesh_mean_distance(mesh, NULL) > order_gain(n_component) * mesh_mean_distance(mesh, rank)) *out = ORDER_HILBERT;
  return *out == ORDER_NATURAL ? mesh_order(mesh, ORDER_NATURAL, rank) : OK;
}

const char *mesh_order_name(int32_t i) { return i >= 0 && i < N_MESH_ORDERS ? ENTRY[i].name : NULL; }
const char *mesh_order_meaning(int32_t i) { return i >= 0 && i < N_MESH_ORDERS ? ENTRY[i].meaning : NULL; }

Status mesh_order_by_name(const char *name, MeshOrder *out) {
  for (int32_t i = 0; i < N_MESH_ORDERS; i++) {
    if (strcmp(name, ENTRY[i].name) != 0) continue;
    *out = (MeshOrder)i;
    return OK;
  }
  (void)FAIL(ERR_INPUT, "unknown node order '%s'; there are", name);
  for (int32_t i = 0; i < N_MESH_ORDERS; i++)
    (void)status_context(ERR_INPUT, "%s: %s", ENTRY[i].name, ENTRY[i].meaning);
  return ERR_INPUT;
}

/* Whole numbers below 2^63 in all, so that the sum is exact in any order. */
double mesh_mean_distance(const Mesh *mesh, const int32_t *rank) {
  int64_t sum = 0;
  double pairs = 0;
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const ElementBlock *block = &mesh->block[b];
    const int32_t n_node = element_type(block->kind)->n_node;
    pairs += 0.5 * n_node * (n_node - 1) * block->n;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n)) reduction(+ : sum)
    for (int32_t i = 0; i < block->n; i++) {
      const int32_t *nodes = block->nodes + (int64_t)i * n_node;
      int32_t at[ELEMENT_MAX_NODES];
      for (int32_t a = 0; a < n_node; a++) {
        at[a] = rank ? rank[nodes[a]] : nodes[a];
        for (int32_t c = 0; c < a; c++) sum += abs(at[a] - at[c]);
      }
    }
  }
  return pairs > 0 ? (double)sum / pairs : 0;
}
