/* The fine print of loads, supports and meshes, through the whole program: tiny cases whose answers are known in closed
 * form. A row is an edit of a case and the numbers that probes.csv must then hold. */
#include "tests/cli/run_program.h"
#include "tests/cli/small_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EDITS = 4, COLUMNS = 5 };

typedef struct Answer {
  const char *name;
  const char *edit[EDITS][2]; /* of SQUARE_CASE, or CUBE_CASE where cube */
  const char *mesh_edit[EDITS][2];
  double column[COLUMNS]; /* behind the time; NAN: not looked at */
  bool cube;
} Answer;

#define RIGHT "  - {on: right, traction: [10, 0]}\n"
#define LEFT "  - {on: left, fix: {x: 0}}\n"
#define BOTTOM "  - {on: bottom, fix: {y: 0}}\n"
#define ANY NAN

/* corner: displacement-x at (1,1); inside: stress-xx at (0.3,0.8); reaction of left in x and y. E 1000, nu 0.25, t 0.5.
 */
static const Answer answers[] = {
    {"traction", .column = {0.01, 10, -5, 0}},
    {"pressure pushes on the body", .edit = {{"traction: [10, 0]", "pressure: 10"}}, .column = {-0.01, -10, 5, 0}},
    {"force is a total", .edit = {{"traction: [10, 0]", "force: [5, 0]"}}, .column = {0.01, 10, -5, 0}},
    {"loads of two entries add up", .edit = {{RIGHT, RIGHT RIGHT}}, .column = {0.02, 20, -10, 0}},
    {"thickness is 1 by default", .edit = {{"thickness: 0.5, ", ""}}, .column = {0.01, 10, -10, 0}},
    {"plane strain has a thickness too", .edit = {{"plane-stress", "plane-strain"}}, .column = {0.009375, 10, -5, 0}},
    {"plane strain holds stress zz",
     .edit = {{"plane-stress", "plane-strain"}, {"field: stress-xx", "field: stress-zz"}},
     .column = {0.009375, 2.5, -5, 0}},
    {"plane stress has none", .edit = {{"field: stress-xx", "field: stress-zz"}}, .column = {0.01, 0, -5, 0}},
    {"von Mises", .edit = {{"field: stress-xx", "field: von-mises"}}, .column = {0.01, 10, -5, 0}},
    {"largest principal stress first", .edit = {{"field: stress-xx", "field: principal-1"}},
     .column = {0.01, 10, -5, 0}},
    {"smallest principal stress last",
     .edit = {{"field: stress-xx", "field: principal-3"}, {"traction: [10, 0]", "pressure: 10"}},
     .column = {-0.01, -10, 5, 0}},
    {"prescribed displacement", .edit = {{RIGHT, "  - {on: right, fix: {x: 0.02}}\n"}}, .column = {0.02, 20, -10, 0}},
    {"expressions in x and y",
     .edit = {{LEFT BOTTOM RIGHT,
               "  - {on: [left, right, bottom, top], fix: {x: '0.01*x + 0.002*y', y: '-0.003*y'}}\n"}},
     .column = {0.012, 1000 / (1 - 0.0625) * (0.01 - 0.25 * 0.003), ANY, ANY}},
    {"traction as an expression", .edit = {{"traction: [10, 0]", "traction: ['5 + abs(2^2 + 1)*cos(0*y)', 0]"}},
     .column = {0.01, 10, -5, 0}},
    {"symmetry holds the normal",
     .edit = {{"left, fix: {x: 0}", "left, symmetry: true"}, {"bottom, fix: {y: 0}", "bottom, symmetry: true"}},
     .column = {0.01, 10, -5, 0}},
    {"spring per area and direction", .edit = {{"left, fix: {x: 0}", "left, spring: [1000, 0]"}},
     .column = {0.02, 10, -5, 0}},
    {"gravity times density", .edit = {{RIGHT, ""}, {"solver:", "body:\n  - {on: body, gravity: [-8, 0]}\nsolver:"}},
     .column = {ANY, ANY, 8, ANY}},
    {"scale", .edit = {{"square.msh}", "square.msh, scale: 2}"}, {"at: [1, 1]", "at: [2, 2]"}},
     .column = {0.02, 10, -10, 0}},
    {"refined", .edit = {{"square.msh}", "square.msh, refine: 2}"}}, .column = {0.01, 10, -5, 0}},
    {"order 2", .edit = {{"square.msh}", "square.msh, order: 2}"}}, .column = {0.01, 10, -5, 0}},
    {"group by number", .edit = {{"on: right", "on: 2"}},
     .mesh_edit = {{"$PhysicalNames\n5\n", "$PhysicalNames\n4\n"}, {"1 2 \"right\"\n", ""}},
     .column = {0.01, 10, -5, 0}},
    {"element in two groups", .edit = {{"on: right", "on: both"}},
     .mesh_edit = {{"$PhysicalNames\n5\n", "$PhysicalNames\n6\n1 7 \"both\"\n"},
                   {"$Elements\n12\n", "$Elements\n14\n13 1 2 7 2 3 6\n14 1 2 7 2 6 9\n"}},
     .column = {0.01, 10, -5, 0}},
    {"force on a point", .edit = {{"{on: right, traction: [10, 0]}", "{on: tip, force: [5, 0]}"}},
     .mesh_edit = {{"$PhysicalNames\n5\n", "$PhysicalNames\n6\n0 9 \"tip\"\n"},
                   {"$Elements\n12\n", "$Elements\n13\n13 15 2 9 1 9\n"}},
     .column = {ANY, ANY, -5, ANY}},
    {"cube in tension", .column = {-0.0025}, .cube = true},
    {"pressure on the cube", .edit = {{"traction: [10, 0, 0]", "pressure: 10"}}, .column = {0.0025}, .cube = true},
    {"total force on the cube", .edit = {{"traction: [10, 0, 0]", "force: [10, 0, 0]"}}, .column = {-0.0025},
     .cube = true},
    {"cube of order 2", .edit = {{"cube.msh}", "cube.msh, order: 2}"}}, .column = {-0.0025}, .cube = true},
    {"refined cube", .edit = {{"cube.msh}", "cube.msh, refine: 1}"}}, .column = {-0.0025}, .cube = true},
};

