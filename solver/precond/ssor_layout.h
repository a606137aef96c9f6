/* Where ssor keeps the couplings of a matrix: block rows at places, colour after colour, in slices of at most
 * SSOR_SLICE places of one colour; the couplings to earlier colours (the lower triangle of the matrix in the order of
 * places) apart from those to later ones. Host memory, integers only. */
#pragma once
#include "algebra/pattern.h"

typedef struct SsorLayout {
  int32_t n, n_color, n_slice;
  int32_t *row;         /* owned, [n] block row at a place, and */
  int32_t *place;       /* owned, [n] in reverse */
  int32_t *first;       /* owned, [n_color + 1] first place of a colour, and */
  int32_t *first_slice; /* owned, [n_color + 1] its first slice */
  int32_t *home;        /* owned, [n] slice of a place */
  int32_t *top;         /* owned, [n_slice + 1] first place of a slice */
  /* Coupling k of lane l of slice s lies at start_s + k height_s + l. Shorter rows are padded: entry -1, and a column
   * that another row of the slice has too, so that what is read there is a number. */
  int64_t *start;    /* owned, [2 n_slice + 1], slices of the lower triangle, then of the upper one */
  int32_t *column;   /* owned, [start[2 n_slice]] places */
  int64_t *entry;    /* owned, same length: index of the block in the pattern */
  int64_t *diagonal; /* owned, [n] same of the diagonal block, by places */
} SsorLayout;

/* Colours the pattern. ERR_MEMORY; ERR_BUG for a pattern without diagonal or without symmetry. */
Status ssor_layout_create(const Pattern *pattern, SsorLayout **out);
void ssor_layout_destroy(SsorLayout **layout);
