/* Heart muscle at finite strain: deformations of a cube that are drawn at random (shears, stretches along two axes, fibres at
 * any angle), on hex8 and tet10, by defaults. All converge, and the Cauchy stress is that of the closed form, which is
 * programmed here a second time. Fibres that begin to pull have a kink there. */
#include "tests/app/scratch.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN = 24 };

static uint64_t seed = 20260;
static double drawn(double from, double to) { return draw_between(&seed, from, to); }

typedef struct Tensor {
  double at[3][3];
} Tensor;

static const Tensor ONE = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static Tensor product(const Tensor *a, const Tensor *b, bool of_first) {
  Tensor c = {{{0}}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c.at[i][j] += (of_first ? a->at[k][i] : a->at[i][k]) * b->at[k][j];
  return c;
}

static double determinant(const Tensor *a) {
  double sum = 0;
  for (int j = 0; j < 3; ++j)
    sum +=
        a->at[0][j] * (a->at[1][(j + 1) % 3] * a->at[2][(j + 2) % 3] - a->at[1][(j + 2) % 3] * a->at[2][(j + 1) % 3]);
  return sum;
}

static Tensor inverse(const Tensor *a) {
  Tensor c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int r = (j + 1) % 3, s = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
      c.at[i][j] = (a->at[r][p] * a->at[s][q] - a->at[r][q] * a->at[s][p]) / determinant(a);
    }
  return c;
}

/* m.C n */
static double along(const Tensor *C, const double *m, const double *n) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += m[i] * C->at[i][j] * n[j];
  return sum;
}

static void add_dyads(Tensor *S, double factor, const double *m, const double *n) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S->at[i][j] += factor / 2 * (m[i] * n[j] + n[i] * m[j]);
}

/* Second Piola-Kirchhoff stress of Holzapfel and Ogden, without the change of volume; f, s: rows 0 and 1 of R. */
static void add_holzapfel_ogden(const Tensor *C, double J, const Tensor *R, const double *v, Tensor *S) {
  const Tensor inv = inverse(C);
  const double trace = C->at[0][0] + C->at[1][1] + C->at[2][2], size = pow(J, -2. / 3),
               shear = v[0] * exp(v[1] * (size * trace - 3)) * size;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S->at[i][j] += shear * ((i == j) - trace / 3 * inv.at[i][j]);
  for (int k = 0; k < 2; ++k) {
    const double x = along(C, R->at[k], R->at[k]) - 1, a = v[2 + 2 * k], b = v[3 + 2 * k];
    if (x > 0) add_dyads(S, 2 * a * x * exp(b * x * x), R->at[k], R->at[k]);
  }
  const double x = along(C, R->at[0], R->at[1]);
  add_dyads(S, 2 * v[6] * x * exp(v[7] * x * x), R->at[0], R->at[1]);
}

/* The same of Guccione: c, bf, bt, bfs. */
static void add_guccione(const Tensor *C, const Tensor *R, const double *v, Tensor *S) {
  double Q = 0, weighted[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double E = (along(C, R->at[i], R->at[j]) - (i == j)) / 2;
      weighted[i][j] = (i == 0 && j == 0 ? v[1] : i && j ? v[2] : v[3]) * E;
      Q += weighted[i][j] * E;
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) add_dyads(S, v[0] * exp(Q) * weighted[i][j], R->at[i], R->at[j]);
}

/* Cauchy's, with U = bulk/4 (J^2 - 1 - 2 ln J). */
static Tensor cauchy(const Tensor *F, const Tensor *R, bool muscle, const double *value, double bulk) {
  const Tensor C = product(F, F, true), inv = inverse(&C);
  const double J = determinant(F);
  Tensor S = {{{0}}}, sigma = {{{0}}};
  if (muscle) add_holzapfel_ogden(&C, J, R, value, &S);
  else add_guccione(&C, R, value, &S);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S.at[i][j] += bulk / 2 * (J * J - 1) * inv.at[i][j];
  const Tensor P = product(F, &S, false);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) sigma.at[i][j] += P.at[i][k] * F->at[j][k] / J;
  return sigma;
}

