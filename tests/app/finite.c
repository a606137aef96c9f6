/* Finite strain from case files to results: closed forms, loads that grow by themselves, Newton's method at its own rate,
 * steps that fail with their reasons. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(mesh, model) "version: 1\nmesh: " mesh "\nphysics: elasticity\nmodel: " model "\nstrain: finite\n"
#define RUBBER "materials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\nsolver: {rtol: 1e-11}\n"
#define HELD "boundary:\n- {on: x0, fix: {x: 0}}\n- {on: y0, fix: {y: 0}}\n- {on: z0, fix: {z: 0}}\n"

/* A bar pulled to twice its length: lateral stretch, P11 and sigma11 of the closed form, in space, around an axis (a
 * cylinder pulled along it) and in plane stress. */
static void pulled(void **state) {
  (void)state;
  static const char *const cases[] = {
      HEAD("{grid: [3, 3, 3], size: [1, 1, 1]}", "3d") RUBBER HELD
      "- {on: x1, fix: {x: 1}}\ntime: {end: 1, step: 0.25}\noutput:\n  fields: [displacement, cauchy, piola]\n"
      "  probes: [{name: a, at: [1, 1, 1], field: displacement-y}, {name: s, at: [0.3, 0.4, 0.5], field: stress-xx}]\n"
      "  sums: [{name: f, on: x1, field: reaction}]\n",
      HEAD("{grid: [3, 3], size: [1, 1]}", "axisymmetric") RUBBER
      "boundary:\n- {on: y0, fix: {y: 0}}\n- {on: y1, fix: {y: 1}}\ntime: {end: 1, step: 0.25}\noutput:\n"
      "  fields: [displacement, cauchy, jacobian]\n"
      "  probes: [{name: a, at: [1, 1], field: displacement-x}, {name: s, at: [0.3, 0.4], field: stress-yy}]\n",
      HEAD("{grid: [3, 3], size: [1, 1]}", "plane-stress") RUBBER
      "boundary:\n- {on: x0, fix: {x: 0}}\n- {on: y0, fix: {y: 0}}\n- {on: x1, fix: {x: 1}}\n"
      "time: {end: 1, step: 0.25}\noutput:\n"
      "  probes: [{name: a, at: [1, 1], field: displacement-y}, {name: s, at: [0.3, 0.4], field: stress-xx}]\n"};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    double value[4] = {0};
    Said said = app_run_says(folder, cases[k]);
    if (said.code) fail_msg("case %d: %s", (int)k, said.err);
    said_release(&said);
    scratch_last_row(folder, k == 0 ? 4 : 3, value);
    assert_within(value[1], 0.7980775445 - 1, 1e-9);
    assert_within(value[2], 10.1541288288, 1e-8);
    if (k == 0) assert_within(value[3], 6.4674466017, 1e-8);
  }
  scratch_remove(&folder);
}

#define BENT(load, time)                                                                                               \
  HEAD("{grid: [5, 2, 2], size: [4, 1, 1], order: 2}", "3d")                                                           \
  RUBBER "boundary:\n- {on: x0, fix: all}\n- {on: x1, traction: [0, 0, " load "]}\n" time                              \
         "output: {probes: [{name: a, at: [4, 0.5, 0.5], field: displacement-z}]}\n"

/* Without t in any of them loads grow with it. The table shows Newton's method double its digits. */
static void grows(void **state) {
  (void)state;
  char *folder = scratch_create();
  double ramped[2], told[2], adaptive[2];
  Said said = app_run_says(folder, BENT("0.1", "time: {end: 2, step: 0.5}\n"));
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "    step        time  iteration   residual  correction  line search      CG"));
  said_release(&said);
  scratch_last_row(folder, 2, ramped);
  said = app_run_says(folder, BENT("'0.05*t'", "time: {end: 2, step: 0.5}\n"));
  assert_int_equal(said.code, 0);
  said_release(&said);
  scratch_last_row(folder, 2, told);
  said = app_run_says(folder, BENT("'0.05*t'", "time: {end: 2, step: 0.2, adaptive: {min: 0.01}}\n"));
  assert_int_equal(said.code, 0);
  said_release(&said);
  scratch_last_row(folder, 2, adaptive);
  assert_true(ramped[1] > 1); /* large */
  assert_within(told[1], ramped[1], 1e-9);
  assert_within(adaptive[1], ramped[1], 1e-8);
  char *report = scratch_read(folder, "results/report.json");
  assert_non_null(strstr(report, "\"load_steps\": ["));
  assert_non_null(strstr(report, "\"newton_iterations\": "));
  free(report);
  scratch_remove(&folder);
}

