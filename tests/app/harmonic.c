/* Harmonic elasticity from case files to results: a damped rod's closed form and its order of convergence, the static
 * limit, elimination of the whole dense system with shaken supports, a free body, a beam's first resonance, what files
 * hold. */
#include "app/elasticity/elastic.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/run_harmonic.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"
#include "output/read.h"
#include "algebra/mat.h"
#include "tests/app/scratch.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 16 };

/* Row k of probes.csv; returns how many rows there are. */
static int row(const char *folder, int k, double *value) {
  char *text = scratch_read(folder, "results/probes.csv");
  int n = 0;
  assert_memory_equal(text, "frequency", 9);
  for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1, ++n) {
    char *at = line;
    for (int c = 0; n == k && c < COLUMNS && *at && *at != '\n'; ++c, at += *at == ',') value[c] = strtod(at, &at);
  }
  free(text);
  return n;
}

#define ROD(mesh, analysis, more)                                                                                      \
  "version: 1\nmesh: {" mesh "}\nphysics: elasticity\nmodel: plane-stress\nanalysis: {type: harmonic, " analysis "}\n" \
  "materials: [{on: body, young: 2, poisson: 0, density: 3, thickness: 0.5}]\nsolver: {rtol: 1e-11, precision: "       \
  "double}\n" more
#define HELD "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\n"
#define TIP                                                                                                            \
  "output: {probes: [{name: re, at: [1, 0.1], field: displacement-x, part: real}, {name: im, at: [1, 0.1], field: "    \
  "displacement-x, part: imaginary}]}\n"
#define DAMPED "damping: {loss-factor: 0.04, alpha: 0.2, beta: 0.01}"

/* u(1) of a rod held at 0 and pulled by 1 at 1: E* u'' + rho* omega^2 u = 0, E* u'(1) = 1, with the complex modulus and
 * density that the damping makes. */
static double complex rod(double f, double loss, double alpha, double beta, bool held) {
  const double omega = 2 * M_PI * f;
  const double complex E = 2 * (1 + I * (loss + omega * beta)), rho = 3 * (1 - I * alpha / omega);
  const double complex k = omega * csqrt(rho / E);
  return held ? ctan(k) / (E * k) : -1 / (ctan(k) * E * k);
}

static double rod_error(const char *folder, const char *text) {
  double worst = 0, value[COLUMNS];
  app_runs(folder, text);
  for (int k = 0; k < 3; ++k) {
    assert_int_equal(row(folder, k, value), 3);
    const double complex exact = rod(value[0], 0.04, 0.2, 0.01, true);
    worst = fmax(worst, cabs(value[1] + I * value[2] - exact) / cabs(exact));
  }
  return worst;
}

static void rod_converges(void **state) {
  (void)state;
  char *folder = scratch_create();
#define SWEPT(n) ROD("grid: [" n ", 2], size: [1, 0.1]", "frequency: [0.1, 0.2, 0.5], " DAMPED, HELD TIP)
  const double coarse = rod_error(folder, SWEPT("17")), fine = rod_error(folder, SWEPT("33"));
#define QUADRATIC(n) ROD("grid: [" n ", 2], size: [1, 0.1], order: 2", "frequency: [0.1, 0.2, 0.5], " DAMPED, HELD TIP)
  const double coarse2 = rod_error(folder, QUADRATIC("5")), fine2 = rod_error(folder, QUADRATIC("9"));
  print_message("errors %g %g, quadratic %g %g\n", coarse, fine, coarse2, fine2);
  assert_true(fine < 5e-3 && coarse / fine > 3.5 && coarse / fine < 4.5);
  assert_true(fine2 < 5e-4 && coarse2 / fine2 > 12 && coarse2 / fine2 < 20); /* at a corner: order 4 */
  scratch_remove(&folder);
}

/* Nothing holds it: inertia does. At rest it would move away. */
static void free_rod(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[COLUMNS];
  const char *text = ROD("grid: [65, 2], size: [1, 0.1]", "frequency: 0.15, damping: 0.03",
                         "boundary: [{on: x1, traction: [1, 0]}]\n" TIP);
  app_runs(folder, text);
  assert_int_equal(row(folder, 0, value), 1);
  const double complex exact = rod(0.15, 0.03, 0, 0, false);
  assert_true(cabs(value[1] + I * value[2] - exact) < 1e-3 * cabs(exact));
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--set",
                       "analysis.frequency=[0, 1]", NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "free"));
  said_release(&said);
  scratch_remove(&folder);
}

