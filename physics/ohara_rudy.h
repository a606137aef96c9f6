/* The human ventricular cell of O'Hara, Virag, Varro and Rudy (2011, Simulation of the undiseased human cardiac
 * ventricular action potential: model formulation and experimental validation, PLoS Comput. Biol. 7, e1002061): 15
 * currents, a subspace, two compartments of the reticulum and calmodulin kinase, 40 states beside V. Constants are those
 * of the authors' program. A stimulus carries potassium. */
#pragma once
#include "physics/ionic_model.h"
#include "physics/ohara_parts.h"

#define ohara_rudy_states(STATE)                                                                                       \
  STATE("m", "activation of the sodium current, 0 to 1")                                                               \
  STATE("hf", "its fast inactivation, 0 to 1")                                                                         \
  STATE("hs", "its slow inactivation, 0 to 1")                                                                         \
  STATE("j", "its recovery, 0 to 1")                                                                                   \
  STATE("hsp", "hs of channels changed by the kinase, 0 to 1")                                                         \
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
  STATE("nca", "share of channels that calcium inactivates, 0 to 1")                                                   \
  STATE("xrf", "fast activation of the rapid delayed rectifier, 0 to 1")                                               \
  STATE("xrs", "its slow activation, 0 to 1")                                                                          \
  STATE("xs1", "slow activation of the slow delayed rectifier, 0 to 1")                                                \
  STATE("xs2", "its fast activation, 0 to 1")                                                                          \
  STATE("xk1", "activation of the inward rectifier, 0 to 1")                                                           \
  STATE("jrelnp", "release of calcium by channels as they are, mM/ms")                                                 \
  STATE("jrelp", "release by channels changed by the kinase, mM/ms")                                                   \
  STATE("camk", "share of the kinase that is trapped, 0 to 1")                                                         \
  STATE("na-i", "sodium in the cytosol, mM")                                                                           \
  STATE("na-ss", "sodium in the subspace, mM")                                                                         \
  STATE("k-i", "potassium in the cytosol, mM")                                                                         \
  STATE("k-ss", "potassium in the subspace, mM")                                                                       \
  STATE("ca-i", "free calcium in the cytosol, mM")                                                                     \
  STATE("ca-ss", "free calcium in the subspace, mM")                                                                   \
  STATE("ca-nsr", "calcium in the network reticulum, mM")                                                              \
  STATE("ca-jsr", "free calcium in the junctional reticulum, mM")

enum {
  OHARA_RUDY_LAYER,
  OHARA_RUDY_NA,
  OHARA_RUDY_NAL,
  OHARA_RUDY_TO,
  OHARA_RUDY_CAL,
  OHARA_RUDY_KR,
  OHARA_RUDY_KS,
  OHARA_RUDY_K1,
  OHARA_RUDY_NACA,
  OHARA_RUDY_NAK,
  OHARA_RUDY_KB,
  OHARA_RUDY_BNA,
  OHARA_RUDY_BCA,
  OHARA_RUDY_PCA,
  OHARA_RUDY_REL,
  OHARA_RUDY_UP,
  OHARA_RUDY_NA_OUT,
  OHARA_RUDY_K_OUT,
  OHARA_RUDY_CA_OUT,
  OHARA_RUDY_PARAMS
};
enum {
  OHARA_RUDY_IS_M,
  OHARA_RUDY_IS_HF,
  OHARA_RUDY_IS_HS,
  OHARA_RUDY_IS_J,
  OHARA_RUDY_IS_HSP,
  OHARA_RUDY_IS_JP,
  OHARA_RUDY_IS_ML,
  OHARA_RUDY_IS_HL,
  OHARA_RUDY_IS_HLP,
  OHARA_RUDY_IS_A,
  OHARA_RUDY_IS_IF,
  OHARA_RUDY_IS_IS,
  OHARA_RUDY_IS_AP,
  OHARA_RUDY_IS_IFP,
  OHARA_RUDY_IS_ISP,
  OHARA_RUDY_IS_D,
  OHARA_RUDY_IS_FF,
  OHARA_RUDY_IS_FS,
  OHARA_RUDY_IS_FCAF,
  OHARA_RUDY_IS_FCAS,
  OHARA_RUDY_IS_JCA,
  OHARA_RUDY_IS_FFP,
  OHARA_RUDY_IS_FCAFP,
  OHARA_RUDY_IS_NCA,
  OHARA_RUDY_IS_XRF,
  OHARA_RUDY_IS_XRS,
  OHARA_RUDY_IS_XS1,
  OHARA_RUDY_IS_XS2,
  OHARA_RUDY_IS_XK1,
  OHARA_RUDY_IS_JRELNP,
  OHARA_RUDY_IS_JRELP,
  OHARA_RUDY_IS_CAMK /* gates end before it */,
  OHARA_RUDY_IS_NAI,
  OHARA_RUDY_IS_NASS,
  OHARA_RUDY_IS_KI,
  OHARA_RUDY_IS_KSS,
  OHARA_RUDY_IS_CAI,
  OHARA_RUDY_IS_CASS,
  OHARA_RUDY_IS_CANSR,
  OHARA_RUDY_IS_CAJSR
};

