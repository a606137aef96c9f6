/* What the pieces of msh_finish share. */
#pragma once
#include "mesh/io/msh_raw.h"

/* Raw elements are counted through all kinds in order: raw index = base[kind] + place in its list. */
typedef struct Finish {
  MshRaw *raw;
  const TextSource *source;
  Mesh *mesh;
  int32_t base[N_ELEMENT_KINDS + 1];
  int32_t *id;   /* owned, [base[N_ELEMENT_KINDS]], element id of a raw element */
  int64_t *tag;  /* owned, same length or NULL: not requested, number in the file of a raw element */
  TagMap raw_of; /* of tag */
  bool merged;   /* elements that stood in the file several times */
} Finish;

/* ---- msh_groups.c ---- */
/* The groups that the file names or uses, once each, in order of dimension and number; no two of one name in one
 * dimension. */
Status msh_groups_make(Finish *f);
/* Their elements, once f->id are ids. */
Status msh_groups_fill(Finish *f);
