/* Stopping and going on: the same bits as undisturbed; damaged checkpoints, and those of others. */
#include "app/app.h"
#include "output/checkpoint.h"
#include "output/h5.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CASE(scheme, more)                                                                                             \
  "version: 1\nmesh: {grid: [31, 3], size: [15, 1]}\nphysics: monodomain\n"                                            \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"                                                      \
  "stimuli:\n- {on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50, period: 9, count: 3}\n"             \
  "time: {end: 30, step: 0.25" scheme "}\n" more                                                                       \
  "output: {every: 1, fields: [potential, recovery, filament], checkpoint: 4, phase: {delay: 3},\n"                    \
  "  maps: [activation, apd, {name: dominant-frequency, to: 200}],\n"                                                  \
  "  probes: [{name: a, at: [5, 0]}, {name: t, at: [7, 1], field: activation}], ecg: [{name: I, positive: [20, 5, "    \
  "5]}]}\n"

#define OUTSIDE                                                                                                        \
  "version: 1\nmesh: {grid: [16, 3], size: [15, 2]}\nphysics: monodomain\nmodel: bidomain\nelectrodes: [{name: a, "    \
  "on: x0, density: 9, start: 3, duration: 9}, {name: b, on: x1, ground: true}]\ntissue:\n- {on: body, "               \
  "ionic: aliev-panfilov, conductivity: {intra: [2, 0.2], extra: [6, 3], surface-to-volume: 140}, fibers: {direction"  \
  ": [1, 1]}}\nstimuli: [{on: {box: {min: [0, 0], max: [1, 1]}}, duration: 2, amplitude: 50}]\ntime: {end: 20, step: " \
  "0.25}\noutput: {every: 1, fields: [potential, extracellular], checkpoint: 4, probes: [{name: a, at: [5, 0]}]}\n"
/* Cells of three states beside cells of one, from initial values; `more` of the block time, then keys of the case. */
#define STATES(scheme, more)                                                                                           \
  "version: 1\nmesh: {grid: [9, 7], size: [1, 1]}\nphysics: monodomain\n"                                              \
  "tissue: [{on: body, ionic: {model: pathmanathan-gray, preset: 2d}, diffusivity: 0.02}]\n"                           \
  "initial: {potential: 'cos(pi*x)*cos(2*pi*y)', u1: '1+cos(pi*x)*cos(2*pi*y)', u2: '1-0.1*x'}\n"                      \
  "time: {end: 0.5, step: 0.02" scheme "}\n" more "output: {every: 0.1, fields: [potential, u1, u2, u3], checkpoint: " \
  "0.1, probes: [{name: a, at: [0.3, 0.4], field: u1}]}\n"

/* Heat whose load, prescribed temperature and flow through a support vary; `more` of the block time, and of the
 * solver. */
#define HEAT(more, solver)                                                                                             \
  "version: 1\nmesh: {grid: [17, 13], size: [2, 1]}\nphysics: heat\n"                                                  \
  "materials: [{on: body, conductivity: [1, 0.2], capacity: 1.5}]\n"                                                   \
  "boundary:\n- {on: x0, temperature: 'sin(2*t)'}\n- {on: x1, convection: {coefficient: 3, ambient: '1+t'}}\n"         \
  "- {on: y0, flux: 'exp(-t)*x'}\n"                                                                                    \
  "initial: 'x*y'\ntime: {end: 3, step: 0.05" more "}\n"                                                               \
  "solver: {rtol: 1e-9" solver "}\n"                                                                                   \
  "output: {every: 0.2, fields: [temperature, flux], checkpoint: 0.5, probes: [{name: a, at: [1.1, 0.3]}],\n"          \
  "  sums: [{name: q, on: x0, field: heat-flow}]}\n"                                                                   \
  "expect: [{probe: a, value: 1, rtol: 10, time: 1.234}]\n"

