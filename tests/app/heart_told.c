/* What a heart's case gives and cannot mean is told: stimuli, thresholds, fibres, velocities, initial values. And parameters that
 * are so many times those of a preset or of a file. */
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

#define STRIP(more)                                                                                                    \
  "version: 1\nmesh: {grid: [71, 4], size: [14, 0.6]}\nphysics: monodomain\n"                                          \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"                                                    \
  "stimuli: [{name: s, on: {box: {min: [0, 0], max: [1.1, 1]}}, duration: 2, amplitude: 60}]\n" more

typedef struct Told {
  const char *command, *text, *said; /* said NULL: nothing */
} Told;

static void tell(const char *folder, const Told *row) {
  scratch_write(folder, "case.yaml", row->text);
  const bool runs = !strcmp(row->command, "run");
  Said got = app_says(row->command, scratch_path(folder, "case.yaml"), "--quiet", "--backend", app_backend(),
                      runs ? "--overwrite" : NULL, NULL);
  if (got.code) fail_msg("%s: %d: %s", row->text, got.code, got.err);
  const char *first = row->said ? strstr(got.err, row->said) : NULL;
  if (row->said ? !first || strstr(first + 1, row->said) : *got.err) fail_msg("%s: %s", row->text, got.err);
  said_release(&got);
}

