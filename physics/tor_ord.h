/* The human ventricular cell ToR-ORd of Tomek and others (2019, Development, calibration, and validation of a novel human
 * ventricular myocyte model in health, disease, and drug block, eLife 8, e48890), with chloride in motion (2020, bioRxiv
 * 2020.06.01.127043) and the authors' correction of the pump, whose protons are 1e-4 mM: 18 currents, made from O'Hara and
 * Rudy (2011), 44 states beside V. A stimulus carries potassium. */
#pragma once
#include "physics/ohara_parts.h"
#include "physics/ten_tusscher.h"

#define tor_ord_states(STATE)                                                                                          \
  STATE("m", "activation of the sodium current, 0 to 1")                                                               \
  STATE("h", "its fast inactivation, 0 to 1")                                                                          \
  STATE("j", "its slow inactivation, 0 to 1")                                                                          \
  STATE("hp", "h of channels changed by the kinase, 0 to 1")                                                           \
  STATE("jp", "j of these, 0 to 1")                                                                                    \
  STATE("ml", "activation of the late sodium current, 0 to 1")                                                         \
  STATE("hl", "its inactivation, 0 to 1")                                                                              \
  STATE("hlp", "that of channels changed by the kinase, 0 to 1")                                                       \
  STATE("a", "activation of the transient outward current, 0 to 1")                                                    \
  STATE("if", "its fast inactivation, 0 to 1")                                                                         \
  STATE("is", "its slow inactivation, 0 to 1")                                                                         \
  STATE("ap", "a of channels changed by the kinase, 0 to 1")                                                           \
  STATE("ifp", "if of these, 0 to 1")                                                                                  \
  STATE("isp", "is of these, 0 to 1")                                                                                  \
  STATE("d", "activation of the L-type calcium current, 0 to 1")                                                       \
  STATE("ff", "its fast inactivation by voltage, 0 to 1")                                                              \
  STATE("fs", "its slow inactivation by voltage, 0 to 1")                                                              \
  STATE("fcaf", "its fast inactivation by calcium, 0 to 1")                                                            \
  STATE("fcas", "its slow inactivation by calcium, 0 to 1")                                                            \
  STATE("jca", "recovery from these, 0 to 1")                                                                          \
  STATE("ffp", "ff of channels changed by the kinase, 0 to 1")                                                         \
  STATE("fcafp", "fcaf of these, 0 to 1")                                                                              \
  STATE("nca-i", "share of channels that calcium of the cytosol inactivates, 0 to 1")                                  \
  STATE("nca", "share that calcium of the subspace inactivates, 0 to 1")                                               \
  STATE("xs1", "slow activation of the slow delayed rectifier, 0 to 1")                                                \
  STATE("xs2", "its fast activation, 0 to 1")                                                                          \
  STATE("jrelnp", "release of calcium by channels as they are, mM/ms")                                                 \
  STATE("jrelp", "release by channels changed by the kinase, mM/ms")                                                   \
  STATE("kr-c3", "share of channels of the rapid delayed rectifier that are closed, farthest from open")               \
  STATE("kr-c2", "share that is closed, next to it")                                                                   \
  STATE("kr-c1", "share that is closed, next to open")                                                                 \
  STATE("kr-o", "share that is open")                                                                                  \
  STATE("kr-i", "share that is inactivated")                                                                           \
  STATE("camk", "share of the kinase that is trapped, 0 to 1")                                                         \
  STATE("na-i", "sodium in the cytosol, mM")                                                                           \
  STATE("na-ss", "sodium in the subspace, mM")                                                                         \
  STATE("k-i", "potassium in the cytosol, mM")                                                                         \
  STATE("k-ss", "potassium in the subspace, mM")                                                                       \
  STATE("ca-i", "free calcium in the cytosol, mM")                                                                     \
  STATE("ca-ss", "free calcium in the subspace, mM")                                                                   \
  STATE("ca-nsr", "calcium in the network reticulum, mM")                                                              \
  STATE("ca-jsr", "free calcium in the junctional reticulum, mM")                                                      \
  STATE("cl-i", "chloride in the cytosol, mM")                                                                         \
  STATE("cl-ss", "chloride in the subspace, mM")

