/* What a wrong case of an eikonal equation must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: tissue 5 to 7, stimuli 9 and 10, output 12 and 13, expect 14. */
#define FRONT_CASE                                                                                                     \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: eikonal\n"                                                                                                 \
  "tissue:\n"                                                                                                          \
  "  - on: body\n"                                                                                                     \
  "    velocity: {along: 0.6, across: 0.3}\n"                                                                          \
  "    fibers: {direction: [1, 0]}\n"                                                                                  \
  "stimuli:\n"                                                                                                         \
  "  - {name: s1, on: left}\n"                                                                                         \
  "  - {name: s2, on: {box: {min: [0.9, 0.9], max: [1, 1]}}, start: 3}\n"                                              \
  "output:\n"                                                                                                          \
  "  probes: [{name: a, at: [0, 0]}, {name: b, at: [1, 0]}]\n"                                                         \
  "  velocity: [{name: cv, from: a, to: b}]\n"                                                                         \
  "expect: [{probe: b, value: 1.6666666666666667, rtol: 1e-12}, {velocity: cv, value: 0.6, rtol: 1e-12}]\n"

static const Row rows[] = {
    {"plain eikonal case passes", .case_text = FRONT_CASE, .code = 0},
    {"one number, lists of nodes", .case_text = FRONT_CASE, .code = 0,
     .edit = {{"{along: 0.6, across: 0.3}", "0.6"},
              {"    fibers: {direction: [1, 0]}\n", ""},
              {"{box: {min: [0.9, 0.9], max: [1, 1]}}", "{nodes: [5, 9]}"}}},
    {"no velocity", .case_text = FRONT_CASE, .edit = {{"    velocity: {along: 0.6, across: 0.3}\n", ""}}, .code = 3,
     .said = {"case.yaml:5:5: a tissue entry needs the key 'velocity'"}},
    {"velocity of zero", .case_text = FRONT_CASE, .edit = {{"along: 0.6", "along: 0"}}, .code = 3,
     .said = {"case.yaml:6:23: along is 0, must be > 0"}},
    {"velocity across without fibres", .case_text = FRONT_CASE, .edit = {{"    fibers: {direction: [1, 0]}\n", ""}},
     .code = 3, .said = {"case.yaml:6:36: velocity across the fibres needs 'fibers:'"}},
    {"velocity normal without sheets", .case_text = FRONT_CASE, .edit = {{"across: 0.3", "across: 0.3, normal: 0.2"}},
     .code = 3, .said = {"case.yaml:6:49: velocity normal to the sheets needs 'sheets:'"}},
    {"keys of the heart", .case_text = FRONT_CASE, .edit = {{"velocity: {along", "diffusivity: {along"}}, .code = 3,
     .said = {"case.yaml:6:5: unknown key 'diffusivity' in a tissue entry", "allowed: on, velocity, fibers, sheets"}},
    {"a pulse", .case_text = FRONT_CASE, .edit = {{"on: left", "on: left, duration: 2"}}, .code = 3,
     .said = {"unknown key 'duration' in a stimulus", "allowed: name, on, start"}},
    {"no stimuli", .case_text = FRONT_CASE,
     .edit = {{"  - {name: s1, on: left}\n  - {name: s2, on: {box: {min: [0.9, 0.9], max: [1, 1]}}, start: 3}\n", ""},
              {"stimuli:\n", "stimuli: []\n"}},
     .code = 3, .said = {"case.yaml:8:10: stimuli is empty; a front needs a place where it starts"}},
    {"a start before the run", .case_text = FRONT_CASE, .edit = {{"start: 3", "start: -1"}}, .code = 3,
     .said = {"case.yaml:10:66: start is -1"}},
    {"a stimulus beside the tissue", .case_text = FRONT_CASE,
     .edit = {{"min: [0.9, 0.9], max: [1, 1]", "min: [2, 2], max: [3, 3]"}}, .code = 3,
     .said = {"stimulus 's2' hits no node; the nearest one, (1, 1, 0), is 1.414 mm away from its box"}},
    {"unknown group", .case_text = FRONT_CASE, .edit = {{"on: left", "on: lefft"}}, .code = 3,
     .said = {"unknown group 'lefft'", "did you mean 'left'?"}},
    {"unknown probe of a velocity", .case_text = FRONT_CASE, .edit = {{"to: b", "to: c"}}, .code = 3,
     .said = {"case.yaml:13:38: unknown probe 'c'"}},
    {"a potential", .case_text = FRONT_CASE, .edit = {{"output:\n", "output:\n  fields: [potential]\n"}}, .code = 3,
     .said = {"case.yaml:12:12: unknown fields 'potential'"}},
    {"quadratic elements", .case_text = FRONT_CASE, .edit = {{"{file: square.msh}", "{file: square.msh, order: 2}"}},
     .code = 3,
     .said = {"has elements of type quad9; an eikonal case takes linear elements", "remedy: a mesh of order 1"}},
#define WITH_LEADS                                                                                                     \
  { "output:\n", "time: {end: 50}\noutput:\n  ecg: [{name: I, positive: [5, 0, 1], negative: [-5, 0, 1]}]\n" }
#define WITH_CELLS                                                                                                     \
  { "    fibers: {dir", "    ionic: aliev-panfilov\n    fibers: {dir" }
    {"leads", .case_text = FRONT_CASE, .code = 0, .edit = {WITH_LEADS, WITH_CELLS}},
    {"leads without cells", .case_text = FRONT_CASE, .edit = {WITH_LEADS}, .code = 3,
     .said = {"case.yaml:5:5: leads need the key 'ionic' of each tissue"}},
    {"leads without an end", .case_text = FRONT_CASE, .edit = {WITH_LEADS, WITH_CELLS, {"time: {end: 50}\n", ""}},
     .code = 3, .said = {"leads need the key 'time', until when they are asked for: 'time: {end: 500}', ms"}},
    {"intervals of leads that are far apart", .case_text = FRONT_CASE,
     .edit = {{"output:\n", "time: {end: 50, step: 5}\noutput:\n  ecg: [{name: I, positive: [5, 0, 1]}]\n"},
              WITH_CELLS,
              {"expect: [", "expect: [{ecg: I, quantity: qt, value: 1}, "}},
     .code = 3, .said = {"qt needs leads at least every 2 ms", "remedy: 'step: 1' under 'time:'"}},
    {"cells without leads", .case_text = FRONT_CASE, .edit = {WITH_CELLS}, .code = 3,
     .said = {"case.yaml:7:12: ionic has no effect without leads: give 'electrodes' or 'ecg' under 'output:'"}},
    {"a time without leads", .case_text = FRONT_CASE, .edit = {{"output:\n", "time: 50\noutput:\n"}}, .code = 3,
     .said = {"time has no effect without leads"}},
    {"leads in mV without conductivities", .case_text = FRONT_CASE,
     .edit = {WITH_LEADS, WITH_CELLS, {"output:\n", "output:\n  medium: 1\n"}}, .code = 3,
     .said = {"medium needs the conductivity inside the cells of tissue 'body'",
              "'conductivity: {intra: [0.17, 0.019]}'"}},
    {"conductivities without a medium", .case_text = FRONT_CASE,
     .edit = {WITH_LEADS, WITH_CELLS, {"    ionic", "    conductivity: {intra: 0.2}\n    ionic"}}, .code = 3,
     .said = {"case.yaml:7:19: conductivity has no effect without 'medium:' under 'output:'"}},
    {"conductivities outside", .case_text = FRONT_CASE,
     .edit = {WITH_LEADS, WITH_CELLS, {"    ionic", "    conductivity: {intra: 0.2, extra: 0.6}\n    ionic"}},
     .code = 3, .said = {"unknown key 'extra' in conductivity"}},
    {"two conductivities of one velocity", .case_text = FRONT_CASE,
     .edit = {{"across: 0.3}\n", "across: 0.6}\n    conductivity: {intra: [0.2, 0.1]}\n"},
              WITH_CELLS,
              {"output:\n", "time: {end: 50}\noutput:\n  medium: 1\n  ecg: [{name: I, positive: [5, 0, 1]}]\n"}},
     .code = 3,
     .said = {"the conductivities of tissue 'body' differ where its velocities are the same in two directions"}},
    {"cells that vary", .case_text = FRONT_CASE,
     .edit = {WITH_LEADS,
              WITH_CELLS,
              {"ionic: aliev-panfilov", "ionic: {model: aliev-panfilov, alpha: '0.01 + 0.01*x'}"}},
     .code = 3, .said = {"parameters of cells that vary are not possible in leads of fronts"}},
    {"a sample longer than the leads", .case_text = FRONT_CASE,
     .edit = {WITH_LEADS, WITH_CELLS, {"end: 50", "end: 50, step: 60"}}, .code = 3,
     .said = {"step is 60, longer than the whole time 50"}},
    {"an electrode in the tissue", .case_text = FRONT_CASE,
     .edit = {WITH_LEADS, WITH_CELLS, {"[5, 0, 1]", "[0.5, 0.4, 0]"}}, .code = 3,
     .said = {"lies in the heart, in tissue 'body'"}},
    {"a heartless stimulus of the cells", .case_text = FRONT_CASE,
     .edit = {WITH_LEADS, WITH_CELLS, {"output:\n", "prepace: {cycle: 400, beats: 1, amplitude: 0.1}\noutput:\n"}},
     .solving = true, .code = 6,
     .said = {"0.1 mV/ms for 1 ms starts no action potential in the cells of 'body', which leads need"}},
#define LINE_TREE                                                                                                      \
  "purkinje:\n"                                                                                                        \
  "  - {name: tree, on: top, velocity: 2, junction: {radius: 0.3}}\n"
#define WITH_TREE                                                                                                      \
  { "stimuli:\n", LINE_TREE "stimuli:\n" }
    {"nothing is left", .case_text = FRONT_CASE, .edit = {{"stimuli:\n", "without: body\nstimuli:\n"}}, .code = 3,
     .said = {"case.yaml:8:10: without leaves no element: all of the mesh is in these groups"}},
    {"without what is not there", .case_text = FRONT_CASE, .edit = {{"stimuli:\n", "without: [scar]\nstimuli:\n"}},
     .code = 3, .said = {"case.yaml:8:11: unknown group 'scar'"}},
    {"without a side", .case_text = FRONT_CASE, .edit = {{"stimuli:\n", "without: left\nstimuli:\n"}}, .code = 3,
     .said = {"without on 'left', which is a curve group"}},
    {"a tree", .case_text = FRONT_CASE, .code = 0,
     .edit =
         {WITH_TREE,
          {"expect: [{probe: b, value: 1.6666666666666667, rtol: 1e-12}, {velocity: cv, value: 0.6, rtol: 1e-12}]\n",
           ""}}},
    {"a tree without a velocity", .case_text = FRONT_CASE, .edit = {WITH_TREE, {", velocity: 2, j", ", j"}}, .code = 3,
     .said = {"case.yaml:9:5: a purkinje entry needs the key 'velocity'"}},
    {"a tree with cells", .case_text = FRONT_CASE,
     .edit = {WITH_TREE, {"velocity: 2,", "velocity: 2, ionic: stewart,"}}, .code = 3,
     .said = {"case.yaml:9:40: unknown key 'ionic' in a purkinje entry"}},
    {"a tree from nowhere", .case_text = FRONT_CASE, .edit = {WITH_TREE, {"on: top, ", ""}}, .code = 3,
     .said = {"case.yaml:9:5: a tree needs exactly one of 'file'"}},
    {"a probe on no tree", .case_text = FRONT_CASE, .edit = {WITH_TREE, {"{name: b, at", "{name: b, on: oak, at"}},
     .code = 3, .said = {"unknown tree 'oak'; a probe is on an entry of 'purkinje:'"}},
};

int main(void) { return table_run("eikonal errors", rows, (int)(sizeof rows / sizeof *rows)); }
