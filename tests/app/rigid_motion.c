/* Rigid groups of a body in motion at finite strain: a pendulum, a face that is driven as each of its points is, a body that flies
 * and turns, the same after load steps and after it was stopped. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void last_row(const char *folder, int n, double *value) {
  double row[9];
  scratch_last_row(folder, n + 1, row);
  for (int k = 0; k < n; ++k) value[k] = row[1 + k];
}

/* ---- a plate of 2 x 0.5 that hangs on an axis, next to rigid: I t'' = m g d sin(rest - t), by many steps of Runge and Kutta ---- */
static const double AXIS[2] = {-0.3, 0.4}, GRAVITY = 9.81, REST = -0.4363323129985824;

static void pendulum_plain(double end, double begun, double *angle, double *rate) {
  enum { STEPS = 20000 };
  const double x = 1 - AXIS[0], y = 0.25 - AXIS[1], d = hypot(x, y), inertia = (4 + 0.25) / 12 + d * d;
  const double first = atan2(y, x), h = end / STEPS;
  *angle = 0, *rate = begun;
  for (int k = 0; k < STEPS; ++k) {
    double t[4], w[4];
    for (int i = 0; i < 4; ++i) {
      const double by = i == 0 ? 0 : i == 3 ? h : h / 2;
      t[i] = *rate + (i ? by * w[i - 1] : 0);
      w[i] = GRAVITY * d / inertia * sin(REST - first - (*angle + (i ? by * t[i - 1] : 0)));
    }
    *angle += h / 6 * (t[0] + 2 * t[1] + 2 * t[2] + t[3]);
    *rate += h / 6 * (w[0] + 2 * w[1] + 2 * w[2] + w[3]);
  }
}

static void pendulum(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double got[2][3], angle, rate;
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [5, 3], size: [2, 0.5]}\nphysics: elasticity\nmodel: plane-stress\n"
             "strain: finite\nformulation: displacement\nanalysis: {type: transient, rho-infinity: 0.6}\n"
             "materials: [{on: body, young: 1e6, poisson: 0.3, density: 2}]\n"
             "body: [{on: body, gravity: [%.17g, %.17g]}]\n"
             "boundary: [{on: x0, rigid: {at: [%g, %g], fix: {x: 0, y: 0}}}]\ntime: {end: 1.8, step: %g}\n"
             "solver: {rtol: 1e-9}\noutput: {every: 0.3, checkpoint: 0.3, probes: [{name: u, at: [1, 0.25], field: "
             "displacement-x}, {name: v, at: [1, 0.25], field: displacement-y}, {name: w, at: [0, 0], field: "
             "velocity-x}]}\n",
             GRAVITY * cos(REST), GRAVITY * sin(REST), AXIS[0], AXIS[1], k == 0 ? 0.03 : 0.015);
    app_runs(folder, text);
    last_row(folder, 3, got[k]);
  }
  pendulum_plain(1.8, 0, &angle, &rate);
  const double x = 1 - AXIS[0], y = 0.25 - AXIS[1];
  const double wanted[2] = {cos(angle) * x - sin(angle) * y - x, sin(angle) * x + cos(angle) * y - y};
  const double corner = -rate * (sin(angle) * -AXIS[0] + cos(angle) * -AXIS[1]);
  print_message("turned by %g: %g %g, %g %g, exact %g %g; %g, exact %g\n", angle, got[0][0], got[0][1], got[1][0],
                got[1][1], wanted[0], wanted[1], got[1][2], corner);
  assert_true(angle < -0.2 && rate > 0.5);
  for (int i = 0; i < 2; ++i) {
    const double first = fabs(got[0][i] - wanted[i]), second = fabs(got[1][i] - wanted[i]);
    assert_true(second < 4e-4 && second < first / 3); /* of second order */
  }
  assert_within(got[1][2], corner, 1e-2);
  const double done = scratch_reported(folder, "external_work");
  assert_true(done > 0.5);
  assert_within(scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy"), done, 2e-3);
  scratch_remove(&folder);
}

