/* Metals whose yield stress depends on the temperature: bars whose strain and temperature go a path, against the closed form of one
 * direction, at small and finite strain, of all models; processes of one mesh, runs that are stopped, and what is refused. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines y0 + h p, level from p = 0.05 on; of 220 straight to 0.02 and less steep from there. */
#define TABLES                                                                                                         \
  "[{temperature: 20, table: [[0, 250], [0.05, 500]]}, {temperature: 220, table: [[0, 150], [0.02, 210], [0.05, "      \
  "270]]}, {temperature: 420, table: 90}]"
static const double YOUNG = 200e3, POISSON = 0.3, EXPANSION = 1.2e-5;
static const char *const MODEL[] = {"3d", "axisymmetric", "plane-stress"};

/* Three steps: pulled at 120, heated while held, cooled and pulled again. */
#define HEAT "min(max(120, 120 + 330*(t - 1)), 450 - 510*max(0, t - 2))"
#define PULL "min(0.01*t, 0.01) + 0.002*max(0, t - 2)"
#define ONE_RUN "time: {end: 3, step: 0.25}\n"
#define CHAIN                                                                                                          \
  "steps: [{name: pull, end: 1, step: 0.25}, {name: heat, end: 2, step: 0.25}, {name: cool, end: 3, step: 0.25}]\n"

static double table_at(double T, double p) {
  const double a = 250 + 5000 * fmin(p, 0.05), b = 150 + 3000 * fmin(p, 0.02) + 2000 * fmin(fmax(p - 0.02, 0), 0.03);
  if (T <= 20) return a;
  return T < 220 ? a + (T - 20) / 200 * (b - a) : T < 420 ? b + (T - 220) / 200 * (90 - b) : 90;
}

/* The true stress of a bar of length 1 at t = 3 after steps of 0.25, whose strain less the thermal one is e = log((1 + u) / (1 + a dT))
 * at finite strain: Kirchhoff's stress tau = E (e - flowed) = +-J sy(p), J = exp((1 - 2 nu) tau / E). By bisection for p in each step. */
static double bar(bool finite, double *p) {
  double flowed = 0, stress = 0;
  *p = 0;
  for (double t = 0.25; t <= 3; t += 0.25) {
    const double T = fmin(fmax(120, 120 + 330 * (t - 1)), 450 - 510 * fmax(0, t - 2));
    const double u = fmin(0.01 * t, 0.01) + 0.002 * fmax(0, t - 2), swell = EXPANSION * (T - 20);
    const double e = (finite ? log((1 + u) / (1 + swell)) : u - swell) - flowed, way = e < 0 ? -1 : 1;
    double low = 0, high = fabs(e);
    for (int i = 0; i < 200; ++i) {
      const double at = i == 0 ? 0 : 0.5 * (low + high), tau = YOUNG * (e - way * at);
      stress = finite ? tau / exp((1 - 2 * POISSON) * tau / YOUNG) : tau;
      if (way * stress > table_at(T, *p + at)) low = at;
      else if (i == 0) break;
      else high = at;
    }
    flowed += way * low, *p += low;
  }
  return stress;
}

static const char *metal(int model, bool finite, int order, const char *time, const char *more) {
  static char text[4096];
  const bool solid = model == 0;
  snprintf(
      text, sizeof text,
      "version: 1\nphysics: elasticity\nmesh: {grid: [2, 2%s], size: [1, 1%s], order: %d}\nmodel: %s\n"
      "%smaterials: [{on: body, type: plastic, young: 200e3, poisson: 0.3, expansion: 1.2e-5, yield: " TABLES
      "}]\nboundary:\n  - {on: x0, fix: {x: 0}}\n  - {on: y0, fix: {y: 0}}\n  - {on: y1, fix: {y: \"" PULL
      "\"}}\n%sthermal: {reference: 20, temperature: \"" HEAT
      "\"}\n%ssolver: {rtol: 1e-13, preconditioner: jacobi}\n%soutput: {fields: [displacement, stress, "
      "plastic-strain], every: 3, probes: [{name: s, at: [1, 1%s], field: stress-yy}, {name: p, at: [1, 1%s], field: "
      "plastic-strain}]}\n",
      solid ? ", 2" : "", solid ? ", 1" : "", order, MODEL[model], finite ? "strain: finite\n" : "",
      solid ? "  - {on: z0, fix: {z: 0}}\n" : "", time, more, solid ? ", 1" : "", solid ? ", 1" : "");
  return text;
}

