/* Fronts from case files to results: closed forms along fibres, what two parts of a mesh come to, what is stored, fibres by
 * expression, the same times of a heart's wave. */
#include "app/monodomain/single_cell.h"
#include "mesh/mesh.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Column k of the only row of probes.csv, time is 0. */
static double value(const char *folder, int k) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = strchr(text, '\n') + 1;
  for (; k > 0; --k) at = strchr(at, ',') + 1;
  const double found = strtod(at, NULL);
  free(text);
  return found;
}

/* From a plane along fibres that turn by an expression of the place: half of the sheet is three times as slow. */
static void layers(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [41, 5, 5], size: [20, 2, 2], element: hex8}\nphysics: eikonal\n"
           "tissue:\n  - on: body\n    velocity: {along: 0.6, across: 0.2, normal: 0.1}\n"
           "    fibers: {direction: ['max(0, 10 - x)', 'max(0, x - 10)', 0]}\n    sheets: {direction: [0, 0, 1]}\n"
           "stimuli: [{on: x0, start: 4}]\n"
           "output: {probes: [{name: a, at: [10, 1, 1]}, {name: b, at: [18.2, 0.3, 1.7]}],"
           " velocity: [{name: v, from: a, to: b}]}\n");
  assert_within(value(folder, 1), 4 + 10 / 0.6, 1e-9);
  assert_within(value(folder, 2), 4 + 10 / 0.6 + 8.2 / 0.1, 1e-9); /* n = f x s is x where fibres lie along y */
  assert_within(value(folder, 3), sqrt(8.2 * 8.2 + 0.7 * 0.7 + 0.7 * 0.7) / 82, 1e-9);
  scratch_remove(&folder);
}

/* Where no stimulus is there is no time, and the run says for how many nodes. */
static void two_parts(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "two.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"body\"\n$EndPhysicalNames\n$Nodes\n7\n"
                "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 5 0 0\n5 6 0 0\n6 5 1 0\n7 6 1 0\n$EndNodes\n$Elements\n3\n"
                "1 2 2 1 1 1 2 3\n2 2 2 1 1 4 5 6\n3 2 2 1 1 5 7 6\n$EndElements\n");
  scratch_write(
      folder, "case.yaml",
      "version: 1\nmesh: {file: two.msh}\nphysics: eikonal\ntissue: [{on: body, velocity: 0.5}]\n"
      "stimuli: [{on: {nodes: [1]}}]\noutput: {probes: [{name: here, at: [1, 0]}, {name: there, at: [5.2, 0.2]}]}\n");
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  assert_non_null(strstr(said.err, "the front never arrives at 4 of 7 nodes"));
  assert_within(value(folder, 1), 2, 1e-12);
  assert_true(value(folder, 2) == -1);
  said_release(&said);
  scratch_remove(&folder);
}

/* The field in the file is what probes have. */
static void stored(void **state) {
  (void)state;
  char *folder = scratch_create(), *json;
  app_runs(folder, "version: 1\nmesh: {grid: [6, 6], size: [5, 5], element: quad4}\nphysics: eikonal\n"
                   "tissue: [{on: body, velocity: 2}]\nstimuli: [{on: y0, start: 1}]\n"
                   "output: {fields: [activation, conduction-velocity]}\n");
  Result *file = NULL;
  double time[36];
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &file));
  assert_ok(result_read(file, result_field(file, "activation", false), 0, time));
  double cv[25][3];
  char unit[32];
  result_unit(file, result_field(file, "conduction-velocity", true), unit, sizeof unit);
  assert_string_equal(unit, "mm/ms");
  assert_ok(result_read(file, result_field(file, "conduction-velocity", true), 0, cv[0]));
  for (int e = 0; e < 25; ++e) assert_true(fabs(cv[e][0]) < 1e-9 && fabs(cv[e][1] - 2) < 1e-9 && cv[e][2] == 0);
  result_close(&file);
  double sum = 0;
  for (int i = 0; i < 36; ++i) sum += time[i];
  assert_within(sum, 36 * (1 + 1.25), 1e-12);
  json = scratch_read(folder, "results/report.json");
  const char *sweeps = strstr(json, "\"iterations\": ");
  assert_non_null(sweeps);
  assert_in_range(atoi(sweeps + 14), 6, 20); /* five rows of elements, and what the limit waits */
  free(json);
  scratch_remove(&folder);
}

