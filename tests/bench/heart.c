/* bench heart: every row of tiny slabs and of a folder's meshes converges and reaches the JSON file, the wave has
 * begun; time per phase; what the rival is given, and its figures beside ours. */
#include "bench/heart/heart_run.h"
#include "bench/heart/profile.h"
#include "core/memory.h"
#include "core/vec.h"
#include "mesh/mesh.h"
#include "tests/bench/said.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Exec *exec;

/* Of the nth figure. */
static double number(const char *json, const char *key, int nth) {
  char quoted[80];
  double value = -1;
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const char *at = strstr(json, quoted);
  for (int i = 0; i < nth && at; ++i) at = strstr(at + 1, quoted);
  if (!at || sscanf(at + strlen(quoted), "%lf", &value) != 1)
    fail_msg("no number %d of %s in:\n%.3000s", nth, key, json);
  return value;
}

/* Runs the bench, gives its JSON; FREE it. */
static char *run(BenchParams params) {
  char path[] = "/tmp/sinew-bench-test-XXXXXX";
  const int made = mkstemp(path);
  assert_true(made >= 0);
  close(made);
  FILE *out = tmpfile(), *in;
  assert_non_null(out);
  params.json = path;
  params.version = "1";
  params.commit = "c";
  assert_ok(bench_heart(exec, &params, out));
  fclose(out);
  in = fopen(path, "r");
  assert_non_null(in);
  char *json = text_of(in);
  fclose(in);
  remove(path);
  return json;
}

static void figures_are_sound(const char *json, int n) {
  assert_int_equal(count(json, "\"converged\": true"), n);
  assert_int_equal(count(json, "\"converged\": false"), 0);
  for (int i = 0; i < n; ++i) {
    const double each = number(json, "us_per_step", i);
    assert_true(each > 0);
    assert_relative(number(json, "seconds_per_simulated_second", i), each * 2e-3, 1e-9);
    assert_true(number(json, "newton_per_step", i) >= 1);
    assert_true(number(json, "products_per_step", i) >= 2);
    assert_true(number(json, "share_of_nodes_active", i) > 0);
    assert_near(number(json, "dt_ms", i), 0.5, 0);
    assert_near(number(json, "rtol", i), 1e-8, 0);
    const double residual = number(json, "worst_residual", i);
    assert_true(residual > 0 && residual <= 1e-8);
    assert_int_equal((int)number(json, "steps", i), 3);
    const double fastest = number(json, "fastest_us", i);
    assert_true(fastest > 0 && fastest <= each * 1.0001);
    for (int k = 0; k < HEART_PHASES; ++k) {
      const double us = number(json, heart_phase_name((HeartPhase)k), i);
      const bool none = k == HEART_ASSEMBLY && i % 2 == 0; /* nodal: nothing is assembled */
      assert_true(none ? us == 0 : k == HEART_COPIES ? us >= 0 : us > 0);
    }
  }
}

/* 25 %: 6 x 6 x 1, 7 x 7 x 1, 15 x 15 x 1 and 19 x 19 x 1 cells of 6 tets. */
static void slabs(void **state) {
  (void)state;
  static const int cells[4] = {6, 7, 15, 19};
  char *json = run((BenchParams){.percent = 25, .repeat = 3});
  figures_are_sound(json, 8);
  assert_int_equal(count(json, "\"scheme\": \"nodal\""), 4);
  assert_int_equal(count(json, "\"scheme\": \"gauss\""), 4);
  assert_true(number(json, "copy_gb_per_s", 0) > 0);
  for (int i = 0; i < 8; ++i) {
    const int n = cells[i / 2];
    assert_int_equal((int)number(json, "nodes", i), 2 * (n + 1) * (n + 1));
    assert_int_equal((int)number(json, "elements", i), 6 * n * n);
    assert_near(number(json, "across_mm2_per_ms", i), 0.1, 0); /* no fibres */
  }
  /* bytes are known of nodal steps only, and a step moves its matrix in double and 10 vectors at least */
  assert_int_equal(count(json, "\"bytes_per_step\""), 4);
  assert_true(number(json, "bytes_per_step", 0) > 80 * number(json, "nodes", 0));
  FREE(json);
}

static void meshes_of_a_folder(void **state) {
  (void)state;
  char folder[] = "/tmp/sinew-bench-test-XXXXXX", path[64], other[64];
  Mesh *mesh = NULL;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/small.h5", folder);
  snprintf(other, sizeof other, "%s/unstructured-tet.h5", folder);
  const BoxParams box = {.kind = ELEMENT_TET4, .n = {8, 3, 2}, .size = {4, 1.5, 1}};
  assert_ok(mesh_box(&box, &mesh));
  assert_ok(mesh_write_h5(mesh, path));
  assert_ok(mesh_write_h5(mesh, other));
  mesh_destroy(&mesh);
  char *json = run((BenchParams){.meshes = folder, .repeat = 3});
  figures_are_sound(json, 4);
  assert_int_equal((int)number(json, "nodes", 0), 9 * 4 * 3);
  assert_int_equal((int)number(json, "nodes", 2), 17 * 7 * 5);
  assert_int_equal(count(json, "unstructured"), 0);
  FREE(json);
  json = run((BenchParams){.meshes = folder, .repeat = 3, .only = "small-refined-twice", .part = "nodal"});
  figures_are_sound(json, 1);
  assert_int_equal((int)number(json, "nodes", 0), 33 * 13 * 9);
  assert_int_equal(count(json, "\"mesh\": \"small-refined-twice\""), 1);
  FREE(json);
  remove(path);
  remove(other);
  rmdir(folder);
}

