/* bench spmv: matrices of the paper's character, a wrong product stops it, its figures reach the table and the file. */
#include "bench/spmv/spmv.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Exec *exec;

/* Columns ascend, the diagonal is there, lengths lie in the table's range with the table's mean. */
static void generated_matrices_have_their_row_lengths(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int32_t shortest, longest;
    double mean;
  } wanted[] = {{"webbase", 1, 4700, 3.1},    {"circuit", 1, 353, 5.6}, {"economics", 1, 44, 6.2},
                {"epidemiology", 2, 4, 3.99}, {"qcd", 39, 39, 39},      {"protein", 18, 204, 119.3}};
  for (int i = 0; i < 6; ++i) {
    Pattern *p = NULL;
    RowProfile profile;
    assert_string_equal(spmv_generated_name(i), wanted[i].name);
    assert_ok(spmv_generated(i, 10, &p));
    assert_ok(row_profile_create(p, &profile));
    assert_true(profile.shortest >= wanted[i].shortest);
    assert_int_equal(profile.longest, wanted[i].longest);
    const double mean = (double)profile.entries / p->n;
    if (mean < 0.85 * wanted[i].mean || mean > 1.15 * wanted[i].mean) fail_msg("%s: mean %g", wanted[i].name, mean);
    for (int32_t r = 0; r < p->n; ++r) {
      bool diagonal = false;
      for (int64_t k = p->start[r]; k < p->start[r + 1]; ++k) {
        assert_true(p->column[k] >= 0 && p->column[k] < p->n);
        assert_true(k == p->start[r] || p->column[k] > p->column[k - 1]);
        diagonal |= p->column[k] == r;
      }
      assert_true(diagonal);
    }
    row_profile_release(&profile);
    pattern_destroy(&p);
  }
  assert_null(spmv_generated_name(6));
}

static int64_t hash_of(const Pattern *p) {
  uint64_t h = 0;
  for (int64_t k = 0; k < p->start[p->n]; ++k) h = (h + (uint32_t)p->column[k] + 1) * 0x9e3779b97f4a7c15u;
  return (int64_t)h;
}

/* All sets have the same kinds, of other sizes; each row has its diagonal and ascending columns; the same twice. */
static void graphs_come_in_sets(void **state) {
  (void)state;
  int n = 0, n_judged = 0;
  for (; spmv_graph_name(n); ++n) {
    Pattern *p = NULL, *again = NULL;
    assert_ok(spmv_graph(n, 10, &p));
    assert_ok(spmv_graph(n, 10, &again));
    assert_int_equal(p->start[p->n], again->start[again->n]);
    assert_true(hash_of(p) == hash_of(again));
    for (int32_t r = 0; r < p->n; ++r) {
      bool diagonal = false;
      for (int64_t k = p->start[r]; k < p->start[r + 1]; ++k) {
        assert_true(p->column[k] >= 0 && p->column[k] < p->n);
        assert_true(k == p->start[r] || p->column[k] > p->column[k - 1]);
        diagonal |= p->column[k] == r;
      }
      assert_true(diagonal);
    }
    const bool judged = spmv_graph_judged(n);
    n_judged += judged;
    pattern_destroy(&p);
    pattern_destroy(&again);
  }
  assert_true(n_judged >= 10 && 3 * n_judged < n); /* the last ones */
}

static void rows_of(const char *name, int32_t percent, RowProfile *profile) {
  Pattern *p = NULL;
  int i = 0;
  while (strcmp(spmv_graph_name(i), name) != 0) ++i;
  assert_ok(spmv_graph(i, percent, &p));
  assert_ok(row_profile_create(p, profile));
  row_profile_release(profile);
  pattern_destroy(&p);
}

static void graphs_have_their_character(void **state) {
  (void)state;
  RowProfile p;
  rows_of("grid9-1", 10, &p);
  assert_true(p.n == 40 * 50 && p.longest == 9 && p.shortest == 4);
  rows_of("grid27-2", 20, &p);
  assert_true(p.n == 13 * 13 * 13 && p.longest == 27 && p.shortest == 8);
  rows_of("arrow-1", 10, &p);
  assert_true(p.longest == 20000 && p.entries < 5 * p.n);
  rows_of("power-1", 10, &p);
  assert_true(p.longest > 50 * p.entries / p.n && p.shortest <= 2);
  rows_of("random-2", 10, &p);
  assert_true(p.longest < 40 && p.entries > 12 * p.n);
  rows_of("triangles-2", 50, &p);
  assert_true(p.longest == 9 && p.entries < 7.2 * p.n);
  rows_of("long-1", 100, &p);
  assert_true(p.longest > 5500 && p.entries < 6 * p.n);
}

