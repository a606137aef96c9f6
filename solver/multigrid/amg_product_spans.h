/* The products of amg_product_rows.h on the CPU: all blocks of a row of the result at once, so that a block of A is read once
 * for all of them and no column is searched for. Each block is added up in the same order: the same bits. */
#pragma once
#include "solver/multigrid/amg_product_rows.h"

/* First entry from `begin` on that begins a row; those before belong to the span before. */
static inline int64_t amg_span_first(const int64_t *start, const int32_t *row, int64_t begin, int64_t end) {
  while (begin < end && start[row[begin]] < begin) begin = start[row[begin] + 1];
  return begin;
}

/* Where column c is from place k on, in a row that has it. */
HD int64_t amg_span_find(const int32_t *column, int64_t k, int64_t end, int32_t c) {
  while (k < end && column[k] < c) ++k;
  return k;
}

typedef double AmgFour __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef double AmgTwo __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef float AmgFloatFour __attribute__((vector_size(4 * sizeof(float)), aligned(sizeof(float)), may_alias));
typedef float AmgFloatTwo __attribute__((vector_size(2 * sizeof(float)), aligned(sizeof(float)), may_alias));

/* to [rows][m] += L p, p [inner][m]; L_rq = left[r * down + q * right]. */
HD void amg_add(double *restrict to, const double *left, const int32_t down, const int32_t right,
                const double *restrict p, const int32_t rows, const int32_t inner, const int32_t m) {
#pragma GCC unroll 6
  for (int32_t r = 0; r < rows; ++r) {
    if (m == 6) {
      AmgFour four = *(const AmgFour *)(to + r * 6);
      AmgTwo two = *(const AmgTwo *)(to + r * 6 + 4);
#pragma GCC unroll 6
      for (int32_t q = 0; q < inner; ++q) {
        four += left[r * down + q * right] * *(const AmgFour *)(p + q * 6);
        two += left[r * down + q * right] * *(const AmgTwo *)(p + q * 6 + 4);
      }
      *(AmgFour *)(to + r * 6) = four;
      *(AmgTwo *)(to + r * 6 + 4) = two;
      continue;
    }
    for (int32_t q = 0; q < inner; ++q)
      for (int32_t c = 0; c < m; ++c) to[r * m + c] += left[r * down + q * right] * p[q * m + c];
  }
}

/* Block k of A. */
HD void amg_load_entry(const AmgBlocks *a, GraphSpan k, double *to, const int32_t s) {
  const int64_t at = amg_block(a, k.at, s * s);
  const float *low = (const float *)a->value + at;
  const double *high = (const double *)a->value + at;
#pragma GCC unroll 36
  for (int32_t e = 0; e < s * s; ++e) to[e] = a->is_float ? (double)low[e * k.step] : high[e * k.step];
}

/* A block [rows][m] of P in double, written as amg_add reads it: what is read across two writes waits for both. */
HD void amg_load_block(const void *from, int64_t at, int is_float, double *to, const int32_t rows, const int32_t m) {
  const float *low = (const float *)from + at;
  const double *high = (const double *)from + at;
#pragma GCC unroll 6
  for (int32_t r = 0; r < rows; ++r, low += m, high += m, to += m) {
    if (m == 6) {
      *(AmgFour *)to = is_float ? __builtin_convertvector(*(const AmgFloatFour *)low, AmgFour) : *(const AmgFour *)high;
      *(AmgTwo *)(to + 4) =
          is_float ? __builtin_convertvector(*(const AmgFloatTwo *)(low + 4), AmgTwo) : *(const AmgTwo *)(high + 4);
      continue;
    }
    for (int32_t c = 0; c < m; ++c) to[c] = is_float ? (double)low[c] : high[c];
  }
}

/* Blocks of P in a row that are added up beside each other; longer rows go block by block. */
enum { AMG_SPAN_BLOCKS = 32 };

HD void amg_smooth_row(const AmgSmoothArgs *a, int64_t first, int64_t end, const int32_t s, const int32_t m) {
  double sum[AMG_SPAN_BLOCKS * AMG_BLOCK];
  const int64_t i = a->p_row[first];
  if (end - first > AMG_SPAN_BLOCKS) {
    for (int64_t e = first; e < end; ++e) amg_smooth(a, e, s, m);
    return;
  }
  for (int64_t e = first; e < end; ++e)
    for (int32_t c = 0; c < s * m; ++c)
      sum[(e - first) * s * m + c] = a->of[i] == a->p_column[e] ? a->modes[i * s * m + c] : 0;
  for (GraphSpan k = graph_span(&a->a.rows, i); k.at < k.end; k.at += k.step) {
    const int64_t j = a->a.column[k.at];
    if (a->of[j] < 0) continue;
    const int64_t e = amg_span_find(a->p_column, first, end, a->of[j]);
    const double *t = a->modes + j * s * m;
    double *to = sum + (e - first) * s * m;
    double v[AMG_BLOCK];
    amg_load_entry(&a->a, k, v, s);
    for (int32_t c = 0; c < s * s; ++c) v[c] *= -a->omega;
    amg_add(to, v, s, 1, t, s, s, m);
  }
  for (int64_t e = first; e < end; ++e) {
    double *v = sum + (e - first) * s * m;
    if (a->scale) amg_turn(a->scale, a->blocks, i, v, s, m);
    for (int32_t c = 0; c < s * m; ++c) hd_store(a->p, e * s * m + c, v[c], a->p_float);
  }
}