enum {
  TOR_ORD_LAYER,
  TOR_ORD_NA,
  TOR_ORD_NAL,
  TOR_ORD_TO,
  TOR_ORD_CAL,
  TOR_ORD_KR,
  TOR_ORD_KS,
  TOR_ORD_K1,
  TOR_ORD_KATP,
  TOR_ORD_NACA,
  TOR_ORD_NAK,
  TOR_ORD_KB,
  TOR_ORD_BNA,
  TOR_ORD_BCA,
  TOR_ORD_PCA,
  TOR_ORD_CLCA,
  TOR_ORD_BCL,
  TOR_ORD_REL,
  TOR_ORD_UP,
  TOR_ORD_NA_OUT,
  TOR_ORD_K_OUT,
  TOR_ORD_CA_OUT,
  TOR_ORD_CL_OUT,
  TOR_ORD_PARAMS
};
enum {
  TOR_ORD_IS_M,
  TOR_ORD_IS_H,
  TOR_ORD_IS_J,
  TOR_ORD_IS_HP,
  TOR_ORD_IS_JP,
  TOR_ORD_IS_ML,
  TOR_ORD_IS_HL,
  TOR_ORD_IS_HLP,
  TOR_ORD_IS_A,
  TOR_ORD_IS_IF,
  TOR_ORD_IS_IS,
  TOR_ORD_IS_AP,
  TOR_ORD_IS_IFP,
  TOR_ORD_IS_ISP,
  TOR_ORD_IS_D,
  TOR_ORD_IS_FF,
  TOR_ORD_IS_FS,
  TOR_ORD_IS_FCAF,
  TOR_ORD_IS_FCAS,
  TOR_ORD_IS_JCA,
  TOR_ORD_IS_FFP,
  TOR_ORD_IS_FCAFP,
  TOR_ORD_IS_NCAI,
  TOR_ORD_IS_NCA,
  TOR_ORD_IS_XS1,
  TOR_ORD_IS_XS2,
  TOR_ORD_IS_JRELNP,
  TOR_ORD_IS_JRELP,
  TOR_ORD_IS_KRC3 /* gates end before it */,
  TOR_ORD_IS_KRC2,
  TOR_ORD_IS_KRC1,
  TOR_ORD_IS_KRO,
  TOR_ORD_IS_KRI,
  TOR_ORD_IS_CAMK,
  TOR_ORD_IS_NAI,
  TOR_ORD_IS_NASS,
  TOR_ORD_IS_KI,
  TOR_ORD_IS_KSS,
  TOR_ORD_IS_CAI,
  TOR_ORD_IS_CASS,
  TOR_ORD_IS_CANSR,
  TOR_ORD_IS_CAJSR,
  TOR_ORD_IS_CLI,
  TOR_ORD_IS_CLSS
};

HD void tor_ord_sodium_gates(const double V, double *rate, double *target) {
  ten_tusscher_sodium_gates(V, rate, target); /* m, h and j, but for the rate of m */
  const double h = ionic_sigmoid(-V, 77.55, 7.43);
  rate[TOR_ORD_IS_M] = rate[TOR_ORD_IS_ML] =
      ionic_inverse(0.1292 * ionic_bell(V, -45.79, 15.54 * 15.54) + 0.06487 * ionic_bell(V, 4.823, 51.12 * 51.12));
  rate[TOR_ORD_IS_HP] = rate[TOR_ORD_IS_H];
  target[TOR_ORD_IS_HP] = h * h;
  rate[TOR_ORD_IS_JP] = rate[TOR_ORD_IS_J] / 1.46;
  target[TOR_ORD_IS_JP] = target[TOR_ORD_IS_J];
  target[TOR_ORD_IS_ML] = ionic_sigmoid(V, -42.85, 5.264);
  ohara_late_gates(V, rate + TOR_ORD_IS_HL, target + TOR_ORD_IS_HL);
}

/* Activities over concentrations of ions of charge 1 and 2, by the ionic strength (Davies' equation). shared: all cells
 * have these. */
typedef struct TorOrdActivity {
  double one, two;
} TorOrdActivity;
HD TorOrdActivity tor_ord_activity(const double na, const double k, const double cl, const double ca,
                                   const int shared) {
  const double I = 0.0005 * (na + k + cl + 4 * ca), root = sqrt(I), T = 74. * 310;
  const double power = -1820000 / (T * sqrt(T)) * (root / (1 + root) - 0.3 * I);
  TorOrdActivity out;
  out.one = shared ? ionic_exp_shared(power) : ionic_exp(power);
  out.two = out.one * out.one * out.one * out.one;
  return out;
}

