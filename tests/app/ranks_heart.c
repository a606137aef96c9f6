/* Hearts on several ranks, as threads of this process: the files of one rank to the bit. Two tissues with different cells
 * meet, in a mesh whose elements do not ascend with their nodes. */
#include "tests/app/ranks_run.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 };

/* A sheet of 2 n x n squares of two triangles each, "left" and "right" of its middle, with the curve "edge" at x = 0;
 * neighbours in the list of elements are far from each other. Slivers: some nodes are next to another one. Its right half
 * rises by `slope`: some ranks then have a piece that is flat, and others not. */
static void write_sheet(const char *folder, const char *name, bool slivers, double slope) {
  const int n = 57;
  const double h = 0.06;
  char *text = malloc(ROOM), *at = text, *const end = text + ROOM;
  const int wide = 2 * n + 1, n_triangle = 4 * n * n, far = 1009; /* a prime */
  assert_true(n_triangle % far != 0);
  at += snprintf(at, (size_t)(end - at),
                 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"edge\"\n2 2 \"left\"\n2 3 \"right\"\n"
                 "$EndPhysicalNames\n$Nodes\n%d\n",
                 wide * (n + 1));
  for (int k = 0; k < wide * (n + 1); ++k)
    at += snprintf(at, (size_t)(end - at), "%d %g %g %g\n", k + 1,
                   h * (k % wide + (slivers && k % 37 == 5 && k % wide < wide - 1 ? 0.8 + 0.003 * (k % 41) : 0)),
                   h * (k / wide), k % wide > n ? slope * h * (k % wide - n) : 0);
  at += snprintf(at, (size_t)(end - at), "$EndNodes\n$Elements\n%d\n", n + n_triangle);
  for (int k = 0; k < n; ++k)
    at += snprintf(at, (size_t)(end - at), "%d 1 2 1 1 %d %d\n", k + 1, k * wide + 1, (k + 1) * wide + 1);
  for (int k = 0; k < n_triangle; ++k) {
    const int e = (int)((long)k * far % n_triangle), x = e / 2 % (2 * n), y = e / 2 / (2 * n), a = y * wide + x + 1;
    const int group = x < n ? 2 : 3, last = a + wide + 1;
    at += snprintf(at, (size_t)(end - at), "%d 2 2 %d %d %d %d %d\n", n + k + 1, group, group, a, e % 2 ? last : a + 1,
                   e % 2 ? a + wide : last);
  }
  at += snprintf(at, (size_t)(end - at), "$EndElements\n");
  assert_true(at < end - 1);
  scratch_write(folder, name, text);
  free(text);
}

