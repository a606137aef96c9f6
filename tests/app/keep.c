/* Conditions of where nodes go at finite strain: they hold to round-off, and what they bear is in balance about every point. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK                                                                                                          \
  "version: 1\nmesh: {grid: [3, 3, 5], size: [1, 0.8, 1.5]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"         \
  "materials: [{on: body, type: neo-hooke, young: 10, poisson: 0.3}]\nsolver: {rtol: 1e-10}\n"                         \
  "boundary: [{on: z0, fix: all}, {on: z1, fix: {x: '0.5*t - 0.3*t*y', y: '0.3*t*x', z: '-0.4*t'}}]\n"                 \
  "time: {end: 1, step: 0.25}\n"

enum { NODES = 5, CORNERS = 4, WIDTH = 3 * NODES + 12 };
typedef double Places[NODES][3];

/* Where nodes 19, 21, 25 and 27, the corners of the middle plane, and 23, its middle, go to. */
static void places(const char *folder, const char *keep, Places x, double balance[6]) {
  static const double at[NODES][3] = {{0, 0, 0.75}, {1, 0, 0.75}, {0, 0.8, 0.75}, {1, 0.8, 0.75}, {0.5, 0.4, 0.75}};
  char text[4096];
  double row[WIDTH + 1], *v = row + 1; /* behind the time */
  int n = snprintf(text, sizeof text, BLOCK "equations: [%s]\noutput: {probes: [", keep);
  for (int i = 0; i < NODES; ++i)
    for (int k = 0; k < 3; ++k)
      n += snprintf(text + n, sizeof text - (size_t)n, "{name: p%d%c, at: [%g, %g, %g], field: displacement-%c}, ", i,
                    "xyz"[k], at[i][0], at[i][1], at[i][2], "xyz"[k]);
  (void)snprintf(
      text + n, sizeof text - (size_t)n,
      "], sums: [{name: a, on: z0, field: reaction}, {name: b, on: z1, field: reaction}, {name: c, on: z0, field: "
      "moment, about: [0.3, -1, 2]}, {name: d, on: z1, field: moment, about: [0.3, -1, 2]}]}\n");
  app_runs(folder, text);
  scratch_last_row(folder, WIDTH + 1, row);
  for (int i = 0; i < NODES; ++i)
    for (int k = 0; k < 3; ++k) x[i][k] = at[i][k] + v[3 * i + k];
  for (int k = 0; k < 3; ++k) {
    balance[k] = v[3 * NODES + k] + v[3 * NODES + 3 + k];
    balance[3 + k] = v[3 * NODES + 6 + k] + v[3 * NODES + 9 + k];
  }
}

static void minus(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}
static void cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double off_plane(const Places x) {
  double a[3], b[3], c[3], n[3];
  minus(x[1], x[0], a), minus(x[2], x[0], b), minus(x[3], x[0], c);
  cross(a, b, n);
  return dot(n, c);
}
static double off_line(const Places x) {
  double a[3], b[3], n[3];
  minus(x[3], x[0], a), minus(x[4], x[0], b);
  cross(a, b, n);
  return sqrt(dot(n, n));
}
static double off_distance(const Places x) {
  double a[3];
  minus(x[3], x[0], a);
  return sqrt(dot(a, a)) - sqrt(1.64);
}

/* Each of them is off by much where nothing holds it. */
static void they_hold(void **state) {
  (void)state;
  static const struct {
    const char *keep;
    double (*off)(const Places x);
  } all[] = {{"{nodes: [19, 21, 25, 27], keep: plane}", off_plane},
             {"{nodes: [19, 27, 23], keep: line}", off_line},
             {"{nodes: [19, 27], keep: distance}", off_distance}};
  char *folder = scratch_create();
  double balance[6];
  Places free_x, x;
  places(folder, "{nodes: [19], components: [x], factors: [1], value: 0.1}", free_x, balance);
  assert_true(fabs(off_plane(free_x)) > 1e-2 && fabs(off_distance(free_x)) > 1e-3 && off_line(free_x) > 1e-2);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    places(folder, all[i].keep, x, balance);
    assert_near(all[i].off(x), 0, 1e-12);
    for (int k = 0; k < 6; ++k) assert_near(balance[k], 0, 1e-8);
  }
  scratch_remove(&folder);
}

