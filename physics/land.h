/* Active tension of human heart muscle, of Land, Park-Holohan, Smith, dos Remedios, Kentish and Niederer (J. Mol. Cell. Cardiol. 106,
 * 2017, 68-83), whose cross-bridges are distorted as the fibre moves:
 *   T = h(l) t-ref/r-s ((zs + 1) S + zw W),  h = max(0, 1 + beta-0 (l + min(l, 0.87) - 1.87)),  l = min(stretch, 1.2)
 * of the shares S, W, B of cross-bridges that are strong, weak and blocked, U = 1 - S - W - B, the share C of troponin with calcium,
 * and the distortions zs and zw. Passive terms of the paper are those of the material.
 * A step: C relaxes exactly, zs and zw are exact where the stretch is straight in the step, and S, W, B by backward Euler, which
 * is linear in U and keeps shares within 0 and 1 whatever the step. */
#pragma once
#include "physics/tension_model.h"

enum {
  LAND_CA50,
  LAND_T_REF,
  LAND_K_UW,
  LAND_K_WS,
  LAND_K_U,
  LAND_N_TM,
  LAND_R_S,
  LAND_R_W,
  LAND_BETA_0,
  LAND_BETA_1,
  LAND_K_TRPN,
  LAND_N_TRPN,
  LAND_TRPN_50,
  LAND_GAMMA_S,
  LAND_GAMMA_W,
  LAND_PHI,
  LAND_A_EFF,
  LAND_PARAMS,
  LAND_S = 0,
  LAND_W,
  LAND_B,
  LAND_C,
  LAND_ZS,
  LAND_ZW
};

/* A number, and its derivative by the stretch. */
typedef struct LandNumber {
  double x, d;
} LandNumber;

/* The longest stretch that counts, and the least from which shortening weakens fibres twice. */
#define LAND_LONGEST 1.2
#define LAND_OVERLAP 0.87

HD LandNumber land_overlap(const double *v, double stretch) {
  const double l = fmin(stretch, LAND_LONGEST), slope = stretch < LAND_LONGEST ? v[LAND_BETA_0] : 0;
  const double h = 1 + v[LAND_BETA_0] * (l + fmin(l, LAND_OVERLAP) - 1 - LAND_OVERLAP);
  return h > 0 ? (LandNumber){h, slope * (l < LAND_OVERLAP ? 2 : 1)} : (LandNumber){0, 0};
}

/* How fast troponin takes calcium up, over how fast it lets go. */
HD LandNumber land_uptake(const double *v, double calcium, double stretch) {
  const double half = v[LAND_CA50] + v[LAND_BETA_1] * (fmin(stretch, LAND_LONGEST) - 1);
  const double r = pow(calcium / half, v[LAND_N_TRPN]);
  return (LandNumber){r, stretch < LAND_LONGEST ? -r * v[LAND_N_TRPN] / half * v[LAND_BETA_1] : 0};
}

HD LandNumber land_troponin(const double *v, const TensionIn *in) {
  const LandNumber r = land_uptake(v, in->drive, in->stretch);
  const double target = r.x / (1 + r.x), x = v[LAND_K_TRPN] * (1 + r.x) * in->dt, left = exp(-x);
  const double away = in->old[LAND_C] - target, by_target = r.d / ((1 + r.x) * (1 + r.x));
  return (LandNumber){target + away * left, by_target * (1 - left) - away * left * v[LAND_K_TRPN] * r.d * in->dt};
}

/* A distortion that fades at the rate c. */
HD LandNumber land_distortion(const double *v, const TensionIn *in, double old, double c) {
  const double x = c * in->dt, A = v[LAND_A_EFF] * v[LAND_R_S] / ((1 - v[LAND_R_S]) * v[LAND_R_W] + v[LAND_R_S]);
  const double reach = A * (x > 1e-12 ? -expm1(-x) / x : 1);
  return (LandNumber){old * exp(-x) + reach * (in->stretch - in->stretch_old), reach};
}