/* A wave of Aliev-Panfilov's cells from an edge, and the same by its speed (cases/planar-wave). */
static void like_a_wave(void **state) {
  (void)state;
  char *folder = scratch_create();
#define STRIP(physics, tissue, more)                                                                                   \
  "version: 1\nmesh: {grid: [121, 2], size: [60, 0.5]}\nphysics: " physics "\ntissue: [{on: body, " tissue "}]\n" more
  app_runs(folder,
           STRIP("monodomain", "ionic: aliev-panfilov, diffusivity: 1",
                 "stimuli: [{on: x0, depth: 2, duration: 2, amplitude: 50}]\ntime: {end: 100, step: 0.1}\n"
                 "output: {every: 100, probes: [{name: a, at: [20, 0], field: activation}, {name: b, at: [50, 0], "
                 "field: activation}]}\n"));
  char *text = scratch_read(folder, "results/probes.csv"), *last = strrchr(text, '\n');
  *last = 0;
  double t, a, b;
  assert_int_equal(sscanf(strrchr(text, '\n') + 1, "%lf,%lf,%lf", &t, &a, &b), 3);
  free(text);
  app_runs(folder, STRIP("eikonal", "velocity: 0.54571",
                         "stimuli: [{on: x0}]\noutput: {probes: [{name: a, at: [20, 0]}, {name: b, at: [50, 0]}]}\n"));
  assert_relative(value(folder, 2) - value(folder, 1), b - a, 0.005);
  scratch_remove(&folder);
}

/* Fronts start the cells of a heart, on elements that no wave of theirs would cross: along the fibres with the velocity that
 * is given, across them less by the root of the diffusivities, again with the next pulse. */
static void starts_a_heart(void **state) {
  (void)state;
  static const char *const side[] = {"x0", "y0"};
  static const double velocity[] = {0.6, 0.3};
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [21, 21], size: [60, 60]}\nphysics: monodomain\n"
             "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: {along: 0.1, across: 0.025},\n"
             "  fibers: {direction: [1, 0]}, velocity: 0.6}]\neikonal: {}\n"
             "stimuli: [{on: %s, start: 5, duration: 2, amplitude: 50, period: 600}]\ntime: {end: 850, step: 0.25}\n"
             "output: {every: 850, maps: [{name: activation, beats: 2}]}\n",
             side[k]);
    app_runs(folder, text);
    Result *file = NULL;
    double time[441], again[441], least = 1e9, most = -1e9;
    assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &file));
    assert_ok(result_read(file, result_field(file, "activation", false), -1, time));
    assert_ok(result_read(file, result_field(file, "activation-2", false), -1, again));
    result_close(&file);
    for (int i = 0; i < 441; ++i) {
      const double way = 3 * (k ? i / 21 : i % 21), late = time[i] - 5 - way / velocity[k];
      least = fmin(least, late), most = fmax(most, late);
      assert_within(again[i] - time[i], 600, 1);
    }
    print_message("from %s cells are active %.3g to %.3g ms behind the front\n", side[k], least, most);
    assert_true(least > 0.4 && most < 1.2);
  }
  scratch_remove(&folder);
}

enum { STRIP_NODES = 42, TREE_MOST = 9 };
/* A tree of lines of 10 mm along a strip of 60 x 3 mm, and where fronts start. */
static const struct TreeRun {
  int first, n;
  double root;
  const char *on;
  double last;
} tree_run[] = {
    {-20, 9, -20, "tree-root", 47 + 57 / 0.6}, {-20, 9, -20, "x0", 5 + 57 / 0.6 + 2 + 40}, {0, 7, 30, "x0", 69}};