/* The same plate, thrown so that it goes over the top again and again: three times around in all. */
static void over_the_top(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double got[2][3], angle, rate;
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [5, 3], size: [2, 0.5]}\nphysics: elasticity\nmodel: plane-stress\n"
             "strain: finite\nformulation: displacement\nanalysis: {type: transient, rho-infinity: 0.6}\n"
             "materials: [{on: body, young: 1e6, poisson: 0.3, density: 2}]\n"
             "body: [{on: body, gravity: [%.17g, %.17g]}]\ninitial: {velocity: ['-8*(y - 0.4)', '8*(x + 0.3)']}\n"
             "boundary: [{on: x0, rigid: {at: [-0.3, 0.4], fix: {x: 0, y: 0}}}]\ntime: {end: 3, step: %g}\n"
             "solver: {rtol: 1e-9}\noutput: {every: 0.3, probes: [{name: u, at: [1, 0.25], field: displacement-x}, "
             "{name: v, at: [1, 0.25], field: displacement-y}]}\n",
             GRAVITY * cos(REST), GRAVITY * sin(REST), k == 0 ? 0.015 : 0.0075);
    app_runs(folder, text);
    last_row(folder, 2, got[k]);
  }
  pendulum_plain(3, 8, &angle, &rate);
  const double x = 1 - AXIS[0], y = 0.25 - AXIS[1];
  const double wanted[2] = {cos(angle) * x - sin(angle) * y - x, sin(angle) * x + cos(angle) * y - y};
  print_message("turned by %g: %g %g, %g %g, exact %g %g\n", angle, got[0][0], got[0][1], got[1][0], got[1][1],
                wanted[0], wanted[1]);
  assert_true(angle > 18);
  const double first = hypot(got[0][0] - wanted[0], got[0][1] - wanted[1]);
  const double second = hypot(got[1][0] - wanted[0], got[1][1] - wanted[1]);
  assert_true(second < 0.05 && second < first / 3);
  const double done = scratch_reported(folder, "external_work"), had = 0.5 * 64 * 2 * (4.25 / 12 + x * x + y * y);
  assert_within(scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy") - done, had,
                2e-3 * had);
  scratch_remove(&folder);
}

/* ---- a free body that turns about its middle axis tumbles: Euler's equations, by many steps of Runge and Kutta ---- */
enum { TURNING = 12 }; /* the rotation, by rows, and the rate in the body */
static void tumbling_rate(const double J[3], const double *s, double *out) {
  const double *w = s + 9;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      out[3 * i + k] = s[3 * i + p] * w[q] - s[3 * i + q] * w[p];
    }
  for (int k = 0; k < 3; ++k) {
    const int p = (k + 1) % 3, q = (k + 2) % 3;
    out[9 + k] = (J[p] - J[q]) * w[p] * w[q] / J[k];
  }
}

