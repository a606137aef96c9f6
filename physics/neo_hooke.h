/* Neo-Hookean solids at finite strain. Compressible as one, W = mu/2 (tr C - 3) - mu ln J + lambda/2 ln^2 J (Bonet and
 * Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, 2008, section 6.4.3), or with the change of volume
 * apart, W = mu/2 (J^-2/3 tr C - 3) + U(J). No answer where det F <= 0. */
#pragma once
#include "physics/isochoric.h"

enum {
  NEO_HOOKE_YOUNG, /* young and poisson, or shear and one of bulk, lambda */
  NEO_HOOKE_POISSON,
  NEO_HOOKE_SHEAR,
  NEO_HOOKE_BULK,
  NEO_HOOKE_LAMBDA,
  NEO_HOOKE_VOLUMETRIC,
  NEO_HOOKE_THICKNESS,
  NEO_HOOKE_DENSITY,
  NEO_HOOKE_EXPANSION,
  NEO_HOOKE_PARAMS
};

/* What was given: a modulus of 0 was not. */
HD void neo_hooke_moduli(const double *value, double *mu, double *lambda) {
  const double nu = value[NEO_HOOKE_POISSON];
  *mu = value[NEO_HOOKE_SHEAR] > 0 ? value[NEO_HOOKE_SHEAR] : value[NEO_HOOKE_YOUNG] / (2 * (1 + nu));
  *lambda = value[NEO_HOOKE_YOUNG] > 0  ? 2 * *mu * nu / (1 - 2 * nu)
            : value[NEO_HOOKE_BULK] > 0 ? value[NEO_HOOKE_BULK] - 2 * *mu / 3
                                        : value[NEO_HOOKE_LAMBDA];
}

HD void neo_hooke_coupled(const double mu, const double lambda, const FiniteStrain *s, PointOut *out) {
  double M[9];
  const double *b = s->b, slope = lambda * s->lnJ;
  out->energy = mu / 2 * s->shape + slope / 2 * s->lnJ;
  for (int k = 0; k < 9; ++k) M[k] = mu * s->G[k] + (k % 4 == 0 ? slope : 0);
  finite_product(b, M, out->P); /* b (2 mu E + lambda ln J) */
  for (int m = 0; out->A && m < 9; ++m)
    for (int n = 0; n < 9; ++n)
      out->A[9 * m + n] =
          (m == n ? mu : 0) + lambda * b[m] * b[n] + (mu - slope) * b[m / 3 * 3 + n % 3] * b[n / 3 * 3 + m % 3];
}

HD int neo_hooke_point(const double *law, const PointIn *in, PointOut *out) {
  FiniteStrain s;
  double mu, lambda;
  if (finite_strain(in->H, &s)) return 1;
  neo_hooke_moduli(law, &mu, &lambda);
  const int volumetric = (int)law[NEO_HOOKE_VOLUMETRIC];
  if (volumetric == VOLUMETRIC_COUPLED) {
    neo_hooke_coupled(mu, lambda, &s, out);
    return 0;
  }
  Isochoric w;
  isochoric_begin(&s, &w);
  w.w1 = mu / 2;
  w.W = mu / 2 * w.i1;
  const Volumetric v = volumetric_at(volumetric, lambda + 2 * mu / 3, s.j, s.lnJ);
  point_clear(out);
  isochoric_add(&s, &w, out);
  volumetric_add(&v, &s, out);
  return 0;
}

#define neo_hooke_states(STATE) /* none */
#ifdef MATERIAL_TABLES
static const Param neo_hooke_param[NEO_HOOKE_PARAMS] = {
    {"young", "stress", 0, false, 0, INFINITY, false, true, "Young's modulus at small strains, with poisson"},
    {"poisson", "1", -1, false, -1, 0.5, false, true, "Poisson's ratio at small strains, with young"},
    {"shear", "stress", 0, false, 0, INFINITY, false, true, "mu: shear modulus at small strains, with bulk or lambda"},
    {"bulk", "stress", 0, false, 0, INFINITY, false, true, "kappa: bulk modulus at small strains, with shear"},
    {"lambda", "stress", 0, false, 0, INFINITY, false, true, "Lame's first modulus at small strains, with shear"},
    {"volumetric", "coupled|" VOLUMETRIC_WORDS, 0, false, 0, N_VOLUMETRIC - 1, false, false,
     "coupled has mu/2 (tr C - 3) - mu ln J + lambda/2 ln^2 J; others are U(J), apart from the change of shape"},
    FINITE_THICKNESS,
    FINITE_DENSITY,
    POINT_EXPANSION,
};

static Status neo_hooke_check(const double *v) {
  const double young = v[NEO_HOOKE_YOUNG], nu = v[NEO_HOOKE_POISSON], shear = v[NEO_HOOKE_SHEAR];
  const int second = (v[NEO_HOOKE_BULK] > 0) + (v[NEO_HOOKE_LAMBDA] > 0);
  const bool engineer = young > 0 && nu > -1 && shear == 0 && second == 0;
  const bool lame = young == 0 && nu == -1 && shear > 0 && second == 1;
  CHECK(engineer || lame, ERR_INPUT,
        "neo-hooke takes two moduli, all > 0: young and poisson, or shear and bulk, or shear and lambda; here are "
        "young %g, poisson %g, shear %g, bulk %g, lambda %g (0, and poisson -1, stand for not given)",
        young, nu, shear, v[NEO_HOOKE_BULK], v[NEO_HOOKE_LAMBDA]);
  double mu, lambda;
  neo_hooke_moduli(v, &mu, &lambda);
  return finite_check_moduli(mu, lambda + 2 * mu / 3);
}
static const MaterialShape neo_hooke_shape = {NO_STATES, .symmetric = true, .finite = true};
static const char neo_hooke_meaning[] = "rubber at finite strain with two moduli; linear elastic at small strains";
#endif