/* Vibrations, with a load and a support that vary; `more` of the block time. */
#define MOTION_BY(grid, solver, method, more)                                                                          \
  "version: 1\nmesh: {grid: " grid ", size: [10, 1]}\nphysics: elasticity\nmodel: plane-stress\n"                      \
  "analysis: {type: transient, " method "damping: {alpha: 0.01, beta: 0.02}}\n"                                        \
  "materials: [{on: body, young: 100, poisson: 0.3, density: 1}]\n"                                                    \
  "boundary:\n- {on: x0, fix: {x: 0, y: '0.1*sin(t)'}}\n- {on: x1, traction: [0, '0.01*t']}\n"                         \
  "initial: {velocity: [0, 'x/10']}\ntime: {end: 3, step: 0.05" more "}\nsolver: {" solver "}\n"                       \
  "output: {every: 0.2, fields: [displacement, velocity, acceleration, stress], checkpoint: 0.5,\n"                    \
  "  probes: [{name: a, at: [9.1, 0.3], field: stress-xx}, {name: v, at: [10, 1], field: velocity-y}]}\n"              \
  "expect: [{probe: a, value: 1, rtol: 10, time: 1.234}]\n"

#define MOTION(more) MOTION_BY("[21, 3]", "preconditioner: jacobi", "", more)
/* Rubber pulled and sheared, with a load that varies; `more` of the block time. */
#define RUBBER(poisson, more)                                                                                          \
  "version: 1\nmesh: {grid: [7, 3, 3], size: [3, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"             \
  "materials: [{on: body, type: neo-hooke, young: 10, poisson: " poisson "}]\n"                                        \
  "boundary:\n- {on: x0, fix: all}\n- {on: x1, fix: {x: 't*t'}}\n- {on: z1, traction: [0, '0.1*t', 0]}\n"              \
  "time: {end: 1, step: 0.125" more "}\n"                                                                              \
  "output: {every: 0.125, fields: [displacement, cauchy, jacobian], checkpoint: 0.25,\n"                               \
  "  probes: [{name: a, at: [2.9, 0.3, 0.2], field: stress-xx}], sums: [{name: f, on: x1, field: reaction}]}\n"

/* A guard that asks to stop when it was called so often. */
static int calls, stop_at;
static int guard(int on) {
  if (on) ++calls;
  return stop_at > 0 && calls >= stop_at;
}

static int run_guarded(const char *folder, const char *output, const char *option) {
  char path[512], into[512];
  snprintf(path, sizeof path, "%s", scratch_path(folder, "case.yaml"));
  snprintf(into, sizeof into, "%s", scratch_path(folder, output));
  char *words[] = {(char *)"sinew",
                   (char *)"run",
                   path,
                   (char *)"--quiet",
                   (char *)"--backend",
                   (char *)(uintptr_t)app_backend(),
                   (char *)"--output",
                   into,
                   (char *)(uintptr_t)option};
  calls = 0;
  return app_main_guarded(9, words, guard);
}

static void same(const char *folder, const char *a, const char *b, const char *name) {
  char first[600], second[600];
  snprintf(first, sizeof first, "%s/%s", a, name);
  snprintf(second, sizeof second, "%s/%s", b, name);
  char *left = scratch_read(folder, first), *right = scratch_read(folder, second);
  assert_string_equal(left, right);
  free(left);
  free(right);
}

/* Fields of all steps, bit by bit. */
static void same_fields(const char *folder, const char *a, const char *b) {
  Result *left = NULL, *right = NULL;
  char first[600], second[600];
  snprintf(first, sizeof first, "%s/results.hdf", a);
  snprintf(second, sizeof second, "%s/results.hdf", b);
  assert_ok(result_open(scratch_path(folder, first), &left));
  assert_ok(result_open(scratch_path(folder, second), &right));
  assert_int_equal(left->n_step, right->n_step);
  assert_int_equal(left->n_field, right->n_field);
  assert_true(left->n_field > 0);
  const size_t bytes = 6 * (size_t)(left->n_node + left->n_cell) * sizeof(double);
  double *u = malloc(bytes), *v = malloc(bytes);
  for (int64_t k = 0; k < left->n_step; ++k)
    for (int32_t f = 0; f < left->n_field; ++f) {
      memset(u, 0, bytes), memset(v, 0, bytes);
      assert_ok(result_read(left, &left->field[f], k, u));
      assert_ok(result_read(right, result_field(right, left->field[f].name, left->field[f].on_cells), k, v));
      assert_memory_equal(u, v, bytes);
    }
  free(u);
  free(v);
  result_close(&left);
  result_close(&right);
}

