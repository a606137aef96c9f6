/* Load cases, combinations and envelopes against runs of their own. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 6, NODES = 9 * 3 * 3, CELLS = 8 * 2 * 2 };

#define HEAD(more)                                                                                                     \
  "version: 1\nphysics: elasticity\nmodel: 3d\nsolver: {rtol: 1e-12" more "}\n"                                        \
  "mesh: {grid: [9, 3, 3], size: [4, 1, 1]}\n"                                                                         \
  "materials: [{on: body, young: 1000, poisson: 0.3, density: 2}]\n"
#define OUTPUT                                                                                                         \
  "output:\n"                                                                                                          \
  "  fields: [displacement, stress, von-mises, principal, reaction, strain-energy, element-stress]\n"                  \
  "  probes: [{name: u, at: [4, 1, 1], field: displacement-z}, {name: s, at: [0.3, 0.9, 0.2], field: stress-xx},"      \
  " {name: m, at: [0.5, 0, 1], field: von-mises}]\n"                                                                   \
  "  sums: [{name: r, on: x0, field: reaction}]\n"
#define SUPPORT(more) "boundary: [{on: x0, fix: all}, {on: z0, spring: [0, 0, 3]}" more "]\n"
#define PULL "{on: x1, traction: [5, 0, 1]}"
#define PRESS "{on: z1, pressure: \"1 + x\"}"
#define SINK "{on: x0, fix: {z: \"-0.1 - 0.01*y\"}}"
#define WEIGHT "body: [{on: body, gravity: [0, 0, -3]}]"
#define ALL(more)                                                                                                      \
  HEAD(more)                                                                                                           \
  SUPPORT("")                                                                                                          \
  "load-cases:\n"                                                                                                      \
  "  - {name: pull, boundary: [" PULL "]}\n"                                                                           \
  "  - {name: press, boundary: [" PRESS "], " WEIGHT "}\n"                                                             \
  "  - {name: sink, boundary: [" SINK "]}\n"                                                                           \
  "combinations:\n"                                                                                                    \
  "  - {name: all, factors: {pull: 1.5, press: -2, sink: 1}}\n"                                                        \
  "  - {name: some, factors: {press: 1}}\n"                                                                            \
  "envelopes: [{name: worst, of: [pull, press, sink]}]\n" OUTPUT

static const char *const FIELDS[] = {"displacement", "stress", "von-mises", "principal", "reaction"};
enum { N_FIELDS = sizeof FIELDS / sizeof *FIELDS };

/* Columns of step k (0 is the first row) behind the first one, which is *first. */
static void row(const char *folder, int k, double *first, double *value) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = text;
  for (int i = 0; i <= k; ++i) at = strchr(at, '\n') + 1;
  assert_int_equal(sscanf(at, "%lf", first), 1);
  for (int i = 0; i < COLUMNS; ++i) {
    at = strchr(at, ',') + 1;
    assert_int_equal(sscanf(at, "%lf", &value[i]), 1);
  }
  free(text);
}

/* A field of a step, [n][width]; owned. */
static double *field(const char *folder, const char *name, bool on_cells, int step, int64_t *n) {
  Result *result = NULL;
  double *value;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  const ResultField *f = result_field(result, name, on_cells);
  assert_non_null(f);
  *n = (on_cells ? result->n_cell : result->n_node) * f->n_component;
  value = malloc((size_t)*n * sizeof *value);
  assert_ok(result_read(result, f, step, value));
  result_close(&result);
  return value;
}

static double largest(const double *v, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; ++i) most = fmax(most, fabs(v[i]));
  return most;
}