/* Through the L-type channels of the cytosol or the subspace, pA/pF: calcium, sodium and potassium, and the derivative of
 * the three by V. */
typedef struct TorOrdInward {
  double ca, na, k, by_V;
} TorOrdInward;
HD TorOrdInward tor_ord_inward(const IonicConstants *c, const double V, const double *s, const int subspace) {
  TorOrdInward out;
  double open_by, ca_by, na_by, k_by;
  const double *p = c->value, changed = ohara_kinase(s[TOR_ORD_IS_CAMK], s[TOR_ORD_IS_CASS]);
  const double na_in = s[subspace ? TOR_ORD_IS_NASS : TOR_ORD_IS_NAI],
               k_in = s[subspace ? TOR_ORD_IS_KSS : TOR_ORD_IS_KI];
  const double ca_in = s[subspace ? TOR_ORD_IS_CASS : TOR_ORD_IS_CAI],
               cl_in = s[subspace ? TOR_ORD_IS_CLSS : TOR_ORD_IS_CLI];
  const TorOrdActivity in = tor_ord_activity(na_in, k_in, cl_in, ca_in, 0);
  const TorOrdActivity outside =
      tor_ord_activity(p[TOR_ORD_NA_OUT], p[TOR_ORD_K_OUT], p[TOR_ORD_CL_OUT], p[TOR_ORD_CA_OUT], 1);
  const double P = p[TOR_ORD_CAL] * s[TOR_ORD_IS_D] * (subspace ? 0.8 : 0.2);
  const double calcium = s[subspace ? TOR_ORD_IS_NCA : TOR_ORD_IS_NCAI];
  const double open = P * ohara_calcium_open(V, changed, calcium, s + TOR_ORD_IS_FF, &open_by);
  const double ca = ohara_pore(V, 2, in.two * ca_in, outside.two * p[TOR_ORD_CA_OUT], &ca_by);
  const double na = 0.00125 * ohara_pore(V, 1, in.one * na_in, outside.one * p[TOR_ORD_NA_OUT], &na_by);
  const double k = 3.574e-4 * ohara_pore(V, 1, in.one * k_in, outside.one * p[TOR_ORD_K_OUT], &k_by);
  out.ca = open * ca, out.na = open * na, out.k = open * k;
  out.by_V = P * open_by * (ca + na + k) + open * (ca_by + 0.00125 * na_by + 3.574e-4 * k_by);
  return out;
}

HD void tor_ord_calcium_gates(const IonicConstants *c, const double V, const double *s, double *rate, double *target) {
  const double inward = tor_ord_inward(c, V, s, 1).ca, jsr = s[TOR_ORD_IS_CAJSR], jca = s[TOR_ORD_IS_JCA];
  ohara_inactivation(V, rate + TOR_ORD_IS_FF, target + TOR_ORD_IS_FF);
  rate[TOR_ORD_IS_D] = ionic_inverse(0.6 + ionic_inverse(ionic_exp(-0.05 * (V + 6)) + ionic_exp(0.09 * (V + 14))));
  /* The published gate is 1 from 31.4978 mV on, where this is 0.99957; here from where it comes to 1, 31.569 mV. */
  const double open = 1.0763 * ionic_exp(-1.007 * ionic_exp(-0.0829 * V));
  target[TOR_ORD_IS_D] = open < 1 ? open : 1;
  rate[TOR_ORD_IS_JCA] = 1 / 72.5;
  target[TOR_ORD_IS_JCA] = ionic_sigmoid(-V, 18.08, 2.7916);
  rate[TOR_ORD_IS_NCAI] = rate[TOR_ORD_IS_NCA] = jca;
  target[TOR_ORD_IS_NCAI] = ohara_calcium_mode(s[TOR_ORD_IS_CAI], 500, jca);
  target[TOR_ORD_IS_NCA] = ohara_calcium_mode(s[TOR_ORD_IS_CASS], 500, jca);
  rate[TOR_ORD_IS_JRELNP] = ohara_release_rate(4.75, jsr);
  rate[TOR_ORD_IS_JRELP] = ohara_release_rate(1.25 * 4.75, jsr);
  target[TOR_ORD_IS_JRELNP] = c->value[TOR_ORD_REL] * ohara_release_target(4.75, inward, 1.7, jsr);
  target[TOR_ORD_IS_JRELP] = 1.25 * target[TOR_ORD_IS_JRELNP];
}

