/* The human atrial cell of Courtemanche, Ramirez and Nattel (1998, Ionic mechanisms underlying human atrial action
 * potential properties: insights from a mathematical model, Am. J. Physiol. 275, H301-H321): 12 currents, calcium in
 * cytosol and two compartments of the reticulum, 20 states beside V.
 *   dV/dt = -(I_Na + I_K1 + I_to + I_Kur + I_Kr + I_Ks + I_CaL + I_NaK + I_NaCa + I_pCa + I_bNa + I_bCa), pA/pF
 * Constants have the digits of the authors' program, and the rate of ui the sign of their figure (the text has another).
 * A stimulus carries potassium, without which its concentration would never settle. */
#pragma once
#include "physics/ionic_float.h"
#include "physics/ionic_model.h"

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

#define REAL double
#define NAMED(name) name
#include "physics/courtemanche_gates.tmpl.h"
#define REAL float
#define NAMED(name) name##_float
#include "physics/courtemanche_gates.tmpl.h"

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
                                                   "human atrium; APD90 0.0 ms over 50 beats at 1 Hz",
                                                   {7.8, 0.09, 0.1652, 1, 0.029411765, 0.12941176, 0.12375, 0.59933874,
                                                    1600, 0.275, 0.0006744375, 0.001131, 30, 0.005, 140, 5.4, 1.8}}};
static const char courtemanche_meaning[] = "Courtemanche, Ramirez and Nattel 1998: human atrial cells, 12 currents";
#endif