/* Step k of one is the only step of the other, in every field and column. */
static void same_step(const char *all, int k, const char *one, double tolerance) {
  double first, a[COLUMNS], b[COLUMNS];
  for (int f = 0; f < N_FIELDS; ++f) {
    int64_t n;
    double *x = field(all, FIELDS[f], false, k, &n), *y = field(one, FIELDS[f], false, 0, &n);
    const double scale = largest(y, n);
    for (int64_t i = 0; i < n; ++i)
      if (!(fabs(x[i] - y[i]) <= tolerance * scale))
        fail_msg("%s of step %d: number %d is %.17g, not %.17g", FIELDS[f], k + 1, (int)i, x[i], y[i]);
    free(x);
    free(y);
  }
  row(all, k, &first, a);
  assert_true(first == k + 1);
  row(one, 0, &first, b);
  for (int i = 0; i < COLUMNS; ++i) assert_within(a[i], b[i], 1e2 * tolerance * fmax(1, largest(b, COLUMNS)));
}

static void are_runs_of_their_own(void **state) {
  (void)state;
  static const char *const one[] = {
      HEAD("") SUPPORT(", " PULL) OUTPUT, HEAD("") SUPPORT(", " PRESS) WEIGHT "\n" OUTPUT,
      HEAD("") "boundary: [" SINK ", {on: x0, fix: {x: 0, y: 0}}, {on: z0, spring: [0, 0, 3]}]\n" OUTPUT,
      HEAD("") "boundary: [" SINK ", {on: x0, fix: {x: 0, y: 0}}, {on: z0, spring: [0, 0, 3]},"
               " {on: x1, traction: [7.5, 0, 1.5]}, {on: z1, pressure: \"-2 - 2*x\"}]\n"
               "body: [{on: body, gravity: [0, 0, 6]}]\n" OUTPUT};
  char *all = scratch_create(), *folder = scratch_create();
  app_runs(all, ALL(""));
  for (int k = 0; k < 4; ++k) {
    app_runs(folder, one[k]);
    same_step(all, k, folder, 1e-9);
  }
  app_runs(all, ALL(", preconditioner: amg"));
  same_step(all, 3, folder, 1e-9);
  scratch_remove(&folder);
  scratch_remove(&all);
}

#define HEATED                                                                                                         \
  "version: 1\nphysics: elasticity\nmodel: 3d\nsolver: {rtol: 1e-12}\n"                                                \
  "mesh: {grid: [9, 3, 3], size: [4, 1, 1]}\n"                                                                         \
  "materials: [{on: body, young: 1000, poisson: 0.3, density: 2, expansion: [1e-3, 2e-3, 0]}]\n"
#define HOT(temperature) "thermal: {reference: 2, temperature: " temperature "}"

/* Strain load and recovery of each load case by its own temperature, those of a combination by the sum. */
static void each_has_its_temperature(void **state) {
  (void)state;
  static const char *const one[] = {
      HEATED SUPPORT("") HOT("\"12 + x*y\"") "\n" OUTPUT, HEATED SUPPORT(", " PULL) OUTPUT,
      HEATED SUPPORT(", " PRESS) HOT("7") "\n" OUTPUT,
      HEATED SUPPORT(", {on: x1, traction: [5, 0, 1]}, {on: z1, pressure: \"-0.5 - 0.5*x\"}")
          HOT("\"2 + 2*(10 + x*y) - 0.5*5\"") "\n" OUTPUT};
  char *all = scratch_create(), *folder = scratch_create();
  app_runs(all,
           HEATED SUPPORT("") "load-cases:\n"
                              "  - {name: hot, " HOT("\"12 + x*y\"") "}\n"
                                                                     "  - {name: pull, boundary: [" PULL "]}\n"
                                                                     "  - {name: both, boundary: [" PRESS "], " HOT(
                                                                         "7") "}\n"
                                                                              "combinations: [{name: c, factors: {hot: "
                                                                              "2, both: -0.5, pull: 1}}]\n" OUTPUT);
  for (int k = 0; k < 4; ++k) {
    app_runs(folder, one[k]);
    same_step(all, k, folder, 1e-9);
  }
  scratch_remove(&folder);
  scratch_remove(&all);
}

