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

static void pendulum_plain(double end, double *angle, double *rate) {
  enum { STEPS = 20000 };
  const double x = 1 - AXIS[0], y = 0.25 - AXIS[1], d = hypot(x, y), inertia = (4 + 0.25) / 12 + d * d;
  const double first = atan2(y, x), h = end / STEPS;
  *angle = *rate = 0;
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
  pendulum_plain(1.8, &angle, &rate);
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pendulum), cmocka_unit_test(driven), cmocka_unit_test(flies),
                                     cmocka_unit_test(goes_on)};
  return cmocka_run_group_tests_name("app/rigid_motion", tests, NULL, NULL);
}
