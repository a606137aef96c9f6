/* What the parts of a body are found with. For free_motion.c and folds.c only. */
#pragma once
#include "assembly/elasticity/free_motion.h"
#include "assembly/elasticity/mechanism.h"
#include "assembly/elasticity/pieces.h"

typedef struct PartWork {
  const Mesh *mesh;
  const ElementSet *set;
  Pieces pieces;
  int32_t *piece;      /* owned, [n_node], the first at the node, -1: no solved element */
  int32_t *part;       /* owned, [pieces.n] */
  int32_t *n_element;  /* owned, [pieces.n] */
  double (*box)[2][3]; /* owned, [pieces.n] */
  MechanismBody *body; /* owned, [pieces.n] */
} PartWork;

/* Lists the groups of solved elements that reach into a part, or into a piece (piece >= 0). */
void part_name_groups(const PartWork *w, int32_t part, int32_t piece, char *text, size_t size);
/* How the pieces of parts that have several can move against each other: n_fold, folds and folds_unknown of those. */
Status part_find_folds(const PartWork *w, BodyParts *out);
