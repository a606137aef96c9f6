/* Heat in load steps, at finite strain and under small strains: free and held bodies of all materials against closed forms, what
 * the temperature may be, ranks of one mesh, runs that are stopped. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const MATERIAL[] = {
    "young: 730, poisson: 0.27",
    "type: orthotropic, young: [700, 300, 500], poisson: [0.2, 0.3, 0.25], shear: [200, 150, 170]",
    "type: neo-hooke, young: 730, poisson: 0.27",
    "type: mooney-rivlin, c10: 80, c01: 20, bulk: 700",
    "type: ogden, mu1: 37, alpha1: 1.3, mu2: 0.5, alpha2: 5, bulk: 200",
    "type: plastic, young: 200e3, poisson: 0.3, yield: [[0, 250], [0.02, 300]]"};
enum { ORTHOTROPIC = 1, FIRST_LARGE = 2, METAL = 5, N_MATERIALS = 6 };
static const char *const MODEL[] = {"3d", "axisymmetric", "plane-stress"};

/* A body of edges 1, held at x0, y0 and z0 against its motion across these, and a probe at (1, 1, 1). */
static const char *heated(int model, bool finite, int order, const char *material, const char *thermal,
                          const char *more) {
  static char text[2048];
  const bool solid = model == 0;
  snprintf(text, sizeof text,
           "version: 1\nphysics: elasticity\nmesh: {grid: [3, 4%s], size: [1, 1%s], order: %d}\nmodel: %s\n"
           "%smaterials: [{on: body, %s}]\nboundary:\n  - {on: x0, fix: {x: 0}}\n  - {on: y0, fix: {y: 0}}\n%s%s"
           "thermal: %s\ntime: {end: 2, step: 0.5}\nsolver: {rtol: 1e-13, preconditioner: jacobi}\noutput: {probes: ["
           "{name: u, at: [1, 1%s], field: displacement-y}, {name: s, at: [1, 1%s], field: stress-xx}]}\n",
           solid ? ", 2" : "", solid ? ", 1" : "", order, MODEL[model], finite ? "strain: finite\n" : "", material,
           solid ? "  - {on: z0, fix: {z: 0}}\n" : "", more, thermal, solid ? ", 1" : "", solid ? ", 1" : "");
  return text;
}

static void last(const char *folder, const char *text, double *value) {
  app_runs(folder, text);
  scratch_last_row(folder, 3, value);
}

/* The stretch 1 + expansion dT and no stress, whatever the material, its expansions and the elements. */
static void free_bodies(void **state) {
  (void)state;
  char *folder = scratch_create(), material[256];
  for (int k = 0; k < 2 * N_MATERIALS * 3; ++k) {
    const int of = k / 6, model = k % 3, order = 1 + k % 2;
    const bool finite = k / 3 % 2;
    double value[3];
    if (!finite && of >= FIRST_LARGE && (of != METAL || model == 2)) continue;
    snprintf(material, sizeof material, "%s, expansion: %s", MATERIAL[of],
             of == ORTHOTROPIC ? model == 1 ? "[6e-4, 9e-4, 6e-4]" : "[6e-4, 9e-4, 4e-4]" : "9e-4");
    last(folder, heated(model, finite, order, material, "{reference: 20, temperature: 93}", ""), value);
    assert_relative(value[1], 9e-4 * 73, 1e-11);
    assert_within(value[2], 0, 1e-12 * 200e3 * 9e-4 * 73);
  }
  scratch_remove(&folder);
}

/* Held in x, a bar of Saint Venant and Kirchhoff's law has F_e = (1/g, f, f): S_yy = 0 gives f^2 - 1 = nu (1 - 1/g^2), and the Cauchy
 * stress is -E (1 - 1/g^2) / (2 g f^2). Under small strains -E alpha dT, and (1 + nu) alpha dT across. */
