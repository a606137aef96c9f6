/* A .vtu file as a Mesh. */
#include "core/memory.h"
#include "mesh/io/vtu_mesh.h"

#include <string.h>

static Status read_mesh(VtuMesh *m, Mesh **out) {
  InpGroups groups = {0};
  TRY(vtu_points(m));
  TRY(vtu_cells(m));
  Status status = vtu_groups(m, &groups);
  if (status == OK) status = inp_mesh(m->deck, groups.n, groups.group, out);
  inp_groups_destroy(&groups);
  if (status == OK) status = vtu_fields(m, *out);
  return status;
}

Status mesh_read_vtu(const char *path, Mesh **out) {
  VtuMesh m = {0};
  *out = NULL;
  TRY(vtu_open(path, &m.vtu));
  Status status = inp_create(path, &m.deck);
  if (status == OK) status = read_mesh(&m, out);
  if (status != OK) mesh_destroy(out);
  inp_close(&m.deck);
  vtu_close(&m.vtu);
  FREE(m.kind);
  FREE(m.place);
  return status;
}