static void (*before_run)(const char *folder); /* writes what the case needs besides; NULL: nothing */

/* Stopped twice on the way. */
static void as_undisturbed(const char *text) {
  char *folder = scratch_create();
  if (before_run) before_run(folder);
  scratch_write(folder, "case.yaml", text);
  stop_at = 0;
  assert_int_equal(run_guarded(folder, "whole", "--overwrite"), 0);
  const int all = calls;
  assert_true(all >= 6);
  stop_at = all / 3;
  assert_int_equal(run_guarded(folder, "parts", "--overwrite"), 10);
  assert_int_equal(access(scratch_path(folder, "parts/checkpoint-1.hdf"), F_OK), 0);
  assert_int_equal(run_guarded(folder, "parts", "--resume"), 10);
  stop_at = 0;
  assert_int_equal(run_guarded(folder, "parts", "--resume"), 0);
  same(folder, "whole", "parts", "probes.csv");
  same(folder, "whole", "parts", "results.xdmf");
  same_fields(folder, "whole", "parts");
  scratch_remove(&folder);
}

static void nodal(void **state) {
  (void)state;
  as_undisturbed(CASE("", ""));
  as_undisturbed(CASE(", scheme: bdf2", ""));
  as_undisturbed(CASE("", "mass: 0.5\n"));
  as_undisturbed(OUTSIDE);
}
static void adaptive(void **state) {
  (void)state;
  as_undisturbed(CASE(", scheme: crank-nicolson, adaptive: {tolerance: 1e-3, max: 1}", ""));
}
static void points(void **state) {
  (void)state;
  as_undisturbed(CASE(", scheme: crank-nicolson", "reaction: gauss\n"));
  as_undisturbed(CASE(", scheme: rush-larsen", ""));
  as_undisturbed(CASE(", scheme: rush-larsen-chebyshev", "mass: 0.5\n"));
  as_undisturbed(CASE(", scheme: rush-larsen, adaptive: {tolerance: 1e-3, max: 1}", "reaction: gauss\n"));
}

static void many_states(void **state) {
  (void)state;
  as_undisturbed(STATES("", ""));
  as_undisturbed(STATES(", scheme: bdf2", "reaction: gauss\n"));
  as_undisturbed(STATES(", scheme: crank-nicolson, adaptive: {tolerance: 1e-4, max: 0.1}", ""));
}

static void heat(void **state) {
  (void)state;
  static const char *const cases[] = {
      HEAT("", ""),
      MOTION(""),
      MOTION_BY("[61, 9]", "method: auto", "", ""), /* a factor after the eighth step */
      MOTION_BY("[21, 3]", "preconditioner: jacobi", "method: modes, modes: 7, ", ""),
      RUBBER("0.3", ""),
      RUBBER("0.3", ", adaptive: {min: 1e-3, max: 0.5}"),
      RUBBER("0.49999", ""),
      RUBBER("0.49999", ", adaptive: {min: 1e-3, max: 0.5}"),
      MOTION(", adaptive: {tolerance: 1e-2}"),
      HEAT(", scheme: crank-nicolson", ", preconditioner: {type: least-squares, degree: 4}, precision: auto"),
      HEAT(", scheme: bdf2, adaptive: {tolerance: 1e-3, max: 0.3}", ", preconditioner: amg"),
      HEAT(", adaptive: {tolerance: 3e-3}", ", preconditioner: ssor, precision: double")};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) as_undisturbed(cases[k]);
}

