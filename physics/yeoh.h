/* Rubber of Yeoh at finite strain: c10 (I1 - 3) + c20 (I1 - 3)^2 + c30 (I1 - 3)^3 + U(J) (Yeoh, Rubber Chemistry and
 * Technology 66, 1993), physics/polynomial.h without I2. */
#pragma once
#include "physics/polynomial.h"

enum { YEOH_TAIL = 3, YEOH_PARAMS = YEOH_TAIL + TAIL_PARAMS };

HD int yeoh_point(const double *law, const PointIn *in, PointOut *out) {
  const double c[POLYNOMIAL_TERMS] = {law[0], 0, law[1], 0, 0, law[2], 0, 0, 0};
  return polynomial_answer(c, law + YEOH_TAIL, in, out);
}

#define yeoh_states(STATE) /* none */
#ifdef MATERIAL_TABLES
static const Param yeoh_param[YEOH_PARAMS] = {POLYNOMIAL_TERM("c10", true, "factor of I1 - 3"),
                                              POLYNOMIAL_TERM("c20", true, "factor of (I1 - 3)^2"),
                                              POLYNOMIAL_TERM("c30", true, "factor of (I1 - 3)^3"), VOLUMETRIC_TAIL};
static Status yeoh_check(const double *v) { return volumetric_check_tail("yeoh", 2 * v[0], v + YEOH_TAIL); }
static const MaterialShape yeoh_shape = {NO_STATES, .symmetric = true, .finite = true};
static const char yeoh_meaning[] = "rubber at finite strain that stiffens, a cubic of I1 - 3";
#endif
