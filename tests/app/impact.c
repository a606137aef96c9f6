/* Bodies in motion that meet a plane: a bar that bounces off, a body that comes to rest on it, a block thrown at a slope; and what is
 * refused of contact in motion. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(grid, model) "version: 1\nmesh: {" grid "}\nphysics: elasticity\nmodel: " model "\nstrain: finite\n"

/* What columns of all rows of probes.csv are. */
enum { ROWS = 64, COLUMNS = 7 };
static int rows_read(const char *folder, double row[ROWS][COLUMNS]) {
  char *text = scratch_read(folder, "results/probes.csv");
  int n = 0;
  for (char *line = strchr(text, '\n'); line && line[1] && n < ROWS; line = strchr(line + 1, '\n'), ++n) {
    char *at = line + 1;
    for (int k = 0; k < COLUMNS && (k == 0 || *at == ','); ++k) row[n][k] = strtod(at + (k > 0), &at);
  }
  free(text);
  return n;
}

/* Saint-Venant's bar: the stress is rho c v for as long as a wave goes there and back, 2 L / c; then it leaves as fast as it came. */
static void bar_bounces(void **state) {
  (void)state;
  const double L = 10, c = 100, v = 0.1, gap = 0.005, begins = gap / v, ends = begins + 2 * L / c;
  char *folder = scratch_create();
  double row[ROWS][COLUMNS], impulse = 0, away = 0;
  app_runs(
      folder,
      HEAD(
          "grid: [41, 2, 2], size: [10, 1, 1]",
          "3d") "analysis: {type: transient}\n"
                "materials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0, density: 1}]\n"
                "boundary: [{on: body, fix: {y: 0, z: 0}}]\ninitial: {velocity: [-0.1, 0, 0]}\n"
                "contact: [{on: x0, against: {plane: {at: [-0.005, 0, 0], normal: [1, 0, 0]}}}]\n"
                "time: {end: 0.4, step: 0.002}\noutput: {every: 0.01, fields: [displacement], probes: [{name: u, at: "
                "[0, 0, 0], "
                "field: displacement-x}, {name: v, at: [5, 0, 0], field: velocity-x}], sums: [{name: f, on: x0, field: "
                "contact-force}]}\n");
  const int n = rows_read(folder, row);
  assert_int_equal(n, 41);
  for (int k = 0; k < n; ++k) {
    const double t = row[k][0], force = row[k][3];
    assert_true(row[k][1] > -gap * (1 + 1e-12)); /* nothing passes through */
    if (t < begins - 1e-9 || t > ends + 0.015) assert_within(force, 0, 1e-9);
    if (t > begins + 0.015 && t < ends - 0.015) assert_within(force, 1 * c * v, 0.05);
    impulse += 0.01 * force; /* by 20 numbers of it */
    if (t > 0.3) away += row[k][2] / 10;
  }
  print_message("impulse %g, away at %g\n", impulse, away);
  assert_within(impulse, 2 * L * v, 0.1);
  assert_within(away, v, 6e-3);
  const double lost = scratch_reported(folder, "dissipated_energy"),
               both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
  print_message("lost %g of 0.05, left %g\n", lost, both);
  assert_within(lost, 0.05 * 2. / (3 * 40),
                2e-4); /* of the nodes that stop, and what they share with their neighbours */
  assert_within(both + lost, 0.05, 5e-4);
  assert_within(scratch_reported(folder, "external_work"), 0, 1e-9);
  scratch_remove(&folder);
}

/* The same bar at rest, and a plane that comes with its velocity: all is as it was, seen from the plane, which gives the bar twice its velocity
 * and does the work of that. */
#define MEETS(first, obstacle)                                                                                         \
  HEAD("grid: [41, 2, 2], size: [10, 1, 1]", "3d")                                                                     \
  "analysis: {type: transient}\nmaterials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0, density: "             \
  "1}]\nboundary: [{on: body, fix: {y: 0, z: 0}}]\n" first "contact: [{on: x0, against: {plane: {at: "                 \
  "[-0.005, 0, 0], normal: [1, 0, 0]" obstacle "}}}]\ntime: {end: 0.4, step: 0.002}\noutput: {every: 0.01, "           \
  "fields: [displacement], probes: [{name: u, at: [0, 0, 0], field: displacement-x}, {name: v, at: [5, 0, "            \
  "0], field: velocity-x}], sums: [{name: f, on: x0, field: contact-force}]}\n"