static void tumbling_plain(const double J[3], double end, double s[TURNING]) {
  enum { STEPS = 20000 };
  const double h = end / STEPS;
  for (int n = 0; n < STEPS; ++n) {
    double k[4][TURNING], at[TURNING];
    for (int i = 0; i < 4; ++i) {
      for (int c = 0; c < TURNING; ++c) at[c] = s[c] + (i == 0 ? 0 : k[i - 1][c] * (i == 3 ? h : h / 2));
      tumbling_rate(J, at, k[i]);
    }
    for (int c = 0; c < TURNING; ++c) s[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
  }
}

static void tumbles(void **state) {
  (void)state;
  static const double J[3] = {1.25 / 12, 4.25 / 12, 5.0 / 12}, MIDDLE[3] = {1, 0.5, 0.25};
  double s[TURNING] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 3, -0.1}, u[4], wanted[3], least = 1;
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [3, 3, 3], size: [2, 1, 0.5]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
           "analysis: {type: transient, rho-infinity: 0.9}\nmaterials: [{on: body, young: 1e5, poisson: 0.3, density: "
           "1}]\nboundary: [{on: x1, rigid: {at: [2.5, 0.1, 0.2]}}]\ninitial: {velocity: ['3*(z - 0.25) + 0.1*(y - "
           "0.5)', '-0.1*(x - 1) - 0.1*(z - 0.25)', '0.1*(y - 0.5) - 3*(x - 1)']}\nsolver: {rtol: 1e-8}\ntime: {end: "
           "4, step: 0.02}\noutput: {every: 4, probes: [{name: u, at: [2, 0, 0], field: displacement-x}, {name: v, at: "
           "[2, 0, 0], field: displacement-y}, {name: w, at: [2, 0, 0], field: displacement-z}, {name: p, at: [1, 0.5, "
           "0.25], field: displacement-x}]}\n");
  last_row(folder, 4, u);
  for (int k = 0; k < 40; ++k) tumbling_plain(J, 0.1, s), least = fmin(least, s[4]);
  for (int i = 0; i < 3; ++i) {
    const double r[3] = {2 - MIDDLE[0], -MIDDLE[1], -MIDDLE[2]};
    wanted[i] = s[3 * i] * r[0] + s[3 * i + 1] * r[1] + s[3 * i + 2] * r[2] - r[i];
    print_message("%g, exact %g\n", u[i], wanted[i]);
  }
  print_message("turned over to %g; centre %g\n", least, u[3]);
  assert_true(least < -0.8); /* head over heels */
  for (int i = 0; i < 3; ++i) assert_within(u[i], wanted[i], 0.05);
  assert_within(u[3], 0, 1e-5);
  const double had = 0.5 * (0.01 * J[0] + 9 * J[1] + 0.01 * J[2]);
  assert_within(scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy"), had,
                2e-3 * had);
  scratch_remove(&folder);
}

/* ---- a face that a rigid group carries along, and one whose points are prescribed so ---- */
#define ANGLE "(0.5*sin(3*t)*sin(3*t) + 0.7*t)"
static void driven(void **state) {
  (void)state;
  static const char *const way[2] = {"{on: x0, rigid: {at: [-0.3, 0.4], fix: {x: '0.1*t*t', y: 0, rz: '" ANGLE "'}}}",
                                     "{on: x0, fix: {x: '0.1*t*t + cos" ANGLE "*(x + 0.3) - sin" ANGLE
                                     "*(y - 0.4) - (x + 0.3)', y: 'sin" ANGLE "*(x + 0.3) + cos" ANGLE
                                     "*(y - 0.4) - (y - 0.4)'}}"};
  char *folder = scratch_create(), text[2048];
  double got[2][6], done[2];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [5, 3], size: [2, 0.5]}\nphysics: elasticity\nmodel: plane-stress\n"
             "strain: finite\nanalysis: {type: transient, damping: {alpha: 0.2, beta: 0.003}}\n"
             "materials: [{on: body, type: neo-hooke, young: 1e3, poisson: 0.3, density: 2}]\n"
             "boundary: [%s, {on: x1, dashpot: [0.3, 0.2]}]\ntime: {end: 1, step: 0.02}\nsolver: {rtol: 1e-11}\n"
             "output: {every: 1, probes: [{name: u, at: [2, 0.25], field: displacement-x}, {name: v, at: [2, 0.25], "
             "field: velocity-y}, {name: a, at: [2, 0], field: acceleration-y}, {name: b, at: [0, 0], field: "
             "acceleration-x}], sums: [{name: r, on: x0, field: reaction}]}\n",
             way[k]);
    app_runs(folder, text);
    last_row(folder, 6, got[k]);
    done[k] = scratch_reported(folder, "external_work");
  }
  for (int i = 0; i < 6; ++i) {
    print_message("%d: %.12g %.12g\n", i, got[0][i], got[1][i]);
    assert_within(got[0][i], got[1][i], 1e-8 * fmax(fabs(got[1][i]), 1));
  }
  assert_relative(done[0], done[1], 1e-3); /* forces of both ends, over ways that are bent */
  scratch_remove(&folder);
}