static void write_tree(const char *folder, int k) {
  char text[1024], *at = text;
  at += sprintf(at, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", tree_run[k].n);
  for (int i = 0; i < tree_run[k].n; ++i) at += sprintf(at, "%d %d 1.5 0\n", i + 1, tree_run[k].first + 10 * i);
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", tree_run[k].n - 1);
  for (int i = 1; i < tree_run[k].n; ++i) at += sprintf(at, "%d 1 2 1 1 %d %d\n", i, i, i + 1);
  sprintf(at, "$EndElements\n");
  scratch_write(folder, "tree.msh", text);
}

/* When the front is at node i. Known but for rounding, since fronts here are plane; an end that the tissue has
 * started is earlier at the other nodes within the radius than the tissue. */
static double tree_front(int k, int i) {
  const double x = i < STRIP_NODES ? 3 * (i % 21) : tree_run[k].first + 10 * (i - STRIP_NODES);
  const double back = fmax(57 - x, 0) / 0.6;
  if (k == 0) return i < STRIP_NODES ? 47 + back : 5 + (x + 20) / 2;
  if (i < STRIP_NODES) return fmin((k == 1 || x < 3 ? 5 : 4) + x / 0.6, (k == 1 ? 104 : 39) + back);
  return k == 1 ? 5 + 57 / 0.6 + 2 + (60 - x) / 2 : 7 + x / 2;
}

/* The least and largest of the times that a run has stored, less those. */
static void behind_front(const char *folder, int k, double *least, double *most) {
  Result *file = NULL;
  double time[STRIP_NODES + TREE_MOST];
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &file));
  assert_int_equal(file->n_node, STRIP_NODES + tree_run[k].n);
  assert_ok(result_read(file, result_field(file, "activation", false), -1, time));
  result_close(&file);
  *least = 1e9, *most = -1e9;
  for (int i = 0; i < STRIP_NODES + tree_run[k].n; ++i) {
    *least = fmin(*least, time[i] - tree_front(k, i)), *most = fmax(*most, time[i] - tree_front(k, i));
  }
}

/* Through trees: out of an end, into one, and across a strip by a tree that is faster; lines of 10 mm, which no wave of the cells
 * crosses. */
static void through_trees(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double least, most;
  for (int k = 0; k < 3; ++k) {
    write_tree(folder, k);
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [21, 2], size: [60, 3]}\nphysics: monodomain\n"
             "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.1, velocity: 0.6}]\neikonal: {}\n"
             "purkinje: [{name: tree, file: tree.msh, root: [%g, 1.5, 0], ionic: aliev-panfilov, diffusivity: 0.5, "
             "radius: 0.1,\n  velocity: 2, junction: {resistance: 100, radius: 4, delay: 2}}]\n"
             "stimuli: [{on: %s, start: 5, duration: 2, amplitude: 50}]\ntime: {end: 150, step: 0.25}\n"
             "output: {every: 150, maps: [activation]}\n",
             tree_run[k].root, tree_run[k].on);
    app_runs(folder, text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    const char *found = strstr(said.out, "the last one at ");
    assert_non_null(found);
    assert_within(strtod(found + 16, NULL), tree_run[k].last, 1e-3);
    said_release(&said);
    behind_front(folder, k, &least, &most);
    print_message("from %s cells are active %.3g to %.3g ms behind the front\n", tree_run[k].on, least, most);
    assert_true(least > 0.2 && most < 1.2);
  }
  scratch_remove(&folder);
}

/* The same fronts without cells, to rounding; a probe on the tree, and one of its lines has no vector of its own. */
static void trees_alone(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double least, most;
  for (int k = 0; k < 3; ++k) {
    write_tree(folder, k);
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [21, 2], size: [60, 3]}\nphysics: eikonal\n"
        "tissue: [{on: body, velocity: 0.6}]\n"
        "purkinje: [{name: tree, file: tree.msh, root: [%g, 1.5, 0], velocity: 2, junction: {radius: 4, delay: 2}}]\n"
        "stimuli: [{on: %s, start: 5}]\noutput: {fields: [activation, conduction-velocity],\n"
        "  probes: [{name: tree, on: tree, at: [20, 1.5]}, {name: tissue, at: [21, 0]}]}\n",
        tree_run[k].root, tree_run[k].on);
    app_runs(folder, text);
    behind_front(folder, k, &least, &most);
    assert_true(least > -1e-9 && most < 1e-9);
    assert_within(value(folder, 1), tree_front(k, STRIP_NODES + (20 - tree_run[k].first) / 10), 1e-9);
    assert_within(value(folder, 2), tree_front(k, 7), 1e-9);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    assert_non_null(strstr(said.out, "nodes of tissue; fronts at 2 mm/ms"));
    said_release(&said);
    Result *file = NULL;
    double cv[20 + TREE_MOST][3];
    assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &file));
    assert_ok(result_read(file, result_field(file, "conduction-velocity", true), 0, cv[0]));
    result_close(&file);
    const int lines = tree_run[k].n - 1;
    for (int i = 0; i < lines; ++i) assert_true(cv[i][0] == 0 && cv[i][1] == 0);
    assert_within(fabs(cv[lines + 9][0]), 0.6, 1e-9);
  }
  scratch_remove(&folder);
}

