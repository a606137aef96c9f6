/* Modal analysis from case files to results: a rod's discrete frequencies, the multiplets of a free cube, motions that
 * supports leave, every unknown a mode, the same files for any number of threads. */
#include "app/elasticity/modal.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODES = 32, COLUMNS = 9 };
typedef struct Modes {
  int n;
  double value[MODES][COLUMNS]; /* as in modes.csv */
} Modes;

static Modes read_modes(const char *folder) {
  char *text = scratch_read(folder, "results/modes.csv");
  Modes m = {.n = 0};
  assert_memory_equal(text, "mode,frequency,residual,participation-x,", 40);
  for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1, ++m.n)
    for (int c = 0; c < COLUMNS; ++c, line += *line == ',') m.value[m.n][c] = strtod(line, &line);
  free(text);
  return m;
}

#define ROD(nodes, modes, more)                                                                                        \
  "version: 1\nmesh: {grid: [" nodes ", 2], size: [1, 0.01]}\nphysics: elasticity\nmodel: plane-stress\n"              \
  "analysis: {type: modal, modes: " modes "}\n"                                                                        \
  "materials: [{on: body, young: 2, poisson: 0, density: 3, thickness: 0.5}]\n"                                        \
  "boundary: [{on: x0, fix: {x: 0}}, {on: body, fix: {y: 0}}]\n" more

/* Mode k of a row of n linear elements that is held at one end, with the mass that belongs to them. */
static double rod_frequency(int n, int k) {
  const double h = 1. / n, c = cos((k - 0.5) * M_PI * h);
  return sqrt(2. / 3 * 6 / (h * h) * (1 - c) / (2 + c)) / (2 * M_PI);
}

static void rod(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, ROD("81", "4",
                       "output: {probes: [{name: tip, at: [1, 0], field: displacement-x}]}\n"
                       "expect: [{mode: 2, probe: tip, value: 1}]\n"));
  const Modes m = read_modes(folder);
  double mass = 0;
  assert_int_equal(m.n, 4);
  for (int k = 0; k < 4; ++k) {
    const double *v = m.value[k], factor = sqrt(2 * 0.015) / ((k + 0.5) * M_PI);
    assert_near(v[1], rod_frequency(80, k + 1), 1e-10);
    assert_true(v[2] <= 1e-6);
    assert_relative(k % 2 ? -v[3] : v[3], factor,
                    3e-3 * (k + 1) * (k + 1)); /* of the exact rod; the mesh has its share */
    assert_near(v[6], v[3] * v[3], 1e-12);
    assert_true(fabs(v[4]) < 1e-12 && fabs(v[5]) < 1e-12);
    mass += v[6];
  }
  assert_true(mass > 0.94 * 0.015 && mass < 0.015); /* of the total */
  char *text = scratch_read(folder, "results/probes.csv"), *line = strchr(text, '\n') + 1;
  for (int k = 0; k < 4; ++k, line = strchr(line, '\n') + 1) {
    double frequency, tip;
    assert_int_equal(sscanf(line, "%lf,%lf", &frequency, &tip), 2);
    assert_near(frequency, m.value[k][1], 1e-12);
    assert_relative(tip, sqrt(2 / 0.015), 1e-3 * (k + 1)); /* of unit modal mass, and positive where it is largest */
  }
  free(text);
  scratch_remove(&folder);
}

/* As many modes as unknowns: nothing is iterated. */
static void every_unknown(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, ROD("6", "10", ""));
  const Modes m = read_modes(folder);
  assert_int_equal(m.n, 10);
  for (int k = 0; k < 5; ++k) assert_near(m.value[k][1], rod_frequency(5, k + 1), 1e-11);
  assert_true(m.value[5][1] > 2 * m.value[4][1]); /* shear over the height */
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--set",
                       "analysis.modes=11", NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(
      strstr(said.err, "--set 'analysis.modes=11': modes is 11; the body has 10 unknowns that are free and 0 rigid"));
  said_release(&said);
  scratch_remove(&folder);
}

#define CUBE(grid, order, modes, boundary)                                                                             \
  "version: 1\nmesh: {grid: " grid ", size: [0.1, 0.1, 0.1], order: " order "}\nphysics: elasticity\nmodel: 3d\n"      \
  "analysis: {type: modal, modes: " modes                                                                              \
  "}\nmaterials: [{on: body, young: 210e9, poisson: 0.3, density: 7850}]\n" boundary

