/* Row kernels that make the matrix of the next lower order and the transfer to it (pmg.c has the method). Everything is
 * in double; A and the next matrix are read and written where their formats keep entries, A P is block CSR, blocks
 * [entry][row][column] beside its graph. B scalars per node on both sides. */
#pragma once
#include "solver/multigrid/amg_rows.h"

/* Which scalars of a node are coupled to anything: bit r. Supports are not. A row is a node. */
typedef struct PmgLiveArgs {
  const int64_t *start; /* of A */
  const int32_t *column;
  const double *value;
  AmgSlots slots;
  uint8_t *live;
  int32_t B;
} PmgLiveArgs;
HD void pmg_live_body(const PmgLiveArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t B = a->B;
  int32_t live = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k)
    for (int32_t r = 0; r < B; ++r)
      for (int32_t c = 0; c < B; ++c)
        if (!(a->column[k] == i && r == c) && a->value[amg_slot(&a->slots, i, k, r, c, B)] != 0) live |= 1 << r;
  a->live[i] = (uint8_t)live;
}

/* Entry (r, c) of an interpolation whose blocks are numbers or matrices. */
HD double pmg_weight(const double *map, int32_t block, int64_t entry, int32_t r, int32_t c) {
  return block > 1 ? map[(entry * block + r) * block + c] : r == c ? map[entry] : 0;
}

/* Which scalars of a node of lower order take part: those that some coupled scalar takes from, unless one that is not
 * coupled would take more than half: then the node lies on a support. A row is a node of lower order. */
typedef struct PmgCoarseLiveArgs {
  const int64_t *start; /* of P^T: node and block of P of each entry */
  const int32_t *column;
  const int64_t *source;
  const double *map; /* P as given */
  const uint8_t *live;
  uint8_t *coarse_live;
  int32_t B, map_block;
} PmgCoarseLiveArgs;
HD void pmg_coarse_live_body(const PmgCoarseLiveArgs *a, int64_t j, double sum[]) {
  (void)sum;
  const int32_t B = a->B;
  int32_t some = 0, held = 0;
  for (int64_t k = a->start[j]; k < a->start[j + 1]; ++k)
    for (int32_t r = 0; r < B; ++r)
      for (int32_t c = 0; c < B; ++c) {
        const double w = pmg_weight(a->map, a->map_block, a->source[k], r, c);
        if (a->live[a->column[k]] >> r & 1) some |= w != 0 ? 1 << c : 0;
        else held |= w * w > 0.25 ? 1 << c : 0;
      }
  a->coarse_live[j] = (uint8_t)(some & ~held);
}

/* P: as given where both scalars take part, else zero. A row is a node. */
typedef struct PmgRawArgs {
  const int64_t *start; /* of P */
  const int32_t *column;
  const double *map;
  const uint8_t *live, *coarse_live;
  double *p; /* [entry of P][B][B] */
  int32_t B, map_block;
} PmgRawArgs;
HD void pmg_raw_body(const PmgRawArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t B = a->B;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k)
    for (int32_t r = 0; r < B; ++r)
      for (int32_t c = 0; c < B; ++c)
        a->p[(k * B + r) * B + c] = (a->live[i] >> r & 1) && (a->coarse_live[a->column[k]] >> c & 1)
                                        ? pmg_weight(a->map, a->map_block, k, r, c)
                                        : 0;
}

/* The sizes as constants, so that inner loops are unrolled. */
#define PMG_SIZES(NAME, ARGS)                                                                                          \
  HD void pmg_##NAME##_body(const ARGS *a, int64_t row, double sum[]) {                                                \
    (void)sum;                                                                                                         \
    if (a->B == 3) pmg_##NAME(a, row, 3);                                                                              \
    else if (a->B == 2) pmg_##NAME(a, row, 2);                                                                         \
    else pmg_##NAME(a, row, 1);                                                                                        \
  }

