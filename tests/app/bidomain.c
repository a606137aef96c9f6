/* The bidomain: against a slow plain reference with drawn numbers, dense matrices and Runge-Kutta steps, with a bath and without; against
 * the monodomain where both are the same; what it refuses. */
#include "tests/app/scratch.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 6, NY = 5, N_TISSUE = 3, NODES = (NX + 1) * (NY + 1), ROOM = 1 << 14 }; /* rows of tissue from below */
static const double HX = 0.5, HY = 0.6, CHI_C = 1.4;

/* ---- the reference ---- */

typedef struct Plain {
  double angle, intra[2], extra[2], bath[2], turn, decay, a, b,
      c;                  /* V at first is a cos(b x) + c x y; the bath's fibres turn */
  int rows;               /* of elements: N_TISSUE, or with a bath NY */
  int all;                /* the mean is 0 over the bath too */
  int electrodes;         /* NONE ..., between x = 0 and the other end */
  double shock, from, to; /* uA a mm of thickness, or mV, and when */
  double blend;           /* how much of the mass is consistent */
  double cells[NODES][NODES], body[NODES][NODES], mass[NODES], whole[NODES], full[NODES][NODES];
} Plain;

enum { NONE, BALANCED, GROUNDED, HELD };

/* Of node i at time t: a current, or whether its potential is held, at *value. */
static double plain_current(const Plain *p, int i, double t) {
  const int column = i % (NX + 1), row = i / (NX + 1);
  const double on = t > p->from - 1e-9 && t < p->to - 1e-9 ? p->shock / p->rows : 0;
  const double share = row == 0 || row == p->rows ? 0.5 : 1;
  if (column == 0 && (p->electrodes == BALANCED || p->electrodes == GROUNDED)) return on * share;
  return column == NX && p->electrodes == BALANCED ? -on * share : 0;
}
static int plain_held(const Plain *p, int i, double t, double *value) {
  const int column = i % (NX + 1), left = column == 0 && p->electrodes == HELD;
  *value = left && t > p->from - 1e-9 && t < p->to - 1e-9 ? p->shock : 0;
  return left || (column == NX && (p->electrodes == GROUNDED || p->electrodes == HELD)) ||
         (i == 0 && p->electrodes <= BALANCED);
}

static int plain_nodes(const Plain *p) { return (NX + 1) * (p->rows + 1); }
static int plain_tissue(void) { return (NX + 1) * (N_TISSUE + 1); }

static void plain_tensor(double angle, const double s[2], double D[2][2]) {
  const double f[2] = {cos(angle), sin(angle)};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) D[i][j] = s[1] * (i == j) + (s[0] - s[1]) * f[i] * f[j];
}

/* K += int grad N_a . D grad N_b over a rectangle, by 2 x 2 points, which are exact. */
static void plain_element(const int node[4], double D[2][2], double K[NODES][NODES]) {
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int q = 0; q < 4; ++q) {
    double g[4][2];
    for (int a = 0; a < 4; ++a) {
      const double x = corner[q][0] / sqrt(3), y = corner[q][1] / sqrt(3);
      g[a][0] = corner[a][0] * (1 + corner[a][1] * y) / 4 * 2 / HX;
      g[a][1] = corner[a][1] * (1 + corner[a][0] * x) / 4 * 2 / HY;
    }
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) K[node[a]][node[b]] += g[a][i] * D[i][j] * g[b][j] * HX * HY / 4;
  }
}

static void plain_assemble(Plain *p) {
  double in[2][2], out[2][2], around[2][2];
  plain_tensor(p->angle, p->intra, in), plain_tensor(p->angle, p->extra, out), plain_tensor(p->turn, p->bath, around);
  for (int j = 0; j < p->rows; ++j)
    for (int i = 0; i < NX; ++i) {
      const int at = i + j * (NX + 1), node[4] = {at, at + 1, at + NX + 2, at + NX + 1};
      for (int a = 0; a < 4; ++a) {
        p->whole[node[a]] += HX * HY / 4;
        if (j < N_TISSUE) p->mass[node[a]] += HX * HY / 4;
        for (int b = 0; b < 4 && j < N_TISSUE; ++b)
          p->full[node[a]][node[b]] += HX * HY / (a == b ? 9 : (a + b) % 2 ? 18 : 36);
      }
      plain_element(node, j < N_TISSUE ? in : around, p->body);
      if (j < N_TISSUE) plain_element(node, out, p->body), plain_element(node, in, p->cells);
    }
}