static void held_bars(void **state) {
  (void)state;
  char *folder = scratch_create(), material[256];
  const double a = 1.1e-3, dT = 67, g = 1 + a * dT, f = sqrt(1 + 0.27 * (1 - 1 / (g * g)));
  for (int k = 0; k < 4; ++k) {
    const bool finite = k / 2;
    double value[3];
    snprintf(material, sizeof material, "%s, expansion: %g", MATERIAL[0], a);
    last(folder,
         heated(0, finite, 1 + k % 2, material, "{reference: -7, temperature: 60}", "  - {on: x1, fix: {x: 0}}\n"),
         value);
    assert_relative(value[1], finite ? g * f - 1 : 1.27 * a * dT, 1e-10);
    assert_relative(value[2], finite ? -365 * (1 - 1 / (g * g)) / (g * f * f) : -730 * a * dT, 1e-10);
  }
  scratch_remove(&folder);
}

/* A constant grows with the time, as the expression with t says it; with a load that depends on t it is there from the first step on. */
static void in_time(void **state) {
  (void)state;
  static const char *const thermal[] = {"{reference: 20, temperature: 80}", "{reference: 20, temperature: \"20+30*t\"}",
                                        "{reference: 20, temperature: \"20+30*t+0*x\"}"};
  static const char *const held = "  - {on: x1, fix: {x: 0}}\n";
  char *folder = scratch_create(), material[256];
  double first[3] = {0}, value[3], half[3];
  for (int m = 0; m < FIRST_LARGE + 1; m += 2)
    for (int k = 0; k < 3; ++k) {
      snprintf(material, sizeof material, "%s, expansion: 1e-3", MATERIAL[m]);
      last(folder, heated(0, true, 1, material, thermal[k], held), value);
      if (k == 0) memcpy(first, value, sizeof first);
      for (int i = 0; i < 3; ++i) assert_relative(value[i], first[i], 1e-12);
    }
  last(folder, heated(0, false, 1, "young: 730, poisson: 0.27, expansion: 1e-3", thermal[0], held), value);
  assert_relative(value[2], -730 * 0.06, 1e-10);
  app_runs(folder, heated(0, false, 1, "young: 730, poisson: 0.27, expansion: 1e-3", thermal[0],
                          "  - {on: x1, fix: {x: \"0.01*t\"}}\n"));
  scratch_last_row(folder, 3, half);
  assert_relative(half[2], 730 * (0.02 - 0.06), 1e-9);
  scratch_remove(&folder);
}

/* What a heat run leaves at nodes is interpolated on the Exec, and has the answers of the expression that is linear between nodes;
 * a field of the same on elements of order 2. Incompatible modes, plain elements and mean dilatation. */
static void by_results(void **state) {
  (void)state;
  static const char *const more[] = {"", "formulation: displacement\n", "formulation: mean-dilatation\n"};
  char *folder = scratch_create(), *heat = scratch_create(), thermal[256], text[4096];
  for (int k = 0; k < 12; ++k) {
    const int order = 1 + k % 2;
    const bool finite = k / 2 % 2;
    double wanted[3], value[3];
    snprintf(text, sizeof text,
             "version: 1\nphysics: heat\nmesh: {grid: [3, 4, 2], size: [1, 1, 1], order: %d}\nsolver: {rtol: 1e-14}\n"
             "materials: [{on: body, conductivity: 1, capacity: 1}]\n"
             "boundary: [{on: x0, temperature: 20}, {on: x1, temperature: 120}]\n",
             order);
    app_runs(heat, text);
    snprintf(thermal, sizeof thermal, "{reference: 20, temperature: {results: \"%s/results\"}}", heat);
    const char *held = "  - {on: x1, fix: {x: 0, y: 0}}\n", *of = "young: 730, poisson: 0.27, expansion: 1e-4";
    snprintf(text, sizeof text, "%s%s",
             heated(0, finite, order, of, "{reference: 20, temperature: \"20+100*x\"}", held), more[k / 4]);
    last(folder, text, wanted);
    snprintf(text, sizeof text, "%s%s", heated(0, finite, order, of, thermal, held), more[k / 4]);
    last(folder, text, value);
    for (int i = 1; i < 3; ++i) assert_within(value[i], wanted[i], 1e-9 * (fabs(wanted[2]) + 1));
  }
  scratch_remove(&folder);
  scratch_remove(&heat);
}

