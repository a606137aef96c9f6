/* Two surfaces that are coupled: against a plain integration of two strands with drawn numbers, on meshes that match and that do not;
 * the limits of no coupling and of a strong one; what is refused. */
#include "tests/app/scratch.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 13, ROOM = 1 << 15 }; /* nodes of the reference along a strand */
static const double LENGTH = 6, APART = 0.8;

/* A strip of n quadrilaterals or 2 n triangles per layer: endo at z = 0, epi at z = APART. */
static void write_strips(const char *folder, int n_endo, int n_epi, bool triangles) {
  static char text[ROOM];
  const int n[2] = {n_endo, n_epi}, per = triangles ? 2 : 1;
  int at = snprintf(text, sizeof text,
                    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"endo\"\n2 2 \"epi\"\n"
                    "$EndPhysicalNames\n$Nodes\n%d\n",
                    2 * (n_endo + n_epi + 2));
  for (int s = 0, id = 0; s < 2; ++s)
    for (int k = 0; k < 2 * (n[s] + 1); ++k)
      at += snprintf(text + at, sizeof text - (size_t)at, "%d %.17g %d %.17g\n", ++id, k / 2 * LENGTH / n[s], k % 2,
                     s * APART);
  at += snprintf(text + at, sizeof text - (size_t)at, "$EndNodes\n$Elements\n%d\n", per * (n_endo + n_epi));
  for (int s = 0, id = 0; s < 2; ++s)
    for (int k = 0; k < n[s]; ++k) {
      const int a = 2 * k + 1 + 2 * s * (n_endo + 1);
      if (triangles)
        at += snprintf(text + at, sizeof text - (size_t)at, "%d 2 2 %d 1 %d %d %d\n%d 2 2 %d 1 %d %d %d\n", id + 1,
                       s + 1, a, a + 2, a + 3, id + 2, s + 1, a, a + 3, a + 1),
            id += 2;
      else
        at += snprintf(text + at, sizeof text - (size_t)at, "%d 3 2 %d 1 %d %d %d %d\n", ++id, s + 1, a, a + 2, a + 3,
                       a + 1);
    }
  snprintf(text + at, sizeof text - (size_t)at, "$EndElements\n");
  scratch_write(folder, "m.msh", text);
}

/* ---- the reference: two strands, lumped, Runge-Kutta of order 4 ---- */
typedef struct Strands {
  double D[2], thickness[2], g, a, b, c; /* V at first is a cos(b x) + c in endo, a cos(b x) - c in epi */
} Strands;

static void slope_of(const Strands *p, double V[2][N], double rate[2][N]) {
  const double h = LENGTH / (N - 1);
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < N; ++i) {
      const double left = i ? V[s][i - 1] : V[s][1], right = i < N - 1 ? V[s][i + 1] : V[s][N - 2];
      rate[s][i] = p->D[s] * (left - 2 * V[s][i] + right) / (h * h) - V[s][i] / 10 +
                   p->g / p->thickness[s] * (V[1 - s][i] - V[s][i]);
    }
}

static void strands_run(const Strands *p, double end, double V[2][N]) {
  enum { STEPS = 2000 };
  double k[4][2][N], at[2][N];
  for (int i = 0; i < N; ++i)
    for (int s = 0; s < 2; ++s) V[s][i] = p->a * cos(p->b * i * LENGTH / (N - 1)) + (s ? -p->c : p->c);
  for (int n = 0; n < STEPS; ++n) {
    for (int r = 0; r < 4; ++r) {
      const double part = r == 0 ? 0 : r == 3 ? 1 : 0.5;
      for (int i = 0; i < N; ++i)
        for (int s = 0; s < 2; ++s) at[s][i] = V[s][i] + (r ? part * end / STEPS * k[r - 1][s][i] : 0);
      slope_of(p, at, k[r]);
    }
    for (int i = 0; i < N; ++i)
      for (int s = 0; s < 2; ++s)
        V[s][i] += end / STEPS / 6 * (k[0][s][i] + 2 * k[1][s][i] + 2 * k[2][s][i] + k[3][s][i]);
  }
}