/* Three axes at right angles. */
static Tensor draw_axes(void) {
  Tensor R;
  for (int i = 0; i < 3; ++i) {
    double size = 0;
    for (int k = 0; k < 3; ++k) R.at[i][k] = drawn(-1, 1);
    for (int j = 0; j < i; ++j) {
      const double part = along(&ONE, R.at[i], R.at[j]);
      for (int k = 0; k < 3; ++k) R.at[i][k] -= part * R.at[j][k];
    }
    for (int k = 0; k < 3; ++k) size += R.at[i][k] * R.at[i][k];
    for (int k = 0; k < 3; ++k) R.at[i][k] /= sqrt(size);
  }
  return R;
}

/* All keep the volume: a shear, stretches along two axes, three shears, a stretch with a shear. */
static Tensor draw_deformation(int kind) {
  Tensor F = ONE;
  const int i = (int)drawn(0, 3), j = (i + 1 + (int)drawn(0, 2)) % 3;
  const double a = drawn(0.8, 1.3), b = drawn(0.85, 1.25), g = drawn(-0.6, 0.6);
  if (kind == 0) F.at[i][j] = g > 0 ? g + 0.1 : g - 0.1;
  if (kind == 1) F.at[i][i] = a, F.at[j][j] = b, F.at[3 - i - j][3 - i - j] = 1 / (a * b);
  if (kind == 2) F.at[0][1] = drawn(-0.4, 0.4), F.at[0][2] = drawn(-0.4, 0.4), F.at[1][2] = drawn(-0.4, 0.4);
  if (kind == 3) F.at[0][0] = a, F.at[1][1] = F.at[2][2] = 1 / sqrt(a), F.at[0][1] = g / 3;
  return F;
}

static int write_case(char *to, size_t size, const Tensor *F, const Tensor *R, const char *mesh, const char *material) {
  int used = snprintf(to, size,
                      "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]%s}\nphysics: elasticity\nmodel: 3d\n"
                      "strain: finite\nmaterials: [{on: body, %s, axes: {x: [%.17g, %.17g, %.17g], y: [%.17g, %.17g, "
                      "%.17g]}}]\ntime: {end: 1, step: 0.1}\nboundary:\n- on: [x0, x1, y0, y1, z0, z1]\n  fix: {",
                      mesh, material, R->at[0][0], R->at[0][1], R->at[0][2], R->at[1][0], R->at[1][1], R->at[1][2]);
  for (int i = 0; i < 3; ++i)
    used += snprintf(to + used, size - (size_t)used, "%s%c: 't*(%.17g*x + %.17g*y + %.17g*z)'", i ? ", " : "", 'x' + i,
                     F->at[i][0] - (i == 0), F->at[i][1] - (i == 1), F->at[i][2] - (i == 2));
  return used + snprintf(to + used, size - (size_t)used, "}\noutput:\n  fields: [displacement]\n  probes:\n");
}

