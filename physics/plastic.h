/* Metals that flow: the yield condition of von Mises, isotropic hardening by a curve and by saturation, kinematic hardening by
 * up to three backstresses of Armstrong and Frederick (Chaboche, Int. J. Plasticity 5, 1989, 247-302; Prager's where gamma
 * is 0), by an implicit return whose only unknown is the plastic strain of the step (Simo and Hughes, Computational
 * Inelasticity, 1998, chapters 3 and 9). With creep, stresses beyond the yield stress flow in time (Norton; Perzyna, Quart. Appl.
 * Math. 20, 1963, 321-332).
 *
 * Small strains, with ep and the A_i deviators, q(x) = sqrt(3/2 x:x) and dA_i = 2/3 C_i dep - gamma_i A_i dp:
 *   s = 2 G dev(eps - ep);  q(s - sum A_i) <= sy(p) + (to - sy(0)) (1 - exp(-rate p)),  or <= sy(p, T)
 *   creep, in place of <=:  dp/dt = norm (q(s - sum A_i) - sy - ...)^exponent
 * Finite strains, without backstress, by logarithms (Simo, Comput. Methods Appl. Mech. Eng. 99, 1992, 61-112): the same return
 * of ln l_A, b = F C_p^-1 F^T = sum l_A^2 n_A (x) n_A; stresses are Kirchhoff's, and sy, a true stress, counts times J. With
 * backstress, and behind small strains, in the logarithmic strain (physics/plastic_log.h). */
#pragma once
#include "physics/plastic_log.h"

/* How much the direction of flow differs from that in which the straight way of a step from H meets the yield surface: 1 - cos. */
HD double plastic_change_of_direction(const PlasticStart *from, const PointIn *in, const double *s,
                                      const PlasticFlow *flow) {
  const double G = from->shear, trace = in->before[0] + in->before[4] + in->before[8];
  double xi[9], way[9], a = 0, b = 0, c = 0, along = 0, none;
  for (int k = 0; k < 9; ++k) {
    const int v = plastic_voigt(k);
    const double mean = k % 4 == 0 ? trace / 3 : 0;
    xi[k] = 2 * G *
            (0.5 * (in->before[k] + in->before[k % 3 * 3 + k / 3]) + plastic_initial(from->law, k) - mean - in->old[v]);
    way[k] = s[k] - xi[k];
    for (int i = 0; i < from->n_back; ++i) xi[k] -= plastic_kept(from, i) * in->old[PLASTIC_A + 6 * i + v];
    a += way[k] * way[k], b += way[k] * xi[k], c += xi[k] * xi[k];
  }
  const double yield = plastic_yield(from, in->old[PLASTIC_P], &none), beyond = c - yield * yield / 1.5;
  const bool there = a > 0 && !(from->norm > 0 && beyond > 0); /* creep flows from where it is */
  const double at = there ? (-b + sqrt(b * b - a * fmin(beyond, 0.0))) / a : 0, part = fmin(at, 1.0); /* of the way */
  for (int k = 0; k < 9; ++k) xi[k] += part * way[k], along += xi[k] * flow->n[k];
  const double size = plastic_q(xi);
  return size > 0 ? fmax(1 - along / size, 0.0) : 0;
}

HD int plastic_small(const double *law, const PointIn *in, PointOut *out) {
  const PlasticStart start = plastic_start(law, in, 1);
  const double G = start.shear, K = start.bulk;
  PlasticFlow flow;
  double s[9], square = 0;
  const double trace = in->H[0] + in->H[4] + in->H[8];
  for (int k = 0; k < 9; ++k)
    s[k] = 2 * G *
           (0.5 * (in->H[k] + in->H[k % 3 * 3 + k / 3]) + plastic_initial(law, k) - in->old[plastic_voigt(k)] -
            (k % 4 == 0 ? trace / 3 : 0));
  if (plastic_return(&start, s, &flow)) return 1;
  const double mean = K * (trace + plastic_initial_volume(law));
  for (int k = 0; k < 9; ++k) {
    const double left = s[k] - 2 * G * flow.dp * flow.n[k];
    square += left * left;
    out->P[k] = left + (k % 4 == 0 ? mean : 0);
  }
  plastic_accept(&start, &flow, out->state);
  out->flow[FLOW_STRAIN] = flow.dp;
  out->flow[FLOW_DIRECTION] = in->before && flow.dp > 0 ? plastic_change_of_direction(&start, in, s, &flow) : 0;
  out->energy = mean * mean / (2 * K) + square / (4 * G) + plastic_potential(&start, &flow) +
                plastic_stored(&start.backs, start.n_back, out->state, 1);
  if (out->A) plastic_tangent(&start, &flow, out->A);
  return 0;
}

