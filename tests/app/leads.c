/* Leads: in mV by the conductivities inside the cells, and the twelve of them by their electrodes. */
#include "app/monodomain/heart.h"
#include "app/monodomain/intervals.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The row of t = 0 behind the time. */
static void first_row(const char *folder, int n, double *value) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = strchr(text, '\n') + 1;
  for (int k = 0; k < n; ++k) {
    at = strchr(at, ',');
    assert_non_null(at++);
    value[k] = strtod(at, NULL);
  }
  free(text);
}

#define BLOCK(conductivity, fibers, output)                                                                            \
  "version: 1\nmesh: {grid: [5, 5, 5], size: [4, 4, 4], element: hex8}\nphysics: monodomain\n"                         \
  "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {" conductivity ", surface-to-volume: 140}" fibers "}]\n"  \
  "initial: '-80 + 5*x + 3*y*z'\ntime: {end: 1, step: 0.5}\noutput: {every: 1, " output "}\n"

/* Of even tissue D is sigma / (chi C), and the lead is that of before times chi C sigma_i / (sigma sigma_b). */
static void millivolt(void **state) {
  (void)state;
  char *folder = scratch_create();
  double before[2], now[2];
  const double factor = 1.4 * (0.2 + 0.6) / 0.6 / 0.3;
#define LEADS "ecg: [{name: a, positive: [30, 5, 7]}, {name: b, positive: [2, -20, 1], negative: [9, 9, 9]}]"
  app_runs(folder, BLOCK("intra: 0.2, extra: 0.6", "", LEADS));
  first_row(folder, 2, before);
  app_runs(folder, BLOCK("intra: 0.2, extra: 0.6", "", "medium: 0.3, " LEADS));
  first_row(folder, 2, now);
  for (int k = 0; k < 2; ++k) assert_relative(now[k], factor * before[k], 1e-12);
  scratch_remove(&folder);
}

/* Each of the twelve from nine electrodes against nothing. */
static void twelve(void **state) {
  (void)state;
  char *folder = scratch_create();
  double v[21];
  app_runs(
      folder,
      BLOCK("intra: [0.17, 0.05, 0.02], extra: [0.62, 0.3, 0.24]",
            ", fibers: {direction: [1, 0.5, 0.2]}, sheets: {direction: [0, 0.3, 1]}",
            "medium: 0.2, ecg: [{name: ra, positive: [-60, 0, 80]}, {name: la, positive: [60, 0, 80]}, {name: ll, "
            "positive: [50, 0, -200]}, {name: v1, positive: [-10, 60, 0]}, {name: v2, positive: [10, 61, 0]}, {name: "
            "v3, positive: [25, 60, -8]}, {name: v4, positive: [40, 50, -15]}, {name: v5, positive: [60, 30, -15]}, "
            "{name: v6, positive: [70, 0, -15]}], electrodes: {RA: [-60, 0, 80], LA: [60, 0, 80], LL: [50, 0, "
            "-200], V1: [-10, 60, 0], V2: [10, 61, 0], V3: [25, 60, -8], V4: [40, 50, -15], V5: [60, 30, -15], V6: "
            "[70, 0, -15]}"));
  first_row(folder, 21, v);
  const double *e = v, *lead = v + 9, scale = fabs(lead[6]), mean = (e[0] + e[1] + e[2]) / 3;
  assert_true(scale > 1e-6);
  const double limb[6] = {e[1] - e[0],
                          e[2] - e[0],
                          e[2] - e[1],
                          e[0] - (e[1] + e[2]) / 2,
                          e[1] - (e[0] + e[2]) / 2,
                          e[2] - (e[0] + e[1]) / 2};
  for (int k = 0; k < 6; ++k) assert_within(lead[k], limb[k], 1e-12 * scale);
  for (int k = 0; k < 6; ++k) assert_within(lead[6 + k], e[3 + k] - mean, 1e-12 * scale);
  char *head = scratch_read(folder, "results/probes.csv");
  assert_non_null(strstr(head, "v6,I,II,III,aVR,aVL,aVF,V1,V2,V3,V4,V5,V6\n"));
  free(head);
  scratch_remove(&folder);
}

