/* The line that says how fast a front will run, against the runs themselves; and what is warned of because no heart is so. */
#include "app/monodomain/strand.h"
#include "core/clock.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The numbers of "front        0.62 mm/ms along, 0.22 across (on fine elements 0.62, 0.24)". */
typedef struct Line {
  int n;
  double mesh[3], fine[3];
} Line;

static Line line_of(const char *out) {
  Line line = {0};
  const char *at = strstr(out, "front        "), *fine = at ? strstr(at, "(on fine elements ") : NULL;
  if (!fine) fail_msg("no line of the front: %s", out);
  for (const char *p = at + strlen("front        "); p < fine; ++line.n) {
    char *end;
    line.mesh[line.n] = strtod(p, &end);
    p = strchr(end, ',') && strchr(end, ',') < fine ? strchr(end, ',') + 1 : fine;
  }
  fine += strlen("(on fine elements ");
  for (int k = 0; k < line.n; ++k) {
    char *end;
    line.fine[k] = strtod(fine, &end);
    fine = end + 1;
  }
  return line;
}

typedef struct Strip {
  const char *element, *ionic, *time, *more;
  double h, D[3]; /* along x, y, z */
  int dim;
} Strip;

/* A strip along direction `way` of the tissue, which lies along x; measured between a half and four fifths of it. */
static double ran(const char *folder, const Strip *s, int way, Said *said) {
  static const char *const direction[3] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  const int N = 60, fibre = way == 0 ? 0 : 1, sheet = way == 0 ? 1 : way == 1 ? 0 : 2;
  char text[2048], grid[160], tissue[256], z[8] = "";
  if (s->dim == 3) snprintf(z, sizeof z, ", 0");
  snprintf(grid, sizeof grid, s->dim == 3 ? "[%d, 2, 2], size: [%.9g, %.9g, %.9g]" : "[%d, 2], size: [%.9g, %.9g]",
           N + 1, N * s->h, s->h, s->h);
  if (s->dim == 3)
    snprintf(tissue, sizeof tissue,
             "diffusivity: {along: %.9g, across: %.9g, normal: %.9g}, fibers: {direction: %s}, sheets: {direction: %s}",
             s->D[0], s->D[1], s->D[2], direction[fibre], direction[sheet]);
  else
    snprintf(tissue, sizeof tissue, "diffusivity: {along: %.9g, across: %.9g}, fibers: {direction: [%d, %d]}", s->D[0],
             s->D[1], way == 0, way == 1);
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: %s, element: %s}\nphysics: monodomain\n%s"
           "tissue: [{on: body, ionic: %s, %s}]\n"
           "stimuli: [{on: {box: {min: [-1, -1%s], max: [%.9g, 99%s]}}, duration: 1, amplitude: 100}]\n"
           "time: {%s}\noutput: {every: 10, maps: [activation], velocity: [{name: v, from: a, to: b}], probes: [\n"
           "  {name: a, at: [%.9g, 0%s], field: activation}, {name: b, at: [%.9g, 0%s], field: activation}]}\n",
           grid, s->element, s->more, s->ionic, tissue, s->dim == 3 ? ", -1" : "", 6.1 * s->h,
           s->dim == 3 ? ", 99" : "", s->time, 0.5 * N * s->h, z, 0.8 * N * s->h, z);
  scratch_write(folder, "case.yaml", text);
  *said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", NULL);
  if (said->code) fail_msg("%s", said->err);
  char *csv = scratch_read(folder, "results/probes.csv");
  const double speed = strtod(strrchr(csv, ',') + 1, NULL);
  free(csv);
  return speed;
}