/* Four corners, seen from their middle, about an axis that is none of x, y and z. */
static void they_turn(void **state) {
  (void)state;
  static const double axis[3] = {0.36, 0.48, 0.8}, was[CORNERS][2] = {{0, 0}, {1, 0}, {0, 0.8}, {1, 0.8}};
  char *folder = scratch_create();
  double balance[6], mean = 0, middle[3] = {0, 0, 0};
  Places x;
  places(folder, "{nodes: [19, 21, 25, 27], keep: rotation, axis: [0.9, 1.2, 2], value: 0.7}", x, balance);
  for (int i = 0; i < CORNERS; ++i)
    for (int k = 0; k < 3; ++k) middle[k] += x[i][k] / CORNERS;
  for (int i = 0; i < CORNERS; ++i) {
    double before[3] = {was[i][0] - 0.5, was[i][1] - 0.4, 0}, now[3], n[3];
    minus(x[i], middle, now);
    const double a = dot(axis, before), b = dot(axis, now);
    for (int k = 0; k < 3; ++k) before[k] -= a * axis[k], now[k] -= b * axis[k];
    cross(before, now, n);
    mean += atan2(dot(axis, n), dot(before, now)) / CORNERS;
  }
  assert_near(mean, 0.7, 1e-12);
  for (int k = 0; k < 3; ++k) assert_near(balance[k], 0, 1e-8);
  scratch_remove(&folder);
}

static void what_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *equations, *said;
  } wrong[] = {
      {"{nodes: [19, 21, 25], keep: plane}", "keep: plane has 3 nodes; at least 4 are allowed"},
      {"{nodes: [19, 21, 25], keep: distance}", "keep: distance has 3 nodes; 2 are allowed"},
      {"{nodes: [19, 21, 23], keep: line}", "node 23 is 0.4 away from the line through the first nodes"},
      {"{nodes: [19, 21, 25, 28], keep: plane}", "node 28 is 0.375 away from the plane through the first nodes"},
      {"{nodes: [19, 21], keep: rotation, value: 1}", "keep: rotation has no axis"},
      {"{nodes: [19, 21], keep: rotation, axis: [0, 0, 0]}", "axis is [0, 0, 0], which is no direction"},
      {"{nodes: [19, 21], keep: distance, value: 1}", "keep: distance has no value"},
      {"{nodes: [19, 21], keep: distance, factors: [1, 1]}", "stands in place of components and factors"},
      {"{nodes: [19, 21], components: [x, y], factors: [1, 1], axis: [1, 0, 0]}", "axis is of 'keep: rotation'"},
      {"{nodes: [1, 2], keep: distance}", "leave this condition nothing that may depend"},
      {"{nodes: [19, 27], keep: distance}, {nodes: [25, 27], components: [x, x], factors: [1, 1]}",
       "another constraint has what depends on this condition, which bends"},
      {"{nodes: [19, 21, 25, 27], keep: plane}, {nodes: [21, 20], components: [z, z], factors: [1, 1]}",
       "a node of this condition depends on another constraint or contact too"}};
  char *folder = scratch_create(), text[2048];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    (void)snprintf(text, sizeof text, BLOCK "equations: [%s]\n", wrong[i].equations);
    app_refuses(folder, text, "", wrong[i].said);
  }
  app_refuses(folder,
              "version: 1\nmesh: {grid: [3, 3, 3]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\nanalysis: {type: "
              "transient}\n"
              "materials: [{on: body, young: 10, poisson: 0.3, density: 1}]\nboundary: [{on: z0, fix: all}]\n"
              "equations: [{nodes: [19, 27], keep: distance}]\ntime: {end: 1, step: 0.5}\n",
              "keep: distance bends with the body", "remedy: 'strain: small'");
  scratch_write(folder, "case.yaml", BLOCK "equations: [{nodes: [19, 21, 25, 27], keep: plain}]\n");
  Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  if (!strstr(said.err, "did you mean 'plane'?") || strstr(said.err, "components")) fail_msg("%s", said.err);
  said_release(&said);
  scratch_remove(&folder);
}

/* The ground bears the moment by which nodes are turned: reactions at them balance those of the supports. */
static void rotations_bear(void **state) {
  (void)state;
  static const char *const strain[] = {"small", "finite"};
  char *folder = scratch_create(), text[2000];
  for (int k = 0; k < 2; ++k) {
    double row[7];
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [3, 3, 3], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: %s\n"
        "materials: [{on: body, young: 1000, poisson: 0.2}]\nboundary: [{on: x0, fix: all}]\nequations: [{nodes: "
        "[3, 6, 9, 12, 15, 18, 21, 24, 27], keep: rotation, axis: [1, 0.2, 0], value: 0.02}]\ntime: {end: 1, step: "
        "1}\noutput: {sums: [{name: a, on: x0, field: moment, about: [0, 3, 0]}, {name: b, on: x1, field: moment, "
        "about: [0, 3, 0]}]}\n",
        strain[k]);
    app_runs(folder, text);
    scratch_last_row(folder, 7, row);
    assert_true(fabs(row[1]) > 0.1);
    for (int i = 0; i < 3; ++i) assert_within(row[1 + i] + row[4 + i], 0, 1e-6);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(they_hold), cmocka_unit_test(they_turn),
                                     cmocka_unit_test(what_is_refused), cmocka_unit_test(rotations_bear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