/* Conductivities on axes that are turned, from the diffusivity on the same; two directions alike. */
static void tensors(void **state) {
  (void)state;
  const double p[3][3] = {{2. / 3, 1. / 3, 2. / 3}, {-2. / 3, 2. / 3, 1. / 3}, {-1. / 3, -2. / 3, 2. / 3}};
  static const double d[][3] = {{3, 2, 0.5}, {3, 2, 2}, {3, 3, 0.5}, {3, 2, 3}, {2, 2, 2}};
  static const double s[][3] = {{0.2, 0.1, 0.03}, {0.2, 0.1, 0.1}, {0.2, 0.2, 0.03}, {0.2, 0.1, 0.2}, {0.4, 0.4, 0.4}};
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int c = 0; c < 5; ++c)
    for (int n = 1; n <= 3; ++n) {
      double D[6] = {0}, wanted[6] = {0}, got[6], along[3] = {0}, of[3] = {0};
      for (int k = 0; k < 3; ++k) { /* of fewer than three the last one counts for the others */
        const int from = k < n ? k : n - 1;
        if (k < n) of[k] = s[c][k], along[k] = d[c][k];
        for (int i = 0; i < 6; ++i) {
          D[i] += d[c][from] * p[k][row[i]] * p[k][column[i]];
          wanted[i] += s[c][from] * p[k][row[i]] * p[k][column[i]];
        }
      }
      conductivity_tensor(n, along, of, D, got);
      for (int i = 0; i < 6; ++i) assert_within(got[i], wanted[i], 1e-14);
    }
}

/* Positions that are no positions in this mesh: of a plane, and in micrometres. */
static void wrong_positions(void **state) {
  (void)state;
  static const struct {
    const char *lead, *said;
    int code;
  } wrong[] = {
      {"positive: [60, 0]", "the positive electrode of lead 'x' has 2 entries; 'grid' is a volume mesh and has 3", 3},
      {"positive: [60000, 0, 0]", "the positive electrode of lead 'x' is 6e+04 away from the heart, which is", 0},
      {"positive: [300, 0, 0]", "", 0}};
  char *folder = scratch_create(), text[2000];
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    snprintf(text, sizeof text, BLOCK("intra: 0.2, extra: 0.6", "", "medium: 0.2, ecg: [{name: x, %s}]"),
             wrong[k].lead);
    scratch_write(folder, "case.yaml", text);
    Said got = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    const bool away = strstr(got.err, "away from the heart");
    if (got.code != wrong[k].code || !strstr(got.err, wrong[k].said) || (k == 2 && away))
      fail_msg("%d, %s", got.code, got.err);
    said_release(&got);
  }
  scratch_remove(&folder);
}

/* Leads of flat tissue grow with its thickness, and nothing else changes; a volume refuses it. */
static void thick(void **state) {
  (void)state;
  char *folder = scratch_create();
  double row[3], again[3];
#define FLAT(more, grid, size)                                                                                         \
  "version: 1\nmesh: {grid: " grid ", size: " size "}\nphysics: monodomain\ntissue: [{on: body, ionic: "               \
  "aliev-panfilov, diffusivity: 0.2" more "}]\nstimuli: [{on: x0, duration: 1, current: 30}]\n"                        \
  "time: {end: 2, step: 0.5}\noutput: {every: 1, probes: [{name: p, at: [1, 1]}], ecg: [{name: a, positive: [9, 5, "   \
  "7]}]}\n"
  app_runs(folder, FLAT("", "[9, 9]", "[4, 4]"));
  scratch_last_row(folder, 3, row);
  app_runs(folder, FLAT(", thickness: 0.25", "[9, 9]", "[4, 4]"));
  scratch_last_row(folder, 3, again);
  assert_true(fabs(row[1] + 80) > 1 && fabs(row[2]) > 1e-4);
  assert_near(again[1], row[1], 1e-12);
  assert_near(again[2] / row[2], 0.25, 1e-12);
  app_refuses(folder, FLAT(", thickness: 0.25", "[5, 5, 5]", "[4, 4, 4]"),
              "thickness is of flat tissue and of surfaces in space", "is a volume mesh");
  scratch_remove(&folder);
}

