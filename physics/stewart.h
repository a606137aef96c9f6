/* The human Purkinje cell of Stewart, Aslanidi, Noble, Noble, Boyett and Zhang (2009, Mathematical models of the electrical
 * action potential of Purkinje fibre cells, Phil. Trans. R. Soc. A 367, 2225-2255): the ventricular cell of ten Tusscher
 * and Panfilov with a current that opens by itself below -80 mV, by which it beats without a stimulus, 19 states beside V.
 * Gates and the reticulum are those of that cell, whose states follow `y`. */
#pragma once
#include "physics/ten_tusscher.h"

#define stewart_states(STATE)                                                                                          \
  STATE("y", "activation of the current by hyperpolarisation, 0 to 1")                                                 \
  ten_tusscher_states(STATE)

enum {
  STEWART_NA,
  STEWART_K1,
  STEWART_TO,
  STEWART_SUS,
  STEWART_FK,
  STEWART_FNA,
  STEWART_KR,
  STEWART_KS,
  STEWART_CAL,
  STEWART_NAK,
  STEWART_NACA,
  STEWART_PCA,
  STEWART_PK,
  STEWART_BNA,
  STEWART_BCA,
  STEWART_NA_OUT,
  STEWART_K_OUT,
  STEWART_CA_OUT,
  STEWART_PARAMS
};
enum { STEWART_IS_Y, STEWART_IS_REST }; /* from there on as in ten_tusscher.h */

/* Faraday's constant, C/mmol; RT/F at 310 K, mV; membrane per charge of the cytosol and the subspace, Cm/(V F). */
#define STEWART_FARADAY 96.4853415
#define STEWART_THERMAL (8.314472 * 310 / STEWART_FARADAY)
#define STEWART_BY_VOLUME (185 / (16404 * STEWART_FARADAY))
#define STEWART_BY_SUBSPACE (185 / (54.68 * STEWART_FARADAY))

#define REAL double
#define NAMED(name) name
#include "physics/stewart_gates.tmpl.h"
#define REAL float
#define NAMED(name) name##_float
#include "physics/stewart_gates.tmpl.h"

/* Currents, pA/pF; `k`, `na` and `ca` are those that carry these alone. */
typedef struct StewartCurrents {
  double k, na, ca, nak, naca, cal;
  double slope; /* of all together, 1/ms */
} StewartCurrents;

HD void stewart_potassium(const IonicConstants *c, const double V, const double *s, StewartCurrents *out) {
  const double *p = c->value, *t = s + STEWART_IS_REST, RTF = STEWART_THERMAL, k_out = p[STEWART_K_OUT];
  const double k_i = t[TEN_TUSSCHER_IS_KI], u = V - RTF * ionic_log(k_out / k_i);
  const double u_ks = V - RTF * ionic_log((k_out + 0.03 * p[STEWART_NA_OUT]) / (k_i + 0.03 * t[TEN_TUSSCHER_IS_NAI]));
  const double open = ionic_sigmoid(-V, 75.44, 10), k1 = p[STEWART_K1] * open;
  const double sus = ionic_sigmoid(V, 5, 17), plateau = ionic_sigmoid(V, 25, 5.98);
  const double kr = p[STEWART_KR] * sqrt(k_out / 5.4) * t[TEN_TUSSCHER_IS_XR1] * t[TEN_TUSSCHER_IS_XR2];
  const double ks = p[STEWART_KS] * t[TEN_TUSSCHER_IS_XS] * t[TEN_TUSSCHER_IS_XS];
  const double g = p[STEWART_TO] * t[TEN_TUSSCHER_IS_R] * t[TEN_TUSSCHER_IS_S] + p[STEWART_SUS] * sus +
                   p[STEWART_FK] * s[STEWART_IS_Y] + kr + p[STEWART_PK] * plateau;
  out->k = k1 * (u - 8) + g * u + ks * u_ks;
  out->slope = k1 * (1 - (u - 8) * (1 - open) / 10) + g + ks +
               u * (p[STEWART_SUS] * sus * (1 - sus) / 17 + p[STEWART_PK] * plateau * (1 - plateau) / 5.98);
}

