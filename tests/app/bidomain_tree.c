/* What starts a bidomain from elsewhere: fronts of given velocities, and trees. A tree in the bidomain: it feels the potential of the tissue at its place, and tissue and tree are joined by their ends. Against the
 * classical Runge-Kutta method in one dimension where the potential is known: with one ratio of conductivities and no bath it is
 * -r V but for a constant. */
#include "tests/app/scratch.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A strip of 10 mm, a node each 0.25 mm, and a tree along the middle of it from 1.1 to 7.1 mm, one each 0.3 mm. */
enum { STRIP = 41, TREE = 21, ALL = STRIP + TREE, ROOM = 8192 };
static const double H = 0.25, WIDTH = 0.2, S = 0.3, FROM = 1.1, RATIO = 0.25, INTRA = 0.2; /* r, S/m */
static const double CHI_C = 1.4;

typedef struct Cables {
  double decay, a, b, radius, diffusivity, resistance, reach;
} Cables;

static double outside(const double *V, double x) { /* less its constant */
  const int i = (int)(x / H);
  const double s = x / H - i;
  return -RATIO * ((1 - s) * V[i] + s * V[i + 1]);
}

static void rate_of(const Cables *c, const double *V, double *rate) {
  const double area = acos(-1) * c->radius * c->radius, D = INTRA * (1 - RATIO) / CHI_C, end = FROM + (TREE - 1) * S;
  const double *tree = V + STRIP;
  double mass[ALL], in[ALL] = {0}, all = 0;
  for (int i = 0; i < ALL; ++i)
    mass[i] = (i < STRIP ? WIDTH * H : area * S) * (i == 0 || i == STRIP - 1 || i == STRIP || i == ALL - 1 ? 0.5 : 1);
  for (int i = 0; i + 1 < STRIP; ++i) {
    const double flow = D * WIDTH / H * (V[i] - V[i + 1]);
    in[i] -= flow, in[i + 1] += flow;
  }
  for (int i = 0; i + 1 < TREE; ++i) {
    const double x = FROM + i * S;
    const double flow =
        c->diffusivity * area / S * (tree[i] + outside(V, x) - tree[i + 1] - outside(V, i + 2 < TREE ? x + S : end));
    in[STRIP + i] -= flow, in[STRIP + i + 1] += flow;
  }
  for (int i = 0; i < STRIP; ++i) all += fabs(i * H - end) <= c->reach ? mass[i] : 0;
  for (int i = 0; i < STRIP; ++i) {
    if (fabs(i * H - end) > c->reach) continue;
    const double g = mass[i] / all / (c->resistance * CHI_C);
    const double flow = g * (tree[TREE - 1] + outside(V, end) - V[i] + RATIO * V[i]);
    in[ALL - 1] -= flow, in[i] += flow;
  }
  for (int i = 0; i < ALL; ++i) rate[i] = in[i] / mass[i] - c->decay * V[i];
}

static void run_plain(const Cables *c, double *V) {
  enum { STEPS = 1000 };
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double dt = 2.0 / STEPS;
  for (int i = 0; i < ALL; ++i) V[i] = c->a * cos(c->b * (i < STRIP ? i * H : FROM + (i - STRIP) * S));
  for (int s = 0; s < STEPS; ++s) {
    double rate[ALL] = {0}, at[ALL], sum[ALL];
    memcpy(sum, V, sizeof sum);
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < ALL; ++i) at[i] = V[i] + part[k] * dt * rate[i];
      rate_of(c, at, rate);
      for (int i = 0; i < ALL; ++i) sum[i] += weight[k] * dt * rate[i];
    }
    memcpy(V, sum, sizeof sum);
  }
}