/* A level that no node passes, in time and none at all. */
static void thresholds(void **state) {
  (void)state;
  static const Told row[] = {
      {"run", STRIP("time: {end: 30, step: 0.2}\noutput: {every: 30, maps: [activation], threshold: 42}\n"),
       "case.yaml:7:52: no node rose through the threshold of 42 mV in 30 ms"},
      {"run", STRIP("time: {end: 30, step: 0.2}\noutput: {every: 30, maps: [activation], threshold: 12}\n"), NULL},
      {"run", STRIP("time: {end: 30, step: 0.2}\noutput: {every: 30, maps: [activation], threshold: -52}\n"), NULL},
      {"run", STRIP("time: {end: 3, step: 0.2}\noutput: {every: 3, maps: [activation], threshold: 42}\n"),
       "no node rose through"},
      {"run",
       "version: 1\nmesh: {grid: [71, 4], size: [14, 0.6]}\nphysics: monodomain\n"
       "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\ninitial: \"-80 + 100*step(2 - x)\"\n"
       "time: {end: 20, step: 0.2}\noutput: {every: 20, maps: [activation], threshold: 60}\n",
       "no node rose through the threshold of 60 mV in 20 ms"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  /* of a run that ends before its stimulus this is told, and no threshold */
  scratch_write(folder, "case.yaml",
                STRIP("time: {end: 1, step: 0.2}\noutput: {every: 1, maps: [activation], threshold: 42}\n"));
  Said got =
      app_says("run", scratch_path(folder, "case.yaml"), "--quiet", "--overwrite", "--backend", app_backend(), NULL);
  if (got.code || !strstr(got.err, "but the run ends at 1 ms") || strstr(got.err, "rose")) fail_msg("%s", got.err);
  said_release(&got);
  scratch_remove(&folder);
}

#define EIKONAL(tissue, box)                                                                                           \
  "version: 1\nmesh: {grid: [31, 21], size: [33, 21]}\nphysics: eikonal\ntissue: [{on: body, " tissue                  \
  "}]\nstimuli: [{name: s, on: {box: {min: [0, 0], max: [" box "]}}}]\n"
#define STARTED(velocity)                                                                                              \
  "version: 1\nmesh: {grid: [31, 21], size: [33, 21]}\nphysics: monodomain\ntissue: [{on: body, ionic: "               \
  "aliev-panfilov, diffusivity: 0.5, velocity: " velocity                                                              \
  "}]\nstimuli: [{name: s, on: {box: {min: [0, 0], max: [2, 2]}}, duration: 2, amplitude: 50}]\neikonal: {}\n"         \
  "time: {end: 100, step: 0.5}\noutput: {every: 100}\n"

/* Fronts of given velocities. */
static void velocities(void **state) {
  (void)state;
  static const Told row[] = {
      {"run", EIKONAL("velocity: 450", "3, 3"),
       "case.yaml:4:31: with a velocity of 450 mm/ms a front crosses the tissue, 39.12 mm from corner to corner, in "
       "0.0869 ms"},
      {"check", EIKONAL("velocity: 4.5e-4", "3, 3"), "in 8.69e+04 ms"},
      {"check", EIKONAL("velocity: 0.45", "3, 3"), NULL},
      {"check", EIKONAL("velocity: {along: 0.7, across: 0.3}, fibers: {direction: [1, 2]}", "3, 3"), NULL},
      {"check", EIKONAL("velocity: 0.7, fibers: {direction: [1, 2]}", "3, 3"),
       "case.yaml:4:44: fibers of tissue 'body' change nothing: its velocity is one number"},
      {"check", EIKONAL("velocity: 8.5", "3, 3"), "with a velocity of 8.5 mm/ms"},
      {"check", EIKONAL("velocity: 0.04", "3, 3"), "with a velocity of 0.04 mm/ms"},
      {"check", EIKONAL("velocity: {along: 0.7, across: 7e-4}, fibers: {direction: [1, 2]}", "3, 3"),
       "case.yaml:4:52: fronts in tissue 'body' run at 0.0007 mm/ms in one direction and at 0.7 in another, 1e+03 "
       "times"},
      {"check", EIKONAL("velocity: {along: 0.06, across: 0.7}, fibers: {direction: [1, 2]}", "3, 3"),
       "fronts in tissue 'body' run at 0.06 mm/ms"},
      {"check", EIKONAL("velocity: {along: 0.9, across: 0.1}, fibers: {direction: [1, 2]}", "3, 3"), NULL},
      {"check", EIKONAL("velocity: 0.7", "33, 16"), "stimulus 's' acts on 76 % of the nodes"},
      {"check", STARTED("0.55"), NULL},
      {"check", STARTED("55"), "with a velocity of 55 mm/ms a front crosses the tissue"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  scratch_remove(&folder);
}

/* What comes in time: two tissues, of which one is off by a thousand; a stimulus that comes too late. */
static void arrivals(void **state) {
  (void)state;
#define TWICE(start)                                                                                                   \
  "version: 1\nmesh: {grid: [31, 21], size: [33, 21]}\nphysics: eikonal\ntissue: [{on: body, velocity: 0.5}]\n"        \
  "stimuli: [{name: s, on: {box: {min: [0, 0], max: [1, 21]}}}, {name: late, start: " start                            \
  ", on: {box: {min: [22, 0], max: [33, 21]}}}]\n"
#define SIDES(left, right)                                                                                             \
  "version: 1\nmesh: {file: two.msh}\nphysics: eikonal\ntissue: [{on: a, velocity: " left                              \
  "}, {on: b, velocity: " right "}]\nstimuli: [{on: {nodes: [1]}}]\n"
  static const Told row[] = {
      {"run", TWICE("45"), NULL}, /* the front has been at some of its nodes, from 44 ms on */
      {"run", TWICE("70"),
       "stimulus 'late' starts at 70 ms and changes nothing: a front reached all of its nodes by 66 ms"},
      {"run", SIDES("0.5", "4e-4"), "ms after the first; hearts are excited within"},
      {"run", SIDES("0.5", "0.04"), NULL}};
  char *folder = scratch_create();
  scratch_write(folder, "two.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"a\"\n2 2 \"b\"\n$EndPhysicalNames\n"
                "$Nodes\n6\n1 0 0 0\n2 9 0 0\n3 18 0 0\n4 0 9 0\n5 9 9 0\n6 18 9 0\n$EndNodes\n"
                "$Elements\n2\n1 3 2 1 1 1 2 5 4\n2 3 2 2 2 2 3 6 5\n$EndElements\n");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  scratch_remove(&folder);
}

/* Two squares side by side, each with a direction. */
static void write_mesh(const char *folder, const char *field, const char *type) {
  char text[4096], *to = text;
  to += sprintf(to, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"a\"\n2 2 \"b\"\n$EndPhysicalNames\n"
                    "$Nodes\n6\n1 0 0 0\n2 9 0 0\n3 18 0 0\n4 0 9 0\n5 9 9 0\n6 18 9 0\n$EndNodes\n"
                    "$Elements\n2\n1 3 2 1 1 1 2 5 4\n2 3 2 2 2 2 3 6 5\n$EndElements\n");
  sprintf(to, "$%s\n1\n\"%s\"\n1\n0\n3\n0\n3\n2\n1 0.6 0.8 0\n2 0.8 0.6 0\n$End%s\n", type, field, type);
  scratch_write(folder, "two.msh", text);
}

static void fibres(void **state) {
  (void)state;
#define TWO(a, b)                                                                                                      \
  "version: 1\nmesh: {file: two.msh}\nphysics: eikonal\ntissue:\n  - {on: a, " a "}\n  - {on: b, " b "}\n"             \
  "stimuli: [{on: {nodes: [1]}}]\n"
  static const Told row[] = {
      {"check", TWO("velocity: 0.6", "velocity: 0.4"),
       "case.yaml:5:23: the mesh has fibres, the field 'fibre-angle', which nothing uses"},
      {"check", TWO("velocity: {along: 0.6, across: 0.2}, fibers: {field: fibre-angle}", "velocity: 0.4"), NULL},
      {"check", TWO("velocity: 0.6", "velocity: 0.4, fibers: {field: fibre-angle}"),
       "case.yaml:6:36: fibers of tissue 'b' change nothing"}};
  char *folder = scratch_create();
  write_mesh(folder, "fibre-angle", "ElementData");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  write_mesh(folder, "strain", "ElementData");
  tell(folder, &(Told){"check", TWO("velocity: 0.6", "velocity: 0.4"), NULL});
  scratch_remove(&folder);
}

#define CELLS(initial)                                                                                                 \
  "version: 1\nmesh: {grid: [31, 3], size: [3, 0.2]}\nphysics: monodomain\n"                                           \
  "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 0.11}]\n"                                                     \
  "initial: {" initial "}\ntime: {end: 1, step: 0.05}\noutput: {every: 1}\n"

/* Keys that a case may have and that change nothing. */
static void no_effect(void **state) {
  (void)state;
#define PLAIN(more, key)                                                                                               \
  "version: 1\nmesh: {grid: [61, 5], size: [30, 2]}\nphysics: monodomain\ntissue: [{on: body, ionic: aliev-panfilov, " \
  "diffusivity: {along: 0.5, across: 0.2}, fibers: {direction: [1, 0]}" more                                           \
  "}]\nstimuli: [{name: s, on: {box: {min: [0, 0], max: [2, 2]}}, duration: 2, amplitude: 50}]\n"                      \
  "time: {end: 3, step: 0.1}\n" key
  static const Told row[] = {
      {"check", PLAIN("", ""), NULL},
      {"check", PLAIN("", "units: m s mV\n"), "case.yaml:7:8: 'm' in 'units: m s mV' is ignored: numbers and results"},
      {"check", PLAIN("", "units: mm, ms, mV, kPa\n"), NULL},
      {"check", PLAIN("", "solver: {preconditioner: amg}\n"), "case.yaml:7:26: preconditioner has no effect"},
      {"check", PLAIN("", "solver: {max-iterations: 9}\n"), "case.yaml:7:26: max-iterations has no effect"},
      {"check", PLAIN("", "solver: {preconditioner: amg}\nreaction: gauss\n"), NULL},
      {"check", PLAIN("", "solver: {preconditioner: auto, rtol: 1e-7}\n"), NULL},
      {"check", PLAIN(", sheets: {direction: [0, 1]}", ""),
       "sheets of tissue 'body' change nothing: its diffusivity is one number in all directions across"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  app_refuses(folder, PLAIN("", "output: {every: 1, apd: 80, maps: [activation]}\n"),
              "case.yaml:7:25: apd is of repolarization and apd", "'maps: [apd]'");
  app_refuses(folder, PLAIN("", "purkinje: []\n"), "case.yaml:7:11: purkinje is empty", "an entry for each tree");
  scratch_remove(&folder);
}

static void initial_values(void **state) {
  (void)state;
  static const Told row[] = {
      {"check", CELLS("potential: \"-85 - 3000*x\""), "case.yaml:5:22: initial: the potential is -9085 mV at node"},
      {"run", CELLS("potential: 260"), "and beyond 200 mV at 92 others"},
      {"check",
       "version: 1\nmesh: {grid: [31, 3], size: [3, 0.2]}\nphysics: monodomain\n"
       "tissue: [{on: body, ionic: bueno-orovio, diffusivity: 0.11}]\ninitial: {v: -83, w: 0.9}\n"
       "time: {end: 1, step: 0.02}\n",
       "case.yaml:5:14: initial: v is -83 at node 1; states of its model are of the order of 1"},
      {"check", CELLS("potential: -0.083"),
       "case.yaml:5:22: initial: the potential is -0.083 mV, and within 0.2 mV of 0"},
      {"run", CELLS("potential: \"-0.085 + 0.11*step(1 - x)\""), "remedy: a potential in mV, -85"},
      {"check", CELLS("potential: \"-20*step(x - 1)\""), NULL},
      {"check",
       "version: 1\nmesh: {grid: [31, 3], size: [3, 0.2]}\nphysics: monodomain\n" /* at rest at 0 */
       "tissue: [{on: body, ionic: {model: aliev-panfilov, rest: 0}, diffusivity: 0.5}]\ninitial: 0.1\n"
       "time: {end: 1, step: 0.05}\noutput: {threshold: 0.1, maps: [activation]}\n",
       NULL},
      {"check",
       "version: 1\nmesh: {grid: [31, 3], size: [3, 0.2]}\nphysics: monodomain\n"
       "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\ntime: {end: 1, step: 0.05}\n"
       "output: {every: 1, threshold: -20}\n",
       "case.yaml:6:31: threshold has no effect without maps, probes or velocities of activation"},
      {"check",
       "version: 1\nmesh: {grid: [31, 3], size: [3, 0.2]}\nphysics: monodomain\n"
       "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\ntime: {end: 1, step: 0.05}\n"
       "output: {every: 1, sample: 0.5}\n",
       "case.yaml:6:28: sample has no effect without probes, leads, phases or frequencies"},
      {"check",
       "version: 1\nmesh: {grid: [61, 3], size: [3, 0.2]}\nphysics: monodomain\n"
       "tissue: [{on: body, ionic: courtemanche, diffusivity: 0.11}]\ntime: {end: 1, step: 0.05}\n"
       "output: {threshold: -0.06}\n",
       "case.yaml:6:21: threshold is -0.06 mV, next to 0"},
      {"check", CELLS("k-i: 0.135, na-i: 8"), "case.yaml:5:16: initial: k-i is 0.135 at node 1, 0.00099 times what"},
      {"check", CELLS("ca-i: 0.11"), "case.yaml:5:17: initial: ca-i is 0.11 at node 1, 1.1e+03 times what its cells"},
      {"check",
       "version: 1\nmesh: {grid: [61, 5], size: [3, 0.2]}\nphysics: monodomain\n" /* published, and no share */
       "tissue: [{on: body, ionic: ohara-rudy, diffusivity: 0.11}]\ninitial: {jrelnp: 1.3, jrelp: -1e-22, m: "
       "1.0000001}\n"
       "time: {end: 1, step: 0.02}\n",
       NULL},
      {"check", CELLS("potential: \"-85 + 110*step(1 - x)\", m: 0.9, h: \"x/3\", ca-i: 0.0002, k-i: 130"), NULL}};
  static const struct {
    const char *text, *said;
  } wrong[] = {
      {CELLS("m: \"2*x\""), "case.yaml:5:14: initial: m is 6 at node"},
      {CELLS("xr1: -0.2"),
       "initial: xr1 is -0.2 at node 1, (0, 0, 0) and out of range at others; it is a share, which must lie in [0, 1]"},
      {"version: 1\nmesh: {grid: [31, 3], size: [3, 0.2]}\nphysics: monodomain\n"
       "tissue: [{on: body, ionic: tor-ord, diffusivity: 0.11}]\ninitial: {camk: 1.2}\n"
       "time: {end: 1, step: 0.02}\n",
       "initial: camk is 1.2 at node 1"},
      {CELLS("na-i: \"9 - 4*x\""), "initial: na-i is -3 at node"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    scratch_write(folder, "case.yaml", wrong[k].text);
    Said got = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", NULL);
    if (got.code != 3 || !strstr(got.err, wrong[k].said)) fail_msg("%s: %d, %s", wrong[k].text, got.code, got.err);
    said_release(&got);
  }
  scratch_remove(&folder);
}

/* The potentials of a run, as text. */
static char *potentials(const char *folder, const char *ionic) {
  char text[2048];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [41, 3], size: [6, 0.3]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: {%s}, diffusivity: 0.11}]\n"
           "stimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 60}]\n"
           "time: {end: 40, step: 0.05}\noutput: {every: 10, probes: [{name: a, at: [1, 0]}, {name: b, at: [5, 0]}]}\n",
           ionic);
  app_runs(folder, text);
  return scratch_read(folder, "results/probes.csv");
}

/* "*0.7" is that share of the preset's value, of the file's number, and in an expression: the same bits. */
static void factors(void **state) {
  (void)state;
  static const char *const same[][2] = {
      {"model: ten-tusscher, preset: mid, g-ks: \"*0.25\", g-na: \"* 1.5\"",
       "model: ten-tusscher, preset: mid, g-ks: 0.0245, g-na: 22.257"},
      {"model: courtemanche, g-cal: \"*2\", g-to: 0.1", "model: courtemanche, g-cal: 0.2475, g-to: 0.1"},
      {"model: ten-tusscher, preset: endo, g-ks: \"*(0.5 + step(x - 3))\"",
       "model: ten-tusscher, preset: endo, g-ks: \"0.392*(0.5 + step(x - 3))\""},
#define AXON "file: " SINEW_SOURCE_DIR "/tests/physics/cells/hodgkin-huxley"
      {AXON ".mmt, parameters: {sodium.g: \"*0.75\"}", AXON ".mmt, parameters: {sodium.g: 90}"},
      {AXON ".model, parameters: {g_K: \"*1.25\"}", AXON ".model, parameters: {g_K: 45}"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof same / sizeof *same; ++k) {
    char *a = potentials(folder, same[k][0]), *b = potentials(folder, same[k][1]);
    if (strcmp(a, b)) fail_msg("%s:\n%s\n%s:\n%s", same[k][0], a, same[k][1], b);
    free(a);
    free(b);
  }
  scratch_remove(&folder);
}

/* What is no factor, or a factor of nothing. */
static void other_factors(void **state) {
  (void)state;
#define IONIC(ionic)                                                                                                   \
  "version: 1\nmesh: {grid: [31, 3], size: [3, 0.2]}\nphysics: monodomain\n"                                           \
  "tissue: [{on: body, ionic: {" ionic "}, diffusivity: 0.11}]\ntime: {end: 1, step: 0.02}\n"
  static const Told row[] = {
      {"check", IONIC("model: bueno-orovio, preset: endo, u-o: \"*4\""),
       "case.yaml:4:69: u-o is 0 in preset 'endo' of bueno-orovio, and a multiple of 0 is 0"},
      {"check", IONIC("model: bueno-orovio, u-o: \"*(1 + x)\""), "u-o is 0 in preset 'epi'"},
      {"check", IONIC("model: bueno-orovio, u-u: \"*1.01\", u-o: 0"), NULL},
      {"check", IONIC("file: zero.mmt, parameters: {leak.g: \"*2\"}"), "'leak.g' of the cell model "},
      {"check", IONIC("file: zero.mmt, parameters: {leak.g: 0.3}"), NULL}};
  static const char *const wrong[][2] = {
      {IONIC("model: ten-tusscher, g-ks: \"+0.1\""), "case.yaml:4:56: g-ks: '+0.1' may be a number, or something"},
      {IONIC("model: ten-tusscher, g-ks: \"+0.1*x\""), "g-ks: '+0.1*x' may be a number"},
      {IONIC("model: aliev-panfilov, rest: \"- 5\""), "rest: '- 5' may be a number"},
      {IONIC("model: ten-tusscher, g-ks: \"/4\""), "remedy: a factor, \"*0.25\""},
      {IONIC("model: ten-tusscher, g-ks: /8"), "remedy: a factor, \"*0.125\""},
      {IONIC("model: ten-tusscher, g-ks: *3"), "put a factor in quotes"},
      {IONIC("file: zero.mmt, parameters: {leak.g: \"+2\"}"), "parameters: '+2' may be a number"}};
  char *folder = scratch_create(), *axon = scratch_read(SINEW_SOURCE_DIR, "tests/physics/cells/hodgkin-huxley.mmt");
  char *leak = strstr(axon, "g = 0.3");
  assert_non_null(leak);
  memcpy(leak, "g = 0.0", 7);
  scratch_write(folder, "zero.mmt", axon);
  free(axon);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    scratch_write(folder, "case.yaml", wrong[k][0]);
    Said got = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    if (got.code != 3 || !strstr(got.err, wrong[k][1])) fail_msg("%s: %d, %s", wrong[k][0], got.code, got.err);
    said_release(&got);
  }
  scratch_remove(&folder);
}

#define SLAB(grid, tissue, stimulus, more) LASTING(grid, tissue, "2", stimulus, more)
#define LASTING(grid, tissue, duration, stimulus, more)                                                                \
  "version: 1\nmesh: {" grid "}\nphysics: monodomain\ntissue: [{on: body, " tissue "}]\n"                              \
  "stimuli: [{name: s, on: {box: {min: [0, 0], max: [1, 3]}}, duration: " duration ", amplitude: 60" stimulus          \
  "}]\n" more
#define THIN "ionic: aliev-panfilov, diffusivity: 0.6"

/* Times in another unit, and what a run is too short for. */
static void times(void **state) {
  (void)state;
#define TIMED(stimulus, more) SLAB("grid: [61, 4], size: [12, 0.6]", THIN, stimulus, more)
#define PULSED(duration, more) LASTING("grid: [61, 4], size: [12, 0.6]", THIN, duration, "", more)
  static const Told row[] = {
      {"check", TIMED("", "time: {end: 0.35, step: 1e-4}\n"),
       "case.yaml:6:25: steps of 0.0001 ms to an end at 0.35 ms; are these seconds?\n  remedy: times in ms, 'step: "
       "0.1' "
       "and 'end: 350'"},
      {"check", TIMED("", "time: {end: 3, step: 2e-3}\n"), NULL},
      {"check", TIMED("", "time: {end: 0.4, step: 0.001}\n"),
       "6:24: steps of 0.001 ms to an end at 0.4 ms; are these seconds?\n  remedy: times in ms, 'step: 1' and 'end: "
       "400'"},
      {"check", TIMED("", "time: {end: 0.4, step: 0.001}\n"),
       "5:70: stimulus 's' starts at 0 ms and flows for 2 ms, but the run ends at 0.4 ms"},
      {"check", PULSED("0.003", "time: {end: 0.8, step: 0.0005}\n"),
       "6:24: steps of 0.0005 ms to an end at 0.8 ms; are these seconds?"},
      {"check", PULSED("0.003", "time: {end: 0.8, step: 0.0005}\n"),
       "5:70: stimulus 's' flows for 0.003 ms; is this in seconds?\n  remedy: a duration in ms, 'duration: 3'"},
      {"check", TIMED("", "time: {end: 2, step: 1e-3}\n"), NULL},
      {"check", TIMED("", "time: {end: 1.7, step: 0.1}\n"),
       "stimulus 's' starts at 0 ms and flows for 2 ms, but the run ends at 1.7 ms"},
      {"check", TIMED(", period: 4", "time: {end: 60, step: 0.2}\n"), "stimulus 's' comes every 4 ms, and no cell"},
      {"check", TIMED(", period: 20, count: 3", "time: {end: 60, step: 0.2}\n"), NULL},
      {"check", TIMED(", period: 300, count: 4, start: 10", "time: {end: 650, step: 0.2}\n"),
       "stimulus 's' has 4 pulses, of which the run to 650 ms sees 3\n  remedy: 'end: 1210' under 'time:' or later"},
      {"check", TIMED(", period: 300, count: 3, start: 10", "time: {end: 650, step: 0.2}\n"), NULL},
      {"check", TIMED(", start: 49", "time: {end: 50, step: 0.2}\n"),
       "stimulus 's' starts at 49 ms and flows for 2 ms, but the run ends at 50 ms"},
      {"check", TIMED(", start: 48", "time: {end: 50, step: 0.2}\n"), NULL},
      {"check", TIMED("", "time: {end: 50, step: 0.2}\nprepace: {cycle: 2, beats: 3}\n"),
       "case.yaml:7:18: cells are paced every 2 ms, and none recovers"},
      {"run", TIMED("", "time: {end: 40, step: 0.2}\noutput: {every: 40, maps: [activation, apd]}\n"),
       "case.yaml:7:40: no node has repolarised by the end of the run, 40 ms"},
      {"run",
       TIMED("", "time: {end: 40, step: 0.2}\noutput: {every: 40, probes: [{name: p, at: [3, 0.3], field: apd}]}\n"),
       "no node has repolarised"},
      {"run", TIMED("", "time: {end: 40, step: 0.2}\noutput: {every: 40, maps: [activation]}\n"), NULL},
      {"run", TIMED("", "time: {end: 400, step: 0.5}\noutput: {every: 400, maps: [activation, repolarization]}\n"),
       NULL}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  scratch_remove(&folder);
}

/* Membranes, electrodes and cells in other units. */
static void other_units(void **state) {
  (void)state;
#define MEMBRANE(more)                                                                                                 \
  SLAB("grid: [61, 4], size: [12, 0.6]", "ionic: aliev-panfilov, conductivity: {intra: 0.3, extra: 0.5, " more "}",    \
       "", "time: {end: 9, step: 0.2}\n")
#define CHEST(limb, side, low)                                                                                         \
  SLAB("grid: [41, 4, 4], size: [25, 2, 2]",                                                                           \
       "ionic: aliev-panfilov, conductivity: {intra: 0.3, extra: 0.5, "                                                \
       "surface-to-volume: 20}",                                                                                       \
       "",                                                                                                             \
       "time: {end: 9, step: 0.2}\noutput: {medium: 0.2, electrodes: {RA: [-" limb ", 5, " side "], LA: [" limb        \
       ", 5, " side "], LL: [5, 5, -" low "], V1: [-5, 6, 0], V2: [-3, 6, 0], V3: [0, 6, 0], V4: [3, 6, 0], V5: [5, "  \
       "6, 0], V6: [6, 4, 0]}}\n")
  static const Told row[] = {
      {"check", MEMBRANE("surface-to-volume: 2400"),
       "surface-to-volume is 2400 per mm; cells of hearts have 100 to 300"},
      {"check", MEMBRANE("surface-to-volume: 140, capacitance: 0.08"),
       "capacitance is 0.08 uF/mm2; membranes have 0.01"},
      {"check", MEMBRANE("surface-to-volume: 140, capacitance: 0.0015"), "capacitance is 0.0015 uF/mm2"},
      {"check", CHEST("90", "80", "160"), NULL},
      {"check", CHEST("8", "7", "9"), "the electrodes lie within "},
      {"check",
       SLAB("grid: [61, 4], size: [12, 0.6]", "ionic: {file: volts.model}, diffusivity: 0.1", "",
            "time: {end: 9, step: 0.02}\n"),
       "remedy: a potential in mV, or with its unit in the file"}};
  char *folder = scratch_create();
  scratch_write(folder, "volts.model", /* a cubic from -0.08 to 0.02, in V */
                "Vm; .external(Vm);\nIion; .external();\nVm_init = -0.08;\nu = (Vm + 0.08)/0.1;\n"
                "diff_w = 0.004*(u - w);\nw_init = 0;\nIion = 0.8*u*(u - 0.1)*(u - 1) + 0.1*u*w;\n");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  scratch_remove(&folder);
}

/* Parameters and directions that no cell and no tissue has, and two waves that a velocity is none of. */
static void other_numbers(void **state) {
  (void)state;
#define BLOCK(tissue, more)                                                                                            \
  SLAB("grid: [51, 4], size: [10, 0.6]", tissue ", fibers: {direction: [1, 0]}", "",                                   \
       "time: {end: 30, step: 0.05}\n" more)
#define ORDER(numbers) BLOCK("ionic: aliev-panfilov, diffusivity: {" numbers "}", "")
  static const Told row[] = {
      {"check", IONIC("model: ten-tusscher, g-kr: 153"),
       "case.yaml:4:56: g-kr is 153, 1e+03 times the 0.153 of the preset"},
      {"check", IONIC("model: ten-tusscher, preset: mid, k-out: 5.4e-3"), "k-out is 0.0054, 0.001 times the 5.4"},
      {"check", IONIC("model: ten-tusscher, g-ks: \"*300\""), "g-ks is 117.6, 300 times the 0.392 of the preset"},
      {"check", IONIC("model: ten-tusscher, g-ks: 0, g-to: \"*0.01\", p-cal: \"*100\""), NULL},
      {"check", ORDER("along: 0.2, across: 0.9"),
       "the diffusivity of tissue 'body' is 0.2 along the fibres and 0.9 across them"},
      {"check", ORDER("along: 0.5, across: 0.55"), NULL},
      {"check", EIKONAL("velocity: {along: 0.3, across: 0.7}, fibers: {direction: [1, 2]}", "3, 3"),
       "the velocity of tissue 'body' is 0.3 along the fibres and 0.7 across them"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  app_runs(folder,
           "version: 1\nmesh: {grid: [51, 4], size: [10, 0.6]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"
           "stimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 60},"
           " {on: {box: {min: [9, 0], max: [10, 1]}}, duration: 2, amplitude: 60}]\n"
           "time: {end: 20, step: 0.2}\noutput: {every: 20, probes: [{name: a, at: [3, 0.3], field: activation},"
           " {name: b, at: [7, 0.3], field: activation}], velocity: [{name: v, from: a, to: b}]}\n");
  char *table = scratch_read(folder, "results/probes.csv");
  if (!strstr(table, ",nan\n") || strstr(table, "e+"))
    fail_msg("%s", table); /* both arrive at once, but for rounding */
  assert_null(strstr(strstr(table, "\n20,"), "-1"));
  free(table);
  scratch_remove(&folder);
}

/* Trees in other units. */
static void trees(void **state) {
  (void)state;
#define TREE(radius, junction)                                                                                         \
  "version: 1\nmesh: {grid: [41, 5, 4], size: [10, 2, 1]}\nphysics: monodomain\n"                                      \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.4}]\n"                                                    \
  "purkinje: [{name: t, file: tree.msh, root: [0, 1, 2], ionic: aliev-panfilov, diffusivity: 8, radius: " radius       \
  ", junction: {resistance: 0.5, radius: " junction                                                                    \
  "}}]\nstimuli: [{on: {box: {min: [0, 0, 0], max: [1, 2, 1]}}, duration: 2, amplitude: 60}]\n"                        \
  "time: {end: 9, step: 0.2}\n"
#define ARRIVES(velocity, delay)                                                                                       \
  "version: 1\nmesh: {grid: [41, 5, 4], size: [10, 2, 1]}\nphysics: eikonal\ntissue: [{on: body, velocity: 0.5}]\n"    \
  "purkinje: [{name: t, file: tree.msh, root: [0, 1, 2], velocity: " velocity                                          \
  ", junction: {radius: 1.5, delay: " delay "}}]\nstimuli: [{on: t-root}]\n"
  static const Told row[] = {{"check", TREE("0.4", "1.5"), NULL},
                             {"check", TREE("40", "1.5"), "case.yaml:5:102: fibres of tree 't' have a radius of 40 mm"},
                             {"check", TREE("4e-4", "1.5"), "fibres of tree 't' have a radius of 0.0004 mm"},
                             {"check", TREE("0.4", "150"), "ends of tree 't' reach 150 mm far into the tissue"},
                             {"check", ARRIVES("2.5", "4"), NULL},
                             {"check", ARRIVES("2500", "4"), "case.yaml:5:65: fronts in tree 't' run at 2500 mm/ms"},
                             {"check", ARRIVES("2.5", "4000"), "the junctions of tree 't' delay a front by 4000 ms"}};
  char *folder = scratch_create();
  scratch_write(folder, "tree.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 1 2\n2 4 1 2\n3 8 1 2\n$EndNodes\n"
                "$Elements\n2\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n$EndElements\n");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) tell(folder, &row[k]);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thresholds),  cmocka_unit_test(velocities),     cmocka_unit_test(arrivals),
      cmocka_unit_test(fibres),      cmocka_unit_test(initial_values), cmocka_unit_test(no_effect),
      cmocka_unit_test(factors),     cmocka_unit_test(other_factors),  cmocka_unit_test(times),
      cmocka_unit_test(other_units), cmocka_unit_test(other_numbers),  cmocka_unit_test(trees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
