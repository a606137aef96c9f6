/* The human atrial cell of Courtemanche, Ramirez and Nattel (1998, Ionic mechanisms underlying human atrial action
 * potential properties: insights from a mathematical model, Am. J. Physiol. 275, H301-H321): 12 currents, calcium in
 * cytosol and two compartments of the reticulum, 20 states beside V.
 *   dV/dt = -(I_Na + I_K1 + I_to + I_Kur + I_Kr + I_Ks + I_CaL + I_NaK + I_NaCa + I_pCa + I_bNa + I_bCa), pA/pF
 * Constants have the digits of the authors' program, and the rate of ui the sign of their figure (the text has another).
 * A stimulus carries potassium, without which its concentration would never settle. */
#pragma once
#include "physics/ionic_model.h"
#include "physics/ionic_shapes.h"

#define courtemanche_states(STATE)                                                                                     \
  STATE("m", "activation of the sodium current, 0 to 1")                                                               \
  STATE("h", "its fast inactivation, 0 to 1")                                                                          \
  STATE("j", "its slow inactivation, 0 to 1")                                                                          \
  STATE("oa", "activation of the transient outward current, 0 to 1")                                                   \
  STATE("oi", "its inactivation, 0 to 1")                                                                              \
  STATE("ua", "activation of the ultrarapid delayed rectifier, 0 to 1")                                                \
  STATE("ui", "its inactivation, 0 to 1")                                                                              \
  STATE("xr", "activation of the rapid delayed rectifier, 0 to 1")                                                     \
  STATE("xs", "activation of the slow delayed rectifier, 0 to 1")                                                      \
  STATE("d", "activation of the L-type calcium current, 0 to 1")                                                       \
  STATE("f", "its inactivation by voltage, 0 to 1")                                                                    \
  STATE("fca", "its inactivation by calcium, 0 to 1")                                                                  \
  STATE("u", "activation of the release of calcium, 0 to 1")                                                           \
  STATE("v", "its inactivation by the flux of calcium, 0 to 1")                                                        \
  STATE("w", "its inactivation by voltage, 0 to 1")                                                                    \
  STATE("ca-i", "free calcium in the cytosol, mM")                                                                     \
  STATE("ca-up", "calcium in the uptake compartment of the reticulum, mM")                                             \
  STATE("ca-rel", "free calcium in its release compartment, mM")                                                       \
  STATE("na-i", "sodium in the cytosol, mM")                                                                           \
  STATE("k-i", "potassium in the cytosol, mM")

enum {
  COURTEMANCHE_NA,
  COURTEMANCHE_K1,
  COURTEMANCHE_TO,
  COURTEMANCHE_KUR,
  COURTEMANCHE_KR,
  COURTEMANCHE_KS,
  COURTEMANCHE_CAL,
  COURTEMANCHE_NAK,
  COURTEMANCHE_NACA,
  COURTEMANCHE_PCA,
  COURTEMANCHE_BNA,
  COURTEMANCHE_BCA,
  COURTEMANCHE_REL,
  COURTEMANCHE_UP,
  COURTEMANCHE_NA_OUT,
  COURTEMANCHE_K_OUT,
  COURTEMANCHE_CA_OUT,
  COURTEMANCHE_PARAMS
};
enum {
  COURTEMANCHE_IS_M,
  COURTEMANCHE_IS_H,
  COURTEMANCHE_IS_J,
  COURTEMANCHE_IS_OA,
  COURTEMANCHE_IS_OI,
  COURTEMANCHE_IS_UA,
  COURTEMANCHE_IS_UI,
  COURTEMANCHE_IS_XR,
  COURTEMANCHE_IS_XS,
  COURTEMANCHE_IS_D,
  COURTEMANCHE_IS_F,
  COURTEMANCHE_IS_FCA,
  COURTEMANCHE_IS_U,
  COURTEMANCHE_IS_V,
  COURTEMANCHE_IS_W,
  COURTEMANCHE_IS_CAI, /* gates end here */
  COURTEMANCHE_IS_CAUP,
  COURTEMANCHE_IS_CAREL,
  COURTEMANCHE_IS_NAI,
  COURTEMANCHE_IS_KI
};

/* Faraday's constant, C/mmol; RT/F at 310 K, mV; capacitance, pF; volumes, um3. */
#define COURTEMANCHE_FARADAY 96.4867
#define COURTEMANCHE_THERMAL (8.3143 * 310 / COURTEMANCHE_FARADAY)
#define COURTEMANCHE_CAPACITANCE 100.
#define COURTEMANCHE_CYTOSOL (0.68 * 20100)
#define COURTEMANCHE_UPTAKE (0.0552 * 20100)
#define COURTEMANCHE_RELEASE (0.0048 * 20100)

