/* The unit of every field of every physics, as the file has it, against the column `unit` of the table in docs/results.md: each
 * field is in the table, and each row of the table is seen. */
#include "app/input/units.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 80, NAME = 128 };
typedef struct Row {
  char name[NAME], kind[NAME];
  bool cells, seen;
} Row;
static Row row[ROWS];
static int n_row;

static void row_add(const char *name, const char *where, const char *kind) {
  assert_true(n_row < ROWS);
  Row *r = &row[n_row++];
  snprintf(r->name, NAME, "%s", name);
  snprintf(r->kind, NAME, "%s", strcmp(kind, "-") ? kind : "");
  r->cells = !strcmp(where, "cells");
}

/* "`displacement-real`, `-imaginary`": what begins with a dash takes the place of the first one's last part. */
static void names_add(char *names, const char *where, const char *kind) {
  char first[NAME] = "", full[NAME], *rest = NULL;
  for (char *word = strtok_r(names, "`", &rest); word; word = strtok_r(NULL, "`", &rest)) {
    if (!strchr("-abcdefghijklmnopqrstuvwxyz", *word) || word[1] == '-' || !strncmp(word, "and", 3) ||
        strchr(word, ' '))
      continue;
    char *dash = strrchr(first, '-');
    snprintf(full, NAME, "%.*s%.40s", *word == '-' && dash ? (int)(dash - first) : 0, first, word);
    if (*word != '-') snprintf(first, NAME, "%s", word);
    row_add(full, where, kind);
  }
}

static void read_table(void) {
  FILE *file = fopen(SINEW_SOURCE_DIR "/docs/results.md", "r");
  char line[4000], names[400], where[40], shape[100], kind[NAME];
  bool inside = false;
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    if (inside && *line != '|') break;
    if (inside && sscanf(line, "| %399[^|]| %39[^ |] | %99[^|]| %127[^ |] |", names, where, shape, kind) == 4)
      names_add(names, where, kind);
    inside |= !strncmp(line, "| field | where | shape | unit |", 31);
  }
  fclose(file);
  assert_true(n_row > 40);
}

/* "repolarization-3" goes by "repolarization", "point-stress-3" by "point-stress-1". */
static Row *row_of(const ResultField *field) {
  const char *dash = strrchr(field->name, '-');
  const int n = dash ? (int)(dash - field->name) : (int)strlen(field->name);
  char name[3][NAME + 4];
  snprintf(name[0], NAME, "%s", field->name);
  snprintf(name[1], NAME, "%.*s", n, field->name);
  snprintf(name[2], NAME + 4, "%.*s-1", n, field->name);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < n_row; ++i)
      if (!strcmp(row[i].name, name[k]) && row[i].cells == field->on_cells) return &row[i];
  return NULL;
}

static const char *wanted(const Units *units, const Row *r) {
  for (int kind = 1; kind < N_UNIT_KINDS; ++kind)
    if (!strcmp(unit_kind_name((UnitKind)kind), r->kind)) {
      const char *text = units_text(units, (UnitKind)kind);
      if (!text) fail_msg("%s: this case has no unit of %s", r->name, r->kind);
      return text;
    }
  if (*r->kind) fail_msg("docs/results.md: %s: '%s' is no kind of unit", r->name, r->kind);
  return "";
}

static void check_fields(const char *path, const Units *units) {
  Result *result = NULL;
  assert_ok(result_open(path, &result));
  for (int f = 0; f < result->n_field; ++f) {
    char unit[40];
    Row *r = row_of(&result->field[f]);
    if (!r)
      fail_msg("docs/results.md does not have %s (on %s)", result->field[f].name,
               result->field[f].on_cells ? "cells" : "nodes");
    r->seen = true;
    result_unit(result, &result->field[f], unit, sizeof unit);
    if (strcmp(unit, wanted(units, r)) != 0)
      fail_msg("%s is in '%s', by docs/results.md in '%s'", r->name, unit, wanted(units, r));
  }
  result_close(&result);
}

static void check_file(const char *folder, const char *text) {
  Case *c = NULL;
  Units units;
  app_runs(folder, text);
  assert_ok(case_parse(scratch_path(folder, "case.yaml"), text, strlen(text), 0, NULL, &c));
  units_of_case(c, &units);
  check_fields(scratch_path(folder, "results/results.hdf"), &units);
  if (access(scratch_path(folder, "results/modes/results.hdf"), F_OK) == 0)
    check_fields(scratch_path(folder, "results/modes/results.hdf"), &units);
  case_destroy(&c);
}

#define BODY(model, more)                                                                                              \
  "version: 1\nunits: mm N MPa t s\nmesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: " model "\n"                     \
  "materials: [{on: body, young: 1000, poisson: 0.25, density: 2}]\n" more