/* A free cube: modes come in ones, twos and threes. Converged values: Ritz with polynomials. */
static void free_cube(void **state) {
  (void)state;
  static const double exact[] = {14580.69, 14580.69, 19634.32, 19634.32, 19634.32, 19967.53, 19967.53, 19967.53};
  char *folder = scratch_create();
  app_runs(folder, CUBE("[5, 5, 5]", "2", "8", "expect: [{quantity: rigid-motions, value: 6}]\n"));
  const Modes m = read_modes(folder);
  assert_int_equal(m.n, 8);
  for (int k = 0; k < 8; ++k) {
    assert_relative(m.value[k][1], exact[k], 4e-3);
    if (k && exact[k] == exact[k - 1]) assert_relative(m.value[k][1], m.value[k - 1][1], 1e-9);
    for (int d = 0; d < 3; ++d) assert_true(fabs(m.value[k][6 + d]) < 1e-12 * 7.85); /* nothing shakes it */
  }
  char *report = scratch_read(folder, "results/report.json");
  assert_non_null(strstr(report, "\"rigid_motions\": 6"));
  free(report);
  scratch_remove(&folder);
}

/* Three motions are left, in the plane of the support; springs take them. */
static void slides(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, CUBE("[4, 4, 4]", "2", "3", "boundary: [{on: x0, fix: {x: 0}}]\n"));
  const Modes loose = read_modes(folder);
  char *report = scratch_read(folder, "results/report.json");
  assert_non_null(strstr(report, "\"rigid_motions\": 3"));
  free(report);
  app_runs(folder, CUBE("[4, 4, 4]", "2", "6", "boundary: [{on: x0, fix: {x: 0}}, {on: x0, spring: [0, 1e9, 1e9]}]\n"));
  const Modes sprung = read_modes(folder);
  const double slow = sqrt(1e9 * 0.01 / 7.85) / (2 * M_PI); /* the whole body on them */
  assert_relative(sprung.value[0][1], slow, 1e-3);
  assert_relative(sprung.value[1][1], slow, 1e-3);
  for (int k = 0; k < 3; ++k) assert_relative(sprung.value[3 + k][1], loose.value[k][1], 2e-3);
  scratch_remove(&folder);
}

/* Springs so soft that six motions of the whole body lie 1e11 below its vibrations: the body on them, and the free one. */
static void soft_springs(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, CUBE("[5, 5, 5]", "2", "2", ""));
  const double loose = read_modes(folder).value[0][1];
  static const char *const cases[] = {CUBE("[5, 5, 5]", "2", "8", "boundary: [{on: x0, spring: 1e3}]\n"),
                                      CUBE("[5, 5, 5]", "2", "8", "boundary: [{on: x0, spring: 1e6}]\n")};
  for (int i = 0; i < 2; ++i) {
    app_runs(folder, cases[i]);
    const Modes sprung = read_modes(folder);
    const double slow = sqrt((i ? 1e6 : 1e3) * 0.01 / 7.85) / (2 * M_PI);
    assert_relative(sprung.value[2][1], slow, 1e-4); /* along its normal, and about it */
    assert_relative(sprung.value[3][1], slow, 1e-4);
    for (int k = 6; k < 8; ++k) assert_relative(sprung.value[k][1], loose, 1e-5);
  }
  scratch_remove(&folder);
}

/* Modes of a run whose cycles are too weak; at_once: no stronger ones are tried before. */
static Modes run_exactly(const char *folder, const char *text, bool at_once) {
  Said said = app_run_says(folder, text);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.err, "pmg is too weak here; once more with exact solutions"));
  if (at_once) assert_null(strstr(said.err, "once more with degree"));
  said_release(&said);
  return read_modes(folder);
}

/* The lowest frequency of a cantilever of a rectangular section, Euler and Bernoulli. */
static double cantilever(double young, double density, double thick, double length) {
  return 1.8751041 * 1.8751041 * sqrt(young / density / 12) * thick / (length * length) / (2 * M_PI);
}

