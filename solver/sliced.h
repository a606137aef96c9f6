/* The structure that all formats of the ELLPACK kind share: rows lie in lanes side by side, lanes in slices, each slice
 * as wide as its longest row, entries column-major within the slice. One slice of all rows is ELLPACK (of scalars) or
 * BELLPACK (of blocks); slices of 32, 64 or 96 lanes are SELL and SBELL (Zhang, Yang et al., papers/
 * polynomial-pcg-sbell-elasticity, section 3, which also says that SBELL with one slice "collapses into" BELLPACK).
 * MatView: slice S lanes; start[s] counts entries (padding included) before slice s; column[start[s] + k S + l] for the
 *   k-th entry of lane l; value[start[s] B^2 + (k B^2 + r B + c) S + l] for scalar (r, c) of that entry, B = 1 in
 * formats of scalars; row[lane] the row, NULL when rows are not moved; n rows; width entries of a lane on average.
 * Padding has its own row as column and value 0; lanes behind the last row have columns 0 and values 0. x and y stay in
 * natural order. */
#pragma once
#include "solver/mat_format.h"
#include "solver/row_order.h"

enum {
  SLICED_LANES = 32,            /* slices are multiples of it, so that vectors of lanes need no test */
  SLICED_PADDING = 20,          /* most entries stored per entry of the pattern; */
  SLICED_PADDING_FREE = 1 << 20 /* more is no harm in small matrices of up to so many entries */
};

/* The slice asked for, or `otherwise` when none was. ERR_INPUT unless a multiple of 32 that divides ROW_CHUNK;
 * ERR_INPUT when a variant was asked for, since these formats have none. */
Status sliced_check(const MatParams *params, int32_t otherwise, int32_t *slice);
/* The slice that takes all lanes, rounded up to SLICED_LANES. */
int32_t sliced_all(const Pattern *pattern, int32_t split);
/* Structure and slots of `mat` with the rows in this order. ERR_INPUT when padding is beyond the limits above or a row
 * is too long for a slice; the sentence names the format to use `instead`. */
Status sliced_build(Mat *mat, const RowOrder *order, int32_t slice, const char *instead);
