/* Load steps whose solver has a hierarchy of several levels, and motion of a rigid group and onto an obstacle, stopped on the way: each --resume goes on to the bits of a run that
 * was not stopped, on one thread and on three. */
#include "app/app.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void same_file(const char *folder, const char *name) {
  char whole[64], parts[64];
  snprintf(whole, sizeof whole, "whole/%s", name);
  snprintf(parts, sizeof parts, "parts/%s", name);
  char *left = scratch_read(folder, whole), *right = scratch_read(folder, parts);
  assert_string_equal(left, right);
  free(left), free(right);
}

#define ENDS(every)                                                                                                    \
  "output: {every: " every ", checkpoint: 1000, probes: [{name: a, at: [3, 0.7, 1], field: displacement-x}, "          \
  "{name: b, at: [3, 0.7, 0.5], field: displacement-y}, {name: c, at: [1, 0.5, 0.5], field: displacement-z}]}\n"
#define SOLVER(name) "solver: {preconditioner: {type: " name "}}\n"
/* More unknowns than a last level may have, 300, and tangents that change so much on the way that levels of one on the way would be
 * others than those of the first. Where bodies touch these change with what is closed and what sticks. */
#define SPINS                                                                                                          \
  "version: 1\nmesh: {grid: [6, 5, 5], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"         \
  "analysis: {type: transient, rho-infinity: 0.8}\ninitial: {velocity: ['6*(0.35 - y)', '6*(x - 1.5)', 0.5]}\n"        \
  "materials: [{on: body, type: neo-hooke, young: 1e5, poisson: 0.3, density: 2}]\n"                                   \
  "boundary: [{on: x0, rigid: {at: [-0.3, 0.4, 0]}}]\ntime: {end: 0.6, step: 0.05}\n"