/* A plate 100 times as long as thick on five by three nodes: no cycle sees how soft it is, an exact solution does. */
static void thin_plate(void **state) {
  (void)state;
  char *folder = scratch_create();
  const Modes m = run_exactly(
      folder,
      "version: 1\nmesh: {grid: [5, 3, 3], size: [8, 1.3, 0.08], order: 2}\nphysics: elasticity\nmodel: 3d\n"
      "analysis: {type: modal, modes: 2}\nmaterials: [{on: body, young: 2.1e4, poisson: 0, density: 3e-3}]\n"
      "boundary: [{on: x0, fix: all}]\n",
      false);
  const double first = cantilever(2.1e4, 3e-3, 0.08, 8);
  assert_relative(m.value[0][1], first, 2e-2);
  assert_relative(m.value[1][1], first * 6.2669, 0.12); /* four elements */
  scratch_remove(&folder);
}

/* A slender bar that keeps its volume begins with the smoother of the highest degree: after that only an exact solution is
 * stronger. */
static void slender_and_incompressible(void **state) {
  (void)state;
  char *folder = scratch_create();
  const Modes m = run_exactly(
      folder,
      "version: 1\nmesh: {grid: [16, 3, 3], size: [240, 15, 15], order: 2}\nphysics: elasticity\nmodel: 3d\n"
      "analysis: {type: modal, modes: 2}\n"
      "materials: [{on: body, young: 2.1e5, poisson: 0.4999, density: 7.85e-9}]\n"
      "boundary: [{on: x0, fix: all}]\n",
      true);
  const double first = cantilever(2.1e5, 7.85e-9, 15, 240);
  assert_relative(m.value[0][1], first, 2e-2);
  assert_relative(m.value[1][1], first, 2e-2);
  scratch_remove(&folder);
}

static void same_for_any_threads(void **state) {
  (void)state;
  static const char *const threads[] = {"1", "2", "3", "5"};
  char *folder = scratch_create(), *first = NULL;
  scratch_write(folder, "case.yaml", CUBE("[9, 7, 5]", "1", "5", "boundary: [{on: x0, fix: all}]\n"));
  for (int k = 0; k < 4; ++k) {
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--quiet",
                         "--threads", threads[k], NULL);
    assert_int_equal(said.code, 0);
    said_release(&said);
    char *text = scratch_read(folder, "results/modes.csv");
    if (first) assert_string_equal(text, first);
    if (first) free(text);
    else first = text;
  }
  free(first);
  scratch_remove(&folder);
}

/* Formats without products of several vectors, preconditioners of all kinds. */
static void any_solver(void **state) {
  (void)state;
  static const char *const set[][2] = {{"solver.format=sell", "solver.preconditioner=jacobi"},
                                       {"solver.format=csr", "solver.preconditioner=least-squares"},
                                       {"solver.format=sbell", "solver.preconditioner=block-jacobi"},
                                       {"solver.precision=double", "solver.preconditioner=amg"}};
  char *folder = scratch_create();
  app_runs(folder, CUBE("[6, 5, 4]", "1", "3", "boundary: [{on: x0, fix: all}]\n"));
  const Modes m = read_modes(folder);
  for (size_t k = 0; k < sizeof set / sizeof *set; ++k) {
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--quiet",
                         "--set", set[k][0], "--set", set[k][1], NULL);
    if (said.code) print_message("%s\n", said.err);
    assert_int_equal(said.code, 0);
    said_release(&said);
    const Modes other = read_modes(folder);
    for (int i = 0; i < 3; ++i) assert_relative(other.value[i][1], m.value[i][1], 1e-9);
  }
  scratch_remove(&folder);
}

#define STRIP(analysis, force)                                                                                         \
  "version: 1\nmesh: {grid: [21, 3], size: [1, 0.05], order: 2}\nphysics: elasticity\nmodel: plane-stress\n"           \
  "analysis: " analysis "\nmaterials: [{on: body, young: 200, poisson: 0, density: 1, thickness: 0.1}]\n"              \
  "boundary: [{on: x0, fix: all}, {on: x1, force: " force "}]\n"

