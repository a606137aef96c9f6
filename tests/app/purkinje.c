/* Trees of Purkinje fibres, from a case to results, against finite differences with explicit steps of the same cables: times of
 * arrival in the tree and behind the junction, both ways, and resistances too large for the front to pass. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cable of 40 mm that ends at the edge of a strip of 20 mm. Lengths in mm. */
enum { TREE = 161, STRIP = 81, ALL = TREE + STRIP, REACHED = 3 };
static const double H = 0.25, WIDTH = 0.25, RADIUS = 0.3, D_TREE = 1.5, D_STRIP = 0.5, LEVEL = 0.5; /* -30 mV */

static void write_tree(const char *folder, const char *name, int n, double scale, int second) {
  char *text = malloc(200000), *to = text;
  assert_non_null(text);
  to += sprintf(to, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", n);
  for (int i = 0; i < n; ++i)
    to += sprintf(to, "%d %.10g %.10g 0\n", i + 1, (i - n + 1) * H * scale, 0.5 * WIDTH * scale);
  to += sprintf(to, "$EndNodes\n$Elements\n%d\n", n - 1);
  for (int i = 0; i + 1 < n; ++i) to += sprintf(to, "%d 1 2 1 1 %d %d\n", i + 1, i + 1, i == 5 ? second : i + 2);
  sprintf(to, "$EndElements\n");
  scratch_write(folder, name, text);
  free(text);
}

/* Aliev and Panfilov 1996 with the parameters of Goektepe and Kuhl 2009: phi = (V + 80)/100, t/12.9. */
static void cells(double phi, double r, double *dphi, double *dr) {
  *dphi = (8 * phi * (phi - 0.01) * (1 - phi) - r * phi) / 12.9;
  *dr = (0.002 + 0.2 * r / (0.3 + phi)) * (-r - 8 * phi * (phi - 0.15 - 1)) / 12.9;
}

/* Times at which nodes of the cable and, behind them, columns of the strip come to -30 mV, -1: never. g: conductance of the junction
 * in mm3/ms; the stimulus is 2 mV/ms for 1 ms over the charge of a node: node `at`. */
static void differences(double g, int at, double amplitude, double dt, double *time) {
  static double phi[ALL], r[ALL], mass[ALL], in[ALL];
  const double area = acos(-1) * RADIUS * RADIUS, share[REACHED] = {0.2, 0.4, 0.4};
  for (int i = 0; i < ALL; ++i) {
    const bool end = i == 0 || i == TREE - 1 || i == TREE || i == ALL - 1;
    mass[i] = (i < TREE ? area : WIDTH) * H * (end ? 0.5 : 1);
    phi[i] = r[i] = 0, time[i] = -1;
  }
  for (int step = 0; step * dt < 250; ++step) {
    for (int i = 0; i < ALL; ++i) in[i] = i == at && (step + 0.5) * dt < 2 ? amplitude / 100 * mass[i] : 0;
    for (int i = 0; i + 1 < ALL; ++i) {
      if (i + 1 == TREE) continue;
      const double flow = (i < TREE ? D_TREE * area : D_STRIP * WIDTH) / H * (phi[i] - phi[i + 1]);
      in[i] -= flow, in[i + 1] += flow;
    }
    for (int k = 0; k < REACHED; ++k) {
      const double flow = g * share[k] * (phi[TREE - 1] - phi[TREE + k]);
      in[TREE - 1] -= flow, in[TREE + k] += flow;
    }
    for (int i = 0; i < ALL; ++i) {
      double dphi, dr;
      const double before = phi[i];
      cells(phi[i], r[i], &dphi, &dr);
      phi[i] += dt * (dphi + in[i] / mass[i]);
      r[i] += dt * dr;
      if (time[i] < 0 && phi[i] >= LEVEL) time[i] = dt * (step + (LEVEL - before) / (phi[i] - before));
    }
  }
}

/* Of explicit steps extrapolated to none, since their error is of first order. */
static void known_times(double resistance, int at, double amplitude, double *time) {
  static double coarse[ALL];
  const double g = 1 / (resistance * 140 * 0.01);
  differences(g, at, amplitude, 0.004, coarse);
  differences(g, at, amplitude, 0.002, time);
  for (int i = 0; i < ALL; ++i) time[i] = time[i] < 0 || coarse[i] < 0 ? -1 : 2 * time[i] - coarse[i];
}

/* Activation of all nodes: those of the mesh, row by row, then those of the tree. */
static void run_times(const char *folder, double resistance, const char *on, double amplitude, double *time,
                      char *said) {
  char text[2048];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [81, 2], size: [20, 0.25]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"
           "purkinje: [{name: tree, file: tree.msh, scale: 0.5, ionic: aliev-panfilov, diffusivity: 1.5, radius: 0.3,\n"
           "  junction: {resistance: %g, radius: 0.6}}]\n"
           "stimuli: [{on: %s, duration: 2, amplitude: %g}]\n"
           "time: {end: 250, step: 0.05}\noutput: {every: 250, maps: [activation, conduction-velocity],\n"
           "  probes: [{name: a, on: tree, at: [-30.1, 1, 0], field: activation}]}\n",
           resistance, on, amplitude);
  scratch_write(folder, "case.yaml", text);
  Said got =
      app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--backend", app_backend(), NULL);
  if (got.code) fail_msg("exit code %d: %s", got.code, got.err);
  snprintf(said, 4096, "%s", got.err);
  said_release(&got);
  Result *file = NULL;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &file));
  assert_int_equal(file->n_node, 2 * STRIP + TREE);
  assert_int_equal(file->n_cell, STRIP - 1 + TREE - 1);
  assert_ok(result_read(file, result_field(file, "activation", false), -1, time));
  result_close(&file);
  char *csv = scratch_read(folder, "results/probes.csv");
  assert_within(strtod(strrchr(csv, ',') + 1, NULL), time[2 * STRIP + 40], 1e-12); /* the node at -30 mm */
  free(csv);
}

