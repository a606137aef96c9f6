/* Where electrodes of the bidomain are, and the potential at a place of a bath. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WET(reference)                                                                                                 \
  "version: 1\nmesh: {grid: [11, 6], size: [10, 2.5], regions: [{name: blood, share: 'step(y - 1.4)'}]}\nphysics: "    \
  "monodomain\nmodel: bidomain\ntissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.4, "    \
  "surface-to-volume: 20}}]\nbath: [{on: blood, conductivity: 0.5}]\nstimuli: [{on: x0, duration: 2, amplitude: "      \
  "50}]\ntime: {end: 4, step: 0.1}\nsolver: {rtol: 1e-10}\n" reference                                                 \
  "output: {probes: [{name: a, at: [5, 0.5], field: extracellular}], ecg: [{name: b, positive: [8, 2.5]}]}\n"

/* In a bath too the node of reference takes a constant away. */
static void reference_of_a_lead(void **state) {
  (void)state;
  char *folder = scratch_create();
  double mean[3], node[3];
  app_runs(folder, WET(""));
  scratch_last_row(folder, 3, mean);
  app_runs(folder, WET("reference: 17\n"));
  scratch_last_row(folder, 3, node);
  assert_true(fabs(mean[1]) > 0.01 && fabs(node[1]) < 1e-9);
  assert_relative(node[2], mean[2] - mean[1], 1e-6);
  scratch_remove(&folder);
}

#define PLACED(a, b)                                                                                                   \
  "version: 1\nmesh: {grid: [5, 5], size: [1, 1]}\nphysics: monodomain\nmodel: bidomain\ntissue: [{on: body, ionic: "  \
  "aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\nelectrodes: [{name: a, on: " a    \
  ", start: 0.5}, {name: b, on: " b                                                                                    \
  "}]\ntime: {end: 1, step: 0.1}\nsolver: {rtol: 1e-11}\noutput: {every: 1, probes: "                                  \
  "[{name: p, at: [0.25, 0.5], field: extracellular}, {name: q, at: [0, 0.25]}]}\n"

/* Nodes by themselves are those of a group, and stand for the volume around them: on an edge for 1/8 mm. */
static void nodes_as_electrodes(void **state) {
  (void)state;
  static const char *const pair[][2] = {
      {PLACED("x0, density: 0.5", "x1, balances: a"),
       PLACED("{box: {min: [0, 0], max: [0, 1]}}, density: 4", "{box: {min: [1, -1], max: [2, 3]}}, balances: a")},
      {PLACED("x0, potential: 40", "x1, ground: true"),
       PLACED("{nodes: [1, 6, 11, 16, 21]}, potential: 40", "{box: {min: [1, 0], max: [1, 1]}}, ground: true")},
      {PLACED("x0, current: 0.0005", "x1, ground: true"),
       PLACED("{sphere: {center: [-10, 0.5], radius: 10.1}}, current: 0.0005", "x1, ground: true")}};
  char *folder = scratch_create();
  for (int k = 0; k < 3; ++k) {
    double row[2][3];
    for (int i = 0; i < 2; ++i) app_runs(folder, pair[k][i]), scratch_last_row(folder, 3, row[i]);
    assert_true(fabs(row[0][1]) > 0.01 && fabs(row[0][2] + 80) > 1e-3);
    for (int j = 1; j < 3; ++j) assert_relative(row[1][j], row[0][j], 1e-7);
  }
  /* vertices of quadratic triangles too */
  scratch_write(folder, "case.yaml", PLACED("{box: {min: [0, 0], max: [1, 1]}}, density: 4", "x1, ground: true"));
  Said said =
      app_says("check", scratch_path(folder, "case.yaml"), "--set", "mesh.element=tri3", "--set", "mesh.order=2", NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "electrode    a: 81 nodes, 0.004 mA over 1 mm2"));
  said_release(&said);
  app_refuses(folder, PLACED("{box: {min: [3, 3], max: [4, 4]}}, current: 1", "x1, ground: true"),
              "electrode 'a' hits no node; the nearest one, (1, 1, 0)", "2.828 mm away from its box");
  app_refuses(folder, PLACED("{box: {min: [1, 0.2], max: [1, 0.8]}}, current: 1", "x1, ground: true"),
              "electrode 'a' is at nodes whose potential electrode 'b' holds", "nothing flows");
  app_refuses(folder, PLACED("{nodes: [99]}, current: 1", "x1, ground: true"), "nodes: there is no node 99", "");
  app_refuses(folder, PLACED("{nodes: [3], group: x0}, current: 1", "x1, ground: true"), "on needs exactly one of", "");
  scratch_remove(&folder);
}