/* A x = b, b becomes x. */
static void plain_solve(int n, double A[NODES][NODES], double *x) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < n; ++j) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
}

/* body phi = currents - cells V by elimination with what is held, or phi_0 = 0 and then the mean. */
static void plain_outside(const Plain *p, const double *V, double t, double *phi) {
  static double A[NODES][NODES];
  const int n = plain_nodes(p);
  const double *weight = p->all ? p->whole : p->mass;
  double mean = 0, volume = 0, value;
  memcpy(A, p->body, sizeof A);
  for (int i = 0; i < n; ++i) {
    phi[i] = plain_current(p, i, t);
    for (int j = 0; j < plain_tissue(); ++j) phi[i] -= p->cells[i][j] * V[j];
    if (!plain_held(p, i, t, &value)) continue;
    for (int j = 0; j < n; ++j) A[i][j] = i == j;
    phi[i] = value;
  }
  plain_solve(n, A, phi);
  for (int i = 0; i < n; ++i) mean += weight[i] * phi[i], volume += weight[i];
  for (int i = 0; i < n && p->electrodes <= BALANCED; ++i) phi[i] -= mean / volume;
}

static void plain_rate(const Plain *p, const double *V, double t, double *rate) {
  static double M[NODES][NODES];
  double phi[NODES];
  plain_outside(p, V, t, phi);
  memcpy(M, p->full, sizeof M);
  for (int i = 0; i < plain_tissue(); ++i) {
    rate[i] = 0;
    for (int j = 0; j < plain_tissue(); ++j) rate[i] -= p->cells[i][j] * (V[j] + phi[j]) / CHI_C;
    for (int j = 0; j < plain_tissue(); ++j) M[i][j] = p->blend * M[i][j] + (i == j ? (1 - p->blend) * p->mass[i] : 0);
  }
  plain_solve(plain_tissue(), M, rate);
  for (int i = 0; i < plain_tissue(); ++i) rate[i] -= p->decay * V[i];
}

/* V and phi at t = 1 by the classical Runge-Kutta method. */
static void plain_run(const Plain *p, double *V, double *phi) {
  enum { STEPS = 200 };
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double dt = 1.0 / STEPS;
  const int n = plain_tissue();
  for (int i = 0; i < n; ++i) {
    const double x = i % (NX + 1) * HX, y = i / (NX + 1) * HY;
    V[i] = p->a * cos(p->b * x) + p->c * x * y;
  }
  for (int s = 0; s < STEPS; ++s) {
    double rate[NODES] = {0}, at[NODES], sum[NODES];
    memcpy(sum, V, (size_t)n * sizeof *V);
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < n; ++i) at[i] = V[i] + part[k] * dt * rate[i];
      plain_rate(p, at, s * dt, rate); /* switches lie between steps */
      for (int i = 0; i < n; ++i) sum[i] += weight[k] * dt * rate[i];
    }
    memcpy(V, sum, (size_t)n * sizeof *V);
  }
  plain_outside(p, V, 1, phi);
}

/* ---- the same by the program: cells that decay, states 0 ---- */

static void write_mesh(const char *folder, int rows) {
  char *text = malloc(ROOM), *at = text, *const end = text + ROOM;
  assert_non_null(text);
  at += snprintf(at, (size_t)(end - at),
                 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n2 1 \"heart\"\n2 2 "
                 "\"blood\"\n1 3 \"left\"\n1 4 \"right\"\n$EndPhysicalNames\n$Nodes\n%d\n",
                 (NX + 1) * (rows + 1));
  for (int i = 0; i < (NX + 1) * (rows + 1); ++i)
    at += snprintf(at, (size_t)(end - at), "%d %.17g %.17g 0\n", i + 1, i % (NX + 1) * HX, i / (NX + 1) * HY);
  at += snprintf(at, (size_t)(end - at), "$EndNodes\n$Elements\n%d\n", (NX + 2) * rows);
  for (int e = 0; e < NX * rows; ++e) {
    const int part = e / NX < N_TISSUE ? 1 : 2, n = e % NX + e / NX * (NX + 1) + 1;
    at += snprintf(at, (size_t)(end - at), "%d 3 2 %d %d %d %d %d %d\n", e + 1, part, part, n, n + 1, n + NX + 2,
                   n + NX + 1);
  }
  for (int e = 0; e < 2 * rows; ++e) {
    const int n = e % rows * (NX + 1) + 1 + e / rows * NX;
    at += snprintf(at, (size_t)(end - at), "%d 1 2 %d %d %d %d\n", NX * rows + e + 1, 3 + e / rows, 3 + e / rows, n,
                   n + NX + 1);
  }
  snprintf(at, (size_t)(end - at), "$EndElements\n");
  scratch_write(folder, "m.msh", text);
  free(text);
}

