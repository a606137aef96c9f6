/* Orthotropic elasticity under small strains: nine constants in three axes at right angles. Compliance in those axes
 * (Lekhnitskii, Theory of Elasticity of an Anisotropic Body, section 3; Jones, Mechanics of Composite Materials,
 * section 2.4):
 *   eps_1 = sigma_1 / E1 - nu12 sigma_2 / E1 - nu13 sigma_3 / E1,   gamma_12 = sigma_12 / G12, ...
 * so nu_ij is the contraction along j under a pull along i, and nu_ij / E_i = nu_ji / E_j. */
#pragma once
#include "physics/linear_law.h"

enum {
  ORTHOTROPIC_YOUNG,
  ORTHOTROPIC_POISSON = 3, /* nu12 nu13 nu23 */
  ORTHOTROPIC_SHEAR = 6,   /* G12 G13 G23 */
  ORTHOTROPIC_THICKNESS = 9,
  ORTHOTROPIC_DENSITY,
  ORTHOTROPIC_EXPANSION,
  ORTHOTROPIC_PARAMS = ORTHOTROPIC_EXPANSION + 3
};

/* C[21] in the material's own axes: the inverse of the compliance. */
HD void orthotropic_moduli(const double *value, double *C) {
  const double *E = value + ORTHOTROPIC_YOUNG, *nu = value + ORTHOTROPIC_POISSON, *G = value + ORTHOTROPIC_SHEAR;
  const double n12 = nu[0], n13 = nu[1], n23 = nu[2];
  const double n21 = n12 * E[1] / E[0], n31 = n13 * E[2] / E[0], n32 = n23 * E[2] / E[1];
  const double det = 1 - n12 * n21 - n13 * n31 - n23 * n32 - 2 * n21 * n13 * n32;
  for (int k = 0; k < LAW_MODULI; ++k) C[k] = 0;
  C[linear_index(0, 0)] = E[0] * (1 - n23 * n32) / det;
  C[linear_index(1, 1)] = E[1] * (1 - n13 * n31) / det;
  C[linear_index(2, 2)] = E[2] * (1 - n12 * n21) / det;
  C[linear_index(0, 1)] = E[1] * (n12 + n13 * n32) / det;
  C[linear_index(0, 2)] = E[2] * (n13 + n12 * n23) / det;
  C[linear_index(1, 2)] = E[2] * (n23 + n21 * n13) / det;
  C[linear_index(3, 3)] = G[0];
  C[linear_index(4, 4)] = G[2];
  C[linear_index(5, 5)] = G[1];
}

#ifdef MATERIAL_TABLES
/* The constants of a stable material cannot be chosen one by one: the compliance must be positive definite. */
static Status orthotropic_check(const double *value) {
  static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  const double *E = value + ORTHOTROPIC_YOUNG, *nu = value + ORTHOTROPIC_POISSON;
  for (int k = 0; k < 3; ++k) {
    const int i = pair[k][0], j = pair[k][1];
    const double most = sqrt(E[i] / E[j]);
    CHECK(fabs(nu[k]) < most, ERR_INPUT,
          "nu%d%d is %g, must lie in (%g, %g): |nu%d%d| < sqrt(E%d / E%d), or the stiffness would not be positive "
          "definite\n"
          "  nu%d%d is the contraction along %d under a pull along %d; nu%d%d would be %g",
          i + 1, j + 1, nu[k], -most, most, i + 1, j + 1, i + 1, j + 1, i + 1, j + 1, j + 1, i + 1, j + 1, i + 1,
          nu[k] * E[j] / E[i]);
  }
  const double det = 1 - nu[0] * nu[0] * E[1] / E[0] - nu[1] * nu[1] * E[2] / E[0] - nu[2] * nu[2] * E[2] / E[1] -
                     2 * nu[0] * nu[1] * nu[2] * E[2] / E[0];
  CHECK(det > 0, ERR_INPUT,
        "nu12 = %g, nu13 = %g and nu23 = %g do not go together: 1 - nu12 nu21 - nu13 nu31 - nu23 nu32 - "
        "2 nu21 nu32 nu13 is %g, must be > 0, or the stiffness would not be positive definite\n  make one of them "
        "smaller",
        nu[0], nu[1], nu[2], det);
  return OK;
}

#define ORTHOTROPIC_STRESS(name, meaning)                                                                              \
  { name, "stress", 0, true, 0, INFINITY, true, true, meaning }
#define ORTHOTROPIC_RATIO(meaning)                                                                                     \
  { "poisson", "1", 0, true, -INFINITY, INFINITY, true, true, meaning }
static const Param orthotropic_param[ORTHOTROPIC_PARAMS] = {
    ORTHOTROPIC_STRESS("young", "E1: Young's modulus along axis 1"),
    ORTHOTROPIC_STRESS("young", "E2: along axis 2"),
    ORTHOTROPIC_STRESS("young", "E3: along axis 3"),
    ORTHOTROPIC_RATIO("nu12: contraction along axis 2 under a pull along axis 1"),
    ORTHOTROPIC_RATIO("nu13: along axis 3 under a pull along axis 1"),
    ORTHOTROPIC_RATIO("nu23: along axis 3 under a pull along axis 2"),
    ORTHOTROPIC_STRESS("shear", "G12: shear modulus in the plane of axes 1 and 2"),
    ORTHOTROPIC_STRESS("shear", "G13: in the plane of axes 1 and 3"),
    ORTHOTROPIC_STRESS("shear", "G23: in the plane of axes 2 and 3"),
    {"thickness", "length", 1, false, 0, INFINITY, true, true, "thickness of a plane model"},
    {"density", "mass/volume", 0, false, 0, INFINITY, false, true, "mass density, needed by gravity"},
    LINEAR_EXPANSION("a1: thermal expansion along axis 1; one number stands for all three"),
    LINEAR_EXPANSION("a2: along axis 2"),
    LINEAR_EXPANSION("a3: along axis 3"),
};
static const MaterialShape orthotropic_shape = {NO_STATES, .linear = true, .symmetric = true, .axes = true};
static const char orthotropic_meaning[] = "linear elastic, different along three axes at right angles";
#endif
