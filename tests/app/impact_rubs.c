/* Friction in motion of curved obstacles and of two bodies: a block that rubs its way through a bowl, rigid or of elements, one thrown on a
 * slab that it takes along, a ring that slides and comes to roll; and runs that are stopped. */
#include "tests/app/scratch.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static uint64_t seed = 20;
enum { TEXT = 60000 };

/* ---- a block that swings in a bowl of radius R about its middle, on two edges that rub ---- */

static const double G = 9.81, R = 10, SPIN = 0.5;
typedef struct Swing {
  double mass, half, mu; /* half: of the angle between the edges */
  double arm, inertia;   /* of its middle, about that of the bowl */
  double angle, rate, lost;
} Swing;

/* Of the rate, and how much the edges press together: 3 equations for it, the sum and the difference of their forces. */
static double push(const Swing *s, double angle, double rate, double *sum) {
  const double way = rate > 0 ? 1 : -1, cosine = cos(s->half), turn = s->mass * s->arm;
  const double rub = way * s->mu, tight = s->mass * (G * cos(angle) + rate * rate * s->arm);
  /* cosine S - rub sine D = tight;  -rub cosine S - sine D = turn w' + m G sin a;  inertia w' = -turn G sin a - rub R S */
  const double most = -turn * G * sin(angle) / s->inertia, less = -rub * R / s->inertia; /* w' = most + less S */
  const double known = turn * most + s->mass * G * sin(angle);
  *sum = (tight - rub * known) / (cosine + rub * (rub * cosine + turn * less));
  return most + less * *sum;
}

static void swing(Swing *s, double time) {
  enum { STEPS = 4000 };
  const double h = time / STEPS;
  double sum;
  s->angle = s->lost = 0, s->rate = SPIN;
  for (int i = 0; i < STEPS; ++i) {
    const double middle = s->rate + h / 2 * push(s, s->angle, s->rate, &sum);
    const double rate = h * push(s, s->angle + h / 2 * s->rate, middle, &sum);
    s->lost += h * s->mu * R * sum * middle;
    s->angle += h * middle, s->rate += rate;
  }
}

static Swing block(bool space, double mu) {
  const double c = sqrt(R * R - (space ? 0.5 : 0.25)), arm = c - 0.25, mass = space ? 0.5 : 1;
  return (Swing){mass, asin(0.5 / R), mu, arm, mass * (arm * arm + 1.25 / 12), 0, 0, 0};
}

static const char *const BOWL =
    "version: 1\nmesh: {grid: [2, 2], size: [1, 0.5]}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"
    "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: "
    "neo-hooke, young: 1e5, poisson: 0, density: 2}]\n"
    "initial: {velocity: ['-0.5*(y - %.17g)', '0.5*(x - 0.5)']}\nbody: [{on: body, gravity: [0, -9.81]}]\n"
    "contact: [{on: y0, against: {cylinder: {at: [0.5, %.17g], radius: 10}}, sliding: finite, friction: %.17g}]\n"
    "time: {end: %g, step: %g}\noutput: {every: 0.1, checkpoint: 0.05, probes: [{name: x, at: [0.5, 0], field: "
    "displacement-x}], sums: [{name: f, on: y0, field: contact-force}]}\n";
static const char *const HOLLOW =
    "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 0.5]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
    "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: "
    "neo-hooke, young: 1e5, poisson: 0, density: 1}]\n"
    "initial: {velocity: ['-%.17g*(z - %.17g)', '-%.17g*(z - %.17g)', '%.17g*(x + y - 1)']}\nbody: [{on: body, "
    "gravity: [0, 0, -9.81]}]\n"
    "contact: [{on: z0, against: {sphere: {at: [0.5, 0.5, %.17g], radius: 10}}, sliding: finite, friction: %.17g}]\n"
    "time: {end: %g, step: %g}\noutput: {every: 0.1, probes: [{name: x, at: [0.5, 0.5, 0], field: displacement-x}]}\n";