static void planes_come(void **state) {
  (void)state;
  const double v = 0.1;
  char *folder = scratch_create();
  double still[ROWS][COLUMNS], comes[ROWS][COLUMNS];
  app_runs(folder, MEETS("initial: {velocity: [-0.1, 0, 0]}\n", ""));
  const double lost = scratch_reported(folder, "dissipated_energy");
  assert_int_equal(rows_read(folder, still), 41);
  app_runs(folder, MEETS("", ", move: ['0.1*t', 0, 0]"));
  assert_int_equal(rows_read(folder, comes), 41);
  for (int k = 0; k < 41; ++k) {
    assert_within(comes[k][1] - v * comes[k][0], still[k][1], 1e-9);
    assert_within(comes[k][2] - (k ? v : 0), still[k][2] + (k ? 0 : v), 1e-7);
    assert_within(comes[k][3], still[k][3], 1e-5);
  }
  const double both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy"),
               done = scratch_reported(folder, "external_work");
  print_message("has %g, lost %g, done %g\n", both, scratch_reported(folder, "dissipated_energy"), done);
  assert_within(scratch_reported(folder, "dissipated_energy"), lost, 1e-9);
  assert_within(both + lost, 2 * 10 * v * v, 2e-2 * 0.2); /* m (2 v)^2 / 2 */
  assert_within(both + lost, done, 2e-3 * done);
  scratch_remove(&folder);
}

/* A plane that comes to a coarse block, of rubber and of metal, order 1 and 2, and one that presses it slowly. */
static void planes_push(void **state) {
  (void)state;
  static const char *const body[] = {"type: neo-hooke", "type: plastic, yield: 6, backstress: [[300, 20]]"};
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 6; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [5, 3], size: [2, 0.5], order: %d}\nphysics: elasticity\nmodel: plane-strain\n"
             "strain: finite\nanalysis: {type: transient, damping: {alpha: %s}}\nmaterials: [{on: body, %s, young: "
             "1000, poisson: 0.3, density: 2}]\n%scontact: [{on: y0, against: {plane: {at: [0, %s], normal: [0, 1], "
             "move: [0, '%s']}}}]\ntime: {end: %s}\nsolver: {rtol: 1e-9}\n",
             1 + k % 2, k < 4 ? "0" : "20", body[k / 2 % 2], k < 4 ? "" : "boundary: [{on: y1, fix: {y: 0}}]\n",
             k < 4 ? "-0.02" : "-1e-6", k < 4 ? "0.04*sin(20*t)" : "0.02*(1-cos(t))",
             k < 4 ? "0.06, step: 0.001" : "3, step: 0.05");
    app_runs(folder, text);
    const double taken = scratch_reported(folder, "dissipated_energy"),
                 done = scratch_reported(folder, "external_work"),
                 has = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy") + taken;
    print_message("%d: %g done, has %g of which %g taken\n", k, done, has, taken);
    assert_true(taken > 1e-3 * done && done > 0.1);
    assert_within(has, done, (k < 4 ? 4e-3 : 1e-4) * done);
  }
  scratch_remove(&folder);
}