/* A complex of straight lines from 100 to 180 ms, with 15 ms between two of them, and a wave whose steepest tangent ends two widths behind its
 * middle. */
static void intervals(void **state) {
  (void)state;
  enum { N = 601 };
  static double t[N], v[N];
  for (int upright = -1; upright < 2; upright += 2) {
    for (int k = 0; k < N; ++k) {
      t[k] = k;
      const double q = k < 100 || k > 120 ? 0 : 10 - fabs(k - 110.0),
                   r = k < 135 || k > 180 ? 0 : 22.5 - fabs(k - 157.5);
      v[k] = 3 + upright * (0.02 * r - 0.01 * q + 0.15 * exp(-pow((k - 400) / 30.0, 2) / 2));
    }
    const Intervals of = intervals_of(N, t, v);
    assert_within(of.onset, 100, 0);
    assert_within(of.qrs, 80, 0);
    assert_within(of.t_peak, 300, 0);
    assert_within(of.qt, 360, 0.2);
  }
  Intervals cut = intervals_of(430, t, v); /* the wave has not ended */
  assert_within(cut.qrs, 80, 0);
  assert_true(isnan(cut.qt) && cut.t_peak == 300);
  cut = intervals_of(401, t, v); /* nor has it turned */
  assert_true(cut.qrs == 80 && isnan(cut.t_peak) && isnan(cut.qt));
  cut = intervals_of(195, t, v); /* nor has the complex, for all that is seen */
  assert_true(cut.onset == 100 && isnan(cut.qrs) && isnan(cut.t_peak));
  cut = intervals_of(201, t, v);
  assert_within(cut.qrs, 80, 0);
  for (int k = 0; k < N; ++k) v[k] = 7;
  assert_true(isnan(intervals_of(N, t, v).onset));
}

#define STRAND                                                                                                         \
  "version: 1\nmesh: {grid: [41, 2], size: [20, 0.5]}\nphysics: monodomain\n"                                          \
  "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"                                                      \
  "stimuli: [{on: x0, depth: 2, start: 10, duration: 2, amplitude: 50, period: 600}]\ntime: {end: 700, step: 1}\n"     \
  "output: {every: 100, sample: %s, ecg: [{name: I, positive: [40, 0, 5], negative: [-20, 0, 5]}]}\n%s"

/* In a file, and held by rows of a case; the second beat of the run is no part of the first. */
static void intervals_of_a_run(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024], rows[256];
  double v[4];
  snprintf(text, sizeof text, STRAND, "1", "");
  Said summary = app_run_says(folder, text);
  char *table = scratch_read(folder, "results/intervals.csv");
  assert_int_equal(sscanf(table, "lead,onset,qrs,t-peak,qt\nI,%lf,%lf,%lf,%lf\n", &v[0], &v[1], &v[2], &v[3]), 4);
  assert_true(v[0] >= 9 && v[0] <= 13); /* the stimulus */
  assert_true(v[1] > 20 && v[1] < 60);  /* the wave takes 35 ms along the strand */
  assert_true(v[2] > 200 && v[3] > v[2] && v[3] < 500);
  free(table);
  assert_int_equal(summary.code, 0);
  snprintf(rows, sizeof rows, "intervals    lead I: QRS %.4g ms, T peak %.4g ms, QT %.4g ms; all in", v[1], v[2], v[3]);
  assert_non_null(strstr(summary.out, rows));
  said_release(&summary);
  for (int k = 0; k < 2; ++k) {
    snprintf(rows, sizeof rows,
             "expect: [{ecg: I, quantity: qrs, value: %g}, {ecg: I, quantity: qt, value: %.12g, rtol: 1e-6}]\n",
             v[1] + k, v[3]);
    snprintf(text, sizeof text, STRAND, "1", rows);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("verify", scratch_path(folder, "case.yaml"), NULL);
    assert_int_equal(said.code, k ? 6 : 0);
    assert_non_null(strstr(said.out, "qt of I [ms] "));
    said_release(&said);
  }
  static const struct {
    const char *sample, *rows, *said, *more;
  } wrong[] = {
      {"5", "expect: [{ecg: I, quantity: qt, value: 1}]\n", "qt needs leads at least every 2 ms", "sample: 1"},
      {"1", "expect: [{quantity: qt, value: 1}]\n", "qt is of a lead", "{ecg: II, quantity: qt"},
      {"1", "expect: [{ecg: I, quantity: steps, value: 1}]\n", "steps is of the whole run", "qrs, t-peak, qt"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(text, sizeof text, STRAND, wrong[i].sample, wrong[i].rows);
    app_refuses(folder, text, wrong[i].said, wrong[i].more);
  }
  scratch_remove(&folder);
}

