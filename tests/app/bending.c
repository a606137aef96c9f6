/* Slender bars one element high, as `grid:` makes them, in every analysis of small strain, against beam theory: within 3 %,
 * and by more than a half off as plain elements. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LONG = 1.8, HIGH = 0.06, WIDE = 0.04, YOUNG = 70e9, DENSITY = 2700, PI = 3.14159265358979323846;
static const double ROOT[5] = {1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839}; /* cos x cosh x = -1 */

static double stiffness(void) { return YOUNG * WIDE * HIGH * HIGH * HIGH / 12; }
static double frequency(int k) {
  return ROOT[k] * ROOT[k] / (LONG * LONG) * sqrt(stiffness() / (DENSITY * HIGH * WIDE));
}
/* Of a bar clamped at one end under a sudden force at the other, after a time. */
static double struck(double force, double time) {
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += 4 * force / (DENSITY * HIGH * WIDE * LONG * pow(frequency(k), 2)) * (1 - cos(frequency(k) * time));
  return sum;
}

typedef enum Bar { BAR_PLANE, BAR_SOLID } Bar;

/* The exit code of `verify`: 0 where what is expected comes out, 6 where not. */
static int verify(const char *folder, Bar bar, const char *formulation, const char *more) {
  char text[2048];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [19, 2%s], size: [%g, %g, %g]}\nphysics: elasticity\nmodel: %s\nformulation: %s\n"
           "materials: [{on: body, young: %g, poisson: 0.3, density: %g%s}]\n%s",
           bar == BAR_SOLID ? ", 2" : "", LONG, HIGH, WIDE, bar == BAR_SOLID ? "3d" : "plane-stress", formulation,
           YOUNG, DENSITY, bar == BAR_SOLID ? "" : ", thickness: 0.04", more);
  if (bar == BAR_PLANE) { /* a flat grid has two sizes */
    char *at = strstr(text, ", 0.04]");
    memmove(at, at + 6, strlen(at + 6) + 1);
  }
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("verify", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", NULL);
  if (said.code != 0 && said.code != 6) fail_msg("%s%s%s", text, said.out, said.err);
  const int code = said.code;
  if (code && strcmp(formulation, "auto") == 0) print_message("%s%s\n", said.out, said.err);
  said_release(&said);
  return code;
}

static void holds(const char *folder, Bar bar, const char *more) {
  assert_int_equal(verify(folder, bar, "auto", more), 0);
  assert_int_equal(verify(folder, bar, "incompatible-modes", more), 0);
  assert_int_equal(verify(folder, bar, "displacement", more), 6);
}

/* x and y of a force, and z. */
static const char *force_text(Bar bar, const char *x, const char *y, char text[64]) {
  snprintf(text, 64, "force: [%s, %s%s]", x, y, bar == BAR_SOLID ? ", 0" : "");
  return text;
}

static void rest(void **state) {
  (void)state;
  char *folder = scratch_create(), more[1024], force[64];
  const double tip = -250 * LONG * LONG * LONG / (3 * stiffness()),
               stress = 250 * 0.95 * YOUNG / stiffness() * HIGH / 2;
  for (Bar bar = BAR_PLANE; bar <= BAR_SOLID; ++bar) {
    const char *z = bar == BAR_SOLID ? ", 0.02" : "";
    snprintf(more, sizeof more,
             "boundary: [{on: x0, fix: all}, {on: x1, %s}]\noutput: {probes: [{name: tip, at: [1.8, 0.03%s], field: "
             "displacement-y}, {name: top, at: [0.85, 0.06%s], field: stress-xx}]}\nexpect: [{probe: tip, value: %.9g, "
             "rtol: 0.03}, {probe: top, value: %.9g, rtol: 0.03}]\n",
             force_text(bar, "0", "-250", force), z, z, tip, stress);
    holds(folder, bar, more);
  }
  scratch_remove(&folder);
}

static void modes(void **state) {
  (void)state;
  char *folder = scratch_create(), more[1024];
  for (Bar bar = BAR_PLANE; bar <= BAR_SOLID;
       ++bar) { /* in the solid the other plane, in which it is thinner, is first */
    const double thin = bar == BAR_SOLID ? WIDE / HIGH : 1;
    snprintf(more, sizeof more,
             "boundary: [{on: x0, fix: all}]\nanalysis: {type: modal, modes: 2}\n"
             "expect: [{mode: 1, quantity: frequency, value: %.9g, rtol: 0.03}, {mode: 2, quantity: frequency, value: "
             "%.9g, rtol: 0.03}]\n",
             thin * frequency(0) / (2 * PI), frequency(bar == BAR_SOLID ? 0 : 1) / (2 * PI));
    holds(folder, bar, more);
  }
  scratch_remove(&folder);
}

