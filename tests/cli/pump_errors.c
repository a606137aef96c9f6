/* What a wrong case of a body of muscle must say, with a circulation, cavities and cells, and the exit code; and what a run that
 * is no heart's is warned of. */
#include "tests/cli/small_mesh.h"
#include "tests/cli/table.h"

/* Line numbers matter: muscle 6, boundary 8 and 9, cavities 11, circulation 12 to 16, time 17. */
#define TENSION "value: \"20*sin(pi*t/400)^2\", form: stretch"
#define PUMP                                                                                                           \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: electromechanics\n"                                                                                        \
  "model: plane-strain\n"                                                                                              \
  "muscle:\n"                                                                                                          \
  "  - {on: body, type: neo-hooke, shear: 4, bulk: 4, fibers: {direction: [1, 0]}, tension: {" TENSION "}}\n"          \
  "boundary:\n"                                                                                                        \
  "  - {on: [low, up], symmetry: true}\n"                                                                              \
  "  - {on: out, fix: all}\n"                                                                                          \
  "cavities:\n"                                                                                                        \
  "  - {name: lv, on: endo, pressure: 0.6}\n"                                                                          \
  "circulation:\n"                                                                                                     \
  "  cycle: 400\n"                                                                                                     \
  "  lv:\n"                                                                                                            \
  "    from: {pressure: 0.6, valve: {open: 2}}\n"                                                                      \
  "    to: {valve: {open: 2}, windkessel: {zc: 8, r: 130, c: 9, pressure: 1}}\n"                                       \
  "time: {end: 400, step: 20}\n"
#define LAND(step)                                                                                                     \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: electromechanics\n"                                                                                        \
  "model: plane-strain\n"                                                                                              \
  "muscle:\n"                                                                                                          \
  "  - {on: body, type: neo-hooke, shear: 4, bulk: 4, fibers: {direction: [1, 0]}, tension: {model: land, calcium: "   \
  "10}}\n"                                                                                                             \
  "boundary:\n"                                                                                                        \
  "  - {on: [low, up], symmetry: true}\n"                                                                              \
  "  - {on: endo, fix: {x: 0}}\n"                                                                                      \
  "  - {on: out, fix: {x: \"0.01*t\"}}\n"                                                                              \
  "time: {end: 300, step: " step "}\n"                                                                                 \
  "output: {every: 60}\n"
/* Line numbers matter: tissue 5, muscle 7, time 11. */
#define CELLS                                                                                                          \
  "version: 1\n"                                                                                                       \
  "mesh: {grid: [2, 2, 2], size: [1, 1, 1]}\n"                                                                         \
  "physics: electromechanics\n"                                                                                        \
  "tissue:\n"                                                                                                          \
  "  - {on: body, ionic: ten-tusscher, diffusivity: 0.1, fibers: {direction: [1, 0, 0]}}\n"                            \
  "muscle:\n"                                                                                                          \
  "  - {on: body, type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 600, tension: {model: land}}\n"                    \
  "boundary:\n"                                                                                                        \
  "  - {on: x0, fix: all}\n"                                                                                           \
  "output: {every: 1}\n"                                                                                               \
  "time: {end: 2, step: 1, cells: {step: 0.05}}\n"
/* A chamber around a wall that a stimulus excites. Line numbers matter: stimuli 10, circulation 12. */
#define BEATING(stimulus)                                                                                              \
  "version: 1\n"                                                                                                       \
  "mesh: {file: square.msh}\n"                                                                                         \
  "physics: electromechanics\n"                                                                                        \
  "model: plane-strain\n"                                                                                              \
  "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 0.1, fibers: {direction: [1, 0]}}]\n"                         \
  "muscle: [{on: body, type: neo-hooke, shear: 4, bulk: 4, tension: {model: land}}]\n"                                 \
  "boundary:\n"                                                                                                        \
  "  - {on: [low, up], symmetry: true}\n"                                                                              \
  "  - {on: out, fix: all}\n"                                                                                          \
  "stimuli: [{name: s, on: endo, depth: 0.1, duration: 2, amplitude: 50" stimulus "}]\n"                               \
  "cavities: [{name: lv, on: endo, pressure: 0}]\n"                                                                    \
  "circulation: {cycle: 10, lv: {from: {pressure: 1, valve: 2}, to: {valve: 2, pressure: 9}}}\n"                       \
  "time: {end: 30, step: 1, cells: {step: 0.05}}\n"