static void bars(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int k = 0; k < 12; ++k) {
    const bool finite = k / 3 % 2;
    double value[3], flowed;
    const double stress = bar(finite, &flowed);
    app_runs(folder, metal(k % 3, finite, 1 + k / 6, k % 2 ? CHAIN : ONE_RUN, ""));
    scratch_last_row(folder, 3, value);
    assert_relative(value[1], stress, 1e-9);
    assert_relative(value[2], flowed, 1e-9);
  }
  scratch_remove(&folder);
}

static void refuses(const char *folder, const char *what, const char *instead, const char *part, const char *more) {
  char text[4096];
  const char *whole = metal(0, false, 1, ONE_RUN, ""), *at = strstr(whole, what);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, instead, at + strlen(what));
  app_refuses(folder, text, part, more);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
  refuses(folder, "thermal:", "#",
          "case.yaml:5:13: a parameter is given at several temperatures, and the body has none", "or one table alone");
  refuses(folder, "temperature: 220", "temperature: 520",
          "yield: the temperature of table 2 is 520 and that of table 3 is 420; they must ascend", "");
  refuses(folder, "[0.02, 210]", "[0.02, 110]", "table 2 of yield", "yield falls from 150 to 110");
  refuses(folder, "temperature: 220", "heat: 220",
          "yield of a temperature must be {temperature: 20, table: [[0, 1], [0.1, 2]]}; this is a map of 2", "");
  refuses(folder, "plastic,", "plastic, saturation: {to: 600, rate: 8},", "saturation is one stress",
          "yield is given at several temperatures");
  refuses(folder, "table: 90", "table: {x: 1}", "yield must be a number, or a list of pairs [plastic strain, stress]",
          "");
  scratch_remove(&folder);
}

/* Held at both ends, a bar of section A dissipates A L int sy dp where it flows, and with a backstress C what its yield stress takes; of a
 * cylinder the same over its volume. */
static void dissipated(void **state) {
  (void)state;
  static const char *const law[] = {"yield: [[0, 250], [0.05, 500]]", "yield: 250, backstress: [[5000, 0]]"};
  char *folder = scratch_create(), text[4096];
  for (int k = 0; k < 8; ++k) {
    const int model = k / 2 % 2, order = 1 + k / 4;
    const char *whole = metal(model, false, order, ONE_RUN, ""), *at = strstr(whole, "yield: "),
               *end = strstr(at, "}]\n");
    double value[3];
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, law[k % 2], end);
    memcpy(strstr(text, "thermal:"), "#", 1);
    app_runs(folder, text);
    scratch_last_row(folder, 3, value);
    const double p = value[2], volume = model ? acos(-1) : 1;
    assert_true(p > 0.01);
    assert_relative(scratch_reported(folder, "dissipated_energy"), volume * (250 * p + (k % 2 ? 0 : 2500 * p * p)),
                    1e-9);
  }
  scratch_remove(&folder);
}