static const char *const bodies[] = {
    "version: 1\nmesh: {grid: [7, 6, 6], size: [3, 0.7, 1.3]}\nphysics: electromechanics\nmuscle:\n"
    "- {on: body, type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 600, fibers: {direction: [\"cos(2*x)\", "
    "\"sin(2*x+y)\", \"sin(3*z)\"]}, "
    "tension: {model: land, calcium: 1}}\n"
    "boundary:\n- {on: x0, fix: all}\n- {on: x1, traction: [\"min(1, t/20)\", 0.1, 0]}\n"
    "time: {end: 80, step: 10}\n" SOLVER("amg") ENDS("10"),
    "version: 1\nmesh: {grid: [5, 4, 4], size: [3, 0.7, 1.3], order: 2}\nphysics: elasticity\nstrain: finite\nmodel: "
    "3d\n"
    "materials: [{on: body, type: neo-hooke, young: 1, poisson: 0.499}]\n"
    "boundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: \"2*t\", y: \"t\", z: \"0.5*t\"}}\n"
    "time: {end: 1, step: 0.125}\n" SOLVER("amg") ENDS("0.125"),
    "version: 1\nmesh: {grid: [7, 6, 6], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\n"
    "materials: [{on: body, type: plastic, young: 200e3, poisson: 0.3, yield: 200, saturation: {to: 400, rate: 10}}]\n"
    "boundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: \"0.1*t\", y: \"3*t\"}}\n"
    "time: {end: 1, step: 0.125}\n" SOLVER("amg") ENDS("0.125"),
    /* a face that is carried along and turns about an axis */
    "version: 1\nmesh: {grid: [5, 3, 3], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "analysis: {type: transient, damping: {alpha: 0.1, beta: 1e-3}}\nbody: [{on: body, gravity: [9, -4, 1]}]\n"
    "materials: [{on: body, type: neo-hooke, young: 1e3, poisson: 0.3, density: 2}]\n"
    "boundary: [{on: x0, rigid: {at: [-0.3, 0.4, 0], fix: {x: '0.1*t', y: 0, z: 0}, moment: [0.1, 0, 0.2]}}]\n"
    "time: {end: 0.5, step: 0.02, adaptive: {tolerance: 1e-2}}\n" ENDS("0.04"),
    /* a group that flies and turns several times, with a hierarchy, and with a factor */
    SPINS SOLVER("amg") ENDS("0.1"), SPINS "solver: {method: direct}\n" ENDS("0.1"),
    /* a bar that a moment twists about an axis by more than a quarter of a turn, at rest */
    "version: 1\nmesh: {grid: [6, 3, 3], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "materials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\nboundary: [{on: x1, fix: all}, {on: x0, rigid: "
    "{at: [-0.3, 0.4, 0.6], fix: {x: 0, y: 0, z: 0, ry: 0, rz: 0}, moment: [0.3, 0, 0]}}]\n"
    "time: {end: 1, step: 0.125}\n" ENDS("0.125"),
    /* a block that falls on a slope, which shakes */
    "version: 1\nmesh: {grid: [5, 3, 3], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "analysis: {type: transient}\ninitial: {velocity: [0.1, 0, -1]}\n"
    "materials: [{on: body, type: neo-hooke, young: 1e2, poisson: 0.3, density: 1}]\n"
    "contact: [{on: [z0, x0, x1], against: {plane: {at: [0, 0, -0.1], normal: [0.05, 0, 1], move: [0, 0, "
    "'0.02*sin(20*t)']}}}]\n"
    "time: {end: 0.6, step: 0.02}\n" ENDS("0.04"),
    /* a sphere pressed on a block with friction */
    "version: 1\nmesh: {grid: [7, 6, 6], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\n"
    "materials: [{on: body, young: 1000, poisson: 0.3}]\n"
    "boundary:\n- {on: z1, fix: {x: \"0.02*t\", y: \"0.05*max(0, t - 0.5)\", z: \"-0.3*t\"}}\n"
    "contact: [{on: z0, against: {sphere: {at: [1.5, 0.35, -4], radius: 4}}, friction: 0.3}]\n"
    "time: {end: 1, step: 0.125}\n" SOLVER("amg") ENDS("0.125"),
    /* equations that end with a step and begin with one, from what there is and to a value, beside a plane that turns; and one that ends in a motion */
    "version: 1\nmesh: {grid: [5, 3, 3], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "materials: [{on: body, type: neo-hooke, young: 1e2, poisson: 0.3}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [\"9*y\", 1, \"2*t\"]}]\n"
    "equations: [{nodes: [3, 13, 33, 43], keep: plane}, {nodes: [5, 20], components: [x, x], factors: [1, -1], until: "
    "0.3}, "
    "{nodes: [10, 25], components: [y, y], factors: [1, -1], value: 0.01, from: 0.6}, "
    "{nodes: [9], components: [z], factors: [1], until: 0.3}, "
    "{nodes: [9], components: [z], factors: [1], value: 0.1, from: 0.3, until: 0.6, begin: ramp}, "
    "{nodes: [9], components: [z], factors: [1], from: 0.6, begin: stay}, "
    "{nodes: [14], components: [y], factors: [2], from: 0.6, begin: stay}]\n"
    "steps: [{name: a, end: 0.3, step: 0.1}, {name: b, end: 0.6, step: 0.1}, {name: c, end: 1, step: 0.1}]\n" ENDS(
        "0.1"),
    "version: 1\nmesh: {grid: [5, 3, 3], size: [3, 0.7, 1.3]}\nphysics: elasticity\nmodel: 3d\n"
    "analysis: {type: transient}\nmaterials: [{on: body, young: 1e2, poisson: 0.3, density: 1}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [\"9*y\", 1, \"2*t\"]}]\n"
    "equations: [{nodes: [5, 20], components: [x, x], factors: [1, -1], until: 0.3}]\n"
    "steps: [{name: a, end: 0.3, step: 0.05}, {name: b, end: 0.6, step: 0.05}]\n" ENDS("0.05")};

static void goes_on(void **state) {
  (void)state;
  static const char *const threads[] = {"1", "3"};
  char *folder = scratch_create();
  for (size_t k = 0; k < 2 * sizeof bodies / sizeof *bodies; ++k) {
    const char *n = threads[k % 2];
    scratch_write(folder, "case.yaml", bodies[k / 2]);
    assert_int_equal(app_run_until(folder, "whole", "--overwrite", n, 0), 0);
    assert_true(app_guard_calls > 8);
    assert_int_equal(app_run_until(folder, "parts", "--overwrite", n, 6), 10);
    assert_int_equal(app_run_until(folder, "parts", "--resume", n, 2), 10);
    assert_int_equal(app_run_until(folder, "parts", "--resume", n, 0), 0);
    same_file(folder, "probes.csv");
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(goes_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
