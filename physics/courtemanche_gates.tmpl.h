/* The gates of Courtemanche's cell, included as physics/ten_tusscher_gates.tmpl.h is. The flux that triggers the release is
 * compared with hundreds of the widths of its sigmoids, and double. */
#define R(number) ((REAL)(number))

HD void NAMED(courtemanche_sodium_gates)(const NAMED(IonicNear) V, REAL *rate, REAL *target) {
  const REAL low = NAMED(ionic_is_below)(V, -40);
  const NAMED(IonicNear) cold = NAMED(ionic_below)(V, -40); /* no overflow where it is not used */
  const REAL m_a = R(3.2) * NAMED(ionic_flux_by)(V, 47.13, -0.1), m_b = R(0.08) * NAMED(ionic_exp_far)(V, -1. / 11);
  const REAL h_a = low * R(0.135) * NAMED(ionic_exp_line)(cold, 80, -1. / 6.8);
  const REAL h_b = low * (R(3.56) * NAMED(ionic_exp_far)(cold, 0.079) + R(3.1e5) * NAMED(ionic_exp_far)(cold, 0.35)) +
                   NAMED(ionic_over)(1 - low, 0.13) * NAMED(ionic_sigmoid_of)(V, -10.66, 11.1);
  const REAL j_a =
      low * (R(-127140) * NAMED(ionic_exp_far)(cold, 0.2444) - R(3.474e-5) * NAMED(ionic_exp_far)(cold, -0.04391)) *
      NAMED(ionic_number)(cold, 37.78) * NAMED(ionic_sigmoid_down)(cold, 79.23, 1 / 0.311);
  const REAL j_b =
      low * R(0.1212) * NAMED(ionic_exp_far)(cold, -0.01052) * NAMED(ionic_sigmoid_of)(cold, -40.14, 1 / 0.1378) +
      (1 - low) * R(0.3) * NAMED(ionic_exp_far)(V, -2.535e-7) * NAMED(ionic_sigmoid_of)(V, -32, 10);
  rate[COURTEMANCHE_IS_M] = m_a + m_b;
  target[COURTEMANCHE_IS_M] = NAMED(ionic_ratio)(m_a, m_a + m_b);
  rate[COURTEMANCHE_IS_H] = h_a + h_b;
  target[COURTEMANCHE_IS_H] = NAMED(ionic_ratio)(h_a, h_a + h_b);
  rate[COURTEMANCHE_IS_J] = j_a + j_b;
  target[COURTEMANCHE_IS_J] = NAMED(ionic_ratio)(j_a, j_a + j_b);
}

HD void NAMED(courtemanche_potassium_gates)(const NAMED(IonicNear) V, REAL *rate, REAL *target) {
  const REAL warm = 3; /* of the transient and the ultrarapid current, from room temperature to 37 degrees */
  const REAL opens =
      NAMED(ionic_ratio)(R(0.65), NAMED(ionic_exp_line)(V, 10, -1. / 8.5) + NAMED(ionic_exp_line)(V, -30, -1. / 59)) +
      NAMED(ionic_ratio)(R(0.65), R(2.5) + NAMED(ionic_exp_line)(V, 82, 1. / 17)); /* both */
  rate[COURTEMANCHE_IS_OA] = warm * opens;
  target[COURTEMANCHE_IS_OA] = NAMED(ionic_sigmoid_of)(V, -20.47, 17.54);
  rate[COURTEMANCHE_IS_OI] = warm * (NAMED(ionic_inverse)(R(18.53) + NAMED(ionic_exp_line)(V, 113.7, 1. / 10.95)) +
                                     NAMED(ionic_inverse)(R(35.56) + NAMED(ionic_exp_line)(V, 1.26, -1. / 7.44)));
  target[COURTEMANCHE_IS_OI] = NAMED(ionic_sigmoid_down)(V, 43.1, 5.3);
  rate[COURTEMANCHE_IS_UA] = warm * opens;
  target[COURTEMANCHE_IS_UA] = NAMED(ionic_sigmoid_of)(V, -30.3, 9.6);
  rate[COURTEMANCHE_IS_UI] = warm * (NAMED(ionic_inverse)(R(21) + NAMED(ionic_exp_line)(V, -185, -1. / 28)) +
                                     NAMED(ionic_exp_line)(V, -158, 1. / 16));
  target[COURTEMANCHE_IS_UI] = NAMED(ionic_sigmoid_down)(V, -99.45, 27.48);
  rate[COURTEMANCHE_IS_XR] = R(0.0003 * 5) * NAMED(ionic_flux_down)(V, 14.1, 5) +
                             R(7.3898e-5 * 5.1237) * NAMED(ionic_flux_up)(V, -3.3328, 5.1237);
  target[COURTEMANCHE_IS_XR] = NAMED(ionic_sigmoid_of)(V, -14.1, 6.5);
  rate[COURTEMANCHE_IS_XS] =
      2 * (R(4e-5 * 17) * NAMED(ionic_flux_down)(V, -19.9, 17) + R(3.5e-5 * 9) * NAMED(ionic_flux_up)(V, -19.9, 9));
  target[COURTEMANCHE_IS_XS] = NAMED(ionic_root)(NAMED(ionic_sigmoid_of)(V, 19.9, 12.7));
}