static void check_mode(const char *folder, const Tensor *F, const Tensor *R, const char *mesh, bool muscle) {
  static const double ogden[8] = {0.059, 8.023, 18.472, 16.026, 2.481, 11.120, 0.216, 11.436}, soft[4] = {2, 8, 2, 4};
  static const char *const component[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  char text[4096];
  int used = write_case(text, sizeof text, F, R, mesh,
                        muscle ? "type: holzapfel-ogden, a: 0.059, b: 8.023, af: 18.472, bf: 16.026, as: 2.481, bs: "
                                 "11.120, afs: 0.216, bfs: 11.436, bulk: 80"
                               : "type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 80");
  for (int k = 0; k < 6; ++k)
    used +=
        sprintf(text + used, "  - {name: %s, at: [0.41, 0.44, 0.37], field: stress-%s}\n", component[k], component[k]);
  app_runs(folder, text);
  char *rows = scratch_read(folder, "results/probes.csv"), *last = rows;
  for (char *at = strchr(rows, '\n'); at && at[1]; at = strchr(at + 1, '\n')) last = at + 1;
  const Tensor sigma = cauchy(F, R, muscle, muscle ? ogden : soft, 80);
  double largest = 0;
  assert_within(strtod(last, &last), 1, 1e-12);
  for (int k = 0; k < 6; ++k) largest = fmax(largest, fabs(sigma.at[row[k]][column[k]]));
  for (int k = 0; k < 6; ++k) {
    const double value = strtod(last + 1, &last);
    if (!(fabs(value - sigma.at[row[k]][column[k]]) <= 1e-6 * largest))
      fail_msg("%s\n%s: %.12g for %.12g", text, component[k], value, sigma.at[row[k]][column[k]]);
  }
  free(rows);
}

static void check_modes(bool muscle) {
  char *folder = scratch_create();
  for (int k = 0; k < DRAWN; ++k) {
    const Tensor F = draw_deformation(k % 4), R = k % 8 >= 4 || k % 4 == 2 ? draw_axes() : ONE;
    check_mode(folder, &F, &R, "", muscle);
    check_mode(folder, &F, &R, ", element: tet4, order: 2", muscle);
  }
  scratch_remove(&folder);
}

static void holzapfel_ogden(void **state) {
  (void)state;
  check_modes(true);
}
static void guccione(void **state) {
  (void)state;
  check_modes(false);
}

/* The first Newton steps of tractions reach strains whose forces no number holds: beside them every residual is small. A
 * solution bears what was applied. */
static void tractions(void **state) {
  (void)state;
  static const double applied[][3] = {{-5, 0.5, 1.5}, {-2.4, 0, 0}, {1.2, 0, -4.1}, {-0.8, -3.3, 2}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof applied / sizeof *applied; ++k)
    for (int half = 0; half < 2; ++half) {
      char text[2048];
      snprintf(
          text, sizeof text,
          "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1.2, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
          "materials: [{on: body, type: holzapfel-ogden, a: 0.2, b: 11, af: 19, bf: 15, as: 3.4, bs: 5.5, afs: 0.4, "
          "bfs: 12, bulk: 300, axes: {x: [1, 1, 0], y: [0, 0, 1]}}]\nboundary: [{on: y0, fix: all}, {on: y1, "
          "traction: [%g, %g, %g]}]\ntime: {end: 1, step: %g}\n"
          "output: {sums: [{name: base, on: y0, field: reaction}]}\n",
          applied[k][0], applied[k][1], applied[k][2], half ? 0.5 : 0.2);
      app_runs(folder, text);
      char *rows = scratch_read(folder, "results/probes.csv"), *last = rows;
      for (char *at = strchr(rows, '\n'); at && at[1]; at = strchr(at + 1, '\n')) last = at + 1;
      assert_within(strtod(last, &last), 1, 1e-12);
      for (int c = 0; c < 3; ++c) assert_within(strtod(last + 1, &last), -applied[k][c], 5e-3);
      free(rows);
    }
  scratch_remove(&folder);
}

/* What bends, and what stiffens beyond all lines: few Newton steps, in the first load step and in the second. */
static void few_steps(void **state) {
  (void)state;
#define OF_GRID(grid, bulk, time)                                                                                      \
  "version: 1\nmesh: {grid: " grid                                                                                     \
  "}\nphysics: electromechanics\nmuscle: [{on: body, type: guccione, c: 2, bf: 8, bt: "                                \
  "2, bfs: 4, bulk: " bulk ", fibers: {direction: [1, 0, 0]}}]\ntime: {" time "}\nboundary:\n"
  char *folder = scratch_create();
#define BENT(pressure) "  - {on: x0, fix: all}\n  - {on: y0, symmetry: true}\n  - {on: z0, pressure: " pressure "}\n"
  app_runs(folder, OF_GRID("[6, 2, 2], size: [10, 1, 1], order: 2", "1e3", "end: 2, step: 1") BENT("0.001"));
  assert_true(scratch_reported(folder, "newton_iterations") <= 12);
  /* 24 where the last step of Newton's method is not solved far enough to be the last */
  app_runs(folder, OF_GRID("[6, 2, 2], size: [10, 1, 1], order: 2", "1e4", "end: 1, step: 0.25") BENT("0.004"));
  assert_true(scratch_reported(folder, "newton_iterations") <= 22);
#define PULLED                                                                                                         \
  "  - {on: x0, symmetry: true}\n  - {on: y0, symmetry: true}\n  - {on: z0, symmetry: true}\n"                         \
  "  - {on: x1, traction: [\"100*t\", 0, 0]}\n"
  app_runs(folder, OF_GRID("[2, 2, 2], size: [1, 1, 1]", "1e3", "end: 2, step: 1") PULLED);
  assert_true(scratch_reported(folder, "newton_iterations") <= 15);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(holzapfel_ogden), cmocka_unit_test(guccione),
                                     cmocka_unit_test(tractions), cmocka_unit_test(few_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
