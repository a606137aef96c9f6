/* Row kernels of what is left of a strain without heat, for C and CUDA. */
#pragma once
#include "assembly/elasticity/recover_rows.h"

/* Elements of a block; strain and out as RecoverArgs.strain, out with the tensor's shear. */
typedef struct RecoverHeatArgs {
  PointArgs p;
  const int32_t *element; /* as in RecoverArgs */
  const double *strain;
  double *out;
} RecoverHeatArgs;

/* What the temperature makes of a point that is free: G - 1, and its strain where gradients are small. Voigt. An element without a
 * law of its own is not heated. */
HD void recover_swell(const PointArgs *s, const int64_t e, const int q, double out[6]) {
  const bool cold = !s->law_row || s->law_row[e] == LAW_NONE;
  const double *law = cold ? NULL : point_law(s, e, q), heat = cold ? 0 : point_heat(s, e, q);
  const bool linear = material_is_linear(s->e.constants[s->e.material[e]].kind);
  for (int c = 0; c < 6; ++c)
    out[c] = cold ? 0 : heat * (linear ? law[LAW_EXPANSION + c] : c < 3 ? property_at(law, LAW_SWELL, heat) : 0);
}

/* Small gradients: E - T. At finite strain F = F_e G with G = 1 + T: G^-1 (E - (G^2 - 1)/2) G^-1, as linear_swollen_point and
 * material_swollen have it. */
HD void recover_mechanical(const bool finite, const double strain[6], const double swell[6], double out[6]) {
  const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  double T[9], M[9], left[9];
  FiniteStrain g;
  for (int k = 0; k < 9; ++k) {
    const int I = linear_voigt(k / 3, k % 3);
    T[k] = (I < 3 ? 1 : 0.5) * swell[I];
    left[k] = (I < 3 ? 1 : 0.5) * strain[I] - T[k];
  }
  for (int c = 0; c < 6; ++c) out[c] = left[3 * row[c] + column[c]];
  if (!finite || finite_strain(T, &g)) return;
  for (int k = 0; k < 9; ++k) left[k] += T[k] - g.G[k] / 2;
  finite_product(g.b, left, M);
  finite_product(M, g.b, left);
  for (int c = 0; c < 6; ++c) out[c] = left[3 * row[c] + column[c]];
}

HD void recover_heat_body(const RecoverHeatArgs *s, int64_t e, double *sum) {
  const int64_t at = s->element ? s->element[e] : e;
  (void)sum;
  for (int q = 0; q < s->p.e.n_q; ++q) {
    const int64_t k = 6 * (at * s->p.e.n_q + q);
    double swell[6];
    recover_swell(&s->p, e, q, swell);
    recover_mechanical(s->p.finite, s->strain + k, swell, s->out + k);
  }
}