HD void tor_ord_gates(const IonicConstants *c, const double V, const double *s, double *rate, double *target) {
  tor_ord_sodium_gates(V, rate, target);
  ohara_transient_gates(V, c->value[TOR_ORD_LAYER] == 0 ? 1 : 0, rate + TOR_ORD_IS_A, target + TOR_ORD_IS_A);
  ohara_slow_gates(V, rate + TOR_ORD_IS_XS1, target + TOR_ORD_IS_XS1);
  tor_ord_calcium_gates(c, V, s, rate, target);
}

/* The rapid delayed rectifier: three closed states, one open, one inactivated. Steps of each by its own decay do not keep their sum,
 * by 1e-4 a beat, so the first is drawn to what the others leave of 1: nothing where they are 1. */
#define TOR_ORD_REST_OF_ONE 1. /* 1/ms */
HD void tor_ord_rapid(const double V, const double *s, double *g, double *decay) {
  const double x = V / OHARA_THERMAL, a = 0.1161 * ionic_exp(0.299 * x), b = 0.2442 * ionic_exp(-1.604 * x),
               a1 = 0.154375;
  const double b1 = 0.1911, a2 = 0.0578 * ionic_exp(0.971 * x), b2 = 0.000349 * ionic_exp(-1.062 * x);
  const double ai = 0.2533 * ionic_exp(0.5953 * x), bi = 0.06525 * ionic_exp(-0.8209 * x),
               to_i = 5.2e-5 * ionic_exp(1.525 * x);
  const double from_i = b2 * bi * to_i / (a2 * ai);
  const double c3 = s[TOR_ORD_IS_KRC3], c2 = s[TOR_ORD_IS_KRC2], c1 = s[TOR_ORD_IS_KRC1], o = s[TOR_ORD_IS_KRO];
  const double i = s[TOR_ORD_IS_KRI];
  decay[TOR_ORD_IS_KRC3] = a + TOR_ORD_REST_OF_ONE;
  decay[TOR_ORD_IS_KRC2] = b + a1;
  decay[TOR_ORD_IS_KRC1] = b1 + a2 + to_i;
  decay[TOR_ORD_IS_KRO] = b2 + ai;
  decay[TOR_ORD_IS_KRI] = from_i + bi;
  g[TOR_ORD_IS_KRC3] = b * c2 - a * c3 + TOR_ORD_REST_OF_ONE * (1 - (c3 + c2 + c1 + o + i));
  g[TOR_ORD_IS_KRC2] = a * c3 + b1 * c1 - (b + a1) * c2;
  g[TOR_ORD_IS_KRC1] = a1 * c2 + b2 * o + from_i * i - (b1 + a2 + to_i) * c1;
  g[TOR_ORD_IS_KRO] = a2 * c1 + bi * i - (b2 + ai) * o;
  g[TOR_ORD_IS_KRI] = to_i * c1 + ai * o - (from_i + bi) * i;
}

/* Of potassium without the L-type channels and the pump, and of sodium without channels, exchanger and pump, pA/pF; their
 * derivatives by V are added to *slope. */