#define SOLID(rtol)                                                                                                    \
  "version: 1\nphysics: elasticity\nmodel: 3d\nsolver: {rtol: " rtol "}\n"                                             \
  "mesh: {grid: [6, 3, 3], size: [4, 1, 1], order: 2}\n"                                                               \
  "materials: [{on: body, young: 1000, poisson: 0.49999, expansion: 1e-4}]\n"
#define FULL                                                                                                           \
  "load-cases:\n"                                                                                                      \
  "  - {name: pull, boundary: [" PULL                                                                                  \
  "], " HOT("\"12 + x*y\"") "}\n"                                                                                      \
                            "  - {name: press, boundary: [" PRESS "]}\n"                                               \
                            "  - {name: sink, boundary: [" SINK "]}\n"                                                 \
                            "combinations: [{name: c, factors: {pull: 1, press: -2, sink: 1}}]\n" OUTPUT

/* What keeps its volume is solved as exactly as asked for, in as many iterations as one load alone, since elements keep their
 * changes of volume in each load case. */
static void keep_their_volume(void **state) {
  (void)state;
  static const double LEFT = 4e-6; /* rtol times the ratio of moduli, 5e4: pressure of what a residual leaves open */
  static const char *const one[] = {
      SOLID("8e-11") SUPPORT(", " PRESS) OUTPUT,
      SOLID("8e-11") "boundary: [" SINK ", {on: x0, fix: {x: 0, y: 0}}, {on: z0, spring: [0, 0, 3]}, " PULL
                     ", {on: z1, pressure: \"-2 - 2*x\"}]\n" HOT("\"12 + x*y\"") "\n" OUTPUT};
  char *all = scratch_create(), *folder = scratch_create();
  app_runs(all, SOLID("8e-11") SUPPORT("") FULL);
  assert_true(scratch_reported(all, "iterations") < 400);
  app_runs(folder, one[0]);
  same_step(all, 1, folder, LEFT);
  app_runs(folder, one[1]);
  same_step(all, 3, folder, LEFT);
  app_runs(all, SOLID("1e-13") SUPPORT("") FULL); /* turns get nowhere there */
  same_step(all, 3, folder, LEFT);
  scratch_remove(&folder);
  scratch_remove(&all);
}

/* Each node of the envelope has what the step has whose von Mises stress is largest there. */
static void envelope_is_the_largest(void **state) {
  (void)state;
  enum { STEPS = 3 };
  double *vm[STEPS], *s[STEPS], first, value[COLUMNS], best = 0;
  int64_t n, m;
  int governs = -1;
  char *all = scratch_create();
  app_runs(all, ALL(""));
  double *which = field(all, "governing-case", false, 5, &n), *worst = field(all, "von-mises", false, 5, &n);
  double *stress = field(all, "stress", false, 5, &m);
  for (int k = 0; k < STEPS; ++k) {
    vm[k] = field(all, "von-mises", false, k, &n);
    s[k] = field(all, "stress", false, k, &m);
  }
  bool several = false;
  for (int64_t i = 0; i < n; ++i) {
    int at = 0;
    for (int k = 1; k < STEPS; ++k)
      if (vm[k][i] > vm[at][i]) at = k;
    assert_true(which[i] == at + 1 && worst[i] == vm[at][i]);
    assert_memory_equal(&stress[6 * i], &s[at][6 * i], 6 * sizeof(double));
    several = several || which[i] != which[0];
  }
  assert_true(several);
  for (int k = 0; k < STEPS; ++k) {
    row(all, k, &first, value);
    if (value[2] > best) best = value[2], governs = k;
  }
  assert_true(governs >= 0);
  row(all, 5, &first, value);
  assert_true(first == 6 && value[2] == best);
  for (int k = 0; k < STEPS; ++k) free(vm[k]), free(s[k]);
  free(which);
  free(worst);
  free(stress);
  scratch_remove(&all);
}

