/* Constraints and forces about a point from case files to results, against closed forms. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ELASTIC "version: 1\nphysics: elasticity\nsolver: {rtol: 1e-11}\n"
#define PROBES(a, b, c, d)                                                                                             \
  "output: {probes: [{name: a, at: " a ", field: " b "}, {name: b, at: " c ", field: " d "}],"                         \
  " sums: [{name: r, on: x0, field: reaction}]}\n"

/* A bar that a force off its axis and a moment bend: u_y = M L^2 / (2 E I) with M = M_z + F e; and the force sideways. */
static void distributed(void **state) {
  (void)state;
  static const char *const solid =
      ELASTIC "mesh: {grid: [7, 3, 3], size: [2, 0.2, 0.2], order: 2}\nmodel: 3d\n"
              "materials: [{on: body, young: 1000, poisson: 0}]\nboundary:\n  - {on: x0, fix: all}\n"
              "  - {on: x1, distribute: {at: [9, -0.2, 0.1], force: [2, 0, 0], moment: [0, 0, 0.1]}}\n" PROBES(
                  "[2, 0.1, 0.1]", "displacement-y", "[2, 0.1, 0.1]", "displacement-x");
  static const char *const flat = ELASTIC
      "mesh: {grid: [7, 3], size: [2, 0.2], order: 2}\nmodel: plane-stress\n"
      "materials: [{on: body, young: 1000, poisson: 0, thickness: 0.2}]\nboundary:\n  - {on: x0, fix: all}\n"
      "  - {on: x1, distribute: {at: [9, -0.2], force: [2, 0], moment: 0.1}}\n" PROBES("[2, 0.1]", "displacement-y",
                                                                                       "[2, 0.1]", "displacement-x");
  const double I = pow(0.2, 4) / 12;
  char *folder = scratch_create();
  double v[5];
  for (int k = 0; k < 2; ++k) {
    app_runs(folder, k ? flat : solid);
    scratch_row(folder, 4, v);
    assert_relative(v[0], (0.1 + 2 * 0.3) * 4 / (2 * 1000 * I), 1e-7);
    assert_relative(v[1], 2 * 2.0 / (1000 * 0.04), 1e-7);
    assert_near(v[2], -2, 1e-8);
  }
  scratch_remove(&folder);
}

/* Two quads with nodes of their own where they meet; `y` is the height of the right one's upper node there. */
#define TWO(y)                                                                                                         \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n2 1 \"body\"\n1 2 \"x0\"\n1 3 \"x1\"\n1 4 \"a\"\n1 5 "     \
  "\"b\"\n$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 1 0 0\n6 2 0 0\n7 2 1 0\n8 1 " y " 0\n"  \
  "$EndNodes\n$Elements\n6\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 5 6 7 8\n3 1 2 2 2 4 1\n4 1 2 3 3 6 7\n5 1 2 4 4 2 3\n6 1 2 " \
  "5 "                                                                                                                 \
  "5 8 5\n$EndElements\n"
#define TIED                                                                                                           \
  ELASTIC "mesh: {file: two.msh}\nmodel: plane-stress\nmaterials: [{on: body, young: 1000, poisson: 0.25}]\n"          \
          "boundary:\n  - {on: x0, fix: {x: 0, y: \"-0.0025*y\"}}\n  - {on: x1, traction: [10, 0]}\n"