static char *edit_all(const char *text, const char *const edits[EDITS][2]) {
  char *now = strdup(text);
  for (int i = 0; i < EDITS && edits[i][0]; ++i) {
    char *next = edited(now, edits[i][0], edits[i][1]);
    free(now);
    now = next;
  }
  return now;
}

/* Runs the folder's case and compares the one row of probes.csv. */
static void hold_columns(const char *folder, const double *column, int n) {
  Run run = run_sinew(folder, "run", "case.yaml", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "results/probes.csv"), *at = strchr(text, '\n') + 1;
  expect_that(strtod(at, &at) == 0, "time is not 0: %s", text);
  for (int i = 0; i < n; ++i) {
    expect_that(*at == ',', "too few columns: %s", text);
    const double got = strtod(at + 1, &at);
    if (!isnan(column[i]))
      expect_that(fabs(got - column[i]) <= 1e-8 * (1 + fabs(column[i])) * (fabs(column[i]) < 0.1 ? 0.01 : 1),
                  "column %d is %.12g, not %.12g\n%s", i + 1, got, column[i], text);
  }
  expect_that(*at == '\n' && !at[1], "more columns or rows than expected: %s", text);
  free(text);
}

static void answer_test(void **state) {
  const Answer *answer = *state;
  char *folder = folder_create(), *text = edit_all(answer->cube ? CUBE_CASE : SQUARE_CASE, answer->edit);
  put_text(folder, "case.yaml", text);
  free(text);
  text = edit_all(answer->cube ? CUBE_MESH : SQUARE_MESH, answer->mesh_edit);
  put_text(folder, answer->cube ? "cube.msh" : "square.msh", text);
  free(text);
  hold_columns(folder, answer->column, answer->cube ? 1 : 4);
  folder_remove(&folder);
}

/* The square turned by 30 degrees between two skew symmetry planes: what is solved in rotated frames must come out. */
static void skew_symmetry(void **state) {
  (void)state;
  const double c = sqrt(3) / 2, s = 0.5;
  char nodes[1024], text[4096], *folder = folder_create();
  int n = snprintf(nodes, sizeof nodes, "$Nodes\n9\n");
  for (int i = 0; i < 9; ++i) {
    const double x = 0.5 * (i % 3), y = 0.5 * (i / 3);
    n += snprintf(nodes + n, sizeof nodes - (size_t)n, "%d %.17g %.17g 0\n", i + 1, c * x - s * y, s * x + c * y);
  }
  snprintf(nodes + n, sizeof nodes - (size_t)n, "$EndNodes\n");
  snprintf(text, sizeof text, "%s%s%s", SQUARE_MESH_HEAD, nodes, SQUARE_MESH_ELEMENTS);
  put_text(folder, "square.msh", text);
  snprintf(text, sizeof text,
           "version: 1\nmesh: square.msh\nphysics: elasticity\nmodel: plane-stress\n"
           "materials: [{on: body, young: 1000, poisson: 0.25, thickness: 0.5}]\n"
           "boundary:\n  - {on: [left, bottom], symmetry: true}\n  - {on: right, traction: [%.17g, %.17g]}\nsolver: "
           "{rtol: 1e-12}\n"
           "output:\n  probes:\n    - {name: a, at: [%.17g, %.17g], field: displacement-x}\n"
           "    - {name: b, at: [%.17g, %.17g], field: displacement-y}\n    - {name: c, at: [%.17g, %.17g], field: "
           "stress-xy}\n"
           "  sums: [{name: r, on: left, field: reaction}]\n",
           10 * c, 10 * s, c - s, s + c, c - s, s + c, 0.3 * c, 0.3 * s);
  put_text(folder, "case.yaml", text);
  const double u = 0.01, v = -0.0025;
  hold_columns(folder, (double[]){c * u - s * v, s * u + c * v, 10 * c * s, -5 * c, -5 * s}, 5);
  folder_remove(&folder);
}

int main(void) {
  enum { N = sizeof answers / sizeof *answers };
  static struct CMUnitTest tests[N + 1];
  for (int i = 0; i < N; ++i)
    tests[i] = (struct CMUnitTest){
        .name = answers[i].name, .test_func = answer_test, .initial_state = (void *)(uintptr_t)&answers[i]};
  tests[N] = (struct CMUnitTest)cmocka_unit_test(skew_symmetry);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
