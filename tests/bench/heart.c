/* bench heart: every row of tiny slabs and of a folder's meshes converges and reaches the JSON file, the wave has begun. */
#include "bench/bench.h"
#include "core/memory.h"
#include "mesh/mesh.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Exec *exec;

static char *text_of(FILE *f) {
  char *text = NULL;
  fseek(f, 0, SEEK_END);
  const long size = ftell(f);
  rewind(f);
  assert_ok(mem_alloc(size + 1, 1, "text", (void **)&text));
  assert_int_equal(fread(text, 1, (size_t)size, f), size);
  return text;
}

static int count(const char *text, const char *part) {
  int n = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) ++n;
  return n;
}

/* Of the nth figure. */
static double number(const char *json, const char *key, int nth) {
  char quoted[80];
  double value = -1;
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const char *at = strstr(json, quoted);
  for (int i = 0; i < nth && at; ++i) at = strstr(at + 1, quoted);
  if (!at || sscanf(at + strlen(quoted), "%lf", &value) != 1) fail_msg("no number %d of %s in:\n%.3000s", nth, key, json);
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
    assert_near(number(json, "seconds_per_simulated_second", i), each * 2e-3, 1e-9 * each);
    assert_true(number(json, "newton_per_step", i) >= 1);
    assert_true(number(json, "products_per_step", i) >= 2);
    assert_true(number(json, "share_of_nodes_active", i) > 0);
    assert_near(number(json, "dt_ms", i), 0.5, 0);
    assert_near(number(json, "rtol", i), 1e-8, 0);
    const double residual = number(json, "worst_residual", i);
    assert_true(residual > 0 && residual <= 1e-8);
    assert_int_equal((int)number(json, "steps", i), 3);
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
  json = run((BenchParams){.meshes = folder, .repeat = 3, .only = "small-refined"});
  figures_are_sound(json, 2);
  assert_int_equal(count(json, "\"mesh\": \"small-refined\""), 2);
  FREE(json);
  remove(path);
  remove(other);
  rmdir(folder);
}

static void wrong_wishes(void **state) {
  (void)state;
  FILE *out = tmpfile();
  assert_non_null(out);
  assert_fails(bench_heart(exec, &(BenchParams){.only = "slab-4k"}, out), ERR_USAGE,
               "no mesh of 'heart' is called 'slab-4k'");
  assert_fails(bench_heart(exec, &(BenchParams){.meshes = "/nowhere/hearts"}, out), ERR_IO, "/nowhere/hearts");
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(slabs), cmocka_unit_test(meshes_of_a_folder),
                                     cmocka_unit_test(wrong_wishes), cmocka_unit_test(allocations_failed)};
  const int failed = cmocka_run_group_tests_name("bench/heart", tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
