/* Colours for the block rows of a matrix: rows of one colour do not couple, so that a sweep may treat them all at
 * once. */
#pragma once
#include "algebra/pattern.h"

typedef struct Coloring {
  int32_t n, n_color; /* block rows; colours, 0 when there are no rows */
  int32_t *first;     /* owned, [n_color + 1]: rows of colour c are row[first[c]] ... row[first[c + 1] - 1] */
  int32_t *row;       /* owned, [n], ascending within a colour */
  int32_t *color;     /* owned, [n], of each row */
} Coloring;

/* Greedy: each row in turn gets the first colour that none of its neighbours has, at most one more than the largest
 * number of neighbours. Tried in natural order and with the rows of most neighbours first (Welsh and Powell 1967); the
 * better of the two is coloured again class by class, the last class first, which never needs more (Culberson 1992).
 * Depends on the pattern only, which must be symmetric in its structure (ERR_BUG: a coupling that the other row does
 * not know and that joins two rows of one colour). ERR_MEMORY. Host. */
Status coloring_create(const Pattern *pattern, Coloring **out);
void coloring_destroy(Coloring **coloring);