/* The displacement of a probe at the last but one stored time. */
static double before_last(const char *folder) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = text + strlen(text) - 1;
  for (int line = 0; line < 2; ++line)
    for (--at; at > text && at[-1] != '\n';) --at;
  const double value = strtod(strchr(at, ',') + 1, NULL);
  free(text);
  return value;
}

/* Every load that may have a t is looked for one: it counts as it stands at each time, and is not ramped besides. The one
 * load goes with t^2, so that the displacement after two of three steps is 4/9 of the last one; a ramp would make it 8/27. */
static void each_load_in_time(void **state) {
  static const char *const loads[] = {"traction: [0, 0, '0.004*t^2']", "force: [0, 0, '0.003*t^2']",
                                      "pressure: '0.001*t^2'", "fix: {z: '0.02*t^2'}", "gravity: [0, 0, '-0.002*t^2']"};
  enum { PRESSURE = 2, GRAVITY = 4 };
  (void)state;
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 5; ++k) {
    double last[2];
    snprintf(text, sizeof text,
             HEAD("{grid: [5, 2, 2], size: [4, 1, 1], order: 2}",
                  "3d") "materials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3, density: 1}]\nsolver: {rtol: "
                        "1e-11}\n"
                        "boundary:\n- {on: x0, fix: all}\n%s{on: %s, %s}%s\ntime: {end: 1.5, step: 0.5}\n"
                        "output: {probes: [{name: a, at: [4, 0.5, 0.5], field: displacement-z}]}\n",
             k == GRAVITY ? "body: [" : "- ",
             k == GRAVITY    ? "body"
             : k == PRESSURE ? "z1"
                             : "x1",
             loads[k], k == GRAVITY ? "]" : "");
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    scratch_last_row(folder, 2, last);
    const double share = before_last(folder) / last[1];
    assert_true(fabs(last[1]) > 1e-3);
    if (fabs(share - 4.0 / 9) > 0.02) fail_msg("%s: %g of it after two steps, not 4/9", loads[k], share);
  }
  scratch_remove(&folder);
}

/* Pressure from all sides stays at right angles to them: Cauchy's stress is -p whatever the stretch, which dead loads
 * miss. */
static void pressed(void **state) {
  (void)state;
  static const char *const cases[] = {
      HEAD("{grid: [3, 3, 3], size: [1, 1, 1]}", "3d") RUBBER HELD
      "- {on: [x1, y1, z1], pressure: 3}\n"
      "time: {end: 1, step: 0.5}\noutput: {probes: [{name: s, at: [0.3, 0.4, 0.5], field: stress-xx}]}\n",
      HEAD("{grid: [3, 3, 3], size: [1, 1, 1], element: tet4, order: 2}", "3d") RUBBER HELD
      "- {on: [x1, y1, z1], pressure: '3*t'}\n"
      "time: {end: 1, step: 0.5}\noutput: {probes: [{name: s, at: [0.3, 0.4, 0.5], field: stress-zz}]}\n",
      HEAD("{grid: [3, 3], size: [1, 1], order: 2}", "axisymmetric") RUBBER
      "boundary:\n- {on: y0, fix: {y: 0}}\n- {on: [x1, y1], pressure: 3}\n"
      "time: {end: 1, step: 0.5}\noutput: {probes: [{name: s, at: [0.3, 0.4], field: stress-xx}]}\n",
      HEAD("{grid: [3, 3], size: [1, 1]}", "plane-strain") RUBBER
      "boundary:\n- {on: y0, fix: {y: 0}}\n- {on: x0, fix: {x: 0}}\n- {on: [x1, y1], pressure: 3}\n"
      "time: {end: 1, step: 0.5}\noutput: {probes: [{name: s, at: [0.3, 0.4], field: stress-yy}]}\n",
      HEAD("{grid: [3, 3], size: [1, 1]}", "plane-strain") RUBBER
      "boundary:\n- {on: y0, fix: {y: 0}}\n- {on: x0, fix: {x: 0}}\n- {on: [x1, y1], pressure: 3, follower: false}\n"
      "time: {end: 1, step: 0.5}\noutput: {probes: [{name: s, at: [0.3, 0.4], field: stress-yy}]}\n"};
  char *folder = scratch_create();
  for (int k = 0; k < 5; ++k) {
    double value[2];
    Said said = app_run_says(folder, cases[k]);
    if (said.code) fail_msg("case %d: %s", k, said.err);
    said_release(&said);
    scratch_last_row(folder, 2, value);
    if (k < 4) assert_within(value[1], -3, 1e-6);
    else assert_true(value[1] < -3.3); /* the same force on less area */
  }
  scratch_remove(&folder);
}

