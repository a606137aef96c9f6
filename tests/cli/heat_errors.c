/* What a wrong case of heat must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: materials 5, boundary 7 to 9, source 10, initial 11, time 12, output 13, expect 14. */
#define HEAT_CASE                                                                                                      \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: heat\n"                                                                                                    \
  "materials:\n"                                                                                                       \
  "  - {on: body, conductivity: 2, capacity: 3}\n"                                                                     \
  "boundary:\n"                                                                                                        \
  "  - {on: left, temperature: 't'}\n"                                                                                 \
  "  - {on: right, flux: 1}\n"                                                                                         \
  "  - {on: bottom, convection: {coefficient: 5, ambient: 20}}\n"                                                      \
  "source: [{on: body, value: 0.5}]\n"                                                                                 \
  "initial: 0\n"                                                                                                       \
  "time: {end: 1, step: 0.25}\n"                                                                                       \
  "output: {every: 0.5, probes: [{name: p, at: [1, 1]}], sums: [{name: s, on: left, field: heat-flow}]}\n"             \
  "expect: [{probe: p, time: 0.5, value: 0, atol: 1e9}]\n"

#define STEADY_CASE                                                                                                    \
  "version: 1\nmesh: square.msh\nphysics: heat\nmaterials: [{on: body, conductivity: 2}]\n"                            \
  "boundary: [{on: left, temperature: 4}]\noutput: {fields: [flux]}\n"