static void check_wrong_product(void) {
  const BenchParams params = {.percent = 2, .repeat = 1};
  const SpmvSource source = {.name = "qcd", .family = SPMV_GENERATED, .index = 4};
  Pattern *pattern = NULL;
  char why[SPMV_TEXT];
  assert_ok(spmv_pattern(&params, &source, &pattern, why));
  SpmvRun run = {.exec = exec,
                 .params = &params,
                 .machine = format_machine(false),
                 .copy = 10,
                 .source = &source,
                 .pattern = pattern};
  assert_ok(spmv_run_create(&run));
  assert_ok(spmv_variants(&run));
  assert_ok(spmv_measure(&run, &run.figure[0]));
  assert_string_equal(run.figure[0].cannot, "");
  assert_true(run.figure[0].seconds[0] > 0 && run.figure[0].seconds[1] > 0);
  assert_true(run.figure[0].padding >= 1);
  run.wanted[17] += 1e-6 * run.size[17];
  assert_fails(spmv_measure(&run, &run.figure[0]), ERR_NUMERIC, "sbell S32 on qcd in double is wrong");
  /* a format that refuses is no failure */
  SpmvFigure refused = {.params = {.format = "sbell", .slice = 31}};
  assert_ok(spmv_measure(&run, &refused));
  assert_non_null(strstr(refused.cannot, "slice is 31"));
  spmv_run_release(&run);
  pattern_destroy(&pattern);
}

static void a_wrong_product_stops_the_bench(void **state) {
  (void)state;
  check_wrong_product(); /* after which the executor has its own scratch memory */
  const size_t before = mem_in_use();
  check_wrong_product();
  assert_int_equal(mem_in_use(), before);
}

static void conversion_pays_off(void **state) {
  (void)state;
  assert_near(spmv_paid_off(1e-3, 2e-6, 3e-6), 1000, 1e-12);
  assert_true(spmv_paid_off(1e-3, 3e-6, 2e-6) == 0);
}

static char *text_of(FILE *f) {
  char *text = NULL;
  const long size = ftell(f);
  rewind(f);
  assert_ok(mem_alloc(size + 1, 1, "text", (void **)&text));
  assert_int_equal(fread(text, 1, (size_t)size, f), size);
  return text;
}

static void the_bench_runs_and_writes(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  char path[] = "/tmp/sinew-bench-test-XXXXXX";
  const int made = mkstemp(path);
  assert_true(made >= 0);
  close(made);
  FILE *out = tmpfile();
  assert_non_null(out);
  char lines[] = "/tmp/sinew-bench-test-XXXXXX";
  const int also = mkstemp(lines);
  assert_true(also >= 0);
  close(also);
  BenchParams params = {
      .percent = 5, .repeat = 1, .only = "hex", .json = path, .dump = lines, .version = "1", .commit = "c"};
  assert_ok(bench_spmv(exec, &params, out));
  char *text = text_of(out);
  assert_non_null(strstr(text, "hex: 81 rows"));
  assert_non_null(strstr(text, "regret of the choice in double over 1 matrices that it is fitted on"));
  FREE(text);
  fclose(out);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  text = text_of(f);
  for (int32_t i = 0; i < mat_format_count(); ++i) {
    char key[80];
    snprintf(key, sizeof key, "\"format\": \"%s\"", mat_format_name(i));
    if (!strstr(text, key)) fail_msg("%s is not in the JSON file", mat_format_name(i));
  }
  assert_non_null(strstr(text, "\"regret_float_fit\""));
  FREE(text);
  fclose(f);
  remove(path);
  f = fopen(lines, "r");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  text = text_of(f);
  assert_non_null(strstr(text, "\nmatrix,hex,fit,27,3,343,8,27,"));
  assert_non_null(strstr(text, ",8:8 12:12 18:6 27:1\n"));
  assert_non_null(strstr(text, "\nproduct,hex,double,csr-balanced L256,"));
  assert_non_null(strstr(text, "\nproduct,hex,float,sbell S32,"));
  FREE(text);
  fclose(f);
  remove(lines);
  assert_int_equal(mem_in_use(), before);
}