/* ---- finite strains ---- */
/* Logarithms of the trial's elastic stretches and their directions; 1: none. */
HD int plastic_stretches(const PointIn *in, const double *F, double *e, double *axis) {
  double S[9], FS[9], B[9], value[3];
  for (int k = 0; k < 9; ++k) S[k] = in->old[plastic_voigt(k)];
  finite_product(F, S, FS);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      B[3 * i + k] = in->H[3 * i + k] + in->H[3 * k + i];
      for (int j = 0; j < 3; ++j) B[3 * i + k] += in->H[3 * i + j] * in->H[3 * k + j] + FS[3 * i + j] * F[3 * k + j];
    }
  const double six[6] = {B[0], B[4], B[8], 0.5 * (B[1] + B[3]), 0.5 * (B[5] + B[7]), 0.5 * (B[2] + B[6])};
  elastic_eigen(six, value, axis);
  for (int a = 0; a < 3; ++a) {
    if (!(value[a] > -1)) return 1;
    e[a] = 0.5 * log1p(value[a]);
  }
  return 0;
}

/* C_p^-1 - 1 = F^-1 (b_e - F F^T) F^-T of what the return leaves of the stretches. */
HD void plastic_remember(const PointIn *in, const FiniteStrain *f, const double *left, const double *axis,
                         double *state) {
  const int first[6] = {0, 4, 8, 1, 5, 2};
  double R[9], T[9], b[9];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      R[3 * i + k] = -in->H[3 * i + k] - in->H[3 * k + i];
      b[3 * i + k] = f->b[3 * k + i]; /* F^-1 */
      for (int j = 0; j < 3; ++j)
        R[3 * i + k] += expm1(2 * left[j]) * axis[3 * j + i] * axis[3 * j + k] - in->H[3 * i + j] * in->H[3 * k + j];
    }
  finite_product(b, R, T);
  finite_product(T, f->b, R);
  for (int k = 0; k < 6; ++k) state[k] = 0.5 * (R[first[k]] + R[first[k] % 3 * 3 + first[k] / 3]);
}

/* A_iJkL = (c_ijkl + delta_ik tau_jl) F^-1_Jj F^-1_Ll, c in the frame of the stretches; by[a][b] = d tau_a / d e_b, and
 * scale, of which tau_a - tau_b = 2 G scale (e_a - e_b). c is made of dyads of six tensors: n_a n_a, and n_a n_b + n_b n_a. */
HD void plastic_push(const double *tau, double by[3][3], const double soft, const double *e, const double *axis,
                     const FiniteStrain *f, double *A) {
  double w[9], both[6 * 9], shear[9]; /* row a: F^-1 n_a; the six behind F^-1; of n_a n_b, a != b */
  for (int a = 0; a < 3; ++a)
    for (int j = 0; j < 3; ++j)
      w[3 * a + j] = f->b[j] * axis[3 * a] + f->b[3 + j] * axis[3 * a + 1] + f->b[6 + j] * axis[3 * a + 2];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      shear[3 * a + b] = a == b ? 0 : soft * exp(e[b] - e[a]) / log_sinhc(e[a] - e[b]) - tau[b];
  for (int a = 0; a < 3; ++a)
    for (int m = 0, b = (a + 1) % 3; m < 9; ++m) {
      both[9 * a + m] = axis[3 * a + m / 3] * w[3 * a + m % 3];
      both[9 * (3 + a) + m] = axis[3 * a + m / 3] * w[3 * b + m % 3] + axis[3 * b + m / 3] * w[3 * a + m % 3];
    }
  for (int m = 0; m < 9; ++m) {
    const int i = m / 3, J = m % 3;
    double part[6];
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3;
      part[a] = 0;
      for (int c = 0; c < 3; ++c) part[a] += (by[c][a] - (a == c ? 2 * tau[a] : 0)) * both[9 * c + m];
      part[3 + a] =
          shear[3 * a + b] * axis[3 * a + i] * w[3 * b + J] + shear[3 * b + a] * axis[3 * b + i] * w[3 * a + J];
    }
    for (int n = 0; n < 9; ++n) {
      double sum = 0;
      for (int a = 0; a < 6; ++a) sum += part[a] * both[9 * a + n];
      for (int a = 0; a < 3 && n / 3 == i; ++a) sum += tau[a] * w[3 * a + J] * w[3 * a + n % 3];
      A[9 * m + n] = sum;
    }
  }
}

