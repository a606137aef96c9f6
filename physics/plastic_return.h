/* The implicit return of metals that flow (physics/plastic.h): its parameters and states, phi(dp), its root, and what is left of it. */
#pragma once
#include "physics/curve.h"
#include "physics/logarithmic.h"

enum {
  PLASTIC_BACKS = 3,
  PLASTIC_YOUNG = 0,
  PLASTIC_POISSON,
  PLASTIC_YIELD,
  PLASTIC_TO, /* saturation */
  PLASTIC_RATE,
  PLASTIC_BACK, /* pairs of C and gamma */
  PLASTIC_NORM, /* creep */
  PLASTIC_EXPONENT,
  PLASTIC_EXPANSION,
  PLASTIC_THICKNESS,
  PLASTIC_DENSITY,
  PLASTIC_PARAMS
};

/* Of small strains ep, of finite ones C_p^-1 - 1 or, beside backstresses, the logarithmic ep, in the order xx yy zz xy yz xz; p; the
 * integral of sigma:dep; the A_i; and, where C and gamma depend on it, the temperature at which the A_i are. */
#define PLASTIC_BACK_STATES(STATE, k)                                                                                  \
  STATE("backstress-" #k "-xx", "center of the yield surface", STRESS, 0)                                              \
  STATE("backstress-" #k "-yy", "center of the yield surface", STRESS, 0)                                              \
  STATE("backstress-" #k "-zz", "center of the yield surface", STRESS, 0)                                              \
  STATE("backstress-" #k "-xy", "center of the yield surface", STRESS, 0)                                              \
  STATE("backstress-" #k "-yz", "center of the yield surface", STRESS, 0)                                              \
  STATE("backstress-" #k "-xz", "center of the yield surface", STRESS, 0)
#define plastic_states(STATE)                                                                                          \
  STATE("plastic-xx", "plastic strain; at finite strain C_p^-1 - 1 where no backstress is", NONE, 0)                   \
  STATE("plastic-yy", "plastic strain; at finite strain C_p^-1 - 1 where no backstress is", NONE, 0)                   \
  STATE("plastic-zz", "plastic strain; at finite strain C_p^-1 - 1 where no backstress is", NONE, 0)                   \
  STATE("plastic-xy", "plastic strain of the tensor; at finite strain C_p^-1 - 1 where no backstress is", NONE, 0)     \
  STATE("plastic-yz", "plastic strain of the tensor; at finite strain C_p^-1 - 1 where no backstress is", NONE, 0)     \
  STATE("plastic-xz", "plastic strain of the tensor; at finite strain C_p^-1 - 1 where no backstress is", NONE, 0)     \
  STATE("plastic-strain", "equivalent plastic strain, accumulated", NONE, 0)                                           \
  STATE("plastic-work", "work of the stress on the plastic strain, per volume", STRESS, 0)                             \
  PLASTIC_BACK_STATES(STATE, 1)                                                                                        \
  PLASTIC_BACK_STATES(STATE, 2)                                                                                        \
  PLASTIC_BACK_STATES(STATE, 3)                                                                                        \
  STATE("backstress-temperature", "above the reference, of backstresses whose C depends on it", TEMPERATURE, 0)
enum { PLASTIC_P = 6, PLASTIC_WORK, PLASTIC_A, PLASTIC_HEAT = PLASTIC_A + 6 * PLASTIC_BACKS, PLASTIC_STATES };

/* Where the step of a point begins: its law, of which all that depends on the temperature at that of the step's end, and its states;
 * the yield stress and the backstresses, which are true stresses, count `stretch` times. A law without one creeps under any stress. */
typedef struct PlasticStart {
  const double *law, *old;
  CurveBlend yield, backs;
  double dt, stretch, shear, bulk, norm, exponent, temperature;
  int n_back;
} PlasticStart;
HD PlasticStart plastic_start(const double *law, const PointIn *in, const double stretch) {
  const double young = property_at(law, PLASTIC_YOUNG, in->temperature),
               poisson = property_at(law, PLASTIC_POISSON, in->temperature);
  PlasticStart a = {law,
                    in->old,
                    {NULL, NULL, 0},
                    {NULL, NULL, 0},
                    in->dt,
                    stretch,
                    young / (2 * (1 + poisson)),
                    young / (3 - 6 * poisson),
                    property_at(law, PLASTIC_NORM, in->temperature),
                    property_at(law, PLASTIC_EXPONENT, in->temperature),
                    in->temperature,
                    0};
  if (law[PLASTIC_YIELD] > 0) a.yield = curve_blend(law, PLASTIC_YIELD, in->temperature);
  if (law[PLASTIC_BACK] > 0) a.backs = curve_blend(law, PLASTIC_BACK, in->temperature), a.n_back = (int)*a.backs.low;
  return a;
}

/* The yield stress at p, its slope, and what it works up to there. */
HD double plastic_yield(const PlasticStart *a, const double p, double *slope) {
  double none;
  *slope = 0;
  if (!a->yield.low) return 0;
  const double y = blend_at(&a->yield, p, slope), rate = a->law[PLASTIC_RATE];
  if (!(rate > 0)) return y;
  const double more = a->law[PLASTIC_TO] - blend_at(&a->yield, 0, &none);
  const double less = expm1(-rate * p);
  *slope += more * rate * (1 + less);
  return y - more * less;
}
HD double plastic_work(const PlasticStart *a, const double to) {
  const double from = a->old[PLASTIC_P], rate = a->law[PLASTIC_RATE];
  double none;
  if (!a->yield.low) return 0;
  const double work = blend_area(&a->yield, from, to);
  if (!(rate > 0)) return work;
  const double more = a->law[PLASTIC_TO] - blend_at(&a->yield, 0, &none);
  return work + more * (to - from + (exp(-rate * to) - exp(-rate * from)) / rate);
}

/* C and gamma of backstress i, which are the first and the second of a pair. */
HD double plastic_pair(const CurveBlend *backs, const int i, const int k) {
  const double low = backs->low[1 + 2 * i + k];
  return backs->share == 0 ? low : low + backs->share * (backs->high[1 + 2 * i + k] - low);
}
HD bool plastic_warm_backs(const double *law) { return law[PLASTIC_BACK] > 0 && law[(int64_t)law[PLASTIC_BACK]] < 0; }

/* What the temperature makes of backstress i before any flow: A/C, a strain, is kept (Chaboche 1989). */
HD double plastic_kept(const PlasticStart *a, const int i) {
  if (!plastic_warm_backs(a->law)) return 1;
  const CurveBlend before = curve_blend(a->law, PLASTIC_BACK, a->old[PLASTIC_HEAT]);
  return plastic_pair(&a->backs, i, 0) / plastic_pair(&before, i, 0);
}

/* A step of flow: how much, in which direction, and what the tangent needs. Tensors row by row. */
typedef struct PlasticFlow {
  double dp, n[9]; /* 3/2 xi/q(xi), n:n = 3/2 */
  double q;        /* q(xi) */
  double over;     /* creep: the stress beyond the yield stress */
  double slope;    /* d phi/d dp, below 0 */
  double turn[9];  /* stretch times the sum of gamma theta^2 A */
} PlasticFlow;

HD double plastic_q(const double *x) {
  double square = 0;
  for (int k = 0; k < 9; ++k) square += x[k] * x[k];
  return sqrt(1.5 * square);
}

/* Component k of a symmetric tensor row by row among six. */
HD int plastic_voigt(const int k) {
  const int voigt[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
  return voigt[k];
}

/* What the body begins with (LAW_INITIAL): the change of volume, and component k of the deviator. */
HD double plastic_initial_volume(const double *law) {
  return law[LAW_INITIAL] + law[LAW_INITIAL + 1] + law[LAW_INITIAL + 2];
}
HD double plastic_initial(const double *law, const int k) {
  const double strain = law[LAW_INITIAL + plastic_voigt(k)];
  return k % 4 == 0 ? strain - plastic_initial_volume(law) / 3 : 0.5 * strain;
}

/* phi(dp) = q(xi) - 3 G dp - stretch (sum C theta dp + sy(p + dp)), xi = s - stretch sum theta A, theta = 1/(1 + gamma dp). Where dp > 0
 * `flow` has come from dp = 0: without backstress its direction stays. */
HD double plastic_phi(const PlasticStart *a, const double *s, const double dp, PlasticFlow *flow) {
  double xi[9], hard = 3 * a->shear, pull = hard * dp, rise;
  flow->dp = dp;
  if (dp > 0 && a->n_back == 0) {
    const double resists = plastic_yield(a, a->old[PLASTIC_P] + dp, &rise);
    flow->slope = -hard - a->stretch * rise;
    return flow->q - pull - a->stretch * resists;
  }
  for (int k = 0; k < 9; ++k) xi[k] = s[k], flow->turn[k] = 0;
  for (int i = 0; i < a->n_back; ++i) {
    const double C = a->stretch * plastic_pair(&a->backs, i, 0), gamma = plastic_pair(&a->backs, i, 1),
                 theta = 1 / (1 + gamma * dp), kept = a->stretch * plastic_kept(a, i);
    hard += C * theta * theta;
    pull += C * theta * dp;
    for (int k = 0; k < 9; ++k) {
      const double A = kept * a->old[PLASTIC_A + 6 * i + plastic_voigt(k)];
      xi[k] -= theta * A;
      flow->turn[k] += gamma * theta * theta * A;
    }
  }
  flow->q = plastic_q(xi);
  const double y = plastic_yield(a, a->old[PLASTIC_P] + dp, &rise);
  flow->slope = -hard - a->stretch * rise;
  for (int k = 0; k < 9; ++k) {
    flow->n[k] = flow->q > 0 ? 1.5 * xi[k] / flow->q : 0;
    flow->slope += flow->n[k] * flow->turn[k];
  }
  return flow->q - pull - a->stretch * y;
}

/* By how much q(xi) may grow with dp: backstresses that are larger than their law at this temperature lets them become fall while
 * metal flows, and xi with dp is at most xi(0) and what they were. 0 where the temperature leaves the law as it is. */
HD double plastic_lent(const PlasticStart *a) {
  double lent = 0, A[9];
  for (int i = 0; i < a->n_back && plastic_warm_backs(a->law); ++i) {
    if (!(plastic_pair(&a->backs, i, 1) > 0)) continue;
    for (int k = 0; k < 9; ++k) A[k] = plastic_kept(a, i) * a->old[PLASTIC_A + 6 * i + plastic_voigt(k)];
    lent += a->stretch * plastic_q(A);
  }
  return lent;
}

/* Creep from phi(0) > 0: phi(dp) = stretch over with dp = norm dt over^exponent, solved for `over`, where both are smooth, from the
 * smaller of its bounds, where one of the two terms alone bears phi(0). */
HD int plastic_creep(const PlasticStart *a, const double *s, const double phi0, PlasticFlow *flow) {
  const double rate = a->norm * a->dt, n = a->exponent, size = flow->q, bound = phi0 + plastic_lent(a);
  const double stretch = a->stretch, most = pow(bound / (3 * a->shear * rate), 1 / n);
  double low = 0, high = fmin(bound / stretch, most), phi = 0, over = high;
  for (int step = 0; step < 100; ++step) {
    phi = plastic_phi(a, s, rate * pow(over, n), flow) - stretch * over;
    const double slope = flow->slope * n * flow->dp / over - stretch;
    double next = over - phi / slope;
    if (fabs(phi) <= 1e-15 * (1 + n) * size) break;
    if (phi > 0) low = over;
    else high = over;
    if (!(slope < 0) || !(next >= low && next <= high)) next = 0.5 * (low + high);
    if (next == over || high - low <= 1e-16 * high) break;
    over = next;
  }
  flow->over = over;
  if (flow->dp > 0) flow->slope -= stretch * over / (n * flow->dp);
  return !(fabs(phi) <= 1e-12 * (1 + n) * size);
}

/* The return of the trial deviator s in a step that takes time: Newton's method for dp, kept between bounds where phi has both signs. 1: it has no
 * solution. */
HD int plastic_return(const PlasticStart *a, const double *s, PlasticFlow *flow) {
  double low = 0, phi = plastic_phi(a, s, 0, flow);
  const double size = flow->q, three = 3 * a->shear;
  flow->over = 0;
  if (!(phi > 1e-14 * size)) return !(size <= 1.7e308);
  if (a->dt == 0) return 0; /* as the step ended: on the yield surface, with nothing that flows further */
  if (a->norm > 0 && a->dt > 0) return plastic_creep(a, s, phi, flow);
  if (a->norm > 0 && !a->yield.low) return 0; /* nothing creeps, and nothing yields */
  double high = (phi + plastic_lent(a)) / three, dp = 0;
  for (int step = 0; step < 100; ++step) {
    double next = dp - phi / flow->slope;
    if (!(flow->slope < 0) || !(next > low && next <= high)) next = 0.5 * (low + high);
    if (next == dp) return 0;
    dp = next;
    phi = plastic_phi(a, s, dp, flow);
    if (fabs(phi) <= 1e-15 * size || high - low <= 1e-16 * high) return 0;
    if (phi > 0) low = dp;
    else high = dp;
  }
  return !(fabs(phi) <= 1e-12 * size);
}

/* What the flow leaves: plastic strain, p, work, backstresses. */
HD void plastic_accept(const PlasticStart *a, const PlasticFlow *flow, double *state) {
  const int first[6] = {0, 4, 8, 1, 5, 2};
  const double *old = a->old;
  state[PLASTIC_P] = old[PLASTIC_P] + flow->dp;
  state[PLASTIC_WORK] = old[PLASTIC_WORK] + plastic_work(a, state[PLASTIC_P]) + flow->over * flow->dp;
  for (int k = 0; k < 6; ++k) {
    const double n = flow->n[first[k]], both = k < 3 ? 0.5 : 1; /* the mean of before and after, shear twice */
    state[k] = old[k] + flow->dp * n;
    for (int i = 0; i < a->n_back; ++i) {
      const double theta = 1 / (1 + plastic_pair(&a->backs, i, 1) * flow->dp);
      const double A = plastic_kept(a, i) * old[PLASTIC_A + 6 * i + k];
      const double to = theta * (A + 2.0 / 3 * plastic_pair(&a->backs, i, 0) * flow->dp * n);
      state[PLASTIC_A + 6 * i + k] = to;
      state[PLASTIC_WORK] += both * (A + to) * flow->dp * n;
    }
  }
  if (!plastic_warm_backs(a->law)) return;
  for (int k = PLASTIC_A + 6 * a->n_back; k < PLASTIC_HEAT; ++k) state[k] = old[k];
  state[PLASTIC_HEAT] = a->temperature;
}

/* What the backstresses store: 3/4 A:A/C of each (Simo and Hughes, Computational Inelasticity, 1998, section 2.3: the energy of linear
 * kinematic hardening). */
HD double plastic_stored(const CurveBlend *backs, const int n, const double *state, const int64_t stride) {
  double energy = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 6; ++k) {
      const double A = state[(PLASTIC_A + 6 * i + k) * stride];
      energy += (k < 3 ? 0.75 : 1.5) * A * A / plastic_pair(backs, i, 0);
    }
  return energy;
}

/* Of a step: the integral over dp of what flow has to overcome. */
HD double plastic_potential(const PlasticStart *a, const PlasticFlow *flow) {
  const double n = a->exponent;
  return plastic_work(a, a->old[PLASTIC_P] + flow->dp) + flow->over * flow->dp * n / (n + 1);
}

/* D = K 1 (x) 1 + 2 G Idev - 2 G (n (x) g + dp dn), its symmetric part: g = d dp/d eps = -2 G n/slope,
 * dn = 3/(2 q) X - n (x) (n : X)/q, X = 2 G Idev + turn (x) g. */
HD void plastic_tangent(const PlasticStart *a, const PlasticFlow *flow, double *D) {
  const double G = a->shear, K = a->bulk, dp = flow->dp;
  const double per = flow->q > 0 ? dp / flow->q : 0, g = dp > 0 ? -2 * G / flow->slope : 0;
  double along = 0; /* n : turn */
  for (int k = 0; k < 9; ++k) along += flow->n[k] * flow->turn[k];
  for (int k = 0; k < 9; ++k)
    for (int l = 0; l < 9; ++l) {
      const double deviator = 0.5 * ((k == l) + (k == l % 3 * 3 + l / 3)) - (k % 4 == 0 && l % 4 == 0 ? 1.0 / 3 : 0);
      const double nn = flow->n[k] * flow->n[l];
      const double turn = 0.5 * (flow->turn[k] * flow->n[l] + flow->n[k] * flow->turn[l]);
      D[9 * k + l] = (k % 4 == 0 && l % 4 == 0 ? K : 0) + 2 * G * (1 - 3 * G * per) * deviator -
                     2 * G * ((g - 2 * G * per) * nn + per * g * (1.5 * turn - along * nn));
    }
}
