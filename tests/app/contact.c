/* Contact with rigid obstacles: constant pressure through elements of all kinds, complementarity of pressure and gap on surfaces
 * that are drawn, forces in balance, chains of steps, heat and metals, and what is refused. */
#include "tests/app/scratch.h"
#include "algebra/graph/sparse_direct.h"
#include "tests/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 16384, MOST = 64 };

__attribute__((format(printf, 2, 3))) static void add(char text[TEXT], const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, TEXT - used, format, args);
  va_end(args);
}

static void last(const char *folder, const char *text, int n, double *value) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  scratch_last_row(folder, n, value);
}

/* A block that a pressure holds on a plane that is turned with it: pressure and stress are that everywhere. */
static void constant_pressure_passes(void **state) {
  (void)state;
  static const char *const element[] = {"hex8", "tet4", "quad4", "tri3", "quad4"};
  static const char *const model[] = {"3d", "3d", "plane-strain", "plane-stress", "axisymmetric"};
  char *folder = scratch_create();
  static char text[TEXT];
  for (int k = 0; k < 20; ++k) {
    const int of = k % 5, order = 1 + k / 5 % 2;
    const bool solid = of < 2, finite = k >= 10 && of != 3;
    const char *up = solid ? "0, 0, 1" : "0, 1", *z = solid ? "z" : "y";
    double v[9];
    *text = 0;
    add(text,
        "version: 1\nphysics: elasticity\nmesh: {grid: [4, 3%s], size: [1, 1%s], element: %s, order: %d}\nmodel: %s\n"
        "materials: [{on: body, young: 1000, poisson: 0%s}]\nboundary: [{on: x0, fix: {x: 0}}, %s{on: %s1, traction: "
        "[0, "
        "%s-1.25]}]\ncontact: [{on: %s0, against: {plane: {at: [0, 0%s], normal: [%s]}}}]\nsolver: {rtol: 1e-12}\n",
        solid ? ", 3" : "", solid ? ", 1" : "", element[of], order, model[of], of == 3 ? ", thickness: 0.7" : "",
        solid ? "{on: y0, fix: {y: 0}}, " : "", z, solid ? "0, " : "", z, solid ? ", 0" : "", up);
    if (finite) add(text, "strain: finite\n%s", of ? "time: {end: 1, step: 0.5}\n" : ""); /* one step unless given */
    add(text, "output: {probes: [");
    for (int c = 0; c < 4; ++c)
      add(text, "{name: p%d, at: [%g, 0%s], field: contact-pressure}, ", c, solid || c % 2 == 0 ? c % 2 : 1.0 / 3,
          solid ? c / 2 ? ", 0" : ", 0" : "");
    add(text, "{name: g, at: [1, 0%s], field: contact-gap}], sums: [{name: n, on: %s0, field: contact-force}]}\n",
        solid ? ", 0" : "", z);
    last(folder, text, solid ? 9 : 8, v);
    const double force = 1.25 * (of == 4 ? acos(-1) : of == 3 ? 0.7 : 1);
    for (int c = 0; c < 4; ++c)
      if (!(fabs(v[1 + c] - 1.25) <= 1.25 * (finite ? 2e-3 : 1e-9)))
        fail_msg("pressure %d is %g\n%s", c, v[1 + c], text);
    assert_within(v[5], 0, 1e-12);
    assert_within(v[6], 0, 1e-9 * force);
    assert_relative(v[solid ? 8 : 7], force, 1e-9);
  }
  scratch_remove(&folder);
}

/* A disc, a wedge or a plane that comes down on a strip: p >= 0, gap >= 0, one of them 0 at each node, closed nodes lie on the
 * disc, and forces are in balance. Nothing else is a solution, as the body is linear. */
