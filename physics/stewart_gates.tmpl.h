/* The gates of Stewart's cell, included as physics/ten_tusscher_gates.tmpl.h is. */
#define R(number) ((REAL)(number))

HD void NAMED(stewart_gates)(const IonicConstants *c, const double potential, const double *s, REAL *rate,
                             REAL *target) {
  const NAMED(IonicNear) V = NAMED(ionic_from)(potential);
  REAL *gate_rate = rate + STEWART_IS_REST, *gate_target = target + STEWART_IS_REST;
  (void)c;
  NAMED(ten_tusscher_sodium_gates)(potential, gate_rate, gate_target);
  NAMED(ten_tusscher_potassium_gates)(potential, 0, gate_rate, gate_target);
  NAMED(ten_tusscher_calcium_gates)(potential, 1, s + STEWART_IS_REST, gate_rate, gate_target);
  gate_target[TEN_TUSSCHER_IS_R] = NAMED(ionic_sigmoid_of)(V, 20, 13);
  gate_rate[TEN_TUSSCHER_IS_R] = NAMED(ionic_inverse)(R(10.45) * NAMED(ionic_bell_from)(V, -40, 1800) + R(7.3));
  gate_target[TEN_TUSSCHER_IS_S] = NAMED(ionic_sigmoid_down)(V, 27, 13);
  gate_rate[TEN_TUSSCHER_IS_S] = NAMED(ionic_inverse)(R(85) * NAMED(ionic_bell_from)(V, -25, 320) +
                                                      R(5) * NAMED(ionic_sigmoid_down)(V, -40, 5) + R(42));
  target[STEWART_IS_Y] = NAMED(ionic_sigmoid_down)(V, 80.6, 6.8);
  rate[STEWART_IS_Y] =
      NAMED(ionic_over)(NAMED(ionic_exp_of_line)(V, -2.9, -0.04) + NAMED(ionic_exp_of_line)(V, 3.6, 0.11), 4000);
}
#undef R
#undef REAL
#undef NAMED
