/* A sparse factorisation of the whole matrix, or of the linear elements' below pmg, against conjugate gradients. */
#include "tests/app/scratch.h"
#include "algebra/graph/sparse_direct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { N_PROBE = 3, TEXT = 4096 };

/* The case with these words in `solver:`, run into `value`, its last row of probes.csv without the time. */
static void probes_with(const char *folder, const char *text, double rtol, const char *solver, int n, double *value) {
  char whole[TEXT];
  double row[16];
  snprintf(whole, sizeof whole, "%ssolver: {rtol: %g, %s}\n", text, rtol, solver);
  app_runs(folder, whole);
  scratch_last_row(folder, n + 1, row);
  memcpy(value, row + 1, (size_t)n * sizeof *value);
}

static bool on_cpu(void) { return !strcmp(app_backend(), "cpu"); }

static bool can(void) {
  if (sparse_direct_there()) return true;
  print_message("skipped: %s\n", sparse_direct_why_not());
  return false;
}

/* What a GPU does otherwise: nothing below other levels, and its iterations are cheaper than a factor of the CPU. */
static bool can_on_cpu(void) {
  if (!on_cpu()) print_message("skipped: on a GPU\n");
  return on_cpu() && can();
}

#define PROBES(a, b, c)                                                                                                \
  "output:\n  probes:\n  - {name: a, at: " a ", field: displacement-x}\n  - {name: b, at: " b                          \
  ", field: displacement-y}\n  - {name: c, at: " c ", field: von-mises}\n"

static void same_answers(const char *text, double rtol, const char *way, const char *other, double within) {
  double direct[N_PROBE], iterative[N_PROBE];
  char *folder = scratch_create();
  probes_with(folder, text, rtol, way, N_PROBE, direct);
  probes_with(folder, text, rtol, other, N_PROBE, iterative);
  for (int k = 0; k < N_PROBE; ++k)
    if (!(fabs(direct[k] - iterative[k]) <= within * fabs(iterative[k])))
      fail_msg("%s: %s has %.15g, %s %.15g", text, way, direct[k], other, iterative[k]);
  scratch_remove(&folder);
}

/* It was an internal error wherever the linear elements have fewer nodes. */
static void below_pmg(void **state) {
  static const char *const cases[] = {
      "version: 1\nmesh: {grid: [14, 9], size: [3, 2], order: 2}\nphysics: elasticity\nmodel: plane-strain\n"
      "materials: [{on: body, young: 7, poisson: 0.2}]\nboundary: [{on: x0, fix: all}, {on: y1, traction: [x, "
      "0.3]}]\n" PROBES("[3, 2]", "[3, 0.7]", "[1.1, 0.4]"),
      "version: 1\nmesh: {grid: [5, 4, 6], size: [1, 1, 2], element: tet4, order: 2}\nphysics: elasticity\nmodel: 3d\n"
      "materials: [{on: body, young: 7, poisson: 0.2}]\nboundary: [{on: z0, fix: all}, {on: z1, traction: [1, 2, "
      "x]}]\n" PROBES("[1, 1, 2]", "[0.3, 0, 1.7]", "[0.4, 0.5, 0.6]")};
  (void)state;
  if (!can_on_cpu()) return;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    same_answers(cases[k], 1e-12, "preconditioner: {type: pmg, below: cholmod}", "preconditioner: pmg", 1e-9);
}

#define HEAD(mesh, model) "version: 1\nmesh: " mesh "\nphysics: elasticity\nmodel: " model "\n"
#define PLATE(more)                                                                                                    \
  HEAD("{grid: [12, 9], size: [3, 2], order: 2}", "plane-stress")                                                      \
  "materials: [{on: body, young: 7, poisson: 0.2, density: 2}]\n" more PROBES("[3, 2]", "[3, 0.5]", "[1.1, 0.4]")

#define WALL(more)                                                                                                     \
  "version: 1\nmesh: {grid: [9, 6, 5], size: [3, 2, 1], order: 2}\nphysics: heat\n"                                    \
  "materials: [{on: body, conductivity: 2, capacity: 3}]\n" more                                                       \
  "output:\n  probes:\n  - {name: a, at: [3, 2, 1]}\n  - {name: b, at: [1.2, 0.3, 0.4]}\n  - {name: c, at: [2, 1, "    \
  "0]}\n"