/* In each direction, whatever the elements, the scheme and the mass: within 5 % of the run. */
static void as_it_runs(void **state) {
  (void)state;
  static const Strip strip[] = {
      {"quad4", "aliev-panfilov", "end: 420, step: 0.4", "", 0.9, {0.7, 0.31}, 2},
      {"tri3", "mitchell-schaeffer", "end: 90, step: 0.1", "mass: 0.5\n", 0.45, {0.21, 0.083}, 2},
      {"quad4", "aliev-panfilov", "end: 420, step: 0.4", "reaction: gauss\n", 1.1, {0.9, 0.4}, 2},
      {"quad4, order: 2", "bueno-orovio", "end: 60, step: 0.05, scheme: bdf2", "", 0.2, {0.093, 0.04}, 2},
      {"hex8", "aliev-panfilov", "end: 460, step: 0.5", "", 0.8, {0.83, 0.4, 0.21}, 3},
      {"tet4", "ten-tusscher", "end: 70, step: 0.05", "", 0.22, {0.13, 0.06, 0.035}, 3}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof strip / sizeof *strip; ++k)
    for (int way = 0; way < strip[k].dim; ++way) {
      Said said;
      if (testing_checks() && (k || way)) continue;
      const double speed = ran(folder, &strip[k], way, &said);
      const Line line = line_of(said.out);
      print_message("%s %s: %d directions, direction %d: said %.3g mm/ms (fine %.3g), ran %.4f\n", strip[k].element,
                    strip[k].ionic, line.n, way, line.mesh[way], line.fine[way], speed);
      assert_int_equal(line.n, strip[k].dim);
      assert_true(fabs(line.mesh[way] / speed - 1) < 0.05);
      assert_true(fabs(line.fine[way] / line.fine[0] / sqrt(strip[k].D[way] / strip[k].D[0]) - 1) < 0.05);
      said_release(&said);
    }
  scratch_remove(&folder);
}

/* What check says of a case, in err. */
static Said check(const char *folder, const char *text) {
  scratch_write(folder, "case.yaml", text);
  return app_says("check", scratch_path(folder, "case.yaml"), NULL);
}

#define GRID "version: 1\nmesh: {grid: [%s], size: [%s]}\nphysics: monodomain\n"
#define REST "stimuli: [{on: x0, depth: 0.4, duration: 2, amplitude: 60}]\ntime: {end: 50, step: 0.05}\n"
#define STRIP(tissue)                                                                                                  \
  "version: 1\nmesh: {grid: [161, 9], size: [12, 0.6]}\nphysics: monodomain\ntissue: [{on: body, ionic: "              \
  "ten-tusscher, " tissue "}]\n" REST