static void tied(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[4];
  scratch_write(folder, "two.msh", TWO("1"));
  app_runs(folder, TIED "  - {on: a, tie: b}\n" PROBES("[2, 1]", "displacement-x", "[2, 1]", "displacement-y"));
  scratch_row(folder, 3, v);
  assert_near(v[0], 0.02, 1e-10);
  assert_near(v[1], -0.0025, 1e-10);
  assert_near(v[2], -10, 1e-9);
  app_refuses(
      folder, TIED "  - {on: x1, tie: b}\n",
      "case.yaml:10:19: tie: 1 of 1 facets of 'x1' do not lie on 'b': the largest gap is 1, near node 6 (2, 0, 0)",
      "allowed: 0.025\n  remedy: 'reach: 1.1'");
  app_refuses(folder, TIED "  - {on: x0, tie: x1}\n", "no node of 'x0' has a facet of 'x1' opposite",
              "groups that lie on each other");
  app_refuses(folder, TIED "  - {on: a, tie: a}\n", "case.yaml:10:18: tie joins 'a' to itself",
              "remedy: the group of the other side");
  app_refuses(folder, TIED "  - {on: a, tie: body}\n",
              "case.yaml:10:18: tie joins nothing: all 2 nodes of 'a' are nodes of 'body' too", "nodes of their own");
  app_refuses(folder, TIED "  - {on: a, tie: c}\n", "unknown group 'c'", "a (curve");
  scratch_remove(&folder);
}

#define BAR(more)                                                                                                      \
  ELASTIC "mesh: {grid: [7, 3, 3], size: [2, 0.2, 0.2], order: 2}\nmodel: 3d\n"                                        \
          "materials: [{on: body, young: 1000, poisson: 0}]\nboundary:\n  - {on: x0, fix: all}\n" more
#define STRIP(more)                                                                                                    \
  ELASTIC "mesh: {grid: [7, 3], size: [2, 0.2], order: 2}\nmodel: plane-stress\n"                                      \
          "materials: [{on: body, young: 1000, poisson: 0, thickness: 0.2}]\nboundary:\n  - {on: x0, fix: all}\n" more

/* What pulls at a body that hangs on held nodes by a tie is the reaction of these; of load cases, their sum and at finite
 * strain too. The right element is held where they meet, and the left one pulled. */
static void held_through_ties(void **state) {
  (void)state;
#define HUNG "mesh: {file: two.msh}\nmodel: plane-stress\nmaterials: [{on: body, young: 1000, poisson: 0.25}]\n"
#define HOLDS "boundary:\n  - {on: b, fix: all}\n  - {on: a, tie: b}\n"
#define HOLD "output: {sums: [{name: r, on: b, field: reaction}]}\n"
  char *folder = scratch_create(), *text, *at;
  double v[3], step;
  scratch_write(folder, "two.msh", TWO("1"));
  app_runs(folder, ELASTIC HUNG HOLDS "  - {on: x0, traction: [-7, 3]}\n" HOLD);
  scratch_row(folder, 2, v);
  assert_near(v[0], 7, 1e-9);
  assert_near(v[1], -3, 1e-9);
  app_runs(folder, ELASTIC HUNG HOLDS "load-cases:\n  - {name: a, boundary: [{on: x0, traction: [-7, 3]}]}\n"
                                      "  - {name: b, boundary: [{on: x1, traction: [2, 1]}]}\n"
                                      "combinations: [{name: c, factors: {a: 2, b: 3}}]\n" HOLD);
  text = scratch_read(folder, "results/probes.csv"), at = text;
  for (int k = 0; k < 3; ++k) {
    static const double wanted[3][2] = {{7, -3}, {-2, -1}, {8, -9}};
    at = strchr(at, '\n') + 1;
    assert_int_equal(sscanf(at, "%lf,%lf,%lf", &step, &v[0], &v[1]), 3);
    for (int c = 0; c < 2; ++c) assert_near(v[c], wanted[k][c], 1e-8);
  }
  free(text);
  app_runs(folder, ELASTIC "strain: finite\ntime: {end: 1, step: 0.5}\nmesh: {file: two.msh}\nmodel: plane-strain\n"
                           "materials: [{on: body, type: neo-hooke, young: 1000, poisson: 0.25}]\n" HOLDS
                           "  - {on: x0, traction: [-70, 30]}\n" HOLD);
  text = scratch_read(folder, "results/probes.csv"), at = strrchr(text, '\n');
  while (at > text && at[-1] != '\n') --at;
  assert_int_equal(sscanf(at, "%lf,%lf,%lf", &step, &v[0], &v[1]), 3);
  assert_near(v[0], 70, 1e-6);
  assert_near(v[1], -30, 1e-6);
  free(text);
  scratch_remove(&folder);
}

