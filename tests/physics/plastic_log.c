/* Plastic flow in the logarithmic strain against differences, against small strains by the work that both do, and beside the law of
 * C_p^-1. */
#include "tests/physics/plastic_point.h"

/* A path of drawn gradients with backstresses at finite strain: A is the symmetric part of dP/dH, by differences of fourth order, also where
 * stretches are equal or differ by 1e-6 or by what the series of the logarithm bears, and a turned body has the turned stress. */
static void logarithmic(void **test) {
  (void)test;
  static const double size[4] = {0.02, 1e-7, 3e-3, 0.1}, weight[4] = {1, -8, 8, -1};
  const double T[9] = {0.8, -0.6, 0, 0.48, 0.64, -0.6, 0.36, 0.48, 0.8};
  int flowed = 0;
  srand(1906);
  for (int sample = 0; sample < 80; ++sample) {
    const double backs[] = {5e4 + 1e5 * draw(), 200 * (sample % 2), 2e4, 100 * draw()};
    law_of(1e5 + 1e5 * draw(), 0.45 * draw(), 200 + 100 * draw(), 3e3 * draw(), 1 + sample % 3 / 2, backs);
    if (sample % 5 == 4) law[PLASTIC_NORM] = 1e-9, law[PLASTIC_EXPONENT] = 3;
    double H[9], two[4][9], turned[9], worst = 0, most = 0, unused[PLASTIC_STATES], moved[9], slope[81];
    const double spread = size[sample % 4], swell = sample % 8 < 4 ? 0 : 0.01;
    for (int k = 0; k < 9; ++k) H[k] = 0.1 * (2 * draw() - 1) * (sample % 16 > 8 && sample % 4 != 1);
    ask(H, true, false, state, NULL), accept();
    for (int k = 0; k < 9; ++k) H[k] += spread * (2 * draw() - 1) + (k % 4 == 0 ? swell : 0);
    for (int k = 0; k < 3 && sample % 4 == 1; ++k)
      H[4 * k] += k ? -0.01 : 0.02; /* two stretches are equal but for `spread` */
    const PointOut out = ask(H, true, false, state, A);
    flowed += state[PLASTIC_P] > old[PLASTIC_P];
    const double step = 1e-5;
    for (int n = 0; n < 9; ++n) {
      for (int side = 0; side < 4; ++side) {
        memcpy(moved, H, sizeof moved), moved[n] += (side < 2 ? side - 2 : side - 1) * step;
        const PointOut one = ask(moved, true, false, unused, NULL);
        memcpy(two[side], one.P, sizeof one.P);
      }
      for (int m = 0; m < 9; ++m) {
        slope[9 * m + n] = 0;
        for (int side = 0; side < 4; ++side) slope[9 * m + n] += weight[side] * two[side][m] / (12 * step);
      }
    }
    for (int k = 0; k < 81; ++k) {
      worst = fmax(worst, fabs(0.5 * (slope[k] + slope[k % 9 * 9 + k / 9]) - A[k]));
      most = fmax(most, fabs(A[k]));
    }
    if (worst > 1e-7 * most) fail_msg("draw %d: tangent off by %g of %g", sample, worst, most);
    for (int k = 0; k < 9; ++k) moved[k] = H[k] + (k % 4 == 0);
    finite_product(T, moved, turned);
    for (int k = 0; k < 3; ++k) turned[4 * k] -= 1;
    const PointOut there = ask(turned, true, false, unused, NULL);
    finite_product(T, out.P, moved);
    for (int k = 0; k < 9; ++k)
      if (fabs(there.P[k] - moved[k]) > 1e-12 * most) fail_msg("draw %d: turned, %g", sample, there.P[k] - moved[k]);
    for (int k = 0; k < PLASTIC_A + 6 * (1 + sample % 3 / 2); ++k)
      if (fabs(unused[k] - state[k]) > 1e-12 * (k < PLASTIC_P ? 1 : most))
        fail_msg("state %d, %g", k, unused[k] - state[k]);
  }
  assert_true(flowed > 40);
}