static void nodes_are_open_or_closed(void **state) {
  (void)state;
  char *folder = scratch_create();
  static char text[TEXT];
  uint64_t seed = 7;
  for (int run = 0; run < 8; ++run) {
    const int n = draw_whole(&seed, 9, 15), order = 1 + run % 2, nodes = order * (n - 1) + 1;
    const double radius = draw_between(&seed, 0.6, 2), x = draw_between(&seed, 0.3, 0.7),
                 deep = draw_between(&seed, 0.01, 0.03);
    double v[3 * MOST + 8], most = 0;
    int closed = 0;
    *text = 0;
    add(text,
        "version: 1\nphysics: elasticity\nmesh: {grid: [%d, 5], size: [1, 0.5], order: %d}\nmodel: plane-strain\n"
        "materials: [{on: body, young: %.17g, poisson: 0.3}]\nboundary: [{on: y0, fix: all}]\n"
        "contact: [{on: y1, against: {cylinder: {at: [%.17g, %.17g], radius: %.17g, move: [0, '-%.17g*t']}}}]\n"
        "time: {end: 1, step: %s}\nsolver: {rtol: 1e-11}\noutput: {probes: [",
        n, order, draw_between(&seed, 1, 1e5), x, 0.5 + radius, radius, deep, run % 3 ? "1" : "0.25");
    for (int k = 0; k < nodes; ++k)
      add(text,
          "%s{name: p%d, at: [%.17g, 0.5], field: contact-pressure}, {name: g%d, at: [%.17g, 0.5], field: "
          "contact-gap}, "
          "{name: u%d, at: [%.17g, 0.5], field: displacement-y}",
          k ? ", " : "", k, (double)k / (nodes - 1), k, (double)k / (nodes - 1), k, (double)k / (nodes - 1));
    add(text, "], sums: [{name: n, on: y1, field: contact-force}, {name: r, on: y0, field: reaction}]}\n");
    last(folder, text, 1 + 3 * nodes + 4, v);
    for (int k = 0; k < nodes; ++k) most = fmax(most, v[1 + 3 * k]);
    for (int k = 0; k < nodes; ++k) {
      const double p = v[1 + 3 * k], gap = v[2 + 3 * k];
      if (p < -2e-7 * most || gap < -1e-7 * deep) fail_msg("node %d has pressure %g and gap %g\n%s", k, p, gap, text);
      if (order == 1 && fabs(p) > 0 && gap != 0) fail_msg("node %d presses %g across %g\n%s", k, p, gap, text);
      closed += p > 0;
    }
    const double *sum = v + 1 + 3 * nodes;
    assert_true(closed > 0 && closed < nodes);
    assert_within(sum[0] + sum[2], 0, 1e-8 * fabs(sum[3]));
    assert_relative(sum[1], -sum[3], 1e-8);
    if (run % 3) continue;
    assert_true(scratch_reported(folder, "contact_updates") <= 32);
  }
  scratch_remove(&folder);
}

/* One node touches at the start, and a pressure rolls the block out on a drum: too much closes at first, and the rim comes in by as much as
 * pulls and as much again; by what pulls alone it takes 9 and 10 updates. */
static void rims_come_in_fast(void **state) {
  (void)state;
  static const double pressure[] = {5, 20}, radius[] = {6, 3};
  static const int most[] = {6, 7};
  char *folder = scratch_create();
  static char text[TEXT];
  for (int k = 0; k < 2; ++k) {
    double v[3];
    *text = 0;
    add(text,
        "version: 1\nphysics: elasticity\nmesh: {grid: [121, 31], size: [2, 1]}\nmodel: plane-strain\n"
        "materials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: y1, pressure: %g}, {on: x0, symmetry: "
        "true}]\n"
        "contact: [{on: y0, against: {cylinder: {at: [0, -%g], radius: %g}}}]\ntime: {end: 1, step: 1}\n"
        "output: {sums: [{name: n, on: y0, field: contact-force}]}\n",
        pressure[k], radius[k], radius[k]);
    last(folder, text, 3, v);
    assert_relative(v[2], 2 * pressure[k], 1e-6);
    /* a GPU solves by iterations, of which the first are loose, and may look twice */
    assert_true(scratch_reported(folder, "contact_updates") <= (strcmp(app_backend(), "cpu") ? 8 : most[k]));
  }
  scratch_remove(&folder);
}

/* A bar between two walls, heated: free until it meets the other wall, then E (gap / L - alpha dT). */
static void heated_bar_meets_a_wall(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[3];
  last(folder,
       "version: 1\nphysics: elasticity\nmesh: {grid: [5, 3, 3], size: [2, 1, 1]}\nmodel: 3d\n"
       "materials: [{on: body, young: 1000, poisson: 0.3, expansion: 1e-4}]\n"
       "boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}]\n"
       "contact: [{on: x1, against: {plane: {at: [2.005, 0, 0], normal: [1, 0, 0]}}}]\n"
       "thermal: {temperature: 100}\ntime: {end: 1, step: 0.125}\nsolver: {rtol: 1e-12}\n"
       "output: {probes: [{name: s, at: [1, 0.5, 0.5], field: stress-xx}, {name: u, at: [2, 1, 1], field: "
       "displacement-x}]}\n",
       3, v);
  assert_relative(v[1], 1000 * (0.005 / 2 - 0.01), 1e-8);
  assert_relative(v[2], 0.005, 1e-10);
  scratch_remove(&folder);
}

