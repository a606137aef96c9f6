/* Rigid groups that turn: by exact rotations, against CalculiX 2.20, a beam bent to a circle, beside contact, and in
 * chains of steps. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK                                                                                                          \
  "version: 1\nmesh: {grid: [3, 3, 3]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"                              \
  "materials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\n"
#define CORNER                                                                                                         \
  "output: {probes: [{name: u, at: [1, 1, 1], field: displacement-x}, {name: v, at: [1, 1, 1], field: "                \
  "displacement-y}, {name: w, at: [1, 1, 1], field: displacement-z}, {name: s, at: [1, 1, 1], field: von-mises}]}\n"

static void holds(const char *text) {
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
  if (said.code) fail_msg("%s\n%s", said.out, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

/* A body that one face carries along: (I + sin/a [w] + (1 - cos)/a^2 [w]^2) (x - at) at t = 2, and once around. */
static void bodies_go_along(void **state) {
  (void)state;
  holds(BLOCK "boundary: [{on: x0, rigid: {at: [0.3, -0.2, 0.1], fix: {x: '0.2*t', y: '-0.1*t', z: 0, rx: '0.5*t', ry: "
              "'-t', rz: '0.8*t'}}}]\ntime: {end: 2, step: 0.1}\n" CORNER
              "expect:\n- {probe: u, value: -1.53000090098074, rtol: 1e-8}\n- {probe: v, value: -2.34603551761489, "
              "rtol: 1e-8}\n- {probe: w, value: -1.47629383393366, rtol: 1e-8}\n- {probe: s, value: 0, atol: 1e-6}\n");
  holds(BLOCK "boundary: [{on: x0, rigid: {at: [0, 0, 0], fix: {rx: 0, ry: 0, rz: '2*pi*t'}}}]\n"
              "time: {end: 1, step: 0.02}\n" CORNER "expect: [{probe: s, value: 0, atol: 1e-6}]\n");
}

#define BEAM                                                                                                           \
  "version: 1\nmesh: {grid: [7, 3, 3], size: [6, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"             \
  "formulation: displacement\nmaterials: [{on: body, young: 1000, poisson: 0.3}]\n"                                    \
  "time: {end: 1, step: 0.1}\noutput: {probes: [{name: u, at: [6, 1, 1], field: displacement-x}, {name: v, at: [6, 1," \
  " 1], field: displacement-y}, {name: w, at: [6, 1, 1], field: displacement-z}, {name: p, at: [6, 0, 0], field: "     \
  "displacement-x}, {name: q, at: [6, 0, 0], field: displacement-y}, {name: r, at: [6, 0, 0], field: "                 \
  "displacement-z}]}\nboundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [6.5, 1.2, 0.3], "

/* *RIGID BODY with REF NODE at (6.5, 1.2, 0.3) and ROT NODE, NLGEOM, C3D8, *CONTROLS of 1e-9: *CLOAD, *BOUNDARY, both. */
static void numbers_are_those_of_calculix(void **state) {
  (void)state;
  holds(BEAM "force: [-1.3, 0.9, 1.6]}}]\nexpect:\n"
             "- {probe: u, value: -0.4860051, rtol: 1e-5}\n- {probe: v, value: 0.7002133, rtol: 1e-5}\n"
             "- {probe: w, value: 1.220810, rtol: 1e-5}\n- {probe: p, value: 0.03857609, rtol: 1e-5}\n"
             "- {probe: q, value: 0.9040496, rtol: 1e-5}\n- {probe: r, value: 1.176330, rtol: 1e-5}\n");
  holds(BEAM "fix: {x: -1.5, y: 1.2, rx: 0.5, ry: -0.4, rz: 0.9}}}]\nexpect:\n"
             "- {probe: u, value: -1.201872, rtol: 1e-5}\n- {probe: v, value: 0.5800988, rtol: 1e-5}\n"
             "- {probe: w, value: 1.8873, rtol: 1e-5}\n- {probe: p, value: -0.2633393, rtol: 1e-5}\n"
             "- {probe: q, value: 1.625146, rtol: 1e-5}\n- {probe: r, value: 1.830358, rtol: 1e-5}\n");
  holds(BEAM "fix: {rx: 0, ry: 0}, force: [0, 0.4, 0], moment: [0, 0, 12]}}]\nexpect:\n"
             "- {probe: u, value: -0.7420745, rtol: 1e-5}\n- {probe: v, value: 1.832232, rtol: 1e-5}\n"
             "- {probe: p, value: -0.1370503, rtol: 1e-5}\n- {probe: q, value: 2.036025, rtol: 1e-5}\n");
  /* one rotation is held far from 0: what is free works along with the others of its vector */
  holds(BEAM "fix: {rx: 0.8}, force: [-1.3, 0.9, 1.6]}}]\nexpect:\n"
             "- {probe: u, value: -0.4495080, rtol: 1e-5}\n- {probe: v, value: 0.2261036, rtol: 1e-5}\n"
             "- {probe: w, value: 1.382249, rtol: 1e-5}\n- {probe: p, value: -0.001242555, atol: 1e-6}\n"
             "- {probe: q, value: 1.301925, rtol: 1e-5}\n- {probe: r, value: 1.043104, rtol: 1e-5}\n");
}

