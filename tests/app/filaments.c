/* Filaments of phases that are known, in all kinds of elements, and the table of a run. */
#include "app/monodomain/filaments.h"
#include "app/monodomain/tracks.h"
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static Mesh *box(ElementKind kind, int n, double size, double height) {
  const int layers = height > 0 ? n : 1;
  const BoxParams params = {.kind = kind, .n = {n, n, layers}, .size = {size, size, height > 0 ? height : 1}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

typedef double Field(const double x[3]);
static double one(const double x[3]) { return atan2(x[1] - 4.3, x[0] - 6.1); }
static double two(const double x[3]) { /* that turn against each other */
  return remainder(atan2(x[1] - 5.2, x[0] - 2.7) - atan2(x[1] - 5.3, x[0] - 7.4), 2 * PI);
}
static double wave(const double x[3]) { return remainder(x[0] + 0.3 * x[1], 2 * PI); }
static double slanted(const double x[3]) { return atan2(x[1] - 4.3 - 0.2 * x[2], x[0] - 6.1); }
static double ring(const double x[3]) {
  return atan2(x[2] - 5.13, sqrt((x[0] - 5.02) * (x[0] - 5.02) + (x[1] - 4.97) * (x[1] - 4.97)) - 3);
}
/* Nothing but two opposite angles, which are half a turn apart either way. */
static double rest(const double x[3]) { return x[0] + x[1] > 9.7 ? PI / 4 : -3 * PI / 4; }

static Filaments find(const Mesh *mesh, Field *field, double *marked, double *sum) {
  Filaments found;
  double *phase = malloc((size_t)mesh->n_node * sizeof *phase), *mark = calloc((size_t)mesh->n_element, sizeof *mark);
  for (int32_t i = 0; i < mesh->n_node; ++i) phase[i] = field(mesh->x[i]);
  assert_ok(filaments_find(mesh, phase, &found));
  filaments_mark(mesh, phase, mark);
  *marked = *sum = 0;
  for (int32_t e = 0; e < mesh->n_element; ++e) *marked += mark[e] != 0, *sum += mark[e];
  free(phase);
  free(mark);
  return found;
}

static void flat(void **state) {
  (void)state;
  const ElementKind kind[] = {ELEMENT_TRI3, ELEMENT_QUAD4, ELEMENT_QUAD8};
  for (int k = 0; k < 3; ++k) {
    Mesh *mesh = box(kind[k], 20, 10, 0);
    double marked, sum;
    Filaments f = find(mesh, one, &marked, &sum);
    assert_int_equal(f.n, 1);
    assert_true(marked == 1 && sum == 1 && f.filament[0].turn == 1 && f.filament[0].n_cell == 1);
    assert_within(f.filament[0].at[0], 6.1, 0.1);
    assert_within(f.filament[0].at[1], 4.3, 0.1);
    filaments_release(&f);
    f = find(mesh, two, &marked, &sum);
    assert_int_equal(f.n, 2);
    assert_true(marked == 2 && sum == 0 && f.filament[0].turn + f.filament[1].turn == 0);
    filaments_release(&f);
    f = find(mesh, wave, &marked, &sum);
    assert_true(f.n == 0 && marked == 0);
    filaments_release(&f);
    f = find(mesh, rest, &marked, &sum);
    assert_true(f.n == 0 && marked == 0);
    filaments_release(&f);
    mesh_destroy(&mesh);
  }
}

/* A line through the body, and a ring within it. */
static void solid(void **state) {
  (void)state;
  const ElementKind kind[] = {ELEMENT_TET4, ELEMENT_HEX8, ELEMENT_TET10};
  for (int k = 0; k < 3; ++k) {
    Mesh *mesh = box(kind[k], 14, 10, 10);
    double marked, sum;
    Filaments f = find(mesh, slanted, &marked, &sum);
    assert_int_equal(f.n, 1);
    assert_true(f.filament[0].n_end == 2 && marked >= 14 && marked == sum && f.filament[0].turn == 0);
    assert_relative(f.filament[0].length, sqrt(100 + 4), 0.01);
    assert_within(f.filament[0].at[0], 6.1, 0.05);
    assert_within(f.filament[0].at[1], 5.3, 0.05);
    assert_within(f.filament[0].at[2], 5, 0.05);
    assert_true(f.filament[0].n_cell >= marked); /* a cell counts anew where the line comes back */
    filaments_release(&f);
    f = find(mesh, ring, &marked, &sum);
    assert_int_equal(f.n, 1);
    assert_true(f.filament[0].n_end == 0);
    assert_relative(f.filament[0].length, 6 * PI, 0.1);
    assert_within(f.filament[0].at[2], 5.13, 0.35);
    filaments_release(&f);
    mesh_destroy(&mesh);
  }
}

/* Two tracks that pass each other by turning otherwise, one that jumps too far, one that ends. */
static void tracked(void **state) {
  (void)state;
  Filament at0[] = {{.turn = 1, .at = {0, 0, 0}}, {.turn = -1, .at = {1, 0, 0}}},
           at10[] = {{.turn = -1, .at = {0.5, 0, 0}}, {.turn = 1, .at = {3, 4, 0}}},
           at20[] = {{.turn = 1, .at = {3, 9.5, 0}}, {.turn = 1, .at = {3, 8, 0}}};
  const Filaments time[] = {{2, at0}, {2, at10}, {2, at20}, {0, at0}};
  Tracks tracks = {0};
  for (int k = 0; k < 4; ++k) assert_ok(tracks_step(&tracks, k ? 10.0 * (k - 1) : (double)NAN, 10 * k, &time[k]));
  assert_int_equal(tracks.n, 3);
  assert_true(tracks.item[0].turn == 1 && tracks.item[0].begin == 0 && tracks.item[0].end == 20);
  assert_within(tracks.item[0].path, 9, 1e-12); /* 5, then the nearer of two */
  assert_true(tracks.item[1].turn == -1 && tracks.item[1].end == 10);
  assert_true(tracks.item[2].begin == 20 && tracks.item[2].end == 20);
  assert_within(tracks_longest(&tracks), 20, 0);
  tracks_release(&tracks);
  const Filaments far_away = {1, at20};
  assert_ok(tracks_step(&tracks, (double)NAN, 0, &time[0]));
  assert_ok(tracks_step(&tracks, 0, 10, &far_away)); /* 10 mm in 10 ms */
  assert_int_equal(tracks.n, 3);
  tracks_release(&tracks);
}

/* Cross-field stimulation of a small sheet: none before the second wave, one after it; the table, and what is stored. */
static void of_a_run(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said =
      app_run_says(folder, "version: 1\nmesh: {grid: [51, 51], size: [100, 100]}\nphysics: monodomain\n"
                           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.2}]\n"
                           "stimuli:\n- {on: {box: {min: [0, 0], max: [5, 100]}}, duration: 2, amplitude: 50}\n"
                           "- {on: {box: {min: [0, 0], max: [60, 50]}}, start: 500, duration: 5, amplitude: 30}\n"
                           "time: {end: 700, step: 1}\noutput: {every: 100, sample: 10, fields: [filament]}\n"
                           "expect: [{quantity: filaments, value: 1, atol: 0.1}]\n");
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "reentry      of "));
  assert_non_null(strstr(said.out, "1 filament at the end"));
  said_release(&said);
  char *text = scratch_read(folder, "results/filaments.csv"), *rest_of = text;
  double mark[50 * 50], v[10], sum = 0;
  assert_non_null(strstr(text, "time,count,filament,turn,length,cells,ends,x,y,z\n0,0,0,0,0,0,0,nan,nan,nan\n100,0,"));
  int n = 0;
  for (char *line = strtok_r(text, "\n", &rest_of); (line = strtok_r(NULL, "\n", &rest_of)); ++n) {
    assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
                            &v[6], &v[7], &v[8], &v[9]),
                     10);
    assert_true(v[0] == 100 * n && v[1] == (n >= 6));
  }
  assert_int_equal(n, 8);
  char *tracks = scratch_read(folder, "results/tracks.csv");
  assert_non_null(strstr(tracks, "x-end,y-end,z-end\n1,1,600,700,100,"));
  assert_null(strstr(tracks, "\n2,"));
  free(tracks);
  print_message("at 700 ms at (%g, %g)\n", v[7], v[8]);
  assert_true(v[2] == 1 && v[3] == 1 && v[5] == 1 && v[7] > 10 && v[7] < 90 && v[8] > 10 && v[8] < 90);
  free(text);
  Result *result = NULL;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_non_null(result_field(result, "phase", false));
  assert_ok(result_read(result, result_field(result, "filament", true), -1, mark));
  for (int e = 0; e < 50 * 50; ++e) sum += mark[e];
  assert_true(sum == 1 && mark[(int)(v[8] / 2) * 50 + (int)(v[7] / 2)] == 1);
  result_close(&result);
  scratch_remove(&folder);
}