HD void ohara_rudy_sodium_gates(const double V, double *rate, double *target) {
  const double slow = 0.009794 * ionic_exp(-(V + 17.95) * (1. / 28.05)) + 0.3343 * ionic_exp((V + 5.73) * (1. / 56.66));
  const double j = 2.038 + ionic_inverse(0.02136 * ionic_exp(-(V + 100.6) * (1. / 8.281)) +
                                         0.3052 * ionic_exp((V + 0.9941) * (1. / 38.45)));
  rate[OHARA_RUDY_IS_M] = rate[OHARA_RUDY_IS_ML] =
      6.765 * ionic_exp((V + 11.64) * (1. / 34.77)) + 8.552 * ionic_exp(-(V + 77.42) * (1. / 5.955));
  target[OHARA_RUDY_IS_M] = ionic_sigmoid(V, -39.57, 9.871);
  rate[OHARA_RUDY_IS_HF] =
      1.432e-5 * ionic_exp(-(V + 1.196) * (1. / 6.285)) + 6.149 * ionic_exp((V + 0.5096) * (1. / 20.27));
  rate[OHARA_RUDY_IS_HS] = slow;
  rate[OHARA_RUDY_IS_J] = 1 / j;
  rate[OHARA_RUDY_IS_HSP] = slow / 3;
  rate[OHARA_RUDY_IS_JP] = ionic_inverse(1.46 * j);
  target[OHARA_RUDY_IS_HF] = target[OHARA_RUDY_IS_HS] = target[OHARA_RUDY_IS_J] = target[OHARA_RUDY_IS_JP] =
      ionic_sigmoid(-V, 82.9, 6.086);
  target[OHARA_RUDY_IS_HSP] = ionic_sigmoid(-V, 89.1, 6.086);
  target[OHARA_RUDY_IS_ML] = ionic_sigmoid(V, -42.85, 5.264);
  ohara_late_gates(V, rate + OHARA_RUDY_IS_HL, target + OHARA_RUDY_IS_HL);
}

HD void ohara_rudy_potassium_gates(const IonicConstants *c, const double V, double *rate, double *target) {
  const double k_out = c->value[OHARA_RUDY_K_OUT];
  ohara_transient_gates(V, c->value[OHARA_RUDY_LAYER] == 0 ? 1 : 0, rate + OHARA_RUDY_IS_A, target + OHARA_RUDY_IS_A);
  rate[OHARA_RUDY_IS_XRF] = ionic_inverse(12.98 + ionic_inverse(0.3652 * ionic_exp((V - 31.66) * (1. / 3.869)) +
                                                                4.123e-5 * ionic_exp(-(V - 47.78) * (1. / 20.38))));
  rate[OHARA_RUDY_IS_XRS] = ionic_inverse(1.865 + ionic_inverse(0.06629 * ionic_exp((V - 34.7) * (1. / 7.355)) +
                                                                1.128e-5 * ionic_exp(-(V - 29.74) * (1. / 25.94))));
  target[OHARA_RUDY_IS_XRF] = target[OHARA_RUDY_IS_XRS] = ionic_sigmoid(V, -8.337, 6.789);
  ohara_slow_gates(V, rate + OHARA_RUDY_IS_XS1, target + OHARA_RUDY_IS_XS1);
  rate[OHARA_RUDY_IS_XK1] = (ionic_exp(-(V + 127.2) * (1. / 20.36)) + ionic_exp((V + 236.8) * (1. / 69.33))) / 122.2;
  target[OHARA_RUDY_IS_XK1] = ionic_sigmoid(V, -(2.5538 * k_out + 144.59), 1.5692 * k_out + 3.8115);
}