/* Largest error of V and phi at three nodes, and in a bath of a lead between two places, and of one against the reference. */
static double error_of(const char *folder, const Plain *p, const char *scheme, double step) {
  static const int node[3] = {0, 2 + (NX + 1), NX + N_TISSUE * (NX + 1)};
  static const char *const given[] = {"", "current", "current", "potential"}, *const back[] = {"", "balances: a",
                                                                                               "ground: true",
                                                                                               "ground: true"};
  char text[4096], bath[256] = "", electrodes[512] = "", ecg[192];
  double V[NODES], phi[NODES], got[9], worst = 0;
  const int wet = p->rows > N_TISSUE, lead[2] = {NX + NY * (NX + 1), 2 + (NY - 1) * (NX + 1)};
  if (wet)
    snprintf(bath, sizeof bath,
             "bath: [{on: blood, conductivity: [%.17g, %.17g], fibers: {direction: [%.17g, %.17g]}}]\n%s", p->bath[0],
             p->bath[1], cos(p->turn), sin(p->turn),
             p->electrodes > BALANCED ? ""
             : p->all                 ? "reference: all\n"
                                      : "reference: tissue\n");
  if (p->electrodes)
    snprintf(electrodes, sizeof electrodes,
             "electrodes: [{name: a, on: left, %s: %.17g, start: %g, duration: %g}, {name: b, on: right, %s}]\n",
             given[p->electrodes], p->electrodes == HELD ? p->shock : 1e-3 * p->shock, p->from, p->to - p->from,
             back[p->electrodes]);
  snprintf(ecg, sizeof ecg,
           "  ecg: [{name: lead, positive: [%g, %g], negative: [%g, %g]}, {name: alone, positive: [%g, %g]}]\n",
           NX * HX, NY * HY, 2 * HX, (NY - 1) * HY, 2 * HX, (NY - 1) * HY);
  int n = snprintf(
      text, sizeof text,
      "version: 1\nmesh: {file: m.msh}\nphysics: monodomain\nmodel: bidomain\ntissue:\n- {on: heart, ionic: "
      "{model: pathmanathan-gray, beta: %.17g}, conductivity: {intra: [%.17g, %.17g], extra: [%.17g, "
      "%.17g], surface-to-volume: 140, capacitance: 0.01}, fibers: {direction: [%.17g, %.17g]}}\n"
      "%s%smass: %g\ninitial: {potential: '%.17g*cos(%.17g*x)+%.17g*x*y'}\ntime: {end: 1, step: %g, scheme: %s}\n"
      "solver: {rtol: 1e-11}\noutput:\n  every: 1\n%s  probes:\n",
      p->decay, p->intra[0], p->intra[1], p->extra[0], p->extra[1], cos(p->angle), sin(p->angle), bath, electrodes,
      p->blend, p->a, p->b, p->c, step, scheme, wet ? ecg : "");
  for (int k = 0; k < 6; ++k) {
    const int at = node[k % 3];
    n += snprintf(text + n, sizeof text - (size_t)n, "  - {name: p%d, at: [%.17g, %.17g], field: %s}\n", k,
                  at % (NX + 1) * HX, at / (NX + 1) * HY, k < 3 ? "potential" : "extracellular");
  }
  app_runs(folder, text);
  scratch_last_row(folder, 7 + 2 * wet, got);
  plain_run(p, V, phi);
  for (int k = 0; k < 6; ++k) worst = fmax(worst, fabs(got[k + 1] - (k < 3 ? V : phi)[node[k % 3]]));
  if (wet) worst = fmax(worst, fabs(got[7] - (phi[lead[0]] - phi[lead[1]])));
  if (wet) worst = fmax(worst, fabs(got[8] - phi[lead[1]]));
  return worst;
}