#define TISSUE(name, ionic, D, thickness)                                                                              \
  "- {on: " name ", ionic: " ionic ", diffusivity: " D ", thickness: " thickness "}\n"

static double error_of(const char *folder, const Strands *p, int order, double step, const char *scheme) {
  char text[4096];
  double got[5], V[2][N], worst = 0;
  snprintf(
      text, sizeof text,
      "version: 1\nmesh: {file: m.msh, order: %d}\nphysics: monodomain\ntissue:\n" TISSUE(
          "endo", "{model: pathmanathan-gray, beta: 0.1}", "%.17g", "%.17g")
          TISSUE(
              "epi", "{model: pathmanathan-gray, beta: 0.1}", "%.17g",
              "%.17g") "layers: [{from: endo, to: epi, conductance: %.17g}]\n"
                       "initial: '%.17g*cos(%.17g*x) + %.17g*(1 - 2*z/%.17g)'\ntime: {end: 2, step: %g, scheme: %s}\n"
                       "solver: {rtol: 1e-11}\noutput: {every: 2, probes: [{name: a, at: [0, 0, 0]}, {name: b, at: [3, "
                       "1, 0]}, "
                       "{name: c, at: [0, 1, 0.8]}, {name: d, at: [3, 0, 0.8]}]}\n",
      order, p->D[0], p->thickness[0], p->D[1], p->thickness[1], p->g, p->a, p->b, p->c, APART, step, scheme);
  app_runs(folder, text);
  scratch_last_row(folder, 5, got);
  strands_run(p, 2, V);
  for (int k = 0; k < 4; ++k) worst = fmax(worst, fabs(got[k + 1] - V[k / 2][k % 2 ? (N - 1) / 2 : 0]));
  return worst;
}

/* ---- the same as bidomains, coupled inside and outside ---- */
typedef struct Both {
  double in[2], out[2], thickness[2], g, o, a, b, c; /* mm2/ms, mm, mm/ms; V as above */
} Both;

static double second(const double *u, int i) {
  const double h = LENGTH / (N - 1), left = i ? u[i - 1] : u[1], right = i < N - 1 ? u[i + 1] : u[N - 2];
  return (left - 2 * u[i] + right) / (h * h);
}

/* phi[0][0] = 0, by elimination. */
static void both_outside(const Both *p, double V[2][N], double phi[2][N]) {
  enum { ALL = 2 * N };
  double A[ALL][ALL] = {{0}}, unit[2][N];
  for (int k = 0; k < ALL; ++k) {
    memset(unit, 0, sizeof unit);
    unit[k / N][k % N] = 1;
    for (int s = 0; s < 2; ++s)
      for (int i = 0; i < N; ++i)
        A[s * N + i][k] = p->thickness[s] * (p->in[s] + p->out[s]) * second(unit[s], i) +
                          (p->g + p->o) * (unit[1 - s][i] - unit[s][i]);
  }
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < N; ++i)
      phi[s][i] = -p->thickness[s] * p->in[s] * second(V[s], i) - p->g * (V[1 - s][i] - V[s][i]);
  for (int k = 0; k < ALL; ++k) A[0][k] = k == 0;
  double *x = phi[0];
  x[0] = 0;
  for (int k = 0; k < ALL; ++k)
    for (int i = k + 1; i < ALL; ++i) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < ALL; ++j) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  for (int k = ALL - 1; k >= 0; --k) {
    for (int j = k + 1; j < ALL; ++j) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
}

