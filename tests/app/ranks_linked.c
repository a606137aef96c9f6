/* Ties, periodic pairs, rigid groups and equations by one rank and by several: the same files. */
#include "tests/app/ranks_run.h"
#include "tests/app/strips.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIED(order, solver)                                                                                            \
  "version: 1\nmesh: {file: strips.msh" order "}\nphysics: elasticity\nmodel: plane-strain\n"                          \
  "materials: [{on: [low, high], young: 100, poisson: 0.3}]\n"                                                         \
  "boundary: [{on: bottom, fix: all}, {on: above, tie: below}, {on: top, traction: [1, 'x']}]\n"                       \
  "solver: {rtol: 1e-8, " solver "}\noutput: {fields: [displacement, stress, reaction, strain-energy], sums: [{name: " \
  "r, on: bottom, field: reaction}]}\n"
#define BOX(grid, model, boundary, solver)                                                                             \
  "version: 1\nmesh: {" grid "}\nphysics: elasticity\nmodel: " model "\n"                                              \
  "materials: [{on: body, young: 100, poisson: 0.3, density: '1+x'}]\n" boundary "solver: {rtol: 1e-8, " solver        \
  "}\noutput: {fields: [displacement, stress, reaction], sums: [{name: r, on: x0, field: reaction}]}\n"

static const SharedCase linked[] = {
    {"tied", 2, TIED("", "preconditioner: chebyshev")},
    {"tied-quadratic", 3, TIED(", order: 2", "preconditioner: amg")},
    {"periodic", 1,
     BOX("grid: [61, 61], size: [2, 1]", "plane-strain",
         "boundary: [{on: x0, fix: all}, {on: y0, periodic: y1}, {on: x1, traction: [1, 'y']}]\n"
         "body: [{on: body, gravity: [0, -1]}]\n",
         "preconditioner: jacobi, numbering: hilbert")},
    {"sector", 2,
     BOX("grid: [15, 14, 17], size: [2, 1, 1], element: tet4", "3d",
         "boundary: [{on: x0, fix: {x: 0}}, {on: y0, periodic: y1}, {on: y0, symmetry: true}, {on: z0, fix: {z: 0}}, "
         "{on: x1, traction: [1, 0, 'z']}]\n",
         "preconditioner: amg")},
    {"rigid", 2,
     BOX("grid: [61, 60], size: [2, 1]", "plane-strain",
         "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.5], fix: {x: 0.1}, force: [0, 1], moment: 2}}]\n",
         "preconditioner: amg")},
    {"equations", 2,
     BOX("grid: [61, 60], size: [2, 1]", "plane-stress",
         "load-cases:\n- {name: one, boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 'y']}]}\n"
         "- {name: two, boundary: [{on: x0, fix: {x: 0, y: 0.1}}, {on: x1, traction: ['y', 1]}]}\n"
         "equations:\n  - {nodes: [61, 3660, 1000], components: [x, y, x], factors: [1, -0.5, 0.3], value: 0.01}\n"
         "  - {nodes: [3660, 500], components: [y, y], factors: [1, 1]}\n"
         "  - {nodes: [2000, 500], components: [x, x], factors: [1, 1], value: 0.02}\n",
         "preconditioner: jacobi")},
};

static const SharedCase shaken[] = {
    {"shaken", 2,
     "version: 1\nmesh: {file: strips.msh}\nphysics: elasticity\nmodel: plane-strain\n"
     "analysis: {type: harmonic, frequency: [0.1, 0.2], damping: {alpha: 0.5, beta: 1e-3}}\n"
     "materials: [{on: [low, high], young: 100, poisson: 0.3, density: 1}]\n"
     "boundary: [{on: bottom, fix: {x: 0, y: '0.1*x'}}, {on: above, tie: below}, {on: top, traction: [1, 'x']}]\n"
     "solver: {rtol: 1e-6, preconditioner: chebyshev}\noutput: {fields: [displacement, stress, von-mises]}\n"},
};

/* Of groups that turn, with damping at finite strain, which reads where nodes are; the first rank has one, the last the other. */
static const SharedCase swung = {
    "swung", 1,
    "version: 1\nmesh: {grid: [9, 9, 30], size: [1, 1, 4]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "analysis: {type: transient, damping: {alpha: 0.1, beta: 1e-3}}\ntime: {end: 0.1, step: 0.05}\n"
    "materials: [{on: body, type: neo-hooke, young: 100, poisson: 0.3, density: 1}]\n"
    "boundary: [{on: z0, rigid: {at: [0.5, 0.5, 0], fix: {x: 0, y: 0, z: 0, rx: 0, ry: 0, rz: '3*t'}}}, {on: z1, "
    "rigid: "
    "{at: [0.5, 0.5, 4], fix: {rx: 0, ry: 0}}}]\nsolver: {rtol: 1e-8, preconditioner: amg}\n"
    "output: {checkpoint: 0.05, fields: [displacement, velocity, acceleration, reaction]}\n"};

