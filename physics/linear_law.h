/* Any linear elastic law under small strains: 21 moduli C_IJ in Voigt order (xx yy zz xy yz xz, engineering shear
 * strains), the upper triangle row by row. Rotation, the plane models and the pair blocks are the same for all of them,
 * so a linear material is no more than its moduli in its own axes. */
#pragma once
#include "physics/finite_strain.h"

/* Where the thermal expansion of a linear law lies, in the global frame: strain per degree, Voigt. */
enum { LAW_EXPANSION = LAW_MODULI };

/* A row of a linear material's table: expansion along one of its axes. */
#define LINEAR_EXPANSION(meaning)                                                                                      \
  { "expansion", "1/temperature", 0, false, -INFINITY, INFINITY, true, true, meaning }

/* Place of C_IJ, I and J from 0 to 5. */
HD int linear_index(const int I, const int J) {
  const int i = I < J ? I : J, j = I < J ? J : I;
  return i * 6 - i * (i - 1) / 2 + j - i;
}

/* Voigt number of the tensor component ij. */
HD int linear_voigt(const int i, const int j) { return i == j ? i : i + j == 1 ? 3 : i + j == 3 ? 4 : 5; }

HD void linear_stress(const double *C, const double strain[6], double stress[6]) {
  for (int I = 0; I < 6; ++I) {
    double s = 0;
    for (int J = 0; J < 6; ++J) s += C[linear_index(I, J)] * strain[J];
    stress[I] = s;
  }
}

/* K_ik = sum_jl C_ijkl G_jl of a node pair, G[dim][dim] = int grad N_a (x) grad N_b dV. */
HD void linear_block(const int dim, const double *C, const double *G, double *K) {
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k < dim; ++k) {
      double s = 0;
      for (int j = 0; j < dim; ++j)
        for (int l = 0; l < dim; ++l) s += C[linear_index(linear_voigt(i, j), linear_voigt(k, l))] * G[j * dim + l];
      K[i * dim + k] = s;
    }
}

/* Adds P = F S and A_ijkl = delta_ik S_jl + F_im D_mjnl F_kn of a second Piola-Kirchhoff stress S and its derivative D by the
 * Green-Lagrange strain, both Voigt (Bonet and Wood 2008, section 6.3). */
HD void linear_push(const double *F, const double S[6], const double *D, PointOut *out) {
  double full[9], P[9];
  for (int k = 0; k < 9; ++k) full[k] = S[linear_voigt(k / 3, k % 3)];
  finite_product(F, full, P);
  for (int k = 0; k < 9; ++k) out->P[k] += P[k];
  for (int m = 0; out->A && m < 9; ++m) { /* m = (a, j): sum_n D_ajnl F_kn, then over a */
    double half[9];
    const int I = linear_voigt(m / 3, m % 3);
    for (int n = 0; n < 9; ++n) {
      const double *row = F + 3 * (n / 3);
      half[n] = D[linear_index(I, linear_voigt(0, n % 3))] * row[0] +
                D[linear_index(I, linear_voigt(1, n % 3))] * row[1] +
                D[linear_index(I, linear_voigt(2, n % 3))] * row[2];
    }
    for (int i = 0; i < 3; ++i)
      for (int n = 0; n < 9; ++n)
        out->A[9 * (3 * i + m % 3) + n] += F[3 * i + m / 3] * half[n] + (m < 3 && n / 3 == i ? full[3 * m + n % 3] : 0);
  }
}

HD int linear_point(const double *C, const PointIn *in, PointOut *out) {
  double strain[6], stress[6];
  elastic_strain(3, in->H, strain);
  if (in->temperature != 0)
    for (int k = 0; k < 6; ++k) strain[k] -= C[LAW_EXPANSION + k] * in->temperature;
  for (int k = 0; k < 6; ++k) strain[k] += C[LAW_INITIAL + k];
  linear_stress(C, strain, stress);
  for (int k = 0; k < 9; ++k) out->P[k] = stress[linear_voigt(k / 3, k % 3)];
  out->energy = 0.5 * elastic_work(stress, strain);
  if (out->A)
    for (int m = 0; m < 9; ++m)
      for (int n = 0; n < 9; ++n)
        out->A[9 * m + n] = C[linear_index(linear_voigt(m / 3, m % 3), linear_voigt(n / 3, n % 3))];
  return 0;
}

/* Strains in the axes R (PointIn.axes) of those in the global frame: eps' = Q eps, both Voigt. */
HD void linear_frame(const double *R, double Q[6][6]) {
  const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J < 6; ++J) { /* eps'_pq = R_pi R_qj eps_ij; shear strains count twice in rows, half in columns */
      const int p = first[I], q = second[I], i = first[J], j = second[J];
      const double both = R[3 * p + i] * R[3 * q + j] + (i == j ? 0 : R[3 * p + j] * R[3 * q + i]);
      Q[I][J] = (p == q ? 1 : 2) * (i == j ? 1 : 0.5) * both;
    }
}

/* Moduli in the global frame from those in the axes of Q: the energy eps' C' eps' / 2 gives C = Q^T C' Q. */
HD void linear_turn(const double *own, const double Q[6][6], double *C) {
  double T[6][6];
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J < 6; ++J) {
      double s = 0;
      for (int K = 0; K < 6; ++K) s += own[linear_index(I, K)] * Q[K][J];
      T[I][J] = s;
    }
  for (int I = 0; I < 6; ++I)
    for (int J = I; J < 6; ++J) {
      double s = 0;
      for (int K = 0; K < 6; ++K) s += Q[K][I] * T[K][J];
      C[linear_index(I, J)] = s;
    }
}