/* ---- a stiff block that flies and turns, and one that is pushed and turned at a point ahead of a face ---- */
#define FLIES(group, first)                                                                                            \
  "version: 1\nmesh: {grid: [3, 3, 3], size: [2, 1, 0.5]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"           \
  "analysis: {type: transient}\nmaterials: [{on: body, young: 1e5, poisson: 0.3, density: 1}]\n"                       \
  "boundary: [{on: x1, rigid: {at: [2.5, 0.1, 0.2]" group "}}]\n"                                                      \
  "initial: {velocity: ['0.3 - 0.8*(y - 0.5)', '0.8*(x - 1)', 0.2]}\n" first "solver: {rtol: 1e-9}\n"                  \
  "output: {every: 0.5, probes: [{name: u, at: [2, 0, 0], field: displacement-x}, {name: v, at: [2, 0, 0], field: "    \
  "displacement-y}, {name: p, at: [1, 0.5, 0.25], field: velocity-x}, {name: q, at: [1, 0.5, 0.25], field: "           \
  "velocity-y}, {name: r, at: [1, 0.5, 0.25], field: velocity-z}]}\n"
#define ONE "time: {end: 1, step: 0.02}\n"
static void flies(void **state) {
  (void)state;
  const double c = cos(0.8), s = sin(0.8);
  char *folder = scratch_create();
  double v[5];
  app_runs(folder, FLIES("", ONE));
  last_row(folder, 5, v);
  assert_within(v[0], c + 0.5 * s - 1 + 0.3, 2e-4);
  assert_within(v[1], s - 0.5 * c + 0.5, 2e-4);
  assert_within(v[4], 0.2, 1e-7);
  app_runs(folder, FLIES(", force: [0.3, 0.2, -0.2], moment: [0.02, 0.05, -0.2]", ONE));
  last_row(folder, 5, v);
  for (int k = 0; k < 3; ++k)
    assert_within(v[2 + k], (double[]){0.6, 0.2, 0}[k], 5e-4); /* the centre is that of mass */
  const double had = 0.5 * (0.3 * 0.3 + 0.2 * 0.2 + 0.8 * 0.8 * 5 / 12),
               has = scratch_reported(folder, "kinetic_energy");
  const double strain = scratch_reported(folder, "strain_energy"), done = scratch_reported(folder, "external_work");
  print_message("had %g, has %g, strain %g, done %g\n", had, has, strain, done);
  assert_true(done > 0.2);
  assert_within(has + strain - done, had, 5e-4);
  scratch_remove(&folder);
}

/* In two steps, of which the first is at rest and does nothing, and stopped and gone on with: the same. */
static void goes_on(void **state) {
  (void)state;
  char *folder = scratch_create();
  double one[5], two[5];
  app_runs(folder, FLIES(", force: [0.3, 0.2, -0.2]", ONE));
  last_row(folder, 5, one);
  app_runs(folder, FLIES(", force: [0.3, 0.2, -0.2]",
                         "steps: [{name: a, end: 0.5, step: 0.02}, {name: b, end: 1, step: 0.02, boundary: "
                         "[{on: x1, rigid: {at: [2.5, 0.1, 0.2], force: [0.3, 0.2, -0.2]}}]}]\n"));
  last_row(folder, 5, two);
  for (int k = 0; k < 5; ++k) assert_within(two[k], one[k], 1e-4); /* the acceleration is found anew */
  scratch_remove(&folder);
}