static void buckling(void **state) {
  (void)state;
  char *folder = scratch_create(), more[1024], force[64];
  for (Bar bar = BAR_PLANE; bar <= BAR_SOLID; ++bar) {
    const double thin = bar == BAR_SOLID ? pow(WIDE / HIGH, 2) : 1;
    snprintf(more, sizeof more,
             "boundary: [{on: x0, fix: all}, {on: x1, %s}]\nanalysis: {type: buckling, modes: 1}\n"
             "expect: [{mode: 1, quantity: load-factor, value: %.9g, rtol: 0.03}]\n",
             force_text(bar, "-150", "0", force), thin * PI * PI * stiffness() / (4 * LONG * LONG) / 150);
    holds(folder, bar, more);
  }
  scratch_remove(&folder);
}

static void motion(void **state) {
  (void)state;
  char *folder = scratch_create(), more[1024], force[64];
  const double time = 0.8 * PI / frequency(0);
  for (Bar bar = BAR_PLANE; bar <= BAR_SOLID; ++bar) {
    snprintf(more, sizeof more,
             "boundary: [{on: x0, fix: all}, {on: x1, %s}]\nanalysis: {type: transient}\n"
             "time: {end: %.9g, step: %.9g}\noutput: {probes: [{name: tip, at: [1.8, 0%s], field: displacement-y}]}\n"
             "expect: [{probe: tip, value: %.9g, rtol: 0.03}]\n",
             force_text(bar, "0", "-250", force), time, time / 150, bar == BAR_SOLID ? ", 0" : "", struck(-250, time));
    holds(folder, bar, more);
  }
  scratch_remove(&folder);
}

/* Far below the first resonance, and between the first and the second. */
static void vibration(void **state) {
  (void)state;
  char *folder = scratch_create(), more[1024], force[64];
  const double f = 0.4 * frequency(0) / (2 * PI);
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += 4 * 250.0 / (DENSITY * HIGH * WIDE * LONG * (pow(frequency(k), 2) - pow(2 * PI * f, 2)));
  for (Bar bar = BAR_PLANE; bar <= BAR_SOLID; ++bar) {
    snprintf(
        more, sizeof more,
        "boundary: [{on: x0, fix: all}, {on: x1, %s}]\nanalysis: {type: harmonic, frequency: %.9g, damping: 0.001}\n"
        "output: {probes: [{name: tip, at: [1.8, 0%s], field: displacement-y}]}\n"
        "expect: [{probe: tip, value: %.9g, rtol: 0.03}]\n",
        force_text(bar, "0", "250", force), f, bar == BAR_SOLID ? ", 0" : "", sum);
    holds(folder, bar, more);
  }
  scratch_remove(&folder);
}

