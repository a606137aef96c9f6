/* Pairs of facets of two surfaces that have something in common, and integrals over it, on an Exec. */
#pragma once
#include "assembly/mortar/weight_rows.h"
#include "assembly/mortar/mortar.h"
#include "core/exec_pack.h"

/* Facets of a group, on the host, and lent to the Exec. */
typedef struct MortarSide {
  int32_t *node;               /* owned, [n][side.width] */
  uint8_t *kind;               /* owned, [n] */
  int32_t n_kind[FACET_KINDS]; /* how many there are of each */
  FacetSide side;              /* on the Exec */
} MortarSide;

typedef struct MortarPairs {
  const MortarParams *params; /* borrowed */
  Exec *exec;                 /* borrowed, all below owned and on it */
  SegmentTables *tables;
  double *x, *outward[2]; /* of the mesh, of facets: lent */
  MortarSide on, to;
  ExecPack of_facets, of_pairs; /* hold what follows, and sizes and normals of both sides */
  SegmentPlane *plane;
  int64_t n, *first;
  int32_t *of, *other, n_square, n_mixed;
  double *area, *gap, *square, *mixed;
  uint8_t *state;
  Cover *cover;
} MortarPairs;

/* Both sides, with what is looked at of facets. */
Status mortar_pairs_create(const MortarParams *params, Exec *exec, MortarPairs *out);
/* Then which facets may be opposite to each other, */
Status mortar_pairs_search(MortarPairs *pairs);
/* and what they have in common: integrals of dual functions, and how much of each facet is covered. */
Status mortar_pairs_integrate(MortarPairs *pairs);
void mortar_pairs_release(MortarPairs *pairs);