static const char *const cases[] = {
    BODY("plane-stress",
         "boundary: [{on: x0, fix: all}]\n"
         "load-cases: [{name: a, boundary: [{on: x1, traction: [1, 0]}]}, {name: b, boundary: [{on: x1, "
         "traction: [0, 2]}]}]\nenvelopes: [{name: most, of: [a, b], field: von-mises}]\n"
         "output: {fields: [displacement, stress, von-mises, principal, principal-direction-1, "
         "principal-direction-2, principal-direction-3, strain, reaction, internal-force, strain-energy, "
         "element-stress, "
         "point-stress, stress-error]}\n"),
    "version: 1\nunits: mm N MPa\nmesh: {grid: [3, 3]}\nphysics: elasticity\nmodel: plane-stress\n"
    "materials: [{on: body, type: transverse, young: [9, 1], poisson: [0.3, 0.4], shear: 1, strength: {X: 9, Y: 1, "
    "Sxy: 1}}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\n"
    "output: {fields: [stress-material, strain-material, safety]}\n",
    BODY("plane-strain", "strain: finite\nboundary: [{on: x0, fix: all}, {on: x1, traction: [20, 3]}]\n"
                         "time: {end: 1, step: 0.5}\n"
                         "output: {fields: [displacement, cauchy, stress, von-mises, principal, reaction, piola, "
                         "green-lagrange, stretches, jacobian, energy]}\n"),
    BODY("plane-strain", "boundary: [{on: y0, symmetry: true}, {on: x0, symmetry: true}]\n"
                         "contact: [{on: y1, against: {plane: {at: [0, 1], normal: [0, 1], move: [0, -0.1]}}}]\n"
                         "output: {fields: [displacement, contact-pressure, contact-gap, contact-force, contact-slip, "
                         "contact-status]}\n"),
    BODY("plane-stress", "analysis: {type: transient}\nboundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\n"
                         "time: {end: 0.2, step: 0.1}\n"
                         "output: {fields: [displacement, velocity, acceleration, stress, von-mises]}\n"),
    BODY("plane-stress", "analysis: {type: harmonic, frequency: 1}\n"
                         "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\n"
                         "output: {fields: [displacement, stress, von-mises]}\n"),
    BODY("plane-strain",
         "strain: finite\nanalysis: {type: modal, modes: 2, prestress: true}\nboundary: [{on: x0, fix: all}, {on: x1, "
         "traction: [1, 0]}]\ntime: {end: 1, step: 1}\n"),
    BODY("plane-stress", "analysis: {type: modal, modes: 2}\nboundary: [{on: x0, fix: all}]\n"
                         "output: {fields: [displacement, stress, von-mises]}\n"),
    "version: 1\nunits: m W s K\nmesh: {grid: [3, 3]}\nphysics: heat\n"
    "materials: [{on: body, conductivity: 1, capacity: 1}]\n"
    "boundary: [{on: x0, temperature: 20}, {on: x1, flux: 10}]\noutput: {fields: [temperature, flux]}\n",
    "version: 1\nmesh: {grid: [4, 4, 3], size: [4, 3, 2]}\nphysics: monodomain\n"
    "tissue: [{on: body, ionic: aliev-panfilov, conductivity: {intra: 0.2, extra: 0.5, surface-to-volume: 140},\n"
    "  fibers: {rule: ldrb, lv: z0, epi: z1, base: y1, apex: y0, septum: [1, 0, 0]}}]\n"
    "stimuli: [{on: x0, duration: 2, amplitude: 50}]\ntime: {end: 120, step: 0.5}\n"
    "output: {every: 1, sample: 0.5, fields: [potential, extracellular, recovery, phase, filament],\n"
    "  phase: {delay: 2}, maps: [{name: activation, beats: 3}, {name: repolarization, beats: 2}, {name: apd, beats: "
    "1}, {name: "
    "conduction-velocity, beats: 2}, dominant-frequency]}\n",
    "version: 1\nunits: mm N MPa\nmesh: {grid: [3, 2, 2]}\nphysics: electromechanics\nmodel: 3d\n"
    "muscle: [{on: body, type: neo-hooke, shear: 4, bulk: 4e3, fibers: {direction: [0, 1, 0]}, tension: {model: land, "
    "calcium: 0.2}}]\nboundary: [{on: [y0, z0], symmetry: true}, {on: x1, fix: {x: 0}}]\ncavities: [{name: lv, on: x0, "
    "pressure: 0.1*t, lid: carries, wall: {on: x1, axis: [0, 0, 1]}}]\n"
    "time: {end: 1, step: 1}\noutput: {fields: [displacement, strain-circumferential, strain-longitudinal, "
    "strain-radial, fiber-stress], maps: [peak-stretch, end-systolic-stretch, peak-tension, peak-tension-time]}\n",
    "version: 1\nmesh: {grid: [5, 5], size: [4, 4]}\nphysics: eikonal\ntissue: [{on: body, velocity: 0.5}]\n"
    "stimuli: [{on: x0}]\noutput: {fields: [activation, conduction-velocity]}\n"};

static void documented(void **state) {
  (void)state;
  char *folder = scratch_create();
  read_table();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) check_file(folder, cases[k]);
  for (int i = 0; i < n_row; ++i)
    if (!row[i].seen && strcmp(row[i].name, "u1") != 0) fail_msg("no case has %s of docs/results.md", row[i].name);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(documented)};
  return cmocka_run_group_tests_name("app/field_units", tests, NULL, NULL);
}