/* The ground bears a prescribed rigid motion; and an equation that nothing but the ground can bear. */
static void held_by_the_ground(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[6];
  app_runs(
      folder,
      STRIP("  - {on: x1, rigid: {at: [5, 0.3], fix: all}}\n  - {on: y0, traction: [3, 1]}\n") "output: {sums: [{name: "
                                                                                               "l, on: x0, field: "
                                                                                               "reaction}, {name: r, "
                                                                                               "on: x1, field: "
                                                                                               "reaction}, {name: "
                                                                                               "t, on: y0, field: "
                                                                                               "reaction}]}\n");
  scratch_row(folder, 6, v);
  assert_near(v[0] + v[2], -3 * 0.4, 1e-8);
  assert_near(v[1] + v[3], -1 * 0.4, 1e-8);
  assert_true(v[3] < -0.1 && v[3] > -0.3);
  for (int c = 4; c < 6; ++c) assert_near(v[c], 0, 1e-12);
  app_runs(folder, BAR("  - {on: x1, rigid: {at: [2, 0.1, 0.1], fix: {x: 0, y: 0, ry: 0}}}\n"
                       "  - {on: z1, traction: [3, 1, -2]}\n") "output: {sums: [{name: l, on: x0, field: reaction}, "
                                                               "{name: r, on: x1, field: reaction}]}\n");
  scratch_row(folder, 6, v);
  assert_near(v[0] + v[3], -3 * 0.4, 1e-7);
  assert_near(v[1] + v[4], -1 * 0.4, 1e-7);
  assert_near(v[2], 2 * 0.4, 1e-7);
  assert_near(v[5], 0, 1e-7);
  /* the corner (2, 0) held by an equation alone */
  app_runs(folder,
           STRIP("  - {on: y1, traction: [0, -2]}\n") "equations: [{nodes: [7], components: [y], factors: [3]}]\n"
                                                      "output: {sums: [{name: l, on: x0, field: reaction}, {name: r, "
                                                      "on: x1, field: reaction}]}\n");
  scratch_row(folder, 4, v);
  assert_near(v[1] + v[3], 2 * 0.4, 1e-8);
  assert_true(fabs(v[3] - 0.375 * 2 * 0.4) < 0.01); /* of a slender beam */
  scratch_remove(&folder);
}

/* Sides that stay as far apart as they were: s_yy = nu s_xx in plane stress. What moves freely along y is held by an
 * equation: the nodes 1 and 4 (corners of x0 in a grid of 4 by 4) move by 0.001 on average. */
static void periodic(void **state) {
  (void)state;
#define SHEET                                                                                                          \
  ELASTIC "mesh: {grid: [4, 4], size: [2, 1]}\nmodel: plane-stress\n"                                                  \
          "materials: [{on: body, young: 1000, poisson: 0.25}]\nboundary:\n  - {on: x0, fix: {x: 0}}\n"                \
          "  - {on: y0, periodic: y1}\n  - {on: x1, traction: [10, 0]}\n"
  char *folder = scratch_create();
  double v[4];
  app_runs(folder, SHEET "equations: [{nodes: [1, 4], components: [y, y], factors: [0.5, 0.5], value: 0.001}]\n" PROBES(
                       "[1, 0.5]", "stress-yy", "[2, 0.3]", "displacement-y"));
  scratch_row(folder, 3, v);
  assert_near(v[0], 2.5, 1e-9);
  assert_near(v[1], 0.001, 1e-10);
  assert_near(v[2], -10, 1e-9);
  app_refuses(folder, SHEET "equations: [{nodes: [1, 400], components: [y, y], factors: [1, 1]}]\n",
              "case.yaml:11:25: there is no node 400", "allowed: numbers of its nodes, from 1 to ");
  app_refuses(folder, SHEET "equations: [{nodes: [1, 4], components: [y, z], factors: [1, 1]}]\n", "component 'z'",
              "x, y");
  app_refuses(folder, SHEET "equations: [{nodes: [1, 4], components: [y], factors: [1, 1]}]\n",
              "as many components and factors as nodes", "1, 2 and 2");
  app_refuses(folder, SHEET "equations: [{nodes: [1], components: [x], factors: [1], value: 1}]\n",
              "case.yaml:11:13: this constraint contradicts", "or the support on its nodes");
  scratch_remove(&folder);
}

