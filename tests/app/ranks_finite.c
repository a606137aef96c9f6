/* Finite strain by one rank and by several: the same files, the same steps that are cut, the same words. */
#include "tests/app/ranks_run.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(mesh, model, law)                                                                                         \
  "version: 1\nmesh: {" mesh "}\nphysics: elasticity\nmodel: " model                                                   \
  "\nstrain: finite\nmaterials: [{on: body, type: " law "}]\n"
#define RUBBER "neo-hooke, young: 10, poisson: 0.3"

static const SharedCase large[] = {
    {"pressed", 2,
     HEAD("grid: [41, 91], size: [2, 1]", "plane-strain",
          RUBBER) "boundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: '-0.1*t', y: 0}}\n- {on: y1, pressure: "
                  "'x*t/4'}\n"
                  "- {on: y0, spring: 2}\n"
                  "time: {end: 1, step: 0.125}\nsolver: {rtol: 1e-4, preconditioner: jacobi}\n"
                  "output:\n  every: 0.25\n  checkpoint: 0.125\n"
                  "  fields: [displacement, cauchy, von-mises, reaction, piola, green-lagrange, jacobian, energy]\n"
                  "  probes: [{name: a, at: [1.1, 0.3], field: stress-xx}, {name: b, at: [1, 1], field: "
                  "displacement-y}]\n"
                  "  sums: [{name: r, on: x0, field: reaction}, {name: e, on: body, field: strain-energy}]\n"},
    {"amg", 3,
     HEAD("grid: [61, 101], size: [2, 1]", "plane-stress",
          RUBBER) "boundary:\n- {on: x0, fix: all}\n- {on: y0, fix: {x: 0}}\n- {on: x1, pressure: 0.1, follower: "
                  "false}\n"
                  "- {on: y1, pressure: -0.02}\n"
                  "time: {end: 1, step: 1}\nsolver: {rtol: 1e-5, preconditioner: amg}\n"
                  "output: {fields: [displacement, cauchy]}\n"},
    {"solid", 2,
     HEAD("grid: [13, 14, 21], size: [1, 1, 2]", "3d",
          RUBBER) "boundary:\n- {on: x0, fix: {x: 0}}\n- {on: y0, fix: {y: 0}}\n- {on: z0, fix: {z: 0}}\n- {on: z1, "
                  "pressure: -0.5}\n"
                  "time: {end: 1, step: 1}\nsolver: {rtol: 1e-6, preconditioner: chebyshev}\n"
                  "output: {fields: [displacement, cauchy, jacobian]}\n"},
    {"volume kept", 1,
     HEAD(
         "grid: [31, 61], size: [1, 1]", "plane-strain",
         "neo-hooke, young: 10, poisson: 0.4999") "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '0.1*t', y: 0}}]\n"
                                                  "time: {end: 1, step: 1}\nsolver: {rtol: 1e-5, preconditioner: amg}\n"
                                                  "output: {fields: [displacement, cauchy, jacobian]}\n"},
    {"cut", 2,
     HEAD("grid: [41, 91], size: [1, 1]", "plane-strain",
          "neo-hooke, young: '10+y', poisson: 0.3") "boundary: [{on: x0, fix: {x: 0}}, {on: [y0, y1], fix: {y: 0}}, "
                                                    "{on: x1, fix: {x: '-1.9*t*(1-0.53*t)'}}]\n"
                                                    "time: {end: 0.5, step: 0.5, adaptive: {min: 0.02}}\nsolver: "
                                                    "{rtol: 1e-4, preconditioner: jacobi}\n"
                                                    "output: {fields: [displacement]}\n"},
};