static void drawn(void **state) {
  (void)state;
  static const char *const scheme[] = {"crank-nicolson", "bdf2", "rush-larsen", "rush-larsen-chebyshev"};
  char *folder = scratch_create();
  uint64_t seed = 20;
  for (int k = 0; k < 12; ++k) {
    Plain *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->angle = draw_between(&seed, 0.3, 1.2), p->decay = draw_between(&seed, 0.05, 0.3);
    p->intra[0] = draw_between(&seed, 0.3, 0.6), p->intra[1] = draw_between(&seed, 0.03, 0.1);
    p->extra[0] = draw_between(&seed, 0.3, 0.6), p->extra[1] = draw_between(&seed, 0.15, 0.3);
    p->bath[0] = draw_between(&seed, 0.5, 2), p->bath[1] = draw_between(&seed, 0.1, 0.4);
    p->turn = draw_between(&seed, 0.2, 1.4);
    p->a = draw_between(&seed, 20, 40), p->b = draw_between(&seed, 1, 2), p->c = draw_between(&seed, -8, -3);
    p->rows = k % 2 ? NY : N_TISSUE, p->all = k == 3;
    p->blend = k == 0 || k == 2 || k == 3 || k >= 8 ? 0.5 : 0;
    if (k >= 4) {
      p->electrodes = k % 3 + 1, p->shock = draw_between(&seed, 10, 30) * (p->electrodes == HELD ? 1 : p->rows * 0.2);
      p->from = 0.4, p->to = k < 8 ? 0.7 : 2;
    }
    plain_assemble(p);
    write_mesh(folder, p->rows);
    const double coarse = error_of(folder, p, scheme[k % 4], 0.05), fine = error_of(folder, p, scheme[k % 4], 0.025);
    print_message("%s%s, electrodes %d, mass %g: error %.2e mV, of half the steps %.2e\n", scheme[k % 4],
                  k % 2 ? ", bath" : "", p->electrodes, p->blend, coarse, fine);
    assert_true(fine < (p->electrodes || p->blend > 0 ? 3e-2 : 1e-2)); /* of some 30 mV, and of up to 200 outside */
    /* what is consistent of the mass begins from rest, and is a step late behind a switch: of first order there */
    assert_true(coarse > (p->blend > 0 ? 1.8 : 3) * fine);
    free(p);
  }
  scratch_remove(&folder);
}

/* Steps that choose their lengths, from 0.0005 to some 0.1 ms, across switches: as exact as they are asked to be. */
static void adaptive(void **state) {
  (void)state;
  static const char *const scheme[] = {"bdf2, adaptive: {tolerance: 1e-3}", "bdf2, adaptive: {tolerance: 1e-5}"};
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    Plain *p = calloc(1, sizeof *p);
    assert_non_null(p);
    *p = (Plain){.angle = 0.7, .intra = {0.4, 0.05}, .extra = {0.5, 0.2}, .bath = {1, 0.3}, .turn = 1, .decay = 0.2};
    p->a = 30, p->b = 1.5, p->c = -5, p->rows = k ? NY : N_TISSUE;
    p->electrodes = k ? BALANCED : NONE, p->shock = 6, p->from = 0.4, p->to = 0.7;
    plain_assemble(p);
    write_mesh(folder, p->rows);
    const double coarse = error_of(folder, p, scheme[0], 0.05), fine = error_of(folder, p, scheme[1], 0.05);
    print_message("adaptive, electrodes %d: error %.2e mV, with a hundredth of the tolerance %.2e\n", p->electrodes,
                  coarse, fine);
    assert_true(fine < 1e-2 && coarse < 0.5 && coarse > 5 * fine);
    free(p);
  }
  scratch_remove(&folder);
}

/* ---- where it is the monodomain ---- */

#define STRIP(grid, model, rtol, extra)                                                                                \
  "version: 1\nmesh: {grid: " grid ", size: [10, 2.5]}\nphysics: monodomain\n" model                                   \
  "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: [0.2, 0.05], extra: " extra                        \
  ", surface-to-volume: 140}, fibers: {direction: [1, 0.5]}}]\n"                                                       \
  "stimuli: [{on: {box: {min: [0, 0], max: [2, 1]}}, duration: 2, amplitude: 50}]\n"                                   \
  "time: {end: 10, step: 0.1}\nsolver: {rtol: " rtol                                                                   \
  "}\noutput: {every: 5, fields: [potential, extracellular], probes: "                                                 \
  "["                                                                                                                  \
  "{name: a, at: [3, 1.5]}, {name: b, at: [8, 0]}, {name: c, at: [3, 1.5], field: extracellular}, {name: d, at: [8, "  \
  "0], field: extracellular}]}\n"

