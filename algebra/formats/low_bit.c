/* SBELL in low precision: a copy for the inside of a preconditioner, made on the Exec from the assembled double matrix.
 * Values are half or bfloat16, or 8-bit integers with a power of two for each block (METHODS: no or 1 % more outer
 * iterations than double); columns take 16 bits, counted from the smallest column of the slice. Vectors are float, sums
 * float or double.
 *
 * Layout: slices are SBELL's own, of 32 lanes. All that belongs to one block makes one record, of which word w of the
 * 32 lanes lie side by side, so that each read of a warp is one whole line:
 *   entry k of slice s begins at byte (start[s] + 32 k) R, its word w of lane l at 128 w + 4 l, low bits first
 *   16 bits (half, bfloat16)
 *         1 x 1  R =  4: a, column                            2 x 2  R = 10: a[4], then the columns, 2 bytes each, at
 *         256 3 x 3  R = 20: a[9], column
 *   int8  1 x 1  R =  4: a, exponent, column                  2 x 2  R =  8: a[4], then 0, exponent, column
 *         3 x 3  R = 12: a[9], exponent, column               a block is its integers times 2^(exponent - 127)
 * Bytes per scalar entry: 16 bits 4, 2.5, 2.22; int8 4, 2, 1.33 (a block of 1 gains nothing over half, which is more
 * exact). A slice whose columns span more than 65,535 block columns has base -1; its columns are read from the 32-bit
 * array of the matrix that the copy was made of, which is there anyway; mat_bytes counts them. Such matrices want
 * another numbering.
 *
 * MatView: value the records, order base[slices], column those 32-bit columns, start, row and n as in sliced.h,
 * threshold 1 where sums are double (0: float). */
#include "algebra/formats/low_bit.h"
#include "algebra/low_bit_rows.h"
#include "algebra/rows.h"
#include "algebra/formats/rows.h"

#include "algebra/formats/low_bit_range.h"

#define FORMAT low_bit
#define P h
#define BLOCK 1
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 2
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 3
#include "algebra/mat_kernels.tmpl.h"
#undef P
#define P w
#define BLOCK 1
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 2
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 3
#include "algebra/mat_kernels.tmpl.h"
#undef P
#define P b
#define BLOCK 1
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 2
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 3
#include "algebra/mat_kernels.tmpl.h"

/* Parts of a copy, in this order. */
enum { BASE, LANE_OF };

static int32_t bits_of(const Mat *mat) {
  return mat->precision == PRECISION_HALF ? LOW_HALF : mat->precision == PRECISION_BFLOAT16 ? LOW_BFLOAT : LOW_INT8;
}

static LowBitArgs args_of(const Mat *a, const Mat *copy) {
  return (LowBitArgs){.from = a->view,
                      .base = copy->part[BASE].p,
                      .lane_of = a->view.row ? copy->part[LANE_OF].p : NULL,
                      .bits = bits_of(copy),
                      .order = {a->share.n_halo ? a->n_block : 0, a->share.n_low}};
}

static Status add_part(Mat *mat, int64_t n, const char *what) {
  void *p = NULL;
  TRY(exec_alloc(mat->exec, n, sizeof(int32_t), what, &p));
  mat->part[mat->n_part++] = (MatPart){p, n, sizeof(int32_t)};
  return OK;
}

/* Entries in slices that keep 32-bit columns: read once, when the copy is made. */
static Status find_bases(const Mat *a, const Mat *copy, int64_t n_slice, double *wide) {
  LowBitArgs args = args_of(a, copy);
  EXEC_ALLOC(a->exec, args.wide, 1, "count of wide columns");
  const SumParts *over = exec_sum_over(a->exec, NULL);
  Status status = exec_rows(a->exec, &low_bit_base_kernel, &args, n_slice);
  exec_sum_over(a->exec, over);
  if (status == OK) status = exec_download(a->exec, wide, args.wide, sizeof *wide);
  EXEC_RELEASE(a->exec, args.wide, 1);
  return status;
}

static Status low_bit_create(const Mat *a, Mat *copy) {
  CHECK(a->view.slice == LOW_LANES, ERR_INPUT,
        "slices of %d rows cannot store values in %s; use slices of %d, or float", a->view.slice,
        precision_name(copy->precision), LOW_LANES);
  CHECK(!precision_is_low(a->precision), ERR_BUG, "a copy in low precision is made like a matrix in double or float");
  const int64_t n_slice = (a->view.n + LOW_LANES - 1) / LOW_LANES, square = (int64_t)a->block * a->block;
  TRY(add_part(copy, n_slice, "smallest columns of the slices"));
  if (a->view.row) {
    TRY(add_part(copy, a->view.n, "places of the rows"));
    const LowBitArgs args = args_of(a, copy);
    TRY(exec_rows(a->exec, &low_bit_lanes_kernel, &args, a->view.n));
  }
  double wide;
  TRY(find_bases(a, copy, n_slice, &wide));
  copy->value_bytes = (size_t)(a->slots.n_value / square * low_bit_bytes(bits_of(copy), a->block));
  copy->structure_bytes = (size_t)(n_slice + 1) * sizeof(int64_t) + (size_t)n_slice * sizeof(int32_t) +
                          (a->view.row ? (size_t)a->view.n * sizeof(int32_t) : 0) + (size_t)wide * sizeof(int32_t);
  copy->view.order = copy->part[BASE].p;
  copy->view.threshold = 0;
  return OK;
}

static Status low_bit_scale_copy(const Mat *from, const double *s, const double *blocks, Mat *to) {
  LowBitArgs args = args_of(from, to);
  args.from_float = from->precision == PRECISION_FLOAT;
  args.s = s;
  args.g = blocks;
  args.to = to->values;
  const int64_t n_entry = from->slots.n_value / ((int64_t)from->block * from->block);
  return exec_rows(from->exec, &low_bit_scale_kernel, &args, low_bit_scale_rows_of(n_entry));
}

static const RowKernel *low_bit_kernel(const Mat *mat, MatOp op) {
  static const RowKernel *const kernels[3][3] = {{low_bit_kernels_1h, low_bit_kernels_2h, low_bit_kernels_3h},
                                                 {low_bit_kernels_1b, low_bit_kernels_2b, low_bit_kernels_3b},
                                                 {low_bit_kernels_1w, low_bit_kernels_2w, low_bit_kernels_3w}};
  return &kernels[mat->precision - PRECISION_HALF][mat->block - 1][op];
}

const MatLow low_bit = {low_bit_create, low_bit_scale_copy, low_bit_kernel, low_bit_many};