/* By a state of the cells: the angle of (V, state), and the same one filament. */
static void by_a_state(void **state) {
  (void)state;
  enum { N = 51 * 51 };
  static double phase[N], V[N], r[N];
  char *folder = scratch_create();
  app_runs(folder, "version: 1\nmesh: {grid: [51, 51], size: [100, 100]}\nphysics: monodomain\n"
                   "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.2}]\n"
                   "stimuli:\n- {on: {box: {min: [0, 0], max: [5, 100]}}, duration: 2, amplitude: 50}\n"
                   "- {on: {box: {min: [0, 0], max: [60, 50]}}, start: 500, duration: 5, amplitude: 30}\n"
                   "time: {end: 700, step: 1}\noutput: {every: 350, fields: [potential, recovery, filament],\n"
                   "  phase: {state: recovery, middle: 0.8, range: 2, center: -50}}\n"
                   "expect: [{quantity: filaments, value: 1, atol: 0.1}]\n");
  Result *result = NULL;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_int_equal(result->n_node, N);
  assert_ok(result_read(result, result_field(result, "phase", false), -1, phase));
  assert_ok(result_read(result, result_field(result, "potential", false), -1, V));
  assert_ok(result_read(result, result_field(result, "recovery", false), -1, r));
  for (int i = 0; i < N; ++i) assert_within(phase[i], atan2(100 * (r[i] - 0.8) / 2, V[i] + 50), 1e-12);
  result_close(&result);
  char *text = scratch_read(folder, "results/filaments.csv");
  assert_non_null(strstr(text, "\n700,1,1,1,"));
  free(text);
  scratch_remove(&folder);
}

