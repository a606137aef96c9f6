/* `mass:` between lumped and consistent: the speed of a front is that of the same equations on a line, solved with the
 * whole matrix, and half of each errs least; a run that stopped goes on with the same bits. */
#include "app/monodomain/strand.h"
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 150 };

/* A front that starts by itself along a strip, measured in its second half; D = 1. */
static double speed_of(const char *folder, const char *element, double h, double dt, double share, const char *time) {
  char text[2048];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [%d, 2], size: [%.12g, %.12g], element: %s}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\nmass: %g\n"
           "initial: \"max(-80, 20 - 1e4*max(0, x - %.12g))\"\ntime: {end: %g, step: %g%s}\n"
           "output: {every: 50, velocity: [{name: v, from: a, to: b}], probes: [\n"
           "  {name: a, at: [%.12g, 0], field: activation}, {name: b, at: [%.12g, 0], field: activation}]}\n",
           N + 1, N * h, h, element, share, 0.1 * N * h, 1.2 * N * h / 0.5453 * (h > 3 ? 1.4 : 1), dt, time,
           0.5 * N * h, 0.8 * N * h);
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", NULL);
  if (said.code) print_message("%s\n", said.err);
  assert_int_equal(said.code, 0);
  said_release(&said);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double speed = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  return speed;
}

/* On squares the strip is a line of elements. */
static void speeds(void **state) {
  (void)state;
  static const double shares[] = {0, 0.25, 0.5, 0.75, 1}, EXACT = 0.54446; /* of these steps */
  char *folder = scratch_create();
  const IonicConstants ionic = ionic_constants(ionic_by_name("aliev-panfilov"), 0);
  const double l = strand_front(&ionic);
  for (double h = 1; h < 3; h += 1) {
    double error[5];
    for (int k = 0; k < 5; ++k) {
      const double measured = speed_of(folder, "quad4", h * l, 0.1, shares[k], "");
      double known;
      assert_ok(strand_speed(
          &(StrandParams){.ionic = &ionic, .scheme = &bdf2_scheme, .h = h * l, .step = 0.1, .share = shares[k]},
          &known));
      error[k] = 100 * (measured / EXACT - 1);
      print_message("h %g l, mass %.2f: %.5f mm/ms (%+.2f %%), on a line %.5f\n", h, shares[k], measured, error[k],
                    known);
      assert_relative(measured, known, 3e-3);
      assert_true(k == 0 || error[k] > error[k - 1]);
    }
    assert_true(error[0] < 0 && error[4] > 0 && fabs(error[2]) < 0.4 * fmin(-error[0], error[4]));
  }
  scratch_remove(&folder);
}

/* Every scheme, triangles too, and steps far longer than an explicit part would bear. */
static void schemes(void **state) {
  (void)state;
  static const char *const schemes[] = {", scheme: backward-euler", ", scheme: crank-nicolson", ", scheme: bdf2",
                                        ", scheme: rush-larsen"};
  char *folder = scratch_create();
  const IonicConstants ionic = ionic_constants(ionic_by_name("aliev-panfilov"), 0);
  const double l = strand_front(&ionic);
  for (int k = 0; k < 4; ++k) {
    const double half = speed_of(folder, "tri3", l, 0.1, 0.5, schemes[k]),
                 lumped = speed_of(folder, "tri3", l, 0.1, 0, schemes[k]),
                 fine = speed_of(folder, "quad4", 0.1 * l, 0.5, 0.5, schemes[k]);
    print_message("%s: tri3 %.5f, lumped %.5f; h l/10, dt 0.5: %.5f\n", schemes[k], half, lumped, fine);
    assert_true(half > lumped && isfinite(fine) && fine > 0.4 && fine < 0.7);
  }
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *mass, *mesh, *said;
  } wrong[] = {{"mass: 1.5", "", "mass is 1.5"},
               {"mass: -0.5", "", "mass is -0.5"},
               {"mass: 0.5\nreaction: gauss", "", "mass is of 'reaction: nodal'"},
               {"mass: 0.5", ", order: 2", "mass 0.5 is for linear elements, but the mesh has quad9"}};
  char *folder = scratch_create(), text[512];
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [4, 2], size: [4, 2]%s}\nphysics: monodomain\n"
             "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n%s\ntime: {end: 1, step: 0.1}\n",
             wrong[k].mesh, wrong[k].mass);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    print_message("%s", said.err);
    assert_int_equal(said.code, 3);
    assert_non_null(strstr(said.err, wrong[k].said));
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(speeds), cmocka_unit_test(schemes), cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("mass", tests, NULL, NULL);
}