/* E = ln(C)/2 = atanh((C - 1) (C + 1)^-1) by its series. */
static void log_strain(const double *H, double *E) {
  double C[9] = {0}, up[9], inverse[9], z[9], power[9], next[9];
  for (int k = 0; k < 27; ++k)
    C[k / 3] += (H[k % 3 * 3 + k / 9] + (k % 3 == k / 9)) * (H[k % 3 * 3 + k / 3 % 3] + (k % 3 == k / 3 % 3));
  for (int k = 0; k < 9; ++k) up[k] = C[k] + (k % 4 == 0), C[k] -= k % 4 == 0;
  for (int k = 0; k < 9; ++k) { /* cofactors of a symmetric tensor */
    const int i = (k / 3 + 1) % 3, j = (k / 3 + 2) % 3, l = (k % 3 + 1) % 3, m = (k % 3 + 2) % 3;
    inverse[k] = up[3 * i + l] * up[3 * j + m] - up[3 * i + m] * up[3 * j + l];
  }
  const double det = up[0] * inverse[0] + up[1] * inverse[1] + up[2] * inverse[2];
  finite_product(C, inverse, z);
  for (int k = 0; k < 9; ++k) E[k] = power[k] = z[k] /= det;
  for (int n = 3; n < 60; n += 2) {
    finite_product(power, z, next), finite_product(next, z, power);
    for (int k = 0; k < 9; ++k) E[k] += power[k] / n;
  }
}

/* P : dF = T : dE, where T is what small strains have at E with J times the yield stress and the backstresses. */
static void works_on_logarithms(void **test) {
  (void)test;
  srand(77);
  for (int sample = 0; sample < 20; ++sample) {
    const double backs[] = {8e4, 150}, step = 1e-5;
    double H[9], E[9], two[2][9], kept[PLASTIC_STATES], F[9];
    law_of(2e5, 0.3, 250, 2e3, 1, backs);
    for (int k = 0; k < 9; ++k) H[k] = 0.05 * (2 * draw() - 1);
    ask(H, true, false, state, NULL), accept();
    for (int k = 0; k < 9; ++k) H[k] += 0.03 * (2 * draw() - 1), F[k] = H[k] + (k % 4 == 0);
    const PointOut large = ask(H, true, false, state, NULL);
    const double J = finite_determinant(F);
    log_strain(H, E);
    for (int k = 2; k < 6; k += 2) law[CURVE + k] *= J;
    law[BACKS + 1] *= J;
    for (int k = PLASTIC_A; k < PLASTIC_A + 6; ++k) old[k] *= J;
    const PointOut small = ask(E, false, false, kept, NULL);
    for (int n = 0; n < 9; ++n) {
      double sum = 0;
      for (int side = 0; side < 2; ++side) H[n] += side ? -2 * step : step, log_strain(H, two[side]);
      H[n] += step;
      for (int k = 0; k < 9; ++k) sum += small.P[k] * (two[0][k] - two[1][k]) / (2 * step);
      assert_within(large.P[n], sum, 1e-8 * mises(small.P));
    }
    assert_within(kept[PLASTIC_P], state[PLASTIC_P], 1e-12);
  }
}

/* With a backstress of no size the law is that of C_p^-1 where the axes of stretch stay, whatever the path, and rigid turns in between. */
static void coaxial(void **test) {
  (void)test;
  const double backs[] = {1e-7, 0}, T[9] = {0.8, -0.6, 0, 0.48, 0.64, -0.6, 0.36, 0.48, 0.8};
  double kept[2][PLASTIC_STATES] = {{0}}, F[9], H[9], D[9], P[2][9];
  srand(88);
  for (int step = 0; step < 40; ++step) {
    double turn[9];
    for (int k = 0; k < 9; ++k) D[k] = k % 4 == 0 ? 1 + 0.1 * (2 * draw() - 1) : 0;
    finite_product(D, T, F); /* stretches along the rows of T before a turn */
    double back[9];
    for (int k = 0; k < 9; ++k) turn[k] = T[k % 3 * 3 + k / 3];
    finite_product(turn, F, back);
    if (step % 2) memcpy(back, F, sizeof F);
    for (int k = 0; k < 9; ++k) H[k] = back[k] - (k % 4 == 0);
    for (int with = 0; with < 2; ++with) {
      law_of(2e5, 0.3, 300, 2e3, with, backs);
      memcpy(old, kept[with], sizeof old);
      const PointOut out = ask(H, true, false, state, A);
      memcpy(P[with], out.P, sizeof out.P), memcpy(kept[with], state, sizeof state);
    }
    for (int k = 0; k < 9; ++k)
      if (fabs(P[0][k] - P[1][k]) > 1e-9 * 300) fail_msg("step %d: %.12g beside %.12g", step, P[1][k], P[0][k]);
    const double p = kept[0][PLASTIC_P];
    if (fabs(kept[1][PLASTIC_P] - p) > 1e-11) fail_msg("step %d: %g off %g", step, kept[1][PLASTIC_P] - p, p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(logarithmic), cmocka_unit_test(coaxial),
                                     cmocka_unit_test(works_on_logarithms)};
  return cmocka_run_group_tests_name("physics/plastic_log", tests, NULL, NULL);
}
