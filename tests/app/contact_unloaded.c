/* Bodies that contact alone holds, from whom the load is taken and to whom it is given again: they stay where they are in between, and end as if
 * they had been loaded once. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4096, ROW = 7 };

static uint64_t seed = 2607;
static double draw(double low, double high) { return draw_between(&seed, low, high); }
static int32_t draw_n(int32_t low, int32_t high) { return draw_whole(&seed, low, high); }

typedef struct Way {
  const char *strain, *first, *sliding;
  bool rubs;
} Way;
static const Way ways[] = {{"small", "", "", false},
                           {"finite", "strain: small, ", "", false},
                           {"finite", "strain: small, ", ", sliding: finite", false},
                           {"finite", "", ", sliding: finite", false},
                           {"small", "", "", true},
                           {"finite", "strain: small, ", "", true},
                           {"finite", "strain: small, ", ", sliding: finite", true}};

static int32_t write_mesh(const char *folder, int run) {
  static const ElementKind flat[] = {ELEMENT_QUAD4, ELEMENT_TRI3}, solid[] = {ELEMENT_HEX8, ELEMENT_TET4};
  const ElementKind *kinds = run % 2 != 0 ? solid : flat;
  const bool second = run < 0 || (run % 3 == 1 && run % 2 == 0);
  TwoBlocks q = {.kind = {kinds[draw_n(0, 1)], kinds[draw_n(0, 1)]}, .order = second ? 2 : 1};
  if (run < 0) q.kind[0] = q.kind[1] = ELEMENT_HEX8, q.tilt = 0.3;
  for (int b = 0; b < 2; ++b)
    for (int d = 0; d < 3; ++d) q.n[b][d] = draw_n(1, 2) + (d == 0);
  Mesh *mesh = two_blocks(&q);
  const int32_t dim = mesh->dim;
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  return dim;
}

/* A block on another, which the ground holds: by `load` from the first step on, or with none for a step of `n_rest` load steps between. */
static void write_case(char text[TEXT], int32_t dim, const Way *way, double load, int n_rest) {
  char on[64], rest[128], again[128];
  const bool flat = dim == 2;
  snprintf(on, sizeof on, "{on: top, pressure: '%.6g*(1 + 0.2*x)'}", load);
  snprintf(rest, sizeof rest, "{name: rest, %send: 2, step: %g, boundary: [{on: top, pressure: 0}]}, ", way->first,
           n_rest ? 1.0 / n_rest : 1);
  snprintf(again, sizeof again, ", {name: again, end: 3, step: 0.5, boundary: [%s]}", on);
  snprintf(text, TEXT,
           "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nstrain: %s\nformulation: displacement\n"
           "solver: {rtol: 1e-10}\nmaterials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: bottom, fix: "
           "all}%s]\ncontact: [{on: b, against: a%s%s}]\nsteps: [{name: press, %send: 1, step: 0.5, boundary: [%s]}%s%s"
           "%s]\noutput: {checkpoint: 0.5, probes: [{name: u, at: [0.7, %s1], field: displacement-x}, {name: v, at: "
           "[0.7, %s1], field: displacement-%s}, {name: p, at: [0.4, %s0], field: contact-pressure}, {name: w, at: "
           "[0.2, %s0.5], field: von-mises}], sums: [{name: f, on: b, field: contact-force}]}\n",
           flat ? "plane-strain" : "3d", way->strain,
           way->rubs ? ""
           : flat    ? ", {on: x0, symmetry: true}"
                     : ", {on: x0, symmetry: true}, {on: y0, symmetry: true}",
           way->rubs ? ", friction: 0.9" : "", way->sliding, way->first, on, n_rest ? ", " : "", n_rest ? rest : "",
           n_rest ? again + 2 : again, flat ? "" : "0.7, ", flat ? "" : "0.7, ", flat ? "y" : "z", flat ? "" : "0.4, ",
           flat ? "" : "0.2, ");
}

static void last_row(const char *folder, const char *text, int n, double *value) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  scratch_last_row(folder, n, value);
}

static void loads_go_and_come_back(void **state) {
  (void)state;
  char *folder = scratch_create(), text[TEXT];
  for (int run = 0; run < 7; ++run) {
    const Way *way = &ways[run % 7];
    const int32_t dim = write_mesh(folder, run), n = 5 + dim;
    const double load = draw(1, 10);
    double once[5 + 3], twice[5 + 3];
    write_case(text, dim, way, load, 0);
    last_row(folder, text, n, once);
    write_case(text, dim, way, load, draw_n(1, 3));
    last_row(folder, text, n, twice);
    const double near = *way->sliding ? 1e-2 : 1e-7; /* surfaces found anew in the pressed body, or in the free one */
    for (int i = 1; i < n; ++i)
      if (!(fabs(twice[i] - once[i]) <= near * (fabs(once[i]) + (i < 3 ? 1e-3 : load) * load)))
        fail_msg("run %d: number %d is %.12g, and %.12g\n%s", run, i, twice[i], once[i], text);
    assert_true(fabs(once[3]) > 0.1 * load);
  }
  scratch_remove(&folder);
}

/* The load comes in a later step alone: before it there are no forces that rounding is small beside. */
static void loads_come_late(void **state) {
  (void)state;
  char *folder = scratch_create(), text[TEXT];
  for (int run = 0; run < 3; ++run) { /* of order 2, across a plane that is no axis, so that gaps are rounding */
    const Way *way = &ways[run == 2 ? 5 : run];
    const int32_t dim = write_mesh(folder, -1), n = 5 + dim;
    const double load = draw(1, 10);
    double once[5 + 3], late[5 + 3];
    write_case(text, dim, way, load, 0);
    last_row(folder, text, n, once);
    char *first = strstr(text, "pressure: '"), *value = first + strlen("pressure: '");
    assert_non_null(first);
    memset(value, '0', strcspn(value, "*"));
    last_row(folder, text, n, late);
    for (int i = 1; i < n; ++i)
      if (!(fabs(late[i] - once[i]) <= 1e-7 * (fabs(once[i]) + (i < 3 ? 1e-3 : load) * load)))
        fail_msg("run %d: number %d is %.12g, and %.12g\n%s", run, i, late[i], once[i], text);
  }
  scratch_remove(&folder);
}

/* Stopped while nothing presses: what was borne before is known to the rest of the run. */
static void runs_go_on(void **state) {
  (void)state;
  char *folder = scratch_create(), text[TEXT];
  for (int run = 2; run < 7; run += 4) {
    (void)write_mesh(folder, 2 * run);
    write_case(text, 2, &ways[run], 4, 4);
    scratch_write(folder, "case.yaml", text);
    assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
    const int calls = app_guard_calls;
    char *whole = scratch_read(folder, "whole/probes.csv");
    for (int k = 5; k < 6; ++k) {
      assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, k * calls / 9), 10);
      assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
      char *parts = scratch_read(folder, "parts/probes.csv");
      assert_string_equal(whole, parts);
      free(parts);
    }
    free(whole);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_go_and_come_back), cmocka_unit_test(loads_come_late),
                                     cmocka_unit_test(runs_go_on)};
  return cmocka_run_group_tests_name("app/contact_unloaded", tests, NULL, NULL);
}
