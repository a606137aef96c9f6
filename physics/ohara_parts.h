/* What the ventricular cells of O'Hara and Rudy (2011) and of Tomek and others (2019), which is made from it, have in
 * common: geometry, fluxes through open pores, exchanger, pump, gates and calcium's buffers. Concentrations in mM. */
#pragma once
#include "physics/ionic_shapes.h"

/* Faraday's constant, C/mol; RT/F at 310 K, mV; volumes of a cell of 100 um length and 11 um radius, uL; membrane per
 * charge, uF mol/C. */
#define OHARA_FARADAY 96485.
#define OHARA_THERMAL (8314. * 310 / OHARA_FARADAY)
#define OHARA_CELL (1000 * 3.14 * 0.0011 * 0.0011 * 0.01)
#define OHARA_CYTOSOL (0.68 * OHARA_CELL)
#define OHARA_NETWORK (0.0552 * OHARA_CELL)
#define OHARA_JUNCTION (0.0048 * OHARA_CELL)
#define OHARA_SUBSPACE (0.02 * OHARA_CELL)
#define OHARA_BY_CHARGE (2 * (2 * 3.14 * 0.0011 * 0.0011 + 2 * 3.14 * 0.0011 * 0.01) / OHARA_FARADAY)

/* Goldman, Hodgkin and Katz: flux of ions of charge z per permeability, mC/L, and its derivative by V. */
HD double ohara_pore(const double V, const double z, const double inside, const double outside, double *by_V) {
  double by_z;
  const double x = z * V / OHARA_THERMAL, flux = ionic_flux(x, &by_z), in = inside * ionic_exp(x);
  *by_V = z * z * OHARA_FARADAY / OHARA_THERMAL * (by_z * (in - outside) + flux * in);
  return z * OHARA_FARADAY * flux * (in - outside);
}

/* Calmodulin kinase: share of its units that are bound, of all that are active, and of channels that it has changed. */
HD double ohara_kinase_bound(const double trapped, const double ca_ss) {
  return 0.05 * (1 - trapped) / (1 + 0.0015 / ca_ss);
}
HD double ohara_kinase(const double trapped, const double ca_ss) {
  return ionic_inverse(1 + 0.15 / (ohara_kinase_bound(trapped, ca_ss) + trapped));
}
HD double ohara_kinase_rate(const double trapped, const double ca_ss) {
  const double bound = ohara_kinase_bound(trapped, ca_ss);
  return 0.05 * bound * (bound + trapped) - 0.00068 * trapped;
}

/* Inactivation of the late sodium current: two gates. */
HD void ohara_late_gates(const double V, double *rate, double *target) {
  rate[0] = 1. / 200, target[0] = ionic_sigmoid(-V, 87.61, 7.488);
  rate[1] = 1. / 600, target[1] = ionic_sigmoid(-V, 93.81, 7.488);
}

/* The transient outward current: a, if, is and the same for channels that the kinase has changed; its open share and
 * the derivative by V. */
HD void ohara_transient_gates(const double V, const double epi, double *rate, double *target) {
  const double opens = (ionic_sigmoid(V, 18.4099, 29.3814) / 1.2089 + 3.5 * ionic_sigmoid(-V, 100, 29.3814)) / 1.0515;
  const double outer = 1 - epi * 0.95 * ionic_sigmoid(-V, 70, 5);
  const double fast = outer * (4.562 + ionic_inverse(0.3933 * ionic_exp(-(V + 100) * (1. / 100)) +
                                                     0.08004 * ionic_exp((V + 50) * (1. / 16.59))));
  const double slow = outer * (23.62 + ionic_inverse(0.001416 * ionic_exp(-(V + 96.52) * (1. / 59.05)) +
                                                     1.78e-8 * ionic_exp((V + 114.1) * (1. / 8.079))));
  const double changed =
      (1.354 + 1e-4 / (ionic_exp((V - 167.4) * (1. / 15.89)) + ionic_exp(-(V - 12.23) * (1. / 0.2154)))) *
      (1 - 0.5 * ionic_sigmoid(-V, 70, 20));
  rate[0] = rate[3] = opens;
  rate[1] = 1 / fast, rate[2] = 1 / slow;
  rate[4] = ionic_inverse(changed * fast), rate[5] = ionic_inverse(changed * slow);
  target[0] = ionic_sigmoid(V, 14.34, 14.82), target[3] = ionic_sigmoid(V, 24.34, 14.82);
  target[1] = target[2] = target[4] = target[5] = ionic_sigmoid(-V, 43.94, 5.711);
}
HD double ohara_transient_open(const double V, const double changed, const double *s, double *by_V) {
  const double fast = ionic_sigmoid(-V, -213.6, 151.2), a = (1 - changed) * s[0], b = changed * s[3];
  *by_V = -fast * (1 - fast) / 151.2 * (a * (s[1] - s[2]) + b * (s[4] - s[5]));
  return a * (fast * s[1] + (1 - fast) * s[2]) + b * (fast * s[4] + (1 - fast) * s[5]);
}