static int32_t turns; /* on the host */
typedef struct Doubling {
  double *x;
  int32_t *stop;
} Doubling;
static Status doubling(Exec *on, void *context) {
  const Doubling *d = context;
  ++turns;
  TRY(vec_axpy(on, 100, 1, d->x, d->x));
  return vec_countdown(on, d->stop + 1, d->stop);
}

static void profile(void **state) {
  (void)state;
  const ExecTable *table = exec->table;
  Profile *p = NULL;
  const ProfileRow *row;
  ExecLoop *loop = NULL;
  int n;
  double *x = NULL, host[100];
  int32_t *stop = NULL, left[2] = {0, 4};
  assert_ok(exec_alloc(exec, 2, sizeof *stop, "stop", (void **)&stop));
  assert_ok(exec_upload(exec, stop, left, sizeof left));
  assert_ok(profile_begin(exec, &p));
  assert_ok(exec_alloc(exec, 100, sizeof *x, "x", (void **)&x));
  assert_ok(vec_fill(exec, 100, 1, x));
  assert_ok(profile_reset(p));
  Doubling d = {x, stop};
  assert_ok(exec_loop_create(exec, doubling, &d, stop, &loop));
  assert_ok(exec_loop_run(loop, 20, NULL, NULL));
  exec_loop_destroy(&loop);
  for (int k = 0; k < 40; ++k) assert_ok(vec_axpy(exec, 100, 0, x, x)); /* more than there are marks */
  assert_ok(exec_download(exec, host, x, sizeof host));
  assert_near(host[99], 16, 0);
  assert_int_equal(turns, 4);
  assert_ok(profile_rows(p, &row, &n));
  assert_int_equal(n, 3);
  assert_string_equal(row[0].name, "vec_axpy");
  assert_int_equal(row[0].launches, 44);
  assert_string_equal(row[1].name, "vec_countdown");
  assert_int_equal(row[1].launches, 4);
  assert_string_equal(row[2].name, PROFILE_COPIES);
  assert_int_equal(row[2].launches, 1);
  for (int k = 0; k < n; ++k) assert_true(row[k].seconds > 0 && row[k].seconds < 10);
  exec_release(exec, 100, sizeof *x, (void **)&x);
  profile_end(&p);
  assert_null(p);
  assert_ptr_equal(exec->table, table);
  exec_release(exec, 2, sizeof *stop, (void **)&stop);
}

typedef struct Given {
  char magic[8];
  int64_t count[3]; /* nodes, elements, stimulated */
  double number[14];
} Given;

static double volume_of(const double (*x)[3], const int32_t *tet) {
  double e[3][3];
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) e[k][c] = x[tet[k + 1]][c] - x[tet[0]][c];
  return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
         6;
}