HD void amg_times_row(const AmgTimesArgs *a, int64_t first, int64_t end, const int32_t s, const int32_t m) {
  for (int64_t c = first * s * m; c < end * s * m; ++c) a->ap[c] = 0;
  for (GraphSpan k = graph_span(&a->a.rows, a->first_row + a->ap_row[first]); k.at < k.end; k.at += k.step) {
    const int64_t j = a->a.column[k.at];
    double v[AMG_BLOCK], p[AMG_BLOCK];
    amg_load_entry(&a->a, k, v, s);
    int64_t e = first;
    for (int64_t f = a->p_start[j]; f < a->p_start[j + 1]; ++f, ++e) {
      e = amg_span_find(a->ap_column, e, end, a->p_column[f]);
      amg_load_block(a->p, f * s * m, a->p_float, p, s, m);
      amg_add(a->ap + e * s * m, v, s, 1, p, s, s, m);
    }
  }
}

/* What row i of A P gives to blocks [first, end) of row g, by P_ig; the first one is at `to`. */
HD void amg_galerkin_add(const AmgGalerkinArgs *a, int64_t f, int64_t first, int64_t end, double *to, const int32_t s,
                         const int32_t m) {
  const int64_t i = a->t_column[f] - a->first_row, p = a->t_source[f] * s * m;
  double v[AMG_BLOCK];
  amg_load_block(a->p, p, a->p_float, v, s, m);
  for (int64_t k = a->ap_start[i], e = first; k < a->ap_start[i + 1]; ++k) {
    if (a->ap_column[k] < a->column[first]) continue;
    if (a->ap_column[k] > a->column[end - 1]) break;
    e = amg_span_find(a->column, e, end, a->ap_column[k]);
    amg_add(to + (e - first) * m * m, v, 1, m, a->ap + k * s * m, m, s, m);
  }
}

/* Pieces of a parcel: the first one where it belongs, the others beside it first, AMG_SPAN_BLOCKS blocks at a time. */
HD void amg_galerkin_parcel(const AmgGalerkinArgs *a, int64_t first, int64_t end, const int32_t s, const int32_t m) {
  const int64_t k = a->row[first];
  double room[AMG_SPAN_BLOCKS * AMG_BLOCK];
  for (int64_t q = a->first[k]; q < a->first[k + 1]; ++q) {
    if (!amg_galerkin_has(a, q)) continue;
    const int apart = q > a->first[k];
    for (int64_t e = first, next; e < end; e = next) {
      next = apart && end - e > AMG_SPAN_BLOCKS ? e + AMG_SPAN_BLOCKS : end;
      double *value = a->value + e * m * m;
      for (int64_t c = 0; apart && c < (next - e) * m * m; ++c) room[c] = 0;
      for (int64_t f = a->t_start[q]; f < a->t_start[q + 1]; ++f)
        amg_galerkin_add(a, f, e, next, apart ? room : value, s, m);
      for (int64_t c = 0; apart && c < (next - e) * m * m; ++c) value[c] += room[c];
    }
  }
}

HD void amg_galerkin_row(const AmgGalerkinArgs *a, int64_t first, int64_t end, const int32_t s, const int32_t m) {
  if (a->first) {
    amg_galerkin_parcel(a, first, end, s, m);
    return;
  }
  const int64_t g = a->row[first], t_end = a->t_start[g + 1];
  int64_t f = a->t_start[g];
  if (f == t_end || a->t_column[f] >= a->end_row || a->t_column[t_end - 1] < a->first_row) return;
  while (f < t_end && a->t_column[f] < a->first_row) ++f;
  const int64_t upper = amg_span_find(a->column, first, end, (int32_t)g);
  for (; upper < end && f < t_end && a->t_column[f] < a->end_row; ++f)
    amg_galerkin_add(a, f, upper, end, a->value + upper * m * m, s, m);
  for (int64_t e = upper; e < end; ++e) {
    const int32_t h = a->column[e];
    const double *sum = a->value + e * m * m;
    double *to = a->value + graph_find(a->start, a->column, h, (int32_t)g) * m * m;
    for (int32_t c = 0; h > g && c < m * m; ++c) to[c % m * m + c / m] = sum[c];
  }
}

/* A span takes the rows that begin in it. */
#define AMG_SPANS(NAME, ARGS, START, ROW)                                                                              \
  static inline void amg_##NAME##_span(const ARGS *a, int64_t begin, int64_t end) {                                    \
    for (int64_t e = amg_span_first(a->START, a->ROW, begin, end), next; e < end; e = next) {                          \
      next = a->START[a->ROW[e] + 1];                                                                                  \
      if (a->m == 6 && a->s == 3) amg_##NAME##_row(a, e, next, 3, 6);                                                  \
      else if (a->m == 6 && a->s == 6) amg_##NAME##_row(a, e, next, 6, 6);                                             \
      else if (a->m == 3 && a->s == 2) amg_##NAME##_row(a, e, next, 2, 3);                                             \
      else if (a->m == 3 && a->s == 3) amg_##NAME##_row(a, e, next, 3, 3);                                             \
      else if (a->m == 1 && a->s == 1) amg_##NAME##_row(a, e, next, 1, 1);                                             \
      else amg_##NAME##_row(a, e, next, a->s, a->m);                                                                   \
    }                                                                                                                  \
  }
AMG_SPANS(smooth, AmgSmoothArgs, p_start, p_row)
AMG_SPANS(times, AmgTimesArgs, ap_start, ap_row)
AMG_SPANS(galerkin, AmgGalerkinArgs, start, row)
