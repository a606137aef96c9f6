/* Forces and moments about a point that go over time, of rigid groups and spread ones, against the same numbers that grow and the same
 * tractions; motions of rigid groups over t, against each of their points; and the work of both, in load steps and in motion. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 3, TEXT = 4096 };
#define BODY                                                                                                           \
  "version: 1\nmesh: {grid: [4, 3, 3], size: [2, 0.7, 1.1]}\nphysics: elasticity\nmodel: 3d\nsolver: {rtol: 1e-10}\n"  \
  "output: {probes: [{name: u, at: [2, 0.7, 0], field: displacement-x}, {name: v, at: [2, 0, 1.1], field: "            \
  "displacement-y}, {name: w, at: [1.2, 0.3, 0.4], field: displacement-z}]}\n"
#define METAL "materials: [{on: body, type: plastic, young: 100, poisson: 0.3, density: 1, yield: [[0, 2], [1, 90]]}]\n"
#define LINEAR "materials: [{on: body, young: 100, poisson: 0.3, density: 1}]\n"
#define MOTION "analysis: {type: transient, rho-infinity: 1, damping: {alpha: 0.3, beta: 2e-3}}\n"
#define STEPS "time: {end: 1, step: 0.25}\n"
#define MOVES "time: {end: 1, step: 0.02}\n"

static double draw(double from, double to) { return from + (to - from) * rand() / RAND_MAX; }

static void run(const char *folder, const char *text, double value[PROBES]) {
  double row[1 + PROBES];
  app_runs(folder, text);
  scratch_last_row(folder, 1 + PROBES, row);
  memcpy(value, row + 1, PROBES * sizeof *value);
}

/* With `entry` on the side x1, which holds sums of drawn numbers; the last values. */
static void with(const char *folder, const char *head, const char *time, const char *entry, const double v[6],
                 double value[PROBES]) {
  char text[TEXT];
  int n = snprintf(text, sizeof text, "%s%sboundary: [{on: x0, fix: all}, ", head, time);
  n += snprintf(text + n, sizeof text - (size_t)n, entry, v[0], v[1], v[2], v[3], v[4], v[5]);
  snprintf(text + n, sizeof text - (size_t)n, "]\n");
  run(folder, text, value);
}

static void same(const double got[PROBES], const double want[PROBES], double off, const char *what) {
  for (int k = 0; k < PROBES; ++k)
    if (!(fabs(got[k] - want[k]) <= off * (fabs(want[k]) + 1e-3)) || want[k] == 0)
      fail_msg("%s: probe %d is %.12g, not %.12g", what, k, got[k], want[k]);
}

/* Numbers that nothing with t stands beside grow with the time: so do the same ones times t. */
static void forces_over_time(void **state) {
  (void)state;
#define NUMBERS "force: [%.17g, %.17g, %.17g], moment: [%.17g, %.17g, %.17g]"
#define TIMES_T "force: ['%.17g*t', '%.17g*t', '%.17g*t'], moment: ['%.17g*t', '%.17g*t', '%.17g*t']"
#define AT "at: [1.9, 0.4, 0.6], "
  static const char *const head[] = {BODY METAL, BODY METAL "strain: finite\n"},
                           *const entry[][2] = {
                               {"{on: x1, rigid: {" AT NUMBERS "}}", "{on: x1, rigid: {" AT TIMES_T "}}"},
                               {"{on: x1, distribute: {" AT NUMBERS "}}", "{on: x1, distribute: {" AT TIMES_T "}}"},
                               {"{on: x1, rigid: {" AT "fix: {y: 0.01}, " NUMBERS "}}",
                                "{on: x1, rigid: {" AT "fix: {y: '0.01*t'}, " TIMES_T "}}"}};
  char *folder = scratch_create();
  for (int h = 0; h < 2; ++h)
    for (int e = 0; e < 3; ++e) {
      double v[6], want[PROBES], got[PROBES];
      for (int k = 0; k < 6; ++k) v[k] = draw(-0.5, 0.5);
      with(folder, head[h], STEPS, entry[e][0], v, want);
      with(folder, head[h], STEPS, entry[e][1], v, got);
      same(got, want, 1e-7, entry[e][1]);
    }
  scratch_remove(&folder);
}

