/* Waves of the minimal ventricular model along a strand, against finite differences with explicit steps and with the
 * equations as their authors write them: nodal reaction on squares is their three-point formula, so only the steps in
 * time differ. */
#include "tests/physics/minimal_model.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

enum { NODES = 81, FROM = 30, TO = 60 };
static const double D = 0.1171, H = 0.1, V_REST = -84, V_SCALE = 85.7;

/* mm/ms between two nodes, from upward crossings of -30 mV; 50 mV/ms for 1 ms up to x = 1. */
static double explicit_speed(const Table *t, double dt) {
  const double level = (-30 - V_REST) / V_SCALE;
  double y[NODES][4], dy[NODES][4], up[NODES] = {0};
  for (int i = 0; i < NODES; ++i) y[i][0] = 0, y[i][1] = y[i][2] = 1, y[i][3] = (1 + tanh(-t->k_s * t->u_s)) / 2;
  for (int step = 0; step * dt < 20 && up[TO] <= 0; ++step) {
    for (int i = 0; i < NODES; ++i) {
      const double left = y[i > 0 ? i - 1 : 1][0], right = y[i + 1 < NODES ? i + 1 : NODES - 2][0];
      authors(t, y[i], dy[i]);
      dy[i][0] += D * (left - 2 * y[i][0] + right) / (H * H) + ((step + 0.5) * dt < 1 && i <= 10 ? 50 / V_SCALE : 0);
    }
    for (int i = 0; i < NODES; ++i) {
      const double before = y[i][0];
      for (int k = 0; k < 4; ++k) y[i][k] += dt * dy[i][k];
      if (before < level && y[i][0] >= level) up[i] = dt * (step + (level - before) / (y[i][0] - before));
    }
  }
  assert_true(up[FROM] > 0 && up[TO] > up[FROM]);
  return (TO - FROM) * H / (up[TO] - up[FROM]);
}

/* Extrapolated to steps of no length: their error is of first order. */
static double known_speed(const Table *t) { return 2 * explicit_speed(t, 0.0005) - explicit_speed(t, 0.001); }

static double speed(const char *preset, const char *more) {
  char text[1024], *folder = scratch_create();
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [81, 2], size: [8, 0.1]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: {model: bueno-orovio, preset: %s}, diffusivity: 0.1171}]\n"
           "stimuli: [{on: {box: {min: [0, 0], max: [1.01, 1]}}, duration: 1, amplitude: 50}]\n"
           "time: {end: 14, step: 0.005, scheme: bdf2}\n%s"
           "output: {every: 7, fields: [potential, v, w, s], velocity: [{name: cv, from: a, to: b}],\n"
           "  probes: [{name: a, at: [3, 0], field: activation}, {name: b, at: [6, 0], field: activation}]}\n",
           preset, more);
  app_runs(folder, text);
  char *csv = scratch_read(folder, "results/probes.csv"), *last = strrchr(csv, ',');
  const double cv = strtod(last + 1, NULL);
  free(csv);
  scratch_remove(&folder);
  return cv;
}

static void waves(void **state) {
  (void)state;
  static const Table *const tables[] = {&EPI, &ENDO, &MID, &PB, &TNNP};
  static const char *const presets[] = {"epi", "endo", "mid", "pb", "tnnp"};
  for (int k = 0; k < 5; ++k) {
    const double known = known_speed(tables[k]), got = speed(presets[k], "");
    print_message("%s: %.5f mm/ms, by finite differences %.5f\n", presets[k], got, known);
    assert_relative(got, known, 5e-4);
  }
  /* Consistent mass is faster on this mesh, as it is with other cells. */
  const double points = speed("epi", "reaction: gauss\n"), known = known_speed(&EPI);
  print_message("epi, gauss: %.5f mm/ms\n", points);
  assert_true(points > known && points < 1.06 * known);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(waves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