/* Through the L-type channels, pA/pF: calcium, sodium and potassium, and the derivative of the three by V. */
typedef struct OharaRudyInward {
  double ca, na, k, by_V;
} OharaRudyInward;
HD OharaRudyInward ohara_rudy_inward(const IonicConstants *c, const double V, const double *s) {
  OharaRudyInward out;
  double open_by, ca_by, na_by, k_by;
  const double *p = c->value, changed = ohara_kinase(s[OHARA_RUDY_IS_CAMK], s[OHARA_RUDY_IS_CASS]);
  const double P = p[OHARA_RUDY_CAL] * s[OHARA_RUDY_IS_D];
  const double open = P * ohara_calcium_open(V, changed, s[OHARA_RUDY_IS_NCA], s + OHARA_RUDY_IS_FF, &open_by);
  const double ca = ohara_pore(V, 2, s[OHARA_RUDY_IS_CASS], 0.341 * p[OHARA_RUDY_CA_OUT], &ca_by);
  const double na = 0.00125 * ohara_pore(V, 1, 0.75 * s[OHARA_RUDY_IS_NASS], 0.75 * p[OHARA_RUDY_NA_OUT], &na_by);
  const double k = 3.574e-4 * ohara_pore(V, 1, 0.75 * s[OHARA_RUDY_IS_KSS], 0.75 * p[OHARA_RUDY_K_OUT], &k_by);
  out.ca = open * ca, out.na = open * na, out.k = open * k;
  out.by_V = P * open_by * (ca + na + k) + open * (ca_by + 0.00125 * na_by + 3.574e-4 * k_by);
  return out;
}

HD void ohara_rudy_calcium_gates(const IonicConstants *c, const double V, const double *s, double *rate,
                                 double *target) {
  const double inward = ohara_rudy_inward(c, V, s).ca, jsr = s[OHARA_RUDY_IS_CAJSR], jca = s[OHARA_RUDY_IS_JCA];
  ohara_inactivation(V, rate + OHARA_RUDY_IS_FF, target + OHARA_RUDY_IS_FF);
  rate[OHARA_RUDY_IS_D] = ionic_inverse(0.6 + ionic_inverse(ionic_exp(-0.05 * (V + 6)) + ionic_exp(0.09 * (V + 14))));
  target[OHARA_RUDY_IS_D] = ionic_sigmoid(V, -3.94, 4.23);
  rate[OHARA_RUDY_IS_JCA] = 1. / 75;
  target[OHARA_RUDY_IS_JCA] = target[OHARA_RUDY_IS_FF];
  rate[OHARA_RUDY_IS_NCA] = jca;
  target[OHARA_RUDY_IS_NCA] = ohara_calcium_mode(s[OHARA_RUDY_IS_CASS], 1000, jca);
  rate[OHARA_RUDY_IS_JRELNP] = ohara_release_rate(4.75, jsr);
  rate[OHARA_RUDY_IS_JRELP] = ohara_release_rate(1.25 * 4.75, jsr);
  target[OHARA_RUDY_IS_JRELNP] = c->value[OHARA_RUDY_REL] * ohara_release_target(4.75, inward, 1.5, jsr);
  target[OHARA_RUDY_IS_JRELP] = 1.25 * target[OHARA_RUDY_IS_JRELNP];
}

HD void ohara_rudy_gates(const IonicConstants *c, const double V, const double *s, double *rate, double *target) {
  ohara_rudy_sodium_gates(V, rate, target);
  ohara_rudy_potassium_gates(c, V, rate, target);
  ohara_rudy_calcium_gates(c, V, s, rate, target);
}