static void write_tree(const char *folder) {
  char text[ROOM];
  int n = snprintf(text, ROOM, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", TREE);
  for (int i = 0; i < TREE; ++i)
    n += snprintf(text + n, (size_t)(ROOM - n), "%d %.17g %.17g 0\n", i + 1, FROM + i * S, WIDTH / 2);
  n += snprintf(text + n, (size_t)(ROOM - n), "$EndNodes\n$Elements\n%d\n", TREE - 1);
  for (int i = 1; i < TREE; ++i) n += snprintf(text + n, (size_t)(ROOM - n), "%d 1 2 1 1 %d %d\n", i, i, i + 1);
  snprintf(text + n, (size_t)(ROOM - n), "$EndElements\n");
  scratch_write(folder, "tree.msh", text);
}

static double error_of(const char *folder, const Cables *c, double step, const double *V) {
  enum { PROBES = 9 };
  static const int node[PROBES] = {4, 20, 28, 29, 40, STRIP, STRIP + 7, STRIP + 13, ALL - 1};
  char text[ROOM];
  double got[PROBES + 1], worst = 0;
  int n =
      snprintf(text, ROOM,
               "version: 1\nmesh: {grid: [41, 2], size: [10, %g]}\nphysics: monodomain\nmodel: bidomain\ntissue: [{on: "
               "body, ionic: {model: pathmanathan-gray, beta: %.17g}, conductivity: {intra: %g, extra: %.17g, "
               "surface-to-volume: 140}}]\npurkinje: [{name: tree, file: tree.msh, ionic: {model: pathmanathan-gray, "
               "beta: %.17g}, diffusivity: %.17g, radius: %.17g, junction: {resistance: %.17g, radius: %g}}]\n"
               "initial: {potential: '%.17g*cos(%.17g*x)'}\ntime: {end: 2, step: %g, scheme: crank-nicolson}\n"
               "solver: {rtol: 1e-11}\noutput:\n  every: 2\n  probes:\n",
               WIDTH, c->decay, INTRA, INTRA / RATIO - INTRA, c->decay, c->diffusivity, c->radius, c->resistance,
               c->reach, c->a, c->b, step);
  for (int k = 0; k < PROBES; ++k)
    n += snprintf(text + n, (size_t)(ROOM - n), "  - {name: p%d, %sat: [%.17g, %g]}\n", k,
                  node[k] < STRIP ? "" : "on: tree, ", node[k] < STRIP ? node[k] * H : FROM + (node[k] - STRIP) * S,
                  node[k] < STRIP ? 0 : WIDTH / 2);
  app_runs(folder, text);
  scratch_last_row(folder, PROBES + 1, got);
  for (int k = 0; k < PROBES; ++k) worst = fmax(worst, fabs(got[k + 1] - V[node[k]]));
  return worst;
}

static void drawn(void **state) {
  (void)state;
  char *folder = scratch_create();
  uint64_t seed = 7;
  write_tree(folder);
  for (int k = 0; k < 4; ++k) {
    double V[ALL];
    const Cables c = {draw_between(&seed, 0.05, 0.3),
                      draw_between(&seed, 20, 40),
                      draw_between(&seed, 0.5, 1.2),
                      draw_between(&seed, 0.1, 0.2),
                      draw_between(&seed, 0.5, 2),
                      draw_between(&seed, 2, 8),
                      0.5};
    run_plain(&c, V);
    const double coarse = error_of(folder, &c, 0.1, V), fine = error_of(folder, &c, 0.05, V);
    print_message("error %.2e mV, of half the steps %.2e\n", coarse, fine);
    assert_true(fine < 1e-2); /* of some 30 mV */
    assert_true(coarse > 3 * fine);
  }
  scratch_remove(&folder);
}

/* Cells that a front of given velocity starts, in one ratio of conductivities: those of the monodomain. */
static void fronts(void **state) {
  (void)state;
  static const char *const model[] = {"", "model: bidomain\n"};
  char *folder = scratch_create(), text[2048];
  double got[2][4];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [41, 9], size: [10, 2]}\nphysics: monodomain\n%stissue: [{on: body, ionic: "
             "aliev-panfilov, velocity: 0.6, conductivity: {intra: [0.2, 0.05], extra: [0.6, 0.15], surface-to-volume: "
             "140}, fibers: {direction: [1, 0.5]}}]\neikonal: {}\nstimuli: [{on: {box: {min: [0, 0], max: [0.5, 1]}}, "
             "duration: 2, amplitude: 50}]\ntime: {end: 16, step: 0.1}\nsolver: {rtol: 1e-10}\noutput: {every: 16, "
             "probes: [{name: a, at: [8, 1]}, {name: b, at: [4, 2]}, {name: c, at: [8, 1], field: activation}]}\n",
             model[k]);
    app_runs(folder, text);
    scratch_last_row(folder, 4, got[k]);
  }
  assert_true(got[0][3] > 5 && fabs(got[0][1] - got[0][2]) > 1);
  for (int p = 1; p < 4; ++p) assert_true(fabs(got[1][p] - got[0][p]) < 1e-5);
  scratch_remove(&folder);
}

/* Trees have no space outside of their cells: a current there went nowhere, and a potential was that of nothing. */
static void refused_on_trees(void **state) {
  (void)state;
#define WITH_TREE(more)                                                                                                \
  "version: 1\nmesh: {grid: [11, 6], size: [10, 5]}\nphysics: monodomain\nmodel: bidomain\ntissue: [{on: body, "       \
  "ionic: "                                                                                                            \
  "aliev-panfilov, conductivity: {intra: 0.3, extra: 0.6, surface-to-volume: 30}}]\npurkinje: [{name: his, file: "     \
  "tree.msh, ionic: aliev-panfilov, diffusivity: 1, radius: 0.5, junction: {resistance: 1, radius: 1.5}}]\ntime: "     \
  "{end: "                                                                                                             \
  "1, step: 0.1}\nstimuli: [{on: his-root, duration: 2, amplitude: 50}]\n" more
  char *folder = scratch_create();
  scratch_write(
      folder, "tree.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 1 1 0\n2 3.1 1.3 0\n$EndNodes\n$Elements\n1\n1 1 2 1 "
      "1 1 2\n$EndElements\n");
  static const char *const on[] = {"his-root, current: 0.01", "his, potential: 5", "his-ends, ground: true"};
  for (int k = 0; k < 3; ++k) {
    char text[1024];
    snprintf(text, sizeof text, WITH_TREE("electrodes: [{name: a, on: %s}, {name: b, on: x1, ground: true}]\n"), on[k]);
    app_refuses(folder, text, "is of no tissue and no bath", "trees have no space outside of their cells");
  }
  app_refuses(folder, WITH_TREE("reference: 67\n"), "reference: there is no node 67 of tissue or bath", "");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drawn), cmocka_unit_test(fronts),
                                     cmocka_unit_test(refused_on_trees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
