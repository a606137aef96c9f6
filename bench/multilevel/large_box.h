/* The hex problem (measure.h) on cubes too large for a mesh: on equal cells a row of the matrix depends only on how
 * near its node is to which side, so that all rows are copied from those of a box of 3 x 2 x 2 cells, which is
 * assembled as usual. No elements, no element matrices (1.5 kB an unknown), nothing but what the solver is given. */
#pragma once
#include "algebra/pattern.h"
#include "core/exec.h"
#include "algebra/mat.h"

typedef struct LargeBox {
  Exec *exec;       /* borrowed */
  int64_t n;        /* scalar rows, 3 (cells + 1)^3 */
  int64_t unknowns; /* that are not held */
  Pattern *pattern; /* owned, as is all below */
  Mat *a;           /* double, SBELL */
  double *b, *x;    /* on the Exec, [n]: loads, 0 */
  double *motions;  /* host, [6][n] */
} LargeBox;

/* cells a side: 4 or more. Errors are those of mat_create and of memory. */
Status large_box_create(Exec *exec, int32_t cells, LargeBox *out);
void large_box_release(LargeBox *box);