/* The work of a moment is half of it times the angle M L / (E I): 1.2 radians; the ends stand as on a circle, but for a strain of 0.03. */
static void beams_become_circles(void **state) {
  (void)state;
  holds("version: 1\nmesh: {grid: [31, 2], size: [20, 1], order: 2}\nphysics: elasticity\nmodel: plane-stress\nstrain: "
        "finite\nmaterials: [{on: body, young: 12000, poisson: 0}]\nboundary: [{on: x0, fix: all}, {on: x1, rigid: "
        "{at: [20, 0.5], moment: 60}}]\ntime: {end: 1, step: 0.1}\noutput: {probes: [{name: u, at: [20, 0.5], field: "
        "displacement-x}, {name: v, at: [20, 0.5], field: displacement-y}], sums: [{name: r, on: x0, field: "
        "reaction}, {name: s, on: x1, field: reaction}]}\nexpect:\n- {probe: u, value: -4.4660, rtol: 6e-3}\n- {probe: "
        "v, value: 10.6274, rtol: 2e-3}\n- {quantity: strain-energy, value: 36, rtol: 4e-3}\n- {sum: r-x, value: 0, "
        "atol: "
        "1e-4}\n- {sum: s-y, value: 0, atol: 1e-4}\n");
}

/* The same, thinner, all around: the moment 2 pi E I / L brings the end back to the other one, with a strain of 0.03. */
static void beams_go_around(void **state) {
  (void)state;
  holds(
      "version: 1\nmesh: {grid: [46, 2], size: [20, 0.2], order: 2}\nphysics: elasticity\nmodel: plane-stress\nstrain: "
      "finite\nmaterials: [{on: body, young: 12000, poisson: 0}]\nboundary: [{on: x0, fix: all}, {on: x1, rigid: "
      "{at: [20, 0.1], moment: 2.5132741228718345}}]\ntime: {end: 1, step: 0.05}\noutput: {probes: [{name: u, at: [20, "
      "0.1], field: displacement-x}, {name: v, at: [20, 0.1], field: displacement-y}]}\nexpect:\n- {probe: u, value: "
      "-20, atol: 0.1}\n- {probe: v, value: 0, atol: 0.1}\n- {quantity: strain-energy, value: 7.8957, rtol: 1e-2}\n");
}

/* A bar is twisted by 8 radians, more than once around: what its end bears, given as a moment, turns it as far. The end is held along its
 * other axes, or as free as the moment lets it. */
#define TWISTED(with)                                                                                                  \
  "version: 1\nmesh: {grid: [9, 4, 4], size: [6, 0.7, 0.7]}\nphysics: elasticity\nmodel: 3d\nstrain: "                 \
  "finite\nmaterials: "                                                                                                \
  "[{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\nboundary: [{on: x1, fix: all}, {on: x0, rigid: {at: [0, "   \
  "0.35, 0.35], fix: {x: 0, y: 0, z: 0" with "}}]\ntime: {end: 1, step: 0.1}\nsolver: {rtol: 1e-9}\noutput: {probes: " \
  "[{name: v, at: [0, 0.7, 0.7], field: displacement-y}, {name: w, at: [0, 0.7, 0.7], field: displacement-z}], sums: " \
  "[{name: m, on: x0, field: moment, about: [0, 0.35, 0.35]}]}\nexpect:\n- {probe: v, value: -0.7472004, atol: "       \
  "1e-6}\n- {probe: w, value: -0.05464963, atol: 1e-6}\n"