/* A force at the middle of a side is a traction on it; in a chain a step takes its place from its begin on. */
static void forces_are_tractions(void **state) {
  (void)state;
  static const double AREA = 0.7 * 1.1;
  static const char *const head[] = {BODY LINEAR MOTION MOVES, BODY LINEAR MOTION "strain: finite\n" MOVES,
                                     BODY LINEAR "analysis: {type: harmonic, frequency: [1.7], damping: 0.05}\n"},
                           *const over[] = {"sin(3*t)", "sin(3*t)", "(1+f^2)"};
  char *folder = scratch_create(), text[TEXT];
  for (int h = 0; h < 4; ++h)
    for (int kind = 0; kind < 2; ++kind) {
      const double a = draw(0.1, 0.4), b = draw(-0.4, -0.1);
      double value[2][PROBES];
      for (int force = 0; force < 2; ++force) {
        const double by = force ? 1 : 1 / AREA;
        const char *const open = !force ? "traction: "
                                 : kind ? "distribute: {at: [2, 0.35, 0.55], force: "
                                        : "rigid: {at: [2, 0.35, 0.55], force: ",
                          *const shut = force ? "}" : "";
        int n = h < 3 ? snprintf(text, sizeof text, "%sboundary: [{on: x0, fix: all}, ", head[h])
                      : snprintf(text, sizeof text, BODY METAL "boundary: [{on: x0, fix: all}");
        if (!kind && (!force || h == 3))
          n += snprintf(text + n, sizeof text - (size_t)n, "%s{on: x1, rigid: {at: [2, 0.35, 0.55]}}%s",
                        h == 3 ? ", " : "", h == 3 ? "" : ", ");
        if (h < 3)
          snprintf(text + n, sizeof text - (size_t)n, "{on: x1, %s['%.17g*%s', '%.17g*%s', 0]%s}]\n", open, a * by,
                   over[h], b * by, over[h], shut);
        else
          snprintf(text + n, sizeof text - (size_t)n,
                   "]\nsteps: [{name: a, end: 1, step: 0.25, boundary: [{on: x1, %s['%.17g*t*t', %.17g, 0]%s}]}, "
                   "{name: b, end: 2, step: 0.25, boundary: [{on: x1, %s[%.17g, '%.17g*(t - 1)', 0]%s}]}, {name: c, "
                   "end: 3, step: 0.5, boundary: [{on: x1, %s[%.17g, %.17g, 0]%s}]}]\n",
                   open, a * by, b * by, shut, open, a * by, b * by, shut, open, b * by, a * by, shut);
        run(folder, text, value[force]);
      }
      same(value[1], value[0], h == 2 ? 1e-5 : 1e-7, text);
    }
  scratch_remove(&folder);
}

/* A side that is moved and turned by small angles, in motion at small strains: as each of its points is. */
static void motions_over_time(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2][TEXT];
  const double x = draw(0.02, 0.1), turn = draw(0.02, 0.1), y = draw(-0.1, 0.1);
  double value[2][PROBES];
  snprintf(text[0], TEXT,
           BODY METAL MOTION MOVES "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.2, 0.5], fix: {x: "
                                   "'%.17g*(1-cos(3*t))', y: '%.17g*t*t', z: 0, rx: '%.17g*t^2', ry: 0, rz: 0}}}]\n",
           x, y, turn);
  snprintf(text[1], TEXT,
           BODY METAL MOTION MOVES "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '%.17g*(1-cos(3*t))', y: "
                                   "'%.17g*t*t-%.17g*t^2*(z-0.5)', z: '%.17g*t^2*(y-0.2)'}}]\n",
           x, y, turn, turn);
  for (int k = 0; k < 2; ++k) run(folder, text[k], value[k]);
  same(value[0], value[1], 1e-8, text[0]);
  /* in a chain, from load steps on */
  snprintf(text[0], TEXT,
           BODY LINEAR MOTION "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.2, 0.5], fix: {x: %.17g, y: "
                              "0, z: 0, rx: %.17g, ry: 0, rz: 0}}}]\n"
                              "steps: [{name: a, end: 1, step: 1, inertia: false}, {name: b, end: 1.1, step: 0.02}]\n",
           x, turn);
  snprintf(text[1], TEXT,
           BODY LINEAR "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: %.17g, y: '-%.17g*(z-0.5)', z: "
                       "'%.17g*(y-0.2)'}}]\nformulation: incompatible-modes\n",
           x, turn, turn);
  for (int k = 0; k < 2; ++k) run(folder, text[k], value[k]);
  same(value[0], value[1], 1e-7, text[0]);
  scratch_remove(&folder);
}

/* What is done to the body is what it has, whoever does it: forces, moments, motions of the group and of points, what dampers take at held
 * nodes. At small strains and in a chain too. */
