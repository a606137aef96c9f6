/* What a wrong modal case must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: analysis 5, materials 7, boundary 9, output 10, expect 11. */
#define MODAL_CASE                                                                                                     \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: elasticity\n"                                                                                              \
  "model: plane-stress\n"                                                                                              \
  "analysis: {type: modal, modes: 3}\n"                                                                                \
  "materials:\n"                                                                                                       \
  "  - {on: body, young: 1000, poisson: 0.25, density: 2}\n"                                                           \
  "boundary:\n"                                                                                                        \
  "  - {on: left, fix: all}\n"                                                                                         \
  "output: {fields: [displacement, stress, von-mises], probes: [{name: p, at: [1, 1], field: displacement-x}]}\n"      \
  "expect: [{probe: p, mode: 1, value: 0, atol: 1e9}, {quantity: unknowns, value: 12}]\n"

static const Row rows[] = {
    {"plain modal case passes", .case_text = MODAL_CASE, .code = 0},
    {"nothing holds it", .case_text = MODAL_CASE, .code = 0,
     .edit = {{"  - {on: left, fix: all}\n", "  - {on: left, spring: 0}\n"}, {"value: 12", "value: 18"}}},
    {"unknown type", .case_text = MODAL_CASE, .edit = {{"type: modal", "type: model"}}, .code = 3,
     .said = {"case.yaml:5:18: unknown type 'model'", "allowed: static, harmonic, modal, buckling",
              "did you mean 'modal'?"}},
    {"no number of modes", .case_text = MODAL_CASE, .edit = {{", modes: 3", ""}}, .code = 3,
     .said = {"case.yaml:5:11: analysis needs the key 'modes': how many"}},
    {"no modes", .case_text = MODAL_CASE, .edit = {{"modes: 3", "modes: 0"}}, .code = 3,
     .said = {"case.yaml:5:32: modes is 0, must lie in [1, 200]"}},
    {"half a mode", .case_text = MODAL_CASE, .edit = {{"modes: 3", "modes: 2.5"}}, .code = 3,
     .said = {"case.yaml:5:32: modes"}},
    {"more modes than there may be", .case_text = MODAL_CASE, .edit = {{"modes: 3", "modes: 1000"}}, .code = 3,
     .said = {"case.yaml:5:32: modes is 1000, must lie in [1, 200]"}},
    {"more modes than unknowns", .case_text = MODAL_CASE, .edit = {{"modes: 3", "modes: 13"}}, .code = 3,
     .said =
         {"case.yaml:5:32: modes is 13; the body has 12 unknowns that are free and 0 rigid motions, so there are 12 "
          "modes",
          "ask for fewer modes"}},
    {"more modes than elastic unknowns", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"modes: 3", "modes: 16"}, {"  - {on: left, fix: all}\n", "  - {on: left, spring: 0}\n"}},
     .said = {"modes is 16; the body has 18 unknowns that are free and 3 rigid motions, so there are 15 modes"}},
    {"a body without mass", .case_text = MODAL_CASE, .edit = {{", density: 2", ""}}, .code = 3,
     .said = {"case.yaml:7:5: a material needs the key 'density' in a modal analysis"}},
    {"mass of zero", .case_text = MODAL_CASE, .edit = {{"density: 2", "density: 0"}}, .code = 3,
     .said = {"case.yaml:7:53: density is 0, must be > 0 in a modal analysis: a body without mass has no vibrations"}},
    {"a load", .case_text = MODAL_CASE,
     .edit = {{"  - {on: left, fix: all}\n", "  - {on: left, fix: all}\n  - {on: right, traction: [1, 0]}\n"}},
     .code = 3, .said = {"case.yaml:10:27: traction does not act on the modes of an unloaded body"}},
    {"a load about a point", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"  - {on: left, fix: all}\n",
               "  - {on: left, fix: all}\n  - {on: right, distribute: {at: [0, 0], force: [1, 0]}}\n"}},
     .said = {"distribute does not act on the modes of an unloaded body"}},
    {"a load on a rigid group", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"  - {on: left, fix: all}\n",
               "  - {on: left, fix: all}\n  - {on: right, rigid: {at: [0, 0], moment: 1}}\n"}},
     .said = {"moment of rigid does not act on the modes of an unloaded body"}},
    {"a load that makes stress", .case_text = MODAL_CASE, .code = 0,
     .edit = {{"modes: 3}", "modes: 3, prestress: true}"},
              {"  - {on: left, fix: all}\n", "  - {on: left, fix: all}\n  - {on: right, traction: [1, 0]}\n"}}},
    {"stress of a body that is free", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"modes: 3}", "modes: 3, prestress: true}"},
              {"  - {on: left, fix: all}\n", "  - {on: right, traction: [1, 0]}\n"}},
     .said = {"the body", "can move freely"}},
    {"stress all around", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"modes: 3}", "modes: 3, prestress: true}"}, {"plane-stress", "axisymmetric"}},
     .said = {"model 'axisymmetric' has no modes under stress"}},
    {"buckling", .case_text = MODAL_CASE, .code = 0,
     .edit = {{"type: modal", "type: buckling"},
              {"  - {on: left, fix: all}\n", "  - {on: left, fix: all}\n  - {on: right, traction: [-1, 0]}\n"}}},
    {"buckling without a load", .case_text = MODAL_CASE, .code = 3, .edit = {{"type: modal", "type: buckling"}},
     .said = {"case.yaml:5:11: nothing acts on the body", "remedy: a load in 'boundary' or 'body'"}},
    {"buckling under a pull", .case_text = MODAL_CASE, .code = 6, .solving = true,
     .edit = {{"type: modal", "type: buckling"},
              {"  - {on: left, fix: all}\n", "  - {on: left, fix: all}\n  - {on: right, traction: [1, 0]}\n"}},
     .said = {"case.yaml:5:11: ", "none of 3 load factors are positive"}},
    {"buckling by no heat", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"type: modal", "type: buckling"},
              {"density: 2}", "density: 2, expansion: 3e-6}"},
              {"output:", "thermal: {temperature: 0}\noutput:"}},
     .said = {"case.yaml:5:11: nothing acts on the body"}},
    {"buckling by heat that is 0 everywhere", .case_text = MODAL_CASE, .code = 3, .solving = true,
     .edit = {{"type: modal", "type: buckling"},
              {"density: 2}", "density: 2, expansion: 3e-6}"},
              {"output:", "thermal: {temperature: \"0*x\"}\noutput:"}},
     .said = {"case.yaml:5:11: the load leaves the body without stress, so that nothing buckles"}},
    {"buckling by heat that the body follows", .case_text = MODAL_CASE, .code = 3, .solving = true,
     .edit = {{"type: modal", "type: buckling"},
              {"density: 2}", "density: 2, expansion: 3e-6}"},
              {"{on: left, fix: all}", "{on: left, fix: {x: 0}}\n  - {on: bottom, fix: {y: 0}}"},
              {"output:", "thermal: {temperature: 40, reference: 17}\noutput:"}},
     .said = {"the load leaves the body without stress", "remedy: supports that hold it, or a load that presses"}},
    {"masses too far apart", .case_text = MODAL_CASE, .code = 6, .solving = true,
     .edit = {{"{file: square.msh}", "{grid: [9, 9], size: [1, 1], order: 2}"},
              {"on: left", "on: x0"},
              {"density: 2", "density: \"1e-20 + step(x - 0.6)*1e20\""}},
     .said = {"value 1 has a relative residual of", "from rounding alone", "likely: densities or moduli"}},
    {"load cases", .case_text = MODAL_CASE, .edit = {{"output:", "load-cases: []\noutput:"}}, .code = 3,
     .said = {"'load-cases' is for static cases; this is a modal case", "remedy: a case file of its own"}},
    {"a mass that is nowhere", .case_text = MODAL_CASE, .edit = {{"density: 2", "density: \"max(0, 0.25 - x)\""}},
     .code = 3, .solving = true, .said = {"case.yaml:7:53: ", "have no mass", "remedy: a density > 0 there"}},
    {"buckling asked for a frequency", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"type: modal", "type: buckling"}, {"quantity: unknowns", "mode: 1, quantity: frequency"}},
     .said = {"quantity: 'frequency' is for modal and finite-strain modal cases; this is a buckling case",
              "allowed: unknowns, iterations, rigid-motions, load-factor"}},
    {"modes asked for a factor", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"quantity: unknowns", "mode: 1, quantity: load-factor"}},
     .said = {"quantity: 'load-factor' is for buckling cases; this is a modal case"}},
    {"gravity", .case_text = MODAL_CASE, .edit = {{"output:", "body: [{on: body, gravity: [0, 1]}]\noutput:"}},
     .code = 3, .said = {"body does not act on the modes of an unloaded body"}},
    {"a mode that is not found", .case_text = MODAL_CASE, .edit = {{"mode: 1", "mode: 4"}}, .code = 3,
     .said = {"case.yaml:11:27: mode is 4, and modes: 3 of 'analysis:' are found"}},
    {"frequency of no mode", .case_text = MODAL_CASE, .edit = {{"quantity: unknowns", "quantity: frequency"}},
     .code = 3, .said = {"frequency needs the key 'mode'"}},
    {"unknowns of a mode", .case_text = MODAL_CASE, .code = 3,
     .edit = {{"{quantity: unknowns,", "{quantity: unknowns, mode: 1,"}},
     .said = {"unknowns belongs to the whole run"}},
    {"a frequency to be found at", .case_text = MODAL_CASE, .edit = {{"mode: 1", "frequency: 1"}}, .code = 3,
     .said = {"case.yaml:11:21: 'frequency' is for harmonic cases; this is a modal case"}},
};

int main(void) { return table_run("modal", rows, (int)(sizeof rows / sizeof *rows)); }