HD void stewart_sodium(const IonicConstants *c, const double V, const double *s, StewartCurrents *out) {
  const double *p = c->value, *t = s + STEWART_IS_REST, RTF = STEWART_THERMAL, w = V / RTF;
  const double na_i = t[TEN_TUSSCHER_IS_NAI], na_out = p[STEWART_NA_OUT], k_out = p[STEWART_K_OUT];
  const double ca_out = p[STEWART_CA_OUT], m = t[TEN_TUSSCHER_IS_M];
  const double g = p[STEWART_NA] * m * m * m * t[TEN_TUSSCHER_IS_H] * t[TEN_TUSSCHER_IS_J] +
                   p[STEWART_FNA] * s[STEWART_IS_Y] + p[STEWART_BNA];
  const double e = 0.1245 * ionic_exp(-0.1 * w), e_fast = 0.0353 * ionic_exp(-w), blocked = 1 + e + e_fast;
  const double out3 = na_out * na_out * na_out, in = ionic_exp(0.35 * w) * na_i * na_i * na_i * ca_out;
  const double back = ionic_exp(-0.65 * w), outward = 2.5 * back * out3 * t[TEN_TUSSCHER_IS_CAI], full = 1 + 0.1 * back;
  const double most = p[STEWART_NACA] / ((87.5 * 87.5 * 87.5 + out3) * (1.38 + ca_out));
  out->na = g * (V - RTF * ionic_log(na_out / na_i));
  out->nak = p[STEWART_NAK] * k_out / (k_out + 1) * na_i / (na_i + 40) / blocked;
  out->naca = most * (in - outward) / full;
  out->slope += g + out->nak * (0.1 * e + e_fast) / (RTF * blocked) +
                most * (0.35 * in + 0.65 * outward + 0.65 * (in - outward) * (full - 1) / full) / (RTF * full);
}

HD void stewart_calcium(const IonicConstants *c, const double V, const double *s, StewartCurrents *out) {
  const double *p = c->value, *t = s + STEWART_IS_REST, RTF = STEWART_THERMAL, ca_out = p[STEWART_CA_OUT];
  const double ca_i = t[TEN_TUSSCHER_IS_CAI], z = 2 * (V - 15) / RTF, e = 0.25 * t[TEN_TUSSCHER_IS_CASS] * ionic_exp(z);
  double by_z;
  const double flux = ionic_flux(z, &by_z);
  const double open = p[STEWART_CAL] * t[TEN_TUSSCHER_IS_D] * t[TEN_TUSSCHER_IS_F] * t[TEN_TUSSCHER_IS_F2] *
                      t[TEN_TUSSCHER_IS_FCASS] * 2 * STEWART_FARADAY;
  out->cal = open * flux * (e - ca_out);
  out->ca = p[STEWART_PCA] * ca_i / (ca_i + 0.0005) + p[STEWART_BCA] * (V - 0.5 * RTF * ionic_log(ca_out / ca_i));
  out->slope += open * (by_z * (e - ca_out) + flux * e) * 2 / RTF + p[STEWART_BCA];
}

HD double stewart_currents(const IonicConstants *c, const double V, const double stimulus, const double *s,
                           double *by_V, double *g, double *decay) {
  StewartCurrents I;
  stewart_potassium(c, V, s, &I);
  stewart_sodium(c, V, s, &I);
  stewart_calcium(c, V, s, &I);
  double *rest_g = g + STEWART_IS_REST, *rest_decay = decay + STEWART_IS_REST;
  const double by = STEWART_BY_VOLUME, carried = I.k - stimulus;
  ten_tusscher_reticulum(s + STEWART_IS_REST, 0.5 * by * (I.ca - 2 * I.naca), 0.5 * STEWART_BY_SUBSPACE * I.cal,
                         rest_g);
  rest_g[TEN_TUSSCHER_IS_NAI] = -by * (I.na + 3 * I.nak + 3 * I.naca);
  rest_g[TEN_TUSSCHER_IS_KI] = -by * (carried - 2 * I.nak);
  IONIC_UNROLL
  for (int j = TEN_TUSSCHER_IS_CAI; j <= TEN_TUSSCHER_IS_KI; ++j) rest_decay[j] = 0;
  *by_V = -I.slope;
  return -(I.k + I.na + I.ca + I.nak + I.naca + I.cal);
}

