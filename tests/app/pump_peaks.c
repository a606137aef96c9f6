/* Maps of what fibres had in the last whole beat, against the probes of each step, and of the first until it is over; the same behind a stop. And the
 * stress along fibres against the stress and where they lie. */
#include "app/app.h"
#include "tests/app/scratch.h"
#include "tests/cli/small_mesh.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6, ROWS = 64 };

/* Beats of 200 ms; calcium rises less in the second one, and at other times in other places. */
#define WALL(end)                                                                                                      \
  "version: 1\nmesh: {file: wall.msh}\nphysics: electromechanics\nmodel: plane-strain\n"                               \
  "muscle:\n  - {on: body, type: neo-hooke, shear: 4, bulk: 4, fibers: {direction: [1, 0.3]}, tension: {model: land, " \
  "preset: whole-organ, calcium: \"0.14 + 0.5*exp(-t/900)*cos(pi*(t - 6*(x - 55))/200)^2\"}}\n"                        \
  "boundary:\n  - {on: [low, up], symmetry: true}\n  - {on: out, fix: all}\n"                                          \
  "cavities: [{name: lv, on: endo, pressure: 0.6}]\ncirculation:\n  cycle: 200\n"                                      \
  "  lv:\n    from: {pressure: 0.6, valve: {open: 80}}\n"                                                              \
  "    to: {valve: {open: 80}, windkessel: {zc: 400, r: 3000, c: 0.1, pressure: 1}}\n"                                 \
  "time: {end: " end ", step: 10}\nsolver: {rtol: 1e-9}\n"                                                             \
  "output:\n  every: 10\n  checkpoint: 10\n  fields: [displacement]\n  maps: [peak-stretch, peak-tension-time]\n"      \
  "  probes:\n  - {name: a, at: [55, 10], field: fiber-stretch}\n  - {name: b, at: [55, 10], field: tension}\n"        \
  "  - {name: c, at: [55, 10], field: peak-stretch}\n  - {name: d, at: [55, 10], field: end-systolic-stretch}\n"       \
  "  - {name: e, at: [55, 10], field: peak-tension}\n  - {name: f, at: [55, 10], field: peak-tension-time}\n"

static int read_rows(const char *folder, const char *name, double row[ROWS][1 + COLUMNS], int n_column) {
  char *text = scratch_read(folder, name);
  int n = 0;
  for (char *at = strchr(text, '\n'); at && at[1] && n < ROWS; at = strchr(at, '\n'), ++n)
    for (int k = 0; k <= n_column; ++k) row[n][k] = strtod(at + 1, &at);
  free(text);
  return n;
}

/* The last whole beat, or what there is of the first, up to row i. */
static void of_beat(double row[ROWS][1 + COLUMNS], double loop[ROWS][1 + COLUMNS], int i, double value[4]) {
  const int beats = (int)(row[i][0] / 200 + 1e-9), first = beats ? 20 * (beats - 1) : 0, end = beats ? 20 * beats : i;
  double least = INFINITY;
  value[0] = value[2] = -INFINITY;
  for (int k = first; k <= end; ++k) {
    value[0] = fmax(value[0], row[k][1]);
    if (loop[k][1] < least) least = loop[k][1], value[1] = row[k][1];
    if (row[k][2] > value[2]) value[2] = row[k][2], value[3] = row[k][0] - row[first][0];
  }
}

static void peaks_are_those_of_probes(void **state) {
  (void)state;
  static double row[ROWS][1 + COLUMNS], loop[ROWS][1 + COLUMNS];
  char *folder = scratch_create();
  scratch_write(folder, "wall.msh", WALL_MESH);
  app_runs(folder, WALL("450"));
  const int n = read_rows(folder, "results/probes.csv", row, COLUMNS);
  assert_int_equal(n, 46);
  assert_int_equal(read_rows(folder, "results/loops.csv", loop, 2), n);
  for (int i = 0; i < n; ++i) {
    double value[4];
    of_beat(row, loop, i, value);
    for (int k = 0; k < 4; ++k) assert_within(row[i][3 + k], value[k], 1e-6 * fmax(1, fabs(value[k])));
  }
  assert_true(row[19][5] > 0.3 && row[45][3] > row[45][4] + 1e-5); /* it pulls, and has been longer */
  assert_true(fabs(row[45][5] - row[25][5]) > 0.1);                /* beats differ */
  scratch_remove(&folder);
}