HD int plastic_finite(const double *law, const PointIn *in, PointOut *out) {
  FiniteStrain f;
  PlasticFlow flow;
  double e[3], axis[9], s[9], tau[3], left[3], by[3][3], square = 0;
  if (law[PLASTIC_BACK] > 0 || law[LAW_LATER] > 0) return plastic_logarithmic(law, in, out);
  if (finite_strain(in->H, &f) || plastic_stretches(in, f.F, e, axis)) return 1;
  const PlasticStart start = plastic_start(law, in, f.J);
  const double G = start.shear, K = start.bulk, trace = e[0] + e[1] + e[2];
  for (int k = 0; k < 9; ++k) s[k] = k % 4 == 0 ? 2 * G * (e[k / 4] - trace / 3) : 0;
  if (plastic_return(&start, s, &flow) || flow.dp > PLASTIC_LONGEST) return 1;
  const double mean = K * trace, per = flow.q > 0 ? flow.dp / flow.q : 0, soft = G * (1 - 3 * G * per);
  const double g = flow.dp > 0 ? -2 * G / flow.slope : 0;
  double rise;
  const double resists = plastic_yield(&start, in->old[PLASTIC_P] + flow.dp, &rise) + flow.over;
  const double swell = flow.dp > 0 ? f.J * resists / flow.slope : 0;
  for (int a = 0; a < 3; ++a) {
    const double n = flow.n[4 * a];
    left[a] = e[a] - flow.dp * n;
    tau[a] = mean + s[4 * a] - 2 * G * flow.dp * n;
    square += (tau[a] - mean) * (tau[a] - mean);
    for (int b = 0; b < 3; ++b)
      by[a][b] = K - 2 * soft / 3 + (a == b ? 2 * soft : 0) - 2 * G * (g - 2 * G * per) * n * flow.n[4 * b] -
                 G * swell * (n + flow.n[4 * b]);
  }
  plastic_accept(&start, &flow, out->state);
  out->flow[FLOW_STRAIN] = flow.dp;
  out->state[PLASTIC_WORK] = in->old[PLASTIC_WORK] + f.J * (out->state[PLASTIC_WORK] - in->old[PLASTIC_WORK]);
  for (int k = 0; k < 6; ++k) out->state[k] = in->old[k];
  if (flow.dp > 0) plastic_remember(in, &f, left, axis, out->state);
  out->energy = mean * mean / (2 * K) + square / (4 * G) + f.J * plastic_potential(&start, &flow);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      out->P[3 * i + j] = 0;
      for (int a = 0; a < 3; ++a) {
        const double *n = axis + 3 * a;
        const double w = f.b[j] * n[0] + f.b[3 + j] * n[1] + f.b[6 + j] * n[2];
        out->P[3 * i + j] += tau[a] * n[i] * w;
      }
    }
  if (out->A) plastic_push(tau, by, soft, e, axis, &f, out->A);
  return 0;
}

HD int plastic_point(const double *law, const PointIn *in, PointOut *out) {
  return in->finite ? plastic_finite(law, in, out) : plastic_small(law, in, out);
}