/* A tree of n lines from corner to corner, with a branch from its middle up, and ends in the tissue. */
static void write_tree(const char *folder, const char *name, int n) {
  char *text = malloc(ROOM), *at = text;
  at += sprintf(at, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", n + 2);
  for (int k = 0; k <= n; ++k) at += sprintf(at, "%d %.9g %.9g 0\n", k + 1, 6.5 * k / n + 0.1, 3.2 * k / n + 0.1);
  at += sprintf(at, "%d 3 3.1 0\n$EndNodes\n$Elements\n%d\n", n + 2, n + 1);
  for (int k = 0; k < n; ++k) at += sprintf(at, "%d 1 2 1 1 %d %d\n", k + 1, k + 1, k + 2);
  sprintf(at, "%d 1 2 1 1 %d %d\n$EndElements\n", n + 1, n / 2 + 1, n + 2);
  scratch_write(folder, name, text);
  free(text);
}

/* Two square surfaces of n and n + 2 quadrilaterals along a side, one above the other, which do not match. */
static void write_layers(const char *folder, const char *name, int n) {
  char *text = malloc(ROOM), *at = text;
  const int side[2] = {n, n + 2};
  at += sprintf(at,
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"endo\"\n2 2 \"epi\"\n"
                "$EndPhysicalNames\n$Nodes\n%d\n",
                (n + 1) * (n + 1) + (n + 3) * (n + 3));
  for (int s = 0, id = 0; s < 2; ++s)
    for (int k = 0; k < (side[s] + 1) * (side[s] + 1); ++k)
      at += sprintf(at, "%d %.9g %.9g %g\n", ++id, 4.0 * (k % (side[s] + 1)) / side[s],
                    4.0 * (k / (side[s] + 1)) / side[s], 0.8 * s);
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", n * n + (n + 2) * (n + 2));
  for (int s = 0, id = 0; s < 2; ++s)
    for (int k = 0; k < side[s] * side[s]; ++k) {
      const int wide = side[s] + 1, a = (s ? (n + 1) * (n + 1) : 0) + k / side[s] * wide + k % side[s] + 1;
      at += sprintf(at, "%d 3 2 %d 1 %d %d %d %d\n", ++id, s + 1, a, a + 1, a + 1 + wide, a + wide);
    }
  sprintf(at, "$EndElements\n");
  scratch_write(folder, name, text);
  free(text);
}

static void write_meshes(const char *folder) {
  write_sheet(folder, "sheet.msh", false, 0);
  write_sheet(folder, "slivers.msh", true, 0);
  write_sheet(folder, "bent.msh", false, 0.5);
  write_layers(folder, "layers.msh", 40);
  write_tree(folder, "long.msh", 60);
  write_tree(folder, "short.msh", 7);
}

#define SHEET(left, right) ON("sheet.msh", left, right)
#define ON(mesh, left, right)                                                                                          \
  "version: 1\nmesh: " mesh "\nphysics: monodomain\n"                                                                  \
  "tissue:\n- {on: left, ionic: " left ", diffusivity: {along: 0.3, across: 0.1}, fibers: {direction: [1, 'x', 0]}}\n" \
  "- {on: right, ionic: " right ", diffusivity: 0.2}\n"
#define TREES                                                                                                          \
  "purkinje:\n- {name: one, file: long.msh, ionic: aliev-panfilov, diffusivity: 2, radius: 0.1, junction: "            \
  "{resistance: 5, radius: 0.2}}\n- {name: two, file: short.msh, ionic: mitchell-schaeffer, diffusivity: 1, radius: "  \
  "0.2, junction: {resistance: 1, radius: 0.5}}\n"                                                                     \
  "stimuli: [{on: one-root, duration: 1, amplitude: 100}, {on: two-root, start: 0.5, duration: 1, amplitude: 90}]\n"
#define STIMULI                                                                                                        \
  "stimuli:\n- {name: wall, on: edge, start: 0, duration: 1, current: 30}\n"                                           \
  "- {on: {sphere: {center: [4.1, 1], radius: 0.7}}, start: 1.3, duration: 0.4, amplitude: 200}\n"
#define OUTPUT(fields)                                                                                                 \
  "output:\n  every: 1\n  checkpoint: 1\n  fields: [potential, filament, " fields                                      \
  "]\n  maps: [activation, repolarization, apd, {name: dominant-frequency, to: 2000}]\n  phase: {delay: 0.3}\n  "      \
  "sample: 0.1\n"                                                                                                      \
  "  probes: [{name: a, at: [0.33, 1.01]}, {name: b, at: [1.17, 2.1], field: activation}, "                            \
  "{name: c, at: [5.87, 0.2]}, {name: d, at: [2.1, 1.03], field: activation}]\n"                                       \
  "  velocity: [{name: speed, from: b, to: d}]\n"                                                                      \
  "  ecg: [{name: far, positive: [9, 1, 3]}, {name: near, positive: [3, 9, 1], negative: [3, -9, 1]}]\n"               \
  "expect: [{probe: a, value: 1, rtol: 1e9, time: 1.55}]\n"

static const SharedCase hearts[] = {
    {"nodal", 3,
     SHEET("aliev-panfilov", "mitchell-schaeffer") STIMULI
     "initial: {potential: '-80+x', recovery: '0.01*y'}\ntime: {end: 3, step: 0.1, scheme: bdf2}\n" OUTPUT("recovery")},
    {"gauss", 2,
     SHEET("{model: aliev-panfilov, alpha: '0.01 + 0.001*x'}", "mitchell-schaeffer") STIMULI
     "initial: {potential: '-80+x', recovery: '0.01*y'}\nreaction: gauss\nsolver: {numbering: hilbert}\n"
     "time: {end: 2, step: 0.1, scheme: crank-nicolson}\n" OUTPUT("recovery")},
    {"adaptive", 2,
     SHEET("aliev-panfilov", "mitchell-schaeffer") STIMULI
     "time: {end: 2, step: 0.1, adaptive: {tolerance: 1e-2}}\nsolver: {numbering: hilbert, rtol: 1e-6}\n" OUTPUT(
         "recovery")},
    {"fronts of given velocities", 1,
     SHEET("aliev-panfilov, velocity: 0.8", "mitchell-schaeffer, velocity: 0.5") STIMULI
     "purkinje: [{name: one, file: short.msh, ionic: aliev-panfilov, diffusivity: 2, radius: 0.1, velocity: 3, "
     "junction: "
     "{resistance: 5, radius: 0.2, delay: 0.1}}]\n"
     "eikonal: {amplitude: 60, duration: 1}\ntime: {end: 4, step: 0.1, scheme: bdf2}\n" OUTPUT("recovery")},
    {"states first", 1,
     SHEET("bueno-orovio", "{model: bueno-orovio, preset: mid}") STIMULI
     "reaction: gauss\nsolver: {preconditioner: chebyshev}\ntime: {end: 2, step: 0.05, scheme: rush-larsen}\n" OUTPUT(
         "v, w, s")},
    {"with trees", 3,
     SHEET("aliev-panfilov", "mitchell-schaeffer") TREES
     "initial: {potential: '-80+x', recovery: '0.01*y'}\ntime: {end: 3, step: 0.1, scheme: bdf2}\n" OUTPUT("recovery")},
    {"in a torso", 2,
     "version: 1\nmesh: sheet.msh\nphysics: monodomain\n"
     "tissue: [{on: left, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\n"
     "torso: [{on: right, conductivity: 0.3}]\nstimuli: [{on: edge, duration: 1, current: 30}]\n"
     "time: {end: 2, step: 0.1}\noutput: {every: 1, checkpoint: 1, ecg: [{name: x, positive: [6.84, 0], negative: [5, "
     "3.5]}]}\n"},
    {"a bidomain with a bath, a shock and a tree", 2,
     "version: 1\nmesh: sheet.msh\nphysics: monodomain\nmodel: bidomain\n"
     "tissue: [{on: left, ionic: aliev-panfilov, conductivity: {intra: [0.2, 0.05], extra: [0.6, 0.4], "
     "surface-to-volume: 140}, fibers: {direction: [1, 'x', 0]}}]\nbath: [{on: right, conductivity: 0.3}]\n"
     "purkinje: [{name: one, file: short.msh, ionic: aliev-panfilov, diffusivity: 2, radius: 0.1, junction: "
     "{resistance: 5, radius: 3.3}}]\nelectrodes: [{name: a, on: edge, density: 3, start: 0.55, duration: 1}, {name: "
     "b, "
     "on: right, balances: a}]\ntime: {end: 2, step: 0.1}\nsolver: {rtol: 1e-6}\noutput: {every: 1, checkpoint: 1, "
     "fields: [potential, extracellular], maps: [activation], probes: [{name: p, at: [0.33, 1.01], field: "
     "extracellular}], ecg: [{name: x, positive: [6.84, 0], negative: [5, 3.5]}]}\n"},
    {"a bidomain on elements short for its steps", 2,
     "version: 1\nmesh: sheet.msh\nphysics: monodomain\nmodel: bidomain\n"
     "tissue: [{on: [left, right], ionic: aliev-panfilov, conductivity: {intra: [0.2, 0.05], extra: [0.6, 0.6], "
     "surface-to-volume: 140}, fibers: {direction: [1, 0, 0]}}]\n" STIMULI
     "time: {end: 2, step: 0.25}\nsolver: {rtol: 1e-6}\noutput: {every: 1, checkpoint: 1, "
     "fields: [potential, extracellular]}\n"},
    {"outside of the cells, with a tree", 3,
     "version: 1\nmesh: sheet.msh\nphysics: monodomain\n"
     "tissue: [{on: left, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}, "
     "{on: right, ionic: aliev-panfilov, conductivity: {intra: 0.1, extra: 0.6, surface-to-volume: 140}}]\n"
     "purkinje:\n- {name: one, file: long.msh, ionic: aliev-panfilov, diffusivity: 2, radius: 0.1, junction: "
     "{resistance: 5, radius: 0.2}}\n"
     "stimuli: [{on: edge, duration: 1, current: 30}]\n"
     "time: {end: 2, step: 0.1}\noutput: {every: 1, checkpoint: 1, fields: [potential, extracellular], probes: [{name: "
     "a, at: [0.33, 1.01], field: extracellular}, {name: b, on: one, at: [5, 3], field: extracellular}]}\n"},
    {"outside of the cells, in a torso", 2,
     "version: 1\nmesh: sheet.msh\nphysics: monodomain\n"
     "tissue: [{on: left, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\n"
     "torso: [{on: right, conductivity: 0.3}]\nstimuli: [{on: edge, duration: 1, current: 30}]\nsolver: {numbering: "
     "hilbert}\ntime: {end: 2, step: 0.1}\noutput: {every: 1, fields: [extracellular]}\n"},
    {"by explicit stages, with slivers and trees", 3,
     ON("slivers.msh", "aliev-panfilov", "mitchell-schaeffer") TREES
     "time: {end: 3, step: 0.1, scheme: rush-larsen-chebyshev}\n" OUTPUT("recovery")},
    {"by explicit stages, half of the mass", 2,
     ON("slivers.msh", "bueno-orovio", "{model: bueno-orovio, preset: mid}") STIMULI
     "mass: 0.5\nsolver: {numbering: hilbert}\ntime: {end: 2, step: 0.05, scheme: rush-larsen-chebyshev}\n" OUTPUT(
         "v, w, s")},
    {"on surfaces in space, thin and thick", 3,
     ON("bent.msh", "aliev-panfilov, thickness: 0.4", "mitchell-schaeffer, thickness: 2") STIMULI
     "time: {end: 2, step: 0.1, scheme: bdf2}\noutput: {every: 1, checkpoint: 1, fields: [potential, filament], "
     "probes: [{name: a, at: [0.36, 1.02, 0]}, {name: b, at: [5.88, 0.18, 1.23]}], ecg: [{name: "
     "far, positive: [9, 1, 3]}]}\n"},
    {"two layers", 2,
     "version: 1\nmesh: layers.msh\nphysics: monodomain\n"
     "tissue:\n- {on: endo, ionic: aliev-panfilov, diffusivity: {along: 0.3, across: 0.1}, thickness: 0.7, fibers: "
     "{direction: [1, 'x', 0]}}\n- {on: epi, ionic: mitchell-schaeffer, diffusivity: 0.2}\n"
     "layers: [{from: endo, to: epi, conductance: 0.2}]\nsolver: {numbering: hilbert}\n"
     "stimuli: [{on: {box: {min: [0, 0, -1], max: [1, 5, 0.1]}}, duration: 1, amplitude: 80}]\n"
     "time: {end: 3, step: 0.1, scheme: bdf2}\noutput: {every: 1, checkpoint: 1, fields: [potential, recovery], "
     "maps: [activation], probes: [{name: a, at: [0.36, 1.02, 0]}, {name: b, at: [0.5, 3, 0.8]}]}\n"},
    {"two layers of a bidomain", 2,
     "version: 1\nmesh: layers.msh\nphysics: monodomain\nmodel: bidomain\n"
     "tissue:\n- {on: endo, ionic: aliev-panfilov, conductivity: {intra: [0.2, 0.05], extra: [0.6, 0.4], "
     "surface-to-volume: 140}, fibers: {direction: [1, 'x', 0]}}\n"
     "- {on: epi, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.3, surface-to-volume: 140}}\n"
     "layers: [{from: endo, to: epi, conductance: 0.2, outside: 0.3}]\n"
     "stimuli: [{on: {box: {min: [0, 0, -1], max: [1, 5, 0.1]}}, duration: 1, amplitude: 80}]\n"
     "time: {end: 2, step: 0.1}\nsolver: {rtol: 1e-6}\noutput: {every: 1, checkpoint: 1, fields: [potential, "
     "extracellular]}\n"},
    {"a bidomain by explicit stages, alone in a loop, half of the mass", 2,
     "version: 1\nmesh: {grid: [25, 17, 9], size: [6, 4, 2], element: tet4}\nphysics: monodomain\nmodel: bidomain\n"
     "mass: 0.5\ntissue: [{on: body, ionic: ten-tusscher, conductivity: {intra: [0.17, 0.019], extra: [0.62, 0.24], "
     "surface-to-volume: 140}, fibers: {direction: [1, 0.2, 0]}}]\n"
     "stimuli: [{on: {sphere: {center: [0, 0, 0], radius: 1.5}}, duration: 1, amplitude: 40}]\n"
     "time: {end: 1, step: 0.05}\noutput: {every: 0.5, checkpoint: 0.5, fields: [potential, extracellular], probes: "
     "[{name: p, at: [2, 1, 0], field: extracellular}]}\n"},
};
enum {
  NODAL = 0,
  GAUSS = 1,
  WITH_TREES = 5,
  BIDOMAIN = 7,
  ALONE = 8,
  OUTSIDE = 9,
  BY_STAGES = 11,
  OF_HALF_MASS = 12,
  LAYERS = 14,
  LAYERS_OF_BIDOMAIN = 15
};

static void hearts_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof hearts / sizeof *hearts; ++k) ranks_same_as_alone(&hearts[k]);
}