static void both_run(const Both *p, double end, double V[2][N], double phi[2][N]) {
  enum { STEPS = 1000 };
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6., 1 / 3., 1 / 3., 1 / 6.};
  const double dt = end / STEPS;
  for (int i = 0; i < N; ++i)
    for (int s = 0; s < 2; ++s) V[s][i] = p->a * cos(p->b * i * LENGTH / (N - 1)) + (s ? -p->c : p->c);
  for (int n = 0; n < STEPS; ++n) {
    double rate[2][N] = {{0}}, at[2][N], sum[2][N];
    memcpy(sum, V, sizeof sum);
    for (int r = 0; r < 4; ++r) {
      for (int k = 0; k < 2 * N; ++k) at[k / N][k % N] = V[k / N][k % N] + part[r] * dt * rate[k / N][k % N];
      both_outside(p, at, phi);
      for (int k = 0; k < 2 * N; ++k) {
        const int s = k / N, i = k % N;
        rate[s][i] = p->in[s] * (second(at[s], i) + second(phi[s], i)) - at[s][i] / 10 +
                     p->g / p->thickness[s] * (at[1 - s][i] + phi[1 - s][i] - at[s][i] - phi[s][i]);
        sum[s][i] += weight[r] * dt * rate[s][i];
      }
    }
    memcpy(V, sum, sizeof sum);
  }
  both_outside(p, V, phi);
}

static double error_of_both(const char *folder, const Both *p, double step) {
  char text[4096];
  double got[7], V[2][N], phi[2][N], worst = 0;
  int n =
      snprintf(text, sizeof text, "version: 1\nmesh: {file: m.msh}\nphysics: monodomain\nmodel: bidomain\ntissue:\n");
  for (int s = 0; s < 2; ++s)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "- {on: %s, ionic: {model: pathmanathan-gray, beta: 0.1}, conductivity: {intra: %.17g, extra: %.17g, "
                  "surface-to-volume: 140}, thickness: %.17g}\n",
                  s ? "epi" : "endo", 1.4 * p->in[s], 1.4 * p->out[s], p->thickness[s]);
  snprintf(text + n, sizeof text - (size_t)n,
           "layers: [{from: endo, to: epi, conductance: %.17g, outside: %.17g}]\n"
           "initial: '%.17g*cos(%.17g*x) + %.17g*(1 - 2*z/%.17g)'\ntime: {end: 2, step: %g, scheme: crank-nicolson}\n"
           "solver: {rtol: 1e-11}\noutput: {every: 2, probes: [{name: a, at: [0, 0, 0]}, {name: b, at: [3, 1, 0]}, "
           "{name: c, at: [0, 1, 0.8]}, {name: d, at: [3, 0, 0.8]}, {name: e, at: [0, 0, 0], field: extracellular}, "
           "{name: f, at: [3, 0, 0.8], field: extracellular}]}\n",
           p->g, p->o, p->a, p->b, p->c, APART, step);
  app_runs(folder, text);
  scratch_last_row(folder, 7, got);
  both_run(p, 2, V, phi);
  for (int k = 0; k < 4; ++k) worst = fmax(worst, fabs(got[k + 1] - V[k / 2][k % 2 ? (N - 1) / 2 : 0]));
  return fmax(worst, fabs(got[6] - got[5] - phi[1][(N - 1) / 2] + phi[0][0]));
}

static void drawn_both(void **state) {
  (void)state;
  char *folder = scratch_create();
  uint64_t seed = 41;
  write_strips(folder, N - 1, N - 1, false);
  for (int k = 0; k < 3; ++k) {
    Both p = {.a = draw_between(&seed, 5, 10), .b = 3.14159265358979 / LENGTH, .c = draw_between(&seed, 10, 20)};
    for (int s = 0; s < 2; ++s) {
      p.in[s] = draw_between(&seed, 0.1, 0.3), p.out[s] = draw_between(&seed, 0.2, 0.6);
      p.thickness[s] = draw_between(&seed, 0.3, 1.5);
    }
    p.g = draw_between(&seed, 0.05, 0.3), p.o = draw_between(&seed, 0.1, 0.6);
    const double coarse = error_of_both(folder, &p, 0.1), fine = error_of_both(folder, &p, 0.05);
    print_message("bidomains: error %.2e mV, of half the steps %.2e\n", coarse, fine);
    assert_true(fine < 2e-2 && coarse > 3 * fine); /* of some 20 mV */
  }
  scratch_remove(&folder);
}

static Strands draw_strands(uint64_t *seed) {
  Strands p = {.a = draw_between(seed, 5, 10), .b = 3.14159265358979 / LENGTH, .c = draw_between(seed, 10, 20)};
  for (int s = 0; s < 2; ++s) p.D[s] = draw_between(seed, 0.1, 0.4), p.thickness[s] = draw_between(seed, 0.3, 1.5);
  p.g = draw_between(seed, 0.05, 0.3);
  return p;
}