static double worst(const double *known, const double *got) {
  double most = 0;
  for (int i = 0; i < ALL; ++i) {
    const double t = got[i < TREE ? 2 * STRIP + i : i - TREE];
    assert_true((t < 0) == (known[i] < 0));
    most = fmax(most, fabs(t - known[i]));
  }
  return most;
}

static void both_ways(void **state) {
  (void)state;
  static double known[ALL], got[2 * STRIP + TREE];
  static const double resistance[] = {1, 4, 12};
  char *folder = scratch_create(), said[4096];
  double delay[3];
  if (testing_checks()) skip();
  write_tree(folder, "tree.msh", TREE, 2, 7);
  for (int k = 0; k < 3; ++k) {
    known_times(resistance[k], 0, 400, known);
    run_times(folder, resistance[k], "tree-root", 400, got, said);
    const double off = worst(known, got);
    delay[k] = got[20] - got[2 * STRIP + TREE - 1];
    print_message("%g kOhm: at the end of the tree after %.4g ms, 5 mm behind it %.4g ms later; off by %.2g ms\n",
                  resistance[k], got[2 * STRIP + TREE - 1], delay[k], off);
    assert_true(off < 0.03 && !said[0]);
  }
  assert_true(delay[1] > delay[0] + 0.1 && delay[2] > delay[1] + 0.1);
  const double speed = 10 / (got[2 * STRIP + 120] - got[2 * STRIP + 80]);
  print_message("%.5f mm/ms in the tree\n", speed);
  assert_relative(speed, sqrt(1.5) * 0.5457, 0.01); /* tests/assembly/monodomain_wave.c */
  known_times(1, ALL - 1, 2000, known);
  run_times(folder, 1, "x1", 2000, got, said);
  print_message("back: at the root after %.5g ms, off by %.2g ms\n", got[2 * STRIP], worst(known, got));
  assert_true(got[2 * STRIP] > got[0] && worst(known, got) < 0.03);
  scratch_remove(&folder);
}

static void too_much(void **state) {
  (void)state;
  static double known[ALL], got[2 * STRIP + TREE];
  char *folder = scratch_create(), said[4096];
  if (testing_checks()) skip();
  write_tree(folder, "tree.msh", TREE, 2, 7);
  known_times(2000, 0, 400, known);
  run_times(folder, 2000, "tree-root", 400, got, said);
  assert_true(worst(known, got) < 0.03 && got[2 * STRIP + TREE - 1] > 0 && got[0] < 0);
  if (!strstr(said, "1 of the 1 ends of the tree 'tree' that were activated did not activate the tissue at them"))
    fail_msg("%s", said);
  scratch_remove(&folder);
}