static void read_intervals(const char *folder, const char *name, double v[4]) {
  char *table = scratch_read(folder, name);
  assert_int_equal(sscanf(table, "lead,onset,qrs,t-peak,qt\nI,%lf,%lf,%lf,%lf\n", &v[0], &v[1], &v[2], &v[3]), 4);
  free(table);
}

/* A train of one pulse ends no beat, and a run that goes on from another one has the beat of its own first pulse. */
static void intervals_later(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double first[4], next[4];
  snprintf(text, sizeof text, STRAND, "2, checkpoint: 590", "");
  scratch_write(folder, "case.yaml", text);
  const char *path = scratch_path(folder, "case.yaml");
  Said said = app_says("run", path, "--set", "stimuli.0.period=300", "--set", "stimuli.0.count=1", "--set",
                       "time.end=590", "--set", "time.step=2", NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  read_intervals(folder, "results/intervals.csv", first);
  assert_true(first[3] > 300 && first[3] < 500);
  said = app_says("run", path, "--from", scratch_path(folder, "results"), "--output", scratch_path(folder, "next"),
                  "--set", "time.end=1200", "--set", "time.step=2", NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  read_intervals(folder, "next/intervals.csv", next);
  assert_true(next[0] >= 609 && next[0] <= 613);
  assert_within(next[1], first[1], 10); /* a beat after 600 ms is shorter, and no slower */
  assert_true(next[2] > 150 && next[3] > next[2] && next[3] < first[3]);
  scratch_remove(&folder);
}

/* Places that start 40 ms apart, as of ventricles that are paced one after the other, are of one beat, and so are all starts of fronts of
 * given velocities. */
static void intervals_of_places(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1024];
  double v[4];
  snprintf(text, sizeof text, STRAND, "2", "");
  scratch_write(folder, "case.yaml", text);
  const char *path = scratch_path(folder, "case.yaml");
  Said said = app_says("run", path, "--set", "stimuli.0.period=900", "--set", "time.end=200", "--set", "time.step=2",
                       "--set", "stimuli+=[{on: x1, depth: 2, start: 34, duration: 2, amplitude: 50}]", NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  read_intervals(folder, "results/intervals.csv", v);
  assert_true(v[0] < 14 && v[1] > 24);
  said = app_says("run", path, "--overwrite", "--set", "stimuli.0.period=80", "--set", "stimuli.0.count=2", "--set",
                  "time.end=500", "--set", "time.step=2", NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  read_intervals(folder, "results/intervals.csv",
                 v); /* the pulse at 90 ms is no part of the beat, nor is what follows */
  assert_true(v[0] < 14 && v[1] > 24 && v[1] < 60 && isnan(v[2]));
  app_runs(folder, "version: 1\nmesh: {grid: [41, 2], size: [20, 0.5]}\nphysics: eikonal\n"
                   "tissue: [{on: body, ionic: aliev-panfilov, velocity: 0.5}]\n"
                   "stimuli: [{on: {nodes: [1]}}, {on: x1, start: 130}]\ntime: {end: 500}\n"
                   "output: {ecg: [{name: I, positive: [40, 0, 5], negative: [-20, 0, 5]}]}\n");
  read_intervals(folder, "results/intervals.csv", v);
  assert_true(v[0] < 2 && v[1] > 30 && v[1] < 50 && v[2] > 150);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(intervals),
                                     cmocka_unit_test(intervals_of_a_run),
                                     cmocka_unit_test(intervals_later),
                                     cmocka_unit_test(intervals_of_places),
                                     cmocka_unit_test(millivolt),
                                     cmocka_unit_test(twelve),
                                     cmocka_unit_test(tensors),
                                     cmocka_unit_test(wrong_positions),
                                     cmocka_unit_test(thick)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
