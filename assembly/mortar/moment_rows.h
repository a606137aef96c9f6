/* Integrals over what two facets have in common: at points only powers of the references' coordinates are added up, which stay in registers of a
 * GPU; those of functions are made of them once for each pair. */
#pragma once
#include "assembly/mortar/facet_terms.h"
#include "assembly/space/geometry_rows.h"

enum { MOMENT_POWERS = 7 }; /* 0 to 6 */

/* Those that FacetShape and FacetTerms say are in use. */
typedef struct Moments {
  double own[MOMENT_POWERS][MOMENT_POWERS]; /* of u^i v^j of the first facet */
  double mixed[FACET_TERMS][FACET_TERMS];   /* of product i of the first and k of the second one */
} Moments;

HD void moments_clear(Moments *s) {
  UNROLL
  for (int32_t i = 0; i < MOMENT_POWERS; ++i) {
    UNROLL
    for (int32_t j = 0; j < MOMENT_POWERS; ++j) s->own[i][j] = 0;
  }
  UNROLL
  for (int32_t i = 0; i < FACET_TERMS; ++i) {
    UNROLL
    for (int32_t k = 0; k < FACET_TERMS; ++k) s->mixed[i][k] = 0;
  }
}

/* A point of that weight at xi of the first facet, w and z the products of both. */
HD void moments_add(const FacetShape h, const FacetShape other, const double weight, const double xi[2],
                    const double w[], const double z[], Moments *s) {
  double u = weight;
  UNROLL
  for (int32_t i = 0; i <= h.most; ++i, u *= xi[0]) {
    double uv = u;
    UNROLL
    for (int32_t j = 0; j <= h.across; ++j, uv *= xi[1])
      if (i + j <= h.sum) s->own[i][j] += uv;
  }
  UNROLL
  for (int32_t i = 0; i < h.n_term; ++i) {
    const double by = weight * w[i];
    UNROLL
    for (int32_t k = 0; k < other.n_term; ++k) s->mixed[i][k] += by * z[k];
  }
}

/* out [a][b <= a] of N'_a N'_b */
HD void moments_square(const FacetTerms *t, const FacetShape h, const Moments *s, double out[]) {
  double own[MOMENT_POWERS]
            [MOMENT_POWERS]; /* places that are not known in advance would keep all of *s out of registers */
  UNROLL
  for (int32_t i = 0; i <= h.most; ++i) {
    UNROLL
    for (int32_t j = 0; j <= h.across; ++j)
      if (i + j <= h.sum) own[i][j] = s->own[i][j];
  }
  for (int32_t b = 0; b < h.n; ++b) {
    double row[FACET_TERMS];
    for (int32_t k = 0; k < h.n_term; ++k) {
      row[k] = 0;
      for (int32_t i = 0; i < h.n_term; ++i)
        if (h.dim == 2 || !(facet_power_v(i) || facet_power_v(k)))
          row[k] += t->dual[b][i] * own[facet_power_u(i) + facet_power_u(k)][facet_power_v(i) + facet_power_v(k)];
    }
    for (int32_t a = b; a < h.n; ++a) out[a * (a + 1) / 2 + b] = facet_sum(h.n_term, row, t->dual[a]);
  }
}

/* out [a][k] of N'_a N_k, N of the second facet */
HD void moments_mixed(const FacetTerms *t, const FacetTerms *to, const FacetShape h, const FacetShape other,
                      const Moments *s, double out[]) {
  double mixed[FACET_TERMS][FACET_TERMS];
  UNROLL
  for (int32_t i = 0; i < h.n_term; ++i) {
    UNROLL
    for (int32_t k = 0; k < other.n_term; ++k) mixed[i][k] = s->mixed[i][k];
  }
  for (int32_t a = 0; a < h.n; ++a) {
    double row[FACET_TERMS];
    for (int32_t k = 0; k < other.n_term; ++k) {
      row[k] = 0;
      for (int32_t i = 0; i < h.n_term; ++i) row[k] += t->dual[a][i] * mixed[i][k];
    }
    for (int32_t k = 0; k < other.n; ++k) out[a * other.n + k] = facet_sum(other.n_term, row, to->N[k]);
  }
}
