/* Masses on groups and on rigid groups, and springs between nodes: against masses on springs in closed form, and against rigid
 * bodies whose six equations are written out here. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 6 };

static void frequencies(const char *folder, int n, double *value) {
  char *text = scratch_read(folder, "results/modes.csv"), *at = text;
  for (int k = 0; k < n; ++k) {
    at = strchr(at, '\n') + 1;
    assert_int_equal(sscanf(at, "%*d,%lf", &value[k]), 1);
  }
  free(text);
}

/* The last row of the probes behind its time. */
static void last_row(const char *folder, int n, double *value) {
  double row[4];
  scratch_last_row(folder, n + 1, row);
  for (int i = 0; i < n; ++i) value[i] = row[i + 1];
}

/* ---- one body on a spring of 100 along x; it weighs 2, and 3 are on a face ---- */

#define HEAD(grid, more)                                                                                               \
  "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1], " grid "}\nphysics: elasticity\nmodel: 3d\n" more              \
  "materials: [{on: body, young: 1e7, poisson: 0.3, density: 2}]\n"
#define ON_SPRING "boundary: [{on: x0, spring: [100, 1, 1]}, {on: x1, mass: 3}, {on: body, fix: {y: 0, z: 0}}"
static const double PI = 3.14159265358979323846;

static void one_mass(void **state) {
  (void)state;
  char *folder = scratch_create();
  double f = 0;
  app_runs(folder, HEAD("order: 1", "analysis: {type: modal, modes: 1}\n") ON_SPRING "]\n");
  frequencies(folder, 1, &f);
  assert_relative(f, sqrt(100 / 5.) / (2 * PI), 1e-4);
  assert_relative(scratch_reported(folder, "mass"), 5, 1e-12);
  app_runs(folder, HEAD("order: 2", "analysis: {type: modal, modes: 1}\n") ON_SPRING ", {on: body, mass: 7}]\n");
  frequencies(folder, 1, &f);
  assert_relative(f, sqrt(100 / 12.) / (2 * PI), 1e-4);
  /* It turns about a line along z at x = -9, whose centrifugal force grows with the displacement. */
  app_runs(folder, HEAD("order: 1", "analysis: {type: modal, modes: 1, prestress: true}\n") ON_SPRING
           "]\nbody: [{on: body, centrifugal: {origin: [-9, 0, 0], axis: [0, 0, 1], speed: 2}}]\n");
  frequencies(folder, 1, &f);
  assert_relative(f, sqrt(100 / 5. - 4) / (2 * PI), 1e-3);
  scratch_remove(&folder);
}

#define X1 "output: {probes: [{name: u, at: [1, 0, 0], field: displacement-x}]}\n"

/* Weight in a case, in load cases and in load steps, and a force that grows with the distance: 2 at x = 0.5 and 3 at x = 1. */
static void weight(void **state) {
  (void)state;
  static const char *const GRAVITY = "gravity: [-10, 0, 0]",
                           *const TURNS = "centrifugal: {origin: [0, 0, 0], axis: [0, 0, 1], speed: 2}";
  char *folder = scratch_create(), text[2048];
  double u[2];
  for (int turns = 0; turns < 2; ++turns) {
    snprintf(text, sizeof text, HEAD("order: 2", "%s") ON_SPRING "]\nbody: [{on: body, %s}]\n" X1, "",
             turns ? TURNS : GRAVITY);
    app_runs(folder, text);
    last_row(folder, 1, u);
    assert_relative(u[0], turns ? 4 * (2 * 0.5 + 3 * 1) / 100 : -0.5, 1e-4);
  }
  app_runs(folder, HEAD("order: 1", "") ON_SPRING "]\nload-cases: [{name: a, body: [{on: body, gravity: [1, 0, 0]}]}, "
                                                  "{name: b, body: [{on: body, gravity: [-4, 0, 0]}]}]\n" X1);
  char *csv = scratch_read(folder, "results/probes.csv");
  const char *row = strchr(csv, '\n') + 1;
  assert_relative(strtod(strchr(row, ',') + 1, NULL), 0.05, 1e-4);
  assert_relative(strtod(strchr(strchr(row, '\n'), ',') + 1, NULL), -0.2, 1e-4);
  free(csv);
  app_runs(folder, HEAD("order: 1", "strain: finite\ntime: {end: 1, step: 0.5}\n") ON_SPRING
           "]\nbody: [{on: body, gravity: [-1, 0, 0]}]\n" X1);
  last_row(folder, 1, u);
  assert_relative(u[0], -0.05, 1e-4);
  scratch_remove(&folder);
}

