/* The gates of the ten Tusscher-Panfilov cell, included by its header for REAL double and for REAL float: NAMED(x) is x or
 * x_float, and what is written with R() is of that type, so that no double is among floats. */
#define R(number) ((REAL)(number))

/* Release: k1 and k2 depend on the calcium of the reticulum. */
HD REAL NAMED(ten_tusscher_casq)(const REAL ca_sr) {
  return R(2.5) - R(1.5) * ca_sr * ca_sr * NAMED(ionic_inverse)(ca_sr * ca_sr + R(2.25));
}

/* Sigmoids of widths that are multiples share an exponential, so that there are 25 in place of 42. */
HD void NAMED(ten_tusscher_sodium_gates)(const double potential, REAL *rate, REAL *target) {
  const NAMED(IonicNear) V = NAMED(ionic_near)(potential);
  const REAL low = NAMED(ionic_is_below)(V, -40);
  const NAMED(IonicNear) cold = NAMED(ionic_below)(V, -40); /* no overflow where it is not used */
  const REAL e20 = NAMED(ionic_exp_of)(V, -1. / 20), e10 = e20 * e20, e5 = e10 * e10;
  const REAL h_a = R(0.057) * NAMED(ionic_exp_from)(cold, 80, -1. / 6.8),
             h_b = R(2.7) * NAMED(ionic_exp_of)(cold, 0.079) + R(3.1e5) * NAMED(ionic_exp_of)(cold, 0.3485);
  const REAL h_c = R(0.77 / 0.13) * NAMED(ionic_rise)(NAMED(ionic_exp_of)(V, -1 / 11.1), -10.66, 11.1);
  const REAL j_a = (R(-25428) * NAMED(ionic_exp_of)(cold, 0.2444) - R(6.948e-6) * NAMED(ionic_exp_of)(cold, -0.04391)) *
                   NAMED(ionic_number)(cold, 37.78) *
                   NAMED(ionic_fall)(NAMED(ionic_exp_of)(cold, -0.311), 79.23, 1 / 0.311);
  const REAL j_b = R(0.02424) * NAMED(ionic_exp_of)(cold, -0.01052) *
                   NAMED(ionic_rise)(NAMED(ionic_exp_of)(cold, -0.1378), -40.14, 1 / 0.1378);
  const REAL j_c = R(0.6) * NAMED(ionic_exp_of)(V, 0.057) * NAMED(ionic_rise)(e10, -32, 10);
  const REAL m = NAMED(ionic_rise)(NAMED(ionic_exp_of)(V, -1 / 9.03), -56.86, 9.03),
             h = NAMED(ionic_fall)(NAMED(ionic_exp_of)(V, -1 / 7.43), 71.55, 7.43);
  target[TEN_TUSSCHER_IS_M] = m * m;
  rate[TEN_TUSSCHER_IS_M] =
      (1 + R(ionic_exp_near(-12)) * e5) *
      NAMED(ionic_inverse)(R(0.1) * NAMED(ionic_fall)(e5, 35, 5) +
                           R(0.1) * NAMED(ionic_fall)(NAMED(ionic_exp_of)(V, -1. / 200), -50, 200));
  target[TEN_TUSSCHER_IS_H] = target[TEN_TUSSCHER_IS_J] = h * h;
  rate[TEN_TUSSCHER_IS_H] = low * (h_a + h_b) + (1 - low) * h_c;
  rate[TEN_TUSSCHER_IS_J] = low * (j_a + j_b) + (1 - low) * j_c;
}