/* At 0 Hz without damping it is the static solution, stress and moved supports with it. */
static void static_limit(void **state) {
  (void)state;
  char *folder = scratch_create();
  double still[COLUMNS], value[COLUMNS];
#define BLOCK(analysis)                                                                                                \
  "version: 1\nmesh: {grid: [5, 4, 3], size: [2, 1, 1]}\nphysics: elasticity\nmodel: 3d\n" analysis                    \
  "materials: [{on: body, young: 5, poisson: 0.3, density: 2}]\n"                                                      \
  "boundary: [{on: x0, fix: {x: 0, y: 0.1, z: 0}}, {on: x1, traction: [1, 0.5, 0]}, {on: y0, spring: 0.7}]\n"          \
  "body: [{on: body, gravity: [0, 0, -1]}]\nsolver: {rtol: 1e-11}\n"                                                   \
  "output: {fields: [displacement, stress, von-mises], probes: [{name: a, at: [1.3, 0.4, 0.2], field: "                \
  "displacement-y}, {name: b, at: [2, 1, 0], field: "                                                                  \
  "stress-xy}, {name: c, at: [1, 0.5, 0.5], field: von-mises}, {name: d, at: [2, 1, 1], field: displacement-z}]}\n"
  app_runs(folder, BLOCK(""));
  char *text = scratch_read(folder, "results/probes.csv");
  assert_int_equal(sscanf(strchr(text, '\n') + 1, "0,%lf,%lf,%lf,%lf", still, still + 1, still + 2, still + 3), 4);
  free(text);
  app_runs(folder, BLOCK("analysis: {type: harmonic, frequency: 0}\n"));
  assert_int_equal(row(folder, 0, value), 1);
  for (int c = 0; c < 4; ++c) assert_near(value[c + 1], fabs(still[c]), 1e-8);
  scratch_remove(&folder);
}

/* a x = b, in place, n x n with pivots. */
static void eliminate(int64_t n, double complex *a, double complex *b) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t pivot = i;
    for (int64_t j = i + 1; j < n; ++j)
      if (cabs(a[j * n + i]) > cabs(a[pivot * n + i])) pivot = j;
    for (int64_t c = 0; c < n; ++c) {
      const double complex t = a[i * n + c];
      a[i * n + c] = a[pivot * n + c], a[pivot * n + c] = t;
    }
    const double complex t = b[i];
    b[i] = b[pivot], b[pivot] = t;
    for (int64_t j = i + 1; j < n; ++j) {
      const double complex factor = a[j * n + i] / a[i * n + i];
      for (int64_t c = i; c < n; ++c) a[j * n + c] -= factor * a[i * n + c];
      b[j] -= factor * b[i];
    }
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    for (int64_t c = i + 1; c < n; ++c) b[i] -= a[i * n + c] * b[c];
    b[i] /= a[i * n + i];
  }
}

/* K or M without supports, dense, column by column from the products by elements (which no solver matrix takes part
 * in). */
static void dense(Exec *exec, Elasticity *e, ElasticityMass *mass, double *out, double *load) {
  const int64_t n = elasticity_dofs(e);
  double *u = NULL, *r = NULL, *host = NULL;
  assert_ok(exec_alloc(exec, n, sizeof *u, "u", (void **)&u));
  assert_ok(exec_alloc(exec, n, sizeof *r, "r", (void **)&r));
  assert_ok(mem_alloc(n, sizeof *host, "u", (void **)&host));
  assert_ok(exec_upload(exec, u, host, (size_t)n * sizeof *host));
  assert_ok(elasticity_residual(e, u, r));
  assert_ok(exec_download(exec, load, r, (size_t)n * sizeof *load));
  for (int64_t j = 0; j < n; ++j) {
    host[j] = 1;
    assert_ok(exec_upload(exec, u, host, (size_t)n * sizeof *host));
    host[j] = 0;
    assert_ok(mass ? elasticity_mass_residual(mass, u, r) : elasticity_residual(e, u, r));
    assert_ok(exec_download(exec, out + j * n, r, (size_t)n * sizeof *out));
    for (int64_t i = 0; i < n; ++i) out[j * n + i] = (mass ? 0 : load[i]) - out[j * n + i];
  }
  EXEC_RELEASE(exec, u, n);
  EXEC_RELEASE(exec, r, n);
  FREE(host);
}

