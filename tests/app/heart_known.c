/* The heart against what VERIFICATION knows, from case file to result: the speeds that backward Euler gives on several
 * meshes and steps, a cable with its duration, the order in which a real heart is activated (../shared/data/heart;
 * skipped, saying so, where that is not). */
#include "core/memory.h"
#include "mesh/mesh.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Column k of the last row of probes.csv, time is 0. */
static double last_value(const char *folder, int k) {
  char *text = scratch_read(folder, "results/probes.csv");
  size_t end = strlen(text);
  while (end && text[end - 1] == '\n') text[--end] = 0;
  const char *at = strrchr(text, '\n');
  assert_non_null(at);
  for (++at; k > 0; --k) {
    at = strchr(at, ',');
    assert_non_null(at++);
  }
  const double value = strtod(at, NULL);
  free(text);
  return value;
}

/* Between 32 and 56 mm of a strip of 72 mm, mm/ms: nearer to its ends the wave is faster. */
static double speed(const char *folder, const char *reaction, double h, double dt) {
  char text[2048];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [%d, 2], size: [72, %g]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
           "stimuli: [{on: {box: {min: [0, 0], max: [2, 9]}}, duration: 2, amplitude: 50}]\n"
           "time: {end: 112, step: %g, scheme: backward-euler}\nreaction: %s\noutput: {every: 112, maps: [activation], "
           "probes: [{name: a, at: [32, 0]}, {name: b, at: [56, 0]}], velocity: [{name: v, from: a, to: b}]}\n",
           (int)lround(72 / h) + 1, h, dt, reaction);
  app_runs(folder, text);
  const double v = last_value(folder, 3);
  print_message("%s, h %g mm, dt %g ms: %.5f mm/ms\n", reaction, h, dt, v);
  return v;
}

/* VERIFICATION's table (D = 1): reaction at points | at nodes. */
static void speeds(void **state) {
  (void)state;
  static const double rows[][4] = {{0.1, 1, 0.55086, 0.54784},
                                   {0.1, 0.5, 0.54972, 0.54896},
                                   {0.5, 1, 0.56797, 0.56502},
                                   {0.5, 0.1, 0.56650, 0.56647},
                                   {1, 0.1, 0.58989, 0.58986}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const double points = speed(folder, "gauss", rows[k][1], rows[k][0]),
                 nodes = speed(folder, "nodal", rows[k][1], rows[k][0]);
    assert_within(points, rows[k][2], 5e-5);
    assert_within(nodes, rows[k][3], 5e-5);
  }
  scratch_remove(&folder);
}

/* The states that Niederer et al. (2011, Phil. Trans. R. Soc. A 369, 4331-4351) begin with. */
#define NIEDERER                                                                                                       \
  "{potential: -85.23, m: 0.00172, h: 0.7444, j: 0.7045, xr1: 0.00621, xr2: 0.4712, xs: 0.0095, r: 2.42e-8, s: "       \
  "0.999998, d: 3.373e-5, f: 0.7888, f2: 0.9755, fcass: 0.9953, r-prime: 0.9073, ca-i: 0.000126, ca-sr: 3.64, "        \
  "ca-ss: 0.00036, na-i: 8.604, k-i: 136.89}"

typedef struct Human {
  double length, D, h, mass, dt, known; /* mm, mm2/ms, mm, share of the consistent mass, ms, mm/ms */
} Human;

/* Between 0.5 and 0.85 of a strip, at 0 mV: those states are not at rest, so the wave gets faster as it goes. */
static double human_speed(const char *folder, const Human *r) {
  char text[2048];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [%d, 2], size: [%g, %g]}\nphysics: monodomain\nreaction: nodal\nmass: %g\n"
           "tissue: [{on: body, ionic: {model: ten-tusscher, preset: epi}, diffusivity: %g}]\ninitial: " NIEDERER "\n"
           "stimuli: [{on: {box: {min: [0, 0], max: [1.5, 9]}}, duration: 2, amplitude: 35.714}]\n"
           "time: {end: 34, step: %g, scheme: rush-larsen}\noutput: {every: 34, maps: [activation], threshold: 0, "
           "probes: [{name: a, at: [%g, 0]}, {name: b, at: [%g, 0]}], velocity: [{name: v, from: a, to: b}]}\n",
           (int)lround(r->length / r->h) + 1, r->length, r->h, r->mass, r->D, r->dt, 0.5 * r->length, 0.85 * r->length);
  app_runs(folder, text);
  const double v = last_value(folder, 3);
  print_message("D %g, h %g mm, mass %g, dt %g ms: %.5f mm/ms, known %.4f\n", r->D, r->h, r->mass, r->dt, v, r->known);
  return v;
}

/* Ten Tusscher's cells against an independent program with four digits: the same scheme (states first, df/dV by the
 * trapezoid, as diffusion), along and across fibres. At 0.1 ms V rises by 30 mV in a step: a time linear within it is
 * as good as 0.003 ms. Then meshes and masses, which that program has with df/dV taken before the step, 0.0009 mm/ms
 * faster at h 0.1. */