/* The outside of a body is that of its own elements: masses of volumes are none. */
static void pressed(void **state) {
  (void)state;
  char *folder = scratch_create();
  double u[2];
  app_runs(folder, HEAD("order: 1", "") ON_SPRING
           ", {on: body, mass: 7}]\nload-cases: [{name: a, boundary: [{on: x1, pressure: 5}]}]\n" X1);
  last_row(folder, 1, u);
  assert_relative(u[0], -0.05, 1e-4);
  scratch_remove(&folder);
}

/* It swings from rest at a velocity of 1, small strain and finite: u = sin(w t)/w; and is shaken at a frequency. */
static void swings(void **state) {
  (void)state;
  static const char *const kind[] = {"", "strain: finite\n"};
  char *folder = scratch_create(), text[2048];
  const double w = sqrt(100 / 5.);
  double u[2];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             HEAD("order: 1", "%sanalysis: {type: transient}\ntime: {end: 0.5, step: 0.005}\n") ON_SPRING
             "]\ninitial: {velocity: [1, 0, 0]}\n" X1,
             kind[k]);
    app_runs(folder, text);
    last_row(folder, 1, u);
    assert_relative(u[0], sin(0.5 * w) / w, 1e-3);
  }
  app_runs(folder, HEAD("order: 1", "analysis: {type: harmonic, frequency: [1]}\n") ON_SPRING
           ", {on: x1, traction: [8, 0, 0]}]\n" X1);
  last_row(folder, 1, u);
  assert_relative(fabs(u[0]), 8 / fabs(100 - 5 * 4 * PI * PI), 1e-4);
  scratch_remove(&folder);
}

/* ---- a rigid face with a mass ahead of it ---- */

static const double AT[3] = {3, 0.7, 0.2}, J[3][3] = {{.5, .1, -.02}, {.1, .6, .05}, {-.02, .05, .7}};
static const double K_AREA[3] = {100, 50, 70};

/* A += w W^T diag(d) W, W: displacement at x of the motions. */
static void add(double A[N][N], double x, double y, double z, const double d[3], double w) {
  const double W[3][N] = {{1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}, {0, 0, 1, y, -x, 0}};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int c = 0; c < 3; ++c) A[i][j] += w * W[c][i] * d[c] * W[c][j];
}

/* Springs on the face x = 0 of a unit cube of mass 2, and 3 with J at AT, by a rule that is exact. */
static void rigid_body(double K[N][N], double M[N][N]) {
  const double g[3] = {0.5 - sqrt(0.15), 0.5, 0.5 + sqrt(0.15)}, w[3] = {5 / 18., 8 / 18., 5 / 18.}, one[3] = {1, 1, 1};
  memset(K, 0, sizeof(double[N][N]));
  memset(M, 0, sizeof(double[N][N]));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      add(K, 0, g[i], g[j], K_AREA, w[i] * w[j]);
      for (int k = 0; k < 3; ++k) add(M, g[i], g[j], g[k], one, 2 * w[i] * w[j] * w[k]);
      M[3 + i][3 + j] += J[i][j];
    }
  add(M, AT[0], AT[1], AT[2], one, 3);
}