/* One step that no Newton method takes: what failed, where, and the steps before it on the disk. */
static void fails(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_run_says(folder, HEAD("{grid: [3, 3, 3], size: [1, 1, 1]}", "3d") RUBBER
                           "boundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: '-0.5*t', y: 0, z: 0}}\n"
                           "time: {end: 3, step: 1}\n");
  assert_int_equal(said.code, 6);
  assert_non_null(strstr(said.err, "turned inside out: the first is hex8 element"));
  assert_non_null(strstr(said.err, "of 'body' near ("));
  assert_non_null(strstr(said.err, "in the load step from time 1"));
  said_release(&said);
  char *text = scratch_read(folder, "results/results.xdmf");
  assert_non_null(strstr(text, "Value=\"1\""));
  free(text);
  scratch_remove(&folder);
}

/* On the way to equilibrium tangents are not positive definite, which says nothing of a body that is held: no warning. */
static void trials_are_not_told(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_run_says(
      folder,
      HEAD("{grid: [3, 4, 3]}",
           "3d") "materials: [{on: body, type: holzapfel-ogden, a: 0.3, b: 9, af: 17, bf: 13, as: 4, bs: 5, afs: "
                 "0.5, bfs: 10, "
                 "bulk: 400, axes: {x: [1, 1, 0], y: [0, 0, 1]}}]\n"
                 "boundary:\n- {on: y0, fix: all}\n- {on: y1, traction: [3, 0, 0]}\ntime: {end: 1, step: 0.5}\n");
  assert_int_equal(said.code, 0);
  if (strstr(said.err, "left out")) fail_msg("%s", said.err);
  said_release(&said);
  said = app_run_says(folder,
                      HEAD("{grid: [5, 6], size: [19, 31]}",
                           "axisymmetric") "materials: [{on: body, young: 1, poisson: 0.4999}]\n"
                                           "boundary:\n- {on: y0, fix: all}\n- {on: y1, traction: [0.01, 0.2]}\ntime: "
                                           "{end: 1, step: 0.5}\n");
  if (strstr(said.err, "left out")) fail_msg("%s", said.err);
  said_release(&said);
  scratch_remove(&folder);
}

/* A bar of Saint Venant and Kirchhoff that is pressed together bears E / (3 sqrt 3) at most, at 1 / sqrt 3 of its length: a
 * force beyond ends with the limit's name, and a displacement passes it. */
static void limits(void **state) {
  (void)state;
#define LINEAR HEAD("{grid: [2, 2, 2], size: [1, 1, 1]}", "3d") "materials: [{on: body, young: 10, poisson: 0}]\n" HELD
#define ADAPTIVE "time: {end: 1, step: 0.2, adaptive: {min: 1e-3, max: 0.2}}\n"
  char *folder = scratch_create();
  double value[2];
  Said said = app_run_says(folder, LINEAR "- {on: x1, traction: [-2.5, 0, 0]}\n" ADAPTIVE);
  assert_int_equal(said.code, 6);
  const char *at = strstr(said.err, "the load is at a limit point at time ");
  if (!at) fail_msg("%s", said.err);
  assert_within(strtod(at + strlen("the load is at a limit point at time "), NULL), 10 / (3 * sqrt(3)) / 2.5, 2e-3);
  assert_non_null(strstr(said.err, "remedy: to pass the limit prescribe a displacement"));
  said_release(&said);
  said = app_run_says(folder, LINEAR "- {on: x1, fix: {x: -0.6}}\n" ADAPTIVE
                                     "output: {probes: [{name: s, at: [1, 1, 1], field: stress-xx}]}\n");
  assert_int_equal(said.code, 0);
  said_release(&said);
  scratch_last_row(folder, 2, value);
  assert_within(value[1], 0.4 * 5 * (0.16 - 1), 1e-9); /* dead P = l E (l^2 - 1) / 2, on the same area */
  said = app_run_says(folder, LINEAR
                      "- {on: x1, traction: [-2.4, 0, 0]}\ntime: {end: 1, step: 0.3}\n"); /* cut where it fails */
  assert_int_equal(said.code, 6);
  at = strstr(said.err, "the load is at a limit point at time ");
  if (!at) fail_msg("%s", said.err);
  assert_within(strtod(at + strlen("the load is at a limit point at time "), NULL), 10 / (3 * sqrt(3)) / 2.4, 1e-3);
  said_release(&said);
  said =
      app_run_says(folder, LINEAR "- {on: x1, traction: [-2.5, 0, 0]}\ntime: {end: 1, step: 0.25, adaptive: false}\n");
  assert_int_equal(said.code, 6);
  if (!strstr(said.err, "the tangent is not positive definite between the times 0.75 and 1: the load reaches a limit"))
    fail_msg("%s", said.err);
  if (!strstr(said.err, "a linear material is pressed to the stretch 0.")) fail_msg("%s", said.err);
  assert_non_null(strstr(said.err, "remedy: 'type: neo-hooke' with the same young and poisson"));
  said_release(&said);
  scratch_remove(&folder);
}

