/* Rubber of Mooney and Rivlin at finite strain: c10 (I1 - 3) + c01 (I2 - 3) + U(J), physics/polynomial.h with its first
 * two terms. */
#pragma once
#include "physics/polynomial.h"

enum { MOONEY_RIVLIN_TAIL = 2, MOONEY_RIVLIN_PARAMS = MOONEY_RIVLIN_TAIL + TAIL_PARAMS };

HD int mooney_rivlin_point(const double *law, const PointIn *in, PointOut *out) {
  const double c[POLYNOMIAL_TERMS] = {law[0], law[1], 0, 0, 0, 0, 0, 0, 0};
  return polynomial_answer(c, law + MOONEY_RIVLIN_TAIL, in, out);
}

#define mooney_rivlin_states(STATE) /* none */
#ifdef MATERIAL_TABLES
static const Param mooney_rivlin_param[MOONEY_RIVLIN_PARAMS] = {POLYNOMIAL_TERM("c10", true, "factor of I1 - 3"),
                                                                POLYNOMIAL_TERM("c01", true, "factor of I2 - 3"),
                                                                VOLUMETRIC_TAIL};
static Status mooney_rivlin_check(const double *v) {
  return volumetric_check_tail("mooney-rivlin", 2 * (v[0] + v[1]), v + MOONEY_RIVLIN_TAIL);
}
static const MaterialShape mooney_rivlin_shape = {NO_STATES, .symmetric = true, .finite = true};
static const char mooney_rivlin_meaning[] = "rubber at finite strain, c10 (I1 - 3) + c01 (I2 - 3)";
#endif
