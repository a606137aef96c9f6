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
#include "algebra/mat_format.h"
#include "algebra/row_order.h"
#include "algebra/formats/sliced_rows.h"

enum {
  SLICED_LANES = 32,            /* slices are multiples of it, so that vectors of lanes need no test */
  SLICED_PADDING = 20,          /* most entries stored per entry of the pattern; */
  SLICED_PADDING_FREE = 1 << 20 /* more is no harm in small matrices of up to so many entries */
};
enum { ELL_TILE = 384 }; /* lanes that the CPU takes at a time where one slice holds all (ell_range.tmpl.h) */

/* Structure and slots of `mat`: `split` lanes per block row (row_order.h), in slices of params->slice lanes or of
 * `slice` when none is asked for, sorted by length where that pays. ERR_INPUT with the format to use `instead` when
 * padding is beyond the limits above or a row is too long for a slice; ERR_INPUT when the slice is not a multiple of 32
 * that divides ROW_CHUNK. */
#define SLICED_SLICE "rows of a slice: 32, 64, 96, 128, 192 ...; chosen unless given"
#define SLICED_WINDOW "rows that are sorted by length, 1: none; the smallest that pads little unless given"
Status sliced_build(Mat *mat, const MatParams *params, const Pattern *pattern, int32_t split, int32_t slice,
                    const char *instead);
/* Same with the rows in natural order in one slice, rounded up to SLICED_LANES.
 * lengths: of the lanes, too, 0 behind the last. */
Status sliced_build_whole(Mat *mat, const Pattern *pattern, int32_t split, bool lengths, const char *instead);

/* ---- the parts that they are made of, on the Exec, for other formats of slices ---- */
/* Slice starts; how many slices there are, and entries with padding. */
Status sliced_starts(Mat *mat, const RowOrder *order, SlicedArgs *args, int64_t *n_slice, int64_t *size);
Status sliced_columns(Mat *mat, SlicedArgs *args, int64_t n_slice, int64_t size);
Status sliced_lengths(Mat *mat, SlicedArgs *args, int64_t n);
/* Nothing where rows are in natural order. */
Status sliced_rows(Mat *mat, SlicedArgs *args);
/* Slots, once per_scalar is known; the caller says what row_step[0] and column_step are. */
Status sliced_list(Mat *mat, const RowOrder *order, const SlicedArgs *args);
