/* Stimuli on surfaces: what they do does not depend on the mesh, what cannot start a wave is said before and after, a
 * pulse however short is not skipped. */
#include "tests/app/scratch.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Activation at x = 15 of a strip of 20 x 5 mm with `cells` elements along, -1: never; what is said of it goes to
 * said[4096]. */
static double arrives(const char *folder, int cells, const char *stimulus, const char *more, char *said) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [%d, %d], size: [20, 5]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\nstimuli: [{name: edge, on: x0, %s}]\n"
           "time: {end: 80, step: 0.5}\n%soutput: {every: 80, maps: [activation], probes: [{name: a, at: [15, 2.5], "
           "field: activation}]}\n",
           cells + 1, cells / 4 + 1, stimulus, more);
  scratch_write(folder, "case.yaml", text);
  Said got = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--threads", "1", "--backend",
                      app_backend(), NULL);
  if (got.code) fail_msg("exit code %d: %s", got.code, got.err);
  snprintf(said, 4096, "%s", got.err);
  said_release(&got);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double time = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  return time;
}

static void converge(void **state) {
  (void)state;
  static const char *const stimuli[] = {"duration: 2, amplitude: 50, depth: 1", "duration: 2, current: 40"};
  static const char *const reaction[] = {"", "reaction: gauss\n"};
  char *folder = scratch_create(), said[4096];
  for (int k = 0; k < 2; ++k)
    for (int gauss = 0; gauss < 2; ++gauss) {
      double t[3];
      if (testing_checks() && gauss) continue;
      for (int i = 0; i < 3; ++i) {
        t[i] = arrives(folder, 40 << i, stimuli[k], reaction[gauss], said);
        if (said[0]) fail_msg("%s: %s", stimuli[k], said);
      }
      print_message("%s %s: %.3f, %.3f, %.3f ms\n", stimuli[k], gauss ? "gauss" : "nodal", t[0], t[1], t[2]);
      assert_true(t[2] > 30 && fabs(t[1] - t[2]) < 0.06 && fabs(t[0] - t[1]) < 0.3 &&
                  fabs(t[1] - t[2]) < 0.6 * fabs(t[0] - t[1]));
    }
  scratch_remove(&folder);
}

/* Without depth: 71 ms, never, never. */
static void warnings(void **state) {
  (void)state;
  char *folder = scratch_create(), said[4096];
  assert_true(arrives(folder, 40, "duration: 2, amplitude: 50", "", said) > 50);
  assert_non_null(strstr(said, "stand for a layer 0.25 mm deep"));
  assert_true(arrives(folder, 160, "duration: 2, amplitude: 50", "", said) == -1);
  assert_non_null(strstr(said, "stand for a layer 0.062 mm deep"));
  assert_non_null(strstr(said, "too weak to start a wave on this mesh"));
  assert_non_null(strstr(said, "no stimulus started a wave"));
  assert_true(arrives(folder, 40, "duration: 2, amplitude: 50, depth: 0.05", "", said) == -1);
  assert_non_null(strstr(said, "too weak to start a wave on this mesh"));
  assert_true(arrives(folder, 40, "duration: 2, current: 2", "", said) == -1);
  assert_non_null(strstr(said, "too weak"));
  scratch_remove(&folder);
}

/* The same charge in a billionth of the time, beside a step that is a hundred times longer than the other pulse. */
static void short_pulses(void **state) {
  (void)state;
  char *folder = scratch_create(), said[4096];
  const double usual = arrives(folder, 40, "duration: 0.01, amplitude: 1e4, depth: 1", "", said);
  const double brief = arrives(folder, 40, "duration: 1e-10, amplitude: 1e12, depth: 1", "", said);
  print_message("%.4f, %.4f ms\n", usual, brief);
  assert_true(usual > 30 && fabs(brief - usual) < 0.1);
  scratch_remove(&folder);
}

