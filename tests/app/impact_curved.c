/* Bodies in motion on curved obstacles, whose normals are found anew in each step: a block that swings in a bowl, one that meets a ball, one
 * that is pressed on a roller and let go; and runs that are stopped. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81, R = 10, SPIN = 0.5;

/* A rigid body that swings about a point: angle and its rate at a time, by Runge and Kutta's method. `stiff`: m g r / I. */
static void pendulum(double stiff, double time, double *angle, double *rate) {
  enum { STEPS = 2000 };
  const double h = time / STEPS;
  double a = 0, w = SPIN;
  for (int i = 0; i < STEPS; ++i) {
    const double k1 = -stiff * sin(a), w2 = w + h / 2 * k1, k2 = -stiff * sin(a + h / 2 * w);
    const double w3 = w + h / 2 * k2, k3 = -stiff * sin(a + h / 2 * w2), w4 = w + h * k3, k4 = -stiff * sin(a + h * w3);
    a += h / 6 * (w + 2 * w2 + 2 * w3 + w4), w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  *angle = a, *rate = w;
}

/* A stiff block of mass m, 1 wide and 1/2 high, whose lower corners lie in a bowl; in space it swings along a diagonal. */
static void swings(const char *folder, bool space, double step, double *off, double *force_off, double *lost) {
  const double c = sqrt(R * R - (space ? 0.5 : 0.25)), r = c - 0.25, m = space ? 0.5 : 1, time = 2.5;
  const double inertia = m * (r * r + 1.25 / 12), turn = space ? sqrt(0.5) : 1;
  double row[5], angle, rate;
  char text[2048];
  if (space)
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 0.5]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
             "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: "
             "neo-hooke, young: 1e5, poisson: 0, density: 1}]\n"
             "initial: {velocity: ['-%.17g*(z - %.17g)', '-%.17g*(z - %.17g)', '%.17g*(x + y - 1)']}\nbody: [{on: "
             "body, gravity: [0, 0, -9.81]}]\n"
             "contact: [{on: z0, against: {sphere: {at: [0.5, 0.5, %.17g], radius: 10}}, sliding: finite}]\ntime: "
             "{end: %g, step: %g}\n"
             "output: {every: 0.5, probes: [{name: x, at: [0.5, 0.5, 0], field: displacement-x}], sums: [{name: f, on: "
             "z0, field: "
             "contact-force}]}\n",
             SPIN * turn, c, SPIN * turn, c, SPIN * turn, c, time, step);
  else
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [2, 2], size: [1, 0.5]}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"
        "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: "
        "neo-hooke, young: 1e5, poisson: 0, density: 2}]\n"
        "initial: {velocity: ['-0.5*(y - %.17g)', '0.5*(x - 0.5)']}\nbody: [{on: body, gravity: [0, -9.81]}]\n"
        "contact: [{on: y0, against: {cylinder: {at: [0.5, %.17g], radius: 10}}, sliding: finite}]\ntime: {end: %g, "
        "step: %g}\n"
        "output: {every: 0.5, probes: [{name: x, at: [0.5, 0], field: displacement-x}], sums: [{name: f, on: y0, "
        "field: "
        "contact-force}]}\n",
        c, c, time, step);
  app_runs(folder, text);
  scratch_last_row(folder, space ? 5 : 4, row);
  pendulum(m * G * r / inertia, time, &angle, &rate);
  *off = fabs(asin(row[1] / turn / c) - angle); /* the middle of the lower side is c away */
  *force_off = fabs(sqrt(row[2] * row[2] + row[3] * row[3] + (space ? row[4] * row[4] : 0)) -
                    m * (G * cos(angle) + rate * rate * r));
  *lost = inertia * SPIN * SPIN / 2 + scratch_reported(folder, "external_work") -
          scratch_reported(folder, "kinetic_energy") - scratch_reported(folder, "strain_energy") -
          scratch_reported(folder, "dissipated_energy");
}

static void blocks_swing(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int space = 0; space < 2; ++space) {
    double off[2], force[2], lost[2];
    for (int k = 0; k < 2; ++k) swings(folder, space, k ? 0.0125 : 0.025, &off[k], &force[k], &lost[k]);
    print_message("angle off by %g, %g, force by %g, %g, energy by %g, %g\n", off[0], off[1], force[0], force[1],
                  lost[0], lost[1]);
    assert_true(off[1] < 3e-5 && force[1] < 5e-3);
    assert_true(fabs(lost[1]) < 0.3 * fabs(lost[0])); /* of second order */
    assert_within(lost[1], 0, 3e-4 * 11.9);
  }
  scratch_remove(&folder);
}