static void refuses(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } rows[] = {
      {HEAD("{grid: [3, 3], size: [1, 1]}", "plane-strain") "analysis: {type: modal}\n" RUBBER
                                                            "time: {end: 1, step: 1}\n",
       "modes at finite strain are those of a body under its load\n  remedy: 'prestress: true', or 'strain: small'"},
      {HEAD("{grid: [3, 3], size: [1, 1]}", "plane-strain") "thermal: {temperature: 3}\n" RUBBER
                                                            "time: {end: 1, step: 1}\n",
       "6:10: no material expands"},
      {HEAD("{grid: [3, 3], size: [1, 1]}", "plane-strain") "load-cases: [{name: a}]\n" RUBBER
                                                            "time: {end: 1, step: 1}\n",
       "'load-cases' is for static cases; this is a finite-strain case\n  remedy: a case file of its own for each set"},
      {HEAD("{grid: [3, 3], size: [1, 1]}", "plane-stress") "formulation: mean-dilatation\n" RUBBER
                                                            "time: {end: 1, step: 1}\n",
       "formulation: 'mean-dilatation' has no plane stress"},
      {HEAD("{grid: [3, 3], size: [1, 1], element: tri3}", "plane-strain") "formulation: mean-dilatation\n" RUBBER
                                                                           "time: {end: 1, step: 1}\n",
       "has 8 tri3 elements\n  remedy: 'formulation: displacement', or mesh: {order: 2}"},
      {HEAD("{grid: [3, 3], size: [1, 1]}", "plane-strain") RUBBER, "'time'"},
      {"version: 1\nmesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-strain\n" RUBBER,
       "'neo-hooke' is a material of finite strain; add 'strain: finite'"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Said said = app_run_says(folder, rows[k].text);
    if (said.code != 3 || !strstr(said.err, rows[k].said)) fail_msg("row %d: %d %s", (int)k, said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Axes by expressions are those of a cylinder, at every integration point, at finite and small strain; in the plane y
 * follows from x. */
static void axes_by_expressions(void **state) {
  (void)state;
#define GUCCIONE "materials: [{on: body, type: guccione, c: 2, bf: 8, bt: 3, bfs: 4, bulk: 20, axes: "
#define STIFF                                                                                                          \
  "materials: [{on: body, type: orthotropic, young: [140, 10, 10], poisson: [0.3, 0.3, 0.45], shear: [5, 5, 3.4], "    \
  "axes: "
#define TURNED(load, at)                                                                                               \
  "}]\nboundary:\n- {on: x0, fix: all}\n- {on: x1, traction: [" load                                                   \
  "]}\nsolver: {rtol: 1e-11}\noutput: {probes: [{name: u, "                                                            \
  "at: [" at "], field: displacement-y}, {name: s, at: [" at "], field: stress-xx}]}\n"
#define BLOCK "version: 1\nmesh: {grid: [5, 4, 4], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\n"
#define PLATE "version: 1\nmesh: {grid: [7, 7], size: [1, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
  static const struct {
    const char *before, *form[2], *after;
  } of[] = {
      {BLOCK "strain: finite\ntime: {end: 1, step: 0.5}\n" GUCCIONE,
       {"{cylinder: {origin: [-1, -0.5, 0], axis: [0, 0, 1]}}", "{x: ['x+1', 'y+0.5', 0], y: ['-y-0.5', 'x+1', 0]}"},
       TURNED("0.05, 0.1, 0.02", "0.7, 0.6, 0.5")},
      {BLOCK STIFF,
       {"{cylinder: {origin: [-1, -0.5, 0], axis: [0, 0, 1]}}", "{x: [x + 1, y + 0.5, 0], y: ['-y', x + 4, 0]}"},
       TURNED("0.05, 0.1, 0.02", "0.7, 0.6, 0.5")},
      {PLATE STIFF,
       {"{x: ['cos(y)', 'sin(y)']}", "{x: ['2*cos(y)', '2*sin(y)'], y: ['-sin(y)', 'cos(y)']}"},
       TURNED("0.05, 0.1", "0.7, 0.6")},
      {PLATE STIFF, {"{x: [2, 1]}", "{x: [2, '1 + 0*x']}"}, TURNED("0.05, 0.1", "0.7, 0.6")}};
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
    double value[2][3];
    for (int i = 0; i < 2; ++i) {
      snprintf(text, sizeof text, "%s%s%s", of[k].before, of[k].form[i], of[k].after);
      Said said = app_run_says(folder, text);
      if (said.code) fail_msg("%s\n%s", text, said.err);
      said_release(&said);
      scratch_last_row(folder, 3, value[i]);
    }
    for (int i = 1; i < 3; ++i) assert_relative(value[1][i], value[0][i], 1e-8);
  }
  scratch_remove(&folder);
}

/* A stiff block of mass 2 on a spring of 100, its middle 1.5 from the axis: u = 2 Omega^2 (1.5 + u) / 100, with Omega^2 = 9 that grows
 * with the time, that goes in a step, or that comes in one behind small strains, where u does not count. */
static void turns_where_it_is(void **state) {
  (void)state;
#define TURNS(more, body, boundary)                                                                                    \
  "version: 1\nmesh: {grid: [3, 2, 2], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"             \
  "materials: [{on: body, young: 1e7, poisson: 0.3, density: 2}]\n" body                                               \
  "boundary: [{on: x0, spring: [100, 1, 1]}, {on: body, fix: {y: 0, z: 0}}" boundary "]\n" more                        \
  "output: {probes: [{name: u, at: [1, 0, 0], field: displacement-x}], sums: [{name: r, on: x0, field: reaction}]}\n"
#define BODY(speed) "body: [{on: body, centrifugal: {origin: [-1, 0, 0], axis: [0, 0, 1], speed: " speed "}}]"
  char *folder = scratch_create();
  app_verifies(
      folder,
      TURNS(
          "time: {end: 1, step: 0.25}\n", BODY("3") "\n",
          "") "expect: [{probe: u, time: 0.5, value: 0.1483516, rtol: 1e-4}, {probe: u, value: 0.3292683, rtol: 1e-4}, "
              "{sum: r-x, value: -32.92683, rtol: 1e-4}]\n");
  app_verifies(folder,
               TURNS("steps: [{name: a, end: 1, step: 1, " BODY("3") "}, {name: b, end: 2, step: 1, " BODY("0") "}]\n",
                     "", "") "expect: [{probe: u, time: 1, value: 0.3292683, rtol: 1e-4}, {probe: u, value: 0, "
                             "atol: 1e-6}]\n");
  app_verifies(folder,
               TURNS("steps: [{name: a, end: 1, step: 1, strain: small, " BODY("3") "}, {name: b, end: 2, step: 1}]\n",
                     "", "") "expect: [{probe: u, time: 1, value: 0.27, rtol: 1e-4}, {probe: u, value: "
                             "0.3292683, rtol: 1e-4}]\n");
  app_refuses(folder, TURNS("time: {end: 1, step: 1}\n", BODY("3") "\n", ", {on: x1, mass: 2}"),
              "a mass does not take part in 'centrifugal' at finite strain", "remedy: elements with a density");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pulled),           cmocka_unit_test(grows),   cmocka_unit_test(each_load_in_time),
      cmocka_unit_test(pressed),          cmocka_unit_test(fails),   cmocka_unit_test(trials_are_not_told),
      cmocka_unit_test(limits),           cmocka_unit_test(refuses), cmocka_unit_test(axes_by_expressions),
      cmocka_unit_test(turns_where_it_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
