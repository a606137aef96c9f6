/* Heart muscle at rest at finite strain, of Holzapfel and Ogden (Phil. Trans. R. Soc. A 367, 2009):
 *   a/2b (e^{b (I1 - 3)} - 1) + sum over f and s of a_i/2b_i (e^{b_i <I4i - 1>^2} - 1) + afs/2bfs (e^{bfs I8^2} - 1) + U(J)
 * with I1 of the change of shape alone (physics/isochoric.h) and I4f = f.Cf, I4s = s.Cs, I8 = f.Cs of all of it, f = axis
 * 1 and s = axis 2. Fibres bear no compression: <x> = max(x, 0), whose tangent jumps at 0, or, smooth, x^2 / (x + 0.01)
 * where x > 0; or <x> = x. */
#pragma once
#include "physics/isochoric.h"
#include "physics/linear_law.h"

enum {
  HOLZAPFEL_OGDEN_A,
  HOLZAPFEL_OGDEN_B,
  HOLZAPFEL_OGDEN_FIBRE, /* and its exponent, and so on */
  HOLZAPFEL_OGDEN_SHEET = 4,
  HOLZAPFEL_OGDEN_BOTH = 6,
  HOLZAPFEL_OGDEN_TENSION = 8,
  HOLZAPFEL_OGDEN_TAIL,
  HOLZAPFEL_OGDEN_PARAMS = HOLZAPFEL_OGDEN_TAIL + TAIL_PARAMS
};
enum { TENSION_EXACT, TENSION_SMOOTH, TENSION_NONE };

/* <x>, and its first two derivatives. */
HD void holzapfel_ogden_part(const int tension, const double kink, const double x, double to[3]) {
  const double width = tension == TENSION_EXACT ? kink : 0.01;
  to[0] = x, to[1] = 1, to[2] = 0;
  if (tension == TENSION_NONE) return;
  if (!(x > 0)) {
    to[0] = to[1] = 0;
    return;
  }
  if (!(width > 0)) return;
  const double share = width / (x + width); /* x^2 / (x + w) = x - w + w^2 / (x + w) */
  to[0] = x * x / (x + width);
  to[1] = 1 - share * share;
  to[2] = 2 * share * share / (x + width);
}

/* Adds a/2b (e^{b y^2} - 1), y = <u.Gv>, whose stress and moduli go along the Voigt vector m = sym(u (x) v). */
HD void holzapfel_ogden_fibre(const double a, const double b, const double y[3], const double *m, double *energy,
                              double *S, double *D) {
  if (a == 0) return;
  const double size = exp(b * y[0] * y[0]);
  const double by = 2 * a * y[0] * size, again = 2 * a * (1 + 2 * b * y[0] * y[0]) * size; /* 2 dW/dy and so on */
  *energy += b > 0 ? a / (2 * b) * expm1(b * y[0] * y[0]) : a / 2 * y[0] * y[0];
  for (int I = 0; I < 6; ++I) S[I] += by * y[1] * m[I];
  for (int I = 0; I < 6; ++I)
    for (int K = I; K < 6; ++K) D[linear_index(I, K)] += 2 * (again * y[1] * y[1] + by * y[2]) * m[I] * m[K];
}

/* Fibres, sheets, and the shear between them. */
HD void holzapfel_ogden_fibres(const double *law, const PointIn *in, const FiniteStrain *s, PointOut *out) {
  double S[6] = {0, 0, 0, 0, 0, 0}, D[LAW_MODULI];
  const int from[3] = {0, 1, 0}, to[3] = {0, 1, 1}, first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < LAW_MODULI; ++k) D[k] = 0;
  for (int k = 0; k < 3; ++k) {
    const double *u = in->axes + 3 * from[k], *v = in->axes + 3 * to[k];
    double m[6], x = 0, y[3];
    for (int I = 0; I < 6; ++I) m[I] = (u[first[I]] * v[second[I]] + u[second[I]] * v[first[I]]) / 2;
    for (int I = 0; I < 6; ++I) x += (I < 3 ? 1 : 2) * m[I] * s->G[3 * first[I] + second[I]];
    holzapfel_ogden_part(k == 2 ? TENSION_NONE : (int)law[HOLZAPFEL_OGDEN_TENSION], in->kink, x, y);
    holzapfel_ogden_fibre(law[2 + 2 * k], law[3 + 2 * k], y, m, &out->energy, S, D);
  }
  linear_push(s->F, S, D, out);
}

HD int holzapfel_ogden_point(const double *law, const PointIn *in, PointOut *out) {
  FiniteStrain s;
  Isochoric w;
  const double a = law[HOLZAPFEL_OGDEN_A], b = law[HOLZAPFEL_OGDEN_B];
  if (finite_strain(in->H, &s)) return 1;
  point_clear(out);
  out->fibres = true;
  isochoric_begin(&s, &w);
  const double size = a / 2 * exp(b * w.i1);
  if (!(size <= 1e300)) return 1;
  w.W = b > 0 ? a / (2 * b) * expm1(b * w.i1) : a / 2 * w.i1;
  w.w1 = size, w.w11 = b * size;
  if (in->part != PART_FIBRES) {
    isochoric_add(&s, &w, out);
    volumetric_add_tail(law + HOLZAPFEL_OGDEN_TAIL, a, &s, out);
  }
  if (in->part != PART_MATRIX) holzapfel_ogden_fibres(law, in, &s, out);
  return isfinite(out->energy) ? 0 : 1;
}

#define holzapfel_ogden_states(STATE) /* none */
#ifdef MATERIAL_TABLES
#define HOLZAPFEL_OGDEN_STRESS(name, meaning)                                                                          \
  { name, "stress", 0, false, 0, INFINITY, false, true, meaning }
#define HOLZAPFEL_OGDEN_POWER(name, meaning)                                                                           \
  { name, "1", 0, false, 0, INFINITY, false, true, meaning }
static const Param holzapfel_ogden_param[HOLZAPFEL_OGDEN_PARAMS] = {
    {"a", "stress", 0, true, 0, INFINITY, true, true, "shear modulus of the ground substance between the fibres"},
    {"b", "1", 0, true, 0, INFINITY, false, true, "its exponent"},
    HOLZAPFEL_OGDEN_STRESS("af", "modulus of the fibres, along axis 1"),
    HOLZAPFEL_OGDEN_POWER("bf", "their exponent"),
    HOLZAPFEL_OGDEN_STRESS("as", "modulus of the sheets, along axis 2"),
    HOLZAPFEL_OGDEN_POWER("bs", "their exponent"),
    HOLZAPFEL_OGDEN_STRESS("afs", "modulus of the shear between fibres and sheets"),
    HOLZAPFEL_OGDEN_POWER("bfs", "its exponent"),
    {"tension", "exact|smooth|none", TENSION_EXACT, false, TENSION_EXACT, TENSION_NONE, false, false,
     "what fibres and sheets do under compression: nothing, nothing with a smooth passage, or as under tension"},
    VOLUMETRIC_TAIL};
static Status holzapfel_ogden_check(const double *v) {
  return volumetric_check_tail("holzapfel-ogden", v[HOLZAPFEL_OGDEN_A], v + HOLZAPFEL_OGDEN_TAIL);
}
static const MaterialShape holzapfel_ogden_shape = {NO_STATES, .symmetric = true, .axes = true, .finite = true};
static const char holzapfel_ogden_meaning[] =
    "heart muscle at finite strain, exponentials of invariants of fibres and sheets";
#endif
