/* Fibres by rule from the case file: what the results hold of them, and what is wrong with a rule. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <string.h>

static const char *const CASE = "version: 1\n"
                                "mesh: {grid: [4, 4, 4], size: [3, 3, 3], element: tet4}\n"
                                "physics: monodomain\n"
                                "tissue:\n"
                                "  - on: body\n"
                                "    ionic: aliev-panfilov\n"
                                "    diffusivity: {along: 1, across: 0.25}\n"
                                "    fibers: {rule: ldrb, lv: z0, epi: z1, base: y1, apex: y0}\n"
                                "stimuli: [{on: y0, duration: 1, amplitude: 40}]\n"
                                "time: {end: 2, step: 0.5}\n";

/* Runs the case with one more argument of --set; `out` or `err` of the program must hold `part`. */
static Said run(const char *set) {
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", CASE);
  const char *path = scratch_path(folder, "case.yaml");
  Said said = set ? app_says("run", path, "--backend", "cpu", "--set", set, NULL)
                  : app_says("run", path, "--backend", "cpu", NULL);
  if (said.code == 0) {
    said_release(&said);
    said = app_says("info", scratch_path(folder, "results/results.hdf"), NULL);
  }
  scratch_remove(&folder);
  return said;
}

static void results_hold_fibers(void **state) {
  (void)state;
  Said said = run(NULL);
  assert_int_equal(said.code, 0);
  static const char *const names[] = {"fiber", "sheet", "transmural", "apicobasal"};
  for (int k = 0; k < 4; ++k)
    if (!strstr(said.out, names[k])) fail_msg("no %s in:\n%s", names[k], said.out);
  said_release(&said);
  said = run("tissue.0.fibers.septum=[1, 0, 0]");
  assert_non_null(strstr(said.out, "segment [1], on nodes"));
  said_release(&said);
  said = run("tissue.0.fibers={direction: [1, 0, 0]}");
  assert_int_equal(said.code, 0);
  assert_null(strstr(said.out, "transmural"));
  said_release(&said);
}

/* Fronts of given velocities go by the same fibres, and say which. */
static void fronts_hold_fibers(void **state) {
  (void)state;
  static const char *const names[] = {"fiber", "sheet", "transmural", "apicobasal", "rotational", "segment"};
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [4, 4, 4], size: [3, 3, 3], element: tet4}\nphysics: eikonal\n"
                "tissue:\n  - {on: body, velocity: {along: 0.6, across: 0.3}, fibers: {rule: ldrb, lv: z0, epi: z1, "
                "base: y1, apex: y0, septum: [1, 0, 0]}}\nstimuli: [{on: y0}]\n");
  scratch_write(folder, "points", "one\tstimuli.0.start=0\ntwo\tstimuli.0.start=3\n");
  const char *path = scratch_path(folder, "case.yaml"), *of[] = {"results/results.hdf", "both/two/results.hdf"};
  Said said = app_says("run", path, "--backend", "cpu", NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  said = app_says("run", path, "--backend", "cpu", "--together", scratch_path(folder, "points"), "--output",
                  scratch_path(folder, "both"), NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  for (int k = 0; k < 12; ++k) {
    said = app_says("info", scratch_path(folder, of[k / 6]), NULL);
    if (!strstr(said.out, names[k % 6])) fail_msg("no %s in:\n%s", names[k % 6], said.out);
    said_release(&said);
  }
  scratch_remove(&folder);
}

static void wrong_rules(void **state) {
  (void)state;
  static const struct {
    const char *set, *part;
  } rows[] = {
      {"tissue.0.fibers.lv=z2", "unknown group 'z2'"},
      {"tissue.0.fibers.lv=body", "'body', which is a volume group"},
      {"tissue.0.fibers.epi=z0", "no node of group 'z0' (epicardium) is left to it"},
      {"tissue.0.fibers={rule: ldrb, lv: z0, epi: z1}", "axis"},
      {"tissue.0.fibers.alpha={endo: 95, epi: 0}", "95"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Said said = run(rows[i].set);
    if (said.code != 3) fail_msg("%s: code %d\n%s", rows[i].set, said.code, said.err);
    if (!strstr(said.err, rows[i].part)) fail_msg("%s: no \"%s\" in\n%s", rows[i].set, rows[i].part, said.err);
    said_release(&said);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_hold_fibers), cmocka_unit_test(fronts_hold_fibers),
                                     cmocka_unit_test(wrong_rules)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
