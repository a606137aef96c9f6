/* The command line as a table: what is taken, and what is refused with which words. */
#include "app/options.h"
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <string.h>

static Status parse(int n, const char *const *words, Options *out) {
  char *argv[32] = {(char *)"sinew"};
  for (int i = 0; i < n; ++i) argv[i + 1] = (char *)words[i];
  return options_parse(n + 1, argv, out);
}
#define COUNT(words) ((int)(sizeof(words) / sizeof *(words)))

static void options_are_taken(void **state) {
  (void)state;
  const char *run[] = {"run", "--backend",   "cpu",      "c.yaml", "--threads=3", "--set",
                       "a=1", "--set=b.c=2", "--output", "o",      "--overwrite", "--quiet"};
  Options o;
  assert_ok(parse(COUNT(run), run, &o));
  assert_true(o.command == COMMAND_RUN && o.backend == BACKEND_CPU && o.threads == 3 && o.n_set == 2 && o.overwrite &&
              o.quiet);
  assert_string_equal(o.operand[0], "c.yaml");
  assert_string_equal(o.set[1], "b.c=2");
  assert_string_equal(o.output, "o");
  options_release(&o);
  const char *mesh[] = {"mesh", "--refine", "2", "--order", "2", "--", "-in.msh", "out.h5"};
  assert_ok(parse(COUNT(mesh), mesh, &o));
  assert_true(o.refine == 2 && o.order == 2 && o.n_operand == 2);
  assert_string_equal(o.operand[0], "-in.msh");
  options_release(&o);
  const char *help[] = {"verify", "--help"};
  assert_ok(parse(2, help, &o));
  assert_true(o.help && o.command == COMMAND_VERIFY);
  options_release(&o);
}

static void nonsense_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *words[6];
    const char *part;
  } rows[] = {
      {{NULL}, "sinew run CASE.yaml"},
      {{"rnu", "c"}, "unknown command 'rnu'"},
      {{"rnu", "c"}, "did you mean 'run'?"},
      {{"solve"}, "needs A.mtx [B.mtx]"},
      {{"solve", "a.mtx", "--format", "sbel"}, "did you mean 'sbell'?"},
      {{"solve", "a.mtx", "--precision", "flat"}, "allowed: double, mixed"},
      {{"solve", "a.mtx", "--rtol", "1"}, "less than 1"},
      {{"solve", "a.mtx", "--set", "a=1"}, "unknown option '--set' of 'sinew solve'"},
      {{"solve", "a.mtx", "--slice", "16"}, "--slice is 16; allowed: 32 to"},
      {{"solve", "a.mtx", "--row-threads", "33"}, "--row-threads is 33; allowed: 1 to 32"},
      {{"run", "a", "--variant", "k1"}, "unknown option '--variant' of 'sinew run'"},
      {{"--frob"}, "unknown option '--frob'"},
      {{"run"}, "needs CASE.yaml"},
      {{"run", "a", "b"}, "'b' is too many"},
      {{"run", "a", "--refine", "1"}, "unknown option '--refine' of 'sinew run'"},
      {{"run", "a", "--threads", "0"}, "--threads is 0; allowed: 1 to 4096"},
      {{"run", "a", "--threads", "2.5"}, "--threads '2.5' is not a whole number"},
      {{"run", "a", "--quiet=1"}, "--quiet takes no value"},
      {{"run", "a", "--backend", "gpu"}, "unknown backend 'gpu'"},
      {{"run", "a", "--output="}, "--output has an empty value"},
      {{"run", "a", "--quiet", "--verbose"}, "exclude each other"},
      {{"mesh", "a"}, "needs IN OUT.h5"},
      {{"mesh", "a", "b.h5", "--order", "4"}, "--order is 4; allowed: 1 to 3"},
  };
  const size_t before = mem_in_use();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int n = 0;
    while (n < 6 && rows[i].words[n]) ++n;
    Options o;
    assert_fails(parse(n, rows[i].words, &o), ERR_USAGE, rows[i].part);
    options_release(&o);
    assert_int_equal(mem_in_use(), before);
  }
}

static void lists_and_help(void **state) {
  (void)state;
  Said said = app_says("list", "materials", NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "isotropic"));
  said_release(&said);
  said = app_says("list", "matrials", NULL);
  assert_int_equal(said.code, 2);
  assert_non_null(strstr(said.err, "did you mean 'materials'?"));
  said_release(&said);
  said = app_says("list", "ionic", NULL);
  assert_non_null(strstr(said.out, "aliev-panfilov"));
  said_release(&said);
  said = app_says("--help", NULL);
  assert_non_null(strstr(said.out, "6 not converged"));
  assert_string_equal(said.err, "");
  said_release(&said);
  said = app_says("check", "--help", NULL);
  assert_non_null(strstr(said.out, "Example:\n  sinew check"));
  said_release(&said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(options_are_taken), cmocka_unit_test(nonsense_is_refused),
                                     cmocka_unit_test(lists_and_help)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