HD double tor_ord_potassium(const IonicConstants *c, const double V, const double changed, const double *s,
                            double *slope) {
  const double *p = c->value, k_out = p[TOR_ORD_K_OUT], k_i = s[TOR_ORD_IS_KI], root = sqrt(k_out / 5);
  const double u = V - OHARA_THERMAL * ionic_log(k_out / k_i);
  const double u_ks =
      V - OHARA_THERMAL * ionic_log((k_out + 0.01833 * p[TOR_ORD_NA_OUT]) / (k_i + 0.01833 * s[TOR_ORD_IS_NAI]));
  double to_by;
  const double to = ohara_transient_open(V, changed, s + TOR_ORD_IS_A, &to_by);
  const double ks = p[TOR_ORD_KS] * ohara_slow_calcium(s[TOR_ORD_IS_CAI]) * s[TOR_ORD_IS_XS1] * s[TOR_ORD_IS_XS2];
  const double A = ionic_sigmoid(-u, -49.934, 1 / 0.1217), a = 4.094 * A, a_by = -0.1217 * a * (1 - A);
  const double e1 = 15.72 * ionic_exp(0.0674 * (u - 3.257)), e2 = ionic_exp(0.0618 * (u - 594.31));
  const double B = ionic_sigmoid(u, -14.207, 1 / 0.1629), b = (e1 + e2) * B;
  const double b_by = (0.0674 * e1 + 0.0618 * e2) * B + 0.1629 * b * (1 - B);
  const double x = a / (a + b), x_by = (a_by * b - a * b_by) / ((a + b) * (a + b)), k1 = p[TOR_ORD_K1] * root;
  const double S = ionic_sigmoid(V, 10.8968, 23.9871), kb = p[TOR_ORD_KB] * S;
  const double katp = p[TOR_ORD_KATP] * ionic_exp_shared(0.24 * log(k_out / 5)) / 65;
  const double g = p[TOR_ORD_TO] * to + p[TOR_ORD_KR] * root * s[TOR_ORD_IS_KRO] + k1 * x + kb + katp;
  *slope += g + ks + u * (p[TOR_ORD_TO] * to_by + k1 * x_by + kb * (1 - S) / 23.9871);
  return g * u + ks * u_ks;
}
HD double tor_ord_sodium(const IonicConstants *c, const double V, const double changed, const double *s,
                         double *slope) {
  const double *p = c->value, m = s[TOR_ORD_IS_M], na_i = s[TOR_ORD_IS_NAI];
  const double open = (1 - changed) * s[TOR_ORD_IS_H] * s[TOR_ORD_IS_J] + changed * s[TOR_ORD_IS_HP] * s[TOR_ORD_IS_JP];
  const double late = (1 - changed) * s[TOR_ORD_IS_HL] + changed * s[TOR_ORD_IS_HLP];
  const double g = p[TOR_ORD_NA] * m * m * m * open + p[TOR_ORD_NAL] * s[TOR_ORD_IS_ML] * late;
  double leak_by;
  const double leak = ohara_pore(V, 1, na_i, p[TOR_ORD_NA_OUT], &leak_by);
  *slope += g + p[TOR_ORD_BNA] * leak_by;
  return g * (V - OHARA_THERMAL * ionic_log(p[TOR_ORD_NA_OUT] / na_i)) + p[TOR_ORD_BNA] * leak;
}

/* Background and pump of calcium, pA/pF. */
HD double tor_ord_calcium(const IonicConstants *c, const double V, const double *s, double *slope) {
  const double *p = c->value, ca_i = s[TOR_ORD_IS_CAI];
  double leak_by;
  const TorOrdActivity in = tor_ord_activity(s[TOR_ORD_IS_NAI], s[TOR_ORD_IS_KI], s[TOR_ORD_IS_CLI], ca_i, 0);
  const TorOrdActivity out =
      tor_ord_activity(p[TOR_ORD_NA_OUT], p[TOR_ORD_K_OUT], p[TOR_ORD_CL_OUT], p[TOR_ORD_CA_OUT], 1);
  const double leak = ohara_pore(V, 2, in.two * ca_i, out.two * p[TOR_ORD_CA_OUT], &leak_by);
  *slope += p[TOR_ORD_BCA] * leak_by;
  return p[TOR_ORD_PCA] * ca_i / (0.0005 + ca_i) + p[TOR_ORD_BCA] * leak;
}