/* With inertia: supports that move, dampers, pressure that follows, reactions, energies of each step. */
static const SharedCase motion[] = {
    {"moved", 1,
     HEAD("grid: [41, 91], size: [2, 1]", "plane-strain",
          RUBBER
          ", density: 0.7") "analysis: {type: transient, rho-infinity: 0.9, damping: {alpha: 0.2}}\n"
                            "boundary:\n- {on: x0, fix: {x: '-0.1*sin(9*t)', y: 0}}\n- {on: x1, traction: [0, "
                            "'-t']}\n"
                            "- {on: y1, pressure: 'x/8'}\n- {on: y0, spring: 2, dashpot: [0.1, 0.3]}\n"
                            "initial: {velocity: ['0.2*x', 0]}\n"
                            "time: {end: 0.3, step: 0.05}\nsolver: {rtol: 1e-6, preconditioner: jacobi}\n"
                            "output:\n  every: 0.1\n  checkpoint: 0.05\n"
                            "  fields: [displacement, velocity, acceleration, cauchy, reaction, energy]\n"
                            "  probes: [{name: a, at: [1.1, 0.3], field: stress-xx}, {name: b, at: [1, 1], field: "
                            "velocity-y}]\n"
                            "  sums: [{name: r, on: x0, field: reaction}, {name: e, on: body, field: "
                            "strain-energy}]\n"},
    {"metal", 2,
     HEAD("grid: [31, 91], size: [2, 1]", "plane-strain",
          "plastic, young: 1000, poisson: 0.3, density: 1, yield: 3") "analysis: {type: transient}\n"
                                                                      "boundary: [{on: x0, fix: all}]\n"
                                                                      "initial: {velocity: ['-2*x', 'y']}\n"
                                                                      "time: {end: 0.032, step: 0.004}\n"
                                                                      "solver: {rtol: 1e-6, preconditioner: jacobi}\n"
                                                                      "output: {every: 0.008, checkpoint: 0.004, "
                                                                      "fields: [displacement, plastic-strain]}\n"},
    {"by tolerance", 1,
     HEAD("grid: [41, 91], size: [2, 1]", "plane-stress",
          RUBBER ", density: 0.7") "analysis: {type: transient}\ninitial: {velocity: ['-3*y', '3*x']}\n"
                                   "time: {end: 0.1, step: 0.02, adaptive: {tolerance: 1e-2}}\n"
                                   "solver: {rtol: 1e-6, preconditioner: amg}\noutput: {every: 0.05, fields: "
                                   "[displacement]}\n"},
};

/* Three steps of all kinds, loads in t of more than 2,000 elements among them. */
static const SharedCase chain = {
    "chain", 2,
    HEAD("grid: [41, 91], size: [2, 1]", "plane-strain",
         RUBBER ", density: 1") "boundary: [{on: x0, fix: all}]\nbody: [{on: body, gravity: [0, -0.1]}]\nsteps:\n"
                                "- {name: a, end: 1, step: 0.25, boundary: [{on: x1, fix: {x: '0.1*(1+y)'}}, {on: y1, "
                                "pressure: 0.2}]}\n"
                                "- {name: b, end: 1.5, step: 0.125, body: [{on: body, gravity: [0.2, 0]}], boundary: "
                                "[{on: x1, fix: {x: 0}}]}\n"
                                "- {name: c, end: 3, step: 0.5, adaptive: {max: 1}, boundary: [{on: y1, pressure: "
                                "'0.2*cos(t)'}]}\n"
                                "solver: {rtol: 1e-5, preconditioner: jacobi}\n"
                                "output:\n  checkpoint: 0.25\n  fields: [displacement, cauchy]\n"
                                "  probes: [{name: a, at: [1.1, 0.3], field: stress-xx}, {name: b, at: [1, 1], field: "
                                "displacement-y}]\n"
                                "  sums: [{name: r, on: x0, field: reaction}]\n"};

/* Heated while it flows, with points of many temperatures, in two steps. */
static const SharedCase hot = {
    "hot", 1,
    "version: 1\nmesh: {grid: [31, 91], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
    "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, expansion: 1e-5, yield: [{temperature: 20, "
    "table: "
    "[[0, 3], [0.1, 5]]}, {temperature: 120, table: [[0, 2], [0.2, 3]]}]}]\n"
    "thermal: {reference: 20, temperature: '20 + 30*x'}\n"
    "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '0.01*t'}}]\n"
    "steps: [{name: a, end: 0.5, step: 0.1}, {name: b, end: 1, step: 0.1, thermal: {temperature: '20 + "
    "60*x*t'}}]\nsolver: {rtol: 1e-6, preconditioner: jacobi}\n"
    "output: {checkpoint: 0.1, fields: [displacement, plastic-strain]}\n"};