#define ON_WALL .mesh = WALL_MESH
#define HIGH_WALL                                                                                                      \
  .mesh_edit = {{"4 50 10 0\n5 55 10 0\n6 60 10 0", "4 50 400 0\n5 55 400 0\n6 60 400 0"},                             \
                {"7 50 20 0\n8 55 20 0\n9 60 20 0", "7 50 800 0\n8 55 800 0\n9 60 800 0"}}

static const Row rows[] = {
    {"a pump passes", .case_text = PUMP, ON_WALL, .code = 0, .not_said = "warning"},
    {"a metal of the library", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{"type: neo-hooke", "name: steel"}},
     .said = {"case.yaml:6:16: unknown key 'name' in an entry of muscle"}},
    {"a body inside", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"on: endo, pressure", "on: out, pressure"}, {"on: out, fix", "on: endo, fix"}},
     .said = {"case.yaml:11:", "the surface 'out' has the body inside, not a cavity: the volume behind it is -1.2 mL",
              "remedy: the group of the facets that look into the cavity"}},
    {"a field far down the list, misspelt", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"time: {end", "output: {probes: [{name: a, at: [55, 10], field: fiber-strech}]}\ntime: {end"}},
     .said = {"unknown field 'fiber-strech'", ", fiber-stretch, ", "did you mean 'fiber-stretch'?"}},
    {"a rim that nothing holds", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{"on: [low, up]", "on: low"}},
     .said = {"case.yaml:11:",
              "the surface 'endo' encloses no volume: 1 of its edges are open, the first near (50, 20, 0)",
              "allowed: a closed surface", "remedy: add the facets", "'lid: carries'"}},
    {"facets of two cavities", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"pressure: 0.6}\ncirc", "pressure: 0.6}\n  - {name: rv, on: half, pressure: 1}\ncirc"}},
     .said = {"case.yaml:12:", "'half' shares facets with the volume of", "case.yaml:11:"}},
    {"a cavity that is not there", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{"  lv:\n", "  lw:\n"}},
     .said = {"case.yaml:14:3: there is no cavity 'lw' in 'cavities'", "did you mean 'lv'?",
              "remedy: the name of a cavity"}},
    {"names that columns cannot have", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"name: lv, on: endo", "name: \"l,v\", on: endo"}, {"  lv:\n", "  \"l,v\":\n"}},
     .said = {"case.yaml:11:12: a name of a cavity is at most 23 bytes and has no comma"}},
    {"a cavity called as a vessel", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"pressure: 0.6}\ncirc", "pressure: 0.6}\n  - {name: lv-artery, on: out, pressure: 1}\ncirc"}},
     .said = {"two of cavities, chambers and vessels are called 'lv-artery'", "remedy: another name"}},
    {"an empty name", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{"name: lv, on: endo", "name: \"\", on: endo"}},
     .said = {"case.yaml:11:12: name must be a text"}},
    {"a cavity without a name", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"  - {name: lv, on: endo, pressure: 0.6}", "  - 2.5"}},
     .said = {"case.yaml:11:", "case.yaml:14:3: there is no cavity 'lv' in 'cavities'"}},
    {"no resistance", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{"r: 130", "r: 0"}},
     .said = {"case.yaml:16:51: r is 0, must be > 0"}},
    {"a negative compliance", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{"c: 9", "c: -9"}},
     .said = {"case.yaml:16:59: c is -9, must be > 0"}},
    {"a valve that opens when closed", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"{open: 2}}\n", "{open: 2, closed: 1}}\n"}},
     .said = {"case.yaml:15:41: open is 2 and closed is 1", "allowed: open < closed"}},
    {"a model of tension in a file", .case_text = LAND("2"), ON_WALL, .code = 3,
     .edit = {{"model: land", "model: rice.cellml"}},
     .said = {"case.yaml:6:", "unknown model 'rice.cellml'", "allowed: land, goektepe-kuhl", "{file: stress.model}"}},
    {"a file of tension that is not there", .case_text = LAND("2"), ON_WALL, .code = 3,
     .edit = {{"model: land", "file: nowhere.model"}},
     .said = {"case.yaml:6:", "nowhere.model: cannot open the cell model"}},
    {"a file of tension and a model", .case_text = LAND("2"), ON_WALL, .code = 3,
     .edit = {{"model: land", "model: land, file: nowhere.model"}},
     .said = {"case.yaml:6:", "file and model are both given"}},
    {"parameters of a file that is not there", .case_text = LAND("2"), ON_WALL, .code = 3,
     .edit = {{"model: land", "model: land, parameters: {Tref: 100}"}},
     .said = {"case.yaml:6:", "parameters is of a model of tension from a file", "remedy: leave it out"}},
    {"a model of tension of openCARP", .case_text = LAND("2"), ON_WALL, .code = 3,
     .edit = {{"model: land", "model: LandHumanStress"}},
     .said = {"case.yaml:6:", "unknown model 'LandHumanStress'", "did you mean 'land', of Land et al. 2017"}},
    {"a tension without a form", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{TENSION, "value: 20"}},
     .said = {"case.yaml:6:", "tension has a value and no 'form'", "allowed: form: stretch", "form: invariant"}},
    {"a pressure and a volume", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"pressure: 0.6}\ncirc", "pressure: 0.6, volume: V0}\ncirc"}},
     .said = {"case.yaml:11:", "'lv' is a chamber of the circulation, which gives its volume", "remedy: 'pressure'"}},
    {"a loaded cavity that is not there", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"circulation:", "unload: {lvv: 0.6}\ncirculation:"}},
     .said = {"case.yaml:12:10: there is no cavity 'lvv' in 'cavities'", "did you mean 'lv'?",
              "allowed: names of cavities"}},
    {"a mesh under no load", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"circulation:", "unload: {lv: 0, tolerance: 1e-4}\ncirculation:"}},
     .said = {"case.yaml:12:", "no cavity has a pressure in the mesh", "such as: unload: {lv: 1.2}, kPa"}},
    {"a mesh under suction, found to nothing", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"circulation:", "unload: {lv: -1, tolerance: 0}\ncirculation:"}},
     .said = {"case.yaml:12:10: lv is -1 kPa, must be >= 0", "case.yaml:12:18: tolerance is 0 mm, must be > 0"}},
    {"a volume of two bodies", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"pressure: 0.6}\ncirculation:", "volume: 0.9*V0}\nunload: {lv: 1}\nboundary_:"}},
     .said = {"V0 is the volume of the mesh, and with 'unload' the body begins with another one",
              "remedy: 'pressure', or a volume in mL without V0"}},
    {"a body without load, of cavities without a name", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"circulation:", "unload: {ll: 1}\ncirculation:"}, {"name: lv, on: endo", "on: endo"}},
     .said = {"there is no cavity 'll' in 'cavities'", "allowed: names of cavities"}},
    {"fibres of ellipsoids that are left", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"circulation:", "unload: {lv: 1}\ncirculation:"},
              {"fibers: {direction: [1, 0]}", "fibers: {rule: ellipsoid, inner: [7, 17], outer: [10, 20]}"}},
     .said = {"the ellipsoids of this rule are not those of the body without load", "allowed: rule: ldrb"}},
    {"a body that cannot be found", .case_text = PUMP, ON_WALL, .code = 6, .solving = true,
     .edit = {{"circulation:", "unload: {lv: 80}\ncirculation:"}},
     .said = {"while the body without load was found: no body on the way to it can be filled",
              "remedy: less pressure under 'unload:'"}},
    {"fibres given twice", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"fibers: {direction: [1, 0]}", "axes: {fibers: {direction: [0, 1]}}, fibers: {direction: [1, 0]}"}},
     .said = {"case.yaml:6:89: fibers of this muscle are given twice, here and in 'axes'", "remedy: leave one out"}},
    {"beats of an open loop alone", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"cycle: 400\n", "cycle: 400\n  begin: {beats: 5}\n"}},
     .said = {"case.yaml:14:10: 'begin' is of beats without the body, and an open loop has none",
              "remedy: leave it out, or 'model: closed-loop'"}},
    {"a beat that ends within a step", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"output:", "cavities: [{name: lv, on: x1, pressure: 0}]\ncirculation: {cycle: 10.5, lv: {from: "
                          "{pressure: 1, valve: 2}, to: {valve: 2, pressure: 9}}}\noutput:"}},
     .said = {"case.yaml:11:22: cycle is 10.5 ms, must be a multiple of the step of the body, 1 ms"}},
    {"a chamber without room", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"output:", "cavities: [{name: lv, on: x1, pressure: 0, lid: carries}]\ncirculation: {cycle: 10, lv: "
                          "{from: {pressure: 1, valve: 2}, to: {valve: 2, pressure: 9}}}\noutput:"}},
     .said = {"case.yaml:10:", "the surface 'x1' encloses no volume, and a chamber of the circulation must hold blood",
              "remedy: the group of the facets that look into the cavity"}},
    {"beats without a pulse", .case_text = BEATING(""), ON_WALL, .code = 0,
     .said = {"case.yaml:12:22: no stimulus begins in the last of 3 beats", "remedy: 'period: 10' of a stimulus"}},
    {"pulses of another length", .case_text = BEATING(", period: 8"), ON_WALL, .code = 0,
     .said = {"case.yaml:12:22: a beat lasts 10 ms, and stimulus 's' repeats every 8 ms"},
     .not_said = "no stimulus begins"},
    {"less than a beat", .case_text = PUMP, ON_WALL, .code = 0, .solving = true, .edit = {{"end: 400", "end: 200"}},
     .said = {"warning: the run ends at 200 ms, before the end of its first beat, which lasts 400 ms",
              "remedy: a later 'end'"}},
    {"one beat that repeats", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"step: 20", "step: 20, until: {periodic: 0.01}"}},
     .said = {"case.yaml:17:13: end is 400 ms, and two beats of 400 ms are the least that can repeat",
              "remedy: a later 'end'"}},
    {"beats without a length", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"step: 20", "step: 20, until: 0.01"}, {"  cycle: 400\n", ""}},
     .said = {"case.yaml:16:35: beats until they repeat, and nothing says how long a beat is", "remedy: 'cycle'"}},
    {"beats that do not repeat", .case_text = PUMP, ON_WALL, .code = 0, .solving = true,
     .edit = {{"end: 400, step: 20", "end: 800, step: 40, until: 1e-9"}},
     .said = {"warning: beats do not repeat after 2 of them: volumes still change by", "and 1e-09 would do",
              "remedy: more beats"}},
    {"a filling that beats do not reach", .case_text = PUMP, ON_WALL, .code = 0, .solving = true,
     .edit = {{"on: endo, pressure: 0.6", "on: endo, pressure: 6"}},
     .said = {"warning: case.yaml:11:5: 'lv' was filled to 6 kPa before t = 0, and is at",
              "remedy: a smaller resistance of 'from'"}},
    {"a filling that fails", .case_text = PUMP, ON_WALL, .code = 6, .solving = true,
     .edit = {{"neo-hooke, shear: 4, bulk: 4", "guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 4"},
              {"on: endo, pressure: 0.6", "on: endo, pressure: 60"}},
     .said = {"while cavities were filled, before t = 0: 'lv' came to 9.61 of 60 kPa", "remedy: less pressure"}},
    {"a mesh of another unit", .case_text = PUMP, ON_WALL, .code = 0, .solving = true,
     .edit = {{"square.msh", "square.msh, scale: 1e3"}},
     .said = {"warning: case.yaml:11:5: 'lv' holds", "and hearts hold up to 300",
              "remedy: check the unit of the mesh"}},
    {"a heart that does not eject", .case_text = PUMP, ON_WALL, HIGH_WALL, .code = 0, .solving = true,
     .edit = {{"20*sin", "0*sin"}},
     .said = {"warning: case.yaml:11:5: 'lv' ejects", "hearts of this size eject 10 to 80 %",
              "remedy: check the unit of the tension"}},
    {"stretches and tensions of no muscle", .case_text = LAND("2"), ON_WALL, .code = 0, .solving = true,
     .said = {"warning: fibres are stretched to less than 0.8 or more than 1.25 in 100 % of the muscle at t = 300 ms",
              "remedy: loads that hold the muscle", "warning: the mean tension is", "hearts pull with less than 150",
              "remedy: check the unit of the tension"}},
    {"calcium below nothing", .case_text = LAND("2"), ON_WALL, .code = 3, .solving = true,
     .edit = {{"calcium: 10", "calcium: \"0.1 - 0.01*t\""}},
     .said = {"case.yaml:6:", "the drive of the active tension is -0.02 at", "and the time 12; it must be at least 0"}},
    {"calcium in mM", .case_text = LAND("2"), ON_WALL, .code = 0, .edit = {{"calcium: 10", "calcium: 0.0004"}},
     .said = {"warning: ", "case.yaml:6:", "the calcium is at most 0.0004 uM", "which is uM: 1 mM is 1000"}},
    {"muscle that pushes", .case_text = PUMP, ON_WALL, .code = 3, .edit = {{TENSION, "value: -5, form: stretch"}},
     .said = {"case.yaml:6:", "the tension is -5, must be >= 0: muscle pulls"}},
    {"muscle that comes to push", .case_text = PUMP, ON_WALL, .code = 3, .solving = true,
     .edit = {{TENSION, "value: \"2 - 0.05*t\", form: stretch"}},
     .said = {"case.yaml:6:", "the active tension is -1 at", "and the time 60; it must be at least 0"}},
    {"muscle that ends with rounding", .case_text = PUMP, ON_WALL, .code = 0,
     .edit = {{TENSION, "value: \"20*sin(pi*t/200)*step(201-t)\", form: stretch"}}, .not_said = "the active tension"},
    {"a tolerance that takes the mesh as it is", .case_text = PUMP, ON_WALL, .code = 0, .solving = true,
     .edit = {{"time:", "unload: {lv: 0.5, tolerance: 50}\ntime:"}},
     .said = {"warning: ", "case.yaml:17:", "mm from the mesh, and 'tolerance' is 50: it counts as the body without"}},
    {"the pressure of no cavity", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"time:", "output: {sums: [{name: v, on: out, field: volume}]}\ntime:"}},
     .said = {"volume of 'out': no entry of 'cavities' is there", "allowed: the groups of a cavity"}},
    {"a helix in radians", .case_text = CELLS, .code = 0,
     .edit = {{"grid: [2, 2, 2]", "grid: [4, 4, 4]"},
              {"fibers: {direction: [1, 0, 0]}",
               "fibers: {rule: ldrb, lv: y0, epi: y1, base: x1, alpha: {endo: 1.05, epi: -1.05}}"}},
     .said = {"warning: ", "case.yaml:5:", "alpha is 1.05 inside and -1.05 outside, in degrees", "1 rad is 57.3"}},
    {"cells that nothing starts", .case_text = CELLS, .code = 0,
     .said = {"warning: ", "case.yaml:5:3: there is no stimulus", "remedy: stimuli: "}},
    {"keys of elasticity", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"time:", "contact: []\nstrain: finite\ntime:"}},
     .said = {"case.yaml:17:1: contact belongs to 'physics: elasticity'; a body of muscle does not have it",
              "whose materials pull by 'active'", "case.yaml:18:1: strain is always finite where there is muscle"}},
    {"a strain, and nothing that follows from it", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"time:", "strain: finite\ntime:"}}, .said = {"case.yaml:17:1: strain is always finite"},
     .not_said = "neither a number nor an expression"},
    {"an analysis, and nothing that follows from it", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"time:", "analysis: {type: modal}\ntime:"}}, .said = {"case.yaml:17:1: analysis belongs to"},
     .not_said = "neither a number nor an expression"},
    {"a long step", .case_text = LAND("3"), ON_WALL, .code = 0,
     .said = {"warning: ", "case.yaml:11:24: steps of 3 are longer than 2 ms", "remedy: a 'step' of 1, in ms"}},
    {"a torso, and a word for conduction", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"output: {every: 1}", "conduction: in-spcae\noutput: {every: 1, torso: true}"}},
     .said = {"case.yaml:10:13: unknown conduction 'in-spcae'", "did you mean 'in-space'",
              "torso is solved for around a body at rest"}},
    {"a cavity with the pressure of its mesh", .case_text = PUMP, ON_WALL, .code = 0,
     .edit = {{"circulation:", "unload: {lv: 1}\ncirculation:"}, {"on: endo, pressure: 0.6}", "on: endo}"}}},
    {"loops of a cavity that is not there", .case_text = PUMP, ON_WALL, .code = 3,
     .edit = {{"time: {end", "output: {loops: [lw]}\ntime: {end"}},
     .said = {"case.yaml:17:18: there is no cavity 'lw' in 'cavities'", "did you mean 'lv'?"}},
    {"loops as they are", .case_text = PUMP, ON_WALL, .code = 0,
     .edit = {{"time: {end", "output: {every: 100, loops: [lv], sample: 20}\ntime: {end"}}, .not_said = "warning"},
    {"loops less often", .case_text = PUMP, ON_WALL, .code = 0,
     .edit = {{"time: {end", "output: {loops: [lv], sample: 40}\ntime: {end"}},
     .said = {"warning: case.yaml:17:31: loops.csv has a row for each step of the body, 20 ms, not for every 40"}},
    {"a law without a bulk modulus", .case_text = CELLS, .mesh = "", .code = 0, .edit = {{", bulk: 600", ""}}},
    {"linear tetrahedra", .case_text = CELLS, .mesh = "", .code = 0,
     .edit = {{"grid: [2, 2, 2], size: [1, 1, 1]", "grid: [2, 2, 2], size: [1, 1, 1], element: tet4"}},
     .said = {"warning: grid: 6 tet4 elements: linear tetrahedra are too stiff", "remedy: mesh: {order: 2}"}},
    {"elements that are long for a wave", .case_text = CELLS, .mesh = "", .code = 0,
     .edit = {{"diffusivity: 0.1", "diffusivity: 1"}},
     .said = {"the mesh is coarse for the wave front", "remedy: 'refine: 1' under 'cells:'"},
     .not_said = "change nothing"},
    {"what goes by a body that has two places", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"ionic: ten-tusscher, ", "ionic: ten-tusscher, stretch-current: 0.1, "},
              {"output:",
               "conduction: in-space\ncavities: [{name: lv, on: x1, pressure: 1}]\nunload: {lv: 1}\noutput:"}},
     .said = {"case.yaml:10:13: conduction in space goes by where the body is", "remedy: leave one of the two out"}},
    {"channels of fibres that are not there", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"ionic: ten-tusscher, ", "ionic: ten-tusscher, stretch-current: 0.1, "},
              {", fibers: {direction: [1, 0, 0]}", ""}},
     .said = {"stretch-current goes by the stretch of fibres, and this tissue has none", "remedy: 'fibers' beside it"}},
    {"cells without calcium", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"ionic: ten-tusscher", "ionic: aliev-panfilov"}},
     .said = {"case.yaml:7:", "aliev-panfilov has no calcium", "allowed: ", "ten-tusscher",
              "remedy: another ionic model, or model: goektepe-kuhl, which goes by the potential"}},
    {"steps of the cells that do not fit", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"step: 0.05", "step: 0.3"}},
     .said = {"case.yaml:11:39: step of the cells is 0.3 ms, and that of the body, 1 ms, is not a multiple of it",
              "such as: 0.25"}},
    {"an element that is inverted", .case_text = CELLS, .mesh = CUBE_MESH, .code = 4,
     .edit = {{"grid: [2, 2, 2], size: [1, 1, 1]", "file: square.msh"}}, .mesh_edit = {{"5 0 0 1\n", "5 0 0 -1\n"}},
     .said = {"element is inverted or without volume"}},
    {"cells around an axis", .case_text = CELLS, .mesh = "", .code = 3,
     .edit = {{"physics: electromechanics", "physics: electromechanics\nmodel: axisymmetric"}},
     .said = {"case.yaml:4:8: cells around an axis are not there yet", "remedy: 'model: 3d'"}},
};

int main(void) { return table_run("pump errors", rows, (int)(sizeof rows / sizeof *rows)); }