HD double tor_ord_currents(const IonicConstants *c, const double V, const double stimulus, const double *s,
                           double *by_V, double *g, double *decay) {
  const double *p = c->value, na_i = s[TOR_ORD_IS_NAI], na_ss = s[TOR_ORD_IS_NASS], k_i = s[TOR_ORD_IS_KI];
  const double k_ss = s[TOR_ORD_IS_KSS], ca_i = s[TOR_ORD_IS_CAI], ca_ss = s[TOR_ORD_IS_CASS];
  const double nsr = s[TOR_ORD_IS_CANSR], jsr = s[TOR_ORD_IS_CAJSR], trapped = s[TOR_ORD_IS_CAMK];
  const double na_out = p[TOR_ORD_NA_OUT], k_out = p[TOR_ORD_K_OUT], ca_out = p[TOR_ORD_CA_OUT], RTF = OHARA_THERMAL;
  const double cl_i = s[TOR_ORD_IS_CLI], cl_ss = s[TOR_ORD_IS_CLSS], changed = ohara_kinase(trapped, ca_ss);
  double slope = 0, naca_by, sub_by, nak_by;
  const double sodium = tor_ord_sodium(c, V, changed, s, &slope);
  const double potassium = tor_ord_potassium(c, V, changed, s, &slope), calcium = tor_ord_calcium(c, V, s, &slope);
  const TorOrdInward cal = tor_ord_inward(c, V, s, 0), cal_ss = tor_ord_inward(c, V, s, 1);
  const double naca = 0.65 * p[TOR_ORD_NACA] * ohara_exchange(V, na_i, ca_i, na_out, ca_out, &naca_by);
  const double sub = 0.35 * p[TOR_ORD_NACA] * ohara_exchange(V, na_ss, ca_ss, na_out, ca_out, &sub_by);
  const double nak = p[TOR_ORD_NAK] * ohara_pump(V, na_i, k_i, na_out, k_out, 1e-4, 0, &nak_by);
  const double g_clca = p[TOR_ORD_CLCA] / (1 + 0.1 / ca_ss),
               clca = g_clca * (V - RTF * ionic_log(cl_ss / p[TOR_ORD_CL_OUT]));
  const double bcl = p[TOR_ORD_BCL] * (V - RTF * ionic_log(cl_i / p[TOR_ORD_CL_OUT]));
  const double release = 1.5378 * ((1 - changed) * s[TOR_ORD_IS_JRELNP] + changed * s[TOR_ORD_IS_JRELP]);
  const double uptake = 0.005425 * p[TOR_ORD_UP] * ohara_uptake(ca_i, changed) - 0.0048825 * nsr / 15;
  const double transfer = (nsr - jsr) / 60, na_flow = (na_ss - na_i) / 2, k_flow = (k_ss - k_i) / 2;
  const double cl_flow = (cl_ss - cl_i) / 2, ca_flow = (ca_ss - ca_i) / 0.2, share = OHARA_SUBSPACE / OHARA_CYTOSOL;
  const double by = OHARA_BY_CHARGE / OHARA_CYTOSOL, by_sub = OHARA_BY_CHARGE / OHARA_SUBSPACE;
  const double free_ss = ohara_free_subspace(ca_ss);
  IONIC_UNROLL
  for (int j = TOR_ORD_IS_CAMK; j <= TOR_ORD_IS_CLSS; ++j) decay[j] = 0;
  decay[TOR_ORD_IS_CASS] = free_ss / 0.2;
  tor_ord_rapid(V, s, g, decay);
  g[TOR_ORD_IS_CAMK] = ohara_kinase_rate(trapped, ca_ss);
  g[TOR_ORD_IS_NAI] = -by * (sodium + cal.na + 3 * naca + 3 * nak) + na_flow * share;
  g[TOR_ORD_IS_NASS] = -by_sub * (cal_ss.na + 3 * sub) - na_flow;
  g[TOR_ORD_IS_KI] = -by * (potassium + cal.k - 2 * nak - stimulus) + k_flow * share;
  g[TOR_ORD_IS_KSS] = -by_sub * cal_ss.k - k_flow;
  g[TOR_ORD_IS_CAI] =
      ohara_free_cytosol(ca_i, p[TOR_ORD_LAYER] == 0 ? 0.065 : 0.05) *
      (-0.5 * by * (calcium + cal.ca - 2 * naca) - uptake * OHARA_NETWORK / OHARA_CYTOSOL + ca_flow * share);
  g[TOR_ORD_IS_CASS] =
      free_ss * (-0.5 * by_sub * (cal_ss.ca - 2 * sub) + release * OHARA_JUNCTION / OHARA_SUBSPACE - ca_flow);
  g[TOR_ORD_IS_CANSR] = uptake - transfer * OHARA_JUNCTION / OHARA_NETWORK;
  g[TOR_ORD_IS_CAJSR] = ionic_free(jsr, 10, 0.8) * (transfer - release);
  g[TOR_ORD_IS_CLI] = by * bcl + cl_flow * share;
  g[TOR_ORD_IS_CLSS] = by_sub * clca - cl_flow;
  *by_V = -(slope + cal.by_V + cal_ss.by_V + p[TOR_ORD_NACA] * (0.65 * naca_by + 0.35 * sub_by) +
            p[TOR_ORD_NAK] * nak_by + g_clca + p[TOR_ORD_BCL]);
  return -(sodium + potassium + calcium + cal.ca + cal.na + cal.k + cal_ss.ca + cal_ss.na + cal_ss.k + naca + sub +
           nak + clca + bcl);
}

