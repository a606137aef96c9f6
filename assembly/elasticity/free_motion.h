/* Parts of the body (elements connected through nodes) and the motions that supports and springs leave them: of the
 * whole as a rigid body, and of its pieces against each other where they are connected by hinges only (pieces.h). */
#pragma once
#include "assembly/space/load.h"
#include "assembly/space/support.h"

/* Elements that are connected through nodes, and the motions that supports and springs leave them: of all as one rigid
 * body, and of its pieces, which share no edge (in 3D no face) of elements with each other and so can turn about what
 * they share. */
typedef struct BodyPart {
  int32_t n_element;
  double center[3];   /* of the bounding box */
  double half[3];     /* half its sides */
  int32_t n_free;     /* independent free rigid motions, 0 when it is held */
  char motions[256];  /* "translation in x; rotation about z"; "" when it is held */
  int32_t n_piece;    /* of elements that share more than hinges; 1 where the part has none */
  int32_t n_fold;     /* independent free motions of the pieces against each other */
  bool folds_unknown; /* too many pieces to tell */
  char folds[768];    /* a line for each piece that moves, where the part as a whole does not */
  char groups[128];   /* groups that hold some of its elements, "body, rib"; "" when none does */
} BodyPart;

/* Ordered by their first element. */
typedef struct BodyParts {
  int32_t n, dim;
  BodyPart *item;   /* owned */
  int32_t *of_node; /* owned, [n_node], -1: of no solved element; NULL: all are of one part */
} BodyParts;

Status body_parts_create(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, const Supports *supports,
                         const Loads *loads, BodyParts *out);
void body_parts_release(BodyParts *parts);
/* The same of a mesh with n_node nodes. ERR_MEMORY; whatever comes, `out` is to be released. */
Status body_parts_copy(const BodyParts *from, int32_t n_node, BodyParts *out);
/* ERR_INPUT names every part (the first five) that can move freely or fold, and how; OK when none can. */
Status body_parts_check(const BodyParts *parts);
/* Warns of hinges that hold, and of those that could not be looked at. */
void body_parts_warn(const BodyParts *parts);
