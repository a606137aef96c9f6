/* Vibrations, and what else elasticity can do, by one rank and by several: the same files. */
#include "tests/app/ranks_run.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <stdio.h>

#define SHAKEN(mesh, analysis, boundary, solver)                                                                       \
  "version: 1\nmesh: {" mesh "}\nphysics: elasticity\nmodel: plane-stress\n"                                           \
  "analysis: {type: harmonic, " analysis "}\n"                                                                         \
  "materials: [{on: body, young: 100, poisson: 0.3, density: '1+x', thickness: 0.5}]\n"                                \
  "boundary:\n" boundary "body: [{on: body, gravity: [0, -1]}]\nsolver: {rtol: 1e-5, " solver "}\n"                    \
  "output:\n  fields: [displacement, stress, von-mises]\n"                                                             \
  "  probes: [{name: a, at: [0.31, 0.52], field: stress-xx}, {name: b, at: [2, 1], field: displacement-y, part: "      \
  "phase}]\n"                                                                                                          \
  "expect: [{probe: a, value: 1, rtol: 1e9, frequency: 0.1}]\n"

static const SharedCase shaken[] = {
    {"shaken", 3,
     SHAKEN("grid: [61, 101], size: [2, 1]", "frequency: [0.1, 0.2], damping: {alpha: 0.5, beta: 1e-3}",
            "  - {on: x0, fix: {x: '0.1*y', y: 0}}\n  - {on: y0, spring: 3, dashpot: [1, 'x']}\n  - {on: x1, traction: "
            "[1, 'y']}\n",
            "preconditioner: chebyshev, precision: float")},
    {"from-rest", 1,
     SHAKEN("grid: [41, 61], size: [2, 1], element: tri3", "frequency: {from: 0, to: 0.1, count: 2}",
            "  - {on: x0, fix: all}\n  - {on: x1, force: [0, 1]}\n", "preconditioner: least-squares")},
};

/* Sweeps over clusters of all rows are for one rank, and so is a factorisation of them all. */
static void what_is_for_one_rank_says_so(void **state) {
  (void)state;
  static const char *const said[][2] = {
      {"preconditioner: cmg",
       "preconditioner 'cmg' (its clusters are cut out of the graph of all rows, one after another) "
       "is not for several processes"},
      {"preconditioner: {type: pmg, below: cholmod}", "it factors the matrix as a whole, which ranks share"}};
  for (size_t k = 0; k < sizeof said / sizeof *said; ++k) {
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [27, 45], size: [2, 1], order: 2}\nphysics: elasticity\nmodel: plane-strain\n"
             "materials: [{on: body, young: 100, poisson: 0.3}]\nboundary: [{on: x0, fix: all}]\n"
             "solver: {%s}\n",
             said[k][0]);
    ranks_refused(text, "2", said[k][1]);
  }
}

static void vibrations_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shaken / sizeof *shaken; ++k) ranks_same_as_alone(&shaken[k]);
}

static const SharedCase still[] = {
    {"load-cases", 2,
     "version: 1\nmesh: {grid: [41, 91], size: [2, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
     "materials: [{on: body, young: 100, poisson: 0.3, density: 1, expansion: 1e-3}]\n"
     "boundary: [{on: x0, fix: all}, {on: y0, spring: 2}]\n"
     "load-cases:\n- {name: dead, body: [{on: body, gravity: [0, -1]}]}\n"
     "- {name: wind, boundary: [{on: x1, traction: [1, 'y']}]}\n"
     "- {name: settled, boundary: [{on: x0, fix: {y: -0.01}}]}\n"
     "- {name: hot, thermal: {reference: 1, temperature: 'x*y'}}\n"
     "combinations: [{name: all, factors: {dead: 1.35, wind: 1.5, settled: 1, hot: 2}}]\n"
     "envelopes: [{name: worst, of: [dead, all], field: von-mises}]\n"
     "solver: {rtol: 1e-6, preconditioner: chebyshev}\n"
     "output: {fields: [displacement, stress, von-mises, reaction, element-stress], probes: [{name: a, at: [1.1, 0.3], "
     "field: stress-xx}], sums: [{name: r, on: x0, field: reaction}]}\n"},
    {"heat-orders", 1,
     "version: 1\nmesh: {grid: [27, 45], size: [2, 1], order: 2}\nphysics: heat\n"
     "materials: [{on: body, conductivity: [1, 0.2]}]\n"
     "boundary: [{on: x0, temperature: 1}, {on: x1, convection: {coefficient: 3, ambient: 'y'}}]\n"
     "solver: {rtol: 1e-6, preconditioner: pmg, numbering: hilbert}\noutput: {fields: [temperature, flux]}\n"},
    {"orders", 2,
     "version: 1\nmesh: {grid: [27, 45], size: [2, 1], order: 2}\nphysics: elasticity\nmodel: plane-strain\n"
     "materials: [{on: body, young: 100, poisson: 0.3, density: 1}]\n"
     "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 'y']}]\n"
     "solver: {rtol: 1e-6, preconditioner: pmg}\noutput: {fields: [displacement, stress, reaction]}\n"},
    {"all-fields", 2,
     "version: 1\nmesh: {file: two.msh, refine: 6}\nphysics: elasticity\nmodel: plane-stress\n"
     "materials: [{on: soft, young: 100, poisson: 0.3, thickness: 0.5, strength: {tension: 4, compression: 9}},\n"
     "  {on: hard, type: transverse, young: [900, 700], poisson: [0.2, 0.2], shear: 350, axes: {cylinder: {origin: "
     "[-1, "
     "-2]}}, strength: {X: 9, Y: 4, Sxy: 3}}]\n"
     "boundary: [{on: left, fix: all}, {on: right, traction: [1, 'y']}]\nsolver: {rtol: 1e-6, preconditioner: jacobi}\n"
     "output:\n  fields: [displacement, stress, von-mises, principal, strain, reaction, strain-energy, "
     "element-stress, stress-error, stress-material, strain-material, safety]\n"
     "  probes: [{name: a, at: [0.31, 0.52], field: stress-xx}, {name: b, at: [1, 0.5], field: principal-1}, {name: c, "
     "at: [0.1, 0.9], field: displacement-y}, {name: d, at: [1.003, 0.91], field: von-mises}, {name: s, at: [1.003, "
     "0.91], field: safety}]\n"
     "  sums: [{name: r, on: left, field: reaction}, {name: e, on: soft, field: strain-energy}]\n"
     "  precision: single\n"},
    {"packed", 1,
     "version: 1\nmesh: {grid: [41, 61], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
     "materials: [{on: body, young: 100, poisson: 0.3}]\nboundary: [{on: x0, fix: all}, {on: x1, distribute: {at: [2, "
     "0], force: [1, 0], moment: 3}}]\n"
     "solver: {rtol: 1e-6, preconditioner: jacobi}\n"
     "output: {fields: [displacement, stress, point-stress], compression: fast, tables: [{on: x0, field: "
     "reaction}]}\n"},
    {"density", 1,
     "version: 1\nmesh: {grid: [41, 61], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
     "materials: [{on: body, young: '100+y', poisson: 0.3, density: '1+x'}]\n"
     "boundary: [{on: x0, fix: all}]\nbody: [{on: body, gravity: [0, -1]}]\n"
     "solver: {rtol: 1e-6, preconditioner: jacobi}\noutput: {fields: [displacement, stress]}\n"},
};