static void equal_anisotropy(void **state) {
  (void)state;
  char *folder = scratch_create();
  double mono[5], both[5], other[5];
  app_runs(folder, STRIP("[21, 6]", "", "1e-10", "[0.6, 0.15]"));
  scratch_last_row(folder, 5, mono);
  app_runs(folder, STRIP("[21, 6]", "model: bidomain\n", "1e-10", "[0.6, 0.15]"));
  scratch_last_row(folder, 5, both);
  assert_true(fabs(mono[1] - mono[2]) > 10);
  for (int k = 1; k < 3; ++k) assert_true(fabs(both[k] - mono[k]) < 1e-5);
  assert_relative(both[3] - both[4], -0.25 * (both[1] - both[2]), 1e-6); /* intra over both */
  const double solves = scratch_reported(folder, "extracellular_solves");
  assert_true(fabs(solves - 101) < 0.5);
  app_runs(folder, STRIP("[101, 26]", "model: bidomain\n", "1e-6", "[0.6, 0.6]"));
  print_message("%g iterations in %g solves\n", scratch_reported(folder, "extracellular_iterations"), solves);
  assert_true(scratch_reported(folder, "extracellular_iterations") <= 8 * solves);
  app_runs(folder, STRIP("[21, 6]", "model: bidomain\n", "1e-10", "[0.6, 0.6]"));
  scratch_last_row(folder, 5, other);
  assert_true(fabs(other[1] - mono[1]) + fabs(other[2] - mono[2]) > 1e-2);
  scratch_remove(&folder);
}

/* Elements too short for the steps: those are stable all the same, said, and right; where one ratio makes the monodomain exact there is
 * nothing to be stable against. */
static void short_elements(void **state) {
  (void)state;
  static const char *const step[] = {"0.02", "0.25"};
  static const char *const extra[] = {"[0.6, 0.6]", "[0.6, 0.15]"};
  char *folder = scratch_create(), text[2048];
  for (int ratio = 0; ratio < 2; ++ratio) {
    double value[2][5];
    for (int k = 0; k < 2; ++k) {
      snprintf(text, sizeof text,
               "version: 1\nmesh: {grid: [21, 6], size: [1, 0.25]}\nphysics: monodomain\nmodel: bidomain\n"
               "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: [0.2, 0.05], extra: %s, "
               "surface-to-volume: 140}, fibers: {direction: [1, 0.5]}}]\n"
               "initial: '-80 + 40*cos(2*x)*cos(4*y)'\ntime: {end: 5, step: %s, scheme: crank-nicolson}\n"
               "solver: {rtol: 1e-9}\noutput: {every: 5, probes: [{name: a, at: [0.3, 0.15]}, {name: b, at: [0.9, "
               "0]}, {name: c, at: [0.3, 0.15], field: extracellular}, {name: d, at: [0.9, 0], field: "
               "extracellular}]}\n",
               extra[ratio], step[k]);
      Said said = app_run_says(folder, text);
      assert_int_equal(said.code, 0);
      assert_true((strstr(said.out, "elements are short for steps of 0.25 ms") != NULL) == (k == 1 && ratio == 0));
      said_release(&said);
      scratch_last_row(folder, 5, value[k]);
    }
    print_message("steps of 0.25 ms for 0.02: %g and %g mV\n", value[1][1] - value[0][1], value[1][2] - value[0][2]);
    for (int p = 1; p < 5; ++p) assert_true(fabs(value[1][p] - value[0][p]) < 0.1);
  }
  scratch_remove(&folder);
}

/* Only the constant is another one. */
static void reference_at_a_node(void **state) {
  (void)state;
  char *folder = scratch_create();
  double mean[5], node[5];
  app_runs(folder, STRIP("[21, 6]", "model: bidomain\n", "1e-10", "[0.6, 0.6]"));
  scratch_last_row(folder, 5, mean);
  app_runs(folder, STRIP("[21, 6]", "model: bidomain\nreference: 17\n", "1e-10", "[0.6, 0.6]")); /* at (8, 0) */
  scratch_last_row(folder, 5, node);
  for (int k = 1; k < 3; ++k) assert_relative(node[k], mean[k], 1e-7);
  assert_true(fabs(mean[4]) > 0.1 && fabs(node[4]) < 1e-9);
  assert_relative(node[3], mean[3] - mean[4], 1e-6);
  scratch_remove(&folder);
}

