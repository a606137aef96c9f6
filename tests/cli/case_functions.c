/* `functions:` of a case: numbers by a table, from a file and from the case itself, and what is refused. */
#include "tests/cli/run_program.h"

#include <stdio.h>
#include <string.h>

static const char *const CASE = "version: 1\n"
                                "mesh: {grid: [3, 3]}\n"
                                "physics: heat\n"
                                "functions:\n"
                                "  - {name: record, file: record.csv}\n"
                                "  - name: along\n"
                                "    points: [{at: 0, value: 1}, {at: 1, value: 3}]\n"
                                "materials:\n"
                                "  - {on: body, conductivity: 1, capacity: 1}\n"
                                "boundary:\n"
                                "  - {on: x0, temperature: \"2*record(t) + along(y)\"}\n"
                                "  - {on: x1, temperature: \"record(1 - t)\"}\n"
                                "time: {end: 1, step: 0.25}\n"
                                "output: {probes: [{name: p, at: [0, 0.5], field: temperature}, "
                                "{name: q, at: [1, 0], field: temperature}]}\n";
static const char *const RECORD = "# of a day\nt; degrees\n0.25, 10\n\n0.5\t-1e1 # low\r\n0.75;30\n";

static void values_of_tables(void **state) {
  (void)state;
  static const double p[] = {22, 22, -18, 62, 62}, q[] = {30, 30, -10, 10, 10};
  char *folder = folder_create();
  put_text(folder, "case.yaml", CASE);
  put_text(folder, "record.csv", RECORD);
  Run run = run_sinew(folder, "run", "case.yaml", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "out/probes.csv"), *line = text;
  for (int k = 0; k < 5; ++k) {
    double t, a, b;
    line = strchr(line, '\n') + 1;
    assert_int_equal(sscanf(line, "%lf,%lf,%lf", &t, &a, &b), 3);
    assert_within(t, 0.25 * k, 1e-12);
    assert_within(a, p[k], 1e-12);
    assert_within(b, q[k], 1e-12);
  }
  free(text);
  folder_remove(&folder);
}

/* What stands in the file is part of the case: another content is another case. */
static void hash_of_tables(void **state) {
  (void)state;
  char *folder = folder_create(), *hash[2];
  put_text(folder, "case.yaml", CASE);
  for (int k = 0; k < 2; ++k) {
    put_text(folder, "record.csv", k ? "0, 1\n" : RECORD);
    Run run = run_sinew(folder, "run", "case.yaml", "--backend", "cpu", "--output", k ? "b" : "a", NULL);
    assert_code(&run, 0);
    run_release(&run);
    char *report = get_text(folder, k ? "b/report.json" : "a/report.json");
    hash[k] = strndup(strstr(report, "case_hash"), 40);
    free(report);
  }
  assert_string_not_equal(hash[0], hash[1]);
  free(hash[0]);
  free(hash[1]);
  folder_remove(&folder);
}

