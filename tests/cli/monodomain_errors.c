/* What a wrong case of the heart must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: tissue 5 to 8, stimuli 10 and 11, time 12, output 14 to 17, expect 18. */
#define HEART_CASE                                                                                                     \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: monodomain\n"                                                                                              \
  "tissue:\n"                                                                                                          \
  "  - on: body\n"                                                                                                     \
  "    ionic: {model: aliev-panfilov, preset: goktepe-kuhl, alpha: 0.02}\n"                                            \
  "    diffusivity: {along: 1, across: 0.5}\n"                                                                         \
  "    fibers: {direction: [1, 0]}\n"                                                                                  \
  "stimuli:\n"                                                                                                         \
  "  - {name: s1, on: left, duration: 2, amplitude: 40, period: 5, count: 2}\n"                                        \
  "  - {name: s2, on: {box: {min: [0.4, 0.4], max: [0.6, 0.6]}}, start: 3, duration: 1, amplitude: 40}\n"              \
  "time: {end: 10, step: 0.5}\n"                                                                                       \
  "output:\n"                                                                                                          \
  "  every: 5\n"                                                                                                       \
  "  maps: [activation]\n"                                                                                             \
  "  probes: [{name: a, at: [0, 0]}, {name: b, at: [1, 1]}]\n"                                                         \
  "  velocity: [{name: cv, from: a, to: b}]\n"                                                                         \
  "expect: [{probe: a, time: 5, value: 0, atol: 1e9}]\n"

#define IONIC "{model: aliev-panfilov, preset: goktepe-kuhl, alpha: 0.02}"
#define FIBERS "{direction: [1, 0]}"
#define BOX "{box: {min: [0.4, 0.4], max: [0.6, 0.6]}}"

/* Node data on the square: of length zero at node 5 only. */
#define FIBER_DATA                                                                                                     \
  "$NodeData\n1\n\"fiber\"\n1\n0\n3\n0\n3\n9\n1 1 0 0\n2 1 0 0\n3 1 0 0\n4 1 0 0\n5 0 0 0\n6 1 0 0\n7 1 0 0\n8 1 0 "   \
  "0\n"                                                                                                                \
  "9 1 0 0\n$EndNodeData\n"