/* A strip of which 10 of 15 mm are a heart, with lines along its middle. */
static void write_strip(const char *folder) {
  enum { N = 31, HEART = 20, FIBRES = 12, ROOM = 1 << 15 };
  char *text = malloc(ROOM), *at = text;
  assert_non_null(text);
  at += sprintf(at,
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 3 \"fibres\"\n2 1 \"heart\"\n2 2 "
                "\"fat\"\n$EndPhysicalNames\n$Nodes\n%d\n",
                3 * N);
  for (int k = 0; k < 3 * N; ++k) at += sprintf(at, "%d %g %g 0\n", k + 1, 0.5 * (k % N), 0.5 * (k / N));
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", FIBRES + 2 * (N - 1));
  for (int k = 0; k < FIBRES; ++k) at += sprintf(at, "%d 1 2 3 3 %d %d\n", k + 1, N + k + 1, N + k + 2);
  for (int k = 0; k < 2 * (N - 1); ++k) {
    const int x = k % (N - 1), a = k / (N - 1) * N + x + 1, group = x < HEART ? 1 : 2;
    at += sprintf(at, "%d 3 2 %d %d %d %d %d %d\n", FIBRES + k + 1, group, group, a, a + 1, a + N + 1, a + N);
  }
  sprintf(at, "$EndElements\n");
  scratch_write(folder, "mesh.msh", text);
  free(text);
}

/* Cells from a file or built in, of a tree too, paced before; leads in a torso, the potential outside. */
#define BODY(cells, scheme, more)                                                                                      \
  "version: 1\nmesh: mesh.msh\nphysics: monodomain\n"                                                                  \
  "tissue: [{on: heart, ionic: " cells ", conductivity: {intra: 0.2, extra: 0.5, surface-to-volume: 14}}]\n"           \
  "torso: [{on: fat, conductivity: 0.2}]\n"                                                                            \
  "purkinje: [{name: tree, on: fibres, ionic: " cells ", diffusivity: 1, radius: 0.3, junction: {resistance: 0.1, "    \
  "radius: 1}}]\n"                                                                                                     \
  "stimuli: [{on: tree-root, duration: 1, amplitude: 200}]\ntime: {end: 12, step: 0.1" scheme "}\n" more               \
  "output: {every: 1, fields: [potential, extracellular, phase], phase: {delay: 3}, checkpoint: 3, sample: 0.5,\n"     \
  "  maps: [activation, {name: conduction-velocity}], ecg: [{name: I, positive: [15, 0], negative: [13, 1]}],\n"       \
  "  probes: [{name: a, at: [5, 0]}, {name: e, at: [7, 1], field: extracellular}, {name: t, on: tree, at: [4, "        \
  "0.5]}]}\n"

static void trees_and_torso(void **state) {
  (void)state;
  before_run = write_strip;
  as_undisturbed(BODY("aliev-panfilov", ", scheme: bdf2", ""));
  as_undisturbed(BODY("ten-tusscher", ", scheme: rush-larsen", "prepace: {cycle: 300, beats: 2}\n"));
  as_undisturbed(
      BODY("{file: '" SINEW_SOURCE_DIR "/cases/imported-cells/ten-tusscher.mmt'}", ", scheme: rush-larsen", ""));
  as_undisturbed(BODY("ten-tusscher", ", scheme: rush-larsen-chebyshev", ""));
  before_run = NULL;
}

/* The history has the same rows, and sums over the steps go on. */
static void counts_go_on(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", HEAT(", scheme: bdf2", ", preconditioner: jacobi"));
  stop_at = 0;
  assert_int_equal(run_guarded(folder, "whole", "--overwrite"), 0);
  stop_at = calls / 2;
  assert_int_equal(run_guarded(folder, "parts", "--overwrite"), 10);
  stop_at = 0;
  assert_int_equal(run_guarded(folder, "parts", "--resume"), 0);
  static const char *const keys[] = {"\"steps\": ", "\"iterations\": ", "\"products\": ", "\"rejected_steps\": "};
  char *left = scratch_read(folder, "whole/report.json"), *right = scratch_read(folder, "parts/report.json");
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    const char *a = strstr(left, keys[k]), *b = strstr(right, keys[k]);
    assert_true(a && b);
    if (strncmp(a, b, strcspn(a, "\n"))) fail_msg("%.40s and %.40s", a, b);
  }
  /* the pace is that of the steps done since */
  const double rate = strtod(strstr(right, "\"steps_per_second\": ") + 20, NULL),
               solve = strtod(strstr(right, "\"solve\": ") + 9, NULL);
  assert_true(rate * solve < 0.75 * strtod(strstr(right, keys[0]) + strlen(keys[0]), NULL));
  free(left);
  free(right);
  scratch_remove(&folder);
}