/* One body in each way that makes its matrix another: dimension, order, shapes, joints, supports, time. */
static const struct {
  double rtol, within;
  const char *text;
} bodies[] = {
    {1e-12, 1e-10,
     HEAD("{grid: [6, 5, 9], size: [1, 1, 2], element: wedge6}",
          "3d") "materials: [{on: body, young: 7, poisson: 0.2}]\n"
                "boundary: [{on: z0, fix: {x: 0, y: 0, z: 0.01}}, {on: z1, traction: [1, 2, x]}, {on: x1, spring: "
                "3}]\n" PROBES("[1, 1, 2]", "[0.3, 0, 1.7]", "[0.4, 0.5, 0.6]")},
    {1e-9, 1e-6,
     HEAD("{grid: [5, 5, 6], size: [1, 1, 2], order: 2}",
          "3d") "materials: [{on: body, young: 7, poisson: 0.4999}]\n"
                "boundary: [{on: z0, fix: all}, {on: z1, traction: [1, 2, x]}]\n" PROBES("[1, 1, 2]", "[0.3, 0, 1.7]",
                                                                                         "[0.4, 0.5, 0.6]")},
    {1e-12, 1e-10,
     HEAD("{grid: [9, 14], size: [1, 3], element: tri3, order: 2}",
          "axisymmetric") "materials: [{on: body, young: 7, poisson: 0.3}]\n"
                          "boundary: [{on: x0, symmetry: true}, {on: y0, fix: {y: 0}}, {on: y1, pressure: \"1 + "
                          "x\"}]\n" PROBES("[1, 3]", "[0.3, 1.7]", "[0.4, 1]")},
    {1e-12, 1e-10,
     PLATE("boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [3.5, 1], force: [2, 0.3], moment: 0.4}}]\n")},
    {1e-12, 1e-10,
     PLATE("boundary: [{on: x0, fix: all}, {on: y0, periodic: y1}, {on: x1, distribute: {at: [3, 1], force: [1, 0], "
           "moment: 3}}]\n")},
    {1e-12, 1e-10,
     PLATE("boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 1]}]\n"
           "equations: [{nodes: [12, 24], components: [x, y], factors: [1, -0.5], value: 0.01}]\n")},
    {1e-12, 1e-10,
     PLATE("analysis: {type: transient}\nboundary: [{on: x0, fix: all}, {on: x1, traction: [0, \"t\"]}]\n"
           "time: {end: 2, step: 0.25}\n")},
    {1e-10, 1e-8,
     PLATE("strain: finite\nboundary: [{on: x0, fix: all}, {on: x1, traction: [0.1, 0.2]}]\ntime: {end: 1, step: "
           "0.5}\n")},
    {1e-12, 1e-10,
     WALL("boundary: [{on: x0, temperature: 3}, {on: x1, convection: {coefficient: 2, ambient: 1}}, {on: y1, "
          "flux: x}]\n")},
    {1e-12, 1e-10,
     WALL("boundary: [{on: x0, temperature: 3}, {on: y1, flux: x}]\ninitial: {value: 1}\n"
          "time: {end: 2, step: 0.25, scheme: bdf2}\n")},
};

static void as_conjugate_gradients(void **state) {
  (void)state;
  if (!can()) return;
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; ++k)
    same_answers(bodies[k].text, bodies[k].rtol, "method: direct", "method: iterative", bodies[k].within);
}