static void bars_are_twisted(void **state) {
  (void)state;
  holds(TWISTED(", rx: '8*t', ry: 0, rz: 0}") "- {sum: m-x, value: 0.2296769, rtol: 1e-6}\n");
  holds(TWISTED(", ry: 0, rz: 0}, moment: [0.229676882, 0, 0]"));
  holds(TWISTED("}, moment: [0.229676882, 0, 0]"));
}

/* Where a part of the vector is prescribed, moments about that count as the free axis turns on: Newton's method takes a few steps. */
static void parts_converge(void **state) {
  (void)state;
  static const char *const acts[] = {"force: [0, '0.25*min(t, 0.2)', '0.1*min(t, 0.2)']",
                                     "moment: [0, '0.1*min(t, 0.2)', 0]"};
  for (int k = 0; k < 2; ++k) {
    char *folder = scratch_create(), text[1024];
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {grid: [6, 4, 3], size: [5, 2, 1]}\nstrain: finite\n"
        "materials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\nsolver: {rtol: 1e-10}\n"
        "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [5.2, 1.1, 0.3], fix: {x: '-0.3*max(0, t - 0.2)', rx: "
        "'0.9*max(0, t - 0.2)', rz: '-0.4*max(0, t - 0.2)'}, %s}}]\ntime: {end: 2.2, step: 0.2}\noutput: {every: "
        "2.2}\n",
        acts[k]);
    app_runs(folder, text);
    assert_in_range((int)scratch_reported(folder, "newton_iterations"), 1, 80);
    scratch_remove(&folder);
  }
}

#define STEEL "version: 1\nmesh: {grid: [6, 3], size: [4, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
#define TIP "rigid: {at: [4, 0.5], "
#define PLACES                                                                                                         \
  "output: {probes: [{name: u, at: [4, 1], field: displacement-x}, {name: v, at: [4, 1], field: displacement-y}]}\n"

static void column(const char *text, double out[2]) {
  char *folder = scratch_create();
  app_runs(folder, text);
  char *csv = scratch_read(folder, "results/probes.csv"), *last = csv;
  for (char *at = csv; (at = strchr(at, '\n')) && at[1];) last = ++at;
  assert_int_equal(sscanf(last, "%*[^,],%lf,%lf", &out[0], &out[1]), 2);
  free(csv);
  scratch_remove(&folder);
}

/* A chain ends where a run of one step with t does, at small and at finite strain, and what a step does not name stays. */
static void chains_are_functions_of_time(void **state) {
  (void)state;
  static const char *const kind[] = {"materials: [{on: body, young: 1000, poisson: 0.3}]\n",
                                     "strain: finite\nmaterials: [{on: body, type: plastic, young: 1000, poisson: 0.3, "
                                     "yield: [[0, 20], [0.5, 60]]}]\n"};
  for (int k = 0; k < 2; ++k) {
    char text[4096];
    double chain[2], one[2];
    snprintf(text, sizeof text,
             STEEL "%sboundary: [{on: x0, fix: all}, {on: x1, " TIP "fix: {rz: 0.3}, force: [0, 1]}}]\nsteps:\n"
                   "- {name: a, end: 1, step: 0.25}\n- {name: b, end: 2, step: 0.25, boundary: [{on: x1, " TIP
                   "fix: {rz: 0.1}}}]}\n- {name: c, end: 3, step: 0.25, boundary: [{on: x1, " TIP
                   "force: [0, -1]}}]}\n" PLACES,
             kind[k]);
    column(text, chain);
    snprintf(text, sizeof text,
             STEEL "%sboundary: [{on: x0, fix: all}, {on: x1, " TIP
                   "fix: {rz: 'min(0.3*t, max(0.1, 0.5 - 0.2*t))'}}}, {on: x1, traction: [0, 'min(t, 1) - "
                   "2*max(0, t - 2)']}]\ntime: {end: 3, step: 0.25}\n" PLACES,
             kind[k]);
    column(text, one);
    for (int i = 0; i < 2; ++i) assert_within(chain[i], one[i], 1e-6 * fabs(one[i]));
  }
}

