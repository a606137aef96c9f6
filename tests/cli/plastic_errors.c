/* What a wrong case of a metal that flows must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: materials 7, boundary 9 to 11, time 12, output 13. */
#define METAL "young: 200e3, poisson: 0.3, yield: [[0, 250], [0.02, 300]]"
#define PLASTIC_CASE                                                                                                   \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: elasticity\n"                                                                                              \
  "model: plane-strain\n"                                                                                              \
  "strain: finite\n"                                                                                                   \
  "materials:\n"                                                                                                       \
  "  - {on: body, type: plastic, " METAL "}\n"                                                                         \
  "boundary:\n"                                                                                                        \
  "  - {on: left, fix: {x: 0}}\n"                                                                                      \
  "  - {on: bottom, fix: {y: 0}}\n"                                                                                    \
  "  - {on: right, fix: {x: \"0.01*t\"}}\n"                                                                            \
  "time: {end: 1, step: 0.5}\n"                                                                                        \
  "output: {fields: [displacement, plastic-strain], probes: [{name: p, at: [1, 1], field: plastic-strain}]}\n"

static const Row rows[] = {
    {"plain plastic case passes", .case_text = PLASTIC_CASE, .code = 0},
    {"no yield stress", .case_text = PLASTIC_CASE, .code = 3, .edit = {{", yield: [[0, 250], [0.02, 300]]", ""}},
     .said = {"case.yaml:7:5: yield is not given", "remedy: yield: the true stress", "or creep: {norm"}},
    {"a modulus far below zero", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"young: 200e3", "young: -200e3"}},
     .said = {"case.yaml:7:38: young is -200000, must be > 0"}},
    {"a modulus that varies far below zero", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"young: 200e3", "young: \"-200e3 - x\""}},
     .said = {"case.yaml:7:38: young is -2000", "must be above 0"}},
    {"an expansion far below zero", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"300]]", "300]], expansion: -1e4"}},
     .said = {"expansion is -10000, must be above -32"}},
    {"creep without yield stress", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {{"yield: [[0, 250], [0.02, 300]]", "creep: {norm: 1e-15, exponent: 5}"}}},
    {"creep beyond a yield stress", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {{"300]]", "300]], creep: {exponent: 5, norm: 1e-15}"}}},
    {"a bound on the flow of what relaxes", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"strain: finite", "strain: small"},
              {"type: plastic, " METAL, "type: viscoelastic, young: 200e3, poisson: 0.3, prony: [[0.3, 1]]"},
              {"step: 0.5}", "step: 0.5, adaptive: {strain: 1e-3}}"},
              {", plastic-strain]", "]"}},
     .said = {"case.yaml:12:46: strain: the most plastic strain that a step may add, and no material of this case is "
              "plastic"}},
    {"creep without its exponent", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], creep: {norm: 1e-15}"}},
     .said = {"creep must be {norm: ..., exponent: ...}; this is a map of 1"}},
    {"creep of nothing", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], creep: {norm: 0, exponent: 5}"}},
     .said = {"creep has the norm 0 and the exponent 5: both must be > 0"}},
    {"creep with a small exponent", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], creep: {norm: 1, exponent: 0.5}"}}, .said = {"creep exponent is 0.5, must be >= 1"}},
    {"creep that saturates", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"yield: [[0, 250], [0.02, 300]]", "creep: {norm: 1e-15, exponent: 5}, saturation: {to: 3, rate: 1}"}},
     .said = {"saturation is given without yield"}},
