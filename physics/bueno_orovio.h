/* The minimal model of human ventricular cells of Bueno-Orovio, Cherry and Fenton (2008, J. Theor. Biol. 253, 544-560).
 * With u = (V - rest) / amplitude, the gates v, w and s, and H the step at a threshold:
 *   du/dt = fi - so + si    fi = v H_v (u - theta_v)(u_u - u)/tau_fi    si = H_w w s/tau_si
 *                           so = (u - u_o)(1 - H_w)/tau_o + H_w/tau_so
 *   dv/dt = (1 - H_v)(v_inf - v)/tau_v- - H_v v/tau_v+      v_inf = 1 - H_v-
 *   dw/dt = (1 - H_w)(w_inf - w)/tau_w- - H_w w/tau_w+      w_inf = (1 - H_o)(1 - u/tau_w_inf) + H_o w_inf*
 *   ds/dt = ((1 + tanh(k_s (u - u_s)))/2 - s)/tau_s
 * tau_v-, tau_s and tau_o switch at theta_v-, theta_w and theta_o, tau_w- and tau_so by a tanh. The authors' steps are
 * jumps; here they are cubic over a threshold -+ gate_width, so that the implicit equations have derivatives
 * everywhere, and H_v (u - theta_v) is the integral of such a step. Linear in each gate, therefore the implicit states
 * are a division each. */
#pragma once
#include "physics/ionic_model.h"

#include <math.h>

#define bueno_orovio_states(STATE)                                                                                     \
  STATE("v", "gate of the fast inward current, 1 at rest")                                                             \
  STATE("w", "gate of the slow inward current, 1 at rest")                                                             \
  STATE("s", "its activation, 0.02 at rest")

enum {
  BUENO_OROVIO_U_O,
  BUENO_OROVIO_U_U,
  BUENO_OROVIO_THETA_V,
  BUENO_OROVIO_THETA_W,
  BUENO_OROVIO_THETA_V_MINUS,
  BUENO_OROVIO_THETA_O,
  BUENO_OROVIO_TAU_V1_MINUS,
  BUENO_OROVIO_TAU_V2_MINUS,
  BUENO_OROVIO_TAU_V_PLUS,
  BUENO_OROVIO_TAU_W1_MINUS,
  BUENO_OROVIO_TAU_W2_MINUS,
  BUENO_OROVIO_K_W_MINUS,
  BUENO_OROVIO_U_W_MINUS,
  BUENO_OROVIO_TAU_W_PLUS,
  BUENO_OROVIO_TAU_FI,
  BUENO_OROVIO_TAU_O1,
  BUENO_OROVIO_TAU_O2,
  BUENO_OROVIO_TAU_SO1,
  BUENO_OROVIO_TAU_SO2,
  BUENO_OROVIO_K_SO,
  BUENO_OROVIO_U_SO,
  BUENO_OROVIO_TAU_S1,
  BUENO_OROVIO_TAU_S2,
  BUENO_OROVIO_K_S,
  BUENO_OROVIO_U_S,
  BUENO_OROVIO_TAU_SI,
  BUENO_OROVIO_TAU_W_INF,
  BUENO_OROVIO_W_INF,
  BUENO_OROVIO_WIDTH,
  BUENO_OROVIO_REST,
  BUENO_OROVIO_AMPLITUDE,
  BUENO_OROVIO_PARAMS
};

/* A number that depends on u, and its derivative. */
typedef struct BuenoOrovioValue {
  double value, by_u;
} BuenoOrovioValue;