/* A square of 1 mm between electrodes: a density of J uA/mm2 makes half of J / (0.2 + 0.6) mV at either side at once. */
#define SHOCK(uA)                                                                                                      \
  "version: 1\nmesh: {grid: [5, 5], size: [1, 1]}\nphysics: monodomain\nmodel: bidomain\ntissue: [{on: body, ionic: "  \
  "aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\nelectrodes: [{name: a, on: x0, "  \
  "density: " uA ", start: 0.5}, {name: b, on: x1, balances: a}]\ntime: {end: 0.6, step: 0.1}\n"

/* As a strand is thin: a diagonal takes as many iterations as it is long, some 200. */
static void thin_strand(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, "version: 1\nmesh: {grid: [401, 2], size: [10, 0.1]}\nphysics: monodomain\nmodel: bidomain\n"
                   "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: 0.17, extra: 0.62, "
                   "surface-to-volume: 140}}]\nelectrodes: [{name: a, on: x1, density: 12.4, start: 1, duration: 2}, "
                   "{name: b, on: x0, balances: a}]\ntime: {end: 4, step: 0.05}\nsolver: {rtol: 1e-6}\n");
  const double solves = scratch_reported(folder, "extracellular_solves");
  print_message("%g iterations in %g solves\n", scratch_reported(folder, "extracellular_iterations"), solves);
  assert_true(scratch_reported(folder, "extracellular_iterations") <= 8 * solves);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(
      folder, "apart.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"heart\"\n2 2 \"blood\"\n$EndPhysicalNames\n"
      "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 3 0 0\n7 3 1 0\n8 2 1 0\n$EndNodes\n"
      "$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 2 1 5 6 7 8\n$EndElements\n");
  scratch_write(
      folder, "case.yaml",
      "version: 1\nmesh: {file: apart.msh}\nphysics: monodomain\nmodel: bidomain\ntissue: [{on: heart, ionic: "
      "aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\nbath: [{on: blood, "
      "conductivity: 1}]\ntime: {end: 1, step: 0.1}\n");
  Said apart = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(apart.code, 4);
  assert_non_null(strstr(apart.err, "tissue and bath are one conductor"));
  said_release(&apart);
  for (int k = 0; k < 2; ++k) {
    Said said = app_run_says(folder, k ? SHOCK("2000") : SHOCK("2"));
    assert_int_equal(said.code, 0);
    assert_true((strstr(said.err, "to 1.25e+03 mV at 0.5 ms, beyond 1000") != NULL) == (k == 1));
    said_release(&said);
  }
#define BLOCK(model, tissue, more)                                                                                     \
  "version: 1\nmesh: {grid: [5, 5], size: [1, 1]}\nphysics: monodomain\n" model                                        \
  "tissue: [{on: body, ionic: aliev-panfilov, " tissue "}]\n" more
#define OUTSIDE "conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}"
#define TIME "time: {end: 1, step: 0.1}\n"
  app_refuses(folder, BLOCK("model: bidomain\n", "diffusivity: 0.1", TIME), "model: bidomain needs the conductivity",
              "remedy: 'conductivity:");
  app_refuses(folder, BLOCK("model: bidomain\n", OUTSIDE, TIME "reaction: gauss\n"), "needs 'reaction: nodal'",
              "remedy");
  app_refuses(folder, BLOCK("", OUTSIDE, TIME "bath: [{on: body, conductivity: 1}]\n"), "bath is of the bidomain",
              "remedy: 'model: bidomain'");
  app_refuses(folder, BLOCK("", OUTSIDE, TIME "reference: all\n"), "reference is of the extracellular potential",
              "remedy: 'model: bidomain'");
  app_refuses(folder, BLOCK("model: bidomain\n", OUTSIDE, TIME "reference: both\n"), "reference is 'both'",
              "allowed: tissue, all, or the number of a node");
  app_refuses(folder, BLOCK("model: bidomain\n", OUTSIDE, TIME "reference: 99\n"), "there is no node 99", "reference");