/* Strips 50 and 200 times as long as deep: a residual of 1e-6 of the first, and of the second what rounding explains. */
static void slender(void **state) {
  (void)state;
  char *folder = scratch_create();
  const char *text =
      "version: 1\nmesh: {grid: [%d, 3], size: [1, %g], order: 2}\nphysics: elasticity\nmodel: plane-stress\n"
      "analysis: {type: modal, modes: 4}\nmaterials: [{on: body, young: 200, poisson: 0, density: 1, thickness: 0.1}]\n"
      "boundary: [{on: x0, fix: all}]\n";
  for (int fine = 0; fine < 2; ++fine) {
    const double depth = fine ? 0.005 : 0.02;
    char body[1024];
    snprintf(body, sizeof body, text, fine ? 201 : 51, depth);
    scratch_write(folder, "case.yaml", body);
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), NULL);
    if (said.code) print_message("%s\n", said.err);
    assert_int_equal(said.code, 0);
    assert_int_equal(strstr(said.err, "rounding in double precision leaves") != NULL, fine);
    said_release(&said);
    char *csv = scratch_read(folder, "results/modes.csv"), *line = strchr(csv, '\n') + 1;
    static const double euler[] = {1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349};
    for (int k = 0; k < 4; ++k, line = strchr(line, '\n') + 1) {
      double frequency, residual;
      assert_int_equal(sscanf(line, "%*d,%lf,%lf", &frequency, &residual), 2);
      assert_true(residual <= (fine ? 1e-3 : 1e-6));
      assert_relative(frequency, euler[k] * euler[k] * sqrt(200. / 12) * depth / (2 * M_PI), fine ? 6e-4 : 1e-2);
    }
    free(csv);
  }
  scratch_remove(&folder);
}

/* Column c of modes.csv, of the first mode. */
static double first_of(const char *folder, int c) {
  char *text = scratch_read(folder, "results/modes.csv"), *at = strchr(text, '\n') + 1;
  for (int k = 0; k < c; ++k) at = strchr(at, ',') + 1;
  const double value = strtod(at, NULL);
  free(text);
  return value;
}

/* Euler's load, with Engesser's factor for shear; a load stretches or softens a strip that vibrates by what it lacks to that. */
static void strip_buckles(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double I = 0.1 * 0.05 * 0.05 * 0.05 / 12, P = M_PI * M_PI / 4 * 200 * I;
  const double exact = P / (1 + 1.2 * P / (100 * 0.1 * 0.05));
  app_runs(folder, STRIP("{type: buckling, modes: 2}", "[-1e-3, 0]"));
  const double factor = 1e-3 * first_of(folder, 1);
  assert_relative(factor, exact, 5e-4);
  app_runs(folder, STRIP("{type: buckling, modes: 1}", "[-1, 0]"));
  assert_relative(first_of(folder, 1), factor, 1e-8); /* of another load, the same */
  app_runs(folder, STRIP("{type: modal, modes: 1, prestress: true}", "[-1e-9, 0]"));
  const double free = first_of(folder, 1);
  assert_relative(free, 0.16154 * 0.05 * sqrt(200), 3e-3); /* Euler and Bernoulli */
  char text[1024];
  snprintf(text, sizeof text, STRIP("{type: modal, modes: 1, prestress: true}", "[%.10g, 0]"), -0.5 * factor);
  app_runs(folder, text);
  const double half = first_of(folder, 1);
  snprintf(text, sizeof text, STRIP("{type: modal, modes: 1, prestress: true}", "[%.10g, 0]"), 0.5 * factor);
  app_runs(folder, text);
  const double ratio = half * half / (free * free), other = first_of(folder, 1) / free;
  assert_true(ratio > 0.5 && ratio < 0.53);
  assert_true(other * other > 1.4 && other * other < 1.5);
  snprintf(text, sizeof text, STRIP("{type: modal, modes: 1, prestress: true}", "[%.10g, 0]"), -1.5 * factor);
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), NULL);
  assert_int_equal(said.code, 6);
  assert_non_null(strstr(said.err, "the body buckles under its load"));
  said_release(&said);
  scratch_remove(&folder);
}

/* The first two frequencies or factors. */
static void two_of(const char *folder, double value[2]) {
  char *text = scratch_read(folder, "results/modes.csv");
  assert_int_equal(sscanf(strchr(text, '\n'), "%*d,%lf%*[^\n]%*d,%lf", &value[0], &value[1]), 2);
  free(text);
}

/* A strip between walls that is heated by 1 degree is pressed by E A a, and so it is by a wall that comes closer by a L:
 * the same stress, and so the same modes and factors. */