/* How far it is from that in the angle, in what rubbing took, and in the sum of energies. */
static void swings(const char *folder, bool space, double mu, double time, double step, double off[3]) {
  Swing s = block(space, mu);
  const double c = sqrt(R * R - (space ? 0.5 : 0.25)), turn = space ? sqrt(0.5) : 1, w = SPIN * turn;
  double row[5];
  char text[2048];
  if (space) snprintf(text, sizeof text, HOLLOW, w, c, w, c, w, c, mu, time, step);
  else snprintf(text, sizeof text, BOWL, c, c, mu, time, step);
  app_runs(folder, text);
  scratch_last_row(folder, 2, row);
  swing(&s, time);
  off[0] = fabs(asin(row[1] / turn / c) - s.angle);
  off[1] = fabs(scratch_reported(folder, "dissipated_energy") - s.lost);
  off[2] = fabs(s.inertia * SPIN * SPIN / 2 + scratch_reported(folder, "external_work") -
                scratch_reported(folder, "kinetic_energy") - scratch_reported(folder, "strain_energy") -
                scratch_reported(folder, "dissipated_energy"));
  print_message("mu %g: angle %g off by %g, lost %g off by %g, energies by %g\n", mu, s.angle, off[0], s.lost, off[1],
                off[2]);
}

/* Weight is there at once, so that edges are pressed by turns at first. */
static void blocks_rub(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int space = 0; space < 2; ++space) {
    double off[2][3];
    const double mu = draw_between(&seed, 0.01, 0.03);
    for (int k = space; k < 2; ++k) swings(folder, space, mu, 0.4, k > space ? 0.00625 : 0.0125, off[k]);
    assert_true(off[1][0] < 1e-4 && off[1][1] < 0.01 && off[1][2] < 2e-3);
    if (!space) assert_true(off[1][0] < off[0][0] + 2e-5);
  }
  scratch_remove(&folder);
}

/* ---- two bodies of quadrilaterals ---- */

typedef struct Part {
  int n, m;
  bool closed;
  void (*place)(double s, double t, double x[2]); /* of [0, 1] x [0, 1] */
} Part;

static int nodes_of(const Part *p) { return (p->n + !p->closed) * (p->m + 1); }
static int node_of(const Part *p, int first, int i, int j) {
  return 1 + first + i % (p->n + !p->closed) * (p->m + 1) + j;
}

/* a is `upper` with its lower side "under", b is `lower` with "top" and "floor". */
static void parts_write(const char *folder, const Part *a, const Part *b) {
  const Part *part[] = {a, b};
  char *text = malloc(TEXT), *at = text;
  int id = 0;
  at += sprintf(at,
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n2 1 \"upper\"\n2 2 \"lower\"\n1 11 "
                "\"under\"\n1 12 \"top\"\n1 13 \"floor\"\n$EndPhysicalNames\n$Nodes\n%d\n",
                nodes_of(a) + nodes_of(b));
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < part[k]->n + !part[k]->closed; ++i)
      for (int j = 0; j <= part[k]->m; ++j) {
        double x[2];
        part[k]->place((double)i / part[k]->n, (double)j / part[k]->m, x);
        at += sprintf(at, "%d %.15g %.15g 0\n", node_of(part[k], k * nodes_of(a), i, j), x[0], x[1]);
      }
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", a->n * (a->m + 1) + b->n * (b->m + 2));
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < part[k]->n; ++i) {
      const Part *p = part[k];
      const int first = k * nodes_of(a);
      for (int j = 0; j < p->m; ++j)
        at += sprintf(at, "%d 3 2 %d %d %d %d %d %d\n", ++id, k + 1, k + 1, node_of(p, first, i, j),
                      node_of(p, first, i + 1, j), node_of(p, first, i + 1, j + 1), node_of(p, first, i, j + 1));
      for (int line = 0; line <= k; ++line) {
        const int j = k && !line ? p->m : 0, tag = 11 + k + line;
        at += sprintf(at, "%d 1 2 %d %d %d %d\n", ++id, tag, tag, node_of(p, first, i, j), node_of(p, first, i + 1, j));
      }
    }
  sprintf(at, "$EndElements\n");
  scratch_write(folder, "parts.msh", text);
  free(text);
}