/* Largest and smallest principal stress of xx yy zz xy yz xz, by the cosines of the cubic's roots. */
static void ends_of(const double *s, double *most, double *least) {
  const double mean = (s[0] + s[1] + s[2]) / 3, a = s[0] - mean, b = s[1] - mean, c = s[2] - mean;
  const double p = sqrt((a * a + b * b + c * c + 2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])) / 6);
  const double det = a * (b * c - s[4] * s[4]) - s[3] * (s[3] * c - s[4] * s[5]) + s[5] * (s[3] * s[4] - b * s[5]);
  const double angle = p > 0 ? acos(fmax(-1, fmin(1, det / (2 * p * p * p)))) / 3 : 0;
  *most = mean + 2 * p * cos(angle);
  *least = mean + 2 * p * cos(angle + 2 * M_PI / 3);
}

/* What an envelope of this field makes largest, of a node's or element's values in one step. */
static double measured(int kind, const double *stress, const double *u) {
  double most, least;
  ends_of(stress, &most, &least);
  if (kind == 1) return most;
  if (kind == 2) return -least;
  if (kind == 3 && u) return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double a = stress[0] - stress[1], b = stress[1] - stress[2], c = stress[2] - stress[0];
  return sqrt(0.5 * (a * a + b * b + c * c) +
              3 * (stress[3] * stress[3] + stress[4] * stress[4] + stress[5] * stress[5]));
}

/* One place of the envelope has the numbers of the step that governs there; ties within round-off may go either way. */
static void place_is_of_the_worst(int kind, int64_t i, double *const stress[3], double *const u[3], const double *got,
                                  int *seen) {
  double value[3], best = -HUGE_VAL, size = 0;
  bool held = false;
  for (int k = 0; k < 3; ++k) {
    value[k] = measured(kind, stress[k] + 6 * i, u ? u[k] + 3 * i : NULL);
    best = fmax(best, value[k]), size = fmax(size, fabs(value[k]));
  }
  for (int k = 0; k < 3; ++k)
    if (value[k] >= best - 1e-9 * size && memcmp(got + 6 * i, stress[k] + 6 * i, 6 * sizeof *got) == 0)
      held = true, *seen |= 1 << k;
  if (!held) fail_msg("envelope %d: place %d has not the step of the worst", kind, (int)i);
}

/* Of every field, at nodes and in elements. */
static void envelopes_of_all_fields(void **state) {
  (void)state;
  char *all = scratch_create();
  double *u[3], *nodes[3], *cells[3];
  int64_t n, m;
  app_runs(all,
           HEAD("") SUPPORT("") "load-cases:\n"
                                "  - {name: pull, boundary: [{on: x1, traction: [3, 1, -2]}]}\n"
                                "  - {name: press, boundary: [{on: z1, pressure: \"2 + y\"}]}\n"
                                "  - {name: sink, boundary: [{on: y1, traction: [-1, 0, 2]}]}\n"
                                "envelopes: [{name: a, of: [pull, press, sink]}, {name: b, of: [pull, press, sink], "
                                "field: principal-1}, {name: c, of: [pull, press, sink], field: principal-3}, {name: "
                                "d, of: [pull, press, sink], field: displacement}]\n" OUTPUT);
  for (int k = 0; k < 3; ++k) {
    u[k] = field(all, "displacement", false, k, &m);
    nodes[k] = field(all, "stress", false, k, &n);
    cells[k] = field(all, "element-stress", true, k, &m);
  }
  for (int kind = 0; kind < 4; ++kind) {
    int at_nodes = 0, in_cells = 0;
    double *stress = field(all, "stress", false, 3 + kind, &n),
           *inside = field(all, "element-stress", true, 3 + kind, &m);
    for (int64_t i = 0; i < n / 6; ++i) place_is_of_the_worst(kind, i, nodes, u, stress, &at_nodes);
    for (int64_t i = 0; i < m / 6; ++i) place_is_of_the_worst(kind, i, cells, NULL, inside, &in_cells);
    assert_true((at_nodes & (at_nodes - 1)) != 0 && (in_cells & (in_cells - 1)) != 0); /* several govern */
    free(stress);
    free(inside);
  }
  for (int k = 0; k < 3; ++k) free(u[k]), free(nodes[k]), free(cells[k]);
  scratch_remove(&all);
}

