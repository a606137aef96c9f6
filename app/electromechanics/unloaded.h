/* A mesh of a body under load and the body without: two sets of coordinates, and of directions that go with the body, for one mesh. */
#pragma once
#include "app/input/case.h"
#include "assembly/elasticity/elasticity.h"

typedef struct Unloaded {
  bool there;
  int32_t n_field;
  double (*x)[3]; /* owned, [n_node]: those that the mesh does not have now */
  double **value; /* owned, [n_field]: the same of fields of fibres and axes; NULL: of another field */
  int32_t n_inflation;
  double distance;                    /* largest, of nodes of the loaded body from the mesh as it was read */
  double volume[2][ELASTIC_CAVITIES]; /* of cavities of the case: in the mesh as it was read, and without load; mL */
} Unloaded;

/* Both are those of the mesh. ERR_MEMORY: unloaded_release follows. */
Status unloaded_create(const Case *c, const Mesh *mesh, Unloaded *out);
void unloaded_release(Unloaded *body);
/* The mesh has the others. */
void unloaded_swap(Mesh *mesh, Unloaded *body);
/* Fields of the mesh, which has X, from those of the other, at x, by dX/dx: lengths are 1 again. */
void unloaded_turn(Mesh *mesh, Unloaded *body);