/* One step of S, W, B: each is what it was plus what U feeds, over 1 + dt times the rates at which it is left. */
HD void land_shares(const double *v, const TensionIn *in, LandNumber C, LandNumber zs, LandNumber zw, double share[3],
                    double by[3]) {
  const double rs = v[LAND_R_S], rw = v[LAND_R_W], dt = in->dt, half = v[LAND_N_TM] / 2, most = 100;
  const double kuw = v[LAND_K_UW], kws = v[LAND_K_WS], ksu = kws * rw * (1 / rs - 1), kwu = kuw * (1 / rw - 1) - kws;
  const double gs = v[LAND_GAMMA_S], gw = v[LAND_GAMMA_W], *old = in->old;
  const double lost = zs.x > 0 ? zs.x : zs.x < -1 ? -zs.x - 1 : 0, by_lost = zs.x > 0 ? 1 : zs.x < -1 ? -1 : 0;
  const double S = 1 + dt * (ksu + gs * lost), dS = dt * gs * by_lost * zs.d;
  const double W = 1 + dt * (kwu + kws + gw * fabs(zw.x)), dW = dt * gw * (zw.x > 0 ? 1 : -1) * zw.d;
  const double open = pow(C.x, half), by_open = C.x > 0 ? half * open / C.x * C.d : 0;
  const double B = 1 + dt * v[LAND_K_U] * open, dB = dt * v[LAND_K_U] * by_open;
  const double kb = v[LAND_K_U] * pow(v[LAND_TRPN_50], v[LAND_N_TM]) / (1 - rs - (1 - rs) * rw);
  const double shut = kb * dt * (open * most > 1 ? 1 / open : most);
  const double dshut = open * most > 1 ? -shut / open * by_open : 0, feed = dt * kuw, on = 1 + dt * kws / S;
  const double don = -dt * kws * dS / (S * S);
  const double rest = 1 - old[LAND_B] / B - old[LAND_S] / S - on * old[LAND_W] / W;
  const double drest =
      old[LAND_B] * dB / (B * B) + old[LAND_S] * dS / (S * S) - don * old[LAND_W] / W + on * old[LAND_W] * dW / (W * W);
  const double all = 1 + shut / B + on * feed / W;
  const double dall = (dshut - shut * dB / B) / B + feed * (don - on * dW / W) / W;
  const double U = rest / all, dU = (drest - U * dall) / all;
  share[LAND_W] = (old[LAND_W] + feed * U) / W;
  share[LAND_S] = (old[LAND_S] + dt * kws * share[LAND_W]) / S;
  share[LAND_B] = (old[LAND_B] + shut * U) / B;
  by[LAND_W] = (feed * dU - share[LAND_W] * dW) / W;
  by[LAND_S] = (dt * kws * by[LAND_W] - share[LAND_S] * dS) / S;
  by[LAND_B] = (dshut * U + shut * dU - share[LAND_B] * dB) / B;
}

HD void land_tension(const double *v, const TensionIn *in, TensionOut *out) {
  const double rs = v[LAND_R_S], rw = v[LAND_R_W];
  double share[3], by[3];
  const LandNumber h = land_overlap(v, in->stretch), C = land_troponin(v, in);
  const LandNumber zs = land_distortion(v, in, in->old[LAND_ZS], v[LAND_PHI] * v[LAND_K_WS] * (1 - rs) * rw / rs);
  const LandNumber zw = land_distortion(v, in, in->old[LAND_ZW], v[LAND_PHI] * v[LAND_K_UW] * (1 - rw) / rw);
  land_shares(v, in, C, zs, zw, share, by);
  const double scale = v[LAND_T_REF] / rs, pull = scale * ((zs.x + 1) * share[LAND_S] + zw.x * share[LAND_W]);
  out->tension = h.x * pull;
  out->slope =
      h.d * pull +
      h.x * scale * (zs.d * share[LAND_S] + (zs.x + 1) * by[LAND_S] + zw.d * share[LAND_W] + zw.x * by[LAND_W]);
  for (int k = LAND_S; k <= LAND_B; ++k) out->state[k] = share[k];
  out->state[LAND_C] = C.x, out->state[LAND_ZS] = zs.x, out->state[LAND_ZW] = zw.x;
}

HD void land_tension_begin(const double *v, double calcium, double stretch, double *s) {
  const LandNumber r = land_uptake(v, calcium, stretch);
  for (int k = LAND_S; k <= LAND_ZW; ++k) s[k] = 0;
  s[LAND_B] = 1;
  s[LAND_C] = r.x / (1 + r.x);
}

#define land_states(STATE)                                                                                             \
  STATE("strong", "share of cross-bridges that are strongly bound")                                                    \
  STATE("weak", "share that is weakly bound")                                                                          \
  STATE("blocked", "share that tropomyosin blocks")                                                                    \
  STATE("troponin", "share of troponin with calcium")                                                                  \
  STATE("distortion-strong", "of strongly bound cross-bridges")                                                        \
  STATE("distortion-weak", "of weakly bound ones")