HD double bueno_orovio_u(const IonicConstants *c, const double V) {
  return (V - c->value[BUENO_OROVIO_REST]) / c->value[BUENO_OROVIO_AMPLITUDE];
}
/* Where u is in the step at parameter `at`: 0 at its lower end, 1 at its upper one. */
HD double bueno_orovio_part(const IonicConstants *c, const int at, const double u) {
  const double z = (u - c->value[at]) / (2 * c->value[BUENO_OROVIO_WIDTH]) + 0.5;
  return z < 0 ? 0 : z > 1 ? 1 : z;
}
HD BuenoOrovioValue bueno_orovio_step(const IonicConstants *c, const int at, const double u) {
  const double z = bueno_orovio_part(c, at, u);
  BuenoOrovioValue h;
  h.value = z * z * (3 - 2 * z);
  h.by_u = 3 * z * (1 - z) / c->value[BUENO_OROVIO_WIDTH];
  return h;
}
/* From parameter `low` to the next one as a step goes from 0 to 1. */
HD BuenoOrovioValue bueno_orovio_between(const IonicConstants *c, const int low, const BuenoOrovioValue h) {
  const double from = c->value[low], to = c->value[low + 1];
  BuenoOrovioValue t;
  t.value = from + (to - from) * h.value;
  t.by_u = (to - from) * h.by_u;
  return t;
}
/* (1 + tanh(k (u - at)))/2; `at` is the parameter behind k. */
HD BuenoOrovioValue bueno_orovio_sigmoid(const IonicConstants *c, const int k, const double u) {
  const double t = tanh(c->value[k] * (u - c->value[k + 1]));
  BuenoOrovioValue h;
  h.value = 0.5 * (1 + t);
  h.by_u = 0.5 * c->value[k] * (1 - t * t);
  return h;
}
/* (1 - h)/tau */
HD BuenoOrovioValue bueno_orovio_rest_over(const BuenoOrovioValue h, const BuenoOrovioValue tau) {
  BuenoOrovioValue r;
  r.value = (1 - h.value) / tau.value;
  r.by_u = -(h.by_u + r.value * tau.by_u) / tau.value;
  return r;
}

/* Gates obey d/dt = gain - loss gate. */
HD void bueno_orovio_gates(const IonicConstants *c, const double u, BuenoOrovioValue *gain, BuenoOrovioValue *loss) {
  const double *p = c->value;
  const BuenoOrovioValue Hv = bueno_orovio_step(c, BUENO_OROVIO_THETA_V, u),
                         Hw = bueno_orovio_step(c, BUENO_OROVIO_THETA_W, u);
  const BuenoOrovioValue Hm = bueno_orovio_step(c, BUENO_OROVIO_THETA_V_MINUS, u),
                         Ho = bueno_orovio_step(c, BUENO_OROVIO_THETA_O, u);
  const BuenoOrovioValue v = bueno_orovio_rest_over(Hv, bueno_orovio_between(c, BUENO_OROVIO_TAU_V1_MINUS, Hm));
  gain[0].value = v.value * (1 - Hm.value);
  gain[0].by_u = v.by_u * (1 - Hm.value) - v.value * Hm.by_u;
  loss[0].value = v.value + Hv.value / p[BUENO_OROVIO_TAU_V_PLUS];
  loss[0].by_u = v.by_u + Hv.by_u / p[BUENO_OROVIO_TAU_V_PLUS];
  const BuenoOrovioValue slow = bueno_orovio_sigmoid(c, BUENO_OROVIO_K_W_MINUS, u);
  const BuenoOrovioValue w = bueno_orovio_rest_over(Hw, bueno_orovio_between(c, BUENO_OROVIO_TAU_W1_MINUS, slow));
  const double low = 1 - u / p[BUENO_OROVIO_TAU_W_INF], high = p[BUENO_OROVIO_W_INF];
  const double w_inf = (1 - Ho.value) * low + Ho.value * high;
  const double w_inf_by_u = (high - low) * Ho.by_u - (1 - Ho.value) / p[BUENO_OROVIO_TAU_W_INF];
  gain[1].value = w.value * w_inf;
  gain[1].by_u = w.by_u * w_inf + w.value * w_inf_by_u;
  loss[1].value = w.value + Hw.value / p[BUENO_OROVIO_TAU_W_PLUS];
  loss[1].by_u = w.by_u + Hw.by_u / p[BUENO_OROVIO_TAU_W_PLUS];
  const BuenoOrovioValue s_inf = bueno_orovio_sigmoid(c, BUENO_OROVIO_K_S, u),
                         tau = bueno_orovio_between(c, BUENO_OROVIO_TAU_S1, Hw);
  loss[2].value = 1 / tau.value;
  loss[2].by_u = -tau.by_u / (tau.value * tau.value);
  gain[2].value = s_inf.value * loss[2].value;
  gain[2].by_u = s_inf.by_u * loss[2].value + s_inf.value * loss[2].by_u;
}

HD void bueno_orovio_rate(const IonicConstants *c, const double V, const double *s, double *g) {
  BuenoOrovioValue gain[3], loss[3];
  bueno_orovio_gates(c, bueno_orovio_u(c, V), gain, loss);
  for (int j = 0; j < 3; ++j) g[j] = gain[j].value - loss[j].value * s[j];
}

