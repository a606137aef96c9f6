/* bench pcg: every row of the quick size converges and reaches the JSON file, a wrong answer stops it, the paper's
 * numbers stand beside ours. */
#include "bench/pcg/pcg.h"
#include "core/memory.h"
#include "tests/bench/said.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Exec *exec;

static int temporary(char *path) {
  const int made = mkstemp(path);
  assert_true(made >= 0);
  close(made);
  return made;
}

/* Runs the bench, gives its table and its JSON. */
static void run(BenchParams params, char **table, char **json) {
  char path[] = "/tmp/sinew-bench-test-XXXXXX";
  temporary(path);
  FILE *out = tmpfile(), *in;
  assert_non_null(out);
  params.json = path;
  params.version = "1";
  params.commit = "c";
  assert_ok(bench_pcg(exec, &params, out));
  *table = text_of(out);
  fclose(out);
  in = fopen(path, "r");
  assert_non_null(in);
  *json = text_of(in);
  fclose(in);
  remove(path);
}

static void must_hold(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("'%s' is missing in:\n%.4000s", part, text);
}

static void the_quick_size_converges_everywhere(void **state) {
  (void)state;
  char *table, *json, key[96];
  run((BenchParams){.quick = true, .only = "hex"}, &table, &json);
  static const char *const keys[] = {"\"copy_gb_per_s\"",
                                     "\"device\"",
                                     "\"problem\"",
                                     "\"percent\": 6",
                                     "\"table5\"",
                                     "\"figure10\"",
                                     "\"meshes\"",
                                     "\"solves\"",
                                     "\"rivals\"",
                                     "\"small\"",
                                     "\"setup_ms\"",
                                     "\"solve_ms\"",
                                     "\"us_per_iteration\"",
                                     "\"bytes_per_iteration\"",
                                     "\"share_of_copy\"",
                                     "\"true_residual\"",
                                     "\"residual_by_elements\"",
                                     "\"paper_jacobi_seconds\": 43.98",
                                     "\"role\": \"degree\"",
                                     "\"role\": \"small\""};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) must_hold(json, keys[i]);
  for (int32_t i = 0; i < precond_count(); ++i) {
    if (precond_type(i)->unit || precond_type(i)->dominant || precond_type(i)->host) continue;
    snprintf(key, sizeof key, "\"preconditioner\": \"%s\"", precond_name(i));
    must_hold(json, key);
  }
  for (int i = 0; pcg_inner_name(i); ++i) {
    snprintf(key, sizeof key, "\"precision\": \"%s\"", pcg_inner_name(i));
    must_hold(json, key);
  }
  for (int32_t i = 0; i < mat_format_count(); ++i) {
    snprintf(key, sizeof key, "\"format\": \"%s\"", mat_format_name(i));
    must_hold(json, key);
  }
  const char *bad = strstr(json, "\"converged\": false");
  if (bad) fail_msg("a row did not converge: %.400s", bad - json > 300 ? bad - 300 : json);
  assert_true(count(json, "\"converged\": true") > 40);
  must_hold(table, "best degree");
  must_hold(table, "spectrum scaled by blocks: Lanczos ");
  const char *spectrum = strstr(json, "\"scaled_by\": \"points\"");
  double lanczos, bound, strict;
  assert_non_null(spectrum);
  assert_int_equal(sscanf(spectrum,
                          "\"scaled_by\": \"points\", \"lanczos\": %lf, \"bound\": %lf, \"element_bound\": %lf",
                          &lanczos, &bound, &strict),
                   3);
  assert_true(lanczos > 1 && lanczos <= bound && bound <= strict * 1.001);
  must_hold(table, "cuSPARSE + cuBLAS Jacobi-PCG");
  FREE(table);
  FREE(json);
}