HD void courtemanche_sodium_gates(const double V, double *rate, double *target) {
  const double low = V < -40 ? 1 : 0, cold = V < -40 ? V : -40; /* no overflow where it is not used */
  const double m_a = 3.2 * ionic_flux_at(-0.1 * (V + 47.13)), m_b = 0.08 * ionic_exp(-V * (1. / 11));
  const double h_a = low * 0.135 * ionic_exp(-(cold + 80) * (1. / 6.8));
  const double h_b = low * (3.56 * ionic_exp(0.079 * cold) + 3.1e5 * ionic_exp(0.35 * cold)) +
                     (1 - low) / 0.13 * ionic_sigmoid(V, -10.66, 11.1);
  const double j_a = low * (-127140 * ionic_exp(0.2444 * cold) - 3.474e-5 * ionic_exp(-0.04391 * cold)) *
                     (cold + 37.78) * ionic_sigmoid(-cold, 79.23, 1 / 0.311);
  const double j_b = low * 0.1212 * ionic_exp(-0.01052 * cold) * ionic_sigmoid(cold, -40.14, 1 / 0.1378) +
                     (1 - low) * 0.3 * ionic_exp(-2.535e-7 * V) * ionic_sigmoid(V, -32, 10);
  rate[COURTEMANCHE_IS_M] = m_a + m_b;
  target[COURTEMANCHE_IS_M] = m_a / (m_a + m_b);
  rate[COURTEMANCHE_IS_H] = h_a + h_b;
  target[COURTEMANCHE_IS_H] = h_a / (h_a + h_b);
  rate[COURTEMANCHE_IS_J] = j_a + j_b;
  target[COURTEMANCHE_IS_J] = j_a / (j_a + j_b);
}

HD void courtemanche_potassium_gates(const double V, double *rate, double *target) {
  const double warm = 3; /* of the transient and the ultrarapid current, from room temperature to 37 degrees */
  const double opens = 0.65 / (ionic_exp(-(V + 10) * (1. / 8.5)) + ionic_exp(-(V - 30) * (1. / 59))) +
                       0.65 / (2.5 + ionic_exp((V + 82) * (1. / 17))); /* both */
  rate[COURTEMANCHE_IS_OA] = warm * opens;
  target[COURTEMANCHE_IS_OA] = ionic_sigmoid(V, -20.47, 17.54);
  rate[COURTEMANCHE_IS_OI] = warm * (ionic_inverse(18.53 + ionic_exp((V + 113.7) * (1. / 10.95))) +
                                     ionic_inverse(35.56 + ionic_exp(-(V + 1.26) * (1. / 7.44))));
  target[COURTEMANCHE_IS_OI] = ionic_sigmoid(-V, 43.1, 5.3);
  rate[COURTEMANCHE_IS_UA] = warm * opens;
  target[COURTEMANCHE_IS_UA] = ionic_sigmoid(V, -30.3, 9.6);
  rate[COURTEMANCHE_IS_UI] =
      warm * (ionic_inverse(21 + ionic_exp(-(V - 185) * (1. / 28))) + ionic_exp((V - 158) * (1. / 16)));
  target[COURTEMANCHE_IS_UI] = ionic_sigmoid(-V, -99.45, 27.48);
  rate[COURTEMANCHE_IS_XR] =
      0.0003 * 5 * ionic_flux_at(-(V + 14.1) / 5) + 7.3898e-5 * 5.1237 * ionic_flux_at((V - 3.3328) / 5.1237);
  target[COURTEMANCHE_IS_XR] = ionic_sigmoid(V, -14.1, 6.5);
  rate[COURTEMANCHE_IS_XS] =
      2 * (4e-5 * 17 * ionic_flux_at(-(V - 19.9) / 17) + 3.5e-5 * 9 * ionic_flux_at((V - 19.9) / 9));
  target[COURTEMANCHE_IS_XS] = sqrt(ionic_sigmoid(V, 19.9, 12.7));
}