/* What report.json says of the largest stress of a step. */
static void has_its_largest(const char *folder, const char *json, const char *step, int k) {
  char name[64];
  int64_t n;
  snprintf(name, sizeof name, "\"name\": \"%s\"", step);
  const char *at = strstr(json, name);
  assert_non_null(at);
  at = strstr(at, "\"von-mises\"");
  assert_non_null(at);
  at = strstr(at, "\"value\": ") + strlen("\"value\": ");
  double *value = field(folder, "von-mises", false, k, &n);
  assert_within(strtod(at, NULL), largest(value, n), 1e-12 * largest(value, n));
  free(value);
}

static void names_are_kept(void **state) {
  (void)state;
  char *all = scratch_create();
  app_runs(all,
           ALL("") "expect:\n  - {probe: u, load-case: sink, value: 1}\n  - {sum: r-x, load-case: pull, value: -5, "
                   "rtol: 1e-9}\n");
  char *json = scratch_read(all, "results/report.json"), name[32];
  Result *result = NULL;
  assert_ok(result_open(scratch_path(all, "results/results.hdf"), &result));
  assert_true(result_step_name(result, 5, name, sizeof name));
  assert_string_equal(name, "worst");
  assert_true(result_step_name(result, 1, name, sizeof name));
  assert_string_equal(name, "press");
  assert_false(result_step_name(result, 6, name, sizeof name));
  result_close(&result);
  assert_non_null(strstr(json, "\"name\": \"press\""));
  assert_non_null(strstr(json, "\"kind\": \"combination\""));
  assert_non_null(strstr(json, "\"governed_by\": \""));
  has_its_largest(all, json, "press", 1);
  has_its_largest(all, json, "all", 3);
  Said said = app_says("verify", scratch_path(all, "case.yaml"), NULL);
  assert_non_null(strstr(said.out, "u in sink"));
  assert_null(strstr(said.out, "nan"));
  assert_non_null(strstr(said.out, "r-x in pull                            -5"));
  said_release(&said);
  said = app_says("check", scratch_path(all, "case.yaml"), NULL);
  assert_non_null(strstr(said.out, "total load of 'pull': [5, "));
  assert_non_null(strstr(said.out, "factors: {pull: 1.5, press: -2, sink: 1}"));
  said_release(&said);
  free(json);
  scratch_remove(&all);
}

/* 19 load cases go in groups. */
static void many_load_cases(void **state) {
  (void)state;
  enum { MANY = 19 };
  char *folder = scratch_create(), text[8192];
  double first, value[COLUMNS];
  int n = snprintf(text, sizeof text, HEAD("") SUPPORT("") OUTPUT "load-cases:\n");
  for (int k = 0; k < MANY; ++k)
    n += snprintf(text + n, sizeof text - (size_t)n, "  - {name: n%d, boundary: [{on: x1, force: [%d, 0, 0]}]}\n", k,
                  k + 1);
  app_runs(folder, text);
  for (int k = 0; k < MANY; ++k) {
    row(folder, k, &first, value);
    assert_near(value[3], -(k + 1.0), 1e-9);
  }
  scratch_remove(&folder);
}