/* L-type calcium channels, inactivation: ff, fs, fcaf, fcas, one that models have their own of, ffp, fcafp. */
HD void ohara_inactivation(const double V, double *rate, double *target) {
  const double closed = ionic_sigmoid(-V, 19.58, 3.696);
  const double ff =
      7 + ionic_inverse(0.0045 * ionic_exp(-(V + 20) * (1. / 10)) + 0.0045 * ionic_exp((V + 20) * (1. / 10)));
  const double fs =
      1000 + ionic_inverse(3.5e-5 * ionic_exp(-(V + 5) * (1. / 4)) + 3.5e-5 * ionic_exp((V + 5) * (1. / 6)));
  const double fcaf = 7 + ionic_inverse(0.04 * ionic_exp(-(V - 4) * (1. / 7)) + 0.04 * ionic_exp((V - 4) * (1. / 7)));
  const double fcas = 100 + ionic_inverse(0.00012 * ionic_exp(-V * (1. / 3)) + 0.00012 * ionic_exp(V * (1. / 7)));
  rate[0] = 1 / ff, rate[1] = 1 / fs, rate[2] = 1 / fcaf, rate[3] = 1 / fcas;
  rate[5] = ionic_inverse(2.5 * ff), rate[6] = ionic_inverse(2.5 * fcaf);
  target[0] = target[1] = target[2] = target[3] = target[5] = target[6] = closed;
}
/* Their open share behind the activation gate: f[7] as above, `calcium` of them in the mode that calcium inactivates. */
HD double ohara_calcium_open(const double V, const double changed, const double calcium, const double *f,
                             double *by_V) {
  const double S = ionic_sigmoid(-V, -10, 10), fast = 0.3 + 0.6 * S, more = 1.1 * changed;
  const double plain = 0.6 * f[0] + 0.4 * f[1], other = 0.6 * f[5] + 0.4 * f[1], mode = f[4] * calcium;
  *by_V = -0.06 * S * (1 - S) * mode * ((1 - changed) * (f[2] - f[3]) + more * (f[6] - f[3]));
  return (1 - changed) * (plain * (1 - calcium) + mode * (fast * f[2] + (1 - fast) * f[3])) +
         more * (other * (1 - calcium) + mode * (fast * f[6] + (1 - fast) * f[3]));
}
/* What channels go to, and how fast, that mode: of n = k2 a - km2 n with a = 1 / (k2/km2 + (1 + 0.002/ca)^4). */
HD double ohara_calcium_mode(const double ca, const double k2, const double km2) {
  const double x = (1 + 0.002 / ca) * (1 + 0.002 / ca);
  return k2 / (k2 + km2 * x * x);
}

/* The slow delayed rectifier: its two gates, and its share by calcium. */
HD void ohara_slow_gates(const double V, double *rate, double *target) {
  rate[0] = ionic_inverse(817.3 + ionic_inverse(2.326e-4 * ionic_exp((V + 48.28) * (1. / 17.8)) +
                                                0.001292 * ionic_exp(-(V + 210) * (1. / 230))));
  rate[1] = 0.01 * ionic_exp((V - 50) * (1. / 20)) + 0.0193 * ionic_exp(-(V + 66.54) * (1. / 31));
  target[0] = target[1] = ionic_sigmoid(V, -11.6, 8.932);
}
HD double ohara_slow_calcium(const double ca_i) { return 1 + 0.6 / (1 + ionic_exp(1.4 * ionic_log(3.8e-5 / ca_i))); }

/* Release of calcium: what it goes to by the current through the channels and the calcium of the junctional reticulum,
 * mM/ms, with b 4.75 ms, and how fast. */