/* Through the L-type channels, pA/pF; the exchanger, whose derivative by V is *by_V; and the release, mM/ms. */
HD double courtemanche_calcium_inward(const IonicConstants *c, const double V, const double *s) {
  return c->value[COURTEMANCHE_CAL] * s[COURTEMANCHE_IS_D] * s[COURTEMANCHE_IS_F] * s[COURTEMANCHE_IS_FCA] * (V - 65);
}
HD double courtemanche_exchange(const IonicConstants *c, const double V, const double *s, double *by_V) {
  const double *p = c->value, w = V / COURTEMANCHE_THERMAL, na_i = s[COURTEMANCHE_IS_NAI];
  const double na_out = p[COURTEMANCHE_NA_OUT], out3 = na_out * na_out * na_out, ca_out = p[COURTEMANCHE_CA_OUT];
  const double back = ionic_exp(-0.65 * w), in = ionic_exp(0.35 * w) * na_i * na_i * na_i * ca_out;
  const double outward = back * out3 * s[COURTEMANCHE_IS_CAI], full = 1 + 0.1 * back;
  const double most = p[COURTEMANCHE_NACA] / ((87.5 * 87.5 * 87.5 + out3) * (1.38 + ca_out));
  *by_V =
      most * (0.35 * in + 0.65 * outward + 0.65 * (in - outward) * (full - 1) / full) / (COURTEMANCHE_THERMAL * full);
  return most * (in - outward) / full;
}
HD double courtemanche_release(const IonicConstants *c, const double *s) {
  return c->value[COURTEMANCHE_REL] * s[COURTEMANCHE_IS_U] * s[COURTEMANCHE_IS_U] * s[COURTEMANCHE_IS_V] *
         s[COURTEMANCHE_IS_W] * (s[COURTEMANCHE_IS_CAREL] - s[COURTEMANCHE_IS_CAI]);
}

HD void courtemanche_calcium_gates(const IonicConstants *c, const double V, const double *s, double *rate,
                                   double *target) {
  const double z = (V + 10) / 6.24, y = (V - 7.9) / 5;
  double unused;
  /* the flux of calcium by which the release is triggered, 1e-15 umol/ms */
  const double trigger =
      1000 * COURTEMANCHE_RELEASE * courtemanche_release(c, s) -
      500 * COURTEMANCHE_CAPACITANCE / COURTEMANCHE_FARADAY *
          (0.5 * courtemanche_calcium_inward(c, V, s) - 0.2 * courtemanche_exchange(c, V, s, &unused));
  const double fired = ionic_sigmoid(trigger, 341.75, 1.367);
  rate[COURTEMANCHE_IS_D] = 0.035 * 6.24 * ionic_flux_at(-z) * (1 + ionic_exp(-z));
  target[COURTEMANCHE_IS_D] = ionic_sigmoid(V, -10, 8);
  rate[COURTEMANCHE_IS_F] = (0.0197 * ionic_bell(V, -10, 1 / (0.0337 * 0.0337)) + 0.02) / 9;
  target[COURTEMANCHE_IS_F] = ionic_sigmoid(-V, 28, 6.9);
  rate[COURTEMANCHE_IS_FCA] = 0.5;
  target[COURTEMANCHE_IS_FCA] = ionic_inverse(1 + s[COURTEMANCHE_IS_CAI] / 0.00035);
  rate[COURTEMANCHE_IS_U] = 0.125;
  target[COURTEMANCHE_IS_U] = fired;
  rate[COURTEMANCHE_IS_V] = ionic_inverse(1.91 + 2.09 * fired);
  target[COURTEMANCHE_IS_V] = ionic_sigmoid(-trigger, -68.35, 1.367);
  rate[COURTEMANCHE_IS_W] = 5. / 6 * ionic_flux_at(-y) * (1 + 0.3 * ionic_exp(-y));
  target[COURTEMANCHE_IS_W] = ionic_sigmoid(-V, -40, 17);
}

HD void courtemanche_gates(const IonicConstants *c, const double V, const double *s, double *rate, double *target) {
  courtemanche_sodium_gates(V, rate, target);
  courtemanche_potassium_gates(V, rate, target);
  courtemanche_calcium_gates(c, V, s, rate, target);
}

