/* What all elastic materials share: the kinematic model, the constants that a material gives to the element kernels,
 * and the order of tensor components (Voigt: xx yy zz xy yz xz; shear strains are engineering strains, twice the
 * tensor's). */
#pragma once
#include "core/hd.h"
#include "physics/ionic_program.h"
#include "physics/tension_model.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Axisymmetric: x is the radius, y the axis, and component zz that of the hoop. */
typedef enum ElasticModel { MODEL_PLANE_STRESS, MODEL_PLANE_STRAIN, MODEL_SOLID, MODEL_AXISYMMETRIC } ElasticModel;

HD int elastic_model_dim(const ElasticModel model) { return model == MODEL_SOLID ? 3 : 2; }
HD int elastic_model_has_thickness(const ElasticModel model) {
  return model == MODEL_PLANE_STRESS || model == MODEL_PLANE_STRAIN;
}

/* What muscle adds to the stress of a material along its axis 1 (physics/active.h). */
typedef enum ActiveForm { ACTIVE_NONE, ACTIVE_STRETCH, ACTIVE_INVARIANT } ActiveForm;
typedef struct PointActive {
  int32_t form;                 /* ActiveForm */
  int32_t model;                /* kind of tension (physics/tension.h); -1: the tension itself is given */
  int32_t state;                /* of the model: its first state behind those of the material */
  int32_t n_state;              /* of the model */
  double value[TENSION_PARAMS]; /* its parameters; of one that was read from a file what its states begin with */
  IonicProgram program;         /* of one that was read from a file (physics/tension_program.h) */
} PointActive;

/* States of a muscle with a model of tension, behind those of the material and of the model, and results of those names: STATE("word",
 * "meaning", unit, initial). */
#define active_states(STATE)                                                                                           \
  STATE("fiber-stretch", "of the fibres of a muscle whose tension has a model", NONE, 1)                               \
  STATE("tension", "of a muscle whose tension has a model", STRESS, 0)                                                 \
  STATE("fiber-strain", "of Green and Lagrange, along the fibres of a muscle whose tension has a model", NONE, 0)
enum { ACTIVE_STATES = 3 };

/* Moduli as the model sees them: in plane stress `lambda` is the reduced one and `lambda_zz` is 0 (stress zz vanishes).
 */
typedef struct ElasticConstants {
  double lambda, mu; /* stress = lambda tr(strain) I + 2 mu strain, in the components that the model solves */
  double lambda_zz;  /* stress zz = lambda_zz tr(strain) + 2 mu strain zz */
  double thickness;  /* 1 in 3D and around an axis */
  double density;
  double
      local; /* mean dilatation: what part of the energy points see with their own change of volume (mean_element.h) */
  int32_t kind; /* which material: index into physics/materials.def */
  PointActive active;
} ElasticConstants;

/* Strain of a displacement gradient H[dim][dim], H_ij = du_i / dx_j; components that a plane model lacks are 0. */
HD void elastic_strain(const int dim, const double *H, double strain[6]) {
  strain[0] = H[0];
  strain[1] = H[dim + 1];
  strain[3] = H[1] + H[dim];
  if (dim == 3) {
    strain[2] = H[8];
    strain[4] = H[5] + H[7];
    strain[5] = H[2] + H[6];
  } else {
    strain[2] = 0;
    strain[4] = 0;
    strain[5] = 0;
  }
}

/* Work of a stress on a strain, sigma : epsilon, per volume. */
HD double elastic_work(const double stress[6], const double strain[6]) {
  return stress[0] * strain[0] + stress[1] * strain[1] + stress[2] * strain[2] + stress[3] * strain[3] +
         stress[4] * strain[4] + stress[5] * strain[5];
}

