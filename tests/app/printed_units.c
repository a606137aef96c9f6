/* Units as labels: behind every number that run, check and verify print, and in report.json, where the case has `units:`,
 * and nowhere where it has none. The columns of probes.csv keep their names. */
#include "app/report/extreme.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

static const char elastic[] =
    "mesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-stress\n"
    "materials: [{on: body, young: 1000, poisson: 0.25, thickness: 0.5, density: 2}]\n"
    "boundary: [{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: x1, traction: [10, 0]}]\n"
    "output:\n  probes: [{name: corner, at: [1, 1], field: displacement-x}, {name: inside, at: "
    "[0.3, 0.8], field: stress-xx}]\n  sums: [{name: left, on: x0, field: reaction}]\n"
    "expect: [{probe: corner, value: 0.01}, {quantity: strain-energy, value: 0.025}]\n";

static const char heat[] = "mesh: {grid: [3, 3]}\nphysics: heat\n"
                           "materials: [{on: body, conductivity: 1, capacity: 1}]\n"
                           "boundary: [{on: x0, temperature: 20}, {on: x1, flux: 10}]\ntime: {end: 1, step: 0.5}\n"
                           "output: {probes: [{name: end, at: [1, 1], field: temperature}]}\n";

static char *folder;

static void write_case(const char *units, const char *rest) {
  char text[2000];
  snprintf(text, sizeof text, "version: 1\n%s%s", units, rest);
  scratch_write(folder, "case.yaml", text);
}

/* Every text is in what the command says. */
static void says_all(const char *command, const char *const *wanted) {
  char results[600];
  snprintf(results, sizeof results, "%s", scratch_path(folder, "results"));
  const bool run = !strcmp(command, "run");
  Said said = app_says(command, scratch_path(folder, "case.yaml"), "--backend", app_backend(),
                       run ? "--overwrite" : NULL, NULL);
  if (said.code) fail_msg("%s: %s", command, said.err);
  for (int i = 0; wanted[i]; ++i)
    if (!strstr(said.out, wanted[i])) fail_msg("%s does not say '%s': %s", command, wanted[i], said.out);
  said_release(&said);
}

static void file_holds(const char *name, const char *const *wanted) {
  char *text = scratch_read(folder, name);
  for (int i = 0; wanted[i]; ++i)
    if (!strstr(text, wanted[i])) fail_msg("%s does not hold '%s': %s", name, wanted[i], text);
  free(text);
}

static void of_elasticity(void **state) {
  (void)state;
  folder = scratch_create();
  write_case("units: mm N MPa t s\n", elastic);
  says_all("check", (const char *const[]){" 1 mm^2 (", " 1 mm (", "total load: [5, 0] N\n", "volume: 0.5 mm^3, ",
                                          "mass: 1 t, ", "centre of mass: (0.5, 0.5, 0) mm\n", " t mm^2\n", NULL});
  says_all("run", (const char *const[]){"energy       0.025 mJ\n", "largest      displacement ", " mm at (1, 1, 0) mm",
                                        "largest      von-mises 10 MPa at", "corner       0.01 mm\n",
                                        "inside       10 MPa\n", "left-x       -5 N\n", NULL});
  says_all("verify", (const char *const[]){"corner [mm] ", "strain-energy [mJ] ", NULL});
  file_holds("results/probes.csv", (const char *const[]){"time,corner,inside,left-x,left-y\n", NULL});
  file_holds("results/report.json",
             (const char *const[]){"\"units\": \"mm N MPa t s\"", "\"stress\": \"MPa\"", "\"energy\": \"mJ\"",
                                   "\"velocity\": \"mm/s\"", "\"inside\": \"MPa\"", NULL});
  write_case("", elastic);
  says_all("run", (const char *const[]){"corner       0.01\n", "inside       10\n", "left-x       -5\n", NULL});
  says_all("check", (const char *const[]){" 1 (", "total load: [5, 0]\n", "volume: 0.5, ", "mass: 1, ", NULL});
  file_holds("results/probes.csv", (const char *const[]){"time,corner,inside,left-x,left-y\n", NULL});
  char *text = scratch_read(folder, "results/report.json");
  assert_null(strstr(text, "value_units"));
  free(text);
  scratch_remove(&folder);
}

static void of_heat(void **state) {
  (void)state;
  folder = scratch_create();
  write_case("units: m W s K\n", heat);
  says_all("check", (const char *const[]){"total heat load at time 0: 10 W\n", NULL});
  says_all("run", (const char *const[]){"time         1 s after 2 steps", " K\n", NULL});
  file_holds("results/probes.csv", (const char *const[]){"time,end\n", NULL});
  scratch_remove(&folder);
}