static const double APART = 1e-6;
static void block_place(double s, double t, double x[2]) { x[0] = s, x[1] = 0.5 * t; }
static void bowl_place(double s, double t, double x[2]) {
  const double a = 0.7 * s - 0.15, r = R + APART + 0.3 * (1 - t);
  x[0] = 0.5 + r * sin(a), x[1] = sqrt(R * R - 0.25) - r * cos(a);
}

/* The same bowl of elements of order 2, held: it is as the rigid one. */
static void blocks_rub_on_bodies(void **state) {
  (void)state;
  const double mu = draw_between(&seed, 0.02, 0.08), c = sqrt(R * R - 0.25), time = 0.4;
  char *folder = scratch_create(), text[2048];
  parts_write(folder, &(Part){2, 2, false, block_place}, &(Part){30, 1, false, bowl_place});
  for (int rubs = 0; rubs < 2; ++rubs) {
    Swing s = block(false, rubs * mu);
    double row[2];
    char friction[64];
    snprintf(friction, sizeof friction, ", friction: %.17g", mu);
    snprintf(text, sizeof text,
             "version: 1\nmesh: {file: parts.msh, order: 2}\nphysics: elasticity\nmodel: plane-strain\nstrain: "
             "finite\nformulation: displacement\nanalysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: "
             "[upper, lower], type: neo-hooke, young: 1e5, poisson: 0, density: 2}]\nboundary: [{on: lower, fix: "
             "all}]\ninitial: {velocity: ['-0.5*(y - %.17g)', '0.5*(x - 0.5)']}\nbody: [{on: upper, gravity: [0, "
             "-9.81]}]\ncontact: [{on: under, against: top, sliding: finite, reach: 0.2%s}]\ntime: {end: %g, step: "
             "0.00625}\noutput: {every: 0.1, probes: [{name: x, at: [0.5, 0], field: displacement-x}]}\n",
             c, rubs ? friction : "", time);
    app_runs(folder, text);
    scratch_last_row(folder, 2, row);
    swing(&s, time);
    const double lost = scratch_reported(folder, "dissipated_energy"), angle = asin(row[1] / c);
    print_message("angle %g, should %g, lost %g, should %g\n", angle, s.angle, lost, s.lost);
    assert_within(angle, s.angle, 5e-5);
    assert_within(lost, s.lost, 0.01);
  }
  scratch_remove(&folder);
}

static void slab_place(double s, double t, double x[2]) { x[0] = 3 * s - 0.5, x[1] = 0.5 * (t - 1) - APART; }
#define STACK                                                                                                          \
  "version: 1\nmesh: {file: parts.msh}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\nformulation: "       \
  "displacement\nanalysis: {type: transient, rho-infinity: 0.6, damping: {beta: 0.001}}\nmaterials: [{on: [upper, "    \
  "lower], type: neo-hooke, young: 1e4, poisson: 0.3, density: 2}]\nbody: [{on: [upper, lower], gravity: [0, "         \
  "-10]}]\nboundary: [{on: floor, fix: {y: 0}}]\ninitial: {velocity: ['step(y + 5e-7)', 0]}\ncontact: [{on: under, "   \
  "against: top, friction: %.17g, reach: 0.5, sliding: %s}]\ntime: {end: %g, step: 0.005}\noutput: {every: 0.1, "      \
  "checkpoint: 0.05, probes: [{name: x, at: [0.5, 0.25], field: displacement-x}, {name: v, at: [0.5, 0.25], field: "   \
  "velocity-x}, {name: X, at: [1, -0.25], field: displacement-x}, {name: V, at: [1, -0.25], field: velocity-x}]}\n"

