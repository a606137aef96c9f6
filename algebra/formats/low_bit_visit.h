/* What is done once per matrix with a block row of a copy in low precision: diagonal and row sums of absolute values, into
 * float. `lane` is where block row i lies. Compiled by gcc and nvcc. */
#pragma once
#include "algebra/low_bit_rows.h"

HD void low_bit_visit(const ProductArgs *a, int64_t lane, int64_t i, const int B, const MatOp op, const int bits) {
  const MatView *m = &a->a;
  const int64_t slice = lane / LOW_LANES;
  const int32_t l = (int32_t)(lane % LOW_LANES), base = m->order[slice];
  double sum[3] = {0, 0, 0};
  for (int64_t k = m->start[slice]; k < m->start[slice + 1]; k += LOW_LANES) {
    const char *entry = (const char *)m->value + k * low_bit_bytes(bits, B);
    const int64_t j = base < 0 ? m->column[k + l] : base + (int64_t)low_bit_column(entry, l, bits, B);
    const float scale = low_bit_scale(entry, l, bits, B);
    for (int e = 0; e < B * B; ++e) {
      const double t = (double)(scale * low_bit_value(entry, l, bits, B, e));
      if (op == MAT_ABS) sum[e / B] += fabs(t);
      else if (e / B == e % B && j == i) sum[e / B] += t;
    }
  }
  for (int r = 0; r < B; ++r) ((float *)a->w)[i * B + r] = (float)sum[r];
}
