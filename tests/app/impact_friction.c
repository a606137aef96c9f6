/* Friction of bodies in motion on a plane: blocks that slide down, stay, and are thrown; energies, and runs that are stopped. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of mass 1 that lies on a rough plane, g = 10, and is pulled along it, slowly enough not to shake: mu = 0.2. */
#define FLAT                                                                                                           \
  "version: 1\nmesh: {grid: [4, 3], size: [1, 0.5], order: %d}\nphysics: elasticity\nmodel: plane-strain\nstrain: "    \
  "finite\n"                                                                                                           \
  "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.6, damping: {beta: 0.003}}\n"                \
  "materials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0.3, density: 2}]\nbody: [{on: body, gravity: [0, "    \
  "-10]}]\n"                                                                                                           \
  "contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}, friction: 0.2}]\nsteps:\n"                       \
  "- {name: rest, end: 1, step: 0.5, inertia: false}\n- {name: slide, end: 1.4, step: 0.01, body: [{on: body, "        \
  "gravity: ['%g*min(1, 20*(t-1))', "                                                                                  \
  "-10]}]}\noutput: {every: 0.1, checkpoint: 0.1, probes: [{name: v, at: [0.5, 0.25], field: velocity-x}], sums: "     \
  "[{name: f, on: y0, field: contact-force}]}\n"
#define SPACE                                                                                                          \
  "version: 1\nmesh: {grid: [3, 3, 2], size: [1, 1, 0.5]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"           \
  "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.6, damping: {beta: 0.003}}\n"                \
  "materials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0.3, density: 2}]\nbody: [{on: body, gravity: [0, 0, " \
  "-10]}]\n"                                                                                                           \
  "contact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}, friction: 0.2}]\nsteps:\n"                 \
  "- {name: rest, end: 1, step: 0.5, inertia: false}\n- {name: slide, end: 1.4, step: 0.01, body: [{on: body, "        \
  "gravity: "                                                                                                          \
  "['%g*min(1, 20*(t-1))', '%g*min(1, 20*(t-1))', -10]}]}\noutput: {every: 0.1, probes: [{name: v, at: [0.5, 0.5, "    \
  "0], field: velocity-x}, {name: w, "                                                                                 \
  "at: [0.5, 0.5, 0], field: velocity-y}], sums: [{name: f, on: z0, field: contact-force}]}\n"

/* Velocity at 0.4 of what a pull of 5 does against 2 from where it exceeds that. */
static const double SPEED = 1.095, G = 10;

static void balances(const char *folder, double part) {
  const double has = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy"),
               lost = scratch_reported(folder, "dissipated_energy"), done = scratch_reported(folder, "external_work");
  print_message("has %g, lost %g, done %g\n", has, lost, done);
  assert_within(has + lost, done, part * (has + lost));
}

static void blocks_slide(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double row[6];
  for (int order = 1; order <= 2; ++order) {
    snprintf(text, sizeof text, FLAT, order, 5.);
    app_runs(folder, text);
    scratch_last_row(folder, 4, row);
    assert_relative(row[3], G, 1e-3);
    assert_relative(-row[2], 0.2 * G, 1e-3); /* against the motion */
    assert_relative(row[1], SPEED, 0.02);    /* the block tilts on its way */
    balances(folder, 1e-3);
    assert_true(scratch_reported(folder, "dissipated_energy") > 0.35); /* 0.2 g times its way, 0.2 */
  }
  snprintf(text, sizeof text, SPACE, 3., 4.);
  app_runs(folder, text);
  scratch_last_row(folder, 6, row);
  assert_relative(row[5], G, 1e-3);
  assert_relative(row[3], -0.6 * 0.2 * G, 3e-3);
  assert_relative(row[4], -0.8 * 0.2 * G, 3e-3);
  assert_relative(row[1], 0.6 * SPEED, 0.02);
  assert_relative(row[2], 0.8 * SPEED, 0.02);
  balances(folder, 2e-3);
  scratch_remove(&folder);
}

/* Pulled by less than the friction. */
static void blocks_stay(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double row[6];
  snprintf(text, sizeof text, FLAT, 1, 1.5);
  app_runs(folder, text);
  scratch_last_row(folder, 4, row);
  assert_relative(row[2], -1.5, 2e-2);
  assert_within(row[1], 0, 2e-3);
  balances(folder, 1e-2);
  snprintf(text, sizeof text, SPACE, 1., -1.);
  app_runs(folder, text);
  scratch_last_row(folder, 6, row);
  assert_relative(row[3], -1, 2e-2);
  assert_relative(row[4], 1, 2e-2);
  assert_within(row[1], 0, 2e-3);
  scratch_remove(&folder);
}

/* Thrown along the plane that it touches: it slides v^2 / (2 mu g), and friction has its energy. */
static void blocks_stop(void **state) {
  (void)state;
  char *folder = scratch_create();
  double row[5];
  app_runs(
      folder,
      "version: 1\nmesh: {grid: [4, 3], size: [1, 0.5]}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"
      "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.6, damping: {beta: 0.001}}\n"
      "materials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0.3, density: 2}]\nbody: [{on: body, gravity: [0, "
      "-10]}]\n"
      "initial: {velocity: [1, 0]}\ncontact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}, friction: "
      "0.2}]\n"
      "time: {end: 0.7, step: 0.005}\noutput: {every: 0.7, probes: [{name: x, at: [0.5, 0.25], field: displacement-x}, "
      "{name: v, at: [0.5, 0.25], "
      "field: velocity-x}], sums: [{name: f, on: y0, field: contact-force}]}\n");
  scratch_last_row(folder, 5, row);
  print_message("stops after %g at %g\n", row[1], row[2]);
  assert_relative(row[1], 0.25, 0.005); /* it hops at first, as its weight is there at once */
  assert_within(row[2], 0, 0.01);
  assert_relative(row[4], G, 0.05);
  assert_relative(scratch_reported(folder, "dissipated_energy"), 0.5, 0.03);
  assert_within(scratch_reported(folder, "external_work"), 0, 0.01);
  scratch_remove(&folder);
}