static void stops_and_goes_on(void **state) {
  (void)state;
  char *folder = scratch_create(), *whole, *again;
  scratch_write(folder, "wall.msh", WALL_MESH);
  scratch_write(folder, "case.yaml", WALL("300"));
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  whole = scratch_read(folder, "whole/probes.csv");
  for (int stop = 9; stop < 30; stop += 15) {
    assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, stop), 10);
    assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
    again = scratch_read(folder, "parts/probes.csv");
    assert_string_equal(whole, again);
    free(again);
  }
  free(whole);
  scratch_remove(&folder);
}

/* All nodes of a cube go where H says: e.sigma e with e = F f/|F f|. */
static void stress_along_fibres(void **state) {
  (void)state;
  static const double H[3][3] = {{0.1, 0.2, -0.05}, {-0.1, -0.08, 0.15}, {0.02, 0.1, 0.07}},
                      f[3] = {1. / 3, 2. / 3, 2. / 3};
  static const char *const part[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
  static const char *const formulation[] = {"displacement", "mean-dilatation"};
  char *folder = scratch_create(), text[4096];
  for (int m = 0; m < 2; ++m) {
    double value[8], e[3], square = 0;
    int used =
        snprintf(text, sizeof text,
                 "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\nphysics: electromechanics\nformulation: %s\n"
                 "muscle: [{on: body, type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 50, fibers: {direction: "
                 "[1, 2, 2]}, tension: {value: 7, form: stretch}}]\n"
                 "boundary: [{on: [x0, x1, y0, y1, z0, z1], fix: {x: \"t*(%g*x+%g*y+%g*z)\", y: "
                 "\"t*(%g*x+%g*y+%g*z)\", z: \"t*(%g*x+%g*y+%g*z)\"}}]\ntime: {end: 1, step: 0.5}\n"
                 "output:\n  fields: [fiber-stress]\n  probes:\n  - {name: s, at: [1, 1, 1], field: fiber-stress}\n",
                 formulation[m], H[0][0], H[0][1], H[0][2], H[1][0], H[1][1], H[1][2], H[2][0], H[2][1], H[2][2]);
    for (int k = 0; k < 6; ++k)
      used += snprintf(text + used, sizeof text - (size_t)used, "  - {name: s%d, at: [1, 1, 1], field: stress-%s}\n", k,
                       part[k]);
    app_runs(folder, text);
    scratch_last_row(folder, 8, value);
    for (int i = 0; i < 3; ++i) {
      e[i] = f[i];
      for (int k = 0; k < 3; ++k) e[i] += H[i][k] * f[k];
      square += e[i] * e[i];
    }
    const double *s = value + 2;
    const double along = (s[0] * e[0] * e[0] + s[1] * e[1] * e[1] + s[2] * e[2] * e[2] +
                          2 * (s[3] * e[0] * e[1] + s[4] * e[1] * e[2] + s[5] * e[0] * e[2])) /
                         square;
    assert_true(fabs(along) > 1 && fabs(along - s[0]) > 0.1);
    assert_within(value[1], along, 1e-8 * fabs(along));
  }
  scratch_remove(&folder);
}

static void wrong_maps_are_refused(void **state) {
  (void)state;
#define PLAIN(tension, maps)                                                                                           \
  "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\nphysics: electromechanics\nmuscle: [{on: body, type: "        \
  "guccione, c: 2, bf: 8, bt: 2, bfs: 4, fibers: {direction: [1, 0, 0]}, tension: {" tension "}}]\n"                   \
  "boundary: [{on: x0, fix: all}]\ntime: {end: 1, step: 1}\noutput: {maps: [" maps "]}\n"
  char *folder = scratch_create();
  app_refuses(folder, PLAIN("value: 1, form: stretch", "peak-tension"), "no entry of muscle has one", "model: land");
  app_refuses(folder, PLAIN("model: land, calcium: 0.2", "end-systolic-stretch"), "this body has none", "'cavities'");
  app_refuses(folder, PLAIN("model: land, calcium: 0.2", "activation"), "activation", "peak-stretch");
  app_refuses(folder,
              "version: 1\nmesh: {grid: [2, 2, 2], size: [1, 1, 1]}\nphysics: elasticity\nmodel: 3d\nstrain: finite\n"
              "materials: [{on: body, type: neo-hooke, shear: 4, bulk: 10}]\nboundary: [{on: x0, fix: all}, {on: x1, "
              "pressure: 1}]\ntime: {end: 1, step: 1}\noutput: {fields: [fiber-stress]}\n",
              "no material of this case has axes", "cauchy");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(peaks_are_those_of_probes), cmocka_unit_test(stops_and_goes_on),
                                     cmocka_unit_test(stress_along_fibres), cmocka_unit_test(wrong_maps_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
