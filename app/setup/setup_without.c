/* Parts of the mesh that are no part of the problem, such as scars, fat and the baths of bidomain meshes: what is left becomes the
 * mesh of the run, and its outside a boundary through which nothing flows. */
#include "app/setup/setup.h"
#include "core/memory.h"
#include "output/text.h"
#include "mesh/local.h"

#include <string.h>

/* Trees are made of lines of the mesh, which may run where nothing is left. */
static void keep_trees(const Case *c, const Mesh *mesh, uint8_t *keep) {
  for (int32_t i = 0; i < c->purkinje.n; ++i)
    for (int32_t k = 0; k < case_tree(c, i)->on.n; ++k) {
      const Group *lines = mesh_group_dim(mesh, case_tree(c, i)->on.item[k].text, 1);
      for (int32_t j = 0; lines && j < lines->n; ++j) keep[lines->element[j]] = 1;
    }
}

/* keep[n_element] is 0 in the groups of `without:`. */
static Status mark_left(const Case *c, const Mesh *mesh, uint8_t *keep) {
  Setup setup = {0};
  Diagnostics diagnostics = {.path = c->path};
  const int32_t first = setup_first_solved(mesh);
  int32_t left = 0;
  memset(keep, 1, (size_t)mesh->n_element);
  const Group *out = setup_group(&setup, mesh, &c->without, ON_CELLS, "without", &diagnostics);
  for (int32_t i = 0; out && i < out->n; ++i) keep[out->element[i]] = 0;
  for (int32_t e = first; e < mesh->n_element; ++e) left += keep[e];
  if (out && left == 0)
    report_error(&diagnostics, c->without.place, "without leaves no element: all of the mesh is in these groups");
  Status status = diagnostics_status(&diagnostics);
  if (status == OK) status = setup_keep_sides(mesh, keep);
  if (status == OK) keep_trees(c, mesh, keep);
  diagnostics_release(&diagnostics);
  setup_release(&setup);
  return status;
}

/* Who names them later is told. */
static Status note_left_out(Mesh *mesh) {
  Text names = {0};
  for (int32_t g = 0; g < mesh->whole->n_group; ++g)
    if (!mesh_group(mesh, mesh->whole->group[g].name)) text_add(&names, "%s\n", mesh->whole->group[g].name);
  mesh->left_out = names.data;
  return names.status;
}

Status setup_leave_out(const Case *c, Mesh **mesh) {
  uint8_t *keep = NULL;
  ALLOC(keep, (*mesh)->n_element, "elements that are left");
  Status status = mark_left(c, *mesh, keep);
  if (status == OK) status = mesh_keep(mesh, keep);
  if (status == OK) status = note_left_out(*mesh);
  if (status == OK) {
    mesh_destroy(&(*mesh)->whole);
    FREE((*mesh)->whole_node);
  }
  FREE(keep);
  return status;
}
