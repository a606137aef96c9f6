/* What a wrong harmonic case must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: analysis 5, materials 7, boundary 9 and 10, output 11, expect 12. */
#define HARMONIC_CASE                                                                                                  \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: elasticity\n"                                                                                              \
  "model: plane-stress\n"                                                                                              \
  "analysis: {type: harmonic, frequency: [1, 2], damping: {loss-factor: 0.1}}\n"                                       \
  "materials:\n"                                                                                                       \
  "  - {on: body, young: 1000, poisson: 0.25, density: 2}\n"                                                           \
  "boundary:\n"                                                                                                        \
  "  - {on: left, fix: all}\n"                                                                                         \
  "  - {on: right, traction: [10, 0]}\n"                                                                               \
  "output: {fields: [displacement, stress, von-mises], probes: [{name: p, at: [1, 1], field: displacement-x}]}\n"      \
  "expect: [{probe: p, frequency: 1, value: 0, atol: 1e9}, {quantity: unknowns, value: 12}]\n"

static const Row rows[] = {
    {"plain harmonic case passes", .case_text = HARMONIC_CASE, .code = 0},
    {"one frequency", .case_text = HARMONIC_CASE, .edit = {{"frequency: [1, 2]", "frequency: 1"}}, .code = 0},
    {"a sweep", .case_text = HARMONIC_CASE, .code = 0,
     .edit = {{"frequency: [1, 2]", "frequency: {from: 1, to: 100, count: 3, spacing: logarithmic}"}}},
    {"damping as a number", .case_text = HARMONIC_CASE, .edit = {{"damping: {loss-factor: 0.1}", "damping: 0.1"}},
     .code = 0},
    {"no damping is a warning", .case_text = HARMONIC_CASE, .edit = {{", damping: {loss-factor: 0.1}", ""}}, .code = 0},
    {"nothing holds it", .case_text = HARMONIC_CASE,
     .edit = {{"  - {on: left, fix: all}\n", ""}, {"value: 12", "value: 18"}}, .code = 0},
    {"nothing holds it at rest", .case_text = HARMONIC_CASE,
     .edit = {{"  - {on: left, fix: all}\n", ""}, {"[1, 2]", "[0, 1]"}}, .code = 3, .said = {"free"}},
    {"by modes", .case_text = HARMONIC_CASE, .edit = {{"[1, 2],", "[1, 2], method: modes, modes: 4,"}}, .code = 0},
    {"by how many modes", .case_text = HARMONIC_CASE, .edit = {{"[1, 2],", "[1, 2], method: modes,"}}, .code = 3,
     .said = {"case.yaml:5:55: method modes needs the key 'modes'"}},
    {"modes of a direct one", .case_text = HARMONIC_CASE, .edit = {{"[1, 2],", "[1, 2], modes: 4,"}}, .code = 3,
     .said = {"case.yaml:5:54: modes are for 'method: modes'; this one is direct"}},
    {"by modes with dashpots", .case_text = HARMONIC_CASE, .code = 3,
     .edit = {{"[1, 2],", "[1, 2], method: modes, modes: 4,"}, {"traction: [10, 0]", "traction: [10, 0], dashpot: 1"}},
     .said = {"case.yaml:5:55: method modes: dashpots couple the modes"}},
    {"by more modes than unknowns", .case_text = HARMONIC_CASE, .code = 3,
     .edit = {{"[1, 2],", "[1, 2], method: modes, modes: 13,"}},
     .said = {"modes is 13; the body has 12 unknowns that are free"}},
    {"by modes, nothing holds it", .case_text = HARMONIC_CASE, .code = 3,
     .edit = {{"  - {on: left, fix: all}\n", ""}, {"[1, 2],", "[1, 2], method: modes, modes: 4,"}}, .said = {"free"}},
    {"unknown type", .case_text = HARMONIC_CASE, .edit = {{"type: harmonic", "type: harmonical"}}, .code = 3,
     .said = {"case.yaml:5:18: unknown type 'harmonical'", "did you mean 'harmonic'?"}},
    {"no frequency", .case_text = HARMONIC_CASE, .edit = {{" frequency: [1, 2],", ""}}, .code = 3,
     .said = {"case.yaml:5:11: analysis needs the key 'frequency': Hz: a number"}},
    {"negative frequency", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "[-1, 2]"}}, .code = 3,
     .said = {"case.yaml:5:40: frequency is -1, must be >= 0 (Hz)"}},
    {"not a number", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "[1, two]"}}, .code = 3,
     .said = {"case.yaml:5:43: frequency: 'two' is not a number"}},
    {"infinite", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "[1, 1e999]"}}, .code = 3,
     .said = {"case.yaml:5:43: frequency"}},
    {"falling frequencies", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "[2, 1]"}}, .code = 3,
     .said = {"case.yaml:5:43: frequency 1 comes after 2; they must rise"}},
    {"empty list", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "[]"}}, .code = 3,
     .said = {"case.yaml:5:39: at must be"}},
    {"half a sweep", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "{from: 1, to: 2}"}}, .code = 3,
     .said = {"case.yaml:5:39: frequency needs a number, a list of numbers, or all of from, to and count"}},
    {"list and sweep", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "{at: 3, from: 1, to: 2, count: 3}"}}, .code = 3,
     .said = {"case.yaml:5:39: frequency has both at and from, to, count"}},
    {"sweep of one", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "{from: 1, to: 2, count: 1}"}}, .code = 3,
     .said = {"case.yaml:5:63: count is 1"}},
    {"backward sweep", .case_text = HARMONIC_CASE, .edit = {{"[1, 2]", "{from: 3, to: 2, count: 3}"}}, .code = 3,
     .said = {"case.yaml:5:46: from is 3, must be less than to, 2"}},
    {"logarithm of zero", .case_text = HARMONIC_CASE,
     .edit = {{"[1, 2]", "{from: 0, to: 2, count: 3, spacing: logarithmic}"}}, .code = 3,
     .said = {"case.yaml:5:46: from is 0, must be > 0"}},
    {"negative damping", .case_text = HARMONIC_CASE, .edit = {{"loss-factor: 0.1", "loss-factor: -0.1, alpha: -1"}},
     .code = 3, .said = {"loss-factor is -0.1, must be >= 0", "alpha is -1, must be >= 0"}},
    {"unknown damping", .case_text = HARMONIC_CASE, .edit = {{"loss-factor: 0.1", "gamma: 0.1"}}, .code = 3,
     .said = {"case.yaml:5:57: unknown key 'gamma' in damping", "allowed: loss-factor, alpha, beta"}},
    {"no density", .case_text = HARMONIC_CASE, .edit = {{", density: 2", ""}}, .code = 3,
     .said = {"case.yaml:7:5: a material needs the key 'density' in a harmonic analysis"}},
    {"density zero", .case_text = HARMONIC_CASE, .edit = {{"density: 2", "density: 0"}}, .code = 3,
     .said = {"case.yaml:7:53: density is 0, must be > 0 in a harmonic analysis"}},
    {"density and frequency wrong together", .case_text = HARMONIC_CASE,
     .edit = {{", density: 2", ""}, {"[1, 2]", "[1, -2]"}}, .code = 3,
     .said = {"case.yaml:5:43: frequency is -2", "case.yaml:7:5: a material needs the key 'density'"}},
    {"a field of statics", .case_text = HARMONIC_CASE, .edit = {{"[displacement, stress", "[displacement, reaction"}},
     .code = 3, .said = {"unknown fields 'reaction'", "allowed: displacement, stress, von-mises"}},
    {"phase of von Mises", .case_text = HARMONIC_CASE,
     .edit = {{"field: displacement-x", "field: von-mises, part: phase"}}, .code = 3,
     .said = {"von-mises has no part 'phase'"}},
    {"z in the plane", .case_text = HARMONIC_CASE, .edit = {{"displacement-x", "displacement-z"}}, .code = 3,
     .said = {"displacement-z: model 'plane-stress' has x and y only"}},
    {"expected elsewhere", .case_text = HARMONIC_CASE, .edit = {{"frequency: 1,", "frequency: 1.5,"}}, .code = 3,
     .said = {"case.yaml:12:32: frequency 1.5 is not one of those of 'analysis:'"}},
    {"a quantity at a frequency", .case_text = HARMONIC_CASE,
     .edit = {{"quantity: unknowns", "quantity: unknowns, frequency: 1"}}, .code = 3,
     .said = {"a quantity is that of the whole run"}},
    {"sums of statics", .case_text = HARMONIC_CASE, .edit = {{"output: {", "output: {sums: [], "}}, .code = 3,
     .said = {"case.yaml:11:10: unknown key 'sums' in output"}},
    {"analysis of heat", .case_text = HARMONIC_CASE, .edit = {{"physics: elasticity", "physics: heat"}}, .code = 3,
     .said = {"unknown key 'analysis' in the case"}},
    {"--set", .case_text = HARMONIC_CASE, .edit = {{"young: 1000", "young: -1"}}, .code = 3, .said = {"young is -1"}},
};

int main(void) { return table_run("harmonic", rows, (int)(sizeof rows / sizeof *rows)); }