static const Row rows[] = {
    {"plain heart case passes", .case_text = HEART_CASE, .code = 0},
    {"gauss, bdf2, adaptive", .case_text = HEART_CASE, .code = 0,
     .edit = {{"step: 0.5}", "step: 0.5, scheme: bdf2, adaptive: {tolerance: 1e-2}}\nreaction: gauss"}}},
    {"ionic in one word, one number", .case_text = HEART_CASE, .code = 0,
     .edit = {{"{model: aliev-panfilov, preset: goktepe-kuhl, alpha: 0.02}", "mitchell-schaeffer"},
              {"{along: 1, across: 0.5}", "1"},
              {"    fibers: " FIBERS "\n", ""}}},
    {"lists of groups and of nodes", .case_text = HEART_CASE, .code = 0,
     .edit = {{"on: left", "on: [left, top]"}, {BOX, "{nodes: [5, 9]}"}}},
    {"a list in place of a map", .case_text = HEART_CASE, .edit = {{"{direction: [1, 0]}", "[fiber]"}}, .code = 3,
     .said = {"case.yaml:8:13: fibers must be a map with keys from: field, direction, rule"}},
    {"key of heat", .case_text = HEART_CASE, .edit = {{"stimuli:", "source: []\nstimuli:"}}, .code = 3,
     .said = {"case.yaml:9:1: unknown key 'source' in the case", "tissue, stimuli, initial, time, reaction"}},
    {"unknown model", .case_text = HEART_CASE, .edit = {{"aliev-panfilov", "aliev-panfilow"}}, .code = 3,
     .said = {"case.yaml:6:20: unknown model 'aliev-panfilow'", "did you mean 'aliev-panfilov'?"}},
    {"unknown preset", .case_text = HEART_CASE, .edit = {{"goktepe-kuhl", "goktepe-kul"}}, .code = 3,
     .said = {"case.yaml:6:44: unknown preset 'goktepe-kul' of aliev-panfilov", "did you mean 'goktepe-kuhl'?"}},
    {"unknown parameter", .case_text = HEART_CASE, .edit = {{"alpha: 0.02", "alhpa: 0.02"}}, .code = 3,
     .said = {"case.yaml:6:58: unknown key 'alhpa' in ionic", "did you mean 'alpha'?"}},
    {"parameter out of range", .case_text = HEART_CASE, .edit = {{"alpha: 0.02", "alpha: 2"}}, .code = 3,
     .said = {"case.yaml:6:65: alpha is 2, must lie in"}},
    {"no such cell model", .case_text = HEART_CASE, .edit = {{IONIC, "{file: cell.mmt}"}}, .code = 3,
     .said = {"case.yaml:6:19: ", "cell.mmt: cannot open the cell model: No such file"}},
    {"a cell model of no known kind", .case_text = HEART_CASE, .edit = {{IONIC, "{file: square.msh}"}}, .code = 3,
     .said = {"case.yaml:6:19: ", "square.msh: is no cell model that can be read", "allowed: .mmt (Myokit)"}},
    {"model and file", .case_text = HEART_CASE, .edit = {{IONIC, "{model: aliev-panfilov, file: cell.mmt}"}}, .code = 3,
     .said = {"case.yaml:6:42: file stands in the place of model; leave one of them out"}},
    {"preset of a file", .case_text = HEART_CASE, .edit = {{IONIC, "{file: cell.mmt, preset: epi}"}}, .code = 3,
     .said = {"case.yaml:6:37: a cell model from a file has no presets; set its constants with 'parameters:'"}},
    {"parameters of a built-in model", .case_text = HEART_CASE,
     .edit = {{"alpha: 0.02}", "parameters: {alpha: 0.02}}"}}, .code = 3,
     .said = {"parameters are those of a file; of a built-in model they are keys of 'ionic:' themselves"}},
    {"neither model nor file", .case_text = HEART_CASE, .edit = {{IONIC, "{units: ignore}"}}, .code = 3,
     .said = {"case.yaml:6:12: ionic needs the key 'model' (see 'sinew list ionic') or 'file'",
              "units are those of a file"}},
    {"negative diffusivity", .case_text = HEART_CASE, .edit = {{"along: 1", "along: -1"}}, .code = 3,
     .said = {"case.yaml:7:26: along is -1, must be > 0"}},
    {"no diffusivity", .case_text = HEART_CASE, .edit = {{"    diffusivity: {along: 1, across: 0.5}\n", ""}}, .code = 3,
     .said = {"case.yaml:5:5: a tissue entry needs the key 'diffusivity'", "or 'conductivity'"}},
    {"conductivities beside diffusivity", .case_text = HEART_CASE, .code = 3,
     .edit = {{"across: 0.5}", "across: 0.5}\n    conductivity: {intra: 1, extra: 1, surface-to-volume: 140}"}},
     .said = {"case.yaml:8:19: conductivity stands in the place of diffusivity"}},
    {"conductivities of other number", .case_text = HEART_CASE, .code = 3,
     .edit = {{"diffusivity: {along: 1, across: 0.5}",
               "conductivity: {intra: [1, 1], extra: 1, surface-to-volume: 140}"}},
     .said = {"case.yaml:7:42: extra has 1 conductivities and intra has 2"}},
    {"no conductivity", .case_text = HEART_CASE, .code = 3,
     .edit = {{"diffusivity: {along: 1, across: 0.5}",
               "conductivity: {intra: [1, 0], extra: [1, 1], surface-to-volume: 140}"}},
     .said = {"case.yaml:7:27: a conductivity is 0 S/m, must be > 0"}},
    {"across without fibres", .case_text = HEART_CASE, .edit = {{"    fibers: " FIBERS "\n", ""}}, .code = 3,
     .said = {"case.yaml:7:37: diffusivity across the fibres needs 'fibers:'"}},
    {"normal without sheets", .case_text = HEART_CASE, .edit = {{"across: 0.5", "across: 0.5, normal: 0.1"}}, .code = 3,
     .said = {"case.yaml:7:50: diffusivity normal to the sheets needs 'sheets:'"}},
    {"fibre field missing", .case_text = HEART_CASE, .edit = {{FIBERS, "{field: fibre}"}}, .code = 3,
     .said = {"case.yaml:8:21:", "fibre"}},
    {"direction of length zero", .case_text = HEART_CASE, .edit = {{FIBERS, "{direction: [0, 0]}"}}, .code = 3,
     .said = {"case.yaml:8:25:"}},
    {"fibre of length zero in the mesh", .case_text = HEART_CASE, .edit = {{FIBERS, "{field: fiber}"}},
     .mesh = SQUARE_MESH FIBER_DATA, .code = 4, .said = {"square.msh: a fibre of length zero at node 5 (0.5, 0.5, 0)"}},
    {"fibres twice", .case_text = HEART_CASE, .edit = {{FIBERS, "{field: fiber, direction: [1, 0]}"}}, .code = 3,
     .said = {"case.yaml:8:13: fibers needs exactly one of field, direction and rule"}},
    {"groups of a rule without it", .case_text = HEART_CASE, .edit = {{FIBERS, "{field: fiber, lv: left}"}}, .code = 3,
     .said = {"case.yaml:8:13: lv, rv, epi, base, apex, axis, alpha and beta belong to 'rule: ldrb'"}},
    {"rule without surfaces", .case_text = HEART_CASE, .edit = {{FIBERS, "{rule: ldrb, lv: left}"}}, .code = 3,
     .said = {"rule ldrb needs the keys 'lv' and 'epi'", "either 'base' (a group of surfaces) or 'axis'"}},
    {"no tissue", .case_text = HEART_CASE, .edit = {{"on: body", "on: left"}}, .code = 3,
     .said = {"case.yaml:5:9: tissue on 'left', which is a curve group"}},
    {"unknown group of a stimulus", .case_text = HEART_CASE, .edit = {{"on: left", "on: lfet"}}, .code = 3,
     .said = {"case.yaml:10:20: unknown group 'lfet'", "did you mean 'left'?"}},
    {"box that hits nothing", .case_text = HEART_CASE, .edit = {{"max: [0.6, 0.6]", "max: [0.4, 0.4]"}}, .code = 3,
     .said = {"case.yaml:11:26: stimulus 's2' hits no node; the nearest one, (0.5, 0.5, 0), is 0.1414 mm away from its "
              "box"}},
    {"sphere that hits nothing", .case_text = HEART_CASE, .edit = {{BOX, "{sphere: {center: [3, 1], radius: 0.5}}"}},
     .code = 3,
     .said =
         {"case.yaml:11:29: stimulus 's2' hits no node; the nearest one, (1, 1, 0), is 1.5 mm away from its sphere"}},
    {"box upside down", .case_text = HEART_CASE, .edit = {{"max: [0.6, 0.6]", "max: [0.3, 0.6]"}}, .code = 3,
     .said = {"case.yaml:11:32: min is 0.4 and max is 0.3 in direction x"}},
    {"node that is not there", .case_text = HEART_CASE, .edit = {{BOX, "{nodes: [5, 10]}"}}, .code = 3,
     .said = {"case.yaml:11:32: nodes: there is no node 10 in square.msh"}},
    {"node that is no number", .case_text = HEART_CASE, .edit = {{BOX, "{nodes: [5, 1.5]}"}}, .code = 3,
     .said = {"case.yaml:11:32: nodes: '1.5' is not a whole number"}},
    {"two places at once", .case_text = HEART_CASE, .edit = {{BOX, "{group: left, nodes: [5]}"}}, .code = 3,
     .said = {"case.yaml:11:20: on needs exactly one of group, box, sphere, nodes; this one has more"}},
    {"no duration", .case_text = HEART_CASE, .edit = {{"duration: 2, ", ""}}, .code = 3,
     .said = {"case.yaml:10:5: a stimulus needs the key 'duration'"}},
    {"train without period", .case_text = HEART_CASE, .edit = {{"period: 5, count: 2", "count: 2"}}, .code = 3,
     .said = {"case.yaml:10:61: count is 2, which needs 'period'"}},
    {"period shorter than the pulse", .case_text = HEART_CASE, .edit = {{"period: 5", "period: 1"}}, .code = 3,
     .said = {"case.yaml:10:62: period is 1 ms, shorter than a pulse, 2 ms"}},
    {"stimulus after the end", .case_text = HEART_CASE, .edit = {{"start: 3", "start: 30"}}, .code = 3,
     .said = {"case.yaml:11:70: start is 30 ms, not before the end of the run at 10 ms"}},
    {"step above the bound", .case_text = HEART_CASE, .edit = {{"step: 0.5", "step: 5"}}, .code = 3,
     .said = {"case.yaml:12:23: step is 5 ms, must be < ", "not positive definite"}},
    {"longest step above the bound", .case_text = HEART_CASE,
     .edit = {{"step: 0.5}", "step: 0.5, adaptive: {tolerance: 1e-3, max: 8}}"}}, .code = 3,
     .said = {"case.yaml:12:61: max is 8 ms, must be < "}},
    {"no time", .case_text = HEART_CASE, .edit = {{"time: {end: 10, step: 0.5}\n", ""}}, .code = 3,
     .said = {"case.yaml:1:1: the case needs the key 'time'"}},
    {"unknown reaction", .case_text = HEART_CASE, .edit = {{"output:\n", "reaction: gaus\noutput:\n"}}, .code = 3,
     .said = {"case.yaml:13:11: unknown reaction 'gaus'", "did you mean 'gauss'?"}},
    {"duration of 100 percent", .case_text = HEART_CASE, .edit = {{"every: 5", "every: 5\n  apd: 100"}}, .code = 3,
     .said = {"case.yaml:15:8: apd is 100, must lie in (0, 100)"}},
    {"unknown map", .case_text = HEART_CASE, .edit = {{"[activation]", "[activaton]"}}, .code = 3,
     .said = {"case.yaml:15:10: unknown name 'activaton'", "did you mean 'activation'?"}},
    {"velocity to nowhere", .case_text = HEART_CASE, .edit = {{"to: b", "to: c"}}, .code = 3,
     .said = {"case.yaml:17:38: unknown probe 'c'"}},
    {"column twice", .case_text = HEART_CASE, .edit = {{"name: cv", "name: a"}}, .code = 3,
     .said = {"case.yaml:17:21: the column 'a' of probes.csv exists already"}},
    {"expected velocity that is none", .case_text = HEART_CASE, .edit = {{"probe: a, time: 5", "velocity: vc"}},
     .code = 3, .said = {"case.yaml:18:21: unknown velocity 'vc'", "did you mean 'cv'?"}},
    {"a state that no cell has", .case_text = HEART_CASE, .edit = {{"maps: [activation]", "fields: [u2]"}}, .code = 3,
     .said = {"case.yaml:15:11: no ionic model of this case has a state 'u2'", "there are: recovery"}},
    {"unknown state", .case_text = HEART_CASE, .edit = {{"maps: [activation]", "fields: [recovry]"}}, .code = 3,
     .said = {"case.yaml:15:12: unknown fields 'recovry'", "did you mean 'recovery'?"}},
    {"a probe of a state that no cell has", .case_text = HEART_CASE,
     .edit = {{"{name: b, at: [1, 1]}", "{name: b, at: [1, 1], field: u1}"}}, .code = 3,
     .said = {"case.yaml:16:", "no ionic model of this case has a state 'u1'"}},
    {"a medium without conductivities", .case_text = HEART_CASE, .code = 3,
     .edit = {{"  every: 5\n", "  every: 5\n  medium: 0.2\n  ecg: [{name: x, positive: [9, 9]}]\n"}},
     .said = {"case.yaml:15:11: medium needs the conductivity inside the cells of tissue 'body'",
              "remedy: 'conductivity:"}},
    {"a medium without leads", .case_text = HEART_CASE, .code = 3,
     .edit = {{"  every: 5\n", "  every: 5\n  medium: 0.2\n"}},
     .said = {"case.yaml:15:11: medium says nothing without leads"}},
    {"a medium that conducts nothing", .case_text = HEART_CASE, .code = 3,
     .edit = {{"  every: 5\n", "  every: 5\n  medium: 0\n"}}, .said = {"case.yaml:15:11: medium is 0, must be > 0"}},
    {"an electrode that is missing", .case_text = HEART_CASE, .code = 3,
     .edit = {{"  every: 5\n", "  every: 5\n  electrodes: {RA: [9, 9], LA: [9, 8], LL: [9, 7]}\n"}},
     .said = {"case.yaml:15:15: electrodes needs the key 'V1'"}},
    {"conductivities that hide their axes", .case_text = HEART_CASE, .code = 3,
     .edit = {{"diffusivity: {along: 1, across: 0.5}",
               "conductivity: {intra: [3, 2], extra: [3, 6], surface-to-volume: 140}"},
              {"  every: 5\n", "  every: 5\n  medium: 0.2\n  ecg: [{name: x, positive: [9, 9]}]\n"}},
     .said = {"make the same diffusivity in two directions"}},
    {"a lead of the name of a standard one", .case_text = HEART_CASE, .code = 3,
     .edit = {{"  every: 5\n",
               "  every: 5\n  ecg: [{name: aVR, positive: [9, 9]}]\n  electrodes: {RA: [9, 9], LA: [9, 8], "
               "LL: [9, 7], V1: [9, 6], V2: [9, 5], V3: [9, 4], V4: [9, 3], V5: [9, 2], V6: [9, 1.5]}\n"}},
     .said = {"case.yaml:16:15: the column 'aVR' of probes.csv exists already"}},
    {"maps of beats", .case_text = HEART_CASE, .code = 0,
     .edit = {{"maps: [activation]", "maps: [{name: activation, beats: all}, {name: apd, beats: 3}, repolarization]"}}},
    {"a map listed twice", .case_text = HEART_CASE,
     .edit = {{"maps: [activation]", "maps: [activation, {name: activation, beats: 2}]"}}, .code = 3,
     .said = {"case.yaml:15:29: 'activation' is listed twice"}},
    {"no beats", .case_text = HEART_CASE, .edit = {{"maps: [activation]", "maps: [{name: activation, beats: none}]"}},
     .code = 3, .said = {"case.yaml:15:36: beats is 'none', must be a number from 1 to 100, or all"}},
    {"too many beats", .case_text = HEART_CASE, .edit = {{"maps: [activation]", "maps: [{name: apd, beats: 101}]"}},
     .code = 3, .said = {"maps of 101 beats; at most 100"}},
    {"initial values by name", .case_text = HEART_CASE, .code = 0,
     .edit = {{"time: {", "initial: {potential: '-80+x', recovery: 0.5}\ntime: {"}}},
    {"initial value of a state that no cell has", .case_text = HEART_CASE,
     .edit = {{"time: {", "initial: {potential: '-80+x', u1: 0.5}\ntime: {"}}, .code = 3,
     .said = {"case.yaml:12:35: no ionic model of this case has a state 'u1'"}},
    {"initial value that is infinite", .case_text = HEART_CASE,
     .edit = {{"time: {", "initial: {recovery: 1/x}\ntime: {"}}, .code = 3,
     .said = {"case.yaml:12:21: recovery is inf at node 1"}},
    {"empty initial values", .case_text = HEART_CASE, .edit = {{"time: {", "initial: {}\ntime: {"}}, .code = 3,
     .said = {"case.yaml:12:10: initial is empty"}},
    {"pacing before the run without beats", .case_text = HEART_CASE,
     .edit = {{"time: {", "prepace: {cycle: 500}\ntime: {"}}, .code = 3,
     .said = {"case.yaml:12:10: prepace needs the key 'beats'"}},
    {"pacing before the run, a stimulus longer than the cycle", .case_text = HEART_CASE,
     .edit = {{"time: {", "prepace: {cycle: 2, beats: 5, duration: 3}\ntime: {"}}, .code = 3,
     .said = {"case.yaml:12:41: stimuli of 3 ms and cycles of 2 ms", "less than a cycle"}},
    {"an image of a heart", .case_text = HEART_CASE, .edit = {{"time: {", "initial: {image: a.png}\ntime: {"}},
     .code = 3, .said = {"case.yaml:12:11: unknown key 'image' in initial"}},
    {"coarse mesh is a warning", .case_text = HEART_CASE,
     .edit = {{"{along: 1, across: 0.5}", "{along: 0.001, across: 0.0005}"}}, .code = 0,
     .said = {"the mesh is coarse for the wave front", "slow"}},
};

int main(void) { return table_run("heart errors", rows, (int)(sizeof rows / sizeof *rows)); }
