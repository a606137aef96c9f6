/* A .vtu file on its way to a Mesh: points and cells of all pieces, one behind the other. */
#pragma once
#include "mesh/io/inp.h"
#include "mesh/io/vtu.h"

typedef struct VtuMesh {
  Vtu vtu;
  InpDeck *deck; /* owned: nodes and elements, as inp_mesh wants them */
  int32_t n_point, n_cell;
  unsigned char *kind; /* owned, [n_cell], ElementKind */
  int32_t *place;      /* owned, [n_cell], in the list of its kind */
} VtuMesh;

/* ---- vtu_cells.c ---- */
/* Points, cells and their places. */
Status vtu_points(VtuMesh *m);
Status vtu_cells(VtuMesh *m);

/* ---- vtu_data.c ---- */
/* Groups that arrays of integers name. */
Status vtu_groups(const VtuMesh *m, InpGroups *out);
/* Arrays of floats as fields. */
Status vtu_fields(const VtuMesh *m, Mesh *mesh);