HD void NAMED(courtemanche_calcium_gates)(const IonicConstants *c, const double potential, const double *s, REAL *rate,
                                          REAL *target) {
  const NAMED(IonicNear) V = NAMED(ionic_from)(potential);
  double unused;
  /* the flux of calcium by which the release is triggered, 1e-15 umol/ms */
  const double trigger =
      1000 * COURTEMANCHE_RELEASE * courtemanche_release(c, s) -
      500 * COURTEMANCHE_CAPACITANCE / COURTEMANCHE_FARADAY *
          (0.5 * courtemanche_calcium_inward(c, potential, s) - 0.2 * courtemanche_exchange(c, potential, s, &unused));
  const double fired = ionic_sigmoid(trigger, 341.75, 1.367);
  rate[COURTEMANCHE_IS_D] =
      R(0.035 * 6.24) * NAMED(ionic_flux_down)(V, 10, 6.24) * (1 + NAMED(ionic_exp_down)(V, 10, 6.24));
  target[COURTEMANCHE_IS_D] = NAMED(ionic_sigmoid_of)(V, -10, 8);
  rate[COURTEMANCHE_IS_F] =
      NAMED(ionic_over)(R(0.0197) * NAMED(ionic_bell_from)(V, -10, 1 / (0.0337 * 0.0337)) + R(0.02), 9);
  target[COURTEMANCHE_IS_F] = NAMED(ionic_sigmoid_down)(V, 28, 6.9);
  rate[COURTEMANCHE_IS_FCA] = R(0.5);
  target[COURTEMANCHE_IS_FCA] = NAMED(ionic_inverse)(1 + NAMED(ionic_over)(R(s[COURTEMANCHE_IS_CAI]), 0.00035));
  rate[COURTEMANCHE_IS_U] = R(0.125);
  target[COURTEMANCHE_IS_U] = R(fired);
  rate[COURTEMANCHE_IS_V] = NAMED(ionic_inverse)(R(1.91) + R(2.09) * R(fired));
  target[COURTEMANCHE_IS_V] = R(ionic_sigmoid(-trigger, -68.35, 1.367));
  rate[COURTEMANCHE_IS_W] =
      R(5. / 6) * NAMED(ionic_flux_down)(V, -7.9, 5) * (1 + R(0.3) * NAMED(ionic_exp_down)(V, -7.9, 5));
  target[COURTEMANCHE_IS_W] = NAMED(ionic_sigmoid_down)(V, -40, 17);
}

HD void NAMED(courtemanche_gates)(const IonicConstants *c, const double potential, const double *s, REAL *rate,
                                  REAL *target) {
  const NAMED(IonicNear) V = NAMED(ionic_from)(potential);
  NAMED(courtemanche_sodium_gates)(V, rate, target);
  NAMED(courtemanche_potassium_gates)(V, rate, target);
  NAMED(courtemanche_calcium_gates)(c, potential, s, rate, target);
}
#undef R
#undef REAL
#undef NAMED
