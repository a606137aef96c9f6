/* The gather map: which element results add to which matrix slot or node (see gather_rows.h). Built and kept on
 * an Exec. */
#pragma once
#include "assembly/space/element_set.h"
#include "assembly/space/gather_rows.h"
#include "algebra/pattern.h"
#include "core/exec.h"

/* For matrix blocks (slot, row_step) or for nodes (node). Arrays on the Exec, owned. */
typedef struct Gather {
  int64_t n_row, n_warp, n_entry, n_slot;
  int64_t *start;    /* [n_warp + 1] */
  uint32_t *entry;   /* [n_entry], padding included */
  int64_t *slot;     /* [n_slot]: [n_row] or, per scalar, [block^2][n_row] */
  int64_t *row_step; /* [n_row] or NULL */
  int64_t step, column_step;
  int32_t per_scalar;
  int32_t *node; /* [n_row] */
} Gather;

/* What blocks of a matrix are gathered from. */
typedef struct GatherParams {
  const ElementSet *set; /* pairs a <= b of all its blocks, as SetBlock numbers them */
  const Incidence *incidence;
  const Pattern *pattern;
  const SlotMap *slots;
  const MatrixLoan *loan; /* both on the Exec */
} GatherParams;
/* Rows = blocks of the pattern, sorted by count (longest first), then by the slots' place in the value array, so that
 * consecutive rows write, and mostly read, side by side. ERR_INPUT when the elements give 2^31 pair blocks or more;
 * ERR_MEMORY, ERR_GPU. */
Status gather_create_blocks(Exec *exec, const GatherParams *params, Gather *out);
/* The same from some elements of one set at a time: rows of the pattern without any of them are left out. */
typedef struct GatherRange {
  const ElementSet *set; /* so many elements of each block, with the numbers of their pairs, */
  const int32_t *first;  /* [n_block] from here on, each range behind the one before */
  Gather *out;
} GatherRange;
Status gather_create_ranges(Exec *exec, const GatherParams *params, int32_t n, const GatherRange *range);
/* Rows = nodes. */
Status gather_create_nodes(Exec *exec, const ElementSet *set, const Incidence *incidence, Gather *out);
/* Arguments of a gather of element matrices K into a value array. */
BlockGatherArgs gather_block_args(const Gather *blocks, const double *K, int64_t block_step, int64_t scalar_step,
                                  double *values);
void gather_release(Exec *exec, Gather *gather);
/* Places of the scalars of pattern block k in row i: slot[block^2]. */
void slot_places(const SlotMap *slots, const Pattern *pattern, int32_t i, int64_t k, int64_t *place);