/* Small strains in steps end where the linear analysis is. */
static void as_in_one_step(void **state) {
  (void)state;
  char *folder = scratch_create(), material[256], text[2048], *time;
  for (int k = 0; k < 12; ++k) {
    double wanted[2], value[3];
    const int model = k % 3, of = k / 3 % 2, order = 1 + k / 6;
    snprintf(material, sizeof material, "%s, expansion: %s", MATERIAL[of], of ? "[1e-4, 3e-4, 2e-4]" : "2e-4");
    const char *whole = heated(model, false, order, material, "{reference: 5, temperature: \"20+70*x*y-15*y^2\"}",
                               "  - {on: x1, fix: {x: \"0.01+0.02*y\"}}\n");
    snprintf(text, sizeof text, "%s", whole);
    last(folder, text, value);
    time = strstr(text, "time: {end: 2, step: 0.5}\n");
    memmove(time, time + strlen("time: {end: 2, step: 0.5}\n"),
            strlen(time + strlen("time: {end: 2, step: 0.5}\n")) + 1);
    app_runs(folder, text);
    scratch_row(folder, 2, wanted);
    for (int i = 0; i < 2; ++i) assert_within(value[1 + i], wanted[i], 1e-9 * (fabs(wanted[i]) + 1e-3));
  }
  scratch_remove(&folder);
}

/* Of a chain of steps it grows over the first one and stays; with t it is that of the time. Held in x, and pulled across in the second
 * step, under small strains. */
static void over_steps(void **state) {
  (void)state;
  static const char *const steps =
      "steps: [{name: heat, end: 0.5, step: 0.25}, {name: pull, end: 2, step: 0.5, boundary: "
      "[{on: y1, traction: [0, 10, 0]}]}]\n";
  char *folder = scratch_create(), text[2048];
  const double held = 730 * 1.1e-3;
  for (int timed = 0; timed < 2; ++timed) {
    double row[2][3] = {{0}};
    char *time, *rest;
    snprintf(text, sizeof text, "%s",
             heated(0, false, 1, "young: 730, poisson: 0.27, expansion: 1.1e-3",
                    timed ? "{reference: 0, temperature: \"40*t\"}" : "{reference: 0, temperature: 50}",
                    "  - {on: x1, fix: {x: 0}}\n"));
    time = strstr(text, "time: {");
    rest = strdup(strchr(time, '\n') + 1);
    snprintf(time, sizeof text - (size_t)(time - text), "%s%s", steps, rest);
    free(rest);
    app_runs(folder, text);
    char *csv = scratch_read(folder, "results/probes.csv");
    for (const char *line = csv; line; line = strchr(line, '\n'), line += line != NULL)
      for (int k = 0; k < 2; ++k) {
        double v[3];
        if (sscanf(line, "%lf,%lf,%lf", &v[0], &v[1], &v[2]) == 3 && v[0] == (k ? 2 : 0.25))
          memcpy(row[k], v, sizeof v);
      }
    free(csv);
    assert_relative(row[0][2], -held * (timed ? 10 : 25), 1e-10);
    assert_relative(row[1][2], 0.27 * 10 - held * (timed ? 80 : 50), 1e-10);
  }
  scratch_remove(&folder);
}

/* A body that is held along x and has nothing else has the stress of its temperature at each time; and steps say what one expression
 * over all of the time says, of a metal that remembers. */