/* The state before a beat after 100 beats at 1 Hz (stimuli of 106 pA/pF for 0.5 ms). */
HD double tor_ord_rest(const IonicConstants *c, double *s) {
  const double at[3][45] = {
      {0.00063725020209,  0.849207622653,     0.849137431594,    0.705030504997,    0.848981797512,
       0.000132477730651, 0.562918537325,     0.322010484888,    0.000883706149916, 0.99967754697,
       0.999675858516,    0.00045024618655,   0.999677547114,    0.999677206215,    -5.67915399267e-44,
       0.999999994469,    0.947933792958,     0.999999994469,    0.999931849843,    0.999987421436,
       0.999999994468,    0.999999994468,     0.000528982009006, 0.000308703799851, 0.232117904173,
       0.000156745371327, -2.16223151574e-28, 8.68578579896e-28, 0.998327826132,    0.000787791441511,
       0.000644556637508, 0.00023205724328,   7.73382831299e-06, 0.0127812792134,   12.8590669592,
       12.8593762036,     147.315743273,      147.315700346,     6.62736654826e-05, 5.76802894964e-05,
       1.80752225098,     1.80571586921,      29.3236972743,     29.3236774118,     -89.8520639989},
      {0.000651706842781, 0.847327798641,     0.84716695307,     0.701847296037,    0.846902871208,
       0.000135118708094, 0.556621127347,     0.311591553554,    0.000889922283989, 0.999671580076,
       0.599007218035,    0.000453414675808,  0.999671587148,    0.662170532087,    1.51463865745e-42,
       0.999999994311,    0.940184196979,     0.999999994311,    0.999901531899,    0.999984576054,
       0.999999994308,    0.999999994309,     0.000832675717791, 0.000489975897573, 0.243997688923,
       0.000158614936559, -2.38890815933e-29, 1.36483612809e-26, 0.998251102544,    0.000793598610109,
       0.000653211718128, 0.000292248087881,  9.80432598135e-06, 0.0109600324816,   12.3968657922,
       12.3972046135,     147.71255316,       147.712512124,     7.45312034145e-05, 6.49705080442e-05,
       1.52813829154,     1.52583439296,      29.2075629391,     29.2075392892,     -89.7481429982},
      {0.0006914093506,   0.842287566783,    0.84209306531,     0.693366606009,     0.841534945259,   0.000142339976575,
       0.539799219831,    0.285123095457,    0.000906519919113, 0.999655439919,     0.555115741232,   0.000461874920872,
       0.999655447103,    0.612258244087,    2.09432562695e-50, 0.999999993873,     0.91021384322,    0.999999993873,
       0.999709574902,    0.999966801438,    0.99999999387,     0.99999999387,      0.00112090723056, 0.000503061697537,
       0.285609764529,    0.000163558131183, 1.95539127404e-34, -1.38701862488e-32, 0.997858130867,   0.000809008627346,
       0.000687543976725, 0.000623993392219, 2.12884211078e-05, 0.0196235714619,    14.2732964366,    14.2737873847,
       146.138663823,     146.138621685,     8.05200772679e-05, 6.54158275319e-05,  1.92011526204,    1.9227685085,
       29.5856966448,     29.5856727241,     -89.4740368339}};
  const double layer = c->value[TOR_ORD_LAYER];
  const double *row = at[layer == 1 ? 1 : layer == 2 ? 2 : 0];
  for (int j = 0; j < 44; ++j) s[j] = row[j];
  return row[44];
}

/* More than that of I_K1, which rectifies; all other currents rise with V or are small. */
HD double tor_ord_max_slope(const IonicConstants *c) {
  return 0.1 * c->value[TOR_ORD_K1] * sqrt(c->value[TOR_ORD_K_OUT] / 5) + 500 * c->value[TOR_ORD_CAL];
}
/* That of a front, gates included, from its speed c over a diffusivity D: 2 c^2 / (3 D). */
HD double tor_ord_front_slope(const IonicConstants *c) {
  (void)c;
  return 2.2;
}

