/* The minimal ventricular model of Bueno-Orovio, Cherry and Fenton (2008) written down once more, as its authors write
 * it: steps are jumps, the potential is u. For tests that compare. */
#pragma once
#include <math.h>

/* Table 1 of the authors, by columns EPI, ENDO, M. */
typedef struct Table {
  double u_o, u_u, theta_v, theta_w, theta_v_minus, theta_o, tau_v1, tau_v2, tau_v_plus, tau_w1, tau_w2, k_w, u_w,
      tau_w_plus, tau_fi, tau_o1, tau_o2, tau_so1, tau_so2, k_so, u_so, tau_s1, tau_s2, k_s, u_s, tau_si, tau_w_inf,
      w_inf;
} Table;
static const Table EPI = {.u_u = 1.55,
                          .theta_v = 0.3,
                          .theta_w = 0.13,
                          .theta_v_minus = 0.006,
                          .theta_o = 0.006,
                          .tau_v1 = 60,
                          .tau_v2 = 1150,
                          .tau_v_plus = 1.4506,
                          .tau_w1 = 60,
                          .tau_w2 = 15,
                          .k_w = 65,
                          .u_w = 0.03,
                          .tau_w_plus = 200,
                          .tau_fi = 0.11,
                          .tau_o1 = 400,
                          .tau_o2 = 6,
                          .tau_so1 = 30.0181,
                          .tau_so2 = 0.9957,
                          .k_so = 2.0458,
                          .u_so = 0.65,
                          .tau_s1 = 2.7342,
                          .tau_s2 = 16,
                          .k_s = 2.0994,
                          .u_s = 0.9087,
                          .tau_si = 1.8875,
                          .tau_w_inf = 0.07,
                          .w_inf = 0.94};
static const Table ENDO = {.u_u = 1.56,
                           .theta_v = 0.3,
                           .theta_w = 0.13,
                           .theta_v_minus = 0.2,
                           .theta_o = 0.006,
                           .tau_v1 = 75,
                           .tau_v2 = 10,
                           .tau_v_plus = 1.4506,
                           .tau_w1 = 6,
                           .tau_w2 = 140,
                           .k_w = 200,
                           .u_w = 0.016,
                           .tau_w_plus = 280,
                           .tau_fi = 0.1,
                           .tau_o1 = 470,
                           .tau_o2 = 6,
                           .tau_so1 = 40,
                           .tau_so2 = 1.2,
                           .k_so = 2,
                           .u_so = 0.65,
                           .tau_s1 = 2.7342,
                           .tau_s2 = 2,
                           .k_s = 2.0994,
                           .u_s = 0.9087,
                           .tau_si = 2.9013,
                           .tau_w_inf = 0.0273,
                           .w_inf = 0.78};
static const Table MID = {.u_u = 1.61,
                          .theta_v = 0.3,
                          .theta_w = 0.13,
                          .theta_v_minus = 0.1,
                          .theta_o = 0.005,
                          .tau_v1 = 80,
                          .tau_v2 = 1.4506,
                          .tau_v_plus = 1.4506,
                          .tau_w1 = 70,
                          .tau_w2 = 8,
                          .k_w = 200,
                          .u_w = 0.016,
                          .tau_w_plus = 280,
                          .tau_fi = 0.078,
                          .tau_o1 = 410,
                          .tau_o2 = 7,
                          .tau_so1 = 91,
                          .tau_so2 = 0.8,
                          .k_so = 2.1,
                          .u_so = 0.6,
                          .tau_s1 = 2.7342,
                          .tau_s2 = 4,
                          .k_s = 2.0994,
                          .u_s = 0.9087,
                          .tau_si = 3.3849,
                          .tau_w_inf = 0.01,
                          .w_inf = 0.5};

/* u v w s and their derivatives, word by word. */
static inline void authors(const Table *t, const double y[4], double dy[4]) {
  const double u = y[0], v = y[1], w = y[2], s = y[3];
  const double tau_v = u < t->theta_v_minus ? t->tau_v1 : t->tau_v2, v_inf = u < t->theta_v_minus ? 1 : 0;
  const double tau_w = t->tau_w1 + (t->tau_w2 - t->tau_w1) * (1 + tanh(t->k_w * (u - t->u_w))) / 2;
  const double w_inf = u < t->theta_o ? 1 - u / t->tau_w_inf : t->w_inf;
  const double tau_so = t->tau_so1 + (t->tau_so2 - t->tau_so1) * (1 + tanh(t->k_so * (u - t->u_so))) / 2;
  const double tau_s = u < t->theta_w ? t->tau_s1 : t->tau_s2, tau_o = u < t->theta_o ? t->tau_o1 : t->tau_o2;
  const double fi = u < t->theta_v ? 0 : -v * (u - t->theta_v) * (t->u_u - u) / t->tau_fi;
  const double so = u < t->theta_w ? (u - t->u_o) / tau_o : 1 / tau_so;
  const double si = u < t->theta_w ? 0 : -w * s / t->tau_si;
  dy[0] = -(fi + so + si);
  dy[1] = u < t->theta_v ? (v_inf - v) / tau_v : -v / t->tau_v_plus;
  dy[2] = u < t->theta_w ? (w_inf - w) / tau_w : -w / t->tau_w_plus;
  dy[3] = ((1 + tanh(t->k_s * (u - t->u_s))) / 2 - s) / tau_s;
}