/* A line that ends in eight, all of pieces of 0.25 mm. */
static void write_star(const char *folder, const char *name) {
  enum { STEM = 30, ARMS = 8, ARM = 12 };
  char *text = malloc(40000), *to = text;
  assert_non_null(text);
  to += sprintf(to, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", STEM + 1 + ARMS * ARM);
  for (int i = 0; i <= STEM; ++i) to += sprintf(to, "%d %g 0.3 0\n", i + 1, (i - STEM - ARM) * H);
  for (int k = 0; k < ARMS * ARM; ++k)
    to += sprintf(to, "%d %g 0.3 %g\n", STEM + 2 + k, (k % ARM + 1 - ARM) * H, 0.02 * (k / ARM + 1));
  to += sprintf(to, "$EndNodes\n$Elements\n%d\n", STEM + ARMS * ARM);
  for (int i = 0; i < STEM + ARMS * ARM; ++i)
    to += sprintf(to, "%d 1 2 1 1 %d %d\n", i + 1, i >= STEM && (i - STEM) % ARM == 0 ? STEM + 1 : i + 1, i + 2);
  sprintf(to, "$EndElements\n");
  scratch_write(folder, name, text);
  free(text);
}

/* What keeps a front from running in a tree is told once: before the run by its mesh or its cells; else after it, where it stops
 * at a node that has too many lines behind it, or never begins. */
static void dies(void **state) {
  (void)state;
  static const struct {
    const char *file, *ionic, *on, *said;
    double diffusivity, amplitude;
  } row[] = {
      {"star.msh", "{model: aliev-panfilov, alpha: 0.3}", "{box: {min: [-11, 0, -1], max: [-8.2, 1, 1]}}",
       "the front in the tree 'tree' died out: it came to 2", 0.6, 80},
      {"star.msh", "{model: aliev-panfilov, alpha: 0.3}", "tree-root",
       "no front runs in the tree 'tree': none of its 127 nodes was activated in 70 ms", 0.6, 0.3},
      {"tree.msh", "aliev-panfilov", "{box: {min: [-71, -1], max: [-55, 9]}}",
       "the mesh is too coarse for a wave in tree 'tree'", 0.0004, 60},
      {"tree.msh", "aliev-panfilov", "tree-root", "the mesh is too coarse for a wave in tree 'tree'", 0.0006, 0.3},
      {"tree.msh", "{model: aliev-panfilov, alpha: 0.49}", "tree-root", "no front will run in tree 'tree', on no mesh",
       0.0004, 60},
  };
  char *folder = scratch_create();
  write_tree(folder, "tree.msh", 19, 16, 7);
  write_star(folder, "star.msh");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [41, 2, 2], size: [20, 4, 0.5]}\nphysics: monodomain\n"
             "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"
             "purkinje: [{name: tree, file: %s, ionic: %s, diffusivity: %g, radius: 0.2,\n"
             "  junction: {resistance: 1, radius: 3}}]\nstimuli: [{on: %s, duration: 2, amplitude: %g}]\n"
             "time: {end: 70, step: 0.1}\noutput: {every: 70}\n",
             row[k].file, row[k].ionic, row[k].diffusivity, row[k].on, row[k].amplitude);
    scratch_write(folder, "case.yaml", text);
    Said got =
        app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--backend", app_backend(), NULL);
    if (got.code || !strstr(got.err, row[k].said)) fail_msg("%d: %s", got.code, got.err);
    const int said = !!strstr(got.err, "died out") + !!strstr(got.err, "no front runs") +
                     !!strstr(got.err, "no front will run") + !!strstr(got.err, "no node beyond those of the stimuli");
    if (said != 1) fail_msg("%d times: %s", said, got.err);
    said_release(&got);
  }
  scratch_remove(&folder);
}

/* A cube of 10 mm with a tree that grows on its face x = 0; words of it are replaced. */
static const char CUBE[] =
    "version: 1\nmesh: {grid: [6, 6, 6], size: [10, 10, 10]}\nphysics: monodomain\n"
    "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
    "purkinje:\n  - name: tree\n    grow: {surface: x0, direction: [0, 1, 0], length: 3, branch-length: 2, segment: "
    "0.5}\n"
    "    root: [0.1, 1, 5]\n    diffusivity: 2\n    radius: 0.3\n    junction: {resistance: 1, radius: 2}\n"
    "stimuli: [{on: tree-root, duration: 2, amplitude: 100}]\ntime: {end: 1, step: 0.1, scheme: rush-larsen}\n"
    "output: {every: 1}\n";
#define GROW "    grow: {surface: x0, direction: [0, 1, 0], length: 3, branch-length: 2, segment: 0.5}\n"

