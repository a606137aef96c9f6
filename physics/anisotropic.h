/* General linear elasticity under small strains: 21 moduli in the material's axes, stress_I = C_IJ strain_J in the order
 * xx yy zz xy yz xz with engineering shear strains (Lekhnitskii, Theory of Elasticity of an Anisotropic Body, section
 * 2). */
#pragma once
#include "physics/linear_law.h"

enum {
  ANISOTROPIC_MODULI,
  ANISOTROPIC_THICKNESS = LAW_MODULI,
  ANISOTROPIC_DENSITY,
  ANISOTROPIC_EXPANSION,
  ANISOTROPIC_PARAMS = ANISOTROPIC_EXPANSION + 3
};

HD void anisotropic_moduli(const double *value, double *C) {
  for (int k = 0; k < LAW_MODULI; ++k) C[k] = value[ANISOTROPIC_MODULI + k];
}

#ifdef MATERIAL_TABLES
/* By elimination (Cholesky): the pivot of each row must be positive. */
static Status anisotropic_check(const double *value) {
  double A[6][6];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) A[i][j] = value[ANISOTROPIC_MODULI + linear_index(i, j)];
  for (int k = 0; k < 6; ++k) {
    const double own = value[ANISOTROPIC_MODULI + linear_index(k, k)];
    CHECK(A[k][k] > 1e-14 * own, ERR_INPUT,
          "C%d%d is %g, must be > %g beside the moduli above it, or the stiffness would not be positive definite: the "
          "moduli are "
          "not positive definite\n  make C%d%d larger, or the moduli outside the diagonal smaller",
          k + 1, k + 1, own, own - A[k][k], k + 1, k + 1);
    for (int i = k + 1; i < 6; ++i)
      for (int j = k + 1; j < 6; ++j) A[i][j] -= A[i][k] * A[k][j] / A[k][k];
  }
  return OK;
}

#define ANISOTROPIC_DIAGONAL(meaning)                                                                                  \
  { "moduli", "stress", 0, true, 0, INFINITY, true, true, meaning }
#define ANISOTROPIC_MODULUS(meaning)                                                                                   \
  { "moduli", "stress", 0, true, -INFINITY, INFINITY, true, true, meaning }
static const Param anisotropic_param[ANISOTROPIC_PARAMS] = {
    ANISOTROPIC_DIAGONAL("C11: stress xx under strain xx"),
    ANISOTROPIC_MODULUS("C12: stress xx under strain yy"),
    ANISOTROPIC_MODULUS("C13: stress xx under strain zz"),
    ANISOTROPIC_MODULUS("C14: stress xx under strain xy"),
    ANISOTROPIC_MODULUS("C15: stress xx under strain yz"),
    ANISOTROPIC_MODULUS("C16: stress xx under strain xz"),
    ANISOTROPIC_DIAGONAL("C22: stress yy under strain yy"),
    ANISOTROPIC_MODULUS("C23: stress yy under strain zz"),
    ANISOTROPIC_MODULUS("C24: stress yy under strain xy"),
    ANISOTROPIC_MODULUS("C25: stress yy under strain yz"),
    ANISOTROPIC_MODULUS("C26: stress yy under strain xz"),
    ANISOTROPIC_DIAGONAL("C33: stress zz under strain zz"),
    ANISOTROPIC_MODULUS("C34: stress zz under strain xy"),
    ANISOTROPIC_MODULUS("C35: stress zz under strain yz"),
    ANISOTROPIC_MODULUS("C36: stress zz under strain xz"),
    ANISOTROPIC_DIAGONAL("C44: stress xy under strain xy"),
    ANISOTROPIC_MODULUS("C45: stress xy under strain yz"),
    ANISOTROPIC_MODULUS("C46: stress xy under strain xz"),
    ANISOTROPIC_DIAGONAL("C55: stress yz under strain yz"),
    ANISOTROPIC_MODULUS("C56: stress yz under strain xz"),
    ANISOTROPIC_DIAGONAL("C66: stress xz under strain xz"),
    {"thickness", "length", 1, false, 0, INFINITY, true, true, "thickness of a plane model"},
    {"density", "mass/volume", 0, false, 0, INFINITY, false, true, "mass density, needed by gravity"},
    LINEAR_EXPANSION("a1: thermal expansion along axis 1; one number stands for all three"),
    LINEAR_EXPANSION("a2: along axis 2"),
    LINEAR_EXPANSION("a3: along axis 3"),
};
static const MaterialShape anisotropic_shape = {NO_STATES, .linear = true, .symmetric = true, .axes = true};
static const char anisotropic_meaning[] = "linear elastic, 21 moduli: the upper triangle of C row by row";
#endif