/* Mean distance of a row to its columns. */
static double spread_of(const BenchParams *params, const char *name, int64_t *entries) {
  SpmvSource *source = NULL;
  Pattern *p = NULL;
  BenchParams only = *params;
  char why[SPMV_TEXT];
  int n = 0;
  double sum = 0;
  only.only = name;
  assert_ok(spmv_sources(&only, &source, &n));
  assert_int_equal(n, 1);
  assert_ok(spmv_pattern(&only, source, &p, why));
  assert_non_null(p);
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) sum += abs(p->column[k] - i);
  *entries = p->start[p->n];
  sum /= (double)*entries;
  FREE(source);
  pattern_destroy(&p);
  return sum;
}

/* The same couplings, far from the diagonal when shuffled, back near it by `numbering: auto`: 28^3 nodes of 3
 * unknowns. */
static void shuffled_nodes_are_healed(void **state) {
  (void)state;
  int64_t entries[4];
  BenchParams params = {.percent = 50};
  const double plain = spread_of(&params, "hex", &entries[0]),
               shuffled = spread_of(&params, "hex-shuffled", &entries[1]),
               healed = spread_of(&params, "hex-shuffled-auto", &entries[2]);
  for (int k = 1; k < 3; ++k) assert_int_equal(entries[k], entries[0]);
  assert_true(shuffled > 5 * plain);
  assert_true(healed < 1.5 * plain);
  params.numbering = "auto";
  assert_true(spread_of(&params, "hex-shuffled", &entries[3]) == healed);
  assert_true(spread_of(&params, "hex", &entries[3]) == plain); /* nothing to heal */
  params.numbering = "sorted";
  SpmvSource box = {.name = "hex", .family = SPMV_BOX, .index = 1};
  Pattern *p = NULL;
  char why[SPMV_TEXT];
  assert_fails(spmv_pattern(&params, &box, &p, why), ERR_INPUT, "sorted");
}

static void wrong_wishes(void **state) {
  (void)state;
  FILE *out = tmpfile();
  assert_non_null(out);
  BenchParams params = {.percent = 2, .repeat = 1, .only = "hexx"};
  assert_fails(bench_spmv(exec, &params, out), ERR_USAGE, "no matrix is called 'hexx'");
  params = (BenchParams){.percent = 2, .repeat = 1, .part = "third"};
  assert_fails(bench_spmv(exec, &params, out), ERR_USAGE, "allowed: fit, judged");
  params = (BenchParams){.percent = 2, .repeat = 1, .only = "hex", .dump = "/nowhere/a.csv"};
  assert_fails(bench_spmv(exec, &params, out), ERR_IO, "/nowhere/a.csv");
  params = (BenchParams){.percent = 2, .repeat = 1, .only = "hex", .meshes = "/nowhere/at/all"};
  assert_fails(bench_spmv(exec, &params, out), ERR_IO, "/nowhere/at/all");
  params = (BenchParams){.percent = 2, .repeat = 1, .matrix = "/nowhere/a.mtx"};
  assert_fails(bench_spmv(exec, &params, out), ERR_MESH, "/nowhere/a.mtx");
  fclose(out);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  const BenchParams params = {.percent = 1, .repeat = 1};
  const SpmvSource source = {.name = "protein", .family = SPMV_GENERATED, .index = 5};
  for (int64_t nth = 1;; ++nth) {
    Pattern *pattern = NULL;
    char why[SPMV_TEXT];
    mem_fail_nth(nth);
    Status status = spmv_pattern(&params, &source, &pattern, why);
    SpmvRun run = {.exec = exec, .params = &params, .source = &source, .pattern = pattern};
    if (status == OK) status = spmv_run_create(&run);
    const bool failed = mem_count() >= nth;
    mem_fail_nth(0);
    spmv_run_release(&run);
    pattern_destroy(&pattern);
    status_clear();
    assert_int_equal(mem_in_use(), before);
    if (!failed) {
      assert_int_equal(status, OK);
      assert_true(nth > 8);
      break;
    }
    assert_out_of_memory(status);
  }
}

int main(void) {
  exec = testing_exec();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generated_matrices_have_their_row_lengths),
      cmocka_unit_test(graphs_come_in_sets),
      cmocka_unit_test(graphs_have_their_character),
      cmocka_unit_test(a_wrong_product_stops_the_bench),
      cmocka_unit_test(conversion_pays_off),
      cmocka_unit_test(the_bench_runs_and_writes),
      cmocka_unit_test(shuffled_nodes_are_healed),
      cmocka_unit_test(wrong_wishes),
      cmocka_unit_test(every_allocation_failed_once),
  };
  const int failed = cmocka_run_group_tests_name("bench/spmv", tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