#define STILL                                                                                                          \
  { "time: {end: 1, step: 0.5}", "steps: [{name: a, end: 1, step: 0.5, creep: false}]" }
    {"a step without creep", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {{"300]]", "300]], creep: {exponent: 5, norm: 1e-15}"}, STILL}},
    {"a step without creep of what does not", .case_text = PLASTIC_CASE, .code = 3, .edit = {STILL},
     .said = {"case.yaml:12:45: no material creeps; leave 'creep' out"}},
    {"a step without creep of what relaxes", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"strain: finite", "strain: small"},
              {"type: plastic, " METAL, "type: viscoelastic, young: 200e3, poisson: 0.3, prony: [[0.3, 1]]"},
              STILL,
              {", plastic-strain], probes: [{name: p, at: [1, 1], field: plastic-strain}]", "]"}},
     .said = {"creep: false beside a material 'viscoelastic' is not understood", "allowed: materials that are linear"}},
    {"a curve of a test beside a yield stress", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], curve: {file: none.csv, of: engineering}"}},
     .said = {"curve and yield are both given", "allowed: one of the two"}},
    {"a curve that is not there", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"yield: [[0, 250], [0.02, 300]]", "curve: {file: none.csv, of: engineering}"}},
     .said = {"none.csv: cannot open the table"}, .not_said = "yield is not given"},
    {"a curve of something else", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"yield: [[0, 250], [0.02, 300]]", "curve: {file: none.csv, of: rubber}"}}, .said = {"engineering"}},
    {"a curve of what does not flow", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"type: plastic, " METAL, "young: 1, poisson: 0.3, curve: {file: none.csv, of: engineering}"}},
     .said = {"curve is for 'type: plastic'; this is 'isotropic'"}},
#define RELAXES(series)                                                                                                \
  { "type: plastic, " METAL, "type: viscoelastic, young: 1, poisson: 0.3, prony: " series }
#define PROBED                                                                                                         \
  { "displacement, plastic-strain], probes: [{name: p, at: [1, 1], field: plastic-strain}]", "displacement]" }
    {"shear that relaxes", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {RELAXES("[[0.3, 1], [0.2, 10]]"), PROBED, {"strain: finite\n", ""}}},
    {"shear that relaxes, at finite strain", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {RELAXES("[[0.3, 1], [0.2, 10]]"), PROBED}, .said = {"prony is for small strains"}},
    {"shear that relaxes away", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {RELAXES("[[0.5, 1], [0.5, 10]]"), PROBED, {"strain: finite\n", ""}},
     .said = {"prony: the g add up to 1", "allowed: a sum below 1"}},
    {"shear that relaxes at once", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {RELAXES("[[0.5, 0]]"), PROBED, {"strain: finite\n", ""}}, .said = {"prony is 0, must be > 0"}},
    {"a part that grows", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {RELAXES("[[-0.5, 1]]"), PROBED, {"strain: finite\n", ""}},
     .said = {"prony: g of pair 1 is -0.5, must be > 0"}},
    {"five terms", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {RELAXES("[[0.1, 1], [0.1, 2], [0.1, 3], [0.1, 4], [0.1, 5]]"), PROBED, {"strain: finite\n", ""}},
     .said = {"prony has 5 terms; at most 4 are allowed"}},
    {"total strains", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"[[0, 250]", "[[0, 0], [0.00125, 250]"}},
     .said = {"case.yaml:7:5: yield rises from [0, 0] to [0.00125, 250], a slope of 200000 like young, 200000",
              "look like total strains", "total strain - stress / young"}},
    {"a curve from another strain", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"[[0, 250]", "[[0.002, 250]"}},
     .said =
         {"case.yaml:7:5: yield: the curve begins at plastic strain 0 with the yield stress; the first row says 0.002",
          "remedy: [0, stress"}},
    {"a word for yield", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"[[0, 250], [0.02, 300]]", "soft"}},
     .said = {"yield: 'soft' is not a number"}, .not_said = "yield is not given"},
    {"softening", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"[0.02, 300]", "[0.02, 300], [0.05, 280]"}},
     .said = {"case.yaml:7:5: yield falls from 300 to 280 at plastic strain 0.05: softening localises in one element",
              "allowed: a curve that does not fall"}},
    {"strains that do not ascend", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"[0.02, 300]", "[0.02, 300], [0.01, 310]"}}, .said = {"case.yaml:7:66: yield: ", "they must ascend"}},
    {"no yield stress at all", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"[[0, 250]", "[[0, 0]"}},
     .said = {"yield is 0 at plastic strain 0, must be > 0"}},
    {"other units", .case_text = PLASTIC_CASE, .code = 0, .edit = {{"young: 200e3", "young: 210"}},
     .said = {"warning: ", "case.yaml:7:64: yield 250 beside young 210: metals yield below a 50th of it",
              "remedy: the same unit for both"}},
    {"percent", .case_text = PLASTIC_CASE, .code = 0, .edit = {{"[0.02, 300]", "[20, 300]"}},
     .said = {"yield goes to a plastic strain of 20, which looks like percent", "remedy: 0.02 for 2 percent"}},
    {"saturation below", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], saturation: {rate: 8, to: 240}"}},
     .said = {"saturation goes to 240, below the yield stress 250: softening"}},
    {"saturation without its rate", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], saturation: {to: 280}"}},
     .said = {"case.yaml:7:103: saturation must be {to: ..., rate: ...}; this is a map of 1"}},
    {"saturation as a list", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"300]]", "300]], saturation: [280, 8]"}},
     .said = {"saturation must be {to: ..., rate: ...}; this is a list of 2"}},
    {"backstress at finite strain", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {{"300]]", "300]], backstress: [[2e4, 100]]"}}},
    {"backstresses that end at a temperature", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], backstress: [{temperature: 0, table: [[2e4, 9], [1e3, 0]]}, {temperature: 50, table: "
                        "[[2e4, 9]]}]"}},
     .said = {"backstress has 1 terms in its table 2 and 2 in the first"}},
