/* What a matrix format gives to algebra/mat.c, and the arguments that all its row kernels share.
 * A format is a file in algebra/formats/ that defines one MatFormat: how the structure is built from a pattern, where the
 * entries lie, and a table of row kernels, one for each MatOp. Start from csr.c, the shortest. */
#pragma once
#include "algebra/mat.h"
#include "algebra/product.h"

typedef struct MatFormat {
  /* Builds structure and slots into `mat` (exec, pattern sizes and precision are set), by row kernels that read what
   * pattern_lend gives, or on the host behind pattern_fetch; what it allocates on the Exec goes into mat->part so that
   * mat.c can put it away, also after a failure. */
  Status (*build)(Mat *mat, const MatParams *params, const Pattern *pattern);
  const RowKernel *(*kernel)(const Mat *mat, MatOp op);
  /* What these parameters of MatParams mean here, and what is allowed; NULL: it has none so called. */
  const char *variant, *slice, *threads, *threshold, *window;
  uint32_t traits; /* MAT_SLICED_BLOCKS and so on, of mat.h */
  /* Products with K = 2, 4 or 8 interleaved vectors (many.h) in double or float; NULL: none, or it answers NULL: not
   * so. */
  const RowKernel *(*many)(const Mat *mat, MatOp op, int32_t k);
} MatFormat;

/* What a format gives besides when its values can also be stored in fewer bits than a float
 * (algebra/formats/low_bit.c). */
typedef struct MatLow {
  /* `copy` is already like `a`, without values: its structure, view, and value_bytes. */
  Status (*create)(const Mat *a, Mat *copy);
  Status (*scale)(const Mat *from, const double *s, const double *blocks, Mat *to); /* mat_scale_blocks */
  const RowKernel *(*kernel)(const Mat *mat, MatOp op);
  /* As of MatFormat, MAT_COMBINE and MAT_COMBINE_DOT; NULL: none. */
  const RowKernel *(*many)(const Mat *mat, MatOp op, int32_t k);
} MatLow;

enum { MAT_PARTS = 6 };
/* One array on the Exec that belongs to the structure. */
typedef struct MatPart {
  void *p;
  int64_t n;
  size_t size;
} MatPart;

struct Mat {
  Exec *exec; /* borrowed */
  const MatFormat *format;
  bool knows_blocks; /* set by build: MAT_SCALE and MAT_DIAGONAL take blocks */
  const MatLow *low; /* set by build; NULL: values are double or float only */
  Precision precision;
  int32_t n_block, block;      /* block rows, scalars per block side */
  RowShare share;              /* of the pattern */
  int64_t entries;             /* of the pattern */
  size_t structure_bytes;      /* read by one product besides the values */
  SlotMap slots;               /* owned unless lent */
  MatPart part[MAT_PARTS];     /* owned */
  int32_t n_part;              /* 0 in a copy that borrows its whole structure */
  int32_t *numbering;          /* owned unless lent, host [n_block * block]; NULL: natural (mat_numbering in mat.h) */
  const char *natural_variant; /* with a numbering: the variant that has none */
  void *values;                /* owned, double or float [slots.n_value], or records */
  size_t value_bytes;
  MatView view;      /* pointers into the parts and values, as kernels take them */
  const Mat *lender; /* structure and slots belong to that matrix; NULL: to this one */
};

static inline bool precision_is_low(Precision precision) { return precision >= PRECISION_HALF; }

/* The format of this name; NULL: the first. ERR_INPUT: unknown, with those that are. */
Status mat_format_find(const char *name, const MatFormat **out);

/* Copies a host array into a new part of the structure and counts its bytes; from NULL: the caller fills it in. *out is
 * memory of the Exec. */
Status mat_part(Mat *mat, int64_t n, size_t size, const void *from, const char *what, void **out);

/* Values, all zero, once slots.n_value (or value_bytes) is known. */
Status mat_alloc_values(Mat *mat);

/* mat_kernels.tmpl.h makes row kernels named FORMAT_OP_BP (block size B; precision P is d or f), the names under which gpu/
 * finds them, from a format's FORMAT_range_P(args, begin, end, sum, block, op). */
#define MAT_KERNEL_RANGE(FORMAT, B, P, OP, NAME)                                                                       \
  static void FORMAT##_##NAME##_##B##P(const void *args, int64_t begin, int64_t end, double *sum) {                    \
    const ProductArgs *a = (const ProductArgs *)args;                                                                  \
    if (!product_skips(a)) FORMAT##_range_##P(a, begin, end, sum, B, OP);                                              \
  }
#define MAT_KERNEL_ROW(FORMAT, B, P, OP, NAME, SUMS)                                                                   \
  [OP] = {#FORMAT "_" #NAME "_" #B #P, SUMS, sizeof(ProductArgs), FORMAT##_##NAME##_##B##P, SUMS ? mat_finish : 0},
/* Of a format whose ranges may leave rows to be ended: FORMAT_end_P(args, sum, n_sum, op) once after all of them. */
#define MAT_KERNEL_END(FORMAT, B, P, OP, NAME, SUMS)                                                                   \
  static void FORMAT##_##NAME##_##B##P##_end(const void *args, const double *sum) {                                    \
    const ProductArgs *a = (const ProductArgs *)args;                                                                  \
    if (!product_skips(a)) FORMAT##_end_##P(a, sum, SUMS, OP);                                                         \
  }
#define MAT_KERNEL_ROW_END(FORMAT, B, P, OP, NAME, SUMS)                                                               \
  [OP] = {#FORMAT "_" #NAME "_" #B #P, SUMS, sizeof(ProductArgs), FORMAT##_##NAME##_##B##P,                            \
          FORMAT##_##NAME##_##B##P##_end},
static inline void mat_finish(const void *args, const double *sum) { product_finish((const ProductArgs *)args, sum); }