HD double ohara_release_target(const double b, const double inward, const double half, const double ca_jsr) {
  double x = half / ca_jsr;
  x *= x, x *= x;
  return -0.5 * b * inward / (1 + x * x);
}
HD double ohara_release_rate(const double b, const double ca_jsr) {
  const double time = b / (1 + 0.0123 / ca_jsr);
  return ionic_inverse(time > 0.001 ? time : 0.001);
}

/* What a cycle of four states visits each with, x[4] up to a factor, and derivatives by V. */
typedef struct OharaCycle {
  double x[4], by_V[4];
} OharaCycle;

/* Mean of e over the states, and its derivative. */
HD double ohara_mean(const OharaCycle *c, const double e[4], const double e_by_V[4], double *by_V) {
  double sum = 0, top = 0, sum_by_V = 0, top_by_V = 0;
  IONIC_UNROLL
  for (int i = 0; i < 4; ++i) {
    sum += c->x[i], sum_by_V += c->by_V[i];
    top += c->x[i] * e[i], top_by_V += c->by_V[i] * e[i] + c->x[i] * e_by_V[i];
  }
  *by_V = (top_by_V - top / sum * sum_by_V) / sum;
  return top / sum;
}

/* Sodium-calcium exchange of six states in two groups: 3 J_Na + 2 J_Ca times its activation by calcium, 1/s. */
HD double ohara_exchange(const double V, const double na, const double ca, const double na_out, const double ca_out,
                         double *by_V) {
  const double by = 1 / OHARA_THERMAL, hca = ionic_exp(0.167 * V * by), hna = ionic_exp(0.5224 * V * by), off = 5e3;
  const double p = na / 88.12 * hna, h3 = ionic_inverse(1 + na / 88.12 + p), h2 = p * h3;
  const double q = na_out / 88.12 / hna, h9 = ionic_inverse(1 + na_out / 88.12 + q), h8 = q * h9;
  const double dp = 0.5224 * by * p, dh3 = -dp * h3 * h3, dh2 = dp * h3 + p * dh3;
  const double dq = -0.5224 * by * q, dh9 = -dq * h9 * h9, dh8 = dq * h9 + q * dh9;
  const double h5 = na * na / (15 * 5 * (1 + na / 15 * (1 + na / 5))), h6 = ionic_inverse(1 + na / 15 * (1 + na / 5));
  const double h12 = ionic_inverse(13.5 + na_out / 15 * (1 + na_out / 5)), h11 = na_out * na_out / (15 * 5) * h12;
  const double k1 = h12 * ca_out * 1.5e6, k6 = h6 * ca * 1.5e6;
  const double k3n = h8 * 5e3, k3 = h9 * 6e4 + k3n, dk3n = dh8 * 5e3, dk3 = dh9 * 6e4 + dk3n;
  const double k4n = h2 * 5e3, k4 = h3 * 6e4 / hca + k4n, dk4n = dh2 * 5e3,
               dk4 = 6e4 / hca * (dh3 - 0.167 * by * h3) + dk4n;
  const double k7 = h5 * h2 * 6e4, dk7 = h5 * dh2 * 6e4, k8 = h8 * h11 * 6e4, dk8 = dh8 * h11 * 6e4;
  const OharaCycle cycle = {{off * k4 * (k7 + k6) + off * k7 * (off + k3), k1 * k7 * (k4 + off) + k4 * k6 * (k1 + k8),
                             k1 * k3 * (k7 + k6) + k8 * k6 * (off + k3), off * k8 * (k4 + off) + k3 * off * (k1 + k8)},
                            {off * (dk4 * (k7 + k6) + k4 * dk7) + off * (dk7 * (off + k3) + k7 * dk3),
                             k1 * (dk7 * (k4 + off) + k7 * dk4) + k6 * (dk4 * (k1 + k8) + k4 * dk8),
                             k1 * (dk3 * (k7 + k6) + k3 * dk7) + k6 * (dk8 * (off + k3) + k8 * dk3),
                             off * (dk8 * (k4 + off) + k8 * dk4) + off * (dk3 * (k1 + k8) + k3 * dk8)}};
  const double e[4] = {-3 * k8 - 2 * k1, 2 * off - k3n, k4n, 3 * k7}, e_by_V[4] = {-3 * dk8, -dk3n, dk4n, 3 * dk7};
  const double half = 150e-6 / ca, active = ionic_inverse(1 + half * half), J = ohara_mean(&cycle, e, e_by_V, by_V);
  *by_V *= active;
  return active * J;
}