/* Of potassium through channels, pA/pF; *slope gets its derivative by V. */
HD double courtemanche_potassium(const IonicConstants *c, const double V, const double *s, double *slope) {
  const double *p = c->value;
  const double u = V - COURTEMANCHE_THERMAL * ionic_log(p[COURTEMANCHE_K_OUT] / s[COURTEMANCHE_IS_KI]);
  const double k1 = p[COURTEMANCHE_K1] * ionic_sigmoid(-V, 80, 1 / 0.07);
  const double k1_by_V = -k1 * 0.07 * ionic_sigmoid(V, -80, 1 / 0.07);
  const double to = p[COURTEMANCHE_TO] * s[COURTEMANCHE_IS_OA] * s[COURTEMANCHE_IS_OA] * s[COURTEMANCHE_IS_OA] *
                    s[COURTEMANCHE_IS_OI];
  const double open = ionic_sigmoid(V, 15, 13);
  const double ur = p[COURTEMANCHE_KUR] * s[COURTEMANCHE_IS_UA] * s[COURTEMANCHE_IS_UA] * s[COURTEMANCHE_IS_UA] *
                    s[COURTEMANCHE_IS_UI];
  const double kr = p[COURTEMANCHE_KR] * s[COURTEMANCHE_IS_XR] * ionic_sigmoid(-V, 15, 22.4);
  const double kr_by_V = -kr * ionic_sigmoid(V, -15, 22.4) / 22.4;
  const double ks = p[COURTEMANCHE_KS] * s[COURTEMANCHE_IS_XS] * s[COURTEMANCHE_IS_XS];
  const double g = k1 + to + ur * (0.005 + 0.05 * open) + kr + ks;
  *slope = g + u * (k1_by_V + kr_by_V + ur * 0.05 * open * (1 - open) / 13);
  return g * u;
}

HD double courtemanche_currents(const IonicConstants *c, const double V, const double stimulus, const double *s,
                                double *by_V, double *g, double *decay) {
  const double *p = c->value, RTF = COURTEMANCHE_THERMAL, w = V / RTF;
  const double na_i = s[COURTEMANCHE_IS_NAI], ca_i = s[COURTEMANCHE_IS_CAI], k_out = p[COURTEMANCHE_K_OUT];
  const double ca_up = s[COURTEMANCHE_IS_CAUP], ca_rel = s[COURTEMANCHE_IS_CAREL], m = s[COURTEMANCHE_IS_M];
  double slope, naca_by_V;
  const double potassium = courtemanche_potassium(c, V, s, &slope);
  const double na = p[COURTEMANCHE_NA] * m * m * m * s[COURTEMANCHE_IS_H] * s[COURTEMANCHE_IS_J];
  const double sodium = (na + p[COURTEMANCHE_BNA]) * (V - RTF * ionic_log(p[COURTEMANCHE_NA_OUT] / na_i));
  const double e = 0.1245 * ionic_exp(-0.1 * w),
               e_fast = 0.0365 * (ionic_exp_shared(p[COURTEMANCHE_NA_OUT] * (1. / 67.3)) - 1) / 7 * ionic_exp(-w);
  const double blocked = 1 + e + e_fast, part = 10 / na_i;
  const double nak = p[COURTEMANCHE_NAK] * k_out / (k_out + 1.5) / (1 + part * sqrt(part)) / blocked;
  const double naca = courtemanche_exchange(c, V, s, &naca_by_V), cal = courtemanche_calcium_inward(c, V, s);
  const double outward = p[COURTEMANCHE_PCA] * ca_i / (0.0005 + ca_i) +
                         p[COURTEMANCHE_BCA] * (V - 0.5 * RTF * ionic_log(p[COURTEMANCHE_CA_OUT] / ca_i));
  const double up = p[COURTEMANCHE_UP] / (1 + 0.00092 / ca_i), leak = p[COURTEMANCHE_UP] * ca_up / 15;
  const double transfer = (ca_up - ca_rel) / 180, release = courtemanche_release(c, s);
  const double by = COURTEMANCHE_CAPACITANCE / (COURTEMANCHE_CYTOSOL * COURTEMANCHE_FARADAY);
  g[COURTEMANCHE_IS_CAI] =
      (0.5 * by * (2 * naca - outward - cal) +
       (COURTEMANCHE_UPTAKE * (leak - up) + COURTEMANCHE_RELEASE * release) / COURTEMANCHE_CYTOSOL) /
      (1 / ionic_free(ca_i, 0.07, 0.0005) + 1 / ionic_free(ca_i, 0.05, 0.00238) - 1); /* troponin, calmodulin */
  g[COURTEMANCHE_IS_CAUP] = up - leak - transfer * (COURTEMANCHE_RELEASE / COURTEMANCHE_UPTAKE);
  g[COURTEMANCHE_IS_CAREL] = ionic_free(ca_rel, 10, 0.8) * (transfer - release);
  g[COURTEMANCHE_IS_NAI] = -by * (3 * nak + 3 * naca + sodium);
  g[COURTEMANCHE_IS_KI] = -by * (potassium - stimulus - 2 * nak);
  IONIC_UNROLL
  for (int j = COURTEMANCHE_IS_CAI; j <= COURTEMANCHE_IS_KI; ++j) decay[j] = 0;
  *by_V = -(slope + na + p[COURTEMANCHE_BNA] + nak * (0.1 * e + e_fast) / (RTF * blocked) + naca_by_V +
            p[COURTEMANCHE_CAL] * s[COURTEMANCHE_IS_D] * s[COURTEMANCHE_IS_F] * s[COURTEMANCHE_IS_FCA] +
            p[COURTEMANCHE_BCA]);
  return -(potassium + sodium + nak + naca + cal + outward);
}