/* det A, and x = A^-1 b where b is given. */
static double determinant(double A[N][N], double *b) {
  double det = 1;
  for (int i = 0; i < N; ++i) {
    int p = i;
    for (int r = i; r < N; ++r)
      if (fabs(A[r][i]) > fabs(A[p][i])) p = r;
    if (p != i) det = -det;
    for (int k = 0; k < N; ++k) {
      const double t = A[i][k];
      A[i][k] = A[p][k], A[p][k] = t;
    }
    if (b) {
      const double t = b[i];
      b[i] = b[p], b[p] = t;
    }
    det *= A[i][i];
    for (int r = 0; r < N; ++r) {
      const double f = r == i ? 0 : A[r][i] / A[i][i];
      for (int k = 0; k < N; ++k) A[r][k] -= f * A[i][k];
      if (b) b[r] -= f * b[i];
    }
  }
  for (int i = 0; b && i < N; ++i) b[i] /= A[i][i];
  return det;
}

static double characteristic(double f) {
  double K[N][N], M[N][N];
  rigid_body(K, M);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) K[i][j] -= 4 * PI * PI * f * f * M[i][j];
  return determinant(K, NULL);
}

#define AHEAD                                                                                                          \
  "boundary: [{on: x0, spring: [100, 50, 70]}, {on: x1, rigid: {at: [3, 0.7, 0.2], mass: 3,\n"                         \
  "  inertia: [[0.5, 0.1, -0.02], [0.1, 0.6, 0.05], [-0.02, 0.05, 0.7]]}}]\n"

static void mass_ahead(void **state) {
  (void)state;
  char *folder = scratch_create();
  double f[N], K[N][N], M[N][N], q[N] = {0}, u[3];
  app_runs(folder, HEAD("order: 1", "analysis: {type: modal, modes: 6}\n") AHEAD);
  frequencies(folder, N, f);
  for (int k = 0; k < N; ++k) { /* each is the only root there */
    assert_true(characteristic(f[k] * (1 - 5e-4)) * characteristic(f[k] * (1 + 5e-4)) < 0);
    assert_true(k == 0 || f[k] > f[k - 1] * (1 + 1e-3));
  }
  app_runs(folder, HEAD("order: 1", "") AHEAD
           "body: [{on: body, gravity: [1, 2, 3]}]\noutput: {probes: [{name: x, at: [1, 1, 0], field: displacement-x}, "
           "{name: y, at: [1, 1, 0], field: displacement-y}, {name: z, at: [1, 1, 0], field: displacement-z}]}\n");
  last_row(folder, 3, u);
  rigid_body(K, M);
  for (int i = 0; i < N; ++i) q[i] = M[i][0] + 2 * M[i][1] + 3 * M[i][2];
  (void)determinant(K, q);
  assert_relative(u[0], q[0] - q[5] * 1, 1e-3);
  assert_relative(u[1], q[1] + q[5] * 1, 1e-3);
  assert_relative(u[2], q[2] + q[3] * 1 - q[4] * 1, 1e-3);
  scratch_remove(&folder);
}

#define SWUNG(type, yield)                                                                                             \
  "version: 1\nmesh: {grid: [4, 3, 3], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nformulation: "                \
  "mean-dilatation\nanalysis: {type: transient}\nmaterials: [{on: body, " type                                         \
  "young: 1e4, poisson: 0.3, density: 2" yield                                                                         \
  "}]\nboundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [2, 0.3, 0.8], mass: 3, inertia: [0.4, 0.5, 0.6]}},\n"      \
  "  {on: x1, traction: [10, 30, -20]}]\ntime: {end: 0.5, step: 0.01}\nsolver: {rtol: 1e-10}\noutput: {probes: "       \
  "[{name: "                                                                                                           \
  "x, at: [1, 1, 0], field: displacement-x}, {name: y, at: [1, 1, 0], field: displacement-y}, {name: z, at: [1, 1, "   \
  "0], "                                                                                                               \
  "field: displacement-z}]}\n"

/* By Newton's method, where inertia is a force of nodes and not a product with a matrix: a metal that does not yield. */
static void mass_ahead_swings(void **state) {
  (void)state;
  char *folder = scratch_create();
  double u[2][3];
  app_runs(folder, SWUNG("", ""));
  last_row(folder, 3, u[0]);
  app_runs(folder, SWUNG("type: plastic, ", ", yield: [[0, 1e9], [1, 1.1e9]]"));
  last_row(folder, 3, u[1]);
  for (int d = 0; d < 3; ++d) assert_relative(u[1][d], u[0][d], 1e-8);
  scratch_remove(&folder);
}