static const SharedCase moving[] = {
    {"moving", 2,
     "version: 1\nmesh: {file: strips.msh}\nphysics: elasticity\nmodel: plane-strain\n"
     "analysis: {type: transient, rho-infinity: 0.8, damping: {alpha: 0.1, beta: 1e-3}}\ntime: {end: 0.2, step: 0.02}\n"
     "materials: [{on: [low, high], young: 100, poisson: 0.3, density: 1}]\n"
     "boundary: [{on: bottom, fix: {x: '0.1*sin(9*t)', y: 0}}, {on: above, tie: below}, {on: top, traction: [1, "
     "'x*t']}]\n"
     "initial: {velocity: ['0.1*y', 0]}\nsolver: {rtol: 1e-6, preconditioner: chebyshev}\n"
     "output: {every: 0.04, checkpoint: 0.02, fields: [displacement, velocity, stress]}\n"},
    {"carried", 2,
     "version: 1\nmesh: {grid: [61, 61], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
     "analysis: {type: transient}\ntime: {end: 0.1, step: 0.02}\n"
     "materials: [{on: body, young: 100, poisson: 0.3, density: '1+x'}]\n"
     "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.5], force: [0, 't'], moment: 2}}, {on: y0, periodic: "
     "y1}]\n"
     "solver: {rtol: 1e-6, preconditioner: amg}\n"
     "output: {every: 0.04, checkpoint: 0.02, fields: [displacement, acceleration, stress]}\n"},
};

/* Small and large, metals that flow, and groups that turn until other unknowns say them better, of which the first ranks have none. */
#define STEPPED(grid, model, end, material, boundary)                                                                  \
  "version: 1\nmesh: {" grid "}\nphysics: elasticity\nmodel: " model "\n" end "materials: [{on: body, " material       \
  "}]\n"                                                                                                               \
  "boundary: [" boundary "]\nsolver: {rtol: 1e-8, preconditioner: amg}\n"                                              \
  "output: {checkpoint: 0.25, fields: [displacement, stress, reaction]}\n"
#define LARGE "strain: finite\n"
static const SharedCase stepped[] = {
    {"far", 1,
     STEPPED("grid: [11, 11, 30], size: [1, 1, 4]", "3d", LARGE "time: {end: 1, step: 0.125}\n",
             "type: neo-hooke, young: 100, poisson: 0.3",
             "{on: z0, fix: all}, {on: z1, rigid: {at: [0.5, 0.5, 4], fix: {ry: 0, rz: 0}, moment: [3, 0, 0]}}")},
    {"flowing", 1,
     "version: 1\nmesh: {file: strips.msh}\nphysics: elasticity\nmodel: plane-strain\ntime: {end: 1, step: 0.5}\n"
     "materials: [{on: [low, high], type: plastic, young: 100, poisson: 0.3, yield: [[0, 0.5], [1, 10]]}]\n"
     "boundary: [{on: bottom, fix: all}, {on: above, tie: below}, {on: top, traction: [0.3, 'x/3']}]\n"
     "solver: {rtol: 1e-8, preconditioner: amg}\noutput: {fields: [displacement, stress, plastic-strain]}\n"},
    {"held", 1,
     STEPPED("grid: [61, 60], size: [2, 1]", "plane-strain", LARGE "time: {end: 1, step: 0.5}\n",
             "young: 100, poisson: 0.3",
             "{on: x0, rigid: {at: [0, 0.5], fix: {x: 0, y: 0, rz: '-0.5*t'}}}, "
             "{on: x1, rigid: {at: [2, 0.5], fix: {x: 0.1}, force: [0, 1], moment: 0.3}}")},
    {"timed", 1,
     STEPPED("grid: [61, 60], size: [2, 1]", "plane-stress", "time: {end: 1, step: 0.5}\n",
             "type: plastic, young: 100, poisson: 0.3, yield: [[0, 0.5], [1, 10]]",
             "{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.5], fix: {x: '0.05*t'}, force: [0, '0.05*t']}}")},
};

static void steps_are_those_of_one_rank(void **state) {
  (void)state;
  ranks_write = strips_write;
  for (size_t k = 0; k < sizeof stepped / sizeof *stepped; ++k) ranks_same_as_alone(&stepped[k]);
  ranks_stop_and_go_on(&stepped[0]);
  ranks_write = NULL;
}

static void they_move_as_those_of_one_rank(void **state) {
  (void)state;
  ranks_write = strips_write;
  for (size_t k = 0; k < sizeof shaken / sizeof *shaken; ++k) ranks_same_as_alone(&shaken[k]);
  for (size_t k = 0; k < sizeof moving / sizeof *moving; ++k) ranks_same_as_alone(&moving[k]);
  ranks_same_as_alone(&swung);
  ranks_stop_and_go_on(&moving[0]);
  ranks_write = NULL;
}

static void linked_nodes_are_those_of_one_rank(void **state) {
  (void)state;
  ranks_write = strips_write;
  for (size_t k = 0; k < sizeof linked / sizeof *linked; ++k) ranks_same_as_alone(&linked[k]);
  ranks_write = NULL;
}

/* Equations that hold for a time are for one rank. */
static void what_is_for_one_rank_says_so(void **state) {
  (void)state;
  static const char *const said[][2] = {
      {"boundary: [{on: x0, fix: all}]\nequations: [{nodes: [5, 15, 10], keep: line}]\n",
       "an equation with 'keep', 'from' or 'until' is not for several processes"},
      {"boundary: [{on: x0, fix: all}, {on: y0, periodic: y1}]\nsolver: {preconditioner: pmg}\n",
       "preconditioner 'pmg' beside 'tie', 'periodic', 'rigid' or 'equations' is not for several processes"}};
  for (size_t k = 0; k < sizeof said / sizeof *said; ++k) {
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [41, 61], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
             "materials: [{on: body, young: 100, poisson: 0.3, density: 1}]\n%s",
             said[k][0]);
    ranks_refused(text, "2", said[k][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linked_nodes_are_those_of_one_rank), cmocka_unit_test(steps_are_those_of_one_rank),
      cmocka_unit_test(they_move_as_those_of_one_rank), cmocka_unit_test(what_is_for_one_rank_says_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