/* A block of mass 1, thrown at 1 on a slab of mass 3 that may go along: both have a quarter in the end, and it has slid
 * 1 / (2 mu g (1 + 1/3)) on it. */
static void slabs_go_along(void **state) {
  (void)state;
  static const char *const sliding[] = {"small", "finite"};
  char *folder = scratch_create(), text[2048];
  parts_write(folder, &(Part){4, 3, false, block_place}, &(Part){12, 2, false, slab_place});
  for (int k = 0; k < 2; ++k) {
    const double mu = draw_between(&seed, 0.2, 0.35), stops = 1 / (mu * 10 * 4 / 3);
    double row[5];
    snprintf(text, sizeof text, STACK, mu, sliding[k], stops + 0.1);
    app_runs(folder, text);
    scratch_last_row(folder, 5, row);
    const double slid = row[1] - row[3], lost = scratch_reported(folder, "dissipated_energy");
    print_message("mu %g: velocities %g, %g, slid %g, should %g, lost %g\n", mu, row[2], row[4], slid, stops / 2, lost);
    assert_within(row[1] + 3 * row[3], stops + 0.1, 3e-3); /* the middle of both, which goes on at 1 / 4 */
    assert_within(row[2], 0.25, 0.01);
    assert_relative(slid, stops / 2, 0.01);
    assert_within(lost, 0.375, 0.01); /* and little of the fall onto its weight */
    assert_within(scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy") + lost,
                  0.5 + scratch_reported(folder, "external_work"), 2e-3);
  }
  scratch_remove(&folder);
}

static void ring_place(double s, double t, double x[2]) {
  const double a = 2 * PI * s - PI / 2, r = 1 - 0.5 * t;
  x[0] = r * cos(a), x[1] = 1 + r * sin(a);
}
static void table_place(double s, double t, double x[2]) { x[0] = 3 * s - 1, x[1] = 0.4 * (t - 1) - APART; }

/* A ring that is thrown without spin rubs until it rolls. With J = m (1 - v) that friction has given to the table, of mass M, V = J / M and
 * w = J / (m k), k = (1 + 1/4) / 2, and v - V = w. A ball would go on with 5/7, k = 2/5, on what stays where it is. */
static void rings_roll(void **state) {
  (void)state;
  const double m = 0.75 * PI, M = 3 * 0.4 * 3, k = 0.625, J = 1 / (1 / m + 1 / M + 1 / (m * k));
  char *folder = scratch_create();
  double row[6];
  parts_write(folder, &(Part){48, 2, true, ring_place}, &(Part){18, 2, false, table_place});
  app_runs(folder,
           "version: 1\nmesh: {file: parts.msh}\nphysics: elasticity\nmodel: plane-strain\nstrain: finite\n"
           "formulation: displacement\nanalysis: {type: transient, rho-infinity: 0.6, damping: {beta: "
           "0.0005}}\nmaterials:\n- {on: upper, type: neo-hooke, young: 1e5, poisson: 0.3, density: 1}\n- {on: lower, "
           "type: neo-hooke, young: 1e5, poisson: 0.3, density: 3}\nbody: [{on: upper, gravity: [0, "
           "-10]}]\nboundary: [{on: floor, fix: {y: 0}}]\ninitial: {velocity: ['step(y + 5e-7)', 0]}\ncontact: [{on: "
           "under, against: top, friction: 0.4, sliding: finite, reach: 0.3}]\ntime: {end: 0.2, step: "
           "0.005}\noutput: {every: 0.1, probes: [{name: a, at: [1, 1], field: velocity-x}, {name: b, at: [-1, 1], "
           "field: velocity-x}, {name: c, at: [1, 1], field: velocity-y}, {name: d, at: [-1, 1], field: velocity-y}, "
           "{name: V, at: [0.5, -0.2], field: velocity-x}]}\n");
  scratch_last_row(folder, 6, row);
  const double v = (row[1] + row[2]) / 2, w = (row[4] - row[3]) / 2, V = row[5];
  print_message("goes at %g, should %g, turns at %g, should %g, table %g, should %g\n", v, 1 - J / m, w, J / m / k, V,
                J / M);
  assert_within(v, 1 - J / m, 0.015); /* a polygon of 48 sides on a table of 18 facets */
  assert_within(w, J / m / k, 0.03);
  assert_within(V, J / M, 0.01);
  scratch_remove(&folder);
}