/* Sodium-potassium pump (Smith and Crampin 2004), J_Na + J_K, 1/s; protons in mM; slip: the sum for the first state as
 * O'Hara and Rudy print it. */
HD double ohara_pump(const double V, const double na_i, const double k_i, const double na_out, const double k_out,
                     const double protons, const int slip, double *by_V) {
  const double by = 1 / (3 * OHARA_THERMAL), atp = 9.8 / 1.698e-7;
  const double n = na_i / 9.073 * ionic_exp(0.155 * V * by), o = na_out / 27.78 * ionic_exp(-1.155 * V * by);
  const double dn = 0.155 * by * n, d_o = -1.155 * by * o, k = k_i / 0.5, ko = k_out / 0.3582;
  const double in = (1 + n) * (1 + n) * (1 + n) + (1 + k) * (1 + k) - 1;
  const double out = (1 + o) * (1 + o) * (1 + o) + (1 + ko) * (1 + ko) - 1;
  const double in_by = 3 * (1 + n) * (1 + n) / in * dn, out_by = 3 * (1 + o) * (1 + o) / out * d_o; /* relative */
  const double a1 = 949.5 * n * n * n / in, da1 = a1 * (3 * dn / n - in_by), a2 = 687.2;
  const double a3 = 1899 * ko * ko / out, da3 = -a3 * out_by, a4 = 639 * atp / (1 + atp);
  const double b1 = 182.4 * 0.05, b2 = 39.4 * o * o * o / out, db2 = b2 * (3 * d_o / o - out_by);
  const double b3 = 79300 * 4.2 / (1 + protons / 1.698e-7 + na_i / 224 + k_i / 292) * protons / (1 + atp);
  const double b4 = 40 * k * k / in, db4 = -b4 * in_by;
  const double first = slip ? b2 : b1, dfirst = slip ? db2 : 0;
  const OharaCycle cycle = {{a4 * a1 * a2 + first * b4 * b3 + a2 * b4 * b3 + b3 * a1 * a2,
                             b2 * b1 * b4 + a1 * a2 * a3 + a3 * b1 * b4 + a2 * a3 * b4,
                             a2 * a3 * a4 + b3 * b2 * b1 + b2 * b1 * a4 + a3 * a4 * b1,
                             b4 * b3 * b2 + a3 * a4 * a1 + b2 * a4 * a1 + b3 * b2 * a1},
                            {a4 * da1 * a2 + (dfirst * b4 + first * db4) * b3 + a2 * db4 * b3 + b3 * da1 * a2,
                             b1 * (db2 * b4 + b2 * db4) + a2 * (da1 * a3 + a1 * da3) + b1 * (da3 * b4 + a3 * db4) +
                                 a2 * (da3 * b4 + a3 * db4),
                             a2 * da3 * a4 + b3 * db2 * b1 + db2 * b1 * a4 + da3 * a4 * b1,
                             b3 * (db4 * b2 + b4 * db2) + a4 * (da3 * a1 + a3 * da1) + a4 * (db2 * a1 + b2 * da1) +
                                 b3 * (db2 * a1 + b2 * da1)}};
  const double e[4] = {3 * a3, -3 * b3, -2 * a1, 2 * b1}, e_by_V[4] = {3 * da3, 0, -2 * da1, 0};
  return ohara_mean(&cycle, e, e_by_V, by_V);
}

/* Free shares of calcium in the cytosol, the subspace and the junctional reticulum. */
HD double ohara_free_cytosol(const double ca, const double calmodulin) {
  return ionic_inverse(1 / ionic_free(ca, calmodulin, 0.00238) + 1 / ionic_free(ca, 0.07, 0.0005) - 1);
}
HD double ohara_free_subspace(const double ca) {
  return ionic_inverse(1 / ionic_free(ca, 0.047, 0.00087) + 1 / ionic_free(ca, 1.124, 0.0087) - 1);
}
/* Uptake into the reticulum without its leak, mM/ms per 1 mM/ms. */
HD double ohara_uptake(const double ca_i, const double changed) {
  return (1 - changed) * ca_i / (ca_i + 0.00092) + changed * 2.75 * ca_i / (ca_i + 0.00092 - 0.00017);
}