/* Sums of load cases keep what equations prescribe: the gap of a combination is that of its factors. */
static void of_load_cases(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, ELASTIC
           "mesh: {grid: [4, 4], size: [2, 1]}\nmodel: plane-stress\n"
           "materials: [{on: body, young: 1000, poisson: 0.25}]\nboundary:\n  - {on: x0, fix: all}\n"
           "  - {on: y0, periodic: y1}\n"
           "equations: [{nodes: [8, 12], components: [x, x], factors: [1, -1], value: 0.01}]\n"
           "load-cases:\n  - {name: a, boundary: [{on: x1, traction: [3, 1]}]}\n"
           "  - {name: b, boundary: [{on: x1, distribute: {at: [2, 0], force: [0, 2], moment: 1}}]}\n"
           "combinations: [{name: c, factors: {a: 2, b: -0.5}}]\n" PROBES("[2, 0.3333333333333333]", "displacement-x",
                                                                          "[2, 0.6666666666666666]", "displacement-x"));
  char *text = scratch_read(folder, "results/probes.csv"), *at = text;
  double step, a[3], b[3];
  for (int k = 0; k < 3; ++k) {
    at = strchr(at, '\n') + 1;
    assert_int_equal(sscanf(at, "%lf,%lf,%lf", &step, &a[k], &b[k]), 3);
    assert_near(a[k] - b[k], k == 2 ? 1.5 * 0.01 : 0.01, 1e-10);
  }
  assert_near(a[2], 2 * a[0] - 0.5 * a[1], 1e-12);
  free(text);
  scratch_remove(&folder);
}

/* The end of the bar stays plane under a force off its axis and a moment, and moves as it is told to. */
static void rigid(void **state) {
  (void)state;
  const double I = pow(0.2, 4) / 12;
  char *folder = scratch_create();
  double v[5];
  for (int k = 0; k < 2; ++k) {
    app_runs(folder, k ? STRIP("  - {on: x1, rigid: {at: [9, -0.2], force: [2, 0], moment: 0.1}}\n")
                             PROBES("[2, 0.1]", "displacement-y", "[2, 0.1]", "displacement-x")
                       : BAR("  - {on: x1, rigid: {at: [9, -0.2, 0.1], force: [2, 0, 0], moment: [0, 0, 0.1]}}\n")
                             PROBES("[2, 0.1, 0.1]", "displacement-y", "[2, 0.1, 0.1]", "displacement-x"));
    scratch_row(folder, 4, v);
    assert_relative(v[0], 0.7 * 4 / (2 * 1000 * I), 1e-7);
    assert_relative(v[1], 2 * 2.0 / (1000 * 0.04), 1e-7);
    assert_near(v[2], -2, 1e-8);
  }
  app_runs(folder, BAR("  - {on: x1, rigid: {at: [2, 0.1, 0.1], fix: {x: 0.05, rx: 0.1}}}\n")
                       PROBES("[2, 0.2, 0]", "displacement-z", "[2, 0.2, 0]", "displacement-y"));
  scratch_row(folder, 4, v);
  assert_near(v[0], 0.01, 1e-9);
  assert_near(v[1], 0.01, 1e-9);
  assert_near(v[2], -0.05 * 1000 * 0.04 / 2, 1e-8);
  app_runs(folder, STRIP("  - {on: x1, rigid: {at: [2, 0.1], fix: all}}\n  - {on: y0, traction: [0, 1]}\n")
                       PROBES("[2, 0.2]", "displacement-x", "[2, 0]", "displacement-y"));
  scratch_row(folder, 2, v);
  assert_near(v[0], 0, 1e-12);
  assert_near(v[1], 0, 1e-12);
  app_refuses(folder, BAR("  - {on: y0, rigid: {at: [0, 0, 0]}}\n"),
              "case.yaml:9:21: rigid group 'y0' has node 1 at (0, 0, 0)", "which the support at");
  scratch_remove(&folder);
}

