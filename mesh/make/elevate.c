/* Linear elements become quadratic or cubic: straight mid-nodes, one or two on every edge (and, unless serendipity, in
 * every quad and hex), shared by elements of all dimensions. A mesh with wedges or pyramids becomes serendipity. Groups
 * and fields are carried as in mesh_refine; tags stay. */
#include "core/memory.h"
#include "mesh/make/derive.h"

#include <string.h>

static Status plan_kind(const ElementType *type, int32_t order, bool serendipity, Split **variant) {
  SplitChild child = {.type = type->order == 1 ? element_of_order(type->kind, order, serendipity) : type};
  if (type->dim == 0) child.type = type;
  CHECK(child.type != NULL, ERR_MESH,
        "there are no elements of order %d with the vertices of %s\n  use order 2, or triangles and tetrahedra", order,
        type->name);
  memcpy(child.corner, type->node, (size_t)type->n_vertex * sizeof child.corner[0]);
  return split_create(type, 1, &child, variant);
}

/* Whether the fullest kind of this order on these vertices has faces with fewer nodes than others have there: a wedge's
 * and a pyramid's quads have no node in their middle. All elements of the mesh must then do without. */
static bool faces_are_bare(const ElementType *linear, int32_t order) {
  const ElementType *type = element_of_order(linear->kind, order, false);
  for (int32_t f = 0; type != NULL && f < type->n_face; f++) {
    const ElementType *face = element_type(type->face[f].kind);
    if (face->dim > 0 && element_of_order(face->linear, order, false) != face) return true;
  }
  return false;
}

Status mesh_elevate_to(const Mesh *mesh, int32_t order, bool serendipity, Mesh **out) {
  DerivePlan plan = {.keep_tags = true};
  const ElementType *linear = NULL, *curved = NULL;
  Status status = OK;
  *out = NULL;
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const ElementType *type = element_type(mesh->block[b].kind);
    if (type->dim == 0 || mesh->block[b].n == 0) continue;
    *(type->order == 1 ? &linear : &curved) = type;
    if (type->order == 1 && faces_are_bare(type, order)) serendipity = true;
  }
  CHECK(linear == NULL || curved == NULL, ERR_MESH,
        "the mesh mixes %s and %s: elements must all be linear, or all of one order, to be made of order %d",
        linear->name, curved->name, order);
  for (int32_t b = 0; b < mesh->n_block && status == OK; b++) {
    status = plan_kind(element_type(mesh->block[b].kind), order, serendipity, plan.split[mesh->block[b].kind]);
  }
  if (status == OK) status = mesh_derive(mesh, &plan, out);
  derive_plan_release(&plan);
  return status == OK ? OK : status_context(status, "while making elements of order %d", order);
}

Status mesh_elevate(const Mesh *mesh, bool serendipity, Mesh **out) {
  return mesh_elevate_to(mesh, 2, serendipity, out);
}
