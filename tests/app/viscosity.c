/* Viscosity of materials: what it adds to the force of a block that is deformed at a steady rate, in steps of muscle and in motion, against
 * P = F (eta dE/dt). */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>

#define NEO_HOOKE "on: body, type: neo-hooke, shear: 4, bulk: 40"
/* All of its surface is prescribed; probes are the nodes in the middle of the top and of the right, a quarter of the area of each. */
#define PUSHED(way)                                                                                                    \
  "boundary: [{on: [x0, x1, y0, y1, z0, z1], fix: {" way                                                               \
  "}}]\noutput: {probes: [{name: top, at: [1, 1, 0.25], field: reaction-x}, {name: right, at: [2, 0.5, 0.25], field: " \
  "reaction-x}]}\n"
#define GRID "version: 1\nmesh: {grid: [3, 3, 3], size: [2, 1, 0.5]}\n"
#define MUSCLE(viscosity, way)                                                                                         \
  GRID "physics: electromechanics\nmuscle: [{" NEO_HOOKE ", viscosity: " viscosity                                     \
       "}]\ntime: {end: 1, step: 0.25}\n" PUSHED(way)
#define MOTION(viscosity, way)                                                                                         \
  GRID "physics: elasticity\nmodel: 3d\nstrain: finite\nanalysis: {type: transient, rho-infinity: 0}\nmaterials: "     \
       "[{" NEO_HOOKE ", density: 1e-6, viscosity: " viscosity "}]\ntime: {end: 1, step: 0.025}\n" PUSHED(way)
/* In motion from rest on, which has the same rates at the end. */
#define LONGER(by) "x: \"0.2*" by "*x\", y: 0, z: 0"
#define SHEARED(by) "x: \"0.3*" by "*y\", y: 0, z: 0"
#define STEADY "t"
#define FROM_REST "t^2/2"

/* What the viscosity adds to the force along x of both at the end. */
static void added(const char *folder, const char *with, const char *without, double more[2]) {
  double value[2][3];
  app_runs(folder, with);
  scratch_last_row(folder, 3, value[0]);
  app_runs(folder, without);
  scratch_last_row(folder, 3, value[1]);
  for (int k = 0; k < 2; ++k) more[k] = value[0][1 + k] - value[1][1 + k];
}

static void steady_rate(void **state) {
  (void)state;
  static const struct {
    const char *longer[2], *sheared[2];
    double share, within; /* of the strain, of that at a steady rate; motion is of second order, the other exact */
  } row[] = {{{MUSCLE("7", LONGER(STEADY)), MUSCLE("0", LONGER(STEADY))},
              {MUSCLE("7", SHEARED(STEADY)), MUSCLE("0", SHEARED(STEADY))},
              1,
              1e-7},
             {{MOTION("7", LONGER(FROM_REST)), MOTION("0", LONGER(FROM_REST))},
              {MOTION("7", SHEARED(FROM_REST)), MOTION("0", SHEARED(FROM_REST))},
              0.5,
              1e-4}};
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    double more[2];
    added(folder, row[k].longer[0], row[k].longer[1], more);
    const double l = 1 + 0.2 * row[k].share, rate = 0.2; /* E = (l^2 - 1)/2, P = l eta l dl/dt */
    assert_within(more[1], 0.125 * 7 * l * l * rate, row[k].within);
    added(folder, row[k].sheared[0], row[k].sheared[1], more);
    const double g = 0.3 * row[k].share, turn = 0.3; /* E_xy = g/2, E_yy = g^2/2, P_xy = S_xy + g S_yy */
    assert_within(more[0], 0.25 * 7 * (turn / 2 + g * g * turn), row[k].within);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steady_rate)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