/* Said of method and of the preconditioner that is the same; a matrix that is not positive definite is told as ever. */
static void refusals(void **state) {
  (void)state;
  char *folder = scratch_create();
#define HELD(held, solver)                                                                                             \
  HEAD("{grid: [9, 6], size: [3, 2]}", "plane-stress")                                                                 \
  "materials: [{on: body, young: 7, poisson: 0.2}]\nboundary: [" held                                                  \
  ", {on: x1, traction: [1, 0.3]}]\nsolver: {" solver "}\n"
#define ASKED(solver) HELD("{on: x0, fix: all}", solver)
  app_refuses(folder, ASKED("method: direct, preconditioner: amg"), "needs no preconditioner, and 'amg' is given",
              "7:18");
  app_refuses(folder, ASKED("method: direct, preconditioner: {degree: 3}"), "needs no preconditioner", "'degree'");
  app_refuses(folder, ASKED("method: direct, precision: half"), "a direct one works in double", "precision");
  app_refuses(folder, ASKED("preconditioner: direct, precision: half"), "a direct one works in double", "precision");
  app_refuses(folder, ASKED("preconditioner: {type: direct, degree: 3}"), "has no degree", "direct");
  app_refuses(folder, ASKED("method: iterative, preconditioner: direct"), "'direct' is a direct solve", "iterative");
  app_refuses(folder, ASKED("method: drect"), "did you mean 'direct'?", "auto, iterative, direct");
  app_refuses(folder,
              "version: 1\nmesh: {grid: [9, 6], size: [3, 2]}\nphysics: monodomain\n"
              "tissue: [{on: body, ionic: {model: aliev-panfilov}, diffusivity: 1}]\ntime: {end: 1, step: 0.5}\n"
              "solver: {method: direct}\n",
              "direct solves are for elasticity and heat", "6:18");
  if (can()) {
    Said said = app_run_says(folder, HELD("{on: x0, fix: {x: 0}}", "method: direct"));
    if (said.code == 0 || !strstr(said.err, "can move freely")) fail_msg("%d: %s", said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* More than this process may take: told before the factorisation begins. */
static void memory_is_forecast(void **state) {
  (void)state;
  struct rlimit before, less;
  if (!can_on_cpu() || testing_checks()) return;
  char *folder = scratch_create(), *status = scratch_read("/proc/self", "status");
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  less = before;
  less.rlim_cur = (rlim_t)(1024 * strtod(strstr(status, "VmSize:") + 7, NULL) + 150e6);
  assert_int_equal(setrlimit(RLIMIT_AS, &less), 0);
  Said said = app_run_says(
      folder, HEAD("{grid: [21, 21, 21], size: [1, 1, 1]}",
                   "3d") "materials: [{on: body, young: 7, poisson: 0.2}]\nboundary: [{on: x0, fix: all}]\n"
                         "solver: {method: direct}\n");
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
  assert_int_equal(said.code, ERR_MEMORY);
  if (!strstr(said.err, "a direct solve of 27783 equations takes") || !strstr(said.err, "method: iterative"))
    fail_msg("%s", said.err);
  said_release(&said);
  free(status);
  scratch_remove(&folder);
}

#define THIN(thick, more)                                                                                              \
  HEAD("{grid: [17, 17, 2], size: [1.3, 1.3, " thick "], order: 2}", "3d")                                             \
  "materials: [{on: body, young: 7e9, poisson: 0.25}]\nboundary: [{on: x0, fix: all}, {on: z1, pressure: 10}]\n" more  \
  "output: {probes: [{name: a, at: [1.3, 1.3, 0], field: displacement-z}]}\n"

/* Thin bodies take it by themselves, and say so; thick ones, and what is named, do not. */
static void auto_takes_it(void **state) {
  static const struct {
    const char *text;
    bool direct;
  } cases[] = {{THIN("0.013", ""), true},
               {THIN("0.03", ""), false},
               {THIN("0.013", "solver: {method: iterative}\n"), false},
               {THIN("0.013", "solver: {preconditioner: amg, rtol: 1e-6}\n"), false},
               {THIN("0.013", "solver: {precision: double}\n"), false}};
  (void)state;
  if (!can_on_cpu()) return;
  char *folder = scratch_create();
  double value[sizeof cases / sizeof *cases][2];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Said said = app_run_says(folder, cases[k].text);
    assert_int_equal(said.code, 0);
    const bool direct = strstr(said.out, "direct by auto: the body is ") != NULL;
    if (direct != cases[k].direct || direct != (strstr(said.out, "direct: a factor of") != NULL))
      fail_msg("%s", said.out);
    scratch_last_row(folder, 2, value[k]);
    said_release(&said);
  }
  assert_relative(value[0][1], value[2][1], 1e-6);
  scratch_remove(&folder);
}

#define SQUEEZED(poisson, more)                                                                                        \
  HEAD("{grid: [11, 10, 10], size: [1, 1, 1]}", "3d")                                                                  \
  "materials: [{on: body, young: 7, poisson: " poisson                                                                 \
  "}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: [0.1, 0.2, 0.3]}]\n"                                          \
  "output: {probes: [{name: p, at: [1, 1, 1], field: displacement-x}]}\n" more

/* Bodies that nearly keep their volume, by the ratio and the size. */
static void auto_takes_it_where_volume_is_kept(void **state) {
  static const struct {
    const char *text;
    bool direct;
  } cases[] = {{SQUEEZED("0.4999", ""), true},
               {SQUEEZED("0.4999", "solver: {method: iterative, rtol: 1e-10}\n"), false},
               {SQUEEZED("0.49", ""), true},
               {SQUEEZED("0.45", ""), false}};
  (void)state;
  if (!can_on_cpu()) return;
  char *folder = scratch_create();
  double value[4][2];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Said said = app_run_says(folder, cases[k].text);
    assert_int_equal(said.code, 0);
    const bool direct = strstr(said.out, "direct by auto: a material that nearly keeps its volume") != NULL;
    if (direct != cases[k].direct) fail_msg("%s", said.out);
    scratch_last_row(folder, 2, value[k]);
    said_release(&said);
  }
  assert_relative(value[0][1], value[1][1], 1e-6);
  scratch_remove(&folder);
}

#define SHAKEN(more)                                                                                                   \
  HEAD("{grid: [13, 5, 3], size: [3, 1, 0.1], order: 2}", "3d")                                                        \
  "materials: [{on: body, young: 7, poisson: 0.25, density: 2}]\n" more

/* Modes, buckling and vibrations work with the inverse of the matrix then: fewer turns to the same numbers. */
static void modes_and_vibrations(void **state) {
  static const char *const cases[] = {
      SHAKEN("analysis: {type: modal, modes: 5}\nboundary: [{on: x0, fix: all}]\n"),
      SHAKEN("analysis: {type: modal, modes: 5}\n"),
      SHAKEN("analysis: {type: buckling, modes: 2}\nboundary: [{on: x0, fix: all}, {on: x1, traction: [-1, 0, 0]}]\n")};
  (void)state;
  if (!can()) return;
  char *folder = scratch_create(), text[TEXT];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    double turns[2], value[2][2];
    for (int way = 0; way < 2; ++way) {
      snprintf(text, sizeof text, "%ssolver: {method: %s}\n", cases[k], way ? "iterative" : "direct");
      app_runs(folder, text);
      char *modes = scratch_read(folder, "results/modes.csv"), *second = strchr(strchr(modes, '\n') + 1, '\n') + 1;
      value[way][0] = strtod(strchr(strchr(modes, '\n'), ',') + 1, NULL);
      value[way][1] = strtod(strchr(second, ',') + 1, NULL);
      turns[way] = scratch_reported(folder, "iterations");
      free(modes);
    }
    print_message("%g turns direct, %g iterative\n", turns[0], turns[1]);
    assert_true(turns[0] <= 20 && turns[0] < turns[1]);
    for (int i = 0; i < 2; ++i) assert_relative(value[0][i], value[1][i], 1e-6);
  }
  scratch_remove(&folder);
}