static void of_load_cases(void **state) {
  (void)state;
  folder = scratch_create();
  write_case("units: SI\n", "mesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-stress\n"
                            "materials: [{on: body, young: 1000, poisson: 0.25}]\nboundary: [{on: x0, fix: all}]\n"
                            "load-cases: [{name: pull, boundary: [{on: x1, traction: [10, 0]}]}]\n"
                            "combinations: [{name: twice, factors: {pull: 2}}]\nenvelopes: [{name: worst, of: [pull, "
                            "twice], field: von-mises}]\n"
                            "output: {probes: [{name: tip, at: [1, 1], field: displacement-x}]}\n");
  says_all("check", (const char *const[]){"total load of 'pull': [10, 0] N\n", NULL});
  says_all("run", (const char *const[]){"envelope     worst: worst von-mises ", " Pa at (", ") m, by 'twice'\n", NULL});
  file_holds("results/probes.csv", (const char *const[]){"step,tip\n", NULL});
  scratch_remove(&folder);
}

/* A phase is an angle, whatever it is the phase of. */
static void of_vibrations(void **state) {
  (void)state;
  folder = scratch_create();
  write_case(
      "units: SI\n",
      "mesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-stress\nanalysis: {type: harmonic, frequency: 1}\n"
      "materials: [{on: body, young: 1000, poisson: 0.25, density: 1}]\n"
      "boundary: [{on: x0, fix: all}, {on: x1, traction: [10, 0]}]\noutput:\n  probes: [{name: tip, at: [1, 1], "
      "field: displacement-x}, {name: late, at: [1, 1], field: displacement-x, part: phase}]\n"
      "expect: [{probe: late, frequency: 1, value: 0, atol: 1}]\n");
  says_all("check", (const char *const[]){"\nmass: 1 kg\n", NULL});
  says_all("run", (const char *const[]){"late         0 degrees\n", NULL});
  says_all("verify", (const char *const[]){"late at 1 Hz [degrees] ", NULL});
  file_holds("results/probes.csv", (const char *const[]){"frequency,tip,late\n", NULL});
  scratch_remove(&folder);
}

/* A front that does not come to the second probe has no velocity. */
static void of_no_front(void **state) {
  (void)state;
  folder = scratch_create();
  write_case("", "physics: monodomain\nmesh: {grid: [31, 2], size: [9, 0.4]}\n"
                 "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.15}]\n"
                 "stimuli: [{on: {box: {min: [-1, -1], max: [1, 1]}}, duration: 1, amplitude: 90}]\n"
                 "time: {end: 9, step: 0.1}\noutput: {every: 9, velocity: [{name: slow, from: a, to: b}], probes: [\n"
                 "  {name: a, at: [0.5, 0.2], field: activation}, {name: b, at: [8.7, 0.2], field: activation}]}\n");
  says_all("run", (const char *const[]){"b            -1 ms\n",
                                        "slow         none: no front ran from its first probe to its second\n", NULL});
  scratch_remove(&folder);
}

static void print_extremes(const void *extremes) { extremes_print(extremes, &(Units){0}); }

/* The line of the stress error: percentages without an exponent, and in words beyond the stress. */
static void of_stress_errors(void **state) {
  (void)state;
  static const struct {
    double at_largest, energy;
    const char *text;
  } row[] = {
      {0.031, 0.00872,
       "stress error about 3.1 % at the largest von-mises, about 0.87 % in the energy norm, most of it at (1, 2, 3)\n"},
      {1.37, 0.996,
       "stress error more than 100 % at the largest von-mises, about 100 % in the energy norm, most of it at (1, 2, "
       "3); "
       "the mesh does not resolve the stress: refine at both, or take elements of higher order\n"},
      {0, 24,
       "stress error more than 100 % in the energy norm, most of it at (1, 2, 3); the mesh does not resolve the "
       "stress: refine at the latter"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    const Extremes e = {
        .has_error = true, .error = {.value = row[i].energy, .x = {1, 2, 3}}, .at_largest = row[i].at_largest};
    char *text = scratch_printed(print_extremes, &e);
    if (!strstr(text, row[i].text)) fail_msg("%s, not %s", text, row[i].text);
    free(text);
  }
}

/* What `check` says of the longest cases in the repository. */
static void in_forty_lines(void **state) {
  (void)state;
  static const char *const cases[] = {"blade", "opencarp-ventricle", "paced-strip", "ring-beat"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char path[4096];
    int lines = 0;
    snprintf(path, sizeof path, "%s/cases/%s/case.yaml", SINEW_SOURCE_DIR, cases[i]);
    Said said = app_says("check", path, NULL);
    if (said.code == 4 && strstr(said.err, "gmsh")) {
      testing_missing("%s needs Gmsh", cases[i]);
      said_release(&said);
      continue;
    }
    assert_int_equal(said.code, 0);
    for (const char *p = said.out; *p; ++p) lines += *p == '\n';
    if (lines > 40) fail_msg("%s: %d lines, at most 40\n%s", path, lines, said.out);
    said_release(&said);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_elasticity), cmocka_unit_test(in_forty_lines),
                                     cmocka_unit_test(of_heat),       cmocka_unit_test(of_load_cases),
                                     cmocka_unit_test(of_vibrations), cmocka_unit_test(of_stress_errors),
                                     cmocka_unit_test(of_no_front)};
  return cmocka_run_group_tests_name("app/printed_units", tests, NULL, NULL);
}