/* Area times depth, whatever the elements. */
static void volumes(void **state) {
  (void)state;
  static const char *const elements[] = {"hex8", "tet4"};
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 2; ++k)
    for (int n = 3; n < 9; n += 2) {
      snprintf(
          text, sizeof text,
          "version: 1\nmesh: {grid: [%d, %d, %d], size: [2, 1, 1], element: %s}\nphysics: monodomain\nreaction: nodal\n"
          "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"
          "stimuli: [{name: layer, on: x0, duration: 1, amplitude: 40, depth: 0.7}, {name: flow, on: [x0, y0], "
          "duration: 1, current: 30}]\n"
          "time: {end: 2, step: 0.5}\n",
          n, n, n, elements[k]);
      scratch_write(folder, "case.yaml", text);
      Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
      assert_int_equal(said.code, 0);
      const char *layer = strstr(said.out, "layer:"), *flow = strstr(said.out, "flow:");
      assert_non_null(layer);
      assert_non_null(flow);
      const double volume = strtod(strstr(layer, "volume") + 6, NULL), area = strtod(strstr(flow, "area") + 4, NULL);
      assert_within(volume, 0.7, 1e-5);
      assert_within(area, 3, 1e-5);
      said_release(&said);
    }
  scratch_remove(&folder);
}

/* Shapes, groups, layers and currents: the same nodes, volumes and warnings for any number of threads. */
static void any_number_of_threads(void **state) {
  (void)state;
  static const char *const threads[] = {"1", "2", "3", "5"};
  char *folder = scratch_create(), *want = NULL;
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [13, 13, 13], element: tet4}\nphysics: monodomain\nreaction: nodal\n"
                "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\n"
                "stimuli: [{name: layer, on: x0, duration: 1, amplitude: 4, depth: 0.2}, {name: flow, on: [x0, y0], "
                "duration: 1, current: 30}, {name: ball, on: {sphere: {center: [0.4, 0.5, 0.6], radius: 0.3}}, "
                "duration: 1, amplitude: 9}, {name: side, on: z1, duration: 1, amplitude: 5}]\n"
                "time: {end: 2, step: 0.5}\n");
  for (int t = 0; t < 4; ++t) {
    omp_set_num_threads(atoi(threads[t]));
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    assert_int_equal(said.code, 0);
    char *from = strstr(said.out, "stimulus"), *end = strstr(from, "\n\n");
    assert_non_null(strstr(from, "ball"));
    if (end) *end = 0;
    if (t == 0) want = strdup(from);
    else assert_string_equal(from, want);
    said_release(&said);
  }
  free(want);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *stimulus, *why;
  } row[] = {
      {"on: x0, duration: 1", "a stimulus needs one of 'amplitude'"},
      {"on: x0, duration: 1, amplitude: 4, current: 3", "a stimulus needs either 'amplitude'"},
      {"on: x0, duration: 1, depth: 1, current: 3", "depth belongs to 'amplitude'"},
      {"on: body, duration: 1, amplitude: 3, depth: 1", "body"},
      {"on: {box: {min: [0, 0], max: [1, 1]}}, duration: 1, amplitude: 3, depth: 1", "depth needs a group of surfaces"},
      {"on: {nodes: [1]}, duration: 1, current: 3", "current needs a group of surfaces"},
      {"on: x0, duration: 1, amplitude: 3, depth: -1", "depth is -1"},
      {"on: x0, duration: 1e-30, amplitude: 3", "shorter pulses are lost in the rounding"}};
  char *folder = scratch_create(), text[1024];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [5, 5], size: [2, 1]}\nphysics: monodomain\n"
        "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.5}]\nstimuli: [{%s}]\ntime: {end: 2, step: 0.5}\n",
        row[k].stimulus);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    if (said.code != 3 || !strstr(said.err, row[k].why))
      fail_msg("%s: exit code %d, %s", row[k].stimulus, said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(converge),
                                     cmocka_unit_test(warnings),
                                     cmocka_unit_test(short_pulses),
                                     cmocka_unit_test(volumes),
                                     cmocka_unit_test(any_number_of_threads),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