static void flip(const char *path) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, 1234, SEEK_SET);
  fputc(0x5a, file);
  fseek(file, 1235, SEEK_SET);
  fputc(0xa5, file);
  fclose(file);
}

static void says(const char *folder, const char *const *words, int n, int code, const char *part) {
  Said said = app_says_words(n, words);
  if (said.code != code || (!strstr(said.err, part) && !strstr(said.out, part)))
    fail_msg("code %d, not %d, or no '%s' in\n%s%s", said.code, code, part, said.out, said.err);
  said_release(&said);
  (void)folder;
}

/* The case into `folder`, its path, and the folder of its results. */
static void write_case(const char *folder, const char *text, const char *results, char path[512], char into[512]) {
  scratch_write(folder, "case.yaml", text);
  snprintf(path, 512, "%s", scratch_path(folder, "case.yaml"));
  snprintf(into, 512, "%s", scratch_path(folder, results));
}

static void wrong_checkpoints(void **state) {
  (void)state;
  char *folder = scratch_create();
  char path[512], into[512], newest[600], older[600], report[600];
  write_case(folder, CASE("", ""), "r", path, into);
  snprintf(newest, sizeof newest, "%s/checkpoint-1.hdf", into);
  snprintf(older, sizeof older, "%s/checkpoint-2.hdf", into);
  snprintf(report, sizeof report, "%s/report.json", into);
  const char *const resume[] = {"run", path, "--output", into, "--resume", "--backend", app_backend()};
  const char *const again[] = {"run", path, "--output", into, "--backend", app_backend()};
  const char *const other[] = {"run",       path,          "--output", into,           "--resume",
                               "--backend", app_backend(), "--set",    "time.step=0.5"};
  const char *const mesh[] = {"run",         path,    "--output",           into, "--resume", "--backend",
                              app_backend(), "--set", "mesh.size=[15, 1.1]"};
  const char *const info[] = {"info", newest};
  stop_at = 0;
  says(folder, resume, 7, 0, "no checkpoint in");
  says(folder, again, 6, 5, "there is a result already");
  says(folder, other, 9, 5, "is of another case");
  says(folder, mesh, 9, 5, "is of another mesh");
  says(folder, info, 2, 0, "a checkpoint of Sinew, whole");
  says(folder, resume, 7, 0, "holds the whole result of this case: nothing to do");
  unlink(newest); /* the one before */
  unlink(report);
  says(folder, resume, 7, 0, "resumed      at t = 28 ms"); /* the last part again */
  unlink(report);
  flip(newest);
  says(folder, info, 2, 9, "is damaged");
  says(folder, resume, 7, 0, "checkpoint-1.hdf' is damaged");
  unlink(report);
  flip(newest);
  flip(older);
  says(folder, resume, 7, 5, "no checkpoint can be used");
  scratch_remove(&folder);
}

