/* A new group of elements, which leave the groups of their dimension that they were in. */
#include "core/memory.h"
#include "mesh/mesh.h"

#include <string.h>

static void leave(Group *group, const uint8_t *in) {
  int32_t n = 0;
  for (int32_t i = 0; i < group->n; ++i)
    if (!in[group->element[i]]) group->element[n++] = group->element[i];
  group->n = n;
}

Status mesh_regroup(Mesh *mesh, const char *name, const uint8_t *in) {
  Group made = {.dim = mesh->dim};
  for (int32_t e = 0; e < mesh->n_element; ++e) made.n += in[e];
  for (int32_t g = 0; g < mesh->n_group; ++g)
    if (mesh->group[g].number >= made.number) made.number = mesh->group[g].number + 1;
  Status status = mem_text(name, "the name of a group", &made.name);
  if (status == OK) status = mem_alloc(made.n, sizeof *made.element, "the elements of a group", (void **)&made.element);
  if (status == OK)
    status = mem_resize((int64_t)mesh->n_group + 1, sizeof *mesh->group, "groups", (void **)&mesh->group);
  if (status != OK) {
    FREE(made.name);
    FREE(made.element);
    return status;
  }
  for (int32_t g = 0; g < mesh->n_group; ++g)
    if (mesh->group[g].dim == mesh->dim) leave(&mesh->group[g], in);
  made.n = 0;
  for (int32_t e = 0; e < mesh->n_element; ++e)
    if (in[e]) made.element[made.n++] = e;
  mesh->group[mesh->n_group++] = made;
  return OK;
}