#ifdef TENSION_TABLES
#define LAND_POSITIVE(name, unit, value, meaning)                                                                      \
  { name, unit, value, false, 0, INFINITY, true, true, meaning }
#define LAND_SHARE(name, value, meaning)                                                                               \
  { name, "1", value, false, 0, 1, true, true, meaning }
static const Param land_param[LAND_PARAMS] = {
    LAND_POSITIVE("ca50", "uM", 0.805, "calcium that half of the troponin holds at stretch 1"),
    LAND_POSITIVE("t-ref", "kPa", 120, "tension of all cross-bridges at stretch 1"),
    LAND_POSITIVE("k-uw", "1/ms", 0.182, "rate from unbound to weak"),
    LAND_POSITIVE("k-ws", "1/ms", 0.012, "rate from weak to strong"),
    LAND_POSITIVE("k-u", "1/ms", 1, "rate at which tropomyosin unblocks"),
    LAND_POSITIVE("n-tm", "1", 5, "cooperativity of tropomyosin"),
    LAND_SHARE("r-s", 0.25, "share that is strong, fully activated"),
    LAND_SHARE("r-w", 0.5, "share of the others that is weak then"),
    {"beta-0", "1", 2.3, false, 0, INFINITY, false, true, "of the tension by the stretch"},
    {"beta-1", "uM", -2.4, false, -INFINITY, INFINITY, true, true, "of ca50 by the stretch"},
    LAND_POSITIVE("k-trpn", "1/ms", 0.1, "rate at which troponin lets calcium go"),
    LAND_POSITIVE("n-trpn", "1", 2, "cooperativity of troponin"),
    LAND_SHARE("trpn-50", 0.35, "share of troponin with calcium at which half is unblocked"),
    {"gamma-s", "1/ms", 0.0085, false, 0, INFINITY, false, true, "rate at which distortion breaks strong ones"},
    {"gamma-w", "1/ms", 0.615, false, 0, INFINITY, false, true, "and weak ones"},
    LAND_POSITIVE("phi", "1", 2.23, "how fast distortion fades, over the rate of exchange"),
    {"a-eff", "1", 25, false, 0, INFINITY, false, true, "distortion by the stretch"},
};
#define LAND_SET(ca50, t_ref, kuw, kws, ku, n)                                                                         \
  { ca50, t_ref, kuw, kws, ku, n, 0.25, 0.5, 2.3, -2.4, 0.1, 2, 0.35, 0.0085, 0.615, 2.23, 25 }
static const TensionPreset land_preset[] = {
    {"whole-organ", "of the paper, for hearts", LAND_SET(0.805, 120, 0.182, 0.012, 1, 5)},
    {"margara", "with ToR-ORd (Margara et al. 2021)", LAND_SET(0.805, 120, 0.182, 0.012, 0.021, 2.036)},
    {"ord-land", "with O'Hara and Rudy, of simcardems", LAND_SET(0.805, 120, 0.182, 0.012, 0.04, 2.4)},
    {"skinned", "of the paper, of skinned cells", LAND_SET(2.5, 40.5, 0.026, 0.004, 1, 2.2)},
};
static Status land_check(const double *v) {
  CHECK(v[LAND_K_UW] * (1 / v[LAND_R_W] - 1) >= v[LAND_K_WS], ERR_INPUT,
        "k-ws is %g per ms: more leave the weak state than k-uw, %g, and r-w, %g, allow\n  allowed: k-ws <= k-uw "
        "(1/r-w - 1)",
        v[LAND_K_WS], v[LAND_K_UW], v[LAND_R_W]);
  CHECK(v[LAND_CA50] + v[LAND_BETA_1] * (LAND_LONGEST - 1) > 0, ERR_INPUT,
        "ca50 is %g uM and beta-1 %g: no calcium would be left to bind at a stretch of %g\n  allowed: ca50 + %g "
        "beta-1 > 0",
        v[LAND_CA50], v[LAND_BETA_1], LAND_LONGEST, LAND_LONGEST - 1);
  return OK;
}
static const TensionShape land_shape = {.drive = TENSION_BY_CALCIUM, .stretches = true};
static const char land_meaning[] = "human heart muscle of Land et al. 2017, by calcium, stretch and its rate";
#endif