/* A P. A row is a scalar row. */
typedef struct PmgTimesArgs {
  const int64_t *start; /* of A */
  const int32_t *column;
  const double *value;
  AmgSlots slots;
  const int64_t *p_start;
  const int32_t *p_column;
  const double *p;
  const int64_t *ap_start;
  const int32_t *ap_column;
  double *ap; /* [entry of A P][B][B] */
  int32_t B;
} PmgTimesArgs;
HD void pmg_times(const PmgTimesArgs *a, int64_t row, const int32_t B) {
  const int64_t i = row / B, begin = a->ap_start[i], end = a->ap_start[i + 1];
  const int32_t r = (int32_t)(row - i * B);
  int64_t place = begin;
  for (int64_t k = begin; k < end; ++k)
    for (int32_t c = 0; c < B; ++c) a->ap[(k * B + r) * B + c] = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t j = a->column[k];
    double v[3];
    for (int32_t q = 0; q < B; ++q) v[q] = a->value[amg_slot(&a->slots, i, k, r, q, B)];
    for (int64_t f = a->p_start[j]; f < a->p_start[j + 1]; ++f) {
      while (a->ap_column[place] != a->p_column[f]) place = place + 1 < end ? place + 1 : begin; /* near the last one */
      double *to = a->ap + (place * B + r) * B, t[3] = {0};
      for (int32_t q = 0; q < B; ++q)
        for (int32_t c = 0; c < B; ++c) t[c] += v[q] * a->p[(f * B + q) * B + c];
      for (int32_t c = 0; c < B; ++c) to[c] += t[c];
    }
  }
}
PMG_SIZES(times, PmgTimesArgs)

/* P^T (A P) into the next matrix; 1 on the diagonal of scalars that take no part. A row is a scalar row of that. */
typedef struct PmgProductArgs {
  const int64_t *t_start; /* of P^T: node and block of P of each entry */
  const int32_t *t_column;
  const int64_t *t_source;
  const double *p;
  const int64_t *ap_start;
  const int32_t *ap_column;
  const double *ap;
  const int64_t *start; /* of the next matrix */
  const int32_t *column;
  double *value;
  AmgSlots slots;
  const uint8_t *coarse_live;
  int32_t B;
} PmgProductArgs;
HD void pmg_product(const PmgProductArgs *a, int64_t row, const int32_t B) {
  const int64_t g = row / B, begin = a->start[g], end = a->start[g + 1];
  const int32_t r = (int32_t)(row - g * B), dead = !(a->coarse_live[g] >> r & 1);
  for (int64_t k = begin; k < end; ++k)
    for (int32_t c = 0; c < B; ++c)
      a->value[amg_slot(&a->slots, g, k, r, c, B)] = dead && a->column[k] == g && r == c ? 1 : 0;
  for (int64_t f = a->t_start[g]; !dead && f < a->t_start[g + 1]; ++f) {
    const int64_t i = a->t_column[f];
    const double *p = a->p + a->t_source[f] * B * B + r;
    int64_t place = begin;
    for (int64_t k = a->ap_start[i]; k < a->ap_start[i + 1]; ++k) {
      while (a->column[place] != a->ap_column[k]) ++place;
      const double *from = a->ap + k * B * B;
      for (int32_t c = 0; c < B; ++c) {
        double t = 0;
        for (int32_t q = 0; q < B; ++q) t += p[q * B] * from[q * B + c];
        a->value[amg_slot(&a->slots, g, place, r, c, B)] += t;
      }
    }
  }
}
PMG_SIZES(product, PmgProductArgs)

/* p <- G^-T S^-1 P S', between the scaled unknowns of the two sides; G of the higher order, S' of the lower one. A row
 * is a node. */
typedef struct PmgScaleArgs {
  const int64_t *start;
  const int32_t *column;
  double *p;
  const double *scale, *blocks, *coarse_scale; /* blocks NULL: the identity */
  int32_t B;
} PmgScaleArgs;
HD void pmg_scale_body(const PmgScaleArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t B = a->B;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    double *p = a->p + k * B * B;
    for (int32_t c = 0; c < B; ++c)
      for (int32_t r = B - 1; r >= 0; --r) {
        double v = p[r * B + c] * a->coarse_scale[(int64_t)a->column[k] * B + c] / a->scale[i * B + r];
        if (a->blocks) {
          const double *g = a->blocks + i * B * B;
          for (int32_t q = r + 1; q < B; ++q) v -= g[q * B + r] * p[q * B + c];
          v /= g[r * B + r];
        }
        p[r * B + c] = v;
      }
  }
}
