/* From groups, which may overlap, to families, which do not: each group in turn splits the families that it meets. */
#include "core/memory.h"
#include "mesh/io/med.h"

static Status family_add(MedFamilies *f, int32_t parent, int32_t group, int32_t *out) {
  if (f->n == f->room) {
    const int32_t room = 2 * f->room + 16;
    RESIZE(f->parent, room, "families");
    RESIZE(f->group, room, "families");
    RESIZE(f->used, room, "families");
    f->room = room;
  }
  f->parent[f->n] = parent, f->group[f->n] = group;
  *out = ++f->n;
  return OK;
}

/* moved[k]: what family k becomes for the items of this group; 0: not met yet. */
static Status split(const Mesh *mesh, int32_t g, bool nodes, MedFamilies *f, int32_t **moved) {
  const Group *group = &mesh->group[g];
  const int32_t n_before = f->n;
  RESIZE(*moved, n_before + 1, "families");
  for (int32_t k = 0; k <= n_before; ++k) (*moved)[k] = 0;
  for (int32_t i = 0; i < group->n; ++i) {
    int32_t *of = &f->of[nodes ? *mesh_nodes_of(mesh, group->element[i]) : group->element[i]];
    if (*of > n_before) continue; /* a node of two points */
    if (!(*moved)[*of]) TRY(family_add(f, *of, g, &(*moved)[*of]));
    *of = (*moved)[*of];
  }
  return OK;
}

Status med_families_make(const Mesh *mesh, bool nodes, MedFamilies *out) {
  const int32_t n = nodes ? mesh->n_node : mesh->n_element;
  int32_t *moved = NULL;
  Status status = OK;
  *out = (MedFamilies){0};
  ALLOC(out->of, n, "families");
  for (int32_t g = 0; g < mesh->n_group && status == OK; ++g)
    if ((mesh->group[g].dim == 0) == nodes) status = split(mesh, g, nodes, out, &moved);
  FREE(moved);
  for (int32_t i = 0; i < n && status == OK; ++i)
    if (out->of[i]) out->used[out->of[i] - 1] = true;
  return status;
}

void med_families_release(MedFamilies *f) {
  FREE(f->parent);
  FREE(f->group);
  FREE(f->used);
  FREE(f->of);
}