static const char SHAKEN[] =
    "version: 1\nmesh: {grid: [4, 3, 3], size: [1.5, 1, 0.8]}\nphysics: elasticity\nmodel: 3d\n"
    "analysis: {type: harmonic, frequency: [0.05, 0.3, 0.6], damping: {loss-factor: 0.05, alpha: 0.1, beta: 0.02}}\n"
    "materials: [{on: body, young: 4, poisson: 0.25, density: 3}]\n"
    "boundary: [{on: x0, fix: {x: 0.3, y: '0.1*z', z: 0}}, {on: x1, traction: [0, 1, 0.2]}, {on: y1, spring: 0.6}]\n"
    "solver: {rtol: 1e-11}\noutput: {probes: ["
    "{name: a, at: [1.5, 1, 0.8], field: displacement-x, part: real}, {name: b, at: [1.5, 1, 0.8], field: "
    "displacement-x, part: imaginary},"
    "{name: c, at: [0.5, 0.5, 0.4], field: displacement-y, part: real}, {name: d, at: [0.5, 0.5, 0.4], field: "
    "displacement-y, part: imaginary},"
    "{name: e, at: [1, 0, 0], field: displacement-z, part: amplitude}, {name: f, at: [1, 0, 0], field: displacement-z, "
    "part: phase}]}\n";

static int32_t node_at(const Mesh *mesh, double x, double y, double z) {
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (fabs(mesh->x[i][0] - x) + fabs(mesh->x[i][1] - y) + fabs(mesh->x[i][2] - z) < 1e-9) return i;
  fail_msg("no node at (%g, %g, %g)", x, y, z);
  return -1;
}

static void dense_elimination(void **state) {
  (void)state;
  char *folder = scratch_create();
  Case *c = NULL;
  Mesh *mesh = NULL;
  Setup setup;
  Device device;
  Elasticity *e = NULL;
  ElasticityMass *mass = NULL;
  app_runs(folder, SHAKEN);
  assert_ok(case_parse("c.yaml", SHAKEN, strlen(SHAKEN), 0, NULL, &c));
  assert_ok(mesh_of_case(c, false, NULL, &mesh));
  assert_ok(setup_create(c, mesh, &setup));
  assert_ok(device_open(BACKEND_CPU, 1, &device));
  elastic_setup(&setup)->params.n_support = 0, elastic_setup(&setup)->params.allow_free_motion = true,
  elastic_setup(&setup)->params.node_rank = NULL;
  assert_ok(elasticity_create(device.exec, &elastic_setup(&setup)->params, &e));
  assert_ok(elasticity_mass_create(e, (double[]){3}, &mass));
  const int64_t n = elasticity_dofs(e);
  double *K = NULL, *M = NULL, *load = NULL;
  double complex *a = NULL, *b = NULL;
  assert_ok(mem_alloc(n * n, sizeof *K, "K", (void **)&K));
  assert_ok(mem_alloc(n * n, sizeof *M, "M", (void **)&M));
  assert_ok(mem_alloc(n, sizeof *load, "load", (void **)&load));
  assert_ok(mem_alloc(n * n, sizeof *a, "A", (void **)&a));
  assert_ok(mem_alloc(n, sizeof *b, "b", (void **)&b));
  dense(device.exec, e, mass, M, load);
  dense(device.exec, e, NULL, K, load);
  const int32_t p = node_at(mesh, 1.5, 1, 0.8), q = node_at(mesh, 0.5, 0.5, 0.4), s = node_at(mesh, 1, 0, 0);
  for (int k = 0; k < 3; ++k) {
    double value[COLUMNS];
    assert_int_equal(row(folder, k, value), 3);
    const double omega = 2 * M_PI * value[0];
    for (int64_t i = 0; i < n; ++i) b[i] = load[i];
    for (int64_t i = 0; i < n * n; ++i)
      a[i] = (1 + I * (0.05 + omega * 0.02)) * K[i] + (-omega * omega + I * omega * 0.1) * M[i];
    for (int64_t i = 0; i < n; ++i) {
      const double *x = mesh->x[i / 3];
      if (x[0] > 1e-9) continue;
      for (int64_t j = 0; j < n; ++j) a[i * n + j] = i == j;
      b[i] = i % 3 == 0 ? 0.3 : i % 3 == 1 ? 0.1 * x[2] : 0;
    }
    eliminate(n, a, b);
    assert_near(value[1], creal(b[3 * p]), 1e-8);
    assert_near(value[2], cimag(b[3 * p]), 1e-8);
    assert_near(value[3], creal(b[3 * q + 1]), 1e-8);
    assert_near(value[4], cimag(b[3 * q + 1]), 1e-8);
    assert_near(value[5], cabs(b[3 * s + 2]), 1e-8);
    assert_near(value[6], 180 / M_PI * carg(b[3 * s + 2]), 1e-6);
  }
  FREE(K), FREE(M), FREE(load), FREE(a), FREE(b);
  elasticity_mass_destroy(&mass);
  elasticity_destroy(&e);
  device_close(&device);
  setup_release(&setup);
  mesh_destroy(&mesh);
  case_destroy(&c);
  scratch_remove(&folder);
}