/* Where its potential is lowest, 100 s after the initial state that is published. */
HD double stewart_rest(const IonicConstants *c, double *s) {
  const double at[19] = {0.00722123283876, 0.012403116709,    0.350091301866,    0.0927197956736, 0.404575713027,
                         0.373760286638,   0.0413166557612,   0.000652668019462, 0.917921901154,  0.000121538673719,
                         0.598039559498,   0.849250348718,    0.984529687912,    0.847054794517,  0.000150031394089,
                         3.17303140167,    0.000564742566312, 8.80167768932,     136.755661134};
  (void)c;
  for (int j = 0; j < 19; ++j) s[j] = at[j];
  return -75.6137769475;
}

/* More than that of I_K1 and I_Kr, which fall where they rectify; all other currents rise with V. */
HD double stewart_max_slope(const IonicConstants *c) { return 0.2 * c->value[STEWART_K1]; }
/* That of a front, gates included, from its speed c over a diffusivity D: 2 c^2 / (3 D). */
HD double stewart_front_slope(const IonicConstants *c) {
  (void)c;
  return 2.5;
}

#ifdef IONIC_TABLES
static const Param stewart_param[STEWART_PARAMS] = {
    {"g-na", "nS/pF", 130.5744, false, 0, INFINITY, false, true, "fast sodium current"},
    {"g-k1", "nS/pF", 0.065, false, 0, INFINITY, false, true, "inward rectifier"},
    {"g-to", "nS/pF", 0.08184, false, 0, INFINITY, false, true, "transient outward current"},
    {"g-sus", "nS/pF", 0.0227, false, 0, INFINITY, false, true, "sustained potassium current"},
    {"g-fk", "nS/pF", 0.0234346, false, 0, INFINITY, false, true, "potassium current by hyperpolarisation"},
    {"g-fna", "nS/pF", 0.0145654, false, 0, INFINITY, false, true, "sodium current by hyperpolarisation"},
    {"g-kr", "nS/pF", 0.0918, false, 0, INFINITY, false, true, "rapid delayed rectifier"},
    {"g-ks", "nS/pF", 0.2352, false, 0, INFINITY, false, true, "slow delayed rectifier"},
    {"p-cal", "cm3/uF/s", 0.0398, false, 0, INFINITY, false, true, "L-type calcium current"},
    {"i-nak", "pA/pF", 2.724, false, 0, INFINITY, false, true, "sodium-potassium pump"},
    {"i-naca", "pA/pF", 1000, false, 0, INFINITY, false, true, "sodium-calcium exchanger"},
    {"i-pca", "pA/pF", 0.1238, false, 0, INFINITY, false, true, "calcium pump of the membrane"},
    {"g-pk", "nS/pF", 0.0146, false, 0, INFINITY, false, true, "plateau potassium current"},
    {"g-bna", "nS/pF", 0.00029, false, 0, INFINITY, false, true, "background sodium current"},
    {"g-bca", "nS/pF", 0.000592, false, 0, INFINITY, false, true, "background calcium current"},
    {"na-out", "mM", 140, false, 0, INFINITY, true, true, "sodium outside"},
    {"k-out", "mM", 5.4, false, 0, INFINITY, true, true, "potassium outside"},
    {"ca-out", "mM", 2, false, 0, INFINITY, true, true, "calcium outside"},
};
static const IonicPreset stewart_preset[] = {{"purkinje",
                                              "human Purkinje fibre; APD90 +10 ms over 50 beats at 1 Hz",
                                              {130.5744, 0.065, 0.08184, 0.0227, 0.0234346, 0.0145654, 0.0918, 0.2352,
                                               0.0398, 2.724, 1000, 0.1238, 0.0146, 0.00029, 0.000592, 140, 5.4, 2}}};
static const char stewart_meaning[] = "Stewart and others 2009: human Purkinje cells, which beat spontaneously";
#endif
