/* Shapes of modes about a state of finite strain: those of the body as it was, turned with it. */
#include "core/memory.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODES = 4 };
static const double ANGLE = 0.9;

/* Of all steps, [MODES][n_node][3]; owned. */
static double *shapes_read(const char *folder, const char *file, const char *name, int32_t *n_node, double *time) {
  Result *result = NULL;
  double *value = NULL;
  assert_ok(result_open(scratch_path(folder, file), &result));
  const ResultField *field = result_field(result, name, false);
  if (!field) fail_msg("there is no field '%s'", name);
  assert_int_equal(result->n_step, MODES);
  *n_node = result->n_node;
  assert_ok(mem_alloc(3 * (int64_t)MODES * *n_node, sizeof *value, "shapes", (void **)(void *)&value));
  for (int64_t k = 0; k < MODES; ++k) {
    time[k] = result->time[k];
    assert_ok(result_read(result, field, k, value + 3 * k * *n_node));
  }
  result_close(&result);
  return value;
}

#define BLOCK(strain, analysis, law, fix, time)                                                                        \
  "version: 1\nmesh: {grid: [5, 3, 2], size: [3, 0.7, 0.5], order: 2}\nphysics: elasticity\nmodel: 3d\n"               \
  "strain: " strain "\nformulation: displacement\nanalysis: {type: modal, modes: 4" analysis "}\n"                     \
  "materials: [{on: body, " law "young: 1000, poisson: 0.3, density: 1.3}]\nboundary: [{on: x0, fix: " fix "}]\n"      \
  "solver: {rtol: 1e-9}\n" time "output: {fields: [displacement]}\n"

static void shapes_turn(void **state) {
  (void)state;
  char *folder = scratch_create();
  double at[2][MODES], worst = 0, most = 0, off = 0;
  int32_t n, n_state;
  app_runs(folder, BLOCK("small", "", "", "all", ""));
  double *still = shapes_read(folder, "results/results.hdf", "displacement", &n, at[0]);
  app_runs(folder, BLOCK("finite", ", prestress: true", "type: neo-hooke, ",
                         "{x: 'x*(cos(0.9*t) - 1) - y*sin(0.9*t)', y: 'x*sin(0.9*t) + y*(cos(0.9*t) - 1)', z: 0}",
                         "time: {end: 1, step: 0.25}\n"));
  double *turned = shapes_read(folder, "results/modes/results.hdf", "displacement", &n_state, at[1]);
  assert_int_equal(n, n_state);
  const double c = cos(ANGLE), s = sin(ANGLE);
  for (int k = 0; k < MODES; ++k) {
    const double *a = still + 3 * (int64_t)k * n, *b = turned + 3 * (int64_t)k * n;
    double along = 0; /* the largest component has another sign where it turns to the other side */
    assert_within(at[1][k], at[0][k], 1e-8);
    for (int32_t i = 0; i < n; ++i)
      along += (c * a[3 * i] - s * a[3 * i + 1]) * b[3 * i] + (s * a[3 * i] + c * a[3 * i + 1]) * b[3 * i + 1] +
               a[3 * i + 2] * b[3 * i + 2];
    const double sign = along < 0 ? -1 : 1;
    for (int32_t i = 0; i < n; ++i) {
      const double is[3] = {c * a[3 * i] - s * a[3 * i + 1], s * a[3 * i] + c * a[3 * i + 1], a[3 * i + 2]};
      for (int d = 0; d < 3; ++d)
        worst = fmax(worst, fabs(sign * b[3 * i + d] - is[d])), most = fmax(most, fabs(is[d]));
    }
  }
  print_message("shapes differ by %.2g of %.3g\n", worst, most);
  assert_true(worst < 1e-6 * most);
  double *moved = shapes_read(folder, "results/modes/results.hdf", "state", &n, at[1]);
  for (int32_t i = 0; i < n; ++i) off = fmax(off, fabs(moved[3 * i]));
  assert_within(off, 3 * (1 - c) + 0.7 * s, 1e-6); /* of the corner (3, 0.7) */
  FREE(still);
  FREE(turned);
  FREE(moved);
  scratch_remove(&folder);
}

/* They belong to their result: another one in its place has none. */
static void shapes_go(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder, BLOCK("finite", ", prestress: true", "type: neo-hooke, ", "all}, {on: x1, traction: [1, 0, 0]",
                         "time: {end: 1, step: 1}\n"));
  FILE *file = fopen(scratch_path(folder, "results/modes/results.hdf"), "rb");
  assert_non_null(file);
  fclose(file);
  app_runs(folder, BLOCK("small", "", "", "all", ""));
  assert_null(fopen(scratch_path(folder, "results/modes/results.hdf"), "rb"));
  scratch_remove(&folder);
}

/* Pressure that follows a face whose rim is free, of three sizes: what it adds to the squares of frequencies is odd in it, whether it
 * pushes or pulls, and the run says that half of its tangent is left out. */
static void pressure_pulls(void **state) {
  (void)state;
  static const char *const boundary[] = {"all}, {on: y1, pressure: -0.005", "all}, {on: y1, pressure: 1e-9",
                                         "all}, {on: y1, pressure: 0.005"};
  double square[3][MODES];
  char *folder = scratch_create();
  for (int i = 0; i < 3; ++i) {
    char text[1024];
    int32_t n;
    snprintf(text, sizeof text, BLOCK("finite", ", prestress: true", "type: neo-hooke, ", "%s", "%s"), boundary[i],
             "time: {end: 1, step: 1}\n");
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
    assert_non_null(strstr(said.err, "modes are those of the symmetric half"));
    said_release(&said);
    double *shape = shapes_read(folder, "results/modes/results.hdf", "displacement", &n, square[i]);
    FREE(shape);
    for (int k = 0; k < MODES; ++k) square[i][k] *= square[i][k];
  }
  for (int k = 0; k < 2; ++k) { /* which it bends; the others hardly change */
    const double odd = fabs(square[2][k] - square[0][k]), even = fabs(square[2][k] + square[0][k] - 2 * square[1][k]);
    print_message("mode %d: %.3g, of which %.2g is even\n", k + 1, odd / square[1][k], even / square[1][k]);
    assert_true(odd > 2e-5 * square[1][k] && even < 0.05 * odd);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_turn), cmocka_unit_test(pressure_pulls),
                                     cmocka_unit_test(shapes_go)};
  return cmocka_run_group_tests_name("app/modal_state", tests, NULL, NULL);
}