static const Row rows[] = {
    {"plain heat case passes", .case_text = HEAT_CASE, .code = 0},
    {"steady", .case_text = HEAT_CASE, .code = 0,
     .edit = {{"time: {end: 1, step: 0.25}\n", ""}, {"initial: 0\n", ""}, {"every: 0.5, ", ""}, {"time: 0.5, ", ""}}},
    {"tensor", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: [[2, 1], [1, 3]]"}}, .code = 0},
    {"adaptive", .case_text = HEAT_CASE, .code = 0,
     .edit = {{"step: 0.25}", "step: 0.25, scheme: bdf2, adaptive: {tolerance: 1e-3}}"}}},
    {"key of elasticity", .case_text = HEAT_CASE, .edit = {{"initial:", "body: []\ninitial:"}}, .code = 3,
     .said = {"case.yaml:11:1: unknown key 'body' in the case", "materials, boundary, source, initial, time"}},
    {"passes", .case_text = HEAT_CASE, .edit = {{"initial:", "adapt: {energy: 0.02}\ninitial:"}}, .code = 3,
     .said = {"case.yaml:11:8: adapt is for steady heat", "remedy: leave 'time' out"}},
    {"misspelt key", .case_text = HEAT_CASE, .edit = {{"conductivity", "condutivity"}}, .code = 3,
     .said = {"case.yaml:5:16: unknown key 'condutivity'", "did you mean 'conductivity'?",
              "needs the key 'conductivity'"}},
    {"misspelt physics", .case_text = HEAT_CASE, .edit = {{"physics: heat", "physics: haet"}}, .code = 3,
     .said = {"case.yaml:3:10: unknown physics 'haet'", "did you mean 'heat'?"}},
    {"no capacity in time", .case_text = HEAT_CASE, .edit = {{", capacity: 3", ""}}, .code = 3,
     .said = {"case.yaml:5:5: a material needs the key 'capacity' where there is 'time:'"}},
    {"capacity zero", .case_text = HEAT_CASE, .edit = {{"capacity: 3", "capacity: 0"}}, .code = 3,
     .said = {"case.yaml:5:43: capacity is 0, must be > 0"}},
    {"huge conductivity", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: 1e300"}}, .code = 0,
     .not_said = "positive definite"},
    {"tiny tensor", .case_text = HEAT_CASE,
     .edit = {{"conductivity: 2", "conductivity: [[2e-300, 1e-300], [1e-300, 3e-300]]"}}, .code = 0},
    {"indefinite huge tensor", .case_text = HEAT_CASE,
     .edit = {{"conductivity: 2", "conductivity: [[1e300, 2e300], [2e300, 1e300]]"}}, .code = 3,
     .said = {"conductivity is not positive definite"}},
    {"negative conductivity", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: -2"}}, .code = 3,
     .said = {"case.yaml:5:30: conductivity is -2, must be > 0"}},
    {"negative in one direction", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: [2, -2]"}},
     .code = 3, .said = {"case.yaml:5:30: conductivity has an entry that is not > 0"}},
    {"unsymmetric", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: [[2, 1], [0, 2]]"}}, .code = 3,
     .said = {"case.yaml:5:30: conductivity must be symmetric; xy is 1 and yx is 0"}},
    {"indefinite", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: [[1, 2], [2, 1]]"}}, .code = 3,
     .said = {"case.yaml:5:30: conductivity is not positive definite"}},
    {"ragged tensor", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: [[1, 2], [2]]"}}, .code = 3,
     .said = {"case.yaml:5:39: conductivity must be a list of rows of equal length"}},
    {"three directions on a surface", .case_text = HEAT_CASE, .edit = {{"conductivity: 2", "conductivity: [1, 2, 3]"}},
     .code = 3, .said = {"case.yaml:5:30: conductivity has 3 directions; 'square.msh' is a surface mesh and has 2"}},
    {"unknown group", .case_text = HEAT_CASE, .edit = {{"on: right", "on: rigth"}}, .code = 3,
     .said = {"case.yaml:8:10: unknown group 'rigth'", "did you mean 'right'?"}},
    {"flux on elements", .case_text = HEAT_CASE, .edit = {{"on: right", "on: body"}}, .code = 3,
     .said = {"case.yaml:8:10: flux on 'body', which is a surface group"}},
    {"source on an edge", .case_text = HEAT_CASE, .edit = {{"source: [{on: body", "source: [{on: left"}}, .code = 3,
     .said = {"case.yaml:10:15: source on 'left', which is a curve group"}},
    {"an entry without effect", .case_text = HEAT_CASE, .edit = {{", flux: 1", ""}}, .code = 3,
     .said = {"case.yaml:8:5: nothing happens on 'right'", "allowed: temperature, flux, power, convection"}},
    {"no ambient", .case_text = HEAT_CASE, .edit = {{", ambient: 20", ""}}, .code = 3,
     .said = {"case.yaml:9:30: convection needs the key 'ambient'"}},
    {"negative coefficient", .case_text = HEAT_CASE, .edit = {{"coefficient: 5", "coefficient: -5"}}, .code = 3,
     .said = {"case.yaml:9:44: coefficient is -5, must be > 0"}},
    {"nothing holds a steady case", .case_text = STEADY_CASE, .edit = {{"temperature: 4", "flux: 4"}}, .code = 3,
     .said = {"the steady problem has no single solution", "around node 1"}},
    {"steady case passes", .case_text = STEADY_CASE, .code = 0},
    {"every without time", .case_text = STEADY_CASE, .edit = {{"fields", "every: 1, fields"}}, .code = 3,
     .said = {"case.yaml:6:17: every needs 'time:'"}},
    {"expected at a time without time", .case_text = STEADY_CASE,
     .edit = {{"fields", "probes: [{name: p, at: [0, 0]}], fields"},
              {"[flux]}\n", "[flux]}\nexpect: [{probe: p, time: 1, value: 0}]\n"}},
     .code = 3, .said = {"case.yaml:7:27: time of a row needs 'time:'"}},
    {"two temperatures at a corner", .case_text = HEAT_CASE,
     .edit = {{"convection: {coefficient: 5, ambient: 20}", "temperature: 7"}}, .code = 3,
     .said = {"case.yaml:7:29 prescribes 0", "case.yaml:9:31 prescribes 7"}},
    {"initial without time", .case_text = HEAT_CASE, .code = 3,
     .edit = {{"time: {end: 1, step: 0.25}\n", ""}, {"every: 0.5, ", ""}, {"time: 0.5, ", ""}},
     .said = {"case.yaml:11:10: initial needs 'time:'"}},
    {"infinite initial value", .case_text = HEAT_CASE, .edit = {{"initial: 0", "initial: 1/x"}}, .code = 3,
     .said = {"case.yaml:11:10: initial is inf at node"}},
    {"no step", .case_text = HEAT_CASE, .edit = {{", step: 0.25", ""}}, .code = 3,
     .said = {"case.yaml:12:7: time needs the key 'step'"}},
    {"step zero", .case_text = HEAT_CASE, .edit = {{"step: 0.25", "step: 0"}}, .code = 3,
     .said = {"case.yaml:12:22: step is 0, must be > 0"}},
    {"step beyond the end", .case_text = HEAT_CASE, .edit = {{"step: 0.25", "step: 2"}}, .code = 3,
     .said = {"case.yaml:12:22: step is 2, longer than the whole time 1"}},
    {"unknown scheme", .case_text = HEAT_CASE, .edit = {{"step: 0.25", "step: 0.25, scheme: bfd2"}}, .code = 3,
     .said = {"unknown scheme 'bfd2'", "did you mean 'bdf2'?"}},
    {"a shortest step that is longer than the first", .case_text = HEAT_CASE, .code = 3,
     .edit = {{"step: 0.25", "step: 0.25, adaptive: {tolerance: 1e-3, min: 0.3}"}},
     .said = {"min is 0.3, longer than step, 0.25, with which the run begins"}},
    {"tolerance missing", .case_text = HEAT_CASE, .edit = {{"step: 0.25", "step: 0.25, adaptive: {min: 1e-3}"}},
     .code = 3, .said = {"adaptive needs the key 'tolerance'"}},
    {"min above max", .case_text = HEAT_CASE,
     .edit = {{"step: 0.25", "step: 0.25, adaptive: {tolerance: 1e-3, min: 1, max: 0.1}"}}, .code = 3,
     .said = {"min is 1, larger than max, 0.1"}},
    {"too many stored steps", .case_text = HEAT_CASE, .edit = {{"every: 0.5", "every: 1e-9"}}, .code = 3,
     .said = {"case.yaml:13:17: 1e+09 steps would be stored"}},
    {"negative interval", .case_text = HEAT_CASE, .edit = {{"every: 0.5", "every: -5"}}, .code = 3,
     .said = {"case.yaml:13:17: every is -5, must be > 0"}, .not_said = "would be stored"},
    {"expected after the end", .case_text = HEAT_CASE, .edit = {{"time: 0.5", "time: 5"}}, .code = 3,
     .said = {"case.yaml:14:27: time is 5, after the end at 1"}},
    {"probe outside", .case_text = HEAT_CASE, .edit = {{"at: [1, 1]", "at: [1, 3]"}}, .code = 3,
     .said = {"probe 'p' at (1, 3) lies outside the mesh"}},
    {"probe so far that squares overflow", .case_text = HEAT_CASE, .edit = {{"at: [1, 1]", "at: [1e308, 3]"}},
     .code = 3, .said = {"probe 'p' at (1e+308, 3) lies outside the mesh", "the nearest node is"}},
    {"missing image", .case_text = HEAT_CASE, .edit = {{"initial: 0", "initial: {image: none.png}"}}, .code = 3,
     .said = {"case.yaml:11:18: none.png: cannot open the image"}},
    {"an image that is none", .case_text = HEAT_CASE, .edit = {{"initial: 0", "initial: {image: square.msh}"}},
     .code = 3, .said = {"case.yaml:11:18: square.msh: is no image that is known"}},
    {"an image and a value", .case_text = HEAT_CASE, .edit = {{"initial: 0", "initial: {image: a.png, value: 0}"}},
     .code = 3, .said = {"case.yaml:11:10: initial needs one of value, field and image"}},
    {"low without an image", .case_text = HEAT_CASE, .edit = {{"initial: 0", "initial: {value: 0, low: 0}"}}, .code = 3,
     .said = {"low and high belong to an image"}},
    {"missing image as the mesh", .case_text = HEAT_CASE, .edit = {{"file: square.msh", "image: none.pgm"}}, .code = 4,
     .said = {"none.pgm: cannot open the image"}},
    {"a mesh file as the image of a mesh", .case_text = HEAT_CASE, .edit = {{"file: square", "image: square"}},
     .code = 4, .said = {"square.msh: is no image that is known"}},
    {"a grid and a file", .case_text = HEAT_CASE, .edit = {{"file: square.msh", "file: square.msh, grid: [2, 2]"}},
     .code = 3, .said = {"case.yaml:2:7: mesh has more than one of file, grid and image"}},
    {"a grid of one node", .case_text = HEAT_CASE, .edit = {{"file: square.msh", "grid: [1, 5]"}}, .code = 3,
     .said = {"case.yaml:2:14: grid has 1 nodes in direction x, must be a whole number from 2 to 2147483647"}},
    {"a grid of half a node", .case_text = HEAT_CASE, .edit = {{"file: square.msh", "grid: [4, 2.5]"}}, .code = 3,
     .said = {"grid has 2.5 nodes in direction y"}},
    {"hexahedra on a flat grid", .case_text = HEAT_CASE, .edit = {{"file: square.msh", "grid: [4, 4], element: hex8"}},
     .code = 3, .said = {"a grid of 2 directions cannot be made of hex8"}},
    {"groups of a grid", .case_text = HEAT_CASE, .edit = {{"file: square.msh", "grid: [3, 3]"}}, .code = 3,
     .said = {"unknown group 'left'", "groups in grid: body (surface, 4 elements), x0"}},
};

int main(void) { return table_run("heat errors", rows, (int)(sizeof rows / sizeof *rows)); }
