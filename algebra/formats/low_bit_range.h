/* Products with a copy in low precision on the CPU, a slice of 32 lanes at a time: unpack one entry of all lanes, then
 * multiply; each loop over the lanes becomes vectors. Included by low_bit.c. */
#pragma once
#include "algebra/formats/low_bit_visit.h"

/* x [B][32] gathered by the columns of one entry. */
HD void low_bit_gather(const MatView *m, int64_t k, int32_t base, const char *entry, const float *v,
                       float x[3][LOW_LANES], const int B, const int bits) {
  int64_t j[LOW_LANES];
  if (base < 0)
    for (int l = 0; l < LOW_LANES; ++l) j[l] = (int64_t)m->column[k + l] * B;
  else
    for (int l = 0; l < LOW_LANES; ++l) j[l] = (base + (int64_t)low_bit_column(entry, l, bits, B)) * B;
  for (int c = 0; c < B; ++c)
    for (int l = 0; l < LOW_LANES; ++l) x[c][l] = v[j[l] + c];
}

/* u [B][32]: one entry of all lanes times x. */
HD void low_bit_entry(const char *entry, float x[3][LOW_LANES], float u[3][LOW_LANES], const int B, const int bits) {
  for (int r = 0; r < B; ++r)
    for (int l = 0; l < LOW_LANES; ++l) u[r][l] = 0;
  for (int e = 0; e < B * B; ++e)
    for (int l = 0; l < LOW_LANES; ++l) u[e / B][l] += low_bit_value(entry, l, bits, B, e) * x[e % B][l];
  if (bits == LOW_INT8)
    for (int r = 0; r < B; ++r)
      for (int l = 0; l < LOW_LANES; ++l) u[r][l] *= low_bit_scale(entry, l, bits, B);
}

HD void low_bit_slice(const ProductArgs *a, int64_t slice, double s[3][LOW_LANES], const int B, const int bits) {
  const MatView *m = &a->a;
  float x[3][LOW_LANES], u[3][LOW_LANES], f[3][LOW_LANES] = {{0}};
  for (int r = 0; r < B; ++r)
    for (int l = 0; l < LOW_LANES; ++l) s[r][l] = 0;
  for (int64_t k = m->start[slice]; k < m->start[slice + 1]; k += LOW_LANES) {
    const char *entry = (const char *)m->value + k * low_bit_bytes(bits, B);
    low_bit_gather(m, k, m->order[slice], entry, (const float *)a->v, x, B, bits);
    low_bit_entry(entry, x, u, B, bits);
    for (int r = 0; r < B; ++r)
      for (int l = 0; l < LOW_LANES; ++l) {
        if (m->threshold) s[r][l] += (double)u[r][l];
        else f[r][l] += u[r][l];
      }
  }
  if (!m->threshold)
    for (int r = 0; r < B; ++r)
      for (int l = 0; l < LOW_LANES; ++l) s[r][l] = (double)f[r][l];
}

HD void low_bit_range(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op,
                      const int bits) {
  const int32_t *row = a->a.row;
  for (int64_t lane = begin; lane < end; lane += LOW_LANES) {
    double s[3][LOW_LANES];
    if (!mat_op_visits(op)) low_bit_slice(a, lane / LOW_LANES, s, B, bits);
    for (int64_t l = 0; l < LOW_LANES && lane + l < end; ++l) {
      const int64_t i = row ? row[lane + l] : lane + l;
      if (mat_op_visits(op)) {
        low_bit_visit(a, lane + l, i, B, op, bits);
        continue;
      }
      for (int r = 0; r < B; ++r) product_row_f(a, op, i * B + r, s[r][l], sum);
    }
  }
}

HD void low_bit_range_h(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op) {
  low_bit_range(a, begin, end, sum, B, op, LOW_HALF);
}
HD void low_bit_range_w(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op) {
  low_bit_range(a, begin, end, sum, B, op, LOW_BFLOAT);
}
HD void low_bit_range_b(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op) {
  low_bit_range(a, begin, end, sum, B, op, LOW_INT8);
}