#ifdef IONIC_TABLES
static const Param tor_ord_param[TOR_ORD_PARAMS] = {
    {"layer", "epi|endo|mid", 0, false, 0, 2, false, false,
     "0: epicardium, 1: endocardium, 2: mid; kinetics of if and is, calmodulin, initial state"},
    {"g-na", "mS/uF", 11.7802, false, 0, INFINITY, false, true, "fast sodium current"},
    {"g-nal", "mS/uF", 0.01674, false, 0, INFINITY, false, true, "late sodium current"},
    {"g-to", "mS/uF", 0.32, false, 0, INFINITY, false, true, "transient outward current"},
    {"p-cal", "L/F/ms", 0.0001005084, false, 0, INFINITY, false, true, "L-type calcium current"},
    {"g-kr", "mS/uF", 0.04173, false, 0, INFINITY, false, true, "rapid delayed rectifier"},
    {"g-ks", "mS/uF", 0.00154, false, 0, INFINITY, false, true, "slow delayed rectifier"},
    {"g-k1", "mS/uF", 0.83904, false, 0, INFINITY, false, true, "inward rectifier"},
    {"g-katp", "mS/uF", 0, false, 0, INFINITY, false, true,
     "potassium current that ATP closes; of all its channels 4.3195"},
    {"g-naca", "C/F", 0.00374, false, 0, INFINITY, false, true, "sodium-calcium exchanger"},
    {"p-nak", "C/F", 13.90581, false, 0, INFINITY, false, true, "sodium-potassium pump"},
    {"g-kb", "mS/uF", 0.01134, false, 0, INFINITY, false, true, "background potassium current"},
    {"p-bna", "L/F/ms", 1.9239e-09, false, 0, INFINITY, false, true, "background sodium current"},
    {"p-bca", "L/F/ms", 5.9194e-08, false, 0, INFINITY, false, true, "background calcium current"},
    {"i-pca", "pA/pF", 0.0005, false, 0, INFINITY, false, true, "calcium pump of the membrane"},
    {"g-clca", "mS/uF", 0.2843, false, 0, INFINITY, false, true, "chloride current by calcium"},
    {"g-bcl", "mS/uF", 0.00198, false, 0, INFINITY, false, true, "background chloride current"},
    {"release", "1", 1, false, 0, INFINITY, false, true, "factor of the release of calcium"},
    {"uptake", "1", 1.3, false, 0, INFINITY, false, true, "factor of the uptake of calcium"},
    {"na-out", "mM", 140, false, 0, INFINITY, true, true, "sodium outside"},
    {"k-out", "mM", 5, false, 0, INFINITY, true, true, "potassium outside"},
    {"ca-out", "mM", 1.8, false, 0, INFINITY, true, true, "calcium outside"},
    {"cl-out", "mM", 150, false, 0, INFINITY, true, true, "chloride outside"},
};
static const IonicPreset tor_ord_preset[] = {
    {"epi",
     "human epicardium; APD90 -1.0 ms over 50 beats at 1 Hz",
     {0,          11.7802,    0.01674, 0.32,   0.0001005084, 0.04173, 0.00154, 0.83904, 0, 0.00374, 13.90581, 0.01134,
      1.9239e-09, 5.9194e-08, 0.0005,  0.2843, 0.00198,      1,       1.3,     140,     5, 1.8,     150}},
    {"endo",
     "human endocardium; APD90 0.0 ms over 50 beats at 1 Hz",
     {1,          11.7802,    0.0279, 0.16,   8.3757e-05, 0.0321, 0.0011, 0.6992, 0, 0.0034, 15.4509, 0.0189,
      1.9239e-09, 5.9194e-08, 0.0005, 0.2843, 0.00198,    1,      1,      140,    5, 1.8,    150}},
    {"mid",
     "human mid-myocardium (M cells); APD90 -11.9 ms over 50 beats at 1 Hz",
     {2,          11.7802,    0.0279, 0.32,   0.000167514, 0.02568, 0.0011, 0.90896, 0, 0.00476, 10.81563, 0.0189,
      1.9239e-09, 5.9194e-08, 0.0005, 0.2843, 0.00198,     1.7,     1,      140,     5, 1.8,     150}},
};
static const char tor_ord_meaning[] =
    "ToR-ORd of Tomek and others 2019, with dynamic chloride: human ventricular cells in health and disease";
#endif
