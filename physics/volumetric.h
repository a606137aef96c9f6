/* Energies of a change of volume, U(J) by name, for materials that keep it apart from the change of shape. All have the
 * bulk modulus kappa at J = 1; they differ in the third digit of a stress at kappa / mu = 10. */
#pragma once
#include "physics/finite_strain.h"

enum {
  VOLUMETRIC_COUPLED, /* none: the material's own */
  VOLUMETRIC_ST91,
  VOLUMETRIC_QUADRATIC,
  VOLUMETRIC_LOGARITHMIC,
  VOLUMETRIC_M94,
  VOLUMETRIC_JLNJ,
  N_VOLUMETRIC
};
#define VOLUMETRIC_WORDS "st91|quadratic|logarithmic|m94|jlnj"

typedef struct Volumetric {
  double U, slope, curve; /* U, U', U'' */
} Volumetric;

/* J - 1 and ln J as FiniteStrain has them. */
HD Volumetric volumetric_at(const int law, const double kappa, const double j, const double lnJ) {
  const double J = 1 + j;
  Volumetric v;
  switch (law) {
  case VOLUMETRIC_QUADRATIC: /* kappa/2 (J-1)^2 */ v.U = kappa / 2 * j * j, v.slope = kappa * j, v.curve = kappa; break;
  case VOLUMETRIC_LOGARITHMIC: /* kappa/2 ln^2 J */
    v.U = kappa / 2 * lnJ * lnJ, v.slope = kappa * lnJ / J, v.curve = kappa * (1 - lnJ) / (J * J);
    break;
  case VOLUMETRIC_M94: /* kappa (J - 1 - ln J) */
    v.U = kappa * finite_log_rest(j), v.slope = kappa * j / J, v.curve = kappa / (J * J);
    break;
  case VOLUMETRIC_JLNJ: /* kappa (J ln J - J + 1) */
    v.U = kappa * (j * lnJ - finite_log_rest(j)), v.slope = kappa * lnJ, v.curve = kappa / J;
    break;
  default: /* st91: kappa/4 (J^2 - 1 - 2 ln J) */
    v.U = kappa / 4 * (j * j + 2 * finite_log_rest(j)), v.slope = kappa / 2 * j * (2 + j) / J;
    v.curve = kappa / 2 * (1 + 1 / (J * J));
  }
  return v;
}

/* Adds P and A of U(J). */
HD void volumetric_add(const Volumetric *v, const FiniteStrain *s, PointOut *out) {
  const double p = s->J * v->slope, both = p + s->J * s->J * v->curve;
  out->energy += v->U;
  for (int m = 0; m < 9; ++m) out->P[m] += p * s->b[m];
  if (!out->A) return;
  for (int m = 0; m < 9; ++m)
    for (int n = 0; n < 9; ++n)
      out->A[9 * m + n] += both * s->b[m] * s->b[n] - p * s->b[m / 3 * 3 + n % 3] * s->b[n / 3 * 3 + m % 3];
}

/* The last parameters of a material with U(J). */
enum { TAIL_BULK, TAIL_POISSON, TAIL_VOLUMETRIC, TAIL_THICKNESS, TAIL_DENSITY, TAIL_EXPANSION, TAIL_PARAMS };

/* From bulk, or from poisson and the shear modulus at small strains; a bulk modulus of 0 was not given. */
HD double volumetric_bulk(const double *tail, const double mu) {
  const double nu = tail[TAIL_POISSON];
  return tail[TAIL_BULK] > 0 ? tail[TAIL_BULK] : 2 * mu * (1 + nu) / (3 * (1 - 2 * nu));
}

HD void volumetric_add_tail(const double *tail, const double mu, const FiniteStrain *s, PointOut *out) {
  const Volumetric v = volumetric_at((int)tail[TAIL_VOLUMETRIC], volumetric_bulk(tail, mu), s->j, s->lnJ);
  volumetric_add(&v, s, out);
}

#ifdef MATERIAL_TABLES
/* Rows that materials at finite strain have in common. */
#define FINITE_THICKNESS                                                                                               \
  { "thickness", "length", 1, false, 0, INFINITY, true, true, "thickness of a plane model, before it is loaded" }
#define FINITE_DENSITY                                                                                                 \
  { "density", "mass/volume", 0, false, 0, INFINITY, false, true, "mass density, needed by gravity" }

/* clang-format off */
#define VOLUMETRIC_TAIL                                                                                                \
  {"bulk", "stress", 0, false, 0, INFINITY, false, true, "kappa: bulk modulus at small strains; or give poisson"},     \
  {"poisson", "1", -1, false, -1, 0.5, false, true, "Poisson's ratio at small strains, in place of bulk"},              \
  {"volumetric", VOLUMETRIC_WORDS, VOLUMETRIC_ST91, false, VOLUMETRIC_ST91, N_VOLUMETRIC - 1, false, false,            \
   "U(J): kappa/4 (J^2-1-2 ln J), kappa/2 (J-1)^2, kappa/2 ln^2 J, kappa (J-1-ln J), kappa (J ln J-J+1)"},             \
  FINITE_THICKNESS,                                                                                                    \
  FINITE_DENSITY,                                                                                                      \
  POINT_EXPANSION
/* clang-format on */

/* Moduli at small strains. */
static inline Status finite_check_moduli(double mu, double kappa) {
  CHECK(mu > 0 && kappa > 0 && isfinite(mu) && isfinite(kappa), ERR_INPUT,
        "the material is unstable where it is not strained yet: its shear modulus is %g and its bulk modulus %g, must "
        "be > 0\n  remedy: change its parameters, 'sinew list materials' says what they are",
        mu, kappa);
  return OK;
}

static inline Status volumetric_check_tail(const char *name, double mu, const double *tail) {
  CHECK((tail[TAIL_BULK] > 0) != (tail[TAIL_POISSON] > -1), ERR_INPUT,
        "%s takes one of bulk and poisson; here are bulk %g and poisson %g (0 and -1 stand for not given)", name,
        tail[TAIL_BULK], tail[TAIL_POISSON]);
  return finite_check_moduli(mu, volumetric_bulk(tail, mu));
}
#endif