/* Of potassium without the L-type channels and the pump, and of sodium without channels, exchanger and pump, pA/pF; their
 * derivatives by V are added to *slope. */
HD double ohara_rudy_potassium(const IonicConstants *c, const double V, const double changed, const double *s,
                               double *slope) {
  const double *p = c->value, k_out = p[OHARA_RUDY_K_OUT], k_i = s[OHARA_RUDY_IS_KI];
  const double u = V - OHARA_THERMAL * ionic_log(k_out / k_i);
  const double u_ks =
      V - OHARA_THERMAL * ionic_log((k_out + 0.01833 * p[OHARA_RUDY_NA_OUT]) / (k_i + 0.01833 * s[OHARA_RUDY_IS_NAI]));
  double to_by;
  const double to = ohara_transient_open(V, changed, s + OHARA_RUDY_IS_A, &to_by);
  const double fast = ionic_sigmoid(-V, 54.81, 38.21), S1 = ionic_sigmoid(-V, 55, 75), S2 = ionic_sigmoid(-V, -10, 30);
  const double kr = p[OHARA_RUDY_KR] * sqrt(k_out / 5.4) * S1 * S2;
  const double x = fast * s[OHARA_RUDY_IS_XRF] + (1 - fast) * s[OHARA_RUDY_IS_XRS];
  const double x_by = -fast * (1 - fast) / 38.21 * (s[OHARA_RUDY_IS_XRF] - s[OHARA_RUDY_IS_XRS]);
  const double ks =
      p[OHARA_RUDY_KS] * ohara_slow_calcium(s[OHARA_RUDY_IS_CAI]) * s[OHARA_RUDY_IS_XS1] * s[OHARA_RUDY_IS_XS2];
  const double R = ionic_sigmoid(-V, 105.8 - 2.6 * k_out, 9.493);
  const double k1 = p[OHARA_RUDY_K1] * sqrt(k_out) * R * s[OHARA_RUDY_IS_XK1];
  const double S = ionic_sigmoid(V, 14.48, 18.34), kb = p[OHARA_RUDY_KB] * S;
  const double g = p[OHARA_RUDY_TO] * to + kr * x + k1 + kb;
  *slope += g + ks +
            u * (p[OHARA_RUDY_TO] * to_by + kr * (x_by - x * ((1 - S1) / 75 + (1 - S2) / 30)) - k1 * (1 - R) / 9.493 +
                 kb * (1 - S) / 18.34);
  return g * u + ks * u_ks;
}
HD double ohara_rudy_sodium(const IonicConstants *c, const double V, const double changed, const double *s,
                            double *slope) {
  const double *p = c->value, m = s[OHARA_RUDY_IS_M], na_i = s[OHARA_RUDY_IS_NAI];
  const double h = 0.99 * s[OHARA_RUDY_IS_HF] + 0.01 * s[OHARA_RUDY_IS_HS];
  const double hp = 0.99 * s[OHARA_RUDY_IS_HF] + 0.01 * s[OHARA_RUDY_IS_HSP];
  const double open = (1 - changed) * h * s[OHARA_RUDY_IS_J] + changed * hp * s[OHARA_RUDY_IS_JP];
  const double late = (1 - changed) * s[OHARA_RUDY_IS_HL] + changed * s[OHARA_RUDY_IS_HLP];
  const double g = p[OHARA_RUDY_NA] * m * m * m * open + p[OHARA_RUDY_NAL] * s[OHARA_RUDY_IS_ML] * late;
  double leak_by;
  const double leak = ohara_pore(V, 1, na_i, p[OHARA_RUDY_NA_OUT], &leak_by);
  *slope += g + p[OHARA_RUDY_BNA] * leak_by;
  return g * (V - OHARA_THERMAL * ionic_log(p[OHARA_RUDY_NA_OUT] / na_i)) + p[OHARA_RUDY_BNA] * leak;
}