static void steps_have_their_own(void **state) {
  (void)state;
  static const struct {
    double time, temperature;
  } row[] = {{1, 20}, {1.5, 70}, {2, 120}, {2.5, 160}, {3, 120}, {3.5, 80}, {4.5, 95}, {5, 70}, {5.5, 65}, {6, 60}};
  char *folder = scratch_create(), text[2048], *csv;
  double t, s;
  int n = 0;
  app_runs(folder,
           "version: 1\nmesh: {grid: [3, 3, 2], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"
           "materials: [{on: body, young: 1000, poisson: 0.3, expansion: 1e-4}]\nboundary: [{on: [x0, x1], fix: {x: "
           "0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}]\nsteps:\n- {name: cold, end: 1, step: 0.5}\n"
           "- {name: heat, end: 2, step: 0.5, thermal: {reference: 20, temperature: 120}}\n"
           "- {name: follow, end: 3, step: 0.5, thermal: {temperature: '120 + 40*sin(3.141592653589793*(t - 2))'}}\n"
           "- {name: go on, end: 4, step: 0.5}\n- {name: cool, end: 5, step: 0.5, thermal: {temperature: 70}}\n"
           "- {name: by place, end: 6, step: 0.5, thermal: {temperature: '60 + 0*x'}}\n"
           "output: {probes: [{name: s, at: [1, 0.5, 0.5], field: stress-xx}]}\n");
  csv = scratch_read(folder, "results/probes.csv");
  for (const char *line = csv; line; line = strchr(line, '\n'), line += line != NULL)
    for (size_t k = 0; sscanf(line, "%lf,%lf", &t, &s) == 2 && k < sizeof row / sizeof *row; ++k)
      if (fabs(t - row[k].time) < 1e-9) assert_near(s, -0.1 * (row[k].temperature - 20), 1e-8), ++n;
  free(csv);
  assert_int_equal(n, sizeof row / sizeof *row);
  static const char *const ways[2] = {
      "steps: [{name: a, end: 1, step: 0.25, thermal: {temperature: 150}}, {name: b, end: 2, step: 0.25, thermal: "
      "{temperature: 40}}, {name: c, end: 3, step: 0.25, thermal: {temperature: '40 + 90*y*(t - 2)'}}]\nthermal: "
      "{reference: "
      "20, temperature: 900}\n",
      "steps: [{name: a, end: 3, step: 0.25}]\nthermal: {reference: 20, temperature: "
      "'20 + 130*min(t, 1) - 110*min(max(t - 1, 0), 1) + 90*y*max(t - 2, 0)'}\n"};
  double value[2][3];
  for (int k = 0; k < 2; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [3, 3], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
        "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, expansion: 1e-4, yield: 3, backstress: "
        "[[300, "
        "20]], creep: {norm: 1e-6, exponent: 3}}]\nboundary: [{on: [x0, x1], fix: {x: 0}}, {on: y0, fix: {y: 0}}]\n%s"
        "solver: {rtol: 1e-12}\noutput: {probes: [{name: s, at: [1, 1], field: stress-xx}, {name: p, at: [1, 1], "
        "field: plastic-strain}]}\n",
        ways[k]);
    last(folder, text, value[k]);
  }
  print_message("%.10g %.10g, %.10g %.10g\n", value[0][1], value[0][2], value[1][1], value[1][2]);
  assert_true(value[0][2] > 1e-3);
  assert_near(value[0][1], value[1][1], 1e-8);
  assert_near(value[0][2], value[1][2], 1e-10);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  app_refuses(folder, heated(0, true, 1, MATERIAL[2], "{reference: 20, temperature: 80}", ""), "no material expands",
              "give 'expansion'");
  snprintf(text, sizeof text, "%s",
           heated(0, false, 1, "young: 1, poisson: 0.3, expansion: 1e-3", "{temperature: \"80*t\"}", ""));
  memcpy(strstr(text, "time: {end: 2, step: 0.5}"), "#", 1);
  app_refuses(folder, text, "the temperature depends on t, and a static case has one time only", "");
  Said said = app_run_says(folder, heated(0, true, 1, "type: neo-hooke, young: 1, poisson: 0.3, expansion: 1e-3",
                                          "{reference: 0, temperature: \"1/(t-1.2)^0.5\"}", ""));
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "the temperature is not a number"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_bodies),          cmocka_unit_test(held_bars),      cmocka_unit_test(in_time),
      cmocka_unit_test(by_results),           cmocka_unit_test(as_in_one_step), cmocka_unit_test(over_steps),
      cmocka_unit_test(steps_have_their_own), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