/* What a finished run has left is not begun again, whatever is missing of it. */
static void finished(void **state) {
  (void)state;
  static const char *const cases[] = {
      CASE("", ""), HEAT("", ""),
      "version: 1\nmesh: {grid: [4, 4]}\nphysics: heat\nmaterials: [{on: body, conductivity: 1}]\n"
      "boundary: [{on: x0, temperature: 1}]\n",
      "version: 1\nmesh: {grid: [4, 4]}\nphysics: elasticity\nmodel: plane-stress\n"
      "materials: [{on: body, young: 1, poisson: 0, density: 1}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: "
      "[1, 0]}]\n",
      "version: 1\nmesh: {grid: [4, 4]}\nphysics: elasticity\nmodel: plane-stress\n"
      "analysis: {type: harmonic, frequency: [0.01, 0.02]}\n"
      "materials: [{on: body, young: 1, poisson: 0, density: 1}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: "
      "[1, 0]}]\n"};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char *folder = scratch_create();
    char path[512], into[512];
    write_case(folder, cases[k], "r", path, into);
    const char *const resume[] = {"run", path, "--output", into, "--resume", "--backend", app_backend()};
    const char *const other[] = {"run",         path,    "--output",        into, "--resume", "--backend",
                                 app_backend(), "--set", "mesh.grid=[5, 4]"};
    stop_at = 0;
    says(folder, resume, 7, 0, "starting from the beginning");
    char *before = scratch_read(folder, "r/report.json");
    says(folder, resume, 7, 0, "nothing to do");
    says(folder, other, 9, 5, "is of another mesh");
    char *after = scratch_read(folder, "r/report.json");
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_int_equal(rename(scratch_path(folder, "r/probes.csv"), scratch_path(folder, "kept")), 0);
    says(folder, resume, 7, 5, "r/probes.csv' is missing, and the run is finished");
    assert_int_equal(rename(scratch_path(folder, "kept"), scratch_path(folder, "r/probes.csv")), 0);
    unlink(scratch_path(folder, "r/results.hdf"));
    says(folder, resume, 7, 5, "r/results.hdf' is missing, and the run is finished");
    assert_int_equal(access(scratch_path(folder, "r/results.hdf"), F_OK), -1);
    scratch_write(folder, "r/results.hdf", "something");
    unlink(scratch_path(folder, "r/report.json"));
    unlink(scratch_path(folder, "r/checkpoint-1.hdf"));
    unlink(scratch_path(folder, "r/checkpoint-2.hdf"));
    says(folder, resume, 7, 5, "no report.json that names its case");
    scratch_remove(&folder);
  }
}

/* A stopped run whose files are not what the checkpoint counts on; whatever is refused leaves them as they are. */
static void lost_files(void **state) {
  (void)state;
  static const struct {
    const char *name, *said;
    bool cut;
  } loss[] = {{"parts/results.hdf", "parts/results.hdf' is missing", false},
              {"parts/probes.csv", "parts/probes.csv' is missing", false},
              {"parts/results.hdf", "parts/results.hdf' is cut short", true},
              {"parts/probes.csv", "parts/probes.csv' is cut short", true}};
  char *folder = scratch_create();
  char path[512], into[512];
  write_case(folder, HEAT("", ""), "parts", path, into);
  const char *const resume[] = {"run", path, "--output", into, "--resume", "--backend", app_backend(), "--quiet"};
  stop_at = 0;
  assert_int_equal(run_guarded(folder, "whole", "--overwrite"), 0);
  stop_at = 20;
  assert_int_equal(run_guarded(folder, "parts", "--overwrite"), 10);
  stop_at = 0;
  char *report = scratch_read(folder, "parts/report.json");
  assert_non_null(strstr(report, "\"status\": \"stopped\""));
  free(report);
  for (int k = 0; k < 4; ++k) {
    assert_int_equal(rename(scratch_path(folder, loss[k].name), scratch_path(folder, "kept")), 0);
    if (loss[k].cut) scratch_write(folder, loss[k].name, "time");
    says(folder, resume, 8, 5, loss[k].said);
    says(folder, resume, 8, 5, "restore the file, or use --overwrite to start again");
    assert_int_equal(rename(scratch_path(folder, "kept"), scratch_path(folder, loss[k].name)), 0);
  }
  says(folder, resume, 8, 0, "");
  same(folder, "whole", "parts", "probes.csv");
  same_fields(folder, "whole", "parts");
  scratch_remove(&folder);
}