/* Metal that is pulled at rest and then let go, under small strain. */
static const SharedCase let_go = {
    "let go", 1,
    "version: 1\nmesh: {grid: [31, 91], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
    "analysis: {type: transient, rho-infinity: 0.9, damping: {alpha: 0.2}}\ninitial: {velocity: ['0.1*x', 0]}\n"
    "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, density: 1, yield: [[0, 3], [0.1, 5]]}]\n"
    "boundary: [{on: x0, fix: {x: '0.003*t', y: 0}}, {on: x1, dashpot: 0.3}]\nsteps:\n"
    "- {name: pull, end: 1, step: 0.5, inertia: false, boundary: [{on: x1, traction: [2.5, 0.2]}]}\n"
    "- {name: let go, end: 1.02, step: 0.01, boundary: [{on: x1, traction: [0, 0]}]}\n"
    "- {name: shake, end: 1.03, step: 0.005, adaptive: {tolerance: 1e-2, min: 1e-3}, boundary: [{on: x1, "
    "traction: [0, '-t']}]}\n"
    "solver: {rtol: 1e-5, preconditioner: jacobi}\n"
    "output:\n  checkpoint: 0.005\n  fields: [displacement, velocity, acceleration, stress, plastic-strain, reaction]\n"
    "  probes: [{name: a, at: [1.1, 0.3], field: stress-xx}, {name: b, at: [1, 1], field: velocity-y}]\n"
    "  sums: [{name: r, on: x0, field: reaction}]\n"};

static void steps_are_those_of_one_rank(void **state) {
  (void)state;
  ranks_same_as_alone(&let_go);
  ranks_same_as_alone(&chain);
  ranks_same_as_alone(&hot);
}

static void steps_stop_and_go_on(void **state) {
  (void)state;
  ranks_stop_and_go_on(&let_go);
  ranks_stop_and_go_on(&chain);
  ranks_stop_and_go_on(&hot);
}

static void large_strains_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof large / sizeof *large; ++k) ranks_same_as_alone(&large[k]);
}

static void motion_is_that_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof motion / sizeof *motion; ++k) ranks_same_as_alone(&motion[k]);
}

static void motion_stops_and_goes_on(void **state) {
  (void)state;
  ranks_stop_and_go_on(&motion[1]); /* states, velocities and energies */
}

/* Elements are turned inside out: all ranks cut the step alike, and say how many there are and which is the first. */
static void what_fails_is_said_alike(void **state) {
  (void)state;
  static const char *const text =
      HEAD("grid: [31, 131], size: [1, 1]", "plane-strain",
           RUBBER) "boundary: [{on: x0, fix: {x: 0}}, {on: [y0, y1], fix: {y: 0}}, {on: x1, fix: {x: '-0.5*t'}}]\n"
                   "time: {end: 3, step: 1}\nsolver: {preconditioner: jacobi}\noutput: {fields: [displacement]}\n";
  static const char *const ranks[] = {"1", "2", "3"};
  char *folder = ranks_folder(text), *first = NULL;
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; ++k) {
    setenv("SINEW_RANKS_AS_THREADS", ranks[k], 1);
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", NULL);
    unsetenv("SINEW_RANKS_AS_THREADS");
    assert_int_equal(said.code, 6);
    if (!strstr(said.err, "turned inside out: the first is quad4 element")) fail_msg("%s", said.err);
    if (!first) first = strdup(said.err);
    assert_string_equal(said.err, first);
    said_release(&said);
  }
  free(first);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(large_strains_are_those_of_one_rank),
                                     cmocka_unit_test(motion_is_that_of_one_rank),
                                     cmocka_unit_test(motion_stops_and_goes_on),

                                     cmocka_unit_test(steps_are_those_of_one_rank),
                                     cmocka_unit_test(steps_stop_and_go_on),
                                     cmocka_unit_test(what_fails_is_said_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