static const SharedCase moving[] = {
    {"moving", 2,
     "version: 1\nmesh: {grid: [41, 91], size: [2, 1], regions: [{name: right, within: body, share: 'step(x - 1)'}]}\n"
     "physics: elasticity\nmodel: plane-stress\n"
     "analysis: {type: transient, rho-infinity: 0.8, damping: {alpha: 0.1, beta: 1e-3}}\n"
     "time: {end: 0.2, step: 0.02}\n"
     "materials: [{on: body, young: 100, poisson: 0.3, density: 1}, {on: right, young: 300, poisson: 0.3, density: "
     "1}]\n"
     "boundary: [{on: x0, fix: {x: '0.1*sin(9*t)', y: 0}}, {on: y0, spring: 2}, {on: x1, traction: [1, 'y*t']}]\n"
     "initial: {velocity: ['0.1*y', 0]}\n"
     "solver: {rtol: 1e-6, preconditioner: chebyshev}\n"
     "output: {every: 0.04, checkpoint: 0.02, fields: [displacement, velocity, stress, von-mises], probes: [{name: a, "
     "at: [1.02, 0.305], field: stress-xx}, {name: b, at: [2, 1], field: acceleration-y}]}\n"},
    {"adaptive", 1,
     "version: 1\nmesh: {grid: [41, 61], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
     "analysis: {type: transient}\ntime: {end: 0.2, step: 0.002, adaptive: {tolerance: 1e-3}}\n"
     "materials: [{on: body, young: 100, poisson: 0.3, density: '1+x'}]\nbody: [{on: body, gravity: [0, -1]}]\n"
     "boundary: [{on: x0, fix: all}, {on: y1, dashpot: 0.3}]\nsolver: {rtol: 1e-6, preconditioner: jacobi}\n"
     "output: {fields: [displacement], probes: [{name: b, at: [2, 1], field: velocity-y}]}\n"},
};

static void motion_in_time_is_that_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof moving / sizeof *moving; ++k) ranks_same_as_alone(&moving[k]);
}

static void motion_stops_and_goes_on(void **state) {
  (void)state;
  ranks_stop_and_go_on(&moving[0]);
}

/* Two squares of two materials side by side. */
static void write_two(const char *folder) {
  scratch_write(folder, "two.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 \"left\"\n1 2 \"right\"\n2 3 \"soft\"\n"
                "2 4 \"hard\"\n$EndPhysicalNames\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 "
                "0\n$EndNodes\n$Elements\n4\n1 1 2 1 1 4 1\n2 1 2 2 2 3 6\n3 3 2 3 3 1 2 5 4\n4 3 2 4 4 2 3 6 "
                "5\n$EndElements\n");
}

static void bodies_at_rest_are_those_of_one_rank(void **state) {
  (void)state;
  ranks_write = write_two;
  for (size_t k = 0; k < sizeof still / sizeof *still; ++k) ranks_same_as_alone(&still[k]);
  ranks_write = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_for_one_rank_says_so), cmocka_unit_test(vibrations_are_those_of_one_rank),
      cmocka_unit_test(bodies_at_rest_are_those_of_one_rank), cmocka_unit_test(motion_in_time_is_that_of_one_rank),
      cmocka_unit_test(motion_stops_and_goes_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
