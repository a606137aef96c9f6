/* Motion in time by modes: the equation of one mode against its closed forms, all modes against the direct method, a body
 * that comes to rest under its load, supports that move, damping of single modes; and frequencies close together at natural
 * ones. */
#include "app/elasticity/modal_step.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8 };

/* z" + 2 d z' + lambda z = a + b t in many short steps of Runge and Kutta's method. */
static void mode_in_steps(const ModalStep *m, double dt, double *z, double *v) {
  enum { N = 20000 };
  const double h = dt / N;
  for (int i = 0; i < N; ++i) {
    double k[4][2], at[2] = {*z, *v};
    for (int s = 0; s < 4; ++s) {
      const double part = s == 2 ? h : h / 2, t = i * h + (s == 0 ? 0 : s == 3 ? h : h / 2);
      k[s][0] = at[1];
      k[s][1] = m->load + m->slope * t - m->damping * at[1] - m->lambda * at[0];
      at[0] = *z + part * k[s][0], at[1] = *v + part * k[s][1];
    }
    *z += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
    *v += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
  }
}

static void one_mode(void **state) {
  (void)state;
  static const double damping[] = {0, 0.3, 3.999, 4, 4.0000001, 4.001, 9, 60}; /* critical: 4 */
  for (size_t i = 0; i < sizeof damping / sizeof *damping; ++i) {
    const ModalStep m = {.lambda = 4, .damping = damping[i], .load = 0.7, .slope = -0.4};
    double z = 0.3, v = -0.8, exact_z = z, exact_v = v;
    modal_step(&m, 1.3, &z, &v);
    mode_in_steps(&m, 1.3, &exact_z, &exact_v);
    assert_near(z, exact_z, 1e-9);
    assert_near(v, exact_v, 1e-9);
  }
  const ModalStep stiff = {.lambda = 1e8, .damping = 1e6, .load = 1, .slope = 0}; /* e^-1e6 and e^-200 */
  double z = 1, v = 0;
  modal_step(&stiff, 2, &z, &v);
  assert_true(fabs(z - 1e-8) < 1e-20 && isfinite(v));
}

/* The line of probes.csv at a time, or the last one (time < 0). */
static void row(const char *folder, double time, double *value) {
  char *text = scratch_read(folder, "results/probes.csv");
  bool found = false;
  for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
    char *at = line;
    if (time >= 0 && fabs(strtod(line, NULL) - time) > 1e-9) continue;
    found = true;
    for (int c = 0; c < COLUMNS && *at && *at != '\n'; ++c, at += *at == ',') value[c] = strtod(at, &at);
  }
  free(text);
  assert_true(found);
}

static void run_text(const char *folder, const char *format, const char *analysis, const char *step) {
  char text[4000];
  snprintf(text, sizeof text, format, analysis, step);
  app_runs(folder, text);
}

/* 72 unknowns that are free. Loads and support are straight from step to step. */
#define BLOCK                                                                                                          \
  "version: 1\nmesh: {grid: [4, 3, 3], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"                             \
  "analysis: {type: transient, %s damping: {alpha: 0.1, beta: 0.01}}\n"                                                \
  "materials: [{on: body, young: 100, poisson: 0.3, density: 1}]\n"                                                    \
  "boundary: [{on: x0, fix: {x: 0, y: '0.1*min(t, 0.5)', z: 0}}, {on: x1, traction: [0, '0.5*min(t, 0.7)', 0.2]},"     \
  " {on: z0, spring: 0.3}]\n"                                                                                          \
  "initial: {velocity: [0, '0.01*x', 0]}\ntime: {end: 2, step: %s}\nsolver: {rtol: 1e-11}\n"                           \
  "output: {every: 0.5, fields: [displacement, velocity, stress], probes: ["                                           \
  "{name: y, at: [2, 0.5, 0.5], field: displacement-y}, {name: z, at: [2, 1, 1], field: displacement-z}, "             \
  "{name: v, at: [2, 0.5, 0.5], field: velocity-z}, {name: s, at: [0.2, 0.5, 0.5], field: stress-xy}]}\n"

static double difference(const double *a, const double *b, int n) {
  double worst = 0;
  for (int c = 1; c <= n; ++c) worst = fmax(worst, fabs(a[c] - b[c]) / fmax(fabs(b[c]), 1e-3));
  return worst;
}