HD double ohara_rudy_currents(const IonicConstants *c, const double V, const double stimulus, const double *s,
                              double *by_V, double *g, double *decay) {
  const double *p = c->value, na_i = s[OHARA_RUDY_IS_NAI], na_ss = s[OHARA_RUDY_IS_NASS], k_i = s[OHARA_RUDY_IS_KI];
  const double k_ss = s[OHARA_RUDY_IS_KSS], ca_i = s[OHARA_RUDY_IS_CAI], ca_ss = s[OHARA_RUDY_IS_CASS];
  const double nsr = s[OHARA_RUDY_IS_CANSR], jsr = s[OHARA_RUDY_IS_CAJSR], trapped = s[OHARA_RUDY_IS_CAMK];
  const double na_out = p[OHARA_RUDY_NA_OUT], k_out = p[OHARA_RUDY_K_OUT], ca_out = p[OHARA_RUDY_CA_OUT];
  const double changed = ohara_kinase(trapped, ca_ss);
  double slope = 0, naca_by, sub_by, nak_by, leak_by;
  const double sodium = ohara_rudy_sodium(c, V, changed, s, &slope);
  const double potassium = ohara_rudy_potassium(c, V, changed, s, &slope);
  const OharaRudyInward cal = ohara_rudy_inward(c, V, s);
  const double naca = 0.8 * p[OHARA_RUDY_NACA] * ohara_exchange(V, na_i, ca_i, na_out, ca_out, &naca_by);
  const double sub = 0.2 * p[OHARA_RUDY_NACA] * ohara_exchange(V, na_ss, ca_ss, na_out, ca_out, &sub_by);
  const double nak = p[OHARA_RUDY_NAK] * ohara_pump(V, na_i, k_i, na_out, k_out, 1e-7, 1, &nak_by);
  const double pca = p[OHARA_RUDY_PCA] * ca_i / (0.0005 + ca_i);
  const double bca = p[OHARA_RUDY_BCA] * ohara_pore(V, 2, ca_i, 0.341 * ca_out, &leak_by);
  const double release = (1 - changed) * s[OHARA_RUDY_IS_JRELNP] + changed * s[OHARA_RUDY_IS_JRELP];
  const double uptake = 0.004375 * p[OHARA_RUDY_UP] * ohara_uptake(ca_i, changed) - 0.0039375 * nsr / 15;
  const double transfer = (nsr - jsr) / 100, na_flow = (na_ss - na_i) / 2, k_flow = (k_ss - k_i) / 2;
  const double ca_flow = (ca_ss - ca_i) / 0.2, share = OHARA_SUBSPACE / OHARA_CYTOSOL;
  const double by = OHARA_BY_CHARGE / OHARA_CYTOSOL, by_sub = OHARA_BY_CHARGE / OHARA_SUBSPACE;
  const double free_ss = ohara_free_subspace(ca_ss);
  IONIC_UNROLL
  for (int j = OHARA_RUDY_IS_CAMK; j <= OHARA_RUDY_IS_CAJSR; ++j) decay[j] = 0;
  decay[OHARA_RUDY_IS_CASS] = free_ss / 0.2;
  g[OHARA_RUDY_IS_CAMK] = ohara_kinase_rate(trapped, ca_ss);
  g[OHARA_RUDY_IS_NAI] = -by * (sodium + 3 * naca + 3 * nak) + na_flow * share;
  g[OHARA_RUDY_IS_NASS] = -by_sub * (cal.na + 3 * sub) - na_flow;
  g[OHARA_RUDY_IS_KI] = -by * (potassium - 2 * nak - stimulus) + k_flow * share;
  g[OHARA_RUDY_IS_KSS] = -by_sub * cal.k - k_flow;
  g[OHARA_RUDY_IS_CAI] =
      ohara_free_cytosol(ca_i, p[OHARA_RUDY_LAYER] == 0 ? 0.065 : 0.05) *
      (-0.5 * by * (pca + bca - 2 * naca) - uptake * OHARA_NETWORK / OHARA_CYTOSOL + ca_flow * share);
  g[OHARA_RUDY_IS_CASS] =
      free_ss * (-0.5 * by_sub * (cal.ca - 2 * sub) + release * OHARA_JUNCTION / OHARA_SUBSPACE - ca_flow);
  g[OHARA_RUDY_IS_CANSR] = uptake - transfer * OHARA_JUNCTION / OHARA_NETWORK;
  g[OHARA_RUDY_IS_CAJSR] = ionic_free(jsr, 10, 0.8) * (transfer - release);
  *by_V = -(slope + cal.by_V + 0.8 * p[OHARA_RUDY_NACA] * naca_by + 0.2 * p[OHARA_RUDY_NACA] * sub_by +
            p[OHARA_RUDY_NAK] * nak_by + p[OHARA_RUDY_BCA] * leak_by);
  return -(sodium + potassium + cal.ca + cal.na + cal.k + naca + sub + nak + pca + bca);
}