/* The state before a beat after 100 beats at 1 Hz (stimuli of 92.36 pA/pF for 0.5 ms). Sodium and potassium go on
 * drifting. */
HD double courtemanche_rest(const IonicConstants *c, double *s) {
  const double at[20] = {0.00254367857685,
                         0.970615628258,
                         0.981352437452,
                         0.0290978524939,
                         0.999349050254,
                         0.00456551276604,
                         0.991546763804,
                         0.000616195101685,
                         0.0185025529817,
                         0.000123489433684,
                         0.956939705871,
                         0.742686155212,
                         0,
                         1,
                         0.999235953736,
                         0.000121192305493,
                         1.53945817225,
                         1.11499065914,
                         13.8166881962,
                         136.35535355};
  (void)c;
  for (int j = 0; j < 20; ++j) s[j] = at[j];
  return -81.9941978057;
}

/* More than that of I_K1 and I_Kr together, which fall where they rectify; all other currents rise with V. */
HD double courtemanche_max_slope(const IonicConstants *c) {
  return 0.2 * c->value[COURTEMANCHE_K1] + 0.6 * c->value[COURTEMANCHE_KR];
}
/* That of a front, gates included, from its speed c over a diffusivity D: 2 c^2 / (3 D). */
HD double courtemanche_front_slope(const IonicConstants *c) {
  (void)c;
  return 1.6;
}

#ifdef IONIC_TABLES
static const Param courtemanche_param[COURTEMANCHE_PARAMS] = {
    {"g-na", "nS/pF", 7.8, false, 0, INFINITY, false, true, "fast sodium current"},
    {"g-k1", "nS/pF", 0.09, false, 0, INFINITY, false, true, "inward rectifier"},
    {"g-to", "nS/pF", 0.1652, false, 0, INFINITY, false, true, "transient outward current"},
    {"g-kur", "1", 1, false, 0, INFINITY, false, true, "factor of the ultrarapid delayed rectifier"},
    {"g-kr", "nS/pF", 0.029411765, false, 0, INFINITY, false, true, "rapid delayed rectifier"},
    {"g-ks", "nS/pF", 0.12941176, false, 0, INFINITY, false, true, "slow delayed rectifier"},
    {"g-cal", "nS/pF", 0.12375, false, 0, INFINITY, false, true, "L-type calcium current"},
    {"i-nak", "pA/pF", 0.59933874, false, 0, INFINITY, false, true, "sodium-potassium pump"},
    {"i-naca", "pA/pF", 1600, false, 0, INFINITY, false, true, "sodium-calcium exchanger"},
    {"i-pca", "pA/pF", 0.275, false, 0, INFINITY, false, true, "calcium pump of the membrane"},
    {"g-bna", "nS/pF", 0.0006744375, false, 0, INFINITY, false, true, "background sodium current"},
    {"g-bca", "nS/pF", 0.001131, false, 0, INFINITY, false, true, "background calcium current"},
    {"k-rel", "1/ms", 30, false, 0, INFINITY, false, true, "release from the reticulum"},
    {"i-up", "mM/ms", 0.005, false, 0, INFINITY, false, true, "uptake into the reticulum"},
    {"na-out", "mM", 140, false, 0, INFINITY, true, true, "sodium outside"},
    {"k-out", "mM", 5.4, false, 0, INFINITY, true, true, "potassium outside"},
    {"ca-out", "mM", 1.8, false, 0, INFINITY, true, true, "calcium outside"},
};
static const IonicPreset courtemanche_preset[] = {{"atrium",
                                                   "human atrium",
                                                   {7.8, 0.09, 0.1652, 1, 0.029411765, 0.12941176, 0.12375, 0.59933874,
                                                    1600, 0.275, 0.0006744375, 0.001131, 30, 0.005, 140, 5.4, 1.8}}};
static const char courtemanche_meaning[] = "Courtemanche, Ramirez and Nattel 1998: human atrial cells, 12 currents";
#endif
