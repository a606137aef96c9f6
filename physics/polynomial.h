/* Rubber whose energy of the change of shape is a polynomial of I1 - 3 and I2 - 3 (physics/isochoric.h), sum over i + j
 * from 1 to 3 of c_ij (I1 - 3)^i (I2 - 3)^j (Rivlin and Saunders 1951), and U(J) besides. Shear modulus 2 (c10 + c01). */
#pragma once
#include "physics/isochoric.h"

enum { POLYNOMIAL_TERMS = 9, POLYNOMIAL_TAIL = POLYNOMIAL_TERMS, POLYNOMIAL_PARAMS = POLYNOMIAL_TAIL + TAIL_PARAMS };

/* c10 c01 c20 c11 c02 c30 c21 c12 c03 */
HD void polynomial_energy(const double *c, Isochoric *w) {
  const double x = w->i1, y = w->i2;
  w->W = x * (c[0] + x * (c[2] + x * c[5])) + y * (c[1] + y * (c[4] + y * c[8])) + x * y * (c[3] + x * c[6] + y * c[7]);
  w->w1 = c[0] + x * (2 * c[2] + 3 * x * c[5]) + y * (c[3] + 2 * x * c[6] + y * c[7]);
  w->w2 = c[1] + y * (2 * c[4] + 3 * y * c[8]) + x * (c[3] + x * c[6] + 2 * y * c[7]);
  w->w11 = 2 * c[2] + 6 * x * c[5] + 2 * y * c[6];
  w->w22 = 2 * c[4] + 6 * y * c[8] + 2 * x * c[7];
  w->w12 = c[3] + 2 * x * c[6] + 2 * y * c[7];
}

HD int polynomial_answer(const double *c, const double *tail, const PointIn *in, PointOut *out) {
  FiniteStrain s;
  Isochoric w;
  if (finite_strain(in->H, &s)) return 1;
  isochoric_begin(&s, &w);
  polynomial_energy(c, &w);
  point_clear(out);
  isochoric_add(&s, &w, out);
  volumetric_add_tail(tail, 2 * (c[0] + c[1]), &s, out);
  return 0;
}

HD int polynomial_point(const double *law, const PointIn *in, PointOut *out) {
  return polynomial_answer(law, law + POLYNOMIAL_TAIL, in, out);
}

#define polynomial_states(STATE) /* none */
#ifdef MATERIAL_TABLES
#define POLYNOMIAL_TERM(name, required, meaning)                                                                       \
  { name, "stress", 0, required, -INFINITY, INFINITY, true, true, meaning }
static const Param polynomial_param[POLYNOMIAL_PARAMS] = {
    POLYNOMIAL_TERM("c10", true, "factor of I1 - 3"),
    POLYNOMIAL_TERM("c01", false, "factor of I2 - 3"),
    POLYNOMIAL_TERM("c20", false, "factor of (I1 - 3)^2"),
    POLYNOMIAL_TERM("c11", false, "factor of (I1 - 3) (I2 - 3)"),
    POLYNOMIAL_TERM("c02", false, "factor of (I2 - 3)^2"),
    POLYNOMIAL_TERM("c30", false, "factor of (I1 - 3)^3"),
    POLYNOMIAL_TERM("c21", false, "factor of (I1 - 3)^2 (I2 - 3)"),
    POLYNOMIAL_TERM("c12", false, "factor of (I1 - 3) (I2 - 3)^2"),
    POLYNOMIAL_TERM("c03", false, "factor of (I2 - 3)^3"),
    VOLUMETRIC_TAIL};
static Status polynomial_check(const double *v) {
  return volumetric_check_tail("polynomial", 2 * (v[0] + v[1]), v + POLYNOMIAL_TAIL);
}
static const MaterialShape polynomial_shape = {NO_STATES, .symmetric = true, .finite = true};
static const char polynomial_meaning[] = "rubber at finite strain, a polynomial of I1 - 3 and I2 - 3 up to degree 3";
#endif