#define STRESSED(word)                                                                                                 \
  { "strain: finite\n", "strain: finite\nanalysis: {type: modal, modes: 2" word "}\n" }
    {"modes about a state", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {STRESSED(", prestress: true"), {"300]]", "300]], density: 1e-9"}}},
    {"modes about a state without density", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {STRESSED(", prestress: true")}, .said = {"density"}},
    {"modes about a state that are not", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {STRESSED(""), {"300]]", "300]], density: 1e-9"}},
     .said = {"case.yaml:6:11: modes at finite strain are those of a body under its load", "'prestress: true'"}},
    {"a frequency of no mode", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {STRESSED(", prestress: true"),
              {"300]]", "300]], density: 1e-9"},
              {"output:", "expect: [{quantity: frequency, value: 1}]\noutput:"}},
     .said = {"frequency needs the key 'mode'"}},
    {"backstress as a number", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"300]]", "300]], backstress: 2e4"}},
     .said = {"backstress must be a list of pairs [stress, number] such as [[2e4, 100], [1e3, 0]]; this is"}},
    {"many backstresses", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], backstress: [[4, 1], [3, 1], [2, 1], [1, 1]]"}},
     .said = {"backstress has 4 terms; at most 3 are allowed"}},
    {"a backstress that does nothing", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], backstress: [[0, 1]]"}}, .said = {"backstress: C of pair 1 is 0, must be > 0"}},
    {"a backstress that grows by itself", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"300]]", "300]], backstress: [[1e3, -1]]"}}, .said = {"backstress is -1, must be >= 0"}},
#define SMALL                                                                                                          \
  { "strain: finite\n", "" }
#define NOT_LINEAR ":22: 'plastic' is not linear, and is solved in load steps"
#define NO_STEPS                                                                                                       \
  { "time: {end: 1, step: 0.5}\n", "" }
#define NO_STATE                                                                                                       \
  { ", plastic-strain], probes: [{name: p, at: [1, 1], field: plastic-strain}]", "]" }