/* One matrix and one factor for all steps. */
static void steps_keep_the_factor(void **state) {
  (void)state;
  if (!can()) return;
  char *folder = scratch_create();
  static const char *const cases[] = {
      PLATE("analysis: {type: transient}\nboundary: [{on: x0, fix: all}, {on: x1, traction: [0, \"t\"]}]\n"
            "time: {end: 5, step: 0.1}\nsolver: {method: direct}\n"),
      WALL("boundary: [{on: x0, temperature: 3}]\ninitial: {value: 1}\ntime: {end: 5, step: 0.1}\nsolver: {method: "
           "direct}\n")};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    app_runs(folder, cases[k]);
    assert_true(scratch_reported(folder, "steps") == 50 && scratch_reported(folder, "matrices") == 1);
    assert_true(scratch_reported(folder, "iterations") <= 60 && scratch_reported(folder, "factor_entries") > 1000);
  }
  scratch_remove(&folder);
}

/* A clamped column without lateral strain, pressed to 0.9 of its length beside a lateral push that comes and goes: on the straight
 * path, which is not stable beyond the first buckling load, P = mu (s - 1/s), mu = E/2. The push turns the tangents that are
 * indefinite; conjugate gradients end on the buckled path, with P = 0.3. */
static void beyond_buckling(void **state) {
  static const char *const cases[] = {
#define COLUMN(grid, model)                                                                                            \
  HEAD(grid, model)                                                                                                    \
  "strain: finite\nmaterials: [{on: body, type: neo-hooke, young: 8, poisson: 0}]\nsolver: {method: direct}\n"         \
  "boundary:\n- {on: y0, fix: all}\n- {on: y1, fix: {x: 0, y: \"-t^2\"}}\n- {on: x0, traction: [\"0.0002*t*(1-t)\", "  \
  "0]}\n"                                                                                                              \
  "time: {end: 1, step: 0.25}\noutput: {sums: [{name: P, on: y1, field: reaction}]}\n"
      COLUMN("{grid: [3, 21], size: [1, 10]}", "plane-strain"),
      COLUMN("{grid: [6, 61], size: [1, 10], order: 2}", "plane-strain")};
  (void)state;
  if (!can()) return;
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    double row[3];
    Said said = app_run_says(folder, cases[k]);
    if (said.code != 0 || !strstr(said.err, "a tangent has 1 negative eigenvalue:"))
      fail_msg("%d: %s%s", said.code, said.out, said.err);
    said_release(&said);
    scratch_last_row(folder, 3, row);
    assert_true(fabs(row[1]) < 1e-6);
    assert_relative(row[2], 4 * (0.9 - 1 / 0.9), 1e-6);
  }
  scratch_remove(&folder);
}