/* The largest amplitude of a sweep is at the first frequency of Euler and Bernoulli's cantilever, f = 1.8751^2 / (2 pi
 * L^2) sqrt(E I / (rho A)), less than 1 % below it (shear and rotary inertia), and there the phase is -90 degrees. */
static void beam_resonates(void **state) {
  (void)state;
  char *folder = scratch_create();
  const double f = 1.875104 * 1.875104 / (2 * M_PI) * sqrt(0.05 * 0.05 / 12);
  double value[COLUMNS], most = 0, at = 0, phase = 0;
  char text[2048];
  snprintf(
      text, sizeof text,
      "version: 1\nmesh: {grid: [21, 2], size: [1, 0.05], order: 2}\nphysics: elasticity\nmodel: plane-stress\n"
      "analysis: {type: harmonic, frequency: {from: %.10g, to: %.10g, count: 41}, damping: 0.01}\n"
      "materials: [{on: body, young: 1, poisson: 0, density: 1}]\n"
      "boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 1]}]\nsolver: {rtol: 1e-6}\n"
      "output: {probes: [{name: a, at: [1, 0], field: displacement-y}, {name: p, at: [1, 0], field: displacement-y, "
      "part: phase}]}\n",
      0.96 * f, 1.04 * f);
  app_runs(folder, text);
  for (int k = 0; k < 41; ++k) {
    assert_int_equal(row(folder, k, value), 41);
    if (value[1] > most) most = value[1], at = value[0], phase = value[2];
  }
  print_message("peak at %g of the beam's frequency, phase %g\n", at / f, phase);
  assert_true(at / f > 0.99 && at / f < 1.001);
  assert_true(fabs(phase + 90) < 12);
  scratch_remove(&folder);
}

/* Fields of the file: amplitude and phase of the parts, von Mises' largest value over a cycle. */
static void files(void **state) {
  (void)state;
  enum { N = 15 };
  char *folder = scratch_create();
  double re[N][3], im[N][3], amplitude[N][3], phase[N][3], sre[N][6], sim[N][6], mises[N];
  app_runs(folder, ROD("grid: [5, 3], size: [1, 0.5]",
                       "frequency: {from: 0.1, to: 10, count: 3, spacing: logarithmic}, damping: 0.2",
                       "boundary: [{on: x0, fix: {x: 0, y: '0.3*x+1'}}, {on: x1, traction: [1, 2]}]\n"
                       "output: {fields: [displacement, stress, von-mises]}\n"));
  Result *result = NULL;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_int_equal(result->n_step, 3);
  assert_int_equal(result->n_node, N);
  assert_near(result->time[0], 0.1, 1e-12);
  assert_near(result->time[1], 1, 1e-12);
  assert_near(result->time[2], 10, 1e-12);
#define READ(name, to) assert_ok(result_read(result, result_field(result, name, false), 0, &to[0][0]))
  READ("displacement-real", re);
  READ("displacement-imaginary", im);
  READ("displacement-amplitude", amplitude);
  READ("displacement-phase", phase);
  READ("stress-real", sre);
  READ("stress-imaginary", sim);
  assert_ok(result_read(result, result_field(result, "von-mises", false), 0, mises));
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < 3; ++k) {
      assert_near(amplitude[i][k], hypot(re[i][k], im[i][k]), 1e-14);
      assert_near(amplitude[i][k] * cos(phase[i][k] * M_PI / 180), re[i][k], 1e-12);
      assert_near(amplitude[i][k] * sin(phase[i][k] * M_PI / 180), im[i][k], 1e-12);
    }
    double largest = 0;
    for (int t = 0; t < 3600; ++t) {
      double s[6];
      for (int k = 0; k < 6; ++k) s[k] = sre[i][k] * cos(M_PI * t / 3600) - sim[i][k] * sin(M_PI * t / 3600);
      largest = fmax(largest, sqrt(0.5 * (pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2)) +
                                   3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])));
    }
    assert_near(mises[i], largest, 1e-6);
  }
  result_close(&result);
  scratch_remove(&folder);
}