/* In the plane: 2 and 3 at a distance, on springs along x0. */
static void mass_ahead_flat(void **state) {
  (void)state;
  char *folder = scratch_create();
  double f[3];
  app_runs(folder, "version: 1\nmesh: {grid: [3, 3], size: [1, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
                   "analysis: {type: modal, modes: 3}\nmaterials: [{on: body, young: 1e7, poisson: 0.3, density: 2}]\n"
                   "boundary: [{on: x0, spring: [100, 50]}, {on: x1, rigid: {at: [3, 0.5], mass: 3, inertia: 0.4}}]\n");
  frequencies(folder, 3, f);
  /* About (0, 0.5): along x alone; sideways and turning with 50 and 100/12, mass 5, first moment 10, second 2 (1/3 + 1/12) + 27.4. */
  const double m = 5, s = 10, I = 2 * (1 / 3. + 1 / 12.) + 27.4, k = 50, c = 100 / 12.;
  const double a = m * I - s * s, b = k * I + c * m, root = sqrt(b * b - 4 * a * k * c);
  const double want[3] = {sqrt((b - root) / (2 * a)), sqrt(100 / 5.), sqrt((b + root) / (2 * a))};
  for (int i = 0; i < 3; ++i) assert_relative(f[i] * 2 * PI, want[i], 1e-3);
  scratch_remove(&folder);
}

/* ---- two cubes, x from 0 to 1 and from 2 to 3 ---- */