/* A strip that beats every 300 ms. */
static void of_a_train(void **state) {
  (void)state;
  char *folder = scratch_create();
  double frequency[22];
  char unit[16];
  app_runs(folder,
           "version: 1\nmesh: {grid: [11, 2], size: [5, 0.5]}\nphysics: monodomain\n"
           "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 1}]\n"
           "stimuli: [{on: x0, depth: 2, duration: 2, amplitude: 50, period: 300}]\ntime: {end: 3000, step: 0.5}\n"
           "output: {every: 1500, sample: 5, maps: [{name: dominant-frequency, start: 600}],\n"
           "  probes: [{name: f, at: [2.2, 0.3], field: dominant-frequency}]}\n");
  Result *result = NULL;
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  const ResultField *field = result_field(result, "dominant-frequency", false);
  assert_ok(result_read(result, field, -1, frequency));
  result_unit(result, field, unit, sizeof unit);
  assert_string_equal(unit, "Hz");
  result_close(&result);
  for (int i = 0; i < 22; ++i) assert_within(frequency[i], 1e3 / 300, 0.02); /* 2.4 s: 0.42 Hz apart */
  char *text = scratch_read(folder, "results/probes.csv");
  double time, at_end;
  assert_non_null(strstr(text, "\n1500,-1\n"));
  text[strlen(text) - 1] = 0;
  assert_int_equal(sscanf(strrchr(text, '\n'), "%lf,%lf", &time, &at_end), 2);
  assert_within(at_end, frequency[0], 1e-3);
  free(text);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flat),       cmocka_unit_test(solid),
                                     cmocka_unit_test(tracked),    cmocka_unit_test(of_a_run),
                                     cmocka_unit_test(by_a_state), cmocka_unit_test(of_a_train)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