/* A block of mass 1 that stands on a table which rises and shakes, by 2 sin 10 t: the table bears it with g and that, and does the work. */
static void tables_shake(void **state) {
  (void)state;
  char *folder = scratch_create();
  double row[ROWS][COLUMNS];
  app_runs(
      folder,
      HEAD("grid: [4, 4], size: [1, 1]",
           "plane-strain") "analysis: {type: transient, rho-infinity: 0.6}\nmaterials: [{on: body, type: neo-hooke, "
                           "young: 1e5, poisson: 0.3, density: 1}]\nbody: [{on: body, gravity: [0, -9.81]}]\n"
                           "boundary: [{on: x0, fix: {x: 0}}]\ncontact: [{on: y0, against: {plane: {at: [0, 0], "
                           "normal: [0, 1], move: [0, '0.2*(max(0, t - 1) - sin(10*max(0, t - 1))/10)']}}}]\nsteps:\n"
                           "- {name: rest, end: 1, step: 1, inertia: false}\n- {name: shake, end: 2, step: 0.005}\n"
                           "output: {every: 0.05, fields: [displacement], probes: [{name: v, at: [0.5, 0], field: "
                           "displacement-y}], sums: [{name: f, on: y0, field: contact-force}]}\n");
  const int n = rows_read(folder, row);
  assert_true(n > 20);
  for (int k = 0; k < n; ++k) {
    const double t = row[k][0] - 1;
    if (t < 0.01) continue;
    assert_within(row[k][1], 0.2 * (t - sin(10 * t) / 10), 1e-12); /* it stays on it */
    assert_within(row[k][3], 9.81 + 2 * sin(10 * t), 0.02);
  }
  const double v = 0.2 * (1 - cos(10.)), done = scratch_reported(folder, "external_work"),
               both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
  print_message("has %g, done %g\n", both, done);
  assert_within(both, v * v / 2, 1e-3);
  assert_within(done, both, 2e-3 * 9.81 * 0.21); /* of what went through it */
  scratch_remove(&folder);
}

/* One that touches the plane when it is thrown: away, with all of its energy, or against it. */
static void bar_starts(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double row[4];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             HEAD("grid: [41, 2, 2], size: [10, 1, 1]",
                  "3d") "analysis: {type: transient}\n"
                        "materials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0, density: 1}]\n"
                        "boundary: [{on: body, fix: {y: 0, z: 0}}]\ninitial: {velocity: [%g, 0, 0]}\n"
                        "contact: [{on: x0, against: {plane: {at: [0, 0, 0], normal: [1, 0, 0]}}}]\ntime: {end: 0.1, "
                        "step: 0.002}\n"
                        "output: {every: 0.1, probes: [{name: u, at: [0, 0, 0], field: displacement-x}, {name: v, at: "
                        "[0, 0, 0], field: "
                        "velocity-x}], sums: [{name: f, on: x0, field: contact-force}]}\n",
             k ? -0.1 : 0.1);
    app_runs(folder, text);
    scratch_last_row(folder, 4, row);
    const double both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy"),
                 lost = scratch_reported(folder, "dissipated_energy");
    assert_within(row[1], k ? 0 : 0.01, 1e-9);
    assert_within(row[3], k ? 10 : 0, 0.05);
    assert_within(both + lost, 0.05, k ? 5e-4 : 1e-9);
    assert_within(lost, k ? 7e-4 : 0, k ? 2e-4 : 1e-12);
  }
  scratch_remove(&folder);
}

/* Pressed against a plane at rest and let go, it leaves at L / c with the stress over rho c, and without stress. */
static void bar_leaves(void **state) {
  (void)state;
  char *folder = scratch_create();
  double row[ROWS][COLUMNS], away = 0;
  app_runs(
      folder,
      HEAD("grid: [41, 2, 2], size: [10, 1, 1]",
           "3d") "analysis: {type: transient}\n"
                 "materials: [{on: body, type: neo-hooke, young: 1e4, poisson: 0, density: 1}]\n"
                 "boundary: [{on: body, fix: {y: 0, z: 0}}]\n"
                 "contact: [{on: x0, against: {plane: {at: [0, 0, 0], normal: [1, 0, 0]}}}]\nsteps:\n"
                 "- {name: press, end: 1, step: 0.5, inertia: false, boundary: [{on: x1, traction: [-10, 0, 0]}]}\n"
                 "- {name: let go, end: 1.3, step: 0.002, boundary: [{on: x1, traction: [0, 0, 0]}]}\n"
                 "output: {every: 0.025, fields: [displacement], probes: [{name: u, at: [0, 0, 0], field: "
                 "displacement-x}, {name: v, "
                 "at: [5, 0, 0], field: velocity-x}], sums: [{name: f, on: x0, field: contact-force}]}\n");
  const int n = rows_read(folder, row);
  assert_int_equal(n, 53);
  for (int k = 0; k < n; ++k) {
    if (row[k][0] > 0.99 && row[k][0] < 1.085) assert_within(row[k][3], 10, 0.05);
    if (row[k][0] > 1.115) assert_within(row[k][3], 0, 1e-9);
    if (row[k][0] > 1.19) away += row[k][2] / 5;
  }
  print_message("away at %g\n", away);
  assert_within(away, 0.1, 1e-2);
  const double done = scratch_reported(folder, "external_work"),
               both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
  assert_within(both, done, 1e-2 * done);
  assert_within(scratch_reported(folder, "dissipated_energy"), 0, 1e-12);
  scratch_remove(&folder);
}