static const struct Wrong {
  const char *find, *replace;
  int code;
  const char *said;
} wrongs[] = {
    {"x0,", "x0,", 0, ""},
    {GROW, "", 3,
     "case.yaml:6:5: a tree needs exactly one of 'file' (a mesh of lines), 'on' (a group of lines of the mesh) and "
     "'grow'; this one has none"},
    {GROW, GROW "    file: tree.msh\n", 3, "this one has more"},
    {"    root: [0.1, 1, 5]\n", "", 3, "grow needs the key 'root' beside it"},
    {"surface: x0", "surface: x9", 3, "unknown group 'x9'"},
    {"[0.1, 1, 5]", "[2, 1, 5]", 4, "is 2 away from 'x0', more than a segment of 0.5; the nearest point is (0, 1, 5)"},
    {"[0, 1, 0]", "[1, 0, 0]", 4, "normal to 'x0' at its root"},
    {"[0, 1, 0]", "[0, -1, 0]", 0, ""},
    {"[0.1, 1, 5]", "[0, 0, 5]", 0, ""},
    {"    radius: 0.3\n", "    radius: 0.3\n    velocity: 2\n", 3,
     "velocity and delay are of trees that a front starts"},
    {"diffusivity: 1}]\n", "diffusivity: 1, velocity: 0.6}]\neikonal: {}\n", 3,
     "with 'eikonal:' each tree needs the key 'velocity': mm/ms along its lines"},
    {"amplitude: 100", "amplitude: 0.5", 0, "is too weak to start a wave on this mesh: it stands for a piece of fibre"},
    {"length: 3", "length: 0", 3, "length is 0, must be > 0"},
    {"resistance: 1", "resistance: 0", 3, "resistance is 0, must be > 0"},
    {"resistance: 1", "resistance: -5", 3, "resistance is -5, must be > 0"},
    {"radius: 2", "radius: 0.01", 3, "no tissue within the radius of 0.01 mm"},
    {"name: tree", "name: body", 4, "has a group 'body' already, which a tree 'body' would make"},
    {"every: 1}", "every: 1, probes: [{name: a, on: three, at: [0, 1, 5]}]}", 3, "unknown tree 'three'"},
    {"scheme: rush-larsen", "scheme: bdf2", 3, "cannot step the ionic model 'stewart'"},
    {"physics: monodomain\n", "physics: monodomain\nreaction: gauss\n", 3, "remedy: reaction: nodal"},
    {GROW, "    file: nothing.msh\n", 4, "nothing.msh"},
    {GROW, "    file: plane.msh\n", 4, "a tree is made of lines with two nodes, but it has tri3 elements"},
    {GROW, "    file: gap.msh\n", 4, "the lines of the tree are not connected"},
    {GROW, "    file: twice.msh\n", 0, ""},
    {GROW, "    file: ring.msh\n", 3, "the tree 'tree' has no end but its root"},
    {GROW "    root: [0.1, 1, 5]\n", "    file: ring.msh\n    root: [1, 2, 9]\n", 3,
     "the root of the tree 'tree' is 4 mm away from its nearest node, (1, 2, 5), which is taken"},
    {GROW, "    file: zero.msh\n", 4, "a line of the tree has length zero"},
    {GROW, "    file: tree.msh\n", 3, "1 of 1 ends of the tree 'tree' has no tissue within the radius of 2 mm: (-"},
    {GROW, "    on: body\n", 4, "a tree is made of lines with two nodes, but group 'body' has hex8 elements"},
    {GROW, "    on: bodi\n", 3, "did you mean 'body'?"},
    {"radius: 2}", "radius: 2}\n    scale: 2", 3, "scale is of the file; this tree has none"},
};

static void say_wrong(const char *folder, const struct Wrong *w) {
  char text[4096];
  const char *at = strstr(CUBE, w->find);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - CUBE), CUBE, w->replace, at + strlen(w->find));
  scratch_write(folder, "case.yaml", text);
  Said got = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  if (got.code != w->code || !strstr(got.err, w->said))
    fail_msg("for '%s' -> '%s': %d, %s", w->find, w->replace, got.code, got.err);
  if (!w->code && !strstr(got.out, "tree         tree: ")) fail_msg("%s", got.out);
  said_release(&got);
}

static void what_is_wrong(void **state) {
  (void)state;
  char *folder = scratch_create();
  write_tree(folder, "tree.msh", 9, 1, 7);
  write_tree(folder, "gap.msh", 9, 1, 1);
  write_tree(folder, "zero.msh", 9, 0, 7);
  scratch_write(folder, "twice.msh", /* its last line stands there either way round, and has an end all the same */
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 1 5\n2 1 1 5\n3 1 2 5\n$EndNodes\n$Elements\n3\n"
                "1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 1 2 1 1 3 2\n$EndElements\n");
  scratch_write(folder, "ring.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 1 5\n2 1 1 5\n3 1 2 5\n$EndNodes\n$Elements\n3\n"
                "1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 1 2 1 1 3 1\n$EndElements\n");
  scratch_write(folder, "plane.msh", SQUARE_MSH);
  for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; ++i) say_wrong(folder, &wrongs[i]);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways), cmocka_unit_test(too_much), cmocka_unit_test(dies),
                                     cmocka_unit_test(what_is_wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