#define SHOCKED(list) BLOCK("model: bidomain\n", OUTSIDE, TIME "electrodes: [" list "]\n")
  app_refuses(folder, SHOCKED("{name: a, on: x0, current: 2}"), "currents of electrodes do not add up to 0 at 0 ms",
              "2 mA in, 0 out");
  app_refuses(folder,
              SHOCKED("{name: a, on: x0, current: 2, duration: 0.5}, {name: b, on: x1, current: -2, duration: 0.6}"),
              "do not add up to 0 at 0.5 ms", "0 mA in, 2 out");
  app_refuses(folder, SHOCKED("{name: a, on: x0, current: 2, ground: true}"), "this one does more", "allowed: one of");
  app_refuses(folder, SHOCKED("{name: a, on: x0}"), "this one does nothing", "allowed: one of");
  app_refuses(folder, SHOCKED("{name: a, on: x0, current: 2}, {name: b, on: x1, balances: c}"),
              "there is no other electrode 'c'", "balance");
  app_refuses(folder, SHOCKED("{name: a, on: x0, ground: true, start: 1}"), "a ground is there at all times", "remedy");
  app_refuses(folder, SHOCKED("{name: a, on: x0, ground: true}") "reference: all\n", "which is its reference",
              "leave 'reference' out");
  app_refuses(folder, SHOCKED("{name: a, on: x0, ground: true}, {name: a, on: x1, ground: true}"),
              "there are two electrodes 'a'", "7:");
  app_refuses(folder, SHOCKED("{name: a, on: x0, ground: true}, {name: b, on: y0, potential: 3}"),
              "electrodes 'a' and 'b' both hold the potential of node 1", "groups that share no node");
  app_refuses(folder, SHOCKED("{name: a, on: x0, current: 2}, {name: b, on: x0, balances: a}"),
              "electrodes 'a' and 'b' are at the same nodes", "remedy: another group");
  app_refuses(folder, SHOCKED("{name: a, on: x7, ground: true}"), "x7", "x0");
  app_refuses(folder, SHOCKED(""), "electrodes is empty", "or leave it out");
  app_refuses(
      folder,
      "version: 1\nmesh: {grid: [3, 3], regions: [{name: blood, share: 'step(x - 0.5)'}]}\nphysics: monodomain\n"
      "model: bidomain\ntissue: [{on: blood, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.3, "
      "surface-to-volume: 140}}]\ntime: {end: 1, step: 0.1}\n",
      "elements have no tissue", "under 'tissue:' or 'bath:'");
  app_refuses(folder, BLOCK("", OUTSIDE, TIME "electrodes: [{name: a, on: x0, ground: true}]\n"),
              "electrodes act on the extracellular potential", "remedy: 'model: bidomain'");
#define BATH(text) BLOCK("model: bidomain\n", OUTSIDE, TIME "bath: [{on: body, " text "}]\n")
  app_refuses(folder, BATH("conductivity: [1, 2]"), "conductivity across the fibres needs 'fibers:'", "7:");
  app_refuses(folder, BATH("conductivity: [1, 2, 3], fibers: {direction: [1, 0]}"), "needs 'sheets:'", "7:");
  app_refuses(folder, BATH("conductivity: 1, fibers: {direction: [1, 0]}"), "fibers have no effect on one conductivity",
              "remedy");
  app_refuses(folder, BATH("conductivity: [1, 2], fibers: {direction: [1, 0]}, sheets: {direction: [0, 1]}"),
              "sheets have no effect", "remedy");
  app_refuses(folder, BATH("conductivity: [1, -2], fibers: {direction: [1, 0]}"), "conductivity is -2", "> 0");
  app_refuses(
      folder,
      SHOCKED("{name: a, on: x0, ground: true}") "output: {ecg: [{name: I, positive: [3, 3], negative: [-3, 3]}]}\n",
      "leads in a medium without end", "remedy: the body around as 'bath:'");
  app_refuses(folder, BLOCK("model: bidomian\n", OUTSIDE, TIME), "bidomian", "bidomain");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drawn),
                                     cmocka_unit_test(adaptive),
                                     cmocka_unit_test(equal_anisotropy),
                                     cmocka_unit_test(short_elements),
                                     cmocka_unit_test(reference_at_a_node),
                                     cmocka_unit_test(thin_strand),

                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