/* A cylinder that stands on a plane under its own weight, let go without it. */
static void rests(void **state) {
  (void)state;
  char *folder = scratch_create();
  double row[6];
  app_runs(folder,
           HEAD("grid: [5, 5], size: [1, 1], order: 2",
                "axisymmetric") "analysis: {type: transient, damping: {alpha: 6, beta: 0.01}}\n"
                                "materials: [{on: body, type: neo-hooke, young: 1000, poisson: 0.3, density: 1}]\n"
                                "body: [{on: body, gravity: [0, -9.81]}]\n"
                                "contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}}]\ntime: {end: 3, "
                                "step: 0.01}\n"
                                "output: {every: 3, fields: [displacement, contact-pressure], probes: [{name: v, at: "
                                "[0.5, 1], field: velocity-y}], "
                                "sums: [{name: f, on: y0, field: contact-force}]}\n");
  scratch_last_row(folder, 4, row);
  assert_within(row[1], 0, 1e-6);
  assert_within(row[3], 9.81 * acos(-1), 1e-4);
  const double strain = scratch_reported(folder, "strain_energy"),
               taken = scratch_reported(folder, "dissipated_energy");
  assert_within(strain + taken, scratch_reported(folder, "external_work"), 2e-3 * (strain + taken));
  scratch_remove(&folder);
}

/* The same block thrown at a floor, and turned with its floor by an angle. */
static void slope(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double end[2][4];
  for (int k = 0; k < 2; ++k) {
    const double a = 0.1 * k, n[2] = {-sin(a), cos(a)}, v[2] = {0.3 * cos(a) + sin(a), 0.3 * sin(a) - cos(a)};
    /* corners of 2 x 1, turned by a */
    snprintf(text, sizeof text,
             HEAD("grid: [5, 3], size: [2, 1]",
                  "plane-strain") "analysis: {type: transient}\n"
                                  "materials: [{on: body, type: neo-hooke, young: 100, poisson: 0.3, density: 1}]\n"
                                  "initial: {velocity: [%.17g, %.17g]}\ncontact: [{on: [x0, x1, y0, y1], against: "
                                  "{plane: {at: [0, %g], normal: "
                                  "[%.17g, %.17g]}}}]\ntime: {end: 0.6, step: 0.005}\noutput: {every: 0.6, fields: "
                                  "[displacement], probes: "
                                  "[{name: a, at: [1, 0.5], field: velocity-x}, {name: b, at: [1, 0.5], field: "
                                  "velocity-y}]}\n",
             v[0], v[1], -0.1 - 0.2 * k, n[0], n[1]);
    app_runs(folder, text);
    double row[3];
    scratch_last_row(folder, 3, row);
    end[k][0] = row[1], end[k][1] = row[2];
    const double had = 0.5 * 2 * (1 + 0.3 * 0.3), lost = scratch_reported(folder, "dissipated_energy"),
                 both = scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy");
    print_message("%g %g: had %g, has %g, lost %g\n", row[1], row[2], had, both, lost);
    assert_within(both + lost, had, 0.03 * had);
    assert_true(lost > 0.01 * had);
    assert_within(scratch_reported(folder, "external_work"), 0, 1e-9);
    assert_true(row[1] * n[0] + row[2] * n[1] > 0.1); /* it leaves */
  }
  /* the flat floor has nothing along it */
  assert_within(end[0][0], 0.3, 0.05);
  scratch_remove(&folder);
}