static void heat_presses(void **state) {
  (void)state;
#define WALLS(analysis, wall, more)                                                                                    \
  "version: 1\nmesh: {grid: [21, 3], size: [1, 0.05], order: 2}\nphysics: elasticity\nmodel: plane-stress\n"           \
  "analysis: " analysis "\nmaterials: [{on: body, young: 200, poisson: 0, density: 1, thickness: 0.1, expansion: "     \
  "[1e-3, 0, 0]}]\nsolver: {rtol: 1e-8}\noutput: {fields: [displacement, stress], probes: [{name: s, at: [0.5, 0], "   \
  "field: stress-xx}]}\nboundary: [{on: x0, fix: all}, {on: x1, fix: {x: " wall ", y: 0}}]\n" more
  static const struct {
    const char *heated, *pressed;
  } of[] = {{WALLS("{type: buckling, modes: 2}", "0", "thermal: {temperature: 1}\n"),
             WALLS("{type: buckling, modes: 2}", "-1e-3", "")},
            {WALLS("{type: modal, modes: 2, prestress: true}", "0", "thermal: {reference: 1, temperature: 4}\n"),
             WALLS("{type: modal, modes: 2, prestress: true}", "-3e-3", "")}};
  char *folder = scratch_create();
  const double euler = 4 * M_PI * M_PI * 0.05 * 0.05 / 12;
  double cold, heated[2], pressed[2];
  app_runs(folder, WALLS("{type: modal, modes: 1}", "0", ""));
  cold = first_of(folder, 1);
  for (int k = 0; k < 2; ++k) {
    app_runs(folder, of[k].heated);
    two_of(folder, heated);
    char *warm = scratch_read(folder, "results/probes.csv");
    app_runs(folder, of[k].pressed);
    two_of(folder, pressed);
    char *squeezed = scratch_read(folder, "results/probes.csv");
    double stress[2];
    for (int i = 0; i < 2; ++i) {
      assert_relative(heated[i], pressed[i], 1e-9);
      assert_int_equal(sscanf(strchr(i ? squeezed : warm, '\n'), "%*f,%lf", &stress[i]), 1);
    }
    assert_relative(fabs(stress[0]), fabs(stress[1]), 1e-5); /* of the mode: without that of the heat */
    free(warm);
    free(squeezed);
    /* Euler's strain, less for shear and for what the pressed fibres give; frequencies: Bokaian 1988, about */
    if (k == 0) assert_relative(heated[0], 1e3 * euler / (1 + 2.4 * euler) / (1 + euler), 2e-3);
    else assert_relative(heated[0], cold * sqrt(1 - 0.97 * 3e-3 / euler), 1e-2);
  }
  scratch_write(folder, "case.yaml", WALLS("{type: modal, modes: 1}", "0", "thermal: {temperature: 1}\n"));
  Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(
      strstr(said.err, "thermal does not act on the modes of an unloaded body; leave it out, or set prestress"));
  said_release(&said);
  scratch_remove(&folder);
}

/* A clamped rod that turns about its foot, omega (rho A L^4 / EI)^(1/2) = 4: across the plane in which it turns it has 5.5850 (Wright,
 * Smith, Thresher and Wang, Journal of Applied Mechanics 49, 1982), in the plane (5.585^2 - 4^2)^(1/2), wherever the axis points. */
static void turning_rod(void **state) {
  (void)state;
  static const char *const axis[] = {"[0, 0, 1]", "[0, 0.6, 0.8]"};
  const double unit = sqrt(1e9 * 0.02 * 0.02 / 12 / 1000), exact[] = {sqrt(5.585 * 5.585 - 16), 5.585};
  char *folder = scratch_create(), text[1024];
  for (int which = 0; which < 2; ++which) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [21, 2, 2], size: [1, 0.02, 0.02], order: 2}\nphysics: elasticity\nmodel: 3d\n"
             "analysis: {type: modal, modes: 2, prestress: true}\n"
             "materials: [{on: body, young: 1e9, poisson: 0, density: 1000}]\nboundary: [{on: x0, fix: all}]\n"
             "body: [{on: body, centrifugal: {origin: [0, 0.01, 0.01], axis: %s, speed: %.17g}}]\n",
             axis[which], 4 * unit);
    app_runs(folder, text);
    const Modes m = read_modes(folder);
    assert_int_equal(m.n, 2);
    for (int k = 0; k < 2; ++k) assert_relative(m.value[k][1] * 2 * M_PI / unit, exact[k], 1e-3);
  }
  scratch_remove(&folder);
}

/* A block on springs, 3, 5 and 7 of its mass along x, y and z, turns about an axis through its middle: omega^2 are the values of
 * diag(3, 5, 7) - Omega^2 (I - a a^T). */