static const struct Wrong {
  const char *from, *to; /* in CASE */
  const char *record, *said;
} wrong[] = {
    {NULL, NULL, "0, 1\n0, 2\n", "case.yaml:5:26: record.csv:2: 0 after 0: the first column must rise"},
    {NULL, NULL, "0, 1\n2, 1\n1, 2\n", "record.csv:3: 1 after 2"},
    {NULL, NULL, "nan, 1\n", "record.csv:1: 'nan, 1' where two finite numbers were expected"},
    {NULL, NULL, "0, inf\n", "record.csv:1: '0, inf' where two finite numbers"},
    {NULL, NULL, "0, 1e999\n", "record.csv:1: '0, 1e999' where two finite numbers"},
    {NULL, NULL, "0, 1, 2\n", "record.csv:1: '0, 1, 2' where two finite numbers"},
    {NULL, NULL, "time, value\nmore, words\n", "record.csv:2: 'more, words' where two finite numbers"},
    {NULL, NULL, "time, value\n", "record.csv: has no line with two numbers"},
    {NULL, NULL, "", "record.csv: has no line with two numbers"},
    {"file: record.csv", "file: gone.csv", RECORD, "gone.csv: cannot open the table: No such file"},
    {"file: record.csv", "file: .", RECORD, ".: is a folder; a table is expected"},
    {", file: record.csv", "", RECORD, "case.yaml:5:5: function 'record' needs either file or points"},
    {"file: record.csv", "file: record.csv, points: [{at: 1, value: 1}]", RECORD,
     "needs either file or points; both are given"},
    {"at: 1,", "at: 0,", RECORD, "case.yaml:7:38: at is 0 after 0, must rise from point to point"},
    {"at: 1,", "at: .nan,", RECORD, "case.yaml:7:38: at"},
    {"at: 1, ", "", RECORD, "a point needs the key 'at'"},
    {"[{at: 0, value: 1}, {at: 1, value: 3}]", "[]", RECORD, "points is empty; at least one is needed"},
    {"name: along", "name: sin", RECORD, "case.yaml:6:11: name 'sin' is a name of expressions already"},
    {"name: along", "name: record", RECORD, "case.yaml:6:11: name 'record' is that of an earlier function"},
    {"name: along", "name: 2nd", RECORD, "name '2nd': letters, digits and _ are allowed, a letter first"},
    {"name: along", "length: 3", RECORD, "a function needs the key 'name'"},
    {"along(y)", "alon(y)", RECORD, "unknown name 'alon', did you mean 'along'?"},
    {"along(y)", "along", RECORD, "'along' is a function: write along(...)"},
    {"name: along\n    points: [{at: 0, value: 1}, {at: 1, value: 3}]", "7", RECORD, "a function must be"},
};

static void wrong_functions(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = wrong[i].from ? edited(CASE, wrong[i].from, wrong[i].to) : strdup(CASE);
    put_text(folder, "case.yaml", text);
    put_text(folder, "record.csv", wrong[i].record);
    Run run = run_sinew(folder, "check", "case.yaml", NULL);
    expect_that(run.code == 3 && strstr(run.err, wrong[i].said), "row %d: exit %d, said\n%s\nwanted\n%s", (int)i,
                run.code, run.err, wrong[i].said);
    run_release(&run);
    free(text);
  }
  folder_remove(&folder);
}

/* A function that is read and not called is warned of, by its place; a name that is part of another one calls nothing. */
static void unused_functions(void **state) {
  (void)state;
  static const struct Unused {
    const char *from, *to, *said; /* NULL: no warning */
  } unused[] = {
      {"along(y)", "along (y)", NULL},
      {"along(y)", "1", "case.yaml:6:11: no expression calls the function 'along'"},
      {"2*record(t) + along(y)", "along(y)", NULL}, /* the other boundary calls it */
      {"name: along", "name: record_1", "case.yaml:6:11: no expression calls the function 'record_1'"},
      {"name: along", "name: cord", "case.yaml:6:11: no expression calls the function 'cord'"},
  };
  char *folder = folder_create();
  put_text(folder, "record.csv", RECORD);
  for (size_t i = 0; i < sizeof unused / sizeof *unused; ++i) {
    char *text = edited(CASE, unused[i].from, unused[i].to), *plain = strdup(text);
    if (strstr(unused[i].from, "name")) free(plain), plain = edited(text, "along(y)", "0");
    put_text(folder, "case.yaml", plain);
    Run run = run_sinew(folder, "check", "case.yaml", NULL);
    assert_code(&run, 0);
    expect_that(unused[i].said ? strstr(run.err, unused[i].said) && !strstr(run.err, "'record'")
                               : !strstr(run.err, "no expression calls"),
                "row %d said\n%s", (int)i, run.err);
    run_release(&run);
    free(text);
    free(plain);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_of_tables), cmocka_unit_test(hash_of_tables),
                                     cmocka_unit_test(wrong_functions), cmocka_unit_test(unused_functions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