/* Conjugate gradients that are slow are given up for a factor, unless it is they who were named; load steps in two dimensions have it
 * from the start, and steps that meet an indefinite tangent and cannot be shorter then go on with it, on the straight path. */
static void auto_falls_back(void **state) {
#define SLAB(solver)                                                                                                   \
  HEAD("{grid: [15, 15, 3], size: [1, 1, 0.03]}", "3d")                                                                \
  "formulation: displacement\nmaterials: [{on: body, young: 7, poisson: 0.2}]\n"                                       \
  "boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 1e-9, 1e-6]}]\n" solver PROBES("[1, 1, 0]", "[1, 1, 0]",      \
                                                                                        "[1, 1, 0]")
#define FIXED(grid, method)                                                                                            \
  HEAD(grid, "plane-strain")                                                                                           \
  "strain: finite\nmaterials: [{on: body, type: neo-hooke, young: 8, poisson: 0}]\nsolver: {method: " method "}\n"     \
  "boundary:\n- {on: y0, fix: all}\n- {on: y1, fix: {x: 0, y: \"-t^2\"}}\n- {on: x0, traction: [\"0.0002*t*(1-t)\", "  \
  "0]}\ntime: {end: 1, step: 0.25, adaptive: false}\noutput: {sums: [{name: P, on: y1, field: reaction}]}\n"
  static const struct {
    const char *text, *said;
    int code;
    bool cheap; /* for a GPU: it goes on with its iterations */
  } cases[] = {
      {SLAB("solver: {method: iterative}\n"), "iterations, ", 0, true},
      {SLAB("solver: {method: auto}\n"), " iterations of jacobi came to", 0, true},
      {SLAB(""), " iterations of jacobi came to", 0, true},
      {FIXED("{grid: [3, 21], size: [1, 10]}", "iterative"), "the tangent is not positive definite between", 6, false},
      {FIXED("{grid: [3, 21], size: [1, 10]}", "auto"), "direct by auto: a tangent is not positive definite", 0, false},
      {FIXED("{grid: [5, 61], size: [1, 10]}", "auto"), "direct by auto: a tangent is not positive", 0, false},
      {HEAD("{grid: [16, 17]}", "plane-strain") "strain: finite\nmaterials: [{on: body, type: neo-hooke, young: 8, "
                                                "poisson: 0.3}]\nboundary: [{on: x0, fix: all}, {on: x1, fix: {y: "
                                                "0.1}}]\ntime: {end: 1, step: 0.5}\n",
       "direct by auto: load steps of a body in two dimensions", 0, true}};
  (void)state;
  if (!can()) return;
  char *folder = scratch_create();
  double row[4], tip[3];
  for (int k = 0; k < (int)(sizeof cases / sizeof *cases); ++k) {
    Said said = app_run_says(folder, cases[k].text);
    const char *words = on_cpu() || !cases[k].cheap ? cases[k].said : "iterations, ";
    if (said.code != cases[k].code || !(strstr(said.out, words) || strstr(said.err, words)))
      fail_msg("case %d: %d, no '%s' in %s%s", k, said.code, words, said.out, said.err);
    said_release(&said);
    if (k < 6 && !cases[k].code) scratch_last_row(folder, k < 3 ? 4 : 3, row);
    if (k < 3) tip[k] = row[2];
    else if (k < 6 && !cases[k].code) assert_relative(row[2], 4 * (0.9 - 1 / 0.9), 1e-6);
  }
  for (int k = 1; k < 3; ++k) assert_relative(tip[k], tip[0], 1e-5);
  scratch_remove(&folder);
}