/* All modes there are: the direct method comes near with the square of its step, whatever the step by modes. */
static void as_direct(void **state) {
  (void)state;
  char *folder = scratch_create();
  double coarse[COLUMNS], fine[COLUMNS], modes[COLUMNS], again[COLUMNS];
  run_text(folder, BLOCK, "rho-infinity: 1,", "0.02");
  row(folder, -1, coarse);
  run_text(folder, BLOCK, "rho-infinity: 1,", "0.005");
  row(folder, -1, fine);
  run_text(folder, BLOCK, "method: modes, modes: 81,", "0.1");
  row(folder, -1, modes);
  run_text(folder, BLOCK, "method: modes, modes: 81, remainder: none,", "0.05");
  row(folder, -1, again);
  print_message("direct %g %g, step of modes %g\n", difference(coarse, modes, 4), difference(fine, modes, 4),
                difference(again, modes, 4));
  assert_true(difference(fine, modes, 4) < 1e-3 && difference(coarse, modes, 4) > 8 * difference(fine, modes, 4));
  assert_true(difference(again, modes, 4) < 1e-7);
  scratch_remove(&folder);
}

/* Body and support move at one speed: no stress, one velocity, no acceleration, from the start to the end, by few modes as by
 * all, damped or not. */
static void one_speed(void **state) {
  (void)state;
  static const char *const analysis[] = {"rho-infinity: 1", "damping: {beta: 0.03}", "method: modes, modes: 81",
                                         "method: modes, modes: 4, damping: {beta: 0.03}",
                                         "method: modes, modes: 6, damping: {ratio: 0.4, beta: 0.01}"};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof analysis / sizeof *analysis; ++k) {
    double value[COLUMNS];
    run_text(folder,
             "version: 1\nmesh: {grid: [4, 3, 3], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"
             "analysis: {type: transient, %s}\n"
             "materials: [{on: body, young: 60, poisson: 0.2, density: 1.7}]\n"
             "boundary: [{on: x0, fix: {x: '0.04*t', y: '-0.07*t', z: 0}}]\n"
             "initial: {velocity: [0.04, -0.07, 0]}\ntime: {end: 1.3, step: %s}\nsolver: {rtol: 1e-12}\n"
             "output: {every: 0.13, fields: [displacement, velocity, stress], probes: ["
             "{name: x, at: [2, 0.5, 0.5], field: displacement-x}, {name: v, at: [2, 1, 1], field: velocity-y}, "
             "{name: h, at: [0, 0.5, 0.5], field: velocity-y}, {name: a, at: [1.3, 0, 1], field: acceleration-y}, "
             "{name: s, at: [0.2, 0.5, 0.5], field: stress-xy}]}\n",
             analysis[k], "0.065");
    for (int n = 0; n <= 10; ++n) {
      row(folder, 0.13 * n, value);
      assert_near(value[1], 0.04 * 0.13 * n, 1e-8);
      assert_near(value[2], -0.07, 1e-8);
      assert_near(value[3], -0.07, 1e-8);
      assert_near(value[4], 0, 1e-6);
      assert_near(value[5], 0, 1e-6);
    }
  }
  scratch_remove(&folder);
}

/* A support with an acceleration: its own, and that of the body, by modes as by the direct method, damped. */
static void support_accelerates(void **state) {
  (void)state;
  static const char *const text =
      "version: 1\nmesh: {grid: [4, 3, 3], size: [2, 1, 0.6]}\nphysics: elasticity\nmodel: 3d\n"
      "analysis: {type: transient, %s, damping: {alpha: 0.2, beta: 0.02}}\n"
      "materials: [{on: body, young: 45, poisson: 0.3, density: 1.4}]\n"
      "boundary: [{on: x0, fix: {x: 0, y: '0.03*sin(4*t) + 0.1*t^2', z: 0}}]\n"
      "initial: {velocity: [0, '0.05*x', 0]}\ntime: {end: 0.8, step: %s}\nsolver: {rtol: 1e-11}\n"
      "output: {every: 0.4, probes: [{name: own, at: [0, 0.5, 0.3], field: acceleration-y}, "
      "{name: x, at: [0.6, 0.2, 0.3], field: acceleration-x}, {name: y, at: [0.5, 0.5, 0.3], field: "
      "acceleration-y}]}\n";
  char *folder = scratch_create();
  double direct[3][COLUMNS], modes[3][COLUMNS];
  run_text(folder, text, "rho-infinity: 0.8", "0.002");
  for (int n = 0; n < 3; ++n) row(folder, 0.4 * n, direct[n]);
  run_text(folder, text, "method: modes, modes: 81", "0.004");
  for (int n = 0; n < 3; ++n) {
    row(folder, 0.4 * n, modes[n]);
    assert_within(modes[n][1], 0.2 - 0.48 * sin(1.6 * n), 1e-4);
    for (int c = 2; c < 4; ++c) assert_within(modes[n][c], direct[n][c], n ? 2e-2 * fabs(direct[n][3]) : 1e-5);
  }
  scratch_remove(&folder);
}