static void a_heart_goes_on_with_any_number_of_ranks(void **state) {
  (void)state;
  static const int which[] = {NODAL,   GAUSS,     WITH_TREES, BIDOMAIN,          ALONE,
                              OUTSIDE, BY_STAGES, LAYERS,     LAYERS_OF_BIDOMAIN};
  for (size_t k = 0; k < sizeof which / sizeof *which; ++k) ranks_stop_and_go_on(&hearts[which[k]]);
}

/* The two by stages do have nodes with a larger mass, as many for any number of ranks. */
static void slivers_get_mass(void **state) {
  (void)state;
  static const char *const ranks[] = {"1", "3"};
  for (int k = BY_STAGES; k <= OF_HALF_MASS; ++k) {
    char *folder = ranks_folder(hearts[k].text), line[2][128];
    write_meshes(folder);
    for (int r = 0; r < 2; ++r) {
      setenv("SINEW_RANKS_AS_THREADS", ranks[r], 1);
      Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), NULL);
      unsetenv("SINEW_RANKS_AS_THREADS");
      assert_int_equal(said.code, 0);
      const char *at = strstr(said.out, "\nmass  ");
      assert_non_null(at);
      snprintf(line[r], sizeof line[r], "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
      assert_non_null(strstr(line[r], "nodes of poor elements have more, 0.03 % of all"));
      assert_non_null(strstr(said.out, "solver       explicit, "));
      said_release(&said);
    }
    print_message("%s\n", line[0]);
    assert_string_equal(line[0], line[1]);
    scratch_remove(&folder);
  }
}