/* A bar that bounces off a plane along its axis, where nothing rubs: as without friction, with what is lost when its end stops. */
static void bars_bounce(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double row[2][4], lost[2], has[2];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [21, 2], size: [10, 1], order: 1}\nphysics: elasticity\nmodel: "
             "plane-strain\nstrain: finite\nanalysis: {type: "
             "transient}\nmaterials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0, density: 1}]\nboundary: "
             "[{on: body, fix: {y: 0}}]\n"
             "initial: {velocity: [-0.1, 0]}\ncontact: [{on: x0, against: {plane: {at: [-0.005, 0], normal: [1, "
             "0]}}%s}]\ntime: {end: 0.4, step: "
             "0.004}\noutput: {every: 0.4, probes: [{name: u, at: [0, 0], field: displacement-x}, {name: v, at: [5, "
             "0], field: velocity-x}], sums: [{name: "
             "f, on: x0, field: contact-force}]}\n",
             k ? ", friction: 0.3" : "");
    app_runs(folder, text);
    scratch_last_row(folder, 4, row[k]);
    lost[k] = scratch_reported(folder, "dissipated_energy");
    has[k] = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
  }
  print_message("away at %g, %g, lost %g, %g\n", row[0][2], row[1][2], lost[0], lost[1]);
  assert_true(row[0][1] > 0.005 && lost[0] > 5e-4);
  /* a node leaves by its force at the new end alone: with friction less of the old one is in it, and steps are discrete */
  assert_within(row[1][1], row[0][1], 5e-5);
  assert_within(row[1][2], row[0][2], 2e-3);
  assert_within(lost[1], lost[0], 1e-6);
  assert_within(has[1], has[0], 5e-5);
  scratch_remove(&folder);
}

static void runs_go_on(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  snprintf(text, sizeof text, FLAT, 1, 5.);
  scratch_write(folder, "case.yaml", text);
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, app_guard_calls / 2), 10);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  char *whole = scratch_read(folder, "whole/probes.csv"), *parts = scratch_read(folder, "parts/probes.csv");
  assert_string_equal(whole, parts);
  free(whole);
  free(parts);
  scratch_remove(&folder);
}

/* Thrown at a plane askew it rubs, sticks in part, and leaves; without what inertia left at the old end where nodes let go, sticking and
 * sliding contradict each other, and no step is short enough. With `sliding: finite` it is the same, as a plane does not turn. */
static void thrown_blocks_leave(void **state) {
  (void)state;
  static const char *const CASE =
      "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\nanalysis: "
      "{type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: neo-hooke, young: 1000, poisson: 0.3, "
      "density: "
      "1}]\ninitial: {velocity: [0.5, 0, -1]}\ncontact: [{on: z0, against: {plane: {at: [0, 0, -0.0201], normal: [0, "
      "0, "
      "1]}}, friction: 0.3%s}]\ntime: {end: 0.15, step: 0.002}\nsolver: {rtol: 1e-10}\noutput: {every: 0.05, probes: "
      "[{name: v, at: [1, 1, 1], field: velocity-x}, {name: w, at: [0, 0, 0], field: displacement-z}]}\n";
  char *folder = scratch_create(), text[2048];
  double row[2][3];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text, CASE, k ? ", sliding: finite" : "");
    app_runs(folder, text);
    scratch_last_row(folder, 3, row[k]);
    assert_within(scratch_reported(folder, "external_work"), 0, 1e-5);
    assert_in_range((int)scratch_reported(folder, "linear_solves"), 1, 1000);
  }
  for (int k = 1; k < 3; ++k) assert_within(row[1][k], row[0][k], 1e-6);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const char *const CASE = "version: 1\nmesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-strain\nstrain: "
                                  "finite\nanalysis: {type: transient}\n"
                                  "materials: [{on: body, type: neo-hooke, young: 5, poisson: 0.3, density: "
                                  "1}]\n%scontact: [{on: y0, against: %s, friction: 0.2%s}]\n%s\n";
  static const struct {
    const char *initial, *against, *with, *time, *what, *more;
  } row[] = {{"initial: {velocity: [1, 0]}\n", "{plane: {at: [0, 0], normal: [0, 1]}}", "",
              "steps: [{name: a, end: 1, step: 1, inertia: false}, {name: b, end: 2, step: 0.1}]",
              "sticks where the velocity of 'initial' begins", "a motion without load steps before it"}};
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(text, sizeof text, CASE, row[k].initial, row[k].against, row[k].with, row[k].time);
    app_refuses(folder, text, row[k].what, row[k].more);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_slide), cmocka_unit_test(blocks_stay),
                                     cmocka_unit_test(blocks_stop),  cmocka_unit_test(bars_bounce),
                                     cmocka_unit_test(runs_go_on),   cmocka_unit_test(thrown_blocks_leave),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("app/impact_friction", tests, NULL, NULL);
}
