/* A MED file on its way to a Mesh. */
#pragma once
#include "mesh/io/h5_get.h"
#include "mesh/io/inp.h"
#include "mesh/io/med.h"

enum { MED_LINK = 256 };

typedef struct MedMesh {
  H5Reader r;
  InpDeck *deck;                    /* owned: nodes and elements, as inp_mesh wants them */
  char name[MED_LINK];              /* of the mesh */
  int32_t *node_family;             /* owned, [n_node]; NULL: none is in any */
  int32_t *family[N_ELEMENT_KINDS]; /* owned, [n of the kind], likewise */
  int32_t n_point, *point;          /* owned: nodes of elements that are points */
} MedMesh;

/* Calls `visit` with the name of each link of a group, ascending, until it fails. */
Status med_each(hid_t group, Status (*visit)(void *context, hid_t group, const char *name), void *context);

/* ---- med_groups.c ---- */
/* Groups of the families that nodes and elements are in. */
Status med_groups(MedMesh *m, InpGroups *out);

/* ---- med_fields.c ---- */
/* Fields of the mesh, each at its last step. Warns of what is left out. */
Status med_fields(MedMesh *m, Mesh *mesh);