/* A block on springs along x: the rigid end holds nothing. */
static void loose_in_spite_of_joints(void **state) {
  (void)state;
#define BLOCK(boundary)                                                                                                \
  ELASTIC "mesh: {grid: [4, 3, 3], size: [2, 1, 1]}\nmodel: 3d\nmaterials: [{on: body, young: 100, poisson: 0.3}]\n"   \
          "boundary: [" boundary ", {on: x1, rigid: {at: [2, 0.5, 0.5], force: [1, 0, 0]}}]\n"
  static const struct {
    const char *text, *said;
  } bad[] = {{BLOCK("{on: x0, spring: [9, 0, 0]}"), "translation in y, z; rotation about x"},
             {BLOCK("{on: x0, fix: {x: 0, y: 0}}"), "translation in z\n"},
             {BLOCK("{on: x0, fix: all}"), NULL},
             {BLOCK("{on: x0, spring: 0.01}"), NULL}};
  char *folder = scratch_create();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    scratch_write(folder, "case.yaml", bad[i].text);
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", NULL);
    if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
    if (!bad[i].said && strstr(said.err, "move freely")) fail_msg("case %d: %s", (int)i, said.err);
    if (bad[i].said && (!strstr(said.err, "can move freely, with its joints") || !strstr(said.err, bad[i].said)))
      fail_msg("case %d, no \"%s\": %s", (int)i, bad[i].said, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Equations of one term that begin, stay and end are supports while they hold: all reactions balance the load then. */
static void supports_of_a_time_bear(void **state) {
  (void)state;
  static const char *const strain[] = {"small", "finite"}, *const spans[] = {"from: 1, begin: ramp, value: 0.01",
                                                                             "from: 1, begin: stay",
                                                                             "from: 1, value: -0.01",
                                                                             "until: 1, value: 0.02"};
  char *folder = scratch_create(), text[2000];
  for (int k = 0; k < 8; ++k) {
    double row[7];
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 2]}\nphysics: elasticity\nmodel: 3d\nstrain: %s\n"
        "materials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: z0, fix: all}, {on: z1, traction: [3, "
        "-4, 5]}]\nequations: [{nodes: [27], components: [x], factors: [2], %s}]\nsteps: [{name: a, end: 1, step: "
        "1}, {name: b, end: 2, step: 1, boundary: [{on: z1, traction: [6, 2, 5]}]}]\noutput: {sums: [{name: a, on: z0, "
        "field: reaction}, {name: b, on: z1, "
        "field: reaction}]}\n",
        strain[k / 4], spans[k % 4]);
    app_runs(folder, text);
    scratch_last_row(folder, 7, row);
    for (int i = 0; i < 3; ++i) assert_within(row[1 + i] + row[4 + i], (const double[]){-6, -2, -5}[i], 1e-5);
    assert_true(k % 4 == 3 ? row[4] == 0 : fabs(row[4]) > 0.1);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(distributed),
                                     cmocka_unit_test(tied),
                                     cmocka_unit_test(rigid),
                                     cmocka_unit_test(periodic),
                                     cmocka_unit_test(of_load_cases),
                                     cmocka_unit_test(held_through_ties),
                                     cmocka_unit_test(held_by_the_ground),
                                     cmocka_unit_test(loose_in_spite_of_joints),
                                     cmocka_unit_test(supports_of_a_time_bear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