#define PULSED(a)                                                                                                      \
  "version: 1\nmesh: {grid: [5, 5], size: [1, 1]}\nphysics: monodomain\nmodel: bidomain\ntissue: [{on: body, ionic: "  \
  "aliev-panfilov, conductivity: {intra: 0.2, extra: 0.6, surface-to-volume: 140}}]\nelectrodes: [{name: c, on: x1, "  \
  "ground: true}, " a "]\ntime: {end: 1.3, step: 0.1}\nsolver: {rtol: 1e-11}\noutput: {every: 0.05, probes: [{name: "  \
  "p, at: [0.25, 0.5], field: extracellular}, {name: q, at: [0, 0.25]}]}\n"

/* A train is its pulses one by one, whatever the steps are; what is held is held in each. */
static void trains(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, PULSED("{name: a, on: x0, density: 3, start: 0.13, duration: 0.25, period: 0.4, count: 2}"));
  char *train = scratch_read(folder, "results/probes.csv");
  app_runs(folder, PULSED("{name: a, on: x0, density: 3, start: 0.13, duration: 0.25}, "
                          "{name: b, on: x0, density: 3, start: 0.53, duration: 0.25}"));
  char *one = scratch_read(folder, "results/probes.csv");
  double a[3], b[3];
  int rows = 0, on = 0;
  for (const char *p = strchr(train, '\n'), *q = strchr(one, '\n'); p && q && p[1]; ++rows) {
    assert_int_equal(sscanf(p + 1, "%lf,%lf,%lf", &a[0], &a[1], &a[2]), 3);
    assert_int_equal(sscanf(q + 1, "%lf,%lf,%lf", &b[0], &b[1], &b[2]), 3);
    for (int k = 0; k < 3; ++k) assert_within(a[k], b[k], 1e-7 * (1 + fabs(b[k])));
    on += a[1] > 1;
    p = strchr(p + 1, '\n'), q = strchr(q + 1, '\n');
  }
  assert_true(rows == 27 && on == 10); /* from 0.15 and 0.55 ms on, five times each */
  free(train);
  free(one);
  app_runs(folder, PULSED("{name: a, on: x0, potential: 20, start: 0.15, duration: 0.2, period: 0.5}"));
  double row[3];
  scratch_last_row(folder, 3, row);
  assert_true(row[1] > 10); /* in the third */
  Said said = app_run_says(folder, PULSED("{name: a, on: x0, density: 3, duration: 0.25, period: 0.4, count: 9}"));
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.err, "electrode 'a' has 9 pulses, of which the run to 1.3 ms sees 4"));
  said_release(&said);
  app_refuses(folder, PULSED("{name: a, on: x0, density: 3, period: 0.4}"), "a train needs 'duration'", "");
  app_refuses(folder, PULSED("{name: a, on: x0, density: 3, duration: 0.5, period: 0.4}"),
              "period is 0.4 ms, must be longer than a pulse, 0.5 ms", "");
  app_refuses(folder, PULSED("{name: a, on: x0, density: 3, duration: 0.5, count: 4}"), "needs 'period'", "");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reference_of_a_lead), cmocka_unit_test(nodes_as_electrodes),
                                     cmocka_unit_test(trains)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
