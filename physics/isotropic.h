/* Small-strain isotropic elasticity (Hooke's law), pure kernels for C and CUDA.
 * sigma = lambda tr(eps) I + 2 mu eps; plane stress uses the reduced lambda of sigma_zz = 0, E nu / (1 - nu^2)
 * (any text on elasticity, e.g. Timoshenko and Goodier, Theory of Elasticity, chapter 2). */
#pragma once
#include "physics/linear_law.h"

enum {
  ISOTROPIC_YOUNG,
  ISOTROPIC_POISSON,
  ISOTROPIC_THICKNESS,
  ISOTROPIC_DENSITY,
  ISOTROPIC_EXPANSION,
  ISOTROPIC_PARAMS = ISOTROPIC_EXPANSION + 3
};

/* value[ISOTROPIC_PARAMS] as in the parameter table below; `kind` is left to the caller. */
HD ElasticConstants isotropic_constants(const ElasticModel model, const double *value) {
  const double young = value[ISOTROPIC_YOUNG], nu = value[ISOTROPIC_POISSON];
  ElasticConstants c;
  c.kind = 0;
  c.mu = young / (2 * (1 + nu));
  c.lambda = model == MODEL_PLANE_STRESS ? young * nu / ((1 + nu) * (1 - nu)) : young * nu / ((1 + nu) * (1 - 2 * nu));
  c.lambda_zz = model == MODEL_PLANE_STRESS ? 0 : c.lambda;
  c.thickness = elastic_model_has_thickness(model) ? value[ISOTROPIC_THICKNESS] : 1;
  c.density = value[ISOTROPIC_DENSITY];
  return c;
}

/* Stress of a strain, both Voigt. In a plane model strain zz yz xz are 0. */
HD void isotropic_stress(const ElasticConstants *c, const double strain[6], double stress[6]) {
  const double trace = strain[0] + strain[1] + strain[2];
  stress[0] = c->lambda * trace + 2 * c->mu * strain[0];
  stress[1] = c->lambda * trace + 2 * c->mu * strain[1];
  stress[2] = c->lambda_zz * trace + 2 * c->mu * strain[2];
  stress[3] = c->mu * strain[3];
  stress[4] = c->mu * strain[4];
  stress[5] = c->mu * strain[5];
}

/* Strain energy density. */
HD double isotropic_energy(const ElasticConstants *c, const double strain[6]) {
  double stress[6];
  isotropic_stress(c, strain, stress);
  return 0.5 * elastic_work(stress, strain);
}

/* Stiffness block of a node pair, K_ab = int B_a^T C B_b dV = lambda G + mu (G^T + tr(G) I) with
 *   G  [dim][dim]  int grad N_a (x) grad N_b dV over a region of constant moduli (row: derivative of N_a)
 *   K  out [dim][dim], row: direction of the force at a, column: of the displacement at b. */
HD void isotropic_block(const int dim, const ElasticConstants *c, const double *G, double *K) {
  const double trace = dim == 3 ? G[0] + G[4] + G[8] : G[0] + G[3];
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      K[i * dim + j] = c->lambda * G[i * dim + j] + c->mu * (G[j * dim + i] + (i == j ? trace : 0));
}

/* The same as moduli: what models without a pair block of their own take. */
HD void isotropic_moduli(const double *value, double *C) {
  const ElasticConstants c = isotropic_constants(MODEL_SOLID, value);
  for (int k = 0; k < LAW_MODULI; ++k) C[k] = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) C[linear_index(i, j)] = c.lambda + (i == j ? 2 * c.mu : 0);
    C[linear_index(3 + i, 3 + i)] = c.mu;
  }
}

#ifdef MATERIAL_TABLES
static const Param isotropic_param[ISOTROPIC_PARAMS] = {
    {"young", "stress", 0, true, 0, INFINITY, true, true, "Young's modulus"},
    {"poisson", "1", 0, true, -1, 0.5, true, true, "Poisson's ratio"},
    {"thickness", "length", 1, false, 0, INFINITY, true, true, "thickness of a plane model"},
    {"density", "mass/volume", 0, false, 0, INFINITY, false, true, "mass density, needed by gravity"},
    LINEAR_EXPANSION("a1: thermal expansion along x; one number stands for all three"),
    LINEAR_EXPANSION("a2: along y"),
    LINEAR_EXPANSION("a3: along z"),
};
static Status isotropic_check(const double *value) {
  (void)value;
  return OK;
}
static const MaterialShape isotropic_shape = {NO_STATES, .linear = true, .symmetric = true};
static const char isotropic_meaning[] = "linear elastic, the same in all directions";
#endif