static void write_two(const char *folder) {
  char text[4096];
  int n = snprintf(text, sizeof text,
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n3 1 \"body\"\n2 2 \"left\"\n2 3 "
                   "\"right\"\n0 4 \"hook\"\n0 5 \"eye\"\n$EndPhysicalNames\n$Nodes\n16\n");
  for (int i = 0; i < 16; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d %d %d %d\n", i + 1, i % 2 + 2 * (i / 8), i / 2 % 2, i / 4 % 2);
  (void)snprintf(text + n, sizeof text - (size_t)n,
                 "$EndNodes\n$Elements\n6\n1 15 2 4 4 2\n2 15 2 5 5 9\n3 3 2 2 2 1 5 7 3\n4 3 2 3 3 10 12 16 14\n"
                 "5 5 2 1 1 1 2 4 3 5 6 8 7\n6 5 2 1 1 9 10 12 11 13 14 16 15\n$EndElements\n");
  scratch_write(folder, "two.msh", text);
}

#define TWO(more)                                                                                                      \
  "version: 1\nmesh: two.msh\nphysics: elasticity\nmodel: 3d\n" more                                                   \
  "materials: [{on: body, young: 1e7, poisson: 0.3, density: 2}]\n"                                                    \
  "boundary: [{on: left, spring: [100, 1, 1]}, {on: body, fix: {y: 0, z: 0}}"
#define FLAT                                                                                                           \
  "version: 1\nmesh: {grid: [2, 2]}\nphysics: elasticity\nmodel: plane-strain\n"                                       \
  "materials: [{on: body, young: 1, poisson: 0, density: 1}]\n"                                                        \
  "boundary: [{on: x0, fix: all}, {on: x1, rigid: {at: [1, 0], "
#define JOINED                                                                                                         \
  "springs: [{between: [hook, eye], stiffness: 30}, {at: [1, 1, 1], to: [2, 1, 1], stiffness: [12, 0, 0]},\n"          \
  "  {nodes: [4, 11], direction: [2, 0, 0], stiffness: 8}, {nodes: [16], stiffness: [7, 0, 0]}]\n"

static void between(void **state) {
  (void)state;
  char *folder = scratch_create();
  double f[2], u[2];
  const double k = 100, c = 50, g = 7, m = 2, n = 6;
  write_two(folder);
  app_runs(folder, TWO("analysis: {type: modal, modes: 2}\n") ", {on: right, mass: 4}]\n" JOINED);
  frequencies(folder, 2, f);
  const double b = (k + c) * n + (c + g) * m, d = (k + c) * (c + g) - c * c, root = sqrt(b * b - 4 * m * n * d);
  assert_relative(f[0] * 2 * PI, sqrt((b - root) / (2 * m * n)), 1e-4);
  assert_relative(f[1] * 2 * PI, sqrt((b + root) / (2 * m * n)), 1e-4);
#define ENDS                                                                                                           \
  "output: {probes: [{name: a, at: [1, 0, 0], field: displacement-x}, {name: b, at: [3, 0, 0], field: "                \
  "displacement-x}]}\n"
  static const char *const more[] = {"", "strain: finite\ntime: {end: 1, step: 0.5}\n"};
  for (int i = 0; i < 2; ++i) {
    char text[2048];
    snprintf(
        text, sizeof text, TWO("%s") ", {on: right, traction: [3, 0, 0]}]\n%s" ENDS, more[i],
        i ? "springs: [{at: [1, 1, 1], to: [2, 1, 1], stiffness: [50, 0, 0]}, {nodes: [16], stiffness: [7, 0, 0]}]\n"
          : JOINED);
    app_runs(folder, text);
    last_row(folder, 2, u);
    assert_relative(u[0], 3 * c / d, 1e-3);
    assert_relative(u[1], 3 * (k + c) / d, 1e-3);
  }
  scratch_remove(&folder);
}

/* A dashpot between the two alone, in vibrations: (k - w^2 m + i w c) a - i w c b = 0, -i w c a + (i w c - w^2 n) b = F. */
static void dashpots(void **state) {
  (void)state;
  char *folder = scratch_create();
  double u[2];
  write_two(folder);
  app_runs(
      folder,
      TWO("analysis: {type: harmonic, frequency: [0.8]}\n") ", {on: right, traction: [3, 0, 0]}]\nsprings: [{between: "
                                                            "[hook, eye], dashpot: 4, stiffness: 0}]\n" ENDS);
  last_row(folder, 2, u);
  const double w = 2 * PI * 0.8, p = 100 - w * w * 2, q = 4 * w, r = -w * w * 2;
  /* determinant (p + iq)(r + iq) + q^2 = p r + i q (p + r) */
  const double det = hypot(p * r, q * (p + r));
  assert_relative(u[0], 3 * q / det, 1e-3);
  assert_relative(u[1], 3 * hypot(p, q) / det, 1e-3);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
  write_two(folder);
  app_refuses(folder, TWO("") "]\nsprings: [{at: [1, 1, 1.2], to: [2, 1, 1], stiffness: 3}]\n", "no node lies at",
              "the nearest, 8, is 0.2 away");
  app_refuses(folder, TWO("") "]\nsprings: [{between: [left, eye], stiffness: 3}]\n", "is one node of the body",
              "'rigid' on the surface");
  app_refuses(folder, TWO("") "]\nsprings: [{nodes: [2], stiffness: 3}]\n", "along no line", "'direction'");
  app_refuses(folder, TWO("") "]\nsprings: [{nodes: [2, 9], at: [0, 0, 0], stiffness: 3}]\n", "has its ends by one of",
              "between");
  app_refuses(folder, TWO("") "]\nsprings: [{nodes: [2, 9]}]\n", "needs the key 'stiffness'", "");
  app_refuses(folder, TWO("strain: finite\ntime: {end: 1, step: 1}\n") "]\nsprings: [{nodes: [2, 9], stiffness: 3}]\n",
              "at finite strain the line turns", "a number for each component");
  app_refuses(folder, TWO("") ", {on: right, mass: -1}]\n", "the mass is -1", "must be >= 0");
  app_refuses(folder,
              TWO("strain: finite\nanalysis: {type: transient}\ntime: {end: 1, step: 1}\n") ", {on: right, rigid: {at: "
                                                                                            "[3, 0, 0], mass: 2}}]\n",
              "turns by any angle has no mass", "'mass' on the group");
  app_refuses(folder, TWO("") ", {on: right, rigid: {at: [3, 0, 0], inertia: [1, 1, 3]}}]\n", "is of no body", "");
  app_refuses(folder, TWO("") ", {on: right, rigid: {at: [3, 0, 0], inertia: [[1, 2, 0], [2, 1, 0], [0, 0, 2]]}}]\n",
              "3, 2, -1 in its main axes", "");
  app_refuses(folder, FLAT "inertia: -3}}]\n", "inertia is -3", "must be >= 0");
  app_refuses(folder, FLAT "mass: 2}}]\ntime: {end: 1, step: 1}\nbody: [{on: body, gravity: [0, x]}]\n",
              "gravity that differs from place to place", "'mass' on the group");
  app_refuses(folder, TWO("") ", {on: right, rigid: {at: [3, 0, 0], force: [2*x, 0, 0]}}]\n",
              "force is that of the whole group", "expressions in t");
  app_refuses(folder, TWO("") "]\nsprings: [{nodes: [2], stiffness: [1, 0, 0], direction: [1, 0, 0]}]\n",
              "'direction' is the line of a single number", "");
  scratch_remove(&folder);
}

/* A mass ahead of a beam: its weight in load steps is that of statics, at finite strain that of a force at its point, over t too. */
#define WEIGHS(strain, what, gravity, time)                                                                            \
  "version: 1\nmesh: {grid: [5, 3, 3], size: [4, 0.5, 0.5]}\nphysics: elasticity\nmodel: 3d\n" strain                  \
  "materials: [{on: body, young: 1e4, poisson: 0.3, density: 1e-3}]\nsolver: {rtol: 1e-10}\nboundary: [{on: x0, fix: " \
  "all}, {on: x1, rigid: {at: [4.5, 0.25, 0.25]" what "}}]\nbody: [{on: body, gravity: " gravity "}]\n" time           \
  "output: {probes: [{name: v, at: [4, 0.5, 0.5], field: displacement-y}, {name: w, at: [4, 0.5, 0.5], field: "        \
  "displacement-z}]}\n"
#define STEPS "time: {end: 1, step: 0.5}\n"
#define LARGE "strain: finite\n"
#define FALLS                                                                                                          \
  "steps: [{name: a, end: 1, step: 0.25}, {name: b, end: 2, step: 0.25, body: [{on: body, gravity: "                   \
  "[0, '-t', -1]}]}]\n"

static void weight_in_load_steps(void **state) {
  (void)state;
  static const char *const pair[][2] = {
      {WEIGHS("", ", mass: 2", "[0, 1, -3]", ""), WEIGHS("", ", mass: 2", "[0, 1, -3]", STEPS)},
      {WEIGHS(LARGE, ", force: [0, 2, -6]", "[0, 1, -3]", STEPS), WEIGHS(LARGE, ", mass: 2", "[0, 1, -3]", STEPS)},
      /* the same in two ways */
      {WEIGHS(LARGE, ", mass: 2", "[0, '-t', -2]", FALLS),
       WEIGHS(LARGE, ", mass: 2", "[0, '-t', '-2 + max(0, t - 1)']", "time: {end: 2, step: 0.25}\n")}};
  char *folder = scratch_create();
  for (size_t i = 0; i < sizeof pair / sizeof *pair; ++i) {
    double one[3], other[3];
    app_runs(folder, pair[i][0]);
    scratch_last_row(folder, 3, one);
    app_runs(folder, pair[i][1]);
    scratch_last_row(folder, 3, other);
    for (int k = 1; k < 3; ++k) assert_within(other[k], one[k], 1e-6 * fabs(one[2]));
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_mass),
                                     cmocka_unit_test(weight),
                                     cmocka_unit_test(pressed),
                                     cmocka_unit_test(swings),
                                     cmocka_unit_test(mass_ahead),
                                     cmocka_unit_test(mass_ahead_flat),
                                     cmocka_unit_test(mass_ahead_swings),
                                     cmocka_unit_test(between),
                                     cmocka_unit_test(dashpots),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(weight_in_load_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
