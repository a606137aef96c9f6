/* `model: augmented`: a monodomain whose tissue beside a bath conducts better. */
#include "tests/app/scratch.h"

#include <math.h>
#include <string.h>

#define SOAKED(model, bath, extra)                                                                                     \
  "version: 1\nmesh: {grid: [21, 13], size: [10, 3], regions: [{name: blood, share: 'max(0, min(1, (y - "              \
  "2)*1e6))'}]}\n"                                                                                                     \
  "physics: monodomain\n" model                                                                                        \
  "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: [1, 0.25], extra: " extra                          \
  ", surface-to-volume: 140}, fibers: {direction: [1, 0.5]}}]\n" bath                                                  \
  "stimuli: [{on: {box: {min: [0, 0], max: [2, 1]}}, duration: 2, amplitude: 50}]\n"                                   \
  "time: {end: 40, step: 0.1}\noutput: {every: 40, probes: [{name: a, at: [3, 1.5]}, {name: b, at: [8, 2], field: "    \
  "activation}, {name: "                                                                                               \
  "c, at: [8, 0]}]}\n"

/* Within a depth that takes all of the tissue it is a monodomain with the bath in parallel; within less the front is between that and
 * one without a bath, and most so beside it. */
static void augmented(void **state) {
  (void)state;
  char *folder = scratch_create();
  double all[4], parallel[4], layer[4], bare[4];
  app_runs(folder, SOAKED("model: augmented\n", "bath: [{on: blood, conductivity: 2, depth: 9}]\n", "[3, 0.75]"));
  scratch_last_row(folder, 4, all);
  app_runs(folder, SOAKED("", "without: blood\n", "[5, 2.75]"));
  scratch_last_row(folder, 4, parallel);
  for (int k = 1; k < 4; ++k) assert_within(all[k], parallel[k], 1e-9);
  app_runs(folder, SOAKED("", "without: blood\n", "[3, 0.75]"));
  scratch_last_row(folder, 4, bare);
  Said said = app_run_says(folder, SOAKED("model: augmented\n", "bath: [{on: blood, conductivity: 2}]\n", "[3, 0.75]"));
  scratch_last_row(folder, 4, layer);
  assert_int_equal(said.code, 0);
  assert_non_null(
      strstr(said.out, "augmented    20 elements of tissue beside the bath")); /* a row of elements of 0.25 mm */
  said_release(&said);
  print_message("bare %g and %g ms, beside a bath %g and %g, all in it %g and %g\n", bare[2], bare[3], layer[2],
                layer[3], all[2], all[3]);
  assert_true(layer[2] < bare[2] - 0.05 && layer[2] > all[2] && bare[3] - layer[3] < bare[2] - layer[2]);
  app_refuses(folder, SOAKED("model: augmented\n", "without: blood\n", "[3, 0.75]"), "model: augmented needs 'bath:'",
              "remedy: bath:");
  app_refuses(folder, SOAKED("model: bidomain\n", "bath: [{on: blood, conductivity: 2, depth: 1}]\n", "[3, 0.75]"),
              "depth is of 'model: augmented'", "remedy");
  app_refuses(folder,
              SOAKED("model: augmented\nreference: all\n", "bath: [{on: blood, conductivity: 2}]\n", "[3, 0.75]"),
              "reference is of the extracellular potential", "remedy");
  app_refuses(folder,
              SOAKED("model: bidomain\n", "bath: [{on: blood, conductivity: [1, 2], fibers: muscle}]\n", "[3, 0.75]"),
              "no field 'muscle'", "6:");
  app_refuses(folder,
              SOAKED("model: augmented\n", "bath: [{on: blood, conductivity: [1, 2], fibers: {direction: [1, 0]}}]\n",
                     "[3, 0.75]"),
              "conducts alike in all directions", "allowed: one number");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(augmented)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