/* Where they are not to be had: a line of the case, and what to do. */
static void refused(void **state) {
  (void)state;
  char *folder = scratch_create();
  static const struct {
    const char *mesh, *more, *said;
  } rows[] = {
      {"grid: [9, 5], element: tri3", "", "case.yaml:5:14: formulation: 'incompatible-modes' is for quad4 and hex8; "},
      {"grid: [9, 5], element: tri3", "strain: finite\ntime: {end: 1, step: 1}\n",
       "case.yaml:5:14: formulation: 'incompatible-modes' is for quad4 and hex8; "},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {%s}\nphysics: elasticity\nmodel: plane-strain\nformulation: incompatible-modes\n"
             "materials: [{on: body, young: 10, poisson: 0.3}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: [0, "
             "0.01]}]\n%s",
             rows[k].mesh, rows[k].more);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
    assert_int_equal(said.code, 3);
    if (!strstr(said.err, rows[k].said) || !strstr(said.err, "remedy:")) fail_msg("%s", said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* The last number of probes.csv; *said: the percentage that a warning tells, 0 where there is none. */
static double tip_of(const char *folder, const char *text, double *said) {
  scratch_write(folder, "case.yaml", text);
  Said run = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", NULL);
  if (run.code) fail_msg("%s%s", text, run.err);
  const char *at = strstr(run.err, "elements are bent"), *about = at ? strstr(at, "too small by about ") : NULL;
  *said = about ? strtod(about + strlen("too small by about "), NULL) : 0;
  if (at && !strstr(at, "remedy: mesh: {order: 2}")) fail_msg("no remedy in %s", run.err);
  said_release(&run);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double tip = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  return tip;
}

#define TOLD(mesh, model, material, boundary, at, more)                                                                \
  "version: 1\nphysics: elasticity\nmodel: " model "\nmaterials: [{on: body, young: 2000, poisson: 0.28" material      \
  "}]\nboundary: [{on: x0, fix: all}, " boundary "]\noutput: {probes: [{name: tip, at: " at                            \
  ", field: displacement-y}]}\n" more "mesh: {grid: [" mesh "]"
#define FINITE "strain: finite\ntime: {end: 1, step: 0.5}\n"

/* Plain elements that bend say by how much they are too stiff: against order 2. */
static void told(void **state) {
  (void)state;
  static const struct {
    const char *text, *plain;
    bool bent;
  } rows[] = {
      {TOLD("12, 2], size: [6, 0.4", "plane-strain", "", "{on: x1, traction: [0, 0.02]}", "[6, 0]", ""),
       "formulation: displacement\n", true},
      {TOLD("16, 4], size: [6, 0.7", "plane-stress", ", thickness: 0.3", "{on: x1, traction: [0, 0.05]}", "[6, 0]", ""),
       "formulation: displacement\n", true},
      {TOLD("12, 2, 3], size: [6, 0.5, 0.6", "3d", "", "{on: x1, traction: [0, 0.02, 0]}", "[6, 0, 0]", ""),
       "formulation: displacement\n", true},
      {TOLD("12, 2], size: [6, 0.4", "axisymmetric", "", "{on: x1, fix: {x: 0, y: 0}}, {on: y1, pressure: 0.01}",
            "[3.27272727, 0]", ""),
       "formulation: displacement\n", true},
      {TOLD("14, 2], size: [6, 0.4", "plane-strain", "", "{on: x1, traction: [0, 0.02]}", "[6, 0]", FINITE), "", true},
      {TOLD("14, 2], size: [6, 0.4", "plane-strain", ", type: neo-hooke", "{on: x1, traction: [0, 0.02]}", "[6, 0]",
            FINITE),
       "", true},
      {TOLD("12, 2, 2], size: [6, 0.5, 0.6", "3d", "", "{on: x1, traction: [0, 0.02, 0]}", "[6, 0, 0]", FINITE), "",
       true},
      {TOLD("14, 2], size: [6, 0.4], regions: [{name: other, share: 0.3}", "plane-strain",
            "}, {on: other, young: 2000, poisson: 0.28, expansion: 1e-9", "{on: x1, traction: [0, 0.02]}", "[6, 0]",
            "time: {end: 1, step: 1}\nthermal: {temperature: 1}\n"), /* body does not expand */
       "formulation: displacement\n", true},
      {TOLD("12, 2], size: [6, 0.4", "plane-strain", "", "{on: x1, traction: [1, 0]}", "[6, 0]", ""),
       "formulation: displacement\n", false},
      {TOLD("12, 2], size: [6, 0.4", "plane-strain", "", "{on: x1, traction: [0, 0.02]}", "[6, 0]", ""), "", false},
  };
  char *folder = scratch_create(), text[2048];
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    double said, none;
    snprintf(text, sizeof text, "%s}\n%s", rows[k].text, rows[k].plain);
    const double plain = tip_of(folder, text, &said);
    snprintf(text, sizeof text, "%s, order: 2}\n", rows[k].text);
    const double right = tip_of(folder, text, &none), lacks = 100 * (1 - plain / right);
    if (none > 0 || (said > 0) != rows[k].bent) fail_msg("row %d: told %g %%, of order 2 %g %%", (int)k, said, none);
    if (rows[k].bent && fabs(said - lacks) > 6) fail_msg("row %d: told %g %%, are %g %%", (int)k, said, lacks);
  }
  scratch_remove(&folder);
}

/* The percentages behind "too small by about" and "too high by about" of a run by n ranks; 0: no warning. */
static void told_by(const char *folder, const char *text, const char *n_ranks, double said[2]) {
  scratch_write(folder, "case.yaml", text);
  setenv("SINEW_RANKS_AS_THREADS", n_ranks, 1);
  Said run = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", NULL);
  unsetenv("SINEW_RANKS_AS_THREADS");
  if (run.code) fail_msg("%s%s", text, run.err);
  static const char *const words[2] = {"too small by about ", "frequencies too high by about "};
  const char *first = strstr(run.err, "elements are bent");
  if (first && (strstr(first + 1, "elements are bent") || !strstr(first, "remedy: mesh: {order: 2}")))
    fail_msg("twice or without a remedy: %s", run.err);
  for (int k = 0; k < 2; ++k) {
    const char *at = strstr(run.err, words[k]);
    said[k] = at ? strtod(at + strlen(words[k]), NULL) : 0;
  }
  said_release(&run);
}

#define BAR(grid, more)                                                                                                \
  "version: 1\nphysics: elasticity\nmodel: plane-stress\nmesh: {grid: [" grid ", 0.7]}\nsolver: {rtol: 1e-8}\n"        \
  "materials: [{on: body, young: 3000, poisson: 0.31, density: 2, thickness: 0.4}]\n" more
#define SHORT(load, more) BAR("26, 2], size: [9", "boundary: [{on: x0, fix: all}, {on: x1, traction: " load "}]\n" more)
#define BED "boundary: [{on: x0, fix: all}, {on: y0, spring: 40}"
#define LONG_BAR(more) BAR("1400, 2], size: [470", more)
#define WAVES ", {on: y1, traction: [0, \"0.3*sin(x)\"]}]\n"
#define MOVES "analysis: {type: transient}\ntime: {end: 40, step: 2}\n"
#define SHAKES "analysis: {type: harmonic, frequency: [0.001, 0.01], damping: 0.02}\n"
#define PULLED "{name: a, boundary: [{on: x1, traction: [7, 0]}]}"

/* Motion, vibrations, load cases and ranks say what statics say of the same bar; none where nothing bends. */
static void told_in_all_analyses(void **state) {
  (void)state;
  static const struct {
    const char *text, *ranks;
    bool bent, vibrates;
  } rows[] = {
      {SHORT("[0, 0.02]", ""), "1", true, false},
      {SHORT("[0, 0.02]", MOVES), "1", true, true},
      {SHORT("[0, 0.02]", "analysis: {type: transient, method: modes, modes: 3}\ntime: {end: 40, step: 2}\n"), "1",
       true, true},
      {SHORT("[0, 0.02]", SHAKES), "1", true, true},
      {BAR("26, 2], size: [9",
           "boundary: [{on: x0, fix: all}]\nload-cases: [" PULLED ", {name: b, boundary: [{on: x1, traction: [0, "
           "1e-4]}]}]\ncombinations: [{name: c, factors: {a: 2, b: 1}}]\n"),
       "1", true, false},
      {SHORT("[0.5, 0]", "analysis: {type: transient}\ntime: {end: 3, step: 0.1}\n"), "1", false, true},
      {SHORT("[0.5, 0]", SHAKES), "1", false, true},
      {BAR("26, 2], size: [9", "boundary: [{on: x0, fix: all}]\nload-cases: [" PULLED "]\n"), "1", false, false},
      {LONG_BAR(BED WAVES), "1", true, false}, /* ranks want a larger mesh */
      {LONG_BAR(BED WAVES), "2", true, false},
      {LONG_BAR(BED WAVES), "3", true, false},
      {LONG_BAR(BED WAVES "analysis: {type: transient}\ntime: {end: 2, step: 0.5}\n"), "2", true, true},
      {LONG_BAR(BED WAVES "analysis: {type: harmonic, frequency: 0.001, damping: 0.02}\n"), "3", true, true},
      {LONG_BAR(BED "]\nload-cases: [" PULLED ", {name: b, boundary: [{on: y1, traction: [0, \"0.3*sin(x)\"]}]}]\n"),
       "2", true, false},
      {LONG_BAR(BED "]\nload-cases: [" PULLED "]\n"), "2", false, false}};
  char *folder = scratch_create(), text[2048];
  double still = 0, said[2];
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    if (strcmp(rows[k].ranks, "1") != 0 && strcmp(app_backend(), "cpu") != 0) continue; /* threads that share a GPU */
    snprintf(text, sizeof text, "%sformulation: displacement\n", rows[k].text);
    told_by(folder, text, rows[k].ranks, said);
    if (k == 0 || (strcmp(rows[k].ranks, "1") == 0 && strstr(text, "1400"))) still = said[0];
    if (rows[k].bent ? fabs(said[0] - still) > 3 || still < 10 : said[0] > 0)
      fail_msg("told %g %%, in statics %g %%: %s", said[0], still, text);
    const double higher = rows[k].vibrates && rows[k].bent ? 100 / sqrt(1 - said[0] / 100) - 100 : 0;
    if (fabs(said[1] - higher) > 1.5) fail_msg("frequencies: told %g %%, not %g %%: %s", said[1], higher, text);
    told_by(folder, rows[k].text, rows[k].ranks, said);
    if (said[0] > 0) fail_msg("told where elements bend: %s", rows[k].text);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rest),      cmocka_unit_test(modes),
                                     cmocka_unit_test(buckling),  cmocka_unit_test(motion),
                                     cmocka_unit_test(vibration), cmocka_unit_test(refused),
                                     cmocka_unit_test(told),      cmocka_unit_test(told_in_all_analyses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
