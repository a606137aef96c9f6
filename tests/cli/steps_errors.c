/* What a wrong chain of steps must say, and the exit code. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: boundary 6 and 7, steps 8 to 10. */
#define STEPS_CASE                                                                                                     \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: elasticity\n"                                                                                              \
  "model: plane-strain\n"                                                                                              \
  "materials: [{on: body, young: 10, poisson: 0.3}]\n"                                                                 \
  "boundary: [{on: left, fix: {x: 0}}, {on: left, fix: {y: 0}},\n"                                                     \
  "  {on: right, rigid: {at: [1, 0.5], force: [1, 0]}}]\n"                                                             \
  "steps: [{name: pull, end: 1, step: 0.5},\n"                                                                         \
  "  {name: press, end: 2, step: 0.5, boundary: [{on: right, rigid: {at: [1, 0.5], force: [-1, 0]}}]},\n"              \
  "  {name: rest, end: 3, step: 1}]\n"                                                                                 \
  "output: {probes: [{name: p, at: [1, 1], field: displacement-x}]}\n"                                                 \
  "expect: [{probe: p, value: 0, atol: 1e9, time: 2}]\n"
/* In motion, with one line more. */
#define MOVES                                                                                                          \
  {"model:", "analysis: {type: transient}\nmodel:"}, { "poisson: 0.3", "poisson: 0.3, density: 1" }
#define RIGID "on: right, rigid: {at: [1, 0.5], force: [-1, 0]}"

