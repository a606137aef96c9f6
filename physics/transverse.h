/* Transversely isotropic elasticity under small strains: five constants, the same in all directions across axis 1
 * (Lekhnitskii, Theory of Elasticity of an Anisotropic Body, section 4). It is the orthotropic law with E3 = E2,
 * nu13 = nu12, G13 = G12 and G23 = E2 / (2 (1 + nu23)). */
#pragma once
#include "physics/orthotropic.h"

enum {
  TRANSVERSE_YOUNG,
  TRANSVERSE_POISSON = 2, /* nu12 nu23 */
  TRANSVERSE_SHEAR = 4,
  TRANSVERSE_THICKNESS,
  TRANSVERSE_DENSITY,
  TRANSVERSE_EXPANSION,
  TRANSVERSE_PARAMS = TRANSVERSE_EXPANSION + 3
};

HD void transverse_moduli(const double *value, double *C) {
  const double *E = value + TRANSVERSE_YOUNG, *nu = value + TRANSVERSE_POISSON, G = value[TRANSVERSE_SHEAR];
  const double nine[9] = {E[0], E[1], E[1], nu[0], nu[0], nu[1], G, G, E[1] / (2 * (1 + nu[1]))};
  orthotropic_moduli(nine, C);
}

#ifdef MATERIAL_TABLES
static Status transverse_check(const double *value) {
  const double *E = value + TRANSVERSE_YOUNG, *nu = value + TRANSVERSE_POISSON;
  const double most = sqrt(E[0] * (1 - nu[1]) / (2 * E[1]));
  CHECK(fabs(nu[0]) < most, ERR_INPUT,
        "nu12 is %g, must lie in (%g, %g): nu12^2 < E1 (1 - nu23) / (2 E2), or the stiffness would not be positive "
        "definite\n"
        "  nu12 is the contraction across axis 1 under a pull along it; under a pull across it nu21 would be %g",
        nu[0], -most, most, nu[0] * E[1] / E[0]);
  return OK;
}

static const Param transverse_param[TRANSVERSE_PARAMS] = {
    ORTHOTROPIC_STRESS("young", "E1: Young's modulus along axis 1"),
    ORTHOTROPIC_STRESS("young", "E2: across axis 1"),
    ORTHOTROPIC_RATIO("nu12: contraction across axis 1 under a pull along it"),
    {"poisson", "1", 0, true, -1, 1, true, true, "nu23: between two directions across axis 1"},
    ORTHOTROPIC_STRESS("shear", "G12: shear modulus in planes with axis 1"),
    {"thickness", "length", 1, false, 0, INFINITY, true, true, "thickness of a plane model"},
    {"density", "mass/volume", 0, false, 0, INFINITY, false, true, "mass density, needed by gravity"},
    LINEAR_EXPANSION("a1: thermal expansion along axis 1; one number stands for all three"),
    LINEAR_EXPANSION("a2: along axis 2"),
    LINEAR_EXPANSION("a3: along axis 3"),
};
static const MaterialShape transverse_shape = {NO_STATES, .linear = true, .symmetric = true, .axes = true};
static const char transverse_meaning[] = "linear elastic, the same in all directions across axis 1";
#endif
