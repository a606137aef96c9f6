/* What a wrong case of finite strain must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: model 4, materials 7, boundary 9 to 11, time 12, output 13, expect 14. */
#define FINITE_CASE                                                                                                    \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: elasticity\n"                                                                                              \
  "model: plane-strain\n"                                                                                              \
  "strain: finite\n"                                                                                                   \
  "materials:\n"                                                                                                       \
  "  - {on: body, type: neo-hooke, young: 10, poisson: 0.3}\n"                                                         \
  "boundary:\n"                                                                                                        \
  "  - {on: left, fix: {x: 0}}\n"                                                                                      \
  "  - {on: bottom, fix: {y: 0}}\n"                                                                                    \
  "  - {on: right, pressure: -1}\n"                                                                                    \
  "time: {end: 1, step: 0.5}\n"                                                                                        \
  "output: {fields: [displacement, cauchy, stretches], probes: [{name: p, at: [1, 1], field: displacement-x}]}\n"      \
  "expect: [{probe: p, value: 0, atol: 1e9, time: 0.5}]\n"
#define RUBBER "type: neo-hooke, young: 10, poisson: 0.3"

/* The square with its middle line, between elements, in the group top. */
#define MIDDLE "7 1 2 4 4 7 8\n8 1 2 4 4 8 9\n", "7 1 2 4 4 4 5\n8 1 2 4 4 5 6\n"

static const Row rows[] = {
    {"plain finite case passes", .case_text = FINITE_CASE, .code = 0},
    {"unstable constants", .case_text = FINITE_CASE, .code = 3,
     .edit = {{RUBBER, "type: mooney-rivlin, c10: 1, c01: -2, bulk: 100"}},
     .said =
         {"case.yaml:7:5: the material is unstable where it is not strained yet: its shear modulus is -2 and its bulk "
          "modulus 100, must be > 0",
          "remedy: change its parameters"}},
    {"no fibres", .case_text = FINITE_CASE, .code = 3,
     .edit = {{RUBBER, "type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 100"}},
     .said = {"case.yaml:7:5: material 'guccione' has fibres and needs the key 'axes'", "{field: fiber}"}},
    {"fibres that move", .case_text = FINITE_CASE, .code = 3,
     .edit = {{RUBBER, "type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 100, axes: {x: ['1', t]}"}},
     .said = {"case.yaml:7:", "axes stay as they are in time; an expression of x takes x, y and z, not t",
              "remedy: leave t out"}},
    {"fibres that are nowhere", .case_text = FINITE_CASE, .code = 3,
     .edit = {{RUBBER, "type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 100, axes: {x: [x - x, 0]}"}},
     .said = {"case.yaml:7:77: the axes of a material are not defined at (",
              "where the expressions of x and y have no length",
              "remedy: expressions that span a plane all over the body"}},
    {"pressure inside", .case_text = FINITE_CASE, .code = 3, .edit = {{"on: right", "on: top"}},
     .mesh_edit = {{MIDDLE}},
     .said = {"case.yaml:11:25: pressure on group 'top' lies between two elements near (", "use traction"}},
    {"fix and force in the same direction", .case_text = FINITE_CASE, .code = 3,
     .edit = {{"pressure: -1", "fix: {x: '0.1*t'}, force: [1, 0]"}},
     .said = {"case.yaml:11:", "force acts in x where fix prescribes x", "allowed: one of the two",
              "remedy: write 0 for it, or leave x out of fix"}},
    {"fix and traction in other directions", .case_text = FINITE_CASE, .code = 0,
     .edit = {{"pressure: -1", "fix: {x: '0.1*t'}, traction: [0, 0.1]"}}},
    {"fix and pressure", .case_text = FINITE_CASE, .code = 3, .edit = {{"pressure: -1", "fix: all, pressure: -1"}},
     .said = {"case.yaml:11:", "pressure acts where fix prescribes all directions", "remedy: leave one"}},
    {"a dashpot", .case_text = FINITE_CASE, .code = 3, .edit = {{"pressure: -1", "dashpot: 1"}},
     .said = {"case.yaml:11:17: 'dashpot' is for harmonic, transient and finite-strain transient cases; this is a "
              "finite-strain case",
              "leave it out"}},
    {"modes", .case_text = FINITE_CASE, .code = 3,
     .edit = {{"strain: finite\n", "strain: finite\nanalysis: {type: modal}\n"}},
     .said = {"case.yaml:6:11: modes at finite strain are those of a body under its load",
              "remedy: 'prestress: true', or 'strain: small'"}},
    {"vibrations", .case_text = FINITE_CASE, .code = 3,
     .edit = {{"strain: finite\n", "strain: finite\nanalysis: {type: harmonic, frequency: 3}\n"}},
     .said = {"case.yaml:6:11: a harmonic analysis is one of small strains",
              "'frequency' is for harmonic cases; this is a finite-strain case"}},
    {"a static analysis", .case_text = FINITE_CASE, .code = 0,
     .edit = {{"strain: finite\n", "strain: finite\nanalysis: {type: static}\n"}}},
    {"heat", .case_text = FINITE_CASE, .code = 3,
     .edit = {{"strain: finite\n", "strain: finite\nthermal: {temperature: 3}\n"}},
     .said = {"case.yaml:6:10: no material expands"}},
    {"combinations", .case_text = FINITE_CASE, .code = 3,
     .edit = {{"strain: finite\n", "strain: finite\ncombinations: [{name: a, of: {b: 1}}]\n"}},
     .said = {"'combinations' is for static cases; this is a finite-strain case", "remedy: a case file of its own"}},
    {"a step beyond the end", .case_text = FINITE_CASE, .code = 3, .edit = {{"step: 0.5", "step: 2"}},
     .said = {"case.yaml:12:22: step is 2, longer than the whole time 1"}},
    {"a time beyond the end", .case_text = FINITE_CASE, .code = 3, .edit = {{"time: 0.5}]", "time: 1.5}]"}},
     .said = {"case.yaml:14:48: time is 1.5, after the end at 1"}},
    {"a load that has no value later", .case_text = FINITE_CASE, .code = 3,
     .edit = {{"pressure: -1", "pressure: 'sqrt(0.7 - t)'"}}, .solving = true,
     .said = {"case.yaml:11:27: pressure is not a number at (", "t = 1, must be finite",
              "in the load step from time 0.5"}},
    {"small strains", .case_text = FINITE_CASE, .code = 3, .edit = {{"strain: finite\n", ""}},
     .said = {"'neo-hooke' is a material of finite strain; add 'strain: finite'"}},
    {"a field of small strains", .case_text = FINITE_CASE, .code = 3, .edit = {{"stretches", "strain-energy"}},
     .said = {"case.yaml:13:", "'strain-energy'", "energy"}},
};

int main(void) { return table_run("finite", rows, (int)(sizeof rows / sizeof *rows)); }