/* 2 methods more iterations at a low order, all fewer than Jacobi; the paper's own numbers are those of its text. */
static void the_papers_table_stands_beside_ours(void **state) {
  (void)state;
  char *table, *json;
  run((BenchParams){.quick = true, .only = "quad", .part = "table3,cpu"}, &table, &json);
  must_hold(table, "Table 3");
  must_hold(table, "413 (0.213)");
  must_hold(table, "1321 (0.682)");
  must_hold(table, "65.33 (1.006)");
  must_hold(table, "Figure 10");
  must_hold(table, "7.2 to  9.1");
  assert_int_equal(count(json, "\"paper_iterations\""), 15);
  assert_int_equal(count(json, "\"paper_seconds\""), 15);
  assert_null(strstr(json, "\"solves\""));
  const char *jacobi = strstr(json, "\"jacobi\": ");
  double base = 0, last = 1e9;
  assert_non_null(jacobi);
  assert_int_equal(sscanf(jacobi, "\"jacobi\": %lf", &base), 1);
  int seen = 0;
  for (const char *at = strstr(json, "\"method\": \"least-squares\""); at && seen < 5;
       at = strstr(at + 1, "\"method\": \"least-squares\""), ++seen) {
    double its;
    const char *value = strstr(at, "\"iterations\": ");
    assert_non_null(value);
    assert_int_equal(sscanf(value, "\"iterations\": %lf", &its), 1);
    assert_true(its > 0 && its < base && its <= last);
    last = its;
  }
  assert_int_equal(seen, 5);
  FREE(table);
  FREE(json);
}

static void a_wrong_answer_stops_it(void **state) {
  (void)state;
  PcgPlace p;
  PcgFigure f;
  PcgWish wish = {.format = "sbell", .preconditioner = "jacobi", .inner = "double", .rtol = 1e-8};
  assert_ok(pcg_place_create(exec, 0, 2, &p));
  p.copy = 10;
  p.repeat = 3;
  assert_ok(pcg_measure(&p, &wish, &f));
  assert_true(pcg_converged(&f) && f.checked <= 2e-8 && f.iterations > 10 && f.runs == 3);
  assert_true(f.seconds > 0 && f.bytes > 0 && pcg_each(&f) > 0);
  /* the same system with a right-hand side that is not the elements' */
  double wrong[2] = {0, 0};
  assert_ok(exec_download(exec, wrong, p.b + p.n - 2, sizeof wrong));
  wrong[0] += 1e-3 * p.norm_b;
  assert_ok(exec_upload(exec, p.b + p.n - 2, wrong, sizeof wrong));
  assert_fails(pcg_measure(&p, &wish, &f), ERR_NUMERIC, "is wrong: the solver says");
  /* what the solver refuses is a row that says so */
  wish.preconditioner = precond_name(0);
  wish.degree = 1000;
  assert_ok(pcg_measure(&p, &wish, &f));
  assert_false(pcg_converged(&f));
  assert_non_null(strstr(f.cannot, "1000"));
  pcg_place_release(&p);
}

static void petsc_figures_are_quoted(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-bench-test-XXXXXX", *table, *json;
  temporary(path);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "{\"petsc\": [\n{\"mesh\": \"hex\", \"rows\": 192, \"ranks\": 2, \"iterations\": 31, \"solve_ms\": 3.1, "
             "\"true_residual\": 8.8e-09},\n{\"mesh\": \"quad\", \"rows\": 192, \"ranks\": 1, \"iterations\": 77, "
             "\"solve_ms\": 3.1, \"true_residual\": 8.8e-09}\n]}\n");
  fclose(f);
  run((BenchParams){.quick = true, .only = "hex", .part = "rivals", .petsc = path}, &table, &json);
  must_hold(table, "PETSc CG + Jacobi, 2 ranks (its own run)");
  must_hold(json, "\"ranks\": 2");
  must_hold(json, "\"us_per_iteration\": 100");
  assert_null(strstr(json, "\"iterations\": 77"));
  FREE(table);
  FREE(json);
  remove(path);
}

/* All precisions on every system, the meshes of a folder left out where they have no groups. */
static void low_precision_on_hard_systems(void **state) {
  (void)state;
  char *table, *json;
  run((BenchParams){.quick = true, .percent = 7, .only = "hex", .part = "bits"}, &table, &json);
  must_hold(table, "hex, contrast 1e6");
  must_hold(table, "hex, ratio 0.499");
  must_hold(table, "hex, 100:1");
  assert_int_equal(count(json, "\"role\": \"bits\""), 4 * 6);
  assert_int_equal(count(json, "\"converged\": true"), 4 * 6);
  FREE(table);
  FREE(json);
  FILE *out = tmpfile();
  assert_non_null(out);
  assert_fails(bench_pcg(exec, &(BenchParams){.quick = true, .only = "hex", .part = "bits", .meshes = "/nowhere"}, out),
               ERR_IO, "/nowhere: no folder of meshes");
  fclose(out);
}