/* The state before a beat after 100 beats at 1 Hz (stimuli of 116 pA/pF for 0.5 ms). */
HD double ohara_rudy_rest(const IonicConstants *c, double *s) {
  const double at[3][41] = {
      {0.00739544935359,  0.69570348622,     0.695693887957, 0.695638176113,    0.452157775475, 0.69559895766,
       0.000190754602437, 0.501619436342,    0.27502191898,  0.00100578015984,  0.999548794733, 0.999541105257,
       0.000512473317763, 0.999548795034,    0.999547159579, 2.3794193789e-09,  0.999999990703, 0.919165419484,
       0.999999990703,    0.999877967966,    0.999983139809, 0.999999990701,    0.999999990701, 0.0017994997558,
       8.12584154638e-06, 0.429654905854,    0.249527820885, 0.000194323291543, 0.996777740756, 4.6319409425e-07,
       5.78909134811e-07, 0.0149250921679,   7.34074842305,  7.34082378512,     144.512002714,  144.511977964,
       7.71632136822e-05, 7.60530607162e-05, 2.00860095104,  1.96107273391,     -87.9326446415},
      {0.00734629663878,  0.698005206415,    0.697989350564, 0.697900556467,    0.454835150451, 0.697841090635,
       0.000188367071856, 0.501515046951,    0.270394107764, 0.00100129597706,  0.999553950558, 0.59209905841,
       0.000510187377126, 0.99955395752,     0.644850225788, 2.34241991249e-09, 0.999999990868, 0.910284285167,
       0.999999990868,    0.999821506938,    0.999977595403, 0.999999990865,    0.999999990865, 0.00257187467623,
       8.07255432308e-06, 0.450335962959,    0.269343979638, 0.000192907631059, 0.996760494501, 2.35257951448e-07,
       2.93923926808e-07, 0.0116016164374,   7.00615097022,  7.00623092458,     144.923844889,  144.923821757,
       8.45829670991e-05, 8.34637388275e-05, 1.58640303227,  1.5439529922,      -87.998959198},
      {0.00752968516539,  0.689444854197,  0.689421615704, 0.689289375016,    0.444837200723, 0.689197732391,
       0.000197347550903, 0.486006878008,  0.247011619995, 0.00101798622967,  0.999534366167, 0.548671467259,
       0.000518695762525, 0.999534376549,  0.595046984126, 2.48223616403e-09, 0.99999999024,  0.86591012206,
       0.999999990241,    0.999527023474,  0.999939978953, 0.999999990236,    0.999999990236, 0.00283006980689,
       8.67844738432e-06, 0.493321892384,  0.34591258147,  0.000198303402518, 0.996824463077, 1.40970727516e-06,
       1.76114622699e-06, 0.0223653384867, 7.96593359762,  7.96603864772,     143.922416088,  143.922392984,
       8.72597004203e-05, 8.556729809e-05, 1.80935756339,  1.72503155715,     -87.7537477658}};
  const double layer = c->value[OHARA_RUDY_LAYER];
  const double *row = at[layer == 1 ? 1 : layer == 2 ? 2 : 0];
  for (int j = 0; j < 40; ++j) s[j] = row[j];
  return row[40];
}