/* Pressed and let go over steps of a chain: a metal keeps what has flown, and is open in the end. */
static void metal_is_pressed_and_let_go(void **state) {
  (void)state;
  char *folder = scratch_create();
  static const char *const text =
      "version: 1\nphysics: elasticity\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]}\nmodel: 3d\n"
      "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, yield: [[0, 10], [1, 110]]}]\n"
      "boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}]\n"
      "contact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], move: [0, 0, '-0.03*min(t, 2 - t)']}}}]\n"
      "steps: [{name: press, end: 1, step: 0.25}, {name: back, end: 2, step: 0.25}]\nsolver: {rtol: 1e-12}\n"
      "output: {probes: [{name: u, at: [1, 1, 1], field: displacement-z}, {name: p, at: [1, 1, 1], field: "
      "contact-pressure}, {name: g, at: [1, 1, 1], field: contact-gap}]}\n";
  double v[4];
  last(folder, text, 4, v);
  const double stress = (10 * 1000 + 100 * 1000 * 0.03) / 1100, flown = 0.03 - stress / 1000; /* hardening 100 */
  assert_relative(v[1], -flown, 1e-6);
  assert_within(v[2], 0, 1e-9);
  assert_relative(v[3], flown, 1e-6);
  scratch_remove(&folder);
}

/* Nodes at a rim whose friction turned around in each solve, so that the step was cut: they stick. */
static void friction_does_not_turn_around(void **state) {
  (void)state;
  char *folder = scratch_create();
  static char text[TEXT];
  *text = 0;
  add(text,
      "version: 1\nphysics: elasticity\nmesh: {grid: [4, 3, 4], size: [4, 2, 2], order: 2}\nmodel: 3d\n"
      "materials: [{on: body, young: 1000, poisson: 0.3}]\ntime: {end: 2, step: 0.5}\n"
      "boundary: [{on: z1, fix: {x: \"0.006*max(0, t-1)\", y: \"0.0009*max(0, t-1)\", z: \"-0.003*min(t, 1)\"}}]\n"
      "contact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}, friction: 0.3}]\n");
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s", said.err);
  said_release(&said);
  assert_in_range((int)scratch_reported(folder, "linear_solves"), 1, 50);
  scratch_remove(&folder);
}

/* Closed everywhere, a plane does what a prescribed displacement does, at finite strain too. */
static void plane_is_a_support_where_all_is_closed(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  uint64_t seed = 11;
  for (int run = 0; run < 4; ++run) {
    const double far = draw_between(&seed, 0.1, 0.3), across = draw_between(&seed, 0.02, 0.2);
    double v[2][4];
    for (int k = 0; k < 2; ++k) {
      *text = 0;
      add(text,
          "version: 1\nphysics: elasticity\nstrain: finite\nmesh: {grid: [4, 3, 3], size: [1, 1, 1], order: "
          "%d}\nmodel: "
          "3d\nmaterials: [{on: body, type: neo-hooke, young: 10, poisson: 0.35}]\ntime: {end: 1, step: 0.5}\n"
          "solver: {rtol: 1e-11}\noutput: {probes: [{name: u, at: [1, 0, 0], field: displacement-x}, {name: v, at: [1, "
          "1, "
          "1], field: displacement-y}, {name: s, at: [0.5, 0.5, 0.5], field: stress-zz}]}\n",
          1 + run % 2);
      const char *held = "boundary: [{on: z0, fix: all}, {on: y0, fix: {y: '0.1*%.17g*t*z'}}";
      add(text, held, across);
      if (k == 0) add(text, ", {on: z1, fix: {z: '-%.17g*t'}}]\n", far);
      else
        add(text,
            "]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, -1], move: [0, 0, '-%.17g*t']}}}]\n",
            far);
      last(folder, text, 4, v[k]);
    }
    for (int c = 1; c < 4; ++c) assert_within(v[1][c], v[0][c], 1e-7 * (fabs(v[0][c]) + 1e-3));
  }
  scratch_remove(&folder);
}

#define HEAD                                                                                                           \
  "version: 1\nphysics: elasticity\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]}\nmodel: 3d\nmaterials: [{on: body, "      \
  "young: 1, "                                                                                                         \
  "poisson: 0.3}]\n"
#define PLANE "{plane: {at: [0, 0, 1], normal: [0, 0, 1]}}"