#define ANALYSIS(word)                                                                                                 \
  { "strain: finite\n", "analysis: {" word "}\n" }
    {"small strains", .case_text = PLASTIC_CASE, .code = 0, .edit = {SMALL}},
    {"small strains with backstress", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {SMALL, {"300]]", "300]], backstress: [[2e4, 100]]"}}},
    {"plane stress", .case_text = PLASTIC_CASE, .code = 0, .edit = {SMALL, {"plane-strain", "plane-stress"}}},
    {"modes", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {ANALYSIS("type: modal"), NO_STEPS, NO_STATE, {"0.01*t", "0"}},
     .said = {NOT_LINEAR, "remedy: add 'time:' or 'steps:', and leave 'analysis' out"}},
    {"buckling", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {ANALYSIS("type: buckling"), NO_STEPS, NO_STATE, {"0.01*t", "0"}}, .said = {NOT_LINEAR}},
    {"vibrations", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {ANALYSIS("type: harmonic, frequency: 10"), NO_STEPS, NO_STATE, {"0.01*t", "1"}}, .said = {NOT_LINEAR}},
    {"motion", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {ANALYSIS("type: transient"), {"poisson: 0.3", "poisson: 0.3, density: 1"}}},
    {"motion with damping by the stiffness", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {ANALYSIS("type: transient, damping: {beta: 1}"), {"poisson: 0.3", "poisson: 0.3, density: 1"}}},
    {"motion with structural damping", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {ANALYSIS("type: transient, damping: {loss-factor: 1}"), {"poisson: 0.3", "poisson: 0.3, density: 1"}},
     .said = {"'loss-factor' is for harmonic and transient cases; this is a nonlinear transient case", "dashpot"}},
    {"one step", .case_text = PLASTIC_CASE, .code = 3, .edit = {SMALL, NO_STEPS, NO_STATE, {"\"0.01*t\"", "0.01"}},
     .said = {NOT_LINEAR}},
    {"a bound on flow where nothing flows", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"type: plastic, ", ""},
              {", yield: [[0, 250], [0.02, 300]]", ""},
              NO_STATE,
              {"step: 0.5}", "step: 0.5, adaptive: {strain: 1e-3}}"}},
     .said = {"case.yaml:12:46: strain: the most plastic strain that a step may add, and no material of this case is "
              "plastic",
              "remedy: leave it out"}},
    {"a number for adaptive", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"step: 0.5}", "step: 0.5, adaptive: 3}"}},
     .said =
         {"case.yaml:12:37: adaptive must be true, false or a map with keys from: min, max, strain, cut; this is '3'"}},
    {"an analysis without its braces", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"strain: finite\n", "analysis: modal\n"}},
     .said = {"case.yaml:5:11: analysis must be a map", "did you mean '{type: modal}'?"}},
    {"load cases", .case_text = PLASTIC_CASE, .code = 3,
     .edit = {{"strain: finite\n", "load-cases: [{name: a, boundary: [{on: right, fix: {x: 1}}]}]\n"}},
     .said = {"'load-cases' is for static cases; this is a load-step case"}},
    {"elements that lock", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {SMALL,
              {"{file: square.msh}", "{grid: [3, 3], element: tri3}"},
              {"left, fix: {x: 0}}\n  - {on: bottom", "x0, fix: {x: 0}}\n  - {on: y0"},
              {"right", "x1"}},
     .said =
         {"case.yaml:6:5: 8 tri3 elements of a material that flows without a change of volume: linear elements lock",
          "remedy: mesh: {order: 2}, which makes tet10 of tet4 and tri6 of tri3"}},
    {"elements whose modes keep them from locking", .case_text = PLASTIC_CASE, .code = 0,
     .edit = {SMALL,
              {"{file: square.msh}", "{grid: [3, 3]}\nformulation: incompatible-modes"},
              {"left, fix: {x: 0}}\n  - {on: bottom", "x0, fix: {x: 0}}\n  - {on: y0"},
              {"right", "x1"}},
     .not_said = "lock"},
    {"no time", .case_text = PLASTIC_CASE, .code = 3, .edit = {{"time: {end: 1, step: 0.5}\n", ""}},
     .said = {"needs the key 'time'"}},
};

int main(void) { return table_run("plastic", rows, (int)(sizeof rows / sizeof *rows)); }