static void drawn(void **state) {
  (void)state;
  static const char *const scheme[] = {"crank-nicolson", "bdf2", "rush-larsen-chebyshev"};
  char *folder = scratch_create();
  uint64_t seed = 37;
  for (int k = 0; k < 6; ++k) {
    const Strands p = draw_strands(&seed);
    write_strips(folder, N - 1, N - 1, k % 2);
    const double coarse = error_of(folder, &p, 1, 0.1, scheme[k / 2]),
                 fine = error_of(folder, &p, 1, 0.05, scheme[k / 2]);
    print_message("%s, %s: error %.2e mV, of half the steps %.2e\n", scheme[k / 2], k % 2 ? "triangles" : "quads",
                  coarse, fine);
    /* of some 20 mV; triangles give the nodes of one end different areas, which a strand has not */
    assert_true(fine < (k % 2 ? 0.2 : 2e-2));
    /* the matrix of a GPU's stages is in half precision, and leaves some 1e-4 of what conducts */
    assert_true(k % 2 || coarse > 3 * fine || (!strcmp(app_backend(), "cuda") && fine < 1e-3));
  }
  write_strips(folder, N - 1, 17, false); /* nodes that lie between those of the other */
  const Strands p = draw_strands(&seed);
  const double error = error_of(folder, &p, 1, 0.05, "crank-nicolson");
  print_message("meshes that do not match: %.2e mV\n", error);
  assert_true(error < 0.2); /* of 20 mV, on elements of a twelfth of half a wave */
  scratch_remove(&folder);
}

/* Layers at two potentials stay even, whatever their elements: each node has as much of the current as of the area. */
static void order_2(void **state) {
  (void)state;
  char *folder = scratch_create();
  uint64_t seed = 41;
  for (int k = 0; k < 2; ++k) {
    Strands p = draw_strands(&seed);
    p.a = 0;
    write_strips(folder, 4, 4, k);
    const double error = error_of(folder, &p, 2, 0.02, "crank-nicolson");
    print_message("order 2, %s: %.2e mV\n", k ? "triangles" : "quads", error);
    assert_true(error < 1e-2); /* of the steps, of some 20 mV; with corners alone some 4 */
  }
  scratch_remove(&folder);
}

#define FRONT(tissue, layers, stimulus)                                                                                \
  "version: 1\nmesh: {file: m.msh}\nphysics: monodomain\ntissue:\n" tissue layers                                      \
  "stimuli: [{on: {box: {min: [0, 0, -1], max: [1.5, 1, 1]}}, duration: 2, amplitude: " stimulus "}]\n"                \
  "time: {end: 40, step: 0.05}\nsolver: {rtol: 1e-10}\noutput: {every: 40, probes: [{name: a, at: [4, 0, 0], field: "  \
  "activation}, {name: b, at: [4, 0, 0.8], field: activation}]}\n"
#define AP "aliev-panfilov"

/* Layers that are tightly coupled are one with their thickness, and what that conducts; without coupling each is alone to the bit. */
static void limits(void **state) {
  (void)state;
  char *folder = scratch_create();
  double tight[3], one[3], none[3], alone[3];
  write_strips(folder, 60, 60, false);
  app_runs(folder, FRONT(TISSUE("endo", AP, "0.6", "1") TISSUE("epi", AP, "0.2", "1"),
                         "layers: [{from: endo, to: epi, conductance: 200}]\n", "60"));
  scratch_last_row(folder, 3, tight);
  app_runs(folder, FRONT(TISSUE("[endo, epi]", AP, "0.4", "2"), "", "60"));
  scratch_last_row(folder, 3, one);
  print_message("tight %g and %g ms, one layer %g ms\n", tight[1], tight[2], one[1]);
  assert_true(fabs(tight[1] - tight[2]) < 1e-3 && fabs(tight[1] - one[1]) < 2e-3 * one[1]);
  app_runs(folder, FRONT(TISSUE("endo", AP, "0.6", "1") TISSUE("epi", AP, "0.2", "1"),
                         "layers: [{from: endo, to: epi, conductance: 0}]\n", "60"));
  scratch_last_row(folder, 3, none);
  app_runs(folder, FRONT(TISSUE("endo", AP, "0.6", "1") TISSUE("epi", AP, "0.2", "1"), "", "60"));
  scratch_last_row(folder, 3, alone);
  assert_true(none[1] == alone[1] && none[2] == alone[2] && none[2] > 1.5 * none[1]);
  scratch_remove(&folder);
}