/* 5 x 5 squares of 1 mm, of which the nine in the middle are "scar", or are not there. */
static void write_scar(const char *folder, const char *name, bool hole) {
  char text[8192], *at = text;
  int n = 0;
  at +=
      sprintf(at,
              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"body\"\n2 2 \"scar\"\n$EndPhysicalNames\n"
              "$Nodes\n%d\n",
              hole ? 32 : 36);
  for (int i = 0; i < 36; ++i)
    if (!hole || !(i % 6 > 1 && i % 6 < 4 && i / 6 > 1 && i / 6 < 4))
      at += sprintf(at, "%d %d %d 0\n", i + 1, i % 6, i / 6);
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", hole ? 16 : 25);
  for (int e = 0; e < 25; ++e) {
    const bool scar = e % 5 > 0 && e % 5 < 4 && e / 5 > 0 && e / 5 < 4;
    const int i = 6 * (e / 5) + e % 5 + 1;
    if (!hole || !scar) at += sprintf(at, "%d 3 2 %d 1 %d %d %d %d\n", ++n, 1 + scar, i, i + 1, i + 7, i + 6);
  }
  sprintf(at, "$EndElements\n");
  scratch_write(folder, name, text);
}

/* The first of them with lines, "fibre", through the scar. */
static void write_lines(const char *folder) {
  char text[8192];
  write_scar(folder, "scar.msh", false);
  char *mesh = scratch_read(folder, "scar.msh"), *elements = strstr(mesh, "$Elements\n25\n");
  assert_non_null(elements);
  snprintf(text, sizeof text, "%.*s$Elements\n27\n26 1 2 3 3 15 16\n27 1 2 3 3 16 22\n%s", (int)(elements - mesh), mesh,
           elements + strlen("$Elements\n25\n"));
  free(mesh);
  char *names = strstr(text, "2\n2 1 \"body\"");
  assert_non_null(names);
  memmove(names + strlen("3\n1 3 \"fibre\"\n"), names + 2, strlen(names + 2) + 1);
  memcpy(names, "3\n1 3 \"fibre\"\n", strlen("3\n1 3 \"fibre\"\n"));
  scratch_write(folder, "lines.msh", text);
}

/* What is left out of a mesh is as if it were not there, with what lies in it, for fronts and for cells, to the bit. */
static void left_out(void **state) {
  (void)state;
  static const char *const physics[] = {
      "physics: eikonal\ntissue: [{on: body, velocity: 0.6}]\nstimuli: [{on: {nodes: [1]}}]\n",
      "physics: monodomain\ntissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
      "stimuli: [{on: {nodes: [1, 2, 7, 8]}, duration: 2, amplitude: 60}]\ntime: {end: 20, step: 0.1}\n"};
  static const char *const mesh[] = {"scar.msh", "hole.msh", "lines.msh"};
  char *folder = scratch_create(), text[1024];
  write_lines(folder);
  write_scar(folder, "hole.msh", true);
  for (int k = 0; k < 2; ++k) {
    double value[3][32];
    for (int i = 0; i < 3; ++i) {
      snprintf(text, sizeof text, "version: 1\nmesh: {file: %s}\n%s%s", mesh[i], i == 1 ? "" : "without: scar\n",
               physics[k]);
      app_runs(folder, text);
      Result *file = NULL;
      assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &file));
      assert_int_equal(file->n_node, 32);
      assert_ok(result_read(file, result_field(file, k ? "potential" : "activation", false), -1, value[i]));
      result_close(&file);
    }
    for (int i = 1; i < 3; ++i) assert_memory_equal(value[0], value[i], sizeof value[0]);
    assert_true(k ? value[0][31] > -60 : value[0][31] > 10 / 0.6 * 0.7072); /* it comes around, not through */
  }
  scratch_remove(&folder);
}