static void wrong_use_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said, *more;
  } row[] = {
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {}}]\n", "against has 0 obstacles",
       "one of plane, cylinder, sphere, cone"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\ncontact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}]\n",
       "is prescribed along the normal of contact", "leave it out of the group of 'contact'"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 30], normal: [0, 0, 1]}}}]\n",
       "'z1' and its obstacle are 29 apart at least", "look at 'at', the unit of length, and 'move'"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}]\n",
       "is 1 deep in its obstacle at the start", "an obstacle outside of the body"},
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: " PLANE "}, {on: z1, against: " PLANE "}]\n",
       "is in the contact at", "one obstacle at a node"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\ntime: {end: 1, step: 0.5}\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], "
       "normal: [0, 0, 1], move: [0, 0, '0*sqrt(0.7 - t)']}}}]\n",
       "entry 3 of 'move' is not finite at time 0.703", "roots and logarithms of what is negative"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], move: "
       "['1/t', 0, 0]}}}]\n",
       "entry 1 of 'move' is not finite at time 0", "look for divisions by 0"},
      {HEAD
       "boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, pressure: 1}]\ncontact: [{on: z1, against: "
       "{plane: {at: [0, 0, 1.1], normal: [0, 0, 1]}}}]\n",
       "translation in z", "contact holds a body only where it is closed at the start"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\nstrain: finite\ntime: {end: 1, step: 1}\ncontact: [{on: z1, against: {sphere: "
       "{at: [0, 0, 2], radius: 1}}}]\n",
       "a curved obstacle needs small strains", "remedy: 'sliding: finite'"},
      {HEAD "boundary: [{on: z0, fix: all}]\nanalysis: {type: modal, modes: 2}\ncontact: [{on: z1, against: " PLANE
            "}]\n",
       "'contact' is for", "this is a modal case"},
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: " PLANE
            "}]\nload-cases: [{name: a, boundary: [{on: x1, traction: [1, 0, 0]}]}]\n",
       "load-cases", "a case file of its own"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], move: "
       "[x, 0, 0]}}}]\n",
       "move is the same for all of an obstacle", "depends on t alone"},
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {cylinder: {at: [0, 0, 2], radius: 1}}}]\n",
       "cylinder needs the key 'axis' in a 3d model", "direction of its axis"},
      {HEAD "boundary: [{on: z0, fix: all}]\nstrain: finite\ntime: {end: 1, step: 1}\ncontact: [{on: z1, against: "
            "{plane: {at: [0, 0, 1], normal: [0, 0, 1], rotate: {axis: [1, 0, 0], angle: 3}}}}]\n",
       "a plane that turns needs small strains", "'sliding: finite', which finds normals anew"},
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {sphere: {at: [0, 0, 2], radius: 1, rotate: "
            "{angle: 3}}}}]\n",
       "rotate of a sphere needs the key 'axis'", "direction of the axis"},
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], "
            "rotate: {angle: '3*x'}}}}]\n",
       "angle is the same for all of an obstacle", "depends on t alone"},
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], "
            "rotate: {angle: '1/t'}}}}]\n",
       "the angle of 'rotate' is not finite at time 0", "look for divisions by 0"},
      {HEAD "boundary: [{on: z0, fix: all}]\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], "
            "rotate: {axis: [0, 0, 0], angle: 3}}}}]\n",
       "axis has no length", ""},
      {HEAD "boundary: [{on: z0, fix: all}]\nstrain: finite\nanalysis: {type: transient}\ntime: {end: 1, step: "
            "1}\ncontact: [{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], rotate: {angle: 3}}}}]\n",
       "rotate of an obstacle in motion is not available", "in motion 'move', and a body"},
      {HEAD
       "boundary: [{on: z0, fix: all}]\nsteps: [{name: a, end: 1, step: 1}, {name: b, end: 2, step: 1, contact: "
       "[{on: z1, against: {plane: {at: [0, 0, 1], normal: [0, 0, 1], rotate: {angle: 3}}}}]}]\ncontact: [{on: z1, "
       "against: {plane: {at: [0, 0, 1], normal: [0, 0, 1]}}}]\n",
       "rotate of a contact that is there already changes in step 'b'", "rotate where the contact begins"},
      {"version: 1\nphysics: elasticity\nmesh: {grid: [3, 3], size: [1, 1]}\nmodel: axisymmetric\nmaterials: [{on: "
       "body, young: 1, poisson: 0.3}]\nboundary: [{on: y0, fix: all}]\ncontact: [{on: y1, against: {plane: {at: [0, "
       "1], normal: [0, 1], rotate: {angle: 3}}}}]\n",
       "out of the plane of an axisymmetric model", "allowed: in flat models and in space"},
      {"version: 1\nphysics: elasticity\nmesh: {grid: [3, 3], size: [1, 1]}\nmodel: plane-strain\nmaterials: [{on: "
       "body, young: 1, poisson: 0.3}]\nboundary: [{on: y0, fix: all}]\ncontact: [{on: y1, against: {plane: {at: [0, "
       "1], normal: [0, 1], rotate: {axis: [1, 0], angle: 3}}}}]\n",
       "obstacles turn about z", "leave axis out"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) app_refuses(folder, row[k].text, row[k].said, row[k].more);
  scratch_remove(&folder);
}