/* Small displacements that are not small are told, of both methods; a body that goes far as a whole is not. */
static void large_motion_is_told(void **state) {
  (void)state;
  static const struct {
    const char *method, *support, *velocity;
    bool told;
  } run[] = {{"", "0", "30", true},       {", method: modes, modes: 3", "0", "30", true},
             {"", "0", "0.3", false},     {", method: modes, modes: 3", "0", "0.3", false},
             {"", "'30*t'", "30", false}, {", method: modes, modes: 3", "'30*t'", "30", false}};
  char *folder = scratch_create(), text[2000];
  for (size_t k = 0; k < sizeof run / sizeof *run; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [6, 3], size: [3, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
             "analysis: {type: transient%s}\nmaterials: [{on: body, young: 500, poisson: 0.25, density: 1.3}]\n"
             "boundary: [{on: x0, fix: {x: %s, y: 0}}]\ninitial: {velocity: [%s, 0]}\ntime: {end: 0.4, step: 0.02}\n"
             "output: {every: 0.1}\n",
             run[k].method, run[k].support, run[k].velocity);
    scratch_write(folder, "case.yaml", text);
    Said said =
        app_says("run", scratch_path(folder, "case.yaml"), "-q", "--overwrite", "--backend", app_backend(), NULL);
    assert_int_equal(said.code, 0);
    const bool told = strstr(said.err, "over the body at t = ") && strstr(said.err, "and the body is 3 large");
    if (told != run[k].told) fail_msg("run %d: %s", (int)k, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Few modes and what the others do at rest: nearer than without. */
static void remainder_helps(void **state) {
  (void)state;
  char *folder = scratch_create();
  double all[COLUMNS], few[COLUMNS], bare[COLUMNS];
  run_text(folder, BLOCK, "method: modes, modes: 81,", "0.05");
  row(folder, -1, all);
  run_text(folder, BLOCK, "method: modes, modes: 12,", "0.05");
  row(folder, -1, few);
  run_text(folder, BLOCK, "method: modes, modes: 12, remainder: none,", "0.05");
  row(folder, -1, bare);
  print_message("with static answers %g, without %g\n", difference(few, all, 4), difference(bare, all, 4));
  assert_true(difference(few, all, 4) < 1e-3 && difference(bare, all, 4) > 10 * difference(few, all, 4));
  scratch_remove(&folder);
}

/* A force stays; the body, damped critically in every mode, comes to the static answer, and at once to none. */
static void comes_to_rest(void **state) {
  (void)state;
#define STRIP                                                                                                          \
  "version: 1\nmesh: {grid: [7, 3], size: [2, 0.5]}\nphysics: elasticity\nmodel: plane-stress\n%s"                     \
  "materials: [{on: body, young: 10, poisson: 0.3, density: 1}]\n"                                                     \
  "boundary: [{on: x0, fix: {x: 0, y: 0.3}}, {on: x1, traction: [0, 0.1]}]\nsolver: {rtol: 1e-11}\n%s"                 \
  "output: {probes: [{name: y, at: [2, 0.25], field: displacement-y}, {name: s, at: [0.4, 0.1], field: stress-xx}]}\n"
  char *folder = scratch_create();
  double still[COLUMNS], value[COLUMNS];
  run_text(folder, STRIP, "", "");
  row(folder, -1, still);
  run_text(folder, STRIP, "analysis: {type: transient, method: modes, modes: 5, damping: {ratio: 1}}\n",
           "time: {end: 200, step: 50}\n");
  row(folder, -1, value);
  assert_true(difference(value, still, 2) < 1e-7);
  row(folder, 0, value);
  assert_near(value[1], 0, 1e-12); /* at rest at the start, but for the support */
  run_text(folder, STRIP, "analysis: {type: transient, method: modes, modes: 5, damping: {ratio: [1, 1, 1]}}\n",
           "time: {end: 200, step: 50}\n"); /* the other two go on */
  row(folder, -1, value);
  assert_true(difference(value, still, 2) > 1e-7);
  scratch_remove(&folder);
}

/* No phase took less than nothing: static answers at 100 times share one set-up. */
static void seconds_add_up(void **state) {
  (void)state;
  char *folder = scratch_create();
  run_text(
      folder,
      "version: 1\nmesh: {grid: [31, 5], size: [20, 1], order: 2}\nphysics: elasticity\nmodel: plane-stress\n%s"
      "materials: [{on: body, young: 10, poisson: 0.3, density: 1}]\n"
      "boundary: [{on: x0, fix: all}, {on: x1, traction: ['cos(t)', 'sin(t)']}]\n%s",
      "analysis: {type: transient, method: modes, modes: 2}\n",
      "time: {end: 100, step: 1}\noutput: {every: 1, probes: [{name: y, at: [20, 0.5], field: displacement-y}]}\n");
  char *text = scratch_read(folder, "results/report.json");
  const char *seconds = strstr(text, "\"seconds\":");
  assert_non_null(seconds);
  const char *below = strstr(seconds, ": -");
  assert_true(!below || below > strchr(seconds, '}'));
  free(text);
  scratch_remove(&folder);
}

static int column(const char *folder, int c, double *value, int most) {
  char *text = scratch_read(folder, "results/probes.csv");
  int n = 0;
  for (char *line = strchr(text, '\n') + 1; *line && n < most; line = strchr(line, '\n') + 1, ++n) {
    char *at = line;
    for (int k = 0; k < c; ++k) at = strchr(at, ',') + 1;
    value[n] = strtod(at, NULL);
  }
  free(text);
  return n;
}

/* Frequencies between natural ones, and the same damping in two words. */
static void near_resonances(void **state) {
  (void)state;
  enum { MOST = 64 };
#define SWEEP                                                                                                          \
  "version: 1\nmesh: {grid: [9, 3], size: [2, 0.5]}\nphysics: elasticity\nmodel: plane-stress\n"                       \
  "analysis: {%s\nmaterials: [{on: body, young: 10, poisson: 0.3, density: 1}]\n"                                      \
  "boundary: [{on: x0, fix: all}%s\nsolver: {rtol: 1e-10}\n"
#define PROBE "output: {probes: [{name: y, at: [2, 0.25], field: displacement-y}]}\n"
  char *folder = scratch_create(), analysis[600];
  double f[MOST], natural[2], by_ratio[MOST], by_alpha[MOST];
  run_text(folder, SWEEP "output: {probes: [{name: y, at: [2, 0.25], field: displacement-y}]}\n",
           "type: modal, modes: 2}", "]");
  assert_int_equal(column(folder, 0, natural, 2), 2);
  const char *const sweep = "type: harmonic, frequency: {from: 0.05, to: 2, count: 5, spacing: modes, bias: 2}, "
                            "method: modes, modes: 2, damping: {%s}}";
  snprintf(analysis, sizeof analysis, sweep, "alpha: 0.02");
  run_text(folder, SWEEP PROBE, analysis, ", {on: x1, traction: [0, 0.1]}]");
  assert_int_equal(column(folder, 0, f, MOST), 13);
  assert_int_equal(column(folder, 1, by_alpha, MOST), 13);
  assert_within(f[4], natural[0], 1e-7);
  assert_within(f[8], natural[1], 1e-7);
  assert_near(f[1], (0.05 + f[4]) / 2 - (f[4] - 0.05) / 2 * sqrt(0.5), 1e-12);
  assert_near(f[2], (0.05 + f[4]) / 2, 1e-12);
  char ratios[100];
  snprintf(ratios, sizeof ratios, "ratio: [%.15g, %.15g]", 0.01 / (2 * M_PI * natural[0]),
           0.01 / (2 * M_PI * natural[1]));
  snprintf(analysis, sizeof analysis, sweep, ratios);
  run_text(folder, SWEEP PROBE, analysis, ", {on: x1, traction: [0, 0.1]}]");
  column(folder, 1, by_ratio, MOST);
  for (int k = 0; k < 13; ++k) /* alpha damps the others too */
    assert_within(by_ratio[k], by_alpha[k], 1e-5 * by_alpha[k]);
  assert_true(by_alpha[4] > by_alpha[3] && by_alpha[4] > by_alpha[5]);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_mode),
                                     cmocka_unit_test(as_direct),
                                     cmocka_unit_test(one_speed),
                                     cmocka_unit_test(support_accelerates),
                                     cmocka_unit_test(large_motion_is_told),
                                     cmocka_unit_test(remainder_helps),
                                     cmocka_unit_test(comes_to_rest),
                                     cmocka_unit_test(near_resonances),
                                     cmocka_unit_test(seconds_add_up)};
  return cmocka_run_group_tests_name("app/by_modes", tests, NULL, NULL);
}