/* More than that of I_K1 and I_Kr, which rectify; all other currents rise with V or are small. */
HD double ohara_rudy_max_slope(const IonicConstants *c) {
  return (c->value[OHARA_RUDY_K1] + c->value[OHARA_RUDY_KR]) * sqrt(c->value[OHARA_RUDY_K_OUT] / 5.4) +
         200 * c->value[OHARA_RUDY_CAL];
}
/* That of a front, gates included, from its speed c over a diffusivity D: 2 c^2 / (3 D). */
HD double ohara_rudy_front_slope(const IonicConstants *c) {
  (void)c;
  return 1;
}

#ifdef IONIC_TABLES
static const Param ohara_rudy_param[OHARA_RUDY_PARAMS] = {
    {"layer", "epi|endo|mid", 0, false, 0, 2, false, false,
     "0: epicardium, 1: endocardium, 2: mid; kinetics of if and is, calmodulin, initial state"},
    {"g-na", "mS/uF", 75, false, 0, INFINITY, false, true, "fast sodium current"},
    {"g-nal", "mS/uF", 0.0045, false, 0, INFINITY, false, true, "late sodium current"},
    {"g-to", "mS/uF", 0.08, false, 0, INFINITY, false, true, "transient outward current"},
    {"p-cal", "L/F/ms", 0.00012, false, 0, INFINITY, false, true, "L-type calcium current"},
    {"g-kr", "mS/uF", 0.0598, false, 0, INFINITY, false, true, "rapid delayed rectifier"},
    {"g-ks", "mS/uF", 0.00476, false, 0, INFINITY, false, true, "slow delayed rectifier"},
    {"g-k1", "mS/uF", 0.22896, false, 0, INFINITY, false, true, "inward rectifier"},
    {"g-naca", "C/F", 0.00088, false, 0, INFINITY, false, true, "sodium-calcium exchanger"},
    {"p-nak", "C/F", 27, false, 0, INFINITY, false, true, "sodium-potassium pump"},
    {"g-kb", "mS/uF", 0.0018, false, 0, INFINITY, false, true, "background potassium current"},
    {"p-bna", "L/F/ms", 3.75e-10, false, 0, INFINITY, false, true, "background sodium current"},
    {"p-bca", "L/F/ms", 2.5e-08, false, 0, INFINITY, false, true, "background calcium current"},
    {"i-pca", "pA/pF", 0.0005, false, 0, INFINITY, false, true, "calcium pump of the membrane"},
    {"release", "1", 1, false, 0, INFINITY, false, true, "factor of the release of calcium"},
    {"uptake", "1", 1.3, false, 0, INFINITY, false, true, "factor of the uptake of calcium"},
    {"na-out", "mM", 140, false, 0, INFINITY, true, true, "sodium outside"},
    {"k-out", "mM", 5.4, false, 0, INFINITY, true, true, "potassium outside"},
    {"ca-out", "mM", 1.8, false, 0, INFINITY, true, true, "calcium outside"},
};
static const IonicPreset ohara_rudy_preset[] = {
    {"epi",
     "human epicardium; APD90 -1.5 ms over 50 beats at 1 Hz",
     {0, 75, 0.0045, 0.08, 0.00012, 0.0598, 0.00476, 0.22896, 0.00088, 27, 0.0018, 3.75e-10, 2.5e-08, 0.0005, 1, 1.3,
      140, 5.4, 1.8}},
    {"endo",
     "human endocardium; APD90 -0.6 ms over 50 beats at 1 Hz",
     {1, 75, 0.0075, 0.02, 0.0001, 0.046, 0.0034, 0.1908, 0.0008, 30, 0.003, 3.75e-10, 2.5e-08, 0.0005, 1, 1, 140, 5.4,
      1.8}},
    {"mid",
     "human mid-myocardium (M cells); APD90 -6.1 ms over 50 beats at 1 Hz",
     {2, 75, 0.0075, 0.08, 0.00025, 0.0368, 0.0034, 0.24804, 0.00112, 21, 0.003, 3.75e-10, 2.5e-08, 0.0005, 1.7, 1, 140,
      5.4, 1.8}},
};
static const char ohara_rudy_meaning[] =
    "O'Hara, Virag, Varro and Rudy 2011: undiseased human ventricular cells, 15 currents, calmodulin kinase";
#endif