HD void NAMED(ten_tusscher_potassium_gates)(const double potential, const REAL endo, REAL *rate, REAL *target) {
  const NAMED(IonicNear) V = NAMED(ionic_near)(potential);
  const REAL e20 = NAMED(ionic_exp_of)(V, -1. / 20), e10 = e20 * e20, e5 = e10 * e10;
  const REAL e14 = NAMED(ionic_exp_of)(V, -1. / 14), e15 = NAMED(ionic_exp_of)(V, -1. / 15),
             e6 = NAMED(ionic_exp_of)(V, -1. / 6), e11 = NAMED(ionic_exp_of)(V, -1 / 11.5);
  target[TEN_TUSSCHER_IS_XR1] = NAMED(ionic_rise)(e14 * e14, -26, 7);
  rate[TEN_TUSSCHER_IS_XR1] =
      (1 + R(ionic_exp_near(-4.5)) * e10) * (e11 + R(ionic_exp_near(30 / 11.5))) * NAMED(ionic_inverse)(R(2700) * e11);
  target[TEN_TUSSCHER_IS_XR2] = NAMED(ionic_fall)(NAMED(ionic_exp_of)(V, -1. / 24), 88, 24);
  rate[TEN_TUSSCHER_IS_XR2] =
      (1 + R(ionic_exp_near(-3)) * e20) * (e20 + R(ionic_exp_near(-3))) * NAMED(ionic_inverse)(R(3.36) * e20);
  target[TEN_TUSSCHER_IS_XS] = NAMED(ionic_rise)(e14, -5, 14);
  rate[TEN_TUSSCHER_IS_XS] = NAMED(ionic_inverse)(
      R(1400) * NAMED(ionic_root)(NAMED(ionic_rise)(e6, 5, 6)) * NAMED(ionic_fall)(e15, -35, 15) + R(80));
  target[TEN_TUSSCHER_IS_R] = NAMED(ionic_rise)(e6, 20, 6);
  rate[TEN_TUSSCHER_IS_R] = NAMED(ionic_inverse)(R(9.5) * NAMED(ionic_bell_of)(V, -40, 1800) + R(0.8));
  const REAL outer = R(85) * NAMED(ionic_bell_of)(V, -45, 320) + R(5) * NAMED(ionic_fall)(e5, -20, 5) + R(3);
  const REAL inner = R(1000) * NAMED(ionic_bell_of)(V, -67, 1000) + R(8);
  target[TEN_TUSSCHER_IS_S] = endo * NAMED(ionic_fall)(e5, 28, 5) + (1 - endo) * NAMED(ionic_fall)(e5, 20, 5);
  rate[TEN_TUSSCHER_IS_S] = NAMED(ionic_inverse)(endo * inner + (1 - endo) * outer);
}

/* tau_f: factor of the time constant of f. */
HD void NAMED(ten_tusscher_calcium_gates)(const double potential, const REAL tau_f, const double *s, REAL *rate,
                                          REAL *target) {
  const NAMED(IonicNear) V = NAMED(ionic_near)(potential);
  const REAL e20 = NAMED(ionic_exp_of)(V, -1. / 20), e10 = e20 * e20, e5 = e10 * e10;
  const REAL e14 = NAMED(ionic_exp_of)(V, -1. / 14), e15 = NAMED(ionic_exp_of)(V, -1. / 15), e7 = e14 * e14;
  const REAL ca_ss = R(s[TEN_TUSSCHER_IS_CASS]), q = NAMED(ionic_inverse)(1 + R(400) * ca_ss * ca_ss),
             up = NAMED(ionic_fall)(e10, 30, 10);
  target[TEN_TUSSCHER_IS_D] = NAMED(ionic_rise)(e15 * e15, -8, 7.5);
  rate[TEN_TUSSCHER_IS_D] =
      NAMED(ionic_inverse)((R(1.4) * NAMED(ionic_rise)(NAMED(ionic_exp_of)(V, -1. / 13), -35, 13) + R(0.25)) * R(1.4) *
                               NAMED(ionic_fall)(e5, 5, 5) +
                           NAMED(ionic_rise)(e20, 50, 20));
  target[TEN_TUSSCHER_IS_F] = NAMED(ionic_fall)(e7, 20, 7);
  rate[TEN_TUSSCHER_IS_F] =
      NAMED(ionic_inverse)(tau_f * (R(1102.5) * NAMED(ionic_bell_of)(V, -27, 225) +
                                    R(200) * NAMED(ionic_rise)(e10, 13, 10) + R(180) * up + R(20)));
  target[TEN_TUSSCHER_IS_F2] = R(0.67) * NAMED(ionic_fall)(e7, 35, 7) + R(0.33);
  rate[TEN_TUSSCHER_IS_F2] = NAMED(ionic_inverse)(R(562) * NAMED(ionic_bell_of)(V, -27, 240) +
                                                  R(31) * NAMED(ionic_rise)(e10, 25, 10) + R(80) * up);
  target[TEN_TUSSCHER_IS_FCASS] = R(0.6) * q + R(0.4);
  rate[TEN_TUSSCHER_IS_FCASS] = NAMED(ionic_inverse)(R(80) * q + R(2));
  const REAL closes = R(0.045) * NAMED(ten_tusscher_casq)(R(s[TEN_TUSSCHER_IS_CASR])) * ca_ss, opens = R(0.005);
  rate[TEN_TUSSCHER_IS_RPRIME] = closes + opens;
  target[TEN_TUSSCHER_IS_RPRIME] = opens * NAMED(ionic_inverse)(closes + opens);
}

HD void NAMED(ten_tusscher_gates)(const IonicConstants *c, const double V, const double *s, REAL *rate, REAL *target) {
  NAMED(ten_tusscher_sodium_gates)(V, rate, target);
  NAMED(ten_tusscher_potassium_gates)(V, c->value[TEN_TUSSCHER_LAYER] == 1 ? R(1) : R(0), rate, target);
  NAMED(ten_tusscher_calcium_gates)(V, R(c->value[TEN_TUSSCHER_TAU_F]), s, rate, target);
}
#undef R
#undef REAL
#undef NAMED