HD void bueno_orovio_state(const IonicConstants *c, const double V, const double *known, const double step, double *s,
                           double *by_V) {
  BuenoOrovioValue gain[3], loss[3];
  bueno_orovio_gates(c, bueno_orovio_u(c, V), gain, loss);
  for (int j = 0; j < 3; ++j) {
    const double below = 1 / (1 + step * loss[j].value);
    s[j] = (known[j] + step * gain[j].value) * below;
    by_V[j] = step * (gain[j].by_u - s[j] * loss[j].by_u) * below / c->value[BUENO_OROVIO_AMPLITUDE];
  }
}

HD double bueno_orovio_reaction(const IonicConstants *c, const double V, const double *s, double *by_V, double *by_s) {
  const double *p = c->value, u = bueno_orovio_u(c, V), v = s[0], w = s[1], amplitude = p[BUENO_OROVIO_AMPLITUDE];
  const BuenoOrovioValue Hv = bueno_orovio_step(c, BUENO_OROVIO_THETA_V, u),
                         Hw = bueno_orovio_step(c, BUENO_OROVIO_THETA_W, u);
  const BuenoOrovioValue Ho = bueno_orovio_step(c, BUENO_OROVIO_THETA_O, u);
  const double z = bueno_orovio_part(c, BUENO_OROVIO_THETA_V, u), left = p[BUENO_OROVIO_U_U] - u;
  const double above = z < 1 ? 2 * p[BUENO_OROVIO_WIDTH] * z * z * z * (1 - 0.5 * z) : u - p[BUENO_OROVIO_THETA_V];
  const double fast = above * left / p[BUENO_OROVIO_TAU_FI], slow = Hw.value / p[BUENO_OROVIO_TAU_SI];
  const BuenoOrovioValue tau_so =
      bueno_orovio_between(c, BUENO_OROVIO_TAU_SO1, bueno_orovio_sigmoid(c, BUENO_OROVIO_K_SO, u));
  const BuenoOrovioValue open = bueno_orovio_rest_over(Hw, bueno_orovio_between(c, BUENO_OROVIO_TAU_O1, Ho));
  const double so = (u - p[BUENO_OROVIO_U_O]) * open.value + Hw.value / tau_so.value;
  const double so_by_u = open.value + (u - p[BUENO_OROVIO_U_O]) * open.by_u +
                         (Hw.by_u - Hw.value * tau_so.by_u / tau_so.value) / tau_so.value;
  *by_V =
      v * (Hv.value * left - above) / p[BUENO_OROVIO_TAU_FI] - so_by_u + Hw.by_u * w * s[2] / p[BUENO_OROVIO_TAU_SI];
  by_s[0] = amplitude * fast;
  by_s[1] = amplitude * slow * s[2];
  by_s[2] = amplitude * slow * w;
  return amplitude * (v * fast - so + slow * w * s[2]);
}

HD double bueno_orovio_rest(const IonicConstants *c, double *s) {
  BuenoOrovioValue gain[3], loss[3];
  bueno_orovio_gates(c, c->value[BUENO_OROVIO_U_O], gain, loss);
  for (int j = 0; j < 3; ++j) s[j] = gain[j].value / loss[j].value;
  return c->value[BUENO_OROVIO_REST] + c->value[BUENO_OROVIO_AMPLITUDE] * c->value[BUENO_OROVIO_U_O];
}

/* Of the fast inward current with its gate open, at theta_v: 1/ms. */
HD double bueno_orovio_max_slope(const IonicConstants *c) {
  return (c->value[BUENO_OROVIO_U_U] - c->value[BUENO_OROVIO_THETA_V]) / c->value[BUENO_OROVIO_TAU_FI];
}

#ifdef IONIC_TABLES
#define TIME(name, value, meaning)                                                                                     \
  { name, "ms", value, false, 0, INFINITY, true, true, meaning }
#define LEVEL(name, value, meaning)                                                                                    \
  { name, "1", value, false, -INFINITY, INFINITY, true, true, meaning }