/* Sheared by g, with the backstress a = C gp/3: its yield stress over root 3 times the plastic shear gp, of which G gp = G g - a - that. */
static void dissipated_in_shear(void **state) {
  (void)state;
  static const char sheared[] = "fix: {x: '0.02*t*y', y: 0, z: 0}}", *const on[] = {"x0", "x1", "y0", "y1", "z0", "z1"};
  const double G = 200e3 / 2.6, C = 5000, yield = 250 / sqrt(3), flown = (0.02 - yield / G) / (1 + C / (3 * G));
  char *folder = scratch_create(), text[1024];
  int n =
      snprintf(text, sizeof text,
               "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: "
               "body, type: plastic, young: 200e3, poisson: 0.3, yield: 250, backstress: [[5000, 0]]}]\ntime: {end: 1, "
               "step: 0.5}\nboundary:\n");
  for (int k = 0; k < 6; ++k) n += snprintf(text + n, sizeof text - (size_t)n, "- {on: %s, %s\n", on[k], sheared);
  app_runs(folder, text);
  assert_relative(scratch_reported(folder, "dissipated_energy"), yield * flown, 1e-9);
  scratch_remove(&folder);
}

/* A block that is sheared by 0.02 t, of a material, in steps of a length. */
static const char *sheared(const char *material, double step, const char *more) {
  static const char motion[] = "fix: {x: '0.02*t*y', y: 0, z: 0}}", *const on[] = {"x0", "x1", "y0", "y1", "z0", "z1"};
  static char text[2048];
  int n =
      snprintf(text, sizeof text,
               "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: "
               "body, young: 2600, poisson: 0.3, %s}]\ntime: {end: 1, step: %g}\n%sboundary:\n",
               material, step, more);
  for (int k = 0; k < 6; ++k) n += snprintf(text + n, sizeof text - (size_t)n, "- {on: %s, %s\n", on[k], motion);
  return text;
}

/* What loads and supports have done is the energy of the strain and what is dissipated, which of a term of Prony is G g r^2 tau (t - 2 tau (1
 * - exp(-t/tau)) + tau/2 (1 - exp(-2 t/tau))) at the rate r, in steps of any length. */
static void work_balances(void **state) {
  (void)state;
  static const char *const law[] = {"type: plastic, yield: [[0, 10], [0.01, 14]], backstress: [[300, 40]]",
                                    "type: viscoelastic, prony: [[0.3, 0.2], [0.4, 2]]"};
  static const double rate = 0.02, G = 1000, g[2] = {0.3, 0.4}, tau[2] = {0.2, 2};
  char *folder = scratch_create();
  double taken = 0;
  for (int k = 0; k < 2; ++k)
    taken +=
        G * g[k] * rate * rate * tau[k] * (1 - 2 * tau[k] * -expm1(-1 / tau[k]) + tau[k] / 2 * -expm1(-2 / tau[k]));
  for (int k = 0; k < 2; ++k) {
    app_runs(folder, sheared(law[k], k ? 0.1 : 0.01, ""));
    const double strain = scratch_reported(folder, "strain_energy"), work = scratch_reported(folder, "external_work"),
                 dissipated_energy = scratch_reported(folder, "dissipated_energy");
    print_message("strain %g, dissipated %g, work %g\n", strain, dissipated_energy, work);
    if (k) assert_relative(dissipated_energy, taken, 1e-9);
    assert_relative(strain + dissipated_energy, work, 2e-3);
  }
  scratch_write(
      folder, "case.yaml",
      sheared(law[0], 1, "expect: [{quantity: dissipated-energy, value: 1}, {quantity: external-work, value: 1}]\n"));
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(said.code, 6);
  assert_non_null(strstr(said.err, "the energies do not balance"));
  assert_non_null(strstr(said.out, "external-work"));
  said_release(&said);
  scratch_remove(&folder);
}

/* What `check` says is what the file says. */
static void resolved(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", metal(0, false, 1, CHAIN, ""));
  Said said = app_says("check", scratch_path(folder, "case.yaml"), "--verbose", NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "yield: " TABLES));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars),          cmocka_unit_test(dissipated), cmocka_unit_test(dissipated_in_shear),
      cmocka_unit_test(work_balances), cmocka_unit_test(refused),    cmocka_unit_test(resolved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
