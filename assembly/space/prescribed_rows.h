/* Row kernels that list the blocks of a matrix whose row or column node is prescribed (PrescribedBlock). */
#pragma once
#include "assembly/space/gather_rows.h"
#include "algebra/pattern.h"

/* Places of the scalars [height][width] of block k in block row i. */
HD void slot_list(const SlotMap *slots, int64_t height, int64_t width, int64_t i, int64_t k, int64_t *place) {
  const int64_t step = slots->per_scalar ? 0 : slots->row_step[slots->same_step ? 0 : i];
  for (int64_t r = 0; r < height; ++r)
    for (int64_t c = 0; c < width; ++c)
      place[r * width + c] = slots->per_scalar ? slots->slot[(k * height + r) * width + c]
                                               : slots->slot[k] + r * step + c * slots->column_step;
}

typedef struct PrescribedListArgs {
  int32_t n, size;      /* rows of the pattern; scalars of a node */
  const int64_t *start; /* of the pattern */
  const int32_t *column;
  const uint8_t *fixed;    /* [n], in the solver's order */
  const int32_t *frame_of; /* NULL: all -1 */
  uint8_t *flag;           /* [block] of the pattern: it is prescribed, found by flag */
  const int64_t *index;    /* for list: those blocks */
  SlotMap slots;           /* with arrays of the Exec */
  PrescribedBlock *block;
  int64_t *slot; /* [size^2] each */
} PrescribedListArgs;

/* Rows are those of the pattern. */
HD void prescribed_flag_body(const PrescribedListArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) a->flag[k] = a->fixed[i] || a->fixed[a->column[k]];
}
HD void prescribed_list_body(const PrescribedListArgs *a, int64_t l, double sum[]) {
  const int64_t k = a->index[l];
  int32_t low = 0, high = a->n - 1; /* the row that block k is in */
  (void)sum;
  while (low < high) {
    const int32_t middle = low + (high - low + 1) / 2;
    if (a->start[middle] <= k) low = middle;
    else high = middle - 1;
  }
  const int32_t j = a->column[k];
  PrescribedBlock *b = a->block + l;
  b->frame[0] = a->frame_of ? a->frame_of[low] : -1;
  b->frame[1] = a->frame_of ? a->frame_of[j] : -1;
  b->fixed[0] = a->fixed[low];
  b->fixed[1] = a->fixed[j];
  b->diagonal = low == j;
  slot_list(&a->slots, a->size, a->size, low, k, a->slot + l * a->size * a->size);
}