static const Param bueno_orovio_param[BUENO_OROVIO_PARAMS] = {
    LEVEL("u-o", 0, "u at rest"),
    LEVEL("u-u", 1.55, "u at which the fast inward current turns"),
    LEVEL("theta-v", 0.3, "threshold of the fast inward current"),
    LEVEL("theta-w", 0.13, "threshold of the slow currents"),
    LEVEL("theta-v-minus", 0.006, "threshold of the recovery of v"),
    LEVEL("theta-o", 0.006, "threshold of the outward current"),
    TIME("tau-v1-minus", 60, "v recovers below theta-v-minus"),
    TIME("tau-v2-minus", 1150, "v recovers above it"),
    TIME("tau-v-plus", 1.4506, "v closes"),
    TIME("tau-w1-minus", 60, "w recovers at low u"),
    TIME("tau-w2-minus", 15, "w recovers at high u"),
    {"k-w-minus", "1", 65, false, 0, INFINITY, true, true, "steepness between the two"},
    LEVEL("u-w-minus", 0.03, "u between the two"),
    TIME("tau-w-plus", 200, "w closes"),
    TIME("tau-fi", 0.11, "of the fast inward current: upstroke"),
    TIME("tau-o1", 400, "of the outward current below theta-o"),
    TIME("tau-o2", 6, "of the outward current above it"),
    TIME("tau-so1", 30.0181, "of the slow outward current at low u"),
    TIME("tau-so2", 0.9957, "of the slow outward current at high u"),
    {"k-so", "1", 2.0458, false, 0, INFINITY, true, true, "steepness between the two"},
    LEVEL("u-so", 0.65, "u between the two"),
    TIME("tau-s1", 2.7342, "of s below theta-w"),
    TIME("tau-s2", 16, "of s above it"),
    {"k-s", "1", 2.0994, false, 0, INFINITY, true, true, "steepness of s over u"},
    LEVEL("u-s", 0.9087, "u at which s is a half"),
    TIME("tau-si", 1.8875, "of the slow inward current: plateau"),
    {"tau-w-inf", "1", 0.07, false, 0, INFINITY, true, true, "u that closes w below theta-o"},
    LEVEL("w-inf", 0.94, "w above theta-o"),
    {"gate-width", "1", 2e-4, false, 1e-4, 0.005, false, false, "half the width of the steps; the authors' is 0"},
    {"rest", "mV", -84, false, -INFINITY, INFINITY, true, true, "u = 0"},
    {"amplitude", "mV", 85.7, false, 0, INFINITY, true, true, "from u = 0 to u = 1"},
};
#undef TIME
#undef LEVEL
static const IonicPreset bueno_orovio_preset[] = {
    {"epi", "epicardium", {0,  1.55,   0.3,    0.13,   0.006, 0.006, 60,      1150,   1.4506, 60,   15,
                           65, 0.03,   200,    0.11,   400,   6,     30.0181, 0.9957, 2.0458, 0.65, 2.7342,
                           16, 2.0994, 0.9087, 1.8875, 0.07,  0.94,  2e-4,    -84,    85.7}},
    {"endo", "endocardium", {0,   1.56,   0.3,    0.13,   0.2,    0.006, 75,   10,  1.4506, 6,    140,
                             200, 0.016,  280,    0.1,    470,    6,     40,   1.2, 2,      0.65, 2.7342,
                             2,   2.0994, 0.9087, 2.9013, 0.0273, 0.78,  2e-4, -84, 85.7}},
    {"mid", "midmyocardium", {0,   1.61,   0.3,    0.13,   0.1,  0.005, 80,   1.4506, 1.4506, 70,  8,
                              200, 0.016,  280,    0.078,  410,  7,     91,   0.8,    2.1,    0.6, 2.7342,
                              4,   2.0994, 0.9087, 3.3849, 0.01, 0.5,   2e-4, -84,    85.7}},
    {"pb",
     "as the ventricular cell of Priebe and Beuckelmann 1998",
     {0, 1.45,    0.35,   0.13,   0.175, 0.006,  10, 1150,   1.4506, 140,    6.25,  65,  0.015, 326, 0.105, 400,
      6, 30.0181, 0.9957, 2.0458, 0.65,  2.7342, 16, 2.0994, 0.9087, 1.8875, 0.175, 0.9, 2e-4,  -84, 85.7}},
    {"tnnp",
     "as that of ten Tusscher, Noble, Noble and Panfilov 2004",
     {0, 1.58, 0.3, 0.015, 0.015, 0.006,  60, 1150,   1.4506, 70,     20,   65,   0.03, 280, 0.11, 6,
      6, 43,   0.2, 2,     0.65,  2.7342, 3,  2.0994, 0.9087, 2.8723, 0.07, 0.94, 2e-4, -84, 85.7}},
};
static const char bueno_orovio_meaning[] =
    "Bueno-Orovio, Cherry and Fenton 2008: the minimal model of human ventricles, three currents and three gates";
#endif