/* Nothing is strained on the way there: no force says what a residual is small beside, where the first guess is exact. */
static void a_block_comes_from_away(void **state) {
  (void)state;
  static const char block[] =
      "version: 1\nphysics: elasticity\nmesh: {grid: [5, 4], size: [1, 1]}\nmodel: plane-strain\nmaterials: [{on: "
      "body, young: 1000, "
      "poisson: 0.3}]\nboundary: [{on: x0, symmetry: true}, {on: y1, fix: {y: '-0.4*t'}}]\ncontact: [{on: y0, against: "
      "{plane: {at: [0, -0.3], normal: [0, 1]}}}]\ntime: {end: 1, step: 0.25}\noutput: {probes: [{name: s, at: [0.5, "
      "0.5], "
      "field: stress-yy}, {name: u, at: [1, 0], field: displacement-y}]}\nexpect: [{probe: u, time: 0.5, value: -0.2, "
      "rtol: "
      "1e-9}]\n";
  static const char *const method[] = {"iterative", "direct"};
  static char text[TEXT];
  char *folder = scratch_create();
  double v[3];
  if (!sparse_direct_there()) print_message("skipped by a direct solver: %s\n", sparse_direct_why_not());
  for (int m = 0; m < (sparse_direct_there() ? 2 : 1); ++m) {
    *text = 0;
    add(text, "%ssolver: {method: %s}\n", block, method[m]);
    last(folder, text, 3, v);
    assert_true(fabs(v[1] + 0.1 * 1000 / 0.91) < 1e-7);
    assert_true(fabs(v[2] + 0.3) < 1e-10);
  }
  scratch_remove(&folder);
}

/* 1,000 lengths away from its obstacle, where the spring alone holds the load, a stiff block has its forces up to rounding, which is more
 * than Newton's method would come down to. */
static void a_weak_spring_lets_go(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[3];
  if (!sparse_direct_there()) skip();
  last(folder,
       "version: 1\nphysics: elasticity\nmesh: {grid: [9, 5], size: [2, 1], order: 2}\nmodel: plane-strain\nmaterials: "
       "[{on: body, young: 210e3, poisson: 0.3}]\nboundary: [{on: y1, pressure: 1}, {on: x0, symmetry: true}, {on: y1, "
       "spring: 1e-3}]\ncontact: [{on: y0, against: {plane: {at: [0, -0.01], normal: [0, 1]}}}]\nsolver: {method: "
       "direct}\noutput: {sums: [{name: n, on: y0, field: contact-force}]}\n",
       3, v);
  assert_true(fabs(v[2] - 2 * (1 - 1e-3 * 0.01)) < 1e-7);
  scratch_remove(&folder);
}

/* Its nodes have no gap then, which is nothing to be warned of. */
static void what_is_inactive_is_not_open(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_run_says(
      folder,
      "version: 1\nmesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-strain\nmaterials: [{on: body, young: "
      "1000, poisson: 0.3}]\nboundary: [{on: y1, fix: {x: 0, y: \"-0.01*min(1, t)\"}}]\ncontact: [{on: y0, against: "
      "{plane: {at: [0, 0], normal: [0, 1]}}}]\nsteps: [{name: press, end: 1, step: 1}, {name: lift, end: 2, step: 1, "
      "contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}, active: false}]}]\n");
  if (said.code || strstr(said.err, "open in the end") || strstr(said.err, "inf")) fail_msg("%s", said.err);
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constant_pressure_passes),
                                     cmocka_unit_test(nodes_are_open_or_closed),
                                     cmocka_unit_test(rims_come_in_fast),
                                     cmocka_unit_test(heated_bar_meets_a_wall),
                                     cmocka_unit_test(metal_is_pressed_and_let_go),
                                     cmocka_unit_test(plane_is_a_support_where_all_is_closed),
                                     cmocka_unit_test(a_block_comes_from_away),
                                     cmocka_unit_test(a_weak_spring_lets_go),
                                     cmocka_unit_test(what_is_inactive_is_not_open),
                                     cmocka_unit_test(friction_does_not_turn_around),
                                     cmocka_unit_test(wrong_use_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