static void human_speeds(void **state) {
  (void)state;
  static const Human same[] = {{20, 0.0952984, 0.1, 0, 0.05, 0.5918}, {20, 0.0952984, 0.1, 0, 0.02, 0.5966},
                               {20, 0.0952984, 0.1, 0, 0.01, 0.5974}, {20, 0.0952984, 0.1, 0, 0.005, 0.5975},
                               {8, 0.0125758, 0.1, 0, 0.2, 0.1751},   {8, 0.0125758, 0.1, 0, 0.1, 0.1867},
                               {8, 0.0125758, 0.1, 0, 0.05, 0.1901},  {8, 0.0125758, 0.1, 0, 0.01, 0.1913}};
  static const Human near[] = {{20, 0.0952984, 0.2, 0, 0.01, 0.5598},
                               {20, 0.0952984, 0.2, 0.5, 0.01, 0.5953},
                               {20, 0.0952984, 0.5, 0.5, 0.01, 0.4850}};
  static const Human long_step = {20, 0.0952984, 0.1, 0, 0.1, 0.5756};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof same / sizeof *same; ++k)
    assert_within(human_speed(folder, &same[k]), same[k].known, 1e-4);
  for (size_t k = 0; k < sizeof near / sizeof *near; ++k)
    assert_within(human_speed(folder, &near[k]), near[k].known, 1.2e-3);
  assert_within(human_speed(folder, &long_step), long_step.known, 1.5e-4);
  scratch_remove(&folder);
}

/* A cable of 40 mm, D = 0.1: 0.17241 mm/ms and an action potential of 383.5 ms, from -30 mV up to -70 mV down, by
 * independent finite differences. */
static void cable(void **state) {
  (void)state;
  char *folder = scratch_create();
  app_runs(folder,
           "version: 1\nmesh: {grid: [401, 2], size: [40, 0.1]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.1}]\n"
           "stimuli: [{on: {box: {min: [0, 0], max: [2, 9]}}, duration: 2, amplitude: 50}]\n"
           "time: {end: 620, step: 0.25, scheme: bdf2}\noutput: {every: 620, maps: [activation, repolarization], "
           "probes: [{name: a, at: [10, 0], field: activation}, {name: b, at: [30, 0], field: activation}, "
           "{name: m, at: [20, 0], field: activation}, {name: e, at: [20, 0], field: repolarization}], "
           "velocity: [{name: v, from: a, to: b}]}\n");
  const double v = last_value(folder, 5), duration = last_value(folder, 4) - last_value(folder, 3);
  print_message("cable: %.5f mm/ms, %.2f ms\n", v, duration);
  assert_within(v, 0.17241, 3e-5);
  assert_within(duration, 383.5, 0.5);
  scratch_remove(&folder);
}

/* Earliest at the stimulus, everywhere activated, and nowhere but there before all neighbours. */
static void check_order(const Mesh *mesh, const double *time, const double center[3], double radius) {
  uint8_t *later = NULL, *used = NULL;
  int32_t first = 0, alone = 0;
  assert_ok(mem_alloc(mesh->n_node, 1, "nodes", (void **)&later));
  assert_ok(mem_alloc(mesh->n_node, 1, "nodes", (void **)&used));
  for (int32_t e = 0; e < mesh->n_element; ++e) {
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    const int32_t *node = mesh_nodes_of(mesh, e);
    if (type->dim < 3) continue;
    for (int a = 0; a < type->n_node; ++a)
      for (int b = 0; b < type->n_node; ++b) {
        used[node[a]] = 1;
        if (time[node[a]] > time[node[b]]) later[node[a]] = 1;
      }
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (!used[i]) continue;
    assert_true(time[i] >= 0);
    if (time[i] < time[first]) first = i;
    const double *x = mesh->x[i], r = hypot(hypot(x[0] - center[0], x[1] - center[1]), x[2] - center[2]);
    if (!later[i] && r > radius) ++alone;
  }
  const double *x = mesh->x[first];
  assert_true(hypot(hypot(x[0] - center[0], x[1] - center[1]), x[2] - center[2]) <= radius);
  print_message("%d of %d nodes before all neighbours\n", alone, mesh->n_node);
  assert_int_equal(alone, 0);
  FREE(later);
  FREE(used);
}

static void activated_in_order(void **state) {
  (void)state;
  char command[3000];
  snprintf(command, sizeof command, "%s/../shared/data/heart/human.msh.gz", SINEW_SOURCE_DIR);
  if (access(command, R_OK)) {
    testing_missing("no human.msh.gz in ../shared/data/heart");
    return;
  }
  char *folder = scratch_create(), text[2048];
  Mesh *mesh = NULL;
  Result *result = NULL;
  double *time = NULL, low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  snprintf(command, sizeof command, "gunzip -c '%s/../shared/data/heart/human.msh.gz' > '%s'", SINEW_SOURCE_DIR,
           scratch_path(folder, "heart.msh"));
  assert_int_equal(system(command), 0);
  assert_ok(mesh_load(&(MeshParams){.path = scratch_path(folder, "heart.msh")}, &mesh));
  int32_t centre = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (mesh->x[i][2] < low[2]) low[2] = mesh->x[i][2], centre = i;
  const double *x = mesh->x[centre], radius = 6;
  snprintf(text, sizeof text,
           "version: 1\nmesh: {file: heart.msh}\nphysics: monodomain\n"
           "tissue: [{on: myocardium, ionic: aliev-panfilov, diffusivity: {along: 4, across: 1}, fibers: {rule: ldrb, "
           "lv: surface_20, "
           "rv: surface_30, epi: surface_40, base: surface_10}}]\n"
           "stimuli: [{on: {sphere: {center: [%.17g, %.17g, %.17g], radius: %g}}, duration: 2, amplitude: 60}]\n"
           "time: {end: 220, step: 1}\noutput: {every: 220, maps: [activation]}\n",
           x[0], x[1], x[2], radius);
  app_runs(folder, text);
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_int_equal(result->n_node, mesh->n_node);
  assert_ok(mem_alloc(mesh->n_node, sizeof *time, "times", (void **)&time));
  assert_ok(result_read(result, result_field(result, "activation", false), -1, time));
  check_order(mesh, time, x, radius);
  FREE(time);
  result_close(&result);
  mesh_destroy(&mesh);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(speeds), cmocka_unit_test(human_speeds), cmocka_unit_test(cable),
                                     cmocka_unit_test(activated_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