static const Row rows[] = {
    {"plain chain passes", .case_text = STEPS_CASE, .code = 0},
    {"steps and time", .case_text = STEPS_CASE, .code = 3, .edit = {{"output:", "time: {end: 3, step: 1}\noutput:"}},
     .said = {"case.yaml:8:8: steps, and time at the same time", "allowed: one of the two",
              "remedy: leave 'time' out"}},
    {"an end that does not grow", .case_text = STEPS_CASE, .code = 3, .edit = {{"end: 2", "end: 0.75"}},
     .said = {"case.yaml:9:22: the step ends at 0.75, must end after the one before, at 1"}},
    {"a table of no step", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"output: {", "output: {tables: [{on: right, field: displacement, steps: [rest, push]}], "}},
     .said = {"case.yaml:11:66: there is no step 'push'", "allowed: the names of 'steps'"}},
    {"a table of contact without contact", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"output: {", "output: {tables: [{on: right, field: external-force}], "}},
     .said = {"'external-force' is of contact; the case has no 'contact'"}},
    {"a name twice", .case_text = STEPS_CASE, .code = 3, .edit = {{"name: press", "name: pull"}},
     .said = {"case.yaml:9:10: there is a step 'pull' already, at case.yaml:8:16; choose another name"}},
    {"no step", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"steps: [{name: pull, end: 1, step: 0.5},\n", "steps: []\n"},
              {"  {name: press, end: 2, step: 0.5, boundary: [{" RIGID "}]},\n", ""},
              {"  {name: rest, end: 3, step: 1}]\n", ""},
              {", time: 2", ""}},
     .said = {"case.yaml:8:8: steps is empty", "allowed: [{name: pull"}},
    {"a load step that is longer", .case_text = STEPS_CASE, .code = 3, .edit = {{"end: 3, step: 1", "end: 3, step: 2"}},
     .said = {"case.yaml:10:30: step is 2, longer than all of the step, from 2 to 3"}},
    {"a rigid group elsewhere", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"[1, 0.5], force: [-1", "[1, 0], force: [-1"}},
     .said = {"case.yaml:9:71: step 'press' puts the rigid group at another place than case.yaml:7:27",
              "allowed: the same place in all steps"}},
    {"a rigid group that begins", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"right, rigid: {at: [1, 0.5], force: [1, 0]}", "right, traction: [1, 0]"}},
     .said = {"case.yaml:9:66: the rigid group begins in step 'press'",
              "remedy: 'rigid' in the 'boundary' of the case"}},
    {"a rigid motion that begins", .case_text = STEPS_CASE, .code = 3, .edit = {{"force: [-1, 0]", "fix: {x: 1}"}},
     .said = {"case.yaml:9:90: x of the rigid motion on 'right' begins in step 'press'",
              "allowed: groups that an entry of the 'boundary' of the case holds"}},
    {"a rigid motion that varies with the place", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"force: [1, 0]", "fix: {x: 'y*t'}"}},
     .said = {"x of a rigid motion is one number, or depends on t alone"}},
    {"an unknown group", .case_text = STEPS_CASE, .code = 3, .edit = {{RIGID, "on: rigth, traction: [1, 0]"}},
     .said = {"case.yaml:9:52: unknown group 'rigth'", "did you mean 'right'?"}},
    {"a support that begins", .case_text = STEPS_CASE, .code = 3, .edit = {{RIGID, "on: bottom, fix: {x: 0}"}},
     .said = {"case.yaml:9:69: fix of x on 'bottom' begins in step 'press'",
              "what is held is held from the first step on"}},
    {"some of the groups", .case_text = STEPS_CASE, .code = 3, .edit = {{RIGID, "on: [left, bottom], fix: {x: 0}"}},
     .said = {"case.yaml:9:53: fix on 'left' is there already, at case.yaml:6:28", "remedy: the same list of groups"}},
    {"stiffness of a step", .case_text = STEPS_CASE, .code = 3, .edit = {{RIGID, "on: bottom, spring: 3"}},
     .said = {"case.yaml:9:68: spring is part of the stiffness, which all steps share"}},
    {"a key that steps have not", .case_text = STEPS_CASE, .code = 3, .edit = {{"end: 3, ", "end: 3, every: 1, "}},
     .said = {"case.yaml:10:24: unknown key 'every' in a step",
              "allowed: name, end, step, adaptive, boundary, body, thermal"}},
    {"steps of modes", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"model:", "analysis: {type: modal, modes: 1}\nmodel:"}, {", time: 2", ""}},
     .said = {"'steps' is for finite-strain, load-step, finite-strain transient, finite-strain modal and nonlinear "
              "transient cases; this is "
              "a modal case"}},
    {"a motion passes", .case_text = STEPS_CASE, .code = 0,
     .edit = {MOVES,
              {"step: 0.5},", "step: 0.5, inertia: false, adaptive: {max: 0.5}},"},
              {"end: 3,", "adaptive: {tolerance: 1e-3}, end: 3,"}}},
    {"inertia of load steps", .case_text = STEPS_CASE, .code = 3, .edit = {{"end: 3,", "end: 3, inertia: false,"}},
     .said = {"'inertia' is for finite-strain transient and nonlinear transient cases; this is a load-step case"}},
    {"rest behind motion", .case_text = STEPS_CASE, .code = 3, .edit = {MOVES, {"end: 3,", "end: 3, inertia: false,"}},
     .said = {"case.yaml:11:33: step 'rest' has no inertia, and the one before it has",
              "allowed: 'inertia: false' in the first steps"}},
    {"a step with inertia by tolerance", .case_text = STEPS_CASE, .code = 3,
     .edit = {MOVES, {"end: 3,", "end: 3, adaptive: {max: 1},"}},
     .said = {"adaptive of a step with inertia needs the key 'tolerance'"}},
    {"a step without inertia by tolerance", .case_text = STEPS_CASE, .code = 3,
     .edit = {MOVES, {"step: 0.5},", "step: 0.5, inertia: false, adaptive: {tolerance: 1e-3}},"}},
     .said = {"tolerance is of steps with inertia"}},
    {"a support that jumps", .case_text = STEPS_CASE, .code = 3,
     .edit = {MOVES, {"step: 1}", "step: 1, boundary: [{on: left, fix: {x: 0.5}}]}"}},
     .said = {"case.yaml:11:64: fix of x goes from 0 to 0.5 at once, at t = 2 where the step 'rest' begins",
              "remedy: an expression that begins with the old value"}},
    {"a displacement before load steps", .case_text = STEPS_CASE, .code = 3,
     .edit = {MOVES,
              {"step: 0.5},", "step: 0.5, inertia: false},"},
              {"output:", "initial: {displacement: [x, 0]}\noutput:"}},
     .said = {"displacement is that at the start, where a step without inertia finds its own"}},
    {"small strains beside a rigid group", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"model:", "strain: finite\nmodel:"}, {"end: 1,", "end: 1, strain: small,"}},
     .said = {"case.yaml:9:38: small strains come before finite ones in linear steps alone; here is a rigid group, at "
              "case.yaml:8:",
              "remedy: finite strains in this step too"}},
    {"small strains of rubber", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"model:", "strain: finite\nmodel:"},
              {"body, young", "body, type: neo-hooke, young"},
              {"end: 1,", "end: 1, strain: small,"}},
     .said = {"here is a material that is not linear, at case.yaml:6:"}},
    {"small strains behind large ones", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"model:", "strain: finite\nmodel:"}, {"end: 2,", "end: 2, strain: small,"}},
     .said = {"case.yaml:10:33: step 'press' has small strains, and the one before it has not",
              "allowed: 'strain: small' in the first steps"}},
    {"small strains in all steps", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"model:", "strain: finite\nmodel:"},
              {"end: 1,", "end: 1, strain: small,"},
              {"end: 2,", "end: 2, strain: small,"},
              {"end: 3,", "end: 3, strain: small,"}},
     .said = {"case.yaml:9:38: all steps have small strains",
              "remedy: 'strain: small' of the case, and none in steps"}},
    {"a strain of a step of a case of small strains", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"end: 1,", "end: 1, strain: small,"}},
     .said = {"'strain' is for finite-strain and finite-strain modal cases; this is a load-step case"}},
    {"two references", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"poisson: 0.3", "poisson: 0.3, expansion: 1e-3"},
              {"end: 1,", "end: 1, thermal: {reference: 20, temperature: 50},"},
              {"end: 3,", "end: 3, thermal: {reference: 0, temperature: 20},"}},
     .said = {"case.yaml:10:45: reference is 0, and it is 20 before", "remedy: leave it out here"}},
    {"two forms of a temperature", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"poisson: 0.3", "poisson: 0.3, expansion: 1e-3"},
              {"end: 3,", "end: 3, thermal: {reference: 0, temperature: {field: heat, time: 1}},"}},
     .said = {"time belongs to results; leave it out"}},
    {"heat in motion", .case_text = STEPS_CASE, .code = 0,
     .edit = {MOVES,
              {"poisson: 0.3", "poisson: 0.3, expansion: 1e-3"},
              {"end: 3,", "end: 3, thermal: {reference: 0, temperature: 20},"}}},