/* Vibrations, with time and over frequency, as load steps do. */
static void vibrations_fall_back(void **state) {
#define SHAKEN_SLAB(analysis, load, solver, time)                                                                      \
  HEAD("{grid: [15, 15, 3], size: [1, 1, 0.01]}", "3d")                                                                \
  "formulation: displacement\nmaterials: [{on: body, young: 7, poisson: 0.2, density: 1e-3}]\n"                        \
  "analysis: {" analysis "}\nboundary: [{on: x0, fix: all}, {on: x1, traction: " load "}]\n" time                      \
  "solver: {method: " solver ", rtol: 1e-8}\n"
#define OF_TIME(solver)                                                                                                \
  SHAKEN_SLAB("type: transient", "[0, 1e-9, 1e-6]", solver, "time: {end: 60, step: 60}\n")                             \
  PROBES("[1, 1, 0]", "[1, 1, 0]", "[1, 1, 0]")
#define OF_FREQUENCY(solver)                                                                                           \
  SHAKEN_SLAB("type: harmonic, frequency: 0.02, damping: {loss-factor: 0.1}", "[0, 1e-9, 1e-6]", solver, "")           \
  "output: {probes: [{name: a, at: [1, 1, 0], field: displacement-z}]}\n"
  static const struct {
    const char *text[2], *said;
    int column;
  } cases[] = {{{OF_TIME("auto"), OF_TIME("direct")}, " iterations of jacobi came to", 2},
               {{OF_FREQUENCY("auto"), OF_FREQUENCY("direct")}, " iterations of jacobi came to", 1}};
  (void)state;
  if (!can_on_cpu()) return;
  char *folder = scratch_create();
  double row[2][4] = {{0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    for (int way = 0; way < 2; ++way) {
      Said said = app_run_says(folder, cases[k].text[way]);
      if (said.code != 0 || (strstr(said.out, cases[k].said) != NULL) != (way == 0))
        fail_msg("%d: %s%s", said.code, said.out, said.err);
      said_release(&said);
      scratch_last_row(folder, k ? 2 : 4, row[way]);
    }
    assert_relative(row[0][cases[k].column], row[1][cases[k].column], 1e-5);
  }
  scratch_remove(&folder);
}

/* Many steps with one matrix, by iterations that are known after some: few steps, and steps that change, go on with them. */
static void many_steps_take_a_factor(void **state) {
#define BEAM(solver, time)                                                                                             \
  HEAD("{grid: [61, 9], size: [10, 1]}", "plane-stress")                                                               \
  "materials: [{on: body, young: 100, poisson: 0.3, density: 1}]\nanalysis: {type: transient}\n"                       \
  "boundary: [{on: x0, fix: all}, {on: x1, traction: [0, '0.01*t']}]\ntime: {" time "}\nsolver: {" solver              \
  "}\noutput: {probes: [{name: a, at: [10, 1], field: displacement-y}]}\n"
#define LONG_WALL(solver)                                                                                              \
  "version: 1\nmesh: {grid: [61, 61], size: [1, 1]}\nphysics: heat\nmaterials: [{on: body, conductivity: 2, "          \
  "capacity: 3}]\nboundary: [{on: x0, temperature: 3}]\ninitial: 1\ntime: {end: 5, step: 0.1}\nsolver: {" solver       \
  "}\noutput: {probes: [{name: a, at: [1, 1]}]}\n"
  static const struct {
    const char *text;
    int of; /* the case with the same answer */
    bool direct;
  } cases[] = {{BEAM("method: iterative, rtol: 1e-10", "end: 3, step: 0.05"), 0, false},
               {BEAM("method: auto", "end: 3, step: 0.05"), 0, true},
               {BEAM("method: auto", "end: 0.4, step: 0.05"), 2, false},
               {BEAM("method: auto", "end: 3, step: 0.05, adaptive: {tolerance: 1e-2}"), 3, false},
               {LONG_WALL("method: iterative, rtol: 1e-10"), 4, false},
               {LONG_WALL("method: auto"), 4, true}};
  (void)state;
  if (!can_on_cpu()) return;
  char *folder = scratch_create();
  double row[sizeof cases / sizeof *cases][2];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Said said = app_run_says(folder, cases[k].text);
    if (said.code != 0 || (strstr(said.out, "direct by auto: a factor takes less than ") != NULL) != cases[k].direct)
      fail_msg("case %d: %d: %s%s", (int)k, said.code, said.out, said.err);
    said_release(&said);
    scratch_last_row(folder, 2, row[k]);
    assert_relative(row[k][1], row[cases[k].of][1], 1e-6);
  }
  scratch_remove(&folder);
}