static const char *const BALL = "version: 1\nmesh: {grid: [7, 7], size: [1, 1], order: %d}\nphysics: "
                                "elasticity\nmodel: axisymmetric\nstrain: finite\n"
                                "analysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: "
                                "neo-hooke, young: 100, poisson: 0.3, density: 1}]\n"
                                "%scontact: [{on: y0, against: {sphere: {at: [0, -3.02], radius: 3%s}}, sliding: "
                                "finite}]\ntime: {end: 0.6, step: 0.006}\n"
                                "output: {every: 0.3, checkpoint: 0.12, probes: [{name: y, at: [0, 1], field: "
                                "displacement-y}, {name: v, at: [0.5, 0.5], field: velocity-y}], "
                                "sums: [{name: f, on: y0, field: contact-force}]}\n";

/* A cylinder that falls on a ball, and a ball that comes: the same, seen from the ball. */
static void balls_come(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  for (int order = 1; order <= 2; ++order) {
    double row[2][4], lost[2], has[2], done = 0;
    for (int k = 0; k < 2; ++k) {
      snprintf(text, sizeof text, BALL, order, k ? "" : "initial: {velocity: [0, -1]}\n", k ? ", move: [0, 't']" : "");
      app_runs(folder, text);
      scratch_last_row(folder, 4, row[k]);
      lost[k] = scratch_reported(folder, "dissipated_energy"), done = scratch_reported(folder, "external_work");
      has[k] = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
      if (!k) assert_within(done, 0, 1e-5);
    }
    print_message("%g, %g: has %g, %g, lost %g, %g, done %g\n", row[0][2], row[1][2], has[0], has[1], lost[0], lost[1],
                  done);
    assert_within(row[1][1], row[0][1] + 0.6, 1e-6);
    assert_within(row[1][2], row[0][2] + 1, 1e-4);
    assert_within(has[0] + lost[0], acos(-1) / 2, 0.02 * acos(-1) / 2);
    /* by forces of ends of steps, which nodes that meet the ball one after the other shake */
    assert_within(has[1] + lost[1], done, 0.04 * done);
    assert_true(lost[0] > 0.005 && row[0][2] > 0.5); /* nodes stopped, and it came back */
  }
  scratch_remove(&folder);
}

/* Pressed on a roller by its weight, with normals of each load step, and let go on in motion: it stays; around the same roller. */
static void what_rests_stays(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [7, 5], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"
           "analysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: neo-hooke, young: 300, "
           "poisson: 0.3, density: 1}]\n"
           "boundary: [{on: x0, symmetry: true}]\nbody: [{on: body, gravity: [0, -9.81]}]\n"
           "contact: [{on: y0, against: {cylinder: {at: [0, -3], radius: 3}}, sliding: finite}]\nsteps:\n"
           "- {name: rest, end: 1, step: 0.1, inertia: false}\n- {name: stay, end: 1.5, step: 0.01}\n"
           "output: {every: 0.5, probes: [{name: y, at: [0, 1], field: displacement-y}], sums: [{name: f, on: y0, "
           "field: contact-force}]}\n");
  double row[4];
  scratch_last_row(folder, 4, row);
  assert_within(row[3], 2 * 9.81, 0.02);
  const double kinetic = scratch_reported(folder, "kinetic_energy"), strain = scratch_reported(folder, "strain_energy");
  print_message("kinetic %g, strain %g\n", kinetic, strain);
  assert_true(kinetic < 1e-3 * strain);
  scratch_remove(&folder);
}

/* Stopped while it touches, and gone on with: the same bits. */
static void runs_go_on(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  snprintf(text, sizeof text, BALL, 1, "initial: {velocity: [0, -1]}\n", "");
  scratch_write(folder, "case.yaml", text);
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  const int calls = app_guard_calls;
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, calls / 2), 10);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  char *whole = scratch_read(folder, "whole/probes.csv"), *parts = scratch_read(folder, "parts/probes.csv");
  assert_string_equal(whole, parts);
  free(whole);
  free(parts);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_swing), cmocka_unit_test(balls_come),
                                     cmocka_unit_test(what_rests_stays), cmocka_unit_test(runs_go_on)};
  return cmocka_run_group_tests_name("app/impact_curved", tests, NULL, NULL);
}