static void refused(const char *text, const char *part, const char *more) {
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", text);
  static const char *const word[] = {"check", "run"};
  for (int k = 0; k < 2; ++k) {
    Said said = app_says(word[k], scratch_path(folder, "case.yaml"), NULL);
    if (said.code != 3) fail_msg("exit code %d, not 3: %s%s", said.code, said.out, said.err);
    if (!strstr(said.err, part) || !strstr(said.err, more)) fail_msg("no \"%s\", \"%s\" in\n%s", part, more, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

#define CASES "load-cases: [{name: a, boundary: [" PULL "]}, {name: b, boundary: [" SINK "]}]\n"
static void wrong_use(void **state) {
  (void)state;
  refused(HEAD("") SUPPORT("") "load-cases: [{name: a}]\n", "case.yaml:8:14: load case 'a' has no load", "body");
  refused(HEAD("") SUPPORT("") "load-cases: [{name: a, boundary: [{on: x1, traction: [0, 0, 0]}]}]\n",
          "case.yaml:8:14: load case 'a' has no load: no traction", "remedy: give it one");
  refused(HEAD("") "boundary: [{on: x0, fix: {x: 0, y: 0}}, {on: z0, spring: [0, 0, 3]}]\n" CASES,
          "displacement z of node ", "is prescribed in load case 'b' and free in 'a'");
  refused(HEAD("") "boundary: [{on: x0, fix: all}, {on: z0, fix: {z: 0}}]\n" CASES, "prescribes z = 0, ",
          "in load case 'b'");
  refused(HEAD("") SUPPORT(", " PULL) CASES, "with 'load-cases' each load belongs to one of them", "traction here");
  refused(HEAD("") SUPPORT("") WEIGHT "\n" CASES, "move body into a load case", "case.yaml:8:");
  refused(HEAD("") SUPPORT("") "load-cases: [{name: a, boundary: [{on: x1, spring: 3}]}]\n",
          "spring is part of the stiffness", "'boundary' of the case");
  refused(HEAD("") SUPPORT("") CASES "combinations: [{name: c, factors: {bb: 2}}]\n", "unknown load case 'bb'",
          "did you mean 'b'?");
  refused(HEAD("") SUPPORT("") CASES "combinations: [{name: a, factors: {b: 2}}]\n",
          "there is a load case, combination or envelope 'a' already", "another name");
  refused(HEAD("") SUPPORT("") CASES "combinations: [{name: c, factors: 2}]\n", "factors must be a map of numbers",
          "{dead: 1.35");
  refused("version: 1\nmesh: {file: a.geo, gmsh: 2}\nphysics: heat\n", "gmsh must be a map of numbers by name",
          "{radius: 2}");
  refused("version: 1\nmesh: {grid: [2, 2]}\nphysics: monodomain\ntissue: [{on: body, ionic: {parameters: 2}}]\n",
          "parameters must be a map of numbers by name", "{ina.gNa: 12}");
  refused(HEAD("") SUPPORT("") CASES "envelopes: [{name: c, of: [a, c]}]\n", "unknown load case or combination 'c'",
          "known: a, b");
  refused(HEAD("") SUPPORT(", " PULL) "combinations: [{name: c, factors: {b: 2}}]\n", "combinations need 'load-cases:'",
          "case.yaml:8:");
  refused(HEATED SUPPORT("") CASES HOT("5") "\n", "case.yaml:9:10: with 'load-cases' each load belongs to one of them",
          "move thermal into a load case");
  refused(HEAD("") SUPPORT("") "load-cases: [{name: a, " HOT("5") "}]\n", "no material expands", "case.yaml:8:");
  refused(HEATED SUPPORT("") "load-cases: [{name: a, " HOT("2") "}]\n", "load case 'a' has no load",
          "body force or temperature");
  refused(HEAD("") SUPPORT("") CASES OUTPUT "expect: [{probe: u, load-case: c, value: 1}]\n", "unknown load case 'c'",
          "known: a, b");
  refused(HEAD("") SUPPORT(", " PULL) OUTPUT "expect: [{probe: u, load-case: c, value: 1}]\n",
          "load-case of a row needs 'load-cases:'", "there are none");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(are_runs_of_their_own),   cmocka_unit_test(each_has_its_temperature),
      cmocka_unit_test(keep_their_volume),       cmocka_unit_test(envelope_is_the_largest),
      cmocka_unit_test(envelopes_of_all_fields), cmocka_unit_test(names_are_kept),
      cmocka_unit_test(many_load_cases),         cmocka_unit_test(wrong_use)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