/* With a loss the stress lags the strain: of a slow pull it is the traction, real. */
static void stress_has_the_loss(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[COLUMNS];
  app_runs(folder,
           ROD("grid: [3, 2], size: [1, 0.5]", "frequency: 1e-6, damping: 0.5",
               "boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: x1, traction: [3, 0]}]\n"
               "output: {probes: [{name: a, at: [0.3, 0.2], field: stress-xx, part: real}, {name: b, at: [0.3, 0.2], "
               "field: stress-xx, part: imaginary}, {name: c, at: [1, 0], field: displacement-x, part: phase}, "
               "{name: d, at: [1, 0.5], field: von-mises}]}\n"));
  row(folder, 0, value);
  assert_near(value[1], 3, 1e-8);
  assert_near(value[2], 0, 1e-8);
  assert_near(value[3], -180 / M_PI * atan(0.5), 1e-6);
  assert_near(value[4], 3, 1e-8);
  scratch_remove(&folder);
}

/* Every preconditioner and some formats through the whole program. */
static void other_solvers(void **state) {
  (void)state;
  static const char *const set[] = {"solver.preconditioner=jacobi",
                                    "solver.preconditioner=amg",
                                    "solver.preconditioner=pmg",
                                    "solver.preconditioner=ssor",
                                    "solver.format={type: ell-warp, variant: k1r}",
                                    "solver.precision=auto",
                                    "solver.numbering=hilbert"};
  char *folder = scratch_create();
  double first[COLUMNS], value[COLUMNS];
  app_runs(folder, SHAKEN);
  row(folder, 2, first);
  for (size_t k = 0; k < sizeof set / sizeof *set; ++k) {
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--backend", app_backend(),
                         "--set", set[k], NULL);
    if (said.code) fail_msg("%s: %s", set[k], said.err);
    said_release(&said);
    row(folder, 2, value);
    for (int c = 1; c < 7; ++c) assert_near(value[c], first[c], 1e-8);
  }
  scratch_remove(&folder);
}

/* The example of docs/case-file.md, a strip 50 times as long as deep: at its first resonance rounding leaves a residual
 * of 1e-7, so that the default tolerance must not be less. */
static void slender(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[COLUMNS];
  app_runs(folder,
           "version: 1\nmesh: {grid: [41, 3], size: [1, 0.02], order: 2}\nphysics: elasticity\nmodel: plane-stress\n"
           "analysis: {type: harmonic, frequency: [10, 15, 50], damping: {loss-factor: 0.02}}\n"
           "materials: [{on: body, young: 210e9, poisson: 0.3, thickness: 0.02, density: 7850}]\n"
           "boundary: [{on: x0, fix: all}, {on: x1, force: [0, 10]}]\n"
           "output: {probes: [{name: tip, at: [1, 0.01], field: displacement-y}]}\n");
  static const double tip[] = {1.8328493e-3, 5.9354257e-3, 1.0156126e-4}; /* agreed on by three preconditioners */
  for (int k = 0; k < 3; ++k) {
    assert_int_equal(row(folder, k, value), 3);
    assert_near(value[1], tip[k], 1e-6 * tip[k]);
  }
  scratch_remove(&folder);
}

/* The worst difference between the method of `modes` and the direct one, over the largest value of each probe. */
static double modes_error(const char *folder, const char *grid, const char *modes, const char *loads) {
  enum { N = 4, PARTS = 4 };
  static const char *const probes =
      "output: {probes: [{name: a, at: [1, 0.1], field: displacement-x, part: real}, {name: b, at: [1, 0.1], field: "
      "displacement-x, part: imaginary}, {name: c, at: [0.5, 0.1], field: displacement-y, part: real}, {name: d, at: "
      "[0.5, 0], field: stress-xx, part: imaginary}]}\n";
  double value[2][N][COLUMNS] = {{{0}}}, worst = 0;
  for (int by = 0; by < 2; ++by) {
    char text[2048];
    snprintf(text, sizeof text, ROD("grid: [%s], size: [1, 0.1]", "frequency: [0, 0.02, 0.1, 0.3], %s" DAMPED, "%s%s"),
             grid, by ? modes : "", loads, probes);
    app_runs(folder, text);
    for (int k = 0; k < N; ++k) assert_int_equal(row(folder, k, value[by][k]), N);
  }
  for (int c = 1; c <= PARTS; ++c) {
    double most = 0, error = 0;
    for (int k = 0; k < N; ++k) {
      most = fmax(most, fabs(value[0][k][c]));
      error = fmax(error, fabs(value[1][k][c] - value[0][k][c]));
    }
    assert_true(most > 0);
    worst = fmax(worst, error / most);
  }
  return worst;
}