/* A strip of 20 squares, with some of its upper side and a cut across it as groups. */
static void write_strip(const char *folder) {
  char text[6000];
  int n = snprintf(text, sizeof text,
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n2 1 \"body\"\n1 2 \"x0\"\n1 3 \"x1\"\n1 4 "
                   "\"mid\"\n1 5 \"cut\"\n$EndPhysicalNames\n$Nodes\n42\n");
  for (int i = 0; i < 42; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d %g %g 0\n", i + 1, 0.5 * (i / 2), 0.5 * (i % 2));
  n += snprintf(text + n, sizeof text - (size_t)n,
                "$EndNodes\n$Elements\n31\n21 1 2 2 2 1 2\n22 1 2 3 3 41 42\n23 1 2 5 5 5 6\n");
  for (int i = 0; i < 20; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d 3 2 1 1 %d %d %d %d\n", i + 1, 2 * i + 1, 2 * i + 3, 2 * i + 4,
                  2 * i + 2);
  for (int i = 6; i < 14; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d 1 2 4 4 %d %d\n", 18 + i, 2 * i + 2, 2 * i + 4);
  snprintf(text + n, sizeof text - (size_t)n, "$EndElements\n");
  scratch_write(folder, "strip.msh", text);
}

/* Its end is turned; v: displacements of the two nodes of the end, x and y. */
static void turn_strip(const char *folder, const char *turn, const char *beside, double v[5]) {
  char text[1500];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {file: strip.msh, order: 2}\nphysics: elasticity\nmodel: plane-strain\nstrain: "
           "finite\nmaterials: [{on: body, type: neo-hooke, young: 1000, poisson: 0.3}]\nsolver: {rtol: "
           "1e-10}\nboundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [10, 0.25], %s}}]\n%stime: {end: 1, step: "
           "0.1}\noutput: {probes: [{name: a, at: [10, 0], field: displacement-x}, {name: b, at: [10, 0], field: "
           "displacement-y}, {name: c, at: [10, 0.5], field: displacement-x}, {name: d, at: [10, 0.5], field: "
           "displacement-y}]}\n",
           turn, beside);
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  scratch_last_row(folder, 5, v);
}

/* By up to 150 degrees, beside an obstacle that is never met: as without it, with friction and without; and against one that is, or
 * beside a bolt: as where the same turn is prescribed. */
static void groups_turn_beside_contact(void **state) {
  (void)state;
  static const char *const beside[] = {
      "contact: [{on: mid, against: {plane: {at: [0, 9], normal: [0, 1]}}}]\n",
      "contact: [{on: mid, against: {plane: {at: [0, 9], normal: [0, 1]}}, friction: 0.3}]\n",
      "contact: [{on: mid, against: {plane: {at: [0, 0.6], normal: [0, 1]}}}]\n",
      "bolts: [{on: cut, axis: [1, 0], elongation: 0.01}]\n"};
  char *folder = scratch_create(), turn[80];
  double free[5], v[5], w[5];
  write_strip(folder);
  turn_strip(folder, "moment: 3", "", free);
  for (int k = 0; k < 4; ++k) {
    turn_strip(folder, "moment: 3", beside[k], v);
    const double angle = atan2(v[1] - v[3], 0.5 + v[4] - v[2]);
    snprintf(turn, sizeof turn, "fix: {rz: '%.15g*t'}", angle);
    if (k > 1) turn_strip(folder, turn, beside[k], w);
    for (int i = 1; i < 5; ++i) assert_within(v[i], k > 1 ? w[i] : free[i], 1e-6);
    assert_true(angle > 1.2);
    assert_true(k < 2 || fabs(v[1] - free[1]) > 1e-3);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_go_along),
                                     cmocka_unit_test(numbers_are_those_of_calculix),
                                     cmocka_unit_test(beams_become_circles),
                                     cmocka_unit_test(beams_go_around),
                                     cmocka_unit_test(bars_are_twisted),
                                     cmocka_unit_test(parts_converge),
                                     cmocka_unit_test(groups_turn_beside_contact),
                                     cmocka_unit_test(chains_are_functions_of_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