#define CASE                                                                                                           \
  HEAD("grid: [3, 3], size: [1, 1]", "plane-strain")                                                                   \
  "analysis: {type: transient}\nmaterials: [{on: body, type: neo-hooke, young: 5, poisson: 0.3, density: 1}]\n"        \
  "initial: {velocity: [0, -1]}\nboundary: [{on: y1, %s}]\ncontact: [{on: y0, against: %s}]\n%s\n"
static void refused(void **state) {
  (void)state;
  static const struct {
    const char *boundary, *against, *time, *what, *more;
  } row[] = {
      {"pressure: 1", "x0, interference: 0.1", "time: {end: 1, step: 0.1}", "bodies that touch each other in motion",
       "a case of load steps"},
      {"pressure: 1", "{cylinder: {at: [0, -2], radius: 1, move: [0, '0.1*t']}}", "time: {end: 1, step: 0.1}",
       "a curved obstacle needs small strains", "sliding: finite"},
      {"pressure: 1", "{plane: {at: [0, -1], normal: [0, 1]}}",
       "time: {end: 1, step: 0.1, adaptive: {tolerance: 1e-3}}", "nodes that meet an obstacle stop at once",
       "leave it out"},
      {"pressure: 1", "{plane: {at: [0, -1], normal: [0, 1]}}",
       "steps: [{name: a, end: 1, step: 0.1, adaptive: {tolerance: 1e-3}}]", "nodes that meet an obstacle stop at once",
       "leave it out"},
      {"rigid: {at: [0, 2]}", "{plane: {at: [0, -1], normal: [0, 1]}}", "time: {end: 1, step: 0.1}",
       "beside a rigid group that turns", "'tie'"},
  };
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(text, sizeof text, CASE, row[k].boundary, row[k].against, row[k].time);
    app_refuses(folder, text, row[k].what, row[k].more);
  }
  scratch_remove(&folder);
}

/* What a plane that shakes carries along is damped as what a support moves is, and energies balance. */
static void carried_is_damped(void **state) {
  (void)state;
  static const char *const held[] = {
      "contact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1], move: [0, 0, "
      "'0.1*(1-cos(3*t))']}}}]\nboundary: [{on: z0, dashpot: 3}]\n",
      "boundary: [{on: z0, dashpot: 3}, {on: z0, fix: {z: '0.1*(1-cos(3*t))'}}]\n"};
  char *folder = scratch_create(), text[1024];
  double taken[2];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [2, 2, 4], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
             "analysis: {type: transient, rho-infinity: 0.5, damping: {alpha: 0.2, beta: 0.02}}\n"
             "materials: [{on: body, young: 1000, poisson: 0.3, density: 1}]\nbody: [{on: body, gravity: [0, 0, "
             "-20]}]\n%stime: {end: 1, step: 0.01}\n",
             held[k]);
    app_runs(folder, text);
    const double done = scratch_reported(folder, "external_work");
    taken[k] = scratch_reported(folder, "dissipated_energy");
    print_message("%g done, %g taken\n", done, taken[k]);
    assert_within(scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy") + taken[k],
                  done, 0.04 * done);
  }
  assert_within(taken[0], taken[1], 0.03 * taken[1]);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(carried_is_damped),
                                     cmocka_unit_test(bar_bounces),
                                     cmocka_unit_test(planes_come),
                                     cmocka_unit_test(planes_push),
                                     cmocka_unit_test(tables_shake),
                                     cmocka_unit_test(bar_starts),
                                     cmocka_unit_test(bar_leaves),
                                     cmocka_unit_test(rests),
                                     cmocka_unit_test(slope),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("app/impact", tests, NULL, NULL);
}