/* Numbers in another unit, each once with its remedy; and tissue that is as it should be. */
static void units(void **state) {
  (void)state;
  static const struct {
    const char *text, *said, *too;
  } row[] = {
      {STRIP("diffusivity: 12.5"), "case.yaml:4:55: fronts in tissue 'body' will run at",
       "remedy: a diffusivity of 0.093"},
      {STRIP("diffusivity: 1.7e-4"), "fronts in tissue 'body' will run at 0.0", "remedy: a diffusivity of 0.0"},
      {STRIP("conductivity: {intra: 0.15, extra: 0.55, surface-to-volume: 0.13}"), "will run at",
       "'surface-to-volume: 130', per mm, if 0.13 is per micrometre"},
      {STRIP(
           "conductivity: {intra: [1.5, 0.3], extra: [5.5, 2.1], surface-to-volume: 140}, fibers: {direction: [1, 0]}"),
       "intra is 1.5 S/m", "extra is 5.5 S/m"},
      {STRIP(
           "conductivity: {intra: [190, 21], extra: [590, 210], surface-to-volume: 140}, fibers: {direction: [1, 0]}"),
       "intra is 190 S/m", "will run at"},
      {STRIP("conductivity: {intra: 2.2e-4, extra: 6e-4, surface-to-volume: 140}"), "intra is 0.00022 S/m",
       "extra is 0.0006 S/m"},
      {STRIP("diffusivity: {along: 0.12, across: 9e-4}, fibers: {direction: [1, 0]}"), "mm/ms across",
       "along they are"},
      {STRIP("diffusivity: 0.11, fibers: {direction: [1, 0]}"), "fibers of tissue 'body' change nothing",
       "'along:' and 'across:'"},
      {STRIP("conductivity: {intra: 0.15, extra: 0.55, surface-to-volume: 140}") "output: {ecg: [{name: l, positive: "
                                                                                 "[99, "
                                                                                 "0]}], medium: 170}\n",
       "medium is 170 S/m", "case.yaml:7:"},
      {"version: 1\nmesh: {grid: [81, 5], size: [12, 0.6]}\nphysics: monodomain\ntissue: [{on: body, diffusivity: 0.1, "
       "ionic: "
       "{model: ten-tusscher, g-na: \"*0.02\", p-cal: \"*0.1\"}}]\n" REST,
       "case.yaml:4:", "no front will run in tissue 'body', on no mesh"},
      {STRIP("diffusivity: 0.12"), NULL, NULL},
      {STRIP("diffusivity: {along: 0.12, across: 0.02}, fibers: {direction: [1, 0]}"), NULL, NULL},
      {STRIP(
           "conductivity: {intra: [0.17, 0.03], extra: [0.62, 0.26], surface-to-volume: 140}, fibers: {direction: [1, "
           "0]}") "output: {ecg: [{name: l, positive: [99, 0]}], medium: 0.2}\n",
       NULL, NULL}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    Said said = check(folder, row[k].text);
    if (said.code) fail_msg("%s: %d, %s", row[k].text, said.code, said.err);
    if (row[k].said && (!strstr(said.err, row[k].said) || !strstr(said.err, row[k].too)))
      fail_msg("%s: %s", row[k].text, said.err);
    if (!row[k].said && (*said.err || line_of(said.out).n == 0)) fail_msg("%s: %s", row[k].text, said.err);
    const char *first = row[k].said ? strstr(said.err, row[k].said) : NULL;
    if (first && strstr(first + 1, row[k].said)) fail_msg("said twice: %s", said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* One mesh along the fibres and across: of a direction in which the front is as it should be nothing is said; and a run in which
 * nothing starts, as was said before it, does not say so again. */
static void one_direction(void **state) {
  (void)state;
  static const struct {
    const char *mesh, *tissue, *said, *never;
  } row[] = {
      {"grid: [111, 7], size: [11, 0.6]", "diffusivity: {along: 0.13, across: 0.018}, fibers: {direction: [1, 0]}",
       "across the fibres of tissue 'body': on average an element is 1.", "along"},
      {"grid: [111, 7], size: [11, 0.6]", "diffusivity: {along: 0.018, across: 0.13}, fibers: {direction: [0, 1]}",
       "too slow along the fibres\n", "too slow across"},
      {"grid: [21, 7], size: [11, 0.6]", "diffusivity: {along: 0.13, across: 0.018}, fibers: {direction: [0, 1]}",
       "across the fibres of tissue 'body': on average an element is ", "along"},
      {"grid: [31, 4], size: [11, 1]", "diffusivity: {along: 0.13, across: 0.02}, fibers: {direction: [1, 0]}",
       "too slow along the fibres and some", "0 % too"},
      {"grid: [111, 7], size: [11, 0.6]", "diffusivity: {along: 0.13, across: 0.11}, fibers: {direction: [1, 0]}", NULL,
       NULL}};
  char *folder = scratch_create(), text[1024];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {%s}\nphysics: monodomain\ntissue: [{on: body, ionic: ten-tusscher, %s}]\n" REST,
             row[k].mesh, row[k].tissue);
    Said said = check(folder, text);
    print_message("%s\n", said.err);
    if (said.code || (row[k].said && !strstr(said.err, row[k].said)) || (!row[k].said && strstr(said.err, "coarse")) ||
        (row[k].never && strstr(said.err, row[k].never)) || strstr(said.err, "some 0 %"))
      fail_msg("%s: %s", text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

static void once(void **state) {
  (void)state;
  static const struct {
    const char *size, *cells, *said, *after;
  } row[] = {{"[90, 30]", "ten-tusscher", "no front will run", "no node beyond those of the stimuli"},
             {"[12, 4]", "{model: ten-tusscher, g-na: \"*0.02\", p-cal: \"*0.1\"}", "on no mesh",
              "no node beyond those of the stimuli"}};
  char *folder = scratch_create(), text[1024];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [31, 11], size: %s}\nphysics: monodomain\ntissue: [{on: body, diffusivity: 0.11, "
        "ionic: %s}]\nstimuli: [{on: x0, depth: 1, duration: 2, amplitude: 60}]\ntime: {end: 60, step: 0.05}\n"
        "output: {every: 60}\n",
        row[k].size, row[k].cells);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--quiet", "--backend", "cpu", NULL);
    if (said.code || !strstr(said.err, row[k].said) || strstr(said.err, row[k].after))
      fail_msg("%s: %s", text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* A mesh in micrometres, a diffusivity far too small, steps far too short: no strand of them is stepped. */
static void far_off(void **state) {
  (void)state;
  static const char *const text[] = {
      "version: 1\nmesh: {grid: [15, 8, 4], size: [14000, 6500, 2100], element: tet4}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: ohara-rudy, conductivity: {intra: [0.19, 0.02], extra: [0.6, 0.22], "
      "surface-to-volume: 140}, fibers: {direction: [1, 0, 0]}}]\n" REST,
      "version: 1\nmesh: {grid: [9, 4], size: [3, 0.7]}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: tor-ord, diffusivity: 3e-15}]\n" REST,
      "version: 1\nmesh: {grid: [9, 4], size: [3, 0.7]}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 2e-55}]\nreaction: gauss\n" REST,
      "version: 1\nmesh: {grid: [9, 4], size: [3, 0.7]}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 4e-59}]\n" REST,
      "version: 1\nmesh: {grid: [9, 4], size: [3, 0.7]}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 0.02}]\n"
      "stimuli: [{on: x0, depth: 0.4, duration: 2, amplitude: 60}]\ntime: {end: 3e-15, step: 3e-19}\n"};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof text / sizeof *text; ++k) {
    const double begin = clock_seconds();
    Said said = check(folder, text[k]);
    const double spent = clock_seconds() - begin;
    print_message("%.2f s: %s\n", spent, said.err);
    assert_int_equal(said.code, 0);
    assert_non_null(strstr(said.err, k % 2 == 0 && k > 0 ? "the mesh is coarse" : "the mesh is too coarse for a wave"));
    assert_null(strstr(said.err, "nan"));
    assert_null(strstr(said.out, "nan"));
    if (k == 0) assert_non_null(strstr(said.err, "'scale: 1e-3' under 'mesh:'"));
    assert_true(spent < (testing_checks() ? 60 : 5));
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Elements between too long and far too long: the answer of a strand comes soon, and is that of all longer ones. */
static void long_elements(void **state) {
  (void)state;
  static const char *const models[] = {"aliev-panfilov", "ten-tusscher", "tor-ord"};
  for (int m = 0; m < 3; ++m) {
    const IonicConstants c = ionic_constants(ionic_by_name(models[m]), 0);
    const double l = strand_front(&c), steep = ionic_type(c.kind)->front_slope(&c);
    for (double times = 150; times < 1e9; times *= 30) {
      const StrandParams p = {.ionic = &c, .scheme = &bdf2_scheme, .h = times * l, .step = 0.1 / steep};
      double speed;
      StrandPulse pulse;
      const double begin = clock_seconds();
      assert_ok(strand_speed(&p, &speed));
      assert_true(speed == 0);
      assert_ok(strand_pulse(&p, 1, 50, 2, &pulse));
      print_message("%s: %g lengths of a front, %.2f s\n", models[m], times, clock_seconds() - begin);
      assert_false(pulse.captures);
      assert_true(clock_seconds() - begin < (testing_checks() ? 60 : 5));
      assert_ok(strand_pulse(&p, 1, 1e5, 2, &pulse));
      assert_true(pulse.lost || pulse.highest > 200);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_it_runs),    cmocka_unit_test(units),
                                     cmocka_unit_test(one_direction), cmocka_unit_test(once),
                                     cmocka_unit_test(far_off),       cmocka_unit_test(long_elements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