static void told_and_refused(void **state) {
  (void)state;
  char *folder = scratch_create();
#define BOTH TISSUE("endo", AP, "0.6", "1") TISSUE("epi", AP, "0.2", "1")
  write_strips(folder, 12, 12, false);
  Said said = app_run_says(folder, FRONT(BOTH, "layers: [{from: endo, to: epi, conductance: 0.1}]\n", "60"));
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "layers       endo - epi: 26 of 26 nodes joined over 6 mm2, 0.8 to 0.8 mm apart"));
  said_release(&said);
  app_refuses(folder, FRONT(BOTH, "layers: [{from: endo, to: endo, conductance: 1}]\n", "60"), "share node",
              "allowed: two surfaces");
  app_refuses(folder, FRONT(BOTH, "layers: [{from: endo, to: epi, conductance: 1, within: 0.5}]\n", "60"),
              "no node of 'from' is within 0.5 mm of 'to'", "7:");
  app_refuses(folder, FRONT(BOTH, "layers: [{from: endo, to: epi, conductance: -1}]\n", "60"), "conductance", "-1");
  app_refuses(folder, FRONT(BOTH, "layers: []\n", "60"), "layers is empty", "it needs an entry");
  app_refuses(folder, FRONT(BOTH, "reaction: gauss\nlayers: [{from: endo, to: epi, conductance: 1}]\n", "60"),
              "'reaction: gauss' has its cells elsewhere", "remedy");
  app_refuses(folder, FRONT(BOTH, "eikonal: {}\nlayers: [{from: endo, to: epi, conductance: 1}]\n", "60"),
              "do not pass from layer to layer", "remedy");
  app_refuses(folder, FRONT(BOTH, "model: bidomain\nlayers: [{from: endo, to: epi, conductance: 1}]\n", "60"),
              "need 'outside'", "remedy");
  app_refuses(folder, FRONT(BOTH, "layers: [{from: endo, to: epi, conductance: 1, outside: 2}]\n", "60"),
              "outside is of 'model: bidomain'", "remedy");
#define TWO(chi, conductance)                                                                                          \
  FRONT(BOTH_SIDES("endo", "140") BOTH_SIDES("epi", chi),                                                              \
        "model: bidomain\nlayers: [{from: endo, to: epi, conductance: " conductance ", outside: 100}]\n", "60")
#define BOTH_SIDES(name, chi)                                                                                          \
  "- {on: " name ", ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.4, surface-to-volume: " chi "}}\n"
  app_refuses(folder, TWO("100", "1"), "need one product of surface-to-volume and capacitance", "1.4");
  said = app_run_says(folder, TWO("140", "80"));
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "steps of 0.05 ms are too long for layers that are coupled so tightly"));
  assert_non_null(strstr(said.err, "allowed: at most 0.0141 ms"));
  said_release(&said);
  said = app_run_says(folder, TWO("140", "0"));
  assert_int_equal(said.code, 4);
  assert_non_null(strstr(said.err, "2 pieces that share no node"));
  said_release(&said);
  app_refuses(folder,
              "version: 1\nmesh: {grid: [5, 5], size: [1, 1]}\nphysics: monodomain\ntissue: [{on: body, ionic: "
              "aliev-panfilov, diffusivity: 0.1}]\ntime: {end: 1, step: 0.1}\nlayers: [{from: body, to: body, "
              "conductance: 1}]\n",
              "this mesh is flat", "remedy");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drawn), cmocka_unit_test(drawn_both), cmocka_unit_test(order_2),
                                     cmocka_unit_test(limits), cmocka_unit_test(told_and_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