static void works_balance(void **state) {
  (void)state;
  static const char *const entry[] = {
      "{on: x1, rigid: {" AT "fix: {x: '%.17g*t*t', y: 0, z: 0, rx: '%.17g*t*t', ry: '%.17g*t*t', rz: 0}}}",
      "{on: x1, dashpot: 0.7}, {on: x1, rigid: {" AT "fix: {x: '%.17g*t*t', rx: '%.17g*t*t', rz: '%.17g*t^2'}, "
      "force: [0, '%.17g*t', 0]}}",
      "{on: x1, dashpot: 0.7}, {on: x1, fix: {x: '%.17g*t*t', y: '%.17g*t^2*z'}}", "{on: x1, rigid: {" AT TIMES_T "}}",
      "{on: x1, rigid: {" AT NUMBERS ", fix: {z: 0.1}}}"};
  static const struct {
    const char *head, *time;
    double off;
  } kinds[] = {{BODY METAL, STEPS, 2e-2},
               {BODY METAL "strain: finite\n", STEPS, 2e-2},
               {BODY METAL MOTION, MOVES, 1e-6},
               {BODY METAL MOTION "strain: finite\n", MOVES, 1e-6}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    for (size_t e = 0; e < sizeof entry / sizeof *entry; ++e) {
      double v[6], value[PROBES];
      if (e == 4 && k > 1) continue;             /* what is held jumps */
      if (k < 2 && (e == 1 || e == 2)) continue; /* dashpots are of motion */
      for (int i = 0; i < 6; ++i) v[i] = draw(0.05, 0.25);
      with(folder, kinds[k].head, kinds[k].time, entry[e], v, value);
      const double done = scratch_reported(folder, "external_work"),
                   had = scratch_reported(folder, "strain_energy") + scratch_reported(folder, "dissipated_energy") +
                         (k > 1 ? scratch_reported(folder, "kinetic_energy") : 0);
      print_message("%zu %zu: %g done, %.2e off\n", k, e, done, had / done - 1);
      assert_true(done > 1e-3);
      assert_within(had, done, kinds[k].off * done);
    }
  scratch_remove(&folder);
}

/* What is prescribed of a group bears the force and the moment that act there too: all reactions balance them. */
static void reactions_balance(void **state) {
  (void)state;
  static const char *const held[] = {"{rz: 0.03}", "{x: 0.01, rz: 0.03}", "all", "{rx: '0.02*t', ry: 0.01}"};
  char *folder = scratch_create(), text[TEXT];
  for (size_t i = 0; i < sizeof held / sizeof *held; ++i) {
    double v[6], row[13];
    for (int k = 0; k < 6; ++k) v[k] = draw(0.1, 0.5);
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [4, 3, 3], size: [2, 0.7, 1.1]}\nphysics: elasticity\nmodel: 3d\n" METAL STEPS
        "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [1.9, 0.4, 0.6], fix: %s, force: ['%.17g*t', %.17g, "
        "%.17g], moment: [%.17g, '%.17g*t^2', %.17g]}}]\noutput: {sums: [{name: a, on: x0, field: reaction}, {name: "
        "b, on: x1, field: reaction}, {name: c, on: x0, field: moment, about: [1.9, 0.4, 0.6]}, {name: d, on: x1, "
        "field: moment, about: [1.9, 0.4, 0.6]}]}\n",
        held[i], v[0], v[1], v[2], v[3], v[4], v[5]);
    app_runs(folder, text);
    scratch_last_row(folder, 13, row);
    for (int k = 0; k < 6; ++k) {
      const double *at = row + 1 + (k < 3 ? k : 3 + k);
      assert_within(at[0] + at[3], -v[k], 1e-6);
    }
  }
  scratch_remove(&folder);
}

/* Beside a load over t the number that a motion is acts in full from the start, as it does at finite strain. */
static void numbers_act_in_full(void **state) {
  (void)state;
  static const char *const value[] = {"0.01", "'0.01 + 0*t'"};
  char *folder = scratch_create(), text[TEXT];
  double at[2];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             BODY METAL STEPS "boundary: [{on: x0, fix: all}, {on: y1, traction: [0, '0.01*t', 0]}, {on: x1, rigid: "
                              "{at: [1.9, 0.4, 0.6], fix: {y: %s}}}]\n",
             value[k]);
    app_runs(folder, text);
    char *csv = scratch_read(folder, "results/probes.csv");
    const char *row = strstr(csv, "\n0.25,");
    assert_non_null(row);
    at[k] = strtod(strchr(row + strlen("\n0.25,"), ',') + 1, NULL);
    double u, v; /* made straight over the first step, as supports are, and there in full at its end */
    const char *first = strstr(csv, "\n0,");
    assert_non_null(first);
    assert_int_equal(sscanf(first, "\n0,%lf,%lf", &u, &v), 2);
    assert_within(u, 0, 1e-12);
    assert_within(v, 0, 1e-12);
    assert_int_equal(sscanf(row, "\n0.25,%*f,%lf", &v), 1);
    assert_within(v, 0.01, 0.002); /* it turns a little, too */
    free(csv);
  }
  assert_true(fabs(at[1]) > 1e-3);
  assert_within(at[0], at[1], 1e-12);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_over_time),  cmocka_unit_test(forces_are_tractions),
                                     cmocka_unit_test(motions_over_time), cmocka_unit_test(works_balance),
                                     cmocka_unit_test(reactions_balance), cmocka_unit_test(numbers_act_in_full)};
  return cmocka_run_group_tests_name("app/rigid_works", tests, NULL, NULL);
}