#ifdef MATERIAL_TABLES
static const Param plastic_param[PLASTIC_PARAMS] = {
    {"young", "stress, also over temperature", 0, true, 0, INFINITY, true, true,
     "Young's modulus, or [[20, 210e3], [400, 180e3]] over the temperature"},
    {"poisson", "1, also over temperature", 0, true, -1, 0.5, true, true, "Poisson's ratio, likewise"},
    {"yield", "stress over plastic strain and temperature", 0, false, 0, INFINITY, false, true,
     "true stress at which it flows, a number or [[0, 250], [0.02, 300]], level behind the last point; at several "
     "temperatures [{temperature: 20, table: 250}, {temperature: 400, table: 180}]"},
    {"saturation", "stress", 0, false, 0, INFINITY, false, true, "to: yield stress where it has hardened"},
    {"saturation", "1", 0, false, 0, INFINITY, false, true, "rate: how fast it comes there with the plastic strain"},
    {"backstress", "1 with stress and temperature", 0, false, 0, INFINITY, false, true,
     "kinematic hardening, up to three [C, gamma]: dA = 2/3 C dep - gamma A dp; at several temperatures as `yield`"},
    {"creep", "1/time by stress, also over temperature", 0, false, 0, INFINITY, false, true,
     "norm: creep of Norton, plastic strain by norm * stress^exponent a time, stress that beyond `yield`"},
    {"creep", "1, also over temperature", 0, false, 0, INFINITY, false, true,
     "exponent: how it depends on the stress, at least 1"},
    {"expansion", "1/temperature, also over temperature", 0, false, -INFINITY, INFINITY, true, true,
     "thermal expansion, the same in all directions; over the temperature the mean from the reference up to there"},
    {"thickness", "length", 1, false, 0, INFINITY, true, true, "thickness of a plane model"},
    {"density", "mass density", 0, false, 0, INFINITY, false, true, "mass per volume"},
};
/* A number, or the least of its curve. */
static double plastic_least(const double *value, int k) {
  if (value[k] > -PARAM_MOST) return value[k];
  const double *curve = value - (int)value[k];
  double least = curve[2];
  for (int i = 1; i < (int)*curve; ++i) least = fmin(least, curve[2 + 2 * i]);
  return least;
}
static Status plastic_check_creep(const double *value) {
  const double norm = plastic_least(value, PLASTIC_NORM), exponent = plastic_least(value, PLASTIC_EXPONENT);
  CHECK(!(exponent > 0 && exponent < 1), ERR_INPUT, "creep exponent is %g, must be >= 1", exponent);
  CHECK((norm > 0) == (exponent > 0), ERR_INPUT,
        "creep has the norm %g and the exponent %g: both must be > 0, or it must be left out", norm, exponent);
  CHECK(
      value[PLASTIC_YIELD] > 0 || norm > 0, ERR_INPUT,
      "yield is not given\n  allowed: a metal without yield stress only where it has creep\n  remedy: yield: the true "
      "stress at which it begins to flow, or creep: {norm: ..., exponent: ...}");
  CHECK(value[PLASTIC_YIELD] > 0 || (value[PLASTIC_TO] == 0 && value[PLASTIC_BACK] == 0), ERR_INPUT,
        "%s is given without yield: what only creeps does not harden\n  remedy: yield: the stress at which it begins "
        "to flow, or leave it out",
        value[PLASTIC_TO] > 0 ? "saturation" : "backstress");
  return OK;
}
static Status plastic_check_curve(const double young, const double *curve) {
  static const double CLOSE = 0.05;
  const double rise = *curve > 1 ? (curve[4] - curve[2]) / (curve[3] - curve[1]) : 0;
  CHECK(
      fabs(rise - young) > CLOSE * young, ERR_INPUT,
      "yield rises from [%g, %g] to [%g, %g], a slope of %g like young, %g: these look like total strains\n  allowed: "
      "stress over plastic strain\n  remedy: plastic strain is total strain - stress / young, so that the first row is "
      "[0, stress at which it begins to flow]",
      curve[1], curve[2], curve[3], curve[4], rise, young);
  CHECK(
      curve[1] == 0, ERR_INPUT,
      "yield: the curve begins at plastic strain 0 with the yield stress; the first row says %g\n  remedy: [0, stress "
      "at which it begins to flow] as the first row; plastic strain is total strain - stress / young",
      curve[1]);
  CHECK(curve[2] > 0, ERR_INPUT, "yield is %g at plastic strain 0, must be > 0", curve[2]);
  for (int k = 1; k < (int)*curve; ++k)
    CHECK(curve[2 * k + 2] >= curve[2 * k], ERR_INPUT,
          "yield falls from %g to %g at plastic strain %g: softening localises in one element and has no answer that "
          "meshes agree on\n  allowed: a curve that does not fall",
          curve[2 * k], curve[2 * k + 2], curve[2 * k + 1]);
  return OK;
}
static Status plastic_check_backs(const double *backs) {
  const int first = (int)*curve_table(backs, 0);
  for (int i = 0, n = curve_tables(backs); i < n; ++i) {
    const double *pairs = curve_table(backs, i);
    CHECK(*pairs <= PLASTIC_BACKS, ERR_INPUT, "backstress has %d terms; at most %d are allowed", (int)*pairs,
          PLASTIC_BACKS);
    CHECK(
        (int)*pairs == first, ERR_INPUT,
        "backstress has %d terms in its table %d and %d in the first; each term goes from one temperature to the next",
        (int)*pairs, i + 1, first);
    for (int k = 0; k < first; ++k)
      CHECK(pairs[2 * k + 1] > 0, ERR_INPUT, "backstress: C of pair %d is %g, must be > 0", k + 1, pairs[2 * k + 1]);
  }
  return OK;
}
static Status plastic_check(const double *value) {
  const double *curve = value + (int)value[PLASTIC_YIELD];
  TRY(plastic_check_creep(value));
  if (!(value[PLASTIC_YIELD] > 0)) return OK;
  for (int k = 0, n = curve_tables(curve); k < n; ++k) {
    const Status status = plastic_check_curve(property_at(value, PLASTIC_YOUNG, 0), curve_table(curve, k));
    if (status != OK) return n > 1 ? status_context(status, "table %d of yield", k + 1) : status;
  }
  CHECK(value[PLASTIC_TO] == 0 || curve_tables(curve) == 1, ERR_INPUT,
        "saturation is one stress, and yield is given at several temperatures\n  remedy: rows of the plastic strain in "
        "each table, in place of saturation");
  CHECK((value[PLASTIC_TO] > 0) == (value[PLASTIC_RATE] > 0), ERR_INPUT,
        "saturation to %g at the rate %g: both must be > 0, or it must be left out", value[PLASTIC_TO],
        value[PLASTIC_RATE]);
  CHECK(value[PLASTIC_TO] == 0 || value[PLASTIC_TO] >= curve[2], ERR_INPUT,
        "saturation goes to %g, below the yield stress %g: softening localises in one element and has no answer that "
        "meshes agree on\n  allowed: at least the yield stress",
        value[PLASTIC_TO], curve[2]);
  if (value[PLASTIC_BACK] == 0) return OK;
  return plastic_check_backs(value + (int)value[PLASTIC_BACK]);
}
/* Those of backstresses that are not given are no states, but where the last one is the temperature. */
static int32_t plastic_remembers(const double *value) {
  if (plastic_warm_backs(value)) return PLASTIC_STATES;
  return PLASTIC_A + (value[PLASTIC_BACK] > 0 ? 6 * (int32_t)value[(int)value[PLASTIC_BACK]] : 0);
}
/* The work of the stress on the plastic strain without what is in the backstresses. */
static double plastic_dissipated(const double *value, const double *state, int64_t stride) {
  const double work = state[PLASTIC_WORK * stride];
  if (!(value[PLASTIC_BACK] > 0)) return work;
  const double heat = plastic_warm_backs(value) ? state[PLASTIC_HEAT * stride] : 0;
  const CurveBlend backs = curve_blend(value, PLASTIC_BACK, heat);
  return work - plastic_stored(&backs, (int)*backs.low, state, stride);
}
static const MaterialState plastic_state[] = {plastic_states(MATERIAL_STATE)};
static const MaterialShape plastic_shape = {MATERIAL_STATES(plastic),
                                            .symmetric = true,
                                            .flows = true,
                                            .begins = true,
                                            .judged = true,
                                            .remembers = plastic_remembers,
                                            .dissipated = plastic_dissipated};
static const char plastic_meaning[] = "metal that flows: von Mises, isotropic and kinematic hardening, creep";
#endif