/* Force and shaken support, all kinds of damping: exact with all modes there are; with some of them static answers stand for
 * the others and for their inertia, which leaves the fourth power of the frequency over theirs. */
static void by_modes(void **state) {
  (void)state;
  static const char *const loads[] = {"boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0.5]}]\n",
                                      "boundary: [{on: x0, fix: {x: 0.3, y: -0.2}}, {on: x1, traction: [1, 0.5]}]\n"};
  char *folder = scratch_create();
  for (int which = 0; which < 2; ++which) {
    const double all = modes_error(folder, "9, 2", "method: modes, modes: 32, ", loads[which]);
    const double some = modes_error(folder, "17, 3", "method: modes, modes: 12, ", loads[which]);
    const double few = modes_error(folder, "17, 3", "method: modes, modes: 3, ", loads[which]);
    print_message("all modes %g, 12 %g, 3 %g\n", all, some, few);
    assert_true(all < 1e-8);
    assert_true(some < 1e-4 && some < 0.1 * few);
  }
  scratch_remove(&folder);
}

/* All that is ahead by an angle turns the answer by it; a force that is ahead of a shaken support adds to what that does
 * alone. */
static void phases(void **state) {
  (void)state;
#define TURNED(analysis, fix, force)                                                                                   \
  "version: 1\nmesh: {grid: [4, 3, 3], size: [1.5, 1, 0.8]}\nphysics: elasticity\nmodel: 3d\n"                         \
  "analysis: {type: harmonic, frequency: 0.3, " analysis "damping: {alpha: 0.1, beta: 0.02}}\n"                        \
  "materials: [{on: body, young: 4, poisson: 0.25, density: 3}]\n"                                                     \
  "boundary: [{on: x0, fix: {x: 0.3, y: '0.1*z', z: 0}" fix "}, {on: x1, traction: [0, 'y', 0.2]" force                \
  "}, {on: y1, spring: 0.6}]\nsolver: {rtol: 1e-11}\noutput: {probes: ["                                               \
  "{name: a, at: [1.5, 1, 0.8], field: displacement-x, part: real}, {name: b, at: [1.5, 1, 0.8], field: "              \
  "displacement-x, part: imaginary}]}\n"
  char *folder = scratch_create();
  double value[COLUMNS], none[COLUMNS], shaken[COLUMNS], forced[COLUMNS];
  const double c = cos(M_PI / 6), s = sin(M_PI / 6);
  app_runs(folder, TURNED("", "", ""));
  row(folder, 0, none);
  app_runs(folder, TURNED("", ", phase: 30", ", phase: 30"));
  row(folder, 0, value);
  assert_within(value[1], c * none[1] - s * none[2], 1e-8);
  assert_within(value[2], s * none[1] + c * none[2], 1e-8);
  app_runs(folder, TURNED("", "", ", phase: 180"));
  row(folder, 0, value);
  for (int k = 1; k < 3; ++k) shaken[k] = (none[k] + value[k]) / 2, forced[k] = none[k] - shaken[k];
  app_runs(folder, TURNED("", "", ", phase: 90"));
  row(folder, 0, value);
  assert_within(value[1], shaken[1] - forced[2], 1e-8);
  assert_within(value[2], shaken[2] + forced[1], 1e-8);
  app_runs(folder, TURNED("method: modes, modes: 81, ", "", ", phase: 90")); /* all there are */
  row(folder, 0, value);
  assert_within(value[1], shaken[1] - forced[2], 1e-8);
  assert_within(value[2], shaken[2] + forced[1], 1e-8);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(phases),
      cmocka_unit_test(rod_converges),
      cmocka_unit_test(free_rod),
      cmocka_unit_test(static_limit),
      cmocka_unit_test(dense_elimination),
      cmocka_unit_test(beam_resonates),
      cmocka_unit_test(files),
      cmocka_unit_test(stress_has_the_loss),
      cmocka_unit_test(other_solvers),
      cmocka_unit_test(slender),
      cmocka_unit_test(by_modes),
  };
  return cmocka_run_group_tests_name("app/harmonic", tests, NULL, NULL);
}