#define EQUATION(times)                                                                                                \
  { "steps: [", "equations: [{nodes: [2], components: [y], factors: [1], " times "}]\nsteps: [" }
    {"an equation up to the end of a step", .case_text = STEPS_CASE, .code = 0, .edit = {EQUATION("until: 2")}},
    {"an equation for a time on a rigid group", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"steps: [", "equations: [{nodes: [3], components: [y], factors: [1], until: 2}]\nsteps: ["}},
     .said = {"this constraint depends on what an equation that holds for a time decides"}},
    {"an equation up to a time in a step", .case_text = STEPS_CASE, .code = 3, .edit = {EQUATION("until: 1.5")},
     .said = {"case.yaml:8:64: until is 1.5, where no step ends that another one goes on from"}},
    {"an equation up to the end", .case_text = STEPS_CASE, .code = 3, .edit = {EQUATION("until: 3")},
     .said = {"until is 3, where no step ends that another one goes on from"}},
    {"an equation that ends before it begins", .case_text = STEPS_CASE, .code = 3,
     .edit = {EQUATION("from: 2, until: 1")}, .said = {"until is 1, not behind from, 2"}},
    {"an equation that begins in motion", .case_text = STEPS_CASE, .code = 3, .edit = {MOVES, EQUATION("from: 1")},
     .said = {"an equation that begins in a motion would need an impact"}},
    {"an equation for a time without steps", .case_text = STEPS_CASE, .code = 3,
     .edit = {{"steps: [{name: pull, end: 1, step: 0.5},",
               "equations: [{nodes: [3], components: [y], factors: [1], until: 1}]\ntime: {end: 1, step: 0.5}"},
              {"  {name: press, end: 2, step: 0.5, boundary: [{on: right, rigid: {at: [1, 0.5], force: [-1, 0]}}]},\n",
               ""},
              {"  {name: rest, end: 3, step: 1}]\n", ""},
              {", time: 2", ""}},
     .said = {"'from' and 'until' of an equation are ends of 'steps', and there are none"}},
    {"contact in motion", .case_text = STEPS_CASE, .code = 3,
     .edit = {MOVES, {"end: 3,", "end: 3, contact: [{on: bottom, against: {plane: {at: [0, 0]}}}],"}},
     .said = {"'contact' is for finite-strain, load-step and finite-strain modal cases; this is a nonlinear transient "
              "case"}},
};

int main(void) { return table_run("steps", rows, (int)(sizeof rows / sizeof *rows)); }