/* A plug that goes into a cone, of order 2: what the cone bears is at the angle of friction from its normal. */
static void plugs_slide_in(void **state) {
  (void)state;
  const double mu = draw_between(&seed, 0.1, 0.3), degree = PI / 180;
  char *folder = scratch_create(), text[2048];
  double row[4];
  snprintf(
      text, sizeof text,
      "version: 1\nmesh: {grid: [3, 3], size: [1, 1], order: 2}\nphysics: elasticity\nmodel: axisymmetric\nstrain: "
      "finite\nanalysis: {type: transient, rho-infinity: 0.8}\nmaterials: [{on: body, type: neo-hooke, young: 300, "
      "poisson: 0.3, density: 1}]\ninitial: {velocity: [0, -1.5]}\ncontact: [{on: x1, against: {cone: {at: [0, "
      "-9.6], axis: [0, 1], angle: 6}}, friction: %.17g, sliding: finite}]\ntime: {end: 0.35, step: 0.005}\noutput: "
      "{every: 0.35, probes: [{name: v, at: [0.5, 0.5], field: velocity-y}], sums: [{name: f, on: x1, field: "
      "contact-force}]}\n",
      mu);
  app_runs(folder, text);
  scratch_last_row(folder, 4, row);
  const double lost = scratch_reported(folder, "dissipated_energy"), had = PI * 1.5 * 1.5 / 2;
  print_message("mu %g: %g of %g, should %g, lost %g of %g\n", mu, row[3], row[2], tan(6 * degree + atan(mu)), lost,
                had);
  assert_true(row[1] < -0.5 && lost > 0.3);
  assert_relative(-row[3] / row[2], tan(6 * degree + atan(mu)), 2e-3);
  assert_within(scratch_reported(folder, "kinetic_energy") + scratch_reported(folder, "strain_energy") + lost, had,
                2e-3 * had);
  scratch_remove(&folder);
}

/* Stopped while something rubs, and gone on with: the same bits. */
static void goes_on(const char *folder, const char *text) {
  scratch_write(folder, "case.yaml", text);
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, app_guard_calls * 2 / 3), 10);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  char *whole = scratch_read(folder, "whole/probes.csv"), *parts = scratch_read(folder, "parts/probes.csv");
  assert_string_equal(whole, parts);
  free(whole);
  free(parts);
}

static void runs_go_on(void **state) {
  (void)state;
  const double c = sqrt(R * R - 0.25);
  char *folder = scratch_create(), text[2048];
  snprintf(text, sizeof text, BOWL, c, c, 0.03, 0.2, 0.0125);
  goes_on(folder, text);
  parts_write(folder, &(Part){4, 3, false, block_place}, &(Part){12, 2, false, slab_place});
  snprintf(text, sizeof text, STACK, 0.3, "finite", 0.2);
  goes_on(folder, text);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_rub),     cmocka_unit_test(blocks_rub_on_bodies),
                                     cmocka_unit_test(slabs_go_along), cmocka_unit_test(rings_roll),
                                     cmocka_unit_test(plugs_slide_in), cmocka_unit_test(runs_go_on)};
  return cmocka_run_group_tests_name("app/impact_rubs", tests, NULL, NULL);
}
