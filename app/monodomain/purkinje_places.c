/* See purkinje.h: a tree has no space outside of its cells that is its own; what it sees of the potential there is the tissue's. */
#include "app/monodomain/purkinje.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/near_nodes.h"

static const char WHAT[] = "places of a tree in the tissue";

/* near[n_node]: of a node of a tree the nearest of tissue; else -1. */
static Status find_nearest(const Mesh *mesh, const uint8_t *bits, int32_t *near) {
  NearNode *along = NULL;
  int32_t n = 0;
  ALLOC(along, mesh->n_node, WHAT);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (bits[i] & NODE_TISSUE) along[n++] = (NearNode){mesh->x[i][0], i};
  if (mesh->n_cable) near_nodes_sort(along, n);
#pragma omp parallel for schedule(dynamic, 1024) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i)
    near[i] = bits[i] == NODE_TREE ? near_nodes_find(mesh, along, n, mesh->x[i]) : -1;
  FREE(along);
  return OK;
}

/* Elements of tissue at the nodes that are wanted: start[n_node + 1], and *list, which the caller owns. */
static Status list_elements(const Mesh *mesh, const uint8_t *wanted, int32_t *start, int32_t **list) {
  for (int fills = 0; fills < 2; ++fills) {
    for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e) {
      const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
      for (int32_t a = 0; a < n; ++a) {
        if (!wanted[nodes[a]]) continue;
        if (fills) (*list)[start[nodes[a]]++] = e;
        else ++start[nodes[a] + 1];
      }
    }
    if (fills) break;
    for (int32_t i = 0; i < mesh->n_node; ++i) start[i + 1] += start[i];
    TRY(mem_alloc(start[mesh->n_node], sizeof **list, WHAT, (void **)list));
  }
  for (int32_t i = mesh->n_node; i > 0; --i) start[i] = start[i - 1];
  start[0] = 0;
  return OK;
}

/* The nodes of the element where it is nearest to x, and their shares there. */
static void add_place(const Mesh *mesh, const double x[3], int32_t n, const int32_t *element, TissuePlaces *to,
                      int32_t *at) {
  Location where;
  double N[ELEMENT_MAX_NODES];
  mesh_locate_among(mesh, x, n, element, &where);
  const ElementType *type = element_type(mesh_block_of(mesh, where.nearest)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, where.nearest);
  type->values(where.nearest_xi, N);
  for (int32_t a = 0; a < type->n_node; ++a) to->at[*at] = nodes[a], to->share[(*at)++] = N[a];
}

static Status fill_places(const Mesh *mesh, const uint8_t *bits, const int32_t *near, const int32_t *start,
                          const int32_t *list, TissuePlaces *out) {
  int64_t room = 0;
  int32_t n = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) room += near[i] >= 0 ? ELEMENT_MAX_NODES : 1;
  ALLOC(out->start, mesh->n_node + 1, WHAT);
  ALLOC(out->at, room, WHAT);
  ALLOC(out->share, room, WHAT);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const int32_t from = near[i];
    if (bits[i] & NODE_TISSUE) out->at[n] = i, out->share[n++] = 1;
    if (from >= 0) add_place(mesh, mesh->x[i], start[from + 1] - start[from], list + start[from], out, &n);
    out->start[i + 1] = n;
  }
  return OK;
}

Status tissue_places_create(const Mesh *mesh, TissuePlaces *out) {
  uint8_t *bits = NULL, *wanted = NULL;
  int32_t *near = NULL, *start = NULL, *list = NULL;
  Status status = OK;
  *out = (TissuePlaces){0};
  ALLOC_DONE(bits, mesh->n_node, WHAT);
  ALLOC_DONE(wanted, mesh->n_node, WHAT);
  ALLOC_DONE(near, mesh->n_node, WHAT);
  ALLOC_DONE(start, mesh->n_node + 1, WHAT);
  purkinje_nodes(mesh, bits);
  TRY_DONE(find_nearest(mesh, bits, near));
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (near[i] >= 0) wanted[near[i]] = 1;
  TRY_DONE(list_elements(mesh, wanted, start, &list));
  status = fill_places(mesh, bits, near, start, list, out);
done:
  FREE(bits);
  FREE(wanted);
  FREE(near);
  FREE(start);
  FREE(list);
  return status;
}

void tissue_places_release(TissuePlaces *places) {
  FREE(places->start);
  FREE(places->at);
  FREE(places->share);
}
