/* Tables of runs in time that are stopped and go on: those of before are there too. */
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

#define OUTPUT "output: {every: 0.1, checkpoint: 0.2, tables: [{on: x1, field: "
#define BLOCK "version: 1\nmesh: {grid: [4, 3], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\n"
static const char *const text[] = {
    "version: 1\nmesh: {grid: [4, 3], size: [2, 1]}\nphysics: heat\n"
    "materials: [{on: body, conductivity: 2, capacity: 3}]\n"
    "boundary: [{on: x0, temperature: 'sin(3*t)'}]\ninitial: 1\ntime: {end: 0.6, step: 0.05}\n" OUTPUT
    "temperature}]}\n",
    BLOCK "materials: [{on: body, type: plastic, young: 1000, poisson: 0.3, yield: 1}]\n"
          "boundary: [{on: x0, fix: all}, {on: x1, fix: {x: '0.01*sin(5*t)'}}]\ntime: {end: 0.6, step: 0.05}\n" OUTPUT
          "reaction, total: only}, {on: body, field: point-plastic-strain}]}\n",
    BLOCK "analysis: {type: transient}\nmaterials: [{on: body, young: 1000, poisson: 0.3, density: 1}]\n"
          "boundary: [{on: x0, fix: all}, {on: x1, traction: ['t', 1]}]\ntime: {end: 0.6, step: 0.05}\n" OUTPUT
          "velocity}]}\n"};

/* Stopped after `stop` steps, and gone on with; how many tables there were before. */
static int go_on(const char *folder, int stop) {
  int n = 0;
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, stop), 10);
  char *before = scratch_read(folder, "parts/case.dat");
  for (const char *at = before; (at = strstr(at, " time ")); ++at) ++n;
  free(before);
  return n;
}

static void are_whole(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (size_t i = 0; i < sizeof text / sizeof *text; ++i) {
    scratch_write(folder, "case.yaml", text[i]);
    assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
    assert_true(go_on(folder, app_guard_calls / 2) > 1);
    assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
    char *whole = scratch_read(folder, "whole/case.dat"), *parts = scratch_read(folder, "parts/case.dat");
    assert_string_equal(parts, whole);
    free(parts);
    free(whole);
  }
  scratch_remove(&folder);
}

/* What the checkpoint counts on is compared first. */
static void are_checked(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", text[0]);
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  (void)go_on(folder, app_guard_calls / 2);
  char *dat = scratch_read(folder, "parts/case.dat");
  dat[strlen(dat) / 2] ^= 1;
  scratch_write(folder, "parts/case.dat", dat);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 5);
  dat[strlen(dat) / 2] ^= 1;
  dat[strlen(dat) / 2] = 0;
  scratch_write(folder, "parts/case.dat", dat);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 5);
  assert_int_equal(remove(scratch_path(folder, "parts/case.dat")), 0);
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 5);
  free(dat);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(are_whole), cmocka_unit_test(are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