/* Fronts of given velocities, on simplices and on hexahedra, which have some of others beside them. */
#define FRONTS(mesh)                                                                                                   \
  "version: 1\nmesh: {" mesh "}\nphysics: eikonal\n"                                                                   \
  "tissue: [{on: body, velocity: {along: 0.6, across: 0.2}, fibers: {direction: [2, 1, 0.3]}}]\n"                      \
  "stimuli: [{on: {box: {min: [0, 0, 0], max: [1, 1, 1]}}, start: 0}, "                                                \
  "{on: {box: {min: [19, 9, 7], max: [20, 10, 8]}}, start: 3}]\n"                                                      \
  "output: {fields: [activation, conduction-velocity], probes: [{name: p, at: [10, 5, 4]}]}\n"
static const SharedCase fronts[] = {
    {"tetrahedra", 3, FRONTS("grid: [40, 21, 17], size: [20, 10, 8], element: tet4")},
    {"hexahedra", 2, FRONTS("grid: [30, 16, 12], size: [20, 10, 8]")},
    {"with leads", 2,
     "version: 1\nmesh: {grid: [41, 16, 5], size: [20, 6, 2]}\nphysics: eikonal\n"
     "tissue: [{on: body, velocity: {along: 0.6, across: 0.2}, fibers: {direction: [2, 1, 0.3]}, ionic: "
     "aliev-panfilov, conductivity: {intra: [0.2, 0.05]}}]\nstimuli: [{on: x0, start: 3}]\n"
     "time: {end: 60, step: 2}\noutput: {medium: 2, fields: [activation], ecg: [{name: far, positive: [45, 4, -3], "
     "negative: [8, 12, 1]}]}\n"},
    {"with trees", 2,
     "version: 1\nmesh: sheet.msh\nphysics: eikonal\ntissue: [{on: [left, right], velocity: {along: 0.6, across: 0.3}, "
     "fibers: {direction: [1, 'x', 0]}}]\n"
     "purkinje: [{name: one, file: short.msh, velocity: 2, junction: {radius: 3, delay: 0.5}}]\n"
     "stimuli: [{on: edge, start: 1}]\noutput: {fields: [activation, conduction-velocity]}\n"},
};

static void fronts_are_those_of_one_rank(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof fronts / sizeof *fronts; ++k) ranks_same_as_alone(&fronts[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hearts_are_those_of_one_rank), cmocka_unit_test(a_heart_goes_on_with_any_number_of_ranks),
      cmocka_unit_test(slivers_get_mass), cmocka_unit_test(fronts_are_those_of_one_rank)};
  ranks_write = write_meshes;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