static void heat_says(void **state) {
  (void)state;
  char *folder = scratch_create();
  char path[512], into[512];
  write_case(folder, HEAT("", ""), "r", path, into);
  const char *const resume[] = {"run", path, "--output", into, "--resume", "--backend", app_backend()};
  const char *const other[] = {"run",       path,          "--output", into,           "--resume",
                               "--backend", app_backend(), "--set",    "time.step=0.1"};
  const char *const again[] = {"run", path, "--output", into, "--overwrite", "--backend", app_backend()};
  stop_at = 0;
  says(folder, resume, 7, 0, "no checkpoint in");
  unlink(scratch_path(folder, "r/report.json"));
  says(folder, resume, 7, 0, "resumed      at t = 2.5 after 51 steps");
  says(folder, other, 9, 5, "is of another case");
  says(folder, again, 7, 0, "results");
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [4, 4]}\nphysics: heat\n"
                "materials: [{on: body, conductivity: 1}]\nboundary: [{on: x0, temperature: 1}]\n"
                "output: {checkpoint: 1}\n");
  const char *const steady[] = {"run", path, "--output", into, "--overwrite"};
  says(folder, steady, 5, 3, "a steady case has no checkpoints");
  scratch_remove(&folder);
}

/* The newest checkpoint as if another build had written it. */
static void another_build(void **state) {
  (void)state;
  char *folder = scratch_create();
  char path[512], into[512];
  write_case(folder, HEAT("", ""), "parts", path, into);
  const char *const resume[] = {"run", path, "--output", into, "--resume", "--backend", app_backend(), "--quiet"};
  stop_at = 20;
  assert_int_equal(run_guarded(folder, "parts", "--overwrite"), 10);
  stop_at = 0;
  char *report = scratch_read(folder, "parts/report.json");
  const char *hash = strstr(report, "\"case_hash\": \""), *mesh = strstr(report, "\"mesh_hash\": \"");
  assert_true(hash && mesh);
  Checkpoint c;
  bool found;
  assert_ok(checkpoint_load(into, strtoull(hash + 14, NULL, 16), strtoull(mesh + 14, NULL, 16), &c, &found));
  assert_true(found && c.n_receipt > 0);
  c.commit = "0123456789ab";
  assert_ok(checkpoint_save(into, &c));
  checkpoint_release(&c);
  free(report);
  Said said = app_says_words(8, resume);
  assert_int_equal(said.code, 0);
  if (!strstr(said.err, "written by another build of Sinew (commit 0123456789ab, this is "))
    fail_msg("no warning in %s", said.err);
  said_release(&said);
  scratch_remove(&folder);
}

/* Room for more times is reserved than an adaptive run comes to store. */
static void rows_as_times(void **state) {
  (void)state;
  static const char *const cases[] = {CASE(", scheme: crank-nicolson, adaptive: {tolerance: 1e-3, max: 1}", ""),
                                      CASE("", ""), HEAT(", adaptive: {tolerance: 3e-3}", "")};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char *folder = scratch_create();
    scratch_write(folder, "case.yaml", cases[k]);
    stop_at = 0;
    assert_int_equal(run_guarded(folder, "whole", "--overwrite"), 0);
    const hid_t file = h5_file_open(scratch_path(folder, "whole/results.hdf"), false);
    int rank;
    hsize_t times[4], parts[4], rows[4];
    assert_true(h5_shape(file, "/VTKHDF/Steps/Values", &rank, times) &&
                h5_shape(file, "/VTKHDF/Steps/NumberOfParts", &rank, parts));
    assert_true(h5_shape(file, k < 2 ? "/VTKHDF/PointData/potential" : "/VTKHDF/PointData/temperature", &rank, rows));
    assert_int_equal(parts[0], times[0]);
    assert_int_equal(rows[0], times[0] * (k < 2 ? 31 * 3 : 17 * 13));
    H5Fclose(file);
    Result *result = NULL;
    assert_ok(result_open(scratch_path(folder, "whole/results.hdf"), &result));
    assert_int_equal(result->n_step, times[0]);
    result_close(&result);
    scratch_remove(&folder);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nodal),          cmocka_unit_test(adaptive),
                                     cmocka_unit_test(points),         cmocka_unit_test(wrong_checkpoints),
                                     cmocka_unit_test(heat),           cmocka_unit_test(finished),
                                     cmocka_unit_test(lost_files),     cmocka_unit_test(another_build),
                                     cmocka_unit_test(rows_as_times),  cmocka_unit_test(counts_go_on),
                                     cmocka_unit_test(heat_says),      cmocka_unit_test(many_states),
                                     cmocka_unit_test(trees_and_torso)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