HD void linear_rotate(const double *own, const double *R, double *C) {
  double Q[6][6];
  linear_frame(R, Q);
  linear_turn(own, Q, C);
}

/* linear_push of a stress and moduli in the axes of Q; adds to what `out` has. */
HD void linear_push_from(const double *F, const double Q[6][6], const double own[6], const double *moduli,
                         PointOut *out) {
  double S[6], D[LAW_MODULI];
  for (int I = 0; I < 6; ++I) {
    S[I] = 0;
    for (int K = 0; K < 6; ++K) S[I] += Q[K][I] * own[K];
  }
  if (out->A) linear_turn(moduli, Q, D);
  linear_push(F, S, D, out);
}

/* The same law between S and the Green-Lagrange strain, after Saint Venant and Kirchhoff. It has no answer to
 * compression: a bar's force has its largest value at a stretch of 0.577 and is 0 again at 0. Heated, F = F_e G with
 * G = 1 + temperature times expansion: E_e = G^-1 (E - (G^2 - 1)/2) G^-1, and the energy is det G that of E_e. What the body
 * begins with is added to E_e. */
HD int linear_swollen_point(const double *C, const PointIn *in, const FiniteStrain *s, const double strain[6],
                            PointOut *out) {
  double T[9], M[9], own[6], scaled[LAW_MODULI], Q[6][6];
  FiniteStrain g;
  for (int k = 0; k < 9; ++k) {
    const int I = linear_voigt(k / 3, k % 3);
    T[k] = (I < 3 ? 1 : 0.5) * C[LAW_EXPANSION + I] * in->temperature;
  }
  if (finite_strain(T, &g)) return 1;
  for (int k = 0; k < 9; ++k) M[k] = g.b[k]; /* G^-1, symmetric */
  linear_frame(M, Q);
  double left[6], elastic[6];
  for (int I = 0; I < 6; ++I) {
    const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    left[I] = strain[I] - (I < 3 ? 0.5 : 1) * g.G[3 * first[I] + second[I]];
  }
  for (int I = 0; I < 6; ++I) {
    elastic[I] = C[LAW_INITIAL + I];
    for (int J = 0; J < 6; ++J) elastic[I] += Q[I][J] * left[J];
  }
  linear_stress(C, elastic, own);
  point_clear(out);
  out->energy = 0.5 * g.J * elastic_work(own, elastic);
  for (int I = 0; I < 6; ++I) own[I] *= g.J;
  for (int k = 0; out->A && k < LAW_MODULI; ++k) scaled[k] = g.J * C[k];
  linear_push_from(s->F, Q, own, scaled, out);
  return 0;
}

HD int linear_finite_point(const double *C, const PointIn *in, PointOut *out) {
  FiniteStrain s;
  double strain[6], stress[6];
  if (finite_strain(in->H, &s)) return 1;
  const double half[9] = {s.G[0] / 2, s.G[1] / 2, s.G[2] / 2, s.G[3] / 2, s.G[4] / 2,
                          s.G[5] / 2, s.G[6] / 2, s.G[7] / 2, s.G[8] / 2};
  elastic_strain(3, half, strain);
  if (in->temperature != 0) return linear_swollen_point(C, in, &s, strain, out);
  for (int k = 0; k < 6; ++k) strain[k] += C[LAW_INITIAL + k];
  linear_stress(C, strain, stress);
  point_clear(out);
  out->energy = 0.5 * elastic_work(stress, strain);
  linear_push(s.F, stress, C, out);
  return 0;
}

/* Thermal expansion in the global frame, Voigt, of `own` along the axes R: sum_k own_k r_k (x) r_k. In plane stress what
 * leaves the plane meets no stress. */
HD void linear_expansion(const ElasticModel model, const double own[3], const double *R, double out[6]) {
  const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
  for (int I = 0; I < 6; ++I) {
    out[I] = 0;
    for (int k = 0; k < 3; ++k) out[I] += (I < 3 ? 1 : 2) * own[k] * R[3 * k + first[I]] * R[3 * k + second[I]];
    if (model == MODEL_PLANE_STRESS && I != 0 && I != 1 && I != 3) out[I] = 0;
  }
}

/* The moduli as a model sees them. Plane stress: strain zz, yz, xz are what makes those stresses vanish, so they are
 * eliminated, C_IJ - C_Im C_mJ / C_mm for one m after the other, and their rows become 0. */
HD void linear_reduce(const ElasticModel model, double *C) {
  const int gone[3] = {2, 4, 5};
  if (model != MODEL_PLANE_STRESS) return;
  for (int k = 0; k < 3; ++k) {
    const int m = gone[k];
    const double pivot = C[linear_index(m, m)];
    double row[6];
    for (int I = 0; I < 6; ++I) row[I] = C[linear_index(I, m)];
    for (int I = 0; I < 6; ++I)
      for (int J = I; J < 6; ++J)
        C[linear_index(I, J)] = I == m || J == m ? 0 : C[linear_index(I, J)] - row[I] * row[J] / pivot;
  }
}