static void turning_block(void **state) {
  (void)state;
  static const struct {
    const char *axis;
    double square[3];
  } rows[] = {{"[0, 0, 1]", {2, 4, 7}}, {"[3, 0, 4]", {2.3068290, 4, 6.6931710}}};
  char *folder = scratch_create(), text[1024];
  for (int which = 0; which < 2; ++which) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1], order: 2}\nphysics: elasticity\nmodel: 3d\n"
             "analysis: {type: modal, modes: 6, prestress: true}\n"
             "materials: [{on: body, young: 1e6, poisson: 0.3, density: 2}]\n"
             "boundary: [{on: [z0, z1], spring: [3, 5, 7]}]\n"
             "body: [{on: body, centrifugal: {origin: [0.5, 0.5, 0.5], axis: %s, speed: 1}}]\n",
             rows[which].axis);
    app_runs(folder, text);
    const Modes m = read_modes(folder);
    for (int i = 0; i < 3; ++i) {
      double nearest = HUGE_VAL;
      for (int k = 0; k < m.n; ++k)
        nearest = fmin(nearest, fabs(pow(2 * M_PI * m.value[k][1], 2) - rows[which].square[i]));
      if (!(nearest < 1e-4)) fail_msg("axis %s: %g is missed by %g", rows[which].axis, rows[which].square[i], nearest);
    }
  }
  scratch_remove(&folder);
}

/* The same block as it turns faster: what its springs bear grows with speed^2 and its true density, 2, until it flies off at
 * the factors 3 and 5 along x and y. */
static void turning_block_flies_off(void **state) {
  (void)state;
  char *folder = scratch_create();
  double factor[2];
  app_runs(folder, "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1], order: 2}\nphysics: elasticity\nmodel: 3d\n"
                   "analysis: {type: buckling, modes: 2}\n"
                   "materials: [{on: body, young: 1e6, poisson: 0.3, density: 2}]\n"
                   "boundary: [{on: [z0, z1], spring: [3, 5, 7]}]\n"
                   "body: [{on: body, centrifugal: {origin: [0.5, 0.5, 0.5], axis: [0, 0, 1], speed: 1}}]\n");
  two_of(folder, factor);
  assert_relative(factor[0], 3, 1e-4);
  assert_relative(factor[1], 5, 1e-4);
  scratch_remove(&folder);
}

/* The stress of the load is solved for as exactly as rtol asks: heat that strains a body freely is most of the right-hand side there,
 * and its rest, which buckles the body, is a small part. A factorisation is the reference. */
static void the_load_is_as_exact_as_asked(void **state) {
  (void)state;
  char *folder = scratch_create();
#define HEATED_STRIP(preconditioner)                                                                                   \
  "version: 1\nmesh: {grid: [7, 4], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\nanalysis: {type: "        \
  "buckling, modes: 1}\nmaterials: [{on: body, young: 1e3, poisson: 0.4999, expansion: 1e-4}]\nthermal: "              \
  "{temperature: 24}\nboundary: [{on: x0, rigid: {at: [0, 0], fix: all}}, {on: x1, force: [-0.05, 0.3]}]\nsolver: "    \
  "{rtol: 1e-11, preconditioner: " preconditioner "}\n"
  app_runs(folder, HEATED_STRIP("direct"));
  const double exact = first_of(folder, 1);
  app_runs(folder, HEATED_STRIP("auto"));
  assert_relative(first_of(folder, 1), exact, 1e-6);
  scratch_remove(&folder);
#undef HEATED_STRIP
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rod),
                                     cmocka_unit_test(the_load_is_as_exact_as_asked),
                                     cmocka_unit_test(every_unknown),
                                     cmocka_unit_test(free_cube),
                                     cmocka_unit_test(thin_plate),
                                     cmocka_unit_test(slender_and_incompressible),
                                     cmocka_unit_test(slides),
                                     cmocka_unit_test(soft_springs),
                                     cmocka_unit_test(same_for_any_threads),
                                     cmocka_unit_test(any_solver),
                                     cmocka_unit_test(strip_buckles),
                                     cmocka_unit_test(slender),
                                     cmocka_unit_test(heat_presses),
                                     cmocka_unit_test(turning_rod),
                                     cmocka_unit_test(turning_block),
                                     cmocka_unit_test(turning_block_flies_off)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