static void wrong_wishes(void **state) {
  (void)state;
  FILE *out = tmpfile();
  assert_non_null(out);
  BenchParams params = {.quick = true, .only = "hexx"};
  assert_fails(bench_pcg(exec, &params, out), ERR_USAGE, "no problem of 'pcg' is called 'hexx'");
  params = (BenchParams){.quick = true, .part = "solves,table4"};
  assert_fails(bench_pcg(exec, &params, out), ERR_USAGE, "'pcg' has no part 'table4'");
  params = (BenchParams){.quick = true, .only = "hex", .part = "rivals", .petsc = "/nowhere/p.json"};
  assert_fails(bench_pcg(exec, &params, out), ERR_IO, "/nowhere/p.json");
  params = (BenchParams){.quick = true, .only = "hex", .part = "rivals", .json = "/nowhere/p.json"};
  assert_fails(bench_pcg(exec, &params, out), ERR_IO, "/nowhere/p.json");
  fclose(out);
}

/* Rows, then what was promised beside what was measured; a verdict only at the full size. */
static void marks_stand_beside_figures(void **state) {
  (void)state;
  char *table, *json;
  run((BenchParams){.quick = true, .only = "hex", .part = "marks"}, &table, &json);
  must_hold(table, "amg: ms of solve");
  must_hold(table, "8 bits: iterations over those in double");
  must_hold(table, "about 3,600 unknowns");
  must_hold(json, "\"wanted\": 1.15");
  assert_null(strstr(table, "missed"));
  assert_null(strstr(json, "\"role\": \"degree\""));
  FREE(table);
  FREE(json);
}

static Status measure_all(PcgPlace *p) {
  PcgFigure f;
  const PcgWish wish = {.format = "csr", .preconditioner = precond_name(0), .inner = "float", .rtol = 1e-6};
  TRY(pcg_place_create(exec, 0, 1, p));
  p->repeat = 1;
  return pcg_measure(p, &wish, &f);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  PcgPlace p = {0};
  const int64_t n = testing_fail_each_of(measure_all(&p), {
    if (p.exec) pcg_place_release(&p);
    p = (PcgPlace){0};
  });
  assert_true(n > 20);
}

/* Several right-hand sides: the same counts at once as alone, and every row in the file. */
static void many_columns(void **state) {
  (void)state;
  char *table, *json;
  run((BenchParams){.quick = true, .only = "quad", .part = "many"}, &table, &json);
  must_hold(table, "Several right-hand sides");
  assert_int_equal(count(json, "\"ms_per_column_together\""), 20);
  assert_int_equal(count(json, "\"columns\": 8"), 5);
  for (const char *at = json; (at = strstr(at, "\"iterations_alone\": ")) != NULL; ++at) {
    const long alone = atol(at + strlen("\"iterations_alone\": ")), wide = alone / 20 + 1;
    const char *together = strstr(at, "\"iterations_together\": ");
    assert_non_null(together);
    assert_in_range(atol(together + strlen("\"iterations_together\": ")), alone - wide, alone + wide);
  }
  FREE(table);
  FREE(json);
}

int main(void) {
  exec = testing_exec();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_quick_size_converges_everywhere),
      cmocka_unit_test(the_papers_table_stands_beside_ours),
      cmocka_unit_test(a_wrong_answer_stops_it),
      cmocka_unit_test(petsc_figures_are_quoted),
      cmocka_unit_test(marks_stand_beside_figures),
      cmocka_unit_test(low_precision_on_hard_systems),
      cmocka_unit_test(many_columns),
      cmocka_unit_test(wrong_wishes),
      cmocka_unit_test(every_allocation_failed_once),
  };
  const int failed = cmocka_run_group_tests_name("bench/pcg", tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
