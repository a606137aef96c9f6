/* sinew cell: beats, a trace and restitution of the cells of a case, as tables; what is refused. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char heart[] = "version: 1\n"
                            "mesh: nowhere.msh\n"
                            "physics: monodomain\n"
                            "tissue:\n"
                            "  - {on: outer, ionic: {model: ten-tusscher, preset: epi}, diffusivity: 1}\n"
                            "  - {on: inner, ionic: {model: aliev-panfilov}, diffusivity: 1}\n"
                            "time: {end: 1, step: 0.01}\n";

/* Field `n` (from 0) of the line that begins so; NAN: empty, or no such line. */
static double field(const char *table, const char *begin, int n) {
  const char *at = strstr(table, begin);
  for (; at && n > 0; --n) at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
  char *end;
  const double value = at ? strtod(at, &end) : (double)NAN;
  return at && end > at ? value : (double)NAN;
}

static void tables(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", heart);
  const char *const words[] = {
      "cell", scratch_path(folder, "case.yaml"), "--beats", "2", "--s1s2", "500,300,100", "--dynamic", "400,300,100"};
  Said said = app_says_words(8, words);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "outer        ten-tusscher       APD90 30"));
  said_release(&said);
  char *beats = scratch_read(folder, "cell/beats.csv");
  assert_within(field(beats, "\nouter,1", 7), 301.86, 0.1); /* APD90; as in tests/physics/ten_tusscher.c */
  assert_within(field(beats, "\nouter,2", 2), -85.432, 1e-3);
  assert_true(field(beats, "\ninner,2", 7) > 200);
  free(beats);
  char *more = scratch_read(folder, "cell/restitution.csv");
  const double long_one = field(more, "\nouter,s1s2,500", 4), short_one = field(more, "\nouter,s1s2,300", 4);
  assert_true(long_one > 260 && long_one < 290 && short_one < 100); /* early ones are short */
  assert_within(field(more, "\nouter,s1s2,500", 3), 500 - 301.85, 0.1);
  assert_true(isnan(field(more, "\nouter,dynamic,400", 3))); /* there was no beat before the first */
  assert_true(field(more, "\ninner,dynamic,300", 4) > 100);
  free(more);
  char *trace = scratch_read(folder, "cell/trace.csv");
  assert_non_null(strstr(trace, "\ntissue,time,potential,recovery\n"));
  assert_within(field(trace, "outer,0,", 2), -85.432, 1e-3);
  free(trace);
  said = app_says("cell", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(said.code, 5);
  assert_non_null(strstr(said.err, "use --overwrite or another --output"));
  said_release(&said);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct Row {
    const char *option, *value, *said;
  } row[] = {{"--s1s2", "300,200", "--s1s2 '300,200' is not FROM,TO,STEP"},
             {"--s1s2", "300,200,1,2", "is not FROM,TO,STEP"},
             {"--dynamic", "200,300,10", "with FROM >= TO"},
             {"--dynamic", "300,-2,10", "all > 0"},
             {"--dynamic", "1e9,1,1", "makes 1e+09 cycles, at most 10000"},
             {"--time-step", "2", "must be each shorter than the next"},
             {"--beats", "0", "--beats is 0; allowed: 1 to 100000"}};
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", heart);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const char *const words[] = {"cell", scratch_path(folder, "case.yaml"), row[k].option, row[k].value};
    Said said = app_says_words(4, words);
    if (said.code != 2 || !strstr(said.err, row[k].said)) fail_msg("%s: %d, %s", row[k].value, said.code, said.err);
    said_release(&said);
  }
  scratch_write(folder, "heat.yaml",
                "version: 1\nmesh: a.msh\nphysics: heat\nmaterials: [{on: body, conductivity: 1}]\n");
  Said said = app_says("cell", scratch_path(folder, "heat.yaml"), NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "physics is heat; cells are those of a case of physics: monodomain"));
  said_release(&said);
  const char *const words[] = {"cell", scratch_path(folder, "case.yaml"), "--amplitude", "2", "--beats", "1"};
  said = app_says_words(6, words);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "no beat: the stimulus is too weak"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