/* A plate so thin that rounding leaves 2e-4 of the load has the deflection of a thicker one, by the cube of its thickness. */
static void rounding_is_accepted(void **state) {
  static const char *const plate[] = {
#define FOIL(thick)                                                                                                    \
  HEAD("{grid: [9, 9, 2], size: [1.3, 1.3, " thick "], order: 2}", "3d")                                               \
  "materials: [{on: body, young: 7e9, poisson: 0.3}]\nboundary: [{on: x0, fix: all}, {on: z1, pressure: 10}]\n"        \
  "solver: {method: direct}\noutput: {probes: [{name: a, at: [1.3, 1.3, 0], field: displacement-z}]}\n"
      FOIL("0.003"), FOIL("0.0022")};
  (void)state;
  if (!can_on_cpu()) return;
  char *folder = scratch_create();
  double row[2][2];
  for (int k = 0; k < 2; ++k) {
    Said said = app_run_says(folder, plate[k]);
    if (said.code != 0 || !strstr(said.err, "rounding in double precision leaves")) fail_msg("%s", said.err);
    said_release(&said);
    scratch_last_row(folder, 2, row[k]);
  }
  assert_true(scratch_reported(folder, "true_residual") > 1e-4);
  assert_within(row[1][1] * pow(0.0022, 3), row[0][1] * pow(0.003, 3), 3e-4);
  scratch_remove(&folder);
}

/* On springs 1e8 times as soft as the body pmg has rounding of the size of what holds it: all of the load over k A. */
static void auto_takes_it_on_soft_springs(void **state) {
  (void)state;
  if (!can_on_cpu()) return;
  char *folder = scratch_create();
  double row[2];
  app_runs(
      folder,
      "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {grid: [7, 7, 7], order: 2}\nmaterials: [{on: body, young: "
      "210e3, poisson: 0.3}]\nboundary: [{on: z0, spring: 1e-3}, {on: z1, traction: [0, 0, 0.001]}]\noutput: {probes: "
      "[{name: w, at: [0.5, 0.5, 0], field: displacement-z}]}\n");
  scratch_last_row(folder, 2, row);
  assert_within(row[1], 1, 1e-4);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(below_pmg),
                                     cmocka_unit_test(rounding_is_accepted),
                                     cmocka_unit_test(as_conjugate_gradients),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(memory_is_forecast),
                                     cmocka_unit_test(auto_takes_it),
                                     cmocka_unit_test(auto_takes_it_where_volume_is_kept),
                                     cmocka_unit_test(beyond_buckling),
                                     cmocka_unit_test(auto_falls_back),
                                     cmocka_unit_test(vibrations_fall_back),
                                     cmocka_unit_test(many_steps_take_a_factor),
                                     cmocka_unit_test(modes_and_vibrations),
                                     cmocka_unit_test(steps_keep_the_factor),
                                     cmocka_unit_test(auto_takes_it_on_soft_springs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