static void put_lines(const char *path, const char *lines) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(lines, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

static char *empty_file(char path[]) {
  const int made = mkstemp(path);
  assert_true(made >= 0);
  close(made);
  return path;
}

/* 6 x 6 x 1 cubes of 0.3 mm, whole and in the order of the file's head. */
static void given_to_the_rival(const char *path) {
  enum { NODES = 98, ELEMENTS = 216 };
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  Given g;
  double x[NODES][3], D[ELEMENTS][6], V[NODES], volume = 0;
  int32_t tet[ELEMENTS][4], stimulated[NODES];
  int64_t steps[2];
  assert_int_equal(fread(g.magic, 1, 8, f), 8);
  assert_int_equal(fread(g.count, 8, 3, f), 3);
  assert_int_equal(fread(g.number, 8, 14, f), 14);
  assert_memory_equal(g.magic, "SNWHRT1\n", 8);
  assert_int_equal(g.count[0], NODES);
  assert_int_equal(g.count[1], ELEMENTS);
  assert_true(g.count[2] > 0 && g.count[2] <= NODES);
  assert_near(g.number[0], 0.5, 0);
  assert_near(g.number[1], 1e-8, 0);
  assert_near(g.number[13], 12.9, 0); /* the last parameter of the cells */
  assert_int_equal(fread(x, sizeof *x, NODES, f), NODES);
  assert_int_equal(fread(tet, sizeof *tet, ELEMENTS, f), ELEMENTS);
  assert_int_equal(fread(D, sizeof *D, ELEMENTS, f), ELEMENTS);
  assert_int_equal(fread(stimulated, sizeof *stimulated, (size_t)g.count[2], f), g.count[2]);
  for (int e = 0; e < ELEMENTS; ++e) {
    volume += volume_of((const double(*)[3])x, tet[e]);
    assert_near(D[e][0], 0.1, 1e-15);
    assert_near(D[e][3], 0, 1e-15);
  }
  assert_near(volume, 1.8 * 1.8 * 0.3, 1e-12);
  for (int s = 0; s < 2; ++s) {
    assert_int_equal(fread(steps, sizeof *steps, 2, f), 2);
    assert_int_equal(steps[0], HEART_WARM);
    assert_int_equal(steps[1], 3);
    assert_int_equal(fread(V, sizeof *V, NODES, f), NODES);
    assert_true(V[stimulated[0]] > -30 && V[stimulated[0]] < 30);
  }
  assert_int_equal(fgetc(f), EOF);
  fclose(f);
}

/* The fastest of a mesh's runs on so many ranks; runs of others do not count. */
static void beside_the_rival(void **state) {
  (void)state;
#define LINE(nodes, scheme, preconditioner, us, fastest)                                                               \
  "{\"mesh\": \"slab-3k\", \"nodes\": " nodes ", \"scheme\": \"" scheme "\", \"preconditioner\": \"" preconditioner    \
  "\", \"ranks\": 1, \"us_per_step\": " us ", \"fastest_us\": " fastest ", \"processor_us\": 6e5"                      \
  ", \"assembly_us\": 1, \"solve_us\": 2, \"difference_mv\": 1e-5},\n"
  static const char lines[] = "{\"petsc\": [\n" LINE("98", "nodal", "jacobi", "5e5", "3e5")
      LINE("98", "nodal", "bjacobi", "4e5", "3.5e5") LINE("99", "gauss", "jacobi", "4e5", "3e5") "]}\n";
  char path[] = "/tmp/sinew-bench-test-XXXXXX", given[] = "/tmp/sinew-bench-test-XXXXXX";
  put_lines(empty_file(path), lines);
  char *json =
      run((BenchParams){.percent = 25, .repeat = 3, .only = "slab-3k", .petsc = path, .dump = empty_file(given)});
  assert_int_equal(count(json, "\"speed_up\""), 1);
  assert_int_equal(count(json, "\"bjacobi\""), 1);
  const double each = number(json, "us_per_step", 0), fastest = number(json, "fastest_us", 0);
  assert_relative(number(json, "speed_up", 0), 4e5 / each, 1e-9);
  assert_relative(number(json, "speed_up_of_the_fastest_step", 0), 3e5 / fastest, 1e-9);
  FREE(json);
  given_to_the_rival(given);
  remove(given);
  remove(path);
}

static void wrong_wishes(void **state) {
  (void)state;
  FILE *out = tmpfile();
  assert_non_null(out);
  assert_fails(bench_heart(exec, &(BenchParams){.only = "slab-4k"}, out), ERR_USAGE,
               "no mesh of 'heart' is called 'slab-4k'");
  assert_fails(bench_heart(exec, &(BenchParams){.part = "cells"}, out), ERR_USAGE,
               "part of 'heart' is 'cells', must be nodal or gauss");
  assert_fails(bench_heart(exec, &(BenchParams){.meshes = "/nowhere/hearts"}, out), ERR_IO, "/nowhere/hearts");
  assert_fails(bench_heart(exec, &(BenchParams){.percent = 10, .repeat = 1, .petsc = "/nowhere/p.json"}, out), ERR_IO,
               "/nowhere/p.json");
  fclose(out);
}

/* The first of the allocations, the second, the fourth ... */
static void allocations_failed(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-bench-test-XXXXXX";
  const int made = mkstemp(path);
  assert_true(made >= 0);
  close(made);
  const BenchParams params = {.percent = 10, .repeat = 1, .only = "slab-3k", .json = path};
  const size_t before = mem_in_use();
  int n_failed = 0;
  for (int64_t nth = 1;; nth *= 2, ++n_failed) {
    FILE *out = tmpfile();
    assert_non_null(out);
    mem_fail_nth(nth);
    const Status status = bench_heart(exec, &params, out);
    const bool failed = mem_count() >= nth;
    mem_fail_nth(0);
    fclose(out);
    assert_int_equal(mem_in_use(), before);
    if (failed) assert_out_of_memory(status);
    status_clear();
    if (failed) continue;
    assert_int_equal(status, OK);
    break;
  }
  assert_true(n_failed > 5);
  remove(path);
}

int main(void) {
  exec = testing_exec();
  const struct CMUnitTest tests[] = {cmocka_unit_test(slabs),        cmocka_unit_test(meshes_of_a_folder),
                                     cmocka_unit_test(profile),      cmocka_unit_test(beside_the_rival),
                                     cmocka_unit_test(wrong_wishes), cmocka_unit_test(allocations_failed)};
  const int failed = cmocka_run_group_tests_name("bench/heart", tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
