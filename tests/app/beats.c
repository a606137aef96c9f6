/* Maps of several beats and of the velocity of conduction: a strip that is paced three times. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 2 * 61, CELLS = 60 };

/* A field of n numbers in the results. */
static void field_read(const char *folder, const char *name, bool on_cells, double *value) {
  Result *file = NULL;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &file));
  const ResultField *field = result_field(file, name, on_cells);
  if (!field) fail_msg("there is no field '%s'", name);
  assert_ok(result_read(file, field, -1, value));
  result_close(&file);
}

#define STRIP(more)                                                                                                    \
  "version: 1\nmesh: {grid: [61, 2], size: [30, 0.5]}\nphysics: monodomain\n"                                          \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"                                                      \
  "stimuli:\n  - {on: x0, depth: 2, duration: 2, amplitude: 50, period: 600, count: 2}\n"                              \
  "  - {on: x0, depth: 2, duration: 2, amplitude: 50, start: 1140}\n"                                                  \
  "time: {end: 1400, step: 0.5}\noutput:\n  every: 700\n  maps: [{name: activation, beats: all}, {name: "              \
  "apd, beats: 2}, repolarization, {name: conduction-velocity, beats: 2}]\n" more

static void three_beats(void **state) {
  (void)state;
  char *folder = scratch_create();
  double first[NODES], second[NODES], third[NODES], apd[NODES], apd2[NODES], end[NODES], cv[CELLS][3];
  app_runs(
      folder,
      STRIP("  probes: [{name: a1, at: [15, 0], field: activation}, {name: b1, at: [20, 0], field: activation},\n"
            "    {name: a2, at: [15, 0], field: activation, beat: 2}, {name: d2, at: [15, 0], field: apd, beat: 2},\n"
            "    {name: b2, at: [20, 0], field: activation, beat: 2}, {name: e2, at: [15, 0], field: repolarization, "
            "beat: 2}, "
            "{name: a9, at: [15, 0], field: activation, beat: 9}]\n"
            "  velocity: [{name: v1, from: a1, to: b1}, {name: v2, from: a2, to: b2}]\n"));
  char *csv = scratch_read(folder, "results/probes.csv"), *row = strrchr(csv, '\n');
  double p[10];
  *row = 0, row = strrchr(csv, '\n') + 1;
  for (int k = 0; k < 10; ++k) p[k] = strtod(row, &row), ++row;
  free(csv);
  field_read(folder, "activation", false, first);
  field_read(folder, "activation-2", false, second);
  field_read(folder, "activation-3", false, third);
  field_read(folder, "apd", false, apd);
  field_read(folder, "apd-2", false, apd2);
  field_read(folder, "repolarization", false, end);
  double longest = 0, mean = 0;
  for (int i = 0; i < NODES; ++i) {
    assert_true(first[i] >= 0 && first[i] < 70 && second[i] > 590 && second[i] < 680);
    assert_within(first[i] + apd[i], end[i], 1e-9);
    assert_true(apd2[i] > 100 && apd2[i] < apd[i]); /* the second one comes before all is at rest */
    longest = fmax(longest, third[i] < 0 ? 0 : third[i] - 1140);
    assert_true(third[i] == -1 || (third[i] > 1140 && third[i] < 1400));
  }
  const double probed[] = {1400,
                           first[30],
                           first[40],
                           second[30],
                           apd2[30],
                           second[40],
                           second[30] + apd2[30],
                           -1,
                           5 / (first[40] - first[30]),
                           5 / (second[40] - second[30])};
  for (int k = 0; k < 10; ++k)
    if (!(fabs(p[k] - probed[k]) < 1e-9 * (1 + fabs(probed[k]))))
      fail_msg("column %d: %.12g, %.12g", k, p[k], probed[k]);
  field_read(folder, "conduction-velocity", true, cv[0]);
  for (int e = 20; e < 40; ++e) {          /* away from the ends: 0.54571 in the limit */
    assert_within(cv[e][0], 0.5457, 0.02); /* the front is a step or two long: times are linear between steps */
    mean += cv[e][0] / 20;
    assert_true(fabs(cv[e][1]) < 1e-6 && cv[e][2] == 0);
  }
  assert_within(mean, 0.5457, 0.006);
  field_read(folder, "conduction-velocity-2", true, cv[0]);
  assert_true(cv[30][0] > 0.4 && cv[30][0] < 0.547);
  print_message("the early beat came as far as %g ms\n", longest);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(three_beats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
