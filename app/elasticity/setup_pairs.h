/* Two groups that move alike: ties, periodic pairs, and such that are turned about an axis. */
#pragma once
#include "app/elasticity/elastic.h"

/* Nodes of a group, and the box around them. */
typedef struct Side {
  const Group *on;
  int32_t n;
  int32_t *node; /* owned, ascending */
  double low[3], high[3];
} Side;
Status side_create(const Mesh *mesh, const Group *on, Side *out);
bool side_has(const Side *side, int32_t node);

/* Surfaces that move as one. */
typedef struct TieParams {
  const Mesh *mesh; /* with nodes of `on` where they lie on `to` */
  const Group *on, *to;
  const double (*rotation)[3]; /* u of `on` is this rotation times what `to` says there; NULL: the same */
  const char *word;            /* of messages */
  Place place;
  const char *where;
  double reach; /* 0: as the facets' size says */
  bool closes;  /* gaps of the mesh */
} TieParams;
/* setup_tie.c */
Status tie_bind(ConstraintList *list, const TieParams *params);
/* setup_pairs.c: `tie` or `periodic` of an entry. */
Status pair_bind(ConstraintList *list, const CaseBoundary *entry, const NamesValue *other, bool periodic);