/* Force on a node with shape gradient g[dim]: f_i += factor sigma_ij g_j, that is B_a^T sigma dV with factor = dV. */
HD void elastic_node_force(const int dim, const double stress[6], const double *g, const double factor, double *f) {
  if (dim == 3) {
    f[0] += factor * (stress[0] * g[0] + stress[3] * g[1] + stress[5] * g[2]);
    f[1] += factor * (stress[3] * g[0] + stress[1] * g[1] + stress[4] * g[2]);
    f[2] += factor * (stress[5] * g[0] + stress[4] * g[1] + stress[2] * g[2]);
  } else {
    f[0] += factor * (stress[0] * g[0] + stress[3] * g[1]);
    f[1] += factor * (stress[3] * g[0] + stress[1] * g[1]);
  }
}

/* von Mises stress of all six components. */
HD double elastic_von_mises_squared(const double s[6]) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return 0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
}
/* The same to the first power, also of stresses whose squares vanish or overflow. */
HD double elastic_von_mises(const double s[6]) {
  const double square = elastic_von_mises_squared(s);
  if (square >= 1e-280 && square <= 1e280) return sqrt(square);
  double most = 0, t[6];
  for (int k = 0; k < 6; ++k) most = fmax(most, fabs(s[k]));
  if (!(most > 0)) return square; /* 0 or NaN */
  for (int k = 0; k < 6; ++k) t[k] = s[k] / most;
  return most * sqrt(elastic_von_mises_squared(t));
}

/* Eigenvalues of a stress, largest first, by Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5).
 * axis: the directions that belong to them, one behind the other; NULL: not asked for. */
HD void elastic_eigen(const double a[6], double value[3], double *axis) {
  double M[3][3] = {{a[0], a[3], a[5]}, {a[3], a[1], a[4]}, {a[5], a[4], a[2]}};
  for (int k = 0; axis && k < 9; ++k) axis[k] = k % 4 == 0;
  for (int sweep = 0; sweep < 20; ++sweep) {
    const double off = fabs(M[0][1]) + fabs(M[1][2]) + fabs(M[0][2]);
    const double on = fabs(M[0][0]) + fabs(M[1][1]) + fabs(M[2][2]);
    if (!(off > 1e-17 * on)) break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (M[p][q] == 0) continue;
        const double theta = (M[q][q] - M[p][p]) / (2 * M[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(1 + theta * theta)), c = 1 / sqrt(1 + t * t),
                     s = t * c;
        const int r = 3 - p - q;
        const double pq = M[p][q], rp = M[r][p], rq = M[r][q];
        M[p][p] -= t * pq;
        M[q][q] += t * pq;
        M[p][q] = M[q][p] = 0;
        M[r][p] = M[p][r] = c * rp - s * rq;
        M[r][q] = M[q][r] = s * rp + c * rq;
        for (int k = 0; axis && k < 3; ++k) {
          const double kp = axis[3 * p + k], kq = axis[3 * q + k];
          axis[3 * p + k] = c * kp - s * kq;
          axis[3 * q + k] = s * kp + c * kq;
        }
      }
  }
  for (int i = 0; i < 3; ++i) value[i] = M[i][i];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (value[j] < value[j + 1]) {
        const double v = value[j];
        value[j] = value[j + 1];
        value[j + 1] = v;
        for (int k = 0; axis && k < 3; ++k) {
          const double x = axis[3 * j + k];
          axis[3 * j + k] = axis[3 * j + 3 + k];
          axis[3 * j + 3 + k] = x;
        }
      }
}
HD void elastic_principal(const double a[6], double value[3]) { elastic_eigen(a, value, NULL); }
/* With the unit directions axis[3][3]. Their sign means nothing: the component largest in size is positive, the first
 * of equal ones. */
HD void elastic_principal_axes(const double a[6], double value[3], double *axis) {
  elastic_eigen(a, value, axis);
  for (int i = 0; i < 3; ++i) {
    double *d = axis + 3 * i;
    int most = 0;
    for (int k = 1; k < 3; ++k)
      if (fabs(d[k]) > fabs(d[most]) * (1 + 1e-9)) most = k;
    const double sign = d[most] < 0 ? -1 : 1;
    for (int k = 0; k < 3; ++k) d[k] = 0 + sign * d[k];
  }
}
