/* What has no part in a case is told with its place, and what has one is not. */
#include "tests/app/scratch.h"

#include <string.h>

#define BODY(physics, material, boundary, more)                                                                        \
  "version: 1\nmesh: {grid: [3, 3, 3], size: [2, 1, 1]}\nphysics: " physics "\nmaterials: [{on: body, " material       \
  "}]\nboundary: [" boundary "]\n" more
#define SOLID(material, boundary, more)                                                                                \
  BODY("elasticity", "young: 500, poisson: 0.2, density: 1" material,                                                  \
       "{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}" boundary, "model: 3d\n" more)
#define MASS ", {on: x1, mass: 2}"
#define RIGID ", {on: x1, rigid: {at: [2, 0, 0], mass: 2, inertia: [1, 1, 1]}}"
#define FALLS "body: [{on: body, gravity: [0, 0, -1]}]\n"
#define TABLE(local)                                                                                                   \
  "output: {tables: [{on: x1, field: displacement, local: " local                                                      \
  "}], directions: [{on: x1, of: nodes, axes: {x: [0, 1, 0], y: [1, 0, 0]}}]}\n"

#define HEAT(temperature, ambient, more)                                                                               \
  BODY("heat", "conductivity: 1, capacity: 1",                                                                         \
       "{on: x0, temperature: " temperature "}, {on: x1, convection: {coefficient: 2, ambient: " ambient "}}", more)

static void is_told(void **state) {
  (void)state;
  static const struct {
    const char *text, *warning; /* NULL: none */
  } row[] = {{SOLID(", thickness: 2", "", ""), "case.yaml:4:73: thickness does nothing"},
             {SOLID(", thickness: 1", "", ""), NULL},
             {SOLID("", MASS, ""), "case.yaml:5:78: mass does nothing"},
             {SOLID("", RIGID, ""), "mass does nothing"},
             {SOLID("", MASS, "time: {end: 1, step: 1}\n"), "mass does nothing"},
             {SOLID("", MASS, "analysis: {type: buckling, modes: 1}\n"), "mass does nothing"},
             {SOLID("", MASS, FALLS), NULL},
             {SOLID("", MASS,
                    "steps: [{name: a, end: 1, step: 1, "
                    "body: [{on: body, gravity: [0, 0, -1]}]}]\n"),
              NULL},
             {SOLID("", MASS, "analysis: {type: modal, modes: 1, prestress: true}\n"), NULL},
             {SOLID("", RIGID, "analysis: {type: transient}\ntime: {end: 1, step: 1}\n"), NULL},
             {SOLID("", "", TABLE("false")), "directions do nothing"},
             {SOLID("", "", TABLE("true")), NULL},
             {SOLID("", ", {on: x0, spring: 3}", ""), "case.yaml:5:80: spring on 'x0' does nothing"},
             {SOLID("", ", {on: x0, spring: {normal: 3}}", ""), "spring on 'x0' does nothing"},
             {SOLID("", ", {on: x0, spring: 0}", ""), NULL},
             {SOLID("", ", {on: y0, spring: 3}", ""), NULL},
             {SOLID("", ", {on: y0, fix: {y: 0}}, {on: y0, spring: [0, 3, 0]}", ""), "spring on 'y0' does nothing"},
             {SOLID("", ", {on: y0, symmetry: true}, {on: y0, spring: {normal: 3}}", ""), "spring on 'y0' does"},
             {SOLID("", ", {on: y0, fix: {y: 0}}, {on: y0, spring: 3}", ""), NULL},
             {SOLID("", ", {on: x0, dashpot: 3}", "analysis: {type: transient}\ntime: {end: 1, step: 1}\n"),
              "dashpot on 'x0' does nothing"},
             {SOLID("", ", {on: x1, traction: [1, 0, 0]}", ""), "case.yaml:5:63: this entry of boundary is that of"},
             {SOLID("", ", {on: x1, traction: [1, 0, 1]}", ""), NULL},
             {SOLID("", ", {on: x0, fix: all}", ""), NULL},
             {SOLID("", "", "body: [{on: body, gravity: [0, 0, 1]}, {on: body, gravity: [0, 0, 1]}]\n"),
              "this entry of body is that of"},
             {SOLID("", "", "solver: {rtol: 0.01}\n"), "case.yaml:7:16: rtol is 0.01"},
             {BODY("elasticity", "young: 500, poisson: 0.2, density: 1", "{on: x0, fix: {x: 0.1, y: 0, z: 0}}",
                   "model: 3d\nanalysis: {type: modal, modes: 1}\n"),
              "case.yaml:5:26: the displacement that is given counts as 0"},
             {BODY("elasticity", "young: 500, poisson: 0.2, density: 1", "{on: x0, fix: {x: 0.1, y: 0, z: 0}}",
                   "model: 3d\nanalysis: {type: modal, modes: 1, prestress: true}\n"),
              NULL},
             {BODY("heat", "conductivity: 1, thickness: 2", "{on: x0, temperature: 1}", ""), "thickness does nothing"},
             {BODY("heat", "conductivity: 1, thickness: 1", "{on: x0, temperature: 1}", ""), NULL},
             {HEAT("'1 + t'", "1", ""), "case.yaml:5:34: '1 + t' depends on t, which is 0 here"},
             {HEAT("1", "t", ""), "'t' depends on t"},
             {HEAT("1", "1", "source: [{on: body, value: 't*x'}]\n"), "'t*x' depends on t"},
             {HEAT("t", "t", "initial: 0\ntime: {end: 1, step: 0.5}\n"), NULL}};
  char *folder = scratch_create();
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    scratch_write(folder, "case.yaml", row[i].text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), "--quiet", NULL);
    if (said.code) fail_msg("exit code %d: %s\n%s", said.code, said.err, row[i].text);
    if (row[i].warning ? !strstr(said.err, row[i].warning)
                       : strstr(said.err, "nothing") || strstr(said.err, "counts as") ||
                             strstr(said.err, "this entry") || strstr(said.err, "depends"))
      fail_msg("not \"%s\" but: %s\n%s", row[i].warning ? row[i].warning : "nothing", said.err, row[i].text);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
