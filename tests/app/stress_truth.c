/* The estimated error of the stress against the true one, where that is known: over the body by the energy of a fine mesh, and
 * at the largest stress of a bar by its closed form. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t draw_state = 77;

/* Uniform in [0, 1]. */
static double draw(void) {
  draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(draw_state >> 11) / (double)(1ull << 53);
}

static double number(const char *folder, const char *under, const char *key) {
  char *text = scratch_read(folder, "results/report.json");
  const char *at = strstr(text, under);
  at = at ? strstr(at, key) : NULL;
  at = at ? strchr(at, ':') : NULL;
  if (!at) fail_msg("no %s in report.json", key);
  const double value = strtod(at + 1, NULL);
  free(text);
  return value;
}

/* A unit square of two triangles, or of squares, refined, under drawn tractions on two sides. */
static void in_the_energy_norm(void **state) {
  (void)state;
  static const struct {
    const char *mesh;
    int order, refine;
  } of[] = {{"file: square.msh", 1, 3}, {"file: square.msh", 2, 2}, {"grid: [5, 5]", 1, 0},
            {"grid: [4, 4]", 2, 0},     {"grid: [9, 9]", 1, 0},     {"file: square.msh", 2, 3}};
  char *folder = scratch_create(), text[1024];
  scratch_write(folder, "square.msh", SQUARE_MSH);
  for (int round = 0; round < 2; ++round) {
    const double a = 2 + draw(), b = draw(), c = 0.2 + 0.1 * draw();
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
      const bool grid = of[i].mesh[0] == 'g';
      double energy[2] = {0}, estimate = 0;
      for (int fine = 0; fine < 2; ++fine) {
        snprintf(
            text, sizeof text,
            "version: 1\nphysics: elasticity\nmodel: plane-strain\nsolver: {rtol: 1e-11}\nmesh: {%s, order: %d, "
            "refine: "
            "%d}\nmaterials: [{on: body, young: 900, poisson: %.17g}]\nboundary:\n  - {on: %s, fix: all}\n  - {on: "
            "%s, traction: ['sin(%.17g*y)', '%.17g + y*y']}\n",
            of[i].mesh, fine ? 2 : of[i].order, fine ? (grid ? 3 : 5) : of[i].refine, c, grid ? "x0" : "left",
            grid ? "x1" : "right", a, b);
        app_runs(folder, text);
        energy[fine] = number(folder, "{", "\"strain_energy\"");
        if (!fine) estimate = number(folder, "\"stress_error\"", "\"relative\"");
      }
      const double truth = sqrt(1 - energy[0] / energy[1]);
      if (!(estimate > 0.75 * truth && estimate < 1.35 * truth))
        fail_msg("%s, order %d: %g, truly %g", of[i].mesh, of[i].order, estimate, truth);
    }
  }
  scratch_remove(&folder);
}

/* Heat alone works against the strain that it makes, so that a coarse mesh has more energy than a fine one: without loads
 * |e|^2 = |s_h|^2 - |s|^2. Temperatures are linear, whose squares the points of the elements integrate exactly. */
static void of_heat(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  scratch_write(folder, "square.msh", SQUARE_MSH);
  for (int round = 0; round < 3; ++round) {
    const double a = 1 + draw(), b = 2 * draw() - 1, c = 0.2 + 0.1 * draw();
    double fine = 0;
    for (int refine = 5; refine > 1; refine -= refine == 5 ? 2 : 1) {
      snprintf(text, sizeof text,
               "version: 1\nphysics: elasticity\nmodel: plane-stress\nsolver: {rtol: 1e-11}\nmesh: {file: square.msh, "
               "order: 2, refine: %d}\nmaterials: [{on: body, young: 900, poisson: %.17g, expansion: 1e-3}]\n"
               "thermal: {reference: 0, temperature: '%.17g*x + %.17g*y'}\n"
               "boundary: [{on: left, fix: {x: 0}}, {on: bottom, fix: {y: 0}}]\n",
               refine, c, a, b);
      app_runs(folder, text);
      const double energy = number(folder, "{", "\"strain_energy\"");
      if (refine == 5) fine = energy;
      const double truth = sqrt(energy / fine - 1), estimate = number(folder, "\"stress_error\"", "\"relative\"");
      if (refine < 5 && !(estimate > 0.75 * truth && estimate < 1.35 * truth))
        fail_msg("refine %d, %g, %g: %g, truly %g", refine, a, b, estimate, truth);
    }
  }
  scratch_remove(&folder);
}

/* A bar under a body force that falls off as exp(-k x) from its support: sigma = (exp(-k x) - exp(-2 k)) / k. */
static void at_the_largest(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  for (int round = 0; round < 8; ++round) {
    const double k = 3 + 3 * draw();
    const int n = 16 + (int)(20 * draw());
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmodel: plane-stress\nsolver: {rtol: 1e-11}\nmesh: {grid: [%d, 2], size: [2, "
        "0.2]}\nmaterials: [{on: body, young: 1000, poisson: 0, thickness: 1, density: 1}]\nboundary: [{on: "
        "x0, fix: all}]\nbody: [{on: body, gravity: ['exp(-%.17g*x)', 0]}]\n",
        n, k);
    app_runs(folder, text);
    const double truth = (1 - exp(-2 * k)) / k, found = number(folder, "\"von-mises\"", "\"value\""),
                 error = fabs(truth - found) / found, estimate = number(folder, "\"stress_error\"", "\"at_largest\"");
    if (!(estimate > 0.5 * error && estimate < 4 * error))
      fail_msg("%d nodes, k %g: %g, truly %g", n, k, estimate, error);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_the_energy_norm), cmocka_unit_test(of_heat),
                                     cmocka_unit_test(at_the_largest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