/* A group that nothing is left of is not unknown. */
static void named_after_all(void **state) {
  (void)state;
  static const char *const wrong[] = {"tissue: [{on: [body, scar], velocity: 0.6}]\nstimuli: [{on: {nodes: [1]}}]\n",
                                      "tissue: [{on: body, velocity: 0.6}]\nstimuli: [{on: scar}]\n"};
  char *folder = scratch_create(), text[1024];
  write_scar(folder, "scar.msh", false);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    snprintf(text, sizeof text, "version: 1\nmesh: {file: scar.msh}\nwithout: scar\nphysics: eikonal\n%s", wrong[k]);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    if (said.code != 3 || !strstr(said.err, k ? "case.yaml:6:16: " : "case.yaml:5:22: ") ||
        !strstr(said.err, "group 'scar' is not part of the problem: 'without:' leaves all of its elements out") ||
        !strstr(said.err, "or take it out of 'without:'") || strstr(said.err, "unknown group"))
      fail_msg("exit code %d\n%s", said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* The lines of a tree stay where they run through what is left out, and so do the ends of the tree. */
static void tree_through_a_hole(void **state) {
  (void)state;
  char *folder = scratch_create();
  write_lines(folder);
  app_runs(folder,
           "version: 1\nmesh: {file: lines.msh}\nwithout: scar\nphysics: eikonal\n"
           "tissue: [{on: body, velocity: 0.5}]\n"
           "purkinje: [{name: tree, on: fibre, root: [2, 2, 0], velocity: 2, junction: {radius: 1.1, delay: 2}}]\n"
           "stimuli: [{on: tree-root}]\noutput: {probes: [{name: end, on: tree, at: [3, 3]}, "
           "{name: tissue, at: [4, 3]}, {name: next, at: [5, 3]}]}\n");
  assert_within(value(folder, 1), 1, 1e-9);
  assert_within(value(folder, 2), 3, 1e-9);
  assert_within(value(folder, 3), 5, 1e-9);
  scratch_remove(&folder);
}

/* ---- leads ---- */

enum { WAVE = 60000 }; /* values every 0.01 ms */
typedef struct Action {
  int n;
  double V[WAVE + 2], upstroke;
} Action;

static void see_action(void *context, double t, const SingleCell *cell) {
  Action *a = context;
  (void)t;
  if (a->n < WAVE) a->V[a->n++] = cell->V;
}

/* A cell of the first preset, as leads have it. */
static void make_action(const char *model, Action *a) {
  IonicConstants of = {0};
  SingleCell cell;
  CellBeat beat;
  const CellPacing pacing = {52, 1, 0.01};
  const CellWatch watch = {see_action, a, 0.01};
  while (strcmp(ionic_type(of.kind)->name, model)) ++of.kind;
  const int preset = ionic_preset(of.kind, ionic_type(of.kind)->preset[0].name);
  for (int k = 0; k < ionic_type(of.kind)->n_param; ++k) of.value[k] = ionic_type(of.kind)->preset[preset].value[k];
  single_cell_start(&of, &cell);
  a->n = 0;
  assert_ok(single_cell_beat(&cell, &pacing, 0.01 * WAVE, &watch, &beat));
  a->upstroke = beat.upstroke;
}

/* dV/dt when a front that comes at 0 is `t` ms behind. */
static double action_slope(const Action *a, double t) {
  const int k = (int)floor((t + a->upstroke) / 0.01);
  return k < 0 || k + 1 >= a->n ? 0 : (a->V[k + 1] - a->V[k]) / 0.01;
}

/* mV at an electrode: of a plane front of 0.5 mm/ms along a bar of 20 x 2 x 2 mm from x = 0 at 3 ms, sigma inside the cells over
 * that of the medium s: s/(4 pi v) int V'(t - x/v) d(1/r)/dx dV, by midpoints. */
static double bar_lead(const Action *a, double t, const double e[3], double s) {
  enum { N = 4000, M = 8 };
  double sum = 0;
  for (int i = 0; i < N; ++i) {
    const double x = 20 * (i + 0.5) / N, slope = action_slope(a, t - 3 - x / 0.5);
    if (slope == 0) continue;
    for (int j = 0; j < M * M; ++j) {
      const double y = 2 * (j % M + 0.5) / M, z = 2 * (j / M + 0.5) / M;
      const double r = sqrt((x - e[0]) * (x - e[0]) + (y - e[1]) * (y - e[1]) + (z - e[2]) * (z - e[2]));
      sum += slope * (e[0] - x) / (r * r * r);
    }
  }
  return s / (4 * M_PI * 0.5) * sum * (20.0 * 2 * 2) / ((double)N * M * M);
}

/* Leads of a plane front against the integral, in mV with fibres along and across it, and the same bits on any threads. */
static void leads_of_a_bar(void **state) {
  (void)state;
  static const double far[3] = {45, 4, -3}, beside[3] = {8, 12, 1};
  static const struct {
    const char *fibers;
    double inside;
  } way[] = {{"[1, 0, 0]", 0.2}, {"[0, 1, 0]", 0.05}};
  static Action action;
  char *folder = scratch_create(), text[1024];
  make_action("ten-tusscher", &action);
  for (int k = 0; k < 2; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [81, 3, 3], size: [20, 2, 2], element: hex8}\nphysics: eikonal\n"
        "tissue: [{on: body, velocity: {along: %s}, fibers: {direction: %s}, ionic: ten-tusscher,\n"
        "  conductivity: {intra: [0.2, 0.05]}}]\nstimuli: [{on: x0, start: 3}]\ntime: {end: 400, step: 2}\n"
        "output: {medium: 2, probes: [{name: a, at: [10, 1, 1]}],\n"
        "  ecg: [{name: far, positive: [45, 4, -3], negative: [8, 12, 1]}, {name: beside, positive: [8, 12, 1]}]}\n",
        k ? "0.7, across: 0.5" : "0.5, across: 0.3", way[k].fibers);
    app_runs(folder, text);
    char *table = scratch_read(folder, "results/probes.csv"), *line = strchr(table, '\n') + 1;
    double worst[2] = {0, 0}, most[2] = {0, 0};
    int n = 0;
    for (; *line; line = strchr(line, '\n') + 1, ++n) {
      double t, at, lead[2];
      assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf", &t, &at, &lead[0], &lead[1]), 4);
      assert_within(t, 2.0 * n, 1e-9);
      assert_within(at, 23, 1e-9);
      const double b = bar_lead(&action, t, beside, way[k].inside / 2);
      const double known[2] = {bar_lead(&action, t, far, way[k].inside / 2) - b, b};
      for (int l = 0; l < 2; ++l)
        worst[l] = fmax(worst[l], fabs(lead[l] - known[l])), most[l] = fmax(most[l], fabs(known[l]));
    }
    free(table);
    assert_int_equal(n, 201);
    print_message("fibres %s: leads of %.3g and %.3g mV are off by %.2g and %.2g of that\n", way[k].fibers, most[0],
                  most[1], worst[0] / most[0], worst[1] / most[1]);
    assert_true(most[0] > 0.003 && worst[0] < 0.002 * most[0] && worst[1] < 0.002 * most[1]);
    char *one = scratch_read(folder, "results/probes.csv");
    const char *words[] = {"run", scratch_path(folder, "case.yaml"), "--backend", "cpu", "--overwrite", "--threads",
                           "3"};
    Said said = app_says_words((int)(sizeof words / sizeof *words), words);
    char *three = scratch_read(folder, "results/probes.csv");
    assert_int_equal(said.code, 0);
    if (!strcmp(app_backend(), "cpu")) assert_string_equal(one, three);
    free(one), free(three);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(leads_of_a_bar),     cmocka_unit_test(layers),
                                     cmocka_unit_test(two_parts),          cmocka_unit_test(stored),
                                     cmocka_unit_test(like_a_wave),        cmocka_unit_test(starts_a_heart),
                                     cmocka_unit_test(through_trees),      cmocka_unit_test(trees_alone),
                                     cmocka_unit_test(left_out),           cmocka_unit_test(named_after_all),
                                     cmocka_unit_test(tree_through_a_hole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