/* ---- steps so small that displacements of a step are of 1e-9 and less of the size: those of small strain ---- */
static void small_steps(void **state) {
  (void)state;
  static const double STEP[2] = {1e-3, 1e-6};
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 2; ++k) {
    double got[2][3];
    for (int finite = 0; finite < 2; ++finite) {
      snprintf(
          text, sizeof text,
          "version: 1\nmesh: {grid: [4, 3], size: [2, 1]}\nphysics: elasticity\nmodel: plane-stress\nstrain: %s\n"
          "analysis: {type: transient}\nmaterials: [{on: body, young: 100, poisson: 0.3, density: 1}]\n"
          "boundary: [{on: x1, rigid: {at: [2.3, 0.4]}}, {on: x0, fix: {x: 't^2', y: 0}}]\n"
          "time: {end: %g, step: %g}\nsolver: {rtol: 1e-10}\noutput: {every: %g, probes: [{name: u, at: [2, 1], field: "
          "displacement-x}, {name: v, at: [2, 1], field: velocity-x}, {name: w, at: [2, 0], field: velocity-x}]}\n",
          finite ? "finite" : "small", 100 * STEP[k], STEP[k], 100 * STEP[k]);
      app_runs(folder, text);
      last_row(folder, 3, got[finite]);
    }
    for (int i = 0; i < 3; ++i) {
      print_message("%d: %.12g %.12g\n", i, got[0][i], got[1][i]);
      assert_true(got[0][i] != 0);
      assert_relative(got[1][i], got[0][i], k ? 1e-6 : 5e-2); /* strains of 1e-2 in the first run */
    }
  }
  scratch_remove(&folder);
}

/* What is free of a group at the start is at rest, whichever displacements it hangs on: a plate and its image move alike. */
static void images_move_alike(void **state) {
  (void)state;
  static const char *const of[][2][2] = {
      {{"", "fix: {rz: 0.02}"}, {"", "fix: {rz: -0.02}"}},
      {{"strain: finite\n", "fix: {rz: 0.02}"}, {"strain: finite\n", "fix: {rz: -0.02}"}},
      {{"strain: finite\n", "fix: {rz: '0.4*t'}"}, {"strain: finite\n", "fix: {rz: '-0.4*t'}"}},
      {{"initial: {velocity: ['0.1*(2 - x)^2', '0.05*x^3']}\n", "force: [0, 0]"},
       {"initial: {velocity: ['-0.1*x^2', '0.05*(2 - x)^3']}\n", "force: [0, 0]"}},
      {{"strain: finite\ninitial: {velocity: ['0.1*(2 - x)^2', '0.05*x^3']}\n", "force: [0, 0]"},
       {"strain: finite\ninitial: {velocity: ['-0.1*x^2', '0.05*(2 - x)^3']}\n", "force: [0, 0]"}}};
  char *folder = scratch_create(), text[2000];
  for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
    double row[2][3];
    for (int i = 0; i < 2; ++i) {
      snprintf(text, sizeof text,
               "version: 1\nmesh: {grid: [5, 3], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
               "analysis: {type: transient, rho-infinity: 0.9}\nmaterials: [{on: body, young: 10, poisson: 0.3, "
               "density: 1}]\nboundary: [{on: y0, rigid: {at: [%s, 0], %s}}]\ntime: {end: 1, step: "
               "0.1}\n%soutput: {probes: [{name: a, at: [%d, 1], field: displacement-x}, {name: b, at: [%d, 1], field: "
               "displacement-y}]}\n",
               i ? "1.7" : "0.3", of[k][i][1], of[k][i][0], i ? 0 : 2, i ? 0 : 2);
      app_runs(folder, text);
      scratch_last_row(folder, 3, row[i]);
    }
    print_message("%g, %g, apart by %g, %g\n", row[0][1], row[0][2], row[1][1] + row[0][1], row[1][2] - row[0][2]);
    assert_true(fabs(row[0][1]) > 1e-3);
    assert_within(row[1][1], -row[0][1], 1e-5);
    assert_within(row[1][2], row[0][2], 1e-5);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pendulum),    cmocka_unit_test(over_the_top),
                                     cmocka_unit_test(tumbles),     cmocka_unit_test(driven),
                                     cmocka_unit_test(flies),       cmocka_unit_test(goes_on),
                                     cmocka_unit_test(small_steps), cmocka_unit_test(images_move_alike)};
  return cmocka_run_group_tests_name("app/rigid_motion", tests, NULL, NULL);
}
